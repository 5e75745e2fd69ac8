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
 * In a building, all of these are in floors, and flights and lifts on the floor where they begin (map_storeys.h):
 *
 *     <floor name="ground" z="0">
 *       <face> ...
 *       <stairs name="north" to="first" x0="4" y0="8" x1="11" y1="8" width="1.5"/>
 *       <lift name="a" x0="18" y0="5" x1="20" y1="5" capacity="6"/>
 *     </floor>
 *
 * Metres, y up; letters' case does not matter, and elements may be gathered in <faces>, <nodes>, ... The floor is
 * the union of the faces: sides that faces share are open, the others are walls. Routes are found on the mesh that
 * throng builds, and nodes and edges say where faces join, and at what cost (map_passages.h); those of
 * <map roadmap="true"> are the map's roadmap instead (map_graph.h). In a building each floor has its own, and edges
 * beside the floors lead from one to another, straight over a flight:
 *
 *     <edge start="ground/1" end="first/7"/> */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/watchdog.h"
#include "geometry.h"
#include "map_draft.h"
#include "map_findings.h"
#include "map_markup.h"
#include "map_passages.h"
#include "map_readers.h"
#include "map_storeys.h"

/* What the points and properties being read belong to. */
typedef enum part { PART_NONE, PART_MAP, PART_FACE, PART_NODE, PART_REGION, PART_DOOR } part;

typedef struct reading {
    throng_draft outside; /* of what is in no floor */
    throng_draft *draft;  /* of what is being read: that, or a floor's */
    throng_storeys storeys;
    throng_storey *floor; /* that is being read; NULL: none */
    throng_passages of_floor;
    part part;
    int line, faces;
    bool roadmap; /* nodes and edges are the map's */
    char *name, *group;
    throng_points points;
    throng_properties properties;
    throng_passages between; /* nodes and edges that are in no floor */
    throng_passages *graph;  /* of what is being read: these, or a floor's */
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
    throng_face_node added = {{.at = {NAN, NAN}}, markup->line};
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
    if (!added.is.name || !throng_array_reserve((void **)&in->graph->nodes, &in->graph->node_room,
                                                (int64_t)in->graph->node_count + 1, sizeof *in->graph->nodes)) {
        free(added.is.name);
        return out_of_memory(error);
    }
    in->graph->nodes[in->graph->node_count++] = added;
    return begin_part(in, PART_NODE, markup, attributes, error);
}

static bool begin_edge(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    const char *start = throng_markup_attribute(attributes, "start"), *end = throng_markup_attribute(attributes, "end");
    if (!start || !end)
        return throng_fail(error, "<edge>: the attribute %s is missing: give the id of a node",
                           start ? "end" : "start");
    throng_face_edge added = {.line = markup->line};
    if (!throng_markup_number("edge", attributes, "cost", &added.is.cost, error) ||
        !check_metres(in, "edge", "cost", added.is.cost, error))
        return false;
    added.start = strdup(start);
    added.end = strdup(end);
    if (!added.start || !added.end ||
        !throng_array_reserve((void **)&in->graph->edges, &in->graph->edge_room, (int64_t)in->graph->edge_count + 1,
                              sizeof *in->graph->edges)) {
        free(added.start);
        free(added.end);
        return out_of_memory(error);
    }
    in->graph->edges[in->graph->edge_count++] = added;
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
        in->graph->nodes[in->graph->node_count - 1].is.at = at;
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
    return throng_properties_add(own ? &in->properties : &in->draft->held.properties, name, value, kind) ||
           out_of_memory(error);
}

static bool begin_floor(reading *in, const throng_markup *markup, const char **attributes, throng_error *error)
{
    const char *name = throng_markup_attribute(attributes, "name");
    double z = 0;
    if (in->floor || in->part != PART_MAP)
        return throng_fail(error, "<floor> within another part of the map");
    if (!name)
        return throng_fail(error, "<floor>: the attribute name is missing");
    if (!throng_markup_need("floor", attributes, "z", &z, error) ||
        !(in->floor = throng_storeys_add(&in->storeys, in->outside.path, name, z, error)))
        return false;
    in->draft = &in->floor->draft;
    in->graph = &in->of_floor;
    (void)markup;
    return true;
}

