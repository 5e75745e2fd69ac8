/* The bar at the bottom: time, what is shown, and buttons, each with a hint that says what pressing it does. */
#include "view_controls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS = 13, HINT = 12, BUTTON = 30, EDGE = 10, SPEED = 62, KEYS = 68 }; /* units */

typedef enum button { BACK, PLAY, STEP, SLOWER, SPEED_ONE, FASTER, LIST, BUTTONS, NONE = -1 } button;

/* From the left, and then from the right, where the speed is between two others. */
static throng_box box_of(const throng_viewer *viewer, button which)
{
    double u = viewer->unit, right = viewer->width - EDGE * u;
    double height = THRONG_BAR_HEIGHT * u, y = viewer->height - height;
    switch (which) {
    case BACK:
    case PLAY:
    case STEP: return (throng_box){(EDGE + BUTTON * (int)which) * u, y, BUTTON * u, height};
    case LIST: return (throng_box){right - KEYS * u, y, KEYS * u, height};
    case FASTER: return (throng_box){right - (KEYS + BUTTON) * u, y, BUTTON * u, height};
    case SPEED_ONE: return (throng_box){right - (KEYS + BUTTON + SPEED) * u, y, SPEED * u, height};
    default: return (throng_box){right - (KEYS + 2 * BUTTON + SPEED) * u, y, BUTTON * u, height};
    }
}

static button button_at(const throng_viewer *viewer, double x, double y)
{
    for (int b = 0; b < BUTTONS; b++) {
        throng_box box = box_of(viewer, (button)b);
        if (throng_box_holds(&box, x, y))
            return (button)b;
    }
    return NONE;
}

/* ---- drawn */

static void triangle(throng_viewer *viewer, double x, double y, double width, double half, SDL_Color ink)
{
    SDL_FPoint corner[] = {
        {(float)x, (float)(y - half)}, {(float)(x + width), (float)y}, {(float)x, (float)(y + half)}};
    throng_batch_convex(&viewer->batch, corner, 3, ink);
}

static void upright(throng_viewer *viewer, double x, double y, SDL_Color ink)
{
    double u = viewer->unit;
    throng_batch_rect(&viewer->batch, floor(x), y - 6 * u, floor(x + 3 * u), y + 6 * u, ink);
}

/* What pressing it does: a triangle plays. */
static void draw_icon(throng_viewer *viewer, button which, double x, double y, SDL_Color ink)
{
    double u = viewer->unit;
    if (which == PLAY && viewer->playing) {
        upright(viewer, x - 5 * u, y, ink);
        upright(viewer, x + 2 * u, y, ink);
    } else if (which == PLAY)
        triangle(viewer, x - 5 * u, y, 12 * u, 7 * u, ink);
    else if (which == STEP) {
        triangle(viewer, x - 5 * u, y, 7 * u, 5 * u, ink);
        upright(viewer, x + 3 * u, y, ink);
    } else {
        triangle(viewer, x + 5 * u, y, -7 * u, 5 * u, ink);
        upright(viewer, x - 6 * u, y, ink);
    }
}

static void draw_button(throng_viewer *viewer, button which)
{
    throng_box box = box_of(viewer, which);
    double u = viewer->unit, x = box.x + box.width / 2, y = box.y + box.height / 2;
    bool pointed = throng_box_holds(&box, viewer->pointer.x, viewer->pointer.y);
    const char *text = which == SLOWER ? "–" : which == FASTER ? "+" : "? keys";
    if (pointed)
        throng_batch_rect(&viewer->batch, box.x, box.y + 5 * u, box.x + box.width, box.y + box.height - 5 * u,
                          throng_view_colour(THRONG_STYLE_LINE, 0.12f));
    if (which <= STEP)
        draw_icon(viewer, which, x, y,
                  throng_view_colour(which == PLAY ? THRONG_STYLE_INK : THRONG_STYLE_FAINT_INK, 1));
    else if (which == SPEED_ONE)
        throng_view_text(viewer, x, y + 5 * u, LETTERS, THRONG_STYLE_INK, true, THRONG_ALIGN_CENTRE, "×%g",
                         viewer->speed);
    else
        throng_view_text(viewer, x, y + 5 * u, LETTERS, THRONG_STYLE_FAINT_INK, which != LIST, THRONG_ALIGN_CENTRE,
                         "%s", text);
}

/* Text from x on; where the next may begin. */
static double put(throng_viewer *viewer, double x, double baseline, uint32_t rgb, bool bold, const char *text)
{
    return x + throng_view_text(viewer, x, baseline, LETTERS, rgb, bold, THRONG_ALIGN_LEFT, "%s", text) +
           22 * viewer->unit;
}

