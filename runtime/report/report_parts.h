/* What reports are made of: private to runtime/report. */
#ifndef THRONG_REPORT_PARTS_H
#define THRONG_REPORT_PARTS_H

#include "base/output.h"
#include "picture/heat_walls.h"
#include "record/body_log.h"
#include "record/notes_plan.h"
#include "record/notes_sheets.h"
#include "record/notes_smoke.h"
#include "record/recording.h"
#include "record/run_doors.h"
#include "report.h"

/* ---- report_text.c: what others have named, made harmless */

/* In quotes, as JSON that may stand in a <script>: no <, >, & or line separator is left as it is. */
void throng_report_json(FILE *file, const char *text);
void throng_report_base64(FILE *file, const uint8_t *bytes, size_t count);

/* ---- bytes that grow */

typedef struct throng_report_bytes {
    uint8_t *list;
    size_t count, room;
    bool failed; /* memory was out: what was added since is missing */
} throng_report_bytes;

/* Seven bits a byte, the lowest first; the eighth says that more follow (LEB128). Signed: 0, -1, 1, -2, 2 ... */
void throng_report_add(throng_report_bytes *bytes, uint32_t value);
void throng_report_add_signed(throng_report_bytes *bytes, int32_t value);

/* ---- values over time */

typedef struct throng_report_series {
    float *time, *value; /* [count] s; in the unit of the curve */
    int32_t count, time_room, value_room;
} throng_report_series;

bool throng_report_point(throng_report_series *series, double time, double value, throng_error *error);
void throng_report_series_fini(throng_report_series *series);

/* A curve in a figure of its own, as SVG, with its values in a table. */
typedef struct throng_report_curve {
    const char *title, *unit, *note;            /* note: a sentence below it, or NULL */
    const throng_report_series *series, *other; /* other: a second line, or NULL */
    const char *label, *other_label;            /* where there are two */
    double total;                               /* where > 0: of this, 50, 80 and 95 % are marked */
    double till;                                /* s: where the time axis ends */
    bool bars;                                  /* the values are of classes, `time` where they begin, in `across` */
    const char *across;                         /* what the horizontal axis has; NULL: "time" */
    const char *across_unit;                    /* NULL: "s" */
} throng_report_curve;

/* report_curve.c */
void throng_report_draw_curve(FILE *file, const throng_report_curve *curve);
/* The first time at which the values reach `value`; NAN: never. */
double throng_report_reach(const throng_report_series *series, double value);

/* ---- report_run.c: a report that a run will write */

struct throng_report_run {
    const throng_world *world;
    char recording[1024], path[1024];
    throng_output *output;
};

/* ---- report_people.c: who was there, and when */

typedef struct throng_report_person {
    int32_t id, first, last; /* frames: the first and the last that have it */
    throng_point place;      /* m: in the last */
} throng_report_person;

typedef struct throng_report_people {
    throng_report_person *list; /* [count] ascending by id */
    int32_t count, room;
    int64_t places; /* of all frames together */
    throng_bounds bounds;
    throng_report_series here, gone; /* people */
} throng_report_people;

bool throng_report_look(throng_recording *recording, throng_report_people *people, throng_error *error);
void throng_report_people_fini(throng_report_people *people);

/* ---- report_walk.c: how far everybody came since the frame before */

/* m/s: nobody walks faster. Who was there and is here crossed the seam of a world that wraps, or was put here. */
#define THRONG_REPORT_FASTEST 20.0

typedef struct throng_report_walk {
    int32_t count;           /* in the frame */
    int32_t *person;         /* [count] which of the people each is */
    double *speed;           /* [count] m/s; NAN: it was not there in the frame before */
    throng_point *from, *to; /* [people] m: in the frame before, where `speed` is known; in the last that has it */
    int32_t *frame;          /* [people] which that is */
} throng_report_walk;

bool throng_report_walk_init(throng_report_walk *walk, const throng_report_people *people, throng_error *error);
/* To the next frame, number n. */
void throng_report_walk_on(throng_report_walk *walk, const throng_report_people *people,
                           const throng_record_frame *frame, int32_t n, double fps);
