#include "measures_csv.h"

#include "base/csv.h"
#include "base/output.h"
#include "world/measure.h"

static void write_text(FILE *file, const char *text)
{
    throng_csv_text(file, text);
    fputc(',', file);
}

static void write_measure(FILE *file, const throng_measure *measure)
{
    const throng_measure_def *def = throng_measure_def_of(measure);
    const double *times, *values;
    int32_t points = throng_measure_series(measure, &times, &values);
    for (int32_t i = 0; i < points; i++) {
        fprintf(file, "%.9g,", times[i]);
        write_text(file, def->name);
        write_text(file, throng_measure_names[def->kind]);
        write_text(file, def->place);
        write_text(file, def->who);
        write_text(file, throng_measure_units[def->kind]);
        fprintf(file, "%.9g\n", values[i]);
    }
}

bool throng_measures_csv(const char *path, const throng_world *world, throng_error *error)
{
    throng_output *output = throng_output_begin(path, error);
    if (!output)
        return false;
    FILE *file = throng_output_stream(output);
    fputs("time,measure,kind,place,who,unit,value\n", file);
    for (const throng_measure *m = throng_world_measures(world); m; m = throng_measure_next(m))
        write_measure(file, m);
    return throng_output_commit(output, error);
}
