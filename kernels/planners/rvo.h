/* Sampled reciprocal velocity obstacles (J. van den Berg, M. Lin, D. Manocha, 2008; on the GPU: A. Bleiweiss, "Multi
 * agent navigation on the GPU", 2009).
 *
 * Of the preferred velocity and `samples` random ones that the agent can have after the step, the one of least cost
 *     |v_pref - v'| + weight / (time to collision)
 * with any neighbour or wall; people, who relax to the best one, also count how far it is from the velocity that they
 * have: without that they sway between samples as good as each other (1.2 m/s^2 in the mean where two streams cross,
 * .85 so; people do .4 to .65). v' is judged as if the other did its share: (v' - (1 - alpha) v) / alpha against the
 * other's velocity; an agent without a planner does nothing, and alpha is 1 for it. Pairs that overlap, or are nearer
 * than the safety distance, count the time from collision instead, so that they part, and more than any collision to
 * come. A collision within the step is as bad as one at its end: who touches others on all sides then goes where it
 * wants to, and the contacts see to it.
 *
 * 250 samples, 10 neighbours, one thread of a Xeon of 2023: 14.9 us an agent with one lane, 1.5 with 16.
 *
 * Ties go to the least index, so the samples may be looked at in any order: one after the other (lanes are agents) or
 * all at once (CUDA, a block an agent), with the same result. */

/*--- throng.rvo(settings)
 * Sampled reciprocal velocity obstacles (van den Berg and others, 2008; Bleiweiss, 2009).
 * @example
 * group.planner = throng.rvo { samples = 100 } */

#ifndef THRONG_RVO_H
#define THRONG_RVO_H

#include "limits.h"
#include "kernels/lane/lane_math.h"
#include "kernels/lane/philox.h"
#include "kernels/sense/walls.h"

#define RVO_TOUCH  0.99f  /* of the sum of radii: pairs closer than this overlap, others only touch */
#define RVO_LONG   100.0f /* steps: who does not part by then does not part */
#define RVO_SPELL  2.0f   /* s: how long people keep to their samples */
#define RVO_STEADY 0.5f   /* of the cost of a velocity that they do not prefer: of one that they do not have */

enum {
    RVO_PURPOSE = 16, /* of random numbers */
    RVO_WALL_DISCS = 2 * THRONG_WALLS_MAX
};

/* Somebody or something round: would a velocity v' lead into it? */
typedef struct rvo_disc {
    lane_f px, py;       /* m, to its centre */
    lane_f room, over;   /* m^2, square of the distance less that of the sum of radii; < 0: overlap. 1 / room */
    lane_f gain, ox, oy; /* gain * v' - o: velocity relative to it */
} rvo_disc;

/* The straight part of a wall. */
typedef struct rvo_flat {
    lane_f nx, ny, over;       /* unit vector towards its line; 1 / distance to it less the radius */
    lane_f room, from, length; /* that distance; where on it the agent is, and how long it is, m */
    lane_f vx, vy;             /* its own velocity */
} rvo_flat;

typedef struct rvo_self {
    lane_i slot, i;
    lane_f x, y, radius;
    limits limits;
    lane_f weight, share, safety;
    lane_f steady;      /* cost of a change of velocity by 1 m/s */
    lane_m complements; /* its share and the other's add up to 1 */
    lane_i samples;
    lane_u step; /* whose random numbers it takes */
} rvo_self;

/* The step whose random numbers the agents in these slots take: who relaxes to a velocity keeps to its samples for a
 * while, and so to the best of them. */
LANE_FN lane_u rvo_step(const crowd *c, lane_i slot)
{
    float steps = RVO_SPELL / c->frame.dt + 0.5f;
    uint32_t spell = c->frame.step / (steps > 1 ? (uint32_t)steps : 1);
    return (lane_u)lane_select_i(crowd_relaxation(c, slot) > 0, lane_set_i((int32_t)spell),
                                 lane_set_i((int32_t)c->frame.step));
}

LANE_FN rvo_self rvo_look_at_self(const crowd *c, lane_i i)
{
    lane_i slot = lane_gather_i(c->slot, i), entry = lane_gather_i(c->planner, slot);
    rvo_self me = {
        .slot = slot,
        .i = i,
        .x = lane_gather(c->sx, i),
        .y = lane_gather(c->sy, i),
        .radius = lane_gather(c->sr, i),
        .limits = {lane_gather(c->svx, i), lane_gather(c->svy, i),
                   crowd_planner_value(c, entry, slot, THRONG_rvo_max_acceleration) * c->frame.dt,
                   lane_gather(c->max_speed, slot)},
        .weight = crowd_planner_value(c, entry, slot, THRONG_rvo_weight),
        .share = crowd_planner_value(c, entry, slot, THRONG_rvo_alpha),
        .safety = crowd_planner_value(c, entry, slot, THRONG_rvo_safety),
        .steady = lane_select(crowd_relaxation(c, slot) > 0, lane_set(RVO_STEADY), lane_set(0)),
        .complements = crowd_planner_value(c, entry, slot, THRONG_rvo_complementary) > 0.5f,
        .samples = lane_truncate(crowd_planner_value(c, entry, slot, THRONG_rvo_samples)),
        .step = rvo_step(c, slot),
    };
    return me;
}

