/* The viewer, driven by events as a user's and judged by its pictures; without a display. Passed over where it was not
 * built, for want of SDL2. */
#include "picture/picture_style.h"
#include "window_checks.h"

#include <math.h>
#include <sys/stat.h>

enum { WIDTH = 640, HEIGHT = 480, BAR = 70, MARGIN = 20 }; /* BAR: with the timeline */

/* A room of 10 m; one agent in its middle walks east. */
static const double pixels_a_metre = (HEIGHT - BAR - 2 * MARGIN) / 10.6;
static const char room[] =
    "local throng = require 'throng'\n"
    "local world = throng.world { people = false, map = throng.map { boundary = throng.box(0, 0, 10, 10) },\n"
    "  record = { every = 0.1 } }\n"
    "local one = world:spawn { name = 'one', at = { { 5, 5 } }, speed = 1 }\n"
    "one:go_to { 9, 5 }\n";

static void write_scenario(const char *more)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%sreturn world\n", room, more);
    write_file("room.lua", text);
}

/* The picture after the actions, RGB; freed with stbi_image_free. */
static unsigned char *picture_of(const char *what, const char *actions, const char *options)
{
    char command[6000];
    int width = 0, height = 0, channels;
    snprintf(command, sizeof command, "%s %s --width %d --height %d --do '%s' --screenshot view.png %s", throng, what,
             WIDTH, HEIGHT, actions, options);
    assert_int_equal(system(command), 0);
    unsigned char *rgb = stbi_load("view.png", &width, &height, &channels, 3);
    assert_non_null(rgb);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    return rgb;
}

static unsigned char *picture_after(const char *actions, const char *options)
{
    return picture_of("view room.lua", actions, options);
}

typedef struct spot {
    double x, y;
    int count;
} spot;

static int colour_at(const unsigned char *rgb, int x, int y)
{
    const unsigned char *p = rgb + 3 * (y * WIDTH + x);
    return p[0] << 16 | p[1] << 8 | p[2];
}

/* The middle of everything of a colour that lies on the floor plan. */
static spot find(const unsigned char *rgb, int colour)
{
    spot s = {0, 0, 0};
    for (int y = 110; y < HEIGHT - BAR; y++) /* legend, panel and messages have that colour, too */
        for (int x = 220; x < WIDTH; x++)
            if (colour_at(rgb, x, y) == colour) {
                s.x += x + 0.5;
                s.y += y + 0.5;
                s.count++;
            }
    s.x /= s.count ? s.count : 1;
    s.y /= s.count ? s.count : 1;
    return s;
}

/* The agent of the first kind. */
static spot find_agent(const unsigned char *rgb) { return find(rgb, 0x0072b2); }

static spot agent_after(const char *actions, const char *options)
{
    unsigned char *rgb = picture_after(actions, options);
    spot s = find_agent(rgb);
    stbi_image_free(rgb);
    return s;
}

static spot agent_replayed(const char *recording, const char *actions, const char *options)
{
    char what[200];
    snprintf(what, sizeof what, "replay %s", recording);
    unsigned char *rgb = picture_of(what, actions, options);
    spot s = find_agent(rgb);
    stbi_image_free(rgb);
    return s;
}

/* Of the plan, which begins right of the legend. */
static const double middle_x = (206 + WIDTH) / 2.0, middle_y = (HEIGHT - BAR) / 2.0;

static void the_plan_fills_the_window(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    unsigned char *rgb = picture_after("wait:1", "");
    spot agent = find_agent(rgb);
    assert_in_range(agent.count, 100, (int)(M_PI * 0.25 * 0.25 * pixels_a_metre * pixels_a_metre) + 30);
    assert_float_equal(agent.x, middle_x, 1.5);
    assert_float_equal(agent.y, middle_y, 1.5);
    assert_int_equal(colour_at(rgb, (int)(middle_x + 4 * pixels_a_metre), 100), 0xffffff);    /* the floor */
    assert_int_equal(colour_at(rgb, (int)(middle_x + 5.05 * pixels_a_metre), 100), 0x39424e); /* its wall */
    assert_int_equal(colour_at(rgb, (int)(middle_x + 6 * pixels_a_metre), 100), 0xf7f5f0);    /* outside */
    stbi_image_free(rgb);
}

