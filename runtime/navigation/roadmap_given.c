/* The roadmap that a map brings: its nodes and edges, as far as bodies of the mesh's radius can walk by them. */
#include <stdlib.h>

#include "base/array.h"
#include "map/geometry.h"
#include "roadmap_parts.h"

typedef struct taking {
    const throng_navmesh *building; /* the mesh as it is; */
    const throng_navmesh *mesh;     /* and laid out, where it has sheets */
    const throng_map_graph *graph;
    throng_roadmap *roadmap;
    int32_t *node;          /* [node_count] which of the roadmap it is, -1: none */
    int32_t *face;          /* [node_count] that holds it */
    throng_map_edge *edges; /* that bodies can walk by */
    int32_t count, room;
} taking;

static bool out_of_memory(throng_error *error) { return throng_fail(error, "out of memory for a roadmap"); }

/* What lies where bodies stand now is left out. */
static bool take_nodes(taking *t, throng_error *error)
{
    throng_roadmap *r = t->roadmap;
    for (int32_t n = 0; n < t->graph->node_count; n++) {
        const throng_map_node *node = &t->graph->nodes[n];
        t->node[n] = -1;
        if (node->max_radius > 0 && node->max_radius < t->mesh->radius)
            continue;
        t->face[n] = throng_navmesh_face_at(t->mesh, (float)node->at.x, (float)node->at.y);
        if (t->face[n] < 0 && !t->mesh->covered) {
            throng_point at = throng_navmesh_position_near(t->building, node->at);
            return throng_fail(error,
                               "node %s of the roadmap, at (%.6g, %.6g), lies where no agent of radius %g m can "
                               "stand: move it off the walls, or give it a max_radius",
                               node->name, at.x, at.y, t->mesh->radius);
        }
        if (t->face[n] < 0 || throng_navmesh_is_covered(t->mesh, t->face[n]))
            continue;
        t->node[n] = r->node_count;
        r->at[r->node_count] = r->beside[r->node_count] = node->at;
        r->node_cost[r->node_count++] = node->cost;
    }
    return true;
}

static bool sees(const taking *t, int32_t from, int32_t to)
{
    return throng_navmesh_sees(t->mesh, t->face[from], t->graph->nodes[from].at, t->graph->nodes[to].at, false);
}

static bool join(taking *t, const throng_map_edge *edge, bool *seen, throng_error *error)
{
    *seen = sees(t, edge->from, edge->to) || sees(t, edge->to, edge->from);
    if (!*seen)
        return true;
    if (!throng_array_reserve((void **)&t->edges, &t->room, (int64_t)t->count + 1, sizeof *t->edges))
        return out_of_memory(error);
    t->edges[t->count++] = *edge;
    return true;
}

static bool take_edges(taking *t, throng_error *error)
{
    for (int32_t e = 0; e < t->graph->edge_count; e++) {
        bool seen;
        const throng_map_edge *edge = &t->graph->edges[e];
        if (t->node[edge->from] < 0 || t->node[edge->to] < 0)
            continue;
        if (throng_roadmap_is_apart(t->building, t->mesh, t->roadmap, t->node[edge->from], t->node[edge->to]))
            continue; /* roadmap_floors.c */
        if (!join(t, edge, &seen, error))
            return false;
        if (!seen && !t->mesh->covered)
            return throng_fail(error, "edge %s - %s of the roadmap runs into a wall for an agent of radius %g m",
                               t->graph->nodes[edge->from].name, t->graph->nodes[edge->to].name, t->mesh->radius);
    }
    return true;
}

/* All pairs that see each other (Bleiweiss, section 3.1: E0). */
static bool find_edges(taking *t, throng_error *error)
{
    bool seen;
    for (int32_t i = 0; i < t->graph->node_count; i++)
        for (int32_t k = i + 1; t->node[i] >= 0 && k < t->graph->node_count; k++)
            if (t->node[k] >= 0 && !join(t, &(throng_map_edge){.from = i, .to = k}, &seen, error))
                return false;
    return true;
}

/* Counts the edges of each node behind its place in edge_start; then, with `list`, writes them. */
static void visit_edges(taking *t, bool list)
{
    throng_roadmap *r = t->roadmap;
    for (int32_t e = 0; e < t->count; e++) {
        const throng_map_edge *edge = &t->edges[e];
        int32_t ends[] = {t->node[edge->from], t->node[edge->to]};
        for (int i = 0; i < 2; i++) {
            int32_t at = r->edge_start[ends[i] + 1]++;
            if (!list)
                continue;
            r->edge_to[at] = ends[1 - i];
            r->edge_length[at] = throng_distance(r->at[ends[0]], r->at[ends[1]]) + edge->cost;
        }
    }
}

/* `edge_start` ends up where it should: each entry is moved by the writing of its node's edges. */
static void list_edges(taking *t)
{
    throng_roadmap *r = t->roadmap;
    visit_edges(t, false);
    for (int32_t n = 0, sum = 0; n < r->node_count; n++) {
        int32_t here = r->edge_start[n + 1];
        r->edge_start[n + 1] = sum;
        sum += here;
    }
    visit_edges(t, true);
}

static bool make_room(throng_roadmap *r, size_t nodes, size_t edges)
{
    r->edge_start = calloc(nodes + 1, sizeof *r->edge_start);
    r->edge_to = malloc((2 * edges + 1) * sizeof *r->edge_to);
    r->edge_length = malloc((2 * edges + 1) * sizeof *r->edge_length);
    return r->edge_start && r->edge_to && r->edge_length;
}

bool throng_roadmap_take(const throng_navmesh *mesh, const throng_navmesh *plane, const throng_map_graph *graph,
                         throng_roadmap *r, throng_error *error)
{
    size_t nodes = (size_t)graph->node_count + 1;
    taking t = {.building = mesh, .mesh = plane, .graph = graph, .roadmap = r};
    t.node = malloc(nodes * sizeof *t.node);
    t.face = malloc(nodes * sizeof *t.face);
    r->at = malloc(nodes * sizeof *r->at);
    r->beside = malloc(nodes * sizeof *r->beside);
    r->node_cost = malloc(nodes * sizeof *r->node_cost);
    bool fine = t.node && t.face && r->at && r->beside && r->node_cost
                    ? take_nodes(&t, error) && (graph->edge_count ? take_edges(&t, error) : find_edges(&t, error))
                    : out_of_memory(error);
    if (fine && (fine = make_room(r, nodes, (size_t)t.count) || out_of_memory(error))) {
        list_edges(&t);
        fine = plane == mesh ? throng_roadmap_look(mesh, r, NULL) || out_of_memory(error)
                             : throng_roadmap_join_floors(mesh, plane, r, NULL, graph, t.node, error);
    }
    free(t.node);
    free(t.face);
    free(t.edges);
    return fine;
}
