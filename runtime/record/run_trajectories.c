#include "run_trajectories.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

static bool add_point(throng_trajectories *trajectories, int32_t trajectory, float x, float y, throng_error *error)
{
    int64_t wanted = (int64_t)trajectories->point_count + 1;
    if (!throng_array_reserve((void **)&trajectories->trajectory, &trajectories->rooms[0], wanted,
                              sizeof *trajectories->trajectory) ||
        !throng_array_reserve((void **)&trajectories->px, &trajectories->rooms[1], wanted, sizeof *trajectories->px) ||
        !throng_array_reserve((void **)&trajectories->py, &trajectories->rooms[2], wanted, sizeof *trajectories->py))
        return throng_fail(error, "out of memory for trajectories");
    trajectories->trajectory[trajectories->point_count] = trajectory;
    trajectories->px[trajectories->point_count] = x;
    trajectories->py[trajectories->point_count++] = y;
    return true;
}

/* Makes room for trajectories up to this one. */
static bool reach(throng_trajectories *trajectories, int32_t trajectory, throng_error *error)
{
    if (!throng_array_reserve((void **)&trajectories->group, &trajectories->group_room, (int64_t)trajectory + 1,
                              sizeof *trajectories->group))
        return throng_fail(error, "out of memory for trajectories");
    for (; trajectories->count <= trajectory; trajectories->count++)
        trajectories->group[trajectories->count] = 0;
    return true;
}

bool throng_trajectories_add(throng_trajectories *trajectories, const int32_t *id, const float *x, const float *y,
                             const int32_t *group, int32_t count, int32_t about, throng_error *error)
{
    if (trajectories->every == 0 && count > 0)
        trajectories->every = count / about + 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t trajectory = id[i] / trajectories->every;
        if (id[i] % trajectories->every != 0 || trajectory >= 2 * about)
            continue;
        if (!reach(trajectories, trajectory, error) || !add_point(trajectories, trajectory, x[i], y[i], error))
            return false;
        trajectories->group[trajectory] = group ? group[i] : 0;
    }
    return true;
}

/* Whose trajectory goes on at the other side of a world that wraps begins another there. */
static bool split_at_seams(throng_trajectories *trajectories, throng_error *error)
{
    size_t most = (size_t)trajectories->point_count + (size_t)trajectories->count + 2;
    int32_t count = 0, *start = malloc(most * sizeof *start), *group = malloc(most * sizeof *group);
    if (!start || !group) {
        free(start);
        free(group);
        return throng_fail(error, "out of memory for trajectories");
    }
    for (int32_t t = 0; t < trajectories->count; t++) {
        group[count] = trajectories->group[t];
        start[count++] = trajectories->start[t];
        for (int32_t i = trajectories->start[t] + 1; i < trajectories->start[t + 1]; i++)
            if (fabs((double)(trajectories->x[i] - trajectories->x[i - 1])) > trajectories->wrap.x / 2 ||
                fabs((double)(trajectories->y[i] - trajectories->y[i - 1])) > trajectories->wrap.y / 2) {
                group[count] = trajectories->group[t];
                start[count++] = i;
            }
    }
    start[count] = trajectories->point_count;
    free(trajectories->start);
    free(trajectories->group);
    trajectories->start = start;
    trajectories->group = group;
    trajectories->count = count;
    return true;
}

bool throng_trajectories_flatten(throng_trajectories *trajectories, throng_error *error)
{
    size_t points = (size_t)trajectories->point_count + 1, count = (size_t)trajectories->count;
    if (trajectories->start)
        return true;
    trajectories->start = calloc(count + 2, sizeof *trajectories->start);
    trajectories->x = malloc(points * sizeof *trajectories->x);
    trajectories->y = malloc(points * sizeof *trajectories->y);
    if (!trajectories->start || !trajectories->x || !trajectories->y)
        return throng_fail(error, "out of memory for trajectories");
    /* a counting sort by trajectory: start[t + 2] counts, start[t + 1] becomes the place to fill */
    for (int32_t i = 0; i < trajectories->point_count; i++)
        trajectories->start[trajectories->trajectory[i] + 2]++;
    for (size_t t = 2; t < count + 2; t++)
        trajectories->start[t] += trajectories->start[t - 1];
    for (int32_t i = 0; i < trajectories->point_count; i++) {
        int32_t at = trajectories->start[trajectories->trajectory[i] + 1]++;
        trajectories->x[at] = trajectories->px[i];
        trajectories->y[at] = trajectories->py[i];
    }
    return trajectories->wrap.x == 0 || split_at_seams(trajectories, error);
}

void throng_trajectories_fini(throng_trajectories *trajectories)
{
    free(trajectories->trajectory);
    free(trajectories->px);
    free(trajectories->py);
    free(trajectories->x);
    free(trajectories->y);
    free(trajectories->start);
    free(trajectories->group);
    *trajectories = (throng_trajectories){0};
}
