#include "navmesh_lifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"
#include "goal_sides.h"
#include "path_map_search.h"

static bool allocate(throng_path_map *map, const throng_navmesh *mesh, const throng_path_map_search *s)
{
    size_t costly = 0;
    for (int32_t i = 0; i < s->settled; i++)
        costly += s->windows[s->order[i]].cost > 0;
    size_t stops = s->root_in ? (size_t)mesh->lifts->map.stop_count : 0, cars = stops ? (size_t)mesh->face_count : 0;
    map->roots = malloc(((size_t)s->root_count + costly + stops + 1) * sizeof *map->roots);
    map->windows = malloc(((size_t)s->settled + cars + 1) * sizeof *map->windows);
    map->window_start = calloc((size_t)mesh->face_count + 2, sizeof *map->window_start);
    map->next = malloc(((size_t)mesh->edge_count + 1) * sizeof *map->next);
    map->holds = calloc((size_t)mesh->face_count + 1, 1);
    return map->roots && map->windows && map->window_start && map->next && map->holds;
}

static void copy_roots(throng_path_map *map, const throng_path_map_search *s)
{
    map->root_count = s->root_count;
    for (int32_t i = 0; i < s->root_count; i++) {
        const throng_window_root *r = &s->roots[i];
        map->roots[i] = (throng_path_map_root){r->a, r->b, r->on, r->rest, r->next, r->stop, r->to};
    }
}

static int32_t edge_of(const throng_path_map_search *s, int32_t window)
{
    return window < 0 ? -1 : s->net->portals[s->windows[window].portal].edge;
}

/* The first that was settled of an edge's windows was settled after the one that it leads on to. */
static void copy_next(throng_path_map *map, const throng_path_map_search *s)
{
    memset(map->next, -1, ((size_t)s->mesh->edge_count + 1) * sizeof *map->next);
    for (int32_t i = s->settled - 1; i >= 0; i--)
        map->next[edge_of(s, s->order[i])] = edge_of(s, s->windows[s->order[i]].next);
}

/* The stop whose car the face is of, and from where a path leads on to another; -1: none. */
static int32_t ridden_from(const throng_path_map_search *s, int32_t face)
{
    int32_t stop = s->root_in ? s->mesh->lifts->stop[face] : -1;
    return stop >= 0 && s->root_in[stop] >= 0 ? stop : -1;
}

/* The stop whose car the face is of, where no path leads on at all; -1: none. */
static int32_t stranded_at(const throng_path_map_search *s, int32_t face)
{
    int32_t stop = s->root_in ? s->mesh->lifts->stop[face] : -1;
    if (stop < 0 || s->root_in[stop] >= 0 || s->goal->start[face] < s->goal->start[face + 1])
        return -1;
    for (int32_t i = s->net->first[face]; i < s->net->first[face + 1]; i++)
        for (int32_t w = s->first[i]; w >= 0; w = s->windows[w].sibling)
            if (s->windows[w].settled && !s->windows[w].dead)
                return -1;
    return stop;
}

/* Counts those that are left by face; where those of each begin goes to window_start[face + 1]. */
static void place_windows(throng_path_map *map, const throng_path_map_search *s)
{
    int32_t *start = map->window_start + 1, sum = 0;
    for (int32_t i = 0; i < s->settled; i++)
        start[s->mesh->face[edge_of(s, s->order[i])]] += !s->windows[s->order[i]].dead;
    for (int32_t f = 0; f < s->mesh->face_count; f++)
        start[f] += ridden_from(s, f) >= 0 || stranded_at(s, f) >= 0;
    for (int32_t f = 0; f <= s->mesh->face_count; f++) {
        int32_t count = start[f];
        start[f] = sum;
        sum += count;
    }
    map->window_count = sum;
}

/* Does the path go on from window w through another to the same root? */
static const throng_window *goes_on(const throng_path_map_search *s, const throng_window *w)
{
    const throng_window *next = w->next < 0 ? NULL : &s->windows[w->next];
    return next && next->root == w->root ? next : NULL;
}

/* The root as it is seen through portals that cost something: from there so much more remains. Windows that lead on to
 * each other have the same; root[w] is that of a window. */
static int32_t costly_root(throng_path_map *map, const throng_path_map_search *s, const throng_window *w,
                           const int32_t *root)
{
    const throng_window *next = goes_on(s, w);
    if (!(w->cost > 0))
        return w->root;
    if (next && next->cost == w->cost)
        return root[w->next];
    map->roots[map->root_count] = map->roots[w->root];
    map->roots[map->root_count].rest += w->cost;
    return map->root_count++;
}

/* By face, and in the order of settling, which puts windows behind those that they lead on to; `at` becomes where each
 * has gone, `root` what it leads to. Where portals are delayed, others still lead through those that are not left. */
