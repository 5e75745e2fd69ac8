/* Maps from files: which reader a file is for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map_readers.h"
#include "base/clock.h"
#include "base/file.h"

typedef struct format {
    const char *ending;
    throng_map_reader *read;
    bool in_metres; /* unless the option `scale` says how long its unit is */
} format;

static const format *format_of(const char *path)
{
    static const format formats[] = {
        {".map", throng_map_read_moving_ai, false}, {".tmx", throng_map_read_tmx, false},
        {".wkt", throng_map_read_wkt, true},        {".xml", throng_map_read_xml, true},
        {".dxf", throng_map_read_drawing, false},   {".geojson", throng_map_read_drawing, false},
        {".gpkg", throng_map_read_drawing, false},  {".shp", throng_map_read_drawing, false},
        {".osm", throng_map_read_drawing, false},   {".svg", throng_map_read_drawing, false},
        {"", throng_map_read_occupancy, false}};
    const format *f = formats;
    while (!throng_file_ends_in(path, f->ending))
        f++;
    return f;
}

bool throng_map_files_of(const char *path, throng_map_files *files)
{
    if (format_of(path)->read == throng_map_read_occupancy)
        return throng_map_occupancy_files(path, files);
    files->count = 1;
    return snprintf(files->path[0], sizeof files->path[0], "%s", path) < (int)sizeof files->path[0];
}

static bool check_options(const throng_map_options *o, throng_error *error)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"scale", o->scale},     {"tolerance", o->tolerance}, {"speck", o->speck},
               {"min_gap", o->min_gap}, {"min_area", o->min_area},   {"thickness", o->thickness}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i].value >= 0 && all[i].value <= 1e6))
            return throng_fail(error, "map option %s is %g: give a number that is 0 or more", all[i].name,
                               all[i].value);
    return true;
}

/* What only drawings have is not given for others. */
static bool check_format(const format *format, const char *path, const throng_map_options *o, throng_error *error)
{
    bool drawn = o->layers || !isnan(o->level) || o->thickness != throng_map_options_default().thickness;
    return !drawn || format->read == throng_map_read_drawing ||
           throng_fail(error,
                       "%s is no drawing: layers, level and thickness are for .dxf, .geojson, .gpkg, .shp, .osm and "
                       ".svg; leave them away",
                       path);
}

static throng_map *read_as(const format *format, const char *path, const throng_map_options *options,
                           throng_map_report *report, throng_error *error)
{
    throng_map *map = format->read(path, options, report, error);
    if (!map || !format->in_metres || options->scale == 0 || throng_map_scale(map, options->scale, error))
        return map;
    throng_map_destroy(map);
    return NULL;
}

throng_map *throng_map_read(const char *path, const throng_map_options *options, throng_error *error)
{
    double start = throng_clock();
    throng_map_options chosen = options ? *options : throng_map_options_default();
    throng_map_report report = {0};
    const format *format = format_of(path);
    bool fits = check_options(&chosen, error) && check_format(format, path, &chosen, error);
    throng_map *map = fits ? read_as(format, path, &chosen, &report, error) : NULL;
    if (!map)
        return NULL;
    report.seconds = throng_clock() - start;
    map->report = report;
    return map;
}
