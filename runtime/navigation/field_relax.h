/* The potential of a goal on a graph of cells, for runtime/navigation/field.c.
 *
 * The unknown is u = ln(1 - p), which neither rounds to one value far from the goal nor runs out of exponents. That a
 * cell's e^u is the mean of its four neighbours' (walls have 0) becomes
 *     ln(sum over neighbours b of e^(u_b - u_k) / 4) = 0,
 * which is convex in u: Newton's method converges from afar. A step of it solves
 *     sum of w_kb (d_k - d_b) = the left side above, w_kb proportional to e^(u_b - u_k), their sum 1,
 * the equations of a walk that drifts to the goal (Doob's transform), whose weights are of the same size everywhere,
 * however small e^u. One cycle of multigrid is enough for each:
 *   - aggregates are the cells that hang together in a block of 2 x 2: no correction jumps through a wall;
 *   - a weight is mixing (the smaller of there and back) and drift (the rest). Drift is kept on the coarser level, the
 *     mixing of two aggregates acts in series with that through their halves: so rooms and passages both come out
 * right;
 *   - a cell's equation counts as much in its aggregate's as others, outside, depend on the cell: what is amiss in a
 *     dead end does not move all that lies beyond the junction;
 *   - sweeps go in order of the distance from the goal, so that one is enough where there is drift alone; cycles are
 *     W-cycles. V-cycles and equal shares did not converge in mazes.
 *
 * Eight cycles bring rooms, mazes and an office of half a million cells below 1e-5, each at the price of a dozen
 * sweeps; sweeps alone, over-relaxed, had not converged there after 200. */
#ifndef THRONG_FIELD_RELAX_H
#define THRONG_FIELD_RELAX_H

#include <stdbool.h>
#include <stdint.h>

typedef struct throng_field_graph {
    int32_t n;       /* cells that are not the goal's, in order of their distance from it */
    int32_t *x, *y;  /* [n] column, row */
    int32_t *start;  /* [n + 1] the neighbours of cell k are beside[start[k]] .. beside[start[k + 1] - 1], at most 4 */
    int32_t *beside; /* n: the goal */
} throng_field_graph;

/* Writes a first guess to `u` [n + 1]: ln(1 - p), as it falls along the best path to the goal by about pi / width a
 * cell between walls and by 1 / distance on leaving a wall. u[n] is 0. False when out of memory. */
bool throng_field_guess(const throng_field_graph *graph, double *u);

/* Improves `u`. Ends when a cycle changed none by more than `tolerance`, or after `cycles`; `done`: how many, `change`:
 * the largest in the last of them. False when out of memory, or given up (throng_given_up). */
bool throng_field_relax(const throng_field_graph *graph, double *u, int32_t cycles, double tolerance, int32_t *done,
                        double *change);

#endif
