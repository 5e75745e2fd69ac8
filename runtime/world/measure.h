/* Measures: what is counted of a crowd while its world runs, for tests and reports. A world without measures pays
 * nothing for them. All of it is computed on the host, from the positions before and after a step, in the order of
 * slots: the same values on every backend. Knows no Lua. */
#ifndef THRONG_MEASURE_H
#define THRONG_MEASURE_H

#include <stdio.h>

#include "world.h"

typedef struct throng_measure throng_measure;

typedef enum throng_measure_kind {
    /* Passages over a line, or in and out of regions. Flow is (N - 1) / (t_N - t_1), persons/s: N passages, of which
     * the first was at t_1 and the last at t_N: the inverse of the mean headway (Zhang, Klingsch, Schadschneider and
     * Seyfried, 2011, method A). Who turns back undoes the passage. */
    THRONG_MEASURE_FLOW,
    /* N / A, persons/m^2: N middles of agents in regions of A m^2 free space (the classical density, as in Steffen
     * and Seyfried, 2010); or, by Voronoi cells, the mean over the regions of the inverse of the area of the cell that
     * each point is in (the same; cells of all agents, clipped to the floor, as PedPy 1.5 has them). */
    THRONG_MEASURE_DENSITY,
    /* How many are not in the regions. */
    THRONG_MEASURE_INSIDE,
    /* How far people walk in lanes of their own direction. Over strips along the direction `along`: those who move in a
     * strip with n others score ((a - b) / (a + b))^2, a and b of them going either way; less what n at random would
     * score, 1 / n, so that 0 is chance and 1 is one direction to a strip. Averaged over all who move (the laning order
     * parameter of Rex and Loewen, 2007; in strips and less chance: Nowak and Schadschneider, 2012). */
    THRONG_MEASURE_LANES,
    /* How many are in the regions. */
    THRONG_MEASURE_COUNT,
    /* The mean speed of those in the regions, m/s: how far each came in the step. */
    THRONG_MEASURE_SPEED,
    /* s between one passage and the next, over a line or in and out of regions. */
    THRONG_MEASURE_TIME_GAP,
    /* s from when somebody was in the regions `since` last, or else was spawned, until it comes into the regions. */
    THRONG_MEASURE_TRAVEL_TIME,
    /* Fruin's levels of service for walkways (1971) by density, 1 for A to 6 for F. */
    THRONG_MEASURE_LEVEL,
    THRONG_MEASURE_KINDS
} throng_measure_kind;

extern const char *const throng_measure_names[]; /* by kind: "flow", "density", "inside", "lanes", ... */

enum { THRONG_FRUIN_LEVELS = 6 };
/* 1/m^2: where each level begins, A first. */
extern const double throng_fruin[THRONG_FRUIN_LEVELS];

typedef struct throng_measure_def {
    throng_measure_kind kind;
    const char *name;             /* what it is found by, "" for none; copied */
    const char *place;            /* "door 'north'", for texts; copied */
    const char *who;              /* "group 'staff'", for texts; copied */
    const throng_region *regions; /* [region_count], copied; where, but for a flow over a line and lanes anywhere */
    int32_t region_count;
    throng_point a, b;  /* m: the line; `forth` is from its left to its right, as one looks from a to b */
    throng_point along; /* lanes: the unit vector people walk along, either way */
    double width;       /* lanes: of a strip, m */
    int32_t spawn;      /* only agents of that spawn, -1: of any */
    const int32_t *ids; /* [id_count] only these agents, ascending; NULL: all. Copied */
    int32_t id_count;
    double from, till;          /* s: steps that end in this time count; default 0 and INFINITY */
    double every;               /* s: between values that are kept over time; default 0.5 */
    bool voronoi;               /* density, level: by Voronoi cells, which are made only then */
    const throng_region *since; /* [since_count] travel times: copied */
    int32_t since_count;
} throng_measure_def;

throng_measure_def throng_measure_def_default(throng_measure_kind kind);

/* What was measured so far. Times are NAN while there is nothing. */
typedef struct throng_measured {
    int32_t forth, back; /* passages; into and out of regions */
    int32_t passed;      /* the sum of both */
    double first, last;  /* s: of the first and the last passage; of the first step with somebody outside */
    double flow;         /* persons/s, NAN of fewer than two passages */

    int32_t samples;                     /* steps with a value: density, agents outside, lane index */
    double now, mean;                    /* of the last step, of all steps; NAN without any */
    double most, most_at;                /* and when, s */
    double least, least_at;              /* likewise */
    int32_t levels[THRONG_FRUIN_LEVELS]; /* samples of each */
    double area;                         /* m^2 of free space in the regions; NAN when nobody needs it */
    int32_t outsider;                    /* id of the first who was outside, -1: nobody */
    throng_point outsider_at;            /* m: where */
} throng_measured;

/* Begins to measure with the next step. The world keeps it. NULL and a message when a density's regions have no free
 * space, a name is taken, or memory is out. */
throng_measure *throng_world_measure(throng_world *world, const throng_measure_def *def, throng_error *error);
/* Takes back the one that was begun last. */
void throng_world_unmeasure(throng_world *world, throng_measure *last);

/* The world's measures, in the order they were begun. */
throng_measure *throng_world_measures(const throng_world *world);
throng_measure *throng_measure_next(const throng_measure *measure);

const throng_measure_def *throng_measure_def_of(const throng_measure *measure);
throng_measured throng_measure_read(const throng_measure *measure);

/* What it is called: its name, or else like "density: 'hall'". */
void throng_measure_title(const throng_measure *measure, char *text, size_t size);
extern const char *const throng_measure_units[]; /* by kind, of values over time */

/* Its values over time, `every` seconds apart: of a flow the passages so far, else what was measured in that step,
 * where there was anything to measure. How many; they are valid until the next step. */
int32_t throng_measure_series(const throng_measure *measure, const double **times, const double **values);

/* One by one: the times of passages (values 1), time gaps and travel times with the times at which they ended. How
 * many; they are valid until the next step. */
int32_t throng_measure_events(const throng_measure *measure, const double **times, const double **values);

/* "flow through door 'north' of group 'staff': 1.93 persons/s, 200 persons from 3.2 s to 106.4 s" */
void throng_measure_text(const throng_measure *measure, char *text, size_t size);

/* ---- of people who are not the world's: measure_recorded.c */

/* A measure in that world's map which the world does not keep. NULL and a message, as throng_world_measure. */
throng_measure *throng_measure_make(const throng_world *world, const throng_measure_def *def, throng_error *error);
void throng_measure_free(throng_measure *measure);

/* Where somebody of a recording is, by slot. */
typedef struct throng_measured_people {
    int32_t count;
    const int32_t *id;
    const bool *there;
    const float *x, *y;  /* m */
    const double *first; /* s: when each was seen first */
} throng_measured_people;

/* Measures of what went on in a recording, as if it had been the world. */
typedef struct throng_measured_run throng_measured_run;
throng_measured_run *throng_measured_run_begin(throng_measure *const *measures, int32_t count, double dt,
                                               throng_point wrap, throng_error *error);
/* One more step of dt; the first call says who is there at time 0. */
bool throng_measured_run_step(throng_measured_run *run, const throng_measured_people *people, throng_error *error);
void throng_measured_run_free(throng_measured_run *run);

/* For the world's step: before its stages and after them. */
bool throng_measures_before(throng_world *world, throng_error *error);
bool throng_measures_after(throng_world *world, throng_error *error);
void throng_measures_free(throng_world *world);

#endif
