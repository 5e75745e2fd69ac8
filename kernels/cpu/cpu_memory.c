/* The CPU backend's scratch. */
#include "base/watchdog.h"
#include "cpu_backend.h"
#include "kernels/scratch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PADDING = 64, HUGE_PAGE = 2 << 20 };

/* A block on pages of 2 MB where there are such: the stages reach into it all over, and each page of 4 kB is another
 * one to be found. */
static void *allocate(size_t size)
{
    size_t page = size < HUGE_PAGE ? 64 : HUGE_PAGE;
    void *block = aligned_alloc(page, (size + page - 1) / page * page);
    if (block && size >= HUGE_PAGE)
        madvise(block, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return block;
}

/* A zeroed block for all arrays of the list, one more vector long, so that the last one can be loaded whole; NULL when
 * memory is out, or it was given up: a GB takes half a second. */
static void *block_for(const scratch *list, int n, int32_t agents)
{
    size_t size = scratch_bytes(list, n, (size_t)agents + PADDING);
    char *block = allocate(size);
    for (size_t at = 0; block && at < size; at += HUGE_PAGE) {
        if (throng_given_up()) {
            free(block);
            return NULL;
        }
        memset(block + at, 0, size - at < HUGE_PAGE ? size - at : HUGE_PAGE);
    }
    return block;
}

/* Puts the block in place of the one that begins with the first array of the list. */
static void install(throng_backend *b, const scratch *list, int n, void *block, int32_t from, int32_t to)
{
    free(*list[0].array);
    scratch_install(list, n, block, (size_t)to + PADDING);
    for (int i = 0; i < n; i++)
        b->bytes += ((size_t)to - (size_t)from) * list[i].each * 4;
}

/* False, with the arrays as they were, when memory is out. */
static bool reallocate(throng_backend *b, const scratch *list, int n, int32_t from, int32_t to)
{
    void *block = block_for(list, n, to);
    if (block)
        install(b, list, n, block, from, to);
    return block;
}

static int scratch_list(throng_backend *b, scratch *list)
{
    int n = scratch_of_agents(&b->crowd, &b->contacts, list);
    list[n] = (scratch)SCRATCH(b->contacts.beyond, 1);
    return n + 1;
}

bool cpu_reserve_walls(throng_backend *b, int32_t from, int32_t to)
{
    scratch list[SCRATCH_MOST];
    return reallocate(b, list, scratch_of_walls(&b->crowd, &b->contacts, list), from, to);
}

/* Scratch for so many agents: all of it, or none. */
static bool grow_scratch(throng_backend *b, int32_t capacity)
{
    scratch list[SCRATCH_MOST], walls[SCRATCH_MOST];
    int n = scratch_list(b, list), m = b->crowd.walls.count ? scratch_of_walls(&b->crowd, &b->contacts, walls) : 0;
    void *block = block_for(list, n, capacity), *wall_block = m ? block_for(walls, m, capacity) : NULL;
    size_t blocks = (size_t)cpu_mark_blocks(capacity);
    int32_t *marked = calloc(2 * blocks, sizeof *marked); /* two for each block of agents */
    if (!block || !marked || (m && !wall_block)) {
        free(block);
        free(wall_block);
        free(marked);
        return false;
    }
    install(b, list, n, block, b->capacity, capacity);
    if (m)
        install(b, walls, m, wall_block, b->capacity, capacity);
    free(b->contacts.marked);
    b->contacts.marked = marked;
    b->contacts.watched = marked + blocks;
    b->key = (int32_t *)(void *)b->contacts.b; /* the sort is done with it when the contacts begin */
    contacts_share(&b->crowd, &b->contacts);
    for (int32_t i = 0; i < capacity; i++)
        b->crowd.reach[i] = 1e9f;
    b->capacity = capacity;
    b->crowd.stride = capacity + PADDING;
    return true;
}

bool cpu_reserve(throng_backend *b, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                 throng_error *error)
{
    (void)slots;
    if (capacity > b->capacity && !grow_scratch(b, capacity))
        return throng_fail(error, "out of memory for %d agents; spawn fewer, or allow more (--memory MIB)", capacity);
    b->crowd.columns = *host;
    return true;
}

bool cpu_reserve_copies(throng_backend *b, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    if (b->copies_room == b->capacity)
        return true;
    if (!reallocate(b, list, scratch_of_latency(&b->copies, list), b->copies_room, b->capacity))
        return throng_fail(error, "out of memory for the plans of %d agents; spawn fewer, or allow more (--memory MIB)",
                           b->capacity);
    b->copies_room = b->capacity;
    return true;
}

/* Only where somebody is wider than deep. */
bool cpu_reserve_shapes(throng_backend *b, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    if (!b->crowd.width || b->shapes_room == b->capacity)
        return true;
    if (!reallocate(b, list, scratch_of_shapes(&b->crowd, list), b->shapes_room, b->capacity))
        return throng_fail(
            error, "out of memory for the bodies of %d agents; spawn fewer, or allow more (--memory MIB)", b->capacity);
    b->shapes_room = b->capacity;
    return true;
}

/* Only where places are watched. */
bool cpu_reserve_places(throng_backend *b, throng_error *error)
{
    scratch list[SCRATCH_MOST];
    if (!b->crowd.places.count || b->places_room == b->capacity)
        return true;
    throng_crossing *crossings = malloc((size_t)b->capacity * sizeof *crossings);
    if (!crossings || !reallocate(b, list, scratch_of_places(&b->crowd, list), b->places_room, b->capacity)) {
        free(crossings);
        return throng_fail(error, "out of memory for who crosses into places, of %d agents", b->capacity);
    }
    free(b->crossings);
    b->crossings = crossings;
    b->bytes += (size_t)(b->capacity - b->places_room) * sizeof *crossings;
    b->places_room = b->capacity;
    return true;
}

/* Lists as long as the longest that anybody asks for. */
bool cpu_reserve_seen(throng_backend *b, int32_t neighbours, throng_error *error)
{
    size_t size = (size_t)b->crowd.stride * (size_t)neighbours * sizeof *b->crowd.seen;
    if (size <= b->seen_size)
        return true;
    int32_t *seen = allocate(size);
    if (!seen)
        return throng_fail(error, "out of memory for the neighbours of %d agents", b->capacity);
    if (b->seen_size) /* somebody may still ask for these */
        memcpy(seen, b->crowd.seen, b->seen_size);
    free(b->crowd.seen);
    b->crowd.seen = seen;
    b->bytes += size - b->seen_size;
    b->seen_size = size;
    return true;
}

bool cpu_grid(throng_backend *b, const throng_frame *f, throng_error *error)
{
    int32_t cells = f->grid_width * f->grid_height;
    if (cells == b->cells)
        return true;
    int32_t *start = malloc((2 * (size_t)cells + 1) * sizeof *start); /* see sort_by_cell */
    if (!start)
        return throng_fail(error, "out of memory for a grid of %d cells", cells);
    free(b->crowd.cell_start);
    b->crowd.cell_start = start;
    b->bytes += 2 * ((size_t)cells - (size_t)b->cells) * sizeof *start;
    b->cells = cells;
    return true;
}

void cpu_free_memory(throng_backend *b)
{
    scratch list[SCRATCH_MOST];
    scratch_list(b, list);
    free(*list[0].array);
    scratch_of_walls(&b->crowd, &b->contacts, list);
    free(*list[0].array);
    scratch_of_latency(&b->copies, list);
    free(*list[0].array);
    scratch_of_places(&b->crowd, list);
    free(*list[0].array);
    free(b->crossings);
    free(b->contacts.marked);
    free(b->crowd.shape);
    free(b->crowd.seen);
    free(b->crowd.cell_start);
}
