/* throng view: loads the viewer, which alone needs SDL2, and hands the scenario over. */
#include "cli_run.h"
#include "cli_window.h"
#include "view.h"

typedef struct view_options {
    throng_run_options run;
    throng_window_options window;
    double at;
    const char *colour;
} view_options;

static bool read_options(int argc, char **argv, view_options *options)
{
    const throng_option list[] = {
        {"--at", THRONG_OPTION_NUMBER, &options->at, 0, 1e9},
        {"--colour", THRONG_OPTION_TEXT, &options->colour, 0, 0},
        THRONG_WINDOW_OPTIONS(&options->window),
        THRONG_SCRIPT_OPTIONS(&options->run),
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("view", argc, argv, list, &options->run.scenario, 1))
        return false;
    if (options->run.scenario.count == 0)
        return throng_cli_misuse("view", "which scenario? Give the path of a .lua file") == 0;
    return true;
}

static throng_view_def definition(const view_options *options)
{
    return (throng_view_def){.path = options->run.scenario.list[0],
                             .limits = throng_run_limits(&options->run),
                             .overrides = throng_run_overrides(&options->run),
                             .at = options->at,
                             .screenshot = options->window.screenshot,
                             .actions = options->window.actions,
                             .frames = options->window.frames,
                             .colour = options->colour,
                             .width = (int32_t)options->window.width,
                             .height = (int32_t)options->window.height,
                             .scale = options->window.scale,
                             .dark = options->window.dark};
}

int throng_cli_view(int argc, char **argv)
{
    throng_error error;
    view_options options = {.run = {.seed = -1, .lanes = -1, .threads = -1}, .window = THRONG_WINDOW_OPTIONS_DEFAULT};
    if (!read_options(argc, argv, &options))
        return THRONG_EXIT_USAGE;
    const throng_view_api *viewer = throng_view_load(&error);
    throng_view_def def = definition(&options);
    if (viewer && viewer->run(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng view: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
