/* The potential of a goal by nested dissection, on the host: front after front, halves before the whole.
 *
 * Of large grids own rows are kept of the fronts of the first levels alone. What is below, many small subtrees, is
 * eliminated again on the way back, subtree after subtree, in memory that stays in the cache: to the same bits, as
 * nothing else was done. An open hall of 2,048 x 2,048 cells has a sixth more to multiply that way, and takes a third
 * of the memory. Threads have a subtree each, or a share of a large front's rows. */
#include "field_fronts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/pool.h"
#include "base/watchdog.h"
#include "field_eliminate.h"
#include "kernels/routing/field_directions.h"

enum {
    DEPTH_MAX = 32,
    LEVELS_KEPT = 8, /* of grids that have more than so many entries */
    ENTRIES_KEPT = 1 << 25,
    AT_ONCE = 5 /* halvings: subtrees that are eliminated side by side, before the fronts above them */
};

/* Which clone is called is settled before ThreadSanitizer has begun, which would crash. The bits are the same. */
#ifdef __SANITIZE_THREAD__
#define CLONES
#else
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif

/* What is kept of a front: its own rows. */
typedef struct kept {
    int32_t own, size;
    int64_t rows, cells; /* where they begin in those of the stack */
} kept;

/* Fronts in the order in which they were eliminated, with what that takes: one stack has the first levels, and each
 * thread one for a subtree. */
typedef struct stack {
    kept *kept;
    int32_t count;
    double *rows;
    int32_t *cells;          /* of the fronts, packed */
    double *rest[DEPTH_MAX]; /* what fronts of a level leave of their rings: two, or all that are done at once */
    int32_t *from[2];        /* [size of the largest] where entries of a half's ring lie in the whole */
    int32_t *runs;           /* [size of the largest + 1] where in the ring these do not follow each other */
    double *packed;          /* of throng_field_eliminate */
    double *q;               /* [size of the largest] */
} stack;

/* What fronts take, all in all. */
typedef struct extent {
    int64_t rows, cells;
} extent;

typedef struct solver {
    fronts g;
    const double *given; /* q of the goal's cells; NULL: 1 */
    double *q;
    uint16_t *counts[4];
    int64_t entries;           /* of own rows */
    extent level[DEPTH_MAX];   /* all fronts of a level */
    extent subtree[DEPTH_MAX]; /* the largest from this level down */
    int32_t ring[DEPTH_MAX];   /* the largest of a level */
    int32_t largest;           /* size of a front */
    int32_t levels;            /* that are kept: the depth of subtrees */
    int32_t batch;             /* the depth of blocks whose subtrees are eliminated at once */
    int32_t block;             /* such a block */
    stack first;
    stack *stacks; /* [threads] */
    int32_t threads;
    pool *pool;
} solver;

/* --- counting ----------------------------------------------------------------------------------------- */

static bool is_free(const fronts *g, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && g->cells[y * g->columns + x] == FRONTS_FREE;
}

static void count_cells(solver *s)
{
    fronts *g = &s->g;
    int32_t w = g->columns + 1, h = g->rows + 1;
    for (int32_t y = 0; y < h && !throng_given_up(); y++)
        for (int32_t x = 0; x < w; x++) {
            int64_t i = (int64_t)y * w + x;
            bool in = y < g->rows, left = x && in && is_free(g, x - 1, y), before = x && y && is_free(g, x - 1, y - 1);
            s->counts[0][i] = x ? (uint16_t)(s->counts[0][i - 1] + left) : 0;
            s->counts[2][i] = x ? (uint16_t)(s->counts[2][i - 1] + (left && before)) : 0;
        }
    for (int32_t x = 0; x < w && !throng_given_up(); x++)
        for (int32_t y = 0; y < h; y++) {
            int64_t i = (int64_t)x * h + y;
            bool in = x < g->columns, up = y && in && is_free(g, x, y - 1), before = x && y && is_free(g, x - 1, y - 1);
            s->counts[1][i] = y ? (uint16_t)(s->counts[1][i - 1] + up) : 0;
            s->counts[3][i] = y ? (uint16_t)(s->counts[3][i - 1] + (up && before)) : 0;
        }
    g->free_x = s->counts[0];
    g->free_y = s->counts[1];
    g->edge_x = s->counts[2];
    g->edge_y = s->counts[3];
}

/* --- fronts ------------------------------------------------------------------------------------------- */

