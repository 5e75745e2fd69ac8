/* throng.h: a scenario held by a program. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "throng.h"

static const char ROOM[] = "local throng = require 'throng'\n"
                           "local params = throng.params { count = 20 }\n"
                           "print('made', params.count)\n"
                           "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10),\n"
                           "  walls = { throng.box(10, 0, 10.2, 6) } }, threads = 1, seconds = 40,\n"
                           "  regions = { left = throng.box(1, 1, 8, 9), right = throng.box(15, 1, 19, 9) } }\n"
                           "world:spawn { count = params.count, where = 'left', name = 'people' }:go_to 'right'\n"
                           "return world\n";

typedef struct printed {
    char text[256];
    size_t size;
} printed;

static void take(void *context, const char *text, size_t size)
{
    printed *all = context;
    for (size_t i = 0; i < size && all->size < sizeof all->text - 1; i++)
        all->text[all->size++] = text[i];
}

static throng_sim *room(const throng_sim_settings *settings)
{
    throng_message message = {""};
    throng_sim *sim = throng_sim_load_text("room.lua", ROOM, strlen(ROOM), settings, &message);
    assert_string_equal("", message.text);
    assert_non_null(sim);
    return sim;
}

static uint64_t run_to_end(throng_sim *sim)
{
    uint64_t hash = 0;
    throng_message message;
    for (bool ended = false; !ended;)
        assert_true(throng_sim_step(sim, &message) && throng_sim_ended(sim, &ended, &message));
    assert_true(throng_sim_hash(sim, &hash, &message));
    return hash;
}

static void settings_are_the_command_lines(void **state)
{
    (void)state;
    const char *const params[] = {"count=7"};
    printed said = {.size = 0};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.seed = 5;
    settings.params = params;
    settings.param_count = 1;
    settings.print = take;
    settings.context = &said;
    throng_sim *sim = room(&settings);
    assert_int_equal(7, throng_sim_count(sim));
    assert_int_equal(5, throng_sim_seed(sim));
    assert_string_equal("cpu", throng_sim_backend(sim));
    assert_string_equal("made\t7\n", said.text);
    throng_sim_destroy(sim);
}

static void same_bits_again_and_with_other_lanes(void **state)
{
    (void)state;
    throng_sim_settings settings = throng_sim_settings_default();
    throng_sim *one = room(NULL);
    settings.simd = 4;
    settings.threads = 2;
    throng_sim *other = room(&settings);
    uint64_t hash = run_to_end(one);
    assert_true(hash == run_to_end(other));
    assert_true(throng_sim_time(one) > 5 && throng_sim_time(one) < 40); /* everybody has arrived */
    assert_true(fabs(throng_sim_steps(one) * throng_sim_dt(one) - throng_sim_time(one)) < 1e-9);
    settings.seed = 9;
    throng_sim *third = room(&settings);
    assert_true(hash != run_to_end(third));
    throng_sim_destroy(one);
    throng_sim_destroy(other);
    throng_sim_destroy(third);
}

