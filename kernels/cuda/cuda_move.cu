/* The move stage on CUDA: who takes part in the contacts, the solver, the guard.
 *
 * The solver is one cooperative kernel, as a launch an iteration would cost more than the iteration. A block has agents
 * of its own, and iterates those who are marked (cuda_solver.cuh); an iteration ends with a barrier of all blocks. In
 * jams, where there is room for all, nobody waits for all (cuda_dataflow.cuh). Worlds that are stepped together have a
 * block each. */
#include "cuda.cuh"

#include <algorithm>
#include <cooperative_groups.h>
#include <map>
#include <mutex>

#include "cuda_dataflow.cuh"
#include "cuda_guard.cuh"
#include "kernels/contacts/move.h"
#include "kernels/contacts/shoulders.h"
#include "kernels/contacts/warm_start.h"

/* --- who takes part ---------------------------------------------------------------------------------- */

/* Clears the solver's state, too: `words` of it, and what was `said` in the last step (NULL: nothing). */
BODY begin_contacts(const crowd &c, contacts k, int32_t *state, int32_t words, lane_four *said)
{
    int32_t i = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int32_t w = i; w < words; w += cuda_blocks(c.frame.agents) * BLOCK)
        state[w] = 0;
    if (i >= c.frame.agents)
        return;
    contacts_begin(&c, &k, i, true);
    for (int32_t s = 0; said && s < DATAFLOW_SLOTS; s++)
        said[s * c.frame.agents + i] = {};
}

BODY turn_shoulders(const crowd &c, contacts k)
{
    AGENT_OR_RETURN(c.frame.agents);
    shoulders_turn(&c, &k, i, true);
}

BODY keep_shoulders(const crowd &c)
{
    AGENT_OR_RETURN(c.frame.agents);
    shoulders_keep(&c, i, true);
}

static __device__ void begin_detecting(contacts_visitor *v)
{
    v->violated = false;
    v->overlaps = v->conflicts = 0;
    for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
        v->conflicts_of[kind] = 0;
    v->worst = 1;
    v->left_out = INFINITY;
}

static __device__ void tell_detected(const contacts_visitor *v, tally *t)
{
    if (v->overlaps)
        atomicAdd(&t->overlaps, (unsigned long long)v->overlaps);
    if (v->conflicts) {
        atomicAdd(&t->conflicts, (unsigned long long)v->conflicts);
        for (int kind = 0; kind < THRONG_PLANNER_COUNT; kind++)
            if (v->conflicts_of[kind])
                atomicAdd(&t->conflicts_of[kind], (unsigned long long)v->conflicts_of[kind]);
    }
    if (v->worst < 1 && __float_as_int(v->worst) < *(volatile int *)&t->worst)
        atomicMin(&t->worst, __float_as_int(v->worst));
}

/* The crowd as a kernel has it that is compiled apart for plain worlds (cuda_crowd) of discs, none of them large. */
template <bool DISCS> static __device__ __forceinline__ crowd crowd_of_discs(const crowd &c)
{
    crowd own = cuda_crowd<DISCS>(c);
    if (DISCS) {
        own.shape = NULL;
        own.frame.large_count = 0;
    }
    return own;
}

static bool has_discs_alone(const crowd &c) { return cuda_is_plain(c) && !c.shape && !c.frame.large_count; }

/* It waits for those near: so many blocks at a time do so together, of discs. */
enum { DETECTING_BLOCKS = 6 };

template <bool DISCS> BODY detect_contacts(const crowd &given, const contacts &of, tally *t, int *began)
{
    const crowd c = crowd_of_discs<DISCS>(given);
    contacts k = of;
    contacts_visitor v;
    begin_detecting(&v);
    AGENT_OR_RETURN(c.frame.agents);
    if (contacts_detect(&c, &k, i, true, &v))
        *began = 1;
    warm_start_recall(&c, &k, i, true);
    tell_detected(&v, t);
}

/* --- the solver ---------------------------------------------------------------------------------------- */

struct solving {
    contacts k;
    tally *t;
    const float *beta;
    solver_state *state;
    float *said;
    int32_t iterations, each; /* each: of kernel_solve_dataflow */
};

/* What is read in an iteration was written in the last, and the other way round. */
static __device__ void swap_sides(contacts *k)
{
    float *a = k->a;
    k->a = k->b;
    k->b = a;
}

