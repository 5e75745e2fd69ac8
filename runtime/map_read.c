/* Maps from files. */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "map_clean.h"
#include "map_image.h"
#include "map_simplify.h"
#include "map_trace.h"
#include "map_yaml.h"

/* Half a side's length: how far tracing cut a pixel's corner. */
static const double CORNER = 0.354;

static bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

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
    if (ends_in(path, ".yaml") || ends_in(path, ".yml"))
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

static bool check_options(const throng_map_options *o, throng_error *error)
{
    const struct {
        const char *name;
        double value;
    } all[] = {{"tolerance", o->tolerance}, {"speck", o->speck}, {"min_gap", o->min_gap}, {"min_area", o->min_area}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(all[i].value >= 0 && all[i].value <= 1e6))
            return throng_fail(error, "map option %s is %g: give a number that is 0 or more", all[i].name,
                               all[i].value);
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

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

throng_map *throng_map_read(const char *path, const throng_map_options *options, throng_error *error)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    throng_map_options chosen = options ? *options : throng_map_options_default();
    throng_map_yaml yaml;
    if (!check_options(&chosen, error) || !find_settings(path, &yaml, error))
        return NULL;
    throng_map_report report = {.resolution = yaml.resolution};
    throng_map *map = build(path, &yaml, &chosen, &report, error);
    if (!map)
        return NULL;
    report.seconds = seconds_since(&start);
    map->report = report;
    return map;
}
