/* Maps from files of other programs, one section a format: what is read, and what is said of files that are wrong. */
#include "map_checks.h"
#include "map_files.h"
#include "map/map_sheets.h"
#include "map/map_write.h"

static throng_map *read_text(const char *name, const char *text)
{
    throng_error error = {""};
    throng_map *map = throng_map_read(write_text(name, text), NULL, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static void assert_text_fails(const char *name, const char *text, const char *part)
{
    assert_read_fails(write_text(name, text), part);
}

/* --- Moving AI --- */

/* The middle of a cell: column from the left, row from the top. */
static throng_point cell_centre(const throng_map_grid *grid, int32_t column, int32_t row)
{
    return (throng_point){(column + 0.5) * grid->cell, (grid->height - row - 0.5) * grid->cell};
}

static void cells_keep_their_sides(void **state)
{
    (void)state;
    throng_map *map = read_text("small.map", "type octile\nheight 3\nwidth 5\nmap\n..@.W\n.ST.@\r\nG.O@@\n");
    assert_sound(map);
    assert_near(map->area, 8, 0);
    assert_int_equal(map->ring_count, 2);
    assert_int_equal(map->point_count, 4 + 4);
    assert_int_equal(map->grid->width, 5);
    assert_int_equal(map->grid->height, 3);
    assert_near(map->report.resolution, 1, 0);
    throng_point upper_left = cell_centre(map->grid, 0, 0);
    assert_true(upper_left.x == 0.5 && upper_left.y == 2.5);
    assert_true(throng_map_fits(map, (throng_point){1, 1.5}, 1));
    assert_true(throng_map_fits(map, (throng_point){3.5, 2}, 0.5));
    assert_false(throng_map_fits(map, (throng_point){4.5, 2.5}, 0)); /* water */
    throng_map_destroy(map);
}

static void cells_may_have_another_size(void **state)
{
    (void)state;
    throng_error error;
    throng_map_options options = throng_map_options_default();
    options.scale = 0.5;
    const char *path = write_text("half.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    throng_map *map = throng_map_read(path, &options, &error);
    assert_non_null(map);
    assert_near(map->area, 0.5, 0);
    throng_map_destroy(map);
}

/* Random cells, up to the densest mixtures: each is free in the map as it is in the file, whole and alone. */
static void random_grids_are_exact(void **state)
{
    (void)state;
    enum { WIDTH = 41, HEIGHT = 29 };
    uint32_t seed = 5;
    for (uint32_t percent = 5; percent < 100; percent += 10) {
        char text[64 + (WIDTH + 1) * HEIGHT];
        int used = sprintf(text, "type octile\nwidth %d\nheight %d\nmap\n", WIDTH, HEIGHT);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                seed = seed * 1664525 + 1013904223;
                text[used++] = (seed >> 16) % 100 < percent ? '@' : '.';
            }
            text[used++] = '\n';
        }
        text[used] = 0;
        throng_map *map = read_text("random.map", text);
        assert_sound(map);
        int cells = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                bool free = map->grid->free[y * WIDTH + x];
                cells += free;
                assert_int_equal(throng_map_fits(map, cell_centre(map->grid, x, y), 0.5), free);
            }
        assert_near(map->area, cells, 0);
        throng_map_destroy(map);
    }
}

static void wrong_grids_are_refused(void **state)
{
    (void)state;
    assert_text_fails("a.map", "", "a.map: the line `map` is missing: is this a Moving AI map?");
    assert_text_fails("a.map", "type tile\n", "a.map:1: type: \"tile\" is not supported: give octile");
    assert_text_fails("a.map", "type octile\nheight 0\n", "a.map:2: height: \"0\" is not valid");
    assert_text_fails("a.map", "type octile\nwidth 3x\n", "a.map:2: width: \"3x\" is not valid");
    assert_text_fails("a.map", "type octile\nwide 3\n", "a.map:2: \"wide 3\" is not a header line of a Moving AI map");
    assert_text_fails("a.map", "type octile\nwidth 3\nmap\n...\n", "a.map:3: `height` is missing before `map`");
    assert_text_fails("a.map", "height 60000\nwidth 60000\nmap\n", "60000 x 60000 cells are more than");
    assert_text_fails("a.map", "height 2\nwidth 3\nmap\n...\n", "the file ends after row 1 of 2");
    assert_text_fails("a.map", "height 2\nwidth 3\nmap\n...\n....\n", "a.map:5: the row has 4 cells, but `width` is 3");
    assert_text_fails("a.map", "height 1\nwidth 3\nmap\n...\n...\n", "a.map:5: one row more than `height`, 1");
    assert_text_fails("a.map", "height 1\nwidth 3\nmap\n..x\n", "a.map:4: column 3: 'x' is not a terrain");
    assert_text_fails("a.map", "height 1\nwidth 3\nmap\n@TW\n", "a.map: no cell is free");
}

/* --- what every format's findings look like --- */

static const throng_finding *finding_of(const throng_map *map, throng_finding_kind kind, const char *part)
{
    for (int32_t i = 0; i < map->findings.count; i++)
        if (map->findings.list[i].kind == kind && strstr(map->findings.list[i].text, part))
            return &map->findings.list[i];
    for (int32_t i = 0; i < map->findings.count; i++)
        print_error("found: %s\n", map->findings.list[i].text);
    fail_msg("nothing found says \"%s\"", part);
    return NULL;
}

static void assert_at(const throng_finding *finding, double x, double y)
{
    assert_near(finding->at.x, x, 1e-9);
    assert_near(finding->at.y, y, 1e-9);
}

/* --- well-known text --- */

