/* Company: people who walk together stay together.
 *
 * The model of M. Moussaid, N. Perozo, S. Garnier, D. Helbing and G. Theraulaz, "The walking behaviour of pedestrian
 * social groups and its impact on crowd dynamics" (2010), equation 2, at the velocity where its forces are in
 * equilibrium with the wish to walk on (relaxation time tau = 0.5 s), along the way that an agent wants to go and
 * across it. With C from the agent to the centre of its company:
 *   - who has the centre behind, so that it would have to turn its head by alpha to have it in view, walks at
 *     v / (1 + tau beta_1 alpha): pairs get abreast, and who is ahead lets the others catch up;
 *   - who is farther than (N - 1) / 2 m from the centre is drawn there at tau beta_2: it goes faster, up to
 *     COMPANY_FASTEST of what it wants, when they are ahead, and moves over;
 *   - who has the last of them farther behind than COMPANY_FILE a head, or than COMPANY_NEAR, waits. (Not of the
 *     paper, whose people are of one mind about their speed: families wait for the slow one.) Nobody stops for good: of
 *     two who go different ways one, the first of the company, goes on sooner.
 * Where others hold up the last, those ahead go on: in a crowd before a door nobody can wait for anybody, and who does
 * plugs it. (Sixty in threes through 1.6 m: 36 s, alone 31; 151 when they waited all the same.)
 *
 * That they do not push each other is the planners' affair. Who has arrived, or wants to go nowhere, is nobody's
 * company at the moment. A ring leads from each (column `mate`) to the next. */
#ifndef THRONG_COMPANY_H
#define THRONG_COMPANY_H

#include "kernels/crowd.h"

#define COMPANY_TAU     0.5f    /* s */
#define COMPANY_VIEW    4.0f    /* 1/(rad s): beta_1 */
#define COMPANY_DRAWN   3.0f    /* m/s^2: beta_2 */
#define COMPANY_NEAR    1.0f    /* m */
#define COMPANY_FILE    0.3f    /* m: people who walk in a file take 0.45 m each */
#define COMPANY_WAITS   0.9f    /* of its speed that waiting takes, */
#define COMPANY_LEADS   0.6f    /* of the first */
#define COMPANY_SOFT    1.0f    /* m beyond a distance, within which attraction and waiting grow to their full size */
#define COMPANY_HELD    2.0f    /* times the frustration of the last: how much less the others heed it */
#define COMPANY_ASIDE   0.5f    /* of the preferred speed: nobody moves over faster */
#define COMPANY_FASTEST 1.2f    /* of the preferred speed, as LIMITS_FASTEST */
#define COMPANY_ARC     0.5708f /* pi / 2 - 1 */

/* The others of an agent's company, those who walk. */
typedef struct company_view {
    lane_f x, y, others; /* m: the sum of where they are, from it; how many */
    lane_f last, held;   /* m: how far the last of them is behind, along the unit vector (ex, ey); its frustration */
    lane_m leads;        /* it has the lowest number of them */
} company_view;

LANE_FN company_view company_look(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_i mate, lane_f ex,
                                  lane_f ey)
{
    lane_f x = lane_load(c->sx + first), y = lane_load(c->sy + first), zero = lane_set(0);
    lane_i id = lane_gather_i(c->id, slot);
    company_view view = {zero, zero, zero, zero, zero, lanes};
    for (int n = 1; n < THRONG_COMPANY_MAX; n++) {
        lane_m there = lanes & (mate != slot);
        if (!lane_any(there))
            break;
        lane_i other = lane_select_i(there, mate, slot), at = lane_gather_i(c->rank, other);
        mate = lane_select_i(there, lane_gather_i(c->mate, other), slot); /* once round */
        lane_f px = lane_gather(c->sx, at) - x, py = lane_gather(c->sy, at) - y;
        crowd_nearest_image(c, &px, &py);
        lane_f wx = lane_gather(c->desired_vx, other), wy = lane_gather(c->desired_vy, other);
        there = there & (lane_gather_i(c->arrived, other) < 0) & (lane_dot(wx, wy, wx, wy) > 0);
        view.x = view.x + lane_select(there, px, zero);
        view.y = view.y + lane_select(there, py, zero);
        view.others = view.others + lane_select(there, lane_set(1), zero);
        lane_f behind = -lane_dot(ex, ey, px, py);
        lane_m later = there & (behind > view.last);
        view.last = lane_select(later, behind, view.last);
        view.held = lane_select(later, lane_gather(c->frustration, other), view.held);
        view.leads = view.leads & lane_not(there & (lane_gather_i(c->id, other) < id));
    }
    return view;
}

/* Changes the preferred velocities (dx, dy) of agents `first` .., in slots `slot`. */
LANE_FN void company_keep(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *dx, lane_f *dy)
{
    if (!c->mate)
        return;
    lane_i mate = lane_gather_i(c->mate, slot);
    lane_f wish = lane_sqrt(lane_dot(*dx, *dy, *dx, *dy)), zero = lane_set(0), one = lane_set(1);
    lanes = lanes & (mate >= 0) & (wish > 0);
    if (!lane_any(lanes))
        return;
    lane_f ex = *dx / wish, ey = *dy / wish;
    company_view view = company_look(c, first, lanes, slot, lane_select_i(lanes, mate, slot), ex, ey);
    lane_f x = view.x / (view.others + 1.0f), y = view.y / (view.others + 1.0f), away = lane_sqrt(lane_dot(x, y, x, y));
    lanes = lanes & (away > 0);
    lane_f ahead = lane_dot(ex, ey, x, y) / away, left = lane_det(ex, ey, x, y) / away;
    lane_f behind = lane_max(-ahead, zero), square = behind * behind;
    lane_f alpha = behind * (1.0f + COMPANY_ARC * square * square * square); /* arcsine, within 3 degrees */
    lane_f heeds = lane_max(one - COMPANY_HELD * view.held, zero);
    lane_f slow = wish / (one + COMPANY_TAU * COMPANY_VIEW * heeds * alpha), reach = 0.5f * view.others;
    lane_f far = lane_clamp((away - reach) / COMPANY_SOFT, zero, one);
    lane_f near = lane_max(COMPANY_FILE * view.others, lane_set(COMPANY_NEAR));
    lane_f waits = lane_clamp((view.last - near) / COMPANY_SOFT, zero, one);
    waits = heeds * waits * lane_select(view.leads, lane_set(COMPANY_LEADS), lane_set(COMPANY_WAITS));
    lane_f drawn = COMPANY_TAU * COMPANY_DRAWN * far, most = COMPANY_ASIDE * wish;
    lane_f on = lane_min(slow * (1.0f - waits) + drawn * lane_max(ahead, zero), COMPANY_FASTEST * wish);
    lane_f aside = lane_clamp(drawn * left, -most, most);
    *dx = lane_select(lanes, ex * on - ey * aside, *dx);
    *dy = lane_select(lanes, ey * on + ex * aside, *dy);
}

#endif
