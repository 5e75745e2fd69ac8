/* Walking: what a person makes of the velocity that a planner has chosen, whatever the planner.
 *
 * Who relaxes to the chosen velocity (column `relaxation`, tau > 0)
 *   - changes velocity by at most own speed / tau a second, which is where dv/dt = (v_chosen - v) / tau starts from for
 *     who stands (D. Helbing and P. Molnar, "Social force model for pedestrian dynamics", 1995): nobody is at full
 *     speed after a frame;
 *   - takes no step backwards, away from where it wants to go: it stands, or steps aside. Whom others have held up for
 *     long does, as somebody must where two block each other;
 *   - walks no faster than LIMITS_FASTEST of its own speed.
 * Before that the frustrated squeeze past who comes the other way (passing.h); then comes the time gap (time_gap.h).
 * Agents without a planner do what they are told, but for their `turn_rate`, and models that say themselves how people
 * walk (THRONG_KEEPS_GAP) are left to their own.
 *
 * Last in the plan stage, since the direction comes first, and the space in this direction says how fast: when the
 * preferred velocity was bounded instead, before the planner, dense crowds walked past each other's bounds: ORCA's
 * half-planes move with the crowd, and at 4 persons/m^2 it went on at 0.57 to 0.97 m/s where people do 0.16. */
#ifndef THRONG_WALK_H
#define THRONG_WALK_H

#include "facing.h"
#include "passing.h"
#include "time_gap.h"

#define WALK_BACK 10.0f /* times what is left to a frustration of 1: the part of a step back that is not taken */

/* Bounds the velocities (vx, vy) that agents `first` .., in slots `slot`, have chosen, by their bodies. */
LANE_FN void walk_relax(const crowd *c, int32_t first, lane_m lanes, lane_i slot, lane_f *vx, lane_f *vy)
{
    lane_f tau = crowd_relaxation(c, slot);
    lanes = lanes & (tau > 0);
    if (!lane_any(lanes))
        return;
    lane_f wx = lane_load(c->swx + first), wy = lane_load(c->swy + first), wish = lane_dot(wx, wy, wx, wy);
    lane_f own = limits_own(c, slot, wx, wy);
    lane_f before_x = lane_load(c->svx + first), before_y = lane_load(c->svy + first);
    lane_f ax = *vx - before_x, ay = *vy - before_y, change = lane_sqrt(lane_dot(ax, ay, ax, ay));
    lane_f most = own * (c->frame.dt / tau), part = lane_select(change > most, most / change, lane_set(1));
    lane_f x = before_x + ax * part, y = before_y + ay * part;
    lane_f along = lane_dot(x, y, wx, wy), back = lane_select(along < 0, along / wish, lane_set(0));
    lane_f calm = 1.0f - lane_gather(c->frustration, slot);
    back = lane_select(wish > 0, back * lane_min(WALK_BACK * calm, lane_set(1)), lane_set(0));
    x = x - back * wx;
    y = y - back * wy;
    lane_f speed = lane_sqrt(lane_dot(x, y, x, y)), fastest = LIMITS_FASTEST * own;
    lane_f slower = lane_select(speed > fastest, fastest / speed, lane_set(1));
    *vx = lane_select(lanes, x * slower, *vx);
    *vy = lane_select(lanes, y * slower, *vy);
}

/* Who turns no faster than so (column `turn_rate`), whatever the planner: from the way it walks, or faces if it stands.
 */
LANE_FN void walk_turn(const crowd *c, int32_t first, lane_m lanes, lane_i slot)
{
    lane_f vx = lane_load(c->nx + first), vy = lane_load(c->ny + first);
    lane_f hx, hy;
    lane_m walks = facing_way(c, first, slot, &hx, &hy);
    lane_f most = crowd_turn_rate(c, slot) * c->frame.dt;
    if (c->frame.planners >> THRONG_PLANNER_bvp & 1) { /* it has turned who stands by as much */
        lane_m turned = crowd_planner_kind(c, lane_gather_i(c->planner, slot)) == THRONG_PLANNER_bvp;
        most = lane_select(turned & lane_not(walks), lane_set(0), most);
    }
    limits_turn(hx, hy, most, lanes, &vx, &vy);
    lane_store(c->nx + first, vx, lanes);
    lane_store(c->ny + first, vy, lanes);
}

/* Those who are held to how people walk. */
LANE_FN void walk_people(const crowd *c, int32_t first, lane_m lanes, lane_i slot)
{
    lanes = lanes & lane_not(limits_unbound(c, slot));
    if (!lane_any(lanes))
        return;
    lane_f vx = lane_load(c->nx + first), vy = lane_load(c->ny + first);
    passing_squeeze(c, first, lanes, &vx, &vy);
    yield_rest(c, lanes, slot, &vx, &vy);
    lane_m goes = yield_take_turns(c, first, lanes, slot, &vx, &vy);
    walk_relax(c, first, lanes, slot, &vx, &vy);
    time_gap_slow(c, c->k, first, lanes & lane_not(goes), slot, &vx, &vy);
    lane_store(c->nx + first, vx, lanes);
    lane_store(c->ny + first, vy, lanes);
}

/* Who has collapsed walks nowhere, whoever wants it to. */
LANE_FN void walk_collapse(const crowd *c, int32_t first, lane_m lanes, lane_i slot)
{
    lanes = lanes & (lane_gather(c->pace, slot) == lane_set(0));
    lane_store(c->nx + first, lane_set(0), lanes);
    lane_store(c->ny + first, lane_set(0), lanes);
}

/* Has the stage anything to do in this frame? For launchers. */
static inline bool walk_acts(const crowd *c)
{
    return c->frame.planners & ~(uint32_t)LIMITS_UNBOUND || c->turn_rate || c->pace;
}

/* New velocities of agents `first` .., as they can be walked. */
LANE_FN void walk_stage(const crowd *c, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    walk_people(c, first, lanes, slot);
    if (c->turn_rate)
        walk_turn(c, first, lanes, slot);
    if (c->pace)
        walk_collapse(c, first, lanes, slot);
}

#endif
