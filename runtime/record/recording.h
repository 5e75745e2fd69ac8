/* Recorded trajectories, read back: `.throng` (record_compact.h), JuPedSim SQLite, version 2, and `.txt`
 * (recording_text.c). */
#ifndef THRONG_RECORDING_H
#define THRONG_RECORDING_H

#include "record.h"

typedef struct throng_recording throng_recording;

/* Writes which file a path means: itself, or, of the folder of a run, the newer one of trajectory.throng and
 * trajectory.sqlite in it. False and a message when a folder holds none. */
bool throng_recording_find(const char *path, char *file, size_t size, throng_error *error);

/* Writes what a recording at that path is called: the folder's name, or the file's without its ending. */
void throng_recording_name(const char *path, char *name, size_t size);

/* NULL and a message that names the file and what is wrong with it. A compact file that was cut short is read as far
 * as its frames are whole. */
throng_recording *throng_recording_open(const char *path, throng_error *error);
/* The same for scripts, with everybody of a building where they are on the plan that all floors share, also of a .csv
 * that names floors; or only those on the floor or flight of that name (NULL: all), as if there were no others. */
throng_recording *throng_recording_open_plan(const char *path, const char *floor, throng_error *error);
void throng_recording_close(throng_recording *recording);

int32_t throng_recording_frames(const throng_recording *recording);
/* Whoever wrote it did not come to its end: groups, measures and events, which are noted there, are missing. */
bool throng_recording_is_cut(const throng_recording *recording);
double throng_recording_fps(const throng_recording *recording);
/* The geometry; empty when an open world was recorded. Valid until it is closed. */
const char *throng_recording_wkt(const throng_recording *recording);

/* The columns of the script's own that it has. */
const throng_record_own *throng_recording_own(const throng_recording *recording);

/* The n-th frame of the file, counted from 0, in ascending order of id. The arrays are valid until the next read. False
 * and a message when it is damaged: a number that is not finite, an agent that is there twice. */
bool throng_recording_read(throng_recording *recording, int32_t n, throng_record_frame *frame, throng_error *error);

/* Of one that was opened with all floors of a building: the name of that which somebody in a frame is on; else NULL. */
const char *throng_recording_floor(const throng_recording *recording, const throng_record_frame *frame, int32_t i);
/* False and a message that names the floors when it is such a one. */
bool throng_recording_is_plane(const throng_recording *recording, throng_error *error);

/* What its run knew; empty for one that others wrote. The caller frees them, also after a failure. False and a message
 * when it is damaged. */
bool throng_recording_notes(throng_recording *recording, throng_notes *notes, throng_error *error);

#endif