double throng_report_walk_mean(const throng_report_walk *walk); /* m/s; NAN: of nobody is it known */
void throng_report_walk_fini(throng_report_walk *walk);

/* ---- report_pack.c: places in few bytes; the format is told in page_reading.js */

typedef struct throng_report_pack {
    throng_report_bytes bytes;
    double unit;      /* quanta a metre */
    int32_t x0, y0;   /* quanta: what places are counted from */
    int32_t frames;   /* packed */
    int32_t every;    /* recorded frames to a packed one */
    uint8_t *seen;    /* [people] 0: not in the last frame; 1: in it; 2: in the one before, too */
    uint8_t *now;     /* [people] is it in this one? */
    int32_t *x, *y;   /* [people] quanta: in the last frame */
    int32_t *vx, *vy; /* [people] what it had come since the one before */
} throng_report_pack;

bool throng_report_pack_init(throng_report_pack *pack, const throng_report_people *people, throng_error *error);
bool throng_report_pack_frame(throng_report_pack *pack, const throng_report_walk *walk, int32_t people,
                              throng_error *error);
void throng_report_pack_fini(throng_report_pack *pack);

/* ---- report_maps.c: densities on a grid */

/* Classes of density of 0.25 persons/m^2 each, for the fundamental diagram. */
enum { THRONG_REPORT_DENSITIES = 32 };
#define THRONG_REPORT_DENSITY 0.25

typedef struct throng_report_maps {
    int32_t columns, rows, passes;
    double cell, x0, y0;      /* m */
    throng_heat_walls *walls; /* NULL: there are none */
    float *floor;             /* [rows * columns] the free part of each cell, smoothed like a crowd */
    float *seconds;           /* person-seconds in each */
    float *crowd;             /* of one frame: persons, smoothed */
    float *peak;              /* persons/m^2: the highest of all frames */
    float *last;              /* s: when somebody was there last, -1: nobody ever was */
    uint8_t *still;           /* is somebody there at the end? */
    float *mean;              /* persons/m^2, once ended */
    float *walked;            /* the sum of speeds; once ended their mean, m/s, -1: nobody walked */
    float *walks;             /* how many speeds that are */
    double dense_speed[THRONG_REPORT_DENSITIES]; /* sums by the density around who walks, then means; */
    int64_t dense[THRONG_REPORT_DENSITIES];      /* how many */
} throng_report_maps;

bool throng_report_maps_init(throng_report_maps *maps, const throng_map *map, const throng_bounds *people,
                             throng_error *error);
void throng_report_maps_add(throng_report_maps *maps, const throng_report_walk *walk, double time, double seconds);
bool throng_report_maps_end(throng_report_maps *maps, const throng_map *map, double seconds, throng_error *error);
/* As a field of JSON: "grid": {..., "mean": {...}, and so on}; and its parts. */
void throng_report_maps_write(FILE *file, const throng_report_maps *maps);
/* Somebody whom the run leaves there. */
void throng_report_maps_stay(throng_report_maps *maps, throng_point place);
/* Times by which places were empty, in classes of `step` seconds: for each the m^2 of floor, and after them where
 * somebody was at the end, added to `areas`. */
enum { THRONG_REPORT_CLASSES = 12 };
double throng_report_maps_step(const throng_report_maps *maps);
void throng_report_maps_emptied(const throng_report_maps *maps, double areas[THRONG_REPORT_CLASSES + 1]);
void throng_report_maps_begin(FILE *file, const throng_report_maps *maps);
void throng_report_maps_grid(FILE *file, const char *name, const throng_report_maps *maps, const float *values,
                             double top, bool gaps);
double throng_report_maps_top(const throng_report_maps *maps, const float *values); /* the largest, 0 or more */
void throng_report_maps_fini(throng_report_maps *maps);

/* ---- report_places.c: who left by which exit, and went through which door */

