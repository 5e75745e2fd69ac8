/* Which nodes can be seen from which faces, and which corners see each other: every node's view is followed through
 * the portals, as a cone that each portal narrows (Bungiu, Hemmer, Hershberger, Huang and Kroeller, Efficient
 * Computation of Visibility Polygons, 2014). Corners lie on the mesh's grid, so that every turn between them is exact.
 */
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
    throng_roadmap *roadmap;
    const throng_outline *outline; /* NULL: nodes are no corners */
    throng_point eye;
    int32_t node;
    int32_t *seen_from; /* [face_count] the last node that was noted for the face */
    int32_t *node_at;   /* [edge_count] the corner that the half-edge starts at, -1: it is no node */
    int32_t edge_count, edge_room;
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

static bool is_corner(const view *v) { return v->outline && v->node < v->outline->reflex_count; }

/* Are both neighbours of the corner on one side of the line to another, or on it? */
static bool is_tangent(const throng_outline *o, int32_t corner, throng_point other)
{
    double before = throng_turn(other, o->at[corner], o->at[o->previous[corner]]);
    double after = throng_turn(other, o->at[corner], o->at[o->next[corner]]);
    return before * after >= 0;
}

/* A corner comes into view at the start of side `e`. */
static void sight(view *v, int32_t e)
{
    const throng_outline *o = v->outline;
    throng_roadmap *r = v->roadmap;
    int32_t to = v->node_at[e];
    if (to < 0 || to == v->node || !is_tangent(o, o->reflex[to], v->eye) ||
        !is_tangent(o, o->reflex[v->node], r->at[to]))
        return;
    if (throng_array_reserve((void **)&r->edge_to, &v->edge_room, (int64_t)v->edge_count + 1, sizeof *r->edge_to))
        r->edge_to[v->edge_count++] = to;
    else
        v->failed = true;
}

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
    for (int32_t e = v->mesh->face_start[face]; e < v->mesh->face_start[face + 1]; e++) {
        throng_point a = start_of(v->mesh, e);
        if (is_corner(v) && throng_turn(v->eye, c.right, a) >= 0 && throng_turn(v->eye, c.left, a) <= 0)
            sight(v, e);
        if (e != entry && !throng_navmesh_ends_at(v->mesh, e))
            look_through(v, e, c.left, c.right);
    }
}

static int32_t previous_of(const throng_navmesh *m, int32_t e)
{
    int32_t face = m->face[e];
    return e > m->face_start[face] ? e - 1 : m->face_start[face + 1] - 1;
}

/* Round the corner that a wall's side starts at: the half-edge after `side` that does; -1: there the wall is back. */
static int32_t next_around(const throng_navmesh *m, int32_t side)
{
    int32_t last = previous_of(m, side);
    return throng_navmesh_ends_at(m, last) ? -1 : m->twin[last];
}

/* From the faces round a corner, and the edges to what is seen there. */
static void look_around(view *v)
{
    const throng_navmesh *m = v->mesh;
    for (int32_t side = v->outline->side[v->outline->reflex[v->node]]; side >= 0; side = next_around(m, side)) {
        int32_t face = m->face[side], last = previous_of(m, side);
        note(v, face);
        for (int32_t e = m->face_start[face]; e < m->face_start[face + 1]; e++) {
            sight(v, e);
            if (e != side && e != last && !throng_navmesh_ends_at(m, e))
                look_through(v, e, end_of(m, e), start_of(m, e));
        }
    }
}

/* --- edges --- */

/* Angles start at the direction of +x, which belongs to the first half turn. */
static bool in_second_half(throng_point eye, throng_point p) { return p.y < eye.y || (p.y == eye.y && p.x < eye.x); }

static int compare_directions(throng_point eye, throng_point p, throng_point q)
{
    bool p_late = in_second_half(eye, p), q_late = in_second_half(eye, q);
    double turn = throng_turn(eye, p, q);
    return p_late != q_late ? p_late - q_late : (turn < 0) - (turn > 0);
}

