/* The neighbour lists and wall lists against brute force, on every lane width. */
#include <string.h>

#include "crowds.h"
#include "world/world_parts.h"

typedef struct near_agent {
    float distance;
    int32_t slot;
} near_agent;

static int nearer(const void *a, const void *b)
{
    const near_agent *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return (p->slot > q->slot) - (p->slot < q->slot);
}

/* Everybody within sight, nearest first, ties by slot; returns how many. */
static int32_t brute_force(const float *x, const float *y, int32_t count, int32_t me, float sight, near_agent *found)
{
    int32_t n = 0;
    for (int32_t j = 0; j < count; j++) {
        float dx = x[j] - x[me], dy = y[j] - y[me], distance = dx * dx + dy * dy;
        if (j != me && distance < sight * sight)
            found[n++] = (near_agent){distance, j};
    }
    qsort(found, (size_t)n, sizeof *found, nearer);
    return n;
}

/* Positions before the step: sense sees those. */
static void check_lists(throng_world *world, const float *x, const float *y, int32_t count, const throng_spawn_def *def)
{
    near_agent *found = calloc((size_t)count, sizeof *found);
    throng_stages *stages = throng_world_stages(world);
    for (int32_t i = 0; i < count; i++) {
        int32_t seen[THRONG_NEIGHBOURS_MAX], seen_count, walls[THRONG_WALLS_MAX], wall_count;
        throng_error error;
        assert_true(stages->api->seen(stages->backend, i, seen, &seen_count, walls, &wall_count, &error));
        int32_t all = brute_force(x, y, count, i, (float)def->sight.a, found);
        assert_int_equal(seen_count, all < def->neighbours ? all : def->neighbours);
        for (int32_t s = 0; s < seen_count; s++)
            assert_int_equal(seen[s], found[s].slot);
    }
    free(found);
}

static void check_crowd(const char *backend, int32_t simd, int32_t count, int character, throng_spawn_def def)
{
    throng_error error;
    throng_world *world = crowd_world(backend, simd, 1, NULL);
    throng_point *at = calloc((size_t)count + 1, sizeof *at);
    crowd_points(at, count, character);
    free(crowd_spawn(world, at, count, def));
    for (int step = 0; step < 4; step++) { /* the first guess of later steps comes from earlier ones */
        float *x = calloc((size_t)count + 1, sizeof *x), *y = calloc((size_t)count + 1, sizeof *y);
        memcpy(x, throng_agents_read(throng_world_agents(world), THRONG_COLUMN_x, &error), (size_t)count * 4);
        memcpy(y, throng_agents_read(throng_world_agents(world), THRONG_COLUMN_y, &error), (size_t)count * 4);
        crowd_step(world, 1);
        check_lists(world, x, y, count, &def);
        free(x);
        free(y);
    }
    free(at);
    throng_world_destroy(world);
}

