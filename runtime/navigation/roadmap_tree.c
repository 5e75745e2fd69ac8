/* Shortest paths over the roadmap: Dijkstra's algorithm from the goal. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "navmesh_lifts.h"
#include "navmesh_plane.h"
#include "roadmap.h"

/* A closed door as the graph meets it. */
typedef struct bar {
    throng_point a, b;
} bar;

typedef struct search {
    const throng_navmesh *mesh;
    const throng_roadmap *roadmap;
    bar *bars; /* closed doors that are heeded */
    int32_t bar_count;
    struct put_off {
        int32_t node, next;
        double length;
    } * put_off; /* paths through them, for when there is no other */
    int32_t put_off_count, put_off_room;
    double *cost; /* [node_count] m to the goal */
    int32_t *next;
    uint8_t *settled;
    throng_heap open;
    bool failed;
} search;

static bool search_init(search *s, const throng_navmesh *mesh, const throng_roadmap *roadmap)
{
    size_t n = (size_t)roadmap->node_count + 1;
    *s = (search){.mesh = mesh, .roadmap = roadmap};
    s->cost = malloc(n * sizeof *s->cost);
    s->next = malloc(n * sizeof *s->next);
    s->settled = calloc(n, 1);
    for (size_t i = 0; s->cost && s->next && i < n; i++) {
        s->cost[i] = INFINITY;
        s->next[i] = -1;
    }
    return s->cost && s->next && s->settled;
}

static void search_fini(search *s)
{
    free(s->cost);
    free(s->next);
    free(s->settled);
    free(s->open.entries);
    free(s->bars);
    free(s->put_off);
}

/* m: what passing a node costs, or the seam that it leads over. */
static double cost_of(const search *s, int32_t node)
{
    const throng_roadmap *r = s->roadmap;
    int32_t portal = r->portal ? r->portal[node] : -1;
    double cost = r->node_cost ? r->node_cost[node] : 0;
    if (portal < 0)
        return cost;
    return throng_navmesh_runs_against(s->mesh, portal) ? (double)INFINITY : cost + s->mesh->cost[portal];
}

static void offer(search *s, int32_t node, double cost, int32_t next)
{
    cost += cost_of(s, node);
    if (!(cost < s->cost[node]))
        return;
    s->cost[node] = cost;
    s->next[node] = next;
    if (!throng_heap_push(&s->open, cost, node))
        s->failed = true;
}

static int side_of(const bar *b, throng_point p) { return throng_turn(b->a, b->b, p) > 0 ? 1 : -1; }

static bool is_barred(const search *s, throng_point p, throng_point q)
{
    for (int32_t i = 0; i < s->bar_count; i++) {
        const bar *b = &s->bars[i], line = {p, q};
        if (side_of(b, p) != side_of(b, q) && side_of(&line, b->a) != side_of(&line, b->b))
            return true;
    }
    return false;
}

static void put_off(search *s, int32_t node, int32_t next, double length)
{
    if (throng_array_reserve((void **)&s->put_off, &s->put_off_room, (int64_t)s->put_off_count + 1, sizeof *s->put_off))
        s->put_off[s->put_off_count++] = (struct put_off){node, next, length};
    else
        s->failed = true;
}

/* Where a node is seen from the way to it. */
static throng_point seen_at(const throng_roadmap *r, int32_t node)
{
    return r->portal && r->portal[node] >= 0 ? r->at[node] : r->beside[node];
}

/* Who leaves a lift here came from its other cars. */
static void settle_ride(search *s, int32_t node)
{
    const throng_roadmap *r = s->roadmap;
    const throng_mesh_lifts *l = s->mesh->lifts;
    int32_t to = r->stop ? r->stop[node] : -1;
    if (to < 0 || !(l->use[to] & THRONG_STOP_LEAVE))
        return;
    const throng_map_lift *lift = &l->map.lifts[l->map.stops[to].lift];
    for (int32_t from = lift->first; from < lift->first + lift->count; from++)
        if (from != to && r->stop_node[from] >= 0 && (l->use[from] & THRONG_STOP_BOARD))
            offer(s, r->stop_node[from] + node - r->stop_node[to],
                  s->cost[node] + throng_lift_wait(&l->map, lift) + throng_lift_ride(&l->map, from, to), node);
}

