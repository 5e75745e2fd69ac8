/* Sampled RVO, one lane wide, against times to collision found by walking along the ray, and a plain loop over all
 * samples. */
#include "crowds.h"

#include "kernels/planners/rvo.h"

enum { AGENTS = 8, STRIDE = 8 };

typedef struct scene {
    crowd crowd;
    throng_planner planner[3]; /* of most; of agent 3; of agent 2 in pairs whose shares complement each other */
    float x[AGENTS], y[AGENTS], vx[AGENTS], vy[AGENTS], radius[AGENTS], max_speed[AGENTS];
    int32_t slot[AGENTS], entry[AGENTS], seen[AGENTS * STRIDE], seen_count[AGENTS];
    float ax[1], ay[1], bx[1], by[1], dx[1], dy[1];
    int32_t wall[STRIDE], wall_count[AGENTS];
} scene;

static double draw(int32_t scene, int32_t i, uint32_t what, double least, double most)
{
    return least + (most - least) * throng_random(10, (uint32_t)scene, (uint32_t)i, what, 97);
}

/* Agent 0 sees all others; those may overlap. With a wall in every second scene. */
static void make_scene(scene *s, int32_t number, int32_t agents)
{
    *s = (scene){.planner = {throng_planner_default(THRONG_PLANNER_rvo), throng_planner_default(THRONG_PLANNER_none),
                             throng_planner_default(THRONG_PLANNER_rvo)}};
    s->planner[2].value[THRONG_rvo_alpha] = 0.8f;
    s->crowd =
        (crowd){.frame = {.agents = agents, .dt = 0.1f, .seed = 12, .step = 47}, .stride = STRIDE, .k = agents - 1};
    crowd *c = &s->crowd;
    c->sx = s->x, c->sy = s->y, c->svx = s->vx, c->svy = s->vy, c->sr = s->radius, c->slot = s->slot;
    c->seen = s->seen, c->seen_count = s->seen_count, c->wall = s->wall, c->wall_count = s->wall_count;
    c->max_speed = s->max_speed, c->planner = s->entry, c->planners = s->planner;
    c->frame.planners = 1u << THRONG_PLANNER_rvo | 1u << THRONG_PLANNER_none;
    for (int32_t i = 0; i < agents; i++) {
        s->x[i] = (float)draw(number, i, 0, -2, 2);
        s->y[i] = (float)draw(number, i, 1, -2, 2);
        s->radius[i] = (float)draw(number, i, 2, 0.2, 0.4);
        s->vx[i] = (float)draw(number, i, 3, -1, 1);
        s->vy[i] = (float)draw(number, i, 4, -1, 1);
        s->slot[i] = i;
        s->entry[i] = i == 3 ? 1 : i == 2 ? 2 : 0; /* agent 3 does not give way */
        s->max_speed[i] = 1.6f;
        s->seen[(i > 0 ? i - 1 : 0) * STRIDE] = i;
    }
    s->seen_count[0] = agents - 1;
    if (number % 2 == 0)
        return;
    double turn = draw(number, 0, 5, 0, 6.28), away = draw(number, 0, 6, 0.5, 2), left = draw(number, 0, 7, -2, 2);
    s->dx[0] = (float)cos(turn), s->dy[0] = (float)sin(turn);
    s->ax[0] = s->x[0] - s->dy[0] * (float)away - s->dx[0] * (float)left;
    s->ay[0] = s->y[0] + s->dx[0] * (float)away - s->dy[0] * (float)left;
    s->bx[0] = s->ax[0] + 1.5f * s->dx[0], s->by[0] = s->ay[0] + 1.5f * s->dy[0];
    c->walls = (throng_walls){.count = 1, .ax = s->ax, .ay = s->ay, .bx = s->bx, .by = s->by, .dx = s->dx, .dy = s->dy};
    s->wall_count[0] = 1;
}

/* --- times, by walking ---------------------------------------------------------------------- */

