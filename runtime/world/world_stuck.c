/* Who is stuck, and the lists of them.
 *
 * The goals stage notes since when an agent makes no progress and counts those who begin to be stuck; only when it has
 * counted some are columns fetched and causes found (stuck_cause.c), on the host, for those few.
 *
 * Who stands in a queue whose head walks on waits, and is not stuck; it is looked at again as long as there are such.
 * Who stands behind those who have arrived where it goes itself gets no nearer, or walks to and fro before them: it has
 * arrived, too.
 *
 * A frame tells who begins to be stuck. Of those who were stuck before it asks no more than whether one of them waits,
 * unless somebody stands at a goal: in a queue of a thousand that was most of a look. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "stuck_parts.h"

const char *const throng_stuck_causes[THRONG_STUCK_CAUSE_COUNT] = {
#define X(name, text) text,
    THRONG_STUCK_CAUSES(X)
#undef X
};

static bool read_columns(throng_world *w, stuck_columns *c, throng_error *error)
{
    throng_agents *a = w->agents;
#define READ(field, column)      (c->field = throng_agents_read(a, THRONG_COLUMN_##column, error))
#define READ_USED(field, column) (!throng_agents_uses(a, THRONG_COLUMN_##column) || READ(field, column))
    *c = (stuck_columns){.waypoint = NULL};
    return READ_USED(pace, pace) && READ_USED(waypoint, waypoint) && READ_USED(exit_edge, exit_edge) &&
           READ_USED(machine, fsm_state) && READ_USED(goal_x, goal_x) && READ_USED(goal_y, goal_y) &&
           READ(state, state) && READ(goal, goal) && READ(since, last_progress_step) && READ(arrived, arrived) &&
           throng_world_places(w, &c->x, &c->y, error) && READ(radius, radius) && READ(wx, desired_vx) &&
           READ(wy, desired_vy);
#undef READ
#undef READ_USED
}

static int64_t still_for(const throng_world *w, int32_t since) { return (int64_t)w->step - 1 - since; }

static bool is_listed(const throng_world *w, const stuck_columns *c, int32_t slot)
{
    int64_t patience = (int64_t)THRONG_STUCK_LOOKS * w->frame.look;
    if (c->pace && c->pace[slot] == 0) /* it has collapsed */
        return false;
    return c->state[slot] && c->since[slot] >= 0 && c->goal[slot] >= 0 && still_for(w, c->since[slot]) >= patience;
}

/* Keeps what was found of the i-th of the list at `kept`, or those apart who are in a queue that is none to report. */
static bool keep(throng_world *w, throng_stuck *list, int32_t i, int32_t *kept, stuck_head head, throng_error *error)
{
    world_stuck *k = &w->stuck;
    k->queued |= head != STUCK_HEAD_STANDS;
    if (head == STUCK_HEAD_STANDS)
        list[(*kept)++] = list[i];
    if (head != STUCK_HEAD_AT_GOAL)
        return true;
    if (!throng_array_reserve((void **)&k->at_goal, &k->at_goal_room, k->at_goal_count + 1, sizeof *k->at_goal))
        return throng_fail(error, "out of memory for a list of agents that stand round their goal");
    k->at_goal[k->at_goal_count++] = list[i].agent;
    return true;
}

static bool begins(const throng_world *w, const throng_stuck *one)
{
    return still_for(w, (int32_t)one->since) == THRONG_STUCK_LOOKS * w->frame.look;
}

