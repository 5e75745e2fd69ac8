/* throng.map: a map read from a file or built from polygons.
 *
 * A world takes its map over. The value remembers what it was made from, so
 * that a second world can be made of it. */
#include "base/file.h"
#include "binders.h"
#include "fields.h"
#include "map_value.h"
#include "script_files.h"
#include "script_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "map/feature_roles.h"
#include "navigation/cache_map.h"
#include "navigation/map_outlines.h"

/*--- class throng.map.settings
 * Settings of throng.map: `file` with its options, or `walls` and `boundary`; and regions and doors with either. */

/*--- class throng.map as map
 * A map: throng.map.
 * @field name string As throng.map{ name = ... } says, or of the file.
 * @field area number(m^2) Free space.
 * @field bounds { x0: number(m), y0: number(m), x1: number(m), y1: number(m) } Of the free space.
 * @field regions string[] Names of the map's own regions, and of the groups they belong to; `regions.hall` is
 * map:region "hall".
 * @field doors throng.door[] Named doors, as the map has them; `doors.north` is map:door "north".
 * @field floors { name: string, kind: string, z?: number(m), flight?: boolean, lift?: boolean }[] Of throng.building:
 * its floors, from the lowest on, its flights and its lifts; of other maps none.
 * @field properties table<string, string|number(any)|boolean> Properties of the map in its file (Tiled, XML).
 * @field findings throng.finding[] Problems of the map, as `throng map` lists them. */

static throng_map **check_map(lua_State *L, int index)
{
    return throng_check_self(L, index, THRONG_LUA_MAP, "map", "door");
}

static const throng_setting SETTINGS[] = {
    {"file", "string", NULL,
     .text = "Path of an image, a ROS map-server YAML, a Tiled .tmx, a Moving AI .map, a .wkt, an .xml, or a drawing: "
             ".svg, or .dxf, .geojson, .gpkg, .shp or .osm, which GDAL reads (libgdal32)."},
    {"scale",
     "number",
     NULL,
     "Width of a pixel, a grid cell or the unit of a .wkt, an .xml or a drawing; none: what the file says.",
     {0, 1000, true, "m"}},
    {"unit", "\"m\"|\"cm\"|\"mm\"|\"ft\"|\"in\"", NULL, .text = "The same by its name, of a drawing."},
    {"layers",
     "{ walls?: string|string[], obstacles?: string|string[], doors?: string|string[], regions?: string|string[], "
     "rooms?: string|string[], boundary?: string|string[] }",
     NULL,
     .text =
         "What the layers of a drawing are, by names with * and ?, as { walls = \"A-WALL*\", doors = \"A-DOOR\" }, "
         "or by attributes, as { walls = \"indoor=wall\" }; none: by the names that layers mostly have. Lines are "
         "walls; polygons, and closed lines that are obstacles, are solid; a door's line crosses its opening, and one "
         "that is a point is cut into the wall there, as wide as its attribute `width` says, or 1 m; regions, rooms, "
         "which are regions with walls around them, and the boundary are closed."},
    {"thickness", "number", "0.1", "Of a drawing's walls that are lines.", {0.001, 10, false, "m"}},
    {"level",
     "number",
     NULL,
     "Of a drawing whose features say a level, as OpenStreetMap's do: those of other storeys are left out; none: all "
     "lie over each other. Floors of a building that are levels of one file lie as they do there.",
     {-1000, 1000, false, ""}},
    {"tolerance",
     "number",
     "0.05",
     "How far outlines of an image may move when they are simplified.",
     {0, 100, false, "m"}},
    {"speck", "number", "0.02", "Obstacles smaller than this are removed.", {0, 1e6, false, "m^2"}},
    {"min_gap", "number", "0.3", "Openings narrower than this are closed.", {0, 100, false, "m"}},
    {"min_area", "number", "2", "Free areas smaller than this are left out.", {0, 1e6, false, "m^2"}},
    {"keep_pockets", "boolean", "false", .text = "Keep free areas that the largest one does not reach."},
    {"simplify",
     "number",
     "0",
     "How far outlines may move so that corners can be left out, whatever the map is made from: fewer walls and faces. "
     "map.findings says where that closes a passage.",
     {0, 100, false, "m"}},
    {"pillars",
     "number",
     "0",
     "Free-standing obstacles up to this wide are left out of the navigation mesh: paths lead straight on, and agents "
     "pass them as they pass bodies.",
     {0, 1000, false, "m"}},
    {"walls", "throng.shape|throng.shape[]", NULL, .text = "Obstacles."},
    {"boundary", "throng.shape|throng.shape[]", NULL,
     .text = "Outlines of the free space; none: open around the walls."},
    {"regions", "table<string, throng.shape|throng.shape[]>", NULL, .text = "Named areas, beside those of the file."},
    {"doors", "table<string, throng.point[]|throng.shape>", NULL,
     .text = "Named doors: two points across an opening, or a shape there; beside the points `cost` and "
             "`max_radius` (throng.door)."},
    {"roadmap", "throng.roadmap", NULL,
     .text = "The roadmap of groups with routing = \"roadmap\", in place of the map's corners."},
    {"name", "string", "\"map\"", .text = "Name in pictures and messages; a file's is its own."},
    {.name = NULL},
};