/* The blocks that solve contacts together: all of a grid, */
struct blocks_of_grid {
    enum { ALONE = false };
    grid_barrier barrier;
    /* They all meet, the `n`th time here. Is it so for anybody? */
    __device__ bool any(int32_t n, bool is) const { return grid_barrier_wait(&barrier, n, is); }
    __device__ void sync() const { cooperative_groups::this_grid().sync(); }
};

/* or one alone. */
struct block_alone {
    enum { ALONE = true };
    __device__ bool any(int32_t, bool is) const { return __syncthreads_or(is); }
    __device__ void sync() const { __syncthreads(); }
};

static __device__ void say_iterations(const crowd &c, const solving &s, int32_t iterations)
{
    if (grid_thread())
        return;
    s.t->iterations = iterations;
    if (iterations >= s.iterations || c.frame.tolerance > GUARD_TOLERANCE)
        s.state->everybody = 1;
}

/* Iterates until nobody goes on. */
template <bool FRICTION, typename Blocks>
GROUP_FN void solve(const crowd &c, const solving &s, contacts *k, own_list *list, const Blocks &blocks)
{
    int32_t turn = 1, own = own_agents(c.frame.agents);
    bool on = true;
    for (; on && turn <= s.iterations; turn++) {
        float beta = s.beta[turn - 1];
        bool goes_on = false;
        for (int32_t from = 0; from < own; from += OWN_MOST) {
            list_own(c, k, list, from, turn);
            goes_on |= list_iterate<FRICTION>(&c, k, list, Blocks::ALONE, beta, turn);
        }
        swap_sides(k);
        on = blocks.any(turn - 1, goes_on);
    }
    for (int32_t from = 0; on && from < own; from += OWN_MOST) {
        list_own(c, k, list, from, turn);
        list_visit(list, [&](int32_t i) { contacts_wake(k, i); }); /* though there is no iteration left */
        __syncthreads();
    }
    say_iterations(c, s, turn - 1);
}

/* Keeps what presses those who take part, and cuts what they may not do: the guard has cause to look. */
GROUP_FN void finish_own(const crowd &c, const solving &s, contacts *k, own_list *list)
{
    int32_t own = own_agents(c.frame.agents);
    for (int32_t from = 0; from < own; from += OWN_MOST) {
        list_own(c, k, list, from, OWN_ACTIVE);
        list_visit(list, [&](int32_t i) {
            warm_start_keep(&c, k, i, true);
            if (solver_cut(&c, k, i, true)) {
                k->status[i] |= CONTACT_CUT;
                s.state->cut = 1;
            }
        });
    }
}

/* Puts those that the guard begins with on its list. */
GROUP_FN void guard_begin(const crowd &c, contacts *k, own_list *list, bool everybody)
{
    int32_t own = own_agents(c.frame.agents);
    for (int32_t from = 0; from < own; from += OWN_MOST) {
        list_own(c, k, list, from, everybody ? OWN_ACTIVE : OWN_CUT);
        list_visit(list, [&](int32_t i) { contacts_guard(k, i); });
    }
}

static __device__ int32_t seen(const int32_t *word) { return *(const volatile int32_t *)word; }

/* Shortens what must be shorter (guard.h). All blocks read the same of what is to be done: nobody says anything else
 * before they have met. */
template <typename Blocks>
GROUP_FN void guard(const crowd &c, const solving &s, contacts *k, own_list *list, const Blocks &blocks)
{
    __shared__ contacts_batch batch;
    const guard_termination termination = {&s.state->changes, s.state->quiet};
    bool everybody = seen(k->everybody), all = false;
    if (!everybody && !seen(&s.state->cut))
        return;
    if (threadIdx.x == 0)
        batch.count = 0;
    __syncthreads();
    k->next_batch = &batch;
    k->next = (int32_t *)k->lambda; /* multipliers are kept by now */
    int32_t known = 0;
    do {
        if (!known || everybody != all)
            guard_begin(c, k, list, everybody);
        all = everybody;
        contacts_flush(k->next_batch, k->next, k->next_count);
        guard_open(termination);
        blocks.sync();
        known = seen(k->next_count);
        blocks.sync();
        guard_spread(&c, k, known, termination);
        contacts_flush(k->next_batch, k->next, k->next_count);
        blocks.sync();
        everybody = seen(k->everybody);
    } while (seen(k->next_count) > known || everybody != all);
    unsigned held = 0;
    for (int32_t a = grid_thread(); a < known; a += grid_threads())
        held += solver_hold(k, k->next[a], true);
    if (held)
        atomicAdd(&s.t->held, (unsigned long long)held);
}