static void columns_are_read_in_place_and_written_checked(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim *sim = room(NULL);
    throng_agent agents[2];
    int32_t speed = throng_sim_column_named(sim, "speed"), id = throng_sim_column_named(sim, "id");
    throng_sim_column_info about = {.size = sizeof about};
    assert_true(throng_sim_column(sim, speed, &about));
    assert_string_equal("speed", about.name);
    assert_string_equal("m/s", about.unit);
    assert_true(about.writable && !about.whole);
    assert_true(throng_sim_column(sim, id, &about) && about.whole && !about.writable);
    assert_false(throng_sim_column(sim, -1, &about) || throng_sim_column(sim, 1000, &about));
    assert_int_equal(-1, throng_sim_column_named(sim, "sped"));
    assert_true(throng_sim_agent_at(sim, 0, &agents[0]) && throng_sim_agent_at(sim, 3, &agents[1]));
    assert_true(throng_sim_write(sim, speed, agents, (double[]){0.5, 0.7}, 2, &message));
    const float *values = throng_sim_read(sim, speed, &message);
    assert_true(values[0] == 0.5f && values[3] == 0.7f);
    assert_int_equal(3, ((const int32_t *)throng_sim_read(sim, id, &message))[3]);
    /* nothing is written when one of them is wrong */
    assert_false(throng_sim_write(sim, speed, agents, (double[]){0.9, NAN}, 2, &message));
    assert_non_null(strstr(message.text, "column 'speed': nan, value 1 of 2, is not from 0 to 1000 m/s"));
    assert_true(((const float *)throng_sim_read(sim, speed, &message))[0] == 0.5f);
    assert_false(throng_sim_write(sim, id, agents, (double[]){1, 2}, 2, &message));
    assert_non_null(strstr(message.text, "column 'id' cannot be written"));
    assert_null(throng_sim_read(sim, 1000, &message));
    assert_null(throng_sim_read(sim, -1, &message));
    /* a behaviour function would go on writing it */
    assert_true(throng_sim_do(sim, "world.agents.speed = function(t, a) return 1 + 0 * t end", &message));
    assert_true(throng_sim_write(sim, speed, agents, (double[]){0.25}, 1, &message));
    assert_true(throng_sim_step(sim, &message));
    values = throng_sim_read(sim, speed, &message);
    assert_true(values[0] == 0.25f && values[3] == 1);
    throng_sim_destroy(sim);
}

static void columns_are_edited_as_arrays(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.keep_inputs = true;
    throng_sim *sim = room(&settings), *other = room(NULL);
    int32_t speed = throng_sim_column_named(sim, "speed"), id = throng_sim_column_named(sim, "id");
    throng_agent agents[20], again;
    const float at[] = {2, 0.5f};
    const void *inputs;
    size_t size;
    assert_int_equal(20, throng_sim_agents(sim, agents));
    assert_true(throng_sim_do(sim, "world.agents.speed = function(t, a) return 1 + 0.01 * t end", &message));
    assert_true(throng_sim_do_with(sim, &agents[2], 1, "group:remove()", &message) && throng_sim_step(sim, &message));
    float *values = throng_sim_edit(sim, speed, &message);
    assert_non_null(values);
    float before = values[9];
    assert_true(before >= 1 && values[19] == before);
    values[0] = 0.5f;
    values[2] = NAN; /* nobody lives there */
    values[7] = 0.75f;
    values[9] = -1;
    assert_false(throng_sim_commit(sim, speed, &message));
    assert_string_equal("column 'speed': -1 in slot 9 is not from 0 to 1000 m/s", message.text);
    assert_true(((const float *)throng_sim_read(sim, speed, &message))[0] == before);
    values[9] = before; /* as it was: the function goes on */
    assert_true(throng_sim_commit(sim, speed, &message) && throng_sim_step(sim, &message));
    const float *now = throng_sim_read(sim, speed, &message);
    assert_true(now[0] == 0.5f && now[7] == 0.75f && now[9] > before);
    /* once */
    assert_false(throng_sim_commit(sim, speed, &message));
    assert_non_null(strstr(message.text, "nobody edits this column: throng_sim_edit"));
    assert_false(throng_sim_commit(sim, id, &message) || throng_sim_commit(sim, -1, &message));
    assert_null(throng_sim_edit(sim, id, &message));
    assert_non_null(strstr(message.text, "column 'id' cannot be written"));
    assert_null(throng_sim_edit(sim, 1000, &message));
    /* who came since is another one */
    values = throng_sim_edit(sim, speed, &message);
    values[5] = 0.25f;
    assert_true(throng_sim_do_with(sim, &agents[5], 1, "group:remove()", &message) && throng_sim_step(sim, &message));
    assert_true(throng_sim_spawn(sim, "{ speed = 0.9 }", at, 1, &again, &message));
    assert_false(throng_sim_commit(sim, speed, &message));
    assert_non_null(strstr(message.text, "agent 0 of 1 is gone"));
    /* an input */
    assert_true(throng_sim_inputs(sim, &inputs, &size, &message));
    assert_true(throng_sim_apply(other, inputs, size, &message));
    assert_true(((const float *)throng_sim_read(other, speed, &message))[7] == 0.75f);
    assert_true(run_to_end(sim) == run_to_end(other));
    throng_sim_destroy(sim);
    throng_sim_destroy(other);
}