static void settle(search *s, int32_t node)
{
    const throng_roadmap *r = s->roadmap;
    s->settled[node] = 1;
    settle_ride(s, node);
    for (int32_t e = r->edge_start[node]; e < r->edge_start[node + 1]; e++) {
        int32_t to = r->edge_to[e];
        if (is_barred(s, seen_at(r, node), r->beside[to]))
            put_off(s, to, node, r->edge_length[e]);
        else
            offer(s, to, s->cost[node] + r->edge_length[e], node);
    }
}

/* Closed doors are gone through only to nodes that have no other way: what was put off is taken up when nothing else
 * is left. */
static bool run(search *s)
{
    do {
        for (int32_t i = 0; i < s->put_off_count; i++) {
            struct put_off *o = &s->put_off[i];
            if (!s->settled[o->node])
                offer(s, o->node, s->cost[o->next] + o->length, o->next);
        }
        s->put_off_count = 0;
        while (s->open.count > 0 && !s->failed) {
            s->failed = throng_given_up();
            int32_t node = throng_heap_pop(&s->open);
            if (!s->settled[node])
                settle(s, node);
        }
    } while (s->put_off_count > 0 && !s->failed);
    return !s->failed;
}

/* --- trees --- */

static int32_t face_of(const throng_navmesh *mesh, throng_point p)
{
    return throng_navmesh_face_at(mesh, (float)p.x, (float)p.y);
}

/* The node's path may end on a side of the goal: at the nearest of a few points of it that it sees. */
static void end_on(search *s, const throng_navmesh *mesh, int32_t node, int32_t face, throng_point a, throng_point b)
{
    bool through = s->roadmap->portal && s->roadmap->portal[node] >= 0;
    throng_point at = through ? s->roadmap->beside[node] : s->roadmap->at[node],
                 ends[] = {throng_nearest_on(a, b, at), a, b};
    for (int i = 0; i < 3; i++)
        if (throng_distance(at, ends[i]) < s->cost[node] &&
            throng_navmesh_sees(mesh, face, s->roadmap->beside[node], ends[i], s->bars != NULL))
            offer(s, node, throng_distance(at, ends[i]), -1);
}

static bool keep(const search *s, throng_roadmap_tree *tree)
{
    size_t n = (size_t)s->roadmap->node_count;
    tree->cost = malloc((n + 1) * sizeof *tree->cost);
    tree->next = malloc((n + 1) * sizeof *tree->next);
    if (!tree->cost || !tree->next)
        return false;
    memcpy(tree->next, s->next, n * sizeof *tree->next);
    for (size_t i = 0; i < n; i++)
        tree->cost[i] = (float)s->cost[i];
    return true;
}

/* The closed portals, a little longer than they are: walls hold their ends. */
static bool find_bars(search *s, const throng_navmesh *mesh)
{
    static const double beyond = 0.02; /* m: farther than nodes are steered for beside their corners */
    s->bars = malloc(((size_t)mesh->edge_count + 1) * sizeof *s->bars);
    for (int32_t e = 0; s->bars && e < mesh->edge_count; e++) {
        throng_point a = {(double)mesh->ax[e], (double)mesh->ay[e]}, b = {(double)mesh->bx[e], (double)mesh->by[e]};
        double by = beyond / throng_distance(a, b);
        if (mesh->shut[e] && mesh->door[e] >= 0 && mesh->twin[e] > e)
            s->bars[s->bar_count++] = (bar){throng_between(a, b, -by), throng_between(a, b, 1 + by)};
    }
    return s->bars != NULL;
}

/* `plane`: the mesh, or a building's laid out, by whose places the goal's sides are. */
static bool grow(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_roadmap *roadmap,
                 throng_roadmap_tree *tree)
{
    search s;
    bool fine = search_init(&s, mesh, roadmap) && (!tree->heed_doors || find_bars(&s, plane));
    for (int32_t n = 0; fine && n < roadmap->node_count; n++) {
        int32_t face = face_of(plane, roadmap->beside[n]);
        for (int32_t i = 0; face >= 0 && i < tree->side_count; i++)
            end_on(&s, plane, n, face, tree->sides.a[i], tree->sides.b[i]);
    }
    fine = fine && run(&s) && keep(&s, tree);
    search_fini(&s);
    return fine;
}

