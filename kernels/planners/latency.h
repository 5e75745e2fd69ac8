/* Latency: the plan of a frame overlaps with its move, as in the buffer of B. O'Sullivan, "Dynamic object avoidance"
 * (2009, section 4.7.2). Agents then move by what was planned a frame ago, which waits in the columns planned_vx and
 * planned_vy; who is new stands for a frame.
 *
 * While the planners run, the move stage writes places, velocities, headings, frustrations, shoulders and floors, and
 * puts its lists where sense had put places and radii. So the planners work on copies of those (places and velocities
 * they have sorted), and their headings are kept once the move is done, of agents whom it did not turn: as when both
 * run in turn.
 *
 * Measured on an H200, ms a frame without and with: forces, 2,000 agents 0.206 and 0.208, 20,000 0.390 and 0.408,
 * 200,000 0.796 and 0.844, 1,000,000 2.64 and 2.81; ORCA, 200,000 0.541 and 0.673; 2,000 agents among 500 bodies 1.74
 * and 1.70. So nothing is gained but where the host moves bodies meanwhile. (Crowds differ, too: their
 * plans are older.) */
#ifndef THRONG_LATENCY_H
#define THRONG_LATENCY_H

#include "kernels/contacts/move.h"

/* What the planners have of their own. */
typedef struct latency_copies {
    float *nx, *ny, *sx, *sy, *sr;            /* sorted */
    float *hx, *hy, *frustration, *shoulders; /* by slot */
    int32_t *floor;
} latency_copies;

/* The crowd that the planners see. What the move writes and they have no copy of is not there. */
static inline crowd latency_ahead(const crowd *c, const latency_copies *own)
{
    crowd ahead = *c;
    ahead.x = ahead.y = ahead.vx = ahead.vy = ahead.planned_vx = ahead.planned_vy = NULL;
    ahead.nx = own->nx, ahead.ny = own->ny;
    ahead.sx = own->sx, ahead.sy = own->sy, ahead.sr = own->sr;
    ahead.hx = own->hx, ahead.hy = own->hy, ahead.frustration = own->frustration;
    ahead.shoulders = c->shoulders ? own->shoulders : NULL;
    ahead.floor = c->floor ? own->floor : NULL;
    return ahead;
}

/* Takes what agents `first` .. planned a frame ago, and the planners' copies. */
LANE_FN void latency_split(const crowd *c, const crowd *ahead, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    lane_store(c->nx + first, lane_gather(c->planned_vx, slot), lanes);
    lane_store(c->ny + first, lane_gather(c->planned_vy, slot), lanes);
    lane_store(ahead->sx + first, lane_load(c->sx + first), lanes);
    lane_store(ahead->sy + first, lane_load(c->sy + first), lanes);
    lane_store(ahead->sr + first, lane_load(c->sr + first), lanes);
    lane_scatter(ahead->hx, slot, lane_gather(c->hx, slot), lanes);
    lane_scatter(ahead->hy, slot, lane_gather(c->hy, slot), lanes);
    lane_scatter(ahead->frustration, slot, lane_gather(c->frustration, slot), lanes);
    if (c->shoulders)
        lane_scatter(ahead->shoulders, slot, lane_gather(c->shoulders, slot), lanes);
    if (c->floor)
        lane_scatter_i(ahead->floor, slot, lane_gather_i(c->floor, slot), lanes);
}

/* Keeps what they planned, when the move is done. */
LANE_FN void latency_join(const crowd *c, const crowd *ahead, int32_t first, lane_m lanes)
{
    lane_i slot = crowd_slots(c, first, lanes);
    lane_scatter(c->planned_vx, slot, lane_load(ahead->nx + first), lanes);
    lane_scatter(c->planned_vy, slot, lane_load(ahead->ny + first), lanes);
    lane_f vx = lane_gather(c->vx, slot), vy = lane_gather(c->vy, slot);
    lane_m unturned = lanes & lane_not(facing_looks(c, slot) | (lane_sqrt(lane_dot(vx, vy, vx, vy)) > FACING_WALKS));
    lane_scatter(c->hx, slot, lane_gather(ahead->hx, slot), unturned);
    lane_scatter(c->hy, slot, lane_gather(ahead->hy, slot), unturned);
}

#endif
