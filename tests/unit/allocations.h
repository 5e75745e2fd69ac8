/* Allocations that fail: programs that include this have an allocator of their own, as throng_set_allocator gives it to
 * any. Included once in a program. */
#ifndef THRONG_TEST_ALLOCATIONS_H
#define THRONG_TEST_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "throng.h"

static int64_t left = -1; /* the one that fails is so many from now; negative: none does */
static bool for_good;     /* and all after it */
static bool asks_again; /* who is refused by realloc asks a second time at once (Lua, when it has collected garbage) */
static bool refused;    /* it was, and will be once more */

static bool fails(void)
{
    if (for_good && left == 0)
        return true;
    return left >= 0 && left-- == 0;
}

/* Whoever asks again is refused again. */
static bool reallocation_fails(void)
{
    bool second = refused, first = fails();
    refused = first && asks_again;
    return first || second;
}

/* The C library's, past the linker's renaming (Makefile: WRAP). */
void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);

static void *allocate(void *context, size_t alignment, size_t size)
{
    (void)context;
    if (fails())
        return NULL;
    return alignment > _Alignof(max_align_t) ? __real_aligned_alloc(alignment, size) : __real_malloc(size);
}

static void *reallocate(void *context, void *block, size_t size)
{
    (void)context;
    return reallocation_fails() ? NULL : __real_realloc(block, size);
}

static void release(void *context, void *block)
{
    (void)context;
    __real_free(block);
}

/* Before main, which allocates. */
__attribute__((constructor)) static void use_allocator(void)
{
    throng_allocator own = {sizeof own, allocate, reallocate, release, NULL};
    if (!throng_set_allocator(&own, NULL))
        abort();
}

#endif
