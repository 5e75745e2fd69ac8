/* throng.params lists parameters with a range in the load's context: { params, name, given, begun, least, most } each;
 * `given` is the file's value, or that of --set, `begun` the one at first. */
#include "script_sliders.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "script_files.h"
#include "script_parts.h"

/* The list; false and nothing pushed when there is none. [-0, +1] */
static bool push_list(lua_State *L)
{
    int top = lua_gettop(L);
    throng_context_push(L);
    if (lua_istable(L, -1) && lua_getfield(L, -1, "sliders") == LUA_TTABLE) {
        lua_remove(L, -2);
        return true;
    }
    lua_settop(L, top);
    return false;
}

/* A number of the entry at the top. */
static double number(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* The entry at the top. */
static void read_slider(lua_State *L, throng_slider *slider)
{
    lua_getfield(L, -1, "name");
    const char *name = lua_tostring(L, -1);
    snprintf(slider->name, sizeof slider->name, "%s", name);
    lua_getfield(L, -2, "params");
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    slider->value = lua_tonumber(L, -1); /* the script may have put anything there */
    lua_pop(L, 3);
    slider->least = number(L, "least");
    slider->most = number(L, "most");
    slider->given = number(L, "given");
    slider->begun = number(L, "begun");
    lua_getfield(L, -1, "least");
    slider->whole = lua_isinteger(L, -1);
    lua_getfield(L, -2, "on_change");
    slider->told = lua_isfunction(L, -1);
    lua_pop(L, 2);
}

int32_t throng_script_sliders(throng_script *script, throng_slider *sliders, int32_t room)
{
    lua_State *L = script->L;
    if (!push_list(L))
        return 0;
    int32_t count = (int32_t)lua_rawlen(L, -1);
    count = count < room ? count : room;
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        read_slider(L, &sliders[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return count;
}

int32_t throng_script_set_sliders(throng_script *script, bool now, throng_slider *sliders, int32_t room)
{
    int32_t count = throng_script_sliders(script, sliders, room);
    for (int32_t i = 0; i < count && !now; i++)
        sliders[i].value = sliders[i].begun;
    return count;
}

/* The range at the top says what a new value does. */
static void tell(lua_State *L, const throng_slider *slider, double value)
{
    if (lua_getfield(L, -1, "on_change") == LUA_TFUNCTION && value != slider->value) {
        if (slider->whole)
            lua_pushinteger(L, (lua_Integer)value);
        else
            lua_pushnumber(L, value);
        lua_call(L, 1, 0);
    } else
        lua_pop(L, 1);
}

/* (list, index, value, is on_change told?) */
static int set_slider(lua_State *L)
{
    throng_slider slider = {.name = ""};
    double value = lua_tonumber(L, 3);
    lua_rawgeti(L, 1, lua_tointeger(L, 2));
    read_slider(L, &slider);
    value = fmin(fmax(value, slider.least), slider.most);
    value = slider.whole ? (double)llround(value) : value;
    lua_getfield(L, -1, "params");
    lua_pushstring(L, slider.name);
    if (slider.whole)
        lua_pushinteger(L, (lua_Integer)value);
    else
        lua_pushnumber(L, value);
    lua_rawset(L, -3);
    lua_pop(L, 1);
    if (lua_toboolean(L, 4))
        tell(L, &slider, value);
    return 0;
}

static bool set(throng_script *script, int32_t slider, double value, bool told, throng_error *error)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, set_slider);
    if (!push_list(L)) {
        lua_pop(L, 1);
        return true;
    }
    lua_pushinteger(L, slider + 1);
    lua_pushnumber(L, value);
    lua_pushboolean(L, told);
    return throng_script_call(L, 4, 0) == LUA_OK || throng_script_fail(L, error);
}

bool throng_script_set_slider(throng_script *script, int32_t slider, double value, throng_error *error)
{
    throng_doing before = script->doing;
    script->doing = (throng_doing){.callback = "the on_change of a parameter"};
    bool fine = set(script, slider, value, true, error);
    script->doing = before;
    return fine;
}

void throng_script_keep_sliders(throng_script *fresh, throng_script *old)
{
    throng_slider now[THRONG_SLIDERS], before[THRONG_SLIDERS];
    int32_t count = throng_script_sliders(fresh, now, THRONG_SLIDERS);
    int32_t others = throng_script_sliders(old, before, THRONG_SLIDERS);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < others; k++)
            if (strcmp(now[i].name, before[k].name) == 0 && now[i].given == before[k].given)
                set(fresh, i, before[k].value, true, NULL);
}
