/* Path searches against an exact visibility graph, and what must hold of any path. */
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
#include "navigation/path_search.h"

static double random_in(uint32_t *seed, double from, double to)
{
    *seed = *seed * 1664525 + 1013904223;
    return from + (*seed >> 8) * (to - from) / (1 << 24);
}

/* --- maps to try --- */

enum { BOXES_MAX = 128 };

/* A square room of `side` m with boxes in it: turned ones, or along the axes on a lattice of half a metre, so that
 * many corners lie in line. */
static throng_map *room_of_boxes(double side, int count, bool lattice, uint32_t seed)
{
    static throng_point boxes[BOXES_MAX][4];
    throng_point square[4] = {{0, 0}, {side, 0}, {side, side}, {0, side}};
    const throng_point *boundary[] = {square}, *obstacles[BOXES_MAX];
    int32_t sizes[BOXES_MAX], four = 4;
    for (int i = 0; i < count; i++) {
        double x = random_in(&seed, 1, side - 1), y = random_in(&seed, 1, side - 1);
        double w = random_in(&seed, 0.1, 1.5), h = random_in(&seed, 0.1, 0.8), a = random_in(&seed, 0, 3);
        if (lattice) {
            x = round(2 * x) / 2;
            y = round(2 * y) / 2;
            w = ceil(2 * w) / 2;
            h = ceil(2 * h) / 2;
            a = 0;
        }
        for (int k = 0; k < 4; k++) {
            double u = k == 0 || k == 3 ? -w : w, v = k < 2 ? -h : h;
            boxes[i][k] = (throng_point){x + cos(a) * u - sin(a) * v, y + sin(a) * u + cos(a) * v};
        }
        obstacles[i] = boxes[i];
        sizes[i] = 4;
    }
    throng_error error;
    throng_map *map = throng_map_from_polygons("room", boundary, &four, 1, obstacles, sizes, count, &error);
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

static throng_point any_point(const throng_navmesh *mesh, double side, uint32_t *seed)
{
    for (int i = 0; i < 1000; i++) {
        throng_point p = {random_in(seed, 0, side), random_in(seed, 0, side)};
        int32_t face;
        if (throng_navmesh_faces_at(mesh, p, &face, 1) && mesh->component[face] == 0)
            return p;
    }
    fail_msg("no free point was found");
    return (throng_point){0, 0};
}

/* --- the visibility graph of the mesh's rim: nothing of the search, nor of the faces --- */

typedef struct rim {
    int32_t count;
    throng_point *a, *b;  /* [count] sides, free space on the left */
    throng_point *before; /* [count] where the side that ends at a starts */
    double *distance;     /* [count * count] between starts of sides that see each other, INFINITY */
} rim;

/* Proper crossings only: a way may graze corners and run along walls. */
static bool crosses(const rim *r, throng_point p, throng_point q)
{
    for (int32_t i = 0; i < r->count; i++) {
        double c = throng_turn(p, q, r->a[i]), d = throng_turn(p, q, r->b[i]);
        if (c * d < 0 && throng_turn(r->a[i], r->b[i], p) * throng_turn(r->a[i], r->b[i], q) < 0)
            return true;
    }
    return false;
}

/* Crossings of a ray to the right; points on the rim may count as either. */
static bool inside(const rim *r, throng_point p)
{
    bool in = false;
    for (int32_t i = 0; i < r->count; i++)
        if ((r->a[i].y > p.y) != (r->b[i].y > p.y) && (throng_turn(r->a[i], r->b[i], p) > 0) == (r->b[i].y > r->a[i].y))
            in = !in;
    return in;
}

/* Free space, or within a nanometre of it. */
static bool is_free(const rim *r, throng_point p)
{
    if (inside(r, p))
        return true;
    for (int32_t i = 0; i < r->count; i++)
        if (throng_segment_distance(r->a[i], r->b[i], p) < 1e-9)
            return true;
    return false;
}

/* A segment that crosses no side can leave free space only at a corner that it passes through. */
static bool sees(const rim *r, throng_point p, throng_point q)
{
    double last = 0;
    if (crosses(r, p, q))
        return false;
    for (;;) { /* from corner to corner on it */
        double next = 1, length = throng_distance(p, q);
        for (int32_t i = 0; i < r->count; i++) {
            double t = ((r->a[i].x - p.x) * (q.x - p.x) + (r->a[i].y - p.y) * (q.y - p.y)) / (length * length);
            if (t > last + 1e-9 && t < next && throng_segment_distance(p, q, r->a[i]) < 1e-9)
                next = t;
        }
        if (!is_free(r, throng_between(p, q, 0.5 * (last + next))))
            return false;
        if (next == 1)
            return true;
        last = next;
    }
}

static rim rim_of(const throng_navmesh *mesh)
{
    rim r = {0};
    size_t room = (size_t)mesh->edge_count;
    r.a = malloc(room * sizeof *r.a);
    r.b = malloc(room * sizeof *r.b);
    for (int32_t e = 0; e < mesh->edge_count; e++)
        if (mesh->twin[e] < 0) {
            r.a[r.count] = (throng_point){mesh->ax[e], mesh->ay[e]};
            r.b[r.count++] = (throng_point){mesh->bx[e], mesh->by[e]};
        }
    r.distance = malloc((size_t)r.count * (size_t)r.count * sizeof *r.distance);
    for (int32_t i = 0; i < r.count; i++)
        for (int32_t k = 0; k <= i; k++)
            r.distance[i * r.count + k] = r.distance[k * r.count + i] =
                sees(&r, r.a[i], r.a[k]) ? throng_distance(r.a[i], r.a[k]) : INFINITY;
    return r;
}

static void rim_fini(rim *r)
{
    free(r->a);
    free(r->b);
    free(r->distance);
}

/* Dijkstra's algorithm from `from` over the corners to `to`. */
static double shortest(const rim *r, throng_point from, throng_point to)
{
    if (sees(r, from, to))
        return throng_distance(from, to);
    double *best = malloc((size_t)r->count * sizeof *best), answer = INFINITY;
    bool *done = calloc((size_t)r->count, sizeof *done);
    for (int32_t i = 0; i < r->count; i++)
        best[i] = sees(r, from, r->a[i]) ? throng_distance(from, r->a[i]) : INFINITY;
    for (;;) {
        int32_t at = -1;
        for (int32_t i = 0; i < r->count; i++)
            if (!done[i] && best[i] < (at < 0 ? answer : best[at]))
                at = i;
        if (at < 0)
            break;
        done[at] = true;
        if (sees(r, r->a[at], to))
            answer = fmin(answer, best[at] + throng_distance(r->a[at], to));
        for (int32_t i = 0; i < r->count; i++)
            best[i] = fmin(best[i], best[at] + r->distance[at * r->count + i]);
    }
    free(best);
    free(done);
    return answer;
}

/* --- what holds of any path --- */

static double search(throng_path_search *s, const throng_navmesh *mesh, throng_point from, throng_point to)
{
    int32_t expansions = INT32_MAX;
    throng_path_search_begin(s, mesh, from, to);
    return throng_path_search_step(s, &expansions) == THRONG_PATH_FOUND ? throng_path_search_path(s)->length : INFINITY;
}

/* Points may touch walls, whose corners the mesh rounds to its grid of 2^-12 m. */
static bool is_clear(const throng_map *map, throng_point p, double radius)
{
    bool clear = throng_map_fits(map, p, radius);
    for (int32_t r = 0; !clear && radius <= 0 && r < map->ring_count; r++)
        for (int32_t i = map->ring_start[r], j = map->ring_start[r + 1] - 1; i < map->ring_start[r + 1]; j = i++)
            clear |= throng_segment_distance(map->points[j], map->points[i], p) < 1.0 / 4096;
    return clear;
}

static void assert_sound(const throng_map *map, const throng_navmesh *mesh, const throng_path *path, throng_point from,
                         throng_point to)
{
    double length = 0;
    assert_memory_equal(&path->corners[0], &from, sizeof from);
    assert_memory_equal(&path->corners[path->count - 1], &to, sizeof to);
    for (int32_t i = 0; i + 1 < path->count; i++) {
        throng_point a = path->corners[i], b = path->corners[i + 1];
        length += throng_distance(a, b);
        for (int k = 0; k <= 8; k++)
            assert_true(is_clear(map, throng_between(a, b, k / 8.0), mesh->radius - 1e-9));
    }
    assert_true(fabs(length - path->length) <= 1e-12 * (1 + length));
    assert_true(path->length >= throng_distance(from, to) * (1 - 1e-12));
}

static void compare(double side, int boxes, bool lattice, uint32_t seed, double radius, int queries)
{
    throng_map *map = room_of_boxes(side, boxes, lattice, seed);
    throng_navmesh *mesh = mesh_of(map, radius);
    throng_path_search *s = throng_path_search_create();
    rim r = rim_of(mesh);
    uint32_t draw = seed + 100;
    for (int i = 0; i < queries; i++) {
        throng_point from = any_point(mesh, side, &draw), to = any_point(mesh, side, &draw);
        if (i % 4 == 3) /* on corners: legs of no length */
            from = r.a[(int32_t)random_in(&draw, 0, r.count)];
        if (i % 8 == 7)
            to = r.a[(int32_t)random_in(&draw, 0, r.count)];
        double exact = shortest(&r, from, to), there = search(s, mesh, from, to);
        if (isinf(exact)) {
            assert_true(isinf(there));
            continue;
        }
        if (!(fabs(there - exact) <= 1e-9 * (1 + exact)))
            fail_msg("seed %u, query %d: %.12g, not %.12g, from (%.9g, %.9g) to (%.9g, %.9g)", seed, i, there, exact,
                     from.x, from.y, to.x, to.y);
        assert_sound(map, mesh, throng_path_search_path(s), from, to);
        double back = search(s, mesh, to, from);
        assert_true(fabs(there - back) <= 1e-9 * (1 + exact));
    }
    rim_fini(&r);
    throng_path_search_destroy(s);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
}

static void paths_are_shortest_among_turned_boxes(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++)
        compare(16, 4 + (int)seed, false, seed, 0.2, 40);
    compare(40, 60, false, 7, 0.2, 60);
    compare(40, 60, false, 8, 0, 60);
}

static void paths_are_shortest_among_boxes_in_line(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++)
        compare(16, 4 + (int)seed, true, seed, 0.05 + seed % 3 * 0.1, 40);
    compare(40, 80, true, 7, 0.1, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_shortest_among_turned_boxes),
        cmocka_unit_test(paths_are_shortest_among_boxes_in_line),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
