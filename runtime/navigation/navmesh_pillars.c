#include "navmesh_pillars.h"

#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"
#include "map/ring_list.h"
#include "map/wall_index.h"
#include "navmesh_groups.h"

/* Of its convex hull's area: what fills less has a nook in which somebody who walks straight on is caught. */
static const double FILLED = 0.85;

/* Of the radius, on both sides of a gap: corners of the shrunk space reach so far out at most (navmesh_space.c). */
static const double GAP = 1.2;

/* m: doors end in what is no farther from them. */
static const double DOOR_END = 0.05;

enum { STEPS_ASIDE = 8 };

/* --- which rings --- */

static const throng_point *ring_of(const throng_map *map, int32_t ring, int32_t *count)
{
    *count = map->ring_start[ring + 1] - map->ring_start[ring];
    return map->points + map->ring_start[ring];
}

static bool is_wider(const throng_point *points, int32_t count, double than)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = i + 1; k < count; k++)
            if (throng_distance(points[i], points[k]) > than * (1 + 1e-9))
                return true;
    return false;
}

static int compare(const void *a, const void *b)
{
    return throng_compare_points(*(const throng_point *)a, *(const throng_point *)b);
}

/* Twice what lies between the chain of points that turn left and the line from its first to its last (Andrew's
 * monotone chain). `chain` has room for all. */
static double chain_area(const throng_point *sorted, int32_t count, int step, throng_point *chain)
{
    int32_t size = 0;
    double twice = 0;
    for (int32_t i = 0; i < count; i++) {
        throng_point p = sorted[step > 0 ? i : count - 1 - i];
        while (size >= 2 && throng_turn(chain[size - 2], chain[size - 1], p) <= 0)
            size--;
        chain[size++] = p;
    }
    for (int32_t i = 1; i + 1 < size; i++)
        twice += throng_turn(chain[0], chain[i], chain[i + 1]);
    return twice;
}

/* Does the ring fill its hull? `scratch` has room for twice its points. */
static bool is_filled(const throng_point *points, int32_t count, throng_point *scratch)
{
    memcpy(scratch, points, (size_t)count * sizeof *points);
    qsort(scratch, (size_t)count, sizeof *scratch, compare);
    double hull =
        0.5 * (chain_area(scratch, count, 1, scratch + count) + chain_area(scratch, count, -1, scratch + count));
    return -throng_ring_area(points, count) >= FILLED * hull;
}

static bool door_ends_at(const throng_map *map, double radius, const throng_point *points, int32_t count)
{
    for (int32_t d = 0; d < map->door_count; d++) {
        throng_point ends[] = {map->doors[d].a, map->doors[d].b};
        for (int i = 0; i < 2; i++) {
            bool at = throng_polygon_holds(points, count, ends[i]);
            for (int32_t k = 0; k < count && !at; k++)
                at = throng_segment_distance(points[k], points[(k + 1) % count], ends[i]) <= radius + DOOR_END;
            if (at)
                return true;
        }
    }
    return false;
}

/* Is there a court in it? */
static bool holds_ring(const throng_map *map, const int32_t *outer, const throng_point *points, int32_t count)
{
    for (int32_t r = 0; r < map->ring_count; r++)
        if (outer[r] == r && throng_polygon_holds(points, count, map->points[map->ring_start[r]]))
            return true;
    return false;
}

static bool find(const throng_map *map, double radius, const int32_t *group, const int32_t *outer, uint8_t *pillar)
{
    int32_t *size = calloc((size_t)map->ring_count + 1, sizeof *size);
    throng_point *scratch = malloc((2 * (size_t)map->point_count + 1) * sizeof *scratch);
    for (int32_t r = 0; size && r < map->ring_count; r++)
        size[group[r]]++;
    for (int32_t r = 0; size && scratch && r < map->ring_count; r++) {
        int32_t count;
        const throng_point *points = ring_of(map, r, &count);
        pillar[r] = outer[r] != r && size[group[r]] == 1 && !is_wider(points, count, map->pillars) &&
                    is_filled(points, count, scratch) && !holds_ring(map, outer, points, count) &&
                    !door_ends_at(map, radius, points, count);
    }
    free(size);
    free(scratch);
    return size && scratch;
}

bool throng_navmesh_find_pillars(const throng_map *map, double radius, uint8_t *pillar)
{
    size_t rings = (size_t)map->ring_count + 1;
    memset(pillar, 0, rings - 1);
    if (!(map->pillars > 0))
        return true;
    int32_t *group = malloc(rings * sizeof *group), *outer = malloc(rings * sizeof *outer);
    bool fine = group && outer &&
                throng_navmesh_group_rings(map, 2 * GAP * (radius + THRONG_NAVMESH_SLACK), group, outer) &&
                find(map, radius, group, outer, pillar);
    free(group);
    free(outer);
    return fine;
}

/* --- parting --- */

static bool add_ring(const throng_map *map, int32_t ring, throng_ring_list *to)
{
    int32_t count;
    const throng_point *points = ring_of(map, ring, &count);
    bool fine = throng_ring_list_begin(to);
    for (int32_t i = 0; fine && i < count; i++)
        fine = throng_ring_list_add(to, points[i]);
    return fine;
}

