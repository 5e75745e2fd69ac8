/* For lua/throng/smoke_fds.lua: slice files of FDS. */
#include "binders.h"
#include "script_files.h"
#include "script_parts.h"

#include <limits.h>
#include <math.h>

#include "record/fds_slice.h"

#define FDS_SLICE "throng.fds_slice"

static throng_fds_slice *check_slice(lua_State *L) { return *(throng_fds_slice **)luaL_checkudata(L, 1, FDS_SLICE); }

static int close_slice(lua_State *L)
{
    throng_fds_slice **slice = luaL_checkudata(L, 1, FDS_SLICE);
    throng_fds_slice_close(*slice);
    *slice = NULL;
    return 0;
}

static void set_integer(lua_State *L, const char *name, int32_t value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

/* fds_slice(owner, name): the slice, and what it is: { quantity =, units =, i1 =, i2 =, j1 =, j2 =, k1 =, k2 = } */
static int open_slice(lua_State *L)
{
    static const char *const nodes[3][2] = {{"i1", "i2"}, {"j1", "j2"}, {"k1", "k2"}};
    char path[PATH_MAX];
    throng_error error;
    const char *owner = luaL_checkstring(L, 1);
    throng_script_find_file(L, owner, 2, path);
    throng_fds_slice **slice = lua_newuserdatauv(L, sizeof *slice, 0);
    *slice = NULL;
    luaL_setmetatable(L, FDS_SLICE);
    throng_script_note_file(throng_script_of(L), path);
    *slice = throng_fds_slice_open(path, &error);
    if (!*slice)
        throng_raise(L, "%s: %s", owner, error.text);
    lua_createtable(L, 0, 8);
    lua_pushstring(L, (*slice)->quantity);
    lua_setfield(L, -2, "quantity");
    lua_pushstring(L, (*slice)->units);
    lua_setfield(L, -2, "units");
    for (int axis = 0; axis < 3; axis++) {
        set_integer(L, nodes[axis][0], (*slice)->first[axis]);
        set_integer(L, nodes[axis][1], (*slice)->last[axis]);
    }
    return 2;
}

/* The last frame at that time or before it, 0: there is none. */
static int32_t frame_before(const throng_fds_slice *slice, double time)
{
    int32_t low = 0, high = slice->frames - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (slice->times[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void read_values(lua_State *L, throng_fds_slice *slice, int32_t frame, float *values)
{
    throng_error error;
    if (!throng_fds_slice_read(slice, frame, values, &error))
        throng_raise(L, "world:smoke: %s", error.text);
}

/* fds_values(slice, time): a list of all values then, x running fastest; between frames they change evenly */
static int values_at(lua_State *L)
{
    throng_fds_slice *slice = check_slice(L);
    double time = luaL_checknumber(L, 2);
    int32_t before = frame_before(slice, time), after = before + 1 < slice->frames ? before + 1 : before;
    float *a = lua_newuserdatauv(L, 2 * (size_t)slice->points * sizeof *a, 0), *b = a + slice->points;
    read_values(L, slice, before, a);
    read_values(L, slice, after, b);
    double period = slice->times[after] - slice->times[before];
    double part = period > 0 ? fmin(fmax((time - slice->times[before]) / period, 0), 1) : 0;
    lua_createtable(L, slice->points, 0);
    for (int32_t i = 0; i < slice->points; i++) {
        lua_pushnumber(L, (double)a[i] + part * ((double)b[i] - (double)a[i]));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

void throng_bind_fds(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__gc", close_slice}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"fds_slice", open_slice}, {"fds_values", values_at}, {NULL, NULL}};
    luaL_newmetatable(L, FDS_SLICE);
    luaL_setfuncs(L, meta, 0);
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
