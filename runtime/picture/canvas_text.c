#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <stb/stb_truetype.h>

#include "canvas.h"
#include "font.h"

typedef struct face {
    stbtt_fontinfo info;
    float scale; /* pixels a font unit */
} face;

static face open_face(const throng_lettering *style)
{
    face f;
    int ready = stbtt_InitFont(&f.info, style->bold ? throng_font_semibold : throng_font_regular, 0);
    f.scale = ready ? stbtt_ScaleForMappingEmToPixels(&f.info, (float)style->size) : 0;
    return f;
}

/* The next code point of UTF-8 text; a byte that is not UTF-8 counts as '?'. */
static int next_code(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    int length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    int code = length == 1 ? s[0] : s[0] & (0xff >> (length + 1));
    for (int i = 1; i < length; i++) {
        if (s[i] >> 6 != 2)
            length = 0;
        else
            code = code << 6 | (s[i] & 0x3f);
    }
    *text += length ? length : 1;
    return length ? code : '?';
}

static double advance(const face *f, int glyph, int next)
{
    int width, bearing;
    stbtt_GetGlyphHMetrics(&f->info, glyph, &width, &bearing);
    return f->scale * (float)(width + (next ? stbtt_GetGlyphKernAdvance(&f->info, glyph, next) : 0));
}

#define FAR_OFF 1e6 /* px: beyond any canvas */

static void draw_glyph(throng_canvas *canvas, const face *f, int glyph, double x, double y, throng_colour colour)
{
    int x0, y0, x1, y1;
    double left = floor(x), top = floor(y);
    if (!(fabs(left) < FAR_OFF && fabs(top) < FAR_OFF))
        return;
    float shift_x = (float)(x - left), shift_y = (float)(y - top);
    stbtt_GetGlyphBitmapBoxSubpixel(&f->info, glyph, f->scale, f->scale, shift_x, shift_y, &x0, &y0, &x1, &y1);
    int width = x1 - x0, height = y1 - y0;
    if (width <= 0 || height <= 0)
        return;
    unsigned char *bitmap = calloc((size_t)width, (size_t)height);
    if (!bitmap)
        return;
    stbtt_MakeGlyphBitmapSubpixel(&f->info, bitmap, width, height, width, f->scale, f->scale, shift_x, shift_y, glyph);
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            throng_canvas_blend(canvas, (int32_t)left + x0 + column, (int32_t)top + y0 + row, colour,
                                (float)bitmap[row * width + column] / 255);
    free(bitmap);
}

/* Sets the text from `x` on, or only measures it when `canvas` is NULL. */
static double set_line(throng_canvas *canvas, const face *f, double x, double y, const char *text, throng_colour colour)
{
    double start = x;
    int glyph = *text ? stbtt_FindGlyphIndex(&f->info, next_code(&text)) : -1;
    while (glyph >= 0) {
        int next = *text ? stbtt_FindGlyphIndex(&f->info, next_code(&text)) : -1;
        if (canvas)
            draw_glyph(canvas, f, glyph, x, y, colour);
        x += advance(f, glyph, next > 0 ? next : 0);
        glyph = next;
    }
    return x - start;
}

double throng_text_width(const throng_lettering *style, const char *text)
{
    face f = open_face(style);
    return set_line(NULL, &f, 0, 0, text, style->colour);
}

double throng_canvas_text(throng_canvas *canvas, const throng_lettering *style, double x, double y, const char *text)
{
    face f = open_face(style);
    double width = style->align == THRONG_ALIGN_LEFT ? 0 : set_line(NULL, &f, 0, 0, text, style->colour);
    double shift = style->align == THRONG_ALIGN_CENTRE ? width / 2 : width;
    return set_line(canvas, &f, x - shift, y, text, style->colour);
}
