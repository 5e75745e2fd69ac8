/* map:path, map:distance, map:visible, map:random_point.
 *
 * A map's value keeps the meshes that it was asked for, one a radius, and one search, in its second user value. A
 * world's map has the meshes of the world, whose doors open and close. */
#include "binders.h"
#include "fields.h"
#include "map_value.h"
#include "script_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "navigation/cache_map.h"
#include "map/map_random.h"
#include "navigation/path_search.h"

#define QUERIES "throng.map_queries"

typedef struct map_queries {
    throng_navmesh **meshes;
    int32_t count;
    throng_path_search *search;
    uint64_t points; /* random ones so far */
} map_queries;

static int free_queries(lua_State *L)
{
    map_queries *w = lua_touserdata(L, 1);
    for (int32_t i = 0; i < w->count; i++)
        throng_navmesh_destroy(w->meshes[i]);
    free(w->meshes);
    throng_path_search_destroy(w->search);
    *w = (map_queries){0};
    return 0;
}

/* The map's, made on first use; the map's value keeps it. [-0, +0] */
static map_queries *queries_of(lua_State *L, int map)
{
    if (lua_getiuservalue(L, map, 2) == LUA_TUSERDATA) {
        map_queries *w = lua_touserdata(L, -1);
        lua_pop(L, 1);
        return w;
    }
    lua_pop(L, 1);
    map_queries *w = lua_newuserdatauv(L, sizeof *w, 0);
    *w = (map_queries){0};
    if (luaL_newmetatable(L, QUERIES)) {
        lua_pushcfunction(L, free_queries);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    lua_setiuservalue(L, map, 2);
    w->search = throng_path_search_create();
    if (!w->search)
        luaL_error(L, "out of memory");
    return w;
}

static const throng_navmesh *world_mesh(lua_State *L, throng_world *world, double radius)
{
    throng_error error;
    const throng_navmesh *mesh = throng_world_navmesh(world, radius, &error);
    if (!mesh)
        throng_raise_error(L, &error);
    return mesh;
}

const throng_navmesh *throng_map_mesh(lua_State *L, int map, double radius)
{
    throng_error error;
    map_queries *w = queries_of(L, map);
    const throng_lua_world *owner = throng_map_owner_push(L, map);
    lua_pop(L, 1);
    if (owner)
        return world_mesh(L, owner->world, radius);
    for (int32_t i = 0; i < w->count; i++)
        if (w->meshes[i]->radius == radius)
            return w->meshes[i];
    if (!throng_array_resize((void **)&w->meshes, ((size_t)w->count + 1) * sizeof(throng_navmesh *)))
        luaL_error(L, "out of memory");
    throng_cache *cache = throng_script_of(L)->cache;
    throng_navmesh *mesh = throng_cache_build_mesh(cache, throng_map_peek(L, map), radius, NULL, &error);
    if (!mesh)
        throng_raise_error(L, &error);
    w->meshes[w->count++] = mesh;
    return mesh;
}

static double check_radius(lua_State *L, int index, const char *what)
{
    static const throng_range metres = {0, 1e4, false, "m"};
    return lua_isnoneornil(L, index) ? 0 : throng_check_number(L, index, what, &metres);
}

enum { AT_ONCE = 4096 }; /* expansions between looks at what interrupts */

typedef void begin_function(throng_path_search *, const throng_navmesh *, throng_point, throng_point);

/* The path between the points at 2 and 3 for the radius at 4, NULL: none; the places where it ends. `method` is for
 * messages. */
static const throng_path *find(lua_State *L, begin_function *begin, const char *method, throng_point ends[2])
{
    char what[64];
    const throng_map *map = throng_map_peek(L, 1);
    snprintf(what, sizeof what, "%s: the first point", method);
    throng_point from = ends[0] = throng_check_place(L, 2, map, what);
    snprintf(what, sizeof what, "%s: the second point", method);
    throng_point to = ends[1] = throng_check_place(L, 3, map, what);
    snprintf(what, sizeof what, "%s: the radius", method);
    double radius = check_radius(L, 4, what);
    map_queries *w = queries_of(L, 1);
    throng_path_state state = THRONG_PATH_OPEN;
    begin(w->search, throng_map_mesh(L, 1, radius), from, to);
    while (state == THRONG_PATH_OPEN) {
        int32_t expansions = AT_ONCE;
        throng_script_check(L);
        state = throng_path_search_step(w->search, &expansions);
    }
    if (state == THRONG_PATH_FAILED)
        luaL_error(L, "out of memory");
    return state == THRONG_PATH_FOUND ? throng_path_search_path(w->search) : NULL;
}

/*--- map:path(from, to, radius)
 * The shortest path between two points, for a disc that keeps `radius` metres from walls (none: a point). In a
 * building each corner has its `floor` and its height `z`, corners where it comes to another floor or flight are in it
 * twice, once for each, and its length is walked along the slopes.
 * @param from throng.point One end.
 * @param to throng.point The other.
 * @param radius? number(m) Kept from walls, default 0.
 * @return throng.corner[]? The corners, both ends included; nil when there is no path or an end is not free.
 * @return number(m)? Its length.
 * @error an end that is no point
 * @example
 * local corners, length = world.map:path({ 2, 3 }, { 9, 4 }, 0.25)
 * print(#corners, length) */
static int path(lua_State *L)
{
    throng_point ends[2];
    const throng_path *found = find(L, throng_path_search_begin, "map:path", ends);
    if (!found) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushnumber(L, throng_found_path_push(L, throng_map_peek(L, 1), ends[0], ends[1], found));
    return 2;
}

/*--- map:distance(from, to, radius)
 * The length of the path that map:path finds, math.huge when there is none.
 * @param from throng.point One end.
 * @param to throng.point The other.
 * @param radius? number(m) Kept from walls, default 0.
 * @return number(m)
 * @error an end that is no point
 * @example
 * print(world.map:distance({ 2, 3 }, { 9, 4 }, 0.25)) */
static int distance(lua_State *L)
{
    throng_point ends[2];
    const throng_path *found = find(L, throng_path_search_begin, "map:distance", ends);
    lua_pushnumber(L, found ? throng_found_path_push(L, throng_map_peek(L, 1), ends[0], ends[1], found) : INFINITY);
    return 1;
}

/*--- map:visible(from, to, radius)
 * Is the straight line free?
 * @param from throng.point One end.
 * @param to throng.point The other.
 * @param radius? number(m) Kept from walls, default 0.
 * @return boolean
 * @error an end that is no point
 * @example
 * print(world.map:visible({ 2, 3 }, { 9, 4 })) */
static int visible(lua_State *L)
{
    throng_point ends[2];
    lua_pushboolean(L, find(L, throng_path_search_begin_straight, "map:visible", ends) != NULL);
    return 1;
}

/* The place at `index`: a region of the map, a shape, or a list of those; all of the map when it is nil. [-0, +1] */
static const throng_shapes *read_place(lua_State *L, int index, const throng_map *map)
{
    if (lua_isnoneornil(L, index))
        return throng_shapes_push(L);
    if (lua_type(L, index) != LUA_TSTRING)
        return throng_shapes_read(L, index, NULL, "map:random_point");
    throng_region_push(L, map, lua_tostring(L, index));
    lua_getfield(L, -1, "shapes");
    return throng_shapes_read(L, -1, NULL, "map:random_point");
}

/*--- map:random_point(place, radius, key)
 * A random free point. The n-th call returns the same point in every run.
 * @param place? throng.place Where; none: anywhere on the map.
 * @param radius? number(m) Room around it, default 0.
 * @param key? integer Stands for n: the same key, the same point.
 * @return throng.point
 * @error no place with enough room; no place given on an open map
 * @example
 * world:spawn { at = { world.map:random_point("hall", 0.25) } } */
static int random_point(lua_State *L)
{
    throng_point point;
    lua_settop(L, 4);
    const throng_map *map = throng_map_peek(L, 1);
    double radius = check_radius(L, 3, "map:random_point: the radius");
    map_queries *w = queries_of(L, 1);
    uint64_t key =
        lua_isnil(L, 4) ? w->points++ : (uint64_t)throng_check_integer(L, 4, "map:random_point: the key", 0, INT64_MAX);
    const throng_shapes *areas = read_place(L, 2, map);
    if (map->open && areas->count == 0)
        throng_raise(L, "map:random_point: an open map has no end: give a region or a shape");
    if (!throng_map_random_point(map, areas->list, areas->count, radius, key, &point))
        throng_raise(L, "map:random_point: no free point with %f m of room was found there", radius);
    throng_place_push(L, map, point);
    return 1;
}

void throng_bind_map_queries(lua_State *L)
{
    static const luaL_Reg queries[] = {
        {"path", path}, {"distance", distance}, {"visible", visible}, {"random_point", random_point}, {NULL, NULL}};
    luaL_getmetatable(L, THRONG_LUA_MAP);
    luaL_newlib(L, queries);
    lua_setfield(L, -2, "queries");
    lua_pop(L, 1);
}