/* Where entries follow each other in the whole as they do in the ring. */
static int32_t find_runs(const int32_t *from, int32_t ring, int32_t *runs)
{
    int32_t count = 0;
    for (int32_t j = 0; j < ring; j++)
        if (j == 0 || from[j] != from[j - 1] + 1)
            runs[count++] = j;
    runs[count] = ring;
    return count;
}

/* A group of rows of what a half left, where they lie below the diagonal of the whole. `run`: that of the first. */
static inline __attribute__((always_inline)) void add_below(const front_matrix *m, const double *half,
                                                            const int32_t *from, int32_t begin, const int32_t *runs,
                                                            int32_t count, int32_t run)
{
    int32_t ring = runs[count], end = begin + FIELD_GROUP < ring ? begin + FIELD_GROUP : ring, low = from[begin];
    int32_t stride = field_whole_groups(ring) - begin;
    const double *left = half + field_row(field_whole_groups(ring), begin);
    bool straight = runs[run + 1] - begin >= FIELD_GROUP;
    for (; run < count; run++) {
        if (straight && from[runs[run]] > low)
            continue;
        for (int32_t j = runs[run] > begin ? runs[run] : begin; j < runs[run + 1]; j++) {
            double *to = from[j] < m->end ? front_row(m, from[j]) : NULL;
            if (to && straight && from[j] < low)
                for (int32_t i = 0; i < FIELD_GROUP; i++)
                    to[low + i] += left[(int64_t)i * stride + j];
            else
                for (int32_t i = begin; to && i < end && i < j; i++)
                    if (from[i] > from[j])
                        to[from[i]] += left[(int64_t)(i - begin) * stride + j];
        }
    }
}

/* Adds what a half left, `from` where its ring lies in the whole. */
CLONES static void add_half(const front_matrix *m, const double *half, const int32_t *from, int32_t ring, int32_t *runs)
{
    int32_t count = find_runs(from, ring, runs);
    for (int32_t i = 0, run = 0; i < ring; i++) {
        while (runs[run + 1] <= i)
            run++;
        if (i % FIELD_GROUP == 0)
            add_below(m, half, from, i, runs, count, run);
        if (from[i] >= m->end)
            continue;
        const double *left = half + field_row(field_whole_groups(ring), i);
        double *row = front_row(m, from[i]);
        for (int32_t r = run; r < count; r++) {
            int32_t begin = r == run ? i : runs[r];
            double *to = row + from[begin];
            for (int32_t j = begin; from[begin] >= from[i] && j < runs[r + 1]; j++)
                to[j - begin] += left[j];
        }
    }
}

static int64_t place(const solver *s, int32_t cell) { return (int64_t)(cell >> 16) * s->g.columns + (cell & 0xffff); }

/* An entry of a cell with the goal is less what is given beside it. */
static double goal_entry(const solver *s, int32_t cell)
{
    if (!s->given)
        return front_entry(&s->g, cell, -1);
    const field_grid g = {.columns = s->g.columns, .rows = s->g.rows};
    double sum = 0;
    for (int side = 0; side < FIELD_SIDES; side++) {
        int32_t b = field_beside(&g, (int32_t)place(s, cell), side);
        if (b >= 0 && s->g.cells[b] == FRONTS_GOAL)
            sum += s->given[b];
    }
    return -sum;
}

/* Of a line's cells, the first and the last alone are beside others than the next. */
CLONES static void add_equations(const front_matrix *m, const int32_t *cell, int32_t size, bool leaf)
{
    for (int32_t i = 0; i < m->own; i++) {
        double *row = front_row(m, i), *ring = row + m->first - m->own;
        bool all = leaf || i == 0 || i + 1 == m->own;
        for (int32_t j = i; j < (all || i + 2 > m->own ? m->own : i + 2); j++)
            row[j] += front_entry_of(cell[i], cell[j]);
        for (int32_t j = m->own; j < (all ? size - 1 : 0); j++)
            ring[j] += front_entry_of(cell[i], cell[j]);
    }
}

static void add_goal(const solver *s, const front_matrix *m, const int32_t *cell, int32_t size)
{
    for (int32_t i = 0; i < m->own; i++)
        front_row(m, i)[m->first + size - 1 - m->own] += goal_entry(s, cell[i]);
}

