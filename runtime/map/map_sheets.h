/* The sheets of a building's map: floors, and flights (of stairs, ramps, escalators) between them.
 *
 * Sheets may lie over each other. A position on one is that on the building's plan; its place on the map is the
 * position and the sheet's offset, which lays floors and flights out side by side, so that all that is done with a map
 * (regions, doors, drawing, asking what is free) is done with one of a single plane. The first floor's offset is 0.
 *
 * A flight is two sheets, a lower and an upper half. So who is on a floor is joined to the half of a flight that begins
 * there, and not to what lies above it.
 *
 * A lift has a sheet for each floor that it serves: its car while it stands there, joined to that floor alone, with a
 * door of the map just behind the seam. Who rides goes from one of them to another, at the same position. */
#ifndef THRONG_MAP_SHEETS_H
#define THRONG_MAP_SHEETS_H

#include "map.h"

enum { THRONG_BELT_MOST = 3 }; /* m/s: speed of escalators and walkways */

/* m: parts are laid out so far from each other, at least. */
#define THRONG_PARTS_APART 8

typedef enum throng_sheet_kind {
    THRONG_SHEET_FLOOR,
    THRONG_SHEET_STAIRS,
    THRONG_SHEET_RAMP,
    THRONG_SHEET_ESCALATOR,
    THRONG_SHEET_WALKWAY,
    THRONG_SHEET_LIFT,
    THRONG_SHEET_LANDING,
    THRONG_SHEET_KINDS
} throng_sheet_kind;

typedef struct throng_map_sheet {
    char *name;   /* the floor's, or the flight's */
    int32_t part; /* sheets of one part are one piece of the map: a floor, or both halves of a flight */
    throng_sheet_kind kind;
    bool flight;           /* it is half of one */
    throng_point offset;   /* m: place less position; whole numbers */
    throng_bounds bounds;  /* of its positions, m */
    double z;              /* m: height at (0, 0) */
    throng_point slope;    /* m: what z gains in a metre along x, and along y */
    throng_point up;       /* the direction that climbs, a unit vector; (0, 0): it is level */
    double length;         /* m: of half a flight, on the plan */
    throng_point foot;     /* m: of the whole flight, on the plan, as it was given; */
    throng_point head;     /* and where it ends */
    double width;          /* m */
    double cost;           /* m: what paths count beside it; below 0: by the time it takes */
    double climb, descend; /* what of their speed people keep, up and down; measured on the plan */
    double belt;           /* m/s: it carries people in the direction that climbs; below 0: the other way */
    double walkers;        /* share of people who walk on the belt; the others stand */
} throng_map_sheet;

/* Where two sheets meet: `left` is on the left of a -> b, by positions; `right` is further up. */
typedef struct throng_seam {
    int32_t left, right;
    throng_point a, b; /* m */
    bool inside;       /* of a part, between the halves of a flight: no outline ends there */
} throng_seam;

/* m: from a lift's seam with a floor to its door there. */
#define THRONG_LIFT_SILL 0.125

/* A lift's car at one of the floors that it serves. */
typedef struct throng_lift_stop {
    int32_t lift;
    int32_t sheet, floor; /* the car's there, and the floor's */
    int32_t door;         /* of the map */
    double z;             /* m */
} throng_lift_stop;

typedef struct throng_map_lift {
    int32_t first, count; /* of its stops, the lowest first */
    int32_t capacity;     /* persons */
    double speed;         /* m/s */
    double acceleration;  /* m/s^2 */
    double door_time;     /* s: in which its doors open, and close */
    double dwell;         /* s: for which they stay open, at least */
    double wait;          /* s: that paths count for waiting; below 0: half a round trip */
    throng_point at, in;  /* m: the middle of its seams; a unit vector into the car */
    double width, depth;  /* m: of the car, with the sill */
} throng_map_lift;

typedef struct throng_map_sheets {
    throng_map_sheet *list;
    int32_t count;
    throng_seam *seams;
    int32_t seam_count;
    throng_map_lift *lifts;
    int32_t lift_count;
    throng_lift_stop *stops;
    int32_t stop_count;
} throng_map_sheets;

/* The sheet that a place is on, the nearest where it is on none; 0 for a map without sheets. */
int32_t throng_map_sheet_at(const throng_map *map, throng_point place);
/* Its position there. */
throng_point throng_map_position_at(const throng_map *map, throng_point place);

/* The first sheet of a sheet's part. */
int32_t throng_map_first_of_part(const throng_map_sheets *sheets, int32_t sheet);

/* The half flight at a seam between parts. */
int32_t throng_map_half_at(const throng_map_sheets *sheets, int32_t seam);

/* m: what paths up, or down, count beside the length of half a flight whose belt has that speed, m/s. */
double throng_map_half_cost(const throng_map_sheet *half, double belt, bool up);

/* The stop whose sheet that is, -1: none. */
int32_t throng_map_stop_of(const throng_map_sheets *sheets, int32_t sheet);

/* The lift whose sheet that is, -1: none. */
int32_t throng_map_lift_of(const throng_map_sheets *sheets, int32_t sheet);

/* The highest of a lift's stops that is not above a height; its lowest, where all are. */
int32_t throng_lift_stop_below(const throng_map_sheets *sheets, int32_t lift, double z);

/* A position on the lift's plan: so far behind its seams, and to the right as seen going in. m */
throng_point throng_lift_point(const throng_map_lift *lift, double behind, double right);

/* m: what paths count for waiting for a lift, and for the ride from one of its stops to another: the time of each, at
 * 1.34 m/s. */
double throng_lift_wait(const throng_map_sheets *sheets, const throng_map_lift *lift);
double throng_lift_ride(const throng_map_sheets *sheets, int32_t from, int32_t to);

/* A position on a sheet at its place, and back; the same in a map without sheets. */
throng_point throng_map_place(const throng_map *map, int32_t sheet, throng_point position);
throng_point throng_map_position(const throng_map *map, int32_t sheet, throng_point place);

/* m: height of a sheet at a position. */
double throng_map_height(const throng_map *map, int32_t sheet, throng_point position);

/* Does the side a -> b of an outline, by places, lie on a seam? Then `*seam` is its number. */
bool throng_map_on_seam(const throng_map *map, throng_point a, throng_point b, int32_t *seam);

bool throng_map_sheets_copy(const throng_map *from, throng_map *to);
void throng_map_sheets_destroy(throng_map_sheets *sheets); /* NULL is fine */

#endif
