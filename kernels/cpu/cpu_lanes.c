/* The kernel bodies over ranges of agents, for one lane width (THRONG_LANES). */
#include <stddef.h>

#include "cpu.h"
#include "kernels/routing/desire.h"
#include "kernels/behaviour/fsm.h"
#include "kernels/routing/progress.h"
#include "kernels/planners/latency.h"
#include "kernels/contacts/guard.h"
#include "kernels/contacts/move.h"
#include "kernels/contacts/shoulders.h"
#include "kernels/contacts/warm_start.h"
#include "kernels/sense/neighbours_packed.h"
#include "kernels/sense/together.h"
#include "kernels/planners/plan.h"
#include "kernels/behaviour/program.h"

#define PASTE(a, b)  a##b
#define TABLE(lanes) PASTE(cpu_lanes_, lanes)
#ifndef THRONG_TABLE
#define THRONG_TABLE THRONG_LANES
#endif

/* The lanes of the vector at `first` that lie before `end`. */
static inline lane_m within(int32_t first, int32_t end) { return lane_iota(first) < end; }

/* Sort key of a slot: its cell's row and column, wrapped into the grid; the dead have the last of twice as many, see
 * sort_by_cell. */
static void keys(const crowd *c, int32_t *key, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES) {
        lane_f x = lane_load(c->x + i), y = lane_load(c->y + i);
        sheets_lay_out(c, lane_iota(i), &x, &y);
        lane_i column = crowd_column(c, x) & (c->frame.grid_width - 1);
        lane_i row = crowd_row(c, y) & (c->frame.grid_height - 1);
        lane_m alive = lane_load_i(c->state + i) != 0;
        lane_i dead = lane_set_i(2 * c->frame.grid_width * c->frame.grid_height);
        lane_store_i(key + i, lane_select_i(alive, row * c->frame.grid_width + column, dead), within(i, end));
    }
}

static void gather(const crowd *c, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES) {
        lane_m lanes = within(i, end);
        lane_i slot = crowd_slots(c, i, lanes);
        lane_store(c->sx + i, lane_gather(c->x, slot), lanes);
        lane_store(c->sy + i, lane_gather(c->y, slot), lanes);
        lane_store(c->svx + i, lane_gather(c->vx, slot), lanes);
        lane_store(c->svy + i, lane_gather(c->vy, slot), lanes);
        lane_store(c->sr + i, stadium_planned(c, slot), lanes);
        if (c->sheets.count)
            lane_store_i(c->sheet + i, sheets_of(c, slot), lanes);
    }
}

/* Agents to whom something happens wait here until there are vectors of them. */
enum { EVENTS = 128 };
typedef struct event_queue {
    int32_t slot[EVENTS + 2 * LANES], event[EVENTS + 2 * LANES];
    int waiting;
} event_queue;

/* Does what waits, but for what does not fill a vector unless `all`. */
static __attribute__((noinline)) void act(const crowd *c, const throng_fsm *f, event_queue *q, bool all,
                                          cpu_tally *tally)
{
    int from = 0;
    for (; from + LANES <= q->waiting || (all && from < q->waiting); from += LANES) {
        lane_m lanes = within(from, q->waiting);
        lane_i slot = lane_select_i(lanes, lane_load_i(q->slot + from), lane_set_i(q->slot[from]));
        lane_i event = lane_load_i(q->event + from);
        tally->transitions += lane_count(lanes & (event != FSM_RENEWS));
        fsm_act(c, f, slot, event, lanes);
    }
    int left = q->waiting > from ? q->waiting - from : 0;
    memmove(q->slot, q->slot + from, (size_t)left * sizeof *q->slot);
    memmove(q->event, q->event + from, (size_t)left * sizeof *q->event);
    q->waiting = left;
}

static void run_machines(const crowd *c, const throng_fsm *f, int32_t begin, int32_t end, cpu_tally *tally)
{
    event_queue q = {.waiting = 0};
    for (int32_t i = begin; i < end; i += LANES) {
        lane_i event;
        lane_m last;
        tally->stuck += lane_count(progress_look(c, f, i, within(i, end)));
        fsm_events(c, f, i, within(i, end), &event, &last);
        tally->arrivals += lane_count(last);
        lane_m happens = event != FSM_NOTHING;
        for (; lane_any(happens); happens = happens & lane_not(lane_only_first(happens))) {
            q.slot[q.waiting] = lane_first_i(lane_iota(i), happens);
            q.event[q.waiting++] = lane_first_i(event, happens);
        }
        if (q.waiting >= EVENTS)
            act(c, f, &q, false, tally);
    }
    act(c, f, &q, true, tally);
}

