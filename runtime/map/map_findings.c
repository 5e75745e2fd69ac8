#include "map_findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

const char *throng_finding_name(throng_finding_kind kind)
{
    static const char *const names[THRONG_FINDING_COUNT] = {
        [THRONG_FINDING_CROSSING] = "crossing", [THRONG_FINDING_HOLE] = "hole",   [THRONG_FINDING_GAP] = "gap",
        [THRONG_FINDING_REGION] = "region",     [THRONG_FINDING_REACH] = "reach", [THRONG_FINDING_SPAWN] = "spawn",
        [THRONG_FINDING_SOURCE] = "source",
    };
    return names[kind];
}

bool throng_findings_add(throng_findings *findings, throng_finding_kind kind, throng_point at, throng_point to,
                         const char *format, ...)
{
    char *text = NULL;
    va_list rest;
    va_start(rest, format);
    bool fine = vasprintf(&text, format, rest) >= 0;
    va_end(rest);
    if (fine && throng_array_reserve((void **)&findings->list, &findings->capacity, (int64_t)findings->count + 1,
                                     sizeof *findings->list)) {
        findings->list[findings->count++] = (throng_finding){kind, at, to, text};
        return true;
    }
    if (fine)
        free(text);
    return false;
}

void throng_findings_fini(throng_findings *findings)
{
    for (int32_t i = 0; i < findings->count; i++)
        free(findings->list[i].text);
    free(findings->list);
    *findings = (throng_findings){0};
}
