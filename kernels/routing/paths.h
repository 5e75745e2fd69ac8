/* Paths by the batch: A* for one query, and trees of all the paths to one goal.
 * After A. Silva, F. Rocha, A. Santos, G. Ramalho and V. Teichrieb, "GPU Pathfinding
 * Optimization" (2010), with a tie rule that makes the paths equal wherever they are found.
 *
 * A* goes from the goal against the edges until it reaches the start, so that
 * `next` leads from the start to the goal and costs are summed as a tree sums
 * them. The open list is a binary heap of nodes by (bound, what is left of it, node);
 * nodes know their place in it. The bound takes no square root: weights for the
 * longer and the shorter of |dx| and |dy| with which no path is shorter (throng_graph). On grids that is a taxi's
 * or a king's distance, exactly.
 *
 * Costs are floats and their sums doubles, which are exact (throng_graph.unit). So paths that are equally good are
 * equal, whatever the order of their steps: searches and trees find the same costs to the bit, and a search goes
 * straight through a plane of such paths (on 256 x 256 free cells with diagonal
 * steps it takes 4,000 operations in the mean, with sums of floats 98,000). */
#ifndef THRONG_PATHS_H
#define THRONG_PATHS_H

#include "kernels/contract/graph.h"
#include "kernels/lane/lane.h"

#ifndef PATHS_GIVEN_UP
#define PATHS_GIVEN_UP() false /* asked in the middle of searches: their answer is wanted no more */
#endif
#ifndef LANE_DOUBLE
#define LANE_DOUBLE double /* counts (cpu_counted.h) */
#endif
typedef LANE_DOUBLE lane_d;

/* What a search knows of a node; of an earlier search when the stamp is another. */
typedef struct paths_node {
    lane_d cost;   /* from here to the goal */
    int32_t next;  /* node on the way there */
    int32_t place; /* in the heap, -1: taken out */
    uint32_t stamp;
} paths_node;

typedef struct paths_open {
    lane_d bound;
    float left; /* from the start to here, at the least: the part of the bound that is not known */
    int32_t node;
} paths_open;

/* One search's memory; all of a graph's nodes fit. */
typedef struct paths_search {
    const throng_graph *graph;
    paths_node *node;
    paths_open *heap;
    int32_t open;
    uint32_t stamp;
    lane_d x, y; /* of the start */
} paths_search;

LANE_FN bool paths_before(const paths_open *a, const paths_open *b)
{
    if (a->bound != b->bound)
        return a->bound < b->bound;
    if (a->left != b->left)
        return a->left < b->left;
    return a->node < b->node;
}

LANE_FN void paths_put(paths_search *s, int32_t at, paths_open entry)
{
    s->heap[at] = entry;
    s->node[entry.node].place = at;
}

