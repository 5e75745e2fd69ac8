/* throng.h: a scenario and its world, held by a program. */
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/version.h"
#include "record/run.h"

_Static_assert(sizeof(throng_agent) == sizeof(throng_handle), "an agent is a handle");
_Static_assert(sizeof(throng_message) == sizeof(throng_error), "a message is an error");

const char *throng_version(void) { return THRONG_VERSION; }

static bool refuse(throng_message *message, const char *text)
{
    throng_fail((throng_error *)message, "%s", text);
    return false;
}

static bool tell(const throng_error *error, throng_message *message) { return refuse(message, error->text); }

/* ---- simulations */

static throng_script_def limits_of(const throng_sim_settings *settings, const throng_sim *sim,
                                   struct throng_cache *cache)
{
    throng_script_def def = throng_script_def_default();
    def.cache = cache;
    if (settings->instructions > 0)
        def.instructions = settings->instructions;
    if (settings->memory > 0)
        def.memory = settings->memory;
    def.print = &sim->lines;
    return def;
}

static void say(void *context, const char *text, size_t size)
{
    throng_sim *sim = context;
    sim->printing++;
    sim->print.write(sim->print.context, text, size);
    sim->printing--;
}

static void write_nowhere(void *context, const char *text, size_t size) { (void)context, (void)text, (void)size; }

static throng_overrides overrides_of(const throng_sim_settings *settings)
{
    return (throng_overrides){.backend = settings->backend,
                              .simd = settings->simd > 0 ? settings->simd : -1,
                              .threads = settings->threads > 0 ? settings->threads : -1,
                              .has_seed = settings->seed >= 0,
                              .seed = (uint64_t)settings->seed,
                              .params = settings->params,
                              .param_count = settings->param_count};
}

bool throng_struct_read(void *all, const void *given, size_t size, const char *name, throng_message *message)
{
    if (!given)
        return throng_fail((throng_error *)message, "%s is NULL: begin with %s_default()", name, name);
    size_t known = *(const size_t *)given;
    if (known < sizeof known || known > size)
        return throng_fail((throng_error *)message,
                           "%s.size is none, or larger than this library's: begin with %s_default(), of the header "
                           "that belongs to the library",
                           name, name);
    memcpy(all, given, known); /* what an older program does not know stays as it is */
    return true;
}

bool throng_whole_check(int64_t value, int64_t least, const char *name, throng_message *message)
{
    return value >= least || throng_fail((throng_error *)message, "%s must be a whole number >= %lld, got %lld", name,
                                         (long long)least, (long long)value);
}

bool throng_text_check(const char *text, const char *name, throng_message *message)
{
    return text || throng_fail((throng_error *)message, "%s is NULL, and must be a text", name);
}

bool throng_idle_check(const throng_sim *sim, const char *name, throng_message *message)
{
    return !sim->printing ||
           throng_fail((throng_error *)message, "%s cannot be called in a callback of the same world", name);
}

static bool check_params(const throng_sim_settings *settings, throng_message *message)
{
    char name[64];
    for (int32_t p = 0; p < settings->param_count; p++) {
        snprintf(name, sizeof name, "throng_sim_settings.params[%d]", (int)p);
        if (!throng_text_check(settings->params ? settings->params[p] : NULL, name, message))
            return false;
    }
    return true;
}

bool throng_settings_read(const throng_sim_settings *given, throng_sim_settings *settings, throng_message *message)
{
    *settings = throng_sim_settings_default();
    if (given && !throng_struct_read(settings, given, sizeof *settings, "throng_sim_settings", message))
        return false;
    return throng_whole_check(settings->simd, 0, "throng_sim_settings.simd", message) &&
           throng_whole_check(settings->threads, 0, "throng_sim_settings.threads", message) &&
           throng_whole_check(settings->seed, -1, "throng_sim_settings.seed", message) &&
           throng_whole_check(settings->param_count, 0, "throng_sim_settings.param_count", message) &&
           throng_whole_check(settings->instructions, 0, "throng_sim_settings.instructions", message) &&
           check_params(settings, message);
}

void throng_struct_write(void *known, const void *all, size_t size)
{
    size_t room = *(const size_t *)known, kept = sizeof(size_t);
    size = room < size ? room : size;
    if (size > kept)
        memcpy((char *)known + kept, (const char *)all + kept, size - kept);
}

