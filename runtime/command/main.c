#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "base/suggest.h"
#include "base/watchdog.h"

static int unknown_command(const char *word)
{
    const char *names[16];
    int count = 0;
    for (; throng_commands[count].name; count++)
        names[count] = throng_commands[count].name;
    names[count] = NULL;
    const char *nearest = throng_suggest(word, names);
    return throng_cli_misuse("", "there is no command '%s'%s%s%s", word, nearest ? ", did you mean '" : "",
                             nearest ? nearest : "", nearest ? "'?" : "");
}

/* Results that did not arrive are no results: a full disk. Whoever has closed a pipe knows that. */
static int flush(const char *word, int code)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || throng_interrupted_by() == SIGPIPE)
        return code;
    fprintf(stderr, "throng %s: cannot write to stdout: %s\n", word, strerror(errno));
    return THRONG_EXIT_USAGE;
}

/* A stream that was closed before the start would be the first file that is opened, and get what is printed. What
 * stands in its place cannot be written either, and says so. */
static void hold_streams(void)
{
    int held;
    do
        held = open("/dev/null", O_RDONLY);
    while (held >= 0 && held <= STDERR_FILENO);
    if (held >= 0)
        close(held);
}

int main(int argc, char **argv)
{
    hold_streams();
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no more is told of as a full disk is, and nothing stays behind */
    if (argc < 2) {
        throng_cli_help(0, NULL);
        return flush("help", THRONG_EXIT_USAGE);
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "--version") == 0)
        return flush("help", throng_cli_help(0, NULL));
    const throng_command *command = throng_cli_command(word);
    if (!command)
        return unknown_command(word);
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0))
        return flush("help", throng_cli_help(1, argv + 1));
    throng_cli_begin(command);
    int code = flush(word, command->run(argc - 2, argv + 2));
    return throng_interrupted_by() ? THRONG_EXIT_SIGNAL + throng_interrupted_by() : code;
}
