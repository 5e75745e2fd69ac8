#include "map_clean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 250 }; /* pixels: half of min_gap at most */

/* out = 1 where a pixel with source = 1 is nearer than `reach` pixels (between centres).
 * Columns first: each pixel's distance to the nearest source above or below, capped; then rows. */
static bool spread(const uint8_t *source, uint8_t *out, int32_t width, int32_t height, int32_t reach)
{
    size_t size = (size_t)width * (size_t)height, w = (size_t)width;
    uint8_t *rise = malloc(size);
    if (!rise)
        return false;
    for (size_t i = 0; i < size; i++) {
        int above = i >= w ? rise[i - w] + 1 : 255;
        rise[i] = source[i] ? 0 : (uint8_t)(above < 255 ? above : 255);
    }
    for (size_t i = size - w; i-- > 0;)
        if (rise[i + w] + 1 < rise[i])
            rise[i] = (uint8_t)(rise[i + w] + 1);
    memset(out, 0, size);
    for (int32_t dx = 1 - reach; dx < reach; dx++) {
        int32_t limit = -1; /* the largest dy with dx^2 + dy^2 < reach^2 */
        while ((limit + 1) * (limit + 1) + dx * dx < reach * reach)
            limit++;
        for (int32_t y = 0; y < height; y++)
            for (int32_t x = dx < 0 ? -dx : 0; x < (dx > 0 ? width - dx : width); x++)
                out[(size_t)y * w + (size_t)x] |= rise[(size_t)y * w + (size_t)(x + dx)] <= limit;
    }
    free(rise);
    return true;
}

/* Free pixels that no disc of `reach` reaches, moving in free space, become walls (a morphological
 * opening). An opening of n pixels stays when a disc fits: n >= 2 * reach - 1. */
static bool close_gaps(throng_map_image *image, int32_t reach, int64_t *closed)
{
    size_t size = (size_t)image->width * (size_t)image->height;
    uint8_t *from = calloc(size, 1), *to = calloc(size, 1);
    bool fine = from && to;
    for (size_t i = 0; fine && i < size; i++)
        from[i] = image->pixel[i] != THRONG_PIXEL_FREE;
    fine = fine && spread(from, to, image->width, image->height, reach);
    for (size_t i = 0; fine && i < size; i++)
        from[i] = !to[i];
    fine = fine && spread(from, to, image->width, image->height, reach);
    for (size_t i = 0; fine && i < size; i++)
        if (image->pixel[i] == THRONG_PIXEL_FREE && !to[i]) {
            image->pixel[i] = THRONG_PIXEL_OCCUPIED;
            ++*closed;
        }
    free(from);
    free(to);
    return fine;
}

/* A flood: pixels taken so far, in order. */
typedef struct flood {
    const throng_map_image *image;
    int32_t *mark;  /* [pixels] 0 where nothing was taken */
    int32_t *queue; /* [pixels] */
    int32_t count;
    bool touched_wall; /* an occupied pixel is among them */
} flood;

static void take(flood *f, int32_t at, int32_t mark)
{
    f->mark[at] = mark;
    f->queue[f->count++] = at;
    f->touched_wall |= f->image->pixel[at] == THRONG_PIXEL_OCCUPIED;
}

/* Takes everything connected with `seed` that is free, or not, as the seed is. */
static void run_flood(flood *f, int32_t seed, int32_t mark)
{
    int32_t w = f->image->width, h = f->image->height;
    bool is_free = f->image->pixel[seed] == THRONG_PIXEL_FREE;
    const int32_t dx[8] = {1, 0, -1, 0, 1, -1, -1, 1}, dy[8] = {0, 1, 0, -1, 1, 1, -1, -1};
    f->count = 0;
    f->touched_wall = false;
    take(f, seed, mark);
    for (int32_t k = 0; k < f->count; k++) {
        int32_t x = f->queue[k] % w, y = f->queue[k] / w;
        for (int d = 0; d < (is_free ? 4 : 8); d++) {
            int32_t nx = x + dx[d], ny = y + dy[d], at = ny * w + nx;
            if (nx >= 0 && nx < w && ny >= 0 && ny < h && !f->mark[at] &&
                (f->image->pixel[at] == THRONG_PIXEL_FREE) == is_free)
                take(f, at, mark);
        }
    }
}

