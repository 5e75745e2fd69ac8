/* The recorder: what lies in the file, read back through SQLite, and what is
 * said and left behind when it cannot be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "map/map_readers.h"
#include "record/notes_people.h"
#include "record/notes_plan.h"
#include "record/notes_smoke.h"
#include "record/record.h"
#include "record/record_wkt.h"
#include "record/recording.h"
#include "folders.h"

static const char file[] = "trajectory.sqlite";

/* A room of 10 x 8 m with a pillar. */
static throng_point room_points[] = {{0, 0}, {10, 0}, {10, 8}, {0, 8}, {4, 3}, {4, 5}, {6.1, 5}, {6, 3}};
static int32_t room_rings[] = {0, 4, 8};
static const throng_map room = {
    .bounds = {0, 0, 10, 8}, .points = room_points, .point_count = 8, .ring_start = room_rings, .ring_count = 2};

static bool exists(const char *path) { return access(path, F_OK) == 0; }

/* All values of a query, with | between columns and \n after rows. */
static char *query(const char *path, const char *sql)
{
    static char text[8192];
    size_t used = 0;
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    text[0] = '\0';
    while (sqlite3_step(statement) == SQLITE_ROW && used < sizeof text - 1024)
        for (int c = 0; c < sqlite3_column_count(statement); c++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", sqlite3_column_text(statement, c),
                                     c + 1 < sqlite3_column_count(statement) ? "|" : "\n");
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return text;
}

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* `count` agents in frame `number`, at places that tell frame and agent. */
static bool add_frame(throng_recorder *recorder, int32_t number, int32_t count, throng_error *error)
{
    size_t size = (size_t)count * sizeof(float);
    int32_t *id = malloc(size + 1);
    float *x = malloc(size + 1), *y = malloc(size + 1), *hx = malloc(size + 1), *hy = malloc(size + 1);
    for (int32_t i = 0; i < count; i++) {
        id[i] = i;
        x[i] = (float)i * 0.25f;
        y[i] = (float)number;
        hx[i] = 0.6f;
        hy[i] = -0.8f;
    }
    bool ok = throng_recorder_add(recorder, &(throng_record_frame){number, count, id, x, y, hx, hy, {NULL}}, error);
    free(id), free(x), free(y), free(hx), free(hy);
    return ok;
}

static void the_tables_are_those_of_jupedsim(void **state)
{
    (void)state;
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(file, 12.5, &room, NULL, &error);
    assert_non_null(recorder);
    assert_true(add_frame(recorder, 0, 2, &error));
    assert_false(exists(file));
    assert_true(throng_recorder_close(recorder, &error));
    assert_false(exists("trajectory.sqlite.part"));
    assert_string_equal(query(file, "SELECT sql FROM sqlite_master WHERE sql NOT NULL"),
                        "CREATE TABLE trajectory_data(frame INTEGER NOT NULL,id INTEGER NOT NULL, pos_x REAL "
                        "NOT NULL,pos_y REAL NOT "
                        "NULL,ori_x REAL NOT NULL,ori_y REAL NOT NULL)\n"
                        "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY,value TEXT NOT NULL)\n"
                        "CREATE TABLE geometry(hash INTEGER NOT NULL,wkt TEXT NOT NULL)\n"
                        "CREATE UNIQUE INDEX geometry_hash ON geometry(hash)\n"
                        "CREATE TABLE frame_data(frame INTEGER NOT NULL,geometry_hash INTEGER NOT NULL)\n"
                        "CREATE INDEX frame_id_idx ON trajectory_data(frame,id)\n");
    assert_string_equal(query(file, "SELECT key, value FROM metadata ORDER BY key"),
                        "fps|12.5\nversion|2\nxmax|10\nxmin|0\nymax|8\nymin|0\n");
    assert_string_equal(query(file, "SELECT wkt FROM geometry"),
                        "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0), (4 3, 4 5, 6.1 5, 6 3, 4 3))\n");
    assert_string_equal(query(file, "SELECT count(*) FROM frame_data JOIN geometry ON geometry_hash = hash"), "1\n");
    assert_string_equal(query(file, "PRAGMA integrity_check"), "ok\n");
}

static void rows_are_exact(void **state)
{
    (void)state;
    throng_error error;
    const int32_t id[] = {7, 3, 2147483647};
    const float x[] = {0.1f, 1e-30f, 2}, y[] = {-1.5f, 3e7f, 0}, hx[] = {1, 0, 0.6f}, hy[] = {0, -1, 0.8f};
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    assert_true(throng_recorder_add(recorder, &(throng_record_frame){4, 3, id, x, y, hx, hy, {NULL}}, &error));
    assert_true(throng_recorder_close(recorder, &error));
    static const int by_id[] = {1, 0, 2};
    sqlite3 *db;
    sqlite3_stmt *rows;
    sqlite3_open(file, &db);
    sqlite3_prepare_v2(db, "SELECT * FROM trajectory_data ORDER BY rowid", -1, &rows, NULL);
    for (int r = 0; r < 3; r++) {
        int i = by_id[r];
        assert_int_equal(sqlite3_step(rows), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(rows, 0), 4);
        assert_int_equal(sqlite3_column_int64(rows, 1), id[i]);
        const float expected[] = {x[i], y[i], hx[i], hy[i]};
        for (int c = 0; c < 4; c++) {
            assert_int_equal(sqlite3_column_type(rows, 2 + c), SQLITE_FLOAT);
            assert_true(sqlite3_column_double(rows, 2 + c) == (double)expected[c]);
        }
    }
    assert_int_equal(sqlite3_step(rows), SQLITE_DONE);
    sqlite3_finalize(rows);
    sqlite3_close(db);
}

static void frames_without_agents_are_frames(void **state)
{
    (void)state;
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    for (int32_t f = 0; f < 3; f++)
        assert_true(throng_recorder_add(recorder, &(throng_record_frame){.frame = f}, &error));
    assert_true(throng_recorder_close(recorder, &error));
    assert_string_equal(query(file, "SELECT count(*), max(frame) FROM frame_data"), "3|2\n");
    assert_string_equal(query(file, "SELECT count(*) FROM trajectory_data"), "0\n");
    assert_true(throng_recorder_close(NULL, &error));
}

