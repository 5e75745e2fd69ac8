/* Memory that runs out and interruptions: every allocation of ours fails in turn, in every operation of a list, and
 * every question whether to give up (throng_given_up) is answered with yes. What fails leaves the world as it was, and
 * the world runs on as one in which nothing failed. Linked so that questions come here first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "allocations.h"
#include "base/watchdog.h"
#include "navigation/field.h"
#include "navigation/field_fronts.h"
#include "navigation/graph.h"
#include "base/cache.h"
#include "world/world.h"
#include "world/world_migrate.h"

/* GEOS forgets to free what it was at when it is interrupted; read by the leak sanitizer. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libgeos"; }

/* --- interruptions ----------------------------------------------------------------------------- */

static int64_t asked;     /* questions so far */
static int64_t calm = -1; /* so many questions more, then all must give up; negative: nobody does */

throng_stop __wrap_throng_given_up(void);

throng_stop __wrap_throng_given_up(void)
{
    asked++;
    calm -= calm > 0;
    return calm == 0 ? THRONG_STOP_SIGNAL : THRONG_STOP_NONE;
}

/* What fails, each time later. Of thousands of questions not all are tried. */
typedef struct trouble {
    const char *what;
    int64_t *after;
    int64_t denser;
} trouble;

static const trouble TROUBLES[] = {{"allocation", &left, INT64_MAX}, {"question", &calm, 16}};

enum { TROUBLES_COUNT = sizeof TROUBLES / sizeof *TROUBLES };

static void begin_trouble(const trouble *t, int64_t n) { *t->after = n + (t->after == &calm); }

/* True when it came to it. */
static bool end_trouble(const trouble *t)
{
    bool came = *t->after == (t->after == &calm ? 0 : -1);
    *t->after = -1;
    return came;
}

/* --- a world ----------------------------------------------------------------------------------- */

enum { CROWD = 60, MORE = 90 };

static throng_handle crowd[CROWD], more[MORE], crates[4];

/* Two rooms of 10 x 10 m with two doors between them. */
static throng_map *two_rooms(void)
{
    throng_error error;
    throng_point hall[4] = {{0, 0}, {20, 0}, {20, 10}, {0, 10}};
    throng_point walls[3][4] = {{{9.9, -1}, {10.1, -1}, {10.1, 1}, {9.9, 1}},
                                {{9.9, 3}, {10.1, 3}, {10.1, 7}, {9.9, 7}},
                                {{9.9, 9}, {10.1, 9}, {10.1, 11}, {9.9, 11}}};
    const throng_point *boundary[] = {hall}, *obstacles[] = {walls[0], walls[1], walls[2]};
    const int32_t sizes[] = {4, 4, 4};
    throng_map *map = throng_map_from_polygons("rooms", boundary, sizes, 1, obstacles, sizes, 3, &error);
    assert_non_null(map);
    assert_true(throng_map_add_door(map, "south", (throng_point){10, 1}, (throng_point){10, 3}, &error));
    assert_true(throng_map_add_door(map, "north", (throng_point){10, 7}, (throng_point){10, 9}, &error));
    return map;
}

static const throng_point WEST[4] = {{0.5, 0.5}, {9, 0.5}, {9, 9.5}, {0.5, 9.5}};
static const throng_point EAST[4] = {{11, 0.5}, {19.5, 0.5}, {19.5, 9.5}, {11, 9.5}};

static bool spawn_in(throng_world *world, const char *name, const throng_point *corners, int32_t count,
                     throng_handle *handles, throng_error *error)
{
    throng_region area = {.points = (throng_point *)corners, .count = 4};
    throng_spawn_def def = throng_spawn_def_default();
    def.count = count;
    def.areas = &area;
    def.area_count = 1;
    def.name = name;
    def.radius = (throng_sampler){.kind = THRONG_UNIFORM, .a = 0.2, .b = 0.25};
    def.mass = (throng_sampler){.kind = THRONG_UNIFORM, .a = 60, .b = 90};
    return throng_world_spawn(world, &def, handles, error);
}

