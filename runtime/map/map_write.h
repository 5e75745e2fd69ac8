/* Maps to files that throng and others read again. */
#ifndef THRONG_MAP_WRITE_H
#define THRONG_MAP_WRITE_H

#include "map.h"

/* Writes the map by what the name ends in:
 *
 *   .xml  the map maker's XML (see map_xml.c): the map's own convex faces or the free space as triangles, a node in
 *         each and an edge between neighbours, and regions, doors and properties; of a building all that by floors,
 * with flights and lifts .wkt  the free space as a POLYGON or MULTIPOLYGON; regions, doors and properties have no place
 * there
 *
 * Coordinates are written so that reading gives the same numbers. False and a message, and no file, when the
 * ending is another, the map is open (its floor has no end), or the file cannot be written. */
bool throng_map_write(const char *path, const throng_map *map, throng_error *error);

#endif
