/* What is legal and hardly meant: said on stderr, once, beside a run. */
#include <math.h>

#include "cli_script.h"

/* m/s: nobody runs faster; and no crowd, of all who are there, walks so fast, but its speed in km/h is such a number.
 */
static const double FASTEST = 12, BRISK = 2.5;
/* m: of nobody's radius; a child's is .1, and a van's 3. */
static const double THINNEST = 0.03, WIDEST = 10;
enum { PLACED = 100000 }; /* agents: more are placed by throng, where there is room */
/* m: no building is larger, and a plan in millimetres is; nor is one so large that has so much floor, m^2, for each. */
static const double LARGEST = 20000, LARGE = 1000, ROOM = 1e5;

/* Agents there, their mean speed, and the ids of one who is faster than anybody runs, and of one of a size that nobody
 * has (-1: nobody is). */
typedef struct crowd {
    int32_t count, fast, odd;
    double mean, fast_speed; /* m/s */
    double odd_radius;       /* m */
} crowd;

static crowd look_at(throng_world *world)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents);
    const float *speed = slots ? throng_agents_read(agents, THRONG_COLUMN_speed, NULL) : NULL;
    const int32_t *state = speed ? throng_agents_read(agents, THRONG_COLUMN_state, NULL) : NULL;
    const float *radius = state ? throng_agents_read(agents, THRONG_COLUMN_radius, NULL) : NULL;
    crowd all = {.fast = -1, .odd = -1};
    for (int32_t s = 0; radius && s < slots; s++) {
        if (!(state[s] & THRONG_STATE_ALIVE))
            continue;
        all.count++;
        all.mean += (double)speed[s];
        if ((double)speed[s] > FASTEST && all.fast < 0) {
            all.fast = throng_agents_id(agents, s);
            all.fast_speed = (double)speed[s];
        }
        if (all.odd < 0 && ((double)radius[s] < THINNEST || (double)radius[s] > WIDEST)) {
            all.odd = throng_agents_id(agents, s);
            all.odd_radius = (double)radius[s];
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

static void warn_of_bodies(throng_world *world, const crowd *all)
{
    if (all->odd >= 0)
        fprintf(stderr,
                "look at the sizes: agent %d has a radius of %.4g m, and people have one of 0.2 to 0.3; `radius` is in "
                "metres\n",
                all->odd, all->odd_radius);
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
    warn_of_bodies(world, &all);
    warn_of_size(throng_world_map(world), all.count);
    warn_of_speed(&all);
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
    if (summary->stats.spawned == 0 && throng_world_was_asked_paths(summary->world))
        return;
    if (summary->stats.spawned == 0)
        fputs("look at the scenario: nobody was ever in its world; world:spawn makes agents\n", stderr);
    else if (summary->stats.arrived == 0 && summary->end == THRONG_RUN_TIME && !anybody_sent(summary->world))
        fputs("look at the scenario: nobody was sent anywhere, so all stood still; group:go_to sends agents\n", stderr);
    else if (summary->stats.arrived == summary->stats.spawned && summary->stats.last_arrival <= 0)
        fputs("look at the goals: everybody was there already, so nobody walked\n", stderr);
}
