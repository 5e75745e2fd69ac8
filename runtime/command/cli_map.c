/* throng map: what a map holds, and a picture of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/file.h"
#include "base/output.h"
#include "base/json.h"
#include "base/clock.h"
#include "map/building.h"
#include "map/feature_roles.h"
#include "map/map_findings.h"
#include "map/map_floor.h"
#include "navigation/map_lint.h"
#include "navigation/map_outlines.h"
#include "map/map_random.h"
#include "map/map_write.h"
#include "navigation/path_search.h"
#include "picture/picture.h"
#include "script/script.h"
#include "world/world.h"

enum { SHOWN = 12 /* findings of a kind */, SEARCHES = 2000 };

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
    else if (report->points_after)
        printf("  simplified %d -> %d corners of outlines, which moved %.2g m at most\n", report->points_before,
               report->points_after, report->deviation);
}

/* Each name once: polygons of one name follow each other. */
static void print_regions(const throng_map *map)
{
    printf("  regions    %d", map->region_count);
    for (int32_t i = 0; i < map->region_count; i++)
        if (i == 0 || strcmp(map->regions[i - 1].name, map->regions[i].name) != 0)
            printf("%s%s", i ? ", " : ": ", map->regions[i].name);
    printf("\n");
}

static void print_doors(const throng_map *map)
{
    for (int32_t i = 0; i < map->door_count; i++)
        printf("%s%s", i ? ", " : "  doors      ", map->doors[i].name);
    if (map->door_count)
        printf("\n");
}

/* Floors with their heights, the highest first, as one stands over the other; then what joins them. */
static void print_floors(const throng_map *map)
{
    const throng_map_sheets *s = map->sheets;
    for (int32_t i = s ? throng_map_floors(s) - 1 : -1; i >= 0; i--)
        printf("  %-10s %s, z = %g m\n", throng_sheet_kinds[s->list[i].kind], s->list[i].name, s->list[i].z);
    for (int32_t i = 0; s && i < s->count; i++)
        if (s->list[i].flight && throng_map_first_of_part(s, i) == i)
            printf("  %-10s %s, from %s to %s\n", throng_sheet_kinds[s->list[i].kind], s->list[i].name,
                   s->list[throng_map_floor_of(s, i)].name, s->list[throng_map_floor_of(s, i + 1)].name);
    for (int32_t i = 0; s && i < s->lift_count; i++) {
        const throng_map_lift *l = &s->lifts[i];
        printf("  lift       %s for %d persons, at", s->list[s->stops[l->first].sheet].name, (int)l->capacity);
        for (int32_t k = l->first; k < l->first + l->count; k++)
            printf("%s %s", k > l->first ? "," : "", s->list[s->stops[k].floor].name);
        printf("\n");
    }
}

static void print_map(const throng_map *map)
{
    const throng_bounds *b = &map->bounds;
    printf("%s\n", map->name);
    printf("  size       %.2f x %.2f m, from (%.2f, %.2f) to (%.2f, %.2f)\n", b->x1 - b->x0, b->y1 - b->y0, b->x0,
           b->y0, b->x1, b->y1);
    printf("  free       %.1f m^2\n", map->area);
    printf("  walls      %d segments in %d outline%s\n", map->point_count, map->ring_count,
           map->ring_count == 1 ? "" : "s");
    print_report(map);
    print_floors(map);
    print_regions(map);
    print_doors(map);
}

/* s: that searches between random places take. */
static double time_searches(const throng_map *map, const throng_navmesh *mesh, throng_path_search *search)
{
    double seconds = 0;
    for (uint64_t q = 0; q < SEARCHES; q++) {
        int32_t expansions = INT32_MAX;
        throng_point from, to;
        if (!throng_map_random_point(map, NULL, 0, mesh->radius, 2 * q, &from) ||
            !throng_map_random_point(map, NULL, 0, mesh->radius, 2 * q + 1, &to))
            break;
        double start = throng_clock();
        throng_path_search_begin(search, mesh, from, to);
        throng_path_search_step(search, &expansions);
        seconds += throng_clock() - start;
    }
    return seconds;
}

