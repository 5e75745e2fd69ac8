/* The map maker's XML (O'Sullivan, 2009, section 4.5.1): convex faces as nested points, nodes with a place and a
 * radius, edges with the ids of their nodes; and what throng writes beside them: regions, doors, properties.
 *
 *   <map>
 *     <face><point x="0" y="0"/><point x="9" y="0"/><point x="9" y="9"/></face>
 *     <node id="1" x="6" y="3" radius="1"/>
 *     <edge start="1" end="2"/>
 *     <region name="hall" group="spawns"><point .../>...</region>
 *     <door name="north" x0="0" y0="3" x1="0" y1="4" cost="2" max_radius="0.3"/>
 *   </map>
 *
 * Metres, y up; letters' case does not matter, and elements may be gathered in <faces>, <nodes>, ... The floor is
 * the union of the faces: sides that faces share are open, the others are walls. Routes are found on the mesh that
 * throng builds, and nodes and edges say where faces join: where both have nodes and no edge leads from one of these to
 * one of those, nobody gets through their common side, which is a wall. (Without any edge all is open.) Where an edge
 * has cost="" (m), or a node cost="" and max_radius="", the common side of two faces becomes a door that costs as much,
 * "faces 1 and 2": an edge's cost, and half of a node's, so that who passes its face pays all of it. Of several edges
 * the cheapest counts, and the widest. Those of <map roadmap="true"> are the map's roadmap instead (map_graph.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "geometry.h"
#include "map_draft.h"
#include "map_findings.h"
#include "map_markup.h"
#include "map_readers.h"
#include "map_sides.h"

typedef struct node {
    throng_map_node is; /* its name: the id, owned */
    int line;
} node;

typedef struct edge {
    throng_map_edge is;
    char *start, *end;
    int line;
    bool counts; /* faces that it joins share a side */
} edge;

/* A side that two faces share, and what passing it costs; max_radius INFINITY: whoever fits passes. */
typedef struct passage {
    throng_shared_side side;
    double cost, max_radius; /* m */
} passage;

/* What the points and properties being read belong to. */
typedef enum part { PART_NONE, PART_MAP, PART_FACE, PART_NODE, PART_REGION, PART_DOOR } part;

typedef struct reading {
    throng_draft draft;
    part part;
    int line, faces;
    bool roadmap; /* nodes and edges are the map's */
    char *name, *group;
    throng_points points;
    throng_properties properties;
    node *nodes;
    edge *edges;
    passage *passages; /* that become doors */
    int32_t node_count, node_room, edge_count, edge_room, passage_count, passage_room;
    double cost, max_radius; /* of the door being read */
} reading;

static bool out_of_memory(throng_error *error) { return throng_fail(error, "out of memory"); }

static bool keep_text(char **to, const char *text)
{
    free(*to);
    *to = text ? strdup(text) : NULL;
    return *to || !text;
}

/* --- elements that begin */

static bool begin_part(reading *in, part which, const throng_markup *markup, const char **attributes,
                       throng_error *error)
{
    in->part = which;
    in->line = markup->line;
    in->points.count = 0;
    throng_properties_fini(&in->properties);
    return (keep_text(&in->name, throng_markup_attribute(attributes, "name")) &&
            keep_text(&in->group, throng_markup_attribute(attributes, "group"))) ||
           out_of_memory(error);
}

static bool begin_face(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    in->faces++;
    return begin_part(in, PART_FACE, markup, attributes, error);
}

static bool begin_region(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    if (!throng_markup_attribute(attributes, "name"))
        return throng_fail(error, "<region>: the attribute name is missing");
    return begin_part(in, PART_REGION, markup, attributes, error);
}

static bool read_passage(reading *in, const char **attributes, throng_error *error)
{
    in->cost = in->max_radius = 0;
    return throng_markup_number("door", attributes, "cost", &in->cost, error) &&
           throng_markup_number("door", attributes, "max_radius", &in->max_radius, error);
}

/* Of a mesh; a roadmap's are looked at where it is made. */
static bool check_metres(const reading *in, const char *element, const char *attribute, double metres,
                         throng_error *error)
{
    return in->roadmap || (metres >= 0 && isfinite(metres)) ||
           throng_fail(error, "<%s>: %s=\"%g\" is not valid: give 0 or more metres", element, attribute, metres);
}

