/* How far agents have to places that they are not sent to, and who is sent where: for those who choose. */
#ifndef THRONG_ROUTE_LENGTHS_H
#define THRONG_ROUTE_LENGTHS_H

#include "navigation/navmesh.h"
#include "world.h"

/* The length of each agent's route to a target (throng_world_goal_point, throng_world_goal_regions) as it would be sent
 * there now, over the navmesh; m, INFINITY: none leads there but through closed doors. Without a map, the straight
 * line. */
bool throng_world_route_lengths(throng_world *world, const throng_handle *handles, int32_t count, int32_t target,
                                double *lengths, throng_error *error);

/* The shortest path from a place to a goal by its map of shortest paths, m; the caller frees the corners. `error` may
 * be NULL. */
struct world_goal;
bool throng_world_path_along(const throng_world *world, const struct world_goal *goal, throng_point from,
                             throng_path *path, throng_error *error);

/* The target that each agent is sent to, -1: none. */
bool throng_world_targets_of(throng_world *world, const throng_handle *handles, int32_t count, int32_t *targets,
                             throng_error *error);

#endif
