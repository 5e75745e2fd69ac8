/* Any bytes as the table of where bodies were, shown on and back. */
#include "fuzz_file.h"
#include "record/body_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    throng_error error;
    throng_body_log log;
    throng_body_outlines outlines = {0};
    static const double times[] = {0, 0.5, 1e9, 1, -1, 2, 0.25};
    fuzz_write("bodies.csv", data, size);
    if (throng_body_log_read(fuzz_path("a.throng"), &log, &error)) {
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            throng_body_log_show(&log, times[i], &outlines, &error);
        throng_body_log_fini(&log);
    }
    throng_body_outlines_fini(&outlines);
    unlink(fuzz_path("bodies.csv"));
    return 0;
}
