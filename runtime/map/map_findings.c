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
    va_list rest, again;
    va_start(rest, format);
    va_copy(again, rest);
    int length = vsnprintf(NULL, 0, format, rest);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(rest);
    if (text && throng_array_reserve((void **)&findings->list, &findings->capacity, (int64_t)findings->count + 1,
                                     sizeof *findings->list)) {
        findings->list[findings->count++] = (throng_finding){kind, at, to, text};
        return true;
    }
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
