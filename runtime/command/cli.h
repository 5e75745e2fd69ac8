/* The command line: one function a command, and the options they share. */
#ifndef THRONG_CLI_H
#define THRONG_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Exit codes of every command. */
enum {
    THRONG_EXIT_DONE = 0,
    THRONG_EXIT_FAILED = 1, /* a test or a scenario failed while it ran, or nobody was in its world */
    THRONG_EXIT_USAGE = 2, /* wrong usage or input: nothing was run, no test was found; or a limit of scripts was passed
                              and nothing could go on */
    THRONG_EXIT_SIGNAL = 128 /* plus the signal that ended it: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP */
};

/* Commands; argv[0] is the first argument after the command's name. */
int throng_cli_run(int argc, char **argv);
int throng_cli_view(int argc, char **argv);
int throng_cli_replay(int argc, char **argv);
int throng_cli_edit(int argc, char **argv);
int throng_cli_repl(int argc, char **argv);
int throng_cli_test(int argc, char **argv);
int throng_cli_study(int argc, char **argv);
int throng_cli_bench(int argc, char **argv);
int throng_cli_info(int argc, char **argv);
int throng_cli_map(int argc, char **argv);
int throng_cli_paths(int argc, char **argv);
int throng_cli_convert(int argc, char **argv);
int throng_cli_report(int argc, char **argv);
int throng_cli_help(int argc, char **argv);

typedef struct throng_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage; /* "throng run SCENARIO.lua [...]" */
    const char *text;  /* what it does, a line */
    const char *more;  /* its options, in full */
} throng_command;

extern const throng_command throng_commands[]; /* ends with a name of NULL */

/* The command of that name, or NULL. */
const throng_command *throng_cli_command(const char *name);

/* The command that is run: its usage goes with what throng_cli_misuse says. */
void throng_cli_begin(const throng_command *command);

/* ---- options */

typedef enum throng_option_kind {
    THRONG_OPTION_SWITCH, /* bool */
    THRONG_OPTION_TEXT,   /* const char * */
    THRONG_OPTION_WHOLE,  /* int64_t */
    THRONG_OPTION_NUMBER, /* double */
    THRONG_OPTION_LIST    /* throng_texts: may be given again and again */
} throng_option_kind;

typedef struct throng_texts {
    const char *list[64];
    int32_t count;
} throng_texts;

typedef struct throng_option {
    const char *name; /* "--seed" */
    throng_option_kind kind;
    void *value;        /* of that kind; untouched when the option is absent */
    double least, most; /* of numbers */
} throng_option;

/* Reads `--name value`, `--name=value` and the rest, which go to `rest`; at most
 * `most` of those. On a mistake says so on stderr, with the usage line, and gives
 * false. `options` ends with a name of NULL. */
bool throng_cli_options(const char *command, int argc, char **argv, const throng_option *options, throng_texts *rest,
                        int32_t most);

struct throng_map;

/* One line on stderr when there is something to look at in the map of a run of that file; NULL is fine. */
void throng_cli_note_findings(const struct throng_map *map, const char *scenario);

/* "throng run: message", the command's usage line; returns THRONG_EXIT_USAGE. */
int throng_cli_misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
