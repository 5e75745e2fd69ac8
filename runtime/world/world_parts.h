/* What the world is made of: private to the files of this folder. Each part has a header of its own, with what it holds
 * and what others may call; only its owner changes it. */
#ifndef THRONG_WORLD_PARTS_H
#define THRONG_WORLD_PARTS_H

#include "world_agents.h"
#include "world_behaviours.h"
#include "world_bodies.h"
#include "world_floors.h"
#include "world_frame.h"
#include "world_lifts.h"
#include "world_paths.h"
#include "world_routing.h"
#include "world_sheets.h"
#include "world_walls.h"

struct throng_world {
    throng_map *map;
    struct throng_cache *cache; /* what it took of it is released before the world is freed */
    bool own_cache;
    throng_map *floor; /* what walls and routes are built of: the map, or nine tiles of it where the world wraps */
    double dt;
    uint64_t seed;
    throng_stages stages;
    bool may_choose;    /* the backend, when the first frame begins */
    const char *chosen; /* why it has the one it has; NULL: it was told, or has not begun */
    throng_agents *agents;
    uint32_t step;
    throng_frame frame;

    /* world_agents.h */
    world_groups groups;
    world_taken taken;
    int32_t companies; /* that ever were */
    world_planners planners;
    world_influences influences;
    world_limits limits;
    world_player player;
    world_watched watched;
    world_stuck stuck;
    world_overcome overcome;

    world_sheets sheets;
    world_floors floors;
    world_walls walls;
    world_bodies bodies;
    world_doors doors;
    world_lifts lifts;
    world_routing routing;
    world_paths paths;

    /* world_behaviours.h */
    world_programs programs;
    world_undefined undefined;
    world_fsm fsm;
    world_air air;

    /* world_frame.h */
    world_phases phases;
    world_sensed sensed;
    world_arrivals arrivals;
    world_crossings crossings;
    world_gone gone;
    world_measures measures;
    world_times times;
};

#endif
