/* Paths in one call, for the tests of meshes: as searches and trees give them. */
#ifndef THRONG_TEST_PATHS_H
#define THRONG_TEST_PATHS_H

#include <stdlib.h>
#include <string.h>

#include "navigation/path_search.h"

/* False when there is none. The corners are the caller's: throng_path_fini. */
static inline bool find_path(const throng_navmesh *mesh, throng_point from, throng_point to, throng_path *path)
{
    throng_path_search *search = throng_path_search_create();
    int32_t expansions = INT32_MAX;
    throng_path_search_begin(search, mesh, from, to);
    bool found = throng_path_search_step(search, &expansions) == THRONG_PATH_FOUND;
    *path = *throng_path_search_path(search);
    size_t bytes = (size_t)path->count * sizeof *path->corners;
    path->corners = found ? memcpy(malloc(bytes), path->corners, bytes) : NULL;
    path->count = found ? path->count : 0;
    throng_path_search_destroy(search);
    return found;
}

/* The tree of one goal. */
static inline throng_path_map *path_map_of(const throng_navmesh *mesh, const throng_point *goal, int32_t count,
                                           throng_error *error)
{
    throng_region region = {.points = (throng_point *)goal, .count = count};
    return throng_path_map_build(mesh, &region, 1, NULL, error);
}

/* m: INFINITY when there is no way. */
static inline float path_map_length(const throng_path_map *tree, int32_t face, float x, float y)
{
    throng_path path;
    float length = throng_path_map_path(tree, face, x, y, &path) ? (float)path.length : INFINITY;
    throng_path_fini(&path);
    return length;
}

#endif
