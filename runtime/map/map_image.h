/* Occupancy images: what each pixel says of the floor. */
#ifndef THRONG_MAP_IMAGE_H
#define THRONG_MAP_IMAGE_H

#include <stdint.h>

#include "map_yaml.h"

enum { THRONG_MOST_PIXELS = 1 << 26 };

enum { THRONG_PIXEL_OCCUPIED, THRONG_PIXEL_UNKNOWN, THRONG_PIXEL_FREE };

/* Row 0 is the bottom. A rim of one pixel that is not free surrounds the
 * image's own pixels, so that neighbours of a free pixel always exist. */
typedef struct throng_map_image {
    int32_t width, height; /* pixels, rim included */
    uint8_t *pixel;        /* [height * width] THRONG_PIXEL_... */
    uint8_t *region;       /* [height * width] 1 + the YAML's region whose colour it has, or 0; NULL without any */
} throng_map_image;

/* Reads the image that `yaml` names by the ROS map server's rules: darkness is
 * 1 - grey (grey when negated); above occupied_thresh it is a wall, below
 * free_thresh it is free, between them (and where it is transparent) unknown.
 * A region's colour is free. */
bool throng_map_image_read(const throng_map_yaml *yaml, throng_map_image *image, throng_error *error);
void throng_map_image_fini(throng_map_image *image);

/* The pixels of an image as RGBA, [height][width][4] from the top, to be freed. NULL and a message that names the file.
 */
unsigned char *throng_image_read_rgba(const char *path, int *width, int *height, throng_error *error);

#endif
