/* What the map maker's window is made of: private to editor_*.c. The document is edit.h's; the window, its camera,
 * letters and batches are the viewer's. */
#ifndef THRONG_EDITOR_PARTS_H
#define THRONG_EDITOR_PARTS_H

#include "edit.h"
#include "edit_trial.h"
#include "view/view_parts.h"

enum { THRONG_EDITOR_CORNERS = 256, THRONG_EDITOR_WALKERS = 2000, THRONG_EDITOR_TEXT = 64 };

#define THRONG_EDITOR_WARN 0xd55e00 /* why something is refused */

typedef enum throng_tool {
    THRONG_TOOL_SELECT,
    THRONG_TOOL_ROOM,
    THRONG_TOOL_WALL,
    THRONG_TOOL_DOOR,
    THRONG_TOOL_SPAWN,
    THRONG_TOOL_EXIT,
    THRONG_TOOL_REGION,
    THRONG_TOOL_STAIRS,
    THRONG_TOOL_LIFT,
    THRONG_TOOL_FACE, /* the parts that rooms are made of, one by one */
    THRONG_TOOL_SPLIT,
    THRONG_TOOL_MERGE,
    THRONG_TOOL_SCALE_MAP,
    THRONG_TOOL_IMAGE,
    THRONG_TOOL_COUNT
} throng_tool;

/* Below the tools: what acts at once. */
enum { THRONG_ACT_WALK = THRONG_TOOL_COUNT, THRONG_ACT_UNDO, THRONG_ACT_REDO, THRONG_ACT_SAVE, THRONG_ACT_END };

/* What is being typed. */
typedef enum throng_editor_field {
    THRONG_FIELD_NONE,
    THRONG_FIELD_NAME,
    THRONG_FIELD_PEOPLE,
    THRONG_FIELD_HEIGHT,
    THRONG_FIELD_LENGTH
} throng_editor_field;

/* What a drag moves; a box or a line is drawn. */
typedef enum throng_grip {
    THRONG_GRIP_NONE,
    THRONG_GRIP_PAN,
    THRONG_GRIP_CORNER,
    THRONG_GRIP_THING,
    THRONG_GRIP_IMAGE,
    THRONG_GRIP_BOX,
    THRONG_GRIP_LINE
} throng_grip;

typedef struct throng_editor {
    throng_viewer view;
    const throng_editor_def *def;
    throng_edit doc;
    char path[4096]; /* what is saved to */
    char kept[4096]; /* what is kept there in case of a crash */
    bool overwrites; /* `path` is there already and is not the file that was opened */

    throng_edit_sides sides; /* of `sides_version` */
    uint32_t sides_version;

    throng_tool tool;
    throng_point points[THRONG_EDITOR_CORNERS]; /* m, drawn so far */
    int32_t count;
    int32_t selected; /* slot, -1: none */
    int32_t floor;    /* that is shown; 0 in a map of one plane */
    bool no_grid;

    throng_point mouse; /* m */
    throng_edit_snap snap;
    bool on_plan; /* the mouse is on it, and on no panel */

    struct {
        throng_grip grip;
        bool moved, tried;  /* beyond a click; a change of it is in force */
        double x, y;        /* pixels, of the last motion */
        throng_point start; /* m; of an image: seen from its corner */
        int32_t corner;
    } drag;

    struct {
        throng_edit_refusal why;
        double until; /* s of the clock */
    } refused;

    struct {
        throng_editor_field what;
        char text[THRONG_EDITOR_TEXT];
    } field;

    struct {
        SDL_Texture *texture;
        int width, height; /* pixels */
        char path[4096];   /* that it was read from, or tried to be */
        bool hidden;
    } image;

    throng_trial trial;
    int32_t dropped; /* agents at its beginning */
    bool leaving;    /* Q was pressed with unsaved changes */
    uint32_t kept_version, seen_version;
    double changed; /* s: when the document changed last */
} throng_editor;

/* ---- editor_tools.c: what the mouse and the tools' keys do to the document */

typedef struct throng_tool_info {
    const char *name, *key;
    char letter;
} throng_tool_info;

extern const throng_tool_info throng_tools[THRONG_TOOL_COUNT];

void throng_tool_take(throng_editor *editor, throng_tool tool);
void throng_tool_hover(throng_editor *editor, double x, double y); /* pixels */
void throng_tool_press(throng_editor *editor, double x, double y);
void throng_tool_drag(throng_editor *editor, double x, double y);
void throng_tool_release(throng_editor *editor, bool twice);
void throng_tool_finish(throng_editor *editor); /* closes what is drawn */
void throng_tool_step_back(throng_editor *editor);
void throng_tool_delete(throng_editor *editor);
/* What a click would do, or why it would be refused. */
void throng_tool_hint(throng_editor *editor, char *text, size_t size, bool *refused);

