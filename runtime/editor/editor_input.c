#include "editor_parts.h"
#include "view/view_controls.h"

#include <math.h>

const throng_key throng_editor_keys[] = {
    {"click, Enter", "set corners, close; the first corner closes, too"},
    {"drag", "a rectangle, a corner, what is chosen, or the plan"},
    {"wheel, right drag", "zoom to the pointer, pan"},
    {"Backspace", "take the last corner back"},
    {"Esc", "leave what is being drawn, typed or chosen"},
    {"Del", "delete what is chosen, or its corner under the pointer"},
    {"V   R   W   D", "select, draw a room, a wall in it, a door through a wall"},
    {"S   X   Z", "spawn region, exit, another region"},
    {"K   P", "stairs from foot to head, U makes them a ramp ...; a lift from door to back"},
    {"PgUp   PgDn   T   H", "floor above, below; one more on top; height of the floor that is shown"},
    {"N   E   U", "name, people, use of what is chosen"},
    {"F   C   J", "rooms by their parts: draw a convex face, cut one, join two"},
    {"M   I", "scale the map or the image by a known length; I moves it, too"},
    {"G   O   L", "grid on and off, image on and off, light and dark"},
    {"Space", "people walk, as many as the regions say, or stop"},
    {"A", "all of the map in the window"},
    {"Ctrl+Z   Ctrl+Y", "undo, redo"},
    {"Ctrl+S", "save"},
    {"Q", "quit"},
    {NULL, NULL},
};

static void escape(throng_editor *editor)
{
    if (editor->view.help)
        editor->view.help = false;
    else if (editor->field.what != THRONG_FIELD_NONE)
        editor->field.what = THRONG_FIELD_NONE;
    else if (editor->trial.world)
        throng_editor_try_out(editor);
    else if (editor->count)
        editor->count = 0;
    else if (editor->selected >= 0)
        editor->selected = -1;
    else
        throng_tool_take(editor, THRONG_TOOL_SELECT);
    editor->refused.until = 0;
}

static bool take_tool(throng_editor *editor, char c)
{
    for (int tool = 0; tool < THRONG_TOOL_COUNT; tool++)
        if (throng_tools[tool].letter == c) {
            throng_tool_take(editor, (throng_tool)tool);
            return true;
        }
    return false;
}

static void toggle_grid(throng_editor *editor)
{
    editor->no_grid = !editor->no_grid;
    throng_viewer_note(&editor->view, editor->no_grid ? "Corners go anywhere." : "Corners go on the grid.");
}

static void character(throng_editor *editor, const char *text)
{
    char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
    bool leaving = editor->leaving;
    editor->leaving = false;
    if (editor->field.what != THRONG_FIELD_NONE) {
        throng_field_type(editor, text);
        return;
    }
    if (take_tool(editor, c))
        return;
    switch (c) {
    case '?': editor->view.help = !editor->view.help; break;
    case 'n': throng_field_open(editor, THRONG_FIELD_NAME); break;
    case 'e': throng_field_open(editor, THRONG_FIELD_PEOPLE); break;
    case 'u': throng_editor_next_use(editor); break;
    case 't': throng_editor_add_floor(editor); break;
    case 'h': throng_field_open(editor, THRONG_FIELD_HEIGHT); break;
    case 'g': toggle_grid(editor); break;
    case 'l': throng_viewer_turn_theme(&editor->view); break;
    case 'o': editor->image.hidden = !editor->image.hidden; break;
    case 'a': throng_editor_fit(editor); break;
    case 'q':
        editor->leaving = leaving;
        throng_editor_quit(editor);
        break;
    default: break;
    }
}

static void command(throng_editor *editor, const SDL_Keysym *key)
{
    if (editor->field.what != THRONG_FIELD_NONE)
        throng_field_accept(editor);
    switch (key->sym) {
    case SDLK_z: throng_editor_undo(editor, key->mod & KMOD_SHIFT); break;
    case SDLK_y: throng_editor_undo(editor, true); break;
    case SDLK_s: throng_editor_save(editor); break;
    default: break;
    }
}

