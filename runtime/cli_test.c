/* throng test: Lua specs, run by busted inside the host. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "script.h"

/* busted's arguments: those given, and the default folder when no path is among them. */
static char **with_default_path(int argc, char **argv, int *count)
{
    static char folder[] = "tests/specs";
    char **arguments = malloc((size_t)(argc + 1) * sizeof *arguments);
    bool path = false;
    for (int i = 0; arguments && i < argc; i++) {
        arguments[i] = argv[i];
        bool value = i > 0 && argv[i - 1][0] == '-' && strchr("oefmrtp", argv[i - 1][1]) && !argv[i - 1][2];
        path = path || (argv[i][0] != '-' && !value);
    }
    *count = argc;
    if (arguments && !path)
        arguments[(*count)++] = folder;
    return arguments;
}

int throng_cli_test(int argc, char **argv)
{
    throng_error error;
    throng_script_def def = throng_script_def_default();
    def.testing = true;
    throng_script *script = throng_script_create(&def, &error);
    int count;
    char **arguments = script ? with_default_path(argc, argv, &count) : NULL;
    int code = THRONG_EXIT_USAGE;
    if (!script)
        fprintf(stderr, "throng test: %s\n", error.text);
    else if (!arguments)
        fprintf(stderr, "throng test: out of memory\n");
    else if ((code = throng_script_test(script, count, arguments, &error)) == THRONG_EXIT_USAGE &&
             *throng_script_message(script))
        fprintf(stderr, "throng test: %s\n", throng_script_message(script));
    free(arguments);
    throng_script_destroy(script);
    return code;
}
