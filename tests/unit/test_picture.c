/* Canvas and pictures: coverage and colours of known pixels, sizes, and what is
 * said when a picture cannot be written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stb/stb_image.h>

#include "map/wall_index.h"
#include "navigation/navmesh.h"
#include "picture/canvas.h"
#include "picture/picture.h"
#include "picture/picture_page.h"
#include "picture/raster.h"
#include "folders.h"

static const char file[] = "picture.png";

/* --- canvas ------------------------------------------------------------------------------ */

static const throng_colour black = {0, 0, 0, 1};

static throng_canvas *white_canvas(int32_t width, int32_t height)
{
    throng_canvas *canvas = throng_canvas_create(width, height, throng_colour_hex(0xffffff));
    assert_non_null(canvas);
    return canvas;
}

/* How dark a pixel of a white canvas has become under black. */
static double ink(const throng_canvas *canvas, int32_t x, int32_t y)
{
    return 1 - canvas->rgb[3 * (y * canvas->width + x) + 1];
}

static double all_ink(const throng_canvas *canvas)
{
    double sum = 0;
    for (int32_t y = 0; y < canvas->height; y++)
        for (int32_t x = 0; x < canvas->width; x++)
            sum += ink(canvas, x, y);
    return sum;
}

static void coverage_of_a_box_is_exact(void **state)
{
    (void)state;
    throng_canvas *canvas = white_canvas(8, 8);
    throng_canvas_rect(canvas, 1.25, 2.5, 4, 5, black);
    assert_float_equal(ink(canvas, 1, 2), 0.375, 1e-5);
    assert_float_equal(ink(canvas, 1, 3), 0.75, 1e-5);
    assert_float_equal(ink(canvas, 2, 2), 0.5, 1e-5);
    assert_float_equal(ink(canvas, 3, 4), 1, 1e-5);
    assert_float_equal(ink(canvas, 4, 4), 0, 0);
    assert_float_equal(ink(canvas, 2, 5), 0, 0);
    throng_canvas_destroy(canvas);
}

static void area_of_a_slanted_polygon_is_exact(void **state)
{
    (void)state;
    throng_canvas *canvas = white_canvas(40, 30);
    throng_point triangle[] = {{1.3, 2.1}, {38.7, 9.9}, {5.2, 27.4}};
    int32_t start[] = {0, 3};
    throng_canvas_fill(canvas, &(throng_outline){triangle, start, 1}, black);
    double area = 0.5 * fabs((38.7 - 1.3) * (27.4 - 2.1) - (5.2 - 1.3) * (9.9 - 2.1));
    assert_float_equal(all_ink(canvas), area, 0.02);
    throng_canvas_destroy(canvas);
}

static void fills_are_even_odd_in_any_orientation(void **state)
{
    (void)state;
    throng_point rings[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {3, 3}, {7, 3}, {7, 7}, {3, 7}};
    throng_point other[] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {3, 7}, {7, 7}, {7, 3}, {3, 3}};
    int32_t start[] = {0, 4, 8};
    const throng_point *both[] = {rings, other};
    for (int i = 0; i < 2; i++) {
        throng_canvas *canvas = white_canvas(12, 12);
        throng_canvas_fill(canvas, &(throng_outline){both[i], start, 2}, black);
        assert_float_equal(ink(canvas, 1, 1), 1, 1e-5);
        assert_float_equal(ink(canvas, 5, 5), 0, 1e-5);
        assert_float_equal(all_ink(canvas), 84, 1e-3);
        throng_canvas_destroy(canvas);
    }
}

static void what_leaves_the_canvas_is_clipped(void **state)
{
    (void)state;
    throng_canvas *canvas = white_canvas(10, 10);
    throng_canvas_rect(canvas, -1e6, -50, 1e6, 3, black);
    assert_float_equal(all_ink(canvas), 30, 1e-3);
    throng_canvas_line(canvas, -1e5, 50, 1e5, 1e5, 3, black);
    throng_canvas_disc(canvas, 1e9, -1e9, 4, black);
    throng_canvas_disc(canvas, NAN, 5, 4, black);
    throng_lettering letters = {20, black, false, THRONG_ALIGN_CENTRE};
    throng_canvas_text(canvas, &letters, 500, -200, "outside");
    assert_float_equal(all_ink(canvas), 30, 1e-3);
    throng_canvas_rect(canvas, NAN, 5, INFINITY, -INFINITY, black); /* whatever it draws, within the canvas */
    throng_canvas_destroy(canvas);
}

