#include "export_vtk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture/picture_heat.h"
#include "record/run_occupancy.h"

enum { PASSES = 2 }; /* as the pictures' densities are smoothed */

struct throng_vtk_density {
    throng_occupancy grid;
    float *free_part; /* [cells] of each, smoothed */
    float *x, *y;     /* [room] */
    int32_t room;
};

void throng_vtk_density_destroy(throng_vtk_density *d)
{
    if (!d)
        return;
    throng_occupancy_fini(&d->grid);
    free(d->free_part);
    free(d->x);
    free(d->y);
    free(d);
}

/* Of the plan and everybody, ever, with room beside them for what is smoothed. */
static bool find_bounds(throng_export_source *source, throng_bounds *b, int32_t *most, throng_error *error)
{
    const throng_export_moment *moment;
    *b = (throng_bounds){INFINITY, INFINITY, -INFINITY, -INFINITY};
    if (source->map && source->map->point_count)
        *b = source->map->bounds;
    for (*most = 0;;) {
        if (!throng_export_next(source, &moment, error))
            return false;
        if (!moment)
            break;
        *most = moment->count > *most ? moment->count : *most;
        for (int32_t i = 0; i < moment->count; i++) {
            const throng_export_person *p = &moment->people[i];
            *b = (throng_bounds){fmin(b->x0, p->x), fmin(b->y0, p->y), fmax(b->x1, p->x), fmax(b->y1, p->y)};
        }
    }
    throng_export_rewind(source);
    if (b->x0 > b->x1)
        *b = (throng_bounds){0, 0, 1, 1}; /* nobody, nowhere */
    double beside = fmax(2, fmax(b->x1 - b->x0, b->y1 - b->y0) / 100);
    *b = (throng_bounds){b->x0 - beside, b->y0 - beside, b->x1 + beside, b->y1 + beside};
    return true;
}

static bool fill(throng_vtk_density *d, throng_export_source *source, throng_error *error)
{
    throng_bounds bounds;
    if (!find_bounds(source, &bounds, &d->room, error) || !throng_occupancy_init(&d->grid, &bounds, source->map, error))
        return false;
    const throng_occupancy *g = &d->grid;
    const throng_plan_picture plan = {.map = source->map && source->map->ring_count ? source->map : NULL,
                                      .columns = g->columns,
                                      .rows = g->rows,
                                      .cell = g->cell,
                                      .origin_x = g->x0,
                                      .origin_y = g->y0};
    d->free_part = malloc((size_t)g->columns * (size_t)g->rows * sizeof *d->free_part);
    d->x = malloc(((size_t)d->room + 1) * sizeof *d->x);
    d->y = malloc(((size_t)d->room + 1) * sizeof *d->y);
    if (!d->free_part || !d->x || !d->y || !throng_heat_floor(d->free_part, &plan, g->walls))
        return throng_fail(error, "out of memory for the density");
    throng_heat_smooth(d->free_part, g->columns, g->rows, PASSES, g->walls);
    return true;
}

throng_vtk_density *throng_vtk_density_create(throng_export_source *source, throng_error *error)
{
    throng_vtk_density *d = calloc(1, sizeof *d);
    if (!d) {
        throng_fail(error, "out of memory for the density");
        return NULL;
    }
    if (fill(d, source, error))
        return d;
    throng_vtk_density_destroy(d);
    return NULL;
}

/* persons/m^2 in `grid.seconds`, of a second */
static bool count(throng_vtk_density *d, const throng_export_moment *moment, throng_error *error)
{
    throng_occupancy *g = &d->grid;
    size_t cells = (size_t)g->columns * (size_t)g->rows;
    memset(g->seconds, 0, cells * sizeof *g->seconds);
    for (int32_t i = 0; i < moment->count; i++) {
        d->x[i] = (float)moment->people[i].x;
        d->y[i] = (float)moment->people[i].y;
    }
    if (!throng_occupancy_add(g, d->x, d->y, moment->count, 1, error))
        return false;
    throng_heat_smooth(g->seconds, g->columns, g->rows, PASSES, g->walls);
    for (size_t i = 0; i < cells; i++)
        g->seconds[i] /= fmaxf(d->free_part[i], 0.1f) * (float)(g->cell * g->cell);
    return true;
}

bool throng_vtk_density_write(throng_vtk_density *d, const throng_export_moment *moment, FILE *file,
                              throng_error *error)
{
    const throng_occupancy *g = &d->grid;
    size_t bytes = (size_t)g->columns * (size_t)g->rows * sizeof(float);
    if (!count(d, moment, error))
        return false;
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n<ImageData WholeExtent=\"0 %d 0 %d 0 0\" Origin=\"%.9g %.9g 0\" "
            "Spacing=\"%.9g %.9g 1\">\n<Piece Extent=\"0 %d 0 %d 0 0\">\n<CellData Scalars=\"density\">\n",
            (int)g->columns, (int)g->rows, g->x0, g->y0, g->cell, g->cell, (int)g->columns, (int)g->rows);
    throng_base64 out = throng_vtk_begin_array(file, "Float32", "density", 1, bytes);
    throng_base64_put(&out, g->seconds, bytes);
    throng_vtk_end_array(&out);
    fputs("</CellData>\n</Piece>\n</ImageData>\n</VTKFile>\n", file);
    return true;
}
