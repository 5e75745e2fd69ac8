/* world:measure{...} and the values it gives. */
#include "binders.h"
#include "fields.h"
#include "group_value.h"
#include "map_value.h"
#include "world_methods.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_sheets.h"
#include "world/measure.h"

/*--- class throng.measure as measure
 * The values measured so far; tostring(measure) is a sentence of them.
 * @field kind "flow"|"density"|"inside"|"lanes"|"count"|"speed"|"time_gap"|"travel_time"|"level_of_service" The
 * quantity.
 * @field name string The name given to world:measure; none: the kind of measure.
 * @field place string The place, as text.
 * @field who string The agents, as text.
 * @field world throng.world The world it measures.
 * @field count integer Flow: passages. An agent that turns back takes its passage back: over a line at any time, at a
 * region within 0.5 m of it. Who walks through a region comes in and goes out: two passages.
 * @field forth integer Flow: from the line's left to its right, looking from the first point to the second; into the
 * region.
 * @field back integer Flow: the other way.
 * @field flow number(1/s)? Flow: (count - 1) / (last - first); nil with fewer than two passages.
 * @field first number(s)? Flow: time of the first passage; inside: of the first step with somebody outside.
 * @field last number(s)? Flow: time of the last passage.
 * @field now number(any)? Density (1/m^2), lane index, speed (m/s), level of service (1 for A to 6 for F), or how many
 * are there, or outside: in the last step that had a value; the last time gap or travel time (s).
 * @field mean number(any)? Over all steps; of all gaps, of all who arrived.
 * @field most number(any)? The greatest.
 * @field most_at number(s)? When that was.
 * @field least number(any)? The least.
 * @field least_at number(s)? When that was.
 * @field samples integer Steps with a value; time gaps; people who arrived.
 * @field level string? Level of service: "A" to "F", in the last step.
 * @field share table<string, number(1)> Level of service: of the time, by letter.
 * @field area number(m^2) Density: free space in the region.
 * @field outsider integer Inside: id of the first agent that was outside, -1: none. */

/*--- class throng.measure.settings
 * Settings of world:measure: one of the quantities, or `region`, and which agents and when. Floors and flights of a
 * building are regions of their names. */
static const throng_setting SETTINGS[] = {
    {"flow", "throng.door|throng.running_door|throng.point[]|throng.place",
     .text = "Passages over a line (a door, its name, or two points), or into and out of a region."},
    {"density", "throng.place",
     .text = "Agents a square metre of free space in it (the classical density), or by `method`."},
    {"inside", "throng.place", .text = "Agents that leave the region."},
    {"lanes", "throng.place|true",
     .text = "How far people there (true: anywhere) walk in lanes of one direction: 0 by chance, 1 when every "
             "strip has one direction (Rex and Loewen, 2007; Nowak and Schadschneider, 2012)."},
    {"count", "throng.place", .text = "How many agents are in it."},
    {"speed", "throng.place|true", .text = "Mean speed of the agents there (true: anywhere)."},
    {"time_gap", "throng.door|throng.running_door|throng.point[]|throng.place",
     .text = "Time between one passage and the next, over a line or into and out of a region."},
    {"travel_time", "throng.place",
     .text = "Time until agents come there: since they were spawned, or since they left `since`."},
    {"level_of_service", "throng.place", .text = "Fruin's levels for walkways (1971), A to F, by the density there."},
    {"region", "throng.place",
     .text = "Density, speed, flow and level of service there, all in one call: see world:measure."},
    {"method", "\"classical\"|\"voronoi\"", "\"classical\"",
     .text = "Of densities. voronoi: the mean over the region of 1 / area of the Voronoi cells there, which are of all "
             "agents and clipped to the floor (Steffen and Seyfried, 2010; as PedPy has it), every `every` seconds."},
    {"since", "throng.place", .text = "Of travel times: they begin when an agent leaves it."},
    {"every", "number", "0.5", "Between values over time: measure:series().", {0, 1e9, true, "s"}},
    {"group", "throng.group", .text = "Only these."},
    {"name", "string", .text = "In world.measures, and for reports."},
    {"along", "throng.point", "{ 1, 0 }", .text = "Of lanes: the direction people walk along, either way."},
    {"width", "number", "0.6", "Of lanes: of a strip.", {0, 1000, true, "m"}},
    {"from", "number", NULL, "Steps that end before are left out.", {0, 1e9, false, "s"}},
    {"till", "number", NULL, "Steps that end later are left out.", {0, 1e9, false, "s"}},
    {.name = NULL},
};