/* --- what is there ------------------------------------------------------------------- */

/* The disc of `radii` about the point at p, relative velocity gain * v' - o; in other lanes there is none. */
LANE_FN rvo_disc rvo_make_disc(lane_m lanes, lane_f px, lane_f py, lane_f room, lane_f gain, lane_f ox, lane_f oy)
{
    rvo_disc d = {
        px, py, lane_select(lanes, room, lane_set(INFINITY)), lane_select(lanes, 1.0f / room, lane_set(0)), gain,
        ox, oy};
    return d;
}

/* What the agents take on of avoiding those in `slot`. Of a pair whose shares complement each other (section 3.2), one
 * takes the mean of its alpha and of what the other's leaves: so both add up to 1, and are as given where they did
 * before. Who has another planner takes half. */
LANE_FN lane_f rvo_share_with(const crowd *c, const rvo_self *me, lane_i slot, lane_m passive)
{
    lane_f share = me->share;
    if (lane_any(me->complements)) {
        lane_f other = crowd_planner_value(c, lane_gather_i(c->planner, slot), slot, THRONG_rvo_alpha);
        share = lane_select(me->complements, 0.5f * (1.0f + (share - other)), share);
    }
    return lane_select(passive, lane_set(1), share);
}

/* What is left of the distance to somebody, as rvo_disc has it; < 0: they must part. */
LANE_FN lane_f rvo_room(const rvo_self *me, lane_f square, lane_f radii)
{
    lane_m keeps = me->safety > 0;
    lane_f apart = lane_select(keeps, radii + me->safety, radii);
    lane_f touch = lane_select(keeps, apart, RVO_TOUCH * radii);
    return lane_select(square < touch * touch, square - apart * apart, lane_max(square - radii * radii, lane_set(0)));
}

/* The s-th nearest neighbour. Who leaves all avoiding to others (alpha 0) sees only those without a planner. */
LANE_FN rvo_disc rvo_neighbour(const crowd *c, const rvo_self *me, int s, lane_m lanes)
{
    lane_m there = lanes & (lane_gather_i(c->seen_count, me->i) > s);
    lane_i j = lane_select_i(there, lane_gather_i(c->seen, me->i + s * c->stride), me->i);
    lane_i slot = lane_gather_i(c->slot, j);
    lane_f px = lane_gather(c->sx, j) - me->x, py = lane_gather(c->sy, j) - me->y;
    crowd_nearest_image(c, &px, &py);
    lane_f radii = me->radius + lane_gather(c->sr, j), square = lane_dot(px, py, px, py);
    lane_f share = rvo_share_with(c, me, slot, crowd_passive(c, slot, there)), gain = 1.0f / share;
    lane_f room = rvo_room(me, square, radii);
    /* two in one place part by slot */
    px = lane_select(square > 0, px, lane_select(me->slot < slot, lane_set(1e-6f), lane_set(-1e-6f)));
    lane_f keeps = (1.0f - share) * gain;
    return rvo_make_disc(there & (share > 0), px, py, room, gain, keeps * me->limits.vx + lane_gather(c->svx, j),
                         keeps * me->limits.vy + lane_gather(c->svy, j));
}

/* The s-th nearest wall: its straight part, and its ends. */
LANE_FN rvo_flat rvo_wall(const crowd *c, const rvo_self *me, int s, lane_m lanes, rvo_disc *a, rvo_disc *b)
{
    lane_m there = lanes & (lane_gather_i(c->wall_count, me->i) > s);
    lane_i w = lane_select_i(there, lane_gather_i(c->wall, me->i + s * c->stride), lane_set_i(0));
    const throng_walls *walls = &c->walls;
    lane_f ax = lane_gather(walls->ax, w) - me->x, ay = lane_gather(walls->ay, w) - me->y;
    lane_f bx = lane_gather(walls->bx, w) - me->x, by = lane_gather(walls->by, w) - me->y;
    lane_f dx = lane_gather(walls->dx, w), dy = lane_gather(walls->dy, w), zero = lane_set(0), one = lane_set(1);
    lane_f square = me->radius * me->radius, vx, vy;
    walls_velocity(walls, w, there, &vx, &vy);
    *a = rvo_make_disc(there, ax, ay, lane_max(lane_dot(ax, ay, ax, ay) - square, zero), one, vx, vy);
    *b = rvo_make_disc(there, bx, by, lane_max(lane_dot(bx, by, bx, by) - square, zero), one, vx, vy);
    lane_f nx = -dy, ny = dx; /* the solid side is on the left, the agent on the right */
    lane_f room = lane_max(lane_dot(nx, ny, ax, ay) - me->radius, zero);
    rvo_flat f = {nx,
                  ny,
                  1.0f / room,
                  lane_select(there, room, lane_set(INFINITY)),
                  -lane_dot(ax, ay, dx, dy),
                  lane_dot(bx - ax, by - ay, dx, dy),
                  vx,
                  vy};
    return f;
}

