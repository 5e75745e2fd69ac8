/* What is cut out of meshes, and opens again: doors, bodies, pillars. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "map/geometry.h"
#include "map/map_geos.h"
#include "map/ring_list.h"
#include "navigation/navmesh_pillars.h"
#include "navigation/path_search.h"
#include "paths.h"
#include "mesh_checks.h"

/* --- doors --- */

/* m: of all half-edges on a door. */
static double length_of_door(const throng_navmesh *mesh, int32_t door)
{
    double length = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        if (mesh->door[e] == door) {
            assert_true(mesh->twin[e] >= 0 && mesh->door[mesh->twin[e]] == door);
            length += hypot((double)(mesh->bx[e] - mesh->ax[e]), (double)(mesh->by[e] - mesh->ay[e]));
        }
    return length;
}

static void doors_are_cut_into_meshes(void **state)
{
    (void)state;
    throng_error error;
    for (int turned = 0; turned < 40; turned++) {
        throng_map *map = two_rooms(2);
        throng_navmesh *without = throng_navmesh_build(map, 0.25, &error);
        double slope = 0.05 * (turned - 20) / 20; /* the door need not be straight in its frame */
        throng_point low = {5.1 - slope, 4}, high = {5.1 + slope, 6};
        assert_true(throng_map_add_door(map, "door", low, high, &error));
        throng_navmesh *mesh = throng_navmesh_build(map, 0.25, &error);
        if (!mesh)
            fail_msg("%s", error.text);
        assert_near(mesh->area, without->area, 0.01);
        assert_near(length_of_door(mesh, 0) / 2, 2 - 2 * 0.25, 0.05);
        assert_mesh(map, mesh);
        throng_navmesh_destroy(mesh);
        throng_navmesh_destroy(without);
        throng_map_destroy(map);
    }
}

/* Three rooms in a row: doors 0 and 1 between them. */
static void closed_doors_are_the_last_route(void **state)
{
    (void)state;
    throng_error error;
    throng_point hall[4] = {{0, 0}, {15, 0}, {15, 10}, {0, 10}}, walls[4][4];
    const throng_point *boundary[] = {hall}, *obstacles[4];
    int32_t sizes[] = {4, 4, 4, 4};
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? 5 : 10, y0 = i % 2 ? 3 : 0, y1 = i % 2 ? 7 : 1; /* openings at y 1 .. 3 and 7 .. 10 */
        throng_point wall[4] = {{x, y0}, {x + 0.2, y0}, {x + 0.2, y1}, {x, y1}};
        memcpy(walls[i], wall, sizeof wall);
        obstacles[i] = walls[i];
    }
    throng_map *map = throng_map_from_polygons("rooms", boundary, sizes, 1, obstacles, sizes, 4, &error);
    assert_non_null(map);
    for (int d = 0; d < 4; d++) {
        char name[2] = {(char)('a' + d), 0};
        double x = d < 2 ? 5.1 : 10.1, y0 = d % 2 ? 7 : 1, y1 = d % 2 ? 10 : 3;
        assert_true(throng_map_add_door(map, name, (throng_point){x, y0}, (throng_point){x, y1}, &error));
    }
    throng_navmesh *mesh = throng_navmesh_build(map, 0.25, &error);
    assert_non_null(mesh);
    throng_point goal = {13, 2};
    throng_region region = {.points = &goal, .count = 1};
    throng_path_map_rules rules = {.heed_doors = true};
    static const struct {
        unsigned shut; /* bit for each door */
        double least, most;
    } cases[] = {{0, 11, 11.01}, /* straight along y = 2 */
                 {1, 14, 17},    /* up to the second opening of the first wall */
                 {5, 16, 18},    /* and of both: once up, once down */
                 {4, 14, 17},    /* of the second wall */
                 {3, 11, 11.01}, /* nothing is open: as if all were */
                 {7, 14, 17},    /* the first wall is shut, and one of the second's */
                 {15, 11, 11.01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int d = 0; d < 4; d++)
            throng_navmesh_set_door(mesh, d, !(cases[i].shut >> d & 1));
        throng_path_map *tree = throng_path_map_build(mesh, &region, 1, &rules, &error);
        assert_non_null(tree);
        float length = path_map_length(tree, throng_navmesh_face_at(mesh, 2, 2), 2, 2);
        if ((double)length < cases[i].least || (double)length > cases[i].most)
            fail_msg("doors %u shut: %g m", cases[i].shut, (double)length);
        throng_path_map_destroy(tree);
    }
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* The cut leaves corners of the mesh inside the goal, with portals all the way round. */
static void a_door_may_run_through_a_goal(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = two_rooms(2);
    assert_true(throng_map_add_door(map, "door", (throng_point){5.1, 4}, (throng_point){5.1, 6}, &error));
    throng_navmesh *mesh = throng_navmesh_build(map, 0.25, &error);
    assert_non_null(mesh);
    const throng_bounds boxes[] = {{4, 4.2, 6, 5.8}, {3, 2, 7, 8}, {4.5, 3, 5.1, 7}, {5.1, 4.5, 8, 5.5}};
    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
        const throng_bounds *box = &boxes[b];
        throng_point corners[] = {{box->x0, box->y0}, {box->x1, box->y0}, {box->x1, box->y1}, {box->x0, box->y1}};
        throng_region goal = {.points = corners, .count = 4};
        throng_path_map *tree = throng_path_map_build(mesh, &goal, 1, NULL, &error);
        assert_non_null(tree);
        for (int i = 0; i < 9; i++) {
            float x = 1 + 0.2f * (float)i, y = 4.6f + 0.1f * (float)i; /* they see the goal, straight ahead */
            float length = path_map_length(tree, throng_navmesh_face_at(mesh, x, y), x, y);
            assert_near((double)length, fmax(box->x0 - (double)x, 0), 1e-3);
        }
        throng_path_map_destroy(tree);
    }
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* --- bodies --- */

