/* A camera that rides with the chosen agent: behind and above it, or in its eyes. Walls, doors and bodies stand up from
 * the plan, and everything is drawn from the far to the near. */
#include "view_parts.h"

#include <math.h>
#include <stdlib.h>

static const double WALL = 2.6, DOOR = 2.1, BODY = 0.9, SHOULDER = 1.42, HEAD = 1.6; /* m: heights */
static const double SKULL = 0.11;                                                    /* m: radius */
static const double FAR = 60, NEAR = 0.12, PIECE = 1.5; /* m: seen so far, from so near on; of a wall, drawn at once */
static const double FOCUS = 0.6;                        /* of the window's width */
static const double TURN = 0.15; /* part of a turn of the agent that the camera makes in a frame */
static const double GRID = 2;    /* m between lines on the floor */

enum { CLIPPED = 8, LINES = 12 };

static const struct {
    double behind, height, down; /* m; rad */
} seats[] = {[THRONG_RIDE_BEHIND] = {4.2, 4.6, 0.62}, [THRONG_RIDE_EYES] = {0, HEAD, 0.05}};

/* To be drawn: an upright face from a to b, or somebody at a. */
typedef struct item {
    double depth;
    throng_point a, b;
    double low, high, radius; /* radius > 0: somebody */
    SDL_Color colour;
    bool rides; /* is it the chosen one? */
} item;

struct throng_ride_scene {
    item *items;
    int32_t count, room;
};

/* A place as the camera sees it: to its right, above, before it. m */
typedef struct seen {
    double x, y, z;
} seen;

typedef struct eye {
    double x, y, height, fx, fy, sine, cosine; /* looks along (fx, fy), down by an angle */
    double clear;                              /* m: no walls are drawn between it and who is followed */
    double middle_x, middle_y, focus;          /* pixels */
} eye;

static seen look(const eye *e, double x, double y, double height)
{
    double dx = x - e->x, dy = y - e->y, up = height - e->height, along = dx * e->fx + dy * e->fy;
    return (seen){dx * e->fy - dy * e->fx, along * e->sine + up * e->cosine, along * e->cosine - up * e->sine};
}

static SDL_FPoint show(const eye *e, seen s)
{
    return (SDL_FPoint){(float)(e->middle_x + e->focus * s.x / s.z), (float)(e->middle_y - e->focus * s.y / s.z)};
}

/* Fills what of a polygon is before the camera. */
static void fill(throng_viewer *viewer, const eye *e, const seen *corner, int count, SDL_Color colour)
{
    SDL_FPoint points[CLIPPED];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        seen a = corner[i], b = corner[(i + 1) % count];
        if (a.z >= NEAR)
            points[kept++] = show(e, a);
        if ((a.z >= NEAR) != (b.z >= NEAR)) {
            double t = (NEAR - a.z) / (b.z - a.z);
            points[kept++] = show(e, (seen){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), NEAR});
        }
    }
    if (kept > 2)
        throng_batch_convex(&viewer->batch, points, kept, colour);
}

/* ---- the scene */

static SDL_Color mix(SDL_Color a, SDL_Color b, double part)
{
    part = fmin(fmax(part, 0), 1);
    return (SDL_Color){(Uint8)(a.r + part * (b.r - a.r)), (Uint8)(a.g + part * (b.g - a.g)),
                       (Uint8)(a.b + part * (b.b - a.b)), 255};
}

static void add(throng_ride_scene *scene, const eye *e, item it)
{
    double x = it.radius > 0 ? it.a.x : (it.a.x + it.b.x) / 2, y = it.radius > 0 ? it.a.y : (it.a.y + it.b.y) / 2;
    it.depth = hypot(x - e->x, y - e->y);
    bool behind = (it.a.x - e->x) * e->fx + (it.a.y - e->y) * e->fy < -PIECE &&
                  (it.radius > 0 || (it.b.x - e->x) * e->fx + (it.b.y - e->y) * e->fy < -PIECE);
    bool hides = it.radius == 0 && it.depth < e->clear;
    if (it.depth > FAR || behind || hides)
        return;
    if (scene->count == scene->room) {
        int32_t room = 2 * scene->room + 256;
        if (!throng_array_resize((void **)&scene->items, (size_t)room * sizeof *scene->items))
            return; /* nobody is harmed by what is not drawn */
        scene->room = room;
    }
    scene->items[scene->count++] = it;
}

/* In pieces, each of which is before or behind whatever else there is. Sides have shades by where they face. */
static void add_face(throng_ride_scene *scene, const eye *e, throng_point a, throng_point b, double height,
                     SDL_Color colour)
{
    double length = hypot(b.x - a.x, b.y - a.y), nearest = hypot((a.x + b.x) / 2 - e->x, (a.y + b.y) / 2 - e->y);
    if (!(length > 0) || nearest - length / 2 > FAR)
        return;
    int pieces = (int)fmin(ceil(length / PIECE), 4000);
    SDL_Color shade = mix(colour, throng_view_colour(THRONG_STYLE_INK, 1), 0.22 * fabs(b.y - a.y) / length);
    for (int i = 0; i < pieces; i++) {
        double s = (double)i / pieces, t = (i + 1.0) / pieces;
        throng_point from = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
        throng_point to = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        add(scene, e, (item){.a = from, .b = to, .high = height, .colour = shade});
    }
}

