/* The smoke of a world, to be drawn. */
#ifndef THRONG_RUN_SMOKE_H
#define THRONG_RUN_SMOKE_H

#include "picture/picture.h"
#include "world/world.h"

/* That of now, in place of what was taken before; none where the world has none. */
bool throng_smoke_take(throng_smoke_picture *smoke, const throng_world *world, throng_error *error);
void throng_smoke_fini(throng_smoke_picture *smoke);

#endif
