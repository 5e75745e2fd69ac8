/* Gaps between the walls of a drawing that are closed, since walls are so thick. */
#ifndef THRONG_MAP_DRAWING_GAPS_H
#define THRONG_MAP_DRAWING_GAPS_H

#include "map_draft.h"

/* A finding for each end of one of these lines, of which closed ones end where they begin, that is no farther from
 * another line, or another part of its own, than `thickness`, m, and does not touch any. The first 100 are told with
 * their places, the others counted. */
bool throng_drawing_note_gaps(throng_draft *draft, const throng_ring_list *lines, double thickness,
                              throng_error *error);

#endif