static void polygons_with_holes_are_read(void **state)
{
    (void)state;
    throng_map *map = read_text("a.wkt", "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0), (2 2, 3 2, 3 3, 2 3, 2 2))\n");
    assert_sound(map);
    assert_near(map->area, 49, 1e-12);
    assert_int_equal(map->ring_count, 2);
    assert_int_equal(map->findings.count, 0);
    throng_map_destroy(map);
    map = read_text("a.wkt", "GEOMETRYCOLLECTION (POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0)), MULTIPOLYGON "
                             "(((4 1, 8 1, 8 3, 4 3, 4 1)), ((9 9, 12 9, 12 12, 9 12, 9 9))))");
    assert_sound(map);
    assert_near(map->area, 16 + 8 + 9, 1e-12);
    assert_int_equal(map->ring_count, 2); /* the first two are one */
    throng_map_destroy(map);
}

static void holes_that_are_none_are_found(void **state)
{
    (void)state;
    throng_map *map =
        read_text("a.wkt", "POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (12 2, 13 2, 13 3, 12 2),"
                           "(9 4, 11 4, 11 6, 9 6, 9 4), (1 1, 4 1, 4 4, 1 4, 1 1), (2 2, 3 2, 3 3, 2 2))");
    assert_sound(map);
    assert_near(map->area, 100 - 2 - 9, 1e-12);
    assert_at(finding_of(map, THRONG_FINDING_HOLE, "hole 1 of polygon 1 is not a hole: it lies outside"), 12, 2);
    assert_at(finding_of(map, THRONG_FINDING_HOLE, "hole 2 of polygon 1 is not a hole: it crosses"), 9, 4);
    assert_at(finding_of(map, THRONG_FINDING_HOLE, "hole 4 of polygon 1 overlaps"), 2, 2);
    assert_int_equal(map->findings.count, 3);
    throng_map_destroy(map);
    map = read_text("a.wkt", "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))");
    assert_sound(map);
    assert_near(map->area, 8, 1e-12);
    assert_at(finding_of(map, THRONG_FINDING_CROSSING, "polygon 1 crosses or touches itself"), 2, 2);
    throng_map_destroy(map);
}

static void wrong_text_is_refused(void **state)
{
    (void)state;
    assert_text_fails("a.wkt", "", "a.wkt: the file is empty: give a POLYGON");
    assert_text_fails(
        "a.wkt", "POLYGON ((0 0, 1 x))",
        "a.wkt:1: column 18: this is not well-known text (ParseException: Expected number but encountered word: "
        "'x'): give a POLYGON ((x y, ...), (hole), ...)");
    assert_text_fails(
        "a.wkt", "POLYGON ((0 0, 1 1,\n 0 2), (1 1, 2 1,))",
        "a.wkt:2: column 5: this is not well-known text (IllegalArgumentException: Points of LinearRing do not");
    assert_text_fails(
        "a.wkt", "POLYGON ((0 0, 8 0, 8 8, 0 0),\n(1 1,\n2 1, 3",
        "a.wkt:3: column 7: this is not well-known text (ParseException: Expected number but encountered end of "
        "stream; the text ends there): give a POLYGON");
    static const char zero[] = "POLYGON ((0 0, 8 0,\n 8 8, 0 0))\0, (1 1, 2 1, 2 2, 1 1))";
    assert_read_fails(write_bytes("a.wkt", zero, sizeof zero - 1),
                      "a.wkt:2: column 12: this is not well-known text (a zero byte");
    static const char last[] = "POLYGON ((0 0, 8 0, 8 8, 0 0))\0\n";
    assert_read_fails(write_bytes("a.wkt", last, sizeof last - 1),
                      "a.wkt:1: column 31: this is not well-known text (a zero byte");
    assert_text_fails("a.wkt", "POLYGON",
                      "a.wkt:1: column 8: this is not well-known text (ParseException: Expected word");
    assert_text_fails("a.wkt", "MULTIPOLYGON\n(\nPOLYGON ((0 0))",
                      "a.wkt:3: column 7: this is not well-known text (Parse");
    assert_text_fails("a.wkt", "x",
                      "a.wkt:1: column 1: this is not well-known text (ParseException: Unknown type: 'X')");
    char deep[3001];
    memset(deep, '(', 3000);
    deep[3000] = 0;
    assert_text_fails("a.wkt", deep,
                      "a.wkt:1: column 65: this is not well-known text (more than 64 brackets within each other)");
    assert_text_fails("a.wkt", "LINESTRING (0 0, 1 1)", "a.wkt: holds a LineString: give the floor as POLYGON");
    throng_error error;
    throng_map_options options = throng_map_options_default();
    options.scale = 1000;
    assert_null(throng_map_read(write_text("a.wkt", "POLYGON ((0 0, 9e4 0, 9e4 2, 0 0))"), &options, &error));
    assert_says(&error, "a.wkt: at a scale of 1000 it reaches farther than 1e+06 m from the origin");
    assert_text_fails("a.wkt", "POLYGON EMPTY", "a.wkt: no polygon in it has an area");
    assert_text_fails("a.wkt", "POLYGON ((0 0, 1e9 0, 1 1, 0 0))", "a.wkt: polygon 1: point 2 is (1e+09, 0)");
}

/* --- the map maker's XML --- */

/* Twice as large in all its parts. */
static void a_map_scales_on_load(void **state)
{
    (void)state;
    throng_error error;
    throng_map_options options = throng_map_options_default();
    options.scale = 2;
    const char *path = write_text(
        "a.xml", "<map roadmap=\"true\"><face><point x=\"1\" y=\"1\"/><point x=\"5\" y=\"1\"/><point x=\"5\" y=\"4\"/>"
                 "<point x=\"1\" y=\"4\"/></face><node id=\"a\" x=\"2\" y=\"2\" max_radius=\"0.5\" cost=\"3\"/>"
                 "<node id=\"b\" x=\"4\" y=\"2\"/><edge start=\"a\" end=\"b\" cost=\"1\"/>"
                 "<door name=\"d\" x0=\"1\" y0=\"2\" x1=\"1\" y1=\"3\"/><region name=\"r\"><point x=\"1\" y=\"1\"/>"
                 "<point x=\"2\" y=\"1\"/><point x=\"2\" y=\"2\"/></region></map>");
    throng_map *map = throng_map_read(path, &options, &error);
    assert_non_null(map);
    assert_true(map->area == 48 && map->bounds.x0 == 2 && map->bounds.y1 == 8);
    assert_true(map->doors[0].b.x == 2 && map->doors[0].b.y == 6);
    assert_true(throng_ring_area(map->regions[0].points, 3) == 2);
    assert_true(map->graph.nodes[1].at.x == 8 && map->graph.nodes[0].max_radius == 1);
    assert_true(map->graph.nodes[0].cost == 6 && map->graph.edges[0].cost == 2);
    assert_true(map->faces->points[0].x == 2);
    assert_true(throng_map_fits(map, (throng_point){9, 7}, 0.9) && !throng_map_fits(map, (throng_point){9, 7}, 1.1));
    throng_map_destroy(map);
}

