#include "body_log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run_table.h"

void throng_body_log_fini(throng_body_log *log)
{
    free(log->moves);
    free(log->shapes);
    free(log->at);
    *log = (throng_body_log){0};
}

/* ---- rows */

/* "x y x y ...", or a radius alone. */
static bool read_shape(const char *text, throng_body_form *shape)
{
    double number[2 * THRONG_BODY_CORNERS];
    int32_t count = 0;
    char *end;
    *shape = (throng_body_form){0};
    for (; *(text += strspn(text, " \r\n")); text = end) {
        if (count == 2 * THRONG_BODY_CORNERS)
            return false;
        number[count] = strtod(text, &end);
        if (end == text || !isfinite(number[count++]))
            return false;
    }
    if (count == 1)
        shape->radius = number[0];
    else if (count < 6 || count % 2)
        return false;
    for (; 2 * shape->count + 1 < count; shape->count++)
        shape->corner[shape->count] = (throng_point){number[2 * shape->count], number[2 * shape->count + 1]};
    return count > 1 || shape->radius > 0;
}

static bool add_body(throng_body_log *log, const throng_body_form *shape, throng_error *error)
{
    if (!throng_array_reserve((void **)&log->shapes, &log->body_room, (int64_t)log->bodies + 1, sizeof *log->shapes))
        return throng_fail(error, "out of memory for %d bodies", log->bodies + 1);
    log->shapes[log->bodies++] = *shape;
    return true;
}

/* `*body`: its number, not looked at yet; `*shape`: where that field begins. */
static bool read_move(const char *line, throng_body_move *move, double *body, const char **shape)
{
    int at = 0,
        fields = sscanf(line, "%lf,%lf,%lf,%lf,%lf,%n", &move->time, body, &move->x, &move->y, &move->angle, &at);
    bool gone = fields == 2 && sscanf(line, "%*f,%*f,,,,%n", &at) == 0 && at > 0;
    move->gone = gone;
    *shape = line + at;
    return at > 0 && isfinite(move->time) &&
           (gone || (fields == 5 && isfinite(move->x) && isfinite(move->y) && isfinite(move->angle)));
}

static bool read_row(void *context, const char *line, throng_error *error)
{
    throng_body_log *log = context;
    throng_body_move move;
    throng_body_form shape;
    const char *rest;
    double body;
    if (!read_move(line, &move, &body, &rest))
        return throng_fail(error, "expected %.*s", (int)sizeof THRONG_BODY_LOG_HEAD - 2, THRONG_BODY_LOG_HEAD);
    if (log->count > 0 && move.time < log->moves[log->count - 1].time)
        return throng_fail(error, "rows are in order of time, and this one is earlier than the one before");
    if (!(body >= 0 && body <= log->bodies - move.gone && body == floor(body)))
        return throng_fail(error, "body %.15g has no row with its shape", body);
    move.body = (int32_t)body;
    if (move.body == log->bodies && !read_shape(rest, &shape))
        return throng_fail(error, "the first row of a body ends in its shape: its corners, \"x y x y x y ...\", or "
                                  "the radius of a circle");
    if (move.body == log->bodies && !add_body(log, &shape, error))
        return false;
    if (!throng_array_reserve((void **)&log->moves, &log->room, (int64_t)log->count + 1, sizeof *log->moves))
        return throng_fail(error, "out of memory for %d rows", log->count + 1);
    log->moves[log->count++] = move;
    return true;
}

static bool reserve_places(throng_body_log *log, throng_error *error)
{
    log->at = malloc(((size_t)log->bodies + 1) * sizeof *log->at);
    for (int32_t b = 0; log->at && b < log->bodies; b++)
        log->at[b] = -1;
    return log->at || throng_fail(error, "out of memory for %d bodies", log->bodies);
}

bool throng_body_log_read(const char *recording, throng_body_log *log, throng_error *error)
{
    *log = (throng_body_log){0};
    if (throng_run_table_read(recording, "bodies.csv", THRONG_BODY_LOG_HEAD, read_row, log, error) &&
        reserve_places(log, error))
        return true;
    throng_body_log_fini(log);
    return false;
}

/* ---- one moment */

/* Back in time, the rows are gone through from the first one on. */
static void go_to(throng_body_log *log, double time)
{
    if (log->next > 0 && log->moves[log->next - 1].time > time) {
        log->next = 0;
        for (int32_t b = 0; b < log->bodies; b++)
            log->at[b] = -1;
    }
    for (; log->next < log->count && log->moves[log->next].time <= time; log->next++)
        log->at[log->moves[log->next].body] = log->moves[log->next].gone ? -1 : log->next;
}

bool throng_body_log_show(throng_body_log *log, double time, throng_body_outlines *outlines, throng_error *error)
{
    throng_body_outlines_clear(outlines);
    go_to(log, time + THRONG_RUN_TABLE_TIME * (1 + time));
    for (int32_t b = 0; b < log->bodies; b++) {
        const throng_body_move *m = log->at[b] < 0 ? NULL : &log->moves[log->at[b]];
        if (m && !throng_body_outlines_add(outlines, &log->shapes[b], m->x, m->y, m->angle, error))
            return false;
    }
    return true;
}
