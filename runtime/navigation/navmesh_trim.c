#include "navmesh_trim.h"

#include <stdlib.h>

#include "map/geometry.h"
#include "map/ring_list.h"
#include "map/wall_index.h"

enum { MOST_ROUNDS = 16 };

typedef struct trim {
    const throng_map *map;
    int32_t *next, *previous; /* [point_count] the corners left, ring by ring */
    uint8_t *gone;
    double *cut;    /* [point_count] m: depth taken off so far between this corner and the next */
    int32_t *sizes; /* [ring_count] corners left */
    double depth;
} trim;

static bool in_triangle(throng_point a, throng_point b, throng_point c, throng_point p)
{
    return throng_turn(a, b, p) >= 0 && throng_turn(b, c, p) >= 0 && throng_turn(c, a, p) >= 0;
}

/* True when no other corner lies in the triangle, so that what is cut off is free and nobody else's. */
static bool is_empty(const trim *t, int32_t a, int32_t b, int32_t c)
{
    const throng_wall_index *g = t->map->walls;
    throng_point p = t->map->points[a], q = t->map->points[b], r = t->map->points[c];
    int32_t c0 = throng_cell_of(fmin(fmin(p.x, q.x), r.x) - 1e-6, g->origin_x, g->cell, g->columns);
    int32_t c1 = throng_cell_of(fmax(fmax(p.x, q.x), r.x) + 1e-6, g->origin_x, g->cell, g->columns);
    int32_t r0 = throng_cell_of(fmin(fmin(p.y, q.y), r.y) - 1e-6, g->origin_y, g->cell, g->rows);
    int32_t r1 = throng_cell_of(fmax(fmax(p.y, q.y), r.y) + 1e-6, g->origin_y, g->cell, g->rows);
    for (int32_t row = r0; row <= r1; row++)
        for (int32_t k = g->start[row * g->columns + c0]; k < g->start[row * g->columns + c1 + 1]; k++) {
            int32_t i = g->list[k];
            if (!t->gone[i] && i != a && i != b && i != c && in_triangle(p, q, r, t->map->points[i]))
                return false;
        }
    return true;
}

static bool cut_corner(trim *t, int32_t i)
{
    int32_t a = t->previous[i], c = t->next[i];
    throng_point p = t->map->points[a], q = t->map->points[i], r = t->map->points[c];
    double turn = throng_turn(p, q, r);
    double depth = throng_segment_distance(p, r, q) + fmax(t->cut[a], t->cut[i]);
    if (turn <= 0 || depth > t->depth || !is_empty(t, a, i, c))
        return false;
    t->next[a] = c;
    t->previous[c] = a;
    t->cut[a] = depth;
    t->gone[i] = 1;
    return true;
}

static bool cut_round(trim *t)
{
    bool any = false;
    for (int32_t r = 0; r < t->map->ring_count; r++)
        for (int32_t i = t->map->ring_start[r]; i < t->map->ring_start[r + 1] && t->sizes[r] > 3; i++)
            if (!t->gone[i] && cut_corner(t, i)) {
                t->sizes[r]--;
                any = true;
            }
    return any;
}

static void link_corners(trim *t)
{
    for (int32_t r = 0; r < t->map->ring_count; r++)
        t->sizes[r] = t->map->ring_start[r + 1] - t->map->ring_start[r];
    for (int32_t i = 0; i < t->map->point_count; i++) {
        t->next[i] = t->map->walls->next[i];
        t->previous[t->next[i]] = i;
    }
}

static throng_map *corners_left(const trim *t)
{
    throng_ring_list rings = {0};
    bool fine = true;
    for (int32_t r = 0; r < t->map->ring_count; r++) {
        fine = fine && throng_ring_list_begin(&rings);
        for (int32_t i = t->map->ring_start[r]; i < t->map->ring_start[r + 1]; i++)
            if (!t->gone[i])
                fine = fine && throng_ring_list_add(&rings, t->map->points[i]);
    }
    throng_map *map = fine ? throng_map_from_ring_list(t->map->name, false, &rings, NULL) : NULL;
    throng_ring_list_fini(&rings);
    return map;
}

throng_map *throng_navmesh_trim(const throng_map *map, double depth)
{
    size_t points = (size_t)map->point_count + 1;
    trim t = {.map = map, .depth = depth};
    t.next = malloc(points * sizeof *t.next);
    t.previous = malloc(points * sizeof *t.previous);
    t.gone = calloc(points, 1);
    t.cut = calloc(points, sizeof *t.cut);
    t.sizes = malloc(((size_t)map->ring_count + 1) * sizeof *t.sizes);
    throng_map *trimmed = NULL;
    if (t.next && t.previous && t.gone && t.cut && t.sizes) {
        link_corners(&t);
        for (int round = 0; round < MOST_ROUNDS && cut_round(&t); round++)
            ;
        trimmed = corners_left(&t);
    }
    free(t.next);
    free(t.previous);
    free(t.gone);
    free(t.cut);
    free(t.sizes);
    return trimmed;
}
