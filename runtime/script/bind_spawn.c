/* world:spawn{...}: agents, in areas or at exact places, as a group. */
#include "column_values.h"
#include "figure_value.h"
#include "group_methods.h"
#include "planner_value.h"
#include "routing_value.h"
#include "script_parts.h"
#include "world_methods.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*--- class throng.spawn
 * Settings of world:spawn. */

static const char OWNER[] = "world:spawn";

static const throng_setting SETTINGS[] = {
    {"count", "integer", NULL, "How many agents; not needed with `at`.", {1, INT32_MAX, false, ""}},
    {"where", "throng.place", NULL, .text = "Areas to place them in; none: the whole map."},
    {"at", "throng.point[]", NULL,
     .text = "Exact places instead. Of more than 512 agents in one place, others see and meet 512."},
    {"from", "throng.moment", NULL,
     .text = "People of a recording instead, throng.trajectory(file, time): where they are, and their velocities. "
             "Heads lean "
             "over walls: whose body does not fit where its head is stands beside it, at most 0.5 m off."},
    {"name", "string", NULL, .text = "name of the group; none: \"agents\", \"agents 2\", ..."},
    {"colour", "string", .initial = "one of eight that are easily told apart",
     .text = "Colour of the group in windows, pictures, films and reports: \"#c33\" or \"#cc3333\"."},
    {"radius", "throng.number", .initial = "uniform from 0.20 to 0.25: half the breadth of clothed shoulders"},
    {"body", "throng.figure", "throng.disc()",
     .text = "What they are, seen from above, in place of `radius` and `width`: throng.stadium() is as people are."},
    {"max_speed", "throng.number", .initial = "2, or the greatest `speed`"},
#define IF_spawn(...) __VA_ARGS__
#define IF_spawn_so(...)
#define IF_planner(...)
#define IF_no(...)
#define X(name, type_, initial_, unit, spawned, ...) IF_##spawned({#name, .type = "throng.number"}, )
    THRONG_COLUMNS(X)
#undef X
        {"planner", "throng.planner_name|throng.planner", "\"orca\"", .text = "How they avoid each other."},
    {"desired", "throng.behaviour_like", NULL,
     .text = "Preferred velocity in m/s, as group.desired takes it: a function(t, a) that returns vx, vy."},
    {"routing", "throng.routing_name", "\"navmesh\"", .text = "How they find their paths."},
    {"door_policy", "throng.door_policy", "\"reroute\"", .text = "Closed-door policy."},
    {"company", "throng.number", .initial = "1",
     .text = "Size of the companies that walk together, a whole number drawn for each; their members stand within 10 m "
             "of each other."},
    {"congestion", "boolean", "false",
     .text = "Do they look for routes round congestion? With routing = \"navmesh\" only."},
    {.name = NULL},
};

const throng_settings throng_spawn_settings = {"throng.spawn", OWNER, SETTINGS};

enum { FIELDS_MOST = sizeof SETTINGS / sizeof *SETTINGS + THRONG_OWN_COLUMNS }; /* SETTINGS ends with nothing */

/* The names of all fields, and NULL: those of SETTINGS and the world's own columns. How many there are. */
static int field_names(const throng_lua_world *world, const char **names)
{
    int count = 0;
    for (const throng_setting *setting = SETTINGS; setting->name; setting++)
        names[count++] = setting->name;
    for (int c = THRONG_COLUMN_GIVEN; c < throng_agents_columns(throng_world_agents(world->world)); c++)
        names[count++] = throng_world_column(world, c)->name;
    names[count] = NULL;
    return count;
}

static void read_behaviour(lua_State *L, const throng_lua_world *world, int column, const char *field, const char *name,
                           throng_behaviours *list)
{
    lua_getfield(L, 2, field);
    if (throng_is_behaviour(L, -1))
        throng_behaviours_add(L, world, column, name, list);
    else
        lua_pop(L, 1);
}

