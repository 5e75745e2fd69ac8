/* The line that says what a click would do, or why it would be refused. */
#include "editor_parts.h"

#include <stdio.h>
#include <string.h>

#include "map/geometry.h"

static const char *caught(const throng_editor *editor)
{
    switch (editor->snap.what) {
    case THRONG_EDIT_ON_CORNER: return "on this corner";
    case THRONG_EDIT_ON_SIDE: return "on this side";
    case THRONG_EDIT_GRID: return "on the grid";
    default: return "here";
    }
}

static const char *kind_name(const throng_edit_thing *thing)
{
    return thing->kind == THRONG_EDIT_LINK     ? throng_edit_link_words(thing)
           : thing->kind == THRONG_EDIT_DOOR   ? "door"
           : thing->kind == THRONG_EDIT_REGION ? "region"
                                               : "face";
}

/* Is there one, of that group if one is given? */
static bool has(const throng_edit *doc, throng_edit_kind kind, const char *group)
{
    for (int32_t slot = 0; slot < doc->slots; slot++) {
        const throng_edit_thing *thing = doc->things[slot];
        if (thing && thing->kind == kind && (!group || (thing->group && strcmp(thing->group, group) == 0)))
            return true;
    }
    return false;
}

/* What a map lacks that people are to walk in. */
static const char *next_step(const throng_edit *doc)
{
    if (!has(doc, THRONG_EDIT_FACE, NULL))
        return "R draws a room: drag a rectangle, or click its corners";
    if (!has(doc, THRONG_EDIT_REGION, "spawns"))
        return "S marks where people come from";
    if (!has(doc, THRONG_EDIT_REGION, "exits"))
        return "X marks where they leave";
    return "Space lets people walk through it";
}

static void hint_select(const throng_editor *editor, char *text, size_t size)
{
    const throng_edit_thing *chosen = throng_edit_thing_at(&editor->doc, editor->selected);
    double reach = throng_tool_reach(editor);
    if (chosen && throng_edit_corner_near(chosen, editor->mouse, reach) >= 0) {
        snprintf(text, size, "Drag to move this %s%s", throng_edit_is_line(chosen) ? "end" : "corner",
                 throng_edit_is_line(chosen)        ? "."
                 : chosen->kind == THRONG_EDIT_FACE ? " in every face that shares it. Del deletes it."
                                                    : ". Del deletes it.");
        return;
    }
    int32_t slot = throng_edit_pick(&editor->doc, editor->mouse, reach, -1);
    const throng_edit_thing *there = throng_edit_thing_at(&editor->doc, slot);
    if (chosen && there == chosen)
        snprintf(text, size, "Drag to move this %s. Del deletes it.", kind_name(chosen));
    else if (there)
        snprintf(text, size, "Click to choose this %s%s%s. Drag to pan.", kind_name(there), there->name ? ", " : "",
                 there->name ? there->name : "");
    else
        snprintf(text, size, "Drag to pan, wheel to zoom. %s.", next_step(&editor->doc));
}

/* Whether what would be closed could be. */
static bool hint_close(throng_editor *editor, char *text, size_t size)
{
    throng_edit_refusal why;
    if (editor->tool == THRONG_TOOL_FACE && !throng_edit_face_fits(&editor->doc, editor->points, editor->count, &why)) {
        snprintf(text, size, "Not a face: %.150s.", why.text);
        return false;
    }
    snprintf(text, size, "Click to close the %s: %.1f m².",
             editor->tool == THRONG_TOOL_ROOM   ? "room"
             : editor->tool == THRONG_TOOL_FACE ? "face"
                                                : "region",
             fabs(throng_ring_area(editor->points, editor->count)));
    return true;
}

/* A corner more would spoil it already. */
static bool hint_spoiled(throng_editor *editor, char *text, size_t size)
{
    throng_point outline[THRONG_EDITOR_CORNERS + 4];
    throng_edit_refusal why;
    int32_t count = throng_tool_outline(editor, outline);
    if (editor->tool != THRONG_TOOL_FACE || count < 3 || throng_edit_face_fits(&editor->doc, outline, count, &why))
        return false;
    snprintf(text, size, "With a corner here %.180s.", why.text);
    return true;
}

static bool hint_area(throng_editor *editor, char *text, size_t size)
{
    const char *what = editor->tool == THRONG_TOOL_ROOM    ? "room"
                       : editor->tool == THRONG_TOOL_FACE  ? "face"
                       : editor->tool == THRONG_TOOL_SPAWN ? "spawn region"
                       : editor->tool == THRONG_TOOL_EXIT  ? "exit"
                                                           : "region";
    if (throng_tool_closes(editor))
        return hint_close(editor, text, size);
    if (hint_spoiled(editor, text, size))
        return false;
    if (editor->drag.grip == THRONG_GRIP_BOX && editor->drag.moved)
        snprintf(text, size, "Let go to finish the %s.", what);
    else if (editor->count == 0)
        snprintf(text, size, "Click the first corner of the %s, %s, or drag out a rectangle.", what, caught(editor));
    else if (editor->count < 3)
        snprintf(text, size, "Click the next corner, %s. Backspace takes the last one back.", caught(editor));
    else
        snprintf(text, size, "Click the next corner, %s; the first one or Enter closes.", caught(editor));
    return true;
}