static void space_plays_and_a_dot_steps(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    spot still = agent_after("wait:60", ""), stepped = agent_after("key:.", ""),
         played = agent_after("key:Space wait:120", "");
    spot fast = agent_after("key:+ key:Space wait:60", ""), begun = agent_after("wait:1", "--at 1");
    assert_float_equal(still.x, middle_x, 1.5);
    assert_float_equal(stepped.x - still.x, 0.1 * pixels_a_metre, 1.5);
    assert_float_equal(played.x - still.x, 1.9 * pixels_a_metre, 0.15 * pixels_a_metre);
    assert_float_equal(fast.x, played.x, 0.15 * pixels_a_metre); /* twice the speed for half as long */
    assert_float_equal(begun.x - still.x, pixels_a_metre, 0.1 * pixels_a_metre);
    assert_float_equal(played.y, middle_y, 1.5);
}

static void the_wheel_zooms_to_the_pointer_and_dragging_pans(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    spot fit = agent_after("wait:1", ""), zoomed = agent_after("wheel:423,205,2", "");
    spot beside = agent_after("wheel:523,205,2", ""), panned = agent_after("drag:403,100,443,170", "");
    spot again = agent_after("drag:403,100,443,170 wheel:523,205,2 key:F", "");
    assert_float_equal(zoomed.count / (double)fit.count, 1.44 * 1.44, 0.4);
    assert_float_equal(zoomed.x, fit.x, 1.5);
    assert_float_equal(beside.x, 523 - 1.44 * (523 - fit.x), 2);
    assert_float_equal(panned.x - fit.x, 40, 1);
    assert_float_equal(panned.y - fit.y, 70, 1);
    assert_float_equal(again.x, fit.x, 0.1);
    assert_int_equal(again.count, fit.count);
}

static int differing(const unsigned char *a, const unsigned char *b, int x0, int y0, int x1, int y1)
{
    int count = 0;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            count += colour_at(a, x, y) != colour_at(b, x, y);
    return count;
}

static void a_click_on_an_agent_tells_about_it(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("world:spawn { at = { { 6, 5.5 } } }\n");
    unsigned char *none = picture_after("wait:1", ""), *chosen = picture_after("click:423,205", "");
    unsigned char *beside = picture_after("click:423,150", ""),
                  *away = picture_after("click:423,205 click:423,150", "");
    assert_true(differing(none, chosen, WIDTH - 250, 20, WIDTH - 20, HEIGHT - BAR) > 20000);
    assert_true(differing(none, chosen, 380, 185, 463, 225) > 40); /* its ring */
    assert_int_equal(differing(none, beside, 0, 0, WIDTH, HEIGHT), 0);
    assert_int_equal(differing(none, away, 0, 0, WIDTH, HEIGHT), 0);
    stbi_image_free(none);
    stbi_image_free(chosen);
    stbi_image_free(beside);
    stbi_image_free(away);
    spot followed = agent_after("double:423,205 key:Space wait:120", "");
    assert_float_equal(followed.x, WIDTH / 2.0, 2);
}

static void held_arrows_steer_the_player(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("one:control()\n");
    spot waits = agent_after("key:Space wait:60", ""), right = agent_after("key:Right key:Space wait:60", "");
    spot aslant = agent_after("key:Left key:Up key:Space wait:120", "");
    assert_float_equal(waits.x, middle_x, 2);
    assert_float_equal(right.x, middle_x + pixels_a_metre, 6);
    assert_float_equal(right.y, middle_y, 2);
    assert_float_equal(aslant.x, middle_x - sqrt(2) * pixels_a_metre, 8); /* no faster than straight on */
    assert_float_equal(aslant.y, middle_y - sqrt(2) * pixels_a_metre, 8);
}

static void layers_are_switched_on_and_off(void **state)
{
    static const struct {
        const char *on, *off;
        int x, y; /* m, a place that looks different then */
    } layers[] = {{"key:h", "key:h key:h key:h", 5, 6},
                  {"key:n", "key:n key:n key:n key:n", 2, 2},
                  {"key:n key:n key:n", "key:n key:n key:n key:n", 7, 7},
                  {"key:?", "key:? key:Escape", 5, 8}};
    (void)state;
    skip_without_viewer();
    write_scenario("");
    unsigned char *plain = picture_after("wait:1", "");
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        unsigned char *on = picture_after(layers[i].on, ""), *off = picture_after(layers[i].off, "");
        int x = (int)(middle_x + (layers[i].x - 5) * pixels_a_metre),
            y = (int)(middle_y - (layers[i].y - 5) * pixels_a_metre);
        assert_true(differing(plain, on, x - 15, y - 15, x + 15, y + 15) > 20);
        assert_int_equal(differing(plain, off, 0, 0, WIDTH, HEIGHT - BAR), 0);
        stbi_image_free(on);
        stbi_image_free(off);
    }
    unsigned char *walked = picture_after("key:Space wait:120", ""),
                  *trailed = picture_after("key:t key:Space wait:120", "");
    int y = (int)middle_y, behind = (int)(middle_x + pixels_a_metre);
    assert_true(differing(walked, trailed, behind - 10, y - 3, behind + 10, y + 3) > 15);
    stbi_image_free(plain);
    stbi_image_free(walked);
    stbi_image_free(trailed);
}