static throng_behaviours read_behaviours(lua_State *L, const throng_lua_world *world, const char *name)
{
    throng_behaviours list = {.count = 0};
#define X(name_, type, initial, unit, spawned, ...)                                                                    \
    THRONG_IF_SPAWNED_##spawned(read_behaviour(L, world, THRONG_COLUMN_##name_, #name_, name, &list);)
    THRONG_COLUMNS(X)
#undef X
    for (int c = THRONG_COLUMN_GIVEN; c < throng_agents_columns(throng_world_agents(world->world)); c++)
        read_behaviour(L, world, c, throng_world_column(world, c)->name, name, &list);
    if (lua_getfield(L, 2, "desired") != LUA_TNIL && !throng_is_behaviour(L, -1))
        throng_raise(L, "%s: field 'desired' must be a function(t, a) that returns vx, vy, got %s", OWNER,
                     throng_describe(L, -1));
    lua_pop(L, 1);
    read_behaviour(L, world, THRONG_COLUMN_desired_vx, "desired", name, &list);
    lua_getfield(L, 2, "planner");
    int planner = lua_gettop(L);
    throng_planner_behaviours(L, planner, world, name, &list);
    return list;
}

static void read_sampler(lua_State *L, const throng_lua_world *world, int column, throng_sampler *value)
{
    const char *name = throng_world_column(world, column)->name;
    bool computed = lua_getfield(L, 2, name) != LUA_TNIL && throng_is_behaviour(L, -1);
    lua_pop(L, 1);
    if (computed)
        return; /* it starts with the default */
    throng_field_sampler(L, 2, OWNER, name, throng_column_range(column), value);
}

/* `body`, instead of sizes of its own. */
static void read_figure(lua_State *L, throng_spawn_def *def)
{
    if (lua_getfield(L, 2, "body") != LUA_TNIL) {
        throng_figure figure = throng_check_figure(L, -1, "world:spawn: field 'body'");
        for (int i = 0; i < 2; i++) {
            const char *size = i ? "width" : "radius";
            if (lua_getfield(L, 2, size) != LUA_TNIL)
                throng_raise(L, "world:spawn: field '%s' does not go with 'body', which says how large they are", size);
            lua_pop(L, 1);
        }
        def->by_depth = figure.wide;
        def->radius = figure.size;
        if (figure.wide)
            def->width = figure.width;
    }
    lua_pop(L, 1);
}

/* Speeds, sizes. A maximum speed that is not given never cuts the speed asked for. */
static void read_body(lua_State *L, const throng_lua_world *world, throng_spawn_def *def)
{
#define X(name, type, initial, unit, spawned, ...)                                                                     \
    THRONG_IF_SPAWNED_##spawned(read_sampler(L, world, THRONG_COLUMN_##name, &def->name);)
    THRONG_COLUMNS(X)
#undef X
    read_figure(L, def);
    memcpy(def->own, world->own, sizeof def->own);
    for (int c = THRONG_COLUMN_GIVEN; c < throng_agents_columns(throng_world_agents(world->world)); c++)
        read_sampler(L, world, c, &def->own[c - THRONG_COLUMN_GIVEN]);
    double fastest = throng_sampler_most(&def->speed);
    if (lua_getfield(L, 2, "max_speed") == LUA_TNIL && fastest > def->max_speed.a)
        def->max_speed = (throng_sampler){.kind = THRONG_CONSTANT, .a = fastest, .b = fastest};
    lua_pop(L, 1);
}

static void read_planner(lua_State *L, throng_spawn_def *def)
{
    if (lua_getfield(L, 2, "planner") != LUA_TNIL) {
        throng_planner_value value = throng_check_planner(L, -1, "world:spawn: field 'planner'");
        def->planner = value.planner;
        def->horizon = value.has_horizon ? value.horizon : def->horizon;
        def->wall_horizon = value.has_wall_horizon ? value.wall_horizon : def->wall_horizon;
        def->sight = value.has_sight ? value.sight : def->sight;
        def->neighbours = value.neighbours >= 0 ? (int32_t)value.neighbours : def->neighbours;
    }
    lua_pop(L, 1);
}

