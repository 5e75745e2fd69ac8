/* throng.h: environments for programs that learn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "throng.h"

/* A hall of 20 x 10 m with a wall across its middle half; two learners at (2, 5) and (5, 5), which is between that and
 * the wall, and somebody on the way out who leaves. */
static const char HALL[] =
    "local throng = require 'throng'\n"
    "local params = throng.params { what = 'walk', seconds = 10, count = 2 }\n"
    "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10),\n"
    "  walls = { throng.box(10, 0, 10.5, 8) } }, seconds = params.seconds, people = false }\n"
    "world:column 'level'\n"
    "local at = { { 2, 5 }, { 5, 5 } }\n"
    "local learners = world:spawn { name = 'learners', at = { at[1], params.count > 1 and at[2] or nil }, level = 3,\n"
    "  radius = 0.25 }\n"
    "world:spawn { name = 'other', at = { { 2, 8 } }, radius = 0.25 }:go_to { 2, 9 }\n"
    "if params.what == 'remove' then world:at(0.45, function() learners:filter(function(a) return a.x < 4 end)"
    ":remove() end) end\n"
    "if params.what == 'stop' then world:at(0.15, function() world:stop() end) end\n"
    "if params.what ~= 'none' then world:environment { learners = learners, observe = { 'x', 'level' }, neighbours = "
    "1,\n"
    "  rays = 4, range = 6, velocity = 1, act = { time_gap = { 0.2, 0.9 } }, every = 0.2,\n"
    "  reward = function(l)\n"
    "    if params.what == 'error' and world.seed % 2 == 0 then error 'no' end\n"
    "    if params.what == 'text' then return 'much' end\n"
    "    if params.what == 'print' then print 'looked' end\n"
    "    return l.x\n"
    "  end,\n"
    "  ended = params.what == 'all' and function() return world.time > 0.3 end\n"
    "    or function(l) local t = {} for i, x in ipairs(l.x:list()) do t[i] = x > 5.5 and 1 or 0 end return t end } "
    "end\n"
    "return world\n";

static char path[] = "/tmp/throng-env-XXXXXX.lua";

static int write_hall(void **state)
{
    (void)state;
    int file = mkstemps(path, 4);
    FILE *out = fdopen(file, "w");
    fputs(HALL, out);
    return fclose(out);
}

static int remove_hall(void **state)
{
    (void)state;
    return remove(path);
}

static throng_env *hall(int32_t worlds, const char *param)
{
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.params = &param;
    settings.param_count = param ? 1 : 0;
    settings.threads = 2;
    throng_env *env = throng_env_load(path, worlds, &settings, &message);
    assert_string_equal("", message.text);
    assert_non_null(env);
    return env;
}

static throng_env_shape shape_of(const throng_env *env)
{
    throng_env_shape shape = {.size = sizeof shape};
    throng_env_shape_of(env, &shape);
    return shape;
}

static void reset_all(throng_env *env)
{
    throng_message message = {""};
    for (int32_t w = 0; w < shape_of(env).worlds; w++)
        if (!throng_env_reset(env, &w, (int64_t[]){w + 1}, 1, &message))
            fail_msg("%s", message.text);
}

/* Everybody wishes (x, y), with that time gap. */
static bool step(throng_env *env, float x, float y, float gap, throng_message *message)
{
    throng_env_shape shape = shape_of(env);
    float actions[96];
    assert_int_equal(3, shape.actions);
    for (int32_t i = 0; i < shape.worlds * shape.agents; i++)
        memcpy(actions + 3 * i, (float[]){x, y, gap}, 3 * sizeof(float));
    return throng_env_step(env, actions, message);
}

#define NEAR(expected, found) assert_true(fabsf((float)(expected) - (found)) < 1e-3f)

