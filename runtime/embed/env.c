/* throng.h: environments. Each world is a simulation of its own, which one thread at a time steps. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cache.h"
#include "base/fibers.h"
#include "record/run.h"
#include "sim.h"

typedef struct env_world {
    throng_sim *sim;                 /* NULL: it was never reset */
    throng_agent *learners, *living; /* [agents]; [living_count] those who act, by number in `number` */
    int32_t *number, living_count;
    int32_t *there, *slots, there_count; /* those who were not removed: their numbers, in order, and their slots */
    float *wishes, *row;                 /* [2 * agents], [agents * seen around] */
    double *values;                      /* [agents] */
    bool *judged;                        /* [agents] */
    int64_t seed;                        /* to begin with; below 0: it is not to be reset */
    bool over;
    bool failed;
    throng_message message;
} env_world;

struct throng_env {
    char *path, *backend;
    char **params;
    throng_sim_settings settings;
    throng_environment what; /* as the first world said; its learners are another's */
    throng_env_shape shape;
    env_world *worlds;
    throng_cache *cache; /* of all worlds: what they share of the map */
    fibers *fibers;
    float *observations, *rewards;
    uint8_t *ended, *cut;
    const float *actions; /* of the step that is going on */
    atomic_bool running;  /* its worlds are, on any thread */
    char observed[THRONG_ENVIRONMENT_MOST][THRONG_COLUMN_NAME], acted[THRONG_ENVIRONMENT_MOST][THRONG_COLUMN_NAME];
    char name[64];
};

static bool refuse(throng_message *message, const char *text)
{
    throng_fail((throng_error *)message, "%s", text);
    return false;
}

static int32_t around(const throng_environment *what) { return 4 * what->around.neighbours + what->around.rays; }

/* ---- made */

static void *room(int64_t count, size_t size) { return calloc((size_t)count + 1, size); }

static bool allocate_world(env_world *w, int32_t agents, int32_t seen)
{
    return (w->learners = room(agents, sizeof *w->learners)) && (w->living = room(agents, sizeof *w->living)) &&
           (w->number = room(agents, sizeof *w->number)) &&
           (w->wishes = room(2 * (int64_t)agents, sizeof *w->wishes)) &&
           (w->row = room((int64_t)agents * seen, sizeof *w->row)) && (w->values = room(agents, sizeof *w->values)) &&
           (w->there = room(agents, sizeof *w->there)) && (w->slots = room(agents, sizeof *w->slots)) &&
           (w->judged = room(agents, sizeof *w->judged));
}

static void free_world(env_world *w)
{
    throng_sim_destroy(w->sim);
    free(w->learners);
    free(w->living);
    free(w->number);
    free(w->wishes);
    free(w->row);
    free(w->values);
    free(w->there);
    free(w->slots);
    free(w->judged);
}

void throng_env_destroy(throng_env *env)
{
    if (!env)
        return;
    for (int32_t w = 0; env->worlds && w < env->shape.worlds; w++)
        free_world(&env->worlds[w]);
    for (int32_t p = 0; env->params && p < env->settings.param_count; p++)
        free(env->params[p]);
    fibers_destroy(env->fibers);
    throng_cache_destroy(env->cache);
    free(env->path);
    free(env->backend);
    free(env->params);
    free(env->worlds);
    free(env->observations);
    free(env->rewards);
    free(env->ended);
    free(env->cut);
    free(env);
}

/* The program's texts may be gone when a world is reset. */
static bool keep_settings(throng_env *env, const char *path)
{
    throng_sim_settings *s = &env->settings;
    env->path = strdup(path);
    env->backend = s->backend ? strdup(s->backend) : NULL;
    env->params = room(s->param_count, sizeof *env->params);
    bool ok = env->path && (env->backend || !s->backend) && env->params;
    for (int32_t p = 0; ok && p < s->param_count; p++)
        ok = (env->params[p] = strdup(s->params[p])) != NULL;
    s->backend = env->backend;
    s->params = (const char *const *)env->params;
    return ok;
}

