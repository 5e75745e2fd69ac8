/* Recordings as files of other tools: tables (.csv), maps (.geojson), ParaView (.pvd, .vtp), 3D scenes (.glb).
 *
 * Positions are those of the plan on every floor, so floors lie over each other where a file has a height. */
#ifndef THRONG_EXPORT_H
#define THRONG_EXPORT_H

#include "record/recording.h"

typedef struct throng_export_def {
    const char *path;    /* its ending says the format */
    double from, to;     /* s: the first and the last moment */
    double every;        /* s from one moment to the next, at least; 0: all that were recorded */
    const double *place; /* [2] longitude and latitude of (0, 0), degrees, for .geojson; NULL: metres */
} throng_export_def;

/* Is it the name of such a file? */
bool throng_export_knows(const char *path);

/* The endings, for messages: ".csv, ...". */
const char *throng_export_endings(void);

/* Writes it, whole or not at all; `moments`: how many are in it. False and a message that names the file and what is
 * wrong. */
bool throng_export(throng_recording *recording, const throng_export_def *def, int32_t *moments, throng_error *error);

#endif
