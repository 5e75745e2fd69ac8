#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT  0x1p256 /* one step of the exponent beside a number */
#define MOST  0x1p128
#define LEAST 0x1p-128

enum { SIDES = 4, PLAIN_SWEEPS = 8, PASSAGE_SWEEPS = 40, RINGS = 3 };

/* Over-relaxation: the best factor for rooms of some forty cells; a change by more than half is cut off. */
#define OVER 1.85

/* Who settles ratios sweep by sweep has got so far by then, or is in too wide a room. */
#define PASSAGE_CHANGE 0.3

static const int32_t STEP_X[SIDES] = {1, -1, 0, 0}, STEP_Y[SIDES] = {0, 0, 1, -1};

throng_field_options throng_field_options_default(void)
{
    return (throng_field_options){.sweeps = 200, .tolerance = 1e-4};
}

/* m * UNIT^e */
typedef struct number {
    double m; /* LEAST <= m < MOST; 0 in walls */
    int32_t e;
} number;

/* The cells connected to the goal, in order of their distance from it. Number n, behind the last, is a wall. */
typedef struct solver {
    const uint8_t *cells;
    int32_t columns, rows;
    int32_t n, goals; /* cells; those of the goal come first */
    int32_t *cell;    /* [n] place in the grid */
    int32_t *number;  /* [rows * columns] -1: not connected */
    int32_t *beside;  /* [4 n] numbers of the neighbours */
    int32_t *away;    /* [n] steps from the goal */
    int32_t *parent;  /* [n] the neighbour it was reached from */
    number *q;        /* [n + 1] */
    number *growth;   /* [n] q by what it was before the sweep */
} solver;

/* --- order ------------------------------------------------------------------------------------- */

static int32_t neighbour(const solver *s, int32_t cell, int side)
{
    int32_t x = cell % s->columns + STEP_X[side], y = cell / s->columns + STEP_Y[side];
    return x >= 0 && x < s->columns && y >= 0 && y < s->rows ? y * s->columns + x : -1;
}

static void append(solver *s, int32_t cell, int32_t parent, int32_t away)
{
    s->number[cell] = s->n;
    s->parent[s->n] = parent;
    s->cell[s->n] = cell;
    s->away[s->n++] = away;
}

static void find_order(solver *s)
{
    for (int32_t c = 0; c < s->columns * s->rows; c++)
        s->number[c] = -1;
    for (int32_t c = 0; c < s->columns * s->rows; c++)
        if (s->cells[c] == THRONG_FIELD_GOAL)
            append(s, c, 0, 0);
    s->goals = s->n;
    for (int32_t k = 0; k < s->n; k++)
        for (int side = 0; side < SIDES; side++) {
            int32_t c = neighbour(s, s->cell[k], side);
            if (c >= 0 && s->number[c] < 0 && s->cells[c] != THRONG_FIELD_WALL)
                append(s, c, k, s->away[k] + 1);
        }
}

static void find_neighbours(solver *s)
{
    for (int32_t k = 0; k < s->n; k++)
        for (int side = 0; side < SIDES; side++) {
            int32_t c = neighbour(s, s->cell[k], side);
            s->beside[SIDES * k + side] = c < 0 || s->number[c] < 0 ? s->n : s->number[c];
        }
}

/* --- relaxation -------------------------------------------------------------------------------- */

/* A number in units of UNIT^e, e no less than its own: two units below is nothing beside it. */
static double scaled(number a, int32_t e) { return a.e == e ? a.m : a.e == e - 1 ? a.m / UNIT : 0; }

static number normalised(double m, int32_t e)
{
    for (; m >= MOST; e++)
        m /= UNIT;
    for (; m < LEAST; e--)
        m *= UNIT;
    return (number){m, e};
}

/* Where ratios drift apart (see update) exponents run away: they stop at this, and the field is relaxed in another way.
 */
enum { FARTHEST = 1 << 29 };

