/* Who arrives and who is removed, and what is counted of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

/* --- arrivals ---------------------------------------------------------------------------------- */

static bool reserve_arrivals(throng_world *w, int32_t room, throng_error *error)
{
    int32_t slots = w->arrival_room, handles = w->arrival_room;
    if (!throng_array_reserve((void **)&w->arrival_slots, &slots, room, sizeof *w->arrival_slots) ||
        !throng_array_reserve((void **)&w->arrivals, &handles, room, sizeof *w->arrivals))
        return throng_fail(error, "out of memory for %d arrivals", room);
    w->arrival_room = handles;
    return true;
}

/* A hook may have sent some of them off again. */
static bool drop_those_sent_off(throng_world *w, int32_t *count, throng_error *error)
{
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    int32_t kept = 0;
    for (int32_t i = 0; arrived && i < *count; i++)
        if (arrived[w->arrival_slots[i]] == (int32_t)w->step - 1)
            w->arrival_slots[kept++] = w->arrival_slots[i];
    *count = kept;
    return arrived != NULL;
}

static bool fetch_arrivals(throng_world *w, throng_error *error)
{
    int32_t count = w->arrival_room;
    if (!throng_stages_arrivals(&w->stages, w->arrival_slots, &count, error))
        return false;
    if (count > w->arrival_room) {
        if (!reserve_arrivals(w, count, error) || !throng_stages_arrivals(&w->stages, w->arrival_slots, &count, error))
            return false;
    }
    bool hooked = w->phases.called == w->step;
    if (hooked && !drop_those_sent_off(w, &count, error))
        return false;
    for (int32_t i = 0; i < count; i++)
        w->arrivals[i] = throng_agents_handle(w->agents, w->arrival_slots[i]);
    w->arrival_count = count;
    if (!w->fsm.table.states && !hooked) /* those note arrivals of their own */
        throng_agents_follow(w->agents, THRONG_COLUMN_arrived, w->arrival_slots, count, (int32_t)w->step - 1);
    return true;
}

bool throng_world_arrivals(throng_world *w, const throng_handle **handles, int32_t *count, throng_error *error)
{
    if (!w->arrivals_known) {
        w->arrival_count = 0;
        if (w->step && w->frame.agents && !fetch_arrivals(w, error))
            return false;
        w->arrivals_known = true;
    }
    *handles = w->arrivals;
    *count = w->arrival_count;
    return true;
}

bool throng_world_done(throng_world *w, bool *done, throng_error *error)
{
    throng_counters counters;
    *done = false;
    if (w->expected)
        return true;
    if (w->pending == 0 && !w->some_had_arrived) { /* nor does anybody arrive: asking would wait for its goals stage */
        *done = w->gone_arrived > 0 || (w->spawned > 0 && throng_agents_count(w->agents) == 0);
        return true;
    }
    if (!throng_stages_goal_counters(&w->stages, &counters, error))
        return false;
    *done = w->pending <= (int64_t)(counters.arrivals - w->pending_at);
    return true;
}

void throng_world_expect(throng_world *w, int32_t sources) { w->expected += sources; }

/* --- removal ----------------------------------------------------------------------------------- */

/* Keeps what the summary will say of an agent that goes, and the hash of who went when. */
static void note_gone(throng_world *w, int32_t id, int32_t arrived, int32_t born)
{
    w->gone_hash = throng_world_mix(w->gone_hash, (uint64_t)(uint32_t)id << 32 | (uint32_t)arrived);
    if (arrived < 0)
        return;
    double travel = (arrived - born) * w->dt;
    w->gone_arrived++;
    w->gone_travel += travel;
    w->gone_worst = fmax(w->gone_worst, travel);
    w->gone_first = w->gone_first < 0 || arrived < w->gone_first ? arrived : w->gone_first;
    w->gone_last = arrived > w->gone_last ? arrived : w->gone_last;
}

/* Everybody's step of birth, or NULL: all were there from the beginning. */
static bool read_births(throng_world *w, const int32_t **born, throng_error *error)
{
    *born = NULL;
    return !throng_agents_uses(w->agents, THRONG_COLUMN_born) ||
           (*born = throng_agents_read(w->agents, THRONG_COLUMN_born, error));
}

/* Those who go have arrived, or are waited for no longer. Machines' agents are counted again. */
static bool forget_pending(throng_world *w, int64_t waited_for, throng_error *error)
{
    w->pending -= waited_for;
    return w->fsm.table.states == 0 || throng_world_count_pending(w, error);
}

int32_t throng_world_remove(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *born;
    if (!arrived || !goal || !read_births(w, &born, error) || !throng_agents_reserve_removals(w->agents, count, error))
        return -1;
    int32_t gone = 0, waited_for = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!throng_agents_alive(w->agents, handles[i]))
            continue;
        int32_t slot = handles[i].slot;
        note_gone(w, throng_agents_id(w->agents, slot), arrived[slot], born ? born[slot] : 0);
        waited_for += arrived[slot] < 0 && goal[slot] >= 0;
        if (!throng_world_limits_without(w, slot, error))
            return -1;
        if (!throng_agents_remove(w->agents, handles[i])) {
            throng_fail(error, "an agent could not be removed");
            return -1;
        }
        gone++;
    }
    w->phases.ready = 0;
    return gone == 0 || forget_pending(w, waited_for, error) ? gone : -1;
}

/* --- statistics -------------------------------------------------------------------------------- */

static bool count_living(throng_world *w, throng_world_stats *s, int32_t *first, int32_t *last, throng_error *error)
{
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    const int32_t *state = throng_agents_read(w->agents, THRONG_COLUMN_state, error);
    const int32_t *born;
    if (!arrived || !state || !read_births(w, &born, error))
        return false;
    for (int32_t i = 0; i < throng_agents_slots(w->agents); i++) {
        if (!state[i] || arrived[i] < 0)
            continue;
        double travel = (arrived[i] - (born ? born[i] : 0)) * w->dt;
        s->arrived++;
        s->mean_travel += travel;
        s->worst_travel = fmax(s->worst_travel, travel);
        *first = *first < 0 || arrived[i] < *first ? arrived[i] : *first;
        *last = arrived[i] > *last ? arrived[i] : *last;
    }
    return true;
}

bool throng_world_get_stats(throng_world *w, throng_world_stats *stats, throng_error *error)
{
    throng_world_stats s = {.spawned = w->spawned,
                            .living = throng_agents_count(w->agents),
                            .arrived = w->gone_arrived,
                            .bodies = w->bodies ? throng_bodies_count(w->bodies) : 0,
                            .mean_travel = w->gone_travel,
                            .worst_travel = w->gone_worst};
    int32_t first = w->gone_first, last = w->gone_last;
    if (!count_living(w, &s, &first, &last, error) || !throng_stages_counters(&w->stages, &s.counters, error))
        return false;
    memcpy(s.stuck, w->stuck.counts, sizeof s.stuck);
    s.mean_travel = s.arrived ? s.mean_travel / s.arrived : NAN;
    s.worst_travel = s.arrived ? s.worst_travel : NAN;
    s.first_arrival = first < 0 ? NAN : first * w->dt;
    s.last_arrival = last < 0 ? NAN : last * w->dt;
    double steps = w->step ? w->step : 1;
    s.ms_per_step = 1e3 * (w->seconds + w->stages.waited) / steps;
    for (int i = 0; i < THRONG_STAGE_COUNT; i++)
        s.stage_ms[i] = 1e3 * w->stage_seconds[i] / steps;
    *stats = s;
    return true;
}
