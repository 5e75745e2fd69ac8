/* Scenarios that are edited while they run: what goes on, and what starts over. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "script/live.h"
#include "script/script_sliders.h"

static char folder[64];
static char path[96];
static char said[640];

static void write_file(const char *name, const char *text)
{
    char file[128];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/throng-live-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/room.lua", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    char file[128];
    const char *const names[] = {"room.lua", "part.lua", "part.lua~"};
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s/%s", folder, names[i]);
        unlink(file);
    }
    return rmdir(folder);
}

static void open_room(throng_live *live, const char *text)
{
    throng_error error;
    throng_script_def limits = throng_script_def_default();
    throng_overrides overrides = {.simd = -1, .threads = 1};
    write_file("room.lua", text);
    if (!throng_live_open(live, path, &limits, &overrides, &error))
        fail_msg("%s", error.text);
}

static void step(throng_live *live, int steps)
{
    throng_error error;
    for (int i = 0; i < steps; i++)
        if (!throng_script_step(live->script, &error))
            fail_msg("%s", throng_script_error_text(live->script, &error));
}

static void reload(throng_live *live, const char *text)
{
    if (text)
        write_file("room.lua", text);
    if (!throng_live_reload(live, false, said, sizeof said))
        fail_msg("%s", live->trouble);
}

static uint64_t hash_of(const throng_live *live)
{
    throng_error error;
    uint64_t hash = 0;
    assert_true(throng_world_hash(live->scenario.world, &hash, &error));
    return hash;
}

/* The column of the agent that is the i-th living by slot. */
static double value(const throng_live *live, int column, int i)
{
    throng_error error;
    throng_agents *agents = throng_world_agents(live->scenario.world);
    const int32_t *state = throng_agents_read(agents, THRONG_COLUMN_state, &error);
    const void *values = throng_agents_read(agents, column, &error);
    assert_true(state && values);
    for (int32_t s = 0; s < throng_agents_slots(agents); s++)
        if (state[s] && i-- == 0)
            return throng_columns[column].is_float ? (double)((const float *)values)[s] : ((const int32_t *)values)[s];
    fail_msg("there are not so many agents");
    return 0;
}

static int32_t living(const throng_live *live)
{
    return throng_agents_count(throng_world_agents(live->scenario.world));
}

static void assert_said(const char *part)
{
    if (!strstr(said, part))
        fail_msg("'%s' is not in '%s'", part, said);
}

#define START "local throng = require 'throng'\n"

/* ---- torn files */

/* Of two saves in a row the second is under way when the first is told: half of a file is not read. */
static void test_whole_files(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, START "return throng.world()\n");
    write_file("room.lua", START "return throng.world()\n");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(START, file);
    fflush(file);
    assert_false(throng_live_saved(&live, 0));
    fputs("return throng.world { dt = 0.5 }\n", file);
    fclose(file);
    assert_true(throng_live_saved(&live, 0));
    assert_false(throng_live_saved(&live, 0));
    reload(&live, NULL);
    assert_true(throng_world_dt(live.scenario.world) == 0.5);
    throng_live_close(&live);
}

/* What was written to while it was loaded is not gone on with. */
static void test_files_that_change(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, START "return throng.world()\n");
    live.limits.trust = true; /* the scenario is its own writer, until it is closed */
    write_file("room.lua", START "file = io.open(debug.getinfo(1, 'S').source:sub(2), 'a')\n"
                                 "file:write(' ') file:flush()\nreturn throng.world { dt = 0.5 }\n");
    assert_true(throng_live_saved(&live, 0));
    assert_false(throng_live_reload(&live, false, said, sizeof said));
    assert_non_null(strstr(live.trouble, "room.lua or a file that it reads is being written"));
    assert_true(throng_world_dt(live.scenario.world) == 0.1);
    assert_true(throng_live_saved(&live, 0));
    throng_live_close(&live);
}

/* ---- nothing changed */

static const char BUSY[] = START
    "local room = throng.map { boundary = throng.box(0, 0, 30, 12),\n"
    "  walls = { throng.box(14, 0, 14.4, 5), throng.box(14, 6.4, 14.4, 12) } }\n"
    "local world = throng.world { people = false, map = room, regions = { left = throng.box(1, 1, 12, 11), "
    "right = throng.box(26, 0, 30, 12) } }\n"
    "local guests = world:spawn { count = 40, where = 'left', speed = throng.normal(1.34, 0.26), name = 'guests' }\n"
    "guests:go_to 'right'\n"
    "guests:on('arrived', function(group) group:remove() end)\n"
    "local walkers = world:spawn { count = 20, where = 'left', name = 'walkers', planner = 'clearpath' }\n"
    "walkers:run(throng.fsm { start = 'stroll',\n"
    "  stroll = { goal = throng.random_path(), arrived = { stand = 3, roam = 1 } },\n"
    "  stand = { goal = throng.wait(1, 3), timeout = 'stroll' },\n"
    "  roam = { goal = throng.wander { radius = 3 }, after = throng.uniform(2, 4), timeout = 'stroll' } })\n"
    "world:source { rate = 1, where = 'left', to = 'right', name = 'late' }\n"
    "world:at(2, function() guests.speed = 1.7 end)\n"
    "world:every(0.7, function() if math.random() < 0.5 then walkers.speed = throng.uniform(1, 1.5) end end)\n"
    "world:at(3, function() guests[1]:go_to { 20, 6 } end)\n"
    "return world\n";

/* Saved as it was after each of these steps, at which somebody walks, presses, waits or has gone. */
static const int SAVED[] = {0, 1, 7, 19, 20, 45, 90, 140};

enum { SAVES = sizeof SAVED / sizeof *SAVED };

/* The bits are those of a run that was left alone, in each of so many steps. */
static void compare(throng_live *straight, throng_live *edited, int steps)
{
    for (int s = 0, saved = 0; s < steps; s++) {
        if (saved < SAVES && SAVED[saved] == s) {
            reload(edited, NULL);
            assert_said("agents go on at ");
            assert_null(strstr(said, "start"));
            assert_null(strstr(said, "went"));
            saved++;
        }
        if (hash_of(straight) != hash_of(edited))
            fail_msg("%s has other bits after %d steps, %d of them reloaded", straight->path, s, saved);
        step(straight, 1);
        step(edited, 1);
    }
    assert_int_equal(throng_world_steps(edited->scenario.world), steps);
    assert_int_equal(living(straight), living(edited));
    assert_true(hash_of(straight) == hash_of(edited));
    throng_live_close(straight);
    throng_live_close(edited);
}

static void assert_goes_on(const char *text)
{
    throng_live straight, edited;
    open_room(&straight, text);
    open_room(&edited, text);
    compare(&straight, &edited, 150);
}

static void test_unchanged(void **state)
{
    (void)state;
    assert_goes_on(BUSY);
}

/* Those of them that are cheap: paths from a queue with a small budget, machines that look at neighbours, companies,
 * sources, lifts, floors, costs of doors, people who queue, who choose exits in smoke, who press, who are steered and
 * signalled to. */
static void test_scenarios(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int steps;
    } scenarios[] = {{"museum", 25}, {"patience", 145},    {"zombies", 25},    {"company", 25},       {"lifts", 25},
                     {"tower", 25},  {"two_doors", 25},    {"shut_in", 25},    {"ticket_office", 50}, {"smoke", 145},
                     {"panic", 50},  {"closing_door", 95}, {"crosswalk", 25},  {"errands", 25},       {"player", 25},
                     {"sway", 25},   {"idle_walkers", 25}, {"encounters", 25}, {"evacuation", 10}};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        throng_error error;
        throng_script_def limits = throng_script_def_default();
        throng_overrides overrides = {.simd = -1, .threads = 1};
        throng_live straight, edited;
        char file[64];
        snprintf(file, sizeof file, "scenarios/%s.lua", scenarios[i].name);
        if (!throng_live_open(&straight, file, &limits, &overrides, &error) ||
            !throng_live_open(&edited, file, &limits, &overrides, &error))
            fail_msg("%s", error.text);
        compare(&straight, &edited, scenarios[i].steps);
    }
}

