/* Rigid bodies on the floor, seen from above: Chipmunk2D moves them, once a frame, on one thread.
 *
 * Bodies slide on the floor and on each other with one coefficient of friction, do not bounce, and stop at walls.
 * Agents near a body take part as discs with their own mass: they push with as much force as THRONG_PUSH times their
 * mass, and are pushed. Everything is put into the space in an order that the script alone gives, and turned by sines
 * of our own, so the same calls give the same bits on every machine.
 *
 * Places are those of the map. In a building these are not the positions of the plan (map_sheets.h): its floors lie
 * side by side, so bodies of two floors never meet, and a body stays on its own, whose seams hold it as walls do. */
#ifndef THRONG_BODIES_H
#define THRONG_BODIES_H

#include "agents.h"
#include "stages/backend.h"
#include "map/map.h"

enum { THRONG_BODY_CORNERS = 32, THRONG_CIRCLE_SIDES = 12 };

#define THRONG_BODY_FASTEST 10.0 /* m/s: no body is faster, at its rim either */
#define THRONG_PUSH         4.0  /* m/s^2: agents push with this times their mass */

typedef struct throng_bodies throng_bodies;

/* A circle where `radius` is more than 0, else the convex polygon of `count` points, counter-clockwise. */
typedef struct throng_body_def {
    double radius;                            /* m */
    throng_point points[THRONG_BODY_CORNERS]; /* m, from (x, y) */
    int32_t count;
    double x, y, angle;    /* m, rad: turned about (x, y) */
    double vx, vy, spin;   /* m/s, rad/s */
    double mass, friction; /* kg; of what it weighs */
    bool fixed;            /* nothing moves it; it has no mass */
    int32_t sheet;         /* that it is on; 0 in a world of one */
} throng_body_def;

throng_body_def throng_body_def_default(void); /* 20 kg, friction 0.4, no shape */

/* What a body is and does; (x, y) is its centre of mass. */
typedef struct throng_body {
    double x, y, angle, vx, vy, spin, mass, friction, radius; /* radius 0: a polygon */
    bool fixed;
    int32_t sheet;
} throng_body;

/* A wall that holds bodies, and the ends of those that it goes on into. */
typedef struct throng_body_wall {
    throng_point from, to, before, after; /* m */
    bool passed;                          /* people come through it, bodies do not: a seam, a one-way door, a lift's */
} throng_body_wall;

/* `dt` s a frame, in a world that wraps after `wrap` m, {0, 0}: it does not. NULL when memory is out. */
throng_bodies *throng_bodies_create(double dt, throng_point wrap);
void throng_bodies_destroy(throng_bodies *bodies);

/* Errors name what of the definition is wrong. */
bool throng_bodies_add(throng_bodies *bodies, const throng_body_def *def, throng_handle *handle, throng_error *error);
/* A body like `what`, a living one of `from`, where that is and as fast. */
bool throng_bodies_copy(throng_bodies *bodies, const throng_bodies *from, throng_handle what, throng_error *error);
/* NULL: a world that has none. */
bool throng_bodies_alive(const throng_bodies *bodies, throng_handle handle);
/* Of living bodies. */
void throng_bodies_remove(throng_bodies *bodies, throng_handle handle);
void throng_bodies_get(const throng_bodies *bodies, throng_handle handle, throng_body *body);
void throng_bodies_put(throng_bodies *bodies, throng_handle handle, int32_t sheet, double x, double y, double angle);
/* kg, of a body that is not fixed; and of what it weighs. */
void throng_bodies_weigh(throng_bodies *bodies, throng_handle handle, double mass, double friction);
double throng_bodies_area(const throng_bodies *bodies, throng_handle handle); /* m^2 */
/* Faster than THRONG_BODY_FASTEST is cut off to that. Nothing moves a fixed body. */
void throng_bodies_send(throng_bodies *bodies, throng_handle handle, double vx, double vy, double spin);
/* A force on the centre of mass, N, during the next frame, added to what was asked for before. */
void throng_bodies_push(throng_bodies *bodies, throng_handle handle, double fx, double fy);

bool throng_bodies_set_walls(throng_bodies *bodies, const throng_body_wall *walls, int32_t count, throng_error *error);

/* A frame, with the agents that may touch a body or an image of one, at their places, ascending by slot: changes their
 * wishes. None is sent faster than `limit` m/s. */
bool throng_bodies_step(throng_bodies *bodies, throng_near *agents, int32_t count, double limit, throng_error *error);

/* Is some body within `reach` m of the point, or over it? */
bool throng_bodies_cover(const throng_bodies *bodies, throng_point point, double reach);

/* Has the body stopped or pushed an agent since this was asked last? */
bool throng_bodies_take_pressed(throng_bodies *bodies, int32_t slot);
/* Is it elsewhere than when this was asked last, or moves it, or did it? */
bool throng_bodies_take_moved(throng_bodies *bodies, int32_t slot);

/* Handles by index, for going through all: living are those that throng_bodies_alive says so of. */
int32_t throng_bodies_slots(const throng_bodies *bodies);
throng_handle throng_bodies_handle(const throng_bodies *bodies, int32_t slot);
int32_t throng_bodies_count(const throng_bodies *bodies);
/* The corners, counter-clockwise, of a circle those of a polygon about it; returns how many. */
int32_t throng_bodies_outline(const throng_bodies *bodies, int32_t slot, throng_point *corners);
int32_t throng_bodies_sides(const throng_bodies *bodies); /* of all */
int32_t throng_bodies_corners(const throng_bodies *bodies, int32_t slot);
/* Images of each, by which bodies are seen and met across the seam of a world that wraps, and how far image `number`
 * is from the body. */
int32_t throng_bodies_images(const throng_bodies *bodies);
throng_point throng_bodies_image(const throng_bodies *bodies, int32_t slot, int32_t number);
/* m: how far the farthest corner of a body is from its middle; from side s of its outline, how far it reaches. */
double throng_bodies_reach(const throng_bodies *bodies, int32_t slot);
double throng_bodies_depth(const throng_bodies *bodies, int32_t slot, int32_t side);
double throng_bodies_fastest(const throng_bodies *bodies); /* m/s: at any rim, in the next frame */

uint64_t throng_bodies_hash(const throng_bodies *bodies);

#endif
