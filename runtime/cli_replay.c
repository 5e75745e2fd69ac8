/* throng replay: the viewer on a recording. */
#include "cli.h"
#include "view.h"

int throng_cli_replay(int argc, char **argv)
{
    throng_error error;
    throng_texts path = {.count = 0};
    int64_t width = 1280, height = 800;
    throng_view_def def = {.replay = true, .scale = 1, .frames = -1};
    const throng_option list[] = {
        {"--at", THRONG_OPTION_NUMBER, &def.at, 0, 1e9},
        {"--screenshot", THRONG_OPTION_TEXT, &def.screenshot, 0, 0},
        {"--do", THRONG_OPTION_TEXT, &def.actions, 0, 0},
        {"--frames", THRONG_OPTION_WHOLE, &def.frames, 0, 1e9},
        {"--colour", THRONG_OPTION_TEXT, &def.colour, 0, 0},
        {"--width", THRONG_OPTION_WHOLE, &width, 320, 16384},
        {"--height", THRONG_OPTION_WHOLE, &height, 240, 16384},
        {"--scale", THRONG_OPTION_NUMBER, &def.scale, 0.5, 4},
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("replay", argc, argv, list, &path, 1))
        return THRONG_EXIT_USAGE;
    if (path.count == 0)
        return throng_cli_misuse("replay", "which recording? Give a .throng or .sqlite file, or the folder of a run");
    def.path = path.list[0];
    def.width = (int32_t)width;
    def.height = (int32_t)height;
    const throng_view_api *viewer = throng_view_load(&error);
    if (viewer && viewer->run(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng replay: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