static throng_world *make_world_of(struct throng_cache *cache)
{
    throng_error error;
    throng_world_def def = throng_world_def_default();
    def.cache = cache;
    def.map = two_rooms();
    def.backend = "cpu";
    def.options = (throng_backend_options){.simd = 1, .threads = 1};
    throng_world *world = throng_world_create(&def, &error);
    if (!world || !spawn_in(world, "crowd", WEST, CROWD, crowd, &error) || !throng_world_step(world, &error))
        fail_msg("%s", error.text);
    return world;
}

static throng_world *make_world(void) { return make_world_of(NULL); }

/* --- operations -------------------------------------------------------------------------------- */

typedef bool operation(throng_world *world, throng_error *error);

static bool spawn_more(throng_world *w, throng_error *error) { return spawn_in(w, "more", EAST, MORE, more, error); }

static bool send(throng_world *w, int32_t goal, const throng_handle *handles, int32_t count, throng_error *error)
{
    return goal >= 0 && throng_world_send(w, handles, count, goal, NULL, error);
}

static bool go_to_point(throng_world *w, throng_error *error)
{
    return send(w, throng_world_goal_point(w, (throng_point){15, 5}, 0.5, error), crowd, CROWD, error);
}

static bool go_to_region(throng_world *w, throng_error *error)
{
    throng_region east = {.name = "east", .points = (throng_point *)EAST, .count = 4};
    return send(w, throng_world_goal_regions(w, &east, 1, error), crowd, CROWD, error);
}

/* Those of `more` go by the method. */
static bool go_by(throng_world *w, int32_t routing, throng_error *error)
{
    throng_region west = {.points = (throng_point *)WEST, .count = 4};
    int32_t goal = throng_world_goal_regions(w, &west, 1, error);
    if (goal < 0 || !throng_agents_use(throng_world_agents(w), (uint64_t)1 << THRONG_COLUMN_routing, error))
        return false;
    throng_error none;
    int32_t before =
        ((const int32_t *)throng_agents_read(throng_world_agents(w), THRONG_COLUMN_routing, &none))[more->slot];
    throng_agents_set(throng_world_agents(w), THRONG_COLUMN_routing, more, MORE, routing, &none);
    bool sent = send(w, goal, more, MORE, error);
    if (!sent)
        throng_agents_set(throng_world_agents(w), THRONG_COLUMN_routing, more, MORE, before, &none);
    return sent;
}

static bool go_by_field(throng_world *w, throng_error *error) { return go_by(w, THRONG_ROUTING_FIELD, error); }
static bool go_by_roadmap(throng_world *w, throng_error *error) { return go_by(w, THRONG_ROUTING_ROADMAP, error); }

static bool go_by_own_paths(throng_world *w, throng_error *error)
{
    throng_point points[MORE];
    for (int i = 0; i < MORE; i++)
        points[i] = (throng_point){1 + 0.08 * i, 1.5 + (i % 7)};
    int32_t goal = throng_world_goal_own(w, 0.5, error);
    return goal >= 0 && throng_world_send(w, more, MORE, goal, points, error);
}

static bool run_machine(throng_world *w, throng_error *error)
{
    const throng_fsm_state states[] = {{.action = THRONG_FSM_GO,
                                        .goals = 2,
                                        .path = -1,
                                        .least = 1,
                                        .most = 3,
                                        .arrived = 0,
                                        .ready = -1,
                                        .blocked = -1,
                                        .timeout = 1,
                                        .kind = -1},
                                       {.action = THRONG_FSM_WANDER,
                                        .path = -1,
                                        .reach = 2,
                                        .least = 1,
                                        .most = 2,
                                        .arrived = -1,
                                        .ready = -1,
                                        .blocked = -1,
                                        .timeout = 0,
                                        .kind = -1}};
    const char *const names[] = {"go", "wander"};
    const throng_fsm_option options[] = {{2, 1}, {2, 0}};
    const int32_t targets[] = {throng_world_goal_point(w, (throng_point){15, 2}, 0.5, error), -1};
    const throng_machine machine = {.number = 1,
                                    .states = 2,
                                    .options = 2,
                                    .targets = 2,
                                    .state = states,
                                    .name = names,
                                    .option = options,
                                    .target = targets};
    return targets[0] >= 0 && throng_world_run_machine(w, crowd, CROWD, &machine, error) >= 0;
}

