#include "run_sample.h"

#include "notes_lifts.h"
#include "world/world_sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void throng_sample_fini(throng_sample *sample)
{
    free(sample->id);
    free(sample->group);
    free(sample->x);
    free(sample->y);
    free(sample->hx);
    free(sample->hy);
    free(sample->radius);
    free(sample->arm_x);
    free(sample->arm_y);
    free(sample->shut);
    free(sample->cars);
    throng_body_outlines_fini(&sample->bodies);
    throng_smoke_fini(&sample->smoke);
    *sample = (throng_sample){0};
}

static bool reserve(throng_sample *sample, int32_t count, bool wide, throng_error *error)
{
    if (count <= sample->room && (!wide || sample->arm_x))
        return true;
    throng_sample_fini(sample);
    size_t size = (size_t)count * 4;
    sample->id = malloc(size);
    sample->group = malloc(size);
    sample->x = malloc(size);
    sample->y = malloc(size);
    sample->hx = malloc(size);
    sample->hy = malloc(size);
    sample->radius = malloc(size);
    sample->arm_x = wide ? malloc(size) : NULL;
    sample->arm_y = wide ? malloc(size) : NULL;
    if (!sample->id || !sample->group || !sample->x || !sample->y || !sample->hx || !sample->hy || !sample->radius ||
        (wide && !(sample->arm_x && sample->arm_y))) {
        throng_sample_fini(sample);
        return throng_fail(error, "out of memory for a sample of %d agents", count);
    }
    sample->room = count;
    return true;
}

typedef struct columns {
    const float *x, *y, *hx, *hy, *radius;
    const float *width, *shoulders; /* NULL: all are discs */
    const int32_t *group, *state;
} columns;

static bool read_columns(throng_world *world, columns *from, throng_error *error)
{
    throng_agents *agents = throng_world_agents(world);
    from->hx = throng_agents_read(agents, THRONG_COLUMN_hx, error);
    from->hy = throng_agents_read(agents, THRONG_COLUMN_hy, error);
    from->radius = throng_agents_read(agents, THRONG_COLUMN_radius, error);
    bool wide = throng_bodies_are_wide(agents);
    from->width = wide ? throng_agents_read(agents, THRONG_COLUMN_width, error) : NULL;
    from->shoulders = wide ? throng_agents_read(agents, THRONG_COLUMN_shoulders, error) : NULL;
    if (wide && !(from->width && from->shoulders))
        return false;
    from->group = throng_agents_read(agents, THRONG_COLUMN_group, error);
    from->state = throng_agents_read(agents, THRONG_COLUMN_state, error);
    return throng_world_places(world, &from->x, &from->y, error) && from->hx && from->hy && from->radius &&
           from->group && from->state;
}

static void copy_agent(throng_sample *sample, const throng_agents *agents, const columns *from, int32_t slot)
{
    int32_t at = sample->count++;
    sample->id[at] = throng_agents_id(agents, slot);
    sample->group[at] = from->group[slot];
    sample->x[at] = from->x[slot];
    sample->y[at] = from->y[slot];
    sample->hx[at] = from->hx[slot];
    sample->hy[at] = from->hy[slot];
    sample->radius[at] = from->radius[slot];
    if (from->width) {
        float arm = throng_world_arm(from->radius[slot], from->width[slot]);
        sample->arm_x[at] = arm * cosf(from->shoulders[slot]);
        sample->arm_y[at] = arm * sinf(from->shoulders[slot]);
    }
}

static bool take_doors(throng_sample *sample, const throng_world *world, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    int32_t doors = map ? map->door_count : 0;
    free(sample->shut);
    sample->shut = doors ? malloc((size_t)doors * sizeof *sample->shut) : NULL;
    for (int32_t d = 0; sample->shut && d < doors; d++)
        sample->shut[d] = !throng_world_door_open(world, d);
    return !doors || sample->shut || throng_fail(error, "out of memory for the doors of a sample");
}

static bool take_cars(throng_sample *sample, const throng_world *world, throng_error *error)
{
    const throng_map *map = throng_world_map(world);
    int32_t lifts = map && map->sheets ? map->sheets->lift_count : 0;
    free(sample->cars);
    sample->cars = lifts ? malloc((size_t)lifts * sizeof *sample->cars) : NULL;
    for (int32_t l = 0; sample->cars && l < lifts; l++) {
        throng_lift_state state = throng_world_lift(world, l);
        sample->cars[l] = throng_car_of(map->sheets, l, &state);
    }
    return !lifts || sample->cars || throng_fail(error, "out of memory for the lifts of a sample");
}

bool throng_sample_take(throng_sample *sample, throng_world *world, throng_error *error)
{
    throng_agents *agents = throng_world_agents(world);
    int32_t slots = throng_agents_slots(agents), living = throng_agents_count(agents);
    columns from;
    sample->count = 0;
    if (slots > 0 && !reserve(sample, living, throng_bodies_are_wide(agents), error))
        return false;
    if (slots > 0 && !read_columns(world, &from, error))
        return false;
    sample->time = throng_world_time(world);
    for (int32_t slot = 0; slot < slots && sample->count < living; slot++)
        if (from.state[slot] & THRONG_STATE_ALIVE)
            copy_agent(sample, agents, &from, slot);
    return take_doors(sample, world, error) && take_cars(sample, world, error) &&
           throng_body_outlines_take(&sample->bodies, world, error);
}

bool throng_sample_take_smoke(throng_sample *sample, const throng_world *world, throng_error *error)
{
    return throng_smoke_take(&sample->smoke, world, error);
}

throng_bounds throng_sample_bounds(const throng_sample *sample)
{
    throng_bounds bounds = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < sample->count; i++) {
        bounds.x0 = fmin(bounds.x0, (double)sample->x[i]);
        bounds.y0 = fmin(bounds.y0, (double)sample->y[i]);
        bounds.x1 = fmax(bounds.x1, (double)sample->x[i]);
        bounds.y1 = fmax(bounds.y1, (double)sample->y[i]);
    }
    if (sample->count == 0)
        bounds = (throng_bounds){0, 0, 1, 1};
    return (throng_bounds){bounds.x0 - 2, bounds.y0 - 2, bounds.x1 + 2, bounds.y1 + 2};
}
