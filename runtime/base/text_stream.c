#include "text_stream.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct text_stream {
    char **text;
    size_t *size;
    char *bytes;
    size_t length, room;
    bool failed;
} text_stream;

static bool make_room(text_stream *s, size_t more)
{
    size_t room = s->room ? s->room : 1024;
    while (room - s->length <= more) /* one is for the 0 */
        room *= 2;
    char *bytes = room > s->room ? realloc(s->bytes, room) : s->bytes;
    if (bytes) {
        s->bytes = bytes;
        s->room = room;
    }
    return bytes != NULL;
}

static ssize_t append(void *context, const char *bytes, size_t size)
{
    text_stream *s = context;
    if (!make_room(s, size)) {
        s->failed = true;
        return 0;
    }
    memcpy(s->bytes + s->length, bytes, size);
    s->length += size;
    return (ssize_t)size;
}

static int end(void *context)
{
    text_stream *s = context;
    bool ok = !s->failed && make_room(s, 0);
    if (ok) {
        s->bytes[s->length] = 0;
        *s->text = s->bytes;
        *s->size = s->length;
    } else {
        free(s->bytes);
    }
    free(s);
    return ok ? 0 : EOF;
}

FILE *throng_text_stream(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    text_stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->text = text;
    s->size = size;
    FILE *stream = fopencookie(s, "w", (cookie_io_functions_t){.write = append, .close = end});
    if (!stream)
        free(s);
    return stream;
}
