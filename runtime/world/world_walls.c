/* The map's rings as wall segments, and the grid that finds those near a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "navigation/navmesh_pillars.h"
#include "world_parts.h"

enum {
    WALL_CELLS_MAX = 1 << 22,
    NO_WALL = INT32_MIN /* in the place of a segment's sheet, below those of seams: it is in nobody's way */
};

/* Those that are written. */
#define MEMBER(type, name, ...) type *name;
typedef struct wall_arrays {
    THRONG_WALLS_ARRAYS(MEMBER)
} wall_arrays;
#undef MEMBER

static wall_arrays writable(const throng_walls *t)
{
#define X(type, name, ...) .name = (type *)t->name,
    return (wall_arrays){THRONG_WALLS_ARRAYS(X)};
#undef X
}

static void free_arrays(throng_walls *t)
{
    const void *grids[] = {t->still.start, t->still.list,  t->moving.start,
                           t->moving.list, t->boxes.start, t->boxes.list};
#define X(type, name, ...) throng_array_abandon((void *)t->name);
    THRONG_WALLS_ARRAYS(X)
#undef X
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        throng_array_abandon((void *)grids[i]);
}

void throng_world_free_walls(throng_world *world) { free_arrays(&world->walls.table); }

static bool allocate_segments(throng_walls *t)
{
#define X(type, name, count, moves) &&(t->name = calloc((size_t)(count) + 1, sizeof(type)))
    return true THRONG_WALLS_ARRAYS(X);
#undef X
}

/* Rings have the free side on their left, walls the solid side: each ring is taken backwards. */
static void fill_ring(wall_arrays *a, const throng_point *points, int32_t count, int32_t base)
{
    for (int32_t i = 0; i < count; i++) {
        const throng_point *from = &points[count - 1 - i], *to = &points[(2 * count - 2 - i) % count];
        int32_t s = base + i;
        a->ax[s] = (float)from->x;
        a->ay[s] = (float)from->y;
        a->bx[s] = (float)to->x;
        a->by[s] = (float)to->y;
        float ex = a->bx[s] - a->ax[s], ey = a->by[s] - a->ay[s];
        float scale = 1.0f / sqrtf(ex * ex + ey * ey);
        a->dx[s] = ex * scale;
        a->dy[s] = ey * scale;
        a->next[s] = base + (i + 1) % count;
        a->previous[s] = base + (i + count - 1) % count;
    }
    for (int32_t s = base; s < base + count; s++) {
        int32_t p = a->previous[s];
        float turn = (a->ax[s] - a->ax[p]) * (a->by[s] - a->ay[s]) - (a->ay[s] - a->ay[p]) * (a->bx[s] - a->ax[s]);
        a->convex[s] = turn >= 0;
    }
}

/* In a building walls are where positions are, each on its sheet; those on seams are none, and the walls on both sides
 * of a seam go on into each other. The ring's segments, as fill_ring has them, from `base` on. */
static void place_ring(wall_arrays *a, const throng_map *map, const throng_point *points, int32_t count, int32_t base)
{
    for (int32_t i = 0; i < count; i++) {
        throng_point from = points[count - 1 - i], to = points[(2 * count - 2 - i) % count];
        int32_t s = base + i, seam, on = throng_map_sheet_at(map, throng_between(from, to, 0.5));
        a->sheet[s] = throng_map_on_seam(map, from, to, &seam) ? -1 - seam : on;
        from = throng_map_position(map, on, from);
        to = throng_map_position(map, on, to);
        a->ax[s] = (float)from.x;
        a->ay[s] = (float)from.y;
        a->bx[s] = (float)to.x;
        a->by[s] = (float)to.y;
    }
}

/* Of two segments on both sides of a seam, which run against each other, neither is a wall. */
static void link_over(wall_arrays *a, int32_t s, int32_t other)
{
    int32_t before = a->previous[s], after = a->next[other];
    a->next[before] = after;
    a->previous[after] = before;
    float turn = (a->ax[after] - a->ax[before]) * (a->by[after] - a->ay[after]) -
                 (a->ay[after] - a->ay[before]) * (a->bx[after] - a->ax[after]);
    a->convex[after] = turn >= 0;
}

