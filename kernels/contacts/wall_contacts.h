/* Walls, and the sides of bodies, that an agent could touch in this step. */
#ifndef THRONG_WALL_CONTACTS_H
#define THRONG_WALL_CONTACTS_H

#include "contacts.h"
#include "kernels/sense/walls.h"

enum { CONTACTS_WALLS_DETECT, CONTACTS_WALLS_SLIDE, CONTACTS_WALLS_STOP };

#define CONTACTS_WALL_SKIN 0.0001f /* of the radius: as deep as rounding may leave a body in a wall */

/* A wall as an agent meets it: the direction to its nearest point, and how far that is from the agent's side. m */
typedef struct contact_wall {
    lane_f nx, ny, gap;
} contact_wall;

/* Segments `s` as seen by agents `i` at (x, y); `near`: the lanes that could touch theirs in this step. */
LANE_FN contact_wall contacts_wall(const crowd *c, lane_i s, lane_i i, lane_f x, lane_f y, lane_f radius, lane_m *near)
{
    contact_wall w;
    lane_f distance = lane_sqrt(shape_nearest_wall(c, s, i, x, y, &w.nx, &w.ny));
    w.gap = distance - radius;
    *near = *near & (w.gap < c->largest_step);
    if (!lane_any(*near))
        return w;
    *near = *near & walls_open_side(&c->walls, s, x, y);
    w.nx = w.nx / distance;
    w.ny = w.ny / distance;
    return w;
}

/* A displacement, and the wall that it was last slid along. m */
typedef struct contact_slide {
    lane_f x, y;
    contact_wall last;
} contact_slide;

LANE_FN contact_slide contacts_slide_begin(lane_f x, lane_f y)
{
    contact_slide d = {x, y, {lane_set(0), lane_set(0), lane_set(0)}};
    return d;
}

/* Takes the part of a displacement out that enters the wall. Where that leads back into the last one, as in the mouth
 * of a gap hardly wider than the agent, it becomes the vertex of both, which is where its projection on what both
 * leave free is. (Without, the second wall stopped it: one of 0.4 m stood before a gap of 0.41 m for ever.) */
LANE_FN void contacts_slide_along(const contact_wall *w, lane_f radius, lane_m near, contact_slide *d)
{
    lane_f gap = lane_max(w->gap, -0.05f * radius), excess = lane_dot(w->nx, w->ny, d->x, d->y) - gap;
    lane_m enters = near & (excess > 0);
    lane_f x = d->x - w->nx * excess, y = d->y - w->ny * excess;
    const contact_wall *last = &d->last;
    lane_m back =
        enters & (lane_dot(last->nx, last->ny, x, y) > last->gap) & (lane_dot(w->nx, w->ny, last->nx, last->ny) < 0);
    if (lane_any(back)) {
        lane_f over = 1.0f / lane_det(w->nx, w->ny, last->nx, last->ny);
        lane_f vx = (gap * last->ny - last->gap * w->ny) * over, vy = (last->gap * w->nx - gap * last->nx) * over;
        back = back & (lane_dot(vx, vy, vx, vy) <= lane_dot(d->x, d->y, d->x, d->y)); /* nearly opposite: far away */
        x = lane_select(back, vx, x);
        y = lane_select(back, vy, y);
    }
    d->x = lane_select(enters, x, d->x);
    d->y = lane_select(enters, y, d->y);
    d->last.nx = lane_select(enters, w->nx, d->last.nx);
    d->last.ny = lane_select(enters, w->ny, d->last.ny);
    d->last.gap = lane_select(enters, gap, d->last.gap);
}

/* The share of (x, y) that does not enter the wall, if that is less than `share`. */
LANE_FN lane_f contacts_stop(const contact_wall *w, lane_f radius, lane_m near, lane_f x, lane_f y, lane_f share)
{
    lane_f approach = lane_dot(w->nx, w->ny, x, y);
    lane_f room = lane_max(w->gap + CONTACTS_WALL_SKIN * radius, lane_set(0));
    lane_f part = room / approach;
    return lane_select(near & (approach > room) & (part < share), part, share);
}