/* Did anybody take part? Else nothing is left to do. */
GROUP_FN bool solver_began(const solving &s)
{
    if (s.state->began == 0 && grid_thread() == 0)
        s.t->iterations = 0;
    return s.state->began != 0;
}

/* With all blocks together, what the iterations leave undone. */
template <typename Blocks>
GROUP_FN void finish(const crowd &c, const solving &s, contacts *k, own_list *list, const Blocks &blocks)
{
    finish_own(c, s, k, list);
    blocks.sync();
    guard(c, s, k, list, blocks);
}

enum { SOLVER_BLOCKS = 2 /* on a multiprocessor */ };
enum { SOLVER_EACH = 64 }; /* agents a block: where there are few, all processors read their contacts */

template <bool FRICTION>
__global__ void __launch_bounds__(SOLVER_BLOCK, SOLVER_BLOCKS)
    kernel_solve(const __grid_constant__ crowd c, const __grid_constant__ solving s)
{
    __shared__ own_list list;
    if (!solver_began(s))
        return;
    contacts k = s.k;
    const blocks_of_grid blocks = {{s.state->barrier, (int32_t)gridDim.x}};
    solve<FRICTION>(c, s, &k, &list, blocks);
    finish(c, s, &k, &list, blocks);
}

enum { TOGETHER_LEAST = 128, TOGETHER_MOST = 512 /* threads */ };

/* Of worlds that are stepped together, a block each. One of TOGETHER_MOST threads has a multiprocessor for itself,
 * whose cache holds what 1,000 people read; smaller ones share it. */
template <bool FRICTION>
__global__ void __launch_bounds__(TOGETHER_MOST, 1)
    kernel_solve_together(const char *__restrict__ notes, const uint32_t *__restrict__ heads)
{
    __shared__ int32_t turn[CONTACTS_BATCH];
    __shared__ own_list list;
    await_previous_launch();
    const cuda_head *head = (const cuda_head *)(notes + heads[blockIdx.y]);
    const crowd &c = cuda_crowd_of(head);
    const solving &s = *(const solving *)(head + 1);
    if (!solver_began(s))
        return;
    contacts k = s.k;
    if (c.frame.agents <= CONTACTS_BATCH) { /* who is marked, and what the guard takes, is asked all the time */
        k.turn = turn;
        for (int32_t i = (int32_t)threadIdx.x; i < c.frame.agents; i += (int32_t)blockDim.x)
            turn[i] = 0;
        __syncthreads();
    }
    solve<FRICTION>(c, s, &k, &list, block_alone());
    finish(c, s, &k, &list, block_alone());
}

__global__ void __launch_bounds__(DATAFLOW_THREADS, 1)
    kernel_solve_dataflow(const __grid_constant__ crowd c, const __grid_constant__ solving s)
{
    __shared__ own_list list;
    if (!solver_began(s))
        return;
    contacts k = s.k;
    const blocks_of_grid blocks = {{s.state->barrier, (int32_t)gridDim.x}};
    dataflow_solve(&c, k, {s.said, c.frame.agents}, s.beta, s.each, s.iterations, blocks.barrier, &s.state->latest);
    blocks.sync();
    int32_t iterations = min(*(volatile int *)&s.state->latest + 1, s.iterations);
    say_iterations(c, s, iterations);
    if (iterations % 2) /* as kernel_move has it */
        swap_sides(&k);
    finish(c, s, &k, &list, blocks);
}

/* In order of slot: most of what is written is. */
BODY move(const crowd &c, const contacts &k, const tally *t)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (c.state[i])
        move_stage(&c, &k, t->iterations % 2 ? k.b : k.a, c.rank[i], true);
}

static const void *const solve_with[] = {(const void *)kernel_solve<false>, (const void *)kernel_solve<true>};

static bool set_up_dataflow(const throng_backend *b, cuda_solver *own, throng_error *error)
{
    const void *kernel = (const void *)kernel_solve_dataflow;
    cudaFuncAttributes compiled;
    int room = 0;
    CHECK(cudaFuncGetAttributes(&compiled, kernel));
    CHECK(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, b->device));
    own->each = 0;
    while (dataflow_bytes(own->each + 1) + compiled.sharedSizeBytes <= (size_t)room)
        own->each++;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dataflow_bytes(own->each)));
    return true;
}

