/* throng.uniform, throng.normal and the other laws: a number that differs from agent to agent. */
#include "binders.h"
#include "fields.h"
#include "world/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*--- class throng.sampler
 * A distribution of numbers over agents: throng.uniform, normal, log_normal, weibull, gamma, triangular, empirical,
 * mixture, truncated or poisson_truncated. The numbers go by the world's seed and the agent, on every machine alike. */

static const throng_range ANY = {-INFINITY, INFINITY, false, ""};
static const throng_range DEVIATION = {0, INFINITY, false, ""};
static const throng_range LOGARITHM = {-300, 300, false, ""};
static const throng_range SPREAD = {0, 50, false, ""};
static const throng_range SCALE = {0, 1e9, true, ""};
static const throng_range SHAPE = {0.01, 1e4, false, ""};

static int push_sampler(lua_State *L, throng_sampler sampler)
{
    *(throng_sampler *)lua_newuserdatauv(L, sizeof sampler, 0) = sampler;
    luaL_setmetatable(L, THRONG_LUA_SAMPLER);
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
    throng_refuse_more(L, 2, "throng.uniform", "from, to");
    if (to < from)
        throng_raise(L, "throng.uniform: from must not be greater than to, got %f and %f", from, to);
    return push_sampler(L, (throng_sampler){.kind = THRONG_UNIFORM, .a = from, .b = to});
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
    throng_refuse_more(L, 2, "throng.normal", "mean, deviation");
    return push_sampler(L, (throng_sampler){.kind = THRONG_NORMAL, .a = mean, .b = deviation});
}

/*--- throng.poisson_truncated(lambda)
 * The whole numbers 1, 2, 3, ... with the probabilities of a Poisson distribution without 0, lambda^n / (n! (e^lambda
 * - 1)), up to 16: sizes of the groups that people walk in (J. Coleman and J. James, "The equilibrium size
 * distribution of freely-forming groups", 1961).
 * @param lambda number(1) 0.83 for people in a street (Moussaid and others, 2010): 0.64 walk alone, .27 of the groups
 * are pairs, .07 threes.
 * @return throng.sampler
 * @error not more than 0, or more than 4
 * @example
 * world:spawn { count = 200, where = "left", company = throng.poisson_truncated(0.83) } */
static int poisson_truncated(lua_State *L)
{
    const throng_range range = {0, 4, true, ""};
    double lambda = throng_check_number(L, 1, "throng.poisson_truncated: lambda", &range);
    return push_sampler(L, (throng_sampler){.kind = THRONG_POISSON_TRUNCATED, .a = lambda, .b = lambda});
}

static int push_law(lua_State *L, throng_sampler law)
{
    throng_law_complete(&law);
    return push_sampler(L, law);
}

/*--- throng.log_normal(mu, sigma, from)
 * Numbers whose logarithm is distributed normally: pre-movement times, for one. The greatest millionth is left out, and
 * the least.
 * @param mu number(1) The mean of the logarithm.
 * @param sigma number(1) Its standard deviation, up to 50.
 * @param from? number(any) Added to all: the logarithm is that of what is above it. Default 0.
 * @return throng.sampler
 * @error a negative deviation
 * @example
 * world:spawn { count = 20, where = "left", pre_movement = throng.log_normal(3.44, 0.94) } -- s
 * local night = throng.truncated(throng.log_normal(3.95, 0.84, 400), 400, 700) -- s, IMO MSC.1/Circ.1533 */
static int log_normal(lua_State *L)
{
    double mu = throng_check_number(L, 1, "throng.log_normal: mu", &LOGARITHM);
    double sigma = throng_check_number(L, 2, "throng.log_normal: sigma", &SPREAD);
    double from = lua_isnoneornil(L, 3) ? 0 : throng_check_number(L, 3, "throng.log_normal: from", &ANY);
    return push_law(L, (throng_sampler){.kind = THRONG_LOG_NORMAL, .a = mu, .b = sigma, .c = from});
}

/*--- throng.weibull(scale, shape)
 * Numbers distributed by Weibull's law, less than x with probability 1 - exp(-(x / scale)^shape). The greatest
 * millionth is left out.
 * @param scale number(any) The scale.
 * @param shape number(1) The shape, from 0.01 to 10000.
 * @return throng.sampler
 * @error a scale of 0 or less; a shape out of range
 * @example
 * world:spawn { count = 20, where = "left", pre_movement = throng.weibull(139, 1.2) } -- s */
static int weibull(lua_State *L)
{
    double scale = throng_check_number(L, 1, "throng.weibull: the scale", &SCALE);
    double shape = throng_check_number(L, 2, "throng.weibull: the shape", &SHAPE);
    return push_law(L, (throng_sampler){.kind = THRONG_WEIBULL, .a = scale, .b = shape});
}

