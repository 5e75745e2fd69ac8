/* The roadmap of a building: nodes and edges of its floors and flights, laid out side by side, and what joins these.
 *
 * Edges of the map's own lead over seams where they pass them; over all others lead nodes that whoever sees them takes.
 *
 * A seam is passed by nodes of its own, some for each direction: seen from the part that one comes from, steered for a
 * little beyond the seam, and going on from there. What passing the seam costs is so part of every path, whichever way
 * an agent looks, and one that may not be passed is no path. Lifts have nodes at the back of their cars, at each floor,
 * between which rides lead (roadmap_tree.c). */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "map/geometry.h"
#include "navmesh_lifts.h"
#include "roadmap_parts.h"

static const double BEFORE = 0.005; /* m: the place from before a seam, */
static const double BEYOND = 0.05;  /* and the one behind it that is steered for */
static const double INSET = 0.01;   /* m: from the ends of what can be passed of a seam */
static const double APART = 0.5;    /* m: its nodes */
enum { MOST_AT_SEAM = 16 };

/* A node that is none of a floor's own. */
typedef struct added_node {
    throng_point at, beside; /* places */
    int32_t portal, stop;
    double cost; /* m */
    bool given;  /* made for an edge of the map's: nothing else leads there */
} added_node;

typedef struct link {
    int32_t from, to;
    double length; /* m */
} link;

typedef struct joiner {
    const throng_navmesh *mesh, *plane;
    throng_roadmap *roadmap;
    int32_t own;  /* nodes of floors and flights, the first of all */
    uint8_t *led; /* [half-edges] 1: an edge of the map's leads over it */
    added_node *added;
    int32_t count, room;
    link *links;
    int32_t link_count, link_room;
} joiner;

static bool add(joiner *j, added_node node)
{
    if (!throng_array_reserve((void **)&j->added, &j->room, (int64_t)j->count + 1, sizeof node))
        return false;
    j->added[j->count++] = node;
    return true;
}

static bool join(joiner *j, int32_t from, int32_t to, double length)
{
    if (!throng_array_reserve((void **)&j->links, &j->link_room, (int64_t)j->link_count + 1, sizeof *j->links))
        return false;
    j->links[j->link_count++] = (link){from, to, length};
    return true;
}

static int32_t face_of(const joiner *j, throng_point place)
{
    return throng_navmesh_face_at(j->plane, (float)place.x, (float)place.y);
}

/* --- nodes --- */

/* A node that leads out of a face through a portal on a seam, at a position on it. */
static added_node node_through(const joiner *j, int32_t portal, throng_point at)
{
    const throng_navmesh *m = j->mesh;
    throng_point a = {m->ax[portal], m->ay[portal]}, b = {m->bx[portal], m->by[portal]};
    double length = throng_distance(a, b), x = -(b.y - a.y) / length, y = (b.x - a.x) / length; /* into the face */
    throng_point before = {at.x + BEFORE * x, at.y + BEFORE * y}, beyond = {at.x - BEYOND * x, at.y - BEYOND * y};
    return (added_node){.at = throng_navmesh_place(m, m->face[portal], before),
                        .beside = throng_navmesh_place(m, m->face[m->twin[portal]], beyond),
                        .portal = portal,
                        .stop = -1};
}

/* Nodes along a portal on a seam. */
static bool add_portal(joiner *j, int32_t portal)
{
    const throng_navmesh *m = j->mesh;
    throng_point a = {m->ax[portal], m->ay[portal]}, b = {m->bx[portal], m->by[portal]};
    double length = throng_distance(a, b), inset = fmin(INSET, 0.25 * length) / length;
    int32_t count = 2 + (int32_t)fmin((length - 2 * INSET) / APART, MOST_AT_SEAM - 2);
    for (int32_t i = 0; i < count; i++)
        if (!add(j, node_through(j, portal, throng_between(a, b, inset + (1 - 2 * inset) * i / (count - 1)))))
            return false;
    return true;
}

/* At all seams that no edge of the map's leads over. */
static bool add_portals(joiner *j)
{
    const throng_navmesh *m = j->mesh;
    for (int32_t e = 0; e < m->edge_count; e++)
        if (throng_navmesh_on_seam(m, e) && m->twin[e] >= 0 && !j->led[e] && !add_portal(j, e))
            return false;
    return true;
}

/* Two at the back of each car, where who rides goes. */
static bool add_stops(joiner *j)
{
    const throng_mesh_lifts *l = j->mesh->lifts;
    throng_roadmap *r = j->roadmap;
    r->stop_node = malloc(((size_t)(l ? l->map.stop_count : 0) + 1) * sizeof *r->stop_node);
    for (int32_t i = 0; r->stop_node && l && i < l->map.stop_count; i++) {
        r->stop_node[i] = l->stops[i].face < 0 ? -1 : j->own + j->count;
        if (l->stops[i].face < 0)
            continue;
        throng_point a = throng_navmesh_place(j->mesh, l->stops[i].face, l->stops[i].a);
        throng_point b = throng_navmesh_place(j->mesh, l->stops[i].face, l->stops[i].b);
        if (!add(j, (added_node){.at = a, .beside = a, .portal = -1, .stop = i}) ||
            !add(j, (added_node){.at = b, .beside = b, .portal = -1, .stop = i}))
            return false;
    }
    return r->stop_node != NULL;
}