static void an_open_world_is_the_box_of_its_agents(void **state)
{
    (void)state;
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(file, 10, NULL, NULL, &error);
    assert_true(add_frame(recorder, 0, 9, &error));
    assert_true(add_frame(recorder, 5, 1, &error));
    assert_true(throng_recorder_close(recorder, &error));
    assert_string_equal(query(file, "SELECT wkt FROM geometry"), "POLYGON ((-1 -1, 3 -1, 3 6, -1 6, -1 -1))\n");
    assert_string_equal(query(file, "SELECT value FROM metadata WHERE key LIKE '_m%' ORDER BY key"), "3\n-1\n6\n-1\n");
    assert_string_equal(query(file, "SELECT count(*) FROM frame_data JOIN geometry ON geometry_hash = hash"), "2\n");
}

static void holes_go_to_the_ring_around_them(void **state)
{
    (void)state;
    /* a court with a pillar and a house in it, the house with a room and its pillar, and a shed apart */
    throng_point points[] = {{12, 6}, {12, 7},  {13, 7},  {13, 6},  {0, 0},    {40, 0},   {40, 40}, {0, 40},
                             {10, 5}, {10, 20}, {20, 20}, {20, 5},  {11, 5.5}, {19, 5.5}, {19, 19}, {11, 19},
                             {50, 0}, {51, 0},  {51, 1},  {30, 30}, {30, 31},  {31, 30}};
    int32_t rings[] = {0, 4, 8, 12, 16, 19, 22};
    throng_map map = {.points = points, .point_count = 22, .ring_start = rings, .ring_count = 6};
    char *wkt = throng_record_wkt(&map);
    assert_string_equal(wkt, "MULTIPOLYGON (((0 0, 40 0, 40 40, 0 40, 0 0), (10 5, 10 20, 20 20, 20 5, 10 5), "
                             "(30 30, 30 31, 31 30, 30 30)), ((11 5.5, 19 5.5, 19 19, 11 19, 11 5.5), "
                             "(12 6, 12 7, 13 7, 13 6, 12 6)), ((50 0, 51 0, 51 1, 50 0)))");
    free(wkt);
}

static void numbers_read_back(void **state)
{
    (void)state;
    const double numbers[] = {0, 0.1, -12.35, 1 / 3.0, 1e-300, 123456789.125, 0.1 + 0.2};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[32];
        throng_record_number(text, numbers[i]);
        assert_true(strtod(text, NULL) == numbers[i]);
    }
}

static void a_file_that_was_there_is_replaced(void **state)
{
    (void)state;
    throng_error error;
    write_file(file, "an older result");
    write_file("trajectory.sqlite.part", "left by a run that was killed");
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    assert_true(add_frame(recorder, 0, 5, &error));
    assert_true(throng_recorder_close(recorder, &error));
    assert_string_equal(query(file, "SELECT count(*) FROM trajectory_data"), "5\n");
}

static void a_discarded_recording_leaves_no_trace(void **state)
{
    (void)state;
    throng_error error;
    write_file(file, "an older result");
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    assert_true(add_frame(recorder, 0, 5, &error));
    throng_recorder_discard(recorder);
    throng_recorder_discard(NULL);
    assert_false(exists("trajectory.sqlite.part"));
    char text[32];
    FILE *in = fopen(file, "r");
    assert_non_null(fgets(text, sizeof text, in));
    assert_string_equal(text, "an older result");
    fclose(in);
}

/* A disk that takes a millisecond for each write: SQLite's own file system with one function swapped. */
static sqlite3_vfs slow_disk;
static sqlite3_io_methods slow_methods;
static sqlite3_vfs *real_disk;
static int (*real_write)(sqlite3_file *, const void *, int, sqlite3_int64);

static int slow_write(sqlite3_file *handle, const void *data, int size, sqlite3_int64 offset)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
    return real_write(handle, data, size, offset);
}

static int slow_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *handle, int flags, int *out_flags)
{
    (void)vfs;
    int code = real_disk->xOpen(real_disk, name, handle, flags, out_flags);
    if (code == SQLITE_OK) {
        real_write = handle->pMethods->xWrite;
        slow_methods = *handle->pMethods;
        slow_methods.xWrite = slow_write;
        handle->pMethods = &slow_methods;
    }
    return code;
}

static void a_slow_disk_loses_nothing(void **state)
{
    (void)state;
    real_disk = sqlite3_vfs_find(NULL);
    slow_disk = *real_disk;
    slow_disk.zName = "slow";
    slow_disk.xOpen = slow_open;
    sqlite3_vfs_register(&slow_disk, 1);
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    for (int32_t f = 0; f < 300; f++)
        assert_true(add_frame(recorder, f, 400, &error));
    bool closed = throng_recorder_close(recorder, &error);
    sqlite3_vfs_unregister(&slow_disk);
    sqlite3_vfs_register(real_disk, 1);
    assert_true(closed);
    assert_string_equal(query(file, "SELECT count(*), sum(pos_y = frame), sum(pos_x = id * 0.25) FROM trajectory_data"),
                        "120000|120000|120000\n");
    assert_string_equal(query(file, "SELECT count(*) FROM frame_data WHERE frame = rowid - 1"), "300\n");
}

static void expect_no_recorder(const char *path, double fps, const char *message)
{
    throng_error error;
    assert_null(throng_recorder_open(path, fps, &room, NULL, &error));
    assert_string_equal(error.text, message);
}

static void paths_that_cannot_be_written_are_explained(void **state)
{
    (void)state;
    expect_no_recorder("none/trajectory.sqlite", 10,
                       "cannot write 'none/trajectory.sqlite': its folder does not exist; create it or name another");
    expect_no_recorder(".", 10, "cannot write '.': it is a folder; give the name of a file in it");
    expect_no_recorder("/dev/null/a.sqlite", 10,
                       "cannot write '/dev/null/a.sqlite': Not a directory; name another folder");
    expect_no_recorder(file, 0,
                       "cannot record to 'trajectory.sqlite': 0 frames per second; expected a positive number");
    expect_no_recorder(file, NAN,
                       "cannot record to 'trajectory.sqlite': nan frames per second; expected a positive number");
    assert_false(exists("trajectory.sqlite.part"));
}

