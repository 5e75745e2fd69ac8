/* What the colours of the crowd stand for. */
#include "view_controls.h"

#include <math.h>
#include <stdio.h>

enum { ROW = 20, PAD = 14, DIGITS = 12, RAMP = 48, LEAST = 4 }; /* units; LEAST: rows that are shown at least */

static const char *const first_names[THRONG_COLOUR_COLUMN] = {"group", "walking speed", "planner", "goal", "state"};

static void class_name(const throng_viewer *viewer, int32_t value, char *text, size_t size)
{
    const throng_world *world = throng_viewer_world(viewer);
    int32_t mode = viewer->colouring.mode;
    if (viewer->past.replay && !throng_shown_knows(viewer, THRONG_COLUMN_group))
        snprintf(text, size, "recorded");
    else if (mode == THRONG_COLOUR_GROUP && throng_world_group_name(world, value))
        snprintf(text, size, "%s", throng_world_group_name(world, value));
    else if (mode == THRONG_COLOUR_PLANNER)
        snprintf(text, size, "%s", throng_planner_names[value]);
    else if (value < 0)
        snprintf(text, size, "none");
    else if (mode == THRONG_COLOUR_STATE && value < throng_world_states(world))
        snprintf(text, size, "%s", throng_world_state_name(world, value));
    else if (mode == THRONG_COLOUR_GOAL)
        throng_goal_words(viewer, value, text, size);
    else
        snprintf(text, size, "%s %d", first_names[mode], value);
}

static double classes_height(const throng_viewer *viewer, int32_t rows)
{
    return (2 * PAD + ROW * (rows + 1) - 4) * viewer->unit;
}

/* Rows of classes that a card of that height has room for. */
static int32_t rows_of(const throng_viewer *viewer, double height)
{
    return (int32_t)((height / viewer->unit - 2 * PAD + 4) / ROW + 0.5) - 1;
}

double throng_colouring_height(const throng_viewer *viewer, double room)
{
    const throng_colouring *c = &viewer->colouring;
    if (c->folded)
        return 2 * PAD * viewer->unit;
    if (throng_colouring_is_ramp(c->mode))
        return (2 * PAD + RAMP) * viewer->unit;
    if (c->classes == 0)
        return 0;
    int32_t fit = rows_of(viewer, room);
    fit = fit < LEAST ? LEAST : fit;
    return classes_height(viewer, c->classes < fit ? c->classes : fit);
}

/* What it is of, and a mark that it may be folded by. */
static void draw_title(throng_viewer *viewer, const throng_box *box)
{
    const throng_colouring *c = &viewer->colouring;
    const throng_agents *agents = throng_world_agents(throng_viewer_world(viewer));
    double u = viewer->unit;
    bool column = c->mode >= THRONG_COLOUR_COLUMN, ramp = throng_colouring_is_ramp(c->mode);
    const throng_column_info *info = column ? throng_agents_column(agents, c->mode - THRONG_COLOUR_COLUMN) : NULL;
    const char *unit = !ramp ? "" : column ? info->unit : "m/s";
    throng_view_text(viewer, box->x + PAD * u, box->y + (PAD + 5) * u, DIGITS, THRONG_STYLE_FAINT_INK, false,
                     THRONG_ALIGN_LEFT, "%s%s%s", column ? info->name : first_names[c->mode], *unit ? ", " : "", unit);
    throng_view_text(viewer, box->x + box->width - PAD * u, box->y + (PAD + 5) * u, DIGITS, THRONG_STYLE_FAINT_INK,
                     false, THRONG_ALIGN_RIGHT, "%s", c->folded ? "+" : "–");
}

static void draw_classes(throng_viewer *viewer, const throng_box *box)
{
    throng_colouring *c = &viewer->colouring;
    double u = viewer->unit;
    int32_t rows = rows_of(viewer, box->height), last = c->classes > rows ? c->classes - rows : 0;
    int32_t first = c->first > last ? last : c->first;
    for (int32_t r = 0; r < rows && first + r < c->classes; r++) {
        char name[THRONG_TEXT_LONGEST];
        int32_t value = c->listed[first + r].value;
        double middle = box->y + (PAD + ROW * (r + 1.5) - 4) * u;
        class_name(viewer, value, name, sizeof name);
        throng_batch_disc(&viewer->batch, (float)(box->x + (PAD + 5) * u), (float)middle, (float)(5 * u),
                          throng_colouring_class(viewer, value));
        throng_view_text(viewer, box->x + (PAD + 18) * u, middle + 4.5 * u, 13, THRONG_STYLE_INK, false,
                         THRONG_ALIGN_LEFT, "%.20s", name);
        throng_view_text(viewer, box->x + box->width - PAD * u, middle + 4.5 * u, 13, THRONG_STYLE_FAINT_INK, false,
                         THRONG_ALIGN_RIGHT, "%d", c->listed[first + r].count);
    }
    throng_column_bar(viewer, box, first, rows, c->classes);
}

static void draw_ramp(throng_viewer *viewer, const throng_box *box)
{
    const throng_colouring *c = &viewer->colouring;
    double u = viewer->unit, left = box->x + PAD * u, width = box->width - 2 * PAD * u, y = box->y;
    for (int i = 0; i < 48; i++)
        throng_batch_rect(&viewer->batch, floor(left + width * i / 48), y + (PAD + 20) * u,
                          floor(left + width * (i + 1) / 48), y + (PAD + 30) * u,
                          throng_view_shade(throng_colouring_ramp((i + 0.5) / 48)));
    if (!(c->high >= c->low))
        return;
    throng_view_text(viewer, left, y + (PAD + 45) * u, DIGITS, THRONG_STYLE_INK, false, THRONG_ALIGN_LEFT, "%.3g",
                     c->low);
    throng_view_text(viewer, left + width, y + (PAD + 45) * u, DIGITS, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT,
                     "%.3g", c->high);
}

void throng_colouring_legend(throng_viewer *viewer)
{
    throng_box box = viewer->cards[THRONG_CARD_LEGEND];
    if (box.height <= 0)
        return;
    throng_hud_card(viewer, box.x, box.y, box.x + box.width, box.y + box.height);
    draw_title(viewer, &box);
    if (viewer->colouring.folded)
        return;
    if (throng_colouring_is_ramp(viewer->colouring.mode))
        draw_ramp(viewer, &box);
    else
        draw_classes(viewer, &box);
}

/* ---- the pointer */

bool throng_colouring_press(throng_viewer *viewer, double x, double y)
{
    throng_box box = viewer->cards[THRONG_CARD_LEGEND];
    if (box.height <= 0 || !throng_box_holds(&box, x, y))
        return false;
    if (y < box.y + 2 * PAD * viewer->unit) {
        viewer->colouring.folded = !viewer->colouring.folded;
        viewer->refits = viewer->fitted;
    }
    return true;
}

bool throng_colouring_wheel(throng_viewer *viewer, double x, double y, double turns)
{
    throng_box box = viewer->cards[THRONG_CARD_LEGEND];
    throng_colouring *c = &viewer->colouring;
    if (box.height <= 0 || !throng_box_holds(&box, x, y))
        return false;
    int32_t last = c->classes - rows_of(viewer, box.height),
            first = c->first - (int32_t)copysign(ceil(fabs(turns)), turns);
    c->first = first > last ? last : first;
    c->first = c->first < 0 ? 0 : c->first;
    return true;
}
