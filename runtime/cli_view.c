/* throng view: loads the viewer, which alone needs SDL2, and hands the scenario over. */
#include <string.h>

#include "cli.h"
#include "view.h"

typedef struct view_options {
    double at, scale;
    int64_t seed, lanes, threads, instructions, memory, frames, width, height;
    const char *backend, *screenshot, *actions, *colour;
    bool trust;
    throng_texts params, scenario;
} view_options;

static bool read_options(int argc, char **argv, view_options *options)
{
    const throng_option list[] = {
        {"--at", THRONG_OPTION_NUMBER, &options->at, 0, 1e9},
        {"--screenshot", THRONG_OPTION_TEXT, &options->screenshot, 0, 0},
        {"--do", THRONG_OPTION_TEXT, &options->actions, 0, 0},
        {"--frames", THRONG_OPTION_WHOLE, &options->frames, 0, 1e9},
        {"--colour", THRONG_OPTION_TEXT, &options->colour, 0, 0},
        {"--width", THRONG_OPTION_WHOLE, &options->width, 320, 16384},
        {"--height", THRONG_OPTION_WHOLE, &options->height, 240, 16384},
        {"--scale", THRONG_OPTION_NUMBER, &options->scale, 0.5, 4},
        {"--seed", THRONG_OPTION_WHOLE, &options->seed, 0, (double)INT64_MAX},
        {"--backend", THRONG_OPTION_TEXT, &options->backend, 0, 0},
        {"--lanes", THRONG_OPTION_WHOLE, &options->lanes, 1, 16},
        {"--threads", THRONG_OPTION_WHOLE, &options->threads, 1, 1024},
        {"--set", THRONG_OPTION_LIST, &options->params, 0, 0},
        {"--trust", THRONG_OPTION_SWITCH, &options->trust, 0, 0},
        {"--instructions", THRONG_OPTION_WHOLE, &options->instructions, 10000, 1e15},
        {"--memory", THRONG_OPTION_WHOLE, &options->memory, 8, 1e6},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("view", argc, argv, list, &options->scenario, 1))
        return false;
    if (options->scenario.count == 0)
        return throng_cli_misuse("view", "which scenario? Give the path of a .lua file") == 0;
    return true;
}

static throng_view_def definition(const view_options *options)
{
    throng_view_def def = {.path = options->scenario.list[0],
                           .limits = throng_script_def_default(),
                           .overrides = {.backend = options->backend,
                                         .lanes = (int32_t)options->lanes,
                                         .threads = (int32_t)options->threads,
                                         .has_seed = options->seed >= 0,
                                         .seed = (uint64_t)options->seed,
                                         .params = options->params.list,
                                         .param_count = options->params.count},
                           .at = options->at,
                           .screenshot = options->screenshot,
                           .actions = options->actions,
                           .frames = options->frames,
                           .colour = options->colour,
                           .width = (int32_t)options->width,
                           .height = (int32_t)options->height,
                           .scale = options->scale};
    def.limits.trust = options->trust;
    if (options->instructions > 0)
        def.limits.instructions = options->instructions;
    if (options->memory > 0)
        def.limits.memory = (size_t)options->memory << 20;
    return def;
}

int throng_cli_view(int argc, char **argv)
{
    throng_error error;
    view_options options = {
        .scale = 1, .seed = -1, .lanes = -1, .threads = -1, .frames = -1, .width = 1280, .height = 800};
    if (!read_options(argc, argv, &options))
        return THRONG_EXIT_USAGE;
    const throng_view_api *viewer = throng_view_load(&error);
    throng_view_def def = definition(&options);
    if (viewer && viewer->run(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng view: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