/* Once for each device: all its worlds have the same. */
static bool set_up_device(throng_backend *b, cuda_solver *own, throng_error *error)
{
    for (int friction = 0; friction < 2; friction++) {
        int per_processor = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, solve_with[friction], SOLVER_BLOCK, 0));
        own->blocks[friction] =
            std::min(std::min(per_processor, (int)SOLVER_BLOCKS) * b->processors, (int)SOLVER_BLOCKS_MOST);
    }
    float beta[ITERATIONS_MAX], *there;
    double nesterov = 1;
    for (int i = 0; i < ITERATIONS_MAX; i++)
        beta[i] = solver_beta(&nesterov);
    if (!set_up_dataflow(b, own, error))
        return false;
    CHECK(cuda_malloc(&there, sizeof beta));
    CHECK(cudaMemcpy(there, beta, sizeof beta, cudaMemcpyHostToDevice));
    own->beta = there;
    return true;
}

bool cuda_set_up_solver(throng_backend *b, throng_error *error)
{
    static std::mutex lock;
    static std::map<int32_t, cuda_solver> known;
    {
        std::lock_guard<std::mutex> guard(lock);
        cuda_solver *own = &known[b->device];
        if (!own->beta && !set_up_device(b, own, error))
            return false;
        b->solver = *own;
    }
    if (!cuda_allocate(b, &b->solver_state, 1, error))
        return false;
    b->k.next_count = &b->solver_state->guarded;
    b->k.everybody = &b->solver_state->everybody;
    return true;
}

/* Where the agents' words go, NULL: the step is not solved as a dataflow. It is where there was a jam not long ago
 * (which matters to speed alone: crowds at ease would take an eighth longer), there is room for all, and no friction.
 */
static float *dataflow_room(throng_backend *b)
{
    enum { JAM = 24 }; /* iterations */
    int agents = b->c.frame.agents;
    if (b->queue.notes || b->mapped->told.iterations <= JAM || b->c.frame.friction > 0 ||
        agents > b->processors * DATAFLOW_GROUPS * b->solver.each)
        return NULL;
    size_t each = 4 * DATAFLOW_SLOTS;
    if (agents > b->said_agents) {
        bool grown = cuda_replace(b, &b->said, (size_t)b->said_agents * each, (size_t)b->capacity * each, NULL);
        b->said_agents = grown ? b->capacity : b->said ? b->said_agents : 0;
        cudaGetLastError(); /* then there is no room, and that is all */
    }
    return agents > b->said_agents ? NULL : b->said;
}

static bool launch_dataflow(throng_backend *b, solving s, throng_error *error)
{
    enum { FEW = 32 }; /* agents a block, where there are not more than that for each multiprocessor */
    int agents = b->c.frame.agents;
    s.each = b->solver.each;
    int blocks = std::min(b->processors, (agents + FEW - 1) / FEW);
    void *arguments[] = {&b->c, &s};
    CHECK(cudaLaunchCooperativeKernel((const void *)kernel_solve_dataflow, dim3((unsigned)blocks),
                                      dim3(DATAFLOW_THREADS), arguments, dataflow_bytes(s.each), cuda_stream(b)));
    return true;
}

template <bool FRICTION> static void solve_alone(cudaStream_t stream, int blocks, const crowd &c, const void *arguments)
{
    void *both[] = {(void *)&c, (void *)arguments};
    cudaLaunchCooperativeKernel((const void *)kernel_solve<FRICTION>, dim3((unsigned)blocks), dim3(SOLVER_BLOCK), both,
                                0, stream);
}

/* `blocks` would be asked for by the largest of them alone: about a thread an agent. */
template <bool FRICTION>
static void solve_together(cudaStream_t stream, int blocks, int worlds, const char *notes, const uint32_t *heads)
{
    int threads = TOGETHER_LEAST;
    while (threads < TOGETHER_MOST && threads < blocks * SOLVER_EACH)
        threads *= 2;
    cuda_launch_kernel(kernel_solve_together<FRICTION>, dim3(1, (unsigned)worlds), threads, stream, notes, heads);
}

static void launch_solver(throng_backend *b, const solving &s)
{
    static const cuda_form forms[] = {{solve_alone<false>, solve_together<false>},
                                      {solve_alone<true>, solve_together<true>}};
    bool friction = b->c.frame.friction > 0;
    int blocks = std::min(b->solver.blocks[friction], (b->c.frame.agents + SOLVER_EACH - 1) / SOLVER_EACH);
    if (b->queue.notes)
        cuda_note(&b->queue, &forms[friction], blocks, b->c, &s, sizeof s);
    else
        forms[friction].alone(cuda_stream(b), blocks, b->c, &s);
}