static void agents_are_coloured_by_a_column(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("world:spawn { at = { { 7, 7 } }, mass = 40 }\n");
    assert_true(agent_after("wait:1", "").count > 100);
    assert_int_equal(agent_after("wait:1", "--colour mass").count, 0);
    assert_int_equal(agent_after("key:c", "").count, 0); /* walking speed */
}

static void a_saved_scenario_is_reloaded(void **state)
{
    /* in its third step the script saves another version of itself */
    static const char saving[] = "world:on_step(function(world, time)\n"
                                 "  if time < 0.25 then return end\n"
                                 "  local file = io.open('room.lua', 'w')\n"
                                 "  file:write(%s)\n"
                                 "  file:close()\n"
                                 "end)\n";
    static const char moved[] =
        "[[local throng = require 'throng'\n"
        "local world = throng.world { people = false, map = throng.map { boundary = throng.box(0, 0, 10, 10) } }\n"
        "world:spawn { at = { { 5, 2 } } }\n"
        "return world]]";
    char more[1200];
    (void)state;
    skip_without_viewer();
    snprintf(more, sizeof more, saving, moved);
    write_scenario(more);
    spot agent = agent_after("key:Space wait:120", "--trust");
    assert_float_equal(agent.x, middle_x, 1.5);
    assert_float_equal(agent.y, middle_y + 3 * pixels_a_metre, 1.5);

    snprintf(more, sizeof more, saving, "'retrun 1'"); /* a mistake: the old world goes on below the message */
    write_scenario(more);
    unsigned char *rgb = picture_after("key:Space wait:120", "--trust");
    assert_int_equal(colour_at(rgb, 18, 40), 0xd55e00);
    agent = find_agent(rgb);
    assert_true(agent.x > middle_x + pixels_a_metre);
    stbi_image_free(rgb);
}

static void a_failing_callback_stops_the_world_with_its_message(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("world:on_step(function(_, time) if time > 0.45 then error 'enough' end end)\n");
    unsigned char *rgb = picture_after("key:Space wait:120", "");
    assert_int_equal(colour_at(rgb, 18, 40), 0xd55e00);
    stbi_image_free(rgb);
    rgb = picture_after("key:Space wait:120 key:Escape", ""); /* put away */
    assert_int_not_equal(colour_at(rgb, 18, 40), 0xd55e00);
    assert_float_equal(find_agent(rgb).x - middle_x, 0.5 * pixels_a_metre, 0.1 * pixels_a_metre);
    stbi_image_free(rgb);
}

static void p_saves_a_picture(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    stbi_image_free(picture_after("key:. key:p wait:2", ""));
    assert_int_equal(access("out/room/view-0.1s.png", R_OK), 0);
}

/* What R began and ended is there in pictures, where there is no ffmpeg, and else what ffmpeg was given. */
static void r_films(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/bin/no-such-folder", 1);
    stbi_image_free(picture_after("key:r key:Space wait:60 key:r wait:20", ""));
    assert_int_equal(access("out/room/view-0.0s/00000.png", R_OK), 0);
    assert_int_equal(access("out/room/view-0.0s/00029.png", R_OK), 0);
    assert_int_not_equal(access("out/room/view-0.0s/00033.png", R_OK), 0); /* 30 a second */
    FILE *file = fopen("ffmpeg", "w"); /* writes what it reads into the file named last */
    assert_non_null(file);
    fputs("#!/bin/sh\nfor last; do :; done\nexec /bin/cat >\"$last\"\n", file);
    fclose(file);
    assert_int_equal(chmod("ffmpeg", 0755), 0);
    setenv("PATH", ".", 1);
    stbi_image_free(picture_after("key:r key:Space wait:60 key:r wait:2", ""));
    setenv("PATH", path, 1);
    free(path);
    struct stat film;
    assert_int_equal(stat("out/room/view-0.0s.mp4", &film), 0);
    assert_int_equal(film.st_size % (3 * WIDTH * HEIGHT), 0);
    assert_in_range(film.st_size / (3 * WIDTH * HEIGHT), 29, 32);
}

