/* throng report: a page on a recording that is there, on two of them, or on the results of a study. */
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "base/error.h"
#include "base/file.h"
#include "base/output.h"
#include "record/recording.h"
#include "report/report.h"
#include "script/script.h"

/* ---- of a study: lua/throng/study_report.lua */

enum { NO_STUDY = 3 }; /* what that says of other files */

/* Is it a SQLite file, as results of studies are; or a folder that has them? Writes where they are. */
static bool find_results(const char *path, char *file, size_t size)
{
    char magic[16] = "";
    struct stat about;
    bool folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    snprintf(file, size, folder ? "%s/study.sqlite" : "%s", path);
    FILE *there = throng_file_open(file, THRONG_FILE_ANY_SIZE, NULL);
    if (!there)
        return false;
    size_t count = fread(magic, 1, sizeof magic, there);
    fclose(there);
    return count == sizeof magic && memcmp(magic, "SQLite format 3", sizeof magic) == 0;
}

static int report_study(const char *path, const char *out)
{
    char file[4096];
    throng_error error;
    if (!find_results(path, file, sizeof file))
        return NO_STUDY;
    throng_script_def def = throng_script_def_default();
    def.commanding = true;
    throng_script *script = throng_script_create(&def, &error);
    char *list[] = {file, (char *)(uintptr_t)(out ? out : "")};
    int code = THRONG_EXIT_USAGE;
    if (script) {
        error.text[0] = 0;
        code = throng_script_command(script, "study_report", 2, list, &error);
    }
    if (*error.text)
        fprintf(stderr, "throng report: %s\n", script ? throng_script_error_text(script, &error) : error.text);
    throng_script_destroy(script);
    return code;
}

/* ---- of recordings */

static bool make(const throng_texts *paths, const char *out, char *written, size_t size, throng_error *error)
{
    char file[4096];
    for (int i = 0; i < paths->count; i++)
        if (throng_recording_find(paths->list[i], file, sizeof file, error))
            throng_output_spare(file);
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
    throng_output_clean_at_signals();
    if (!throng_cli_options("report", argc, argv, list, &paths, 2))
        return THRONG_EXIT_USAGE;
    if (paths.count == 0)
        return throng_cli_misuse("report", "which recording? Give a .throng or .sqlite file, or the folder of a run; "
                                           "two of them are compared. Or the results of a study");
    int code = paths.count == 1 ? report_study(paths.list[0], out) : NO_STUDY;
    if (code != NO_STUDY)
        return code;
    char written[4200];
    bool ok = make(&paths, out, written, sizeof written, &error);
    if (ok) {
        throng_text_plain(written, sizeof written);
        printf("wrote %s\n", written);
    } else
        fprintf(stderr, "throng report: %s\n", error.text);
    return ok ? THRONG_EXIT_DONE : THRONG_EXIT_USAGE;
}
