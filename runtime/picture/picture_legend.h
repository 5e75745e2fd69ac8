/* The legend beside or below a plan: groups of entries, stacked in a column or
 * side by side. */
#ifndef THRONG_PICTURE_LEGEND_H
#define THRONG_PICTURE_LEGEND_H

#include "canvas.h"

typedef enum throng_legend_mark {
    THRONG_LEGEND_AGENT, /* a disc */
    THRONG_LEGEND_LINE,
    THRONG_LEGEND_AREA,  /* a tinted box with a rim */
    THRONG_LEGEND_HATCH, /* a hatched box */
    THRONG_LEGEND_RAMP,  /* the density ramp from 0 to `value` persons/m^2, by the square root */
    THRONG_LEGEND_SCALE, /* a scale bar; `value` pixels are a metre */
} throng_legend_mark;

typedef struct throng_legend_entry {
    throng_legend_mark mark;
    const char *text;
    throng_colour colour;
    double value;
    bool starts_group;
} throng_legend_entry;

enum { THRONG_LEGEND_ROOM = 24 };

typedef struct throng_legend {
    throng_legend_entry entries[THRONG_LEGEND_ROOM];
    int32_t count;
    double unit; /* pixels a style unit */
} throng_legend;

/* Appends an entry; what no longer fits is left out. */
void throng_legend_add(throng_legend *legend, throng_legend_entry entry);

/* Pixels that the legend takes as one column, or as groups side by side. */
double throng_legend_column_height(const throng_legend *legend);
double throng_legend_row_height(const throng_legend *legend);

/* Draws it as a column of 280 units from (x, y) on; the last group ends at
 * `bottom`, in line with the plan's lower edge. */
void throng_legend_draw_column(const throng_legend *legend, throng_canvas *canvas, double x, double y, double bottom);

/* Draws it as a row of groups, spread from x0 to x1; groups of more than four entries in columns. */
void throng_legend_draw_row(const throng_legend *legend, throng_canvas *canvas, double x0, double x1, double y);

/* Diagonal stripes, for paint functions: `context` is a const throng_hatch *. */
typedef struct throng_hatch {
    throng_colour colour;
    double period; /* pixels */
} throng_hatch;

throng_colour throng_hatch_paint(const void *context, int32_t x, int32_t y);

#endif
