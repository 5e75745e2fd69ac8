/* The map maker's document: what it accepts and refuses, and that nothing is lost on any way through it. */
#include "map_checks.h"
#include "map_files.h"
#include "editor/edit.h"
#include "editor/edit_trial.h"
#include "map/geometry.h"
#include "map/map_write.h"

#define COUNT(a)            ((int32_t)(sizeof(a) / sizeof *(a)))
#define BOX(x0, y0, x1, y1) ((throng_point[]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})

static throng_edit fresh(void)
{
    throng_edit edit;
    throng_error error;
    assert_true(throng_edit_init(&edit, &error));
    return edit;
}

static int32_t face(throng_edit *edit, const throng_point *points, int32_t count)
{
    throng_edit_refusal why;
    int32_t slot;
    if (!throng_edit_add_face(edit, points, count, &slot, &why))
        fail_msg("%s", why.text);
    return slot;
}

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static bool same_properties(const throng_properties *a, const throng_properties *b)
{
    if (a->count != b->count)
        return false;
    for (int32_t i = 0; i < a->count; i++)
        if (a->list[i].kind != b->list[i].kind || !same_text(a->list[i].name, b->list[i].name) ||
            !same_text(a->list[i].value, b->list[i].value))
            return false;
    return true;
}

static bool same_graph(const throng_map_graph *a, const throng_map_graph *b)
{
    if (a->node_count != b->node_count || a->edge_count != b->edge_count)
        return false;
    for (int32_t i = 0; i < a->node_count; i++) {
        const throng_map_node *p = &a->nodes[i], *q = &b->nodes[i];
        if (!same_text(p->name, q->name) || p->at.x != q->at.x || p->at.y != q->at.y ||
            p->max_radius != q->max_radius || p->cost != q->cost)
            return false;
    }
    for (int32_t i = 0; i < a->edge_count; i++)
        if (a->edges[i].from != b->edges[i].from || a->edges[i].to != b->edges[i].to ||
            a->edges[i].cost != b->edges[i].cost)
            return false;
    return true;
}

static bool equal_things(const throng_edit_thing *a, const throng_edit_thing *b)
{
    if (a->kind != b->kind || a->count != b->count || !same_text(a->name, b->name) || !same_text(a->group, b->group))
        return false;
    for (int32_t i = 0; i < a->count; i++)
        if (a->points[i].x != b->points[i].x || a->points[i].y != b->points[i].y)
            return false;
    return same_properties(&a->properties, &b->properties) && same_graph(&a->graph, &b->graph);
}

static int32_t next_thing(const throng_edit *edit, int32_t slot)
{
    while (slot < edit->slots && !edit->things[slot])
        slot++;
    return slot;
}

/* Things of one kind, in their order. */
static bool equal_of(const throng_edit *a, const throng_edit *b, throng_edit_kind kind)
{
    int32_t i = 0, j = 0;
    for (;;) {
        for (i = next_thing(a, i); i < a->slots && a->things[i]->kind != kind;)
            i = next_thing(a, i + 1);
        for (j = next_thing(b, j); j < b->slots && b->things[j]->kind != kind;)
            j = next_thing(b, j + 1);
        if (i >= a->slots || j >= b->slots)
            return i >= a->slots && j >= b->slots;
        if (!equal_things(a->things[i++], b->things[j++]))
            return false;
    }
}

/* Both hold the same things in the same order, to the bit. */
static bool equal(const throng_edit *a, const throng_edit *b)
{
    for (int kind = THRONG_EDIT_PLAN; kind <= THRONG_EDIT_DOOR; kind++)
        if (!equal_of(a, b, (throng_edit_kind)kind))
            return false;
    return true;
}

static void assert_refused(bool done, const throng_edit_refusal *why, const char *part)
{
    assert_false(done);
    if (!strstr(why->text, part))
        fail_msg("\"%s\" does not say \"%s\"", why->text, part);
}

/* The sides of a face that are open. */
static int32_t links_of(const throng_edit *edit, int32_t slot)
{
    throng_edit_sides sides = {0};
    int32_t count = 0;
    assert_true(throng_edit_sides_build(edit, &sides));
    for (int32_t i = 0; i < sides.count; i++)
        count += sides.list[i].slot == slot && sides.list[i].other >= 0;
    throng_edit_sides_fini(&sides);
    return count;
}

/* ---- what is accepted and refused */

static void a_face_is_convex_or_refused(void **state)
{
    static const throng_point dart[] = {{0, 0}, {4, 0}, {4, 4}, {3, 1}}, bow[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}},
                              star[] = {{0, 3}, {-1.8, -2.4}, {2.9, 0.9}, {-2.9, 0.9}, {1.8, -2.4}},
                              line[] = {{0, 0}, {1, 1}, {2, 2}}, twice[] = {{0, 0}, {1, 0}, {1, 0}, {0, 1}},
                              back[] = {{0, 0}, {4, 0}, {2, 0}, {2, 2}}, far[] = {{0, 0}, {NAN, 0}, {0, 1}};
    throng_edit edit = fresh();
    throng_edit_refusal why;
    (void)state;
    assert_refused(throng_edit_add_face(&edit, dart, 4, NULL, &why), &why, "not convex");
    assert_true(why.at.x == 3 && why.at.y == 1);
    assert_refused(throng_edit_add_face(&edit, bow, 4, NULL, &why), &why, "not convex");
    assert_refused(throng_edit_add_face(&edit, star, 5, NULL, &why), &why, "crosses itself");
    assert_refused(throng_edit_add_face(&edit, line, 3, NULL, &why), &why, "no area");
    assert_refused(throng_edit_add_face(&edit, twice, 4, NULL, &why), &why, "on one another");
    assert_refused(throng_edit_add_face(&edit, back, 4, NULL, &why), &why, "back along itself");
    assert_refused(throng_edit_add_face(&edit, far, 3, NULL, &why), &why, "finite");
    assert_refused(throng_edit_add_face(&edit, line, 2, NULL, &why), &why, "three corners");
    assert_false(throng_edit_undo(&edit));
    throng_edit_fini(&edit);
}

