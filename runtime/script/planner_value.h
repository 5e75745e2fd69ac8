/* The planners of scripts. */
#ifndef THRONG_PLANNER_VALUE_H
#define THRONG_PLANNER_VALUE_H

#include "behaviours.h"
#include "fields.h"

/* A planner and those of its agents' columns that were given. */
typedef struct throng_planner_value {
    throng_planner planner;
    int64_t neighbours; /* -1: not given */
    bool has_horizon, has_wall_horizon, has_sight;
    throng_sampler horizon, wall_horizon, sight;
} throng_planner_value;

/* Behaviours that the planner at `index` was made with, prepared. [-0, +list's] */
void throng_planner_behaviours(lua_State *L, int index, const throng_lua_world *world, const char *name,
                               throng_behaviours *list);
/* "orca" or throng.orca{...} */
throng_planner_value throng_check_planner(lua_State *L, int index, const char *what);

#endif