static void to_positions(const throng_navmesh *mesh, throng_goal_sides *sides)
{
    for (int32_t f = 0; f < mesh->face_count; f++)
        for (int32_t i = sides->start[f]; i < sides->start[f + 1]; i++) {
            sides->a[i] = throng_navmesh_position(mesh, f, sides->a[i]);
            sides->b[i] = throng_navmesh_position(mesh, f, sides->b[i]);
        }
}

static throng_roadmap_tree *build(const throng_navmesh *mesh, const throng_navmesh *plane,
                                  const throng_roadmap *roadmap, const throng_region *goals, int32_t count,
                                  bool heed_doors, throng_error *error)
{
    throng_goal_sides sides;
    if (!throng_goal_sides_cut(plane, mesh, goals, count, &sides, error))
        return NULL;
    throng_roadmap_tree *tree = calloc(1, sizeof *tree);
    if (!tree) {
        throng_goal_sides_fini(&sides);
    } else {
        tree->sides = sides;
        tree->side_count = sides.start[mesh->face_count];
        tree->heed_doors = heed_doors;
    }
    if (tree && grow(mesh, plane, roadmap, tree)) {
        to_positions(mesh, &tree->sides);
        return tree;
    }
    throng_roadmap_tree_destroy(tree);
    throng_fail(error, "paths to the goal: out of memory");
    return NULL;
}

throng_roadmap_tree *throng_roadmap_tree_build(const throng_navmesh *mesh, const throng_roadmap *roadmap,
                                               const throng_region *goals, int32_t count, bool heed_doors,
                                               throng_error *error)
{
    throng_navmesh laid = {0};
    throng_roadmap_tree *tree = NULL;
    if (mesh->sheet && !throng_navmesh_lay_out(mesh, &laid))
        throng_fail(error, "paths to the goal: out of memory");
    else
        tree = build(mesh, mesh->sheet ? &laid : mesh, roadmap, goals, count, heed_doors, error);
    throng_navmesh_plane_fini(&laid);
    return tree;
}

void throng_roadmap_tree_destroy(throng_roadmap_tree *tree)
{
    if (!tree)
        return;
    free(tree->cost);
    free(tree->next);
    throng_goal_sides_fini(&tree->sides);
    free(tree);
}

/* --- rides --- */

static throng_point position_of(const throng_navmesh *mesh, const throng_roadmap *r, int32_t node)
{
    throng_point by = mesh->offset[r->sheet[node]];
    return (throng_point){r->beside[node].x - by.x, r->beside[node].y - by.y};
}

/* Is the position on a part, whose first sheet that is, seen from one in a face? */
static bool sees_on(const throng_navmesh *mesh, const throng_roadmap_tree *tree, int32_t face, throng_point at,
                    throng_point on, int32_t sheet, int32_t seams)
{
    int32_t there = throng_navmesh_look(mesh, face, at, on, tree->heed_doors, seams);
    return there >= 0 && mesh->sheet[there] == sheet;
}

/* m: straight to the goal, on the same part; INFINITY: it is not seen. */
static double straight_to_goal(const throng_navmesh *mesh, const throng_roadmap_tree *tree, int32_t face,
                               throng_point at)
{
    double least = INFINITY;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        if (mesh->sheet[f] != mesh->sheet[face])
            continue;
        for (int32_t i = tree->sides.start[f]; i < tree->sides.start[f + 1]; i++) {
            throng_point on = throng_nearest_on(tree->sides.a[i], tree->sides.b[i], at);
            if (throng_distance(at, on) < least && sees_on(mesh, tree, face, at, on, mesh->sheet[f], 0))
                least = throng_distance(at, on);
        }
    }
    return least;
}

