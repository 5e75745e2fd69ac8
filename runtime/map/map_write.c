#include "map_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring_list.h"
#include "map_write_parts.h"
#include "base/file.h"
#include "base/output.h"

/* --- well-known text */

static void put_ring(FILE *out, const throng_map *map, int32_t ring)
{
    int32_t start = map->ring_start[ring], count = map->ring_start[ring + 1] - start;
    fputc('(', out);
    for (int32_t i = 0; i <= count; i++) {
        throng_point p = map->points[start + i % count];
        fputs(i ? ", " : "", out);
        throng_write_number(out, p.x);
        fputc(' ', out);
        throng_write_number(out, p.y);
    }
    fputc(')', out);
}

static bool is_outer(const throng_map *map, int32_t ring)
{
    int32_t start = map->ring_start[ring];
    return throng_ring_area(map->points + start, map->ring_start[ring + 1] - start) > 0;
}

static bool write_wkt(FILE *out, const throng_map *map, throng_error *error)
{
    int32_t outer = 0;
    (void)error;
    for (int32_t r = 0; r < map->ring_count; r++)
        outer += is_outer(map, r);
    fputs(outer > 1 ? "MULTIPOLYGON (" : "POLYGON ", out);
    for (int32_t r = 0; r < map->ring_count; r++) {
        bool begins = is_outer(map, r);
        fputs(r == 0 ? "(" : begins ? "), (" : ", ", out);
        put_ring(out, map, r);
    }
    fputs(outer > 1 ? "))\n" : ")\n", out);
    return true;
}

/* --- the file */

typedef bool writer(FILE *out, const throng_map *map, throng_error *error);

bool throng_map_write(const char *path, const throng_map *map, throng_error *error)
{
    bool xml = throng_file_ends_in(path, ".xml");
    writer *write = xml ? throng_map_write_xml : throng_file_ends_in(path, ".wkt") ? write_wkt : NULL;
    if (!write)
        return throng_fail(error, "cannot write '%s': a map is written as .xml or .wkt", path);
    if (map->sheets && !xml)
        return throng_fail(
            error, "cannot write '%s': the map is a building, whose floors .wkt does not hold: give .xml", path);
    if (map->open)
        return throng_fail(error, "cannot write '%s': the map is open, its floor has no end; give it a boundary", path);
    throng_output *output = throng_output_begin(path, error);
    if (!output)
        return false;
    if (write(throng_output_stream(output), map, error))
        return throng_output_commit(output, error);
    throng_output_discard(output);
    return false;
}
