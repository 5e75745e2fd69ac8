#include "record_wkt.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text_stream.h"
#include "map/geometry.h"

void throng_record_number(char text[32], double value)
{
    snprintf(text, 32, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, 32, "%.17g", value);
}

typedef struct ring {
    const throng_point *points;
    int32_t count;
    double area; /* m^2, negative for a hole */
} ring;

static ring map_ring(const throng_map *map, int32_t index)
{
    ring r = {map->points + map->ring_start[index], map->ring_start[index + 1] - map->ring_start[index], 0};
    for (int32_t i = 0; i < r.count; i++) {
        throng_point a = r.points[i], b = r.points[(i + 1) % r.count];
        r.area += 0.5 * (a.x * b.y - b.x * a.y);
    }
    return r;
}

/* A hole may touch its outer ring in a point, so one vertex does not decide:
 * most of them do. */
static bool ring_encloses(const ring *outer, const ring *hole)
{
    int32_t inside = 0;
    for (int32_t i = 0; i < hole->count; i++)
        inside += throng_polygon_holds(outer->points, outer->count, hole->points[i]);
    return 2 * inside > hole->count;
}

/* The smallest outer ring around each hole, in `owner`; an outer ring owns itself. */
static void assign_holes(const ring *rings, int32_t count, int32_t *owner)
{
    for (int32_t h = 0; h < count; h++) {
        owner[h] = rings[h].area > 0 ? h : -1;
        for (int32_t o = 0; rings[h].area <= 0 && o < count; o++)
            if (rings[o].area > -rings[h].area && (owner[h] < 0 || rings[o].area < rings[owner[h]].area) &&
                ring_encloses(&rings[o], &rings[h]))
                owner[h] = o;
    }
}

static void write_ring(FILE *out, const ring *r, const char *lead)
{
    fprintf(out, "%s(", lead);
    for (int32_t i = 0; i <= r->count; i++) {
        char x[32], y[32];
        throng_record_number(x, r->points[i % r->count].x);
        throng_record_number(y, r->points[i % r->count].y);
        fprintf(out, "%s%s %s", i ? ", " : "", x, y);
    }
    fputc(')', out);
}

static void write_polygon(FILE *out, const ring *rings, int32_t count, const int32_t *owner, int32_t outer)
{
    write_ring(out, &rings[outer], "(");
    for (int32_t h = 0; h < count; h++)
        if (h != outer && owner[h] == outer)
            write_ring(out, &rings[h], ", ");
    fputc(')', out);
}

static void write_polygons(FILE *out, const ring *rings, int32_t count, const int32_t *owner)
{
    int32_t pieces = 0;
    for (int32_t r = 0; r < count; r++)
        pieces += owner[r] == r;
    fputs(pieces == 1 ? "POLYGON " : pieces ? "MULTIPOLYGON (" : "POLYGON EMPTY", out);
    const char *lead = "";
    for (int32_t r = 0; r < count; r++) {
        if (owner[r] != r)
            continue;
        fputs(lead, out);
        write_polygon(out, rings, count, owner, r);
        lead = ", ";
    }
    fputs(pieces > 1 ? ")" : "", out);
}

char *throng_record_wkt(const throng_map *map)
{
    size_t room = (size_t)map->ring_count + 1, size;
    ring *rings = malloc(room * sizeof *rings);
    int32_t *owner = malloc(room * sizeof *owner);
    char *text = NULL;
    FILE *out = rings && owner ? throng_text_stream(&text, &size) : NULL;
    if (out) {
        for (int32_t r = 0; r < map->ring_count; r++)
            rings[r] = map_ring(map, r);
        assign_holes(rings, map->ring_count, owner);
        write_polygons(out, rings, map->ring_count, owner);
        fclose(out);
    }
    free(owner);
    free(rings);
    return text;
}
