/* Launches of many worlds.
 *
 * Those that are stepped together note what they would launch (cuda_launch.cuh). When all of them have to wait, each
 * has its notes in one block, which goes to the device at once, and `serve` launches what all have noted, in the order
 * of each, and waits for it. As each world's bodies are those of a frame, most come to the same body at the same time;
 * a body that others have still to come to waits for them. */
#include "cuda.cuh"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

bool (*cuda_together)(void);
void (*cuda_wait)(void (*serve)(void));

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

static struct {
    std::shared_mutex open; /* shared while a world hands in its notes, which several do at a time; others' worlds may,
                               too, when these are served */
    std::mutex lock;        /* of the next two */
    std::vector<together_world> worlds;
    size_t bytes; /* of all their notes */
    cudaStream_t stream;
    cuda_block notes, entries; /* pinned; and on the device: */
    cuda_block notes_there, entries_there;
} together;

/* --- in which order ---------------------------------------------------------------------------------------- */

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

static together_form *count_form(std::vector<together_form> *forms, const cuda_form *form)
{
    size_t n = (size_t)form->number;
    if (n >= forms->size() || (*forms)[n].form != form) {
        form->number = (int)forms->size();
        forms->push_back({form, 0, 0});
    }
    return &(*forms)[(size_t)form->number];
}

/* What to launch next: what nobody has still to come to, else what most have come to. NULL: nothing is left. */
static together_form *choose_form(std::vector<together_form> *forms)
{
    together_form *best = NULL;
    for (together_form &f : *forms) {
        bool all = f.ready == f.left, best_all = best && best->ready == best->left;
        if (f.ready && (!best || all > best_all || (all == best_all && f.ready > best->ready)))
            best = &f;
    }
    return best;
}

static int32_t count_launches(std::vector<together_form> *forms)
{
    int32_t all = 0;
    for (const together_world &w : together.worlds) {
        for (const cuda_noted &n : w.queue->noted)
            count_form(forms, n.form)->left++;
        count_form(forms, w.queue->noted[0].form)->ready++;
        all += (int32_t)w.queue->noted.size();
    }
    return all;
}

/* All entries in the order in which they are launched. */
static std::vector<together_launch> order_launches(std::vector<together_form> *forms, cuda_entry *entries)
{
    std::vector<together_launch> launches;
    int32_t count = 0;
    for (together_form *f; (f = choose_form(forms));) {
        const cuda_form *form = f->form;
        launches.push_back({form, count});
        f->left -= f->ready;
        f->ready = 0;
        for (together_world &w : together.worlds) {
            const std::vector<cuda_noted> &noted = w.queue->noted;
            if (w.next == noted.size() || noted[w.next].form != form)
                continue;
            cuda_entry e = noted[w.next++].entry;
            entries[count++] = {e.crowd + (uint32_t)w.at, e.arguments + (uint32_t)w.at, e.blocks};
            if (w.next < noted.size())
                (*forms)[(size_t)noted[w.next].form->number].ready++;
        }
    }
    launches.push_back({NULL, count});
    return launches;
}

/* --- launched ---------------------------------------------------------------------------------------------- */

/* Of as many worlds as one launch takes. */
static void launch_form(const cuda_form *form, int32_t from, int32_t to)
{
    enum { MOST = 65535 };
    const cuda_entry *entries = (const cuda_entry *)together.entries.data;
    for (; from < to; from += MOST) {
        int32_t worlds = std::min(to - from, (int32_t)MOST), blocks = 0;
        for (int32_t e = from; e < from + worlds; e++)
            blocks = std::max(blocks, entries[e].blocks);
        form->together(together.stream, blocks, worlds, (const char *)together.notes_there.data,
                       (const cuda_entry *)together.entries_there.data + from);
    }
}

/* Room for the notes of all; those that did not fit are there, too. */
static bool gather_notes(void)
{
    if (together.bytes > together.notes.size) {
        char *notes = cuda_room<char>(&together.notes, 2 * together.bytes, true);
        for (const together_world &w : together.worlds)
            if (notes)
                memcpy(notes + w.at, w.queue->bytes.data(), w.queue->bytes.size());
    }
    return together.notes.data && cuda_room<char>(&together.notes_there, together.notes.size, false);
}

static cudaError_t launch_all(void)
{
    if (!together.stream) {
        cudaError_t status = cudaStreamCreateWithFlags(&together.stream, cudaStreamNonBlocking);
        if (status != cudaSuccess)
            return status;
    }
    std::vector<together_form> forms;
    int32_t all = count_launches(&forms);
    cuda_entry *entries = cuda_room<cuda_entry>(&together.entries, (size_t)all, true);
    if (!entries || !cuda_room<cuda_entry>(&together.entries_there, (size_t)all, false) || !gather_notes())
        return cudaErrorMemoryAllocation;
    std::vector<together_launch> launches = order_launches(&forms, entries);
    cudaMemcpyAsync(together.notes_there.data, together.notes.data, together.bytes, cudaMemcpyHostToDevice,
                    together.stream);
    cudaMemcpyAsync(together.entries_there.data, entries, (size_t)all * sizeof *entries, cudaMemcpyHostToDevice,
                    together.stream);
    for (size_t l = 0; l + 1 < launches.size(); l++)
        launch_form(launches[l].form, launches[l].from, launches[l + 1].from);
    cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? cudaStreamSynchronize(together.stream) : status;
}

/* While none of the worlds that asked for it goes on. */
static void serve(void)
{
    std::lock_guard<std::shared_mutex> guard(together.open);
    cuda_on_device on(0);
    cudaError_t status = together.worlds.empty() ? cudaSuccess : launch_all();
    for (const together_world &w : together.worlds) {
        w.queue->status = status;
        w.queue->noted.clear();
        w.queue->bytes.clear();
    }
    together.worlds.clear();
    together.bytes = 0;
}

static void hand_in(cuda_queue *q)
{
    size_t size = (q->bytes.size() + NOTES_ALIGN - 1) / NOTES_ALIGN * NOTES_ALIGN, at;
    std::shared_lock<std::shared_mutex> guard(together.open);
    {
        std::lock_guard<std::mutex> own(together.lock);
        at = together.bytes;
        together.bytes += size;
        together.worlds.push_back({q, at, 0});
    }
    if (at + size <= together.notes.size) /* else gather_notes does it */
        memcpy((char *)together.notes.data + at, q->bytes.data(), q->bytes.size());
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
