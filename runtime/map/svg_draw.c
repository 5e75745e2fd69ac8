/* What elements of an SVG draw. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"
#include "base/array.h"

#define STEP (M_PI / 36) /* of arcs: 5 degrees */
enum { CURVE = 24 };     /* lines of a curve by control points */

/* A drawing pen, where it is and where the line that it draws began. */
typedef struct pen {
    throng_svg_lines *to;
    double x, y, begin_x, begin_y;
    double control_x, control_y; /* of the curve before, for smooth ones */
    bool down;                   /* a line has begun */
} pen;

void throng_svg_lines_fini(throng_svg_lines *lines)
{
    free(lines->points.list);
    free(lines->start);
    *lines = (throng_svg_lines){0};
}

static bool move_to(pen *p, double x, double y)
{
    throng_svg_lines *to = p->to;
    p->x = p->begin_x = x;
    p->y = p->begin_y = y;
    p->down = false;
    if (!throng_array_reserve((void **)&to->start, &to->capacity, (int64_t)to->count + 2, sizeof *to->start))
        return false;
    to->start[to->count] = to->points.count;
    return true;
}

static bool line_to(pen *p, double x, double y)
{
    throng_svg_lines *to = p->to;
    if (!p->down) {
        if (!move_to(p, p->x, p->y) || !throng_points_add(&to->points, (throng_point){p->x, p->y}))
            return false;
        to->count++;
        p->down = true;
    }
    p->x = x;
    p->y = y;
    bool fine = throng_points_add(&to->points, (throng_point){x, y});
    to->start[to->count] = to->points.count;
    return fine;
}

static bool close_line(pen *p)
{
    bool fine = !p->down || line_to(p, p->begin_x, p->begin_y);
    p->x = p->begin_x;
    p->y = p->begin_y;
    p->down = false;
    return fine;
}

/* A cubic curve, by two control points. */
static bool curve_to(pen *p, double ax, double ay, double bx, double by, double x, double y)
{
    double x0 = p->x, y0 = p->y;
    for (int i = 1; i <= CURVE; i++) {
        double t = (double)i / CURVE, s = 1 - t;
        double k0 = s * s * s, k1 = 3 * s * s * t, k2 = 3 * s * t * t, k3 = t * t * t;
        if (!line_to(p, k0 * x0 + k1 * ax + k2 * bx + k3 * x, k0 * y0 + k1 * ay + k2 * by + k3 * y))
            return false;
    }
    p->control_x = bx;
    p->control_y = by;
    return true;
}

/* A quadratic one, as the cubic one that it is. */
static bool bend_to(pen *p, double cx, double cy, double x, double y)
{
    bool fine = curve_to(p, p->x + 2 * (cx - p->x) / 3, p->y + 2 * (cy - p->y) / 3, x + 2 * (cx - x) / 3,
                         y + 2 * (cy - y) / 3, x, y);
    p->control_x = cx;
    p->control_y = cy;
    return fine;
}

/* An arc of an ellipse (SVG 1.1, appendix F.6.5). */
static bool arc_to(pen *p, double rx, double ry, double rotation, bool large, bool sweep, double x, double y)
{
    double phi = rotation * M_PI / 180, c = cos(phi), s = sin(phi), dx = (p->x - x) / 2, dy = (p->y - y) / 2;
    double ux = c * dx + s * dy, uy = c * dy - s * dx;
    rx = fabs(rx), ry = fabs(ry);
    if (rx == 0 || ry == 0)
        return line_to(p, x, y);
    double over = ux * ux / (rx * rx) + uy * uy / (ry * ry);
    if (over == 0)
        return true; /* from a point to itself */
    if (over > 1)
        rx *= sqrt(over), ry *= sqrt(over);
    double root = sqrt(fmax(1 / fmin(over, 1) - 1, 0)) * (large == sweep ? -1 : 1);
    double mx = root * rx * uy / ry, my = -root * ry * ux / rx; /* the middle, turned back */
    double from = atan2((uy - my) / ry, (ux - mx) / rx), to = atan2((-uy - my) / ry, (-ux - mx) / rx);
    double turn = to - from + (sweep && to < from ? 2 * M_PI : !sweep && to > from ? -2 * M_PI : 0);
    double middle_x = c * mx - s * my + (p->x + x) / 2, middle_y = s * mx + c * my + (p->y + y) / 2;
    int steps = (int)ceil(fabs(turn) / STEP);
    for (int i = 1; i < steps; i++) {
        double at = from + turn * i / steps, ex = rx * cos(at), ey = ry * sin(at);
        if (!line_to(p, middle_x + c * ex - s * ey, middle_y + s * ex + c * ey))
            return false;
    }
    return line_to(p, x, y);
}

