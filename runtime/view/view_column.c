/* Where the cards on the left of the window are, one below the other: the legend, sliders, floors, density. */
#include "view_controls.h"

#include <math.h>

enum { LEFT = 16, TOP = 16, WIDTH = 190, GAP = 8 }; /* units */

/* Legend and floors share what the others leave: the floors up to half of it. */
void throng_column_lay(throng_viewer *viewer)
{
    double u = viewer->unit, y = TOP * u, heights[THRONG_CARDS];
    double room = viewer->height - throng_hud_bar_height(viewer) - 2 * TOP * u;
    heights[THRONG_CARD_SLIDERS] = throng_sliders_height(viewer);
    heights[THRONG_CARD_DENSITY] = throng_heat_layer_height(viewer);
    room -= heights[THRONG_CARD_SLIDERS] + heights[THRONG_CARD_DENSITY] + 3 * GAP * u;
    heights[THRONG_CARD_FLOORS] = throng_floor_list_height(viewer, room / 2);
    heights[THRONG_CARD_LEGEND] = throng_colouring_height(viewer, room - heights[THRONG_CARD_FLOORS]);
    for (int i = 0; i < THRONG_CARDS; i++) {
        viewer->cards[i] = (throng_box){LEFT * u, floor(y), WIDTH * u, heights[i]};
        y += heights[i] > 0 ? heights[i] + GAP * u : 0;
    }
}
