#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool throng_fail(throng_error *error, const char *format, ...)
{
    if (!error)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

bool throng_fail_in(throng_error *error, const char *format, ...)
{
    if (!error)
        return false;
    char cause[sizeof error->text];
    memcpy(cause, error->text, sizeof cause);
    va_list args;
    va_start(args, format);
    int used = vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    int room = (int)sizeof error->text - used - (int)sizeof ": ";
    if (used >= 0 && room > 0)
        snprintf(error->text + used, (size_t)room + sizeof ": ", ": %.*s", room, cause);
    return false;
}
