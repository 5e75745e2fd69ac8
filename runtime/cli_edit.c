/* throng edit: loads the map maker, which lives beside the viewer and needs SDL2, and hands the map over. */
#include "cli.h"
#include "view.h"

static bool read_options(int argc, char **argv, throng_editor_def *def)
{
    throng_texts maps = {0};
    int64_t frames = -1, width = 1280, height = 800;
    const throng_option list[] = {
        {"--trace", THRONG_OPTION_TEXT, &def->trace, 0, 0},
        {"--screenshot", THRONG_OPTION_TEXT, &def->screenshot, 0, 0},
        {"--do", THRONG_OPTION_TEXT, &def->actions, 0, 0},
        {"--frames", THRONG_OPTION_WHOLE, &frames, 0, 1e9},
        {"--width", THRONG_OPTION_WHOLE, &width, 640, 16384},
        {"--height", THRONG_OPTION_WHOLE, &height, 480, 16384},
        {"--scale", THRONG_OPTION_NUMBER, &def->scale, 0.5, 4},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("edit", argc, argv, list, &maps, 1))
        return false;
    if (maps.count == 0)
        return throng_cli_misuse("edit", "which map? Give a plan, or a new name that ends in .xml") == 0;
    def->path = maps.list[0];
    def->frames = frames;
    def->width = (int32_t)width;
    def->height = (int32_t)height;
    return true;
}

int throng_cli_edit(int argc, char **argv)
{
    throng_error error;
    throng_editor_def def = {.scale = 1};
    if (!read_options(argc, argv, &def))
        return THRONG_EXIT_USAGE;
    const throng_view_api *windows = throng_view_load(&error);
    if (windows && windows->edit(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng edit: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