static void faces_become_floor(void **state)
{
    (void)state;
    throng_map *map = read_text(
        "a.xml",
        "<?xml version=\"1.0\"?>\n<map>\n<faces>\n"
        "<Face><Point X=\"0\" Y=\"0\"/><Point X=\"6\" Y=\"0\"/><Point X=\"6\" Y=\"4\"/><Point X=\"0\" "
        "Y=\"4\"/></Face>\n"
        "<face><point x=\"6\" y=\"0\"/><point x=\"9\" y=\"0\"/><point x=\"6\" y=\"4\"/></face>\n</faces>\n"
        "<node id=\"a\" x=\"3\" y=\"2\" radius=\"1\"/><node id=\"b\" radius=\"0.5\"><position x=\"20\" "
        "y=\"1\"/></node>\n<edge start=\"a\" end=\"b\"/>\n"
        "<region name=\"hall\" group=\"spawns\"><point x=\"0\" y=\"0\"/><point x=\"3\" y=\"0\"/><point x=\"0\" "
        "y=\"3\"/><property name=\"count\" value=\"12\" type=\"number\"/></region>\n"
        "<door name=\"north\" x0=\"6\" y0=\"0\" x1=\"6\" y1=\"4\"/><colour/></map>");
    assert_sound(map);
    assert_near(map->area, 24 + 6, 1e-12);
    assert_int_equal(map->ring_count, 1);
    assert_int_equal(map->region_count, 1);
    assert_string_equal(map->regions[0].name, "hall");
    assert_string_equal(map->regions[0].group, "spawns");
    assert_string_equal(throng_properties_find(&map->regions[0].properties, "count")->value, "12");
    assert_int_equal(map->door_count, 1);
    assert_true(map->doors[0].b.y == 4);
    assert_at(finding_of(map, THRONG_FINDING_SOURCE, "node b (line 7) lies in a wall"), 20, 1);
    finding_of(map, THRONG_FINDING_SOURCE, "<colour> (line 10) is not an element of a map");
    assert_int_equal(map->findings.count, 2);
    throng_map_destroy(map);
}

/* Three squares in a row, a node in each. */
#define SQUARE(x0, x1, id)                                                                                             \
    "<face><point x=\"" x0 "\" y=\"0\"/><point x=\"" x1 "\" y=\"0\"/><point x=\"" x1 "\" y=\"4\"/><point x=\"" x0      \
    "\" y=\"4\"/></face>\n<node id=\"" id "\" x=\"" x0 ".5\" y=\"2\"/>"
#define ROW SQUARE("0", "4", "a") SQUARE("4", "8", "b") SQUARE("8", "12", "c")

/* Where a passage has no edge nobody gets through, and the map that is written says so again. */
static void faces_without_an_edge_are_parted(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = read_text("a.xml", "<map>" ROW "<edge start=\"a\" end=\"b\"/></map>");
    assert_sound(map);
    assert_true(throng_map_fits(map, (throng_point){4, 2}, 0.25));
    assert_false(throng_map_fits(map, (throng_point){8, 2}, 0));
    assert_int_equal(map->ring_count, 2);
    finding_of(map, THRONG_FINDING_SOURCE, "the side that faces 2 and 3 share is a wall: no edge joins their nodes");
    char path[512];
    snprintf(path, sizeof path, "%s", write_text("b.xml", ""));
    assert_true(throng_map_write(path, map, &error));
    throng_map_destroy(map);
    map = throng_map_read(path, NULL, &error);
    assert_non_null(map);
    assert_true(throng_map_fits(map, (throng_point){4, 2}, 0.25) && !throng_map_fits(map, (throng_point){8, 2}, 0));
    throng_map_destroy(map);
    /* by a node on the side; of nodes that no edge asks for; in a roadmap, whose edges are ways */
    static const char *const open[] = {
        "<map>" ROW "<node id=\"d\" x=\"8\" y=\"3\"/><edge start=\"a\" end=\"b\"/><edge start=\"b\" end=\"d\"/>"
        "<edge start=\"d\" end=\"c\"/></map>",
        "<map>" ROW "</map>", "<map roadmap=\"true\">" ROW "<edge start=\"a\" end=\"b\"/></map>",
        "<map>" ROW "<face><point x=\"12\" y=\"0\"/><point x=\"14\" y=\"0\"/><point x=\"12\" y=\"4\"/></face>"
        "<edge start=\"a\" end=\"b\"/><edge start=\"c\" end=\"b\"/></map>"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        map = read_text("a.xml", open[i]);
        assert_int_equal(map->ring_count, 1);
        assert_true(throng_map_fits(map, (throng_point){8, 2}, 0.25));
        throng_map_destroy(map);
    }
}

/* What edges and nodes ask of those who pass becomes a door on the common side; of several edges the cheapest counts,
 * and the widest. The map that is written asks the same. */
