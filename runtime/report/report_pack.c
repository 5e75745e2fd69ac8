#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_parts.h"

/* Of all packed places: with base64 a third more of text. Beyond, frames are left out. A place takes about 2.2. */
static const double MOST_BYTES = 24e6, PLACE_BYTES = 2.2;

/* Quanta a metre: a centimetre, less in worlds of a few metres; more where 28 bits would not reach across, or 30 would
 * not reach there. */
static double choose_unit(double across, double farthest)
{
    double unit = 100;
    while (across * unit < 500 && unit < 1e6)
        unit *= 10;
    while (across * unit > 1 << 28 || farthest * unit > 1 << 30)
        unit /= 10;
    return unit;
}

bool throng_report_pack_init(throng_report_pack *pack, const throng_report_people *people, throng_error *error)
{
    const throng_bounds *b = &people->bounds;
    size_t count = (size_t)people->count + 1;
    *pack = (throng_report_pack){.unit = 100};
    if (people->count > 0) {
        double farthest = fmax(fmax(fabs(b->x0), fabs(b->x1)), fmax(fabs(b->y0), fabs(b->y1)));
        pack->unit = choose_unit(fmax(b->x1 - b->x0, b->y1 - b->y0), farthest);
        pack->x0 = (int32_t)floor(b->x0 * pack->unit);
        pack->y0 = (int32_t)floor(b->y0 * pack->unit);
    }
    pack->every = (int32_t)fmax(1, ceil((double)people->places * PLACE_BYTES / MOST_BYTES));
    pack->seen = calloc(count, sizeof *pack->seen);
    pack->now = calloc(count, sizeof *pack->now);
    pack->x = calloc(count, sizeof *pack->x);
    pack->y = calloc(count, sizeof *pack->y);
    pack->vx = calloc(count, sizeof *pack->vx);
    pack->vy = calloc(count, sizeof *pack->vy);
    return (pack->seen && pack->now && pack->x && pack->y && pack->vx && pack->vy) ||
           throng_fail(error, "out of memory for the places of %d agents", people->count);
}

void throng_report_pack_fini(throng_report_pack *pack)
{
    free(pack->bytes.list);
    free(pack->seen);
    free(pack->now);
    free(pack->x);
    free(pack->y);
    free(pack->vx);
    free(pack->vy);
}

/* How many people are of a kind, and which: each as the distance to the one before. */
static void add_people(throng_report_pack *pack, int32_t people, bool was, bool is)
{
    uint32_t count = 0;
    int32_t before = 0;
    for (int32_t p = 0; p < people; p++)
        count += (pack->seen[p] != 0) == was && (pack->now[p] != 0) == is;
    throng_report_add(&pack->bytes, count);
    for (int32_t p = 0; p < people && count; p++)
        if ((pack->seen[p] != 0) == was && (pack->now[p] != 0) == is) {
            throng_report_add(&pack->bytes, (uint32_t)(p - before));
            before = p;
            count--;
        }
}

/* What it differs by from where it would be if it walked on. */
static void add_place(throng_report_bytes *bytes, int32_t at, int32_t *was, int32_t *came, int seen)
{
    int32_t expected = seen == 0 ? 0 : seen == 1 ? *was : *was + *came;
    throng_report_add_signed(bytes, at - expected);
    *came = at - *was;
    *was = at;
}

bool throng_report_pack_frame(throng_report_pack *pack, const throng_report_walk *walk, int32_t people,
                              throng_error *error)
{
    memset(pack->now, 0, (size_t)people);
    for (int32_t i = 0; i < walk->count; i++)
        pack->now[walk->person[i]] = 1;
    add_people(pack, people, true, false);
    add_people(pack, people, false, true);
    for (int32_t p = 0; p < people; p++) {
        if (pack->now[p]) {
            int32_t x = (int32_t)floor(walk->to[p].x * pack->unit + 0.5) - pack->x0;
            int32_t y = (int32_t)floor(walk->to[p].y * pack->unit + 0.5) - pack->y0;
            add_place(&pack->bytes, x, &pack->x[p], &pack->vx[p], pack->seen[p]);
            add_place(&pack->bytes, y, &pack->y[p], &pack->vy[p], pack->seen[p]);
        }
        pack->seen[p] = pack->now[p] ? (pack->seen[p] ? 2 : 1) : 0;
    }
    pack->frames++;
    return !pack->bytes.failed || throng_fail(error, "out of memory for the places of %d agents", people);
}
