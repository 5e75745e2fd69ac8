/* The windows on a display, Xvfb's, with mouse and keys pressed by xdotool: what a user has before him. Passed over
 * where one of them is not installed (make test installs them), or the windows were not built. */
#include "window_checks.h"

#include <glob.h>
#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

enum { WIDTH = 1000, HEIGHT = 700, BAR = 70, PATIENCE = 60 }; /* BAR: the viewer's with its timeline; s */

static pid_t display;

/* Runs the program and its arguments, up to NULL; `out`: a file for what it says. */
static pid_t start(const char *out, const char *const *arguments)
{
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!freopen(out, "w", stdout) || !freopen("/dev/null", "w", stderr))
            _exit(126);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    return pid;
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); }

static int enter_display(void **state)
{
    char number[16] = "", name[20];
    if (enter_window_folder(state) != 0)
        return -1;
    unsetenv("SDL_VIDEODRIVER");
    alarm(6 * PATIENCE); /* a window that does not answer ends this, too */
    display =
        start("display.txt", (const char *const[]){"Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24", NULL});
    for (int i = 0; i < 20 * PATIENCE && !strchr(number, '\n') && waitpid(display, NULL, WNOHANG) == 0; i++) {
        FILE *file = fopen("display.txt", "r");
        if (file && !fgets(number, sizeof number, file))
            number[0] = 0;
        if (file)
            fclose(file);
        nap();
    }
    if (!strchr(number, '\n'))
        display = 0;
    snprintf(name, sizeof name, ":%d", atoi(number));
    setenv("DISPLAY", name, 1);
    return 0;
}

static int leave_display(void **state)
{
    if (display) {
        kill(display, SIGTERM);
        waitpid(display, NULL, 0);
    }
    return leave_folder(state);
}

static void skip_without_display(void)
{
    skip_without_viewer();
    if (!display)
        skip_because("no display: Xvfb is not installed, or did not start");
    if (system("command -v xdotool >/dev/null") != 0)
        skip_because("no mouse and keyboard: xdotool is not installed");
}

static bool is_there(const char *pattern, char *path, size_t size)
{
    glob_t found;
    bool any = glob(pattern, 0, NULL, &found) == 0;
    if (any)
        snprintf(path, size, "%s", found.gl_pathv[0]);
    globfree(&found);
    return any;
}

/* Waits until a file of such a name is there. */
static void await(const char *pattern, char *path, size_t size)
{
    for (int i = 0; i < 20 * PATIENCE && !is_there(pattern, path, size); i++)
        nap();
    assert_true(is_there(pattern, path, size));
}

/* ---- a user */

/* Opens a window and gives it the keyboard; `*id`: the window's. */
static pid_t open_window(const char *command, const char *file, char *id, size_t size)
{
    char line[300];
    pid_t pid =
        start("said.txt", (const char *const[]){throng, command, file, "--width", "1000", "--height", "700", NULL});
    snprintf(line, sizeof line,
             "xdotool search --sync --onlyvisible --pid %d >window.txt 2>/dev/null && "
             "xdotool windowmove --sync $(tail -n 1 window.txt) 20 20 windowfocus --sync $(tail -n 1 window.txt)",
             (int)pid);
    int failed = system(line); /* a window that is not quite there yet cannot be given the keyboard */
    for (int i = 0; failed && i < 20 * PATIENCE; i++) {
        nap();
        failed = system(line);
    }
    assert_int_equal(failed, 0);
    FILE *window = fopen("window.txt", "r");
    assert_non_null(window);
    while (fgets(id, (int)size, window))
        id[strcspn(id, "\n")] = 0;
    fclose(window);
    return pid;
}

