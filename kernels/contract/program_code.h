/* The code of behaviour programs, as the runtime hands it over and kernels/behaviour/program.h runs it. */
#ifndef THRONG_PROGRAM_CODE_H
#define THRONG_PROGRAM_CODE_H

#include <stdint.h>

/* What an instruction of a behaviour program does: X(name, registers read, what `index` is or 0, text). */
#define THRONG_PROGRAM_OPS(X)                                                                                          \
    X(value, 0, 0, "the constant `value`")                                                                             \
    X(time, 0, 0, "simulated time, s")                                                                                 \
    X(column, 0, 'c', "a column of floats")                                                                            \
    X(whole, 0, 'c', "a column of whole numbers")                                                                      \
    X(add, 2, 0, "a + b")                                                                                              \
    X(subtract, 2, 0, "a - b")                                                                                         \
    X(multiply, 2, 0, "a * b")                                                                                         \
    X(divide, 2, 0, "a / b")                                                                                           \
    X(negate, 1, 0, "-a")                                                                                              \
    X(min, 2, 0, "b < a ? b : a")                                                                                      \
    X(max, 2, 0, "b > a ? b : a")                                                                                      \
    X(abs, 1, 0, "|a|")                                                                                                \
    X(floor, 1, 0, "greatest whole number not above a")                                                                \
    X(sqrt, 1, 0, "square root")                                                                                       \
    X(sin, 1, 0, "sine of a rad")                                                                                      \
    X(cos, 1, 0, "cosine of a rad")                                                                                    \
    X(exp, 1, 0, "e^a")                                                                                                \
    X(log, 1, 0, "natural logarithm")                                                                                  \
    X(atan, 2, 0, "angle of the direction (b, a), rad")                                                                \
    X(less, 2, 0, "1 where a < b, else 0")                                                                             \
    X(less_equal, 2, 0, "1 where a <= b, else 0")                                                                      \
    X(equal, 2, 0, "1 where a = b, else 0")                                                                            \
    X(select, 3, 'r', "b where a is not 0, else the third")                                                            \
    X(noise, 3, 'r', "gradient noise at (a, b, the third)")                                                            \
    X(random, 0, 's', "uniform in [0, 1), another one each agent, step and site")                                      \
    X(height, 0, 0, "height of where the agent stands, m")                                                             \
    X(ground, 0, 0, "what it stands on, a sheet's kind")                                                               \
    X(air, 0, 'l', "layer `index` of the air where the agent stands")                                                  \
    X(seen, 0, 'k', "how many others of group `index`, -1: of any, the agent saw in the last step")                    \
    X(walking, 0, 'k', "how many of them walk")                                                                        \
    X(to_place, 0, 'g', "vector to goal `index`, m: x into `to`, y into `b`; infinite: there is none")                 \
    X(to_goal, 0, 0, "the same to the agent's own goal")                                                               \
    X(to_nearest, 0, 'k', "the same to the nearest neighbour of group `index`, -1: of any")

typedef enum throng_program_op {
#define X(name, reads, index, text) THRONG_PROGRAM_##name,
    THRONG_PROGRAM_OPS(X)
#undef X
        THRONG_PROGRAM_OP_COUNT
} throng_program_op;

enum {
    THRONG_PROGRAM_REGISTERS = 32,
    THRONG_PROGRAM_TARGETS = 24, /* columns and parameters that programs write at once */
    THRONG_UNBOUND = -1,         /* no program writes this for the agent */
    THRONG_KEPT = -2             /* nor does the desire stage */
};

typedef struct throng_instruction {
    uint8_t op, to, a, b; /* throng_program_op, registers */
    union {
        float value;
        int32_t index; /* 'c' column, 'r' third register, 's' number of the call, 'l' layer, 'g' goal, 'k' kind */
    };
} throng_instruction;

typedef struct throng_program {
    int32_t first, count;       /* instructions */
    int32_t results, result[2]; /* 1 or 2 registers; result[1] is result[0] when there is one */
    float least, most;          /* results are cut off to these */
} throng_program;

#endif
