/* Checked arguments: unknown fields, wrong types, numbers that are not finite or out of range. */
#include "fields.h"
#include "script_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"

/* Raises the list of names itself. */
_Noreturn static void raise_names(lua_State *L, const char *const *names)
{
    lua_newtable(L);
    for (int i = 0; names[i]; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_error(L);
    abort(); /* lua_error does not return */
}

#define PLAN "the plan is map = throng.map { boundary = throng.box(0, 0, 20, 10), walls = ..., doors = ... }"

#define GO_TO "group:go_to sends agents, after they were made"
#define LINE  "it is called line, from the place of service to its end: { { 12, 5 }, { 6, 5 } }"
#define MACHINE                                                                                                        \
    "what agents do beside walking to a place is a state of a machine, group:run(throng.fsm { start = \"stay\", stay " \
    "= { goal = throng.wait(2, 6) } }), with throng.wait, wander, follow, flee or seek"
#define ENDS    "its name is the key, and its ends are two points, doors = { north = { { 10, 4 }, { 10, 6 } } }"
#define SHUT    "it is open at first; world.map:door(\"name\"):close() closes it"
#define MEASURE "the quantity is the field and the place its value, { density = \"hall\" }, { flow = \"door\" }"
#define RATE    "it is called rate: agents a second, 0.5 for one every 2 s"

/* What somebody means who looks for a thing where it is not. */
static const struct {
    const char *owner, *word, *means;
} ELSEWHERE[] = {
    {"throng", "spawn", "world:spawn makes agents"},
    {"throng", "gaussian", "it is called throng.normal(mean, deviation)"},
    {"throng", "gauss", "it is called throng.normal(mean, deviation)"},
    {"throng", "cfsm", "it is called throng.collision_free_speed"},
    {"throng", "sfm", "it is called throng.social_force"},
    {"throng", "gcfm", "it is called throng.generalized_centrifugal_force"},
    {"throng", "queue", "world:queue makes one"},
    {"throng", "source", "world:source makes one"},
    {"throng", "group", "world:spawn makes agents, and gives their group"},
    {"throng", "agents", "world:spawn makes agents"},
    {"throng", "rect", "it is called throng.box(x0, y0, x1, y1)"},
    {"throng", "rectangle", "it is called throng.box(x0, y0, x1, y1)"},
    {"throng", "circle", "a round place or wall is throng.polygon of points on its rim; a body is throng.disc"},
    {"throng", "wall", "walls are shapes in throng.map { walls = { throng.box(...) } }"},
    {"throng", "walls", "walls are shapes in throng.map { walls = { throng.box(...) } }"},
    {"throng", "door", "doors are in throng.map { doors = { name = { { x, y }, { x, y } } } }"},
    {"throng", "region", "regions are in throng.world { regions = { name = throng.box(...) } }"},
    {"throng.map: door", "from", ENDS},
    {"throng.map: door", "to", ENDS},
    {"throng.map: door", "a", ENDS},
    {"throng.map: door", "b", ENDS},
    {"throng.map: door", "name", ENDS},
    {"throng.map: door", "width", "its two points say how wide it is"},
    {"throng.map: door", "closed", SHUT},
    {"throng.map: door", "open", SHUT},
    {"throng.map: door", "is_open", SHUT},
    {"throng.map: door", "one_way", "world.map:door(\"name\").one_way = \"forth\" lets people through one way"},
    {"throng.world", "delta_time", "it is called dt"},
    {"throng.world", "width", PLAN},
    {"throng.world", "height", PLAN},
    {"throng.world", "size", PLAN},
    {"throng.world", "boundary", PLAN},
    {"throng.world", "walls", PLAN},
    {"throng.world", "doors", PLAN},
    {"throng.world", "count", "world:spawn { count = ... } makes agents"},
    {"throng.world", "agents", "world:spawn { count = ... } makes agents"},
    {"throng.world", "duration", "it is called seconds"},
    {"throng.world", "time", "it is called seconds"},
    {"throng.world", "time_step", "it is called dt"},
    {"throng.orca", "tau", "it is called horizon"},
    {"throng.orca", "time_horizon", "it is called horizon"},
    {"throng.orca", "time_horizon_obst", "it is called wall_horizon"},
    {"throng.orca", "neighbour_dist", "it is called sight"},
    {"throng.orca", "neighbor_dist", "it is called sight"},
    {"throng.orca", "max_neighbors", "it is called neighbours"},
    {"world", "add_agent", "world:spawn makes agents"},
    {"world", "spawn_agents", "world:spawn makes agents"},
    {"world", "add_queue", "world:queue makes one"},
    {"world", "time_step", "it is called dt"},
    {"world", "doors", "a door is world.map:door(\"name\")"},
    {"world", "door", "a door is world.map:door(\"name\")"},
    {"world", "regions",
     "a region's name is enough wherever a place is expected; world.map:region(\"name\") has its corners"},
    {"world", "region",
     "a region's name is enough wherever a place is expected; world.map:region(\"name\") has its corners"},
    {"world", "after", "world:at(world.time + 3, f) calls f in three seconds"},
    {"world", "remove", "agents are removed by their group, group:remove()"},
    {"world", "add", "world:spawn makes agents"},
    {"world", "add_agents", "world:spawn makes agents"},
    {"world", "agents", "world:spawn makes agents, and gives their group; world.groups has all"},
    {"world", "seconds", "it is a setting of throng.world; the time is world.time"},
    {"world:spawn", "diameter", "it is called radius, half of that"},
    {"world:spawn", "destination", GO_TO},
    {"world:spawn", "target", GO_TO},
    {"world:spawn", "exit", GO_TO},
    {"world:spawn", "desired_speed", "it is called speed"},
    {"world:spawn", "v0", "it is called speed"},
    {"world:spawn", "positions", "it is called at, and has a list of points"},
    {"world:spawn", "goal", GO_TO},
    {"world:spawn", "to", GO_TO},
    {"world:spawn", "go_to", GO_TO},
    {"world:spawn", "region", "it is called where"},
    {"world:spawn", "area", "it is called where"},
    {"world:spawn", "position", "it is called at, and has a list of points"},
    {"world:spawn", "n", "it is called count"},
    {"world:spawn", "number", "it is called count"},
    {"world:source", "every", RATE},
    {"world:source", "interval", RATE},
    {"world:flow_cap", "rate", "it is called flow: persons a second"},
    {"world:flow_cap", "capacity", "it is called flow: persons a second"},
    {"world:sink", "region", "it is called where"},
    {"world:sink", "at", "it is called where"},
    {"world:queue", "at", LINE},
    {"world:queue", "where", LINE},
    {"world:queue", "points", LINE},
    {"world:queue", "service", "it is called serve"},
    {"world:queue", "service_time", "it is called serve"},
    {"group", "join", "queues take agents in: queue:join(group)"},
    {"group", "stop", "who has no wish stands: group.desired = { 0, 0 }; group.desired = nil lets them go on"},
    {"group", "set_goal", "it is called go_to"},
    {"group", "goto_region", "it is called go_to"},
    {"group", "set_velocity", "velocities are the columns vx and vy"},
    {"group", "pos", "places are the columns x and y"},
    {"group", "each", "groups are walked through by for i = 1, #group do group[i] ... end"},
    {"group", "colour", "it is a setting of world:spawn"},
    {"group", "color", "it is called colour, a setting of world:spawn"},
    {"group", "goto", "it is called go_to"},
    {"group", "move_to", "it is called go_to"},
    {"group", "walk_to", "it is called go_to"},
    {"group", "target", "group:go_to sends agents"},
    {"group", "destination", "group:go_to sends agents"},
    {"group", "exit", "group:go_to sends agents to a region"},
    {"group", "kill", "it is called remove"},
    {"group", "delete", "it is called remove"},
    {"group", "on_arrived", "events are heard by group:on(\"arrived\", f)"},
    {"group", "on_arrive", "events are heard by group:on(\"arrived\", f)"},
    {"group", "on_stuck", "events are heard by group:on(\"stuck\", f)"},
    {"group", "set_speed", "columns are written as they are read, group.speed = 2"},
    {"group", "size", "it is called count"},
    {"group", "wait", MACHINE},
    {"group", "stand", MACHINE},
    {"group", "wander", MACHINE},
    {"group", "follow", MACHINE},
    {"group", "flee", MACHINE},
    {"group", "seek", MACHINE},
    {"world:measure", "kind", MEASURE},
    {"world:measure", "type", MEASURE},
    {"world:measure", "what", MEASURE},
    {"world:measure", "where", MEASURE},
    {"world:measure", "door", MEASURE},
    {"group", "where", "it is called filter"},
    {"group", "position", "places are the columns x and y"},
    {"group", "velocity", "velocities are the columns vx and vy"},
    {"column", "average", "it is called mean"},
};

/* ": ..." or "". The owner's own name, door 'north', does not count. */
static const char *elsewhere(const char *owner, const char *word, char *text, size_t size)
{
    const char *own = strstr(owner, " '");
    size_t length = own ? (size_t)(own - owner) : strlen(owner);
    *text = 0;
    for (size_t i = 0; i < sizeof ELSEWHERE / sizeof *ELSEWHERE; i++)
        if (strlen(ELSEWHERE[i].owner) == length && strncmp(ELSEWHERE[i].owner, owner, length) == 0 &&
            strcmp(ELSEWHERE[i].word, word) == 0)
            snprintf(text, size, ": %s", ELSEWHERE[i].means);
    return text;
}

void throng_raise_unknown(lua_State *L, const char *owner, const char *what, const char *word, const char *const *names)
{
    char list[1024];
    if (throng_script_of(L)->names_wanted)
        raise_names(L, names);
    char means[320];
    if (*elsewhere(owner, word, means, sizeof means))
        throng_raise(L, "%s: unknown %s '%s'%s", owner, what, word, means);
    const char *nearest = throng_suggest(word, names);
    throng_list_names(list, sizeof list, names);
    if (!*list)
        throng_raise(L, "%s: unknown %s '%s' (there are none%s)", owner, what, word,
                     strcmp(what, "region") == 0 ? "; throng.world { regions = { name = throng.box(...) } } has some"
                     : strcmp(what, "door") == 0 ? "; throng.map { doors = { name = { { x, y }, { x, y } } } } has some"
                                                 : "");
    if (nearest)
        throng_raise(L, "%s: unknown %s '%s', did you mean '%s'? Expected one of: %s", owner, what, word, nearest,
                     list);
    throng_raise(L, "%s: unknown %s '%s'; expected one of: %s", owner, what, word, list);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* A table with a metatable gives its place to one without, which has its fields: what its functions return stays valid
 * as long, and they are called now and not while the fields are read. */
static void settle(lua_State *L, int index, const char *const *names)
{
    if (!lua_getmetatable(L, index))
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    int copy = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, copy);
    }
    for (; *names; names++) {
        lua_getfield(L, index, *names);
        lua_setfield(L, copy, *names);
    }
    lua_replace(L, index);
}

