/* Goals cut to the faces that hold them. */
#ifndef THRONG_GOAL_SIDES_H
#define THRONG_GOAL_SIDES_H

#include "navmesh.h"
#include "path_map_search.h"

/* The sides of all goals, by face. A goal of one point is a side of no length
 * in every face that holds it. False with a message when a goal is no point or
 * simple polygon, or no face holds any of them. `building`: the mesh, or the one that it lays out, for the message. */
bool throng_goal_sides_cut(const throng_navmesh *mesh, const throng_navmesh *building, const throng_region *goals,
                           int32_t count, throng_goal_sides *sides, throng_error *error);
void throng_goal_sides_fini(throng_goal_sides *sides);

/* True when one of the polygons holds the point. */
bool throng_goals_hold(const throng_region *goals, int32_t count, throng_point p);

#endif
