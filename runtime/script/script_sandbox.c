/* The environment scenarios run in: no files, processes, clocks or addresses,
 * and nothing whose order or value differs from run to run.
 *
 * Tables are walked in the order of their keys, because Lua seeds its string
 * hashes from the clock and from addresses; math.random is seeded by the
 * world; tostring and string.format do not show addresses. What is easier said
 * in Lua (pcall, table.sort, load, require) is in lua/throng/sandbox.lua.
 *
 * Two things are left, which cannot be had back from Lua's own library: # of a
 * list with holes is any border, and which depends on the hash seed; and a
 * metatable that is in use can still be given a __mode. */
#include "behaviours.h"
#include "script_files.h"
#include "script_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64 */

void throng_generator_seed(throng_generator *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        random->state[i] = z ^ (z >> 31);
    }
}

static uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

static uint64_t next_random(throng_generator *random)
{
    uint64_t *s = random->state, result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
}

/* Uniform in 0 .. most, by rejection. */
static uint64_t random_below(throng_generator *random, uint64_t most)
{
    uint64_t mask = most, value;
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    do
        value = next_random(random) & mask;
    while (value > most);
    return value;
}

static lua_Integer whole_argument(lua_State *L, int index)
{
    int whole;
    lua_Integer value = lua_tointegerx(L, index, &whole);
    if (!whole || lua_type(L, index) != LUA_TNUMBER)
        throng_raise(L,
                     "math.random: argument %d must be a whole number, got %s; between others: 1.2 + 0.3 * "
                     "math.random(), or for agents throng.uniform(1.2, 1.5)",
                     index, throng_describe(L, index));
    return value;
}

/* math.random([m [, n]]) as Lua documents it */
static int random_number(lua_State *L)
{
    throng_generator *random = lua_touserdata(L, lua_upvalueindex(1));
    int count = lua_gettop(L);
    throng_refuse_recording(L, "math.random");
    if (count == 0) {
        lua_pushnumber(L, (double)(next_random(random) >> 11) * 0x1p-53);
        return 1;
    }
    lua_Integer from = 1, to;
    to = whole_argument(L, 1);
    if (count > 1) {
        from = to;
        to = whole_argument(L, 2);
    } else if (to == 0) {
        lua_pushinteger(L, (lua_Integer)next_random(random));
        return 1;
    }
    if (from > to)
        throng_raise(L, "math.random: the interval %I .. %I is empty", (LUAI_UACINT)from, (LUAI_UACINT)to);
    lua_pushinteger(L, (lua_Integer)((uint64_t)from + random_below(random, (uint64_t)to - (uint64_t)from)));
    return 1;
}

static int random_reseed(lua_State *L)
{
    throng_generator *random = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_isnoneornil(L, 1))
        throng_raise(L, "math.randomseed needs a number: a seed from the clock would make every run different");
    throng_generator_seed(random, (uint64_t)(lua_Integer)luaL_checknumber(L, 1));
    return 0;
}

/* ---- the order of keys: numbers, then strings, then booleans, then those that have none */

enum { UNORDERED = 3 };

static int rank(lua_State *L, int index)
{
    switch (lua_type(L, index)) {
    case LUA_TNUMBER: return 0;
    case LUA_TSTRING: return 1;
    case LUA_TBOOLEAN: return 2;
    default: return UNORDERED;
    }
}

static void check_key(lua_State *L, int index)
{
    if (rank(L, index) == UNORDERED)
        throng_raise(L,
                     "pairs: a %s as a key has no order that is the same in every run; "
                     "use a list, or a name or number as the key",
                     luaL_typename(L, index));
}

static bool key_less(lua_State *L, int a, int b)
{
    int rank_a = rank(L, a), rank_b = rank(L, b);
    if (rank_a != rank_b)
        return rank_a < rank_b;
    if (rank_a == 2)
        return !lua_toboolean(L, a) && lua_toboolean(L, b);
    return rank_a != UNORDERED && lua_compare(L, a, b, LUA_OPLT);
}

/* Strings by bytes: lua_compare uses the locale, but the host never sets one, so it is "C". */

