#include "path_search.h"

#include <stdlib.h>

#include "kernels/routing/portals.h"
#include "base/array.h"
#include "face_grid.h"
#include "map/geometry.h"
#include "navmesh_pillars.h"
#include "path_net.h"

enum { FACES_AT_A_POINT = 16 };

struct throng_path_search {
    portal_search in; /* the memory is ours */
    throng_path_state state;
    throng_path path;
    double cost; /* m */
    int32_t path_room;
    int32_t starts[FACES_AT_A_POINT],
        start_count;         /* faces at the start; none of them once the search has begun there */
    int32_t ahead;           /* expansions that are still to be spent on what is known already, */
    throng_path_state known; /* which is this; THRONG_PATH_OPEN: nothing is */
};

/* --- memory --- */

/* Twice as many slots. */
static bool grow_table(portal_search *in)
{
    int32_t size = in->table_size ? 2 * in->table_size : 64;
    int32_t *table = malloc((size_t)size * sizeof *table);
    if (!table)
        return false;
    for (int32_t i = 0; i < size; i++)
        table[i] = -1;
    free(in->table);
    in->table = table;
    in->table_size = size;
    for (int32_t i = 0; i < in->root_count; i++) {
        if (in->roots[i].corner < 0)
            continue;
        int32_t *slot = portals_slot_of(in, in->roots[i].corner);
        *slot = i; /* the last of a corner's roots is the best */
        in->roots[i].slot = (int32_t)(slot - table);
    }
    return true;
}

/* Until there is room for another expansion. */
static bool grow(portal_search *in)
{
    int64_t most = portals_most_found(in->net);
    bool fine = throng_array_reserve((void **)&in->nodes, &in->node_room, in->node_count + most, sizeof *in->nodes) &&
                throng_array_reserve((void **)&in->heap, &in->heap_room, in->heap_count + most, sizeof *in->heap) &&
                throng_array_reserve((void **)&in->roots, &in->root_room, in->root_count + portals_most_roots(in->net),
                                     sizeof *in->roots);
    while (fine && 2 * (in->root_count + 2) > in->table_size)
        fine = grow_table(in);
    return fine;
}

/* --- the path --- */

/* Room for so many corners. */
static throng_point *path_room(throng_path_search *s, int32_t count)
{
    if (throng_array_reserve((void **)&s->path.corners, &s->path_room, count, sizeof *s->path.corners))
        return s->path.corners;
    s->state = THRONG_PATH_FAILED;
    return NULL;
}

static void finish(throng_path_search *s, int32_t count)
{
    s->state = THRONG_PATH_FOUND;
    s->path.count = count;
    for (int32_t i = 0; i + 1 < count; i++)
        s->path.length += throng_distance(s->path.corners[i], s->path.corners[i + 1]);
}

static void finish_found(throng_path_search *s)
{
    throng_point *corners = path_room(s, portals_most_corners(&s->in)), bend = portals_last_bend(&s->in);
    const portal_root *root = &s->in.roots[s->in.nodes[s->in.next].root];
    if (corners)
        finish(s, portals_write(&s->in, corners));
    s->cost = root->length + throng_distance(root->at, bend) + throng_distance(bend, s->in.to);
}

static void finish_straight(throng_path_search *s)
{
    throng_point from = s->in.from, to = s->in.to, *corners = path_room(s, 2);
    if (!corners)
        return;
    corners[0] = from;
    corners[1] = to;
    finish(s, from.x == to.x && from.y == to.y ? 1 : 2);
    s->cost = s->path.length;
}

/* --- the search --- */

/* The start may lie in several faces, on their common corner or portal. */
static void find_start(throng_path_search *s, const throng_navmesh *mesh, int32_t count, int32_t to_face)
{
    bool joined = false;
    for (int32_t i = 0; i < count; i++) {
        if (s->starts[i] == to_face || (throng_navmesh_same_part(mesh, s->starts[i], to_face) &&
                                        throng_face_holds(mesh, s->starts[i], s->in.to))) {
            finish_straight(s);
            return;
        }
        joined = joined || mesh->component[s->starts[i]] == mesh->component[to_face];
    }
    s->start_count = joined ? count : 0; /* with nothing open there is no path */
}

