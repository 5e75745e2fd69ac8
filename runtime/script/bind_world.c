/* throng.world{...}: the world's value, its fields and methods. */
#include "binders.h"
#include "column_values.h"
#include "map_value.h"
#include "script_files.h"
#include "script_parts.h"
#include "world_methods.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/history.h"

/*--- class throng.world as world
 * A world: agents, a map, goals and time.
 * @field time number(s) Simulated time.
 * @field steps integer Steps taken.
 * @field dt number(s) A step.
 * @field seed integer Seed of everything random.
 * @field groups table<string, throng.group> Groups by the name they were spawned with.
 * @field agents throng.group All who live now: who is spawned later is not in a group that was taken before.
 * @field paths throng.paths The path queue.
 * @field measures throng.measure[] The measures of the world, in order; world.measures.NAME is the one of that name.
 * @field stages throng.stages The stages of a frame.
 * @field bounds { x0: number(m), y0: number(m), x1: number(m), y1: number(m) }? Bounds of the map's free space.
 * @field map throng.map? The map, whose doors open and close.
 * @field lifts table<string, throng.lift> The lifts of the map, a building, by name.
 * @field floors { name: string, kind: string, z?: number(m), flight?: boolean, lift?: boolean }[] The floors of the
 * map, a building, with their heights, the lowest first, then its flights and lifts; kind: "floor", "stairs", "ramp",
 * "escalator", "walkway" or "lift". Floors and flights are regions of their names, for measures and group:inside.
 * @field backend "cpu"|"cuda" The backend that computes the frames.
 * @field device string The processor or GPU.
 * @field simd integer SIMD width on the CPU: agents computed at once.
 * @field threads integer Threads that compute. */

/*--- class throng.world.stats
 * The result of world:stats().
 * @field spawned integer All agents that were ever spawned.
 * @field living integer Agents in the world now.
 * @field arrived integer Removed agents count too.
 * @field outside integer Agents who are due by their sources, and wait for room there.
 * @field first_arrival? number(s) When the first one arrived.
 * @field last_arrival? number(s) When the last one so far arrived.
 * @field mean_travel? number(s) From spawn to arrival.
 * @field worst_travel? number(s) From spawn to arrival.
 * @field ms_per_step? number(ms) Mean time of a frame without Lua and recording; for tests: scenarios have no clock.
 * @field overlaps integer Pairs seen closer than 0.99 of the sum of their radii, summed over steps.
 * @field conflicts integer Pairs that the planners alone would have let overlap, summed over steps.
 * @field conflicts_of table<string, integer> The same by planner; a pair of two planners counts for both.
 * @field closest number(1) Least distance of a pair as a part of the sum of radii, at most 1.
 * @field bodies integer Rigid bodies that there are.
 * @field held integer Agents that the contact guard let go less far than they would have, summed over steps.
 * @field hidden integer Agents that no other saw in the last step: one cell of the grid, ten radii wide at most, holds
 * 512; the others walk on unseen until there is room.
 * @field iterations integer Contact iterations of the last step.
 * @field stuck table<throng.cause, integer> How often agents began to be stuck, by the cause found then.
 * @field undefined integer Results of behaviour functions that were no finite numbers and left the column as it was,
 * summed over steps.
 * @field limited integer Results of behaviour functions outside the range of their column, which were clamped to it,
 * summed over steps. */

/* Lua sees how small a world's value is, not the memory and threads behind it: with so many
 * worlds open, those that nobody refers to any more are closed before the next is made. */
enum { WORLDS_BEFORE_COLLECTING = 8 };

/* ---- regions */

static void add_to_map(lua_State *L, throng_map *map, const throng_shapes *regions)
{
    throng_error error;
    for (int32_t i = 0; i < regions->count; i++) {
        const throng_region *region = &regions->list[i];
        if (!throng_map_add_region(map, region->name, region->points, region->count, &error))
            throng_raise(L, "throng.world: region '%s': %s", region->name, error.text);
        throng_region_note_beyond(L, "throng.world", map, region);
    }
}

/* ---- making one */

/* Also when it is collected, or Lua ends. */
static int free_world(lua_State *L)
{
    throng_lua_world *world = luaL_checkudata(L, 1, THRONG_LUA_WORLD);
    throng_script_of(L)->worlds -= world->world != NULL;
    if (!throng_test_keep(throng_script_of(L), world)) {
        throng_world_destroy(world->world);
        throng_history_destroy(world->history);
    }
    free(world->spawned);
    free(world->timers.entries);
    free(world->late_timers.entries);
    world->timers = world->late_timers = (throng_heap){0};
    world->world = NULL;
    world->history = NULL;
    world->spawned = NULL;
    world->spawned_count = 0;
    return 0;
}

