#include "view_controls.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TURNS = 1000 }; /* of a wheel, in an event */

const throng_key throng_view_keys[] = {
    {"Space", "play and pause"},
    {".   ,", "a single step, a step back"},
    {"Right   Left", "a second forward, back"},
    {"End", "to now, from what was"},
    {"+   -", "faster, slower"},
    {"Home", "from the start, with the sliders' values"},
    {"F", "fit the plan into the window"},
    {"wheel, drag", "zoom; pan, or turn stacked floors"},
    {"right drag", "pan"},
    {"click", "choose an agent"},
    {"double click", "follow it"},
    {"V", "ride with it: behind it, in its eyes, the plan"},
    {"C   Shift+C", "colour by the next, previous column"},
    {"T", "trails"},
    {"H", "density: now, mean, off"},
    {"PgUp   PgDn", "the floor above, below"},
    {"O", "floors side by side, one, over each other"},
    {"N", "faces and portals, roadmap, potential, off"},
    {":", "a line of Lua in the world"},
    {"L", "light, dark"},
    {"P   R", "save a picture; film, until R again"},
    {"arrows, WASD", "steer the player (group:control)"},
    {"Esc", "put away lists and panels"},
    {"Q", "quit"},
    {NULL, NULL},
};

static void complain(throng_viewer *viewer, bool ok, const throng_error *error)
{
    if (!ok)
        throng_viewer_note(viewer, "%.200s", error->text);
}

static void go_seconds(throng_viewer *viewer, double seconds)
{
    throng_viewer_go(viewer, llround(seconds / throng_shown_dt(viewer)));
}

static void go_to_end(throng_viewer *viewer)
{
    throng_viewer_go(viewer, (int64_t)throng_past_last(viewer) - throng_shown_step(viewer));
}

static void colour_by_next(throng_viewer *viewer, int step)
{
    throng_colouring_next(viewer, step);
    throng_crowd_forget(&viewer->crowd);
}

/* What a character does; letters count in either case, but for C. */
static void character(throng_viewer *viewer, char c)
{
    throng_error error;
    switch (c) {
    case '.': throng_viewer_single_step(viewer); break;
    case ':': throng_console_open(viewer); break;
    case ',': throng_viewer_go(viewer, -1); break;
    case '+':
    case '=': throng_viewer_change_speed(viewer, true); break;
    case '-': throng_viewer_change_speed(viewer, false); break;
    case '?': viewer->help = !viewer->help; break;
    case 'f':
    case 'F': throng_camera_fit(viewer); break;
    case 'v':
    case 'V': throng_ride_next(viewer); break;
    case 'c': colour_by_next(viewer, 1); break;
    case 'C': colour_by_next(viewer, -1); break;
    case 't':
    case 'T': throng_trails_toggle(viewer); break;
    case 'h':
    case 'H': throng_heat_layer_next(viewer); break;
    case 'n':
    case 'N': complain(viewer, throng_mesh_layer_next(viewer, &error), &error); break;
    case 'o':
    case 'O': throng_floors_next(viewer); break;
    case 'p':
    case 'P': viewer->shot = true; break; /* when the frame is drawn */
    case 'r':
    case 'R': throng_shot_film(viewer); break;
    case 'l':
    case 'L': throng_viewer_turn_theme(viewer); break;
    case 'q':
    case 'Q': viewer->quit = true; break;
    default: break;
    }
}

void throng_input_picture(throng_viewer *viewer)
{
    if (viewer->shot)
        throng_shot_picture(viewer);
    viewer->shot = false;
}

static void put_away(throng_viewer *viewer)
{
    if (viewer->help)
        viewer->help = false;
    else if (viewer->session.trouble) {
        free(viewer->session.trouble);
        viewer->session.trouble = NULL;
    } else
        viewer->chosen = (throng_chosen){0};
}

/* ---- the player */

/* Notes that a key is held, or let go; does it steer? */
static bool hold(throng_viewer *viewer, SDL_Keycode code, bool down)
{
    static const SDL_Keycode keys[][2] = {
        {SDLK_RIGHT, SDLK_d}, {SDLK_LEFT, SDLK_a}, {SDLK_UP, SDLK_w}, {SDLK_DOWN, SDLK_s}};
    for (int i = 0; i < 4; i++)
        if (code == keys[i][0] || code == keys[i][1]) {
            viewer->held[i] = down;
            return true;
        }
    return false;
}

