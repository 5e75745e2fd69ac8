/* Smoke over a plan. */
#ifndef THRONG_PICTURE_SMOKE_H
#define THRONG_PICTURE_SMOKE_H

#include "picture_layers.h"

/* What extinction is drawn as: black smoke with as much opacity as what 1 m of it takes out of light, and no more than
 * leaves people to be seen. */
throng_colour throng_smoke_colour(double extinction);

bool throng_layer_smoke(throng_canvas *canvas, const throng_plan_view *view, const throng_plan_picture *plan);

#endif