static void a_folder_without_permission_is_explained(void **state)
{
    (void)state;
    assert_int_equal(mkdir("locked", 0555), 0);
    bool root = geteuid() == 0; /* who may write anywhere: be nobody for a moment */
    assert_true(!root || seteuid(65534) == 0);
    throng_error error;
    throng_recorder *recorder = throng_recorder_open("locked/a.sqlite", 10, &room, NULL, &error);
    assert_true(!root || seteuid(0) == 0);
    assert_null(recorder);
    assert_string_equal(error.text, "cannot write 'locked/a.sqlite': Permission denied; name another folder");
}

static rlim_t limit_file_size(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    return before;
}

/* Records frames of 1,000 agents until no more bytes may be written, and says how many the file keeps. */
static int32_t fill_the_disk(rlim_t bytes)
{
    throng_error error, closing;
    char text[300];
    throng_recorder *recorder = throng_recorder_open(file, 10, NULL, NULL, &error);
    rlim_t before = limit_file_size(bytes);
    int32_t frame = 0;
    while (frame < 10000 && add_frame(recorder, frame, 1000, &error))
        frame++;
    bool closed = throng_recorder_close(recorder, &closing);
    limit_file_size(before);
    assert_false(closed);
    assert_string_equal(closing.text, error.text);
    snprintf(text, sizeof text,
             "recording to 'trajectory.sqlite' stopped: the file reached the largest size allowed here; record less "
             "often or raise the limit; the file keeps the first %d frames",
             frame);
    assert_string_equal(error.text, text);
    assert_false(exists("trajectory.sqlite.part"));
    assert_string_equal(query(file, "PRAGMA integrity_check"), "ok\n");
    snprintf(text, sizeof text, "%d|%d|%d\n", 1000 * frame, frame - 1, frame);
    assert_string_equal(query(file, "SELECT count(*), max(frame), count(DISTINCT frame) FROM trajectory_data"), text);
    snprintf(text, sizeof text, "%d\n", frame);
    assert_string_equal(query(file, "SELECT count(*) FROM frame_data JOIN geometry ON geometry_hash = hash"), text);
    assert_non_null(strstr(query(file, "SELECT wkt FROM geometry"), "POLYGON ((-1 -1, 250.75 -1"));
    return frame;
}

/* A frame takes 60 kB. */
static void a_full_disk_keeps_all_frames_before(void **state)
{
    (void)state;
    assert_in_range(fill_the_disk(1 << 20), 6, 18);
    assert_in_range(fill_the_disk(3 << 20), 40, 54);
    assert_in_range(fill_the_disk(8 << 20), 130, 150);
    assert_in_range(fill_the_disk(64 << 20), 1050, 1200);
}

static void the_file_is_no_larger_than_what_is_in_it(void **state)
{
    (void)state;
    throng_error error;
    struct stat about;
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    for (int32_t f = 0; f < 150; f++)
        assert_true(add_frame(recorder, f, 10, &error));
    assert_int_equal(stat("trajectory.sqlite.part", &about), 0);
    assert_true(about.st_size > 1 << 20); /* reserved */
    /* what a killed run leaves: what was committed is there, and nobody holds it */
    assert_int_equal(system("cp trajectory.sqlite.part killed.sqlite"), 0);
    assert_string_equal(query("killed.sqlite", "SELECT count(*), max(frame) FROM trajectory_data"), "1000|99\n");
    assert_string_equal(query("killed.sqlite", "PRAGMA integrity_check"), "ok\n");
    assert_true(throng_recorder_close(recorder, &error));
    assert_int_equal(stat(file, &about), 0);
    assert_true(about.st_size < 400 << 10);
    assert_string_equal(query(file, "SELECT count(*), max(frame) FROM trajectory_data"), "1500|149\n");
    assert_string_equal(query(file, "PRAGMA integrity_check"), "ok\n");
}

static void a_disk_that_is_full_at_once_leaves_nothing(void **state)
{
    (void)state;
    throng_error error;
    write_file(file, "an older result");
    rlim_t before = limit_file_size(1000);
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    limit_file_size(before);
    assert_null(recorder);
    assert_string_equal(error.text, "cannot record to 'trajectory.sqlite': the file reached the largest size allowed "
                                    "here; record less often or raise the limit");
    assert_false(exists("trajectory.sqlite.part"));
    assert_true(exists(file));
}

static void a_first_frame_that_is_too_large_leaves_nothing(void **state)
{
    (void)state;
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    rlim_t before = limit_file_size(300 << 10);
    assert_false(add_frame(recorder, 0, 150000, &error));
    bool closed = throng_recorder_close(recorder, &error);
    limit_file_size(before);
    assert_false(closed);
    assert_string_equal(
        error.text, "recording to 'trajectory.sqlite' failed: the file reached the largest size allowed here; record "
                    "less often or raise the limit; nothing was kept");
    assert_false(exists("trajectory.sqlite.part"));
    assert_false(exists(file));
}

/* --- two that write one file */

static void a_file_that_is_being_written_is_nobody_elses(void **state)
{
    (void)state;
    throng_error error;
    write_file("trajectory.sqlite.part", "of a run that was killed");
    throng_recorder *first = throng_recorder_open(file, 10, &room, NULL, &error);
    assert_non_null(first);
    assert_true(add_frame(first, 0, 2, &error));
    assert_null(throng_recorder_open(file, 10, &room, NULL, &error));
    assert_string_equal(error.text, "cannot write 'trajectory.sqlite': another run is writing it; wait for its end or "
                                    "name another folder");
    assert_true(add_frame(first, 1, 2, &error));
    assert_true(throng_recorder_close(first, &error));
    assert_string_equal(query(file, "SELECT count(*) FROM trajectory_data"), "4\n");
    throng_recorder *next = throng_recorder_open(file, 10, &room, NULL, &error);
    assert_non_null(next);
    throng_recorder_discard(next);
    assert_string_equal(query(file, "SELECT count(*) FROM trajectory_data"), "4\n");
}

/* A link or a pipe under the part's name is not written through. */
static void links_that_lie_in_wait_are_not_followed(void **state)
{
    (void)state;
    throng_error error;
    static const char *const names[] = {"trajectory.sqlite", "trajectory.throng"};
    for (size_t i = 0; i < 2; i++) {
        char part[64];
        snprintf(part, sizeof part, "%s.part", names[i]);
        write_file("precious", "mine");
        assert_int_equal(symlink("precious", part), 0);
        throng_recorder *recorder = throng_recorder_open(names[i], 10, &room, NULL, &error);
        assert_non_null(recorder);
        assert_true(add_frame(recorder, 0, 2, &error));
        assert_true(throng_recorder_close(recorder, &error));
        assert_int_equal(system("grep -qx mine precious"), 0);
        assert_int_equal(mkfifo(part, 0600), 0);
        recorder = throng_recorder_open(names[i], 10, &room, NULL, &error);
        assert_non_null(recorder);
        assert_true(throng_recorder_close(recorder, &error));
        assert_int_equal(link("precious", part), 0);
        recorder = throng_recorder_open(names[i], 10, &room, NULL, &error);
        assert_non_null(recorder);
        assert_true(throng_recorder_close(recorder, &error));
        assert_int_equal(system("grep -qx mine precious"), 0);
    }
}

