/* The CUDA launcher's parts: what they share.
 *
 * cuda.cu         the table the runtime calls, the frame's order, lifetime
 * cuda_devices.cu  which devices there are          cuda_blocks.cu  where memory comes from
 * cuda_memory.cu  columns and scratch
 * cuda_fixed.cu   the world's fixed parts: walls, paths, goals, planners, programs
 * cuda_goals.cu   stages goals and desire          cuda_bvp.cu  potential fields
 * cuda_sense.cu   stage sense                      cuda_paths.cu  batches of paths
 * cuda_paths_search.cu  by A*                  cuda_paths_tree.cu  by trees of all paths to a goal
 * cuda_searches.cu  batches of searches on a mesh  cuda_fields.cu, cuda_fields_fronts.cu  fields of goals
 * cuda_plan.cu    stage plan                       cuda_ceilings.cu  what the device can do at most
 * cuda_move.cu    stage move, and what bodies ask  cuda_copy.cu   columns of one moment
 * cuda_clearpath.cu  the planner of cones           cuda_latency.cu  plan beside move
 * cuda_clock.cu   how long a stage takes            cuda_transfer.cu  copies that are queued
 * cuda_columns.cu  columns of the host              cuda_finish.cu  waiting for what is queued
 * cuda_launch.cuh  how kernels are launched         cuda_together.cu  launches of many worlds
 *
 * Columns and scratch live in device memory; the agent store's arrays on the
 * host are pinned, so that whole columns travel at the bus's speed. Everything
 * of a frame is queued on one stream (the planners of a world with latency on another) and nothing waits for it but a
 * transfer that the runtime asks for. Who arrived is told while the frame goes on: the host has queued the next one
 * before it is over.
 */
#ifndef THRONG_CUDA_CUH
#define THRONG_CUDA_CUH

#include <cstddef>
#include <cstring>
#include <vector>

#include "kernels/contacts/contacts.h"
#include "kernels/behaviour/fsm.h"
#include "kernels/planners/latency.h"
#include "kernels/behaviour/program.h"
#include "kernels/scratch.h"

#include "stages/backend.h"

#include "cuda_launch.cuh"

/* The world's fixed parts. */
enum {
    FIXED_WALLS,
    FIXED_NAVIGATION,
    FIXED_GOALS,
    FIXED_WAYPOINTS,
    FIXED_PLANNERS,
    FIXED_INFLUENCES,
    FIXED_AIR,
    FIXED_PLACES,
    FIXED_SHEETS,
    FIXED_PROGRAMS,
    FIXED_FSM,
    FIXED_KINDS
};

enum { ITERATIONS_MAX = 1024 };
enum { SOLVER_BLOCKS_MOST = 1024 };

/* What the device counts; read back when the runtime asks. */
struct tally {
    unsigned long long overlaps, conflicts, conflicts_of[THRONG_PLANNER_COUNT], held, arrivals, transitions, stuck,
        undefined, limited;
    int worst;      /* bits of a positive float: least distance / sum of radii */
    int iterations; /* of the last step */
    int arrived[2]; /* in this step, and 0; the other way round in the next: see cuda_goals */
    int again[2];   /* agents whose first attempt of ClearPath failed in this step, and 0; the other way round in the
                       next */
    int crossings;  /* of the last frame: see cuda_crossings */
    int turn;       /* of the goals stage that it was told for */
};

/* What the solver's blocks tell each other in a step; all zero before. */
struct solver_state {
    int began;                                      /* somebody takes part */
    int latest;                                     /* iteration that anybody went on in: see cuda_dataflow.cuh */
    int guarded, everybody;                         /* see contacts.next_count */
    int cut;                                        /* somebody was cut */
    unsigned changes;                               /* see guard_termination */
    unsigned long long barrier[ITERATIONS_MAX + 1]; /* see grid_barrier */
    unsigned long long quiet[SOLVER_BLOCKS_MOST];   /* see guard_termination */
};

/* Where the planners run, and on what: latency_ahead's crowd beside the move stage, else the frame's own. */
struct planning {
    crowd c;
    cuda_queue *queue;
    int32_t *again; /* agents whose first attempt of ClearPath failed */
};

/* The planners of a world with latency. */
struct planning_ahead {
    latency_copies copies; /* [room] */
    int32_t *again;
    int32_t room;
    cuda_queue queue;         /* stream NULL: there are none */
    cudaEvent_t split, ready; /* the copies are made; the planners are done */
    bool running;             /* nobody has waited for `ready` */
    crowd c;
};