static void enter(throng_editor *editor)
{
    if (editor->field.what != THRONG_FIELD_NONE)
        throng_field_accept(editor);
    else
        throng_tool_finish(editor);
}

static void erase(throng_editor *editor)
{
    if (editor->field.what != THRONG_FIELD_NONE)
        throng_field_erase(editor);
    else if (editor->count)
        throng_tool_step_back(editor);
    else
        throng_tool_delete(editor);
}

static void key(throng_editor *editor, const SDL_Keysym *key)
{
    bool typing = editor->field.what != THRONG_FIELD_NONE;
    if (key->mod & (KMOD_CTRL | KMOD_GUI)) {
        command(editor, key);
        return;
    }
    switch (key->sym) {
    case SDLK_ESCAPE: escape(editor); break;
    case SDLK_RETURN:
    case SDLK_KP_ENTER: enter(editor); break;
    case SDLK_BACKSPACE: erase(editor); break;
    case SDLK_DELETE:
        if (!typing)
            throng_tool_delete(editor);
        break;
    case SDLK_SPACE:
        if (!typing)
            throng_editor_try_out(editor);
        break;
    case SDLK_PAGEUP: throng_editor_show_floor(editor, editor->floor + 1); break;
    case SDLK_PAGEDOWN: throng_editor_show_floor(editor, editor->floor - 1); break;
    case SDLK_F1: editor->view.help = !editor->view.help; break;
    default: break;
    }
}

/* ---- mouse */

/* The right and the middle button pan in every tool. */
static void press(throng_editor *editor, const SDL_MouseButtonEvent *button)
{
    double x = button->x * editor->view.ratio, y = button->y * editor->view.ratio;
    editor->leaving = false;
    editor->view.help = false;
    if (editor->field.what != THRONG_FIELD_NONE)
        throng_field_accept(editor);
    if (throng_editor_panel_at(editor, x, y, button->button == SDL_BUTTON_LEFT))
        return;
    editor->on_plan = true;
    throng_tool_press(editor, x, y);
    if (button->button != SDL_BUTTON_LEFT || editor->trial.world)
        editor->drag.grip = THRONG_GRIP_PAN;
    editor->view.drag.down = true;
}

static void release(throng_editor *editor, const SDL_MouseButtonEvent *button)
{
    bool pans = button->button != SDL_BUTTON_LEFT || editor->trial.world;
    if (!editor->view.drag.down)
        return;
    editor->view.drag.down = false;
    if (pans)
        editor->drag.grip = THRONG_GRIP_NONE;
    else
        throng_tool_release(editor, button->clicks >= 2);
}

static void move(throng_editor *editor, const SDL_MouseMotionEvent *motion)
{
    double x = motion->x * editor->view.ratio, y = motion->y * editor->view.ratio;
    editor->on_plan = !throng_editor_panel_at(editor, x, y, false);
    if (editor->view.drag.down)
        throng_tool_drag(editor, x, y);
    else
        throng_tool_hover(editor, x, y);
}

static void wheel(throng_editor *editor, const SDL_MouseWheelEvent *turn)
{
    double x = turn->mouseX * editor->view.ratio, y = turn->mouseY * editor->view.ratio;
    throng_camera_zoom(&editor->view, x, y, pow(1.2, (double)turn->preciseY));
    editor->on_plan = !throng_editor_panel_at(editor, x, y, false);
    throng_tool_hover(editor, x, y);
}

void throng_editor_event(throng_editor *editor, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT: editor->view.quit = true; break; /* what was not saved is kept, and recovered the next time */
    case SDL_TEXTINPUT: character(editor, event->text.text); break;
    case SDL_KEYDOWN: key(editor, &event->key.keysym); break;
    case SDL_MOUSEBUTTONDOWN: press(editor, &event->button); break;
    case SDL_MOUSEBUTTONUP: release(editor, &event->button); break;
    case SDL_MOUSEMOTION: move(editor, &event->motion); break;
    case SDL_MOUSEWHEEL: wheel(editor, &event->wheel); break;
    case SDL_DROPFILE:
        throng_image_lay(editor, event->drop.file);
        SDL_free(event->drop.file);
        break;
    default: break;
    }
}
