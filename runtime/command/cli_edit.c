/* throng edit: loads the map maker, which lives beside the viewer and needs SDL2, and hands the map over. */
#include "base/watchdog.h"
#include "cli_window.h"

int throng_cli_edit(int argc, char **argv)
{
    throng_error error;
    throng_texts maps = {.count = 0};
    throng_editor_def def = {.window = THRONG_WINDOW_DEFAULT};
    const throng_option list[] = {
        {"--underlay", THRONG_OPTION_TEXT, &def.underlay, 0, 0},
        THRONG_WINDOW_OPTIONS(&def.window),
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    if (!throng_cli_options("edit", argc, argv, list, &maps, 1))
        return THRONG_EXIT_USAGE;
    if (maps.count == 0)
        return throng_cli_misuse("edit", "which map? Give a plan, or a new name that ends in .xml");
    def.path = maps.list[0];
    const throng_watchdog_def guard = {.name = "edit"};
    const throng_view_api *windows = throng_watchdog_start(&guard, &error) ? throng_view_load(&error) : NULL;
    if (windows && windows->edit(&def, &error))
        return THRONG_EXIT_DONE;
    fprintf(stderr, "throng edit: %s\n", error.text);
    return THRONG_EXIT_USAGE;
}
