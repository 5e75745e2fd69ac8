/* Tools on the left, the chosen thing on the right, a line of words below. */
#include "editor_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map/geometry.h"

enum {
    EDGE = 16,
    PAD = 8,
    ROW = 27,
    GAP = 9,
    TOOLS = 172,
    PANEL = 236,
    LETTERS = 13,
    BAR = 40,
    KEYS = 76 /* wide: "? keys" */
};

typedef struct box {
    double x0, y0, x1, y1;
} box;

static bool within(const box *b, double x, double y) { return x >= b->x0 && x < b->x1 && y >= b->y0 && y < b->y1; }

/* ---- tools */

static const struct {
    const char *name, *key;
} acts[] = {{"Test walk", "Space"}, {"Undo", "Ctrl+Z"}, {"Redo", "Ctrl+Y"}, {"Save", "Ctrl+S"}};

static bool starts_group(int row)
{
    return row == THRONG_TOOL_ROOM || row == THRONG_TOOL_SPAWN || row == THRONG_TOOL_STAIRS ||
           row == THRONG_TOOL_FACE || row == THRONG_TOOL_SCALE_MAP || row == THRONG_ACT_WALK || row == THRONG_ACT_UNDO;
}

static int groups_until(int row)
{
    int groups = 0;
    for (int r = 1; r <= row; r++)
        groups += starts_group(r);
    return groups;
}

/* Lower where the window is low: all of them are to be seen. */
static box tool_row(const throng_editor *editor, int row)
{
    double u = editor->view.unit, free = editor->view.height / u - BAR - 2 * PAD - 1.5 * EDGE;
    double height = floor(fmin(ROW, (free - GAP * groups_until(THRONG_ACT_END - 1)) / THRONG_ACT_END));
    double y = EDGE + PAD + row * height + GAP * groups_until(row);
    return (box){(EDGE + 6) * u, y * u, (EDGE + TOOLS - 6) * u, (y + height) * u};
}

static box tool_card(const throng_editor *editor)
{
    double u = editor->view.unit;
    return (box){EDGE * u, EDGE * u, (EDGE + TOOLS) * u, tool_row(editor, THRONG_ACT_END - 1).y1 + PAD * u};
}

static bool can_act(const throng_editor *editor, int act)
{
    return act == THRONG_ACT_UNDO   ? throng_edit_undo_name(&editor->doc) != NULL
           : act == THRONG_ACT_REDO ? throng_edit_redo_name(&editor->doc) != NULL
           : act == THRONG_ACT_SAVE ? throng_edit_unsaved(&editor->doc)
                                    : true;
}

static void draw_row(throng_editor *editor, int row, const char *name, const char *key, bool active, bool faint)
{
    double u = editor->view.unit;
    box b = tool_row(editor, row);
    uint32_t ink = active ? (uint32_t)THRONG_STYLE_LINE : faint ? 0xa9b1ba : (uint32_t)THRONG_STYLE_INK;
    if (starts_group(row))
        throng_batch_rect(&editor->view.batch, b.x0 + 4 * u, floor(b.y0 - (GAP + 1) / 2.0 * u), b.x1 - 4 * u,
                          floor(b.y0 - (GAP + 1) / 2.0 * u) + u, throng_view_colour(THRONG_STYLE_RULE, 0.7f));
    if (active)
        throng_batch_rect(&editor->view.batch, b.x0, b.y0, b.x1, b.y1, throng_view_colour(THRONG_STYLE_LINE, 0.1f));
    double baseline = floor((b.y0 + b.y1) / 2 + 4.5 * u);
    throng_editor_icon(editor, row, b.x0 + 15 * u, (b.y0 + b.y1) / 2, throng_view_colour(ink, 1));
    throng_view_text(&editor->view, b.x0 + 33 * u, baseline, LETTERS, ink, active, THRONG_ALIGN_LEFT, "%s", name);
    throng_view_text(&editor->view, b.x1 - 9 * u, baseline, 12, faint ? 0xa9b1ba : THRONG_STYLE_FAINT_INK, false,
                     THRONG_ALIGN_RIGHT, "%s", key);
}