/* Saved before every step, or so many: what counts and who has chosen goes on between any two. */
static void assert_goes_on_always(const char *text, int steps, int every)
{
    throng_live straight, edited;
    open_room(&straight, text);
    open_room(&edited, text);
    for (int s = 0; s < steps; s++) {
        if (s % every == every - 1)
            reload(&edited, NULL);
        step(&straight, 1);
        step(&edited, 1);
        if (hash_of(&straight) != hash_of(&edited))
            fail_msg("other bits after %d steps", s + 1);
    }
    throng_live_close(&straight);
    throng_live_close(&edited);
}

/* Exits are chosen again after a while; until then who has chosen does not. */
static void test_choices(void **state)
{
    (void)state;
    assert_goes_on_always(START
                          "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 24, 10) }, seed "
                          "= 5, regions = { west = throng.box(0, 3, 2, 7), east = throng.box(22, 3, 24, 7) } }\n"
                          "local guests = world:spawn { name = 'guests', count = 30, where = throng.box(5, 1, 19, 9), "
                          "pre_movement = throng.uniform(0, 4) }\n"
                          "guests:choose { exits = { 'west', 'east' }, queue = 0.1, every = 2, reconsider = 0.5 }\n"
                          "guests:on('arrived', function(some) some:remove() end)\n"
                          "return world\n",
                          80, 1);
}

/* A cap lets through so many a second, and so many in all; a sink takes who was there a step ago. */
static const char CAPPED[] =
    START "local map = throng.map { boundary = throng.box(0, 0, 16, 8), walls = { throng.box(8, 0, 8.4, 3.4),\n"
          "  throng.box(8, 4.6, 8.4, 8) }, doors = { gate = { { 8.2, 3.4 }, { 8.2, 4.6 } } } }\n"
          "local world = throng.world { map = map, seed = 4 }\n"
          "world:spawn({ name = 'g', count = 25, where = throng.box(4, 1, 7.5, 7) }):go_to { 15, 4 }\n"
          "world:sink { where = throng.box(9, 0, 16, 8) }\n%s"
          "return world\n";

static void test_flow_caps(void **state)
{
    (void)state;
    static const char *const caps[] = {"local cap = world:flow_cap { door = 'gate', flow = 0.8, limit = 4 }\n"
                                       "world:at(7, function() cap:admit(2) cap.flow = 2 end)\n",
                                       "local cap = world:flow_cap { door = 'gate', flow = 0.8 }\n"
                                       "world:at(4, function() cap:remove() end)\n",
                                       "local cap = world:flow_cap { door = 'gate', flow = 0.8, limit = 3 }\n"
                                       "world:at(8, function() cap:remove() end)\n"};
    throng_live live;
    char text[sizeof CAPPED + 200], without[sizeof CAPPED];
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        snprintf(text, sizeof text, CAPPED, caps[i]);
        assert_goes_on_always(text, 110, 1);
    }
    snprintf(without, sizeof without, CAPPED, "");
    open_room(&live, text); /* the file that has none lets all through */
    reload(&live, without);
    step(&live, 300);
    assert_int_equal(living(&live), 0);
    throng_live_close(&live);
}

/* Who follows an announcement is drawn by its number, also of those that callbacks make: for the next step, so that
 * none is saved between. */
static void test_announcements(void **state)
{
    (void)state;
    assert_goes_on_always(START "local world = throng.world { seed = 5 }\n"
                                "world:spawn { name = 'g', count = 30, where = throng.box(0, 0, 10, 10) }\n"
                                "world:announce { at = 0.5, share = 0.3, to = { 20, 5 } }\n"
                                "world:every(1, function(now) now:announce { share = 0.3, to = { 5, now.time } } end)\n"
                                "return world\n",
                          45, 5);
}

/* Two crowds press through a door from both sides: what pressed whom is not found anew. Some have gone by then, and
 * others, who have no function, come into their slots. */
static void test_pressed(void **state)
{
    (void)state;
    assert_goes_on(START
                   "local map = throng.map { boundary = throng.box(0, 0, 16, 8), walls = {\n"
                   "  throng.box(8, 0, 8.3, 3.4), throng.box(8, 4.6, 8.3, 8) } }\n"
                   "local world = throng.world { map = map, seed = 5, regions = { west = throng.box(0, 0, 3, 8),\n"
                   "  east = throng.box(13, 0, 16, 8) } }\n"
                   "for _, name in ipairs { 'west', 'east' } do\n"
                   "  local crowd = world:spawn { name = name, count = 30, where = throng.box(\n"
                   "    name == 'west' and 5 or 8.5, 1, name == 'west' and 7.8 or 11, 7) }\n"
                   "  crowd:go_to(name == 'west' and 'east' or 'west')\n"
                   "  crowd:on('arrived', function(some) some:remove() end)\n"
                   "  crowd.speed = function(t, a) return 1.2 + 0.2 * math.sin(t + a.id) end\n"
                   "end\n"
                   "world:source { name = 'late', rate = 2, where = 'west', to = 'east' }\n"
                   "return world\n");
}

/* Bodies lie, are pushed, come to stand, and others come by a callback; hazards, and what one gives of weights,
 * parameters and, for a while, functions. */
static void test_things(void **state)
{
    (void)state;
    assert_goes_on(START "local map = throng.map { boundary = throng.box(0, 0, 20, 8) }\n"
                         "local world = throng.world { people = false, map = map, seed = 5 }\n"
                         "local crowd = world:spawn { name = 'crowd', count = 40, where = throng.box(0, 1, 5, 7) }\n"
                         "local others = world:spawn { name = 'others', count = 10, where = throng.box(16, 1, 19, 7),\n"
                         "  planner = throng.forces {} }\n"
                         "crowd:go_to(throng.box(18, 1, 19, 7))\n"
                         "others:go_to(throng.box(1, 1, 2, 7))\n"
                         "for y = 1.5, 6.5, 0.7 do world:body { box = { 0.6, 0.6 }, at = { 8, y }, mass = 5 } end\n"
                         "world:body { box = { 2, 2 }, at = { 12, 4 }, mass = 200 }\n"
                         "world:hazard { at = { 6, 2 }, vx = 0.2, reach = 2 }\n"
                         "world:at(1.5, function()\n"
                         "  world:body { box = { 1, 4 }, at = { 15, 3 }, mass = 300 }\n"
                         "  world:hazard { at = { 14, 7 }, vx = -0.2, reach = 2 }\n"
                         "  world:avoidance('others', 'crowd', 2)\n"
                         "  world.stages.move.iterations = 30\n"
                         "  crowd.speed = function(t) return 1.2 + 0.2 * math.sin(t) end\n"
                         "end)\n"
                         "world:at(3, function() crowd.speed = 1.3 end)\n"
                         "return world\n");
}

/* Some wait for their paths, which lead through lifts of the map, or would: searches are in their midst. */
static void test_searches_by_lifts(void **state)
{
    (void)state;
    assert_goes_on(START "local floor = throng.box(0, 0, 20, 10)\n"
                         "local world = throng.world { seed = 5, map = throng.building {\n"
                         "  floors = { ground = { z = 0, boundary = floor }, first = { z = 3, boundary = floor } },\n"
                         "  lifts = { { name = 'a', at = { 18, 8 }, back = { 19.8, 8 }, capacity = 4 } } } }\n"
                         "world.paths.budget = 2\n"
                         "local crowd = world:spawn { count = 6, where = throng.box(1, 1, 15, 9) }\n"
                         "local list = {}\n"
                         "for i = 1, 6 do list[i] = { i, 2 * i - 1 > 9 and 5 or i, floor = 'first' } end\n"
                         "crowd:go_to(list)\n"
                         "return world\n");
}

/* What they know of the crowd at a door goes on, too: it has sent some of them to the other one by then. */
static void test_congestion(void **state)
{
    (void)state;
    assert_goes_on(START
                   "local map = throng.map { boundary = throng.box(0, 0, 20, 16), walls = {\n"
                   "  throng.box(10, 0, 10.3, 3), throng.box(10, 3.7, 10.3, 13), throng.box(10, 15, 10.3, 16) } }\n"
                   "local world = throng.world { people = false, map = map, seed = 5 }\n"
                   "world:spawn { count = 60, where = throng.box(4, 1, 9.5, 8), congestion = true }\n"
                   "world.agents:go_to(throng.box(18, 1, 19, 15))\n"
                   "return world\n");
}

