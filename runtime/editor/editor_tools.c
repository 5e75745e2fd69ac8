#include "editor_parts.h"

#include <math.h>
#include <string.h>

#include "map/geometry.h"

const throng_tool_info throng_tools[THRONG_TOOL_COUNT] = {
    {"Select", "V", 'v'},       {"Room", "R", 'r'},  {"Wall", "W", 'w'},   {"Door", "D", 'd'},
    {"Spawn region", "S", 's'}, {"Exit", "X", 'x'},  {"Region", "Z", 'z'}, {"Stairs", "K", 'k'},
    {"Lift", "P", 'p'},         {"Face", "F", 'f'},  {"Cut", "C", 'c'},    {"Join", "J", 'j'},
    {"Scale map", "M", 'm'},    {"Image", "I", 'i'},
};

double throng_tool_reach(const throng_editor *editor) { return 9 * editor->view.unit / editor->view.camera.scale; }

static double grid_step(const throng_editor *editor)
{
    return editor->no_grid ? 0 : fmax(0.01, throng_style_round_up(4 * editor->view.unit / editor->view.camera.scale));
}

static const throng_edit_thing *selected(const throng_editor *editor)
{
    return throng_edit_thing_at(&editor->doc, editor->selected);
}

void throng_tool_take(throng_editor *editor, throng_tool tool)
{
    editor->tool = tool;
    editor->view.note_until = 0; /* the tool tells what it does */
    editor->count = 0;
    editor->refused.until = 0;
    if (tool != THRONG_TOOL_SELECT)
        editor->selected = -1;
}

/* ---- where the mouse is */

/* The corners drawn so far catch, too: the first one closes. */
static void snap_to_outline(throng_editor *editor)
{
    for (int32_t i = 0; i < editor->count; i++)
        if (throng_distance(editor->points[i], editor->mouse) <= throng_tool_reach(editor))
            editor->snap = (throng_edit_snap){THRONG_EDIT_ON_CORNER, editor->points[i], -1};
}

void throng_tool_hover(throng_editor *editor, double x, double y)
{
    editor->mouse = throng_camera_map(&editor->view, x, y);
    editor->snap = throng_edit_snap_to(&editor->doc, editor->mouse, throng_tool_reach(editor), grid_step(editor), -1);
    snap_to_outline(editor);
}

bool throng_tool_closes(const throng_editor *editor)
{
    return throng_tool_draws_area(editor->tool) && editor->count >= 3 &&
           throng_distance(editor->snap.at, editor->points[0]) == 0;
}

static bool drags_box(const throng_editor *editor)
{
    return editor->drag.grip == THRONG_GRIP_BOX && editor->drag.moved;
}

static int32_t box_of(const throng_editor *editor, throng_point *points)
{
    throng_point a = editor->points[0], b = editor->snap.at;
    points[0] = a;
    points[1] = (throng_point){b.x, a.y};
    points[2] = b;
    points[3] = (throng_point){a.x, b.y};
    return 4;
}

static bool drags_line(const throng_editor *editor)
{
    return editor->drag.grip == THRONG_GRIP_LINE && editor->drag.moved;
}

int32_t throng_tool_outline(const throng_editor *editor, throng_point *points)
{
    if (drags_box(editor))
        return box_of(editor, points);
    if (drags_line(editor)) {
        points[0] = editor->points[0];
        points[1] = editor->snap.at;
        return 2;
    }
    int32_t count = editor->count;
    memcpy(points, editor->points, (size_t)count * sizeof *points);
    bool complete = throng_tool_draws_line(editor->tool) && count == 2;
    if (count && !complete && editor->on_plan && !throng_tool_closes(editor) &&
        throng_distance(points[count - 1], editor->snap.at) > 0)
        points[count++] = editor->snap.at;
    return count;
}

const throng_edit_side *throng_tool_shared_side(throng_editor *editor)
{
    const throng_edit_sides *sides = throng_editor_sides(editor);
    const throng_edit_side *nearest = NULL;
    double reach = throng_tool_reach(editor);
    for (int32_t i = 0; i < sides->count; i++) {
        const throng_edit_side *s = &sides->list[i];
        if (s->other < 0 || throng_segment_distance(s->a, s->b, editor->mouse) > reach)
            continue;
        reach = throng_segment_distance(s->a, s->b, editor->mouse);
        nearest = s;
    }
    return nearest;
}

