#include "picture_layers.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_floor.h"
#include "picture_style.h"

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

static void open_ground(throng_canvas *canvas, const throng_plan_view *view)
{
    throng_bounds f = view->frame;
    throng_colour rule = throng_colour_fade(throng_colour_hex(THRONG_STYLE_RULE), 0.6f);
    throng_canvas_rect(canvas, f.x0, f.y0, f.x1, f.y1, throng_colour_hex(THRONG_STYLE_FREE));
    double spacing = throng_style_round_up(60 * view->unit / view->scale) * view->scale;
    for (double x = view->x + ceil((f.x0 - view->x) / spacing) * spacing; x < f.x1; x += spacing)
        throng_canvas_line(canvas, x, f.y0, x, f.y1, view->unit, rule);
    for (double y = view->y + ceil((f.y0 - view->y) / spacing) * spacing; y < f.y1; y += spacing)
        throng_canvas_line(canvas, f.x0, y, f.x1, y, view->unit, rule);
}

static void fill_rings(throng_canvas *canvas, const throng_outline *rings)
{
    for (int32_t r = 0; r < rings->count; r++)
        throng_canvas_fill(canvas, &(throng_outline){rings->points, rings->start + r, 1},
                           throng_colour_hex(THRONG_STYLE_SOLID));
}

/* Obstacles on a plane. */
static void dotted_ground(throng_canvas *canvas, const throng_plan_view *view, const throng_outline *obstacles)
{
    open_ground(canvas, view);
    fill_rings(canvas, obstacles);
    for (int32_t r = 0; r < obstacles->count; r++) {
        int32_t first = obstacles->start[r];
        throng_canvas_stroke(canvas, obstacles->points + first, obstacles->start[r + 1] - first, true, 2 * view->unit,
                             throng_colour_hex(THRONG_STYLE_WALL));
    }
}

static throng_point on_flight(const throng_seam *from, const throng_seam *to, double along, double across)
{
    throng_point right = {from->a.x + along * (to->a.x - from->a.x), from->a.y + along * (to->a.y - from->a.y)};
    throng_point left = {from->b.x + along * (to->b.x - from->b.x), from->b.y + along * (to->b.y - from->b.y)};
    return (throng_point){right.x + across * (left.x - right.x), right.y + across * (left.y - right.y)};
}

/* A belt has arrows the way that it carries people. */
static void draw_belt(throng_canvas *canvas, const throng_plan_view *view, const throng_seam *from,
                      const throng_seam *to, throng_point offset, double belt)
{
    double length =
        hypot(0.5 * (to->a.x + to->b.x - from->a.x - from->b.x), 0.5 * (to->a.y + to->b.y - from->a.y - from->b.y));
    int32_t arrows = (int32_t)fmax(length / 1.2, 1);
    double tip = (belt > 0 ? 0.4 : -0.4) / length;
    for (int32_t i = 0; i < arrows; i++) {
        double along = (i + 0.5) / arrows;
        throng_point corner[] = {on_flight(from, to, along, 0.15), on_flight(from, to, along + tip, 0.5),
                                 on_flight(from, to, along, 0.85)};
        for (int k = 0; k < 3; k++)
            corner[k] = throng_view_point(view, corner[k].x + offset.x, corner[k].y + offset.y);
        throng_canvas_stroke(canvas, corner, 3, false, 2 * view->unit, throng_colour_hex(THRONG_STYLE_BELT));
    }
}

/* Lines across a flight, as of steps: of its half on the left of the seam between both, or on the right. */
static void draw_steps(throng_canvas *canvas, const throng_plan_view *view, const throng_seam *from,
                       const throng_seam *to, throng_point offset)
{
    double length =
        hypot(0.5 * (to->a.x + to->b.x - from->a.x - from->b.x), 0.5 * (to->a.y + to->b.y - from->a.y - from->b.y));
    int32_t steps = (int32_t)(length / fmax(0.3, 5 * view->unit / view->scale));
    throng_colour ink = throng_colour_fade(throng_colour_hex(THRONG_STYLE_WALL), 0.35f);
    for (int32_t i = 1; i < steps; i++) {
        double t = (double)i / steps;
        throng_point a = throng_view_point(view, from->a.x + t * (to->a.x - from->a.x) + offset.x,
                                           from->a.y + t * (to->a.y - from->a.y) + offset.y);
        throng_point b = throng_view_point(view, from->b.x + t * (to->b.x - from->b.x) + offset.x,
                                           from->b.y + t * (to->b.y - from->b.y) + offset.y);
        throng_canvas_line(canvas, a.x, a.y, b.x, b.y, view->unit, ink);
    }
}

