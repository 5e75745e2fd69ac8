/* The potential of a goal beyond what a double can hold, and beyond what memory can, for runtime/navigation/field.c. */
#ifndef THRONG_FIELD_CONTINUE_H
#define THRONG_FIELD_CONTINUE_H

#include <stdbool.h>
#include <stdint.h>

/* Adds to `u` [rows * columns], ln(1 - p) or, where that is not known, -INFINITY, all that is connected to known cells.
 * `cells`: throng_field_cell. `solved`: false where that took pieces of more than `largest` cells, as the floor is too
 * open. `threads`: that solve large pieces. False when memory is out, or it was given up (throng_given_up). */
bool throng_field_continue(const uint8_t *cells, int32_t columns, int32_t rows, int32_t threads, double *u,
                           int32_t largest, bool *solved);

#endif