/* What snapshot.c reads again. */
static void keep_origin(throng_sim *sim, const char *name, const char *text, size_t size,
                        const throng_sim_settings *settings)
{
    sim->inputs.kept = sim->origin.kept = settings->keep_inputs;
    throng_inputs_put_text(&sim->origin, name);
    throng_inputs_put_whole(&sim->origin, text != NULL);
    if (text) {
        throng_inputs_put_whole(&sim->origin, (int32_t)size + 1);
        throng_inputs_put(&sim->origin, text, size);
        throng_inputs_put(&sim->origin, "", 1);
    }
    throng_inputs_put(&sim->origin, &settings->seed, sizeof settings->seed);
    throng_inputs_put_whole(&sim->origin, settings->param_count);
    for (int32_t p = 0; p < settings->param_count; p++)
        throng_inputs_put_text(&sim->origin, settings->params[p]);
}

static throng_sim *load(const char *name, const char *text, size_t size, const throng_sim_settings *given,
                        struct throng_cache *cache, throng_message *message)
{
    throng_error error;
    throng_sim_settings settings;
    if (!throng_text_check(name, "the scenario's name", message) || !throng_settings_read(given, &settings, message))
        return NULL;
    throng_sim *sim = calloc(1, sizeof *sim);
    if (!sim) {
        refuse(message, "out of memory");
        return NULL;
    }
    sim->print = (throng_lines){settings.print ? settings.print : write_nowhere, settings.context};
    sim->lines = (throng_lines){say, sim};
    throng_script_def limits = limits_of(&settings, sim, cache);
    throng_overrides overrides = overrides_of(&settings);
    sim->script = throng_script_create(&limits, &error);
    if (!sim->script ||
        !(text ? throng_script_load_text(sim->script, name, text, size, &overrides, &sim->scenario, &error)
               : throng_script_load(sim->script, name, &overrides, &sim->scenario, &error))) {
        tell(&error, message);
        throng_sim_destroy(sim);
        return NULL;
    }
    sim->world = sim->scenario.world;
    keep_origin(sim, name, text, size, &settings);
    return sim;
}

throng_sim *throng_sim_load(const char *path, const throng_sim_settings *settings, throng_message *message)
{
    return load(path, NULL, 0, settings, NULL, message);
}

throng_sim *throng_load_cached(const char *path, const throng_sim_settings *settings, struct throng_cache *cache,
                               throng_message *message)
{
    return load(path, NULL, 0, settings, cache, message);
}

/* Snapshots keep it as a text that ends with a zero. */
static bool check_scenario(const char *name, const char *text, size_t size, throng_message *message)
{
    const char *zero = text ? memchr(text, 0, size) : NULL;
    return throng_text_check(text, "the scenario's text", message) &&
           throng_text_check(name, "the scenario's name", message) &&
           (!zero || throng_fail((throng_error *)message, "%s: byte %td of %zu is a zero, and no text has one", name,
                                 zero - text, size));
}

throng_sim *throng_sim_load_text(const char *name, const char *text, size_t size, const throng_sim_settings *settings,
                                 throng_message *message)
{
    return check_scenario(name, text, size, message) ? load(name, text, size, settings, NULL, message) : NULL;
}

void throng_sim_destroy(throng_sim *sim)
{
    if (!sim)
        return;
    throng_path_search_destroy(sim->search);
    throng_script_destroy(sim->script);
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++) {
        free(sim->initial[c]);
        free(sim->edits[c].now);
        free(sim->edits[c].was);
        free(sim->edits[c].agents);
    }
    free(sim->radii);
    throng_events_fini(sim);
    throng_inputs_fini(&sim->origin);
    throng_inputs_fini(&sim->inputs);
    free(sim);
}

bool throng_sim_step(throng_sim *sim, throng_message *message)
{
    throng_error error;
    if (!throng_idle_check(sim, __func__, message))
        return false;
    sim->event_count = 0;
    bool stepped = throng_script_step(sim->script, &error);
    return throng_inputs_step(&sim->inputs, stepped, throng_sim_steps(sim)) || tell(&error, message);
}

bool throng_sim_ended(throng_sim *sim, bool *ended, throng_message *message)
{
    throng_error error;
    *ended = throng_script_stopped(sim->script) ||
             throng_world_steps(sim->world) >= throng_run_steps(sim->world, sim->scenario.seconds);
    if (*ended || !sim->scenario.until_done)
        return true;
    return throng_world_done(sim->world, ended, &error) || tell(&error, message);
}