/* The cells of a front, and where what its halves left belongs. */
static void list_places(const fronts *g, const front *f, const front *halves, int32_t *cells, int32_t *const *from)
{
    for (int32_t i = 0, count = front_places(f); i < count; i++) {
        front_place p;
        if (!front_place_at(g, f, &halves[0], &halves[1], i, &p))
            continue;
        int32_t column = p.index < f->own ? p.index : p.index - f->own + field_whole_groups(f->own);
        cells[p.index] = p.cell;
        if (p.a >= 0)
            from[0][p.a] = column;
        if (p.b >= 0)
            from[1][p.b] = column;
    }
}

/* The end of a stack. */
static kept top_of(const stack *t)
{
    if (!t->count)
        return (kept){0};
    kept k = t->kept[t->count - 1];
    int32_t width = field_whole_groups(k.own) + field_whole_groups(k.size - k.own);
    return (kept){.rows = k.rows + field_entries(width, k.own), .cells = k.cells + k.size};
}

/* Eliminates a block's own cells; within it that was done. `left`: what the halves left; `rest` NULL: nobody asks. */
static void eliminate(const solver *s, stack *t, const front *f, const front *halves, double *const *left, double *rest,
                      pool *pool)
{
    kept *k = &t->kept[t->count];
    *k = top_of(t);
    t->count++;
    k->own = f->own;
    k->size = f->size;
    front_matrix m = {.own = f->own, .first = field_whole_groups(f->own), .rows = t->rows + k->rows, .rest = rest};
    m.width = m.first + field_whole_groups(f->size - f->own);
    m.end = rest ? m.width : m.first;
    list_places(&s->g, f, halves, t->cells + k->cells, t->from);
    memset(m.rows, 0, (size_t)field_entries(m.width, m.first) * sizeof *m.rows);
    if (rest)
        memset(rest, 0, (size_t)field_entries(m.width - m.first, m.width - m.first) * sizeof *rest);
    for (int half = 0; !f->leaf && half < 2; half++)
        add_half(&m, left[half], t->from[half], halves[half].size - halves[half].own, t->runs);
    add_equations(&m, t->cells + k->cells, f->size, f->leaf);
    add_goal(s, &m, t->cells + k->cells, f->size);
    throng_field_eliminate(&m, t->packed, pool);
}

/* Room of what a front of a level leaves. */
static int64_t rest_room(const solver *s, int32_t depth)
{
    int32_t width = field_whole_groups(s->ring[depth]);
    return field_entries(width, width);
}

/* All within a block, and it; `keeps` their rows. */
static void solve_subtree(const solver *s, stack *t, int32_t depth, int32_t block, const front *f, double *rest,
                          bool keeps)
{
    front halves[2] = {0};
    double *left[2];
    for (int half = 0; !f->leaf && half < 2 && !throng_given_up(); half++) {
        int32_t b = front_half(&s->g, depth, block, half);
        halves[half] = front_of(&s->g, depth + 1, b);
        left[half] = t->rest[depth + 1] + half * rest_room(s, depth + 1);
        solve_subtree(s, t, depth + 1, b, &halves[half], left[half], keeps);
    }
    if (throng_given_up())
        return;
    eliminate(s, t, f, halves, left, rest, NULL);
    t->count -= !keeps;
}

/* Subtree `index` of a block. */
static int32_t subtree_of(const solver *s, int32_t depth, int32_t block, int32_t index)
{
    for (; depth < s->levels; depth++)
        block = front_half(&s->g, depth, block, index >> (s->levels - depth - 1) & 1);
    return block;
}

static void solve_subtrees(void *context, int32_t begin, int32_t end, int thread)
{
    solver *s = context;
    for (int32_t i = begin; i < end; i++) {
        int32_t block = subtree_of(s, s->batch, s->block, i);
        front f = front_of(&s->g, s->levels, block);
        solve_subtree(s, &s->stacks[thread], s->levels, block, &f,
                      s->first.rest[s->levels] + i * rest_room(s, s->levels), false);
    }
}

