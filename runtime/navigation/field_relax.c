#include "field_relax.h"
#include "kernels/routing/field_directions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"

enum { LEVELS_MAX = 24, COARSEST = 32 /* cells */, SWEEPS = 2, COARSEST_SWEEPS = 20 };

#define ROUGH 0.05 /* left sides above this are settled cell by cell before a step */

/* The equations on one level. Node n is the goal, where d is 0. */
typedef struct level {
    int32_t n, edges;
    int32_t *x, *y;     /* [n] block */
    int32_t *start;     /* [n + 1] */
    int32_t *to;        /* [edges] */
    float *w, *back;    /* [edges] weight in the equation of this end, and of the other */
    float *mixing;      /* [edges] coarser levels: that of the edges between two aggregates */
    float (*inside)[2]; /* [n + 1] coarser levels: mixing through an aggregate, across and up */
    float *over_sum;    /* [n] 1 / sum of w */
    float *share;       /* [n + 1] of a node's equation in its aggregate's */
    float *f;           /* [n] right side */
    float *d;           /* [n + 1] */
    int32_t *parent;    /* [n + 1] aggregate: a node of the next level */
    int32_t *over;      /* [edges] edge of the next level; -1: within an aggregate. On the coarsest 0 */
} level;

typedef struct hierarchy {
    level level[LEVELS_MAX];
    int levels;
    double *sum; /* [n + 1] */
    bool rough;
} hierarchy;

/* --- building ---------------------------------------------------------------------------------- */

static int32_t *copy(const int32_t *from, int32_t count)
{
    int32_t *to = malloc(((size_t)count + 1) * 4);
    return to ? memcpy(to, from, (size_t)count * 4) : NULL;
}

static bool allocate_graph(level *l, int32_t edges)
{
    size_t n = (size_t)l->n + 1;
    return (l->x = malloc(n * 4)) && (l->y = malloc(n * 4)) && (l->start = malloc(n * 4)) &&
           (l->to = malloc(((size_t)edges + 1) * 4));
}

static bool allocate(level *l)
{
    size_t n = (size_t)l->n + 1, edges = (size_t)l->edges + 1;
    return (l->w = malloc(edges * 4)) && (l->back = malloc(edges * 4)) && (l->over = calloc(edges, 4)) &&
           (l->over_sum = malloc(n * 4)) && (l->share = malloc(n * 4)) && (l->f = malloc(n * 4)) &&
           (l->d = calloc(n, 4)) && (l->parent = malloc(n * 4));
}

static void free_level(level *l)
{
    void *blocks[] = {l->x,      l->y,        l->start, l->to, l->w, l->back,   l->mixing,
                      l->inside, l->over_sum, l->share, l->f,  l->d, l->parent, l->over};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
}

static bool same_block(const level *l, int32_t a, int32_t b)
{
    return l->x[a] >> 1 == l->x[b] >> 1 && l->y[a] >> 1 == l->y[b] >> 1;
}

/* Numbers the aggregates in order of their first nodes; `member` gets all nodes, one aggregate after the other. */
static int32_t aggregate(level *l, int32_t *member)
{
    int32_t count = 0, end = 0;
    memset(l->parent, -1, ((size_t)l->n + 1) * 4);
    for (int32_t k = 0; k < l->n && !throng_given_up_at(k); k++) {
        if (l->parent[k] >= 0)
            continue;
        int32_t begin = end;
        l->parent[k] = count;
        for (member[end++] = k; begin < end; begin++)
            for (int32_t i = member[begin], e = l->start[i]; e < l->start[i + 1]; e++) {
                int32_t b = l->to[e];
                if (b == l->n || l->parent[b] >= 0 || !same_block(l, b, k))
                    continue;
                l->parent[b] = count;
                member[end++] = b;
            }
        count++;
    }
    return l->parent[l->n] = count;
}

/* The edges between aggregates. `last`: [next->n + 1] room for the last edge to an aggregate. */
static void connect(level *l, level *next, const int32_t *member, int32_t *last)
{
    memset(last, -1, ((size_t)next->n + 1) * 4);
    for (int32_t m = 0, at = -1; m < l->n && !throng_given_up_at(m); m++) {
        int32_t k = member[m], own = l->parent[k];
        if (own != at) {
            at = own;
            next->start[at] = next->edges;
            next->x[at] = l->x[k] >> 1;
            next->y[at] = l->y[k] >> 1;
        }
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++) {
            int32_t other = l->parent[l->to[e]];
            if (other != own && last[other] < next->start[own]) {
                last[other] = next->edges;
                next->to[next->edges++] = other;
            }
            l->over[e] = other == own ? -1 : last[other];
        }
    }
    next->start[next->n] = next->edges;
}

