/* Any bytes as a slice file of FDS: every frame is read, twice alike, and is finite; or it is said why not. */
#include <math.h>

#include "fuzz_file.h"
#include "record/fds_slice.h"

enum { FRAMES = 64 };

static double sum_of(const float *values, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            abort();
        sum = 0.5 * sum + (double)values[i];
    }
    return sum;
}

static void read_frames(throng_fds_slice *slice, float *values)
{
    throng_error error;
    double sums[FRAMES];
    int32_t count = slice->frames < FRAMES ? slice->frames : FRAMES;
    for (int32_t n = 0; n < count; n++)
        sums[n] = throng_fds_slice_read(slice, n, values, &error) ? sum_of(values, slice->points) : NAN;
    for (int32_t n = count - 1; n >= 0; n--) {
        bool read = throng_fds_slice_read(slice, n, values, &error);
        if (read == isnan(sums[n]) || (read && sum_of(values, slice->points) != sums[n]))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    throng_error error;
    fuzz_write("a.sf", data, size);
    throng_fds_slice *slice = throng_fds_slice_open(fuzz_path("a.sf"), &error);
    if (slice) {
        float *values = malloc((size_t)slice->points * sizeof *values);
        if (!values || strlen(slice->quantity) > 30 || slice->frames < 1)
            abort();
        read_frames(slice, values);
        free(values);
    }
    throng_fds_slice_close(slice);
    unlink(fuzz_path("a.sf"));
    return 0;
}
