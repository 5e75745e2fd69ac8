/* Any bytes as well-known text. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.wkt", data, size); }
