/* Copies of whole meshes. */
#include <stdlib.h>
#include <string.h>

#include "face_grid.h"
#include "navmesh_lifts.h"
#include "path_landmarks.h"
#include "path_net.h"

static void *copy_of(const void *from, int32_t count, size_t size)
{
    void *copy = malloc((size_t)count * size + 1);
    if (copy)
        memcpy(copy, from, (size_t)count * size);
    return copy;
}

static bool copy_arrays(const throng_navmesh *from, throng_navmesh *to)
{
    int32_t edges = from->edge_count, faces = from->face_count;
    to->face_start = copy_of(from->face_start, faces + 1, sizeof *to->face_start);
    to->ax = copy_of(from->ax, edges, sizeof *to->ax);
    to->ay = copy_of(from->ay, edges, sizeof *to->ay);
    to->bx = copy_of(from->bx, edges, sizeof *to->bx);
    to->by = copy_of(from->by, edges, sizeof *to->by);
    to->twin = copy_of(from->twin, edges, sizeof *to->twin);
    to->face = copy_of(from->face, edges, sizeof *to->face);
    to->door = copy_of(from->door, edges, sizeof *to->door);
    to->door_sides = copy_of(from->door_sides, from->door_side_count, sizeof *to->door_sides);
    to->cost = copy_of(from->cost, edges, sizeof *to->cost);
    to->shut = calloc((size_t)edges + 1, 1);
    to->against = copy_of(from->against, edges, sizeof *to->against);
    to->component = copy_of(from->component, faces, sizeof *to->component);
    if (from->sheet) {
        int32_t sheets = 1;
        for (int32_t f = 0; f < faces; f++)
            sheets = from->sheet[f] >= sheets ? from->sheet[f] + 1 : sheets;
        to->sheet = copy_of(from->sheet, faces, sizeof *to->sheet);
        to->offset = copy_of(from->offset, sheets, sizeof *to->offset);
        if (!to->sheet || !to->offset)
            return false;
    }
    return to->face_start && to->ax && to->ay && to->bx && to->by && to->twin && to->face && to->door &&
           to->door_sides && to->cost && to->shut && to->against && to->component;
}

throng_navmesh *throng_navmesh_copy(const throng_navmesh *from)
{
    throng_navmesh *to = malloc(sizeof *to);
    if (!to)
        return NULL;
    *to = (throng_navmesh){.radius = from->radius,
                           .face_count = from->face_count,
                           .edge_count = from->edge_count,
                           .door_side_count = from->door_side_count,
                           .component_count = from->component_count,
                           .area = from->area,
                           .seconds = from->seconds};
    if (copy_arrays(from, to) && throng_navmesh_copy_lifts(from, to) &&
        (!from->pillars || (to->pillars = throng_map_copy(from->pillars, NULL))) &&
        (to->grid = throng_face_grid_create(to)) && (to->net = throng_path_net_create(to)) &&
        throng_path_landmarks_copy(to->net, from->net))
        return to;
    throng_navmesh_destroy(to);
    return NULL;
}
