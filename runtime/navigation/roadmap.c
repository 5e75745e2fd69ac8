#include "roadmap.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "navmesh_plane.h"
#include "roadmap_parts.h"
#include "roadmap_sweep.h"

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

typedef struct tracer {
    throng_outline outline;
    int32_t *side; /* [count] the half-edge that starts at the corner */
} tracer;

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
static void find_corners_of(const throng_navmesh *mesh, int32_t part, const throng_navmesh *m, tracer *t,
                            int32_t *after, int32_t *corner)
{
    throng_outline *o = &t->outline;
    for (int32_t e = 0; e < m->edge_count; e++) {
        if (part_of(mesh, e) != part || !throng_navmesh_ends_at(m, e) || throng_navmesh_is_covered(m, m->face[e]))
            continue;
        after[e] = next_side(m, e);
        if (throng_turn(start_of(m, e), end_of(m, e), end_of(m, after[e])) == 0)
            continue;
        corner[after[e]] = o->count;
        t->side[o->count] = after[e];
        o->at[o->count++] = end_of(m, e);
    }
}

/* Corners are the starts of the wall's sides that turn off from the side before; they come part by part. */
static void find_corners(const throng_navmesh *mesh, const throng_navmesh *m, tracer *t, int32_t *after,
                         int32_t *corner)
{
    throng_outline *o = &t->outline;
    for (int32_t e = 0; e < m->edge_count; e++)
        corner[e] = -1;
    for (int32_t part = mesh->sheet ? next_part(mesh, -1) : 0; part < INT32_MAX; part = next_part(mesh, part))
        find_corners_of(mesh, part, m, t, after, corner);
    for (int32_t i = 0; i < o->count; i++) {
        int32_t e = after[t->side[i]];
        while (corner[e] < 0)
            e = after[e];
        o->next[i] = corner[e];
        o->previous[corner[e]] = i;
    }
}

/* `m`: the mesh, or a building's laid out. */
static bool trace(const throng_navmesh *mesh, const throng_navmesh *m, tracer *t)
{
    size_t n = (size_t)m->edge_count + 1;
    t->outline.at = malloc(n * sizeof(throng_point));
    t->outline.next = malloc(n * sizeof(int32_t));
    t->outline.previous = malloc(n * sizeof(int32_t));
    t->side = malloc(n * sizeof(int32_t));
    int32_t *after = malloc(n * sizeof *after), *corner = malloc(n * sizeof *corner);
    bool fine = t->outline.at && t->outline.next && t->outline.previous && t->side && after && corner;
    if (fine)
        find_corners(mesh, m, t, after, corner);
    free(after);
    free(corner);
    return fine;
}

static void fini_tracer(tracer *t)
{
    free(t->outline.at);
    free(t->outline.next);
    free(t->outline.previous);
    free(t->side);
}

/* --- nodes and edges --- */

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

static bool add_nodes(const throng_navmesh *m, throng_roadmap *r, const tracer *t, int32_t *node, int32_t *first_side)
{
    const throng_outline *o = &t->outline;
    r->at = malloc(((size_t)o->count + 1) * sizeof *r->at);
    r->beside = malloc(((size_t)o->count + 1) * sizeof *r->beside);
    if (!r->at || !r->beside)
        return false;
    for (int32_t i = 0; i < o->count; i++) {
        node[i] = throng_outline_is_reflex(o, i) ? r->node_count++ : -1;
        if (node[i] < 0)
            continue;
        r->at[node[i]] = o->at[i];
        r->beside[node[i]] = beside(m, o, i);
        first_side[node[i]] = t->side[i];
    }
    return true;
}

static bool measure_edges(throng_roadmap *r)
{
    r->edge_length = malloc(((size_t)r->edge_start[r->node_count] + 1) * sizeof *r->edge_length);
    for (int32_t n = 0; r->edge_length && n < r->node_count; n++)
        for (int32_t e = r->edge_start[n]; e < r->edge_start[n + 1]; e++)
            r->edge_length[e] = throng_distance(r->at[n], r->at[r->edge_to[e]]);
    return r->edge_length != NULL;
}

/* Edges between the corners first .. of an outline, whose own that slice is. */
static bool add_edges_of(throng_roadmap *r, const throng_outline *slice, const int32_t *node, int32_t *count,
                         int32_t *room)
{
    int32_t *seen = malloc(((size_t)slice->count + 1) * sizeof *seen);
    throng_sweep *sweep = throng_sweep_create(slice);
    bool fine = seen && sweep;
    for (int32_t i = 0; fine && i < slice->count; i++) {
        if (node[i] < 0)
            continue;
        int32_t found = throng_sweep_around(sweep, i, seen);
        fine = !throng_given_up() &&
               throng_array_reserve((void **)&r->edge_to, room, (int64_t)*count + found + 1, sizeof *seen);
        r->edge_start[node[i]] = *count;
        for (int32_t k = 0; fine && k < found; k++)
            r->edge_to[(*count)++] = node[seen[k]];
    }
    throng_sweep_destroy(sweep);
    free(seen);
    return fine;
}

/* What lies on different parts of a building does not see each other: each is swept for itself. */
static bool add_edges(const throng_navmesh *mesh, throng_roadmap *r, const tracer *t, const int32_t *node)
{
    const throng_outline *o = &t->outline;
    int32_t count = 0, room = 0;
    size_t n = (size_t)o->count + 1;
    throng_outline slice = {o->at, malloc(n * sizeof *slice.next), malloc(n * sizeof *slice.previous), 0};
    r->edge_start = malloc(((size_t)r->node_count + 1) * sizeof *r->edge_start);
    bool fine = slice.next && slice.previous && r->edge_start;
    for (int32_t first = 0; fine && first < o->count; first += slice.count) {
        slice.at = o->at + first;
        for (slice.count = 0; first + slice.count < o->count &&
                              part_of(mesh, t->side[first + slice.count]) == part_of(mesh, t->side[first]);
             slice.count++) {
            slice.next[slice.count] = o->next[first + slice.count] - first;
            slice.previous[slice.count] = o->previous[first + slice.count] - first;
        }
        fine = add_edges_of(r, &slice, node + first, &count, &room);
    }
    fine = fine && throng_array_reserve((void **)&r->edge_to, &room, (int64_t)count + 1, sizeof *r->edge_to);
    if (fine)
        r->edge_start[r->node_count] = count;
    free(slice.next);
    free(slice.previous);
    return fine && measure_edges(r);
}

/* `plane`: the mesh, or a building's laid out. */
static bool build(const throng_navmesh *mesh, const throng_navmesh *plane, throng_roadmap *r)
{
    tracer t = {0};
    bool fine = trace(mesh, plane, &t);
    int32_t *node = malloc(((size_t)t.outline.count + 1) * sizeof *node);
    int32_t *first_side = malloc(((size_t)t.outline.count + 1) * sizeof *first_side);
    fine = fine && node && first_side && add_nodes(plane, r, &t, node, first_side) && add_edges(mesh, r, &t, node) &&
           (plane == mesh ? throng_roadmap_list_faces(mesh, r, first_side, r->node_count)
                          : throng_roadmap_join_floors(mesh, plane, r, first_side, NULL, NULL, NULL));
    free(node);
    free(first_side);
    fini_tracer(&t);
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