static double area_covered(const throng_navmesh *mesh)
{
    double area = 0;
    for (int32_t f = 0; f < mesh->face_count; f++)
        for (int32_t e = mesh->face_start[f]; mesh->covered[f] && e < mesh->face_start[f + 1]; e++)
            area += 0.5 * ((double)mesh->ax[e] * (double)mesh->by[e] - (double)mesh->bx[e] * (double)mesh->ay[e]);
    return area;
}

/* The holes of the map that are boxes, counter-clockwise. */
static int32_t boxes_of(const throng_map *map, throng_region *list, throng_point (*points)[4])
{
    int32_t count = 0;
    for (int32_t r = 0; r < map->ring_count; r++) {
        const throng_point *ring = map->points + map->ring_start[r];
        if (map->ring_start[r + 1] - map->ring_start[r] != 4 || throng_ring_area(ring, 4) > 0)
            continue;
        for (int i = 0; i < 4; i++)
            points[count][i] = ring[3 - i];
        list[count] = (throng_region){.points = points[count], .count = 4};
        count++;
    }
    return count;
}

/* Paths round boxes that stand in an empty room are as long as in a room that was built with them. */
static void bodies_are_walked_round_as_walls_are(void **state)
{
    (void)state;
    throng_error error;
    int compared = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        throng_map *empty = cluttered_room(20, 0, seed), *built = cluttered_room(20, 5, seed);
        throng_point points[64][4];
        throng_region boxes[64];
        int32_t count = boxes_of(built, boxes, points);
        if (count != built->ring_count - 1) { /* some overlap */
            throng_map_destroy(empty);
            throng_map_destroy(built);
            continue;
        }
        throng_navmesh *bare = throng_navmesh_build(empty, 0.25, &error);
        throng_navmesh *covered = throng_navmesh_cover(bare, empty, boxes, count, &error);
        throng_navmesh *walled = throng_navmesh_build(built, 0.25, &error);
        assert_non_null(covered);
        assert_non_null(walled);
        assert_near(covered->area, bare->area, 1e-2);
        assert_near(covered->area - area_covered(covered), walled->area, 0.3); /* nooks are left out there */
        throng_point corner = {0.5, 0.5};
        throng_path_map *a = path_map_of(covered, &corner, 1, &error), *b = path_map_of(walled, &corner, 1, &error);
        for (int i = 0; i < 100; i++) {
            float x = 1 + 2 * (float)(i % 10), y = 1 + 2 * (float)(i / 10);
            int32_t f = throng_navmesh_face_at(covered, x, y), g = throng_navmesh_face_at(walled, x, y);
            if (f < 0 || g < 0)
                continue;
            assert_false(covered->covered[f]);
            assert_near(path_map_length(a, f, x, y), path_map_length(b, g, x, y), 0.05);
            compared++;
        }
        throng_path_map_destroy(a);
        throng_path_map_destroy(b);
        throng_navmesh_destroy(bare);
        throng_navmesh_destroy(covered);
        throng_navmesh_destroy(walled);
        throng_map_destroy(empty);
        throng_map_destroy(built);
    }
    assert_true(compared > 200);
}

