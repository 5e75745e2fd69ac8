/* Outlines of free areas: the boundary between pixels, walked round. */
#ifndef THRONG_MAP_TRACE_H
#define THRONG_MAP_TRACE_H

#include "map_clean.h"
#include "map_yaml.h"
#include "ring_list.h"

/* The middle of a pixel, in metres; the image's own first pixel is (1, 1), inside the rim. */
throng_point throng_map_pixel_centre(const throng_map_yaml *yaml, int32_t x, int32_t y);

/* Appends the outlines of every area in metres: its outer ring, then its holes.
 * A ring has one point in the middle of each pixel side it passes, so stairs
 * come out as slopes and no ring ever touches itself or another. */
bool throng_map_trace(const throng_map_areas *areas, const throng_map_yaml *yaml, throng_ring_list *rings);

/* The same with the pixels' own corners: rings along the pixels' sides, nothing cut, moved or left out, from
 * (0, 0) in the image's lower left corner. They touch in single points where pixels touch in a corner. */
bool throng_map_trace_cells(const throng_map_areas *areas, double cell, throng_ring_list *rings);

#endif