/* ---- paths */

/* The next number of a list with spaces and commas between; of flags, which are written together, one digit. */
static bool next_number(const char **at, bool is_flag, double *value)
{
    const char *text = *at + strspn(*at, " \t\r\n,");
    if (is_flag) {
        *value = *text - '0';
        *at = text + 1;
        return *text == '0' || *text == '1';
    }
    char *end;
    if (isalpha((unsigned char)*text)) /* strtod takes "inf" */
        return false;
    *value = strtod(text, &end);
    *at = end;
    return end != text && isfinite(*value);
}

/* Numbers that a command takes. */
static int numbers_of(char command)
{
    switch (toupper(command)) {
    case 'M':
    case 'L':
    case 'T': return 2;
    case 'H':
    case 'V': return 1;
    case 'S':
    case 'Q': return 4;
    case 'C': return 6;
    case 'A': return 7;
    case 'Z': return 0;
    default: return -1;
    }
}

/* Carries out a command whose numbers are in `v`; `before` is the one before it. */
static bool carry_out(pen *p, char command, char before, double *v)
{
    double ox = islower((unsigned char)command) ? p->x : 0, oy = islower((unsigned char)command) ? p->y : 0;
    char kind = (char)toupper(command), was = (char)toupper(before);
    int count = numbers_of(command);
    if (kind == 'H')
        return line_to(p, v[0] + ox, p->y);
    if (kind == 'V')
        return line_to(p, p->x, v[0] + oy);
    if (kind == 'A')
        return arc_to(p, v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[5] + ox, v[6] + oy);
    for (int i = 0; i < count; i++)
        v[i] += i % 2 ? oy : ox;
    bool smooth = kind == 'S' ? was == 'C' || was == 'S' : was == 'Q' || was == 'T';
    double mirror_x = smooth ? 2 * p->x - p->control_x : p->x, mirror_y = smooth ? 2 * p->y - p->control_y : p->y;
    switch (kind) {
    case 'M': return move_to(p, v[0], v[1]);
    case 'L': return line_to(p, v[0], v[1]);
    case 'C': return curve_to(p, v[0], v[1], v[2], v[3], v[4], v[5]);
    case 'S': return curve_to(p, mirror_x, mirror_y, v[0], v[1], v[2], v[3]);
    case 'Q': return bend_to(p, v[0], v[1], v[2], v[3]);
    case 'T': return bend_to(p, mirror_x, mirror_y, v[0], v[1]);
    default: return close_line(p);
    }
}

static bool draw_path(pen *p, const char *text, throng_error *error)
{
    char command = 0, before = 0;
    for (const char *at = text + strspn(text, " \t\r\n,"); *at; at += strspn(at, " \t\r\n,")) {
        bool says = isalpha((unsigned char)*at);
        if (says)
            command = *at++;
        else if (command == 'M' || command == 'm') /* more points of a move are lines */
            command = command == 'M' ? 'L' : 'l';
        int count = numbers_of(command);
        double v[7];
        if (count < 0 || (!says && count == 0) || (!before && toupper(command) != 'M'))
            return throng_fail(error, "<path>: d has '%.20s' where a command like M, L or Z must be", at - says);
        for (int i = 0; i < count; i++)
            if (!next_number(&at, toupper(command) == 'A' && (i == 3 || i == 4), &v[i]))
                return throng_fail(error, "<path>: '%c' in d takes %d numbers, and there is '%.20s'", command, count,
                                   at);
        if (!carry_out(p, command, before, v))
            return throng_fail(error, "out of memory");
        before = command;
    }
    return true;
}

/* ---- other shapes */

static bool draw_points(pen *p, const char *name, const char *text, bool closed, throng_error *error)
{
    double x, y;
    bool first = true;
    for (const char *at = text + strspn(text, " \t\r\n,"); *at; at += strspn(at, " \t\r\n,")) {
        if (!next_number(&at, false, &x) || !next_number(&at, false, &y))
            return throng_fail(error, "<%s>: points has '%.20s' where a number must be", name, at);
        if (!(first ? move_to(p, x, y) : line_to(p, x, y)))
            return throng_fail(error, "out of memory");
        first = false;
    }
    return !closed || close_line(p) || throng_fail(error, "out of memory");
}