static number times(number a, number b)
{
    int64_t e = (int64_t)a.e + b.e;
    e = e < -FARTHEST ? -FARTHEST : e > FARTHEST ? FARTHEST : e;
    return (number){a.m * b.m, (int32_t)e};
}

static int32_t greatest_exponent(const number *a, int count)
{
    int32_t e = a[0].e;
    for (int i = 1; i < count; i++)
        e = a[i].e > e ? a[i].e : e;
    return e;
}

static void start(solver *s)
{
    for (int32_t k = 0; k < s->n; k++)
        s->q[k] = normalised(ldexp(1, -(2 * s->away[k]) % 256), -(2 * s->away[k] / 256)); /* 4^-away */
    for (int32_t k = 0; k < s->goals; k++)
        s->growth[k] = (number){1, 0};
    s->q[s->n] = (number){0, INT32_MIN / 2};
}

/* One cell; the relative change. Since the sweep goes away from the goal, a cell's q grows by all that was gained
 * between the goal and it: neighbours that are yet to come are taken to grow as its parent did. So every sweep settles
 * the ratios of neighbours, everywhere; else the far end of a passage would wait for the near one to converge. That is
 * for passages one or two cells wide: in wider ones the chains of parents, side by side, drift apart. */
static double update(solver *s, int32_t k, double over, bool together)
{
    const int32_t *b = s->beside + SIDES * k;
    number growth = together ? s->growth[s->parent[k]] : (number){1, 0};
    number near[SIDES + 1] = {times(s->q[k], growth)};
    for (int side = 0; side < SIDES; side++)
        near[1 + side] = b[side] > k ? times(s->q[b[side]], growth) : s->q[b[side]];
    int32_t e = greatest_exponent(near, SIDES + 1);
    double old = scaled(near[0], e), mean = 0;
    for (int side = 1; side <= SIDES; side++)
        mean += 0.25 * scaled(near[side], e);
    double next = old + over * (mean - old);
    next = over == 1 ? mean : next < 0.5 * mean ? 0.5 * mean : next > 1.5 * mean ? 1.5 * mean : next;
    if (!(next > 0))
        return 1;
    number q = normalised(next, e);
    s->growth[k] = normalised(q.m / s->q[k].m, q.e - s->q[k].e);
    s->q[k] = q;
    return fabs(next - old) / next;
}

/* The largest relative change. */
static double sweep(solver *s, double over, bool together)
{
    double largest = 0;
    for (int32_t k = s->goals; k < s->n; k++)
        largest = fmax(largest, update(s, k, over, together));
    return largest;
}

/* A way to relax: what is tried next when the field does not converge, or is not sound. */
typedef struct method {
    int32_t sweeps;
    double over;
    bool together;
    double enough; /* the largest change it may be left with */
} method;

static void relax(solver *s, throng_field *f, const method *m, double tolerance)
{
    start(s);
    f->change = m->sweeps ? INFINITY : 0;
    for (f->sweeps = 0; f->sweeps < m->sweeps && f->change > tolerance; f->sweeps++) {
        if (m->together && f->sweeps == PASSAGE_SWEEPS && f->change > PASSAGE_CHANGE)
            return;
        f->change = sweep(s, f->sweeps < PLAIN_SWEEPS ? 1 : m->over, m->together);
    }
}

/* --- the check --------------------------------------------------------------------------------- */

/* Is number `a` nearer to the goal than `b`: greater by q, or, where that is equal, by distance? */
static bool greater(const solver *s, int32_t a, int32_t b)
{
    if (a == s->n || b == s->n)
        return a != s->n;
    if (s->q[a].e != s->q[b].e)
        return s->q[a].e > s->q[b].e;
    return s->q[a].m != s->q[b].m ? s->q[a].m > s->q[b].m : s->away[a] < s->away[b];
}

/* The side of the greatest neighbour. */
static int best_side(const solver *s, int32_t k)
{
    int best = 0;
    for (int side = 1; side < SIDES; side++)
        if (greater(s, s->beside[SIDES * k + side], s->beside[SIDES * k + best]))
            best = side;
    return best;
}

