#include "view_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "navigation/path_floors.h"

static const double TALL = 1.7; /* m */

int32_t throng_agent_at(const throng_viewer *viewer, double x, double y)
{
    const throng_crowd *crowd = &viewer->crowd;
    if (viewer->ride.mode)
        return -1; /* nobody is where the plan has them */
    throng_point at = throng_camera_map(viewer, x, y);
    double slack = 4 * viewer->unit / viewer->camera.scale, best = INFINITY;
    double tall = viewer->floors.mode == THRONG_FLOORS_STACKED ? TALL * throng_floors_upright(viewer) : 0;
    int32_t found = -1;
    for (int32_t i = 0; i < crowd->count; i++) {
        double up = fmin(fmax(at.y - (double)crowd->y[i], 0), tall); /* the nearest point of who stands upright */
        double away = hypot((double)crowd->x[i] - at.x, (double)crowd->y[i] + up - at.y) - (double)crowd->radius[i];
        if (away < slack && away < best) {
            best = away;
            found = i;
        }
    }
    return found;
}

void throng_agent_choose(throng_viewer *viewer, int32_t entry, bool follow)
{
    const int32_t *ids = throng_shown_column(viewer, THRONG_COLUMN_id, NULL);
    bool any = entry >= 0 && ids;
    viewer->chosen =
        (throng_chosen){.any = any, .followed = any && follow, .id = any ? ids[viewer->crowd.slot[entry]] : -1};
}

int32_t throng_agent_entry(throng_viewer *viewer)
{
    const throng_crowd *crowd = &viewer->crowd;
    const int32_t *ids = viewer->chosen.any ? throng_shown_column(viewer, THRONG_COLUMN_id, NULL) : NULL;
    for (int32_t i = 0; ids && i < crowd->count; i++)
        if (ids[crowd->slot[i]] == viewer->chosen.id)
            return i;
    return -1;
}

/* The same; whoever is gone for good is no longer chosen. */
static int32_t chosen_entry(throng_viewer *viewer)
{
    int32_t entry = throng_agent_entry(viewer);
    if (entry < 0 && viewer->chosen.any && !viewer->past.shown) {
        throng_viewer_note(viewer, "the agent is gone");
        viewer->chosen = (throng_chosen){0};
    }
    return entry;
}

/* Of the chosen one, whose entry this is. */
static double value_of(throng_viewer *viewer, int column, int32_t entry)
{
    const throng_asked *asked = throng_asked_of(viewer, entry);
    const void *data = asked ? NULL : throng_shown_column(viewer, column, NULL);
    int32_t slot = viewer->crowd.slot[entry];
    if (asked)
        return (double)asked->value[column];
    if (!data)
        return throng_columns[column].initial;
    return throng_columns[column].is_float ? (double)((const float *)data)[slot] : ((const int32_t *)data)[slot];
}

static throng_point place_of(const throng_viewer *viewer, int32_t entry)
{
    return throng_view_point(&viewer->camera, viewer->crowd.x[entry], viewer->crowd.y[entry]);
}

static void line(throng_viewer *viewer, throng_point a, throng_point b, double width, SDL_Color colour)
{
    throng_batch_line(&viewer->batch, a.x, a.y, b.x, b.y, width * viewer->unit, colour, colour);
}

static void mark_neighbours(throng_viewer *viewer, int32_t entry, const throng_asked *asked)
{
    SDL_Color colour = throng_view_colour(THRONG_STYLE_INK, 0.45f);
    for (int32_t i = 0; i < asked->neighbours; i++) {
        int32_t other = throng_crowd_find(&viewer->crowd, asked->neighbour[i]);
        if (other >= 0)
            line(viewer, place_of(viewer, entry), place_of(viewer, other), 1, colour);
    }
}

enum { PIECES = 4 }; /* of a path's side: halves of a flight are shown on different floors */

/* A piece of a path between two places of one floor or flight. Where it ends on the plane that is drawn. */
static throng_point mark_side(throng_viewer *viewer, throng_point a, throng_point b, SDL_Color colour)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    throng_point to = {NAN, NAN};
    for (int i = 0; i < PIECES; i++) {
        double s = (double)i / PIECES, t = (i + 1.0) / PIECES, m = (s + t) / 2;
        throng_point p = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)},
                     q = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)},
                     middle = {a.x + m * (b.x - a.x), a.y + m * (b.y - a.y)};
        if (throng_floors_sheets(viewer)) {
            int32_t sheet = throng_map_sheet_at(map, middle);
            p = throng_floors_point(viewer, sheet, throng_map_position(map, sheet, p));
            q = throng_floors_point(viewer, sheet, throng_map_position(map, sheet, q));
        }
        to = throng_view_point(&viewer->camera, q.x, q.y);
        if (isfinite(p.x) && isfinite(q.x))
            line(viewer, throng_view_point(&viewer->camera, p.x, p.y), to, 1.8, colour);
    }
    return to;
}