/* What a user does, as commands of xdotool; places are the window's. */
static void act(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void act(const char *format, ...)
{
    char line[4000] = "xdotool ";
    va_list args;
    va_start(args, format);
    vsnprintf(line + strlen(line), sizeof line - strlen(line), format, args);
    va_end(args);
    assert_int_equal(system(line), 0);
}

static void drag(const char *id, int x0, int y0, int x1, int y1)
{
    act("mousemove --window %s %d %d sleep 0.1 mousedown 1 sleep 0.1 mousemove --window %s %d %d sleep 0.1 mouseup 1 "
        "sleep 0.1",
        id, x0, y0, id, x1, y1);
}

static void click(const char *id, int x, int y)
{
    act("mousemove --window %s %d %d sleep 0.1 click 1 sleep 0.1", id, x, y);
}

static void end(pid_t pid, int how)
{
    int status;
    kill(pid, how);
    assert_int_equal(waitpid(pid, &status, 0), pid);
}

static int count_of(const char *path, const char *what)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    int count = 0;
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

/* ---- */

/* Two rooms, a passage with a door, people and an exit; the program is killed, begun again, and the map saved. */
static void a_map_is_drawn_lost_and_found_and_walked_through(void **state)
{
    char id[40], path[100], command[9000];
    (void)state;
    skip_without_display();
    pid_t pid = open_window("edit", "two.xml", id, sizeof id);
    act("key f");
    drag(id, 300, 200, 450, 400);
    drag(id, 550, 200, 700, 400);
    drag(id, 450, 280, 550, 330);
    act("key d");
    click(id, 500, 280);
    click(id, 500, 330);
    act("key s");
    drag(id, 310, 220, 430, 380);
    act("key x");
    drag(id, 620, 220, 690, 380);
    await("two.autosave.xml", path, sizeof path);
    while (count_of("two.autosave.xml", "<region ") < 2) /* kept when the hand rests */
        nap();
    end(pid, SIGKILL);
    assert_int_equal(access("two.xml", F_OK), -1);
    pid = open_window("edit", "two.xml", id, sizeof id);
    act("key ctrl+s");
    await("two.xml", path, sizeof path);
    act("key q");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(count_of("two.xml", "<face>"), 3);
    assert_int_equal(count_of("two.xml", "<door "), 1);
    write_file("walk.lua", "local throng = require 'throng'\n"
                           "local world = throng.world { map = 'two.xml' }\n"
                           "world:spawn { count = 20, where = 'spawn' }:go_to 'exits'\n"
                           "return world\n");
    snprintf(command, sizeof command, "%s run walk.lua --seconds 90 --json --out none >walk.txt 2>&1", throng);
    assert_int_equal(system(command), 0);
    assert_int_equal(count_of("walk.txt", "\"arrived\": 20"), 1);
}

typedef struct seen {
    int count;
    double x, y;
} seen;
static unsigned char *load(const char *path);
static seen see(const unsigned char *rgb, int colour);

/* Pixels in people's colour after these actions in the map maker. */
static int people_in(const char *actions)
{
    char command[9000];
    snprintf(command, sizeof command,
             "%s edit house.xml --width %d --height %d --do '%s' --screenshot walkers.png >/dev/null 2>&1", throng,
             WIDTH, HEIGHT, actions);
    assert_int_equal(system(command), 0);
    unsigned char *rgb = load("walkers.png");
    int count = see(rgb, 0x0072b2).count;
    stbi_image_free(rgb);
    return count;
}

/* What somebody does who draws a plan for the first time: rooms, a wall, doors, by pressing the tools' names. */
static void rooms_are_drawn_and_walked_through(void **state)
{
    enum { ROOM = 73, WALL = 100, DOOR = 127, SPAWN = 163, EXIT = 190, WALK = 469 }; /* rows of the tools */
    char id[40], path[100], command[9000];
    (void)state;
    skip_without_display();
    pid_t pid = open_window("edit", "plan.xml", id, sizeof id);
    click(id, 80, ROOM);
    drag(id, 260, 200, 480, 400);
    drag(id, 480, 200, 700, 400);
    click(id, 80, WALL);
    drag(id, 370, 200, 370, 400);
    click(id, 80, DOOR);
    drag(id, 370, 280, 370, 330);
    drag(id, 480, 280, 480, 330);
    click(id, 80, SPAWN);
    drag(id, 270, 220, 350, 380);
    click(id, 80, EXIT);
    drag(id, 600, 220, 690, 380);
    click(id, 80, WALK);
    act("sleep 1");
    click(id, 80, WALK);
    act("key ctrl+s");
    await("plan.xml", path, sizeof path);
    act("key q");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(count_of("plan.xml", "<door "), 2);
    assert_int_equal(count_of("plan.xml", "<region "), 2);
    assert_int_equal(count_of("plan.xml", "<face>"), 5); /* three rooms, two doorways */
    write_file("out.lua", "local throng = require 'throng'\n"
                          "local world = throng.world { map = 'plan.xml' }\n"
                          "world:spawn { count = 12, where = 'spawn' }:go_to 'exits'\n"
                          "return world\n");
    snprintf(command, sizeof command, "%s run out.lua --seconds 90 --json --out none >out.txt 2>&1", throng);
    assert_int_equal(system(command), 0);
    assert_int_equal(count_of("out.txt", "\"arrived\": 12"), 1);
}

/* Two floors with stairs between them, whose both ends are clicked, and a lift; what is undone is undone on all floors.
 */
static void a_building_is_drawn_by_floors(void **state)
{
    char id[40], path[100], command[9000];
    (void)state;
    skip_without_display();
    pid_t pid = open_window("edit", "house.xml", id, sizeof id);
    act("key f");
    drag(id, 260, 120, 700, 600);
    act("key t key f");
    drag(id, 260, 120, 700, 600);
    act("key Prior"); /* there is none above */
    act("key x");
    drag(id, 280, 500, 340, 580); /* on the first floor: taken back below */
    act("key ctrl+z key Next");
    act("key x");
    drag(id, 280, 500, 340, 580);
    act("key k");
    click(id, 330, 300);
    click(id, 500, 300);
    act("key p");
    click(id, 560, 420);
    click(id, 640, 420);
    act("key space sleep 1 key Prior sleep 0.5 key Next sleep 0.5 key space"); /* people walk in it, and stop */
    act("key ctrl+s");
    await("house.xml", path, sizeof path);
    act("key q");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_true(people_in("key:space wait:30") > 200 && people_in("key:PageUp key:space wait:30") > 200);
    assert_true(people_in("key:space wait:30 key:PageUp wait:3") > 200); /* the floor is changed while they walk */
    assert_int_equal(people_in("wait:30"), 0);
    assert_int_equal(count_of("house.xml", "<floor "), 2);
    assert_int_equal(count_of("house.xml", "<face>"), 2);
    assert_int_equal(count_of("house.xml", "<region "), 1);
    assert_int_equal(count_of("house.xml", "to=\"floor 1\""), 1);
    assert_int_equal(count_of("house.xml", "floors=\"floor 0,floor 1\""), 1);
    write_file("leave.lua", "local throng = require 'throng'\n"
                            "local world = throng.world { map = throng.building { file = 'house.xml' } }\n"
                            "world:spawn { count = 12, where = 'floor 1' }:go_to 'exit'\n"
                            "return world\n");
    snprintf(command, sizeof command, "%s run leave.lua --seconds 180 --json --out none >leave.txt 2>&1", throng);
    assert_int_equal(system(command), 0);
    assert_int_equal(count_of("leave.txt", "\"arrived\": 12"), 1);
}

/* Above the bar, which tells how long frames take; channels may differ by a few steps of 255. */
static int differing(const unsigned char *a, const unsigned char *b)
{
    int count = 0;
    for (int i = 0; i < WIDTH * (HEIGHT - BAR); i++) {
        int most = 0;
        for (int k = 0; k < 3; k++)
            most = abs(a[3 * i + k] - b[3 * i + k]) > most ? abs(a[3 * i + k] - b[3 * i + k]) : most;
        count += most > 8;
    }
    return count;
}

static unsigned char *load(const char *path)
{
    int width, height, channels;
    unsigned char *rgb = stbi_load(path, &width, &height, &channels, 3);
    assert_non_null(rgb);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    return rgb;
}

/* What P saves of the window is what --screenshot draws without one: of the chosen agent, and of nobody. */
static void a_click_shows_an_agent(void **state)
{
    char id[40], path[200], command[9000];
    (void)state;
    skip_without_display();
    write_file("room.lua", "local throng = require 'throng'\n"
                           "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 10, 10) } }\n"
                           "world:spawn { name = 'one', at = { { 5, 5 }, { 7, 6 } } }\n"
                           "return world\n");
    pid_t pid = open_window("view", "room.lua", id, sizeof id);
    act("key space");
    click(id, 603, 315);
    act("mousemove --window %s 500 100 key p", id);
    await("out/room/view-*.png", path, sizeof path);
    act("key q");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    snprintf(command, sizeof command,
             "%s view room.lua --width 1000 --height 700 --do 'click:603,315' --screenshot a.png "
             "&& %s view room.lua --width 1000 --height 700 --screenshot b.png",
             throng, throng);
    assert_int_equal(system(command), 0);
    unsigned char *window = load(path), *chosen = load("a.png"), *nobody = load("b.png");
    assert_in_range(differing(window, chosen), 0, WIDTH * HEIGHT / 1000);
    assert_true(differing(window, nobody) > 20000);
    stbi_image_free(window);
    stbi_image_free(chosen);
    stbi_image_free(nobody);
}

/* What an agent saw and chose is shown of a step before, too, as it was shown then. */
static void steps_back_show_what_was_seen(void **state)
{
    char command[9000];
    (void)state;
    skip_without_display();
    write_file("meet.lua", "local throng = require 'throng'\n"
                           "local world = throng.world { map = throng.map { boundary = throng.box(0, 0, 10, 10) },\n"
                           "  regions = { east = throng.box(8, 0, 10, 10) } }\n"
                           "world:spawn { at = { { 5, 5 }, { 6, 5.2 } } }:go_to 'east'\n"
                           "return world\n");
    snprintf(command, sizeof command,
             "for a in 'key:. key:. wait:1' 'key:. key:. key:. key:. key:, key:, wait:1' 'key:. key:. key:. key:.'; do "
             "i=$((i + 1)); %s view meet.lua --width 1000 --height 700 --do \"click:603,315 $a\" --screenshot "
             "$i.png || exit 1; done",
             throng);
    assert_int_equal(system(command), 0);
    unsigned char *then = load("1.png"), *again = load("2.png"), *later = load("3.png");
    assert_in_range(differing(then, again), 0, 20);
    assert_true(differing(then, later) > 500);
    stbi_image_free(then);
    stbi_image_free(again);
    stbi_image_free(later);
}

/* ---- a building */

static const char two_floors[] =
    "local throng = require 'throng'\n"
    "local hall = throng.box(0, 0, 24, 12)\n"
    "local world = throng.world { backend = 'cpu', dt = 0.1, map = throng.building {\n"
    "  floors = { ground = { z = 0, boundary = hall, regions = { exit = throng.box(0, 0, 1, 12) } },\n"
    "             first = { z = 3.5, boundary = hall } },\n"
    "  stairs = { { from = 'ground', to = 'first', foot = { 14, 10 }, head = { 20, 10 }, width = 2 } } } }\n"
    "world:spawn { name = 'below', at = { { 4, 4 }, { 8, 8 } }, colour = '#2b5' }\n"
    "world:spawn { name = 'above', at = { { 6, 3, floor = 'first' }, { 9, 3, floor = 'first' } }, colour = '#c33' "
    "}\n"
    "return world\n";

enum { BELOW = 0x22bb55, ABOVE = 0xcc3333 };

/* What of a colour is right of the cards. */
static seen see(const unsigned char *rgb, int colour)
{
    seen s = {0, 0, 0};
    for (int y = 0; y < HEIGHT - BAR; y++)
        for (int x = 220; x < WIDTH - 270; x++)
            if ((rgb[3 * (y * WIDTH + x)] << 16 | rgb[3 * (y * WIDTH + x) + 1] << 8 | rgb[3 * (y * WIDTH + x) + 2]) ==
                colour) {
                s.count++;
                s.x += x;
                s.y += y;
            }
    s.x /= s.count ? s.count : 1;
    s.y /= s.count ? s.count : 1;
    return s;
}

/* What P saves now; `name` gets the file's, which says when it was. */
static unsigned char *look(const char *id, char *name, size_t size)
{
    act("mousemove --window %s 600 20 sleep 0.1 key p sleep 0.1", id);
    await("out/floors/view-*.png", name, size);
    unsigned char *rgb = load(name);
    assert_int_equal(remove(name), 0);
    return rgb;
}

static seen look_for(const char *id, int colour)
{
    char name[200];
    unsigned char *rgb = look(id, name, sizeof name);
    seen s = see(rgb, colour);
    stbi_image_free(rgb);
    return s;
}

/* The list of floors lies below a legend of two rows; its own rows are 20 high. */
static void choose_row(const char *id, int row) { click(id, 100, 132 + 20 * row); }

static void floors_are_shown_one_by_one_and_over_each_other(void **state)
{
    char id[40], name[200];
    (void)state;
    skip_without_display();
    write_file("floors.lua", two_floors);
    pid_t pid = open_window("view", "floors.lua", id, sizeof id);
    act("key space");
    choose_row(id, 3); /* the ground, the lowest */
    assert_true(look_for(id, BELOW).count > 100);
    assert_int_equal(look_for(id, ABOVE).count, 0);
    act("key Prior");
    assert_int_equal(look_for(id, BELOW).count, 0);
    assert_true(look_for(id, ABOVE).count > 100);
    act("key Next");
    assert_int_equal(look_for(id, ABOVE).count, 0);
    choose_row(id, 1); /* over each other */
    seen low = look_for(id, BELOW), high = look_for(id, ABOVE);
    assert_true(low.count > 20 && high.count > 20);
    assert_true(high.y < low.y - 50); /* up is up */
    drag(id, 500, 600, 700, 600);
    seen turned = look_for(id, ABOVE);
    assert_true(fabs(turned.x - high.x) + fabs(turned.y - high.y) > 20);
    act("mousemove --window %s 500 600 sleep 0.1 mousedown 3 sleep 0.1 mousemove --window %s 560 590 sleep 0.1 mouseup "
        "3 sleep 0.1",
        id, id);
    seen panned = look_for(id, ABOVE);
    assert_float_equal(panned.x - turned.x, 60, 2);
    assert_float_equal(panned.y - turned.y, -10, 2);
    unsigned char *before = look(id, name, sizeof name);
    for (int x = 220; x < WIDTH - 270; x++)
        for (int y = 0; y < HEIGHT - BAR; y++)
            if ((before[3 * (y * WIDTH + x)] << 16 | before[3 * (y * WIDTH + x) + 1] << 8 |
                 before[3 * (y * WIDTH + x) + 2]) == ABOVE) {
                click(id, x, y);
                x = WIDTH;
                break;
            }
    unsigned char *after = look(id, name, sizeof name);
    int panel = 0;
    for (int y = 20; y < HEIGHT - BAR; y++)
        for (int x = WIDTH - 266; x < WIDTH - 20; x++)
            panel += memcmp(before + 3 * (y * WIDTH + x), after + 3 * (y * WIDTH + x), 3) != 0;
    assert_true(panel > 20000); /* it tells of the one who was clicked */
    stbi_image_free(before);
    stbi_image_free(after);
    act("key q");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* The buttons of the bar: play, pause, a step, faster, the list of keys. */
static void the_bar_is_pressed(void **state)
{
    char id[40], name[200];
    const int middle = HEIGHT - 20;
    (void)state;
    skip_without_display();
    write_file("floors.lua", two_floors);
    pid_t pid = open_window("view", "floors.lua", id, sizeof id);
    click(id, 55, middle); /* it plays: pause */
    unsigned char *begun = look(id, name, sizeof name), *later;
    double at = strtod(strstr(name, "view-") + 5, NULL);
    click(id, 85, middle); /* a step */
    stbi_image_free(look(id, name, sizeof name));
    assert_float_equal(strtod(strstr(name, "view-") + 5, NULL), at + 0.1, 0.01);
    click(id, 25, middle); /* and back */
    stbi_image_free(look(id, name, sizeof name));
    assert_float_equal(strtod(strstr(name, "view-") + 5, NULL), at, 0.01);
    click(id, WIDTH - 40, middle); /* the list of keys */
    later = look(id, name, sizeof name);
    assert_true(differing(begun, later) > 20000);
    stbi_image_free(later);
    click(id, WIDTH - 40, middle);
    later = look(id, name, sizeof name);
    assert_in_range(differing(begun, later), 0, 100);
    stbi_image_free(later);
    click(id, 100, 30); /* the legend's title folds it */
    later = look(id, name, sizeof name);
    assert_true(differing(begun, later) > 2000);
    stbi_image_free(later);
    stbi_image_free(begun);
    act("key End");
    click(id, 55, middle); /* plays */
    act("sleep 0.6");
    click(id, 55, middle);
    stbi_image_free(look(id, name, sizeof name));
    assert_true(strtod(strstr(name, "view-") + 5, NULL) > at + 0.3);
    act("key q");
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_drawn_lost_and_found_and_walked_through),
        cmocka_unit_test(rooms_are_drawn_and_walked_through),
        cmocka_unit_test(a_building_is_drawn_by_floors),
        cmocka_unit_test(a_click_shows_an_agent),
        cmocka_unit_test(steps_back_show_what_was_seen),
        cmocka_unit_test(floors_are_shown_one_by_one_and_over_each_other),
        cmocka_unit_test(the_bar_is_pressed),
    };
    return cmocka_run_group_tests(tests, enter_display, leave_display);
}
