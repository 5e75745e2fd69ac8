#include "suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 48 };

static int least(int a, int b) { return a < b ? a : b; }

/* Edits (insert, delete, replace, swap of neighbours), letter case ignored. */
static int distance(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (int j = 0; j <= m; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            row[j] = least(above[j - 1] + (ca != cb), least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) && cb == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

const char *throng_suggest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    int best = 1 + (int)strlen(word) / 4;
    for (; *names; names++) {
        int edits = distance(word, *names), longer = (int)fmax(strlen(word), strlen(*names));
        if (edits <= best && 2 * edits <= longer && edits < longer && (!nearest || edits < best)) {
            best = edits;
            nearest = *names;
        }
    }
    return nearest;
}

void throng_list_names(char *text, size_t size, const char *const *names)
{
    size_t used = 0;
    text[0] = 0;
    for (const char *const *name = names; *name; name++) {
        const char *comma = name == names ? "" : ", ";
        if (used + strlen(comma) + strlen(*name) + 6 > size) {
            snprintf(text + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%s", comma, *name);
    }
}
