/* What an agent's planner saw and chose in a step, to look at. Velocities in m/s, forces as in
 * kernels/planners/forces.h. */
#ifndef THRONG_CHOICE_H
#define THRONG_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "local_map.h"
#include "planners.h"

enum {
    THRONG_CHOICE_LINES = 32,
    THRONG_CHOICE_REGIONS = 80,
    THRONG_CHOICE_SIDES = 3,
    THRONG_CHOICE_SAMPLES = 1024,
    THRONG_CHOICE_PUSHES = 64
};

/* Planner orca: the velocities on the left of the line through (x, y) in the direction (dx, dy), a unit vector, are
 * permitted. */
typedef struct throng_choice_line {
    float x, y, dx, dy;
} throng_choice_line;

/* Planner clearpath: the velocities v with nx . v.x + ny . v.y > d for all sides are not. */
typedef struct throng_choice_region {
    float nx[THRONG_CHOICE_SIDES], ny[THRONG_CHOICE_SIDES], d[THRONG_CHOICE_SIDES];
} throng_choice_region;

/* Planner rvo: a velocity that was tried, and its cost in m/s; the first is the preferred one. */
typedef struct throng_choice_sample {
    float vx, vy, cost;
} throng_choice_sample;

/* Planner forces and the models of pairs: the push of somebody at (x, y) from the agent, m, weighted; of forces those
 * of all walls, and of all bodies, at (0, 0). In m/s^2 of models of forces; else beside a direction of length 1. */
typedef struct throng_choice_push {
    float x, y, fx, fy;
} throng_choice_push;

/* Do planners of this kind list pushes? */
static inline bool throng_choice_has_pushes(int32_t kind)
{
    return kind == THRONG_PLANNER_forces || THRONG_PLANNERS_KEEP_GAP >> kind & 1;
}

typedef struct throng_choice {
    int32_t planner;                  /* THRONG_PLANNER_... */
    float vx, vy;                     /* its velocity before */
    float preferred_x, preferred_y;   /* with what giving way, bodies and hazards turned it by */
    float chosen_x, chosen_y;         /* what became of it is the contacts' affair */
    float max_speed, reach;           /* how fast it can be, and by how much its velocity could change */
    float attraction_x, attraction_y; /* where pushes are listed: where it wants to go, weighted as they are */
    float force_x, force_y;           /* what they came to: a direction, a unit vector, or m/s^2 */
    float ahead;                      /* m: the gap ahead that bounded its speed, INFINITY: none did */
    int32_t count, walls; /* entries of the planner's list, as many as have room; the first so many are of walls */
    union {
        throng_choice_line line[THRONG_CHOICE_LINES];
        throng_choice_region region[THRONG_CHOICE_REGIONS];
        throng_choice_sample sample[THRONG_CHOICE_SAMPLES];
        throng_choice_push push[THRONG_CHOICE_PUSHES];
        throng_local_map map; /* planner bvp */
    };
} throng_choice;

#endif
