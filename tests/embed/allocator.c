/* A program whose allocator counts what the library takes, and refuses more than a budget. Every block has a head of
 * its own before it: one that came from elsewhere, or goes elsewhere, is found at once.
 *
 *     allocator BUDGET_MB scenario.lua...
 *
 * Prints of each scenario its hash after 50 steps, the most bytes that were held, and the blocks that stayed when it had
 * ended; or why it failed. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throng.h"

enum { HEAD = 64 };

static const uint64_t MARK = 0x7468726f6e673031;

typedef struct head {
    uint64_t mark;
    size_t size;
    void *block; /* malloc's */
} head;

typedef struct heap {
    pthread_mutex_t lock;
    size_t bytes, most, blocks, budget;
} heap;

static head *head_of(void *block)
{
    head *h = (head *)(void *)((char *)block - HEAD);
    if (h->mark != MARK) {
        fputs("a block of somebody else's\n", stderr);
        abort();
    }
    return h;
}

/* A block more, or bytes more or less; false: that is beyond the budget. */
static int take(heap *of, size_t more, size_t less, int blocks)
{
    pthread_mutex_lock(&of->lock);
    int fits = of->bytes - less + more <= of->budget || more <= less;
    if (fits) {
        of->bytes += more - less;
        of->blocks += (size_t)blocks;
        of->most = of->bytes > of->most ? of->bytes : of->most;
    }
    pthread_mutex_unlock(&of->lock);
    return fits;
}

static void *allocate(void *context, size_t alignment, size_t size)
{
    size_t room = alignment > HEAD ? alignment : HEAD;
    char *block = size && take(context, size, 0, 1) ? malloc(size + 2 * room) : NULL;
    if (!block)
        return NULL;
    char *at = block + room;
    at += (room - (uintptr_t)at % room) % room;
    *(head *)(void *)(at - HEAD) = (head){MARK, size, block};
    return at;
}

static void release(void *context, void *block)
{
    head *h = head_of(block);
    take(context, 0, h->size, -1);
    h->mark = 0;
    free(h->block);
}

static void *reallocate(void *context, void *block, size_t size)
{
    void *moved = allocate(context, 16, size);
    if (moved && block) {
        size_t had = head_of(block)->size;
        memcpy(moved, block, had < size ? had : size);
        release(context, block);
    }
    return moved;
}

static int run(const char *path, heap *heap)
{
    throng_message message = {""};
    throng_sim *sim = throng_sim_load(path, NULL, &message);
    bool ok = sim != NULL;
    uint64_t hash = 0;
    for (int i = 0; ok && i < 50; i++)
        ok = throng_sim_step(sim, &message);
    ok = ok && throng_sim_hash(sim, &hash, &message);
    throng_sim_destroy(sim);
    if (ok)
        printf("%016llx %zu MB %s %zu left\n", (unsigned long long)hash, (heap->most + 500000) / 1000000, path,
               heap->blocks);
    else
        printf("%s: %s; %zu left\n", path, message.text, heap->blocks);
    heap->most = heap->bytes;
    return ok;
}

static void expect_refusal(const throng_allocator *allocator)
{
    throng_message message = {""};
    if (throng_set_allocator(allocator, &message))
        abort();
    puts(message.text);
}

int main(int argc, char **argv)
{
    heap heap = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .budget = argc > 1 ? strtoull(argv[1], NULL, 10) * 1000000 : SIZE_MAX};
    throng_allocator own = {sizeof own, allocate, reallocate, release, &heap}, half = own;
    half.release = NULL;
    expect_refusal(&half);
    half.size = 8;
    expect_refusal(&half);
    if (!throng_set_allocator(&own, NULL))
        abort();
    int failed = 0;
    for (int i = 2; i < argc; i++)
        failed += !run(argv[i], &heap);
    expect_refusal(&own);
    return failed > 0;
}
