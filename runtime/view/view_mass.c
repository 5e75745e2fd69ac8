/* Crowds beyond what pixels can show: each cell of some pixels has the mean colour of those who stand in it, and is the
 * fuller the more of its ground they cover. What it looks like is what their discs would, seen from afar; what it costs
 * grows with the agents by a few additions each, and not by what is drawn. */
#include "view_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 150000, CELL = 2 }; /* agents; units */
static const double SMALL = 1.3;  /* units: discs of this radius are not told apart where there are many */

bool throng_mass_wanted(const throng_viewer *viewer, int32_t agents, float radius)
{
    return agents > MANY && radius > 0 && (double)radius * viewer->camera.scale < SMALL * viewer->unit;
}

void throng_mass_fini(throng_mass *mass)
{
    if (mass->texture)
        SDL_DestroyTexture(mass->texture);
    free(mass->sum);
    free(mass->argb);
    *mass = (throng_mass){0};
}

static bool fit(throng_viewer *viewer)
{
    throng_mass *mass = &viewer->mass;
    int32_t cell = (int32_t)fmax(round(CELL * viewer->unit), 1);
    int32_t columns = (viewer->width + cell - 1) / cell, rows = (viewer->height + cell - 1) / cell;
    if (mass->texture && mass->cell == cell && mass->columns == columns && mass->rows == rows)
        return true;
    throng_mass_fini(mass);
    size_t cells = (size_t)columns * (size_t)rows;
    *mass = (throng_mass){.texture = SDL_CreateTexture(viewer->renderer, SDL_PIXELFORMAT_ARGB8888,
                                                       SDL_TEXTUREACCESS_STREAMING, columns, rows),
                          .columns = columns,
                          .rows = rows,
                          .cell = cell,
                          .sum = malloc(4 * cells * sizeof *mass->sum),
                          .argb = malloc(cells * sizeof *mass->argb)};
    if (mass->texture && mass->sum && mass->argb) {
        SDL_SetTextureBlendMode(mass->texture, SDL_BLENDMODE_BLEND);
        return true;
    }
    throng_mass_fini(mass);
    throng_viewer_note(viewer, "out of memory for drawing the crowd");
    return false;
}

static void add_up(throng_viewer *viewer)
{
    throng_mass *mass = &viewer->mass;
    const throng_crowd *crowd = &viewer->crowd;
    float part = 1 / (float)mass->cell, scale = (float)viewer->camera.scale * part;
    float x0 = (float)viewer->camera.x * part, y0 = (float)viewer->camera.y * part;
    float columns = (float)mass->columns, rows = (float)mass->rows;
    memset(mass->sum, 0, 4 * (size_t)mass->columns * (size_t)mass->rows * sizeof *mass->sum);
    for (int32_t i = 0; i < crowd->count; i++) {
        float x = x0 + crowd->x[i] * scale, y = y0 - crowd->y[i] * scale;
        if (!(x >= 0 && y >= 0 && x < columns && y < rows))
            continue;
        uint32_t *sum = mass->sum + 4 * ((size_t)y * (size_t)mass->columns + (size_t)x);
        SDL_Color colour = crowd->colour[i];
        sum[0]++;
        sum[1] += colour.r;
        sum[2] += colour.g;
        sum[3] += colour.b;
    }
}

enum { MOST = 255 }; /* agents in a cell that make a difference */

/* One agent alone is seen, and a cell they fill is solid. */
static void list_opacities(uint32_t *opacity, double covered)
{
    for (int n = 0; n <= MOST; n++)
        opacity[n] = n ? (uint32_t)(255 * (0.25 + 0.75 * sqrt(fmin(n * covered, 1)))) << 24 : 0;
}

static void shade(throng_mass *mass, double covered)
{
    uint32_t opacity[MOST + 1];
    size_t cells = (size_t)mass->columns * (size_t)mass->rows;
    list_opacities(opacity, covered);
    for (size_t i = 0; i < cells; i++) {
        const uint32_t *sum = mass->sum + 4 * i;
        uint32_t n = sum[0];
        mass->argb[i] = n == 0 ? 0 : opacity[n < MOST ? n : MOST] | sum[1] / n << 16 | sum[2] / n << 8 | sum[3] / n;
    }
}

static bool is_drawn(const throng_viewer *viewer)
{
    const throng_mass *mass = &viewer->mass;
    const throng_plan_view *a = &mass->camera, *b = &viewer->camera;
    return mass->texture && mass->taking == viewer->crowd.taking && a->scale == b->scale && a->x == b->x &&
           a->y == b->y;
}

static void redraw(throng_viewer *viewer)
{
    throng_mass *mass = &viewer->mass;
    double side = mass->cell / viewer->camera.scale, radius = (double)viewer->crowd.disc;
    add_up(viewer);
    shade(mass, M_PI * radius * radius / (side * side));
    SDL_UpdateTexture(mass->texture, NULL, mass->argb, mass->columns * 4);
    mass->camera = viewer->camera;
    mass->taking = viewer->crowd.taking;
}

void throng_mass_draw(throng_viewer *viewer)
{
    throng_mass *mass = &viewer->mass;
    if (!fit(viewer))
        return;
    if (!is_drawn(viewer))
        redraw(viewer);
    SDL_Rect to = {0, 0, mass->columns * mass->cell, mass->rows * mass->cell};
    SDL_RenderCopy(viewer->renderer, mass->texture, NULL, &to);
}