static void numbers_are_named_and_bounded(void **state)
{
    (void)state;
    static const char *const SEEN[] = {"x",
                                       "level",
                                       "x of neighbour 0",
                                       "y of neighbour 0",
                                       "vx of neighbour 0",
                                       "vy of neighbour 0",
                                       "ray 0",
                                       "ray 1",
                                       "ray 2",
                                       "ray 3"};
    throng_env *env = hall(1, NULL);
    float bounds[2];
    throng_env_shape shape = shape_of(env);
    assert_int_equal(2, shape.agents);
    assert_int_equal(10, shape.observations);
    for (int32_t i = 0; i < 10; i++)
        assert_string_equal(SEEN[i], throng_env_observation(env, i, bounds));
    assert_true(bounds[0] == 0 && bounds[1] == 6);
    assert_null(throng_env_observation(env, 10, bounds));
    assert_null(throng_env_observation(env, -1, bounds));
    assert_string_equal("velocity y", throng_env_action(env, 1, bounds));
    assert_true(bounds[0] == -1 && bounds[1] == 1);
    assert_string_equal("time_gap", throng_env_action(env, 2, bounds));
    assert_true(bounds[0] == 0.2f && bounds[1] == 0.9f);
    assert_null(throng_env_action(env, 3, bounds));
    throng_env_destroy(env);
}

static void learners_see_what_is_there(void **state)
{
    (void)state;
    throng_env *env = hall(1, NULL);
    reset_all(env);
    const float *first = throng_env_observations(env), *second = first + 10;
    NEAR(2, first[0]);
    NEAR(3, first[1]);
    /* the neighbour 3 m to the right, the wall above and below, and the one at (2, 8) */
    float seen[] = {3, 0, 0, 0, 2.75f, 2.75f, 2, 5};
    for (int i = 0; i < 8; i++)
        NEAR(seen[i], first[2 + i]);
    float others[] = {-3, 0, 0, 0, 5, 5, 2.75f, 5};
    for (int i = 0; i < 8; i++)
        NEAR(others[i], second[2 + i]);
    throng_env_destroy(env);
}

static void actions_are_wishes_and_columns_within_bounds(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_env *env = hall(1, NULL);
    reset_all(env);
    throng_sim *sim = throng_env_world(env, 0);
    assert_true(step(env, 3, -4, 5, &message));
    assert_int_equal(2, throng_sim_steps(sim)); /* 0.2 s of 0.1 s */
    const float *x = throng_sim_read(sim, throng_sim_column_named(sim, "desired_vx"), &message);
    NEAR(0.7071, x[0]); /* (1, -1), of length 1 */
    x = throng_sim_read(sim, throng_sim_column_named(sim, "time_gap"), &message);
    NEAR(0.9, x[1]);
    NEAR(throng_env_observations(env)[0], throng_env_rewards(env)[0]);
    assert_true(throng_env_rewards(env)[0] > 2.05f);
    assert_false(step(env, NAN, 0, 0.5f, &message));
    assert_string_equal("world 0: a velocity is no number", message.text);
    throng_env_destroy(env);
}

static void a_world_is_what_it_is_alone(void **state)
{
    (void)state;
    enum { WORLDS = 5 };
    uint64_t together[WORLDS], alone;
    throng_message message = {""};
    throng_env *env = hall(WORLDS, NULL);
    reset_all(env);
    for (int k = 0; k < 6; k++)
        assert_true(step(env, 0.3f, 0.1f, 0.5f, &message));
    for (int32_t w = 0; w < WORLDS; w++)
        assert_true(throng_sim_hash(throng_env_world(env, w), &together[w], &message));
    throng_env_destroy(env);
    for (int32_t w = 0; w < WORLDS; w++) { /* by the functions of simulations, without observing */
        throng_sim_settings settings = throng_sim_settings_default();
        throng_agent agents[3];
        settings.seed = w + 1;
        throng_sim *sim = throng_sim_load(path, &settings, &message);
        assert_int_equal(3, throng_sim_agents(sim, agents));
        for (int k = 0; k < 6; k++) {
            assert_true(throng_sim_steer(sim, agents, (float[]){0.3f, 0.1f, 0.3f, 0.1f}, 2, &message));
            assert_true(throng_sim_write(sim, throng_sim_column_named(sim, "time_gap"), agents, (double[]){0.5, 0.5}, 2,
                                         &message));
            assert_true(throng_sim_step(sim, &message) && throng_sim_step(sim, &message));
        }
        assert_true(throng_sim_hash(sim, &alone, &message));
        assert_true(alone == together[w]);
        throng_sim_destroy(sim);
    }
}

