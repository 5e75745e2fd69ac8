/* What a program tells a simulation, kept as bytes in its order: told again to another one of the same scenario, it
 * makes the same of it.
 *
 * Each input is a letter (throng_input), a byte that says whether it succeeded, and what was given, numbers as they lie
 * in memory (little endian), texts behind their length and with their end. */
#ifndef THRONG_INPUTS_H
#define THRONG_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum throng_input {
    THRONG_INPUT_STEPS = 's', /* how many, and how many the simulation has made then */
    THRONG_INPUT_DO = 'd',
    THRONG_INPUT_DO_WITH = 'g',
    THRONG_INPUT_NUMBER = 'n',
    THRONG_INPUT_TEXT = 'x',
    THRONG_INPUT_SPAWN = 'a',
    THRONG_INPUT_WRITE = 'w',
    THRONG_INPUT_STEER = 'v',
    THRONG_INPUT_PLACE = 't',
    THRONG_INPUT_RELEASE = 'r',
    THRONG_INPUT_PLAY = 'p',
    THRONG_INPUT_RADIUS = 'm' /* of the first path that was asked for one */
} throng_input;

typedef struct throng_inputs {
    bool kept; /* else all of these do nothing */
    bool lost; /* memory was out once */
    unsigned char *bytes;
    size_t size, room;
    size_t last;  /* where the last input begins */
    size_t taken; /* by throng_sim_inputs */
} throng_inputs;

void throng_inputs_begin(throng_inputs *inputs, throng_input input);
void throng_inputs_put(throng_inputs *inputs, const void *bytes, size_t size);
void throng_inputs_put_whole(throng_inputs *inputs, int32_t value);
void throng_inputs_put_text(throng_inputs *inputs, const char *text);
/* Notes whether it succeeded; returns that. */
bool throng_inputs_end(throng_inputs *inputs, bool succeeded);
/* A step, after which the simulation has made so many: those in a row that succeeded are one input. */
bool throng_inputs_step(throng_inputs *inputs, bool succeeded, uint32_t made);
void throng_inputs_fini(throng_inputs *inputs);

/* ---- read again */

typedef struct throng_inputs_reader {
    const unsigned char *bytes;
    size_t left;
    bool damaged; /* there was less than was asked for */
} throng_inputs_reader;

/* All zero, or NULL, where it is damaged. */
void throng_inputs_get(throng_inputs_reader *reader, void *to, size_t size);
int32_t throng_inputs_get_whole(throng_inputs_reader *reader);
const char *throng_inputs_get_text(throng_inputs_reader *reader);
/* [count * size] bytes, copied to where any number may lie; the caller frees them. */
void *throng_inputs_get_list(throng_inputs_reader *reader, int32_t count, size_t size);

#endif
