#include "recording_head.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Each is a word of its own. */
static const struct {
    const char *text;
    int way, unit;
} names[] = {
    {"x/m", THRONG_UNIT_COLUMNS, THRONG_UNIT_M},
    {"y/m", THRONG_UNIT_COLUMNS, THRONG_UNIT_M},
    {"x/cm", THRONG_UNIT_COLUMNS, THRONG_UNIT_CM},
    {"y/cm", THRONG_UNIT_COLUMNS, THRONG_UNIT_CM},
    {"x[in m]", THRONG_UNIT_COLUMNS, THRONG_UNIT_M},
    {"y[in m]", THRONG_UNIT_COLUMNS, THRONG_UNIT_M},
    {"x[in cm]", THRONG_UNIT_COLUMNS, THRONG_UNIT_CM},
    {"y[in cm]", THRONG_UNIT_COLUMNS, THRONG_UNIT_CM},
    {"in m", THRONG_UNIT_WORDS, THRONG_UNIT_M},
    {"in cm", THRONG_UNIT_WORDS, THRONG_UNIT_CM},
    {"in meters", THRONG_UNIT_WORDS, THRONG_UNIT_M},
    {"in metres", THRONG_UNIT_WORDS, THRONG_UNIT_M},
    {"in centimeters", THRONG_UNIT_WORDS, THRONG_UNIT_CM},
    {"in centimetres", THRONG_UNIT_WORDS, THRONG_UNIT_CM},
};

/* "in march" does not have "in m", nor do "in m/s" and "in mm". */
static bool has_word(const char *line, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(line, word); at; at = strstr(at + 1, word)) {
        char after = at[length];
        bool begins = at == line || !isalnum((unsigned char)at[-1]);
        if (begins && (!after || isspace((unsigned char)after) || strchr(",.;:!)]}\"'", after)))
            return true;
    }
    return false;
}

/* Behind the name, or the next colon: "framerate of camera 2: 25". What has no number there says nothing. */
static bool read_rate(throng_text_head *head, const char *line, const char *path, int32_t line_number,
                      throng_error *error)
{
    const char *name = strstr(line, "framerate");
    name = name ? name : strstr(line, "frame_rate"); /* as pandas' users write it */
    if (!name)
        return true;
    const char *text = name + strlen("framerate") + (name[5] == '_');
    char *end;
    double fps = strtod(text, &end);
    const char *sign = end == text ? strpbrk(text, ":=") : NULL;
    if (sign)
        fps = strtod(text = sign + 1, &end);
    if (end == text)
        return true;
    head->fps = fps;
    return fps > 0 ||
           throng_fail(error, "%s:%d: a frame rate of %g; expected a positive number, as in \"# framerate: 25\"", path,
                       line_number, fps);
}

bool throng_text_head_read(throng_text_head *head, const char *line, const char *path, int32_t line_number,
                           throng_error *error)
{
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (has_word(line, names[n].text))
            head->unit_line[names[n].way][names[n].unit] = line_number;
    return read_rate(head, line, path, line_number, error);
}

bool throng_text_head_scale(const throng_text_head *head, const char *path, double *scale, throng_error *error)
{
    *scale = 0;
    for (int way = 0; way < THRONG_UNIT_WAYS && *scale == 0; way++) {
        int32_t m = head->unit_line[way][THRONG_UNIT_M], cm = head->unit_line[way][THRONG_UNIT_CM];
        if (m && cm)
            return throng_fail(error, "%s:%d: lengths are in m here, but in cm in line %d: correct one of them", path,
                               m, cm);
        *scale = m ? 1 : cm ? 0.01 : 0;
    }
    return true;
}