static bool allocate(throng_env *env)
{
    throng_env_shape s = env->shape;
    int64_t agents = (int64_t)s.worlds * s.agents;
    bool ok = (env->worlds = room(s.worlds, sizeof *env->worlds)) &&
              (env->observations = room(agents * s.observations, sizeof *env->observations)) &&
              (env->rewards = room(agents, sizeof *env->rewards)) && (env->ended = room(agents, 1)) &&
              (env->cut = room(s.worlds, 1));
    for (int32_t w = 0; ok && w < s.worlds; w++) {
        ok = allocate_world(&env->worlds[w], s.agents, around(&env->what));
        env->worlds[w].over = true;
        env->worlds[w].seed = -1;
    }
    return ok;
}

static const throng_column_info *column(const throng_sim *sim, int32_t number)
{
    return throng_agents_column(throng_world_agents(sim->world), number);
}

static void keep_names(throng_env *env, const throng_sim *sim)
{
    for (int32_t c = 0; c < env->what.observed_count; c++)
        snprintf(env->observed[c], sizeof env->observed[c], "%s", column(sim, env->what.observed[c])->name);
    for (int32_t c = 0; c < env->what.acted_count; c++)
        snprintf(env->acted[c], sizeof env->acted[c], "%s", column(sim, env->what.acted[c].column)->name);
}

/* What the scenario says, of a world that is there for that alone. */
static bool ask(throng_env *env, throng_message *message)
{
    throng_error error;
    throng_sim *sim = throng_load_cached(env->path, &env->settings, env->cache, message);
    const throng_environment *what = sim ? throng_script_environment(sim->script, &error) : NULL;
    if (what) {
        env->what = *what;
        keep_names(env, sim);
        env->shape.agents = what->learner_count;
        env->shape.observations = what->observed_count + around(what);
        env->shape.actions = (what->velocity > 0 ? 2 : 0) + what->acted_count;
        if (env->settings.seed < 0)
            env->settings.seed = throng_sim_seed(sim);
    } else if (sim)
        throng_fail((throng_error *)message, "%s: %s", env->path, error.text);
    throng_sim_destroy(sim);
    return what != NULL;
}