/* Keys that give no text, or give it on some keyboards only. */
static void key(throng_viewer *viewer, SDL_Keycode code)
{
    switch (code) {
    case SDLK_SPACE: throng_viewer_play_or_pause(viewer); break;
    case SDLK_ESCAPE: put_away(viewer); break;
    case SDLK_HOME: throng_viewer_go_home(viewer); break;
    case SDLK_END: go_to_end(viewer); break;
    case SDLK_PAGEUP: throng_floors_climb(viewer, 1); break;
    case SDLK_PAGEDOWN: throng_floors_climb(viewer, -1); break;
    case SDLK_LEFT: go_seconds(viewer, -1); break;
    case SDLK_RIGHT: go_seconds(viewer, 1); break;
    case SDLK_F1: viewer->help = !viewer->help; break;
    default: break;
    }
}

/* With a player the arrows are its. */
static void press_key(throng_viewer *viewer, SDL_Keycode code)
{
    const throng_world *world = throng_viewer_world(viewer);
    if (!hold(viewer, code, true) || !world || !throng_world_has_player(world))
        key(viewer, code);
}

/* ---- mouse */

/* Cards, bar and timeline, before what is below them. */
static bool press_panel(throng_viewer *viewer, double x, double y)
{
    return throng_bar_press(viewer, x, y) || throng_timeline_press(viewer, x, y) ||
           throng_sliders_press(viewer, x, y) || throng_floor_list_press(viewer, x, y) ||
           throng_colouring_press(viewer, x, y);
}

/* The left button turns stacked floors, the others pan there, too. */
static void press(throng_viewer *viewer, const SDL_MouseButtonEvent *button)
{
    double x = button->x * viewer->ratio, y = button->y * viewer->ratio;
    bool left = button->button == SDL_BUTTON_LEFT;
    viewer->pointer = (throng_point){x, y};
    if (left && press_panel(viewer, x, y))
        return;
    viewer->drag.down = true;
    viewer->drag.moved = false;
    viewer->drag.turns = left && viewer->floors.mode == THRONG_FLOORS_STACKED && viewer->ride.mode == THRONG_RIDE_OFF;
    viewer->drag.x = x;
    viewer->drag.y = y;
}

static void move(throng_viewer *viewer, const SDL_MouseMotionEvent *motion)
{
    double x = motion->x * viewer->ratio, y = motion->y * viewer->ratio;
    double dx = x - viewer->drag.x, dy = y - viewer->drag.y;
    viewer->pointer = (throng_point){x, y};
    if (throng_timeline_move(viewer, x, y) || throng_sliders_move(viewer, x))
        return;
    if (!viewer->drag.down || (!viewer->drag.moved && hypot(dx, dy) < 4 * viewer->unit))
        return;
    viewer->drag.moved = true;
    if (viewer->drag.turns)
        throng_floors_turn(viewer, dx, dy);
    else
        throng_camera_pan(viewer, dx, dy);
    viewer->drag.x = x;
    viewer->drag.y = y;
}

static void release(throng_viewer *viewer, const SDL_MouseButtonEvent *button)
{
    if (button->button == SDL_BUTTON_LEFT)
        throng_timeline_release(viewer);
    viewer->slider = button->button == SDL_BUTTON_LEFT ? 0 : viewer->slider;
    bool clicked = viewer->drag.down && !viewer->drag.moved && button->button == SDL_BUTTON_LEFT;
    viewer->drag.down = false;
    if (clicked)
        throng_agent_choose(viewer, throng_agent_at(viewer, button->x * viewer->ratio, button->y * viewer->ratio),
                            button->clicks >= 2);
}

static void wheel(throng_viewer *viewer, const SDL_MouseWheelEvent *turn)
{
    double x = turn->mouseX * viewer->ratio, y = turn->mouseY * viewer->ratio;
    double turns = fmax(fmin((double)turn->preciseY, MOST_TURNS), -MOST_TURNS);
    if (throng_colouring_wheel(viewer, x, y, turns) || throng_floor_list_wheel(viewer, x, y, turns))
        return;
    throng_camera_zoom(viewer, x, y, pow(1.2, turns));
}

void throng_input_event(throng_viewer *viewer, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT: viewer->quit = true; break;
    case SDL_TEXTINPUT:
        if (viewer->console.open)
            throng_console_text(viewer, event->text.text);
        else
            character(viewer, event->text.text[0]);
        break;
    case SDL_KEYDOWN:
        if (viewer->console.open)
            throng_console_key(viewer, event->key.keysym.sym);
        else
            press_key(viewer, event->key.keysym.sym);
        break;
    case SDL_KEYUP: hold(viewer, event->key.keysym.sym, false); break;
    case SDL_MOUSEBUTTONDOWN: press(viewer, &event->button); break;
    case SDL_MOUSEBUTTONUP: release(viewer, &event->button); break;
    case SDL_MOUSEMOTION: move(viewer, &event->motion); break;
    case SDL_MOUSEWHEEL: wheel(viewer, &event->wheel); break;
    case SDL_DROPFILE: SDL_free(event->drop.file); break; /* only the map maker takes one */
    default: break;
    }
}
