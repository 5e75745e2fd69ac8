/* What the formats share: who was where at each moment, the plan, and how a file is written. */
#ifndef THRONG_EXPORT_PARTS_H
#define THRONG_EXPORT_PARTS_H

#include "base/output.h"
#include "export.h"
#include "record/notes_people.h"
#include "record/notes_sheets.h"

/* ---- export_crowd.c: a recording, moment by moment */

typedef struct throng_export_person {
    int32_t id, group, floor; /* rows of the notes' groups and floors; -1: nobody knows */
    double x, y, z;           /* m: on the plan, and the height of the feet */
    double hx, hy;            /* unit heading */
    double speed, radius;     /* m/s since the frame before, m; NAN: nobody knows */
} throng_export_person;

typedef struct throng_export_moment {
    int32_t frame; /* the recording's number */
    double time;   /* s */
    int32_t count;
    throng_export_person *people; /* [count] ascending by id */
    const float *own[THRONG_OWN_COLUMNS];
    int32_t room;
} throng_export_moment;

typedef struct throng_export_source {
    throng_recording *recording;
    const throng_export_def *def;
    throng_notes notes;
    throng_noted_people known;
    throng_noted_columns columns;
    throng_export_moment now, before;
    int32_t next;           /* frame of the file */
    int32_t first;          /* number of the first frame that was told; -1: none yet */
    int32_t told;           /* moments */
    struct throng_map *map; /* NULL: an open world */
} throng_export_source;

bool throng_export_source_init(throng_export_source *source, throng_recording *recording, const throng_export_def *def,
                               throng_error *error);
void throng_export_source_fini(throng_export_source *source);

/* The next moment that was asked for, valid until the call after; NULL: that was the last one. False and a message when
 * the recording is damaged, or memory is out. */
bool throng_export_next(throng_export_source *source, const throng_export_moment **moment, throng_error *error);
/* From the beginning again. */
void throng_export_rewind(throng_export_source *source);

/* "": nobody knows. */
const char *throng_export_group(const throng_export_source *source, int32_t group);
const char *throng_export_floor(const throng_export_source *source, int32_t floor);
bool throng_export_has_floors(const throng_export_source *source);

/* ---- export_plan.c: places of the map, where floors lie side by side, on the plan */

/* The floor or flight that a place is on, a row of the notes' floors; -1: one plane. */
int32_t throng_export_floor_at(const throng_export_source *source, throng_point place);

/* Is ring r of the map an outline, whose holes follow? */
bool throng_export_is_outline(const throng_map *map, int32_t r);

/* ---- the formats */

typedef bool throng_export_writer(throng_export_source *source, throng_output *output, throng_error *error);
throng_export_writer throng_export_csv, throng_export_geojson, throng_export_vtp, throng_export_vti, throng_export_pvd,
    throng_export_glb;

/* Has writing failed? Then there is no use in going on: committing the output tells why. */
static inline bool throng_export_stopped(throng_output *output) { return ferror(throng_output_stream(output)) != 0; }

#endif
