/* The map's rings as wall segments, and the grid that finds those near a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cache.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/map_sheets.h"
#include "map/wall_index.h"
#include "navigation/cache_map.h"
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

static void free_walls(const throng_world *world, world_walls *walls)
{
    if (walls->shared)
        throng_cache_release(world->cache, walls->shared);
    else
        free_arrays(&walls->table);
    free(walls->sides.listed);
}

void throng_world_free_walls(throng_world *world) { free_walls(world, &world->walls); }

static bool allocate_segments(throng_walls *t)
{
#define X(type, name, count, moves) &&(t->name = calloc((size_t)(count) + 1, sizeof(type)))
    return true THRONG_WALLS_ARRAYS(X);
#undef X
}

static void fill_segment(wall_arrays *a, int32_t s, throng_point from, throng_point to)
{
    a->ax[s] = (float)from.x;
    a->ay[s] = (float)from.y;
    a->bx[s] = (float)to.x;
    a->by[s] = (float)to.y;
    float ex = a->bx[s] - a->ax[s], ey = a->by[s] - a->ay[s];
    float scale = 1.0f / sqrtf(ex * ex + ey * ey);
    a->dx[s] = ex * scale;
    a->dy[s] = ey * scale;
}

static void link_ring(wall_arrays *a, int32_t count, int32_t base)
{
    for (int32_t i = 0; i < count; i++) {
        a->next[base + i] = base + (i + 1) % count;
        a->previous[base + i] = base + (i + count - 1) % count;
    }
}

/* Rings have the free side on their left, walls the solid side: each ring is taken backwards. */
static void fill_ring(wall_arrays *a, const throng_point *points, int32_t count, int32_t base)
{
    for (int32_t i = 0; i < count; i++)
        fill_segment(a, base + i, points[count - 1 - i], points[(2 * count - 2 - i) % count]);
    link_ring(a, count, base);
    for (int32_t s = base; s < base + count; s++) {
        int32_t p = a->previous[s];
        float turn = (a->ax[s] - a->ax[p]) * (a->by[s] - a->ay[s]) - (a->ay[s] - a->ay[p]) * (a->bx[s] - a->ax[s]);
        a->convex[s] = turn >= 0;
    }
}

/* Of the ring's points from `first` on. */
static void fill_widths(wall_arrays *a, const throng_wall_index *index, int32_t first, int32_t count, int32_t base)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t segment = first + (2 * count - 2 - i) % count;
        a->width_a[base + i] = index->width_at_end[segment];
        a->width_b[base + i] = index->width_at_start[segment];
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

/* For thousands of bodies in every frame: fmin, fmax and floor are calls. */
static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

