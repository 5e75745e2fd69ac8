#include "roadmap.h"

#include <stdlib.h>

#include "base/clock.h"
#include "map/geometry.h"
#include "navmesh_plane.h"
#include "roadmap_parts.h"

/* m: how far beside its corner a node is steered for. */
static const double BESIDE = 0.005;

/* --- the outline of the mesh --- */

static int32_t next_in_face(const throng_navmesh *m, int32_t e)
{
    int32_t face = m->face[e];
    return e + 1 < m->face_start[face + 1] ? e + 1 : m->face_start[face];
}

/* The wall's side that starts where side `e` ends, around that corner. */
static int32_t next_side(const throng_navmesh *m, int32_t e)
{
    int32_t next = next_in_face(m, e);
    while (!throng_navmesh_ends_at(m, next))
        next = next_in_face(m, m->twin[next]);
    return next;
}

static throng_point start_of(const throng_navmesh *m, int32_t e) { return (throng_point){m->ax[e], m->ay[e]}; }
static throng_point end_of(const throng_navmesh *m, int32_t e) { return (throng_point){m->bx[e], m->by[e]}; }

/* The part of a building that a side is of, by its first sheet. */
static int32_t part_of(const throng_navmesh *mesh, int32_t e) { return mesh->sheet ? mesh->sheet[mesh->face[e]] : 0; }

/* The next part behind that one, INT32_MAX: there is none. */
static int32_t next_part(const throng_navmesh *mesh, int32_t part)
{
    int32_t next = INT32_MAX;
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->sheet && mesh->sheet[f] > part && mesh->sheet[f] < next)
            next = mesh->sheet[f];
    return next;
}

/* Those of one part of a building. */
static void find_corners_of(const throng_navmesh *mesh, int32_t part, const throng_navmesh *m, throng_outline *o,
                            int32_t *after, int32_t *corner)
{
    for (int32_t e = 0; e < m->edge_count; e++) {
        if (part_of(mesh, e) != part || !throng_navmesh_ends_at(m, e) || throng_navmesh_is_covered(m, m->face[e]))
            continue;
        after[e] = next_side(m, e);
        if (throng_turn(start_of(m, e), end_of(m, e), end_of(m, after[e])) == 0)
            continue;
        corner[after[e]] = o->count;
        o->side[o->count] = after[e];
        o->at[o->count++] = end_of(m, e);
    }
}

/* Corners are the starts of the wall's sides that turn off from the side before; they come part by part. */
static void find_corners(const throng_navmesh *mesh, const throng_navmesh *m, throng_outline *o, int32_t *after,
                         int32_t *corner)
{
    for (int32_t e = 0; e < m->edge_count; e++)
        corner[e] = -1;
    for (int32_t part = mesh->sheet ? next_part(mesh, -1) : 0; part < INT32_MAX; part = next_part(mesh, part))
        find_corners_of(mesh, part, m, o, after, corner);
    for (int32_t i = 0; i < o->count; i++) {
        int32_t e = after[o->side[i]];
        while (corner[e] < 0)
            e = after[e];
        o->next[i] = corner[e];
        o->previous[corner[e]] = i;
    }
}

/* Those that paths bend at. */
static void find_reflex(throng_outline *o)
{
    for (int32_t i = 0; i < o->count; i++)
        if (throng_turn(o->at[o->previous[i]], o->at[i], o->at[o->next[i]]) < 0)
            o->reflex[o->reflex_count++] = i;
}

/* `m`: the mesh, or a building's laid out. */
static bool trace(const throng_navmesh *mesh, const throng_navmesh *m, throng_outline *o)
{
    size_t n = (size_t)m->edge_count + 1;
    o->at = malloc(n * sizeof *o->at);
    o->next = malloc(n * sizeof *o->next);
    o->previous = malloc(n * sizeof *o->previous);
    o->side = malloc(n * sizeof *o->side);
    o->reflex = malloc(n * sizeof *o->reflex);
    int32_t *after = malloc(n * sizeof *after), *corner = malloc(n * sizeof *corner);
    bool fine = o->at && o->next && o->previous && o->side && o->reflex && after && corner;
    if (fine) {
        find_corners(mesh, m, o, after, corner);
        find_reflex(o);
    }
    free(after);
    free(corner);
    return fine;
}

