#include "view_parts.h"

#include <math.h>
#include <stdlib.h>

enum { CORNERS = 64 };

void throng_mesh_layer_fini(throng_mesh_layer *layer)
{
    throng_navmesh_destroy(layer->mesh);
    throng_roadmap_destroy(layer->roadmap);
    throng_field_destroy(layer->field);
    if (layer->texture)
        SDL_DestroyTexture(layer->texture);
    *layer = (throng_mesh_layer){0};
}

/* The chosen agent, or the first one; -1: there is nobody. */
static int32_t asked_entry(throng_viewer *viewer)
{
    int32_t entry = throng_agent_entry(viewer);
    return entry < 0 && viewer->crowd.count > 0 ? 0 : entry;
}

/* What it walks on; of the mean size where it has none. */
static bool build_mesh(throng_viewer *viewer, throng_error *error)
{
    throng_mesh_layer *layer = &viewer->mesh;
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    int32_t entry = asked_entry(viewer);
    double radius = entry < 0 ? throng_columns[THRONG_COLUMN_radius].initial : (double)viewer->crowd.radius[entry];
    if (!map)
        return throng_fail(error, "open ground has no navigation mesh");
    layer->mesh = throng_navmesh_build(map, radius, error);
    if (layer->mesh)
        throng_viewer_note(viewer, "%d faces and their portals, for a radius of %.2f m", layer->mesh->face_count,
                           radius);
    return layer->mesh != NULL;
}

static bool build_roadmap(throng_viewer *viewer, throng_error *error)
{
    throng_mesh_layer *layer = &viewer->mesh;
    const throng_map *map = throng_world_map(throng_viewer_world(viewer));
    layer->roadmap = throng_roadmap_build(layer->mesh, &map->graph, error);
    if (layer->roadmap)
        throng_viewer_note(viewer, "the roadmap: %d nodes, %d edges", layer->roadmap->node_count,
                           layer->roadmap->edge_start[layer->roadmap->node_count] / 2);
    return layer->roadmap != NULL;
}