/* A room and boxes in rows, whose outlines overlap, meet end to end and all but touch. */
static throng_navmesh *crowded_with_boxes(throng_map **room, uint32_t seed)
{
    throng_error error;
    throng_point points[64][4];
    throng_region boxes[64];
    for (int i = 0; i < 64; i++) {
        double x = 0.3 * floor(random_in(&seed, 2, 50)), y = 0.3 * floor(random_in(&seed, 2, 50));
        double w = x + 0.1 + 0.1 * floor(random_in(&seed, 0, 4)), h = y + 0.1 + 0.1 * floor(random_in(&seed, 0, 4));
        const throng_point corners[] = {{x, y}, {w, y}, {w, h}, {x, h}};
        memcpy(points[i], corners, sizeof corners);
        boxes[i] = (throng_region){.points = points[i], .count = 4};
    }
    *room = cluttered_room(16, 0, seed);
    throng_navmesh *bare = throng_navmesh_build(*room, 0.25, &error);
    throng_navmesh *covered = throng_navmesh_cover(bare, *room, boxes, 64, &error);
    throng_navmesh_destroy(bare);
    assert_non_null(covered);
    return covered;
}

/* A side that a face shares with itself is seen through again and again. */
static void faces_between_bodies_share_no_side_with_themselves(void **state)
{
    (void)state;
    throng_error error;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        throng_map *room;
        throng_navmesh *mesh = crowded_with_boxes(&room, seed);
        for (int32_t e = 0; e < mesh->edge_count; e++)
            assert_true(mesh->twin[e] < 0 || mesh->face[mesh->twin[e]] != mesh->face[e]);
        throng_point corner = {0.3, 0.3};
        throng_path_map *tree = path_map_of(mesh, &corner, 1, &error);
        assert_non_null(tree);
        throng_path_map_destroy(tree);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(room);
    }
}

/* Through what parts the floor paths lead only where there is no other. */
static void a_body_in_the_only_door_is_the_last_route(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = two_rooms(1.2);
    throng_navmesh *bare = throng_navmesh_build(map, 0.25, &error);
    throng_point corners[] = {{4.5, 4.3}, {5.5, 4.3}, {5.5, 5.7}, {4.5, 5.7}},
                 aside[] = {{1, 1}, {2, 1}, {2, 2}, {1, 2}};
    throng_region in_door = {.points = corners, .count = 4}, in_room = {.points = aside, .count = 4};
    throng_point goal = {9, 5};
    throng_navmesh *parted = throng_navmesh_cover(bare, map, &in_door, 1, &error);
    throng_navmesh *whole = throng_navmesh_cover(bare, map, &in_room, 1, &error);
    assert_true(parted->parted);
    assert_false(whole->parted);
    assert_int_equal(parted->component_count, bare->component_count);
    throng_path_map *tree = path_map_of(parted, &goal, 1, &error);
    assert_near(path_map_length(tree, throng_navmesh_face_at(parted, 1, 5), 1, 5), 8, 1e-3);
    throng_path path;
    assert_false(find_path(parted, (throng_point){1, 5}, goal, &path));
    assert_true(find_path(whole, (throng_point){1, 5}, goal, &path));
    throng_path_fini(&path);
    assert_int_equal(throng_navmesh_face_at(parted, 5, 5), -1);
    throng_path_map_destroy(tree);
    throng_navmesh_destroy(parted);
    throng_navmesh_destroy(whole);
    throng_navmesh_destroy(bare);
    throng_map_destroy(map);
}

