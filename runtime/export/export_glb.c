/* glTF 2.0, binary: a node a person, all with the mesh of their group, and one animation of where they are and which
 * way they look; the plan is a mesh of its own. y is up: (x, y, z) of the plan is (x, z, -y) there. Who is not there
 * yet, or has left, has the size 0.
 *
 * The file says first what lies where, so the recording is gone through twice: for who is there when, and to write. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text_stream.h"
#include "export_glb.h"
#include "navigation/navmesh_space.h"

/* ---- what lies where */

static bool lay_out(throng_glb *g, throng_error *error)
{
    g->times_at = sizeof g->figure;
    g->tracks_at = g->times_at + (uint64_t)g->tracks.moments * sizeof(float);
    g->size = g->tracks_at;
    for (int32_t t = 0; t < g->tracks.count; t++) {
        g->tracks.list[t].offset = g->size - g->tracks_at;
        g->size +=
            THRONG_GLB_VISIBLE + (uint64_t)throng_glb_keys(&g->tracks.list[t]) * (THRONG_GLB_MOVE + THRONG_GLB_TURN);
    }
    g->plan_at = g->size;
    g->size += (uint64_t)g->plan.count * 3 * THRONG_GLB_MOVE;
    uint64_t most = UINT32_MAX - ((uint64_t)g->tracks.count + 100) * 1500;
    return g->size <= most ||
           throng_fail(error,
                       "%d people in %d moments take %.1f GB, and a .glb can hold 4: choose fewer by --every, "
                       "--from and --to",
                       g->tracks.count, g->tracks.moments, (double)g->size / 1e9);
}

static bool number_meshes(throng_glb *g, throng_error *error)
{
    int32_t groups = g->source->notes.tables[THRONG_NOTE_GROUP].rows;
    g->mesh_of = malloc(((size_t)groups + 1) * sizeof *g->mesh_of);
    if (!g->mesh_of)
        return throng_fail(error, "out of memory for %d groups", groups);
    for (int32_t i = 0; i <= groups; i++)
        g->mesh_of[i] = -1;
    for (int32_t t = 0; t < g->tracks.count; t++) {
        int32_t group = g->tracks.list[t].group, *mesh = &g->mesh_of[group < 0 ? groups : group];
        if (*mesh < 0)
            *mesh = g->meshes++;
    }
    return true;
}

/* ---- the binary part */

/* The front of who looks along (hx, hy) of the plan, which is +z of the figure. */
static void put_turn(const throng_export_person *p, float turn[4])
{
    double angle = atan2(p->hx, -p->hy) / 2;
    turn[0] = turn[2] = 0;
    turn[1] = (float)sin(angle);
    turn[3] = (float)cos(angle);
}

static void put_sizes(const throng_glb *g, const throng_export_track *t, float *times)
{
    float *sizes = times + THRONG_GLB_SIZES;
    int32_t moment[THRONG_GLB_SIZES];
    int size[THRONG_GLB_SIZES];
    int32_t count = throng_glb_sizes(g, t, moment, size);
    for (int32_t k = 0; k < count; k++) {
        times[k] = g->tracks.times[moment[k]];
        sizes[3 * k] = sizes[3 * k + 2] = size[k] ? (float)throng_glb_width(t) : 0;
        sizes[3 * k + 1] = (float)size[k];
    }
}

/* Where somebody is at moment m, and at those before at which it was not there. */
static void put_person(const throng_glb *g, throng_export_track *t, const throng_export_person *p, int32_t m, float *to)
{
    float *move = to + THRONG_GLB_VISIBLE / sizeof *to, *turn = move + 3 * (size_t)throng_glb_keys(t);
    if (t->next == t->first)
        put_sizes(g, t, to);
    for (; t->next <= m; t->next++) {
        size_t key = (size_t)(t->next - t->first);
        move[3 * key] = (float)p->x;
        move[3 * key + 1] = (float)p->z;
        move[3 * key + 2] = (float)-p->y;
        put_turn(p, turn + 4 * key);
    }
}