static void goals(const crowd *c, const throng_fsm *f, int32_t begin, int32_t end, cpu_tally *tally)
{
    if (f->states)
        run_machines(c, f, begin, end, tally);
    else
        for (int32_t i = begin; i < end; i += LANES) {
            tally->stuck += lane_count(progress_look(c, NULL, i, within(i, end)));
            tally->arrivals += lane_count(goals_arrive(c, i, within(i, end)));
        }
}

/* Out of line: it is large, and the same code for all targets. */
static __attribute__((noinline)) void run_programs(const crowd *c, const throng_programs *p, int32_t from, int32_t to,
                                                   int32_t begin, int32_t end, cpu_tally *tally)
{
    for (int32_t i = begin; from < to && i < end; i += PROGRAM_TILE) {
        program_faults faults = program_stage(c, p, from, to, i, end);
        tally->undefined += faults.undefined;
        tally->limited += faults.limited;
    }
}

static void desire(const crowd *c, const throng_programs *p, int32_t begin, int32_t end, cpu_tally *tally)
{
    run_programs(c, p, 0, p->parameters, begin, end, tally);
    for (int32_t i = begin; i < end; i += LANES)
        desire_stage(c, i, within(i, end));
    run_programs(c, p, p->parameters, p->targets, begin, end, tally);
}

#if LANES == 1
static void sense_neighbours(const crowd *c, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        neighbours_sense(c, c->k, i, true);
}
#else
/* Lists of 5, 10 or 16, with one entry more: their lengths are constants, so that they live in registers. */
#define SENSE(n)                                                                                                       \
    static __attribute__((noinline)) void sense_##n(const crowd *c, lane_i me, int32_t first, lane_m lanes)            \
    {                                                                                                                  \
        packed_sense(c, c->k, (n) + 1, me, first, lanes);                                                              \
    }
SENSE(5)
SENSE(10)
SENSE(16)

static void sense_neighbours(const crowd *c, int32_t begin, int32_t end)
{
    together t;
    together_begin(&t, c->k <= 5 ? sense_5 : c->k <= 10 ? sense_10 : sense_16);
    for (int32_t i = begin; i < end; i += LANES)
        together_add(c, &t, i, within(i, end));
    together_end(c, &t);
}
#endif

static void sense(const crowd *c, int32_t begin, int32_t end)
{
    if (c->k > 0)
        sense_neighbours(c, begin, end);
    for (int32_t i = begin; c->walls.count && i < end; i += LANES)
        walls_sense(c, i, within(i, end));
}

/* --- ORCA ------------------------------------------------------------------------ */

/* Agents whose program has no solution wait here until a whole vector of them
 * can be relaxed at once: about one in six in a crowd of one agent a square metre. */
typedef struct infeasible {
    orca_problem problem;
    int32_t agent[LANES];
    int waiting;
} infeasible;

static inline float *lane_at(lane_f *vector, int lane) { return (float *)vector + lane; }

static void infeasible_relax(const crowd *c, infeasible *q)
{
    if (!q->waiting)
        return;
    orca_problem *p = &q->problem;
    lane_m lanes = lane_iota(0) < q->waiting;
    orca_program3(&p->lines, p->walls, p->count, p->failed, p->max_speed, lanes, &p->vx, &p->vy);
    for (int l = 0; l < q->waiting; l++) {
        c->nx[q->agent[l]] = *lane_at(&p->vx, l);
        c->ny[q->agent[l]] = *lane_at(&p->vy, l);
    }
    q->waiting = 0;
    p->walls = p->count = 0;
}

static void infeasible_add_line(orca_lines *to, int line, int lane, orca_lines *from, int from_line, int from_lane)
{
    *lane_at(&to->px[line], lane) = *lane_at(&from->px[from_line], from_lane);
    *lane_at(&to->py[line], lane) = *lane_at(&from->py[from_line], from_lane);
    *lane_at(&to->dx[line], lane) = *lane_at(&from->dx[from_line], from_lane);
    *lane_at(&to->dy[line], lane) = *lane_at(&from->dy[from_line], from_lane);
}

