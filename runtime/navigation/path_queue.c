#include "path_queue.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fibers.h"
#include "base/watchdog.h"
#include "base/pool.h"
#include "base/array.h"

typedef struct slot {
    throng_path_request request;
    throng_path_search *search; /* NULL: waits for its turn */
    throng_lift_search *lifts;  /* which goes on by that one, where there are lifts; NULL: it has not begun */
    uint32_t generation;        /* counts the requests that had the slot, from 1 */
    bool pending, begun;        /* its search has begun */
} slot;

typedef struct list {
    int32_t *items;
    int32_t count, room;
} list;

/* Slots in the order of arrival; those that are finished or cancelled are dropped when the next run begins. */
typedef struct line {
    list slots;
    int32_t turn; /* who is served first when the budget is not enough for everybody */
} line;

/* A search's part in a round, or in what is found ahead. */
typedef struct job {
    int32_t slot;
    int32_t share; /* expansions: given, and then left */
    bool fresh;    /* it has not begun */
    throng_path_state state;
} job;

struct throng_path_queue {
    const throng_stages *stages; /* NULL: no threads and no device */
    pool *pool;                  /* NULL before the first large round */
    job *jobs;
    int32_t job_room;
    throng_search_query *queries; /* made for the first burst */
    throng_search_result *results;
    const throng_point *corners; /* the device's, of the last batch */
    int32_t query_room, result_room;
    slot *slots;
    int32_t slot_count, slot_room;
    list free; /* slots to be used again */
    line urgent, others;
    throng_path_search **idle; /* warm */
    int32_t idle_count, idle_room;
    throng_path_answer *answers;
    throng_path_search **answered; /* [answer_count] their searches, idle from the next run on */
    throng_lift_search **rides;    /* [answer_count] likewise, NULL: of one without lifts */
    int32_t answer_count, answer_room, answered_room, ride_room;
    int32_t pending;
    bool failed; /* memory is out */
};

static bool append(list *l, int32_t item)
{
    if (!throng_array_reserve((void **)&l->items, &l->room, (int64_t)l->count + 1, sizeof item))
        return false;
    l->items[l->count++] = item;
    return true;
}

static bool may_ride(const slot *s) { return s->request.map && s->request.mesh->lifts; }

/* --- requests --- */

static int32_t new_slot(throng_path_queue *q)
{
    if (q->free.count > 0)
        return q->free.items[--q->free.count];
    if (!throng_array_reserve((void **)&q->slots, &q->slot_room, (int64_t)q->slot_count + 1, sizeof *q->slots))
        return -1;
    q->slots[q->slot_count] = (slot){.generation = 0};
    return q->slot_count++;
}

throng_path_ticket throng_path_queue_add(throng_path_queue *q, const throng_path_request *request)
{
    int32_t at = new_slot(q);
    if (at < 0)
        return 0;
    if (!append(request->urgent ? &q->urgent.slots : &q->others.slots, at)) {
        append(&q->free, at);
        return 0;
    }
    slot *s = &q->slots[at];
    *s = (slot){.request = *request, .generation = s->generation + 1, .pending = true};
    q->pending++;
    return (int64_t)s->generation << 32 | at;
}

static slot *slot_of(throng_path_queue *q, throng_path_ticket ticket)
{
    int64_t at = ticket & 0xffffffff;
    slot *s = at < q->slot_count ? &q->slots[at] : NULL;
    return s && s->pending && s->generation == (uint32_t)(ticket >> 32) ? s : NULL;
}

static void make_idle(throng_path_queue *q, throng_path_search *search)
{
    if (search && !throng_array_reserve((void **)&q->idle, &q->idle_room, (int64_t)q->idle_count + 1,
                                        sizeof(throng_path_search *)))
        throng_path_search_destroy(search);
    else if (search)
        q->idle[q->idle_count++] = search;
}

static void drop_search(throng_path_queue *q, slot *s)
{
    make_idle(q, s->search);
    throng_lift_search_destroy(s->lifts);
    s->search = NULL;
    s->lifts = NULL;
}

bool throng_path_queue_cancel(throng_path_queue *q, throng_path_ticket ticket)
{
    slot *s = slot_of(q, ticket);
    if (!s)
        return false;
    drop_search(q, s);
    s->pending = false;
    q->pending--;
    return true;
}

static void drop(line *l, int32_t item)
{
    int32_t at = 0;
    while (l->slots.items[at] != item)
        at++;
    l->turn -= at < l->turn;
    l->slots.count--;
    for (; at < l->slots.count; at++)
        l->slots.items[at] = l->slots.items[at + 1];
}

