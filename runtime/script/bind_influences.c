/* What scripts put into a world to be avoided or sought: world:avoidance, world:hazard. */
#include "binders.h"
#include "fields.h"
#include "group_value.h"
#include "world_methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*--- class throng.hazard.settings
 * Settings of world:hazard. */
static const throng_setting SETTINGS[] = {
    {"at", "throng.point",
     .text = "Where it is; in a building with the name of its `floor`, or flight. Who is on "
             "another that is not joined to it does not heed it."},
    {"reach", "number", "5", "Agents farther away do not heed it.", {0, 1e6, true, "m"}},
    {"weight",
     "number",
     "2",
     "Weight against the preferred direction: at the place itself 1 cancels it; negative: agents are drawn to the "
     "place.",
     {-1000, 1000, false, ""}},
    {"vx", "number", "0", "Its velocity.", {-1000, 1000, false, "m/s"}},
    {"vy", "number", "0", "Its velocity.", {-1000, 1000, false, "m/s"}},
    {"seconds", "number", "for ever", "How long it is there.", {0, 1e9, true, "s"}},
    {.name = NULL},
};

const throng_settings throng_hazard_settings = {"throng.hazard.settings", "world:hazard", SETTINGS};

/*--- class throng.hazard as hazard
 * A place that agents turn away from, or are drawn to: world:hazard.
 * @field x number(m) Where it is; may be written.
 * @field y number(m) Where it is; may be written.
 * @field floor string The floor of a building, or the flight, that it is on, "" where there is one floor; may be
 * written.
 * @field vx number(m/s) Its velocity; may be written.
 * @field vy number(m/s) Its velocity; may be written.
 * @field reach number(m) Agents farther away do not heed it; may be written.
 * @field weight number(1) How strong it is; may be written.
 * @field seconds number(s) How long it will be there; may be written.
 * @field is_there boolean False once it was removed, or its time is over. */

static const char TYPE[] = "throng.hazard";

static const throng_range ANYWHERE = {-1e6, 1e6, false, "m"};

/* ---- pairs of groups */

static int32_t check_kind(lua_State *L, int index, const throng_world *world, const char *which)
{
    if (lua_type(L, index) != LUA_TSTRING || !*throng_check_name(L, index))
        throng_raise(L, "world:avoidance: the %s argument must be the name of a group that was spawned, got %s", which,
                     throng_describe(L, index));
    return throng_kind_named(L, world, "world:avoidance", lua_tostring(L, index));
}

/*--- world:avoidance(who, whom, weight)
 * Sets how strongly agents of one group avoid those of another, under the planner "forces". Every pair of groups
 * weighs 1 at first. 0: they do not avoid them; negative: they are drawn to them. An agent's group is that of the
 * column `group`, which group:become changes.
 * @param who string Name of the group that avoids.
 * @param whom string Name of the group that is avoided.
 * @param weight number(1) From -1000 to 1000.
 * @error a name of no group
 * @example
 * world:avoidance("civilians", "zombies", 4)
 * world:avoidance("zombies", "civilians", -3) */
int throng_world_avoidance_method(lua_State *L)
{
    static const throng_range range = {-1000, 1000, false, ""};
    throng_error error;
    throng_world *world = throng_check_world(L, 1)->world;
    int32_t kind = check_kind(L, 2, world, "first"), of = check_kind(L, 3, world, "second");
    double weight = throng_check_number(L, 4, "world:avoidance: the weight", &range);
    if (!throng_world_set_avoidance(world, kind, of, (float)weight, &error))
        throng_raise_error(L, &error);
    return 0;
}

/* ---- hazards */

static void place(throng_moving_hazard *hazard, const throng_map *map, throng_point at)
{
    hazard->sheet = map ? throng_map_sheet_at(map, at) : 0;
    at = map ? throng_map_position(map, hazard->sheet, at) : at;
    hazard->x = at.x;
    hazard->y = at.y;
}

/*--- world:hazard(settings)
 * Makes a hazard: a place that agents of any planner turn away from, like a fire. It adds (1 - distance / reach) *
 * weight * speed, away from the place, to the preferred velocity of agents within reach; in a building of those on its
 * floor, and on what is joined to that.
 * @param settings throng.hazard.settings Where it is, and how strong.
 * @return throng.hazard
 * @error no `at`
 * @example
 * local fire = world:hazard { at = { 12, 4 }, reach = 8 }
 * world:every(1, function() fire.reach = fire.reach + 0.1 end) */