/* The lists of a grid, which are kept from frame to frame. */
struct cuda_grid {
    int32_t *start, *list;
    size_t start_room, list_room;
};

/* Columns that are brought before anybody asks for them: see cuda_bring_early. */
struct cuda_early {
    enum { MOST = 16, SLOTS = 1 << 14, NONE = -1 };
    int32_t *values; /* mapped, [MOST * room] */
    int column[MOST], count;
    int32_t slots, room;                 /* of the columns that are there; 0: too many */
    int wanted;                          /* for which the world waits; NONE: for something else */
    uint32_t asked[THRONG_COLUMN_COUNT]; /* the step before which a column was asked for last; 0: never */
};

/* What the device tells in the host's memory. */
struct cuda_mapped {
    tally told;    /* counts as of the last goals stage; */
    tally counted; /* as of when the runtime asked last, */
    int32_t seen;  /* and how many are in a cell */
    int crossings; /* tally's */
};

/* Device or pinned memory that grows. */
struct cuda_block {
    void *data;
    size_t size;
    bool pinned;
};

/* What the contact solver knows of a device. */
struct cuda_solver {
    const float *beta; /* [ITERATIONS_MAX], there */
    int blocks[2];     /* of kernel_solve, all of which run at once: without friction, and with it */
    int each;          /* of kernel_solve_dataflow: agents a group has room for */
};

struct throng_backend {
    crowd c;
    contacts k;
    throng_programs p;
    throng_fsm f;
    throng_agent_columns host;     /* the store's; those of `c` are on the device */
    int32_t pinned;                /* slots of the host's arrays that are pinned, 0: none */
    int32_t device;                /* which of the machine's; worlds are on 0, which threads begin with */
    int32_t capacity, cells, rows; /* rows: of the neighbour lists */
    int32_t shapes, places;        /* agents that there is crowd.shape for, and crowd.from_x */
    int32_t *key, *place;
    int32_t *arrival_list;      /* [capacity] of the host's memory, as there are few; */
    throng_crossing *crossings; /* [places] likewise */
    throng_near *near_list;     /* [near_room] */
    int32_t near_room;
    cuda_grid side_grid, box_grid; /* over the sides of bodies, and over the boxes about them */
    float *said;                   /* see dataflow_words, of said_agents; none before the first jam */
    int32_t said_agents;
    solver_state *solver_state;
    std::vector<cuda_block> column_blocks;
    size_t bytes;
    void *fixed[FIXED_KINDS]; /* all arrays of each; freed when replaced */
    int32_t computed;         /* so many slots have the arrays of c.computed */
    int32_t most_samples;     /* of sampled RVO */
    uint64_t bvp_sizes;       /* bit cells - 1 for each longer side of a local map, but for those that programs give */
    uint8_t *drawn;           /* [drawn_bytes] local maps before the first sweep */
    size_t drawn_bytes;
    tally *counts; /* on the device */
    cuda_mapped *mapped;
    int32_t sensed;          /* agents of the last sense stage */
    int turn;                /* of goals stages: how many there were */
    int arrival_side;        /* which of counts->arrived is that of `arrival_step`, */
    int32_t arrival_step;    /* the step whose goals stage ran last, + 1; */
    int32_t crossings_begun; /* that which crowd.from_x is of, likewise */
    bool again;              /* which of counts->again is this step's */
    bool told_goals, idle;   /* what the last goals stage counted is told, or will be; nothing is queued */
    char *sent_room;         /* [sent_most] pinned: columns on their way to the device or from it, */
    size_t sent, sent_most;  /* so many bytes */
    cuda_early early;        /* see cuda_bring_early */
    cuda_queue queue;
    bool shares_stream; /* with worlds that are stepped together with it */
    planning_ahead ahead;
    struct cuda_paths *paths; /* none before the first, all three */
    struct cuda_searches *searches;
    struct cuda_fields *fields;
    cudaStream_t copies; /* none before the first copy of columns */
    cudaEvent_t set_aside, brought;
    cudaEvent_t started, stopped; /* NULL: no stage was timed */
    char *aside;
    size_t aside_room;
    int processors;
    cuda_solver solver;
    int32_t moved; /* the step whose move stage ran last, + 1 */
    char name[128];
};

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status_ = (call);                                                                                  \
        if (status_ != cudaSuccess)                                                                                    \
            return throng_fail(error, "cuda: %s (%s, line %d)", cuda_memory_error(status_), __FILE__, __LINE__);       \
    } while (0)

