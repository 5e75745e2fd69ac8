#include "view_parts.h"

#include <math.h>
#include <stdio.h>

int32_t throng_agent_at(const throng_viewer *viewer, double x, double y)
{
    const throng_crowd *crowd = &viewer->crowd;
    throng_point at = throng_camera_map(viewer, x, y);
    double slack = 4 * viewer->unit / viewer->camera.scale, best = INFINITY;
    int32_t found = -1;
    for (int32_t i = 0; i < crowd->count; i++) {
        double away = hypot((double)crowd->x[i] - at.x, (double)crowd->y[i] - at.y) - (double)crowd->radius[i];
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

static float value_of(throng_viewer *viewer, int column, int32_t slot)
{
    const void *data = throng_shown_column(viewer, column, NULL);
    if (!data)
        return viewer->past.shown ? (float)throng_columns[column].initial : NAN;
    return throng_columns[column].is_float ? ((const float *)data)[slot] : (float)((const int32_t *)data)[slot];
}

static throng_point place_of(const throng_viewer *viewer, int32_t entry)
{
    return throng_view_point(&viewer->camera, viewer->crowd.x[entry], viewer->crowd.y[entry]);
}

static void line(throng_viewer *viewer, throng_point a, throng_point b, double width, SDL_Color colour)
{
    throng_batch_line(&viewer->batch, a.x, a.y, b.x, b.y, width * viewer->unit, colour, colour);
}

static void mark_neighbours(throng_viewer *viewer, int32_t entry)
{
    int32_t neighbours[THRONG_NEIGHBOURS_MAX];
    SDL_Color colour = throng_view_colour(THRONG_STYLE_INK, 0.45f);
    int32_t count = viewer->past.shown
                        ? 0
                        : throng_world_neighbours(throng_viewer_world(viewer), viewer->crowd.slot[entry], neighbours);
    for (int32_t i = 0; i < count; i++) {
        int32_t other = throng_crowd_find(&viewer->crowd, neighbours[i]);
        if (other >= 0)
            line(viewer, place_of(viewer, entry), place_of(viewer, other), 1, colour);
    }
}

static void mark_way(throng_viewer *viewer, int32_t entry)
{
    throng_path way;
    SDL_Color colour = throng_view_colour(THRONG_STYLE_EXIT, 0.9f);
    if (viewer->past.shown || !throng_world_way(throng_viewer_world(viewer), viewer->crowd.slot[entry], &way, NULL))
        return;
    throng_point from = place_of(viewer, entry);
    for (int32_t i = 1; i < way.count; i++) {
        throng_point to = throng_view_point(&viewer->camera, way.corners[i].x, way.corners[i].y);
        line(viewer, from, to, 1.8, colour);
        from = to;
    }
    if (way.count > 0)
        throng_batch_ring(&viewer->batch, (float)from.x, (float)from.y, (float)(6 * viewer->unit), colour);
    throng_path_fini(&way);
}

/* Preferred velocity and velocity: where it would be in a second. */
static void mark_velocities(throng_viewer *viewer, int32_t entry)
{
    int32_t slot = viewer->crowd.slot[entry];
    double scale = viewer->camera.scale;
    throng_point at = place_of(viewer, entry);
    throng_point wish = {at.x + scale * (double)value_of(viewer, THRONG_COLUMN_desired_vx, slot),
                         at.y - scale * (double)value_of(viewer, THRONG_COLUMN_desired_vy, slot)};
    throng_point walk = {at.x + scale * (double)value_of(viewer, THRONG_COLUMN_vx, slot),
                         at.y - scale * (double)value_of(viewer, THRONG_COLUMN_vy, slot)};
    if (throng_shown_knows(viewer, THRONG_COLUMN_desired_vx))
        line(viewer, at, wish, 2, throng_view_colour(THRONG_STYLE_EXIT, 0.6f));
    line(viewer, at, walk, 3, throng_view_colour(THRONG_STYLE_INK, 0.85f));
}

void throng_agent_mark(throng_viewer *viewer)
{
    int32_t entry = chosen_entry(viewer);
    if (entry < 0)
        return;
    throng_point at = place_of(viewer, entry);
    float radius = viewer->crowd.radius[entry] * (float)viewer->camera.scale, unit = (float)viewer->unit;
    mark_neighbours(viewer, entry);
    mark_way(viewer, entry);
    mark_velocities(viewer, entry);
    throng_batch_ring(&viewer->batch, (float)at.x, (float)at.y, fmaxf(radius, 3 * unit) + 3 * unit,
                      throng_view_colour(THRONG_STYLE_INK, 0.9f));
}

/* ---- the panel */

enum { WIDTH = 250, PAD = 16, ROW = 19, TOP = 16, HEAD = 46, DIGITS = 12 };

static bool in_rows(const throng_viewer *viewer, int column)
{
    return throng_shown_knows(viewer, column) && column != THRONG_COLUMN_kind && column != THRONG_COLUMN_state &&
           column != THRONG_COLUMN_goal && column != THRONG_COLUMN_planner;
}

static int32_t rows_of_panel(const throng_viewer *viewer)
{
    int32_t rows = viewer->past.replay ? 1 : viewer->past.shown ? 3 : 5; /* those that are no column's */
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        rows += in_rows(viewer, c);
    return rows;
}

/* Pixels a row: closer together in low windows. */
static double row_height(const throng_viewer *viewer)
{
    double u = viewer->unit, room = viewer->height - throng_hud_bar_height(viewer) - (2 * TOP + HEAD + PAD) * u;
    return fmin(ROW * u, room / rows_of_panel(viewer));
}

static void put(throng_viewer *viewer, double x, double *y, const char *name, const char *value, const char *unit)
{
    double u = viewer->unit, right = x + (WIDTH - PAD) * u;
    throng_view_text(viewer, x + PAD * u, *y, DIGITS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s", name);
    throng_view_text(viewer, right - 34 * u, *y, DIGITS, THRONG_STYLE_INK, false, THRONG_ALIGN_RIGHT, "%s", value);
    throng_view_text(viewer, right - 30 * u, *y, DIGITS, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s", unit);
    *y += row_height(viewer);
}

static void put_number(throng_viewer *viewer, double x, double *y, const char *name, double value, const char *unit)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", fabs(value) < 1e-6 ? 0 : value);
    put(viewer, x, y, name, text, unit);
}

static void put_goal(throng_viewer *viewer, double x, double *y, int32_t slot)
{
    throng_path way;
    char text[64] = "none";
    int32_t goal = (int32_t)value_of(viewer, THRONG_COLUMN_goal, slot);
    if (goal >= 0)
        snprintf(text, sizeof text, "%d%s", goal,
                 !viewer->past.shown && value_of(viewer, THRONG_COLUMN_arrived, slot) >= 0 ? ", arrived" : "");
    put(viewer, x, y, "goal", text, "");
    if (goal < 0 || viewer->past.shown || !throng_world_way(throng_viewer_world(viewer), slot, &way, NULL))
        return;
    put_number(viewer, x, y, "way left", way.length, "m");
    throng_path_fini(&way);
}

static void put_rows(throng_viewer *viewer, double x, double y, int32_t slot)
{
    int32_t neighbours[THRONG_NEIGHBOURS_MAX];
    throng_world *world = throng_viewer_world(viewer);
    int32_t planner = (int32_t)value_of(viewer, THRONG_COLUMN_planner, slot);
    if (throng_shown_knows(viewer, THRONG_COLUMN_planner)) {
        put(viewer, x, &y, "planner", throng_planner_names[throng_world_planner_kind(world, planner)], "");
        put_goal(viewer, x, &y, slot);
    }
    put_number(
        viewer, x, &y, "walking",
        hypot((double)value_of(viewer, THRONG_COLUMN_vx, slot), (double)value_of(viewer, THRONG_COLUMN_vy, slot)),
        "m/s");
    if (!viewer->past.shown)
        put_number(viewer, x, &y, "seen now", throng_world_neighbours(throng_viewer_world(viewer), slot, neighbours),
                   "");
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        if (in_rows(viewer, c))
            put_number(viewer, x, &y, throng_columns[c].name, (double)value_of(viewer, c, slot),
                       throng_columns[c].unit);
}

void throng_agent_panel(throng_viewer *viewer)
{
    int32_t entry = chosen_entry(viewer);
    if (entry < 0)
        return;
    int32_t slot = viewer->crowd.slot[entry];
    throng_world *world = throng_viewer_world(viewer);
    double u = viewer->unit, x = viewer->width - (WIDTH + 16) * u, y = TOP * u;
    const char *kind =
        viewer->past.replay ? NULL : throng_world_kind_name(world, (int32_t)value_of(viewer, THRONG_COLUMN_kind, slot));
    throng_hud_card(viewer, x, y, x + WIDTH * u, y + (HEAD + PAD) * u + rows_of_panel(viewer) * row_height(viewer));
    throng_batch_disc(&viewer->batch, (float)(x + (PAD + 6) * u), (float)(y + 24 * u), (float)(6 * u),
                      viewer->crowd.colour[entry]);
    throng_view_text(viewer, x + (PAD + 20) * u, y + 29 * u, 15, THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT, "%.18s %d",
                     kind ? kind : "agent", viewer->chosen.id);
    if (viewer->chosen.followed)
        throng_view_text(viewer, x + (WIDTH - PAD) * u, y + 29 * u, DIGITS, THRONG_STYLE_LINE, false,
                         THRONG_ALIGN_RIGHT, "followed");
    put_rows(viewer, x, y + (HEAD + 12) * u, slot);
}
