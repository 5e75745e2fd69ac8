/* throng bench bodies: agents among rigid bodies (O'Sullivan, "Dynamic object avoidance", 2009, figure 5.1). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_table.h"
#include "world/world.h"

#define AGENT_ROOM 2.0 /* m^2 of floor for each agent */
#define BODY_ROOM  4.0 /* m^2 for each body */

const int32_t throng_bench_bodies_counts[] = {0, 150, 500, 1500, -1};

static throng_region square(double side, throng_point corners[4])
{
    const throng_point at[] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    memcpy(corners, at, sizeof at);
    return (throng_region){.points = corners, .count = 4};
}

static bool place_bodies(throng_world *world, const throng_bench_def *def, const throng_region *floor,
                         throng_error *error)
{
    throng_bodies_def boxes = throng_bodies_def_default();
    throng_handle *handles = malloc(((size_t)def->bodies + 1) * sizeof *handles);
    boxes.count = def->bodies;
    boxes.areas = floor;
    boxes.area_count = 1;
    boxes.width = boxes.height = (throng_sampler){.kind = THRONG_UNIFORM, .a = 0.3, .b = 0.9};
    boxes.angle = (throng_sampler){.kind = THRONG_UNIFORM, .a = 0, .b = 6};
    boxes.mass = (throng_sampler){.kind = THRONG_UNIFORM, .a = 5, .b = 100};
    bool ok = handles || throng_fail(error, "out of memory for %d bodies", def->bodies);
    ok = ok && (!def->bodies || throng_world_place_bodies(world, &boxes, handles, error));
    free(handles);
    return ok;
}

/* Everybody crosses the floor, to the point opposite. */
static bool spawn(throng_world *world, const throng_bench_def *def, const throng_region *floor, throng_error *error)
{
    throng_spawn_def crowd = throng_spawn_def_default();
    size_t n = (size_t)def->agents;
    throng_handle *handles = malloc(n * sizeof *handles);
    throng_point *goals = malloc(n * sizeof *goals);
    crowd.count = def->agents;
    crowd.areas = floor;
    crowd.area_count = 1;
    crowd.planner = throng_planner_default(THRONG_PLANNER_forces);
    crowd.speed.a = 1.3;
    crowd.max_speed.a = 1.6;
    bool ok = (handles && goals) || throng_fail(error, "out of memory for %d agents", def->agents);
    ok = ok && throng_world_spawn(world, &crowd, handles, error);
    const float *x = ok ? throng_agents_read(throng_world_agents(world), THRONG_COLUMN_x, error) : NULL;
    const float *y = ok ? throng_agents_read(throng_world_agents(world), THRONG_COLUMN_y, error) : NULL;
    double side = floor->points[2].x;
    for (size_t i = 0; x && y && i < n; i++)
        goals[i] = (throng_point){side - (double)x[handles[i].slot], side - (double)y[handles[i].slot]};
    int32_t goal = x && y ? throng_world_goal_own(world, 1, error) : -1;
    ok = goal >= 0 && throng_world_send(world, handles, def->agents, goal, goals, error);
    free(handles);
    free(goals);
    return ok;
}

bool throng_bench_bodies(const throng_bench_def *def, throng_bench_row *row, throng_error *error)
{
    char name[32];
    throng_point corners[4];
    snprintf(name, sizeof name, "bodies-%d", def->bodies);
    throng_world_def d = throng_world_def_default();
    d.backend = def->backend;
    d.options = def->options;
    throng_region floor = square(sqrt(AGENT_ROOM * def->agents + BODY_ROOM * def->bodies), corners);
    throng_world *world = throng_world_create(&d, error);
    bool ok = world && place_bodies(world, def, &floor, error) && spawn(world, def, &floor, error) &&
              throng_bench_frames(world, name, def, row, error);
    throng_world_destroy(world);
    return ok;
}

/* --- as a table -------------------------------------------------------------------------------- */

static int32_t bodies_of(const throng_bench_row *r) { return throng_bench_has_bodies(r) ? atoi(r->name + 7) : -1; }

