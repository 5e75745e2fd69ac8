#include "map_sheets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry.h"

/* m: how far an outline and a seam may be apart that are the same. */
static const double HAIR = 1e-6;

static double distance_to(const throng_bounds *b, throng_point p)
{
    double x = fmax(fmax(b->x0 - p.x, p.x - b->x1), 0), y = fmax(fmax(b->y0 - p.y, p.y - b->y1), 0);
    return x > 0 && y > 0 ? hypot(x, y) : x + y;
}

/* On which half of its flight a position is: the seam between them decides. */
static int32_t half_at(const throng_map_sheets *s, int32_t sheet, throng_point position)
{
    for (int32_t q = 0; q < s->seam_count; q++) {
        const throng_seam *seam = &s->seams[q];
        if (seam->inside && seam->left == sheet)
            return throng_turn(seam->a, seam->b, position) >= 0 ? seam->left : seam->right;
    }
    return sheet;
}

int32_t throng_map_first_of_part(const throng_map_sheets *s, int32_t sheet)
{
    while (sheet > 0 && s->list[sheet - 1].part == s->list[sheet].part)
        sheet--;
    return sheet;
}

int32_t throng_map_half_at(const throng_map_sheets *s, int32_t seam)
{
    int32_t left = s->seams[seam].left;
    return s->list[left].flight ? left : s->seams[seam].right;
}

double throng_map_half_cost(const throng_map_sheet *half, double belt, bool up)
{
    if (half->cost >= 0)
        return half->cost;
    if (belt != 0)
        return 0; /* people take what carries them before what does not */
    return fmax(half->length * (1 / (up ? half->climb : half->descend) - 1), 0);
}

/* --- lifts --- */

static const double WALKING = 1.34; /* m/s: what a second of a way costs in metres (Weidmann, 1993) */

int32_t throng_map_stop_of(const throng_map_sheets *s, int32_t sheet)
{
    for (int32_t i = 0; i < s->stop_count; i++)
        if (s->stops[i].sheet == sheet)
            return i;
    return -1;
}

int32_t throng_map_lift_of(const throng_map_sheets *s, int32_t sheet)
{
    int32_t stop = s->list[sheet].kind == THRONG_SHEET_LIFT ? throng_map_stop_of(s, sheet) : -1;
    return stop >= 0 ? s->stops[stop].lift : -1;
}

int32_t throng_lift_stop_below(const throng_map_sheets *s, int32_t lift, double z)
{
    int32_t stop = s->lifts[lift].first;
    while (stop + 1 < s->lifts[lift].first + s->lifts[lift].count && s->stops[stop + 1].z <= z)
        stop++;
    return stop;
}

throng_point throng_lift_point(const throng_map_lift *l, double behind, double right)
{
    return (throng_point){l->at.x + behind * l->in.x + right * l->in.y, l->at.y + behind * l->in.y - right * l->in.x};
}

/* s: from standing to standing, so many metres apart. It speeds up, travels at its speed and slows down; over short
 * distances it comes to no such speed. */
static double lift_travel(const throng_map_lift *l, double metres)
{
    if (metres * l->acceleration < l->speed * l->speed)
        return 2 * sqrt(metres / l->acceleration);
    return metres / l->speed + l->speed / l->acceleration;
}

/* Half a round trip from end to end, with the doors once at each. */
double throng_lift_wait(const throng_map_sheets *s, const throng_map_lift *l)
{
    const throng_lift_stop *low = &s->stops[l->first], *high = &s->stops[l->first + l->count - 1];
    double half = lift_travel(l, high->z - low->z) + 2 * l->door_time + l->dwell;
    return WALKING * (l->wait >= 0 ? l->wait : half);
}

/* The doors close here, and open there. */
double throng_lift_ride(const throng_map_sheets *s, int32_t from, int32_t to)
{
    const throng_map_lift *l = &s->lifts[s->stops[from].lift];
    return WALKING * (lift_travel(l, fabs(s->stops[to].z - s->stops[from].z)) + 2 * l->door_time + l->dwell);
}

/* --- */

