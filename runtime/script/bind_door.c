/* A door of a running world: world.map:door(name). */
#include "binders.h"
#include "fields.h"
#include "map_value.h"
#include "script_files.h"
#include "shapes.h"

#include <string.h>

static const char *const WAYS[] = {"back", "both", "forth", NULL}; /* -1, 0, 1 */

/*--- alias throng.door_way = "both"|"forth"|"back"
 * Which way a door leads; forth: from its left to its right, looking from its first point to its second, as measures of
 * flow count. */

/*--- class throng.running_door as door
 * A door of a world's map: world.map:door(name). A closed door is a wall from the next step on. Agents stay on the
 * side where their centres are; agents in the doorway are pushed out to that side, gently.
 * @field cost number(m) What passing it costs beside the length: routes over the navmesh go round where that is
 *   shorter; lengths stay what is walked. Writable: `door.cost = 5` counts from the next step on, also for who waits at
 *   closed doors; with congestion = true people turn in their time. An error with agents sent by routing "roadmap" or
 *   "field".
 * @field is_open boolean Is the door open?
 * @field one_way throng.door_way Which way it lets people through, "both" at first. Writable: to those who come the
 *   other way it is a wall from the next step on, and no route leads them through it, whatever their `door_policy`. An
 *   error with agents sent by routing "roadmap" or "field".
 * @field max_radius number(m) Wider agents do not pass; 0: any does that fits.
 * @field name string Its name in the map.
 * @field world throng.world The world it stands in. */

static int32_t check_door(lua_State *L, throng_world **world)
{
    int32_t *door = throng_check_self(L, 1, THRONG_LUA_DOOR, "door", "close");
    lua_getiuservalue(L, 1, 1);
    *world = throng_check_world(L, -1)->world;
    lua_pop(L, 1);
    return *door;
}

void throng_door_push(lua_State *L, int world, int32_t door)
{
    world = lua_absindex(L, world);
    *(int32_t *)lua_newuserdatauv(L, sizeof door, 1) = door;
    luaL_setmetatable(L, THRONG_LUA_DOOR);
    lua_pushvalue(L, world);
    lua_setiuservalue(L, -2, 1);
}

const throng_door *throng_test_door(lua_State *L, int index, const throng_lua_world *world, const char *what)
{
    const int32_t *door = luaL_testudata(L, index, THRONG_LUA_DOOR);
    if (!door)
        return NULL;
    lua_getiuservalue(L, index, 1);
    const throng_lua_world *owner = throng_check_world(L, -1);
    const char *name = throng_world_map(owner->world)->doors[*door].name;
    if (owner != world)
        throng_raise(L, "%s: the door '%s' belongs to another world; this world's is world.map:door(\"%s\")", what,
                     name, name);
    lua_pop(L, 1);
    return &throng_world_map(world->world)->doors[*door];
}

static int set_open(lua_State *L, bool open)
{
    throng_world *world;
    int32_t door = check_door(L, &world);
    throng_error error;
    if (!throng_world_set_door(world, door, open, &error))
        throng_raise_error(L, &error);
    lua_settop(L, 1);
    return 1;
}

/*--- door:open(part)
 * Opens the door, from the next step on, or a part of it: half open, a static body stands in the rest of the doorway,
 * on the side of the door's second point, and routes are found for whom the part is wide enough.
 * @param part? number(1) Of its width, more than 0, default 1; where less than 1 cm would be left, all of it.
 * @return throng.running_door self
 * @error a part that is not above 0 and at most 1
 * @example
 * world.map:door("north"):open(0.5)
 * world:at(world.time + 20, function() world.map:door("north"):open() end) */