/* ---- what is drawn becomes part of the map */

static bool add_region(throng_editor *editor, const throng_point *points, int32_t count, throng_edit_refusal *why)
{
    const char *stem = editor->tool == THRONG_TOOL_SPAWN  ? "spawn"
                       : editor->tool == THRONG_TOOL_EXIT ? "exit"
                                                          : "region";
    const char *group = editor->tool == THRONG_TOOL_SPAWN  ? "spawns"
                        : editor->tool == THRONG_TOOL_EXIT ? "exits"
                                                           : NULL;
    char name[THRONG_EDITOR_TEXT];
    int32_t slot;
    throng_edit_free_name(&editor->doc, stem, name, sizeof name);
    if (!throng_edit_add_region(&editor->doc, name, group, points, count, &slot, why))
        return false;
    editor->selected = slot;
    return true;
}

static void add_area(throng_editor *editor, const throng_point *points, int32_t count)
{
    throng_edit_refusal why;
    bool added = editor->tool == THRONG_TOOL_ROOM   ? throng_edit_add_room(&editor->doc, points, count, &why)
                 : editor->tool == THRONG_TOOL_FACE ? throng_edit_add_face(&editor->doc, points, count, NULL, &why)
                                                    : add_region(editor, points, count, &why);
    if (throng_editor_told(editor, added, &why))
        editor->count = 0;
}

/* The face that has both points on its rim and the line between them inside; -1. */
static int32_t face_across(const throng_editor *editor, throng_point a, throng_point b)
{
    throng_point middle = throng_between(a, b, 0.5);
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *face = editor->doc.things[slot];
        if (face && face->kind == THRONG_EDIT_FACE && throng_edit_holds(face, middle) &&
            throng_edit_holds(face, throng_between(middle, a, 0.99)) &&
            throng_edit_holds(face, throng_between(middle, b, 0.99)))
            return slot;
    }
    return -1;
}

static void split(throng_editor *editor, throng_point a, throng_point b)
{
    throng_edit_refusal why = {"a cut runs from side to side of one face", b, -1};
    int32_t face = face_across(editor, a, b);
    throng_editor_told(editor, face >= 0 && throng_edit_split(&editor->doc, face, a, b, &why), &why);
    editor->count = 0;
}

static void add_door(throng_editor *editor, throng_point a, throng_point b)
{
    throng_edit_refusal why;
    char name[THRONG_EDITOR_TEXT];
    throng_edit_free_name(&editor->doc, "door", name, sizeof name);
    throng_editor_told(editor, throng_edit_open_door(&editor->doc, name, a, b, &editor->selected, &why), &why);
    editor->count = 0;
}

static void add_link(throng_editor *editor, throng_point a, throng_point b)
{
    throng_edit_refusal why;
    const char *group = editor->tool == THRONG_TOOL_LIFT ? "lift" : "stairs";
    throng_editor_told(editor, throng_edit_add_link(&editor->doc, group, a, b, &editor->selected, &why), &why);
    editor->count = 0;
}

/* The next wall begins where this one ends, unless it was dragged. */
static void add_wall(throng_editor *editor, throng_point a, throng_point b, bool dragged)
{
    throng_edit_refusal why;
    bool added = throng_editor_told(editor, throng_edit_add_wall(&editor->doc, a, b, &why), &why);
    editor->count = added && !dragged;
    editor->points[0] = b;
}

static void finish_line(throng_editor *editor, bool dragged)
{
    throng_point a = editor->points[0], b = editor->points[1];
    if (editor->tool == THRONG_TOOL_WALL)
        add_wall(editor, a, b, dragged);
    else if (editor->tool == THRONG_TOOL_SPLIT)
        split(editor, a, b);
    else if (editor->tool == THRONG_TOOL_DOOR)
        add_door(editor, a, b);
    else if (editor->tool == THRONG_TOOL_STAIRS || editor->tool == THRONG_TOOL_LIFT)
        add_link(editor, a, b);
    else
        throng_field_open(editor, THRONG_FIELD_LENGTH);
}

