/* Any bytes as the table of what doors did. */
#include <math.h>

#include "fuzz_file.h"
#include "record/run_doors.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    throng_error error;
    throng_door_turn *turns;
    int32_t count;
    fuzz_write("doors.csv", data, size);
    bool read = throng_run_doors_read(fuzz_path("a.throng"), &turns, &count, &error);
    for (int32_t i = 0; read && i < count; i++)
        if (!isfinite(turns[i].time) || !isfinite(turns[i].a.x) || strlen(turns[i].name) >= sizeof turns[i].name)
            abort();
    free(turns);
    unlink(fuzz_path("doors.csv"));
    return 0;
}
