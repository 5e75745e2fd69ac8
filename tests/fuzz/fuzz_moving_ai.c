/* Any bytes as a Moving AI grid. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.map", data, size); }
