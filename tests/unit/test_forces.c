/* Avoidance forces: the search by cells against a scan of all agents and bodies, and what must never come of a push. */
#include <string.h>

#include "crowds.h"

#include "kernels/planners/forces.h"

enum { AGENTS = 400, GRID = 16, BODIES = 200, CORNERS = 12, SIDES = BODIES * CORNERS, BOXES = 9, BOX_LIST = 4 * SIDES };

#define BOX 2.5f /* m: a cell of the grid over the bodies, which lie in a square of 20 m */

typedef struct scene {
    crowd crowd;
    throng_planner planner;
    float x[AGENTS], y[AGENTS], vx[AGENTS], vy[AGENTS], radius[AGENTS], hx[AGENTS], hy[AGENTS];
    float max_speed[AGENTS], mass[AGENTS], force_x[AGENTS], force_y[AGENTS], nx[AGENTS], ny[AGENTS];
    int32_t slot[AGENTS], entry[AGENTS], cell_start[GRID * GRID + 1];
    float ax[SIDES], ay[SIDES], bx[SIDES], by[SIDES], body_vx[SIDES], body_vy[SIDES], body_mass[SIDES], reach[SIDES];
    float middle_x[SIDES], middle_y[SIDES];
    int32_t corners[SIDES], box_start[BOXES * BOXES + 1], box_list[BOX_LIST];
} scene;

static double draw(uint32_t number, int32_t i, uint32_t what, double least, double most)
{
    return least + (most - least) * throng_random(number, (uint32_t)i, what, 0, 99);
}

static int32_t cell_of(float x, float y)
{
    return ((int32_t)floorf(y) & (GRID - 1)) * GRID + ((int32_t)floorf(x) & (GRID - 1));
}

/* --- bodies --- */

/* Corners on a circle, anticlockwise: the solid is on the left of its sides. */
static int32_t add_body(scene *s, uint32_t number, int32_t n, int32_t at)
{
    double x = draw(number, n, 30, -10, 10), y = draw(number, n, 31, -10, 10), turn = draw(number, n, 32, 0, 6.283);
    double size = n % 20 ? draw(number, n, 33, 0.05, 0.7) : 4;
    int32_t corners = 3 + n % (CORNERS - 2);
    for (int32_t k = 0; k < corners; k++) {
        double from = turn + 6.2831853 * k / corners, to = turn + 6.2831853 * ((k + 1) % corners) / corners;
        s->ax[at + k] = (float)(x + size * cos(from)), s->ay[at + k] = (float)(y + size * sin(from));
        s->bx[at + k] = (float)(x + size * cos(to)), s->by[at + k] = (float)(y + size * sin(to));
        s->body_vx[at + k] = n % 3 ? 0 : (float)draw(number, n, 34, -2, 2);
        s->body_vy[at + k] = n % 3 ? 0 : (float)draw(number, n, 35, -2, 2);
        s->body_mass[at + k] = n % 5 ? (float)draw(number, n, 36, 5, 500) : INFINITY;
        s->middle_x[at + k] = (float)x, s->middle_y[at + k] = (float)y;
        s->reach[at + k] = (float)size, s->corners[at + k] = corners;
    }
    return at + corners;
}

static int32_t box_line(float at) { return at < -10 ? 0 : (int32_t)fminf((at + 10) / BOX, BOXES - 1); }

/* Body by body, cell by cell. */
static void list_boxes(scene *s)
{
    int32_t listed = 0;
    for (int32_t cell = 0; cell < BOXES * BOXES; cell++) {
        s->box_start[cell] = listed;
        for (int32_t at = 0; at < s->crowd.walls.sides; at += s->corners[at]) {
            int32_t x0 = BOXES, x1 = 0, y0 = BOXES, y1 = 0, x = cell % BOXES, y = cell / BOXES;
            for (int32_t k = at; k < at + s->corners[at]; k++) {
                int32_t column = box_line(s->ax[k]), row = box_line(s->ay[k]);
                x0 = column < x0 ? column : x0, x1 = column > x1 ? column : x1;
                y0 = row < y0 ? row : y0, y1 = row > y1 ? row : y1;
            }
            if (x < x0 || x > x1 || y < y0 || y > y1)
                continue;
            assert_true(listed < BOX_LIST);
            s->box_list[listed++] = 4 * at + 2 * (y == y0) + (x == x0);
        }
    }
    s->box_start[BOXES * BOXES] = listed;
}

static void add_bodies(scene *s, uint32_t number)
{
    throng_walls *w = &s->crowd.walls;
    *w = (throng_walls){.ax = s->ax, .ay = s->ay, .bx = s->bx, .by = s->by, .vx = s->body_vx, .vy = s->body_vy};
    w->mass = s->body_mass, w->reach = s->reach, w->middle_x = s->middle_x, w->middle_y = s->middle_y;
    w->corners = s->corners;
    w->boxes = (throng_wall_grid){-10, -10, BOX, 0, BOXES, BOXES, s->box_start, s->box_list};
    for (int32_t n = 0; n < BODIES; n++)
        w->count = w->sides = add_body(s, number, n, w->sides);
    list_boxes(s);
}

/* Random agents, in order of their cells; the square is larger than the grid, which wraps. */
static scene *make_scene(uint32_t number)
{
    scene *s = calloc(1, sizeof *s);
    s->planner = throng_planner_default(THRONG_PLANNER_forces);
    s->planner.value[THRONG_forces_length] = (float)draw(number, 0, 20, 0.5, 6);
    s->planner.value[THRONG_forces_width] = (float)draw(number, 0, 21, 0.2, 4);
    crowd *c = &s->crowd;
    *c = (crowd){
        .frame = {.agents = AGENTS, .dt = 0.1f, .cell_x = 1, .cell_y = 1, .grid_width = GRID, .grid_height = GRID},
        .inverse_cell_x = 1,
        .inverse_cell_y = 1};
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
                      .going_y = s->vy[i],
                      .heed = (float)(1 + i % 4) / 4}; /* of who is held up */
    forces_unit(&me.going_x, &me.going_y);
    return me;
}

