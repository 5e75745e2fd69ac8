/* What page_reading.js reads. Its places are packed; all else is JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_floor.h"
#include "picture/picture_layers.h"
#include "report_parts.h"

static void write_points(FILE *file, const throng_point *points, int32_t count)
{
    fputc('[', file);
    for (int32_t i = 0; i < count; i++)
        fprintf(file, "%s%.10g,%.10g", i ? "," : "", points[i].x, points[i].y);
    fputc(']', file);
}

void throng_report_plan(FILE *file, const throng_map *map)
{
    fprintf(file, "\"open\": %s, \"rings\": [", !map || map->open ? "true" : "false");
    for (int32_t r = 0; map && r < map->ring_count; r++) {
        fputs(r ? "," : "", file);
        write_points(file, map->points + map->ring_start[r], map->ring_start[r + 1] - map->ring_start[r]);
    }
    fputs("], \"regions\": [", file);
    for (int32_t r = 0; map && r < map->region_count; r++) {
        fprintf(file, "%s{\"exit\": %s, \"part\": %s, \"name\": ", r ? ", " : "",
                throng_region_is_exit(map, r, NULL) ? "true" : "false",
                throng_map_is_part_region(map, r) ? "true" : "false");
        throng_report_json(file, map->regions[r].name);
        fputs(", \"points\": ", file);
        write_points(file, map->regions[r].points, map->regions[r].count);
        fputc('}', file);
    }
    fputs("], ", file);
    throng_report_floors(file, map);
}

/* With the times at which each turned: [s, open, s, open ...]. */
static void write_doors(FILE *file, const throng_report *report)
{
    const throng_map *map = report->map;
    fputs("\"doors\": [", file);
    for (int32_t d = 0; map && d < map->door_count; d++) {
        const throng_door *door = &map->doors[d];
        fprintf(file, "%s{\"name\": ", d ? ", " : "");
        throng_report_json(file, door->name);
        fprintf(file, "%s, \"line\": [%.10g,%.10g,%.10g,%.10g], \"turns\": [",
                throng_door_is_lift(map, d) ? ", \"lift\": true" : "", door->a.x, door->a.y, door->b.x, door->b.y);
        bool any = false;
        for (int32_t i = 0; i < report->turn_count; i++)
            if (strcmp(report->turns[i].name, door->name) == 0) {
                fprintf(file, "%s%.9g,%d", any ? "," : "", report->turns[i].time, report->turns[i].open);
                any = true;
            }
        fputs("]}", file);
    }
    fputs("]", file);
}

static void write_shape(FILE *file, const throng_body_form *shape)
{
    if (shape->radius > 0)
        fprintf(file, "%.6g", shape->radius);
    else
        write_points(file, shape->corner, shape->count);
}

/* A list a body of [s, x, y, angle, s, x, ...]; a body that is gone has nulls from then on. */
static void write_bodies(FILE *file, const throng_body_log *log)
{
    fputs("\"bodies\": [", file);
    int32_t *next = calloc((size_t)log->count + 1, sizeof *next),
            *first = calloc((size_t)log->bodies + 1, sizeof *first);
    for (int32_t b = 0; first && b < log->bodies; b++)
        first[b] = -1;
    for (int32_t m = log->count - 1; next && first && m >= 0; m--) {
        next[m] = first[log->moves[m].body];
        first[log->moves[m].body] = m;
    }
    for (int32_t b = 0; next && first && b < log->bodies; b++) {
        fprintf(file, "%s{\"shape\": ", b ? ", " : "");
        write_shape(file, &log->shapes[b]);
        fputs(", \"moves\": [", file);
        for (int32_t m = first[b]; m >= 0; m = next[m]) {
            const throng_body_move *move = &log->moves[m];
            fprintf(file, move->gone ? "%s%.6g,null,0,0" : "%s%.6g,%.3f,%.3f,%.3f", m == first[b] ? "" : ",",
                    move->time, move->x, move->y, move->angle);
        }
        fputs("]}", file);
    }
    free(next);
    free(first);
    fputs("]", file);
}

/* For each, ascending by id: how much more the id is than the last one (the first: than 0), the group, the radius in
 * mm. */
static void write_people(FILE *file, const throng_report *report)
{
    throng_report_bytes bytes = {0};
    int32_t before = 0;
    for (int32_t p = 0; p < report->people.count; p++) {
        int32_t id = report->people.list[p].id;
        throng_report_add_signed(&bytes, (int32_t)((uint32_t)id - (uint32_t)before));
        throng_report_noted noted = report->noted[p];
        throng_report_add(&bytes, (uint32_t)noted.group);
        throng_report_add(&bytes, (uint32_t)llround(1000 * (double)noted.radius));
        before = id;
    }
    fprintf(file, "\"people\": {\"count\": %d, \"packed\": \"", report->people.count);
    throng_report_base64(file, bytes.list, bytes.count);
    fputs("\"}", file);
    free(bytes.list);
}

