/* Which ways out of a face lead nowhere but back through it.
 *
 * Faces and portals are a graph, and its biconnected blocks with the faces that join them are a tree (Hopcroft and
 * Tarjan, "Efficient algorithms for graph manipulation", Communications of the ACM, 1973). A face is convex and passing
 * portals costs nothing less than nothing, so a shortest path that leaves a face never comes back to it: of the blocks
 * that meet in a face it enters the one that the goal lies in or behind, and no other. */
#ifndef THRONG_PATH_BLOCKS_H
#define THRONG_PATH_BLOCKS_H

#include <stdbool.h>

#include "kernels/contract/path_net.h"

/* Numbers the faces and writes the branches of a net, whose portals lead to faces yet. False when memory is out. */
bool throng_path_net_find_branches(throng_path_net *net);

#endif