bool throng_path_queue_prioritize(throng_path_queue *q, throng_path_ticket ticket)
{
    slot *s = slot_of(q, ticket);
    if (!s)
        return false;
    int32_t at = (int32_t)(s - q->slots);
    if (s->request.urgent || !append(&q->urgent.slots, at))
        return true;
    s->request.urgent = true;
    drop(&q->others, at);
    return true;
}

void throng_path_queue_replace(throng_path_queue *q, const throng_navmesh *mesh, const throng_navmesh *now)
{
    for (int32_t i = 0; i < q->slot_count; i++) {
        slot *s = &q->slots[i];
        if (!s->pending || s->request.mesh != mesh)
            continue;
        s->request.mesh = now;
        drop_search(q, s);
        s->begun = false;
    }
}

/* --- a frame --- */

/* Forgets the requests of the line that are no more. */
static void tidy(throng_path_queue *q, line *l)
{
    int32_t kept = 0, turn = 0;
    for (int32_t i = 0; i < l->slots.count; i++) {
        int32_t at = l->slots.items[i];
        if (q->slots[at].pending) {
            turn += i < l->turn;
            l->slots.items[kept++] = at;
        } else if (!append(&q->free, at)) {
            q->failed = true;
        }
    }
    l->slots.count = kept;
    l->turn = turn;
}

/* Rounds of fewer are not worth a thread's while. */
enum { LARGE_ROUND = 64 };

/* Runs `work` over jobs, on threads when they are many; where many worlds are stepped side by side, these have them. */
static void run_jobs(throng_path_queue *q, int32_t count, pool_work *work)
{
    bool large = count >= LARGE_ROUND && !fibers_inside();
    if (large && q->stages && !q->pool) {
        throng_backend_info info;
        q->stages->api->info(q->stages->backend, &info);
        q->pool = pool_create(info.threads > 0 ? info.threads : (int)sysconf(_SC_NPROCESSORS_ONLN));
    }
    if (large && q->pool)
        pool_run(q->pool, count, LARGE_ROUND / 8, work, q);
    else
        work(q, 0, count, 0);
}

/* The next job: the slot's, whose search is made when it has none. False when memory is out. */
static bool add_job(throng_path_queue *q, int32_t *count, int32_t at, int32_t share)
{
    slot *s = &q->slots[at];
    if (!s->search)
        s->search = q->idle_count > 0 ? q->idle[--q->idle_count] : throng_path_search_create();
    if (!s->search || !throng_array_reserve((void **)&q->jobs, &q->job_room, (int64_t)*count + 1, sizeof *q->jobs)) {
        q->failed = true;
        return false;
    }
    q->jobs[(*count)++] = (job){at, share, !s->begun, THRONG_PATH_OPEN};
    return true;
}

/* --- what a device finds ahead ---
 *
 * A burst of requests goes to the device in one batch. What it found is kept until the search would have found it, so
 * that a request is answered in the same frame with a device and without. */

enum { BURST = 1024, AHEAD = 1 << 17 };

/* Jobs for the requests of the line that nobody has looked at yet, on the mesh of the first of them. */
static int32_t take_fresh(throng_path_queue *q, const line *l)
{
    const throng_navmesh *mesh = NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < l->slots.count && count < AHEAD; i++) {
        const slot *s = &q->slots[l->slots.items[i]];
        if (!s->pending || s->begun || may_ride(s) || (mesh && s->request.mesh != mesh))
            continue;
        mesh = s->request.mesh;
        if (!add_job(q, &count, l->slots.items[i], 0))
            return 0;
    }
    return count;
}

static int32_t count_fresh(const throng_path_queue *q, const line *l)
{
    int32_t count = 0;
    for (int32_t i = 0; i < l->slots.count; i++) {
        const slot *s = &q->slots[l->slots.items[i]];
        count += s->pending && !s->begun && !may_ride(s);
    }
    return count;
}

static void begin_jobs(void *context, int32_t begin, int32_t end, int thread)
{
    (void)thread;
    throng_path_queue *q = context;
    for (int32_t i = begin; i < end; i++) {
        slot *s = &q->slots[q->jobs[i].slot];
        throng_path_search_begin(s->search, s->request.mesh, s->request.from, s->request.to);
        s->begun = true;
        q->jobs[i].fresh = throng_path_search_query(s->search, &q->queries[i]);
    }
}