/* Compact: SQLite has its file open by name. */
static void a_folder_may_be_moved_or_removed_meanwhile(void **state)
{
    (void)state;
    throng_error error;
    assert_int_equal(mkdir("out", 0755), 0);
    throng_recorder *recorder = throng_recorder_open("out/a.throng", 10, &room, NULL, &error);
    assert_true(add_frame(recorder, 0, 2, &error));
    assert_int_equal(rename("out", "elsewhere"), 0);
    assert_true(throng_recorder_close(recorder, &error));
    assert_true(exists("elsewhere/a.throng"));
    recorder = throng_recorder_open("elsewhere/b.sqlite", 10, &room, NULL, &error);
    assert_true(add_frame(recorder, 0, 2, &error));
    assert_int_equal(system("rm -r elsewhere"), 0);
    assert_false(throng_recorder_close(recorder, &error));
    assert_string_equal(error.text, "cannot write 'elsewhere/b.sqlite': its folder does not exist; create it or name "
                                    "another");
}

static void a_position_that_is_not_finite_is_named(void **state)
{
    (void)state;
    throng_error error;
    const int32_t id[] = {1, 8};
    const float x[] = {0, NAN}, y[] = {0, 2}, hx[] = {1, 1}, hy[] = {0, 0};
    throng_recorder *recorder = throng_recorder_open(file, 10, &room, NULL, &error);
    assert_true(add_frame(recorder, 0, 2, &error));
    throng_recorder_add(recorder, &(throng_record_frame){1, 2, id, x, y, hx, hy, {NULL}}, &error);
    assert_false(throng_recorder_close(recorder, &error));
    assert_string_equal(error.text,
                        "recording to 'trajectory.sqlite' stopped: frame 1: agent 8 is at (nan, 2) heading (1, "
                        "0), which is not finite; the file keeps the first 1 frame");
    assert_string_equal(query(file, "SELECT count(*) FROM trajectory_data"), "2\n");
}

/* --- the compact format --------------------------------------------------------------------- */

static const char compact[] = "trajectory.throng";

/* What was recorded is what is read, in this frame of the file. */
static void assert_frame(throng_recording *recording, int32_t n, int32_t number, int32_t count)
{
    throng_error error;
    throng_record_frame frame;
    assert_true(throng_recording_read(recording, n, &frame, &error));
    assert_int_equal(frame.frame, number);
    assert_int_equal(frame.count, count);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(frame.id[i], i);
        assert_true(frame.x[i] == (float)i * 0.25f && frame.y[i] == (float)number);
        assert_true(fabsf(frame.hx[i] - 0.6f) < 2e-5f && fabsf(frame.hy[i] + 0.8f) < 2e-5f);
    }
}

static void record_five(int32_t more)
{
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(compact, 12.5, &room, NULL, &error);
    for (int32_t f = 0; f < 5; f++) /* the ids of frames 0 and 1 are the same, and those of 2 and 3 */
        assert_true(add_frame(recorder, 10 + f, f < 2 ? 3 : f < 4 ? 40 : more, &error));
    assert_true(throng_recorder_close(recorder, &error));
}

static void compact_frames_read_back_in_any_order(void **state)
{
    (void)state;
    throng_error error;
    throng_record_frame frame;
    record_five(0);
    throng_recording *recording = throng_recording_open(compact, &error);
    assert_non_null(recording);
    assert_int_equal(throng_recording_frames(recording), 5);
    assert_true(throng_recording_fps(recording) == 12.5);
    assert_string_equal(throng_recording_wkt(recording),
                        "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0), (4 3, 4 5, 6.1 5, 6 3, 4 3))");
    static const int32_t order[] = {3, 1, 0, 4, 2, 3, 3, 1};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_frame(recording, order[i], 10 + order[i], order[i] < 2 ? 3 : order[i] < 4 ? 40 : 0);
    assert_false(throng_recording_read(recording, 5, &frame, &error));
    assert_string_equal(error.text, "'trajectory.throng' has frames 0 to 4, not 5");
    throng_recording_close(recording);
}

/* Both formats hold a script's own columns, in order of id whatever that of the slots; names that none can have, and
 * values that are no numbers, are damage. */
static void own_columns_read_back(void **state)
{
    (void)state;
    static const char *const files[] = {compact, "trajectory.sqlite"};
    const throng_record_own own = {2, {"patience", "select"}};
    const int32_t id[] = {5, 2};
    const float at[] = {1, 1}, patience[] = {50, 20}, joy[] = {0.5f, 0.25f}, broken[] = {1, NAN};
    throng_error error;
    throng_record_frame frame;
    for (int f = 0; f < 2; f++) {
        throng_recorder *recorder = throng_recorder_open(files[f], 10, NULL, &own, &error);
        assert_true(
            throng_recorder_add(recorder, &(throng_record_frame){0, 2, id, at, at, at, at, {patience, joy}}, &error));
        assert_false(throng_recorder_add(recorder, &(throng_record_frame){1, 2, id, at, at, at, at, {patience, broken}},
                                         &error));
        assert_non_null(strstr(error.text, "frame 1: select of agent 2 is nan, which is not finite"));
        throng_recorder_close(recorder, &error);
        throng_recording *recording = throng_recording_open(files[f], &error);
        assert_non_null(recording);
        assert_int_equal(throng_recording_own(recording)->count, 2);
        assert_string_equal(throng_recording_own(recording)->name[1], "select");
        assert_true(throng_recording_read(recording, 0, &frame, &error));
        assert_true(frame.own[0][0] == 20 && frame.own[0][1] == 50 && frame.own[1][0] == 0.25f);
        throng_recording_close(recording);
    }
    static const struct {
        long at;
        char byte;
        const char *message;
    } damages[] = {{20, 9, "its head makes no sense"},
                   {24, 'P', "a column has a name that none can have"},
                   {24 + 31, 'x', "a column has a name that none can have"},
                   {20, 7, "is damaged"}};
    for (size_t d = 0; d < sizeof damages / sizeof *damages; d++) {
        throng_recorder *recorder = throng_recorder_open(compact, 10, NULL, &own, &error);
        assert_true(throng_recorder_close(recorder, &error));
        FILE *file = fopen(compact, "r+");
        fseek(file, damages[d].at, SEEK_SET);
        fputc(damages[d].byte, file);
        fclose(file);
        assert_null(throng_recording_open(compact, &error));
        assert_non_null(strstr(error.text, damages[d].message));
    }
}

