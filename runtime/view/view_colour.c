#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

enum { MODES = THRONG_COLOUR_COLUMN + THRONG_COLUMN_COUNT };

/* Columns that are not worth a colour: places, directions, what has a mode of its own, the stages' notes. */
static bool passed_over(int column)
{
    static const int some[] = {THRONG_COLUMN_id,
                               THRONG_COLUMN_x,
                               THRONG_COLUMN_y,
                               THRONG_COLUMN_hx,
                               THRONG_COLUMN_hy,
                               THRONG_COLUMN_desired_vx,
                               THRONG_COLUMN_desired_vy,
                               THRONG_COLUMN_group,
                               THRONG_COLUMN_planner,
                               THRONG_COLUMN_goal,
                               THRONG_COLUMN_waypoint,
                               THRONG_COLUMN_face,
                               THRONG_COLUMN_exit_edge,
                               THRONG_COLUMN_last_progress_cell,
                               THRONG_COLUMN_last_progress_step,
                               THRONG_COLUMN_state,
                               THRONG_COLUMN_fsm_state,
                               THRONG_COLUMN_fsm_before,
                               THRONG_COLUMN_fsm_asked,
                               THRONG_COLUMN_fsm_leg,
                               THRONG_COLUMN_fsm_since,
                               THRONG_COLUMN_fsm_until,
                               THRONG_COLUMN_home_x,
                               THRONG_COLUMN_home_y,
                               THRONG_COLUMN_force_x,
                               THRONG_COLUMN_force_y,
                               THRONG_COLUMN_mate};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (column == some[i])
            return true;
    return false;
}

static int column_of(int32_t mode)
{
    static const int columns[] = {THRONG_COLUMN_group, THRONG_COLUMN_vx, THRONG_COLUMN_planner, THRONG_COLUMN_goal,
                                  THRONG_COLUMN_fsm_state};
    return mode < THRONG_COLOUR_COLUMN ? columns[mode] : mode - THRONG_COLOUR_COLUMN;
}

bool throng_colouring_is_ramp(int32_t mode) { return mode == THRONG_COLOUR_SPEED || mode >= THRONG_COLOUR_COLUMN; }

static void choose(throng_viewer *viewer, int32_t mode)
{
    bool folded = viewer->colouring.folded;
    viewer->colouring = (throng_colouring){.mode = mode, .low = INFINITY, .high = -INFINITY, .folded = folded};
}

/* Recordings hold places and headings, and the script's own columns. */
static bool choose_recorded(throng_viewer *viewer, const char *name, throng_error *error)
{
    const throng_agents *agents = throng_world_agents(throng_viewer_world(viewer));
    int column = throng_agents_column_named(agents, name);
    bool recorded = column == THRONG_COLUMN_vx || column == THRONG_COLUMN_vy || column >= THRONG_COLUMN_GIVEN;
    if (!recorded && strcmp(name, "walking") != 0) {
        char list[512] = "walking, vx, vy";
        for (int c = THRONG_COLUMN_GIVEN; c < throng_agents_columns(agents); c++)
            strcat(strcat(list, ", "), throng_agents_column(agents, c)->name);
        return throng_fail(error, "--colour: '%.40s' is not in this recording; expected one of: %s", name, list);
    }
    choose(viewer, recorded ? THRONG_COLOUR_COLUMN + column : THRONG_COLOUR_SPEED);
    return true;
}

void throng_colouring_keep(throng_viewer *viewer)
{
    if (column_of(viewer->colouring.mode) >= throng_agents_columns(throng_world_agents(throng_viewer_world(viewer))))
        choose(viewer, THRONG_COLOUR_GROUP);
}

static int32_t mode_of(int column)
{
    switch (column) {
    case THRONG_COLUMN_group: return THRONG_COLOUR_GROUP;
    case THRONG_COLUMN_planner: return THRONG_COLOUR_PLANNER;
    case THRONG_COLUMN_goal: return THRONG_COLOUR_GOAL;
    case THRONG_COLUMN_fsm_state: return THRONG_COLOUR_STATE;
    default: return THRONG_COLOUR_COLUMN + column;
    }
}

