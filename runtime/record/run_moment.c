#include "run_moment.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "picture/picture.h"

enum { FILM_WIDTH = 1280 }; /* pixels */

bool throng_moment_groups(const throng_world *world, throng_plan_picture *plan)
{
    int32_t count = throng_world_group_count(world);
    const char **names = malloc((size_t)(count + 1) * sizeof *names);
    uint32_t *colours = malloc((size_t)(count + 1) * sizeof *colours);
    for (int32_t i = 0; names && colours && i < count; i++) {
        names[i] = throng_world_group_name(world, i);
        if (!throng_world_group_colour(world, i, &colours[i]))
            colours[i] = UINT32_MAX;
    }
    plan->group_names = names;
    plan->group_colours = colours;
    plan->group_count = count;
    if (names && colours)
        return true;
    throng_moment_free_groups(plan);
    return false;
}

void throng_moment_free_groups(throng_plan_picture *plan)
{
    free((void *)(uintptr_t)plan->group_names);
    free((void *)(uintptr_t)plan->group_colours);
    plan->group_names = NULL;
    plan->group_colours = NULL;
}

/* Names of the groups go with it: to be freed. */
static bool describe(throng_plan_picture *plan, const throng_world *world, const throng_sample *sample,
                     const char *title, const char *subtitle, throng_error *error)
{
    *plan = (throng_plan_picture){.map = throng_world_map(world),
                                  .title = title,
                                  .subtitle = subtitle,
                                  .time = sample->time,
                                  .count = sample->count,
                                  .x = sample->x,
                                  .y = sample->y,
                                  .radius = sample->radius,
                                  .arm_x = sample->arm_x,
                                  .arm_y = sample->arm_y,
                                  .hx = sample->hx,
                                  .hy = sample->hy,
                                  .group = sample->group,
                                  .smoke = &sample->smoke,
                                  .shut = sample->shut,
                                  .cars = sample->cars};
    if (!throng_moment_groups(world, plan))
        return throng_fail(error, "out of memory");
    throng_body_outlines_show(&sample->bodies, plan);
    return true;
}

bool throng_moment_draw(const char *path, const throng_world *world, const throng_sample *sample,
                        const struct throng_local_map *local, int32_t width, const char *title, const char *subtitle,
                        throng_error *error)
{
    throng_plan_picture plan;
    if (!describe(&plan, world, sample, title, subtitle, error))
        return false;
    plan.local = local;
    plan.width = width;
    bool drawn = throng_picture_plan(path, &plan, error);
    throng_moment_free_groups(&plan);
    return drawn;
}

bool throng_moment_film(throng_film *film, const throng_world *world, const throng_sample *sample,
                        const throng_bounds *place, const char *title, throng_error *error)
{
    throng_plan_picture plan;
    char subtitle[64];
    snprintf(subtitle, sizeof subtitle, "%d agents", sample->count);
    if (!describe(&plan, world, sample, title, subtitle, error))
        return false;
    plan.place = *place;
    plan.width = FILM_WIDTH;
    throng_canvas *canvas = throng_picture_draw(&plan, error);
    bool added = canvas && throng_film_add(film, canvas, error);
    throng_canvas_destroy(canvas);
    throng_moment_free_groups(&plan);
    return added;
}
