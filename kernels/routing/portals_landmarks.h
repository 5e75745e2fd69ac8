/* What is left of a path at the least, by landmarks: with all doors open and free, a place that is so much farther from
 * one than the goal, or so much nearer, is as far from the goal at the least (ALT: Goldberg and Harrelson, "Computing
 * the shortest path: A* search meets graph theory", SODA 2005). Doors that are closed or cost something only add. */
#ifndef THRONG_PORTALS_LANDMARKS_H
#define THRONG_PORTALS_LANDMARKS_H

#include "portals_open.h"
#include "portals_view.h"

/* Looking where the goal is takes as long as some thirty expansions, so searches ask first when they have made so many,
 * and no path is left that is less than so much longer than the straight line: else, after as many more. */
enum { PORTALS_LANDMARKS_EACH = 64 };
#define PORTALS_LANDMARKS_LONGER 1.01

/* Lengths from each landmark to the corner; NULL: not known. */
LANE_FN const uint16_t *portals_lengths_of(const throng_path_net *net, int32_t corner)
{
    int32_t row = corner < 0 ? -1 : net->corners[corner].row;
    return row < 0 ? NULL : net->lengths + (int64_t)row * THRONG_LANDMARKS;
}

/* m: the most that landmarks tell of what is left from a corner, or `ahead`. */
LANE_RARE double portals_ahead_by_landmarks(const portal_search *s, int32_t corner, double ahead)
{
    const uint16_t *lengths = portals_lengths_of(s->net, corner);
    int32_t most = 0;
    for (int32_t k = 0; lengths && k < s->landmark_count; k++) {
        int32_t length = lengths[s->landmark[k]];
        int32_t farther = length - s->goal_most[k], nearer = s->goal_least[k] - length;
        most = farther > most ? farther : most;
        most = nearer > most ? nearer : most;
    }
    double told = (most - 1) * s->net->length_unit;
    return told > ahead ? told : ahead;
}

/* m: the least from a corner to the goal. */
LANE_FN double portals_ahead(const portal_search *s, throng_point at, int32_t corner)
{
    double straight = portals_distance(at, s->to);
    return s->landmark_count > 0 ? portals_ahead_by_landmarks(s, corner, straight) : straight;
}

/* --- how far the goal is from them --- */

/* m: the goal's distances at the least and at the most, of those that are asked. */
typedef struct portals_measure {
    double least[PORTALS_LANDMARKS_ASKED], most[PORTALS_LANDMARKS_ASKED];
} portals_measure;

/* A landmark is so far from a place that the goal sees. */
LANE_FN void portals_measure_place(portals_measure *m, int32_t k, double length, double away)
{
    m->most[k] = length + away < m->most[k] ? length + away : m->most[k];
    m->least[k] = length - away > m->least[k] ? length - away : m->least[k];
}

/* m: the least that a path to the goal through the portal can measure when its ends are at such lengths. Going from one
 * end to the other, lengths cannot fall faster than one walks: they are least where both say the same, and what is
 * saved by crossing elsewhere is lost again. */
LANE_FN double portals_least_through(throng_point goal, const throng_path_portal *p, double width, double at_start,
                                     double at_end)
{
    double share = 0.5 * (1 + (at_start - at_end) / width);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return 0.5 * (at_start + at_end - width) + portals_distance(portals_at(p->start, p->end, share), goal);
}

/* Takes the ends of a portal into account, of which the goal sees `ends`. True when the path from some landmark may
 * lead to the goal straight through the portal. */
LANE_FN bool portals_measure_portal(const portal_search *s, portals_measure *m, const throng_path_portal *p, int ends)
{
    const uint16_t *start = portals_lengths_of(s->net, p->at_start), *end = portals_lengths_of(s->net, p->at_end);
    double to_start = portals_distance(p->start, s->to), to_end = portals_distance(p->end, s->to);
    double width = portals_distance(p->start, p->end), unit = s->net->length_unit;
    bool may = !start && !end;
    for (int32_t k = 0; (start || end) && k < s->landmark_count; k++) {
        int32_t l = s->landmark[k];
        double at_start = start ? unit * start[l] : unit * end[l] - width;
        double at_end = end ? unit * end[l] : unit * start[l] - width;
        if (start && ends & PORTALS_TURN_RIGHT)
            portals_measure_place(m, k, at_start, to_start);
        if (end && ends & PORTALS_TURN_LEFT)
            portals_measure_place(m, k, at_end, to_end);
        may = may || !(portals_least_through(s->to, p, width, at_start, at_end) > m->most[k] + 2 * unit);
    }
    return may;
}

