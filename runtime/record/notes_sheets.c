#include "notes_sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/building.h"
#include "map/map_floor.h"

/* Rows of a table that are read: what is asked of floors takes a time that grows as the square of their number. */
enum { MOST = 1 << 14 };

/* ---- written */

/* Where it is drawn: floors and flights are laid out side by side. */
static bool tell_sheet(throng_notes *notes, const throng_map_sheet *sheet, throng_error *error)
{
    const throng_bounds *b = &sheet->bounds;
    double middle = sheet->z + sheet->slope.x * (b->x0 + b->x1) / 2 + sheet->slope.y * (b->y0 + b->y1) / 2;
    return THRONG_NOTE_ADD(notes, THRONG_NOTE_FLOOR, error, {.text = sheet->name}, {.number = sheet->flight},
                           {.number = middle}, {.number = b->x0 + sheet->offset.x}, {.number = b->y0 + sheet->offset.y},
                           {.number = b->x1 + sheet->offset.x}, {.number = b->y1 + sheet->offset.y}) &&
           THRONG_NOTE_ADD(notes, THRONG_NOTE_SHEET, error, {sheet->offset.x}, {sheet->offset.y}, {sheet->slope.x},
                           {sheet->slope.y}) &&
           THRONG_NOTE_ADD(notes, THRONG_NOTE_PART, error, {.text = throng_sheet_kinds[sheet->kind]},
                           {.number = sheet->part}, {.number = sheet->up.x}, {.number = sheet->up.y},
                           {.number = sheet->length}, {.number = sheet->belt});
}

static bool tell_lift(throng_notes *notes, const throng_map *map, int32_t lift, throng_error *error)
{
    const throng_map_lift *l = &map->sheets->lifts[lift];
    bool ok = THRONG_NOTE_ADD(notes, THRONG_NOTE_LIFT, error, {l->capacity}, {l->at.x}, {l->at.y}, {l->in.x}, {l->in.y},
                              {l->width}, {l->depth});
    for (int32_t i = l->first; ok && i < l->first + l->count; i++) {
        const throng_lift_stop *stop = &map->sheets->stops[i];
        ok = THRONG_NOTE_ADD(notes, THRONG_NOTE_STOP, error, {.number = lift}, {.number = stop->sheet},
                             {.number = stop->floor}, {.number = stop->z}, {.text = map->doors[stop->door].name});
    }
    return ok;
}

bool throng_notes_sheets(throng_notes *notes, const throng_map *map, throng_error *error)
{
    const throng_map_sheets *s = map ? map->sheets : NULL;
    bool ok = true;
    for (int32_t i = 0; ok && s && i < s->count; i++)
        ok = tell_sheet(notes, &s->list[i], error);
    for (int32_t q = 0; ok && s && q < s->seam_count; q++) {
        const throng_seam *seam = &s->seams[q];
        ok = THRONG_NOTE_ADD(notes, THRONG_NOTE_SEAM, error, {seam->left}, {seam->right}, {seam->a.x}, {seam->a.y},
                             {seam->b.x}, {seam->b.y}, {seam->inside});
    }
    for (int32_t l = 0; ok && s && l < s->lift_count; l++)
        ok = tell_lift(notes, map, l, error);
    return ok;
}

/* ---- read back: a row that is not what a building has is refused */

static bool refuse(throng_note table, int32_t row, throng_error *error)
{
    return throng_fail(error, "the recording is damaged: row %d of its table of %s is of no building", row,
                       throng_note_forms[table].name);
}

/* The numbers of a row, which are finite; 0 for a text. */
static bool read_row(const throng_notes *notes, throng_note table, int32_t row, double *cell)
{
    bool finite = true;
    for (int32_t c = 0; c < throng_note_width(table); c++) {
        cell[c] = throng_note_forms[table].columns[c].text ? 0 : throng_note_number(notes, table, row, c);
        finite = finite && fabs(cell[c]) < 1e9;
    }
    return finite;
}

static bool is_number_below(double value, int32_t count)
{
    return value >= 0 && value < count && value == floor(value);
}