bool throng_colouring_choose(throng_viewer *viewer, const char *name, throng_error *error)
{
    if (viewer->def->replay)
        return choose_recorded(viewer, name, error);

    const char *names[THRONG_COLUMN_COUNT + 2];
    char list[1024];
    int count = 0;
    names[count++] = "walking";
    const throng_agents *agents = throng_world_agents(throng_viewer_world(viewer));
    for (int c = 0; c < throng_agents_columns(agents); c++)
        names[count++] = throng_agents_column(agents, c)->name;
    names[count] = NULL;
    int column = throng_agents_column_named(agents, name);
    if (strcmp(name, "walking") == 0)
        choose(viewer, THRONG_COLOUR_SPEED);
    else if (column >= 0)
        choose(viewer, mode_of(column));
    else {
        throng_list_names(list, sizeof list, names);
        return throng_fail(error, "--colour: there is no column '%s'; expected one of: %.800s", name, list);
    }
    return true;
}

/* ---- values */

typedef struct values {
    const float *a, *b; /* of floats; b: the second component of a velocity */
    const int32_t *whole;
    double everybody; /* where there is no array */
} values;

throng_column_set throng_colouring_columns(const throng_viewer *viewer)
{
    throng_column_set second = viewer->colouring.mode == THRONG_COLOUR_SPEED ? THRONG_COLUMN_BIT(vy) : 0;
    return THRONG_COLUMN_SET(column_of(viewer->colouring.mode)) | second;
}

static bool read_values(throng_viewer *viewer, int32_t mode, values *v, throng_error *error)
{
    int column = column_of(mode);
    const void *data = throng_shown_column(viewer, column, error);
    *v = (values){.everybody = throng_columns[column].initial};
    if (throng_columns[column].is_float)
        v->a = data;
    else
        v->whole = data;
    if (mode == THRONG_COLOUR_SPEED)
        v->b = data ? throng_shown_column(viewer, THRONG_COLUMN_vy, error) : NULL;
    return !throng_shown_holds(viewer, column) || (data && (mode != THRONG_COLOUR_SPEED || v->b));
}

static float value_at(const values *v, int32_t slot)
{
    if (v->whole)
        return (float)v->whole[slot];
    if (!v->a)
        return (float)v->everybody;
    return v->b ? hypotf(v->a[slot], v->b[slot]) : v->a[slot];
}

static bool differs(throng_viewer *viewer, int32_t mode)
{
    values v;
    if (viewer->crowd.count == 0 || !read_values(viewer, mode, &v, NULL))
        return false;
    float first = value_at(&v, viewer->crowd.slot[0]);
    for (int32_t i = 1; i < viewer->crowd.count; i++)
        if (value_at(&v, viewer->crowd.slot[i]) != first)
            return true;
    return false;
}

static bool worth_it(throng_viewer *viewer, int32_t mode)
{
    if (mode < THRONG_COLOUR_COLUMN)
        return mode == THRONG_COLOUR_GROUP ||
               (throng_shown_knows(viewer, column_of(mode)) &&
                (mode != THRONG_COLOUR_STATE || throng_shown_holds(viewer, THRONG_COLUMN_fsm_state)));
    return !passed_over(mode - THRONG_COLOUR_COLUMN) && differs(viewer, mode);
}

void throng_colouring_next(throng_viewer *viewer, int step)
{
    int32_t mode = viewer->colouring.mode;
    do
        mode = (mode + step + MODES) % MODES;
    while (!worth_it(viewer, mode));
    choose(viewer, mode);
}

/* ---- painting */

throng_colour throng_colouring_ramp(double t) { return throng_colour_fade(throng_theme_ramp(0.14 + 0.86 * t), 1); }

static double shade(const throng_colouring *c, double value)
{
    return c->high > c->low ? fmin(fmax((value - c->low) / (c->high - c->low), 0), 1) : 0.5;
}

static void widen(throng_viewer *viewer, const values *v)
{
    throng_colouring *c = &viewer->colouring;
    for (int32_t i = 0; i < viewer->crowd.count; i++) {
        double value = (double)value_at(v, viewer->crowd.slot[i]);
        c->low = isfinite(value) ? fmin(c->low, value) : c->low;
        c->high = isfinite(value) ? fmax(c->high, value) : c->high;
    }
    if (c->mode == THRONG_COLOUR_SPEED)
        c->low = 0;
}

