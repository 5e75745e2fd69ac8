/* throng repl: lines from a terminal through libedit, when it is there, or from a pipe. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli_script.h"

/* What is used of libedit's <editline/readline.h>: it is opened while the program runs, so that nothing else needs it.
 */
typedef struct editor {
    char *(*readline)(const char *prompt);
    int (*add_history)(const char *line);
    char **(*matches)(const char *text, char *(*next)(const char *, int));
} editor;

typedef struct repl {
    editor editor;
    bool edits; /* a terminal, and libedit is there */
    bool terminal;
    throng_script *script;
} repl;

static repl *completing; /* libedit's callbacks take no context */

/* ---- completion */

/* One name after the other, for libedit. */
static char *next_name(const char *text, int state)
{
    static char **names;
    static int at;
    if (state == 0) {
        names = throng_script_complete(completing->script, text);
        at = 0;
    }
    char *name = names ? names[at++] : NULL;
    if (!name) {
        free(names);
        names = NULL;
    }
    return name;
}

static char **complete(const char *text, int start, int end)
{
    (void)start;
    (void)end;
    return completing->editor.matches(text, next_name);
}

/* ---- lines */

static bool open_editor(editor *e)
{
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    e->readline = (char *(*)(const char *))dlsym(library, "readline");
    e->add_history = (int (*)(const char *))dlsym(library, "add_history");
    e->matches = (char **(*)(const char *, char *(*)(const char *, int)))dlsym(library, "rl_completion_matches");
    char **(**function)(const char *, int, int) = dlsym(library, "rl_attempted_completion_function");
    const char **breaks = dlsym(library, "rl_completer_word_break_characters");
    int *append = dlsym(library, "rl_completion_append_character");
    if (!e->readline || !e->add_history || !e->matches || !function || !breaks || !append)
        return false;
    *function = complete;
    *breaks = " \t\n\"'`(){}[]=<>,;+-*/%^#~|&"; /* names with dots and colons are one word */
    *append = 0;
    return true;
}

static char *read_edited(const repl *r, const char *prompt)
{
    char *line = r->editor.readline(prompt);
    if (line && *line)
        r->editor.add_history(line);
    return line;
}

static char *read_plain(const repl *r, const char *prompt)
{
    char *line = NULL;
    size_t room = 0;
    if (r->terminal) {
        fputs(prompt, stdout);
        fflush(stdout);
    }
    ssize_t length = getline(&line, &room, stdin);
    if (length < 0) {
        throng_system_free(line);
        return NULL;
    }
    line[strcspn(line, "\r\n")] = 0;
    return line;
}

static char *read_line(const repl *r, const char *prompt)
{
    return r->edits ? read_edited(r, prompt) : read_plain(r, prompt);
}

static void write_text(void *context, const char *text, size_t size)
{
    (void)context;
    fwrite(text, 1, size, stdout);
    fflush(stdout);
}

static const throng_lines to_stdout = {.write = write_text};

/* Lines until their end; the first shows the world. */
static bool read_lines(const repl *r, bool world, throng_error *error)
{
    bool more = false, ok = throng_script_begin_lines(r->script, &to_stdout, error) &&
                            (!world || throng_script_take_line(r->script, "world", &more, error));
    char *line = NULL;
    do {
        throng_system_free(line);
        line = ok ? read_line(r, more ? ">> " : "> ") : NULL;
        ok = ok && throng_script_take_line(r->script, line, &more, error);
    } while (line);
    return ok;
}

/* ---- the command */

static bool read_options(int argc, char **argv, throng_run_options *options)
{
    const throng_option list[] = {
        THRONG_SCRIPT_OPTIONS(options),
        {NULL, THRONG_OPTION_SWITCH, NULL, 0, 0},
    };
    return throng_cli_options("repl", argc, argv, list, &options->scenario, 1);
}

static int run(throng_script *script, const throng_run_options *options)
{
    throng_error error;
    throng_scenario scenario;
    throng_overrides overrides = throng_run_overrides(options);
    if (options->scenario.count &&
        !throng_script_load(script, options->scenario.list[0], &overrides, &scenario, &error)) {
        fprintf(stderr, "throng repl: %s\n", throng_script_error_text(script, &error));
        return THRONG_EXIT_USAGE;
    }
    repl r = {.script = script, .terminal = isatty(STDIN_FILENO)};
    r.edits = r.terminal && open_editor(&r.editor);
    completing = &r;
    if (read_lines(&r, options->scenario.count > 0, &error)) /* who types has seen what failed */
        return !r.terminal && throng_script_lines_failed(script) ? THRONG_EXIT_FAILED : THRONG_EXIT_DONE;
    fprintf(stderr, "throng repl: %s\n", throng_script_error_text(script, &error));
    return THRONG_EXIT_FAILED;
}

int throng_cli_repl(int argc, char **argv)
{
    throng_error error;
    throng_run_options options = {.deadline = -1, .seed = -1, .simd = -1, .threads = -1};
    if (!read_options(argc, argv, &options))
        return THRONG_EXIT_USAGE;
    throng_script_def limits = throng_run_limits(&options);
    limits.print = &to_stdout; /* in its order with the values */
    throng_script *script = NULL;
    if (!throng_run_guard("repl", &options, &error) || !(script = throng_script_create(&limits, &error))) {
        fprintf(stderr, "throng repl: %s\n", error.text);
        return THRONG_EXIT_USAGE;
    }
    int code = run(script, &options);
    throng_script_destroy(script);
    return code;
}
