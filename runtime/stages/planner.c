#include "planner.h"

const throng_planner_info throng_planners[THRONG_PLANNER_COUNT] = {
#define X(name, columns, how) {#name, columns},
    THRONG_PLANNERS(X)
#undef X
};

const char *const throng_planner_names[] = {
#define X(name, columns, how) #name,
    THRONG_PLANNERS(X)
#undef X
        0};

const throng_parameter_info throng_parameters[THRONG_PLANNER_VALUES] = {
#define X(planner, name, initial, least, most, form, unit, text)                                                       \
    {THRONG_PLANNER_##planner, #name, initial, least, most, form, unit, text},
    THRONG_PLANNER_PARAMETERS(X)
#undef X
};

throng_planner throng_planner_default(int32_t kind)
{
    throng_planner p = {.kind = kind};
    for (int i = 0; i < THRONG_PLANNER_VALUES; i++)
        p.value[i] = (float)throng_parameters[i].initial;
    return p;
}
