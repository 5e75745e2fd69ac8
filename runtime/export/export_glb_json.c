#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/version.h"
#include "export_glb.h"
#include "picture/picture_style.h"

/* glTF's numbers for types. */
enum { FLOAT = 5126, SHORT = 5123, VERTICES = 34962, INDICES = 34963 };
/* The pieces of the binary part, by number; accessors: those of the figure, of each person, and of the plan. */
enum { VIEW_POINTS, VIEW_NORMALS, VIEW_INDICES, VIEW_TIMES, VIEW_TRACKS, VIEW_PLAN };
enum { FIGURE = 3, EACH = 5 };

static double linear(float c) { return c <= 0.04045f ? (double)c / 12.92 : pow(((double)c + 0.055) / 1.055, 2.4); }

static void write_material(FILE *json, const char *name, throng_colour c, bool thin)
{
    fputs("{\"name\": ", json);
    throng_json_quote(json, name);
    fprintf(json,
            ", \"pbrMetallicRoughness\": {\"baseColorFactor\": [%.4f, %.4f, %.4f, 1], \"metallicFactor\": 0, "
            "\"roughnessFactor\": 0.8}%s}",
            linear(c.r), linear(c.g), linear(c.b), thin ? ", \"doubleSided\": true" : "");
}

static throng_colour colour_of(const throng_glb *g, int32_t group)
{
    const char *colour = group < 0 ? "" : throng_note_text(&g->source->notes, THRONG_NOTE_GROUP, group, 2);
    return *colour == '#' ? throng_colour_hex((uint32_t)strtoul(colour + 1, NULL, 16))
                          : throng_style_group(group < 0 ? 0 : group);
}

static const char *name_of(const throng_glb *g, int32_t group)
{
    const char *name = throng_export_group(g->source, group);
    return *name ? name : "people";
}

/* In the order of the meshes' numbers; the plan is the last. */
static void write_materials(FILE *json, const throng_glb *g)
{
    int32_t groups = g->source->notes.tables[THRONG_NOTE_GROUP].rows;
    for (int32_t m = 0; m < g->meshes; m++)
        for (int32_t i = 0; i <= groups; i++)
            if (g->mesh_of[i] == m) {
                fputs(m ? ",\n" : "", json);
                write_material(json, name_of(g, i < groups ? i : -1), colour_of(g, i < groups ? i : -1), false);
            }
    if (g->plan.count) {
        fputs(g->meshes ? ",\n" : "", json);
        write_material(json, "plan", throng_colour_hex(THRONG_STYLE_SOLID), true);
    }
}

static void write_meshes(FILE *json, const throng_glb *g)
{
    for (int32_t m = 0; m < g->meshes; m++)
        fprintf(json,
                "%s{\"primitives\": [{\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1}, \"indices\": 2, \"material\": "
                "%d}]}",
                m ? ",\n" : "", m);
    if (g->plan.count)
        fprintf(json,
                "%s{\"name\": \"plan\", \"primitives\": [{\"attributes\": {\"POSITION\": %d}, \"material\": %d}]}",
                g->meshes ? ",\n" : "", FIGURE + EACH * g->tracks.count, g->meshes);
}

static void write_nodes(FILE *json, const throng_glb *g)
{
    int32_t groups = g->source->notes.tables[THRONG_NOTE_GROUP].rows;
    for (int32_t i = 0; i < g->tracks.count; i++) {
        const throng_export_track *t = &g->tracks.list[i];
        char name[300];
        snprintf(name, sizeof name, "%.250s %d", name_of(g, t->group), t->id);
        fputs(i ? ",\n{\"name\": " : "{\"name\": ", json);
        throng_json_quote(json, name);
        fprintf(json, ", \"mesh\": %d, \"translation\": [%.9g, %.9g, %.9g], \"scale\": [%.9g, 1, %.9g]}",
                g->mesh_of[t->group < 0 ? groups : t->group], t->at.x, t->at.z, -t->at.y, throng_glb_width(t),
                throng_glb_width(t));
    }
    if (g->plan.count)
        fprintf(json, "%s{\"name\": \"plan\", \"mesh\": %d}", g->tracks.count ? ",\n" : "", g->meshes);
}

static void write_animation(FILE *json, const throng_glb *g)
{
    static const char *const paths[] = {"translation", "rotation", "scale"};
    fputs("\"animations\": [{\"name\": \"walk\", \"samplers\": [\n", json);
    for (int32_t t = 0; t < g->tracks.count; t++) {
        int32_t a = FIGURE + EACH * t;
        fprintf(json,
                "%s{\"input\": %d, \"output\": %d}, {\"input\": %d, \"output\": %d}, {\"input\": %d, \"output\": %d, "
                "\"interpolation\": \"STEP\"}",
                t ? ",\n" : "", a, a + 1, a, a + 2, a + 3, a + 4);
    }
    fputs("], \"channels\": [\n", json);
    for (int32_t c = 0; c < 3 * g->tracks.count; c++)
        fprintf(json, "%s{\"sampler\": %d, \"target\": {\"node\": %d, \"path\": \"%s\"}}", c ? ",\n" : "", c, c / 3,
                paths[c % 3]);
    fputs("]}],\n", json);
}

/* Without the range, if `range` is NULL. */
static void write_accessor(FILE *json, int view, uint64_t at, int type, int32_t count, const char *shape,
                           const char *range)
{
    fprintf(json,
            "{\"bufferView\": %d, \"byteOffset\": %llu, \"componentType\": %d, \"count\": %d, \"type\": \"%s\"%s%s}",
            view, (unsigned long long)at, type, count, shape, range ? ", " : "", range ? range : "");
}

typedef struct box {
    float low[3], high[3];
} box;

