#include "navmesh.h"

#include <stdlib.h>
#include <string.h>

#include "geometry.h"
#include "way_funnel.h"
#include "way_goal.h"
#include "way_search.h"

static bool allocate(throng_way_tree *tree, const throng_navmesh *mesh)
{
    size_t edges = (size_t)mesh->edge_count + 1;
    tree->cost = malloc(edges * sizeof(float));
    tree->cost_left = malloc(edges * sizeof(float));
    tree->cost_right = malloc(edges * sizeof(float));
    tree->next = malloc(edges * sizeof(int32_t));
    tree->target_x = calloc(edges, sizeof(float));
    tree->target_y = calloc(edges, sizeof(float));
    tree->end_ax = calloc(edges, sizeof(float));
    tree->end_ay = calloc(edges, sizeof(float));
    tree->end_bx = calloc(edges, sizeof(float));
    tree->end_by = calloc(edges, sizeof(float));
    tree->end_side = malloc(edges * sizeof(int32_t));
    tree->holds = calloc((size_t)mesh->face_count + 1, 1);
    return tree->cost && tree->cost_left && tree->cost_right && tree->next && tree->target_x && tree->target_y &&
           tree->end_ax && tree->end_ay && tree->end_bx && tree->end_by && tree->end_side && tree->holds;
}

static void copy_end(throng_way_tree *tree, int32_t edge, int32_t side)
{
    tree->end_side[edge] = side;
    tree->end_ax[edge] = (float)tree->side_a[side].x;
    tree->end_ay[edge] = (float)tree->side_a[side].y;
    tree->end_bx[edge] = (float)tree->side_b[side].x;
    tree->end_by[edge] = (float)tree->side_b[side].y;
}

/* In the order of settling, so that `next` is done first and rounding to float cannot make two costs equal. */
static void copy_ways(throng_way_tree *tree, const throng_way_search *s)
{
    for (int32_t e = 0; e < s->mesh->edge_count; e++) {
        tree->cost[e] = tree->cost_left[e] = tree->cost_right[e] = INFINITY;
        tree->next[e] = tree->end_side[e] = -1;
    }
    for (int32_t i = 0; i < s->settled; i++) {
        int32_t e = s->order[i], next = s->next[e];
        tree->cost[e] = (float)s->cost[e];
        if (next >= 0 && !(tree->cost[e] > tree->cost[next]))
            tree->cost[e] = nextafterf(tree->cost[next], INFINITY);
        tree->cost_left[e] = (float)s->left[e];
        tree->cost_right[e] = (float)s->right[e];
        tree->next[e] = next;
        tree->target_x[e] = (float)s->target[e].x;
        tree->target_y[e] = (float)s->target[e].y;
        if (next < 0)
            copy_end(tree, e, s->end_side[e]);
    }
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
    if (!allocate(tree, mesh) || !throng_way_search_init(&search, mesh, sides))
        return false;
    if (rules) {
        search.heed_doors = rules->heed_doors;
        search.delay = rules->delay;
    }
    for (int32_t f = 0; f < mesh->face_count; f++)
        tree->holds[f] = sides->start[f] < sides->start[f + 1];
    bool fine = throng_way_search_run(&search);
    if (fine)
        copy_ways(tree, &search);
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

throng_way_tree *throng_way_tree_build(const throng_navmesh *mesh, const throng_point *goal, int32_t count,
                                       throng_error *error)
{
    throng_point *points = malloc(((size_t)count + 1) * sizeof *points);
    if (!points) {
        throng_fail(error, "ways to the goal: out of memory");
        return NULL;
    }
    memcpy(points, goal, (size_t)count * sizeof *points);
    throng_region region = {.points = points, .count = count};
    throng_way_tree *tree = throng_way_tree_build_regions(mesh, &region, 1, NULL, error);
    free(points);
    return tree;
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
    free(tree->cost);
    free(tree->cost_left);
    free(tree->cost_right);
    free(tree->next);
    free(tree->target_x);
    free(tree->target_y);
    free(tree->end_ax);
    free(tree->end_ay);
    free(tree->end_bx);
    free(tree->end_by);
    free(tree->end_side);
    free(tree->holds);
    free(tree);
}

static throng_sleeve sleeve_of(const throng_navmesh *mesh, const throng_way_tree *tree)
{
    return (throng_sleeve){mesh, tree->next, tree->end_side, tree->side_a, tree->side_b};
}

/* Straight to the nearest point of the goal in the face. */
static throng_way straight(const throng_way_tree *tree, int32_t face, throng_point p)
{
    throng_way way = {INFINITY, -1, p};
    if (tree->holds[face] && throng_goals_hold(tree->goals, tree->goal_count, p))
        way.length = 0;
    for (int32_t i = tree->side_start[face]; i < tree->side_start[face + 1] && way.length > 0; i++) {
        throng_point on = throng_nearest_on(tree->side_a[i], tree->side_b[i], p);
        float length = (float)throng_distance(on, p);
        if (length < way.length)
            way = (throng_way){length, -1, on};
    }
    return way;
}

/* The first stretch of the way out through portal `edge`. */
static throng_way through(const throng_sleeve *sleeve, const throng_way_tree *tree, int32_t edge, throng_point p)
{
    throng_bend bend = throng_sleeve_bend(sleeve, p, edge, edge);
    float length = (float)throng_distance(p, bend.at);
    if (bend.kind == THRONG_BEND_LEFT)
        length += tree->cost_left[bend.edge];
    else if (bend.kind == THRONG_BEND_RIGHT)
        length += tree->cost_right[bend.edge];
    return (throng_way){length, edge, bend.at};
}

throng_way throng_way_tree_follow(const throng_navmesh *mesh, const throng_way_tree *tree, int32_t face, float x,
                                  float y)
{
    throng_point p = {x, y};
    throng_sleeve sleeve = sleeve_of(mesh, tree);
    throng_way best = straight(tree, face, p);
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        throng_point left = throng_edge_left(mesh, e), right = throng_edge_right(mesh, e);
        if (mesh->twin[e] < 0 || !(tree->cost[e] + throng_segment_distance(left, right, p) < best.length))
            continue;
        throng_way way = through(&sleeve, tree, e, p);
        if (way.length < best.length)
            best = way;
    }
    return best;
}

float throng_way_tree_length(const throng_navmesh *mesh, const throng_way_tree *tree, int32_t face, float x, float y)
{
    return throng_way_tree_follow(mesh, tree, face, x, y).length;
}

bool throng_way_tree_path(const throng_navmesh *mesh, const throng_way_tree *tree, int32_t face, float x, float y,
                          throng_path *path)
{
    throng_point p = {x, y};
    throng_way way = throng_way_tree_follow(mesh, tree, face, x, y);
    int32_t capacity = 0;
    *path = (throng_path){0};
    if (!isfinite(way.length))
        return false;
    throng_sleeve sleeve = sleeve_of(mesh, tree);
    bool fine = throng_path_add(path, &capacity, p);
    if (way.edge < 0) {
        fine = fine && throng_path_add(path, &capacity, way.corner);
        path->length = way.length;
    } else if (fine) {
        path->length = throng_sleeve_walk(&sleeve, p, way.edge, way.edge, path, &capacity);
        fine = isfinite(path->length);
    }
    if (!fine)
        throng_path_fini(path);
    return fine;
}
