/* VTK XML, which ParaView opens: a .vtp file a moment with a point a person, a .vti file a moment with the density, the
 * plan's outlines as lines, and the .pvd collection that says which file is when. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/text_stream.h"
#include "base/xml.h"
#include "export_vtk.h"

/* ---- arrays */

static void put_float(throng_base64 *out, double value)
{
    float narrow = (float)value;
    throng_base64_put(out, &narrow, sizeof narrow);
}

/* ---- parts of a file */

static void begin_file(FILE *file, int64_t points, int64_t verts, int64_t lines, const char *fields)
{
    fprintf(file,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt64\">\n<PolyData>\n%s<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" "
            "NumberOfLines=\"%lld\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
            fields, (long long)points, (long long)verts, (long long)lines);
}

static void end_file(FILE *file) { fputs("</Piece>\n</PolyData>\n</VTKFile>\n", file); }

/* Cells of so many points each, one after the other. */
static void write_cells(FILE *file, const char *kind, const int64_t *ends, int64_t cells, int64_t points)
{
    fprintf(file, "<%s>\n", kind);
    throng_base64 out = throng_vtk_begin_array(file, "Int64", "connectivity", 1, (uint64_t)points * sizeof(int64_t));
    for (int64_t i = 0; i < points; i++)
        throng_base64_put(&out, &i, sizeof i);
    throng_vtk_end_array(&out);
    out = throng_vtk_begin_array(file, "Int64", "offsets", 1, (uint64_t)cells * sizeof(int64_t));
    for (int64_t i = 0; i < cells; i++) {
        int64_t end = ends ? ends[i] : i + 1;
        throng_base64_put(&out, &end, sizeof end);
    }
    throng_vtk_end_array(&out);
    fprintf(file, "</%s>\n", kind);
}

/* Texts are the codes of their letters, each ended by a 0; names of no control characters. */
static void write_names(FILE *fields, const throng_notes *notes, throng_note table, int32_t column, const char *name)
{
    int32_t rows = notes->tables[table].rows;
    if (!rows)
        return;
    fprintf(fields, "<Array type=\"String\" Name=\"%s\" NumberOfTuples=\"%d\" format=\"ascii\">", name, rows);
    for (int32_t r = 0; r < rows; r++) {
        for (const char *c = throng_note_text(notes, table, r, column); *c; c++)
            fprintf(fields, "%d ", (unsigned char)*c);
        fputs("0 ", fields);
    }
    fputs("</Array>\n", fields);
}

static void write_field(FILE *fields, const char *name, double value)
{
    throng_base64 out = {.file = fields};
    uint64_t size = sizeof value;
    fputs("<DataArray type=\"Float64\" Name=\"", fields);
    throng_xml_text(fields, name);
    fputs("\" NumberOfTuples=\"1\" format=\"binary\">", fields);
    throng_base64_put(&out, &size, sizeof size);
    throng_base64_put(&out, &value, sizeof value);
    throng_vtk_end_array(&out);
}

/* What was measured last up to that time: a number each, which ParaView plots over time. */
static void write_measures(FILE *fields, const throng_notes *notes, double time)
{
    int32_t rows = notes->tables[THRONG_NOTE_VALUE].rows;
    for (int32_t m = 0; m < notes->tables[THRONG_NOTE_MEASURE].rows; m++) {
        double number = throng_note_number(notes, THRONG_NOTE_MEASURE, m, 0), value = NAN;
        for (int32_t r = 0; r < rows; r++)
            if (throng_note_number(notes, THRONG_NOTE_VALUE, r, 0) == number &&
                throng_note_number(notes, THRONG_NOTE_VALUE, r, 1) <= time + 1e-6)
                value = throng_note_number(notes, THRONG_NOTE_VALUE, r, 2);
        write_field(fields, throng_note_text(notes, THRONG_NOTE_MEASURE, m, 1), value);
    }
}

/* ---- people */

static char *fields_of(const throng_export_source *source, const throng_export_moment *moment)
{
    char *text = NULL;
    size_t size;
    FILE *fields = throng_text_stream(&text, &size);
    if (!fields)
        return NULL;
    fputs("<FieldData>\n", fields);
    write_field(fields, "TimeValue", moment->time);
    write_names(fields, &source->notes, THRONG_NOTE_GROUP, 1, "groups");
    write_names(fields, &source->notes, THRONG_NOTE_FLOOR, 0, "floors");
    write_measures(fields, &source->notes, moment->time);
    fputs("</FieldData>\n", fields);
    fclose(fields);
    return text;
}

/* What a person has in each array. */
typedef void put_value(throng_base64 *out, const throng_export_person *person);