/* Obstacles of fewer than `size` pixels become free. Returns how many there were. */
static int32_t remove_specks(throng_map_image *image, flood *f, double size, bool unknown_only)
{
    int32_t pixels = image->width * image->height, removed = 0;
    memset(f->mark, 0, (size_t)pixels * sizeof *f->mark);
    for (int32_t i = 0; i < pixels; i++) {
        if (f->mark[i] || image->pixel[i] == THRONG_PIXEL_FREE)
            continue;
        run_flood(f, i, 1);
        if (f->count >= size || (unknown_only && f->touched_wall))
            continue;
        for (int32_t k = 0; k < f->count; k++)
            image->pixel[f->queue[k]] = THRONG_PIXEL_FREE;
        /* freed pixels keep their mark: they are no seed for another speck */
        removed++;
    }
    return removed;
}

typedef struct area {
    int32_t mark, pixels;
    int32_t inside; /* the pixel taken as the middle one: most often well inside */
} area;

static int by_size(const void *a, const void *b)
{
    const area *p = a, *q = b;
    return p->pixels != q->pixels ? (p->pixels < q->pixels ? 1 : -1) : (p->mark > q->mark) - (p->mark < q->mark);
}

/* Marks every free area, from 1, and lists them, largest first. NULL when memory is out. */
static area *find_areas(const throng_map_image *image, flood *f, int32_t *count)
{
    int32_t pixels = image->width * image->height, room = 0;
    area *areas = malloc(sizeof *areas);
    memset(f->mark, 0, (size_t)pixels * sizeof *f->mark);
    *count = 0;
    for (int32_t i = 0; areas && i < pixels; i++) {
        if (f->mark[i] || image->pixel[i] != THRONG_PIXEL_FREE)
            continue;
        if (*count >= room) {
            room = 2 * room + 64;
            area *grown = realloc(areas, (size_t)room * sizeof *areas);
            if (!grown) {
                free(areas);
                return NULL;
            }
            areas = grown;
        }
        run_flood(f, i, *count + 1);
        areas[*count] = (area){*count + 1, f->count, f->queue[f->count / 2]};
        ++*count;
    }
    if (areas)
        qsort(areas, (size_t)*count, sizeof *areas, by_size);
    return areas;
}

static int32_t count_kept(const area *areas, int32_t count, const throng_map_options *options, double pixel,
                          throng_map_areas *out, int32_t width, throng_map_report *report)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        double size = areas[i].pixels * pixel;
        if (size >= options->min_area && (i == 0 || options->keep_pockets)) {
            kept++;
        } else if (size >= options->min_area) {
            out->pockets[report->pockets++] =
                (throng_map_pocket){areas[i].inside % width, areas[i].inside / width, areas[i].pixels};
            report->pocket_area += size;
        } else {
            report->scraps++;
            report->scrap_area += size;
        }
    }
    return kept;
}

/* Marks become labels: 0 for the largest area, -1 for what is left out. */
static bool relabel(flood *f, int32_t pixels, const area *areas, int32_t count, int32_t kept)
{
    int32_t *label = malloc(((size_t)count + 1) * sizeof *label);
    if (!label)
        return false;
    label[0] = -1;
    for (int32_t i = 0; i < count; i++)
        label[areas[i].mark] = i < kept ? i : -1;
    for (int32_t i = 0; i < pixels; i++)
        f->mark[i] = label[f->mark[i]];
    free(label);
    return true;
}

