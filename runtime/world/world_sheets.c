#include "world_sheets.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "map/map_sheets.h"
#include "world_parts.h"

/* m: people near a wall may stand beyond the bounds of their sheet's outline by less than this. */
#define BEYOND 0.5

void throng_world_free_sheets(throng_world *w)
{
    throng_sheets *t = &w->sheets.table;
#define X(type, name, ...) throng_array_abandon((void *)t->name);
    THRONG_SHEETS_ARRAYS(X)
#undef X
    free(w->sheets.x);
    free(w->sheets.y);
}

#define MEMBER(type, name, ...) type *name;
typedef struct sheet_arrays {
    THRONG_SHEETS_ARRAYS(MEMBER)
} sheet_arrays;
#undef MEMBER

static bool allocate(throng_sheets *t, sheet_arrays *a)
{
#define X(type, name, count) t->name = a->name = calloc((size_t)(count) + 1, sizeof(type));
    THRONG_SHEETS_ARRAYS(X)
#undef X
#define X(type, name, count) &&t->name
    return true THRONG_SHEETS_ARRAYS(X);
#undef X
}

static void fill_sheet(const throng_map_sheet *s, int32_t i, sheet_arrays *a)
{
    a->off_x[i] = (float)s->offset.x;
    a->off_y[i] = (float)s->offset.y;
    a->x0[i] = (float)(s->bounds.x0 - BEYOND);
    a->y0[i] = (float)(s->bounds.y0 - BEYOND);
    a->x1[i] = (float)(s->bounds.x1 + BEYOND);
    a->y1[i] = (float)(s->bounds.y1 + BEYOND);
    a->kind[i] = s->kind;
    a->z[i] = (float)(s->z + s->slope.x * (s->bounds.x0 - BEYOND) + s->slope.y * (s->bounds.y0 - BEYOND));
    a->slope_x[i] = (float)s->slope.x;
    a->slope_y[i] = (float)s->slope.y;
    a->up_x[i] = (float)s->up.x;
    a->up_y[i] = (float)s->up.y;
    a->climb[i] = (float)s->climb;
    a->descend[i] = (float)s->descend;
    double slope = hypot(s->slope.x, s->slope.y);
    a->incline[i] = s->kind == THRONG_SHEET_STAIRS && slope > 0 ? (float)(1 / hypot(1, slope)) : 0;
    a->belt[i] = (float)s->belt;
    a->walkers[i] = (float)s->walkers;
}

static void fill_seam(throng_point a, throng_point b, int32_t beyond, sheet_arrays *to, int32_t at)
{
    to->ax[at] = (float)a.x;
    to->ay[at] = (float)a.y;
    to->bx[at] = (float)b.x;
    to->by[at] = (float)b.y;
    to->beyond[at] = beyond;
}

bool throng_world_init_sheets(throng_world *w, throng_error *error)
{
    const throng_map_sheets *s = w->map ? w->map->sheets : NULL;
    throng_sheets *t = &w->sheets.table;
    sheet_arrays a;
    if (!s)
        return true;
    if (w->frame.wrap_x > 0)
        return throng_fail(error, "a building cannot wrap: give the world no `wrap`");
    t->count = s->count;
    t->seams = 2 * s->seam_count;
    if (!allocate(t, &a))
        return throng_fail(error, "out of memory for the floors of %s", w->map->name);
    for (int32_t i = 0, at = 0; i < s->count; i++) {
        fill_sheet(&s->list[i], i, &a);
        a.seam_start[i] = at;
        for (int32_t q = 0; q < s->seam_count; q++) {
            if (s->seams[q].left == i)
                fill_seam(s->seams[q].a, s->seams[q].b, s->seams[q].right, &a, at++);
            if (s->seams[q].right == i)
                fill_seam(s->seams[q].b, s->seams[q].a, s->seams[q].left, &a, at++);
        }
        a.seam_start[i + 1] = at;
    }
    w->sheets.changed = true;
    return throng_agents_use(w->agents, THRONG_COLUMN_BIT(floor), error);
}

void throng_world_set_belt(throng_world *w, int32_t sheet, double speed)
{
    const throng_map_sheets *s = w->map->sheets;
    float *belt = (float *)w->sheets.table.belt; /* ours */
    if (belt[sheet] == (float)speed)
        return;
    for (int32_t i = 0; i < s->count; i++)
        if (s->list[i].part == s->list[sheet].part)
            belt[i] = (float)speed;
    w->sheets.changed = true;
    throng_world_renew_paths(w);
}

double throng_world_belt(const throng_world *w, int32_t sheet) { return (double)w->sheets.table.belt[sheet]; }

bool throng_world_upload_sheets(throng_world *w, throng_error *error)
{
    if (w->sheets.changed && !w->stages.api->set_sheets(w->stages.backend, &w->sheets.table, error))
        return false;
    w->sheets.changed = false;
    return true;
}

bool throng_world_places(throng_world *w, const float **x, const float **y, throng_error *error)
{
    int32_t slots = throng_agents_slots(w->agents);
    *x = throng_agents_read(w->agents, THRONG_COLUMN_x, error);
    *y = throng_agents_read(w->agents, THRONG_COLUMN_y, error);
    if (!*x || !*y || !w->sheets.table.count)
        return *x && *y;
    const int32_t *sheet = throng_agents_read(w->agents, THRONG_COLUMN_floor, error);
    int32_t room = w->sheets.room;
    if (!sheet)
        return false;
    if (!throng_array_reserve((void **)&w->sheets.x, &room, slots, sizeof *w->sheets.x) ||
        !throng_array_reserve((void **)&w->sheets.y, &w->sheets.room, slots, sizeof *w->sheets.y))
        return throng_fail(error, "out of memory for the places of %d agents", slots);
    for (int32_t s = 0; s < slots; s++) {
        throng_point place = throng_sheets_place(&w->sheets.table, sheet[s], (*x)[s], (*y)[s]);
        w->sheets.x[s] = (float)place.x;
        w->sheets.y[s] = (float)place.y;
    }
    *x = w->sheets.x;
    *y = w->sheets.y;
    return true;
}