/* The crowd as a kernel that is compiled apart for plain worlds has it, those of one plane that does not wrap: the
 * compiler leaves out what is asked of every candidate for the sake of others. */
template <bool PLAIN> static __device__ __forceinline__ crowd cuda_crowd(const crowd &c)
{
    crowd own = c;
    if (PLAIN) {
        own.frame.wrap_x = 0;
        own.sheets.count = 0;
        own.floor = NULL;
    }
    return own;
}

/* Is the world one plane, that does not wrap? */
static inline bool cuda_is_plain(const crowd &c) { return !(c.frame.wrap_x > 0) && !c.sheets.count; }

static __host__ __device__ inline int cuda_blocks(int32_t count) { return (count + BLOCK - 1) / BLOCK; }

static inline cudaStream_t cuda_stream(throng_backend *b) { return cuda_stream(&b->queue); }

/* Has what the thread asks CUDA for be of a device, while it lives. */
struct cuda_on_device {
    int before;
    bool changes; /* or it is already: the driver takes its time */
    explicit cuda_on_device(int32_t device)
    {
        if (cudaGetDevice(&before) != cudaSuccess)
            before = 0;
        changes = before != device;
        if (changes)
            cudaSetDevice(device);
    }
    ~cuda_on_device()
    {
        if (changes)
            cudaSetDevice(before);
    }
};

/* Of b->device, which is to be there: its name and its multiprocessors. */
bool cuda_find_device(throng_backend *b, throng_error *error);
/* throng_backend_api's */
int32_t cuda_devices();

/* --- memory ---------------------------------------------------------------------------------------------- */

/* All memory of the device is taken and given back by these, within the limit of the process (throng_backend_options'
 * claim, `cuda_claim`). What is beyond that is cudaErrorMemoryAllocation, and cuda_memory_error says so. */
extern const char *(*cuda_claim)(int64_t bytes);
cudaError_t cuda_malloc(void **block, size_t bytes);
/* Of the host, for copies at full speed, and mapped: kernels may write to it. */
cudaError_t cuda_malloc_pinned(void **block, size_t bytes);
/* Of either; who frees one is done with it. NULL is fine. */
cudaError_t cuda_free(void *block);
/* Of what failed last: why. */
const char *cuda_memory_error(cudaError_t status);

template <typename T> cudaError_t cuda_malloc(T **block, size_t bytes) { return cuda_malloc((void **)block, bytes); }
template <typename T> cudaError_t cuda_malloc_pinned(T **block, size_t bytes)
{
    return cuda_malloc_pinned((void **)block, bytes);
}

/* A block of so many bytes or elements, counted in b->bytes. */
bool cuda_allocate(throng_backend *b, void **block, size_t bytes, throng_error *error);

template <typename T> bool cuda_allocate(throng_backend *b, T **block, size_t count, throng_error *error)
{
    return cuda_allocate(b, (void **)block, count * sizeof(T), error);
}

/* Replaces a scratch block by one of `count` elements; what it held is gone. */
template <typename T>
bool cuda_replace(throng_backend *b, T **block, size_t old_count, size_t count, throng_error *error)
{
    if (*block)
        CHECK(cudaStreamSynchronize(cuda_stream(b)));
    CHECK(cuda_free(*block));
    b->bytes -= *block ? old_count * sizeof(T) : 0;
    *block = NULL;
    if (cuda_allocate(b, block, count, error))
        return true;
    if (old_count) /* there was room for that */
        cuda_allocate(b, block, old_count, NULL);
    return false;
}

/* Copies whole words to the host's mapped memory, after what was asked for before: they are there when that is done
 * (cuda_finish). */
void cuda_bring(throng_backend *b, void *to, const void *from, size_t bytes);

/* The other way, from such memory of the host, which stays as it is until then. */
void cuda_send(throng_backend *b, void *to, const void *from, size_t bytes);
/* Zeroes a block, after what was asked for before. */
void cuda_clear(throng_backend *b, void *block, size_t bytes);
/* Where what is under way lies until the stream has come to its end, so that the host need not wait; NULL: there is no
 * room. */
