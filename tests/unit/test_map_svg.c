/* SVG drawings as maps: layers, shapes, transforms and copies, how large a sheet is, and what is said of wrong ones. */
#include "map_checks.h"
#include "map_files.h"
#include "map/svg.h"

#include <math.h>

#define SHEET "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"210mm\" height=\"297mm\" viewBox=\"0 0 210 297\">"
#define HALL                                                                                                           \
    "<g id=\"slab\"><rect width=\"100\" height=\"60\" y=\"237\"/></g>" /* 10 x 6 m at 1:100, from (0, 0) on            \
                                                                        */

static throng_map *read_svg(const char *head, const char *content, double scale)
{
    char text[4096];
    throng_error error = {""};
    throng_map_options options = throng_map_options_default();
    options.scale = scale;
    snprintf(text, sizeof text, "%s%s</svg>", head, content);
    throng_map *map = throng_map_read(write_text("plan.svg", text), &options, &error);
    if (!map)
        fail_msg("%s", error.text);
    return map;
}

static void assert_area(const char *content, double area, double tolerance)
{
    throng_map *map = read_svg(SHEET HALL, content, 0);
    assert_sound(map);
    if (fabs(map->area - area) > tolerance)
        fail_msg("%s: the area is %g, and not %g", content, map->area, area);
    throng_map_destroy(map);
}

static void groups_are_layers(void **state)
{
    (void)state;
    throng_map *map = read_svg(SHEET HALL,
                               "<g inkscape:label=\"Walls\" xmlns:inkscape=\"i\" style=\"fill:none;stroke:#000\"><path "
                               "d=\"m 60,237 v 25 m 0,10 "
                               "v 25\"/></g>"
                               "<g id=\"doors\"><line x1=\"60\" y1=\"262\" x2=\"60\" y2=\"272\"/></g>"
                               "<g id=\"rooms\"><rect id=\"hall\" x=\"5\" y=\"240\" width=\"20\" height=\"50\"/>"
                               "<rect id=\"rect12\" x=\"80\" y=\"240\" width=\"10\" height=\"50\"/></g>"
                               "<g id=\"notes\"><text>walls</text><path d=\"M0,237 L100,297\"/></g>"
                               "<g id=\"walls-old\" style=\"display:none\"><path d=\"M0,237 L100,297\"/></g>",
                               0);
    assert_sound(map);
    assert_near(map->bounds.x1, 10, 1e-4);
    assert_near(map->bounds.y0, 0, 1e-4);
    assert_near(map->area, 60 - 0.1 * 5, 0.02); /* walls as thick as `thickness`, with an opening of 1 m */
    assert_int_equal(map->door_count, 1);
    assert_near(map->doors[0].a.x, 6, 1e-4);
    assert_near(fmin(map->doors[0].a.y, map->doors[0].b.y), 2.5, 1e-4); /* up is up */
    assert_int_equal(map->region_count, 2);
    assert_string_equal(map->regions[0].name, "hall");
    assert_string_equal(map->regions[1].name, "rooms"); /* a number is no name */
    bool told = false;
    for (int32_t i = 0; i < map->findings.count; i++)
        told |= strstr(map->findings.list[i].text, "layer \"notes\": 1 of 1 features have no role") != NULL;
    assert_true(told);
    throng_map_destroy(map);
}

