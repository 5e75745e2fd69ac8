/* Launches of many worlds.
 *
 * Those that are stepped together note what they would launch (cuda_launch.cuh). When all of a half have to wait, each
 * has its notes in one block, which goes to the device at once, and `serve` launches what all have noted, in the order
 * of each, and waits for it, while the host works on the other half. As each world's bodies are those of a frame, most
 * come to the same body at the same time; a body that others have still to come to waits for them. Most note the same
 * launches at the same places of their notes, and are one sequence: who serves does not look at each. */
#include "cuda.cuh"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

int32_t (*cuda_half)(void);
void (*cuda_wait)(void (*serve)(int32_t half));

static std::atomic<int> forms;

cuda_form::cuda_form(launch_alone *one, launch_together *many) : number(forms++), alone(one), together(many) {}

void cuda_launch_noted(cuda_queue *q)
{
    std::vector<cuda_noted> noted;
    noted.swap(q->noted);
    for (const cuda_noted &n : noted) {
        const cuda_head *head = (const cuda_head *)(q->bytes.data() + n.head);
        n.form->alone(q->stream, head->blocks, cuda_crowd_of(head), head + 1);
    }
    q->used = true;
    q->bytes.clear();
}

/* Worlds that have noted the same launches at the same places of their notes. */
struct together_sequence {
    std::vector<cuda_noted> noted;
    std::vector<int32_t> blocks;  /* by launch: what the largest world asks for */
    std::vector<uint32_t> worlds; /* where the notes of each begin in those of all */
    size_t next;                  /* which launch is next */
};

/* How many worlds have come to a form, and how many launches of it are left. */
struct together_form {
    const cuda_form *form;
    size_t ready, left;
};

/* Where a launch's heads begin. */
struct together_launch {
    const cuda_form *form;
    int32_t from, blocks;
};

/* Where a world's notes are in those of all. */
struct together_world {
    cuda_queue *queue;
    size_t at;
};

/* Of a half. */
struct together_batch {
    std::shared_mutex open; /* shared while a world hands in its notes, which several do at a time; others' worlds may,
                               too, when these are served */
    std::mutex lock;        /* of the next five */
    std::vector<together_sequence> sequences; /* the first `used`; the others' lists are kept */
    size_t used;
    std::unordered_map<uint64_t, size_t> known; /* sequences by what find_sequence makes of what was noted */
    std::vector<together_world> worlds;
    size_t bytes;            /* of all their notes */
    cudaEvent_t done;        /* what was launched last */
    cuda_block notes, heads; /* pinned; and on the device: */
    cuda_block notes_there, heads_there;
    std::vector<together_form> forms; /* by number */
    std::vector<together_launch> launches;
};

static together_batch batches[2];

/* Of both, one after the other: while one has the device, the other has the host. */
static struct {
    std::mutex lock;
    cudaStream_t stream;
} device;

/* --- who notes the same -------------------------------------------------------------------------------------- */

static uint64_t mix_noted(const std::vector<cuda_noted> &noted)
{
    uint64_t mixed = noted.size();
    for (const cuda_noted &n : noted)
        mixed = (mixed ^ ((uint64_t)n.form->number << 32 | n.head)) * 0x9E3779B97F4A7C15u;
    return mixed;
}

static together_sequence *add_sequence(together_batch *t, const std::vector<cuda_noted> &noted)
{
    if (t->used == t->sequences.size())
        t->sequences.emplace_back();
    together_sequence *s = &t->sequences[t->used++];
    s->noted = noted;
    s->blocks.assign(noted.size(), 0);
    s->worlds.clear();
    s->next = 0;
    return s;
}

static together_sequence *find_sequence(together_batch *t, const std::vector<cuda_noted> &noted, uint64_t mixed)
{
    for (;; mixed++) {
        auto at = t->known.find(mixed);
        if (at == t->known.end()) {
            t->known[mixed] = t->used;
            return add_sequence(t, noted);
        }
        if (t->sequences[at->second].noted == noted)
            return &t->sequences[at->second];
    }
}

/* Where the world's notes are to be in those of all. */
static size_t add_world(together_batch *t, cuda_queue *q, size_t size, uint64_t mixed)
{
    std::lock_guard<std::mutex> own(t->lock);
    size_t at = t->bytes;
    t->bytes += size;
    together_sequence *s = find_sequence(t, q->noted, mixed);
    s->worlds.push_back((uint32_t)at);
    for (size_t l = 0; l < q->noted.size(); l++)
        s->blocks[l] = std::max(s->blocks[l], ((const cuda_head *)(q->bytes.data() + q->noted[l].head))->blocks);
    t->worlds.push_back({q, at});
    return at;
}

static void hand_in(together_batch *t, cuda_queue *q)
{
    q->status = cudaSuccess;
    size_t size = (q->bytes.size() + NOTES_ALIGN - 1) / NOTES_ALIGN * NOTES_ALIGN;
    uint64_t mixed = mix_noted(q->noted);
    std::shared_lock<std::shared_mutex> guard(t->open);
    size_t at = add_world(t, q, size, mixed);
    if (at + size <= t->notes.size) /* else gather_notes does it */
        memcpy((char *)t->notes.data + at, q->bytes.data(), q->bytes.size());
}

/* --- in which order ---------------------------------------------------------------------------------------- */

/* What to launch next: what nobody has still to come to, else what most have come to. NULL: nothing is left. */
static together_form *choose_form(together_batch *t)
{
    together_form *best = NULL;
    for (together_form &f : t->forms) {
        bool all = f.ready == f.left, best_all = best && best->ready == best->left;
        if (f.ready && (!best || all > best_all || (all == best_all && f.ready > best->ready)))
            best = &f;
    }
    return best;
}