/* --- edges of the map's that lead from part to part --- */

enum { MOST_PASSED = 16 };

static throng_point position_of(const joiner *j, throng_point place)
{
    return throng_navmesh_position(j->mesh, face_of(j, place), place);
}

/* Where the line from `from` to `to` passes a side that it leaves a face by. */
static throng_point passes_at(const throng_navmesh *m, int32_t e, throng_point from, throng_point to)
{
    throng_point a = {m->ax[e], m->ay[e]}, b = {m->bx[e], m->by[e]};
    double here = fmax(throng_turn(a, b, from), 0), there = throng_turn(a, b, to);
    return throng_between(from, to, here / (here - there));
}

/* Follows the line from node to node, and notes the portals on seams that it passes; -1: it does not come there. */
static int32_t follow(const joiner *j, int32_t from, int32_t to, int32_t portals[MOST_PASSED])
{
    const throng_navmesh *m = j->mesh;
    throng_point a = position_of(j, j->roadmap->at[from]), b = position_of(j, j->roadmap->at[to]);
    int32_t face = face_of(j, j->roadmap->at[from]), goal = face_of(j, j->roadmap->at[to]), count = 0;
    for (int32_t passed = 0; passed < m->face_count; passed++) {
        int32_t out = throng_navmesh_side_out(m, face, a, b);
        if (out < 0)
            return m->sheet[face] == m->sheet[goal] ? count : -1;
        bool seam = m->twin[out] >= 0 && throng_navmesh_on_seam(m, out);
        if (throng_navmesh_ends_at(m, out) || (seam && count == MOST_PASSED))
            return -1;
        if (seam)
            portals[count++] = out;
        face = m->face[m->twin[out]];
    }
    return -1;
}

/* One direction of an edge: by a node of its own at each seam. */
static bool lead(joiner *j, int32_t from, int32_t to, double cost, bool *found)
{
    int32_t portals[MOST_PASSED], count = follow(j, from, to, portals), last = from;
    *found = count > 0;
    throng_point a = position_of(j, j->roadmap->at[from]), b = position_of(j, j->roadmap->at[to]), here = a;
    for (int32_t i = 0; i < count; i++) {
        throng_point at = passes_at(j->mesh, portals[i], a, b);
        j->led[portals[i]] = 1;
        added_node node = node_through(j, portals[i], at);
        node.given = true;
        node.cost = i == 0 ? cost : 0; /* whoever passes a node of the edge's passes this one */
        int32_t next = j->own + j->count;
        if (!add(j, node) || !join(j, last, next, throng_distance(here, at)))
            return false;
        last = next;
        here = at;
    }
    return count < 1 || join(j, last, to, throng_distance(here, b));
}

static bool take_edges(joiner *j, const throng_map_graph *graph, const int32_t *node, throng_error *error)
{
    for (int32_t e = 0; e < graph->edge_count; e++) {
        const throng_map_edge *edge = &graph->edges[e];
        int32_t from = node[edge->from], to = node[edge->to];
        bool there, back;
        if (from < 0 || to < 0 || !throng_roadmap_is_apart(j->mesh, j->plane, j->roadmap, from, to))
            continue;
        if (!lead(j, from, to, edge->cost, &there) || !lead(j, to, from, edge->cost, &back))
            return throng_fail(error, "out of memory for a roadmap");
        if (!there || !back)
            return throng_fail(
                error,
                "edge %s - %s of the roadmap leads from one floor to another, and not straight over a "
                "flight between them with room for an agent of radius %g m: give it a node at each "
                "turn, on landings, too; lifts, and flights that people may take from where they see them, need none",
                graph->nodes[edge->from].name, graph->nodes[edge->to].name, j->mesh->radius);
    }
    return true;
}

/* --- all of them --- */

static throng_point steered(const throng_roadmap *r, const throng_navmesh *m, int32_t n)
{
    throng_point by = m->offset[r->sheet[n]];
    return (throng_point){r->beside[n].x - by.x, r->beside[n].y - by.y};
}

/* An array that has room for the nodes of floors and flights, for all. */
static bool grow(const joiner *j, void **values, size_t size)
{
    int32_t room = j->own;
    return throng_array_reserve(values, &room, (int64_t)j->own + j->count + 1, size);
}