static void edges_and_nodes_cost_something(void **state)
{
    (void)state;
    throng_error error;
    char path[512];
    throng_map *map =
        read_text("a.xml", "<map>" ROW "<node id=\"d\" x=\"5\" y=\"1\" cost=\"4\" max_radius=\"0.5\"/>"
                           "<node id=\"e\" x=\"9\" y=\"1\" cost=\"2\" max_radius=\"0.3\"/>"
                           "<node id=\"f\" x=\"6\" y=\"1\"/>"
                           "<edge start=\"a\" end=\"b\" cost=\"9\"/><edge start=\"a\" end=\"d\" cost=\"1.5\"/>"
                           "<edge start=\"a\" end=\"f\" cost=\"8\"/>"
                           "<edge start=\"d\" end=\"e\"/><door name=\"gate\" x0=\"8\" y0=\"4\" x1=\"8\" y1=\"0\" "
                           "cost=\"10\" max_radius=\"0.4\"/></map>");
    for (int time = 0; time < 2; time++) {
        assert_int_equal(map->door_count, 2);
        const throng_door *gate = &map->doors[0], *faces = &map->doors[1];
        assert_string_equal(gate->name, "gate");
        assert_true(gate->cost == 10 + 0.5 * (4 + 2) && gate->max_radius == 0.3);
        assert_string_equal(faces->name, "faces 1 and 2");
        assert_true(faces->cost == 1.5 + 0.5 * 4 && faces->max_radius == 0);
        assert_true(faces->a.x == 4 && faces->b.x == 4 && fabs(faces->a.y - faces->b.y) == 4);
        snprintf(path, sizeof path, "%s", write_text("b.xml", ""));
        assert_true(throng_map_write(path, map, &error));
        throng_map_destroy(map);
        map = throng_map_read(path, NULL, &error);
        assert_non_null(map);
    }
    throng_map_destroy(map);
    throng_map_options twice = throng_map_options_default();
    twice.scale = 2;
    map = throng_map_read(path, &twice, &error);
    assert_non_null(map);
    assert_true(map->doors[1].cost == 7 && map->doors[0].max_radius == 0.6);
    throng_map_destroy(map);
    map = read_text("a.xml", "<map>" SQUARE("0", "4", "a")
                                 SQUARE("4", "8", "b") "<node id=\"c\" x=\"1\" y=\"1\"/><edge start=\"a\" end=\"b\"/>"
                                                       "<edge start=\"a\" end=\"c\" cost=\"1\"/></map>");
    finding_of(map, THRONG_FINDING_SOURCE, "the cost of edge a - c (line 3) does not count");
    throng_map_destroy(map);
}

#define QUARTER(x0, y0, x1, y1)                                                                                        \
    "<face><point x=\"" x0 "\" y=\"" y0 "\"/><point x=\"" x1 "\" y=\"" y0 "\"/><point x=\"" x1 "\" y=\"" y1            \
    "\"/><point x=\"" x0 "\" y=\"" y1 "\"/></face>"

/* People would walk round the end of such a side. */
static void costs_in_the_open_are_reported(void **state)
{
    (void)state;
    throng_map *map =
        read_text("a.xml", "<map>" QUARTER("0", "0", "4", "4") QUARTER("4", "0", "8", "4") QUARTER("0", "4", "4", "8")
                               QUARTER("4", "4", "8", "8") "<node id=\"a\" x=\"1\" y=\"1\" cost=\"3\"/></map>");
    assert_int_equal(map->door_count, 0);
    finding_of(map, THRONG_FINDING_SOURCE, "what passing from face 1 to 2 costs, and who may, does not count");
    finding_of(map, THRONG_FINDING_SOURCE, "what passing from face 1 to 3 costs, and who may, does not count");
    throng_map_destroy(map);
    assert_text_fails(
        "a.xml",
        "<map>" QUARTER("0", "0", "4", "4") "<door name=\"d\" x0=\"1\" y0=\"2\" x1=\"3\" y1=\"2\" cost=\"1\"/></map>",
        "a.xml: door \"d\" ends in the open at (1, 2), where people could walk round it");
    assert_text_fails("a.xml", "<map>" QUARTER("0", "0", "4", "4") "<node id=\"a\" x=\"1\" y=\"1\" cost=\"-1\"/></map>",
                      "<node>: cost=\"-1\" is not valid: give 0 or more metres");
}

#define FACE "<face><point x=\"0\" y=\"0\"/><point x=\"9\" y=\"0\"/><point x=\"0\" y=\"9\"/></face>"

static void wrong_markup_is_refused(void **state)
{
    (void)state;
    assert_text_fails("a.xml", "", "a.xml:1: not well-formed XML: no element found");
    assert_text_fails("a.xml", "<map>\n</mop>", "a.xml:2: not well-formed XML: mismatched tag");
    assert_text_fails("a.xml", "<svg/>", "a.xml:1: <svg> is not a map");
    assert_text_fails("a.xml", "<map/>", "a.xml: the map has no <face> with an area");
    assert_text_fails("a.xml", "<map>\n<face><point x=\"0\"/></face></map>",
                      "a.xml:2: <point>: the attribute y is missing");
    assert_text_fails("a.xml", "<map><face><point x=\"O\" y=\"0\"/></face></map>",
                      "a.xml:1: <point>: x=\"O\" is not valid: give a number");
    assert_text_fails("a.xml", "<map><face><point x=\"inf\" y=\"0\"/></face></map>", "x=\"inf\" is not valid");
    assert_text_fails("a.xml", "<map><point x=\"1\" y=\"0\"/></map>", "<point> outside of a <face>");
    assert_text_fails("a.xml", "<map>" FACE "<node id=\"1\" x=\"1\"/></map>", "<node>: the attribute y is missing");
    assert_text_fails("a.xml", "<map>" FACE "<node id=\"1\" x=\"1\" y=\"1\"/>\n<edge start=\"1\" end=\"2\"/></map>",
                      "a.xml:2: <edge>: there is no node \"2\"");
    assert_text_fails("a.xml", "<map>" FACE "<node id=\"1\" x=\"1\" y=\"1\"/><node id=\"1\" x=\"1\" y=\"1\"/></map>",
                      "another one has the id \"1\"");
    assert_text_fails("a.xml", "<map>" FACE "<edge start=\"1\"/></map>", "<edge>: the attribute end is missing");
    assert_text_fails("a.xml", "<map>" FACE "<region/></map>", "<region>: the attribute name is missing");
    assert_text_fails("a.xml", "<map>" FACE "<door name=\"d\" x0=\"1\" y0=\"1\" x1=\"1\" y1=\"1\"/></map>",
                      "door \"d\" has no length: both its ends are (1, 1)");
    assert_text_fails("a.xml", "<map>" FACE "<door name=\"a&#10;b\" x0=\"1\" y0=\"1\" x1=\"1\" y1=\"2\"/></map>",
                      "has a name with a line break or control character (0x0a) in it");
}

