/* The parts of a .glb file: what lies where in its binary part, and the JSON that tells of it. */
#ifndef THRONG_EXPORT_GLB_H
#define THRONG_EXPORT_GLB_H

#include "export_figure.h"
#include "export_tracks.h"
#include "map/triangulate.h"

/* Of each person, in their numbers: up to three sizes with their times; then translations and rotations. */
enum { THRONG_GLB_SIZES = 3, THRONG_GLB_MOVE = 3 * sizeof(float), THRONG_GLB_TURN = 4 * sizeof(float) };
enum { THRONG_GLB_VISIBLE = THRONG_GLB_SIZES * 4 * sizeof(float) };

typedef struct throng_glb {
    const throng_export_source *source;
    throng_export_tracks tracks;
    throng_triangles plan;
    throng_figure figure;
    uint64_t times_at, tracks_at, plan_at, size; /* bytes of the binary part, which begins with the figure */
    int32_t *mesh_of;                            /* [groups + 1] the last is of who has none; -1: of nobody */
    int32_t meshes;
} throng_glb;

static inline int32_t throng_glb_keys(const throng_export_track *t) { return t->last - t->first + 1; }

/* How many times wider a person is than the figure. */
static inline double throng_glb_width(const throng_export_track *t)
{
    return t->radius > 0 ? t->radius / THRONG_FIGURE_RADIUS : 1;
}

/* The moments at which somebody's size changes, and what it is from then on: 0 or 1. How many. */
int32_t throng_glb_sizes(const throng_glb *glb, const throng_export_track *track, int32_t moment[THRONG_GLB_SIZES],
                         int size[THRONG_GLB_SIZES]);

/* Of the plan's triangles, corner number i; y is up. */
void throng_glb_corner(const throng_glb *glb, int32_t i, float point[3]);

/* export_glb_json.c; `bytes`: of the binary part. */
void throng_glb_describe(FILE *json, const throng_glb *glb);

#endif