/* Two groups; agent 5 of the first becomes one of the second at 2 s. */
static void note_two_groups(throng_notes *notes)
{
    throng_error error;
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_GROUP, &error, {0}, {.text = "calm"}, {.text = "#cc3333"}));
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_GROUP, &error, {1}, {.text = "wild"}, {.text = ""}));
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_PERSON, &error, {7}, {1}, {0.5}, {NAN}, {0}));
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_PERSON, &error, {5}, {0}, {0.25}, {3.5}, {0}));
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_TURN, &error, {2}, {5}, {1}));
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_REGION, &error, {.text = "hall"}, {.text = "rooms"},
                                {.text = "POLYGON ((1 1, 3 1, 3 2.5, 1 1))"}));
}

/* A recording of one empty frame with notes; freed by the caller. */
static throng_recording *noted(const char *path, throng_notes *notes)
{
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(path, 10, &room, NULL, &error);
    assert_true(add_frame(recorder, 0, 2, &error));
    assert_true(throng_recorder_note(recorder, notes, &error));
    assert_true(throng_recorder_close(recorder, &error));
    throng_recording *recording = throng_recording_open(path, &error);
    assert_non_null(recording);
    assert_int_equal(throng_recording_frames(recording), 1);
    return recording;
}

static void what_a_run_knew_reads_back(void **state)
{
    (void)state;
    static const char *const files[] = {compact, "trajectory.sqlite"};
    throng_error error;
    for (int f = 0; f < 2; f++) {
        throng_notes written = {0}, notes;
        throng_noted_people people;
        throng_map *map = throng_map_from_wkt("plan", "POLYGON ((0 0, 10 0, 10 8, 0 8, 0 0))", &error);
        note_two_groups(&written);
        throng_recording *recording = noted(files[f], &written);
        assert_true(throng_recording_notes(recording, &notes, &error));
        assert_true(throng_noted_people_init(&people, &notes, &error));
        throng_noted_people_at(&people, &notes, 1.9);
        assert_int_equal(throng_noted_person_of(&people, 5)->group, 0);
        throng_noted_people_at(&people, &notes, 2);
        assert_int_equal(throng_noted_person_of(&people, 5)->group, 1);
        throng_noted_people_at(&people, &notes, 0); /* and back */
        assert_int_equal(throng_noted_person_of(&people, 5)->group, 0);
        assert_true(throng_noted_person_of(&people, 7)->radius == 0.5f);
        assert_null(throng_noted_person_of(&people, 6));
        assert_true(isnan(throng_note_number(&notes, THRONG_NOTE_PERSON, 0, 3)));
        assert_true(throng_notes_add_regions(&notes, map, &error));
        assert_int_equal(map->region_count, 1);
        assert_int_equal(map->regions[0].count, 3);
        assert_string_equal(map->regions[0].group, "rooms");
        throng_map_destroy(map);
        throng_noted_people_fini(&people);
        throng_notes_fini(&notes);
        throng_notes_fini(&written);
        throng_recording_close(recording);
    }
    const char *found =
        query(file, "SELECT p.id, g.name, p.radius, p.arrived FROM throng_people p JOIN throng_groups g "
                    "ON g.number = p.group_number ORDER BY p.id");
    assert_string_equal(found, "5|calm|0.25|3.5\n7|wild|0.5|(null)\n");
}

/* The notes of a compact file, whose people lose their last column: its table is the second, of two rows. */
static void drop_last_column(const char *path)
{
    static char bytes[1 << 14];
    FILE *in = fopen(path, "r");
    size_t size = fread(bytes, 1, sizeof bytes, in), head = 40, row = 5 * sizeof(double), at = 0;
    fclose(in);
    while (at + head < size && strcmp(bytes + at, "people") != 0)
        at++;
    assert_in_range(at, 1, size - head - 2 * row);
    bytes[at + 24] = 4; /* columns */
    memmove(bytes + at + head + row - 8, bytes + at + head + row, row - 8);
    memmove(bytes + at + head + 2 * row - 16, bytes + at + head + 2 * row, size - (at + head + 2 * row));
    FILE *out = fopen(path, "w");
    fwrite(bytes, 1, size - 16, out);
    fclose(out);
}

/* throng_people had no `spawned` once. */
static void what_runs_of_earlier_versions_knew_reads(void **state)
{
    (void)state;
    static const char *const files[] = {compact, file};
    throng_error error;
    for (int f = 0; f < 2; f++) {
        throng_notes written = {0}, notes;
        note_two_groups(&written);
        throng_recording_close(noted(files[f], &written));
        if (f == 0)
            drop_last_column(files[f]);
        else
            change(files[f], "ALTER TABLE throng_people DROP COLUMN spawned");
        throng_recording *recording = throng_recording_open(files[f], &error);
        assert_non_null(recording);
        if (!throng_recording_notes(recording, &notes, &error))
            fail_msg("%s", error.text);
        assert_true(isnan(throng_note_number(&notes, THRONG_NOTE_PERSON, 0, 3)));
        assert_true(throng_note_number(&notes, THRONG_NOTE_PERSON, 1, 0) == 5);
        assert_true(throng_note_number(&notes, THRONG_NOTE_PERSON, 1, 3) == 3.5);
        for (int32_t row = 0; row < 2; row++)
            assert_true(isnan(throng_note_number(&notes, THRONG_NOTE_PERSON, row, 4)));
        assert_string_equal(throng_note_text(&notes, THRONG_NOTE_REGION, 0, 0), "hall");
        throng_notes_fini(&notes);
        throng_notes_fini(&written);
        throng_recording_close(recording);
    }
    change(file, "ALTER TABLE throng_people DROP COLUMN radius"); /* which it always had */
    throng_recording *recording = throng_recording_open(file, &error);
    throng_notes notes;
    assert_false(throng_recording_notes(recording, &notes, &error));
    assert_non_null(strstr(error.text, "no such column: radius"));
    throng_notes_fini(&notes);
    throng_recording_close(recording);
}

