/* Meshes, shortest-path maps and paths: properties that hold on any map, and what a few small ones must give. */
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

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))

static void assert_says(const throng_error *error, const char *part)
{
    if (!strstr(error->text, part))
        fail_msg("\"%s\" does not say \"%s\"", error->text, part);
}

static double random_in(uint32_t *seed, double from, double to)
{
    *seed = *seed * 1664525 + 1013904223;
    return from + (*seed >> 8) * (to - from) / (1 << 24);
}

/* --- maps to try --- */

/* A square room with so many turned boxes in it; the same for the same seed. */
static throng_map *cluttered_room(double side, int count, uint32_t seed)
{
    throng_point square[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    throng_point boxes[64][4];
    const throng_point *boundary[] = {square}, *obstacles[64];
    int32_t sizes[64];
    for (int i = 0; i < count; i++) {
        double x = random_in(&seed, 1, side - 1), y = random_in(&seed, 1, side - 1);
        double w = random_in(&seed, 0.1, 1.5), h = random_in(&seed, 0.1, 0.8), a = random_in(&seed, 0, 3);
        for (int k = 0; k < 4; k++) {
            double u = k == 0 || k == 3 ? -w : w, v = k < 2 ? -h : h;
            boxes[i][k] = (throng_point){x + cos(a) * u - sin(a) * v, y + sin(a) * u + cos(a) * v};
        }
        obstacles[i] = boxes[i];
        sizes[i] = 4;
    }
    int32_t four = 4;
    throng_error error;
    throng_map *map = throng_map_from_polygons("room", boundary, &four, 1, obstacles, sizes, count, &error);
    assert_non_null(map);
    return map;
}

/* Two rooms of 5 x 10 m with a door of `door` m in the middle of the wall between them. */
static throng_map *two_rooms(double door)
{
    throng_point rooms[4] = {{0, 0}, {10.2, 0}, {10.2, 10}, {0, 10}};
    throng_point low[4] = {{5, -1}, {5.2, -1}, {5.2, 5 - door / 2}, {5, 5 - door / 2}};
    throng_point high[4] = {{5, 5 + door / 2}, {5.2, 5 + door / 2}, {5.2, 11}, {5, 11}};
    const throng_point *boundary[] = {rooms}, *obstacles[] = {low, high};
    int32_t sizes[] = {4, 4};
    throng_error error;
    throng_map *map = throng_map_from_polygons("rooms", boundary, sizes, 1, obstacles, sizes, 2, &error);
    assert_non_null(map);
    return map;
}

static throng_map *willow(void)
{
    char path[512];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s/../../maps/willow.yaml", (int)(slash - __FILE__), __FILE__);
    throng_error error;
    throng_map *map = throng_map_read(path, NULL, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static throng_navmesh *mesh_of(const throng_map *map, double radius)
{
    throng_error error;
    throng_navmesh *mesh = throng_navmesh_build(map, radius, &error);
    if (!mesh)
        fail_msg("%s", error.text);
    return mesh;
}

/* --- properties of a mesh --- */

static throng_point from_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->ax[e], mesh->ay[e]}; }

static throng_point to_of(const throng_navmesh *mesh, int32_t e) { return (throng_point){mesh->bx[e], mesh->by[e]}; }

/* Faces are convex and counter-clockwise, exactly; returns their area. */
static double assert_faces_convex(const throng_navmesh *mesh)
{
    double area = 0;
    assert_int_equal(mesh->face_start[mesh->face_count], mesh->edge_count);
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t first = mesh->face_start[f], end = mesh->face_start[f + 1];
        double twice = 0;
        assert_true(end - first >= 3);
        for (int32_t e = first; e < end; e++) {
            int32_t next = e + 1 < end ? e + 1 : first;
            assert_int_equal(mesh->face[e], f);
            assert_true(mesh->bx[e] == mesh->ax[next] && mesh->by[e] == mesh->ay[next]);
            for (int32_t k = first; k < end; k++)
                assert_true(throng_turn(from_of(mesh, e), to_of(mesh, e), from_of(mesh, k)) >= 0);
            twice += throng_turn(from_of(mesh, first), from_of(mesh, e), to_of(mesh, e));
        }
        assert_true(twice > 0);
        area += 0.5 * twice;
    }
    return area;
}