static throng_map *map_of(const throng_map *map, const uint8_t *pillar, bool pillars)
{
    throng_ring_list rings = {0};
    bool fine = true;
    for (int32_t r = 0; fine && r < map->ring_count; r++)
        if (pillar[r] == pillars)
            fine = add_ring(map, r, &rings);
    throng_map *made = fine ? throng_map_from_ring_list(map->name, pillars || map->open, &rings, NULL) : NULL;
    throng_ring_list_fini(&rings);
    if (made)
        made->pillars = map->pillars;
    return made;
}

bool throng_navmesh_part_pillars(const throng_map *map, double radius, throng_map **bare, throng_map **pillars,
                                 throng_error *error)
{
    uint8_t *pillar = calloc((size_t)map->ring_count + 1, 1);
    bool fine = pillar && throng_navmesh_find_pillars(map, radius, pillar);
    *bare = *pillars = NULL;
    if (fine && memchr(pillar, 1, (size_t)map->ring_count)) {
        *bare = map_of(map, pillar, false);
        *pillars = map_of(map, pillar, true);
        fine = *bare && *pillars;
    }
    free(pillar);
    if (fine && *bare)
        (*bare)->bounds = map->bounds; /* an open map's mesh is as large */
    if (fine)
        return true;
    throng_map_destroy(*bare);
    throng_map_destroy(*pillars);
    *bare = *pillars = NULL;
    return throng_fail(error, "%s: out of memory for its pillars", map->name);
}

/* --- points and lines --- */

/* The point of the pillars' sides that is nearest; false when none is within reach. */
static bool nearest_side(const throng_map *pillars, throng_point p, double reach, throng_point *on)
{
    const throng_wall_index *g = pillars->walls;
    double least = reach;
    bool found = false;
    int32_t c0 = throng_cell_of(p.x - reach, g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(p.x + reach, g->origin_x, g->cell, g->columns);
    int32_t r0 = throng_cell_of(p.y - reach, g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(p.y + reach, g->origin_y, g->cell, g->rows);
    for (int32_t r = r0; r <= r1; r++)
        for (int32_t k = g->start[r * g->columns + c0]; k < g->start[r * g->columns + c1 + 1]; k++) {
            int32_t i = g->list[k];
            throng_point at = throng_nearest_on(pillars->points[i], pillars->points[g->next[i]], p);
            double distance = throng_distance(at, p);
            if (distance < least) {
                least = distance;
                *on = at;
                found = true;
            }
        }
    return found;
}

bool throng_navmesh_beside_pillar(const throng_navmesh *mesh, throng_point *p)
{
    double away = mesh->radius + THRONG_NAVMESH_SLACK;
    for (int i = 0; i < STEPS_ASIDE && throng_navmesh_in_pillar(mesh, *p); i++) {
        throng_point on;
        bool inside = !throng_map_fits(mesh->pillars, *p, 0);
        if (!nearest_side(mesh->pillars, *p, mesh->radius + mesh->pillars->pillars, &on))
            return false;
        double distance = throng_distance(on, *p), by = inside ? -away : away;
        if (distance > 0)
            *p = (throng_point){on.x + by * (p->x - on.x) / distance, on.y + by * (p->y - on.y) / distance};
        else
            *p = (throng_point){p->x + away, p->y};
    }
    return !throng_navmesh_in_pillar(mesh, *p);
}

static bool sides_meet(throng_point a, throng_point b, throng_point c, throng_point d)
{
    double s = throng_turn(a, b, c), t = throng_turn(a, b, d), u = throng_turn(c, d, a), v = throng_turn(c, d, b);
    return ((s > 0 && t < 0) || (s < 0 && t > 0)) && ((u > 0 && v < 0) || (u < 0 && v > 0));
}

static bool side_is_near(const throng_map *pillars, int32_t i, throng_point from, throng_point to, double reach)
{
    throng_point a = pillars->points[i], b = pillars->points[pillars->walls->next[i]];
    return throng_segment_distance(from, to, a) < reach || throng_segment_distance(a, b, from) < reach ||
           throng_segment_distance(a, b, to) < reach || sides_meet(from, to, a, b);
}

bool throng_navmesh_passes_pillars(const throng_navmesh *mesh, throng_point from, throng_point to)
{
    const throng_map *pillars = mesh->pillars;
    if (!pillars)
        return true;
    const throng_wall_index *g = pillars->walls;
    double reach = mesh->radius, low = fmin(from.y, to.y), high = fmax(from.y, to.y);
    int32_t r0 = throng_cell_of(low - reach, g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(high + reach, g->origin_y, g->cell, g->rows);
    for (int32_t r = r0; r <= r1; r++) {
        /* the part of the line that is within reach of the row */
        double y0 = fmax(g->origin_y + r * g->cell - reach, low),
               y1 = fmin(g->origin_y + (r + 1) * g->cell + reach, high);
        bool level = high - low < 1e-9;
        double t0 = level ? 0 : (y0 - from.y) / (to.y - from.y), t1 = level ? 1 : (y1 - from.y) / (to.y - from.y);
        double x0 = throng_between(from, to, t0).x, x1 = throng_between(from, to, t1).x;
        int32_t c0 = throng_cell_of(fmin(x0, x1) - reach, g->origin_x, g->cell, g->columns);
        int32_t c1 = throng_cell_of(fmax(x0, x1) + reach, g->origin_x, g->cell, g->columns);
        for (int32_t k = g->start[r * g->columns + c0]; k < g->start[r * g->columns + c1 + 1]; k++)
            if (side_is_near(pillars, g->list[k], from, to, reach))
                return false;
    }
    return true;
}