static inline bool throng_tool_draws_area(throng_tool tool)
{
    return tool == THRONG_TOOL_ROOM || tool == THRONG_TOOL_FACE || tool == THRONG_TOOL_SPAWN ||
           tool == THRONG_TOOL_EXIT || tool == THRONG_TOOL_REGION;
}

/* Tools that take two points. */
static inline bool throng_tool_draws_line(throng_tool tool)
{
    return tool == THRONG_TOOL_WALL || tool == THRONG_TOOL_SPLIT || tool == THRONG_TOOL_DOOR ||
           tool == THRONG_TOOL_STAIRS || tool == THRONG_TOOL_LIFT || tool == THRONG_TOOL_SCALE_MAP ||
           tool == THRONG_TOOL_IMAGE;
}

/* Closing is what a click would do now: the mouse is on the first corner of three or more. */
bool throng_tool_closes(const throng_editor *editor);
/* The corners drawn so far and the one under the mouse; returns how many. `points` [THRONG_EDITOR_CORNERS + 4]. */
int32_t throng_tool_outline(const throng_editor *editor, throng_point *points);
/* The side that faces share under the mouse, NULL: none. */
const throng_edit_side *throng_tool_shared_side(throng_editor *editor);
/* Metres that a click may be off. */
double throng_tool_reach(const throng_editor *editor);

/* ---- editor_fields.c: what is typed */

void throng_field_open(throng_editor *editor, throng_editor_field what);
void throng_field_type(throng_editor *editor, const char *text);
void throng_field_erase(throng_editor *editor);
void throng_field_accept(throng_editor *editor);

/* ---- editor_draw.c */

void throng_editor_draw_plan(throng_editor *editor);

/* ---- editor_hud.c: tools, panel, status, keys */

void throng_editor_draw_hud(throng_editor *editor);
/* True when a panel lies at the pixel; it takes the click when `pressed`. */
bool throng_editor_panel_at(throng_editor *editor, double x, double y, bool pressed);

/* ---- editor_input.c */

extern const throng_key throng_editor_keys[]; /* ends with keys of NULL */

void throng_editor_event(throng_editor *editor, const SDL_Event *event);

/* ---- editor_floors.c: which floor of a building is shown */

void throng_editor_show_floor(throng_editor *editor, int32_t floor); /* the nearest that there is */
void throng_editor_show_walkers(throng_editor *editor);              /* of a walk, on the floor that is shown */

/* ---- editor_draw_floors.c */

/* Under the floor: the one below, as a ghost. Over it: flights that begin or end there, and lifts. */
void throng_editor_draw_below(throng_editor *editor);
void throng_editor_draw_links(throng_editor *editor);
void throng_editor_draw_walkers(throng_editor *editor); /* of the floor that is shown */

/* ---- editor_icon.c */

/* The sign of a tool or an act in a square of 16 units about (x, y). */
void throng_editor_icon(throng_editor *editor, int tool, double x, double y, SDL_Color ink);

/* ---- editor_image.c: the floor plan underneath */

/* Lays an image under the map, as a change; NULL: none from now on. */
void throng_image_lay(throng_editor *editor, const char *path);
void throng_image_draw(throng_editor *editor);
void throng_image_forget(throng_editor *editor);

/* ---- editor_files.c */

/* What is saved to: the map itself, or an .xml beside one of another format. */
bool throng_editor_name_files(throng_editor *editor, const char *path, throng_error *error);
bool throng_editor_read(throng_editor *editor, const char *path, throng_error *error);
void throng_editor_save(throng_editor *editor);
/* Work that is not saved goes to a file of its own when the hand rests; and comes back from there. */
void throng_editor_keep(throng_editor *editor, bool at_once);
void throng_editor_recover(throng_editor *editor);
void throng_editor_quit(throng_editor *editor);

/* ---- editor_actions.c */

void throng_editor_fit(throng_editor *editor);
void throng_editor_try_out(throng_editor *editor); /* begins or ends the walk */
void throng_editor_end_trial(throng_editor *editor);
/* Says why a command was refused, for a while; `done` is passed on. */
bool throng_editor_told(throng_editor *editor, bool done, const throng_edit_refusal *why);
void throng_editor_undo(throng_editor *editor, bool again);
void throng_editor_add_floor(throng_editor *editor); /* on top, and shows it */
/* Spawn, exit, place: what the chosen region is for. */
void throng_editor_next_use(throng_editor *editor);
/* Sides and neighbours as they are now. */
const throng_edit_sides *throng_editor_sides(throng_editor *editor);

#endif
