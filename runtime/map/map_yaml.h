/* The YAML file of a ROS map server: one `key: value` a line. Only that file's
 * keys are understood; others are passed over, as ROS does. One key is throng's
 * own, and passed over by ROS: the colours of regions in the image,
 *
 *   regions: {exits: "#ff0000", offices: "#00c000"}
 *
 * or one `name: "#rrggbb"` a line below `regions:`, indented. */
#ifndef THRONG_MAP_YAML_H
#define THRONG_MAP_YAML_H

#include <stdint.h>

#include "base/error.h"

enum { THRONG_YAML_REGIONS = 32 };

typedef struct throng_map_colour {
    char name[64]; /* of the region */
    uint8_t rgb[3];
    int line; /* of the YAML */
} throng_map_colour;

typedef struct throng_map_yaml {
    char image[4096];                    /* path of the image, seen from the working directory */
    double resolution;                   /* m per pixel */
    double origin_x, origin_y;           /* m: where the image's lower left corner lies */
    double yaw;                          /* rad: the image is turned counter-clockwise about that corner */
    bool negate;                         /* white is occupied */
    double occupied_thresh, free_thresh; /* 0 .. 1: darker than the one is a wall, lighter than the other is free */
    throng_map_colour regions[THRONG_YAML_REGIONS];
    int region_count;
} throng_map_yaml;

/* Settings of an image without a YAML. */
throng_map_yaml throng_map_yaml_default(void);

/* Messages name file, line and field. */
bool throng_map_yaml_read(const char *path, throng_map_yaml *yaml, throng_error *error);

#endif
