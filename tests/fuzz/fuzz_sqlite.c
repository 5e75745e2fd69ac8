/* Any bytes as JuPedSim's SQLite. */
#include "fuzz_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_recording("a.sqlite", data, size); }
