#include "picture_style.h"

#include <math.h>

throng_colour throng_style_group(int32_t group)
{
    static const uint32_t colours[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0xf0e442};
    return throng_colour_hex(colours[(uint32_t)group % 8]);
}

static throng_colour mix(throng_colour a, throng_colour b, float t)
{
    return (throng_colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t, a.a + (b.a - a.a) * t};
}

throng_colour throng_style_ramp(double t)
{
    static const uint32_t stops[] = {0xfcfdbf, 0xfec287, 0xfb8761, 0xe55964, 0xb5367a, 0x812581, 0x4f127b};
    double at = (t < 0 ? 0 : t > 1 ? 1 : t) * 6;
    int first = at >= 6 ? 5 : (int)at;
    throng_colour colour =
        mix(throng_colour_hex(stops[first]), throng_colour_hex(stops[first + 1]), (float)(at - first));
    double rise = t < 0 ? 0 : t > 0.12 ? 1 : t / 0.12;
    return throng_colour_fade(colour, (float)(0.92 * rise * rise * (3 - 2 * rise)));
}

throng_lettering throng_style_letters(double size, uint32_t rgb, throng_align align)
{
    return (throng_lettering){size, throng_colour_hex(rgb), false, align};
}

throng_lettering throng_style_bold(double size, uint32_t rgb, throng_align align)
{
    return (throng_lettering){size, throng_colour_hex(rgb), true, align};
}

double throng_style_round_up(double value)
{
    double decade = pow(10, floor(log10(value))), slack = value * (1 - 1e-9);
    return decade * (slack <= 1 * decade ? 1 : slack <= 2 * decade ? 2 : slack <= 5 * decade ? 5 : 10);
}

double throng_style_round_down(double value)
{
    double decade = pow(10, floor(log10(value) + 1e-9)), slack = value * (1 + 1e-9);
    return decade * (slack >= 5 * decade ? 5 : slack >= 2 * decade ? 2 : 1);
}

enum { TITLE = 40, SUBTITLE = 24 };

double throng_page_head_height(const throng_page_head *head, double unit)
{
    double height = 0;
    if (head->title || head->note)
        height += 30 * unit; /* the height of capitals */
    if (head->subtitle)
        height += (height > 0 ? 40 : 18) * unit;
    return height > 0 ? height + 34 * unit : 0;
}

/* Letters that are shrunk until the text fits in `room`. */
static void draw_fitted(throng_canvas *canvas, throng_lettering style, double x, double y, double room,
                        const char *text)
{
    double width = throng_text_width(&style, text);
    if (width > room)
        style.size *= room / width;
    throng_canvas_text(canvas, &style, x, y, text);
}

void throng_page_head_draw(throng_canvas *canvas, const throng_page_head *head, double x0, double x1, double y,
                           double unit)
{
    double baseline = y + 30 * unit, room = x1 - x0;
    if (head->note) {
        throng_lettering note = throng_style_letters(SUBTITLE * unit, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_RIGHT);
        room -= throng_canvas_text(canvas, &note, x1, baseline, head->note) + 40 * unit;
    }
    if (head->title)
        draw_fitted(canvas, throng_style_bold(TITLE * unit, THRONG_STYLE_INK, THRONG_ALIGN_LEFT), x0, baseline, room,
                    head->title);
    if (!head->subtitle)
        return;
    baseline = head->title || head->note ? baseline + 40 * unit : y + 18 * unit;
    draw_fitted(canvas, throng_style_letters(SUBTITLE * unit, THRONG_STYLE_FAINT_INK, THRONG_ALIGN_LEFT), x0, baseline,
                x1 - x0, head->subtitle);
}
