/* VTK XML: arrays in base64 in place, each behind its size in bytes; and the grid of densities. */
#ifndef THRONG_EXPORT_VTK_H
#define THRONG_EXPORT_VTK_H

#include "base/base64.h"
#include "export_parts.h"

/* ---- export_vtk_array.c */

throng_base64 throng_vtk_begin_array(FILE *file, const char *type, const char *name, int components, uint64_t bytes);
void throng_vtk_end_array(throng_base64 *out);

/* ---- export_vtk_density.c: how many people a square metre there are, on a grid over all who are told and the plan.
 * Who stands before a wall does not count behind it; not of buildings, whose floors lie over each other. */

typedef struct throng_vtk_density throng_vtk_density;

/* The source is rewound. NULL and a message: memory is out, or the recording is damaged. */
throng_vtk_density *throng_vtk_density_create(throng_export_source *source, throng_error *error);
void throng_vtk_density_destroy(throng_vtk_density *density); /* NULL is fine */
/* The .vti file of a moment. */
bool throng_vtk_density_write(throng_vtk_density *density, const throng_export_moment *moment, FILE *file,
                              throng_error *error);

#endif
