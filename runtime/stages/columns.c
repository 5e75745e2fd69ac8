#include "columns.h"

#include <string.h>

const throng_column_info throng_columns[THRONG_COLUMN_COUNT] = {
#define X(name, type, start, unit, text)                                                                               \
    {#name, unit, text, offsetof(throng_agent_columns, name), _Generic((type)0, float : true, default : false), start},
    THRONG_COLUMNS(X)
#undef X
};

int throng_column_named(const char *name)
{
    for (int c = 0; c < THRONG_COLUMN_COUNT; c++)
        if (strcmp(throng_columns[c].name, name) == 0)
            return c;
    return -1;
}
