#include "path_floors.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "map/geometry.h"

/* m: a path and the end of a seam are as near as this where it passes there. */
static const double HAIR = 1e-6;

typedef struct walk {
    const throng_map *map;
    throng_path *on;
    int32_t room, sheet_room;
    int32_t sheet; /* the first of the part that it has come to */
    bool keep;     /* where it may cross a seam at its end or not, it does not */
    bool failed;
} walk;

static void add(walk *w, throng_point at)
{
    throng_path *on = w->on;
    int32_t last = on->count - 1;
    bool stays = last >= 0 && on->sheets[last] == w->sheet;
    if (stays && on->corners[last].x == at.x && on->corners[last].y == at.y)
        return;
    if (!throng_array_reserve((void **)&on->corners, &w->room, on->count + 1, sizeof *on->corners) ||
        !throng_array_reserve((void **)&on->sheets, &w->sheet_room, on->count + 1, sizeof *on->sheets)) {
        w->failed = true;
        return;
    }
    if (stays) {
        double along = throng_distance(on->corners[last], at),
               up = throng_map_height(w->map, w->sheet, at) - throng_map_height(w->map, w->sheet, on->corners[last]);
        on->length += sqrt(along * along + up * up);
    }
    on->corners[on->count] = at;
    on->sheets[on->count++] = w->sheet;
}

/* --- at the end of a seam: paths for points bend there, and go along handrails --- */

/* rad: from one direction to another, counter-clockwise, 0 to 2 pi. */
static double turn_of(throng_point from, throng_point to)
{
    double turn = atan2(from.x * to.y - from.y * to.x, from.x * to.x + from.y * to.y);
    return turn < 0 ? turn + 2 * M_PI : turn;
}

static throng_point toward(throng_point from, throng_point to) { return (throng_point){to.x - from.x, to.y - from.y}; }

/* rad: how far a part reaches round the end of a seam. Flights and cars are rectangles, cut out of floors. */
static double reach_of(const throng_map_sheets *s, int32_t sheet)
{
    return (s->list[sheet].flight || throng_map_stop_of(s, sheet) >= 0 ? 0.5 : 1.5) * M_PI + HAIR;
}

/* The end of a seam, from where the part lies on the left of it, or on the right. */
typedef struct seam_end {
    throng_point at, other;
    bool left;
    int32_t beyond; /* the sheet there */
} seam_end;

/* Does before -> end -> after pass the seam? A path is taut: in free space it turns by half a turn at least. */
static bool crosses_at(const walk *w, const seam_end *end, throng_point before, throng_point after)
{
    const double half = M_PI - HAIR;
    throng_point seam = toward(end->at, end->other), in = toward(end->at, before), out = toward(end->at, after);
    double from = end->left ? turn_of(seam, in) : turn_of(in, seam),
           to = end->left ? turn_of(seam, out) : turn_of(out, seam), beyond = 2 * M_PI - to;
    bool stays = fabs(from - to) >= half && to <= reach_of(w->map->sheets, w->sheet);
    bool crosses = from + beyond >= half && beyond <= reach_of(w->map->sheets, end->beyond);
    return crosses && !(stays && w->keep);
}

/* --- from corner to corner --- */

/* Where a path next meets a seam of its part. */
typedef struct meeting {
    double t; /* of the way; INFINITY: nowhere */
    seam_end end;
    bool at_end; /* it touches that; else it crosses the seam */
} meeting;

/* As a part of from -> to, where it leaves the left of a -> b between its ends. */
static double crossing(throng_point a, throng_point b, throng_point from, throng_point to)
{
    double length = throng_distance(a, b), hair = HAIR * length;
    double before = throng_turn(a, b, from), after = throng_turn(a, b, to);
    if (!(before > -hair && after < -hair))
        return INFINITY;
    double t = fmax(before, 0) / (fmax(before, 0) - after);
    throng_point at = throng_between(from, to, t);
    bool inside = throng_distance(a, at) > HAIR && throng_distance(b, at) > HAIR;
    return inside && throng_segment_distance(a, b, at) < HAIR ? t : INFINITY;
}

/* As a part of from -> to, where it passes a point; not at its beginning. */
static double passing(throng_point p, throng_point from, throng_point to)
{
    double length = throng_distance(from, to), along = throng_distance(from, p);
    return along > HAIR && along < length - HAIR && throng_segment_distance(from, to, p) < HAIR ? along / length
                                                                                                : INFINITY;
}

