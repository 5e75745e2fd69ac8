/* A card with the floors of a building, the highest first: how many are on each, and which is shown. */
#include "view_controls.h"

#include <math.h>

enum { ROW = 20, PAD = 14, WAYS = 2 }; /* units; WAYS: rows above the floors, to see all of them */

typedef struct card {
    throng_box box;
    int32_t floors, rows, first; /* rows: of floors, that there is room for */
} card;

static card card_of(const throng_viewer *viewer)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    double u = viewer->unit;
    card c = {.box = viewer->cards[THRONG_CARD_FLOORS]};
    if (!sheets || c.box.height <= 0)
        return (card){.floors = 0};
    c.floors = throng_map_floors(sheets);
    c.rows = (int32_t)((c.box.height / u - 2 * PAD) / ROW + 0.5) - WAYS;
    c.first = viewer->floors.first < c.floors - c.rows ? viewer->floors.first : c.floors - c.rows;
    c.first = c.first < 0 ? 0 : c.first;
    return c;
}

static double row_top(const throng_viewer *viewer, const card *c, int32_t row)
{
    return c->box.y + (PAD + ROW * row) * viewer->unit;
}

static void draw_row(throng_viewer *viewer, const card *c, int32_t row, bool chosen, const char *text)
{
    double u = viewer->unit, top = row_top(viewer, c, row), x = c->box.x;
    bool pointed = throng_box_holds(&c->box, viewer->pointer.x, viewer->pointer.y) && viewer->pointer.y >= top &&
                   viewer->pointer.y < top + ROW * u;
    if (chosen || pointed)
        throng_batch_rect(&viewer->batch, x + 4 * u, top, x + c->box.width - 4 * u, top + ROW * u,
                          throng_view_colour(THRONG_STYLE_LINE, chosen ? 0.16f : 0.07f));
    throng_view_text(viewer, x + PAD * u, top + 14.5 * u, 13, THRONG_STYLE_INK, chosen, THRONG_ALIGN_LEFT, "%.20s",
                     text);
}

void throng_floor_list_draw(throng_viewer *viewer)
{
    const throng_floors *floors = &viewer->floors;
    card c = card_of(viewer);
    double u = viewer->unit;
    if (c.floors == 0)
        return;
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    throng_hud_card(viewer, c.box.x, c.box.y, c.box.x + c.box.width, c.box.y + c.box.height);
    draw_row(viewer, &c, 0, floors->mode == THRONG_FLOORS_ASIDE, "side by side");
    draw_row(viewer, &c, 1, floors->mode == THRONG_FLOORS_STACKED, "over each other");
    for (int32_t r = 0; r < c.rows && c.first + r < c.floors; r++) {
        int32_t floor = c.floors - 1 - c.first - r;
        draw_row(viewer, &c, WAYS + r, floors->mode == THRONG_FLOORS_ONE && floors->shown == floor,
                 sheets->list[floor].name);
        if (floors->people)
            throng_view_text(viewer, c.box.x + c.box.width - PAD * u, row_top(viewer, &c, WAYS + r) + 14.5 * u, 13,
                             THRONG_STYLE_FAINT_INK, false, THRONG_ALIGN_RIGHT, "%d", floors->people[floor]);
    }
    throng_column_bar(viewer, &c.box, c.first, c.rows, c.floors);
}

bool throng_floor_list_press(throng_viewer *viewer, double x, double y)
{
    card c = card_of(viewer);
    if (c.floors == 0 || !throng_box_holds(&c.box, x, y))
        return false;
    int32_t row = (int32_t)floor((y - row_top(viewer, &c, 0)) / (ROW * viewer->unit));
    int32_t floor = c.floors - 1 - c.first - (row - WAYS);
    if (row == 0)
        throng_floors_show(viewer, THRONG_FLOORS_ASIDE, viewer->floors.shown);
    else if (row == 1)
        throng_floors_show(viewer, THRONG_FLOORS_STACKED, viewer->floors.shown);
    else if (row > 1 && row < WAYS + c.rows && floor >= 0)
        throng_floors_show(viewer, THRONG_FLOORS_ONE, floor);
    return true;
}

bool throng_floor_list_wheel(throng_viewer *viewer, double x, double y, double turns)
{
    card c = card_of(viewer);
    if (c.floors == 0 || !throng_box_holds(&c.box, x, y))
        return false;
    int32_t first = c.first - (int32_t)copysign(ceil(fabs(turns)), turns), last = c.floors - c.rows;
    viewer->floors.first = first > last ? last : first;
    viewer->floors.first = viewer->floors.first < 0 ? 0 : viewer->floors.first;
    return true;
}

/* All of it, or as many floors as there is room for, and three at least. */
double throng_floor_list_height(const throng_viewer *viewer, double room)
{
    const throng_map_sheets *sheets = throng_floors_sheets(viewer);
    double u = viewer->unit;
    if (!sheets)
        return 0;
    int32_t floors = throng_map_floors(sheets), fit = (int32_t)((room / u - 2 * PAD) / ROW) - WAYS;
    fit = fit < 3 ? 3 : fit;
    return (2 * PAD + ROW * (WAYS + (floors < fit ? floors : fit))) * u;
}
