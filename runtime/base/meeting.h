/* Where the processes of a study meet that were started on their own, perhaps on several machines: one waits, and says
 * where in a file beside the results; the others find it there, connect and run workers (workers.h) for it. */
#ifndef THRONG_MEETING_H
#define THRONG_MEETING_H

#include <stdint.h>

#include "error.h"

/* Of processes that mpirun, mpiexec or srun started together: which one this is, of how many, and the same among those
 * of this machine. 0 of 1: alone. */
typedef struct throng_rank {
    int32_t rank, of, here, of_here;
} throng_rank;
throng_rank throng_meeting_rank(void);

typedef struct throng_meeting throng_meeting;

/* Waits for others, who find it by the file. Its text is readable by this user alone: who knows it may join. */
throng_meeting *throng_meeting_open(const char *path, const char *version, throng_error *error);
void throng_meeting_close(throng_meeting *meeting); /* removes the file; NULL is fine */
int throng_meeting_socket(const throng_meeting *meeting);
const char *throng_meeting_greeting(const throng_meeting *meeting);

/* Runs `count` workers with the arguments argv[i] for who waits there, each for so many orders at a time, until it has
 * no more work. One that ends otherwise is started again. False: nobody waits there, after `patience` seconds. */
bool throng_meeting_join(const char *path, const char *version, char *const *const *argv, int32_t count, int32_t orders,
                         double patience, throng_error *error);

#endif