static void add_plan(throng_viewer *viewer, const eye *e, throng_ride_scene *scene)
{
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    SDL_Color paper = throng_view_colour(0xffffff, 1), ink = throng_view_colour(THRONG_STYLE_WALL, 1);
    for (int32_t r = 0; map && r < map->ring_count; r++) {
        int32_t first = map->ring_start[r], count = map->ring_start[r + 1] - first;
        for (int32_t i = 0; i < count; i++)
            add_face(scene, e, map->points[first + i], map->points[first + (i + 1) % count], WALL,
                     mix(paper, ink, 0.45));
    }
    for (int32_t d = 0; map && d < map->door_count; d++) {
        bool open;
        if (throng_shown_door(viewer, d, &open) && !open)
            add_face(scene, e, map->doors[d].a, map->doors[d].b, DOOR, throng_view_colour(THRONG_STYLE_DOOR, 1));
    }
    const throng_body_outlines *bodies = throng_shown_bodies(viewer);
    for (int32_t b = 0; b < bodies->count; b++)
        for (int32_t i = bodies->start[b], from = i, end = bodies->start[b + 1]; i < end; i++)
            add_face(scene, e, bodies->points[i], bodies->points[i + 1 < end ? i + 1 : from], BODY,
                     throng_view_colour(THRONG_STYLE_BODY, 1));
}

static void add_people(throng_viewer *viewer, const eye *e, int32_t rider, throng_ride_scene *scene)
{
    const throng_crowd *crowd = &viewer->crowd;
    for (int32_t i = 0; i < crowd->count; i++)
        if (i != rider || viewer->ride.mode == THRONG_RIDE_BEHIND)
            add(scene, e,
                (item){.a = {(double)crowd->place_x[i], (double)crowd->place_y[i]},
                       .radius = crowd->massed ? (double)crowd->disc
                                               : (double)(crowd->radius[i] + hypotf(crowd->arm_x[i], crowd->arm_y[i])),
                       .colour = crowd->colour[i],
                       .rides = i == rider});
}

/* ---- drawing */

static SDL_Color haze(const item *it, SDL_Color sky) { return mix(it->colour, sky, 0.8 * (1 - exp(-it->depth / 18))); }

static void draw_face(throng_viewer *viewer, const eye *e, const item *it, SDL_Color sky)
{
    const seen corner[] = {look(e, it->a.x, it->a.y, it->low), look(e, it->b.x, it->b.y, it->low),
                           look(e, it->b.x, it->b.y, it->high), look(e, it->a.x, it->a.y, it->high)};
    fill(viewer, e, corner, 4, haze(it, sky));
}

/* Faces the camera; `low` and `high`: half its widths, m. */
static void draw_part(throng_viewer *viewer, const eye *e, seen from, seen to, double low, double high,
                      SDL_Color colour)
{
    const seen corner[] = {{from.x - low, from.y, from.z},
                           {from.x + low, from.y, from.z},
                           {to.x + high, to.y, to.z},
                           {to.x - high, to.y, to.z}};
    fill(viewer, e, corner, 4, colour);
}

/* Legs, shoulders and a head, with a rim that tells one from another. */
static void draw_person(throng_viewer *viewer, const eye *e, const item *it, SDL_Color sky)
{
    SDL_Color colour = haze(it, sky), dark = mix(colour, throng_view_colour(THRONG_STYLE_INK, 1), 0.25);
    SDL_Color rim = it->rides ? throng_view_colour(THRONG_STYLE_INK, 1) : sky;
    seen foot = look(e, it->a.x, it->a.y, 0), neck = look(e, it->a.x, it->a.y, SHOULDER),
         head = look(e, it->a.x, it->a.y, HEAD);
    if (foot.z < NEAR || neck.z < NEAR || head.z < NEAR)
        return;
    double r = it->radius, more = 1.3 * viewer->unit * foot.z / e->focus;
    draw_part(viewer, e, foot, neck, 0.45 * r + more, 0.75 * r + more, rim);
    draw_part(viewer, e, foot, neck, 0.45 * r, 0.75 * r, dark);
    seen hip = {(foot.x + neck.x) / 2, (foot.y + neck.y) / 2, (foot.z + neck.z) / 2};
    draw_part(viewer, e, hip, neck, 0.7 * r + more, 0.95 * r + more, rim);
    draw_part(viewer, e, hip, neck, 0.7 * r, 0.95 * r, colour);
    SDL_FPoint at = show(e, head);
    float size = (float)(e->focus * SKULL / head.z);
    throng_batch_disc(&viewer->batch, at.x, at.y, size + (float)(1.3 * viewer->unit), rim);
    throng_batch_disc(&viewer->batch, at.x, at.y, size, dark);
}

