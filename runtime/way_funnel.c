#include "way_funnel.h"

#include "array.h"
#include "geometry.h"

/* m: nearer than this a point lies on a portal. Less than the mesh's grid, more than a float's rounding. */
static const double HAIR = 1e-4;

throng_point throng_edge_left(const throng_navmesh *mesh, int32_t edge)
{
    return (throng_point){mesh->bx[edge], mesh->by[edge]};
}

throng_point throng_edge_right(const throng_navmesh *mesh, int32_t edge)
{
    return (throng_point){mesh->ax[edge], mesh->ay[edge]};
}

static bool same(throng_point a, throng_point b) { return a.x == b.x && a.y == b.y; }

/* What can be seen from the apex: between two legs, each to the end of a portal. */
typedef struct funnel {
    throng_point apex, left, right;
    int32_t left_edge, right_edge;
} funnel;

static throng_bend bend_left(const funnel *f) { return (throng_bend){f->left, f->left_edge, THRONG_BEND_LEFT}; }

static throng_bend bend_right(const funnel *f) { return (throng_bend){f->right, f->right_edge, THRONG_BEND_RIGHT}; }

/* Narrows the funnel to a portal; false, with the bend, when the portal lies wholly beside it. A leg of no
 * length (the apex is a portal's end) bounds nothing. */
static bool narrow(funnel *f, const throng_navmesh *mesh, int32_t edge, throng_bend *bend)
{
    throng_point left = throng_edge_left(mesh, edge), right = throng_edge_right(mesh, edge);
    if (throng_turn(f->apex, f->right, right) >= 0) {
        if (!same(f->apex, f->right) && throng_turn(f->apex, f->left, right) > 0) {
            *bend = bend_left(f);
            return false;
        }
        f->right = right;
        f->right_edge = edge;
    }
    if (throng_turn(f->apex, f->left, left) <= 0) {
        if (!same(f->apex, f->left) && throng_turn(f->apex, f->right, left) < 0) {
            *bend = bend_right(f);
            return false;
        }
        f->left = left;
        f->left_edge = edge;
    }
    return true;
}

static throng_bend end_at(const throng_sleeve *s, throng_point from, int32_t edge)
{
    int32_t side = s->end_side[edge];
    return (throng_bend){throng_nearest_on(s->side_a[side], s->side_b[side], from), edge, THRONG_BEND_END};
}

/* A point on a portal has no funnel there: it sees half a plane, or with rounding the wrong half. It stands in the
 * face beyond as well. */
static void skip_portals(const throng_sleeve *s, throng_point from, int32_t *via, int32_t *first)
{
    while (*first >= 0 && throng_segment_distance(throng_edge_left(s->mesh, *first), throng_edge_right(s->mesh, *first),
                                                  from) < HAIR) {
        *via = *first;
        *first = s->next[*first];
    }
}

throng_bend throng_sleeve_bend(const throng_sleeve *s, throng_point from, int32_t via, int32_t first)
{
    skip_portals(s, from, &via, &first);
    if (first < 0)
        return end_at(s, from, via);
    funnel f = {from, throng_edge_left(s->mesh, first), throng_edge_right(s->mesh, first), first, first};
    throng_bend bend;
    int32_t edge = first;
    while (s->next[edge] >= 0) {
        edge = s->next[edge];
        if (!narrow(&f, s->mesh, edge, &bend))
            return bend;
    }
    /* the goal's nearest point, unless a leg hides it */
    bend = end_at(s, from, edge);
    if (throng_turn(f.apex, f.left, bend.at) > 0)
        return bend_left(&f);
    if (throng_turn(f.apex, f.right, bend.at) < 0)
        return bend_right(&f);
    return bend;
}

bool throng_path_add(throng_path *path, int32_t *capacity, throng_point corner)
{
    if (path->count > 0 && same(path->corners[path->count - 1], corner))
        return true;
    if (!throng_array_reserve((void **)&path->corners, capacity, (int64_t)path->count + 1, sizeof corner))
        return false;
    path->corners[path->count++] = corner;
    return true;
}

double throng_sleeve_walk(const throng_sleeve *s, throng_point from, int32_t via, int32_t first, throng_path *path,
                          int32_t *capacity)
{
    double length = 0;
    for (;;) {
        throng_bend bend = throng_sleeve_bend(s, from, via, first);
        length += throng_distance(from, bend.at);
        if (path && !throng_path_add(path, capacity, bend.at))
            return INFINITY;
        if (bend.kind == THRONG_BEND_END)
            return length;
        from = bend.at;
        via = bend.edge;
        first = s->next[via];
    }
}