/* Who came by a callback goes on with the planner that it had, also where the file itself spawns nobody. */
static void test_callbacks_alone(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, START
              "local world = throng.world { regions = { left = throng.box(0, 0, 6, 6) } }\n"
              "world:at(0.1, function() world:spawn { at = { { 1, 1 } }, planner = 'clearpath', name = 'late' } end)\n"
              "return world\n");
    step(&live, 3);
    assert_int_equal(living(&live), 1);
    double x = value(&live, THRONG_COLUMN_x, 0);
    reload(&live, NULL);
    assert_said("1 agents go on at 0.3 s");
    assert_true(value(&live, THRONG_COLUMN_x, 0) == x);
    step(&live, 3);
    throng_live_close(&live);
}

/* Nor where there is nothing but regions: their map has no walls, and no array of points. */
static void test_without_walls(void **state)
{
    (void)state;
    assert_goes_on(START "local world = throng.world { people = false, regions = { left = throng.box(0, 0, 6, 6) } }\n"
                         "world:spawn { count = 5, where = 'left', name = 'guests' }:go_to { 30, 3 }\n"
                         "return world\n");
}

/* Who becomes another runs the machine that a callback gave, and stays in its states. */
static void test_become(void **state)
{
    (void)state;
    throng_live live;
    static const char bitten[] = START
        "local world = throng.world { people = false, regions = { hall = throng.box(0, 0, 25, 25) } }\n"
        "local zombies = world:spawn { name = 'zombies', count = 5, where = 'hall' }\n"
        "local people = world:spawn { name = 'people', count = 60, where = 'hall' }\n"
        "local hunt = throng.fsm { start = 'rise', rise = { goal = throng.wait(0.5), timeout = 'chase' },\n"
        "  chase = { goal = throng.pursue('people', { radius = 0.6 }), after = 60, timeout = 'rise' } }\n"
        "people:run(throng.fsm { start = 'stroll',\n"
        "  stroll = { goal = throng.wander { radius = 5 }, when = { { throng.near('zombies', 1), 'bitten' } } },\n"
        "  bitten = { enter = function(bitten) bitten:become 'zombies' bitten:run(hunt) bitten.mass = 99 end } })\n"
        "zombies:run(hunt)\n"
        "world:on_step(function()\n"
        "  world.agents.horizon = 2 + #zombies / 100\n"
        "end)\nreturn world\n";
    open_room(&live, bitten);
    step(&live, 100);
    double zombies = value(&live, THRONG_COLUMN_horizon, 0), heavy = 0;
    assert_true(zombies > 2.0501);
    for (int i = 0; i < 65; i++)
        heavy += value(&live, THRONG_COLUMN_mass, i) == 99;
    reload(&live, NULL);
    assert_said("65 agents go on");
    assert_null(strstr(said, "start their machine over"));
    step(&live, 1);
    assert_true(value(&live, THRONG_COLUMN_horizon, 0) == zombies);
    for (int i = 0; i < 65; i++)
        heavy -= value(&live, THRONG_COLUMN_mass, i) == 99 && value(&live, THRONG_COLUMN_fsm_since, i) < 100;
    assert_true(heavy == 0); /* nobody has entered a state again */
    throng_live_close(&live);
}

/* What callbacks give to those who come later. */
static void test_later(void **state)
{
    (void)state;
    assert_goes_on(
        START
        "local world = throng.world { people = false, regions = { hall = throng.box(0, 0, 25, 25), bar = "
        "throng.box(20, 20, 22, 22) } "
        "}\n"
        "local others = world:spawn { name = 'others', count = 10, where = 'hall' }\n"
        "others:go_to 'bar'\n"
        "local stroll = throng.fsm { start = 'walk', walk = { goal = throng.random_path { to = { 'bar', { 3, 3 } } }, "
        "arrived = 'stand' }, stand = { goal = throng.wait(1, 3), timeout = 'walk' } }\n"
        "world:source { name = 'late', rate = 3, where = 'hall', speed = function(t, a) "
        "return throng.select(a:distance_to 'bar' < 6, 0.7, 1.2 + 0.2 * math.sin(t + a.id)) end, "
        "each = function(batch) batch:run(stroll) end }\n"
        "world:at(2, function() others.speed = function(t, a) "
        "return 1 + 0.1 * math.min(5, a:distance_to 'bar') end end)\n"
        "world:at(3, function() others[1].desired = { 0.3, -0.2 } end)\n"
        "return world\n");
}

/* ---- what the file says of agents */

#define CORRIDOR START "local world = throng.world { people = false, regions = { hall = throng.box(0, 0, 20, 20) } }\n"

static void test_columns(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 6 } }, speed = 1 }\n"
                              "g:go_to { 200, 4 }\n"
                              "world:at(1, function() g.speed = { 1, 1.5 } end)\n"
                              "world:at(1, function() g:tag 'seen' end)\n"
                              "return world\n");
    step(&live, 20);
    double x = value(&live, THRONG_COLUMN_x, 0), id = value(&live, THRONG_COLUMN_id, 1);
    reload(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 6 } }, speed = 1, radius = 0.3,\n"
                           "  planner = throng.forces {} }\n"
                           "g:go_to { 200, 4 }\n"
                           "world:at(2.5, function() world:tagged 'seen'.mass = 90 end)\n"
                           "return world\n");
    assert_said("2 agents go on at 2 s");
    assert_true(value(&live, THRONG_COLUMN_x, 0) == x && x > 3);
    assert_true(value(&live, THRONG_COLUMN_id, 1) == id);
    assert_true(value(&live, THRONG_COLUMN_speed, 1) == 1.5);          /* a callback said so, and the file no other */
    assert_true((float)value(&live, THRONG_COLUMN_radius, 0) == 0.3f); /* the file says so now */
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_x, 0) > x);
    assert_true(value(&live, THRONG_COLUMN_mass, 1) == 90); /* the tag is still theirs */
    reload(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 6 } }, speed = 0.5 }\n"
                           "g:go_to { 200, 4 }\nreturn world\n");
    assert_true(value(&live, THRONG_COLUMN_speed, 1) == 0.5);
    throng_live_close(&live);
}

/* A function that the file has now reads a column that nobody had; and what an agent saw in the last step of the world
 * that is gone may be asked for. */
static void test_columns_read(void **state)
{
    (void)state;
    static const char text[] = CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 6 } }, speed = 1 }\n"
                                        "g:go_to { 200, 4 }\n%sreturn world\n";
    char before[512], after[512];
    throng_live live;
    throng_choice choice;
    throng_error error;
    bool known;
    snprintf(before, sizeof before, text, "");
    snprintf(after, sizeof after, text, "g.speed = function(t, a) return 1 - 0.5 * a.fsm_state end\n");
    open_room(&live, before);
    step(&live, 5);
    reload(&live, after);
    assert_true(throng_world_choice_of_last_step(live.scenario.world, 0, &choice, &known, &error) && known);
    step(&live, 5);
    assert_true(value(&live, THRONG_COLUMN_speed, 0) == 1.5); /* it has no state, -1 */
    throng_live_close(&live);
}

/* One who walks in a hall, and what a file does beside. */
static const char hall_and[] =
    START "local world = throng.world { people = false, map = throng.map { boundary = throng.box(0, 0, 40, 8) } }\n"
          "local g = world:spawn { name = 'g', at = { { 2, 2 } }, speed = 1 }\n%sreturn world\n";

/* A body that the changed file makes and takes away again is gone, in a world that has no bodies, too. */
static void test_body_that_was_removed(void **state)
{
    (void)state;
    char before[512], after[640];
    throng_live live;
    snprintf(before, sizeof before, hall_and, "");
    snprintf(after, sizeof after, hall_and,
             "local crate = world:body { box = { 1, 1 }, at = { 9, 4 } }\ncrate:remove()\n"
             "world:every(0.2, function() g.speed = crate.alive and 3 or 2 end)\n");
    open_room(&live, before);
    step(&live, 3);
    reload(&live, after);
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_speed, 0) == 2);
    throng_live_close(&live);
}

