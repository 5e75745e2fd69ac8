/* Maps: from polygons, from occupancy images, and everything that is wrong with either. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "map/geometry.h"
#include "map/map.h"
#include "map/map_yaml.h"
#include "map_checks.h"
#include "map_files.h"

static const throng_point SQUARE[4] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
static const throng_point PILLAR[4] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}};

static throng_map *square_with(const throng_point *obstacle, int32_t count, throng_error *error)
{
    const throng_point *boundary[] = {SQUARE}, *obstacles[] = {obstacle};
    int32_t four = 4;
    return throng_map_from_polygons("test", boundary, &four, 1, obstacles, &count, obstacle ? 1 : 0, error);
}

static void polygons_make_a_room_with_a_pillar(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = square_with(PILLAR, 4, &error);
    assert_non_null(map);
    assert_sound(map);
    assert_false(map->open);
    assert_int_equal(map->ring_count, 2);
    assert_near(map->area, 96, 1e-12);
    assert_true(throng_ring_area(map->points, map->ring_start[1]) > 0);
    assert_true(map->bounds.x0 == 0 && map->bounds.x1 == 10 && map->bounds.y0 == 0 && map->bounds.y1 == 10);
    throng_map_destroy(map);
}

static void polygons_may_run_either_way_and_overlap(void **state)
{
    (void)state;
    throng_point clockwise[4] = {{0, 10}, {10, 10}, {10, 0}, {0, 0}};
    throng_point second[4] = {{5, 0}, {20, 0}, {20, 10}, {5, 10}};
    throng_point wall[4] = {{5, 3}, {12, 3}, {12, 5}, {5, 5}};
    const throng_point *boundaries[] = {clockwise, second}, *obstacles[] = {PILLAR, wall};
    int32_t sizes[] = {4, 4};
    throng_error error;
    throng_map *map = throng_map_from_polygons("two", boundaries, sizes, 2, obstacles, sizes, 2, &error);
    assert_non_null(map);
    assert_sound(map);
    assert_near(map->area, 200 - (4 + 14 - 1), 1e-9);
    throng_map_destroy(map);
}

static void without_a_boundary_the_world_is_open(void **state)
{
    (void)state;
    throng_point yard[8] = {{20, 0}, {30, 0}, {30, 10}, {20, 10}, {20, 9}, {29, 9}, {29, 1}, {20, 1}};
    throng_point gate[4] = {{20, 0}, {21, 0}, {21, 10}, {20, 10}};
    const throng_point *obstacles[] = {PILLAR, yard, gate};
    int32_t sizes[] = {4, 8, 4};
    throng_error error;
    throng_map *map = throng_map_from_polygons("open", NULL, NULL, 0, obstacles, sizes, 3, &error);
    assert_non_null(map);
    assert_sound(map);
    assert_true(map->open && isinf(map->area));
    assert_int_equal(map->ring_count, 3); /* two obstacles, then the closed yard */
    assert_true(throng_ring_area(map->points, map->ring_start[1]) < 0);
    assert_true(throng_ring_area(map->points + map->ring_start[2], map->ring_start[3] - map->ring_start[2]) > 0);
    assert_true(throng_map_fits(map, (throng_point){-1e5, 3}, 100));
    assert_true(throng_map_fits(map, (throng_point){25, 5}, 3));
    assert_false(throng_map_fits(map, (throng_point){20.5, 5}, 0));
    assert_false(throng_map_fits(map, (throng_point){5, 5}, 0));
    throng_map_destroy(map);
}

static void an_open_world_may_be_empty(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = throng_map_from_polygons("void", NULL, NULL, 0, NULL, NULL, 0, &error);
    assert_non_null(map);
    assert_int_equal(map->ring_count, 0);
    assert_true(throng_map_fits(map, (throng_point){3, -7}, 1e3));
    throng_map_destroy(map);
}

