#include "map_outlines.h"

#include <math.h>
#include <stdlib.h>

#include "map/geometry.h"
#include "map/map_findings.h"
#include "map/map_simplify.h"
#include "map_lint.h"
#include "navmesh.h"

static const double PLACE = 1; /* m^2: a smaller part of the floor is no place to be shut off from */

static bool copy_rings(const throng_map *map, throng_ring_list *rings)
{
    bool fine = true;
    for (int32_t r = 0; fine && r < map->ring_count; r++) {
        fine = throng_ring_list_begin(rings);
        for (int32_t i = map->ring_start[r]; fine && i < map->ring_start[r + 1]; i++)
            fine = throng_ring_list_add(rings, map->points[i]);
    }
    return fine;
}

static double area_of(const throng_navmesh *m, int32_t face)
{
    int32_t first = m->face_start[face];
    throng_point a = {m->ax[first], m->ay[first]};
    double twice = 0;
    for (int32_t e = first; e < m->face_start[face + 1]; e++)
        twice += throng_turn(a, (throng_point){m->ax[e], m->ay[e]}, (throng_point){m->bx[e], m->by[e]});
    return 0.5 * twice;
}

/* A mesh's parts that are places, by their number. NULL when memory is out. */
static uint8_t *places_of(const throng_navmesh *m)
{
    double *area = calloc((size_t)m->component_count + 1, sizeof *area);
    uint8_t *place = calloc((size_t)m->component_count + 1, 1);
    for (int32_t f = 0; area && f < m->face_count; f++)
        area[m->component[f]] += area_of(m, f);
    for (int32_t c = 0; area && place && c < m->component_count; c++)
        place[c] = area[c] >= PLACE;
    free(area);
    return place;
}

static throng_point middle_of(const throng_navmesh *m, int32_t face)
{
    int32_t first = m->face_start[face], count = m->face_start[face + 1] - first;
    throng_point sum = {0, 0};
    for (int32_t e = first; e < first + count; e++) {
        sum.x += m->ax[e] / count;
        sum.y += m->ay[e] / count;
    }
    return sum;
}

/* Which place of `other` each face of `m` lies in, of those that are in a place of `m`; -1: in none. NULL when memory
 * is out. */
static int32_t *places_in(const throng_navmesh *m, const throng_navmesh *other)
{
    uint8_t *mine = places_of(m), *theirs = places_of(other);
    int32_t *in = malloc(((size_t)m->face_count + 1) * sizeof *in);
    for (int32_t f = 0; mine && theirs && in && f < m->face_count; f++) {
        int32_t at;
        in[f] = mine[m->component[f]] && throng_navmesh_faces_at(other, middle_of(m, f), &at, 1) &&
                        theirs[other->component[at]]
                    ? other->component[at]
                    : -1;
    }
    if (!mine || !theirs) {
        free(in);
        in = NULL;
    }
    free(mine);
    free(theirs);
    return in;
}

/* Does a part of `m` lie in two places of the other? */
static bool is_parted(const throng_navmesh *m, const int32_t *in, int32_t *first)
{
    bool parted = false;
    for (int32_t c = 0; c < m->component_count; c++)
        first[c] = -1;
    for (int32_t f = 0; f < m->face_count; f++) {
        int32_t *was = &first[m->component[f]];
        parted |= in[f] >= 0 && *was >= 0 && *was != in[f];
        *was = in[f] >= 0 ? in[f] : *was;
    }
    return parted;
}

static bool note(throng_map *map, double by, const char *what)
{
    throng_point nowhere = {NAN, NAN};
    return throng_findings_add(&map->findings, THRONG_FINDING_GAP, nowhere, nowhere,
                               "outlines that are simplified by %.6g m %s a passage for a body of %g m radius: "
                               "simplify less",
                               by, what, THRONG_MAP_BODY);
}

static bool compare_meshes(throng_map *map, double by, const throng_navmesh *before, const throng_navmesh *after)
{
    int32_t *now = places_in(before, after), *was = places_in(after, before);
    int32_t *first = malloc(((size_t)before->component_count + (size_t)after->component_count + 1) * sizeof *first);
    bool fine = now && was && first;
    if (fine && is_parted(before, now, first))
        fine = note(map, by, "close");
    if (fine && is_parted(after, was, first))
        fine = note(map, by, "open");
    free(now);
    free(was);
    free(first);
    return fine;
}

/* Where a body has no room before or after there is no passage to compare. */
static bool note_passages(throng_map *map, const throng_map *simple, double by)
{
    throng_navmesh *before = throng_navmesh_build(map, THRONG_MAP_BODY, NULL);
    throng_navmesh *after = throng_navmesh_build(simple, THRONG_MAP_BODY, NULL);
    bool fine = !before || (after ? compare_meshes(map, by, before, after) : note(map, by, "close"));
    throng_navmesh_destroy(before);
    throng_navmesh_destroy(after);
    return fine;
}

/* The outlines of the one become the other's. */
static void swap_outlines(throng_map *map, throng_map *simple)
{
    throng_map was = *map;
    map->points = simple->points;
    map->point_count = simple->point_count;
    map->ring_start = simple->ring_start;
    map->ring_count = simple->ring_count;
    map->bounds = simple->bounds;
    map->area = simple->area;
    map->walls = simple->walls;
    simple->points = was.points;
    simple->point_count = was.point_count;
    simple->ring_start = was.ring_start;
    simple->ring_count = was.ring_count;
    simple->walls = was.walls;
}

bool throng_map_simplify_outlines(throng_map *map, double by, throng_error *error)
{
    throng_ring_list rings = {0};
    throng_simplify how = {.tolerance = by};
    if (!(by > 0) || !map->ring_count)
        return true;
    bool fine = copy_rings(map, &rings) && throng_map_simplify(&rings, &how);
    throng_map *simple = fine ? throng_map_from_ring_list(map->name, map->open, &rings, NULL) : NULL;
    fine = simple && note_passages(map, simple, by);
    if (fine) {
        map->report.points_before = map->report.points_before ? map->report.points_before : map->point_count;
        map->report.points_after = simple->point_count;
        map->report.tolerance += by;
        map->report.deviation += how.deviation;
        swap_outlines(map, simple);
    }
    throng_map_destroy(simple);
    throng_ring_list_fini(&rings);
    return fine || throng_fail(error, "%s: out of memory for simpler outlines", map->name);
}