/* What a variable's end calls: with the error that ends it, if one does. */
static int leave_world(lua_State *L)
{
    throng_lua_world *world = luaL_checkudata(L, 1, THRONG_LUA_WORLD);
    if (world->stepping)
        throng_raise(L, "world:close cannot be called in a callback of the same world");
    if (throng_world_is_held(L, world))
        throng_raise(L, "world:close cannot be called while another call to the same world has not come back");
    lua_rawgeti(L, LUA_REGISTRYINDEX, throng_script_of(L)->world);
    if (lua_rawequal(L, 1, -1))
        throng_raise(L, "world:close: this is the scenario's world, which whoever runs it ends");
    lua_pop(L, 1);
    return free_world(L);
}

/*--- world:close()
 * Frees the world. Its groups cannot be used afterwards.
 * @error in a callback of the same world, or in a function or metamethod that another call to it calls; the world that
 * a scenario has returned to the program that runs it
 * @example
 * local trial = throng.load("scenarios/crossing.lua", { params = { count = 12 } })
 * trial:run { seconds = 1 }
 * trial:close() */
static int close_world(lua_State *L)
{
    lua_settop(L, 1);
    return leave_world(L);
}

static int unknown_group(lua_State *L)
{
    throng_raise_unknown_key(L, "world.groups", "group", throng_check_name(L, 2), 1);
}

/* An empty world value that __gc can take. [-0, +1] */
static throng_lua_world *push_world(lua_State *L)
{
    throng_lua_world *world = lua_newuserdatauv(L, sizeof *world, 1);
    *world = (throng_lua_world){.seconds = 600, .until_done = true, .people = true, .record_every = -1, .hooked = -1};
    luaL_setmetatable(L, THRONG_LUA_WORLD);
    lua_createtable(L, THRONG_PART_MAP, 0);
    for (int part = THRONG_PART_GROUPS; part < THRONG_PART_REGIONS; part++) {
        lua_newtable(L);
        if (part == THRONG_PART_GROUPS) {
            lua_createtable(L, 0, 2);
            lua_pushcfunction(L, unknown_group);
            lua_setfield(L, -2, "__index");
            lua_pushboolean(L, false);
            lua_setfield(L, -2, "__metatable");
            lua_setmetatable(L, -2);
        }
        lua_rawseti(L, -2, part);
    }
    lua_setiuservalue(L, -2, 1);
    return world;
}

/* Takes the map over when the world could be made. */
static void create(lua_State *L, throng_lua_world *world, throng_world_def *def, throng_map **holder)
{
    throng_error error;
    throng_script *script = throng_script_of(L);
    if (script->worlds >= WORLDS_BEFORE_COLLECTING)
        lua_gc(L, LUA_GCCOLLECT);
    if (holder) {
        add_to_map(L, *holder, world->regions);
        def->map = *holder;
    }
    world->world = throng_world_create(def, &error);
    if (!world->world)
        throng_raise(L, "throng.world: %s", error.text);
    script->worlds++;
    if (holder)
        *holder = NULL;
}

/*--- throng.world(settings)
 * Makes a world; a scenario returns one.
 * @param settings? throng.world.settings None: an open plane with the default settings.
 * @return throng.world
 * @error an unknown map or backend; a map that belongs to another world
 * @example
 * local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) }, dt = 0.05, seed = 7 }
 * world:spawn { count = 10 }
 * world:run { seconds = 5 } */
static int new_world(lua_State *L)
{
    throng_map **holder = NULL;
    throng_world_def def = throng_world_def_default();
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    if (!lua_istable(L, 1))
        throng_raise(L, "throng.world: expected a table like {map = \"plan.yaml\"}, got %s", throng_describe(L, 1));
    lua_settop(L, 1);
    throng_lua_world *world = push_world(L); /* 2 */
    throng_world_settings_read(L, world, &def);
    def.cache = throng_script_of(L)->cache;
    if (def.options.threads == 0)
        def.options.threads = throng_script_of(L)->limits.threads;
    world->regions = throng_regions_read(L, 1, "throng.world");
    lua_getiuservalue(L, 2, 1);
    lua_insert(L, -2);
    lua_rawseti(L, -2, THRONG_PART_REGIONS);
    if (lua_getfield(L, 1, "map") != LUA_TNIL)
        holder = throng_map_hold(L, -1, "throng.world: field 'map'");
    throng_world_wrap_read(L, holder ? *holder : NULL, &def);
    create(L, world, &def, holder);
    lua_settop(L, 2);
    return 1;
}

/* ---- fields */

/*--- world:hash()
 * Hash of the state: the same on every backend.
 * @return string 16 digits.
 * @example
 * print(world:hash()) */
static int hash(lua_State *L)
{
    throng_error error;
    uint64_t value;
    char text[17];
    if (!throng_world_hash(throng_check_world(L, 1)->world, &value, &error))
        throng_raise_error(L, &error);
    snprintf(text, sizeof text, "%016" PRIx64, value);
    lua_pushstring(L, text);
    return 1;
}