static void sliders_change_parameters(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("local params = throng.params { pace = { 1, 0.5, 1 } }\n"
                   "world:on_step(function() one.speed = params.pace end)\n");
    /* the panel is below a legend of one row; its line is 162 long and ends at 192 */
    spot fast = agent_after("key:Space wait:60", ""), slow = agent_after("drag:192,130,40,130 key:Space wait:60", "");
    assert_float_equal(fast.x - slow.x, 0.45 * pixels_a_metre, 0.12 * pixels_a_metre);
}

static void what_was_is_shown_again(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    spot at_2 = agent_after("wait:1", "--at 2"), back = agent_after("key:, key:, key:,", "--at 2"),
         left = agent_after("key:Left", "--at 2"), end = agent_after("key:Left key:End", "--at 2");
    assert_float_equal(at_2.x - back.x, 0.3 * pixels_a_metre, 1.5);
    assert_float_equal(at_2.x - left.x, pixels_a_metre, 1.5);
    assert_float_equal(end.x, at_2.x, 0.01);
    /* played from there it comes to now, and goes on */
    spot on = agent_after("key:Left key:Space wait:90", "--at 2");
    assert_float_equal(on.x - at_2.x, 0.5 * pixels_a_metre, 0.15 * pixels_a_metre);
    /* the line is a minute long: its first second is at its left, and it is dragged along */
    int first = 17 + (WIDTH - 37) / 60, height = HEIGHT - 48;
    char drag[80];
    snprintf(drag, sizeof drag, "drag:300,%d,%d,%d", height, first, height);
    spot dragged = agent_after(drag, "--at 2");
    assert_float_equal(at_2.x - dragged.x, pixels_a_metre, 0.15 * pixels_a_metre);
}

static void recordings_are_replayed(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    char command[9000];
    snprintf(command, sizeof command,
             "%s run room.lua --seconds 3 >/dev/null && %s convert out/room/trajectory.sqlite room.throng >/dev/null",
             throng, throng);
    assert_int_equal(system(command), 0);
    spot first = agent_replayed("out/room", "wait:1", ""), second = agent_replayed("out/room", "wait:1", "--at 1");
    spot compact = agent_replayed("room.throng", "wait:1", "--at 1");
    spot played = agent_replayed("room.throng", "key:Space wait:60", ""),
         back = agent_replayed("room.throng", "key:End key:, key:Home key:. key:.", "");
    assert_float_equal(second.x - first.x, pixels_a_metre, 1.5);
    assert_float_equal(compact.x, second.x, 0.6);
    assert_float_equal(played.x, second.x, 0.1 * pixels_a_metre);
    assert_float_equal(back.x - first.x, 0.2 * pixels_a_metre, 1.5);
}

/* A recording looks like its run: groups have their colours, bodies their size, regions are there. */
static void a_recording_looks_like_its_run(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("world:spawn { name = 'two', at = { { 3, 7 } }, radius = 0.5 }\n");
    char command[9000];
    snprintf(command, sizeof command, "%s run room.lua --seconds 3 >/dev/null && rm -f out/room/*.csv", throng);
    assert_int_equal(system(command), 0);
    unsigned char *run = picture_after("wait:1", ""), *replay = picture_of("replay out/room", "wait:1", "");
    for (int colour = 0; colour < 2; colour++) {
        static const int colours[] = {0x0072b2, 0xd55e00};
        spot then = find(run, colours[colour]), now = find(replay, colours[colour]);
        assert_in_range(then.count, 100, 3000);
        assert_in_range(now.count, then.count - 10, then.count + 10);
        assert_float_equal(now.x, then.x, 1);
        assert_float_equal(now.y, then.y, 1);
    }
    stbi_image_free(run);
    stbi_image_free(replay);
}