/* Wherever a byte of a compact file's notes is another one, they are refused or are notes; no byte is read that is not
 * there (with sanitizers). */
static void notes_are_not_believed(void **state)
{
    (void)state;
    throng_error error;
    throng_notes written = {0}, notes;
    throng_noted_people people;
    note_two_groups(&written);
    throng_recording_close(noted(compact, &written));
    int refused = 0;
    FILE *bytes = fopen(compact, "r+");
    fseek(bytes, 0, SEEK_END);
    long end = ftell(bytes), begin = end - 24 - 8 - 1200 > 0 ? end - 24 - 8 - 1200 : 0;
    for (long at = begin; at < end; at++) {
        fseek(bytes, at, SEEK_SET);
        int was = fgetc(bytes);
        fseek(bytes, at, SEEK_SET);
        fputc(was ^ 0x55, bytes);
        fflush(bytes);
        throng_recording *recording = throng_recording_open(compact, &error);
        if (recording && throng_recording_notes(recording, &notes, &error) &&
            throng_noted_people_init(&people, &notes, &error)) {
            throng_noted_people_at(&people, &notes, 9);
            throng_noted_people_fini(&people);
        } else
            refused++;
        if (recording)
            throng_notes_fini(&notes);
        throng_recording_close(recording);
        fseek(bytes, at, SEEK_SET);
        fputc(was, bytes);
        fflush(bytes);
    }
    fclose(bytes);
    throng_notes_fini(&written);
    assert_in_range(refused, 50, end - begin);
}

static void add_smoke(throng_notes *notes, double time, double columns, double rows, const char *taken)
{
    throng_error error;
    assert_true(THRONG_NOTE_ADD(notes, THRONG_NOTE_SMOKE, &error, {time}, {columns}, {rows}, {-1}, {2}, {0.5},
                                {.text = taken}));
}

static void smoke_is_as_it_was_told_last(void **state)
{
    throng_error error;
    throng_notes notes = {0};
    throng_smoke_picture smoke = {0};
    (void)state;
    assert_true(throng_noted_smoke_check(&notes, &error) && throng_noted_smoke_at(&notes, 9, &smoke, &error));
    assert_null(smoke.extinction);
    add_smoke(&notes, 1, 2, 2, "AH+A/w=="); /* 0, 127, 128, 255 */
    add_smoke(&notes, 3, 1, 1, "gA");       /* 128 */
    assert_true(throng_noted_smoke_check(&notes, &error));
    assert_true(throng_noted_smoke_at(&notes, 0.9, &smoke, &error));
    assert_null(smoke.extinction);
    assert_true(throng_noted_smoke_at(&notes, 2.9, &smoke, &error));
    assert_int_equal(smoke.columns * smoke.rows, 4);
    assert_float_equal(smoke.extinction[0], 0, 0);
    assert_float_equal(smoke.extinction[1], -log(128 / 255.0), 1e-6);
    assert_float_equal(smoke.extinction[2], -log(127 / 255.0), 1e-6);
    assert_true(isfinite(smoke.extinction[3]) && smoke.extinction[3] > 6);
    assert_float_equal(smoke.cell, 0.5, 0);
    assert_true(throng_noted_smoke_at(&notes, 3, &smoke, &error));
    assert_int_equal(smoke.columns * smoke.rows, 1);
    assert_float_equal(smoke.extinction[0], -log(127 / 255.0), 1e-6);
    throng_smoke_fini(&smoke);
    throng_notes_fini(&notes);
}

static void smoke_of_others_is_not_believed(void **state)
{
    static const struct {
        double columns, rows;
        const char *taken;
    } bad[] = {{2, 2, "AH+A/"},    {2, 2, "AH+A*w"}, {0, 2, "AAAA"},  {1.5, 2, "AAAA"},
               {1e9, 1e9, "AAAA"}, {NAN, 1, "AAAA"}, {-1, -1, "AAAA"}};
    throng_error error;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        throng_notes notes = {0};
        add_smoke(&notes, 0, 1, 1, "AA");
        add_smoke(&notes, 1, bad[i].columns, bad[i].rows, bad[i].taken);
        assert_false(throng_noted_smoke_check(&notes, &error));
        assert_non_null(strstr(error.text, "row 1 of its table of smoke makes no sense"));
        throng_notes_fini(&notes);
    }
}

static void a_compact_file_that_was_cut_short_keeps_its_whole_frames(void **state)
{
    (void)state;
    throng_error error;
    struct stat about;
    record_five(1000);
    assert_int_equal(stat(compact, &about), 0);
    for (off_t size = about.st_size - 1; size > 100; size -= 97) {
        assert_int_equal(truncate(compact, size), 0);
        throng_recording *recording = throng_recording_open(compact, &error);
        assert_non_null(recording);
        int32_t frames = throng_recording_frames(recording);
        assert_true(frames < 5 || size > about.st_size - 100);
        for (int32_t n = 0; n < frames; n++)
            assert_frame(recording, n, 10 + n, n < 2 ? 3 : n < 4 ? 40 : 1000);
        throng_recording_close(recording);
    }
}

static void a_full_disk_keeps_whole_compact_frames(void **state)
{
    (void)state;
    throng_error error, closing;
    throng_recorder *recorder = throng_recorder_open(compact, 10, NULL, NULL, &error);
    rlim_t before = limit_file_size(1 << 20);
    int32_t frame = 0;
    while (frame < 10000 && add_frame(recorder, frame, 1000, &error))
        frame++;
    bool closed = throng_recorder_close(recorder, &closing);
    limit_file_size(before);
    assert_true(frame < 10000);
    assert_false(closed);
    assert_non_null(strstr(closing.text, "the file reached the largest size allowed here; record less often or raise "
                                         "the limit; the file keeps the first 8"));
    throng_recording *recording = throng_recording_open(compact, &error);
    assert_non_null(recording);
    assert_int_equal(throng_recording_frames(recording), 86); /* of 12 kB, and ids once */
    assert_frame(recording, 85, 85, 1000);
    throng_recording_close(recording);
}

