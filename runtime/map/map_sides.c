#include "map_sides.h"

#include <stdlib.h>

#include "geometry.h"

static int compare(const void *a, const void *b)
{
    const throng_shared_side *s = a, *t = b;
    int order = throng_compare_points(s->low, t->low);
    order = order ? order : throng_compare_points(s->high, t->high);
    return order ? order : (s->face[0] > t->face[0]) - (s->face[0] < t->face[0]);
}

throng_point throng_side_middle(const throng_shared_side *side)
{
    return (throng_point){0.5 * (side->low.x + side->high.x), 0.5 * (side->low.y + side->high.y)};
}

bool throng_sides_parted(const throng_map *map)
{
    throng_shared_side *sides = NULL;
    int32_t count = 0;
    bool parted = map->faces && !throng_shared_sides(map->faces, &sides, &count);
    for (int32_t i = 0; i < count && !parted; i++)
        parted = !throng_map_fits(map, throng_side_middle(&sides[i]), 0);
    free(sides);
    return parted;
}

bool throng_shared_sides(const throng_ring_list *faces, throng_shared_side **sides, int32_t *count)
{
    int32_t all = 0;
    throng_shared_side *list = malloc(((size_t)faces->point_count + 1) * sizeof *list);
    if (!list)
        return false;
    for (int32_t f = 0; f < faces->count; f++) {
        int32_t first = faces->start[f], corners = throng_ring_list_end(faces, f) - first;
        for (int32_t i = 0; i < corners; i++) {
            throng_point a = faces->points[first + i], b = faces->points[first + (i + 1) % corners];
            bool ordered = throng_compare_points(a, b) < 0;
            list[all++] = (throng_shared_side){ordered ? a : b, ordered ? b : a, {f, f}};
        }
    }
    qsort(list, (size_t)all, sizeof *list, compare);
    *count = 0;
    for (int32_t i = 0; i + 1 < all; i++)
        if (throng_compare_points(list[i].low, list[i + 1].low) == 0 &&
            throng_compare_points(list[i].high, list[i + 1].high) == 0) {
            throng_shared_side shared = list[i];
            shared.face[1] = list[i + 1].face[0];
            list[(*count)++] = shared;
        }
    *sides = list;
    return true;
}
