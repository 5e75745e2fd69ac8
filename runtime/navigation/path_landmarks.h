/* Landmarks of a path net: how far they are from every corner that paths bend at. What searches make of them is in
 * kernels/routing/portals_landmarks.h.
 *
 * A shortest path from a corner leads straight to corners that it sees, and bends at each to the side of the walls. So
 * what each corner sees where paths may bend round it is looked at once (the tangent graph: Liu and Arimoto, "Path
 * planning using a tangent graph for mobile robots among polygonal and curved obstacles", International Journal of
 * Robotics Research, 1992), and Dijkstra's algorithm runs on that from each landmark. Every landmark but the first is
 * the corner that is farthest from all before it. */
#ifndef THRONG_PATH_LANDMARKS_H
#define THRONG_PATH_LANDMARKS_H

#include "path_net.h"

/* Gives the net landmarks while no door of its mesh is closed or costs anything. Small nets and those whose corners see
 * too many others get none. False when memory is out. */
bool throng_path_landmarks_find(throng_path_net *net, const throng_navmesh *mesh);

/* Those of another net of the same mesh. False when memory is out. */
bool throng_path_landmarks_copy(throng_path_net *to, const throng_path_net *from);

#endif