/* The part lies on the left of the seam, or on its right. */
static void meet(meeting *m, const throng_seam *seam, bool left, throng_point from, throng_point to)
{
    throng_point a = left ? seam->a : seam->b, b = left ? seam->b : seam->a;
    double at = crossing(a, b, from, to), at_a = passing(a, from, to), at_b = passing(b, from, to);
    double least = fmin(at, fmin(at_a, at_b));
    if (!(least < m->t))
        return;
    bool first = least == at_a;
    *m = (meeting){least, {first ? a : b, first ? b : a, first, left ? seam->right : seam->left}, least != at};
}

static meeting next_meeting(const walk *w, throng_point from, throng_point to)
{
    const throng_map_sheets *s = w->map->sheets;
    int32_t part = s->list[w->sheet].part;
    meeting m = {.t = INFINITY};
    for (int32_t q = 0; q < s->seam_count; q++) {
        const throng_seam *seam = &s->seams[q];
        if (!seam->inside && s->list[seam->left].part == part)
            meet(&m, seam, true, from, to);
        if (!seam->inside && s->list[seam->right].part == part)
            meet(&m, seam, false, from, to);
    }
    return m;
}

static void come_to(walk *w, throng_point at, int32_t beyond)
{
    add(w, at);
    w->sheet = throng_map_first_of_part(w->map->sheets, beyond);
    add(w, at);
}

static void go_to(walk *w, throng_point from, throng_point to)
{
    for (meeting m = next_meeting(w, from, to); !w->failed && isfinite(m.t); m = next_meeting(w, from, to)) {
        throng_point at = m.at_end ? m.end.at : throng_between(from, to, m.t);
        if (!m.at_end || crosses_at(w, &m.end, from, to))
            come_to(w, at, m.end.beyond);
        from = at;
    }
    add(w, to);
}

/* A corner of the path, which may be the end of a seam. */
static void bend(walk *w, throng_point before, throng_point at, throng_point after)
{
    const throng_map_sheets *s = w->map->sheets;
    for (int32_t q = 0; q < s->seam_count; q++) {
        const throng_seam *seam = &s->seams[q];
        int32_t part = s->list[w->sheet].part;
        bool left = s->list[seam->left].part == part, at_a = throng_distance(seam->a, at) < HAIR;
        if (seam->inside || !(left || s->list[seam->right].part == part) ||
            !(at_a || throng_distance(seam->b, at) < HAIR))
            continue;
        seam_end end = {at_a ? seam->a : seam->b, at_a ? seam->b : seam->a, at_a == left,
                        left ? seam->right : seam->left};
        if (crosses_at(w, &end, before, after)) {
            come_to(w, at, end.beyond);
            return;
        }
    }
}

static void follow(walk *w, const throng_path *path, int32_t sheet)
{
    w->on->count = 0;
    w->on->length = 0;
    w->sheet = throng_map_first_of_part(w->map->sheets, sheet);
    add(w, path->corners[0]);
    for (int32_t i = 1; i < path->count && !w->failed; i++) {
        go_to(w, path->corners[i - 1], path->corners[i]);
        if (i + 1 < path->count)
            bend(w, path->corners[i - 1], path->corners[i], path->corners[i + 1]);
    }
}

static bool copy(const throng_path *path, throng_path *on)
{
    int32_t room = 0;
    if (!throng_array_reserve((void **)&on->corners, &room, path->count, sizeof *on->corners))
        return false;
    for (; on->count < path->count; on->count++)
        on->corners[on->count] = path->corners[on->count];
    return true;
}

bool throng_path_on_floors(const throng_map *map, int32_t sheet, int32_t to, const throng_path *path, throng_path *on)
{
    *on = (throng_path){.length = path->length};
    if (!map || !map->sheets)
        return copy(path, on);
    walk w = {.map = map, .on = on};
    follow(&w, path, sheet);
    if (!w.failed && to >= 0 && map->sheets->list[w.sheet].part != map->sheets->list[to].part) {
        w.keep = true;
        follow(&w, path, sheet);
    }
    if (w.failed)
        throng_path_fini(on);
    return !w.failed;
}

throng_point throng_path_place(const throng_map *map, const throng_path *path, int32_t i)
{
    return path->sheets ? throng_map_place(map, path->sheets[i], path->corners[i]) : path->corners[i];
}