/* Of all, or of those that a frame tells and whom it has to ask. */
static bool find_causes(throng_world *w, const stuck_columns *c, bool all, throng_stuck *list, int32_t *count,
                        throng_error *error)
{
    near_points near;
    double largest = 0;
    int32_t slots = throng_agents_slots(w->agents), kept = 0, *before = malloc((size_t)slots * sizeof *before);
    for (int32_t s = 0; s < slots; s++) {
        largest = c->state[s] ? fmax(largest, (double)c->radius[s]) : largest;
        all |= c->state[s] && throng_stuck_stands_arrived(w, c, s);
    }
    bool fine = throng_near_points_open(&near, 2 * largest + STUCK_GAP, slots, error) &&
                (before || throng_fail(error, "out of memory for the queues of %d agents", slots));
    for (int32_t s = slots - 1; fine && s >= 0; s--) {
        before[s] = STUCK_UNASKED;
        if (c->state[s])
            throng_near_points_add(&near, stuck_place(c, s), s);
    }
    for (int32_t i = 0; fine && i < *count; i++) {
        if (!all && w->stuck.queued && !begins(w, &list[i]))
            continue;
        const world_goal *goal = &w->routing.goals[c->goal[list[i].agent.slot]];
        stuck_agent a = {.w = w,
                         .c = c,
                         .near = &near,
                         .before = before,
                         .slot = list[i].agent.slot,
                         .goal = goal,
                         .target = &w->routing.targets[goal->target],
                         .at = list[i].place};
        throng_stuck_direction(c, a.slot, &a.dx, &a.dy);
        list[i].cause = throng_stuck_cause_of(&a);
        stuck_head head = list[i].cause == THRONG_STUCK_CROWD ? throng_stuck_head_of_queue(&a)
                          : list[i].cause == THRONG_STUCK_PLANNER && throng_stuck_goal_is_taken(&a) ? STUCK_HEAD_AT_GOAL
                                                                                                    : STUCK_HEAD_STANDS;
        fine = keep(w, list, i, &kept, head, error);
    }
    throng_near_points_close(&near);
    free(before);
    *count = kept;
    return fine;
}

static bool list_stuck(throng_world *w, bool all, throng_stuck **list, int32_t *room, int32_t *count,
                       throng_error *error)
{
    stuck_columns c;
    *count = w->stuck.at_goal_count = 0;
    w->stuck.queued = false;
    if (!read_columns(w, &c, error))
        return false;
    for (int32_t s = 0; s < throng_agents_slots(w->agents); s++) {
        if (!is_listed(w, &c, s))
            continue;
        if (!throng_array_reserve((void **)list, room, *count + 1, sizeof **list))
            return throng_fail(error, "out of memory for a list of agents that are stuck");
        (*list)[(*count)++] = (throng_stuck){.agent = throng_agents_handle(w->agents, s),
                                             .jam = -1,
                                             .place = stuck_place(&c, s),
                                             .since = (uint32_t)c.since[s]};
    }
    return *count == 0 || find_causes(w, &c, all, *list, count, error);
}

bool throng_world_stuck(throng_world *w, const throng_stuck **list, int32_t *count, throng_error *error)
{
    if (!list_stuck(w, true, &w->stuck.list, &w->stuck.list_room, count, error) ||
        !throng_stuck_number_jams(w->stuck.list, *count, throng_agents_slots(w->agents), error))
        return false;
    *list = w->stuck.list;
    return true;
}

bool throng_world_note_stuck(throng_world *w, throng_error *error)
{
    throng_counters counters;
    world_stuck *k = &w->stuck;
    k->newly_count = 0;
    if (!w->frame.agents || (w->step - 1) % (uint32_t)w->frame.look != 0)
        return true;
    if (!throng_stages_goal_counters(&w->stages, &counters, error))
        return false;
    if (counters.stuck == k->seen && !k->queued)
        return true;
    k->seen = counters.stuck;
    int32_t count;
    if (!list_stuck(w, false, &k->newly, &k->newly_room, &count, error))
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (!begins(w, &k->newly[i]))
            continue;
        k->counts[k->newly[i].cause]++;
        k->newly[k->newly_count++] = k->newly[i];
    }
    return !k->at_goal_count || throng_world_arrive(w, k->at_goal, k->at_goal_count, error);
}

const throng_stuck *throng_world_newly_stuck(const throng_world *w, int32_t *count)
{
    *count = w->stuck.newly_count;
    return w->stuck.newly;
}

void throng_world_free_stuck(throng_world *w)
{
    free(w->stuck.list);
    free(w->stuck.newly);
    free(w->stuck.at_goal);
}
