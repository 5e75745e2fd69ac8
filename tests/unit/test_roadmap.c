/* The roadmap: sight between corners against brute force, and lengths against the navmesh's. */
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
#include "navigation/roadmap.h"
#include "navigation/goal_sides.h"
#include "paths.h"
#include "rooms.h"

static uint32_t random_below(uint32_t *seed, uint32_t most)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % most;
}

typedef struct built {
    throng_map *map;
    throng_navmesh *mesh;
    throng_roadmap *roadmap;
} built;

static built build_of(throng_map *map, throng_navmesh *mesh)
{
    throng_error error;
    assert_non_null(mesh);
    built b = {map, mesh, throng_roadmap_build(mesh, NULL, &error)};
    assert_non_null(b.roadmap);
    return b;
}

static built build(throng_map *map, double radius)
{
    throng_error error;
    return build_of(map, throng_navmesh_build(map, radius, &error));
}

static void destroy(built *b)
{
    throng_roadmap_destroy(b->roadmap);
    throng_navmesh_destroy(b->mesh);
    throng_map_destroy(b->map);
}

/* --- sight between corners --- */

/* A room of whole metres with obstacles in it, one in a square of a grid that leaves rows and columns free: boxes,
 * diamonds, slivers and notched blocks, so that corners line up everywhere; doors between neighbours of a row end on
 * corners and sides. */
static throng_map *room_in_line(uint32_t seed)
{
    static const throng_point shapes[][6] = {{{1, 1}, {1, 3}, {3, 3}, {3, 1}},
                                             {{1, 2}, {2, 3}, {3, 2}, {2, 1}},
                                             {{1, 1}, {3, 3}, {3, 2}},
                                             {{1, 1}, {1, 3}, {3, 3}, {3, 2}, {2, 2}, {2, 1}},
                                             {{1, 3}, {3, 3}, {2, 2}, {3, 1}, {1, 1}},
                                             {{1, 2}, {3, 3}, {3, 1}}};
    static const int32_t corners[] = {4, 4, 3, 6, 5, 3};
    static const bool at_right[] = {1, 1, 1, 1, 0, 1}, at_left[] = {1, 1, 0, 1, 1, 1}; /* a door may end, at y = 2 */
    throng_point room[] = {{0, 0}, {32, 0}, {32, 32}, {0, 32}}, points[64][6];
    const throng_point *boundary[] = {room}, *obstacles[64];
    int32_t sizes[64], four = 4, count = 0;
    uint32_t kinds[64];
    for (int square = 0; square < 64; square++) {
        uint32_t kind = kinds[square] = random_below(&seed, 9);
        if (kind >= 6)
            continue;
        for (int i = 0; i < corners[kind]; i++)
            points[count][i] =
                (throng_point){4 * (square % 8) + shapes[kind][i].x, 4 * (square / 8) + shapes[kind][i].y};
        obstacles[count] = points[count];
        sizes[count++] = corners[kind];
    }
    throng_error error;
    throng_map *map = throng_map_from_polygons("lines", boundary, &four, 1, obstacles, sizes, count, &error);
    assert_non_null(map);
    for (int square = 1; square < 64; square++) {
        uint32_t left = kinds[square - 1], right = kinds[square];
        throng_point end = {4 * (square % 8) + 1, 4 * (square / 8) + 2};
        char name[16];
        snprintf(name, sizeof name, "%d", square);
        if (square % 8 && left < 6 && right < 6 && at_right[left] && at_left[right])
            assert_true(throng_map_add_door(map, name, (throng_point){end.x - 2, end.y}, end, &error));
    }
    return map;
}

enum { MOST_SIDES = 1024 };

/* The outline of a mesh as closed rings of sides, free space on the left, and the corners that are nodes. */
typedef struct outline {
    throng_point at[MOST_SIDES]; /* where side i starts */
    int32_t next[MOST_SIDES], previous[MOST_SIDES], count;
} outline;

static bool is_same(throng_point p, throng_point q) { return p.x == q.x && p.y == q.y; }

static double turn_at(const outline *o, int32_t i)
{
    return throng_turn(o->at[o->previous[i]], o->at[i], o->at[o->next[i]]);
}

