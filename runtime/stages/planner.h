/* What is known of planners by name: their parameters, ranges and initial values (kernels/contract/planners.h lists
 * them). */
#ifndef THRONG_PLANNER_H
#define THRONG_PLANNER_H

#include "kernels/contract/planners.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_planner_info {
    const char *name;
    int columns; /* THRONG_TAKES_... */
} throng_planner_info;

typedef struct throng_parameter_info {
    int32_t planner; /* THRONG_PLANNER_... */
    const char *name;
    double initial, least, most;
    enum throng_parameter_form form;
    const char *unit, *text;
} throng_parameter_info;

extern const throng_planner_info throng_planners[THRONG_PLANNER_COUNT];
extern const char *const throng_planner_names[]; /* by kind; ends with NULL */
extern const throng_parameter_info throng_parameters[THRONG_PLANNER_VALUES];

/* A planner with every parameter at its initial value. */
throng_planner throng_planner_default(int32_t kind);

#ifdef __cplusplus
}
#endif

#endif
