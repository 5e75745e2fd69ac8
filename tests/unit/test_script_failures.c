/* Memory that runs out under calls of scripts: each allocation of a line of Lua fails in turn, Lua's own (which then
 * collects garbage and asks again) and those of the bindings and the world. What fails says so and leaves the world as
 * it was, and it runs on as one in which nothing failed. tests/unit/test_failures.c has the same of the world's own
 * calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocations.h"
#include "base/array.h"
#include "script/script.h"
#include "skips.h"

/* --- scenarios, and lines about their worlds: `world`, and what lines before it made ------------- */

static const char ROOMS[] =
    "local throng = require 'throng'\n"
    "local map = throng.map { boundary = throng.box(0, 0, 20, 10),\n"
    "  walls = { throng.box(9.9, 0, 10.1, 1), throng.box(9.9, 3, 10.1, 7), throng.box(9.9, 9, 10.1, 10) },\n"
    "  doors = { south = { { 10, 1 }, { 10, 3 } }, north = { { 10, 7 }, { 10, 9 } } },\n"
    "  regions = { west = throng.box(0, 0, 9, 10), east = throng.box(11, 0, 20, 10) } }\n"
    "local world = throng.world { map = map, backend = 'cpu', simd = 1, threads = 1, seed = 5 }\n"
    "world:column('trust', { default = throng.uniform(0, 1) })\n"
    "world:spawn { name = 'crowd', count = 30, where = 'west' }\n"
    "return world\n";

static const char *const IN_ROOMS[] = {
    "g = world.groups.crowd g:go_to 'east'",
    "h = world:spawn { name = 'more', count = 20, where = 'east', speed = throng.normal(1.2, 0.2), trust = 0.5 }",
    "h:go_to { 2, 2 }",
    "w = world:spawn { name = 'pairs', count = 12, where = 'west', company = throng.uniform(2, 4) }",
    "w:walk_together()",
    "g.speed = function(t, a) return 1 + 0.2 * a.trust + 0.1 * math.sin(t) end",
    "g.trust = function(t, a) return math.min(1, a.trust + 0.01) end",
    "g.planner = throng.rvo { samples = 32 }",
    "h.routing = 'field'",
    "h:go_to 'west'",
    "m = world:measure { name = 'in', inside = 'west' }",
    "f = world:measure { name = 'through', flow = 'south' }",
    "d = world:measure { name = 'dense', density = 'east', method = 'voronoi' }",
    "c = world:flow_cap { door = 'north', flow = 1.5 }",
    "q = world:queue { line = { { 18, 2 }, { 12, 2 } }, serve = 1, served = function(a) end }",
    "q:join(h)",
    "q:leave(h:filter(function(agent) return agent.x[1] > 15 end))",
    "s = world:sink { where = throng.box(18, 4, 20, 6) }",
    "r = world:source { name = 'source', where = throng.box(0.5, 0.5, 2, 2), rate = 5 }",
    "z = world:smoke { extinction = function(x, y) return 0.05 * x end, co = 500 }",
    "world:announce { group = g, at = world.time + 1, to = 'east' }",
    "g:choose { exits = { 'east', 'west' } }",
    "g:tag 'red'",
    "x = (g | h) - world:tagged 'red'",
    "world.map:door 'north':close()",
    "world.map:door 'north':open(0.5)",
    "world.map:door 'south'.one_way = 'both'",
    "world.paths:request { from = { 1, 1 }, to = { 18, 8 }, on = function(path) end }",
    "b = world:body { box = { 0.4, 0.4 }, at = { 15, 5 }, mass = 20 }",
    "b.mass = 30",
    "k = world:bodies { count = 5, circle = 0.2, where = throng.box(12, 7, 19, 9), mass = 5 }",
    "b:remove()",
    "a = world:hazard { at = { 15, 8 }, reach = 2 }",
    "h:run(throng.fsm { start = 'a', a = { goal = throng.wait(0.2, 1), timeout = 'b' },"
    " b = { goal = throng.random_path(), arrived = 'a', when = { { throng.above('trust', 2), 'a' } } } })",
    "h[1]:control()",
    "world:avoidance('crowd', 'more', 0.5)",
    "world:every(0.3, function() world:spawn { count = 1, where = 'west' } end)",
    "world:at(world.time + 0.5, function() g.max_speed = 2 end)",
    "world:story(function(story) story:wait(0.2) story:walk(h, { 15, 5 }) end)",
    "g:on('arrived', function(who) who:remove() end)",
    "g:on('entered', 'east', function(who) who:tag 'there' end)",
    "h:become 'crowd'",
    "w:walk_alone()",
    "g:untag 'red'",
    "h.routing = 'roadmap'",
    "h:go_to(throng.box(2, 2, 4, 4), { radius = 1 })",
    "g.desired = { 0.3, function(t, a) return 0.1 end }",
    "c:remove()",
    "w:remove()",
    "x = world:spawn { name = 'late', count = 5, where = 'west' }",
    "world.stages.plan:after(function(agents) end)",
};

static const char STOREYS[] =
    "local throng = require 'throng'\n"
    "local floor = throng.box(0, 0, 20, 10)\n"
    "local world = throng.world { backend = 'cpu', simd = 1, threads = 1, seed = 5, map = throng.building {\n"
    "  floors = { ground = { z = 0, boundary = floor, regions = { hall = throng.box(0, 0, 8, 8) } },\n"
    "    first = { z = 3, boundary = floor, regions = { attic = throng.box(0, 0, 8, 8) } } },\n"
    "  stairs = { { name = 'stair', from = 'ground', to = 'first', foot = { 10, 2 }, head = { 15, 2 } } },\n"
    "  escalators = { { name = 'up', from = 'ground', to = 'first', foot = { 10, 5 }, head = { 15, 5 } } },\n"
    "  lifts = { { name = 'a', at = { 18, 8 }, back = { 19.8, 8 }, capacity = 4 } } } }\n"
    "world:spawn { name = 'crowd', count = 12, where = 'hall' }\n"
    "return world\n";