static bool draw_ellipse(pen *p, double x, double y, double rx, double ry)
{
    return move_to(p, x + rx, y) && arc_to(p, rx, ry, 0, false, true, x - rx, y) &&
           arc_to(p, rx, ry, 0, false, true, x + rx, y);
}

static bool draw_rect(pen *p, double x, double y, double w, double h, double rx, double ry)
{
    rx = fmin(rx, w / 2), ry = fmin(ry, h / 2);
    if (rx <= 0 || ry <= 0)
        return move_to(p, x, y) && line_to(p, x + w, y) && line_to(p, x + w, y + h) && line_to(p, x, y + h) &&
               close_line(p);
    return move_to(p, x + rx, y) && line_to(p, x + w - rx, y) && arc_to(p, rx, ry, 0, false, true, x + w, y + ry) &&
           line_to(p, x + w, y + h - ry) && arc_to(p, rx, ry, 0, false, true, x + w - rx, y + h) &&
           line_to(p, x + rx, y + h) && arc_to(p, rx, ry, 0, false, true, x, y + h - ry) && line_to(p, x, y + ry) &&
           arc_to(p, rx, ry, 0, false, true, x + rx, y) && close_line(p);
}

static bool lengths(const throng_svg *svg, int32_t node, const char *const *names, double *values, throng_error *error)
{
    char room[64];
    for (int i = 0; names[i]; i++) {
        const char *text = throng_svg_own(svg, node, names[i], room, sizeof room);
        values[i] = 0;
        if (text && strcmp(text, "auto") != 0 && !throng_svg_length(text, 0, &values[i]))
            return throng_fail(error, "<%s>: %s=\"%.40s\" is no length", svg->nodes[node].name, names[i], text);
    }
    return true;
}

bool throng_svg_draw(const throng_svg *svg, int32_t node, throng_svg_lines *lines, bool *is_shape, throng_error *error)
{
    static const char *const of_line[] = {"x1", "y1", "x2", "y2", NULL}, *const of_circle[] = {"cx", "cy", "r", NULL},
                             *const of_ellipse[] = {"cx", "cy", "rx", "ry", NULL},
                             *const of_rect[] = {"x", "y", "width", "height", "rx", "ry", NULL};
    const char *name = svg->nodes[node].name, **attributes = (const char **)svg->nodes[node].attributes;
    const char *d = throng_markup_attribute(attributes, "d"), *points = throng_markup_attribute(attributes, "points");
    pen p = {.to = lines};
    double v[6];
    bool drawn = true;
    *is_shape = true;
    lines->count = lines->points.count = 0;
    if (strcmp(name, "path") == 0)
        return draw_path(&p, d ? d : "", error);
    if (strcmp(name, "polyline") == 0 || strcmp(name, "polygon") == 0)
        return draw_points(&p, name, points ? points : "", strcmp(name, "polygon") == 0, error);
    if (strcmp(name, "line") == 0) {
        if (!lengths(svg, node, of_line, v, error))
            return false;
        drawn = move_to(&p, v[0], v[1]) && line_to(&p, v[2], v[3]);
    } else if (strcmp(name, "circle") == 0) {
        if (!lengths(svg, node, of_circle, v, error))
            return false;
        drawn = !(v[2] > 0) || draw_ellipse(&p, v[0], v[1], v[2], v[2]);
    } else if (strcmp(name, "ellipse") == 0) {
        if (!lengths(svg, node, of_ellipse, v, error))
            return false;
        drawn = !(v[2] > 0 && v[3] > 0) || draw_ellipse(&p, v[0], v[1], v[2], v[3]);
    } else if (strcmp(name, "rect") == 0) {
        if (!lengths(svg, node, of_rect, v, error))
            return false;
        double rx = v[4] > 0 ? v[4] : v[5], ry = v[5] > 0 ? v[5] : v[4];
        drawn = !(v[2] > 0 && v[3] > 0) || draw_rect(&p, v[0], v[1], v[2], v[3], rx, ry);
    } else
        *is_shape = false;
    return drawn || throng_fail(error, "out of memory");
}
