#include "recording_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[THRONG_CSV_COLUMNS] = {"id", "frame", "x", "y", "time"};

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

bool throng_csv_read_head(char *line, throng_csv_head *head, throng_error *error)
{
    for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
        head->place[c] = -1;
    head->floor = -1;
    int place = 0;
    for (char *rest = line; rest; place++) {
        const char *name = take_field(&rest);
        if (strcmp(name, "floor") == 0)
            head->floor = place;
        for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
            if (strcmp(name, names[c]) == 0)
                head->place[c] = place;
    }
    for (int c = 0; c < THRONG_CSV_TIME; c++)
        if (head->place[c] < 0)
            return throng_fail(error, "expected a line that names the columns, id,frame,x,y and others; it has no '%s'",
                               names[c]);
    return true;
}

bool throng_csv_read_row(char *line, const throng_csv_head *head, double *values, const char **floor)
{
    int found = 0, wanted = 0;
    *floor = "";
    for (int c = 0; c < THRONG_CSV_COLUMNS; c++) {
        values[c] = 0;
        wanted += head->place[c] >= 0;
    }
    int place = 0;
    for (char *rest = line; rest; place++) {
        const char *field = take_field(&rest);
        if (place == head->floor)
            *floor = field;
        for (int c = 0; c < THRONG_CSV_COLUMNS; c++) {
            char *end;
            if (head->place[c] != place)
                continue;
            values[c] = strtod(field, &end);
            if (end == field || *end || !(fabs(values[c]) < 1e9))
                return false;
            found++;
        }
    }
    return found == wanted;
}