/* Vectors with as many wall lines as each other wait together; others flush first. */
static void infeasible_add(const crowd *c, infeasible *q, orca_problem *p, int lane, int32_t agent)
{
    if (q->waiting && q->problem.walls != p->walls)
        infeasible_relax(c, q);
    orca_problem *to = &q->problem;
    int l = q->waiting++;
    for (int line = to->count; line < p->count; line++)
        to->lines.px[line] = to->lines.py[line] = to->lines.dx[line] = to->lines.dy[line] = lane_set(0);
    to->walls = p->walls;
    to->count = p->count > to->count ? p->count : to->count;
    for (int line = 0; line < p->count; line++)
        infeasible_add_line(&to->lines, line, l, &p->lines, line, lane);
    for (int line = p->count; line < to->count; line++)
        *lane_at(&to->lines.dx[line], l) = *lane_at(&to->lines.dy[line], l) = 0;
    *lane_at(&to->vx, l) = *lane_at(&p->vx, lane);
    *lane_at(&to->vy, l) = *lane_at(&p->vy, lane);
    *lane_at(&to->max_speed, l) = *lane_at(&p->max_speed, lane);
    ((int32_t *)&to->failed)[l] = ((int32_t *)&p->failed)[lane];
    q->agent[l] = agent;
    if (q->waiting == LANES)
        infeasible_relax(c, q);
}

static inline void solve_orca(const crowd *c, int32_t first, lane_m lanes, lane_f dx, lane_f dy, infeasible *q)
{
    orca_problem p;
    orca_solve(c, c->k, c->walls.count > 0, first, lanes, dx, dy, &p);
    lane_store(c->nx + first, p.vx, lanes);
    lane_store(c->ny + first, p.vy, lanes);
    lane_m failed = lanes & (p.failed < p.count);
    for (; lane_any(failed); failed = failed & lane_not(lane_only_first(failed))) {
        int32_t agent = lane_first_i(lane_iota(first), failed);
        infeasible_add(c, q, &p, agent - first, agent);
    }
}

/* --- ClearPath ------------------------------------------------------------------- */

/* Agents that need another attempt wait here until there is a vector of them. */
typedef struct clearpath_again {
    int32_t i[LANES], used[LANES];
    float desired_x[LANES], desired_y[LANES], part[LANES];
    int waiting;
} clearpath_again;

static void again_solve(const crowd *c, clearpath_again *a);

static void again_add(const crowd *c, clearpath_again *a, const clearpath_task *t, int lane)
{
    while (a->waiting == LANES)
        again_solve(c, a);
    int at = a->waiting++;
    a->i[at] = ((const int32_t *)&t->i)[lane];
    a->used[at] = ((const int32_t *)&t->used)[lane];
    a->desired_x[at] = ((const float *)&t->desired_x)[lane];
    a->desired_y[at] = ((const float *)&t->desired_y)[lane];
    a->part[at] = ((const float *)&t->part)[lane];
}

/* Attempts, and leaves those that failed with the others that wait. */
static void attempt(const crowd *c, clearpath_again *a, clearpath_task *t, lane_m lanes)
{
    lane_m fails = clearpath_solve(c, c->k, c->walls.count > 0, lanes, t);
    lane_m done = lanes & lane_not(fails);
    lane_scatter(c->nx, t->i, t->vx, done);
    lane_scatter(c->ny, t->i, t->vy, done);
    for (; lane_any(fails); fails = fails & lane_not(lane_only_first(fails)))
        again_add(c, a, t, lane_first_i(lane_iota(0), fails));
}

static void again_solve(const crowd *c, clearpath_again *a)
{
    lane_m lanes = lane_iota(0) < a->waiting;
    lane_i at = lane_select_i(lanes, lane_iota(0), lane_set_i(0));
    clearpath_task t = {.i = lane_gather_i(a->i, at),
                        .desired_x = lane_gather(a->desired_x, at),
                        .desired_y = lane_gather(a->desired_y, at),
                        .used = lane_gather_i(a->used, at),
                        .part = lane_gather(a->part, at)};
    a->waiting = 0;
    attempt(c, a, &t, lanes);
}

/* --- planners by their rows ------------------------------------------------------- */

/* Agents that wait for others like them. */
typedef struct queues {
    infeasible orca;
    clearpath_again clearpath;
} queues;

#define RUN(name)                                                                                                      \
    static void run_##name(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f dx, lane_f dy, queues *q)

RUN(orca)
{
    (void)slot;
    solve_orca(c, first, lanes, dx, dy, &q->orca);
}