static void older_programs_know_less_of_a_struct(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    settings.size = offsetof(throng_sim_settings, keep_inputs);
    settings.keep_inputs = true; /* beyond what it says it knows */
    throng_sim *sim = room(&settings);
    void *snapshot;
    size_t size;
    assert_false(throng_sim_snapshot(sim, &snapshot, &size, &message));
    throng_sim_column_info about = {.size = offsetof(throng_sim_column_info, least), .least = 7, .most = 7};
    assert_true(throng_sim_column(sim, throng_sim_column_named(sim, "speed"), &about));
    assert_true(about.writable && about.least == 7 && about.most == 7);
    assert_true(about.size == offsetof(throng_sim_column_info, least));
    throng_sim_destroy(sim);
}

static void who_is_gone_is_an_error(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim *sim = room(NULL);
    throng_agent gone, agent;
    const float still[] = {0, 0};
    assert_true(throng_sim_agent_at(sim, 2, &gone));
    assert_true(throng_sim_do_with(sim, &gone, 1, "group:remove()", &message));
    assert_int_equal(19, throng_sim_count(sim));
    assert_false(throng_sim_is_alive(sim, gone));
    throng_agent living[20];
    assert_int_equal(19, throng_sim_agents(sim, living));
    assert_true(living[1].slot == 1 && living[2].slot == 3);
    assert_false(throng_sim_agent_at(sim, 2, &agent));
    assert_false(throng_sim_agent_at(sim, -1, &agent) || throng_sim_agent_at(sim, 1000000, &agent));
    assert_false(throng_sim_write(sim, throng_sim_column_named(sim, "speed"), &gone, (double[]){1}, 1, &message));
    assert_non_null(strstr(message.text, "agent 0 of 1 is gone"));
    assert_false(throng_sim_steer(sim, &gone, still, 1, &message));
    assert_false(throng_sim_do_with(sim, &gone, 1, "group:go_to 'left'", &message));
    throng_sim_destroy(sim);
}

static void programs_spawn_steer_and_release(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim *sim = room(NULL);
    const float at[] = {2, 0.6f, 4, 0.6f}, east[] = {1.2f, 0, 1.2f, 0}, bad[] = {NAN, 0};
    throng_agent own[2];
    assert_true(throng_sim_spawn(sim, "{ name = 'players', planner = 'rvo', radius = 0.2 }", at, 2, own, &message));
    assert_int_equal(22, throng_sim_count(sim));
    const float *x = throng_sim_read(sim, throng_sim_column_named(sim, "x"), &message);
    assert_true(x[own[0].slot] == 2 && x[own[1].slot] == 4);
    const int32_t *group = throng_sim_read(sim, throng_sim_column_named(sim, "group"), &message);
    assert_string_equal("players", throng_sim_group_name(sim, group[own[1].slot]));
    assert_null(throng_sim_group_name(sim, 100));
    assert_true(throng_sim_steer(sim, own, east, 2, &message));
    assert_false(throng_sim_steer(sim, own, bad, 1, &message));
    for (int i = 0; i < 30; i++)
        assert_true(throng_sim_step(sim, &message));
    x = throng_sim_read(sim, throng_sim_column_named(sim, "x"), &message);
    assert_true(x[own[0].slot] > 4 && x[own[1].slot] > 6);
    assert_true(throng_sim_release(sim, own, 2, &message));
    assert_true(throng_sim_do_with(sim, own, 2, "group:go_to { 2, 9 }", &message));
    for (int i = 0; i < 200; i++)
        assert_true(throng_sim_step(sim, &message));
    const float *y = throng_sim_read(sim, throng_sim_column_named(sim, "y"), &message);
    assert_true(y[own[0].slot] > 8);
    assert_false(throng_sim_spawn(sim, "{ planner = 'orka' }", at, 2, own, &message));
    assert_non_null(strstr(message.text, "did you mean 'orca'?"));
    assert_false(throng_sim_spawn(sim, "12", at, 2, own, &message));
    throng_sim_destroy(sim);
}