/* Nor is it another one, which a callback of the old file made at the same place of the list. */
static void test_body_that_was_removed_is_no_other(void **state)
{
    (void)state;
    char before[640], after[640];
    throng_live live;
    snprintf(before, sizeof before, hall_and,
             "world:at(0.1, function() world:body { circle = 0.5, at = { 20, 4 } } end)\n");
    snprintf(after, sizeof after, hall_and,
             "local crate = world:body { box = { 1, 1 }, at = { 9, 4 } }\ncrate:remove()\n"
             "world:every(0.2, function() g.speed = crate.alive and 9 or 2 + #world:bodies() end)\n");
    open_room(&live, before);
    step(&live, 3);
    reload(&live, after);
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_speed, 0) == 3);
    throng_live_close(&live);
}

/* Nor is an agent that the changed file makes and removes. */
static void test_agent_that_was_removed_is_no_other(void **state)
{
    (void)state;
    static const char text[] =
        START "local world = throng.world { people = false, map = throng.map { boundary = throng.box(0, 0, 40, 8) } }\n"
              "local function right(a) return a.x > 3 end\n%sreturn world\n";
    char before[900], after[900];
    throng_live live;
    snprintf(before, sizeof before, text,
             "local g = world:spawn { name = 'g', at = { { 2, 2 } }, speed = 1 }\n"
             "world:spawn { name = 'h', at = { { 4, 2 } }, speed = 1 }:remove()\n"
             "world:at(0.1, function() world:spawn { name = 'i', at = { { 20, 4 } }, speed = 1 } end)\n");
    snprintf(after, sizeof after, text,
             "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 4, 2 } }, speed = 1 }\n"
             "g:filter(right):remove()\n"
             "local h = world:spawn { name = 'h', at = { { 4, 2 } }, speed = 1 }\n"
             "local late = h:filter(right)\nh:remove()\n"
             "world:every(0.2, function() g.speed = 2 + #late end)\n");
    open_room(&live, before);
    step(&live, 3);
    reload(&live, after);
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_speed, 0) == 2);
    throng_live_close(&live);
}

/* The file has smoke now, in a world that takes over the agents with their backend. */
static void test_smoke(void **state)
{
    (void)state;
    static const char text[] =
        START "local hall = throng.map { boundary = throng.box(0, 0, 40, 8) }\n"
              "local world = throng.world { people = false, map = hall }\n"
              "local g = world:spawn { name = 'g', at = { { 2, 2 } }, speed = 1 }\ng:go_to { 38, 2 }\n%sreturn world\n";
    char before[512], after[512];
    throng_live live;
    snprintf(before, sizeof before, text, "");
    snprintf(after, sizeof after, text,
             "world:smoke { extinction = function(x) return 4 + 0 * x end, every = 60 }\nworld:step()\n");
    open_room(&live, before);
    step(&live, 10);
    double x = value(&live, THRONG_COLUMN_x, 0);
    reload(&live, after);
    step(&live, 10);
    double walked = value(&live, THRONG_COLUMN_x, 0) - x;
    assert_true(walked > 0.2 && walked < 0.9); /* without smoke 1 m */
    throng_live_close(&live);
}

/* Columns of the script's own go on by their names, and what callbacks made of them, whatever their order; one that the
 * file no longer declares is gone, and whatever a callback computed with it. */
/* What the file says otherwise of a planner holds for those who have it. */
static void test_planners(void **state)
{
    (void)state;
    static const char text[] = CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 9, 2.1 } },\n"
                                        "  planner = throng.forces { max_turn = %s } }\n"
                                        "g[1]:go_to { 18, 2 }\ng[2]:go_to { 1, 2 }\nreturn world\n";
    char before[512], after[512];
    throng_live left, edited;
    snprintf(before, sizeof before, text, "3");
    snprintf(after, sizeof after, text, "0.1");
    open_room(&left, before);
    open_room(&edited, before);
    step(&left, 5);
    step(&edited, 5);
    reload(&left, before);
    reload(&edited, after);
    assert_true(hash_of(&left) == hash_of(&edited));
    step(&left, 30);
    step(&edited, 30);
    assert_true(hash_of(&left) != hash_of(&edited));
    throng_live_close(&left);
    throng_live_close(&edited);
}

static void test_own_columns(void **state)
{
    (void)state;
    throng_live live;
    const char *agents = "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 6 } } }\n";
    char text[1024];
    snprintf(text, sizeof text,
             CORRIDOR "world:column 'joy'\nworld:column('trust', { default = 3 })\nworld:column 'anger'\n%s"
                      "world:at(1, function() g.joy = { 1, 2 }; g.trust = function(_, a) return a.trust + 1 end\n"
                      "  g.speed = function(_, a) return 1 + a.anger end end)\nreturn world\n",
             agents);
    open_room(&live, text);
    step(&live, 20);
    double trust = value(&live, THRONG_COLUMN_GIVEN + 1, 1);
    assert_true(trust > 8 && value(&live, THRONG_COLUMN_GIVEN, 1) == 2);
    snprintf(text, sizeof text,
             CORRIDOR
             "world:column('trust', { default = 3 })\nworld:column('hope', { default = 7 })\nworld:column 'joy'\n%s"
             "return world\n",
             agents);
    reload(&live, text);
    assert_true(value(&live, THRONG_COLUMN_GIVEN, 1) == trust);
    assert_true(value(&live, THRONG_COLUMN_GIVEN + 1, 1) == 7);
    assert_true(value(&live, THRONG_COLUMN_GIVEN + 2, 1) == 2);
    step(&live, 1);
    assert_true(value(&live, THRONG_COLUMN_GIVEN, 1) == trust + 1);
    assert_true(value(&live, THRONG_COLUMN_GIVEN + 2, 1) == 2);
    assert_true((float)value(&live, THRONG_COLUMN_speed, 1) == 1); /* as it was when its function went */
    throng_live_close(&live);
}

static void test_goals(void **state)
{
    (void)state;
    throng_live live;
    static const char sent_on[] = CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 9 } } }\n"
                                           "g:go_to { 5, 2 }\n"
                                           "world:at(0.5, function() g[2]:go_to { 2, 18 } end)\n"
                                           "return world\n";
    open_room(&live, sent_on);
    step(&live, 30);
    double arrived = value(&live, THRONG_COLUMN_arrived, 0);
    assert_true(arrived > 0);
    reload(&live, NULL);
    assert_true(value(&live, THRONG_COLUMN_arrived, 0) == arrived);
    double y = value(&live, THRONG_COLUMN_y, 1);
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_y, 1) > y + 1); /* still to where the callback sent it */
    reload(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 9 } } }\n"
                           "g:go_to { 2, 1 }\nreturn world\n");
    y = value(&live, THRONG_COLUMN_y, 1);
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_y, 1) < y - 1); /* where the file sends it now */
    throng_live_close(&live);
}

/* A wall with its way round at one end, and a body for which the mesh is another. */
static const char ROUND[] =
    START "local map = throng.map { boundary = throng.box(0, 0, 20, 20), walls = { throng.box(10, 3, 11, 20) } }\n"
          "local world = throng.world { people = false, map = map }\n"
          "world:spawn { at = { { 5, 18 } }, radius = %g }:go_to(throng.box(15, 17, 16, 18))\n"
          "return world\n";

static void test_other_meshes(void **state)
{
    (void)state;
    throng_live live;
    char text[sizeof ROUND + 16];
    snprintf(text, sizeof text, ROUND, 0.25);
    open_room(&live, text);
    step(&live, 20);
    snprintf(text, sizeof text, ROUND, 0.4);
    reload(&live, text);
    assert_said("1 agents go on at 2 s");
    step(&live, 400);
    assert_true(value(&live, THRONG_COLUMN_arrived, 0) > 0);
    throng_live_close(&live);
}

static void test_goal_of_its_own(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 9 } } }\n"
                              "g:go_to { { 18, 2 }, { 18, 9 } }\nreturn world\n");
    step(&live, 20);
    reload(&live, NULL);
    step(&live, 120);
    assert_true(value(&live, THRONG_COLUMN_arrived, 0) > 0 && value(&live, THRONG_COLUMN_arrived, 1) > 0);
    assert_true(value(&live, THRONG_COLUMN_x, 1) > 17);
    throng_live_close(&live);
}

/* ---- state machines */