/*--- throng.gamma(shape, scale)
 * Numbers distributed by the gamma law, whose mean is shape * scale. The greatest millionth is left out.
 * @param shape number(1) The shape, from 0.01 to 10000.
 * @param scale number(any) The scale.
 * @return throng.sampler
 * @error a shape out of range; a scale of 0 or less
 * @example
 * world:spawn { count = 20, where = "left", pre_movement = throng.gamma(1.3, 104) } -- s */
static int gamma_law(lua_State *L)
{
    double shape = throng_check_number(L, 1, "throng.gamma: the shape", &SHAPE);
    double scale = throng_check_number(L, 2, "throng.gamma: the scale", &SCALE);
    return push_law(L, (throng_sampler){.kind = THRONG_GAMMA, .a = shape, .b = scale});
}

/*--- throng.triangular(least, likeliest, greatest)
 * Numbers whose density rises in a straight line to the likeliest and falls in one after it.
 * @param least number(any) The least value.
 * @param likeliest number(any) The likeliest.
 * @param greatest number(any) The greatest.
 * @return throng.sampler
 * @error numbers in another order; the least and the greatest are equal
 * @example
 * world:spawn { count = 20, where = "left", speed = throng.triangular(0.6, 1.3, 1.7) } -- m/s */
static int triangular(lua_State *L)
{
    double least = throng_check_number(L, 1, "throng.triangular: the least value", &ANY);
    double mode = throng_check_number(L, 2, "throng.triangular: the likeliest value", &ANY);
    double most = throng_check_number(L, 3, "throng.triangular: the greatest value", &ANY);
    if (mode < least || most < mode || most == least)
        throng_raise(L,
                     "throng.triangular: expected the least, the likeliest and the greatest value in this order, got "
                     "%f, %f and %f",
                     least, mode, most);
    return push_law(L, (throng_sampler){.kind = THRONG_TRIANGULAR, .a = least, .b = mode, .c = most});
}

/* A sampler with `bytes` behind it that it points to. It is never collected: worlds and planners hold copies of it.
 * [-0, +1] */
static throng_sampler *push_anchored(lua_State *L, throng_sampler sampler, size_t bytes)
{
    throng_sampler *own = lua_newuserdatauv(L, sizeof *own + bytes, 0);
    *own = sampler;
    luaL_setmetatable(L, THRONG_LUA_SAMPLER);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, own);
    return own;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many entries the list at 1 has, from `least` on. */
static int32_t count_of(lua_State *L, const char *owner, int32_t least, const char *example)
{
    lua_Unsigned count = lua_istable(L, 1) ? lua_rawlen(L, 1) : 0;
    if (count < (lua_Unsigned)least || count > 1000000)
        throng_raise(L, "%s: expected a list of %d to 1000000 like %s, got %s", owner, (int)least, example,
                     lua_istable(L, 1) ? lua_pushfstring(L, "%d", (int)count) : throng_describe(L, 1));
    return (int32_t)count;
}

/* Of a list; throng.empirical (empirical.lua) reads files, too. */
static int empirical(lua_State *L)
{
    int32_t count = count_of(L, "throng.empirical", 2, "{12, 18, 25}");
    throng_sampler *own =
        push_anchored(L, (throng_sampler){.kind = THRONG_EMPIRICAL, .count = count}, (size_t)count * sizeof(double));
    double *values = (double *)(own + 1);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, i + 1);
        lua_pushfstring(L, "throng.empirical: value %d", (int)i + 1);
        values[i] = throng_check_number(L, -2, lua_tostring(L, -1), &ANY);
        lua_pop(L, 2);
    }
    qsort(values, (size_t)count, sizeof *values, ascending);
    own->values = values;
    throng_law_complete(own);
    return 1;
}

/* Entry i of the list at 1, {share, law}. */
static double read_part(lua_State *L, int32_t i, throng_sampler *law)
{
    if (lua_rawgeti(L, 1, i + 1) != LUA_TTABLE)
        throng_raise(L, "throng.mixture: part %d must be {share, law}, like {7, throng.uniform(0.9, 1.5)}, got %s",
                     (int)i + 1, throng_describe(L, -1));
    lua_rawgeti(L, -1, 1);
    lua_pushfstring(L, "throng.mixture: the share of part %d", (int)i + 1);
    double share = throng_check_number(L, -2, lua_tostring(L, -1), &SCALE);
    lua_rawgeti(L, -3, 2);
    lua_pushfstring(L, "throng.mixture: part %d", (int)i + 1);
    *law = throng_check_sampler(L, -2, lua_tostring(L, -1), &ANY);
    lua_pop(L, 5);
    return share;
}

/*--- throng.mixture(parts)
 * Numbers by several laws, each with its share: the speeds of a population of several classes.
 * @param parts { [1]: number(1), [2]: throng.number(any) }[] {share, law}: the shares are in proportion, and need not
 * sum to 1.
 * @return throng.sampler
 * @error a share of 0 or less
 * @example
 * world:spawn { count = 20, where = "left", speed = throng.mixture { { 4, throng.normal(1.3, 0.2) }, { 1, 0.6 } } } */
