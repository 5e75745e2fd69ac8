/* The plan: grid, image, floor, walls, regions, doors, and what is being drawn. */
#include "editor_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map/geometry.h"

enum { MOST_CORNERS = 512, SPAWN = 0x0072b2 };

static throng_point pixel(const throng_editor *editor, throng_point p)
{
    return throng_view_point(&editor->view.camera, p.x, p.y);
}

/* Level and upright ones lie on whole pixels. */
static void line(throng_editor *editor, throng_point a, throng_point b, double width, SDL_Color colour)
{
    throng_point p = pixel(editor, a), q = pixel(editor, b);
    double thick = fmax(1, floor(width * editor->view.unit + 0.5)), half = floor(thick / 2);
    double x0 = floor(fmin(p.x, q.x)), y0 = floor(fmin(p.y, q.y)), x1 = floor(fmax(p.x, q.x)),
           y1 = floor(fmax(p.y, q.y));
    if (a.x == b.x || a.y == b.y) {
        throng_batch_rect(&editor->view.batch, a.x == b.x ? x0 - half : x0, a.x == b.x ? y0 : y0 - half,
                          a.x == b.x ? x0 - half + thick : x1 + 1, a.x == b.x ? y1 + 1 : y0 - half + thick, colour);
        return;
    }
    throng_batch_line(&editor->view.batch, p.x, p.y, q.x, q.y, width * editor->view.unit, colour, colour);
}

static void dot(throng_editor *editor, throng_point at, double radius, SDL_Color colour)
{
    throng_point p = pixel(editor, at);
    throng_batch_disc(&editor->view.batch, floorf((float)p.x) + 0.5f, floorf((float)p.y) + 0.5f,
                      (float)(radius * editor->view.unit), colour);
}

static bool in_sight(const throng_editor *editor, const throng_bounds *b)
{
    throng_point low = pixel(editor, (throng_point){b->x0, b->y0}), high = pixel(editor, (throng_point){b->x1, b->y1});
    return high.x >= 0 && low.x <= editor->view.width && low.y >= 0 && high.y <= editor->view.height;
}

/* ---- ground */

/* Every so many metres a fine line, every fifth a little stronger. */
static void draw_grid(throng_editor *editor)
{
    const throng_plan_view *c = &editor->view.camera;
    double step = throng_style_round_up(14 * editor->view.unit / c->scale);
    double width = editor->view.width, height = editor->view.height;
    for (int upright = 0; upright < 2; upright++) {
        double from = upright ? -c->x / c->scale : (c->y - height) / c->scale;
        double to = upright ? (width - c->x) / c->scale : c->y / c->scale;
        for (double k = floor(from / step); k <= to / step; k++) {
            SDL_Color ink = throng_view_colour(THRONG_STYLE_RULE, fmod(k, 5) == 0 ? 0.6f : 0.22f);
            double at = floor(upright ? c->x + k * step * c->scale : c->y - k * step * c->scale);
            throng_batch_rect(&editor->view.batch, upright ? at : 0, upright ? 0 : at, upright ? at + 1 : width,
                              upright ? height : at + 1, ink);
        }
    }
}

static void fill(throng_editor *editor, const throng_point *points, int32_t count, SDL_Color colour)
{
    SDL_FPoint corners[MOST_CORNERS];
    count = count > MOST_CORNERS ? MOST_CORNERS : count;
    for (int32_t i = 0; i < count; i++) {
        throng_point p = pixel(editor, points[i]);
        corners[i] = (SDL_FPoint){(float)p.x, (float)p.y};
    }
    throng_batch_convex(&editor->view.batch, corners, count, colour);
}

/* Of a polygon that need not be convex. */
static void fill_any(throng_editor *editor, const throng_edit_thing *thing, SDL_Color colour)
{
    throng_geos *geos = &editor->doc.geos;
    if (throng_edit_convex(thing->points, thing->count, NULL)) {
        fill(editor, thing->points, thing->count, colour);
        return;
    }
    throng_ring_list rings = {0};
    GEOSGeometry *area = throng_geos_polygon(geos, thing->points, thing->count);
    if (area && throng_geos_replace(geos, &area, GEOSConstrainedDelaunayTriangulation_r(geos->handle, area)) &&
        throng_geos_rings(geos, area, &rings))
        for (int32_t r = 0; r < rings.count; r++)
            fill(editor, rings.points + rings.start[r], throng_ring_list_end(&rings, r) - rings.start[r], colour);
    throng_ring_list_fini(&rings);
    throng_geos_free(geos, area);
}

