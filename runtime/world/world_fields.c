/* Fields of goals, flattened for the backend. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "world_parts.h"

enum { CELLS_MAX = 1 << 30 };

void throng_world_free_fields(throng_fields *t)
{
#define X(type, name, count) throng_array_abandon((void *)t->name);
    THRONG_FIELDS_ARRAYS(X)
#undef X
    *t = (throng_fields){0};
}

static bool allocate(throng_fields *t)
{
#define X(type, name, count) &&(t->name = calloc((size_t)(count) + 1, sizeof(type)))
    return true THRONG_FIELDS_ARRAYS(X);
#undef X
}

static void flatten(throng_fields *to, int32_t at, int32_t base, const throng_field *f)
{
    size_t cells = (size_t)f->columns * (size_t)f->rows;
    ((float *)to->x)[at] = (float)f->origin_x;
    ((float *)to->y)[at] = (float)f->origin_y;
    ((float *)to->cell)[at] = (float)f->cell;
    ((int32_t *)to->columns)[at] = f->columns;
    ((int32_t *)to->rows)[at] = f->rows;
    ((int32_t *)to->base)[at] = base;
    memcpy((float *)to->direction_x + base, f->x, cells * 4);
    memcpy((float *)to->direction_y + base, f->y, cells * 4);
    memcpy((float *)to->aim + base, f->aim, cells * 4);
}

bool throng_world_flatten_fields(const throng_world *w, throng_fields *fields, throng_error *error)
{
    throng_fields f = {0};
    int64_t cells = 0;
    for (int32_t g = 0; g < w->routing.goal_count; g++)
        if (w->routing.goals[g].field) {
            f.count++;
            cells += (int64_t)w->routing.goals[g].field->columns * w->routing.goals[g].field->rows;
        }
    if (cells > CELLS_MAX)
        return throng_fail(error,
                           "the fields of %d goals have more than %d cells; send agents to fewer different goals",
                           f.count, CELLS_MAX);
    f.cells = (int32_t)cells;
    if (!allocate(&f)) {
        throng_world_free_fields(&f);
        return throng_fail(error, "out of memory for the fields of %d goals", f.count);
    }
    for (int32_t g = 0, at = 0, base = 0; g < w->routing.goal_count; g++) {
        const throng_field *one = w->routing.goals[g].field;
        if (!one)
            continue;
        flatten(&f, at++, base, one);
        base += one->columns * one->rows;
    }
    *fields = f;
    return true;
}