static void put_id(throng_base64 *out, const throng_export_person *p) { throng_base64_put(out, &p->id, sizeof p->id); }
static void put_group(throng_base64 *out, const throng_export_person *p)
{
    throng_base64_put(out, &p->group, sizeof p->group);
}
static void put_on_floor(throng_base64 *out, const throng_export_person *p)
{
    throng_base64_put(out, &p->floor, sizeof p->floor);
}
static void put_speed(throng_base64 *out, const throng_export_person *p) { put_float(out, p->speed); }
static void put_radius(throng_base64 *out, const throng_export_person *p) { put_float(out, p->radius); }

static void put_heading(throng_base64 *out, const throng_export_person *p)
{
    put_float(out, p->hx);
    put_float(out, p->hy);
    put_float(out, 0);
}

static void put_place(throng_base64 *out, const throng_export_person *p)
{
    put_float(out, p->x);
    put_float(out, p->y);
    put_float(out, p->z);
}

/* Values take four bytes each. */
static void write_people(FILE *file, const throng_export_moment *moment, const char *type, const char *name,
                         int components, put_value *value)
{
    throng_base64 out =
        throng_vtk_begin_array(file, type, name, components, (uint64_t)moment->count * (uint64_t)components * 4);
    for (int32_t i = 0; i < moment->count; i++)
        value(&out, &moment->people[i]);
    throng_vtk_end_array(&out);
}

static void write_values(FILE *file, const throng_export_source *source, const throng_export_moment *moment)
{
    fputs("<PointData Scalars=\"speed\" Vectors=\"heading\">\n", file);
    write_people(file, moment, "Int32", "id", 1, put_id);
    write_people(file, moment, "Int32", "group", 1, put_group);
    if (throng_export_has_floors(source))
        write_people(file, moment, "Int32", "floor", 1, put_on_floor);
    write_people(file, moment, "Float32", "speed", 1, put_speed);
    write_people(file, moment, "Float32", "radius", 1, put_radius);
    write_people(file, moment, "Float32", "heading", 3, put_heading);
    for (int32_t k = 0; k < source->columns.own.count; k++) {
        throng_base64 out = throng_vtk_begin_array(file, "Float32", source->columns.own.name[k], 1,
                                                   (uint64_t)moment->count * sizeof(float));
        throng_base64_put(&out, moment->own[k], (size_t)moment->count * sizeof(float));
        throng_vtk_end_array(&out);
    }
    fputs("</PointData>\n", file);
}

static bool write_moment(FILE *file, const throng_export_source *source, const throng_export_moment *moment,
                         throng_error *error)
{
    char *fields = fields_of(source, moment);
    if (!fields)
        return throng_fail(error, "out of memory for the fields of a moment");
    begin_file(file, moment->count, moment->count, 0, fields);
    free(fields);
    write_values(file, source, moment);
    fputs("<Points>\n", file);
    write_people(file, moment, "Float32", "Points", 3, put_place);
    fputs("</Points>\n", file);
    write_cells(file, "Verts", NULL, moment->count, moment->count);
    end_file(file);
    return true;
}

bool throng_export_vtp(throng_export_source *source, throng_output *output, throng_error *error)
{
    const throng_export_moment *moment;
    if (!throng_export_next(source, &moment, error))
        return false;
    return !moment || write_moment(throng_output_stream(output), source, moment, error);
}

bool throng_export_vti(throng_export_source *source, throng_output *output, throng_error *error)
{
    const throng_export_moment *moment;
    if (throng_export_has_floors(source))
        return throng_fail(error, "a building's floors lie over each other: densities are written of one floor alone");
    throng_vtk_density *density = throng_vtk_density_create(source, error);
    bool ok = density && throng_export_next(source, &moment, error) &&
              (!moment || throng_vtk_density_write(density, moment, throng_output_stream(output), error));
    throng_vtk_density_destroy(density);
    return ok;
}

/* ---- the plan */

static bool write_plan(FILE *file, const throng_export_source *source, throng_error *error)
{
    const throng_map *map = source->map;
    int64_t points = map->point_count + map->ring_count, at = 0;
    int64_t *ends = malloc(((size_t)map->ring_count + 1) * sizeof *ends);
    if (!ends)
        return throng_fail(error, "out of memory for the plan");
    begin_file(file, points, 0, map->ring_count, "");
    fputs("<Points>\n", file);
    throng_base64 out = throng_vtk_begin_array(file, "Float32", "Points", 3, (uint64_t)points * 3 * sizeof(float));
    for (int32_t r = 0; r < map->ring_count; r++) {
        const throng_point *ring = map->points + map->ring_start[r];
        int32_t count = map->ring_start[r + 1] - map->ring_start[r];
        for (int32_t i = 0; i <= count; i++) {
            throng_point place = ring[i % count];
            throng_noted_spot p = throng_noted_spot_of(&source->notes, throng_export_floor_at(source, place), place);
            put_float(&out, p.x);
            put_float(&out, p.y);
            put_float(&out, p.z);
        }
        ends[r] = at += count + 1;
    }
    throng_vtk_end_array(&out);
    fputs("</Points>\n", file);
    write_cells(file, "Lines", ends, map->ring_count, points);
    end_file(file);
    free(ends);
    return true;
}