RUN(clearpath)
{
    (void)slot;
    clearpath_task t = clearpath_first_task(c, first, lanes, dx, dy);
    attempt(c, &q->clearpath, &t, lanes);
}

RUN(rvo)
{
    (void)slot, (void)q;
    rvo_best best;
    lane_i i = lane_select_i(lanes, lane_iota(first), lane_set_i(first));
    rvo_solve(c, c->k, c->walls.count > 0, i, lanes, dx, dy, &best);
    lane_store(c->nx + first, best.vx, lanes);
    lane_store(c->ny + first, best.vy, lanes);
}

/* Out of line, so that what many planners need is not on the stack of all. */
#define SIMPLE(name)                                                                                                   \
    __attribute__((noinline)) RUN(name)                                                                                \
    {                                                                                                                  \
        (void)q;                                                                                                       \
        plan_##name(c, first, lanes, slot, dx, dy);                                                                    \
    }
SIMPLE(forces)
SIMPLE(bvp)
#define DEFINE_simple(name)   SIMPLE(name)
#define DEFINE_own(name)      /* above */
#define X(name, columns, how) DEFINE_##how(name)
THRONG_PLANNERS(X)
#undef X

static void show(const crowd *c, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        plan_show(c, i, within(i, end));
}

static void plan(const crowd *c, int32_t begin, int32_t end)
{
    queues q;
    q.orca.waiting = q.clearpath.waiting = 0;
    q.orca.problem.walls = q.orca.problem.count = 0;
    for (int32_t i = begin; i < end; i += LANES) {
        lane_m lanes = within(i, end);
        lane_i slot = crowd_slots(c, i, lanes);
        lane_i kind = crowd_planner_kind(c, lane_gather_i(c->planner, slot));
        lane_f dx, dy;
        plan_desired(c, i, lanes, slot, &dx, &dy);
        for (uint32_t left = c->frame.planners; left; left &= left - 1) {
            int32_t planner = __builtin_ctz(left);
            lane_m mine = lanes & (kind == planner);
            if (!lane_any(mine))
                continue;
            switch (planner) {
#define X(name, columns, how)                                                                                          \
    case THRONG_PLANNER_##name: run_##name(c, i, mine, slot, dx, dy, &q); break;
                THRONG_PLANNERS(X)
#undef X
            }
        }
    }
    infeasible_relax(c, &q.orca);
    while (q.clearpath.waiting)
        again_solve(c, &q.clearpath);
    for (int32_t i = begin; i < end && walk_acts(c); i += LANES)
        walk_stage(c, i, within(i, end));
}

static void split(const crowd *c, const crowd *ahead, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        latency_split(c, ahead, i, within(i, end));
}

static void join(const crowd *c, const crowd *ahead, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        latency_join(c, ahead, i, within(i, end));
}

/* --- contacts -------------------------------------------------------------------- */

static void begin_contacts(const crowd *c, contacts *k, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        contacts_begin(c, k, i, within(i, end));
}

static void turn_shoulders(const crowd *c, contacts *k, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        shoulders_turn(c, k, i, within(i, end));
}

static void keep_shoulders(const crowd *c, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES)
        shoulders_keep(c, i, within(i, end));
}

/* Who appends to lists does so through batches of its own. */
typedef struct appender {
    contacts k;
    contacts_batch active, next;
} appender;

static contacts *append_to(appender *mine, const contacts *k)
{
    mine->k = *k;
    mine->active.count = mine->next.count = 0;
    mine->k.active_batch = &mine->active;
    mine->k.next_batch = &mine->next;
    return &mine->k;
}

static void flush(appender *mine)
{
    contacts_flush(&mine->active, mine->k.active, mine->k.active_count);
    contacts_flush(&mine->next, mine->k.next, mine->k.next_count);
}

static void detect(const crowd *c, contacts *k, int32_t begin, int32_t end, cpu_tally *tally)
{
    appender own;
    contacts *mine = append_to(&own, k);
    contacts_visitor v = {.worst = lane_set(tally->worst_ratio)};
    for (int32_t i = begin; i < end; i += LANES) {
        lane_m lanes = within(i, end);
        contacts_detect(c, mine, i, lanes, &v);
        warm_start_recall(c, mine, lane_select_i(lanes, lane_iota(i), lane_set_i(i)), lanes);
    }
    flush(&own);
    tally->overlaps += v.overlaps;
    tally->conflicts += v.conflicts;
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        tally->conflicts_of[kind] += v.conflicts_of[kind];
    tally->worst_ratio = -lane_greatest(-v.worst, lane_not(lane_none()), -1);
}