const throng_settings throng_map_settings = {"throng.map.settings", "throng.map", SETTINGS};

/* ---- from a file */

/* The pattern, or the list of them, at the top, as those of a role; popped. */
static void add_patterns(lua_State *L, char *patterns, size_t size, const char *role)
{
    throng_error error;
    bool list = lua_istable(L, -1);
    for (lua_Integer i = 1; i <= (list ? (lua_Integer)lua_rawlen(L, -1) : 1); i++) {
        if (list)
            lua_rawgeti(L, -1, i);
        if (lua_type(L, -1) != LUA_TSTRING)
            throng_raise(L,
                         "throng.map: field 'layers': '%s' must be a layer's name like \"A-WALL*\", or a list of them, "
                         "got %s",
                         role, throng_describe(L, -1));
        if (!throng_roles_add(patterns, size, role, throng_check_name(L, -1), &error))
            throng_raise(L, "throng.map: field 'layers': %s", error.text);
        if (list)
            lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* The patterns of the field 'layers', in the order of the roles' names; NULL: there is none. [-0, +1] */
static const char *push_layers(lua_State *L, int table)
{
    char patterns[4096] = "";
    if (lua_getfield(L, table, "layers") == LUA_TNIL)
        return NULL;
    if (!lua_istable(L, -1))
        throng_raise(L, "throng.map: field 'layers' must be a table like {walls = \"A-WALL*\"}, got %s",
                     throng_describe(L, -1));
    for (int role = THRONG_ROLE_NONE + 1; role < THRONG_ROLE_COUNT; role++)
        if (lua_getfield(L, -1, throng_role_names[role]) != LUA_TNIL)
            add_patterns(L, patterns, sizeof patterns, throng_role_names[role]);
        else
            lua_pop(L, 1);
    throng_fields_check(L, lua_gettop(L), "throng.map: field 'layers'", throng_role_names + 1);
    lua_pushstring(L, patterns);
    lua_remove(L, -2);
    return lua_tostring(L, -1);
}

static double unit_of(lua_State *L, const char *name)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"ft", 0.3048}, {"in", 0.0254}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(name, units[i].name) == 0)
            return units[i].metres;
    throng_raise(L, "throng.map: there is no unit '%s'; expected m, cm, mm, ft or in, or give 'scale'", name);
    return 0;
}

