/* Point location in a mesh. */
#ifndef THRONG_FACE_GRID_H
#define THRONG_FACE_GRID_H

#include "navmesh.h"

/* A cell lists the faces within the mesh's radius of it. NULL when memory is out. */
throng_face_grid *throng_face_grid_create(const throng_navmesh *mesh);
void throng_face_grid_destroy(throng_face_grid *grid);

/* True when the face holds the point, its sides included. A point on a common
 * side is in both faces, and rounding leaves no gap between them. */
bool throng_face_holds(const throng_navmesh *mesh, int32_t face, throng_point p);

#endif
