/* Large blocks are taken within the limit of memory, or not at all: whoever asks for one is told that memory is out
 * before it is, and says of which call of a script. The linker sends every malloc of the program here (Makefile: WRAP);
 * what is taken in small blocks, or by libraries, the watchdog sees. */
#include <errno.h>
#include <stdlib.h>

#include "watchdog.h"

enum { LARGE = 1 << 20 };

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static bool fits(size_t size)
{
    if (size < LARGE || throng_memory_fits(size))
        return true;
    errno = ENOMEM;
    return false;
}

void *__wrap_malloc(size_t size) { return fits(size) ? __real_malloc(size) : NULL; }

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes = 0;
    bool sane = !__builtin_mul_overflow(count, size, &bytes);
    return sane && fits(bytes) ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *block, size_t size) { return fits(size) ? __real_realloc(block, size) : NULL; }

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fits(size) ? __real_aligned_alloc(alignment, size) : NULL;
}