static void read_routing(lua_State *L, throng_spawn_def *def)
{
    if (lua_getfield(L, 2, "routing") != LUA_TNIL)
        def->routing = throng_check_routing(L, -1, "world:spawn: field 'routing'");
    if (lua_getfield(L, 2, "door_policy") != LUA_TNIL)
        def->door_policy = throng_check_door_policy(L, -1, "world:spawn: field 'door_policy'");
    lua_pop(L, 2);
    throng_field_boolean(L, 2, OWNER, "congestion", &def->congestion);
}

/* `at`, or that of `from`. Its type. [-0, +1] */
static int push_positions(lua_State *L)
{
    int at = lua_getfield(L, 2, "at"), from = lua_getfield(L, 2, "from");
    if (from == LUA_TNIL) {
        lua_pop(L, 1);
        return at;
    }
    if (at != LUA_TNIL)
        throng_raise(L, "world:spawn: give 'at' or 'from', not both");
    if (from != LUA_TTABLE)
        throng_raise(L, "world:spawn: field 'from' must be a moment like throng.trajectory(\"run.txt\", 3), got %s",
                     throng_describe(L, -1));
    if (lua_getfield(L, -1, "at") != LUA_TTABLE)
        throng_raise(L, "world:spawn: field 'from' must be a moment, with a list 'at', got %s", throng_describe(L, -1));
    lua_replace(L, -3);
    lua_pop(L, 1);
    return LUA_TTABLE;
}

/* Are the velocities of `from` as many as its places? Before anybody is spawned. [-0, +0] */
static void check_velocities(lua_State *L, int32_t count)
{
    static const char *const parts[] = {"vx", "vy"};
    int top = lua_gettop(L);
    if (lua_getfield(L, 2, "from") == LUA_TTABLE)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (lua_getfield(L, top + 1, parts[i]) == LUA_TNIL)
                continue;
            if (!lua_istable(L, -1) || lua_rawlen(L, -1) != (size_t)count)
                throng_raise(L,
                             "world:spawn: field 'from': '%s' must be a list of %d numbers, one for each place, got %s",
                             parts[i], (int)count, throng_describe(L, -1));
            for (lua_Integer k = 1; k <= count; k++) {
                lua_rawgeti(L, -1, k);
                if (lua_type(L, -1) != LUA_TNUMBER || !isfinite((float)lua_tonumber(L, -1)))
                    throng_raise(L, "world:spawn: field 'from': '%s'[%d] must be a number, got %s", parts[i], (int)k,
                                 throng_describe(L, -1));
                lua_pop(L, 1);
            }
        }
    lua_settop(L, top);
}

/* The velocities of `from`, for those who were spawned, the group at the top. [-0, +0] */
static void keep_velocities(lua_State *L)
{
    static const char *const parts[] = {"vx", "vy"};
    int group = lua_gettop(L);
    if (lua_getfield(L, 2, "from") == LUA_TTABLE)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            if (lua_getfield(L, group + 1, parts[i]) != LUA_TNIL)
                lua_setfield(L, group, parts[i]);
        }
    lua_settop(L, group);
}

