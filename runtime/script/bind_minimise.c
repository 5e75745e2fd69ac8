/* What throng.calibrate searches with (lua/throng/calibrate_command.lua). */
#include "binders.h"

#include "base/minimise.h"

typedef struct caller {
    lua_State *L;
    int32_t count;
    bool failed; /* its message is at the top */
} caller;

/* f({numbers}) -> value, and true when that is enough; f is at 6 */
static double value_of(const double *x, void *owner, bool *stop)
{
    caller *c = owner;
    lua_State *L = c->L;
    lua_pushvalue(L, 6);
    lua_createtable(L, c->count, 0);
    for (int32_t i = 0; i < c->count; i++) {
        lua_pushnumber(L, x[i]);
        lua_rawseti(L, -2, i + 1);
    }
    c->failed = lua_pcall(L, 1, 2, 0) != LUA_OK;
    *stop = c->failed || lua_toboolean(L, -1);
    double value = c->failed ? 0 : lua_tonumber(L, -2);
    if (!c->failed)
        lua_pop(L, 2);
    return value;
}

/* minimise(algorithm, {numbers}, step, evaluations, seed, f): the numbers, each in [0, 1], with which f is least */
static int minimise(lua_State *L)
{
    throng_error error;
    double x[THRONG_MINIMISE_MOST];
    caller c = {.L = L};
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 6, LUA_TFUNCTION);
    lua_settop(L, 6);
    c.count = (int32_t)lua_rawlen(L, 2);
    luaL_argcheck(L, c.count >= 1 && c.count <= THRONG_MINIMISE_MOST, 2, "1 to 32 numbers expected");
    for (int32_t i = 0; i < c.count; i++) {
        lua_rawgeti(L, 2, i + 1);
        x[i] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    throng_minimise_def def = {.algorithm = luaL_checkstring(L, 1),
                               .count = c.count,
                               .x = x,
                               .step = luaL_checknumber(L, 3),
                               .evaluations = (int32_t)luaL_checkinteger(L, 4),
                               .seed = (uint32_t)luaL_checkinteger(L, 5),
                               .value = value_of,
                               .owner = &c};
    if (!throng_minimise(&def, &error))
        return luaL_error(L, "%s", error.text);
    if (c.failed)
        return lua_error(L);
    lua_createtable(L, c.count, 0);
    for (int32_t i = 0; i < c.count; i++) {
        lua_pushnumber(L, x[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

void throng_bind_minimise(lua_State *L)
{
    static const luaL_Reg functions[] = {{"minimise", minimise}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
