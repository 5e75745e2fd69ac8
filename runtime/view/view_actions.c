/* A user's actions from the command line (--do), a word a frame, as the events that SDL would send:
 *   key:C key:Space     a key; single characters as typed; key:Ctrl+S
 *   type:TEXT           every character of it
 *   click:X,Y double:X,Y drag:X,Y,X2,Y2 move:X,Y wheel:X,Y,N
 *   wait:N              N frames
 * Places are window coordinates. */
#include "view_controls.h"

#include <stdio.h>
#include <string.h>

typedef struct action {
    char verb[16], what[48];
    double n[4];
    int count; /* numbers in `what` */
} action;

/* The next word; false at the end of the text. */
static bool take_word(const char **text, char *word, size_t size)
{
    *text += strspn(*text, " \n");
    size_t length = strcspn(*text, " \n");
    snprintf(word, size, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

static int numbers_of(const char *verb)
{
    static const struct {
        const char *verb;
        int numbers;
    } verbs[] = {{"key", 0},  {"type", 0}, {"click", 2}, {"double", 2},
                 {"drag", 4}, {"move", 2}, {"wheel", 3}, {"wait", 1}};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verb, verbs[i].verb) == 0)
            return verbs[i].numbers;
    return -1;
}

static SDL_Keycode named_key(const char *name)
{
    bool control = strncmp(name, "Ctrl+", 5) == 0;
    return strlen(name) == 1 ? SDLK_UNKNOWN : SDL_GetKeyFromName(control ? name + 5 : name);
}

static bool parse(const char *word, action *a, throng_error *error)
{
    *a = (action){0};
    bool split = sscanf(word, "%15[a-z]:%47s", a->verb, a->what) == 2;
    int wanted = split ? numbers_of(a->verb) : -1;
    a->count = sscanf(a->what, "%lf,%lf,%lf,%lf", &a->n[0], &a->n[1], &a->n[2], &a->n[3]);
    bool types = strcmp(a->verb, "type") == 0;
    bool fits = wanted == 0 ? types || strlen(a->what) == 1 || named_key(a->what) != SDLK_UNKNOWN : a->count == wanted;
    if (wanted >= 0 && fits)
        return true;
    return throng_fail(
        error,
        "--do: '%s' is not an action; expected key:NAME, type:TEXT, click:X,Y, double:X,Y, drag:X,Y,X2,Y2, "
        "move:X,Y, wheel:X,Y,N or wait:FRAMES",
        word);
}

bool throng_actions_check(const char *actions, throng_error *error)
{
    char word[64];
    action a;
    while (take_word(&actions, word, sizeof word))
        if (!parse(word, &a, error))
            return false;
    return true;
}

static void push_text(char c)
{
    SDL_Event event = {.type = SDL_TEXTINPUT};
    event.text.text[0] = c;
    SDL_PushEvent(&event);
}

static void push_key(const char *name)
{
    SDL_Event event = {.type = SDL_KEYDOWN};
    event.key.keysym.sym = named_key(name);
    event.key.keysym.mod = strncmp(name, "Ctrl+", 5) == 0 ? KMOD_LCTRL : KMOD_NONE;
    if (strlen(name) == 1)
        push_text(name[0]);
    else
        SDL_PushEvent(&event);
}

static void push_button(uint32_t type, double x, double y, int clicks)
{
    SDL_Event event = {.type = type};
    event.button.button = SDL_BUTTON_LEFT;
    event.button.clicks = (uint8_t)clicks;
    event.button.x = (int32_t)x;
    event.button.y = (int32_t)y;
    SDL_PushEvent(&event);
}

static void push_motion(double x, double y)
{
    SDL_Event event = {.type = SDL_MOUSEMOTION};
    event.motion.x = (int32_t)x;
    event.motion.y = (int32_t)y;
    SDL_PushEvent(&event);
}

static void push_wheel(double x, double y, double turns)
{
    SDL_Event event = {.type = SDL_MOUSEWHEEL};
    event.wheel.mouseX = (int32_t)x;
    event.wheel.mouseY = (int32_t)y;
    event.wheel.preciseY = (float)turns;
    SDL_PushEvent(&event);
}

static void push(const action *a)
{
    const double *n = a->n;
    if (strcmp(a->verb, "key") == 0) {
        push_key(a->what);
    } else if (strcmp(a->verb, "type") == 0) {
        for (const char *c = a->what; *c; c++)
            push_text(*c);
    } else if (strcmp(a->verb, "move") == 0) {
        push_motion(n[0], n[1]);
    } else if (strcmp(a->verb, "wheel") == 0) {
        push_wheel(n[0], n[1], n[2]);
    } else if (strcmp(a->verb, "wait") != 0) {
        bool drags = strcmp(a->verb, "drag") == 0;
        int clicks = strcmp(a->verb, "double") == 0 ? 2 : 1;
        push_button(SDL_MOUSEBUTTONDOWN, n[0], n[1], clicks);
        if (drags)
            push_motion(n[2], n[3]);
        push_button(SDL_MOUSEBUTTONUP, drags ? n[2] : n[0], drags ? n[3] : n[1], clicks);
    }
}

bool throng_actions_next(throng_viewer *viewer)
{
    char word[64];
    action a;
    if (viewer->waiting > 0) {
        viewer->waiting--;
        return true;
    }
    if (!viewer->next_action || !take_word(&viewer->next_action, word, sizeof word) || !parse(word, &a, NULL))
        return false;
    push(&a);
    if (strcmp(a.verb, "wait") == 0)
        viewer->waiting = (int64_t)a.n[0] - 1;
    return true;
}