int throng_world_hazard_method(lua_State *L)
{
    throng_error error;
    throng_world *world = throng_check_world(L, 1)->world;
    throng_moving_hazard hazard = {.reach = 5, .weight = 2, .seconds = INFINITY};
    lua_settop(L, 2);
    if (!lua_istable(L, 2))
        throng_raise(L, "world:hazard: expected a table like {at = {3, 4}, reach = 5}, got %s", throng_describe(L, 2));
    throng_settings_check(L, 2, &throng_hazard_settings);
    if (lua_getfield(L, 2, "at") == LUA_TNIL)
        throng_raise(L, "world:hazard: field 'at' is missing: where it is, {x, y}");
    place(&hazard, throng_world_map(world),
          throng_check_place(L, -1, throng_world_map(world), "world:hazard: field 'at'"));
    throng_setting_number(L, 2, &throng_hazard_settings, "reach", &hazard.reach);
    throng_setting_number(L, 2, &throng_hazard_settings, "weight", &hazard.weight);
    throng_setting_number(L, 2, &throng_hazard_settings, "vx", &hazard.vx);
    throng_setting_number(L, 2, &throng_hazard_settings, "vy", &hazard.vy);
    throng_setting_number(L, 2, &throng_hazard_settings, "seconds", &hazard.seconds);
    int32_t id = throng_world_add_hazard(world, &hazard, &error);
    if (id < 0)
        throng_raise_error(L, &error);
    *(int32_t *)lua_newuserdatauv(L, sizeof id, 1) = id;
    luaL_setmetatable(L, TYPE);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

static int32_t check_hazard(lua_State *L, throng_world **world)
{
    int32_t id = *(int32_t *)luaL_checkudata(L, 1, TYPE);
    lua_getiuservalue(L, 1, 1);
    *world = throng_check_world(L, -1)->world;
    lua_pop(L, 1);
    return id;
}

/*--- hazard:remove()
 * Removes the hazard.
 * @example
 * world:at(world.time + 10, function() fire:remove() end) */
static int remove_hazard(lua_State *L)
{
    throng_world *world;
    int32_t id = check_hazard(L, &world);
    throng_world_remove_hazard(world, id);
    return 0;
}

/* The field of that name, and the range of what may be written; raises when there is none. */
static double *field_of(lua_State *L, throng_moving_hazard *hazard, const char *key, const throng_range **range)
{
    static const char *const names[] = {"x",       "y",     "vx",       "vy",     "reach", "weight",
                                        "seconds", "floor", "is_there", "remove", NULL};
    double *const fields[] = {&hazard->x,     &hazard->y,      &hazard->vx,     &hazard->vy,
                              &hazard->reach, &hazard->weight, &hazard->seconds};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(names[i], key) != 0)
            continue;
        *range = &ANYWHERE;
        for (const throng_setting *s = SETTINGS; s->name; s++)
            if (strcmp(s->name, key) == 0)
                *range = &s->range;
        return fields[i];
    }
    throng_raise_unknown(L, "hazard", "field", key, names);
}

static int index_hazard(lua_State *L)
{
    throng_world *world;
    throng_moving_hazard hazard = {.reach = 0};
    const throng_range *range;
    int32_t id = check_hazard(L, &world);
    bool there = throng_world_hazard(world, id, &hazard);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "is_there") == 0)
        lua_pushboolean(L, there);
    else if (strcmp(key, "remove") == 0)
        lua_pushcfunction(L, remove_hazard);
    else {
        bool floor = strcmp(key, "floor") == 0;
        double *field = floor ? NULL : field_of(L, &hazard, key, &range);
        if (!there)
            throng_raise(L, "this hazard was removed, or its time is over");
        if (floor)
            lua_pushstring(L, throng_floor_name(throng_world_map(world), hazard.sheet));
        else
            lua_pushnumber(L, *field);
    }
    return 1;
}

static int write_hazard(lua_State *L)
{
    throng_world *world;
    throng_moving_hazard hazard = {.reach = 0};
    const throng_range *range;
    char what[64];
    int32_t id = check_hazard(L, &world);
    const char *key = throng_check_name(L, 2);
    bool there = throng_world_hazard(world, id, &hazard), floor = strcmp(key, "floor") == 0;
    double *field = floor ? NULL : field_of(L, &hazard, key, &range);
    if (!there)
        throng_raise(L, "this hazard was removed, or its time is over");
    snprintf(what, sizeof what, "hazard.%s", key);
    if (floor)
        hazard.sheet = throng_check_floor(L, 3, throng_world_map(world), what);
    else
        *field = throng_check_number(L, 3, what, range);
    throng_world_set_hazard(world, id, &hazard);
    return 0;
}

void throng_bind_influences(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__index", index_hazard}, {"__newindex", write_hazard}, {NULL, NULL}};
    luaL_newmetatable(L, TYPE);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