static void set_number(lua_State *L, const char *name, double value)
{
    if (isnan(value))
        return; /* nobody arrived: the field is nil */
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, uint64_t value)
{
    lua_pushinteger(L, (lua_Integer)value);
    lua_setfield(L, -2, name);
}

/* [-0, +1] */
static void push_conflicts(lua_State *L, const throng_counters *counters)
{
    lua_createtable(L, 0, THRONG_PLANNER_COUNT);
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        set_integer(L, throng_planner_names[kind], counters->conflicts_of[kind]);
}

/*--- world:stats()
 * Totals of the run so far.
 * @return throng.world.stats
 * @example
 * local stats = world:stats()
 * print(stats.spawned, stats.arrived) */
static int stats(lua_State *L)
{
    static const char *const names[] = {
        "spawned",     "living",     "arrived",   "first_arrival", "last_arrival", "mean_travel", "worst_travel",
        "ms_per_step", "overlaps",   "conflicts", "conflicts_of",  "closest",      "bodies",      "held",
        "hidden",      "iterations", "stuck",     "undefined",     "limited",      "outside",     NULL};
    throng_error error;
    throng_world_stats value;
    const throng_script *script = throng_script_of(L);
    if (!throng_world_get_stats(throng_check_world(L, 1)->world, &value, &error))
        throng_raise_error(L, &error);
    lua_createtable(L, 0, 12);
    set_integer(L, "spawned", (uint64_t)value.spawned);
    set_integer(L, "living", (uint64_t)value.living);
    set_integer(L, "arrived", (uint64_t)value.arrived);
    set_integer(L, "outside", (uint64_t)value.outside);
    set_integer(L, "bodies", (uint64_t)value.bodies);
    set_number(L, "first_arrival", value.first_arrival);
    set_number(L, "last_arrival", value.last_arrival);
    set_number(L, "mean_travel", value.mean_travel);
    set_number(L, "worst_travel", value.worst_travel);
    if (script->depth == 0 || script->limits.trust) /* scenarios have no clock */
        set_number(L, "ms_per_step", value.ms_per_step);
    set_integer(L, "overlaps", value.counters.overlaps);
    set_integer(L, "conflicts", value.counters.conflicts);
    push_conflicts(L, &value.counters);
    lua_setfield(L, -2, "conflicts_of");
    set_number(L, "closest", (double)value.counters.worst);
    set_integer(L, "held", value.counters.held);
    set_integer(L, "hidden", (uint64_t)value.counters.hidden);
    set_integer(L, "iterations", value.counters.iterations);
    set_integer(L, "undefined", value.counters.undefined);
    set_integer(L, "limited", value.counters.limited);
    throng_stuck_counts_push(L, &value);
    lua_setfield(L, -2, "stuck");
    throng_fields_name(L, "world:stats()", names);
    return 1;
}

/*--- world:stop()
 * Ends the run after this step.
 * @example
 * world:on_step(function() if guests.count == 0 then world:stop() end end) */
static int stop(lua_State *L)
{
    throng_check_world(L, 1)->stopped = true;
    return 0;
}

static void push_backend_field(lua_State *L, const throng_world *world, const char *key)
{
    throng_backend_info info;
    throng_world_backend_info(world, &info);
    if (strcmp(key, "device") == 0)
        lua_pushstring(L, info.device);
    else
        lua_pushinteger(L, strcmp(key, "simd") == 0 ? info.simd : info.threads);
}

static void push_bounds(lua_State *L, const throng_world *world)
{
    const throng_map *map = throng_world_map(world);
    if (map)
        throng_bounds_push(L, &map->bounds);
    else
        lua_pushnil(L);
}

/* Methods that lua/throng/NAME.lua has: host.NAME(world, ...) */
static int call_library(lua_State *L, const char *name)
{
    throng_check_world(L, 1);
    return throng_host_call(L, name);
}

static int source(lua_State *L) { return call_library(L, "source"); }

static int sink(lua_State *L) { return call_library(L, "sink"); }

static int flow_cap(lua_State *L) { return call_library(L, "flow_cap"); }
static int compare(lua_State *L) { return call_library(L, "compare"); }
static int smoke(lua_State *L) { return call_library(L, "smoke"); }
static int announce(lua_State *L) { return call_library(L, "announce"); }

static int queue(lua_State *L) { return call_library(L, "service_queue"); }

static int story(lua_State *L) { return call_library(L, "story"); }