static void overlapping_faces_are_refused_with_the_one_in_the_way(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    (void)state;
    int32_t first = face(&edit, BOX(0, 0, 4, 4), 4);
    assert_refused(throng_edit_add_face(&edit, BOX(3, 3, 6, 6), 4, NULL, &why), &why, "overlap");
    assert_int_equal(why.slot, first);
    assert_refused(throng_edit_add_face(&edit, BOX(1, 1, 2, 2), 4, NULL, &why), &why, "overlap");
    assert_refused(throng_edit_add_face(&edit, BOX(-1, -1, 9, 9), 4, NULL, &why), &why, "overlap");
    assert_false(throng_edit_face_fits(&edit, BOX(3, 3, 6, 6), 4, &why));
    assert_true(throng_edit_face_fits(&edit, BOX(4, 3, 6, 6), 4, &why));
    throng_edit_fini(&edit);
}

static void faces_that_touch_share_sides(void **state)
{
    throng_edit edit = fresh();
    (void)state;
    int32_t hall = face(&edit, BOX(0, 0, 10, 10), 4);
    int32_t bay = face(&edit, BOX(10, 3, 12, 5), 4); /* against the middle of a side, which gets its corners */
    assert_int_equal(edit.things[hall]->count, 6);
    assert_int_equal(links_of(&edit, hall), 1);
    assert_int_equal(links_of(&edit, bay), 1);
    int32_t wide = face(&edit, BOX(-3, 10, 13, 12), 4); /* takes the corners that lie on its side */
    assert_int_equal(links_of(&edit, wide), 1);
    assert_int_equal(edit.things[wide]->count, 6);
    assert_true(throng_edit_undo(&edit) && throng_edit_undo(&edit));
    assert_int_equal(edit.things[hall]->count, 4);
    throng_edit_fini(&edit);
}

static void a_shared_corner_moves_in_all_its_faces(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    (void)state;
    int32_t left = face(&edit, BOX(0, 0, 4, 4), 4), right = face(&edit, BOX(4, 0, 8, 4), 4), door;
    assert_true(throng_edit_add_door(&edit, "d", (throng_point){4, 0}, (throng_point){4, 4}, &door, &why));
    int32_t corner = throng_edit_corner_near(edit.things[left], (throng_point){4, 0}, 0);
    assert_true(throng_edit_move_corner(&edit, left, corner, (throng_point){5, 1}, &why));
    assert_int_equal(links_of(&edit, right), 1);
    assert_true(edit.things[door]->points[0].x == 5 && edit.things[door]->points[1].x == 4);
    assert_refused(throng_edit_move_corner(&edit, left, corner, (throng_point){3, 3.5}, &why), &why, "convex");
    assert_true(throng_edit_move(&edit, right, 20, 0, &why));
    assert_int_equal(links_of(&edit, left), 0);
    assert_refused(throng_edit_move(&edit, right, -22, 0, &why), &why, "overlap");
    throng_edit_fini(&edit);
}

static void faces_are_split_and_merged(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    (void)state;
    int32_t hall = face(&edit, BOX(0, 0, 10, 10), 4), north = face(&edit, BOX(0, 10, 10, 12), 4);
    assert_true(throng_edit_split(&edit, hall, (throng_point){4, 0}, (throng_point){4, 10}, &why));
    int32_t half = edit.slots - 1;
    assert_int_equal(links_of(&edit, hall), 2);
    assert_int_equal(links_of(&edit, half), 2);
    assert_int_equal(edit.things[north]->count, 5); /* the cut ends on its side */
    assert_refused(throng_edit_split(&edit, hall, (throng_point){10, 0}, (throng_point){4, 0}, &why), &why, "along");
    assert_refused(throng_edit_split(&edit, half, (throng_point){1, 1}, (throng_point){9, 9}, &why), &why,
                   "side to side");
    assert_refused(throng_edit_merge(&edit, half, north, &why), &why, "convex");
    assert_true(throng_edit_merge(&edit, hall, half, &why));
    assert_null(edit.things[half]);
    assert_near(throng_edit_floor_area(&edit), 120, 1e-12);
    assert_true(throng_edit_merge(&edit, north, hall, &why)); /* along two sides at once, whose corner goes */
    assert_int_equal(edit.things[north]->count, 4);
    throng_edit_fini(&edit);
}

static void corners_and_things_are_deleted(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    (void)state;
    int32_t left = face(&edit, BOX(0, 0, 4, 4), 4), roof = face(&edit, (throng_point[]){{0, 4}, {4, 4}, {2, 6}}, 3);
    assert_refused(throng_edit_remove_corner(&edit, left, 2, &why), &why, "two corners");
    assert_true(throng_edit_remove_corner(&edit, left, 1, &why));
    assert_int_equal(edit.things[left]->count, 3);
    assert_true(throng_edit_remove(&edit, roof, &why));
    assert_refused(throng_edit_remove(&edit, roof, &why), &why, "no longer");
    assert_refused(throng_edit_remove(&edit, 0, &why), &why, "no longer");
    throng_edit_fini(&edit);
}