/* us: the mean one, once their memory is warm. */
static double mean_search(const throng_map *map, const throng_navmesh *mesh)
{
    throng_path_search *search = throng_path_search_create();
    double seconds = NAN;
    for (int round = 0; search && round < 2; round++)
        seconds = time_searches(map, mesh, search);
    throng_path_search_destroy(search);
    return 1e6 * seconds / SEARCHES;
}

/* What it is that the mesh leaves its pillars out. */
static bool print_pillars(const throng_map *map, const throng_navmesh *mesh, throng_error *error)
{
    throng_map *whole = map->pillars > 0 ? throng_map_copy(map, error) : NULL;
    if (!whole)
        return !(map->pillars > 0);
    whole->pillars = 0;
    throng_navmesh *with = throng_navmesh_build(whole, mesh->radius, error);
    if (with) {
        printf("  pillars    %d, up to %.3g m wide, are not in the mesh; with them it has %d faces\n",
               mesh->pillars ? mesh->pillars->ring_count : 0, map->pillars, with->face_count);
        printf("  a path     is found in %.2f us, in %.2f us with them (the mean of %d between random places)\n",
               mean_search(map, mesh), mean_search(map, with), SEARCHES);
    }
    throng_map_destroy(whole);
    throng_navmesh_destroy(with);
    return with != NULL;
}

static void print_mesh(const throng_navmesh *mesh)
{
    printf("  mesh       %d face%s for a body of %.2g m radius, %.1f m^2", mesh->face_count,
           mesh->face_count == 1 ? "" : "s", mesh->radius, mesh->area);
    printf(", merged from %d triangles", mesh->edge_count - 2 * mesh->face_count);
    if (mesh->component_count > 1)
        printf(", %d parts that do not reach each other", mesh->component_count);
    printf(", built in %.2f s\n", mesh->seconds);
}

/* Where something is: its floor, and where it is there. */
static throng_point position_of(const throng_map *map, throng_point place, const char **floor)
{
    int32_t sheet = throng_map_sheet_at(map, place);
    *floor = map->sheets ? map->sheets->list[sheet].name : NULL;
    return throng_map_position(map, sheet, place);
}

/* Numbered as on the picture; of a kind with many only the first. */
static void print_findings(const throng_map *map, const throng_findings *findings)
{
    int32_t of_kind[THRONG_FINDING_COUNT] = {0};
    for (int32_t i = 0; i < findings->count; i++) {
        const throng_finding *f = &findings->list[i];
        if (i == 0)
            printf("  look at    %d finding%s\n", findings->count, findings->count == 1 ? "" : "s");
        if (++of_kind[f->kind] > SHOWN)
            continue;
        printf("    %4d  %-8s ", i + 1, throng_finding_name(f->kind));
        if (!isnan(f->at.x)) {
            const char *floor;
            throng_point at = position_of(map, f->at, &floor);
            printf("%s%s(%.2f, %.2f)  ", floor ? floor : "", floor ? " " : "", at.x, at.y);
        }
        printf("%s\n", f->text);
    }
    for (int kind = 0; kind < THRONG_FINDING_COUNT; kind++)
        if (of_kind[kind] > SHOWN)
            printf("          %-8s %d more: see --json\n", throng_finding_name((throng_finding_kind)kind),
                   of_kind[kind] - SHOWN);
}

static void print_json_findings(throng_json *json, const throng_map *map, const throng_findings *findings)
{
    throng_json_name(json, "findings");
    fputc('[', stdout);
    for (int32_t i = 0; i < findings->count; i++) {
        const throng_finding *f = &findings->list[i];
        fputs(i ? ", " : "", stdout);
        throng_json entry = throng_json_open(stdout);
        throng_json_text(&entry, "kind", throng_finding_name(f->kind));
        const char *floor = NULL;
        throng_point at = isnan(f->at.x) ? f->at : position_of(map, f->at, &floor);
        throng_json_number(&entry, "x", at.x);
        throng_json_number(&entry, "y", at.y);
        if (floor)
            throng_json_text(&entry, "floor", floor);
        throng_json_text(&entry, "text", f->text);
        throng_json_close(&entry);
    }
    fputc(']', stdout);
}

