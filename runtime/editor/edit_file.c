/* The document from maps and to maps. */
#include "edit_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "map/map_draft.h"
#include "map/map_sides.h"
#include "map/map_write.h"
#include "navigation/navmesh.h"

/* ---- to a map */

throng_map *throng_edit_map(const throng_edit *edit, const char *name, throng_error *error)
{
    if (throng_edit_floors(edit) > 0)
        return throng_edit_building(edit, name, error);
    throng_draft draft;
    throng_map *map = NULL;
    if (throng_edit_floor_area(edit) <= 0) {
        throng_fail(error, "there is no floor yet: draw a room first");
        return NULL;
    }
    bool fine = throng_draft_init(&draft, name, error);
    for (int32_t slot = 0; fine && slot < edit->slots; slot++)
        fine = !edit->things[slot] || throng_edit_put_thing(&draft, edit->things[slot], slot, error);
    if (fine)
        map = throng_draft_finish(&draft, error);
    throng_draft_fini(&draft);
    return throng_edit_put_graph(edit, map, error);
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

static bool put_properties(throng_edit *edit, throng_edit_change *change, const throng_map *map)
{
    throng_edit_thing *plan = throng_edit_thing_new(THRONG_EDIT_PLAN, NULL, 0);
    if (plan && throng_properties_copy(&plan->properties, &map->properties) && throng_edit_take_graph(plan, map))
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

static bool put_all(throng_edit *edit, throng_edit_change *change, const throng_map *map, bool own, throng_error *error)
{
    if (!empty(edit, change) || !put_properties(edit, change, map))
        return throng_fail(error, "%s: out of memory", map->name);
    return map->sheets ? throng_edit_put_building(edit, change, map, own, error)
                       : throng_edit_put_plan(edit, change, map, own, (throng_point){0, 0}, error);
}

/* Everything replaced by what the map holds, as one change; `*cut` as in throng_edit_take_map. */
static bool replace(throng_edit *edit, const char *what, const throng_map *map, bool *cut, throng_error *error)
{
    throng_edit_change own = {.what = what}, again = {.what = what};
    throng_edit_refusal why;
    *cut = false;
    if (map->open)
        return throng_fail(error, "%s: the map is open, its floor has no end; give it a boundary", map->name);
    if (map->faces && map->faces->count && (map->sheets || !throng_sides_parted(map))) {
        /* faces that join join wherever they do */
        if (!put_all(edit, &own, map, true, error))
            return throng_edit_abandon(edit, &own);
        if (throng_edit_commit(edit, &own, &why))
            return true;
    }
    *cut = true;
    if (!put_all(edit, &again, map, false, error))
        return throng_edit_abandon(edit, &again);
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
