/* Points, polygons and lists of them; throng.box and throng.polygon.
 *
 * A shape is a list of points {x, y} marked by its metatable, so that a list
 * of three points can still mean three goals. */
#include "binders.h"
#include "fields.h"
#include "world_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/map_sheets.h"
#include "navigation/path_floors.h"

/*--- class throng.shape
 * A polygon: throng.box or throng.polygon. */

#define SHAPE  "throng.shape"
#define SHAPES "throng.shapes"

static const throng_range COORDINATE = {-1e6, 1e6, false, "m"};

/* ---- lists of polygons, owned by Lua */

static int free_shapes(lua_State *L)
{
    throng_shapes *shapes = lua_touserdata(L, 1);
    for (int32_t i = 0; i < shapes->count; i++) {
        free(shapes->list[i].name);
        free(shapes->list[i].points);
    }
    free(shapes->list);
    *shapes = (throng_shapes){0};
    return 0;
}

throng_shapes *throng_shapes_push(lua_State *L)
{
    throng_shapes *shapes = lua_newuserdatauv(L, sizeof *shapes, 0);
    *shapes = (throng_shapes){0};
    luaL_setmetatable(L, SHAPES);
    return shapes;
}

void throng_shapes_add(lua_State *L, throng_shapes *shapes, const char *name, const throng_point *points, int32_t count)
{
    if (shapes->count == shapes->room) {
        int32_t room = shapes->room ? 2 * shapes->room : 4;
        if (!throng_array_resize((void **)&shapes->list, (size_t)room * sizeof *shapes->list))
            luaL_error(L, "out of memory");
        shapes->room = room;
    }
    throng_region *region = &shapes->list[shapes->count];
    *region = (throng_region){.name = strdup(name), .points = malloc((size_t)count * sizeof *points), .count = count};
    shapes->count++; /* from here on free_shapes cleans up */
    if (!region->name || !region->points)
        luaL_error(L, "out of memory");
    memcpy(region->points, points, (size_t)count * sizeof *points);
}

/* ---- points */

bool throng_is_point(lua_State *L, int index)
{
    if (!lua_istable(L, index))
        return false;
    bool point = lua_rawgeti(L, index, 1) == LUA_TNUMBER;
    lua_pop(L, 1);
    return point;
}

static double coordinate(lua_State *L, int index, int entry, const char *what)
{
    lua_geti(L, index, entry);
    lua_pushfstring(L, "%s: %s", what, entry == 1 ? "x" : "y");
    double value = throng_check_number(L, -2, lua_tostring(L, -1), &COORDINATE);
    lua_pop(L, 2);
    return value;
}

throng_point throng_check_point(lua_State *L, int index, const char *what)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        throng_raise(L, "%s must be a point {x, y}, got %s", what, throng_describe(L, index));
    if (lua_rawlen(L, index) == 0 && lua_getfield(L, index, "x") != LUA_TNIL)
        throng_raise(L, "%s must be a point {x, y}; write { 3, 4 }, not { x = 3, y = 4 }", what);
    if (lua_rawlen(L, index) != 2)
        throng_raise(L, "%s must be a point {x, y}, got a list of %d", what, (int)lua_rawlen(L, index));
    double x = coordinate(L, index, 1, what), y = coordinate(L, index, 2, what);
    return (throng_point){x, y};
}

const char *throng_floor_name(const throng_map *map, int32_t sheet)
{
    return map && map->sheets ? map->sheets->list[sheet].name : "";
}

int32_t throng_check_floor(lua_State *L, int index, const throng_map *map, const char *what)
{
    if (!map || !map->sheets)
        throng_raise(L, "%s names a floor, but this map is no building: make it with throng.building", what);
    const char *names[64], *name = lua_type(L, index) == LUA_TSTRING ? throng_check_name(L, index) : NULL;
    int count = 0;
    if (!name)
        throng_raise(L, "%s: 'floor' must be a name, got %s", what, throng_describe(L, index));
    for (int32_t i = 0; i < map->sheets->count; i++) {
        const throng_map_sheet *sheet = &map->sheets->list[i];
        if (strcmp(sheet->name, name) == 0)
            return i;
        if (count < 63 && (!count || strcmp(names[count - 1], sheet->name) != 0))
            names[count++] = sheet->name;
    }
    names[count] = NULL;
    throng_raise_unknown(L, what, "floor", name, names);
}

