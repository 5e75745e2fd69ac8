/* What is told of a planner is what it went by: the choice follows from the list beside it. */
#include <string.h>

#include "crowds.h"

enum { AGENTS = 80, STEPS = 60 };

/* A crowd that crosses in a room with a pillar. */
static throng_world *crossing(const char *backend, int32_t simd, int32_t planner, throng_handle **handles)
{
    throng_error error = {""};
    throng_point room[] = {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}}, pillar[] = {{-2, -1}, {-1, -1}, {-1, 1}, {-2, 1}};
    const throng_point *boundaries[] = {room}, *obstacles[] = {pillar};
    int32_t four[] = {4};
    throng_map *map = throng_map_from_polygons("room", boundaries, four, 1, obstacles, four, 1, &error);
    throng_world *world = crowd_world(backend, simd, 1, map);
    throng_point at[AGENTS];
    for (int32_t i = 0; i < AGENTS; i++) {
        double angle = 6.2831853 * i / AGENTS, radius = i % 2 ? 8.4 : 7.6;
        at[i] = (throng_point){radius * cos(angle), radius * sin(angle)};
    }
    throng_spawn_def def = throng_spawn_def_discs(); /* they do as they chose */
    def.radius.a = 0.2;
    def.planner = throng_planner_default(planner);
    *handles = crowd_spawn(world, at, AGENTS, def);
    return world;
}

typedef bool may_be(const throng_choice *c, double x, double y, double slack);

static bool within_lines(const throng_choice *c, double x, double y, double slack)
{
    for (int32_t i = 0; i < c->count; i++) {
        const throng_choice_line *l = &c->line[i];
        if ((double)l->dx * ((double)l->y - y) - (double)l->dy * ((double)l->x - x) > slack)
            return false;
    }
    return true;
}

static bool outside_regions(const throng_choice *c, double x, double y, double slack)
{
    for (int32_t i = 0; i < c->count; i++) {
        bool inside = true;
        for (int side = 0; side < THRONG_CHOICE_SIDES; side++)
            inside = inside && (double)c->region[i].nx[side] * x + (double)c->region[i].ny[side] * y >
                                   (double)c->region[i].d[side] + slack;
        if (inside)
            return false;
    }
    return true;
}

/* Where something is permitted the choice is, and nothing else that is, is clearly nearer to what is preferred. */
static void expect_nearest(const throng_choice *c, may_be *permitted, int *found)
{
    double px = (double)c->preferred_x, py = (double)c->preferred_y, most = (double)c->max_speed;
    double mine = hypot((double)c->chosen_x - px, (double)c->chosen_y - py), least = INFINITY;
    for (int i = 0; i < 41 * 41; i++) {
        double x = most * (i % 41 - 20) / 20.0, y = most * (i / 41 - 20) / 20.0;
        if (hypot(x, y) <= most && permitted(c, x, y, -0.002))
            least = fmin(least, hypot(x - px, y - py));
    }
    if (least == INFINITY)
        return;
    ++*found;
    assert_true(permitted(c, (double)c->chosen_x, (double)c->chosen_y, 0.002));
    assert_true(mine <= least + 1e-3);
}

static void expect_cheapest(const throng_choice *c)
{
    const throng_choice_sample *best = &c->sample[0];
    for (int32_t i = 1; i < c->count; i++)
        if (c->sample[i].cost < best->cost)
            best = &c->sample[i];
    assert_true(best->vx == c->chosen_x && best->vy == c->chosen_y);
}

/* The sum, with half of the direction before, which the last choice told. */
static void expect_sum(const throng_choice *c, const throng_choice *before)
{
    double x = 0.5 * (double)before->force_x + (double)c->attraction_x;
    double y = 0.5 * (double)before->force_y + (double)c->attraction_y;
    for (int32_t i = 0; i < c->count; i++) {
        x += (double)c->push[i].fx;
        y += (double)c->push[i].fy;
    }
    double length = hypot(x, y);
    if (length < 0.01)
        return;
    assert_float_equal(x / length, (double)c->force_x, 2e-3);
    assert_float_equal(y / length, (double)c->force_y, 2e-3);
}

static void expect_map(const throng_choice *c)
{
    double speed = hypot((double)c->preferred_x, (double)c->preferred_y);
    assert_in_range(c->map.width, 9, THRONG_LOCAL_CELLS_MAX);
    assert_in_range(c->map.height, 9, THRONG_LOCAL_CELLS_MAX);
    assert_float_equal((double)c->map.to_x, (double)c->preferred_x / speed, 1e-5);
    assert_float_equal((double)c->map.to_y, (double)c->preferred_y / speed, 1e-5);
}