void throng_hud_note(throng_viewer *viewer)
{
    double baseline = viewer->height - (THRONG_BAR_HEIGHT - 25) * viewer->unit;
    if (viewer->clock < viewer->note_until)
        put(viewer, viewer->note_x, baseline, THRONG_STYLE_LINE, false, viewer->note);
    else if (viewer->past.shown && !viewer->past.replay)
        put(viewer, viewer->note_x, baseline, THRONG_STYLE_LINE, false, "the past; End shows now");
    else if (viewer->session.ended)
        put(viewer, viewer->note_x, baseline, THRONG_STYLE_EXIT, false, viewer->session.ending);
}

static void draw_left(throng_viewer *viewer, double baseline)
{
    char text[THRONG_TEXT_LONGEST];
    double x = (EDGE + 3 * BUTTON + 10) * viewer->unit;
    snprintf(text, sizeof text, "%.1f s", throng_shown_time(viewer));
    put(viewer, x, baseline, THRONG_STYLE_INK, true, text);
    x += 74 * viewer->unit; /* the digits move, what follows does not */
    x = put(viewer, x, baseline, THRONG_STYLE_INK, false, viewer->session.live.scenario.name);
    snprintf(text, sizeof text, "%d agent%s%s", viewer->crowd.count, viewer->crowd.count == 1 ? "" : "s",
             viewer->crowd.massed ? ", as density" : "");
    x = put(viewer, x, baseline, THRONG_STYLE_FAINT_INK, false, text);
    viewer->note_x = x;
    if (!viewer->film) /* else it is shown beside what is filmed */
        throng_hud_note(viewer);
}

/* Figures of the machine have no place in pictures that should come out alike. */
static void draw_figures(throng_viewer *viewer, double baseline)
{
    const throng_session *session = &viewer->session;
    double x = box_of(viewer, SLOWER).x - 12 * viewer->unit;
    bool held = viewer->playing && session->pace > 0 && session->pace < 0.9 * viewer->speed;
    if (viewer->fixed_clock || viewer->past.replay || viewer->clock < viewer->note_until) /* where notes end */
        return;
    if (held)
        throng_view_text(viewer, x, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT,
                         "held at ×%.2g by %.3g ms a step", session->pace, session->step_ms);
    else
        throng_view_text(viewer, x, baseline, LETTERS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT,
                         "%.3g ms a step, %.3g ms a frame", session->step_ms, viewer->frame_ms);
}

void throng_bar_draw(throng_viewer *viewer)
{
    double u = viewer->unit, top = viewer->height - THRONG_BAR_HEIGHT * u, baseline = top + 25 * u;
    throng_batch_rect(&viewer->batch, 0, top - u, viewer->width, top, throng_view_colour(THRONG_STYLE_RULE, 1));
    throng_batch_rect(&viewer->batch, 0, top, viewer->width, viewer->height, throng_view_colour(0xffffff, 1));
    for (int b = 0; b < BUTTONS; b++)
        draw_button(viewer, (button)b);
    draw_left(viewer, baseline);
    draw_figures(viewer, baseline);
}

/* ---- the pointer */

static const char *words_of(const throng_viewer *viewer, button which)
{
    static const char *const words[] = {[BACK] = "a step back (,)", [STEP] = "a single step (.)",
                                        [SLOWER] = "slower (-)",    [SPEED_ONE] = "as fast as the world's time: ×1",
                                        [FASTER] = "faster (+)",    [LIST] = "all keys (?)"};
    return which == PLAY ? viewer->playing ? "pause (Space)" : "play (Space)" : words[which];
}

void throng_hud_hint(throng_viewer *viewer, double x, double bottom, const char *text)
{
    double u = viewer->unit, width = (18 + 6.8 * (double)strlen(text)) * u;
    x = fmin(fmax(x - width / 2, 8 * u), viewer->width - width - 8 * u);
    throng_hud_card(viewer, x, bottom - 24 * u, x + width, bottom);
    throng_view_text(viewer, x + width / 2, bottom - 7.5 * u, HINT, THRONG_STYLE_INK, false, THRONG_ALIGN_CENTRE, "%s",
                     text);
}

void throng_bar_hint(throng_viewer *viewer)
{
    button which = button_at(viewer, viewer->pointer.x, viewer->pointer.y);
    if (which == NONE)
        return;
    throng_box box = box_of(viewer, which);
    throng_hud_hint(viewer, box.x + box.width / 2, box.y - 4 * viewer->unit, words_of(viewer, which));
}

bool throng_bar_press(throng_viewer *viewer, double x, double y)
{
    switch (button_at(viewer, x, y)) {
    case BACK: throng_viewer_go(viewer, -1); break;
    case PLAY: throng_viewer_play_or_pause(viewer); break;
    case STEP: throng_viewer_single_step(viewer); break;
    case SLOWER: throng_viewer_change_speed(viewer, false); break;
    case SPEED_ONE: viewer->speed = 1; break;
    case FASTER: throng_viewer_change_speed(viewer, true); break;
    case LIST: viewer->help = !viewer->help; break;
    default: return y >= viewer->height - THRONG_BAR_HEIGHT * viewer->unit;
    }
    return true;
}
