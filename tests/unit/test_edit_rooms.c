/* Rooms, walls and doors of the map maker: what is floor afterwards, by GEOS, and who can walk where. */
#include "map_checks.h"
#include "map_files.h"
#include "editor/edit.h"
#include "editor/edit_trial.h"
#include "map/geometry.h"

#define COUNT(a)            ((int32_t)(sizeof(a) / sizeof *(a)))
#define BOX(x0, y0, x1, y1) ((throng_point[]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})

static const double WALL = THRONG_EDIT_WALL;

static throng_edit fresh(void)
{
    throng_edit edit;
    throng_error error;
    assert_true(throng_edit_init(&edit, &error));
    return edit;
}

static void room(throng_edit *edit, const throng_point *points, int32_t count)
{
    throng_edit_refusal why;
    if (!throng_edit_add_room(edit, points, count, &why))
        fail_msg("%s", why.text);
}

static void wall(throng_edit *edit, double x0, double y0, double x1, double y1)
{
    throng_edit_refusal why;
    if (!throng_edit_add_wall(edit, (throng_point){x0, y0}, (throng_point){x1, y1}, &why))
        fail_msg("%s", why.text);
}

static const throng_edit_thing *door(throng_edit *edit, double x0, double y0, double x1, double y1)
{
    throng_edit_refusal why;
    int32_t slot;
    char name[32];
    throng_edit_free_name(edit, "door", name, sizeof name);
    if (!throng_edit_open_door(edit, name, (throng_point){x0, y0}, (throng_point){x1, y1}, &slot, &why))
        fail_msg("%s", why.text);
    return throng_edit_thing_at(edit, slot);
}

/* Parts of the floor from which nobody comes to another. */
static int32_t parts(const throng_edit *edit)
{
    throng_edit_sides sides = {0};
    assert_true(throng_edit_sides_build(edit, &sides));
    int32_t count = sides.parts;
    throng_edit_sides_fini(&sides);
    return count;
}

/* Faces are convex, none overlaps another, and together they are what is saved. */
static void assert_sound_floor(const throng_edit *edit)
{
    throng_error error;
    for (int32_t s = 1; s < edit->slots; s++) {
        const throng_edit_thing *f = edit->things[s];
        for (int32_t i = 0; f && f->kind == THRONG_EDIT_FACE && i < f->count; i++)
            for (int32_t j = 0; j < f->count; j++) {
                throng_point a = f->points[i], b = f->points[(i + 1) % f->count];
                assert_true(throng_turn(a, b, f->points[j]) >= -2 * THRONG_EDIT_SLACK * throng_distance(a, b));
            }
    }
    if (throng_edit_floor_area(edit) <= 0)
        return;
    throng_map *map = throng_edit_map(edit, "rooms", &error);
    if (!map)
        fail_msg("%s", error.text);
    assert_near(map->area, throng_edit_floor_area(edit), 1e-3);
    throng_map_destroy(map);
}

static void a_room_beside_another_has_a_wall_towards_it(void **state)
{
    throng_edit edit = fresh();
    (void)state;
    room(&edit, BOX(0, 0, 6, 4), 4);
    room(&edit, BOX(6, 0, 12, 4), 4);
    assert_near(throng_edit_floor_area(&edit), 24 + (6 - WALL) * 4, 1e-9);
    assert_int_equal(parts(&edit), 2);
    room(&edit, BOX(0, 4.1, 12, 6), 4); /* nearer than a wall is thick */
    assert_near(throng_edit_floor_area(&edit), 24 + (6 - WALL) * 4 + 12 * (2 - WALL), 1e-9);
    assert_int_equal(parts(&edit), 3);
    assert_sound_floor(&edit);
    while (throng_edit_undo(&edit)) {
    }
    assert_near(throng_edit_floor_area(&edit), 0, 0);
    throng_edit_fini(&edit);
}

