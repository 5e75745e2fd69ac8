/* Any bytes as a shapefile of walls, by GDAL where it is installed: the index of three shapes, then the shapes. */
#include "fuzz_map.h"

enum { INDEX = 100 + 3 * 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < INDEX)
        return 0;
    fuzz_write("wall.shx", data, INDEX);
    fuzz_read("wall.shp", data + INDEX, size - INDEX);
    unlink(fuzz_path("wall.shx"));
    return 0;
}