static void draw_tools(throng_editor *editor)
{
    box card = tool_card(editor);
    throng_hud_card(&editor->view, card.x0, card.y0, card.x1, card.y1);
    for (int row = 0; row < THRONG_TOOL_COUNT; row++)
        draw_row(editor, row, throng_tools[row].name, throng_tools[row].key,
                 row == (int)editor->tool && !editor->trial.world, false);
    for (int act = THRONG_ACT_WALK; act < THRONG_ACT_END; act++)
        draw_row(editor, act, acts[act - THRONG_ACT_WALK].name, acts[act - THRONG_ACT_WALK].key,
                 act == THRONG_ACT_WALK && editor->trial.world, !can_act(editor, act));
}

static void press_act(throng_editor *editor, int act)
{
    if (act == THRONG_ACT_WALK)
        throng_editor_try_out(editor);
    else if (act == THRONG_ACT_SAVE)
        throng_editor_save(editor);
    else
        throng_editor_undo(editor, act == THRONG_ACT_REDO);
}

static void press_tools(throng_editor *editor, double x, double y)
{
    for (int row = 0; row < THRONG_ACT_END; row++) {
        box b = tool_row(editor, row);
        if (!within(&b, x, y))
            continue;
        if (row < THRONG_TOOL_COUNT)
            throng_tool_take(editor, (throng_tool)row);
        else
            press_act(editor, row);
    }
}

/* ---- the panel: what is chosen, else the map */

enum { ROWS = 10 };

typedef enum row_act { ROW_NONE, ROW_NAME, ROW_KIND, ROW_PEOPLE, ROW_HEIGHT } row_act;

typedef struct panel_row {
    char label[24], value[THRONG_EDITOR_TEXT];
    row_act act; /* what a click on it does */
    bool warns;
} panel_row;

typedef struct panel {
    const char *title;
    panel_row rows[ROWS];
    int count;
} panel;