static void regions_and_doors_are_named_and_counted(void **state)
{
    static const throng_point bow[] = {{0, 0}, {2, 2}, {2, 0}, {0, 2}};
    throng_edit edit = fresh();
    throng_edit_refusal why;
    char name[64];
    int32_t hall, door;
    (void)state;
    assert_true(throng_edit_add_region(&edit, "hall", "spawns", BOX(0, 0, 2, 2), 4, &hall, &why));
    assert_refused(throng_edit_add_region(&edit, "bow", NULL, bow, 4, NULL, &why), &why, "crosses");
    assert_refused(throng_edit_rename(&edit, hall, "", &why), &why, "name");
    assert_true(throng_edit_add_door(&edit, "north", (throng_point){0, 0}, (throng_point){0, 1}, &door, &why));
    assert_refused(throng_edit_add_door(&edit, "north", (throng_point){5, 0}, (throng_point){0, 1}, NULL, &why), &why,
                   "north");
    assert_int_equal(why.slot, door);
    assert_refused(throng_edit_add_door(&edit, "x", (throng_point){5, 0}, (throng_point){5, 0}, NULL, &why), &why,
                   "one side");
    throng_edit_free_name(&edit, "north", name, sizeof name);
    assert_string_equal(name, "north 2");
    assert_true(throng_edit_set_property(&edit, hall, "count", "40", THRONG_PROPERTY_NUMBER, &why));
    assert_refused(throng_edit_set_property(&edit, hall, "count", "4.5.6", THRONG_PROPERTY_NUMBER, &why), &why,
                   "not a number");
    assert_true(throng_edit_set_property(&edit, hall, "count", "60", THRONG_PROPERTY_NUMBER, &why));
    assert_true(throng_edit_set_group(&edit, hall, "exits", &why));
    assert_string_equal(throng_properties_find(&edit.things[hall]->properties, "count")->value, "60");
    assert_int_equal(edit.things[hall]->properties.count, 1);
    assert_true(throng_edit_undo(&edit) && throng_edit_undo(&edit) && throng_edit_undo(&edit));
    assert_int_equal(edit.things[hall]->properties.count, 0);
    assert_string_equal(edit.things[hall]->group, "spawns");
    throng_edit_fini(&edit);
}

static void a_map_is_scaled_with_its_image(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    throng_edit_underlay underlay = {"plan.png", 0.05, {1, 2}};
    (void)state;
    int32_t hall = face(&edit, BOX(1, 1, 3, 3), 4);
    assert_true(throng_edit_set_underlay(&edit, &underlay, &why));
    assert_true(throng_edit_scale(&edit, 2, &why));
    assert_true(throng_edit_underlay_of(&edit, &underlay));
    assert_near(underlay.scale, 0.1, 1e-12);
    assert_near(underlay.corner.y, 4, 1e-12);
    assert_true(edit.things[hall]->points[2].x == 6);
    assert_refused(throng_edit_scale(&edit, 0, &why), &why, "scaled by");
    assert_true(throng_edit_set_underlay(&edit, NULL, &why));
    assert_false(throng_edit_underlay_of(&edit, &underlay));
    throng_edit_fini(&edit);
}

static void clicks_snap_to_corners_then_sides_then_the_grid(void **state)
{
    throng_edit edit = fresh();
    (void)state;
    face(&edit, BOX(0, 0, 4, 4), 4);
    throng_edit_snap corner = throng_edit_snap_to(&edit, (throng_point){4.1, 3.8}, 0.3, 0.5, -1),
                     side = throng_edit_snap_to(&edit, (throng_point){4.1, 2.3}, 0.3, 0.5, -1),
                     grid = throng_edit_snap_to(&edit, (throng_point){6.1, 2.3}, 0.3, 0.5, -1),
                     none = throng_edit_snap_to(&edit, (throng_point){6.1, 2.3}, 0.3, 0, -1);
    assert_true(corner.what == THRONG_EDIT_ON_CORNER && corner.at.x == 4 && corner.at.y == 4);
    assert_true(side.what == THRONG_EDIT_ON_SIDE && side.at.x == 4 && side.at.y == 2.5);
    assert_true(grid.what == THRONG_EDIT_GRID && grid.at.x == 6 && grid.at.y == 2.5);
    assert_true(none.what == THRONG_EDIT_FREE && none.at.x == 6.1);
    throng_edit_fini(&edit);
}

static void clicks_pick_what_lies_on_top_then_what_is_under_it(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    int32_t big, small, door;
    (void)state;
    int32_t floor = face(&edit, BOX(0, 0, 9, 9), 4);
    assert_true(throng_edit_add_region(&edit, "big", NULL, BOX(0, 0, 8, 8), 4, &big, &why));
    assert_true(throng_edit_add_region(&edit, "small", NULL, BOX(1, 1, 3, 3), 4, &small, &why));
    assert_true(throng_edit_add_door(&edit, "d", (throng_point){2, 0}, (throng_point){2, 9}, &door, &why));
    throng_point p = {2.05, 2};
    assert_int_equal(throng_edit_pick(&edit, p, 0.1, -1), door);
    assert_int_equal(throng_edit_pick(&edit, p, 0.1, door), small);
    assert_int_equal(throng_edit_pick(&edit, p, 0.1, small), big);
    assert_int_equal(throng_edit_pick(&edit, p, 0.1, big), floor);
    assert_int_equal(throng_edit_pick(&edit, p, 0.1, floor), -1);
    throng_edit_fini(&edit);
}