static int mixture(lua_State *L)
{
    int32_t count = count_of(L, "throng.mixture", 1, "{{1, throng.uniform(1, 2)}}");
    throng_sampler *own = push_anchored(L, (throng_sampler){.kind = THRONG_MIXTURE, .count = count},
                                        (size_t)count * (sizeof(throng_sampler) + sizeof(double)));
    throng_sampler *parts = own + 1;
    double *shares = (double *)(parts + count), sum = 0;
    for (int32_t i = 0; i < count; i++)
        shares[i] = sum += read_part(L, i, &parts[i]);
    for (int32_t i = 0; i < count; i++)
        shares[i] /= sum;
    own->parts = parts;
    own->values = shares;
    return 1;
}

/*--- throng.truncated(law, from, to)
 * A law cut off: its numbers between two values, in the same proportions.
 * @param law throng.sampler Any but throng.mixture and throng.poisson_truncated.
 * @param from number(any) The least value.
 * @param to number(any) The greatest.
 * @return throng.sampler
 * @error less than a thousandth of the law's numbers are between the values
 * @example
 * world:spawn { count = 20, where = "left", pre_movement = throng.truncated(throng.log_normal(3.44, 0.94), 0, 300) } */
static int truncated(lua_State *L)
{
    const throng_sampler *law = luaL_testudata(L, 1, THRONG_LUA_SAMPLER);
    throng_sampler cut = law ? *law : (throng_sampler){.kind = THRONG_MIXTURE};
    if (cut.kind == THRONG_MIXTURE || cut.kind == THRONG_POISSON_TRUNCATED)
        throng_raise(L,
                     "throng.truncated: the law must be one like throng.normal(mean, deviation), and neither a mixture "
                     "nor poisson_truncated, got %s",
                     law ? luaL_tolstring(L, 1, NULL) : throng_describe(L, 1));
    double from = throng_check_number(L, 2, "throng.truncated: from", &ANY);
    double to = throng_check_number(L, 3, "throng.truncated: to", &ANY);
    if (!throng_law_truncate(&cut, from, to))
        throng_raise(L, "throng.truncated: hardly any number of %s is from %f to %f", luaL_tolstring(L, 1, NULL), from,
                     to);
    return push_sampler(L, cut);
}

static int to_string(lua_State *L)
{
    static const char *names[] = {"constant", "uniform", "normal",     "poisson_truncated", "log_normal",
                                  "weibull",  "gamma",   "triangular", "empirical",         "mixture"};
    const throng_sampler *sampler = luaL_checkudata(L, 1, THRONG_LUA_SAMPLER);
    const char *name = names[sampler->kind];
    if (sampler->kind == THRONG_POISSON_TRUNCATED)
        lua_pushfstring(L, "throng.%s(%f)", name, sampler->a);
    else if (sampler->kind == THRONG_TRIANGULAR || (sampler->kind == THRONG_LOG_NORMAL && sampler->c != 0))
        lua_pushfstring(L, "throng.%s(%f, %f, %f)", name, sampler->a, sampler->b, sampler->c);
    else if (sampler->kind >= THRONG_EMPIRICAL)
        lua_pushfstring(L, "throng.%s(%d)", name, (int)sampler->count);
    else
        lua_pushfstring(L, "throng.%s(%f, %f)", name, sampler->a, sampler->b);
    return 1;
}

/* The least and most a sampler can give; normal ones are cut off at three deviations where nobody says otherwise. */
static void check_ends(lua_State *L, const throng_sampler *sampler, const char *what, const throng_range *range)
{
    bool spread = sampler->kind == THRONG_NORMAL && sampler->high <= 0;
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
    const throng_sampler *sampler = luaL_testudata(L, index, THRONG_LUA_SAMPLER);
    if (sampler) {
        check_ends(L, sampler, what, range);
        return *sampler;
    }
    if (lua_type(L, index) != LUA_TNUMBER)
        throng_raise(
            L,
            "%s must be a number, throng.uniform(from, to), throng.normal(mean, deviation) or another law, got "
            "%s",
            what, throng_describe(L, index));
    double value = throng_check_number(L, index, what, range);
    return (throng_sampler){.kind = THRONG_CONSTANT, .a = value, .b = value};
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
    luaL_newmetatable(L, THRONG_LUA_SAMPLER);
    lua_pushcfunction(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    static const luaL_Reg laws[] = {{"uniform", uniform},
                                    {"normal", normal},
                                    {"poisson_truncated", poisson_truncated},
                                    {"log_normal", log_normal},
                                    {"weibull", weibull},
                                    {"gamma", gamma_law},
                                    {"triangular", triangular},
                                    {"empirical", empirical},
                                    {"mixture", mixture},
                                    {"truncated", truncated},
                                    {NULL, NULL}};
    luaL_setfuncs(L, laws, 0);
}