static bool bind_program(throng_world *w, throng_error *error)
{
    const throng_instruction code = {.op = THRONG_PROGRAM_value, .value = 1.2f};
    const throng_program_def def = {&code, 1, 1, {0}, 0, 3, "walk.lua:1", NULL}, *defs[] = {&def, &def};
    const int columns[] = {THRONG_COLUMN_speed, THRONG_COLUMN_horizon};
    if (!throng_world_reserve_programs(w, defs, columns, 2, error))
        return false;
    int32_t program = throng_world_program(w, &def, error);
    return program >= 0 && throng_world_bind(w, crowd, CROWD, columns[0], program, error) &&
           throng_world_bind(w, crowd, CROWD, columns[1], program, error);
}

static bool change_planner(throng_world *w, throng_error *error)
{
    throng_planner forces = throng_planner_default(THRONG_PLANNER_forces);
    int32_t entry = throng_world_planner(w, &forces, error);
    return entry >= 0 && throng_agents_set(throng_world_agents(w), THRONG_COLUMN_planner, more, MORE, entry, error);
}

static bool add_hazard(throng_world *w, throng_error *error)
{
    const throng_moving_hazard hazard = {5, 5, 0.1, 0, 3, 1, 20, 0};
    return throng_world_add_hazard(w, &hazard, error) >= 0;
}

static bool avoid(throng_world *w, throng_error *error) { return throng_world_set_avoidance(w, 0, 1, 2, error); }

static bool place_crates(throng_world *w, throng_error *error)
{
    throng_bodies_def def = throng_bodies_def_default();
    def.count = 4;
    def.width.a = def.height.a = 0.4;
    return throng_world_place_bodies(w, &def, crates, error);
}

static bool remove_crate(throng_world *w, throng_error *error) { return throng_world_remove_body(w, crates[1], error); }

static bool steer(throng_world *w, throng_error *error) { return throng_world_control(w, more, 3, error); }

static bool ask_path(throng_world *w, throng_error *error)
{
    const throng_world_path path = {{1, 1}, {18, 8}, 0.3, true};
    return throng_world_request_path(w, &path, error) != 0;
}

static bool remove_some(throng_world *w, throng_error *error) { return throng_world_remove(w, crowd, 20, error) == 20; }

static const struct {
    const char *name;
    operation *run;
} OPERATIONS[] = {{"spawn", spawn_more},      {"a point", go_to_point},     {"a region", go_to_region},
                  {"a field", go_by_field},   {"a roadmap", go_by_roadmap}, {"own paths", go_by_own_paths},
                  {"a machine", run_machine}, {"programs", bind_program},   {"a planner", change_planner},
                  {"a hazard", add_hazard},   {"avoidance", avoid},         {"bodies", place_crates},
                  {"a body", remove_crate},   {"players", steer},           {"a path", ask_path},
                  {"removal", remove_some}};

enum { COUNT = sizeof OPERATIONS / sizeof *OPERATIONS, STEPS = 4, MOST = 100000 };

/* --- what is compared -------------------------------------------------------------------------- */

/* All that can be seen of a world, or nearly. */
typedef struct seen {
    uint64_t hash;
    int32_t groups, agents, next_id, pending, bodies, spawned;
} seen;

static seen look(throng_world *w)
{
    throng_error error;
    throng_world_stats stats;
    seen s = {.groups = throng_world_group_count(w),
              .agents = throng_agents_count(throng_world_agents(w)),
              .next_id = throng_agents_next_id(throng_world_agents(w)),
              .pending = throng_world_pending_paths(w)};
    if (!throng_world_hash(w, &s.hash, &error) || !throng_world_get_stats(w, &stats, &error))
        fail_msg("%s", error.text);
    s.bodies = stats.bodies;
    s.spawned = stats.spawned;
    return s;
}

static void assert_same(seen a, seen b, const char *what, const char *kind, int64_t n)
{
    if (a.hash != b.hash || a.groups != b.groups || a.agents != b.agents || a.next_id != b.next_id ||
        a.pending != b.pending || a.bodies != b.bodies || a.spawned != b.spawned)
        fail_msg("%s, %s %d: the world is another: hash %d, groups %d %d, agents %d %d, ids %d %d, paths %d %d, "
                 "bodies %d %d",
                 what, kind, (int)n, a.hash == b.hash, a.groups, b.groups, a.agents, b.agents, a.next_id, b.next_id,
                 a.pending, b.pending, a.bodies, b.bodies);
}

