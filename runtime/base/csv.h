/* Texts in tables of comma-separated values. */
#ifndef THRONG_CSV_H
#define THRONG_CSV_H

#include <stdio.h>
#include <string.h>

#include "error.h"

/* In quotes where it has to be (RFC 4180). */
static inline void throng_csv_text(FILE *file, const char *text)
{
    const char *quote = text[strcspn(text, ",\"\r\n")] ? "\"" : "";
    fputs(quote, file);
    for (; *text; text += throng_text_put(file, text))
        if (*text == '"')
            fputc('"', file);
    fputs(quote, file);
}

#endif
