/* Doors of a drawing that are points on walls, as OpenStreetMap has them. */
#ifndef THRONG_MAP_DRAWING_DOORS_H
#define THRONG_MAP_DRAWING_DOORS_H

#include "map_draft.h"
#include "ring_list.h"

/* The ends of a door so wide about the point, along the nearest line. False: none is within its thickness. */
bool throng_drawing_door_ends(const throng_ring_list *lines, throng_point at, double width, double thickness,
                              throng_point ends[2]);

/* Cuts the walls of the draft, as thick, open between the ends. */
bool throng_drawing_cut(throng_draft *draft, const throng_point ends[2], double thickness, throng_error *error);

#endif
