/* throng.disc and throng.stadium: what people are, seen from above. */
#include "binders.h"
#include "figure_value.h"

/*--- class throng.figure
 * What bodies are, seen from above: throng.disc or throng.stadium, for `body` of world:spawn. */

/*--- class throng.disc_settings
 * Settings of throng.disc. */

/*--- class throng.stadium_settings
 * Settings of throng.stadium. */

#define FIGURE "throng.figure"

static const throng_range RADIUS = {THRONG_LEAST_RADIUS, 100, false, "m"};
static const throng_range LENGTH = {2 * THRONG_LEAST_RADIUS, 100, false, "m"};

static const throng_setting DISC[] = {
    {"radius", "throng.number", .initial = "uniform from 0.20 to 0.25: half the breadth of clothed shoulders"},
    {.name = NULL},
};
static const throng_setting STADIUM[] = {
    {"width", "throng.number", "uniform from 0.42 to 0.50", "Width across the shoulders, m.", {0, 0, false, "m"}},
    {"depth", "throng.number", "uniform from 0.21 to 0.27", "Depth, m: at most the least width.", {0, 0, false, "m"}},
    {.name = NULL},
};

const throng_settings throng_disc_settings = {"throng.disc_settings", "throng.disc", DISC};
const throng_settings throng_stadium_settings = {"throng.stadium_settings", "throng.stadium", STADIUM};

/* The table of settings at 1, which may be missing. */
static void check_settings(lua_State *L, const throng_settings *settings)
{
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    if (!lua_istable(L, 1))
        throng_raise(L, "%s: expected a table of settings, got %s", settings->owner, throng_describe(L, 1));
    throng_settings_check(L, 1, settings);
}

static int push_figure(lua_State *L, throng_figure figure)
{
    *(throng_figure *)lua_newuserdatauv(L, sizeof figure, 0) = figure;
    luaL_setmetatable(L, FIGURE);
    return 1;
}

/*--- throng.disc(settings)
 * People as discs, which they are unless they are told otherwise.
 * @param settings? throng.disc_settings Their radius.
 * @return throng.figure
 * @error a radius out of range
 * @example
 * world:spawn { count = 20, where = "left", body = throng.disc { radius = 0.25 } } */
static int disc(lua_State *L)
{
    throng_figure figure = {.size = THRONG_BODY_RADIUS};
    check_settings(L, &throng_disc_settings);
    throng_field_sampler(L, 1, "throng.disc", "radius", &RADIUS, &figure.size);
    return push_figure(L, figure);
}

/*--- throng.stadium(settings)
 * People who are wider than deep: two half discs, as wide as the body is deep, at the ends of a line across the
 * shoulders. They touch others and walls as what they are, so more of them find room, and turn their shoulders where
 * the way ahead is narrow (column `shoulders`); planners see discs as wide as they are across their way. Their routes
 * lead through what is as wide as a half-turned one, at least (`radius`, half the depth, and half of what the body is
 * wider than that).
 * @param settings? throng.stadium_settings Their width and depth.
 * @return throng.figure
 * @error a width less than a depth
 * @example
 * world:spawn { count = 20, where = "left", body = throng.stadium { width = 0.46, depth = 0.24 } } */
static int stadium(lua_State *L)
{
    throng_figure figure = {
        true, {.kind = THRONG_UNIFORM, .a = 0.21, .b = 0.27}, {.kind = THRONG_UNIFORM, .a = 0.42, .b = 0.50}};
    check_settings(L, &throng_stadium_settings);
    throng_field_sampler(L, 1, "throng.stadium", "depth", &LENGTH, &figure.size);
    throng_field_sampler(L, 1, "throng.stadium", "width", &LENGTH, &figure.width);
    double deepest = throng_sampler_most(&figure.size), least = throng_sampler_least(&figure.width);
    if (deepest > least)
        throng_raise(L,
                     "throng.stadium: a width of %f m is less than a depth of %f m; the width is measured across the "
                     "shoulders: give fields 'width' and 'depth', the width the greater",
                     least, deepest);
    return push_figure(L, figure);
}

throng_figure throng_check_figure(lua_State *L, int index, const char *what)
{
    const throng_figure *figure = luaL_testudata(L, index, FIGURE);
    if (!figure)
        throng_raise(L, "%s must be throng.disc{...} or throng.stadium{...}, got %s", what, throng_describe(L, index));
    return *figure;
}

static int to_string(lua_State *L)
{
    const throng_figure *figure = luaL_checkudata(L, 1, FIGURE);
    lua_pushstring(L, figure->wide ? "throng.stadium" : "throng.disc");
    return 1;
}

void throng_bind_figure(lua_State *L)
{
    luaL_newmetatable(L, FIGURE);
    lua_pushcfunction(L, to_string);
    lua_setfield(L, -2, "__tostring");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, disc);
    lua_setfield(L, -2, "disc");
    lua_pushcfunction(L, stadium);
    lua_setfield(L, -2, "stadium");
}
