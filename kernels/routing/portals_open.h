/* The open nodes of a search through portals: a heap, of four below each, least length first. */
#ifndef THRONG_PORTALS_OPEN_H
#define THRONG_PORTALS_OPEN_H

#include "portals_parts.h"

/* Moves down those above the free place `at` that come after `entry`, and puts it there. Ties go to the newer node,
 * which is nearer to the goal as a rule. */
LANE_FN void portals_settle(portal_open *heap, int32_t at, portal_open entry)
{
    for (int32_t above; at > 0 && entry.length <= heap[above = (at - 1) / 4].length; at = above)
        heap[at] = heap[above];
    heap[at] = entry;
}

LANE_FN void portals_push(portal_search *s, int32_t n, double length)
{
    portals_settle(s->heap, s->heap_count++, (portal_open){length, n});
}

LANE_FN int32_t portals_lesser(const portal_open *heap, int32_t a, int32_t b)
{
    return a + (b - a) * (heap[b].length < heap[a].length); /* no branch: nothing foretells it */
}

/* The least below move up without a look at the last, which belongs near the bottom. */
LANE_FN int32_t portals_pop(portal_search *s)
{
    portal_open *heap = s->heap;
    int32_t top = heap[0].node, count = --s->heap_count, at = 0, child = 1;
    for (; child + 3 < count; child = 4 * at + 1) {
        child =
            portals_lesser(heap, portals_lesser(heap, child, child + 1), portals_lesser(heap, child + 2, child + 3));
        heap[at] = heap[child];
        at = child;
    }
    if (child < count) {
        for (int32_t other = child + 1; other < count; other++)
            child = portals_lesser(heap, child, other);
        heap[at] = heap[child];
        at = child;
    }
    portals_settle(heap, at, heap[count]);
    return top;
}

/* After roots have become farther from the goal. */
LANE_FN void portals_lengthen_open(portal_search *s)
{
    for (int32_t i = 0; i < s->heap_count; i++) {
        portal_open open = s->heap[i];
        const portal_root *r = &s->roots[s->nodes[open.node].root];
        open.length = r->length + r->ahead > open.length ? r->length + r->ahead : open.length;
        portals_settle(s->heap, i, open);
    }
}

#endif
