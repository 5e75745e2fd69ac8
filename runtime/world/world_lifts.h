/* Lifts that run: world_lifts.c. */
#ifndef THRONG_WORLD_LIFTS_H
#define THRONG_WORLD_LIFTS_H

#include "world.h"

typedef struct world_lift {
    double z, v;    /* m; m/s, 0 or more */
    int32_t stop;   /* of the map: whose sheet its riders are on, and where its doors open */
    int32_t target; /* the stop that it moves to */
    int32_t phase;  /* throng_lift_phase */
    int32_t direction;
    uint32_t until;          /* step at which its doors are open, or closed, or may close */
    uint32_t late;           /* step at which its doors close whoever is in the way, or does not come */
    int32_t riders, leaving; /* in it, and of these, those who get out where it is */
    bool stopped;            /* out of service */
} world_lift;

typedef struct world_lifts {
    world_lift *list; /* [count] */
    int32_t count;
    uint8_t *use;                  /* [stops of the map] THRONG_STOP_... */
    int32_t *car;                  /* [sheets of the map] the stop whose car that is, -1: none */
    struct lift_passenger *people; /* [room] of this frame */
    int32_t room;
    int32_t *value; /* [value_room] the column `lift` of this frame */
    int32_t value_room;
} world_lifts;

bool throng_world_init_lifts(throng_world *world, throng_error *error);
void throng_world_free_lifts(throng_world *world);

/* One frame of every lift: who waits, boards, rides and gets out; where cars go; their doors. */
bool throng_world_run_lifts(throng_world *world, throng_error *error);

uint64_t throng_world_mix_lifts(const throng_world *world, uint64_t hash);

#endif