static void a_line_has_its_width_and_does_not_darken_itself(void **state)
{
    (void)state;
    throng_canvas *canvas = white_canvas(60, 40);
    throng_canvas_line(canvas, 10, 20.5, 50, 20.5, 3, black);
    assert_float_equal(ink(canvas, 30, 19) + ink(canvas, 30, 20) + ink(canvas, 30, 21), 3, 1e-4);
    assert_float_equal(ink(canvas, 30, 18), 0, 1e-4);
    throng_canvas_destroy(canvas);
    canvas = white_canvas(60, 40);
    throng_point there_and_back[] = {{10, 5}, {50, 35}, {10, 5}, {50, 35}};
    throng_canvas_stroke(canvas, there_and_back, 4, false, 4, throng_colour_fade(black, 0.25f));
    assert_float_equal(ink(canvas, 30, 20), 0.25, 1e-4);
    throng_canvas_destroy(canvas);
    canvas = white_canvas(60, 40);
    throng_canvas_line(canvas, 10, 20.5, 50, 20.5, 0.5, black);
    assert_float_equal(ink(canvas, 30, 20), 0.5, 1e-4);
    throng_canvas_destroy(canvas);
}

static void a_disc_has_its_area(void **state)
{
    (void)state;
    throng_canvas *canvas = white_canvas(40, 40);
    throng_canvas_disc(canvas, 20.3, 19.8, 12, black);
    assert_float_equal(all_ink(canvas), M_PI * 144, 2);
    assert_float_equal(ink(canvas, 20, 20), 1, 1e-5);
    throng_canvas_destroy(canvas);
}

static void text_draws_where_it_should(void **state)
{
    (void)state;
    throng_lettering letters = {30, black, false, THRONG_ALIGN_LEFT};
    throng_canvas *canvas = white_canvas(200, 60);
    double width = throng_canvas_text(canvas, &letters, 20, 40, "HEHE");
    assert_float_equal(width, throng_text_width(&letters, "HEHE"), 1e-9);
    assert_true(width > 50 && width < 120);
    for (int32_t y = 0; y < 60; y++)
        for (int32_t x = 0; x < 200; x++)
            if (ink(canvas, x, y) > 0.01)
                assert_true(x >= 20 && x <= 20 + width && y >= 17 && y < 41);
    assert_true(all_ink(canvas) > 200);
    throng_canvas_destroy(canvas);
    letters.bold = true;
    assert_true(throng_text_width(&letters, "HEHE") > width);
}

static void every_character_of_pictures_is_in_the_font(void **state)
{
    (void)state;
    throng_lettering letters = {30, black, false, THRONG_ALIGN_LEFT};
    double missing = throng_text_width(&letters, "\xe4\xb8\xad"); /* a Chinese character: the empty box */
    static const char *const used[] = {"²", "·", "×", "°", "–", "≥", "é", "ü", "%", "→"};
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        assert_true(fabs(throng_text_width(&letters, used[i]) - missing) > 1e-6);
    assert_true(throng_text_width(&letters, "\xff\xc3") > 0); /* not UTF-8, and cut short */
    assert_float_equal(throng_text_width(&letters, ""), 0, 0);
}

/* --- pictures ---------------------------------------------------------------------------- */

/* A room of 12 x 10 m with a block of 2 x 2 m, an exit and an office. */
static throng_point room_points[] = {{0, 0}, {12, 0}, {12, 10}, {0, 10}, {5, 4}, {5, 6}, {7, 6}, {7, 4}};
static int32_t room_rings[] = {0, 4, 8};
static throng_point exit_points[] = {{11, 4}, {12.4, 4}, {12.4, 6}, {11, 6}};
static throng_point office_points[] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};
static throng_region room_regions[] = {{.name = "exit", .points = exit_points, .count = 4},
                                       {.name = "office", .points = office_points, .count = 4}};
static throng_map room = {.name = "plans/room",
                          .bounds = {0, 0, 12, 10},
                          .area = 116,
                          .points = room_points,
                          .point_count = 8,
                          .ring_start = room_rings,
                          .ring_count = 2,
                          .regions = room_regions,
                          .region_count = 2};