static void settle_jobs(void *context, int32_t begin, int32_t end, int thread)
{
    (void)thread;
    throng_path_queue *q = context;
    for (int32_t i = begin; i < end; i++)
        throng_path_search_settle(q->slots[q->jobs[i].slot].search, &q->results[i], q->corners);
}

/* Those of the jobs that there is something to look for, and their queries, move together. Returns how many. */
static int32_t keep_open(throng_path_queue *q, int32_t count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (q->jobs[i].fresh) {
            q->jobs[kept] = q->jobs[i];
            q->queries[kept++] = q->queries[i];
        }
    return kept;
}

/* What the device has no room for is searched here as ever. */
static void find_ahead(throng_path_queue *q, const line *l)
{
    const throng_stages *to = q->stages;
    if (!to || !to->api->searches || l->slots.count < BURST || count_fresh(q, l) < BURST)
        return;
    int32_t count = take_fresh(q, l);
    if (count == 0 || !throng_array_reserve((void **)&q->queries, &q->query_room, count, sizeof *q->queries) ||
        !throng_array_reserve((void **)&q->results, &q->result_room, count, sizeof *q->results)) {
        q->failed = true;
        return;
    }
    const throng_navmesh *mesh = q->slots[q->jobs[0].slot].request.mesh;
    run_jobs(q, count, begin_jobs);
    count = keep_open(q, count);
    if (to->api->searches(to->backend, mesh->net, q->queries, count, q->results, &q->corners, NULL))
        run_jobs(q, count, settle_jobs);
}

/* --- rounds --- */

static void answer(throng_path_queue *q, int32_t at)
{
    slot *s = &q->slots[at];
    int64_t wanted = (int64_t)q->answer_count + 1;
    if (!throng_array_reserve((void **)&q->answers, &q->answer_room, wanted, sizeof *q->answers) ||
        !throng_array_reserve((void **)&q->answered, &q->answered_room, wanted, sizeof(throng_path_search *)) ||
        !throng_array_reserve((void **)&q->rides, &q->ride_room, wanted, sizeof(throng_lift_search *))) {
        q->failed = true;
        return;
    }
    const throng_path *path = s->lifts ? throng_lift_search_path(s->lifts) : throng_path_search_path(s->search);
    throng_planned_ride ride =
        s->lifts ? throng_lift_search_ride(s->lifts) : (throng_planned_ride){.board = -1, .leave = -1};
    q->answered[q->answer_count] = s->search;
    q->rides[q->answer_count] = s->lifts;
    q->answers[q->answer_count++] =
        (throng_path_answer){(int64_t)s->generation << 32 | at, s->request.tag, path->count > 0 ? path : NULL, ride};
    s->search = NULL;
    s->lifts = NULL;
    s->pending = false;
    q->pending--;
}

enum { AT_ONCE = 4096 }; /* expansions between looks at what interrupts */

/* On a thread of its own: it is made here, and may have no memory. */
static void begin_search(slot *s)
{
    if (may_ride(s) && !s->lifts && !(s->lifts = throng_lift_search_create()))
        return;
    if (s->lifts)
        throng_lift_search_begin(s->lifts, s->search, s->request.mesh, s->request.map, s->request.from, s->request.to);
    else
        throng_path_search_begin(s->search, s->request.mesh, s->request.from, s->request.to);
    s->begun = true;
}

static throng_path_state step_search(slot *s, int32_t *expansions)
{
    if (!s->begun)
        return THRONG_PATH_FAILED;
    return s->lifts ? throng_lift_search_step(s->lifts, expansions) : throng_path_search_step(s->search, expansions);
}

static void step_jobs(void *context, int32_t begin, int32_t end, int thread)
{
    (void)thread;
    throng_path_queue *q = context;
    for (int32_t i = begin; i < end && !throng_given_up(); i++) {
        job *j = &q->jobs[i];
        slot *s = &q->slots[j->slot];
        if (j->fresh)
            begin_search(s);
        for (int32_t share = j->share; share > 0 && j->state == THRONG_PATH_OPEN && !throng_given_up();) {
            int32_t part = share < AT_ONCE ? share : AT_ONCE, left = part;
            j->state = step_search(s, &left);
            share -= part - left;
            j->share -= part - left;
        }
    }
}

