/* Who comes into a place that is watched, or goes out of it, in a frame: an agent at a time, in double, as the host
 * says who is in a place. */
#ifndef THRONG_KERNEL_CROSSINGS_H
#define THRONG_KERNEL_CROSSINGS_H

#include "kernels/crowd.h"

/* Where the agent in a slot is, sheets laid out. m */
THRONG_SHARED_FN void crossings_place(const crowd *c, int32_t slot, float *x, float *y)
{
    *x = c->x[slot];
    *y = c->y[slot];
    if (c->sheets.count) {
        *x += c->sheets.off_x[c->floor[slot]];
        *y += c->sheets.off_y[c->floor[slot]];
    }
}

/* When a frame begins. */
THRONG_SHARED_FN void crossings_begin(const crowd *c, int32_t slot)
{
    crossings_place(c, slot, &c->from_x[slot], &c->from_y[slot]);
}

/* Does a way that is `is_new` or leads from one to the other matter to polygon i? */
THRONG_SHARED_FN bool crossings_matter(const throng_places *p, int32_t i, bool is_new, throng_point from,
                                       throng_point to)
{
    throng_point least = p->least[i], most = p->most[i];
    if ((from.x < least.x && to.x < least.x) || (from.x > most.x && to.x > most.x) ||
        (from.y < least.y && to.y < least.y) || (from.y > most.y && to.y > most.y))
        return false;
    int32_t first = i ? p->end[i - 1] : 0, corners = p->end[i] - first;
    bool was = !is_new && throng_polygon_holds(p->corner + first, corners, from);
    return was != throng_polygon_holds(p->corner + first, corners, to);
}

/* When it ends. */
THRONG_SHARED_FN bool crossings_find(const crowd *c, int32_t slot, throng_crossing *crossing)
{
    if (!c->state[slot])
        return false;
    crossing->slot = slot;
    crossing->is_new = (c->born ? c->born[slot] : 0) == (int32_t)c->frame.step;
    crossing->from_x = c->from_x[slot];
    crossing->from_y = c->from_y[slot];
    crossings_place(c, slot, &crossing->to_x, &crossing->to_y);
    throng_point from = {(double)crossing->from_x, (double)crossing->from_y};
    throng_point to = {(double)crossing->to_x, (double)crossing->to_y};
    for (int32_t i = 0; i < c->places.count; i++)
        if (crossings_matter(&c->places, i, crossing->is_new, from, to))
            return true;
    return false;
}

#endif
