/* world.paths: the path queue for scripts.
 *
 * THRONG_PART_PATHS of a world maps tickets to the requests that are not finished, so that they and their callbacks
 * live until they are announced; its entry "paths" is the value of world.paths. */
#include "binders.h"
#include "callback.h"
#include "fields.h"
#include "world_methods.h"

#include <math.h>
#include <string.h>

/*--- class throng.paths as paths
 * The path queue. Searches share each frame's budget evenly. It also serves agents with goals of their own.
 * @field pending integer Requests that are not finished.
 * @field budget integer Expansions (nodes that searches open) a frame, for all of them together. May be written.
 * @field spent integer Expansions of the last frame. */

/*--- class throng.path_request.settings
 * Settings of paths:request. */

/*--- class throng.path_request as request
 * A request for a path.
 * @field done boolean It is finished.
 * @field cancelled boolean request:cancel() was called before.
 * @field path throng.corner[]? The corners, both ends included; nil while it is not done, or when there is none.
 * @field length number(m)? math.huge when there is none, nil while it is not done. */

#define PATHS   "throng.paths"
#define REQUEST "throng.path_request"

/* User values: the function to call, the corners that were found, the world's value. */
enum { ON = 1, CORNERS, WORLD };

typedef struct path_request {
    throng_path_ticket ticket;
    bool done, cancelled;
    throng_point from, to; /* m: places */
    double length;         /* m, INFINITY: there is no path */
} path_request;

/* ---- requests */

static path_request *check_request(lua_State *L, int index)
{
    path_request *request = luaL_testudata(L, index, REQUEST);
    if (!request)
        throng_raise(L, "expected a path request, got %s (methods are called with a colon: request:cancel())",
                     throng_describe(L, index));
    return request;
}

/* The world of the request or queue at `index`; NULL when it was closed. */
static throng_lua_world *world_of(lua_State *L, int index, int value)
{
    lua_getiuservalue(L, index, value);
    throng_lua_world *world = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return world->world ? world : NULL;
}

static void forget(lua_State *L, int world, throng_path_ticket ticket)
{
    throng_world_part_push(L, world, THRONG_PART_PATHS);
    lua_pushnil(L);
    lua_rawseti(L, -2, ticket);
    lua_pop(L, 1);
}

/*--- request:cancel()
 * Cancels the request. Its function will not be called.
 * @example
 * world:at(world.time + 1, function() if not request.done then request:cancel() end end) */
static int cancel(lua_State *L)
{
    path_request *request = check_request(L, 1);
    const throng_lua_world *world = world_of(L, 1, WORLD);
    if (!request->done && !request->cancelled && world) {
        throng_world_cancel_path(world->world, request->ticket);
        request->cancelled = true;
        lua_getiuservalue(L, 1, WORLD);
        forget(L, lua_gettop(L), request->ticket);
    }
    return 0;
}

/*--- request:prioritize()
 * Serves it before requests that are not urgent.
 * @return throng.path_request
 * @example
 * if not request.done then request:prioritize() end */
static int prioritize(lua_State *L)
{
    const path_request *request = check_request(L, 1);
    const throng_lua_world *world = world_of(L, 1, WORLD);
    if (world)
        throng_world_prioritize_path(world->world, request->ticket);
    lua_settop(L, 1);
    return 1;
}

static int index_request(lua_State *L)
{
    static const char *const names[] = {"cancel", "prioritize", "done", "cancelled", "path", "length", NULL};
    const path_request *request = check_request(L, 1);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "cancel") == 0)
        lua_pushcfunction(L, cancel);
    else if (strcmp(key, "prioritize") == 0)
        lua_pushcfunction(L, prioritize);
    else if (strcmp(key, "done") == 0)
        lua_pushboolean(L, request->done);
    else if (strcmp(key, "cancelled") == 0)
        lua_pushboolean(L, request->cancelled);
    else if (strcmp(key, "path") == 0)
        lua_getiuservalue(L, 1, CORNERS);
    else if (strcmp(key, "length") == 0 && request->done)
        lua_pushnumber(L, request->length);
    else if (strcmp(key, "length") == 0)
        lua_pushnil(L);
    else
        throng_raise_unknown(L, "a path request", "field", key, names);
    return 1;
}