static bool begin_door(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    throng_point a = {0, 0}, b = {0, 0};
    if (!throng_markup_attribute(attributes, "name"))
        return throng_fail(error, "<door>: the attribute name is missing");
    return throng_markup_need("door", attributes, "x0", &a.x, error) &&
           throng_markup_need("door", attributes, "y0", &a.y, error) &&
           throng_markup_need("door", attributes, "x1", &b.x, error) &&
           throng_markup_need("door", attributes, "y1", &b.y, error) && read_passage(in, attributes, error) &&
           begin_part(in, PART_DOOR, markup, attributes, error) &&
           ((throng_points_add(&in->points, a) && throng_points_add(&in->points, b)) || out_of_memory(error));
}

static bool begin_node(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    const char *id = throng_markup_attribute(attributes, "id");
    double radius = 0;
    node added = {{.at = {NAN, NAN}}, markup->line};
    if (!id)
        return throng_fail(error, "<node>: the attribute id is missing");
    if (!throng_markup_number("node", attributes, "x", &added.is.at.x, error) ||
        !throng_markup_number("node", attributes, "y", &added.is.at.y, error) ||
        !throng_markup_number("node", attributes, "radius", &radius, error) ||
        !throng_markup_number("node", attributes, "max_radius", &added.is.max_radius, error) ||
        !throng_markup_number("node", attributes, "cost", &added.is.cost, error) ||
        !check_metres(in, "node", "max_radius", added.is.max_radius, error) ||
        !check_metres(in, "node", "cost", added.is.cost, error))
        return false;
    if (radius < 0)
        return throng_fail(error, "<node>: radius=\"%g\" is not valid: give 0 or more", radius);
    added.is.name = strdup(id);
    if (!added.is.name ||
        !throng_array_reserve((void **)&in->nodes, &in->node_room, (int64_t)in->node_count + 1, sizeof *in->nodes)) {
        free(added.is.name);
        return out_of_memory(error);
    }
    in->nodes[in->node_count++] = added;
    return begin_part(in, PART_NODE, markup, attributes, error);
}

static bool begin_edge(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    const char *start = throng_markup_attribute(attributes, "start"), *end = throng_markup_attribute(attributes, "end");
    if (!start || !end)
        return throng_fail(error, "<edge>: the attribute %s is missing: give the id of a node",
                           start ? "end" : "start");
    edge added = {.line = markup->line};
    if (!throng_markup_number("edge", attributes, "cost", &added.is.cost, error) ||
        !check_metres(in, "edge", "cost", added.is.cost, error))
        return false;
    added.start = strdup(start);
    added.end = strdup(end);
    if (!added.start || !added.end ||
        !throng_array_reserve((void **)&in->edges, &in->edge_room, (int64_t)in->edge_count + 1, sizeof *in->edges)) {
        free(added.start);
        free(added.end);
        return out_of_memory(error);
    }
    in->edges[in->edge_count++] = added;
    return true;
}

static bool begin_point(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    (void)markup;
    throng_point at = {0, 0};
    if (!throng_markup_need("point", attributes, "x", &at.x, error) ||
        !throng_markup_need("point", attributes, "y", &at.y, error))
        return false;
    if (in->part == PART_NODE)
        in->nodes[in->node_count - 1].is.at = at;
    else if (in->part != PART_FACE && in->part != PART_REGION)
        return throng_fail(error, "<point> outside of a <face>, <node> or <region>");
    return throng_points_add(&in->points, at) || out_of_memory(error);
}

static bool begin_property(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    (void)markup;
    const char *name = throng_markup_attribute(attributes, "name"),
               *value = throng_markup_attribute(attributes, "value");
    const char *type = throng_markup_attribute(attributes, "type");
    double number;
    if (!name || !value)
        return throng_fail(error, "<property>: the attribute %s is missing", name ? "value" : "name");
    throng_property_kind kind = THRONG_PROPERTY_TEXT;
    if (type && throng_markup_is(type, "number")) {
        kind = THRONG_PROPERTY_NUMBER;
        if (!throng_markup_parse(value, &number))
            return throng_fail(error, "<property>: value=\"%.40s\" is not valid: give a number", value);
    } else if (type && throng_markup_is(type, "flag")) {
        kind = THRONG_PROPERTY_FLAG;
    }
    bool own = in->part == PART_REGION || in->part == PART_DOOR;
    return throng_properties_add(own ? &in->properties : &in->draft.held.properties, name, value, kind) ||
           out_of_memory(error);
}

