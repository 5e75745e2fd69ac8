#include <math.h>

#include "map_readers.h"
#include "ring_list.h"
#include "wall_index.h"

static void scale_points(throng_point *points, int32_t count, double by)
{
    for (int32_t i = 0; i < count; i++) {
        points[i].x *= by;
        points[i].y *= by;
    }
}

static void scale_graph(throng_map_graph *graph, double by)
{
    for (int32_t n = 0; n < graph->node_count; n++) {
        scale_points(&graph->nodes[n].at, 1, by);
        graph->nodes[n].max_radius *= by;
        graph->nodes[n].cost *= by;
    }
    for (int32_t e = 0; e < graph->edge_count; e++)
        graph->edges[e].cost *= by;
}

static void scale_parts(throng_map *map, double by)
{
    for (int32_t i = 0; i < map->region_count; i++)
        scale_points(map->regions[i].points, map->regions[i].count, by);
    for (int32_t i = 0; i < map->door_count; i++) {
        scale_points(&map->doors[i].a, 1, by);
        scale_points(&map->doors[i].b, 1, by);
        map->doors[i].cost *= by;
        map->doors[i].max_radius *= by;
    }
    for (int32_t i = 0; i < map->findings.count; i++) {
        scale_points(&map->findings.list[i].at, 1, by);
        scale_points(&map->findings.list[i].to, 1, by);
    }
    if (map->faces)
        scale_points(map->faces->points, map->faces->point_count, by);
    scale_graph(&map->graph, by);
}

static const double FARTHEST = 1e6; /* m, as for what is not scaled (map_geos.c) */

bool throng_map_scale(throng_map *map, double by, throng_error *error)
{
    if (map->sheets)
        return throng_fail(error, "%s: it is a building, which has no scale: its file is in metres", map->name);
    const throng_bounds b = map->bounds;
    if (fmax(fmax(fabs(b.x0), fabs(b.x1)), fmax(fabs(b.y0), fabs(b.y1))) * by > FARTHEST)
        return throng_fail(error, "%s: at a scale of %g it reaches farther than %g m from the origin", map->name, by,
                           FARTHEST);
    map->bounds = (throng_bounds){b.x0 * by, b.y0 * by, b.x1 * by, b.y1 * by};
    scale_points(map->points, map->point_count, by);
    struct throng_wall_index *walls = throng_wall_index_create(map);
    if (!walls)
        return throng_fail(error, "%s: out of memory", map->name);
    throng_wall_index_destroy(map->walls);
    map->walls = walls;
    map->area *= by * by;
    scale_parts(map, by);
    return true;
}
