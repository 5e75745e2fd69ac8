/* Builds the map of a building of several floors, each a map of its own, with the flights between them. */
#ifndef THRONG_BUILDING_H
#define THRONG_BUILDING_H

#include "map_sheets.h"

extern const char *const throng_sheet_kinds[THRONG_SHEET_KINDS]; /* "stairs", ... */

/* m: sheets that meet may differ so much in height. */
#define THRONG_SEAM_STEP 0.05

typedef struct throng_floor_plan {
    const char *name;
    const throng_map *map; /* not an open one */
    double z;              /* m */
    int32_t landing;       /* it is that of the switchback of this number, from 1; 0: of none */
} throng_floor_plan;

/* A straight flight from one floor up to another, or a level one: a rectangle of the plan, which is cut out of both
 * floors. */
typedef struct throng_flight_plan {
    throng_sheet_kind kind;
    const char *name;
    int32_t from, to;      /* floors; `to` is not the lower one */
    throng_point at;       /* m: the middle of its foot */
    double direction;      /* rad: which way it leads from there, on the plan */
    double length, width;  /* m: on the plan; width: between the handrails */
    double climb, descend; /* what of their speed people keep; on the plan. NAN: by the slope */
    double cost;           /* m: what paths count beside its length; below 0: by the time it takes */
    double belt;           /* m/s: how fast it carries people up, along the slope; below 0: down */
    double walkers;        /* see throng_map_sheet */
    double rise;           /* m: what it is said to climb; NAN: nothing is said */
    int32_t switchback;    /* that it is part of, from 1; 0: none */
    const char *whole;     /* the name of that */
    const char *where;     /* it is drawn, for messages; NULL: nothing more is said */
} throng_flight_plan;

/* A lift: its car is a rectangle of the plan, which is cut out of the floors that it serves. */
typedef struct throng_lift_plan {
    const char *name;
    const int32_t *floors; /* those that it serves, ascending */
    int32_t count;         /* 2 or more */
    throng_map_lift lift;  /* but for its stops */
    const char *where;     /* as a flight's */
} throng_lift_plan;

typedef struct throng_building_plan {
    const throng_floor_plan *floors; /* the lowest first */
    const throng_flight_plan *flights;
    const throng_lift_plan *lifts;
    int32_t floor_count, flight_count, lift_count;
} throng_building_plan;

/* m: what a person takes of the width and the depth of a car. */
#define THRONG_LIFT_PERSON 0.5

/* A flight of that kind with what stands for settings that are missing. Belts do not run. */
throng_flight_plan throng_flight_plan_default(throng_sheet_kind kind);

/* A lift with what stands for settings that are missing, nowhere. */
throng_map_lift throng_lift_default(void);

/* Turns a flight into the lower one of a switchback, number `switchback` of the building, and makes the upper one: on
 * its left, or right, going up; both are of half the rise. What is left to the caller: their names and `whole`, and the
 * landing between them, a floor whose outline is written to `landing` [5], `depth` metres deep. */
void throng_flight_turn_back(throng_flight_plan *lower, throng_flight_plan *upper, int32_t switchback, bool left,
                             double depth, throng_point landing[5]);

/* A switchback, two flights and the landing between them, is cut out as a whole of the floors that it joins.
 *
 * Regions and doors are those of the floors, named "floor/name"; regions keep their own name, too, as that of a group
 * (throng_region), so that one name stands for those of all floors. Each floor and each flight is a region of its own
 * name; a lift's car is a region "floor/lift" of each floor that it serves, and has a door of that name there. NULL and
 * a message that names the floor, the flight or the lift when a floor is open or a building, a flight leads down, is
 * shorter than 1 m, or climbs something else than is said by more than THRONG_SEAM_STEP, or floor does not begin along
 * the whole of its foot or its head, or of a lift's door, or a lift has no room for whom it holds, or serves two floors
 * of one height. Findings of the floors are the map's, too, at their places. */
throng_map *throng_map_build_building(const char *name, const throng_building_plan *plan, throng_error *error);

#endif