throng_env *throng_env_load(const char *path, int32_t worlds, const throng_sim_settings *given, throng_message *message)
{
    throng_sim_settings settings;
    if (!throng_text_check(path, "the scenario's name", message) || !throng_settings_read(given, &settings, message))
        return NULL;
    if (worlds < 1) {
        refuse(message, "an environment has at least one world");
        return NULL;
    }
    int32_t threads = settings.threads > 0 ? settings.threads : (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    settings.threads = 1;
    throng_env *env = calloc(1, sizeof *env);
    if (!env) {
        refuse(message, "out of memory");
        return NULL;
    }
    env->settings = settings;
    env->shape.worlds = worlds;
    bool ok = keep_settings(env, path) && (env->cache = throng_cache_create(THRONG_SCRIPT_CACHE));
    if (!ok)
        refuse(message, "out of memory");
    if (!ok || !ask(env, message)) {
        throng_env_destroy(env);
        return NULL;
    }
    if (!allocate(env) || !(env->fibers = fibers_create(threads < worlds ? threads : worlds))) {
        refuse(message, "out of memory for the worlds of the environment");
        throng_env_destroy(env);
        return NULL;
    }
    return env;
}

void throng_env_shape_of(const throng_env *env, throng_env_shape *shape)
{
    throng_struct_write(shape, &env->shape, sizeof env->shape);
}
const float *throng_env_observations(const throng_env *env) { return env->observations; }
const float *throng_env_rewards(const throng_env *env) { return env->rewards; }
const uint8_t *throng_env_ended(const throng_env *env) { return env->ended; }
const uint8_t *throng_env_cut(const throng_env *env) { return env->cut; }

throng_sim *throng_env_world(throng_env *env, int32_t world)
{
    return world >= 0 && world < env->shape.worlds ? env->worlds[world].sim : NULL;
}

/* ---- what the numbers are */

static const char *named(throng_env *env, const char *what, int32_t number, float *bounds, double least, double most)
{
    snprintf(env->name, sizeof env->name, number >= 0 ? "%s %d" : "%s", what, (int)number);
    bounds[0] = (float)least;
    bounds[1] = (float)most;
    return env->name;
}

const char *throng_env_observation(throng_env *env, int32_t i, float *bounds)
{
    static const char *const OF_NEIGHBOUR[] = {"x of neighbour", "y of neighbour", "vx of neighbour",
                                               "vy of neighbour"};
    const throng_environment *what = &env->what;
    double range = what->around.range;
    int32_t k = i - what->observed_count, of_neighbours = 4 * what->around.neighbours;
    if (i < 0 || k >= around(what))
        return NULL;
    if (k < 0) /* a column's range is of what may be written, and frames keep to no range */
        return named(env, env->observed[i], -1, bounds, -INFINITY, INFINITY);
    if (k < of_neighbours)
        return named(env, OF_NEIGHBOUR[k % 4], k / 4, bounds, k % 4 < 2 ? -range : -INFINITY,
                     k % 4 < 2 ? range : INFINITY);
    return named(env, "ray", k - of_neighbours, bounds, 0, range);
}

const char *throng_env_action(throng_env *env, int32_t i, float *bounds)
{
    const throng_environment *what = &env->what;
    int32_t k = what->velocity > 0 ? i - 2 : i;
    if (i < 0 || k >= what->acted_count)
        return NULL;
    if (k < 0)
        return named(env, i == 0 ? "velocity x" : "velocity y", -1, bounds, -what->velocity, what->velocity);
    return named(env, env->acted[k], -1, bounds, what->acted[k].least, what->acted[k].most);
}

/* ---- a world */

/* The world does nothing more, and what was said of why goes to its message. */
static bool give_up(env_world *w)
{
    w->failed = w->over = true;
    return false;
}

static bool fail(env_world *w, const throng_error *error)
{
    refuse(&w->message, error->text);
    return give_up(w);
}

/* Who of the learners is there, and who of these has not ended: those who were removed have. */
static void find_living(throng_env *env, int32_t world)
{
    env_world *w = &env->worlds[world];
    uint8_t *ended = env->ended + (size_t)world * (size_t)env->shape.agents;
    w->there_count = w->living_count = 0;
    for (int32_t i = 0; i < env->shape.agents; i++) {
        if (throng_sim_is_alive(w->sim, w->learners[i])) {
            w->slots[w->there_count] = w->learners[i].slot;
            w->there[w->there_count++] = i;
        } else
            ended[i] = 1;
        if (ended[i])
            continue;
        w->living[w->living_count] = w->learners[i];
        w->number[w->living_count++] = i;
    }
}

/* Of all who are there, also of those who have ended: it is where they did. */
static bool observe(throng_env *env, int32_t world)
{
    throng_error error;
    env_world *w = &env->worlds[world];
    const throng_environment *what = &env->what;
    int32_t width = env->shape.observations;
    float *to = env->observations + (size_t)world * (size_t)env->shape.agents * (size_t)width;
    memset(to, 0, (size_t)env->shape.agents * (size_t)width * sizeof *to);
    for (int32_t c = 0; c < what->observed_count; c++) {
        const void *values = throng_sim_read(w->sim, what->observed[c], &w->message);
        if (!values)
            return give_up(w);
        bool whole = !column(w->sim, what->observed[c])->is_float;
        for (int32_t i = 0; i < w->there_count; i++) {
            int32_t slot = w->slots[i];
            to[w->there[i] * width + c] =
                whole ? (float)((const int32_t *)values)[slot] : ((const float *)values)[slot];
        }
    }
    int32_t seen = around(what);
    if (seen &&
        !throng_world_surroundings(w->sim->world, &what->around, w->slots, w->there_count, w->row, seen, &error))
        return fail(w, &error);
    for (int32_t i = 0; seen && i < w->there_count; i++)
        memcpy(to + w->there[i] * width + what->observed_count, w->row + (size_t)i * (size_t)seen,
               (size_t)seen * sizeof *to);
    return true;
}

static bool begin(throng_env *env, int32_t world)
{
    throng_error error;
    env_world *w = &env->worlds[world];
    throng_sim_settings settings = env->settings;
    settings.seed = w->seed;
    w->seed = -1;
    throng_sim *sim = throng_load_cached(env->path, &settings, env->cache, &w->message);
    const throng_environment *what = sim ? throng_script_environment(sim->script, &error) : NULL;
    if (!what) {
        if (sim)
            refuse(&w->message, error.text);
        throng_sim_destroy(sim);
        return give_up(w);
    }
    throng_sim_destroy(w->sim);
    w->sim = sim;
    if (what->learner_count != env->shape.agents) {
        throng_fail((throng_error *)&w->message,
                    "%d learners, and %d in the first world: all worlds have as many, whatever their seed",
                    (int)what->learner_count, (int)env->shape.agents);
        return give_up(w);
    }
    for (int32_t i = 0; i < env->shape.agents; i++)
        w->learners[i] = (throng_agent){what->learners[i].slot, what->learners[i].generation};
    w->over = w->failed = false;
    env->cut[world] = 0;
    memset(env->ended + (size_t)world * (size_t)env->shape.agents, 0, (size_t)env->shape.agents);
    memset(env->rewards + (size_t)world * (size_t)env->shape.agents, 0,
           (size_t)env->shape.agents * sizeof *env->rewards);
    find_living(env, world);
    return observe(env, world);
}

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

/* What those who act say: of `width` numbers each, the one at `at`; false: one is no number. */
static bool take_actions(throng_env *env, int32_t world, int32_t at, double *values)
{
    const env_world *w = &env->worlds[world];
    int32_t width = env->shape.actions;
    const float *from = env->actions + (size_t)world * (size_t)env->shape.agents * (size_t)width;
    for (int32_t i = 0; i < w->living_count; i++) {
        values[i] = (double)from[w->number[i] * width + at];
        if (isnan(values[i]))
            return false;
    }
    return true;
}

static bool act(throng_env *env, int32_t world)
{
    env_world *w = &env->worlds[world];
    const throng_environment *what = &env->what;
    int32_t columns = what->velocity > 0 ? 2 : 0;
    for (int32_t axis = 0; axis < columns; axis++) {
        if (!take_actions(env, world, axis, w->values))
            return refuse(&w->message, "a velocity is no number") || give_up(w);
        for (int32_t i = 0; i < w->living_count; i++)
            w->wishes[2 * i + axis] = (float)within(w->values[i], -what->velocity, what->velocity);
    }
    for (int32_t i = 0; columns && i < w->living_count; i++) {
        double x = (double)w->wishes[2 * i], y = (double)w->wishes[2 * i + 1];
        if (x * x + y * y <= what->velocity * what->velocity)
            continue;
        float part = (float)(what->velocity / hypot(x, y));
        w->wishes[2 * i] *= part;
        w->wishes[2 * i + 1] *= part;
    }
    if (columns && !throng_sim_steer(w->sim, w->living, w->wishes, w->living_count, &w->message))
        return give_up(w);
    for (int32_t c = 0; c < what->acted_count; c++) {
        if (!take_actions(env, world, columns + c, w->values))
            return refuse(&w->message, "an action is no number") || give_up(w);
        for (int32_t i = 0; i < w->living_count; i++)
            w->values[i] = within(w->values[i], what->acted[c].least, what->acted[c].most);
        if (!throng_sim_write(w->sim, what->acted[c].column, w->living, w->values, w->living_count, &w->message))
            return give_up(w);
    }
    return true;
}

/* Its time is up, or it said world:stop(). That all who have goals have arrived says nothing: learners may have none.
 */
static bool is_over(const env_world *w)
{
    return throng_script_stopped(w->sim->script) ||
           throng_sim_steps(w->sim) >= throng_run_steps(w->sim->world, w->sim->scenario.seconds);
}

/* Steps as long as an action holds. */
static bool go_on(throng_env *env, env_world *w)
{
    int32_t steps = (int32_t)fmax(round(env->what.every / throng_sim_dt(w->sim)), 1);
    for (int32_t s = 0; s < steps && !is_over(w); s++)
        if (!throng_sim_step(w->sim, &w->message))
            return give_up(w);
    return true;
}

static bool judge(throng_env *env, int32_t world)
{
    throng_error error;
    env_world *w = &env->worlds[world];
    size_t first = (size_t)world * (size_t)env->shape.agents;
    float *rewards = env->rewards + first, *given = w->wishes; /* which are told already */
    memset(w->judged, 0, (size_t)env->shape.agents * sizeof *w->judged);
    find_living(env, world);
    if (w->living_count == 0)
        return true;
    if (!throng_script_judge(w->sim->script, (const throng_handle *)(const void *)w->living, w->living_count, given,
                             w->judged, &error))
        return fail(w, &error);
    int32_t ended = 0;
    for (int32_t i = 0; i < w->living_count; i++) {
        rewards[w->number[i]] = given[i];
        env->ended[first + (size_t)w->number[i]] = w->judged[i];
        if (w->judged[i]) /* they stand from now on */
            w->living[ended++] = w->living[i];
    }
    if (ended == 0)
        return true;
    memset(w->wishes, 0, 2 * (size_t)ended * sizeof *w->wishes);
    if (env->what.velocity > 0 && !throng_sim_steer(w->sim, w->living, w->wishes, ended, &w->message))
        return give_up(w);
    find_living(env, world);
    return true;
}

static void step_world(throng_env *env, int32_t world)
{
    env_world *w = &env->worlds[world];
    memset(env->rewards + (size_t)world * (size_t)env->shape.agents, 0,
           (size_t)env->shape.agents * sizeof *env->rewards);
    if (w->over || !act(env, world) || !go_on(env, w) || !judge(env, world) || !observe(env, world))
        return;
    env->cut[world] = is_over(w) && w->living_count > 0;
    w->over = is_over(w) || w->living_count == 0;
}

/* ---- all of them */

/* fibers_work: what one asks of a device waits for what all ask */
static void step_one(void *context, int32_t world) { step_world(context, world); }

static void reset_one(void *context, int32_t world)
{
    throng_env *env = context;
    if (env->worlds[world].seed >= 0)
        begin(env, world);
}

/* Who learns in a world that has failed in this call acts no more. */
static bool none_failed(throng_env *env, throng_message *message)
{
    size_t agents = (size_t)env->shape.agents;
    int32_t first = -1, count = 0;
    for (int32_t world = 0; world < env->shape.worlds; world++) {
        if (!env->worlds[world].failed)
            continue;
        memset(env->ended + (size_t)world * agents, 1, agents);
        first = count++ == 0 ? world : first;
    }
    if (count == 1)
        return throng_fail((throng_error *)message, "world %d: %.900s", (int)first, env->worlds[first].message.text);
    return count == 0 || throng_fail((throng_error *)message, "world %d, the first of %d that failed: %.900s",
                                     (int)first, (int)count, env->worlds[first].message.text);
}

/* False, and a message that says `name`, of a function: what prints calls it, while the worlds run. */
static bool begin_run(throng_env *env, const char *name, throng_message *message)
{
    return !atomic_exchange(&env->running, true) ||
           throng_fail((throng_error *)message, "%s cannot be called while the worlds run, as in a callback", name);
}

static bool run_all(throng_env *env, fibers_work *work, throng_message *message)
{
    for (int32_t world = 0; world < env->shape.worlds; world++)
        env->worlds[world].failed = false;
    fibers_run_on(env->fibers, env->shape.worlds, work, env);
    atomic_store(&env->running, false);
    return none_failed(env, message);
}

bool throng_env_reset(throng_env *env, const int32_t *worlds, const int64_t *seeds, int32_t count,
                      throng_message *message)
{
    if (!throng_whole_check(count, 0, "throng_env_reset: the number of worlds", message))
        return false;
    for (int32_t i = 0; i < count; i++)
        if (worlds[i] < 0 || worlds[i] >= env->shape.worlds || seeds[i] < 0)
            return refuse(message, "worlds are numbered from 0, and seeds are not below 0");
    if (!begin_run(env, "throng_env_reset", message))
        return false;
    for (int32_t i = 0; i < count; i++)
        env->worlds[worlds[i]].seed = seeds[i];
    return run_all(env, reset_one, message);
}

bool throng_env_step(throng_env *env, const float *actions, throng_message *message)
{
    for (int32_t world = 0; world < env->shape.worlds; world++)
        if (!env->worlds[world].sim)
            return refuse(message, "a world was never reset: throng_env_reset begins it");
    if (!begin_run(env, "throng_env_step", message))
        return false;
    env->actions = actions;
    return run_all(env, step_one, message);
}
