/* What the bodies are made of: private to bodies*.c.
 *
 * bodies.c        the list of bodies, walls, answers       bodies_agents.c  discs of the agents near bodies
 * bodies_shape.c  definitions, corners and moments         bodies_seam.c    worlds that wrap
 * bodies_motion.c how bodies move                          bodies_frame.c   a frame of all of it */
#ifndef THRONG_BODIES_PARTS_H
#define THRONG_BODIES_PARTS_H

#include <chipmunk/chipmunk.h>
#include <chipmunk/chipmunk_structs.h>

#include "bodies.h"

/* Kinds of shapes, for what collides with what: agents do not among themselves, the contacts see to that. */
enum { BODY_WALL = 1, BODY_BODY = 2, BODY_AGENT = 4, BODY_IMAGE = 8 };

/* Of a body near the seam of a world that wraps, as those on the other side have it. */
typedef struct body_image {
    cpBody *body;
    cpShape *shape;
    bool present; /* in the space */
} body_image;

enum { BODY_IMAGES = 3 }; /* across in x, in y, in both */

/* What every step reads comes first. */
typedef struct body {
    cpBody *body; /* NULL: removed */
    cpShape *shape;
    double fx, fy; /* N: asked for in the next frame */
    cpVect free_v; /* m/s, rad/s: after a step of the physics if it had touched nothing */
    double free_w;
    int32_t corners;
    bool fixed, pressed, moved;      /* see throng_bodies_take_pressed, throng_bodies_take_moved */
    bool placed;                     /* since its polygon was brought to where it is, */
    cpShapeCacheDataImpl bring;      /* by this */
    double mass, friction, gyration; /* kg; m: radius of gyration */
    double reach, thickness, radius; /* m: of the farthest corner; of the nearest side; 0 or a circle's */
    uint32_t generation;
    int32_t sheet;
    body_image image[BODY_IMAGES];
    throng_point corner[THRONG_BODY_CORNERS]; /* about the centre of mass */
    double depth[THRONG_BODY_CORNERS];        /* m: how far it reaches from a side */
} body;

/* See bodies_agents.c. */
typedef struct body_disc body_disc;
typedef struct body_listed body_listed;
typedef struct body_meeting body_meeting;

/* Moving shapes as they were, and those of each cell that a box comes into: list[start[c] .. start[c + 1]). */
typedef struct body_cells {
    body_listed *shape;
    int32_t count, room;
    cpBB box;    /* m: about all */
    double cell; /* m */
    int32_t columns, rows;
    int32_t *start, start_room, *list, list_room;
} body_cells;

struct throng_bodies {
    double dt;
    throng_point wrap; /* m; {0, 0}: the world does not wrap */
    double largest;    /* m: reach of any body so far */
    cpSpace *space;
    cpShapeClass polygon; /* Chipmunk's, that stays where it is */
    /* The giant (m) and how many bodies the hash of moving shapes was made for; 0: they are in Chipmunk's tree. */
    double hashed_for;
    int32_t hashed_count;
    body *list;
    int32_t slots, room, count, sides;
    int32_t *unused, unused_count;
    cpShape **walls;
    int32_t wall_count;
    cpConstraint *apart; /* keeps discs out of bodies and walls */
    body_disc *discs;    /* of the agents near bodies in this frame */
    int32_t disc_count, disc_room;
    body_cells cells;
    body_meeting *meetings; /* those who touch in this step first */
    int32_t meeting_count, meeting_room, touching;
    int32_t rounds; /* of the solver, in this step */
};

/* --- shapes --- */

bool body_check(const throng_body_def *def, throng_error *error);
/* Corners about the centre of mass, sizes, mass and friction of what was checked; returns where the centre is in the
 * definition's frame. */
throng_point body_make(body *b, const throng_body_def *def);
double body_moment(const body *b); /* kg m^2 */
cpShape *body_shape(const body *b, cpBody *of, cpBitmask kind, cpBitmask meets);
/* The body's polygon, which is in the space, is brought to where it is in those steps alone in which it has moved. */
void body_shape_stays(throng_bodies *b, body *me);

/* --- motion --- */

/* Sine and cosine of an angle in [-pi, pi] by sums and products alone, which every machine rounds alike. */
void body_turn_of(double angle, double *sine, double *cosine);
double body_wrapped(double angle); /* into [-pi, pi] */
void body_place(cpBody *b, cpVect at, double angle);
cpVect body_within(cpVect v, double limit);                    /* cut off to that length */
double body_rim_speed(const throng_bodies *b, const body *me); /* m/s: how fast its rim may be in the next frame */

/* Chipmunk's hooks: of bodies, of their images. */
void body_slide(cpBody *b, cpVect gravity, cpFloat damping, cpFloat dt);
void body_carry(cpBody *b, cpFloat dt);
void body_carry_image(cpBody *b, cpFloat dt);

/* --- the space --- */

/* Takes a shape and its body (NULL: the walls', which stays) out of the space, unless that is gone. */
void body_leave(throng_bodies *b, cpShape *shape, cpBody *its);

/* --- agents --- */

void body_agents_init(throng_bodies *b);
/* Discs for a frame, and whom they may meet, of bodies of which the fastest has so many m/s. False: out of memory. */
bool body_agents_enter(throng_bodies *b, const throng_near *agents, int32_t count, double fastest);
/* What stopped or pushed an agent's disc does so to the agent. */
void body_agents_obey(const throng_bodies *b, throng_near *agents, double limit);
void body_agents_free(throng_bodies *b);

/* --- the seam --- */

void body_seam_init(throng_bodies *b);
void body_seam_add(throng_bodies *b, body *me); /* its images */
void body_seam_remove(throng_bodies *b, body *me);
void body_seam_begin(throng_bodies *b); /* before the steps of a frame: images of all that are near enough */
void body_seam_share(throng_bodies *b); /* after one of them: body and images feel what any of them felt */
void body_seam_end(throng_bodies *b);   /* after the last: who left on one side comes in on the other */

#endif
