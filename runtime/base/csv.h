/* Texts in tables of comma-separated values. */
#ifndef THRONG_CSV_H
#define THRONG_CSV_H

#include <stdio.h>
#include <string.h>

#include "error.h"

/* The first character of a text, a byte that is none of UTF-8's as \xFF; how many bytes of the text it was. */
static inline int throng_csv_character(FILE *file, const char *text)
{
    int size = throng_text_character(text);
    if (size)
        fwrite(text, 1, (size_t)size, file);
    else
        fprintf(file, "\\x%02X", (unsigned char)*text);
    return size ? size : 1;
}

/* In quotes where it has to be (RFC 4180). */
static inline void throng_csv_text(FILE *file, const char *text)
{
    const char *quote = text[strcspn(text, ",\"\r\n")] ? "\"" : "";
    fputs(quote, file);
    for (; *text; text += throng_csv_character(file, text))
        if (*text == '"')
            fputc('"', file);
    fputs(quote, file);
}

#endif
