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

uint64_t throng_columns_with(int attributes)
{
    uint64_t set = 0;
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        set |= (uint64_t)((throng_columns[c].attributes & attributes) != 0) << c;
    return set;
}
