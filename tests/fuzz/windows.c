/* throng view, replay or edit under a user without sense: windows SEED FRAMES view|replay|edit ARGUMENTS. What SDL has
 * to say is drawn from the seed: keys, text, buttons, wheels, sizes of the window, files that are dropped; in runs of
 * the same kind, so that much is undone in a row, and corners follow each other. Seeds and builds that are alike show
 * the same. Its own SDL_PollEvent goes before that of the library. */
#include <SDL2/SDL.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/cli.h"

static uint64_t seed;

static uint64_t draw(void)
{
    uint64_t z = (seed += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static int below(int n) { return (int)(draw() % (uint64_t)n); }

static bool once_in(int n) { return below(n) == 0; }

#define ANY(list) list[below(sizeof list / sizeof *(list))]

/* ---- what is done */

enum { MOST_EVENTS = 4, MOST_ALIKE = 12 }; /* a frame; in a row */

static const SDL_Keycode keys[] = {SDLK_SPACE,  SDLK_ESCAPE,    SDLK_HOME,   SDLK_END,      SDLK_PAGEUP, SDLK_PAGEDOWN,
                                   SDLK_LEFT,   SDLK_RIGHT,     SDLK_UP,     SDLK_DOWN,     SDLK_F1,     SDLK_TAB,
                                   SDLK_RETURN, SDLK_BACKSPACE, SDLK_DELETE, SDLK_KP_ENTER, SDLK_w,      SDLK_a,
                                   SDLK_s,      SDLK_d,         SDLK_z,      SDLK_y,        SDLK_u,      SDLK_UNKNOWN};
static const uint16_t mods[] = {KMOD_NONE, KMOD_NONE, KMOD_NONE, KMOD_LCTRL, KMOD_LCTRL, KMOD_LCTRL | KMOD_LSHIFT,
                                KMOD_LGUI, KMOD_RALT};
static const char *const texts[] = {"7",
                                    "-1",
                                    "1e999",
                                    "nan",
                                    "0x7fffffff",
                                    "99999999999999999999",
                                    "exit",
                                    "a b",
                                    "\xc3\xa9",
                                    "\xe2\x82\xac",
                                    "\xf0\x9f",
                                    "\xff\xfe",
                                    "\x1b[31m",
                                    "%s%n",
                                    "\t",
                                    "<&\">",
                                    "",
                                    "world",
                                    "world:step()",
                                    "step(30)",
                                    "world.groups",
                                    "error()",
                                    "x=x or {}",
                                    "('x'):rep(999)",
                                    "world:run{seconds=2}",
                                    "world.agents:remove()",
                                    "world:close()"};
static const char *const drops[] = {"plan.png", "torn.png", "scenario.lua", ".",   "/dev/zero", "/dev/null", "none.png",
                                    "plan.xml", "",         "huge.ppm",     "fifo"};

typedef struct window {
    int width, height;
} window;

static window size_of(void)
{
    window w = {1280, 800};
    if (SDL_GetWindowFromID(1))
        SDL_GetWindowSize(SDL_GetWindowFromID(1), &w.width, &w.height);
    return w;
}

/* Within the window, along its edges, where bars and panels are, or far out. */
static int along(int length)
{
    switch (below(12)) {
    case 0: return below(40);
    case 1:
    case 2:
    case 3: return length - below(90);
    case 4: return once_in(4) ? (int)(uint32_t)draw() : below(3 * length + 1) - length;
    default: return below(length + 1);
    }
}

static void at_pointer(SDL_Event *event, uint32_t type, int x, int y, uint8_t button)
{
    *event = (SDL_Event){.type = type};
    if (type == SDL_MOUSEMOTION) {
        event->motion.x = x, event->motion.y = y;
        return;
    }
    event->button.x = x, event->button.y = y;
    event->button.button = button;
    event->button.clicks = (uint8_t)(1 + once_in(4));
}

static void any_button(SDL_Event *event)
{
    static const uint8_t buttons[] = {SDL_BUTTON_LEFT,  SDL_BUTTON_LEFT,   SDL_BUTTON_LEFT,
                                      SDL_BUTTON_RIGHT, SDL_BUTTON_MIDDLE, SDL_BUTTON_X1};
    static uint8_t button;
    static int kind, x, y; /* pressed, moved or not, let go */
    window w = size_of();
    if (kind == 0)
        button = ANY(buttons);
    if (kind == 0 || once_in(2))
        x = along(w.width), y = along(w.height);
    at_pointer(event, kind == 0 ? SDL_MOUSEBUTTONDOWN : kind == 1 ? SDL_MOUSEMOTION : SDL_MOUSEBUTTONUP, x, y, button);
    kind = once_in(20) ? kind : (kind + 1) % 3;
}

static void any_wheel(SDL_Event *event)
{
    static const float turns[] = {1, -1, 3, -3, 0.1f, -40, 40, 1e9f, -1e9f, INFINITY, NAN};
    window w = size_of();
    *event = (SDL_Event){.type = SDL_MOUSEWHEEL};
    event->wheel.mouseX = along(w.width), event->wheel.mouseY = along(w.height);
    event->wheel.preciseY = turns[below(once_in(10) ? 11 : 7)];
}

/* A letter that is a command, or text; rarely Q. */
static void any_text(SDL_Event *event)
{
    static const char letters[] = ".:,+-=?fvVcCtThHnNoOpPlLrwdsxzkpuegjmaiRWDSXZKPU0123456789 ";
    *event = (SDL_Event){.type = SDL_TEXTINPUT};
    if (once_in(4))
        snprintf(event->text.text, sizeof event->text.text, "%s", ANY(texts));
    else
        event->text.text[0] = once_in(300) ? 'q' : letters[below(sizeof letters - 1)];
}

static void any_key(SDL_Event *event)
{
    *event = (SDL_Event){.type = once_in(6) ? SDL_KEYUP : SDL_KEYDOWN};
    event->key.keysym.sym = ANY(keys);
    event->key.keysym.mod = ANY(mods);
}

static void any_drop(SDL_Event *event)
{
    *event = (SDL_Event){.type = SDL_DROPFILE};
    event->drop.file = SDL_strdup(ANY(drops));
}

static void resize(void)
{
    static const int sizes[] = {1, 2, 7, 60, 300, 640, 900, 1280, 2000};
    if (SDL_GetWindowFromID(1))
        SDL_SetWindowSize(SDL_GetWindowFromID(1), once_in(40) ? 16384 : ANY(sizes), ANY(sizes));
}

static void act(SDL_Event *event)
{
    static int kind, left;
    if (left-- <= 0) {
        kind = below(40);
        left = below(MOST_ALIKE);
    }
    if (kind < 18)
        any_button(event);
    else if (kind < 22)
        any_wheel(event);
    else if (kind < 30)
        any_text(event);
    else if (kind < 37)
        any_key(event);
    else
        any_drop(event);
}

int SDL_PollEvent(SDL_Event *event)
{
    static int (*given)(SDL_Event *);
    static int left;
    if (!given)
        *(void **)&given = dlsym(RTLD_NEXT, "SDL_PollEvent");
    if (given(event))
        return 1;
    if (left == 0) { /* the frame is drawn */
        left = 1 + below(MOST_EVENTS);
        if (once_in(25))
            resize();
        return 0;
    }
    left--;
    act(event);
    return 1;
}

int main(int argc, char **argv)
{
    char *given[16] = {NULL};
    int count = 0;
    if (argc < 4 || argc > 12)
        return 2;
    seed = strtoull(argv[1], NULL, 10) * 0x2545f4914f6cdd1d;
    const throng_command *command = throng_cli_command(argv[3]);
    if (!command)
        return 2;
    for (int i = 4; i < argc; i++)
        given[count++] = argv[i];
    given[count++] = "--do"; /* so that its clock goes by frames */
    given[count++] = "wait:1";
    given[count++] = "--frames";
    given[count++] = argv[2];
    throng_cli_begin(command);
    return command->run(count, given);
}