/* --- what a velocity costs ------------------------------------------------------------------ */

/* How soon v' collides: 1 / s, at most 1 / dt; and for pairs that overlap how late they part, more than that. */
typedef struct rvo_urgency {
    lane_f collides, overlaps;
} rvo_urgency;

LANE_FN void rvo_meet(const crowd *c, const rvo_disc *d, lane_f vx, lane_f vy, rvo_urgency *u)
{
    lane_f wx = d->gain * vx - d->ox, wy = d->gain * vy - d->oy;
    lane_f a = lane_dot(wx, wy, wx, wy), b = lane_dot(d->px, d->py, wx, wy), q = b * b - a * d->room;
    lane_f root = lane_sqrt(lane_max(q, lane_set(0)));
    lane_f soon = (b + root) * d->over; /* a / (b - root), which is one over the time */
    u->collides = lane_select((b > 0) & (q > 0) & (soon > u->collides), soon, u->collides);
    lane_m inside = d->room < 0;
    if (!lane_any(inside))
        return;
    lane_f parts = lane_select(a > 0, (b + root) / a, lane_set(RVO_LONG * c->frame.dt));
    lane_f late = (1.0f + lane_min(parts / c->frame.dt, lane_set(RVO_LONG))) / c->frame.dt;
    u->overlaps = lane_select(inside & (late > u->overlaps), late, u->overlaps);
}

LANE_FN void rvo_meet_flat(const rvo_flat *f, lane_f vx, lane_f vy, rvo_urgency *u)
{
    vx = vx - f->vx;
    vy = vy - f->vy;
    lane_f approach = lane_dot(f->nx, f->ny, vx, vy);
    lane_f along = lane_dot(f->ny, -f->nx, vx, vy);   /* the wall's direction */
    lane_f at = f->from * approach + along * f->room; /* where it is hit, times the approach */
    lane_f soon = approach * f->over;
    lane_m hits = (approach > 0) & (f->room < INFINITY) & (at >= 0) & (at <= f->length * approach);
    u->collides = lane_select(hits & (soon > u->collides), soon, u->collides);
}

LANE_FN lane_f rvo_penalty(const crowd *c, const rvo_self *me, const rvo_urgency *u)
{
    return me->weight * lane_max(lane_min(u->collides, lane_set(1.0f / c->frame.dt)), u->overlaps);
}

LANE_FN rvo_urgency rvo_no_urgency(void)
{
    rvo_urgency u = {lane_set(0), lane_set(0)};
    return u;
}

/* --- candidates -------------------------------------------------------------------------------- */

/* A sample from four of an agent's random words: evenly in the smaller of the two discs that limit the velocity. Those
 * outside the other are no candidates. */
LANE_FN lane_m rvo_sample(const rvo_self *me, lane_u word, lane_f *vx, lane_f *vy)
{
    const limits *l = &me->limits;
    lane_m slow = l->reach < l->speed;
    lane_f radius = lane_select(slow, l->reach, l->speed);
    lane_f u = lane_to_f((lane_i)(word >> 16)) * (1.0f / 65536),
           v = lane_to_f((lane_i)(word & 0xffffu)) * (1.0f / 65536);
    lane_f sine, cosine, r = radius * lane_sqrt(u);
    lane_sincos(v * 6.2831855f, &sine, &cosine);
    *vx = lane_select(slow, l->vx, lane_set(0)) + r * cosine;
    *vy = lane_select(slow, l->vy, lane_set(0)) + r * sine;
    return limits_hold(l, *vx, *vy, LIMITS_MARGIN);
}

/* Words 4 * block .. of the agents' streams. */
LANE_FN philox_words rvo_words(const crowd *c, const rvo_self *me, int32_t block)
{
    return philox_random(c->frame.seed, (lane_u)me->slot, me->step, (uint32_t)block, RVO_PURPOSE);
}