static bool every_cell_ascends(const solver *s)
{
    for (int32_t k = s->goals; k < s->n; k++)
        if (!greater(s, s->beside[SIDES * k + best_side(s, k)], k))
            return false;
    return true;
}

/* --- directions -------------------------------------------------------------------------------- */

static bool ascends(const solver *s, int32_t k, int side) { return greater(s, s->beside[SIDES * k + side], k); }

static bool open_at(const throng_field *f, const solver *s, int32_t cell, int32_t x, int32_t y)
{
    int32_t column = cell % f->columns + x, row = cell / f->columns + y;
    return column >= 0 && column < f->columns && row >= 0 && row < f->rows && s->number[row * f->columns + column] >= 0;
}

static bool open_around(const throng_field *f, const solver *s, int32_t cell)
{
    for (int32_t y = -1; y <= 1; y++)
        for (int32_t x = -1; x <= 1; x++)
            if (!open_at(f, s, cell, x, y))
                return false;
    return true;
}

/* The gradient, where walking along it leaves the cell over sides that ascend; else straight over the best side.
 * Who aims at a point outside the cell, from the cell's centre by a unit vector, leaves it over the sides beyond which
 * that lies: those where the vector has a component of more than a half. */
static void direct(throng_field *f, const solver *s, int32_t k)
{
    const int32_t *b = s->beside + SIDES * k;
    int32_t cell = s->cell[k];
    const number near[SIDES] = {s->q[b[0]], s->q[b[1]], s->q[b[2]], s->q[b[3]]};
    int32_t e = greatest_exponent(near, SIDES);
    double x = scaled(near[0], e) - scaled(near[1], e), y = scaled(near[2], e) - scaled(near[3], e);
    double length = sqrt(x * x + y * y);
    int side_x = x > 0 ? 0 : 1, side_y = y > 0 ? 2 : 3, best = best_side(s, k);
    x = length > 0 ? x / length : 0;
    y = length > 0 ? y / length : 0;
    bool up_x = ascends(s, k, side_x), up_y = ascends(s, k, side_y);
    bool over_x = fabs(x) > 0.5, over_y = fabs(y) > 0.5;
    f->aim[cell] = !((x == 0 || up_x) && (y == 0 || up_y) && open_around(f, s, cell));
    bool safe = length > 0 && (!over_x || up_x) && (!over_y || up_y);
    if (safe && over_x && over_y)
        safe = open_at(f, s, cell, STEP_X[side_x], STEP_Y[side_y]);
    if (length == 0 || (f->aim[cell] && !safe)) {
        x = STEP_X[best];
        y = STEP_Y[best];
        f->aim[cell] = 1;
    }
    f->x[cell] = (float)x;
    f->y[cell] = (float)y;
}

/* Walls beside cells with an answer lead to the greatest of these, and walls beside them to them. */
static void direct_walls(throng_field *f, const solver *s, uint8_t *ring)
{
    for (int32_t c = 0; c < f->columns * f->rows; c++)
        ring[c] = s->number[c] >= 0 ? 0 : UINT8_MAX;
    for (int r = 1; r <= RINGS; r++)
        for (int32_t c = 0; c < f->columns * f->rows; c++) {
            if (ring[c] < r)
                continue;
            int32_t best = -1;
            for (int i = 0; i < 9; i++) {
                int32_t x = i % 3 - 1, y = i / 3 - 1, column = c % f->columns + x, row = c / f->columns + y;
                int32_t o = row * f->columns + column;
                if (column < 0 || column >= f->columns || row < 0 || row >= f->rows || ring[o] != r - 1)
                    continue;
                if (best >= 0 && !(r == 1 && greater(s, s->number[o], s->number[best])))
                    continue;
                best = o;
                f->x[c] = (float)x;
                f->y[c] = (float)y;
            }
            if (best >= 0) {
                f->aim[c] = 1;
                ring[c] = (uint8_t)r;
            }
        }
}