/* --- Tiled --- */

#define TMX(body)                                                                                                      \
    "<?xml version=\"1.0\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" width=\"10\" height=\"8\" "             \
    "tilewidth=\"32\" tileheight=\"32\">\n" body "</map>\n"

static void objects_of_layers_become_a_plan(void **state)
{
    (void)state;
    throng_map *map = read_text(
        "a.tmx",
        TMX("<properties><property name=\"author\" value=\"me\"/><property name=\"storeys\" type=\"int\" "
            "value=\"2\"/></properties>\n<tileset><tile><objectgroup name=\"walls\"><object x=\"0\" y=\"0\" "
            "width=\"32\" height=\"32\"/></objectgroup></tile></tileset><layer><data "
            "encoding=\"csv\">1,2</data></layer>\n"
            "<objectgroup name=\"Walls\" offsetx=\"32\"><object id=\"1\" name=\"desk\" x=\"0\" y=\"0\" width=\"64\" "
            "height=\"32\"/>\n"
            "<object id=\"2\" x=\"160\" y=\"128\" rotation=\"90\"><polygon points=\"0,0 32,0 32,64\"/></object>\n"
            "<object id=\"3\" x=\"0\" y=\"224\"><properties><property name=\"thickness\" type=\"float\" "
            "value=\"0.5\"/></properties><polyline points=\"32,0 64,0\"/></object></objectgroup>\n"
            "<group offsety=\"32\"><objectgroup name=\"exits\"><object id=\"4\" name=\"north\" x=\"256\" y=\"0\" "
            "width=\"64\" height=\"32\"><properties><property name=\"sign\">two\nlines</property></properties></object>"
            "<object id=\"5\" x=\"0\" y=\"0\" width=\"32\" height=\"32\" class=\"fire\"><ellipse/></object>"
            "</objectgroup></group>\n"
            "<objectgroup name=\"doors\"><object id=\"6\" name=\"gate\" x=\"96\" y=\"96\" width=\"64\" "
            "height=\"8\"/></objectgroup>\n<objectgroup name=\"notes\"/>\n"
            "<objectgroup name=\"spawns\"><object id=\"7\" x=\"3\" y=\"4\"><point/></object></objectgroup>\n"));
    assert_sound(map);
    assert_near(map->bounds.x1, 10, 1e-12);
    assert_near(map->bounds.y1, 8, 1e-12);
    assert_near(map->area, 80 - 2 - 1 - (1 + 0.5) * 0.5, 1e-9);
    assert_false(throng_map_fits(map, (throng_point){1.5, 7.5}, 0)); /* the desk, with its layer's offset */
    assert_true(throng_map_fits(map, (throng_point){0.5, 7.5}, 0.49));
    /* turned clockwise about (6 m, 4 m from the top): it reaches down and to the left */
    assert_false(throng_map_fits(map, (throng_point){5.8, 3.1}, 0));
    assert_false(throng_map_fits(map, (throng_point){4.5, 3.05}, 0));
    assert_true(throng_map_fits(map, (throng_point){6.5, 3.5}, 0.4));
    assert_int_equal(map->region_count, 2);
    const throng_region *north = region_of(map, "north");
    assert_non_null(north);
    assert_string_equal(north->group, "exits");
    assert_near(throng_ring_area(north->points, north->count), 2, 1e-12);
    assert_string_equal(throng_properties_find(&north->properties, "sign")->value, "two\nlines");
    const throng_region *round = region_of(map, "exits");
    assert_near(throng_ring_area(round->points, round->count), 0.25 * 3.1416, 0.01);
    assert_string_equal(throng_properties_find(&round->properties, "class")->value, "fire");
    assert_int_equal(throng_properties_find(&map->properties, "storeys")->kind, THRONG_PROPERTY_NUMBER);
    assert_int_equal(map->properties.count, 2);
    assert_int_equal(map->door_count, 1);
    assert_near(map->doors[0].a.y, 8 - 100 / 32.0, 1e-9);
    assert_near(fabs(map->doors[0].a.x - map->doors[0].b.x), 2, 1e-9);
    finding_of(map, THRONG_FINDING_SOURCE, "layer \"notes\" was left out");
    assert_at(finding_of(map, THRONG_FINDING_SOURCE, "object 7 \"\" in layer \"spawns\" (line 12) is a point"),
              3 / 32.0, 8 - 4 / 32.0);
    assert_int_equal(map->findings.count, 2);
    throng_map_destroy(map);
}

static void walls_beside_the_floor_are_found(void **state)
{
    (void)state;
    throng_map *map =
        read_text("a.tmx", TMX("<objectgroup name=\"walls\"><object id=\"1\" x=\"320\" y=\"0\" width=\"9\" "
                               "height=\"9\"/><object id=\"2\" x=\"352\" y=\"0\" width=\"9\" "
                               "height=\"9\"/><object id=\"3\" x=\"0\" y=\"0\"><polygon points=\"0,0 "
                               "64,64 64,0 0,64\"/></object><object id=\"4\" x=\"32\" y=\"0\"/></objectgroup>"));
    assert_near(map->area, 80 - 2, 1e-9);
    assert_at(finding_of(map, THRONG_FINDING_HOLE, "object 2 \"\" in layer \"walls\" (line 3) is not an obstacle"), 11,
              8 - 9 / 32.0);
    assert_at(finding_of(map, THRONG_FINDING_CROSSING, "object 3"), 1, 7);
    assert_at(finding_of(map, THRONG_FINDING_SOURCE, "object 4 \"\" in layer \"walls\" (line 3) has no area"), 1, 8);
    assert_int_equal(map->findings.count, 3);
    throng_map_destroy(map);
}

