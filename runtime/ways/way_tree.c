#include "navmesh.h"

#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"
#include "way_goal.h"
#include "way_search.h"

static bool allocate(throng_way_tree *tree, const throng_navmesh *mesh, const throng_way_search *s)
{
    tree->roots = malloc(((size_t)s->root_count + 1) * sizeof *tree->roots);
    tree->windows = malloc(((size_t)s->settled + 1) * sizeof *tree->windows);
    tree->window_start = calloc((size_t)mesh->face_count + 2, sizeof *tree->window_start);
    tree->next = malloc(((size_t)mesh->edge_count + 1) * sizeof *tree->next);
    tree->holds = calloc((size_t)mesh->face_count + 1, 1);
    return tree->roots && tree->windows && tree->window_start && tree->next && tree->holds;
}

static void copy_roots(throng_way_tree *tree, const throng_way_search *s)
{
    tree->root_count = s->root_count;
    for (int32_t i = 0; i < s->root_count; i++) {
        const throng_window_root *r = &s->roots[i];
        tree->roots[i] = (throng_way_root){r->a, r->b, r->on, r->rest, r->next};
    }
}

static int32_t edge_of(const throng_way_search *s, int32_t window)
{
    return window < 0 ? -1 : s->net->portals[s->windows[window].portal].edge;
}

/* The first that was settled of an edge's windows was settled after the one that it leads on to. */
static void copy_next(throng_way_tree *tree, const throng_way_search *s)
{
    memset(tree->next, -1, ((size_t)s->mesh->edge_count + 1) * sizeof *tree->next);
    for (int32_t i = s->settled - 1; i >= 0; i--)
        tree->next[edge_of(s, s->order[i])] = edge_of(s, s->windows[s->order[i]].next);
}

/* Counts those that are left by face; where those of each begin goes to window_start[face + 1]. */
static void place_windows(throng_way_tree *tree, const throng_way_search *s)
{
    int32_t *start = tree->window_start + 1, sum = 0;
    for (int32_t i = 0; i < s->settled; i++)
        start[s->mesh->face[edge_of(s, s->order[i])]] += !s->windows[s->order[i]].dead;
    for (int32_t f = 0; f <= s->mesh->face_count; f++) {
        int32_t count = start[f];
        start[f] = sum;
        sum += count;
    }
    tree->window_count = sum;
}

/* By face, and in the order of settling, which puts windows behind those that they lead on to; `at` becomes where each
 * has gone. Where portals are delayed, others still lead through those that are not left. */
static void copy_windows(throng_way_tree *tree, const throng_way_search *s, int32_t *at)
{
    place_windows(tree, s);
    for (int32_t i = 0; i < s->settled; i++) {
        const throng_window *w = &s->windows[s->order[i]];
        int32_t edge = edge_of(s, s->order[i]), *place = &tree->window_start[s->mesh->face[edge] + 1];
        if (w->dead && !s->delay)
            continue;
        at[s->order[i]] = w->dead ? tree->window_count++ : (*place)++;
        tree->windows[at[s->order[i]]] = (throng_way_window){throng_window_at(s, w, w->t[THRONG_WINDOW_LEFT]),
                                                             throng_window_at(s, w, w->t[THRONG_WINDOW_RIGHT]), edge,
                                                             w->root, s->delay && w->next >= 0 ? at[w->next] : -1};
    }
}

static bool copy_ways(throng_way_tree *tree, const throng_way_search *s)
{
    int32_t *at = malloc(((size_t)s->window_count + 1) * sizeof *at);
    if (!at || !allocate(tree, s->mesh, s)) {
        free(at);
        return false;
    }
    for (int32_t f = 0; f < s->mesh->face_count; f++)
        tree->holds[f] = tree->side_start[f] < tree->side_start[f + 1];
    copy_roots(tree, s);
    copy_next(tree, s);
    copy_windows(tree, s, at);
    free(at);
    return true;
}

static bool copy_goals(throng_way_tree *tree, const throng_region *goals, int32_t count)
{
    tree->goals = calloc((size_t)count, sizeof *tree->goals);
    if (!tree->goals)
        return false;
    tree->goal_count = count;
    for (int32_t g = 0; g < count; g++) {
        tree->goals[g].name = goals[g].name ? strdup(goals[g].name) : NULL;
        tree->goals[g].points = malloc((size_t)goals[g].count * sizeof(throng_point));
        tree->goals[g].count = goals[g].count;
        if (!tree->goals[g].points || (goals[g].name && !tree->goals[g].name))
            return false;
        memcpy(tree->goals[g].points, goals[g].points, (size_t)goals[g].count * sizeof(throng_point));
    }
    return true;
}