static bool put_people(throng_glb *g, throng_export_source *source, unsigned char *binary, throng_error *error)
{
    const throng_export_moment *moment;
    for (int32_t m = 0; m < g->tracks.moments; m++) {
        if (!throng_export_next(source, &moment, error))
            return false;
        for (int32_t i = 0, t = 0; moment && i < moment->count; i++) {
            while (g->tracks.list[t].id != moment->people[i].id)
                t++;
            throng_export_track *track = &g->tracks.list[t];
            void *to = binary + g->tracks_at + track->offset;
            put_person(g, track, &moment->people[i], m, to);
        }
    }
    return true;
}

static bool put_binary(throng_glb *g, throng_export_source *source, unsigned char *binary, throng_error *error)
{
    void *plan = binary + g->plan_at;
    memcpy(binary, &g->figure, sizeof g->figure);
    memcpy(binary + g->times_at, g->tracks.times, (size_t)g->tracks.moments * sizeof(float));
    for (int32_t i = 0; i < 3 * g->plan.count; i++)
        throng_glb_corner(g, i, (float *)plan + 3 * (size_t)i);
    return put_people(g, source, binary, error);
}

/* ---- the file: its head, the description, the binary part */

enum { HEAD = 12, CHUNK = 8 };

static void put_head(unsigned char *to, uint32_t json, uint32_t binary)
{
    const uint32_t head[5] = {0x46546c67, 2, HEAD + 2 * CHUNK + json + binary, json, 0x4e4f534a};
    const uint32_t chunk[2] = {binary, 0x004e4942};
    memcpy(to, head, sizeof head);
    memcpy(to + HEAD + CHUNK + json, chunk, sizeof chunk);
}

/* As the disk has room for all of it, nothing is written in vain. */
static bool reserve(int file, uint64_t size, throng_error *error)
{
    int code;
    do
        code = posix_fallocate(file, 0, (off_t)size);
    while (code == EINTR);
    return code == 0 || throng_fail(error, "%s", throng_output_cause(code));
}

static bool write_file(throng_glb *g, throng_export_source *source, const char *json, size_t length,
                       throng_output *output, throng_error *error)
{
    size_t padded = (length + 3) & ~(size_t)3, begin = HEAD + CHUNK + padded + CHUNK, size = begin + (size_t)g->size;
    int file = throng_output_descriptor(output);
    if (!reserve(file, size, error))
        return false;
    unsigned char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED)
        return throng_fail(error, "%s", strerror(errno));
    put_head(bytes, (uint32_t)padded, (uint32_t)g->size);
    memcpy(bytes + HEAD + CHUNK, json, length);
    memset(bytes + HEAD + CHUNK + length, ' ', padded - length);
    bool ok = put_binary(g, source, bytes + begin, error);
    munmap(bytes, size);
    return ok;
}

static bool describe_and_write(throng_glb *g, throng_export_source *source, throng_output *output, throng_error *error)
{
    char *json = NULL;
    size_t length = 0;
    FILE *text = throng_text_stream(&json, &length);
    if (text)
        throng_glb_describe(text, g);
    bool ok = (text && fclose(text) == 0) || throng_fail(error, "out of memory for its description");
    ok = ok && write_file(g, source, json, length, output, error);
    free(json);
    return ok;
}

bool throng_export_glb(throng_export_source *source, throng_output *output, throng_error *error)
{
    throng_glb g = {.source = source};
    throng_figure_make(&g.figure);
    bool ok = throng_export_tracks_init(&g.tracks, source, error);
    if (ok && g.tracks.moments) {
        ok = g.tracks.count || throng_fail(error, "nobody is there in any of its moments");
        ok = ok && (!source->map || throng_navmesh_triangulate(source->map, 0, &g.plan, error)) &&
             number_meshes(&g, error) && lay_out(&g, error) && describe_and_write(&g, source, output, error);
    }
    throng_export_tracks_fini(&g.tracks);
    free(g.plan.corners);
    free(g.mesh_of);
    return ok;
}
