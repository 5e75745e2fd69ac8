/* Any bytes as a compact recording. */
#include "fuzz_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_recording("a.throng", data, size); }
