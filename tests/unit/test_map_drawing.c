/* Drawings as maps: DXF, GeoJSON, GeoPackage, shapefiles and OpenStreetMap by GDAL, what their layers are, their units,
 * and what is said of those that are wrong. */
#include "map_checks.h"
#include "map_files.h"
#include "map/feature_levels.h"
#include "map/feature_roles.h"
#include "map/ogr.h"
#include "skips.h"

#include <dlfcn.h>
#include <math.h>

/* A DXF in millimetres (INSUNITS 4) unless `unit` says otherwise: two rooms of 10 x 6 m with walls on A-WALL, an
 * opening of 1 m between them with a line of A-DOOR across it, a closed line of A-AREA, a table as a block, a round
 * column. */
static const char *write_dxf(const char *name, int unit, double size)
{
    static char text[8192];
    char *at = text;
#define PUT(...) at += snprintf(at, (size_t)(text + sizeof text - at), __VA_ARGS__)
    PUT("0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1015\n");
    if (unit)
        PUT("9\n$INSUNITS\n70\n     %d\n", unit);
    PUT("0\nENDSEC\n");
    PUT("0\nSECTION\n2\nBLOCKS\n0\nBLOCK\n8\n0\n2\nTABLE\n70\n0\n10\n0\n20\n0\n30\n0\n");
    PUT("0\nLWPOLYLINE\n5\nB1\n100\nAcDbEntity\n8\nA-COLS\n100\nAcDbPolyline\n90\n4\n70\n1\n");
    const double side = 0.4 * size;
    PUT("10\n0\n20\n0\n10\n%g\n20\n0\n10\n%g\n20\n%g\n10\n0\n20\n%g\n0\nENDBLK\n0\nENDSEC\n", side, side, side, side);
    PUT("0\nSECTION\n2\nENTITIES\n");
    static const double lines[][4] = {{0, 0, 10, 0}, {10, 0, 10, 6}, {10, 6, 0, 6},
                                      {0, 6, 0, 0},  {6, 0, 6, 2.5}, {6, 3.5, 6, 6}};
    for (int i = 0; i < 6; i++)
        PUT("0\nLINE\n5\n%d\n8\nA-WALL\n10\n%g\n20\n%g\n30\n0\n11\n%g\n21\n%g\n31\n0\n", i + 1, size * lines[i][0],
            size * lines[i][1], size * lines[i][2], size * lines[i][3]);
    PUT("0\nLINE\n5\n7\n8\nA-DOOR\n10\n%g\n20\n%g\n30\n0\n11\n%g\n21\n%g\n31\n0\n", 6 * size, 2.5 * size, 6 * size,
        3.5 * size);
    PUT("0\nLWPOLYLINE\n5\n8\n100\nAcDbEntity\n8\nA-AREA\n100\nAcDbPolyline\n90\n4\n70\n1\n");
    PUT("10\n%g\n20\n%g\n10\n%g\n20\n%g\n10\n%g\n20\n%g\n10\n%g\n20\n%g\n", size, size, 5 * size, size, 5 * size,
        5 * size, size, 5 * size);
    PUT("0\nCIRCLE\n5\nA\n8\nA-COLS\n10\n%g\n20\n%g\n30\n0\n40\n%g\n", 8 * size, 3 * size, 0.3 * size);
    PUT("0\nINSERT\n5\nC\n8\nA-COLS\n2\nTABLE\n10\n%g\n20\n%g\n30\n0\n", 3 * size, 3 * size);
    PUT("0\nLWPOLYLINE\n5\nD\n100\nAcDbEntity\n8\nA-SLAB\n100\nAcDbPolyline\n90\n4\n70\n1\n");
    PUT("10\n0\n20\n0\n10\n%g\n20\n0\n10\n%g\n20\n%g\n10\n0\n20\n%g\n", 10 * size, 10 * size, 6 * size, 6 * size);
    PUT("0\nLINE\n5\nE\n8\nA-NOTE\n10\n0\n20\n0\n30\n0\n11\n%g\n21\n0\n31\n0\n0\nENDSEC\n0\nEOF\n", size);
#undef PUT
    return write_text(name, text);
}

