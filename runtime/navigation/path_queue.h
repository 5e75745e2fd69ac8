/* The path queue: many searches share each frame's time.
 *
 * Every request is a search object. Each frame has one budget of expansions (nodes a search opens up), divided evenly
 * over all open searches, so that no long search starves a short one and a frame costs no more with ten thousand
 * requests than with ten; what a search that ends early leaves goes to the others. Urgent requests are served before
 * all others (evenly, too). (The queue of O'Sullivan, 2009, section 4.4.3.) Expansions are
 * counted, not timed, so the same requests are finished in the same frames in every run and on every machine.
 *
 * The searches' memory is kept for the requests to come. */
#ifndef THRONG_PATH_QUEUE_H
#define THRONG_PATH_QUEUE_H

#include "stages/backend.h"
#include "path_lifts.h"

typedef struct throng_path_queue throng_path_queue;

enum {
    /* Expansions a frame. With it ten thousand requests across an office building (340 expansions each) are served in
     * 0.7 s of frames of 0.1 s; a frame that needs all of it takes about 0.08 s of one core. */
    THRONG_PATH_BUDGET = 1 << 19,
    /* Searches open at a time; more requests wait for their turn, in order. */
    THRONG_PATHS_OPEN = 1 << 14
};

/* A request's name, never used again; 0 is none. */
typedef int64_t throng_path_ticket;

typedef struct throng_path_request {
    const throng_navmesh *mesh; /* for the radius; see throng_path_queue_replace */
    const throng_map *map;      /* whose lifts it may lead through, where the mesh has some; NULL: it is walked */
    throng_point from, to;      /* m */
    bool urgent;
    int64_t tag; /* the caller's own: handed back with the answer */
} throng_path_request;

/* A request that is finished. */
typedef struct throng_path_answer {
    throng_path_ticket ticket;
    int64_t tag;
    const throng_path *path;  /* NULL: there is none. Of one that could ride, with its floors */
    throng_planned_ride ride; /* its first one */
} throng_path_answer;

/* NULL when memory is out. Searches run on as many threads as the backend has (on CUDA, as there are processors), and
 * large bursts on its device; which answers come when does not depend on either. `stages` NULL: on one thread. */
throng_path_queue *throng_path_queue_create(const throng_stages *stages);
void throng_path_queue_destroy(throng_path_queue *queue);

/* The ticket, or 0 when memory is out. */
throng_path_ticket throng_path_queue_add(throng_path_queue *queue, const throng_path_request *request);

/* Both false when the request is finished, or was cancelled before. */
bool throng_path_queue_cancel(throng_path_queue *queue, throng_path_ticket ticket);
bool throng_path_queue_prioritize(throng_path_queue *queue, throng_path_ticket ticket); /* makes it urgent */

/* One frame: spends at most `budget` expansions, and says how many. False when memory is out: what was found then is
 * answered by the next run. */
bool throng_path_queue_run(throng_path_queue *queue, int32_t budget, int32_t *spent);

/* What the last run finished, in the order of finishing; paths stay valid until the next. */
const throng_path_answer *throng_path_queue_answers(const throng_path_queue *queue, int32_t *count);

/* Is there a request with this tag that is not finished? */
bool throng_path_queue_has(const throng_path_queue *queue, int64_t tag);

/* The same stages, and the same map, are somewhere else now. */
void throng_path_queue_move(throng_path_queue *queue, const throng_stages *stages, const throng_map *map);

/* Requests that are not finished. */
int32_t throng_path_queue_pending(const throng_path_queue *queue);

/* Searches on `mesh` start over on `now`: call it before the mesh goes or changes. */
void throng_path_queue_replace(throng_path_queue *queue, const throng_navmesh *mesh, const throng_navmesh *now);

#endif
