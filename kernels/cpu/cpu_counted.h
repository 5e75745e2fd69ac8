/* The kernel bodies once more, for counting: cpu_lanes.c is compiled as C++ with this in front, and one lane wide. A
 * float is then a type that counts what is done with it: its arithmetic, and which lines of 64 bytes of memory are read
 * or written; so is lane_d. The results are the same bits. One world at a time, one thread. */
#ifndef THRONG_CPU_COUNTED_H
#define THRONG_CPU_COUNTED_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <type_traits>

#include "cpu_work.h"
#include "kernels/contract/program_code.h" /* has a union of a float, which cannot be a type of ours */

template <class F> struct counted {
    F v;
    counted() = default;
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>> counted(T a) : v((F)a) {}
    template <class T> explicit(sizeof(T) > sizeof(F)) counted(const counted<T> &a) : v((F)a.v) { cpu_work_touch(&a); }
    counted(const counted &a) : v(a.v) { cpu_work_touch(&a); }
    counted &operator=(const counted &a)
    {
        cpu_work_touch(&a);
        cpu_work_touch(this);
        v = a.v;
        return *this;
    }
    explicit operator float() const { return (float)v; }
    explicit operator int32_t() const { return (int32_t)v; }
    explicit operator uint32_t() const { return (uint32_t)v; }
    counted operator-() const { return counted(-v); }
#define COUNTED(op)                                                                                                    \
    friend counted operator op(const counted &a, const counted &b)                                                     \
    {                                                                                                                  \
        cpu_work_touch(&a);                                                                                            \
        cpu_work_touch(&b);                                                                                            \
        cpu_work_now.operations++;                                                                                     \
        return counted(a.v op b.v);                                                                                    \
    }                                                                                                                  \
    counted &operator op##=(const counted &b) { return *this = *this op b; }
    COUNTED(+)
    COUNTED(-)
    COUNTED(*)
    COUNTED(/)
#undef COUNTED
#define COUNTED(op)                                                                                                    \
    friend bool operator op(const counted &a, const counted &b)                                                        \
    {                                                                                                                  \
        cpu_work_touch(&a);                                                                                            \
        cpu_work_touch(&b);                                                                                            \
        return a.v op b.v;                                                                                             \
    }
    COUNTED(<)
    COUNTED(>)
    COUNTED(<=)
    COUNTED(>=)
    COUNTED(==)
    COUNTED(!=)
#undef COUNTED
};

static inline counted<double> fabs(const counted<double> &a) { return counted<double>(::fabs(a.v)); }
static inline counted<float> fabsf(const counted<float> &a) { return counted<float>(::fabsf(a.v)); }
static inline counted<float> sqrtf(const counted<float> &a)
{
    cpu_work_now.operations++;
    return counted<float>(::sqrtf(a.v));
}

#define LANE_TOUCH(p) cpu_work_touch(p) /* integers */
#define float counted<float>
#define LANE_DOUBLE counted<double>

#endif