/* Where floors and flights meet, nothing stands: an opening in the outlines of both, `band` pixels wide. */
static void draw_seams(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, double band)
{
    const throng_map_sheets *s = map->sheets;
    for (int32_t q = 0; s && q < s->seam_count; q++) {
        const throng_seam *seam = &s->seams[q];
        int32_t sides[2] = {seam->left, seam->right};
        if (seam->inside) { /* the seams before and after it are its flight's foot and head */
            const throng_map_sheet *half = &s->list[seam->left];
            if (half->belt != 0)
                draw_belt(canvas, view, &s->seams[q - 1], &s->seams[q + 1], half->offset, half->belt);
            else
                draw_steps(canvas, view, &s->seams[q - 1], &s->seams[q + 1], half->offset);
            continue;
        }
        for (int i = 0; i < 2; i++) {
            throng_point a = throng_map_place(map, sides[i], seam->a), b = throng_map_place(map, sides[i], seam->b);
            a = throng_view_point(view, a.x, a.y);
            b = throng_view_point(view, b.x, b.y);
            throng_canvas_line(canvas, a.x, a.y, b.x, b.y, 2.4 * band, throng_colour_hex(THRONG_STYLE_FREE));
            throng_canvas_line(canvas, a.x, a.y, b.x, b.y, 1.2 * view->unit, throng_colour_hex(THRONG_STYLE_LINE));
        }
    }
}

/* Walls are drawn as architects do: a dark band around the floor, so that thin
 * walls are solid and thick ones have a face on each side. */
static double wall_band(const throng_plan_view *view)
{
    return clamp(0.16 * view->scale, 2.2 * view->unit, 7 * view->unit);
}

static void walled_ground(throng_canvas *canvas, const throng_plan_view *view, const throng_outline *floor_plan)
{
    double band = wall_band(view);
    fill_rings(canvas, floor_plan);
    for (int32_t r = 0; r < floor_plan->count; r++) {
        int32_t first = floor_plan->start[r];
        throng_canvas_stroke(canvas, floor_plan->points + first, floor_plan->start[r + 1] - first, true, 2 * band,
                             throng_colour_hex(THRONG_STYLE_WALL));
    }
    throng_canvas_fill(canvas, floor_plan, throng_colour_hex(THRONG_STYLE_FREE));
}

bool throng_layer_ground(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map)
{
    if (!map) {
        open_ground(canvas, view);
        return true;
    }
    throng_point *pixels = throng_view_points(view, map->points, map->point_count);
    if (pixels)
        (map->open ? dotted_ground : walled_ground)(canvas, view,
                                                    &(throng_outline){pixels, map->ring_start, map->ring_count});
    if (pixels) {
        draw_seams(canvas, view, map, wall_band(view));
        throng_layer_lifts(canvas, view, map);
    }
    free(pixels);
    return pixels != NULL;
}

static bool contains_exit(const char *name)
{
    for (; *name; name++)
        if (tolower((unsigned char)name[0]) == 'e' && tolower((unsigned char)name[1]) == 'x' &&
            tolower((unsigned char)name[2]) == 'i' && tolower((unsigned char)name[3]) == 't')
            return true;
    return false;
}

bool throng_region_is_exit(const throng_map *map, int32_t region, const bool *exits)
{
    const throng_region *r = &map->regions[region];
    return exits ? exits[region] : contains_exit(r->name) || (r->group && contains_exit(r->group));
}

throng_colour throng_region_colour(bool is_exit)
{
    return throng_colour_hex(is_exit ? THRONG_STYLE_EXIT : THRONG_STYLE_REGION);
}

/* Exits are tinted over the heat map, which is darkest there; other regions below it. */
static void draw_region(throng_canvas *canvas, const throng_plan_view *view, const throng_point *pixels, int32_t count,
                        bool is_exit, bool above)
{
    throng_colour colour = throng_region_colour(is_exit);
    int32_t start[] = {0, count};
    if (above == is_exit)
        throng_canvas_fill(canvas, &(throng_outline){pixels, start, 1},
                           throng_colour_fade(colour, is_exit ? 0.32f : THRONG_STYLE_REGION_OPACITY));
    if (above)
        throng_canvas_stroke(canvas, pixels, count, true, 1.6 * view->unit,
                             throng_colour_fade(colour, is_exit ? 0.95f : 0.55f));
}