static bool coarsen(level *l, level *next)
{
    int32_t *member = malloc(((size_t)l->n + 1) * 4), *last = malloc(((size_t)l->n + 1) * 4);
    bool ok = member && last;
    if (ok) {
        next->n = aggregate(l, member);
        ok = !throng_given_up() && allocate_graph(next, l->edges);
    }
    if (ok) {
        connect(l, next, member, last);
        ok = !throng_given_up() && allocate(next) && (next->mixing = malloc(((size_t)next->edges + 1) * 4)) &&
             (next->inside = malloc(((size_t)next->n + 1) * sizeof *next->inside));
    }
    free(member);
    free(last);
    return ok;
}

static bool build(hierarchy *h, const throng_field_graph *g)
{
    level *l = h->level;
    h->rough = true;
    h->levels = 1;
    l->n = g->n;
    l->edges = g->start[g->n];
    if (!(h->sum = malloc(((size_t)l->n + 1) * sizeof *h->sum)) || !(l->x = copy(g->x, l->n)) ||
        !(l->y = copy(g->y, l->n)) || !(l->start = copy(g->start, l->n + 1)) || !(l->to = copy(g->beside, l->edges)) ||
        !allocate(l))
        return false;
    for (; l->n > COARSEST && h->levels < LEVELS_MAX; l++) {
        h->levels++;
        if (!coarsen(l, l + 1))
            return false;
    }
    return true;
}

/* To 2e-3, and ever nearer where x is near 1. */
static double logarithm(double x)
{
    int power = 0;
    double m = x > 0.5 && x < 2 ? x : frexp(x, &power) * M_SQRT2; /* then 0.7 .. 1.4 */
    double z = (m - 1) / (m + 1), square = z * z;
    double near = 2 * z * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7)));
    return m == x ? near : near + (power - 0.5) * M_LN2;
}

/* --- weights ------------------------------------------------------------------------------------ */

/* Makes the left side of a cell's equation 0. */
static void settle_cell(const level *l, double *u, int32_t k)
{
    double sum = 0;
    for (int32_t e = l->start[k]; e < l->start[k + 1]; e++)
        sum += 0.25 * field_exp(u[l->to[e]] - u[k]);
    u[k] += logarithm(sum);
}

static void settle(const level *l, double *u)
{
    for (int32_t k = 0; k < l->n && !throng_given_up_at(k); k++)
        settle_cell(l, u, k);
    for (int32_t k = l->n - 1; k >= 0 && !throng_given_up_at(k); k--)
        settle_cell(l, u, k);
}

/* The equations of a step on the finest level; the largest right side. */
static double weigh(level *l, const double *u, double *sum)
{
    double largest = 0;
    for (int32_t k = 0; k < l->n && !throng_given_up_at(k); k++) {
        sum[k] = 0;
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++) {
            double w = 0.25 * field_exp(u[l->to[e]] - u[k]);
            sum[k] += w;
            l->w[e] = (float)w;
        }
        double f = logarithm(sum[k]);
        l->f[k] = (float)f;
        largest = fmax(largest, fabs(f));
    }
    sum[l->n] = 1;
    for (int32_t k = 0; k < l->n && !throng_given_up_at(k); k++)
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++) {
            l->back[e] = (float)(0.0625 / (l->w[e] * sum[l->to[e]]));
            l->w[e] = (float)(l->w[e] / sum[k]);
        }
    return largest;
}

/* Shares, those that depend on others in the aggregate after these: mostly, nodes depend on earlier ones. */
static void share_out(level *l)
{
    for (int32_t k = 0; k <= l->n; k++)
        l->share[k] = 1;
    for (int32_t k = l->n - 1; k >= 0 && !throng_given_up_at(k); k--) {
        float to = 0, from = 0;
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++) {
            to += l->w[e];
            from += l->over[e] < 0 ? l->share[l->to[e]] * l->back[e] : l->back[e];
        }
        l->over_sum[k] = 1 / to;
        l->share[k] = from / to;
    }
}