typedef struct image {
    unsigned char *rgb;
    int width, height;
} image;

static image load(void)
{
    image loaded;
    int channels;
    loaded.rgb = stbi_load(file, &loaded.width, &loaded.height, &channels, 3);
    assert_non_null(loaded.rgb);
    assert_int_equal(channels, 3);
    return loaded;
}

/* The view that a picture with this head has: layout does not depend on the rest. */
static throng_plan_view view_of(const throng_page_head *head, throng_bounds shown, int32_t width)
{
    throng_error error;
    throng_legend none = {.count = 0};
    throng_page page;
    assert_true(throng_page_open(&page, head, shown, &none, width, &error));
    throng_canvas_destroy(page.canvas);
    return page.view;
}

static uint32_t colour_at(const image *picture, const throng_plan_view *view, double x, double y)
{
    throng_point p = throng_view_point(view, x, y);
    const unsigned char *rgb = picture->rgb + 3 * ((int)p.y * picture->width + (int)p.x);
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

static const throng_page_head head = {"evacuation", "2 agents", "t = 3.0 s"};

static throng_plan_picture room_plan(void)
{
    static const float x[] = {2, 9}, y[] = {8, 2}, radius[] = {0.3f, 0.3f}, hx[] = {1, 0}, hy[] = {0, 1};
    static const int32_t group[] = {0, 1};
    static const char *const names[] = {"staff", "guests"};
    return (throng_plan_picture){.map = &room,
                                 .title = "evacuation",
                                 .subtitle = "2 agents",
                                 .time = 3,
                                 .count = 2,
                                 .x = x,
                                 .y = y,
                                 .radius = radius,
                                 .hx = hx,
                                 .hy = hy,
                                 .group = group,
                                 .group_names = names,
                                 .group_count = 2};
}

static void a_plan_has_walls_floor_and_agents(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&room), 0);
    assert_int_equal(picture.width, 1600);
    assert_true(picture.height > 800 && picture.height < 1700);
    assert_int_equal(colour_at(&picture, &view, 3, 5), THRONG_STYLE_FREE);
    assert_int_equal(colour_at(&picture, &view, 6, 5), THRONG_STYLE_SOLID);
    assert_int_equal(colour_at(&picture, &view, 3, 10.03), THRONG_STYLE_WALL);
    assert_int_equal(colour_at(&picture, &view, 6, 5.98), THRONG_STYLE_WALL);
    assert_int_equal(colour_at(&picture, &view, 3, -0.28), THRONG_STYLE_PAPER);
    assert_int_equal(colour_at(&picture, &view, 2 - 0.15, 8), 0x0072b2);
    assert_int_equal(colour_at(&picture, &view, 2 + 0.15, 8), THRONG_STYLE_FREE); /* the notch points ahead */
    assert_int_equal(colour_at(&picture, &view, 9, 2 - 0.15), 0xd55e00);
    assert_int_equal(colour_at(&picture, &view, 11.5, 4.2), 0xadd9cc); /* exit: green on white */
    assert_int_not_equal(colour_at(&picture, &view, 0.5, 0.5), THRONG_STYLE_FREE);
    stbi_image_free(picture.rgb);
}

static void the_width_is_as_asked(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    plan.width = 640;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&room), 640);
    assert_int_equal(picture.width, 640);
    assert_int_equal(colour_at(&picture, &view, 6, 5), THRONG_STYLE_SOLID);
    stbi_image_free(picture.rgb);
}

static int darkness(uint32_t rgb) { return 765 - (int)((rgb >> 16) + (rgb >> 8 & 255) + (rgb & 255)); }

