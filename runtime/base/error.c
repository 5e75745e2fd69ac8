#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Of one character, by UTF-8 of two bytes, too; 0: it is none. */
static int control_bytes(const char *text)
{
    unsigned char c = (unsigned char)text[0], next = c ? (unsigned char)text[1] : 0;
    if (c == 0xc2 && next >= 0x80 && next < 0xa0)
        return 2;
    return (c < 0x20 && c != '\t') || c == 0x7f;
}

int throng_text_character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    int size = *c < 0x80 ? 1 : *c < 0xc2 ? 0 : *c < 0xe0 ? 2 : *c < 0xf0 ? 3 : *c < 0xf5 ? 4 : 0;
    for (int i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool beyond = size > 2 && ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
                               (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90));
    return beyond ? 0 : size;
}

int throng_text_put(FILE *file, const char *text)
{
    int size = throng_text_character(text);
    if (size)
        fwrite(text, 1, (size_t)size, file);
    else
        fprintf(file, "\\x%02X", (unsigned char)*text);
    return size ? size : 1;
}

void throng_text_plain(char *text, size_t size)
{
    char plain[sizeof(throng_error)];
    size_t at = 0, used = 0;
    while (text[at] && !control_bytes(text + at))
        at++;
    if (!text[at])
        return;
    size = size < sizeof plain ? size : sizeof plain;
    for (at = 0; text[at] && used + sizeof "\\x00" <= size;) {
        int bytes = control_bytes(text + at);
        if (!bytes)
            plain[used++] = text[at++];
        else if (text[at] == '\n')
            used += (size_t)snprintf(plain + used, size - used, "\\n");
        else
            used += (size_t)snprintf(plain + used, size - used, "\\x%02x", (unsigned char)text[at + bytes - 1]);
        at += (size_t)bytes;
    }
    memcpy(text, plain, used);
    text[used] = 0;
}

bool throng_name_check(const char *whose, const char *name, throng_error *error)
{
    for (; *name; name++) {
        int bytes = control_bytes(name);
        if (bytes || *name == '\t')
            return throng_fail(error, "%s has a name with a line break or control character (0x%02x) in it", whose,
                               (unsigned)(unsigned char)name[bytes > 1]);
    }
    return true;
}

bool throng_fail(throng_error *error, const char *format, ...)
{
    if (!error)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    throng_text_plain(error->text, sizeof error->text);
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
    throng_text_plain(error->text, sizeof error->text);
    return false;
}
