/* VTK XML, which ParaView opens: a .vtp file a moment with a point a person, the plan's outlines as lines, and the .pvd
 * collection that says which file is when. Arrays are base64 in place, each behind its size in bytes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/xml.h"
#include "export_parts.h"

/* ---- arrays */

static throng_base64 begin_array(FILE *file, const char *type, const char *name, int components, uint64_t bytes)
{
    throng_base64 out = {.file = file};
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name,
            components);
    throng_base64_put(&out, &bytes, sizeof bytes);
    return out;
}

static void end_array(throng_base64 *out)
{
    throng_base64_end(out);
    fputs("</DataArray>\n", out->file);
}

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
    throng_base64 out = begin_array(file, "Int64", "connectivity", 1, (uint64_t)points * sizeof(int64_t));
    for (int64_t i = 0; i < points; i++)
        throng_base64_put(&out, &i, sizeof i);
    end_array(&out);
    out = begin_array(file, "Int64", "offsets", 1, (uint64_t)cells * sizeof(int64_t));
    for (int64_t i = 0; i < cells; i++) {
        int64_t end = ends ? ends[i] : i + 1;
        throng_base64_put(&out, &end, sizeof end);
    }
    end_array(&out);
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
    end_array(&out);
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
    FILE *fields = open_memstream(&text, &size);
    if (!fields)
        return NULL;
    fputs("<FieldData>\n", fields);
    write_field(fields, "TimeValue", moment->time);
    write_names(fields, &source->notes, THRONG_NOTE_GROUP, 1, "groups");
    write_names(fields, &source->notes, THRONG_NOTE_FLOOR, 0, "floors");
    write_measures(fields, &source->notes, moment->time);
    fputs("</FieldData>\n", fields);
    bool ok = fclose(fields) == 0;
    if (!ok)
        free(text);
    return ok ? text : NULL;
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
    throng_base64 out = begin_array(file, type, name, components, (uint64_t)moment->count * (uint64_t)components * 4);
    for (int32_t i = 0; i < moment->count; i++)
        value(&out, &moment->people[i]);
    end_array(&out);
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
        throng_base64 out =
            begin_array(file, "Float32", source->columns.own.name[k], 1, (uint64_t)moment->count * sizeof(float));
        throng_base64_put(&out, moment->own[k], (size_t)moment->count * sizeof(float));
        end_array(&out);
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
    throng_base64 out = begin_array(file, "Float32", "Points", 3, (uint64_t)points * 3 * sizeof(float));
    for (int32_t r = 0; r < map->ring_count; r++) {
        const throng_point *ring = map->points + map->ring_start[r];
        int32_t count = map->ring_start[r + 1] - map->ring_start[r];
        for (int32_t i = 0; i <= count; i++) {
            throng_point place = ring[i % count];
            throng_export_spot p = throng_export_spot_of(source, throng_export_floor_at(source, place), place);
            put_float(&out, p.x);
            put_float(&out, p.y);
            put_float(&out, p.z);
        }
        ends[r] = at += count + 1;
    }
    end_array(&out);
    fputs("</Points>\n", file);
    write_cells(file, "Lines", ends, map->ring_count, points);
    end_file(file);
    free(ends);
    return true;
}

/* ---- the collection: its files lie in a folder beside it, of its name */

typedef struct collection {
    const throng_export_source *source;
    FILE *file;
    char folder[2048]; /* "out/run" of "out/run.pvd" */
    int32_t written;   /* moments */
    bool plan;
} collection;

static void path_of(const collection *c, int32_t moment, char path[2100])
{
    if (moment < 0)
        snprintf(path, 2100, "%s/plan.vtp", c->folder);
    else
        snprintf(path, 2100, "%s/people-%06d.vtp", c->folder, moment);
}

static void add(const collection *c, const char *path, double time, int part)
{
    const char *folder = strrchr(c->folder, '/');
    fprintf(c->file, "<DataSet timestep=\"%.9g\" part=\"%d\" file=\"", time, part);
    throng_xml_text(c->file, path + (folder ? folder + 1 - c->folder : 0));
    fputs("\"/>\n", c->file);
}

/* NULL moment: the plan. */
static bool write_part(collection *c, const throng_export_moment *moment, throng_error *error)
{
    char path[2100];
    path_of(c, moment ? c->written : -1, path);
    throng_output *output = throng_output_begin(path, error);
    if (!output)
        return false;
    FILE *file = throng_output_stream(output);
    bool ok = moment ? write_moment(file, c->source, moment, error) : write_plan(file, c->source, error);
    if (!ok) {
        throng_output_discard(output);
        return false;
    }
    if (!throng_output_commit(output, error))
        return false;
    if (moment) {
        add(c, path, moment->time, 0);
        if (c->plan) {
            path_of(c, -1, path);
            add(c, path, moment->time, 1);
        }
        c->written++;
    }
    return true;
}

static bool write_parts(collection *c, throng_export_source *source, throng_error *error)
{
    const throng_export_moment *moment;
    if (source->map && !(c->plan = write_part(c, NULL, error)))
        return false;
    do {
        if (!throng_export_next(source, &moment, error) || (moment && !write_part(c, moment, error)))
            return false;
    } while (moment);
    return true;
}

/* After a failure: what it wrote, and the folder, if that is all there is in it. */
static void take_back(collection *c)
{
    char path[2100];
    for (int32_t m = c->plan ? -1 : 0; m < c->written; m++) {
        path_of(c, m, path);
        unlink(path);
    }
    rmdir(c->folder);
}

bool throng_export_pvd(throng_export_source *source, throng_output *output, throng_error *error)
{
    collection c = {.source = source, .file = throng_output_stream(output)};
    const char *path = source->def->path;
    size_t length = strlen(path) - strlen(".pvd");
    if (length >= sizeof c.folder || length == 0)
        return throng_fail(error, length ? "its path is too long" : "it needs a name before its ending");
    memcpy(c.folder, path, length);
    if (mkdir(c.folder, 0777) != 0 && errno != EEXIST)
        return throng_fail(error, "cannot make the folder '%s' for its moments: %s", c.folder, strerror(errno));
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
          "<Collection>\n",
          c.file);
    bool ok = write_parts(&c, source, error) && source->told > 0;
    fputs("</Collection>\n</VTKFile>\n", c.file);
    if (!ok)
        take_back(&c);
    return ok || source->told == 0;
}
