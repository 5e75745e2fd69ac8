/* Regions and doors in definition tables: regions = { name = shape | { shape, ... } }, doors = { name = shape |
 * { point, point, cost =, max_radius = } }; and as values that scripts read. */
#include "fields.h"
#include "map_value.h"
#include "script_parts.h"

#include <math.h>
#include <string.h>

#include "map/map_findings.h"
#include "map/map_geos.h"
#include "navigation/map_lint.h"

/*--- class throng.door
 * A door of a map: a segment across an opening.
 * @field cost number(m) What passing it costs beside the length.
 * @field max_radius number(m) Wider agents do not pass; 0: any does that fits.
 * @field name string Its name.
 * @field a throng.point One end of the segment.
 * @field b throng.point The other.
 * @field properties table<string, string|number(any)|boolean> Its properties in the file. */

/*--- class throng.finding
 * Something that may be wrong with a map.
 * @field kind "crossing"|"hole"|"gap"|"region"|"reach"|"spawn"|"source" The kind of finding.
 * @field at? throng.point Where.
 * @field text string The finding, as a sentence. */

/* ---- tables by name */

/* Names in their order, so that what they name has the same order in every run. [-0, +1] a sorted list */
static void push_sorted_names(lua_State *L, int table, const char *owner, const char *field)
{
    lua_newtable(L);
    lua_Integer count = 0;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            throng_raise(L, "%s: field '%s': names must be strings (%s = {north = %s}), got %s", owner, field, field,
                         strcmp(field, "doors") == 0 ? "{ { x, y }, { x, y } }" : "throng.box(...)",
                         throng_describe(L, -1));
        throng_check_name(L, -1);
        lua_Integer at = ++count; /* insertion sort: there are few */
        for (; at > 1; at--) {
            lua_rawgeti(L, -2, at - 1);
            if (lua_compare(L, -1, -2, LUA_OPLT)) {
                lua_pop(L, 1);
                break;
            }
            lua_rawseti(L, -3, at);
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, at);
    }
}

/* The field's table and its sorted names, or false. [-0, +2 or 0] */
static bool push_named(lua_State *L, int table, const char *owner, const char *field)
{
    if (lua_getfield(L, table, field) == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (!lua_istable(L, -1) || throng_is_shape(L, -1))
        throng_raise(L, "%s: field '%s' must be a table of names and shapes, got %s", owner, field,
                     throng_describe(L, -1));
    push_sorted_names(L, lua_gettop(L), owner, field);
    return true;
}

throng_shapes *throng_regions_read(lua_State *L, int table, const char *owner)
{
    throng_shapes *regions = throng_shapes_push(L);
    if (!push_named(L, table, owner, "regions"))
        return regions;
    int names = lua_gettop(L);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, names); i++) {
        lua_rawgeti(L, names, i);
        const char *name = lua_tostring(L, -1);
        lua_getfield(L, names - 1, name);
        lua_pushfstring(L, "%s: region '%s'", owner, name);
        const throng_shapes *shapes = throng_shapes_read(L, -2, NULL, lua_tostring(L, -1));
        for (int32_t k = 0; k < shapes->count; k++)
            throng_shapes_add(L, regions, name, shapes->list[k].points, shapes->list[k].count);
        lua_settop(L, names);
    }
    lua_settop(L, names - 2);
    return regions;
}

void throng_region_note_beyond(lua_State *L, const char *owner, const throng_map *map, const throng_region *region)
{
    const throng_bounds *b = &map->bounds;
    if (throng_map_is_beyond(map, region->points, region->count))
        throng_warn(L, "%s: region '%s' lies beyond the map, which is from (%f, %f) to (%f, %f): nobody can be there",
                    owner, region->name, b->x0, b->y0, b->x1, b->y1);
}

void throng_map_take_regions(lua_State *L, int table, const char *owner, throng_map *map)
{
    throng_error error;
    const throng_shapes *regions = throng_regions_read(L, table, owner);
    for (int32_t i = 0; i < regions->count; i++) {
        const throng_region *region = &regions->list[i];
        if (!throng_map_add_region(map, region->name, region->points, region->count, &error))
            throng_raise(L, "%s: %s", owner, error.text);
        throng_region_note_beyond(L, owner, map, region);
    }
    lua_pop(L, 1);
}

/* ---- doors */

/* The door's ends: two points, or the middle line of a shape. */
static void read_door(lua_State *L, const char *what, throng_point *ends)
{
    int32_t count;
    throng_geos geos;
    throng_error error;
    const throng_point *points = throng_points_read(L, -1, NULL, what, &count);
    if (count < 2)
        throng_raise(L, "%s must be two points {{x, y}, {x, y}} or a shape across the opening, got %d point%s", what,
                     (int)count, count == 1 ? "" : "s");
    ends[0] = points[0];
    ends[1] = points[1];
    if (count > 2) {
        if (!throng_geos_init(&geos, &error))
            throng_raise_error(L, &error);
        bool fine = throng_geos_middle_line(&geos, points, count, &ends[0], &ends[1]);
        throng_geos_fini(&geos);
        if (!fine)
            throng_raise(L, "%s: the shape has no area", what);
    }
    lua_pop(L, 1);
}

/* Of the door's table; 0: it has none. */
static double read_metres(lua_State *L, const char *what, const char *field)
{
    int type = lua_getfield(L, -1, field);
    if (type != LUA_TNIL && type != LUA_TNUMBER)
        throng_raise(L, "%s: %s must be a number of metres, got %s", what, field, throng_describe(L, -1));
    double metres = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return metres;
}