static void a_tiled_map_has_a_scale(void **state)
{
    (void)state;
    throng_error error;
    const char *text = TMX("<properties><property name=\"scale\" type=\"float\" value=\"0.05\"/></properties>"
                           "<objectgroup name=\"floor\"><object x=\"0\" y=\"0\" width=\"100\" height=\"40\"/>"
                           "</objectgroup>");
    throng_map *map = read_text("a.tmx", text);
    assert_near(map->area, 5 * 2, 1e-9);
    throng_map_destroy(map);
    throng_map_options options = throng_map_options_default();
    options.scale = 0.1;
    map = throng_map_read(in_folder("a.tmx"), &options, &error);
    assert_non_null(map);
    assert_near(map->area, 10 * 4, 1e-9);
    throng_map_destroy(map);
}

static void wrong_tiled_maps_are_refused(void **state)
{
    (void)state;
    assert_text_fails("a.tmx", "<tileset/>", "a.tmx:1: <tileset> is not a Tiled map");
    assert_text_fails("a.tmx", "<map orientation=\"isometric\"/>", "orientation=\"isometric\" is not supported");
    assert_text_fails("a.tmx", "<map width=\"3\"/>", "a.tmx:1: <map>: the attribute height is missing");
    assert_text_fails("a.tmx", "<map width=\"3\" height=\"3\" tilewidth=\"0\" tileheight=\"1\"/>", "more than 0");
    assert_text_fails("a.tmx", TMX("<layer/>"), "a.tmx: no object layer is named floor, walls");
    assert_text_fails("a.tmx", TMX("<objectgroup name=\"walls\"><object x=\"a\" y=\"0\"/></objectgroup>"),
                      "a.tmx:3: <object>: x=\"a\" is not valid: give a number");
    assert_text_fails("a.tmx", TMX("<objectgroup name=\"walls\"><object template=\"a.tx\"/></objectgroup>"),
                      "templates are not supported");
    assert_text_fails("a.tmx",
                      TMX("<objectgroup name=\"walls\">\n<object x=\"0\" y=\"0\"><polygon points=\"0,0 1;2\"/></object>"
                          "</objectgroup>"),
                      "a.tmx:4: <polygon>: points: \"1;2\" is not a point");
    assert_text_fails("a.tmx",
                      TMX("<objectgroup name=\"walls\"><object x=\"0\" y=\"0\" width=\"400\" height=\"400\"/>"
                          "</objectgroup>"),
                      "a.tmx: nothing is left free");
    assert_text_fails("a.tmx",
                      TMX("<objectgroup name=\"doors\"><object x=\"0\" y=\"0\"><point/></object></objectgroup>"
                          "<properties><property name=\"scale\" value=\"no\"/></properties>"),
                      "scale is \"no\"");
    assert_text_fails("a.tmx", TMX("<properties><property name=\"n\" type=\"int\" value=\"x\"/></properties>"),
                      "a.tmx:3: <property>: value=\"x\" is not valid");
}

#define FLOOR(name, z, layers)                                                                                         \
    "<group name=\"" name "\"><properties><property name=\"z\" type=\"float\" value=\"" z "\"/></properties>" layers   \
    "</group>"
#define LINE(layer, more, points)                                                                                      \
    "<objectgroup name=\"" layer "\"><object id=\"3\" name=\"a\" x=\"0\" y=\"0\">" more "<polyline points=\"" points   \
    "\"/></object></objectgroup>"
#define PROPERTY(name, value) "<properties><property name=\"" name "\" value=\"" value "\"/></properties>"

/* 10 x 8 m a floor; y up. */
static void groups_of_a_tiled_map_are_floors(void **state)
{
    (void)state;
    throng_map *map = read_text(
        "a.tmx", TMX(FLOOR("top", "3",
                           "<objectgroup name=\"floor\"><object x=\"0\" y=\"0\" width=\"320\" "
                           "height=\"128\"/></objectgroup><objectgroup name=\"spawns\"><object name=\"w\" "
                           "x=\"0\" y=\"0\" width=\"64\" height=\"64\"/></objectgroup>")
                         FLOOR("low", "0",
                               LINE("stairs", PROPERTY("width", "1"), "64,64 192,64") LINE(
                                   "lifts", PROPERTY("capacity", "2"), "224,96 288,96") "<objectgroup "
                                                                                        "name=\"walls\"><object "
                                                                                        "id=\"9\" x=\"0\" "
                                                                                        "y=\"224\" "
                                                                                        "width=\"32\" "
                                                                                        "height=\"32\"/>"
                                                                                        "<object id=\"10\" "
                                                                                        "x=\"900\" y=\"0\" "
                                                                                        "width=\"9\" height=\"9\"/>"
                                                                                        "</objectgroup>")));
    const throng_map_sheets *s = map->sheets;
    assert_non_null(s);
    assert_int_equal(s->count, 6); /* two floors, two halves, two stops */
    assert_string_equal(s->list[0].name, "low");
    assert_string_equal(s->list[1].name, "top");
    assert_near(s->list[1].z, 3, 0);
    assert_int_equal(s->list[2].kind, THRONG_SHEET_STAIRS);
    assert_near(s->list[2].up.x, 1, 1e-9);
    assert_near(s->seams[0].a.x, 2, 1e-9);
    assert_near(fabs(s->seams[0].a.y - s->seams[0].b.y), 1, 1e-9);
    assert_near(0.5 * (s->seams[0].a.y + s->seams[0].b.y), 6, 1e-9);
    assert_int_equal(s->lifts[0].capacity, 2);
    assert_near(s->lifts[0].depth, 2, 1e-9);
    assert_near(map->area, 2 * (80 - 4 - 3.2) - 1 - 40 + 4 + 2 * 3.2, 1e-6);
    finding_of(map, THRONG_FINDING_HOLE, "floor \"low\": object 10 \"\" in layer \"walls\"");
    assert_int_equal(map->findings.count, 1);
    throng_map_destroy(map);
}