static void discs_fit_up_to_touching(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = square_with(PILLAR, 4, &error);
    assert_true(throng_map_fits(map, (throng_point){2, 5}, 2));
    assert_false(throng_map_fits(map, (throng_point){2, 5}, 2.0000001));
    assert_false(throng_map_fits(map, (throng_point){5, 5}, 0));
    assert_false(throng_map_fits(map, (throng_point){11, 5}, 0.1));
    assert_false(throng_map_fits(map, (throng_point){NAN, 5}, 0.1));
    assert_true(throng_map_fits(map, (throng_point){3, 3}, sqrt(2)));
    assert_false(throng_map_fits(map, (throng_point){3, 3}, 1.415));
    throng_map_destroy(map);
}

/* The index against every segment, on a star with many spikes. */
static void fits_agrees_with_brute_force(void **state)
{
    (void)state;
    enum { SPIKES = 40 };
    throng_point star[2 * SPIKES];
    for (int i = 0; i < 2 * SPIKES; i++) {
        double angle = 3.14159265358979 * i / SPIKES, r = i % 2 ? 2.5 : 4.7;
        star[i] = (throng_point){5 + r * cos(angle), 5 + r * sin(angle)};
    }
    throng_error error;
    throng_map *map = square_with(star, 2 * SPIKES, &error);
    assert_non_null(map);
    uint32_t seed = 1;
    for (int k = 0; k < 20000; k++) {
        seed = seed * 1664525 + 1013904223;
        throng_point p = {(seed >> 16) * 12.0 / 65536 - 1, 0};
        seed = seed * 1664525 + 1013904223;
        p.y = (seed >> 16) * 12.0 / 65536 - 1;
        double radius = k % 5 * 0.3, nearest = 100;
        bool odd = false;
        for (int32_t r = 0; r < map->ring_count; r++)
            for (int32_t i = map->ring_start[r], j = map->ring_start[r + 1] - 1; i < map->ring_start[r + 1]; j = i++) {
                throng_point a = map->points[j], b = map->points[i];
                double x = b.x - a.x, y = b.y - a.y;
                double t = fmin(1, fmax(0, ((p.x - a.x) * x + (p.y - a.y) * y) / (x * x + y * y)));
                nearest = fmin(nearest, hypot(a.x + t * x - p.x, a.y + t * y - p.y));
                if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / y * x)
                    odd = !odd;
            }
        if (fabs(nearest - radius) < 1e-9)
            continue;
        assert_int_equal(throng_map_fits(map, p, radius), odd && nearest >= radius);
    }
    throng_map_destroy(map);
}

/* Of two that share a side one has its points, whichever way they run. */
static void points_are_in_one_of_two_polygons_that_meet(void **state)
{
    (void)state;
    const throng_point left[] = {{0, 0}, {3, 0}, {1, 3}, {0, 3}}, right[] = {{1, 3}, {3, 0}, {4, 0}, {4, 3}};
    throng_point back[4];
    for (int i = 0; i < 4; i++)
        back[i] = right[3 - i];
    const throng_point on[] = {{3, 0}, {2, 1.5}, {1.5, 2.25}, {3 - 2 / 3.0, 1}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(throng_polygon_holds(left, 4, on[i]) + throng_polygon_holds(right, 4, on[i]), 1);
        assert_int_equal(throng_polygon_holds(right, 4, on[i]), throng_polygon_holds(back, 4, on[i]));
    }
    assert_true(throng_polygon_holds(left, 4, (throng_point){0, 0})); /* its left and lower sides */
    assert_true(throng_polygon_holds(left, 4, (throng_point){0, 1}));
    assert_false(throng_polygon_holds(left, 4, (throng_point){0.5, 3})); /* not its upper one */
    assert_false(throng_polygon_holds(right, 4, (throng_point){4, 1}));  /* nor a right one */
    assert_false(throng_polygon_holds(left, 4, (throng_point){-1, 1}));
    assert_false(throng_polygon_holds(left, 4, (throng_point){5, 0}));
}

