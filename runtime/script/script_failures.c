/* Errors of callbacks that do not end the run (throng run --keep-going): shown once, counted ever after. */
#include "script_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_SHOWN = 100, /* others are counted together */
    TELLING = 1024,       /* bytes of a first line that tell it from others */
};

typedef struct throng_failure {
    char *text; /* the first line; NULL: of all others */
    int64_t count;
} throng_failure;

static throng_failure *find_failure(const throng_script *script, const char *text, size_t length)
{
    for (int32_t i = 0; i < script->failure_count; i++) {
        throng_failure *failure = &script->failures[i];
        bool others = !failure->text;
        if (others || (strncmp(failure->text, text, length) == 0 && failure->text[length] == 0))
            return failure;
    }
    return NULL;
}

/* NULL when memory is out. */
static throng_failure *add_failure(throng_script *script, const char *text, size_t length)
{
    bool others = script->failure_count == FAILURES_SHOWN;
    throng_failure *grown = realloc(script->failures, ((size_t)script->failure_count + 1) * sizeof *grown);
    char *copy = others ? NULL : strndup(text, length);
    if (grown)
        script->failures = grown;
    if (!grown || (!copy && !others)) {
        free(copy);
        return NULL;
    }
    if (!others) {
        char *shown = throng_failure_shown(text);
        fprintf(stderr, "error: %s\n", shown ? shown : "out of memory");
        free(shown);
    }
    grown[script->failure_count] = (throng_failure){copy, 0};
    return &grown[script->failure_count++];
}

bool throng_script_suppress_error(lua_State *L)
{
    throng_script *script = throng_script_of(L);
    if (!script->limits.keep_going || script->depth > 0)
        return false;
    const char *text = luaL_tolstring(L, -1, NULL);
    size_t length = strcspn(text, "\n");
    length = length < TELLING ? length : TELLING;
    throng_failure *failure = find_failure(script, text, length);
    if (!failure && !(failure = add_failure(script, text, length))) {
        lua_pop(L, 1);
        return false;
    }
    failure->count++;
    lua_pop(L, 2);
    return true;
}

int64_t throng_script_list_failures(const throng_script *script, FILE *file)
{
    int64_t all = 0;
    for (int32_t i = 0; i < script->failure_count; i++) {
        const throng_failure *failure = &script->failures[i];
        if (failure->text)
            throng_text_tame(failure->text, strlen(failure->text));
        fprintf(file, "  failed       %lld times: %s\n", (long long)failure->count,
                failure->text ? failure->text : "other errors");
        all += failure->count;
    }
    return all;
}

void throng_script_forget_failures(throng_script *script)
{
    for (int32_t i = 0; i < script->failure_count; i++)
        free(script->failures[i].text);
    free(script->failures);
    script->failures = NULL;
    script->failure_count = 0;
}
