/* The CPU backend: the stage table over lanes and threads. */
#include "cpu_backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/watchdog.h"
#include "cpu_ceilings.h"
#include "kernels/frame.h"
#include "kernels/routing/crossings.h"
#include "kernels/sense/overfull_cells.h"
#include "cpu_work.h"

enum { GRAIN_LEAST = 128, GRAIN_MOST = 1024, MAX_THREADS = 256 }; /* agents a piece: whole vectors */

/* --- lifetime ------------------------------------------------------------------------ */

#if defined(__x86_64__)
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#endif

/* 16 lanes take a quarter less time than 8 (21.6 ms a frame against 29.1, 100,000 agents, one thread of a busy Xeon of
 * 2023). */
static const cpu_lanes *widest(void)
{
#if defined(__x86_64__)
    if (has_avx512())
        return &cpu_lanes_16;
    if (__builtin_cpu_supports("avx2"))
        return &cpu_lanes_8;
#endif
    return &cpu_lanes_4;
}

static const cpu_lanes *choose_lanes(int32_t lanes, throng_error *error)
{
    switch (lanes) {
    case 0: return widest();
    case THRONG_LANES_COUNTED: return &cpu_lanes_counted;
    case 1: return &cpu_lanes_1;
    case 4: return &cpu_lanes_4;
#if defined(__x86_64__)
    case 8:
        if (__builtin_cpu_supports("avx2"))
            return &cpu_lanes_8;
        throng_fail(error, "SIMD of width 8 needs a processor with AVX2, which this one lacks; use 4 or 1");
        return NULL;
    case 16:
        if (has_avx512())
            return &cpu_lanes_16;
        throng_fail(error, "SIMD of width 16 needs a processor with AVX-512, which this one lacks; use %d",
                    widest()->lanes);
        return NULL;
#endif
    default: throng_fail(error, "simd must be 1, 4, 8 or 16, not %d", lanes); return NULL;
    }
}

static void cpu_destroy(throng_backend *b)
{
    if (!b)
        return;
    cpu_free_memory(b);
    free(b->tally);
    cpu_paths_free(&b->paths);
    free(b->path_query);
    pool_destroy(b->pool);
    free(b);
}

static bool cpu_create(const throng_backend_options *options, throng_backend **out, throng_error *error)
{
    const cpu_lanes *lanes = choose_lanes(options->simd, error);
    if (!lanes)
        return false;
    if (options->device)
        return throng_fail(error, "there is no device %d: the backend cpu has 1, counted from 0", options->device);
    int64_t processors = sysconf(_SC_NPROCESSORS_ONLN);
    int32_t threads =
        options->threads ? options->threads : (int32_t)(processors < MAX_THREADS ? processors : MAX_THREADS);
    if (threads < 1 || threads > MAX_THREADS)
        return throng_fail(error, "threads must be 1 .. %d, not %d", MAX_THREADS, threads);
    throng_backend *b = calloc(1, sizeof *b);
    if (b) {
        b->lanes = lanes;
        b->pool = pool_create(threads);
        b->tally = calloc((size_t)threads, sizeof *b->tally);
        b->contacts.active_count = &b->active_count;
        b->contacts.next_count = &b->next_count;
        b->contacts.everybody = &b->everybody;
        b->counters.worst = 1;
    }
    if (!b || !b->pool || !b->tally) {
        cpu_destroy(b);
        return throng_fail(error, "out of memory for %d threads", threads);
    }
    int32_t got = pool_threads(b->pool);
    if (options->threads && got < threads) { /* unless asked for, the results are the same with fewer */
        cpu_destroy(b);
        return throng_fail(error, "cannot start %d threads: the system gives %d here (ulimit -u); ask for %d", threads,
                           got, got);
    }
    *out = b;
    return true;
}

