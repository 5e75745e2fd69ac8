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

#include "bench/bench_plans.h"
#include "map/geometry.h"
#include "navigation/path_net.h"
#include "navigation/path_search.h"
#include "rooms.h"

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

/* Paths on the map, which goes, between points of its lower left `side` metres. */
static void compare(throng_map *map, double side, uint32_t seed, double radius, int queries)
{
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
        compare(room_of_boxes(16, 4 + (int)seed, false, seed), 16, seed, 0.2, 40);
    compare(room_of_boxes(40, 60, false, 7), 40, 7, 0.2, 60);
    compare(room_of_boxes(40, 60, false, 8), 40, 8, 0, 60);
}

static void paths_are_shortest_among_boxes_in_line(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++)
        compare(room_of_boxes(16, 4 + (int)seed, true, seed), 16, seed, 0.05 + seed % 3 * 0.1, 40);
    compare(room_of_boxes(40, 80, true, 7), 40, 7, 0.1, 60);
}

/* --- ways that lead nowhere --- */

enum { SUITES = 6, PARTS = 6 * SUITES };
static const double SUITE = 4, CORRIDOR = 2, HALF = 0.1; /* m */

static throng_point part[PARTS][4];
static int32_t parts;

static void add_part(double x0, double y0, double x1, double y1)
{
    throng_point box[] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
    memcpy(part[parts++], box, sizeof box);
}

/* A corridor along the top, and below it rooms with a door to it each; of every two rooms the wall between has a door,
 * too, and `joined`, every such wall has. */