static int32_t kind_named(const char *name)
{
    int32_t kind = 0;
    while (kind < THRONG_SHEET_KINDS && strcmp(throng_sheet_kinds[kind], name) != 0)
        kind++;
    return kind;
}

static bool read_sheet(const throng_notes *notes, int32_t i, throng_map_sheets *s, throng_error *error)
{
    double box[THRONG_NOTE_COLUMNS], lies[THRONG_NOTE_COLUMNS], part[THRONG_NOTE_COLUMNS];
    int32_t kind = kind_named(throng_note_text(notes, THRONG_NOTE_PART, i, 0));
    if (!read_row(notes, THRONG_NOTE_FLOOR, i, box) || box[3] > box[5] || box[4] > box[6])
        return refuse(THRONG_NOTE_FLOOR, i, error);
    if (!read_row(notes, THRONG_NOTE_SHEET, i, lies) || lies[0] != floor(lies[0]) || lies[1] != floor(lies[1]))
        return refuse(THRONG_NOTE_SHEET, i, error);
    if (!read_row(notes, THRONG_NOTE_PART, i, part) || kind == THRONG_SHEET_KINDS ||
        !is_number_below(part[1], s->count) || (i > 0 && part[1] < s->list[i - 1].part) ||
        hypot(part[2], part[3]) > 1 + 1e-6 || part[4] < 0)
        return refuse(THRONG_NOTE_PART, i, error);
    throng_map_sheet *to = &s->list[i];
    *to = (throng_map_sheet){.name = strdup(throng_note_text(notes, THRONG_NOTE_FLOOR, i, 0)),
                             .part = (int32_t)part[1],
                             .kind = (throng_sheet_kind)kind,
                             .flight = box[1] > 0,
                             .offset = {lies[0], lies[1]},
                             .bounds = {box[3] - lies[0], box[4] - lies[1], box[5] - lies[0], box[6] - lies[1]},
                             .slope = {lies[2], lies[3]},
                             .up = {part[2], part[3]},
                             .length = part[4],
                             .climb = 1,
                             .descend = 1,
                             .belt = part[5],
                             .walkers = 1};
    to->z =
        box[2] - to->slope.x * (to->bounds.x0 + to->bounds.x1) / 2 - to->slope.y * (to->bounds.y0 + to->bounds.y1) / 2;
    return to->name || throng_fail(error, "out of memory for the floors of a recording");
}

static bool read_seam(const throng_notes *notes, int32_t q, throng_map_sheets *s, throng_error *error)
{
    double c[THRONG_NOTE_COLUMNS];
    if (!read_row(notes, THRONG_NOTE_SEAM, q, c) || !is_number_below(c[0], s->count) ||
        !is_number_below(c[1], s->count) || c[0] == c[1] || hypot(c[4] - c[2], c[5] - c[3]) < 1e-3)
        return refuse(THRONG_NOTE_SEAM, q, error);
    s->seams[q] = (throng_seam){(int32_t)c[0], (int32_t)c[1], {c[2], c[3]}, {c[4], c[5]}, c[6] > 0};
    return true;
}

static bool read_lift(const throng_notes *notes, int32_t l, throng_map_sheets *s, throng_error *error)
{
    double c[THRONG_NOTE_COLUMNS];
    if (!read_row(notes, THRONG_NOTE_LIFT, l, c) || !is_number_below(c[0], 1 << 20) ||
        fabs(hypot(c[3], c[4]) - 1) > 1e-6 || c[5] <= 0 || c[6] <= 0)
        return refuse(THRONG_NOTE_LIFT, l, error);
    s->lifts[l] = throng_lift_default();
    s->lifts[l].capacity = (int32_t)c[0];
    s->lifts[l].at = (throng_point){c[1], c[2]};
    s->lifts[l].in = (throng_point){c[3], c[4]};
    s->lifts[l].width = c[5];
    s->lifts[l].depth = c[6];
    return true;
}

static int32_t door_named(const throng_map *map, const char *name)
{
    int32_t d = map->door_count - 1;
    while (d >= 0 && strcmp(map->doors[d].name, name) != 0)
        d--;
    return d;
}