/* Floors lie beside each other: beyond one a point may be another's. */
static void check_on_floor(lua_State *L, const throng_map *map, int32_t sheet, throng_point point, const char *what)
{
    const throng_map_sheet *own = &map->sheets->list[sheet];
    const throng_bounds *b = &own->bounds;
    if (point.x >= b->x0 && point.x <= b->x1 && point.y >= b->y0 && point.y <= b->y1)
        return;
    int32_t at = throng_map_sheet_at(map, throng_map_place(map, sheet, point));
    if (strcmp(map->sheets->list[at].name, own->name) != 0)
        throng_raise(L, "%s: (%f, %f) lies beyond floor '%s', which is from (%f, %f) to (%f, %f)", what, point.x,
                     point.y, own->name, b->x0, b->y0, b->x1, b->y1);
}

throng_point throng_check_place(lua_State *L, int index, const throng_map *map, const char *what)
{
    throng_point point = throng_check_point(L, index, what);
    int32_t sheet = lua_getfield(L, index, "floor") == LUA_TNIL ? 0 : throng_check_floor(L, -1, map, what);
    lua_pop(L, 1);
    if (!map || !map->sheets)
        return point;
    check_on_floor(L, map, sheet, point, what);
    return throng_map_place(map, sheet, point);
}

void throng_place_push(lua_State *L, const throng_map *map, throng_point place)
{
    int32_t sheet = throng_map_sheet_at(map, place);
    throng_point_push(L, throng_map_position(map, sheet, place));
    if (!map || !map->sheets)
        return;
    lua_pushstring(L, map->sheets->list[sheet].name);
    lua_setfield(L, -2, "floor");
}

void throng_path_push(lua_State *L, const throng_map *map, const throng_path *path)
{
    lua_createtable(L, path->count, 0);
    for (int32_t i = 0; i < path->count; i++) {
        throng_point_push(L, path->corners[i]);
        if (path->sheets) {
            lua_pushstring(L, map->sheets->list[path->sheets[i]].name);
            lua_setfield(L, -2, "floor");
            lua_pushnumber(L, throng_map_height(map, path->sheets[i], path->corners[i]));
            lua_setfield(L, -2, "z");
        }
        lua_rawseti(L, -2, i + 1);
    }
}

double throng_found_path_push(lua_State *L, const throng_map *map, throng_point from, throng_point to,
                              const throng_path *path)
{
    throng_path on;
    if (path->sheets) { /* it could ride */
        throng_path_push(L, map, path);
        return path->length;
    }
    if (!throng_path_on_floors(map, throng_map_sheet_at(map, from), throng_map_sheet_at(map, to), path, &on))
        luaL_error(L, "out of memory");
    double length = on.length;
    throng_path_push(L, map, &on);
    throng_path_fini(&on);
    return length;
}

throng_point *throng_points_read(lua_State *L, int index, const throng_map *map, const char *what, int32_t *count)
{
    index = lua_absindex(L, index);
    if (!lua_istable(L, index))
        throng_raise(L, "%s must be a list of points {x, y}, got %s", what, throng_describe(L, index));
    size_t size = lua_rawlen(L, index);
    if (size > INT32_MAX / 2)
        throng_raise(L, "%s: too many points", what);
    if (lua_rawgeti(L, index, 1) == LUA_TNUMBER)
        throng_raise(L, "%s must be a list of points {x, y}; for one point write { { 3, 4 } }, not { 3, 4 }", what);
    lua_pop(L, 1);
    throng_point *points = lua_newuserdatauv(L, (size + 1) * sizeof *points, 0);
    for (size_t i = 0; i < size; i++) {
        lua_rawgeti(L, index, (lua_Integer)i + 1);
        lua_pushfstring(L, "%s[%d]", what, (int)i + 1);
        points[i] = throng_check_place(L, -2, map, lua_tostring(L, -1));
        lua_pop(L, 2);
    }
    *count = (int32_t)size;
    return points;
}

/* ---- shapes */

bool throng_is_shape(lua_State *L, int index)
{
    if (!lua_istable(L, index) || !lua_getmetatable(L, index))
        return false;
    luaL_getmetatable(L, SHAPE);
    bool shape = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return shape;
}