static void link_seams(wall_arrays *a, int32_t count)
{
    for (int32_t s = 0; s < count; s++)
        for (int32_t other = s + 1; a->sheet[s] < 0 && other < count; other++)
            if (a->sheet[other] == a->sheet[s] && a->ax[s] == a->bx[other] && a->ay[s] == a->by[other] &&
                a->bx[s] == a->ax[other] && a->by[s] == a->ay[other]) {
                link_over(a, s, other);
                link_over(a, other, s);
                break;
            }
}

/* --- the grids ------------------------------------------------------------------------ */

static double segment_distance(const throng_walls *w, int32_t s, double x, double y)
{
    double ax = w->ax[s], ay = w->ay[s], ex = w->bx[s] - ax, ey = w->by[s] - ay;
    double t = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(ax + t * ex - x, ay + t * ey - y);
}

static int32_t clamp_cell(double position, double origin, double cell, int32_t count)
{
    double c = floor((position - origin) / cell);
    return c < 0 ? 0 : c >= count ? count - 1 : (int32_t)c;
}

/* The cells that a box comes into. */
typedef struct cell_range {
    int32_t c0, c1, r0, r1;
} cell_range;

static cell_range cells_of(const throng_wall_grid *g, double x0, double y0, double x1, double y1)
{
    return (cell_range){clamp_cell(x0, g->origin_x, g->cell, g->columns),
                        clamp_cell(x1, g->origin_x, g->cell, g->columns), clamp_cell(y0, g->origin_y, g->cell, g->rows),
                        clamp_cell(y1, g->origin_y, g->cell, g->rows)};
}

/* What is in the last list: `count` segments from `first` on. */
static void visit_all(const throng_wall_grid *g, int32_t first, int32_t count, int32_t *start, int32_t *list)
{
    int32_t *end = &start[throng_wall_grid_lists(g) - 1];
    for (int32_t i = 0; list && i < count; i++)
        list[*end + i] = first + i;
    *end += count;
}

/* What cells a segment is listed in: all within reach of it; in a building those in which people on a sheet stand, and
 * where that is laid out. */
typedef struct listing {
    throng_bounds box; /* m: of their places */
    double off_x, off_y;
} listing;

/* Counts the segment into `start` of every cell that comes within reach of it, or writes it to `list`. */
static void visit_segment(const throng_walls *w, int32_t s, const listing *l, int32_t *start, int32_t *list)
{
    const throng_wall_grid *g = &w->still;
    double far = g->reach + g->cell * 0.7072, x = l->off_x, y = l->off_y;
    double x0 = fmax(fmin(w->ax[s], w->bx[s]) - g->reach + x, l->box.x0);
    double x1 = fmin(fmax(w->ax[s], w->bx[s]) + g->reach + x, l->box.x1);
    double y0 = fmax(fmin(w->ay[s], w->by[s]) - g->reach + y, l->box.y0);
    double y1 = fmin(fmax(w->ay[s], w->by[s]) + g->reach + y, l->box.y1);
    if (x0 > x1 || y0 > y1)
        return;
    cell_range in = cells_of(g, x0, y0, x1, y1);
    for (int32_t r = in.r0; r <= in.r1; r++)
        for (int32_t c = in.c0; c <= in.c1; c++) {
            double at_x = g->origin_x + (c + 0.5) * g->cell - x, at_y = g->origin_y + (r + 0.5) * g->cell - y;
            if (segment_distance(w, s, at_x, at_y) > far)
                continue;
            int32_t cell = r * g->columns + c;
            if (list)
                list[start[cell]] = s;
            start[cell]++;
        }
}

static void visit_on_sheet(const throng_walls *w, const throng_sheets *sheets, int32_t s, int32_t sheet, int32_t *start,
                           int32_t *list)
{
    double x = sheets->off_x[sheet], y = sheets->off_y[sheet];
    listing l = {{sheets->x0[sheet] + x, sheets->y0[sheet] + y, sheets->x1[sheet] + x, sheets->y1[sheet] + y}, x, y};
    visit_segment(w, s, &l, start, list);
}

/* The last list: all that stand in somebody's way. */
static void visit_still(const throng_walls *w, int32_t *start, int32_t *list)
{
    int32_t *end = &start[throng_wall_grid_lists(&w->still) - 1];
    for (int32_t s = 0; s < w->count - w->sides; s++) {
        if (w->sheet[s] < 0)
            continue;
        if (list)
            list[*end] = s;
        ++*end;
    }
}