static void add(panel *p, const char *label, row_act act, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add(panel *p, const char *label, row_act act, const char *format, ...)
{
    va_list args;
    panel_row *row = &p->rows[p->count++];
    snprintf(row->label, sizeof row->label, "%s", label);
    va_start(args, format);
    vsnprintf(row->value, sizeof row->value, format, args);
    va_end(args);
    row->act = act;
}

/* What an empty map wants: the keys, in the order in which they are pressed. */
static void fill_beginning(panel *p)
{
    static const char *const steps[][2] = {{"R", "draw rooms"},
                                           {"W", "walls in them"},
                                           {"D", "doors through walls"},
                                           {"S", "where people come from"},
                                           {"X", "where they leave"},
                                           {"Space", "let them walk"},
                                           {"?", "all keys"}};
    p->title = "How to begin";
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        add(p, steps[i][0], ROW_NONE, "%s", steps[i][1]);
}

static void fill_map(throng_editor *editor, panel *p)
{
    int32_t of_kind[THRONG_EDIT_FLOOR + 1] = {0}, floors = throng_edit_floors(&editor->doc);
    int32_t parts = throng_editor_sides(editor)->parts;
    throng_edit_underlay underlay;
    for (int32_t slot = 1; slot < editor->doc.slots; slot++)
        if (editor->doc.things[slot])
            of_kind[editor->doc.things[slot]->kind]++;
    p->title = "Map";
    if (floors > 0) {
        const throng_edit_thing *floor =
            throng_edit_thing_at(&editor->doc, throng_edit_floor_slot(&editor->doc, editor->floor));
        add(p, "shown", ROW_NONE, "%.36s, %d of %d", floor->name, (int)editor->floor + 1, (int)floors);
        add(p, "height", ROW_HEIGHT, "%.4g m", throng_edit_floor_z(&editor->doc, editor->floor));
        add(p, "flights, lifts", ROW_NONE, "%d", (int)of_kind[THRONG_EDIT_LINK]);
    }
    add(p, "floor", ROW_NONE, "%.1f m²", throng_edit_floor_area(&editor->doc));
    add(p, "faces", ROW_NONE, "%d", of_kind[THRONG_EDIT_FACE]);
    if (parts > (floors ? floors : 1)) {
        p->rows[p->count].warns = true;
        add(p, "apart", ROW_NONE, "%d parts", parts);
    }
    add(p, "regions", ROW_NONE, "%d", of_kind[THRONG_EDIT_REGION]);
    add(p, "doors", ROW_NONE, "%d", of_kind[THRONG_EDIT_DOOR]);
    if (editor->doc.things[0]->graph.node_count)
        add(p, "roadmap", ROW_NONE, "%d nodes", (int)editor->doc.things[0]->graph.node_count);
    if (throng_edit_underlay_of(&editor->doc, &underlay))
        add(p, "image", ROW_NONE, "%.3g m a pixel", underlay.scale);
}

static void fill_face(throng_editor *editor, const throng_edit_thing *thing, panel *p)
{
    const throng_edit_sides *sides = throng_editor_sides(editor);
    int open = 0;
    for (int32_t i = 0; i < sides->count; i++)
        open += sides->list[i].slot == editor->selected && sides->list[i].other >= 0;
    p->title = "Face";
    add(p, "area", ROW_NONE, "%.2f m²", throng_ring_area(thing->points, thing->count));
    add(p, "corners", ROW_NONE, "%d", thing->count);
    add(p, "open sides", ROW_NONE, "%d of %d", open, thing->count);
}

static void fill_region(const throng_edit_thing *thing, panel *p)
{
    const char *purpose = throng_trial_purpose(thing->group, thing->name);
    const throng_property *people = throng_properties_find(&thing->properties, "count");
    p->title = "Region";
    add(p, "name", ROW_NAME, "%.60s", thing->name);
    add(p, "used as", ROW_KIND, "%s", !purpose ? "place" : strcmp(purpose, "exits") == 0 ? "exit" : "spawn");
    if (purpose && strcmp(purpose, "spawns") == 0)
        add(p, "people", ROW_PEOPLE, "%.12s", people ? people->value : "not said");
    add(p, "area", ROW_NONE, "%.2f m²", throng_ring_area(thing->points, thing->count));
}

static bool at_wall(throng_editor *editor, throng_point p)
{
    const throng_edit_sides *sides = throng_editor_sides(editor);
    for (int32_t i = 0; i < sides->count; i++)
        if (sides->list[i].other < 0 && throng_segment_distance(sides->list[i].a, sides->list[i].b, p) < 0.01)
            return true;
    return false;
}

static void fill_door(throng_editor *editor, const throng_edit_thing *thing, panel *p)
{
    bool closes = at_wall(editor, thing->points[0]) && at_wall(editor, thing->points[1]);
    p->title = "Door";
    add(p, "name", ROW_NAME, "%.60s", thing->name);
    add(p, "width", ROW_NONE, "%.2f m", throng_distance(thing->points[0], thing->points[1]));
    p->rows[p->count].warns = !closes;
    add(p, "can close", ROW_NONE, "%s", closes ? "yes" : "no, ends in the open");
}

static void fill_link(throng_editor *editor, const throng_edit_thing *thing, panel *p)
{
    bool lift = strcmp(thing->group, "lift") == 0;
    const throng_property *to = throng_properties_find(&thing->properties, lift ? "floors" : "to");
    const throng_edit_thing *above =
        throng_edit_thing_at(&editor->doc, throng_edit_floor_slot(&editor->doc, editor->floor + 1));
    p->title = lift ? "Lift" : "Flight";
    add(p, "name", ROW_NAME, "%.60s", thing->name);
    if (!lift)
        add(p, "kind", ROW_KIND, "%s", throng_edit_link_words(thing));
    add(p, lift ? "floors" : "leads to", ROW_NONE, "%.30s", to ? to->value : lift ? "all" : above ? above->name : "");
    add(p, lift ? "depth" : "length", ROW_NONE, "%.2f m", throng_distance(thing->points[0], thing->points[1]));
    add(p, "width", ROW_NONE, "%.2f m", throng_edit_link_width(thing));
}

static panel panel_of(throng_editor *editor)
{
    panel p = {.count = 0};
    const throng_edit_thing *thing = throng_edit_thing_at(&editor->doc, editor->selected);
    if (!thing && throng_edit_floor_area(&editor->doc) <= 0 && throng_edit_floors(&editor->doc) == 0)
        fill_beginning(&p);
    else if (!thing)
        fill_map(editor, &p);
    else if (thing->kind == THRONG_EDIT_FACE)
        fill_face(editor, thing, &p);
    else if (thing->kind == THRONG_EDIT_REGION)
        fill_region(thing, &p);
    else if (thing->kind == THRONG_EDIT_LINK)
        fill_link(editor, thing, &p);
    else
        fill_door(editor, thing, &p);
    return p;
}

static box panel_card(const throng_editor *editor, const panel *p)
{
    double u = editor->view.unit, x1 = editor->view.width - EDGE * u;
    return (box){x1 - PANEL * u, EDGE * u, x1, (EDGE + 48 + ROW * p->count + 6) * u};
}

static box panel_row_box(const throng_editor *editor, const panel *p, int row)
{
    double u = editor->view.unit;
    box card = panel_card(editor, p);
    return (box){card.x0 + 6 * u, card.y0 + (42 + ROW * row) * u, card.x1 - 6 * u,
                 card.y0 + (42 + ROW * (row + 1)) * u};
}

static throng_editor_field field_of(row_act act)
{
    return act == ROW_NAME     ? THRONG_FIELD_NAME
           : act == ROW_PEOPLE ? THRONG_FIELD_PEOPLE
           : act == ROW_HEIGHT ? THRONG_FIELD_HEIGHT
                               : THRONG_FIELD_NONE;
}

/* An underlined field with a caret, while it is typed into. */
static void draw_value(throng_editor *editor, const panel_row *row, const box *b)
{
    double u = editor->view.unit, x = b->x1 - 9 * u, baseline = b->y0 + 18 * u;
    bool typed =
        row->act != ROW_NONE && field_of(row->act) != THRONG_FIELD_NONE && field_of(row->act) == editor->field.what;
    if (row->act != ROW_NONE)
        throng_batch_rect(&editor->view.batch, b->x0 + 84 * u, floor(b->y1 - 4 * u), x + 2 * u,
                          floor(b->y1 - 4 * u) + u,
                          throng_view_colour(typed ? THRONG_STYLE_LINE : THRONG_STYLE_RULE, 1));
    if (typed && (*editor->field.text || editor->view.fixed_clock || fmod(editor->view.clock, 1) < 0.6))
        throng_batch_rect(&editor->view.batch, floor(x), b->y0 + 7 * u, floor(x) + fmax(1, u), b->y0 + 21 * u,
                          throng_view_colour(THRONG_STYLE_LINE, 1));
    bool empty = typed && !*editor->field.text; /* what it was shines through */
    uint32_t ink = empty        ? 0xa9b1ba
                   : typed      ? (uint32_t)THRONG_STYLE_LINE
                   : row->warns ? THRONG_EDITOR_WARN
                                : (uint32_t)THRONG_STYLE_INK;
    throng_view_text(&editor->view, x - 2 * u, baseline, LETTERS, ink, row->act == ROW_NAME, THRONG_ALIGN_RIGHT, "%s",
                     typed && !empty ? editor->field.text : row->value);
}

static void draw_panel(throng_editor *editor)
{
    double u = editor->view.unit;
    panel p = panel_of(editor);
    box card = panel_card(editor, &p);
    throng_hud_card(&editor->view, card.x0, card.y0, card.x1, card.y1);
    throng_view_text(&editor->view, card.x0 + 15 * u, card.y0 + 27 * u, 15, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT,
                     "%s", p.title);
    for (int row = 0; row < p.count; row++) {
        box b = panel_row_box(editor, &p, row);
        throng_view_text(&editor->view, b.x0 + 9 * u, b.y0 + 18 * u, LETTERS, THRONG_STYLE_FAINT_INK, false,
                         THRONG_ALIGN_LEFT, "%s", p.rows[row].label);
        draw_value(editor, &p.rows[row], &b);
    }
}

static void press_panel(throng_editor *editor, double x, double y)
{
    panel p = panel_of(editor);
    for (int row = 0; row < p.count; row++) {
        box b = panel_row_box(editor, &p, row);
        if (!within(&b, x, y))
            continue;
        if (p.rows[row].act == ROW_KIND)
            throng_editor_next_use(editor);
        else
            throng_field_open(editor, field_of(p.rows[row].act));
    }
}

bool throng_editor_panel_at(throng_editor *editor, double x, double y, bool pressed)
{
    panel p = panel_of(editor);
    box tools = tool_card(editor), card = panel_card(editor, &p);
    bool on_tools = within(&tools, x, y), on_card = within(&card, x, y);
    if (pressed && on_tools)
        press_tools(editor, x, y);
    if (pressed && on_card)
        press_panel(editor, x, y);
    bool on_bar = y >= editor->view.height - BAR * editor->view.unit;
    if (pressed && on_bar && x >= editor->view.width - KEYS * editor->view.unit)
        editor->view.help = true;
    return on_tools || on_card || on_bar;
}

/* ---- a length being typed, on the plan */

static void draw_length_field(throng_editor *editor)
{
    double u = editor->view.unit;
    if (editor->field.what != THRONG_FIELD_LENGTH)
        return;
    throng_point a = throng_view_point(&editor->view.camera, editor->points[0].x, editor->points[0].y),
                 b = throng_view_point(&editor->view.camera, editor->points[1].x, editor->points[1].y);
    double x = floor((a.x + b.x) / 2 - 88 * u), y = floor((a.y + b.y) / 2 + 18 * u);
    throng_hud_card(&editor->view, x, y, x + 176 * u, y + 38 * u);
    throng_view_text(&editor->view, x + 12 * u, y + 24 * u, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT,
                     "really");
    double end = x + 132 * u;
    throng_batch_rect(&editor->view.batch, x + 64 * u, y + 29 * u, end + 4 * u, y + 30 * u,
                      throng_view_colour(THRONG_STYLE_LINE, 1));
    throng_batch_rect(&editor->view.batch, floor(end) + u, y + 11 * u, floor(end) + u + fmax(1, u), y + 26 * u,
                      throng_view_colour(THRONG_STYLE_LINE, 1));
    throng_view_text(&editor->view, end, y + 24 * u, LETTERS, THRONG_STYLE_LINE, true, THRONG_ALIGN_RIGHT, "%s",
                     editor->field.text);
    throng_view_text(&editor->view, end + 14 * u, y + 24 * u, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT,
                     "m");
}

/* ---- the bar below */

/* The file's name, with a dot while it is not saved; where the hint may begin. */
static double draw_file(throng_editor *editor, double baseline)
{
    double u = editor->view.unit, x = 17 * u;
    const char *slash = strrchr(editor->path, '/'), *name = slash ? slash + 1 : editor->path;
    x +=
        throng_view_text(&editor->view, x, baseline, LETTERS, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT, "%.60s", name);
    if (throng_edit_unsaved(&editor->doc))
        throng_batch_disc(&editor->view.batch, (float)(x + 9 * u), (float)(baseline - 4 * u), (float)(3 * u),
                          throng_view_colour(0xe69f00, 1));
    return x + 30 * u;
}

/* Where the mouse is, when the hint, which ends at `from`, leaves room. */
static void draw_place(throng_editor *editor, double baseline, double from)
{
    double u = editor->view.unit, x = editor->view.width - 82 * u;
    if (editor->on_plan && from < x - 130 * u)
        throng_view_text(&editor->view, x, baseline, LETTERS, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT,
                         "%.2f, %.2f m", editor->snap.at.x - throng_edit_floor_offset(editor->floor).x,
                         editor->snap.at.y);
    throng_batch_rect(&editor->view.batch, x + 6 * u, baseline - 18 * u, editor->view.width, baseline + 10 * u,
                      throng_view_colour(0xffffff, 1));
    throng_view_text(&editor->view, editor->view.width - 16 * u, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false,
                     THRONG_ALIGN_RIGHT, "? keys");
}

static void draw_bar(throng_editor *editor)
{
    char hint[THRONG_TEXT_LONGEST];
    bool refused;
    double u = editor->view.unit, top = editor->view.height - BAR * u, baseline = top + 25 * u;
    throng_batch_rect(&editor->view.batch, 0, top - u, editor->view.width, top,
                      throng_view_colour(THRONG_STYLE_RULE, 1));
    throng_batch_rect(&editor->view.batch, 0, top, editor->view.width, editor->view.height,
                      throng_view_colour(0xffffff, 1));
    double x = draw_file(editor, baseline);
    throng_tool_hint(editor, hint, sizeof hint, &refused);
    if (refused)
        throng_batch_rect(&editor->view.batch, 0, top, 5 * u, editor->view.height,
                          throng_view_colour(THRONG_EDITOR_WARN, 1));
    x += throng_view_text(&editor->view, x, baseline, LETTERS, refused ? THRONG_EDITOR_WARN : THRONG_STYLE_FAINT_INK,
                          refused, THRONG_ALIGN_LEFT, "%s", hint);
    draw_place(editor, baseline, x);
}

static void draw_help(throng_editor *editor)
{
    enum { WIDTH = 650, LINE = 24, MARGIN = 28 };
    int rows = 0;
    while (throng_editor_keys[rows].keys)
        rows++;
    double u = editor->view.unit, height = (2 * MARGIN + 32 + rows * LINE) * u;
    double x = floor((editor->view.width - WIDTH * u) / 2), y = floor((editor->view.height - BAR * u - height) / 2);
    throng_hud_card(&editor->view, x, y, x + WIDTH * u, y + height);
    throng_view_text(&editor->view, x + MARGIN * u, y + (MARGIN + 14) * u, 17, THRONG_STYLE_INK, true,
                     THRONG_ALIGN_LEFT, "Keys");
    for (int i = 0; i < rows; i++) {
        double baseline = y + (MARGIN + 50 + i * LINE) * u;
        throng_view_text(&editor->view, x + MARGIN * u, baseline, LETTERS, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT,
                         "%s", throng_editor_keys[i].keys);
        throng_view_text(&editor->view, x + (MARGIN + 142) * u, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false,
                         THRONG_ALIGN_LEFT, "%s", throng_editor_keys[i].text);
    }
}

static void draw_scale_bar(throng_editor *editor)
{
    double u = editor->view.unit, metres = throng_style_round_up(60 * u / editor->view.camera.scale);
    double length = metres * editor->view.camera.scale, x1 = editor->view.width - 20 * u;
    double y = editor->view.height - (BAR + 18) * u;
    throng_batch_rect(&editor->view.batch, floor(x1 - length), floor(y), floor(x1), floor(y + 2 * u),
                      throng_view_colour(THRONG_STYLE_INK, 0.8f));
    throng_view_text(&editor->view, x1, y - 6 * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%g m", metres);
}

void throng_editor_draw_hud(throng_editor *editor)
{
    draw_length_field(editor);
    draw_scale_bar(editor);
    draw_tools(editor);
    draw_panel(editor);
    draw_bar(editor);
    if (editor->view.help)
        draw_help(editor);
    throng_batch_flush(&editor->view.batch);
}
