#include "run_traces.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

static bool add_point(throng_traces *traces, int32_t trace, float x, float y, throng_error *error)
{
    int64_t wanted = (int64_t)traces->point_count + 1;
    if (!throng_array_reserve((void **)&traces->trace, &traces->rooms[0], wanted, sizeof *traces->trace) ||
        !throng_array_reserve((void **)&traces->px, &traces->rooms[1], wanted, sizeof *traces->px) ||
        !throng_array_reserve((void **)&traces->py, &traces->rooms[2], wanted, sizeof *traces->py))
        return throng_fail(error, "out of memory for traces");
    traces->trace[traces->point_count] = trace;
    traces->px[traces->point_count] = x;
    traces->py[traces->point_count++] = y;
    return true;
}

/* Makes room for traces up to this one. */
static bool reach(throng_traces *traces, int32_t trace, throng_error *error)
{
    if (!throng_array_reserve((void **)&traces->group, &traces->group_room, (int64_t)trace + 1, sizeof *traces->group))
        return throng_fail(error, "out of memory for traces");
    for (; traces->count <= trace; traces->count++)
        traces->group[traces->count] = 0;
    return true;
}

bool throng_traces_add(throng_traces *traces, const int32_t *id, const float *x, const float *y, const int32_t *group,
                       int32_t count, int32_t about, throng_error *error)
{
    if (traces->every == 0 && count > 0)
        traces->every = count / about + 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t trace = id[i] / traces->every;
        if (id[i] % traces->every != 0 || trace >= 2 * about)
            continue;
        if (!reach(traces, trace, error) || !add_point(traces, trace, x[i], y[i], error))
            return false;
        traces->group[trace] = group ? group[i] : 0;
    }
    return true;
}

/* Whose trace goes on at the other side of a world that wraps begins another there. */
static bool split_at_seams(throng_traces *traces, throng_error *error)
{
    size_t most = (size_t)traces->point_count + (size_t)traces->count + 2;
    int32_t count = 0, *start = malloc(most * sizeof *start), *group = malloc(most * sizeof *group);
    if (!start || !group) {
        free(start);
        free(group);
        return throng_fail(error, "out of memory for traces");
    }
    for (int32_t t = 0; t < traces->count; t++) {
        group[count] = traces->group[t];
        start[count++] = traces->start[t];
        for (int32_t i = traces->start[t] + 1; i < traces->start[t + 1]; i++)
            if (fabs((double)(traces->x[i] - traces->x[i - 1])) > traces->wrap.x / 2 ||
                fabs((double)(traces->y[i] - traces->y[i - 1])) > traces->wrap.y / 2) {
                group[count] = traces->group[t];
                start[count++] = i;
            }
    }
    start[count] = traces->point_count;
    free(traces->start);
    free(traces->group);
    traces->start = start;
    traces->group = group;
    traces->count = count;
    return true;
}

bool throng_traces_flatten(throng_traces *traces, throng_error *error)
{
    size_t points = (size_t)traces->point_count + 1, count = (size_t)traces->count;
    if (traces->start)
        return true;
    traces->start = calloc(count + 2, sizeof *traces->start);
    traces->x = malloc(points * sizeof *traces->x);
    traces->y = malloc(points * sizeof *traces->y);
    if (!traces->start || !traces->x || !traces->y)
        return throng_fail(error, "out of memory for traces");
    /* a counting sort by trace: start[t + 2] counts, start[t + 1] becomes the place to fill */
    for (int32_t i = 0; i < traces->point_count; i++)
        traces->start[traces->trace[i] + 2]++;
    for (size_t t = 2; t < count + 2; t++)
        traces->start[t] += traces->start[t - 1];
    for (int32_t i = 0; i < traces->point_count; i++) {
        int32_t at = traces->start[traces->trace[i] + 1]++;
        traces->x[at] = traces->px[i];
        traces->y[at] = traces->py[i];
    }
    return traces->wrap.x == 0 || split_at_seams(traces, error);
}

void throng_traces_fini(throng_traces *traces)
{
    free(traces->trace);
    free(traces->px);
    free(traces->py);
    free(traces->x);
    free(traces->y);
    free(traces->start);
    free(traces->group);
    *traces = (throng_traces){0};
}
