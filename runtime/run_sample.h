/* Samples of the crowd: where everybody living is now, and traces of some. */
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
    throng_point wrap; /* m: of a world that wraps, else 0 */
} throng_sample;

/* Replaces the sample by the living agents of now. */
bool throng_sample_take(throng_sample *sample, throng_world *world, throng_error *error);
void throng_sample_fini(throng_sample *sample);
/* The box around everybody, a little larger. */
throng_bounds throng_sample_bounds(const throng_sample *sample);

/* Paths of some agents: every n-th by id. */
typedef struct throng_traces {
    int32_t every;       /* ids between traced agents, 0: not chosen yet */
    int32_t point_count; /* added so far, in order of time */
    int32_t rooms[3];
    int32_t *trace; /* [point_count] which trace the point belongs to */
    float *px, *py; /* [point_count] m */
    float *x, *y;   /* flattened: one trace after the other */
    int32_t *start; /* [count + 1] */
    int32_t count;
    throng_point wrap; /* m: of a world that wraps, else 0 */
} throng_traces;

bool throng_traces_add(throng_traces *traces, const throng_sample *sample, int32_t about, throng_error *error);
/* Fills x, y, start and count. */
bool throng_traces_flatten(throng_traces *traces, throng_error *error);
void throng_traces_fini(throng_traces *traces);

#endif