/* The walls of a grid that an agent could touch, one after the other.
 *   DETECT   returns the lanes whose displacement violates one, and puts the nearest into `list`;
 *   SLIDE    takes the part of it out that enters a wall, wall by wall;
 *   STOP     shortens it so that none is entered. */
LANE_FN lane_m contacts_visit_grid(const crowd *c, const contacts *k, const throng_wall_grid *grid, int visit, lane_i i,
                                   lane_m lanes, nearest_list *list, contact_slide *d)
{
    lane_four body = lane_gather_four(k->body, i);
    lane_f px = body.a, py = body.b, radius = body.c;
    lane_m violated = lane_none();
    lane_f share = lane_set(1);
    lane_i at, to;
    lane_i slot = c->sheets.count ? lane_gather_i(c->slot, i) : i; /* which nothing asks for then */
    walls_range(c, grid, slot, px, py, shape_reach(c, i, radius) + c->largest_step, lanes, &at, &to);
    for (lane_m more = lanes & (at < to); lane_any(more); at = at + 1, more = lanes & (at < to)) {
        lane_i s = lane_gather_i(grid->list, lane_select_i(more, at, lane_set_i(0)));
        lane_m near = more;
        contact_wall w = contacts_wall(c, s, i, px, py, radius, &near);
        near = walls_meet(c, slot, s, near);
        if (!lane_any(near))
            continue;
        if (visit == CONTACTS_WALLS_DETECT) {
            nearest_insert(list, CONTACT_WALLS_MAX, w.gap, s, near);
            violated = violated | (near & (lane_dot(w.nx, w.ny, d->x, d->y) > w.gap + CONTACTS_WALL_SKIN * radius));
        } else if (visit == CONTACTS_WALLS_SLIDE)
            contacts_slide_along(&w, radius, near, d);
        else
            share = contacts_stop(&w, radius, near, d->x, d->y, share);
    }
    d->x = d->x * share;
    d->y = d->y * share;
    return violated;
}

/* Those in `lanes` who could touch a wall or the side of a body in this step. */
LANE_FN lane_m contacts_walled(const crowd *c, lane_i i, lane_m lanes)
{
    lane_m walled = lanes & (lane_gather_i(c->wall_count, i) > 0);
    if (c->walls.sides)
        walled = walled | (lanes & (lane_gather_i(c->near_body, lane_gather_i(c->slot, i)) != 0));
    return walled;
}

/* The same for the walls and the sides of bodies, where bodies are at the end of the step. */
LANE_FN lane_m contacts_walls(const crowd *c, const contacts *k, int visit, lane_i i, lane_m lanes, nearest_list *list,
                              contact_slide *d)
{
    lane_m violated = contacts_visit_grid(c, k, &c->walls.still, visit, i, lanes, list, d);
    if (c->walls.sides)
        violated = violated | contacts_visit_grid(c, k, &c->walls.moving, visit, i, lanes, list, d);
    return violated;
}

/* The walls of agents `i` that they could touch, nearest first; nothing presses yet. Returns whose wishes enter one. */
LANE_FN lane_m contacts_detect_walls(const crowd *c, contacts *k, lane_i i, lane_m lanes)
{
    nearest_list list;
    nearest_init(&list, CONTACT_WALLS_MAX, lane_set(INFINITY));
    contact_slide wish = contacts_slide_begin(lane_gather(k->a, 4 * i), lane_gather(k->a + 1, 4 * i));
    lane_m violated = lane_none(), walled = contacts_walled(c, i, lanes);
    if (lane_any(walled))
        violated = contacts_walls(c, k, CONTACTS_WALLS_DETECT, i, walled, &list, &wish);
    for (int s = 0; s < CONTACT_WALLS_MAX; s++) {
        lane_scatter_i(k->wall, i * CONTACT_WALLS_MAX + s, list.slot[s], lanes);
        lane_scatter(k->wall_lambda, i * CONTACT_WALLS_MAX + s, lane_set(0), lanes);
        if (!lane_any(lanes & (list.slot[s] >= 0)))
            break;
    }
    return violated;
}

#endif
