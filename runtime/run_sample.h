/* Samples of the crowd: where everybody living is now. */
#ifndef THRONG_RUN_SAMPLE_H
#define THRONG_RUN_SAMPLE_H

#include "picture.h"
#include "world.h"

/* Where all bodies are now: outline b is points[start[b] .. start[b + 1]), m. */
typedef struct throng_body_outlines {
    int32_t count;
    int32_t *start; /* [count + 1] */
    throng_point *points;
} throng_body_outlines;

/* Replaces what was there. */
bool throng_body_outlines_take(throng_body_outlines *outlines, const throng_world *world, throng_error *error);
void throng_body_outlines_fini(throng_body_outlines *outlines);
/* As a picture takes them; the outlines stay the caller's. */
void throng_body_outlines_show(const throng_body_outlines *outlines, throng_plan_picture *plan);

typedef struct throng_sample {
    double time; /* s */
    int32_t count, room;
    int32_t *id, *kind;     /* [count] */
    float *x, *y, *hx, *hy; /* [count] m; unit heading */
    float *radius;          /* [count] m */
    throng_body_outlines bodies;
} throng_sample;

/* Replaces the sample by the living agents of now. */
bool throng_sample_take(throng_sample *sample, throng_world *world, throng_error *error);
void throng_sample_fini(throng_sample *sample);
/* The box around everybody, a little larger. */
throng_bounds throng_sample_bounds(const throng_sample *sample);

#endif
