/* Leaders: who leads, the first of a group, and the target that it is. */
#include "world_parts.h"

/* The one of the group that came first of those who are there; -1: nobody, or an error. */
static int32_t find_first(throng_world *w, int32_t kind, throng_error *error)
{
    int32_t first = -1;
    const int32_t *group = throng_agents_read(w->agents, THRONG_COLUMN_group, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const int32_t *id = throng_agents_read(w->agents, THRONG_COLUMN_id, error);
    for (int32_t s = 0, slots = throng_agents_slots(w->agents); group && state && id && s < slots; s++)
        if ((state[s] & THRONG_STATE_ALIVE) && group[s] == kind && (first < 0 || id[s] < id[first]))
            first = s;
    return first;
}

int32_t throng_world_leader(throng_world *w, world_leader *leader, throng_error *error)
{
    if (leader->agent.slot < 0 || !throng_agents_alive(w->agents, leader->agent)) {
        int32_t slot = find_first(w, leader->kind, error);
        leader->agent = slot < 0 ? (throng_handle){-1, 0} : throng_agents_handle(w->agents, slot);
    }
    return leader->agent.slot;
}

int32_t throng_world_lead(throng_world *w, world_leader *leader, throng_error *error)
{
    const float *x, *y;
    int32_t slot = throng_world_leader(w, leader, error);
    if (slot < 0) {
        throng_fail(error, "nobody of '%s' is there to be followed: spawn the leader first",
                    throng_world_group_name(w, leader->kind));
        return -1;
    }
    if (!throng_world_places(w, &x, &y, error))
        return -1;
    leader->at = (throng_point){(double)x[slot], (double)y[slot]};
    return throng_world_goal_point(w, leader->at, leader->radius, error);
}
