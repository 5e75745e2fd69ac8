/* Which behaviour functions write what, of whom. */
#ifndef THRONG_PROGRAM_TABLE_H
#define THRONG_PROGRAM_TABLE_H

#include "array_table.h"
#include "program_code.h"

/* A column that programs write, or a parameter of a planner. */
typedef struct throng_program_target {
    int32_t column[2];    /* THRONG_COLUMN_..., THRONG_COLUMN_COUNT + THRONG_clearpath_...; -1: no second result */
    uint32_t stream;      /* of column[0]'s random numbers: throng_column_stream */
    const int32_t *bound; /* [capacity] program of the agent in a slot, THRONG_UNBOUND or THRONG_KEPT */
    /* [capacity] of a parameter, NaN: as the agent's planner has it; NULL of a column. Programs write it. A backend
     * that computes elsewhere keeps its own values over set_programs, but for those that are NaN here, and zeroes this.
     */
    float *values;
} throng_program_target;

#define THRONG_PROGRAMS_ARRAYS(X)                                                                                      \
    X(throng_instruction, code, t->code_count)                                                                         \
    X(throng_program, list, t->count)

typedef struct throng_programs {
    int32_t code_count, count, targets, parameters; /* targets from `parameters` on are written after desire */
    THRONG_PROGRAMS_ARRAYS(THRONG_ARRAY_MEMBER)
    throng_program_target target[THRONG_PROGRAM_TARGETS];
} throng_programs;

#endif
