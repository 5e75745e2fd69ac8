/* Lines that a convex face lies within, far fewer than it has sides: a corridor with a hundred doors has four. */
#ifndef THRONG_NAVMESH_WITHIN_H
#define THRONG_NAVMESH_WITHIN_H

#include "navmesh.h"

/* Those of a face, of points p with x * p.x + y * p.y >= least, (x, y) of length 1, m: who is on the inside of all of
 * them is in the face, a millimetre from its sides or more, by any arithmetic. The arrays have room for as many as the
 * face has sides; NULL: they are counted alone. Returns how many. */
int32_t throng_navmesh_within(const throng_navmesh *mesh, int32_t face, float *x, float *y, float *least);

#endif
