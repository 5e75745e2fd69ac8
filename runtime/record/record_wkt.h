/* The map's free space as WKT, the way JuPedSim writes its geometry. */
#ifndef THRONG_RECORD_WKT_H
#define THRONG_RECORD_WKT_H

#include "map/map.h"

/* POLYGON with its holes, or MULTIPOLYGON when the free space is in several
 * pieces; coordinates read back exactly. The caller frees the text; NULL when
 * memory runs out. */
char *throng_record_wkt(const throng_map *map);

/* The shortest decimal that reads back as exactly `value`. */
void throng_record_number(char text[32], double value);

#endif