static const throng_bench_row *cell(const throng_bench_table *t, const throng_bench_row *like, int32_t bodies)
{
    for (int32_t i = 0; i < t->count; i++) {
        const throng_bench_row *r = &t->rows[i];
        if (bodies_of(r) == bodies && throng_bench_same_place(r, like) && r->agents == like->agents)
            return r;
    }
    return NULL;
}

/* What a cell of a table shows of its row. */
typedef double cell_value(const throng_bench_table *table, const throng_bench_row *row);

static double milliseconds(const throng_bench_table *t, const throng_bench_row *r)
{
    (void)t;
    return r->ms.median;
}

/* How many times as fast as the fastest SIMD width and threads of the CPU. */
static double gain(const throng_bench_table *t, const throng_bench_row *r)
{
    const throng_bench_row *cpu = throng_bench_fastest(t, r, "cpu");
    return cpu ? cpu->ms.median / r->ms.median : NAN;
}

static void print_value(const char *format, double value)
{
    char text[32];
    snprintf(text, sizeof text, format, value);
    printf("  %11s", isfinite(value) ? text : "-");
}

static void print_line(const throng_bench_table *t, const throng_bench_row *first, cell_value *value)
{
    printf("  %11d", first->agents);
    for (const int32_t *bodies = throng_bench_bodies_counts; *bodies >= 0; bodies++) {
        const throng_bench_row *r = cell(t, first, *bodies);
        print_value("%.3f", r ? value(t, r) : NAN);
    }
    putchar('\n');
}

static void print_head(const char *title)
{
    printf("\nagents among bodies, %s\n  %11s", title, "agents");
    for (const int32_t *bodies = throng_bench_bodies_counts; *bodies >= 0; bodies++)
        printf("  %4d bodies", *bodies);
    putchar('\n');
}

static void print_place(const throng_bench_row *r)
{
    char title[96], place[48] = "";
    if (r->simd)
        snprintf(place, sizeof place, ", SIMD width %d, %d thread%s", r->simd, r->threads, r->threads == 1 ? "" : "s");
    snprintf(title, sizeof title, "ms a frame: %s%s", r->backend, place);
    print_head(title);
}

/* The agents from which on CUDA is always faster, on a straight line between the logarithms of sizes; NAN: none. */
static double crossover(const throng_bench_table *t, int32_t bodies)
{
    double from = NAN, last = NAN, last_agents = NAN;
    for (int32_t i = 0; i < t->count; i++) {
        const throng_bench_row *r = &t->rows[i];
        double now = strcmp(r->backend, "cuda") == 0 && bodies_of(r) == bodies ? gain(t, r) : NAN;
        if (!isfinite(now))
            continue;
        if (now <= 1)
            from = NAN;
        else if (!isfinite(from))
            from = isfinite(last) ? last_agents * pow(r->agents / last_agents, log(last) / (log(last) - log(now)))
                                  : r->agents;
        last = now;
        last_agents = r->agents;
    }
    return from;
}

/* The lines of all sizes that were measured on CUDA, and where it overtakes the CPU. */
static void print_gains(const throng_bench_table *t)
{
    const throng_bench_row *last = NULL;
    for (int32_t i = 0; i < t->count; i++) {
        const throng_bench_row *r = &t->rows[i];
        if (!throng_bench_has_bodies(r) || strcmp(r->backend, "cuda") != 0 || !isfinite(gain(t, r)) ||
            (last && r->agents == last->agents))
            continue;
        if (!last)
            print_head("times as fast on cuda as on the fastest of the cpu's:");
        print_line(t, r, gain);
        last = r;
    }
    if (!last)
        return;
    printf("  %11s", "faster from");
    for (const int32_t *bodies = throng_bench_bodies_counts; *bodies >= 0; bodies++)
        print_value("%.0f", crossover(t, *bodies));
    putchar('\n');
}

void throng_bench_print_bodies(const throng_bench_table *t)
{
    const throng_bench_row *last = NULL;
    for (int32_t i = 0; i < t->count; i++) {
        const throng_bench_row *r = &t->rows[i];
        if (!throng_bench_has_bodies(r) || (last && throng_bench_same_place(r, last) && r->agents == last->agents))
            continue;
        if (!last || !throng_bench_same_place(r, last))
            print_place(r);
        print_line(t, r, milliseconds);
        last = r;
    }
    print_gains(t);
}