/* ---- files */

static throng_edit opened(const char *path)
{
    throng_error error;
    throng_edit edit = fresh();
    throng_map *map = throng_map_read(path, NULL, &error);
    bool cut;
    if (!map || !throng_edit_take_map(&edit, map, &cut, &error))
        fail_msg("%s", error.text);
    throng_map_destroy(map);
    return edit;
}

static void assert_reopens_equal(throng_edit *edit)
{
    throng_error error;
    char path[128];
    snprintf(path, sizeof path, "%s/again.xml", map_folder);
    if (!throng_edit_save(edit, path, &error))
        fail_msg("%s", error.text);
    throng_edit again = opened(path);
    assert_true(equal(edit, &again));
    throng_edit_fini(&again);
}

static void every_format_opens(void **state)
{
    static const char *const names[] = {"maps/office.tmx", "maps/willow.yaml", "maps/museum.xml"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        throng_error error;
        throng_map *map = throng_map_read(names[i], NULL, &error);
        if (!map)
            fail_msg("%s (run this from the repository's root)", error.text);
        throng_edit edit = opened(names[i]);
        assert_near(throng_edit_floor_area(&edit), map->area, 1e-3 * map->area);
        assert_false(throng_edit_undo(&edit) || throng_edit_unsaved(&edit));
        assert_reopens_equal(&edit);
        throng_map_destroy(map);
        throng_edit_fini(&edit);
    }
    const char *grid = write_text("g.map", "type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n");
    throng_edit edit = opened(grid);
    assert_near(throng_edit_floor_area(&edit), 5, 1e-12);
    throng_edit_fini(&edit);
    edit = opened(write_text("w.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 3 6, 6 6, 6 3, 3 3))"));
    assert_near(throng_edit_floor_area(&edit), 72, 1e-6);
    throng_edit_fini(&edit);
}

#define FACE(points) "<face>" points "</face>"
#define P(x, y)      "<point x=\"" #x "\" y=\"" #y "\"/>"

static void faces_of_a_file_stay_and_bad_ones_are_cut(void **state)
{
    throng_error error;
    bool cut;
    (void)state;
    throng_edit own =
        opened(write_text("own.xml", "<map>" FACE(P(0, 0) P(0, 4) P(4, 4) P(4, 0)) FACE(P(4, 1) P(6, 1) P(6, 3) P(4, 3))
                                         FACE(P(0, 0) P(1, 1)) FACE(P(0, 0) P(1, 1) P(2, 2)) "</map>"));
    assert_int_equal(own.slots, 3);
    assert_int_equal(links_of(&own, 2), 1);
    throng_edit_fini(&own);
    throng_map *map = throng_map_read(write_text("over.xml", "<map>" FACE(P(0, 0) P(4, 0) P(4, 4) P(0, 4))
                                                                 FACE(P(2, 2) P(6, 2) P(6, 6) P(2, 6)) "</map>"),
                                      NULL, &error);
    throng_edit edit = fresh();
    assert_true(map && throng_edit_take_map(&edit, map, &cut, &error) && cut);
    assert_near(throng_edit_floor_area(&edit), 28, 1e-6);
    throng_map_destroy(map);
    map = throng_map_from_polygons("open", NULL, NULL, 0, NULL, NULL, 0, &error);
    assert_false(!map || throng_edit_take_map(&edit, map, &cut, &error));
    assert_says(&error, "boundary");
    throng_map_destroy(map);
    throng_edit_fini(&edit);
}

