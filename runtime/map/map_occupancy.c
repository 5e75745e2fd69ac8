/* Maps from occupancy images: read, cleaned, traced, simplified. */
#include "map_readers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "map_clean.h"
#include "map_findings.h"
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

static const char *const endings[] = {".yaml", ".yml"};

static bool is_yaml(const char *path)
{
    return throng_file_ends_in(path, endings[0]) || throng_file_ends_in(path, endings[1]);
}

/* The YAML and the image it names, or the image and the YAMLs that may lie beside it. */
bool throng_map_occupancy_files(const char *path, throng_map_files *files)
{
    throng_map_yaml yaml;
    size_t size = sizeof files->path[0];
    if (is_yaml(path)) {
        files->count = 2;
        return throng_map_yaml_read(path, &yaml, NULL) && snprintf(files->path[0], size, "%s", path) < (int)size &&
               snprintf(files->path[1], size, "%s", yaml.image) < (int)size;
    }
    files->count = 3;
    return snprintf(files->path[0], size, "%s", path) < (int)size && sibling(path, endings[0], files->path[1], size) &&
           sibling(path, endings[1], files->path[2], size);
}

/* The settings: of the YAML given, of the YAML beside the image given, or the defaults. */
static bool find_settings(const char *path, throng_map_yaml *yaml, throng_error *error)
{
    if (is_yaml(path))
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

/* The outlines of a region's blobs, holes left out, become polygons of the region's name. */
static bool add_blobs(throng_map *map, const char *name, const throng_ring_list *rings, throng_error *error)
{
    for (int32_t r = 0; r < rings->count; r++) {
        const throng_point *points = rings->points + rings->start[r];
        int32_t count = throng_ring_list_end(rings, r) - rings->start[r];
        if (throng_ring_area(points, count) > 0 && !throng_map_add_region(map, name, points, count, error))
            return false;
    }
    return true;
}

static bool add_region(throng_map *map, const throng_map_yaml *yaml, int region, const throng_map_image *image,
                       const throng_map_options *options, throng_error *error)
{
    const throng_map_colour *colour = &yaml->regions[region];
    throng_map_areas areas = {0};
    throng_ring_list rings = {0};
    throng_map_report none = {0};
    throng_point nowhere = {NAN, NAN};
    double least = fmax(1, options->speck / (yaml->resolution * yaml->resolution));
    size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < pixels; i++)
        image->pixel[i] = image->region[i] == region + 1 ? THRONG_PIXEL_FREE : THRONG_PIXEL_OCCUPIED;
    bool fine = throng_map_areas_all(image, least, &areas) && outline(&areas, yaml, options, &rings, &none) &&
                (areas.count || throng_findings_add(&map->findings, THRONG_FINDING_SOURCE, nowhere, nowhere,
                                                    "region \"%s\": nothing in the image has the colour #%02x%02x%02x",
                                                    colour->name, colour->rgb[0], colour->rgb[1], colour->rgb[2]));
    fine = fine ? add_blobs(map, colour->name, &rings, error) : throng_fail(error, "%s: out of memory", map->name);
    throng_ring_list_fini(&rings);
    throng_map_areas_fini(&areas);
    return fine;
}

/* Uses the image's pixels up. */
static bool add_regions(throng_map *map, const throng_map_yaml *yaml, const throng_map_image *image,
                        const throng_map_options *options, throng_error *error)
{
    for (int r = 0; r < yaml->region_count; r++)
        if (!add_region(map, yaml, r, image, options, error))
            return false;
    return true;
}

static bool note_pockets(throng_map *map, const throng_map_yaml *yaml, const throng_map_areas *areas,
                         throng_error *error)
{
    for (int32_t i = 0; i < areas->pocket_count; i++) {
        const throng_map_pocket *pocket = &areas->pockets[i];
        throng_point at = throng_map_pixel_centre(yaml, pocket->x, pocket->y);
        if (!throng_findings_add(&map->findings, THRONG_FINDING_REACH, at, at,
                                 "a free area of %.1f m2 cannot be reached and was left out",
                                 pocket->pixels * yaml->resolution * yaml->resolution))
            return throng_fail(error, "%s: out of memory", map->name);
    }
    return true;
}

static throng_map *build(const char *path, const throng_map_yaml *yaml, const throng_map_options *options,
                         throng_map_report *report, throng_error *error)
{
    throng_map_image image = {0};
    throng_map_areas areas = {0};
    throng_ring_list rings = {0};
    throng_map *map = NULL;
    if (!throng_map_image_read(yaml, &image, error)) {
        if (is_yaml(path))
            throng_fail_in(error, "%s: the image that it names", path);
        return NULL;
    }
    report->pixels_x = image.width - 2;
    report->pixels_y = image.height - 2;
    if (throng_map_clean(&image, path, options, yaml->resolution, &areas, report, error)) {
        if (outline(&areas, yaml, options, &rings, report))
            map = throng_map_from_ring_list(path, false, &rings, error);
        else
            throng_fail(error, "%s: out of memory", path);
    }
    if (map && !(note_pockets(map, yaml, &areas, error) && add_regions(map, yaml, &image, options, error))) {
        throng_map_destroy(map);
        map = NULL;
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
