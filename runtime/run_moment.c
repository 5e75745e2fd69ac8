#include "run_moment.h"

#include <stdlib.h>

#include "picture.h"

const char **throng_kind_names(const throng_world *world)
{
    int32_t count = throng_world_kinds(world);
    const char **names = malloc((size_t)(count + 1) * sizeof *names);
    for (int32_t i = 0; names && i < count; i++)
        names[i] = throng_world_kind_name(world, i);
    return names;
}

bool throng_moment_draw(const char *path, const throng_world *world, const throng_sample *sample, const char *title,
                        const char *subtitle, throng_error *error)
{
    const char **names = throng_kind_names(world);
    if (!names)
        return throng_fail(error, "out of memory");
    throng_plan_picture plan = {.map = throng_world_map(world),
                                .title = title,
                                .subtitle = subtitle,
                                .time = sample->time,
                                .count = sample->count,
                                .x = sample->x,
                                .y = sample->y,
                                .radius = sample->radius,
                                .hx = sample->hx,
                                .hy = sample->hy,
                                .kind = sample->kind,
                                .kind_names = names,
                                .kind_count = throng_world_kinds(world)};
    throng_body_outlines_show(&sample->bodies, &plan);
    bool drawn = throng_picture_plan(path, &plan, error);
    free(names);
    return drawn;
}
