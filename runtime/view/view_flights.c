/* Stairs, ramps, belts and lifts in their places between floors, whichever way floors are shown. */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 0.3;  /* m: a stair's tread */
static const double ARROW = 1.2; /* m between the arrows on a belt */
static const double CAR = 2.2;   /* m: how tall a lift's car is */

/* Half a flight, from its end at a floor to the flight's middle: left and right sides. */
typedef struct half {
    throng_point from[2], to[2];
} half;

static half half_of(const throng_map_sheets *sheets, int32_t sheet)
{
    const throng_seam *end = &sheets->seams[throng_map_end_of(sheets, sheet)],
                      *far = &sheets->seams[throng_map_far_end_of(sheets, sheet)];
    half h = {{end->a, end->b}, {{0, 0}, {0, 0}}};
    h.to[0] = (throng_point){(end->a.x + far->a.x) / 2, (end->a.y + far->a.y) / 2};
    h.to[1] = (throng_point){(end->b.x + far->b.x) / 2, (end->b.y + far->b.y) / 2};
    return h;
}

static throng_point between(throng_point a, throng_point b, double t)
{
    return (throng_point){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

/* A position as a pixel. */
static throng_point pixel(const throng_viewer *viewer, int32_t sheet, throng_point position)
{
    throng_point at = throng_floors_point(viewer, sheet, position);
    return throng_view_point(&viewer->camera, at.x, at.y);
}

static void line(throng_viewer *viewer, throng_point a, throng_point b, double width, SDL_Color ink)
{
    throng_batch_line(&viewer->batch, a.x, a.y, b.x, b.y, width, ink, ink);
}

static void quad(throng_viewer *viewer, const throng_point *p, SDL_Color colour)
{
    SDL_FPoint corner[4];
    for (int i = 0; i < 4; i++)
        corner[i] = (SDL_FPoint){(float)p[i].x, (float)p[i].y};
    throng_batch_convex(&viewer->batch, corner, 4, colour);
}

/* ---- flights */

static void draw_steps(throng_viewer *viewer, int32_t sheet, const half *h, double length, float opacity)
{
    SDL_Color ink = throng_view_colour(THRONG_STYLE_WALL, 0.4f * opacity);
    int32_t steps = (int32_t)(length / fmax(STEP, 4 * viewer->unit / viewer->camera.scale));
    for (int32_t i = 1; i < steps; i++) {
        double t = (double)i / steps;
        line(viewer, pixel(viewer, sheet, between(h->from[0], h->to[0], t)),
             pixel(viewer, sheet, between(h->from[1], h->to[1], t)), viewer->unit, ink);
    }
}

/* Arrows the way that it carries people. */
static void draw_belt(throng_viewer *viewer, int32_t sheet, const half *h, double length, double belt, float opacity)
{
    const throng_map_sheet *s = &throng_floors_sheets(viewer)->list[sheet];
    SDL_Color ink =
        throng_view_colour(belt != 0 ? (uint32_t)THRONG_STYLE_BELT : (uint32_t)THRONG_STYLE_FAINT_INK, 0.9f * opacity);
    double ux = (h->to[0].x - h->from[0].x) / length, uy = (h->to[0].y - h->from[0].y) / length;
    bool climbs = ux * s->up.x + uy * s->up.y > 0, ahead = belt == 0 ? true : climbs == (belt > 0);
    int32_t arrows = (int32_t)fmax(length / ARROW, 1);
    double tip = 0.4 / length * (ahead ? 1 : -1);
    for (int32_t i = 0; i < arrows; i++) {
        double t = (i + 0.5) / arrows;
        throng_point left = between(h->from[0], h->to[0], t), right = between(h->from[1], h->to[1], t);
        throng_point head =
            between(between(h->from[0], h->to[0], t + tip), between(h->from[1], h->to[1], t + tip), 0.5);
        throng_point at = pixel(viewer, sheet, head);
        if (belt == 0) { /* it stands: a bar */
            line(viewer, pixel(viewer, sheet, between(left, right, 0.3)),
                 pixel(viewer, sheet, between(left, right, 0.7)), 2 * viewer->unit, ink);
            continue;
        }
        line(viewer, pixel(viewer, sheet, between(left, right, 0.2)), at, 2 * viewer->unit, ink);
        line(viewer, pixel(viewer, sheet, between(left, right, 0.8)), at, 2 * viewer->unit, ink);
    }
}

void throng_flight_draw(throng_viewer *viewer, int32_t sheet, float opacity)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    half h = half_of(sheets, sheet);
    throng_point corner[] = {pixel(viewer, sheet, h.from[0]), pixel(viewer, sheet, h.from[1]),
                             pixel(viewer, sheet, h.to[1]), pixel(viewer, sheet, h.to[0])};
    double belt = throng_world_belt(throng_viewer_world(viewer), sheet), length = sheets->list[sheet].length;
    bool is_belt = belt != 0 || sheets->list[sheet].belt != 0;
    SDL_Color rail = throng_view_colour(THRONG_STYLE_WALL, opacity);
    quad(viewer, corner, throng_view_colour(is_belt ? 0xf1e7f4 : THRONG_STYLE_FREE, 0.95f * opacity));
    if (is_belt)
        draw_belt(viewer, sheet, &h, length, belt, opacity);
    else
        draw_steps(viewer, sheet, &h, length, opacity);
    line(viewer, corner[0], corner[3], 2 * viewer->unit, rail);
    line(viewer, corner[1], corner[2], 2 * viewer->unit, rail);
    line(viewer, corner[0], corner[1], 1.2 * viewer->unit, throng_view_colour(THRONG_STYLE_LINE, opacity));
}

/* ---- lifts */

/* The corners of the car at a height, or where its floor is drawn. */
static void corners_of(const throng_viewer *viewer, int32_t stop, double z, throng_point corner[4])
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_map_lift *lift = &sheets->lifts[sheets->stops[stop].lift];
    const double behind[] = {0, lift->depth, lift->depth, 0}, side = 0.5 * lift->width,
                 right[] = {side, side, -side, -side};
    for (int i = 0; i < 4; i++) {
        throng_point at =
            throng_floors_point_at(viewer, sheets->stops[stop].floor, throng_lift_point(lift, behind[i], right[i]), z);
        corner[i] = throng_view_point(&viewer->camera, at.x, at.y);
    }
}