/* ---- the queue */

static const char OWNER[] = "world.paths:request";

static const throng_setting SETTINGS[] = {
    {"from", "throng.point", NULL, .text = "Where it begins."},
    {"to", "throng.point", NULL, .text = "Where it leads."},
    {"radius", "number", "0", "Kept from walls, rounded up to whole centimetres.", {0, 1e4, false, "m"}},
    {"urgent", "boolean", "false", .text = "Served before those that are not."},
    {"on", "fun(corners: throng.corner[]?, length: number(m), request: throng.path_request)", NULL,
     .text = "Called when it is finished, with nil and math.huge when there is no path."},
    {.name = NULL},
};

const throng_settings throng_path_settings = {"throng.path_request.settings", OWNER, SETTINGS};

static throng_lua_world *check_paths(lua_State *L, int index)
{
    if (!luaL_testudata(L, index, PATHS))
        throng_raise(L, "expected world.paths, got %s (methods are called with a colon: world.paths:request{...})",
                     throng_describe(L, index));
    throng_lua_world *world = world_of(L, index, 1);
    if (!world)
        throng_raise(L, "this world was closed");
    return world;
}

static throng_point read_end(lua_State *L, const throng_map *map, const char *name)
{
    lua_getfield(L, 2, name);
    lua_pushfstring(L, "world.paths:request: field '%s'", name);
    throng_point point = throng_check_place(L, -2, map, lua_tostring(L, -1));
    lua_pop(L, 2);
    return point;
}

static throng_world_path read_request(lua_State *L, const throng_map *map)
{
    throng_world_path path = {.radius = 0};
    if (!lua_istable(L, 2))
        throng_raise(L, "world.paths:request: expected a table like {from = {0, 0}, to = {9, 9}, on = fn}, got %s",
                     throng_describe(L, 2));
    throng_settings_check(L, 2, &throng_path_settings);
    path.from = read_end(L, map, "from");
    path.to = read_end(L, map, "to");
    throng_setting_number(L, 2, &throng_path_settings, "radius", &path.radius);
    throng_field_boolean(L, 2, OWNER, "urgent", &path.urgent);
    return path;
}

/* Keeps the request at 2 in the list at 1, by its ticket at 3. */
static int keep(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_rawseti(L, 1, lua_tointeger(L, 3));
    return 0;
}

/*--- paths:request(settings)
 * Requests a path. The search keeps to the budget of the frames.
 * @param settings throng.path_request.settings Start, end, and the callback.
 * @return throng.path_request
 * @error a world without a map; ends that are no points
 * @example
 * world.paths:request { from = { 2, 3 }, to = { 9, 4 }, on = function(corners, length) print(length) end } */
static int request(lua_State *L)
{
    throng_error error;
    throng_lua_world *world = check_paths(L, 1);
    throng_world_path path = read_request(L, throng_world_map(world->world));
    lua_settop(L, 2);
    path_request *made = lua_newuserdatauv(L, sizeof *made, WORLD); /* 3 */
    *made = (path_request){.from = path.from, .to = path.to};
    luaL_setmetatable(L, REQUEST);
    int type = lua_getfield(L, 2, "on");
    if (type != LUA_TFUNCTION && type != LUA_TNIL)
        throng_raise(L, "world.paths:request: field 'on' must be a function(corners, length), got %s",
                     throng_describe(L, -1));
    lua_setiuservalue(L, 3, ON);
    lua_getiuservalue(L, 1, 1);
    lua_setiuservalue(L, 3, WORLD);
    lua_getiuservalue(L, 1, 1); /* 4: the world */
    lua_pushcfunction(L, keep);
    throng_world_part_push(L, 4, THRONG_PART_PATHS);
    lua_pushvalue(L, 3);
    made->ticket = throng_world_request_path(world->world, &path, &error);
    if (!made->ticket)
        throng_raise(L, "world.paths:request: %s", error.text);
    lua_pushinteger(L, made->ticket);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) {
        throng_world_cancel_path(world->world, made->ticket);
        lua_error(L);
    }
    world->watches_paths = true;
    lua_settop(L, 3);
    return 1;
}

