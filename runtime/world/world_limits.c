/* The extremes of what living agents have, which the frame is told: see throng_frame.
 *
 * They are looked for again when a column that they come from was written. Who leaves writes to `state`, and in an
 * evacuation somebody leaves in nearly every frame; so it is counted how many have each extreme, and of those who leave
 * only the last who has one makes everybody be looked through. */
#include <string.h>

#include "world_parts.h"

bool throng_world_is_sensed(int column)
{
    return throng_column_in(throng_columns_with(THRONG_BOUNDS | THRONG_SENSED), column);
}

/* The columns, as the host has them. */
typedef struct limited {
    world_sizes size;
    const float *speed, *sight, *horizon; /* horizon: NULL: all have the same */
    const int32_t *neighbours, *planner, *state;
} limited;

static bool read_limited(throng_world *w, limited *of, throng_error *error)
{
    throng_agents *a = w->agents;
    bool own_horizons = throng_agents_uses(a, THRONG_COLUMN_wall_horizon);
    *of = (limited){.speed = throng_agents_read(a, THRONG_COLUMN_max_speed, error),
                    .sight = throng_agents_read(a, THRONG_COLUMN_sight, error),
                    .horizon = own_horizons ? throng_agents_read(a, THRONG_COLUMN_wall_horizon, error) : NULL,
                    .neighbours = throng_agents_read(a, THRONG_COLUMN_neighbours, error),
                    .planner = throng_agents_read(a, THRONG_COLUMN_planner, error),
                    .state = throng_agents_read(a, THRONG_COLUMN_state, error)};
    return throng_world_read_sizes(a, &of->size, error) && of->speed && of->sight && (of->horizon || !own_horizons) &&
           of->neighbours && of->planner && of->state;
}

static float wall_reach(const limited *of, int32_t slot)
{
    const float same = (float)throng_columns[THRONG_COLUMN_wall_horizon].initial;
    return (of->horizon ? of->horizon[slot] : same) * of->speed[slot] + throng_world_reach(&of->size, slot);
}

static void take(world_limit *limit, float value)
{
    if (value > limit->most)
        *limit = (world_limit){value, 0};
    limit->have += value == limit->most;
}

/* The agents who have most of something, m, most first. */
typedef struct largest {
    float value[THRONG_LARGE_MAX + 1];
    int32_t slot[THRONG_LARGE_MAX + 1], count;
} largest;

static void take_largest(largest *l, float value, int32_t slot)
{
    if (l->count > THRONG_LARGE_MAX && value <= l->value[THRONG_LARGE_MAX])
        return;
    int32_t at = l->count > THRONG_LARGE_MAX ? THRONG_LARGE_MAX : l->count++;
    for (; at > 0 && l->value[at - 1] < value; at--) {
        l->value[at] = l->value[at - 1];
        l->slot[at] = l->slot[at - 1];
    }
    l->value[at] = value;
    l->slot[at] = slot;
}

#define LARGE 3 /* times what all but a few have: who has more counts apart */

/* How many count apart. */
static int32_t count_large(const largest *of)
{
    int32_t count = 0;
    if (of->count > THRONG_LARGE_MAX)
        while (count < THRONG_LARGE_MAX && of->value[count] > LARGE * of->value[THRONG_LARGE_MAX])
            count++;
    return count;
}

/* The most that anybody but these has. */
static float most_of_bulk(const largest *of) { return of->count ? of->value[count_large(of)] : 0; }

/* A few who are much larger than all others are looked at by everybody, one by one. Cells, and how far everybody looks
 * for whom it could touch, go by the others: one agent of 100 m among 20,000 of .1 m made a step of 4 s. So do the
 * grids over walls: those to whom walls matter much farther off look through all of them. */
static void part_large(world_limits *l, const largest *radii, const largest *reaches)
{
    l->large_count = count_large(radii);
    memcpy(l->large, radii->slot, (size_t)l->large_count * sizeof *l->large);
    l->bulk_radius = most_of_bulk(radii);
    l->bulk_wall_reach = most_of_bulk(reaches);
}

static float larger(float a, float b) { return a > b ? a : b; }

static void tell_frame(throng_world *w)
{
    const world_limits *l = &w->limits;
    throng_frame *f = &w->frame;
    f->radius = l->radius.most;
    f->bulk_radius = l->bulk_radius;
    f->large_count = l->large_count;
    memcpy(f->large, l->large, sizeof f->large);
    f->max_speed = l->speed.most;
    f->sight = l->sight.most;
    f->neighbours = (int32_t)l->neighbours.most;
    f->wall_reach = larger(l->bulk_wall_reach, f->bulk_radius + f->max_speed * f->dt * 1.01f);
    f->planners = 0;
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        f->planners |= (uint32_t)(l->planners[kind] > 0) << kind;
}

static bool find(throng_world *w, throng_error *error)
{
    limited of;
    if (!read_limited(w, &of, error))
        return false;
    world_limits *l = &w->limits;
    largest radii = {.count = 0}, reaches = {.count = 0};
    *l = (world_limits){.living = throng_agents_count(w->agents)};
    for (int32_t s = 0, slots = throng_agents_slots(w->agents); s < slots; s++) {
        if (!of.state[s])
            continue;
        float radius = throng_world_reach(&of.size, s);
        take(&l->radius, radius);
        take_largest(&radii, radius, s);
        take(&l->speed, of.speed[s]);
        take(&l->sight, of.sight[s]);
        take_largest(&reaches, wall_reach(&of, s), s);
        take(&l->neighbours, (float)of.neighbours[s]);
        l->planners[w->planners.list[of.planner[s]].kind]++;
    }
    part_large(l, &radii, &reaches);
    tell_frame(w);
    return !l->planners[THRONG_PLANNER_bvp] || throng_world_check_local_maps(w, error);
}

/* Do programs change what limits come from? */
static bool are_computed(const throng_world *w)
{
    return throng_world_program_columns(w) & throng_columns_with(THRONG_BOUNDS);
}

bool throng_world_limits_without(throng_world *w, int32_t slot, throng_error *error)
{
    limited of;
    world_limits *l = &w->limits;
    if (are_computed(w))
        return true;
    if (!read_limited(w, &of, error))
        return false;
    l->living--;
    l->radius.have -= throng_world_reach(&of.size, slot) == l->radius.most;
    l->speed.have -= of.speed[slot] == l->speed.most;
    l->sight.have -= of.sight[slot] == l->sight.most;
    l->neighbours.have -= (float)of.neighbours[slot] == l->neighbours.most;
    l->planners[w->planners.list[of.planner[slot]].kind]--;
    return true;
}

/* Are they known in spite of what was written? */
static bool are_known(const throng_world *w, throng_column_set written)
{
    const world_limits *l = &w->limits;
    return written == THRONG_COLUMN_BIT(state) && l->living == throng_agents_count(w->agents) && l->radius.have > 0 &&
           l->speed.have > 0 && l->sight.have > 0 && l->neighbours.have > 0 && !l->planners[THRONG_PLANNER_bvp] &&
           !are_computed(w);
}

bool throng_world_follow_limits(throng_world *w, bool *found, throng_error *error)
{
    throng_column_set written =
        throng_agents_written(w->agents) & (throng_columns_with(THRONG_BOUNDS) | THRONG_COLUMN_BIT(routing));
    *found = written && !are_known(w, written);
    if (*found)
        return find(w, error);
    if (written)
        tell_frame(w);
    return true;
}
