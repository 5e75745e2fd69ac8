/* Work of which much is in flight at a time, on few threads: each piece has a stack of its own, and where one has to
 * wait for what is worth asking for together, its thread goes on with another. Each piece is of one of two halves, so
 * that one half works while what the other waits for is done. */
#ifndef THRONG_FIBERS_H
#define THRONG_FIBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void fibers_work(void *context, int32_t i);

/* Calls work(context, i) for each i of [0, count), each on a stack of its own, on so many threads at most, with the
 * caller as one of them. Work that waits (fibers_wait) lets others go on; once begun it stays on its thread. False:
 * memory is out, and nothing was called. */
bool fibers_run(int32_t count, int32_t threads, fibers_work *work, void *context, throng_error *error);

/* The same again and again, with threads and stacks that are kept. */
typedef struct fibers fibers;
fibers *fibers_create(int32_t threads); /* NULL when memory is out */
void fibers_destroy(fibers *f);         /* NULL is fine */
void fibers_run_on(fibers *f, int32_t count, fibers_work *work, void *context);

/* Is this called by such work? */
bool fibers_inside(void);

/* Of which half is the work that calls this, 0 or 1? -1: it is not called by such work. */
enum { FIBERS_HALVES = 2 };
int32_t fibers_half_of(void);

/* What work has for itself, zero when it begins. NULL: this is not called by such work. */
typedef struct fibers_own {
    void *value;           /* whatever the caller keeps there */
    const uint32_t *turns; /* atomic: how often its thread has gone on with other work */
} fibers_own;
fibers_own *fibers_own_of(void);

/* Lets other work go on, and returns after `serve` was called, once all that is left of its half waits: by a thread
 * that does no work, while the other half goes on. Of those who wait with different functions each is called once. */
typedef void fibers_service(int32_t half);
void fibers_wait(fibers_service *serve);

#ifdef __cplusplus
}
#endif

#endif
