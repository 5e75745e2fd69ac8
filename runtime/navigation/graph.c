#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watchdog.h"

/* The arrays are one block, which begins with the struct. */
static throng_graph *allocate(int32_t nodes, int32_t edges)
{
    size_t n = (size_t)nodes, e = (size_t)edges;
    return calloc(1, sizeof(throng_graph) + (5 * n + 2 + 4 * e) * 4);
}

static bool check_nodes(int32_t nodes, const float *x, const float *y, throng_error *error)
{
    if (nodes < 1)
        return throng_fail(error, "a graph needs at least one node, not %d", nodes);
    for (int32_t i = 0; i < nodes && !throng_given_up_at(i); i++)
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return throng_fail(error, "node %d: its position must be two finite numbers, not (%g, %g)", i, (double)x[i],
                               (double)y[i]);
    return true;
}

static bool check_edges(int32_t nodes, int32_t edges, const throng_graph_edge *edge, throng_error *error)
{
    for (int32_t e = 0; e < edges && !throng_given_up_at(e); e++) {
        if (edge[e].from < 0 || edge[e].from >= nodes || edge[e].to < 0 || edge[e].to >= nodes)
            return throng_fail(error, "edge %d: from %d to %d, but nodes are 0 .. %d", e, edge[e].from, edge[e].to,
                               nodes - 1);
        if (!(edge[e].cost >= 0))
            return throng_fail(error, "edge %d (%d to %d): its cost must be 0 or more, not %g", e, edge[e].from,
                               edge[e].to, (double)edge[e].cost);
    }
    return true;
}

/* Sorts open edges by their node `by_to`: counting sort, so their order stays. */
static void index_edges(int32_t nodes, int32_t edges, const throng_graph_edge *edge, bool by_to, int32_t *first,
                        int32_t *node, float *cost)
{
    for (int32_t e = 0; e < edges; e++)
        if (isfinite(edge[e].cost))
            first[by_to ? edge[e].to : edge[e].from]++;
    for (int32_t i = 0, sum = 0; i <= nodes; i++) {
        sum += first[i];
        first[i] = sum;
    }
    for (int32_t e = edges - 1; e >= 0 && !throng_given_up_at(e); e--) {
        if (!isfinite(edge[e].cost))
            continue;
        int32_t at = --first[by_to ? edge[e].to : edge[e].from];
        node[at] = by_to ? edge[e].from : edge[e].to;
        cost[at] = edge[e].cost;
    }
}

/* Rounded down, so that no bound is above a cost. */
static float at_most(double weight)
{
    float f = (float)weight;
    return (double)f > weight ? nextafterf(f, 0) : f;
}

static void edge_spans(const throng_graph *g, int32_t from, int32_t e, double *longer, double *shorter)
{
    double dx = fabs((double)g->x[from] - g->x[g->node[e]]), dy = fabs((double)g->y[from] - g->y[g->node[e]]);
    *longer = fmax(dx, dy);
    *shorter = fmin(dx, dy);
}

/* Such that bounds and what they are added to are exact. */
static bool has_whole_places(const throng_graph *g)
{
    for (int32_t n = 0; n < g->nodes; n++)
        if (floorf(g->x[n]) != g->x[n] || floorf(g->y[n]) != g->y[n] || fabsf(g->x[n]) + fabsf(g->y[n]) > 1 << 24)
            return false;
    return true;
}

/* The lowest bit that any cost has, if sums of them are exact. */
static void find_unit(throng_graph *g)
{
    double unit = INFINITY;
    for (int32_t e = 0; e < g->edges && !throng_given_up_at(e); e++) {
        int exponent;
        int32_t bits = (int32_t)ldexpf(frexpf(g->cost[e], &exponent), 24);
        g->most = fmaxf(g->most, g->cost[e]);
        if (bits)
            unit = fmin(unit, ldexp(bits & -bits, exponent - 24));
    }
    bool exact = !isfinite(unit) || g->nodes * (double)g->most < 0x1p50 * unit;
    g->unit = !exact ? 0 : isfinite(unit) ? unit : 1;
}

#define ROUNDED (1 - 0x1p-20) /* of bounds that are */

/* The largest weight for the longer span, and then the largest for the shorter, with which no edge costs less: exact on
 * grids. */
static void weigh_spans(throng_graph *g, double longer, double part)
{
    g->longer = isfinite(longer) ? at_most(part * longer) : 0;
    double l, s, shorter = g->longer;
    for (int32_t n = 0; n < g->nodes && !throng_given_up_at(n); n++)
        for (int32_t e = g->first[n]; e < g->first[n + 1]; e++) {
            edge_spans(g, n, e, &l, &s);
            shorter = s > 0 ? fmin(shorter, (g->cost[e] - g->longer * l) / s) : shorter;
        }
    g->shorter = at_most(part * fmax(shorter, 0));
}

/* What weights say on average over all directions. */
static double mean_bound(double longer, double shorter) { return 0.9003 * longer + 0.3729 * shorter; }

/* Weights with which no edge costs less; then no path does, since the weighted sum is a norm (shorter <= longer). Of
 * those for the spans, and those that stay below `ratio` times the distance in all directions, the ones that say more:
 * the former where edges lead along axes, the latter where they lead anywhere. A little less where bounds are rounded.
 * No bounds where costs are: a path that is summed with other roundings may come to less than they say. */