/* A block of the first levels, and all within it. `index`: which it is of its batch. */
static void solve_first(solver *s, int32_t depth, int32_t block, int32_t index, double *rest)
{
    front f = front_of(&s->g, depth, block), halves[2];
    double *left[2];
    if (depth == s->batch) {
        s->block = block;
        index = 0;
        pool_run(s->pool, 1 << (s->levels - depth), 1, solve_subtrees, s);
    }
    for (int half = 0; half < 2 && !throng_given_up(); half++) {
        int32_t b = front_half(&s->g, depth, block, half), at = 2 * index + half;
        halves[half] = front_of(&s->g, depth + 1, b);
        left[half] = s->first.rest[depth + 1] + (depth + 1 == s->levels ? at : half) * rest_room(s, depth + 1);
        if (depth + 1 < s->levels)
            solve_first(s, depth + 1, b, at, left[half]);
    }
    if (!throng_given_up())
        eliminate(s, &s->first, &f, halves, left, rest, s->pool);
}

/* --- from the ring to the cells ----------------------------------------------------------------------- */

static double sum_over_ring(const double *row, const double *q, int32_t count)
{
    double part[FRONTS_PARTS] = {0};
    int32_t j = 0;
    for (; j + FRONTS_PARTS <= count; j += FRONTS_PARTS)
        for (int32_t i = 0; i < FRONTS_PARTS; i++)
            part[i] += row[j + i] * q[j + i];
    for (int32_t i = 0; j + i < count; i++)
        part[i] += row[j + i] * q[j + i];
    for (int32_t half = FRONTS_PARTS / 2; half; half /= 2)
        for (int32_t i = 0; i < half; i++)
            part[i] += part[i + half];
    return part[0];
}

/* The own cells of fronts, the last that was eliminated first. */
static void follow(const solver *s, const stack *t)
{
    for (int32_t f = t->count - 1; f >= 0 && !throng_given_up_at(f); f--) {
        const kept *k = &t->kept[f];
        const int32_t *cell = t->cells + k->cells;
        int32_t first = field_whole_groups(k->own), width = first + field_whole_groups(k->size - k->own);
        double *q = t->q;
        for (int32_t i = k->own; i < k->size - 1; i++)
            q[i] = s->q[place(s, cell[i])];
        q[k->size - 1] = 1;
        for (int32_t p = k->own - 1; p >= 0; p--) {
            const double *row = t->rows + k->rows + field_row(width, p);
            double sum = sum_over_ring(row + first, q + k->own, k->size - k->own);
            for (int32_t j = k->own - 1; j > p; j--)
                sum += row[j] * q[j];
            q[p] = -sum * row[p];
            s->q[place(s, cell[p])] = q[p];
        }
    }
}

/* Subtrees whose rings are known. */
static void finish_subtrees(void *context, int32_t begin, int32_t end, int thread)
{
    solver *s = context;
    stack *t = &s->stacks[thread];
    for (int32_t block = begin; block < end && !throng_given_up(); block++) {
        front f = front_of(&s->g, s->levels, block);
        t->count = 0;
        solve_subtree(s, t, s->levels, block, &f, NULL, true);
        follow(s, t);
        t->count = 0;
    }
}

/* --- all of it ---------------------------------------------------------------------------------------- */

static extent larger(extent a, extent b)
{
    return (extent){a.rows > b.rows ? a.rows : b.rows, a.cells > b.cells ? a.cells : b.cells};
}

static extent sum_of(extent a, extent b) { return (extent){a.rows + b.rows, a.cells + b.cells}; }

/* A block and all within it. */
static extent measure(solver *s, int32_t depth, int32_t block)
{
    front f = front_of(&s->g, depth, block);
    int32_t ring = f.size - f.own, width = field_whole_groups(f.own) + field_whole_groups(ring);
    extent all = {field_entries(width, f.own), f.size};
    s->entries += (int64_t)f.own * f.size;
    s->largest = f.size > s->largest ? f.size : s->largest;
    s->ring[depth] = ring > s->ring[depth] ? ring : s->ring[depth];
    s->level[depth] = sum_of(s->level[depth], all);
    for (int half = 0; !f.leaf && half < 2 && !throng_given_up_at(block); half++)
        all = sum_of(all, measure(s, depth + 1, front_half(&s->g, depth, block, half)));
    s->subtree[depth] = larger(s->subtree[depth], all);
    return all;
}

static double *make_entries(int64_t count)
{
    enum { LARGE = 1 << 21, PAGE = 4096 };
    size_t bytes = (size_t)count * sizeof(double), unit = bytes < LARGE ? sizeof(double) * FIELD_GROUP : PAGE;
    double *entries = aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (entries && unit == PAGE)
        madvise(entries, bytes, MADV_HUGEPAGE); /* rows are far from each other: each would wait for its address */
    return entries;
}