/* What else it has is a property, by the name that throng.building has for it. */
static bool begin_link(reading *in, const throng_markup *markup, throng_sheet_kind kind, const char **attributes,
                       throng_error *error)
{
    static const char *const own[] = {"name", "x0", "y0", "x1", "y1", NULL};
    const char *element = throng_sheet_kinds[kind], *name = throng_markup_attribute(attributes, "name");
    char where[200];
    throng_point a = {0, 0}, b = {0, 0};
    if (!in->floor || in->part != PART_MAP)
        return throng_fail(error, "<%s> lies in no <floor>: put it into the one where it begins", element);
    if (!throng_markup_need(element, attributes, "x0", &a.x, error) ||
        !throng_markup_need(element, attributes, "y0", &a.y, error) ||
        !throng_markup_need(element, attributes, "x1", &b.x, error) ||
        !throng_markup_need(element, attributes, "y1", &b.y, error))
        return false;
    if (hypot(b.x - a.x, b.y - a.y) < 1e-3)
        return throng_fail(error, "<%s> ends where it begins: give (x1, y1) another place than (x0, y0)", element);
    in->points.count = 0;
    throng_properties_fini(&in->properties);
    bool fine = throng_points_add(&in->points, a) && throng_points_add(&in->points, b);
    for (int i = 0; fine && attributes[i]; i += 2) {
        int known = 0;
        while (own[known] && !throng_markup_is(attributes[i], own[known]))
            known++;
        fine = own[known] ||
               throng_properties_add(&in->properties, attributes[i], attributes[i + 1], THRONG_PROPERTY_TEXT);
    }
    snprintf(where, sizeof where, "<%s> \"%.80s\" (line %d)", element, name ? name : "", markup->line);
    return fine ? throng_storeys_link(&in->storeys, where, kind, name ? name : "", &in->points, &in->properties, error)
                : out_of_memory(error);
}

static const struct {
    const char *name;
    bool (*begin)(reading *in, const throng_markup *markup, const char **attributes, throng_error *error);
} elements[] = {
    {"face", begin_face},         {"node", begin_node},   {"edge", begin_edge},    {"region", begin_region},
    {"door", begin_door},         {"point", begin_point}, {"vertex", begin_point}, {"position", begin_point},
    {"property", begin_property}, {"floor", begin_floor},
};

static bool is_container(const char *name)
{
    static const char *const names[] = {"faces",  "nodes",    "edges",      "regions", "doors",
                                        "points", "vertices", "properties", "floors",  NULL};
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
    for (int kind = THRONG_SHEET_STAIRS; kind <= THRONG_SHEET_LIFT; kind++)
        if (throng_markup_is(element, throng_sheet_kinds[kind]))
            return begin_link(in, markup, (throng_sheet_kind)kind, attributes, error);
    if (is_container(element))
        return true;
    throng_point none = {NAN, NAN};
    return throng_findings_add(&in->draft->held.findings, THRONG_FINDING_SOURCE, none, none,
                               "<%.40s> (line %d) is not an element of a map and was left out", element,
                               markup->line) ||
           out_of_memory(error);
}

/* --- nodes and edges */

static int by_id(const void *a, const void *b)
{
    return strcmp(((const throng_face_node *)a)->is.name, ((const throng_face_node *)b)->is.name);
}

/* -1: there is none. */
static int32_t node_of(const reading *in, const char *id)
{
    throng_face_node wanted = {.is.name = (char *)id};
    const throng_face_node *found =
        in->graph->node_count
            ? bsearch(&wanted, in->graph->nodes, (size_t)in->graph->node_count, sizeof *in->graph->nodes, by_id)
            : NULL;
    return found ? (int32_t)(found - in->graph->nodes) : -1;
}