static const struct {
    const char *name;
    bool (*begin)(reading *in, const throng_markup *markup, const char **attributes, throng_error *error);
} elements[] = {
    {"face", begin_face},     {"node", begin_node},      {"edge", begin_edge},
    {"region", begin_region}, {"door", begin_door},      {"point", begin_point},
    {"vertex", begin_point},  {"position", begin_point}, {"property", begin_property},
};

static bool is_container(const char *name)
{
    static const char *const names[] = {"faces",  "nodes",    "edges",      "regions", "doors",
                                        "points", "vertices", "properties", NULL};
    for (int i = 0; names[i]; i++)
        if (throng_markup_is(name, names[i]))
            return true;
    return false;
}

static bool on_start(throng_markup *markup, const char *element, const char **attributes, throng_error *error)
{
    reading *in = markup->user;
    if (in->part == PART_NONE) {
        const char *roadmap = throng_markup_attribute(attributes, "roadmap");
        in->part = PART_MAP;
        in->roadmap = roadmap && strcmp(roadmap, "true") == 0;
        return throng_markup_is(element, "map") ||
               throng_fail(error,
                           "<%.40s> is not a map: the map maker's files hold <map> with <face>, <node> and <edge>",
                           element);
    }
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (throng_markup_is(element, elements[i].name))
            return elements[i].begin(in, markup, attributes, error);
    if (is_container(element))
        return true;
    throng_point none = {NAN, NAN};
    return throng_findings_add(&in->draft.held.findings, THRONG_FINDING_SOURCE, none, none,
                               "<%.40s> (line %d) is not an element of a map and was left out", element,
                               markup->line) ||
           out_of_memory(error);
}

/* --- elements that end */

static bool end_face(reading *in, throng_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "face %d (line %d)", in->faces, in->line);
    return throng_draft_face(&in->draft, what, in->points.list, in->points.count, error);
}

static bool end_region(reading *in, throng_error *error)
{
    char what[160];
    int32_t added;
    snprintf(what, sizeof what, "region \"%.100s\" (line %d)", in->name, in->line);
    if (!throng_draft_region(&in->draft, what, in->name, in->group, in->points.list, in->points.count, &added, error))
        return false;
    for (int32_t i = in->draft.held.region_count - added; i < in->draft.held.region_count; i++)
        if (!throng_properties_copy(&in->draft.held.regions[i].properties, &in->properties))
            return out_of_memory(error);
    return true;
}

static bool end_door(reading *in, throng_error *error)
{
    throng_map *map = &in->draft.held;
    if (!throng_map_add_door(map, in->name, in->points.list[0], in->points.list[1], error) ||
        !throng_map_set_passage(map, map->door_count - 1, in->cost, in->max_radius, error))
        return false;
    return throng_properties_copy(&map->doors[map->door_count - 1].properties, &in->properties) || out_of_memory(error);
}

static bool end_node(reading *in, throng_error *error)
{
    node *n = &in->nodes[in->node_count - 1];
    return isfinite(n->is.at.x) && isfinite(n->is.at.y)
               ? true
               : throng_fail(error, "<node>: the attribute %s is missing", isfinite(n->is.at.x) ? "y" : "x");
}