/* [-0, +1] what the options point to */
static throng_map_options read_options(lua_State *L, int table)
{
    const char *unit;
    throng_map_options options = throng_map_options_default();
    options.layers = push_layers(L, table);
    throng_setting_number(L, table, &throng_map_settings, "thickness", &options.thickness);
    throng_setting_number(L, table, &throng_map_settings, "level", &options.level);
    if (throng_field_string(L, table, "throng.map", "unit", &unit))
        options.scale = unit_of(L, unit);
    throng_setting_number(L, table, &throng_map_settings, "scale", &options.scale);
    throng_setting_number(L, table, &throng_map_settings, "tolerance", &options.tolerance);
    throng_setting_number(L, table, &throng_map_settings, "speck", &options.speck);
    throng_setting_number(L, table, &throng_map_settings, "min_gap", &options.min_gap);
    throng_setting_number(L, table, &throng_map_settings, "min_area", &options.min_area);
    throng_field_boolean(L, table, "throng.map", "keep_pockets", &options.keep_pockets);
    return options;
}

/* All that the map is read from is watched. */
static void note_files(throng_script *script, const char *path)
{
    throng_map_files *files = malloc(sizeof *files);
    if (files && throng_map_files_of(path, files))
        for (int i = 0; i < files->count; i++)
            throng_script_note_file(script, files->path[i]);
    else
        throng_script_note_file(script, path);
    free(files);
}

static throng_map *read_map(lua_State *L, const char *name, const throng_map_options *options)
{
    char path[PATH_MAX];
    throng_error error;
    throng_script_find(L, "throng.map", name, path);
    if (access(path, F_OK) != 0)
        throng_script_raise_missing(L, "throng.map", name);
    note_files(throng_script_of(L), path);
    throng_map *map = throng_cache_read_map(throng_script_of(L)->cache, path, options, &error);
    if (!map)
        throng_raise_error(L, &error);
    return map;
}

/* ---- from polygons */

/* Arrays of the list's polygons. [-0, +1] */
static throng_polygons push_rings(lua_State *L, const throng_shapes *shapes)
{
    size_t count = (size_t)shapes->count;
    const throng_point **points = lua_newuserdatauv(L, (count + 1) * (sizeof *points + sizeof(int32_t)), 0);
    int32_t *sizes = (int32_t *)(points + count + 1);
    for (size_t i = 0; i < count; i++) {
        points[i] = shapes->list[i].points;
        sizes[i] = shapes->list[i].count;
    }
    return (throng_polygons){points, sizes, shapes->count};
}

/* The polygons of a field, none when it is absent. [-0, +2] */
static throng_polygons read_rings(lua_State *L, int table, const char *name)
{
    const char *what = lua_pushfstring(L, "throng.map: field '%s'", name);
    lua_getfield(L, table, name);
    lua_insert(L, -2);
    throng_shapes *shapes;
    if (lua_isnil(L, -2) || (lua_istable(L, -2) && lua_rawlen(L, -2) == 0)) {
        if (lua_istable(L, -2))
            throng_refuse_names(L, lua_gettop(L) - 1, what, "throng.box(...)");
        shapes = throng_shapes_push(L);
    } else
        shapes = throng_shapes_read(L, -2, NULL, what);
    lua_replace(L, -3);
    lua_pop(L, 1);
    return push_rings(L, shapes);
}

/* Settings of how a file is read say nothing of polygons. */
static void refuse_without_file(lua_State *L, int table)
{
    static const char *const names[] = {"scale", "unit",    "layers",   "thickness",    "level", "tolerance",
                                        "speck", "min_gap", "min_area", "keep_pockets", NULL};
    for (int i = 0; names[i]; i++)
        if (lua_getfield(L, table, names[i]) != LUA_TNIL)
            throng_raise(L,
                         "throng.map: '%s' is about how a file is read, and there is no 'file'; shapes are in metres",
                         names[i]);
        else
            lua_pop(L, 1);
}