/* Sides of walls and of what bodies cover, of which those in a line are one. */
static void outline_of(const throng_navmesh *m, outline *o)
{
    throng_point end[MOST_SIDES];
    o->count = 0;
    for (int32_t e = 0; e < m->edge_count; e++)
        if (throng_navmesh_ends_at(m, e) && !throng_navmesh_is_covered(m, m->face[e])) {
            assert_true(o->count < MOST_SIDES);
            o->at[o->count] = (throng_point){m->ax[e], m->ay[e]};
            end[o->count++] = (throng_point){m->bx[e], m->by[e]};
        }
    for (int32_t i = 0; i < o->count; i++)
        for (int32_t k = 0; k < o->count; k++)
            if (is_same(end[i], o->at[k])) {
                o->next[i] = k;
                o->previous[k] = i;
            }
    for (int32_t i = 0; i < o->count; i++)
        if (turn_at(o, i) == 0) {
            o->next[o->previous[i]] = o->next[i];
            o->previous[o->next[i]] = o->previous[i];
            o->next[i] = o->previous[i] = i;
        }
}

static bool crosses(throng_point a, throng_point b, throng_point c, throng_point d)
{
    return throng_turn(a, b, c) * throng_turn(a, b, d) < 0 && throng_turn(c, d, a) * throng_turn(c, d, b) < 0;
}

