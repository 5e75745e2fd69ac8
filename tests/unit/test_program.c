/* Behaviour programs: random ones, on every width, against the same operations one by one in plain C. */
#include <float.h>
#include <string.h>

#include "kernels/lane/lane_math.h"
#include "kernels/lane/noise.h"
#include "crowds.h"

enum { AGENTS = 777, LENGTH = 60, TRIALS = 40 };

static uint32_t pick(int trial, int i, uint32_t what, uint32_t below)
{
    return (uint32_t)(throng_random(17, (uint32_t)trial, (uint32_t)i, what, 5) * below);
}

/* Operations of ordinary registers: random, places and neighbours are tested below. */
static int random_op(int trial, int i)
{
    static const int ops[] = {
        THRONG_PROGRAM_add,   THRONG_PROGRAM_subtract, THRONG_PROGRAM_multiply,   THRONG_PROGRAM_divide,
        THRONG_PROGRAM_min,   THRONG_PROGRAM_max,      THRONG_PROGRAM_negate,     THRONG_PROGRAM_abs,
        THRONG_PROGRAM_floor, THRONG_PROGRAM_sqrt,     THRONG_PROGRAM_sin,        THRONG_PROGRAM_cos,
        THRONG_PROGRAM_exp,   THRONG_PROGRAM_log,      THRONG_PROGRAM_atan,       THRONG_PROGRAM_less,
        THRONG_PROGRAM_equal, THRONG_PROGRAM_select,   THRONG_PROGRAM_less_equal, THRONG_PROGRAM_noise,
        THRONG_PROGRAM_value, THRONG_PROGRAM_column,   THRONG_PROGRAM_time,       THRONG_PROGRAM_whole};
    return ops[pick(trial, i, 0, sizeof ops / sizeof *ops)];
}

/* Any register but those of the first six, which hold the agent, is written again and again. */
static void random_program(int trial, throng_instruction *code)
{
    static const int columns[] = {THRONG_COLUMN_x, THRONG_COLUMN_y, THRONG_COLUMN_radius, THRONG_COLUMN_mass};
    int written = 0;
    for (int i = 0; i < LENGTH; i++) {
        throng_instruction in = {.op = (uint8_t)random_op(trial, i), .to = (uint8_t)written};
        if (i < 4)
            in = (throng_instruction){.op = THRONG_PROGRAM_column, .to = (uint8_t)i, .index = columns[i]};
        else if (written >= THRONG_PROGRAM_REGISTERS)
            in.to = (uint8_t)(4 + pick(trial, i, 1, THRONG_PROGRAM_REGISTERS - 4));
        uint32_t limit = (uint32_t)(written < THRONG_PROGRAM_REGISTERS ? written : THRONG_PROGRAM_REGISTERS);
        if (i >= 4) {
            in.a = (uint8_t)pick(trial, i, 2, limit);
            in.b = (uint8_t)pick(trial, i, 3, limit);
            in.index = (int32_t)pick(trial, i, 4, limit);
        }
        if (in.op == THRONG_PROGRAM_value)
            in.value = (float)(8 * throng_random(17, (uint32_t)trial, (uint32_t)i, 5, 5) - 4);
        if (i >= 4 && in.op == THRONG_PROGRAM_column)
            in.index = columns[pick(trial, i, 6, 4)];
        if (in.op == THRONG_PROGRAM_whole)
            in.index = THRONG_COLUMN_id;
        code[i] = in;
        written += written < THRONG_PROGRAM_REGISTERS;
    }
}

/* --- the oracle: every operation in double precision, rounded once ------------------------------------ */

static float oracle_op(const throng_instruction *in, const float *r, const float *const *columns, int32_t slot)
{
    double a = (double)r[in->a], b = (double)r[in->b];
    float s, c;
    switch (in->op) {
    case THRONG_PROGRAM_value: return in->value;
    case THRONG_PROGRAM_time: return 0;
    case THRONG_PROGRAM_column: return columns[in->index][slot];
    case THRONG_PROGRAM_whole: return (float)((const int32_t *)columns[in->index])[slot];
    case THRONG_PROGRAM_add: return (float)(a + b);
    case THRONG_PROGRAM_subtract: return (float)(a - b);
    case THRONG_PROGRAM_multiply: return (float)(a * b);
    case THRONG_PROGRAM_divide: return (float)(a / b);
    case THRONG_PROGRAM_negate: return -r[in->a];
    case THRONG_PROGRAM_min: return r[in->b] < r[in->a] ? r[in->b] : r[in->a];
    case THRONG_PROGRAM_max: return r[in->b] > r[in->a] ? r[in->b] : r[in->a];
    case THRONG_PROGRAM_abs: return (float)fabs(a);
    case THRONG_PROGRAM_floor: return (float)floor(a);
    case THRONG_PROGRAM_sqrt: return (float)sqrt(a);
    case THRONG_PROGRAM_sin: lane_sincos(r[in->a], &s, &c); return s;
    case THRONG_PROGRAM_cos: lane_sincos(r[in->a], &s, &c); return c;
    case THRONG_PROGRAM_exp: return lane_exp(r[in->a]);
    case THRONG_PROGRAM_log: return lane_log(r[in->a]);
    case THRONG_PROGRAM_atan: return lane_atan2(r[in->a], r[in->b]);
    case THRONG_PROGRAM_less: return a < b;
    case THRONG_PROGRAM_less_equal: return a <= b;
    case THRONG_PROGRAM_equal: return a == b;
    case THRONG_PROGRAM_select: return r[in->a] != 0 ? r[in->b] : r[in->index];
    case THRONG_PROGRAM_noise: return noise_at(r[in->a], r[in->b], r[in->index]);
    default: fail_msg("operation %d", in->op); return 0;
    }
}