/* In millimetres of paper, 100 to the metre; each is 1 m^2 unless it says otherwise. */
static void shapes_are_what_they_draw(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double area; /* m^2 */
    } cases[] = {
        {"<rect x='20' y='250' width='10' height='10'/>", 1},
        {"<rect x='20' y='250' width='20' height='10' rx='5'/>", 1 + M_PI / 4},
        {"<circle cx='30' cy='260' r='10'/>", M_PI},
        {"<ellipse cx='30' cy='260' rx='10' ry='5'/>", M_PI / 2},
        {"<polygon points='20,250 30,250 30,260 20,260'/>", 1},
        {"<path d='M20,250h10v10h-10z'/>", 1},
        {"<path d='M20 250 H30 V260 H20 Z'/>", 1},
        {"<path d='m20,250 10,0 0,10 -10,0z'/>", 1},
        {"<path d='M20,250L30,250,30,260,20,260z'/>", 1},
        {"<path d='M20,260A10,10 0 0 1 40,260z'/>", M_PI / 2},
        {"<path d='M20,260a10,10 0 0120,0z'/>", M_PI / 2}, /* flags written together */
        {"<path d='M20,260a10 10 0 1 1 10 10z'/>", 3 * M_PI / 4 + 0.5},
        {"<path d='M20,260C20,250 40,250 40,260z'/>", 1.2},
        {"<path d='M20,260Q30,240 40,260z'/>", 4. / 3},

        {"<path d='M20,250h20v20h-20zM25,255h10v10h-10z'/>", 3}, /* with a hole */
        {"<path d='M20,250h10v10h-10zm20,0h10v10h-10z'/>", 2},   /* two that lie apart */
        {"<g transform='translate(20 250)'><rect width='10' height='10'/></g>", 1},
        {"<g transform='translate(30,260) rotate(45)'><rect width='10' height='10'/></g>", 1},
        {"<g transform='rotate(30,30,260)'><g transform='scale(2,.5)'><rect x='12' y='510' width='5' "
         "height='20'/></g></g>",
         1},
        {"<g transform='matrix(1 0 0 1 20 250)'><rect width='10' height='10'/></g>", 1},
        {"<g transform='skewX(10)'><rect x='-20' y='250' width='10' height='10'/></g>", 1},
        {"<defs><rect id='t' width='10' height='10'/></defs><use href='#t' x='20' y='250'/>"
         "<use xlink:href='#t' xmlns:xlink='x' x='50' y='250'/>",
         2},
        {"<symbol id='s'><rect width='10' height='10'/></symbol><use href='#s' transform='translate(20,250)'/>", 1},
        {"<rect x='200mm' width='10'/><rect x='20' y='250' width='10px' height='10'/>", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char content[512];
        snprintf(content, sizeof content, "<g id='obstacles'>%s</g>", cases[i].shape);
        assert_area(content, 60 - cases[i].area, 0.01);
    }
    assert_area("<g id='walls'><rect x='20' y='250' width='10' height='10' fill='none'/></g>", 60 - 4 * 0.1, 0.01);
    assert_area("<g id='walls' style='stroke: red; fill : none ;'><rect x='20' y='250' width='10' height='10'/></g>",
                60 - 4 * 0.1, 0.01);
    assert_area("<g id='walls'><path d='M20,260q5,-10 10,0t10,0' fill='none'/></g>", 60 - 0.1 * 2.96, 0.02);
}

static void sheets_have_a_size(void **state)
{
    (void)state;
    static const char hall[] = "<g id=\"slab\"><rect width=\"100\" height=\"60\"/></g>";
    static const struct {
        const char *head;
        double scale, width;
    } cases[] = {{"<svg>", 0, 100 * 0.0254 / 96 * 100},
                 {"<svg width=\"100\" height=\"60\">", 0, 100 * 0.0254 / 96 * 100},
                 {"<svg viewBox=\"0 0 100 60\" width=\"20cm\">", 0, 20},
                 {"<svg viewBox=\"0,0,100,60\" width=\"25m\">", 0, 25},
                 {"<svg viewBox=\"0 0 100 60\" width=\"100%\" height=\"100%\">", 0, 100 * 0.0254 / 96 * 100},
                 {"<svg>", 0.5, 50}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        throng_map *map = read_svg(cases[i].head, hall, cases[i].scale);
        assert_near(map->bounds.x1 - map->bounds.x0, cases[i].width, 1e-3);
        throng_map_destroy(map);
    }
}

/* Rooms with walls alone: what they enclose is the floor, with openings shut where doors are; not where something lies
 * outside, or where there is nothing but houses. */
static void walls_enclose_floors(void **state)
{
    (void)state;
#define ROOM  "<g id=\"walls\" fill=\"none\"><path d=\"M 0,297 V 237 H 100 V 297 H 55 M 45,297 H 0\"/></g>"
#define DOORS "<g id=\"doors\"><path d=\"M 45,297 H 55\" fill=\"none\"/></g>"
    static const struct {
        const char *content;
        bool encloses;
    } cases[] = {{ROOM DOORS, true},
                 {ROOM DOORS "<g id=\"regions\"><rect x=\"5\" y=\"250\" width=\"20\" height=\"20\"/></g>", true},
                 {ROOM DOORS "<g id=\"regions\"><rect x=\"105\" y=\"250\" width=\"20\" height=\"20\"/></g>", false},
                 {ROOM, false},
                 {"<g id=\"walls\"><rect width=\"100\" height=\"60\"/></g>", false},
                 {"<g id=\"walls\"><path d=\"M 0,0 L 10,10 L 20,20 Z\"/></g>", false}}; /* no area, and no wall */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        throng_map *map = read_svg(SHEET, cases[i].content, 0);
        bool told = false;
        for (int32_t f = 0; f < map->findings.count; f++)
            told |= strstr(map->findings.list[f].text, "outside of the outermost walls is left out") != NULL;
        assert_int_equal(told, cases[i].encloses);
        if (cases[i].encloses)
            assert_near(map->area, 9.9 * 5.9 + 0.1, 0.05);
        else
            assert_true(isinf(map->area));
        throng_map_destroy(map);
    }
}