static void recorded_smoke_looks_as_it_was(void **state)
{
    (void)state;
    skip_without_viewer();
    write_file("fire.lua",
               "local throng = require 'throng'\n"
               "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 20, 10) }, seconds = 8,\n"
               "  until_done = false }\n"
               "world:spawn { name = 'one', at = { { 1, 1 } }, planner = 'none' }\n"
               "world:smoke { extinction = function(x, y, t) return 0.01 * x * t + 0 * y end, every = 1 }\n"
               "return world\n");
    char command[9000];
    snprintf(command, sizeof command,
             "%s run fire.lua >/dev/null && %s convert out/fire/trajectory.sqlite fire.throng >/dev/null", throng,
             throng);
    assert_int_equal(system(command), 0);
    unsigned char *run = picture_of("view fire.lua", "wait:1", "--at 6");
    static const char *const recordings[] = {"replay out/fire", "replay fire.throng"};
    for (int r = 0; r < 2; r++) {
        unsigned char *clear = picture_of(recordings[r], "wait:1", ""),
                      *replay = picture_of(recordings[r], "wait:1", "--at 6");
        int differ = 0, darker = 0;
        for (int i = 0; i < WIDTH * (HEIGHT - BAR - 40); i++) {
            differ += abs(run[3 * i] - replay[3 * i]) > 3;
            darker += clear[3 * i] - replay[3 * i] > 20;
        }
        assert_in_range(differ, 0, 40);
        assert_true(darker > 20000);
        stbi_image_free(clear);
        stbi_image_free(replay);
    }
    stbi_image_free(run);
}

/* Of a building that is empty, too, when it has just been loaded again. */
static void a_floor_without_people_is_shown(void **state)
{
    (void)state;
    skip_without_viewer();
    write_file(
        "empty.lua",
        "local throng = require 'throng'\n"
        "local hall = throng.box(0, 0, 24, 10)\n"
        "return throng.world { map = throng.building { floors = { a = { z = 0, boundary = hall },\n"
        "  b = { z = 4, boundary = hall } }, stairs = { { from = 'a', to = 'b', foot = { 8, 5 }, head = { 16, 5 } "
        "} } } }\n");
    stbi_image_free(picture_of("view empty.lua", "key:PageUp key:Home wait:2", ""));
}

/* A recording of a building has its floors, with people and lifts where the run had them, whichever way they are shown;
 * both forms of recordings. */
static void a_recorded_building_looks_like_its_run(void **state)
{
    (void)state;
    skip_without_viewer();
    write_file("tower.lua",
               "local throng = require 'throng'\n"
               "local hall, floors = throng.box(0, 0, 24, 10), {}\n"
               "for i = 0, 2 do floors['floor ' .. i] = { z = 4 * i, boundary = hall } end\n"
               "local world = throng.world { people = false, map = throng.building { floors = floors,\n"
               "  stairs = { { from = 'floor 0', to = 'floor 1', foot = { 4, 8 }, head = { 11, 8 } } },\n"
               "  lifts = { { name = 'a', at = { 18, 5 }, back = { 20, 5 }, width = 2 } } },\n"
               "  seed = 3, seconds = 30, record = { every = 0.1 } }\n"
               "world:spawn { name = 'up', count = 3, where = 'floor 0' }:go_to { 4, 3, floor = 'floor 2' }\n"
               "world:spawn { name = 'down', count = 3, where = 'floor 1' }:go_to { 2, 2, floor = 'floor 0' }\n"
               "return world\n");
    char command[9000];
    snprintf(command, sizeof command,
             "%s run tower.lua >/dev/null && %s convert out/tower/trajectory.sqlite tower.throng >/dev/null", throng,
             throng);
    assert_int_equal(system(command), 0);
    static const char *const ways[] = {"wait:1", "key:o wait:1", "key:o key:o wait:1"}, *const recordings[] = {
                                                                                            "replay out/tower",
                                                                                            "replay tower.throng"};
    for (int way = 0; way < 3; way++) {
        unsigned char *run = picture_of("view tower.lua", ways[way], "--at 14.5");
        for (int r = 0; r < 2; r++) {
            unsigned char *replay = picture_of(recordings[r], ways[way], "--at 14.5");
            int differ = 0;
            for (int i = 0; i < WIDTH * (HEIGHT - BAR - 40); i++)
                differ += abs(run[3 * i] - replay[3 * i]) > 24 || abs(run[3 * i + 2] - replay[3 * i + 2]) > 24;
            if (differ >= 40)
                print_error("%s, %s: %d pixels differ\n", recordings[r], ways[way], differ);
            assert_in_range(differ, 0, 40);
            stbi_image_free(replay);
        }
        stbi_image_free(run);
    }
}