double throng_sim_time(const throng_sim *sim) { return throng_world_time(sim->world); }
double throng_sim_dt(const throng_sim *sim) { return throng_world_dt(sim->world); }
uint32_t throng_sim_steps(const throng_sim *sim) { return throng_world_steps(sim->world); }
int64_t throng_sim_seed(const throng_sim *sim) { return (int64_t)throng_world_seed(sim->world); }
const char *throng_sim_backend(const throng_sim *sim) { return throng_world_backend(sim->world); }

bool throng_sim_hash(throng_sim *sim, uint64_t *hash, throng_message *message)
{
    throng_error error;
    return throng_world_hash(sim->world, hash, &error) || tell(&error, message);
}

/* ---- agents */

int32_t throng_sim_count(const throng_sim *sim) { return throng_agents_count(throng_world_agents(sim->world)); }
int32_t throng_sim_slots(const throng_sim *sim) { return throng_agents_slots(throng_world_agents(sim->world)); }

static throng_handle handle_of(throng_agent agent) { return (throng_handle){agent.slot, agent.generation}; }

bool throng_sim_agent_at(const throng_sim *sim, int32_t slot, throng_agent *agent)
{
    const throng_agents *agents = throng_world_agents(sim->world);
    if (slot < 0 || slot >= throng_agents_slots(agents))
        return false;
    throng_handle handle = throng_agents_handle(agents, slot);
    *agent = (throng_agent){handle.slot, handle.generation};
    return throng_agents_alive(agents, handle);
}

bool throng_sim_is_alive(const throng_sim *sim, throng_agent agent)
{
    return throng_agents_alive(throng_world_agents(sim->world), handle_of(agent));
}

int32_t throng_sim_agents(const throng_sim *sim, throng_agent *agents)
{
    int32_t count = 0;
    throng_agent agent;
    for (int32_t slot = 0; slot < throng_sim_slots(sim); slot++)
        if (throng_sim_agent_at(sim, slot, &agent))
            agents[count++] = agent;
    return count;
}

bool throng_sim_arrivals(throng_sim *sim, const throng_agent **agents, int32_t *count, throng_message *message)
{
    throng_error error;
    const throng_handle *handles;
    if (!throng_world_arrivals(sim->world, &handles, count, &error))
        return tell(&error, message);
    *agents = (const throng_agent *)(const void *)handles;
    return true;
}

static bool check_alive(const throng_sim *sim, const throng_agent *agents, int32_t count, throng_message *message)
{
    if (count < 0)
        return refuse(message, "the number of agents is less than 0");
    for (int32_t i = 0; i < count; i++)
        if (!throng_sim_is_alive(sim, agents[i])) {
            throng_fail((throng_error *)message, "agent %d of %d is gone: it was removed, or has never been", (int)i,
                        (int)count);
            return false;
        }
    return true;
}

/* An input about agents; what else belongs to it follows. */
static void begin_agents(throng_sim *sim, throng_input input, const throng_agent *agents, int32_t count)
{
    throng_inputs_begin(&sim->inputs, input);
    throng_inputs_put_whole(&sim->inputs, count);
    throng_inputs_put(&sim->inputs, agents, (size_t)count * sizeof *agents);
}

/* ---- columns */

/* What writes the column of these agents in every frame. */
static bool bind(throng_sim *sim, const throng_agent *agents, int32_t count, int32_t column, int32_t program,
                 throng_message *message)
{
    throng_error error;
    const throng_handle *handles = (const throng_handle *)(const void *)agents;
    return throng_world_bind(sim->world, handles, count, column, program, &error) || tell(&error, message);
}

int32_t throng_sim_column_count(const throng_sim *sim)
{
    return throng_agents_columns(throng_world_agents(sim->world));
}

bool throng_sim_column(const throng_sim *sim, int32_t column, throng_sim_column_info *info)
{
    if (column < 0 || column >= throng_sim_column_count(sim))
        return false;
    const throng_column_info *c = throng_agents_column(throng_world_agents(sim->world), column);
    const throng_sim_column_info all = {.name = c->name,
                                        .unit = c->unit,
                                        .text = c->text,
                                        .whole = !c->is_float,
                                        .writable = c->is_float && c->attributes & THRONG_SCRIPT,
                                        .least = c->range.least,
                                        .most = c->range.most};
    throng_struct_write(info, &all, sizeof all);
    return true;
}

int32_t throng_sim_column_named(const throng_sim *sim, const char *name)
{
    return name ? throng_agents_column_named(throng_world_agents(sim->world), name) : -1;
}