void *cuda_set_aside(throng_backend *b, size_t bytes);
/* The same as cuda_send of memory that changes: what is under way lies aside. False: there is no room for it. */
bool cuda_send_aside(throng_backend *b, void *to, const void *from, size_t bytes);

/* Before a world that is stepped with others waits, as each wait takes a launch of all of them: brings the columns that
 * it is likely to ask for next, which are those of the step before, and those that were asked for with the wanted one.
 * They are good until a stage runs or a column is put. */
void cuda_bring_early(throng_backend *b);

/* Room for `to` agents in the arrays of the list, in one block; what they held is gone. */
bool cuda_replace_scratch(throng_backend *b, const scratch *list, int n, int32_t from, int32_t to, throng_error *error);
bool cuda_grow_wall_scratch(throng_backend *b, int32_t from, int32_t to, throng_error *error);

void cuda_free_memory(throng_backend *b);
void cuda_free_fixed(throng_backend *b);
void cuda_free_paths(throng_backend *b);
void cuda_free_copies(throng_backend *b);
void cuda_free_searches(throng_backend *b);
void cuda_free_fields(throng_backend *b);
/* Gives back the device memory that only a field's solution takes; the next one takes some again. */
void cuda_end_fields(throng_backend *b);

/* Bytes of device memory that these have beside b->bytes. */
size_t cuda_paths_bytes(const throng_backend *b);
size_t cuda_searches_bytes(const throng_backend *b);
size_t cuda_fields_bytes(const throng_backend *b);

static inline void cuda_free_block(cuda_block *b)
{
    cuda_free(b->data);
    *b = {};
}

/* On the device, or pinned. */
static inline size_t cuda_blocks_bytes(const cuda_block *blocks, int count, bool pinned)
{
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += blocks[i].pinned == pinned ? blocks[i].size : 0;
    return bytes;
}

/* At least `count` elements; what a block held is gone when it grows. NULL when there is no room. */
template <typename T> T *cuda_room(cuda_block *b, size_t count, bool pinned)
{
    size_t size = (count ? count : 1) * sizeof(T);
    if (size <= b->size)
        return (T *)b->data;
    cuda_free_block(b);
    cudaError_t status = pinned ? cuda_malloc_pinned(&b->data, size) : cuda_malloc(&b->data, size);
    if (status != cudaSuccess) {
        cudaGetLastError();
        b->data = NULL;
        return NULL;
    }
    b->size = size;
    b->pinned = pinned;
    return (T *)b->data;
}

template <typename T> const T *cuda_upload(cuda_block *b, const T *from, size_t count, cudaStream_t stream)
{
    T *to = cuda_room<T>(b, count, false);
    if (to)
        cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, stream);
    return to;
}

/* --- worlds that are stepped together --------------------------------------------------------------------- */

/* throng_backend_options' */
extern int32_t (*cuda_half)(void);
extern void (*cuda_wait)(void (*serve)(int32_t half));

/* Whether launches are noted from now on: not those of worlds that keep a device busy alone, as contacts have a block a
 * world (kernel_solve_together), nor where planners have a stream of their own. */
static inline void cuda_choose_how(throng_backend *b)
{
    enum { SMALL = 4096 }; /* agents */
    b->queue.notes = cuda_half && cuda_half() >= 0 && !b->c.frame.latency && b->c.frame.agents <= SMALL;
}

/* Waits until what is noted, by all worlds, is done. */
bool cuda_wait_together(throng_backend *b, throng_error *error);

/* --- stages; b->c is that of the frame -------------------------------------------------------------------- */

/* Waits for all that is queued. */
bool cuda_finish(throng_backend *b, throng_error *error);
/* Has what the goals stage counted told, unless stage desire did. */
bool cuda_tell_goals(throng_backend *b, throng_error *error);
/* throng_backend_api's */
bool cuda_crossings(throng_backend *b, const throng_crossing **list, int32_t *count, throng_error *error);
bool cuda_goals(throng_backend *b, throng_error *error);
bool cuda_desire(throng_backend *b, throng_error *error);
bool cuda_sense(throng_backend *b, throng_error *error);
bool cuda_plan(throng_backend *b, const throng_frame *f, throng_error *error);
bool cuda_plan_bvp(throng_backend *b, const planning &p, throng_error *error);
bool cuda_plan_clearpath(throng_backend *b, const planning &p, throng_error *error);
bool cuda_move(throng_backend *b, const throng_frame *f, throng_error *error);