static void arrivals_and_paths(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim *sim = room(NULL);
    const throng_agent *who;
    int32_t count, all = 0, corners;
    double length;
    throng_place way[16], here = {9, 1, 0};
    for (int i = 0; i < 300; i++) {
        assert_true(throng_sim_step(sim, &message) && throng_sim_arrivals(sim, &who, &count, &message));
        for (int32_t k = 0; k < count; k++)
            assert_true(throng_sim_is_alive(sim, who[k]));
        all += count;
    }
    assert_int_equal(20, all);
    assert_true(throng_sim_path(sim, here, (throng_place){11, 1, 0}, 0.25, way, 16, &corners, &length, &message));
    assert_true(corners > 3 && corners <= 16); /* up and over the wall */
    assert_true(length > 10 && length < 12 && way[0].x == 9 && way[corners - 1].x == 11);
    assert_true(throng_sim_path(sim, here, (throng_place){50, 1, 0}, 0.25, way, 16, &corners, &length, &message));
    assert_true(corners == 0 && isinf(length));
    throng_sim_destroy(sim);
}

static void lua_is_a_scenarios(void **state)
{
    (void)state;
    double value = 0;
    throng_message message = {""};
    throng_sim *sim = room(NULL);
    assert_true(throng_sim_do(sim, "calls = 3", &message)); /* a global stays */
    assert_true(throng_sim_number(sim, "calls + #world.agents", &value, &message) && value == 23);
    assert_true(throng_sim_number(sim, "group == nil", &value, &message) && value == 1);
    throng_agent twice[3];
    assert_true(throng_sim_agent_at(sim, 4, &twice[0]) && throng_sim_agent_at(sim, 2, &twice[1]));
    twice[2] = twice[0]; /* a group is a set */
    if (!throng_sim_do_with(sim, twice, 3, "assert(#group == 2 and #group.x == 2)", &message))
        fail_msg("%s", message.text);
    assert_false(throng_sim_number(sim, "'text'", &value, &message));
    assert_non_null(strstr(message.text, "no number"));
    assert_false(throng_sim_do(sim, "world:spawn { cuont = 1 }", &message));
    assert_non_null(strstr(message.text, "did you mean 'count'?"));
    assert_false(throng_sim_do(sim, "os.exit(3)", &message));
    assert_false(throng_sim_do(sim, "while", &message));
    assert_false(throng_sim_play(sim, 1, 0, &message)); /* nobody is the player */
    assert_non_null(strstr(message.text, "no player"));
    assert_true(throng_sim_do(sim, "world.groups.people:control()", &message));
    assert_true(throng_sim_play(sim, 1, 0, &message) && !throng_sim_play(sim, NAN, 0, &message));
    assert_false(throng_sim_do(sim, "error({})", NULL));
    assert_true(throng_sim_step(sim, &message));
    /* the world is the program's, until it destroys the simulation */
    assert_false(throng_sim_do(sim, "world:close()", &message));
    assert_non_null(strstr(message.text, "world:close: this is the scenario's world"));
    assert_false(throng_sim_do(sim, "local own <close> = world", &message));
    assert_true(throng_sim_step(sim, &message));
    throng_sim_destroy(sim);
}