void throng_tool_finish(throng_editor *editor)
{
    if (throng_tool_draws_area(editor->tool) && editor->count)
        add_area(editor, editor->points, editor->count);
    else if (editor->tool == THRONG_TOOL_WALL)
        editor->count = 0;
}

void throng_tool_step_back(throng_editor *editor)
{
    editor->count -= editor->count > 0;
    editor->refused.until = 0;
}

static void merge(throng_editor *editor)
{
    throng_edit_refusal why = {"these faces share no side there", {NAN, NAN}, -1};
    const throng_edit_side *side = throng_tool_shared_side(editor);
    if (side)
        throng_editor_told(editor, throng_edit_merge(&editor->doc, side->slot, side->other, &why), &why);
}

/* A click of a tool that draws. */
static void add_point(throng_editor *editor, bool twice)
{
    bool closes = throng_tool_closes(editor);
    if (closes || (twice && throng_tool_draws_area(editor->tool) && editor->count >= 3)) {
        throng_tool_finish(editor);
        return;
    }
    bool same = editor->count && throng_distance(editor->snap.at, editor->points[editor->count - 1]) == 0;
    if (same && editor->tool == THRONG_TOOL_WALL)
        editor->count = 0; /* the last of them ends here */
    if (same || editor->count == THRONG_EDITOR_CORNERS)
        return;
    editor->points[editor->count++] = editor->snap.at;
    editor->refused.until = 0;
    if (throng_tool_draws_line(editor->tool) && editor->count == 2)
        finish_line(editor, false);
}

/* ---- the mouse */

static void choose(throng_editor *editor)
{
    double reach = throng_tool_reach(editor);
    int32_t under = throng_edit_pick(&editor->doc, editor->mouse, reach, editor->selected);
    const throng_edit_thing *now = selected(editor);
    bool below = now && throng_edit_holds(now, editor->mouse) && under >= 0;
    editor->selected = below ? under : throng_edit_pick(&editor->doc, editor->mouse, reach, -1);
}

static throng_grip grip_at(throng_editor *editor)
{
    const throng_edit_thing *thing = selected(editor);
    double reach = throng_tool_reach(editor);
    if (throng_tool_draws_area(editor->tool) && editor->count == 0)
        return THRONG_GRIP_BOX;
    throng_edit_underlay underlay;
    if (editor->tool == THRONG_TOOL_IMAGE && throng_edit_underlay_of(&editor->doc, &underlay)) {
        editor->drag.start = (throng_point){editor->mouse.x - underlay.corner.x, editor->mouse.y - underlay.corner.y};
        return THRONG_GRIP_IMAGE;
    }
    if (throng_tool_draws_line(editor->tool) && editor->count == 0)
        return THRONG_GRIP_LINE;
    if (editor->tool != THRONG_TOOL_SELECT || !thing)
        return editor->tool == THRONG_TOOL_SELECT ? THRONG_GRIP_PAN : THRONG_GRIP_NONE;
    editor->drag.corner = throng_edit_corner_near(thing, editor->mouse, reach);
    if (editor->drag.corner >= 0)
        return THRONG_GRIP_CORNER;
    bool on = throng_edit_holds(thing, editor->mouse) ||
              (throng_edit_is_line(thing) &&
               throng_segment_distance(thing->points[0], thing->points[1], editor->mouse) <= reach);
    return on ? THRONG_GRIP_THING : THRONG_GRIP_PAN;
}

void throng_tool_press(throng_editor *editor, double x, double y)
{
    throng_tool_hover(editor, x, y);
    editor->drag.moved = editor->drag.tried = false;
    editor->drag.x = x;
    editor->drag.y = y;
    editor->drag.start = editor->mouse;
    editor->drag.grip = grip_at(editor);
    if (editor->drag.grip == THRONG_GRIP_BOX || editor->drag.grip == THRONG_GRIP_LINE)
        editor->points[0] = editor->snap.at;
}

