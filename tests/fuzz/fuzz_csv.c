/* Any bytes as a recording in CSV. */
#include "fuzz_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_recording("a.csv", data, size); }