/* Floors, flights and cars are regions of their own, which nobody has drawn. */
bool throng_layer_regions(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, const bool *exits,
                          bool above)
{
    for (int32_t r = 0; r < map->region_count; r++) {
        const throng_region *region = &map->regions[r];
        if (throng_map_is_part_region(map, r))
            continue;
        throng_point *pixels = throng_view_points(view, region->points, region->count);
        if (!pixels)
            return false;
        draw_region(canvas, view, pixels, region->count, throng_region_is_exit(map, r, exits), above);
        free(pixels);
    }
    return true;
}

bool throng_layer_fill(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map, throng_paint *paint,
                       const void *context)
{
    if (map) {
        throng_point *pixels = throng_view_points(view, map->points, map->point_count);
        if (pixels)
            throng_canvas_fill_with(canvas, &(throng_outline){pixels, map->ring_start, map->ring_count}, paint,
                                    context);
        free(pixels);
        return pixels != NULL;
    }
    throng_bounds f = view->frame;
    throng_point corners[] = {{f.x0, f.y0}, {f.x1, f.y0}, {f.x1, f.y1}, {f.x0, f.y1}};
    int32_t start[] = {0, 4};
    throng_canvas_fill_with(canvas, &(throng_outline){corners, start, 1}, paint, context);
    return true;
}

typedef struct heat_paint {
    const throng_heat *heat;
    const throng_plan_view *view;
} heat_paint;

static throng_colour paint_heat(const void *context, int32_t x, int32_t y)
{
    const heat_paint *p = context;
    double map_x = (x + 0.5 - p->view->x) / p->view->scale, map_y = (p->view->y - y - 0.5) / p->view->scale;
    return throng_style_ramp(throng_heat_shade(p->heat, map_x, map_y));
}

bool throng_layer_heat(throng_canvas *canvas, const throng_plan_view *view, const throng_map *map,
                       const throng_heat *heat)
{
    if (!heat->density || !(heat->top > 0))
        return true;
    const heat_paint paint = {heat, view};
    return throng_layer_fill(canvas, view, map, paint_heat, &paint);
}

throng_colour throng_plan_group(const throng_plan_picture *plan, int32_t group)
{
    bool own =
        plan->group_colours && group >= 0 && group < plan->group_count && plan->group_colours[group] != UINT32_MAX;
    return own ? throng_colour_hex(plan->group_colours[group]) : throng_style_group(group);
}

/* A trajectory as pixels, without the points that are too close to see; returns how many are left. */
static int32_t thin_trajectory(const throng_plan_view *view, const throng_plan_picture *plan, int32_t trajectory,
                               throng_point *pixels)
{
    int32_t kept = 0, end = plan->trajectory_start[trajectory + 1];
    for (int32_t i = plan->trajectory_start[trajectory]; i < end; i++) {
        if (!isfinite(plan->trajectory_x[i]) || !isfinite(plan->trajectory_y[i]))
            continue;
        throng_point p = throng_view_point(view, plan->trajectory_x[i], plan->trajectory_y[i]);
        if (kept == 0 || i + 1 == end || hypot(p.x - pixels[kept - 1].x, p.y - pixels[kept - 1].y) > 0.8)
            pixels[kept++] = p;
    }
    return kept;
}

/* How far from where it begins a trajectory gets. */
static double reach_of(const throng_point *pixels, int32_t count)
{
    double reach = 0;
    for (int32_t i = 1; i < count; i++)
        reach = fmax(reach, hypot(pixels[i].x - pixels[0].x, pixels[i].y - pixels[0].y));
    return reach;
}

bool throng_layer_trajectories(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan)
{
    int32_t longest = 0;
    for (int32_t t = 0; t < plan->trajectory_count; t++)
        longest = plan->trajectory_start[t + 1] - plan->trajectory_start[t] > longest
                      ? plan->trajectory_start[t + 1] - plan->trajectory_start[t]
                      : longest;
    throng_point *pixels = malloc(((size_t)longest + 1) * sizeof *pixels);
    if (!pixels)
        return false;
    /* a few trajectories are drawn plainly, thousands as a haze, over densities as hairs, the finer the more there are
     */
    bool few = plan->trajectory_group != NULL;
    double fine = plan->occupancy ? fmin(plan->trajectory_count / 150.0, 1) : 0;
    double most = plan->occupancy && !few ? 0.40 - 0.24 * fine : 0.5;
    float opacity = (float)clamp((2.6 - 1.5 * fine) / sqrt(plan->trajectory_count + 1.0), 0.02, most);
    throng_colour haze = throng_colour_fade(throng_colour_hex(THRONG_STYLE_TRAJECTORY), opacity);
    double width = (few ? 3 : 1.15 - 0.35 * fine) * view->unit;
    for (int32_t t = 0; t < plan->trajectory_count; t++) {
        throng_colour colour = plan->trajectory_group ? throng_plan_group(plan, plan->trajectory_group[t]) : haze;
        int32_t points = thin_trajectory(view, plan, t, pixels);
        throng_canvas_stroke(canvas, pixels, points, false, width, colour);
        if (plan->trajectory_group && points && reach_of(pixels, points) < 2 * width)
            throng_canvas_disc(canvas, pixels[0].x, pixels[0].y, 2 * width, colour); /* who stood */
    }
    free(pixels);
    return true;
}