static void hint_line(throng_editor *editor, char *text, size_t size)
{
    static const char *const first[THRONG_TOOL_COUNT] = {
        [THRONG_TOOL_WALL] = "Drag a wall across a room, or click where it begins",
        [THRONG_TOOL_SPLIT] = "Click where the cut begins, on a side of a face",
        [THRONG_TOOL_DOOR] =
            "Drag along a wall between two rooms, as wide as the doorway is to be, or across an opening",
        [THRONG_TOOL_STAIRS] = "Click the middle of the foot, on this floor",
        [THRONG_TOOL_LIFT] = "Click the middle of the lift's door",
        [THRONG_TOOL_SCALE_MAP] = "Click one end of a length that you know, to scale the whole map",
        [THRONG_TOOL_IMAGE] =
            "Drag to move the image underneath, or click one end of a length that you know, to scale it",
    };
    static const char *const second[THRONG_TOOL_COUNT] = {
        [THRONG_TOOL_WALL] = "Click where it ends, and the next begins; twice or Enter for the last",
        [THRONG_TOOL_SPLIT] = "Click where the cut ends, on another side of the same face",
        [THRONG_TOOL_DOOR] = "Click the other side of the doorway",
        [THRONG_TOOL_SCALE_MAP] = "Click its other end",
        [THRONG_TOOL_IMAGE] = "Click its other end",
    };
    throng_edit_underlay underlay;
    if (editor->tool == THRONG_TOOL_IMAGE && !throng_edit_underlay_of(&editor->doc, &underlay))
        snprintf(text, size, "There is no image underneath: drop one on the window, or start with --underlay IMAGE.");
    else if (editor->count == 0)
        snprintf(text, size, "%s.", first[editor->tool]);
    else
        snprintf(text, size, "%s: %.2f m.", second[editor->tool],
                 throng_distance(editor->points[0], editor->count > 1 ? editor->points[1] : editor->snap.at));
}

static void hint_field(const throng_editor *editor, char *text, size_t size)
{
    static const char *const wanted[] = {
        [THRONG_FIELD_NAME] = "Type the name",
        [THRONG_FIELD_PEOPLE] = "Type how many people come from here",
        [THRONG_FIELD_LENGTH] = "Type how long this is in truth, in metres",
    };
    snprintf(text, size, "%s. Enter takes it, Esc leaves it.", wanted[editor->field.what]);
}

static void hint_trial(const throng_editor *editor, char *text, size_t size)
{
    int32_t inside = throng_agents_count(throng_world_agents(editor->trial.world));
    const char *keys = throng_edit_floors(&editor->doc) > 1 ? "PgUp, PgDn: other floors. " : "";
    char fit[48] = "";
    if (editor->trial.asked > editor->dropped)
        snprintf(fit, sizeof fit, "Only %d of %d find room. ", editor->dropped, editor->trial.asked);
    if (editor->trial.leaving && inside == 0)
        snprintf(text, size, "All %d are out after %.0f s. %sSpace or Esc ends the walk.", editor->dropped,
                 editor->trial.out, keys);
    else if (editor->trial.leaving)
        snprintf(text, size, "%s%d of %d are out. %sSpace or Esc ends the walk.", fit, editor->dropped - inside,
                 editor->dropped, keys);
    else
        snprintf(text, size, "%s%d people walk about. Draw an exit and they leave. %sSpace or Esc ends the walk.", fit,
                 editor->dropped, keys);
}

void throng_tool_hint(throng_editor *editor, char *text, size_t size, bool *refused)
{
    *refused = false;
    if (editor->view.clock < editor->refused.until) {
        snprintf(text, size, "Refused: %.220s.%s", editor->refused.why.text,
                 editor->count > 0 ? " Backspace takes the last corner back." : "");
        *refused = true;
    } else if (editor->view.clock < editor->view.note_until) {
        snprintf(text, size, "%s", editor->view.note);
    } else if (editor->field.what != THRONG_FIELD_NONE) {
        hint_field(editor, text, size);
    } else if (editor->trial.world) {
        hint_trial(editor, text, size);
    } else if (throng_tool_draws_area(editor->tool)) {
        *refused = !hint_area(editor, text, size);
    } else if (throng_tool_draws_line(editor->tool)) {
        hint_line(editor, text, size);
    } else if (editor->tool == THRONG_TOOL_MERGE) {
        snprintf(text, size, "%s",
                 throng_tool_shared_side(editor) ? "Click to join the two faces that share this side."
                                                 : "Click a side that two faces share.");
    } else {
        hint_select(editor, text, size);
    }
}
