#include "run_smoke.h"

#include <stdlib.h>

void throng_smoke_fini(throng_smoke_picture *smoke)
{
    free(smoke->extinction);
    *smoke = (throng_smoke_picture){0};
}

bool throng_smoke_take(throng_smoke_picture *smoke, const throng_world *world, throng_error *error)
{
    throng_point first;
    throng_smoke_fini(smoke);
    if (!throng_world_smoke_grid(world, &smoke->columns, &smoke->rows, &first, &smoke->cell))
        return true;
    smoke->x0 = first.x;
    smoke->y0 = first.y;
    smoke->extinction = malloc((size_t)smoke->columns * (size_t)smoke->rows * sizeof *smoke->extinction);
    if (!smoke->extinction)
        return throng_fail(error, "out of memory for %d x %d points of smoke", smoke->columns, smoke->rows);
    throng_world_smoke(world, smoke->extinction);
    return true;
}
