#include <math.h>

#include "export_parts.h"
#include "map/ring_list.h"

/* m: how far a place is from the box of a floor. */
static double beyond(const throng_notes *notes, int32_t floor, throng_point p)
{
    double box[4];
    for (int32_t k = 0; k < 4; k++)
        box[k] = throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 3 + k);
    return fmax(fmax(box[0] - p.x, p.x - box[2]), fmax(box[1] - p.y, p.y - box[3]));
}

int32_t throng_export_floor_at(const throng_export_source *source, throng_point place)
{
    int32_t nearest = -1;
    double least = INFINITY;
    for (int32_t f = 0; f < source->notes.tables[THRONG_NOTE_FLOOR].rows; f++) {
        double far = fmax(0, beyond(&source->notes, f, place));
        nearest = far < least ? f : nearest;
        least = fmin(least, far);
    }
    return nearest;
}

bool throng_export_is_outline(const throng_map *map, int32_t r)
{
    return throng_ring_area(map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r]) > 0;
}
