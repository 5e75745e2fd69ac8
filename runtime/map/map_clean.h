/* Cleaning of an occupancy image: from what a scanner saw to rooms. */
#ifndef THRONG_MAP_CLEAN_H
#define THRONG_MAP_CLEAN_H

#include "map.h"
#include "map_image.h"

/* A free area that nothing reaches, left out. */
typedef struct throng_map_pocket {
    int32_t x, y; /* one of its pixels */
    int32_t pixels;
} throng_map_pocket;

/* The free areas kept, largest first. */
typedef struct throng_map_areas {
    int32_t width, height;
    int32_t *label; /* [height * width] the area a pixel belongs to, or -1 */
    int32_t count;
    throng_map_pocket *pockets;
    int32_t pocket_count;
} throng_map_areas;

/* In this order: unknown specks become free (gaps between rays), openings
 * narrower than min_gap are closed (to the pixel), specks of any kind become
 * free, small and unreached free areas are left out. Free pixels are neighbours
 * through their sides, others also through their corners. Writes what it did
 * into `report`. False when nothing free is left; `name` is for the message. */
bool throng_map_clean(throng_map_image *image, const char *name, const throng_map_options *options, double resolution,
                      throng_map_areas *areas, throng_map_report *report, throng_error *error);
/* Every free area of `least` pixels or more, the image left as it is. False when memory is out. */
bool throng_map_areas_all(const throng_map_image *image, double least, throng_map_areas *areas);

void throng_map_areas_fini(throng_map_areas *areas);

#endif