static void heat_and_trajectories_show_on_the_floor_only(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    float occupancy[12 * 10] = {0};
    occupancy[7 * 12 + 3] = 60; /* 1 person/m^2 */
    occupancy[5 * 12 + 6] = 60; /* in the block, where nobody can be */
    const float trajectory_x[] = {1, 11}, trajectory_y[] = {1, 1};
    const int32_t trajectory_start[] = {0, 2};
    plan.count = 0;
    plan.occupancy = occupancy, plan.columns = 12, plan.rows = 10, plan.cell = 1, plan.seconds = 60;
    plan.trajectory_x = trajectory_x, plan.trajectory_y = trajectory_y, plan.trajectory_start = trajectory_start,
    plan.trajectory_count = 1;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&room), 0);
    int middle = darkness(colour_at(&picture, &view, 3.5, 7.5)),
        beside = darkness(colour_at(&picture, &view, 4.6, 7.5));
    assert_true(middle > beside && beside > 20);
    assert_int_equal(colour_at(&picture, &view, 6.5, 5.5), THRONG_STYLE_SOLID);
    assert_int_equal(colour_at(&picture, &view, 9.5, 8.5), THRONG_STYLE_FREE);
    assert_int_not_equal(colour_at(&picture, &view, 8.2, 1), THRONG_STYLE_FREE);
    assert_int_equal(colour_at(&picture, &view, 8.2, 1.2), THRONG_STYLE_FREE);
    stbi_image_free(picture.rgb);
}

static void smoke_darkens_the_floor_under_people(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    float extinction[] = {0, 0, 0, 2}; /* thick at the top right */
    throng_smoke_picture smoke = {extinction, 2, 2, 10, 0, 0};
    plan.smoke = &smoke;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&room), 0);
    int clear = darkness(colour_at(&picture, &view, 1, 1)), thin = darkness(colour_at(&picture, &view, 4.5, 5)),
        thick = darkness(colour_at(&picture, &view, 10, 9.5));
    assert_true(clear < thin && thin < thick && thick < 700);
    throng_colour floor = throng_colour_hex(THRONG_STYLE_FREE), black = throng_colour_hex(THRONG_STYLE_SMOKE);
    float opacity = 0.75f * (1 - expf(-1.9f)); /* as much light as 1 m of it takes */
    assert_in_range(thick, (int)(765 * (1 - (floor.r * (1 - opacity) + black.r * opacity))) - 12,
                    (int)(765 * (1 - (floor.r * (1 - opacity) + black.r * opacity))) + 12);
    assert_int_equal(colour_at(&picture, &view, 2 - 0.15, 8), 0x0072b2);
    assert_int_equal(colour_at(&picture, &view, 3, 10.03), THRONG_STYLE_WALL);
    assert_int_equal(colour_at(&picture, &view, 3, -0.28), THRONG_STYLE_PAPER);
    stbi_image_free(picture.rgb);
}

static void traces_have_the_colours_of_their_kinds(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    const float trajectory_x[] = {1, 11, 1, 11}, trajectory_y[] = {1, 1, 2, 2};
    const int32_t trajectory_start[] = {0, 2, 4}, trajectory_group[] = {0, 1};
    plan.count = 0;
    plan.trajectory_x = trajectory_x, plan.trajectory_y = trajectory_y, plan.trajectory_start = trajectory_start,
    plan.trajectory_count = 2;
    plan.trajectory_group = trajectory_group;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&room), 0);
    assert_int_equal(colour_at(&picture, &view, 8.2, 1), 0x0072b2);
    assert_int_equal(colour_at(&picture, &view, 8.2, 2), 0xd55e00);
    stbi_image_free(picture.rgb);
}

static void the_density_scale_is_right(void **state)
{
    (void)state;
    float occupancy[400];
    for (int i = 0; i < 400; i++)
        occupancy[i] = 30;
    throng_plan_picture plan = {.occupancy = occupancy, .columns = 20, .rows = 20, .cell = 0.5, .seconds = 60};
    throng_heat heat;
    assert_true(throng_heat_init(&heat, &plan));
    assert_float_equal(heat.top, 30 / (0.25 * 60), 1e-9);
    assert_float_equal(throng_heat_shade(&heat, 5, 5), 1, 1e-5);
    assert_float_equal(throng_heat_shade(&heat, -30, 5), 0, 0);
    throng_heat_fini(&heat);
    occupancy[0] = NAN;
    assert_true(throng_heat_init(&heat, &plan));
    assert_float_equal(throng_heat_shade(&heat, 8, 8), 1, 1e-5);
    throng_heat_fini(&heat);
}