/* Calls for every (cell, segment) that come within reach of each other: counts into `start`, or fills `list`. On its
 * sheet, and on those joined to it. */
static void visit_cells(const throng_walls *w, const throng_sheets *sheets, int32_t *start, int32_t *list)
{
    const listing everywhere = {{-INFINITY, -INFINITY, INFINITY, INFINITY}, 0, 0};
    for (int32_t s = 0; s < w->count - w->sides; s++) {
        if (w->sheet[s] < 0)
            continue;
        if (!sheets->count) {
            visit_segment(w, s, &everywhere, start, list);
            continue;
        }
        visit_on_sheet(w, sheets, s, w->sheet[s], start, list);
        for (int32_t q = sheets->seam_start[w->sheet[s]]; q < sheets->seam_start[w->sheet[s] + 1]; q++)
            visit_on_sheet(w, sheets, s, sheets->beyond[q], start, list);
    }
    visit_still(w, start, list);
}

/* Cells of `cell` m, or larger where there were too many. */
static void size_grid(throng_wall_grid *g, const throng_bounds *b, float reach, double cell, double most_cells)
{
    double width = b->x1 - b->x0 + 2 * reach, height = b->y1 - b->y0 + 2 * reach;
    while (width / cell * (height / cell) > most_cells)
        cell *= 2;
    g->cell = (float)cell;
    g->reach = reach;
    g->origin_x = (float)(b->x0 - reach);
    g->origin_y = (float)(b->y0 - reach);
    g->columns = (int32_t)(width / cell) + 2;
    g->rows = (int32_t)(height / cell) + 2;
}

/* Counts become starts; returns the sum. */
static int32_t starts_of(int32_t *start, size_t lists)
{
    int32_t total = 0;
    for (size_t c = 0; c <= lists; c++) {
        int32_t here = start[c];
        start[c] = total;
        total += here;
    }
    return total;
}

