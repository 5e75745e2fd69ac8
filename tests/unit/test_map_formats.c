/* Maps from files of other programs, one section a format: what is read, and what is said of files that are wrong. */
#include "map_checks.h"
#include "map_files.h"

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
    throng_point upper_left = throng_map_cell_centre(map->grid, 0, 0);
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
                assert_int_equal(throng_map_fits(map, throng_map_cell_centre(map->grid, x, y), 0.5), free);
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
    assert_text_fails("a.map", "type octile\nheight 0\n", "a.map:2: height: \"0\" will not do");
    assert_text_fails("a.map", "type octile\nwidth 3x\n", "a.map:2: width: \"3x\" will not do");
    assert_text_fails("a.map", "type octile\nwide 3\n", "a.map:2: \"wide 3\" is no line of a Moving AI map's head");
    assert_text_fails("a.map", "type octile\nwidth 3\nmap\n...\n", "a.map:3: `height` is missing before `map`");
    assert_text_fails("a.map", "height 60000\nwidth 60000\nmap\n", "60000 x 60000 cells are more than");
    assert_text_fails("a.map", "height 2\nwidth 3\nmap\n...\n", "the file ends after row 1 of 2");
    assert_text_fails("a.map", "height 2\nwidth 3\nmap\n...\n....\n", "a.map:5: the row has 4 cells, but `width` is 3");
    assert_text_fails("a.map", "height 1\nwidth 3\nmap\n...\n...\n", "a.map:5: one row more than `height`, 1");
    assert_text_fails("a.map", "height 1\nwidth 3\nmap\n..x\n", "a.map:4: column 3: 'x' is no terrain");
    assert_text_fails("a.map", "height 1\nwidth 3\nmap\n@TW\n", "a.map: no cell is free");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_keep_their_sides),
        cmocka_unit_test(cells_may_have_another_size),
        cmocka_unit_test(random_grids_are_exact),
        cmocka_unit_test(wrong_grids_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
