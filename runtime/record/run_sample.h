/* Samples of the crowd: where everybody living is now. */
#ifndef THRONG_RUN_SAMPLE_H
#define THRONG_RUN_SAMPLE_H

#include "body_outlines.h"
#include "picture/picture.h"
#include "run_smoke.h"

typedef struct throng_sample {
    double time; /* s */
    int32_t count, room;
    int32_t *id, *group;    /* [count] */
    float *x, *y, *hx, *hy; /* [count] m; unit heading */
    float *radius;          /* [count] m */
    float *arm_x, *arm_y;   /* [count] m: half the line across the shoulders; 0, 0: a disc. NULL: all are discs */
    bool *shut;             /* [doors of the map]: is it closed? NULL: there are none */
    throng_plan_car *cars;  /* [lifts of the map]; NULL: there are none */
    throng_body_outlines bodies;
    throng_smoke_picture smoke; /* where it was asked for */
} throng_sample;

/* Replaces the sample by the living agents of now. */
bool throng_sample_take(throng_sample *sample, throng_world *world, throng_error *error);
/* The smoke of now goes with it, for a picture. */
bool throng_sample_take_smoke(throng_sample *sample, const throng_world *world, throng_error *error);
void throng_sample_fini(throng_sample *sample);
/* The box around everybody, a little larger. */
throng_bounds throng_sample_bounds(const throng_sample *sample);

#endif
