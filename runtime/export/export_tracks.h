/* Everybody's way through a recording, in one piece: who is there from which moment to which, found by going through it
 * once; where what belongs to each lies in a file can then be said before the first is written. */
#ifndef THRONG_EXPORT_TRACKS_H
#define THRONG_EXPORT_TRACKS_H

#include "export_parts.h"

typedef struct throng_export_track {
    int32_t id, group;
    int32_t first, last;  /* moments, counted from 0 */
    int32_t next;         /* the first that is not written yet */
    double radius;        /* m; NAN: nobody knows */
    throng_noted_spot at; /* at first, m */
    uint64_t offset;      /* of its numbers: its writer's */
} throng_export_track;

typedef struct throng_export_tracks {
    throng_export_track *list; /* [count] ascending by id */
    int32_t count, room;
    float *times; /* [moments] s since the first */
    int32_t moments, time_room;
} throng_export_tracks;

/* Rewinds the source when it is done. */
bool throng_export_tracks_init(throng_export_tracks *tracks, throng_export_source *source, throng_error *error);
void throng_export_tracks_fini(throng_export_tracks *tracks);

#endif
