/* Shared by the fuzz targets of the map readers: any bytes as a file. Nothing may crash, leak or hang; a map that is
 * read is looked at, meshed, written and read again, or says why not. */
#ifndef THRONG_FUZZ_MAP_H
#define THRONG_FUZZ_MAP_H

#include "fuzz_file.h"
#include "map/map_findings.h"
#include "navigation/map_lint.h"
#include "map/map_write.h"
#include "navigation/navmesh.h"

static inline void fuzz_again(const throng_map *map, const char *name)
{
    throng_error error;
    if (throng_map_write(fuzz_path(name), map, &error))
        throng_map_destroy(throng_map_read(fuzz_path(name), NULL, &error));
    unlink(fuzz_path(name));
}

static inline void fuzz_use(const throng_map *map)
{
    throng_error error;
    throng_findings findings = {0};
    throng_navmesh *mesh = throng_navmesh_build(map, 0.25, &error);
    throng_map_lint(map, 0.25, mesh, &findings, &error);
    throng_findings_fini(&findings);
    throng_navmesh_destroy(mesh);
    fuzz_again(map, "again.wkt");
    fuzz_again(map, "again.xml");
}

/* Reads the bytes as a file of that name. */
static inline int fuzz_read(const char *name, const uint8_t *data, size_t size)
{
    throng_error error;
    fuzz_write(name, data, size);
    throng_map *map = throng_map_read(fuzz_path(name), NULL, &error);
    if (map && map->point_count < 400)
        fuzz_use(map);
    throng_map_destroy(map);
    unlink(fuzz_path(name));
    return 0;
}

#endif
