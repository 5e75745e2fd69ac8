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

throng_export_spot throng_export_spot_of(const throng_export_source *source, int32_t floor, throng_point place)
{
    const throng_notes *notes = &source->notes;
    if (floor < 0)
        return (throng_export_spot){place.x, place.y, 0};
    double z = throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 2), middle[2], sheet[4] = {0};
    for (int32_t k = 0; k < 2; k++)
        middle[k] = (throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 3 + k) +
                     throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 5 + k)) /
                    2;
    /* Recordings of before there were these have floors side by side. */
    for (int32_t k = 0; k < 4 && floor < notes->tables[THRONG_NOTE_SHEET].rows; k++)
        sheet[k] = throng_note_number(notes, THRONG_NOTE_SHEET, floor, k);
    return (throng_export_spot){place.x - sheet[0], place.y - sheet[1],
                                z + sheet[2] * (place.x - middle[0]) + sheet[3] * (place.y - middle[1])};
}

bool throng_export_is_outline(const throng_map *map, int32_t r)
{
    return throng_ring_area(map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r]) > 0;
}
