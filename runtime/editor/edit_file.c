/* The document from maps and to maps. */
#include "edit_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "map/map_draft.h"
#include "map/map_sides.h"
#include "map/map_write.h"
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

static bool put_thing(throng_draft *draft, const throng_edit_thing *thing, int32_t slot, throng_error *error)
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

throng_map *throng_edit_map(const throng_edit *edit, const char *name, throng_error *error)
{
    throng_draft draft;
    throng_map *map = NULL;
    if (throng_edit_floor_area(edit) <= 0) {
        throng_fail(error, "there is no floor yet: draw a face first");
        return NULL;
    }
    bool fine = throng_draft_init(&draft, name, error);
    for (int32_t slot = 0; fine && slot < edit->slots; slot++)
        fine = !edit->things[slot] || put_thing(&draft, edit->things[slot], slot, error);
    if (fine)
        map = throng_draft_finish(&draft, error);
    throng_draft_fini(&draft);
    return map;
}

bool throng_edit_keep(const throng_edit *edit, const char *path, throng_error *error)
{
    throng_map *map = throng_edit_map(edit, path, error);
    bool written = map && throng_map_write(path, map, error);
    throng_map_destroy(map);
    return written;
}

bool throng_edit_save(throng_edit *edit, const char *path, throng_error *error)
{
    if (!throng_edit_keep(edit, path, error))
        return false;
    edit->saved = edit->done;
    return true;
}

/* ---- from a map */

static bool put_face(throng_edit *edit, throng_edit_change *change, const throng_point *points, int32_t count)
{
    return throng_edit_put(edit, change, -1, throng_edit_thing_new(THRONG_EDIT_FACE, points, count));
}

/* The faces that the map's file has. */
static bool put_own_faces(throng_edit *edit, throng_edit_change *change, const throng_ring_list *faces)
{
    for (int32_t f = 0; f < faces->count; f++)
        if (!put_face(edit, change, faces->points + faces->start[f], throng_ring_list_end(faces, f) - faces->start[f]))
            return false;
    return true;
}

/* The free space, cut as a mesh for points is. */
static bool put_cut_faces(throng_edit *edit, throng_edit_change *change, const throng_navmesh *mesh)
{
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t first = mesh->face_start[f], count = mesh->face_start[f + 1] - first;
        throng_point *points = malloc((size_t)count * sizeof *points);
        for (int32_t i = 0; points && i < count; i++)
            points[i] = (throng_point){(double)mesh->ax[first + i], (double)mesh->ay[first + i]};
        bool put = points && put_face(edit, change, points, count);
        free(points);
        if (!put)
            return false;
    }
    return true;
}

static bool put_named(throng_edit *edit, throng_edit_change *change, throng_edit_thing *thing, const char *name,
                      const char *group, const throng_properties *properties)
{
    if (thing && throng_edit_thing_name(thing, name) && throng_edit_thing_group(thing, group) &&
        throng_properties_copy(&thing->properties, properties))
        return throng_edit_put(edit, change, -1, thing);
    throng_edit_thing_free(thing);
    return false;
}

/* All but the faces. */
static bool put_rest(throng_edit *edit, throng_edit_change *change, const throng_map *map)
{
    bool fine = true;
    for (int32_t i = 0; fine && i < map->region_count; i++) {
        const throng_region *r = &map->regions[i];
        fine = put_named(edit, change, throng_edit_thing_new(THRONG_EDIT_REGION, r->points, r->count), r->name,
                         r->group, &r->properties);
    }
    for (int32_t i = 0; fine && i < map->door_count; i++) {
        const throng_door *d = &map->doors[i];
        throng_point ends[] = {d->a, d->b};
        throng_edit_thing *thing = throng_edit_thing_new(THRONG_EDIT_DOOR, ends, 2);
        if (thing) {
            thing->cost = d->cost;
            thing->max_radius = d->max_radius;
        }
        fine = put_named(edit, change, thing, d->name, NULL, &d->properties);
    }
    throng_edit_thing *plan = fine ? throng_edit_thing_new(THRONG_EDIT_PLAN, NULL, 0) : NULL;
    if (plan && throng_properties_copy(&plan->properties, &map->properties))
        return throng_edit_put(edit, change, 0, plan);
    throng_edit_thing_free(plan);
    return false;
}

static bool empty(throng_edit *edit, throng_edit_change *change)
{
    for (int32_t slot = 1, end = edit->slots; slot < end; slot++)
        if (edit->things[slot] && !throng_edit_put(edit, change, slot, NULL))
            return false;
    return true;
}

/* Everything replaced by what the map holds, as one change; `*cut` as in throng_edit_take_map. */
static bool replace(throng_edit *edit, const char *what, const throng_map *map, bool *cut, throng_error *error)
{
    throng_edit_change own = {.what = what}, again = {.what = what};
    throng_edit_refusal why;
    *cut = false;
    if (map->open)
        return throng_fail(error, "%s: the map is open, its floor has no end; give it a boundary", map->name);
    if (map->faces && map->faces->count && !throng_sides_parted(map)) { /* faces that join join wherever they do */
        if (!empty(edit, &own) || !put_own_faces(edit, &own, map->faces) || !put_rest(edit, &own, map))
            return throng_edit_no_memory(edit, &own, NULL) || throng_fail(error, "%s: out of memory", map->name);
        if (throng_edit_commit(edit, &own, &why))
            return true;
    }
    throng_navmesh *mesh = throng_navmesh_build(map, 0, error);
    if (!mesh)
        return false;
    *cut = true;
    bool fine = empty(edit, &again) && put_cut_faces(edit, &again, mesh) && put_rest(edit, &again, map);
    throng_navmesh_destroy(mesh);
    if (!fine)
        return throng_edit_no_memory(edit, &again, NULL) || throng_fail(error, "%s: out of memory", map->name);
    return throng_edit_accept(edit, &again, &why) || throng_fail(error, "%s: %s", map->name, why.text);
}

bool throng_edit_take_map(throng_edit *edit, const throng_map *map, bool *cut, throng_error *error)
{
    if (!replace(edit, "open", map, cut, error))
        return false;
    throng_edit_forget(edit);
    return true;
}

bool throng_edit_replace(throng_edit *edit, const char *path, throng_error *error)
{
    bool cut;
    throng_map *map = throng_map_read(path, NULL, error);
    bool fine = map && replace(edit, "recover unsaved work", map, &cut, error);
    throng_map_destroy(map);
    return fine;
}
