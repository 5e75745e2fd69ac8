/* Sides that faces share: where they join. */
#ifndef THRONG_MAP_SIDES_H
#define THRONG_MAP_SIDES_H

#include "ring_list.h"

/* From its lesser end to its greater, and the faces on either side. */
typedef struct throng_shared_side {
    throng_point low, high;
    int32_t face[2];
} throng_shared_side;

/* The sides of which both ends are corners of two faces, by place; freed by the caller. False when memory is out. */
bool throng_shared_sides(const throng_ring_list *faces, throng_shared_side **sides, int32_t *count);

/* The middle of a side. */
throng_point throng_side_middle(const throng_shared_side *side);

/* Is a side that two of the map's faces share walled up (map_xml.c)? Also true when memory is out. */
bool throng_sides_parted(const throng_map *map);

#endif
