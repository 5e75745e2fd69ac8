/* For lua/throng/choose*.lua: how far agents have to places, who is sent where, who is near, and those of a group that
 * chose alike. */
#include "binders.h"
#include "fields.h"
#include "group_methods.h"
#include "routing_value.h"

#include <string.h>

#include "world/nearest.h"
#include "world/route_lengths.h"

#define PLACES "throng.places"

/* target_of(world, place, what): its number */
static int target_of(lua_State *L)
{
    const throng_lua_world *world = throng_check_world(L, 1);
    lua_pushinteger(L, throng_check_goal(L, 2, world, throng_check_name(L, 3), 0.5, false));
    return 1;
}

/* route_lengths(group, target): a list, m; infinite where no route leads */
static int route_lengths(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_group(L, 1);
    double *lengths = lua_newuserdatauv(L, (size_t)group->count * sizeof *lengths + 1, 0);
    if (!throng_world_route_lengths(group->owner->world, group->handles, group->count, (int32_t)luaL_checkinteger(L, 2),
                                    lengths, &error))
        throng_raise(L, "group:choose: %s", error.text);
    lua_createtable(L, group->count, 0);
    for (int32_t i = 0; i < group->count; i++) {
        lua_pushnumber(L, lengths[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* targets_of(group): a list of numbers, -1: none */
static int targets_of(lua_State *L)
{
    throng_error error;
    const throng_lua_group *group = throng_check_group(L, 1);
    int32_t *targets = lua_newuserdatauv(L, (size_t)group->count * sizeof *targets + 1, 0);
    if (!throng_world_targets_of(group->owner->world, group->handles, group->count, targets, &error))
        throng_raise_error(L, &error);
    lua_createtable(L, group->count, 0);
    for (int32_t i = 0; i < group->count; i++) {
        lua_pushinteger(L, targets[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* pick(group, list, value): the agents whose entries in the list are that number */
static int pick(lua_State *L)
{
    const throng_lua_group *group = throng_check_group(L, 1);
    lua_Integer value = luaL_checkinteger(L, 3);
    throng_handle *handles = lua_newuserdatauv(L, (size_t)group->count * sizeof *handles + 1, 0);
    int32_t count = 0;
    for (int32_t i = 0; i < group->count; i++) {
        lua_rawgeti(L, 2, i + 1);
        if (lua_isinteger(L, -1) && lua_tointeger(L, -1) == value)
            handles[count++] = group->handles[i];
        lua_pop(L, 1);
    }
    lua_getiuservalue(L, 1, 1);
    throng_group_push(L, lua_gettop(L), handles, count, -1)->named_after = group->named_after;
    return 1;
}

/* Where the agents of a group were; user value 1: the points, user value 2: their order (throng_nearest_sort). */
typedef struct places {
    throng_point *points;
    int32_t *order;
    int32_t count;
} places;

/* places_of(group): for nearest_of() */
static int places_of(lua_State *L)
{
    throng_error error;
    const float *x, *y;
    const throng_lua_group *group = throng_check_group(L, 1);
    if (!throng_world_places(group->owner->world, &x, &y, &error))
        throng_raise_error(L, &error);
    places *p = lua_newuserdatauv(L, sizeof *p, 2);
    *p = (places){.count = group->count};
    p->points = lua_newuserdatauv(L, (size_t)p->count * sizeof *p->points + 1, 0);
    lua_setiuservalue(L, -2, 1);
    p->order = lua_newuserdatauv(L, (size_t)p->count * sizeof *p->order + 1, 0);
    lua_setiuservalue(L, -2, 2);
    for (int32_t i = 0; i < p->count; i++) {
        int32_t slot = group->handles[i].slot;
        p->points[i] = (throng_point){(double)x[slot], (double)y[slot]};
        p->order[i] = i;
    }
    throng_nearest_sort(p->order, p->count, p->points);
    luaL_setmetatable(L, PLACES);
    return 1;
}

enum { MOST = 1000 };

/* nearest_of(places, i, most, reach): a list of the others' numbers, from the nearest on */
static int nearest_of(lua_State *L)
{
    throng_found found[MOST + 1];
    const places *p = luaL_checkudata(L, 1, PLACES);
    lua_Integer i = luaL_checkinteger(L, 2), most = luaL_checkinteger(L, 3);
    luaL_argcheck(L, i >= 1 && i <= p->count, 2, "nobody");
    luaL_argcheck(L, most >= 0 && most <= MOST, 3, "too many");
    int32_t count = throng_nearest_find(p->order, p->count, p->points, p->points[i - 1], luaL_checknumber(L, 4), found,
                                        (int32_t)most + 1);
    lua_createtable(L, count, 0);
    for (int32_t k = 0, n = 0; k < count && n < most; k++) {
        if (found[k].number == i - 1)
            continue;
        lua_pushinteger(L, found[k].number + 1);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* has_floors(world) */
static int has_floors(lua_State *L)
{
    const throng_map *map = throng_world_map(throng_check_world(L, 1)->world);
    lua_pushboolean(L, map && map->sheets);
    return 1;
}

void throng_bind_choose(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"target_of", target_of}, {"route_lengths", route_lengths}, {"targets_of", targets_of}, {"pick", pick},
        {"places_of", places_of}, {"nearest_of", nearest_of},       {"has_floors", has_floors}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    luaL_newmetatable(L, PLACES);
    lua_pop(L, 1);
}
