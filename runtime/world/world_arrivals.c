/* Who arrives and who is removed, and what is counted of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

/* --- arrivals ---------------------------------------------------------------------------------- */

static bool reserve_arrivals(throng_world *w, int32_t room, throng_error *error)
{
    int32_t slots = w->arrivals.room, handles = w->arrivals.room;
    if (!throng_array_reserve((void **)&w->arrivals.slots, &slots, room, sizeof *w->arrivals.slots) ||
        !throng_array_reserve((void **)&w->arrivals.list, &handles, room, sizeof *w->arrivals.list))
        return throng_fail(error, "out of memory for %d arrivals", room);
    w->arrivals.room = handles;
    return true;
}

/* A hook may have sent some of them off again. */
static bool drop_those_sent_off(throng_world *w, int32_t *count, throng_error *error)
{
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    int32_t kept = 0;
    for (int32_t i = 0; arrived && i < *count; i++)
        if (arrived[w->arrivals.slots[i]] == (int32_t)w->step - 1)
            w->arrivals.slots[kept++] = w->arrivals.slots[i];
    *count = kept;
    return arrived != NULL;
}

static bool fetch_arrivals(throng_world *w, throng_error *error)
{
    int32_t count = w->arrivals.room;
    if (!throng_stages_arrivals(&w->stages, w->arrivals.slots, &count, error))
        return false;
    if (count > w->arrivals.room) {
        if (!reserve_arrivals(w, count, error) || !throng_stages_arrivals(&w->stages, w->arrivals.slots, &count, error))
            return false;
    }
    bool hooked = w->phases.called == w->step;
    if (hooked && !drop_those_sent_off(w, &count, error))
        return false;
    for (int32_t i = 0; i < count; i++)
        w->arrivals.list[i] = throng_agents_handle(w->agents, w->arrivals.slots[i]);
    w->arrivals.count = count;
    if (!w->fsm.table.states && !hooked) /* those note arrivals of their own */
        throng_agents_follow(w->agents, THRONG_COLUMN_arrived, w->arrivals.slots, count, (int32_t)w->step - 1);
    return true;
}

bool throng_world_arrivals(throng_world *w, const throng_handle **handles, int32_t *count, throng_error *error)
{
    if (!w->arrivals.known) {
        w->arrivals.count = 0;
        if (w->step && w->frame.agents && !fetch_arrivals(w, error))
            return false;
        w->arrivals.known = true;
    }
    *handles = w->arrivals.list;
    *count = w->arrivals.count;
    return true;
}

bool throng_world_arrive(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    const throng_handle *known;
    int32_t before;
    if (!throng_world_arrivals(w, &known, &before, error) || !reserve_arrivals(w, before + count, error) ||
        !throng_agents_set(w->agents, THRONG_COLUMN_arrived, handles, count, (int32_t)w->step - 1, error))
        return false;
    memcpy(w->arrivals.list + before, handles, (size_t)count * sizeof *handles);
    w->arrivals.count = before + count;
    return throng_world_count_pending(w, error);
}

/* --- removal ----------------------------------------------------------------------------------- */

void throng_world_keep_gone(throng_world *w) { w->gone.kept = true; }

const throng_gone *throng_world_gone(const throng_world *w, int32_t *count)
{
    *count = w->gone.count;
    return w->gone.list;
}

static bool reserve_gone(throng_world *w, int32_t more, throng_error *error)
{
    return !w->gone.kept ||
           throng_array_reserve((void **)&w->gone.list, &w->gone.room, (int64_t)w->gone.count + more,
                                sizeof *w->gone.list) ||
           throng_fail(error, "out of memory for the arrivals of %d agents", w->gone.count + more);
}

/* Keeps what the summary will say of an agent that goes, and the hash of who went when. */
static void note_gone(throng_world *w, int32_t id, int32_t arrived, int32_t born)
{
    w->gone.hash = throng_world_mix(w->gone.hash, (uint64_t)(uint32_t)id << 32 | (uint32_t)arrived);
    if (arrived < 0)
        return;
    double travel = (arrived - born) * w->dt;
    if (w->gone.kept)
        w->gone.list[w->gone.count++] = (throng_gone){id, arrived};
    w->gone.arrived++;
    w->gone.travel += travel;
    w->gone.worst = fmax(w->gone.worst, travel);
    w->gone.first = w->gone.first < 0 || arrived < w->gone.first ? arrived : w->gone.first;
    w->gone.last = arrived > w->gone.last ? arrived : w->gone.last;
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
    w->arrivals.pending -= waited_for;
    return w->fsm.table.states == 0 || throng_world_count_pending(w, error);
}

int32_t throng_world_remove(throng_world *w, const throng_handle *handles, int32_t count, throng_error *error)
{
    const int32_t *arrived = throng_agents_read(w->agents, THRONG_COLUMN_arrived, error);
    const int32_t *goal = throng_agents_read(w->agents, THRONG_COLUMN_goal, error);
    const int32_t *born;
    if (!arrived || !goal || !read_births(w, &born, error) || !reserve_gone(w, count, error) ||
        !throng_agents_reserve_removals(w->agents, count, error) ||
        !throng_world_leave_companies(w, handles, count, error))
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
    world_phases_restart(&w->phases);
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

bool throng_world_count_arrived(throng_world *w, int32_t *count, throng_error *error)
{
    throng_world_stats s = {.arrived = w->gone.arrived};
    int32_t first = -1, last = -1;
    bool counted = count_living(w, &s, &first, &last, error);
    *count = s.arrived;
    return counted;
}

bool throng_world_get_stats(throng_world *w, throng_world_stats *stats, throng_error *error)
{
    throng_world_stats s = {.spawned = w->groups.spawned,
                            .living = throng_agents_count(w->agents),
                            .arrived = w->gone.arrived,
                            .outside = w->arrivals.outside,
                            .bodies = w->bodies.all ? throng_bodies_count(w->bodies.all) : 0,
                            .mean_travel = w->gone.travel,
                            .worst_travel = w->gone.worst};
    int32_t first = w->gone.first, last = w->gone.last;
    if (!count_living(w, &s, &first, &last, error) || !throng_stages_counters(&w->stages, &s.counters, error))
        return false;
    memcpy(s.stuck, w->stuck.counts, sizeof s.stuck);
    s.mean_travel = s.arrived ? s.mean_travel / s.arrived : NAN;
    s.worst_travel = s.arrived ? s.worst_travel : NAN;
    s.first_arrival = first < 0 ? NAN : first * w->dt;
    s.last_arrival = last < 0 ? NAN : last * w->dt;
    double steps = w->step ? w->step : 1;
    s.ms_per_step = 1e3 * (w->times.steps + w->stages.waited) / steps;
    for (int i = 0; i < THRONG_STAGE_COUNT; i++)
        s.stage_ms[i] = 1e3 * w->times.stage[i] / steps;
    *stats = s;
    return true;
}
