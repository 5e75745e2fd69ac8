/* throng test: Lua specs, run by busted inside the host. */
#include "cli.h"
#include "script/script.h"

int throng_cli_test(int argc, char **argv)
{
    throng_error error;
    throng_script_def def = throng_script_def_default();
    def.commanding = def.testing = true;
    throng_script *script = throng_script_create(&def, &error);
    int code = THRONG_EXIT_USAGE;
    if (!script)
        fprintf(stderr, "throng test: %s\n", error.text);
    else if ((code = throng_script_command(script, "test", argc, argv, &error)) == THRONG_EXIT_USAGE &&
             *throng_script_message(script))
        fprintf(stderr, "throng test: %s\n", throng_script_message(script));
    throng_script_destroy(script);
    return code;
}
