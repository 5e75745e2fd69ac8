/* The readers of map files, one a format. */
#ifndef THRONG_MAP_READERS_H
#define THRONG_MAP_READERS_H

#include "map.h"

/* Reads the file and says in `report` (zero on entry) what it was and what was done to it. The options are
 * valid. NULL and a message that names the file, the line where there are lines, what is wrong and the way out. */
typedef throng_map *throng_map_reader(const char *path, const throng_map_options *options, throng_map_report *report,
                                      throng_error *error);

throng_map_reader throng_map_read_occupancy; /* images, and ROS map-server YAML beside them */
throng_map_reader throng_map_read_moving_ai; /* .map of the Moving AI benchmarks (Sturtevant, 2012) */
throng_map_reader throng_map_read_tmx;       /* .tmx of Tiled */
throng_map_reader throng_map_read_wkt;       /* .wkt, JuPedSim's geometry */
throng_map_reader throng_map_read_xml;       /* .xml of the map maker (O'Sullivan, 2009) */
throng_map_reader
    throng_map_read_drawing; /* .dxf and others, of which GDAL knows features with layers and attributes */

/* All of it so many times as large, from the origin. False and a message when memory is out, or it gets too large; the
 * map is to be destroyed then. */
bool throng_map_scale(throng_map *map, double by, throng_error *error);

/* throng_map_files_of for occupancy images. */
bool throng_map_occupancy_files(const char *path, throng_map_files *files);

/* Well-known text that lies in memory; `path` is what messages name. */
throng_map *throng_map_from_wkt(const char *path, const char *text, throng_error *error);

#endif