static void draw_floor(throng_editor *editor)
{
    SDL_Color floor = throng_view_colour(THRONG_STYLE_FREE, editor->image.texture && !editor->image.hidden ? 0.5f : 1);
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *face = editor->doc.things[slot];
        if (face && face->kind == THRONG_EDIT_FACE && in_sight(editor, &face->bounds))
            fill(editor, face->points, face->count, floor);
    }
}

static bool side_in_sight(const throng_editor *editor, const throng_edit_side *s)
{
    throng_bounds b = {fmin(s->a.x, s->b.x), fmin(s->a.y, s->b.y), fmax(s->a.x, s->b.x), fmax(s->a.y, s->b.y)};
    return in_sight(editor, &b);
}

/* Shared sides are fine blue lines, the others walls, round where they meet. */
static void draw_sides(throng_editor *editor)
{
    const throng_edit_sides *sides = throng_editor_sides(editor);
    SDL_Color open = throng_view_colour(THRONG_STYLE_LINE, 0.4f), wall = throng_view_colour(THRONG_STYLE_WALL, 1);
    double thick = fmin(fmax(0.1 * editor->view.camera.scale / editor->view.unit, 1.6), 3);
    for (int32_t i = 0; i < sides->count; i++)
        if (sides->list[i].other > sides->list[i].slot && side_in_sight(editor, &sides->list[i]))
            line(editor, sides->list[i].a, sides->list[i].b, 1, open);
    for (int32_t i = 0; i < sides->count; i++) {
        const throng_edit_side *s = &sides->list[i];
        if (s->other >= 0 || !side_in_sight(editor, s))
            continue;
        line(editor, s->a, s->b, thick, wall);
        if (s->a.x == s->b.x || s->a.y == s->b.y)
            continue; /* square ends */
        dot(editor, s->a, thick / 2, wall);
        dot(editor, s->b, thick / 2, wall);
    }
}

/* ---- regions and doors */

static uint32_t region_colour(const throng_edit_thing *region)
{
    const char *purpose = throng_trial_purpose(region->group, region->name);
    if (!purpose)
        return THRONG_STYLE_REGION;
    return strcmp(purpose, "exits") == 0 ? (uint32_t)THRONG_STYLE_EXIT : (uint32_t)SPAWN;
}

static void outline(throng_editor *editor, const throng_edit_thing *thing, double width, SDL_Color colour)
{
    for (int32_t i = 0; i < thing->count - throng_edit_is_line(thing); i++)
        line(editor, thing->points[i], thing->points[(i + 1) % thing->count], width, colour);
}

/* Its name and its people, where there is room for them. */
static void label(throng_editor *editor, const throng_edit_thing *region)
{
    throng_point low = pixel(editor, (throng_point){region->bounds.x0, region->bounds.y0}),
                 high = pixel(editor, (throng_point){region->bounds.x1, region->bounds.y1});
    double u = editor->view.unit, x = (low.x + high.x) / 2, y = (low.y + high.y) / 2, height = low.y - high.y;
    throng_lettering style = throng_style_bold(13 * u, 0, THRONG_ALIGN_CENTRE);
    const throng_property *people = throng_properties_find(&region->properties, "count");
    bool two = people && height > 44 * u;
    if (throng_text_width(&style, region->name) > 1.3 * (high.x - low.x) || height < 16 * u)
        return;
    throng_view_text(&editor->view, x, y + (two ? 0 : 5 * u), 13, region_colour(region), true, THRONG_ALIGN_CENTRE,
                     "%.60s", region->name);
    if (two)
        throng_view_text(&editor->view, x, y + 17 * u, 12, region_colour(region), false, THRONG_ALIGN_CENTRE,
                         "%.12s people", people->value);
}

static void draw_regions(throng_editor *editor, bool labels)
{
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *region = editor->doc.things[slot];
        if (!region || region->kind != THRONG_EDIT_REGION || !in_sight(editor, &region->bounds))
            continue;
        if (labels) {
            outline(editor, region, 1.5, throng_view_colour(region_colour(region), 0.65f));
            label(editor, region);
        } else {
            fill_any(editor, region, throng_view_colour(region_colour(region), 0.13f));
        }
    }
}

