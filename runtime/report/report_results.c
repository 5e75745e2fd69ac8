#include <string.h>

#include "report_parts.h"

static void write_part(FILE *file, const char *name, const void *what)
{
    const throng_report_results *results = what;
    const struct {
        const char *name, *text;
    } parts[] = {
        {"name", results->name}, {"subtitle", results->subtitle}, {"tiles", results->tiles}, {"main", results->main}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0)
            fputs(parts[i].text, file);
}

void throng_report_results_page(FILE *file, const throng_report_results *results)
{
    throng_report_fill(file, THRONG_REPORT_OF_RESULTS, write_part, results);
}