static void step(throng_world *w, int steps)
{
    throng_error error;
    for (int i = 0; i < steps; i++)
        if (!throng_world_step(w, &error))
            fail_msg("%s", error.text);
}

/* Runs the operation until it does not fail any more; how often it failed. */
static int64_t run_failing(throng_world *w, int at, const trouble *t)
{
    for (int64_t n = 0; n < MOST; n += 1 + n / t->denser) {
        throng_error error = {""};
        seen before = look(w);
        begin_trouble(t, n);
        bool fine = OPERATIONS[at].run(w, &error);
        bool came = end_trouble(t);
        if (fine)
            return n;
        assert_true(came && *error.text);
        assert_same(before, look(w), OPERATIONS[at].name, t->what, n);
    }
    fail_msg("%s fails for ever", OPERATIONS[at].name);
    return -1;
}

/* --- tests ------------------------------------------------------------------------------------- */

static void what_fails_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    throng_error error;
    for (int k = 0; k < TROUBLES_COUNT; k++) {
        const trouble *t = &TROUBLES[k];
        int64_t failures = 0;
        throng_world *failing = make_world(), *other = make_world();
        for (int at = 0; at < COUNT; at++) {
            int64_t times = run_failing(failing, at, t);
            failures += times;
            if (!OPERATIONS[at].run(other, &error))
                fail_msg("%s: %s", OPERATIONS[at].name, error.text);
            assert_same(look(other), look(failing), OPERATIONS[at].name, t->what, times);
            step(failing, STEPS);
            step(other, STEPS);
            assert_same(look(other), look(failing), "steps after it", t->what, at);
        }
        assert_true(failures > 100);
        throng_world_destroy(failing);
        throng_world_destroy(other);
    }
}

/* True when it took them; false when the world's last frame was given up in its middle, which ends it. */
static bool goes_on(throng_world *w, int steps)
{
    throng_error error = {""};
    for (int i = 0; i < steps; i++)
        if (!throng_world_step(w, &error)) {
            if (!strstr(error.text, "was interrupted in its middle"))
                fail_msg("%s", error.text);
            return false;
        }
    return true;
}

/* A step that fails ends somewhere in the frame: the next ones, and what is asked meanwhile, still have all they need.
 * Of those given up some were in a stage, after which there are none. */
static void a_step_that_fails_is_not_the_last(void **state)
{
    (void)state;
    for (int k = 0; k < TROUBLES_COUNT; k++) {
        bool fine = false;
        for (int64_t n = 0, failed = 0; !fine || failed == 0;
             n += 1 + n / TROUBLES[k].denser) { /* to behind the last */
            throng_error error = {""};
            throng_world *world = make_world();
            for (int at = 0; at < COUNT; at++)
                if (!OPERATIONS[at].run(world, &error))
                    fail_msg("%s: %s", OPERATIONS[at].name, error.text);
            throng_world_set_door(world, 0, false, &error);
            begin_trouble(&TROUBLES[k], n);
            fine = throng_world_step(world, &error);
            end_trouble(&TROUBLES[k]);
            failed += !fine;
            int32_t neighbours[THRONG_NEIGHBOURS_MAX], count;
            throng_world_neighbours(world, crowd[CROWD - 1].slot, neighbours, &count, &error);
            assert_true(goes_on(world, 3) || TROUBLES[k].after == &calm);
            throng_world_destroy(world);
            assert_true(n < MOST);
        }
    }
}

/* As well where each of many steps may fail, before anybody has moved. */
static void doors_follow_in_the_end(void **state)
{
    (void)state;
    throng_error error;
    throng_world *failing = make_world(), *other = make_world();
    go_to_region(failing, &error);
    go_to_region(other, &error);
    assert_true(throng_world_set_door(failing, 0, false, &error) && throng_world_set_door(other, 0, false, &error));
    for (int64_t n = 0; n < MOST; n++) {
        begin_trouble(&TROUBLES[0], n);
        bool fine = throng_world_step(failing, &error);
        end_trouble(&TROUBLES[0]);
        if (fine)
            break;
    }
    step(other, 1);
    step(failing, 20);
    step(other, 20);
    assert_same(look(other), look(failing), "a door", "after", 0);
    throng_world_destroy(failing);
    throng_world_destroy(other);
}