/* The sides become the tree's. */
static bool grow(throng_way_tree *tree, const throng_navmesh *mesh, const throng_goal_sides *sides,
                 const throng_way_rules *rules)
{
    throng_way_search search;
    tree->side_start = sides->start;
    tree->side_a = sides->a;
    tree->side_b = sides->b;
    if (!throng_way_search_init(&search, mesh, sides))
        return false;
    if (rules) {
        search.heed_doors = rules->heed_doors;
        search.delay = rules->delay;
    }
    bool fine = throng_way_search_run(&search) && copy_ways(tree, &search);
    throng_way_search_fini(&search);
    return fine;
}

throng_way_tree *throng_way_tree_build_regions(const throng_navmesh *mesh, const throng_region *goals, int32_t count,
                                               const throng_way_rules *rules, throng_error *error)
{
    throng_goal_sides sides;
    if (!throng_goal_sides_cut(mesh, goals, count, &sides, error))
        return NULL;
    throng_way_tree *tree = calloc(1, sizeof *tree);
    if (tree && grow(tree, mesh, &sides, rules) && copy_goals(tree, goals, count))
        return tree;
    if (!tree)
        throng_goal_sides_fini(&sides);
    throng_way_tree_destroy(tree);
    throng_fail(error, "ways to the goal: out of memory");
    return NULL;
}

void throng_way_tree_destroy(throng_way_tree *tree)
{
    if (!tree)
        return;
    for (int32_t g = 0; g < tree->goal_count; g++) {
        free(tree->goals[g].name);
        free(tree->goals[g].points);
    }
    free(tree->goals);
    free(tree->side_start);
    free(tree->side_a);
    free(tree->side_b);
    free(tree->roots);
    free(tree->windows);
    free(tree->window_start);
    free(tree->next);
    free(tree->holds);
    free(tree);
}

static const double HAIR = 1e-4; /* m: who is nearer to a corner than this is there */

typedef struct first_stretch {
    float length; /* m: of the whole way, INFINITY: there is none */
    throng_point corner;
} first_stretch;

/* Straight to the nearest point of the goal in the face. */
static first_stretch straight(const throng_way_tree *tree, int32_t face, throng_point p)
{
    first_stretch way = {INFINITY, p};
    if (tree->holds[face] && throng_goals_hold(tree->goals, tree->goal_count, p))
        way.length = 0;
    for (int32_t i = tree->side_start[face]; i < tree->side_start[face + 1] && way.length > 0; i++) {
        throng_point on = throng_nearest_on(tree->side_a[i], tree->side_b[i], p);
        float length = (float)throng_distance(on, p);
        if (length < way.length)
            way = (first_stretch){length, on};
    }
    return way;
}

/* The first stretch of the way out through the window. */
static first_stretch through(const throng_way_tree *tree, const throng_way_window *w, throng_point p)
{
    const throng_way_root *r = &tree->roots[w->root];
    throng_point at = throng_nearest_on(r->a, r->b, p);
    double length = throng_distance(p, at);
    bool there = length < HAIR && r->a.x == r->b.x && r->a.y == r->b.y; /* on a side of the goal ways end */
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

/* `window` becomes the one that the way leads through, -1: the goal is in the face. */
static first_stretch follow(const throng_way_tree *tree, int32_t face, throng_point p, int32_t *window)
{
    first_stretch best = straight(tree, face, p);
    *window = -1;
    for (int32_t i = tree->window_start[face]; i < tree->window_start[face + 1]; i++) {
        first_stretch way = through(tree, &tree->windows[i], p);
        if (!(way.length < best.length))
            continue;
        best = way;
        *window = i;
    }
    return best;
}

static bool add(throng_path *path, int32_t *capacity, throng_point corner)
{
    path->length += path->count > 0 ? throng_distance(path->corners[path->count - 1], corner) : 0;
    return throng_path_add(path, capacity, corner);
}

bool throng_way_tree_path(const throng_way_tree *tree, int32_t face, float x, float y, throng_path *path)
{
    throng_point p = {x, y};
    int32_t capacity = 0, window;
    first_stretch way = follow(tree, face, p, &window);
    *path = (throng_path){0};
    if (!isfinite(way.length))
        return false;
    bool fine = add(path, &capacity, p) && add(path, &capacity, way.corner);
    if (fine && window >= 0) {
        const throng_way_root *r = &tree->roots[tree->windows[window].root];
        if (throng_segment_distance(r->a, r->b, p) >= HAIR)
            fine = add(path, &capacity, throng_nearest_on(r->a, r->b, way.corner));
        for (; fine && r->next >= 0; r = &tree->roots[r->next])
            fine = add(path, &capacity, r->on);
    }
    if (!fine)
        throng_path_fini(path);
    return fine;
}
