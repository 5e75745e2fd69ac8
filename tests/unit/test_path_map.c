/* Path maps and paths over meshes: that they agree, and are the shortest. */
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
#include "rooms.h"

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

/* Windows lie on portals of their own face, and know what no way undercuts, roots add up to the goal, and what is left
 * falls along every way. */
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
            const throng_path_map_root *r = &tree->roots[w->root];
            for (double t = 0; t <= 1; t += 0.125) {
                throng_point on = {w->right.x + t * (w->left.x - w->right.x),
                                   w->right.y + t * (w->left.y - w->right.y)};
                assert_true(r->rest + throng_segment_distance(r->a, r->b, on) >= w->least - 1e-9);
            }
            bool last = i + 1 == tree->window_start[f + 1];
            assert_true(w->least >= 0 && (last || w->least <= tree->windows[i + 1].least));
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
    assert_says(&error, "the goal at (5.1, 1) lies where no agent of radius 0.25 m can stand");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
    };
    return cmocka_run_group_tests_name("path_map", tests, NULL, NULL);
}