static void wrong_floors_of_tiled_maps_are_refused(void **state)
{
    (void)state;
    assert_text_fails("a.tmx", TMX("<group name=\"low\">" PROPERTY("z", "x") "</group>"),
                      "a.tmx:3: floor \"low\": the property z is \"x\": give its height in metres");
    assert_text_fails("a.tmx", TMX(FLOOR("low", "1e9", LINE("stairs", "", "0,0 64,0"))), "the property z is 1e+09");
    assert_text_fails("a.tmx", TMX(FLOOR("", "0", "") "<objectgroup name=\"walls\"/>"), "a floor needs a name");
    assert_text_fails("a.tmx", TMX(FLOOR("low", "0", "") "\n" FLOOR("low", "3", "")),
                      "a.tmx:4: there is a floor \"low\" already");
    assert_text_fails("a.tmx", TMX(FLOOR("low", "0", "") "\n<objectgroup name=\"walls\"/>"),
                      "a.tmx: layer \"walls\" (line 4) lies in no floor");
    assert_text_fails("a.tmx", TMX(FLOOR("low", "0", LINE("stairs", "", "64,64 192,64"))),
                      "a.tmx: object 3 \"a\" in layer \"stairs\" (line 3): no floor lies above \"low\"");
    assert_text_fails("a.tmx", TMX(FLOOR("low", "0", LINE("stairs", "", "64,64 192,64 32,32"))),
                      "object 3 \"a\" in layer \"stairs\" (line 3): draw a flight as a line of two points");
#define TWO(layer, more, points) TMX(FLOOR("low", "0", LINE(layer, more, points)) FLOOR("top", "3", ""))
    assert_text_fails("a.tmx", TWO("stairs", PROPERTY("to", "tip"), "64,64 192,64"),
                      "the property to names \"tip\", which is no floor; expected one of: \"low\", \"top\"");
    assert_text_fails("a.tmx", TWO("ramps", PROPERTY("width", "wide"), "64,64 192,64"),
                      "(line 3): the property width is \"wide\": give a number of at least 0.3 m, at most 1000 m");
    assert_text_fails("a.tmx", TWO("escalators", PROPERTY("direction", "left"), "64,64 192,64"),
                      "the property direction is \"left\": give up or down");
    assert_text_fails("a.tmx", TWO("stairs", PROPERTY("rise", "2.5"), "64,64 192,64"),
                      "stairs \"a\", object 3 \"a\" in layer \"stairs\" (line 3) climbs 2.5 m from floor \"low\"");
    assert_text_fails("a.tmx", TWO("stairs", "", "64,64 64,66"), "must be at least 1 m apart");
    assert_text_fails("a.tmx", TWO("stairs", "", "0,64 192,64"),
                      "in layer \"stairs\" (line 3): floor \"low\" must begin along all of the foot");
    assert_text_fails("a.tmx", TWO("lifts", PROPERTY("capacity", "2.5"), "64,64 192,64"),
                      "the property capacity is \"2.5\": give a whole number");
    assert_text_fails("a.tmx", TWO("lifts", PROPERTY("floors", "low, tip"), "64,64 192,64"),
                      "the property floors names \"tip\", which is no floor");
    assert_text_fails("a.tmx", TWO("lifts", PROPERTY("floors", "low, low"), "64,64 192,64"), "names \"low\" twice");
    assert_text_fails("a.tmx", TWO("lifts", PROPERTY("floors", " top "), "64,64 192,64"), "serves 1 floor");
    assert_text_fails("a.tmx", TWO("lifts", "", "64,64 96,64"), "has room for 3 persons");
#undef TWO
}

/* --- writing --- */

static double shared_area(const throng_map *a, const throng_map *b)
{
    throng_geos geos;
    double area = -1;
    assert_true(throng_geos_init(&geos, NULL));
    GEOSGeometry *one = throng_geos_free_space(&geos, a, 0), *two = throng_geos_free_space(&geos, b, 0);
    GEOSGeometry *both = GEOSIntersection_r(geos.handle, one, two);
    assert_non_null(both);
    GEOSArea_r(geos.handle, both, &area);
    throng_geos_free(&geos, one);
    throng_geos_free(&geos, two);
    throng_geos_free(&geos, both);
    throng_geos_fini(&geos);
    return area;
}

static void assert_same_properties(const throng_properties *a, const throng_properties *b)
{
    assert_int_equal(a->count, b->count);
    for (int32_t i = 0; i < a->count; i++) {
        assert_string_equal(a->list[i].name, b->list[i].name);
        assert_string_equal(a->list[i].value, b->list[i].value);
        assert_int_equal(a->list[i].kind, b->list[i].kind);
    }
}

static void assert_same_parts(const throng_map *a, const throng_map *b)
{
    assert_int_equal(a->region_count, b->region_count);
    for (int32_t i = 0; i < a->region_count; i++) {
        const throng_region *r = &a->regions[i], *s = &b->regions[i];
        assert_string_equal(r->name, s->name);
        assert_int_equal(r->group != NULL, s->group != NULL);
        if (r->group)
            assert_string_equal(r->group, s->group);
        assert_int_equal(r->count, s->count);
        assert_near(throng_ring_area(r->points, r->count), throng_ring_area(s->points, s->count), 1e-12);
        assert_same_properties(&r->properties, &s->properties);
    }
    assert_int_equal(a->door_count, b->door_count);
    for (int32_t i = 0; i < a->door_count; i++) {
        assert_string_equal(a->doors[i].name, b->doors[i].name);
        assert_memory_equal(&a->doors[i].a, &b->doors[i].a, 2 * sizeof(throng_point));
        assert_same_properties(&a->doors[i].properties, &b->doors[i].properties);
    }
    assert_same_properties(&a->properties, &b->properties);
}