static bool check_edges(reading *in, throng_error *error)
{
    if (in->graph->node_count)
        qsort(in->graph->nodes, (size_t)in->graph->node_count, sizeof *in->graph->nodes, by_id);
    for (int32_t i = 1; i < in->graph->node_count; i++)
        if (by_id(&in->graph->nodes[i - 1], &in->graph->nodes[i]) == 0)
            return throng_fail(error, "%s:%d: <node>: another one has the id \"%.40s\", too", in->draft->path,
                               in->graph->nodes[i].line, in->graph->nodes[i].is.name);
    for (int32_t i = 0; i < in->graph->edge_count; i++) {
        throng_face_edge *e = &in->graph->edges[i];
        e->is.from = node_of(in, e->start);
        e->is.to = node_of(in, e->end);
        if (e->is.from < 0 || e->is.to < 0)
            return throng_fail(error, "%s:%d: <edge>: there is no node \"%.40s\"", in->draft->path, e->line,
                               e->is.from < 0 ? e->start : e->end);
    }
    return true;
}

static bool check_nodes(const reading *in, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < in->graph->node_count; i++) {
        const throng_face_node *n = &in->graph->nodes[i];
        if (throng_map_fits(map, n->is.at, 0))
            continue;
        if (!throng_findings_add(&map->findings, THRONG_FINDING_SOURCE, n->is.at, n->is.at,
                                 "node %.40s (line %d) lies in a wall", n->is.name, n->line))
            return throng_fail(error, "%s: out of memory", in->draft->path);
    }
    return true;
}

static bool add_doors(const reading *in, throng_map *map, throng_error *error)
{
    throng_error why;
    return throng_passages_add_doors(in->graph, map, &why) || throng_fail(error, "%s: %s", in->draft->path, why.text);
}

static bool add_roadmap(const reading *in, throng_map *map, throng_error *error)
{
    throng_error why;
    for (int32_t i = 0; i < in->graph->node_count; i++)
        if (!throng_map_add_node(map, &in->graph->nodes[i].is, &why))
            return throng_fail(error, "%s:%d: <node>: %s", in->draft->path, in->graph->nodes[i].line, why.text);
    for (int32_t i = 0; i < in->graph->edge_count; i++)
        if (!throng_map_add_edge(map, &in->graph->edges[i].is, &why))
            return throng_fail(error, "%s:%d: <edge>: %s", in->draft->path, in->graph->edges[i].line, why.text);
    return true;
}

/* The map of what was read: all of it, or one floor. */
static throng_map *finish_floor(reading *in, throng_error *error)
{
    if (in->draft->floors.count == 0) {
        throng_fail(error, "%s: the map has no <face> with an area: the floor is made of faces", in->draft->path);
        return NULL;
    }
    if (!check_edges(in, error) || !(in->roadmap || throng_passages_find(in->graph, in->draft, error)))
        return NULL;
    throng_map *map = throng_draft_finish(in->draft, error);
    if (map &&
        !(check_nodes(in, map, error) && add_doors(in, map, error) && (!in->roadmap || add_roadmap(in, map, error)))) {
        throng_map_destroy(map);
        return NULL;
    }
    return map;
}

/* --- elements that end */

static bool end_face(reading *in, throng_error *error)
{
    char what[64];
    snprintf(what, sizeof what, "face %d (line %d)", in->faces, in->line);
    return throng_draft_face(in->draft, what, in->points.list, in->points.count, error);
}

static bool end_region(reading *in, throng_error *error)
{
    char what[160];
    int32_t added;
    snprintf(what, sizeof what, "region \"%.100s\" (line %d)", in->name, in->line);
    if (!throng_draft_region(in->draft, what, in->name, in->group, in->points.list, in->points.count, &added, error))
        return false;
    for (int32_t i = in->draft->held.region_count - added; i < in->draft->held.region_count; i++)
        if (!throng_properties_copy(&in->draft->held.regions[i].properties, &in->properties))
            return out_of_memory(error);
    return true;
}

static bool end_door(reading *in, throng_error *error)
{
    throng_map *map = &in->draft->held;
    if (!throng_map_add_door(map, in->name, in->points.list[0], in->points.list[1], error) ||
        !throng_map_set_passage(map, map->door_count - 1, in->cost, in->max_radius, error))
        return false;
    return throng_properties_copy(&map->doors[map->door_count - 1].properties, &in->properties) || out_of_memory(error);
}