/* Walls are 0.1 m thick; a millimetre is 0.1 m. */
static void gaps_that_are_closed_are_told(void **state)
{
    (void)state;
    throng_map *map = read_svg(SHEET HALL,
                               "<g id=\"walls\" style=\"fill:none;stroke:#000\">"
                               "<path d=\"M20,237 V250 M20,250.6 V260\"/>"  /* 0.06 m apart, told once */
                               "<path d=\"M20.8,258 H30\"/>"                /* 0.08 m beside the last one */
                               "<path d=\"M20,240 H26 M40,237 V250 H50\"/>" /* touches; a corner is none */
                               "<path d=\"M60,237 V250 M60,253 V260\"/>"    /* 0.3 m apart: an opening */
                               "<path d=\"M70,240 H80 V250 H70 V240.9\"/>"  /* nearly closes */
                               "<rect x=\"84\" y=\"240\" width=\"5\" height=\"5\"/></g>",
                               0);
    static const struct {
        const char *text;
        throng_point at, to;
    } expected[] = {{"a gap of 0.06 m", {2, 4.7}, {2, 4.64}},
                    {"a gap of 0.08 m", {2.08, 3.9}, {2, 3.9}},
                    {"a gap of 0.09 m", {7, 5.7}, {7, 5.61}}};
    int found = 0;
    for (int32_t i = 0; i < map->findings.count; i++) {
        const throng_finding *f = &map->findings.list[i];
        if (!strstr(f->text, "a gap of"))
            continue;
        assert_true(found < 3);
        assert_non_null(strstr(f->text, expected[found].text));
        assert_non_null(strstr(f->text, "in the walls was closed: they are 0.1 m thick"));
        assert_near(f->at.x, expected[found].at.x, 1e-4);
        assert_near(f->at.y, expected[found].at.y, 1e-4);
        assert_near(f->to.x, expected[found].to.x, 1e-4);
        assert_near(f->to.y, expected[found].to.y, 1e-4);
        found++;
    }
    assert_int_equal(3, found);
    assert_false(throng_map_fits(map, (throng_point){2, 4.67}, 0.01)); /* and they are closed */
    assert_true(throng_map_fits(map, (throng_point){6, 4.55}, 0.01));
    throng_map_destroy(map);
}

static void assert_refused(const char *content, const char *message)
{
    char text[4096];
    snprintf(text, sizeof text, "%s\n%s\n%s</svg>", SHEET, HALL, content);
    assert_read_fails(write_text("bad.svg", text), message);
}

static void wrong_files_are_refused(void **state)
{
    (void)state;
    assert_read_fails(write_text("bad.svg", "garbage"), "bad.svg:1: not well-formed XML");
    assert_read_fails(write_text("bad.svg", "<html/>"), "the outermost element is <html>, and not <svg>");
    assert_read_fails(write_text("bad.svg", "<svg viewBox=\"0 0 x 1\"/>"), "viewBox=\"0 0 x 1\" is not valid");
    assert_read_fails(write_text("bad.svg", "<svg/>"), "no layer of it is taken for walls or the boundary");
    assert_refused("<path d=\"L 1 2\"/>", "bad.svg:3: <path>: d has 'L 1 2' where a command like M, L or Z must be");
    assert_refused("<path d=\"M 1 2 C 3 4 5\"/>", "'C' in d takes 6 numbers");
    assert_refused("<path d=\"M 1 2 Z 3\"/>", "where a command like M, L or Z must be");
    assert_refused("<path d=\"M 1 inf\"/>", "'M' in d takes 2 numbers");
    assert_refused("<polygon points=\"1,2 3\"/>", "bad.svg:3: <polygon>: points has '' where a number must be");
    assert_refused("<rect width=\"wide\" height=\"1\"/>", "<rect>: width=\"wide\" is no length");
    assert_refused("<g transform=\"turn(3)\"/>", "<g>: transform=\"turn(3)\" is none");
    assert_refused("<g transform=\"rotate(1,2)\"/>", "<g>: transform=\"rotate(1,2)\" is none");
    assert_refused("<use href=\"#nobody\"/>", "<use>: there is no element '#nobody' in the file");
    assert_refused("<g id=\"a\"><use href=\"#a\"/></g>", "uses what it is part of");
    assert_refused("<g id=\"walls\"><path d=\"M 1e300 0 L 1 1\" transform=\"scale(1e300)\" fill=\"none\"/></g>",
                   "a point is (inf");
}

/* Copies of copies of nothing: 2^40 of them. */
static void copies_are_counted(void **state)
{
    (void)state;
    char text[4096] = "<g id=\"a0\"/>";
    for (int i = 1; i <= 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "<g id=\"a%d\"><use href=\"#a%d\"/><use href=\"#a%d\"/></g>", i, i - 1, i - 1);
    assert_refused(text, "more than 1000000 elements are drawn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_layers),
        cmocka_unit_test(shapes_are_what_they_draw),
        cmocka_unit_test(sheets_have_a_size),
        cmocka_unit_test(walls_enclose_floors),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(copies_are_counted),
        cmocka_unit_test(gaps_that_are_closed_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