static void read_levels(throng_field *f, const solver *s)
{
    for (int32_t c = 0; c < f->columns * f->rows; c++)
        f->level[c] = -INFINITY;
    for (int32_t k = 0; k < s->n; k++)
        f->level[s->cell[k]] = (float)(log(s->q[k].m) + s->q[k].e * (256 * M_LN2));
}

/* --- all of it --------------------------------------------------------------------------------- */

static bool allocate_solver(solver *s)
{
    size_t cells = (size_t)s->columns * (size_t)s->rows + 1;
    return (s->cell = malloc(cells * 4)) && (s->number = malloc(cells * 4)) &&
           (s->beside = malloc(SIDES * cells * 4)) && (s->away = malloc(cells * 4)) &&
           (s->parent = malloc(cells * 4)) && (s->q = malloc(cells * sizeof *s->q)) &&
           (s->growth = malloc(cells * sizeof *s->growth));
}

static void free_solver(solver *s)
{
    void *blocks[] = {s->cell, s->number, s->beside, s->away, s->parent, s->q, s->growth};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        free(blocks[i]);
}

static throng_field *create(int32_t columns, int32_t rows)
{
    throng_field *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    size_t cells = (size_t)columns * (size_t)rows + 1;
    f->cell = 1;
    f->columns = columns;
    f->rows = rows;
    f->x = calloc(cells, sizeof *f->x);
    f->y = calloc(cells, sizeof *f->y);
    f->aim = calloc(cells, sizeof *f->aim);
    f->level = malloc(cells * sizeof *f->level);
    if (f->x && f->y && f->aim && f->level)
        return f;
    throng_field_destroy(f);
    return NULL;
}

void throng_field_destroy(throng_field *f)
{
    if (!f)
        return;
    free(f->x);
    free(f->y);
    free(f->aim);
    free(f->level);
    free(f);
}

static void solve(throng_field *f, solver *s, const throng_field_options *o)
{
    const method methods[] = {
        {o->sweeps, 1, true, o->tolerance}, /* mazes: a dozen sweeps */
        {o->sweeps, OVER, false, 0.1},      /* rooms */
        {o->sweeps, 1, false, INFINITY},
        {0, 1, false, INFINITY},
    };
    find_order(s);
    find_neighbours(s);
    f->reached = s->n;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        relax(s, f, &methods[i], o->tolerance);
        if (f->change <= methods[i].enough && every_cell_ascends(s))
            break;
    }
    read_levels(f, s);
    for (int32_t k = s->goals; k < s->n; k++)
        direct(f, s, k);
}

throng_field *throng_field_solve(const uint8_t *cells, int32_t columns, int32_t rows,
                                 const throng_field_options *options, throng_error *error)
{
    const throng_field_options usual = throng_field_options_default();
    solver s = {.cells = cells, .columns = columns, .rows = rows};
    uint8_t *ring = malloc((size_t)columns * (size_t)rows + 1);
    throng_field *f = create(columns, rows);
    if (f && ring && allocate_solver(&s)) {
        solve(f, &s, options ? options : &usual);
        direct_walls(f, &s, ring);
        if (!s.goals)
            throng_fail(error, "no cell of the field is a goal");
    } else {
        throng_fail(error, "out of memory for a field of %d x %d cells", columns, rows);
    }
    if (f && !s.goals) {
        throng_field_destroy(f);
        f = NULL;
    }
    free(ring);
    free_solver(&s);
    return f;
}

bool throng_field_way(const throng_field *f, double x, double y, double *dx, double *dy)
{
    double u = (x - f->origin_x) / f->cell, v = (y - f->origin_y) / f->cell;
    if (!(u >= 0 && v >= 0 && u < f->columns && v < f->rows))
        return false;
    int32_t column = (int32_t)u, row = (int32_t)v, c = row * f->columns + column;
    *dx = f->x[c] + f->aim[c] * (column + 0.5 - u);
    *dy = f->y[c] + f->aim[c] * (row + 0.5 - v);
    return f->x[c] != 0 || f->y[c] != 0;
}