/* Drift and mixing between aggregates, and mixing inside. */
static void gather(const level *l, level *next)
{
    memset(next->w, 0, (size_t)next->edges * 4);
    memset(next->back, 0, (size_t)next->edges * 4);
    memset(next->mixing, 0, (size_t)next->edges * 4);
    memset(next->inside, 0, (size_t)(next->n + 1) * sizeof *next->inside);
    for (int32_t k = 0; k < l->n && !throng_given_up_at(k); k++)
        for (int32_t e = l->start[k]; e < l->start[k + 1]; e++) {
            int32_t o = l->over[e], b = l->to[e];
            float w = l->share[k] * l->w[e], back = l->share[b] * l->back[e], mixing = w < back ? w : back;
            if (o < 0) {
                next->inside[l->parent[k]][l->x[k] == l->x[b]] += 0.5f * mixing;
                continue;
            }
            next->w[o] += w - mixing;
            next->back[o] += back - mixing;
            next->mixing[o] += mixing;
        }
}

/* The resistance of half an aggregate. */
static float half_way(const level *l, int32_t k, int axis)
{
    return l->inside[k][axis] > 0 ? 0.5f / l->inside[k][axis] : 0;
}

static void weigh_next(level *l, level *next)
{
    share_out(l);
    gather(l, next);
    for (int32_t k = 0; k < next->n && !throng_given_up_at(k); k++)
        for (int32_t e = next->start[k]; e < next->start[k + 1]; e++) {
            int32_t b = next->to[e];
            int axis = b == next->n ? next->inside[k][0] < next->inside[k][1] : next->x[k] == next->x[b];
            float mixing = 1 / (1 / next->mixing[e] + half_way(next, k, axis) + half_way(next, b, axis));
            next->w[e] += mixing;
            next->back[e] += mixing;
        }
}

/* --- steps -------------------------------------------------------------------------------------- */

static float inflow(const level *l, int32_t k)
{
    float sum = l->f[k];
    for (int32_t e = l->start[k]; e < l->start[k + 1]; e++)
        sum += l->w[e] * l->d[l->to[e]];
    return sum;
}

static void sweep(level *l)
{
    for (int32_t k = 0; k < l->n; k++)
        l->d[k] = inflow(l, k) * l->over_sum[k];
}

static void sweep_back(level *l)
{
    for (int32_t k = l->n - 1; k >= 0; k--)
        l->d[k] = inflow(l, k) * l->over_sum[k];
}

static void restrict_rest(const level *l, level *next)
{
    memset(next->f, 0, (size_t)next->n * 4);
    for (int32_t k = 0; k < l->n; k++)
        next->f[l->parent[k]] += l->share[k] * (inflow(l, k) - l->d[k] / l->over_sum[k]);
}

static void cycle(level *l, int levels)
{
    if (levels == 1) {
        for (int s = 0; s < COARSEST_SWEEPS; s++) {
            sweep(l);
            sweep_back(l);
        }
        return;
    }
    level *next = l + 1;
    for (int s = 0; s < SWEEPS && !throng_given_up(); s++)
        sweep(l);
    if (throng_given_up())
        return;
    restrict_rest(l, next);
    memset(next->d, 0, (size_t)next->n * 4);
    cycle(next, levels - 1);
    cycle(next, levels - 1);
    for (int32_t k = 0; k < l->n; k++)
        l->d[k] += next->d[l->parent[k]];
    for (int s = 0; s < SWEEPS && !throng_given_up(); s++)
        sweep(l);
}

/* A step of Newton's method; the largest change. What it leaves when it was given up is of no use. */
static double step(hierarchy *h, double *u)
{
    level *l = h->level;
    double largest = 0;
    if (h->rough)
        settle(l, u);
    h->rough = weigh(l, u, h->sum) > ROUGH;
    for (int i = 1; i < h->levels; i++)
        weigh_next(&h->level[i - 1], &h->level[i]);
    share_out(&h->level[h->levels - 1]);
    memset(l->d, 0, (size_t)l->n * 4);
    cycle(l, h->levels);
    for (int32_t k = 0; k < l->n; k++) {
        u[k] += l->d[k];
        largest = fmax(largest, fabs(l->d[k]));
    }
    return largest;
}

bool throng_field_relax(const throng_field_graph *g, double *u, int32_t cycles, double tolerance, int32_t *done,
                        double *change)
{
    hierarchy h = {0};
    bool ok = build(&h, g);
    *change = cycles && g->n ? INFINITY : 0;
    for (*done = 0; ok && *done<cycles && * change> tolerance; ++*done) {
        *change = step(&h, u);
        ok = !throng_given_up();
    }
    for (int i = 0; i < h.levels; i++)
        free_level(&h.level[i]);
    free(h.sum);
    return ok;
}
