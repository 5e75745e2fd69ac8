/* What throng.world{...} takes, and what the command line puts in its place. */
#include "fields.h"
#include "script_files.h"
#include "script_parts.h"
#include "world_methods.h"

#include <string.h>

/*--- class throng.world.settings
 * Settings of throng.world. */

static const char OWNER[] = "throng.world";

static const throng_setting SETTINGS[] = {
    {"map", "string|throng.map", NULL,
     .text = "Path of a map (beside the script, in the current folder, in the folder above the script's), or "
             "throng.map{...}; "
             "none: an open plane."},
    {"regions", "table<string, throng.shape|throng.shape[]>", NULL,
     .text = "Named areas for `where` and `go_to`; a name may stand for several polygons. A region of the map with the "
             "same name is not meant then."},
    {"wrap", "true|throng.point", NULL,
     .text = "{width, height} in metres: a periodic world: an agent that leaves at the right enters at the left, and "
             "one that leaves at the top enters at the bottom; places are from {0, 0} to {width, height}, a map's "
             "floor continues where it reaches the seam on both sides, and agents see across. At least twice the "
             "agents' sight. true: as far as the map reaches."},
    {"dt", "number", "0.1", "Time that a step takes.", {THRONG_DT_LEAST, THRONG_DT_MOST, false, "s"}},
    {"latency", "0|1", "0",
     .text = "Delay of the planners' decisions in frames. 1: planning a frame overlaps with moving in it (on the "
             "GPU, at once), and agents move by the plan of the frame before, on every backend.",
     .range = {0, 1, false, ""}},
    {"friction", "number", "0",
     .text =
         "Sliding friction of bodies and walls that press against each other, over the pressure: kappa / k of Helbing, "
         "Farkas and Vicsek (2000), who have 2. With it, people who push are slower the harder they do.",
     .range = {0, 1e3, false, "s/m"}},
    {"seed", "integer", "1", "Seed of everything random.", {0, 1e18, false, ""}},
    {"backend", "\"auto\"|\"cpu\"|\"cuda\"", "\"auto\"",
     .text = "Backend that computes the frames; the results are the same. auto: CUDA when a device is there and the "
             "world has "
             "at least 4,096 agents when its first frame begins; fewer are no slower on the CPU."},
    {"people", "boolean", "true",
     .text = "Do agents walk like people, unless their spawn says otherwise? Then they keep a time gap, pass oncoming "
             "agents on the right, accelerate gradually, and differ in radius. false: time_gap = "
             "0, relaxation = 0, radius = 0.25: discs that do what their planner says at once, as the planners' "
             "papers have it."},
    {"simd", "0|1|4|8|16", "0", "CPU: SIMD width, agents computed at once, 0: the best there is.", {0, 16, false, ""}},
    {"threads", "integer", "0", "CPU: threads, 0: one a processor.", {0, 256, false, ""}},
    {"seconds", "number", "600", "`throng run` and world:run{} end here at the latest.", {0, 1e9, true, "s"}},
    {"until_done", "boolean", "true",
     .text = "`throng run` ends when everyone with a goal has arrived, whatever timers and stories wait for."},
    {"record", "boolean|throng.record.settings", "true",
     .text = "Record the trajectory, with what the run knows of its people, its plan and its measures, and beside it "
             "doors.csv and bodies.csv; false: nothing."},
    {.name = NULL},
};

const throng_settings throng_world_settings = {"throng.world.settings", "throng.world", SETTINGS};

/*--- class throng.record.settings
 * Settings of `record` in throng.world. */
static const throng_setting RECORD[] = {
    {"every",
     "number",
     NULL,
     "Time between frames of the trajectory; 0.1 s in worlds that begin with at most 500 agents, else 0.5 s.",
     {0, 3600, true, "s"}},
    {"format", "\"sqlite\"|\"compact\"", "\"sqlite\"",
     .text = "sqlite: JuPedSim's, half a microsecond an agent and frame, for which a run of a million agents waits; "
             "compact: "
             "12 bytes an agent and frame, written while the run goes on, of which `throng convert` makes SQLite."},
    {.name = NULL},
};

const throng_settings throng_record_settings = {"throng.record.settings", "throng.world: field 'record'", RECORD};

/* Settings of the script in `def` and `world`. */
static void read_settings(lua_State *L, throng_lua_world *world, throng_world_def *def)
{
    int64_t number;
    throng_setting_number(L, 1, &throng_world_settings, "dt", &def->dt);
    throng_setting_number(L, 1, &throng_world_settings, "seconds", &world->seconds);
    throng_field_boolean(L, 1, OWNER, "until_done", &world->until_done);
    throng_field_boolean(L, 1, OWNER, "people", &world->people);
    throng_field_string(L, 1, OWNER, "backend", &def->backend);
    throng_setting_number(L, 1, &throng_world_settings, "friction", &def->friction);
    if (throng_setting_integer(L, 1, &throng_world_settings, "latency", &number))
        def->latency = (int32_t)number;
    if (throng_setting_integer(L, 1, &throng_world_settings, "seed", &number))
        def->seed = (uint64_t)number;
    if (throng_setting_integer(L, 1, &throng_world_settings, "simd", &number))
        def->options.simd = (int32_t)number;
    if (throng_setting_integer(L, 1, &throng_world_settings, "threads", &number))
        def->options.threads = (int32_t)number;
}

