/* libFuzzer target: any bytes as a map. The first byte says as what: an image, or
 * the YAML beside a small image. Nothing may crash, leak or hang; a map that is
 * read must build a mesh or say why not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../runtime/navmesh.h"

static const char *folder(void)
{
    static char path[64];
    if (!*path) {
        snprintf(path, sizeof path, "/tmp/throng-fuzz-XXXXXX");
        if (!mkdtemp(path))
            abort();
    }
    return path;
}

static void write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
}

static void read_map(const char *path)
{
    throng_error error;
    throng_map *map = throng_map_read(path, NULL, &error);
    if (map && map->point_count < 4000)
        throng_navmesh_destroy(throng_navmesh_build(map, 0.25, &error));
    throng_map_destroy(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char image[] = "P5\n4 4\n255\n\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe";
    char path[128], beside[128];
    if (size < 1)
        return 0;
    snprintf(path, sizeof path, "%s/map.%s", folder(), data[0] & 1 ? "yaml" : "pgm");
    snprintf(beside, sizeof beside, "%s/map.pgm", folder());
    if (data[0] & 1)
        write_file(beside, (const uint8_t *)image, sizeof image - 1);
    write_file(path, data + 1, size - 1);
    read_map(path);
    unlink(path);
    unlink(beside);
    return 0;
}
