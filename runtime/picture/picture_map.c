/* The map itself, as `throng map FILE --png` shows it. */
#include "picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "navigation/navmesh.h"
#include "navigation/navmesh_lifts.h"
#include "picture_page.h"

static uint32_t face_tint(int32_t face)
{
    static const uint32_t tints[] = {0xe3eef6, 0xd3e4f0, 0xebf3f8, 0xdbe9f3};
    return tints[((uint32_t)face * 2654435761u) >> 30];
}

/* The corners of a face as pixels; returns their number. */
static int32_t face_corners(const throng_plan_view *view, const throng_navmesh *mesh, int32_t face,
                            throng_point *pixels)
{
    int32_t first = mesh->face_start[face], count = mesh->face_start[face + 1] - first;
    for (int32_t i = 0; i < count; i++) {
        throng_point place = throng_navmesh_place(mesh, face, (throng_point){mesh->ax[first + i], mesh->ay[first + i]});
        pixels[i] = throng_view_point(view, place.x, place.y);
    }
    return count;
}

static void draw_face(const throng_page *page, const throng_navmesh *mesh, int32_t face, bool reached,
                      throng_point *pixels)
{
    double u = page->view.unit;
    int32_t start[] = {0, face_corners(&page->view, mesh, face, pixels)};
    throng_outline outline = {pixels, start, 1};
    throng_hatch hatch = {throng_colour_fade(throng_style_group(1), 0.7f), 9 * u};
    if (!reached) {
        throng_canvas_fill_with(page->canvas, &outline, throng_hatch_paint, &hatch);
        return;
    }
    throng_canvas_fill(page->canvas, &outline, throng_colour_hex(face_tint(face)));
    throng_canvas_stroke(page->canvas, pixels, start[1], true, 0.8 * u,
                         throng_colour_fade(throng_colour_hex(THRONG_STYLE_LINE), 0.45f));
}

static bool draw_mesh(const throng_page *page, const throng_navmesh *mesh)
{
    throng_point *pixels = malloc(((size_t)mesh->edge_count + 1) * sizeof *pixels);
    int32_t *component = malloc(((size_t)mesh->component_count + 1) * sizeof *component);
    bool fine = pixels && component;
    if (fine)
        throng_navmesh_join_by_lifts(mesh, component);
    for (int32_t face = 0; fine && face < mesh->face_count; face++)
        draw_face(page, mesh, face, component[mesh->component[face]] == 0, pixels);
    free(pixels);
    free(component);
    return fine;
}

/* Faces lie over them. */
static bool draw_pillars(const throng_page *page, const throng_map *pillars)
{
    throng_point *pixels = throng_view_points(&page->view, pillars->points, pillars->point_count);
    if (!pixels)
        return false;
    throng_outline outline = {pixels, pillars->ring_start, pillars->ring_count};
    throng_canvas_fill(page->canvas, &outline, throng_colour_hex(THRONG_STYLE_WALL));
    free(pixels);
    return true;
}

static void draw_doors(const throng_page *page, const throng_map *map)
{
    for (int32_t i = 0; i < map->door_count; i++) {
        throng_point ends[2] = {throng_view_point(&page->view, map->doors[i].a.x, map->doors[i].a.y),
                                throng_view_point(&page->view, map->doors[i].b.x, map->doors[i].b.y)};
        throng_canvas_stroke(page->canvas, ends, 2, false, 5 * page->view.unit, throng_colour_hex(THRONG_STYLE_LINE));
    }
}

static throng_colour finding_colour(void) { return throng_style_group(1); }

/* A number on a disc above the place, left out where it would cover one before it. */
static void draw_pin(const throng_page *page, throng_point at, int32_t number, throng_point *pins, int32_t *count)
{
    double u = page->view.unit;
    char text[16];
    throng_point pin = {at.x, at.y - 20 * u};
    for (int32_t i = 0; i < *count; i++)
        if (fabs(pins[i].x - pin.x) < 26 * u && fabs(pins[i].y - pin.y) < 26 * u)
            return;
    pins[(*count)++] = pin;
    throng_lettering letters = throng_style_bold(13 * u, THRONG_STYLE_FREE, THRONG_ALIGN_CENTRE);
    throng_canvas_line(page->canvas, at.x, at.y, pin.x, pin.y, 2 * u, finding_colour());
    throng_canvas_disc(page->canvas, pin.x, pin.y, 13 * u, throng_colour_hex(THRONG_STYLE_FREE));
    throng_canvas_disc(page->canvas, pin.x, pin.y, 11.5 * u, finding_colour());
    snprintf(text, sizeof text, "%d", (int)number);
    throng_canvas_text(page->canvas, &letters, pin.x, pin.y + 4.6 * u, text);
}