typedef struct throng_report_place {
    char name[160];      /* the map's; of exits that share one, with where they are: "exits at 46.7, 44.6" */
    bool door, exit;     /* neither: a region that people left from */
    int32_t count, back; /* people who left by the exit; through the door, to its right and to its left */
    double first, last;  /* s; NAN: nobody */
    int32_t here, most;  /* people in the region, in the last frame and at most */
    int32_t stayed;      /* who are in it at the end, and neither arrived nor left */
    double emptied;      /* s: the last frame with somebody in it; NAN: there was none */
} throng_report_place;

typedef struct throng_report_places {
    throng_report_place *list; /* [count] the regions, then the doors */
    int32_t count;
    int32_t *of_region, *of_door; /* which of them the map's are */
    throng_bounds *boxes;         /* of the map's regions */
    uint8_t *in;                  /* [count] is the one who is looked at in it? */
    int32_t elsewhere;            /* left, and not from any region */
} throng_report_places;

bool throng_report_places_init(throng_report_places *places, const throng_map *map, throng_error *error);
/* Who goes through doors; frames in order. */
void throng_report_places_add(throng_report_places *places, const throng_map *map, const throng_report_walk *walk,
                              double time);
/* Who is in which region. */
void throng_report_places_see(throng_report_places *places, const throng_map *map, const throng_report_walk *walk,
                              double time);
/* Somebody whom the run leaves at a place. */
void throng_report_places_stay(throng_report_places *places, const throng_map *map, throng_point place);
/* Who left then, or arrived, having been seen last at a place: by the exit that is near, else from the region there. */
void throng_report_places_leave(throng_report_places *places, const throng_map *map, throng_point place, double time);
void throng_report_places_fini(throng_report_places *places);

/* ---- report_facts.c: what was run, and how to run it again */

typedef struct throng_report_fact {
    char name[40], value[1024];
} throng_report_fact;

enum { THRONG_REPORT_FACTS = 32 };

typedef struct throng_report_facts {
    char name[256];          /* of the scenario */
    char command[4096];      /* "": nobody knows */
    char end[64];            /* "everyone arrived" */
    int32_t agents, arrived; /* -1: nobody knows */
    double time;             /* s: when it ended; NAN: nobody knows */
    bool everyone;           /* by everybody's arrival */
    bool open;               /* the world had no plan; the one in the recording is a box for other tools */
    throng_report_fact list[THRONG_REPORT_FACTS];
    int32_t count;
} throng_report_facts;

void throng_report_facts_of_run(throng_report_facts *facts, const throng_summary *summary,
                                const throng_report_asked *asked);
/* Those of the recording's notes, or else of summary.json beside it, where there is one. */
void throng_report_facts_of_recording(throng_report_facts *facts, const throng_notes *notes, const char *recording);
/* How the run ended, in words; "": nobody knows. */
const char *throng_report_ending(const throng_report_facts *facts);

/* ---- report_page.c: all of it, as a page */

/* Of one of the people. */
typedef struct throng_report_noted {
    int32_t group; /* when it was seen first */
    float radius;  /* m; people's usual one where nobody knows */
    float arrived; /* s; NAN: it had not when it was seen last */
    float spawned; /* s; that of its first frame where nobody knows */
} throng_report_noted;

typedef struct throng_report {
    throng_recording *recording;
    throng_notes notes;             /* empty: of a recording that others made */
    throng_report_noted *noted;     /* [people] */
    throng_report_series arrived;   /* people; no points: nobody knows */
    throng_report_series speed;     /* m/s: the mean of everybody */
    throng_report_series *measures; /* [rows of the notes' measures] */
    const throng_map *map;          /* NULL: an open world */
    throng_map *own_map;            /* of a recording alone: what it tells of the plan */
    double fps, seconds;            /* a second between frames; s from the first to the last */
    int32_t frames;
    double end; /* s: when the run ended and everybody had arrived; NAN else, or not known */
    throng_report_facts facts;
    throng_report_people people;
    throng_report_walk walk;
    throng_report_pack pack;
    throng_report_maps maps;
    throng_report_places places;
    throng_door_turn *turns; /* [turn_count] */
    int32_t turn_count;
    throng_body_log bodies;
} throng_report;