static throng_map *build_map(lua_State *L, int table)
{
    throng_error error;
    refuse_without_file(L, table);
    const char *name = "map";
    throng_field_string(L, table, "throng.map", "name", &name);
    throng_polygons walls = read_rings(L, table, "walls"), boundary = read_rings(L, table, "boundary");
    if (walls.count + boundary.count == 0)
        throng_raise(L, "throng.map: give 'file', or 'walls', or 'boundary'");
    throng_map *map = throng_cache_build_map(throng_script_of(L)->cache, name, &boundary, &walls, &error);
    if (!map)
        throng_raise_error(L, &error);
    for (int32_t i = 0; i < walls.count; i++)
        if (throng_map_is_beyond(map, walls.points[i], walls.sizes[i]))
            throng_warn(L, "throng.map: wall %d lies beyond the boundary: it keeps nobody off", (int)i + 1);
    lua_pop(L, 4);
    return map;
}

/* ---- the value */

static void refuse_beside_file(lua_State *L, int table, const char *field)
{
    if (lua_getfield(L, table, field) != LUA_TNIL)
        throng_raise(L,
                     "throng.map: 'file' and '%s' do not go together: the file has the walls; put these into it "
                     "(throng map FILE --write OUT, throng edit), or leave the file away",
                     field);
    lua_pop(L, 1);
}

/* The map that the table describes, without its regions and doors. */
static throng_map *make_floor(lua_State *L, int table)
{
    const char *file;
    if (!throng_field_string(L, table, "throng.map", "file", &file))
        return build_map(L, table);
    refuse_beside_file(L, table, "walls");
    refuse_beside_file(L, table, "boundary");
    throng_map_options options = read_options(L, table);
    throng_map *map = read_map(L, file, &options);
    lua_pop(L, 1);
    return map;
}

/* The value of the map that the definition at `index`, a path or a table, describes. [-0, +1] */
static void push_map(lua_State *L, int index);

/* The map of a floor, as it is given: a map, a path or settings. Pushes the value that keeps it. */
static const throng_map *hold_floor(lua_State *L, int index)
{
    if (luaL_testudata(L, index, THRONG_LUA_MAP))
        lua_pushvalue(L, index);
    else
        push_map(L, index);
    return throng_map_peek(L, -1);
}

/* Makes the map that the definition at `index` (a path or a table) describes; `*slot` owns it from the start. */
static void make_map(lua_State *L, int index, throng_map **slot)
{
    if (lua_type(L, index) == LUA_TSTRING) {
        *slot = read_map(L, throng_check_name(L, index), NULL);
        return;
    }
    if (!lua_istable(L, index))
        throng_raise(L, "throng.map: expected a path or a table, got %s", throng_describe(L, index));
    if (throng_map_is_building(L, index)) {
        *slot = throng_map_make_building(L, index, hold_floor);
        throng_map_take_graph(L, index, "throng.building", *slot);
        return;
    }
    throng_settings_check(L, index, &throng_map_settings);
    *slot = make_floor(L, index);
    throng_error error;
    double simplify = 0;
    throng_setting_number(L, index, &throng_map_settings, "pillars", &(*slot)->pillars);
    throng_setting_number(L, index, &throng_map_settings, "simplify", &simplify);
    if (!throng_map_simplify_outlines(*slot, simplify, &error))
        throng_raise_error(L, &error);
    throng_map_take_regions(L, index, "throng.map", *slot);
    throng_map_take_doors(L, index, "throng.map", *slot);
    throng_map_take_graph(L, index, "throng.map", *slot);
}

/*--- throng.map(settings)
 * Reads a map or builds one from polygons.
 * @param settings string|throng.map.settings A path, or settings.
 * @return throng.map
 * @error a file that cannot be read, with its line; neither `file` nor `walls` nor `boundary`; a polygon that crosses
 * itself, in a file more than 2,000 times
 * @example
 * throng.map { boundary = throng.box(0, 0, 20, 10), walls = { throng.box(10, 0, 10.2, 4.4) } } */
static int new_map(lua_State *L)
{
    lua_settop(L, 1);
    push_map(L, 1);
    return 1;
}

static void push_map(lua_State *L, int index)
{
    throng_map **slot = lua_newuserdatauv(L, sizeof *slot, 2); /* what it was made from; its routes */
    *slot = NULL;
    luaL_setmetatable(L, THRONG_LUA_MAP);
    make_map(L, index, slot);
    lua_pushvalue(L, index);
    lua_setiuservalue(L, -2, 1);
}