/* A column that nobody has written yet stays out of the world, whose frames have other work to do where there is one.
 */
static const void *initial_values(throng_sim *sim, int32_t column, throng_message *message)
{
    const throng_column_info *info = throng_agents_column(throng_world_agents(sim->world), column);
    size_t slots = (size_t)throng_sim_slots(sim);
    void **values = &sim->initial[column];
    if (!throng_array_resize(values, (slots + 1) * 4)) {
        refuse(message, "out of memory");
        return NULL;
    }
    for (size_t slot = 0; slot < slots; slot++)
        if (info->is_float)
            ((float *)*values)[slot] = (float)info->initial;
        else
            ((int32_t *)*values)[slot] = (int32_t)info->initial;
    return *values;
}

/* In place: where frames compute it, or on the host, where it is fetched to. */
static const void *share(throng_sim *sim, int32_t column, bool fetched, int32_t *device, throng_message *message)
{
    throng_error error;
    *device = -1;
    if (column < 0 || column >= throng_sim_column_count(sim)) {
        refuse(message, "there is no such column: throng_sim_column_named gives its number");
        return NULL;
    }
    throng_agents *agents = throng_world_agents(sim->world);
    if (!throng_agents_uses(agents, column))
        return initial_values(sim, column, message);
    const void *values =
        fetched ? throng_agents_read(agents, column, &error) : throng_agents_share(agents, column, device, &error);
    if (!values)
        tell(&error, message);
    return values;
}

const void *throng_sim_read(throng_sim *sim, int32_t column, throng_message *message)
{
    int32_t device;
    return share(sim, column, true, &device, message);
}

const void *throng_sim_share(throng_sim *sim, int32_t column, int32_t *device, throng_message *message)
{
    return share(sim, column, false, device, message);
}

static bool check_values(const throng_sim_column_info *column, const double *values, int32_t count,
                         throng_message *message)
{
    for (int32_t i = 0; i < count; i++) {
        double value = values[i];
        if (value >= column->least && value <= column->most)
            continue;
        throng_fail((throng_error *)message, "column '%s': %g, value %d of %d, is not from %g to %g %s", column->name,
                    value, (int)i, (int)count, column->least, column->most, column->unit);
        return false;
    }
    return true;
}

bool throng_column_writable(const throng_sim *sim, int32_t column, throng_sim_column_info *info,
                            throng_message *message)
{
    *info = (throng_sim_column_info){.size = sizeof *info};
    if (!throng_sim_column(sim, column, info))
        return refuse(message, "there is no such column: throng_sim_column_named gives its number");
    return info->writable ||
           throng_fail((throng_error *)message, "column '%s' cannot be written: throng_sim_column tells which can",
                       info->name);
}

static bool write_column(throng_sim *sim, int32_t column, const throng_agent *agents, const double *values,
                         int32_t count, throng_message *message)
{
    throng_error error;
    throng_sim_column_info about;
    if (!throng_column_writable(sim, column, &about, message) || !check_alive(sim, agents, count, message) ||
        !check_values(&about, values, count, message))
        return false;
    if (throng_world_bound(sim->world, column) && !bind(sim, agents, count, column, THRONG_UNBOUND, message))
        return false; /* a behaviour function would write it again */
    float *all = throng_agents_write(throng_world_agents(sim->world), column, &error);
    for (int32_t i = 0; all && i < count; i++)
        all[agents[i].slot] = (float)values[i];
    return all || tell(&error, message);
}

bool throng_sim_write(throng_sim *sim, int32_t column, const throng_agent *agents, const double *values, int32_t count,
                      throng_message *message)
{
    if (!throng_idle_check(sim, __func__, message))
        return false;
    if (count < 0)
        return check_alive(sim, agents, count, message);
    begin_agents(sim, THRONG_INPUT_WRITE, agents, count);
    throng_inputs_put_whole(&sim->inputs, column);
    throng_inputs_put(&sim->inputs, values, (size_t)count * sizeof *values);
    return throng_inputs_end(&sim->inputs, write_column(sim, column, agents, values, count, message));
}

static double height_of(const throng_sim *sim, const throng_map *map, int32_t sheet, throng_point position)
{
    int32_t lift = throng_map_lift_of(map->sheets, sheet);
    return lift >= 0 ? throng_world_lift(sim->world, lift).z : throng_map_height(map, sheet, position);
}

