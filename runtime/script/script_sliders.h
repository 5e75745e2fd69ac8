/* Parameters that a scenario gave a range (throng.params { rate = { 5, 0, 10 } }), changed while it runs. */
#ifndef THRONG_SCRIPT_SLIDERS_H
#define THRONG_SCRIPT_SLIDERS_H

#include "script.h"

enum { THRONG_SLIDERS = 64 }; /* that are kept when a scenario is loaded again */

typedef struct throng_slider {
    char name[40];
    double least, most, given, value; /* `given`: by the file, or by --set */
    double begun;                     /* what the scenario was loaded with */
    bool whole;                       /* whole numbers only */
    bool told;                        /* the scenario says what a new value does */
} throng_slider;

/* Writes those of the loaded scenario, by name, at most `room`; how many. */
int32_t throng_script_sliders(throng_script *script, throng_slider *sliders, int32_t room);
/* Gives the parameter a value within its range; the script reads it from then on, and its on_change is called when it
 * is another. False and the message when that failed: the value is there. */
bool throng_script_set_slider(throng_script *script, int32_t slider, double value, throng_error *error);

/* Likewise; of each the value to load it with again (throng_overrides): as it is now, or as it begun. */
int32_t throng_script_set_sliders(throng_script *script, bool now, throng_slider *sliders, int32_t room);

/* The fresh script's parameters have the values that somebody set in the old one, where the file gives the same as it
 * did. */
void throng_script_keep_sliders(throng_script *fresh, throng_script *old);

#endif