static void processor_name(char *name, size_t size)
{
    snprintf(name, size, "CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        colon[strcspn(colon, "\n")] = 0;
        snprintf(name, size, "%s", colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

static void cpu_info(const throng_backend *b, throng_backend_info *info)
{
    processor_name(info->device, sizeof info->device);
    info->simd = b->lanes->lanes;
    info->threads = pool_threads(b->pool);
}

/* The store's arrays are the backend's. */
static bool cpu_put(throng_backend *b, int column, int32_t slots, throng_error *error)
{
    (void)b, (void)column, (void)slots, (void)error;
    return true;
}

static bool cpu_get(throng_backend *b, int column, int32_t first, int32_t slots, throng_error *error)
{
    (void)b, (void)column, (void)first, (void)slots, (void)error;
    return true;
}

/* --- stages --------------------------------------------------------------------------- */

static void begin_tally(throng_backend *b)
{
    for (int t = 0; t < pool_threads(b->pool); t++)
        b->tally[t] = (cpu_tally){.worst_ratio = 1};
}

static cpu_tally end_tally(throng_backend *b)
{
    cpu_tally sum = {.worst_ratio = 1};
    for (int t = 0; t < pool_threads(b->pool); t++) {
        const cpu_tally *one = &b->tally[t];
        sum.overlaps += one->overlaps;
        sum.conflicts += one->conflicts;
        for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
            sum.conflicts_of[kind] += one->conflicts_of[kind];
        sum.held += one->held;
        sum.arrivals += one->arrivals;
        sum.undefined += one->undefined;
        sum.limited += one->limited;
        sum.transitions += one->transitions;
        sum.stuck += one->stuck;
        sum.worst_ratio = one->worst_ratio < sum.worst_ratio ? one->worst_ratio : sum.worst_ratio;
    }
    return sum;
}

/* A piece of a stage; `asks`: which may be given up. */
#define WORK_IF(asks, name, call)                                                                                      \
    static void name(void *context, int32_t begin, int32_t end, int thread)                                            \
    {                                                                                                                  \
        throng_backend *b = context;                                                                                   \
        cpu_tally *tally = &b->tally[thread];                                                                          \
        (void)tally;                                                                                                   \
        if (!(asks) || !throng_given_up())                                                                             \
            b->lanes->call;                                                                                            \
    }
#define WORK(name, call)  WORK_IF(true, name, call)
#define WHOLE(name, call) WORK_IF(false, name, call) /* nobody is left between two places */

WORK(work_goals, goals(&b->crowd, &b->fsm, begin, end, tally))
WORK(work_desire, desire(&b->crowd, &b->programs, begin, end, tally))
WORK(work_keys, keys(&b->crowd, b->key, begin, end))
WORK(work_gather, gather(&b->crowd, begin, end))
WORK(work_sense, sense(&b->crowd, begin, end))
WORK(work_show, show(&b->crowd, begin, end))
WORK(work_plan, plan(&b->crowd, begin, end))
WORK(work_split, latency_split(&b->crowd, &b->ahead, begin, end))
WORK(work_plan_ahead, plan(&b->ahead, begin, end))
WHOLE(work_join, latency_join(&b->crowd, &b->ahead, begin, end))
WORK(work_begin, contacts_begin(&b->crowd, &b->contacts, begin, end))
WORK(work_turn_shoulders, shoulders_turn(&b->crowd, &b->contacts, begin, end))
WORK(work_keep_shoulders, shoulders_keep(&b->crowd, begin, end))
WORK(work_detect, contacts_detect(&b->crowd, &b->contacts, begin, end, tally))
WORK(work_list, contacts_list(&b->crowd, &b->contacts, begin, end, b->turn + 1))
WORK(work_iterate, solver_iterate(&b->crowd, &b->contacts, begin, end, b->beta, b->turn))
WORK(work_keep, warm_start_keep(&b->crowd, &b->contacts, begin, end))
WORK(work_cut, solver_cut(&b->crowd, &b->contacts, begin, end))
WORK(work_guard_active, guard_active(&b->crowd, &b->contacts, begin, end))
WORK(work_guard, solver_guard(&b->crowd, &b->contacts, begin, end, tally))
WORK(work_hold, solver_hold(&b->crowd, &b->contacts, begin, end, tally))
WHOLE(work_move, move(&b->crowd, &b->contacts, begin, end))

/* False: given up, and what the work was for is not whole. */
static bool run(throng_backend *b, pool_work *work, int32_t count)
{
    int32_t grain = count / (8 * pool_threads(b->pool)) & -GRAIN_LEAST;
    grain = grain < GRAIN_LEAST ? GRAIN_LEAST : grain > GRAIN_MOST ? GRAIN_MOST : grain;
    pool_run(b->pool, count, grain, work, b);
    return !throng_given_up();
}

/* Counts become where each cell starts, the last one where the next would. Returns the most that a cell holds. */
static int32_t starts_of(int32_t *start, int32_t cells)
{
    int32_t at = 0, most = 0;
    for (int32_t cell = 0; cell < cells; cell++) {
        int32_t count = start[cell];
        most = count > most ? count : most;
        start[cell] = at;
        at += count;
    }
    return most;
}

/* Counts again: in overfull cells those who show stay in their cell, and the others go to one of their own behind all
 * others, where nobody looks. */
static void hide_overfull(throng_backend *b, int32_t slots)
{
    const crowd *c = &b->crowd;
    int32_t *counts = c->cell_start, *bins = counts + b->cells, cells = b->cells, *key = b->key;
    memset(counts, 0, 2 * (size_t)cells * sizeof *counts);
    for (int32_t i = 0; i < slots; i++)
        if (key[i] < cells)
            counts[key[i]]++;
    for (int32_t i = 0; i < slots; i++)
        if (key[i] < cells && counts[key[i]] > OVERFULL_SHOWN)
            bins[overfull_bin(c, c->x[i], c->y[i], key[i], cells)]++;
    for (int32_t i = 0; i < slots; i++)
        if (key[i] < cells && counts[key[i]] > OVERFULL_SHOWN &&
            !overfull_shows(i, bins[overfull_bin(c, c->x[i], c->y[i], key[i], cells)]))
            key[i] += cells;
    memset(counts, 0, 2 * (size_t)cells * sizeof *counts);
    for (int32_t i = 0; i < slots; i++)
        counts[key[i]]++;
}

/* Stable counting sort by key: by cell, and within a cell by slot; behind all cells the hidden, then the dead. */
static void sort_by_cell(throng_backend *b, int32_t slots)
{
    crowd *c = &b->crowd;
    int32_t *start = c->cell_start, cells = b->cells;
    memset(start, 0, (size_t)cells * sizeof *start);
    start[2 * cells] = 0;
    for (int32_t i = 0; i < slots; i++)
        start[b->key[i]]++;
    if (starts_of(start, cells) > OVERFULL_SHOWN) {
        hide_overfull(b, slots);
        starts_of(start, 2 * cells);
    }
    start[2 * cells] = c->frame.agents;
    /* start[cell] moves to the end of its cell here: to where the next one starts */
    for (int32_t i = 0; i < slots; i++) {
        int32_t at = start[b->key[i]]++;
        c->slot[at] = i;
        c->rank[i] = at;
    }
    memmove(start + 1, start, (size_t)cells * sizeof *start);
    start[0] = 0;
}

static bool stage_sense(throng_backend *b)
{
    if (!run(b, work_keys, b->crowd.frame.slots))
        return false;
    sort_by_cell(b, b->crowd.frame.slots);
    b->counters.hidden = b->crowd.frame.agents - b->crowd.cell_start[b->cells];
    return run(b, work_gather, b->crowd.frame.agents) && run(b, work_sense, b->crowd.frame.agents);
}

static void swap(float **a, float **b)
{
    float *t = *a;
    *a = *b;
    *b = t;
}

static bool solve_contacts(throng_backend *b)
{
    contacts *k = &b->contacts;
    double nesterov = 1;
    int32_t count = b->active_count;
    memcpy(k->list, k->active, (size_t)count * sizeof *k->list);
    memset(k->watched, 0, (size_t)cpu_mark_blocks(b->crowd.frame.agents) * sizeof *k->watched);
    swap(&k->a, &k->b);
    for (b->turn = 1; count && b->turn <= b->crowd.frame.iterations; b->turn++) {
        b->beta = solver_beta(&nesterov);
        b->next_count = 0;
        if (!run(b, work_iterate, count) || !run(b, work_list, b->crowd.frame.agents))
            return false;
        count = b->next_count;
        swap(&k->a, &k->b);
        int32_t *list = k->list;
        k->list = k->next;
        k->next = list;
    }
    b->counters.iterations = (uint32_t)b->turn - 1;
    b->next_count = 0;
    b->everybody = count > 0 || b->crowd.frame.tolerance > GUARD_TOLERANCE;
    return run(b, work_keep, b->active_count);
}

/* Round by round, until nobody must go less far than the round before found; a round tallies its changes as `held`. */
static bool guard_contacts(throng_backend *b)
{
    if (!run(b, work_cut, b->active_count))
        return false;
    bool all = false;
    for (int64_t changed = 1; changed || (b->everybody && !all);) {
        if (b->everybody && !all && !run(b, work_guard_active, b->active_count))
            return false;
        all = b->everybody;
        begin_tally(b);
        if (!run(b, work_guard, b->next_count))
            return false;
        changed = end_tally(b).held;
    }
    begin_tally(b);
    if (!run(b, work_hold, b->next_count))
        return false;
    b->counters.held += (uint64_t)end_tally(b).held;
    return true;
}

/* In turn, what overlaps on CUDA. */
static bool plan_ahead(throng_backend *b, throng_error *error)
{
    if (!cpu_reserve_copies(b, error))
        return false;
    b->ahead = latency_ahead(&b->crowd, &b->copies);
    return run(b, work_split, b->crowd.frame.agents) && run(b, work_plan_ahead, b->crowd.frame.agents);
}

static bool stage_plan(throng_backend *b, throng_error *error)
{
    return run(b, work_show, b->crowd.frame.agents) &&
           (b->crowd.frame.latency ? plan_ahead(b, error) : run(b, work_plan, b->crowd.frame.agents));
}

/* Nothing presses again from a move of the same step, as stages run one by one may make: what it kept is not whole. */
static void forget_kept(throng_backend *b)
{
    int32_t move = (int32_t)(b->crowd.frame.step + 1);
    if (b->moved == move)
        memset(b->contacts.kept_step, 0, (size_t)b->capacity * sizeof *b->contacts.kept_step);
    b->moved = move;
}

static bool detect_contacts(throng_backend *b)
{
    b->active_count = 0;
    begin_tally(b);
    int32_t agents = b->crowd.frame.agents;
    if (!run(b, work_begin, agents) ||
        (b->crowd.shape && !(run(b, work_turn_shoulders, agents) && run(b, work_keep_shoulders, agents))) ||
        !run(b, work_detect, agents))
        return false;
    cpu_tally seen = end_tally(b);
    b->counters.overlaps += (uint64_t)seen.overlaps;
    b->counters.conflicts += (uint64_t)seen.conflicts;
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        b->counters.conflicts_of[kind] += (uint64_t)seen.conflicts_of[kind];
    b->counters.worst = seen.worst_ratio < b->counters.worst ? seen.worst_ratio : b->counters.worst;
    return true;
}

static bool stage_move(throng_backend *b)
{
    forget_kept(b);
    if (!detect_contacts(b) || !solve_contacts(b) || !guard_contacts(b))
        return false;
    run(b, work_move, b->crowd.frame.agents);
    if (b->crowd.frame.latency)
        run(b, work_join, b->crowd.frame.agents);
    return true;
}

static void work_begin_crossings(void *context, int32_t begin, int32_t end, int thread)
{
    const throng_backend *b = context;
    (void)thread;
    for (int32_t slot = begin; slot < end; slot++)
        crossings_begin(&b->crowd, slot);
}

static bool stage_goals(throng_backend *b)
{
    if (b->crowd.places.count) {
        run(b, work_begin_crossings, b->crowd.frame.slots);
        b->crossings_begun = (int32_t)b->crowd.frame.step + 1;
    }
    begin_tally(b);
    bool fine = run(b, work_goals, b->crowd.frame.slots);
    cpu_tally done = end_tally(b);
    b->counters.arrivals += (uint64_t)done.arrivals;
    b->counters.transitions += (uint64_t)done.transitions;
    b->counters.stuck += (uint64_t)done.stuck;
    return fine;
}

static bool stage_desire(throng_backend *b)
{
    begin_tally(b);
    bool fine = run(b, work_desire, b->crowd.frame.slots);
    cpu_tally done = end_tally(b);
    b->counters.undefined += (uint64_t)done.undefined;
    b->counters.limited += (uint64_t)done.limited;
    return fine;
}

static void take_frame(throng_backend *b, const throng_frame *f)
{
    crowd_take_frame(&b->crowd, f);
    b->crowd.k = f->neighbours;
}

throng_work throng_cpu_work[THRONG_STAGE_COUNT], throng_cpu_paths_work;

static bool cpu_stage(throng_backend *b, throng_stage stage, const throng_frame *frame, throng_error *error)
{
    if (!cpu_grid(b, frame, error) || !cpu_reserve_seen(b, frame->neighbours, error) || !cpu_reserve_shapes(b, error) ||
        !cpu_reserve_places(b, error))
        return false;
    take_frame(b, frame);
    if (b->lanes == &cpu_lanes_counted)
        cpu_work_begin();
    bool fine = true;
    switch (stage) {
    case THRONG_STAGE_goals: fine = stage_goals(b); break;
    case THRONG_STAGE_desire: fine = stage_desire(b); break;
    case THRONG_STAGE_sense: fine = stage_sense(b); break;
    case THRONG_STAGE_plan: fine = stage_plan(b, error); break;
    case THRONG_STAGE_move: fine = stage_move(b); break;
    case THRONG_STAGE_COUNT: break;
    }
    if (b->lanes == &cpu_lanes_counted)
        throng_cpu_work[stage] = (throng_work){cpu_work_now.operations, 64 * cpu_work_now.lines};
    return fine || (throng_given_up() && throng_fail(error, "%s", throng_interrupted_text()));
}

/* --- what came of it -------------------------------------------------------------------- */

static bool cpu_arrivals(throng_backend *b, int32_t *slots, int32_t *count, throng_error *error)
{
    (void)error;
    int32_t room = *count;
    *count = 0;
    const crowd *c = &b->crowd;
    for (int32_t i = 0; i < c->frame.slots; i++)
        if (c->state[i] && c->arrived[i] == (int32_t)c->frame.step) {
            if (*count < room)
                slots[*count] = i;
            (*count)++;
        }
    return true;
}

static void work_find_crossings(void *context, int32_t begin, int32_t end, int thread)
{
    throng_backend *b = context;
    throng_crossing crossing;
    (void)thread;
    for (int32_t slot = begin; slot < end; slot++)
        if (crossings_find(&b->crowd, slot, &crossing))
            b->crossings[__atomic_fetch_add(&b->crossing_count, 1, __ATOMIC_RELAXED)] = crossing;
}

static int by_slot(const void *a, const void *b)
{
    const throng_crossing *first = a, *second = b;
    return first->slot - second->slot;
}

static bool cpu_crossings(throng_backend *b, const throng_crossing **list, int32_t *count, throng_error *error)
{
    bool begun = b->crossings_begun == (int32_t)b->crowd.frame.step + 1; /* or a hook has set the first place since */
    b->crossing_count = 0;
    if (begun && !run(b, work_find_crossings, b->crowd.frame.slots))
        return throng_fail(error, "%s", throng_interrupted_text());
    *list = b->crossings;
    *count = b->crossing_count;
    if (*count)
        qsort(b->crossings, (size_t)*count, sizeof *b->crossings, by_slot);
    return true;
}

static bool cpu_near_bodies(throng_backend *b, throng_near *list, int32_t *count, throng_error *error)
{
    (void)error;
    int32_t room = *count;
    *count = 0;
    const crowd *c = &b->crowd;
    for (int32_t slot = 0; slot < c->frame.slots; slot++) {
        if (!c->state[slot] || !c->near_body[slot])
            continue;
        if (*count < room)
            list[*count] = walls_near(c, slot);
        (*count)++;
    }
    return true;
}

static bool cpu_push(throng_backend *b, const throng_near *list, int32_t count, throng_error *error)
{
    (void)error;
    const crowd *c = &b->crowd;
    for (int32_t n = 0; n < count; n++) {
        c->nx[c->rank[list[n].slot]] = list[n].wish_x;
        c->ny[c->rank[list[n].slot]] = list[n].wish_y;
    }
    return true;
}

static bool cpu_counters(throng_backend *b, throng_counters *counters, throng_error *error)
{
    (void)error;
    *counters = b->counters;
    return true;
}

static bool cpu_seen(throng_backend *b, int32_t slot, int32_t *neighbours, int32_t *neighbour_count, int32_t *walls,
                     int32_t *wall_count, throng_error *error)
{
    (void)error;
    const crowd *c = &b->crowd;
    int32_t i = c->rank[slot];
    *neighbour_count = c->k ? c->seen_count[i] : 0;
    for (int32_t s = 0; s < *neighbour_count; s++)
        neighbours[s] = c->slot[c->seen[(int64_t)s * c->stride + i]];
    *wall_count = c->walls.count ? c->wall_count[i] : 0;
    for (int32_t s = 0; s < *wall_count; s++)
        walls[s] = c->wall[(int64_t)s * c->stride + i];
    return true;
}

/* The crowd that the planners saw: the crowd of now, which may have moved, with their copies, if they have made any. */
static const crowd *planned(throng_backend *b)
{
    if (!b->crowd.frame.latency || b->copies_room != b->capacity)
        return &b->crowd;
    b->ahead = latency_ahead(&b->crowd, &b->copies);
    return &b->ahead;
}

static bool cpu_probe(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error)
{
    (void)error;
    cpu_local_map(planned(b), slot, map);
    return true;
}

static bool cpu_probe_choice(throng_backend *b, int32_t slot, throng_choice *choice, throng_error *error)
{
    (void)error;
    cpu_choice(planned(b), slot, choice);
    return true;
}

static bool cpu_finish(throng_backend *b, throng_error *error)
{
    (void)b, (void)error;
    return true;
}

static bool cpu_find_paths(throng_backend *b, const throng_graph *graph, const throng_path_batch *batch,
                           throng_path_results *results, throng_error *error)
{
    bool counts = b->lanes == &cpu_lanes_counted;
    if (counts)
        cpu_work_begin();
    bool found = (counts ? cpu_paths_run_counted : cpu_paths_run)(&b->paths, b->pool, graph, batch, results);
    if (counts)
        throng_cpu_paths_work = (throng_work){cpu_work_now.operations, 64 * cpu_work_now.lines};
    if (!found)
        return throng_fail(error, "out of memory for %d paths on a graph of %d nodes; ask for fewer at a time",
                           batch->queries, graph->nodes);
    return true;
}

static bool cpu_path_queries(throng_backend *b, int32_t queries, int32_t **from, int32_t **to, throng_error *error)
{
    free(b->path_query);
    *from = b->path_query = malloc(((size_t)queries + 1) * 2 * sizeof *b->path_query);
    *to = b->path_query + queries;
    return b->path_query || throng_fail(error, "out of memory for %d queries; ask for fewer at a time", queries);
}

static bool cpu_ceilings(throng_backend *b, throng_ceilings *ceilings, throng_error *error)
{
    return cpu_ceilings_measure(b->pool, b->lanes->lanes, ceilings) ||
           throng_fail(error, "out of memory for measuring this processor's limits");
}

static size_t cpu_bytes(const throng_backend *b) { return b->bytes; }

static int32_t cpu_devices(void) { return 1; }

const throng_backend_api throng_cpu_backend = {
    .version = THRONG_BACKEND_VERSION,
    .name = "cpu",
    .create = cpu_create,
    .destroy = cpu_destroy,
    .info = cpu_info,
    .devices = cpu_devices,
    .reserve = cpu_reserve,
    .put = cpu_put,
    .get = cpu_get,
    .copy = cpu_copy,
    .copied = cpu_copied,
    .free_copy = cpu_free_copy,
    .set_sheets = cpu_set_sheets,
    .set_walls = cpu_set_walls,
    .set_sides = cpu_set_sides,
    .near_bodies = cpu_near_bodies,
    .push = cpu_push,
    .set_navigation = cpu_set_navigation,
    .set_goals = cpu_set_goals,
    .set_waypoints = cpu_set_waypoints,
    .set_planners = cpu_set_planners,
    .set_influences = cpu_set_influences,
    .set_air = cpu_set_air,
    .set_places = cpu_set_places,
    .set_programs = cpu_set_programs,
    .set_fsm = cpu_set_fsm,
    .stage = cpu_stage,
    .arrivals = cpu_arrivals,
    .crossings = cpu_crossings,
    .goal_counters = cpu_counters,
    .counters = cpu_counters,
    .seen = cpu_seen,
    .local_map = cpu_probe,
    .choice = cpu_probe_choice,
    .finish = cpu_finish,
    .paths = cpu_find_paths,
    .path_queries = cpu_path_queries,
    .bytes = cpu_bytes,
    .ceilings = cpu_ceilings,
};