#define MACHINE(states)                                                                                                \
    CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 9 } } }\n"                                     \
             "g:run(throng.fsm { start = 'stand', " states " })\n"                                                     \
             "world:every(0.1, function() g.mass = 50 + #g:in_state 'walk' end)\nreturn world\n"

static void test_states(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, MACHINE("stand = { goal = throng.wait(1), timeout = 'walk' },"
                             "walk = { goal = throng.go_to { 300, 2 } }"));
    step(&live, 20);
    double x = value(&live, THRONG_COLUMN_x, 0), since = value(&live, THRONG_COLUMN_fsm_since, 0);
    assert_true(x > 2.2);
    /* another order, another state: `walk` lives on */
    reload(&live, MACHINE("rest = { goal = throng.wait(9), timeout = 'stand' },"
                          "walk = { goal = throng.go_to { 300, 2 }, arrived = 'rest' },"
                          "stand = { goal = throng.wait(1), timeout = 'walk' }"));
    assert_true(value(&live, THRONG_COLUMN_fsm_since, 0) == since);
    step(&live, 2);
    assert_true(value(&live, THRONG_COLUMN_mass, 0) == 52);
    assert_true(value(&live, THRONG_COLUMN_x, 0) > x);
    /* `walk` does something else: it is entered again */
    reload(&live, MACHINE("stand = { goal = throng.wait(1), timeout = 'walk' },"
                          "walk = { goal = throng.go_to { 1, 2 } }"));
    x = value(&live, THRONG_COLUMN_x, 0);
    step(&live, 10);
    assert_true(value(&live, THRONG_COLUMN_x, 0) < x && value(&live, THRONG_COLUMN_mass, 0) == 52);
    assert_true(value(&live, THRONG_COLUMN_fsm_since, 0) == 22);
    /* it is gone: the machine starts over */
    reload(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 }, { 2, 9 } } }\n"
                           "g:run(throng.fsm { start = 'halt', halt = { goal = throng.wait() } })\nreturn world\n");
    assert_said("2 were in states that are gone");
    x = value(&live, THRONG_COLUMN_x, 0);
    step(&live, 20);
    assert_true(value(&live, THRONG_COLUMN_x, 0) < x + 0.5 && value(&live, THRONG_COLUMN_x, 0) > x - 0.5);
    throng_live_close(&live);
}

/* Somebody with a machine beside people of two radii, whose meshes stay when a reload gives it the other's. */
static const char BETWEEN[] =
    START "local map = throng.map { boundary = throng.box(0, 0, 20, 20), walls = { throng.box(10, 3, 11, 20) } }\n"
          "local world = throng.world { people = false, map = map }\n"
          "local there = throng.box(15, 17, 16, 18)\n"
          "world:spawn { name = 'narrow', at = { { 2, 2 } }, radius = 0.2 }:go_to(there)\n"
          "world:spawn { name = 'wide', at = { { 2, 6 } }, radius = 0.4 }:go_to(there)\n"
          "local one = world:spawn { name = 'one', at = { { 5, 18 } }, radius = %g }\n"
          "local machine = throng.fsm { start = 'stand', stand = { goal = throng.wait(2), timeout = 'walk' },\n"
          "  walk = { goal = throng.go_to(there) } }\n"
          "%s\nreturn world\n";

static void open_between(throng_live *live, bool again, double radius, const char *when)
{
    char text[sizeof BETWEEN + 64];
    snprintf(text, sizeof text, BETWEEN, radius, when);
    if (again)
        reload(live, text);
    else
        open_room(live, text);
}

/* Who goes on in its machine is on the mesh of its radius now: by the faces, and since it finds its way. */
static void check_between(double before, double after, const char *when, int steps)
{
    throng_live live;
    open_between(&live, false, before, when);
    step(&live, steps);
    open_between(&live, true, after, when);
    assert_said("3 agents go on");
    double face = value(&live, THRONG_COLUMN_face, 2), wide = value(&live, THRONG_COLUMN_face, 1);
    if (face < 0 || (after < 0.3) != (face < wide)) /* those of the second mesh have the greater numbers */
        fail_msg("%g m to %g m, %s, after %d steps: face %g", before, after, when, steps, face);
    step(&live, 400);
    if (value(&live, THRONG_COLUMN_arrived, 2) < 0)
        fail_msg("%g m to %g m, %s, after %d steps: it is at %g, %g", before, after, when, steps,
                 value(&live, THRONG_COLUMN_x, 2), value(&live, THRONG_COLUMN_y, 2));
    throng_live_close(&live);
}

static void test_machines_on_other_meshes(void **state)
{
    (void)state;
    static const char *const when[] = {"one:run(machine)", "world:at(0.1, function() one:run(machine) end)"};
    for (int i = 0; i < 2; i++)
        for (int steps = 10; steps <= 40; steps += 30) { /* it stands; it walks */
            check_between(0.4, 0.2, when[i], steps);
            check_between(0.2, 0.4, when[i], steps);
        }
}

/* ---- groups, sources, timers, doors */

static void test_groups(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, CORRIDOR "local a = world:spawn { name = 'a', at = { { 2, 2 } } }\n"
                              "local b = world:spawn { name = 'b', at = { { 2, 9 }, { 2, 12 } } }\n"
                              "a:go_to { 90, 2 } b:go_to { 90, 9 }\nreturn world\n");
    step(&live, 20);
    reload(&live, CORRIDOR "local c = world:spawn { name = 'c', at = { { 9, 18 } } }\n"
                           "local b = world:spawn { name = 'b', at = { { 2, 9 }, { 2, 12 }, { 2, 15 } } }\n"
                           "local a = world:spawn { name = 'a', at = { { 2, 2 } } }\n"
                           "a:go_to { 90, 2 } b:go_to { 90, 9 }\n"
                           "world:at(2, function() assert(a.x[1] > 3 and b.x:max() < 3 and #c == 1) end)\n"
                           "world:on_step(function() assert(#world.agents == 5 and #world.groups.b == 3) end)\n"
                           "return world\n");
    assert_said("1 agents go on at 2 s; groups that spawn another number start over: b; 4 agents came, 2 went");
    step(&live, 1);
    double seen = 0;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            seen += value(&live, THRONG_COLUMN_id, i) == value(&live, THRONG_COLUMN_id, k);
    assert_true(seen == 0); /* numbers are nobody else's */
    throng_live_close(&live);
}

static const char SOURCE[] = CORRIDOR "local s = world:source { rate = 1, where = 'hall', name = 's', limit = 90 }\n"
                                      "local calls = 0\n"
                                      "world:at(1, function() calls = calls + 1 end)\n"
                                      "world:every(1, function() calls = calls + 1 end)\n"
                                      "world:on_step(function() s.mass = 50 + calls end)\nreturn world\n";

static void test_sources_and_timers(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, SOURCE);
    step(&live, 51); /* 0.0 .. 5.0 s */
    assert_int_equal(living(&live), 6);
    assert_true(value(&live, THRONG_COLUMN_mass, 0) == 56);
    reload(&live, NULL);
    assert_int_equal(living(&live), 6);
    step(&live, 10); /* 5.1 .. 6.0 s: the variable is a new one, and what was due before is called no more */
    assert_int_equal(living(&live), 7);
    assert_true(value(&live, THRONG_COLUMN_mass, 6) == 51);
    char faster[sizeof SOURCE + 8];
    snprintf(faster, sizeof faster, "%s", SOURCE);
    memcpy(strstr(faster, "rate = 1"), "rate = 5", 8);
    reload(&live, faster);
    step(&live, 10);
    assert_int_equal(living(&live), 12); /* nobody comes for the time before */
    throng_live_close(&live);
}

static int64_t outside(const throng_live *live)
{
    throng_error error;
    throng_world_stats stats;
    assert_true(throng_world_get_stats(live->scenario.world, &stats, &error));
    return stats.outside;
}

static void who_waits_outside_is_counted_once(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, CORRIDOR "world:source { rate = 10, where = throng.box(1, 1, 2, 2) }\nreturn world\n");
    step(&live, 51); /* 51 are due, one at each step's begin */
    int64_t before = outside(&live);
    assert_int_equal(before + living(&live), 51);
    assert_true(before > 40);
    reload(&live, NULL);
    step(&live, 1);
    assert_int_equal(outside(&live), before + 1);
    throng_live_close(&live);
}