static void wrong_polygons_are_named(void **state)
{
    (void)state;
    throng_point bow[4] = {{1, 1}, {3, 3}, {3, 1}, {1, 3}};
    throng_point flat[3] = {{1, 1}, {2, 2}, {3, 3}};
    throng_point far[3] = {{1, 1}, {2, INFINITY}, {3, 3}};
    throng_error error;
    assert_null(square_with(bow, 4, &error));
    assert_says(&error, "test: obstacle 1 (of 1) crosses or touches itself at (2, 2)");
    assert_null(square_with(flat, 3, &error));
    assert_says(&error, "has no area");
    assert_null(square_with(far, 3, &error));
    assert_says(&error, "point 2 is (2, inf)");
    assert_null(square_with(PILLAR, 2, &error));
    assert_says(&error, "has 2 points: a polygon needs three or more");
    assert_null(square_with(SQUARE, 4, &error));
    assert_says(&error, "nothing is left free");
}

static void regions_are_found_by_name(void **state)
{
    (void)state;
    throng_error error;
    throng_map *map = square_with(NULL, 0, &error);
    throng_point clockwise[4] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    assert_true(throng_map_add_region(map, "exit", clockwise, 4, &error));
    assert_true(throng_map_add_region(map, "hall", SQUARE, 4, &error));
    const throng_region *exit = region_of(map, "exit");
    assert_non_null(exit);
    assert_true(throng_ring_area(exit->points, exit->count) > 0);
    assert_null(region_of(map, "roof"));
    assert_true(throng_map_add_region(map, "exit", SQUARE, 4, &error)); /* a second polygon of that name */
    assert_ptr_equal(region_of(map, "exit"), &map->regions[0]);
    assert_false(throng_map_add_region(map, "line", SQUARE, 2, &error));
    assert_says(&error, "region \"line\" has 2 points");
    assert_false(throng_map_add_region(map, "", SQUARE, 4, &error));
    throng_point hole[3] = {{0, 0}, {NAN, 0}, {1, 1}};
    assert_false(throng_map_add_region(map, "hole", hole, 3, &error));
    assert_says(&error, "region \"hole\": point 2 is (nan, 0)");
    assert_int_equal(map->region_count, 3);
    throng_map_destroy(map);
}

/* --- images --- */

static const char *write_yaml(const char *name, const char *image, const char *more)
{
    char text[1024];
    snprintf(text, sizeof text, "image: %s\nresolution: 0.05\norigin: [0, 0, 0]\n%s", image, more);
    return write_text(name, text);
}

/* A room of 4 x 3 m with a wall across it that leaves a door of 1 m, and a pillar of 0.5 m. */
static void draw_room(drawing *d)
{
    *d = draw_blank(100, 80, 205);
    draw_box(d, 9, 9, 91, 71, 0);
    draw_box(d, 10, 10, 90, 70, 254);
    draw_box(d, 48, 10, 52, 50, 0);
    draw_box(d, 20, 30, 30, 40, 0);
}

static void an_image_becomes_straight_walls(void **state)
{
    (void)state;
    drawing d;
    draw_room(&d);
    write_drawing("room.pgm", &d);
    throng_error error;
    throng_map *map = throng_map_read(write_yaml("room.yaml", "room.pgm", ""), NULL, &error);
    assert_non_null(map);
    assert_sound(map);
    assert_int_equal(map->ring_count, 2);
    assert_int_equal(map->point_count, 12);
    assert_near(map->area, 4 * 3 - 0.2 * 2 - 0.25, 1e-9);
    assert_near(map->bounds.x0, 0.5, 1e-9);
    assert_near(map->bounds.y1, 3.5, 1e-9);
    assert_int_equal(map->report.pixels_x, 100);
    assert_int_equal(map->report.pixels_y, 80);
    assert_true(map->report.deviation <= map->report.tolerance + 0.5 * sqrt(2) * 0.05);
    assert_true(map->report.points_before > 200 && map->report.points_after == 12);
    assert_false(throng_map_fits(map, (throng_point){1.25, 2.25}, 0)); /* the pillar: row 0 is the top */
    assert_true(throng_map_fits(map, (throng_point){1.25, 1.25}, 0.4));
    throng_map_destroy(map);
}

