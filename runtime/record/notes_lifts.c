#include "notes_lifts.h"

#include <math.h>
#include <stdlib.h>

/* ---- written */

void throng_told_lifts_fini(throng_told_lifts *told)
{
    free(told->cars);
    free(told->belts);
    *told = (throng_told_lifts){0};
}

/* As the map has them: nothing is told of lifts yet, and belts are as in the notes of sheets. */
static bool begin(throng_told_lifts *told, const throng_map_sheets *s, throng_error *error)
{
    told->lifts = s->lift_count;
    told->stops = s->stop_count;
    told->sheets = s->count;
    told->cars = calloc((size_t)s->lift_count + 1, sizeof *told->cars);
    told->belts = malloc((size_t)s->count * sizeof *told->belts);
    if (!told->cars || !told->belts)
        return throng_fail(error, "out of memory for %d lifts", s->lift_count);
    for (int32_t l = 0; l < s->lift_count; l++)
        told->cars[l].stop = -1;
    for (int32_t i = 0; i < s->count; i++)
        told->belts[i] = s->list[i].belt;
    return true;
}

static bool is_as_told(const throng_lift_state *a, const throng_lift_state *b)
{
    return a->stop == b->stop && a->z == b->z && a->speed == b->speed && a->phase == b->phase &&
           a->riders == b->riders && a->in_service == b->in_service;
}

bool throng_notes_lifts(throng_notes *notes, throng_told_lifts *told, const throng_world *world, throng_error *error)
{
    const throng_map_sheets *s = throng_world_map(world) ? throng_world_map(world)->sheets : NULL;
    double time = throng_world_time(world);
    if (s && !told->belts && !begin(told, s, error))
        return false;
    if (!s || s->lift_count != told->lifts || s->stop_count != told->stops || s->count != told->sheets)
        return true;
    for (int32_t l = 0; l < s->lift_count; l++) {
        throng_lift_state now = throng_world_lift(world, l);
        if (!is_as_told(&now, &told->cars[l]) &&
            !THRONG_NOTE_ADD(notes, THRONG_NOTE_CAR, error, {time}, {l}, {now.z}, {now.speed}, {now.stop}, {now.phase},
                             {now.riders}, {now.in_service}))
            return false;
        told->cars[l] = now;
    }
    for (int32_t i = 0; i < s->count; i++) {
        double now = s->list[i].flight ? throng_world_belt(world, i) : told->belts[i];
        if (fabs(now - told->belts[i]) > 1e-6 && !THRONG_NOTE_ADD(notes, THRONG_NOTE_BELT, error, {time}, {i}, {now}))
            return false;
        told->belts[i] = now;
    }
    return true;
}

throng_plan_car throng_car_of(const throng_map_sheets *s, int32_t lift, const throng_lift_state *state)
{
    bool moves = state->phase == THRONG_LIFT_MOVING;
    return (throng_plan_car){.stop = moves ? throng_lift_stop_below(s, lift, state->z) : state->stop,
                             .going = !moves             ? 0
                                      : state->speed < 0 ? -1
                                                         : 1,
                             .riders = state->riders,
                             .in_service = state->in_service};
}

/* ---- read back */

static bool read_car(const throng_notes *notes, int32_t row, const throng_map_sheets *s, throng_noted_car *car)
{
    double c[8];
    bool finite = true;
    for (int32_t k = 0; k < 8; k++) {
        c[k] = throng_note_number(notes, THRONG_NOTE_CAR, row, k);
        finite = finite && fabs(c[k]) < 1e9;
    }
    if (!finite || !(c[1] >= 0 && c[1] < s->lift_count && c[4] >= 0 && c[4] < s->stop_count) ||
        s->stops[(int32_t)c[4]].lift != (int32_t)c[1] || !(c[5] >= 0 && c[5] <= THRONG_LIFT_MOVING))
        return false;
    *car = (throng_noted_car){.time = c[0],
                              .lift = (int32_t)c[1],
                              .state = {.z = c[2],
                                        .speed = c[3],
                                        .stop = (int32_t)c[4],
                                        .phase = (throng_lift_phase)c[5],
                                        .riders = (int32_t)c[6],
                                        .in_service = c[7] > 0}};
    return true;
}

bool throng_notes_cars(const throng_notes *notes, const throng_map *map, throng_noted_car **cars, int32_t *count,
                       throng_error *error)
{
    *count = map && map->sheets ? notes->tables[THRONG_NOTE_CAR].rows : 0;
    *cars = *count ? malloc((size_t)*count * sizeof **cars) : NULL;
    if (*count && !*cars)
        return throng_fail(error, "out of memory for %d rows of lifts", *count);
    for (int32_t i = 0; i < *count; i++)
        if (!read_car(notes, i, map->sheets, &(*cars)[i]) || (i && (*cars)[i].time < (*cars)[i - 1].time)) {
            free(*cars);
            *cars = NULL;
            return throng_fail(error,
                               "the recording is damaged: row %d of its table of cars is of no lift, or not in "
                               "order of time",
                               i);
        }
    return true;
}

double throng_notes_belt_at(const throng_notes *notes, int32_t sheet, double told, double time)
{
    double speed = told;
    for (int32_t i = 0; i < notes->tables[THRONG_NOTE_BELT].rows; i++) {
        double now = throng_note_number(notes, THRONG_NOTE_BELT, i, 2);
        if (throng_note_number(notes, THRONG_NOTE_BELT, i, 1) == sheet && isfinite(now) &&
            throng_note_number(notes, THRONG_NOTE_BELT, i, 0) <= time)
            speed = now;
    }
    return speed;
}
