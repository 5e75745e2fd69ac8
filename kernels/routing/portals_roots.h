/* The roots of a search through portals: corners that paths bend at, of which each is kept by its shortest path. */
#ifndef THRONG_PORTALS_ROOTS_H
#define THRONG_PORTALS_ROOTS_H

#include "portals_landmarks.h"

LANE_FN int32_t *portals_slot_of(portal_search *s, int32_t corner)
{
    uint32_t mask = (uint32_t)s->table_size - 1, at = (uint32_t)corner * 2654435769u >> 7 & mask;
    while (s->table[at] >= 0 && s->roots[s->table[at]].corner != corner)
        at = (at + 1) & mask;
    return &s->table[at];
}

LANE_FN int32_t portals_add_root(portal_search *s, portal_root r)
{
    if (r.corner >= 0) {
        int32_t *slot = portals_slot_of(s, r.corner);
        if (*slot >= 0)
            s->roots[*slot].beaten = true;
        *slot = s->root_count;
        r.slot = (int32_t)(slot - s->table);
    }
    s->roots[s->root_count] = r;
    return s->root_count++;
}

/* The root as it is behind a portal that costs something. */
LANE_RARE int32_t portals_pay(portal_search *s, int32_t root, double cost)
{
    portal_root r = s->roots[root];
    r.length += cost;
    r.corner = -1;
    return portals_add_root(s, r);
}

/* The walls at the corner lie on the side that the path along (x, y) bends to: it is tangent there. */
LANE_FN bool portals_is_tangent(const throng_path_corner *c, throng_point at, double x, double y, int turn)
{
    double a = portals_cross(x, y, c->ax - at.x, c->ay - at.y), b = portals_cross(x, y, c->bx - at.x, c->by - at.y);
    return turn == PORTALS_TURN_LEFT ? a >= 0 && b >= 0 : a <= 0 && b <= 0;
}

/* The root at the corner that the entrance ends at, for paths that come from root `from` and turn there; -1 when none
 * do: no corner (-1), not tangent, or there is a path there as short. The cone is free on its side of the ray to the
 * corner, so the walls are on the other, unless it has no width because the entrance lies along the ray. */
LANE_FN int32_t portals_turn_at(portal_search *s, const throng_path_portal *entrance, int32_t from, int turn)
{
    bool is_left = turn == PORTALS_TURN_LEFT;
    int32_t corner = is_left ? entrance->at_start : entrance->at_end;
    throng_point at = is_left ? entrance->start : entrance->end, other = is_left ? entrance->end : entrance->start;
    const portal_root *f = &s->roots[from];
    double x = at.x - f->at.x, y = at.y - f->at.y;
    if (corner < 0 || (portals_cross(x, y, other.x - at.x, other.y - at.y) == 0 &&
                       !portals_is_tangent(&s->net->corners[corner], at, x, y, turn)))
        return -1;
    double length = f->length + sqrt(x * x + y * y);
    int32_t known = *portals_slot_of(s, corner);
    if (known >= 0) {
        portal_root *k = &s->roots[known];
        double hair = PORTALS_SAME * (1 + length);
        if (length > k->length + hair || (length >= k->length - hair && (k->turns & turn)))
            return -1;
        if (length >= k->length - hair) {
            k->turns |= (uint8_t)turn;
            return known;
        }
    }
    return portals_add_root(
        s, (portal_root){at, length, portals_ahead(s, at, corner), from, corner, 0, (uint8_t)turn, false});
}

#endif
