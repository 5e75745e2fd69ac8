/* Any bytes as OpenStreetMap's XML, by GDAL where it is installed: rooms, doors, tags and levels. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.osm", data, size); }