/* What is outside of the obstacles of an open map is floor, all of it. */
static void the_density_around_obstacles_is_right(void **state)
{
    (void)state;
    throng_error error;
    float occupancy[400];
    const throng_point box[] = {{4, 4}, {6, 4}, {6, 6}, {4, 6}}, *boxes[] = {box};
    const int32_t size = 4;
    throng_map *map = throng_map_from_polygons("boxes", NULL, NULL, 0, boxes, &size, 1, &error);
    assert_non_null(map);
    for (int i = 0; i < 400; i++)
        occupancy[i] = 30;
    throng_plan_picture plan = {
        .map = map, .occupancy = occupancy, .columns = 20, .rows = 20, .cell = 0.5, .seconds = 60};
    throng_heat heat;
    assert_true(throng_heat_init(&heat, &plan));
    assert_float_equal(heat.density[2 * 20 + 2], 30 / (0.25 * 60), 1e-5);
    throng_heat_fini(&heat);
    throng_map_destroy(map);
}

static void an_open_world_is_drawn_too(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    plan.map = NULL;
    plan.title = plan.subtitle = NULL;
    plan.time = -1;
    plan.group = NULL;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    assert_int_equal(picture.width, 1600);
    stbi_image_free(picture.rgb);
}

static void obstacles_of_an_open_map_are_solid(void **state)
{
    (void)state;
    throng_error error;
    throng_map plane = room;
    plane.open = true;
    plane.points = room_points + 4;
    plane.point_count = 4;
    plane.ring_count = 1;
    throng_plan_picture plan = room_plan();
    plan.map = &plane;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&plane), 0);
    assert_int_equal(colour_at(&picture, &view, 6, 5), THRONG_STYLE_SOLID);
    assert_int_equal(colour_at(&picture, &view, 3.3, 5.3), THRONG_STYLE_FREE);
    stbi_image_free(picture.rgb);
}

static void closed_doors_are_bars(void **state)
{
    (void)state;
    throng_error error;
    throng_map doors = room;
    doors.doors = (throng_door[]){{.name = "a", .a = {2, 5}, .b = {4, 5}}, {.name = "b", .a = {8, 5}, .b = {10, 5}}};
    doors.door_count = 2;
    throng_plan_picture plan = room_plan();
    plan.map = &doors;
    plan.shut = (bool[]){false, true};
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    throng_plan_view view = view_of(&head, throng_page_map_bounds(&doors), 0);
    int open = colour_at(&picture, &view, 3, 5); /* a fine line of nearly the same colour */
    assert_in_range(open >> 16, (THRONG_STYLE_DOOR >> 16) - 12, (THRONG_STYLE_DOOR >> 16) + 12);
    assert_in_range(open & 255, (THRONG_STYLE_DOOR & 255) - 12, (THRONG_STYLE_DOOR & 255) + 12);
    assert_int_equal(colour_at(&picture, &view, 3, 5.06), THRONG_STYLE_FREE);
    assert_int_equal(colour_at(&picture, &view, 9, 5), THRONG_STYLE_DOOR);
    throng_colour shut = throng_colour_hex(THRONG_STYLE_DOOR);
    for (int32_t kind = 0; kind < 8; kind++) { /* that of no agents */
        throng_colour agents = throng_style_group(kind);
        assert_true(fabsf(agents.r - shut.r) + fabsf(agents.g - shut.g) + fabsf(agents.b - shut.b) > 0.3f);
    }
    stbi_image_free(picture.rgb);
}

static void whoever_is_outside_an_open_maps_walls_is_shown(void **state)
{
    (void)state;
    throng_error error;
    throng_map plane = room;
    plane.open = true;
    plane.points = room_points + 4;
    plane.point_count = 4;
    plane.ring_count = 1;
    plane.bounds = (throng_bounds){4, 4, 8, 6};
    throng_plan_picture plan = room_plan();
    plan.map = &plane;
    assert_true(throng_picture_plan(file, &plan, &error));
    image picture = load();
    double margin = 1 + 0.03 * 7; /* around agents from (2, 2) to (9, 8) */
    throng_plan_view view = view_of(&head, (throng_bounds){2 - margin, 2 - margin, 9 + margin, 8 + margin}, 0);
    assert_int_equal(colour_at(&picture, &view, 9, 2 - 0.15), 0xd55e00);
    assert_int_equal(colour_at(&picture, &view, 6, 5), THRONG_STYLE_SOLID);
    stbi_image_free(picture.rgb);
}

