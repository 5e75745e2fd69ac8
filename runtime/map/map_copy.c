/* Copies of whole maps. */
#include <stdlib.h>
#include <string.h>

#include "map_findings.h"
#include "map_sheets.h"
#include "ring_list.h"

/* NULL stays NULL; false when memory is out. */
static bool copy_text(const char *from, char **to)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

static bool copy_region(const throng_region *from, throng_region *to)
{
    size_t size = (size_t)from->count * sizeof *from->points;
    *to = (throng_region){.count = from->count, .points = malloc(size + 1)};
    if (to->points)
        memcpy(to->points, from->points, size);
    return copy_text(from->name, &to->name) && copy_text(from->group, &to->group) && to->points &&
           throng_properties_copy(&to->properties, &from->properties);
}

/* Counted before they are whole, so that what there is of one is freed with the map. */
static bool copy_regions(const throng_map *from, throng_map *to)
{
    to->regions = calloc((size_t)from->region_count + 1, sizeof *to->regions);
    while (to->regions && to->region_count < from->region_count) {
        int32_t at = to->region_count++;
        if (!copy_region(&from->regions[at], &to->regions[at]))
            return false;
    }
    return to->regions != NULL;
}

static bool copy_doors(const throng_map *from, throng_map *to)
{
    to->doors = calloc((size_t)from->door_count + 1, sizeof *to->doors);
    while (to->doors && to->door_count < from->door_count) {
        const throng_door *door = &from->doors[to->door_count];
        throng_door *copy = &to->doors[to->door_count++];
        *copy = (throng_door){.a = door->a, .b = door->b, .cost = door->cost, .max_radius = door->max_radius};
        if (!copy_text(door->name, &copy->name) || !throng_properties_copy(&copy->properties, &door->properties))
            return false;
    }
    return to->doors != NULL;
}

static bool copy_findings(const throng_findings *from, throng_findings *to)
{
    for (int32_t i = 0; i < from->count; i++) {
        const throng_finding *f = &from->list[i];
        if (!throng_findings_add(to, f->kind, f->at, f->to, "%s", f->text))
            return false;
    }
    return true;
}

static bool copy_grid(const throng_map *from, throng_map *to)
{
    if (!from->grid)
        return true;
    size_t cells = (size_t)from->grid->width * (size_t)from->grid->height;
    to->grid = malloc(sizeof *to->grid);
    if (!to->grid)
        return false;
    *to->grid = *from->grid;
    to->grid->free = malloc(cells + 1);
    if (to->grid->free)
        memcpy(to->grid->free, from->grid->free, cells);
    return to->grid->free != NULL;
}

static bool copy_faces(const throng_map *from, throng_map *to)
{
    if (!from->faces)
        return true;
    to->faces = calloc(1, sizeof *to->faces);
    for (int32_t r = 0; to->faces && r < from->faces->count; r++) {
        if (!throng_ring_list_begin(to->faces))
            return false;
        for (int32_t p = from->faces->start[r]; p < throng_ring_list_end(from->faces, r); p++)
            if (!throng_ring_list_add(to->faces, from->faces->points[p]))
                return false;
    }
    return to->faces != NULL;
}

throng_map *throng_map_copy(const throng_map *from, throng_error *error)
{
    throng_map *to =
        throng_map_from_rings(from->name, from->open, from->points, from->ring_start, from->ring_count, error);
    if (!to)
        return NULL;
    to->report = from->report;
    to->pillars = from->pillars;
    if (throng_map_graph_copy(&to->graph, &from->graph) && copy_regions(from, to) && copy_doors(from, to) &&
        throng_properties_copy(&to->properties, &from->properties) && copy_findings(&from->findings, &to->findings) &&
        copy_grid(from, to) && copy_faces(from, to) && throng_map_sheets_copy(from, to))
        return to;
    throng_map_destroy(to);
    throng_fail(error, "%s: out of memory", from->name);
    return NULL;
}