static void what_is_no_recording_is_refused(void **state)
{
    (void)state;
    throng_error error;
    write_file("a.throng", "throngT1 and nothing else");
    assert_null(throng_recording_open("a.throng", &error));
    assert_string_equal(error.text, "'a.throng' is damaged: its head makes no sense");
    write_file("b.throng", "something else");
    assert_null(throng_recording_open("b.throng", &error));
    assert_string_equal(
        error.text, "'b.throng' is not a recording: expected a .throng, a JuPedSim SQLite file, or rows as a .txt or "
                    ".csv");
    write_file("a.h5", "\x89HDF\r\n");
    assert_null(throng_recording_open("a.h5", &error));
    assert_string_equal(error.text, "'a.h5' is one for the Python package: python3 -m throng 'a.h5' trajectory.csv "
                                    "makes a .csv of it");
    assert_null(throng_recording_open("c.throng", &error));
    assert_string_equal(error.text, "c.throng: cannot be read: No such file or directory");
    assert_null(throng_recorder_open("d.csv", 10, NULL, NULL, &error));
    assert_string_equal(error.text, "cannot record to 'd.csv': its name must end in .sqlite (JuPedSim SQLite) or "
                                    ".throng (compact)");
}

static void sqlite_reads_back_too(void **state)
{
    (void)state;
    throng_error error;
    throng_recorder *recorder = throng_recorder_open(file, 10, NULL, NULL, &error);
    assert_true(add_frame(recorder, 0, 5, &error) && add_frame(recorder, 1, 0, &error));
    assert_true(throng_recorder_close(recorder, &error));
    throng_recording *recording = throng_recording_open(file, &error);
    assert_non_null(recording);
    assert_int_equal(throng_recording_frames(recording), 2);
    assert_true(throng_recording_fps(recording) == 10);
    assert_frame(recording, 1, 1, 0);
    assert_frame(recording, 0, 0, 5);
    throng_recording_close(recording);
}

static void compact_frames_are_read_in_order_of_id(void **state)
{
    (void)state;
    throng_error error;
    throng_record_frame frame;
    const int32_t id[] = {7, 3, 5}, few[] = {9, 8};
    const float x[] = {70, 30, 50}, y[] = {7, 3, 5}, hx[] = {1, 0, -1}, hy[] = {0, 1, 0};
    throng_recorder *recorder = throng_recorder_open(compact, 10, NULL, NULL, &error);
    assert_true(throng_recorder_add(recorder, &(throng_record_frame){0, 3, id, x, y, hx, hy, {NULL}}, &error));
    assert_true(throng_recorder_add(recorder, &(throng_record_frame){1, 2, few, x, y, hx, hy, {NULL}}, &error));
    assert_true(throng_recorder_add(recorder, &(throng_record_frame){2, 3, id, y, x, hx, hy, {NULL}}, &error));
    assert_true(throng_recorder_close(recorder, &error));
    throng_recording *recording = throng_recording_open(compact, &error);
    for (int32_t n = 0; n < 3; n++) {
        assert_true(throng_recording_read(recording, n, &frame, &error));
        assert_int_equal(frame.count, n == 1 ? 2 : 3);
        for (int32_t i = 0; i < frame.count; i++) {
            int from = n == 1 ? 1 - i : (int[]){1, 2, 0}[i];
            assert_int_equal(frame.id[i], n == 1 ? few[from] : id[from]);
            assert_true(frame.x[i] == (n == 2 ? y : x)[from] && frame.y[i] == (n == 2 ? x : y)[from]);
            assert_true(frame.hx[i] == hx[from] && frame.hy[i] == hy[from]);
        }
    }
    throng_recording_close(recording);
}

/* --- recordings that somebody else made */

/* Changes four bytes of the compact file, counted from the first frame's head; expects the error of opening it or
 * reading frame n. */
static void expect_damage(long at, const void *bytes, int32_t n, const char *text)
{
    throng_error error = {""};
    throng_record_frame frame;
    const int32_t id[] = {1, 2};
    const float zero[] = {0, 0};
    throng_recorder *recorder = throng_recorder_open(compact, 10, NULL, NULL, &error);
    for (int32_t f = 0; f < 3; f++)
        assert_true(
            throng_recorder_add(recorder, &(throng_record_frame){f, 2, id, zero, zero, zero, zero, {NULL}}, &error));
    assert_true(throng_recorder_close(recorder, &error));
    FILE *out = fopen(compact, "r+b");
    fseek(out, 24 + at, SEEK_SET);
    fwrite(bytes, 4, 1, out);
    fclose(out);
    throng_recording *recording = throng_recording_open(compact, &error);
    assert_false(recording && throng_recording_read(recording, 0, &frame, &error) &&
                 (n == 0 || throng_recording_read(recording, n, &frame, &error)));
    assert_string_equal(error.text, text);
    throng_recording_close(recording);
}

static void compact_files_are_not_believed(void **state)
{
    (void)state;
    enum { FRAME_0 = 0, FRAME_1 = 16 + 32, ID = 16, X = 24 };
    const float nan = NAN, inf = INFINITY;
    const int32_t two = 2, three = 3, many = INT32_MAX, less = -1;
    expect_damage(
        FRAME_0 + X, &nan, 0,
        "'trajectory.throng' is damaged: frame 0: agent 1 is at (nan, 0) heading (0, 0), which is not finite");
    expect_damage(
        FRAME_1 + 16, &inf, 1,
        "'trajectory.throng' is damaged: frame 1: agent 1 is at (inf, 0) heading (0, 0), which is not finite");
    expect_damage(FRAME_0 + ID, &two, 0, "'trajectory.throng' is damaged: agent 2 is twice in frame 0");
    expect_damage(FRAME_1 + 8, &three, 1, "'trajectory.throng' is damaged: the ids of a frame are missing");
    expect_damage(FRAME_0 + 8, &many, 0, "'trajectory.throng' is damaged: it ends within a frame");
    expect_damage(FRAME_0 + 8, &less, 0, "'trajectory.throng' is damaged: a frame does not begin where it should");
    expect_damage(FRAME_1 + 12, &two, 1, "'trajectory.throng' is damaged: a frame does not begin where it should");
    expect_damage(FRAME_1, &two, 1, "'trajectory.throng' is damaged: a frame does not begin where it should");
}