const throng_settings throng_measure_settings = {"throng.measure.settings", "world:measure", SETTINGS};

static const char OWNER[] = "world:measure";

/* ---- values */

static throng_measure *check_measure_at(lua_State *L, int index)
{
    throng_measure **measure = luaL_testudata(L, index, THRONG_LUA_MEASURE);
    if (!measure)
        throng_raise(L, "expected a measure, got %s", throng_describe(L, index));
    lua_getiuservalue(L, index, 1);
    throng_check_world(L, -1);
    lua_pop(L, 1);
    return *measure;
}

static throng_measure *check_measure(lua_State *L) { return check_measure_at(L, 1); }

enum {
    FLOW = 1 << THRONG_MEASURE_FLOW,
    DENSITY = 1 << THRONG_MEASURE_DENSITY,
    INSIDE = 1 << THRONG_MEASURE_INSIDE,
    TIME_GAP = 1 << THRONG_MEASURE_TIME_GAP,
    PASSAGES = FLOW | TIME_GAP,
    LEVEL = 1 << THRONG_MEASURE_LEVEL,
    VALUES = DENSITY | 1 << THRONG_MEASURE_LANES | 1 << THRONG_MEASURE_COUNT | 1 << THRONG_MEASURE_SPEED | TIME_GAP |
             1 << THRONG_MEASURE_TRAVEL_TIME | LEVEL
};

typedef struct measure_field {
    const char *name;
    int kinds;
    size_t offset; /* in throng_measured */
    bool whole;    /* int32_t, else double, NAN: nil */
} measure_field;

static const measure_field FIELDS[] = {
    {"count", PASSAGES, offsetof(throng_measured, passed), true},
    {"forth", FLOW, offsetof(throng_measured, forth), true},
    {"back", FLOW, offsetof(throng_measured, back), true},
    {"flow", FLOW, offsetof(throng_measured, flow), false},
    {"first", PASSAGES | INSIDE, offsetof(throng_measured, first), false},
    {"last", PASSAGES, offsetof(throng_measured, last), false},
    {"now", VALUES | INSIDE, offsetof(throng_measured, now), false},
    {"mean", VALUES | INSIDE, offsetof(throng_measured, mean), false},
    {"most", VALUES | INSIDE, offsetof(throng_measured, most), false},
    {"most_at", VALUES | INSIDE, offsetof(throng_measured, most_at), false},
    {"least", VALUES | INSIDE, offsetof(throng_measured, least), false},
    {"least_at", VALUES | INSIDE, offsetof(throng_measured, least_at), false},
    {"samples", VALUES | INSIDE, offsetof(throng_measured, samples), true},
    {"area", DENSITY | LEVEL, offsetof(throng_measured, area), false},
    {"outsider", INSIDE, offsetof(throng_measured, outsider), true},
};

enum { FIELD_COUNT = sizeof FIELDS / sizeof *FIELDS };

static void push_value(lua_State *L, const measure_field *field, const throng_measured *got)
{
    const char *at = (const char *)got + field->offset;
    if (field->whole)
        lua_pushinteger(L, *(const int32_t *)(const void *)at);
    else if (isnan(*(const double *)(const void *)at))
        lua_pushnil(L);
    else
        lua_pushnumber(L, *(const double *)(const void *)at);
}