static int32_t clamp_cell(double position, double origin, double cell, int32_t count)
{
    double c = (position - origin) / cell;
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

static const listing EVERYWHERE = {{-INFINITY, -INFINITY, INFINITY, INFINITY}, 0, 0};

static listing on_sheet(const throng_sheets *s, int32_t sheet)
{
    double x = s->off_x[sheet], y = s->off_y[sheet];
    return (listing){{s->x0[sheet] + x, s->y0[sheet] + y, s->x1[sheet] + x, s->y1[sheet] + y}, x, y};
}

/* The n-th listing of what is on a sheet: there, then on those joined to it. False: there are no more. */
static bool next_listing(const throng_sheets *s, int32_t sheet, int32_t n, listing *l)
{
    if (n > 0 && (!s->count || s->seam_start[sheet] + n > s->seam_start[sheet + 1]))
        return false;
    *l = !s->count ? EVERYWHERE : on_sheet(s, n ? s->beyond[s->seam_start[sheet] + n - 1] : sheet);
    return true;
}

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
    listing l;
    for (int32_t s = 0; s < w->count - w->sides; s++)
        for (int32_t n = 0; w->sheet[s] >= 0 && next_listing(sheets, w->sheet[s], n, &l); n++)
            visit_segment(w, s, &l, start, list);
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
    memmove(start + 1, start, lists * sizeof *start);
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
        fill_widths(a, map->walls, map->ring_start[r], count, base);
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

/* --- what holds bodies --- */

/* Do people come through the segment somehow, which bodies do not? */
static bool is_passed_by(const throng_walls *w, int32_t s)
{
    return w->sheet[s] < 0 || w->sheet[w->next[s]] == NO_WALL || w->lift[s];
}

/* The sheet on the open side of a segment, its right. */
static int32_t sheet_beside(const throng_world *world, const throng_walls *w, int32_t s)
{
    if (w->sheet[s] >= 0)
        return w->sheet[s];
    if (w->sheet[s] == NO_WALL)
        return w->sheet[w->next[s]];
    const throng_seam *seam = &world->map->sheets->seams[-1 - w->sheet[s]];
    double along = (double)w->dx[s] * (seam->b.x - seam->a.x) + (double)w->dy[s] * (seam->b.y - seam->a.y);
    return along > 0 ? seam->right : seam->left;
}

static throng_point moved_by(float x, float y, throng_point off)
{
    return (throng_point){(double)x + off.x, (double)y + off.y};
}

static throng_body_wall holding(const throng_world *world, const throng_walls *w, int32_t s)
{
    throng_point off = throng_sheets_offset(&world->sheets.table, sheet_beside(world, w, s));
    int32_t before = w->previous[s], after = w->next[s];
    return (throng_body_wall){moved_by(w->ax[s], w->ay[s], off), moved_by(w->bx[s], w->by[s], off),
                              moved_by(w->ax[before], w->ay[before], off), moved_by(w->bx[after], w->by[after], off),
                              is_passed_by(w, s)};
}

/* The walls that stand hold the bodies. */
static bool hold_bodies(const throng_world *world, const throng_walls *w, throng_error *error)
{
    int32_t count = w->count - w->sides;
    throng_body_wall *walls = malloc(((size_t)count + 1) * sizeof *walls);
    if (!walls)
        return throng_fail(error, "out of memory for the %d walls that hold bodies", count);
    for (int32_t s = 0; s < count; s++)
        walls[s] = holding(world, w, s);
    bool held = throng_bodies_set_walls(world->bodies.all, walls, count, error);
    free(walls);
    return held;
}

static bool fill_sides(const throng_world *world, world_walls *to, float reach, bool anew, throng_error *error);

/* Those of the map, with room for the sides of bodies behind them. */
static bool build_still(const throng_world *world, float reach, throng_walls *w, throng_error *error)
{
    const throng_map *map = world->floor;
    const char *name = map ? map->name : "the plane";
    w->sides = count_sides(world);
    w->count = (map && map->point_count ? map->point_count + 2 * count_shut(world) : 0) + w->sides;
    if (!allocate_segments(w))
        return throng_fail(error, "out of memory for the %d walls of %s", w->count, name);
    if (map && !fill_map(w, world))
        return throng_fail(error, "out of memory for the pillars of %s", name);
    return build_grid(w, map, &world->sheets.table, reach) ||
           throng_fail(error, "out of memory for the grid over the %d walls of %s", w->count, name);
}

/* --- of worlds without bodies, shared --- */

static throng_key walls_key(const throng_world *world, float reach)
{
    throng_key key = throng_key_of(THRONG_CACHE_WALLS);
    throng_key_add(&key, &reach, sizeof reach);
    throng_cache_add_map(&key, world->floor);
    for (int32_t d = 0; d < world->map->door_count; d++) {
        int32_t now[] = {world->doors.shut[d], world->doors.held[d], world->doors.way[d]};
        throng_key_add(&key, now, sizeof now);
    }
    return key;
}

static void destroy_walls(void *walls)
{
    free_arrays(walls);
    free(walls);
}

/* Puts them under the key; NULL when that failed. */
static throng_walls *make_walls(const throng_world *world, float reach, const throng_key *key, throng_error *error)
{
    throng_walls *made = calloc(1, sizeof *made);
    if (!made)
        throng_fail(error, "out of memory for walls");
    bool fine = made && build_still(world, reach, made, error);
    if (fine && throng_cache_put(world->cache, key, made, THRONG_CACHE_WHILE_HELD, destroy_walls))
        return made;
    if (fine)
        throng_fail(error, "out of memory for walls");
    if (made)
        destroy_walls(made);
    return NULL;
}

/* Walls are listed for a little more than the crowd's reach, so that crowds that differ by chance share lists. */
static bool take_walls(const throng_world *world, float reach, world_walls *to, throng_error *error)
{
    const float step = 0.25f; /* m */
    if (!world->floor || !world->floor->point_count)
        return true;
    reach = ceilf(reach / step) * step;
    throng_key key = walls_key(world, reach);
    to->shared = throng_cache_take(world->cache, &key);
    to->shared = to->shared ? to->shared : make_walls(world, reach, &key, error);
    throng_key_fini(&key);
    if (to->shared)
        to->table = *to->shared;
    return to->shared != NULL;
}

/* --- all of them --- */

static bool build(const throng_world *world, float reach, world_walls *to, throng_error *error)
{
    if (!world->bodies.all)
        return take_walls(world, reach, to, error);
    return build_still(world, reach, &to->table, error) && fill_sides(world, to, reach, true, error) &&
           hold_bodies(world, &to->table, error);
}

static void install(throng_world *world, const world_walls *fresh)
{
    throng_world_free_walls(world);
    world->walls = *fresh;
    world->walls.changed = true;
    world_sensed_forget_walls(&world->sensed);
    world_phases_restart(&world->phases);
}

bool throng_world_build_walls(throng_world *world, float reach, throng_error *error)
{
    world_walls fresh = {.reach = reach};
    bool ok = build(world, reach, &fresh, error);
    if (ok)
        install(world, &fresh);
    else
        free_walls(world, &fresh);
    return ok;
}

/* The walls of `old`, which stay, before the sides of the bodies of now. */
static bool build_behind(const throng_world *world, const throng_walls *old, world_walls *to, throng_error *error)
{
    const throng_walls still = {.count = old->count - old->sides}, *t = &still;
    throng_walls *w = &to->table;
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
           (fill_sides(world, to, world->walls.reach, true, error) && hold_bodies(world, w, error));
}

bool throng_world_build_sides(throng_world *world, throng_error *error)
{
    world_walls fresh = {.reach = world->walls.reach};
    throng_walls *old = &world->walls.table;
    if (!old->still.start || world->walls.shared)
        return throng_world_build_walls(world, world->walls.reach, error);
    if (!build_behind(world, old, &fresh, error)) {
        free_walls(world, &fresh);
        return false;
    }
    fresh.table.still = old->still;
    old->still = (throng_wall_grid){.start = NULL};
    install(world, &fresh);
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

/* m: the grids over bodies list what is so much farther off, too, and stay until a body has gone so far. */
static const double STRAY = 0.25;

/* What moves with a body, or its image `off` from it, of its sides, which are those from segment `first` on. */
static void move_sides(const throng_walls *w, const throng_body *body, const throng_point *corner, int32_t count,
                       throng_point off, int32_t first)
{
    wall_arrays a = writable(w);
    int32_t at = first - (w->count - w->sides);
    for (int32_t i = 0; i < count; i++, at++) {
        throng_point p = corner[i], q = corner[i + 1 < count ? i + 1 : 0];
        fill_segment(&a, first + i, (throng_point){p.x + off.x, p.y + off.y}, (throng_point){q.x + off.x, q.y + off.y});
        a.vx[at] = (float)(body->vx - body->spin * (0.5 * (p.y + q.y) - body->y));
        a.vy[at] = (float)(body->vy + body->spin * (0.5 * (p.x + q.x) - body->x));
        a.middle_x[at] = (float)(body->x + off.x);
        a.middle_y[at] = (float)(body->y + off.y);
    }
}

/* What stays. A body is convex, whatever rounding makes of its corners. */
static void describe_sides(const throng_walls *w, const throng_bodies *bodies, int32_t slot, const throng_body *body,
                           int32_t count, int32_t first)
{
    wall_arrays a = writable(w);
    link_ring(&a, count, first);
    for (int32_t i = 0, at = first - (w->count - w->sides); i < count; i++, at++) {
        a.convex[first + i] = 1;
        a.sheet[first + i] = body->sheet;
        a.mass[at] = (float)body->mass;
        a.depth[at] = (float)throng_bodies_depth(bodies, slot, i);
        a.reach[at] = (float)throng_bodies_reach(bodies, slot);
        a.corners[at] = count;
    }
}

static bool has_strayed(const throng_walls *w, int32_t at, throng_point from)
{
    return fabs(w->middle_x[at] - from.x) > STRAY || fabs(w->middle_y[at] - from.y) > STRAY;
}

/* The sides of the body in a slot and of its images, from segment `first` on; how many. */
static int32_t fill_body(const throng_world *world, world_walls *to, int32_t slot, int32_t first, bool anew)
{
    throng_bodies *bodies = world->bodies.all;
    const throng_walls *w = &to->table;
    world_sides *sides = &to->sides;
    throng_point corner[THRONG_BODY_CORNERS];
    throng_body body;
    int32_t count = throng_bodies_corners(bodies, slot), images = 1 + throng_bodies_images(bodies);
    int32_t at = first - (w->count - w->sides);
    if (!count || !(anew || throng_bodies_take_moved(bodies, slot))) /* what is built anew may not be kept */
        return count * images;
    throng_bodies_get(bodies, throng_bodies_handle(bodies, slot), &body);
    throng_bodies_outline(bodies, slot, corner);
    throng_point laid = throng_sheets_offset(&world->sheets.table, body.sheet);
    for (int32_t n = 0; n < images; n++, first += count, at += count) {
        throng_point off = n ? throng_bodies_image(bodies, slot, n - 1) : (throng_point){0, 0};
        if (anew)
            describe_sides(w, bodies, slot, &body, count, first);
        move_sides(w, &body, corner, count, (throng_point){off.x - laid.x, off.y - laid.y}, first);
        sides->stale |= has_strayed(w, at, sides->listed[at]);
    }
    return count * images;
}

static throng_bounds joint(throng_bounds a, throng_bounds b)
{
    return (throng_bounds){smaller(a.x0, b.x0), smaller(a.y0, b.y0), larger(a.x1, b.x1), larger(a.y1, b.y1)};
}

/* What may be within `reach` m of the body whose first side is `at`, until it has strayed. */
static throng_bounds box_about(const throng_walls *w, int32_t at, throng_point laid, double reach)
{
    double x = w->middle_x[at] + laid.x, y = w->middle_y[at] + laid.y, far = reach + w->reach[at] + STRAY + 1e-3;
    return (throng_bounds){x - far, y - far, x + far, y + far};
}

static throng_bounds box_of(const throng_walls *w, const throng_sheets *sheets, int32_t at)
{
    return box_about(w, at, throng_sheets_offset(sheets, w->sheet[w->count - w->sides + at]), 0);
}

/* Of the places of a listing those that may be within `reach` m of the body. False: none. */
static bool near_body(const throng_walls *w, int32_t at, const listing *l, double reach, throng_bounds *near)
{
    throng_bounds b = box_about(w, at, (throng_point){l->off_x, l->off_y}, reach);
    *near = (throng_bounds){larger(b.x0, l->box.x0), larger(b.y0, l->box.y0), smaller(b.x1, l->box.x1),
                            smaller(b.y1, l->box.y1)};
    return near->x0 <= near->x1 && near->y0 <= near->y1;
}

/* Where bodies are laid out, and on the sheets joined to theirs what may be near them. */
static throng_bounds bounds_of_bodies(const throng_walls *w, const throng_sheets *sheets, double reach)
{
    throng_bounds all = {INFINITY, INFINITY, -INFINITY, -INFINITY}, near;
    listing l;
    for (int32_t at = 0; at < w->sides; at += w->corners[at]) {
        all = joint(all, box_of(w, sheets, at));
        for (int32_t n = 1; next_listing(sheets, w->sheet[w->count - w->sides + at], n, &l); n++)
            all = near_body(w, at, &l, reach, &near) ? joint(all, near) : all;
    }
    return w->sides ? all : (throng_bounds){0, 0, 0, 0};
}

/* The sides of the body whose first is `at` in the cells of one listing from which they may be within reach: also in
 * those that it covers. */
static void visit_body(const throng_walls *w, int32_t at, const listing *l, int32_t *start, int32_t *list)
{
    const throng_wall_grid *g = &w->moving;
    int32_t first = w->count - w->sides + at, n = w->corners[at];
    double x = w->middle_x[at] + l->off_x - g->origin_x, y = w->middle_y[at] + l->off_y - g->origin_y;
    double far = g->reach + w->reach[at] + STRAY + 1e-3 + g->cell * 0.7072;
    throng_bounds b;
    if (!near_body(w, at, l, g->reach, &b))
        return;
    cell_range in = cells_of(g, b.x0, b.y0, b.x1, b.y1);
    for (int32_t r = in.r0; r <= in.r1; r++)
        for (int32_t c = in.c0; c <= in.c1; c++) {
            double dx = (c + 0.5) * g->cell - x, dy = (r + 0.5) * g->cell - y;
            if (dx * dx + dy * dy > far * far)
                continue;
            int32_t *end = &start[r * g->columns + c];
            for (int32_t i = 0; list && i < n; i++)
                list[*end + i] = first + i;
            *end += n;
        }
}

/* All sides of every body, on its sheet and on those joined to it. */
static void visit_sides(const throng_walls *w, const throng_sheets *sheets, int32_t *start, int32_t *list)
{
    int32_t first = w->count - w->sides;
    listing l;
    for (int32_t at = 0, turn = 0; at < w->sides && !throng_given_up_at(turn++); at += w->corners[at])
        for (int32_t n = 0; next_listing(sheets, w->sheet[first + at], n, &l); n++)
            visit_body(w, at, &l, start, list);
    visit_all(&w->moving, first, w->sides, start, list);
}

static void visit_boxes(const throng_walls *w, const throng_sheets *sheets, int32_t *start, int32_t *list)
{
    const throng_wall_grid *g = &w->boxes;
    for (int32_t at = 0, turn = 0; at < w->sides && !throng_given_up_at(turn++); at += w->corners[at]) {
        throng_bounds b = box_of(w, sheets, at);
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

typedef void visit_bodies(const throng_walls *walls, const throng_sheets *sheets, int32_t *start, int32_t *list);

static bool fill_grid(const throng_walls *w, const throng_sheets *sheets, throng_wall_grid *g, throng_grid_room *room,
                      visit_bodies *visit)
{
    size_t lists = throng_wall_grid_lists(g);
    if (!reserve(&g->start, &room->start, lists + 1))
        return false;
    int32_t *start = (int32_t *)g->start;
    memset(start, 0, (lists + 1) * sizeof *start);
    visit(w, sheets, start, NULL);
    if (!reserve(&g->list, &room->list, (size_t)starts_of(start, lists) + 1))
        return false;
    visit(w, sheets, start, (int32_t *)g->list);
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

/* The grids over bodies where they are. */
static bool list_bodies(const throng_world *world, world_walls *to, float reach, throng_error *error)
{
    const throng_sheets *sheets = &world->sheets.table;
    throng_walls *w = &to->table;
    throng_bounds bounds = bounds_of_bodies(w, sheets, reach);
    size_grid(&w->moving, &bounds, reach, fmax(1, reach / 2), BODY_CELLS_MAX);
    size_boxes(w, &bounds);
    if (!fill_grid(w, sheets, &w->moving, &to->sides.side_room, visit_sides) ||
        !fill_grid(w, sheets, &w->boxes, &to->sides.box_room, visit_boxes) || throng_given_up())
        return throng_fail(error, "out of memory for the sides of %d bodies", throng_bodies_count(world->bodies.all));
    for (int32_t at = 0; at < w->sides; at += w->corners[at])
        to->sides.listed[at] = (throng_point){(double)w->middle_x[at], (double)w->middle_y[at]};
    to->sides.stale = false;
    w->listed++;
    return true;
}

/* Of those bodies that have moved, or, `anew`, of all. */
static bool fill_sides(const throng_world *world, world_walls *to, float reach, bool anew, throng_error *error)
{
    const throng_bodies *bodies = world->bodies.all;
    throng_walls *w = &to->table;
    if (!to->sides.listed && !(to->sides.listed = calloc((size_t)w->sides + 1, sizeof *to->sides.listed)))
        return throng_fail(error, "out of memory for the sides of %d bodies", throng_bodies_count(bodies));
    to->sides.stale |= anew;
    for (int32_t slot = 0, at = w->count - w->sides; slot < throng_bodies_slots(bodies); slot++) {
        if (throng_given_up_at(slot))
            return throng_fail(error, "%s", throng_interrupted_text());
        at += fill_body(world, to, slot, at, anew);
    }
    w->body_step = (float)(throng_bodies_fastest(bodies) * world->dt);
    return !to->sides.stale || list_bodies(world, to, reach, error);
}

bool throng_world_fill_sides(throng_world *world, throng_error *error)
{
    return fill_sides(world, &world->walls, world->walls.reach, world->bodies.remade, error);
}
