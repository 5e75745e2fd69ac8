/* Which nodes can be seen from which faces: every node's view is followed through the portals, as a cone that
 * each portal narrows (Bungiu, Hemmer, Hershberger, Huang and Kroeller, Efficient Computation of Visibility Polygons,
 * 2014). */
#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "roadmap_parts.h"

typedef struct cone {
    int32_t portal; /* looking out through this half-edge */
    throng_point left, right;
} cone;

typedef struct pair {
    int32_t face, node;
} pair;

typedef struct view {
    const throng_navmesh *mesh;
    throng_point eye;
    int32_t node;
    int32_t *seen_from; /* [face_count] the last node that was noted for the face */
    cone *cones;
    int32_t cone_count, cone_room;
    pair *pairs;
    int32_t pair_count, pair_room;
    bool failed;
} view;

static void note(view *v, int32_t face)
{
    if (v->seen_from[face] == v->node)
        return;
    v->seen_from[face] = v->node;
    if (throng_array_reserve((void **)&v->pairs, &v->pair_room, (int64_t)v->pair_count + 1, sizeof *v->pairs))
        v->pairs[v->pair_count++] = (pair){face, v->node};
    else
        v->failed = true;
}

static void push(view *v, cone c)
{
    if (throng_array_reserve((void **)&v->cones, &v->cone_room, (int64_t)v->cone_count + 1, sizeof c))
        v->cones[v->cone_count++] = c;
    else
        v->failed = true;
}

static throng_point start_of(const throng_navmesh *m, int32_t e) { return (throng_point){m->ax[e], m->ay[e]}; }
static throng_point end_of(const throng_navmesh *m, int32_t e) { return (throng_point){m->bx[e], m->by[e]}; }

/* The cone narrowed to portal `edge`, when something of it is left. */
static void look_through(view *v, int32_t edge, throng_point left, throng_point right)
{
    throng_point a = start_of(v->mesh, edge), b = end_of(v->mesh, edge);
    right = throng_turn(v->eye, right, a) > 0 ? a : right;
    left = throng_turn(v->eye, left, b) < 0 ? b : left;
    if (throng_turn(v->eye, right, left) > 0)
        push(v, (cone){edge, left, right});
}

static void follow(view *v, cone c)
{
    int32_t entry = v->mesh->twin[c.portal], face = v->mesh->face[entry];
    note(v, face);
    for (int32_t e = v->mesh->face_start[face]; e < v->mesh->face_start[face + 1]; e++)
        if (e != entry && !throng_navmesh_ends_at(v->mesh, e))
            look_through(v, e, c.left, c.right);
}

static int32_t previous_of(const throng_navmesh *m, int32_t e)
{
    int32_t face = m->face[e];
    return e > m->face_start[face] ? e - 1 : m->face_start[face + 1] - 1;
}

/* From the faces round the node, in turn, from the wall's side that starts at it. */
static void look_around(view *v, int32_t side)
{
    const throng_navmesh *m = v->mesh;
    for (;;) {
        int32_t face = m->face[side], last = previous_of(m, side);
        note(v, face);
        for (int32_t e = m->face_start[face]; e < m->face_start[face + 1]; e++)
            if (e != side && e != last && !throng_navmesh_ends_at(m, e))
                look_through(v, e, end_of(m, e), start_of(m, e));
        if (throng_navmesh_ends_at(m, last))
            break;
        side = m->twin[last];
    }
    while (v->cone_count > 0 && !v->failed)
        follow(v, v->cones[--v->cone_count]);
}

enum { MEETING = 16 }; /* faces that may meet in a point */

/* From the faces that hold the node. */
static void look_from_inside(view *v)
{
    const throng_navmesh *m = v->mesh;
    int32_t faces[MEETING], count = throng_navmesh_faces_at(m, v->eye, faces, MEETING);
    for (int32_t i = 0; i < count; i++) {
        if (throng_navmesh_is_covered(m, faces[i]))
            continue;
        note(v, faces[i]);
        for (int32_t e = m->face_start[faces[i]]; e < m->face_start[faces[i] + 1]; e++)
            if (!throng_navmesh_ends_at(m, e))
                look_through(v, e, end_of(m, e), start_of(m, e));
    }
    while (v->cone_count > 0 && !v->failed)
        follow(v, v->cones[--v->cone_count]);
}

/* Pairs come by node; their nodes, face by face. */
static bool gather(const view *v, throng_roadmap *roadmap)
{
    int32_t faces = v->mesh->face_count;
    roadmap->face_start = calloc((size_t)faces + 2, sizeof(int32_t));
    roadmap->face_node = malloc(((size_t)v->pair_count + 1) * sizeof(int32_t));
    if (!roadmap->face_start || !roadmap->face_node)
        return false;
    int32_t *place = roadmap->face_start + 1;
    for (int32_t i = 0; i < v->pair_count; i++)
        place[v->pairs[i].face]++;
    for (int32_t f = 0, sum = 0; f < faces; f++) {
        int32_t here = place[f];
        place[f] = sum;
        sum += here;
    }
    for (int32_t i = 0; i < v->pair_count; i++)
        roadmap->face_node[place[v->pairs[i].face]++] = v->pairs[i].node; /* moves each start to the next one's */
    return true;
}

bool throng_roadmap_list_faces(const throng_navmesh *mesh, throng_roadmap *roadmap, const int32_t *first_side,
                               int32_t corners)
{
    view v = {.mesh = mesh, .seen_from = malloc(((size_t)mesh->face_count + 1) * sizeof(int32_t))};
    v.failed = !v.seen_from;
    for (int32_t f = 0; !v.failed && f < mesh->face_count; f++)
        v.seen_from[f] = -1;
    for (int32_t n = 0; !v.failed && n < roadmap->node_count; n++) {
        v.failed = throng_given_up();
        v.node = n;
        v.eye = roadmap->at[n];
        if (first_side && n < corners)
            look_around(&v, first_side[n]);
        else
            look_from_inside(&v);
    }
    bool fine = !v.failed && gather(&v, roadmap);
    free(v.seen_from);
    free(v.cones);
    free(v.pairs);
    return fine;
}
