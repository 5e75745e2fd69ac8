/* What the running callback is, in words. */
#include "script_parts.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t *used, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (*used < THRONG_DOING_TEXT)
        *used += (size_t)vsnprintf(text + *used, THRONG_DOING_TEXT - *used, format, args);
    va_end(args);
}

void throng_doing_text(const throng_doing *doing, char text[THRONG_DOING_TEXT])
{
    size_t used = 0;
    *text = '\0';
    if (!*doing->callback)
        return;
    add(text, &used, "in %s%s%s%s", doing->callback, *doing->group ? " of group '" : "", doing->group,
        *doing->group ? "'" : "");
    if (doing->steps)
        add(text, &used, ", step %u (%.4g s)", doing->step, doing->time);
    for (int32_t i = 0; i < doing->count && i < THRONG_AGENTS_NAMED; i++)
        add(text, &used, "%s %d", i ? "," : (doing->count > 1 ? ", agents" : ", agent"), doing->agents[i]);
    if (doing->count > THRONG_AGENTS_NAMED)
        add(text, &used, " and %d more", doing->count - THRONG_AGENTS_NAMED);
}