/* ---- the collection: its files lie in a folder beside it, of its name */

typedef struct collection {
    const throng_export_source *source;
    throng_vtk_density *density; /* NULL: of a building */
    FILE *file;
    char folder[2048]; /* "out/run" of "out/run.pvd" */
    int32_t written;   /* moments */
    /* They lie beside the earlier ones until all are complete. */
    throng_output **parts;
    int32_t part_count, part_room;
} collection;

/* The files of a moment; the plan's is one for all. */
typedef enum part { PART_PEOPLE, PART_PLAN, PART_DENSITY, PART_COUNT } part;

static bool has(const collection *c, part part)
{
    return part == PART_PEOPLE || (part == PART_PLAN ? c->source->map != NULL : c->density != NULL);
}

static void path_of(const collection *c, part part, int32_t moment, char path[2100])
{
    if (part == PART_PLAN)
        snprintf(path, 2100, "%s/plan.vtp", c->folder);
    else
        snprintf(path, 2100, part == PART_PEOPLE ? "%s/people-%06d.vtp" : "%s/density-%06d.vti", c->folder, moment);
}

static bool write_part(collection *c, part part, const throng_export_moment *moment, throng_error *error)
{
    char path[2100];
    path_of(c, part, c->written, path);
    if (!throng_array_reserve((void **)&c->parts, &c->part_room, c->part_count + 1, sizeof(throng_output *)))
        return throng_fail(error, "out of memory for the files of %d moments", c->written + 1);
    throng_output *output = throng_output_begin(path, error);
    if (!output)
        return false;
    FILE *file = throng_output_stream(output);
    bool ok = part == PART_PEOPLE ? write_moment(file, c->source, moment, error)
              : part == PART_PLAN ? write_plan(file, c->source, error)
                                  : throng_vtk_density_write(c->density, moment, file, error);
    if (!ok)
        throng_output_discard(output);
    else if ((ok = throng_output_close(output, error)))
        c->parts[c->part_count++] = output;
    return ok;
}

static void add(const collection *c, part part, double time)
{
    char path[2100];
    const char *folder = strrchr(c->folder, '/');
    path_of(c, part, c->written, path);
    fprintf(c->file, "<DataSet timestep=\"%.9g\" part=\"%d\" file=\"", time, (int)part);
    throng_xml_text(c->file, path + (folder ? folder + 1 - c->folder : 0));
    fputs("\"/>\n", c->file);
}

static bool write_parts(collection *c, throng_export_source *source, throng_error *error)
{
    const throng_export_moment *moment;
    if (has(c, PART_PLAN) && !write_part(c, PART_PLAN, NULL, error))
        return false;
    for (;; c->written++) {
        if (!throng_export_next(source, &moment, error))
            return false;
        if (!moment)
            return true;
        for (part part = PART_PEOPLE; part < PART_COUNT; part++)
            if (has(c, part) && part != PART_PLAN && !write_part(c, part, moment, error))
                return false;
        for (part part = PART_PEOPLE; part < PART_COUNT; part++)
            if (has(c, part))
                add(c, part, moment->time);
    }
}

/* All, or none of those that are left; the folder goes if there is nothing in it. */
static bool put_parts(collection *c, bool ok, throng_error *error)
{
    for (int32_t i = 0; i < c->part_count; i++)
        if (ok)
            ok = throng_output_commit(c->parts[i], error);
        else
            throng_output_discard(c->parts[i]);
    free(c->parts);
    if (!ok)
        rmdir(c->folder);
    return ok;
}

bool throng_export_pvd(throng_export_source *source, throng_output *output, throng_error *error)
{
    collection c = {.source = source, .file = throng_output_stream(output)};
    const char *path = source->def->path;
    size_t length = strlen(path) - strlen(".pvd");
    if (length >= sizeof c.folder || length == 0)
        return throng_fail(error, length ? "its path is too long" : "it needs a name before its ending");
    memcpy(c.folder, path, length);
    struct stat there;
    if (mkdir(c.folder, 0777) != 0 && (stat(c.folder, &there) != 0 || !S_ISDIR(there.st_mode)))
        return throng_fail(error, "cannot make the folder '%s' for its moments: %s", c.folder, strerror(errno));
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
          "<Collection>\n",
          c.file);
    bool plane = !throng_export_has_floors(source);
    bool ok = (!plane || (c.density = throng_vtk_density_create(source, error))) && write_parts(&c, source, error);
    fputs("</Collection>\n</VTKFile>\n", c.file);
    bool kept = put_parts(&c, ok && source->told > 0, error);
    throng_vtk_density_destroy(c.density);
    return kept || (ok && source->told == 0);
}