static void outline(throng_viewer *viewer, const throng_point *corner, double width, SDL_Color ink)
{
    for (int i = 0; i < 4; i++)
        line(viewer, corner[i], corner[(i + 1) % 4], width * viewer->unit, ink);
}

void throng_lift_draw(throng_viewer *viewer, int32_t lift)
{
    throng_lift_state state;
    if (!throng_shown_lift(viewer, lift, &state))
        return;
    throng_point low[4], high[4];
    SDL_Color ink = throng_view_colour(state.in_service ? THRONG_STYLE_LINE : THRONG_STYLE_DOOR, 0.9f);
    corners_of(viewer, state.stop, state.z, low);
    double tall = CAR * throng_floors_upright(viewer) * viewer->camera.scale;
    for (int i = 0; i < 4; i++)
        high[i] = (throng_point){low[i].x, low[i].y - tall};
    quad(viewer, low, throng_view_colour(THRONG_STYLE_CAR, 1));
    outline(viewer, low, 1.5, ink);
    outline(viewer, high, 1.5, ink);
    for (int i = 0; i < 4; i++)
        line(viewer, low[i], high[i], 1.5 * viewer->unit, ink);
}

void throng_lift_label(throng_viewer *viewer, int32_t lift)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    throng_lift_state state;
    throng_point corner[4];
    if (!throng_shown_lift(viewer, lift, &state))
        return;
    corners_of(viewer, state.stop, state.z, corner);
    double right = fmax(fmax(corner[0].x, corner[1].x), fmax(corner[2].x, corner[3].x));
    throng_view_text(viewer, right + 6 * viewer->unit, (corner[0].y + corner[2].y) / 2 - 6 * viewer->unit, 11,
                     THRONG_STYLE_INK, true, THRONG_ALIGN_LEFT, "%s: %d of %d%s",
                     sheets->list[sheets->stops[sheets->lifts[lift].first].sheet].name, state.riders,
                     sheets->lifts[lift].capacity, state.in_service ? "" : ", out of service");
}

