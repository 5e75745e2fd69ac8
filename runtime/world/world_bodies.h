/* Rigid bodies, and how routes follow those that stand: world_bodies.c, world_standing.c. */
#ifndef THRONG_WORLD_BODIES_H
#define THRONG_WORLD_BODIES_H

#include "bodies.h"
#include "world.h"

/* Of bodies that stand in the way: see world_standing.c. */
typedef struct world_standing {
    struct world_stand *list; /* [room] by slot of the body */
    int32_t room;
    uint64_t number; /* of changes so far */
} world_standing;

typedef struct world_bodies {
    throng_bodies *all; /* NULL until there is one */
    bool changed;       /* the backend has older sides */
    bool remade;        /* and of other bodies */
    uint32_t made;
    throng_near *near;
    int32_t near_room;
    world_standing standing;
} world_bodies;

/* world_bodies.c */
float throng_world_body_reach(const throng_world *world); /* m: in which the walls' grids must list what agents touch */
/* The world's bodies, which are made when there are none. NULL when memory is out. */
throng_bodies *throng_world_need_bodies(throng_world *world, throng_error *error);
/* Before stages run: the backend learns what the script did to bodies; their sides stay while a frame goes on. */
bool throng_world_follow_bodies(throng_world *world, throng_error *error);
/* Between plan and move: a frame of the physics. What pushes agents changes their wishes, and the frame's top speed. */
bool throng_world_move_bodies(throng_world *world, throng_error *error);
void throng_world_free_bodies(throng_world *world);

/* world_standing.c: meshes and routes follow the bodies that stand. */
bool throng_world_follow_standing(throng_world *world, throng_error *error);
void throng_world_free_standing(throng_world *world);

#endif
