#include "feature_roles.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

const char *const throng_role_names[THRONG_ROLE_COUNT + 1] = {"",        "walls", "obstacles", "doors",
                                                              "regions", "rooms", "boundary",  NULL};

const char throng_roles_usual[] = "walls indoor=wall\n"
                                  "walls barrier=*\n"
                                  "obstacles building=*\n"
                                  "obstacles role=obstacle*\n"
                                  "walls role=wall*\n"
                                  "doors role=door*\n"
                                  "regions role=region*\n"
                                  "boundary role=boundar*\n"
                                  "doors door=*\n"
                                  "rooms indoor=room\n"
                                  "regions indoor=area\n"
                                  "regions indoor=corridor\n"
                                  "boundary indoor=level\n"
                                  "doors *door*\n"
                                  "doors *tuer*\n"
                                  "doors *porte*\n"
                                  "walls *wall*\n"
                                  "walls *wand*\n"
                                  "walls *waende*\n"
                                  "walls *mur*\n"
                                  "obstacles *obstacle*\n"
                                  "obstacles *column*\n"
                                  "obstacles *cols*\n"
                                  "obstacles *stuetze*\n"
                                  "obstacles *furn*\n"
                                  "obstacles *moebel*\n"
                                  "regions *region*\n"
                                  "regions *room*\n"
                                  "regions *raum*\n"
                                  "regions *-area*\n"
                                  "boundary *boundary*\n"
                                  "boundary *outline*\n"
                                  "boundary *slab*\n";

enum { LONGEST = 512 };

static bool matches(const char *pattern, const char *layer, throng_attribute *attribute, void *feature)
{
    char name[LONGEST];
    const char *equals = strchr(pattern, '=');
    if (!equals)
        return fnmatch(pattern, layer, FNM_CASEFOLD) == 0;
    size_t length = (size_t)(equals - pattern);
    memcpy(name, pattern, length);
    name[length] = 0;
    const char *value = attribute(name, feature);
    return value && fnmatch(equals + 1, value, FNM_CASEFOLD) == 0;
}

static throng_feature_role role_named(const char *name, size_t length)
{
    int role = THRONG_ROLE_COUNT - 1;
    while (role > THRONG_ROLE_NONE &&
           (strlen(throng_role_names[role]) != length || strncmp(throng_role_names[role], name, length) != 0))
        role--;
    return (throng_feature_role)role;
}

throng_feature_role throng_role_of(const char *patterns, const char *layer, throng_attribute *attribute, void *feature)
{
    char pattern[LONGEST];
    for (const char *line = patterns, *end; *line; line = *end ? end + 1 : end) {
        end = strchr(line, '\n');
        end = end ? end : line + strlen(line);
        const char *space = memchr(line, ' ', (size_t)(end - line));
        size_t length = space ? (size_t)(end - space) - 1 : 0;
        if (!space || length >= sizeof pattern)
            continue;
        memcpy(pattern, space + 1, length);
        pattern[length] = 0;
        if (matches(pattern, layer, attribute, feature))
            return role_named(line, (size_t)(space - line));
    }
    return THRONG_ROLE_NONE;
}

bool throng_roles_add(char *patterns, size_t size, const char *role, const char *pattern, throng_error *error)
{
    size_t used = strlen(patterns);
    if (role_named(role, strlen(role)) == THRONG_ROLE_NONE)
        return throng_fail(
            error, "there is no role '%s' of layers; expected walls, obstacles, doors, regions, rooms or boundary",
            role);
    if (!*pattern || strchr(pattern, '\n') || strlen(pattern) >= LONGEST)
        return throng_fail(error, "'%s' is no layer's name, like \"A-WALL*\", nor an attribute, like \"indoor=wall\"",
                           pattern);
    int written = snprintf(patterns + used, size - used, "%s %s\n", role, pattern);
    if (written < 0 || (size_t)written >= size - used) {
        patterns[used] = 0;
        return throng_fail(error, "these are too many layers");
    }
    return true;
}

bool throng_roles_parse(const char *line, char *patterns, size_t size, throng_error *error)
{
    char copy[4096], *rest = copy, *part, *pattern;
    patterns[0] = 0;
    if (snprintf(copy, sizeof copy, "%s", line) >= (int)sizeof copy)
        return throng_fail(error, "these are too many layers");
    while ((part = strsep(&rest, ";"))) {
        char *equals = strchr(part, '=');
        if (!equals)
            return throng_fail(error, "'%s' names no role: give layers like \"walls=A-WALL*,A-COLS;doors=A-DOOR\"",
                               part);
        *equals = 0;
        for (char *list = equals + 1; (pattern = strsep(&list, ","));)
            if (!throng_roles_add(patterns, size, part, pattern, error))
                return false;
    }
    return true;
}