/* `count`, `where`, `at`. [-0, +1 or 2]: what keeps the areas or positions alive */
static void read_places(lua_State *L, const throng_lua_world *world, bool more, throng_spawn_def *def)
{
    int64_t count = 0;
    bool counted = throng_field_integer(L, 2, OWNER, "count", more ? 0 : 1, INT32_MAX, &count);
    if (push_positions(L) != LUA_TNIL) {
        int32_t places;
        def->positions = throng_points_read(L, -1, throng_world_map(world->world), "world:spawn: field 'at'", &places);
        if (places == 0 || (counted && count != places))
            throng_raise(L, "world:spawn: field 'at' has %d places%s", (int)places,
                         counted ? ", not as many as 'count' says" : "; give at least one");
        def->count = places;
        def->recorded = lua_getfield(L, 2, "from") != LUA_TNIL;
        lua_pop(L, 1);
        check_velocities(L, places);
    } else if (!counted) {
        throng_raise(L, "world:spawn: field 'count' is missing (or 'at' with exact places)");
    }
    def->count = counted ? (int32_t)count : def->count;
    if (lua_getfield(L, 2, "where") != LUA_TNIL) {
        const throng_shapes *areas = throng_shapes_read(L, -1, world, "world:spawn: field 'where'");
        def->areas = areas->list;
        def->area_count = areas->count;
    } else if (!def->positions && !throng_world_map(world->world)) {
        throng_raise(L, "world:spawn: a world without a map needs 'where' or 'at'");
    }
    if (def->positions && def->areas)
        throng_raise(L, "world:spawn: give 'where' or 'at', not both");
}

/* The group's name: as given, else "agents", "agents 2", ... [-0, +1] the group of that name, or nil */
static void read_name(lua_State *L, const throng_lua_world *world, bool more, char *name, size_t size)
{
    const char *given = NULL;
    throng_field_string(L, 2, OWNER, "name", &given);
    if (given && (!*given || strlen(given) >= size))
        throng_raise(L, "world:spawn: field 'name' must have 1 to %d bytes, got %d", (int)size - 1, (int)strlen(given));
    if (given)
        snprintf(name, size, "%s", given);
    else if (world->spawned_count == 0)
        snprintf(name, size, "agents");
    else
        snprintf(name, size, "agents %d", (int)world->spawned_count + 1);
    throng_world_part_push(L, 1, THRONG_PART_GROUPS);
    lua_pushstring(L, name);
    if (lua_rawget(L, -2) != LUA_TNIL && !more)
        throng_raise(L, "world:spawn: there is a group named '%s' already", name);
    lua_remove(L, -2);
}

/* "#c33" or "#cc3333". */
static void read_colour(lua_State *L, throng_spawn_def *def)
{
    const char *given = NULL;
    if (!throng_field_string(L, 2, OWNER, "colour", &given))
        return;
    size_t digits = *given == '#' ? strspn(given + 1, "0123456789abcdefABCDEF") : 0;
    if ((digits != 3 && digits != 6) || given[1 + digits])
        throng_raise(L, "world:spawn: field 'colour': expected \"#c33\" or \"#cc3333\", got \"%s\"", given);
    uint32_t rgb = (uint32_t)strtoul(given + 1, NULL, 16);
    def->colour = digits == 6 ? rgb : 0x11 * ((rgb & 0xf00) << 8 | (rgb & 0xf0) << 4 | (rgb & 0xf));
}

/* A group of `count` agents that are to be spawned, whose handles are written later. [-0, +1] */
static throng_lua_group *group_to_be(lua_State *L, int32_t count)
{
    throng_lua_group *group = throng_group_push(L, 1, NULL, 0, -1);
    group->handles = lua_newuserdatauv(L, (size_t)count * sizeof *group->handles + 1, 0);
    lua_setiuservalue(L, -2, 2);
    return group;
}

/* Keeps the group at the top, or nil, under its name and its kind. */
static void remember_group(lua_State *L, const char *name, int32_t kind)
{
    throng_world_part_push(L, 1, THRONG_PART_GROUPS);
    throng_world_part_push(L, 1, THRONG_PART_BY_GROUP);
    lua_pushvalue(L, -3);
    lua_rawseti(L, -2, kind + 1);
    lua_pushstring(L, name);
    lua_pushvalue(L, -4);
    lua_rawset(L, -4);
    lua_pop(L, 2);
}

/* Nobody was spawned: where no group is at `known`, that of the name goes again. */
static void forget_group(lua_State *L, int known, const char *name, int32_t kind)
{
    if (!lua_isnil(L, known))
        return;
    lua_pushnil(L);
    remember_group(L, name, kind);
    lua_pop(L, 1);
}

