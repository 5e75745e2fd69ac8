/* Small worlds that several unit tests use. */
#ifndef THRONG_TEST_CROWDS_H
#define THRONG_TEST_CROWDS_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "skips.h"
#include "world/world.h"

static inline double crowd_uniform(int32_t i, uint32_t what) { return throng_random(5, (uint32_t)i, what, 0, 99); }

static inline throng_world *crowd_world(const char *backend, int32_t simd, int32_t threads, throng_map *map)
{
    throng_error error;
    throng_world_def def = throng_world_def_default();
    def.backend = backend;
    def.options = (throng_backend_options){.simd = simd, .threads = threads};
    def.map = map;
    throng_world *world = throng_world_create(&def, &error);
    if (!world)
        fail_msg("%s", error.text);
    return world;
}

/* Agents at `at`, each walking to the point opposite its own. */
static inline throng_handle *crowd_spawn(throng_world *world, const throng_point *at, int32_t count,
                                         throng_spawn_def def)
{
    throng_error error = {""};
    throng_handle *handles = calloc((size_t)count + 1, sizeof *handles);
    throng_point *goals = calloc((size_t)count + 1, sizeof *goals);
    def.count = count;
    def.positions = at;
    for (int32_t i = 0; i < count; i++)
        goals[i] = (throng_point){-at[i].x, -at[i].y};
    int32_t goal = throng_world_goal_own(world, 0.5, &error);
    if (!throng_world_spawn(world, &def, handles, &error) ||
        !throng_world_send(world, handles, count, goal, goals, &error))
        fail_msg("%s", error.text);
    free(goals);
    return handles;
}

static inline void crowd_step(throng_world *world, int32_t steps)
{
    throng_error error;
    for (int32_t i = 0; i < steps; i++)
        if (!throng_world_step(world, &error))
            fail_msg("%s", error.text);
}

/* Points of five characters: 0 uniform, 1 in clusters, 2 many in one place, 3 far apart, 4 evenly on a circle. */
static inline void crowd_points(throng_point *at, int32_t count, int character)
{
    for (int32_t i = 0; i < count; i++) {
        double x = crowd_uniform(i, 0), y = crowd_uniform(i, 1);
        switch (character) {
        case 0: at[i] = (throng_point){sqrt(count) * (x - 0.5), sqrt(count) * (y - 0.5)}; break;
        case 1: at[i] = (throng_point){20 * (i % 7) + 2 * x, 20 * (i % 3) - 2 * y}; break;
        case 2: at[i] = (throng_point){i % 5, 0.5 * (i % 3)}; break;
        case 3: at[i] = (throng_point){3000 * (x - 0.5), 3000 * (y - 0.5)}; break;
        default:
            at[i] = (throng_point){0.1 * count * cos(i * 6.2831853 / count), 0.1 * count * sin(i * 6.2831853 / count)};
        }
    }
}

#endif
