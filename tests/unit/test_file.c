/* Files as input: what is no regular file, or is too large, is refused by every reader, at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "map/map_image.h"
#include "map/map_readers.h"
#include "record/recording.h"
#include "record/run_doors.h"
#include "navigation/path_scenario.h"
#include "folders.h"

/* A reader that waits, or reads without an end, ends the test. */
static int begin(void **state)
{
    alarm(60);
    return enter_folder(state);
}

static void a_file_is_read_whole(void **state)
{
    (void)state;
    throng_error error;
    throng_bytes file;
    write_file("five", "five!");
    assert_true(throng_file_read("five", 5, &file, &error));
    assert_int_equal(file.size, 5);
    assert_string_equal((char *)file.data, "five!");
    free(file.data);
    write_file("none", "");
    assert_true(throng_file_read("none", 5, &file, &error));
    assert_int_equal(file.size, 0);
    assert_int_equal(file.data[0], 0);
    free(file.data);
}

static void a_byte_order_mark_is_left_out(void **state)
{
    (void)state;
    throng_error error;
    throng_bytes file;
    write_file("marked", "\xEF\xBB\xBFwords");
    assert_true(throng_file_read("marked", 8, &file, &error));
    assert_int_equal(file.size, 5);
    assert_string_equal((char *)file.data, "words");
    free(file.data);
}

static void more_than_may_be_is_refused(void **state)
{
    (void)state;
    throng_error error;
    throng_bytes file = {0};
    write_file("six", "sixsix");
    assert_false(throng_file_read("six", 5, &file, &error));
    assert_null(file.data);
    assert_string_equal(error.text, "six: cannot be read: it is larger than the 5 bytes that such a file may have");
    assert_int_equal(errno, EFBIG);
    assert_int_equal(truncate("six", (off_t)THRONG_FILE_MOST_TEXT + 1), 0);
    assert_false(throng_file_read("six", THRONG_FILE_MOST_TEXT, &file, &error));
    assert_string_equal(error.text, "six: cannot be read: it is larger than the 16 MiB that such a file may have");
    /* the kernel says of these that they are empty */
    assert_false(throng_file_read("/proc/self/smaps", 100, &file, &error));
    assert_string_equal(error.text,
                        "/proc/self/smaps: cannot be read: it is larger than the 100 bytes that such a file may have");
}

static void assert_refused(const char *path, const char *why)
{
    throng_error error;
    char text[200];
    snprintf(text, sizeof text, "%s: cannot be read: %s", path, why);
    assert_null(throng_file_open(path, THRONG_FILE_ANY_SIZE, &error));
    assert_string_equal(error.text, text);
}

static void only_regular_files_are_read(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("/dev/zero", "zero"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_refused("/dev/zero", "it is a device; give a regular file");
    assert_refused("zero", "it is a device; give a regular file");
    assert_refused("pipe", "it is a pipe; give a regular file");
    assert_refused("socket", "it is a socket; give a regular file");
    assert_refused(".", "it is a folder; give a regular file");
    assert_refused("dangling", "No such file or directory");
    assert_int_equal(errno, ENOENT);
    assert_refused("loop", "Too many levels of symbolic links");
    assert_refused("nowhere", "No such file or directory");
    close(listener);
}

static void assert_map_refused(const char *path)
{
    throng_error error = {""};
    assert_null(throng_map_read(path, NULL, &error));
    assert_non_null(strstr(error.text, ": cannot be read: it is a device; give a regular file"));
}

static void every_reader_refuses_a_device(void **state)
{
    (void)state;
    throng_error error = {""};
    throng_path_scenario scenario;
    throng_door_turn *turns;
    int32_t count;
    static const char *const maps[] = {"z.png", "z.pgm", "z.yaml", "z.xml", "z.tmx",
                                       "z.wkt", "z.map", "z.dxf",  "z.svg", "z"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        assert_int_equal(symlink("/dev/zero", maps[i]), 0);
        assert_map_refused(maps[i]);
    }
    write_file("image.yaml", "image: /dev/zero\nresolution: 0.05\norigin: [0, 0, 0]\n");
    assert_map_refused("image.yaml");
    assert_int_equal(symlink("/dev/zero", "doors.csv"), 0);
    assert_false(throng_run_doors_read("trajectory.sqlite", &turns, &count, &error));
    assert_non_null(strstr(error.text, "doors.csv: cannot be read: it is a device"));
    assert_null(throng_recording_open("/dev/zero", &error));
    assert_non_null(strstr(error.text, "it is a device"));
    assert_false(throng_path_scenario_read("/dev/zero", &scenario, &error));
    assert_non_null(strstr(error.text, "it is a device"));
    int width, height;
    assert_null(throng_image_read_rgba("/dev/zero", &width, &height, &error));
    assert_non_null(strstr(error.text, "it is a device"));
}

static void names_of_doors_are_read_out_of_their_quotes(void **state)
{
    (void)state;
    throng_error error = {""};
    throng_door_turn *turns;
    int32_t count;
    write_file("doors.csv", "time,open,x0,y0,x1,y1,door\n0,1,0,0,1,0,\"a \"\"b\"\", c\"\n1,0,0,0,1,0,d, e\n");
    assert_true(throng_run_doors_read("trajectory.sqlite", &turns, &count, &error));
    assert_int_equal(2, count);
    assert_string_equal("a \"b\", c", turns[0].name);
    assert_string_equal("d, e", turns[1].name); /* as runs wrote it before */
    free(turns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_is_read_whole, begin, leave_folder),
        cmocka_unit_test_setup_teardown(a_byte_order_mark_is_left_out, begin, leave_folder),
        cmocka_unit_test_setup_teardown(more_than_may_be_is_refused, begin, leave_folder),
        cmocka_unit_test_setup_teardown(only_regular_files_are_read, begin, leave_folder),
        cmocka_unit_test_setup_teardown(every_reader_refuses_a_device, begin, leave_folder),
        cmocka_unit_test_setup_teardown(names_of_doors_are_read_out_of_their_quotes, begin, leave_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