/* How much of the closed door's bar is there. */
static int bar_after(const char *what, const char *actions, const char *options)
{
    unsigned char *rgb = picture_of(what, actions, options);
    int x = (int)(middle_x + 2.15 * pixels_a_metre), y = (int)middle_y, count = 0;
    for (int i = -20; i <= 20; i++)
        for (int k = -3; k <= 3; k++)
            count += colour_at(rgb, x + k, y + i) == THRONG_STYLE_DOOR;
    stbi_image_free(rgb);
    return count;
}

static void doors_go_back_too(void **state)
{
    (void)state;
    skip_without_viewer();
    write_file("door.lua", "local throng = require 'throng'\n"
                           "local world = throng.world { people = false, record = { every = 0.1 }, map = throng.map {\n"
                           "  boundary = throng.box(0, 0, 10, 10), doors = { gate = { { 7.15, 4 }, { 7.15, 6 } } },\n"
                           "  walls = { throng.box(7, 0, 7.3, 4), throng.box(7, 6, 7.3, 10) } } }\n"
                           "world:spawn { at = { { 2, 2 } } }\n"
                           "world:at(1, function() world.map:door('gate'):close() end)\n"
                           "return world\n");
    assert_int_equal(bar_after("view door.lua", "wait:1", "--at 0.5"), 0);
    assert_true(bar_after("view door.lua", "wait:1", "--at 2") > 60);
    assert_int_equal(bar_after("view door.lua", "key:Left key:Left wait:1", "--at 2"), 0);
    assert_true(bar_after("view door.lua", "key:Left key:Left key:End wait:1", "--at 2") > 60);
    char command[9000];
    snprintf(command, sizeof command, "%s run door.lua --seconds 2 >/dev/null", throng);
    assert_int_equal(system(command), 0);
    assert_int_equal(bar_after("replay out/door", "wait:1", "--at 0.5"), 0);
    assert_true(bar_after("replay out/door", "wait:1", "--at 1.5") > 60);
    assert_int_equal(bar_after("replay out/door", "key:Home wait:1", "--at 1.5"), 0);
    snprintf(command, sizeof command,
             "echo 1,99999999999,0,0,1,0,d >>out/door/doors.csv; %s replay out/door --do wait:1 --screenshot v.png "
             "2>&1 | grep -q 'doors.csv:4: expected time'",
             throng);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command,
             "rm out/door/doors.csv && mkdir out/door/doors.csv && %s replay out/door --do wait:1 --screenshot v.png "
             "2>&1 | grep -q \"doors.csv: cannot be read: it is a folder\"",
             throng);
    assert_int_equal(system(command), 0);
}

/* The middle of everything in the colour of bodies. */
static spot body_after(const char *what, const char *actions, const char *options)
{
    unsigned char *rgb = picture_of(what, actions, options);
    spot s = find(rgb, 0xc9b79c);
    stbi_image_free(rgb);
    return s;
}