/* A scenario as its script leaves it: the first so many operations. */
static throng_world *load(struct throng_cache *cache, int count, throng_baseline **baseline)
{
    throng_error error;
    throng_world *world = make_world_of(cache);
    for (int at = 0; at < count; at++)
        if (!OPERATIONS[at].run(world, &error))
            fail_msg("%s: %s", OPERATIONS[at].name, error.text);
    assert_non_null(*baseline = throng_baseline_take(world, &error));
    return world;
}

/* Loads it again, and has it go on where `old` is, while the n-th allocation fails. True when that went well, and what
 * follows goes well. */
static bool reload(throng_world **old, throng_baseline **before, struct throng_cache *cache, int count, int64_t n,
                   bool well)
{
    throng_error error = {""};
    throng_baseline *after;
    throng_world *fresh = load(cache, count, &after);
    throng_migration migration;
    begin_trouble(&TROUBLES[0], n);
    bool migrated = throng_world_migrate(fresh, after, *old, *before, &migration, &error);
    bool fine = migrated && throng_world_migrate_end(fresh, after, *before, &migration, &error);
    bool came = end_trouble(&TROUBLES[0]);
    assert_true(fine || (came && *error.text));
    fine = fine && well;
    if (migrated && !fine)
        throng_world_migrate_undo(fresh, *old, &migration);
    throng_world_destroy(fine ? *old : fresh);
    throng_baseline_destroy(fine ? *before : after);
    *old = fine ? fresh : *old;
    *before = fine ? after : *before;
    throng_migration_fini(&migration);
    return fine;
}

/* With the last operations but one the file says the same, and the old world's parts are taken; a path that is asked
 * for has all of it moved one by one, which takes hundreds of allocations. */
static void a_reload_that_fails_leaves_the_old_world(void **state)
{
    (void)state;
    for (int count = COUNT - 2; count < COUNT; count++) {
        struct throng_cache *cache = throng_cache_create(1 << 20);
        throng_baseline *before, *unused;
        throng_world *world = load(cache, count, &before), *other = load(NULL, count, &unused);
        int64_t n = MOST;
        step(world, 30);
        step(other, 30);
        for (bool well = false; !reload(&world, &before, cache, count, n, well);) {
            assert_same(look(other), look(world), "a reload", "allocation", n);
            step(world, 1);
            step(other, 1);
            assert_same(look(other), look(world), "a step after a reload", "allocation", n);
            n = well ? n + 1 + n / 16 : 0;
            well = true;
            assert_true(n < MOST);
        }
        assert_true(n > 4);
        step(world, 5);
        step(other, 5);
        if (count < COUNT - 1)
            assert_same(look(other), look(world), "steps after a reload", "allocation", n);
        throng_world_destroy(world);
        throng_world_destroy(other);
        throng_baseline_destroy(before);
        throng_baseline_destroy(unused);
        throng_cache_destroy(cache);
    }
}

/* Long, as a square of as many cells takes far longer to dissect. OFTEN: questions of a pass over all cells. */
enum { LONG = 8192, WIDE = 128, OFTEN = LONG * WIDE / 65536 };

/* Passes over very many cells are heard in their middle, not only between them. */
static void passes_ask_often(void **state)
{
    (void)state;
    throng_error error;
    uint8_t *cells = calloc(LONG, WIDE); /* walls */
    for (int32_t y = 1; y < WIDE - 1; y++)
        memset(cells + y * LONG + 1, THRONG_FIELD_FREE, LONG - 2);
    cells[LONG + 1] = THRONG_FIELD_GOAL;
    bool solved;
    double *q = malloc((size_t)LONG * WIDE * sizeof *q);
    asked = 0;
    assert_true(throng_field_dissect(cells, LONG, WIDE, NULL, INT64_MAX, 1, q, &solved) && solved);
    free(q);
    int64_t before = asked;
    asked = 0;
    throng_field *field = throng_field_solve(cells, LONG, WIDE, NULL, &error);
    assert_non_null(field);
    assert_true(asked > before + 7 * (OFTEN - 1)); /* levels, seeds, the check, directions, those along walls */
    throng_field_destroy(field);
    free(cells);

    asked = 0;
    throng_graph *graph = throng_graph_grid(LONG, WIDE, NULL, false, NULL, &error);
    assert_non_null(graph);
    assert_true(asked > WIDE + 4 * 4 * OFTEN + 4 * (OFTEN - 1)); /* four passes over edges, four over nodes */
    throng_graph_destroy(graph);
}

