/* The floors that a path leads over. Searches find positions; here a path gets a corner at each seam that it crosses,
 * the sheet of each corner, and its length along the slopes. */
#ifndef THRONG_PATH_FLOORS_H
#define THRONG_PATH_FLOORS_H

#include "navmesh.h"

/* The path that begins on one sheet and ends on another (-1: not known; points alone, without a radius, may pass the
 * end of a seam in two ways), with its floors, into `*on`; a copy where the map has none. False when memory is out. */
bool throng_path_on_floors(const throng_map *map, int32_t from, int32_t to, const throng_path *path, throng_path *on);

/* Its place on the map: corner i. */
throng_point throng_path_place(const throng_map *map, const throng_path *path, int32_t i);

#endif