/* next(t [, k]): the least key greater than k. Linear; pairs() is the way to walk a table. */
static int ordered_next(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    bool any = lua_isnil(L, 2), found = false;
    if (!any)
        check_key(L, 2);
    lua_pushnil(L); /* 3: the best key */
    lua_pushnil(L); /* 4: the key walked to */
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        check_key(L, 4);
        if ((any || key_less(L, 2, 4)) && (!found || key_less(L, 4, 3))) {
            lua_copy(L, 4, 3);
            found = true;
        }
    }
    lua_settop(L, 3);
    if (!found)
        return 1;
    lua_pushvalue(L, 3);
    lua_gettable(L, 1);
    return 2;
}

/* Iterator of pairs; upvalues: the sorted keys, the position. */
static int next_pair(lua_State *L)
{
    for (;;) {
        lua_Integer at = lua_tointeger(L, lua_upvalueindex(2)) + 1;
        lua_pushinteger(L, at);
        lua_replace(L, lua_upvalueindex(2));
        if (lua_rawgeti(L, lua_upvalueindex(1), at) == LUA_TNIL)
            return 1;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) /* removed since: pass over */
            return 2;
        lua_settop(L, 1);
    }
}

/* Moves a key down the heap of `count` keys in the table at `heap`. */
static void sift(lua_State *L, int heap, lua_Integer at, lua_Integer count)
{
    for (lua_Integer child; (child = 2 * at) <= count; at = child) {
        lua_rawgeti(L, heap, child);
        if (child < count) {
            lua_rawgeti(L, heap, child + 1);
            if (key_less(L, -2, -1)) {
                child++;
                lua_remove(L, -2);
            } else {
                lua_pop(L, 1);
            }
        }
        lua_rawgeti(L, heap, at);
        if (!key_less(L, -1, -2)) {
            lua_pop(L, 2);
            return;
        }
        lua_rawseti(L, heap, child);
        lua_rawseti(L, heap, at);
    }
}

static void swap_ends(lua_State *L, int heap, lua_Integer last)
{
    lua_rawgeti(L, heap, 1);
    lua_rawgeti(L, heap, last);
    lua_rawseti(L, heap, 1);
    lua_rawseti(L, heap, last);
}

/* The sorted keys of the table at 1; `all`: those too that have no order. [-0, +1] */
static void push_keys(lua_State *L, bool all)
{
    lua_Integer count = 0;
    bool sorted = true;
    lua_newtable(L);
    int keys = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        if (!all)
            check_key(L, -1);
        if (count > 0 && sorted) {
            lua_rawgeti(L, keys, count);
            sorted = key_less(L, -1, -2);
            lua_pop(L, 1);
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, ++count);
    }
    if (sorted)
        return;
    for (lua_Integer at = count / 2; at > 0; at--)
        sift(L, keys, at, count);
    for (lua_Integer last = count; last > 1; last--) {
        swap_ends(L, keys, last);
        sift(L, keys, 1, last - 1);
    }
}

static int walk_through(lua_State *L, bool all)
{
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    push_keys(L, all);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 2);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

int throng_ordered_pairs(lua_State *L) { return walk_through(L, false); }

static int pairs_of_all(lua_State *L) { return walk_through(L, true); }

/* ipairs: what has an order of its own (a group, a column) is walked through in it. */
static int ordered_ipairs(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (lua_type(L, 1) == LUA_TUSERDATA && luaL_getmetafield(L, 1, "__pairs") == LUA_TFUNCTION)
        lua_insert(L, 1);
    else {
        lua_getglobal(L, "ipairs");
        lua_insert(L, 1);
    }
    lua_call(L, 1, 3);
    return 3;
}

static int format_text(lua_State *L)
{
    size_t size;
    const char *format = luaL_checklstring(L, 1, &size), *end = format + size;
    for (const char *at = format; (at = memchr(at, '%', (size_t)(end - at))) != NULL && ++at < end; at++) {
        at += strspn(at, "-+ #0123456789."); /* a zero byte ends that, too, and Lua ends every text with one */
        if (*at == 'p')
            throng_raise(L, "string.format: %%p is not available: addresses differ from run to run");
        if (at >= end)
            break;
    }
    int count = lua_gettop(L);
    for (int i = 2; i <= count; i++)
        if (lua_type(L, i) > LUA_TSTRING || lua_type(L, i) == LUA_TLIGHTUSERDATA) {
            throng_text_push(L, i);
            lua_replace(L, i);
        }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 1);
    return 1;
}

