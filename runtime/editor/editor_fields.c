#include "editor_parts.h"

#include <string.h>

#include "map/geometry.h"
#include "map/map_markup.h"

static const throng_edit_thing *selected(const throng_editor *editor)
{
    return throng_edit_thing_at(&editor->doc, editor->selected);
}

/* Whether there is what is to be typed. */
static bool wanted(const throng_editor *editor, throng_editor_field what)
{
    const throng_edit_thing *thing = selected(editor);
    if (what == THRONG_FIELD_LENGTH)
        return editor->count == 2;
    if (what == THRONG_FIELD_HEIGHT)
        return throng_edit_floors(&editor->doc) > 0;
    if (what == THRONG_FIELD_NAME && thing && thing->kind == THRONG_EDIT_LINK)
        return true;
    return thing &&
           (thing->kind == THRONG_EDIT_REGION || (thing->kind == THRONG_EDIT_DOOR && what == THRONG_FIELD_NAME));
}

void throng_field_open(throng_editor *editor, throng_editor_field what)
{
    if (!wanted(editor, what))
        return;
    editor->field.what = what;
    editor->field.text[0] = 0;
    editor->refused.until = 0;
}

void throng_field_type(throng_editor *editor, const char *text)
{
    size_t length = strlen(editor->field.text), more = strlen(text);
    bool number = editor->field.what != THRONG_FIELD_NAME;
    if (length + more >= sizeof editor->field.text || (unsigned char)text[0] < ' ' ||
        (number && !strchr("0123456789.,-", text[0])))
        return;
    memcpy(editor->field.text + length, text[0] == ',' && number ? "." : text, more + 1);
}

/* The last character, which may be of several bytes. */
void throng_field_erase(throng_editor *editor)
{
    size_t length = strlen(editor->field.text);
    while (length && ((unsigned char)editor->field.text[length - 1] & 0xc0) == 0x80)
        length--;
    editor->field.text[length ? length - 1 : 0] = 0;
}

static bool scale_image(throng_editor *editor, double factor, throng_edit_refusal *why)
{
    throng_edit_underlay underlay;
    throng_point a = {editor->points[0].x - throng_edit_floor_offset(editor->floor).x, editor->points[0].y};
    if (!throng_edit_underlay_of(&editor->doc, &underlay)) {
        *why = (throng_edit_refusal){"there is no image underneath", a, -1};
        return false;
    }
    underlay.scale *= factor;
    underlay.corner =
        (throng_point){a.x + factor * (underlay.corner.x - a.x), a.y + factor * (underlay.corner.y - a.y)};
    return throng_edit_set_underlay(&editor->doc, &underlay, why);
}

static bool accept_length(throng_editor *editor, throng_edit_refusal *why)
{
    double length, measured = throng_distance(editor->points[0], editor->points[1]);
    bool map = editor->tool == THRONG_TOOL_SCALE_MAP;
    if (!throng_markup_parse(editor->field.text, &length) || !(length > 0) || !(measured > 0)) {
        *why = (throng_edit_refusal){"a length is a number of metres above 0", editor->points[0], -1};
        return false;
    }
    double factor = length / measured;
    bool done = map ? throng_edit_scale(&editor->doc, factor, why) : scale_image(editor, factor, why);
    if (done) {
        throng_viewer_note(&editor->view, "The %s is %.4g times as large.", map ? "map" : "image", factor);
        editor->count = 0;
        if (map)
            throng_editor_fit(editor);
    }
    return done;
}

void throng_field_accept(throng_editor *editor)
{
    throng_edit_refusal why;
    const char *text = editor->field.text;
    throng_editor_field what = editor->field.what;
    bool done = true;
    editor->field.what = THRONG_FIELD_NONE;
    if (what == THRONG_FIELD_LENGTH)
        done = accept_length(editor, &why);
    else if (!wanted(editor, what))
        return;
    else if (what == THRONG_FIELD_NAME)
        done = !*text || throng_edit_rename(&editor->doc, editor->selected, text, &why);
    else if (what == THRONG_FIELD_HEIGHT)
        done = !*text || throng_edit_set_property(&editor->doc, throng_edit_floor_slot(&editor->doc, editor->floor),
                                                  "z", text, THRONG_PROPERTY_NUMBER, &why);
    else
        done = throng_edit_set_property(&editor->doc, editor->selected, "count", *text ? text : NULL,
                                        THRONG_PROPERTY_NUMBER, &why);
    throng_editor_told(editor, done, &why);
}