/* A bar with a post at each end. */
static void draw_doors(throng_editor *editor)
{
    SDL_Color leaf = throng_view_colour(THRONG_STYLE_DOOR, 1), white = throng_view_colour(0xffffff, 1);
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *door = editor->doc.things[slot];
        if (!door || door->kind != THRONG_EDIT_DOOR)
            continue;
        outline(editor, door, 5.5, white);
        outline(editor, door, 3.5, leaf);
        for (int end = 0; end < 2; end++) {
            dot(editor, door->points[end], 4.5, white);
            dot(editor, door->points[end], 3.2, leaf);
        }
    }
}

/* ---- lengths */

/* On a small white plate, so that it can be read on anything. */
static void plate(throng_editor *editor, double x, double y, uint32_t rgb, const char *text)
{
    double u = editor->view.unit;
    throng_lettering style = throng_style_letters(12 * u, 0, THRONG_ALIGN_CENTRE);
    double half = throng_text_width(&style, text) / 2 + 5 * u;
    throng_batch_rect(&editor->view.batch, floor(x - half), floor(y - 9 * u), floor(x + half), floor(y + 9 * u),
                      throng_view_colour(0xffffff, 0.9f));
    throng_view_text(&editor->view, x, y + 4.2 * u, 12, rgb, false, THRONG_ALIGN_CENTRE, "%s", text);
}

/* So many units on the right of the way from a to b, or on its left; not of short sides. */
static void length(throng_editor *editor, throng_point a, throng_point b, double aside, uint32_t rgb)
{
    throng_point p = pixel(editor, a), q = pixel(editor, b), middle = throng_between(p, q, 0.5);
    double along = throng_distance(p, q), u = editor->view.unit;
    char text[32];
    if (along < 64 * u)
        return;
    double nx = (q.y - p.y) / along, ny = -(q.x - p.x) / along, away = aside * (1 + fabs(nx)) * u; /* plates are wide */
    snprintf(text, sizeof text, "%.2f m", throng_distance(a, b));
    plate(editor, middle.x + away * nx, middle.y + away * ny, rgb, text);
}

/* ---- what is chosen, and what is in the way */

static void draw_selected(throng_editor *editor)
{
    const throng_edit_thing *thing = throng_edit_thing_at(&editor->doc, editor->selected);
    SDL_Color blue = throng_view_colour(THRONG_STYLE_LINE, 1), white = throng_view_colour(0xffffff, 1);
    if (!thing)
        return;
    if (!throng_edit_is_line(thing))
        fill_any(editor, thing, throng_view_colour(THRONG_STYLE_LINE, 0.09f));
    outline(editor, thing, 2, blue);
    for (int32_t i = 0; i < thing->count; i++) {
        dot(editor, thing->points[i], 5, blue);
        dot(editor, thing->points[i], 3.4, white);
    }
    for (int32_t i = 0; thing->count <= 12 && i < thing->count - throng_edit_is_line(thing); i++)
        length(editor, thing->points[i], thing->points[(i + 1) % thing->count], -16, THRONG_STYLE_FAINT_INK);
}

static void draw_refused(throng_editor *editor)
{
    const throng_edit_refusal *why = &editor->refused.why;
    const throng_edit_thing *in_the_way = throng_edit_thing_at(&editor->doc, why->slot);
    if (editor->view.clock >= editor->refused.until)
        return;
    if (in_the_way) {
        if (!throng_edit_is_line(in_the_way))
            fill_any(editor, in_the_way, throng_view_colour(THRONG_EDITOR_WARN, 0.15f));
        outline(editor, in_the_way, 2.5, throng_view_colour(THRONG_EDITOR_WARN, 1));
    } else if (isfinite(why->at.x)) {
        dot(editor, why->at, 7, throng_view_colour(THRONG_EDITOR_WARN, 0.3f));
        dot(editor, why->at, 3.5, throng_view_colour(THRONG_EDITOR_WARN, 1));
    }
}

/* ---- what is being drawn */

/* Shows why the outline would be refused; the colour it is drawn in. */
static uint32_t judge(throng_editor *editor, const throng_point *points, int32_t count)
{
    throng_edit_refusal why = {.at = {NAN, NAN}, .slot = -1};
    if (editor->tool != THRONG_TOOL_FACE || count < 3)
        return editor->tool == THRONG_TOOL_SPAWN  ? (uint32_t)SPAWN
               : editor->tool == THRONG_TOOL_EXIT ? (uint32_t)THRONG_STYLE_EXIT
                                                  : (uint32_t)THRONG_STYLE_LINE;
    if (throng_edit_face_fits(&editor->doc, points, count, &why))
        return THRONG_STYLE_LINE;
    const throng_edit_thing *other = throng_edit_thing_at(&editor->doc, why.slot);
    if (other) {
        fill(editor, other->points, other->count, throng_view_colour(THRONG_EDITOR_WARN, 0.12f));
        outline(editor, other, 2.5, throng_view_colour(THRONG_EDITOR_WARN, 0.9f));
    } else if (isfinite(why.at.x)) {
        dot(editor, why.at, 8, throng_view_colour(THRONG_EDITOR_WARN, 0.3f));
    }
    return THRONG_EDITOR_WARN;
}