/* --- pillars --- */

/* A room of 20 x 10 m with one obstacle of each kind; `pillars` m. */
static throng_map *furnished(double pillars)
{
    throng_point room[] = {{0, 0}, {20, 0}, {20, 10}, {0, 10}};
    throng_point column[] = {{4, 4}, {4.4, 4}, {4.4, 4.4}, {4, 4.4}};
    throng_point at_wall[] = {{8, 0.4}, {8.4, 0.4}, {8.4, 0.8}, {8, 0.8}}; /* nobody passes behind it */
    throng_point one[] = {{8, 6}, {8.4, 6}, {8.4, 6.4}, {8, 6.4}},
                 other[] = {{8.7, 6}, {9.1, 6}, {9.1, 6.4}, {8.7, 6.4}};
    throng_point wide[] = {{12, 4}, {13.2, 4}, {13.2, 4.2}, {12, 4.2}};
    throng_point hook[] = {{16, 4}, {16.7, 4}, {16.7, 4.7}, {16.6, 4.7}, {16.6, 4.1}, {16, 4.1}};
    throng_point post[] = {{18, 2}, {18.4, 2}, {18.4, 2.4}, {18, 2.4}};
    const throng_point *boundary[] = {room}, *walls[] = {column, at_wall, one, other, wide, hook, post};
    const int32_t four = 4, sizes[] = {4, 4, 4, 4, 4, 6, 4};
    throng_error error;
    throng_map *map = throng_map_from_polygons("room", boundary, &four, 1, walls, sizes, 7, &error);
    assert_non_null(map);
    assert_true(throng_map_add_door(map, "gate", (throng_point){18.2, 0}, (throng_point){18.2, 2}, &error));
    map->pillars = pillars;
    return map;
}

/* Where the obstacles that leave the mesh begin, by x. */
static int32_t pillars_of(const throng_map *map, double radius, double x[8])
{
    uint8_t pillar[16];
    int32_t count = 0;
    assert_true(map->ring_count < 16 && throng_navmesh_find_pillars(map, radius, pillar));
    for (int32_t r = 0; r < map->ring_count; r++)
        if (pillar[r]) {
            x[count] = INFINITY;
            for (int32_t i = map->ring_start[r]; i < map->ring_start[r + 1]; i++)
                x[count] = fmin(x[count], map->points[i].x);
            count++;
        }
    return count;
}

static void small_obstacles_that_stand_free_are_pillars(void **state)
{
    (void)state;
    double x[8], sum = 0;
    throng_map *map = furnished(1);
    assert_int_equal(1, pillars_of(map, 0.25, x)); /* 4: others stand together, are too wide, or hold a door */
    assert_near(4, x[0], 1e-9);
    assert_int_equal(4, pillars_of(map, 0.1, x)); /* who is small passes between those that stand together */
    for (int i = 0; i < 4; i++)
        sum += x[i];
    assert_near(4 + 8 + 8 + 8.7, sum, 1e-9);
    map->pillars = 0.56; /* a square of 0.4 m is 0.566 m at its widest */
    assert_int_equal(0, pillars_of(map, 0.25, x));
    map->pillars = 1.3;
    assert_int_equal(2, pillars_of(map, 0.25, x)); /* and the bench; the hook would catch people */
    throng_map_destroy(map);
}

