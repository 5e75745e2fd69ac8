/* Slice files (.sf) of FDS, the Fire Dynamics Simulator: a quantity on a part of a mesh's nodes, over time. Fortran's
 * unformatted records, each with its length before and behind it: three texts of 30 bytes (quantity, a short name,
 * units), six whole numbers (first and last node along x, y and z), then for each time one record with it, s, and one
 * with the values, x running fastest. */
#ifndef THRONG_FDS_SLICE_H
#define THRONG_FDS_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct throng_fds_slice {
    char quantity[31], units[31];
    int32_t first[3], last[3]; /* nodes of the mesh, from 0 */
    int32_t points;            /* of a frame */
    int32_t frames;            /* whole ones, at least 1; a run that goes on has written some of the next */
    double *times;             /* [frames] s, ascending */
    struct throng_fds_file *file;
} throng_fds_slice;

/* NULL and a message that names the file and what is wrong with it. */
throng_fds_slice *throng_fds_slice_open(const char *path, throng_error *error);
void throng_fds_slice_close(throng_fds_slice *slice);

/* The values of a frame [points]; false and a message when one of them is not finite, or the file cannot be read. */
bool throng_fds_slice_read(throng_fds_slice *slice, int32_t frame, float *values, throng_error *error);

#endif
