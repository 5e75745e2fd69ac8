/* Any bytes as the map maker's XML. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.xml", data, size); }
