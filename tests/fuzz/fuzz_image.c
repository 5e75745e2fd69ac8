/* Any bytes as an occupancy image, by what it begins with: PGM, PNG, BMP, .... */
#include "fuzz_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_read("map.pgm", data, size); }
