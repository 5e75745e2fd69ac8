/* throng.so: require "throng" in a Lua 5.4 of another program, such as lua5.4 or busted. That keeps its libraries, its
 * memory and its hooks, so no limits hold for its own code. */
#include "binders.h"
#include "script_files.h"
#include "script_parts.h"

int luaopen_throng(lua_State *L);

static int leave(lua_State *L)
{
    throng_script **script = lua_touserdata(L, 1);
    throng_script_destroy(*script);
    *script = NULL;
    return 0;
}

#define GUEST "throng.guest" /* in the registry */

/* Of this state, and made before: a world holds on to what its script has. [-0, +0] */
static bool is_kept(lua_State *L)
{
    throng_script **script = lua_getfield(L, LUA_REGISTRYINDEX, GUEST) == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
    lua_pop(L, 1);
    return script && *script;
}

/* Where the script is kept until the state is closed. Finalizers run in reverse order, so worlds go before it. [-0, +0]
 */
static throng_script **keep(lua_State *L)
{
    throng_script **script = lua_newuserdatauv(L, sizeof *script, 0);
    *script = NULL;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, leave);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, GUEST);
    return script;
}

static void begin(lua_State *L)
{
    throng_error error;
    throng_script_def def = throng_script_def_default();
    def.commanding = true;
    throng_script **kept = keep(L), *script = *kept = throng_script_begin_state(&def, &error);
    if (!script)
        luaL_error(L, "throng: %s", error.text);
    script->guest = true;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    script->L = script->running = lua_tothread(L, -1);
    lua_pop(L, 1);
    throng_script_bind(script, L);
}

/* The table that scenarios get; the same one when package.loaded has forgotten it, as busted makes it for each file.
 * [-0, +1] */
int luaopen_throng(lua_State *L)
{
    if (!is_kept(L))
        begin(L);
    throng_module_push(L);
    throng_script_library(L, "guest");
    throng_host_push(L);
    lua_call(L, 1, 0);
    return 1;
}