static void origin_and_yaw_place_the_image(void **state)
{
    (void)state;
    drawing d;
    draw_room(&d);
    write_drawing("room.pgm", &d);
    const char *path = write_text("turned.yaml", "image: room.pgm  # beside\nresolution: 0.05\n"
                                                 "origin: [-10.0, 20, 1.5707963267948966]\nmode: trinary\nnegate: 0\n");
    throng_error error;
    throng_map *map = throng_map_read(path, NULL, &error);
    assert_non_null(map);
    assert_near(map->bounds.x0, -10 - 3.5, 1e-9);
    assert_near(map->bounds.x1, -10 - 0.5, 1e-9);
    assert_near(map->bounds.y0, 20.5, 1e-9);
    assert_near(map->bounds.y1, 24.5, 1e-9);
    throng_map_destroy(map);
}

static void a_bare_image_uses_the_yaml_of_its_stem(void **state)
{
    (void)state;
    drawing d;
    draw_room(&d);
    write_drawing("bare.pgm", &d);
    throng_error error;
    throng_map *map = throng_map_read(in_folder("bare.pgm"), NULL, &error);
    assert_non_null(map);
    assert_near(map->report.resolution, 0.05, 0);
    throng_map_destroy(map);
    write_text("bare.yaml", "image: other.pgm\nresolution: 0.1\norigin: [0, 0, 0]\n");
    map = throng_map_read(in_folder("bare.pgm"), NULL, &error);
    assert_non_null(map);
    assert_near(map->bounds.x0, 1, 1e-9);
    throng_map_destroy(map);
}

static void thresholds_and_negate_follow_ros(void **state)
{
    (void)state;
    /* darkness 1 - 205 / 255 = 0.196: unknown at the default, free at 0.25 */
    drawing d = draw_blank(60, 60, 0);
    draw_box(&d, 5, 5, 55, 55, 205);
    draw_box(&d, 5, 5, 55, 45, 254);
    write_drawing("grey.pgm", &d);
    throng_error error;
    throng_map *map = throng_map_read(write_yaml("grey.yaml", "grey.pgm", ""), NULL, &error);
    assert_non_null(map);
    assert_near(map->area, 2.5 * 2, 1e-9);
    throng_map_destroy(map);
    map = throng_map_read(write_yaml("grey.yaml", "grey.pgm", "free_thresh: 0.25\noccupied_thresh: 0.65\n"), NULL,
                          &error);
    assert_non_null(map);
    assert_near(map->area, 2.5 * 2.5, 1e-9);
    throng_map_destroy(map);
    d = draw_blank(60, 60, 255);
    draw_box(&d, 10, 10, 50, 50, 3);
    write_drawing("negative.pgm", &d);
    map = throng_map_read(write_yaml("negative.yaml", "negative.pgm", "negate: 1\n"), NULL, &error);
    assert_non_null(map);
    assert_near(map->area, 4, 1e-9);
    throng_map_destroy(map);
}

static void specks_go_and_pillars_stay(void **state)
{
    (void)state;
    drawing d = draw_blank(100, 100, 0);
    draw_box(&d, 10, 10, 90, 90, 254);
    draw_box(&d, 20, 20, 22, 23, 0);   /* 6 pixels: 0.015 m2 */
    draw_box(&d, 40, 40, 42, 41, 205); /* unknown */
    draw_box(&d, 60, 60, 63, 63, 0);   /* 9 pixels: 0.0225 m2 */
    write_drawing("specks.pgm", &d);
    throng_error error;
    throng_map *map = throng_map_read(in_folder("specks.pgm"), NULL, &error);
    assert_non_null(map);
    assert_int_equal(map->report.specks, 2);
    assert_int_equal(map->ring_count, 2);
    throng_map_destroy(map);
    throng_map_options options = throng_map_options_default();
    options.speck = 0;
    map = throng_map_read(in_folder("specks.pgm"), &options, &error);
    assert_int_equal(map->report.specks, 0);
    assert_int_equal(map->ring_count, 4);
    assert_sound(map);
    throng_map_destroy(map);
}

/* Two rooms of 2 x 4 m joined by an opening of so many pixels. */
static throng_map *rooms_joined_by(int pixels, const throng_map_options *options)
{
    drawing d = draw_blank(104, 100, 0);
    draw_box(&d, 10, 10, 50, 90, 254);
    draw_box(&d, 54, 10, 94, 90, 254);
    draw_box(&d, 50, 40, 54, 40 + pixels, 254);
    write_drawing("rooms.pgm", &d);
    throng_error error;
    throng_map *map = throng_map_read(in_folder("rooms.pgm"), options, &error);
    assert_non_null(map);
    assert_sound(map);
    return map;
}

