/* The map maker's XML (map_xml.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry.h"
#include "map_floor.h"
#include "map_geos.h"
#include "map_sides.h"
#include "map_storeys.h"
#include "map_write_parts.h"
#include "triangulate.h"

static const double GRID = 1.0 / 4096; /* m */

typedef struct triangle {
    throng_point corner[3];
} triangle;

static triangle triangle_at(throng_geos *geos, const GEOSGeometry *all, int32_t which)
{
    triangle t;
    const GEOSGeometry *ring = GEOSGetExteriorRing_r(geos->handle, GEOSGetGeometryN_r(geos->handle, all, which));
    const GEOSCoordSequence *points = GEOSGeom_getCoordSeq_r(geos->handle, ring);
    for (unsigned i = 0; i < 3; i++)
        GEOSCoordSeq_getXY_r(geos->handle, points, i, &t.corner[i].x, &t.corner[i].y);
    return t;
}

/* By GEOS, which takes any coordinates, but gives up on many walls that touch in corners. */
static triangle *cut_any(const throng_map *map, int32_t *count)
{
    throng_geos geos;
    triangle *list = NULL;
    if (!throng_geos_init(&geos, NULL))
        return NULL;
    GEOSGeometry *space = throng_geos_free_space(&geos, map, 0);
    if (space && throng_geos_replace(&geos, &space, GEOSConstrainedDelaunayTriangulation_r(geos.handle, space))) {
        *count = GEOSGetNumGeometries_r(geos.handle, space);
        list = malloc(((size_t)*count + 1) * sizeof *list);
    }
    for (int32_t i = 0; list && i < *count; i++)
        list[i] = triangle_at(&geos, space, i);
    throng_geos_free(&geos, space);
    throng_geos_fini(&geos);
    return list;
}

/* True when every corner is a multiple of GRID, as those of grid maps are. */
static bool on_grid(const throng_map *map)
{
    for (int32_t i = 0; i < map->point_count; i++) {
        double x = map->points[i].x / GRID, y = map->points[i].y / GRID;
        if (x != floor(x) || y != floor(y) || fabs(x) >= 1 << 24 || fabs(y) >= 1 << 24)
            return false;
    }
    return true;
}

static triangle *cut_on_grid(const throng_map *map, int32_t *count)
{
    throng_ring_list rings = {
        .points = map->points, .start = map->ring_start, .point_count = map->point_count, .count = map->ring_count};
    throng_triangles made = {0};
    if (!throng_triangulate(&rings, GRID, 0, &made))
        return NULL;
    *count = made.count;
    return (triangle *)made.corners;
}

/* The free space as triangles with the walls' own corners; NULL when it cannot be cut. */
static triangle *cut(const throng_map *map, int32_t *count)
{
    triangle *list = on_grid(map) ? cut_on_grid(map, count) : cut_any(map, count);
    double area = 0;
    for (int32_t i = 0; list && i < *count; i++)
        area += fabs(0.5 * throng_turn(list[i].corner[0], list[i].corner[1], list[i].corner[2]));
    if (list && fabs(area - map->area) > 1e-9 * map->area) {
        free(list);
        return NULL;
    }
    return list;
}

/* True when the map's own faces are convex, to a hair's breadth. */
static bool keeps_faces(const throng_map *map)
{
    for (int32_t f = 0; map->faces && f < map->faces->count; f++) {
        int32_t first = map->faces->start[f], count = throng_ring_list_end(map->faces, f) - first;
        const throng_point *c = map->faces->points + first;
        double turned = throng_ring_area(c, count) < 0 ? -1 : 1;
        for (int32_t i = 0; i < count; i++) {
            throng_point a = c[i], b = c[(i + 1) % count];
            for (int32_t j = 0; j < count; j++)
                if (count < 3 || turned * throng_turn(a, b, c[j]) < -1e-6 * throng_distance(a, b))
                    return false;
        }
    }
    return map->faces && map->faces->count;
}

static void put_attribute(FILE *out, const char *name, double value)
{
    fprintf(out, " %s=\"", name);
    throng_write_number(out, value);
    fputc('"', out);
}

/* Letters that mean something in XML as entities; control characters, which it cannot hold, are left out. */
static void put_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    for (; *text; text++) {
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\n': fputs("&#10;", out); break;
        case '\t': fputs("&#9;", out); break;
        default:
            if ((unsigned char)*text >= ' ')
                fputc(*text, out);
        }
    }
    fputc('"', out);
}

static void put_points(FILE *out, const throng_point *points, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        fputs("<point", out);
        put_attribute(out, "x", points[i].x);
        put_attribute(out, "y", points[i].y);
        fputs("/>", out);
    }
}