static void mark_path(throng_viewer *viewer, const throng_path *path)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    SDL_Color colour = throng_view_colour(THRONG_STYLE_EXIT, 0.9f);
    throng_point end = {NAN, NAN};
    for (int32_t i = 1; i < path->count; i++) {
        bool crosses = path->sheets && path->sheets[i] != path->sheets[i - 1]; /* a seam, on both sides of it */
        if (!crosses)
            end = mark_side(viewer, throng_path_place(map, path, i - 1), throng_path_place(map, path, i), colour);
    }
    if (isfinite(end.x))
        throng_batch_ring(&viewer->batch, (float)end.x, (float)end.y, (float)(6 * viewer->unit), colour);
}

/* Where it would be in a second, by two columns. */
static throng_point ahead(throng_viewer *viewer, int32_t entry, int column_x, int column_y)
{
    const throng_crowd *crowd = &viewer->crowd;
    double dx = value_of(viewer, column_x, entry), dy = value_of(viewer, column_y, entry);
    throng_point at = {(double)crowd->x[entry] + dx, (double)crowd->y[entry] + dy};
    if (viewer->floors.mode == THRONG_FLOORS_STACKED && crowd->sheet) {
        const throng_map *map = throng_world_map(throng_viewer_world(viewer));
        throng_point place = {(double)crowd->place_x[entry] + dx, (double)crowd->place_y[entry] + dy};
        at = throng_floors_point(viewer, crowd->sheet[entry], throng_map_position(map, crowd->sheet[entry], place));
    }
    return throng_view_point(&viewer->camera, at.x, at.y);
}

/* Preferred velocity and velocity. */
static void mark_velocities(throng_viewer *viewer, int32_t entry)
{
    throng_point at = place_of(viewer, entry);
    throng_point wish = ahead(viewer, entry, THRONG_COLUMN_desired_vx, THRONG_COLUMN_desired_vy);
    throng_point walk = ahead(viewer, entry, THRONG_COLUMN_vx, THRONG_COLUMN_vy);
    if (throng_asked_of(viewer, entry) || throng_shown_knows(viewer, THRONG_COLUMN_desired_vx))
        line(viewer, at, wish, 2, throng_view_colour(THRONG_STYLE_EXIT, 0.6f));
    line(viewer, at, walk, 3, throng_view_colour(THRONG_STYLE_INK, 0.85f));
}

void throng_agent_mark(throng_viewer *viewer)
{
    int32_t entry = chosen_entry(viewer);
    if (entry < 0) {
        throng_world_watch(throng_viewer_world(viewer), (throng_handle){.slot = -1});
        return;
    }
    throng_point at = place_of(viewer, entry);
    float radius = viewer->crowd.radius[entry] * (float)viewer->camera.scale, unit = (float)viewer->unit;
    const throng_asked *asked = throng_asked_of(viewer, entry);
    if (asked)
        mark_neighbours(viewer, entry, asked);
    if (asked && asked->path_known)
        mark_path(viewer, &asked->path);
    mark_velocities(viewer, entry);
    throng_batch_ring(&viewer->batch, (float)at.x, (float)at.y, fmaxf(radius, 3 * unit) + 3 * unit,
                      throng_view_colour(THRONG_STYLE_INK, 0.9f));
}

/* ---- the panel */

enum { WIDTH = 250, PAD = 16, ROW = 19, TOP = 16, HEAD = 46, DIGITS = 12, ROWS = 48 };

typedef struct panel_rows {
    struct {
        const char *name, *unit;
        char value[28];
    } row[ROWS];
    int count;
} panel_rows;