static const char jupedsim[] = "CREATE TABLE trajectory_data(frame, id, pos_x, pos_y, ori_x, ori_y);"
                               "CREATE TABLE metadata(key, value); CREATE TABLE geometry(hash, wkt);"
                               "CREATE TABLE frame_data(frame, geometry_hash);"
                               "INSERT INTO metadata VALUES('fps', '10'); INSERT INTO frame_data VALUES(0, 0);"
                               "INSERT INTO trajectory_data VALUES(0, 1, 2.5, 3, 1, 0);";

/* A JuPedSim file that `sql` changes; expects the error of opening it or reading its first frame. */
static void expect_no_trajectory(const char *sql, const char *text)
{
    throng_error error = {""};
    throng_record_frame frame;
    sqlite3 *db;
    unlink("other.sqlite");
    assert_int_equal(sqlite3_open("other.sqlite", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, jupedsim, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    throng_recording *recording = throng_recording_open("other.sqlite", &error);
    bool read = recording && throng_recording_read(recording, 0, &frame, &error);
    assert_int_equal(read, !*text);
    assert_string_equal(error.text, text);
    throng_recording_close(recording);
}

#define NO_TRAJECTORY "'other.sqlite' is not a JuPedSim trajectory that can be read: "
#define DAMAGED       "'other.sqlite' is damaged: "

static void sqlite_files_are_not_believed(void **state)
{
    (void)state;
    alarm(120); /* none may be read for ever */
    expect_no_trajectory("", "");
    expect_no_trajectory("DROP TABLE trajectory_data; CREATE VIEW trajectory_data AS WITH RECURSIVE n(i) AS (SELECT 0 "
                         "UNION ALL SELECT i + 1 FROM n) SELECT 0 frame, i id, 1.0 pos_x, 1.0 pos_y, 1 ori_x, 0 ori_y "
                         "FROM n",
                         NO_TRAJECTORY "it has no plain table trajectory_data");
    expect_no_trajectory("DROP TABLE metadata; CREATE VIEW metadata AS SELECT 'fps' key, 10 value",
                         NO_TRAJECTORY "it has no plain table metadata");
    expect_no_trajectory("DROP TABLE frame_data; CREATE TABLE frame_data(frame AS (length(hex(zeroblob(x)))), x)",
                         NO_TRAJECTORY "it has no plain table frame_data");
    expect_no_trajectory("DROP TABLE frame_data; CREATE VIRTUAL TABLE frame_data USING fts4(frame)",
                         NO_TRAJECTORY "no such module: fts4");
    expect_no_trajectory("DROP TABLE geometry", NO_TRAJECTORY "it has no plain table geometry");
    expect_no_trajectory("UPDATE metadata SET value = 1e300",
                         DAMAGED "it has 1e+300 frames a second; expected 0.000001 to 1000000");
    expect_no_trajectory("DELETE FROM metadata", DAMAGED "it has 0 frames a second; expected 0.000001 to 1000000");
    expect_no_trajectory("INSERT INTO frame_data VALUES(10000000000, 0)",
                         DAMAGED "frame '10000000000' is not a whole number of -2^31 to 2^31 - 1");
    expect_no_trajectory("INSERT INTO frame_data VALUES(NULL, 0)",
                         DAMAGED "frame 'NULL' is not a whole number of -2^31 to 2^31 - 1");
    expect_no_trajectory("UPDATE trajectory_data SET id = 1e30",
                         DAMAGED "id '1.0e+30' is not a whole number of -2^31 to 2^31 - 1");
    expect_no_trajectory("UPDATE trajectory_data SET pos_y = NULL", DAMAGED "pos_y of agent 1 is not a number");
    expect_no_trajectory("UPDATE trajectory_data SET pos_x = 'far'", DAMAGED "pos_x of agent 1 is not a number");
    expect_no_trajectory("UPDATE trajectory_data SET pos_x = 9e999",
                         DAMAGED "frame 0: agent 1 is at (inf, 3) heading (1, 0), which is not finite");
    expect_no_trajectory("INSERT INTO trajectory_data VALUES(0, 1, 2.5, 3, 1, 0)",
                         DAMAGED "agent 1 is twice in frame 0");
    alarm(0);
}

#define RECORD_TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        RECORD_TEST(the_tables_are_those_of_jupedsim),
        RECORD_TEST(rows_are_exact),
        RECORD_TEST(frames_without_agents_are_frames),
        RECORD_TEST(an_open_world_is_the_box_of_its_agents),
        cmocka_unit_test(holes_go_to_the_ring_around_them),
        cmocka_unit_test(numbers_read_back),
        RECORD_TEST(a_file_that_was_there_is_replaced),
        RECORD_TEST(a_discarded_recording_leaves_no_trace),
        RECORD_TEST(a_slow_disk_loses_nothing),
        RECORD_TEST(paths_that_cannot_be_written_are_explained),
        RECORD_TEST(a_folder_without_permission_is_explained),
        RECORD_TEST(a_full_disk_keeps_all_frames_before),
        RECORD_TEST(the_file_is_no_larger_than_what_is_in_it),
        RECORD_TEST(a_file_that_is_being_written_is_nobody_elses),
        RECORD_TEST(links_that_lie_in_wait_are_not_followed),
        RECORD_TEST(a_folder_may_be_moved_or_removed_meanwhile),
        RECORD_TEST(a_disk_that_is_full_at_once_leaves_nothing),
        RECORD_TEST(a_first_frame_that_is_too_large_leaves_nothing),
        RECORD_TEST(a_position_that_is_not_finite_is_named),
        RECORD_TEST(compact_frames_read_back_in_any_order),
        RECORD_TEST(own_columns_read_back),
        RECORD_TEST(what_a_run_knew_reads_back),
        RECORD_TEST(what_runs_of_earlier_versions_knew_reads),
        RECORD_TEST(notes_are_not_believed),
        cmocka_unit_test(smoke_is_as_it_was_told_last),
        cmocka_unit_test(smoke_of_others_is_not_believed),
        RECORD_TEST(a_compact_file_that_was_cut_short_keeps_its_whole_frames),
        RECORD_TEST(a_full_disk_keeps_whole_compact_frames),
        RECORD_TEST(what_is_no_recording_is_refused),
        RECORD_TEST(sqlite_reads_back_too),
        RECORD_TEST(compact_frames_are_read_in_order_of_id),
        RECORD_TEST(compact_files_are_not_believed),
        RECORD_TEST(sqlite_files_are_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
