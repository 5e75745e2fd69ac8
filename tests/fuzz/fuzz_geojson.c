/* Any bytes as GeoJSON, by GDAL where it is installed. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.geojson", data, size); }