static bool on_end(throng_markup *markup, const char *element, throng_error *error)
{
    reading *in = markup->user;
    static const struct {
        const char *name;
        part part;
        bool (*end)(reading *in, throng_error *error);
    } ends[] = {{"face", PART_FACE, end_face},
                {"node", PART_NODE, end_node},
                {"region", PART_REGION, end_region},
                {"door", PART_DOOR, end_door}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (throng_markup_is(element, ends[i].name)) {
            if (in->part != ends[i].part)
                return throng_fail(error, "<%s> within another part of the map", element);
            in->part = PART_MAP;
            return ends[i].end(in, error);
        }
    return true;
}

/* --- nodes and edges */

static int by_id(const void *a, const void *b)
{
    return strcmp(((const node *)a)->is.name, ((const node *)b)->is.name);
}

/* -1: there is none. */
static int32_t node_of(const reading *in, const char *id)
{
    node wanted = {.is.name = (char *)id};
    const node *found =
        in->node_count ? bsearch(&wanted, in->nodes, (size_t)in->node_count, sizeof *in->nodes, by_id) : NULL;
    return found ? (int32_t)(found - in->nodes) : -1;
}

static bool check_edges(reading *in, throng_error *error)
{
    if (in->node_count)
        qsort(in->nodes, (size_t)in->node_count, sizeof *in->nodes, by_id);
    for (int32_t i = 1; i < in->node_count; i++)
        if (by_id(&in->nodes[i - 1], &in->nodes[i]) == 0)
            return throng_fail(error, "%s:%d: <node>: another one has the id \"%.40s\", too", in->draft.path,
                               in->nodes[i].line, in->nodes[i].is.name);
    for (int32_t i = 0; i < in->edge_count; i++) {
        edge *e = &in->edges[i];
        e->is.from = node_of(in, e->start);
        e->is.to = node_of(in, e->end);
        if (e->is.from < 0 || e->is.to < 0)
            return throng_fail(error, "%s:%d: <edge>: there is no node \"%.40s\"", in->draft.path, e->line,
                               e->is.from < 0 ? e->start : e->end);
    }
    return true;
}

/* --- passages */

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

static void place_nodes(const reading *in, const by_x *order, place *places)
{
    const throng_ring_list *faces = in->draft.held.faces;
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
static size_t join_faces(const reading *in, const place *places, join *joins)
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

static void find_tolls(const reading *in, const place *places, toll *tolls)
{
    for (int32_t n = 0; n < in->node_count; n++)
        for (int32_t i = 0; i < places[n].count; i++) {
            toll *t = &tolls[places[n].face[i]];
            double cost = 0.5 * in->nodes[n].is.cost, limit = limit_of(&in->nodes[n].is);
            *t = (toll){true, t->known ? fmin(t->cost, cost) : cost, t->known ? fmax(t->max_radius, limit) : limit};
        }
}

/* Where both faces have nodes, of the edges that join them; false: none does. */
static bool find_passage(reading *in, const join *joins, size_t count, const toll *tolls, passage *p)
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
        edge *e = &in->edges[joins[low].edge];
        const throng_map_node *a = &in->nodes[e->is.from].is, *b = &in->nodes[e->is.to].is;
        double cost = e->is.cost + 0.5 * (a->cost + b->cost);
        p->cost = found ? fmin(p->cost, cost) : cost;
        p->max_radius = fmax(p->max_radius, fmin(limit_of(a), limit_of(b)));
        e->counts = true;
    }
    return found;
}

static bool part_side(reading *in, const throng_shared_side *side, throng_error *error)
{
    char what[96];
    snprintf(what, sizeof what, "the side that faces %d and %d share", side->face[0] + 1, side->face[1] + 1);
    return throng_findings_add(&in->draft.held.findings, THRONG_FINDING_SOURCE, side->low, side->high,
                               "%s is a wall: no edge joins their nodes", what) &&
           throng_draft_wall_line(&in->draft, what, (throng_point[]){side->low, side->high}, 2, PARTING, error);
}

static bool add_passage(reading *in, const passage *p, throng_error *error)
{
    if (!(p->cost > 0) && isinf(p->max_radius))
        return true;
    if (!throng_array_reserve((void **)&in->passages, &in->passage_room, (int64_t)in->passage_count + 1, sizeof *p))
        return out_of_memory(error);
    in->passages[in->passage_count++] = *p;
    return true;
}

static bool report_edges(reading *in, throng_error *error)
{
    for (int32_t i = 0; i < in->edge_count; i++) {
        const edge *e = &in->edges[i];
        throng_point at = in->nodes[e->is.from].is.at, to = in->nodes[e->is.to].is.at;
        if (!e->counts && e->is.cost > 0 &&
            !throng_findings_add(&in->draft.held.findings, THRONG_FINDING_SOURCE, at, to,
                                 "the cost of edge %.40s - %.40s (line %d) does not count: its nodes lie in no two "
                                 "faces that share a side",
                                 e->start, e->end, e->line))
            return out_of_memory(error);
    }
    return true;
}