static void nothing_to_show_is_an_error(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = {.time = -1};
    assert_false(throng_picture_plan(file, &plan, &error));
    assert_string_equal(error.text,
                        "cannot draw 'picture.png': there is nothing to show: no map, and no agents or trajectories "
                        "with finite positions");
    const float x[] = {NAN}, y[] = {1};
    plan.count = 1, plan.x = x, plan.y = y;
    assert_false(throng_picture_plan(file, &plan, &error));
    assert_int_not_equal(access(file, F_OK), 0);
}

/* A picture of a wide floor with two regions. */
static throng_canvas *drawn_with(const char *first, const char *second, double side, int32_t groups)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    throng_error error;
    throng_point floor[] = {{0, 0}, {40, 0}, {40, 10}, {0, 10}}, left[] = {{2, 2}, {12, 2}, {12, 8}, {2, 8}},
                 right[] = {{20, 2}, {20 + side, 2}, {20 + side, 8}, {20, 8}};
    int32_t size = 4, of[8];
    float at[8], speed[8] = {0};
    for (int i = 0; i < 8; i++)
        at[i] = (float)(30 + i), of[i] = i;
    const throng_point *floors[] = {floor};
    throng_map *map = throng_map_from_polygons("hall", floors, &size, 1, NULL, NULL, 0, &error);
    assert_true(map && throng_map_add_region(map, first, left, 4, &error) &&
                throng_map_add_region(map, second, right, 4, &error));
    throng_plan_picture plan = {.map = map,
                                .title = "hall",
                                .time = -1,
                                .count = groups,
                                .x = at,
                                .y = at,
                                .radius = speed,
                                .hx = speed,
                                .hy = speed,
                                .group = of,
                                .group_names = names,
                                .group_count = groups};
    throng_canvas *canvas = throng_picture_draw(&plan, &error);
    assert_non_null(canvas);
    throng_map_destroy(map);
    return canvas;
}

static bool are_equal(throng_canvas *a, throng_canvas *b)
{
    bool equal = a->width == b->width && a->height == b->height &&
                 memcmp(a->rgb, b->rgb, (size_t)a->width * (size_t)a->height * 3 * sizeof *a->rgb) == 0;
    throng_canvas_destroy(a);
    throng_canvas_destroy(b);
    return equal;
}

/* Two polygons of one name have it once. */
static void a_region_in_pieces_is_named_once(void **state)
{
    (void)state;
    throng_canvas *once = drawn_with("rooms", "rooms", 9, 1), *twice = drawn_with("rooms", "rooms 2", 9, 1);
    assert_false(are_equal(once, twice));
    assert_true(are_equal(drawn_with("rooms", " ", 9, 1), drawn_with("rooms", "rooms", 9, 1)));
}

static void long_legends_below_a_plan_stand_in_columns(void **state)
{
    (void)state;
    throng_canvas *four = drawn_with("a", "b", 9, 4), *eight = drawn_with("a", "b", 9, 8);
    assert_int_equal(four->height, eight->height);
    throng_canvas_destroy(four);
    throng_canvas_destroy(eight);
}

static void a_curve_has_its_line_and_its_area(void **state)
{
    (void)state;
    throng_error error;
    const float time[] = {10, 20, 30, 40}, value[] = {1, 2, 3, 4};
    throng_curve_picture curve = {"people out", "4 agents", time, value, 4, 4, 0};
    assert_true(throng_picture_curve(file, &curve, &error));
    image picture = load();
    assert_int_equal(picture.width, 1600);
    int line = 0, area = 0;
    for (int i = 0; i < picture.width * picture.height; i++) {
        const unsigned char *p = picture.rgb + 3 * i;
        line += p[0] == 0 && p[1] == 0x72 && p[2] == 0xb2;
        area += p[0] == 0xe0 && p[1] == 0xee && p[2] == 0xf6;
    }
    assert_true(line > 2000);
    assert_in_range(area, 265000, 285000); /* stairs of 0, 1, 2, 3 out of 4: 3/8 of the box up to the last */
    stbi_image_free(picture.rgb);
}

