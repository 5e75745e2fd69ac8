/* Points, polygons, and lists of them: the values of scripts that name places. */
#ifndef THRONG_SHAPES_H
#define THRONG_SHAPES_H

#include "bind.h"

typedef struct throng_shapes {
    int32_t count, room;
    throng_region *list;
} throng_shapes;

struct throng_lua_world;

/* An empty list, freed by Lua. [-0, +1] */
throng_shapes *throng_shapes_push(lua_State *L);
void throng_shapes_add(lua_State *L, throng_shapes *shapes, const char *name, const throng_point *points,
                       int32_t count);
/* Reads a region's name, a shape, or a list of those into a new list. [-0, +1] */
throng_shapes *throng_shapes_read(lua_State *L, int index, const struct throng_lua_world *world, const char *what);
/* Raises when the table at `index`, a list, has an entry by a name; `entry`: what one is like. */
void throng_refuse_names(lua_State *L, int index, const char *what, const char *entry);

/* Names of the script's regions and of the map's, then of the map's groups, each once, NULL at the end; either list
 * may be NULL. Owned by the value pushed. */
const char **throng_region_names(lua_State *L, const throng_shapes *regions, const throng_map *map);

throng_point throng_check_point(lua_State *L, int index, const char *what);
/* The name of a building's sheet; "" where there is one floor. */
const char *throng_floor_name(const throng_map *map, int32_t sheet);
/* The sheet of a building that has the name at `index`. */
int32_t throng_check_floor(lua_State *L, int index, const throng_map *map, const char *what);

/* A point of the map (NULL: of a plane). In a building `floor` names the one that it is on, and the point is taken to
 * its place on the map; without, it is one of the lowest floor. */
throng_point throng_check_place(lua_State *L, int index, const throng_map *map, const char *what);
/* That of a place. [-0, +1] */
void throng_place_push(lua_State *L, const throng_map *map, throng_point place);
/* The corners of a path that throng_path_on_floors has made. [-0, +1] */
struct throng_path;
void throng_path_push(lua_State *L, const throng_map *map, const struct throng_path *path);
/* Those of one that a search has found from one place to another; returns its length, m. [-0, +1] */
double throng_found_path_push(lua_State *L, const throng_map *map, throng_point from, throng_point to,
                              const struct throng_path *path);
/* A list of places. [-0, +1]: what keeps them alive */
throng_point *throng_points_read(lua_State *L, int index, const throng_map *map, const char *what, int32_t *count);
bool throng_is_shape(lua_State *L, int index);
/* {x, y}: a table whose first entry is a number. */
bool throng_is_point(lua_State *L, int index);

void throng_point_push(lua_State *L, throng_point point);                        /* {x, y} [-0, +1] */
void throng_shape_push(lua_State *L, const throng_point *points, int32_t count); /* [-0, +1] */

#endif