static const char *const IN_STOREYS[] = {
    "g = world.groups.crowd g:go_to 'attic'",
    "h = world:spawn { name = 'more', count = 8, where = 'attic' }",
    "h:go_to { 2, 2, floor = 'ground' }",
    "world.lifts.a:shuttle({ 'first' }, 'ground')",
    "world.map:flight 'up':reverse()",
    "world.map:flight 'up':stop()",
    "world.lifts.a:start()",
    "world:measure { name = 'on it', count = 'attic' }",
    "g:on('floor', function(who) end)",
    "world:smoke { extinction = function(x, y, z) return 0.05 * x end }",
    "p = world.map:path({ 1, 1, floor = 'ground' }, { 2, 2, floor = 'first' })",
    "world.paths:request { from = { 1, 1, floor = 'ground' }, to = { 2, 2, floor = 'first' }, on = function(path) end "
    "}",
    "h:run(throng.fsm { start = 'a', a = { goal = throng.go_to 'hall', arrived = 'b' }, b = {} })",
    "h:remove()",
};

/* Of what the lines make: to give it a name takes no memory then. */
static const char NAMES[] = "for name in ('abcdfghkmpqrswxyz'):gmatch '.' do _ENV[name] = false end";

enum { STEPS = 3, MOST = 100000, DENSER = 400 };

typedef struct scene {
    throng_script *script;
    throng_scenario scenario;
} scene;

static scene open_scene(const char *text)
{
    throng_error error;
    throng_script_def def = throng_script_def_default();
    scene s = {.script = throng_script_create(&def, &error)};
    if (!s.script || !throng_script_load_text(s.script, "walk.lua", text, strlen(text),
                                              &(throng_overrides){.simd = -1, .threads = -1}, &s.scenario, &error))
        fail_msg("%s", s.script ? throng_script_error_text(s.script, &error) : error.text);
    return s;
}

static bool run(scene *s, const char *line, throng_error *error)
{
    throng_script_chunk chunk = {.text = line};
    return throng_script_do(s->script, &chunk, error);
}

static void assert_same(const scene *a, const scene *b, const char *what, int64_t n)
{
    throng_error error;
    uint64_t hashes[2];
    throng_world_stats stats[2];
    const scene *both[] = {a, b};
    for (int i = 0; i < 2; i++)
        if (!throng_world_hash(both[i]->scenario.world, &hashes[i], &error) ||
            !throng_world_get_stats(both[i]->scenario.world, &stats[i], &error))
            fail_msg("%s", error.text);
    if (hashes[0] != hashes[1] || stats[0].spawned != stats[1].spawned || stats[0].bodies != stats[1].bodies)
        fail_msg("%s, allocation %d: the world is another: spawned %d %d, bodies %d %d", what, (int)n,
                 (int)stats[0].spawned, (int)stats[1].spawned, (int)stats[0].bodies, (int)stats[1].bodies);
}

static void step(scene *s, const char *after)
{
    throng_error error;
    for (int i = 0; i < STEPS; i++)
        if (!throng_script_step(s->script, &error))
            fail_msg("a step after %s: %s", after, throng_script_error_text(s->script, &error));
}

/* Runs the line until nothing fails any more, beside a world that it is run in as often as it was done here. */
static int64_t fail_in_turn(scene *failing, scene *other, const char *line)
{
    throng_error error = {""}, theirs = {""};
    int64_t failures = 0, n = 0;
    for (bool came = true; came; n += 1 + n / DENSER) {
        left = n;
        bool fine = run(failing, line, &error);
        came = left < 0;
        left = -1;
        refused = false;
        if (fine || !came) {
            bool done = run(other, line, &theirs);
            if (done != fine || (!done && strcmp(error.text, theirs.text) != 0))
                fail_msg("%s, allocation %d: '%s', and '%s'", line, (int)n, error.text, theirs.text);
        }
        failures += !fine;
        assert_true(fine || *error.text);
        assert_same(other, failing, line, n);
        assert_true(n < MOST);
    }
    return failures;
}

static void hold(const char *text, const char *const *lines, int count)
{
    throng_error error;
    if (THRONG_MOVES_ARRAYS) /* there is always memory for what was made room for before */
        skip_because("arrays with room are moved here, which takes memory");
    asks_again = true;
    scene failing = open_scene(text), other = open_scene(text);
    if (!run(&failing, NAMES, &error) || !run(&other, NAMES, &error))
        fail_msg("%s", error.text);
    step(&failing, "loading");
    step(&other, "loading");
    for (int i = 0; i < count; i++) {
        assert_true(fail_in_turn(&failing, &other, lines[i]) > 0);
        step(&failing, lines[i]);
        step(&other, lines[i]);
        assert_same(&other, &failing, "steps after it", i);
    }
    throng_script_destroy(failing.script);
    throng_script_destroy(other.script);
}

static void what_fails_in_rooms_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    hold(ROOMS, IN_ROOMS, sizeof IN_ROOMS / sizeof *IN_ROOMS);
}

static void and_on_floors(void **state)
{
    (void)state;
    hold(STOREYS, IN_STOREYS, sizeof IN_STOREYS / sizeof *IN_STOREYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_fails_in_rooms_leaves_the_world_as_it_was),
                                       cmocka_unit_test(and_on_floors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