/* Filling moved each start to its list's end: where the next one starts. */
static void shift_back(int32_t *start, size_t lists)
{
    for (size_t c = lists; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

static bool build_grid(throng_walls *w, const throng_map *map, const throng_sheets *sheets, float reach)
{
    throng_wall_grid *g = &w->still;
    *g = (throng_wall_grid){.cell = 1, .reach = reach};
    if (map && map->point_count)
        size_grid(g, &map->bounds, reach, fmax(1, reach / 2), WALL_CELLS_MAX);
    size_t lists = throng_wall_grid_lists(g);
    int32_t *start = calloc(lists + 1, sizeof *start);
    g->start = start;
    if (!start)
        return false;
    visit_cells(w, sheets, start, NULL);
    int32_t *list = calloc((size_t)starts_of(start, lists) + 1, sizeof *list);
    g->list = list;
    if (!list)
        return false;
    visit_cells(w, sheets, start, list);
    shift_back(start, lists);
    return true;
}

static bool is_wall(const throng_world *world, int32_t door)
{
    return world->doors.shut[door] || world->doors.held[door] || world->doors.way[door];
}

/* Of a door's two segments that go from its second point to its first and back: is it in nobody's way, since people
 * come from its open side? */
static bool is_passed(const throng_world *world, int32_t door, int segment)
{
    int way = world->doors.way[door];
    return !world->doors.shut[door] && !world->doors.held[door] && way != 0 && way == (segment == 0 ? 1 : -1);
}

static int32_t count_shut(const throng_world *world)
{
    int32_t count = 0;
    for (int32_t d = 0; d < world->map->door_count; d++)
        count += is_wall(world, d);
    return count;
}

/* The number of the lift whose door that is, from 1; 0: none. */
static int32_t lift_at(const throng_map_sheets *sheets, int32_t door)
{
    for (int32_t i = 0; i < sheets->stop_count; i++)
        if (sheets->stops[i].door == door)
            return sheets->stops[i].lift + 1;
    return 0;
}

/* A closed door is a ring of its two sides; that of a one-way door from which people come is no wall. */
static void fill_doors(wall_arrays *a, const throng_world *world, int32_t base)
{
    for (int32_t d = 0; d < world->map->door_count; d++) {
        if (!is_wall(world, d))
            continue;
        throng_point ends[] = {world->map->doors[d].a, world->map->doors[d].b};
        fill_ring(a, ends, 2, base);
        if (world->map->sheets) {
            place_ring(a, world->map, ends, 2, base);
            a->lift[base] = a->lift[base + 1] = lift_at(world->map->sheets, d);
        }
        for (int i = 0; i < 2; i++)
            if (is_passed(world, d, i))
                a->sheet[base + i] = NO_WALL;
        base += 2;
    }
}

/* The rings that are pillars, or those that are not, from segment `base` on; where the next goes. */
static int32_t fill_rings(wall_arrays *a, const throng_map *map, const uint8_t *pillar, bool pillars, int32_t base)
{
    for (int32_t r = 0; r < map->ring_count; r++) {
        int32_t count = map->ring_start[r + 1] - map->ring_start[r];
        if (pillar[r] != pillars)
            continue;
        fill_ring(a, map->points + map->ring_start[r], count, base);
        if (map->sheets)
            place_ring(a, map, map->points + map->ring_start[r], count, base);
        base += count;
    }
    return base;
}

/* Pillars come last. They are those of the smallest agents: larger ones find some of them in their mesh. */
static bool fill_map(throng_walls *w, const throng_world *world)
{
    const throng_map *map = world->floor;
    wall_arrays a = writable(w);
    uint8_t *pillar = malloc((size_t)map->ring_count + 1);
    bool fine = pillar && throng_navmesh_find_pillars(map, 0, pillar);
    if (fine) {
        int32_t doors = fill_rings(&a, map, pillar, false, 0), first = doors + 2 * count_shut(world);
        if (map->sheets)
            link_seams(&a, doors);
        fill_doors(&a, world, doors);
        w->pillars = fill_rings(&a, map, pillar, true, first) - first;
    }
    free(pillar);
    return fine;
}

/* Of all bodies and their images across the seam. */
static int32_t count_sides(const throng_world *world)
{
    const throng_bodies *bodies = world->bodies.all;
    return bodies ? throng_bodies_sides(bodies) * (1 + throng_bodies_images(bodies)) : 0;
}

/* The walls, and rooms of the grids over bodies. */
typedef struct built {
    throng_walls walls;
    throng_grid_room side_room, box_room;
} built;

static bool fill_sides(const throng_world *world, built *to, float reach, throng_error *error);

static bool build(const throng_world *world, float reach, built *to, throng_error *error)
{
    const throng_map *map = world->floor;
    throng_walls *w = &to->walls;
    w->sides = count_sides(world);
    w->count = (map && map->point_count ? map->point_count + 2 * count_shut(world) : 0) + w->sides;
    if (!w->count && !world->bodies.all)
        return true;
    const char *name = map ? map->name : "the plane";
    if (!allocate_segments(w))
        return throng_fail(error, "out of memory for the %d walls of %s", w->count, name);
    if (map && !fill_map(w, world))
        return throng_fail(error, "out of memory for the pillars of %s", name);
    if (!build_grid(w, map, &world->sheets.table, reach))
        return throng_fail(error, "out of memory for the grid over the %d walls of %s", w->count, name);
    return !world->bodies.all ||
           (fill_sides(world, to, reach, error) && throng_bodies_set_walls(world->bodies.all, w, error));
}

static void install(throng_world *world, const built *fresh, float reach)
{
    free_arrays(&world->walls.table);
    world->walls.table = fresh->walls;
    world->walls.side_room = fresh->side_room;
    world->walls.box_room = fresh->box_room;
    world->walls.reach = reach;
    world->walls.changed = true;
    world_sensed_forget_walls(&world->sensed);
    world_phases_restart(&world->phases);
}

bool throng_world_build_walls(throng_world *world, float reach, throng_error *error)
{
    built fresh = {0};
    bool ok = build(world, reach, &fresh, error);
    if (ok)
        install(world, &fresh, reach);
    else
        free_arrays(&fresh.walls);
    return ok;
}

/* The walls of `old`, which stay, before the sides of the bodies of now. */
static bool build_behind(const throng_world *world, const throng_walls *old, built *to, throng_error *error)
{
    const throng_walls still = {.count = old->count - old->sides}, *t = &still;
    throng_walls *w = &to->walls;
    w->sides = count_sides(world);
    w->count = still.count + w->sides;
    w->pillars = old->pillars;
    if (!allocate_segments(w))
        return throng_fail(error, "out of memory for the %d sides of bodies", w->sides);
    wall_arrays a = writable(w);
#define X(type, name, count, moves) memcpy(a.name, old->name, (size_t)(count) * sizeof(type));
    THRONG_WALLS_ARRAYS(X)
#undef X
    return !world->bodies.all ||
           (fill_sides(world, to, world->walls.reach, error) && throng_bodies_set_walls(world->bodies.all, w, error));
}

bool throng_world_build_sides(throng_world *world, throng_error *error)
{
    built fresh = {0};
    throng_walls *old = &world->walls.table;
    if (!old->still.start)
        return throng_world_build_walls(world, world->walls.reach, error);
    if (!build_behind(world, old, &fresh, error)) {
        free_arrays(&fresh.walls);
        return false;
    }
    fresh.walls.still = old->still;
    old->still = (throng_wall_grid){.start = NULL};
    install(world, &fresh, world->walls.reach);
    return true;
}

bool throng_world_upload_walls(throng_world *world, throng_error *error)
{
    if (world->walls.changed && !world->stages.api->set_walls(world->stages.backend, &world->walls.table, error))
        return false;
    world->walls.changed = false;
    return true;
}

/* --- bodies ----------------------------------------------------------------------------- */

enum { BODY_CELLS_MAX = 1 << 16 };

/* The sides of the body in a slot, or of an image `off` from it, from segment `first` on; how many. */
static int32_t fill_body(const throng_bodies *bodies, const throng_walls *w, int32_t slot, throng_point off,
                         int32_t first)
{
    throng_point corner[THRONG_BODY_CORNERS], reversed[THRONG_BODY_CORNERS] = {{0, 0}};
    throng_body body;
    int32_t count = throng_bodies_outline(bodies, slot, corner), at = first - (w->count - w->sides);
    if (!count)
        return 0;
    wall_arrays a = writable(w);
    for (int32_t i = 0; i < count; i++)
        reversed[i] = (throng_point){corner[count - 1 - i].x + off.x, corner[count - 1 - i].y + off.y};
    fill_ring(&a, reversed, count, first);
    throng_bodies_get(bodies, throng_bodies_handle(bodies, slot), &body);
    for (int32_t i = 0; i < count; i++, at++) {
        double x = 0.5 * (corner[i].x + corner[(i + 1) % count].x) - body.x;
        double y = 0.5 * (corner[i].y + corner[(i + 1) % count].y) - body.y;
        a.vx[at] = (float)(body.vx - body.spin * y);
        a.vy[at] = (float)(body.vy + body.spin * x);
        a.mass[at] = (float)body.mass;
        a.depth[at] = (float)throng_bodies_depth(bodies, slot, i);
        a.middle_x[at] = (float)(body.x + off.x);
        a.middle_y[at] = (float)(body.y + off.y);
        a.reach[at] = (float)throng_bodies_reach(bodies, slot);
        a.corners[at] = count;
    }
    return count;
}

/* Of the body and its images. */
static int32_t fill_images(const throng_bodies *bodies, const throng_walls *w, int32_t slot, int32_t first)
{
    int32_t count = fill_body(bodies, w, slot, (throng_point){0, 0}, first);
    for (int32_t n = 0; count && n < throng_bodies_images(bodies); n++)
        count += fill_body(bodies, w, slot, throng_bodies_image(bodies, slot, n), first + count);
    return count;
}

/* Of `count` segments from `first` on. */
static throng_bounds bounds_of(const throng_walls *w, int32_t first, int32_t count)
{
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t s = first; s < first + count; s++)
        b = (throng_bounds){fmin(b.x0, w->ax[s]), fmin(b.y0, w->ay[s]), fmax(b.x1, w->ax[s]), fmax(b.y1, w->ay[s])};
    return count ? b : (throng_bounds){0, 0, 0, 0};
}

/* Lists the sides of every body in all cells from which it may be within reach: also in those that it covers. */
static void visit_sides(const throng_walls *w, int32_t *start, int32_t *list)
{
    const throng_wall_grid *g = &w->moving;
    int32_t first = w->count - w->sides;
    for (int32_t at = 0, n, turn = 0; at < w->sides && !throng_given_up_at(turn++); at += n) {
        double x = w->middle_x[at], y = w->middle_y[at], far = g->reach + w->reach[at] + 1e-3;
        double most = (far + g->cell * 0.7072) * (far + g->cell * 0.7072);
        cell_range in = cells_of(g, x - far, y - far, x + far, y + far);
        n = w->corners[at];
        for (int32_t r = in.r0; r <= in.r1; r++)
            for (int32_t c = in.c0; c <= in.c1; c++) {
                double dx = g->origin_x + (c + 0.5) * g->cell - x, dy = g->origin_y + (r + 0.5) * g->cell - y;
                if (dx * dx + dy * dy > most)
                    continue;
                int32_t *end = &start[r * g->columns + c];
                for (int32_t i = 0; list && i < n; i++)
                    list[*end + i] = first + at + i;
                *end += n;
            }
    }
    visit_all(g, first, w->sides, start, list);
}

static void visit_boxes(const throng_walls *w, int32_t *start, int32_t *list)
{
    const throng_wall_grid *g = &w->boxes;
    for (int32_t at = 0, turn = 0; at < w->sides && !throng_given_up_at(turn++); at += w->corners[at]) {
        throng_bounds b = bounds_of(w, w->count - w->sides + at, w->corners[at]);
        cell_range in = cells_of(g, b.x0, b.y0, b.x1, b.y1);
        for (int32_t r = in.r0; r <= in.r1; r++)
            for (int32_t c = in.c0; c <= in.c1; c++) {
                int32_t cell = r * g->columns + c;
                if (list)
                    list[start[cell]] = 4 * at + 2 * (r == in.r0) + (c == in.c0);
                start[cell]++;
            }
    }
}

/* False, with the array as it was, when memory is out. */
static bool reserve(const int32_t **array, size_t *room, size_t count)
{
    if (count <= *room)
        return true;
    int32_t *fresh = malloc(2 * count * sizeof *fresh);
    if (!fresh)
        return false;
    throng_array_abandon((void *)*array);
    *array = fresh;
    *room = 2 * count;
    return true;
}

static bool fill_grid(const throng_walls *w, throng_wall_grid *g, throng_grid_room *room,
                      void (*visit)(const throng_walls *, int32_t *, int32_t *))
{
    size_t lists = throng_wall_grid_lists(g);
    if (!reserve(&g->start, &room->start, lists + 1))
        return false;
    int32_t *start = (int32_t *)g->start;
    memset(start, 0, (lists + 1) * sizeof *start);
    visit(w, start, NULL);
    if (!reserve(&g->list, &room->list, (size_t)starts_of(start, lists) + 1))
        return false;
    visit(w, start, (int32_t *)g->list);
    shift_back(start, lists);
    return true;
}

/* Cells about as wide as most bodies, and no more than a few for each. */
static void size_boxes(throng_walls *w, const throng_bounds *bounds)
{
    double reach = 0, bodies = 0;
    for (int32_t at = 0; at < w->sides; at += w->corners[at], bodies++)
        reach += w->reach[at];
    size_grid(&w->boxes, bounds, 0, fmax(1, 2 * reach / fmax(bodies, 1)), 4 * bodies + 64);
}

static bool fill_sides(const throng_world *world, built *to, float reach, throng_error *error)
{
    const throng_bodies *bodies = world->bodies.all;
    throng_walls *w = &to->walls;
    for (int32_t slot = 0, at = w->count - w->sides; slot < throng_bodies_slots(bodies); slot++) {
        if (throng_given_up_at(slot))
            return throng_fail(error, "%s", throng_interrupted_text());
        at += fill_images(bodies, w, slot, at);
    }
    w->body_step = (float)(throng_bodies_fastest(bodies) * world->dt);
    throng_bounds bounds = bounds_of(w, w->count - w->sides, w->sides);
    size_grid(&w->moving, &bounds, reach, fmax(1, reach / 2), BODY_CELLS_MAX);
    size_boxes(w, &bounds);
    return (fill_grid(w, &w->moving, &to->side_room, visit_sides) &&
            fill_grid(w, &w->boxes, &to->box_room, visit_boxes) && !throng_given_up()) ||
           throng_fail(error, "out of memory for the sides of %d bodies", throng_bodies_count(bodies));
}

bool throng_world_fill_sides(throng_world *world, throng_error *error)
{
    built as_they_are = {world->walls.table, world->walls.side_room, world->walls.box_room};
    bool filled = fill_sides(world, &as_they_are, world->walls.reach, error);
    world->walls.table = as_they_are.walls;
    world->walls.side_room = as_they_are.side_room;
    world->walls.box_room = as_they_are.box_room;
    return filled;
}