static void a_room_may_have_any_form(void **state)
{
    static const throng_point ell[] = {{0, 0}, {8, 0}, {8, 3}, {3, 3}, {3, 8}, {0, 8}};
    static const throng_point star[] = {{20, 0}, {23, 2}, {26, 0}, {24, 3}, {26, 6}, {23, 4}, {20, 6}, {22, 3}};
    throng_edit edit = fresh();
    (void)state;
    room(&edit, ell, COUNT(ell));
    assert_near(throng_edit_floor_area(&edit), 39, 1e-9);
    room(&edit, star, COUNT(star));
    assert_near(throng_edit_floor_area(&edit), 39 + throng_ring_area(star, COUNT(star)), 1e-9);
    assert_int_equal(parts(&edit), 2);
    assert_sound_floor(&edit);
    throng_edit_fini(&edit);
}

static void a_wall_takes_floor_away_and_parts_it(void **state)
{
    throng_edit edit = fresh();
    (void)state;
    room(&edit, BOX(0, 0, 10, 6), 4);
    wall(&edit, 4, 0, 4, 3); /* ends in the open, half its thickness farther on */
    assert_near(throng_edit_floor_area(&edit), 60 - WALL * (3 + WALL / 2), 1e-9);
    assert_int_equal(parts(&edit), 1);
    wall(&edit, 4, 3, 4, 6);
    assert_near(throng_edit_floor_area(&edit), 60 - WALL * 6, 1e-9);
    assert_int_equal(parts(&edit), 2);
    wall(&edit, 4.1, 0, 10, 6); /* slanted, from a corner to a corner */
    assert_int_equal(parts(&edit), 3);
    assert_sound_floor(&edit);
    throng_edit_fini(&edit);
}

static void a_door_goes_through_a_wall(void **state)
{
    throng_edit edit = fresh();
    throng_trial trial;
    throng_error error;
    (void)state;
    room(&edit, BOX(0, 0, 6, 4), 4);
    room(&edit, BOX(6, 0, 12, 4), 4);
    double before = throng_edit_floor_area(&edit);
    const throng_edit_thing *made = door(&edit, 6, 1, 6, 2); /* on one side of the wall */
    assert_near(throng_edit_floor_area(&edit), before + WALL, 1e-9);
    assert_near(made->points[0].x, 6 + WALL / 2, 1e-9);
    assert_near(made->points[1].x, 6 + WALL / 2, 1e-9);
    assert_int_equal(parts(&edit), 1);
    wall(&edit, 9, 0, 9, 4);
    assert_int_equal(parts(&edit), 2);
    made = door(&edit, 9.05, 3.5, 9.05, 2.5); /* within it, the other way round */
    assert_near(made->points[0].x, 9, 1e-9);
    assert_int_equal(parts(&edit), 1);
    assert_sound_floor(&edit);
    assert_true(throng_edit_add_region(&edit, "spawn", "spawns", BOX(0.5, 0.5, 4, 3.5), 4, NULL, NULL));
    assert_true(throng_edit_add_region(&edit, "exit", "exits", BOX(10, 0.5, 11.5, 3.5), 4, NULL, NULL));
    assert_true(throng_trial_start(&trial, &edit, 12, &error));
    for (int i = 0; i < 600 && throng_agents_count(throng_world_agents(trial.world)); i++)
        assert_true(throng_trial_step(&trial, &error));
    assert_int_equal(throng_agents_count(throng_world_agents(trial.world)), 0);
    assert_true(trial.out > 5 && trial.out < 59);
    throng_trial_end(&trial);
    throng_edit_fini(&edit);
}

static void a_door_across_an_opening_lays_no_floor(void **state)
{
    throng_edit edit = fresh();
    (void)state;
    room(&edit, BOX(0, 0, 10, 6), 4);
    wall(&edit, 4, 0, 4, 2);
    wall(&edit, 4, 4, 4, 6);
    double before = throng_edit_floor_area(&edit);
    const throng_edit_thing *made = door(&edit, 4, 2 + WALL / 2, 4, 4 - WALL / 2);
    assert_near(made->points[0].x, 4, 0);
    assert_near(throng_edit_floor_area(&edit), before, 0);
    door(&edit, 0, 1, 0, 2); /* along the wall to the outside: there is nothing to open */
    assert_near(throng_edit_floor_area(&edit), before, 0);
    throng_edit_fini(&edit);
}