/* Walls up the sides that no edge crosses, and notes those where passing costs something. */
static bool part_faces(reading *in, throng_error *error)
{
    const throng_ring_list *faces = in->draft.held.faces;
    size_t nodes = (size_t)in->node_count + 1, most = (size_t)in->edge_count * FACES_OF_NODE * FACES_OF_NODE + 1;
    throng_shared_side *sides = NULL;
    int32_t count = 0;
    if (in->roadmap || !in->node_count || !faces)
        return true;
    place *places = calloc(nodes, sizeof *places);
    by_x *order = malloc(nodes * sizeof *order);
    toll *tolls = calloc((size_t)faces->count + 1, sizeof *tolls);
    join *joins = malloc(most * sizeof *joins);
    bool fine = places && order && tolls && joins && throng_shared_sides(faces, &sides, &count);
    if (!fine)
        throng_fail(error, "%s: out of memory", in->draft.path);
    for (int32_t n = 0; fine && n < in->node_count; n++)
        order[n] = (by_x){in->nodes[n].is.at.x, n};
    size_t joined = 0;
    if (fine) {
        qsort(order, (size_t)in->node_count, sizeof *order, compare_x);
        place_nodes(in, order, places);
        find_tolls(in, places, tolls);
        joined = join_faces(in, places, joins);
    }
    for (int32_t i = 0; fine && i < count; i++) {
        passage p = {.side = sides[i]};
        fine =
            find_passage(in, joins, joined, tolls, &p) ? add_passage(in, &p, error) : part_side(in, &sides[i], error);
    }
    free(places);
    free(order);
    free(tolls);
    free(joins);
    free(sides);
    return fine && report_edges(in, error);
}

/* --- doors where passing costs something */

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

static bool add_door(throng_map *map, const passage *p, throng_error *error)
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
           out_of_memory(error);
}

static bool add_doors(const reading *in, throng_map *map, throng_error *error)
{
    throng_error why;
    for (int32_t i = 0; i < in->passage_count; i++)
        if (!add_door(map, &in->passages[i], &why))
            return throng_fail(error, "%s: %s", in->draft.path, why.text);
    return throng_map_check_passages(map, &why) || throng_fail(error, "%s: %s", in->draft.path, why.text);
}

static bool check_nodes(const reading *in, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < in->node_count; i++) {
        const node *n = &in->nodes[i];
        if (throng_map_fits(map, n->is.at, 0))
            continue;
        if (!throng_findings_add(&map->findings, THRONG_FINDING_SOURCE, n->is.at, n->is.at,
                                 "node %.40s (line %d) lies in a wall", n->is.name, n->line))
            return throng_fail(error, "%s: out of memory", in->draft.path);
    }
    return true;
}

static bool add_roadmap(const reading *in, throng_map *map, throng_error *error)
{
    throng_error why;
    for (int32_t i = 0; i < in->node_count; i++)
        if (!throng_map_add_node(map, &in->nodes[i].is, &why))
            return throng_fail(error, "%s:%d: <node>: %s", in->draft.path, in->nodes[i].line, why.text);
    for (int32_t i = 0; i < in->edge_count; i++)
        if (!throng_map_add_edge(map, &in->edges[i].is, &why))
            return throng_fail(error, "%s:%d: <edge>: %s", in->draft.path, in->edges[i].line, why.text);
    return true;
}

static throng_map *finish(reading *in, throng_error *error)
{
    if (in->draft.floors.count == 0) {
        throng_fail(error, "%s: the map has no <face> with an area: the floor is made of faces", in->draft.path);
        return NULL;
    }
    throng_map *map = check_edges(in, error) && part_faces(in, error) ? throng_draft_finish(&in->draft, error) : NULL;
    if (map &&
        !(check_nodes(in, map, error) && add_doors(in, map, error) && (!in->roadmap || add_roadmap(in, map, error)))) {
        throng_map_destroy(map);
        return NULL;
    }
    return map;
}

static void fini(reading *in)
{
    for (int32_t i = 0; i < in->node_count; i++)
        free(in->nodes[i].is.name);
    for (int32_t i = 0; i < in->edge_count; i++) {
        free(in->edges[i].start);
        free(in->edges[i].end);
    }
    free(in->nodes);
    free(in->edges);
    free(in->passages);
    free(in->name);
    free(in->group);
    free(in->points.list);
    throng_properties_fini(&in->properties);
    throng_draft_fini(&in->draft);
}

throng_map *throng_map_read_xml(const char *path, const throng_map_options *options, throng_map_report *report,
                                throng_error *error)
{
    static const throng_markup_handlers handlers = {on_start, on_end, NULL};
    reading in = {.part = PART_NONE};
    throng_map *map = NULL;
    (void)options; /* it is in metres */
    report->format = "map maker's XML";
    if (throng_draft_init(&in.draft, path, error) && throng_markup_read(path, &handlers, &in, error))
        map = finish(&in, error);
    fini(&in);
    return map;
}