static int open_door(lua_State *L)
{
    static const throng_range PART = {0, 1, true, ""};
    throng_world *world;
    int32_t at = check_door(L, &world);
    const throng_door *door = &throng_world_map(world)->doors[at];
    double part = lua_isnoneornil(L, 2) ? 1 : throng_check_number(L, 2, "door:open: the part", &PART);
    lua_settop(L, 1);
    throng_host_push(L);
    lua_getfield(L, -1, "door_leaf");
    lua_getiuservalue(L, 1, 1);
    lua_pushstring(L, door->name);
    throng_point_push(L, door->a);
    throng_point_push(L, door->b);
    lua_pushnumber(L, part);
    lua_call(L, 5, 0);
    return set_open(L, true);
}

/*--- door:close()
 * Closes the door, from the next step on. Groups take another route or wait, as their `door_policy` says.
 * @return throng.running_door self
 * @example
 * world.map:door("north"):close() */
static int close_door(lua_State *L)
{
    throng_refuse_more(L, 1, "door:close", "");
    return set_open(L, false);
}

int throng_hold_door(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    const char *name = throng_check_name(L, 2);
    const throng_map *map = throng_world_map(world->world);
    throng_error error;
    for (int32_t d = 0; d < map->door_count; d++)
        if (strcmp(map->doors[d].name, name) == 0 &&
            !throng_world_hold_door(world->world, d, lua_toboolean(L, 3), &error))
            throng_raise_error(L, &error);
    return 0;
}

static int index_door(lua_State *L)
{
    static const char *const names[] = {"open", "close",   "cost",  "is_open", "max_radius",
                                        "name", "one_way", "world", NULL};
    throng_world *world;
    int32_t door = check_door(L, &world);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "open") == 0)
        lua_pushcfunction(L, open_door);
    else if (strcmp(key, "close") == 0)
        lua_pushcfunction(L, close_door);
    else if (strcmp(key, "cost") == 0)
        lua_pushnumber(L, throng_world_door_cost(world, door));
    else if (strcmp(key, "max_radius") == 0)
        lua_pushnumber(L, throng_world_map(world)->doors[door].max_radius);
    else if (strcmp(key, "one_way") == 0)
        lua_pushstring(L, WAYS[throng_world_door_way(world, door) + 1]);
    else if (strcmp(key, "is_open") == 0)
        lua_pushboolean(L, throng_world_door_open(world, door));
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, throng_world_map(world)->doors[door].name);
    else if (strcmp(key, "world") == 0)
        lua_getiuservalue(L, 1, 1);
    else
        throng_raise_unknown(L, "door", "field", key, names);
    return 1;
}

static void write_way(lua_State *L, throng_world *world, int32_t door)
{
    throng_error error;
    const char *given = lua_type(L, 3) == LUA_TSTRING ? throng_check_name(L, 3) : "";
    for (int i = 0; WAYS[i]; i++)
        if (strcmp(WAYS[i], given) == 0) {
            if (!throng_world_set_door_way(world, door, i - 1, &error))
                throng_raise_error(L, &error);
            return;
        }
    throng_raise(L, "door.one_way must be \"both\", \"forth\" or \"back\", got %s", throng_describe(L, 3));
}

static int write_door(lua_State *L)
{
    throng_world *world;
    throng_error error;
    int32_t door = check_door(L, &world);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "one_way") == 0) {
        write_way(L, world, door);
        return 0;
    }
    if (strcmp(key, "cost") != 0)
        throng_raise(L, "a door's fields are read only, but for cost and one_way; call door:open() or door:close()");
    if (lua_type(L, 3) != LUA_TNUMBER)
        throng_raise(L, "door.cost must be a number of metres, got %s", throng_describe(L, 3));
    if (!throng_world_set_door_cost(world, door, lua_tonumber(L, 3), &error))
        throng_raise_error(L, &error);
    return 0;
}

static int to_string(lua_State *L)
{
    throng_world *world;
    int32_t at = check_door(L, &world);
    lua_pushfstring(L, "door '%s'", throng_world_map(world)->doors[at].name);
    return 1;
}

void throng_bind_door(lua_State *L)
{
    static const luaL_Reg meta[] = {
        {"__index", index_door}, {"__newindex", write_door}, {"__tostring", to_string}, {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_DOOR);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