static void draw_outline(throng_editor *editor)
{
    throng_point points[THRONG_EDITOR_CORNERS + 4];
    int32_t count = throng_tool_outline(editor, points);
    if (count == 0)
        return;
    bool area = throng_tool_draws_area(editor->tool);
    uint32_t rgb = area ? judge(editor, points, count) : (uint32_t)THRONG_STYLE_LINE;
    SDL_Color ink = throng_view_colour(rgb, 1), white = throng_view_colour(0xffffff, 1);
    if (area && throng_edit_convex(points, count, NULL))
        fill(editor, points, count, throng_view_colour(rgb, 0.1f));
    for (int32_t i = 0; i + 1 < count; i++)
        line(editor, points[i], points[i + 1], 2, ink);
    if (area && count > 2)
        line(editor, points[count - 1], points[0], throng_tool_closes(editor) ? 2 : 1, throng_view_colour(rgb, 0.6f));
    for (int32_t i = 0; i < count; i++) {
        dot(editor, points[i], 4.5, ink);
        dot(editor, points[i], 2.9, i == 0 && throng_tool_closes(editor) ? ink : white);
    }
    bool box = editor->drag.grip == THRONG_GRIP_BOX;
    double outside = count > 2 && throng_ring_area(points, count) > 0 ? -16 : 16;
    for (int32_t i = box ? 0 : count > 1 ? count - 2 : 0; i + 1 < count; i++)
        length(editor, points[i], points[i + 1], outside, rgb);
}

/* Where a click would put a corner. */
static void draw_catch(throng_editor *editor)
{
    const throng_edit_snap *snap = &editor->snap;
    throng_point p = pixel(editor, snap->at);
    float u = (float)editor->view.unit;
    SDL_Color ink = throng_view_colour(THRONG_STYLE_LINE, snap->what >= THRONG_EDIT_ON_SIDE ? 1 : 0.45f);
    if (!editor->on_plan || editor->tool == THRONG_TOOL_SELECT || editor->tool == THRONG_TOOL_MERGE ||
        editor->trial.world)
        return;
    if (snap->what == THRONG_EDIT_ON_CORNER)
        throng_batch_ring(&editor->view.batch, (float)p.x, (float)p.y, 8 * u, ink);
    else if (editor->count == 0 && editor->drag.grip != THRONG_GRIP_BOX)
        throng_batch_disc(&editor->view.batch, (float)p.x, (float)p.y, 3 * u, ink);
}

static void draw_hover(throng_editor *editor)
{
    const throng_edit_side *side = NULL;
    int32_t slot = -1;
    if (!editor->on_plan || editor->drag.moved || editor->trial.world)
        return;
    if (editor->tool == THRONG_TOOL_MERGE && (side = throng_tool_shared_side(editor)))
        line(editor, side->a, side->b, 4, throng_view_colour(THRONG_STYLE_LINE, 0.9f));
    if (editor->tool == THRONG_TOOL_SELECT)
        slot = throng_edit_pick(&editor->doc, editor->mouse, throng_tool_reach(editor), -1);
    const throng_edit_thing *thing = throng_edit_thing_at(&editor->doc, slot);
    if (thing && slot != editor->selected)
        outline(editor, thing, 1.5, throng_view_colour(THRONG_STYLE_LINE, 0.55f));
}

void throng_editor_draw_plan(throng_editor *editor)
{
    draw_grid(editor);
    throng_image_draw(editor);
    throng_editor_draw_below(editor);
    draw_floor(editor);
    draw_regions(editor, false);
    draw_sides(editor);
    draw_regions(editor, true);
    draw_doors(editor);
    throng_editor_draw_links(editor);
    throng_editor_draw_walkers(editor);
    draw_hover(editor);
    draw_selected(editor);
    draw_refused(editor);
    draw_outline(editor);
    draw_catch(editor);
}