static void narrow_openings_close_and_rooms_beyond_are_pockets(void **state)
{
    (void)state;
    throng_map *map = rooms_joined_by(6, NULL); /* 0.3 m: wide enough */
    assert_near(map->area, 16 + 0.3 * 0.2, 0.02);
    assert_int_equal(map->report.pockets, 0);
    throng_map_destroy(map);
    map = rooms_joined_by(4, NULL);
    assert_near(map->area, 8, 0.02);
    assert_int_equal(map->report.pockets, 1);
    assert_near(map->report.pocket_area, 8, 0.02);
    assert_true(map->report.closed_area > 0);
    throng_map_destroy(map);
    throng_map_options options = throng_map_options_default();
    options.keep_pockets = true;
    map = rooms_joined_by(4, &options);
    assert_int_equal(map->ring_count, 2);
    assert_near(map->area, 16, 0.02);
    assert_true(throng_map_fits(map, (throng_point){1.5, 2.5}, 0.5) &&
                throng_map_fits(map, (throng_point){3.7, 2.5}, 0.5));
    throng_map_destroy(map);
    options.min_gap = 0;
    options.keep_pockets = false;
    map = rooms_joined_by(1, &options);
    assert_near(map->area, 16, 0.03);
    throng_map_destroy(map);
}

/* Nothing is left out, or closed. */
static throng_map_options all_of_it(double tolerance, double min_gap)
{
    throng_map_options options = throng_map_options_default();
    options.tolerance = tolerance;
    options.min_gap = min_gap;
    options.speck = options.min_area = 0;
    options.keep_pockets = true;
    return options;
}

static void areas_that_meet_in_a_corner_stay_apart(void **state)
{
    (void)state;
    const char *rows[] = {"########", "#..#...#", "#..#...#", "###....#", "#..##..#", "#..#.#.#", "########"};
    write_rows("corner.pgm", rows, 7);
    throng_map_options options = all_of_it(0, 0);
    throng_error error;
    throng_map *map = throng_map_read(in_folder("corner.pgm"), &options, &error);
    assert_non_null(map);
    assert_sound(map);
    assert_int_equal(map->ring_count, 4);
    throng_map_destroy(map);
}

/* Random blots: whatever the tolerance, the outlines stay sound and within it. */
static void simplified_outlines_are_sound(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int k = 0; k < 12; k++) {
        drawing d = draw_blank(160, 120, 254);
        for (int b = 0; b < 350; b++) {
            int at[4];
            for (int i = 0; i < 4; i++) {
                seed = seed * 1664525 + 1013904223;
                at[i] = (int)(seed >> 16);
            }
            int x = at[0] % 155, y = at[1] % 115;
            draw_box(&d, x, y, x + 1 + at[2] % 5, y + 1 + at[3] % 5, 0);
        }
        write_drawing("blots.pgm", &d);
        throng_map_options options = all_of_it(0.02 * k, k % 3 * 0.1);
        throng_error error;
        throng_map *map = throng_map_read(in_folder("blots.pgm"), &options, &error);
        assert_non_null(map);
        assert_sound(map);
        assert_true(map->report.deviation <= options.tolerance + 0.5 * sqrt(2) * 0.05);
        throng_map_destroy(map);
    }
}

static void slopes_come_out_without_stairs(void **state)
{
    (void)state;
    drawing d = draw_blank(200, 200, 0);
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 200; x++)
            if (abs(x - 100) + abs(y - 100) < 80)
                d.grey[y * 200 + x] = 254;
    write_drawing("diamond.pgm", &d);
    throng_error error;
    throng_map *map = throng_map_read(in_folder("diamond.pgm"), NULL, &error);
    assert_non_null(map);
    assert_in_range(map->point_count, 4, 8);
    assert_near(map->area, 12641 * 0.05 * 0.05, 0.1); /* so many pixels */
    throng_map_destroy(map);
}