LANE_FN void paths_rise(paths_search *s, int32_t at, paths_open entry)
{
    while (at > 0 && paths_before(&entry, &s->heap[(at - 1) / 2])) {
        paths_put(s, at, s->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    paths_put(s, at, entry);
}

LANE_FN paths_open paths_take(paths_search *s)
{
    paths_open top = s->heap[0], last = s->heap[--s->open];
    s->node[top.node].place = -1;
    if (s->open == 0)
        return top;
    int32_t at = 0;
    for (int32_t child = 1; child < s->open; child = 2 * at + 1) {
        if (child + 1 < s->open && paths_before(&s->heap[child + 1], &s->heap[child]))
            child++;
        if (!paths_before(&s->heap[child], &last))
            break;
        paths_put(s, at, s->heap[child]);
        at = child;
    }
    paths_put(s, at, last);
    return top;
}

/* What the path from the start to the node costs at the least. */
LANE_FN lane_d paths_left(const paths_search *s, int32_t node)
{
    const throng_graph *g = s->graph;
    lane_d dx = fabs(g->x[node] - s->x), dy = fabs(g->y[node] - s->y);
    lane_d longer = dx > dy ? dx : dy, shorter = dx > dy ? dy : dx;
    return g->longer * longer + g->shorter * shorter;
}

/* Node `node` can go on by `next` at `cost`. */
LANE_FN void paths_reach(paths_search *s, int32_t node, int32_t next, lane_d cost)
{
    paths_node *n = &s->node[node];
    bool known = n->stamp == s->stamp;
    if (known && !(cost < n->cost))
        return;
    int32_t at = known && n->place >= 0 ? n->place : s->open++;
    n->cost = cost;
    n->next = next;
    n->stamp = s->stamp;
    lane_d left = paths_left(s, node);
    paths_open entry = {cost + left, (float)left, node};
    paths_rise(s, at, entry);
}

/* The cost of the cheapest path, INFINITY when there is none; s->node[...].next then lead along it. */
LANE_FN lane_d paths_find(paths_search *s, int32_t from, int32_t to)
{
    const throng_graph *g = s->graph;
    if (g->component[from] != g->component[to])
        return INFINITY;
    s->stamp++;
    s->open = 0;
    s->x = g->x[from];
    s->y = g->y[from];
    paths_reach(s, to, -1, 0);
    while (s->open && !PATHS_GIVEN_UP()) {
        paths_open best = paths_take(s);
        lane_d cost = s->node[best.node].cost;
        if (best.node == from)
            return cost;
        for (int32_t e = g->back_first[best.node]; e < g->back_first[best.node + 1]; e++) {
            LANE_TOUCH(&g->back_node[e]);
            paths_reach(s, g->back_node[e], best.node, cost + g->back_cost[e]);
        }
    }
    return INFINITY;
}

/* Nodes on the path that was found. */
LANE_FN int32_t paths_length(const paths_search *s, int32_t from)
{
    int32_t n = 0;
    for (int32_t at = from; at >= 0; at = s->node[at].next)
        n++;
    return n;
}

LANE_FN void paths_write(const paths_search *s, int32_t from, int32_t *nodes)
{
    for (int32_t at = from; at >= 0; at = s->node[at].next) {
        LANE_TOUCH(nodes);
        *nodes++ = at;
    }
}

/* --- trees ---------------------------------------------------------------------------------------------- */

/* Threads of a block work on one tree. */
#if defined(__CUDACC__)
#define PATHS_SHARED volatile
#else
#define PATHS_SHARED
#endif

/* All paths to one goal, by node: cost, steps to the goal (-1: no path), next node (-1 at the goal and without a path).
 * Costs are what sums from the goal on come to, the least of all paths; next is, of the nodes that a cheapest path
 * can go on by with the fewest steps, the first. */
typedef struct paths_tree {
    lane_d *cost;
    int32_t *steps, *next;
} paths_tree;

/* One look at a node's edges: does its cost fall? */
LANE_FN bool paths_relax(const throng_graph *g, PATHS_SHARED lane_d *cost, int32_t node)
{
    lane_d least = cost[node], before = least;
    for (int32_t e = g->first[node]; e < g->first[node + 1]; e++) {
        lane_d through = cost[g->node[e]] + g->cost[e];
        least = through < least ? through : least;
    }
    if (!(least < before))
        return false;
    cost[node] = least;
    return true;
}

/* When costs stand: one look at whether the node is nearer, in steps, than known so far (-1: not known). */
LANE_FN bool paths_step(const throng_graph *g, const PATHS_SHARED lane_d *cost, PATHS_SHARED int32_t *steps,
                        int32_t node)
{
    int32_t known = steps[node], least = known;
    for (int32_t e = g->first[node]; e < g->first[node + 1]; e++) {
        int32_t there = g->node[e], theirs = steps[there];
        if (theirs >= 0 && cost[there] + g->cost[e] == cost[node] && (least < 0 || theirs + 1 < least))
            least = theirs + 1;
    }
    if (least == known)
        return false;
    steps[node] = least;
    return true;
}

/* When steps stand, too: where to go on. */
LANE_FN int32_t paths_next(const throng_graph *g, const PATHS_SHARED lane_d *cost, const PATHS_SHARED int32_t *steps,
                           int32_t node)
{
    int32_t next = -1;
    if (steps[node] <= 0)
        return next;
    for (int32_t e = g->first[node]; e < g->first[node + 1]; e++) {
        int32_t there = g->node[e];
        if (steps[there] == steps[node] - 1 && cost[there] + g->cost[e] == cost[node] && (next < 0 || there < next))
            next = there;
    }
    return next;
}

#endif