static void assert_twins_match(const throng_navmesh *mesh)
{
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t t = mesh->twin[e];
        if (t < 0)
            continue;
        assert_int_equal(mesh->twin[t], e);
        assert_int_not_equal(mesh->face[t], mesh->face[e]);
        assert_int_equal(mesh->component[mesh->face[t]], mesh->component[mesh->face[e]]);
        assert_true(mesh->ax[t] == mesh->bx[e] && mesh->ay[t] == mesh->by[e]);
        assert_true(mesh->bx[t] == mesh->ax[e] && mesh->by[t] == mesh->ay[e]);
    }
}

static double shrunk_area(const throng_map *map, double radius, double margin)
{
    throng_geos geos;
    throng_error error;
    double area = 0;
    assert_true(throng_geos_init(&geos, &error));
    GEOSGeometry *space = throng_geos_free_space(&geos, map, margin);
    assert_true(throng_geos_replace(&geos, &space, GEOSBuffer_r(geos.handle, space, -radius, 32)));
    GEOSArea_r(geos.handle, space, &area);
    throng_geos_free(&geos, space);
    throng_geos_fini(&geos);
    return area;
}

static int32_t brute_face(const throng_navmesh *mesh, throng_point p)
{
    for (int32_t f = 0; f < mesh->face_count; f++) {
        bool inside = true;
        for (int32_t e = mesh->face_start[f]; inside && e < mesh->face_start[f + 1]; e++)
            inside = throng_turn(from_of(mesh, e), to_of(mesh, e), p) >= 0;
        if (inside)
            return f;
    }
    return -1;
}

/* Points in the mesh keep their distance; points that keep a little more are in the mesh. */
static void assert_clearance(const throng_map *map, const throng_navmesh *mesh, int tries)
{
    uint32_t seed = 11;
    const throng_bounds *b = &map->bounds;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        assert_true(throng_map_fits(map, from_of(mesh, e), mesh->radius));
    for (int i = 0; i < tries; i++) {
        float x = (float)random_in(&seed, b->x0 - 1, b->x1 + 1), y = (float)random_in(&seed, b->y0 - 1, b->y1 + 1);
        throng_point p = {x, y};
        int32_t face = throng_navmesh_face_at(mesh, x, y);
        if (face >= 0)
            assert_true(throng_map_fits(map, p, mesh->radius));
        else
            assert_false(throng_map_fits(map, p, 1.16 * mesh->radius + 0.01 + THRONG_NAVMESH_NOOK));
        if (i % 16 == 0)
            assert_int_equal(face, brute_face(mesh, p));
    }
}

static void assert_mesh(const throng_map *map, const throng_navmesh *mesh)
{
    double area = assert_faces_convex(mesh);
    assert_near(area, mesh->area, 1e-9 * area);
    double margin = THRONG_NAVMESH_MARGIN + mesh->radius;
    assert_true(area <= shrunk_area(map, mesh->radius, margin));
    assert_true(area >= shrunk_area(map, 1.06 * mesh->radius + THRONG_NAVMESH_SLACK, margin));
    assert_twins_match(mesh);
    assert_clearance(map, mesh, 4000);
}

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

/* --- paths --- */

static throng_path_map *tree_to(const throng_navmesh *mesh, const throng_point *goal, int32_t count)
{
    throng_error error;
    throng_path_map *tree = path_map_of(mesh, goal, count, &error);
    if (!tree)
        fail_msg("%s", error.text);
    return tree;
}