static const throng_point *corners_of(const throng_ring_list *faces, int32_t face, int32_t *count)
{
    *count = throng_ring_list_end(faces, face) - faces->start[face];
    return faces->points + faces->start[face];
}

/* The middle of the face's corners, and how far its nearest side is. */
static void put_node(FILE *out, const throng_ring_list *faces, int32_t face)
{
    int32_t count;
    const throng_point *c = corners_of(faces, face, &count);
    throng_point middle = {0, 0};
    double radius = INFINITY;
    for (int32_t i = 0; i < count; i++)
        middle = (throng_point){middle.x + c[i].x / count, middle.y + c[i].y / count};
    for (int32_t i = 0; i < count; i++)
        radius = fmin(radius, throng_segment_distance(c[i], c[(i + 1) % count], middle));
    fprintf(out, "  <node id=\"%d\"", (int)face);
    put_attribute(out, "x", middle.x);
    put_attribute(out, "y", middle.y);
    put_attribute(out, "radius", radius);
    fputs("/>\n", out);
}

/* Between faces that join: not where what they share is walled up (a passage without an edge, map_xml.c). */
static bool put_edges(FILE *out, const throng_map *map, const throng_ring_list *faces)
{
    throng_shared_side *sides;
    int32_t count;
    if (!throng_shared_sides(faces, &sides, &count))
        return false;
    for (int32_t i = 0; i < count; i++)
        if (throng_map_fits(map, throng_side_middle(&sides[i]), 0))
            fprintf(out, "  <edge start=\"%d\" end=\"%d\"/>\n", (int)sides[i].face[0], (int)sides[i].face[1]);
    free(sides);
    return true;
}

static void put_properties(FILE *out, const throng_properties *properties, const char *indent)
{
    static const char *const types[] = {
        [THRONG_PROPERTY_TEXT] = "text", [THRONG_PROPERTY_NUMBER] = "number", [THRONG_PROPERTY_FLAG] = "flag"};
    for (int32_t i = 0; i < properties->count; i++) {
        const throng_property *p = &properties->list[i];
        fprintf(out, "%s<property", indent);
        put_text(out, "name", p->name);
        put_text(out, "type", types[p->kind]);
        put_text(out, "value", p->value);
        fputs("/>\n", out);
    }
}

static void put_region(FILE *out, const throng_region *region)
{
    fputs("  <region", out);
    put_text(out, "name", region->name);
    if (region->group)
        put_text(out, "group", region->group);
    fputs(">", out);
    put_points(out, region->points, region->count);
    fputs(region->properties.count ? "\n" : "", out);
    put_properties(out, &region->properties, "    ");
    fputs(region->properties.count ? "  </region>\n" : "</region>\n", out);
}

static void put_door(FILE *out, const throng_door *door)
{
    fputs("  <door", out);
    put_text(out, "name", door->name);
    put_attribute(out, "x0", door->a.x);
    put_attribute(out, "y0", door->a.y);
    put_attribute(out, "x1", door->b.x);
    put_attribute(out, "y1", door->b.y);
    if (door->cost > 0)
        put_attribute(out, "cost", door->cost);
    if (door->max_radius > 0)
        put_attribute(out, "max_radius", door->max_radius);
    fputs(door->properties.count ? ">\n" : "/>\n", out);
    put_properties(out, &door->properties, "    ");
    fputs(door->properties.count ? "  </door>\n" : "", out);
}

static void put_edge(FILE *out, const throng_map_graph *graph, const throng_map_edge *edge)
{
    fputs("  <edge", out);
    put_text(out, "start", graph->nodes[edge->from].name);
    put_text(out, "end", graph->nodes[edge->to].name);
    if (edge->cost > 0)
        put_attribute(out, "cost", edge->cost);
    fputs("/>\n", out);
}

/* What was read from <map roadmap="true">, or given. */
static void put_graph(FILE *out, const throng_map_graph *graph)
{
    for (int32_t n = 0; n < graph->node_count; n++) {
        const throng_map_node *node = &graph->nodes[n];
        fputs("  <node", out);
        put_text(out, "id", node->name);
        put_attribute(out, "x", node->at.x);
        put_attribute(out, "y", node->at.y);
        if (node->max_radius > 0)
            put_attribute(out, "max_radius", node->max_radius);
        if (node->cost > 0)
            put_attribute(out, "cost", node->cost);
        fputs("/>\n", out);
    }
    for (int32_t e = 0; e < graph->edge_count; e++)
        put_edge(out, graph, &graph->edges[e]);
}

/* What throng would find itself: a node in each face. */
static bool put_dual(FILE *out, const throng_map *map, const throng_ring_list *faces)
{
    for (int32_t f = 0; f < faces->count; f++)
        put_node(out, faces, f);
    return put_edges(out, map, faces);
}

