#include "map_features.h"

#include <math.h>
#include <stdio.h>

#include "feature_levels.h"
#include "base/file.h"

#define EARTH     6371008.8 /* m: its mean radius */
#define WIDEST    1.0       /* degrees: a city; GDAL takes what names nothing for degrees, in GeoJSON */
#define FAR       10000.0   /* m: farther from the origin, positions in 32 bits are known to a millimetre no more */
#define HUGE_PLAN 1000.0
#define SMALL     5.0   /* m: a sheet of paper, and no plan */
#define ON_PAPER  100.0 /* the scale that plans on paper mostly have, 1:100 */

static throng_bounds bounds_of(const throng_features *f)
{
    throng_bounds b = {0, 0, 0, 0};
    for (int32_t i = 0; i < f->point_count; i++) {
        throng_point p = f->points[i];
        b = i ? (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)}
              : (throng_bounds){p.x, p.y, p.x, p.y};
    }
    return b;
}

/* Metres a unit; `unit` says what it was taken for. */
static double unit_of(throng_features *f, const throng_feature_units *units, double scale, throng_bounds b)
{
    double own = units->linear, extent = fmax(b.x1 - b.x0, b.y1 - b.y0);
    if (scale > 0)
        return scale;
    if (units->paper && extent * own < SMALL) {
        snprintf(
            f->unit, sizeof f->unit,
            "the sheet is %.2f m wide and taken for a plan at 1:%.0f; unit, or scale in metres a unit, says otherwise",
            extent * own, ON_PAPER);
        return own * ON_PAPER;
    }
    if (own > 0) {
        if (own != 1)
            snprintf(f->unit, sizeof f->unit, "a unit of the file is %g m, as it says", own);
        return own;
    }
    if (extent <= HUGE_PLAN)
        return 1;
    snprintf(f->unit, sizeof f->unit, "the file names no unit; a plan %.0f units wide is taken for one in millimetres",
             extent);
    return 0.001;
}

/* From degrees: distances on a plane that touches the earth in the middle. */
static void project(throng_features *f, throng_bounds b)
{
    double degree = EARTH * M_PI / 180, middle = (b.y0 + b.y1) / 2, across = degree * cos(middle * M_PI / 180);
    for (int32_t i = 0; i < f->point_count; i++) {
        f->points[i].x = across * (f->points[i].x - b.x0);
        f->points[i].y = degree * (f->points[i].y - b.y0);
    }
    snprintf(f->unit, sizeof f->unit, "degrees are laid out as metres about latitude %.4f, from (%.6f, %.6f) on",
             middle, b.x0, b.y0);
}

static void to_metres(throng_features *f, const throng_feature_units *units, double scale)
{
    throng_bounds b = bounds_of(f);
    double extent = fmax(b.x1 - b.x0, b.y1 - b.y0);
    bool degrees = units->geographic && scale == 0;
    if (degrees && extent <= WIDEST) {
        project(f, b);
        return;
    }
    if (degrees && extent <= HUGE_PLAN)
        snprintf(f->unit, sizeof f->unit, "a plan %.0f degrees wide is taken for one in metres", extent);
    double unit = unit_of(f, units, scale, b), far = fmax(fmax(fabs(b.x0), fabs(b.x1)), fmax(fabs(b.y0), fabs(b.y1)));
    if (far * unit > FAR)
        f->moved = (throng_point){floor(b.x0 * unit), floor(b.y0 * unit)};
    for (int32_t i = 0; i < f->point_count; i++)
        f->points[i] = (throng_point){f->points[i].x * unit - f->moved.x, f->points[i].y * unit - f->moved.y};
}

bool throng_features_read(throng_features *features, const char *path, const throng_map_options *options,
                          throng_error *error)
{
    *features = (throng_features){.path = path};
    throng_feature_units units = {0};
    throng_features_reader *read =
        throng_file_ends_in(path, ".svg") ? throng_features_read_svg : throng_features_read_ogr;
    bool fine = read(features, options->layers ? options->layers : throng_roles_usual, &units, error);
    if (fine)
        to_metres(features, &units, options->scale);
    if (fine && throng_features_take_level(features, options->level, error))
        return true;
    throng_features_fini(features);
    return false;
}