/* Every company is a ring of two and more, in the order of their ids; how many are of one. */
static int32_t in_rings(const throng_live *live)
{
    throng_error error;
    throng_agents *agents = throng_world_agents(live->scenario.world);
    const int32_t *state = throng_agents_read(agents, THRONG_COLUMN_state, &error);
    const int32_t *company = throng_agents_read(agents, THRONG_COLUMN_company, &error);
    const int32_t *mate = throng_agents_read(agents, THRONG_COLUMN_mate, &error);
    int32_t slots = throng_agents_slots(agents), members = 0;
    for (int32_t s = 0; s < slots; s++) {
        if (!state[s])
            continue;
        assert_int_equal(company[s] < 0, mate[s] < 0);
        int32_t others = 0, descents = 0;
        for (int32_t at = s; company[s] >= 0 && (at != s || !others); at = mate[at]) {
            assert_true(state[mate[at]]);
            assert_int_equal(company[mate[at]], company[s]);
            descents += throng_agents_id(agents, mate[at]) < throng_agents_id(agents, at);
            assert_true(++others <= THRONG_COMPANY_MAX);
        }
        for (int32_t o = 0; o < slots; o++) /* nobody of it is outside the ring */
            others -= state[o] && company[s] >= 0 && company[o] == company[s];
        assert_int_equal(others, 0);
        assert_int_equal(descents, company[s] >= 0);
        members += company[s] >= 0;
    }
    return members;
}

static const char COMPANIES[] =
    CORRIDOR "world:spawn { name = 'gone', count = 5, where = throng.box(30, 0, 40, 9), company = 2 }\n"
             "world:spawn { name = 'pairs', count = 6, where = throng.box(50, 0, 60, 9), company = 2 }\n"
             "world:source { rate = 2, where = throng.box(0, 0, 6, 6), name = 's', limit = 40, company = 3 }\n"
             "world:at(2, function() world.groups.gone:filter(function(a) return a.id % 2 == 0 end):remove() end)\n"
             "world:at(3, function() (world.groups.gone | world.groups.pairs[1]):walk_together() end)\n"
             "return world\n";

static void test_companies(void **state)
{
    (void)state;
    throng_live live;
    open_room(&live, COMPANIES);
    step(&live, 61);
    assert_int_equal(living(&live), 20); /* 2, 6 and 12 */
    assert_int_equal(in_rings(&live), 19);
    double company[20], id[20];
    for (int i = 0; i < 20; i++)
        company[i] = value(&live, THRONG_COLUMN_company, i), id[i] = value(&live, THRONG_COLUMN_id, i);
    reload(&live, NULL);
    assert_int_equal(in_rings(&live), 19);
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            if (value(&live, THRONG_COLUMN_id, j) == id[i])
                assert_true(value(&live, THRONG_COLUMN_company, j) == company[i]);
    step(&live, 30);
    assert_true(in_rings(&live) >= 24);
    char threes[sizeof COMPANIES];
    snprintf(threes, sizeof threes, "%s", COMPANIES);
    strstr(strstr(threes, "'pairs'"), "company = ")[10] = '3';
    reload(&live, threes); /* who was of another company by then is left there */
    in_rings(&live);
    step(&live, 30);
    in_rings(&live);
    throng_live_close(&live);
}

static double of_last(const throng_live *live, int column) { return value(live, column, living(live) - 1); }

/* Who stands in a line stays there and is served in turn; a line that the file has elsewhere is formed again. */
static void test_queues(void **state)
{
    (void)state;
    throng_live live;
    static const char text[] =
        CORRIDOR "local office = world:queue { line = { { 10, 10 }, { %s, 10 } }, serve = 2,\n"
                 "  served = function(agent) agent:go_to { 19, 1 } end }\n"
                 "local g = world:spawn { name = 'g', at = { { 8, 10 }, { 7, 10 }, { 6, 10 }, { 5, 10 } } }\n"
                 "world:at(0, function() office:join(g) end)\n"
                 "local sink = world:sink { where = throng.box(18, 0, 20, 2) }\n"
                 "world:spawn { name = 'sign', at = { { 200, 200 } }, planner = 'none' }\n"
                 "world:on_step(function() world.groups.sign.mass = 50 + office.served + 10 * sink.count "
                 "+ 100 * office.length end)\n"
                 "world:story(function(story) story:wait(3) world.groups.sign.sight = 7 + 1 / world.time end)\n"
                 "return world\n";
    char file[sizeof text + 8];
    snprintf(file, sizeof file, text, "4");
    open_room(&live, file);
    step(&live, 60);
    double before = of_last(&live, THRONG_COLUMN_mass), told = of_last(&live, THRONG_COLUMN_sight);
    assert_true(before == 50 + 2 + 200 && told > 7.3);
    reload(&live, NULL);
    step(&live, 1);
    assert_true(of_last(&live, THRONG_COLUMN_mass) == before);
    step(&live, 39);
    assert_true(of_last(&live, THRONG_COLUMN_sight) < told); /* the story was told again */
    assert_true(of_last(&live, THRONG_COLUMN_mass) == 50 + 3 + 100);
    snprintf(file, sizeof file, text, "16");
    reload(&live, file);
    step(&live, 130);
    assert_true(of_last(&live, THRONG_COLUMN_mass) == 50 + 4 + 40);
    throng_live_close(&live);
}

static void test_lines_elsewhere(void **state)
{
    (void)state;
    throng_live live;
    static const char text[] =
        CORRIDOR "local office = world:queue { line = { { %s, 10 }, { 4, 10 } }, serve = 1,\n"
                 "  served = function(agent) agent:remove() end }\n"
                 "local g = world:spawn { name = 'g', at = { { 8, 10 }, { 7, 10 }, { 6, 10 }, { 5, 10 } } }\n"
                 "world:at(0, function() office:join(g) end)\nreturn world\n";
    char file[sizeof text + 8];
    snprintf(file, sizeof file, text, "10");
    open_room(&live, file);
    step(&live, 27);
    int32_t left = living(&live);
    assert_true(left > 1 && left < 4);
    snprintf(file, sizeof file, text, "16");
    reload(&live, file);
    step(&live, 30);
    assert_int_equal(living(&live), left); /* they walk there */
    assert_true(value(&live, THRONG_COLUMN_x, 0) > 12);
    step(&live, 90);
    assert_int_equal(living(&live), 0);
    throng_live_close(&live);
}

#define DOORS                                                                                                          \
    START "local room = throng.map { boundary = throng.box(0, 0, %d, 10), walls = { throng.box(10, 0, 10.2, 4),"       \
          " throng.box(10, 6, 10.2, 10) }, doors = { gate = { { 10.1, 4 }, { 10.1, 6 } } } }\n"                        \
          "local world = throng.world { people = false, map = room }\n"                                                \
          "world:spawn { name = 'g', at = { { 5, 5 } } }\n"                                                            \
          "world:at(0.5, function() world.map:door('gate'):close() end)\nreturn world\n"

/* A cost that was changed while it ran goes on; one that the file changes is the file's. */
static void test_costs_of_doors(void **state)
{
    (void)state;
    static const char *const costs[] = {"cost = 2", "cost = 7"};
    static const double kept[] = {5, 7};
    for (int i = 0; i < 2; i++) {
        throng_live live;
        char text[2][1024];
        for (int k = 0; k < 2; k++)
            snprintf(text[k], sizeof text[k],
                     START "local room = throng.map { boundary = throng.box(0, 0, 20, 10), walls = { throng.box(10, 0, "
                           "10.2, 4), throng.box(10, 6, 10.2, 10) }, doors = { gate = { { 10.1, 4 }, { 10.1, 6 }, %s } "
                           "} }\nlocal world = throng.world { people = false, map = room }\n"
                           "world:spawn { name = 'g', at = { { 5, 5 } } }\n"
                           "world:at(0.5, function() world.map:door('gate').cost = 5 end)\nreturn world\n",
                     costs[k]);
        open_room(&live, text[0]);
        step(&live, 10);
        reload(&live, text[i]);
        assert_true(throng_world_steps(live.scenario.world) > 0);
        assert_true(throng_world_door_cost(live.scenario.world, 0) == kept[i]);
        throng_live_close(&live);
    }
}

