#include "path_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void throng_path_fini(throng_path *path)
{
    free(path->corners);
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

static bool copy_path(const throng_path *from, throng_path *path)
{
    path->corners = malloc((size_t)from->count * sizeof *path->corners);
    if (!path->corners)
        return false;
    memcpy(path->corners, from->corners, (size_t)from->count * sizeof *path->corners);
    path->count = from->count;
    path->length = from->length;
    return true;
}

bool throng_navmesh_path(const throng_navmesh *mesh, throng_point from, throng_point to, throng_path *path)
{
    *path = (throng_path){0};
    throng_path_search *search = throng_path_search_create();
    if (!search)
        return false;
    throng_path_search_begin(search, mesh, from, to);
    int32_t expansions = INT32_MAX;
    bool found = throng_path_search_step(search, &expansions) == THRONG_PATH_FOUND &&
                 copy_path(throng_path_search_path(search), path);
    throng_path_search_destroy(search);
    return found;
}
