#include "map_crossings.h"

#include <stdlib.h>
#include <string.h>

#include "geometry.h"
#include "wall_index.h"

static bool on_segment(throng_point a, throng_point b, throng_point p)
{
    return throng_turn(a, b, p) == 0 && fmin(a.x, b.x) <= p.x && p.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= p.y &&
           p.y <= fmax(a.y, b.y);
}

static bool segments_meet(throng_point a, throng_point b, throng_point c, throng_point d)
{
    double c_side = throng_turn(a, b, c), d_side = throng_turn(a, b, d);
    double a_side = throng_turn(c, d, a), b_side = throng_turn(c, d, b);
    if (((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) &&
        ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0)))
        return true;
    return on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b);
}

/* Neighbours in a ring share a corner; they meet elsewhere when they fold back onto each other. */
static bool fold(throng_point before, throng_point corner, throng_point after)
{
    double along = (before.x - corner.x) * (after.x - corner.x) + (before.y - corner.y) * (after.y - corner.y);
    return throng_turn(before, corner, after) == 0 && along > 0;
}

static bool meet(const throng_map *map, int32_t i, int32_t j)
{
    const int32_t *next = map->walls->next;
    const throng_point *p = map->points;
    if (next[i] == j)
        return fold(p[i], p[j], p[next[j]]);
    if (next[j] == i)
        return fold(p[j], p[i], p[next[i]]);
    return segments_meet(p[i], p[next[i]], p[j], p[next[j]]);
}

static void compare_cell(const throng_map *map, int32_t cell, uint8_t *crossing, int32_t *count)
{
    const throng_wall_index *g = map->walls;
    for (int32_t a = g->start[cell]; a < g->start[cell + 1]; a++)
        for (int32_t b = a + 1; b < g->start[cell + 1]; b++)
            if (meet(map, g->list[a], g->list[b])) {
                crossing[g->list[a]] = crossing[g->list[b]] = 1;
                ++*count;
            }
}

bool throng_map_crossings(throng_ring_list *rings, uint8_t *crossing, int32_t *count)
{
    throng_map *map = throng_map_from_ring_list("", false, rings, NULL);
    if (!map)
        return false;
    *count = 0;
    memset(crossing, 0, (size_t)map->point_count);
    for (int32_t cell = 0; cell < map->walls->columns * map->walls->rows; cell++)
        compare_cell(map, cell, crossing, count);
    throng_map_destroy(map);
    return true;
}

/* ---- an outline with itself */

enum { MOST_PAIRS = 100000000 }; /* of sides that are looked at: 1 s */

typedef struct side {
    double x0, x1; /* m */
    throng_point a, b;
} side;

static int by_x(const void *a, const void *b)
{
    const side *p = a, *q = b;
    return (p->x0 > q->x0) - (p->x0 < q->x0);
}

static bool sides_cross(const side *p, const side *q)
{
    return throng_turn(p->a, p->b, q->a) * throng_turn(p->a, p->b, q->b) < 0 &&
           throng_turn(q->a, q->b, p->a) * throng_turn(q->a, q->b, p->b) < 0;
}

int32_t throng_ring_crossings(const throng_point *points, int32_t count, int32_t most)
{
    int32_t found = 0, pairs = 0;
    side *sides = malloc((size_t)count * sizeof *sides);
    if (!sides)
        return -1;
    for (int32_t i = 0; i < count; i++) {
        throng_point a = points[i], b = points[(i + 1) % count];
        sides[i] = (side){fmin(a.x, b.x), fmax(a.x, b.x), a, b};
    }
    qsort(sides, (size_t)count, sizeof *sides, by_x);
    bool on = true;
    for (int32_t i = 0; on && i < count; i++)
        for (int32_t k = i + 1; on && k < count && sides[k].x0 <= sides[i].x1; k++) {
            found += sides_cross(&sides[i], &sides[k]);
            on = found <= most && ++pairs < MOST_PAIRS;
        }
    free(sides);
    return found;
}