/* For fronts of depth begin .. end; `at_once`: of the last. */
static bool make_stack(const solver *s, stack *t, extent all, int32_t count, int32_t begin, int32_t end,
                       int32_t at_once)
{
    int64_t width = field_whole_groups(s->largest) + FIELD_GROUP, deep = width < FIELD_BLOCK ? width : FIELD_BLOCK;
    size_t largest = (size_t)s->largest + 1;
    bool ok = (t->kept = malloc((size_t)count * sizeof *t->kept)) &&
              (t->rows = make_entries(all.rows + FIELD_GROUP * width)) &&
              (t->cells = malloc((size_t)all.cells * sizeof *t->cells)) &&
              (t->from[0] = malloc(largest * sizeof *t->from[0])) &&
              (t->from[1] = malloc(largest * sizeof *t->from[1])) && (t->runs = malloc(largest * sizeof *t->runs)) &&
              (t->packed = make_entries(deep * width)) && (t->q = malloc(largest * sizeof *t->q));
    for (int32_t depth = begin; depth <= end; depth++)
        ok = ok && (t->rest[depth] = make_entries((depth == end ? at_once : 2) * rest_room(s, depth)));
    return ok;
}

static void free_stack(stack *t)
{
    free(t->kept);
    free(t->rows);
    free(t->cells);
    free(t->from[0]);
    free(t->from[1]);
    free(t->runs);
    free(t->packed);
    free(t->q);
    for (int i = 0; i < DEPTH_MAX; i++)
        free(t->rest[i]);
}

static bool make_stacks(solver *s)
{
    int32_t depth = fronts_depth(&s->g);
    extent first = {0};
    for (int32_t d = 0; d < s->levels; d++)
        first = sum_of(first, s->level[d]);
    s->batch = s->levels > AT_ONCE ? s->levels - AT_ONCE : 0;
    bool ok =
        (s->pool = pool_create(s->threads)) && (s->stacks = calloc((size_t)s->threads, sizeof *s->stacks)) &&
        (!s->levels || make_stack(s, &s->first, first, 1 << s->levels, 1, s->levels, 1 << (s->levels - s->batch)));
    for (int32_t i = 0; ok && i < s->threads; i++)
        ok = make_stack(s, &s->stacks[i], s->subtree[s->levels], 2 << (depth - s->levels), s->levels + 1, depth, 2);
    return ok;
}

static void free_solver(solver *s)
{
    for (int i = 0; i < 4; i++)
        free(s->counts[i]);
    free_stack(&s->first);
    for (int32_t i = 0; s->stacks && i < s->threads; i++)
        free_stack(&s->stacks[i]);
    free(s->stacks);
    pool_destroy(s->pool);
}

static bool count_all(solver *s)
{
    size_t places = ((size_t)s->g.columns + 1) * ((size_t)s->g.rows + 1);
    for (int i = 0; i < 4; i++)
        if (!(s->counts[i] = malloc(places * sizeof *s->counts[i])))
            return false;
    count_cells(s);
    if (!throng_given_up())
        measure(s, 0, 0);
    s->levels = s->subtree[0].rows > ENTRIES_KEPT ? LEVELS_KEPT : 0;
    s->threads = !s->levels ? 1 : s->threads < 1 << AT_ONCE ? s->threads : 1 << AT_ONCE;
    return !throng_given_up();
}

/* False when memory is out, or it was given up. */
static bool solve(solver *s)
{
    if (!make_stacks(s))
        return false;
    if (s->levels)
        solve_first(s, 0, 0, 0, NULL);
    if (!throng_given_up())
        follow(s, &s->first);
    if (!throng_given_up())
        pool_run(s->pool, 1 << s->levels, 1, finish_subtrees, s);
    return !throng_given_up();
}

bool throng_field_dissect(const uint8_t *cells, int32_t columns, int32_t rows, const double *given, int64_t most,
                          int32_t threads, double *q, bool *solved)
{
    *solved = false;
    if (columns > FRONTS_SIDE_MAX || rows > FRONTS_SIDE_MAX)
        return true;
    solver s = {.g = {columns, rows, fronts_halvings(columns), fronts_halvings(rows), cells, 0, 0, 0, 0},
                .given = given,
                .q = q,
                .threads = threads};
    bool ok = count_all(&s);
    *solved = ok && s.entries <= most;
    if (*solved)
        ok = solve(&s);
    free_solver(&s);
    return ok;
}