/* What agent 0 takes on of a pair. */
static double share_of(const scene *s, int32_t j)
{
    double own = s->planner[0].value[THRONG_rvo_alpha], other = s->planner[s->entry[j]].value[THRONG_rvo_alpha];
    if (j == 3)
        return 1;
    return s->planner[0].value[THRONG_rvo_complementary] == 1 ? (own + (1 - other)) / 2 : own;
}

static double gap_to_agent(const scene *s, int32_t j, double vx, double vy, double t)
{
    double share = share_of(s, j);
    double ux = (vx - (1 - share) * s->vx[0]) / share - s->vx[j], uy = (vy - (1 - share) * s->vy[0]) / share - s->vy[j];
    return hypot(s->x[j] - s->x[0] - ux * t, s->y[j] - s->y[0] - uy * t) - s->radius[0] - s->radius[j];
}

static double gap_to_wall(const scene *s, double vx, double vy, double t)
{
    double x = s->x[0] + vx * t - s->ax[0], y = s->y[0] + vy * t - s->ay[0];
    double ex = s->bx[0] - s->ax[0], ey = s->by[0] - s->ay[0], at = (x * ex + y * ey) / (ex * ex + ey * ey);
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    return hypot(at * ex - x, at * ey - y) - s->radius[0];
}

static double gap_to(const scene *s, int32_t what, double vx, double vy, double t)
{
    return what ? gap_to_agent(s, what, vx, vy, t) : gap_to_wall(s, vx, vy, t);
}

/* When the gap passes `least`; INFINITY: not within 12 s. */
static double time_of_passing(const scene *s, int32_t what, double vx, double vy, double least)
{
    const double step = 0.004;
    bool inside = gap_to(s, what, vx, vy, 0) < least;
    for (double t = step; t < 12; t += step)
        if ((gap_to(s, what, vx, vy, t) < least) != inside) {
            double low = t - step, high = t;
            for (int n = 0; n < 30; n++) {
                double middle = 0.5 * (low + high);
                *((gap_to(s, what, vx, vy, middle) < least) != inside ? &high : &low) = middle;
            }
            return high;
        }
    return INFINITY;
}

/* The penalty as the paper has it, with times from collision for those who overlap or are nearer than is safe. */
static double penalty(const scene *s, double vx, double vy)
{
    const double dt = 0.1;
    double worst = 0;
    for (int32_t j = s->crowd.walls.count ? 0 : 1; j < s->crowd.frame.agents; j++) {
        double safety = j ? s->planner[0].value[THRONG_rvo_safety] : 0;
        bool overlaps = j && gap_to(s, j, vx, vy, 0) < safety;
        double time = time_of_passing(s, j, vx, vy, overlaps ? safety : 0);
        double urgency = overlaps ? (1 + fmin(time / dt, 100)) / dt : fmin(1 / time, 1 / dt);
        worst = fmax(worst, urgency);
    }
    return s->planner[0].value[THRONG_rvo_weight] * worst;
}

static float at_once[STRIDE]; /* who relaxes to a velocity counts more than the paper does */

/* --- tests ------------------------------------------------------------------------------------- */

static rvo_best plan(const scene *s, float wx, float wy)
{
    rvo_best best;
    rvo_solve(&s->crowd, s->crowd.k, s->crowd.walls.count > 0, 0, true, wx, wy, &best);
    return best;
}

