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
#include "navigation/path_lifts.h"

#define QUERIES "throng.map_queries"

typedef struct map_queries {
    throng_cache *cache;           /* the script's, */
    const throng_navmesh **meshes; /* [count] which these are held of */
    int32_t count;
    throng_path_search *search;
    uint64_t points; /* random ones so far */
} map_queries;

static int free_queries(lua_State *L)
{
    map_queries *w = lua_touserdata(L, 1);
    for (int32_t i = 0; i < w->count; i++)
        throng_cache_release(w->cache, w->meshes[i]);
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
    *w = (map_queries){.cache = throng_script_of(L)->cache};
    if (luaL_newmetatable(L, QUERIES)) {
        lua_pushcfunction(L, free_queries);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    w->search = throng_path_search_create();
    if (!w->search)
        luaL_error(L, "out of memory");
    lua_setiuservalue(L, map, 2);
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
    const throng_navmesh *mesh = throng_cache_take_mesh(w->cache, throng_map_peek(L, map), radius, NULL, &error);
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

/* What is asked for: between the points at 2 and 3, places, for the radius at 4. */
typedef struct query {
    throng_point from, to;
    const throng_navmesh *mesh;
    throng_path_search *search;
} query;

/* `method` is for messages. */
static query check_query(lua_State *L, const char *method)
{
    char what[64];
    query q;
    const throng_map *map = throng_map_peek(L, 1);
    snprintf(what, sizeof what, "%s: the first point", method);
    q.from = throng_check_place(L, 2, map, what);
    snprintf(what, sizeof what, "%s: the second point", method);
    q.to = throng_check_place(L, 3, map, what);
    snprintf(what, sizeof what, "%s: the radius", method);
    double radius = check_radius(L, 4, what);
    q.search = queries_of(L, 1)->search;
    q.mesh = throng_map_mesh(L, 1, radius);
    return q;
}

/* The path on foot, NULL: none. */
static const throng_path *find(lua_State *L, begin_function *begin, const query *q)
{
    throng_path_state state = THRONG_PATH_OPEN;
    begin(q->search, q->mesh, q->from, q->to);
    while (state == THRONG_PATH_OPEN) {
        int32_t expansions = AT_ONCE;
        throng_script_check(L);
        state = throng_path_search_step(q->search, &expansions);
    }
    if (state == THRONG_PATH_FAILED)
        luaL_error(L, "out of memory");
    return state == THRONG_PATH_FOUND ? throng_path_search_path(q->search) : NULL;
}

/* The path at 2, of the map at 1; called so that it is freed when Lua has no memory for it. */
static int push_found(lua_State *L)
{
    throng_path_push(L, lua_touserdata(L, 1), lua_touserdata(L, 2));
    return 1;
}

/* Pushes the corners of the path that is asked for, through lifts, too; nil: there is none. Its length. [-0, +1] */
static double path_push(lua_State *L, const char *method)
{
    query q = check_query(L, method);
    const throng_map *map = throng_map_peek(L, 1);
    throng_path on;
    if (!q.mesh->lifts) {
        const throng_path *found = find(L, throng_path_search_begin, &q);
        if (found)
            return throng_found_path_push(L, map, q.from, q.to, found);
        lua_pushnil(L);
        return INFINITY;
    }
    if (!throng_path_by_lifts(q.search, q.mesh, map, q.from, q.to, &on)) {
        throng_script_check(L);
        luaL_error(L, "out of memory");
    }
    double length = on.count ? on.length : INFINITY;
    int status = LUA_OK;
    if (on.count) {
        lua_pushcfunction(L, push_found);
        lua_pushlightuserdata(L, (void *)map);
        lua_pushlightuserdata(L, &on);
        status = lua_pcall(L, 2, 1, 0);
    } else {
        lua_pushnil(L);
    }
    throng_path_fini(&on);
    return status == LUA_OK ? length : lua_error(L);
}

/*--- map:path(from, to, radius)
 * The shortest path between two points, for a disc that keeps `radius` metres from walls (none: a point). In a
 * building each corner has its `floor` and its height `z`, corners where it comes to another floor or flight are in it
 * twice, once for each, and its length is walked along the slopes. It leads through lifts that are in service where
 * that takes less time, waiting included: from the middle of a car on one floor to that on another, which is no length.
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
    double length = path_push(L, "map:path");
    if (lua_isnil(L, -1))
        return 1;
    lua_pushnumber(L, length);
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
    lua_pushnumber(L, path_push(L, "map:distance"));
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
    query q = check_query(L, "map:visible");
    lua_pushboolean(L, find(L, throng_path_search_begin_straight, &q) != NULL);
    return 1;
}

/* The place at `index`: a region of the map, a shape, or a list of those; all of the map when it is nil. [-0, +1] */
static const throng_shapes *read_place(lua_State *L, int index, const throng_map *map)
{
    if (lua_isnoneornil(L, index))
        return throng_shapes_push(L);
    if (lua_type(L, index) != LUA_TSTRING)
        return throng_shapes_read(L, index, NULL, "map:random_point");
    throng_region_push(L, map, throng_check_name(L, index));
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
