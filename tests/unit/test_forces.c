/* Avoidance forces: the search by cells against a scan of everybody, and what must never come of a push. */
#include <string.h>

#include "crowds.h"

#include "kernels/forces.h"

enum { AGENTS = 400, GRID = 16 };

typedef struct scene {
    crowd crowd;
    throng_planner planner;
    float x[AGENTS], y[AGENTS], vx[AGENTS], vy[AGENTS], radius[AGENTS], hx[AGENTS], hy[AGENTS];
    float max_speed[AGENTS], mass[AGENTS], force_x[AGENTS], force_y[AGENTS], nx[AGENTS], ny[AGENTS];
    int32_t slot[AGENTS], entry[AGENTS], cell_start[GRID * GRID + 1];
} scene;

static double draw(uint32_t number, int32_t i, uint32_t what, double least, double most)
{
    return least + (most - least) * throng_random(number, (uint32_t)i, what, 0, 99);
}

static int32_t cell_of(float x, float y)
{
    return ((int32_t)floorf(y) & (GRID - 1)) * GRID + ((int32_t)floorf(x) & (GRID - 1));
}

/* Random agents, in order of their cells; the square is larger than the grid, which wraps. */
static scene *make_scene(uint32_t number)
{
    scene *s = calloc(1, sizeof *s);
    s->planner = throng_planner_default(THRONG_PLANNER_forces);
    s->planner.value[THRONG_forces_length] = (float)draw(number, 0, 20, 0.5, 6);
    s->planner.value[THRONG_forces_width] = (float)draw(number, 0, 21, 0.2, 4);
    crowd *c = &s->crowd;
    *c = (crowd){.agents = AGENTS,
                 .dt = 0.1f,
                 .cell_x = 1,
                 .cell_y = 1,
                 .inverse_cell_x = 1,
                 .inverse_cell_y = 1,
                 .grid_width = GRID,
                 .grid_height = GRID};
    c->sx = s->x, c->sy = s->y, c->svx = s->vx, c->svy = s->vy, c->sr = s->radius, c->hx = s->hx, c->hy = s->hy;
    c->max_speed = s->max_speed, c->mass = s->mass, c->force_x = s->force_x, c->force_y = s->force_y;
    c->nx = s->nx, c->ny = s->ny, c->slot = s->slot, c->planner = s->entry, c->planners = &s->planner;
    c->cell_start = s->cell_start;
    int32_t n = 0;
    for (int32_t cell = 0; cell < GRID * GRID; cell++) {
        s->cell_start[cell] = n;
        for (int32_t i = 0; i < AGENTS; i++) {
            float x = (float)draw(number, i, 1, -10, 10), y = (float)draw(number, i, 2, -10, 10);
            if (i % 50 == 1) /* some in the place of another */
                x = (float)draw(number, i - 1, 1, -10, 10), y = (float)draw(number, i - 1, 2, -10, 10);
            if (cell_of(x, y) != cell)
                continue;
            double going = draw(number, i, 3, 0, 6.283);
            float speed = i % 7 ? (float)draw(number, i, 4, 0, 1.5) : 0;
            s->x[n] = x, s->y[n] = y, s->vx[n] = speed * cosf((float)going), s->vy[n] = speed * sinf((float)going);
            s->slot[n++] = i;
        }
    }
    s->cell_start[GRID * GRID] = n;
    assert_int_equal(AGENTS, n);
    for (int32_t i = 0; i < AGENTS; i++) {
        s->hx[i] = 1, s->max_speed[i] = 2;
        s->mass[i] = i % 9 ? (float)draw(number, i, 5, 20, 200) : 1e30f;
    }
    return s;
}

static forces_self self_of(const scene *s, int32_t i, float ahead)
{
    forces_self me = {.index = i,
                      .slot = s->slot[i],
                      .x = s->x[i],
                      .y = s->y[i],
                      .ahead_x = cosf(ahead),
                      .ahead_y = sinf(ahead),
                      .length = s->planner.value[THRONG_forces_length],
                      .half_width = s->planner.value[THRONG_forces_width] / 2,
                      .going_x = s->vx[i],
                      .going_y = s->vy[i]};
    forces_unit(&me.going_x, &me.going_y);
    return me;
}

static void finds_whom_a_scan_finds(void **state)
{
    (void)state;
    int64_t met = 0;
    for (uint32_t number = 0; number < 40; number++) {
        scene *s = make_scene(number);
        for (int32_t i = 0; i < AGENTS; i++) {
            forces_self cells = self_of(s, i, (float)draw(number, i, 6, -3.2, 3.2)), scan = cells;
            forces_search(&s->crowd, true, &cells);
            for (int32_t j = AGENTS - 1; j >= 0; j--) {
                float dx, dy;
                if (!forces_inside(&s->crowd, j, &scan, true, &dx, &dy))
                    continue;
                forces_push(&s->crowd, j, dx, dy, true, &scan);
                met++;
            }
            assert_int_equal(scan.sum_x, cells.sum_x);
            assert_int_equal(scan.sum_y, cells.sum_y);
        }
        free(s);
    }
    assert_true(met > 10000);
}

/* Equations 4.3 to 4.6 in doubles, from the paper's text. */
static void pushes_as_the_paper_says(void **state)
{
    (void)state;
    scene *s = make_scene(3);
    for (int32_t i = 0; i < AGENTS; i++)
        s->mass[i] = 80;
    for (int32_t i = 0; i + 1 < AGENTS; i++) {
        int32_t j = i + 1;
        forces_self me = self_of(s, i, 0);
        double px = (double)s->x[i] - s->x[j], py = (double)s->y[i] - s->y[j], distance = hypot(px, py);
        double own = hypot(s->vx[i], s->vy[i]), theirs = hypot(s->vx[j], s->vy[j]);
        double ux = own > 0 ? s->vx[i] / own : 0, uy = own > 0 ? s->vy[i] / own : 0;
        double wx = theirs > 0 ? s->vx[j] / theirs : 0, wy = theirs > 0 ? s->vy[j] / theirs : 0;
        double tx = px / distance + ux, ty = py / distance + uy, t = hypot(tx, ty);
        if (distance < 1e-3 || t < 1e-2)
            continue;
        double near = fmax(0, (me.length - distance) / me.length), facing = (ux * -wx + uy * -wy) / 2 + 1.5;
        forces_push(&s->crowd, j, (float)px, (float)py, true, &me);
        assert_float_equal(tx / t * near * facing, me.sum_x / 65536.0, 1e-3);
        assert_float_equal(ty / t * near * facing, me.sum_y / 65536.0, 1e-3);
    }
    free(s);
}

/* Whatever the weights and masses, and whoever stands in whose place. */
static void velocities_are_numbers_within_limits(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < 20; number++) {
        scene *s = make_scene(number);
        s->planner.value[THRONG_forces_avoidance] = number % 2 ? -1000 : 1000;
        s->planner.value[THRONG_forces_max_turn] = 2;
        for (int32_t i = 0; i < AGENTS; i++) {
            int32_t slot = s->slot[i];
            plan_forces(&s->crowd, i, true, slot, i % 5 ? 1.3f : 0, i % 3 ? 0.4f : 0);
            float speed = hypotf(s->nx[i], s->ny[i]);
            assert_true(speed <= 2.0001f);
            if (speed > 1e-3f)
                assert_true(s->nx[i] / speed >= cosf(0.2f) - 1e-4f); /* the heading was along x */
        }
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_whom_a_scan_finds),
        cmocka_unit_test(pushes_as_the_paper_says),
        cmocka_unit_test(velocities_are_numbers_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