/* So does the way that a door leads: in a file that is as before, and in one with other people. */
static void test_ways_of_doors(void **state)
{
    (void)state;
    static const struct {
        const char *way;
        const char *more;
        int kept;
    } files[] = {{"both", "", 1}, {"both", "world:spawn { name = 'h', at = { { 7, 7 } } }\n", 1}, {"back", "", -1}};
    for (int i = 0; i < 3; i++) {
        throng_live live;
        char text[3][1024];
        for (int k = 0; k < 3; k++)
            snprintf(text[k], sizeof text[k],
                     START
                     "local room = throng.map { boundary = throng.box(0, 0, 20, 10), walls = { throng.box(10, 0, "
                     "10.2, 4), throng.box(10, 6, 10.2, 10) }, doors = { gate = { { 10.1, 4 }, { 10.1, 6 } } } }\n"
                     "local world = throng.world { people = false, map = room }\n"
                     "world:spawn { name = 'g', at = { { 5, 5 } } }\n%s"
                     "world.map:door('gate').one_way = '%s'\n"
                     "world:at(0.5, function() world.map:door('gate').one_way = 'forth' end)\nreturn world\n",
                     files[k].more, files[k].way);
        open_room(&live, text[0]);
        step(&live, 10);
        reload(&live, text[i]);
        assert_true(throng_world_steps(live.scenario.world) > 0);
        assert_int_equal(throng_world_door_way(live.scenario.world, 0), files[i].kept);
        throng_live_close(&live);
    }
}

static void test_doors_and_maps(void **state)
{
    (void)state;
    throng_live live;
    char text[1024];
    snprintf(text, sizeof text, DOORS, 20);
    open_room(&live, text);
    step(&live, 10);
    reload(&live, NULL);
    assert_false(throng_world_door_open(live.scenario.world, 0));
    snprintf(text, sizeof text, DOORS, 25);
    reload(&live, text);
    assert_said("the map changed, so the run starts over, with 1 agents");
    assert_int_equal(throng_world_steps(live.scenario.world), 0);
    assert_true(throng_world_door_open(live.scenario.world, 0));
    throng_live_close(&live);
}

/* Bodies and hazards that the file makes are where they were, or gone as they were; those that callbacks made go on. */
static void test_bodies_and_hazards(void **state)
{
    (void)state;
    throng_live live;
    static const char things[] = CORRIDOR
        "local g = world:spawn { name = 'g', at = { { 60, 60 } } }\n"
        "local cart = world:body { circle = 0.4, at = { 2, 2 }, mass = 40, friction = 0, velocity = { 1, 0 } }\n"
        "local gone = world:body { box = { 1, 1 }, at = { 9, 9 }, mass = 40 }\n"
        "local fire = world:hazard { at = { 5, 5 }, reach = 3, vy = 1 }\n"
        "local brief = world:hazard { at = { 15, 5 }, reach = 3, seconds = 1 }\n"
        "world:at(0.5, function() gone:remove() end)\n"
        "world:at(1, function() world:hazard { at = { 1, 1 }, reach = 2, seconds = 9 }\n"
        "  world:body { polygon = { { 0, 0 }, { 2, 0 }, { 1, 1 } }, at = { 1, 5 }, mass = 30, friction = 0,\n"
        "    velocity = { 2, 0 }, spin = 1, angle = 1 } end)\n"
        "world:on_step(function() g.mass = 50 + cart.x g.horizon = fire.y g.sight = 1 + world:stats().bodies\n"
        "  local late = world:bodies()[2]\n"
        "  if late and late.mass == 30 then g.wall_horizon = late.x g.max_speed = late.angle end\n"
        "  assert(not brief.is_there or world.time < 1) end)\n"
        "return world\n";
    open_room(&live, things);
    step(&live, 21);
    double x = value(&live, THRONG_COLUMN_mass, 0), y = value(&live, THRONG_COLUMN_horizon, 0);
    double late_x = value(&live, THRONG_COLUMN_wall_horizon, 0), late_angle = value(&live, THRONG_COLUMN_max_speed, 0);
    assert_true(x > 53.9 && y > 6.9 && late_x > 3 && value(&live, THRONG_COLUMN_sight, 0) == 3);
    reload(&live, NULL);
    step(&live, 1);
    assert_true(fabs(value(&live, THRONG_COLUMN_wall_horizon, 0) - late_x - 0.2) < 1e-3);
    assert_true(fabs(value(&live, THRONG_COLUMN_max_speed, 0) - late_angle - 0.1) < 1e-3);
    assert_true(fabs(value(&live, THRONG_COLUMN_mass, 0) - x - 0.1) < 1e-3);
    assert_true(fabs(value(&live, THRONG_COLUMN_horizon, 0) - y - 0.1) < 1e-3);
    assert_true(value(&live, THRONG_COLUMN_sight, 0) == 3);
    throng_live_close(&live);
}

/* Who was in a place when the file was saved has not entered it, nor left it since the file's own beginning. */
static void test_entered(void **state)
{
    (void)state;
    throng_live live;
    static const char text[] =
        CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 } }, planner = 'none', mass = 50 }\n"
                 "g.desired = function() return 1, 0 end\n"
                 "g:on('entered', throng.box(4, 0, 8, 4), function(who) who.mass = who.mass[1] + 1 end)\n"
                 "g:on('left', throng.box(0, 0, 3, 4), function(who) who.mass = who.mass[1] + 10 end)\n"
                 "g:on('left', throng.box(4, 0, 8, 4), function(who) who.mass = who.mass[1] + 100 end)\n"
                 "return world\n";
    open_room(&live, text);
    step(&live, 40);
    assert_true(value(&live, THRONG_COLUMN_mass, 0) == 61);
    for (int i = 0; i < 3; i++) {
        reload(&live, NULL);
        step(&live, 2);
        assert_true(value(&live, THRONG_COLUMN_mass, 0) == 61);
    }
    step(&live, 30);
    assert_true(value(&live, THRONG_COLUMN_mass, 0) == 161);
    throng_live_close(&live);
}

/* What somebody set stays, until the file gives another value. */
static void test_sliders(void **state)
{
    (void)state;
    throng_live live;
    throng_error error;
    static const char text[] =
        CORRIDOR "local params = throng.params { pace = { %s, 0, %s }, other = { 1, 0, 2 } }\n"
                 "local g = world:spawn { name = 'g', at = { { 2, 2 } } }\n"
                 "world:on_step(function() g.mass = 50 + params.pace g.sight = 1 + params.other end)\n"
                 "return world\n";
    char file[sizeof text + 16];
    static const struct {
        const char *given, *most;
        double mass;
    } saved[] = {{"1.5", "4", 53}, {"1.5", "2.5", 52.5}, {"2", "2.5", 52}};
    snprintf(file, sizeof file, text, "1.5", "4");
    open_room(&live, file);
    throng_slider sliders[4];
    assert_int_equal(throng_script_sliders(live.script, sliders, 4), 2);
    assert_string_equal(sliders[1].name, "pace");
    assert_true(throng_script_set_slider(live.script, 1, 3, &error));
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        snprintf(file, sizeof file, text, saved[i].given, saved[i].most);
        reload(&live, file);
        step(&live, 1);
        assert_true(value(&live, THRONG_COLUMN_mass, 0) == saved[i].mass);
        assert_true(value(&live, THRONG_COLUMN_sight, 0) == 2);
    }
    throng_live_close(&live);
}

/* A run that begins again does so with what was set, and goes on with it when the file is saved. */
static void test_sliders_when_the_run_begins_again(void **state)
{
    (void)state;
    throng_live live;
    throng_error error;
    char said[200];
    static const char text[] = CORRIDOR "local params = throng.params { count = { %s, 1, 9 } }\n"
                                        "world:spawn { name = 'g', count = params.count, where = 'hall' }\n"
                                        "return world%s\n";
    char file[sizeof text + 16];
    snprintf(file, sizeof file, text, "3", "");
    open_room(&live, file);
    assert_true(throng_script_set_slider(live.script, 0, 7, &error));
    assert_int_equal(living(&live), 3);
    for (int again = 0; again < 2; again++) {
        assert_true(throng_live_reload(&live, true, said, sizeof said));
        assert_int_equal(living(&live), 7);
    }
    step(&live, 3);
    snprintf(file, sizeof file, text, "3", " -- saved");
    reload(&live, file);
    assert_int_equal(living(&live), 7);
    assert_int_equal(throng_world_steps(live.scenario.world), 3);
    snprintf(file, sizeof file, text, "4", "");
    reload(&live, file); /* the file has the last word */
    assert_int_equal(living(&live), 4);
    throng_live_close(&live);
}

