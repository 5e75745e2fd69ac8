/* Makes what path searches need of a mesh: the portals, one to a cache line, and the corners that paths bend
 * at. Walls are no part of it. */
#ifndef THRONG_RUNTIME_PATH_NET_H
#define THRONG_RUNTIME_PATH_NET_H

#include "kernels/contract/path_net.h"
#include "navmesh.h"

/* NULL when memory is out. */
throng_path_net *throng_path_net_create(const throng_navmesh *mesh);

/* After doors of the mesh were opened or closed. False when memory is out: the net is not to be used then. */
bool throng_path_net_update(throng_path_net *net, const throng_navmesh *mesh);
void throng_path_net_destroy(throng_path_net *net);

#endif
