/* A building's mesh laid out as one plane: its faces at their places, side by side, where nothing leads over a seam. So
 * whatever looks at the outlines of a mesh, or walks through it in straight lines, goes by floors. */
#ifndef THRONG_NAVMESH_PLANE_H
#define THRONG_NAVMESH_PLANE_H

#include "navmesh.h"

/* A view of `mesh`, which has sheets: good as long as that is, and as its doors are. False when memory is out. */
bool throng_navmesh_lay_out(const throng_navmesh *mesh, throng_navmesh *plane);
/* Frees what is the view's own; one of all zeros is fine. */
void throng_navmesh_plane_fini(throng_navmesh *plane);

#endif
