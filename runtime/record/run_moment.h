/* A picture of a crowd at one moment. Knows no Lua. */
#ifndef THRONG_RUN_MOMENT_H
#define THRONG_RUN_MOMENT_H

#include "film.h"
#include "run_sample.h"

/* Names and colours of the world's groups, into the plan; to be freed. False when memory is out. */
struct throng_plan_picture;
bool throng_moment_groups(const throng_world *world, struct throng_plan_picture *plan);
void throng_moment_free_groups(struct throng_plan_picture *plan);

/* Draws everybody as the sample has them, at its time, on the world's map; with a local map (may be NULL) what that
 * covers. `width`: in pixels, 0: as wide as other pictures. */
bool throng_moment_draw(const char *path, const throng_world *world, const throng_sample *sample,
                        const struct throng_local_map *local, int32_t width, const char *title, const char *subtitle,
                        throng_error *error);
/* The same as the next picture of a film, of a place that stays. */
bool throng_moment_film(throng_film *film, const throng_world *world, const throng_sample *sample,
                        const throng_bounds *place, const char *title, throng_error *error);

#endif