static void who_has_ended_acts_no_more(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_env *env = hall(1, NULL);
    reset_all(env);
    const uint8_t *ended = throng_env_ended(env), *cut = throng_env_cut(env);
    int steps = 0;
    for (; !ended[1]; steps++)
        assert_true(step(env, 1, 0, 0.5f, &message));
    assert_true(throng_env_rewards(env)[1] > 5.5f && !ended[0]); /* the last one is paid for */
    float where = throng_env_observations(env)[10];
    for (int k = 0; k < 3; k++)
        assert_true(step(env, 1, 0, 0.5f, &message));
    assert_true(throng_env_rewards(env)[1] == 0);
    assert_true(throng_env_observations(env)[10] < where + 0.4f && throng_env_observations(env)[0] > 2.5f);
    for (; !ended[0] && !cut[0]; steps++)
        assert_true(step(env, 1, 0, 0.5f, &message));
    assert_true(cut[0] || ended[0]);
    uint32_t stood = throng_sim_steps(throng_env_world(env, 0));
    assert_true(step(env, 1, 0, 0.5f, &message)); /* it is over: nothing happens */
    assert_int_equal(stood, throng_sim_steps(throng_env_world(env, 0)));
    assert_true(throng_env_rewards(env)[0] == 0);
    reset_all(env);
    assert_true(!ended[0] && !ended[1] && !cut[0]);
    NEAR(2, throng_env_observations(env)[0]);
    throng_env_destroy(env);
}

static void time_and_removal_end_it_too(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_env *env = hall(1, "seconds=0.5");
    reset_all(env);
    for (int k = 0; k < 3; k++)
        assert_true(!throng_env_cut(env)[0] && step(env, 0, 0, 0.5f, &message));
    assert_true(throng_env_cut(env)[0] && !throng_env_ended(env)[0]);
    throng_env_destroy(env);

    env = hall(1, "what=stop");
    reset_all(env);
    assert_true(step(env, 0, 0, 0.5f, &message) && !throng_env_cut(env)[0]);
    assert_true(step(env, 0, 0, 0.5f, &message) && throng_env_cut(env)[0]);
    throng_env_destroy(env);

    env = hall(1, "what=remove");
    reset_all(env);
    for (int k = 0; k < 3; k++)
        assert_true(step(env, 0, 0, 0.5f, &message));
    assert_true(throng_env_ended(env)[0] && !throng_env_ended(env)[1]);
    const float *seen = throng_env_observations(env); /* the other's are where they were */
    for (int i = 0; i < 10; i++)
        assert_true(seen[i] == 0);
    NEAR(5, seen[10]);
    NEAR(3, seen[11]);
    assert_true(seen[16] > 1); /* a ray */
    throng_env_destroy(env);

    env = hall(2, "what=all");
    reset_all(env);
    for (int k = 0; k < 2; k++)
        assert_true(!throng_env_ended(env)[0] && step(env, 0, 0, 0.5f, &message));
    for (int i = 0; i < 4; i++)
        assert_true(throng_env_ended(env)[i]);
    throng_env_destroy(env);
}

