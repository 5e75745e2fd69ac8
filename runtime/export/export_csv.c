/* A table with a row a person and moment. */
#include <math.h>

#include "base/csv.h"
#include "export_parts.h"

static void write_head(FILE *file, const throng_export_source *source)
{
    fputs("time,frame,id,group,x,y", file);
    if (throng_export_has_floors(source))
        fputs(",z,floor", file);
    fputs(",hx,hy,speed,radius", file);
    for (int32_t k = 0; k < source->columns.own.count; k++)
        fprintf(file, ",%s", source->columns.own.name[k]);
    fputc('\n', file);
}

/* Nothing where nobody knows. */
static void write_number(FILE *file, double value)
{
    fputc(',', file);
    if (isfinite(value))
        fprintf(file, "%.9g", value);
}

static void write_person(FILE *file, const throng_export_source *source, const throng_export_moment *moment, int32_t i)
{
    const throng_export_person *p = &moment->people[i];
    fprintf(file, "%.9g,%d,%d,", moment->time, moment->frame, p->id);
    throng_csv_text(file, throng_export_group(source, p->group));
    write_number(file, p->x);
    write_number(file, p->y);
    if (throng_export_has_floors(source)) {
        write_number(file, p->z);
        fputc(',', file);
        throng_csv_text(file, throng_export_floor(source, p->floor));
    }
    write_number(file, p->hx);
    write_number(file, p->hy);
    write_number(file, p->speed);
    write_number(file, p->radius);
    for (int32_t k = 0; k < source->columns.own.count; k++)
        write_number(file, (double)moment->own[k][i]);
    fputc('\n', file);
}

bool throng_export_csv(throng_export_source *source, throng_output *output, throng_error *error)
{
    FILE *file = throng_output_stream(output);
    const throng_export_moment *moment;
    write_head(file, source);
    do {
        if (!throng_export_next(source, &moment, error))
            return false;
        for (int32_t i = 0; moment && i < moment->count; i++)
            write_person(file, source, moment, i);
    } while (moment && !throng_export_stopped(output));
    return true;
}
