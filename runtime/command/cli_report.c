/* throng report: a page on a recording that is there, or on two of them. */
#include "cli.h"
#include "base/error.h"
#include "report/report.h"

static bool make(const throng_texts *paths, const char *out, char *written, size_t size, throng_error *error)
{
    if (paths->count == 1)
        return throng_report_recording(paths->list[0], out, written, size, error);
    snprintf(written, size, "%s", out ? out : "comparison.html");
    return throng_report_compare(paths->list[0], paths->list[1], written, error);
}

int throng_cli_report(int argc, char **argv)
{
    throng_error error;
    throng_texts paths = {.count = 0};
    const char *out = NULL;
    const throng_option list[] = {
        {"-o", THRONG_OPTION_TEXT, &out, 0, 0},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("report", argc, argv, list, &paths, 2))
        return THRONG_EXIT_USAGE;
    if (paths.count == 0)
        return throng_cli_misuse("report", "which recording? Give a .throng or .sqlite file, or the folder of a run; "
                                           "two of them are compared");
    char written[4200];
    bool ok = make(&paths, out, written, sizeof written, &error);
    if (ok) {
        throng_text_plain(written, sizeof written);
        printf("wrote %s\n", written);
    } else
        fprintf(stderr, "throng report: %s\n", error.text);
    return ok ? THRONG_EXIT_DONE : THRONG_EXIT_USAGE;
}