void throng_lists_push(lua_State *L, int32_t count, const double *times, const double *values)
{
    lua_createtable(L, count, 0);
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushnumber(L, times[i]);
        lua_rawseti(L, -3, i + 1);
        lua_pushnumber(L, values[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/*--- measure:series()
 * Its values over time, `every` seconds apart: of a flow the passages so far; of speeds, time gaps and travel times the
 * mean since the value before, where there were any; else what was measured in that step.
 * @return number(s)[] The times.
 * @return number(any)[] The values then.
 * @example
 * local hall = world:measure { density = "hall", every = 1 }
 * world:run { seconds = 60 }
 * local times, densities = hall:series() */
static int series(lua_State *L)
{
    const double *times, *values;
    int32_t count = throng_measure_series(check_measure(L), &times, &values);
    throng_lists_push(L, count, times, values);
    return 2;
}

/*--- measure:events()
 * What happened one by one, in the order of their times: passages of a flow, with 1 as their values (the times are an
 * N-t curve), each time gap, and each travel time. Other measures have none. Passages that were taken back stay.
 * @return number(s)[] When each was, or was over.
 * @return number(any)[] The values.
 * @example
 * local door = world:measure { flow = "north" }
 * world:run { seconds = 60 }
 * for n, time in ipairs(door:events()) do print(time, n) end */
static int events(lua_State *L)
{
    const double *times, *values;
    int32_t count = throng_measure_events(check_measure(L), &times, &values);
    throng_lists_push(L, count, times, values);
    return 2;
}

static void push_level(lua_State *L, const throng_measured *got)
{
    if (isnan(got->now))
        lua_pushnil(L);
    else
        lua_pushfstring(L, "%c", 'A' + (int)got->now - 1);
}

static void push_shares(lua_State *L, const throng_measured *got)
{
    lua_createtable(L, 0, THRONG_FRUIN_LEVELS);
    for (int level = 0; level < THRONG_FRUIN_LEVELS; level++) {
        lua_pushnumber(L, got->samples ? (double)got->levels[level] / got->samples : 0);
        lua_setfield(L, -2, (const char[]){(char)('A' + level), 0});
    }
}

static bool push_field(lua_State *L, const throng_measure *measure, const char *key)
{
    const throng_measure_def *def = throng_measure_def_of(measure);
    throng_measured got = throng_measure_read(measure);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (FIELDS[i].kinds & 1 << def->kind && strcmp(FIELDS[i].name, key) == 0) {
            push_value(L, &FIELDS[i], &got);
            return true;
        }
    if (strcmp(key, "kind") == 0)
        lua_pushstring(L, throng_measure_names[def->kind]);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, def->name);
    else if (strcmp(key, "place") == 0)
        lua_pushstring(L, def->place);
    else if (strcmp(key, "who") == 0)
        lua_pushstring(L, def->who);
    else if (strcmp(key, "world") == 0)
        lua_getiuservalue(L, 1, 1);
    else if (strcmp(key, "series") == 0)
        lua_pushcfunction(L, series);
    else if (strcmp(key, "events") == 0)
        lua_pushcfunction(L, events);
    else if (def->kind == THRONG_MEASURE_LEVEL && strcmp(key, "level") == 0)
        push_level(L, &got);
    else if (def->kind == THRONG_MEASURE_LEVEL && strcmp(key, "share") == 0)
        push_shares(L, &got);
    else
        return false;
    return true;
}

static int index_measure(lua_State *L)
{
    const char *key = throng_check_name(L, 2), *names[FIELD_COUNT + 10];
    const throng_measure *measure = check_measure(L);
    if (push_field(L, measure, key))
        return 1;
    int count = 0, kind = throng_measure_def_of(measure)->kind;
    for (int i = 0; i < FIELD_COUNT; i++)
        if (FIELDS[i].kinds & 1 << kind)
            names[count++] = FIELDS[i].name;
    if (kind == THRONG_MEASURE_LEVEL) {
        names[count++] = "level";
        names[count++] = "share";
    }
    static const char *const common[] = {"kind", "name", "place", "who", "world", "series", "events", NULL};
    memcpy(names + count, common, sizeof common);
    throng_raise_unknown(L, throng_measure_names[kind], "field", key, names);
}

static int refuse_write(lua_State *L)
{
    throng_raise(L, "a measure's fields are read only; what it measures goes into world:measure{...}");
}

static int to_string(lua_State *L)
{
    char text[512];
    throng_measure_text(check_measure(L), text, sizeof text);
    lua_pushstring(L, text);
    return 1;
}

/* ---- definitions */

/* Entry `at` of the table at `index` as a point, when it is one. */
static bool point_at(lua_State *L, int index, int at, const throng_map *map, throng_point *point)
{
    lua_rawgeti(L, index, at);
    bool found = throng_is_point(L, -1);
    if (found)
        *point = throng_check_place(L, -1, map, "world:measure: field 'flow'");
    lua_pop(L, 1);
    return found;
}

static bool is_line(lua_State *L, int index, const throng_map *map, throng_measure_def *def)
{
    static const char *const none[] = {NULL};
    if (!lua_istable(L, index) || throng_is_shape(L, index) || lua_rawlen(L, index) != 2 ||
        !point_at(L, index, 1, map, &def->a) || !point_at(L, index, 2, map, &def->b))
        return false;
    const char *unknown = throng_unknown_name(L, index, none);
    if (unknown)
        throng_raise(L,
                     "%s: field 'flow': a line has two points, and no field '%s'; points name their floor: {x, y, "
                     "floor = \"first\"}",
                     OWNER, unknown);
    int32_t from = throng_map_sheet_at(map, def->a), to = throng_map_sheet_at(map, def->b);
    if (map && map->sheets && map->sheets->list[from].part != map->sheets->list[to].part)
        throng_raise(L, "%s: field 'flow': the line begins on '%s' and ends on '%s'; give both points one floor", OWNER,
                     map->sheets->list[from].name, map->sheets->list[to].name);
    return true;
}

/* What a line is called. [-0, +1] */
static void push_line(lua_State *L, const throng_map *map, const throng_measure_def *def)
{
    int32_t sheet = throng_map_sheet_at(map, def->a);
    throng_point a = throng_map_position(map, sheet, def->a), b = throng_map_position(map, sheet, def->b);
    lua_pushfstring(L, "the line from (%f, %f) to (%f, %f)", a.x, a.y, b.x, b.y);
    if (!map || !map->sheets)
        return;
    lua_pushfstring(L, " on '%s'", map->sheets->list[sheet].name);
    lua_concat(L, 2);
}

static const throng_door *door_named(const throng_map *map, const char *name)
{
    for (int32_t i = 0; map && i < map->door_count; i++)
        if (strcmp(map->doors[i].name, name) == 0)
            return &map->doors[i];
    return NULL;
}

/* The line of a flow from the value at `index`: a door, its name, or two points. [-0, +1] the place's text, or [+0] */
static bool read_line(lua_State *L, int index, const throng_lua_world *world, throng_measure_def *def)
{
    const throng_map *map = throng_world_map(world->world);
    const throng_door *door = lua_type(L, index) == LUA_TSTRING
                                  ? door_named(map, throng_check_name(L, index))
                                  : throng_test_door(L, index, world, "world:measure: field 'flow'");
    if (door) {
        def->a = door->a;
        def->b = door->b;
        lua_pushfstring(L, "door '%s'", door->name);
        return true;
    }
    if (!is_line(L, index, map, def))
        return false;
    if (def->a.x == def->b.x && def->a.y == def->b.y)
        throng_raise(L, "%s: field 'flow': the two points of the line are the same", OWNER);
    push_line(L, map, def);
    return true;
}

/* Raises with the names of doors and regions when it is of none. */
static void check_passage(lua_State *L, const throng_lua_world *world, const char *name, const char *what)
{
    const char *names[64];
    const throng_map *map = throng_world_map(world->world);
    int count = 0;
    for (int32_t d = 0; map && d < map->door_count && count < 32; d++)
        names[count++] = map->doors[d].name;
    for (const char **region = throng_region_names(L, world->regions, map); *region; region++) {
        if (strcmp(*region, name) == 0)
            return;
        if (count < 63)
            names[count++] = *region;
    }
    names[count] = NULL;
    throng_raise_unknown(L, what, "door or region", name, names);
}

/* [-0, +1] */
static void push_place(lua_State *L, int index, const throng_shapes *shapes)
{
    if (lua_type(L, index) == LUA_TSTRING) {
        lua_pushfstring(L, "'%s'", lua_tostring(L, index));
        return;
    }
    const throng_region *first = &shapes->list[0];
    double x = 0, y = 0;
    for (int32_t i = 0; i < first->count; i++) {
        x += first->points[i].x / first->count;
        y += first->points[i].y / first->count;
    }
    lua_pushfstring(L, "the area around (%f, %f)", x, y);
}

/* Where: what the field of the measure's kind holds. Values pushed keep the definition's texts and regions alive. */
static void read_place(lua_State *L, const throng_lua_world *world, throng_measure_def *def)
{
    lua_getfield(L, 2, throng_measure_names[def->kind]);
    int index = lua_gettop(L);
    bool anywhere = def->kind == THRONG_MEASURE_LANES || def->kind == THRONG_MEASURE_SPEED;
    if (anywhere && lua_isboolean(L, index) && lua_toboolean(L, index)) {
        def->place = "the world";
        return;
    }
    if ((def->kind == THRONG_MEASURE_FLOW || def->kind == THRONG_MEASURE_TIME_GAP) && read_line(L, index, world, def)) {
        def->place = lua_tostring(L, -1);
        return;
    }
    const char *what = lua_pushfstring(L, "%s: field '%s'", OWNER, throng_measure_names[def->kind]);
    if (def->kind == THRONG_MEASURE_FLOW && lua_type(L, index) == LUA_TSTRING)
        check_passage(L, world, lua_tostring(L, index), what);
    const throng_shapes *shapes = throng_shapes_read(L, index, world, what);
    def->regions = shapes->list;
    def->region_count = shapes->count;
    push_place(L, index, shapes);
    def->place = lua_tostring(L, -1);
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Whom: agents that a spawn's group will get are counted too. */
static void read_group(lua_State *L, const throng_lua_world *world, throng_measure_def *def)
{
    if (lua_getfield(L, 2, "group") == LUA_TNIL)
        return;
    const throng_lua_group *group = throng_check_group(L, -1);
    if (group->owner != world)
        throng_raise(L, "%s: field 'group': the group belongs to another world", OWNER);
    def->who = lua_pushfstring(L, "group '%s'", throng_group_name(group));
    def->spawn = group->kind;
    if (group->kind >= 0)
        return;
    int32_t *ids = lua_newuserdatauv(L, (size_t)(group->count + 1) * sizeof *ids, 0);
    for (int32_t i = 0; i < group->count; i++)
        ids[i] = throng_agents_id(throng_world_agents(world->world), group->handles[i].slot);
    qsort(ids, (size_t)group->count, sizeof *ids, by_number);
    def->ids = ids;
    def->id_count = group->count;
}

static throng_measure_kind read_kind(lua_State *L)
{
    int found = -1;
    for (int kind = 0; kind < THRONG_MEASURE_KINDS; kind++) {
        if (lua_getfield(L, 2, throng_measure_names[kind]) != LUA_TNIL) {
            if (found >= 0)
                throng_raise(L, "%s: '%s' and '%s' are two measures; make one for each", OWNER,
                             throng_measure_names[found], throng_measure_names[kind]);
            found = kind;
        }
        lua_pop(L, 1);
    }
    if (found < 0)
        throng_raise(L,
                     "%s: give what to measure: {flow = door}, {density = region}, {inside = region}, {lanes = "
                     "region}, {count = "
                     "region}, {speed = region}, {time_gap = door}, {travel_time = region}, {level_of_service = "
                     "region}, or {region = region} for "
                     "density, speed, flow and level of service",
                     OWNER);
    return (throng_measure_kind)found;
}

static void read_lanes(lua_State *L, throng_measure_def *def)
{
    throng_setting_number(L, 2, &throng_measure_settings, "width", &def->width);
    if (lua_getfield(L, 2, "along") == LUA_TNIL)
        return;
    throng_point along = throng_check_point(L, -1, "world:measure: field 'along'");
    double length = sqrt(along.x * along.x + along.y * along.y);
    if (!(length > 0))
        throng_raise(L, "%s: field 'along' must be a direction like {1, 0}, got {0, 0}", OWNER);
    def->along = (throng_point){along.x / length, along.y / length};
}

static void read_method(lua_State *L, throng_measure_def *def)
{
    const char *method = "classical";
    bool densities = def->kind == THRONG_MEASURE_DENSITY || def->kind == THRONG_MEASURE_LEVEL;
    throng_field_string(L, 2, OWNER, "method", &method);
    def->voronoi = strcmp(method, "voronoi") == 0;
    if (!def->voronoi && strcmp(method, "classical") != 0)
        throng_raise(L, "%s: field 'method' must be \"classical\" or \"voronoi\", got \"%s\"", OWNER, method);
    if (def->voronoi && !densities)
        throng_raise(L, "%s: field 'method' is of densities and levels of service, and this measures '%s'", OWNER,
                     throng_measure_names[def->kind]);
}

/* Values pushed keep the regions alive. */
static void read_since(lua_State *L, const throng_lua_world *world, throng_measure_def *def)
{
    if (lua_getfield(L, 2, "since") == LUA_TNIL)
        return;
    if (def->kind != THRONG_MEASURE_TRAVEL_TIME)
        throng_raise(L, "%s: field 'since' is of travel times, and this measures '%s'", OWNER,
                     throng_measure_names[def->kind]);
    const throng_shapes *shapes = throng_shapes_read(L, lua_gettop(L), world, "world:measure: field 'since'");
    def->since = shapes->list;
    def->since_count = shapes->count;
}

static throng_measure_def read_def(lua_State *L, const throng_lua_world *world)
{
    if (!lua_istable(L, 2))
        throng_raise(L, "%s: expected a table like {flow = \"north\"} (a door's name), got %s", OWNER,
                     throng_describe(L, 2));
    throng_settings_check(L, 2, &throng_measure_settings);
    throng_measure_def def = throng_measure_def_default(read_kind(L));
    throng_setting_number(L, 2, &throng_measure_settings, "from", &def.from);
    throng_setting_number(L, 2, &throng_measure_settings, "till", &def.till);
    if (def.till < def.from)
        throng_raise(L, "%s: 'till' (%f s) is before 'from' (%f s): nothing would be measured", OWNER, def.till,
                     def.from);
    throng_setting_number(L, 2, &throng_measure_settings, "every", &def.every);
    throng_field_string(L, 2, OWNER, "name", &def.name);
    read_lanes(L, &def);
    read_method(L, &def);
    read_place(L, world, &def);
    read_since(L, world, &def);
    read_group(L, world, &def);
    return def;
}

static int unknown_measure(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return 0; /* past the end of the list */
    throng_raise_unknown_key(L, "world.measures", "measure", throng_check_name(L, 2), 1);
}

/* Keeps the measure at 2 in world.measures, of the world at 1, under its name at 3. */
static int keep(lua_State *L)
{
    throng_world_part_push(L, 1, THRONG_PART_MEASURES);
    if (lua_rawlen(L, -1) == 0) {
        lua_createtable(L, 0, 1);
        lua_pushcfunction(L, unknown_measure);
        lua_setfield(L, -2, "__index");
        lua_setmetatable(L, -2);
    }
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    if (lua_rawlen(L, 3) > 0) {
        lua_pushvalue(L, 3);
        lua_pushvalue(L, 2);
        lua_rawset(L, -3);
    }
    return 0;
}

/* Takes back what was kept of the measure at 3 when memory was out: its name comes last. */
static void forget(lua_State *L)
{
    throng_world_part_push(L, 1, THRONG_PART_MEASURES);
    lua_Integer last = (lua_Integer)lua_rawlen(L, -1);
    lua_rawgeti(L, -1, last);
    if (lua_rawequal(L, -1, 3)) {
        lua_pushnil(L);
        lua_rawseti(L, -3, last);
    }
    lua_pop(L, 2);
}

/* Of the settings at 2; the measure stays on the stack. */
static void begin_measure(lua_State *L)
{
    throng_error error;
    const throng_lua_world *world = throng_check_world(L, 1);
    throng_measure **value = lua_newuserdatauv(L, sizeof *value, 1); /* 3 */
    throng_measure_def def = read_def(L, world);
    lua_pushvalue(L, 3);
    luaL_setmetatable(L, THRONG_LUA_MEASURE);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 3, 1);
    lua_pushcfunction(L, keep);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, 3);
    lua_pushstring(L, def.name);
    *value = throng_world_measure(world->world, &def, &error);
    if (!*value)
        throng_raise(L, "%s: %s", OWNER, error.text);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) {
        forget(L);
        throng_world_unmeasure(world->world, *value);
        lua_error(L);
    }
    lua_settop(L, 3);
}