const char *throng_unknown_name(lua_State *L, int table, const char *const *names)
{
    const char *unknown = NULL; /* the table keeps it alive */
    table = lua_absindex(L, table);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? throng_check_name(L, -2) : NULL;
        if (name && !is_one_of(name, names) && (!unknown || strcmp(name, unknown) < 0))
            unknown = name;
    }
    return unknown;
}

void throng_fields_check(lua_State *L, int index, const char *what, const char *const *names)
{
    index = lua_absindex(L, index);
    settle(L, index, names);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            throng_raise(L, "%s: expected named fields (name = value), got the entry [%s]", what,
                         throng_describe(L, -1));
    }
    const char *unknown = throng_unknown_name(L, index, names);
    if (unknown)
        throng_raise_unknown(L, what, "field", unknown, names);
}

static int raise_unread(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TSTRING && !is_one_of(throng_check_name(L, 2), lua_touserdata(L, lua_upvalueindex(2))))
        throng_raise_unknown(L, lua_tostring(L, lua_upvalueindex(1)), "field", lua_tostring(L, 2),
                             lua_touserdata(L, lua_upvalueindex(2)));
    return 0;
}

void throng_fields_name(lua_State *L, const char *owner, const char *const *names)
{
    if (luaL_newmetatable(L, owner)) {
        lua_pushstring(L, owner);
        lua_pushlightuserdata(L, (void *)(uintptr_t)names);
        lua_pushcclosure(L, raise_unread, 2);
        lua_setfield(L, -2, "__index");
        lua_pushboolean(L, false);
        lua_setfield(L, -2, "__metatable");
    }
    lua_setmetatable(L, -2);
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

void throng_raise_unknown_key(lua_State *L, const char *owner, const char *what, const char *word, int table)
{
    size_t count = 0;
    table = lua_absindex(L, table);
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        count++;
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
    count = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING)
            names[count++] = lua_tostring(L, -2);
    qsort(names, count, sizeof *names, by_text);
    names[count] = NULL;
    throng_raise_unknown(L, owner, what, word, names);
}