static bool keep_areas(flood *f, const char *name, const throng_map_options *options, double pixel,
                       throng_map_areas *areas, throng_map_report *report, throng_error *error)
{
    int32_t count, pixels = f->image->width * f->image->height;
    area *found = find_areas(f->image, f, &count);
    throng_map_pocket *pockets = malloc(((size_t)count + 1) * sizeof *pockets);
    if (!found || !pockets) {
        free(found);
        free(pockets);
        return throng_fail(error, "%s: out of memory", name);
    }
    *areas =
        (throng_map_areas){.width = f->image->width, .height = f->image->height, .label = f->mark, .pockets = pockets};
    int32_t kept = count_kept(found, count, options, pixel, areas, f->image->width, report);
    areas->pocket_count = report->pockets;
    bool fine = kept > 0 && relabel(f, pixels, found, count, kept);
    if (kept == 0 && count == 0)
        throng_fail(error,
                    "%s: no free space is left: every opening is narrower than min_gap (%g m); is the "
                    "resolution right?",
                    name, options->min_gap);
    else if (kept == 0)
        throng_fail(error,
                    "%s: no free space is left: the largest free area has %.3g m2, less than min_area "
                    "(%g m2); is the resolution right?",
                    name, found[0].pixels * pixel, options->min_area);
    else if (!fine)
        throng_fail(error, "%s: out of memory", name);
    free(found);
    areas->count = kept;
    return fine;
}

static bool clean(throng_map_image *image, flood *f, const char *name, const throng_map_options *options,
                  double resolution, throng_map_areas *areas, throng_map_report *report, throng_error *error)
{
    double pixel = resolution * resolution, reach = ceil(options->min_gap / resolution / 2);
    int64_t closed = 0;
    report->specks = remove_specks(image, f, options->speck / pixel, true);
    /* a disc of one pixel closes nothing */
    if (reach > 1 && !close_gaps(image, (int32_t)fmin(reach, WIDEST), &closed))
        return throng_fail(error, "%s: out of memory", name);
    report->closed_area = (double)closed * pixel;
    report->specks += remove_specks(image, f, options->speck / pixel, false);
    return keep_areas(f, name, options, pixel, areas, report, error);
}

static bool any_free(const throng_map_image *image, int32_t *occupied)
{
    bool found = false;
    *occupied = 0;
    for (int32_t i = 0; i < image->width * image->height; i++) {
        found |= image->pixel[i] == THRONG_PIXEL_FREE;
        *occupied += image->pixel[i] == THRONG_PIXEL_OCCUPIED;
    }
    return found;
}

bool throng_map_clean(throng_map_image *image, const char *name, const throng_map_options *options, double resolution,
                      throng_map_areas *areas, throng_map_report *report, throng_error *error)
{
    size_t pixels = (size_t)image->width * (size_t)image->height;
    int32_t occupied;
    if (!any_free(image, &occupied))
        return throng_fail(error,
                           "%s: no pixel is free: %s; if dark means free, set negate: 1 in the YAML, else "
                           "check free_thresh",
                           name, (size_t)occupied == pixels ? "all are walls" : "all are walls or unknown");
    flood f = {.image = image};
    f.mark = malloc(pixels * sizeof *f.mark);
    f.queue = malloc(pixels * sizeof *f.queue);
    bool fine = f.mark && f.queue ? clean(image, &f, name, options, resolution, areas, report, error)
                                  : throng_fail(error, "%s: out of memory", name);
    free(f.queue);
    if (!fine) {
        free(f.mark);
        free(areas->pockets);
        *areas = (throng_map_areas){0};
    }
    return fine;
}

bool throng_map_areas_all(const throng_map_image *image, double least, throng_map_areas *areas)
{
    size_t pixels = (size_t)image->width * (size_t)image->height;
    int32_t count = 0;
    flood f = {.image = image, .mark = malloc(pixels * sizeof *f.mark), .queue = malloc(pixels * sizeof *f.queue)};
    area *found = f.mark && f.queue ? find_areas(image, &f, &count) : NULL;
    int32_t kept = 0;
    while (found && kept < count && found[kept].pixels >= least)
        kept++;
    bool fine = found && relabel(&f, (int32_t)pixels, found, count, kept);
    free(found);
    free(f.queue);
    if (!fine)
        free(f.mark);
    else
        *areas = (throng_map_areas){.width = image->width, .height = image->height, .label = f.mark, .count = kept};
    return fine;
}

void throng_map_areas_fini(throng_map_areas *areas)
{
    free(areas->label);
    free(areas->pockets);
    *areas = (throng_map_areas){0};
}
