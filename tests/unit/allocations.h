/* Allocations that fail: tests that include this are linked so that those of the project come here first (FAILING, in
 * the Makefile). Included once in a program. */
#ifndef THRONG_TEST_ALLOCATIONS_H
#define THRONG_TEST_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static int64_t left = -1; /* the one that fails is so many from now; negative: none does */
static bool asks_again; /* who is refused by realloc asks a second time at once (Lua, when it has collected garbage) */
static bool refused;    /* it was, and will be once more */

static bool fails(void) { return left >= 0 && left-- == 0; }

/* Whoever asks again is refused again. */
static bool realloc_fails(void)
{
    bool second = refused, first = fails();
    refused = first && asks_again;
    return first || second;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);
char *__wrap_strdup(const char *text);

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *block, size_t size) { return realloc_fails() ? NULL : __real_realloc(block, size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}
int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return fails() ? 12 : __real_posix_memalign(block, alignment, size);
}
char *__wrap_strdup(const char *text) { return fails() ? NULL : __real_strdup(text); }

#endif
