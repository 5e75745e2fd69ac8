#include "kernels/contract/columns.h"

#include <string.h>

const throng_column_info throng_columns[THRONG_COLUMN_COUNT] = {
#define X(name, type, start, unit, spawned, attributes, least, most, form, text, uncomputed)                           \
    {#name,                                                                                                            \
     unit,                                                                                                             \
     text,                                                                                                             \
     _Generic((type)0, float                                                                                           \
              : true, default                                                                                          \
              : false),                                                                                                \
     start,                                                                                                            \
     attributes,                                                                                                       \
     {least, most, form == THRONG_ABOVE, unit},                                                                        \
     uncomputed},
    THRONG_COLUMNS(X)
#undef X
};

int throng_column_named(const char *name)
{
    for (int c = 0; c < THRONG_COLUMN_GIVEN; c++)
        if (strcmp(throng_columns[c].name, name) == 0)
            return c;
    return -1;
}

/* These were the columns' numbers once. Own columns and parameters stay at what they had then; given columns that came
 * later are counted from LATER. */
enum { OWN = 54, PARAMETERS = OWN + 8, LATER = 1024 };

_Static_assert(THRONG_OWN_COLUMNS <= PARAMETERS - OWN && THRONG_PLANNER_VALUES <= LATER - PARAMETERS,
               "each column and parameter has a number of its own");

uint32_t throng_column_stream(int column)
{
    if (column >= THRONG_COLUMN_COUNT)
        return (uint32_t)(PARAMETERS + column - THRONG_COLUMN_COUNT);
    if (column >= THRONG_COLUMN_GIVEN)
        return (uint32_t)(OWN + column - THRONG_COLUMN_GIVEN);
    return (uint32_t)(column < OWN ? column : LATER + column - OWN);
}
