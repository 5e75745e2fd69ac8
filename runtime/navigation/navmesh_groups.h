/* Which outlines of a map are to shrink together, because what they lose may meet. */
#ifndef THRONG_NAVMESH_GROUPS_H
#define THRONG_NAVMESH_GROUPS_H

#include "map/map.h"

/* group[r] is the first of the rings that ring r is joined to: those that bound the same piece of free space and come
 * within `reach` metres of it, or of another of them. outer[r] is the outer ring of its piece (r itself for an outer
 * ring), -1 in an open map's plane. Arrays of [ring_count]. False when memory is out. */
bool throng_navmesh_group_rings(const throng_map *map, double reach, int32_t *group, int32_t *outer);

#endif
