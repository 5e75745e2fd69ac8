/* The floor below, as a ghost, flights and lifts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "editor_parts.h"
#include "map/building.h"
#include "map/geometry.h"

static const double STEP = 0.3; /* m: a stair's tread */

/* Of a place of another floor, over those that are shown. */
static throng_point pixel(const throng_editor *editor, throng_point p, int32_t of)
{
    double shift = throng_edit_floor_offset(editor->floor).x - throng_edit_floor_offset(of).x;
    return throng_view_point(&editor->view.camera, p.x + shift, p.y);
}

static void line(throng_editor *editor, throng_point a, throng_point b, double width, SDL_Color colour)
{
    throng_batch_line(&editor->view.batch, a.x, a.y, b.x, b.y, width * editor->view.unit, colour, colour);
}

void throng_editor_draw_below(throng_editor *editor)
{
    const throng_edit_sides *sides = throng_editor_sides(editor);
    int32_t below = editor->floor - 1;
    SDL_Color ghost = throng_view_colour(THRONG_STYLE_WALL, 0.22f);
    for (int32_t i = 0; below >= 0 && i < sides->count; i++) {
        const throng_edit_side *s = &sides->list[i];
        if (s->other < 0 && throng_edit_floor_at(&editor->doc, s->a) == below)
            line(editor, pixel(editor, s->a, below), pixel(editor, s->b, below), 3, ghost);
    }
}

/* A rectangle, with its treads, or with a cross where it is a lift. */
static void draw_box(throng_editor *editor, throng_point a, throng_point b, double width, bool lift, int32_t of,
                     float opacity)
{
    double length = throng_distance(a, b), side = width / 2;
    throng_point aside = {-(b.y - a.y) / length * side, (b.x - a.x) / length * side};
    throng_point corner[] = {{a.x - aside.x, a.y - aside.y},
                             {b.x - aside.x, b.y - aside.y},
                             {b.x + aside.x, b.y + aside.y},
                             {a.x + aside.x, a.y + aside.y}};
    SDL_FPoint at[4];
    SDL_Color rail = throng_view_colour(THRONG_STYLE_WALL, opacity),
              tread = throng_view_colour(THRONG_STYLE_WALL, 0.4f * opacity);
    for (int i = 0; i < 4; i++) {
        corner[i] = pixel(editor, corner[i], of);
        at[i] = (SDL_FPoint){(float)corner[i].x, (float)corner[i].y};
    }
    throng_batch_convex(&editor->view.batch, at, 4,
                        throng_view_colour(lift ? (uint32_t)THRONG_STYLE_CAR : 0xf2eee4, 0.9f * opacity));
    for (int i = 0; i < 4; i++)
        line(editor, corner[i], corner[(i + 1) % 4], i % 2 == 0 || lift ? 2 : 1, rail);
    int treads = lift ? 0 : (int)(length / fmax(STEP, 5 * editor->view.unit / editor->view.camera.scale));
    for (int i = 1; i < treads; i++)
        line(editor, throng_between(corner[0], corner[1], (double)i / treads),
             throng_between(corner[3], corner[2], (double)i / treads), 1, tread);
    if (lift) {
        line(editor, corner[0], corner[2], 1, tread);
        line(editor, corner[1], corner[3], 1, tread);
    }
}

static double number_of(const throng_edit_thing *link, const char *name, double usual)
{
    const throng_property *p = throng_properties_find(&link->properties, name);
    return p ? strtod(p->value, NULL) : usual;
}

/* The landing of a switchback, and the flight back. */
static void draw_turn(throng_editor *editor, const throng_edit_thing *link, int32_t of, float opacity)
{
    throng_flight_plan lower = throng_flight_plan_default(THRONG_SHEET_STAIRS), upper;
    throng_point a = link->points[0], b = link->points[1], landing[5];
    const throng_property *side = throng_properties_find(&link->properties, "turn");
    lower.at = a;
    lower.width = throng_edit_link_width(link);
    lower.length = throng_distance(a, b);
    lower.direction = atan2(b.y - a.y, b.x - a.x);
    throng_flight_turn_back(&lower, &upper, 1, !side || side->value[0] != 'r', number_of(link, "landing", lower.width),
                            landing);
    throng_point back = {upper.at.x + upper.length * cos(upper.direction),
                         upper.at.y + upper.length * sin(upper.direction)};
    draw_box(editor, upper.at, back, lower.width, false, of, opacity);
    for (int i = 0; i < 5; i++)
        line(editor, pixel(editor, landing[i], of), pixel(editor, landing[(i + 1) % 5], of), 2,
             throng_view_colour(THRONG_STYLE_WALL, opacity));
}

static void draw_link(throng_editor *editor, const throng_edit_thing *link, int32_t of, float opacity)
{
    draw_box(editor, link->points[0], link->points[1], throng_edit_link_width(link), strcmp(link->group, "lift") == 0,
             of, opacity);
    if (strcmp(throng_edit_link_words(link), "switchback") == 0)
        draw_turn(editor, link, of, opacity);
}

/* Is the floor that is shown among those that the lift names, "ground,first"? */
static bool stops_here(const throng_editor *editor, const throng_edit_thing *lift)
{
    const throng_property *floors = throng_properties_find(&lift->properties, "floors");
    const throng_edit_thing *shown =
        throng_edit_thing_at(&editor->doc, throng_edit_floor_slot(&editor->doc, editor->floor));
    size_t length = shown ? strlen(shown->name) : 0;
    for (const char *at = floors ? floors->value : NULL; at && *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " ");
        if (shown && strncmp(at, shown->name, length) == 0 && strspn(at + length, " ") == strcspn(at + length, ","))
            return true;
    }
    return !floors;
}

void throng_editor_draw_links(throng_editor *editor)
{
    for (int32_t slot = 1; slot < editor->doc.slots; slot++) {
        const throng_edit_thing *link = editor->doc.things[slot];
        if (!link || link->kind != THRONG_EDIT_LINK)
            continue;
        int32_t of = throng_edit_floor_at(&editor->doc, link->points[0]);
        bool lift = strcmp(link->group, "lift") == 0;
        if (of == editor->floor || (lift && stops_here(editor, link)))
            draw_link(editor, link, of, 1);
        else if (!lift && of + 1 == editor->floor)
            draw_link(editor, link, of, 0.45f);
    }
}

void throng_editor_draw_walkers(throng_editor *editor)
{
    if (!editor->trial.world)
        return;
    const throng_map_sheets *sheets = throng_floors_sheets(&editor->view);
    throng_plan_view *c = &editor->view.camera, before = *c;
    if (sheets) { /* from where the building has the floor to where the map maker has it */
        throng_point from = sheets->list[editor->view.floors.shown].offset,
                     to = throng_edit_floor_offset(editor->floor);
        c->x += c->scale * (to.x - from.x);
        c->y -= c->scale * (to.y - from.y);
    }
    throng_crowd_draw(&editor->view);
    *c = before;
}