LANE_FN lane_u rvo_word(const philox_words *p, int n) { return n == 0 ? p->a : n == 1 ? p->b : n == 2 ? p->c : p->d; }

/* --- flat mode: a lane is an agent ----------------------------------------------------------------- */

typedef struct rvo_best {
    lane_f cost, vx, vy;
} rvo_best;

typedef struct rvo_scene {
    rvo_disc disc[THRONG_NEIGHBOURS_MAX], end[RVO_WALL_DISCS];
    rvo_flat flat[THRONG_WALLS_MAX];
    int discs, flats;
} rvo_scene;

LANE_FN void rvo_collect(const crowd *c, const rvo_self *me, int k, bool walls, lane_m lanes, rvo_scene *scene)
{
    scene->discs = scene->flats = 0;
    for (int s = 0; s < k && lane_any(lanes & (lane_gather_i(c->seen_count, me->i) > s)); s++)
        scene->disc[scene->discs++] = rvo_neighbour(c, me, s, lanes);
    if (!walls)
        return;
    for (int s = 0; s < THRONG_WALLS_MAX && lane_any(lanes & (lane_gather_i(c->wall_count, me->i) > s)); s++) {
        scene->flat[s] = rvo_wall(c, me, s, lanes, &scene->end[2 * s], &scene->end[2 * s + 1]);
        scene->flats++;
    }
}

LANE_FN void rvo_try(const crowd *c, const rvo_self *me, const rvo_scene *scene, lane_f wx, lane_f wy, lane_f vx,
                     lane_f vy, lane_m lanes, rvo_best *best)
{
    lane_f off = lane_sqrt(lane_dot(vx - wx, vy - wy, vx - wx, vy - wy));
    if (lane_any(me->steady > 0)) {
        lane_f ax = vx - me->limits.vx, ay = vy - me->limits.vy;
        off = off + me->steady * lane_sqrt(lane_dot(ax, ay, ax, ay));
    }
    lanes = lanes & (off < best->cost);
    if (!lane_any(lanes))
        return;
    rvo_urgency u = rvo_no_urgency();
    for (int s = 0; s < scene->discs; s++)
        rvo_meet(c, &scene->disc[s], vx, vy, &u);
    for (int s = 0; s < scene->flats; s++) {
        rvo_meet(c, &scene->end[2 * s], vx, vy, &u);
        rvo_meet(c, &scene->end[2 * s + 1], vx, vy, &u);
        rvo_meet_flat(&scene->flat[s], vx, vy, &u);
    }
    lane_f cost = off + rvo_penalty(c, me, &u);
    lane_m better = lanes & (cost < best->cost);
    best->cost = lane_select(better, cost, best->cost);
    best->vx = lane_select(better, vx, best->vx);
    best->vy = lane_select(better, vy, best->vy);
}

/* The new velocities of agents `i`, who prefer (wx, wy), into `best`. */
LANE_FN void rvo_solve(const crowd *c, int k, bool walls, lane_i i, lane_m lanes, lane_f wx, lane_f wy, rvo_best *best)
{
    rvo_self me = rvo_look_at_self(c, i);
    rvo_scene scene;
    rvo_collect(c, &me, k, walls, lanes, &scene);
    best->cost = lane_set(INFINITY);
    best->vx = best->vy = lane_set(0);
    lane_f vx = wx, vy = wy;
    limits_pull(&me.limits, &vx, &vy);
    rvo_try(c, &me, &scene, wx, wy, vx, vy, lanes, best);
    for (int32_t n = 0; lane_any(lanes & (me.samples > n)); n += 4) {
        philox_words words = rvo_words(c, &me, n / 4);
        for (int s = 0; s < 4; s++) {
            lane_m drawn = rvo_sample(&me, rvo_word(&words, s), &vx, &vy);
            rvo_try(c, &me, &scene, wx, wy, vx, vy, lanes & drawn & (me.samples > n + s), best);
        }
    }
}

#if defined(__CUDACC__)
/* Candidate n of agent `me`, 0: the preferred velocity. */
LANE_FN void rvo_try_numbered(const crowd *c, const rvo_self *me, const rvo_scene *scene, float wx, float wy, int32_t n,
                              rvo_best *best)
{
    float vx = wx, vy = wy;
    bool drawn = true;
    if (n == 0) {
        limits_pull(&me->limits, &vx, &vy);
    } else {
        philox_words words = rvo_words(c, me, (n - 1) / 4);
        drawn = rvo_sample(me, rvo_word(&words, (n - 1) % 4), &vx, &vy);
    }
    rvo_try(c, me, scene, wx, wy, vx, vy, drawn, best);
}
#endif

#endif
