/* Recordings of buildings as positions: floors are recorded side by side, and the plan has them over each other. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/suggest.h"
#include "notes_sheets.h"
#include "recording_format.h"

struct throng_recording_plan {
    char *floor; /* who is elsewhere is left out; NULL: nobody is */
    throng_notes notes;
    throng_noted_columns columns;
    int32_t *id, room; /* of those who are not left out: a format may keep its own from frame to frame */
};

static const char *name_of(const throng_recording_plan *plan, int32_t floor)
{
    return floor < 0 ? NULL : throng_note_text(&plan->notes, THRONG_NOTE_FLOOR, floor, 0);
}

/* "a, b, c", a flight of two halves once. */
static void list_floors(const throng_recording_plan *plan, char *text, size_t size)
{
    const char *names[64] = {NULL};
    int count = 0;
    for (int32_t f = 0; f < plan->notes.tables[THRONG_NOTE_FLOOR].rows && count < 63; f++)
        if (count == 0 || strcmp(names[count - 1], name_of(plan, f)) != 0)
            names[count++] = name_of(plan, f);
    throng_list_names(text, size, names);
}

static bool check_floor(const throng_recording *r, const char *floor, throng_error *error)
{
    char names[600];
    if (r->plan->columns.sheet_at < 0)
        return throng_fail(error, "'%s' has no floor '%s': it is of no building", r->path, floor);
    for (int32_t f = 0; f < r->plan->notes.tables[THRONG_NOTE_FLOOR].rows; f++)
        if (strcmp(name_of(r->plan, f), floor) == 0)
            return true;
    list_floors(r->plan, names, sizeof names);
    return throng_fail(error, "'%s' has no floor '%s'; expected one of: %s", r->path, floor, names);
}

bool throng_recording_plan_init(throng_recording *r, const char *floor, throng_error *error)
{
    r->plan = calloc(1, sizeof *r->plan);
    if (!r->plan || (floor && !(r->plan->floor = strdup(floor))))
        return throng_fail(error, "out of memory for '%s'", r->path);
    if (!r->format->notes(r, &r->plan->notes, error))
        return false;
    r->plan->columns = throng_noted_columns_of(&r->plan->notes, &r->own_columns);
    return !floor || check_floor(r, floor, error);
}

void throng_recording_plan_fini(throng_recording *r)
{
    if (!r->plan)
        return;
    throng_notes_fini(&r->plan->notes);
    free(r->plan->floor);
    free(r->plan->id);
    free(r->plan);
}

static int32_t floor_of(const throng_recording_plan *plan, const throng_record_frame *frame, int32_t i)
{
    return throng_noted_floor_of(&plan->notes, &plan->columns, frame, i);
}

/* Agent i of the frame becomes number `to` of it, which is not later. */
static void lay(throng_recording *r, int32_t i, int32_t to, int32_t floor)
{
    throng_point place = {(double)r->x[i], (double)r->y[i]};
    throng_noted_spot at = throng_noted_spot_of(&r->plan->notes, floor, place);
    r->plan->id[to] = r->id[i];
    r->x[to] = (float)at.x;
    r->y[to] = (float)at.y;
    r->hx[to] = r->hx[i];
    r->hy[to] = r->hy[i];
    for (int32_t k = 0; k < r->own_columns.count; k++)
        r->own[k][to] = r->own[k][i];
}

bool throng_recording_lay(throng_recording *r, throng_record_frame *frame, throng_error *error)
{
    throng_recording_plan *plan = r->plan;
    int32_t count = 0;
    if (!plan || plan->columns.sheet_at < 0)
        return true;
    if (!throng_array_reserve((void **)&plan->id, &plan->room, frame->count, sizeof *plan->id))
        return throng_fail(error, "out of memory for %d agents of '%s'", frame->count, r->path);
    for (int32_t i = 0; i < frame->count; i++) {
        int32_t floor = floor_of(plan, frame, i);
        const char *name = name_of(plan, floor);
        if (!plan->floor || (name && strcmp(name, plan->floor) == 0))
            lay(r, i, count++, floor);
    }
    frame->count = count;
    frame->id = plan->id;
    return true;
}

const char *throng_recording_floor(const throng_recording *r, const throng_record_frame *frame, int32_t i)
{
    return r->plan && !r->plan->floor ? name_of(r->plan, floor_of(r->plan, frame, i)) : NULL;
}

bool throng_recording_is_plane(const throng_recording *r, throng_error *error)
{
    char names[600];
    if (!r->plan || r->plan->floor || r->plan->columns.sheet_at < 0)
        return true;
    list_floors(r->plan, names, sizeof names);
    return throng_fail(error,
                       "'%s' is of a building, whose floors lie over each other; give one, throng.trajectory { file = "
                       "\"...\", floor = \"%s\" }; it has %s",
                       r->path, name_of(r->plan, 0), names);
}