static void bodies_go_back_too(void **state)
{
    (void)state;
    skip_without_viewer();
    write_file(
        "bodies.lua",
        "local throng = require 'throng'\n"
        "local world = throng.world { people = false, map = throng.map { boundary = throng.box(0, 0, 10, 10) },\n"
        "  record = { every = 0.1 } }\n"
        "world:spawn { at = { { 2, 2 } } }\n"
        "local box = world:body { box = { 2, 0.5 }, at = { 7, 7 }, mass = 50, velocity = { 0, -1 }, spin = 1 }\n"
        "world:at(2, function() box:remove() world:body { circle = 1, at = { 7, 2 } } end)\n"
        "return world\n");
    spot first = body_after("view bodies.lua", "wait:1", ""),
         second = body_after("view bodies.lua", "wait:1", "--at 1"),
         back = body_after("view bodies.lua", "key:Left wait:1", "--at 1"),
         circle = body_after("view bodies.lua", "wait:1", "--at 2.5");
    assert_float_equal(first.x, middle_x + 2 * pixels_a_metre, 1);
    assert_float_equal(first.y, middle_y - 2 * pixels_a_metre, 1);
    assert_true(second.y > first.y + 2); /* friction takes its speed soon */
    assert_float_equal(back.y, first.y, 0.01);
    assert_float_equal(circle.y, middle_y + 3 * pixels_a_metre, 1);
    char command[9000];
    snprintf(command, sizeof command, "%s run bodies.lua --seconds 3 >/dev/null", throng);
    assert_int_equal(system(command), 0);
    static const struct {
        const char *actions, *options;
        int of;
    } replayed[] = {{"wait:1", "", 0},
                    {"wait:1", "--at 1", 1},
                    {"wait:1", "--at 2.5", 2},
                    {"key:Home wait:1", "--at 2.5", 0},
                    {"key:End key:Left key:Left wait:1", "", 1}};
    for (size_t i = 0; i < sizeof replayed / sizeof *replayed; i++) {
        spot s = body_after("replay out/bodies", replayed[i].actions, replayed[i].options);
        const spot *of = replayed[i].of == 0 ? &first : replayed[i].of == 1 ? &second : &circle;
        assert_float_equal(s.x, of->x, 0.2);
        assert_float_equal(s.y, of->y, 0.2);
        assert_in_range(s.count, of->count - 20, of->count + 20);
    }
    static const struct {
        const char *row, *error;
    } wrong[] = {{"rubbish", "expected time,body"},
                 {"9,7,1,1,0,", "body 7 has no row with its shape"},
                 {"9,99999999999,1,1,0,", "body 99999999999 has no row with its shape"},
                 {"9,2,1,1,0,", "ends in its shape"},
                 {"9,2,1,1,0,1 1 2 2", "ends in its shape"},
                 {"0,0,1,1,0,", "in order of time"},
                 {"9,0,nan,1,0,", "expected time,body"}};
    assert_int_equal(system("cp out/bodies/bodies.csv right.csv"), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(command, sizeof command,
                 "(cat right.csv; echo '%s') >out/bodies/bodies.csv; %s replay out/bodies --do wait:1 --screenshot "
                 "v.png 2>&1 | grep -q 'bodies.csv:[0-9]*: .*%s'",
                 wrong[i].row, throng, wrong[i].error);
        assert_int_equal(system(command), 0);
    }
}

static void lines_of_lua_change_the_world(void **state)
{
    (void)state;
    skip_without_viewer();
    write_scenario("");
    spot walked = agent_after("key:Space wait:60", ""),
         slow = agent_after("key:: type:one.speed=0.5 key:Return key:Escape key:Space wait:60", "");
    assert_float_equal(walked.x - slow.x, 0.45 * pixels_a_metre, 0.1 * pixels_a_metre);
    /* a name completed, a statement of two lines, a line typed again; letters are no keys while it is open */
    spot completed = agent_after("key:: type:on key:Tab type:.speed= key:Return type:0.5 key:Return type:p key:Escape "
                                 "key:Space wait:60",
                                 "");
    assert_float_equal(completed.x, slow.x, 0.1);
    assert_int_not_equal(access("out/room/view-0.0s.png", R_OK), 0);
    spot again = agent_after("key:: type:one.speed=0.5 key:Return type:one.speed=1 key:Return key:Up key:Up key:Return "
                             "key:Escape key:Space wait:60",
                             "");
    assert_float_equal(again.x, slow.x, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plan_fills_the_window),
        cmocka_unit_test(space_plays_and_a_dot_steps),
        cmocka_unit_test(the_wheel_zooms_to_the_pointer_and_dragging_pans),
        cmocka_unit_test(a_click_on_an_agent_tells_about_it),
        cmocka_unit_test(held_arrows_steer_the_player),
        cmocka_unit_test(layers_are_switched_on_and_off),
        cmocka_unit_test(agents_are_coloured_by_a_column),
        cmocka_unit_test(a_saved_scenario_is_reloaded),
        cmocka_unit_test(a_failing_callback_stops_the_world_with_its_message),
        cmocka_unit_test(p_saves_a_picture),
        cmocka_unit_test(r_films),
        cmocka_unit_test(sliders_change_parameters),
        cmocka_unit_test(what_was_is_shown_again),
        cmocka_unit_test(lines_of_lua_change_the_world),
        cmocka_unit_test(recordings_are_replayed),
        cmocka_unit_test(recorded_smoke_looks_as_it_was),
        cmocka_unit_test(a_recording_looks_like_its_run),
        cmocka_unit_test(a_floor_without_people_is_shown),
        cmocka_unit_test(a_recorded_building_looks_like_its_run),
        cmocka_unit_test(doors_go_back_too),
        cmocka_unit_test(bodies_go_back_too),
    };
    return cmocka_run_group_tests(tests, enter_window_folder, leave_folder);
}
