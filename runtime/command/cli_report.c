/* throng report: a page on a recording that is there. */
#include "cli.h"
#include "base/error.h"
#include "report/report.h"

int throng_cli_report(int argc, char **argv)
{
    throng_error error;
    throng_texts path = {.count = 0};
    const char *out = NULL;
    const throng_option list[] = {
        {"-o", THRONG_OPTION_TEXT, &out, 0, 0},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("report", argc, argv, list, &path, 1))
        return THRONG_EXIT_USAGE;
    if (path.count == 0)
        return throng_cli_misuse("report", "which recording? Give a .throng or .sqlite file, or the folder of a run");
    char written[4200];
    bool ok = throng_report_recording(path.list[0], out, written, sizeof written, &error);
    if (ok) {
        throng_text_plain(written, sizeof written);
        printf("wrote %s\n", written);
    } else
        fprintf(stderr, "throng report: %s\n", error.text);
    return ok ? THRONG_EXIT_DONE : THRONG_EXIT_USAGE;
}