static void range_text(const throng_range *range, char *text, size_t size)
{
    const char *unit = range->unit, *space = *range->unit ? " " : "";
    const char *more = range->above ? ">" : ">=";
    if (isinf(range->least) || range->least < -1e15)
        snprintf(text, size, "a finite number%s%s%s", *unit ? " (" : "", unit, *unit ? ")" : "");
    else if (isinf(range->most) || range->most > 1e15)
        snprintf(text, size, "a number %s %g%s%s", more, range->least, space, unit);
    else
        snprintf(text, size, "a number %s %g and <= %g%s%s", more, range->least, range->most, space, unit);
}

/* What must be above a bound is divided by: 1e-300 would be 0 in the columns, and 1 / 1e-40 infinite. */
#define LEAST_ABOVE 1e-6

bool throng_in_range(double value, const throng_range *range)
{
    return isfinite(value) && value <= range->most && value >= range->least + (range->above ? LEAST_ABOVE : 0);
}

double throng_check_number(lua_State *L, int index, const char *what, const throng_range *range)
{
    double value = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : NAN;
    if (throng_in_range(value, range))
        return value;
    char expected[128];
    range_text(range, expected, sizeof expected);
    if (value > range->least && value < range->least + LEAST_ABOVE)
        throng_raise(L, "%s must be %s, by 1e-06 or more; got %s", what, expected, throng_describe(L, index));
    throng_raise(L, "%s must be %s, got %s", what, expected, throng_describe(L, index));
}