enum { MANY = 1024, PIECES = 8, LOOPS = 8 }; /* loops over all agents, without those that contacts need */

/* As many as are worth giving up in the middle of a stage, also by one thread. */
static throng_world *make_large_world(void)
{
    throng_error error;
    throng_world_def def = throng_world_def_default();
    def.backend = "cpu";
    def.options = (throng_backend_options){.simd = 1, .threads = 1};
    throng_world *world = throng_world_create(&def, &error);
    throng_handle *handles = calloc(MANY, sizeof *handles);
    throng_point all[4] = {{0, 0}, {25, 0}, {25, 25}, {0, 25}};
    if (!world || !handles || !spawn_in(world, "many", all, MANY, handles, &error) ||
        !send(world, throng_world_goal_point(world, (throng_point){12, 12}, 0.5, &error), handles, MANY, &error))
        fail_msg("%s", error.text);
    free(handles);
    step(world, 1);
    return world;
}

static const float *places(throng_world *world)
{
    throng_error error;
    return throng_agents_read(throng_world_agents(world), THRONG_COLUMN_x, &error);
}

/* Wherever a stage is given up, nobody has moved, and it is the last of its world. */
static void a_stage_given_up_moves_nobody(void **state)
{
    (void)state;
    throng_error error;
    float before[MANY], after[MANY];
    int ended = 0;
    bool fine = false;
    throng_world *other = make_large_world();
    memcpy(before, places(other), sizeof before);
    step(other, 1);
    memcpy(after, places(other), sizeof after);
    throng_world_destroy(other);
    for (int64_t n = 1; !fine; n++) {
        throng_world *world = make_large_world();
        calm = n;
        fine = throng_world_step(world, &error);
        calm = -1;
        assert_memory_equal(places(world), fine ? after : before, sizeof before);
        ended += !goes_on(world, 2);
        throng_world_destroy(world);
    }
    assert_true(ended > LOOPS * PIECES);
}

static throng_world *make_world_with_bodies(void)
{
    throng_error error;
    throng_world *world = make_world();
    if (!place_crates(world, &error) || !go_to_point(world, &error))
        fail_msg("%s", error.text);
    step(world, 10);
    return world;
}

/* A body was moved, and somebody is asked what is near. */
static bool ask_beside_a_body(throng_world *w, throng_error *error)
{
    int32_t neighbours[64], count = 64;
    throng_bodies_put(throng_world_change_bodies(w), crates[0], 0, 5, 5, 0);
    return throng_world_neighbours(w, crowd[0].slot, neighbours, &count, error);
}

/* Wherever it is given up to lay out the sides of bodies, what goes on is as if it had not been. */
static void sides_of_bodies_are_all_there_or_none(void **state)
{
    (void)state;
    operation *const operations[] = {throng_world_step, ask_beside_a_body};
    const trouble *question = &TROUBLES[1];
    for (int at = 0; at < 2; at++) {
        bool came = true;
        seen whole;
        for (int64_t n = -1; came; n++) { /* undisturbed at first */
            throng_error error;
            throng_world *world = make_world_with_bodies();
            if (n >= 0)
                begin_trouble(question, n);
            bool fine = operations[at](world, &error);
            came = n < 0 || end_trouble(question);
            if (!fine && at == 0)
                throng_world_step(world, &error);
            bool went_on = goes_on(world, 20);
            if (n < 0)
                whole = look(world);
            else if (went_on)
                assert_same(whole, look(world), "bodies", question->what, n);
            throng_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_fails_leaves_the_world_as_it_was),
                                       cmocka_unit_test(a_step_that_fails_is_not_the_last),
                                       cmocka_unit_test(doors_follow_in_the_end),
                                       cmocka_unit_test(passes_ask_often),
                                       cmocka_unit_test(a_reload_that_fails_leaves_the_old_world),
                                       cmocka_unit_test(a_stage_given_up_moves_nobody),
                                       cmocka_unit_test(sides_of_bodies_are_all_there_or_none)};
    return cmocka_run_group_tests_name("failures", tests, NULL, NULL);
}