bool throng_sim_heights(throng_sim *sim, const throng_agent *agents, int32_t count, float *z, throng_message *message)
{
    const throng_map *map = throng_world_map(sim->world);
    if (!check_alive(sim, agents, count, message))
        return false;
    if (!map || !map->sheets) {
        for (int32_t i = 0; i < count; i++)
            z[i] = 0;
        return true;
    }
    const float *x = throng_sim_read(sim, THRONG_COLUMN_x, message),
                *y = throng_sim_read(sim, THRONG_COLUMN_y, message);
    const int32_t *floor = throng_sim_read(sim, THRONG_COLUMN_floor, message);
    for (int32_t i = 0; x && y && floor && i < count; i++) {
        int32_t slot = agents[i].slot;
        z[i] = (float)height_of(sim, map, floor[slot], (throng_point){(double)x[slot], (double)y[slot]});
    }
    return x && y && floor;
}

const char *throng_sim_group_name(const throng_sim *sim, int32_t group)
{
    bool known = group >= 0 && group < throng_world_group_count(sim->world);
    return known ? throng_world_group_name(sim->world, group) : NULL;
}

static bool steer(throng_sim *sim, const throng_agent *agents, const float *xy, int32_t count, throng_message *message)
{
    throng_error error;
    if (!check_alive(sim, agents, count, message))
        return false;
    for (int32_t i = 0; i < 2 * count; i++)
        if (!(fabsf(xy[i]) <= 1000))
            return refuse(message, "a velocity must be two numbers of at most 1000 m/s");
    if (!bind(sim, agents, count, THRONG_COLUMN_desired_vx, THRONG_KEPT, message))
        return false;
    throng_agents *store = throng_world_agents(sim->world);
    float *x = throng_agents_write(store, THRONG_COLUMN_desired_vx, &error);
    float *y = x ? throng_agents_write(store, THRONG_COLUMN_desired_vy, &error) : NULL;
    if (!y)
        return tell(&error, message);
    for (int32_t i = 0; i < count; i++) {
        x[agents[i].slot] = xy[2 * i];
        y[agents[i].slot] = xy[2 * i + 1];
    }
    return true;
}

/* Two floats an agent, an input. */
static bool tell_pairs(throng_sim *sim, throng_input input, const throng_agent *agents, const float *xy, int32_t count,
                       bool (*told)(throng_sim *, const throng_agent *, const float *, int32_t, throng_message *),
                       throng_message *message)
{
    if (count < 0)
        return check_alive(sim, agents, count, message);
    begin_agents(sim, input, agents, count);
    throng_inputs_put(&sim->inputs, xy, 2 * (size_t)count * sizeof *xy);
    return throng_inputs_end(&sim->inputs, told(sim, agents, xy, count, message));
}

bool throng_sim_steer(throng_sim *sim, const throng_agent *agents, const float *xy, int32_t count,
                      throng_message *message)
{
    return throng_idle_check(sim, __func__, message) &&
           tell_pairs(sim, THRONG_INPUT_STEER, agents, xy, count, steer, message);
}

static bool place(throng_sim *sim, const throng_agent *agents, const float *xy, int32_t count, throng_message *message)
{
    throng_error error;
    throng_point *positions = NULL;
    if (!check_alive(sim, agents, count, message))
        return false;
    if (!throng_array_resize((void **)&positions, ((size_t)count + 1) * sizeof *positions))
        return refuse(message, "out of memory");
    for (int32_t i = 0; i < count; i++)
        positions[i] = (throng_point){(double)xy[2 * i], (double)xy[2 * i + 1]};
    const throng_handle *handles = (const throng_handle *)(const void *)agents;
    bool fine = throng_world_put(sim->world, handles, positions, count, &error);
    free(positions);
    return fine || tell(&error, message);
}

bool throng_sim_place(throng_sim *sim, const throng_agent *agents, const float *xy, int32_t count,
                      throng_message *message)
{
    return throng_idle_check(sim, __func__, message) &&
           tell_pairs(sim, THRONG_INPUT_PLACE, agents, xy, count, place, message);
}

bool throng_sim_release(throng_sim *sim, const throng_agent *agents, int32_t count, throng_message *message)
{
    if (!throng_idle_check(sim, __func__, message) || !check_alive(sim, agents, count, message))
        return false;
    begin_agents(sim, THRONG_INPUT_RELEASE, agents, count);
    return throng_inputs_end(&sim->inputs, bind(sim, agents, count, THRONG_COLUMN_desired_vx, THRONG_UNBOUND, message));
}