static size_t count_launches(together_batch *t)
{
    size_t all = 0;
    t->forms.assign((size_t)forms, together_form());
    for (size_t s = 0; s < t->used; s++) {
        const together_sequence &q = t->sequences[s];
        for (const cuda_noted &n : q.noted) {
            together_form *f = &t->forms[(size_t)n.form->number];
            f->form = n.form;
            f->left += q.worlds.size();
        }
        t->forms[(size_t)q.noted[0].form->number].ready += q.worlds.size();
        all += q.noted.size() * q.worlds.size();
    }
    return all;
}

/* The next launch of a sequence. Returns how many heads there are now. */
static int32_t add_heads(together_batch *t, together_sequence *s, together_launch *launch, int32_t count)
{
    uint32_t *heads = (uint32_t *)t->heads.data + count, head = (uint32_t)s->noted[s->next].head;
    launch->blocks = std::max(launch->blocks, s->blocks[s->next]);
    for (size_t w = 0; w < s->worlds.size(); w++)
        heads[w] = s->worlds[w] + head;
    if (++s->next < s->noted.size())
        t->forms[(size_t)s->noted[s->next].form->number].ready += s->worlds.size();
    return count + (int32_t)s->worlds.size();
}

/* All heads in the order in which they are launched. */
static void order_launches(together_batch *t)
{
    int32_t count = 0;
    t->launches.clear();
    for (together_form *f; (f = choose_form(t));) {
        together_launch launch = {f->form, count, 0};
        f->left -= f->ready;
        f->ready = 0;
        for (size_t s = 0; s < t->used; s++) {
            together_sequence *q = &t->sequences[s];
            if (q->next < q->noted.size() && q->noted[q->next].form == launch.form)
                count = add_heads(t, q, &launch, count);
        }
        t->launches.push_back(launch);
    }
    t->launches.push_back({NULL, count, 0});
}

/* --- launched ---------------------------------------------------------------------------------------------- */

/* Of as many worlds as one launch takes. */
static void launch_form(const together_batch *t, const together_launch *launch)
{
    enum { MOST = 65535 };
    for (int32_t from = launch[0].from, to = launch[1].from; from < to; from += MOST)
        launch->form->together(device.stream, launch->blocks, std::min(to - from, (int32_t)MOST),
                               (const char *)t->notes_there.data, (const uint32_t *)t->heads_there.data + from);
}

/* Room for the notes of all; those that did not fit are there, too. */
static bool gather_notes(together_batch *t)
{
    if (t->bytes > t->notes.size) {
        char *notes = cuda_room<char>(&t->notes, 2 * t->bytes, true);
        for (const together_world &w : t->worlds)
            if (notes)
                memcpy(notes + w.at, w.queue->bytes.data(), w.queue->bytes.size());
    }
    return t->notes.data && cuda_room<char>(&t->notes_there, t->notes.size, false);
}

static cudaError_t launch_ordered(together_batch *t)
{
    std::lock_guard<std::mutex> guard(device.lock);
    cudaError_t status = device.stream ? cudaSuccess : cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking);
    if (status == cudaSuccess && !t->done)
        status = cudaEventCreateWithFlags(&t->done, cudaEventDisableTiming | cudaEventBlockingSync);
    if (status != cudaSuccess)
        return status;
    cudaMemcpyAsync(t->notes_there.data, t->notes.data, t->bytes, cudaMemcpyHostToDevice, device.stream);
    cudaMemcpyAsync(t->heads_there.data, t->heads.data, (size_t)t->launches.back().from * sizeof(uint32_t),
                    cudaMemcpyHostToDevice, device.stream);
    for (size_t l = 0; l + 1 < t->launches.size(); l++)
        launch_form(t, &t->launches[l]);
    cudaEventRecord(t->done, device.stream);
    return cudaGetLastError();
}

static cudaError_t launch_all(together_batch *t)
{
    size_t all = count_launches(t);
    if (!cuda_room<uint32_t>(&t->heads, all, true) || !cuda_room<uint32_t>(&t->heads_there, all, false) ||
        !gather_notes(t))
        return cudaErrorMemoryAllocation;
    order_launches(t);
    cudaError_t status = launch_ordered(t);
    return status == cudaSuccess ? cudaEventSynchronize(t->done) : status;
}

/* While none of the worlds that asked for it goes on. */
static void serve(int32_t half)
{
    together_batch *t = &batches[half];
    std::lock_guard<std::shared_mutex> guard(t->open);
    cuda_on_device on(0);
    cudaError_t status = t->worlds.empty() ? cudaSuccess : launch_all(t);
    for (const together_world &w : t->worlds)
        if (status != cudaSuccess)
            w.queue->status = status;
    t->worlds.clear();
    t->known.clear();
    t->used = 0;
    t->bytes = 0;
}

bool cuda_wait_together(throng_backend *b, throng_error *error)
{
    cuda_queue *q = &b->queue;
    if (q->used)
        CHECK(cudaStreamSynchronize(q->stream));
    q->used = false;
    cuda_bring_early(b);
    if (q->noted.empty())
        return true;
    hand_in(&batches[cuda_half()], q);
    cuda_wait(serve);
    q->noted.clear();
    q->bytes.clear();
    if (q->status != cudaSuccess)
        b->early.count = 0; /* nothing came */
    CHECK(q->status);
    return true;
}
