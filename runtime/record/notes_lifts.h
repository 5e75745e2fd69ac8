/* What the lifts and the belts of a building did, in notes. */
#ifndef THRONG_NOTES_LIFTS_H
#define THRONG_NOTES_LIFTS_H

#include "map/map_sheets.h"
#include "notes.h"
#include "picture/picture.h"
#include "world/world.h"

/* What was told last of each. All zero before its first use. */
typedef struct throng_told_lifts {
    throng_lift_state *cars;      /* [lifts] */
    double *belts;                /* [sheets] m/s; NULL: nothing was told yet */
    int32_t lifts, stops, sheets; /* of the map that the run began with */
} throng_told_lifts;

/* What is not as it was told last; nothing of a map with other lifts or floors, which a reload made. */
bool throng_notes_lifts(throng_notes *notes, throng_told_lifts *told, const throng_world *world, throng_error *error);
void throng_told_lifts_fini(throng_told_lifts *told);

/* Read back, in order of time. */
typedef struct throng_noted_car {
    double time; /* s */
    int32_t lift;
    throng_lift_state state; /* but for its direction */
} throng_noted_car;

/* The caller frees the list; NULL: nobody knows. False and a message when it tells of no lift of the map's sheets. */
bool throng_notes_cars(const throng_notes *notes, const throng_map *map, throng_noted_car **cars, int32_t *count,
                       throng_error *error);

/* As pictures show it. */
throng_plan_car throng_car_of(const throng_map_sheets *sheets, int32_t lift, const throng_lift_state *state);

/* m/s: how fast the belt of a sheet was at a time; `told`: as the run began. */
double throng_notes_belt_at(const throng_notes *notes, int32_t sheet, double told, double time);

#endif