static void plain_greymaps_are_read(void **state)
{
    (void)state;
    char text[8192];
    int used = sprintf(text, "P2 # plain\n60 50\n# greatest\n15\n");
    for (int y = 0; y < 50; y++)
        for (int x = 0; x < 60; x++)
            used += sprintf(text + used, "%s ", x < 10 || x >= 50 || y < 10 || y >= 40 ? "0" : "15");
    throng_error error;
    throng_map *map = throng_map_read(write_text("plain.pgm", text), NULL, &error);
    assert_non_null(map);
    assert_near(map->area, 2 * 1.5, 1e-9);
    throng_map_destroy(map);
}

/* Red at both ends of a hall, green at a desk; a speck of red, and the grey of walls between. */
static void colours_become_regions(void **state)
{
    (void)state;
    enum { WIDTH = 200, HEIGHT = 80 };
    static unsigned char rgb[HEIGHT][WIDTH][3];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            bool wall = x < 10 || x >= 190 || y < 10 || y >= 70;
            bool exit = !wall && (x < 30 || x >= 170 || (x == 100 && y == 20));
            bool desk = x >= 90 && x < 110 && y >= 40 && y < 60;
            unsigned char colour[3] = {wall   ? 0
                                       : desk ? 3
                                              : 255,
                                       wall || exit ? 0
                                       : desk       ? 196
                                                    : 255,
                                       wall || exit || desk ? 0 : 255};
            memcpy(rgb[y][x], colour, 3);
        }
    char *data = malloc(64 + sizeof rgb);
    int head = sprintf(data, "P6 %d %d 255\n", WIDTH, HEIGHT);
    memcpy(data + head, rgb, sizeof rgb);
    write_bytes("hall.ppm", data, (size_t)head + sizeof rgb);
    free(data);
    throng_error error;
    const char *path = write_yaml("hall.yaml", "hall.ppm", "regions: {exits: \"#ff0000\", 'desk': '#00C000'}\n");
    throng_map *map = throng_map_read(path, NULL, &error);
    assert_non_null(map);
    assert_sound(map);
    assert_near(map->area, 9 * 3, 1e-9);
    assert_int_equal(map->region_count, 3);
    double area = 0;
    for (int32_t i = 0; i < 3; i++)
        area += throng_ring_area(map->regions[i].points, map->regions[i].count);
    assert_near(area, 2 * 1 * 3 + 1, 0.02);
    const throng_region *desk = region_of(map, "desk");
    assert_non_null(desk);
    assert_near(desk->points[0].y, 1.5, 0.51);
    assert_int_equal(map->findings.count, 0);
    throng_map_destroy(map);
    path = write_yaml("hall.yaml", "hall.ppm",
                      "regions:  # below\n  exits: \"#ff0000\"\n  lake: \"#0000ff\"\nmode: scale\n");
    map = throng_map_read(path, NULL, &error);
    assert_non_null(map);
    assert_int_equal(map->region_count, 2);
    assert_int_equal(map->findings.count, 1);
    assert_string_equal(map->findings.list[0].text, "region \"lake\": nothing in the image has the colour #0000ff");
    throng_map_destroy(map);
}

/* --- what is wrong with files --- */

static void missing_and_unreadable_files(void **state)
{
    (void)state;
    assert_read_fails("/nowhere/a.yaml", "/nowhere/a.yaml: cannot be read: No such file or directory");
    assert_read_fails("/nowhere/a.png", "/nowhere/a.png: cannot be read: No such file or directory");
    assert_read_fails("/tmp", "/tmp: cannot be read: it is a folder; give a regular file");
    write_yaml("lost.yaml", "lost.pgm", "");
    char lost[400];
    snprintf(lost, sizeof lost, "lost.yaml: the image that it names: %s: cannot be read", in_folder("lost.pgm"));
    assert_read_fails(in_folder("lost.yaml"), lost);
}

