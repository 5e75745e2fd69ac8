/* Lines that the sides of a convex face lie on, far fewer than sides: a corridor with a hundred doors has four or five.
 */
#ifndef THRONG_NAVMESH_LINES_H
#define THRONG_NAVMESH_LINES_H

#include "navmesh.h"

/* Those of a face, in the order of its sides: line i has the sides side[i] up to the next line's, and who is outside
 * any of them is outside the line, where x[i] * px + y[i] * py < least[i], by any arithmetic; (x, y) of length 1,
 * inwards, m. The arrays have room for as many as the face has sides; NULL: they are counted alone. Returns how many.
 */
int32_t throng_navmesh_lines(const throng_navmesh *mesh, int32_t face, int32_t *side, float *x, float *y, float *least);

#endif