/* Stops follow each other, those of a lift together and the lowest first. */
static bool read_stop(const throng_notes *notes, int32_t i, const throng_map *map, throng_map_sheets *s,
                      throng_error *error)
{
    double c[THRONG_NOTE_COLUMNS];
    int32_t door = door_named(map, throng_note_text(notes, THRONG_NOTE_STOP, i, 4)),
            before = i ? s->stops[i - 1].lift : -1;
    bool fine = read_row(notes, THRONG_NOTE_STOP, i, c) && is_number_below(c[0], s->lift_count) &&
                is_number_below(c[1], s->count) && is_number_below(c[2], s->count) && door >= 0 &&
                (c[0] == before + 1 || (c[0] == before && c[3] > s->stops[i - 1].z)) && !s->list[(int32_t)c[1]].flight;
    for (int32_t k = 0; fine && k < i; k++)
        fine = s->stops[k].sheet != (int32_t)c[1];
    if (!fine)
        return refuse(THRONG_NOTE_STOP, i, error);
    s->stops[i] = (throng_lift_stop){(int32_t)c[0], (int32_t)c[1], (int32_t)c[2], door, c[3]};
    throng_map_lift *lift = &s->lifts[s->stops[i].lift];
    lift->first = lift->count ? lift->first : i;
    lift->count++;
    return true;
}

/* Does the seam join half a flight to a floor? */
static bool joins(const throng_seam *seam, int32_t half, int32_t floors)
{
    return !seam->inside &&
           ((seam->left == half && seam->right < floors) || (seam->right == half && seam->left < floors));
}

/* A flight is two halves, with the seam between them among those at its ends. */
static bool is_flight(const throng_map_sheets *s, int32_t floors, int32_t middle)
{
    const throng_seam *seam = &s->seams[middle];
    return middle > 0 && middle + 1 < s->seam_count && s->list[seam->left].flight && s->list[seam->right].flight &&
           s->list[seam->left].part == s->list[seam->right].part && joins(seam - 1, seam->left, floors) &&
           joins(seam + 1, seam->right, floors);
}

static bool is_building(const throng_map_sheets *s, throng_error *error)
{
    int32_t floors = throng_map_floors(s), halves = 0, flights = 0, middles = 0;
    if (floors == 0)
        return refuse(THRONG_NOTE_PART, 0, error);
    for (int32_t i = 0; i < s->count; i++) {
        halves += s->list[i].flight;
        flights += s->list[i].flight && (i == 0 || s->list[i - 1].part != s->list[i].part);
        if (i >= floors && !s->list[i].flight && throng_map_stop_of(s, i) < 0)
            return refuse(THRONG_NOTE_PART, i, error);
    }
    for (int32_t q = 0; q < s->seam_count; q++) {
        middles += s->seams[q].inside;
        if (s->seams[q].inside && !is_flight(s, floors, q))
            return refuse(THRONG_NOTE_SEAM, q, error);
        for (int32_t k = 0; s->seams[q].inside && k < q; k++)
            if (s->seams[k].inside && s->list[s->seams[k].left].part == s->list[s->seams[q].left].part)
                return refuse(THRONG_NOTE_SEAM, q, error);
    }
    for (int32_t i = 0; i < s->stop_count; i++)
        if (s->stops[i].floor >= floors)
            return refuse(THRONG_NOTE_STOP, i, error);
    for (int32_t l = 0; l < s->lift_count; l++)
        if (s->lifts[l].count < 2)
            return refuse(THRONG_NOTE_LIFT, l, error);
    return (halves == 2 * middles && flights == middles) || refuse(THRONG_NOTE_SEAM, s->seam_count, error);
}

