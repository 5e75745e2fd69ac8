#include "place_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* --- bodies ------------------------------------------------------------------------------------------ */

static throng_occupant occupant_of(const throng_placed *p)
{
    return (throng_occupant){{(double)p->x, (double)p->y}, {(double)p->arm_x, (double)p->arm_y}, (double)p->radius};
}

static bool is_disc(const throng_occupant *f) { return f->arm.x == 0 && f->arm.y == 0; }

static throng_point end_of(const throng_occupant *f, double side)
{
    return (throng_point){f->at.x + side * f->arm.x, f->at.y + side * f->arm.y};
}

/* The square of how far the segments of two are apart; 0: they cross. m^2 */
static double apart_squared(const throng_occupant *a, const throng_occupant *b)
{
    if (is_disc(a) && is_disc(b)) {
        double dx = b->at.x - a->at.x, dy = b->at.y - a->at.y;
        return dx * dx + dy * dy;
    }
    throng_point p = end_of(a, -1), q = end_of(a, 1), r = end_of(b, -1), s = end_of(b, 1);
    if (throng_turn(p, q, r) * throng_turn(p, q, s) < 0 && throng_turn(r, s, p) * throng_turn(r, s, q) < 0)
        return 0;
    double least = fmin(fmin(throng_segment_distance(p, q, r), throng_segment_distance(p, q, s)),
                        fmin(throng_segment_distance(r, s, p), throng_segment_distance(r, s, q)));
    return least * least;
}

double throng_occupant_reach(const throng_occupant *f) { return f->radius + hypot(f->arm.x, f->arm.y); }

/* --- cells ------------------------------------------------------------------------------------------ */

/* Along one axis; all that is far out is in the same one. */
static int64_t cell_at(const throng_place_grid *g, double x)
{
    return (int64_t)fmax(-1e15, fmin(1e15, floor(x / g->cell)));
}

static uint32_t *bucket_of(const throng_place_grid *g, int64_t column, int64_t row)
{
    uint64_t mixed = ((uint64_t)row * 0x9E3779B97F4A7C15u + (uint64_t)column) * 0xD6E8FEB86659FD93u;
    return &g->head[(mixed >> 32) & (uint64_t)(g->buckets - 1)];
}

static uint32_t *bucket_of_placed(const throng_place_grid *g, int32_t i)
{
    return bucket_of(g, cell_at(g, (double)g->list[i].x), cell_at(g, (double)g->list[i].y));
}

/* The latest is the first of its bucket: those before it can be had back by leaving it out. */
static void link_placed(throng_place_grid *g, int32_t i)
{
    uint32_t *head = bucket_of_placed(g, i);
    g->before[i] = (int32_t)*head;
    *head = (uint32_t)i + 1;
}

bool throng_place_grid_reserve(throng_place_grid *g, double largest, int32_t count)
{
    enum { BUCKETS_LEAST = 64 };
    g->largest = largest;
    if (!throng_array_reserve((void **)&g->list, &g->list_room, count, sizeof *g->list) ||
        !throng_array_reserve((void **)&g->before, &g->before_room, count, sizeof *g->before))
        return false;
    bool cell_fits = g->cell >= 2 * largest && g->cell <= 16 * largest;
    if (g->head && cell_fits && g->buckets >= count)
        return true;
    int32_t buckets = BUCKETS_LEAST;
    while (buckets < 2 * (int64_t)count && buckets < 1 << 30)
        buckets *= 2;
    uint32_t *head = calloc((size_t)buckets, sizeof *head);
    if (!head)
        return false;
    free(g->head);
    g->head = head;
    g->buckets = buckets;
    if (!cell_fits)
        g->cell = 2 * largest;
    for (int32_t i = 0; i < g->count; i++)
        link_placed(g, i);
    return true;
}

void throng_place_grid_free_all(throng_place_grid *g)
{
    free(g->head);
    free(g->before);
    free(g->list);
    *g = (throng_place_grid){0};
}

void throng_place_grid_add(throng_place_grid *g, const throng_occupant *f)
{
    g->list[g->count] =
        (throng_placed){(float)f->at.x, (float)f->at.y, (float)f->arm.x, (float)f->arm.y, (float)f->radius};
    link_placed(g, g->count++);
}

void throng_place_grid_shrink(throng_place_grid *g, int32_t count)
{
    if (count == 0 && g->head)
        memset(g->head, 0, (size_t)g->buckets * sizeof *g->head);
    for (; g->count > count && count > 0; g->count--)
        *bucket_of_placed(g, g->count - 1) = (uint32_t)g->before[g->count - 1];
    g->count = count;
}

bool throng_place_grid_free(const throng_place_grid *g, const throng_occupant *f)
{
    throng_point p = f->at;
    double reach = (throng_occupant_reach(f) + g->largest) * 1.0001 + 1e-5;
    for (int64_t r = cell_at(g, p.y - reach); r <= cell_at(g, p.y + reach); r++)
        for (int64_t c = cell_at(g, p.x - reach); c <= cell_at(g, p.x + reach); c++)
            for (uint32_t i = *bucket_of(g, c, r); i; i = (uint32_t)g->before[i - 1]) {
                throng_occupant other = occupant_of(&g->list[i - 1]);
                double apart = (f->radius + other.radius) * 1.0001 + 1e-5;
                if (apart_squared(&other, f) < apart * apart)
                    return false;
            }
    return true;
}