static void copy_windows(throng_path_map *map, const throng_path_map_search *s, int32_t *at, int32_t *root)
{
    place_windows(map, s);
    for (int32_t i = 0; i < s->settled; i++) {
        const throng_window *w = &s->windows[s->order[i]];
        root[s->order[i]] = costly_root(map, s, w, root);
        int32_t edge = edge_of(s, s->order[i]), *place = &map->window_start[s->mesh->face[edge] + 1];
        if (w->dead && !s->delay)
            continue;
        at[s->order[i]] = w->dead ? map->window_count++ : (*place)++;
        map->windows[at[s->order[i]]] =
            (throng_path_map_window){.right = throng_window_at(s, w, w->t[THRONG_WINDOW_LEFT]),
                                     .left = throng_window_at(s, w, w->t[THRONG_WINDOW_RIGHT]),
                                     .edge = edge,
                                     .root = root[s->order[i]],
                                     .next = s->delay && goes_on(s, w) ? at[w->next] : -1};
    }
}

static const double OUTSIDE = 1; /* m from a car: where those go who have no way */

/* Who is in a car waits for it no more; who has no way at all gets out. The last of a face's windows. */
static void copy_rides(throng_path_map *map, const throng_path_map_search *s)
{
    const throng_mesh_lifts *l = s->mesh->lifts;
    int32_t first = map->root_count;
    for (int32_t i = 0; s->root_in && i < l->map.stop_count; i++) {
        throng_path_map_root *r = &map->roots[map->root_count++];
        throng_point out = throng_lift_point(&l->map.lifts[l->map.stops[i].lift], -OUTSIDE, 0);
        *r = (throng_path_map_root){.a = out, .b = out, .on = out, .next = -1, .stop = -1, .to = -1};
        if (s->root_in[i] < 0)
            continue;
        *r = map->roots[s->root_in[i]];
        r->a = r->on = l->stops[i].a;
        r->b = l->stops[i].b;
        r->rest -= throng_lift_wait(&l->map, &l->map.lifts[l->map.stops[i].lift]);
    }
    for (int32_t f = 0; f < s->mesh->face_count; f++) {
        int32_t stop = ridden_from(s, f) >= 0 ? ridden_from(s, f) : stranded_at(s, f);
        if (stop >= 0)
            map->windows[map->window_start[f + 1]++] =
                (throng_path_map_window){{NAN, NAN}, {NAN, NAN}, s->mesh->face_start[f], first + stop, -1, 0};
    }
}

static double least_through(const throng_path_map *map, const throng_path_map_window *w)
{
    const throng_path_map_root *r = &map->roots[w->root];
    if (isnan(w->left.x))
        return -INFINITY;
    double from_ends =
        fmin(throng_segment_distance(r->a, r->b, w->left), throng_segment_distance(r->a, r->b, w->right));
    double to_ends =
        fmin(throng_segment_distance(w->left, w->right, r->a), throng_segment_distance(w->left, w->right, r->b));
    return r->rest + fmin(from_ends, to_ends);
}

/* They are nearly in the order of what paths through them come to at the least, as they were settled by that. */
static void bound_windows(throng_path_map *map, int32_t faces)
{
    for (int32_t f = 0; f < faces; f++) {
        double least = INFINITY;
        for (int32_t i = map->window_start[f + 1] - 1; i >= map->window_start[f]; i--)
            map->windows[i].least = least = fmin(least, least_through(map, &map->windows[i]));
    }
}

static bool copy_paths(throng_path_map *map, const throng_path_map_search *s)
{
    size_t windows = (size_t)s->window_count + 1;
    int32_t *at = malloc(2 * windows * sizeof *at);
    if (!at || !allocate(map, s->mesh, s)) {
        free(at);
        return false;
    }
    for (int32_t f = 0; f < s->mesh->face_count; f++)
        map->holds[f] = map->side_start[f] < map->side_start[f + 1];
    copy_roots(map, s);
    copy_next(map, s);
    copy_windows(map, s, at, at + windows);
    copy_rides(map, s);
    bound_windows(map, s->mesh->face_count);
    free(at);
    return true;
}

/* The sides become the tree's. */
static bool grow(throng_path_map *map, const throng_navmesh *mesh, const throng_goal_sides *sides,
                 const throng_path_map_rules *rules)
{
    throng_path_map_search search;
    map->side_start = sides->start;
    map->side_a = sides->a;
    map->side_b = sides->b;
    if (!throng_path_map_search_init(&search, mesh, sides))
        return false;
    if (rules) {
        search.heed_doors = rules->heed_doors;
        search.delay = rules->delay;
    }
    bool fine = throng_path_map_search_run(&search) && copy_paths(map, &search);
    throng_path_map_search_fini(&search);
    return fine;
}

throng_path_map *throng_path_map_build(const throng_navmesh *mesh, const throng_region *goals, int32_t count,
                                       const throng_path_map_rules *rules, throng_error *error)
{
    throng_goal_sides sides;
    if (!throng_goal_sides_cut(mesh, mesh, goals, count, &sides, error))
        return NULL;
    throng_path_map *map = calloc(1, sizeof *map);
    if (map && grow(map, mesh, &sides, rules))
        return map;
    if (!map)
        throng_goal_sides_fini(&sides);
    throng_path_map_destroy(map);
    throng_fail(error, "paths to the goal: out of memory");
    return NULL;
}