static bool read_all(const throng_notes *notes, const throng_map *map, throng_map_sheets *s, throng_error *error)
{
    bool ok = true;
    for (int32_t table = THRONG_NOTE_FLOOR; table <= THRONG_NOTE_STOP; table++)
        if (notes->tables[table].rows > MOST || (table <= THRONG_NOTE_SHEET && notes->tables[table].rows != s->count))
            return refuse((throng_note)table, notes->tables[table].rows, error);
    for (int32_t i = 0; ok && i < s->count; i++)
        ok = read_sheet(notes, i, s, error);
    for (int32_t q = 0; ok && q < s->seam_count; q++)
        ok = read_seam(notes, q, s, error);
    for (int32_t l = 0; ok && l < s->lift_count; l++)
        ok = read_lift(notes, l, s, error);
    for (int32_t i = 0; ok && i < s->stop_count; i++)
        ok = read_stop(notes, i, map, s, error);
    return ok && is_building(s, error);
}

bool throng_notes_add_sheets(const throng_notes *notes, throng_map *map, throng_error *error)
{
    const throng_note_table *t = notes->tables;
    if (t[THRONG_NOTE_PART].rows == 0)
        return true;
    throng_map_sheets *s = calloc(1, sizeof *s);
    if (s)
        *s = (throng_map_sheets){.list = calloc((size_t)t[THRONG_NOTE_PART].rows + 1, sizeof *s->list),
                                 .count = t[THRONG_NOTE_PART].rows,
                                 .seams = calloc((size_t)t[THRONG_NOTE_SEAM].rows + 1, sizeof *s->seams),
                                 .seam_count = t[THRONG_NOTE_SEAM].rows,
                                 .lifts = calloc((size_t)t[THRONG_NOTE_LIFT].rows + 1, sizeof *s->lifts),
                                 .lift_count = t[THRONG_NOTE_LIFT].rows,
                                 .stops = calloc((size_t)t[THRONG_NOTE_STOP].rows + 1, sizeof *s->stops),
                                 .stop_count = t[THRONG_NOTE_STOP].rows};
    bool ok = s && s->list && s->seams && s->lifts && s->stops;
    ok = ok ? read_all(notes, map, s, error) : throng_fail(error, "out of memory for the floors of a recording");
    if (!ok) {
        throng_map_sheets_destroy(s);
        return false;
    }
    throng_map_sheets_destroy(map->sheets);
    map->sheets = s;
    return true;
}

throng_noted_columns throng_noted_columns_of(const throng_notes *notes, const throng_record_own *all)
{
    bool floors = notes->tables[THRONG_NOTE_FLOOR].rows > 0;
    throng_noted_columns columns = {.sheet_at = -1, .z_at = -1};
    for (int32_t k = 0; k < all->count; k++) {
        if (floors && strcmp(all->name[k], "sheet") == 0)
            columns.sheet_at = k;
        else if (floors && strcmp(all->name[k], "z") == 0)
            columns.z_at = k;
        else {
            columns.own_at[columns.own.count] = k;
            memcpy(columns.own.name[columns.own.count++], all->name[k], sizeof all->name[k]);
        }
    }
    return columns;
}

throng_noted_spot throng_noted_spot_of(const throng_notes *notes, int32_t floor, throng_point place)
{
    if (floor < 0)
        return (throng_noted_spot){place.x, place.y, 0};
    double z = throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 2), middle[2], sheet[4] = {0};
    for (int32_t k = 0; k < 2; k++)
        middle[k] = (throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 3 + k) +
                     throng_note_number(notes, THRONG_NOTE_FLOOR, floor, 5 + k)) /
                    2;
    /* Recordings of before there were these have floors side by side. */
    for (int32_t k = 0; k < 4 && floor < notes->tables[THRONG_NOTE_SHEET].rows; k++)
        sheet[k] = throng_note_number(notes, THRONG_NOTE_SHEET, floor, k);
    return (throng_noted_spot){place.x - sheet[0], place.y - sheet[1],
                               z + sheet[2] * (place.x - middle[0]) + sheet[3] * (place.y - middle[1])};
}

int32_t throng_noted_floor_of(const throng_notes *notes, const throng_noted_columns *columns,
                              const throng_record_frame *frame, int32_t i)
{
    double row = columns->sheet_at < 0 ? -1 : (double)frame->own[columns->sheet_at][i];
    return row >= 0 && row < notes->tables[THRONG_NOTE_FLOOR].rows ? (int32_t)row : -1;
}