int64_t throng_check_integer(lua_State *L, int index, const char *what, int64_t least, int64_t most)
{
    int whole = 0;
    lua_Integer value = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &whole) : 0;
    if (whole && value >= least && value <= most)
        return value;
    bool too_many = lua_type(L, index) == LUA_TNUMBER && lua_tonumber(L, index) > (double)most;
    if (!too_many && (most == INT64_MAX || most == INT32_MAX))
        throng_raise(L, "%s must be a whole number >= %I, got %s", what, (LUAI_UACINT)least, throng_describe(L, index));
    throng_raise(L, "%s must be a whole number from %I to %I, got %s", what, (LUAI_UACINT)least, (LUAI_UACINT)most,
                 throng_describe(L, index));
}

bool throng_field_push(lua_State *L, int table, const char *owner, const char *name)
{
    lua_pushfstring(L, "%s: field '%s'", owner, name);
    if (lua_getfield(L, table, name) != LUA_TNIL)
        return true;
    lua_pop(L, 2);
    return false;
}

bool throng_field_number(lua_State *L, int table, const char *owner, const char *name, const throng_range *range,
                         double *value)
{
    if (!throng_field_push(L, table, owner, name))
        return false;
    *value = throng_check_number(L, -1, lua_tostring(L, -2), range);
    lua_pop(L, 2);
    return true;
}