/* By direction, the nearest first. */
static int compare_sights(const void *a, const void *b, void *of)
{
    const view *v = of;
    throng_point p = v->roadmap->at[*(const int32_t *)a], q = v->roadmap->at[*(const int32_t *)b];
    int order = compare_directions(v->eye, p, q);
    double nearer = throng_distance(v->eye, p) - throng_distance(v->eye, q);
    return order ? order : (nearer > 0) - (nearer < 0);
}

/* What was seen becomes the node's edges, each once, but for corners behind another: paths go on from that. */
static void keep_edges(view *v)
{
    throng_roadmap *r = v->roadmap;
    int32_t first = r->edge_start[v->node], *to = r->edge_to, count = first;
    if (v->edge_count > first)
        qsort_r(to + first, (size_t)(v->edge_count - first), sizeof *to, compare_sights, v);
    for (int32_t i = first; i < v->edge_count; i++)
        if (i == first || compare_directions(v->eye, r->at[to[count - 1]], r->at[to[i]]))
            to[count++] = to[i];
    r->edge_start[v->node + 1] = v->edge_count = count;
}

/* --- all nodes --- */

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

static bool measure_edges(throng_roadmap *r, int32_t corners)
{
    r->edge_length = malloc(((size_t)r->edge_start[corners] + 1) * sizeof *r->edge_length);
    for (int32_t n = 0; r->edge_length && n < corners; n++)
        for (int32_t e = r->edge_start[n]; e < r->edge_start[n + 1]; e++)
            r->edge_length[e] = throng_distance(r->at[n], r->at[r->edge_to[e]]);
    return r->edge_length != NULL;
}

/* Room for edges, and which of the mesh's half-edges start at nodes. */
static bool find_corners(view *v)
{
    const throng_navmesh *m = v->mesh;
    const throng_outline *o = v->outline;
    throng_roadmap *r = v->roadmap;
    size_t corners = (size_t)o->reflex_count + 1;
    r->edge_start = calloc(corners, sizeof *r->edge_start);
    v->node_at = malloc(((size_t)m->edge_count + 1) * sizeof *v->node_at);
    if (!r->edge_start || !v->node_at ||
        !throng_array_reserve((void **)&r->edge_to, &v->edge_room, 1, sizeof *r->edge_to))
        return false;
    for (int32_t e = 0; e < m->edge_count; e++)
        v->node_at[e] = -1;
    for (int32_t n = 0; n < o->reflex_count; n++)
        for (int32_t side = o->side[o->reflex[n]]; side >= 0; side = next_around(m, side))
            v->node_at[side] = n;
    return true;
}

bool throng_roadmap_look(const throng_navmesh *mesh, throng_roadmap *roadmap, const throng_outline *outline)
{
    view v = {.mesh = mesh, .roadmap = roadmap, .outline = outline};
    v.seen_from = malloc(((size_t)mesh->face_count + 1) * sizeof *v.seen_from);
    v.failed = !v.seen_from || (outline && !find_corners(&v));
    for (int32_t f = 0; !v.failed && f < mesh->face_count; f++)
        v.seen_from[f] = -1;
    for (v.node = 0; !v.failed && v.node < roadmap->node_count; v.node++) {
        v.failed = throng_given_up();
        v.eye = roadmap->at[v.node];
        if (is_corner(&v))
            look_around(&v);
        else
            look_from_inside(&v);
        while (v.cone_count > 0 && !v.failed)
            follow(&v, v.cones[--v.cone_count]);
        if (is_corner(&v))
            keep_edges(&v);
    }
    bool fine = !v.failed && gather(&v, roadmap) && (!outline || measure_edges(roadmap, outline->reflex_count));
    free(v.seen_from);
    free(v.node_at);
    free(v.cones);
    free(v.pairs);
    return fine;
}