/* A building's file has all of it. */
static void refuse_all_beside_file(lua_State *L)
{
    throng_settings_check(L, 1, &throng_building_settings);
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1))
        if (strcmp(lua_tostring(L, -2), "file") != 0)
            throng_raise(L, "throng.building: 'file' and '%s' do not go together: the file has all of it",
                         lua_tostring(L, -2));
}

/*--- throng.building(settings)
 * A building of several floors, with stairs, ramps and escalators between them: a map for throng.world, whose people
 * see and meet only others on their own floor or on the flight they are about to enter.
 *
 * Regions and doors belong to floors and are named "floor/name"; a region's name alone stands for the regions of that
 * name on all floors. Each floor and each flight is a region, too. Positions (`x`, `y`) are those on the plan, on every
 * floor; `floor` names the floor. Pictures show the floors side by side.
 * @param settings throng.building.settings Floors, and what joins them.
 * @return throng.map
 * @error a floor without `z`; a file without floors; a flight that leads down, names an unknown floor, or has no room
 * at its foot or its head
 * @example
 * local hall = throng.box(0, 0, 20, 10)
 * local building = throng.building {
 *   floors = { ground = { z = 0, boundary = hall, regions = { exit = throng.box(0, 4, 1, 6) } },
 *     first = { z = 3.5, boundary = hall } },
 *   stairs = { { from = "ground", to = "first", foot = { 8, 8 }, head = { 14, 8 }, width = 1.5 } },
 * }
 * local world = throng.world { map = building, seed = 1 }
 * world:spawn { count = 30, where = "first" }:go_to "exit" */
static int new_building(lua_State *L)
{
    const char *file = NULL;
    lua_settop(L, 1);
    if (lua_istable(L, 1) && throng_field_string(L, 1, "throng.building", "file", &file)) {
        refuse_all_beside_file(L);
        lua_pushstring(L, file);
        lua_replace(L, 1);
        push_map(L, 1);
        if (!throng_map_peek(L, -1)->sheets)
            throng_raise(L, "throng.building: '%s' has no floors: %s", file,
                         throng_file_ends_in(file, ".xml") ? "put each into a <floor>"
                                                           : "give each a group layer with a property z");
        return 1;
    }
    if (!throng_map_is_building(L, 1))
        throng_raise(L, "throng.building: expected a table like { floors = { ground = { z = 0, ... } } }, got %s",
                     throng_describe(L, 1));
    push_map(L, 1);
    return 1;
}

void throng_world_map_push(lua_State *L, int world)
{
    world = lua_absindex(L, world);
    if (!throng_world_map(throng_check_world(L, world)->world)) {
        lua_pushnil(L);
        return;
    }
    lua_getiuservalue(L, world, 1);
    if (lua_rawgeti(L, -1, THRONG_PART_MAP) == LUA_TNIL) {
        lua_pop(L, 1);
        *(throng_map **)lua_newuserdatauv(L, sizeof(throng_map *), 2) = NULL;
        luaL_setmetatable(L, THRONG_LUA_MAP);
        lua_pushvalue(L, world);
        lua_setiuservalue(L, -2, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, THRONG_PART_MAP);
    }
    lua_remove(L, -2);
}

throng_lua_world *throng_map_owner_push(lua_State *L, int index)
{
    lua_getiuservalue(L, index, 1);
    return luaL_testudata(L, -1, THRONG_LUA_WORLD) ? throng_check_world(L, -1) : NULL;
}

const throng_map *throng_map_peek(lua_State *L, int index)
{
    throng_map **slot = check_map(L, index);
    index = lua_absindex(L, index);
    const throng_lua_world *owner = throng_map_owner_push(L, index);
    if (!owner && !*slot)
        make_map(L, lua_gettop(L), slot);
    lua_pop(L, 1);
    return owner ? throng_world_map(owner->world) : *slot;
}

