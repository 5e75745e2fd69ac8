#include "recording_csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[THRONG_CSV_COLUMNS] = {"id", "frame", "x", "y", "time"};
static const char floor_name[] = "floor";

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

/* The place of a column that is read; NULL: of another. */
static int *place_of(throng_csv_head *head, const char *name)
{
    for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
        if (strcmp(name, names[c]) == 0)
            return &head->place[c];
    return strcmp(name, floor_name) == 0 ? &head->floor : NULL;
}

bool throng_csv_read_head(char *line, throng_csv_head *head, throng_error *error)
{
    *head = (throng_csv_head){.floor = -1};
    for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
        head->place[c] = -1;
    for (char *rest = line; rest; head->count++) {
        const char *name = take_field(&rest);
        int *place = place_of(head, name);
        if (place && *place >= 0)
            return throng_fail(error, "there are two columns '%s': remove one, or call it otherwise", name);
        if (place)
            *place = head->count;
    }
    for (int c = 0; c < THRONG_CSV_TIME; c++)
        if (head->place[c] < 0)
            return throng_fail(error, "expected a line that names the columns, id,frame,x,y and others; it has no '%s'",
                               names[c]);
    return true;
}

bool throng_csv_read_row(char *line, const throng_csv_head *head, double *values, const char **floor)
{
    int place = 0;
    *floor = "";
    for (int c = 0; c < THRONG_CSV_COLUMNS; c++)
        values[c] = 0;
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
        }
    }
    return place == head->count;
}