/* The agents at [first, ...) of a list; lanes beyond its end repeat the first. */
static inline lane_i listed(const int32_t *list, int32_t first, lane_m lanes)
{
    return lane_gather_i(list, lane_select_i(lanes, lane_iota(first), lane_set_i(first)));
}

/* Of blocks that have nobody on the list only that is looked at. */
static void list(const crowd *c, contacts *k, int32_t begin, int32_t end, int32_t turn)
{
    enum { BLOCK = 1 << CONTACTS_BLOCK_BITS };
    appender own;
    contacts *mine = append_to(&own, k);
    for (int32_t block = begin; block < end; block += BLOCK)
        if (k->marked[block >> CONTACTS_BLOCK_BITS] == turn || k->watched[block >> CONTACTS_BLOCK_BITS])
            for (int32_t i = block; i < block + BLOCK && i < end; i += LANES)
                contacts_list_marked(c, mine, i, within(i, end), turn);
    flush(&own);
}

/* A copy each, so that not every value of an agent asks where it lies. */
static void iterate_near(const crowd *c, contacts *k, lane_row row, cpu_scalar beta, int32_t turn)
{
    row.near = true;
    solver_iterate(c, k, &row, beta, turn);
}

static void iterate_far(const crowd *c, contacts *k, lane_row row, cpu_scalar beta, int32_t turn)
{
    row.near = false;
    solver_iterate(c, k, &row, beta, turn);
}

static void iterate(const crowd *c, contacts *k, int32_t begin, int32_t end, cpu_scalar beta, int32_t turn)
{
    for (int32_t a = begin; a < end; a += LANES) {
        lane_row row = lane_row_of(listed(k->list, a, within(a, end)), within(a, end));
        if (row.near)
            iterate_near(c, k, row, beta, turn);
        else
            iterate_far(c, k, row, beta, turn);
    }
}

static void keep(const crowd *c, contacts *k, int32_t begin, int32_t end)
{
    for (int32_t a = begin; a < end; a += LANES)
        warm_start_keep(c, k, listed(k->active, a, within(a, end)), within(a, end));
}

static void cut(const crowd *c, contacts *k, int32_t begin, int32_t end)
{
    appender own;
    contacts *mine = append_to(&own, k);
    for (int32_t a = begin; a < end; a += LANES) {
        lane_i i = listed(k->active, a, within(a, end));
        contacts_guard_lanes(mine, i, solver_cut(c, mine, i, within(a, end)));
    }
    flush(&own);
}

static void guard_active(const crowd *c, contacts *k, int32_t begin, int32_t end)
{
    (void)c;
    appender own;
    contacts *mine = append_to(&own, k);
    for (int32_t a = begin; a < end; a++)
        contacts_guard(mine, k->active[a]);
    flush(&own);
}

static void guard(const crowd *c, contacts *k, int32_t begin, int32_t end, cpu_tally *tally)
{
    appender own;
    contacts *mine = append_to(&own, k);
    for (int32_t a = begin; a < end; a += LANES)
        tally->held += solver_guard(c, mine, listed(k->next, a, within(a, end)), within(a, end));
    flush(&own);
}

static void hold(const crowd *c, contacts *k, int32_t begin, int32_t end, cpu_tally *tally)
{
    (void)c;
    for (int32_t a = begin; a < end; a += LANES)
        tally->held += lane_count(solver_hold(k, listed(k->next, a, within(a, end)), within(a, end)));
}

static void move(const crowd *c, const contacts *k, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i += LANES) {
        move_stage(c, k, k->a, i, within(i, end));
        contacts_return(c, k, i, within(i, end));
    }
}

const cpu_lanes TABLE(THRONG_TABLE) = {
    .lanes = LANES,
    .keys = keys,
    .gather = gather,
    .goals = goals,
    .desire = desire,
    .sense = sense,
    .show = show,
    .plan = plan,
    .latency_split = split,
    .latency_join = join,
    .contacts_begin = begin_contacts,
    .shoulders_turn = turn_shoulders,
    .shoulders_keep = keep_shoulders,
    .contacts_detect = detect,
    .contacts_list = list,
    .solver_iterate = iterate,
    .warm_start_keep = keep,
    .solver_cut = cut,
    .guard_active = guard_active,
    .solver_guard = guard,
    .solver_hold = hold,
    .move = move,
};