static void add(panel_rows *rows, const char *name, const char *unit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void add(panel_rows *rows, const char *name, const char *unit, const char *format, ...)
{
    if (rows->count == ROWS)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(rows->row[rows->count].value, sizeof rows->row->value, format, args);
    va_end(args);
    rows->row[rows->count].name = name;
    rows->row[rows->count++].unit = unit;
}

static void add_number(panel_rows *rows, const char *name, double value, const char *unit)
{
    add(rows, name, unit, "%.4g", fabs(value) < 1e-6 ? 0 : value);
}

static bool is_listed(throng_viewer *viewer, const throng_asked *asked, int column)
{
    int attributes = throng_columns[column].attributes;
    return !(attributes & THRONG_HIDDEN) && (asked || throng_shown_knows(viewer, column)) &&
           (!(attributes & THRONG_OPTIONAL) ||
            throng_agents_uses(throng_world_agents(throng_viewer_world(viewer)), column));
}

static void add_goal(throng_viewer *viewer, panel_rows *rows, const throng_asked *asked, int32_t entry)
{
    int32_t goal = (int32_t)value_of(viewer, THRONG_COLUMN_goal, entry);
    if (goal < 0) {
        add(rows, "goal", "", "none");
        return;
    }
    bool arrived = asked && value_of(viewer, THRONG_COLUMN_arrived, entry) >= 0;
    char words[20];
    throng_goal_words(viewer, goal, words, sizeof words);
    add(rows, "goal", "", "%s%s", words, arrived ? ", arrived" : "");
    if (asked && asked->path_known)
        add_number(rows, "path left", asked->path.length, "m");
}

static void add_machine(throng_viewer *viewer, panel_rows *rows, const throng_asked *asked, int32_t entry)
{
    throng_world *world = throng_viewer_world(viewer);
    int32_t state = (int32_t)value_of(viewer, THRONG_COLUMN_fsm_state, entry);
    double dt = throng_world_dt(world), step = throng_shown_step(viewer);
    if (state < 0 || state >= throng_world_states(world))
        return;
    add(rows, "state", "", "%.20s", throng_world_state_name(world, state));
    if (!asked)
        return;
    double since = value_of(viewer, THRONG_COLUMN_fsm_since, entry);
    double until = value_of(viewer, THRONG_COLUMN_fsm_until, entry);
    add(rows, "in it for", "s", "%.1f", (step - since) * dt);
    if (until >= 0)
        add(rows, "its timer", "s", "%.1f", (until - step) * dt);
}

static void collect(throng_viewer *viewer, panel_rows *rows, const throng_asked *asked, int32_t entry)
{
    throng_world *world = throng_viewer_world(viewer);
    int32_t planner = (int32_t)value_of(viewer, THRONG_COLUMN_planner, entry);
    if (asked || throng_shown_knows(viewer, THRONG_COLUMN_planner)) {
        add(rows, "planner", "", "%s", throng_planner_names[throng_world_planner_kind(world, planner)]);
        add_machine(viewer, rows, asked, entry);
        add_goal(viewer, rows, asked, entry);
    }
    add_number(rows, "walking",
               hypot(value_of(viewer, THRONG_COLUMN_vx, entry), value_of(viewer, THRONG_COLUMN_vy, entry)), "m/s");
    if (asked)
        add_number(rows, "seen now", asked->neighbours, "");
    const throng_agents *agents = throng_world_agents(world);
    for (int c = 0; c < throng_agents_columns(agents); c++)
        if (is_listed(viewer, asked, c))
            add_number(rows, throng_agents_column(agents, c)->name, value_of(viewer, c, entry),
                       throng_agents_column(agents, c)->unit);
}

/* Rows closer together in low windows. */
static void draw_rows(throng_viewer *viewer, double x, double y, const panel_rows *rows, double height)
{
    double u = viewer->unit, right = x + (WIDTH - PAD) * u;
    for (int i = 0; i < rows->count; i++, y += height) {
        throng_view_text(viewer, x + PAD * u, y, DIGITS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s",
                         rows->row[i].name);
        throng_view_text(viewer, right - 34 * u, y, DIGITS, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%s",
                         rows->row[i].value);
        throng_view_text(viewer, right - 30 * u, y, DIGITS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s",
                         rows->row[i].unit);
    }
}

void throng_agent_panel(throng_viewer *viewer)
{
    int32_t entry = chosen_entry(viewer);
    if (entry < 0)
        return;
    const throng_asked *asked = throng_asked_of(viewer, entry);
    panel_rows rows = {.count = 0};
    double u = viewer->unit, x = floor(viewer->width - (WIDTH + 16) * u), y = TOP * u;
    collect(viewer, &rows, asked, entry);
    double room = viewer->height - throng_hud_bar_height(viewer) - (2 * TOP + HEAD + PAD) * u;
    double height = fmin(ROW * u, room / rows.count);
    const char *kind = viewer->past.replay && !throng_shown_knows(viewer, THRONG_COLUMN_group)
                           ? NULL
                           : throng_world_group_name(throng_viewer_world(viewer),
                                                     (int32_t)value_of(viewer, THRONG_COLUMN_group, entry));
    throng_hud_card(viewer, x, y, x + WIDTH * u, y + (HEAD + PAD) * u + rows.count * height);
    throng_batch_disc(&viewer->batch, (float)(x + (PAD + 6) * u), (float)(y + 24 * u), (float)(6 * u),
                      viewer->crowd.colour[entry]);
    throng_view_text(viewer, x + (PAD + 20) * u, y + 29 * u, 15, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT, "%.18s %d",
                     kind ? kind : "agent", viewer->chosen.id);
    if (viewer->chosen.followed)
        throng_view_text(viewer, x + (WIDTH - PAD) * u, y + 29 * u, DIGITS, THRONG_STYLE_LINE, false,
                         THRONG_ALIGN_RIGHT, "followed");
    draw_rows(viewer, x, y + (HEAD + 12) * u, &rows, height);
    throng_choice_draw(viewer, asked, x);
}