/* Planners by their kind, whatever their parameters; states of one name are one, whichever machine's. */
static int32_t class_of(const throng_viewer *viewer, int32_t value)
{
    const throng_world *world = throng_viewer_world(viewer);
    if (viewer->colouring.mode == THRONG_COLOUR_PLANNER)
        return throng_world_planner_kind(world, value);
    for (int32_t k = 0;
         viewer->colouring.mode == THRONG_COLOUR_STATE && k < value && value < throng_world_states(world); k++)
        if (strcmp(throng_world_state_name(world, k), throng_world_state_name(world, value)) == 0)
            return k;
    return value;
}

SDL_Color throng_colouring_class(const throng_viewer *viewer, int32_t value)
{
    uint32_t rgb;
    bool own = viewer->colouring.mode == THRONG_COLOUR_GROUP &&
               throng_world_group_colour(throng_viewer_world(viewer), value, &rgb);
    if (own)
        return throng_view_shade(throng_colour_hex(rgb));
    return value < 0 ? throng_view_colour(THRONG_STYLE_FAINT_INK, 1) : throng_view_shade(throng_theme_group(value));
}

enum { CLASSES = 4096 }; /* that are told apart, from -1 on */

/* Of each value that occurs: its class and colour are looked up once. */
typedef struct value_class {
    int32_t value, count; /* value: the class's */
    SDL_Color colour;
} value_class;

/* How many are of each class, ascending; classes beyond the legend's room are left out. */
static void list_classes(throng_colouring *c, const value_class *classes)
{
    c->classes = 0;
    for (int32_t i = 0; i < CLASSES; i++) {
        int32_t at = 0;
        while (classes[i].count > 0 && at < c->classes && c->listed[at].value != classes[i].value)
            at++;
        if (classes[i].count == 0 || at == THRONG_LEGEND_ROWS)
            continue;
        if (at == c->classes)
            c->classes++, c->listed[at].value = classes[i].value, c->listed[at].count = 0;
        c->listed[at].count += classes[i].count;
    }
}

static void paint_classes(throng_viewer *viewer, const values *v)
{
    throng_crowd *crowd = &viewer->crowd;
    static value_class classes[CLASSES];
    memset(classes, 0, sizeof classes);
    for (int32_t i = 0; i < crowd->count; i++) {
        int32_t value = (int32_t)value_at(v, crowd->slot[i]);
        value_class *of = &classes[value < -1 ? 0 : value + 1 < CLASSES ? value + 1 : CLASSES - 1];
        if (of->count++ == 0) {
            of->value = class_of(viewer, value);
            of->colour = throng_colouring_class(viewer, of->value);
        }
        crowd->colour[i] = of->colour;
    }
    list_classes(&viewer->colouring, classes);
}

static void paint_ramp(throng_viewer *viewer, const values *v)
{
    throng_crowd *crowd = &viewer->crowd;
    SDL_Color shades[64];
    widen(viewer, v);
    for (int i = 0; i < 64; i++)
        shades[i] = throng_view_shade(throng_colouring_ramp(i / 63.0));
    for (int32_t i = 0; i < crowd->count; i++)
        crowd->colour[i] = shades[(int)(63 * shade(&viewer->colouring, (double)value_at(v, crowd->slot[i])) + 0.5)];
}

/* Of a frame whose agents were coloured by something else, the rest of which was not fetched. */
static void paint_unknown(throng_viewer *viewer)
{
    SDL_Color faint = throng_view_colour(THRONG_STYLE_FAINT_INK, 1);
    for (int32_t i = 0; i < viewer->crowd.count; i++)
        viewer->crowd.colour[i] = faint;
}

bool throng_colouring_paint(throng_viewer *viewer, throng_error *error)
{
    values v;
    if (!throng_shown_knows(viewer, column_of(viewer->colouring.mode)) && !viewer->past.replay) {
        paint_unknown(viewer);
        return true;
    }
    if (!read_values(viewer, viewer->colouring.mode, &v, error))
        return false;
    if (throng_colouring_is_ramp(viewer->colouring.mode))
        paint_ramp(viewer, &v);
    else
        paint_classes(viewer, &v);
    return true;
}