/* Floors, flights and lifts, and all that is drawn on each, are one document: undone, done again, saved and opened. */
static void a_building_is_one_document(void **state)
{
    throng_edit_refusal why;
    throng_error error;
    throng_edit edit = fresh();
    int32_t stairs, lift;
    (void)state;
    assert_false(throng_edit_add_link(&edit, "stairs", (throng_point){2, 2}, (throng_point){8, 2}, NULL, &why));
    assert_non_null(strstr(why.text, "T adds one"));
    face(&edit, BOX(0, 0, 20, 10), 4);
    for (int32_t f = 1; f < 3; f++) {
        double x = throng_edit_floor_offset(f).x;
        assert_true(throng_edit_add_floor(&edit, &why));
        assert_int_equal(throng_edit_floors(&edit), f + 1);
        face(&edit, BOX(x, 0, x + 20, 10), 4); /* over the first on the plan, and apart from it here */
    }
    assert_near(throng_edit_floor_z(&edit, 2), 7, 1e-9);
    assert_false(throng_edit_add_link(&edit, "stairs", (throng_point){2, 2}, (throng_point){2.5, 2}, NULL, &why));
    assert_false(throng_edit_add_link(&edit, "stairs", (throng_point){2002, 2}, (throng_point){2008, 2}, NULL, &why));
    assert_true(throng_edit_add_link(&edit, "stairs", (throng_point){2.1, 2}, (throng_point){8.3, 2}, &stairs, &why));
    assert_true(throng_edit_add_link(&edit, "stairs", (throng_point){1002, 7}, (throng_point){1008, 7}, NULL, &why));
    assert_true(throng_edit_add_link(&edit, "lift", (throng_point){15, 5}, (throng_point){16.2, 5}, &lift, &why));
    const throng_property *capacity = throng_properties_find(&edit.things[lift]->properties, "capacity");
    assert_string_equal(capacity->value, "6");
    static const char *const kinds[] = {"switchback", "ramp", "escalator", "stairs"};
    for (int i = 0; i < 4; i++) {
        assert_true(throng_edit_next_link(&edit, stairs, &why));
        assert_string_equal(throng_edit_link_words(edit.things[stairs]), kinds[i]);
    }
    assert_false(throng_edit_next_link(&edit, lift, &why));
    throng_map *map = throng_edit_map(&edit, "three floors", &error);
    assert_non_null(map);
    throng_map_destroy(map);
    int32_t made = edit.done;
    while (throng_edit_undo(&edit))
        ;
    assert_int_equal(throng_edit_floors(&edit), 0);
    while (throng_edit_redo(&edit))
        ;
    assert_int_equal(edit.done, made);
    /* what is saved is opened as it was saved, again and again */
    char first[128], again[128];
    snprintf(first, sizeof first, "%s/first.xml", map_folder);
    snprintf(again, sizeof again, "%s/second.xml", map_folder);
    assert_true(throng_edit_save(&edit, first, &error));
    throng_edit once = opened(first);
    assert_int_equal(throng_edit_floors(&once), 3);
    assert_near(throng_edit_floor_area(&once), 600, 1e-6); /* faces go on below the stairs */
    assert_true(throng_edit_save(&once, again, &error));
    throng_edit twice = opened(again);
    assert_true(equal(&once, &twice));
    /* a scale is seen from the origin of each floor */
    assert_true(throng_edit_scale(&edit, 2, &why));
    assert_near(throng_edit_floor_area(&edit), 2400, 1e-6);
    assert_near(edit.things[stairs]->points[1].x, 16.6, 1e-9);
    assert_int_equal(throng_edit_floor_at(&edit, edit.things[lift]->points[1]), 0);
    throng_edit_fini(&twice);
    throng_edit_fini(&once);
    throng_edit_fini(&edit);
}