/* Where the corner goes: it snaps to everything but its own thing. */
static throng_point corner_to(throng_editor *editor, throng_point to)
{
    return throng_edit_snap_to(&editor->doc, to, throng_tool_reach(editor), grid_step(editor), editor->selected).at;
}

static bool move_thing(throng_editor *editor, throng_edit_refusal *why)
{
    const throng_edit_thing *thing = selected(editor);
    double dx = editor->mouse.x - editor->drag.start.x, dy = editor->mouse.y - editor->drag.start.y;
    int32_t lead = throng_edit_corner_near(thing, editor->drag.start, INFINITY); /* the corner that snaps */
    throng_point from = thing->points[lead], to = corner_to(editor, (throng_point){from.x + dx, from.y + dy});
    return throng_edit_move(&editor->doc, editor->selected, to.x - from.x, to.y - from.y, why);
}

static bool move_image(throng_editor *editor, throng_edit_refusal *why)
{
    throng_edit_underlay underlay;
    if (!throng_edit_underlay_of(&editor->doc, &underlay))
        return false;
    underlay.corner = (throng_point){editor->mouse.x - editor->drag.start.x, editor->mouse.y - editor->drag.start.y};
    return throng_edit_set_underlay(&editor->doc, &underlay, why);
}

static bool move_held(throng_editor *editor, throng_edit_refusal *why)
{
    if (editor->drag.grip == THRONG_GRIP_IMAGE)
        return move_image(editor, why);
    if (editor->drag.grip == THRONG_GRIP_THING)
        return move_thing(editor, why);
    return throng_edit_move_corner(&editor->doc, editor->selected, editor->drag.corner,
                                   corner_to(editor, editor->mouse), why);
}

/* The change is made again at every motion, so that what is seen is what will be. */
static void try_move(throng_editor *editor)
{
    throng_edit_refusal why;
    if (editor->drag.tried)
        throng_edit_retract(&editor->doc);
    editor->drag.tried = move_held(editor, &why);
    editor->refused.until = 0;
    throng_editor_told(editor, editor->drag.tried, &why);
}

void throng_tool_drag(throng_editor *editor, double x, double y)
{
    double dx = x - editor->drag.x, dy = y - editor->drag.y;
    throng_tool_hover(editor, x, y);
    if (editor->drag.grip == THRONG_GRIP_NONE || (!editor->drag.moved && hypot(dx, dy) < 4 * editor->view.unit))
        return;
    editor->drag.moved = true;
    if (editor->drag.grip == THRONG_GRIP_PAN)
        throng_camera_pan(&editor->view, dx, dy);
    else if (editor->drag.grip != THRONG_GRIP_BOX && editor->drag.grip != THRONG_GRIP_LINE)
        try_move(editor);
    editor->drag.x = x;
    editor->drag.y = y;
}

static void click(throng_editor *editor, bool twice)
{
    if (editor->tool == THRONG_TOOL_SELECT)
        choose(editor);
    else if (editor->tool == THRONG_TOOL_MERGE)
        merge(editor);
    else
        add_point(editor, twice);
}

void throng_tool_release(throng_editor *editor, bool twice)
{
    throng_point box[4];
    if (drags_box(editor)) {
        add_area(editor, box, box_of(editor, box));
    } else if (drags_line(editor)) {
        editor->points[1] = editor->snap.at;
        editor->count = 2;
        finish_line(editor, true);
    } else if (!editor->drag.moved) {
        click(editor, twice);
    }
    editor->drag.grip = THRONG_GRIP_NONE;
    editor->drag.moved = editor->drag.tried = false;
}

void throng_tool_delete(throng_editor *editor)
{
    throng_edit_refusal why;
    const throng_edit_thing *thing = selected(editor);
    int32_t corner = thing ? throng_edit_corner_near(thing, editor->mouse, throng_tool_reach(editor)) : -1;
    if (!thing)
        return;
    if (corner >= 0 && !throng_edit_is_line(thing))
        throng_editor_told(editor, throng_edit_remove_corner(&editor->doc, editor->selected, corner, &why), &why);
    else if (throng_editor_told(editor, throng_edit_remove(&editor->doc, editor->selected, &why), &why))
        editor->selected = -1;
}