static void an_error_ends_its_world_alone(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_env *env = hall(3, "what=error");
    assert_false(step(env, 1, 0, 0.5f, &message));
    assert_string_equal("a world was never reset: throng_env_reset begins it", message.text);
    assert_false(throng_env_reset(env, NULL, NULL, -1, &message));
    assert_string_equal("throng_env_reset: the number of worlds must be a whole number >= 0, got -1", message.text);
    reset_all(env);
    assert_false(step(env, 1, 0, 0.5f, &message));
    assert_non_null(strstr(message.text, "world 1: "));
    assert_non_null(strstr(message.text, ".lua:15: no"));
    assert_true(throng_env_rewards(env)[0] > 2 && throng_env_rewards(env)[4] > 2);
    assert_true(step(env, 1, 0, 0.5f, &message)); /* the others go on */
    assert_int_equal(4, throng_sim_steps(throng_env_world(env, 2)));
    assert_int_equal(2, throng_sim_steps(throng_env_world(env, 1)));
    throng_env_destroy(env);

    env = hall(4, "what=error");
    reset_all(env);
    assert_false(step(env, 1, 0, 0.5f, &message));
    assert_non_null(strstr(message.text, "world 1, the first of 2 that failed: "));
    for (int i = 0; i < 8; i++) /* until they are reset */
        assert_int_equal(i / 2 % 2, throng_env_ended(env)[i]);
    assert_true(throng_env_reset(env, (int32_t[]){1, 3}, (int64_t[]){5, 7}, 2, &message));
    assert_true(step(env, 1, 0, 0.5f, &message));
    assert_true(!throng_env_ended(env)[2] && !throng_env_ended(env)[6] && throng_env_rewards(env)[2] > 2);
    throng_env_destroy(env);

    env = hall(1, "what=text");
    reset_all(env);
    assert_false(step(env, 1, 0, 0.5f, &message));
    assert_non_null(strstr(message.text, "world 0: the environment's reward must be a number"));
    throng_env_destroy(env);
    assert_false(throng_env_load(path, 0, NULL, &message));
    assert_non_null(strstr(message.text, "at least one world"));
    const char *none = "what=none";
    throng_sim_settings settings = throng_sim_settings_default();
    settings.params = &none;
    settings.param_count = 1;
    assert_false(throng_env_load(path, 1, &settings, &message));
    assert_non_null(strstr(message.text, "the scenario is no environment: world:environment"));
    assert_false(throng_env_load("/none.lua", 1, NULL, &message));
    assert_non_null(strstr(message.text, "there is no such file"));
}

/* What prints calls what it may not. */
static struct {
    throng_env *env;
    int32_t times;
    throng_message step, reset;
} printed;

static void call_again(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    if (!printed.env)
        return;
    printed.times++;
    assert_false(throng_env_step(printed.env, NULL, &printed.step));
    assert_false(throng_env_reset(printed.env, (int32_t[]){0}, (int64_t[]){5}, 1, &printed.reset));
}

static void nothing_is_told_in_its_midst(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.params = (const char *const[]){"what=print"};
    settings.param_count = 1;
    settings.threads = 2;
    settings.print = call_again;
    throng_env *env = throng_env_load(path, 1, &settings, &message);
    assert_non_null(env);
    reset_all(env);
    printed.env = env;
    assert_true(step(env, 1, 0, 0.5f, &message));
    printed.env = NULL;
    assert_true(printed.times > 0);
    assert_string_equal("throng_env_step cannot be called while the worlds run, as in a callback", printed.step.text);
    assert_string_equal("throng_env_reset cannot be called while the worlds run, as in a callback", printed.reset.text);
    assert_true(step(env, 1, 0, 0.5f, &message));
    throng_env_destroy(env);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_named_and_bounded),
        cmocka_unit_test(learners_see_what_is_there),
        cmocka_unit_test(actions_are_wishes_and_columns_within_bounds),
        cmocka_unit_test(a_world_is_what_it_is_alone),
        cmocka_unit_test(who_has_ended_acts_no_more),
        cmocka_unit_test(time_and_removal_end_it_too),
        cmocka_unit_test(an_error_ends_its_world_alone),
        cmocka_unit_test(nothing_is_told_in_its_midst),
    };
    return cmocka_run_group_tests(tests, write_hall, remove_hall);
}