static void find_weights(throng_graph *g)
{
    if (g->unit == 0)
        return;
    double l, s, longer = INFINITY, ratio = INFINITY;
    for (int32_t n = 0; n < g->nodes && !throng_given_up_at(n); n++)
        for (int32_t e = g->first[n]; e < g->first[n + 1]; e++) {
            edge_spans(g, n, e, &l, &s);
            longer = l > 0 ? fmin(longer, g->cost[e] / l) : longer;
            ratio = l > 0 ? fmin(ratio, g->cost[e] / sqrt(l * l + s * s)) : ratio;
        }
    weigh_spans(g, longer, has_whole_places(g) ? 1 : ROUNDED);
    double even = 0.92387953 * ROUNDED * ratio, odd = 0.38268343 * ROUNDED * ratio; /* of pi / 8 */
    if (isfinite(ratio) && mean_bound(even, odd) > mean_bound((double)g->longer, (double)g->shorter)) {
        g->longer = at_most(even);
        g->shorter = at_most(odd);
    }
}

static int32_t root_of(int32_t *component, int32_t node)
{
    while (component[node] != node)
        node = component[node] = component[component[node]];
    return node;
}

/* Joins what edges join, whichever way they lead; a component's number is its first node. */
static void find_components(const throng_graph *g, int32_t *component)
{
    for (int32_t n = 0; n < g->nodes; n++)
        component[n] = n;
    for (int32_t n = 0; n < g->nodes && !throng_given_up_at(n); n++)
        for (int32_t e = g->first[n]; e < g->first[n + 1]; e++) {
            int32_t a = root_of(component, n), b = root_of(component, g->node[e]);
            component[a > b ? a : b] = a > b ? b : a;
        }
    for (int32_t n = 0; n < g->nodes; n++)
        component[n] = root_of(component, n);
}

throng_graph *throng_graph_create(int32_t nodes, const float *x, const float *y, int32_t edges,
                                  const throng_graph_edge *edge, throng_error *error)
{
    if (!check_nodes(nodes, x, y, error) || !check_edges(nodes, edges, edge, error))
        return NULL;
    throng_graph *g = allocate(nodes, edges);
    if (!g) {
        throng_fail(error, "out of memory for a graph of %d nodes and %d edges", nodes, edges);
        return NULL;
    }
    int32_t *first = (void *)(g + 1), *back_first = first + nodes + 1;
    int32_t *node = back_first + nodes + 1, *back_node = node + edges;
    int32_t *component = back_node + edges;
    float *gx = (void *)(component + nodes), *gy = gx + nodes, *cost = gy + nodes, *back_cost = cost + edges;
    memcpy(gx, x, (size_t)nodes * sizeof *x);
    memcpy(gy, y, (size_t)nodes * sizeof *y);
    index_edges(nodes, edges, edge, false, first, node, cost);
    index_edges(nodes, edges, edge, true, back_first, back_node, back_cost);
    *g = (throng_graph){.nodes = nodes,
                        .edges = first[nodes],
                        .x = gx,
                        .y = gy,
                        .first = first,
                        .node = node,
                        .cost = cost,
                        .back_first = back_first,
                        .back_node = back_node,
                        .back_cost = back_cost,
                        .component = component};
    if (!throng_given_up())
        find_components(g, component);
    if (!throng_given_up())
        find_unit(g);
    if (!throng_given_up())
        find_weights(g);
    if (!throng_given_up())
        return g;
    throng_fail(error, "%s", throng_interrupted_text());
    throng_graph_destroy(g);
    return NULL;
}

typedef struct grid {
    int32_t width, height;
    const bool *blocked;
    const float *extra; /* what entering a cell costs more */
} grid;

static bool is_free(const grid *g, int32_t column, int32_t row)
{
    return column >= 0 && row >= 0 && column < g->width && row < g->height &&
           !(g->blocked && g->blocked[row * g->width + column]);
}

static int32_t grid_edges(const grid *g, bool diagonal, throng_graph_edge *edge)
{
    int32_t n = 0;
    for (int32_t row = 0; row < g->height; row++)
        for (int32_t column = 0; column < g->width && !throng_given_up_at(column); column++)
            for (int32_t turn = 0; turn < 9; turn++) {
                int32_t dx = turn % 3 - 1, dy = turn / 3 - 1;
                if ((!dx && !dy) || (dx && dy && !diagonal) || !is_free(g, column, row) ||
                    !is_free(g, column + dx, row + dy) || !is_free(g, column + dx, row) ||
                    !is_free(g, column, row + dy))
                    continue;
                int32_t to = (row + dy) * g->width + column + dx;
                float length = dx && dy ? 1.41421356f : 1;
                edge[n++] = (throng_graph_edge){row * g->width + column, to, g->extra ? length + g->extra[to] : length};
            }
    return n;
}

throng_graph *throng_graph_grid(int32_t width, int32_t height, const bool *blocked, bool diagonal, const float *extra,
                                throng_error *error)
{
    if (width < 1 || height < 1 || (int64_t)width * height > 1 << 26) {
        throng_fail(error, "a grid graph of %d x %d: it must have 1 to %d cells", width, height, 1 << 26);
        return NULL;
    }
    size_t cells = (size_t)width * (size_t)height;
    float *x = malloc(cells * sizeof *x), *y = malloc(cells * sizeof *y);
    throng_graph_edge *edge = malloc(cells * (diagonal ? 8 : 4) * sizeof *edge);
    throng_graph *graph = NULL;
    grid g = {width, height, blocked, extra};
    for (size_t i = 0; x && y && i < cells; i++) {
        x[i] = (float)(i % (size_t)width);
        y[i] = (float)(i / (size_t)width);
    }
    if (x && y && edge)
        graph = throng_graph_create((int32_t)cells, x, y, grid_edges(&g, diagonal, edge), edge, error);
    else
        throng_fail(error, "out of memory for a grid graph of %d x %d", width, height);
    free(x);
    free(y);
    free(edge);
    return graph;
}

void throng_graph_destroy(throng_graph *graph) { free(graph); }