static throng_map *suites_of(uint32_t seed, bool joined)
{
    const double width = SUITES * SUITE, high = SUITE + CORRIDOR, door = 0.9;
    parts = 0;
    for (int i = 0; i < SUITES; i++) {
        double x = i * SUITE, gap = random_in(&seed, x + 0.5, x + SUITE - 0.5 - door);
        add_part(x - HALF, SUITE - HALF, gap, SUITE + HALF);
        add_part(gap + door, SUITE - HALF, x + SUITE + HALF, SUITE + HALF);
        bool open = i > 0 && (joined || i % 2 == 1);
        gap = open ? random_in(&seed, 0.5, SUITE - 0.5 - door) : SUITE;
        add_part(x - HALF, 0, x + HALF, gap);
        if (open)
            add_part(x - HALF, gap + door, x + HALF, SUITE);
    }
    throng_point rim[4] = {{0, 0}, {width, 0}, {width, high}, {0, high}};
    const throng_point *boundary[] = {rim}, *obstacles[PARTS];
    int32_t four = 4, sizes[PARTS];
    for (int32_t i = 0; i < parts; i++) {
        obstacles[i] = part[i];
        sizes[i] = 4;
    }
    throng_error error;
    throng_map *map = throng_map_from_polygons("suites", boundary, &four, 1, obstacles, sizes, parts, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static void paths_through_suites_are_shortest(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 8; seed++)
        compare(suites_of(seed, seed % 2), SUITES * SUITE, seed, 0.2, 60);
}

static int32_t expansions_of(const throng_navmesh *mesh, throng_point from, throng_point to)
{
    throng_path_search *s = throng_path_search_create();
    int32_t left = INT32_MAX;
    throng_path_search_begin(s, mesh, from, to);
    assert_int_equal(throng_path_search_step(s, &left), THRONG_PATH_FOUND);
    throng_path_search_destroy(s);
    return INT32_MAX - left;
}

/* From the first room to the last one, past suites that lead back to the corridor alone. */
static void suites_without_the_goal_are_not_entered(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 8; seed++) {
        throng_map *map = suites_of(seed, false);
        throng_navmesh *mesh = mesh_of(map, 0.2);
        throng_point from = {0.5, 0.5}, to = {SUITES * SUITE - 0.5, 0.5};
        assert_in_range(expansions_of(mesh, from, to), 1, 36); /* with all suites: 39 to 62 */
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

/* --- landmarks: what they tell shortens searches, and no path --- */

enum { MANY = 150 };

static void search_all(throng_navmesh *mesh, throng_point (*ends)[2], double *length, int64_t *expansions)
{
    throng_path_search *s = throng_path_search_create();
    *expansions = 0;
    for (int i = 0; i < MANY; i++) {
        int32_t left = INT32_MAX;
        throng_path_search_begin(s, mesh, ends[i][0], ends[i][1]);
        bool found = throng_path_search_step(s, &left) == THRONG_PATH_FOUND;
        length[i] = found ? throng_path_search_path(s)->length : INFINITY;
        *expansions += INT32_MAX - left;
    }
    throng_path_search_destroy(s);
}

/* The same paths by searches that ask landmarks, and by searches that do not. */
static void compare_with_landmarks(throng_navmesh *mesh, double side, uint32_t seed, int64_t *asked, int64_t *unasked)
{
    static throng_point ends[MANY][2];
    double with[MANY], without[MANY];
    int32_t landmarks = mesh->net->landmark_count;
    assert_true(landmarks > 0);
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < 2; k++)
            ends[i][k] = any_point(mesh, side, &seed);
    search_all(mesh, ends, with, asked);
    mesh->net->landmark_count = 0;
    search_all(mesh, ends, without, unasked);
    mesh->net->landmark_count = landmarks;
    for (int i = 0; i < MANY; i++)
        if (with[i] != without[i] && !(fabs(with[i] - without[i]) <= 1e-9 * without[i]))
            fail_msg("query %d: %.12g, not %.12g", i, with[i], without[i]);
}

/* Closes some of the narrow passages, and makes others cost something. */
static void hamper(throng_navmesh *mesh, uint32_t seed)
{
    for (int32_t e = 0; e < mesh->edge_count; e++) {
        int32_t twin = mesh->twin[e];
        double width =
            throng_distance((throng_point){mesh->ax[e], mesh->ay[e]}, (throng_point){mesh->bx[e], mesh->by[e]});
        if (twin < e || width > 0.45)
            continue;
        mesh->shut[e] = mesh->shut[twin] = random_in(&seed, 0, 1) < 0.05;
        mesh->cost[e] = mesh->cost[twin] = fmax(random_in(&seed, -20, 5), 0);
    }
    assert_true(throng_path_net_update(mesh->net, mesh));
}

static void landmarks_shorten_searches_alone(void **state)
{
    (void)state;
    static const struct {
        int32_t plan;
        double side;
    } plans[] = {{THRONG_BENCH_OFFICE, 125}, {THRONG_BENCH_ROOMS, 160}, {THRONG_BENCH_BOXES, 200}};
    for (int i = 0; i < 3; i++) {
        int64_t asked, unasked;
        throng_error error;
        throng_map *map = throng_bench_plan(plans[i].plan, &error);
        throng_navmesh *mesh = mesh_of(map, 0.25), *copy = throng_navmesh_copy(mesh);
        compare_with_landmarks(mesh, plans[i].side, 1, &asked, &unasked);
        assert_true(4 * asked < 3 * unasked);
        compare_with_landmarks(copy, plans[i].side, 2, &asked, &unasked);
        assert_true(4 * asked < 3 * unasked);
        hamper(mesh, 3);
        compare_with_landmarks(mesh, plans[i].side, 4, &asked, &unasked);
        assert_true(asked < unasked);
        throng_navmesh_destroy(copy);
        throng_navmesh_destroy(mesh);
        throng_map_destroy(map);
    }
}

/* --- doors that cost something --- */

enum { ROOMS_X = 3, ROOMS_Y = 2, DOORS = (ROOMS_X - 1) * ROOMS_Y + ROOMS_X * (ROOMS_Y - 1), INSIDE = 8 };
static const double ROOM = 6, HALF_WALL = 0.15; /* m */

typedef struct rooms {
    throng_point walls[2 * DOORS + INSIDE][5];
    const throng_point *obstacles[2 * DOORS + INSIDE];
    int32_t sizes[2 * DOORS + INSIDE], count;
    throng_point ends[DOORS][2];
    int32_t doors;
} rooms;

/* From the room's corner along a wall to the gap, where it ends flat or in a point. */
static void add_wall(rooms *r, throng_point from, throng_point to, bool pointed)
{
    double length = throng_distance(from, to), x = (to.x - from.x) / length, y = (to.y - from.y) / length;
    double back = pointed ? HALF_WALL : 0, u = HALF_WALL * x, v = HALF_WALL * y;
    throng_point *w = r->walls[r->count];
    throng_point shoulder = {to.x - back * x, to.y - back * y};
    int32_t n = 0;
    w[n++] = (throng_point){from.x - u + v, from.y - v - u};
    w[n++] = (throng_point){shoulder.x + v, shoulder.y - u};
    if (pointed)
        w[n++] = to;
    w[n++] = (throng_point){shoulder.x - v, shoulder.y + u};
    w[n++] = (throng_point){from.x - u - v, from.y - v + u};
    r->obstacles[r->count] = w;
    r->sizes[r->count++] = n;
}

/* A wall from `a` to `b` with a door in it, which stands askew where walls are pointed: paths bend there without going
 * through. */
static void add_doorway(rooms *r, throng_point a, throng_point b, bool pointed, uint32_t *seed)
{
    double t = random_in(seed, 0.1, 0.7), u = t + random_in(seed, 0.15, 0.25);
    throng_point *ends = r->ends[r->doors++];
    double askew = pointed ? random_in(seed, -1.2, 1.2) / ROOM : 0, x = askew * (b.y - a.y), y = askew * (a.x - b.x);
    ends[0] = throng_between(a, b, t);
    ends[1] = throng_between(a, b, u);
    ends[0] = (throng_point){ends[0].x + x, ends[0].y + y};
    ends[1] = (throng_point){ends[1].x - x, ends[1].y - y};
    add_wall(r, a, ends[0], pointed);
    add_wall(r, b, ends[1], pointed);
}

/* Rooms with doors between them and a few boxes inside. */
static throng_map *rooms_of(uint32_t seed, bool pointed)
{
    static rooms r;
    r = (rooms){0};
    for (int x = 1; x < ROOMS_X; x++)
        for (int y = 0; y < ROOMS_Y; y++)
            add_doorway(&r, (throng_point){x * ROOM, y * ROOM}, (throng_point){x * ROOM, (y + 1) * ROOM}, pointed,
                        &seed);
    for (int x = 0; x < ROOMS_X; x++)
        for (int y = 1; y < ROOMS_Y; y++)
            add_doorway(&r, (throng_point){x * ROOM, y * ROOM}, (throng_point){(x + 1) * ROOM, y * ROOM}, pointed,
                        &seed);
    for (int i = 0; i < INSIDE; i++) {
        double x = (i % ROOMS_X + random_in(&seed, 0.3, 0.7)) * ROOM, y = (i % 2 + random_in(&seed, 0.3, 0.7)) * ROOM;
        double w = random_in(&seed, 0.1, 0.6), h = random_in(&seed, 0.1, 0.6);
        throng_point box[] = {{x - w, y - h}, {x + w, y - h}, {x + w, y + h}, {x - w, y + h}};
        memcpy(r.walls[r.count], box, sizeof box);
        r.obstacles[r.count] = r.walls[r.count];
        r.sizes[r.count++] = 4;
    }
    throng_point rim[4] = {{0, 0}, {ROOMS_X * ROOM, 0}, {ROOMS_X * ROOM, ROOMS_Y * ROOM}, {0, ROOMS_Y * ROOM}};
    const throng_point *boundary[] = {rim};
    int32_t four = 4;
    throng_error error;
    throng_map *map = throng_map_from_polygons("rooms", boundary, &four, 1, r.obstacles, r.sizes, r.count, &error);
    for (int32_t d = 0; map && d < DOORS; d++) {
        char name[32];
        snprintf(name, sizeof name, "door %d", d);
        assert_true(throng_map_add_door(map, name, r.ends[d][0], r.ends[d][1], &error));
    }
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

enum { CHOICES = 1 << DOORS, QUERIES = 12 };

/* Exact in floats, as a tree's paths start there. */
static throng_point in_rooms(const throng_navmesh *mesh, uint32_t *seed)
{
    throng_point p = any_point(mesh, ROOMS_X * ROOM, seed);
    return (throng_point){round(p.x * 1024) / 1024, round(p.y * 1024) / 1024};
}

typedef struct query {
    throng_point from, to;
    double best, length; /* m: with what the doors cost, and without, of the best choice of doors */
} query;

/* The best path leads through some of the doors, once through each: with these open and all others closed it is the
 * shortest, in a mesh where nothing costs anything. */
static void choose_doors(query *q, int count, throng_navmesh *mesh, const double *cost)
{
    throng_path_search *s = throng_path_search_create();
    for (int i = 0; i < count; i++)
        q[i].best = INFINITY;
    for (int choice = 0; choice < CHOICES; choice++) {
        double sum = 0;
        for (int32_t d = 0; d < DOORS; d++) {
            throng_navmesh_set_door(mesh, d, choice >> d & 1);
            sum += choice >> d & 1 ? cost[d] : 0;
        }
        assert_true(throng_path_net_update(mesh->net, mesh));
        for (int i = 0; i < count; i++) {
            double length = search(s, mesh, q[i].from, q[i].to);
            if (length + sum < q[i].best) {
                q[i].best = length + sum;
                q[i].length = length;
            }
        }
    }
    for (int32_t d = 0; d < DOORS; d++)
        throng_navmesh_set_door(mesh, d, true);
    throng_path_search_destroy(s);
}

static double length_along_tree(const throng_navmesh *mesh, const query *q)
{
    throng_point to = q->to;
    throng_region goal = {.name = "goal", .points = &to, .count = 1};
    throng_error error;
    throng_path path;
    throng_path_map *tree = throng_path_map_build(mesh, &goal, 1, NULL, &error);
    assert_non_null(tree);
    int32_t face = throng_navmesh_face_at(mesh, (float)q->from.x, (float)q->from.y);
    assert_true(throng_path_map_path(tree, face, (float)q->from.x, (float)q->from.y, &path));
    double length = path.length;
    throng_path_fini(&path);
    throng_path_map_destroy(tree);
    return length;
}

/* The length is what is walked: it is that of the best choice only where the costs were heeded. Returns how many paths
 * are others than without costs. */
static int compare_choices(uint32_t seed, bool pointed, double radius)
{
    throng_map *map = rooms_of(seed, pointed);
    throng_navmesh *mesh = mesh_of(map, radius);
    throng_path_search *s = throng_path_search_create();
    query q[QUERIES];
    double cost[DOORS];
    uint32_t draw = seed + 100;
    int changed = 0;
    for (int i = 0; i < QUERIES; i++)
        q[i] = (query){.from = in_rooms(mesh, &draw), .to = in_rooms(mesh, &draw)};
    for (int32_t d = 0; d < DOORS; d++)
        cost[d] = fmax(random_in(&draw, -4, 12), 0);
    choose_doors(q, QUERIES, mesh, cost);
    for (int32_t d = 0; d < DOORS; d++)
        throng_navmesh_set_cost(mesh, d, cost[d]);
    throng_navmesh *free_mesh = mesh_of(map, radius);
    assert_true(throng_path_net_update(mesh->net, mesh));
    for (int i = 0; i < QUERIES; i++) {
        double there = search(s, mesh, q[i].from, q[i].to), back = search(s, mesh, q[i].to, q[i].from);
        double tree = length_along_tree(mesh, &q[i]);
        if (!(fabs(there - q[i].length) <= 1e-9 * (1 + there)) || !(fabs(back - there) <= 1e-9 * (1 + there)) ||
            !(fabs(tree - there) <= 1e-6))
            fail_msg("seed %u, query %d: %.12g there, %.12g back, %.12g by the tree, not %.12g, from (%.9g, %.9g) to "
                     "(%.9g, %.9g)",
                     seed, i, there, back, tree, q[i].length, q[i].from.x, q[i].from.y, q[i].to.x, q[i].to.y);
        changed += there > search(s, free_mesh, q[i].from, q[i].to) + 1e-6;
    }
    throng_path_search_destroy(s);
    throng_navmesh_destroy(free_mesh);
    throng_navmesh_destroy(mesh);
    throng_map_destroy(map);
    return changed;
}

/* Some of these run along a door from jamb to jamb, whose line is straight within a step of the grid: it would be
 * passed more than once. */
static void paths_lead_through_the_doors_that_cost_least(void **state)
{
    (void)state;
    int changed = 0;
    for (uint32_t seed = 1; seed <= 48; seed++) {
        changed += compare_choices(seed, true, 0); /* doors end on the corners that paths bend at */
        changed += compare_choices(seed + 50, true, 0.2);
        changed += compare_choices(seed + 100, false, 0.2);
    }
    assert_true(changed > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_shortest_among_turned_boxes),
        cmocka_unit_test(paths_are_shortest_among_boxes_in_line),
        cmocka_unit_test(paths_through_suites_are_shortest),
        cmocka_unit_test(suites_without_the_goal_are_not_entered),
        cmocka_unit_test(landmarks_shorten_searches_alone),
        cmocka_unit_test(paths_lead_through_the_doors_that_cost_least),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