int32_t throng_map_sheet_at(const throng_map *map, throng_point place)
{
    const throng_map_sheets *s = map ? map->sheets : NULL;
    int32_t nearest = 0;
    double least = INFINITY;
    for (int32_t i = 0; s && i < s->count && least > 0; i++) {
        double distance = distance_to(&s->list[i].bounds, throng_map_position(map, i, place));
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    if (!s || !s->list[nearest].flight)
        return nearest;
    nearest = throng_map_first_of_part(s, nearest);
    return half_at(s, nearest, throng_map_position(map, nearest, place));
}

throng_point throng_map_place(const throng_map *map, int32_t sheet, throng_point position)
{
    if (!map || !map->sheets)
        return position;
    throng_point by = map->sheets->list[sheet].offset;
    return (throng_point){position.x + by.x, position.y + by.y};
}

throng_point throng_map_position(const throng_map *map, int32_t sheet, throng_point place)
{
    if (!map || !map->sheets)
        return place;
    throng_point by = map->sheets->list[sheet].offset;
    return (throng_point){place.x - by.x, place.y - by.y};
}

throng_point throng_map_position_at(const throng_map *map, throng_point place)
{
    return throng_map_position(map, throng_map_sheet_at(map, place), place);
}

double throng_map_height(const throng_map *map, int32_t sheet, throng_point position)
{
    if (!map || !map->sheets)
        return 0;
    const throng_map_sheet *s = &map->sheets->list[sheet];
    return s->z + s->slope.x * position.x + s->slope.y * position.y;
}

static bool lies_on(const throng_seam *seam, throng_point a, throng_point b)
{
    return throng_segment_distance(seam->a, seam->b, a) < HAIR && throng_segment_distance(seam->a, seam->b, b) < HAIR;
}

bool throng_map_on_seam(const throng_map *map, throng_point a, throng_point b, int32_t *seam)
{
    const throng_map_sheets *s = map->sheets;
    for (int32_t q = 0; s && q < s->seam_count; q++) {
        const throng_seam *on = &s->seams[q];
        int32_t sides[2] = {on->left, on->right};
        for (int i = 0; i < 2 && !on->inside; i++)
            if (lies_on(on, throng_map_position(map, sides[i], a), throng_map_position(map, sides[i], b))) {
                *seam = q;
                return true;
            }
    }
    return false;
}

bool throng_map_sheets_copy(const throng_map *from, throng_map *to)
{
    const throng_map_sheets *s = from->sheets;
    if (!s)
        return true;
    throng_map_sheets *copy = to->sheets = calloc(1, sizeof *copy);
    if (!copy)
        return false;
    *copy = (throng_map_sheets){.count = s->count,
                                .seam_count = s->seam_count,
                                .lift_count = s->lift_count,
                                .stop_count = s->stop_count,
                                .list = calloc((size_t)s->count + 1, sizeof *s->list),
                                .seams = calloc((size_t)s->seam_count + 1, sizeof *s->seams),
                                .lifts = calloc((size_t)s->lift_count + 1, sizeof *s->lifts),
                                .stops = calloc((size_t)s->stop_count + 1, sizeof *s->stops)};
    if (!copy->list || !copy->seams || !copy->lifts || !copy->stops)
        return false;
    if (s->lift_count) {
        memcpy(copy->lifts, s->lifts, (size_t)s->lift_count * sizeof *s->lifts);
        memcpy(copy->stops, s->stops, (size_t)s->stop_count * sizeof *s->stops);
    }
    memcpy(copy->list, s->list, (size_t)s->count * sizeof *s->list);
    memcpy(copy->seams, s->seams, (size_t)s->seam_count * sizeof *s->seams);
    bool fine = true;
    for (int32_t i = 0; i < s->count; i++)
        fine = (copy->list[i].name = strdup(s->list[i].name)) && fine;
    return fine;
}

void throng_map_sheets_destroy(throng_map_sheets *s)
{
    if (!s)
        return;
    for (int32_t i = 0; s->list && i < s->count; i++)
        free(s->list[i].name);
    free(s->list);
    free(s->seams);
    free(s->lifts);
    free(s->stops);
    free(s);
}