static void finds_what_a_scan_finds(void **state)
{
    (void)state;
    int64_t met = 0;
    for (uint32_t number = 0; number < 40; number++) {
        scene *s = make_scene(number);
        add_bodies(s, number);
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
            for (int32_t at = 0; at < s->crowd.walls.sides; at += s->corners[at])
                forces_body(&s->crowd, at, 1e9f, true, &scan);
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

typedef struct corner {
    double x, y; /* ahead of the agent, to its left */
} corner;

/* What of a polygon lies where nx x + ny y <= most. */
static int32_t clip(corner *p, int32_t count, double nx, double ny, double most)
{
    corner kept[2 * CORNERS];
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        corner a = p[i], b = p[(i + 1) % count];
        double da = nx * a.x + ny * a.y - most, db = nx * b.x + ny * b.y - most;
        if (da <= 0)
            kept[n++] = a;
        if ((da < 0) != (db < 0) && da != db)
            kept[n++] = (corner){a.x + (b.x - a.x) * da / (da - db), a.y + (b.y - a.y) * da / (da - db)};
    }
    for (int32_t i = 0; i < n; i++)
        p[i] = kept[i];
    return n;
}

/* How far the nearest point of the polygon is from (0, 0). */
static double nearest_of(const corner *p, int32_t count)
{
    double least = INFINITY;
    bool inside = count > 0;
    for (int32_t i = 0; i < count; i++) {
        corner a = p[i], b = p[(i + 1) % count];
        double ex = b.x - a.x, ey = b.y - a.y, along = ex * ex + ey * ey;
        double t = along > 0 ? fmin(fmax(-(a.x * ex + a.y * ey) / along, 0), 1) : 0;
        least = fmin(least, hypot(a.x + t * ex, a.y + t * ey));
        inside = inside && a.x * b.y - a.y * b.x >= 0;
    }
    return inside ? 0 : least;
}

/* The body's part in a rectangle that is `more` m larger all round. */
static double distance_in(const scene *s, int32_t at, const forces_self *me, double more)
{
    corner p[2 * CORNERS];
    int32_t count = s->corners[at];
    double hx = me->ahead_x, hy = me->ahead_y;
    for (int32_t k = 0; k < count; k++) {
        double x = (double)s->ax[at + k] - me->x, y = (double)s->ay[at + k] - me->y;
        p[k] = (corner){x * hx + y * hy, hx * y - hy * x};
    }
    count = clip(p, count, -1, 0, more);
    count = clip(p, count, 1, 0, (double)me->length + more);
    count = clip(p, count, 0, 1, (double)me->half_width + more);
    return nearest_of(p, clip(p, count, 0, -1, (double)me->half_width + more));
}

/* The push of every body, in doubles: of the part of it that is in the rectangle, found by cutting it off. */
static void bodies_push_as_the_paper_says(void **state)
{
    (void)state;
    int32_t met = 0, missed = 0;
    scene *s = make_scene(8);
    add_bodies(s, 8);
    for (int32_t i = 0; i < AGENTS; i++)
        for (int32_t at = 0; at < s->crowd.walls.sides; at += s->corners[at]) {
            forces_self me = self_of(s, i, (float)draw(8, i, 6, -3.2, 3.2));
            double distance = distance_in(s, at, &me, 0);
            if (fabs(distance_in(s, at, &me, 1e-4) - distance_in(s, at, &me, -1e-4)) > 1e-2)
                continue; /* it only just reaches into the rectangle */
            double px = (double)me.x - s->middle_x[at], py = (double)me.y - s->middle_y[at], p = hypot(px, py);
            double v = hypot(s->body_vx[at], s->body_vy[at]);
            double tx = px / p + me.going_x, ty = py / p + me.going_y, t = hypot(tx, ty);
            if (t < 1e-2)
                continue;
            forces_body(&s->crowd, at, 1e-4f, true, &me);
            double facing = 1.5 - (v > 0 ? (me.going_x * s->body_vx[at] + me.going_y * s->body_vy[at]) / v / 2 : 0);
            double push = distance < INFINITY ? fmax(0, 1 - distance / me.length) * facing : 0;
            push *= me.heed * fmin(s->body_mass[at] / 80, 4);
            assert_float_equal(tx / t * push, me.sum_x / 65536.0, 5e-3);
            assert_float_equal(ty / t * push, me.sum_y / 65536.0, 5e-3);
            *(distance < INFINITY ? &met : &missed) += 1;
        }
    free(s);
    assert_in_range(met, 300, missed);
    assert_in_range(missed, 3000, AGENTS * BODIES);
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
            float before = hypotf(s->vx[i], s->vy[i]); /* m/s: who stood faced along x */
            float ex = before > 0.05f ? s->vx[i] / before : 1, ey = before > 0.05f ? s->vy[i] / before : 0;
            if (speed > 1e-3f)
                assert_true((s->nx[i] * ex + s->ny[i] * ey) / speed >= cosf(0.2f) - 1e-4f);
        }
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_a_scan_finds),
        cmocka_unit_test(pushes_as_the_paper_says),
        cmocka_unit_test(bodies_push_as_the_paper_says),
        cmocka_unit_test(velocities_are_numbers_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