/* As kernels/routing/roadmap.h chooses. */
throng_path_ride throng_roadmap_ride(const throng_navmesh *mesh, const throng_roadmap *r,
                                     const throng_roadmap_tree *tree, int32_t face, throng_point at)
{
    throng_path_ride ride = {-1, -1, straight_to_goal(mesh, tree, face, at)};
    int32_t node = -1;
    for (int32_t i = r->face_start[face]; i < r->face_start[face + 1]; i++) {
        int32_t n = r->face_node[i];
        throng_point on = position_of(mesh, r, n);
        double length = throng_distance(at, on) + (double)tree->cost[n];
        if (length < ride.ahead && sees_on(mesh, tree, face, at, on, r->sheet[n], 1)) {
            ride.ahead = length;
            node = n;
        }
    }
    for (int32_t next; node >= 0; node = next) {
        next = tree->next[node];
        if (next >= 0 && r->stop[node] >= 0 && r->stop[next] >= 0 && r->stop[node] != r->stop[next])
            return (throng_path_ride){r->stop[node], r->stop[next], ride.ahead - (double)tree->cost[node]};
    }
    return ride;
}

/* --- paths --- */

/* Past narrow corners the corner itself is seen where the point beside it is not, or the other way round. */
static bool sees_node(const throng_navmesh *mesh, int32_t face, throng_point from, const throng_roadmap *r,
                      int32_t node)
{
    return throng_navmesh_sees(mesh, face, from, r->beside[node], false) ||
           throng_navmesh_sees(mesh, face, from, r->at[node], false);
}

/* The node by which a path from `from` begins, given the lengths from there on; -1: none. */
static int32_t first_node(const search *s, const throng_navmesh *mesh, throng_point from, int32_t face, double *length)
{
    const throng_roadmap *r = s->roadmap;
    int32_t best = -1;
    *length = INFINITY;
    for (int32_t i = r->face_start[face]; i < r->face_start[face + 1]; i++) {
        int32_t n = r->face_node[i];
        double path = throng_distance(from, r->at[n]) + s->cost[n];
        if (path < *length && sees_node(mesh, face, from, r, n)) {
            *length = path;
            best = n;
        }
    }
    return best;
}

static bool collect(const search *s, throng_point from, int32_t node, throng_point to, throng_path *path)
{
    int32_t room = 0;
    bool fine = throng_path_add(path, &room, from);
    for (; fine && node >= 0; node = s->next[node])
        fine = throng_path_add(path, &room, s->roadmap->at[node]);
    return fine && throng_path_add(path, &room, to);
}

static bool by_nodes(const throng_navmesh *mesh, const throng_roadmap *r, throng_point from, int32_t start,
                     throng_point to, int32_t goal, throng_path *path)
{
    search s;
    bool fine = search_init(&s, mesh, r);
    for (int32_t i = fine ? r->face_start[goal] : 0; fine && i < r->face_start[goal + 1]; i++)
        if (sees_node(mesh, goal, to, r, r->face_node[i]))
            offer(&s, r->face_node[i], throng_distance(to, r->at[r->face_node[i]]), -1);
    fine = fine && run(&s);
    int32_t first = fine ? first_node(&s, mesh, from, start, &path->length) : -1;
    fine = first >= 0 && collect(&s, from, first, to, path);
    search_fini(&s);
    return fine;
}

static bool straight(throng_point from, throng_point to, throng_path *path)
{
    int32_t room = 0;
    path->length = throng_distance(from, to);
    return throng_path_add(path, &room, from) && throng_path_add(path, &room, to);
}

bool throng_roadmap_path(const throng_navmesh *mesh, const throng_roadmap *roadmap, throng_point from, throng_point to,
                         throng_path *path)
{
    int32_t start = face_of(mesh, from), goal = face_of(mesh, to);
    *path = (throng_path){0};
    if (mesh->sheet || start < 0 || goal < 0 || mesh->component[start] != mesh->component[goal])
        return false;
    if (throng_navmesh_sees(mesh, start, from, to, false) ? straight(from, to, path)
                                                          : by_nodes(mesh, roadmap, from, start, to, goal, path))
        return true;
    throng_path_fini(path);
    return false;
}
