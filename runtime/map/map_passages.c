/* Where faces of a map join: which nodes lie in which face, which faces edges join, and what passing costs. */
#include "map_passages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "geometry.h"
#include "map_findings.h"

enum { FACES_OF_NODE = 8 };         /* more need not be looked at: a node on a corner */
static const double PARTING = 0.01; /* m: thickness of the wall along a side where there is no edge */

/* The faces that a node lies in, or on the rim of. */
typedef struct place {
    int32_t face[FACES_OF_NODE], count;
} place;

typedef struct by_x {
    double x;
    int32_t node;
} by_x;

static int compare_x(const void *a, const void *b)
{
    double x = ((const by_x *)a)->x, y = ((const by_x *)b)->x;
    return (x > y) - (x < y);
}

static bool lies_in(const throng_point *corners, int32_t count, throng_point at)
{
    bool in = throng_polygon_holds(corners, count, at);
    for (int32_t i = 0; i < count && !in; i++)
        in = throng_segment_distance(corners[i], corners[(i + 1) % count], at) < 1e-6;
    return in;
}

static int32_t first_from(const by_x *order, int32_t count, double x)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (order[middle].x < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void place_nodes(const throng_passages *in, const throng_ring_list *faces, const by_x *order, place *places)
{
    for (int32_t f = 0; f < faces->count; f++) {
        const throng_point *corners = faces->points + faces->start[f];
        int32_t count = throng_ring_list_end(faces, f) - faces->start[f];
        double left = INFINITY, right = -INFINITY;
        for (int32_t i = 0; i < count; i++)
            left = fmin(left, corners[i].x), right = fmax(right, corners[i].x);
        for (int32_t i = first_from(order, in->node_count, left - 1e-6);
             i < in->node_count && order[i].x <= right + 1e-6; i++) {
            place *p = &places[order[i].node];
            if (p->count < FACES_OF_NODE && lies_in(corners, count, in->nodes[order[i].node].is.at))
                p->face[p->count++] = f;
        }
    }
}

/* Two faces that an edge joins, as one number, whichever comes first. */
static uint64_t pair_of(int32_t a, int32_t b)
{
    return (uint64_t)(uint32_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
}

/* An edge between two faces. */
typedef struct join {
    uint64_t faces;
    int32_t edge;
} join;

static int compare_joins(const void *a, const void *b)
{
    uint64_t x = ((const join *)a)->faces, y = ((const join *)b)->faces;
    return (x > y) - (x < y);
}

/* How many pairs of faces edges join, sorted, into `joins`. */
static size_t join_faces(const throng_passages *in, const place *places, join *joins)
{
    size_t count = 0;
    for (int32_t e = 0; e < in->edge_count; e++) {
        const place *from = &places[in->edges[e].is.from], *to = &places[in->edges[e].is.to];
        for (int32_t i = 0; i < from->count; i++)
            for (int32_t k = 0; k < to->count; k++)
                joins[count++] = (join){pair_of(from->face[i], to->face[k]), e};
    }
    qsort(joins, count, sizeof *joins, compare_joins);
    return count;
}

static double limit_of(const throng_map_node *node) { return node->max_radius > 0 ? node->max_radius : INFINITY; }

/* What a face's nodes ask of those who enter or leave it: that of the cheapest, and of the widest. */
typedef struct toll {
    bool known; /* it has nodes */
    double cost, max_radius;
} toll;

static void find_tolls(const throng_passages *in, const place *places, toll *tolls)
{
    for (int32_t n = 0; n < in->node_count; n++)
        for (int32_t i = 0; i < places[n].count; i++) {
            toll *t = &tolls[places[n].face[i]];
            double cost = 0.5 * in->nodes[n].is.cost, limit = limit_of(&in->nodes[n].is);
            *t = (toll){true, t->known ? fmin(t->cost, cost) : cost, t->known ? fmax(t->max_radius, limit) : limit};
        }
}

/* Where both faces have nodes, of the edges that join them; false: none does. */
static bool find_passage(throng_passages *in, const join *joins, size_t count, const toll *tolls, throng_passage *p)
{
    const int32_t *face = p->side.face;
    uint64_t wanted = pair_of(face[0], face[1]);
    p->cost = p->max_radius = 0;
    if (!in->edge_count || !tolls[face[0]].known || !tolls[face[1]].known) {
        for (int i = 0; i < 2; i++)
            p->cost += tolls[face[i]].cost;
        p->max_radius = fmin(tolls[face[0]].known ? tolls[face[0]].max_radius : INFINITY,
                             tolls[face[1]].known ? tolls[face[1]].max_radius : INFINITY);
        return true;
    }
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (joins[middle].faces < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = false;
    for (; low < count && joins[low].faces == wanted; low++, found = true) {
        throng_face_edge *e = &in->edges[joins[low].edge];
        const throng_map_node *a = &in->nodes[e->is.from].is, *b = &in->nodes[e->is.to].is;
        double cost = e->is.cost + 0.5 * (a->cost + b->cost);
        p->cost = found ? fmin(p->cost, cost) : cost;
        p->max_radius = fmax(p->max_radius, fmin(limit_of(a), limit_of(b)));
        e->counts = true;
    }
    return found;
}

static bool part_side(throng_draft *draft, const throng_shared_side *side, throng_error *error)
{
    char what[96];
    snprintf(what, sizeof what, "the side that faces %d and %d share", side->face[0] + 1, side->face[1] + 1);
    return throng_findings_add(&draft->held.findings, THRONG_FINDING_SOURCE, side->low, side->high,
                               "%s is a wall: no edge joins their nodes", what) &&
           throng_draft_wall_line(draft, what, (throng_point[]){side->low, side->high}, 2, PARTING, error);
}

static bool add_passage(throng_passages *in, const throng_passage *p, throng_error *error)
{
    if (!(p->cost > 0) && isinf(p->max_radius))
        return true;
    if (!throng_array_reserve((void **)&in->list, &in->room, (int64_t)in->count + 1, sizeof *p))
        return throng_fail(error, "out of memory");
    in->list[in->count++] = *p;
    return true;
}

static bool report_edges(const throng_passages *in, throng_draft *draft, throng_error *error)
{
    for (int32_t i = 0; i < in->edge_count; i++) {
        const throng_face_edge *e = &in->edges[i];
        throng_point at = in->nodes[e->is.from].is.at, to = in->nodes[e->is.to].is.at;
        if (!e->counts && e->is.cost > 0 &&
            !throng_findings_add(&draft->held.findings, THRONG_FINDING_SOURCE, at, to,
                                 "the cost of edge %.40s - %.40s (line %d) does not count: its nodes lie in no two "
                                 "faces that share a side",
                                 e->start, e->end, e->line))
            return throng_fail(error, "out of memory");
    }
    return true;
}

bool throng_passages_find(throng_passages *in, throng_draft *draft, throng_error *error)
{
    const throng_ring_list *faces = draft->held.faces;
    size_t nodes = (size_t)in->node_count + 1, most = (size_t)in->edge_count * FACES_OF_NODE * FACES_OF_NODE + 1;
    throng_shared_side *sides = NULL;
    int32_t count = 0;
    if (!in->node_count || !faces)
        return true;
    place *places = calloc(nodes, sizeof *places);
    by_x *order = malloc(nodes * sizeof *order);
    toll *tolls = calloc((size_t)faces->count + 1, sizeof *tolls);
    join *joins = malloc(most * sizeof *joins);
    bool fine = places && order && tolls && joins && throng_shared_sides(faces, &sides, &count);
    if (!fine)
        throng_fail(error, "%s: out of memory", draft->path);
    for (int32_t n = 0; fine && n < in->node_count; n++)
        order[n] = (by_x){in->nodes[n].is.at.x, n};
    size_t joined = 0;
    if (fine) {
        qsort(order, (size_t)in->node_count, sizeof *order, compare_x);
        place_nodes(in, faces, order, places);
        find_tolls(in, places, tolls);
        joined = join_faces(in, places, joins);
    }
    for (int32_t i = 0; fine && i < count; i++) {
        throng_passage p = {.side = sides[i]};
        fine = find_passage(in, joins, joined, tolls, &p) ? add_passage(in, &p, error)
                                                          : part_side(draft, &sides[i], error);
    }
    free(places);
    free(order);
    free(tolls);
    free(joins);
    free(sides);
    return fine && report_edges(in, draft, error);
}

/* --- doors */

static bool same_place(throng_point a, throng_point b) { return throng_distance(a, b) < 1e-6; }

/* The door that lies on the side, -1: none does. */
static int32_t door_on(const throng_map *map, const throng_shared_side *side)
{
    for (int32_t d = 0; d < map->door_count; d++) {
        throng_point a = map->doors[d].a, b = map->doors[d].b;
        if ((same_place(a, side->low) && same_place(b, side->high)) ||
            (same_place(b, side->low) && same_place(a, side->high)))
            return d;
    }
    return -1;
}

static bool add_door(throng_map *map, const throng_passage *p, throng_error *error)
{
    char name[64];
    throng_error why;
    int32_t on = door_on(map, &p->side), last = map->door_count;
    int32_t low = (p->side.face[0] < p->side.face[1] ? p->side.face[0] : p->side.face[1]) + 1,
            high = p->side.face[0] + p->side.face[1] + 2 - low;
    snprintf(name, sizeof name, "faces %d and %d", low, high);
    if (on < 0 && !throng_map_add_door(map, name, p->side.low, p->side.high, error))
        return false;
    throng_door *door = &map->doors[on < 0 ? last : on];
    double limit = fmin(p->max_radius, door->max_radius > 0 ? door->max_radius : INFINITY);
    if (!throng_map_set_passage(map, on < 0 ? last : on, door->cost + p->cost, isinf(limit) ? 0 : limit, error))
        return false;
    if (on >= 0 || throng_map_door_closes(map, last, "", &why))
        return true;
    free(map->doors[last].name);
    map->door_count = last;
    return throng_findings_add(&map->findings, THRONG_FINDING_SOURCE, p->side.low, p->side.high,
                               "what passing from face %d to %d costs, and who may, does not count: the side that they "
                               "share ends in the open, where people can walk round it",
                               low, high) ||
           throng_fail(error, "out of memory");
}

bool throng_passages_add_doors(const throng_passages *in, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < in->count; i++)
        if (!add_door(map, &in->list[i], error))
            return false;
    return throng_map_check_passages(map, error);
}

void throng_passages_fini(throng_passages *in)
{
    for (int32_t i = 0; i < in->node_count; i++)
        free(in->nodes[i].is.name);
    for (int32_t i = 0; i < in->edge_count; i++) {
        free(in->edges[i].start);
        free(in->edges[i].end);
    }
    free(in->nodes);
    free(in->edges);
    free(in->list);
}
