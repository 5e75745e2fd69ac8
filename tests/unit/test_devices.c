/* Which device a process of several takes, and which of several processes it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/meeting.h"
#include "stages/backend.h"

/* What is visible after device `device` of `listed` was taken. */
static const char *taken(const char *listed, int32_t device)
{
    throng_error error;
    if (listed)
        setenv("CUDA_VISIBLE_DEVICES", listed, 1);
    else
        unsetenv("CUDA_VISIBLE_DEVICES");
    return throng_cuda_take_device(device, &error) ? getenv("CUDA_VISIBLE_DEVICES") : NULL;
}

static void one_device_is_left(void **state)
{
    (void)state;
    assert_string_equal(taken(NULL, 0), "0");
    assert_string_equal(taken(NULL, 3), "3");
    assert_string_equal(taken("2,5,7", 0), "2");
    assert_string_equal(taken("2,5,7", 1), "5");
    assert_string_equal(taken("GPU-8932f937,GPU-fe91", 1), "GPU-fe91");
    throng_error error;
    assert_null(taken("2,5", 2));
    assert_false(throng_cuda_take_device(2, &error));
    assert_string_equal(error.text, "there is no device 2, counted from 0: CUDA_VISIBLE_DEVICES is '2,5'");
    unsetenv("CUDA_VISIBLE_DEVICES");
}

static void rank_is(int32_t rank, int32_t of, int32_t here, int32_t of_here)
{
    throng_rank found = throng_meeting_rank();
    assert_int_equal(found.rank, rank);
    assert_int_equal(found.of, of);
    assert_int_equal(found.here, here);
    assert_int_equal(found.of_here, of_here);
}

static void ranks_are_told_by_who_started_them(void **state)
{
    (void)state;
    rank_is(0, 1, 0, 1);
    setenv("SLURM_PROCID", "5", 1);
    setenv("SLURM_NTASKS", "8", 1);
    rank_is(5, 8, 0, 1);
    setenv("SLURM_LOCALID", "1", 1);
    setenv("SLURM_STEP_TASKS_PER_NODE", "4(x2)", 1);
    rank_is(5, 8, 1, 4);
    setenv("OMPI_COMM_WORLD_RANK", "2", 1); /* mpirun in what Slurm gave */
    setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_RANK", "2", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", "3", 1);
    rank_is(2, 3, 2, 3);
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    rank_is(5, 8, 1, 4);
    setenv("SLURM_NTASKS", "1", 1);
    rank_is(0, 1, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_device_is_left),
        cmocka_unit_test(ranks_are_told_by_who_started_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
