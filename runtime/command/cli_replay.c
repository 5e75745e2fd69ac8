/* throng replay: the viewer on a recording. */
#include "base/watchdog.h"
#include "cli_window.h"

int throng_cli_replay(int argc, char **argv)
{
    throng_error error;
    throng_texts path = {.count = 0};
    throng_view_def def = {.replay = true, .window = THRONG_WINDOW_DEFAULT};
    const throng_option list[] = {
        {"--at", THRONG_OPTION_NUMBER, &def.at, 0, 1e9},
        {"--colour", THRONG_OPTION_TEXT, &def.colour, 0, 0},
        THRONG_WINDOW_OPTIONS(&def.window),
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("replay", argc, argv, list, &path, 1))
        return THRONG_EXIT_USAGE;
    if (path.count == 0)
        return throng_cli_misuse("replay", "which recording? Give a .throng or .sqlite file, or the folder of a run");
    def.path = path.list[0];
    const throng_watchdog_def guard = {.name = "replay", .ends_idle = true};
    const throng_view_api *viewer = throng_watchdog_start(&guard, &error) ? throng_view_load(&error) : NULL;
    if (viewer && viewer->run(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng replay: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