/* Nothing presses again from a move of the same step, as stages run one by one may make: what it kept is not whole. */
static bool forget_kept(throng_backend *b, throng_error *error)
{
    int32_t move = (int32_t)(b->c.frame.step + 1);
    if (b->moved == move)
        CHECK(cudaMemsetAsync(b->k.kept_step, 0, (size_t)b->capacity * sizeof *b->k.kept_step, cuda_stream(b)));
    b->moved = move;
    return true;
}

bool cuda_move(throng_backend *b, const throng_frame *f, throng_error *error)
{
    if (!forget_kept(b, error))
        return false;
    int n = cuda_blocks(b->c.frame.agents), iterations = std::min(f->iterations, (int)ITERATIONS_MAX);
    float *said = dataflow_room(b);
    size_t bytes = offsetof(solver_state, barrier) + sizeof b->solver_state->barrier[0] * (size_t)(iterations + 1);
    cuda_launch<begin_contacts>(&b->queue, n, b->c, b->k, (int32_t *)b->solver_state, (int32_t)(bytes / 4),
                                (lane_four *)said);
    if (b->c.shape) {
        cuda_launch<turn_shoulders>(&b->queue, n, b->c, b->k);
        cuda_launch<keep_shoulders>(&b->queue, n, b->c);
    }
    if (has_discs_alone(b->c))
        cuda_launch<detect_contacts<true>, BLOCK, DETECTING_BLOCKS>(&b->queue, n, b->c, b->k, b->counts,
                                                                    &b->solver_state->began);
    else
        cuda_launch<detect_contacts<false>, BLOCK, 1>(&b->queue, n, b->c, b->k, b->counts, &b->solver_state->began);
    CHECK(cudaGetLastError());
    contacts k = b->k;
    std::swap(k.a, k.b); /* what was detected is in b */
    solving s = {k, b->counts, b->solver.beta, b->solver_state, said, iterations, 0};
    if (!said)
        launch_solver(b, s);
    else if (!launch_dataflow(b, s, error))
        return false;
    cuda_launch<move>(&b->queue, cuda_blocks(b->c.frame.slots), b->c, k, b->counts);
    CHECK(cudaGetLastError());
    return !f->latency || cuda_join(b, error);
}

/* --- bodies: who is near, and where they are pushed --- */

__global__ void kernel_near(const crowd c, throng_near *list, int32_t room, int32_t *count)
{
    AGENT_OR_RETURN(c.frame.slots);
    if (!c.state[i] || !c.near_body[i])
        return;
    throng_near near = walls_near(&c, i);
    int32_t at = atomicAdd(count, 1);
    if (at < room)
        memcpy(&list[at], &near, sizeof near);
}

__global__ void kernel_push(const crowd c, const throng_near *list, int32_t count)
{
    AGENT_OR_RETURN(count);
    c.nx[c.rank[list[i].slot]] = list[i].wish_x;
    c.ny[c.rank[list[i].slot]] = list[i].wish_y;
}

bool cuda_near_bodies(throng_backend *b, throng_near *list, int32_t *count, throng_error *error)
{
    int32_t room = *count;
    if (room > b->near_room && !cuda_replace(b, &b->near_list, (size_t)b->near_room, (size_t)room, error))
        return false;
    b->near_room = room > b->near_room ? room : b->near_room;
    CHECK(cudaMemsetAsync(b->key, 0, sizeof *b->key, cuda_stream(b))); /* the sort is done with it */
    kernel_near<<<cuda_blocks(b->c.frame.slots), BLOCK, 0, cuda_stream(b)>>>(b->c, b->near_list, room, b->key);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(count, b->key, sizeof *count, cudaMemcpyDeviceToHost, cuda_stream(b)));
    CHECK(cudaStreamSynchronize(cuda_stream(b)));
    if (!*count || *count > room)
        return true;
    CHECK(cudaMemcpy(list, b->near_list, (size_t)*count * sizeof *list, cudaMemcpyDeviceToHost));
    std::sort(list, list + *count, [](const throng_near &a, const throng_near &c) { return a.slot < c.slot; });
    return true;
}

bool cuda_push(throng_backend *b, const throng_near *list, int32_t count, throng_error *error)
{
    if (!count)
        return true;
    CHECK(cudaMemcpyAsync(b->near_list, list, (size_t)count * sizeof *list, cudaMemcpyHostToDevice, cuda_stream(b)));
    kernel_push<<<cuda_blocks(count), BLOCK, 0, cuda_stream(b)>>>(b->c, b->near_list, count);
    CHECK(cudaGetLastError());
    return true;
}
