/* Meshes: properties that hold on any map, and what a few small ones must give. */
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
#include "navigation/navmesh_lines.h"
#include "navigation/path_search.h"
#include "paths.h"
#include "mesh_checks.h"

static void meshes_of_cluttered_rooms(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        throng_map *map = cluttered_room(16, 6 + (int)seed, seed);
        throng_navmesh *mesh = mesh_of(map, 0.1 + 0.03 * (seed % 7));
        assert_mesh(map, mesh);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

static void mesh_of_the_office(void **state)
{
    (void)state;
    throng_map *map = willow();
    throng_navmesh *mesh = mesh_of(map, 0.25);
    assert_mesh(map, mesh);
    assert_true(mesh->face_count < 1600);
    double largest = 0;
    for (int32_t f = 0; f < mesh->face_count; f++)
        for (int32_t e = mesh->face_start[f]; mesh->component[f] == 0 && e < mesh->face_start[f + 1]; e++)
            largest += 0.5 * throng_turn(from_of(mesh, mesh->face_start[f]), from_of(mesh, e), to_of(mesh, e));
    assert_true(largest > 0.98 * mesh->area); /* rooms, halls and corridors are one */
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void meshes_are_the_same_each_time(void **state)
{
    (void)state;
    throng_map *map = cluttered_room(16, 30, 5), *again = cluttered_room(16, 30, 5);
    throng_navmesh *a = mesh_of(map, 0.25), *b = mesh_of(again, 0.25);
    assert_int_equal(a->edge_count, b->edge_count);
    assert_memory_equal(a->ax, b->ax, (size_t)a->edge_count * sizeof(float));
    assert_memory_equal(a->twin, b->twin, (size_t)a->edge_count * sizeof(int32_t));
    throng_error error;
    throng_point goal = {1, 1};
    throng_path_map *s = path_map_of(a, &goal, 1, &error), *t = path_map_of(b, &goal, 1, &error);
    assert_int_equal(s->window_count, t->window_count);
    for (int32_t i = 0; i < s->window_count; i++)
        assert_memory_equal(&s->windows[i], &t->windows[i], offsetof(throng_path_map_window, next));
    assert_memory_equal(s->next, t->next, (size_t)a->edge_count * sizeof(int32_t));
    throng_path_map_destroy(s);
    throng_path_map_destroy(t);
    throng_navmesh_destroy(a);
    throng_navmesh_destroy(b);
    throng_map_destroy(map);
    throng_map_destroy(again);
}

static void a_door_lets_through_who_fits(void **state)
{
    (void)state;
    throng_map *map = two_rooms(0.6);
    throng_navmesh *slim = mesh_of(map, 0.29), *stout = mesh_of(map, 0.31);
    assert_int_equal(slim->component_count, 1);
    assert_int_equal(stout->component_count, 2);
    throng_path path;
    assert_true(find_path(slim, (throng_point){1, 1}, (throng_point){9, 9}, &path));
    assert_true(path.length > hypot(8, 8) && path.length < hypot(3.71, 3.99) + 0.78 + hypot(3.51, 3.99));
    throng_path_fini(&path);
    assert_false(find_path(stout, (throng_point){1, 1}, (throng_point){9, 9}, &path));
    assert_int_equal(path.count, 0);
    throng_navmesh_destroy(slim);
    throng_navmesh_destroy(stout);
    throng_map_destroy(map);
}

static void an_open_world_gets_a_margin(void **state)
{
    (void)state;
    throng_point box[4] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    const throng_point *obstacles[] = {box};
    int32_t four = 4;
    throng_error error;
    throng_map *map = throng_map_from_polygons("open", NULL, NULL, 0, obstacles, &four, 1, &error);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    assert_mesh(map, mesh);
    assert_near(mesh->area, 102.0 * 102 - 2.5 * 2.5, 0.6);
    assert_true(throng_navmesh_face_at(mesh, -49.9f, -49.9f) >= 0);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

enum { YARD_BOXES = 160 };

typedef struct boxes {
    throng_point corners[YARD_BOXES][4];
    const throng_point *list[YARD_BOXES];
    int32_t sizes[YARD_BOXES], count;
} boxes;

static void add_box(boxes *b, double x0, double y0, double x1, double y1)
{
    throng_point corners[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    assert_true(b->count < YARD_BOXES);
    memcpy(b->corners[b->count], corners, sizeof corners);
    b->list[b->count] = b->corners[b->count];
    b->sizes[b->count++] = 4;
}

/* Four walls of 1 m round a square whose middle is (50, 50). */
static void add_yard(boxes *b, double half)
{
    add_box(b, 50 - half, 50 - half, 50 + half, 51 - half);
    add_box(b, 50 - half, 49 + half, 50 + half, 50 + half);
    add_box(b, 50 - half, 50 - half, 51 - half, 50 + half);
    add_box(b, 49 + half, 50 - half, 50 + half, 50 + half);
}

/* More pillars than shrink in one batch, and walls round yards in yards, whose space the holes round them hold. */
static void yards_in_yards_shrink_apart(void **state)
{
    (void)state;
    throng_point square[4] = {{0, 0}, {100, 0}, {100, 100}, {0, 100}};
    const throng_point *boundary[] = {square};
    int32_t four = 4;
    boxes b = {.count = 0};
    for (int i = 0; i < 130; i++)
        add_box(&b, 4 + 3 * (i % 30), 4 + 4 * (i / 30), 4.5 + 3 * (i % 30), 5 + 4 * (i / 30));
    add_yard(&b, 25);
    add_yard(&b, 15);
    add_yard(&b, 8);
    add_box(&b, 49, 49, 50, 50);
    for (int open = 0; open < 2; open++) {
        throng_error error;
        throng_map *map = throng_map_from_polygons("yards", open ? NULL : boundary, &four, open ? 0 : 1, b.list,
                                                   b.sizes, b.count, &error);
        throng_navmesh *mesh = mesh_of(map, 0.25);
        assert_mesh(map, mesh);
        assert_int_equal(mesh->component_count, 4);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

static bool cell_lists(const throng_face_grid *g, float x, float y, int32_t face)
{
    int32_t column = (int32_t)floor((x - g->origin_x) / g->cell), row = (int32_t)floor((y - g->origin_y) / g->cell);
    assert_true(column >= 0 && column < g->columns && row >= 0 && row < g->rows);
    int32_t cell = row * g->columns + column;
    for (int32_t k = g->start[cell]; k < g->start[cell + 1]; k++)
        if (g->list[k] == face)
            return true;
    return false;
}

/* Small agents walk between the mesh and the walls, and look for their face in their cell. */
static void cells_list_the_faces_within_the_radius(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = throng_navmesh_build(map, 0.4, &error);
    assert_non_null(mesh);
    uint32_t seed = 5;
    int beside = 0;
    for (int n = 0; n < 20000; n++) {
        float x = (float)random_in(&seed, 0, 10.2), y = (float)random_in(&seed, 0, 10), on_x, on_y;
        int32_t face = throng_navmesh_nearest(mesh, x, y, 0.39f, &on_x, &on_y);
        if (face < 0)
            continue;
        beside += on_x != x || on_y != y;
        assert_true(cell_lists(mesh->grid, x, y, face));
    }
    assert_true(beside > 500);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void points_off_the_mesh_find_the_nearest_face(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    float x, y;
    int32_t face = throng_navmesh_nearest(mesh, 5.05f, 1, 1, &x, &y);
    assert_true(face >= 0 && face == throng_navmesh_face_at(mesh, x, y));
    assert_near(x, 4.75, 0.003);
    assert_near(y, 1, 0.003);
    assert_int_equal(throng_navmesh_nearest(mesh, 5.1f, 1, 0.2f, &x, &y), -1);
    assert_int_equal(throng_navmesh_nearest(mesh, -3, 5, 2, &x, &y), -1);
    assert_true(throng_navmesh_nearest(mesh, -300, 5, 1000, &x, &y) >= 0);
    assert_int_equal(throng_navmesh_nearest(mesh, NAN, 5, 2, &x, &y), -1);
    face = throng_navmesh_nearest(mesh, 2, 2, 0, &x, &y);
    assert_true(face >= 0 && x == 2 && y == 2);
    uint32_t seed = 3;
    for (int i = 0; i < 2000; i++) {
        float px = (float)random_in(&seed, -1, 11), py = (float)random_in(&seed, -1, 11);
        face = throng_navmesh_nearest(mesh, px, py, 5, &x, &y);
        assert_true(face >= 0 && throng_navmesh_face_at(mesh, x, y) >= 0);
        assert_true(throng_navmesh_nearest(mesh, px, py, hypotf(x - px, y - py) * 1.01f + 1e-3f, &x, &y) == face);
    }
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void meshes_that_cannot_be(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_error error;
    assert_null(throng_navmesh_build(map, 3, &error));
    assert_says(&error, "no free space is wide enough for a radius of 3 m in rooms");
    assert_null(throng_navmesh_build(map, -1, &error));
    assert_says(&error, "a mesh for a radius of -1 m");
    assert_null(throng_navmesh_build(map, NAN, &error));
    assert_says(&error, "a mesh for a radius of nan m");
    throng_map_destroy(map);
}

/* As kernels ask (kernels/routing/faces.h). */
static bool lies_within(const float *x, const float *y, const float *least, int32_t lines, float px, float py)
{
    for (int32_t i = 0; i < lines; i++)
        if (x[i] * px + y[i] * py < least[i])
            return false;
    return true;
}

/* m: how far a point is inside all sides of a face, negative outside. */
static double inside_by(const throng_navmesh *mesh, int32_t face, float x, float y)
{
    double least = INFINITY;
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        throng_point a = from_of(mesh, e), b = to_of(mesh, e);
        least = fmin(least, throng_turn(a, b, (throng_point){x, y}) / throng_distance(a, b));
    }
    return least;
}

static int check_within(const throng_navmesh *mesh, uint32_t *seed)
{
    enum { SIDES = 1024 };
    int32_t side[SIDES];
    float x[SIDES], y[SIDES], least[SIDES];
    int held = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t first = mesh->face_start[f], sides = mesh->face_start[f + 1] - first;
        assert_true(sides <= SIDES);
        int32_t lines = throng_navmesh_lines(mesh, f, side, x, y, least);
        assert_int_equal(lines, throng_navmesh_lines(mesh, f, NULL, NULL, NULL, NULL));
        assert_true(lines >= 3 && lines <= sides && side[0] == first);
        for (int32_t i = 0; i < lines; i++)
            for (int32_t e = side[i], end = i + 1 < lines ? side[i + 1] : first + sides; e < end; e++)
                assert_true(fabs(x[i] * from_of(mesh, e).x + y[i] * from_of(mesh, e).y - least[i]) < 0.002 &&
                            fabs(x[i] * to_of(mesh, e).x + y[i] * to_of(mesh, e).y - least[i]) < 0.002);
        for (int n = 0; n < 200; n++) {
            int32_t e = first + n % sides, other = first + (n * 7 + 1) % sides;
            double along = random_in(seed, -0.01, 1.01), off = random_in(seed, -0.004, 0.004);
            throng_point a = from_of(mesh, e), b = n % 2 ? to_of(mesh, e) : from_of(mesh, other);
            float px = (float)(a.x + along * (b.x - a.x) + off), py = (float)(a.y + along * (b.y - a.y) - off);
            double inside = inside_by(mesh, f, px, py);
            bool within = lies_within(x, y, least, lines, px, py);
            assert_true(within ? inside > 0.0005 : inside < 0.002);
            held += within;
        }
    }
    return held;
}

static void who_is_within_a_few_lines_is_in_the_face(void **state)
{
    (void)state;
    uint32_t seed = 3;
    int held = 0;
    for (uint32_t room = 1; room <= 20; room++) {
        throng_map *map = cluttered_room(16, 6 + (int)room, room);
        throng_navmesh *mesh = mesh_of(map, 0.1 + 0.03 * (room % 7));
        held += check_within(mesh, &seed);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
    throng_map *map = willow();
    throng_navmesh *mesh = mesh_of(map, 0.25);
    held += check_within(mesh, &seed);
    assert_true(held > 20000);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* A corridor with a door every three metres on both sides. */
static void a_corridor_lies_within_few_lines(void **state)
{
    (void)state;
    throng_point hall[4] = {{0, 0}, {90, 0}, {90, 23}, {0, 23}};
    const throng_point *boundary[] = {hall};
    int32_t four = 4, most = 0, lines = 0;
    throng_error error;
    boxes b = {.count = 0};
    for (int i = 0; i < 30; i++) {
        add_box(&b, 3 * i + 1.2, 9.9, 3 * i + 3, 10.1);
        add_box(&b, 3 * i + 1.2, 12.9, 3 * i + 3, 13.1);
    }
    throng_map *map = throng_map_from_polygons("corridor", boundary, &four, 1, b.list, b.sizes, b.count, &error);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->face_start[f + 1] - mesh->face_start[f] > most) {
            most = mesh->face_start[f + 1] - mesh->face_start[f];
            lines = throng_navmesh_lines(mesh, f, NULL, NULL, NULL, NULL);
        }
    assert_true(most > 60);
    assert_true(lines == 4 || lines == 5); /* five where the first side is not the first in its row */
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_of_cluttered_rooms),
        cmocka_unit_test(mesh_of_the_office),
        cmocka_unit_test(meshes_are_the_same_each_time),
        cmocka_unit_test(a_door_lets_through_who_fits),
        cmocka_unit_test(an_open_world_gets_a_margin),
        cmocka_unit_test(yards_in_yards_shrink_apart),
        cmocka_unit_test(points_off_the_mesh_find_the_nearest_face),
        cmocka_unit_test(cells_list_the_faces_within_the_radius),
        cmocka_unit_test(who_is_within_a_few_lines_is_in_the_face),
        cmocka_unit_test(a_corridor_lies_within_few_lines),
        cmocka_unit_test(meshes_that_cannot_be),
    };
    return cmocka_run_group_tests_name("navmesh", tests, NULL, NULL);
}
