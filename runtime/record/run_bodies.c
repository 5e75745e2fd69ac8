#include "run_bodies.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "body_log.h"

static const double STEP = 1e-3; /* m: who has come less far is not told of */

/* Of the body in a slot. */
struct throng_told_body {
    throng_handle handle;
    int32_t number; /* -1: nobody was told of, or it is told to be gone */
    double x, y, angle;
};

void throng_run_bodies_begin(throng_run_bodies *b, const char *folder)
{
    *b = (throng_run_bodies){0};
    throng_run_table_name(&b->table, folder, "bodies.csv");
}

static bool reserve(throng_run_bodies *b, int32_t slots, throng_error *error)
{
    if (!throng_array_reserve((void **)&b->told, &b->room, slots, sizeof *b->told))
        return throng_fail(error, "out of memory for the bodies of '%s'", b->table.path);
    for (; b->slots < slots; b->slots++)
        b->told[b->slots].number = -1;
    return true;
}

/* ---- rows */

static void tell_gone(throng_run_bodies *b, struct throng_told_body *told, double time)
{
    if (told->number >= 0)
        fprintf(b->table.file, "%.9g,%d,,,,\n", time, told->number);
    told->number = -1;
}

static void tell_shape(FILE *file, const throng_body_form *shape)
{
    if (shape->radius > 0)
        fprintf(file, "%.9g", shape->radius);
    for (int32_t i = 0; i < shape->count; i++)
        fprintf(file, "%s%.9g %.9g", i ? " " : "", shape->corner[i].x, shape->corner[i].y);
}

static void tell(throng_run_bodies *b, const throng_bodies *bodies, throng_handle handle, double time)
{
    struct throng_told_body *told = &b->told[handle.slot];
    throng_body body;
    throng_bodies_get(bodies, handle, &body);
    bool fresh = told->number < 0 || told->handle.generation != handle.generation;
    double moved = fresh ? STEP
                         : hypot(body.x - told->x, body.y - told->y) +
                               fabs(body.angle - told->angle) * throng_bodies_reach(bodies, handle.slot);
    if (moved < STEP)
        return;
    if (fresh)
        tell_gone(b, told, time);
    *told = (struct throng_told_body){handle, fresh ? b->numbers++ : told->number, body.x, body.y, body.angle};
    fprintf(b->table.file, "%.9g,%d,%.9g,%.9g,%.9g,", time, told->number, body.x, body.y, body.angle);
    if (fresh) {
        throng_body_form shape = throng_body_form_of(bodies, handle);
        tell_shape(b->table.file, &shape);
    }
    fputc('\n', b->table.file);
}

bool throng_run_bodies_follow(throng_run_bodies *b, const throng_world *world, throng_error *error)
{
    const throng_bodies *bodies = throng_world_bodies(world);
    double time = throng_world_time(world);
    int32_t slots = bodies ? throng_bodies_slots(bodies) : 0;
    bool any = bodies && throng_bodies_count(bodies) > 0;
    if (!*b->table.path || (!b->table.file && !any))
        return true;
    if (!b->table.file && !throng_run_table_begin(&b->table, THRONG_BODY_LOG_HEAD, error))
        return false;
    if (!reserve(b, slots, error))
        return false;
    for (int32_t s = 0; b->restart && s < b->slots; s++)
        tell_gone(b, &b->told[s], time);
    b->restart = false;
    for (int32_t s = 0; s < b->slots; s++) {
        throng_handle handle = s < slots ? throng_bodies_handle(bodies, s) : (throng_handle){.slot = -1};
        if (s < slots && throng_bodies_alive(bodies, handle))
            tell(b, bodies, handle, time);
        else
            tell_gone(b, &b->told[s], time);
    }
    return true;
}

void throng_run_bodies_restart(throng_run_bodies *b) { b->restart = true; }

bool throng_run_bodies_end(throng_run_bodies *b, bool keep, throng_error *error)
{
    free(b->told);
    b->told = NULL;
    b->slots = b->room = 0;
    return throng_run_table_end(&b->table, keep, error);
}