void throng_report_page(FILE *file, const throng_report *report);

/* ---- report_template.c: pages with {{names}}, of its own texts and of what else is written there */

typedef enum throng_report_template {
    THRONG_REPORT_OF_RUN,
    THRONG_REPORT_OF_PAIR,
    THRONG_REPORT_OF_RESULTS
} throng_report_template;

typedef void throng_report_writer(FILE *file, const char *name, const void *what);
void throng_report_fill(FILE *file, throng_report_template template, throng_report_writer *write, const void *what);

/* ---- report.c: all that is made of a recording */

/* What of it is counted. */
typedef struct throng_report_span {
    throng_bounds bounds; /* m: of the places that maps show, at least */
    double seconds;       /* s: of these maps are made */
} throng_report_span;

/* Reads a recording, or that of a run's folder, with the plan that it tells of. Freed by _fini, also where it fails. */
bool throng_report_open(throng_report *report, const char *path, throng_error *error);
bool throng_report_count(throng_report *report, const throng_report_span *span, throng_error *error);
void throng_report_fini(throng_report *report);

/* ---- report_figures.c */

int32_t throng_report_people_of(const throng_report *report);
/* Where the run counted who arrived, that; else who left the recording. */
const throng_report_series *throng_report_arrivals(const throng_report *report);
double throng_report_highest(const throng_report_series *series); /* 0 or more */
double throng_report_mean(const double *values, int32_t count);
/* s, ascending, to be freed: of all who arrived or left before the end. NULL: memory is out. */
double *throng_report_travel_times(const throng_report *report, int32_t *count);
/* Mean speeds by classes of density; `most` is raised to where the last one ends. */
bool throng_report_speeds(const throng_report *report, throng_report_series *speeds, double *most);

/* ---- report_known.c: what the notes of the recording tell */

/* Once its people and its notes are there. */
bool throng_report_know(throng_report *report, throng_error *error);
void throng_report_known_fini(throng_report *report); /* with the notes */

/* When person number p was done, by arriving or by leaving, s; NAN: not before the end. To half a frame where only
 * frames tell. */
double throng_report_done(const throng_report *report, int32_t p);

typedef struct throng_report_stuck {
    double time;
    int32_t id;
    throng_stuck_cause cause;
    throng_point place;
} throng_report_stuck;

/* A row of the notes; false: it makes no sense. */
bool throng_report_stuck_of(const throng_notes *notes, int32_t row, throng_report_stuck *stuck);

/* Where nobody knows, all are of one group. */
int32_t throng_report_group_count(const throng_report *report);
const char *throng_report_group_name(const throng_report *report, int32_t group);

/* report_floors.c: where floors meet, and lifts; what their cars did. */
void throng_report_floors(FILE *file, const throng_map *map);
void throng_report_cars(FILE *file, const throng_report *report);

/* report_data.c: what page_reading.js reads, as JSON. */
void throng_report_data(FILE *file, const throng_report *report);
void throng_report_replay_data(FILE *file, const throng_report *report); /* of it, what its replay needs */
/* As fields of JSON: outlines and regions. */
void throng_report_plan(FILE *file, const throng_map *map);

/* ---- report_pair.c, report_pair_page.c, report_pair_places.c: two runs side by side */

typedef struct throng_report_pair {
    throng_report run[2];
    const char *path[2]; /* as they were given */
    double seconds;      /* s: what the maps of both are over */
} throng_report_pair;

void throng_report_pair_page(FILE *file, const throng_report_pair *pair);

/* Where the second differs most from the first, in values of their maps. */
typedef struct throng_report_change {
    throng_point at; /* m */
    double first, second;
} throng_report_change;

/* The places of the largest changes up, or down, two metres apart or more, the largest first; how many. */
int32_t throng_report_changes(const throng_report_maps *maps, const float *first, const float *second, bool up,
                              throng_report_change *changes, int32_t most);
/* The largest change up or down. */
double throng_report_largest_change(const throng_report_maps *maps, const float *first, const float *second);

#endif
