#include "map_trace.h"

#include <math.h>
#include <stdlib.h>

/* A side of a pixel, walked with the pixel on the left: 0 its bottom (heading right), 1 its right side
 * (up), 2 its top (left), 3 its left side (down). */
typedef struct side {
    int32_t x, y, heading;
} side;

static const int32_t ahead_x[4] = {1, 0, -1, 0}, ahead_y[4] = {0, 1, 0, -1};
static const int32_t right_x[4] = {0, 1, 0, -1}, right_y[4] = {-1, 0, 1, 0};

typedef struct tracer {
    const throng_map_areas *areas;
    const throng_map_yaml *yaml;
    uint8_t *walked; /* [pixels] 1: the pixel's bottom side is part of a ring already */
    throng_ring_list *rings;
} tracer;

static int32_t label_at(const throng_map_areas *areas, int32_t x, int32_t y)
{
    return areas->label[(size_t)y * (size_t)areas->width + (size_t)x];
}

/* Free space is connected through sides only, so where two areas' corners meet the walk turns left
 * and stays with its own pixel. */
static side next_side(const throng_map_areas *areas, side s)
{
    int32_t label = label_at(areas, s.x, s.y), right = (s.heading + 3) % 4;
    side ahead = {s.x + ahead_x[s.heading], s.y + ahead_y[s.heading], s.heading};
    if (label_at(areas, ahead.x, ahead.y) != label)
        return (side){s.x, s.y, (s.heading + 1) % 4};
    side corner = {ahead.x + right_x[s.heading], ahead.y + right_y[s.heading], right};
    return label_at(areas, corner.x, corner.y) != label ? ahead : corner;
}

/* The middle of the side; the image's own first pixel is (1, 1), inside the rim. */
static throng_point middle(const throng_map_yaml *yaml, side s)
{
    double x = (s.x - 1 + 0.5 + 0.5 * right_x[s.heading]) * yaml->resolution;
    double y = (s.y - 1 + 0.5 + 0.5 * right_y[s.heading]) * yaml->resolution;
    if (yaml->yaw == 0)
        return (throng_point){yaml->origin_x + x, yaml->origin_y + y};
    double c = cos(yaml->yaw), t = sin(yaml->yaw);
    return (throng_point){yaml->origin_x + c * x - t * y, yaml->origin_y + t * x + c * y};
}

static bool walk_ring(tracer *t, int32_t x, int32_t y)
{
    side first = {x, y, 0}, s = first;
    if (!throng_ring_list_begin(t->rings))
        return false;
    do {
        if (s.heading == 0)
            t->walked[(size_t)s.y * (size_t)t->areas->width + (size_t)s.x] = 1;
        if (!throng_ring_list_add(t->rings, middle(t->yaml, s)))
            return false;
        s = next_side(t->areas, s);
    } while (s.x != first.x || s.y != first.y || s.heading != first.heading);
    return true;
}

/* Every ring has a bottom side; an area's lowest belongs to its outer ring, which so comes first. */
static bool trace_area(tracer *t, int32_t label)
{
    for (int32_t y = 1; y + 1 < t->areas->height; y++)
        for (int32_t x = 1; x + 1 < t->areas->width; x++)
            if (label_at(t->areas, x, y) == label && label_at(t->areas, x, y - 1) != label &&
                !t->walked[(size_t)y * (size_t)t->areas->width + (size_t)x] && !walk_ring(t, x, y))
                return false;
    return true;
}

bool throng_map_trace(const throng_map_areas *areas, const throng_map_yaml *yaml, throng_ring_list *rings)
{
    tracer t = {areas, yaml, calloc((size_t)areas->width * (size_t)areas->height, 1), rings};
    bool fine = t.walked != NULL;
    for (int32_t label = 0; fine && label < areas->count; label++)
        fine = trace_area(&t, label);
    free(t.walked);
    return fine;
}