static int index_paths(lua_State *L)
{
    static const char *const names[] = {"request", "pending", "budget", "spent", NULL};
    const throng_lua_world *world = check_paths(L, 1);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "request") == 0)
        lua_pushcfunction(L, request);
    else if (strcmp(key, "pending") == 0)
        lua_pushinteger(L, throng_world_pending_paths(world->world));
    else if (strcmp(key, "budget") == 0)
        lua_pushinteger(L, throng_world_path_budget(world->world));
    else if (strcmp(key, "spent") == 0)
        lua_pushinteger(L, throng_world_path_spent(world->world));
    else
        throng_raise_unknown(L, "world.paths", "field", key, names);
    return 1;
}

static int write_paths(lua_State *L)
{
    const throng_lua_world *world = check_paths(L, 1);
    const char *key = throng_check_name(L, 2);
    if (strcmp(key, "budget") != 0)
        throng_raise(L, "world.paths.%s cannot be written; world.paths.budget can", key);
    throng_world_set_path_budget(world->world, (int32_t)throng_check_integer(L, 3, "world.paths.budget", 1, INT32_MAX));
    return 0;
}

void throng_paths_push(lua_State *L, int world)
{
    world = lua_absindex(L, world);
    throng_world_part_push(L, world, THRONG_PART_PATHS);
    if (lua_getfield(L, -1, "paths") == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newuserdatauv(L, 1, 1);
        luaL_setmetatable(L, PATHS);
        lua_pushvalue(L, world);
        lua_setiuservalue(L, -2, 1);
        lua_pushvalue(L, -1);
        lua_setfield(L, -3, "paths");
    }
    lua_remove(L, -2);
}

/* ---- announcements */

/* Gives the request at the top its answer and takes it off the list. [-1, +1 function, +3 arguments, or +0] */
static bool finish(lua_State *L, int world, const throng_map *map, const throng_path_answer *answer)
{
    path_request *request = lua_touserdata(L, -1);
    int at = lua_gettop(L);
    forget(L, world, answer->ticket);
    request->done = true;
    request->length = INFINITY;
    if (answer->path)
        request->length = throng_found_path_push(L, map, request->from, request->to, answer->path);
    else
        lua_pushnil(L);
    lua_setiuservalue(L, at, CORNERS);
    if (lua_getiuservalue(L, at, ON) != LUA_TFUNCTION) {
        lua_settop(L, at - 1);
        return false;
    }
    lua_getiuservalue(L, at, CORNERS);
    lua_pushnumber(L, request->length);
    lua_rotate(L, at, -1);
    return true;
}

void throng_call_paths(lua_State *L, int index)
{
    throng_lua_world *world = throng_check_world(L, index);
    int32_t count;
    throng_world_paths(world->world, &count);
    for (int32_t i = 0; i < count; i++) {
        const throng_path_answer *answer = &throng_world_paths(world->world, &count)[i];
        if (answer->tag != THRONG_SCRIPT_PATH)
            continue;
        throng_world_part_push(L, index, THRONG_PART_PATHS);
        bool listens = lua_rawgeti(L, -1, answer->ticket) == LUA_TUSERDATA;
        lua_remove(L, -2);
        if (!listens)
            lua_pop(L, 1);
        else if (finish(L, index, throng_world_map(world->world), answer))
            throng_callback_call(L, world, "the callback of a path request", "", 3, 0);
    }
}

void throng_bind_paths(lua_State *L)
{
    static const luaL_Reg paths[] = {{"__index", index_paths}, {"__newindex", write_paths}, {NULL, NULL}};
    luaL_newmetatable(L, PATHS);
    luaL_setfuncs(L, paths, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    luaL_newmetatable(L, REQUEST);
    lua_pushcfunction(L, index_request);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
}