bool throng_field_integer(lua_State *L, int table, const char *owner, const char *name, int64_t least, int64_t most,
                          int64_t *value)
{
    if (!throng_field_push(L, table, owner, name))
        return false;
    *value = throng_check_integer(L, -1, lua_tostring(L, -2), least, most);
    lua_pop(L, 2);
    return true;
}

bool throng_field_boolean(lua_State *L, int table, const char *owner, const char *name, bool *value)
{
    if (!throng_field_push(L, table, owner, name))
        return false;
    const char *what = lua_tostring(L, -2);
    if (!lua_isboolean(L, -1))
        throng_raise(L, "%s must be true or false, got %s", what, throng_describe(L, -1));
    *value = lua_toboolean(L, -1);
    lua_pop(L, 2);
    return true;
}

const char *throng_check_text(lua_State *L, int index, const char *what)
{
    if (lua_type(L, index) != LUA_TSTRING)
        throng_raise(L, "%s must be a string, got %s", what, throng_describe(L, index));
    const char *text = lua_tostring(L, index);
    if (strlen(text) != lua_rawlen(L, index))
        throng_raise(L, "%s has a zero byte in it, after '%s', where names end: leave it out", what, text);
    return text;
}

void *throng_check_self(lua_State *L, int index, const char *type, const char *noun, const char *method)
{
    void *value = luaL_testudata(L, index, type);
    if (!value)
        throng_raise(L, "expected a %s, got %s (methods are called with a colon: %s:%s(...))", noun,
                     throng_describe(L, index), noun, throng_method_name(L, method));
    return value;
}

void throng_refuse_more(lua_State *L, int count, const char *owner, const char *takes)
{
    if (lua_gettop(L) > count && !lua_isnil(L, count + 1))
        throng_raise(L, "%s takes (%s), and got %s besides", owner, takes, throng_describe(L, count + 1));
}

const char *throng_check_name(lua_State *L, int index)
{
    luaL_checkstring(L, index); /* also a number, which is a string then */
    return throng_check_text(L, index, "the name");
}

bool throng_field_string(lua_State *L, int table, const char *owner, const char *name, const char **value)
{
    if (!throng_field_push(L, table, owner, name))
        return false;
    *value = throng_check_text(L, -1, lua_tostring(L, -2));
    lua_pop(L, 2);
    return true;
}

/* ---- settings */

void throng_settings_check(lua_State *L, int table, const throng_settings *settings)
{
    const char *names[64];
    int count = 0;
    for (const throng_setting *setting = settings->list; setting->name; setting++)
        names[count++] = setting->name;
    names[count] = NULL;
    throng_fields_check(L, table, settings->owner, names);
}

static const throng_range *range_of(lua_State *L, const throng_settings *settings, const char *name)
{
    for (const throng_setting *setting = settings->list; setting->name; setting++)
        if (strcmp(setting->name, name) == 0)
            return &setting->range;
    luaL_error(L, "%s has no setting '%s'", settings->owner, name);
    return NULL;
}

bool throng_setting_number(lua_State *L, int table, const throng_settings *settings, const char *name, double *value)
{
    return throng_field_number(L, table, settings->owner, name, range_of(L, settings, name), value);
}

bool throng_setting_integer(lua_State *L, int table, const throng_settings *settings, const char *name, int64_t *value)
{
    const throng_range *range = range_of(L, settings, name);
    int64_t most = range->most < 9e15 ? (int64_t)range->most : INT64_MAX;
    return throng_field_integer(L, table, settings->owner, name, (int64_t)range->least, most, value);
}
