/* What is legal and hardly meant: said on stderr, once, beside a run. */
#include <math.h>

#include "cli_script.h"

/* m/s: nobody runs faster; and no crowd, of all who are there, walks so fast, but its speed in km/h is such a number.
 */
static const double FASTEST = 12, BRISK = 2.5;
/* What nobody is like: outside of these bounds a number is one of another unit. */
static const struct {
    int column;
    const char *name, *unit, *people;
    double least, most;
} ODD[] = {
    {THRONG_COLUMN_radius, "radius", "m", "have one of 0.2 to 0.3", 0.03, 10}, /* a child's is .1, a van's 3 */
    {THRONG_COLUMN_mass, "mass", "kg", "have one of 80", 2, 1e6},
    {THRONG_COLUMN_time_gap, "time_gap", "s", "keep one of 0.6", 0, 20},
    {THRONG_COLUMN_relaxation, "relaxation", "s", "have one of 0.5", 0, 20},
    {THRONG_COLUMN_horizon, "horizon", "s", "have one of 3", 0, 120},
};
enum { ODDS = sizeof ODD / sizeof *ODD };
enum { PLACED = 100000 }; /* agents: more are placed by throng, where there is room */
/* m: no building is larger, and a plan in millimetres is; nor is one so large that has so much floor, m^2, for each. */
static const double LARGEST = 20000, LARGE = 1000, ROOM = 1e5;

/* Agents there, their mean speed, and the ids of one who is faster than anybody runs, and of one who may not walk as
 * fast as it wants to (-1: nobody is). */
typedef struct crowd {
    int32_t count, fast, held;
    double mean, fast_speed, held_speed, held_most; /* m/s */
} crowd;

static crowd look_at(throng_world *world)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents);
    const float *speed = slots ? throng_agents_read(agents, THRONG_COLUMN_speed, NULL) : NULL;
    const int32_t *state = speed ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    const float *most = state ? throng_agents_read(agents, THRONG_COLUMN_max_speed, NULL) : NULL;
    crowd all = {.fast = -1, .held = -1};
    for (int32_t s = 0; most && s < slots; s++) {
        if (!(state[s] & THRONG_STATE_ALIVE))
            continue;
        all.count++;
        all.mean += (double)speed[s];
        if ((double)speed[s] > FASTEST && all.fast < 0) {
            all.fast = throng_agents_id(agents, s);
            all.fast_speed = (double)speed[s];
        }
        if ((double)speed[s] > 1.5 * (double)most[s] && all.held < 0) {
            all.held = throng_agents_id(agents, s);
            all.held_speed = (double)speed[s];
            all.held_most = (double)most[s];
        }
    }
    all.mean /= fmax(all.count, 1);
    return all;
}

static void warn_of_speed(const crowd *all)
{
    if (all->fast >= 0)
        fprintf(stderr,
                "look at the speeds: agent %d wants to walk at %.4g m/s, and people run at %g at most; `speed` is in "
                "m/s\n",
                all->fast, all->fast_speed, FASTEST);
    else if (all->mean > BRISK)
        fprintf(stderr,
                "look at the speeds: agents want to walk at %.3g m/s in the mean, and people walk at about 1.34; is "
                "that km/h? `speed` is in m/s\n",
                all->mean);
    if (all->held >= 0)
        fprintf(stderr,
                "look at the speeds: agent %d wants to walk at %.3g m/s, and its `max_speed` is %.3g m/s: it never "
                "will\n",
                all->held, all->held_speed, all->held_most);
}

static void warn_of_size(const throng_map *map, int32_t agents)
{
    double width = map ? map->bounds.x1 - map->bounds.x0 : 0, height = map ? map->bounds.y1 - map->bounds.y0 : 0;
    double across = fmax(width, height);
    bool empty = across > LARGE && agents > 0 && width * height / agents > ROOM;
    if ((across > LARGEST || empty) && across < INFINITY)
        fprintf(stderr,
                "look at the map: it is %.4g m across; of a plan in millimetres, `scale = 0.001` makes metres\n",
                across);
}

static void warn_of_odd(throng_agents *agents)
{
    int32_t slots = throng_agents_slots(agents);
    const int32_t *state = slots ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    for (int i = 0; state && i < ODDS; i++) {
        const float *value = throng_agents_read(agents, ODD[i].column, NULL);
        int32_t s = 0;
        while (
            value && s < slots &&
            (!(state[s] & THRONG_STATE_ALIVE) || ((double)value[s] >= ODD[i].least && (double)value[s] <= ODD[i].most)))
            s++;
        if (value && s < slots)
            fprintf(stderr, "look at the agents: agent %d has a %s of %.4g %s, and people %s; `%s` is in %s\n",
                    throng_agents_id(agents, s), ODD[i].name, (double)value[s], ODD[i].unit, ODD[i].people, ODD[i].name,
                    ODD[i].unit);
    }
}

