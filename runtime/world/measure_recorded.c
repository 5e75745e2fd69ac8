/* Measures of people who are not the world's: those of a recording, whose places are told step by step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure_parts.h"

struct throng_measured_run {
    throng_measure *const *measures;
    int32_t measure_count;
    double dt;
    throng_point wrap;
    int32_t count; /* of people; -1: nobody has been told of */
    int64_t steps;
    bool *was_there;
    float *x, *y, *vx, *vy; /* [count] m: before the step; m/s */
    int32_t *state, *born, *group;
};

throng_measured_run *throng_measured_run_begin(throng_measure *const *measures, int32_t count, double dt,
                                               throng_point wrap, throng_error *error)
{
    throng_measured_run *run = calloc(1, sizeof *run);
    if (!run) {
        throng_fail(error, "out of memory for measures of a recording");
        return NULL;
    }
    *run = (throng_measured_run){.measures = measures, .measure_count = count, .dt = dt, .wrap = wrap, .count = -1};
    return run;
}

void throng_measured_run_free(throng_measured_run *run)
{
    if (!run)
        return;
    free(run->was_there);
    free(run->x);
    free(run->y);
    free(run->vx);
    free(run->vy);
    free(run->state);
    free(run->born);
    free(run->group);
    free(run);
}

/* Who is seen first at `first` s was spawned in the step that ends then. */
static bool begin(throng_measured_run *run, const throng_measured_people *people, throng_error *error)
{
    size_t n = (size_t)people->count + 1;
    run->was_there = calloc(n, sizeof *run->was_there);
    run->x = calloc(n, sizeof *run->x);
    run->y = calloc(n, sizeof *run->y);
    run->vx = calloc(n, sizeof *run->vx);
    run->vy = calloc(n, sizeof *run->vy);
    run->state = calloc(n, sizeof *run->state);
    run->born = calloc(n, sizeof *run->born);
    run->group = calloc(n, sizeof *run->group);
    if (!run->was_there || !run->x || !run->y || !run->vx || !run->vy || !run->state || !run->born || !run->group)
        return throng_fail(error, "out of memory for measures of %d people", people->count);
    run->count = people->count;
    for (int32_t s = 0; s < people->count; s++)
        run->born[s] = (int32_t)fmin(fmax(ceil(people->first[s] / run->dt - 1e-6), 0), 2e9);
    return true;
}

static float velocity(float from, float to, double size, double dt)
{
    double step = (double)to - (double)from;
    if (size > 0 && fabs(step) > size / 2)
        step -= copysign(size, step);
    return (float)(step / dt);
}

/* Before the step: those who are there before it and after. */
static void look(throng_measured_run *run, const throng_measured_people *people)
{
    for (int32_t s = 0; s < run->count; s++) {
        bool both = run->was_there[s] && people->there[s];
        run->state[s] = both ? THRONG_STATE_ALIVE : 0;
        run->vx[s] = both ? velocity(run->x[s], people->x[s], run->wrap.x, run->dt) : 0;
        run->vy[s] = both ? velocity(run->y[s], people->y[s], run->wrap.y, run->dt) : 0;
    }
}

static void keep(throng_measured_run *run, const throng_measured_people *people)
{
    memcpy(run->was_there, people->there, (size_t)run->count * sizeof *run->was_there);
    memcpy(run->x, people->x, (size_t)run->count * sizeof *run->x);
    memcpy(run->y, people->y, (size_t)run->count * sizeof *run->y);
}

bool throng_measured_run_step(throng_measured_run *run, const throng_measured_people *people, throng_error *error)
{
    if (run->count < 0) {
        bool begun = begin(run, people, error);
        if (begun)
            keep(run, people);
        return begun;
    }
    run->steps++;
    look(run, people);
    measure_view view = {.slots = run->count,
                         .id = people->id,
                         .kind = run->group,
                         .state = run->state,
                         .before_x = run->x,
                         .before_y = run->y,
                         .x = people->x,
                         .y = people->y,
                         .was_x = run->x,
                         .was_y = run->y,
                         .vx = run->vx,
                         .vy = run->vy,
                         .wrap = run->wrap,
                         .born = run->born,
                         .dt = run->dt,
                         .time = (double)run->steps * run->dt};
    for (int32_t i = 0; i < run->measure_count; i++)
        if (!throng_measure_step(run->measures[i], &view, run->steps, error))
            return false;
    keep(run, people);
    return true;
}
