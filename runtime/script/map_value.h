/* Maps of scripts, with their regions and doors. */
#ifndef THRONG_MAP_VALUE_H
#define THRONG_MAP_VALUE_H

#include "world_value.h"

/* ---- bind_map.c */

/* Takes the map for a world out of a throng.map value or reads the named file.
 * The value pushed frees it unless the holder is set to NULL. [-0, +1] */
throng_map **throng_map_hold(lua_State *L, int index, const char *what);
/* The map of the world at `world`, as a value that goes with it; nil when it has none. [-0, +1] */
void throng_world_map_push(lua_State *L, int world);
/* The map of the throng.map value at `index`: the world's; or the value's own, made again when a world has taken it. */
const throng_map *throng_map_peek(lua_State *L, int index);
/* The world that `world.map` at `index` belongs to, NULL for a map of its own. [-0, +1] the world or something else */
throng_lua_world *throng_map_owner_push(lua_State *L, int index);
/* Its mesh for a radius in m, which it keeps; in bind_map_queries.c. */
const struct throng_navmesh *throng_map_mesh(lua_State *L, int index, double radius);
/* {x0, y0, x1, y1} by name. [-0, +1] */
void throng_bounds_push(lua_State *L, const throng_bounds *bounds);

/* ---- bind_regions.c: regions and doors of definition tables (`owner` names them in messages) and of maps */

/* The table's field `regions`, by name. [-0, +1] */
throng_shapes *throng_regions_read(lua_State *L, int table, const char *owner);
/* Warns when a region of the script lies beyond the map. */
void throng_region_note_beyond(lua_State *L, const char *owner, const throng_map *map, const throng_region *region);
/* The table's fields `regions` and `doors` are added to the map. */
void throng_map_take_regions(lua_State *L, int table, const char *owner, throng_map *map);
void throng_map_take_doors(lua_State *L, int table, const char *owner, throng_map *map);
/* bind_map_graph.c: and its field `roadmap`. */
void throng_map_take_graph(lua_State *L, int table, const char *owner, throng_map *map);

/* Values for scripts. [-0, +1] */
void throng_properties_push(lua_State *L, const throng_properties *properties);
void throng_doors_push(lua_State *L, const throng_map *map);
void throng_findings_push(lua_State *L, const throng_map *map);
void throng_region_names_push(lua_State *L, const throng_map *map);
void throng_region_push(lua_State *L, const throng_map *map, const char *name); /* of that name or group */

/* ---- bind_building.c */

/* Is the definition at `index` that of a building? Then this makes its map. */
bool throng_map_is_building(lua_State *L, int index);
typedef const throng_map *throng_floor_map(lua_State *L, int index); /* pushes what keeps it */
throng_map *throng_map_make_building(lua_State *L, int table, throng_floor_map *map_of);
/* The names of the map's sheets, from index 1 on; without floors one, "". [-0, +1] */
void throng_floor_names_push(lua_State *L, const throng_map *map);
/* Its floors and flights: a list of { name, z, flight }, from the lowest floor on. [-0, +1] */
void throng_floors_push(lua_State *L, const throng_map *map);

/* ---- bind_door.c */

/* A door of the world's map. [-0, +1] */
void throng_door_push(lua_State *L, int world, int32_t door);

int throng_hold_door(lua_State *L); /* (world, name, hold): flow_cap.lua */

/* The door value at `index`, or NULL when it is something else; `what` must be one of the world's. [-0, +0] */
const throng_door *throng_test_door(lua_State *L, int index, const throng_lua_world *world, const char *what);

/* ---- bind_flight.c */

/* The flight of the world's building whose first sheet that is. [-0, +1] */
void throng_flight_push(lua_State *L, int world, int32_t sheet);
/* The lifts of a world, by name. [-0, +1] */
void throng_lifts_push(lua_State *L, int world);

/* ---- bind_batch_map.c */

int throng_batch_on_map(lua_State *L); /* throng.paths of the settings at 1, with a map */

#endif
