/* What the formats that maps are written in share: private to map_write*.c. */
#ifndef THRONG_MAP_WRITE_PARTS_H
#define THRONG_MAP_WRITE_PARTS_H

#include <stdio.h>

#include "map.h"

/* The shortest text that reads as the same number. */
void throng_write_number(FILE *out, double value);

bool throng_map_write_xml(FILE *out, const throng_map *map, throng_error *error);

#endif
