#include "json.h"

#include <inttypes.h>
#include <math.h>

#include "error.h"

void throng_json_quote(FILE *file, const char *text)
{
    fputc('"', file);
    while (*text) {
        unsigned char c = (unsigned char)*text;
        int size = throng_text_character(text);
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20)
            fprintf(file, "\\u%04x", c);
        else if (size == 0)
            fputs("\\ufffd", file); /* no reader takes other bytes */
        else
            fwrite(text, 1, (size_t)size, file);
        text += size ? size : 1;
    }
    fputc('"', file);
}

throng_json throng_json_open(FILE *file)
{
    fputc('{', file);
    return (throng_json){.file = file};
}

void throng_json_close(throng_json *json) { fputs("}", json->file); }

void throng_json_name(throng_json *json, const char *name)
{
    fputs(json->filled ? ", " : "", json->file);
    throng_json_quote(json->file, name);
    fputs(": ", json->file);
    json->filled = true;
}

void throng_json_text(throng_json *json, const char *name, const char *value)
{
    throng_json_name(json, name);
    if (value)
        throng_json_quote(json->file, value);
    else
        fputs("null", json->file);
}

void throng_json_whole(throng_json *json, const char *name, int64_t value)
{
    throng_json_name(json, name);
    fprintf(json->file, "%" PRId64, value);
}

void throng_json_number(throng_json *json, const char *name, double value)
{
    throng_json_name(json, name);
    if (isfinite(value))
        fprintf(json->file, "%.10g", value);
    else
        fputs("null", json->file);
}

void throng_json_bool(throng_json *json, const char *name, bool value)
{
    throng_json_name(json, name);
    fputs(value ? "true" : "false", json->file);
}