static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void grow(box *b, const float point[3])
{
    for (int k = 0; k < 3; k++) {
        b->low[k] = fminf(b->low[k], point[k]);
        b->high[k] = fmaxf(b->high[k], point[k]);
    }
}

static const char *range_of(const box *b, char text[256])
{
    snprintf(text, 256, "\"min\": [%.9g, %.9g, %.9g], \"max\": [%.9g, %.9g, %.9g]", (double)b->low[0],
             (double)b->low[1], (double)b->low[2], (double)b->high[0], (double)b->high[1], (double)b->high[2]);
    return text;
}

static const char *range_of_figure(const throng_figure *figure, char text[256])
{
    box b = nothing;
    for (int32_t i = 0; i < THRONG_FIGURE_POINTS; i++)
        grow(&b, figure->points[i]);
    return range_of(&b, text);
}

static const char *range_of_plan(const throng_glb *g, char text[256])
{
    box b = nothing;
    for (int32_t i = 0; i < 3 * g->plan.count; i++) {
        float point[3];
        throng_glb_corner(g, i, point);
        grow(&b, point);
    }
    return range_of(&b, text);
}

static void write_person_accessors(FILE *json, const throng_glb *g, const throng_export_track *t)
{
    char range[80];
    int32_t moment[THRONG_GLB_SIZES], count = throng_glb_keys(t);
    int size[THRONG_GLB_SIZES];
    int32_t sizes = throng_glb_sizes(g, t, moment, size);
    const float *times = g->tracks.times;
    snprintf(range, sizeof range, "\"min\": [%.9g], \"max\": [%.9g]", (double)times[t->first], (double)times[t->last]);
    fputs(",\n", json);
    write_accessor(json, VIEW_TIMES, (uint64_t)t->first * sizeof(float), FLOAT, count, "SCALAR", range);
    fputs(", ", json);
    write_accessor(json, VIEW_TRACKS, t->offset + THRONG_GLB_VISIBLE, FLOAT, count, "VEC3", NULL);
    fputs(", ", json);
    write_accessor(json, VIEW_TRACKS, t->offset + THRONG_GLB_VISIBLE + (uint64_t)count * THRONG_GLB_MOVE, FLOAT, count,
                   "VEC4", NULL);
    snprintf(range, sizeof range, "\"min\": [%.9g], \"max\": [%.9g]", (double)times[moment[0]],
             (double)times[moment[sizes - 1]]);
    fputs(", ", json);
    write_accessor(json, VIEW_TRACKS, t->offset, FLOAT, sizes, "SCALAR", range);
    fputs(", ", json);
    write_accessor(json, VIEW_TRACKS, t->offset + THRONG_GLB_SIZES * sizeof(float), FLOAT, sizes, "VEC3", NULL);
}

static void write_accessors(FILE *json, const throng_glb *g)
{
    char range[256];
    fputs("\"accessors\": [\n", json);
    write_accessor(json, VIEW_POINTS, 0, FLOAT, THRONG_FIGURE_POINTS, "VEC3", range_of_figure(&g->figure, range));
    fputs(", ", json);
    write_accessor(json, VIEW_NORMALS, 0, FLOAT, THRONG_FIGURE_POINTS, "VEC3", NULL);
    fputs(", ", json);
    write_accessor(json, VIEW_INDICES, 0, SHORT, THRONG_FIGURE_INDICES, "SCALAR", NULL);
    for (int32_t t = 0; t < g->tracks.count; t++)
        write_person_accessors(json, g, &g->tracks.list[t]);
    if (g->plan.count) {
        fputs(",\n", json);
        write_accessor(json, VIEW_PLAN, 0, FLOAT, 3 * g->plan.count, "VEC3", range_of_plan(g, range));
    }
    fputs("],\n", json);
}

static void write_view(FILE *json, uint64_t at, uint64_t bytes, int target)
{
    fprintf(json, "%s{\"buffer\": 0, \"byteOffset\": %llu, \"byteLength\": %llu", at ? ", " : "",
            (unsigned long long)at, (unsigned long long)bytes);
    if (target)
        fprintf(json, ", \"target\": %d", target);
    fputc('}', json);
}

static void write_views(FILE *json, const throng_glb *g)
{
    const throng_figure *f = &g->figure;
    fputs("\"bufferViews\": [", json);
    write_view(json, offsetof(throng_figure, points), sizeof f->points, VERTICES);
    write_view(json, offsetof(throng_figure, normals), sizeof f->normals, VERTICES);
    write_view(json, offsetof(throng_figure, indices), sizeof f->indices, INDICES);
    write_view(json, g->times_at, g->tracks_at - g->times_at, 0);
    write_view(json, g->tracks_at, g->plan_at - g->tracks_at, 0);
    if (g->plan.count)
        write_view(json, g->plan_at, g->size - g->plan_at, VERTICES);
    fprintf(json, "],\n\"buffers\": [{\"byteLength\": %llu}]}", (unsigned long long)g->size);
}

void throng_glb_describe(FILE *json, const throng_glb *g)
{
    int32_t nodes = g->tracks.count + (g->plan.count > 0);
    fprintf(json,
            "{\"asset\": {\"version\": \"2.0\", \"generator\": \"throng %s\"}, \"scene\": 0, \"scenes\": "
            "[{\"nodes\": [",
            THRONG_VERSION);
    for (int32_t n = 0; n < nodes; n++)
        fprintf(json, "%s%d", n ? "," : "", n);
    fputs("]}],\n\"nodes\": [", json);
    write_nodes(json, g);
    fputs("],\n\"materials\": [", json);
    write_materials(json, g);
    fputs("],\n\"meshes\": [", json);
    write_meshes(json, g);
    fputs("],\n", json);
    write_animation(json, g);
    write_accessors(json, g);
    write_views(json, g);
}