static void curves_at_the_edge_are_drawn(void **state)
{
    (void)state;
    throng_error error;
    const float time[] = {0, NAN}, value[] = {1, 1};
    throng_curve_picture curve = {NULL, NULL, time, value, 0, 500, 0};
    assert_true(throng_picture_curve(file, &curve, &error));
    curve.count = 2;
    assert_true(throng_picture_curve(file, &curve, &error));
    curve.total = 0;
    assert_false(throng_picture_curve(file, &curve, &error));
    assert_string_equal(error.text, "cannot draw 'picture.png': a total of 0 people; expected a positive number");
}

static void a_map_shows_faces_and_what_is_unreachable(void **state)
{
    (void)state;
    throng_error error;
    int32_t face_start[] = {0, 4, 8}, component[] = {0, 1};
    float ax[] = {1, 4, 4, 1, 8, 11, 11, 8}, ay[] = {7, 7, 9, 9, 7, 7, 9, 9};
    throng_navmesh mesh = {.face_count = 2,
                           .edge_count = 8,
                           .face_start = face_start,
                           .ax = ax,
                           .ay = ay,
                           .component = component,
                           .component_count = 2};
    throng_finding list[] = {{THRONG_FINDING_SOURCE, {NAN, NAN}, {NAN, NAN}, "nowhere"},
                             {THRONG_FINDING_GAP, {6, 1}, {6, 2}, "narrow"}};
    throng_findings found = {list, 2, 2};
    assert_true(throng_picture_map(file, &room, &mesh, &found, &error));
    image picture = load();
    throng_plan_view view = view_of(&(throng_page_head){"room", "x", NULL}, throng_page_map_bounds(&room), 0);
    assert_int_equal(colour_at(&picture, &view, 2.5, 8), 0xe3eef6);
    assert_int_equal(colour_at(&picture, &view, 6, 8), THRONG_STYLE_FREE);
    int hatched = 0;
    for (double x = 8.1; x < 10.9; x += 0.01)
        hatched += colour_at(&picture, &view, x, 8) != THRONG_STYLE_FREE;
    assert_in_range(hatched, 40, 240);
    assert_int_equal(colour_at(&picture, &view, 6, 1.1), 0xd55e00);
    assert_int_equal(colour_at(&picture, &view, 6, 0.7), THRONG_STYLE_FREE);
    stbi_image_free(picture.rgb);
    assert_true(throng_picture_map(file, &room, NULL, &found, &error));
}

static void paths_that_cannot_be_written_are_explained(void **state)
{
    (void)state;
    throng_error error;
    throng_plan_picture plan = room_plan();
    assert_false(throng_picture_plan("none/a.png", &plan, &error));
    assert_string_equal(error.text, "cannot write 'none/a.png': its folder does not exist; create it or name another");
    assert_false(throng_picture_map(".", &room, NULL, &(throng_findings){0}, &error));
    assert_string_equal(error.text, "cannot write '.': it is a folder; give the name of a file in it");
    throng_canvas *canvas = white_canvas(4, 4);
    assert_false(throng_canvas_save(canvas, "/proc/nothing.png", &error));
    throng_canvas_destroy(canvas);
    assert_int_not_equal(access(file, F_OK), 0);
}

/* Two rooms with a wall of 0.2 m between them, which lies askew in the cells of 0.5 m; people stand beside it, in the
 * left one alone. The right one does not glow, wherever one looks, and nobody is lost. */
static void nothing_glows_through_a_wall(void **state)
{
    (void)state;
    throng_point points[] = {{0, 0}, {4.8, 0}, {5.3, 10}, {0, 10}, {5, 0}, {10, 0}, {10, 10}, {5.5, 10}};
    int32_t start[] = {0, 4, 8};
    throng_map map = {
        .bounds = {0, 0, 10, 10}, .points = points, .point_count = 8, .ring_start = start, .ring_count = 2};
    assert_non_null(map.walls = throng_wall_index_create(&map));
    float seconds[21 * 21] = {0};
    throng_heat_grid grid = {21, 21, 0.5, 0, 0};
    throng_heat_walls *walls = throng_heat_walls_create(&map, &grid);
    assert_non_null(walls);
    for (int i = 1; i < 400; i++) {
        double y = 0.025 * i, x = 4.8 + 0.05 * y - 0.02;
        size_t cell = (size_t)(y / 0.5) * 21 + (size_t)(x / 0.5);
        seconds[throng_heat_walls_cell(walls, (throng_point){x, y}, cell)] += 1;
    }
    throng_heat_walls_destroy(walls);
    throng_plan_picture plan = {
        .map = &map, .occupancy = seconds, .columns = 21, .rows = 21, .cell = 0.5, .seconds = 1, .time = -1};
    throng_heat heat;
    assert_true(throng_heat_init(&heat, &plan));
    double left = 0;
    for (double y = 0.01; y < 10; y += 0.07)
        for (double x = 0.01; x < 10; x += 0.07) {
            double edge = 4.8 + 0.05 * y, shade = throng_heat_shade(&heat, x, y);
            if (x < edge)
                left = fmax(left, shade);
            else if (x > edge + 0.21)
                assert_float_equal(shade, 0, 0);
        }
    assert_true(left > 0.9);
    assert_true(throng_heat_shade(&heat, 5.28, 9.95) > 0.3); /* up to the wall itself */
    throng_heat_fini(&heat);
    throng_wall_index_destroy(map.walls);
}