static void files_that_are_no_images(void **state)
{
    (void)state;
    assert_read_fails(write_text("note.png", "this is no image"), "note.png: not an image that can be read");
    assert_read_fails(write_text("empty.png", ""), "the file is empty");
    assert_read_fails(write_text("short.pgm", "P5\n10 10\n255\nabc"), "the file ends before the image does");
    assert_read_fails(write_text("plain.ppm", "P3\n1 1\n255\n0 0 0\n"), "a PBM or PPM in plain text; save it as a PGM");
    assert_read_fails(write_text("plain.pgm", "P2\n2 1\n255\n0 256\n"), "more than its greatest value");
    assert_read_fails(write_text("plain.pgm", "P2\n2 2\n255\n0 1 2\n"), "the file ends before the image does");
    assert_read_fails(write_text("plain.pgm", "P2\n2 1\n255\n0 x 2\n"), "a pixel of the PGM is not a number");
    assert_read_fails(write_text("plain.pgm", "P2\n2 1\n70000\n0 1\n"), "the head of the PGM is wrong");
    assert_read_fails(write_text("head.pgm", "P5\n"), "not an image");
}

static void plans_without_room(void **state)
{
    (void)state;
    drawing d = draw_blank(40, 40, 0);
    assert_read_fails(write_drawing("solid.pgm", &d), "solid.pgm: no pixel is free: all are walls;");
    d = draw_blank(40, 40, 205);
    assert_read_fails(write_drawing("unknown.pgm", &d), "all are walls or unknown");
    d = draw_blank(40, 40, 0);
    draw_box(&d, 10, 10, 20, 20, 254);
    assert_read_fails(write_drawing("small.pgm", &d), "the largest free area has 0.25 m2, less than min_area (2 m2)");
    d = draw_blank(40, 40, 0);
    draw_box(&d, 10, 10, 12, 30, 254);
    assert_read_fails(write_drawing("slit.pgm", &d), "every opening is narrower than min_gap (0.3 m)");
}

static void assert_yaml_fails(const char *text, const char *part)
{
    char full[400];
    snprintf(full, sizeof full, "%s%s", in_folder("bad.yaml"), part);
    assert_read_fails(write_text("bad.yaml", text), full);
}

static void yaml_errors_name_file_line_and_field(void **state)
{
    (void)state;
    assert_yaml_fails("image: a.pgm\nresolution: 0\norigin: [0, 0, 0]\n", ":2: resolution: \"0\" is not valid");
    assert_yaml_fails("image: a.pgm\nresolution: -0.05\n", ":2: resolution: \"-0.05\" is not valid");
    assert_yaml_fails("image: a.pgm\nresolution: nan\n", ":2: resolution: \"nan\" is not valid");
    assert_yaml_fails("image: a.pgm\n\n# x\nresolution: 5 cm\n", ":4: resolution: \"5 cm\" is not valid");
    assert_yaml_fails("image: a.pgm\nresolution: 0.1\norigin: [0, 0]\n", ":3: origin: give [x, y, yaw]");
    assert_yaml_fails("image: a.pgm\nresolution: 0.1\norigin: [0, 0, 0, 0]\n", ":3: origin: give [x, y, yaw]");
    assert_yaml_fails("image: a.pgm\nresolution: 0.1\norigin:\n  - 0\n", ":3: origin: give [x, y, yaw]");
    assert_yaml_fails("image: a.pgm\nresolution: 0.1\norigin: [0, up, 0]\n", ":3: origin: \"up\" is not valid");
    assert_yaml_fails("negate: maybe\n", ":1: negate: \"maybe\" is not valid");
    assert_yaml_fails("occupied_thresh: 65\n", ":1: occupied_thresh: \"65\" is not valid");
    assert_yaml_fails("mode: raw\n", ":1: mode: \"raw\" is not supported: give trinary or scale");
    assert_yaml_fails("image:\n", ":1: image: empty");
    assert_yaml_fails("regions: exits\n", ":1: regions: give {name: \"#rrggbb\", ...}");
    assert_yaml_fails("regions: {exits: red}\n", ":1: regions: \"red\" is not a colour for \"exits\"");
    assert_yaml_fails("regions:\n  exits: #ff0000\n",
                      ":2: regions: \"\" is not a colour for \"exits\": give \"#rrggbb\"");
    assert_yaml_fails("regions:\n  exits\n", ":2: regions: \"exits\" is not `name: \"#rrggbb\"`");
    assert_yaml_fails("regions: {a: '#112233', b: '#112233'}\n", ":1: regions: \"a\" and \"b\" have the same colour");
    assert_yaml_fails("image: a\nimage: b\n", ":2: image is given twice");
    assert_yaml_fails("hello\n", ":1: \"hello\" is not `key: value`");
    assert_yaml_fails("image: a.pgm\norigin: [0, 0, 0]\n", ": the field `resolution` is missing");
    assert_yaml_fails("image: a.pgm\nresolution: 0.1\norigin: [0, 0, 0]\nfree_thresh: 0.7\n",
                      ": free_thresh (0.7) must be less than occupied_thresh (0.65)");
}

