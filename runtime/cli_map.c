/* throng map: what a map holds, and a picture of it. */
#include <stdlib.h>

#include "cli.h"
#include "json.h"
#include "map_readers.h"
#include "map_write.h"
#include "navmesh.h"
#include "picture.h"

static const double BODY = 0.25; /* m: the mesh is that of an agent this size */

static void print_report(const throng_map *map)
{
    const throng_map_report *report = &map->report;
    if (report->format)
        printf("  format     %s, read in %.2f s\n", report->format, report->seconds);
    if (report->pixels_x > 0)
        printf("  image      %d x %d pixels of %.3g m\n", report->pixels_x, report->pixels_y, report->resolution);
    if (report->pixels_x > 0)
        printf("  cleaned    %d specks removed, %d pockets (%.1f m^2) left out, outlines %d -> %d points "
               "within %.2g m\n",
               report->specks, report->pockets, report->pocket_area, report->points_before, report->points_after,
               report->tolerance);
}

static void print_map(const throng_map *map)
{
    const throng_bounds *b = &map->bounds;
    printf("%s\n", map->name);
    printf("  size       %.2f x %.2f m, from (%.2f, %.2f) to (%.2f, %.2f)\n", b->x1 - b->x0, b->y1 - b->y0, b->x0,
           b->y0, b->x1, b->y1);
    printf("  free       %.1f m^2\n", map->area);
    printf("  walls      %d segments in %d outlines\n", map->point_count, map->ring_count);
    print_report(map);
    printf("  regions    %d", map->region_count);
    for (int32_t i = 0; i < map->region_count; i++)
        printf("%s%s", i ? ", " : ": ", map->regions[i].name);
    printf("\n");
}

static void print_mesh(const throng_navmesh *mesh)
{
    printf("  mesh       %d faces for a body of %.2f m, %.1f m^2, %d part%s that do%s not reach each other\n",
           mesh->face_count, mesh->radius, mesh->area, mesh->component_count, mesh->component_count == 1 ? "" : "s",
           mesh->component_count == 1 ? "es" : "");
}

static void print_json(const throng_map *map, const throng_navmesh *mesh)
{
    throng_json json = throng_json_open(stdout);
    throng_json_text(&json, "name", map->name);
    throng_json_number(&json, "x0", map->bounds.x0);
    throng_json_number(&json, "y0", map->bounds.y0);
    throng_json_number(&json, "x1", map->bounds.x1);
    throng_json_number(&json, "y1", map->bounds.y1);
    throng_json_number(&json, "area", map->area);
    throng_json_whole(&json, "walls", map->point_count);
    throng_json_whole(&json, "outlines", map->ring_count);
    throng_json_whole(&json, "specks", map->report.specks);
    throng_json_whole(&json, "pockets", map->report.pockets);
    throng_json_whole(&json, "faces", mesh->face_count);
    throng_json_whole(&json, "parts", mesh->component_count);
    throng_json_name(&json, "regions");
    fputc('[', stdout);
    for (int32_t i = 0; i < map->region_count; i++) {
        fputs(i ? ", " : "", stdout);
        throng_json_quote(stdout, map->regions[i].name);
    }
    fputc(']', stdout);
    throng_json_close(&json);
    putchar('\n');
}

static int fail(const throng_error *error)
{
    fprintf(stderr, "throng map: %s\n", error->text);
    return THRONG_EXIT_USAGE;
}

/* What the file cannot hold is said, so that nobody looks for it in vain. */
static bool write_map(const throng_map *map, const char *path, throng_error *error)
{
    if (!throng_map_write(path, map, error))
        return false;
    int32_t lost = map->region_count + map->door_count + map->properties.count;
    if (throng_map_ends_in(path, ".wkt") && lost)
        fprintf(stderr, "throng map: %s holds the floor only: %d regions, doors and properties have no place in it\n",
                path, lost);
    return true;
}

static int show(const throng_map *map, const char *png, bool json)
{
    throng_error error;
    throng_navmesh *mesh = throng_navmesh_build(map, BODY, &error);
    if (!mesh)
        return fail(&error);
    int code = THRONG_EXIT_DONE;
    if (json)
        print_json(map, mesh);
    else {
        print_map(map);
        print_mesh(mesh);
    }
    if (png && !throng_picture_map(png, map, mesh, &error))
        code = fail(&error);
    throng_navmesh_destroy(mesh);
    return code;
}

int throng_cli_map(int argc, char **argv)
{
    bool json = false;
    const char *png = NULL, *written = NULL;
    throng_map_options read = throng_map_options_default();
    throng_texts file = {.count = 0};
    throng_error error;
    const throng_option options[] = {{"--png", THRONG_OPTION_TEXT, &png, 0, 0},
                                     {"--write", THRONG_OPTION_TEXT, &written, 0, 0},
                                     {"--scale", THRONG_OPTION_NUMBER, &read.scale, 0, 1000},
                                     {"--json", THRONG_OPTION_SWITCH, &json, 0, 0},
                                     {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0}};
    if (!throng_cli_options("map", argc, argv, options, &file, 1))
        return THRONG_EXIT_USAGE;
    if (file.count == 0)
        return throng_cli_misuse("map", "which map? Give the path of an image, YAML, TMX, WKT, XML or Moving AI file");
    throng_map *map = throng_map_read(file.list[0], &read, &error);
    if (!map)
        return fail(&error);
    int code = written && !write_map(map, written, &error) ? fail(&error) : show(map, png, json);
    throng_map_destroy(map);
    return code;
}
