/* Growing arrays: room for one more, by doubling. Every array of the host that grows does so here.
 *
 * The debug build (make moving, THRONG_MOVE_ARRAYS) moves an array whenever it might have grown, a large one now and
 * then, and overwrites what it leaves: who has kept a pointer into it reads rubbish at once, and not when it happens to
 * grow. */
#ifndef THRONG_ARRAY_H
#define THRONG_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef THRONG_MOVE_ARRAYS
#include <malloc.h>
#include <string.h>
#define THRONG_MOVES_ARRAYS 1
#else
#define THRONG_MOVES_ARRAYS 0
#endif

/* Frees a block whose place must not be read any more. */
static inline void throng_array_abandon(void *data)
{
#ifdef THRONG_MOVE_ARRAYS
    if (data)
        memset(data, 0xA5, malloc_usable_size(data));
    __asm__ volatile("" : : "r"(data) : "memory"); /* the compiler would leave it out before free */
#endif
    free(data);
}

/* Gives the array `bytes` bytes; false, with the array as it was, when memory is out. */
static inline bool throng_array_resize(void **data, size_t bytes)
{
    bytes += bytes == 0;
#ifdef THRONG_MOVE_ARRAYS
    void *moved = malloc(bytes);
    size_t had = *data ? malloc_usable_size(*data) : 0;
    if (moved && had)
        memcpy(moved, *data, had < bytes ? had : bytes);
    if (moved)
        throng_array_abandon(*data);
#else
    void *moved = realloc(*data, bytes);
#endif
    if (moved)
        *data = moved;
    return moved != NULL;
}

/* Is an array that need not grow moved? One of more than 4 KiB each time that so many bytes a call have come together:
 * moved at each append, the arrays of long searches made a test of bodies take more than twenty minutes. */
static inline bool throng_array_is_due(const void *data, size_t bytes)
{
#ifdef THRONG_MOVE_ARRAYS
    enum { BYTES = 1 << 12 };
    static _Thread_local size_t saved;
    if (!data || bytes <= BYTES)
        return data != NULL;
    saved += BYTES;
    if (saved < bytes)
        return false;
    saved = 0;
    return true;
#else
    (void)data, (void)bytes;
    return false;
#endif
}

/* Makes `*data` (of elements of `size` bytes) hold at least `wanted`; false,
 * with the array as it was, when memory is out. */
static inline bool throng_array_reserve(void **data, int32_t *capacity, int64_t wanted, size_t size)
{
    if (wanted <= *capacity) {
        size_t bytes = (size_t)*capacity * size;
        return !throng_array_is_due(*data, bytes) || throng_array_resize(data, bytes);
    }
    int64_t room = *capacity < 32 ? 64 : 2 * (int64_t)*capacity;
    room = room < wanted ? wanted : room;
    if (room > INT32_MAX || !throng_array_resize(data, (size_t)room * size))
        return false;
    *capacity = (int32_t)room;
    return true;
}

#endif