static void yaml_reads_what_ros_writes(void **state)
{
    (void)state;
    const char *path = write_text("ros.yaml", "---\nimage: \"sub dir/a#1.pgm\"   # the plan\r\nresolution: 0.050000\r\n"
                                              "origin: [-12.500000, -12.500000, 0.000000]\nnegate: 0\n"
                                              "occupied_thresh: 0.65\nfree_thresh: 0.196\nextra: 3\n\n");
    throng_map_yaml yaml;
    throng_error error;
    assert_true(throng_map_yaml_read(path, &yaml, &error));
    assert_string_equal(yaml.image, in_folder("sub dir/a#1.pgm"));
    assert_true(yaml.resolution == 0.05 && yaml.origin_x == -12.5 && yaml.free_thresh == 0.196 && !yaml.negate);
    path = write_text("absolute.yaml", "image: /maps/a.pgm\nresolution: 1\norigin: [0, 0, 0]\nnegate: true\n");
    assert_true(throng_map_yaml_read(path, &yaml, &error));
    assert_string_equal(yaml.image, "/maps/a.pgm");
    assert_true(yaml.negate);
}

static void options_are_checked(void **state)
{
    (void)state;
    throng_map_options options = throng_map_options_default();
    throng_error error;
    options.min_gap = -1;
    assert_null(throng_map_read("a.yaml", &options, &error));
    assert_says(&error, "map option min_gap is -1");
    options.min_gap = 0.3;
    options.tolerance = NAN;
    assert_null(throng_map_read("a.yaml", &options, &error));
    assert_says(&error, "map option tolerance is nan");
}

static void errors_may_be_ignored(void **state)
{
    (void)state;
    assert_null(throng_map_read("/nowhere/a.yaml", NULL, NULL));
    assert_null(square_with(SQUARE, 4, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_make_a_room_with_a_pillar),
        cmocka_unit_test(polygons_may_run_either_way_and_overlap),
        cmocka_unit_test(without_a_boundary_the_world_is_open),
        cmocka_unit_test(an_open_world_may_be_empty),
        cmocka_unit_test(discs_fit_up_to_touching),
        cmocka_unit_test(fits_agrees_with_brute_force),
        cmocka_unit_test(points_are_in_one_of_two_polygons_that_meet),
        cmocka_unit_test(wrong_polygons_are_named),
        cmocka_unit_test(regions_are_found_by_name),
        cmocka_unit_test(an_image_becomes_straight_walls),
        cmocka_unit_test(origin_and_yaw_place_the_image),
        cmocka_unit_test(a_bare_image_uses_the_yaml_of_its_stem),
        cmocka_unit_test(thresholds_and_negate_follow_ros),
        cmocka_unit_test(specks_go_and_pillars_stay),
        cmocka_unit_test(narrow_openings_close_and_rooms_beyond_are_pockets),
        cmocka_unit_test(areas_that_meet_in_a_corner_stay_apart),
        cmocka_unit_test(simplified_outlines_are_sound),
        cmocka_unit_test(slopes_come_out_without_stairs),
        cmocka_unit_test(plain_greymaps_are_read),
        cmocka_unit_test(colours_become_regions),
        cmocka_unit_test(missing_and_unreadable_files),
        cmocka_unit_test(files_that_are_no_images),
        cmocka_unit_test(plans_without_room),
        cmocka_unit_test(yaml_errors_name_file_line_and_field),
        cmocka_unit_test(yaml_reads_what_ros_writes),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(errors_may_be_ignored),
    };
    return cmocka_run_group_tests_name("map", tests, make_folder, remove_folder);
}