/* Pushes the settings at 2 for one quantity of its region: `kind` in place of `region`, and a name of its own. */
static void push_settings_of(lua_State *L, throng_measure_kind kind)
{
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, 2);) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_getfield(L, -1, "region");
    if (lua_getfield(L, -2, "name") == LUA_TSTRING) {
        lua_pushfstring(L, "%s: %s", lua_tostring(L, -1), throng_measure_names[kind]);
        lua_setfield(L, -4, "name");
    }
    lua_pop(L, 1);
    lua_setfield(L, -2, throng_measure_names[kind]);
    lua_pushnil(L);
    lua_setfield(L, -2, "region");
    if (kind != THRONG_MEASURE_DENSITY && kind != THRONG_MEASURE_LEVEL) {
        lua_pushnil(L);
        lua_setfield(L, -2, "method");
    }
}

/*--- class throng.measures as measures
 * What { region = ... } measures: a measure of each quantity.
 * @field density throng.measure Of density.
 * @field speed throng.measure Of the mean speed.
 * @field flow throng.measure Of passages into and out of it.
 * @field level_of_service throng.measure Of Fruin's levels. */

/*--- measures:fundamental_diagram()
 * Density and speed at the same times, and their product, the specific flow, for a fundamental diagram.
 * @return table[] A table for each time with somebody there: `time` (s), `density` (1/m^2), `speed` (m/s), `flow` (1/(m
 * s)).
 * @example
 * local hall = world:measure { region = "hall", every = 1, method = "voronoi" }
 * world:run { seconds = 60 }
 * for _, at in ipairs(hall:fundamental_diagram()) do print(at.density, at.speed) end */