/* [s, id, number] each, -1 for none; numbers that have no name are passed over. */
static void write_changes(FILE *file, const throng_notes *notes, throng_note table, int32_t named)
{
    const char *between = "";
    for (int32_t i = 0; i < notes->tables[table].rows; i++) {
        double to = throng_note_number(notes, table, i, 2);
        if (to >= named || !isfinite(throng_note_number(notes, table, i, 0)))
            continue;
        fprintf(file, "%s[%.6g,%.0f,%.0f]", between, throng_note_number(notes, table, i, 0),
                throng_note_number(notes, table, i, 1), to >= 0 ? to : -1);
        between = ",";
    }
}

static void write_groups(FILE *file, const throng_report *report)
{
    fputs("\"groups\": [", file);
    for (int32_t g = 0; g < throng_report_group_count(report); g++) {
        fputs(g ? ", " : "", file);
        throng_report_json(file, throng_report_group_name(report, g));
    }
    fputs("], \"colours\": [", file);
    for (int32_t g = 0; g < report->notes.tables[THRONG_NOTE_GROUP].rows; g++) {
        fputs(g ? ", " : "", file);
        throng_report_json(file, throng_note_text(&report->notes, THRONG_NOTE_GROUP, g, 2));
    }
    fputs("], \"turns\": [", file);
    write_changes(file, &report->notes, THRONG_NOTE_TURN, throng_report_group_count(report));
    fputs("], \"states\": [", file);
    int32_t states = report->notes.tables[THRONG_NOTE_STATE].rows;
    for (int32_t s = 0; s < states; s++) {
        fputs(s ? ", " : "", file);
        throng_report_json(file, throng_note_text(&report->notes, THRONG_NOTE_STATE, s, 1));
    }
    fputs("], \"entered\": [", file);
    write_changes(file, &report->notes, THRONG_NOTE_ENTERED, states);
    fputs("]", file);
}

/* The causes that there are, by number; then [s, id, cause, x, y] each. */
static void write_stuck(FILE *file, const throng_notes *notes)
{
    fputs("\"causes\": [", file);
    for (int cause = 0; cause < THRONG_STUCK_CAUSE_COUNT; cause++) {
        fputs(cause ? ", " : "", file);
        throng_report_json(file, throng_stuck_causes[cause]);
    }
    fputs("], \"stuck\": [", file);
    const char *between = "";
    for (int32_t i = 0; i < notes->tables[THRONG_NOTE_STUCK].rows; i++) {
        throng_report_stuck s;
        if (!throng_report_stuck_of(notes, i, &s))
            continue;
        fprintf(file, "%s[%.6g,%d,%d,%.2f,%.2f]", between, s.time, s.id, (int)s.cause, s.place.x, s.place.y);
        between = ",";
    }
    fputs("]", file);
}

/* Of the first grid alone, where a reload made another. */
static void write_smoke(FILE *file, const throng_notes *notes)
{
    throng_smoke_picture first = {0};
    const char *taken;
    double time;
    int32_t digits;
    fputs("\"smoke\": [", file);
    for (int32_t row = 0; row < notes->tables[THRONG_NOTE_SMOKE].rows; row++) {
        throng_smoke_picture now = throng_noted_smoke_of(notes, row, &time, &taken, &digits);
        first = row ? first : now;
        if (now.columns != first.columns || now.rows != first.rows)
            continue;
        fprintf(file,
                "%s{\"time\": %.6g, \"columns\": %d, \"rows\": %d, \"x0\": %.9g, \"y0\": %.9g, \"cell\": %.9g, "
                "\"taken\": \"%.*s\"}",
                row ? ",\n" : "", time, now.columns, now.rows, now.x0, now.y0, now.cell, digits, taken);
    }
    fputs("]", file);
}

/* What replayOf (page_replay.js) needs of a run, beside the plan: its length, doors, lifts, bodies, groups, people and
 * where they were. */
void throng_report_replay_data(FILE *file, const throng_report *report)
{
    const throng_report_pack *pack = &report->pack;
    fprintf(file, "\"seconds\": %.9g,\n", report->seconds);
    write_doors(file, report);
    fputs(",\n", file);
    throng_report_cars(file, report);
    fputs(",\n", file);
    write_bodies(file, &report->bodies);
    fputs(",\n", file);
    write_groups(file, report);
    fputs(",\n", file);
    write_smoke(file, &report->notes);
    fputs(",\n", file);
    write_people(file, report);
    fprintf(file,
            ",\n\"places\": {\"unit\": %.9g, \"x0\": %d, \"y0\": %d, \"frames\": %d, \"every\": %.9g, \"packed\": \"",
            pack->unit, pack->x0, pack->y0, pack->frames, pack->every / report->fps);
    throng_report_base64(file, pack->bytes.list, pack->bytes.count);
    fputs("\"}", file);
}

void throng_report_data(FILE *file, const throng_report *report)
{
    fputc('{', file);
    throng_report_plan(file, report->map);
    fputs(",\n", file);
    throng_report_replay_data(file, report);
    fputs(",\n", file);
    write_stuck(file, &report->notes);
    fputs(",\n", file);
    throng_report_maps_write(file, &report->maps);
    fputs("}", file);
}
