#include "navmesh_groups.h"

#include <stdlib.h>

#include "base/watchdog.h"
#include "map/geometry.h"
#include "map/ring_list.h"
#include "map/wall_index.h"

typedef struct grouping {
    const throng_map *map;
    int32_t *ring; /* [point_count] that it is of */
    int32_t *group, *outer;
} grouping;

/* Chains of groups lead to the first ring; they are kept short. */
static int32_t first_of(int32_t *group, int32_t ring)
{
    while (group[ring] != ring)
        ring = group[ring] = group[group[ring]];
    return ring;
}

static void unite(int32_t *group, int32_t a, int32_t b)
{
    a = first_of(group, a);
    b = first_of(group, b);
    group[a > b ? a : b] = a > b ? b : a;
}

static double walls_distance(const throng_map *map, int32_t i, int32_t j)
{
    throng_point a = map->points[i], b = map->points[map->walls->next[i]];
    throng_point c = map->points[j], d = map->points[map->walls->next[j]];
    return fmin(fmin(throng_segment_distance(a, b, c), throng_segment_distance(a, b, d)),
                fmin(throng_segment_distance(c, d, a), throng_segment_distance(c, d, b)));
}

/* Unites the wall's ring with those of later walls near it. */
static void unite_near(grouping *g, int32_t i, double reach)
{
    const throng_wall_index *w = g->map->walls;
    throng_point a = g->map->points[i], b = g->map->points[w->next[i]];
    int32_t c0 = throng_cell_of(fmin(a.x, b.x) - reach, w->origin_x, w->cell, w->columns);
    int32_t c1 = throng_cell_of(fmax(a.x, b.x) + reach, w->origin_x, w->cell, w->columns);
    int32_t r0 = throng_cell_of(fmin(a.y, b.y) - reach, w->origin_y, w->cell, w->rows);
    int32_t r1 = throng_cell_of(fmax(a.y, b.y) + reach, w->origin_y, w->cell, w->rows);
    for (int32_t row = r0; row <= r1; row++)
        for (int32_t k = w->start[row * w->columns + c0]; k < w->start[row * w->columns + c1 + 1]; k++) {
            int32_t j = w->list[k], mine = g->ring[i], other = g->ring[j];
            if (j > i && other != mine && g->outer[other] == g->outer[mine] &&
                first_of(g->group, other) != first_of(g->group, mine) && walls_distance(g->map, i, j) < reach)
                unite(g->group, mine, other);
        }
}

bool throng_navmesh_group_rings(const throng_map *map, double reach, int32_t *group, int32_t *outer)
{
    grouping g = {map, malloc(((size_t)map->point_count + 1) * sizeof *g.ring), group, outer};
    if (!g.ring)
        return false;
    int32_t piece = -1;
    for (int32_t r = 0; r < map->ring_count; r++) {
        int32_t start = map->ring_start[r], end = map->ring_start[r + 1];
        piece = throng_ring_area(map->points + start, end - start) > 0 ? r : piece;
        group[r] = r;
        outer[r] = piece;
        for (int32_t i = start; i < end; i++)
            g.ring[i] = r;
    }
    for (int32_t i = 0; i < map->point_count && !throng_given_up(); i++)
        unite_near(&g, i, reach);
    for (int32_t r = 0; r < map->ring_count; r++)
        group[r] = first_of(group, r);
    free(g.ring);
    return !throng_given_up();
}
