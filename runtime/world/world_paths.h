/* Paths that are searched for, and those of agents with goals of their own: path_requests.c, path_own.c. */
#ifndef THRONG_WORLD_PATHS_H
#define THRONG_WORLD_PATHS_H

#include "world.h"

/* What an agent with a goal of its own asked for. */
typedef struct world_path_request {
    throng_path_ticket ticket; /* 0: it waits for nothing */
    float x, y;                /* m: the goal */
    bool through;              /* asked again, as if no body stood in the way */
    int32_t board, leave;      /* the ride that the path it has leads up to, stops of the map; -1: none */
} world_path_request;

/* What path_own.c keeps. */
typedef struct world_path_own {
    world_path_request *requests; /* [slot_room] */
    int32_t slot_room;
    float *x, *y, *turn; /* [room] see throng_waypoints */
    int32_t count, room;
    int32_t in_use;       /* corners of paths that are walked, when last counted */
    bool walking;         /* somebody has such a goal */
    bool by_machines;     /* machines give such goals, */
    uint64_t transitions; /* when states are entered: so many had been at the last look */
    bool rode;            /* somebody came out where its path does not lead on */
    bool stale;           /* doors were opened or closed */
    bool remeshed;        /* bodies came to stand, or stand no longer; or doors cost something else */
    bool changed;         /* the backend has older corners, or others' place */
} world_path_own;

typedef struct world_paths {
    throng_path_queue *queue; /* NULL until somebody asks */
    int32_t budget, spent;
    world_path_own own; /* of agents with goals of their own */
} world_paths;

/* Doors were opened or closed; bodies came to stand, or stand no longer; machines send agents to goals of their own. */
static inline void world_paths_doors_moved(world_paths *paths) { paths->own.stale = true; }
static inline void world_paths_remeshed(world_paths *paths) { paths->own.remeshed = true; }
static inline void world_paths_by_machines(world_paths *paths) { paths->own.walking = paths->own.by_machines = true; }

/* path_requests.c */
bool throng_world_open_path_queue(throng_world *world, throng_error *error);

/* path_own.c: agents that walk by corners, each to its own goal */
/* Requests a path for each agent whose goal entry, in `goals` [count], is walked to by one; none when that fails. */
bool throng_world_ask_for_paths(throng_world *world, const throng_handle *handles, const int32_t *goals,
                                const throng_point *points, int32_t count, throng_error *error);
/* Where somebody rides by its own path, and m ahead up to the middle of the car; of one in this slot who is at a
 * position and has a path. */
throng_path_ride throng_world_own_ride(const throng_world *world, int32_t slot, int32_t waypoint, throng_point at);
/* It has ridden: its path goes on from where it is. */
void throng_world_rode(throng_world *world, int32_t slot);
bool throng_world_upload_waypoints(throng_world *world, throng_error *error);
/* A frame of the queue: before it those are asked for again who have lost their path, or whose doors have moved; after
 * it agents get theirs. */
bool throng_world_run_paths(throng_world *world, throng_error *error);
void throng_world_free_path_own(throng_world *world);

#endif