static void assert_refused(bool done, const throng_edit_refusal *why, const char *part)
{
    assert_false(done);
    if (!strstr(why->text, part))
        fail_msg("\"%s\" does not say \"%s\"", why->text, part);
}

static void what_is_no_room_or_wall_is_refused_whole(void **state)
{
    static const throng_point crossing[] = {{20, 0}, {24, 4}, {24, 0}, {20, 4}};
    throng_edit edit = fresh();
    throng_edit_refusal why;
    throng_point a = {1, 1}, b = {2, 1};
    (void)state;
    assert_refused(throng_edit_add_wall(&edit, a, b, &why), &why, "draw a room first");
    room(&edit, BOX(0, 0, 6, 4), 4);
    uint32_t version = edit.version;
    assert_refused(throng_edit_add_room(&edit, BOX(1, 1, 3, 3), 4, &why), &why, "there is a room already");
    assert_refused(throng_edit_add_room(&edit, crossing, 4, &why), &why, "cross");
    assert_refused(throng_edit_add_wall(&edit, a, a, &why), &why, "from one place to another");
    assert_refused(throng_edit_add_wall(&edit, (throng_point){8, 1}, (throng_point){9, 1}, &why), &why,
                   "parts a floor");
    assert_int_equal(edit.version, version);
    throng_edit_fini(&edit);
}

/* ---- any of them, against GEOS */

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }
static double within(uint32_t *seed, double from, double to) { return from + (to - from) * (next(seed) % 4096) / 4096; }

static throng_point anywhere(const throng_edit *edit, uint32_t *seed)
{
    throng_point p = {within(seed, -10, 10), within(seed, -10, 10)};
    return next(seed) % 3 ? throng_edit_snap_to(edit, p, 0.7, next(seed) % 3 ? 0.5 : 0, -1).at : p;
}

typedef struct oracle {
    throng_geos geos;
    GEOSGeometry *floor;
} oracle;

/* Without slivers, which the document leaves out, too. */
static void take(oracle *o, GEOSGeometry *floor)
{
    GEOSContextHandle_t h = o->geos.handle;
    GEOSGeometry *kept[256];
    int32_t count = 0;
    assert_non_null(floor);
    for (int k = 0; k < GEOSGetNumGeometries_r(h, floor); k++) {
        double area = 0;
        const GEOSGeometry *part = GEOSGetGeometryN_r(h, floor, k);
        if (GEOSArea_r(h, part, &area) && area >= 1e-3 && count < COUNT(kept))
            kept[count++] = GEOSGeom_clone_r(h, part);
    }
    throng_geos_free(&o->geos, o->floor);
    throng_geos_free(&o->geos, floor);
    o->floor = throng_geos_collect(&o->geos, GEOS_MULTIPOLYGON, kept, count);
    assert_non_null(o->floor);
}

static void oracle_room(oracle *o, const throng_point *points, int32_t count)
{
    GEOSContextHandle_t h = o->geos.handle;
    GEOSGeometry *shape = throng_geos_polygon(&o->geos, points, count);
    GEOSGeometry *walls = GEOSBufferWithStyle_r(h, o->floor, WALL, 1, GEOSBUF_CAP_FLAT, GEOSBUF_JOIN_MITRE, 2);
    GEOSGeometry *room = GEOSDifference_r(h, shape, walls);
    take(o, GEOSUnion_r(h, o->floor, room));
    throng_geos_free(&o->geos, shape);
    throng_geos_free(&o->geos, walls);
    throng_geos_free(&o->geos, room);
}