throng_map **throng_map_hold(lua_State *L, int index, const char *what)
{
    index = lua_absindex(L, index);
    throng_map **holder = lua_newuserdatauv(L, sizeof *holder, 1);
    *holder = NULL;
    luaL_setmetatable(L, THRONG_LUA_MAP);
    if (lua_type(L, index) == LUA_TSTRING) {
        *holder = read_map(L, throng_check_name(L, index), NULL);
        return holder;
    }
    if (!luaL_testudata(L, index, THRONG_LUA_MAP))
        throng_raise(L, "%s must be the path of a map or throng.map{...}, got %s", what, throng_describe(L, index));
    if (throng_map_owner_push(L, index))
        throng_raise(L, "%s is another world's map; give the path or throng.map{...} that world was made from", what);
    lua_pop(L, 1);
    throng_map_peek(L, index);
    *holder = *check_map(L, index);
    *check_map(L, index) = NULL;
    return holder;
}

static int free_map(lua_State *L)
{
    throng_map **slot = check_map(L, 1);
    throng_map_destroy(*slot);
    *slot = NULL;
    return 0;
}

/*--- map:fits(point, radius)
 * Does a disc lie in free space?
 * @param point throng.point Its middle.
 * @param radius number(m) Radius of the disc.
 * @return boolean
 * @error a point that is not { x, y }, or lies beyond its floor of a building
 * @example
 * if world.map:fits({ 5, 8 }, 0.25) then world:spawn { at = { { 5, 8 } } } end */
static int fits(lua_State *L)
{
    static const throng_range radius = {0, 1e6, false, "m"};
    const throng_map *map = throng_map_peek(L, 1);
    throng_point point = throng_check_place(L, 2, map, "map:fits: the point");
    lua_pushboolean(L, throng_map_fits(map, point, throng_check_number(L, 3, "map:fits: the radius", &radius)));
    return 1;
}

/*--- map:region(name)
 * The polygons of a region, or of all regions of a group, and the properties of the first.
 * @param name string Name of a region, or of a group of regions.
 * @return { shapes: throng.shape[], properties: table<string, string|number(any)|boolean> }
 * @error an unknown name
 * @example
 * local hall = world.map:region "hall"
 * print(hall) */
static int region(lua_State *L)
{
    throng_region_push(L, throng_map_peek(L, 1), throng_check_name(L, 2));
    return 1;
}

/*--- map:door(name)
 * A door of a world's map, by its name.
 * @param name string As the map has it.
 * @return throng.running_door
 * @error an unknown name; a map that belongs to no world
 * @example
 * world.map:door("north"):close() */
static int door(lua_State *L)
{
    const char *names[64];
    const throng_map *map = throng_map_peek(L, 1);
    const char *name = throng_check_name(L, 2);
    const throng_lua_world *owner = throng_map_owner_push(L, 1);
    if (!owner)
        throng_raise(L, "map:door: doors open and close in a world: world.map:door(\"%s\")", name);
    int count = 0;
    for (int32_t d = 0; d < map->door_count; d++) {
        if (strcmp(map->doors[d].name, name) == 0) {
            throng_door_push(L, -1, d);
            return 1;
        }
        if (count < 63)
            names[count++] = map->doors[d].name;
    }
    names[count] = NULL;
    for (const char **region = throng_region_names(L, owner->regions, map); *region; region++)
        if (strcmp(*region, name) == 0)
            throng_raise(L,
                         "map:door: '%s' is a region; a door is a line, doors = { %s = { { x, y }, { x, y } } } of "
                         "throng.map",
                         name, name);
    throng_raise_unknown(L, "map:door", "door", name, names);
}

/*--- map:flight(name)
 * A flight of a world's building, by its name: stairs, a ramp, an escalator, a walkway.
 * @param name string As the building has it.
 * @return throng.flight
 * @error an unknown name; a map that belongs to no world
 * @example
 * mall.map:flight("up"):stop() */
