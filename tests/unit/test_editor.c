/* The map maker, driven by events as a user's and judged by the files and the pictures that come out. Passed over where
 * it was not built, for want of SDL2. */
#include "window_checks.h"

#include <math.h>

enum { WIDTH = 1000, HEIGHT = 700, BAR = 40, WARN = 0xd55e00, WALKER = 0x0072b2 };

/* Two rooms and a passage with a door in it, people in the one and an exit in the other. */
#define ROOMS  "key:f drag:300,200,450,400 drag:550,200,700,400 drag:450,280,550,330 "
#define DOOR   "key:d click:500,280 click:500,330 "
#define PEOPLE "key:s drag:310,220,430,380 key:x drag:620,220,690,380 "

static void edit(const char *map, const char *actions, const char *options)
{
    char command[6000];
    snprintf(command, sizeof command, "%s edit %s --width %d --height %d --do '%s' --screenshot edit.png %s", throng,
             map, WIDTH, HEIGHT, actions, options);
    assert_int_equal(system(command), 0);
}

/* A file whole, to be freed; NULL: it is not there. */
static char *text_of(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = calloc(1, 1 << 20);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

static int count_of(const char *path, const char *what)
{
    char *text = text_of(path);
    int count = 0;
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        count++;
    free(text);
    return count;
}

static void assert_same_text(const char *a, const char *b)
{
    char *s = text_of(a), *t = text_of(b);
    assert_non_null(s);
    assert_non_null(t);
    assert_string_equal(s, t);
    free(s);
    free(t);
}

static double attribute(const char *path, const char *begins)
{
    char *text = text_of(path), *at = text ? strstr(text, begins) : NULL;
    assert_non_null(at);
    double value = strtod(at + strlen(begins), NULL);
    free(text);
    return value;
}

/* m: between the first two corners of the first face. */
static double face_width(const char *path)
{
    double x0, y0, x1, y1;
    char *text = text_of(path), *face = text ? strstr(text, "<face>") : NULL;
    assert_non_null(face);
    assert_int_equal(sscanf(face, "<face><point x=\"%lf\" y=\"%lf\"/><point x=\"%lf\" y=\"%lf\"", &x0, &y0, &x1, &y1),
                     4);
    free(text);
    return hypot(x1 - x0, y1 - y0);
}

/* Pixels of a colour on the plan. */
static int pixels_of(int colour)
{
    int width, height, channels, count = 0;
    unsigned char *rgb = stbi_load("edit.png", &width, &height, &channels, 3);
    assert_non_null(rgb);
    for (int y = 60; y < HEIGHT - BAR - 10; y++)
        for (int x = 200; x < WIDTH - 260; x++) {
            const unsigned char *p = rgb + 3 * (y * width + x);
            count += (p[0] << 16 | p[1] << 8 | p[2]) == colour;
        }
    stbi_image_free(rgb);
    return count;
}

static bool warned(void)
{
    int width, height, channels;
    unsigned char *rgb = stbi_load("edit.png", &width, &height, &channels, 3);
    assert_non_null(rgb);
    const unsigned char *p = rgb + 3 * ((HEIGHT - BAR / 2) * width + 2);
    bool orange = (p[0] << 16 | p[1] << 8 | p[2]) == WARN;
    stbi_image_free(rgb);
    return orange;
}

static int runs(const char *command)
{
    char line[5000];
    snprintf(line, sizeof line, "%s %s >said.txt 2>&1", throng, command);
    return system(line);
}

/* ---- */

static void a_drawn_map_is_walked_through(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("two.xml", ROOMS DOOR PEOPLE "key:e type:30 key:Return key:Ctrl+S", "");
    assert_int_equal(count_of("two.xml", "<face>"), 3);
    assert_int_equal(count_of("two.xml", "<edge "), 2);
    assert_int_equal(count_of("two.xml", "<door "), 1);
    write_file("walk.lua", "local throng = require 'throng'\n"
                           "local world = throng.world { map = 'two.xml' }\n"
                           "local people = world:spawn { count = 20, where = 'spawn' }\n"
                           "people:go_to 'exits'\n"
                           "return world\n");
    assert_int_equal(runs("run walk.lua --seconds 90 --json --out none"), 0);
    assert_int_equal(count_of("said.txt", "\"arrived\": 20"), 1);
}

/* As somebody begins who has read nothing: rooms, a wall in one, doors through walls. */
static void rooms_walls_and_doors_make_a_map(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("rooms.xml",
         "click:80,72 drag:300,200,560,420 drag:560,200,800,420 " /* the tool's row is pressed */
         "key:w drag:400,200,400,420 key:d drag:400,300,400,340 drag:560,280,560,320 "
         "key:s drag:310,220,380,400 key:e type:12 key:Return key:x drag:700,220,780,400 key:Ctrl+S "
         "key:r drag:320,220,390,400", /* there is a room already */
         "");
    assert_true(warned());
    assert_int_equal(count_of("rooms.xml", "<door "), 2);
    assert_int_equal(count_of("rooms.xml", "<face>"), 5); /* three rooms, two doorways */
    assert_int_equal(count_of("rooms.xml", "<edge "), 4);
    write_file("leave.lua", "local throng = require 'throng'\n"
                            "local world = throng.world { map = 'rooms.xml' }\n"
                            "world:spawn { count = 12, where = 'spawn' }:go_to 'exits'\n"
                            "return world\n");
    assert_int_equal(runs("run leave.lua --seconds 90 --json --out none"), 0);
    assert_int_equal(count_of("said.txt", "\"arrived\": 12"), 1);
}

/* Walls by clicks: each begins where the last one ended, until one is clicked twice. */
static void walls_follow_each_other(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("walls.xml",
         "key:r drag:300,200,800,500 key:w click:400,200 click:400,350 click:500,350 click:500,350 click:600,200 "
         "click:600,350 key:Return key:Ctrl+S wait:100",
         "");
    assert_false(warned());
    edit("undone.xml", /* three walls, three steps back */
         "key:r drag:300,200,800,500 key:w click:400,200 click:400,350 click:500,350 click:500,350 click:600,200 "
         "click:600,350 key:Return key:Ctrl+Z key:Ctrl+Z key:Ctrl+Z key:Ctrl+S",
         "");
    assert_int_equal(count_of("undone.xml", "<face>"), 1);
    assert_true(count_of("walls.xml", "<face>") > 3);
}

static void what_is_no_face_is_refused(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("none.xml", "key:f click:400,200 click:600,200 click:500,260 click:600,400 key:Return key:Ctrl+S", "");
    assert_true(warned());
    assert_int_equal(access("none.xml", F_OK), -1);
    edit("over.xml", "key:f drag:300,200,450,400 move:600,500", "");
    assert_false(warned());
    assert_int_equal(pixels_of(WARN), 0);
    edit("over.xml", "key:f drag:300,200,450,400 drag:400,300,600,500 key:Ctrl+S", "");
    assert_int_equal(count_of("over.xml", "<face>"), 1);
    edit("over.xml", "key:f drag:400,300,900,500", "");
    assert_true(warned());
    assert_true(pixels_of(WARN) > 100); /* the one in the way is marked */
}

static void keys_undo_and_do_again(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("a.xml", ROOMS PEOPLE "key:Ctrl+S", "");
    edit("b.xml",
         ROOMS PEOPLE "key:v click:400,390 drag:300,400,320,420 key:Delete key:Ctrl+Z key:Ctrl+Z key:Ctrl+Z key:Ctrl+Y "
                      "key:Ctrl+S",
         "");
    assert_same_text("a.xml", "b.xml");
    edit("c.xml", ROOMS PEOPLE "key:v click:445,395 drag:300,400,320,420 key:Ctrl+S", "");
    assert_int_equal(count_of("c.xml", "<face>"), 3);
    char *before = text_of("a.xml"), *after = text_of("c.xml");
    assert_string_not_equal(before, after);
    free(before);
    free(after);
}

static void faces_are_cut_and_joined(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("cut.xml", "key:f drag:300,200,600,400 key:c click:450,200 click:450,400 key:Ctrl+S", "");
    assert_int_equal(count_of("cut.xml", "<face>"), 2);
    assert_int_equal(count_of("cut.xml", "<edge "), 1);
    edit("join.xml", "key:f drag:300,200,600,400 key:c click:450,200 click:450,400 key:j click:450,300 key:Ctrl+S", "");
    assert_int_equal(count_of("join.xml", "<face>"), 1);
}

static void regions_are_named_and_counted(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("named.xml",
         ROOMS PEOPLE "key:v click:350,300 key:n type:hall key:Return key:e type:40 key:Return click:650,300 key:u "
                      "key:Ctrl+S",
         "");
    assert_int_equal(count_of("named.xml", "<region name=\"hall\" group=\"spawns\">"), 1);
    assert_int_equal(count_of("named.xml", "name=\"count\" type=\"number\" value=\"40\""), 1);
    assert_int_equal(count_of("named.xml", "<region name=\"exit\" group=\"places\">"), 1);
}

static void a_known_length_sets_the_scale(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("map.xml", "key:f drag:300,200,600,400 key:Ctrl+S", "");
    edit("twice.xml", "key:f drag:300,200,600,400 key:m click:300,200 click:600,200 type:20 key:Return key:Ctrl+S", "");
    assert_float_equal(face_width("twice.xml"), 20, 1e-9);
    assert_true(face_width("map.xml") < 19);
    write_file("plan.pgm", "P5 4 2 255\n aaa bbb");
    edit("underlaid.xml",
         "wait:2 key:a key:f drag:300,200,600,400 key:i click:300,400 click:600,400 type:6 key:Return key:Ctrl+S",
         "--underlay plan.pgm");
    assert_int_equal(count_of("underlaid.xml", "name=\"underlay\" type=\"text\" value=\"plan.pgm\""), 1);
    double scale = attribute("underlaid.xml", "name=\"underlay_scale\" type=\"number\" value=\"");
    assert_true(scale > 0 && fabs(scale - 0.05) > 1e-4);
    double before = attribute("underlaid.xml", "name=\"underlay_x\" type=\"number\" value=\"");
    edit("underlaid.xml", "key:i drag:400,300,500,300 key:Ctrl+S", "");
    assert_true(attribute("underlaid.xml", "name=\"underlay_x\" type=\"number\" value=\"") > before);
    edit("underlaid.xml", "wait:1", "");
    int dark = pixels_of(0xffffff);
    edit("underlaid.xml", "key:o", "");
    assert_int_not_equal(pixels_of(0xffffff), dark); /* the image is there again, and can be put away */
}

static void unsaved_work_is_recovered(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("lost.xml", ROOMS "wait:200", ""); /* ends without saving */
    assert_int_equal(access("lost.xml", F_OK), -1);
    assert_int_equal(count_of("lost.autosave.xml", "<face>"), 3);
    edit("lost.xml", "key:Ctrl+Z key:Ctrl+Y key:Ctrl+S", "");
    assert_int_equal(count_of("lost.xml", "<face>"), 3);
    assert_int_equal(access("lost.autosave.xml", F_OK), -1);
    edit("lost.xml", "key:f drag:750,450,800,500 wait:200", "");
    edit("lost.xml", "key:q key:q wait:9", ""); /* dropped on purpose */
    assert_int_equal(access("lost.autosave.xml", F_OK), -1);
    assert_int_equal(count_of("lost.xml", "<face>"), 3);
}

/* Floors one over the other, with a switchback from one to the next; opened again it is saved as it was. */
static void a_building_has_floors(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("house.xml",
         "key:f drag:300,150,700,550 key:t key:f drag:300,150,500,550 drag:500,150,700,550 key:h type:4.2 key:Return "
         "key:PageDown key:k click:380,300 click:500,300 key:u key:Ctrl+S wait:1",
         "");
    assert_int_equal(count_of("house.xml", "<floor "), 2);
    assert_int_equal(count_of("house.xml", "name=\"floor 1\" z=\"4.2\""), 1);
    assert_int_equal(count_of("house.xml", "<face>"), 3);
    assert_int_equal(count_of("house.xml", "flights=\"2\""), 1);
    assert_true(attribute("house.xml", "<point x=\"") < 100); /* by the plan, on every floor */
    edit("house.xml", "key:PageUp key:f drag:550,560,600,600 key:Ctrl+Z key:n wait:1", "");
    assert_int_equal(system("cp house.xml before.xml"), 0);
    edit("house.xml", "key:PageUp key:d click:500,150 click:500,550 key:Ctrl+S wait:1", "");
    assert_int_equal(count_of("house.xml", "<door "), 1);
    edit("house.xml", "key:PageUp key:v click:500,250 key:Delete key:Ctrl+S wait:1", "");
    assert_same_text("house.xml", "before.xml");
    /* flights and lifts need a floor above */
    edit("flat.xml", "key:f drag:300,150,700,550 key:k click:380,300 click:500,300 key:Ctrl+S wait:1", "");
    assert_int_equal(count_of("flat.xml", "<stairs"), 0);
    assert_int_equal(count_of("flat.xml", "<floor"), 0);
}

static void fifty_people_walk_in_it(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("walk.xml", ROOMS PEOPLE "key:v click:500,500 key:Ctrl+S", "");
    int still = pixels_of(WALKER);
    edit("walk.xml", "key:Space wait:60", "");
    assert_true(pixels_of(WALKER) > still + 2000);
    edit("walk.xml", "key:Space wait:60 key:Space", "");
    assert_true(pixels_of(WALKER) < still + 200);
    edit("empty.xml", "key:Space wait:2", "");
    assert_true(warned());
}

static void other_formats_are_saved_beside_themselves(void **state)
{
    static const char plan[] = "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (3 3, 3 6, 6 6, 6 3, 3 3))\n";
    (void)state;
    skip_without_viewer();
    write_file("plan.wkt", plan);
    edit("plan.wkt", "key:Ctrl+S", "");
    assert_true(count_of("plan.xml", "<face>") >= 4);
    char *text = text_of("plan.wkt");
    assert_string_equal(text, plan);
    free(text);
    write_file("plan.xml", "kept");
    edit("plan.wkt", "key:Ctrl+S", "");
    assert_int_equal(count_of("plan.xml", "kept"), 1); /* asked first */
    edit("plan.wkt", "key:Ctrl+S key:Ctrl+S", "");
    assert_int_equal(count_of("plan.xml", "kept"), 0);
}

static void a_question_mark_lists_the_keys(void **state)
{
    (void)state;
    skip_without_viewer();
    edit("keys.xml", "wait:1", "");
    int paper = pixels_of(0xf7f5f0);
    edit("keys.xml", "key:?", "");
    assert_true(pixels_of(0xf7f5f0) < paper - 50000);
    edit("keys.xml", "key:? key:Escape", "");
    assert_int_equal(pixels_of(0xf7f5f0), paper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rooms_walls_and_doors_make_a_map),
        cmocka_unit_test(walls_follow_each_other),
        cmocka_unit_test(a_drawn_map_is_walked_through),
        cmocka_unit_test(what_is_no_face_is_refused),
        cmocka_unit_test(keys_undo_and_do_again),
        cmocka_unit_test(faces_are_cut_and_joined),
        cmocka_unit_test(regions_are_named_and_counted),
        cmocka_unit_test(a_known_length_sets_the_scale),
        cmocka_unit_test(unsaved_work_is_recovered),
        cmocka_unit_test(fifty_people_walk_in_it),
        cmocka_unit_test(a_building_has_floors),
        cmocka_unit_test(other_formats_are_saved_beside_themselves),
        cmocka_unit_test(a_question_mark_lists_the_keys),
    };
    return cmocka_run_group_tests(tests, enter_window_folder, leave_folder);
}
