/* A collection of features (RFC 7946): the plan, and a point a person and moment, whose property `time` is what QGIS's
 * temporal controller goes by. Without a place on the Earth coordinates are metres. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "export_parts.h"
#include "record/notes_plan.h"

typedef struct geojson {
    const throng_export_source *source;
    FILE *file;
    bool filled;        /* a comma is due */
    double east, north; /* degrees a metre; 0: metres */
} geojson;

/* WGS 84's radii of curvature where the plan lies, which is small: 1 km from there a place is right to .1 m. */
static void find_place(geojson *out, const double *place)
{
    static const double axis = 6378137, squash = 0.00669437999014, radian = 57.29577951308232;
    double s = sin(place[1] / radian), w = 1 - squash * s * s;
    out->east = radian / (axis / sqrt(w) * cos(place[1] / radian));
    out->north = radian / (axis * (1 - squash) / (w * sqrt(w)));
}

static void write_spot(const geojson *out, throng_noted_spot p)
{
    const double *place = out->source->def->place;
    if (place)
        fprintf(out->file, "[%.9f, %.9f", place[0] + p.x * out->east, place[1] + p.y * out->north);
    else
        fprintf(out->file, "[%.9g, %.9g", p.x, p.y);
    if (throng_export_has_floors(out->source))
        fprintf(out->file, ", %.6g", p.z);
    fputc(']', out->file);
}

/* ---- features: coordinates stand between the two */

static void begin(geojson *out, const char *type)
{
    fprintf(out->file,
            "%s\n{\"type\": \"Feature\", \"geometry\": {\"type\": \"%s\", \"coordinates\": ", out->filled ? "," : "",
            type);
    out->filled = true;
}

static throng_json begin_properties(const geojson *out, const char *kind)
{
    fputs("}, \"properties\": ", out->file);
    throng_json json = throng_json_open(out->file);
    throng_json_text(&json, "kind", kind);
    return json;
}

static void end(const geojson *out, throng_json *json)
{
    throng_json_close(json);
    fputc('}', out->file);
}

static void put_floor(const geojson *out, throng_json *json, int32_t floor)
{
    if (floor >= 0)
        throng_json_text(json, "floor", throng_export_floor(out->source, floor));
}

/* ---- the plan */

static void write_ring(const geojson *out, int32_t floor, const throng_point *points, int32_t count)
{
    fputc('[', out->file);
    for (int32_t i = 0; i <= count; i++) {
        fputs(i ? ", " : "", out->file);
        write_spot(out, throng_noted_spot_of(&out->source->notes, floor, points[i % count]));
    }
    fputc(']', out->file);
}

/* The outline r and its holes; the ring after them. */
static int32_t write_outline(geojson *out, const throng_map *map, int32_t r)
{
    int32_t floor = throng_export_floor_at(out->source, map->points[map->ring_start[r]]);
    begin(out, "Polygon");
    for (int32_t hole = 0; hole == 0 || (r < map->ring_count && !throng_export_is_outline(map, r)); hole++, r++) {
        fputs(hole ? ", " : "[", out->file);
        write_ring(out, floor, map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r]);
    }
    fputc(']', out->file);
    throng_json json = begin_properties(out, "plan");
    put_floor(out, &json, floor);
    end(out, &json);
    return r;
}

static void write_region(geojson *out, const throng_region *region)
{
    int32_t floor = throng_export_floor_at(out->source, region->points[0]);
    begin(out, "Polygon");
    fputc('[', out->file);
    write_ring(out, floor, region->points, region->count);
    fputc(']', out->file);
    throng_json json = begin_properties(out, "region");
    throng_json_text(&json, "name", region->name);
    put_floor(out, &json, floor);
    end(out, &json);
}

static void write_door(geojson *out, const throng_door_turn *turn)
{
    int32_t floor = throng_export_floor_at(out->source, turn->a);
    begin(out, "LineString");
    fputc('[', out->file);
    write_spot(out, throng_noted_spot_of(&out->source->notes, floor, turn->a));
    fputs(", ", out->file);
    write_spot(out, throng_noted_spot_of(&out->source->notes, floor, turn->b));
    fputc(']', out->file);
    throng_json json = begin_properties(out, "door");
    throng_json_text(&json, "name", turn->name);
    throng_json_number(&json, "time", turn->time);
    throng_json_bool(&json, "open", turn->open);
    put_floor(out, &json, floor);
    end(out, &json);
}

static bool write_plan(geojson *out, throng_error *error)
{
    const throng_map *map = out->source->map;
    throng_door_turn *turns;
    int32_t count;
    if (!throng_notes_doors(&out->source->notes, &turns, &count, error))
        return false;
    for (int32_t r = 0; map && r < map->ring_count;)
        r = write_outline(out, map, r);
    for (int32_t i = 0; map && i < map->region_count; i++)
        write_region(out, &map->regions[i]);
    for (int32_t i = 0; i < count; i++)
        write_door(out, &turns[i]);
    free(turns);
    return true;
}

/* ---- people */

static void write_person(geojson *out, const throng_export_moment *moment, int32_t i)
{
    const throng_export_person *p = &moment->people[i];
    begin(out, "Point");
    write_spot(out, (throng_noted_spot){p->x, p->y, p->z});
    throng_json json = begin_properties(out, "person");
    throng_json_number(&json, "time", moment->time);
    throng_json_whole(&json, "id", p->id);
    throng_json_text(&json, "group", p->group < 0 ? NULL : throng_export_group(out->source, p->group));
    put_floor(out, &json, p->floor);
    throng_json_number(&json, "speed", p->speed);
    throng_json_number(&json, "radius", p->radius);
    throng_json_number(&json, "heading", fmod(atan2(p->hx, p->hy) * 57.29577951308232 + 360, 360));
    for (int32_t k = 0; k < out->source->columns.own.count; k++)
        throng_json_number(&json, out->source->columns.own.name[k], (double)moment->own[k][i]);
    end(out, &json);
}

bool throng_export_geojson(throng_export_source *source, throng_output *output, throng_error *error)
{
    geojson out = {.source = source, .file = throng_output_stream(output)};
    const throng_export_moment *moment;
    if (source->def->place)
        find_place(&out, source->def->place);
    fputs("{\"type\": \"FeatureCollection\", \"features\": [", out.file);
    if (!write_plan(&out, error))
        return false;
    do {
        if (!throng_export_next(source, &moment, error))
            return false;
        for (int32_t i = 0; moment && i < moment->count; i++)
            write_person(&out, moment, i);
    } while (moment && !throng_export_stopped(output));
    fputs("\n]}\n", out.file);
    return true;
}
