/* What lies on one plane, or on one floor of a building, from maps and to maps. */
#include "edit_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "navigation/navmesh.h"

/* ---- to a map */

static bool put_region(throng_draft *draft, const throng_edit_thing *thing, const char *what, throng_error *error)
{
    int32_t added;
    if (!throng_draft_region(draft, what, thing->name, thing->group, thing->points, thing->count, &added, error))
        return false;
    return added == 0 ||
           throng_properties_copy(&draft->held.regions[draft->held.region_count - 1].properties, &thing->properties);
}

static bool put_door(throng_draft *draft, const throng_edit_thing *thing, throng_error *error)
{
    throng_map *map = &draft->held;
    return throng_map_add_door(map, thing->name, thing->points[0], thing->points[1], error) &&
           throng_map_set_passage(map, map->door_count - 1, thing->cost, thing->max_radius, error) &&
           throng_properties_copy(&map->doors[map->door_count - 1].properties, &thing->properties);
}

bool throng_edit_put_thing(throng_draft *draft, const throng_edit_thing *thing, int32_t slot, throng_error *error)
{
    char what[160];
    if (thing->kind == THRONG_EDIT_DOOR)
        return put_door(draft, thing, error);
    if (thing->kind == THRONG_EDIT_REGION) {
        snprintf(what, sizeof what, "region \"%.100s\"", thing->name);
        return put_region(draft, thing, what, error);
    }
    if (thing->kind == THRONG_EDIT_PLAN)
        return throng_properties_copy(&draft->held.properties, &thing->properties);
    snprintf(what, sizeof what, "face %d", (int)slot);
    return throng_draft_face(draft, what, thing->points, thing->count, error);
}

/* ---- from a map */

static bool put_face(throng_edit *edit, throng_edit_change *change, const throng_point *points, int32_t count,
                     throng_point by)
{
    throng_edit_thing *face = throng_edit_thing_new(THRONG_EDIT_FACE, points, count);
    if (face)
        throng_edit_thing_shift(face, by);
    return throng_edit_put(edit, change, -1, face);
}

/* The faces that the map's file has. */
static bool put_own_faces(throng_edit *edit, throng_edit_change *change, const throng_ring_list *faces, throng_point by)
{
    for (int32_t f = 0; f < faces->count; f++)
        if (!put_face(edit, change, faces->points + faces->start[f], throng_ring_list_end(faces, f) - faces->start[f],
                      by))
            return false;
    return true;
}

/* The free space, cut as a mesh for points is. */
static bool put_cut_faces(throng_edit *edit, throng_edit_change *change, const throng_navmesh *mesh, throng_point by)
{
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t first = mesh->face_start[f], count = mesh->face_start[f + 1] - first;
        throng_point *points = malloc((size_t)count * sizeof *points);
        for (int32_t i = 0; points && i < count; i++)
            points[i] = (throng_point){(double)mesh->ax[first + i], (double)mesh->ay[first + i]};
        bool put = points && put_face(edit, change, points, count, by);
        free(points);
        if (!put)
            return false;
    }
    return true;
}

bool throng_edit_put_named(throng_edit *edit, throng_edit_change *change, throng_edit_thing *thing, const char *name,
                           const char *group, const throng_properties *properties)
{
    if (thing && throng_edit_thing_name(thing, name) && throng_edit_thing_group(thing, group) &&
        throng_properties_copy(&thing->properties, properties))
        return throng_edit_put(edit, change, -1, thing);
    throng_edit_thing_free(thing);
    return false;
}

/* Of a floor: `by` is added to all places. */
static bool put_places(throng_edit *edit, throng_edit_change *change, const throng_map *map, throng_point by)
{
    bool fine = true;
    for (int32_t i = 0; fine && i < map->region_count; i++) {
        const throng_region *r = &map->regions[i];
        throng_edit_thing *thing = throng_edit_thing_new(THRONG_EDIT_REGION, r->points, r->count);
        if (thing)
            throng_edit_thing_shift(thing, by);
        fine = throng_edit_put_named(edit, change, thing, r->name, r->group, &r->properties);
    }
    for (int32_t i = 0; fine && i < map->door_count; i++) {
        const throng_door *d = &map->doors[i];
        throng_point ends[] = {{d->a.x + by.x, d->a.y + by.y}, {d->b.x + by.x, d->b.y + by.y}};
        throng_edit_thing *thing = throng_edit_thing_new(THRONG_EDIT_DOOR, ends, 2);
        if (thing) {
            thing->cost = d->cost;
            thing->max_radius = d->max_radius;
        }
        fine = throng_edit_put_named(edit, change, thing, d->name, NULL, &d->properties);
    }
    return fine;
}

/* One plane: all that the map holds, or that and more of a floor. `own`: its file's faces, else its free space is cut.
 */
bool throng_edit_put_plan(throng_edit *edit, throng_edit_change *change, const throng_map *map, bool own,
                          throng_point by, throng_error *error)
{
    throng_navmesh *mesh = own ? NULL : throng_navmesh_build(map, 0, error);
    if (!own && !mesh)
        return false;
    bool fine = own ? put_own_faces(edit, change, map->faces, by) : put_cut_faces(edit, change, mesh, by);
    throng_navmesh_destroy(mesh);
    return (fine && put_places(edit, change, map, by)) || throng_fail(error, "%s: out of memory", map->name);
}