static bool draw_findings(const throng_page *page, const throng_findings *findings)
{
    double u = page->view.unit;
    int32_t count = 0;
    throng_point *pins = malloc(((size_t)findings->count + 1) * sizeof *pins);
    for (int32_t i = 0; pins && i < findings->count; i++) {
        const throng_finding *f = &findings->list[i];
        if (isnan(f->at.x))
            continue;
        throng_point ends[2] = {throng_view_point(&page->view, f->at.x, f->at.y),
                                throng_view_point(&page->view, f->to.x, f->to.y)};
        throng_canvas_stroke(page->canvas, ends, 2, false, 5 * u, finding_colour());
    }
    for (int32_t i = 0; pins && i < findings->count; i++) {
        const throng_finding *f = &findings->list[i];
        if (!isnan(f->at.x))
            draw_pin(page, throng_view_point(&page->view, 0.5 * (f->at.x + f->to.x), 0.5 * (f->at.y + f->to.y)), i + 1,
                     pins, &count);
    }
    free(pins);
    return pins != NULL;
}

static const char *file_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path;
}

static void describe(char *text, size_t size, const throng_map *map, const throng_navmesh *mesh)
{
    throng_bounds b = map->bounds;
    int used = snprintf(text, size, "%.1f × %.1f m · %.0f m² free · %d wall segments", b.x1 - b.x0, b.y1 - b.y0,
                        map->area, map->point_count);
    if (map->region_count && used > 0 && (size_t)used < size)
        used += snprintf(text + used, size - (size_t)used, " · %d region%s", map->region_count,
                         map->region_count == 1 ? "" : "s");
    if (mesh && used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, " · %d face%s", mesh->face_count, mesh->face_count == 1 ? "" : "s");
}

static throng_legend map_legend(const throng_map *map, const throng_navmesh *mesh, const throng_findings *findings)
{
    throng_legend legend = {.count = 0};
    throng_page_map_legend(&legend, map, NULL);
    legend.entries[0].starts_group = true;
    if (map->door_count)
        throng_legend_add(
            &legend, (throng_legend_entry){THRONG_LEGEND_LINE, "door", throng_colour_hex(THRONG_STYLE_LINE), 5, false});
    if (findings->count)
        throng_legend_add(&legend, (throng_legend_entry){THRONG_LEGEND_AGENT, "to look at", finding_colour(), 0, true});
    if (!mesh)
        return legend;
    throng_legend_add(
        &legend, (throng_legend_entry){THRONG_LEGEND_AREA, "face of the mesh", throng_colour_hex(0xd3e4f0), 0, true});
    if (mesh->component_count > 1)
        throng_legend_add(&legend,
                          (throng_legend_entry){THRONG_LEGEND_HATCH, "not reachable", throng_style_group(1), 0, false});
    return legend;
}

bool throng_picture_map(const char *path, const throng_map *map, const struct throng_navmesh *mesh,
                        const throng_findings *findings, throng_error *error)
{
    char subtitle[256];
    describe(subtitle, sizeof subtitle, map, mesh);
    throng_page_head head = {file_name(map->name), subtitle, NULL};
    throng_legend legend = map_legend(map, mesh, findings);
    throng_page page;
    if (!throng_page_open(&page, &head, throng_page_map_bounds(map), &legend, 0, error))
        return throng_fail_in(error, "cannot draw '%s'", path);
    bool ok = throng_layer_ground(page.canvas, &page.view, map);
    ok = ok && (!mesh || draw_mesh(&page, mesh)) && (!mesh || !mesh->pillars || draw_pillars(&page, mesh->pillars));
    ok = ok && throng_layer_regions(page.canvas, &page.view, map, NULL, false) &&
         throng_layer_regions(page.canvas, &page.view, map, NULL, true);
    draw_doors(&page, map);
    ok = ok && draw_findings(&page, findings) && throng_layer_labels(page.canvas, &page.view, map, NULL);
    ok =
        ok ? throng_canvas_save(page.canvas, path, error) : throng_fail(error, "cannot draw '%s': out of memory", path);
    throng_canvas_destroy(page.canvas);
    return ok;
}
