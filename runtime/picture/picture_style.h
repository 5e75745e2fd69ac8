/* How pictures look: colours that colour-blind people can tell apart, letter
 * sizes, round numbers. Sizes are for a page 1600 units wide. */
#ifndef THRONG_PICTURE_STYLE_H
#define THRONG_PICTURE_STYLE_H

#include "canvas.h"

/* Papers, inks and the parts of a plan, 0xRRGGBB. */
enum {
    THRONG_STYLE_PAPER = 0xf7f5f0,
    THRONG_STYLE_FREE = 0xffffff,
    THRONG_STYLE_WALL = 0x39424e,
    THRONG_STYLE_SOLID = 0xe6e5e1, /* inside thick walls and furniture */
    THRONG_STYLE_INK = 0x1f2933,
    THRONG_STYLE_FAINT_INK = 0x616e7c,
    THRONG_STYLE_RULE = 0xdcd8cf,
    THRONG_STYLE_TRAJECTORY = 0x1d4f8c,
    THRONG_STYLE_EXIT = 0x00875f,
    THRONG_STYLE_REGION = 0x6b5b95,
    THRONG_STYLE_LINE = 0x0072b2,
    THRONG_STYLE_BODY = 0xc9b79c,
    THRONG_STYLE_BODY_RIM = 0x8a7654,
    THRONG_STYLE_DOOR = 0xc2185b, /* of no group of agents, */
    THRONG_STYLE_BELT = 0x8e5ea2, /* and escalators and moving walkways */
    THRONG_STYLE_CAR = 0xdcebf5,
    THRONG_STYLE_SMOKE = 0x2b2b2b,
};

#define THRONG_STYLE_REGION_OPACITY 0.14f

/* The colour of agents of a group: Okabe and Ito's eight, dark ones first. */
throng_colour throng_style_group(int32_t group);

/* The density ramp, light to dark (matplotlib's magma, reversed, without its
 * black end); `t` from 0 to 1. Little density is nearly transparent, so that an
 * empty floor stays white. */
throng_colour throng_style_ramp(double t);

/* Letters of `size` pixels. */
throng_lettering throng_style_letters(double size, uint32_t rgb, throng_align align);
throng_lettering throng_style_bold(double size, uint32_t rgb, throng_align align);

/* The smallest 1, 2 or 5 times a power of ten that is at least `value` (> 0), and the largest that is at
 * most. */
double throng_style_round_up(double value);
double throng_style_round_down(double value);

/* The head of a page: title, subtitle, and a note on the right of the title's
 * line; each may be NULL. `unit` is pixels a style unit. */
typedef struct throng_page_head {
    const char *title, *subtitle, *note;
} throng_page_head;

double throng_page_head_height(const throng_page_head *head, double unit);
void throng_page_head_draw(throng_canvas *canvas, const throng_page_head *head, double x0, double x1, double y,
                           double unit);

#endif
