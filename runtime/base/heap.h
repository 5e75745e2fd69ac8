/* A binary heap of open nodes, the one with the least key first. Ties go to the lower node, so that searches find the
 * same in every run. */
#ifndef THRONG_HEAP_H
#define THRONG_HEAP_H

#include "array.h"

typedef struct throng_heap_entry {
    double key;
    int32_t node;
} throng_heap_entry;

/* Empty when all zero; `entries` is freed by its owner. */
typedef struct throng_heap {
    throng_heap_entry *entries;
    int32_t count, room;
} throng_heap;

static inline bool throng_heap_before(throng_heap_entry a, throng_heap_entry b)
{
    return a.key != b.key ? a.key < b.key : a.node < b.node;
}

/* False, with the heap as it was, when memory is out. */
static inline bool throng_heap_push(throng_heap *h, double key, int32_t node)
{
    throng_heap_entry entry = {key, node};
    if (h->count == h->room && /* nobody points into it: the debug build need not move it each time */
        !throng_array_reserve((void **)&h->entries, &h->room, (int64_t)h->count + 1, sizeof entry))
        return false;
    int32_t at = h->count++;
    for (; at > 0 && throng_heap_before(entry, h->entries[(at - 1) / 2]); at = (at - 1) / 2)
        h->entries[at] = h->entries[(at - 1) / 2];
    h->entries[at] = entry;
    return true;
}

/* The node with the least key; there is one. */
static inline int32_t throng_heap_pop(throng_heap *h)
{
    int32_t top = h->entries[0].node, at = 0, child;
    throng_heap_entry last = h->entries[--h->count];
    while ((child = 2 * at + 1) < h->count) {
        child += child + 1 < h->count && throng_heap_before(h->entries[child + 1], h->entries[child]);
        if (!throng_heap_before(h->entries[child], last))
            break;
        h->entries[at] = h->entries[child];
        at = child;
    }
    h->entries[at] = last;
    return top;
}

#endif
