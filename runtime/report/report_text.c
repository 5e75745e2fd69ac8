#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "report_parts.h"

void throng_report_json(FILE *file, const char *text)
{
    fputc('"', file);
    for (int size = 1; *text; text += size, size = 1) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || strchr("\"\\<>&", c))
            fprintf(file, "\\u%04x", c);
        else if (strncmp(text, "\xe2\x80\xa8", 3) == 0 || strncmp(text, "\xe2\x80\xa9", 3) == 0) {
            fprintf(file, "\\u20%02x", (unsigned char)text[2] & 0x3f);
            size = 3;
        } else if (throng_text_character(text) == 0)
            fprintf(file, "\\\\x%02X", c);
        else
            size = throng_text_put(file, text);
    }
    fputc('"', file);
}

void throng_report_base64(FILE *file, const uint8_t *bytes, size_t count)
{
    throng_base64 out = {.file = file};
    throng_base64_put(&out, bytes, count);
    throng_base64_end(&out);
}

/* ---- bytes */

static void add_byte(throng_report_bytes *bytes, uint8_t byte)
{
    if (bytes->count == bytes->room) {
        size_t room = bytes->room ? 2 * bytes->room : 4096;
        if (bytes->failed || !throng_array_resize((void **)&bytes->list, room)) {
            bytes->failed = true;
            return;
        }
        bytes->room = room;
    }
    bytes->list[bytes->count++] = byte;
}

void throng_report_add(throng_report_bytes *bytes, uint32_t value)
{
    for (; value > 127; value >>= 7)
        add_byte(bytes, (uint8_t)(value & 127) | 128);
    add_byte(bytes, (uint8_t)value);
}

void throng_report_add_signed(throng_report_bytes *bytes, int32_t value)
{
    throng_report_add(bytes, value < 0 ? ~((uint32_t)value << 1) : (uint32_t)value << 1);
}

/* ---- series */

bool throng_report_point(throng_report_series *series, double time, double value, throng_error *error)
{
    int64_t wanted = (int64_t)series->count + 1;
    if (!throng_array_reserve((void **)&series->time, &series->time_room, wanted, sizeof *series->time) ||
        !throng_array_reserve((void **)&series->value, &series->value_room, wanted, sizeof *series->value))
        return throng_fail(error, "out of memory for a curve of the report");
    series->time[series->count] = (float)time;
    series->value[series->count++] = (float)value;
    return true;
}

void throng_report_series_fini(throng_report_series *series)
{
    free(series->time);
    free(series->value);
    *series = (throng_report_series){0};
}

double throng_report_reach(const throng_report_series *series, double value)
{
    for (int32_t i = 0; i < series->count; i++)
        if ((double)series->value[i] >= value)
            return (double)series->time[i];
    return NAN;
}
