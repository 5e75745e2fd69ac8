/* throng.uniform, throng.normal and throng.poisson_truncated: a number that differs from agent to agent. */
#include "binders.h"
#include "fields.h"

#include <math.h>

/*--- class throng.sampler
 * A distribution of numbers over agents: throng.uniform, throng.normal or throng.poisson_truncated. */

#define SAMPLER "throng.sampler"

static const throng_range ANY = {-INFINITY, INFINITY, false, ""};
static const throng_range DEVIATION = {0, INFINITY, false, ""};

static int push_sampler(lua_State *L, throng_sampler sampler)
{
    *(throng_sampler *)lua_newuserdatauv(L, sizeof sampler, 0) = sampler;
    luaL_setmetatable(L, SAMPLER);
    return 1;
}

/*--- throng.uniform(from, to)
 * Numbers distributed uniformly between two values.
 * @param from number(any) The least value.
 * @param to number(any) The greatest.
 * @return throng.sampler
 * @error `from` greater than `to`
 * @example
 * world:spawn { count = 20, where = "left", radius = throng.uniform(0.2, 0.25) } -- m */
static int uniform(lua_State *L)
{
    double from = throng_check_number(L, 1, "throng.uniform: from", &ANY);
    double to = throng_check_number(L, 2, "throng.uniform: to", &ANY);
    if (to < from)
        throng_raise(L, "throng.uniform: from must not be greater than to, got %f and %f", from, to);
    return push_sampler(L, (throng_sampler){THRONG_UNIFORM, from, to});
}

/*--- throng.normal(mean, deviation)
 * Numbers distributed normally, cut off at three standard deviations.
 * @param mean number(any) The mean.
 * @param deviation number(any) The standard deviation.
 * @return throng.sampler
 * @error a negative deviation; a mean whose three deviations leave the range of the column
 * @example
 * world:spawn { count = 20, where = "left", speed = throng.normal(1.34, 0.26) } -- m/s */
static int normal(lua_State *L)
{
    double mean = throng_check_number(L, 1, "throng.normal: the mean", &ANY);
    double deviation = throng_check_number(L, 2, "throng.normal: the standard deviation", &DEVIATION);
    return push_sampler(L, (throng_sampler){THRONG_NORMAL, mean, deviation});
}

/*--- throng.poisson_truncated(lambda)
 * The whole numbers 1, 2, 3, ... with the probabilities of a Poisson distribution without 0, lambda^n / (n! (e^lambda
 * - 1)), up to 16: sizes of the groups that people walk in (J. Coleman and J. James, "The equilibrium size
 * distribution of freely-forming groups", 1961).
 * @param lambda number(1) 0.83 for people in a street: 0.64 walk alone, .27 of the groups are pairs, .07 threes.
 * @return throng.sampler
 * @error not more than 0, or more than 4
 * @example
 * world:spawn { count = 200, where = "left", company = throng.poisson_truncated(0.83) } */
static int poisson_truncated(lua_State *L)
{
    const throng_range range = {0, 4, true, ""};
    double lambda = throng_check_number(L, 1, "throng.poisson_truncated: lambda", &range);
    return push_sampler(L, (throng_sampler){THRONG_POISSON_TRUNCATED, lambda, lambda});
}

static int to_string(lua_State *L)
{
    const throng_sampler *sampler = luaL_checkudata(L, 1, SAMPLER);
    if (sampler->kind == THRONG_POISSON_TRUNCATED)
        lua_pushfstring(L, "throng.poisson_truncated(%f)", sampler->a);
    else
        lua_pushfstring(L, "throng.%s(%f, %f)", sampler->kind == THRONG_UNIFORM ? "uniform" : "normal", sampler->a,
                        sampler->b);
    return 1;
}

/* The least and most a sampler can give; normal ones are cut off at three deviations. */
static void check_ends(lua_State *L, const throng_sampler *sampler, const char *what, const throng_range *range)
{
    bool spread = sampler->kind == THRONG_NORMAL;
    double least = throng_sampler_least(sampler), most = throng_sampler_most(sampler);
    lua_pushfstring(L, spread ? "%s: the mean less 3 deviations" : "%s: the least value", what);
    lua_pushnumber(L, least);
    throng_check_number(L, -1, lua_tostring(L, -2), range);
    lua_pop(L, 2);
    lua_pushfstring(L, spread ? "%s: the mean plus 3 deviations" : "%s: the greatest value", what);
    lua_pushnumber(L, most);
    throng_check_number(L, -1, lua_tostring(L, -2), range);
    lua_pop(L, 2);
}

throng_sampler throng_check_sampler(lua_State *L, int index, const char *what, const throng_range *range)
{
    const throng_sampler *sampler = luaL_testudata(L, index, SAMPLER);
    if (sampler) {
        check_ends(L, sampler, what, range);
        return *sampler;
    }
    if (lua_type(L, index) != LUA_TNUMBER)
        throng_raise(L, "%s must be a number, throng.uniform(from, to) or throng.normal(mean, deviation), got %s", what,
                     throng_describe(L, index));
    double value = throng_check_number(L, index, what, range);
    return (throng_sampler){THRONG_CONSTANT, value, value};
}

bool throng_field_sampler(lua_State *L, int table, const char *owner, const char *name, const throng_range *range,
                          throng_sampler *value)
{
    if (!throng_field_push(L, table, owner, name))
        return false;
    *value = throng_check_sampler(L, -1, lua_tostring(L, -2), range);
    lua_pop(L, 2);
    return true;
}

void throng_bind_sampler(lua_State *L)
{
    luaL_newmetatable(L, SAMPLER);
    lua_pushcfunction(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, uniform);
    lua_setfield(L, -2, "uniform");
    lua_pushcfunction(L, normal);
    lua_setfield(L, -2, "normal");
    lua_pushcfunction(L, poisson_truncated);
    lua_setfield(L, -2, "poisson_truncated");
}
