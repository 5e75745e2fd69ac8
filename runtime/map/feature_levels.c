#include "feature_levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 64 };

/* The next entry of the list, from `*from` to `*to`; false: there is none, or it is no number. */
static bool take_entry(const char **list, double *from, double *to)
{
    char *end;
    *from = *to = strtod(*list, &end);
    if (end == *list)
        return false;
    if (*end == '-') {
        const char *second = end + 1;
        *to = strtod(second, &end);
        if (end == second)
            return false;
    }
    *list = end + strspn(end, "; ");
    return true;
}

bool throng_level_is_in(const char *list, double level)
{
    double from, to;
    while (take_entry(&list, &from, &to))
        if (level >= fmin(from, to) && level <= fmax(from, to))
            return true;
    return false;
}

typedef struct level_list {
    double level[MOST_LEVELS];
    int count;
} level_list;

static void add_level(level_list *all, double level)
{
    for (int i = 0; i < all->count; i++)
        if (all->level[i] == level)
            return;
    if (all->count < MOST_LEVELS && isfinite(level))
        all->level[all->count++] = level;
}

static int by_level(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* The ends of all entries. */
static level_list levels_of(const throng_features *f)
{
    level_list all = {.count = 0};
    double from, to;
    for (int32_t i = 0; i < f->count; i++) {
        const char *list = f->list[i].level ? f->list[i].level : "";
        while (take_entry(&list, &from, &to)) {
            add_level(&all, from);
            add_level(&all, to);
        }
    }
    qsort(all.level, (size_t)all.count, sizeof *all.level, by_level);
    return all;
}

static void write_levels(const level_list *all, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < all->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%g", i ? ", " : "", all->level[i]);
}

bool throng_features_take_level(throng_features *f, double level, throng_error *error)
{
    char text[sizeof f->storeys] = "";
    level_list all = levels_of(f);
    write_levels(&all, text, sizeof text);
    if (isnan(level)) {
        if (all.count > 1)
            memcpy(f->storeys, text, sizeof text);
        return true;
    }
    int32_t kept = 0, there = 0;
    for (int32_t i = 0; i < f->count; i++)
        there += f->list[i].level && throng_level_is_in(f->list[i].level, level);
    if (!there)
        return throng_fail(error, "%s: nothing is on level %g; its features are on: %s", f->path, level,
                           *text ? text : "none, since they say no level");
    for (int32_t i = 0; i < f->count; i++) {
        throng_feature one = f->list[i];
        if (!one.level || throng_level_is_in(one.level, level)) {
            f->list[kept++] = one;
            continue;
        }
        f->roles[one.role]--;
        free(one.level);
        free(one.what);
        free(one.name);
    }
    f->count = kept;
    return true;
}
