/* Work counted while a stage runs on the counting build of the kernels (cpu_counted.h). */
#ifndef THRONG_CPU_WORK_H
#define THRONG_CPU_WORK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpu_work {
    uint64_t operations; /* float + - * / sqrt */
    uint64_t lines;      /* different lines of 64 bytes that were read or written */
} cpu_work;

extern cpu_work cpu_work_now;

/* The line at `p` is read or written; nothing when it lies on the stack. */
void cpu_work_touch(const void *p);
/* Counts from 0. */
void cpu_work_begin(void);

#ifdef __cplusplus
}
#endif

#endif
