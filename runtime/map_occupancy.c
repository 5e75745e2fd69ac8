/* Maps from occupancy images: read, cleaned, traced, simplified. */
#include "map_readers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "map_clean.h"
#include "map_image.h"
#include "map_simplify.h"
#include "map_trace.h"
#include "map_yaml.h"

/* Half a side's length: how far tracing cut a pixel's corner. */
static const double CORNER = 0.354;

/* `path` with its ending replaced; false when it does not fit. */
static bool sibling(const char *path, const char *ending, char *to, size_t size)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    int length = snprintf(to, size, "%.*s%s", stem, path, ending);
    return length > 0 && (size_t)length < size;
}

/* The settings: of the YAML given, of the YAML beside the image given, or the defaults. */
static bool find_settings(const char *path, throng_map_yaml *yaml, throng_error *error)
{
    static const char *const endings[] = {".yaml", ".yml"};
    if (throng_map_ends_in(path, ".yaml") || throng_map_ends_in(path, ".yml"))
        return throng_map_yaml_read(path, yaml, error);
    *yaml = throng_map_yaml_default();
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char beside[sizeof yaml->image];
        if (!sibling(path, endings[i], beside, sizeof beside) || access(beside, R_OK) != 0)
            continue;
        if (!throng_map_yaml_read(beside, yaml, error))
            return false;
        break;
    }
    if (snprintf(yaml->image, sizeof yaml->image, "%s", path) >= (int)sizeof yaml->image)
        return throng_fail(error, "%s: the path is too long", path);
    return true;
}

/* Outlines of the cleaned image, simplified; the report says how. */
static bool outline(const throng_map_areas *areas, const throng_map_yaml *yaml, const throng_map_options *options,
                    throng_ring_list *rings, throng_map_report *report)
{
    throng_simplify how = {.tolerance = options->tolerance, .slack = CORNER * yaml->resolution};
    if (!throng_map_trace(areas, yaml, rings))
        return false;
    report->points_before = rings->point_count;
    if (!throng_map_simplify(rings, &how))
        return false;
    report->points_after = rings->point_count;
    report->tolerance = options->tolerance;
    report->deviation = how.deviation;
    return true;
}

static throng_map *build(const char *path, const throng_map_yaml *yaml, const throng_map_options *options,
                         throng_map_report *report, throng_error *error)
{
    throng_map_image image = {0};
    throng_map_areas areas = {0};
    throng_ring_list rings = {0};
    throng_map *map = NULL;
    if (!throng_map_image_read(yaml, &image, error))
        return NULL;
    report->pixels_x = image.width - 2;
    report->pixels_y = image.height - 2;
    if (throng_map_clean(&image, path, options, yaml->resolution, &areas, report, error)) {
        if (outline(&areas, yaml, options, &rings, report))
            map = throng_ring_list_map(path, false, &rings, error);
        else
            throng_fail(error, "%s: out of memory", path);
    }
    throng_ring_list_fini(&rings);
    throng_map_areas_fini(&areas);
    throng_map_image_fini(&image);
    return map;
}

throng_map *throng_map_read_occupancy(const char *path, const throng_map_options *options, throng_map_report *report,
                                      throng_error *error)
{
    throng_map_yaml yaml;
    if (!find_settings(path, &yaml, error))
        return NULL;
    if (options->scale > 0)
        yaml.resolution = options->scale;
    report->format = "occupancy image";
    report->resolution = yaml.resolution;
    return build(path, &yaml, options, report, error);
}