static bool end_node(reading *in, throng_error *error)
{
    throng_face_node *n = &in->graph->nodes[in->graph->node_count - 1];
    return isfinite(n->is.at.x) && isfinite(n->is.at.y)
               ? true
               : throng_fail(error, "<node>: the attribute %s is missing", isfinite(n->is.at.x) ? "y" : "x");
}

static bool end_floor(reading *in, throng_error *error)
{
    in->floor->map = finish_floor(in, error);
    throng_passages_fini(in->graph);
    in->of_floor = (throng_passages){0};
    in->graph = &in->between;
    in->draft = &in->outside;
    bool made = in->floor->map != NULL;
    if (!made)
        throng_fail_in(error, "floor \"%s\"", in->floor->name);
    in->floor = NULL;
    return made;
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
    return !throng_markup_is(element, "floor") || end_floor(in, error);
}

/* The node "floor/id" of a building; -1 and a message. */
static int32_t node_of_floor(const throng_map *map, const char *name, int line, throng_error *error)
{
    for (int32_t n = 0; n < map->graph.node_count && !throng_given_up(); n++)
        if (strcmp(map->graph.nodes[n].name, name) == 0)
            return n;
    throng_fail(error,
                "<edge> (line %d): there is no node \"%.40s\": name nodes with their floors, as in start=\"first/1\", "
                "or put the edge into its floor",
                line, name);
    return -1;
}

/* The roadmap's edges from floor to floor. */
static bool add_between(const reading *in, throng_map *map, throng_error *error)
{
    for (int32_t i = 0; i < in->between.edge_count; i++) {
        const throng_face_edge *e = &in->between.edges[i];
        throng_map_edge added = {.from = node_of_floor(map, e->start, e->line, error), .cost = e->is.cost};
        if (added.from < 0 || (added.to = node_of_floor(map, e->end, e->line, error)) < 0)
            return false;
        if (!throng_map_add_edge(map, &added, error))
            return throng_fail_in(error, "<edge> (line %d)", e->line);
    }
    return true;
}

static throng_map *finish(reading *in, throng_error *error)
{
    const throng_map *left = &in->outside.held;
    if (in->storeys.floor_count == 0)
        return finish_floor(in, error);
    throng_map *map = NULL;
    if (in->outside.floors.count || left->region_count || left->door_count || in->between.node_count)
        throng_fail(error, "what lies in no <floor> (faces, regions, doors, nodes) must be put into one, as the others "
                           "are");
    else if (in->between.edge_count && !in->roadmap)
        throng_fail(error,
                    "<edge> (line %d) lies in no <floor>: put it into that of its nodes; edges from floor to floor are "
                    "of roadmaps, <map roadmap=\"true\">",
                    in->between.edges[0].line);
    else
        map = throng_storeys_build(&in->storeys, in->outside.path, NULL, error);
    if (map && !(add_between(in, map, error) &&
                 (throng_properties_copy(&map->properties, &left->properties) || out_of_memory(error)))) {
        throng_map_destroy(map);
        map = NULL;
    }
    if (!map)
        throng_fail_in(error, "%s", in->outside.path);
    return map;
}

static void fini(reading *in)
{
    throng_passages_fini(&in->of_floor);
    throng_passages_fini(&in->between);
    free(in->name);
    free(in->group);
    free(in->points.list);
    throng_properties_fini(&in->properties);
    throng_storeys_fini(&in->storeys);
    throng_draft_fini(&in->outside);
}

throng_map *throng_map_read_xml(const char *path, const throng_map_options *options, throng_map_report *report,
                                throng_error *error)
{
    static const throng_markup_handlers handlers = {on_start, on_end, NULL};
    reading in = {.part = PART_NONE};
    throng_map *map = NULL;
    (void)options; /* it is in metres */
    report->format = "map maker's XML";
    in.draft = &in.outside;
    in.graph = &in.between;
    in.storeys.element = "<floor>";
    in.storeys.height = "z";
    if (throng_draft_init(&in.outside, path, error) && throng_markup_read(path, &handlers, &in, error))
        map = finish(&in, error);
    fini(&in);
    return map;
}