static void the_cost_is_the_papers(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 300; number++) {
        scene s;
        make_scene(&s, number, 2 + number % 6);
        s.crowd.relaxation = at_once;
        s.planner[0].value[THRONG_rvo_alpha] = number % 3 == 0 ? 1 : number % 3 == 1 ? 0.5f : 0.3f;
        s.planner[0].value[THRONG_rvo_complementary] = number % 5 == 0;
        s.planner[0].value[THRONG_rvo_safety] = number % 4 == 0 ? 0.3f : 0;
        rvo_self me = rvo_look_at_self(&s.crowd, 0);
        rvo_scene seen;
        rvo_collect(&s.crowd, &me, s.crowd.k, s.crowd.walls.count > 0, true, &seen);
        for (int32_t n = 0; n < 4; n++) {
            float vx = (float)draw(number, n, 8, -1.5, 1.5), vy = (float)draw(number, n, 9, -1.5, 1.5);
            rvo_best best = {INFINITY, 0, 0};
            rvo_try(&s.crowd, &me, &seen, vx, vy, vx, vy, true, &best); /* it is what is preferred, too */
            double expected = penalty(&s, vx, vy);
            bool grazes = fabs(best.cost - expected) > 0.01 * expected + 1e-3;
            if (grazes && !(expected == 0 && best.cost < 1 / 11.9) && !(best.cost == 0 && expected < 1 / 11.9))
                fail_msg("scene %d, velocity %d: %g, walked %g", number, n, best.cost, expected);
        }
    }
}

static void the_least_cost_wins_and_then_the_least_index(void **state)
{
    (void)state;
    for (int32_t number = 0; number < 100; number++) {
        scene s;
        make_scene(&s, number, 6);
        s.planner[0].value[THRONG_rvo_samples] = (float)(1 + number % 70);
        s.planner[0].value[THRONG_rvo_max_acceleration] = number % 4 ? 1e6f : 9;
        float discs[STRIDE] = {0};
        s.crowd.relaxation = number % 2 ? discs : NULL;
        uint32_t step = number % 2 ? 47 : 2; /* people keep to their samples for 2 s */
        rvo_best best = plan(&s, 1.3f, 0);
        rvo_self me = rvo_look_at_self(&s.crowd, 0);
        rvo_scene seen;
        rvo_collect(&s.crowd, &me, s.crowd.k, s.crowd.walls.count > 0, true, &seen);
        float least = INFINITY, x = 0, y = 0;
        for (int32_t n = 0; n <= me.samples; n++) {
            uint32_t words[4];
            float vx = 1.3f, vy = 0;
            if (n == 0) {
                limits_pull(&me.limits, &vx, &vy);
            } else {
                throng_philox(12, (const uint32_t[4]){0, step, (uint32_t)(n - 1) / 4, THRONG_RANDOM_RVO}, words);
                if (!rvo_sample(&me, words[(n - 1) % 4], &vx, &vy))
                    continue;
            }
            rvo_best one = {INFINITY, 0, 0};
            rvo_try(&s.crowd, &me, &seen, 1.3f, 0, vx, vy, true, &one);
            if (one.cost < least)
                least = one.cost, x = vx, y = vy;
        }
        assert_true(best.cost == least && best.vx == x && best.vy == y);
        assert_true(hypotf(x, y) <= 1.6001f);
        if (number % 4 == 0)
            assert_true(hypotf(x - s.vx[0], y - s.vy[0]) <= 0.9001f || hypotf(s.vx[0], s.vy[0]) > 1.6f);
    }
}

/* Of two as good, the nearer to what they do. */
static void people_change_their_velocity_for_a_reason(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 0, 1);
    rvo_self me = rvo_look_at_self(&s.crowd, 0);
    rvo_scene none = {.discs = 0};
    rvo_best same = {INFINITY, 0, 0}, other = same;
    float vx = me.limits.vx, vy = me.limits.vy;
    rvo_try(&s.crowd, &me, &none, vx + 1, vy, vx, vy, true, &same);
    rvo_try(&s.crowd, &me, &none, vx + 1, vy, vx + 2, vy, true, &other);
    assert_true(fabsf(same.cost - 1) < 1e-5f && fabsf(other.cost - 1 - 2 * RVO_STEADY) < 1e-5f);
}

/* Whatever it can do leads into somebody it touches: all as bad, beside which what it prefers is nothing. */
static void of_those_that_cost_the_same_the_first_wins(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 0, 2);
    s.planner[0].value[THRONG_rvo_max_acceleration] = 1;
    s.planner[0].value[THRONG_rvo_weight] = 1e9f;
    s.x[0] = s.y[0] = s.y[1] = 0, s.x[1] = s.radius[0] + s.radius[1];
    s.vx[0] = 1, s.vy[0] = s.vx[1] = s.vy[1] = 0;
    rvo_best best = plan(&s, 1, 0.05f);
    assert_true(best.vx == 1 && best.vy == 0.05f && best.cost > 1e9f);
}

