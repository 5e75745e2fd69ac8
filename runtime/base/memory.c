/* Large blocks are taken within the limit of memory, or not at all: whoever asks for one is told that memory is out
 * before it is, and says of which call of a script. What is taken in small blocks, or by libraries, the watchdog sees.
 */
#include "memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "throng.h"
#include "watchdog.h"

enum { LARGE = 1 << 20 };

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
void __wrap_free(void *block);

static throng_allocator own;   /* the program's */
static bool is_set;            /* it has one */
static atomic_bool is_settled; /* something has been allocated, by the allocator that there is */

bool throng_set_allocator(const throng_allocator *allocator, throng_message *message)
{
    const char *wrong = NULL;
    size_t first = offsetof(throng_allocator, context) + sizeof own.context; /* what the first programs know */
    if (!allocator || allocator->size < first || allocator->size > sizeof own)
        wrong = "throng_set_allocator: give a throng_allocator with .size = sizeof(throng_allocator)";
    else if (!allocator->allocate || !allocator->reallocate || !allocator->release)
        wrong = "throng_set_allocator: allocate, reallocate and release are needed, all three";
    else if (atomic_load(&is_settled))
        wrong =
            "throng_set_allocator: memory has been allocated before: set it before anything else of throng is called";
    if (wrong) {
        if (message)
            strcpy(message->text, wrong);
        return false;
    }
    memcpy(&own, allocator, allocator->size);
    is_set = true;
    return true;
}

static bool settle(void)
{
    if (!atomic_load_explicit(&is_settled, memory_order_relaxed))
        atomic_store(&is_settled, true);
    return is_set;
}

static bool fits(size_t size)
{
    if (size < LARGE || throng_memory_fits(size))
        return true;
    errno = ENOMEM;
    return false;
}

static void *allocate(size_t alignment, size_t size)
{
    return own.allocate(own.context, alignment, size + (size == 0));
}

void *__wrap_malloc(size_t size)
{
    if (!fits(size))
        return NULL;
    return settle() ? allocate(_Alignof(max_align_t), size) : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, size, &bytes) || !fits(bytes))
        return NULL;
    if (!settle())
        return __real_calloc(count, size);
    void *block = allocate(_Alignof(max_align_t), bytes);
    return block ? memset(block, 0, bytes) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!fits(size))
        return NULL;
    return settle() ? own.reallocate(own.context, block, size) : __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (!fits(size))
        return NULL;
    return settle() ? allocate(alignment, size) : __real_aligned_alloc(alignment, size);
}

char *__wrap_strndup(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    char *copy = __wrap_malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

char *__wrap_strdup(const char *text) { return __wrap_strndup(text, strlen(text)); }

void __wrap_free(void *block)
{
    if (!is_set)
        __real_free(block);
    else if (block)
        own.release(own.context, block);
}

void throng_system_free(void *block) { __real_free(block); }
