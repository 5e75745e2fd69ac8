/* Which floor of a building the map maker shows. */
#include <string.h>

#include "editor_parts.h"
#include "map/map_floor.h"

void throng_editor_show_walkers(throng_editor *editor)
{
    const throng_map_sheets *sheets = throng_floors_sheets(&editor->view);
    const throng_edit_thing *floor =
        throng_edit_thing_at(&editor->doc, throng_edit_floor_slot(&editor->doc, editor->floor));
    editor->view.floors.mode = sheets && floor ? THRONG_FLOORS_ONE : THRONG_FLOORS_ASIDE;
    for (int32_t i = 0; sheets && floor && i < throng_map_floors(sheets); i++)
        if (strcmp(sheets->list[i].name, floor->name) == 0)
            editor->view.floors.shown = i;
    throng_crowd_forget(&editor->view.crowd);
}

void throng_editor_show_floor(throng_editor *editor, int32_t floor)
{
    int32_t last = throng_edit_floors(&editor->doc) - 1;
    int32_t to = floor < 0 || last < 0 ? 0 : floor > last ? last : floor;
    double shift = throng_edit_floor_offset(to).x - throng_edit_floor_offset(editor->floor).x;
    editor->view.camera.x -= shift * editor->view.camera.scale; /* the same place of the plan */
    editor->mouse.x += shift;
    editor->snap.at.x += shift;
    if (to != editor->floor)
        editor->selected = -1, editor->count = 0;
    editor->floor = to;
    if (editor->trial.world)
        throng_editor_show_walkers(editor);
    const throng_edit_thing *shown = throng_edit_thing_at(&editor->doc, throng_edit_floor_slot(&editor->doc, to));
    if (shown)
        throng_viewer_note(&editor->view, "%.60s, %.4g m.", shown->name, throng_edit_floor_z(&editor->doc, to));
    else
        throng_viewer_note(&editor->view, "There is one floor: T adds another.");
}