/* Samples fill the disc evenly: as many in each of four rings and quarters of equal area. */
static void samples_are_even(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 0, 1);
    rvo_self me = rvo_look_at_self(&s.crowd, 0);
    int count[4][4] = {{0}};
    const int blocks = 4000;
    for (int32_t block = 0; block < blocks; block++) {
        philox_words words = rvo_words(&s.crowd, &me, block);
        for (int n = 0; n < 4; n++) {
            float vx, vy;
            assert_true(rvo_sample(&me, rvo_word(&words, n), &vx, &vy));
            int ring = (int)(4 * (vx * vx + vy * vy) / (1.6f * 1.6f));
            count[ring < 4 ? ring : 3][(vx > 0) + 2 * (vy > 0)]++;
        }
    }
    for (int n = 0; n < 16; n++)
        assert_in_range(count[n / 4][n % 4], blocks / 4 - 150, blocks / 4 + 150); /* five deviations */
}

static void who_shares_nothing_avoids_only_those_without_a_planner(void **state)
{
    (void)state;
    scene s;
    make_scene(&s, 0, 2);
    s.crowd.relaxation = at_once;
    s.planner[0].value[THRONG_rvo_alpha] = 0;
    s.x[0] = s.y[0] = s.y[1] = 0, s.x[1] = 1.5f;
    rvo_best best = plan(&s, 1.3f, 0);
    assert_true(best.vx == 1.3f && best.vy == 0 && best.cost == 0);
    s.entry[1] = 1;
    best = plan(&s, 1.3f, 0);
    assert_true(best.cost > 0 && fabsf(best.vy) > 0.1f);
}

/* Of whatever alphas, both shares of a pair add up to 1; those that did before stay as they are. */
static void shares_of_a_pair_complement_each_other(void **state)
{
    (void)state;
    static const float alphas[][3] = {{0.3f, 0.7f, 0.3f}, {1, 0, 1},        {0, 1, 0},         {0, 0, 0.5f},
                                      {1, 1, 0.5f},       {1, 0.5f, 0.75f}, {0.2f, 0.6f, 0.3f}};
    for (size_t n = 0; n < sizeof alphas / sizeof *alphas; n++) {
        scene s;
        make_scene(&s, 0, 3);
        s.planner[0].value[THRONG_rvo_alpha] = alphas[n][0];
        s.planner[2].value[THRONG_rvo_alpha] = alphas[n][1];
        rvo_self me = rvo_look_at_self(&s.crowd, 0), other = rvo_look_at_self(&s.crowd, 2);
        assert_true(rvo_share_with(&s.crowd, &me, 2, false) == alphas[n][0]);
        s.planner[0].value[THRONG_rvo_complementary] = s.planner[2].value[THRONG_rvo_complementary] = 1;
        me = rvo_look_at_self(&s.crowd, 0), other = rvo_look_at_self(&s.crowd, 2);
        float mine = rvo_share_with(&s.crowd, &me, 2, false), others = rvo_share_with(&s.crowd, &other, 0, false);
        assert_true(fabsf(mine + others - 1) < 1e-6f && fabsf(mine - alphas[n][2]) < 1e-6f);
        assert_true(rvo_share_with(&s.crowd, &me, 2, true) == 1); /* without a planner */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cost_is_the_papers),
        cmocka_unit_test(the_least_cost_wins_and_then_the_least_index),
        cmocka_unit_test(of_those_that_cost_the_same_the_first_wins),
        cmocka_unit_test(samples_are_even),
        cmocka_unit_test(shares_of_a_pair_complement_each_other),
        cmocka_unit_test(people_change_their_velocity_for_a_reason),
        cmocka_unit_test(who_shares_nothing_avoids_only_those_without_a_planner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
