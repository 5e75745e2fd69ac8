/* Growing arrays: room for one more, by doubling. Every array of the host that grows does so here.
 *
 * The debug build (make moving, THRONG_MOVE_ARRAYS) moves an array whenever it might have grown, and overwrites what it
 * leaves: who has kept a pointer into it reads rubbish at once, and not when it happens to grow. */
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

/* Makes `*data` (of elements of `size` bytes) hold at least `wanted`; false,
 * with the array as it was, when memory is out. */
static inline bool throng_array_reserve(void **data, int32_t *capacity, int64_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return !THRONG_MOVES_ARRAYS || !*data || throng_array_resize(data, (size_t)*capacity * size);
    int64_t room = *capacity < 32 ? 64 : 2 * (int64_t)*capacity;
    room = room < wanted ? wanted : room;
    if (room > INT32_MAX || !throng_array_resize(data, (size_t)room * size))
        return false;
    *capacity = (int32_t)room;
    return true;
}

#endif