bool throng_sim_play(throng_sim *sim, double x, double y, throng_message *message)
{
    throng_error error;
    if (!throng_idle_check(sim, __func__, message))
        return false;
    if (!(fabs(x) <= 1 && fabs(y) <= 1))
        return refuse(message, "the player's direction is a unit vector, or 0");
    if (!throng_world_has_player(sim->world))
        return refuse(message, "the scenario has no player: group:control() makes one");
    const double direction[2] = {x, y};
    throng_inputs_begin(&sim->inputs, THRONG_INPUT_PLAY);
    throng_inputs_put(&sim->inputs, direction, sizeof direction);
    return throng_inputs_end(&sim->inputs, throng_world_steer(sim->world, x, y, &error)) || tell(&error, message);
}

/* ---- Lua */

static bool run_lua(throng_sim *sim, throng_script_chunk *chunk, throng_message *message)
{
    throng_error error;
    return throng_script_do(sim->script, chunk, &error) || tell(&error, message);
}

bool throng_sim_do(throng_sim *sim, const char *lua, throng_message *message)
{
    if (!throng_idle_check(sim, __func__, message) || !throng_text_check(lua, "the Lua to run", message))
        return false;
    throng_inputs_begin(&sim->inputs, THRONG_INPUT_DO);
    throng_inputs_put_text(&sim->inputs, lua);
    return throng_inputs_end(&sim->inputs, run_lua(sim, &(throng_script_chunk){.text = lua}, message));
}

bool throng_sim_do_with(throng_sim *sim, const throng_agent *agents, int32_t count, const char *lua,
                        throng_message *message)
{
    static const throng_handle nobody;
    throng_script_chunk chunk = {
        .text = lua, .group = count > 0 ? (const throng_handle *)(const void *)agents : &nobody, .count = count};
    if (!throng_idle_check(sim, __func__, message) || !throng_text_check(lua, "the Lua to run", message) ||
        !check_alive(sim, agents, count, message))
        return false;
    begin_agents(sim, THRONG_INPUT_DO_WITH, agents, count);
    throng_inputs_put_text(&sim->inputs, lua);
    return throng_inputs_end(&sim->inputs, run_lua(sim, &chunk, message));
}

bool throng_sim_number(throng_sim *sim, const char *lua, double *value, throng_message *message)
{
    throng_script_chunk chunk = {.text = lua, .expression = true};
    if (!throng_idle_check(sim, __func__, message) || !throng_text_check(lua, "the expression", message))
        return false;
    throng_inputs_begin(&sim->inputs, THRONG_INPUT_NUMBER);
    throng_inputs_put_text(&sim->inputs, lua);
    if (!throng_inputs_end(&sim->inputs, run_lua(sim, &chunk, message)))
        return false;
    *value = chunk.number;
    return true;
}

const char *throng_sim_text(throng_sim *sim, const char *lua, throng_message *message)
{
    throng_script_chunk chunk = {.text = lua, .expression = true, .string = true};
    if (!throng_idle_check(sim, __func__, message) || !throng_text_check(lua, "the expression", message))
        return NULL;
    throng_inputs_begin(&sim->inputs, THRONG_INPUT_TEXT);
    throng_inputs_put_text(&sim->inputs, lua);
    return throng_inputs_end(&sim->inputs, run_lua(sim, &chunk, message)) ? chunk.value : NULL;
}

bool throng_sim_spawn(throng_sim *sim, const char *settings, const float *xy, int32_t count, throng_agent *agents,
                      throng_message *message)
{
    throng_script_chunk chunk = {
        .text = settings, .expression = true, .points = xy, .count = count, .spawned = (throng_handle *)(void *)agents};
    if (!throng_idle_check(sim, __func__, message) || !throng_text_check(settings, "the group's settings", message))
        return false;
    if (count < 1)
        return refuse(message, "nobody to spawn: the number of agents is less than 1");
    if (!agents)
        return throng_fail((throng_error *)message,
                           "the agents are NULL, and must be an array of %d, which are written there", (int)count);
    throng_inputs_begin(&sim->inputs, THRONG_INPUT_SPAWN);
    throng_inputs_put_text(&sim->inputs, settings);
    throng_inputs_put_whole(&sim->inputs, count);
    throng_inputs_put_whole(&sim->inputs, xy != NULL);
    throng_inputs_put(&sim->inputs, xy, xy ? 2 * (size_t)count * sizeof *xy : 0);
    return throng_inputs_end(&sim->inputs, run_lua(sim, &chunk, message));
}