/* ---- the environment */

/* Copies the library `name` of the real globals into the environment. [-0, +1] the copy */
static void copy_library(lua_State *L, int environment, const char *name)
{
    lua_newtable(L);
    lua_getglobal(L, name);
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pushvalue(L, -2); /* copy original key value key */
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, environment, name);
}

static void add_strings(lua_State *L, int environment)
{
    copy_library(L, environment, LUA_STRLIBNAME);
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, format_text, 1);
    lua_setfield(L, -2, "format");
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
    /* ("x"):format(...) comes here too; a copy, which no script can reach and change */
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    if (luaL_getmetafield(L, -2, "__throng") == LUA_TNIL) {
        lua_newtable(L);
        lua_pushnil(L);
        while (lua_next(L, -5)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, -4);
        }
        lua_setfield(L, -2, "__index");
        lua_pushboolean(L, true);
        lua_setfield(L, -2, "__throng");
        lua_pop(L, 3);
    } else {
        lua_pop(L, 4);
    }
}

/* Gives the table at the top the generator's functions. [-0, +0] */
static void set_random(lua_State *L, int random)
{
    lua_pushvalue(L, random);
    lua_pushcclosure(L, random_number, 1);
    lua_setfield(L, -2, "random");
    lua_pushvalue(L, random);
    lua_pushcclosure(L, random_reseed, 1);
    lua_setfield(L, -2, "randomseed");
}

static void add_random(lua_State *L, int environment, int random)
{
    copy_library(L, environment, LUA_MATHLIBNAME);
    set_random(L, random);
    lua_pop(L, 1);
}

void throng_trusted_add(lua_State *L)
{
    lua_register(L, "pairs", pairs_of_all);
    lua_getglobal(L, LUA_MATHLIBNAME);
    throng_generator *random = lua_newuserdatauv(L, sizeof *random, 0);
    throng_generator_seed(random, 1);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, THRONG_RANDOM);
    lua_insert(L, -2);
    set_random(L, lua_gettop(L) - 1);
    lua_pop(L, 2);
}

static void add_basics(lua_State *L, int environment)
{
    static const char *const kept[] = {"assert", "error",  "select",   "type",     "rawequal", "rawget",
                                       "rawset", "rawlen", "tonumber", "_VERSION", NULL};
    static const luaL_Reg own[] = {{"next", ordered_next},     {"pairs", throng_ordered_pairs},
                                   {"ipairs", ordered_ipairs}, {"tostring", throng_to_text},
                                   {"print", throng_print},    {NULL, NULL}};
    for (int i = 0; kept[i]; i++) {
        lua_getglobal(L, kept[i]);
        lua_setfield(L, environment, kept[i]);
    }
    lua_pushvalue(L, environment);
    luaL_setfuncs(L, own, 0);
    lua_setfield(L, environment, LUA_GNAME);
}

void throng_sandbox_push(lua_State *L, const char *folder)
{
    lua_newtable(L);
    int environment = lua_gettop(L);
    throng_generator *random = lua_newuserdatauv(L, sizeof *random, 0);
    throng_generator_seed(random, 1);
    add_basics(L, environment);
    add_strings(L, environment);
    add_random(L, environment, environment + 1);
    copy_library(L, environment, LUA_TABLIBNAME);
    copy_library(L, environment, LUA_COLIBNAME);
    copy_library(L, environment, LUA_UTF8LIBNAME);
    lua_settop(L, environment + 1);
    throng_script_library(L, "sandbox");
    lua_pushvalue(L, environment);
    lua_getglobal(L, LUA_GNAME);
    throng_host_push(L);
    lua_pushstring(L, folder);
    throng_module_push(L);
    lua_call(L, 5, 0);
}