static int fundamental_diagram(lua_State *L)
{
    const double *times[2], *values[2];
    int32_t count[2], k = 0, made = 0;
    static const char *const names[] = {"density", "speed"};
    if (!lua_istable(L, 1))
        throng_raise(L, "measures:fundamental_diagram: expected what world:measure { region = ... } gave, got %s",
                     throng_describe(L, 1));
    for (int q = 0; q < 2; q++) {
        lua_getfield(L, 1, names[q]);
        count[q] = throng_measure_series(check_measure_at(L, lua_gettop(L)), &times[q], &values[q]);
    }
    lua_newtable(L);
    for (int32_t i = 0; i < count[0]; i++) {
        while (k < count[1] && times[1][k] < times[0][i])
            k++;
        if (k == count[1] || times[1][k] > times[0][i])
            continue;
        const struct {
            const char *name;
            double value;
        } fields[] = {{"time", times[0][i]},
                      {"density", values[0][i]},
                      {"speed", values[1][k]},
                      {"flow", values[0][i] * values[1][k]}};
        lua_createtable(L, 0, 4);
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            lua_pushnumber(L, fields[f].value);
            lua_setfield(L, -2, fields[f].name);
        }
        lua_rawseti(L, -2, ++made);
    }
    return 1;
}

/* [-0, +1] */
static void measure_region(lua_State *L)
{
    static const throng_measure_kind kinds[] = {THRONG_MEASURE_DENSITY, THRONG_MEASURE_SPEED, THRONG_MEASURE_FLOW,
                                                THRONG_MEASURE_LEVEL};
    throng_settings_check(L, 2, &throng_measure_settings);
    for (int kind = 0; kind < THRONG_MEASURE_KINDS; kind++)
        if (lua_getfield(L, 2, throng_measure_names[kind]) != LUA_TNIL)
            throng_raise(L,
                         "%s: 'region' measures density, speed, flow and level of service there, so '%s' does not go "
                         "with it; make another measure of that",
                         OWNER, throng_measure_names[kind]);
    lua_settop(L, 2);
    lua_newtable(L); /* 3 */
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        lua_pushcfunction(L, throng_world_measure_method);
        lua_pushvalue(L, 1);
        push_settings_of(L, kinds[k]);
        lua_call(L, 2, 1);
        lua_setfield(L, 3, throng_measure_names[kinds[k]]);
    }
    lua_createtable(L, 0, 1);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, fundamental_diagram);
    lua_setfield(L, -2, "fundamental_diagram");
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, 3);
}