/* Light near the goal; by the logarithm, which falls evenly along a corridor. */
static void paint_field(throng_viewer *viewer)
{
    throng_mesh_layer *layer = &viewer->mesh;
    const throng_field *field = layer->field;
    size_t cells = (size_t)field->columns * (size_t)field->rows;
    uint32_t *argb = malloc(cells * sizeof *argb);
    double least = 0;
    for (size_t i = 0; i < cells; i++)
        least = isfinite(field->level[i]) ? fmin(least, (double)field->level[i]) : least;
    for (size_t i = 0; argb && i < cells; i++) {
        bool known = isfinite(field->level[i]) && (field->x[i] != 0 || field->y[i] != 0 || field->level[i] == 0);
        double part = least < 0 ? sqrt((double)field->level[i] / least) : 0;
        SDL_Color c = throng_view_shade(throng_theme_ramp(known ? 0.08 + 0.62 * part : 0));
        size_t row = (size_t)field->rows - 1 - i / (size_t)field->columns;
        argb[row * (size_t)field->columns + i % (size_t)field->columns] =
            known ? (uint32_t)(c.a * 6 / 10) << 24 | (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b : 0;
    }
    layer->texture = SDL_CreateTexture(viewer->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC,
                                       field->columns, field->rows);
    if (argb && layer->texture) {
        SDL_UpdateTexture(layer->texture, NULL, argb, field->columns * 4);
        SDL_SetTextureBlendMode(layer->texture, SDL_BLENDMODE_BLEND);
    }
    free(argb);
}

/* Of the goal of the chosen agent, or of the first one that has one. */
static bool build_field(throng_viewer *viewer, throng_error *error)
{
    throng_mesh_layer *layer = &viewer->mesh;
    const int32_t *goals = throng_shown_column(viewer, THRONG_COLUMN_goal, error);
    int32_t entry = throng_agent_entry(viewer), goal = goals && entry >= 0 ? goals[viewer->crowd.slot[entry]] : -1;
    for (int32_t i = 0; goals && entry < 0 && goal < 0 && i < viewer->crowd.count; i++)
        goal = goals[viewer->crowd.slot[i]];
    if (goal < 0)
        return throng_fail(error, "no potential: %s", entry < 0 ? "nobody has a goal" : "the agent has no goal");
    layer->field = throng_world_field(throng_viewer_world(viewer), goal, layer->mesh, error);
    if (!layer->field)
        return false;
    paint_field(viewer);
    throng_viewer_note(viewer, "the potential that leads to goal %d, light near it", goal);
    return true;
}

bool throng_mesh_layer_next(throng_viewer *viewer, throng_error *error)
{
    throng_mesh_layer *layer = &viewer->mesh;
    throng_mesh_mode next = (throng_mesh_mode)((layer->mode + 1) % THRONG_MESH_MODES);
    bool ok = next == THRONG_MESH_FACES     ? build_mesh(viewer, error)
              : next == THRONG_MESH_ROADMAP ? build_roadmap(viewer, error)
              : next == THRONG_MESH_FIELD   ? build_field(viewer, error)
                                            : true;
    if (next == THRONG_MESH_OFF || !ok)
        throng_mesh_layer_fini(layer);
    else
        layer->mode = next;
    return ok;
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
    int32_t sheet = mesh->sheet ? mesh->sheet[face] : 0;
    count = count > CORNERS ? CORNERS : count;
    for (int32_t i = 0; i < count; i++) {
        throng_point p = throng_floors_point(viewer, sheet, (throng_point){mesh->ax[first + i], mesh->ay[first + i]});
        if (!isfinite(p.x))
            return 0;
        p = throng_view_point(&viewer->camera, p.x, p.y);
        b = (throng_bounds){fmin(b.x0, p.x), fmin(b.y0, p.y), fmax(b.x1, p.x), fmax(b.y1, p.y)};
        points[i] = (SDL_FPoint){(float)p.x, (float)p.y};
    }
    return b.x1 < 0 || b.y1 < 0 || b.x0 > viewer->width || b.y0 > viewer->height ? 0 : count;
}

static void draw_faces(throng_viewer *viewer)
{
    const throng_navmesh *mesh = viewer->mesh.mesh;
    SDL_FPoint p[CORNERS];
    SDL_Color wall = throng_view_colour(THRONG_STYLE_LINE, 0.3f), portal = throng_view_colour(THRONG_STYLE_EXIT, 0.8f);
    for (int32_t face = 0; face < mesh->face_count; face++) {
        int32_t count = corners(viewer, face, p);
        throng_batch_convex(&viewer->batch, p, count, face_tint(face));
        for (int32_t i = 0; i < count; i++) {
            SDL_FPoint q = p[(i + 1) % count];
            bool is_portal = mesh->twin[mesh->face_start[face] + i] >= 0;
            throng_batch_line(&viewer->batch, (double)p[i].x, (double)p[i].y, (double)q.x, (double)q.y,
                              (is_portal ? 1 : 0.8) * viewer->unit, is_portal ? portal : wall,
                              is_portal ? portal : wall);
        }
    }
}

/* Where a node is drawn, not finite where its floor is not shown. */
static throng_point place_of_node(const throng_viewer *viewer, int32_t n)
{
    const throng_roadmap *map = viewer->mesh.roadmap;
    if (!map->sheet)
        return throng_view_point(&viewer->camera, map->at[n].x, map->at[n].y);
    throng_point by = viewer->mesh.mesh->offset[map->sheet[n]], at = map->beside[n];
    at = throng_floors_point(viewer, map->sheet[n], (throng_point){at.x - by.x, at.y - by.y});
    return isfinite(at.x) ? throng_view_point(&viewer->camera, at.x, at.y) : at;
}

static void draw_roadmap(throng_viewer *viewer)
{
    const throng_roadmap *map = viewer->mesh.roadmap;
    float faint = map->edge_start[map->node_count] > 2000 ? 0.14f : 0.35f; /* many lie over each other */
    SDL_Color edge = throng_view_colour(THRONG_STYLE_LINE, faint), node = throng_view_colour(THRONG_STYLE_LINE, 1);
    for (int32_t n = 0; n < map->node_count; n++) {
        throng_point from = place_of_node(viewer, n);
        if (!isfinite(from.x))
            continue;
        for (int32_t e = map->edge_start[n]; e < map->edge_start[n + 1]; e++) {
            throng_point to = place_of_node(viewer, map->edge_to[e]);
            if ((map->edge_to[e] > n || map->sheet) && isfinite(to.x)) /* those of buildings lead one way */
                throng_batch_line(&viewer->batch, from.x, from.y, to.x, to.y, 0.8 * viewer->unit, edge, edge);
        }
        throng_batch_disc(&viewer->batch, (float)from.x, (float)from.y, (float)(2.2 * viewer->unit), node);
    }
}

static void draw_field(throng_viewer *viewer)
{
    const throng_field *field = viewer->mesh.field;
    const throng_plan_view *c = &viewer->camera;
    double side = field->cell * c->scale;
    throng_batch_flush(&viewer->batch);
    throng_view_copy(viewer, viewer->mesh.texture, c->x + field->origin_x * c->scale,
                     c->y - field->origin_y * c->scale - field->rows * side, field->columns * side, field->rows * side);
    throng_ground_draw_walls(viewer);
}

void throng_mesh_layer_draw(throng_viewer *viewer)
{
    switch (viewer->mesh.mode) {
    case THRONG_MESH_FACES: draw_faces(viewer); break;
    case THRONG_MESH_ROADMAP: draw_roadmap(viewer); break;
    case THRONG_MESH_FIELD: draw_field(viewer); break;
    default: break;
    }
}
