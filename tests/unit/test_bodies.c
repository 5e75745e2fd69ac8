/* Rigid bodies: what holds of their motion, alone, at walls, by agents, and across the seam of a world that wraps. */
#include "crowds.h"

#include <dlfcn.h>
#include <string.h>

#include "world/bodies.h"

#define DT 0.1

static throng_bodies *make(double wrap)
{
    throng_bodies *b = throng_bodies_create(DT, (throng_point){wrap, wrap});
    assert_non_null(b);
    return b;
}

static throng_body_def disc_at(double x, double y, double vx)
{
    throng_body_def d = throng_body_def_default();
    d.radius = 0.5;
    d.friction = 0;
    d.x = x, d.y = y, d.vx = vx;
    return d;
}

static throng_handle add(throng_bodies *b, const throng_body_def *d)
{
    throng_error error;
    throng_handle handle;
    if (!throng_bodies_add(b, d, &handle, &error))
        fail_msg("%s", error.text);
    return handle;
}

static void step(throng_bodies *b, int frames)
{
    throng_error error;
    for (int i = 0; i < frames; i++)
        assert_true(throng_bodies_step(b, NULL, 0, 10, &error));
}

static throng_body get(const throng_bodies *b, throng_handle handle)
{
    throng_body body;
    throng_bodies_get(b, handle, &body);
    return body;
}

static double across(double d, double size) { return size > 0 ? d - size * rint(d / size) : d; }

/* Friction alone stops a body after v^2 / (2 mu g). */
static void test_slides(void **state)
{
    (void)state;
    throng_bodies *b = make(0);
    throng_body_def d = disc_at(0, 0, 3);
    d.friction = 0.4;
    throng_handle it = add(b, &d);
    step(b, 40);
    assert_true(fabs(get(b, it).x - 9 / (2 * 0.4 * 9.81)) < 0.08);
    assert_true(get(b, it).vx == 0);
    throng_bodies_destroy(b);
}

/* While it moves, and once more when it has come to rest or was put somewhere. */
static void test_tells_whether_it_moved(void **state)
{
    (void)state;
    throng_bodies *b = make(0);
    throng_body_def d = disc_at(0, 0, 1);
    d.friction = 0.4;
    throng_handle it = add(b, &d);
    while (get(b, it).vx > 0) {
        assert_true(throng_bodies_take_moved(b, it.slot));
        step(b, 1);
    }
    assert_true(throng_bodies_take_moved(b, it.slot));
    step(b, 1);
    assert_false(throng_bodies_take_moved(b, it.slot));
    throng_bodies_put(b, it, 0, 3, 4, 0);
    assert_true(throng_bodies_take_moved(b, it.slot));
    assert_false(throng_bodies_take_moved(b, it.slot));
    throng_bodies_send(b, it, 1e-20, 0, 0); /* it gets nowhere */
    assert_true(throng_bodies_take_moved(b, it.slot));
    step(b, 1);
    assert_true(throng_bodies_take_moved(b, it.slot));
    throng_bodies_destroy(b);
}

/* Two discs meet head-on round (x, y): what comes of it, from there. */
typedef struct meeting {
    double ax, ay, bx, by, momentum, closest;
} meeting;

static meeting meet(double wrap, double x, double y, bool swapped)
{
    throng_bodies *b = make(wrap);
    throng_body_def left = disc_at(fmod(x - 2 + wrap, wrap), y, 2), right = disc_at(fmod(x + 2, wrap), y + 0.3, -1);
    right.mass = 50;
    throng_handle first = add(b, swapped ? &right : &left), second = add(b, swapped ? &left : &right);
    throng_handle l = swapped ? second : first, r = swapped ? first : second;
    meeting m = {.closest = 1e9};
    for (int i = 0; i < 25; i++) {
        step(b, 1);
        throng_body p = get(b, l), q = get(b, r);
        m.closest = fmin(m.closest, hypot(across(p.x - q.x, wrap), across(p.y - q.y, wrap)));
        m.momentum = p.mass * p.vx + q.mass * q.vx;
    }
    throng_body p = get(b, l), q = get(b, r);
    assert_true(p.x >= 0 && p.x < wrap && q.x >= 0 && q.x < wrap);
    m.ax = across(p.x - x, wrap), m.ay = across(p.y - y, wrap);
    m.bx = across(q.x - x, wrap), m.by = across(q.y - y, wrap);
    throng_bodies_destroy(b);
    return m;
}

static void assert_same(meeting a, meeting b, double tolerance)
{
    assert_true(fabs(a.ax - b.ax) < tolerance && fabs(a.ay - b.ay) < tolerance);
    assert_true(fabs(a.bx - b.bx) < tolerance && fabs(a.by - b.by) < tolerance);
}

static void test_meets_across_the_seam(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        meeting middle = meet(20, 10, 10, swapped);
        assert_true(middle.closest > 0.9 && middle.closest < 1.01);
        assert_true(fabs(middle.momentum - (20 * 2 - 50)) < 1e-6);
        for (int place = 0; place < 4; place++) {
            double x = place % 2 ? 0 : 10, y = place / 2 ? 0.1 : 10;
            meeting seam = meet(20, x, y, swapped);
            assert_true(fabs(seam.momentum - middle.momentum) < 1e-6);
            assert_same(seam, middle, 1e-6);
        }
    }
}