/* Written and read again the floor is the same to a hair, and in XML all else, too. */
static void assert_returns(const throng_map *map)
{
    static const char *const names[] = {"again.wkt", "again.xml"};
    for (int i = 0; i < 2; i++) {
        throng_error error = {""};
        const char *path = in_folder(names[i]);
        if (!throng_map_write(path, map, &error))
            fail_msg("%s", error.text);
        throng_map *again = throng_map_read(path, NULL, &error);
        if (!again)
            fail_msg("%s", error.text);
        assert_sound(again);
        assert_int_equal(again->findings.count, 0);
        assert_near(again->area, map->area, 1e-9 * map->area);
        assert_near(shared_area(map, again), map->area, 1e-9 * map->area);
        if (i == 1)
            assert_same_parts(map, again);
        throng_map_destroy(again);
    }
}

static void written_maps_are_read_again(void **state)
{
    (void)state;
    throng_map *map = read_text(
        "a.tmx",
        TMX("<properties><property name=\"k\" value=\"a&lt;b&gt; &amp; &quot;c&quot; d\xc3\xa9\"/></properties>"
            "<objectgroup name=\"floor\"><object x=\"0\" y=\"0\" width=\"160\" height=\"96\"/><object x=\"200.3\" "
            "y=\"7.7\" width=\"100\" height=\"99\"><ellipse/></object></objectgroup>"
            "<objectgroup name=\"walls\"><object x=\"40\" y=\"40\" width=\"20\" height=\"21\" rotation=\"17\"/>"
            "<object x=\"90\" y=\"20\" width=\"31\" height=\"31\"><ellipse/></object></objectgroup>"
            "<objectgroup name=\"spawns\"><object name=\"a\" x=\"0\" y=\"0\" width=\"30\" height=\"30\"><properties>"
            "<property name=\"count\" type=\"int\" value=\"3\"/><property name=\"vip\" type=\"bool\" value=\"true\"/>"
            "</properties></object></objectgroup>"
            "<objectgroup name=\"doors\"><object name=\"d\" x=\"60\" y=\"0\"><properties><property name=\"text\">one\n"
            "two</property></properties><polyline points=\"0,0 0,96\"/></object></objectgroup>"));
    assert_returns(map);
    throng_map_destroy(map);
    map = read_text("a.map", "type octile\nheight 5\nwidth 6\nmap\n.....@\n.@@@..\n.@.@.@\n.@@@..\n......\n");
    assert_returns(map);
    throng_map_destroy(map);
    drawing d = draw_blank(120, 100, 0);
    draw_box(&d, 10, 10, 110, 90, 254);
    draw_box(&d, 30, 30, 37, 41, 0);
    write_drawing("a.pgm", &d);
    throng_error error;
    map = throng_map_read(in_folder("a.pgm"), NULL, &error);
    assert_non_null(map);
    assert_returns(map);
    throng_map_destroy(map);
}

/* Cells that touch in corners, as GEOS does not like them. */
static void written_grids_are_read_again(void **state)
{
    (void)state;
    enum { SIZE = 48 };
    char text[64 + (SIZE + 1) * SIZE];
    uint32_t seed = 3;
    int used = sprintf(text, "type octile\nwidth %d\nheight %d\nmap\n", SIZE, SIZE);
    for (int i = 0; i < SIZE * (SIZE + 1); i++) {
        seed = seed * 1664525 + 1013904223;
        text[used++] = i % (SIZE + 1) == SIZE ? '\n' : (seed >> 16) % 100 < 30 ? '@' : '.';
    }
    text[used] = 0;
    throng_map *map = read_text("random.map", text);
    assert_returns(map);
    throng_map_destroy(map);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = throng_map_from_polygons("open", NULL, NULL, 0, NULL, NULL, 0, &error);
    assert_false(throng_map_write(in_folder("open.wkt"), map, &error));
    assert_says(&error, "the map is open");
    assert_int_not_equal(access(in_folder("open.wkt"), F_OK), 0);
    throng_map_destroy(map);
    map = read_text("a.wkt", "POLYGON ((0 0, 10 0, 10 5, 0 5, 0 0))");
    assert_false(throng_map_write(in_folder("a.svg"), map, &error));
    assert_says(&error, "a map is written as .xml or .wkt");
    assert_false(throng_map_write("/nowhere/a.xml", map, &error));
    assert_says(&error, "cannot write '/nowhere/a.xml': its folder does not exist");
    throng_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_keep_their_sides),
        cmocka_unit_test(cells_may_have_another_size),
        cmocka_unit_test(random_grids_are_exact),
        cmocka_unit_test(wrong_grids_are_refused),
        cmocka_unit_test(polygons_with_holes_are_read),
        cmocka_unit_test(holes_that_are_none_are_found),
        cmocka_unit_test(wrong_text_is_refused),
        cmocka_unit_test(faces_become_floor),
        cmocka_unit_test(faces_without_an_edge_are_parted),
        cmocka_unit_test(edges_and_nodes_cost_something),
        cmocka_unit_test(costs_in_the_open_are_reported),
        cmocka_unit_test(wrong_markup_is_refused),
        cmocka_unit_test(objects_of_layers_become_a_plan),
        cmocka_unit_test(a_map_scales_on_load),
        cmocka_unit_test(a_tiled_map_has_a_scale),
        cmocka_unit_test(walls_beside_the_floor_are_found),
        cmocka_unit_test(groups_of_a_tiled_map_are_floors),
        cmocka_unit_test(wrong_floors_of_tiled_maps_are_refused),
        cmocka_unit_test(wrong_tiled_maps_are_refused),
        cmocka_unit_test(written_maps_are_read_again),
        cmocka_unit_test(written_grids_are_read_again),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
