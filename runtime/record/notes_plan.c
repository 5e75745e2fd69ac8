#include "notes_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text_stream.h"
#include "notes_sheets.h"
#include "record_wkt.h"

/* ---- written */

static bool add_region(throng_notes *notes, const throng_region *region, throng_error *error)
{
    char *wkt = NULL, x[32], y[32];
    size_t size;
    FILE *text = throng_text_stream(&wkt, &size);
    if (!text)
        return throng_fail(error, "out of memory for the regions of a recording");
    fputs("POLYGON ((", text);
    for (int32_t i = 0; i <= region->count; i++) {
        throng_record_number(x, region->points[i % region->count].x);
        throng_record_number(y, region->points[i % region->count].y);
        fprintf(text, "%s%s %s", i ? ", " : "", x, y);
    }
    fputs("))", text);
    bool ok = fclose(text) == 0 ? THRONG_NOTE_ADD(notes, THRONG_NOTE_REGION, error, {.text = region->name},
                                                  {.text = region->group ? region->group : ""}, {.text = wkt})
                                : throng_fail(error, "out of memory for the regions of a recording");
    free(wkt);
    return ok;
}

bool throng_notes_plan(throng_notes *notes, const throng_map *map, throng_error *error)
{
    for (int32_t r = 0; map && r < map->region_count; r++)
        if (!add_region(notes, &map->regions[r], error))
            return false;
    return throng_notes_sheets(notes, map, error);
}

/* ---- read back */

/* Of "POLYGON ((x y, ...))", its first ring; the last point is the first one again. */
static bool read_ring(const char *wkt, throng_point **points, int32_t *count)
{
    static const char head[] = "POLYGON ((";
    int32_t room = 0;
    char *after;
    *points = NULL;
    *count = 0;
    if (strncmp(wkt, head, sizeof head - 1) != 0)
        return false;
    for (wkt += sizeof head - 1;; wkt = after + strspn(after, ", ")) {
        throng_point p = {strtod(wkt, &after), 0};
        const char *middle = after;
        p.y = strtod(middle, &after);
        if (after == middle || !isfinite(p.x) || !isfinite(p.y) ||
            !throng_array_reserve((void **)points, &room, (int64_t)*count + 1, sizeof **points))
            return false;
        (*points)[(*count)++] = p;
        if (*after == ')')
            break;
        if (*after != ',')
            return false;
    }
    return --*count >= 3;
}

static bool give_layer(throng_map *map, const char *layer)
{
    throng_region *last = &map->regions[map->region_count - 1];
    return !*layer || (last->group = strdup(layer)) != NULL;
}

bool throng_notes_add_regions(const throng_notes *notes, throng_map *map, throng_error *error)
{
    bool ok = true;
    for (int32_t r = 0; ok && r < notes->tables[THRONG_NOTE_REGION].rows; r++) {
        const char *name = throng_note_text(notes, THRONG_NOTE_REGION, r, 0);
        throng_point *points;
        int32_t count;
        ok = read_ring(throng_note_text(notes, THRONG_NOTE_REGION, r, 2), &points, &count)
                 ? throng_map_add_region(map, name, points, count, error) &&
                       (give_layer(map, throng_note_text(notes, THRONG_NOTE_REGION, r, 1)) ||
                        throng_fail(error, "out of memory for regions"))
                 : throng_fail(error, "region '%.80s' is no polygon: expected \"POLYGON ((x y, ...))\"", name);
        free(points);
    }
    return ok;
}

static bool has_place(const throng_door_turn *turn)
{
    return isfinite(turn->a.x) && isfinite(turn->a.y) && isfinite(turn->b.x) && isfinite(turn->b.y);
}

static throng_door_turn door_turn(const throng_notes *notes, int32_t row)
{
    double c[6];
    for (int32_t k = 0; k < 6; k++)
        c[k] = throng_note_number(notes, THRONG_NOTE_DOOR, row, k);
    throng_door_turn turn = {.time = c[0], .open = c[1] > 0, .a = {c[2], c[3]}, .b = {c[4], c[5]}};
    snprintf(turn.name, sizeof turn.name, "%s", throng_note_text(notes, THRONG_NOTE_DOOR, row, 6));
    return turn;
}

bool throng_notes_doors(const throng_notes *notes, throng_door_turn **turns, int32_t *count, throng_error *error)
{
    *count = notes->tables[THRONG_NOTE_DOOR].rows;
    *turns = *count ? malloc((size_t)*count * sizeof **turns) : NULL;
    if (*count && !*turns)
        return throng_fail(error, "out of memory for %d doors", *count);
    for (int32_t i = 0; i < *count; i++) {
        (*turns)[i] = door_turn(notes, i);
        bool placed = has_place(&(*turns)[i]);
        if (!placed || !isfinite((*turns)[i].time) || (i && (*turns)[i].time < (*turns)[i - 1].time)) {
            free(*turns);
            *turns = NULL;
            return throng_fail(error, placed ? "what the doors did is not in order of time"
                                             : "what the doors did is told of a door that is nowhere");
        }
    }
    return true;
}
