/* The floor of a plan that draws its walls alone. */
#ifndef THRONG_MAP_ENCLOSE_H
#define THRONG_MAP_ENCLOSE_H

#include "map_draft.h"

/* Where the walls, with the doors in them, enclose all of a building and every region lies in it, that becomes the
 * floor, and a finding says so. Elsewhere the draft stays as it is. */
bool throng_draft_enclose(throng_draft *draft, throng_error *error);

#endif