static void oracle_wall(oracle *o, throng_point a, throng_point b)
{
    const throng_point line[] = {a, b};
    GEOSContextHandle_t h = o->geos.handle;
    GEOSGeometry *middle = throng_geos_line(&o->geos, line, 2);
    GEOSGeometry *strip = GEOSBufferWithStyle_r(h, middle, WALL / 2, 1, GEOSBUF_CAP_SQUARE, GEOSBUF_JOIN_MITRE, 5);
    take(o, GEOSDifference_r(h, o->floor, strip));
    throng_geos_free(&o->geos, middle);
    throng_geos_free(&o->geos, strip);
}

static void assert_like(const oracle *o, const throng_edit *edit)
{
    double area;
    assert_true(GEOSArea_r(o->geos.handle, o->floor, &area));
    assert_near(throng_edit_floor_area(edit), area, 0.02); /* slivers are left out */
}

static bool draw_room(throng_edit *edit, oracle *o, uint32_t *seed, throng_edit_refusal *why)
{
    throng_point p[4], a = anywhere(edit, seed), b = anywhere(edit, seed);
    memcpy(p, BOX(a.x, a.y, b.x, b.y), sizeof p);
    if (next(seed) % 3 == 0)
        p[2] = anywhere(edit, seed);
    bool drawn = throng_edit_add_room(edit, p, 4, why);
    if (drawn)
        oracle_room(o, p, 4);
    return drawn;
}

static bool draw_wall(throng_edit *edit, oracle *o, uint32_t *seed, throng_edit_refusal *why)
{
    throng_point a = anywhere(edit, seed), b = anywhere(edit, seed);
    if (next(seed) % 2)
        b = next(seed) % 2 ? (throng_point){a.x, b.y} : (throng_point){b.x, a.y};
    bool drawn = throng_edit_add_wall(edit, a, b, why);
    if (drawn)
        oracle_wall(o, a, b);
    return drawn;
}

static void any_rooms_and_walls_are_those_of_geos(void **state)
{
    int drawn = 0, asked = 0;
    (void)state;
    for (uint32_t round = 1; round <= 60; round++) {
        throng_error error;
        throng_edit_refusal why = {{0}, {0, 0}, 0};
        uint32_t seed = round * 104729;
        throng_edit edit = fresh();
        oracle o = {.floor = NULL};
        assert_true(throng_geos_init(&o.geos, &error));
        o.floor = GEOSGeom_createEmptyPolygon_r(o.geos.handle);
        for (int i = 0; i < 40; i++) {
            bool done = next(&seed) % 3 ? draw_wall(&edit, &o, &seed, &why) : draw_room(&edit, &o, &seed, &why);
            bool meant = strstr(why.text, "a room first") || strstr(why.text, "a room already") ||
                         strstr(why.text, "the room") || strstr(why.text, "from one place");
            asked += done || !meant;
            drawn += done;
            assert_sound_floor(&edit);
            assert_like(&o, &edit);
            why.text[0] = 0;
        }
        int32_t steps = 0;
        while (throng_edit_undo(&edit))
            steps++;
        assert_near(throng_edit_floor_area(&edit), 0, 0);
        while (throng_edit_redo(&edit))
            steps--;
        assert_int_equal(steps, 0);
        assert_like(&o, &edit);
        throng_geos_free(&o.geos, o.floor);
        throng_geos_fini(&o.geos);
        throng_edit_fini(&edit);
    }
    print_message("%d of %d drawn\n", drawn, asked);
    assert_true(drawn > 1000 && drawn > 0.97 * asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_room_beside_another_has_a_wall_towards_it),
        cmocka_unit_test(a_room_may_have_any_form),
        cmocka_unit_test(a_wall_takes_floor_away_and_parts_it),
        cmocka_unit_test(a_door_goes_through_a_wall),
        cmocka_unit_test(a_door_across_an_opening_lays_no_floor),
        cmocka_unit_test(what_is_no_room_or_wall_is_refused_whole),
        cmocka_unit_test(any_rooms_and_walls_are_those_of_geos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
