/* What behaviour functions may compute: columns, planners' parameters and the preferred velocity. */
#include "behaviours.h"
#include "column_values.h"

#include <math.h>

/* Beside those of throng_column_uncomputed. */
static const struct refused {
    int target;
    const char *why;
} REFUSED[] = {
    {THRONG_COLUMN_COUNT + THRONG_bvp_residual, "it is the same for all of a planner, whose maps are solved together"},
};

static const throng_range VELOCITY = {-1000, 1000, false, "m/s"};

static bool is_parameter(int target) { return target >= THRONG_COLUMN_COUNT; }

static const throng_parameter_info *parameter_of(int target)
{
    return &throng_parameters[target - THRONG_COLUMN_COUNT];
}

const char *throng_behaviour_target_name(int target)
{
    return throng_behaviour_is_desired(target) ? "desired"
           : is_parameter(target)              ? parameter_of(target)->name
                                               : throng_columns[target].name;
}

throng_range throng_behaviour_range(int target)
{
    if (throng_behaviour_is_desired(target))
        return VELOCITY;
    if (!is_parameter(target))
        return *throng_column_range(target);
    const throng_parameter_info *p = parameter_of(target);
    bool above = p->form == THRONG_ABOVE || p->form == THRONG_BETWEEN;
    bool below = p->form == THRONG_BELOW || p->form == THRONG_BETWEEN;
    return (throng_range){p->least, below ? nextafterf((float)p->most, 0) : p->most, above, p->unit};
}

const char *throng_behaviour_refusal(int target)
{
    if (throng_behaviour_is_desired(target))
        return NULL;
    if (!is_parameter(target))
        return throng_column_uncomputed(target);
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        if (REFUSED[i].target == target)
            return REFUSED[i].why;
    return parameter_of(target)->form == THRONG_WHOLE ? "it is a whole number" : NULL;
}

void throng_behaviour_check_target(lua_State *L, int target)
{
    const char *why = throng_behaviour_refusal(target);
    if (why)
        throng_raise(L, "%s takes no behaviour function: %s", throng_behaviour_target_name(target), why);
}