static const luaL_Reg METHODS[] = {{"spawn", throng_world_spawn_method},
                                   {"body", throng_world_body_method},
                                   {"bodies", throng_world_bodies_method},
                                   {"step", throng_world_step_method},
                                   {"run", throng_world_run_method},
                                   {"on_step", throng_world_on_step_method},
                                   {"on", throng_world_on},
                                   {"source", source},
                                   {"sink", sink},
                                   {"flow_cap", flow_cap},
                                   {"smoke", smoke},
                                   {"announce", announce},
                                   {"queue", queue},
                                   {"story", story},
                                   {"at", throng_world_at_method},
                                   {"every", throng_world_every_method},
                                   {"tagged", throng_world_tagged_method},
                                   {"column", throng_world_column_method},
                                   {"avoidance", throng_world_avoidance_method},
                                   {"hazard", throng_world_hazard_method},
                                   {"measure", throng_world_measure_method},
                                   {"compare", compare},
                                   {"environment", throng_world_environment_method},
                                   {"probe", throng_world_probe_method},
                                   {"hash", hash},
                                   {"stats", stats},
                                   {"stuck", throng_world_stuck_method},
                                   {"stop", stop},
                                   {"close", close_world},
                                   {NULL, NULL}};

/* Fields that are no methods: those of push_field. */
static const char *const FIELDS[] = {"measures", "time",   "steps",   "dt",    "seed",   "groups",
                                     "agents",   "bounds", "map",     "paths", "stages", "backend",
                                     "device",   "simd",   "threads", "lifts", "floors"};

static bool push_field(lua_State *L, const throng_world *world, const char *key)
{
    if (strcmp(key, "time") == 0)
        lua_pushnumber(L, throng_world_time(world));
    else if (strcmp(key, "steps") == 0)
        lua_pushinteger(L, throng_world_steps(world));
    else if (strcmp(key, "dt") == 0)
        lua_pushnumber(L, throng_world_dt(world));
    else if (strcmp(key, "seed") == 0)
        lua_pushinteger(L, (lua_Integer)throng_world_seed(world));
    else if (strcmp(key, "map") == 0)
        throng_world_map_push(L, 1);
    else if (strcmp(key, "lifts") == 0)
        throng_lifts_push(L, 1);
    else if (strcmp(key, "floors") == 0)
        throng_floors_push(L, throng_world_map(world));
    else if (strcmp(key, "groups") == 0)
        throng_world_part_push(L, 1, THRONG_PART_GROUPS);
    else if (strcmp(key, "agents") == 0)
        throng_agents_push(L, 1);
    else if (strcmp(key, "paths") == 0)
        throng_paths_push(L, 1);
    else if (strcmp(key, "measures") == 0)
        throng_world_part_push(L, 1, THRONG_PART_MEASURES);
    else if (strcmp(key, "stages") == 0)
        throng_stages_push(L, 1);
    else if (strcmp(key, "bounds") == 0)
        push_bounds(L, world);
    else if (strcmp(key, "backend") == 0)
        lua_pushstring(L, throng_world_backend(world));
    else if (strcmp(key, "device") == 0 || strcmp(key, "simd") == 0 || strcmp(key, "threads") == 0)
        push_backend_field(L, world, key);
    else
        return false;
    return true;
}

_Noreturn static void raise_unknown_field(lua_State *L, const char *key)
{
    const char
        *names[sizeof METHODS / sizeof *METHODS + sizeof FIELDS / sizeof *FIELDS]; /* METHODS ends with nothing */
    int count = 0;
    for (const luaL_Reg *method = METHODS; method->name; method++)
        names[count++] = method->name;
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++)
        names[count++] = FIELDS[i];
    names[count] = NULL;
    throng_raise_unknown(L, "world", "field", key, names);
}

static int index_world(lua_State *L)
{
    const char *key = throng_check_name(L, 2);
    for (const luaL_Reg *method = METHODS; method->name; method++)
        if (strcmp(method->name, key) == 0) {
            lua_pushcfunction(L, method->func);
            return 1;
        }
    if (!push_field(L, throng_check_world(L, 1)->world, key))
        raise_unknown_field(L, key);
    return 1;
}

static int refuse_write(lua_State *L)
{
    const char *key = lua_type(L, 2) == LUA_TSTRING ? throng_check_name(L, 2) : "?";
    throng_raise(L, "world.%s cannot be written; settings go into throng.world{...}", key);
}

static int to_string(lua_State *L)
{
    const throng_lua_world *world = luaL_checkudata(L, 1, THRONG_LUA_WORLD);
    if (!world->world)
        lua_pushliteral(L, "closed world");
    else
        lua_pushfstring(L, "world of %d agents at %f s", (int)throng_agents_count(throng_world_agents(world->world)),
                        (lua_Number)throng_world_time(world->world));
    return 1;
}

void throng_bind_world(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__index", index_world}, {"__newindex", refuse_write}, {"__tostring", to_string},
                                    {"__gc", free_world},     {"__close", leave_world},     {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_WORLD);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, new_world);
    lua_setfield(L, -2, "world");
}