void throng_layer_doors(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan)
{
    for (int32_t d = 0; plan->map && d < plan->map->door_count; d++) {
        const throng_door *door = &plan->map->doors[d];
        throng_point ends[2] = {throng_view_point(view, door->a.x, door->a.y),
                                throng_view_point(view, door->b.x, door->b.y)};
        bool shut = plan->shut && plan->shut[d];
        if (shut || !throng_door_is_lift(plan->map, d))
            throng_canvas_stroke(canvas, ends, 2, false, (shut ? 5 : 2) * view->unit,
                                 throng_colour_hex(THRONG_STYLE_DOOR));
    }
}

bool throng_layer_bodies(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan)
{
    int32_t points = plan->body_count ? plan->body_start[plan->body_count] : 0;
    throng_point *pixels = throng_view_points(view, plan->body_points, points);
    for (int32_t b = 0; pixels && b < plan->body_count; b++) {
        int32_t first = plan->body_start[b], count = plan->body_start[b + 1] - first, start[] = {0, count};
        throng_canvas_fill(canvas, &(throng_outline){pixels + first, start, 1}, throng_colour_hex(THRONG_STYLE_BODY));
        throng_canvas_stroke(canvas, pixels + first, count, true, view->unit, throng_colour_hex(THRONG_STYLE_BODY_RIM));
    }
    free(pixels);
    return pixels != NULL;
}

/* All within `radius` of the segment at +- `arm` from the middle, pixels. */
static void fill_stadium(throng_canvas *canvas, throng_point at, throng_point arm, double radius, throng_colour colour)
{
    enum { HALF = 13 }; /* corners of each end */
    throng_point corners[2 * HALF];
    int32_t start[] = {0, 2 * HALF};
    double from = atan2(arm.y, arm.x) - M_PI_2;
    for (int i = 0; i < 2 * HALF; i++) {
        double side = i < HALF ? 1 : -1, angle = from + M_PI * (i < HALF ? i : i - 1) / (HALF - 1);
        corners[i] =
            (throng_point){at.x + side * arm.x + radius * cos(angle), at.y + side * arm.y + radius * sin(angle)};
    }
    throng_canvas_fill(canvas, &(throng_outline){corners, start, 1}, colour);
}

static void fill_body(throng_canvas *canvas, throng_point at, throng_point arm, double radius, throng_colour colour)
{
    if (arm.x == 0 && arm.y == 0)
        throng_canvas_disc(canvas, at.x, at.y, radius, colour);
    else
        fill_stadium(canvas, at, arm, radius, colour);
}

static void draw_agent(throng_canvas *canvas, throng_point at, throng_point arm, double radius, double hx, double hy,
                       throng_colour colour)
{
    throng_colour white = throng_colour_hex(THRONG_STYLE_FREE);
    if (radius > 2.5)
        fill_body(canvas, at, arm, radius + 0.8, throng_colour_fade(white, 0.75f));
    fill_body(canvas, at, arm, radius, colour);
    if (radius > 3.2 && isfinite(hx) && isfinite(hy))
        throng_canvas_line(canvas, at.x + 0.15 * radius * hx, at.y - 0.15 * radius * hy, at.x + 0.8 * radius * hx,
                           at.y - 0.8 * radius * hy, fmax(0.3 * radius, 1.2), white);
}

void throng_layer_agents(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan)
{
    for (int32_t i = 0; i < plan->count; i++) {
        throng_point at = throng_view_point(view, plan->x[i], plan->y[i]);
        double radius = fmax((plan->radius ? plan->radius[i] : 0.25) * view->scale, 0.9 * view->unit);
        if (!isfinite(at.x) || !isfinite(at.y) || !isfinite(radius))
            continue;
        bool heading = plan->hx && plan->hy;
        throng_point arm = {0, 0};
        if (plan->arm_x && plan->arm_y)
            arm = (throng_point){plan->arm_x[i] * view->scale, -plan->arm_y[i] * view->scale};
        draw_agent(canvas, at, arm, radius, heading ? plan->hx[i] : NAN, heading ? plan->hy[i] : NAN,
                   throng_plan_group(plan, plan->group ? plan->group[i] : 0));
    }
}
