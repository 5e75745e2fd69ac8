/* Trials: which turns of somebody's shoulders make no overlap (shoulders.h), while others may turn as well.
 *
 * Each keeps to its own side of the line that parts it from another, across the normal of the pair. In a jam that is
 * much less than there is room for. So of two of whom one has been held up for long, one goes first: the other does not
 * turn in this step, and it may turn as far as they do not touch, and a hair farther, TRIALS_GIVE: bodies and walls
 * give way, and the contacts push others back. */
#ifndef THRONG_TRIALS_H
#define THRONG_TRIALS_H

#include "contacts.h"

#define TRIALS_RATE   3.0f   /* rad/s: nobody turns faster */
#define TRIALS_GIVE   0.008f /* of the sum of radii, of one's own at walls */
#define TRIALS_LESS   0.5f   /* the part of a turn that is tried next, */
#define TRIALS_LITTLE 0.3f   /* by who has been held up for long: it turns little by little */

/* Arms that an agent could have after this step, and which of them it may not. */
enum { TRIALS = 4 };
typedef struct shape_trials {
    lane_f x[TRIALS], y[TRIALS]; /* m */
    lane_m blocked[TRIALS];
    lane_m held; /* they have been held up for long */
} shape_trials;

/* The lanes whose agents, with these arms, have been held up for long. */
LANE_FN lane_m trials_held(const crowd *c, lane_i slot, const lane_four *shape)
{
    return ((shape->a != 0) | (shape->b != 0)) & (lane_gather(c->frustration, slot) > YIELD_LONG);
}

/* Those of agents `me` that have been held up for long and go before `other`; `after`: those who go after it. */
LANE_FN lane_m trials_first(const crowd *c, const contact_body *me, const contact_body *other, lane_m held,
                            const lane_four *theirs, lane_m lanes, lane_m *after)
{
    lane_i slot = lane_gather_i(c->slot, me->index), their_slot = lane_gather_i(c->slot, other->index);
    lane_m their_held = lanes & trials_held(c, their_slot, theirs);
    held = held & lanes;
    *after = their_held;
    if (!lane_any(held))
        return held;
    lane_f drawn = yield_draw(c, slot), their_drawn = yield_draw(c, their_slot);
    lane_m before = (drawn < their_drawn) | ((drawn == their_drawn) & (slot < their_slot));
    *after = their_held & lane_not(held & before);
    return held & lane_not(*after);
}

/* They may come to touch agents `other`, and no nearer than now where they do. */
LANE_FN void trials_free(const crowd *c, const contact_body *me, const contact_body *other, const contact_pair *p,
                         const lane_four *theirs, lane_m lanes, shape_trials *trials)
{
    lane_f px = other->x - me->x, py = other->y - me->y;
    lane_f least = lane_min(p->distance, (1.0f - TRIALS_GIVE) * p->radii);
    crowd_nearest_image(c, &px, &py);
    for (int t = 0; t < TRIALS; t++) {
        lane_f dx, dy;
        stadium_nearest(trials->x[t], trials->y[t], px, py, theirs->a, theirs->b, &dx, &dy);
        trials->blocked[t] = trials->blocked[t] | (lanes & (lane_dot(dx, dy, dx, dy) < least * least));
    }
}

/* Agents `me` may come to reach half of the gap beyond the line that parts them from others, and no farther than now
 * where they touch; or what who goes first may, and who goes after: nothing, where they are near. */
LANE_FN void trials_meet(const crowd *c, const contact_body *me, const contact_body *other, const contact_pair *p,
                         lane_f gap, lane_m lanes, shape_trials *trials)
{
    lane_four mine = lane_gather_four(c->shape, me->index), theirs = lane_gather_four(c->shape, other->index);
    lane_m near = lanes & (gap < TRIALS_RATE * c->frame.dt * (mine.d + theirs.d)), after;
    lane_m first = trials_first(c, me, other, trials->held, &theirs, near, &after);
    lane_f most = lane_abs(lane_dot(p->nx, p->ny, mine.a, mine.b)) + 0.499f * lane_max(gap, lane_set(0));
    for (int t = 0; t < TRIALS; t++) {
        lane_f reach = lane_abs(lane_dot(p->nx, p->ny, trials->x[t], trials->y[t]));
        trials->blocked[t] = trials->blocked[t] | after | (lanes & lane_not(first) & (reach > most));
    }
    if (lane_any(first))
        trials_free(c, me, other, p, &theirs, first, trials);
}

/* They may come to touch segments `s`, and no nearer than now where they do. */
LANE_FN void trials_wall(const crowd *c, lane_i s, const lane_four *body, const lane_four *shape, lane_m lanes,
                         shape_trials *trials)
{
    lane_f dx, dy, now = shape_wall_from(c, s, shape->a, shape->b, body->a, body->b, &dx, &dy);
    lane_f least = lane_select(trials->held, lane_set(1.0f - TRIALS_GIVE), lane_set(1)) * body->c;
    least = lane_min(now, least * least);
    for (int t = 0; t < TRIALS; t++) {
        lane_f then = shape_wall_from(c, s, trials->x[t], trials->y[t], body->a, body->b, &dx, &dy);
        trials->blocked[t] = trials->blocked[t] | (lanes & (then < least));
    }
}

#endif
