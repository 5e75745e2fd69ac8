/* Columns of one moment, on the host. */
#include "cpu_backend.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(throng_copy *copy, size_t bytes, throng_error *error)
{
    if (bytes <= copy->room)
        return true;
    size_t room = bytes + bytes / 4; /* crowds grow */
    void *block = malloc(room);
    if (!block)
        return throng_fail(error, "out of memory for a copy of the agents");
    free(copy->block);
    copy->block = block;
    copy->room = room;
    return true;
}

bool cpu_copy(throng_backend *b, throng_column_set columns, int32_t slots, throng_copy *copy, throng_error *error)
{
    size_t size = (size_t)slots * 4;
    if (!reserve(copy, size * (size_t)throng_column_set_size(columns), error))
        return false;
    char *at = copy->block;
    copy->columns = (throng_agent_columns){0};
    copy->slots = slots;
    for (int c = 0; slots && c < THRONG_COLUMN_COUNT; c++) {
        if (!throng_column_in(columns, c))
            continue;
        *throng_column_of(&copy->columns, c) = memcpy(at, *throng_column_of(&b->crowd.columns, c), size);
        at += size;
    }
    return true;
}

bool cpu_copied(throng_copy *copy, throng_error *error)
{
    (void)copy, (void)error;
    return true;
}

void cpu_free_copy(throng_copy *copy) { free(copy->block); }
