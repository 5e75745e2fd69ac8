#include "notes_smoke.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/text_stream.h"

enum { POINTS_A_SECOND = 4096, MOST_POINTS = 1 << 24, MOST_BYTES = 64 << 20 };

enum { TIME, COLUMNS, ROWS, X0, Y0, CELL, TAKEN };

static double number(const throng_notes *notes, int32_t row, int32_t column)
{
    return throng_note_number(notes, THRONG_NOTE_SMOKE, row, column);
}

/* ---- written */

static uint8_t taken(float extinction) { return (uint8_t)lround(255 * (1 - exp(-fmax((double)extinction, 0)))); }

static char *packed(const throng_smoke_picture *smoke)
{
    size_t points = (size_t)smoke->columns * (size_t)smoke->rows, size;
    char *text = NULL;
    FILE *file = throng_text_stream(&text, &size);
    if (!file)
        return NULL;
    throng_base64 out = {.file = file};
    for (size_t i = 0; i < points; i++) {
        uint8_t byte = taken(smoke->extinction[i]);
        throng_base64_put(&out, &byte, 1);
    }
    throng_base64_end(&out);
    fclose(file);
    return text;
}

/* Is what was told last too old? */
static bool is_due(const throng_notes *notes, double time, double points)
{
    const throng_note_table *t = &notes->tables[THRONG_NOTE_SMOKE];
    double every = fmax(1, points / POINTS_A_SECOND);
    return t->text_size < MOST_BYTES && (t->rows == 0 || time > number(notes, t->rows - 1, TIME) + every - 1e-6);
}

bool throng_notes_smoke(throng_notes *notes, const throng_world *world, throng_error *error)
{
    throng_smoke_picture smoke = {0};
    throng_point first;
    double time = throng_world_time(world);
    if (!throng_world_smoke_grid(world, &smoke.columns, &smoke.rows, &first, &smoke.cell) ||
        !is_due(notes, time, (double)smoke.columns * smoke.rows))
        return true;
    if (!throng_smoke_take(&smoke, world, error))
        return false;
    char *text = packed(&smoke);
    bool ok = text ? THRONG_NOTE_ADD(notes, THRONG_NOTE_SMOKE, error, {time}, {smoke.columns}, {smoke.rows}, {smoke.x0},
                                     {smoke.y0}, {smoke.cell}, {.text = text})
                   : throng_fail(error, "out of memory for the smoke of a recording");
    free(text);
    throng_smoke_fini(&smoke);
    return ok;
}

/* ---- read back */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static int32_t digits_of(double points) { return (int32_t)(((int64_t)points * 4 + 2) / 3); }

static bool check_row(const throng_notes *notes, int32_t row, throng_error *error)
{
    double columns = number(notes, row, COLUMNS), rows = number(notes, row, ROWS), cell = number(notes, row, CELL);
    bool ok = columns >= 1 && rows >= 1 && columns * rows <= MOST_POINTS && columns == floor(columns) &&
              rows == floor(rows) && isfinite(number(notes, row, TIME)) && fabs(number(notes, row, X0)) < 1e9 &&
              fabs(number(notes, row, Y0)) < 1e9 && cell > 0 && cell < 1e9;
    const char *text = throng_note_text(notes, THRONG_NOTE_SMOKE, row, TAKEN);
    int32_t digits = ok ? digits_of(columns * rows) : 0, at = 0;
    while (at < digits && digit(text[at]) >= 0)
        at++;
    return (ok && at == digits) ||
           throng_fail(error, "the recording is damaged: row %d of its table of smoke makes no sense", row);
}

bool throng_noted_smoke_check(const throng_notes *notes, throng_error *error)
{
    for (int32_t row = 0; row < notes->tables[THRONG_NOTE_SMOKE].rows; row++)
        if (!check_row(notes, row, error))
            return false;
    return true;
}

throng_smoke_picture throng_noted_smoke_of(const throng_notes *notes, int32_t row, double *time, const char **taken,
                                           int32_t *digits)
{
    *time = number(notes, row, TIME);
    *taken = throng_note_text(notes, THRONG_NOTE_SMOKE, row, TAKEN);
    *digits = digits_of(number(notes, row, COLUMNS) * number(notes, row, ROWS));
    return (throng_smoke_picture){.columns = (int32_t)number(notes, row, COLUMNS),
                                  .rows = (int32_t)number(notes, row, ROWS),
                                  .x0 = number(notes, row, X0),
                                  .y0 = number(notes, row, Y0),
                                  .cell = number(notes, row, CELL)};
}

static float extinction_of(const char *text, size_t point)
{
    size_t at = point * 8 / 6, bit = point * 8 % 6; /* where its eight bits begin */
    int byte = (digit(text[at]) << 6 | digit(text[at + 1])) >> (4 - (int)bit) & 255;
    return (float)-log(1 - fmin(byte, 254.5) / 255);
}

bool throng_noted_smoke_at(const throng_notes *notes, double time, throng_smoke_picture *smoke, throng_error *error)
{
    int32_t row = notes->tables[THRONG_NOTE_SMOKE].rows - 1, digits;
    double since;
    const char *text;
    throng_smoke_fini(smoke);
    while (row >= 0 && !(number(notes, row, TIME) <= time))
        row--;
    if (row < 0)
        return true;
    throng_smoke_picture now = throng_noted_smoke_of(notes, row, &since, &text, &digits);
    size_t points = (size_t)now.columns * (size_t)now.rows;
    now.extinction = malloc(points * sizeof *now.extinction);
    if (!now.extinction)
        return throng_fail(error, "out of memory for %zu points of smoke", points);
    for (size_t i = 0; i < points; i++)
        now.extinction[i] = extinction_of(text, i);
    *smoke = now;
    return true;
}
