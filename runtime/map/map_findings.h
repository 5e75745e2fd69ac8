/* Lists of findings. */
#ifndef THRONG_MAP_FINDINGS_H
#define THRONG_MAP_FINDINGS_H

#include "map.h"

/* "gap", "crossing", ...: the kind as `throng map` and JSON have it. */
const char *throng_finding_name(throng_finding_kind kind);

/* Appends one with a formatted text. False when memory is out. */
bool throng_findings_add(throng_findings *findings, throng_finding_kind kind, throng_point at, throng_point to,
                         const char *format, ...) __attribute__((format(printf, 5, 6)));
void throng_findings_fini(throng_findings *findings);

#endif
