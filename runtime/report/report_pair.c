#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_compare.h"
#include "report_parts.h"

/* ---- on one plan */

static bool same_floor(const throng_report_pair *pair, throng_error *error)
{
    throng_map_extra extra[2];
    const char *const *paths = pair->path;
    const throng_map *a = pair->run[0].map, *b = pair->run[1].map;
    if ((!a || !a->ring_count) != (!b || !b->ring_count))
        return throng_fail(error, "'%s' has no plan, and '%s' has one: two runs are compared on the same plan",
                           paths[a && a->ring_count], paths[b && b->ring_count]);
    if (!a || !a->ring_count)
        return true;
    if (!throng_map_compare(a, b, &extra[0], &extra[1], error))
        return false;
    int more = extra[1].area > extra[0].area;
    if (extra[more].area > 0)
        return throng_fail(error,
                           "the plans differ: '%s' has %.4g m² of floor that '%s' does not have, also at (%.2f, %.2f) "
                           "m. Two runs are compared on the same plan; make a report of each",
                           paths[more], extra[more].area, paths[!more], extra[more].at.x, extra[more].at.y);
    return true;
}

/* ---- over the same time */

/* Would nobody who was there at the end have stayed, had the recording gone on? */
static bool emptied(const throng_report *r)
{
    for (int32_t p = 0; p < r->people.count; p++) {
        double arrived = (double)r->noted[p].arrived; /* and stays: it had two frames to leave */
        if (r->people.list[p].last == r->frames - 1 && (!r->facts.everyone || arrived < r->seconds - 1.5 / r->fps))
            return false;
    }
    return true;
}

static throng_report_span span_of(const throng_report_pair *pair)
{
    const throng_report *a = &pair->run[0], *b = &pair->run[1];
    throng_bounds x = a->people.bounds, y = b->people.bounds;
    return (throng_report_span){.bounds = {fmin(x.x0, y.x0), fmin(x.y0, y.y0), fmax(x.x1, y.x1), fmax(x.y1, y.y1)},
                                .seconds = pair->seconds};
}

/* Of runs that last for other times: the longer one's, where the shorter one had let everybody out. */
static double choose_seconds(const throng_report *a, const throng_report *b)
{
    const throng_report *shorter = a->seconds <= b->seconds ? a : b;
    return emptied(shorter) ? fmax(a->seconds, b->seconds) : shorter->seconds;
}

static bool count_both(throng_report_pair *pair, throng_error *error)
{
    for (int k = 0; k < 2; k++)
        if (!throng_report_open(&pair->run[k], pair->path[k], error))
            return false;
    if (!same_floor(pair, error))
        return false;
    pair->seconds = choose_seconds(&pair->run[0], &pair->run[1]);
    throng_report_span span = span_of(pair);
    return throng_report_count(&pair->run[0], &span, error) && throng_report_count(&pair->run[1], &span, error);
}

bool throng_report_compare(const char *first, const char *second, const char *out, throng_error *error)
{
    throng_report_pair *pair = calloc(1, sizeof *pair);
    throng_output *output = NULL;
    if (pair)
        *pair = (throng_report_pair){.path = {first, second}};
    bool ok = pair ? count_both(pair, error) && (output = throng_output_begin(out, error)) != NULL
                   : throng_fail(error, "out of memory for the report");
    if (ok)
        throng_report_pair_page(throng_output_stream(output), pair);
    for (int k = 0; pair && k < 2; k++)
        throng_report_fini(&pair->run[k]);
    free(pair);
    return ok && throng_output_commit(output, error);
}
