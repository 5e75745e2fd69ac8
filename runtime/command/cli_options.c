#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

static const char *usage = "throng COMMAND [...]; `throng help` lists the commands";

void throng_cli_begin(const throng_command *command) { usage = command->usage; }

int throng_cli_misuse(const char *command, const char *format, ...)
{
    va_list args;
    char text[1024];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    throng_text_plain(text, sizeof text);
    fprintf(stderr, "throng%s%s: %s\nusage: %s\n", *command ? " " : "", command, text, usage);
    return THRONG_EXIT_USAGE;
}

static bool unknown_option(const char *command, const char *word, const throng_option *options)
{
    const char *names[64];
    char list[512];
    int count = 0;
    for (; count < 63 && options[count].name; count++)
        names[count] = options[count].name;
    names[count] = NULL;
    const char *nearest = throng_suggest(word, names);
    throng_list_names(list, sizeof list, names);
    throng_cli_misuse(command, "unknown option '%s'%s%s%s; options are: %s", word, nearest ? ", did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'?" : "", list);
    return false;
}

static bool read_number(const char *command, const throng_option *option, const char *text, double *value)
{
    char *end;
    errno = 0;
    *value = strtod(text, &end);
    bool whole = option->kind == THRONG_OPTION_WHOLE;
    if (end != text && *end == 0 && isfinite(*value) && *value >= option->least && *value <= option->most &&
        (!whole || *value == floor(*value)))
        return true;
    char range[96];
    if (option->most >= 1e9 && !(*value > option->most))
        snprintf(range, sizeof range, ">= %.10g", option->least);
    else
        snprintf(range, sizeof range, "from %.10g to %.10g", option->least, option->most);
    throng_cli_misuse(command, "%s must be a %s %s, got '%s'", option->name, whole ? "whole number" : "number", range,
                      text);
    return false;
}

/* Whole numbers are read as such: a seed may have more digits than a double. */
static bool read_whole(const char *command, const throng_option *option, const char *text)
{
    double value;
    if (!read_number(command, option, text, &value))
        return false;
    char *end;
    errno = 0;
    long long exact = strtoll(text, &end, 10);
    *(int64_t *)option->value = *end == 0 && errno == 0 ? exact : (int64_t)value;
    return true;
}

static bool set_option(const char *command, const throng_option *option, const char *text)
{
    throng_texts *list = option->value;
    switch (option->kind) {
    case THRONG_OPTION_SWITCH: *(bool *)option->value = true; return true;
    case THRONG_OPTION_TEXT: *(const char **)option->value = text; return true;
    case THRONG_OPTION_WHOLE: return read_whole(command, option, text);
    case THRONG_OPTION_NUMBER: return read_number(command, option, text, option->value);
    case THRONG_OPTION_LIST:
        if (list->count == 64) {
            throng_cli_misuse(command, "%s: at most 64 times", option->name);
            return false;
        }
        list->list[list->count++] = text;
        return true;
    }
    return false;
}

static const throng_option *find_option(const throng_option *options, const char *word, size_t length)
{
    for (; options->name; options++)
        if (strlen(options->name) == length && strncmp(options->name, word, length) == 0)
            return options;
    return NULL;
}

/* One option at argv[*at]; moves on over its value. */
static bool read_option(const char *command, int argc, char **argv, int *at, const throng_option *options)
{
    char *word = argv[*at];
    size_t length = strcspn(word, "=");
    const throng_option *option = find_option(options, word, length);
    if (!option)
        return unknown_option(command, word, options);
    const char *text = word[length] ? word + length + 1 : NULL;
    if (option->kind == THRONG_OPTION_SWITCH && text) {
        throng_cli_misuse(command, "%s takes no value", option->name);
        return false;
    }
    if (option->kind != THRONG_OPTION_SWITCH && !text) {
        if (*at + 1 >= argc) {
            throng_cli_misuse(command, "%s needs a value", option->name);
            return false;
        }
        text = argv[++*at];
        if (strncmp(text, "--", 2) == 0) {
            throng_cli_misuse(command, "%s needs a value, and '%s' is the next option; %s=%s takes it for one",
                              option->name, text, option->name, text);
            return false;
        }
    }
    return set_option(command, option, text);
}

bool throng_cli_options(const char *command, int argc, char **argv, const throng_option *options, throng_texts *rest,
                        int32_t most)
{
    for (int at = 0; at < argc; at++) {
        if (argv[at][0] == '-' && argv[at][1]) {
            if (!read_option(command, argc, argv, &at, options))
                return false;
            continue;
        }
        if (rest->count >= most || rest->count == 64) {
            throng_cli_misuse(command, "unexpected argument '%s'", argv[at]);
            return false;
        }
        rest->list[rest->count++] = argv[at];
    }
    return true;
}
