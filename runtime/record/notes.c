#include "notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

const throng_note_form throng_note_forms[THRONG_NOTE_COUNT] = {
    [THRONG_NOTE_GROUP] = {"groups", {{"number", false}, {"name", true}, {"colour", true}}},
    [THRONG_NOTE_PERSON] =
        {"people", {{"id", false}, {"group_number", false}, {"radius", false}, {"arrived", false}, {"spawned", false}}},
    [THRONG_NOTE_TURN] = {"turns", {{"time", false}, {"id", false}, {"group_number", false}}},
    [THRONG_NOTE_STATE] = {"states", {{"number", false}, {"name", true}}},
    [THRONG_NOTE_ENTERED] = {"entered", {{"time", false}, {"id", false}, {"state", false}}},
    [THRONG_NOTE_REGION] = {"regions", {{"name", true}, {"layer", true}, {"wkt", true}}},
    [THRONG_NOTE_FLOOR] = {"floors",
                           {{"name", true},
                            {"flight", false},
                            {"z", false},
                            {"xmin", false},
                            {"ymin", false},
                            {"xmax", false},
                            {"ymax", false}}},
    [THRONG_NOTE_SHEET] = {"sheets", {{"dx", false}, {"dy", false}, {"slope_x", false}, {"slope_y", false}}},
    [THRONG_NOTE_PART] =
        {"parts",
         {{"kind", true}, {"part", false}, {"up_x", false}, {"up_y", false}, {"length", false}, {"belt", false}}},
    [THRONG_NOTE_SEAM] = {"seams",
                          {{"lower", false},
                           {"upper", false},
                           {"x0", false},
                           {"y0", false},
                           {"x1", false},
                           {"y1", false},
                           {"inside", false}}},
    [THRONG_NOTE_LIFT] = {"lifts",
                          {{"capacity", false},
                           {"x", false},
                           {"y", false},
                           {"in_x", false},
                           {"in_y", false},
                           {"width", false},
                           {"depth", false}}},
    [THRONG_NOTE_STOP] = {"stops", {{"lift", false}, {"sheet", false}, {"floor", false}, {"z", false}, {"door", true}}},
    [THRONG_NOTE_CAR] = {"cars",
                         {{"time", false},
                          {"lift", false},
                          {"z", false},
                          {"speed", false},
                          {"stop", false},
                          {"phase", false},
                          {"riders", false},
                          {"in_service", false}}},
    [THRONG_NOTE_BELT] = {"belts", {{"time", false}, {"sheet", false}, {"speed", false}}},
    [THRONG_NOTE_DOOR] = {"doors",
                          {{"time", false},
                           {"open", false},
                           {"x0", false},
                           {"y0", false},
                           {"x1", false},
                           {"y1", false},
                           {"name", true}}},
    [THRONG_NOTE_STUCK] = {"stuck", {{"time", false}, {"id", false}, {"x", false}, {"y", false}, {"cause", true}}},
    [THRONG_NOTE_ARRIVED] = {"arrived", {{"time", false}, {"people", false}}},
    [THRONG_NOTE_MEASURE] = {"measures",
                             {{"number", false},
                              {"name", true},
                              {"kind", true},
                              {"place", true},
                              {"who", true},
                              {"unit", true},
                              {"result", true}}},
    [THRONG_NOTE_VALUE] = {"measured", {{"measure", false}, {"time", false}, {"value", false}}},
    [THRONG_NOTE_SMOKE] = {"smoke",
                           {{"time", false},
                            {"columns", false},
                            {"rows", false},
                            {"x0", false},
                            {"y0", false},
                            {"cell", false},
                            {"taken", true}}},
    [THRONG_NOTE_FACT] = {"facts", {{"name", true}, {"value", true}}},
};

int32_t throng_note_width(throng_note table)
{
    int32_t width = 0;
    while (throng_note_forms[table].columns[width].name)
        width++;
    return width;
}

int32_t throng_note_width_least(throng_note table)
{
    return table == THRONG_NOTE_PERSON ? 4 : throng_note_width(table); /* `spawned` came later */
}

static bool out_of_memory(throng_note table, throng_error *error)
{
    return throng_fail(error, "out of memory for the %s of a recording", throng_note_forms[table].name);
}

/* Where it begins; -1: memory is out. Readers of tables take nothing but UTF-8: other bytes are told like \xFF. */
static int32_t add_text(throng_note_table *t, const char *text)
{
    int32_t begin = t->text_size;
    if (!throng_array_reserve((void **)&t->texts, &t->text_room, begin + 4 * (int64_t)strlen(text) + 1, 1))
        return -1;
    for (int size; *text; text += size ? size : 1) {
        size = throng_text_character(text);
        if (size)
            memcpy(t->texts + t->text_size, text, (size_t)size);
        t->text_size += size ? size : sprintf(t->texts + t->text_size, "\\x%02X", (unsigned char)*text);
    }
    t->texts[t->text_size++] = 0;
    return begin;
}

bool throng_note_add(throng_notes *notes, throng_note table, const throng_note_cell *cells, throng_error *error)
{
    throng_note_table *t = &notes->tables[table];
    int32_t width = throng_note_width(table), before = t->text_size;
    if (!throng_array_reserve((void **)&t->cells, &t->room, (int64_t)t->rows + 1, (size_t)width * sizeof *t->cells))
        return out_of_memory(table, error);
    double *row = t->cells + (size_t)t->rows * (size_t)width;
    for (int32_t c = 0; c < width; c++) {
        int32_t at = throng_note_forms[table].columns[c].text ? add_text(t, cells[c].text) : 0;
        if (at < 0) {
            t->text_size = before;
            return out_of_memory(table, error);
        }
        row[c] = throng_note_forms[table].columns[c].text ? at : cells[c].number;
    }
    t->rows++;
    return true;
}

double throng_note_number(const throng_notes *notes, throng_note table, int32_t row, int32_t column)
{
    return notes->tables[table].cells[(size_t)row * (size_t)throng_note_width(table) + (size_t)column];
}

const char *throng_note_text(const throng_notes *notes, throng_note table, int32_t row, int32_t column)
{
    return notes->tables[table].texts + (int32_t)throng_note_number(notes, table, row, column);
}

void throng_notes_fini(throng_notes *notes)
{
    for (int t = 0; t < THRONG_NOTE_COUNT; t++) {
        free(notes->tables[t].cells);
        free(notes->tables[t].texts);
    }
    *notes = (throng_notes){0};
}