static bool lies_between(throng_point a, throng_point b, throng_point p)
{
    double along = (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
    return throng_turn(a, b, p) == 0 && along > 0 && along < (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
}

static bool enters(const outline *o, int32_t corner, throng_point other)
{
    return throng_turn(other, o->at[corner], o->at[o->previous[corner]]) *
               throng_turn(other, o->at[corner], o->at[o->next[corner]]) <
           0;
}

/* Of two corners that paths bend at: does no side cross the line between them, and no corner lie on it? */
static bool sees(const outline *o, int32_t i, int32_t k)
{
    if (i == k || enters(o, i, o->at[k]) || enters(o, k, o->at[i]))
        return false;
    for (int32_t c = 0; c < o->count; c++)
        if (o->next[c] != c &&
            (crosses(o->at[i], o->at[k], o->at[c], o->at[o->next[c]]) || lies_between(o->at[i], o->at[k], o->at[c])))
            return false;
    return true;
}

static int32_t node_at(const throng_roadmap *r, throng_point p)
{
    for (int32_t n = 0; n < r->node_count; n++)
        if (is_same(r->at[n], p))
            return n;
    return -1;
}

static int edges_between(const throng_roadmap *r, int32_t n, int32_t to)
{
    int count = 0;
    for (int32_t e = r->edge_start[n]; e < r->edge_start[n + 1]; e++)
        count += r->edge_to[e] == to;
    return count;
}

/* Returns how many edges there are. */
static int32_t check_edges(const char *what, uint32_t seed, const built *b)
{
    static outline o;
    int32_t nodes = 0, node[MOST_SIDES];
    outline_of(b->mesh, &o);
    for (int32_t i = 0; i < o.count; i++) {
        node[i] = turn_at(&o, i) < 0 ? node_at(b->roadmap, o.at[i]) : -1;
        nodes += node[i] >= 0;
    }
    assert_int_equal(nodes, b->roadmap->node_count);
    for (int32_t i = 0; i < o.count; i++)
        for (int32_t k = 0; k < o.count; k++)
            if (node[i] >= 0 && node[k] >= 0 && edges_between(b->roadmap, node[i], node[k]) != sees(&o, i, k))
                fail_msg("%s %u: from (%.9g, %.9g) to (%.9g, %.9g): %d edges", what, seed, o.at[i].x, o.at[i].y,
                         o.at[k].x, o.at[k].y, edges_between(b->roadmap, node[i], node[k]));
    return b->roadmap->edge_start[nodes];
}

/* With boxes of a metre that stand where they please, over walls and each other, too. */
static throng_navmesh *with_bodies(const throng_map *map, uint32_t seed)
{
    throng_error error;
    throng_region bodies[6];
    throng_point box[6][4];
    throng_navmesh *mesh = throng_navmesh_build(map, 0.2, &error);
    assert_non_null(mesh);
    for (int i = 0; i < 6; i++) {
        double x = random_in(&seed, 1, 30), y = random_in(&seed, 1, 30);
        memcpy(box[i], (throng_point[]){{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}, sizeof box[i]);
        bodies[i] = (throng_region){.points = box[i], .count = 4};
    }
    throng_navmesh *covered = throng_navmesh_cover(mesh, map, bodies, 6, &error);
    throng_navmesh_destroy(mesh);
    return covered;
}

static void edges_are_those_of_brute_force(void **state)
{
    (void)state;
    int32_t edges = 0;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        built lined = build(room_in_line(seed), 0), turned = build(cluttered_room(20, 30, seed), 0.05 * (seed % 8));
        edges += check_edges("room in line", seed, &lined) + check_edges("room of turned boxes", seed, &turned);
        destroy(&lined);
        destroy(&turned);
    }
    for (uint32_t seed = 1; seed <= 10; seed++) {
        throng_map *map = room_in_line(seed);
        built b = build_of(map, with_bodies(map, seed));
        edges += check_edges("room with bodies", seed, &b);
        destroy(&b);
    }
    assert_true(edges > 20000);
}

/* --- paths --- */

static throng_point random_place(const built *b, uint32_t *seed, double side)
{
    throng_point p;
    do
        p = (throng_point){(float)random_in(seed, 0, side), (float)random_in(seed, 0, side)};
    while (throng_navmesh_face_at(b->mesh, (float)p.x, (float)p.y) < 0);
    return p;
}

/* The way between portals is never shorter (it is exact, or keeps to a corridor that is not the best), and the
 * roadmap's is no shorter than the straight line and lies in the mesh. */
static void paths_are_shortest(void **state)
{
    (void)state;
    int equal = 0, all = 0;
    for (uint32_t seed = 1; seed <= 6; seed++) {
        built b = build(cluttered_room(20, 24, seed), 0.25);
        for (int i = 0; i < 60; i++, all++) {
            throng_point from = random_place(&b, &seed, 20), to = random_place(&b, &seed, 20);
            throng_path by_portals, by_nodes;
            bool found = find_path(b.mesh, from, to, &by_portals);
            assert_int_equal(found, throng_roadmap_path(b.mesh, b.roadmap, from, to, &by_nodes));
            if (!found)
                continue;
            assert_true(by_nodes.length <= by_portals.length + 1e-5);
            double length = 0;
            for (int32_t k = 1; k < by_nodes.count; k++) {
                throng_point a = by_nodes.corners[k - 1], c = by_nodes.corners[k], middle = throng_between(a, c, 0.5);
                float x, y;
                assert_true(throng_navmesh_nearest(b.mesh, (float)middle.x, (float)middle.y, 1e-3f, &x, &y) >= 0);
                length += throng_distance(a, c);
            }
            assert_true(fabs(length - by_nodes.length) < 1e-9);
            equal += by_portals.length - by_nodes.length < 1e-4;
            throng_path_fini(&by_portals);
            throng_path_fini(&by_nodes);
        }
        destroy(&b);
    }
    assert_true(equal > all * 8 / 10);
}

/* m: by the visible node from which the way is shortest in all, or straight to the goal, a point. */
static double least_length(const built *b, const throng_roadmap_tree *tree, int32_t face, throng_point from)
{
    double least = INFINITY;
    if (throng_navmesh_sees(b->mesh, face, from, tree->sides.a[0], false))
        least = throng_distance(from, tree->sides.a[0]);
    for (int32_t i = b->roadmap->face_start[face]; i < b->roadmap->face_start[face + 1]; i++) {
        int32_t n = b->roadmap->face_node[i];
        if (throng_navmesh_sees(b->mesh, face, from, b->roadmap->beside[n], false))
            least = fmin(least, throng_distance(from, b->roadmap->at[n]) + (double)tree->cost[n]);
    }
    return least;
}

/* A tree's lengths are those of paths to the same point, and of the navmesh's tree, which may only be longer. */
static void trees_and_paths_agree(void **state)
{
    (void)state;
    uint32_t seed = 7;
    int equal = 0, all = 0;
    built b = build(cluttered_room(20, 24, 3), 0.25);
    for (int t = 0; t < 8; t++) {
        throng_error error;
        throng_point goal = random_place(&b, &seed, 20);
        throng_region region = {.points = &goal, .count = 1};
        throng_roadmap_tree *tree = throng_roadmap_tree_build(b.mesh, b.roadmap, &region, 1, false, &error);
        throng_path_map *portals = path_map_of(b.mesh, &goal, 1, &error);
        assert_true(tree && portals);
        for (int32_t n = 0; n < b.roadmap->node_count; n++)
            if (tree->next[n] >= 0)
                assert_true(tree->cost[tree->next[n]] < tree->cost[n]);
        for (int i = 0; i < 50; i++, all++) {
            throng_point from = random_place(&b, &seed, 20);
            int32_t face = throng_navmesh_face_at(b.mesh, (float)from.x, (float)from.y);
            throng_path path;
            double length = least_length(&b, tree, face, from);
            assert_int_equal(isfinite(length), throng_roadmap_path(b.mesh, b.roadmap, from, goal, &path));
            if (!isfinite(length))
                continue;
            assert_true(fabs(path.length - length) < 1e-4);
            double by_portals = (double)path_map_length(portals, face, (float)from.x, (float)from.y);
            assert_true(length < by_portals + 1e-4);
            equal += by_portals - length < 1e-4;
            throng_path_fini(&path);
        }
        throng_path_map_destroy(portals);
        throng_roadmap_tree_destroy(tree);
    }
    assert_true(equal > all * 8 / 10);
    destroy(&b);
}

/* What is seen of the goal or of a node in the face's list begins a way from anywhere. */
static void every_place_has_a_first_node(void **state)
{
    (void)state;
    uint32_t seed = 5;
    built b = build(cluttered_room(20, 30, 9), 0.3);
    for (int i = 0; i < 500; i++) {
        throng_point from = random_place(&b, &seed, 20), to = random_place(&b, &seed, 20);
        int32_t start = throng_navmesh_face_at(b.mesh, (float)from.x, (float)from.y);
        int32_t end = throng_navmesh_face_at(b.mesh, (float)to.x, (float)to.y);
        throng_path path;
        bool found = throng_roadmap_path(b.mesh, b.roadmap, from, to, &path);
        assert_int_equal(found, b.mesh->component[start] == b.mesh->component[end]);
        throng_path_fini(&path);
    }
    destroy(&b);
}

/* A room with boxes in rows and columns: sides of its faces lie in one line. */
static throng_map *room_with_rows(void)
{
    throng_point square[4] = {{0, 0}, {20, 0}, {20, 20}, {0, 20}}, boxes[16][4];
    const throng_point *boundary[] = {square}, *obstacles[16];
    int32_t sizes[16], four = 4;
    for (int i = 0; i < 16; i++) {
        double x = 3 + 4 * (i % 4), y = 3 + 4 * (i / 4);
        throng_point box[4] = {{x, y}, {x + 1.5, y}, {x + 1.5, y + 1}, {x, y + 1}};
        memcpy(boxes[i], box, sizeof box);
        obstacles[i] = boxes[i];
        sizes[i] = 4;
    }
    throng_error error;
    throng_map *map = throng_map_from_polygons("rows", boundary, &four, 1, obstacles, sizes, 16, &error);
    assert_non_null(map);
    return map;
}

/* Does a wall's side lie between? -1: nearly. */
static int is_hidden(const throng_navmesh *m, throng_point from, throng_point to)
{
    const double near = 1e-3;
    int hidden = 0;
    for (int32_t e = 0; e < m->face_start[m->face_count]; e++) {
        throng_point a = {m->ax[e], m->ay[e]}, b = {m->bx[e], m->by[e]};
        double sides[] = {throng_turn(from, to, a), throng_turn(from, to, b), throng_turn(a, b, from),
                          throng_turn(a, b, to)};
        if (m->twin[e] >= 0)
            continue;
        if (fabs(sides[0]) < near || fabs(sides[1]) < near)
            return -1;
        hidden |= sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0;
    }
    return hidden;
}

static void sight_is_not_lost_where_sides_lie_in_a_line(void **state)
{
    (void)state;
    uint32_t seed = 11;
    int seen = 0, hidden = 0;
    built b = build(room_with_rows(), 0.25);
    for (int i = 0; i < 4000; i++) {
        throng_point from = random_place(&b, &seed, 20), to = random_place(&b, &seed, 20);
        int32_t face = throng_navmesh_face_at(b.mesh, (float)from.x, (float)from.y);
        int expected = is_hidden(b.mesh, from, to);
        if (expected < 0)
            continue;
        if (throng_navmesh_sees(b.mesh, face, from, to, false) == expected)
            fail_msg("from (%g, %g) to (%g, %g): should be %s", from.x, from.y, to.x, to.y,
                     expected ? "hidden" : "seen");
        *(expected ? &hidden : &seen) += 1;
    }
    assert_true(seen > 300 && hidden > 300);
    destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_those_of_brute_force),
        cmocka_unit_test(paths_are_shortest),
        cmocka_unit_test(trees_and_paths_agree),
        cmocka_unit_test(every_place_has_a_first_node),
        cmocka_unit_test(sight_is_not_lost_where_sides_lie_in_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