static void what_is_wrong_is_told(void **state)
{
    (void)state;
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    assert_null(throng_sim_load("none.lua", NULL, &message));
    assert_non_null(strstr(message.text, "cannot open the scenario 'none.lua': there is no such file"));
    assert_null(throng_sim_load_text("zero.lua", "-- \0", 4, NULL, &message));
    assert_string_equal("zero.lua: byte 3 of 4 is a zero, and no text has one", message.text);
    assert_null(throng_sim_load_text("bad.lua", "return 3", 8, NULL, &message));
    assert_non_null(strstr(message.text, "bad.lua returned 3, not a world"));
    assert_null(throng_sim_load_text("bad.lua", "\nreturn throng.world {}", 22, NULL, &message));
    assert_non_null(strstr(message.text, "bad.lua:2:"));
    settings.instructions = 100000;
    assert_null(throng_sim_load_text("loop.lua", "while true do end", 17, &settings, &message));
    assert_non_null(strstr(message.text, "stopped after 100000 instructions"));
    settings = throng_sim_settings_default();
    settings.seed = -2;
    assert_null(throng_sim_load_text("room.lua", ROOM, strlen(ROOM), &settings, &message));
    assert_string_equal("throng_sim_settings.seed must be a whole number >= -1, got -2", message.text);
    settings.seed = 1;
    settings.threads = -3;
    assert_null(throng_sim_load_text("room.lua", ROOM, strlen(ROOM), &settings, &message));
    assert_string_equal("throng_sim_settings.threads must be a whole number >= 0, got -3", message.text);
    settings.size++;
    assert_null(throng_sim_load_text("room.lua", ROOM, strlen(ROOM), &settings, &message));
    assert_non_null(strstr(message.text, "throng_sim_settings.size"));
    throng_sim_destroy(NULL);
}

static void *run_one(void *hash)
{
    throng_sim *sim = throng_sim_load_text("room.lua", ROOM, strlen(ROOM), NULL, NULL);
    bool ended = false;
    while (sim && !ended && throng_sim_step(sim, NULL) && throng_sim_ended(sim, &ended, NULL))
        ;
    if (sim)
        throng_sim_hash(sim, hash, NULL);
    throng_sim_destroy(sim);
    return NULL;
}

static void simulations_on_threads_are_apart(void **state)
{
    (void)state;
    enum { THREADS = 8, ROUNDS = 3 };
    uint64_t hash[THREADS], alone = 0;
    run_one(&alone);
    assert_true(alone != 0);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            hash[i] = 0;
            assert_int_equal(0, pthread_create(&threads[i], NULL, run_one, &hash[i]));
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_true(hash[i] == alone);
        }
    }
}

/* Under the address sanitizer (make sanitize) nothing may be left of them. */
static void a_thousand_come_and_go(void **state)
{
    static const char FEW[] = "local throng = require 'throng'\n"
                              "local world = throng.world { threads = 1 }\n"
                              "local people = world:spawn { count = 3, where = throng.box(0, 0, 5, 5) }\n"
                              "people:on('arrived', function(group) group:remove() end)\n"
                              "people:go_to { 20, 2 }\n"
                              "return world\n";
    (void)state;
    throng_message message = {""};
    uint64_t first = 0, hash;
    for (int i = 0; i < 1000; i++) {
        throng_sim *sim = throng_sim_load_text("few.lua", FEW, strlen(FEW), NULL, &message);
        assert_non_null(sim);
        assert_true(throng_sim_step(sim, &message) && throng_sim_hash(sim, &hash, &message));
        first = i == 0 ? hash : first;
        assert_true(hash == first);
        throng_sim_destroy(sim);
    }
}

