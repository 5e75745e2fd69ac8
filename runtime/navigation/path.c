#include <stdlib.h>

#include "base/array.h"
#include "navmesh.h"

void throng_path_fini(throng_path *path)
{
    free(path->corners);
    free(path->sheets);
    *path = (throng_path){0};
}

bool throng_path_add(throng_path *path, int32_t *capacity, throng_point corner)
{
    const throng_point *last = path->count > 0 ? &path->corners[path->count - 1] : NULL;
    if (last && last->x == corner.x && last->y == corner.y)
        return true;
    if (!throng_array_reserve((void **)&path->corners, capacity, (int64_t)path->count + 1, sizeof corner))
        return false;
    path->corners[path->count++] = corner;
    return true;
}