static bool any_point(const throng_navmesh *mesh, double side, int32_t component, uint32_t *seed, throng_point *p)
{
    for (int i = 0; i < 1000; i++) {
        *p = (throng_point){(float)random_in(seed, 0, side), (float)random_in(seed, 0, side)};
        int32_t face = throng_navmesh_face_at(mesh, (float)p->x, (float)p->y);
        if (face >= 0 && mesh->component[face] == component)
            return true;
    }
    return false;
}

/* Windows lie on portals of their own face, roots add up to the goal, and what is left falls along every way. */
static void assert_tree(const throng_navmesh *mesh, const throng_path_map *tree)
{
    for (int32_t i = 0; i < tree->root_count; i++) {
        const throng_path_map_root *r = &tree->roots[i];
        if (r->next < 0) {
            assert_near(r->rest, 0, 0);
            continue;
        }
        const throng_path_map_root *next = &tree->roots[r->next];
        assert_true(throng_segment_distance(next->a, next->b, r->on) < 1e-9);
        assert_near(r->rest, next->rest + throng_distance(r->a, r->on), 1e-9 * (1 + r->rest));
    }
    for (int32_t f = 0; f < mesh->face_count; f++)
        for (int32_t i = tree->window_start[f]; i < tree->window_start[f + 1]; i++) {
            const throng_path_map_window *w = &tree->windows[i];
            throng_point right = from_of(mesh, w->edge), left = to_of(mesh, w->edge);
            assert_int_equal(mesh->face[w->edge], f);
            assert_true(mesh->twin[w->edge] >= 0 && w->root >= 0 && w->root < tree->root_count);
            assert_true(throng_segment_distance(right, left, w->right) < 1e-9);
            assert_true(throng_segment_distance(right, left, w->left) < 1e-9);
            assert_true(throng_distance(right, w->right) <= throng_distance(right, w->left) + 1e-9);
        }
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t next = tree->next[e], hops = 0;
        assert_true(next < 0 || mesh->face[next] == mesh->face[mesh->twin[e]]);
        for (; next >= 0 && hops <= mesh->edge_count; hops++)
            next = tree->next[next];
        assert_true(next < 0);
    }
}

static void assert_path_free(const throng_map *map, const throng_navmesh *mesh, const throng_path *path)
{
    double length = 0;
    for (int32_t i = 0; i + 1 < path->count; i++) {
        throng_point a = path->corners[i], b = path->corners[i + 1];
        length += throng_distance(a, b);
        for (int k = 0; k <= 8; k++)
            assert_true(throng_map_fits(map, throng_between(a, b, k / 8.0), mesh->radius - 1e-6));
    }
    assert_near(length, path->length, 1e-6 * (1 + length));
    assert_true(length >= throng_distance(path->corners[0], path->corners[path->count - 1]) - 1e-9);
}

