/* Light and dark: the same colours, their lightness turned over and their hues kept; what stands for values goes from
 * dark to light then. */
#include "view_parts.h"

#include <math.h>

/* Of the process's one window: every colour that is drawn would have to be handed it otherwise. */
static bool dark;

void throng_theme_choose(bool is_dark) { dark = is_dark; }
bool throng_theme_is_dark(void) { return dark; }

static float turned(float part, float light)
{
    return fminf(fmaxf(0.94f - 0.85f * light + 0.95f * (part - light), 0), 1);
}

throng_colour throng_theme_turn(throng_colour c)
{
    float light = 0.299f * c.r + 0.587f * c.g + 0.114f * c.b; /* Rec. 601 */
    return dark ? (throng_colour){turned(c.r, light), turned(c.g, light), turned(c.b, light), c.a} : c;
}

throng_colour throng_theme_hex(uint32_t rgb) { return throng_theme_turn(throng_colour_hex(rgb)); }

throng_colour throng_theme_ramp(double t)
{
    throng_colour c = throng_style_ramp(dark ? 1 - 0.9 * t : t);
    return throng_colour_fade(c, throng_style_ramp(t).a);
}

/* Black alone would not be seen. */
throng_colour throng_theme_group(int32_t group)
{
    throng_colour c = throng_style_group(group);
    return dark && c.r + c.g + c.b == 0 ? throng_colour_hex(0xe8e6e3) : c;
}

SDL_Color throng_view_shade(throng_colour c)
{
    return (SDL_Color){(uint8_t)lrintf(c.r * 255), (uint8_t)lrintf(c.g * 255), (uint8_t)lrintf(c.b * 255),
                       (uint8_t)lrintf(c.a * 255)};
}

void throng_theme_clear(SDL_Renderer *renderer)
{
    SDL_Color paper = throng_view_shade(throng_theme_hex(THRONG_STYLE_PAPER));
    SDL_SetRenderDrawColor(renderer, paper.r, paper.g, paper.b, 255);
    SDL_RenderClear(renderer);
}