static bool take_nodes(joiner *j)
{
    throng_roadmap *r = j->roadmap;
    int32_t all = j->own + j->count;
    r->sheet = malloc(((size_t)all + 1) * sizeof *r->sheet);
    r->portal = malloc(((size_t)all + 1) * sizeof *r->portal);
    r->stop = malloc(((size_t)all + 1) * sizeof *r->stop);
    if (!r->sheet || !r->portal || !r->stop || !grow(j, (void **)&r->at, sizeof *r->at) ||
        !grow(j, (void **)&r->beside, sizeof *r->beside) ||
        (r->node_cost && !grow(j, (void **)&r->node_cost, sizeof *r->node_cost)))
        return false;
    for (int32_t n = 0; n < all; n++) {
        added_node *a = n < j->own ? NULL : &j->added[n - j->own];
        r->at[n] = a ? a->at : r->at[n];
        r->beside[n] = a ? a->beside : r->beside[n];
        r->portal[n] = a ? a->portal : -1;
        r->stop[n] = a ? a->stop : -1;
        if (a && r->node_cost)
            r->node_cost[n] = a->cost;
        int32_t face = face_of(j, r->beside[n]);
        if (face < 0) { /* a corner that rounding puts a hair outside */
            float x, y;
            face = throng_navmesh_nearest(j->plane, (float)r->beside[n].x, (float)r->beside[n].y, 1, &x, &y);
        }
        r->sheet[n] = face < 0 ? 0 : j->mesh->sheet[face];
    }
    r->node_count = all;
    return true;
}

static bool is_free(const joiner *j, int32_t node) { return node < j->own || !j->added[node - j->own].given; }

/* From each node to those it sees, where one of the two is no floor's own. */
static bool link_seen(joiner *j)
{
    throng_roadmap *r = j->roadmap;
    for (int32_t n = 0; n < r->node_count; n++) {
        int32_t face = is_free(j, n) ? face_of(j, r->beside[n]) : -1;
        if (throng_given_up())
            return false;
        for (int32_t i = face < 0 ? 0 : r->face_start[face]; face >= 0 && i < r->face_start[face + 1]; i++) {
            int32_t k = r->face_node[i];
            bool back = r->portal[n] >= 0 && r->portal[k] == j->mesh->twin[r->portal[n]];
            if (k == n || (n < j->own && k < j->own) || !is_free(j, k) || back)
                continue;
            if (!throng_navmesh_sees(j->plane, face, r->beside[n], r->at[k], false) &&
                !(k < j->own && throng_navmesh_sees(j->plane, face, r->beside[n], r->beside[k], false)))
                continue;
            if (!join(j, n, k, throng_distance(steered(r, j->mesh, n), steered(r, j->mesh, k))))
                return false;
        }
    }
    return true;
}

/* Links go into the lists of edges, at the node that they lead to. */
static bool list_links(joiner *j)
{
    throng_roadmap *r = j->roadmap;
    int32_t n = r->node_count;
    size_t all = (size_t)r->edge_start[j->own] + (size_t)j->link_count + 1;
    int32_t *start = calloc((size_t)n + 2, sizeof *start), *to = malloc(all * sizeof *to);
    double *length = malloc(all * sizeof *length);
    bool fine = start && to && length;
    for (int32_t k = 0; fine && k < j->own; k++)
        start[k + 2] += r->edge_start[k + 1] - r->edge_start[k];
    for (int32_t i = 0; fine && i < j->link_count; i++)
        start[j->links[i].to + 2]++;
    for (int32_t k = 2; fine && k < n + 2; k++)
        start[k] += start[k - 1];
    for (int32_t k = 0; fine && k < j->own; k++)
        for (int32_t e = r->edge_start[k]; e < r->edge_start[k + 1]; e++) {
            to[start[k + 1]] = r->edge_to[e];
            length[start[k + 1]++] = r->edge_length[e];
        }
    for (int32_t i = 0; fine && i < j->link_count; i++) {
        to[start[j->links[i].to + 1]] = j->links[i].from;
        length[start[j->links[i].to + 1]++] = j->links[i].length;
    }
    if (fine) {
        free(r->edge_start);
        free(r->edge_to);
        free(r->edge_length);
        r->edge_start = start;
        r->edge_to = to;
        r->edge_length = length;
        return true;
    }
    free(start);
    free(to);
    free(length);
    return false;
}

static bool join_all(joiner *j, const throng_outline *outline)
{
    return take_nodes(j) && throng_roadmap_look(j->plane, j->roadmap, outline) && link_seen(j) && list_links(j);
}

bool throng_roadmap_is_apart(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_roadmap *r,
                             int32_t from, int32_t to)
{
    int32_t a = throng_navmesh_face_at(plane, (float)r->at[from].x, (float)r->at[from].y);
    int32_t b = throng_navmesh_face_at(plane, (float)r->at[to].x, (float)r->at[to].y);
    return !throng_navmesh_same_part(mesh, a, b);
}

bool throng_roadmap_join_floors(const throng_navmesh *mesh, const throng_navmesh *plane, throng_roadmap *roadmap,
                                const throng_outline *outline, const throng_map_graph *graph, const int32_t *node,
                                throng_error *error)
{
    joiner j = {.mesh = mesh, .plane = plane, .roadmap = roadmap, .own = roadmap->node_count};
    j.led = calloc((size_t)mesh->edge_count + 1, 1);
    bool fine = j.led && (!graph || take_edges(&j, graph, node, error)) &&
                ((add_portals(&j) && add_stops(&j) && join_all(&j, outline)) ||
                 throng_fail(error, "out of memory for a roadmap"));
    free(j.led);
    free(j.added);
    free(j.links);
    return fine;
}