static void check_backend(const char *backend, int32_t simd)
{
    static const int32_t counts[] = {1, 2, 17, 300, 1500};
    throng_spawn_def def = throng_spawn_def_discs();
    for (int character = 0; character < 5; character++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            if (character != 2 ||
                counts[c] <= 512) /* of more in one place not all are seen (kernels/sense/overfull_cells.h) */
                check_crowd(backend, simd, counts[c], character, def);
    def.neighbours = 3;
    def.sight.a = 1.5;
    check_crowd(backend, simd, 700, 0, def);
    def.neighbours = THRONG_NEIGHBOURS_MAX;
    def.sight.a = 40; /* wider than the grid: everything is searched, once */
    check_crowd(backend, simd, 60, 3, def);
    check_crowd(backend, simd, 700, 0, def);
}

static void sees_the_nearest_1(void **state) { (void)state, check_backend("cpu", 1); }
static void sees_the_nearest_4(void **state) { (void)state, check_backend("cpu", 4); }

static void sees_the_nearest_wide(void **state)
{
    (void)state;
    for (int32_t simd = 8; simd <= 16; simd += 8)
        if (has_simd(simd))
            check_backend("cpu", simd);
}

static void sees_the_nearest_cuda(void **state)
{
    (void)state;
    skip_without_device();
    check_backend("cuda", 0);
}

/* --- walls ---------------------------------------------------------------------------------------- */

static throng_map *pillars(void)
{
    throng_error error;
    throng_point boundary[] = {{-20, -20}, {20, -20}, {20, 20}, {-20, 20}};
    throng_point pillar[9][4];
    const throng_point *boundaries[] = {boundary}, *obstacles[9];
    int32_t four[9] = {4, 4, 4, 4, 4, 4, 4, 4, 4};
    for (int i = 0; i < 9; i++) {
        double x = 10 * (i % 3 - 1), y = 10 * (i / 3 - 1);
        throng_point p[4] = {{x - 1, y - 1}, {x + 2, y - 1}, {x + 1, y + 1}, {x - 1, y + 1}};
        memcpy(pillar[i], p, sizeof p);
        obstacles[i] = pillar[i];
    }
    throng_map *map = throng_map_from_polygons("pillars", boundaries, four, 1, obstacles, four, 9, &error);
    assert_non_null(map);
    return map;
}

typedef struct wall {
    float ax, ay, bx, by;
} wall;

/* The map's segments in the order the backend numbers them, solid side on the left. */
static int32_t list_walls(const throng_map *map, wall *walls)
{
    for (int32_t r = 0; r < map->ring_count; r++) {
        int32_t first = map->ring_start[r], n = map->ring_start[r + 1] - first;
        for (int32_t i = 0; i < n; i++) {
            throng_point a = map->points[first + n - 1 - i], b = map->points[first + (2 * n - 2 - i) % n];
            walls[first + i] = (wall){(float)a.x, (float)a.y, (float)b.x, (float)b.y};
        }
    }
    return map->point_count;
}

static float wall_distance(wall w, float x, float y)
{
    float ex = w.bx - w.ax, ey = w.by - w.ay, t = ((x - w.ax) * ex + (y - w.ay) * ey) / (ex * ex + ey * ey);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypotf(w.ax + t * ex - x, w.ay + t * ey - y);
}

/* Agent i, at (x, y), to whom walls matter within `reach`. */
static void check_walls(throng_world *world, int32_t i, float x, float y, float reach)
{
    wall walls[256];
    int32_t wall_count = list_walls(throng_world_map(world), walls), expected = 0;
    int32_t seen[THRONG_NEIGHBOURS_MAX], seen_count, list[THRONG_WALLS_MAX], count;
    throng_stages *s = throng_world_stages(world);
    throng_error error;
    assert_true(s->api->seen(s->backend, i, seen, &seen_count, list, &count, &error));
    for (int32_t w = 0; w < wall_count; w++) {
        bool open_side =
            (walls[w].ax - x) * (walls[w].by - walls[w].ay) < (walls[w].ay - y) * (walls[w].bx - walls[w].ax);
        expected += open_side && wall_distance(walls[w], x, y) < reach;
    }
    assert_int_equal(count, expected < THRONG_WALLS_MAX ? expected : THRONG_WALLS_MAX);
    for (int32_t w = 1; w < count; w++)
        assert_true(wall_distance(walls[list[w - 1]], x, y) <= wall_distance(walls[list[w]], x, y) + 1e-6f);
}

enum { WALLED = 120 };
#define WALLED_REACH 2.25f /* m: of those who are as they are spawned */
#define FAST         100   /* m/s */

/* The first `fast` of them may run. */
static throng_world *walled_crowd(int32_t simd, int32_t fast)
{
    throng_world *world = crowd_world("cpu", simd, 1, pillars());
    throng_spawn_def def = throng_spawn_def_discs();
    def.count = WALLED;
    throng_handle handles[WALLED];
    throng_error error;
    assert_true(throng_world_spawn(world, &def, handles, &error));
    float *speed = throng_agents_write(throng_world_agents(world), THRONG_COLUMN_max_speed, &error);
    for (int32_t i = 0; i < fast; i++)
        speed[i] = FAST;
    crowd_step(world, 1); /* nobody has a goal, so nobody moves */
    return world;
}

static void sees_the_walls(void **state)
{
    (void)state;
    throng_error error;
    for (int32_t simd = 1; simd <= 4; simd += 3) {
        for (int32_t fast = 0; fast <= 1; fast++) {
            throng_world *world = walled_crowd(simd, fast);
            const float *x = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_x, &error);
            const float *y = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_y, &error);
            for (int32_t i = 0; i < WALLED; i++)
                check_walls(world, i, x[i], y[i], i < fast ? FAST : WALLED_REACH);
            throng_world_destroy(world);
        }
    }
}

/* They look through all walls; others do not for their sake. m: what the grid lists for everybody */
static void few_who_reach_far_leave_the_grid_fine(void **state)
{
    (void)state;
    throng_world *few = walled_crowd(1, THRONG_LARGE_MAX), *many = walled_crowd(1, THRONG_LARGE_MAX + 1);
    assert_true(few->walls.reach < FAST * few->dt + WALLED_REACH);
    assert_true(many->walls.reach > FAST);
    throng_world_destroy(few);
    throng_world_destroy(many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_the_nearest_1),    cmocka_unit_test(sees_the_nearest_4),
        cmocka_unit_test(sees_the_nearest_wide), cmocka_unit_test(sees_the_nearest_cuda),
        cmocka_unit_test(sees_the_walls),        cmocka_unit_test(few_who_reach_far_leave_the_grid_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
