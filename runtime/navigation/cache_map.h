/* Maps and meshes by way of the cache, made only once: copies of maps, which are the caller's (map.h), and the cache's
 * own meshes (navmesh.h). */
#ifndef THRONG_CACHE_MAP_H
#define THRONG_CACHE_MAP_H

#include "base/cache.h"
#include "navmesh.h"

/* The map of a file. It is the same while no file that it was read from was saved again: device, inode, size and the
 * times of changes are. */
throng_map *throng_cache_read_map(throng_cache *cache, const char *path, const throng_map_options *options,
                                  throng_error *error);

/* throng_map_from_polygons, with the polygons of an area and of what stands in it. */
typedef struct throng_polygons {
    const throng_point *const *points;
    const int32_t *sizes;
    int32_t count;
} throng_polygons;
throng_map *throng_cache_build_map(throng_cache *cache, const char *name, const throng_polygons *boundaries,
                                   const throng_polygons *obstacles, throng_error *error);

/* All of a map that decides about its mesh, or its walls. */
void throng_cache_add_map(throng_key *key, const throng_map *map);

/* The mesh of a map, with every door open; the same for every map of these walls and doors. It is the cache's, held
 * once more until throng_cache_release, and others read it on other threads: who changes doors makes a copy. `*number`
 * (may be NULL): see throng_cache_number. */
const throng_navmesh *throng_cache_take_mesh(throng_cache *cache, const throng_map *map, double radius,
                                             uint64_t *number, throng_error *error);

#endif
