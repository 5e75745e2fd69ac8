/* Any bytes as a recording in text. */
#include "fuzz_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_recording("a.txt", data, size); }
