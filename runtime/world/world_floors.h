/* Who has come to another floor in a step, for the callbacks of scripts: world_floors.c. */
#ifndef THRONG_WORLD_FLOORS_H
#define THRONG_WORLD_FLOORS_H

#include "world.h"

typedef struct world_floors {
    bool watched;    /* somebody asked for it */
    int32_t *place;  /* [sheets] the first sheet of its floor, flight or lift */
    int32_t *before; /* [slots, room] of everybody, before the step */
    int32_t room;
    throng_floor_change *changes; /* [changed, changes_room] of the last step: by where from, where to, slot */
    int32_t changed, changes_room;
} world_floors;

/* For the world's step: before its phases, and after them. */
bool throng_world_floors_before(throng_world *world, throng_error *error);
bool throng_world_floors_after(throng_world *world, throng_error *error);
void throng_world_free_floors(throng_world *world);

#endif
