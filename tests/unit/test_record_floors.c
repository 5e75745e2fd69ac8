/* The floors, flights and lifts of a building in recordings: what is read back is what the map had, and whatever else a
 * file tells is refused or is a building. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/building.h"
#include "map/map_floor.h"
#include "map/map_readers.h"
#include "record/notes_lifts.h"
#include "record/notes_sheets.h"
#include "record/record_wkt.h"

static throng_map *hall(void)
{
    throng_error error;
    return throng_map_from_wkt("hall", "POLYGON ((0 0, 24 0, 24 12, 0 12, 0 0))", &error);
}

/* Three halls over each other, with stairs, an escalator and a lift. */
static throng_map *building(void)
{
    throng_error error;
    throng_map *plan[] = {hall(), hall(), hall()};
    const throng_floor_plan floors[] = {{"ground", plan[0], 0, 0}, {"first", plan[1], 4, 0}, {"top", plan[2], 8, 0}};
    throng_flight_plan flights[2];
    const int32_t served[] = {0, 1, 2};
    throng_lift_plan lift = {"a", served, 3, throng_lift_default(), NULL};
    for (int32_t i = 0; i < 2; i++) {
        flights[i] = throng_flight_plan_default(i ? THRONG_SHEET_ESCALATOR : THRONG_SHEET_STAIRS);
        flights[i].name = i ? "belt" : "stairs";
        flights[i].from = i;
        flights[i].to = i + 1;
        flights[i].at = (throng_point){4, 3 + 5.0 * i};
        flights[i].length = 7;
        flights[i].belt = i ? 0.5 : 0;
    }
    lift.lift.at = (throng_point){18, 6};
    lift.lift.in = (throng_point){1, 0};
    lift.lift.width = lift.lift.depth = 2;
    lift.lift.capacity = 6;
    throng_map *map = throng_map_build_building("b", &(throng_building_plan){floors, flights, &lift, 3, 2, 1}, &error);
    if (!map)
        print_error("%s\n", error.text);
    for (int32_t i = 0; i < 3; i++)
        throng_map_destroy(plan[i]);
    assert_non_null(map);
    return map;
}

/* The same plan as a recording has it: outlines and doors. */
static throng_map *recorded(const throng_map *map)
{
    throng_error error;
    char *wkt = throng_record_wkt(map);
    throng_map *plain = throng_map_from_wkt("recorded", wkt, &error);
    free(wkt);
    assert_non_null(plain);
    for (int32_t d = 0; d < map->door_count; d++)
        assert_true(throng_map_add_door(plain, map->doors[d].name, map->doors[d].a, map->doors[d].b, &error));
    return plain;
}

static void assert_same_sheets(const throng_map_sheets *a, const throng_map_sheets *b)
{
    assert_int_equal(a->count, b->count);
    for (int32_t i = 0; i < a->count; i++) {
        const throng_map_sheet *p = &a->list[i], *q = &b->list[i];
        assert_string_equal(p->name, q->name);
        assert_true(p->part == q->part && p->kind == q->kind && p->flight == q->flight);
        assert_true(p->offset.x == q->offset.x && p->offset.y == q->offset.y);
        assert_float_equal(p->z, q->z, 1e-9);
        assert_true(p->slope.x == q->slope.x && p->up.x == q->up.x && p->length == q->length && p->belt == q->belt);
        assert_float_equal(p->bounds.x0, q->bounds.x0, 1e-9);
        assert_float_equal(p->bounds.y1, q->bounds.y1, 1e-9);
        assert_int_equal(throng_map_floor_of(a, i), throng_map_floor_of(b, i));
    }
    assert_int_equal(a->seam_count, b->seam_count);
    for (int32_t q = 0; q < a->seam_count; q++)
        assert_true(a->seams[q].left == b->seams[q].left && a->seams[q].right == b->seams[q].right &&
                    a->seams[q].a.x == b->seams[q].a.x && a->seams[q].b.y == b->seams[q].b.y &&
                    a->seams[q].inside == b->seams[q].inside);
    assert_int_equal(a->lift_count, b->lift_count);
    assert_int_equal(a->stop_count, b->stop_count);
    assert_int_equal(a->lifts[0].capacity, b->lifts[0].capacity);
    assert_int_equal(a->lifts[0].count, b->lifts[0].count);
    assert_true(a->lifts[0].width == b->lifts[0].width && a->lifts[0].at.x == b->lifts[0].at.x);
    for (int32_t i = 0; i < a->stop_count; i++)
        assert_true(a->stops[i].sheet == b->stops[i].sheet && a->stops[i].floor == b->stops[i].floor &&
                    a->stops[i].door == b->stops[i].door && a->stops[i].z == b->stops[i].z);
}