static void texts_that_are_null_are_refused(void **state)
{
    (void)state;
    int32_t number = 0;
    double value = 0;
    throng_agent agent = {0, 0};
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    throng_sim *sim = room(NULL);
    assert_null(throng_sim_load(NULL, NULL, &message));
    assert_string_equal("the scenario's name is NULL, and must be a text", message.text);
    assert_null(throng_sim_load_text(NULL, ROOM, strlen(ROOM), NULL, &message));
    assert_null(throng_sim_load_text("room.lua", NULL, 0, NULL, &message));
    assert_string_equal("the scenario's text is NULL, and must be a text", message.text);
    assert_null(throng_env_load(NULL, 1, NULL, &message));
    settings.params = (const char *const[]){"count=7", NULL};
    settings.param_count = 2;
    assert_null(throng_sim_load_text("room.lua", ROOM, strlen(ROOM), &settings, &message));
    assert_string_equal("throng_sim_settings.params[1] is NULL, and must be a text", message.text);
    settings.params = NULL;
    assert_null(throng_sim_load_text("room.lua", ROOM, strlen(ROOM), &settings, &message));
    assert_false(throng_sim_do(sim, NULL, &message));
    assert_string_equal("the Lua to run is NULL, and must be a text", message.text);
    assert_false(throng_sim_do_with(sim, NULL, 0, NULL, &message));
    assert_false(throng_sim_number(sim, NULL, &value, &message));
    assert_null(throng_sim_text(sim, NULL, &message));
    assert_false(throng_sim_spawn(sim, NULL, NULL, 1, &agent, &message));
    assert_false(throng_sim_spawn_group(sim, NULL, NULL, 1, &agent, &message));
    assert_string_equal("throng_sim_group is NULL: begin with throng_sim_group_default()", message.text);
    assert_false(throng_sim_listen(sim, NULL, NULL, &number, &message));
    assert_string_equal("the event's name is NULL, and must be a text", message.text);
    assert_false(throng_sim_go_to(sim, NULL, 0, NULL, &message));
    assert_string_equal("the region's name is NULL, and must be a text", message.text);
    assert_false(throng_sim_count_in(sim, NULL, &number, &message));
    assert_false(throng_sim_set_door(sim, NULL, true, &message));
    assert_int_equal(-1, throng_sim_column_named(sim, NULL));
    assert_int_equal(-1, throng_sim_floor_named(sim, NULL));
    assert_true(throng_sim_step(sim, &message));
    throng_sim_destroy(sim);
}

/* What a program may try while its simulation prints: all that would be told to it. */
typedef struct listener {
    throng_sim *sim; /* NULL: it is being loaded */
    int32_t heard, looked;
} listener;

#define BUSY(call, name)                                                                                               \
    do {                                                                                                               \
        throng_message message = {""};                                                                                 \
        assert_false(call);                                                                                            \
        assert_string_equal(name " cannot be called in a callback of the same world", message.text);                   \
    } while (0)

static void interfere(void *context, const char *text, size_t size)
{
    listener *l = context;
    throng_sim *sim = l->sim;
    throng_agent agent, made;
    const float at[] = {2, 0.6f};
    const throng_place here = {2, 2, 0};
    const void *inputs;
    void *snapshot;
    double value = 0.5;
    size_t length;
    int32_t count;
    if (!sim || *text != 'h')
        return;
    l->heard++;
    assert_true(throng_sim_agent_at(sim, 0, &agent));
    BUSY(throng_sim_step(sim, &message), "throng_sim_step");
    BUSY(throng_sim_spawn(sim, "{}", at, 1, &made, &message), "throng_sim_spawn");
    BUSY(throng_sim_do(sim, "world:stop()", &message), "throng_sim_do");
    BUSY(throng_sim_do_with(sim, &agent, 1, "group:remove()", &message), "throng_sim_do_with");
    BUSY(throng_sim_number(sim, "1", &value, &message), "throng_sim_number");
    BUSY(throng_sim_text(sim, "'a'", &message), "throng_sim_text");
    BUSY(throng_sim_write(sim, throng_sim_column_named(sim, "speed"), &agent, &value, 1, &message), "throng_sim_write");
    BUSY(throng_sim_steer(sim, &agent, at, 1, &message), "throng_sim_steer");
    BUSY(throng_sim_place(sim, &agent, at, 1, &message), "throng_sim_place");
    BUSY(throng_sim_release(sim, &agent, 1, &message), "throng_sim_release");
    BUSY(throng_sim_play(sim, 1, 0, &message), "throng_sim_play");
    BUSY(throng_sim_path(sim, here, here, 0.3, NULL, 0, &count, &value, &message), "throng_sim_path");
    BUSY(throng_sim_snapshot(sim, &snapshot, &length, &message), "throng_sim_snapshot");
    BUSY(throng_sim_inputs(sim, &inputs, &length, &message), "throng_sim_inputs");
    BUSY(throng_sim_apply(sim, text, size, &message), "throng_sim_apply");
    l->looked += throng_sim_read(sim, throng_sim_column_named(sim, "x"), NULL) != NULL;
}