void throng_point_push(lua_State *L, throng_point point)
{
    lua_createtable(L, 2, 0);
    lua_pushnumber(L, point.x);
    lua_rawseti(L, -2, 1);
    lua_pushnumber(L, point.y);
    lua_rawseti(L, -2, 2);
}

void throng_shape_push(lua_State *L, const throng_point *points, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        throng_point_push(L, points[i]);
        lua_rawseti(L, -2, i + 1);
    }
    luaL_setmetatable(L, SHAPE);
}

/*--- throng.box(x0, y0, x1, y1)
 * The rectangle between two corners, in metres.
 * @param x0 number(m) x of one corner.
 * @param y0 number(m) y of that corner.
 * @param x1 number(m) x of the opposite corner.
 * @param y1 number(m) y of that corner.
 * @return throng.shape
 * @error an empty box: x1 == x0 or y1 == y0
 * @example
 * world:spawn { count = 20, where = throng.box(1, 1, 8, 8) } */
static int box(lua_State *L)
{
    double edge[4];
    static const char *const names[4] = {"throng.box: x0", "throng.box: y0", "throng.box: x1", "throng.box: y1"};
    for (int i = 0; i < 4; i++)
        edge[i] = throng_check_number(L, i + 1, names[i], &COORDINATE);
    throng_refuse_more(L, 4, "throng.box", "x0, y0, x1, y1");
    if (edge[0] == edge[2] || edge[1] == edge[3])
        throng_raise(L, "throng.box: the box is empty: from (%f, %f) to (%f, %f)", edge[0], edge[1], edge[2], edge[3]);
    double x0 = fmin(edge[0], edge[2]), x1 = fmax(edge[0], edge[2]);
    double y0 = fmin(edge[1], edge[3]), y1 = fmax(edge[1], edge[3]);
    throng_shape_push(L, (throng_point[]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, 4);
    return 1;
}

/*--- throng.polygon(points)
 * A simple polygon.
 * @param points throng.point[] Its corners, in either direction around.
 * @return throng.shape
 * @error less than three points
 * @example
 * throng.polygon { { 0, 0 }, { 4, 0 }, { 2, 3 } } */
static int polygon(lua_State *L)
{
    int32_t count;
    const throng_point *points = throng_points_read(L, 1, NULL, "throng.polygon", &count);
    if (count < 3)
        throng_raise(L, "throng.polygon: a polygon needs at least 3 points, got %d", (int)count);
    throng_shape_push(L, points, count);
    return 1;
}

/* ---- regions by name */

static bool add_named(lua_State *L, throng_shapes *into, const throng_region *regions, int32_t count, const char *name)
{
    bool found = false;
    for (int32_t i = 0; i < count; i++)
        if (strcmp(regions[i].name, name) == 0 || (regions[i].group && strcmp(regions[i].group, name) == 0)) {
            throng_shapes_add(L, into, name, regions[i].points, regions[i].count);
            found = true;
        }
    return found;
}

static int add_name(const char **names, int count, const char *name)
{
    int at = 0;
    while (name && at < count && strcmp(names[at], name) != 0)
        at++;
    if (name && at == count)
        names[count++] = name;
    return count;
}

const char **throng_region_names(lua_State *L, const throng_shapes *regions, const throng_map *map)
{
    int32_t own = regions ? regions->count : 0, of_map = map ? map->region_count : 0;
    const char **names = lua_newuserdatauv(L, ((size_t)own + 2 * (size_t)of_map + 1) * sizeof *names, 0);
    int count = 0;
    for (int32_t i = 0; i < own; i++)
        count = add_name(names, count, regions->list[i].name);
    for (int32_t i = 0; i < of_map; i++)
        count = add_name(names, count, map->regions[i].name);
    for (int32_t i = 0; i < of_map; i++)
        count = add_name(names, count, map->regions[i].group);
    names[count] = NULL;
    return names;
}

static void add_region(lua_State *L, throng_shapes *into, const char *name, const throng_lua_world *world,
                       const char *what)
{
    const throng_map *map = throng_world_map(world->world);
    if (add_named(L, into, world->regions->list, world->regions->count, name) ||
        (map && add_named(L, into, map->regions, map->region_count, name)))
        return;
    for (int32_t d = 0; map && d < map->door_count; d++)
        if (strcmp(map->doors[d].name, name) == 0)
            throng_raise(L,
                         "%s: '%s' is a door, which is a line; a region is expected, like regions = { %s = "
                         "throng.box(x0, y0, x1, y1) } of throng.world",
                         what, name, name);
    throng_raise_unknown(L, what, "region", name, throng_region_names(L, world->regions, map));
}

static void add_shape(lua_State *L, throng_shapes *into, int index, const char *what)
{
    int32_t count;
    const throng_point *points = throng_points_read(L, index, NULL, what, &count);
    if (count < 3)
        throng_raise(L, "%s: a polygon needs at least 3 points, got %d", what, (int)count);
    throng_shapes_add(L, into, "", points, count);
    lua_pop(L, 1);
}

/* One name or shape; false when the value is neither. */
static bool add_one(lua_State *L, throng_shapes *into, int index, const throng_lua_world *world, const char *what)
{
    if (lua_type(L, index) == LUA_TSTRING && world)
        add_region(L, into, throng_check_name(L, index), world, what);
    else if (throng_is_shape(L, index))
        add_shape(L, into, index, what);
    else
        return false;
    return true;
}

void throng_refuse_names(lua_State *L, int index, const char *what, const char *entry)
{
    static const char *const none[] = {NULL};
    const char *name = throng_unknown_name(L, index, none);
    if (name)
        throng_raise(L, "%s is a list, whose entries have no names: write { %s, ... }, without '%s ='", what, entry,
                     name);
}

/* A point as other programs write it, { x = 1, y = 2 }. [-0, +2 where it is] */
static bool has_coordinates(lua_State *L, int index)
{
    if (!lua_istable(L, index))
        return false;
    bool x = lua_getfield(L, index, "x") == LUA_TNUMBER, y = lua_getfield(L, index, "y") == LUA_TNUMBER;
    if (!x || !y)
        lua_pop(L, 2);
    return x && y;
}

throng_shapes *throng_shapes_read(lua_State *L, int index, const throng_lua_world *world, const char *what)
{
    index = lua_absindex(L, index);
    const char *expected = world ? "a region's name, throng.box, throng.polygon or a list of those"
                                 : "throng.box, throng.polygon or a list of those";
    throng_shapes *shapes = throng_shapes_push(L);
    if (add_one(L, shapes, index, world, what))
        return shapes;
    if (has_coordinates(L, index))
        throng_raise(L, "%s must be %s, got a table with fields x and y; a point is { x, y }, like { %f, %f }", what,
                     expected, lua_tonumber(L, -2), lua_tonumber(L, -1));
    if (lua_istable(L, index))
        throng_refuse_names(L, index, what, "throng.box(...)");
    if (!lua_istable(L, index) || lua_rawlen(L, index) == 0)
        throng_raise(L, "%s must be %s, got %s", what, expected, throng_describe(L, index));
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, index); i++) {
        if (lua_rawgeti(L, index, i) == LUA_TNUMBER)
            throng_raise(L, "%s must be %s, got a list of numbers; corners are given as throng.box(x0, y0, x1, y1)",
                         what, expected);
        if (!add_one(L, shapes, lua_gettop(L), world, what))
            throng_raise(L, "%s: entry %I must be %s, got %s%s", what, (LUAI_UACINT)i,
                         world ? "a region's name, throng.box or throng.polygon" : "throng.box or throng.polygon",
                         throng_describe(L, -1),
                         throng_is_point(L, -1) ? "; corners are given as throng.polygon { { x, y }, ... }" : "");
        lua_pop(L, 1);
    }
    return shapes;
}

void throng_bind_shape(lua_State *L)
{
    luaL_newmetatable(L, SHAPE);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pushliteral(L, SHAPE);
    lua_setfield(L, -2, "__name");
    luaL_newmetatable(L, SHAPES);
    lua_pushcfunction(L, free_shapes);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 2);
    lua_pushcfunction(L, box);
    lua_setfield(L, -2, "box");
    lua_pushcfunction(L, polygon);
    lua_setfield(L, -2, "polygon");
}
