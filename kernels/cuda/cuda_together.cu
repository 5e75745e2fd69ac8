/* Launches of many worlds.
 *
 * Those that are stepped together note what they would launch (cuda_launch.cuh). When all of a half have to wait, each
 * has its notes in one block, which goes to the device at once, and `serve` launches what all have noted, in the order
 * of each, and waits for it, while the host works on the other half. As each world's bodies are those of a frame, most
 * come to the same body at the same time; a body that others have still to come to waits for them. */
#include "cuda.cuh"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>

int32_t (*cuda_half)(void);
void (*cuda_wait)(void (*serve)(int32_t half));

static std::atomic<int> forms;

cuda_form::cuda_form(launch_alone *one, launch_together *many) : number(forms++), alone(one), together(many) {}

void cuda_launch_noted(cuda_queue *q)
{
    std::vector<cuda_noted> noted;
    noted.swap(q->noted);
    for (const cuda_noted &n : noted)
        n.form->alone(q->stream, n.entry.blocks, *(const crowd *)(q->bytes.data() + n.entry.crowd),
                      q->bytes.data() + n.entry.arguments);
    q->used = true;
    q->bytes.clear();
}

/* A world's notes, until they are launched. */
struct together_world {
    cuda_queue *queue;
    size_t at, next; /* where its notes are in those of all; which of its launches is next */
};

/* How many worlds have come to a form, and how many launches of it are left. */
struct together_form {
    const cuda_form *form;
    int32_t ready, left;
};

/* Where a launch's entries begin. */
struct together_launch {
    const cuda_form *form;
    int32_t from;
};

/* Of a half. */
struct together_batch {
    std::shared_mutex open; /* shared while a world hands in its notes, which several do at a time; others' worlds may,
                               too, when these are served */
    std::mutex lock;        /* of the next two */
    std::vector<together_world> worlds;
    size_t bytes;              /* of all their notes */
    cudaEvent_t done;          /* what was launched last */
    cuda_block notes, entries; /* pinned; and on the device: */
    cuda_block notes_there, entries_there;
    std::vector<together_form> forms; /* by number */
    std::vector<together_launch> launches;
};

static together_batch batches[2];

/* Of both, one after the other: while one has the device, the other has the host. */
static struct {
    std::mutex lock;
    cudaStream_t stream;
} device;

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

static int32_t count_launches(together_batch *t)
{
    int32_t all = 0;
    t->forms.assign((size_t)forms, together_form());
    for (const together_world &w : t->worlds) {
        for (const cuda_noted &n : w.queue->noted) {
            together_form *f = &t->forms[(size_t)n.form->number];
            f->form = n.form;
            f->left++;
        }
        t->forms[(size_t)w.queue->noted[0].form->number].ready++;
        all += (int32_t)w.queue->noted.size();
    }
    return all;
}

/* All entries in the order in which they are launched. */
static void order_launches(together_batch *t)
{
    cuda_entry *entries = (cuda_entry *)t->entries.data;
    int32_t count = 0;
    t->launches.clear();
    for (together_form *f; (f = choose_form(t));) {
        const cuda_form *form = f->form;
        t->launches.push_back({form, count});
        f->left -= f->ready;
        f->ready = 0;
        for (together_world &w : t->worlds) {
            const std::vector<cuda_noted> &noted = w.queue->noted;
            if (w.next == noted.size() || noted[w.next].form != form)
                continue;
            cuda_entry e = noted[w.next++].entry;
            entries[count++] = {e.crowd + (uint32_t)w.at, e.arguments + (uint32_t)w.at, e.blocks};
            if (w.next < noted.size())
                t->forms[(size_t)noted[w.next].form->number].ready++;
        }
    }
    t->launches.push_back({NULL, count});
}

/* --- launched ---------------------------------------------------------------------------------------------- */

/* Of as many worlds as one launch takes. */
static void launch_form(const together_batch *t, const cuda_form *form, int32_t from, int32_t to)
{
    enum { MOST = 65535 };
    const cuda_entry *entries = (const cuda_entry *)t->entries.data;
    for (; from < to; from += MOST) {
        int32_t worlds = std::min(to - from, (int32_t)MOST), blocks = 0;
        for (int32_t e = from; e < from + worlds; e++)
            blocks = std::max(blocks, entries[e].blocks);
        form->together(device.stream, blocks, worlds, (const char *)t->notes_there.data,
                       (const cuda_entry *)t->entries_there.data + from);
    }
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
    const cuda_block &notes = t->notes, &entries = t->entries;
    std::lock_guard<std::mutex> guard(device.lock);
    cudaError_t status = device.stream ? cudaSuccess : cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking);
    if (status == cudaSuccess && !t->done)
        status = cudaEventCreateWithFlags(&t->done, cudaEventDisableTiming | cudaEventBlockingSync);
    if (status != cudaSuccess)
        return status;
    cudaMemcpyAsync(t->notes_there.data, notes.data, t->bytes, cudaMemcpyHostToDevice, device.stream);
    cudaMemcpyAsync(t->entries_there.data, entries.data, (size_t)t->launches.back().from * sizeof(cuda_entry),
                    cudaMemcpyHostToDevice, device.stream);
    for (size_t l = 0; l + 1 < t->launches.size(); l++)
        launch_form(t, t->launches[l].form, t->launches[l].from, t->launches[l + 1].from);
    cudaEventRecord(t->done, device.stream);
    return cudaGetLastError();
}

static cudaError_t launch_all(together_batch *t)
{
    size_t all = (size_t)count_launches(t);
    if (!cuda_room<cuda_entry>(&t->entries, all, true) || !cuda_room<cuda_entry>(&t->entries_there, all, false) ||
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
    for (const together_world &w : t->worlds) {
        w.queue->status = status;
        w.queue->noted.clear();
        w.queue->bytes.clear();
    }
    t->worlds.clear();
    t->bytes = 0;
}

static void hand_in(cuda_queue *q)
{
    size_t size = (q->bytes.size() + NOTES_ALIGN - 1) / NOTES_ALIGN * NOTES_ALIGN, at;
    together_batch *t = &batches[cuda_half()];
    std::shared_lock<std::shared_mutex> guard(t->open);
    {
        std::lock_guard<std::mutex> own(t->lock);
        at = t->bytes;
        t->bytes += size;
        t->worlds.push_back({q, at, 0});
    }
    if (at + size <= t->notes.size) /* else gather_notes does it */
        memcpy((char *)t->notes.data + at, q->bytes.data(), q->bytes.size());
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
    hand_in(q);
    cuda_wait(serve);
    if (q->status != cudaSuccess)
        b->early.count = 0; /* nothing came */
    CHECK(q->status);
    return true;
}