/* Plan beside move: makes the planners' copies, marks that all planners are queued, makes the frame's stream wait for
 * them, keeps what they planned. */
bool cuda_split(throng_backend *b, planning *p, throng_error *error);
bool cuda_planned(throng_backend *b, throng_error *error);
bool cuda_wait_for_plan(throng_backend *b, throng_error *error);
bool cuda_join(throng_backend *b, throng_error *error);
void cuda_free_ahead(throng_backend *b);

/* Seconds of the device between the two calls, for what is queued between them; stopping waits. */
bool cuda_start_clock(throng_backend *b, throng_error *error);
bool cuda_stop_clock(throng_backend *b, double *seconds, throng_error *error);
void cuda_free_clock(throng_backend *b);

/* What they need beforehand: the lists of the grid, and the solver's blocks, which all run at once. */
bool cuda_fit_grid(throng_backend *b, int32_t cells, int32_t neighbours, throng_error *error);
bool cuda_fit_shapes(throng_backend *b, throng_error *error);
bool cuda_fit_places(throng_backend *b, throng_error *error);
bool cuda_set_up_solver(throng_backend *b, throng_error *error);

/* --- entries of the table; see backend.h -------------------------------------------------------------------- */

bool cuda_reserve(throng_backend *b, int32_t capacity, int32_t slots, const throng_agent_columns *host,
                  throng_error *error);
bool cuda_put(throng_backend *b, int column, int32_t slots, throng_error *error);
bool cuda_get(throng_backend *b, int column, int32_t first, int32_t slots, throng_error *error);
const void *cuda_column(const throng_backend *b, int column, int32_t *device);
bool cuda_copy(throng_backend *b, throng_column_set columns, int32_t slots, throng_copy *copy, throng_error *error);
bool cuda_copied(throng_copy *copy, throng_error *error);
void cuda_free_copy(throng_copy *copy);
bool cuda_set_air(throng_backend *b, const throng_air *given, throng_error *error);
bool cuda_set_places(throng_backend *b, const throng_places *given, throng_error *error);
bool cuda_set_sheets(throng_backend *b, const throng_sheets *given, throng_error *error);
bool cuda_set_walls(throng_backend *b, const throng_walls *w, throng_error *error);
bool cuda_set_sides(throng_backend *b, const throng_walls *w, throng_error *error);
bool cuda_near_bodies(throng_backend *b, throng_near *list, int32_t *count, throng_error *error);
bool cuda_push(throng_backend *b, const throng_near *list, int32_t count, throng_error *error);
bool cuda_set_navigation(throng_backend *b, const throng_navigation *w, throng_error *error);
bool cuda_set_goals(throng_backend *b, const throng_goals *g, throng_error *error);
bool cuda_set_waypoints(throng_backend *b, const throng_waypoints *c, throng_error *error);
bool cuda_set_planners(throng_backend *b, const throng_planner *planners, int32_t count, throng_error *error);
bool cuda_set_influences(throng_backend *b, const throng_influences *given, throng_error *error);
bool cuda_set_programs(throng_backend *b, const throng_programs *given, throng_error *error);
bool cuda_set_fsm(throng_backend *b, const throng_fsm *given, throng_error *error);
bool cuda_local_map(throng_backend *b, int32_t slot, throng_local_map *map, throng_error *error);
/* The crowd that the planners saw, when they are done; NULL and a message when they failed. */
const crowd *cuda_planning_crowd(throng_backend *b, throng_error *error);
bool cuda_choice(throng_backend *b, int32_t slot, throng_choice *choice, throng_error *error);
bool cuda_find_paths(throng_backend *b, const throng_graph *graph, const throng_path_batch *batch,
                     throng_path_results *results, throng_error *error);
bool cuda_path_queries(throng_backend *b, int32_t queries, int32_t **from, int32_t **to, throng_error *error);
bool cuda_run_searches(throng_backend *b, const throng_path_net *net, const throng_search_query *queries, int32_t count,
                       throng_search_result *results, const throng_point **corners, throng_error *error);
bool cuda_solve_field(throng_backend *b, const uint8_t *cells, int32_t columns, int32_t rows,
                      throng_field_answer *answer, throng_error *error);
bool cuda_ceilings(throng_backend *b, throng_ceilings *ceilings, throng_error *error);

#endif
