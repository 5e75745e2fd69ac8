/* What page_floors.js draws of a building: seams, flights and lifts, at their places on the map. */
#include <math.h>
#include <stdlib.h>

#include "map/map_floor.h"
#include "record/notes_lifts.h"
#include "report_parts.h"

static void write_place(FILE *file, const throng_map *map, int32_t sheet, throng_point position, const char *between)
{
    throng_point at = throng_map_place(map, sheet, position);
    fprintf(file, "%s%.10g,%.10g", between, at.x, at.y);
}

/* Each line where floors and flights meet, on both sides. */
static void write_seams(FILE *file, const throng_map *map)
{
    const throng_map_sheets *s = map->sheets;
    const char *between = "";
    for (int32_t q = 0; q < s->seam_count; q++)
        for (int side = 0; !s->seams[q].inside && side < 2; side++) {
            int32_t sheet = side ? s->seams[q].right : s->seams[q].left;
            fprintf(file, "%s[", between);
            write_place(file, map, sheet, s->seams[q].a, "");
            write_place(file, map, sheet, s->seams[q].b, ",");
            fputc(']', file);
            between = ",";
        }
}

/* The corners of each flight, from its foot to its head; how fast its belt is as the run begins, m/s. */
static void write_flights(FILE *file, const throng_map *map)
{
    const throng_map_sheets *s = map->sheets;
    const char *between = "";
    for (int32_t q = 1; q + 1 < s->seam_count; q++) {
        if (!s->seams[q].inside)
            continue;
        int32_t sheet = s->seams[q].left;
        fprintf(file, "%s{\"belt\": %.6g, \"corners\": [", between, s->list[sheet].belt);
        write_place(file, map, sheet, s->seams[q - 1].a, "");
        write_place(file, map, sheet, s->seams[q - 1].b, ",");
        write_place(file, map, sheet, s->seams[q + 1].b, ",");
        write_place(file, map, sheet, s->seams[q + 1].a, ",");
        fputs("]}", file);
        between = ",";
    }
}

static void write_lift(FILE *file, const throng_map *map, int32_t lift)
{
    const throng_map_sheets *s = map->sheets;
    const throng_map_lift *l = &s->lifts[lift];
    fprintf(file, "%s{\"capacity\": %d, \"name\": ", lift ? ", " : "", l->capacity);
    throng_report_json(file, s->list[s->stops[l->first].sheet].name);
    fputs(", \"stops\": [", file);
    for (int32_t i = l->first; i < l->first + l->count; i++) {
        int32_t floor = s->stops[i].floor;
        double side = l->width / 2;
        write_place(file, map, floor, throng_lift_point(l, 0, side), i > l->first ? ",[" : "[");
        write_place(file, map, floor, throng_lift_point(l, l->depth, side), ",");
        write_place(file, map, floor, throng_lift_point(l, l->depth, -side), ",");
        write_place(file, map, floor, throng_lift_point(l, 0, -side), ",");
        fputc(']', file);
    }
    fputs("]}", file);
}

void throng_report_floors(FILE *file, const throng_map *map)
{
    bool built = map && map->sheets;
    fputs("\"seams\": [", file);
    if (built)
        write_seams(file, map);
    fputs("], \"flights\": [", file);
    if (built)
        write_flights(file, map);
    fputs("], \"lifts\": [", file);
    for (int32_t l = 0; built && l < map->sheets->lift_count; l++)
        write_lift(file, map, l);
    fputs("]", file);
}

/* [s, stop, going, riders, in service ...], when one of these changes. */
static void write_moves(FILE *file, const throng_map *map, int32_t lift, const throng_noted_car *cars, int32_t count)
{
    throng_plan_car before = {.stop = -1};
    for (int32_t i = 0; i < count; i++) {
        if (cars[i].lift != lift)
            continue;
        throng_plan_car now = throng_car_of(map->sheets, lift, &cars[i].state);
        if (now.stop == before.stop && now.going == before.going && now.riders == before.riders &&
            now.in_service == before.in_service)
            continue;
        fprintf(file, "%s%.6g,%d,%d,%d,%d", before.stop < 0 ? "" : ",", cars[i].time,
                now.stop - map->sheets->lifts[lift].first, now.going, now.riders, now.in_service);
        before = now;
    }
}

void throng_report_cars(FILE *file, const throng_report *report)
{
    const throng_map *map = report->map;
    throng_noted_car *cars;
    int32_t count;
    throng_error error;
    if (!throng_notes_cars(&report->notes, map, &cars, &count, &error))
        count = 0; /* a recording that is damaged there shows no cars */
    fputs("\"cars\": [", file);
    for (int32_t l = 0; map && map->sheets && l < map->sheets->lift_count; l++) {
        fputs(l ? ",[" : "[", file);
        write_moves(file, map, l, cars, count);
        fputc(']', file);
    }
    fputs("]", file);
    free(cars);
}