static void need_gdal(void)
{
    throng_error error;
    if (!throng_ogr_load(&error))
        skip_because("no GDAL");
}

static throng_map *read_layers(const char *path, const char *line)
{
    char patterns[1024];
    throng_error error = {""};
    throng_map_options options = throng_map_options_default();
    if (line && !throng_roles_parse(line, patterns, sizeof patterns, &error))
        fail_msg("%s", error.text);
    options.layers = line ? patterns : NULL;
    throng_map *map = throng_map_read(path, &options, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static void assert_finding(const throng_map *map, const char *text)
{
    for (int32_t i = 0; i < map->findings.count; i++)
        if (strstr(map->findings.list[i].text, text))
            return;
    fail_msg("no finding says '%s'", text);
}

/* 10 x 6 m less half of the outer walls' 10 cm, the wall between, the table and the column. */
static const double FREE = 9.9 * 5.9 - 0.1 * (2.45 + 2.45 - 0.1) - 0.4 * 0.4 - 3.14159265 * 0.3 * 0.3;

static void layers_are_known_by_their_names(void **state)
{
    (void)state;
    need_gdal();
    throng_map *map = read_layers(write_dxf("plan.dxf", 4, 1000), NULL);
    assert_sound(map);
    assert_near(map->area, FREE, 0.02);
    assert_int_equal(map->region_count, 1);
    assert_string_equal(map->regions[0].name, "A-AREA");
    assert_int_equal(map->door_count, 1);
    assert_string_equal(map->doors[0].name, "A-DOOR 1");
    assert_near(fabs(map->doors[0].b.y - map->doors[0].a.y), 1, 1e-6);
    assert_false(throng_map_fits(map, (throng_point){3.2, 3.2}, 0)); /* in the table, which is a block */
    assert_false(throng_map_fits(map, (throng_point){8, 3}, 0));     /* in the column, which is a closed line */
    assert_true(throng_map_fits(map, (throng_point){6, 3}, 0.4));    /* in the opening */
    assert_finding(map, "a unit of the file is 0.001 m");
    assert_finding(map, "layer \"A-NOTE\": 1 of 1 features have no role");
    throng_map_destroy(map);
}

static void layers_are_what_they_are_said_to_be(void **state)
{
    (void)state;
    need_gdal();
    const char *path = write_dxf("plan.dxf", 4, 1000);
    throng_map *map = read_layers(path, "walls=a-wall,A-COLS;boundary=A-SL?B");
    assert_int_equal(map->region_count, 0);
    assert_int_equal(map->door_count, 0);
    assert_true(throng_map_fits(map, (throng_point){8, 3}, 0.1)); /* closed lines of walls are hollow */
    assert_finding(map, "layer \"A-DOOR\": 1 of 1 features have no role");
    throng_map_destroy(map);
    throng_error error;
    char patterns[64];
    assert_false(throng_roles_parse("wals=A", patterns, sizeof patterns, &error));
    assert_non_null(strstr(error.text, "no role 'wals'"));
    assert_false(throng_roles_parse("A-WALL", patterns, sizeof patterns, &error));
    assert_false(throng_roles_parse("walls=", patterns, sizeof patterns, &error));
    throng_map_options options = throng_map_options_default();
    options.layers = "walls NOTHING\n";
    assert_null(throng_map_read(path, &options, &error));
    assert_non_null(
        strstr(error.text, "It has: A-WALL (6), A-DOOR (1), A-AREA (1), A-COLS (2), A-SLAB (1), A-NOTE (1)"));
}

static void units_are_the_files_or_guessed(void **state)
{
    (void)state;
    need_gdal();
    static const struct {
        int unit;
        double size;
        const char *finding;
    } cases[] = {{6, 1, NULL},
                 {5, 100, "a unit of the file is 0.01 m"},
                 {2, 1 / 0.3048, "a unit of the file is 0.3048 m"},
                 {10, 1 / 0.9144, "a unit of the file is 0.9144 m"},
                 {14, 10, "a unit of the file is 0.1 m"},
                 {24, 1 / 1609.347219, "a unit of the file is 1609.35 m"},
                 {0, 1, NULL},
                 {0, 1000, "names no unit; a plan 10000 units wide is taken for one in millimetres"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        throng_map *map = read_layers(write_dxf("plan.dxf", cases[i].unit, cases[i].size), NULL);
        assert_near(map->area, FREE, 0.02);
        if (cases[i].finding)
            assert_finding(map, cases[i].finding);
        throng_map_destroy(map);
    }
    throng_error error;
    throng_map_options options = throng_map_options_default();
    options.scale = 0.5;
    throng_map *map = throng_map_read(write_dxf("plan.dxf", 6, 2), &options, &error); /* what is said goes before */
    assert_non_null(map);
    assert_near(map->area, FREE, 0.02);
    throng_map_destroy(map);
}

static const char geojson[] =
    "{\"type\":\"FeatureCollection\",%s\"features\":["
    "{\"type\":\"Feature\",\"properties\":{\"role\":\"boundary\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
    "[[[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f]]]}},"
    "{\"type\":\"Feature\",\"properties\":{\"building\":\"yes\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
    "[[[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f]],"
    "[[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f]]]}},"
    "{\"type\":\"Feature\",\"properties\":{\"indoor\":\"area\",\"name\":\"stage\"},\"geometry\":{\"type\":\"Polygon\","
    "\"coordinates\":[[[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f],[%.7f,%.7f]]]}}]}";

/* A square of 60 x 60, a house of 20 x 20 in it with a yard of 10 x 10, a stage of 5 x 5; from (x, y) on. */
static const char *write_geojson(const char *name, const char *crs, double x, double y, double across, double up)
{
    char text[4096];
#define BOX(a, b, c, d)                                                                                                \
    x + across *(a), y + up *(b), x + across *(c), y + up *(b), x + across *(c), y + up *(d), x + across *(a),         \
        y + up *(d), x + across *(a), y + up *(b)
    snprintf(text, sizeof text, geojson, crs, BOX(0, 0, 60, 60), BOX(10, 10, 30, 30), BOX(15, 15, 25, 25),
             BOX(40, 40, 45, 45));
#undef BOX
    return write_text(name, text);
}

static const char metres[] = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::25832\"}},";

/* A function of GDAL's that throng does not use. */
static void *gdal_function(const char *name)
{
    Dl_info info;
    assert_true(dladdr((void *)(uintptr_t)throng_ogr_load(NULL)->GDALOpenEx, &info));
    void *library = dlopen(info.dli_fname, RTLD_NOW), *function = dlsym(library, name);
    dlclose(library); /* throng keeps it */
    assert_non_null(function);
    return function;
}

/* GDAL's own, of a reference that is NONE; for AddressSanitizer, which others do not know. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libgdal"; }

/* The file `from` as the file `name`, of the format that its ending says, as ogr2ogr makes it with that reference. */
static const char *converted(const char *from, const char *name, const char *reference)
{
    typedef void *make(char **words, void *unused);
    typedef void *convert(const char *path, void *into, int count, void **from, void *options, int *misused);
    const throng_ogr *ogr = throng_ogr_load(NULL);
    char option[] = "-a_srs", *words[] = {option, strdup(reference), NULL};
    void *options = ((make *)(uintptr_t)gdal_function("GDALVectorTranslateOptionsNew"))(words, NULL);
    void *dataset = ogr->GDALOpenEx(from, 4, NULL, NULL, NULL);
    const char *path = in_folder(name);
    unlink(path);
    void *made = ((convert *)(uintptr_t)gdal_function("GDALVectorTranslate"))(path, NULL, 1, &dataset, options, NULL);
    if (!made)
        fail_msg("%s: %s", name, ogr->CPLGetLastErrorMsg());
    ((void (*)(void *))(uintptr_t)gdal_function("GDALVectorTranslateOptionsFree"))(options);
    ogr->GDALClose(made);
    ogr->GDALClose(dataset);
    free(words[1]);
    return path;
}

static void geopackages_and_shapefiles_are_read_by_their_attributes(void **state)
{
    (void)state;
    need_gdal();
    static const char *const names[][3] = {{"square.gpkg", "feet.gpkg", "nowhere.gpkg"},
                                           {"square.shp", "feet.shp", "nowhere.shp"}};
    for (int i = 0; i < 2; i++) {
        const char *path = converted(write_geojson("square.geojson", metres, 0, 0, 1, 1), names[i][0], "EPSG:25832");
        throng_map *map = read_layers(path, NULL);
        assert_sound(map);
        assert_near(map->area, 3600 - 400 + 100, 1e-3);
        assert_int_equal(map->region_count, 1);
        assert_string_equal(map->regions[0].name, "stage");
        assert_false(throng_map_fits(map, (throng_point){12, 12}, 0));
        assert_int_equal(map->findings.count, 0);
        throng_map_destroy(map);
        map = read_layers(path, "boundary=role=boundary;doors=square*");
        assert_near(map->area, 3600, 1e-3);
        assert_int_equal(map->door_count, 2); /* by the name of the layer */
        throng_map_destroy(map);
        path = converted(write_geojson("feet.geojson", metres, 0, 0, 1 / 0.3048, 1 / 0.3048), names[i][1], "EPSG:2222");
        map = read_layers(path, NULL); /* Arizona's */
        assert_near(map->area, 3600 - 400 + 100, 1e-3);
        assert_finding(map, "a unit of the file is 0.3048 m, as it says");
        throng_map_destroy(map);
        path = converted(write_geojson("nowhere.geojson", metres, 0, 0, 1000, 1000), names[i][2], "NONE");
        map = read_layers(path, NULL);
        assert_near(map->area, 3600 - 400 + 100, 1e-3);
        assert_finding(map, "names no unit; a plan 60000 units wide is taken for one in millimetres");
        throng_map_destroy(map);
    }
}

static void gaps_are_closed_and_told_with_lines_that_do_not_close(void **state)
{
    (void)state;
    need_gdal();
    static const char lines[] =
        "{\"type\":\"FeatureCollection\",\"features\":["
        "{\"type\":\"Feature\",\"properties\":{\"role\":\"wall\"},\"geometry\":{\"type\":\"LineString\","
        "\"coordinates\":[[0,0],[20,0],[20,10],[0,10],[0,0.06]]}},"
        "{\"type\":\"Feature\",\"properties\":{\"role\":\"region\"},\"geometry\":{\"type\":\"LineString\","
        "\"coordinates\":[[1,1],[5,1],[5,5]]}}]}";
    static const char *const names[][2] = {{"hall.gpkg", "feature 2 of layer \"lines\""},
                                           {"hall.shp", "feature 1 of layer \"hall\""}};
    for (int i = 0; i < 2; i++) {
        throng_map *map = read_layers(converted(write_text("lines.geojson", lines), names[i][0], "EPSG:25832"), NULL);
        assert_near(map->area, 19.9 * 9.9, 1e-3);
        assert_finding(map, "a gap of 0.06 m in the walls was closed: they are 0.1 m thick");
        assert_finding(map, names[i][1]);
        assert_finding(map, " is a line that does not close, and was left out");
        throng_map_destroy(map);
    }
}

static void arcs_are_lines_within_millimetres(void **state)
{
    (void)state;
    need_gdal();
    throng_map *map = read_layers(
        write_text("round.dxf",
                   "0\nSECTION\n2\nENTITIES\n0\nCIRCLE\n8\nWALL\n10\n0\n20\n0\n40\n50\n0\nENDSEC\n0\nEOF\n"),
        NULL);
    assert_near(map->area, M_PI * 49.95 * 49.95, 0.002 * 2 * M_PI * 50);
    throng_map_destroy(map);
}

static void degrees_are_laid_out_as_metres(void **state)
{
    (void)state;
    need_gdal();
    double degree = 6371008.8 * M_PI / 180;
    const char *path =
        write_geojson("square.geojson", "", 8.55, 47.37, 1 / (degree * cos(47.37027 * M_PI / 180)), 1 / degree);
    throng_map *map = read_layers(path, NULL);
    assert_near(map->bounds.x1 - map->bounds.x0, 60, 0.05);
    assert_near(map->bounds.y1 - map->bounds.y0, 60, 0.05);
    assert_near(map->area, 3600 - 400 + 100, 8); /* buildings have yards */
    assert_true(throng_map_fits(map, (throng_point){20, 20}, 1));
    assert_false(throng_map_fits(map, (throng_point){12, 12}, 0));
    assert_string_equal(map->regions[0].name, "stage");
    assert_finding(map, "degrees are laid out as metres about latitude 47.3703");
    throng_map_destroy(map);
}

static void degrees_that_are_none_are_metres(void **state)
{
    (void)state;
    need_gdal();
    throng_map *map = read_layers(write_geojson("plain.geojson", "", 0, 0, 1, 1), NULL);
    assert_near(map->area, 3600 - 400 + 100, 1e-3);
    assert_finding(map, "a plan 60 degrees wide is taken for one in metres");
    throng_map_destroy(map);
    map = read_layers(write_geojson("plain.geojson", "", 0, 0, 1000, 1000), NULL);
    assert_near(map->area, 3600 - 400 + 100, 1e-3);
    assert_finding(map, "a plan 60000 units wide is taken for one in millimetres");
    throng_map_destroy(map);
}

static void what_is_far_off_is_moved(void **state)
{
    (void)state;
    need_gdal();
    throng_map *map = read_layers(write_geojson("far.geojson", metres, 465000.5, 5247000.25, 1, 1), NULL);
    assert_near(map->bounds.x0, 0.5, 1e-6);
    assert_near(map->bounds.y0, 0.25, 1e-6);
    assert_near(map->area, 3600 - 400 + 100, 1e-3);
    assert_finding(map, "moved by (-465000, -5247000) m");
    throng_map_destroy(map);
}

/* As OpenStreetMap has buildings: two rooms of 15 x 20 m on the ground with a door of 1.5 m in the wall that they
 * share, and one of no width to the outside; above them one wall, and a stairwell on both. */
#define LEVEL_0 "<tag k=\"level\" v=\"0\"/>"
static const char *write_osm(const char *name)
{
    static char text[8192];
    static const double nodes[][2] = {{0, 0},   {15, 0},  {30, 0}, {30, 20}, {15, 20}, {0, 20}, {15, 10},
                                      {30, 12}, {40, 10}, {5, 5},  {8, 5},   {8, 12},  {5, 12}, {15, 17}};
    static const char *const tags[] = {[6] = "<tag k=\"door\" v=\"hinged\"/><tag k=\"width\" v=\"1.5 m\"/>" LEVEL_0,
                                       [7] = "<tag k=\"inscription\" v=\"&quot;main&quot;, \\\"/>" LEVEL_0
                                             "<tag k=\"door\" v=\"yes\"/>",
                                       [8] = "<tag k=\"door\" v=\"yes\"/>",
                                       [13] = "<tag k=\"barrier\" v=\"bollard\"/>"};
    double degree = 6371008.8 * M_PI / 180, across = degree * cos(47.00009 * M_PI / 180);
    char *at = text;
#define PUT(...) at += snprintf(at, (size_t)(text + sizeof text - at), __VA_ARGS__)
    PUT("<?xml version=\"1.0\"?>\n<osm version=\"0.6\">\n");
    for (int i = 0; i < 14; i++)
        PUT("<node id=\"%d\" lat=\"%.9f\" lon=\"%.9f\">%s</node>\n", i + 1, 47 + nodes[i][1] / degree,
            8 + nodes[i][0] / across, tags[i] ? tags[i] : "");
    static const struct {
        int nodes[8];
        const char *indoor, *name, *levels;
    } ways[] = {{{1, 2, 7, 14, 5, 6, 1}, "room", "Hall", "\"level\" v=\"0\""},
                {{2, 3, 8, 4, 5, 14, 7, 2}, "room", "Shop", "\"level\" v=\"0\""},
                {{1, 2, 3, 4, 5, 6, 1}, "wall", "", "\"level\" v=\"1\""},
                {{10, 11, 12, 13, 10}, "wall", "", "\"level\" v=\"0\"/><tag k=\"repeat_on\" v=\"1-2\""}};
    for (int i = 0; i < 4; i++) {
        PUT("<way id=\"%d\">", i + 100);
        for (int n = 0; n < 8 && ways[i].nodes[n]; n++)
            PUT("<nd ref=\"%d\"/>", ways[i].nodes[n]);
        PUT("<tag k=\"indoor\" v=\"%s\"/><tag k=\"name\" v=\"%s\"/><tag k=%s/></way>\n", ways[i].indoor, ways[i].name,
            ways[i].levels);
    }
    PUT("<relation id=\"7\"><member type=\"way\" ref=\"100\" role=\"outer\"/><member type=\"way\" ref=\"999\" "
        "role=\"outer\"/><tag k=\"type\" v=\"multipolygon\"/><tag k=\"indoor\" v=\"room\"/>" LEVEL_0
        "</relation>\n</osm>\n");
#undef PUT
    return write_text(name, text);
}

static throng_map *read_level(const char *path, double level, throng_error *error)
{
    throng_map_options options = throng_map_options_default();
    options.level = level;
    return throng_map_read(path, &options, error);
}

static void openstreetmap_has_rooms_doors_and_levels(void **state)
{
    (void)state;
    need_gdal();
    throng_error error = {""};
    const char *path = write_osm("mall.osm");
    throng_map *map = read_level(path, 0, &error);
    if (!map)
        fail_msg("%s", error.text);
    assert_sound(map);
    assert_int_equal(map->region_count, 2);
    assert_string_equal(map->regions[0].name, "Hall");
    assert_near(map->bounds.x0, 0.05, 1e-3); /* within walls, and to the middle of the outer door */
    assert_near(map->bounds.x1, 30.05, 1e-3);
    assert_int_equal(map->door_count, 2);
    assert_near(fabs(map->doors[0].b.y - map->doors[0].a.y), 1.5, 0.01);
    assert_near(fabs(map->doors[1].b.y - map->doors[1].a.y), 1, 0.01);
    assert_true(throng_map_fits(map, (throng_point){15, 10.3}, 0.3));   /* in the door between the rooms */
    assert_false(throng_map_fits(map, (throng_point){15, 11}, 0.1));    /* in the wall beside it */
    assert_true(throng_map_fits(map, (throng_point){29.7, 12.1}, 0.3)); /* in the door to the outside */
    assert_false(throng_map_fits(map, (throng_point){5, 8}, 0.1));      /* in the stairwell's wall */
    assert_finding(map, "feature 9 of layer \"points\" is a door on no wall, and was left out");
    assert_finding(map, "doors that are points without a width were taken for 1 m wide: 1");
    assert_finding(map, "layer \"points\": 1 of 4 features have no role");
    assert_finding(map, "relation 7 has ways that the file lacks, and was left out");
    throng_map_destroy(map);
    assert_non_null(map = read_level(path, 1, &error)); /* lies as the ground does */
    assert_int_equal(map->region_count, 0);
    assert_true(throng_map_fits(map, (throng_point){15, 11}, 0.4));
    assert_false(throng_map_fits(map, (throng_point){5, 8}, 0.1));
    assert_false(throng_map_fits(map, (throng_point){29.7, 12.1}, 0.3));
    throng_map_destroy(map);
    assert_non_null(map = read_level(path, 2, &error)); /* the stairwell alone, where it is */
    assert_near(map->bounds.x0, 5.05, 0.01);
    throng_map_destroy(map);
    assert_null(read_level(path, 3, &error));
    assert_non_null(strstr(error.text, "mall.osm: nothing is on level 3; its features are on: 0, 1, 2"));
    assert_non_null(map = read_level(path, NAN, &error));
    assert_finding(map, "features of levels 0, 1, 2 lie over each other: level = N takes one of these");
    throng_map_destroy(map);
    assert_null(read_level(write_geojson("square.geojson", "", 8, 47, 1e-5, 1e-5), 0, &error));
    assert_non_null(strstr(error.text, "nothing is on level 0; its features are on: none, since they say no level"));
}

static void levels_are_lists_and_ranges(void **state)
{
    (void)state;
    assert_true(throng_level_is_in("0", 0) && throng_level_is_in("-1;2", 2) && throng_level_is_in("-2--1", -1));
    assert_true(throng_level_is_in("-1-2", 1) && throng_level_is_in("0; 3-4", 3.5) && throng_level_is_in("0.5", 0.5));
    assert_false(throng_level_is_in("1;3", 2) || throng_level_is_in("", 0) || throng_level_is_in("ground", 0));
    assert_false(throng_level_is_in("0-", 0) || throng_level_is_in("1;x;0", 0));
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    need_gdal();
    assert_read_fails(write_text("bad.dxf", "garbage\n"), "bad.dxf: GDAL cannot read it as DXF");
    assert_read_fails(in_folder("none.dxf"), "none.dxf: cannot be read: No such file");
    assert_read_fails(write_text("bad.geojson", "{\"type\":\"FeatureCollection\",\"features\":[{]}"),
                      "bad.geojson: GDAL");
    assert_read_fails(write_text("empty.geojson", "{\"type\":\"FeatureCollection\",\"features\":[]}"),
                      "no layer of it is taken for walls or the boundary");
    assert_read_fails(write_text("bad.osm", "<osm version=\"0.6\"><node id=\"1\" lat=\"x"), "bad.osm: ");
    assert_read_fails("/vsicurl/http://localhost/a.geojson", "cannot be read");
}

static char bytes[1 << 18];

/* Reads the file into `bytes`; how many they are. */
static size_t bytes_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    assert_in_range(count, 1, sizeof bytes - 1);
    fclose(file);
    return count;
}

static const char *cut(const char *path, const char *name, size_t count)
{
    assert_true(bytes_of(path) > count);
    return write_bytes(name, bytes, count);
}

/* A GeoPackage of three features with the second's points spoiled. */
static const char *spoiled(const char *path, const char *name)
{
    size_t count = bytes_of(path);
    char *first = memmem(bytes, count, "GP\0", 3);
    assert_non_null(first);
    char *second = memmem(first + 3, count - (size_t)(first + 3 - bytes), "GP\0", 3);
    assert_non_null(second);
    memset(second + 40, 0xff, 20);
    return write_bytes(name, bytes, count);
}

/* A wall as a spline that has points to go through and no others. */
static void what_gdal_skips_in_a_dxf_is_told(void **state)
{
    (void)state;
    need_gdal();
    throng_map *map =
        read_layers(write_text("spline.dxf", "0\nSECTION\n2\nENTITIES\n0\nSPLINE\n8\nWALL\n70\n8\n71\n3\n72\n0\n73\n0\n"
                                             "74\n2\n11\n0\n21\n0\n11\n5\n21\n5\n"
                                             "0\nPOINT\n5\n2F\n8\nNOTE\n10\n0\n20\n0\n"
                                             "0\nCIRCLE\n8\nWALL\n10\n0\n20\n0\n40\n9\n0\nENDSEC\n0\nEOF\n"),
                    NULL);
    assert_finding(map, "before entity 2F of layer \"NOTE\" something cannot be read, and was left out: ");
    throng_map_destroy(map);
}

/* GDAL leaves out what it cannot read. */
static void plans_without_what_is_damaged_are_refused(void **state)
{
    (void)state;
    need_gdal();
    const char *plan = write_geojson("square.geojson", metres, 0, 0, 1, 1);
    assert_read_fails(cut(converted(plan, "square.shp", "EPSG:25832"), "square.shp", 330),
                      "square.shp: feature 1 of layer \"square\" cannot be read: ");
    assert_read_fails(spoiled(converted(plan, "square.gpkg", "EPSG:25832"), "bad.gpkg"),
                      "bad.gpkg: feature 2 of layer \"square\" cannot be read: ");
    assert_read_fails(cut(in_folder("square.gpkg"), "bad.gpkg", 300), "bad.gpkg: GDAL cannot read it as GPKG");
    assert_read_fails(cut(write_dxf("plan.dxf", 4, 1000), "cut.dxf", 700),
                      "cut.dxf: its end is missing: a DXF ends with EOF");
    assert_read_fails(cut(write_osm("mall.osm"), "cut.osm", 1500), "cut.osm: ");
}

static int heard;

static void hear(int severity, int number, const char *text)
{
    (void)severity, (void)number, (void)text;
    heard++;
}

/* A program that uses GDAL itself keeps its handler of errors and its settings. */
static void gdal_is_as_it_was(void **state)
{
    (void)state;
    need_gdal();
    typedef void *set(void (*handler)(int, int, const char *));
    typedef const char *option(const char *key, const char *otherwise);
    void *before = ((set *)(uintptr_t)gdal_function("CPLSetErrorHandler"))(hear);
    assert_read_fails(write_text("bad.geojson", "{\"type\":\"FeatureCollection\",\"features\":[{]}"), "bad.geojson: ");
    assert_int_equal(heard, 0);
    assert_null(throng_ogr_load(NULL)->GDALOpenEx(in_folder("none.dxf"), 4 | 64, NULL, NULL, NULL)); /* 64: say so */
    assert_int_equal(heard, 1);
    assert_string_equal(((option *)(uintptr_t)gdal_function("CPLGetConfigOption"))("OGR_ARC_STEPSIZE", "none"), "none");
    ((set *)(uintptr_t)gdal_function("CPLSetErrorHandler"))((void (*)(int, int, const char *))(uintptr_t)before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_are_known_by_their_names),
        cmocka_unit_test(layers_are_what_they_are_said_to_be),
        cmocka_unit_test(units_are_the_files_or_guessed),
        cmocka_unit_test(geopackages_and_shapefiles_are_read_by_their_attributes),
        cmocka_unit_test(gaps_are_closed_and_told_with_lines_that_do_not_close),
        cmocka_unit_test(arcs_are_lines_within_millimetres),
        cmocka_unit_test(degrees_are_laid_out_as_metres),
        cmocka_unit_test(degrees_that_are_none_are_metres),
        cmocka_unit_test(what_is_far_off_is_moved),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(plans_without_what_is_damaged_are_refused),
        cmocka_unit_test(what_gdal_skips_in_a_dxf_is_told),
        cmocka_unit_test(gdal_is_as_it_was),
        cmocka_unit_test(openstreetmap_has_rooms_doors_and_levels),
        cmocka_unit_test(levels_are_lists_and_ranges),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
