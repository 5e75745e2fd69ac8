/* The CPU launcher's table of lane kernels: cpu_lanes.c is compiled once a lane
 * width and fills one of these each time. Ranges are multiples of the width but
 * for their end; arrays have room for one vector beyond it. */
#ifndef THRONG_CPU_H
#define THRONG_CPU_H

#include "kernels/contract/machines.h"
#include "kernels/contract/programs.h"
#include "kernels/crowd.h"

/* Counted by one thread during one stage. */
typedef struct cpu_tally {
    int64_t overlaps, conflicts, conflicts_of[THRONG_PLANNER_COUNT], held, arrivals, undefined, limited, transitions,
        stuck;
    float worst_ratio; /* least distance / sum of radii */
} cpu_tally;

/* A float by value: the same to callers also where kernels count theirs (cpu_counted.h). */
typedef __typeof__(0.0f) cpu_scalar;

struct contacts;

typedef struct cpu_lanes {
    int lanes;
    void (*keys)(const crowd *c, int32_t *key, int32_t begin, int32_t end);
    void (*gather)(const crowd *c, int32_t begin, int32_t end);
    void (*goals)(const crowd *c, const throng_fsm *f, int32_t begin, int32_t end, cpu_tally *tally);
    void (*desire)(const crowd *c, const throng_programs *p, int32_t begin, int32_t end, cpu_tally *tally);
    void (*sense)(const crowd *c, int32_t begin, int32_t end);
    void (*show)(const crowd *c, int32_t begin, int32_t end);
    void (*plan)(const crowd *c, int32_t begin, int32_t end);
    void (*latency_split)(const crowd *c, const crowd *ahead, int32_t begin, int32_t end);
    void (*latency_join)(const crowd *c, const crowd *ahead, int32_t begin, int32_t end);
    void (*contacts_begin)(const crowd *c, struct contacts *k, int32_t begin, int32_t end);
    void (*shoulders_turn)(const crowd *c, struct contacts *k, int32_t begin, int32_t end);
    void (*shoulders_keep)(const crowd *c, int32_t begin, int32_t end);
    void (*contacts_detect)(const crowd *c, struct contacts *k, int32_t begin, int32_t end, cpu_tally *tally);
    void (*contacts_list)(const crowd *c, struct contacts *k, int32_t begin, int32_t end, int32_t turn);
    void (*solver_iterate)(const crowd *c, struct contacts *k, int32_t begin, int32_t end, cpu_scalar beta,
                           int32_t turn);
    void (*warm_start_keep)(const crowd *c, struct contacts *k, int32_t begin, int32_t end);
    void (*solver_cut)(const crowd *c, struct contacts *k, int32_t begin, int32_t end);
    void (*guard_active)(const crowd *c, struct contacts *k, int32_t begin, int32_t end);
    void (*solver_guard)(const crowd *c, struct contacts *k, int32_t begin, int32_t end, cpu_tally *tally);
    void (*solver_hold)(const crowd *c, struct contacts *k, int32_t begin, int32_t end, cpu_tally *tally);
    void (*move)(const crowd *c, const struct contacts *k, int32_t begin, int32_t end);
} cpu_lanes;

/* The counted ones are one lane wide, too (cpu_counted.h). */
extern const cpu_lanes cpu_lanes_1, cpu_lanes_4, cpu_lanes_8, cpu_lanes_16, cpu_lanes_counted;

struct throng_local_map;
/* The map of the agent in `slot`, whose planner is bvp, as of the last sense stage. (cpu_probe.c) */
void cpu_local_map(const crowd *c, int32_t slot, struct throng_local_map *map);
struct throng_choice;
/* What the agent in `slot` saw and chose in the last plan stage. (cpu_probe.c) */
void cpu_choice(const crowd *c, int32_t slot, struct throng_choice *choice);

#endif
