/* May a world be closed? Not while a C function that was called with it, or with something of it, has not come back:
 * that one goes on with what it has of the world when a callback or a metamethod returns. Found in the stacks of those
 * that are under way, so that no method needs to say that it begins and ends: from the main thread on, through each
 * coroutine that it waits for. */
#include "world_value.h"

enum { DEPTH = 3, THREADS = 256 }; /* a column's group's world; Lua resumes one in another 200 times at most */

typedef struct search {
    const throng_lua_world *world;
    lua_State *asks; /* the thread in which it is to be closed */
    lua_State *seen[THREADS];
    int count;
} search;

static bool thread_holds(lua_State *L, search *s);

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

/* Level 0 is who asks. When an error closes a variable, level 1 is the function that catches it, and what was on the
 * stack above it is still there; the error itself may be nil, as what closes at a block's end is given, but then level
 * 1 is in Lua. */
static int first_level(lua_State *L)
{
    lua_Debug catcher;
    bool unwinds = !lua_isnone(L, 2) && lua_getstack(L, 1, &catcher) && lua_getinfo(L, "S", &catcher);
    return unwinds && *catcher.what == 'C' ? 2 : 1;
}

/* Does the C function of the frame have the world on its stack, or wait for a coroutine in which one has? Coroutines
 * that go on are an argument of coroutine.resume or .close, or belong to a function of coroutine.wrap's. */
static bool frame_holds(lua_State *L, lua_Debug *frame, search *s)
{
    bool holds = false;
    for (int n = 1; !holds && lua_getlocal(L, frame, n); n++)
        holds = thread_holds(lua_tothread(L, -1), s) || belongs(L, s->world, DEPTH);
    if (holds)
        return true;
    lua_getinfo(L, "f", frame);
    bool has_upvalue = lua_getupvalue(L, -1, 1);
    holds = has_upvalue && thread_holds(lua_tothread(L, -1), s);
    lua_pop(L, has_upvalue ? 2 : 1);
    return holds;
}

static bool is_new(const search *s, const lua_State *L)
{
    int i = 0;
    while (i < s->count && s->seen[i] != L)
        i++;
    return i == s->count;
}

/* NULL: no thread. One that has yielded, or is dead, is not under way. */
static bool thread_holds(lua_State *L, search *s)
{
    lua_Debug frame;
    if (!L || lua_status(L) != LUA_OK || !is_new(s, L))
        return false;
    if (s->count == THREADS || !lua_checkstack(L, DEPTH + LUA_MINSTACK)) /* it cannot be known */
        return true;
    s->seen[s->count++] = L;
    for (int level = L == s->asks ? first_level(L) : 0; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "S", &frame);
        if (*frame.what == 'C' && frame_holds(L, &frame, s))
            return true;
    }
    return false;
}

bool throng_world_is_held(lua_State *L, const throng_lua_world *world)
{
    search s = {.world = world, .asks = L};
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    lua_State *first = lua_tothread(L, -1);
    lua_pop(L, 1);
    return thread_holds(L, &s) || thread_holds(first, &s);
}