static void fini_outline(throng_outline *o)
{
    free(o->at);
    free(o->next);
    free(o->previous);
    free(o->side);
    free(o->reflex);
}

/* --- nodes --- */

static throng_point left_normal(throng_point a, throng_point b)
{
    double length = throng_distance(a, b);
    return (throng_point){(a.y - b.y) / length, (b.x - a.x) / length};
}

/* A little off both walls that meet at the corner, less where that leaves the mesh. */
static throng_point beside(const throng_navmesh *m, const throng_outline *o, int32_t corner)
{
    throng_point at = o->at[corner];
    throng_point in = left_normal(o->at[o->previous[corner]], at), out = left_normal(at, o->at[o->next[corner]]);
    double scale = BESIDE / fmax(1 + in.x * out.x + in.y * out.y, 0.5);
    for (int i = 0; i < 4; i++, scale /= 4) {
        throng_point p = {at.x + scale * (in.x + out.x), at.y + scale * (in.y + out.y)};
        if (throng_navmesh_face_at(m, (float)p.x, (float)p.y) >= 0)
            return p;
    }
    return at;
}

static bool add_nodes(const throng_navmesh *m, const throng_outline *o, throng_roadmap *r)
{
    r->at = malloc(((size_t)o->reflex_count + 1) * sizeof *r->at);
    r->beside = malloc(((size_t)o->reflex_count + 1) * sizeof *r->beside);
    if (!r->at || !r->beside)
        return false;
    for (; r->node_count < o->reflex_count; r->node_count++) {
        int32_t corner = o->reflex[r->node_count];
        r->at[r->node_count] = o->at[corner];
        r->beside[r->node_count] = beside(m, o, corner);
    }
    return true;
}

/* `plane`: the mesh, or a building's laid out. */
static bool build(const throng_navmesh *mesh, const throng_navmesh *plane, throng_roadmap *r)
{
    throng_outline o = {0};
    bool fine = trace(mesh, plane, &o) && add_nodes(plane, &o, r) &&
                (plane == mesh ? throng_roadmap_look(mesh, r, &o)
                               : throng_roadmap_join_floors(mesh, plane, r, &o, NULL, NULL, NULL));
    fini_outline(&o);
    return fine;
}

throng_roadmap *throng_roadmap_build(const throng_navmesh *mesh, const throng_map_graph *graph, throng_error *error)
{
    double start = throng_clock();
    throng_roadmap *roadmap = calloc(1, sizeof *roadmap);
    throng_navmesh laid = {0};
    const throng_navmesh *plane = mesh->sheet ? &laid : mesh;
    bool given = graph && graph->node_count > 0;
    bool fine = roadmap && (!mesh->sheet || throng_navmesh_lay_out(mesh, &laid));
    given = given && fine;
    fine = fine && (given ? throng_roadmap_take(mesh, plane, graph, roadmap, error) : build(mesh, plane, roadmap));
    throng_navmesh_plane_fini(&laid);
    if (!fine) {
        if (!given)
            throng_fail(error, "out of memory for a roadmap");
        throng_roadmap_destroy(roadmap);
        return NULL;
    }
    roadmap->seconds = throng_clock() - start;
    return roadmap;
}

void throng_roadmap_destroy(throng_roadmap *r)
{
    if (!r)
        return;
    free(r->at);
    free(r->beside);
    free(r->edge_start);
    free(r->edge_to);
    free(r->edge_length);
    free(r->node_cost);
    free(r->face_start);
    free(r->face_node);
    free(r->sheet);
    free(r->portal);
    free(r->stop);
    free(r->stop_node);
    free(r);
}