static void follow(int32_t planner)
{
    throng_handle *handles;
    throng_world *world = crossing("cpu", 0, planner, &handles);
    throng_choice before = {0};
    int found = 0;
    assert_null(throng_world_choice(world, handles[3]));
    for (int step = 0; step < STEPS; step++) {
        throng_world_watch(world, handles[3]);
        crowd_step(world, 1);
        const throng_choice *c = throng_world_choice(world, handles[3]);
        assert_non_null(c);
        assert_null(throng_world_choice(world, handles[4]));
        assert_int_equal(c->planner, planner);
        assert_true(planner == THRONG_PLANNER_bvp || planner == THRONG_PLANNER_none || c->count > 0 || step < 20);
        if (planner == THRONG_PLANNER_orca)
            expect_nearest(c, within_lines, &found);
        else if (planner == THRONG_PLANNER_clearpath)
            expect_nearest(c, outside_regions, &found);
        else if (planner == THRONG_PLANNER_rvo)
            expect_cheapest(c);
        else if (planner == THRONG_PLANNER_forces && step > 0)
            expect_sum(c, &before);
        else if (planner == THRONG_PLANNER_bvp)
            expect_map(c);
        before = *c;
    }
    if (planner == THRONG_PLANNER_orca || planner == THRONG_PLANNER_clearpath)
        assert_true(found > 3); /* in a jam ORCA has no velocity that all lines permit */
    throng_world_watch(world, (throng_handle){.slot = -1});
    crowd_step(world, 1);
    assert_null(throng_world_choice(world, handles[3]));
    throng_world_destroy(world);
    free(handles);
}

static void orca_takes_the_nearest_velocity_that_its_lines_permit(void **state)
{
    (void)state;
    follow(THRONG_PLANNER_orca);
}

static void clearpath_takes_the_nearest_velocity_outside_its_obstacles(void **state)
{
    (void)state;
    follow(THRONG_PLANNER_clearpath);
}

static void rvo_takes_the_cheapest_sample(void **state)
{
    (void)state;
    follow(THRONG_PLANNER_rvo);
}

static void forces_add_up(void **state)
{
    (void)state;
    follow(THRONG_PLANNER_forces);
}

static void bvp_tells_its_map(void **state)
{
    (void)state;
    follow(THRONG_PLANNER_bvp);
}

/* The same bits on every backend, and watching changes none. */
static uint64_t hash_after(const char *backend, int32_t simd, int32_t planner, bool watched, throng_choice *choice)
{
    throng_error error = {""};
    throng_handle *handles;
    throng_world *world = crossing(backend, simd, planner, &handles);
    uint64_t hash = 0;
    memset(choice, 0, sizeof *choice);
    if (watched)
        throng_world_watch(world, handles[7]);
    crowd_step(world, STEPS);
    const throng_choice *told = throng_world_choice(world, handles[7]);
    assert_int_equal(told != NULL, watched);
    if (told)
        *choice = *told;
    assert_true(throng_world_hash(world, &hash, &error));
    throng_world_destroy(world);
    free(handles);
    return hash;
}

static void expect_equal(const throng_choice *a, const throng_choice *b)
{
    size_t entry = a->planner == THRONG_PLANNER_orca        ? sizeof a->line[0]
                   : a->planner == THRONG_PLANNER_clearpath ? sizeof a->region[0]
                   : a->planner == THRONG_PLANNER_rvo       ? sizeof a->sample[0]
                                                            : sizeof a->push[0];
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a, b, offsetof(throng_choice, count));
    assert_memory_equal(a->line, b->line, (size_t)a->count * entry);
}

static void is_the_same_at_any_simd_width(void **state)
{
    (void)state;
    for (int32_t planner = 0; planner < THRONG_PLANNER_COUNT; planner++) {
        throng_choice one, other;
        uint64_t hash = hash_after("cpu", 1, planner, true, &one);
        assert_int_equal(hash, hash_after("cpu", 1, planner, false, &other));
        assert_int_equal(hash, hash_after("cpu", 0, planner, true, &other));
        expect_equal(&one, &other);
    }
}

static void is_the_same_on_cuda(void **state)
{
    (void)state;
    skip_without_device();
    for (int32_t planner = 0; planner < THRONG_PLANNER_COUNT; planner++) {
        throng_choice one, other;
        uint64_t hash = hash_after("cpu", 1, planner, true, &one);
        assert_int_equal(hash, hash_after("cuda", 0, planner, true, &other));
        expect_equal(&one, &other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orca_takes_the_nearest_velocity_that_its_lines_permit),
        cmocka_unit_test(clearpath_takes_the_nearest_velocity_outside_its_obstacles),
        cmocka_unit_test(rvo_takes_the_cheapest_sample),
        cmocka_unit_test(forces_add_up),
        cmocka_unit_test(bvp_tells_its_map),
        cmocka_unit_test(is_the_same_at_any_simd_width),
        cmocka_unit_test(is_the_same_on_cuda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