/* Points, and no other fields than these. */
static void check_fields(lua_State *L, const char *what)
{
    static const char *const names[] = {"cost", "max_radius", NULL};
    const char *unknown = throng_unknown_name(L, -1, names);
    if (unknown)
        throng_raise_unknown(L, what, "field", unknown, names);
}

/* m: doors in the outer wall stand that far beyond the free space. */
static const double OUTSIDE = 1;

static void check_reach(lua_State *L, const char *what, const throng_point *ends, const throng_bounds *bounds)
{
    if (fmin(ends[0].x, ends[1].x) > bounds->x1 + OUTSIDE || fmax(ends[0].x, ends[1].x) < bounds->x0 - OUTSIDE ||
        fmin(ends[0].y, ends[1].y) > bounds->y1 + OUTSIDE || fmax(ends[0].y, ends[1].y) < bounds->y0 - OUTSIDE)
        throng_raise(L, "%s, from (%f, %f) to (%f, %f), lies beyond the map, which is from (%f, %f) to (%f, %f)", what,
                     ends[0].x, ends[0].y, ends[1].x, ends[1].y, bounds->x0, bounds->y0, bounds->x1, bounds->y1);
}

void throng_map_take_doors(lua_State *L, int table, const char *owner, throng_map *map)
{
    throng_error error;
    throng_point ends[2];
    if (!push_named(L, table, owner, "doors"))
        return;
    int names = lua_gettop(L);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, names); i++) {
        lua_rawgeti(L, names, i);
        const char *name = lua_tostring(L, -1), *what = lua_pushfstring(L, "%s: door '%s'", owner, name);
        lua_getfield(L, names - 1, name);
        if (lua_istable(L, -1))
            check_fields(L, what);
        read_door(L, what, ends);
        check_reach(L, what, ends, &map->bounds);
        lua_getfield(L, names - 1, name);
        double cost = read_metres(L, what, "cost"), max_radius = read_metres(L, what, "max_radius");
        if (!throng_map_add_door(map, name, ends[0], ends[1], &error) ||
            !throng_map_set_passage(map, map->door_count - 1, cost, max_radius, &error))
            throng_raise(L, "%s: %s", owner, error.text);
        lua_settop(L, names);
    }
    lua_settop(L, names - 2);
    if (!throng_map_check_passages(map, &error))
        throng_raise(L, "%s: %s", owner, error.text);
}

/* ---- what scripts read */

void throng_properties_push(lua_State *L, const throng_properties *properties)
{
    lua_createtable(L, 0, properties->count);
    for (int32_t i = 0; i < properties->count; i++) {
        const throng_property *p = &properties->list[i];
        if (p->kind == THRONG_PROPERTY_FLAG)
            lua_pushboolean(L, strcmp(p->value, "true") == 0);
        else if (p->kind == THRONG_PROPERTY_TEXT || !lua_stringtonumber(L, p->value))
            lua_pushstring(L, p->value);
        lua_setfield(L, -2, p->name);
    }
}

void throng_doors_push(lua_State *L, const throng_map *map)
{
    lua_createtable(L, map->door_count, 0);
    for (int32_t i = 0; i < map->door_count; i++) {
        const throng_door *door = &map->doors[i];
        lua_createtable(L, 0, 6);
        lua_pushstring(L, door->name);
        lua_setfield(L, -2, "name");
        lua_pushnumber(L, door->cost);
        lua_setfield(L, -2, "cost");
        lua_pushnumber(L, door->max_radius);
        lua_setfield(L, -2, "max_radius");
        throng_point_push(L, door->a);
        lua_setfield(L, -2, "a");
        throng_point_push(L, door->b);
        lua_setfield(L, -2, "b");
        throng_properties_push(L, &door->properties);
        lua_setfield(L, -2, "properties");
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_finding(lua_State *L, const throng_map *map, const throng_finding *finding)
{
    lua_createtable(L, 0, 3);
    lua_pushstring(L, throng_finding_name(finding->kind));
    lua_setfield(L, -2, "kind");
    lua_pushstring(L, finding->text);
    lua_setfield(L, -2, "text");
    if (isnan(finding->at.x))
        return;
    throng_place_push(L, map, finding->at);
    lua_setfield(L, -2, "at");
}

void throng_findings_push(lua_State *L, const throng_map *map)
{
    throng_error error;
    throng_findings findings = {0};
    if (!throng_map_lint(map, THRONG_MAP_BODY, NULL, &findings, &error)) {
        throng_findings_fini(&findings);
        throng_raise_error(L, &error);
    }
    lua_createtable(L, findings.count, 0);
    for (int32_t i = 0; i < findings.count; i++) {
        push_finding(L, map, &findings.list[i]);
        lua_rawseti(L, -2, i + 1);
    }
    throng_findings_fini(&findings);
}

void throng_region_names_push(lua_State *L, const throng_map *map)
{
    const char **names = throng_region_names(L, NULL, map);
    lua_newtable(L);
    for (lua_Integer i = 0; names[i]; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_remove(L, -2);
}

void throng_region_push(lua_State *L, const throng_map *map, const char *name)
{
    lua_newtable(L); /* { shapes = {...}, properties = {...} } */
    lua_newtable(L);
    lua_Integer count = 0;
    for (int32_t i = 0; i < map->region_count; i++) {
        const throng_region *region = &map->regions[i];
        if (strcmp(region->name, name) != 0 && (!region->group || strcmp(region->group, name) != 0))
            continue;
        throng_shape_push(L, region->points, region->count);
        lua_rawseti(L, -2, ++count);
        if (count == 1) {
            throng_properties_push(L, &region->properties);
            lua_setfield(L, -3, "properties");
        }
    }
    if (count == 0)
        throng_raise_unknown(L, "map:region", "region", name, throng_region_names(L, NULL, map));
    lua_setfield(L, -2, "shapes");
}