void throng_path_search_begin(throng_path_search *s, const throng_navmesh *mesh, throng_point from, throng_point to)
{
    int32_t to_face, count = throng_navmesh_faces_at(mesh, from, s->starts, FACES_AT_A_POINT);
    bool there = throng_navmesh_faces_at(mesh, to, &to_face, 1) > 0;
    if (count > 0)
        from = throng_navmesh_position(mesh, s->starts[0], from);
    if (there)
        to = throng_navmesh_position(mesh, to_face, to);
    s->state = THRONG_PATH_OPEN;
    s->known = THRONG_PATH_OPEN;
    s->start_count = 0;
    s->path.count = 0;
    s->path.length = 0;
    portals_begin(&s->in, mesh->net, from, to, there ? to_face : 0);
    if (there)
        find_start(s, mesh, count, to_face);
}

/* Opens what is seen from the start. */
static bool begin(throng_path_search *s)
{
    while (s->start_count > 0 && !portals_start(&s->in, s->starts, s->start_count))
        if (!grow(&s->in))
            return false;
    s->start_count = 0;
    return true;
}

static throng_path_state step_known(throng_path_search *s, int32_t *expansions)
{
    int32_t spent = s->ahead < *expansions ? s->ahead : *expansions;
    *expansions -= spent;
    s->ahead -= spent;
    if (s->ahead == 0 && *expansions > 0)
        s->state = s->known;
    return s->state;
}

throng_path_state throng_path_search_step(throng_path_search *s, int32_t *expansions)
{
    int32_t found = THRONG_SEARCH_OPEN;
    if (s->state != THRONG_PATH_OPEN)
        return s->state;
    if (s->known != THRONG_PATH_OPEN)
        return step_known(s, expansions);
    bool fine = begin(s);
    while (fine && (found = portals_step(&s->in, expansions)) == THRONG_SEARCH_FULL)
        fine = grow(&s->in);
    if (!fine)
        s->state = THRONG_PATH_FAILED;
    else if (found == THRONG_SEARCH_FOUND)
        finish_found(s);
    else if (found == THRONG_SEARCH_NONE)
        s->state = THRONG_PATH_NONE;
    return s->state;
}

bool throng_path_search_query(const throng_path_search *s, throng_search_query *query)
{
    if (s->state != THRONG_PATH_OPEN || s->known != THRONG_PATH_OPEN || s->start_count < 1 ||
        s->start_count > THRONG_SEARCH_STARTS)
        return false;
    *query = (throng_search_query){.from = s->in.from, .to = s->in.to, .to_face = s->in.to_face};
    for (int32_t i = 0; i < THRONG_SEARCH_STARTS; i++)
        query->starts[i] = i < s->start_count ? s->starts[i] : -1;
    return true;
}

void throng_path_search_settle(throng_path_search *s, const throng_search_result *result, const throng_point *corners)
{
    if (result->state == THRONG_SEARCH_FULL)
        return;
    s->ahead = result->expansions;
    s->known = THRONG_PATH_NONE;
    if (result->state == THRONG_SEARCH_NONE || !path_room(s, result->count))
        return;
    for (int32_t i = 0; i < result->count; i++)
        s->path.corners[i] = corners[result->first + i];
    finish(s, result->count);
    s->known = THRONG_PATH_FOUND;
    s->state = THRONG_PATH_OPEN;
}

void throng_path_search_begin_straight(throng_path_search *s, const throng_navmesh *mesh, throng_point from,
                                       throng_point to)
{
    throng_path_search_begin(s, mesh, from, to);
    if (!throng_navmesh_passes_pillars(mesh, from, to))
        s->state = THRONG_PATH_NONE;
    s->in.longest = throng_distance(from, to) * (1 + 1e-12);
}

const throng_path *throng_path_search_path(const throng_path_search *s) { return &s->path; }

double throng_path_search_cost(const throng_path_search *s) { return s->cost; }

/* --- lifetime --- */

throng_path_search *throng_path_search_create(void) { return calloc(1, sizeof(throng_path_search)); }

void throng_path_search_destroy(throng_path_search *s)
{
    if (!s)
        return;
    free(s->in.nodes);
    free(s->in.heap);
    free(s->in.roots);
    free(s->in.table);
    throng_path_fini(&s->path);
    free(s);
}

size_t throng_path_search_bytes(const throng_path_search *s)
{
    const portal_search *in = &s->in;
    return sizeof *s + (size_t)in->node_room * sizeof *in->nodes + (size_t)in->heap_room * sizeof *in->heap +
           (size_t)in->root_room * sizeof *in->roots + (size_t)in->table_size * sizeof *in->table +
           (size_t)s->path_room * sizeof *s->path.corners;
}
