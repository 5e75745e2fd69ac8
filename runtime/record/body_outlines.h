/* Outlines of rigid bodies, to be drawn: by pictures, films, the viewer and replays. */
#ifndef THRONG_BODY_OUTLINES_H
#define THRONG_BODY_OUTLINES_H

#include "picture/picture.h"
#include "world/world.h"

/* What a body looks like where it lies at the origin and is not turned. */
typedef struct throng_body_form {
    double radius;                            /* m, of a circle; 0: a polygon */
    int32_t count;                            /* its corners, counter-clockwise */
    throng_point corner[THRONG_BODY_CORNERS]; /* m, from its centre of mass */
} throng_body_form;

/* Outline b is points[start[b] .. start[b + 1]), m. All zero: none. */
typedef struct throng_body_outlines {
    int32_t count;
    int32_t *start; /* [count + 1]; NULL while nothing was ever added */
    throng_point *points;
    int32_t room, point_room;
} throng_body_outlines;

/* Replaces what was there by the bodies of now. */
bool throng_body_outlines_take(throng_body_outlines *outlines, const throng_world *world, throng_error *error);
/* One more, at (x, y) m and turned by `angle` rad; circles are drawn with THRONG_BODY_CORNERS corners. */
bool throng_body_outlines_add(throng_body_outlines *outlines, const throng_body_form *shape, double x, double y,
                              double angle, throng_error *error);
void throng_body_outlines_clear(throng_body_outlines *outlines); /* none, and room as before */
void throng_body_outlines_fini(throng_body_outlines *outlines);

/* As a picture takes them; the outlines stay the caller's. */
void throng_body_outlines_show(const throng_body_outlines *outlines, throng_plan_picture *plan);

/* The shape of a living body. */
throng_body_form throng_body_form_of(const throng_bodies *bodies, throng_handle handle);

#endif