enum { AGENT_BYTES = 400 }; /* of memory, about */

/* Their handles, those of their group, and those of the one that they join. */
static void check_room(lua_State *L, const char *field, int32_t count, const throng_lua_group *old)
{
    size_t handles = 2 * (size_t)count + (old ? (size_t)old->count + (size_t)count : 0);
    if (!throng_script_has_room(L, handles * sizeof(throng_handle)) || !throng_memory_fits((size_t)count * AGENT_BYTES))
        throng_raise(L,
                     "world:spawn: field '%s': %d agents take more than what is left of the %d MiB of memory (limit: "
                     "--memory MIB)",
                     field, (int)count, (int)(throng_script_of(L)->limits.memory >> 20));
}

static int spawn(lua_State *L, bool more)
{
    char name[64];
    throng_error error;
    throng_lua_world *world = throng_check_world(L, 1);
    throng_refuse_hooked(L, world, "world:spawn");
    lua_settop(L, 2);
    if (!lua_istable(L, 2))
        throng_raise(L, "world:spawn: expected a table like {count = 10, where = \"hall\"}, got %s",
                     throng_describe(L, 2));
    const char *fields[FIELDS_MOST];
    field_names(world, fields);
    throng_fields_check(L, 2, OWNER, fields);
    throng_spawn_def def = world->people ? throng_spawn_def_default() : throng_spawn_def_discs();
    read_body(L, world, &def);
    read_planner(L, &def);
    read_routing(L, &def);
    if (lua_getfield(L, 2, "company") != LUA_TNIL)
        def.company = throng_check_company(L, -1);
    lua_pop(L, 1);
    read_colour(L, &def);
    read_name(L, world, more, name, sizeof name);
    int known = lua_gettop(L);
    throng_behaviours behaviours = read_behaviours(L, world, name);
    throng_behaviours_add_always(L, 1, &behaviours);
    read_places(L, world, more, &def);
    def.name = name;
    const throng_lua_group *old = lua_isnil(L, known) ? NULL : throng_check_group(L, known);
    check_room(L, def.positions ? "at" : "count", def.count, old);
    int32_t groups = throng_world_group_count(world->world);
    throng_spawned_reserve(L, world, groups + 1);
    throng_lua_group *group = group_to_be(L, def.count);
    if (old) /* first, since there may be no memory for it */
        throng_group_reserve(L, known, def.count);
    else
        remember_group(L, name, groups);
    if (!throng_world_spawn(world->world, &def, group->handles, &error)) {
        forget_group(L, known, name, groups);
        throng_raise(L, "world:spawn '%s': %s", name, error.text);
    }
    group->count = def.count;
    int32_t kind = throng_world_group_named(world->world, name);
    group->named_after = kind;
    group->kind = old ? -1 : kind;
    if (!throng_behaviours_bind(L, 1, group, &behaviours, &error)) {
        throng_world_unspawn(world->world, group->handles, group->count, groups);
        forget_group(L, known, name, groups);
        throng_raise(L, "world:spawn '%s': %s", name, error.text);
    }
    throng_spawned_follow(world)[kind].spawned += def.count;
    if (old)
        throng_group_extend(L, known, group->handles, group->count);
    keep_velocities(L);
    return 1;
}

/*--- world:spawn(definition)
 * Makes agents, and returns their group.
 * @param definition throng.spawn The agents, their number and places.
 * @return throng.group
 * @error neither `count` nor `at`; a name that a group has already; an area with too little room (the message
 * says for how many)
 * @example
 * local tourists = world:spawn { count = 60, where = "left", speed = throng.normal(1.34, 0.26), name = "tourists" } */
int throng_world_spawn_method(lua_State *L) { return spawn(L, false); }

int throng_world_spawn_more(lua_State *L) { return spawn(L, true); }

int throng_world_spawn_fields(lua_State *L)
{
    const char *names[FIELDS_MOST];
    int count = field_names(throng_check_world(L, 1), names);
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}