/* Looks back from the goal at the corners where paths may bend last: as far as the shortest may come from. False when
 * there is too much to look at, or a ray has no direction: something may be missing then. */
LANE_FN bool portals_measure_goal(const portal_search *s, portals_measure *m)
{
    enum { DEPTH = 32, MOST = 48, BOTH = PORTALS_TURN_LEFT | PORTALS_TURN_RIGHT };
    portals_cone open[DEPTH];
    int32_t count = 0, looked = 0;
    bool whole = true;
    for (int32_t i = s->to_first; i < s->to_first + s->to_count; i++) {
        const throng_path_portal *p = &s->net->portals[i];
        if (!portals_measure_portal(s, m, p, BOTH))
            continue;
        bool fits = count < DEPTH && !portals_same(p->start, s->to) && !portals_same(p->end, s->to);
        if (fits)
            open[count++] = portals_whole_cone(s->to, i, p);
        whole = whole && fits;
    }
    for (; count > 0 && looked < MOST; looked++) {
        portals_cone from = open[--count], seen;
        int32_t entrance = s->net->portals[from.portal].twin;
        for (int32_t i = s->net->portals[entrance].next; i != entrance; i = s->net->portals[i].next) {
            const throng_path_portal *p = &s->net->portals[i];
            int ends;
            if (!portals_see(s->to, &from, i, p, &seen, &ends) || !portals_measure_portal(s, m, p, ends))
                continue;
            if (count < DEPTH)
                open[count++] = seen;
            else
                whole = false;
        }
    }
    return whole && count == 0;
}

/* --- which are asked --- */

/* A corner of the goal's face; -1: there is none. */
LANE_FN int32_t portals_goal_corner(const portal_search *s)
{
    for (int32_t i = s->to_first; i < s->to_first + s->to_count; i++)
        if (portals_lengths_of(s->net, s->net->portals[i].at_start))
            return s->net->portals[i].at_start;
    return -1;
}

/* The landmarks that lie best for paths between the two corners, those that tell most: the best first. */
LANE_FN void portals_choose_landmarks(portal_search *s, int32_t from, int32_t to)
{
    const uint16_t *a = portals_lengths_of(s->net, from), *b = portals_lengths_of(s->net, to);
    int32_t told[PORTALS_LANDMARKS_ASKED];
    for (int32_t l = 0; l < s->net->landmark_count; l++) {
        int32_t tells = a[l] < b[l] ? b[l] - a[l] : a[l] - b[l], k = s->landmark_count;
        for (; k > 0 && told[k - 1] < tells; k--)
            if (k < PORTALS_LANDMARKS_ASKED) {
                told[k] = told[k - 1];
                s->landmark[k] = s->landmark[k - 1];
            }
        if (k < PORTALS_LANDMARKS_ASKED) {
            told[k] = tells;
            s->landmark[k] = l;
            s->landmark_count += s->landmark_count < PORTALS_LANDMARKS_ASKED;
        }
    }
}

/* How far the goal is from those that are asked: what corners say is off by less than a unit. */
LANE_FN void portals_place_goal(portal_search *s)
{
    portals_measure m;
    double unit = s->net->length_unit;
    for (int32_t k = 0; k < s->landmark_count; k++) {
        m.most[k] = INFINITY;
        m.least[k] = 0;
    }
    bool exact = portals_measure_goal(s, &m) && !s->net->shut;
    for (int32_t k = 0; k < s->landmark_count; k++) {
        s->goal_most[k] = (int32_t)(m.most[k] / unit) + 2;
        s->goal_least[k] = (int32_t)((exact ? m.most[k] : m.least[k]) / unit) - 1;
    }
}

/* Asks the landmarks from now on, and for the roots that are there, if that is worth while yet. `limit`, m: what paths
 * measure at the least. */
LANE_RARE void portals_ask_landmarks(portal_search *s, double limit)
{
    s->ask_at += PORTALS_LANDMARKS_EACH;
    if (!(limit > PORTALS_LANDMARKS_LONGER * portals_distance(s->from, s->to)))
        return;
    s->ask_at = 0;
    int32_t to = portals_goal_corner(s), from = -1;
    for (int32_t i = 0; i < s->root_count && from < 0; i++)
        from = portals_lengths_of(s->net, s->roots[i].corner) ? s->roots[i].corner : -1;
    if (from < 0 || to < 0)
        return;
    portals_choose_landmarks(s, from, to);
    portals_place_goal(s);
    for (int32_t i = 0; i < s->root_count; i++)
        s->roots[i].ahead = portals_ahead(s, s->roots[i].at, s->roots[i].corner);
    portals_lengthen_open(s);
}

#endif