static float oracle(const throng_instruction *code, int result, const float *const *columns, int32_t slot)
{
    float r[THRONG_PROGRAM_REGISTERS] = {0};
    for (int i = 0; i < LENGTH; i++)
        r[code[i].to] = oracle_op(&code[i], r, columns, slot);
    return r[result];
}

/* --- worlds ---------------------------------------------------------------------------------------------- */

static throng_world *still_world(const char *backend, int32_t simd, int32_t threads, throng_handle **handles)
{
    throng_point at[AGENTS];
    throng_world *world = crowd_world(backend, simd, threads, NULL);
    for (int32_t i = 0; i < AGENTS; i++)
        at[i] = (throng_point){3 * (i % 30) - 40, 3 * (i / 30) - 40};
    throng_spawn_def def = throng_spawn_def_default();
    def.radius = (throng_sampler){.kind = THRONG_UNIFORM, .a = 0.1, .b = 0.4};
    def.mass = (throng_sampler){.kind = THRONG_UNIFORM, .a = 40, .b = 90};
    *handles = crowd_spawn(world, at, AGENTS, def);
    return world;
}

/* The speed of everybody after one frame of program `code`, whose result is in `result`. */
static void speeds(throng_world *world, const throng_handle *handles, const throng_instruction *code, int32_t count,
                   int result, float *speed)
{
    throng_error error;
    throng_program_def def = {code, count, 1, {result}, -FLT_MAX, FLT_MAX, NULL, NULL};
    int32_t program = throng_world_program(world, &def, &error);
    if (program < 0 || !throng_world_bind(world, handles, AGENTS, THRONG_COLUMN_speed, program, &error))
        fail_msg("%s", error.text);
    crowd_step(world, 1);
    memcpy(speed, throng_agents_read(throng_world_agents(world), THRONG_COLUMN_speed, &error), AGENTS * sizeof *speed);
}

static void check_trial(int trial, const char *backend, int32_t simd, int32_t threads)
{
    throng_error error;
    throng_handle *handles;
    throng_instruction code[LENGTH];
    throng_world *world = still_world(backend, simd, threads, &handles);
    throng_agents *agents = throng_world_agents(world);
    float speed[AGENTS], expected[AGENTS];
    const float *columns[THRONG_COLUMN_COUNT];
    random_program(trial, code);
    int result = code[LENGTH - 1].to;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        columns[c] = throng_agents_read(agents, c, &error);
    for (int32_t i = 0; i < AGENTS; i++)
        expected[i] = oracle(code, result, columns, i);
    speeds(world, handles, code, LENGTH, result, speed);
    for (int32_t i = 0; i < AGENTS; i++) {
        float want = isfinite(expected[i]) ? expected[i] : 1.34f; /* left as it was */
        if (memcmp(&speed[i], &want, sizeof want) != 0)
            fail_msg("trial %d, %s, SIMD width %d: agent %d has %a, expected %a", trial, backend, simd, i,
                     (double)speed[i], (double)want);
    }
    free(handles);
    throng_world_destroy(world);
}

static void every_width_equals_the_operations_one_by_one(void **state)
{
    (void)state;
    static const int32_t widths[] = {1, 4, 8, 16};
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int w = 0; w < 4; w++)
            if (has_simd(widths[w]))
                check_trial(trial, "cpu", widths[w], 1 + trial % 2);
    }
}

static void cuda_equals_the_operations_one_by_one(void **state)
{
    (void)state;
    skip_without_device();
    for (int trial = 0; trial < TRIALS; trial++)
        check_trial(trial, "cuda", 0, 0);
}

static void random_numbers_are_philox_of_agent_step_and_site(void **state)
{
    (void)state;
    throng_handle *handles;
    throng_world *world = still_world("auto", 0, 1, &handles);
    const throng_instruction code[] = {{.op = THRONG_PROGRAM_random, .to = 3, .index = 9}};
    float speed[AGENTS];
    for (uint32_t step = 0; step < 3; step++) {
        speeds(world, handles, code, 1, 3, speed);
        for (uint32_t i = 0; i < AGENTS; i++) {
            uint32_t words[4];
            throng_philox(throng_world_seed(world),
                          (const uint32_t[4]){i, step, THRONG_COLUMN_speed << 16 | 9, 0x50524f47u}, words);
            assert_true(speed[i] == (float)(words[0] >> 8) * 0x1p-24f);
        }
    }
    free(handles);
    throng_world_destroy(world);
}