static int flight(lua_State *L)
{
    const char *names[64];
    const char *name = throng_check_name(L, 2);
    const throng_map_sheets *s = throng_map_peek(L, 1)->sheets;
    if (!throng_map_owner_push(L, 1))
        throng_raise(L, "map:flight: flights stop and start in a world: world.map:flight(\"%s\")", name);
    int count = 0;
    for (int32_t i = 0; s && i < s->count; i++) {
        if (!s->list[i].flight || throng_map_first_of_part(s, i) < i)
            continue;
        if (strcmp(s->list[i].name, name) == 0) {
            throng_flight_push(L, -1, i);
            return 1;
        }
        if (count < 63)
            names[count++] = s->list[i].name;
    }
    names[count] = NULL;
    throng_raise_unknown(L, "map:flight", "flight", name, names);
}

void throng_bounds_push(lua_State *L, const throng_bounds *bounds)
{
    lua_createtable(L, 0, 4);
    lua_pushnumber(L, bounds->x0);
    lua_setfield(L, -2, "x0");
    lua_pushnumber(L, bounds->y0);
    lua_setfield(L, -2, "y0");
    lua_pushnumber(L, bounds->x1);
    lua_setfield(L, -2, "x1");
    lua_pushnumber(L, bounds->y1);
    lua_setfield(L, -2, "y1");
}

/* A list's field of a name: what the map's method finds by it, or raises. (list, key), upvalues: map, method. */
static int index_list(lua_State *L)
{
    if (lua_type(L, 2) != LUA_TSTRING)
        return 0;
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 2);
    lua_call(L, 2, 1);
    return 1;
}

/* `map.doors.north` is map:door "north". [-0, +0] of the list on top */
static void find_by_name(lua_State *L, lua_CFunction method)
{
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, 1);
    lua_pushcfunction(L, method);
    lua_pushcclosure(L, index_list, 2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
}

static int index_map(lua_State *L)
{
    static const char *const names[] = {"name",       "area",     "bounds",  "regions",      "doors", "floors",
                                        "properties", "findings", "region",  "fits",         "door",  "flight",
                                        "path",       "distance", "visible", "random_point", NULL};
    const throng_map *map = throng_map_peek(L, 1);
    const char *key = throng_check_name(L, 2);
    luaL_getmetafield(L, 1, "queries");
    if (lua_getfield(L, -1, key) != LUA_TNIL)
        return 1;
    if (strcmp(key, "name") == 0)
        lua_pushstring(L, map->name);
    else if (strcmp(key, "area") == 0)
        lua_pushnumber(L, map->area);
    else if (strcmp(key, "bounds") == 0)
        throng_bounds_push(L, &map->bounds);
    else if (strcmp(key, "regions") == 0) {
        throng_region_names_push(L, map);
        find_by_name(L, region);
    } else if (strcmp(key, "doors") == 0) {
        throng_doors_push(L, map);
        find_by_name(L, door);
    } else if (strcmp(key, "floors") == 0)
        throng_floors_push(L, map);
    else if (strcmp(key, "properties") == 0)
        throng_properties_push(L, &map->properties);
    else if (strcmp(key, "findings") == 0)
        throng_findings_push(L, map);
    else if (strcmp(key, "region") == 0)
        lua_pushcfunction(L, region);
    else if (strcmp(key, "fits") == 0)
        lua_pushcfunction(L, fits);
    else if (strcmp(key, "door") == 0)
        lua_pushcfunction(L, door);
    else if (strcmp(key, "flight") == 0)
        lua_pushcfunction(L, flight);
    else
        throng_raise_unknown(L, "map", "field", key, names);
    return 1;
}

void throng_bind_map(lua_State *L)
{
    static const luaL_Reg meta[] = {{"__gc", free_map}, {"__close", free_map}, {"__index", index_map}, {NULL, NULL}};
    luaL_newmetatable(L, THRONG_LUA_MAP);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, false);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_pushcfunction(L, new_map);
    lua_setfield(L, -2, "map");
    lua_pushcfunction(L, new_building);
    lua_setfield(L, -2, "building");
}