static void a_building_reads_back(void **state)
{
    (void)state;
    throng_error error;
    throng_notes notes = {0};
    throng_map *map = building(), *plain = recorded(map);
    assert_true(throng_notes_sheets(&notes, map, &error));
    assert_true(throng_notes_add_sheets(&notes, plain, &error));
    assert_non_null(plain->sheets);
    assert_same_sheets(map->sheets, plain->sheets);
    throng_world_def def = throng_world_def_default();
    def.map = plain;
    def.backend = "cpu";
    throng_world *world = throng_world_create(&def, &error); /* which has the map */
    assert_non_null(world);
    throng_world_destroy(world);
    throng_map_destroy(map);
    throng_notes_fini(&notes);
}

/* All that is asked of sheets, of what was not refused. */
static void use(const throng_map_sheets *s)
{
    for (int32_t i = 0; i < s->count; i++) {
        assert_in_range(throng_map_floor_of(s, i), 0, throng_map_floors(s) - 1);
        if (s->list[i].flight)
            assert_in_range(throng_map_far_end_of(s, i), 0, s->seam_count - 1);
    }
    for (int32_t l = 0; l < s->lift_count; l++)
        assert_in_range(throng_lift_stop_below(s, l, 5), 0, s->stop_count - 1);
}

static void other_tables_are_no_building(void **state)
{
    (void)state;
    static const double values[] = {NAN, -1, 0, 1, 2, 3, 0.5, 7, 1e12};
    throng_error error;
    throng_notes notes = {0};
    throng_map *map = building();
    int refused = 0, tried = 0;
    assert_true(throng_notes_sheets(&notes, map, &error));
    for (int table = THRONG_NOTE_FLOOR; table <= THRONG_NOTE_STOP; table++) {
        throng_note_table *t = &notes.tables[table];
        int32_t width = throng_note_width((throng_note)table);
        for (int32_t cell = 0; cell < t->rows * width; cell++)
            for (size_t v = 0;
                 !throng_note_forms[table].columns[cell % width].text && v < sizeof values / sizeof *values; v++) {
                double before = t->cells[cell];
                throng_map *plain = recorded(map);
                t->cells[cell] = values[v];
                bool taken = throng_notes_add_sheets(&notes, plain, &error);
                if (taken)
                    use(plain->sheets);
                else
                    assert_non_null(strstr(error.text, "is of no building"));
                refused += !taken;
                tried++;
                t->cells[cell] = before;
                throng_map_destroy(plain);
            }
        int32_t fewer = table == THRONG_NOTE_SEAM ? 4 : 1; /* the last three are the lift's */
        t->rows -= fewer;
        throng_map *plain = recorded(map);
        assert_false(throng_notes_add_sheets(&notes, plain, &error));
        throng_map_destroy(plain);
        t->rows += fewer;
    }
    assert_in_range(refused, tried / 4, tried);
    throng_map_destroy(map);
    throng_notes_fini(&notes);
}

static void cars_and_belts_are_told_when_they_change(void **state)
{
    (void)state;
    throng_error error;
    throng_notes notes = {0};
    throng_told_lifts told = {0};
    throng_noted_car *cars;
    int32_t count;
    throng_world_def def = throng_world_def_default();
    def.map = building();
    def.backend = "cpu";
    throng_world *world = throng_world_create(&def, &error);
    const throng_map *map = throng_world_map(world);
    int32_t belt = 0;
    while (map->sheets->list[belt].belt == 0)
        belt++;
    for (int step = 0; step < 3; step++) {
        if (step == 1)
            throng_world_set_belt(world, belt, -0.25);
        if (step == 2)
            throng_world_serve_lift(world, 0, false);
        assert_true(throng_notes_lifts(&notes, &told, world, &error));
        assert_true(throng_world_step(world, &error));
    }
    assert_int_equal(notes.tables[THRONG_NOTE_CAR].rows, 2);
    assert_true(throng_notes_cars(&notes, map, &cars, &count, &error));
    assert_int_equal(count, 2);
    assert_true(cars[0].state.in_service && !cars[1].state.in_service && cars[1].time > cars[0].time);
    free(cars);
    assert_float_equal(throng_notes_belt_at(&notes, belt, 0.5, 0), 0.5, 0);
    assert_float_equal(throng_notes_belt_at(&notes, belt, 0.5, 1), -0.25, 0);
    notes.tables[THRONG_NOTE_CAR].cells[1] = 1; /* there is one lift */
    assert_false(throng_notes_cars(&notes, map, &cars, &count, &error));
    assert_null(cars);
    throng_told_lifts_fini(&told);
    throng_notes_fini(&notes);
    throng_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_building_reads_back),
        cmocka_unit_test(other_tables_are_no_building),
        cmocka_unit_test(cars_and_belts_are_told_when_they_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
