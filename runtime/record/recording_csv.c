#include "recording_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[THRONG_CSV_COLUMNS] = {"id", "frame", "x",      "y",     "time",
                                                      "hx", "hy",    "radius", "floor", "group"};

/* The next field of a line, without quotes and the spaces around it; `*rest` is what comes behind it, NULL at the end.
 */
static char *take_field(char **rest)
{
    char *from = *rest, *to;
    while (*from == ' ')
        from++;
    char *field = to = from;
    bool quoted = *from == '"';
    from += quoted;
    for (; *from && (quoted || *from != ','); from++) {
        if (quoted && *from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    from += strcspn(from, ",");
    *rest = *from ? from + 1 : NULL;
    while (to > field && isspace((unsigned char)to[-1]))
        to--;
    *to = 0;
    return field;
}

/* -1: it is none that is read. */
static int column_of(const char *name)
{
    int c = 0;
    while (c < THRONG_CSV_COLUMNS && strcmp(name, names[c]) != 0)
        c++;
    return c < THRONG_CSV_COLUMNS ? c : -1;
}

bool throng_csv_read_head(char *line, throng_csv_head *head, throng_error *error)
{
    head->count = 0;
    for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
        head->place[c] = -1;
    for (char *rest = line; rest; head->count++) {
        const char *name = take_field(&rest);
        int c = column_of(name);
        if (c >= 0 && head->place[c] >= 0)
            return throng_fail(error, "there are two columns '%s': remove one, or call it otherwise", name);
        if (c >= 0)
            head->place[c] = head->count;
    }
    for (int c = 0; c < THRONG_CSV_TIME; c++)
        if (head->place[c] < 0)
            return throng_fail(error, "expected a line that names the columns, id,frame,x,y and others; it has no '%s'",
                               names[c]);
    return true;
}

static bool read_number(const char *field, double *number)
{
    char *end;
    double value = strtod(field, &end);
    bool fine = end > field && !*end && fabs(value) < 1e9;
    *number = fine ? value : NAN;
    return fine;
}

bool throng_csv_read_row(char *line, const throng_csv_head *head, throng_csv_row *row)
{
    const char *fields[THRONG_CSV_COLUMNS] = {NULL};
    int place = 0;
    for (char *rest = line; rest; place++) {
        const char *field = take_field(&rest);
        for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
            if (head->place[c] == place)
                fields[c] = field;
    }
    for (int c = THRONG_CSV_FLOOR; c < THRONG_CSV_COLUMNS; c++)
        row->text[c] = fields[c] ? fields[c] : "";
    for (int c = 0; c < THRONG_CSV_FLOOR; c++) {
        row->number[c] = NAN;
        if (fields[c] && !read_number(fields[c], &row->number[c]) && c <= THRONG_CSV_TIME)
            return false;
    }
    return place == head->count;
}