/* Everybody in the line gets the same share of the budget, the first few in turn one more when it does not divide. */
static int32_t share_out(throng_path_queue *q, line *l, int32_t count, int32_t open, int32_t *budget)
{
    int32_t share = *budget / open, more = *budget % open, from = l->turn % count, jobs = 0;
    for (int32_t k = 0; k < count; k++) {
        int32_t i = from + k < count ? from + k : from + k - count, at = l->slots.items[i];
        int32_t given = share + (more > 0);
        if (!q->slots[at].pending)
            continue;
        if (given == 0 || !add_job(q, &jobs, at, given))
            break;
        *budget -= given;
        more--;
        if (share == 0)
            l->turn = i + 1;
    }
    return jobs;
}

/* Who is served when does not depend on threads: shares are given out before, and answers noted after. */
static int32_t serve_round(throng_path_queue *q, line *l, int32_t count, int32_t open, int32_t budget)
{
    int32_t jobs = share_out(q, l, count, open, &budget);
    run_jobs(q, jobs, step_jobs);
    for (int32_t i = 0; i < jobs; i++) {
        budget += q->jobs[i].share;
        if (q->jobs[i].state == THRONG_PATH_FAILED) {
            q->slots[q->jobs[i].slot].begun = false; /* it begins again in the next run */
            q->failed = true;
        } else if (q->jobs[i].state != THRONG_PATH_OPEN)
            answer(q, q->jobs[i].slot);
    }
    return budget;
}

/* Round after round, since searches that finish leave something to the others. */
static int32_t serve_line(throng_path_queue *q, line *l, int32_t budget)
{
    int32_t count = l->slots.count < THRONG_PATHS_OPEN ? l->slots.count : THRONG_PATHS_OPEN;
    while (budget > 0 && !q->failed) {
        int32_t open = 0;
        for (int32_t i = 0; i < count; i++)
            open += q->slots[l->slots.items[i]].pending;
        if (open == 0)
            break;
        budget = serve_round(q, l, count, open, budget);
        q->failed = q->failed || throng_given_up();
    }
    return budget;
}

bool throng_path_queue_run(throng_path_queue *q, int32_t budget, int32_t *spent)
{
    for (int32_t i = 0; i < q->answer_count && !q->failed; i++) {
        make_idle(q, q->answered[i]);
        throng_lift_search_destroy(q->rides[i]);
    }
    q->answer_count = q->failed ? q->answer_count : 0; /* of a run that failed nobody has had the answers */
    q->failed = false;
    tidy(q, &q->urgent);
    tidy(q, &q->others);
    find_ahead(q, &q->urgent);
    find_ahead(q, &q->others);
    *spent = budget - serve_line(q, &q->others, serve_line(q, &q->urgent, budget));
    return !q->failed;
}

/* --- plain answers and lifetime --- */

const throng_path_answer *throng_path_queue_answers(const throng_path_queue *q, int32_t *count)
{
    *count = q->answer_count;
    return q->answers;
}

int32_t throng_path_queue_pending(const throng_path_queue *q) { return q->pending; }

bool throng_path_queue_has(const throng_path_queue *q, int64_t tag)
{
    bool has = false;
    for (int32_t i = 0; !has && i < q->slot_count; i++)
        has = q->slots[i].pending && q->slots[i].request.tag == tag;
    return has;
}

void throng_path_queue_move(throng_path_queue *q, const throng_stages *stages, const throng_map *map)
{
    q->stages = stages;
    for (int32_t i = 0; i < q->slot_count; i++) {
        slot *s = &q->slots[i];
        if (s->request.map)
            s->request.map = map;
        if (s->lifts)
            throng_lift_search_move(s->lifts, map);
    }
}

throng_path_queue *throng_path_queue_create(const throng_stages *stages)
{
    throng_path_queue *q = calloc(1, sizeof *q);
    if (q)
        q->stages = stages;
    return q;
}

void throng_path_queue_destroy(throng_path_queue *q)
{
    if (!q)
        return;
    pool_destroy(q->pool);
    free(q->jobs);
    free(q->queries);
    free(q->results);
    for (int32_t i = 0; i < q->slot_count; i++)
        drop_search(q, &q->slots[i]);
    for (int32_t i = 0; i < q->answer_count; i++) {
        throng_path_search_destroy(q->answered[i]);
        throng_lift_search_destroy(q->rides[i]);
    }
    for (int32_t i = 0; i < q->idle_count; i++)
        throng_path_search_destroy(q->idle[i]);
    free(q->slots);
    free(q->free.items);
    free(q->urgent.slots.items);
    free(q->others.slots.items);
    free(q->idle);
    free(q->answers);
    free(q->answered);
    free(q->rides);
    free(q);
}