static throng_map *read_map(const char *path)
{
    throng_error error;
    throng_map *map = throng_map_read(path, NULL, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static void assert_finding(const throng_map *map, const char *part)
{
    for (int32_t i = 0; i < map->findings.count; i++)
        if (strstr(map->findings.list[i].text, part))
            return;
    fail_msg("no finding says \"%s\"", part);
}

#define HALL FACE(P(0, 0) P(20, 0) P(20, 10) P(0, 10))
#define WING FACE(P(20, 0) P(90, 0) P(90, 10) P(20, 10))

static void a_roadmap_is_kept(void **state)
{
    static const char text[] = "<map roadmap=\"true\">" HALL "<node id=\"a/1\" x=\"2.1\" y=\"2\"/>"
                               "<node id=\"b\" x=\"8\" y=\"8.3\" max_radius=\"0.4\" cost=\"3\"/>"
                               "<node id=\"c\" x=\"18\" y=\"1\"/><edge start=\"a/1\" end=\"b\" cost=\"2\"/>"
                               "<edge start=\"b\" end=\"c\"/></map>";
    throng_edit_refusal why;
    throng_error error;
    (void)state;
    const char *path = write_text("roadmap.xml", text);
    throng_map *before = read_map(path);
    throng_edit edit = opened(path);
    assert_int_equal(before->graph.node_count + before->graph.edge_count, 5);
    assert_true(same_graph(&before->graph, &edit.things[0]->graph));
    assert_true(throng_edit_add_wall(&edit, (throng_point){18, 0}, (throng_point){18, 4}, &why));
    assert_true(throng_edit_scale(&edit, 2, &why));
    assert_near(edit.things[0]->graph.nodes[1].at.y, 16.6, 0);
    assert_true(throng_edit_undo(&edit) && throng_edit_redo(&edit) && throng_edit_undo(&edit));
    assert_reopens_equal(&edit);
    const char *saved = in_folder("walled.xml");
    assert_true(throng_edit_save(&edit, saved, &error));
    throng_map *after = read_map(saved);
    assert_true(same_graph(&before->graph, &after->graph));
    assert_finding(after, "node c (line ");
    assert_true(throng_edit_replace(&edit, path, &error) && throng_edit_undo(&edit));
    assert_true(same_graph(&edit.things[0]->graph, &before->graph));
    throng_map_destroy(before);
    throng_map_destroy(after);
    throng_edit_fini(&edit);
}

/* Also a node that the floor is taken away from, far from what is left of it. */
static void a_roadmap_is_kept_from_floor_to_floor(void **state)
{
    static const char text[] =
        "<map roadmap=\"true\"><floor name=\"first\" z=\"3.5\">" HALL "<node id=\"1\" x=\"12\" y=\"2.7\"/></floor>"
        "<floor name=\"ground\" z=\"0\">" HALL WING
        "<node id=\"1\" x=\"1.1\" y=\"2.3\" cost=\"1\"/><node id=\"2\" x=\"88\" y=\"4\"/>"
        "<edge start=\"1\" end=\"2\" cost=\"4\"/>"
        "<stairs name=\"up\" x0=\"2\" y0=\"2\" x1=\"8\" y1=\"2\"/></floor>"
        "<edge start=\"ground/1\" end=\"first/1\" cost=\"5\"/></map>";
    throng_edit_refusal why;
    throng_error error;
    (void)state;
    const char *path = write_text("roadmap.xml", text);
    const char *saved = in_folder("saved.xml");
    throng_map *before = read_map(path);
    throng_edit edit = opened(path);
    assert_int_equal(before->graph.node_count, 3);
    assert_int_equal(before->graph.edge_count, 2);
    assert_true(throng_edit_add_floor(&edit, &why) && throng_edit_undo(&edit));
    assert_reopens_equal(&edit);
    assert_true(throng_edit_save(&edit, saved, &error));
    throng_map *after = read_map(saved);
    assert_true(same_graph(&before->graph, &after->graph));
    throng_map_destroy(after);
    assert_true(throng_edit_remove(&edit, throng_edit_pick(&edit, (throng_point){50, 5}, 0, -1), &why));
    assert_reopens_equal(&edit);
    assert_true(throng_edit_save(&edit, saved, &error));
    after = read_map(saved);
    assert_finding(after, "node 2 (line ");
    assert_int_equal(after->graph.edge_count, 2);
    throng_map_destroy(before);
    throng_map_destroy(after);
    throng_edit_fini(&edit);
}

static void what_was_kept_is_recovered_as_a_change(void **state)
{
    throng_error error;
    char path[128];
    throng_edit lost = fresh(), found = fresh();
    (void)state;
    snprintf(path, sizeof path, "%s/kept.xml", map_folder);
    assert_false(throng_edit_keep(&lost, path, &error));
    assert_says(&error, "draw a room");
    face(&lost, BOX(0, 0, 4, 4), 4);
    assert_true(throng_edit_keep(&lost, path, &error) && throng_edit_unsaved(&lost));
    face(&found, BOX(20, 0, 24, 4), 4);
    assert_true(throng_edit_replace(&found, path, &error));
    assert_true(equal(&lost, &found));
    assert_string_equal(throng_edit_undo_name(&found), "recover unsaved work");
    assert_true(throng_edit_undo(&found));
    assert_near(found.things[1]->points[0].x, 20, 0);
    throng_edit_fini(&lost);
    throng_edit_fini(&found);
}

/* ---- walked in */

static int32_t living(const throng_trial *trial) { return throng_agents_count(throng_world_agents(trial->world)); }

static void people_walk_from_where_they_come_to_the_exits(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    throng_error error;
    throng_trial trial;
    int32_t few, many, from_few = 0;
    (void)state;
    assert_false(throng_trial_start(&trial, &edit, 10, &error));
    assert_says(&error, "draw a room");
    face(&edit, BOX(0, 0, 20, 8), 4);
    assert_true(throng_edit_add_region(&edit, "few", "spawns", BOX(0, 0, 4, 8), 4, &few, &why));
    assert_true(throng_edit_add_region(&edit, "spawn of many", NULL, BOX(6, 0, 12, 8), 4, &many, &why));
    assert_true(throng_edit_set_property(&edit, few, "count", "20", THRONG_PROPERTY_NUMBER, &why));
    assert_true(throng_edit_set_property(&edit, many, "count", "80", THRONG_PROPERTY_NUMBER, &why));
    assert_true(throng_edit_add_region(&edit, "exit", NULL, BOX(18, 0, 20, 8), 4, NULL, &why));
    assert_true(throng_trial_start(&trial, &edit, 20, &error) && trial.leaving);
    const float *x = throng_agents_read(throng_world_agents(trial.world), THRONG_COLUMN_x, &error);
    for (int32_t i = 0; i < 20; i++)
        from_few += x[i] < 5;
    assert_int_equal(from_few, 4); /* one to four */
    for (int i = 0; i < 400 && living(&trial); i++)
        assert_true(throng_trial_step(&trial, &error));
    assert_int_equal(living(&trial), 0);
    throng_trial_end(&trial);
    face(&edit, BOX(30, 0, 34, 4), 4);
    assert_true(throng_edit_move(&edit, few, 30, 0, &why)); /* from where no path leads */
    assert_false(throng_trial_start(&trial, &edit, 20, &error));
    assert_says(&error, "reach");
    throng_edit_fini(&edit);
}

static void as_many_people_walk_as_the_regions_say_and_hold(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    throng_error error;
    throng_trial trial;
    int32_t wide, narrow;
    (void)state;
    face(&edit, BOX(0, 0, 20, 8), 4);
    assert_true(throng_edit_add_region(&edit, "wide", "spawns", BOX(0, 0, 10, 8), 4, &wide, &why));
    assert_true(throng_trial_start(&trial, &edit, 2000, &error));
    assert_int_equal(trial.people, 50);
    assert_int_equal(living(&trial), 50);
    throng_trial_end(&trial);
    assert_true(throng_edit_add_region(&edit, "narrow", "spawns", BOX(12, 0, 14, 2), 4, &narrow, &why));
    assert_true(throng_edit_set_property(&edit, wide, "count", "90", THRONG_PROPERTY_NUMBER, &why));
    assert_true(throng_edit_set_property(&edit, narrow, "count", "300", THRONG_PROPERTY_NUMBER, &why));
    assert_true(throng_trial_start(&trial, &edit, 2000, &error));
    int32_t right = 0;
    const float *x = throng_agents_read(throng_world_agents(trial.world), THRONG_COLUMN_x, &error);
    for (int32_t i = 0; i < trial.people; i++)
        right += x[i] > 11;
    assert_int_equal(trial.people - right, 90);
    assert_true(right >= 5 && right <= 32); /* on 4 square metres, of .2 to .25 m */
    assert_int_equal(living(&trial), trial.people);
    throng_trial_end(&trial);
    throng_edit_fini(&edit);
}

static void people_without_an_exit_walk_about(void **state)
{
    throng_edit edit = fresh();
    throng_error error;
    throng_trial trial;
    (void)state;
    face(&edit, BOX(0, 0, 8, 8), 4);
    face(&edit, BOX(20, 0, 28, 8), 4); /* nobody is sent to the other part */
    assert_true(throng_trial_start(&trial, &edit, 50, &error) && !trial.leaving);
    for (int i = 0; i < 300; i++)
        assert_true(throng_trial_step(&trial, &error));
    assert_int_equal(living(&trial), 50);
    assert_true(trial.draws > 100); /* they arrived, and went on */
    throng_trial_end(&trial);
    throng_edit_fini(&edit);
}

/* Over stairs and by a lift, to an exit on the lowest floor, and without one from floor to floor. */
static void people_walk_through_buildings(void **state)
{
    throng_edit edit = fresh();
    throng_edit_refusal why;
    throng_error error;
    throng_trial trial;
    int32_t exit, changes = 0;
    (void)state;
    face(&edit, BOX(0, 0, 20, 10), 4);
    for (int32_t f = 1; f < 3; f++) {
        double x = throng_edit_floor_offset(f).x;
        assert_true(throng_edit_add_floor(&edit, &why));
        face(&edit, BOX(x, 0, x + 20, 10), 4);
    }
    assert_true(throng_edit_add_link(&edit, "stairs", (throng_point){4, 2}, (throng_point){10, 2}, NULL, &why));
    assert_true(throng_edit_add_link(&edit, "lift", (throng_point){15, 5}, (throng_point){16.2, 5}, NULL, &why));
    assert_true(throng_edit_add_region(&edit, "exit", NULL, BOX(0, 4, 1, 6), 4, &exit, &why));
    assert_true(throng_trial_start(&trial, &edit, 24, &error) && trial.leaving);
    for (int i = 0; i < 3000 && living(&trial); i++)
        assert_true(throng_trial_step(&trial, &error));
    assert_int_equal(living(&trial), 0); /* those of the highest floor by the lift alone */
    throng_trial_end(&trial);
    assert_true(throng_edit_remove(&edit, exit, &why));
    assert_true(throng_trial_start(&trial, &edit, 24, &error) && !trial.leaving);
    int32_t was[24];
    const int32_t *floor = throng_agents_read(throng_world_agents(trial.world), THRONG_COLUMN_floor, &error);
    memcpy(was, floor, sizeof was);
    for (int i = 0; i < 1200; i++)
        assert_true(throng_trial_step(&trial, &error));
    floor = throng_agents_read(throng_world_agents(trial.world), THRONG_COLUMN_floor, &error);
    for (int32_t i = 0; i < 24; i++)
        changes += floor[i] != was[i];
    assert_true(changes > 4 && trial.draws > 48);
    throng_trial_end(&trial);
    throng_edit_fini(&edit);
}

/* ---- whatever a user does */

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }
static double within(uint32_t *seed, double from, double to) { return from + (to - from) * (next(seed) % 4096) / 4096; }

static throng_point anywhere(const throng_edit *edit, uint32_t *seed)
{
    throng_point p = {within(seed, -10, 10), within(seed, -10, 10)};
    return next(seed) % 4 ? throng_edit_snap_to(edit, p, 1, next(seed) % 3 ? 0.5 : 0, -1).at : p;
}

/* A point on the rim of a thing. */
static throng_point on_rim(const throng_edit_thing *thing, uint32_t *seed)
{
    int32_t i = (int32_t)(next(seed) % (uint32_t)thing->count);
    double t = next(seed) % 3 ? within(seed, 0, 1) : 0;
    throng_point on = throng_between(thing->points[i], thing->points[(i + 1) % thing->count], t);
    return on;
}

static bool draw_something(throng_edit *edit, uint32_t *seed)
{
    throng_point p[6], a = anywhere(edit, seed);
    int32_t count = 3 + (int32_t)(next(seed) % 3);
    char name[32];
    for (int32_t i = 0; i < count; i++)
        p[i] = anywhere(edit, seed);
    if (next(seed) % 2) {
        throng_point b = {a.x + within(seed, 0.5, 4), a.y + within(seed, 0.5, 4)};
        memcpy(p, BOX(a.x, a.y, b.x, b.y), 4 * sizeof *p);
        count = 4;
    }
    throng_edit_free_name(edit, "thing", name, sizeof name);
    switch (next(seed) % 9) {
    case 0: return throng_edit_add_region(edit, name, next(seed) % 2 ? "spawns" : NULL, p, count, NULL, NULL);
    case 1: return throng_edit_add_door(edit, name, p[0], p[1], NULL, NULL);
    case 2: return throng_edit_add_room(edit, p, count, NULL);
    case 3: return throng_edit_add_wall(edit, p[0], p[1], NULL);
    case 4: return throng_edit_open_door(edit, name, p[0], p[1], NULL, NULL);
    default: return throng_edit_add_face(edit, p, count, NULL, NULL);
    }
}

static bool change_something(throng_edit *edit, uint32_t *seed)
{
    int32_t slot = (int32_t)(next(seed) % (uint32_t)edit->slots), other = (int32_t)(next(seed) % (uint32_t)edit->slots);
    const throng_edit_thing *thing = throng_edit_thing_at(edit, slot);
    int32_t corner = thing && thing->count ? (int32_t)(next(seed) % (uint32_t)thing->count) : 0;
    char text[32];
    snprintf(text, sizeof text, "%u", next(seed) % 100);
    switch (next(seed) % 9) {
    case 0: return throng_edit_move_corner(edit, slot, corner, anywhere(edit, seed), NULL);
    case 1: return throng_edit_move(edit, slot, within(seed, -3, 3), within(seed, -3, 3), NULL);
    case 2:
        return thing && thing->count && throng_edit_split(edit, slot, on_rim(thing, seed), on_rim(thing, seed), NULL);
    case 3: return throng_edit_merge(edit, slot, other, NULL);
    case 4: return next(seed) % 4 == 0 && throng_edit_remove(edit, slot, NULL);
    case 5: return throng_edit_remove_corner(edit, slot, corner, NULL);
    case 6: return throng_edit_rename(edit, slot, text, NULL);
    case 7: return throng_edit_set_property(edit, slot, "count", text, THRONG_PROPERTY_NUMBER, NULL);
    default: return next(seed) % 8 == 0 && throng_edit_scale(edit, next(seed) % 2 ? 1.25 : 0.8, NULL);
    }
}

/* Convex by its own measure, not by the document's. */
static void assert_sound_faces(const throng_edit *edit)
{
    for (int32_t s = 1; s < edit->slots; s++) {
        const throng_edit_thing *f = edit->things[s];
        if (!f || f->kind != THRONG_EDIT_FACE)
            continue;
        assert_true(f->count >= 3 && throng_ring_area(f->points, f->count) > 0);
        for (int32_t i = 0; i < f->count; i++)
            for (int32_t j = 0; j < f->count; j++) {
                throng_point a = f->points[i], b = f->points[(i + 1) % f->count];
                assert_true(throng_turn(a, b, f->points[j]) >= -2 * THRONG_EDIT_SLACK * throng_distance(a, b));
            }
    }
}

/* The union's area is the sum of the faces': none overlaps, and nothing is lost in saving. */
static void assert_no_overlap(const throng_edit *edit)
{
    throng_error error;
    throng_map *map = throng_edit_map(edit, "random", &error);
    if (!map)
        fail_msg("%s", error.text);
    assert_near(map->area, throng_edit_floor_area(edit), 1e-3);
    throng_map_destroy(map);
}

static void any_sequence_can_be_undone_and_done_again(void **state)
{
    (void)state;
    for (uint32_t round = 1; round <= 100; round++) {
        uint32_t seed = round * 7919;
        throng_edit edit = fresh(), beginning = fresh();
        char path[128];
        int changed = 0;
        for (int i = 0; i < 250; i++) {
            switch (next(&seed) % 8) {
            case 0: throng_edit_undo(&edit); break;
            case 1: throng_edit_redo(&edit); break;
            case 2:
            case 3:
            case 4: changed += draw_something(&edit, &seed); break;
            default: changed += change_something(&edit, &seed); break;
            }
            assert_sound_faces(&edit);
        }
        assert_true(changed > 20);
        while (throng_edit_redo(&edit)) {
        }
        if (throng_edit_floor_area(&edit) > 0) {
            assert_no_overlap(&edit);
            assert_reopens_equal(&edit);
        }
        snprintf(path, sizeof path, "%s/end.xml", map_folder);
        bool floored = throng_edit_keep(&edit, path, NULL);
        int32_t steps = 0;
        while (throng_edit_undo(&edit))
            steps++;
        assert_true(equal(&edit, &beginning));
        while (throng_edit_redo(&edit))
            steps--;
        assert_int_equal(steps, 0);
        throng_edit end = floored ? opened(path) : fresh();
        assert_true(equal(&edit, &end) || !floored);
        throng_edit_fini(&end);
        throng_edit_fini(&edit);
        throng_edit_fini(&beginning);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_is_convex_or_refused),
        cmocka_unit_test(overlapping_faces_are_refused_with_the_one_in_the_way),
        cmocka_unit_test(faces_that_touch_share_sides),
        cmocka_unit_test(a_shared_corner_moves_in_all_its_faces),
        cmocka_unit_test(faces_are_split_and_merged),
        cmocka_unit_test(corners_and_things_are_deleted),
        cmocka_unit_test(regions_and_doors_are_named_and_counted),
        cmocka_unit_test(a_map_is_scaled_with_its_image),
        cmocka_unit_test(clicks_snap_to_corners_then_sides_then_the_grid),
        cmocka_unit_test(clicks_pick_what_lies_on_top_then_what_is_under_it),
        cmocka_unit_test(every_format_opens),
        cmocka_unit_test(faces_of_a_file_stay_and_bad_ones_are_cut),
        cmocka_unit_test(a_building_is_one_document),
        cmocka_unit_test(a_roadmap_is_kept),
        cmocka_unit_test(a_roadmap_is_kept_from_floor_to_floor),
        cmocka_unit_test(what_was_kept_is_recovered_as_a_change),
        cmocka_unit_test(people_walk_from_where_they_come_to_the_exits),
        cmocka_unit_test(people_without_an_exit_walk_about),
        cmocka_unit_test(as_many_people_walk_as_the_regions_say_and_hold),
        cmocka_unit_test(people_walk_through_buildings),
        cmocka_unit_test(any_sequence_can_be_undone_and_done_again),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
