#include "map_pnm.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

/* The next number of a PNM header at `*at`, past blanks and comments; -1 when there is none. */
static long header_number(const throng_bytes *file, size_t *at)
{
    while (*at < file->size && (isspace(file->data[*at]) || file->data[*at] == '#')) {
        bool comment = file->data[*at] == '#';
        while (comment && *at < file->size && file->data[*at] != '\n')
            ++*at;
        *at += *at < file->size;
    }
    long value = -1;
    for (; *at < file->size && isdigit(file->data[*at]) && value < 1 << 24; ++*at)
        value = (value < 0 ? 0 : value) * 10 + (file->data[*at] - '0');
    return value;
}

/* stb_image leaves the pixels that a short PGM lacks as they were in memory. */
static bool complete(const throng_bytes *file)
{
    if (file->size < 2 || file->data[0] != 'P' || (file->data[1] != '5' && file->data[1] != '6'))
        return true;
    size_t at = 2;
    long width = header_number(file, &at), height = header_number(file, &at), most = header_number(file, &at);
    size_t sample = (most > 255 ? 2u : 1u) * (file->data[1] == '6' ? 3u : 1u);
    return width > 0 && height > 0 && most > 0 && file->size - at > (size_t)width * (size_t)height * sample;
}

static bool is_plain(const throng_bytes *file)
{
    return file->size > 1 && file->data[0] == 'P' && file->data[1] == '2';
}

const char *throng_pnm_unreadable(const throng_bytes *file)
{
    if (file->size == 0)
        return "the file is empty";
    if (file->size > INT32_MAX)
        return "the file is too large";
    if (!complete(file))
        return "the file ends before the image does";
    if (file->size > 1 && file->data[0] == 'P' && (file->data[1] == '1' || file->data[1] == '3'))
        return "a PBM or PPM in plain text; save it as a PGM";
    return NULL;
}

bool throng_pgm_is_plain(const throng_bytes *file, int *width, int *height)
{
    size_t at = 2;
    if (!is_plain(file))
        return false;
    long w = header_number(file, &at), h = header_number(file, &at);
    *width = w > 0 ? (int)w : 0;
    *height = h > 0 ? (int)h : 0;
    return true;
}

unsigned char *throng_pgm_plain_read(const throng_bytes *file, const char **reason)
{
    size_t at = 2;
    long width = header_number(file, &at), height = header_number(file, &at), most = header_number(file, &at);
    *reason = "the head of the PGM is wrong: it has width, height and the greatest value, 1 to 65535";
    if (width < 1 || height < 1 || most < 1 || most > 65535)
        return NULL;
    *reason = "the file ends before the image does";
    /* at least a digit and a blank a pixel: a short file asks for no memory */
    if ((size_t)width * (size_t)height > (file->size - at + 1) / 2)
        return NULL;
    unsigned char *grey = malloc((size_t)width * (size_t)height);
    *reason = "out of memory";
    for (size_t i = 0; grey && i < (size_t)width * (size_t)height; i++) {
        long value = header_number(file, &at);
        if (value < 0 || value > most) {
            *reason = value > most       ? "a pixel of the PGM is more than its greatest value"
                      : at >= file->size ? "the file ends before the image does"
                                         : "a pixel of the PGM is not a number";
            free(grey);
            return NULL;
        }
        grey[i] = (unsigned char)((value * 255 + most / 2) / most);
    }
    return grey;
}
