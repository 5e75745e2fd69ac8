/* Growing arrays: room for one more, by doubling. */
#ifndef THRONG_ARRAY_H
#define THRONG_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Makes `*data` (of elements of `size` bytes) hold at least `wanted`; false,
 * with the array as it was, when memory is out. */
static inline bool throng_array_reserve(void **data, int32_t *capacity, int64_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    int64_t room = *capacity < 32 ? 64 : 2 * (int64_t)*capacity;
    room = room < wanted ? wanted : room;
    void *grown = room > INT32_MAX ? NULL : realloc(*data, (size_t)room * size);
    if (!grown)
        return false;
    *data = grown;
    *capacity = (int32_t)room;
    return true;
}

#endif