static void print_json_names(throng_json *json, const throng_map *map)
{
    throng_json_name(json, "regions");
    fputc('[', stdout);
    for (int32_t i = 0; i < map->region_count; i++) {
        fputs(i ? ", " : "", stdout);
        throng_json_quote(stdout, map->regions[i].name);
    }
    fputc(']', stdout);
    throng_json_name(json, "doors");
    fputc('[', stdout);
    for (int32_t i = 0; i < map->door_count; i++) {
        fputs(i ? ", " : "", stdout);
        throng_json_quote(stdout, map->doors[i].name);
    }
    fputc(']', stdout);
}

static void print_json(const throng_map *map, const throng_navmesh *mesh, const throng_findings *findings)
{
    throng_json json = throng_json_open(stdout);
    throng_json_text(&json, "name", map->name);
    throng_json_text(&json, "format", map->report.format);
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
    throng_json_whole(&json, "pillars", mesh->pillars ? mesh->pillars->ring_count : 0);
    throng_json_number(&json, "mesh_ms", 1e3 * mesh->seconds);
    throng_json_whole(&json, "parts", mesh->component_count);
    throng_json_number(&json, "read_seconds", map->report.seconds);
    throng_json_number(&json, "mesh_seconds", mesh->seconds);
    print_json_names(&json, map);
    print_json_findings(&json, map, findings);
    throng_json_close(&json);
    putchar('\n');
}

static int fail(const throng_error *error)
{
    fprintf(stderr, "throng map: %s\n", error->text);
    return THRONG_EXIT_USAGE;
}

/* The map of a scenario's world. */
static throng_map *read_scenario(const char *path, const throng_texts *params, throng_error *error)
{
    throng_scenario scenario;
    throng_map *map = NULL;
    throng_script_def limits = throng_script_def_default();
    const throng_overrides overrides = {
        .backend = "cpu", .simd = -1, .threads = 1, .params = params->list, .param_count = params->count};
    throng_script *script = throng_script_create(&limits, error);
    if (script && throng_script_load(script, path, &overrides, &scenario, error)) {
        const throng_map *own = throng_world_map(scenario.world);
        map = own ? throng_map_copy(own, error) : NULL;
        if (!own)
            throng_fail(error, "%s: its world has no map", path);
    }
    throng_script_destroy(script);
    return map;
}

static throng_map *read_map(const char *path, const throng_map_options *options, const throng_texts *params,
                            throng_error *error)
{
    const throng_map_options usual = throng_map_options_default();
    bool is_script = throng_file_ends_in(path, ".lua");
    bool is_told =
        options->layers || options->scale > 0 || options->thickness != usual.thickness || !isnan(options->level);
    if (is_script ? is_told : params->count > 0) {
        throng_fail(error,
                    is_script ? "%s is a scenario, which says what its map is: leave out --scale, --layers, "
                                "--thickness and --level"
                              : "%s is no scenario: --set is for parameters of a .lua file",
                    path);
        return NULL;
    }
    return is_script ? read_scenario(path, params, error) : throng_map_read(path, options, error);
}

/* What the file cannot hold is said, so that nobody looks for it in vain. */
static bool write_map(const throng_map *map, const char *path, throng_error *error)
{
    if (!throng_map_write(path, map, error))
        return false;
    int32_t lost = map->region_count + map->door_count + map->properties.count;
    if (throng_file_ends_in(path, ".wkt") && lost)
        fprintf(stderr, "throng map: %s holds the floor only: %d regions, doors and properties have no place in it\n",
                path, lost);
    return true;
}

void throng_cli_note_findings(const throng_map *map, const char *scenario)
{
    throng_findings findings = {0};
    int32_t of_kind[THRONG_FINDING_COUNT] = {0}, kinds = 0;
    if (!map || !throng_map_lint(map, THRONG_MAP_BODY, NULL, &findings, NULL))
        return throng_findings_fini(&findings);
    for (int32_t i = 0; i < findings.count; i++)
        of_kind[findings.list[i].kind]++;
    for (int kind = 0; kind < THRONG_FINDING_COUNT; kind++)
        if (of_kind[kind])
            fprintf(stderr, "%s%s %d",
                    kinds++ ? ", " : "look at the map: ", throng_finding_name((throng_finding_kind)kind),
                    of_kind[kind]);
    if (kinds)
        fprintf(stderr, "; throng map %s --png OUT shows where\n", map->report.format ? map->name : scenario);
    throng_findings_fini(&findings);
}

