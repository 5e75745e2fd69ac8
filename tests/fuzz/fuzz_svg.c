/* Any bytes as a drawing in SVG. */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("a.svg", data, size); }
