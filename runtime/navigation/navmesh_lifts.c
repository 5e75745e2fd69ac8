#include "navmesh_lifts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/geometry.h"

/* m: the back row stands so much farther from the wall than its radius. */
static const double ROOM = 0.02;

static bool holds(const throng_navmesh *mesh, int32_t face, throng_point p)
{
    for (int32_t e = mesh->face_start[face]; e < mesh->face_start[face + 1]; e++) {
        throng_point a = {mesh->ax[e], mesh->ay[e]}, b = {mesh->bx[e], mesh->by[e]};
        if (throng_turn(a, b, p) < 0)
            return false;
    }
    return true;
}

int32_t throng_navmesh_face_in_car(const throng_navmesh *mesh, int32_t stop, throng_point p)
{
    for (int32_t f = 0; f < mesh->face_count; f++)
        if (mesh->lifts->stop[f] == stop && holds(mesh, f, p))
            return f;
    return -1;
}

static throng_mesh_stop find_stop(const throng_navmesh *mesh, const throng_mesh_lifts *l, int32_t stop)
{
    const throng_map_lift *lift = &l->map.lifts[l->map.stops[stop].lift];
    double back = lift->depth - mesh->radius - ROOM, half = fmax(0.5 * lift->width - mesh->radius - ROOM, 0);
    throng_mesh_stop s = {.at = throng_lift_point(lift, 0.5 * (lift->depth + THRONG_LIFT_SILL), 0),
                          .a = throng_lift_point(lift, back, half),
                          .b = throng_lift_point(lift, back, -half)};
    s.face = throng_navmesh_face_in_car(mesh, stop, s.at);
    return s;
}

static throng_mesh_lifts *allocate(const throng_map_sheets *map, int32_t faces)
{
    throng_mesh_lifts *l = calloc(1, sizeof *l);
    size_t lifts = (size_t)map->lift_count, stops = (size_t)map->stop_count;
    if (!l)
        return NULL;
    l->map = (throng_map_sheets){.lift_count = map->lift_count,
                                 .stop_count = map->stop_count,
                                 .lifts = malloc(lifts * sizeof *map->lifts),
                                 .stops = malloc(stops * sizeof *map->stops)};
    l->stops = calloc(stops, sizeof *l->stops);
    l->use = malloc(stops * sizeof *l->use);
    l->stop = malloc(((size_t)faces + 1) * sizeof *l->stop);
    if (l->use)
        memset(l->use, THRONG_STOP_BOTH, stops);
    if (l->map.lifts && l->map.stops) {
        memcpy(l->map.lifts, map->lifts, lifts * sizeof *map->lifts);
        memcpy(l->map.stops, map->stops, stops * sizeof *map->stops);
    }
    return l;
}

static bool is_whole(const throng_mesh_lifts *l)
{
    return l && l->map.lifts && l->map.stops && l->stops && l->use && l->stop;
}

bool throng_navmesh_find_lifts(throng_navmesh *mesh, const throng_map *map)
{
    if (!mesh->sheet || !map->sheets->lift_count)
        return true;
    throng_mesh_lifts *l = mesh->lifts = allocate(map->sheets, mesh->face_count);
    if (!is_whole(l))
        return false;
    for (int32_t f = 0; f < mesh->face_count; f++)
        l->stop[f] = throng_map_stop_of(&l->map, mesh->sheet[f]);
    for (int32_t i = 0; i < l->map.stop_count; i++)
        l->stops[i] = find_stop(mesh, l, i);
    return true;
}

bool throng_navmesh_copy_lifts(const throng_navmesh *from, throng_navmesh *to)
{
    if (!from->lifts)
        return true;
    throng_mesh_lifts *l = to->lifts = allocate(&from->lifts->map, from->face_count);
    if (!is_whole(l))
        return false;
    memcpy(l->stops, from->lifts->stops, (size_t)l->map.stop_count * sizeof *l->stops);
    memcpy(l->stop, from->lifts->stop, (size_t)from->face_count * sizeof *l->stop);
    return true;
}

void throng_navmesh_free_lifts(throng_navmesh *mesh)
{
    throng_mesh_lifts *l = mesh->lifts;
    if (!l)
        return;
    free(l->map.lifts);
    free(l->map.stops);
    free(l->stops);
    free(l->use);
    free(l->stop);
    free(l);
    mesh->lifts = NULL;
}

bool throng_navmesh_use_stop(throng_navmesh *mesh, int32_t stop, uint8_t use)
{
    bool changed = mesh->lifts->use[stop] != use;
    mesh->lifts->use[stop] = use;
    return changed;
}

void throng_navmesh_join_by_lifts(const throng_navmesh *mesh, int32_t *component)
{
    const throng_mesh_lifts *l = mesh->lifts;
    for (int32_t c = 0; c < mesh->component_count; c++)
        component[c] = c;
    for (int32_t i = 1; l && i < l->map.stop_count; i++) {
        if (l->map.stops[i].lift != l->map.stops[i - 1].lift || l->stops[i].face < 0 || l->stops[i - 1].face < 0)
            continue;
        int32_t a = component[mesh->component[l->stops[i].face]], b = component[mesh->component[l->stops[i - 1].face]];
        for (int32_t c = 0; c < mesh->component_count; c++)
            if (component[c] == a || component[c] == b)
                component[c] = a < b ? a : b;
    }
}
