/* What the chosen agent's planner saw and chose, beside its columns: a panel of velocities, of forces, or of its local
 * map. */
#include "view_parts.h"

#include <math.h>
#include <stdio.h>

enum {
    SIDE = 236,
    PAD = 14,
    HEAD = 30,
    FOOT = 30,
    GAP = 12,
    TOP = 16,
    LEAST_LEFT = 360,
    CORNERS = 12,
    CIRCLE = 72
}; /* units */

static const uint32_t NEIGHBOUR = 0xd55e00, CHOSEN = 0x0072b2;

/* The plot: pixels of its middle, half its side, and pixels a m/s, or whatever is plotted. */
typedef struct plot {
    double x, y, half, scale;
} plot;

static throng_point at(const plot *p, double x, double y)
{
    return (throng_point){p->x + x * p->scale, p->y - y * p->scale};
}

/* ---- shapes, cut off at the plot's sides */

/* Keeps what has n . v > d; how many corners are left. */
static int clip(throng_point *corners, int count, double nx, double ny, double d)
{
    throng_point kept[CORNERS];
    int left = 0;
    for (int i = 0; i < count && left + 2 < CORNERS; i++) {
        throng_point a = corners[i], b = corners[(i + 1) % count];
        double from = nx * a.x + ny * a.y - d, to = nx * b.x + ny * b.y - d, part = from / (from - to);
        if (from > 0)
            kept[left++] = a;
        if ((from > 0) != (to > 0))
            kept[left++] = (throng_point){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
    }
    for (int i = 0; i < left; i++)
        corners[i] = kept[i];
    return left;
}

static int whole(const plot *p, throng_point *corners)
{
    double half = p->half / p->scale;
    corners[0] = (throng_point){-half, -half}, corners[1] = (throng_point){half, -half};
    corners[2] = (throng_point){half, half}, corners[3] = (throng_point){-half, half};
    return 4;
}

static void fill(throng_viewer *viewer, const plot *p, const throng_point *corners, int count, SDL_Color colour)
{
    SDL_FPoint points[CORNERS];
    for (int i = 0; i < count; i++) {
        throng_point q = at(p, corners[i].x, corners[i].y);
        points[i] = (SDL_FPoint){(float)q.x, (float)q.y};
    }
    throng_batch_convex(&viewer->batch, points, count, colour);
}

static void line(throng_viewer *viewer, const plot *p, double x0, double y0, double x1, double y1, double width,
                 SDL_Color colour)
{
    double half = p->half / p->scale, from = 0, to = 1, d[] = {x1 - x0, y1 - y0}, o[] = {x0, y0};
    for (int k = 0; k < 2; k++) {
        double low = (-half - o[k]) / d[k], high = (half - o[k]) / d[k];
        if (d[k] == 0 && fabs(o[k]) > half)
            return;
        if (d[k] != 0) {
            from = fmax(from, fmin(low, high));
            to = fmin(to, fmax(low, high));
        }
    }
    if (from >= to)
        return;
    throng_point a = at(p, x0 + from * d[0], y0 + from * d[1]), b = at(p, x0 + to * d[0], y0 + to * d[1]);
    throng_batch_line(&viewer->batch, a.x, a.y, b.x, b.y, width * viewer->unit, colour, colour);
}

static void circle(throng_viewer *viewer, const plot *p, double x, double y, double radius, SDL_Color colour)
{
    for (int i = 0; i < CIRCLE; i++) {
        double a = 2 * M_PI * i / CIRCLE, b = 2 * M_PI * (i + 1) / CIRCLE;
        line(viewer, p, x + radius * cos(a), y + radius * sin(a), x + radius * cos(b), y + radius * sin(b), 1, colour);
    }
}

static void dot(throng_viewer *viewer, const plot *p, double x, double y, double radius, uint32_t rgb)
{
    throng_point q = at(p, x, y);
    double u = viewer->unit;
    throng_batch_disc(&viewer->batch, (float)q.x, (float)q.y, (float)((radius + 1.2) * u),
                      throng_view_colour(0xffffff, 1));
    throng_batch_disc(&viewer->batch, (float)q.x, (float)q.y, (float)(radius * u), throng_view_colour(rgb, 1));
}

static void arrow(throng_viewer *viewer, const plot *p, double x, double y, double width, uint32_t rgb, float opacity)
{
    SDL_Color colour = throng_view_colour(rgb, opacity);
    double length = hypot(x, y), head = 6 * viewer->unit / p->scale;
    if (length * p->scale < 2 * viewer->unit)
        return;
    double dx = x / length * head, dy = y / length * head;
    line(viewer, p, 0, 0, x, y, width, colour);
    line(viewer, p, x, y, x - dx - dy * 0.6, y - dy + dx * 0.6, width, colour);
    line(viewer, p, x, y, x - dx + dy * 0.6, y - dy - dx * 0.6, width, colour);
}

/* ---- planners */

static bool is_map(const throng_asked *a) { return a->choice.planner == THRONG_PLANNER_bvp; }

static uint32_t rgb_of(const throng_choice *c, int32_t i) { return i < c->walls ? THRONG_STYLE_WALL : NEIGHBOUR; }

static void draw_lines(throng_viewer *viewer, const plot *p, const throng_choice *c)
{
    throng_point corners[CORNERS];
    for (int32_t i = 0; i < c->count; i++) {
        double x = (double)c->line[i].x, y = (double)c->line[i].y, dx = (double)c->line[i].dx,
               dy = (double)c->line[i].dy;
        int count = clip(corners, whole(p, corners), dy, -dx, dy * x - dx * y); /* what is on its right */
        fill(viewer, p, corners, count, throng_view_colour(rgb_of(c, i), 0.10f));
    }
    for (int32_t i = 0; i < c->count; i++) {
        double x = (double)c->line[i].x, y = (double)c->line[i].y, far = 4 * p->half / p->scale + hypot(x, y);
        double dx = far * (double)c->line[i].dx, dy = far * (double)c->line[i].dy;
        line(viewer, p, x - dx, y - dy, x + dx, y + dy, 1.2, throng_view_colour(rgb_of(c, i), 0.8f));
    }
}

static int region_corners(const plot *p, const throng_choice_region *r, throng_point *corners)
{
    int count = whole(p, corners);
    for (int side = 0; side < THRONG_CHOICE_SIDES; side++)
        count = clip(corners, count, (double)r->nx[side], (double)r->ny[side], (double)r->d[side]);
    return count;
}

static void draw_regions(throng_viewer *viewer, const plot *p, const throng_choice *c)
{
    throng_point corners[CORNERS];
    for (int32_t i = 0; i < c->count; i++) {
        int count = region_corners(p, &c->region[i], corners);
        SDL_Color rim = throng_view_colour(rgb_of(c, i), 0.6f);
        fill(viewer, p, corners, count, throng_view_colour(rgb_of(c, i), 0.12f));
        for (int k = 0; k < count; k++) {
            throng_point a = corners[k], b = corners[(k + 1) % count];
            line(viewer, p, a.x, a.y, b.x, b.y, 1, rim);
        }
    }
}

/* From the cheapest, dark, to twice the preferred speed dearer, light. */
static void draw_samples(throng_viewer *viewer, const plot *p, const throng_choice *c)
{
    double least = INFINITY, range = fmax(2 * (double)c->max_speed, 1e-6);
    for (int32_t i = 0; i < c->count; i++)
        least = fmin(least, (double)c->sample[i].cost);
    for (int32_t i = c->count - 1; i >= 0; i--) {
        throng_point q = at(p, (double)c->sample[i].vx, (double)c->sample[i].vy);
        double dear = fmin(((double)c->sample[i].cost - least) / range, 1);
        throng_batch_disc(&viewer->batch, (float)q.x, (float)q.y, (float)(3 * viewer->unit),
                          throng_view_shade(throng_theme_ramp(1 - 0.88 * dear)));
    }
}

static void draw_pushes(throng_viewer *viewer, const plot *p, const throng_choice *c)
{
    for (int32_t i = 0; i < c->count; i++)
        arrow(viewer, p, (double)c->push[i].fx, (double)c->push[i].fy, 1.4, rgb_of(c, i), 0.8f);
    arrow(viewer, p, (double)c->attraction_x, (double)c->attraction_y, 1.8, THRONG_STYLE_EXIT, 1);
    arrow(viewer, p, (double)c->force_x, (double)c->force_y, 2.4, CHOSEN, 1);
    dot(viewer, p, 0, 0, 3, THRONG_STYLE_INK);
}

static void draw_velocities(throng_viewer *viewer, const plot *p, const throng_choice *c)
{
    throng_point wish = at(p, (double)c->preferred_x, (double)c->preferred_y);
    dot(viewer, p, (double)c->vx, (double)c->vy, 2.5, THRONG_STYLE_FAINT_INK);
    throng_batch_ring(&viewer->batch, (float)wish.x, (float)wish.y, (float)(6 * viewer->unit),
                      throng_view_colour(THRONG_STYLE_EXIT, 1));
    dot(viewer, p, (double)c->chosen_x, (double)c->chosen_y, 4, CHOSEN);
}

/* The lowest and the highest potential of free cells. */
static void range_of(const throng_local_map *map, double *low, double *high)
{
    *low = 1, *high = 0;
    for (int32_t i = 0; i < map->width * map->height; i++)
        if (map->zone[i] == THRONG_ZONE_FREE) {
            *low = fmin(*low, (double)map->potential[i]);
            *high = fmax(*high, (double)map->potential[i]);
        }
}

static SDL_Color cell_colour(const throng_local_map *map, int32_t cell, double low, double high)
{
    if (map->zone[cell] == THRONG_ZONE_OBSTACLE)
        return throng_view_colour(THRONG_STYLE_WALL, 1);
    if (map->zone[cell] == THRONG_ZONE_GOAL)
        return throng_view_colour(THRONG_STYLE_EXIT, 1);
    double part = high > low ? ((double)map->potential[cell] - low) / (high - low) : 0.5;
    return throng_view_shade(throng_theme_ramp(0.12 + 0.6 * part));
}

static int32_t longer(const throng_local_map *map) { return map->width > map->height ? map->width : map->height; }

/* The agent's cell is not quite in the middle where there is an even number of them. */
static void draw_map(throng_viewer *viewer, const plot *whole, const throng_asked *a)
{
    const throng_choice *c = &a->choice;
    const throng_local_map *map = &c->map;
    double low, high, side = whole->scale, far = longer(map) * 0.3 / (double)c->max_speed;
    double x0 = whole->x - 0.5 * map->width * side, y0 = whole->y + 0.5 * map->height * side;
    plot p = {x0 + ((map->width - 1) / 2 + 0.5) * side, y0 - ((map->height - 1) / 2 + 0.5) * side, whole->half, side};
    range_of(map, &low, &high);
    for (int32_t cell = 0; cell < map->width * map->height; cell++) {
        int32_t column = cell % map->width, row = cell / map->width;
        throng_batch_rect(&viewer->batch, round(x0 + column * side), round(y0 - (row + 1) * side),
                          round(x0 + (column + 1) * side), round(y0 - row * side), cell_colour(map, cell, low, high));
    }
    arrow(viewer, &p, far * (double)c->preferred_x, far * (double)c->preferred_y, 1.8, THRONG_STYLE_EXIT, 1);
    arrow(viewer, &p, far * (double)c->chosen_x, far * (double)c->chosen_y, 2.4, CHOSEN, 1);
    dot(viewer, &p, 0, 0, 4, THRONG_STYLE_INK);
}

/* ---- the panel */

/* How far the plot reaches. */
static double reach_of(const throng_asked *a)
{
    const throng_choice *c = &a->choice;
    double most = (double)c->max_speed;
    if (is_map(a))
        return longer(&a->choice.map) / 2.0;
    if (throng_choice_has_pushes(c->planner)) {
        most = fmax(1, hypot((double)c->attraction_x, (double)c->attraction_y));
        for (int32_t i = 0; i < c->count; i++)
            most = fmax(most, hypot((double)c->push[i].fx, (double)c->push[i].fy));
    } else {
        most = fmax(most, hypot((double)c->vx, (double)c->vy));
        most = fmax(most, hypot((double)c->preferred_x, (double)c->preferred_y));
    }
    return 1.25 * fmax(most, 1e-3);
}

static void describe(const throng_asked *a, char *text, size_t size)
{
    const throng_choice *c = &a->choice;
    int32_t others = c->count - c->walls;
    switch (c->planner) {
    case THRONG_PLANNER_orca:
        snprintf(text, size, "half-planes: %d of neighbours, %d of walls", others, c->walls);
        break;
    case THRONG_PLANNER_clearpath: snprintf(text, size, "velocity obstacles: %d, of walls %d", others, c->walls); break;
    case THRONG_PLANNER_rvo: snprintf(text, size, "%d velocities tried; dark: cheap", c->count); break;
    case THRONG_PLANNER_forces: snprintf(text, size, "forces: %d pushes", others); break;
    case THRONG_PLANNER_bvp:
        snprintf(text, size, "local map of %.3g x %.3g m, potential", a->choice.map.width * (double)a->choice.map.cell,
                 a->choice.map.height * (double)a->choice.map.cell);
        break;
    case THRONG_PLANNER_none: snprintf(text, size, "no planner: what it prefers"); break;
    default:
        snprintf(text, size, "%.28s: pushes of %d, walls %d", throng_planner_names[c->planner], others, c->walls);
        break;
    }
}

static void draw_velocity_plane(throng_viewer *viewer, const plot *p, const throng_choice *c)
{
    SDL_Color rule = throng_view_colour(THRONG_STYLE_RULE, 1);
    double half = p->half / p->scale;
    line(viewer, p, -half, 0, half, 0, 1, rule);
    line(viewer, p, 0, -half, 0, half, 1, rule);
    if (c->planner == THRONG_PLANNER_orca)
        draw_lines(viewer, p, c);
    else if (c->planner == THRONG_PLANNER_clearpath)
        draw_regions(viewer, p, c);
    else if (c->planner == THRONG_PLANNER_rvo)
        draw_samples(viewer, p, c);
    circle(viewer, p, 0, 0, (double)c->max_speed, throng_view_colour(THRONG_STYLE_FAINT_INK, 0.7f));
    if (isfinite(c->reach) && c->reach < 2 * c->max_speed)
        circle(viewer, p, (double)c->vx, (double)c->vy, (double)c->reach,
               throng_view_colour(THRONG_STYLE_FAINT_INK, 0.7f));
    draw_velocities(viewer, p, c);
}

/* A word with its mark before it; where the next may begin. */
static double key(throng_viewer *viewer, double x, double y, uint32_t rgb, bool ring, const char *word)
{
    double u = viewer->unit;
    if (ring)
        throng_batch_ring(&viewer->batch, (float)(x + 4 * u), (float)(y - 4 * u), (float)(4 * u),
                          throng_view_colour(rgb, 1));
    else
        throng_batch_disc(&viewer->batch, (float)(x + 4 * u), (float)(y - 4 * u), (float)(3.5 * u),
                          throng_view_colour(rgb, 1));
    return x + (12 + 12) * u +
           throng_view_text(viewer, x + 12 * u, y, 11.5, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_LEFT, "%s", word);
}

static void draw_keys(throng_viewer *viewer, const throng_asked *a, double x, double y)
{
    double right = x + SIDE * viewer->unit;
    bool map = is_map(a), forces = throng_choice_has_pushes(a->choice.planner);
    x = key(viewer, x, y, THRONG_STYLE_EXIT, !map && !forces, forces ? "attraction" : "preferred");
    x = key(viewer, x, y, CHOSEN, false, forces ? "sum" : "chosen");
    if (forces)
        key(viewer, x, y, NEIGHBOUR, false, "pushes");
    else if (!map)
        key(viewer, x, y, THRONG_STYLE_FAINT_INK, false, "before");
    if (!map && !forces)
        throng_view_text(viewer, right, y, 11.5, THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT, "%.2g m/s",
                         (double)a->choice.max_speed);
}

void throng_choice_draw(throng_viewer *viewer, const throng_asked *a, double right)
{
    char text[80];
    double u = viewer->unit, width = (SIDE + 2 * PAD) * u, x = floor(right - GAP * u - width), y = TOP * u;
    plot p = {x + width / 2, y + (HEAD + PAD + SIDE / 2.0) * u, SIDE / 2.0 * u, 1};
    if (x < LEAST_LEFT * u)
        return; /* in a narrow window it would hide the plan */
    if (viewer->past.replay)
        return;
    if (!a || !a->chose) {
        static const char *const words[][2] = {{"What its planner saw then is not kept:", "it was chosen later."},
                                               {"What its planner sees is kept", "from the next step on."}};
        throng_hud_card(viewer, x, y, x + width, y + 58 * u);
        for (int i = 0; i < 2; i++)
            throng_view_text(viewer, x + PAD * u, y + (25 + 17 * i) * u, 12, THRONG_STYLE_FAINT_INK, false,
                             THRONG_ALIGN_LEFT, "%s", words[a != NULL][i]);
        return;
    }
    p.scale = p.half / reach_of(a);
    throng_hud_card(viewer, x, y, x + width, y + (HEAD + PAD + SIDE + FOOT) * u);
    describe(a, text, sizeof text);
    throng_view_text(viewer, x + PAD * u, y + 25 * u, 12, THRONG_STYLE_INK, false, THRONG_ALIGN_LEFT, "%s", text);
    if (is_map(a))
        draw_map(viewer, &p, a);
    else if (throng_choice_has_pushes(a->choice.planner))
        draw_pushes(viewer, &p, &a->choice);
    else
        draw_velocity_plane(viewer, &p, &a->choice);
    draw_keys(viewer, a, x + PAD * u, y + (HEAD + PAD + SIDE + 19) * u);
}