static bool print_all(const throng_map *map, const throng_navmesh *mesh, const char *png, bool json,
                      throng_error *error)
{
    throng_findings findings = {0};
    bool fine = throng_map_lint(map, mesh->radius, mesh, &findings, error);
    if (fine && json)
        print_json(map, mesh, &findings);
    if (fine && !json) {
        print_map(map);
        print_mesh(mesh);
        fine = print_pillars(map, mesh, error);
        print_findings(map, &findings);
    }
    fine = fine && (!png || throng_picture_map(png, map, mesh, &findings, error));
    throng_findings_fini(&findings);
    return fine;
}

static int show(const throng_map *map, double radius, const char *png, bool json)
{
    throng_error error;
    throng_navmesh *mesh = throng_navmesh_build(map, radius, &error);
    if (!mesh)
        return fail(&error);
    bool fine = print_all(map, mesh, png, json, &error);
    throng_navmesh_destroy(mesh);
    return fine ? THRONG_EXIT_DONE : fail(&error);
}

int throng_cli_map(int argc, char **argv)
{
    bool json = false;
    double radius = THRONG_MAP_BODY, pillars = 0, simplify = 0;
    const char *png = NULL, *written = NULL, *layers = NULL;
    char patterns[4096];
    throng_map_options read = throng_map_options_default();
    throng_texts file = {.count = 0}, params = {.count = 0};
    throng_error error;
    const throng_option options[] = {{"--png", THRONG_OPTION_TEXT, &png, 0, 0},
                                     {"--write", THRONG_OPTION_TEXT, &written, 0, 0},
                                     {"--scale", THRONG_OPTION_NUMBER, &read.scale, 1e-6, 1000},
                                     {"--layers", THRONG_OPTION_TEXT, &layers, 0, 0},
                                     {"--thickness", THRONG_OPTION_NUMBER, &read.thickness, 0.001, 10},
                                     {"--level", THRONG_OPTION_NUMBER, &read.level, -1000, 1000},
                                     {"--set", THRONG_OPTION_LIST, &params, 0, 0},
                                     {"--radius", THRONG_OPTION_NUMBER, &radius, 0, 100},
                                     {"--simplify", THRONG_OPTION_NUMBER, &simplify, 0, 100},
                                     {"--pillars", THRONG_OPTION_NUMBER, &pillars, 0, 1000},
                                     {"--json", THRONG_OPTION_SWITCH, &json, 0, 0},
                                     {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0}};
    throng_output_clean_at_signals();
    if (!throng_cli_options("map", argc, argv, options, &file, 1))
        return THRONG_EXIT_USAGE;
    if (file.count == 0)
        return throng_cli_misuse("map", "which map? Give the path of an image, YAML, TMX, WKT, XML, DXF, GeoJSON, "
                                        "GeoPackage, shapefile, OSM, SVG or Moving AI file, or of a scenario");
    if (layers && !throng_roles_parse(layers, patterns, sizeof patterns, &error))
        return throng_cli_misuse("map", "--layers: %s", error.text);
    read.layers = layers ? patterns : NULL;
    const throng_output_name outputs[] = {{"--png", png}, {"--write", written}};
    if (!throng_output_apart(outputs, 2, &error))
        return fail(&error);
    if (png)
        throng_output_spare(file.list[0]);
    if (png && !throng_picture_check(png, &error))
        return fail(&error);
    throng_map *map = read_map(file.list[0], &read, &params, &error);
    if (!map)
        return fail(&error);
    if (pillars > 0)
        map->pillars = pillars;
    if (!throng_map_simplify_outlines(map, simplify, &error)) {
        throng_map_destroy(map);
        return fail(&error);
    }
    int code = written && !write_map(map, written, &error) ? fail(&error) : show(map, radius, png, json);
    throng_map_destroy(map);
    return code;
}
