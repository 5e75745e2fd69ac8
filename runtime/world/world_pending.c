/* Who is still on the way: those who walk to a goal and have not arrived. */
#include "world_parts.h"

bool throng_world_count_pending(throng_world *w, throng_error *error)
{
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    bool machines = w->fsm.table.states > 0;
    const int32_t *machine = machines ? throng_agents_read(w->agents, THRONG_COLUMN_fsm_state, error) : NULL;
    const int32_t *asked = machines ? throng_agents_read(w->agents, THRONG_COLUMN_fsm_asked, error) : NULL;
    throng_counters counters;
    if (!goal || !arrived || !state || (machines && (!machine || !asked)) ||
        !throng_stages_goal_counters(&w->stages, &counters, error))
        return false;
    w->arrivals.pending = 0;
    w->arrivals.pending_at = counters.arrivals;
    w->arrivals.some_had_arrived = false;
    for (int32_t s = 0, slots = throng_agents_slots(w->agents); s < slots; s++) {
        w->arrivals.some_had_arrived |= state[s] && arrived[s] >= 0;
        w->arrivals.pending +=
            state[s] && arrived[s] < 0 && (goal[s] >= 0 || (machines && (machine[s] >= 0 || asked[s] != -1)));
    }
    return true;
}

/* Those of them whom smoke has overcome: nobody waits for them. */
static bool count_overcome(throng_world *w, int64_t *count, throng_error *error)
{
    *count = 0;
    if (!throng_agents_uses(w->agents, THRONG_COLUMN_pace))
        return true;
    const float *pace = throng_agents_read(w->agents, THRONG_COLUMN_pace, error);
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    if (!pace || !goal || !arrived || !state)
        return false;
    for (int32_t s = 0, slots = throng_agents_slots(w->agents); s < slots; s++)
        *count += state[s] && pace[s] == 0 && arrived[s] < 0 && goal[s] >= 0;
    return true;
}

bool throng_world_done(throng_world *w, bool *done, throng_error *error)
{
    throng_counters counters;
    int64_t overcome;
    *done = false;
    if (w->arrivals.expected)
        return true;
    if (w->arrivals.pending == 0 &&
        !w->arrivals.some_had_arrived) { /* nor does anybody arrive: asking would wait for its goals stage */
        *done = w->gone.arrived > 0 || (w->groups.spawned > 0 && throng_agents_count(w->agents) == 0);
        return true;
    }
    if (!throng_stages_goal_counters(&w->stages, &counters, error) || !count_overcome(w, &overcome, error))
        return false;
    *done = w->arrivals.pending - overcome <= (int64_t)(counters.arrivals - w->arrivals.pending_at);
    return true;
}

void throng_world_expect(throng_world *w, int32_t sources) { w->arrivals.expected += sources; }
void throng_world_keep_outside(throng_world *w, int64_t agents) { w->arrivals.outside += agents; }