/* A slider acts at once where the scenario says how; an error is told, with its line, and the value stays. */
static void test_sliders_act(void **state)
{
    (void)state;
    throng_live live;
    throng_error error;
    open_room(&live, CORRIDOR "local g\n"
                              "throng.params { mass = { 60, 50, 90, on_change = function(kg) if kg > 80 then error "
                              "'too heavy' end g.mass = kg "
                              "end } }\n"
                              "g = world:spawn { name = 'g', at = { { 2, 2 } } }\n"
                              "return world\n");
    assert_true(throng_script_set_slider(live.script, 0, 75.4, &error));
    assert_true(value(&live, THRONG_COLUMN_mass, 0) == 75); /* its numbers are whole */
    assert_false(throng_script_set_slider(live.script, 0, 85, &error));
    assert_non_null(strstr(error.text, "too heavy"));
    assert_true(value(&live, THRONG_COLUMN_mass, 0) == 75);
    throng_live_close(&live);
}

/* What a slider of a scenario does at its ends, to its first agent. */
static const struct {
    const char *slider;
    int column;
    double least, most;
} EFFECTS[] = {{"time_gap", THRONG_COLUMN_time_gap, 0, 5},
               {"pace", THRONG_COLUMN_speed, 0.3, 3},
               {"mass", THRONG_COLUMN_mass, 10, 4000}};

static void check_effect(const throng_live *live, const throng_slider *slider, bool most)
{
    for (size_t e = 0; e < sizeof EFFECTS / sizeof *EFFECTS; e++)
        if (strcmp(EFFECTS[e].slider, slider->name) == 0) {
            int last = strcmp(slider->name, "mass") == 0 ? living(live) - 1 : 0; /* the player is the last */
            assert_true(fabs(value(live, EFFECTS[e].column, last) - (most ? EFFECTS[e].most : EFFECTS[e].least)) <
                        1e-4);
        }
    if (strcmp(slider->name, "capacity") == 0)
        assert_true(throng_world_phase_parameter(live->scenario.world, 0) == (most ? slider->most : slider->least));
    if (strcmp(slider->name, "speed") == 0) /* at most .25 apart */
        assert_true(fabs(value(live, THRONG_COLUMN_speed, 0) - (most ? slider->most : slider->least)) < 1);
    if (strcmp(slider->name, "hurry") == 0) /* of 1.34 m/s in the mean, .26 apart */
        assert_true(fabs(value(live, THRONG_COLUMN_speed, 0) / (most ? slider->most : slider->least) - 1.34) < 1.2);
}

/* Each slider of these scenarios acts without a reload, wherever it is put. */
static void test_sliders_of_scenarios(void **state)
{
    (void)state;
    static const char *const scenarios[] = {"bottleneck",
                                            "speed_density",
                                            "zombies",
                                            "sway",
                                            "high_density",
                                            "evacuation",
                                            "closing_door",
                                            "two_doors",
                                            "temperaments",
                                            "player",
                                            "museum",
                                            "smoke",
                                            "parade",
                                            "crosswalk",
                                            "arena",
                                            "city",
                                            "office",
                                            "office_floor",
                                            "crossing",
                                            "streams",
                                            "patience",
                                            "requests",
                                            "learning",
                                            "tutorial/03_people_differ",
                                            "tutorial/10_measured_evacuation",
                                            "tutorial/11_a_junction"};
    throng_script_def limits = throng_script_def_default();
    for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++) {
        throng_live live;
        throng_error error;
        throng_slider sliders[8];
        char path[128];
        const char *few = "count=400";
        bool large = strcmp(scenarios[k], "arena") == 0 || strcmp(scenarios[k], "city") == 0 ||
                     strcmp(scenarios[k], "streams") == 0;
        throng_overrides overrides = {.simd = -1, .threads = 1, .params = &few, .param_count = large};
        snprintf(path, sizeof path, "scenarios/%s.lua", scenarios[k]);
        if (!throng_live_open(&live, path, &limits, &overrides, &error))
            fail_msg("%s", error.text);
        int32_t count = throng_script_sliders(live.script, sliders, 8);
        assert_true(count >= 1);
        for (int32_t i = 0; i < 2 * count; i++) {
            const throng_slider *slider = &sliders[i / 2];
            bool most = i % 2 == 0;
            if (!throng_script_set_slider(live.script, i / 2, most ? slider->most : slider->least, &error))
                fail_msg("%s: %s: %s", scenarios[k], slider->name, error.text);
            check_effect(&live, slider, most);
            step(&live, 2);
        }
        throng_live_close(&live);
    }
}

static void test_what_starts_over(void **state)
{
    (void)state;
    throng_live live;
    static const struct {
        const char *settings, *said;
    } changes[] = {{"wrap = { 50, 30 }, dt = 0.1, seed = 2", NULL},
                   {"wrap = { 50, 40 }, dt = 0.1, seed = 2", "wrap changed"},
                   {"wrap = { 50, 40 }, dt = 0.2, seed = 2", "dt changed"},
                   {"wrap = { 50, 40 }, dt = 0.2, seed = 3", "the seed changed"},
                   {"dt = 0.2, seed = 3", "wrap changed"}};
    char text[512];
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        snprintf(text, sizeof text,
                 START
                 "local world = throng.world { %s }\nworld:spawn { name = 'g', at = { { 2, 2 } } }\nreturn world\n",
                 changes[i].settings);
        if (i == 0)
            open_room(&live, text);
        else
            reload(&live, text);
        if (i > 0)
            assert_said(changes[i].said);
        assert_int_equal(throng_world_steps(live.scenario.world), 0);
        step(&live, 3);
    }
    throng_live_close(&live);
}

/* ---- mistakes */

static void test_mistakes(void **state)
{
    (void)state;
    throng_live live;
    static const char *const wrong[] = {"return throng.world {{\n", "return 5\n", "error 'mine'\n",
                                        "return require 'throng'.world { sed = 5 }\n", "while true do end\n"};
    open_room(&live,
              CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 } } } g:go_to { 90, 2 }\nreturn world\n");
    step(&live, 10);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file("room.lua", wrong[i]);
        uint64_t before = hash_of(&live);
        assert_false(throng_live_reload(&live, false, said, sizeof said));
        assert_non_null(strstr(live.trouble, "room.lua"));
        assert_true(hash_of(&live) == before);
        step(&live, 1);
    }
    reload(&live, CORRIDOR "local g = world:spawn { name = 'g', at = { { 2, 2 } } }\nreturn world\n");
    assert_null(live.trouble);
    assert_said("1 agents go on at 1.5 s");
    throng_live_close(&live);
}

/* ---- files */

static void test_files(void **state)
{
    (void)state;
    throng_live live;
    char part[128], other[128];
    snprintf(part, sizeof part, "%s/part.lua", folder);
    snprintf(other, sizeof other, "%s/part.lua~", folder);
    write_file("part.lua", "return 1\n");
    open_room(&live, CORRIDOR "world:spawn { name = 'g', at = { { 2, 2 } }, speed = require 'part' }\nreturn world\n");
    assert_false(throng_live_saved(&live, 0));
    write_file("part.lua~", "return 2\n"); /* none of its files */
    assert_false(throng_live_saved(&live, 0));
    assert_int_equal(rename(other, part), 0); /* as editors save */
    assert_true(throng_live_saved(&live, 0));
    assert_false(throng_live_saved(&live, 0));
    reload(&live, NULL);
    assert_true(value(&live, THRONG_COLUMN_speed, 0) == 2);
    write_file("part.lua", "return 3\n");
    assert_true(throng_live_saved(&live, 0));
    throng_live_close(&live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unchanged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scenarios, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_choices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_flow_caps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_announcements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pressed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_things, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without_walls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_congestion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_searches_by_lifts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_callbacks_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_whole_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files_that_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_become, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_later, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_columns_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_body_that_was_removed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_body_that_was_removed_is_no_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_agent_that_was_removed_is_no_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_smoke, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_planners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_own_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_goals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_meshes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_goal_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_states, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_machines_on_other_meshes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sources_and_timers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_waits_outside_is_counted_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_companies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_queues, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_elsewhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_doors_and_maps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_costs_of_doors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ways_of_doors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bodies_and_hazards, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_entered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sliders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sliders_when_the_run_begins_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sliders_act, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sliders_of_scenarios, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_starts_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_mistakes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_files, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