static void trees_and_paths_agree(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        uint32_t draw = seed;
        throng_map *map = cluttered_room(16, 10 + (int)seed, seed);
        throng_navmesh *mesh = mesh_of(map, 0.2);
        throng_point goal;
        assert_true(any_point(mesh, 16, 0, &draw, &goal));
        throng_path_map *tree = tree_to(mesh, &goal, 1);
        assert_tree(mesh, tree);
        for (int i = 0; i < 40; i++) {
            throng_point p;
            throng_path there, back, down;
            assert_true(any_point(mesh, 16, 0, &draw, &p));
            int32_t face = throng_navmesh_face_at(mesh, (float)p.x, (float)p.y);
            assert_true(find_path(mesh, p, goal, &there));
            assert_true(find_path(mesh, goal, p, &back));
            assert_true(throng_path_map_path(tree, face, (float)p.x, (float)p.y, &down));
            assert_path_free(map, mesh, &there);
            assert_path_free(map, mesh, &back);
            assert_path_free(map, mesh, &down);
            assert_near(there.length, back.length, 1e-6 * (1 + back.length));
            assert_near(down.length, there.length, 1e-6 * (1 + there.length));
            assert_true(there.length >= throng_distance(p, goal) - 1e-9);
            assert_near(path_map_length(tree, face, (float)p.x, (float)p.y), down.length, 1e-5 * down.length);
            throng_path_fini(&there);
            throng_path_fini(&back);
            throng_path_fini(&down);
        }
        throng_path_map_destroy(tree);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

/* Unit squares on whole coordinates: corners in line with each other, and touching in points. */
static throng_map *gridded_room(int side, uint32_t seed)
{
    static throng_point squares[1024][4];
    static const throng_point *obstacles[1024];
    static int32_t sizes[1024];
    throng_point rim[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    const throng_point *boundary[] = {rim};
    int32_t four = 4, count = 0;
    for (int x = 0; x < side; x++)
        for (int y = 0; y < side; y++)
            if (random_in(&seed, 0, 1) < 0.2) {
                throng_point square[4] = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
                memcpy(squares[count], square, sizeof square);
                obstacles[count] = squares[count];
                sizes[count++] = 4;
            }
    throng_error error;
    throng_map *map = throng_map_from_polygons("grid", boundary, &four, 1, obstacles, sizes, count, &error);
    assert_non_null(map);
    return map;
}

static void trees_on_grids_agree_with_paths(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        uint32_t draw = seed;
        throng_map *map = gridded_room(30, seed);
        throng_navmesh *mesh = mesh_of(map, 0);
        throng_point goal, p;
        assert_true(any_point(mesh, 30, 0, &draw, &goal));
        throng_path_map *tree = tree_to(mesh, &goal, 1);
        assert_tree(mesh, tree);
        for (int i = 0; i < 300; i++) {
            throng_path path;
            assert_true(any_point(mesh, 30, 0, &draw, &p));
            int32_t face = throng_navmesh_face_at(mesh, (float)p.x, (float)p.y);
            assert_true(find_path(mesh, p, goal, &path));
            assert_near(path_map_length(tree, face, (float)p.x, (float)p.y), path.length, 1e-6 * (1 + path.length));
            throng_path_fini(&path);
        }
        throng_path_map_destroy(tree);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

/* Paths to a polygon end where a path to no other point of its rim is shorter. */
static void trees_to_polygons_agree_with_paths(void **state)
{
    (void)state;
    enum { POINTS = 100 };
    const double spacing = 1.5 / POINTS;
    int compared = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        uint32_t draw = seed + 7;
        throng_map *map = cluttered_room(12, 8 + (int)seed, seed);
        throng_navmesh *mesh = mesh_of(map, 0.2);
        throng_point at = {random_in(&draw, 2, 9), random_in(&draw, 2, 9)};
        throng_point goal[4] = {at, {at.x + 1.5, at.y}, {at.x + 1.5, at.y + 1}, {at.x, at.y + 1.5}};
        throng_error error;
        throng_path_map *tree = path_map_of(mesh, goal, 4, &error); /* NULL: all of it is in walls */
        for (int i = 0; tree && i < 8; i++) {
            throng_point p;
            assert_true(any_point(mesh, 12, 0, &draw, &p));
            int32_t face = throng_navmesh_face_at(mesh, (float)p.x, (float)p.y);
            double least = INFINITY, length = path_map_length(tree, face, (float)p.x, (float)p.y);
            for (int k = 0; k < 4 * POINTS; k++) {
                throng_path path;
                throng_point on = throng_between(goal[k % 4], goal[(k + 1) % 4], k / 4 / (double)POINTS);
                if (find_path(mesh, p, on, &path))
                    least = fmin(least, path.length);
                throng_path_fini(&path);
            }
            if (length == 0 || least == INFINITY)
                continue; /* in the goal; only parts between the points are free */
            assert_true(length <= least + 1e-5 && length >= least - spacing);
            compared++;
        }
        throng_path_map_destroy(tree);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
    assert_true(compared > 60);
}

/* --- shortest paths by a visibility graph over the mesh's rim --- */

static bool crosses_rim(const throng_navmesh *mesh, throng_point a, throng_point b)
{
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        if (mesh->twin[e] >= 0)
            continue;
        throng_point c = from_of(mesh, e), d = to_of(mesh, e);
        if (throng_turn(a, b, c) * throng_turn(a, b, d) < 0 && throng_turn(c, d, a) * throng_turn(c, d, b) < 0)
            return true;
    }
    throng_point middle = throng_between(a, b, 0.5), near = throng_between(a, b, 1e-3);
    float x, y;
    return throng_navmesh_nearest(mesh, (float)middle.x, (float)middle.y, 4e-6f, &x, &y) < 0 ||
           throng_navmesh_nearest(mesh, (float)near.x, (float)near.y, 4e-6f, &x, &y) < 0;
}

/* Where two rings touch, the graph could slip through a point that nobody fits through. */
static bool rings_touch_at(const throng_navmesh *mesh, int32_t edge)
{
    int32_t count = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        count += mesh->twin[e] < 0 && mesh->ax[e] == mesh->ax[edge] && mesh->ay[e] == mesh->ay[edge];
    return count > 1;
}

static double visibility_distance(const throng_navmesh *mesh, throng_point from, throng_point to)
{
    static throng_point nodes[4096];
    static double best[4096];
    static bool done[4096];
    int count = 0;
    nodes[count++] = to;
    nodes[count++] = from;
    for (int32_t e = 0; e < mesh->edge_count; e++)
        if (mesh->twin[e] < 0 && !rings_touch_at(mesh, e))
            nodes[count++] = from_of(mesh, e);
    for (int i = 0; i < count; i++) {
        best[i] = i == 0 ? 0 : INFINITY;
        done[i] = false;
    }
    for (;;) {
        int at = -1;
        for (int i = 0; i < count; i++)
            if (!done[i] && isfinite(best[i]) && (at < 0 || best[i] < best[at]))
                at = i;
        if (at < 0 || at == 1)
            return best[1];
        done[at] = true;
        for (int i = 0; i < count; i++) {
            double length = best[at] + throng_distance(nodes[at], nodes[i]);
            if (!done[i] && length < best[i] && !crosses_rim(mesh, nodes[at], nodes[i]))
                best[i] = length;
        }
    }
}

static void paths_are_shortest(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        uint32_t draw = seed + 100;
        throng_map *map = cluttered_room(12, 8 + (int)seed % 8, seed);
        throng_navmesh *mesh = mesh_of(map, 0.2);
        throng_point goal;
        assert_true(any_point(mesh, 12, 0, &draw, &goal));
        throng_path_map *tree = tree_to(mesh, &goal, 1);
        for (int i = 0; i < 6; i++) {
            throng_point p;
            throng_path path;
            assert_true(any_point(mesh, 12, 0, &draw, &p));
            int32_t face = throng_navmesh_face_at(mesh, (float)p.x, (float)p.y);
            double exact = visibility_distance(mesh, p, goal);
            double length = path_map_length(tree, face, (float)p.x, (float)p.y);
            assert_true(find_path(mesh, p, goal, &path));
            assert_near(path.length, exact, 1e-5 * (1 + exact)); /* the oracle rounds the rim it must not cross */
            assert_near(length, exact, 1e-5 * (1 + exact));
            throng_path_fini(&path);
        }
        throng_path_map_destroy(tree);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

/* Walking along the tree in small steps: what remains falls by what was walked, so everyone arrives. */
static void followers_arrive_without_turning_back(void **state)
{
    (void)state;
    const double step = 0.1;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        uint32_t draw = seed + 50;
        throng_map *map = cluttered_room(12, 8 + (int)seed, seed);
        throng_navmesh *mesh = mesh_of(map, 0.2);
        throng_point goal;
        assert_true(any_point(mesh, 12, 0, &draw, &goal));
        throng_path_map *tree = tree_to(mesh, &goal, 1);
        for (int i = 0; i < 20; i++) {
            throng_point p;
            assert_true(any_point(mesh, 12, 0, &draw, &p));
            double left = INFINITY;
            for (int steps = 0;; steps++) {
                float x = (float)p.x, y = (float)p.y;
                int32_t face = throng_navmesh_nearest(mesh, (float)p.x, (float)p.y, 1e-3f, &x, &y);
                assert_true(face >= 0 && steps < 1000);
                throng_path path;
                assert_true(throng_path_map_path(tree, face, x, y, &path));
                assert_true(path.length <= left + 1e-3);
                bool there = path.length < step;
                throng_point corner = there ? p : path.corners[1];
                double stride = fmin(step, throng_distance(p, corner));
                left = path.length - stride;
                throng_path_fini(&path);
                if (there)
                    break;
                p = throng_between(p, corner, stride / throng_distance(p, corner));
            }
            assert_true(throng_distance(p, goal) <= step);
        }
        throng_path_map_destroy(tree);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

static void a_way_round_a_door_is_exact(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = mesh_of(map, 0);
    throng_point goal = {9, 1};
    throng_path_map *tree = tree_to(mesh, &goal, 1);
    int32_t face = throng_navmesh_face_at(mesh, 1, 1);
    /* round the door's lower corners, (5, 4.5) and (5.2, 4.5) */
    assert_near(path_map_length(tree, face, 1, 1), hypot(4, 3.5) + 0.2 + hypot(3.8, 3.5), 0.01);
    throng_path path;
    assert_true(throng_path_map_path(tree, face, 1, 1, &path));
    assert_in_range(path.count, 4, 6);
    throng_path_fini(&path);
    throng_path_map_destroy(tree);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void a_goal_may_be_a_polygon(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    throng_point strip[4] = {{9.5, -1}, {11, -1}, {11, 11}, {9.5, 11}};
    throng_path_map *tree = tree_to(mesh, strip, 4);
    assert_tree(mesh, tree);
    int32_t face = throng_navmesh_face_at(mesh, 6, 8);
    assert_near(path_map_length(tree, face, 6, 8), 3.5, 0.2);
    face = throng_navmesh_face_at(mesh, 9.7f, 3);
    assert_true(tree->holds[face]);
    assert_near(path_map_length(tree, face, 9.7f, 3), 0, 0);
    face = throng_navmesh_face_at(mesh, 1, 5);
    assert_near(path_map_length(tree, face, 1, 5), 8.5, 0.05);
    throng_path path;
    assert_true(throng_path_map_path(tree, face, 1, 5, &path));
    assert_near(path.corners[path.count - 1].x, 9.5, 1e-6);
    throng_path_fini(&path);
    throng_path_map_destroy(tree);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void the_nearest_of_several_goals_is_taken(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    throng_point west = {0.5, 5}, east = {9.7, 5}, outside = {50, 50};
    throng_region goals[3] = {{.name = "west", .points = &west, .count = 1},
                              {.name = "east", .points = &east, .count = 1},
                              {.name = "outside", .points = &outside, .count = 1}};
    throng_error error;
    throng_path_map *tree = throng_path_map_build(mesh, goals, 3, NULL, &error);
    assert_non_null(tree);
    assert_tree(mesh, tree);
    int32_t face = throng_navmesh_face_at(mesh, 3, 5);
    assert_near(path_map_length(tree, face, 3, 5), 2.5, 0.01);
    face = throng_navmesh_face_at(mesh, 7, 5);
    assert_near(path_map_length(tree, face, 7, 5), 2.7, 0.01);
    throng_path_map_destroy(tree);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void goals_in_other_components_lead_nowhere(void **state)
{
    (void)state;
    throng_map *map = two_rooms(0.4);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    throng_point goal = {9, 5};
    throng_path_map *tree = tree_to(mesh, &goal, 1);
    int32_t face = throng_navmesh_face_at(mesh, 1, 5);
    assert_true(isinf(path_map_length(tree, face, 1, 5)));
    throng_path path;
    assert_false(throng_path_map_path(tree, face, 1, 5, &path));
    throng_path_map_destroy(tree);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void goals_that_cannot_be(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    throng_error error;
    throng_point wall = {5.1, 1}, nowhere = {NAN, 1};
    throng_point bow[4] = {{1, 1}, {3, 3}, {3, 1}, {1, 3}};
    assert_null(path_map_of(mesh, &wall, 1, &error));
    assert_says(&error, "the goal at (5.1, 1) .. (5.1, 1) lies where no agent of radius 0.25 m can stand");
    assert_null(path_map_of(mesh, &nowhere, 1, &error));
    assert_says(&error, "the goal is (nan, 1)");
    assert_null(path_map_of(mesh, bow, 4, &error));
    assert_says(&error, "the goal crosses or touches itself");
    assert_null(path_map_of(mesh, bow, 2, &error));
    assert_says(&error, "the goal has 2 points");
    throng_region named = {.name = "exit", .points = &wall, .count = 1};
    assert_null(throng_path_map_build(mesh, &named, 1, NULL, &error));
    assert_says(&error, "goal \"exit\" at (5.1, 1)");
    assert_null(throng_path_map_build(mesh, NULL, 0, NULL, &error));
    assert_says(&error, "no goal is given");
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void paths_of_no_length_and_off_the_mesh(void **state)
{
    (void)state;
    throng_map *map = two_rooms(1);
    throng_navmesh *mesh = mesh_of(map, 0.25);
    throng_path path;
    throng_point p = {2, 2};
    assert_true(find_path(mesh, p, p, &path));
    assert_true(path.count == 1 && path.length == 0);
    throng_path_fini(&path);
    assert_false(find_path(mesh, (throng_point){5.1, 1}, p, &path));
    assert_false(find_path(mesh, p, (throng_point){NAN, 1}, &path));
    assert_false(find_path(mesh, p, (throng_point){1e30, 1}, &path));
    assert_int_equal(path.count, 0);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* Starts and goals on the mesh's own corners: legs of no length everywhere. */
static void paths_between_corners(void **state)
{
    (void)state;
    throng_map *map = cluttered_room(12, 16, 4);
    throng_navmesh *mesh = mesh_of(map, 0.2);
    uint32_t seed = 9;
    for (int i = 0; i < 300; i++) {
        int32_t e = (int32_t)random_in(&seed, 0, mesh->edge_count), f = (int32_t)random_in(&seed, 0, mesh->edge_count);
        throng_point a = from_of(mesh, e), b = from_of(mesh, f);
        throng_path there, back;
        if (!find_path(mesh, a, b, &there))
            continue;
        assert_true(find_path(mesh, b, a, &back));
        assert_path_free(map, mesh, &there);
        assert_near(there.length, back.length, 1e-6 * (1 + there.length));
        throng_path_fini(&there);
        throng_path_fini(&back);
    }
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* Paths end on a goal's side where they reach it, also those that come through a portal less than a hair before. */
static void goals_just_beyond_portals(void **state)
{
    (void)state;
    throng_map *map = cluttered_room(12, 16, 4);
    throng_navmesh *mesh = mesh_of(map, 0.2);
    int tried = 0;
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        throng_point a = from_of(mesh, e), b = {mesh->bx[e], mesh->by[e]};
        double length = hypot(b.x - a.x, b.y - a.y), x = (b.x - a.x) / length, y = (b.y - a.y) / length;
        if (mesh->twin[e] < 0 || length < 1)
            continue;
        throng_point goal[4], middle = {(a.x + b.x) / 2, (a.y + b.y) / 2};
        for (int k = 0; k < 4; k++) {
            double along = k == 0 || k == 3 ? -0.3 : 0.3, out = k < 2 ? 5e-5 : 0.05; /* out of e's face: on its right */
            goal[k] = (throng_point){middle.x + along * x + out * y, middle.y + along * y - out * x};
        }
        throng_path_map *tree = tree_to(mesh, goal, 4);
        float px = (float)(middle.x - 2e-5 * y), py = (float)(middle.y + 2e-5 * x);
        throng_path path;
        assert_true(throng_path_map_path(tree, mesh->face[e], px, py, &path));
        assert_near(path.length, 7e-5, 2e-5);
        assert_near(throng_distance(path.corners[0], path.corners[1]), 7e-5, 2e-5);
        throng_path_fini(&path);
        throng_path_map_destroy(tree);
        tried++;
    }
    assert_in_range(tried, 10, 1000);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

/* Cells as walls: blunted corners lie on diagonals, paths run along portals. */
static void paths_along_portals(void **state)
{
    (void)state;
    static const char *const rows[] = {".........", ".......@.", "........@", "...@.@...", "...@.....",
                                       ".@.@@.@..", ".........", "....@....", "....@.@.@", "......@.."};
    enum { WIDTH = 9, HEIGHT = sizeof rows / sizeof *rows };
    const throng_point floor[4] = {{0, 0}, {WIDTH, 0}, {WIDTH, HEIGHT}, {0, HEIGHT}}, *boundary = floor;
    throng_point cells[WIDTH * HEIGHT][4];
    const throng_point *walls[WIDTH * HEIGHT];
    int32_t sizes[WIDTH * HEIGHT], count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double x = i % WIDTH, y = HEIGHT - 1 - i / WIDTH;
        if (rows[i / WIDTH][i % WIDTH] != '@')
            continue;
        memcpy(cells[count], (throng_point[]){{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}, sizeof *cells);
        walls[count] = cells[count];
        sizes[count++] = 4;
    }
    throng_error error;
    throng_map *map = throng_map_from_polygons("cells", &boundary, &(int32_t){4}, 1, walls, sizes, count, &error);
    throng_navmesh *mesh = mesh_of(map, 0.2);
    for (int i = 0; i < WIDTH * HEIGHT * WIDTH * HEIGHT; i++) {
        int a = i / (WIDTH * HEIGHT), b = i % (WIDTH * HEIGHT);
        throng_path there, back;
        if (a >= b || !find_path(mesh, (throng_point){a % WIDTH + 0.5, a / WIDTH + 0.5},
                                 (throng_point){b % WIDTH + 0.5, b / WIDTH + 0.5}, &there))
            continue;
        assert_true(find_path(mesh, there.corners[there.count - 1], there.corners[0], &back));
        assert_near(there.length, back.length, 1e-9 * (1 + there.length));
        throng_path_fini(&there);
        throng_path_fini(&back);
    }
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

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
        cmocka_unit_test(meshes_of_cluttered_rooms),
        cmocka_unit_test(mesh_of_the_office),
        cmocka_unit_test(meshes_are_the_same_each_time),
        cmocka_unit_test(a_door_lets_through_who_fits),
        cmocka_unit_test(an_open_world_gets_a_margin),
        cmocka_unit_test(yards_in_yards_shrink_apart),
        cmocka_unit_test(points_off_the_mesh_find_the_nearest_face),
        cmocka_unit_test(cells_list_the_faces_within_the_radius),
        cmocka_unit_test(meshes_that_cannot_be),
        cmocka_unit_test(trees_and_paths_agree),
        cmocka_unit_test(trees_on_grids_agree_with_paths),
        cmocka_unit_test(trees_to_polygons_agree_with_paths),
        cmocka_unit_test(paths_are_shortest),
        cmocka_unit_test(followers_arrive_without_turning_back),
        cmocka_unit_test(a_way_round_a_door_is_exact),
        cmocka_unit_test(a_goal_may_be_a_polygon),
        cmocka_unit_test(the_nearest_of_several_goals_is_taken),
        cmocka_unit_test(goals_in_other_components_lead_nowhere),
        cmocka_unit_test(goals_that_cannot_be),
        cmocka_unit_test(paths_of_no_length_and_off_the_mesh),
        cmocka_unit_test(paths_between_corners),
        cmocka_unit_test(goals_just_beyond_portals),
        cmocka_unit_test(paths_along_portals),
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
    return cmocka_run_group_tests_name("navmesh", tests, NULL, NULL);
}
