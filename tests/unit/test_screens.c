/* What the windows show, compared with pictures that somebody looked at: tests/data/screens. After a change that is
 * meant, THRONG_ACCEPT=1 build/unit/test_screens makes them again; look at each before it is committed. */
#include "window_checks.h"

enum { WIDTH = 800, HEIGHT = 560, CHANNEL = 24, PIXELS = WIDTH * HEIGHT / 500 }; /* may differ: by so much, so many */

static const char hall[] =
    "local throng = require 'throng'\n"
    "local world = throng.world { people = false, backend = 'cpu', map = throng.map { boundary = throng.box(0, 0, 16, "
    "9),\n"
    "  walls = { throng.box(8, 0, 8.3, 3.8), throng.box(8, 5.2, 8.3, 9) },\n"
    "  doors = { gate = { { 8.15, 3.8 }, { 8.15, 5.2 } }, hatch = { { 16, 1 }, { 16, 2 } } },\n"
    "  regions = { foyer = throng.box(0.5, 0.5, 5, 8.5), exit = throng.box(14.5, 3, 16, 6) } } }\n"
    "local guests = world:spawn { name = 'guests', count = 40, where = 'foyer', speed = 1.3 }\n"
    "guests:go_to 'exit'\n"
    "world:spawn { name = 'staff', at = { { 10, 7.5 }, { 12, 2 }, { 5.5, 4.5 } }, planner = 'rvo' }:go_to 'foyer'\n"
    "world:body { box = { 1.4, 0.6 }, at = { 11, 4.5 }, angle = 0.5, mass = 80 }\n"
    "world:body { circle = 0.5, at = { 12.5, 7 }, mass = 30 }\n"
    "world.map:door('hatch'):close()\n"
    "return world\n";

static const struct {
    const char *name, *command;
} screens[] = {
    {"agent", "view hall.lua --at 4 --do 'key:t key:Space wait:60 key:Space click:368,268'"},
    {"behind", "view hall.lua --at 4 --do 'key:Space wait:60 key:Space click:368,268 key:v wait:1'"},
    {"eyes", "view hall.lua --at 4 --do 'key:Space wait:60 key:Space click:368,268 key:v key:v wait:1'"},
    {"density", "view hall.lua --at 5 --dark --colour walking --do 'key:h wait:1'"},
    {"trouble", "view wrong.lua --do 'key:Space wait:60'"},
    {"rooms",
     "edit rooms.xml --do 'key:f drag:250,220,400,420 drag:500,220,650,420 drag:400,300,500,350 key:d click:450,300 "
     "click:450,350 key:s drag:260,240,380,400 key:e type:30 key:Return key:x drag:570,240,640,400 key:Ctrl+S "
     "wait:300'"},
    {"refused", "edit rooms.xml --do 'key:f drag:400,200,600,300'"},
};

static unsigned char *load(const char *path)
{
    int width, height, channels;
    unsigned char *rgb = stbi_load(path, &width, &height, &channels, 3);
    if (rgb && (width != WIDTH || height != HEIGHT)) {
        stbi_image_free(rgb);
        rgb = NULL;
    }
    return rgb;
}

static int differing(const unsigned char *a, const unsigned char *b)
{
    int count = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        bool other = false;
        for (int k = 0; k < 3; k++)
            other = other || abs(a[3 * i + k] - b[3 * i + k]) > CHANNEL;
        count += other;
    }
    return count;
}

/* tests/data/screens, beside the build. */
static void name_accepted(const char *name, char *path, size_t size)
{
    char root[4096];
    snprintf(root, sizeof root, "%s", throng);
    for (int up = 0; up < 2; up++)
        *strrchr(root, '/') = 0;
    snprintf(path, size, "%s/tests/data/screens/%s.png", root, name);
}

static void windows_look_as_they_were_accepted(void **state)
{
    char command[9000], accepted[4200];
    int wrong = 0;
    (void)state;
    skip_without_viewer();
    write_file("hall.lua", hall);
    write_file("wrong.lua", "local throng = require 'throng'\nlocal world = throng.world { people = false }\n"
                            "world:spawn { at = { { 0, 0 } } }\n"
                            "world:on_step(function(_, time) if time > 0.25 then error 'no more' end end)\n"
                            "return world\n");
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        name_accepted(screens[i].name, accepted, sizeof accepted);
        bool accept = getenv("THRONG_ACCEPT") != NULL;
        snprintf(command, sizeof command, "%s %s --width %d --height %d --screenshot %s.png", throng,
                 screens[i].command, WIDTH, HEIGHT, screens[i].name);
        assert_int_equal(system(command), 0);
        snprintf(command, sizeof command, "cp %s.png %s", screens[i].name, accepted);
        if (accept)
            assert_int_equal(system(command), 0);
        snprintf(command, sizeof command, "%s.png", screens[i].name);
        unsigned char *now = load(command), *then = load(accepted);
        assert_non_null(now);
        int count = then ? differing(now, then) : WIDTH * HEIGHT;
        if (count > PIXELS) {
            print_error("%s.png: %d pixels differ from %s\n", screens[i].name, count, accepted);
            wrong++;
        }
        stbi_image_free(now);
        stbi_image_free(then);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows_look_as_they_were_accepted)};
    return cmocka_run_group_tests(tests, enter_window_folder, leave_folder);
}
