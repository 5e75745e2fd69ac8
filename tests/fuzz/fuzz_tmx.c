/* Any bytes as a Tiled map. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.tmx", data, size); }