/* What somebody at its door would see: the car, or where it is. */
static void draw_door(throng_viewer *viewer, int32_t stop)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_lift_stop *at = &sheets->stops[stop];
    const char *name = sheets->list[at->sheet].name;
    throng_lift_state state;
    throng_point corner[4];
    bool known = throng_shown_lift(viewer, at->lift, &state);
    bool here = known && state.stop == stop && state.phase != THRONG_LIFT_MOVING;
    double u = viewer->unit;
    corners_of(viewer, stop, at->z, corner);
    SDL_Color ink = throng_view_colour(known && !state.in_service ? THRONG_STYLE_DOOR : THRONG_STYLE_LINE, 1);
    quad(viewer, corner, throng_view_colour(here ? THRONG_STYLE_CAR : THRONG_STYLE_SOLID, 1));
    outline(viewer, corner, here ? 2 : 1.2, here ? ink : throng_view_colour(THRONG_STYLE_WALL, 0.7f));
    throng_point middle = {(corner[0].x + corner[2].x) / 2,
                           fmax(fmax(corner[0].y, corner[1].y), fmax(corner[2].y, corner[3].y)) + 14 * u};
    if (!known)
        throng_view_text(viewer, middle.x, middle.y, 11, THRONG_STYLE_INK, true, THRONG_ALIGN_CENTRE, "%s", name);
    else if (!state.in_service)
        throng_view_text(viewer, middle.x, middle.y, 11, THRONG_STYLE_DOOR, true, THRONG_ALIGN_CENTRE,
                         "%s: out of service", name);
    else if (here)
        throng_view_text(viewer, middle.x, middle.y, 11, THRONG_STYLE_INK, true, THRONG_ALIGN_CENTRE,
                         "%s: here, %d of %d", name, state.riders, sheets->lifts[at->lift].capacity);
    else
        throng_view_text(viewer, middle.x, middle.y, 11, THRONG_STYLE_INK, true, THRONG_ALIGN_CENTRE,
                         "%s: at %s%s, %d of %d", name, sheets->list[throng_lift_level(viewer, at->lift) / 2].name,
                         state.speed > 0.01    ? ", going up"
                         : state.speed < -0.01 ? ", going down"
                                               : "",
                         state.riders, sheets->lifts[at->lift].capacity);
}

/* ---- one floor */

/* What of a flight is beyond the middle, as seen from the floor that is shown, is drawn at that floor, too. */
static void draw_ghost(throng_viewer *viewer, int32_t sheet)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_seam *far = &sheets->seams[throng_map_far_end_of(sheets, sheet)];
    half h = half_of(sheets, sheet);
    throng_point corner[] = {pixel(viewer, sheet, h.to[0]), pixel(viewer, sheet, h.to[1]), pixel(viewer, sheet, far->b),
                             pixel(viewer, sheet, far->a)};
    SDL_Color rail = throng_view_colour(THRONG_STYLE_WALL, 0.3f);
    quad(viewer, corner, throng_view_colour(THRONG_STYLE_FREE, 0.35f));
    outline(viewer, corner, 1, rail);
}

/* Before its end at the floor that is shown. */
static void draw_whither(throng_viewer *viewer, int32_t sheet)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_seam *far = &sheets->seams[throng_map_far_end_of(sheets, sheet)];
    half h = half_of(sheets, sheet);
    char text[THRONG_TEXT_LONGEST];
    int32_t other = sheets->list[far->left].flight ? far->right : far->left;
    double up = sheets->list[other].z - sheets->list[viewer->floors.shown].z, u = viewer->unit;
    snprintf(text, sizeof text, "%s %.60s", up > 0 ? "up to" : up < 0 ? "down to" : "to", sheets->list[other].name);
    throng_point from = pixel(viewer, sheet, between(h.from[0], h.from[1], 0.5)),
                 to = pixel(viewer, sheet, between(h.to[0], h.to[1], 0.5));
    double length = fmax(hypot(to.x - from.x, to.y - from.y), 1), width = 6.2 * u * (double)strlen(text);
    double dx = (from.x - to.x) / length, dy = (from.y - to.y) / length;
    throng_view_text(viewer, from.x + dx * (width / 2 + 8 * u), from.y + dy * 14 * u + 4 * u, 11,
                     THRONG_STYLE_FAINT_INK, true, THRONG_ALIGN_CENTRE, "%s", text);
}

void throng_flights_draw(throng_viewer *viewer)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    const throng_floors *floors = &viewer->floors;
    if (!sheets || floors->mode != THRONG_FLOORS_ONE)
        return;
    for (int pass = 0; pass < 3; pass++)
        for (int32_t i = 0; i < sheets->count; i++)
            if (sheets->list[i].flight && floors->floor_of[i] == floors->shown) {
                if (pass == 0)
                    draw_ghost(viewer, i);
                else if (pass == 1)
                    throng_flight_draw(viewer, i, 1);
                else
                    draw_whither(viewer, i);
            }
    for (int32_t i = 0; i < sheets->stop_count; i++)
        if (sheets->stops[i].floor == floors->shown)
            draw_door(viewer, i);
}