/* The size of a map, for a world that wraps where it ends. `map`: may be NULL. */
static throng_point size_of(lua_State *L, const throng_map *map)
{
    throng_point size = map ? (throng_point){map->bounds.x1, map->bounds.y1} : (throng_point){0, 0};
    if (!(size.x > 0 && size.y > 0))
        throng_raise(L,
                     "throng.world: field 'wrap' = true is for a world whose map has walls: it wraps where they end; "
                     "give a size in metres like {50, 30}");
    return size;
}

void throng_world_wrap_read(lua_State *L, const throng_map *map, throng_world_def *def)
{
    static const throng_range range = {0, 1e6, true, "m"};
    lua_getfield(L, 1, "wrap");
    if (lua_isboolean(L, -1)) {
        if (lua_toboolean(L, -1))
            def->wrap = size_of(L, map);
    } else if (!lua_isnil(L, -1)) {
        if (!throng_is_point(L, -1))
            throng_raise(L, "throng.world: field 'wrap' must be a size in metres like {50, 30}, or true, got %s",
                         throng_describe(L, -1));
        lua_geti(L, -1, 1);
        lua_geti(L, -2, 2);
        def->wrap.x = throng_check_number(L, -2, "throng.world: field 'wrap', the width", &range);
        def->wrap.y = throng_check_number(L, -1, "throng.world: field 'wrap', the height", &range);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

/* record = false, or { every = 0.5, format = "sqlite" } */
static void read_record(lua_State *L, throng_lua_world *world)
{
    const char *format = NULL;
    if (lua_getfield(L, 1, "record") == LUA_TBOOLEAN) {
        world->record_every = lua_toboolean(L, -1) ? world->record_every : 0;
    } else if (lua_istable(L, -1)) {
        throng_settings_check(L, lua_gettop(L), &throng_record_settings);
        throng_setting_number(L, lua_gettop(L), &throng_record_settings, "every", &world->record_every);
        throng_field_string(L, lua_gettop(L), throng_record_settings.owner, "format", &format);
        if (format && strcmp(format, "sqlite") != 0 && strcmp(format, "compact") != 0)
            throng_raise(L,
                         "throng.world: field 'record': 'format' must be \"sqlite\" (JuPedSim SQLite) or "
                         "\"compact\" (12 bytes an agent and frame; throng convert makes the other of it), got \"%s\"",
                         format);
        world->record_compact = format && strcmp(format, "compact") == 0;
    } else if (!lua_isnil(L, -1)) {
        throng_raise(
            L, "throng.world: field 'record' must be false or a table like {every = 0.5, format = \"sqlite\"}, got %s",
            throng_describe(L, -1));
    }
    lua_pop(L, 1);
}

/* What the command line or throng.load said wins over the script. Strings stay alive in the context. */
static void apply_overrides(lua_State *L, throng_world_def *def)
{
    throng_context_push(L);
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    lua_getfield(L, -1, "overrides");
    if (lua_getfield(L, -1, "backend") == LUA_TSTRING)
        def->backend = lua_tostring(L, -1);
    if (lua_getfield(L, -2, "simd") == LUA_TNUMBER)
        def->options.simd = (int32_t)lua_tointeger(L, -1);
    if (lua_getfield(L, -3, "threads") == LUA_TNUMBER)
        def->options.threads = (int32_t)lua_tointeger(L, -1);
    if (lua_getfield(L, -4, "seed") == LUA_TNUMBER)
        def->seed = (uint64_t)lua_tointeger(L, -1);
    if (lua_getfield(L, -6, "random") == LUA_TUSERDATA) /* math.random follows the world's seed */
        throng_generator_seed(lua_touserdata(L, -1), def->seed);
    lua_pop(L, 7);
}

static void check_backend(lua_State *L, const throng_world_def *def)
{
    static const char *const names[] = {"auto", "cpu", "cuda", NULL};
    int32_t simd = def->options.simd;
    bool known = false;
    for (int i = 0; names[i]; i++)
        known = known || strcmp(def->backend, names[i]) == 0;
    if (!known)
        throng_raise_unknown(L, OWNER, "backend", def->backend, names);
    if (simd != 0 && simd != 1 && simd != 4 && simd != 8 && simd != 16)
        throng_raise(L, "throng.world: simd must be 1, 4, 8 or 16 (0: the best there is), got %d", (int)simd);
}

void throng_world_settings_read(lua_State *L, throng_lua_world *world, throng_world_def *def)
{
    throng_settings_check(L, 1, &throng_world_settings);
    read_settings(L, world, def);
    read_record(L, world);
    apply_overrides(L, def);
    check_backend(L, def);
}