#define PICTURE_TEST(name) cmocka_unit_test_setup_teardown(name, enter_folder, leave_folder)

/* As a plan that was moved about without end leaves them. */
static void what_is_far_off_covers_nothing(void **state)
{
    (void)state;
    enum { SIDE = 8 };
    static const double far[] = {1e5, 4e9, 1e11, 1e300};
    static const int32_t start[] = {0, 4};
    float coverage[SIDE * SIDE];
    for (int i = 0; i < 16; i++) {
        double x = (i & 1 ? -1 : 1) * far[i / 4], y = (i & 2 ? -1 : 1) * far[i / 4];
        const throng_point box[] = {{x, y}, {1.5 * x, y}, {1.5 * x, 1.5 * y}, {x, 1.5 * y}};
        const throng_outline outline = {box, start, 1};
        assert_true(throng_raster_cover(coverage, SIDE, SIDE, &outline));
        for (int c = 0; c < SIDE * SIDE; c++)
            assert_true(coverage[c] == 0);
    }
}

static int index_room(void **state)
{
    (void)state;
    return (room.walls = throng_wall_index_create(&room)) ? 0 : -1;
}

static int free_index(void **state)
{
    (void)state;
    throng_wall_index_destroy(room.walls);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coverage_of_a_box_is_exact),
        cmocka_unit_test(area_of_a_slanted_polygon_is_exact),
        cmocka_unit_test(fills_are_even_odd_in_any_orientation),
        cmocka_unit_test(what_is_far_off_covers_nothing),
        cmocka_unit_test(what_leaves_the_canvas_is_clipped),
        cmocka_unit_test(a_line_has_its_width_and_does_not_darken_itself),
        cmocka_unit_test(a_disc_has_its_area),
        cmocka_unit_test(text_draws_where_it_should),
        cmocka_unit_test(every_character_of_pictures_is_in_the_font),
        PICTURE_TEST(a_plan_has_walls_floor_and_agents),
        PICTURE_TEST(the_width_is_as_asked),
        PICTURE_TEST(heat_and_trajectories_show_on_the_floor_only),
        PICTURE_TEST(nothing_glows_through_a_wall),
        PICTURE_TEST(traces_have_the_colours_of_their_kinds),
        cmocka_unit_test(the_density_scale_is_right),
        cmocka_unit_test(the_density_around_obstacles_is_right),
        PICTURE_TEST(an_open_world_is_drawn_too),
        PICTURE_TEST(obstacles_of_an_open_map_are_solid),
        PICTURE_TEST(whoever_is_outside_an_open_maps_walls_is_shown),
        PICTURE_TEST(closed_doors_are_bars),
        PICTURE_TEST(smoke_darkens_the_floor_under_people),
        PICTURE_TEST(nothing_to_show_is_an_error),
        PICTURE_TEST(a_region_in_pieces_is_named_once),
        PICTURE_TEST(long_legends_below_a_plan_stand_in_columns),
        PICTURE_TEST(a_curve_has_its_line_and_its_area),
        PICTURE_TEST(curves_at_the_edge_are_drawn),
        PICTURE_TEST(a_map_shows_faces_and_what_is_unreachable),
        PICTURE_TEST(paths_that_cannot_be_written_are_explained),
    };
    return cmocka_run_group_tests(tests, index_room, free_index);
}
