/* The smoke of a run, in notes. */
#ifndef THRONG_NOTES_SMOKE_H
#define THRONG_NOTES_SMOKE_H

#include "notes.h"
#include "run_smoke.h"

/* In a frame that is recorded: the smoke that there is, at most once a second, and of more than 4,096 points so much
 * more seldom that it takes 5 KB a second at most. */
bool throng_notes_smoke(throng_notes *notes, const throng_world *world, throng_error *error);

/* Of notes that were checked: the smoke at a time, as it was told last, into a picture (freed by throng_smoke_fini)
 * that had some or none. */
bool throng_noted_smoke_at(const throng_notes *notes, double time, throng_smoke_picture *smoke, throng_error *error);

/* Does every row make sense? False and a message. */
bool throng_noted_smoke_check(const throng_notes *notes, throng_error *error);
/* Of a row that does: the picture without its values, the time, s, and the values as they are noted: so many digits. */
throng_smoke_picture throng_noted_smoke_of(const throng_notes *notes, int32_t row, double *time, const char **taken,
                                           int32_t *digits);

#endif