static void programs_that_nobody_uses_are_forgotten(void **state)
{
    (void)state;
    throng_error error;
    throng_handle *handles;
    throng_world *world = still_world("cpu", 1, 1, &handles);
    float speed[AGENTS];
    int32_t last = 0;
    for (int i = 0; i < 1000; i++) {
        throng_instruction code = {.op = THRONG_PROGRAM_value, .value = (float)i};
        const throng_program_def def = {&code, 1, 1, {0}, 0, 2000, NULL, NULL}, *defs[] = {&def};
        const int column = THRONG_COLUMN_speed;
        assert_true(throng_world_reserve_programs(world, defs, &column, 1, &error));
        last = throng_world_program(world, &def, &error);
        assert_true(last >= 0 && last <= 64);
        assert_int_equal(throng_world_program(world, &def, &error), last); /* known already */
        /* one agent keeps the first program */
        assert_true(throng_world_bind(world, handles + (i > 0), AGENTS - (i > 0), THRONG_COLUMN_speed, last, &error));
    }
    crowd_step(world, 1);
    memcpy(speed, throng_agents_read(throng_world_agents(world), THRONG_COLUMN_speed, &error), sizeof speed);
    assert_true(speed[0] == 0 && speed[1] == 999 && speed[AGENTS - 1] == 999);
    free(handles);
    throng_world_destroy(world);
}

/* Room for programs is made by moving those that there are: whoever asks for one that is known moves them, too. */
static void programs_that_move_are_told_of(void **state)
{
    (void)state;
    throng_error error;
    throng_handle *handles;
    throng_world *world = still_world("cpu", 1, 1, &handles);
    const int column = THRONG_COLUMN_speed;
    for (int i = 0; i < 64; i++) { /* as many as there is room for at first */
        throng_instruction code = {.op = THRONG_PROGRAM_value, .value = (float)(i + 1)};
        const throng_program_def def = {&code, 1, 1, {0}, 0, 2000, NULL, NULL}, *defs[] = {&def};
        assert_true(throng_world_reserve_programs(world, defs, &column, 1, &error));
        int32_t program = throng_world_program(world, &def, &error);
        assert_true(program == i && throng_world_bind(world, handles + i, AGENTS - i, column, program, &error));
    }
    crowd_step(world, 1);
    throng_instruction code = {.op = THRONG_PROGRAM_value, .value = 64};
    const throng_program_def known = {&code, 1, 1, {0}, 0, 2000, NULL, NULL}, *defs[] = {&known};
    assert_true(throng_world_reserve_programs(world, defs, &column, 1, &error));
    for (int i = 0; i < 100; i++) /* somebody else has the memory */
        free(memset(malloc(64 * sizeof(throng_instruction)), 0xff, 64 * sizeof(throng_instruction)));
    crowd_step(world, 1);
    const float *speed = throng_agents_read(throng_world_agents(world), THRONG_COLUMN_speed, &error);
    assert_true(speed[0] == 1 && speed[63] == 64 && speed[AGENTS - 1] == 64);
    free(handles);
    throng_world_destroy(world);
}

static void a_program_that_is_not_valid_is_refused(void **state)
{
    (void)state;
    throng_error error;
    throng_handle *handles;
    throng_world *world = still_world("cpu", 1, 1, &handles);
    const throng_instruction bad[] = {
        {.op = THRONG_PROGRAM_add, .to = 0},                                  /* registers never written */
        {.op = 200, .to = 0},                                                 /* no such operation */
        {.op = THRONG_PROGRAM_value, .to = 32},                               /* no such register */
        {.op = THRONG_PROGRAM_column, .to = 0, .index = THRONG_COLUMN_COUNT}, /* no such column */
        {.op = THRONG_PROGRAM_column, .to = 0, .index = THRONG_COLUMN_id},    /* whole numbers */
        {.op = THRONG_PROGRAM_to_place, .to = 0, .b = 1, .index = 5},         /* no such goal */
        {.op = THRONG_PROGRAM_to_nearest, .to = 0, .b = 1, .index = 1},       /* no such kind */
        {.op = THRONG_PROGRAM_select, .to = 0, .a = 0, .b = 0, .index = 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        throng_program_def def = {&bad[i], 1, 1, {0}, 0, 1, NULL, NULL};
        assert_int_equal(throng_world_program(world, &def, &error), -1);
        assert_non_null(strstr(error.text, "instruction 0"));
    }
    throng_instruction value = {.op = THRONG_PROGRAM_value, .value = 1};
    throng_program_def def = {&value, 1, 1, {1}, 0, 1, NULL, NULL};
    assert_int_equal(throng_world_program(world, &def, &error), -1);
    assert_non_null(strstr(error.text, "never computed"));
    free(handles);
    throng_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_width_equals_the_operations_one_by_one),
                                       cmocka_unit_test(cuda_equals_the_operations_one_by_one),
                                       cmocka_unit_test(random_numbers_are_philox_of_agent_step_and_site),
                                       cmocka_unit_test(programs_that_nobody_uses_are_forgotten),
                                       cmocka_unit_test(programs_that_move_are_told_of),
                                       cmocka_unit_test(a_program_that_is_not_valid_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
