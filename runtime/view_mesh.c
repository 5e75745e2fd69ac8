#include "view_parts.h"

#include <math.h>

enum { CORNERS = 64 };

void throng_mesh_layer_fini(throng_mesh_layer *layer)
{
    throng_navmesh_destroy(layer->mesh);
    *layer = (throng_mesh_layer){0};
}

/* The faces that the chosen agent walks on, or the first one. */
bool throng_mesh_layer_toggle(throng_viewer *viewer, throng_error *error)
{
    throng_mesh_layer *layer = &viewer->mesh;
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    const throng_crowd *crowd = &viewer->crowd;
    if (layer->on) {
        throng_mesh_layer_fini(layer);
        return true;
    }
    if (!map)
        return throng_fail(error, "open ground has no navigation mesh");
    int32_t entry = throng_agent_entry(viewer);
    double radius = crowd->count ? (double)crowd->radius[entry < 0 ? 0 : entry] : 0.25;
    layer->mesh = throng_navmesh_build(map, radius, error);
    layer->on = layer->mesh != NULL;
    if (layer->on)
        throng_viewer_note(viewer, "%d faces for a radius of %.2f m", layer->mesh->face_count, radius);
    return layer->on;
}

static SDL_Color face_tint(int32_t face)
{
    static const uint32_t tints[] = {0xe3eef6, 0xd3e4f0, 0xebf3f8, 0xdbe9f3};
    return throng_view_colour(tints[((uint32_t)face * 2654435761u) >> 30], 0.75f);
}

/* The face's corners as pixels; 0 when none of it is in sight. */
static int32_t corners(const throng_viewer *viewer, int32_t face, SDL_FPoint *points)
{
    const throng_navmesh *mesh = viewer->mesh.mesh;
    int32_t first = mesh->face_start[face], count = mesh->face_start[face + 1] - first;
    throng_bounds b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    count = count > CORNERS ? CORNERS : count;
    for (int32_t i = 0; i < count; i++) {
        throng_point p = throng_view_point(&viewer->camera, mesh->ax[first + i], mesh->ay[first + i]);
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
        points[i] = (SDL_FPoint){(float)p.x, (float)p.y};
    }
    return b.x1 < 0 || b.y1 < 0 || b.x0 > viewer->width || b.y0 > viewer->height ? 0 : count;
}

void throng_mesh_layer_draw(throng_viewer *viewer)
{
    SDL_FPoint p[CORNERS];
    SDL_Color side = throng_view_colour(THRONG_STYLE_LINE, 0.45f);
    for (int32_t face = 0; viewer->mesh.on && face < viewer->mesh.mesh->face_count; face++) {
        int32_t count = corners(viewer, face, p);
        throng_batch_convex(&viewer->batch, p, count, face_tint(face));
        for (int32_t i = 0; i < count; i++) {
            SDL_FPoint q = p[(i + 1) % count];
            throng_batch_line(&viewer->batch, (double)p[i].x, (double)p[i].y, (double)q.x, (double)q.y,
                              0.8 * viewer->unit, side, side);
        }
    }
}