static void what_prints_tells_its_simulation_nothing(void **state)
{
    (void)state;
    static const char TALKS[] = "local throng = require 'throng'\n"
                                "local world = throng.world { threads = 1 }\n"
                                "world:spawn { count = 3, where = throng.box(0, 0, 5, 5) }:go_to { 20, 2 }\n"
                                "world:every(0.2, function() print 'here' end)\n"
                                "world.stages.plan:before(function() print 'hook' end)\n"
                                "return world\n";
    throng_message message = {""};
    listener l = {NULL, 0, 0};
    throng_sim_settings settings = throng_sim_settings_default();
    void *snapshot;
    size_t size;
    settings.print = interfere;
    settings.context = &l;
    settings.keep_inputs = true;
    l.sim = throng_sim_load_text("talks.lua", TALKS, strlen(TALKS), &settings, &message);
    assert_non_null(l.sim);
    for (int i = 0; i < 5; i++)
        assert_true(throng_sim_step(l.sim, &message));
    assert_true(throng_sim_do(l.sim, "print 'here'", &message));
    assert_true(l.heard >= 8 && l.looked == l.heard);
    assert_int_equal(5, throng_sim_steps(l.sim));
    assert_true(throng_sim_snapshot(l.sim, &snapshot, &size, &message));
    throng_sim *again = throng_sim_restore(snapshot, size, NULL, &message);
    assert_string_equal("", message.text);
    assert_non_null(again);
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(again);
    throng_sim_destroy(l.sim);
}

/* Of what was refused a snapshot knows nothing. */
static void who_is_spawned_needs_an_array(void **state)
{
    (void)state;
    const float at[] = {2, 0.6f, 4, 0.6f};
    throng_message message = {""};
    throng_sim_settings settings = throng_sim_settings_default();
    throng_sim_group group = throng_sim_group_default();
    void *snapshot;
    size_t size;
    settings.keep_inputs = true;
    throng_sim *sim = room(&settings);
    assert_false(throng_sim_spawn_group(sim, &group, at, 2, NULL, &message));
    assert_string_equal("the agents are NULL, and must be an array of 2, which are written there", message.text);
    assert_false(throng_sim_spawn(sim, "{}", at, 2, NULL, &message));
    assert_true(throng_sim_snapshot(sim, &snapshot, &size, &message));
    throng_sim *again = throng_sim_restore(snapshot, size, NULL, &message);
    assert_non_null(again);
    assert_int_equal(20, throng_sim_count(again));
    throng_sim_snapshot_free(snapshot);
    throng_sim_destroy(again);
    throng_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_the_command_lines),
        cmocka_unit_test(same_bits_again_and_with_other_lanes),
        cmocka_unit_test(columns_are_read_in_place_and_written_checked),
        cmocka_unit_test(columns_are_edited_as_arrays),
        cmocka_unit_test(older_programs_know_less_of_a_struct),
        cmocka_unit_test(who_is_gone_is_an_error),
        cmocka_unit_test(programs_spawn_steer_and_release),
        cmocka_unit_test(arrivals_and_paths),
        cmocka_unit_test(lua_is_a_scenarios),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(texts_that_are_null_are_refused),
        cmocka_unit_test(who_is_spawned_needs_an_array),
        cmocka_unit_test(what_prints_tells_its_simulation_nothing),
        cmocka_unit_test(simulations_on_threads_are_apart),
        cmocka_unit_test(a_thousand_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