/* `joined`: faces join wherever they share a side, which needs no nodes and edges to say so. */
static bool put_plan(FILE *out, const throng_map *map, const throng_ring_list *faces, bool joined)
{
    bool given = map->graph.node_count > 0, fine = true;
    for (int32_t f = 0; f < faces->count; f++) {
        int32_t count;
        const throng_point *corners = corners_of(faces, f, &count);
        fputs("  <face>", out);
        put_points(out, corners, count);
        fputs("</face>\n", out);
    }
    if (given)
        put_graph(out, &map->graph);
    else if (!joined)
        fine = put_dual(out, map, faces);
    for (int32_t i = 0; i < map->region_count; i++)
        put_region(out, &map->regions[i]);
    for (int32_t i = 0; i < map->door_count; i++)
        put_door(out, &map->doors[i]);
    return fine;
}

/* The triangles as faces. */
static bool write_triangles(FILE *out, const throng_map *map, triangle *list, int32_t count)
{
    throng_ring_list faces = {.points = (throng_point *)list, .point_count = 3 * count, .count = count};
    faces.start = malloc(((size_t)count + 1) * sizeof *faces.start);
    for (int32_t i = 0; faces.start && i < count; i++)
        faces.start[i] = 3 * i;
    bool fine = faces.start && put_plan(out, map, &faces, false);
    free(faces.start);
    return fine;
}

/* Faces, nodes, edges, regions and doors: of a map, or of one floor. */
static bool write_plan(FILE *out, const throng_map *map, bool joined, throng_error *error)
{
    if (keeps_faces(map))
        return put_plan(out, map, map->faces, joined) || throng_fail(error, "%s: out of memory", map->name);
    int32_t count = 0;
    triangle *list = cut(map, &count);
    if (!list)
        return throng_fail(error, "%s: its free space cannot be cut into faces; write .wkt instead", map->name);
    bool fine = write_triangles(out, map, list, count);
    free(list);
    return fine || throng_fail(error, "%s: out of memory", map->name);
}

/* --- buildings */

static bool put_floor(FILE *out, const throng_map *map, int32_t floor, throng_error *error)
{
    throng_map *plan = throng_map_plan_of_floor(map, floor, error);
    bool fine = plan && write_plan(out, plan, true, error);
    throng_map_destroy(plan);
    return fine;
}

static void put_link(FILE *out, const throng_storey_link *link)
{
    fprintf(out, "  <%s", throng_sheet_kinds[link->kind]);
    put_text(out, "name", link->name);
    put_attribute(out, "x0", link->a.x);
    put_attribute(out, "y0", link->a.y);
    put_attribute(out, "x1", link->b.x);
    put_attribute(out, "y1", link->b.y);
    for (int32_t i = 0; i < link->properties.count; i++)
        put_text(out, link->properties.list[i].name, link->properties.list[i].value);
    fputs("/>\n", out);
}

/* The roadmap's edges from floor to floor, whose nodes are named with these. */
static void put_edges_between(FILE *out, const throng_map *map)
{
    const throng_map_graph *g = &map->graph;
    for (int32_t e = 0; e < g->edge_count; e++)
        if (throng_map_floor_of_node(map, g->edges[e].from) != throng_map_floor_of_node(map, g->edges[e].to))
            put_edge(out, g, &g->edges[e]);
}

/* Landings belong to their flights. */
static bool write_building(FILE *out, const throng_map *map, throng_error *error)
{
    const throng_map_sheets *s = map->sheets;
    throng_storeys storeys = {0};
    bool fine = throng_storeys_of(&storeys, map, error);
    for (int32_t i = 0; fine && i < throng_map_floors(s); i++) {
        if (s->list[i].kind == THRONG_SHEET_LANDING)
            continue;
        fputs("  <floor", out);
        put_text(out, "name", s->list[i].name);
        put_attribute(out, "z", s->list[i].z);
        fputs(">\n", out);
        fine = put_floor(out, map, i, error);
        for (int32_t l = 0; l < storeys.link_count; l++)
            if (storeys.links[l].from == i)
                put_link(out, &storeys.links[l]);
        fputs("  </floor>\n", out);
    }
    throng_storeys_fini(&storeys);
    put_edges_between(out, map);
    return fine;
}

bool throng_map_write_xml(FILE *out, const throng_map *map, throng_error *error)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map%s>\n",
            map->graph.node_count > 0 ? " roadmap=\"true\"" : "");
    put_properties(out, &map->properties, "  ");
    bool fine = map->sheets ? write_building(out, map, error) : write_plan(out, map, false, error);
    fputs("</map>\n", out);
    return fine;
}