/*--- world:measure(settings)
 * Measures from the next step on. A world without measures pays nothing for them.
 * @param settings throng.measure.settings The quantity, place, agents and time.
 * @return throng.measure What is measured: its fields are up to date after every step; of { region = ... }: a table of
 * measures, `density`, `speed`, `flow` and `level_of_service`, named after it, as throng.measures says.
 * @error none or several of the quantities; an unknown region or door; Voronoi cells in a world without a floor's edge
 * @example
 * local measure = world:measure { flow = "north", from = 10 } -- a door of the map
 * local hall = world:measure { region = "hall", every = 1 }
 * world:run { seconds = 60 }
 * print(measure.flow, measure.count, hall.speed.mean)
 * local times, densities = hall.density:series() */
int throng_world_measure_method(lua_State *L)
{
    throng_check_world(L, 1);
    lua_settop(L, 2);
    bool all = lua_istable(L, 2) && lua_getfield(L, 2, "region") != LUA_TNIL;
    lua_settop(L, 2);
    if (all)
        measure_region(L);
    else
        begin_measure(L);
    return 1;
}

/* measure_has(kind, field): do measures of that kind, like "flow", have it? */
static int measure_has(lua_State *L)
{
    const char *kind = luaL_checkstring(L, 1), *name = luaL_checkstring(L, 2);
    bool has = false;
    for (int f = 0; f < FIELD_COUNT; f++)
        for (int k = 0; strcmp(name, FIELDS[f].name) == 0 && k < THRONG_MEASURE_KINDS; k++)
            has = has || ((FIELDS[f].kinds & 1 << k) && strcmp(kind, throng_measure_names[k]) == 0);
    lua_pushboolean(L, has);
    return 1;
}

void throng_bind_measure(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__index", index_measure}, {"__newindex", refuse_write}, {"__tostring", to_string}, {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_MEASURE);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, measure_has);
    lua_setfield(L, -2, "measure_has");
}
