#include "map_drawing_gaps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "geometry.h"
#include "map_findings.h"

#define TOUCHING 0.01 /* m: nobody takes less for a gap */

enum { MOST_TOLD = 100 };

/* What is sought: the nearest place of a line to an end. */
typedef struct seeking {
    const throng_ring_list *lines;
    throng_point end;
    int32_t line, beside; /* whose end it is; its segment there, which does not count, by its first point */
    double nearest;       /* m */
    throng_point at;
} seeking;

static throng_point nearest_on(throng_point a, throng_point b, throng_point p)
{
    double ex = b.x - a.x, ey = b.y - a.y, square = ex * ex + ey * ey;
    double t = square > 0 ? ((p.x - a.x) * ex + (p.y - a.y) * ey) / square : 0;
    return throng_between(a, b, fmax(0, fmin(1, t)));
}

static void look_at(void *item, void *context)
{
    seeking *s = context;
    int32_t line = (int32_t)(intptr_t)item, last = throng_ring_list_end(s->lines, line) - 1;
    for (int32_t i = s->lines->start[line]; i < last; i++) {
        throng_point at = nearest_on(s->lines->points[i], s->lines->points[i + 1], s->end);
        double far = hypot(at.x - s->end.x, at.y - s->end.y);
        if (far < s->nearest && !(line == s->line && i == s->beside)) {
            s->nearest = far;
            s->at = at;
        }
    }
}

/* Of two ends that are each other's nearest the second is not told again. */
static bool is_told(const throng_findings *told, int32_t from, throng_point end, throng_point at)
{
    for (int32_t i = from; i < told->count; i++) {
        const throng_finding *f = &told->list[i];
        if (hypot(f->at.x - at.x, f->at.y - at.y) < 1e-9 && hypot(f->to.x - end.x, f->to.y - end.y) < 1e-9)
            return true;
    }
    return false;
}

static GEOSSTRtree *tree_of(throng_geos *geos, const throng_ring_list *lines, GEOSGeometry **boxes)
{
    GEOSSTRtree *tree = GEOSSTRtree_create_r(geos->handle, 10);
    for (int32_t r = 0; tree && r < lines->count; r++) {
        int32_t from = lines->start[r];
        boxes[r] = throng_geos_line(geos, lines->points + from, throng_ring_list_end(lines, r) - from);
        if (!boxes[r]) {
            GEOSSTRtree_destroy_r(geos->handle, tree);
            return NULL;
        }
        GEOSSTRtree_insert_r(geos->handle, tree, boxes[r], (void *)(intptr_t)r);
    }
    return tree;
}

static bool seek(throng_geos *geos, GEOSSTRtree *tree, seeking *s, double thickness)
{
    throng_bounds near = {s->end.x - thickness, s->end.y - thickness, s->end.x + thickness, s->end.y + thickness};
    GEOSGeometry *box = throng_geos_box(geos, near);
    if (!box)
        return false;
    s->nearest = INFINITY;
    GEOSSTRtree_query_r(geos->handle, tree, box, look_at, s);
    throng_geos_free(geos, box);
    return true;
}

static bool note_ends(throng_draft *draft, const throng_ring_list *lines, GEOSSTRtree *tree, double thickness,
                      throng_error *error)
{
    throng_findings *told = &draft->held.findings;
    int32_t first = told->count, more = 0;
    for (int32_t r = 0; r < lines->count; r++) {
        int32_t from = lines->start[r], last = throng_ring_list_end(lines, r) - 1;
        const throng_point ends[2] = {lines->points[from], lines->points[last]};
        if (last == from || (ends[0].x == ends[1].x && ends[0].y == ends[1].y))
            continue;
        for (int side = 0; side < 2; side++) {
            seeking s = {.lines = lines, .end = ends[side], .line = r, .beside = side ? last - 1 : from};
            if (!seek(&draft->geos, tree, &s, thickness))
                return throng_geos_fail(&draft->geos, draft->path, error);
            if (s.nearest <= TOUCHING || s.nearest > thickness || is_told(told, first, s.end, s.at))
                continue;
            if (told->count - first >= MOST_TOLD)
                more++;
            else if (!throng_findings_add(told, THRONG_FINDING_SOURCE, s.end, s.at,
                                          "a gap of %.2f m in the walls was closed: they are %g m thick", s.nearest,
                                          thickness))
                return throng_fail(error, "%s: out of memory", draft->path);
        }
    }
    const throng_point nowhere = {NAN, NAN};
    return !more ||
           throng_findings_add(told, THRONG_FINDING_SOURCE, nowhere, nowhere, "%d more gaps in the walls were closed",
                               more) ||
           throng_fail(error, "%s: out of memory", draft->path);
}

bool throng_drawing_note_gaps(throng_draft *draft, const throng_ring_list *lines, double thickness, throng_error *error)
{
    GEOSGeometry **boxes = calloc((size_t)lines->count + 1, sizeof *boxes);
    GEOSSTRtree *tree = boxes ? tree_of(&draft->geos, lines, boxes) : NULL;
    bool ok = tree ? note_ends(draft, lines, tree, thickness, error)
                   : throng_fail(error, "%s: out of memory for the ends of its walls", draft->path);
    if (tree)
        GEOSSTRtree_destroy_r(draft->geos.handle, tree);
    for (int32_t r = 0; boxes && r < lines->count; r++)
        throng_geos_free(&draft->geos, boxes[r]);
    free(boxes);
    return ok;
}