/* Farther ones first, of equals by where they are in the list. */
static int nearer(const void *a, const void *b)
{
    const item *p = a, *q = b;
    return p->depth != q->depth ? (p->depth < q->depth) - (p->depth > q->depth) : (p > q) - (p < q);
}

static void draw_floor_line(throng_viewer *viewer, const eye *e, double x0, double y0, double x1, double y1)
{
    seen a = look(e, x0, y0, 0), b = look(e, x1, y1, 0);
    SDL_Color rule = throng_view_colour(THRONG_STYLE_RULE, 0.7f);
    if (a.z < NEAR && b.z < NEAR)
        return;
    seen *out = a.z < NEAR ? &a : b.z < NEAR ? &b : NULL, other = out == &a ? b : a;
    if (out) {
        double t = (NEAR - other.z) / (out->z - other.z);
        *out = (seen){other.x + t * (out->x - other.x), other.y + t * (out->y - other.y), NEAR};
    }
    SDL_FPoint p = show(e, a), q = show(e, b);
    throng_batch_line(&viewer->batch, (double)p.x, (double)p.y, (double)q.x, (double)q.y, viewer->unit, rule, rule);
}

static void draw_ground(throng_viewer *viewer, const eye *e)
{
    double horizon = fmin(fmax(e->middle_y - e->focus * e->sine / e->cosine, 0), viewer->height);
    double x = GRID * floor(e->x / GRID), y = GRID * floor(e->y / GRID), reach = GRID * LINES;
    throng_batch_rect(&viewer->batch, 0, horizon, viewer->width, viewer->height,
                      mix(throng_view_colour(0xffffff, 1), throng_view_colour(THRONG_STYLE_RULE, 1), 0.35));
    for (int i = -LINES; i <= LINES; i++) {
        draw_floor_line(viewer, e, x + i * GRID, y - reach, x + i * GRID, y + reach);
        draw_floor_line(viewer, e, x - reach, y + i * GRID, x + reach, y + i * GRID);
    }
}

static eye seat(throng_viewer *viewer, int32_t rider)
{
    throng_ride *ride = &viewer->ride;
    const throng_crowd *crowd = &viewer->crowd;
    double hx = crowd->massed ? 1 : (double)crowd->hx[rider], hy = crowd->massed ? 0 : (double)crowd->hy[rider];
    double part = ride->begun ? TURN : 1, x = ride->hx + part * (hx - ride->hx), y = ride->hy + part * (hy - ride->hy);
    double length = hypot(x, y);
    ride->begun = true;
    ride->hx = length > 1e-6 ? x / length : hx;
    ride->hy = length > 1e-6 ? y / length : hy;
    double behind = seats[ride->mode].behind, down = seats[ride->mode].down;
    double top = viewer->height - throng_hud_bar_height(viewer);
    return (eye){(double)crowd->place_x[rider] - behind * ride->hx,
                 (double)crowd->place_y[rider] - behind * ride->hy,
                 seats[ride->mode].height,
                 ride->hx,
                 ride->hy,
                 sin(down),
                 cos(down),
                 0.9 * behind,
                 viewer->width / 2.0,
                 top * 0.45,
                 FOCUS * viewer->width};
}

bool throng_ride_draw(throng_viewer *viewer)
{
    throng_ride *ride = &viewer->ride;
    int32_t rider = ride->mode ? throng_agent_entry(viewer) : -1;
    if (rider < 0) {
        ride->begun = false;
        ride->mode = THRONG_RIDE_OFF;
        return false;
    }
    if (!ride->scene && !(ride->scene = calloc(1, sizeof *ride->scene)))
        return false;
    eye e = seat(viewer, rider);
    SDL_Color sky = throng_view_colour(0xffffff, 1);
    throng_ride_scene *scene = ride->scene;
    scene->count = 0;
    add_plan(viewer, &e, scene);
    add_people(viewer, &e, rider, scene);
    qsort(scene->items, (size_t)scene->count, sizeof *scene->items, nearer);
    draw_ground(viewer, &e);
    for (int32_t i = 0; i < scene->count; i++)
        (scene->items[i].radius > 0 ? draw_person : draw_face)(viewer, &e, &scene->items[i], sky);
    return true;
}

void throng_ride_next(throng_viewer *viewer)
{
    static const char *const said[] = {"the plan", "behind the chosen agent", "in the chosen agent's eyes"};
    throng_ride *ride = &viewer->ride;
    if (!ride->mode && throng_agent_entry(viewer) < 0) {
        throng_viewer_note(viewer, "choose an agent first: click on it, then V rides with it");
        return;
    }
    ride->mode = (ride->mode + 1) % THRONG_RIDE_MODES;
    ride->begun = ride->mode == THRONG_RIDE_EYES;
    throng_viewer_note(viewer, "%s", said[ride->mode]);
}

void throng_ride_fini(throng_ride *ride)
{
    if (ride->scene)
        free(ride->scene->items);
    free(ride->scene);
    ride->scene = NULL;
}
