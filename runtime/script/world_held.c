/* May a world be closed? Not while a C function that was called with it, or with something of it, has not come back:
 * that one goes on with what it has of the world when a callback or a metamethod returns. Found in the stacks of those
 * that are under way, so that no method needs to say that it begins and ends. */
#include "script_parts.h"
#include "world_value.h"

enum { DEPTH = 3 }; /* a column's group's world */

/* Is the value at the top the world, or does it belong to it? Takes it off. */
static bool belongs(lua_State *L, const throng_lua_world *world, int depth)
{
    bool found = lua_type(L, -1) == LUA_TUSERDATA && lua_touserdata(L, -1) == world;
    bool looks = !found && depth > 0 && lua_type(L, -1) == LUA_TUSERDATA;
    for (int n = 1; looks && !found; n++) {
        bool is_one = lua_getiuservalue(L, -1, n) != LUA_TNONE;
        if (!is_one) {
            lua_pop(L, 1);
            break;
        }
        found = belongs(L, world, depth - 1);
    }
    lua_pop(L, 1);
    return found;
}

/* What a C function has on its stack. */
static bool frame_holds(lua_State *L, const lua_Debug *frame, const throng_lua_world *world)
{
    for (int n = 1; lua_getlocal(L, frame, n); n++)
        if (belongs(L, world, DEPTH))
            return true;
    return false;
}

static bool thread_holds(lua_State *L, int from, const throng_lua_world *world)
{
    lua_Debug frame;
    luaL_checkstack(L, DEPTH + LUA_MINSTACK, NULL);
    for (int level = from; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        if (*frame.what == 'C' && frame_holds(L, &frame, world))
            return true;
    }
    return false;
}

/* Level 0 is who asks. When an error closes a variable, level 1 is the function that catches it, and what was on the
 * stack above it is still there; the error itself may be nil, as what closes at a block's end is given, but then level
 * 1 is in Lua. */
static int first_level(lua_State *L)
{
    lua_Debug catcher;
    bool unwinds = !lua_isnone(L, 2) && lua_getstack(L, 1, &catcher) && lua_getinfo(L, "S", &catcher);
    return unwinds && *catcher.what == 'C' ? 2 : 1;
}

bool throng_world_is_held(lua_State *L, const throng_lua_world *world)
{
    const throng_script *script = throng_script_of(L);
    bool held = thread_holds(L, first_level(L), world);
    if (script->running && script->running != L) /* coroutine.close runs what L has left to close */
        held = held || thread_holds(script->running, 0, world);
    for (const throng_resumer *r = script->resumer; r && !held; r = r->before)
        held = thread_holds(r->L, 0, world);
    return held;
}
