/* What is legal and hardly meant: said on stderr, once, beside a run. */
#include <math.h>

#include "cli_script.h"

/* m/s: nobody runs faster; m: no building is larger, and a plan in millimetres is. */
static const double FASTEST = 12, LARGEST = 20000;

static void warn_of_speed(throng_world *world)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents);
    const float *speed = slots ? throng_agents_read(agents, THRONG_COLUMN_speed, NULL) : NULL;
    const int32_t *state = speed ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    for (int32_t s = 0; state && s < slots; s++)
        if ((state[s] & THRONG_STATE_ALIVE) && (double)speed[s] > FASTEST) {
            fprintf(
                stderr,
                "look at the speeds: agent %d wants to walk at %.4g m/s, and people run at %g at most; `speed` is in "
                "m/s\n",
                throng_agents_id(agents, s), (double)speed[s], FASTEST);
            return;
        }
}

static void warn_of_size(const throng_map *map)
{
    double across = map ? fmax(map->bounds.x1 - map->bounds.x0, map->bounds.y1 - map->bounds.y0) : 0;
    if (across > LARGEST && across < INFINITY)
        fprintf(stderr,
                "look at the map: it is %.4g m across; of a plan in millimetres, `scale = 0.001` makes metres\n",
                across);
}

void throng_cli_warn_before(throng_world *world)
{
    warn_of_size(throng_world_map(world));
    warn_of_speed(world);
}

/* Did anybody ever want to go anywhere? Who was sent has a goal, or had one and arrived; a behaviour moves without. */
static bool anybody_sent(throng_world *world)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents);
    const int32_t *goal = slots ? throng_agents_read(agents, THRONG_COLUMN_goal, NULL) : NULL;
    const int32_t *state = goal ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    const float *vx = state ? throng_agents_read(agents, THRONG_COLUMN_vx, NULL) : NULL;
    const float *vy = vx ? throng_agents_read(agents, THRONG_COLUMN_vy, NULL) : NULL;
    for (int32_t s = 0; vy && s < slots; s++)
        if ((state[s] & THRONG_STATE_ALIVE) && (goal[s] >= 0 || vx[s] != 0 || vy[s] != 0))
            return true;
    return !vy;
}

void throng_cli_warn_after(const throng_summary *summary)
{
    if (summary->stats.spawned == 0)
        fputs("look at the scenario: nobody was ever in its world; world:spawn makes agents\n", stderr);
    else if (summary->stats.arrived == 0 && summary->end == THRONG_RUN_TIME && !anybody_sent(summary->world))
        fputs("look at the scenario: nobody was sent anywhere, so all stood still; group:go_to sends agents\n", stderr);
}
