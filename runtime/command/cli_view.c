/* throng view: loads the viewer, which alone needs SDL2, and hands the scenario over. */
#include "cli_script.h"
#include "cli_window.h"

static bool read_options(int argc, char **argv, throng_run_options *run, throng_view_def *def)
{
    const throng_option list[] = {
        {"--at", THRONG_OPTION_NUMBER, &def->at, 0, 1e9},
        {"--colour", THRONG_OPTION_TEXT, &def->colour, 0, 0},
        THRONG_WINDOW_OPTIONS(&def->window),
        THRONG_SCRIPT_OPTIONS(run),
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("view", argc, argv, list, &run->scenario, 1))
        return false;
    if (run->scenario.count == 0)
        return throng_cli_misuse("view", "which scenario? Give the path of a .lua file") == 0;
    def->path = run->scenario.list[0];
    def->limits = throng_run_limits(run);
    def->overrides = throng_run_overrides(run);
    return true;
}

int throng_cli_view(int argc, char **argv)
{
    throng_error error;
    throng_run_options run = {.deadline = -1, .seed = -1, .simd = -1, .threads = -1};
    throng_view_def def = {.window = THRONG_WINDOW_DEFAULT};
    if (!read_options(argc, argv, &run, &def))
        return THRONG_EXIT_USAGE;
    const throng_view_api *viewer = throng_run_guard("view", &run, &error) ? throng_view_load(&error) : NULL;
    if (viewer && viewer->run(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng view: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