/* A body at rest, pushed by an agent on the other side of the seam, as in the middle. */
static double pushed(double x)
{
    throng_bodies *b = make(20);
    throng_error error;
    throng_body_def d = disc_at(x, 10, 0);
    throng_handle it = add(b, &d);
    throng_near agent = {.slot = 0, .y = 10, .radius = 0.25f, .mass = 80};
    double at = x - 0.8;
    for (int i = 0; i < 20; i++) {
        agent.x = (float)fmod(at + 20, 20);
        agent.vx = agent.wish_x = 1;
        agent.vy = agent.wish_y = 0;
        assert_true(throng_bodies_step(b, &agent, 1, 10, &error));
        at += DT * (double)agent.wish_x;
    }
    double way = across(get(b, it).x - x, 20);
    throng_bodies_destroy(b);
    return way;
}

static void test_agents_push_across_the_seam(void **state)
{
    (void)state;
    double middle = pushed(10), seam = pushed(0.2);
    assert_true(middle > 1);
    assert_true(fabs(middle - seam) < 1e-3);
}

/* Many in little room, thrown about: none enters another, and no number is lost; whoever is fixed stays. */
static void test_crowded(void **state)
{
    (void)state;
    throng_bodies *b = make(8);
    throng_handle it[16];
    for (int i = 0; i < 16; i++) {
        throng_body_def d = disc_at(2 * (i % 4) + 0.1, 2 * (i / 4) + 0.1, 9 * crowd_uniform(i, 1));
        d.vy = 9 * crowd_uniform(i, 2);
        d.fixed = i == 5;
        it[i] = add(b, &d);
    }
    step(b, 200);
    for (int i = 0; i < 16; i++) {
        throng_body p = get(b, it[i]);
        assert_true(p.x >= 0 && p.x < 8 && p.y >= 0 && p.y < 8 && isfinite(p.vx) && isfinite(p.angle));
        for (int j = 0; j < i; j++) {
            throng_body q = get(b, it[j]);
            assert_true(hypot(across(p.x - q.x, 8), across(p.y - q.y, 8)) > 0.9);
        }
    }
    assert_true(get(b, it[5]).x == 2.1 && get(b, it[5]).y == 2.1);
    throng_bodies_destroy(b);
}

/* Bodies that come and go leave the others as they are, and a handle to one that went is known. */
static void test_handles(void **state)
{
    (void)state;
    throng_bodies *b = make(50);
    throng_handle it[40];
    for (int i = 0; i < 40; i++) {
        throng_body_def d = disc_at(1.2 * i + 0.5, 3, 0);
        it[i] = add(b, &d);
    }
    for (int i = 0; i < 40; i += 2)
        throng_bodies_remove(b, it[i]);
    step(b, 3);
    assert_int_equal(20, throng_bodies_count(b));
    throng_body_def d = disc_at(0.5, 3, 0);
    throng_handle fresh = add(b, &d);
    for (int i = 0; i < 40; i++) {
        assert_int_equal(i % 2, throng_bodies_alive(b, it[i]));
        assert_int_equal(throng_bodies_cover(b, (throng_point){1.2 * i + 0.5, 3}, 0), i % 2 || i == 0);
    }
    assert_true(throng_bodies_alive(b, fresh));
    assert_true(throng_bodies_cover(b, (throng_point){49.9, 3}, 0.2)); /* the fresh one is across the seam */
    throng_bodies_destroy(b);
}

static int taken_out;

/* In place of the library's. */
void cpSpaceRemoveShape(void *space, void *shape);
void cpSpaceRemoveShape(void *space, void *shape)
{
    void (*remove)(void *, void *);
    *(void **)&remove = dlsym(RTLD_NEXT, "cpSpaceRemoveShape");
    taken_out++;
    remove(space, shape);
}

/* What is taken out of the space is looked for among all contacts. */
static void test_end_takes_nobody_out(void **state)
{
    (void)state;
    throng_error error;
    throng_near near = {.x = 0.5f, .radius = 0.3f, .mass = 80};
    throng_bodies *b = make(0);
    for (int i = 0; i < 50; i++) {
        throng_body_def d = disc_at(0.01 * i, 0, 0);
        add(b, &d);
    }
    assert_true(throng_bodies_step(b, &near, 1, 10, &error));
    taken_out = 0;
    throng_bodies_remove(b, (throng_handle){0, 0});
    assert_int_equal(1, taken_out);
    throng_bodies_destroy(b);
    assert_int_equal(1, taken_out);
}

static void refuses(const throng_body_def *d, const char *why)
{
    throng_bodies *b = make(0);
    throng_handle handle;
    throng_error error;
    assert_false(throng_bodies_add(b, d, &handle, &error));
    if (!strstr(error.text, why))
        fail_msg("'%s' does not say '%s'", error.text, why);
    assert_int_equal(0, throng_bodies_count(b));
    throng_bodies_destroy(b);
}

static void test_refuses(void **state)
{
    (void)state;
    throng_body_def d = disc_at(0, 0, 0);
    d.mass = 0;
    refuses(&d, "mass must be more than 0");
    d.mass = NAN;
    refuses(&d, "mass");
    d = disc_at(0, 0, 0);
    d.radius = 0;
    refuses(&d, "radius must be 0.01");
    d = disc_at(NAN, 0, 0);
    refuses(&d, "1e6 m");
    d = disc_at(0, 0, 0);
    d.count = 4;
    d.points[1] = (throng_point){1, 0}, d.points[2] = (throng_point){0.2, 0.2}, d.points[3] = (throng_point){0, 1};
    refuses(&d, "not convex");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slides),
        cmocka_unit_test(test_tells_whether_it_moved),
        cmocka_unit_test(test_meets_across_the_seam),
        cmocka_unit_test(test_agents_push_across_the_seam),
        cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_end_takes_nobody_out),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