static double path_length(const throng_navmesh *mesh, throng_point from, throng_point to, bool straight)
{
    throng_path_search *search = throng_path_search_create();
    int32_t expansions = INT32_MAX;
    assert_non_null(search);
    (straight ? throng_path_search_begin_straight : throng_path_search_begin)(search, mesh, from, to);
    bool found = throng_path_search_step(search, &expansions) == THRONG_PATH_FOUND;
    double length = found ? throng_path_search_path(search)->length : INFINITY;
    throng_path_search_destroy(search);
    return length;
}

static void paths_lead_through_pillars_and_never_end_there(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = furnished(1);
    throng_navmesh *mesh = throng_navmesh_build(map, 0.25, &error);
    map->pillars = 0;
    throng_navmesh *whole = throng_navmesh_build(map, 0.25, &error);
    assert_non_null(mesh);
    assert_non_null(whole);
    assert_int_equal(1, mesh->pillars->ring_count);
    assert_true(mesh->face_count < whole->face_count);
    assert_true(mesh->area > whole->area + 0.7 && mesh->area < whole->area + 0.9);
    const throng_point left = {2, 4.2}, right = {6, 4.2}, inside = {4.2, 4.2}, beside = {4.2, 4.5};
    assert_near(4, path_length(mesh, left, right, false), 0);
    assert_true(path_length(whole, left, right, false) > 4.1);
    assert_true(isinf(path_length(mesh, left, right, true))); /* it is in the way */
    assert_near(4, path_length(mesh, (throng_point){2, 5}, (throng_point){6, 5}, true), 0);
    assert_true(isinf(path_length(mesh, left, inside, false)) && isinf(path_length(mesh, left, beside, false)));
    assert_int_equal(-1, throng_navmesh_face_at(mesh, 4.2f, 4.2f));
    float x, y;
    assert_int_equal(-1, throng_navmesh_nearest(mesh, 4.2f, 4.5f, 0.1f, &x, &y));
    assert_true(throng_navmesh_nearest(mesh, 4.2f, 4.5f, 0.25f, &x, &y) >= 0);
    assert_near(4.2, x, 1e-6);
    assert_near(4.652, y, 1e-5);
    assert_true(throng_navmesh_nearest(mesh, 4.15f, 4.2f, 1, &x, &y) >= 0); /* from its inside */
    assert_near(3.748, x, 1e-5);
    throng_region goal = {.points = (throng_point *)&inside, .count = 1};
    assert_null(throng_path_map_build(mesh, &goal, 1, NULL, &error));
    throng_navmesh *copy = throng_navmesh_copy(mesh);
    assert_non_null(copy);
    assert_int_equal(-1, throng_navmesh_face_at(copy, 4.2f, 4.2f));
    throng_navmesh_destroy(copy);
    throng_navmesh_destroy(whole);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* Nothing is left of its walls, but its size. */
static void an_open_map_of_pillars_is_one_face(void **state)
{
    (void)state;
    throng_error error;
    throng_point box[] = {{0, 0}, {0.4, 0}, {0.4, 0.4}, {0, 0.4}};
    const throng_point *walls[] = {box};
    const int32_t four = 4;
    throng_map *map = throng_map_from_polygons("tree", NULL, NULL, 0, walls, &four, 1, &error);
    assert_non_null(map);
    map->pillars = 1;
    throng_navmesh *mesh = throng_navmesh_build(map, 0.25, &error);
    assert_non_null(mesh);
    assert_int_equal(1, mesh->face_count);
    assert_true(mesh->area > 99 * 99);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doors_are_cut_into_meshes),
        cmocka_unit_test(closed_doors_are_the_last_route),
        cmocka_unit_test(a_door_may_run_through_a_goal),
        cmocka_unit_test(bodies_are_walked_round_as_walls_are),
        cmocka_unit_test(small_obstacles_that_stand_free_are_pillars),
        cmocka_unit_test(paths_lead_through_pillars_and_never_end_there),
        cmocka_unit_test(an_open_map_of_pillars_is_one_face),
        cmocka_unit_test(faces_between_bodies_share_no_side_with_themselves),
        cmocka_unit_test(a_body_in_the_only_door_is_the_last_route),
    };
    return cmocka_run_group_tests_name("navmesh_cuts", tests, NULL, NULL);
}