static void warn_of_places(throng_world *world, const crowd *all)
{
    int32_t first = 0, inside = all->count <= PLACED ? throng_world_count_inside(world, &first) : 0;
    if (inside > 0)
        fprintf(stderr,
                "look at the places: %d of %d agents begin inside of another, the first is agent %d; `at` takes places "
                "as they are, `where` finds free ones\n",
                inside, all->count, throng_agents_id(throng_world_agents(world), first));
}

void throng_cli_warn_before(throng_world *world)
{
    crowd all = look_at(world);
    warn_of_odd(throng_world_agents(world));
    warn_of_places(world, &all);
    warn_of_size(throng_world_map(world), all.count);
    warn_of_speed(&all);
}

void throng_cli_warn_of_timers(throng_script *script, double seconds)
{
    double first;
    int32_t count = throng_script_timers_after(script, seconds, &first);
    if (count > 0)
        fprintf(stderr,
                "look at the timers: %d of world:at and world:every %s first due after the end of the run at %g s, the "
                "first at %g s; `seconds` of throng.world says when it ends\n",
                count, count == 1 ? "is" : "are", seconds, first);
}

void throng_cli_warn_of_waiting(throng_script *script, const throng_summary *summary)
{
    int32_t count = summary->end == THRONG_RUN_ARRIVED ? throng_script_timers_waiting(script) : 0;
    if (count > 0)
        fprintf(stderr,
                "look at the timers: when nobody was on the way, at %g s, the run was over, and %d of world:at, "
                "world:every and world:story waited still; `until_done = false` of throng.world goes on to its "
                "`seconds`\n",
                throng_world_time(summary->world), count);
}

/* Is there anybody, and does nobody want to walk at any speed? */
static bool all_stand(throng_world *world)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents), living = 0;
    const float *speed = slots ? throng_agents_read(agents, THRONG_COLUMN_speed, NULL) : NULL;
    const int32_t *state = speed ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    for (int32_t s = 0; state && s < slots; s++) {
        if (!(state[s] & THRONG_STATE_ALIVE))
            continue;
        if (speed[s] != 0)
            return false;
        living++;
    }
    return living > 0;
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

/* Of those who came later: how many were sent nowhere, do nothing, and stand; of which group the first is. */
static int32_t count_idle(throng_world *world, int32_t *group)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_uses(agents, THRONG_COLUMN_born) ? throng_agents_slots(agents) : 0, count = 0;
    const int32_t *born = slots ? throng_agents_read(agents, THRONG_COLUMN_born, NULL) : NULL;
    const int32_t *goal = born ? throng_agents_read(agents, THRONG_COLUMN_goal, NULL) : NULL;
    const int32_t *state = goal ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    const int32_t *groups = state ? throng_agents_read(agents, THRONG_COLUMN_group, NULL) : NULL;
    const int32_t *planner = groups ? throng_agents_read(agents, THRONG_COLUMN_planner, NULL) : NULL;
    const float *vx = planner ? throng_agents_read(agents, THRONG_COLUMN_vx, NULL) : NULL;
    const float *vy = vx ? throng_agents_read(agents, THRONG_COLUMN_vy, NULL) : NULL;
    for (int32_t s = 0; vy && s < slots && throng_world_states(world) == 0; s++)
        if ((state[s] & THRONG_STATE_ALIVE) && born[s] > 0 && goal[s] < 0 && vx[s] == 0 && vy[s] == 0 &&
            throng_world_planner_kind(world, planner[s]) != THRONG_PLANNER_none) {
            *group = count ? *group : groups[s];
            count++;
        }
    return count;
}

static void warn_of_idle(throng_world *world)
{
    int32_t group, count = count_idle(world, &group);
    if (count > 0)
        fprintf(
            stderr,
            "look at the groups: %d who came later, the first of '%s', were sent nowhere and stand where they came; "
            "`to` of world:source or group:go_to sends them\n",
            count, throng_world_group_name(world, group));
}

void throng_cli_warn_after(const throng_summary *summary)
{
    bool all_here = summary->stats.living == summary->stats.spawned; /* who is gone may have been sent */
    if (summary->stats.spawned == 0 && throng_world_was_asked_paths(summary->world))
        return;
    if (summary->stats.spawned == 0)
        fputs("look at the scenario: nobody was ever in its world; world:spawn makes agents\n", stderr);
    else if (summary->stats.arrived == 0 && summary->end == THRONG_RUN_TIME && all_here &&
             !anybody_sent(summary->world))
        fputs("look at the scenario: nobody was sent anywhere, so all stood still; group:go_to sends agents\n", stderr);
    else if (summary->stats.arrived == 0 && summary->end == THRONG_RUN_TIME && all_here && all_stand(summary->world))
        fputs("look at the speeds: all agents want to walk at 0 m/s, so all stood still; `speed` is in m/s\n", stderr);
    else if (summary->stats.arrived == summary->stats.spawned && summary->stats.last_arrival <= 0)
        fputs("look at the goals: everybody was there already, so nobody walked\n", stderr);
    else
        warn_of_idle(summary->world);
}
