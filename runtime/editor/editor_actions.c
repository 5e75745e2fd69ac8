/* What keys and panels of the map maker do. */
#include "editor_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REFUSED_FOR = 6 }; /* s */

bool throng_editor_told(throng_editor *editor, bool done, const throng_edit_refusal *why)
{
    if (!done) {
        editor->refused.why = *why;
        editor->refused.until = editor->view.clock + REFUSED_FOR;
    }
    return done;
}

const throng_edit_sides *throng_editor_sides(throng_editor *editor)
{
    if (editor->sides_version != editor->doc.version || !editor->sides.list)
        throng_edit_sides_build(&editor->doc, &editor->sides);
    editor->sides_version = editor->doc.version;
    return &editor->sides;
}

void throng_editor_undo(throng_editor *editor, bool again)
{
    const char *name = again ? throng_edit_redo_name(&editor->doc) : throng_edit_undo_name(&editor->doc);
    editor->refused.until = 0;
    if (editor->drag.moved)
        return;
    if (!name) {
        throng_viewer_note(&editor->view, again ? "There is nothing to do again." : "There is nothing to undo.");
        return;
    }
    throng_viewer_note(&editor->view, again ? "Done again: %s." : "Undone: %s.", name);
    if (again)
        throng_edit_redo(&editor->doc);
    else
        throng_edit_undo(&editor->doc);
    if (!throng_edit_thing_at(&editor->doc, editor->selected))
        editor->selected = -1;
    if (editor->floor > 0 && editor->floor >= throng_edit_floors(&editor->doc))
        throng_editor_show_floor(editor, editor->floor);
}

void throng_editor_add_floor(throng_editor *editor)
{
    throng_edit_refusal why;
    if (throng_editor_told(editor, throng_edit_add_floor(&editor->doc, &why), &why))
        throng_editor_show_floor(editor, throng_edit_floors(&editor->doc) - 1);
}

void throng_editor_next_use(throng_editor *editor)
{
    throng_edit_refusal why;
    const throng_edit_thing *thing = throng_edit_thing_at(&editor->doc, editor->selected);
    if (thing && thing->kind == THRONG_EDIT_LINK)
        throng_editor_told(editor, throng_edit_next_link(&editor->doc, editor->selected, &why), &why);
    if (!thing || thing->kind != THRONG_EDIT_REGION)
        return;
    const char *now = throng_trial_purpose(thing->group, thing->name);
    const char *next = !now ? "spawns" : strcmp(now, "spawns") == 0 ? "exits" : "places";
    throng_editor_told(editor, throng_edit_set_group(&editor->doc, editor->selected, next, &why), &why);
}

static bool all_bounds(const throng_editor *editor, throng_bounds *b)
{
    *b = (throng_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *t = editor->doc.things[slot];
        if (t && t->count && throng_edit_floor_at(&editor->doc, t->points[0]) == editor->floor)
            *b = (throng_bounds){fmin(b->x0, t->bounds.x0), fmin(b->y0, t->bounds.y0), fmax(b->x1, t->bounds.x1),
                                 fmax(b->y1, t->bounds.y1)};
    }
    throng_edit_underlay underlay;
    if (editor->image.texture && throng_edit_underlay_of(&editor->doc, &underlay)) {
        throng_point c = {underlay.corner.x + throng_edit_floor_offset(editor->floor).x, underlay.corner.y};
        *b =
            (throng_bounds){fmin(b->x0, c.x), fmin(b->y0, c.y), fmax(b->x1, c.x + editor->image.width * underlay.scale),
                            fmax(b->y1, c.y + editor->image.height * underlay.scale)};
    }
    return b->x1 > b->x0 && b->y1 > b->y0;
}

static double scale_in(const throng_bounds *room, const throng_bounds *map)
{
    return fmin((room->x1 - room->x0) / (map->x1 - map->x0), (room->y1 - room->y0) / (map->y1 - map->y0));
}

/* Beside the tools, and beside or below the panel; an empty map shows 20 m. */
void throng_editor_fit(throng_editor *editor)
{
    throng_viewer *view = &editor->view;
    throng_bounds b;
    if (!all_bounds(editor, &b))
        b = (throng_bounds){throng_edit_floor_offset(editor->floor).x, 0,
                            throng_edit_floor_offset(editor->floor).x + 20, 12};
    double u = view->unit;
    throng_bounds beside = {212 * u, 24 * u, view->width - 276 * u, view->height - 64 * u},
                  below = {212 * u, 230 * u, view->width - 24 * u, view->height - 84 * u};
    throng_bounds room = scale_in(&below, &b) > 1.15 * scale_in(&beside, &b) ? below : beside;
    double scale = fmin(fmax(scale_in(&room, &b), 1e-3), 400 * u);
    view->camera.scale = scale;
    view->camera.unit = u;
    view->camera.x = (room.x0 + room.x1) / 2 - (b.x0 + b.x1) / 2 * scale;
    view->camera.y = (room.y0 + room.y1) / 2 + (b.y0 + b.y1) / 2 * scale;
    view->fitted = true;
}

void throng_editor_end_trial(throng_editor *editor)
{
    throng_floors_forget(&editor->view);
    throng_trial_end(&editor->trial);
    editor->view.session.live.scenario.world = NULL;
    editor->view.crowd.count = editor->view.crowd.before_slots = 0;
    editor->view.playing = false;
}

void throng_editor_try_out(throng_editor *editor)
{
    throng_error error;
    if (editor->trial.world) {
        throng_editor_end_trial(editor);
        return;
    }
    editor->count = 0;
    editor->selected = -1;
    if (!throng_trial_start(&editor->trial, &editor->doc, THRONG_EDITOR_WALKERS, &error)) {
        throng_edit_refusal why = {.at = {NAN, NAN}, .slot = -1};
        snprintf(why.text, sizeof why.text, "%.230s", error.text);
        throng_editor_told(editor, false, &why);
        return;
    }
    editor->dropped = editor->trial.people;
    editor->view.session.live.scenario.world = editor->trial.world;
    editor->view.session.debt = 0;
    editor->view.playing = true;
    throng_editor_show_walkers(editor);
    editor->view.note_until = editor->refused.until = 0;
}