void throng_path_map_destroy(throng_path_map *map)
{
    if (!map)
        return;
    free(map->side_start);
    free(map->side_a);
    free(map->side_b);
    free(map->roots);
    free(map->windows);
    free(map->window_start);
    free(map->next);
    free(map->holds);
    free(map);
}

static const double HAIR = 1e-4; /* m: who is nearer to a corner than this is there */

typedef struct first_stretch {
    float length; /* m: of the whole path, INFINITY: there is none */
    throng_point corner;
} first_stretch;

/* Is a position in the part of the goal that was cut to the face? Its sides are whole rings, by the even-odd rule. */
static bool inside_goal(const throng_path_map *map, int32_t face, throng_point p)
{
    bool inside = false;
    for (int32_t i = map->side_start[face]; i < map->side_start[face + 1]; i++) {
        if (map->side_a[i].x == p.x && map->side_a[i].y == p.y)
            return true;
        inside ^= throng_ray_crosses(p, map->side_a[i], map->side_b[i]);
    }
    return inside;
}

/* Straight to the nearest point of the goal in the face. */
static first_stretch straight(const throng_path_map *map, int32_t face, throng_point p)
{
    first_stretch stretch = {INFINITY, p};
    if (map->holds[face] && inside_goal(map, face, p))
        stretch.length = 0;
    for (int32_t i = map->side_start[face]; i < map->side_start[face + 1] && stretch.length > 0; i++) {
        throng_point on = throng_nearest_on(map->side_a[i], map->side_b[i], p);
        float length = (float)throng_distance(on, p);
        if (length < stretch.length)
            stretch = (first_stretch){length, on};
    }
    return stretch;
}

/* The first stretch of the way out through the window. */
static first_stretch through(const throng_path_map *map, const throng_path_map_window *w, throng_point p)
{
    const throng_path_map_root *r = &map->roots[w->root];
    throng_point at = throng_nearest_on(r->a, r->b, p);
    double length = throng_distance(p, at);
    bool there = length < HAIR && r->a.x == r->b.x && r->a.y == r->b.y; /* on a side of the goal paths end */
    if (there)
        at = r->on;
    else if (throng_turn(p, at, w->left) < 0)
        at = w->left;
    else if (throng_turn(p, at, w->right) > 0)
        at = w->right;
    else
        return (first_stretch){(float)(length + r->rest), at};
    if (!there)
        length = throng_distance(p, at) + throng_segment_distance(r->a, r->b, at);
    return (first_stretch){(float)(length + r->rest), at};
}

/* `window` becomes the one that the path leads through, -1: the goal is in the face. */
static first_stretch follow(const throng_path_map *map, int32_t face, throng_point p, int32_t *window)
{
    first_stretch best = straight(map, face, p);
    *window = -1;
    for (int32_t i = map->window_start[face]; i < map->window_start[face + 1]; i++) {
        first_stretch stretch = through(map, &map->windows[i], p);
        if (!(stretch.length < best.length))
            continue;
        best = stretch;
        *window = i;
    }
    return best;
}

bool throng_path_map_leads_over(const throng_path_map *map, int32_t face, throng_point at, int32_t edge)
{
    int32_t window;
    bool leads = isfinite(follow(map, face, at, &window).length);
    while (leads && window >= 0 && map->windows[window].edge != edge)
        window = map->windows[window].next;
    return leads && window >= 0;
}

throng_path_ride throng_path_map_ride(const throng_path_map *map, int32_t face, float x, float y)
{
    int32_t window;
    first_stretch stretch = follow(map, face, (throng_point){x, y}, &window);
    for (int32_t r = window < 0 ? -1 : map->windows[window].root; r >= 0; r = map->roots[r].next) {
        const throng_path_map_root *at = &map->roots[r];
        if (at->stop >= 0)
            return (throng_path_ride){at->stop, at->to, (double)stretch.length - at->rest};
    }
    return (throng_path_ride){-1, -1, (double)stretch.length};
}

static bool add(throng_path *path, int32_t *capacity, throng_point corner)
{
    path->length += path->count > 0 ? throng_distance(path->corners[path->count - 1], corner) : 0;
    return throng_path_add(path, capacity, corner);
}

bool throng_path_map_path(const throng_path_map *map, int32_t face, float x, float y, throng_path *path)
{
    throng_point p = {x, y};
    int32_t capacity = 0, window;
    first_stretch stretch = follow(map, face, p, &window);
    *path = (throng_path){0};
    if (!isfinite(stretch.length))
        return false;
    bool fine = add(path, &capacity, p) && add(path, &capacity, stretch.corner);
    if (fine && window >= 0) {
        const throng_path_map_root *r = &map->roots[map->windows[window].root];
        if (throng_segment_distance(r->a, r->b, p) >= HAIR)
            fine = add(path, &capacity, throng_nearest_on(r->a, r->b, stretch.corner));
        for (; fine && r->next >= 0; r = &map->roots[r->next])
            fine = add(path, &capacity, r->on);
    }
    if (!fine)
        throng_path_fini(path);
    return fine;
}
