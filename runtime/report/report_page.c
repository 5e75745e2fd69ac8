/* The page: page.html, whose {{names}} stand for what is written here. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xml.h"
#include "map/map_sheets.h"
#include "picture/picture_style.h"
#include "report_parts.h"
#include "world/stuck_messages.h"

static void write_name(FILE *file, const throng_report *r) { throng_xml_text(file, r->facts.name); }
static void write_cell(FILE *file, const throng_report *r) { fprintf(file, "%.2g", r->maps.cell); }

/* ---- the head */

static void write_subtitle(FILE *file, const throng_report *r)
{
    int32_t people = throng_report_people_of(r);
    if (people == 0)
        fputs("Nobody was there", file);
    else
        fprintf(file, "%d %s", people, people == 1 ? "person" : "people");
    fprintf(file, ", %.4g s", r->seconds);
    if (*r->facts.end)
        fprintf(file, "; %s", throng_report_ending(&r->facts));
}

static void tile(FILE *file, const char *name, const char *format, double value)
{
    fprintf(file, "<div><dt>%s</dt><dd>", name);
    if (isnan(value))
        fputs("–", file);
    else
        fprintf(file, format, value);
    fputs("</dd></div>", file);
}

static void write_tiles(FILE *file, const throng_report *r)
{
    double people = throng_report_people_of(r), arrived = throng_report_highest(throng_report_arrivals(r));
    tile(file, "people", "%.0f", people);
    tile(file, r->arrived.count ? "arrived" : "left", "%.0f", arrived);
    if (people < 1)
        return;
    tile(file, "50 % by", "%.1f s", throng_report_reach(throng_report_arrivals(r), people * 0.50));
    tile(file, "80 % by", "%.1f s", throng_report_reach(throng_report_arrivals(r), people * 0.80));
    tile(file, "95 % by", "%.1f s", throng_report_reach(throng_report_arrivals(r), people * 0.95));
    tile(file, "most at once", "%.0f", throng_report_highest(&r->people.here));
}

/* ---- curves */

static void measure_curve(FILE *file, const throng_report *r, int32_t m)
{
    throng_report_draw_curve(file,
                             &(throng_report_curve){.title = throng_note_text(&r->notes, THRONG_NOTE_MEASURE, m, 1),
                                                    .unit = throng_note_text(&r->notes, THRONG_NOTE_MEASURE, m, 5),
                                                    .note = throng_note_text(&r->notes, THRONG_NOTE_MEASURE, m, 6),
                                                    .series = &r->measures[m],
                                                    .till = r->seconds});
}

static void arrivals_curve(FILE *file, const throng_report *r)
{
    bool known = r->arrived.count > 0;
    throng_report_draw_curve(
        file, &(throng_report_curve){.title = known ? "People who arrived" : "People who left",
                                     .unit = "people",
                                     .note = known ? NULL
                                                   : "A recording does not say who arrived: counted is who is no "
                                                     "longer there.",
                                     .series = throng_report_arrivals(r),
                                     .other = &r->people.here,
                                     .label = known ? "arrived" : "left",
                                     .other_label = "there",
                                     .total = throng_report_people_of(r),
                                     .till = r->seconds});
}

static void speed_curve(FILE *file, const throng_report *r)
{
    throng_report_draw_curve(file, &(throng_report_curve){.title = "Mean speed",
                                                          .unit = "m/s",
                                                          .note = "Of all who are there, by how far they came since "
                                                                  "the frame before.",
                                                          .series = &r->speed,
                                                          .till = r->seconds});
}

/* m/s: v0 (1 - exp(-gamma (1 / density - 1 / most))), of U. Weidmann, "Transporttechnik der Fussgaenger", 1993. */
static double weidmann(double density) { return 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4))); }

static void diagram(FILE *file, const throng_report *r)
{
    throng_report_series here = {0}, people = {0};
    double most = 0;
    bool ok = throng_report_speeds(r, &here, &most);
    for (int i = 1; ok && 0.1 * i < fmin(5.4, most); i++)
        ok = throng_report_point(&people, 0.1 * i, weidmann(0.1 * i), NULL);
    if (ok && here.count > 1)
        throng_report_draw_curve(
            file, &(throng_report_curve){.title = "Speed by density (fundamental diagram)",
                                         .unit = "m/s",
                                         .note = "Mean speed of all, standing or walking, by the density around them, "
                                                 "over about 6 m² with themselves. Weidmann's people (1993) walk.",
                                         .series = &here,
                                         .other = &people,
                                         .label = "here",
                                         .other_label = "Weidmann",
                                         .till = most,
                                         .across = "density",
                                         .across_unit = "persons/m²"});
    throng_report_series_fini(&here);
    throng_report_series_fini(&people);
}

/* ---- travel times */

static void draw_classes(FILE *file, const double *times, int32_t count, const char *how)
{
    double width = throng_style_round_up(fmax(times[count - 1], 0.1) / 25);
    char note[200];
    throng_report_series classes = {0};
    bool ok = true;
    int32_t i = 0, k = 0;
    for (; ok && i < count; k++) {
        int32_t before = i;
        while (i < count && times[i] < (k + 1) * width)
            i++;
        ok = throng_report_point(&classes, k * width, i - before, NULL);
    }
    snprintf(note, sizeof note, "Of %d who %s: mean %.1f s, median %.1f s, 95 %% within %.1f s, all within %.1f s.",
             count, how, throng_report_mean(times, count), times[count / 2], times[(int32_t)(0.95 * (count - 1))],
             times[count - 1]);
    if (ok)
        throng_report_draw_curve(file, &(throng_report_curve){.title = "Travel times",
                                                              .unit = "people",
                                                              .note = note,
                                                              .series = &classes,
                                                              .till = k * width,
                                                              .bars = true,
                                                              .across = "travel time"});
    throng_report_series_fini(&classes);
}

static void travel_curve(FILE *file, const throng_report *r)
{
    int32_t count;
    double *times = throng_report_travel_times(r, &count);
    if (times && count > 0)
        draw_classes(file, times, count, r->arrived.count ? "arrived or were removed" : "left");
    free(times);
}

static void write_curves(FILE *file, const throng_report *r)
{
    arrivals_curve(file, r);
    speed_curve(file, r);
    travel_curve(file, r);
    diagram(file, r);
    for (int32_t m = 0; m < r->notes.tables[THRONG_NOTE_MEASURE].rows; m++)
        measure_curve(file, r, m);
}

/* ---- exits and doors */

static void write_time(FILE *file, double time)
{
    if (isnan(time))
        fputs("<td>–</td>", file);
    else
        fprintf(file, "<td><a href=\"#t=%.6g\">%.1f s</a></td>", time, time);
}

static void write_place(FILE *file, const throng_report_place *place, int32_t all)
{
    fputs("<tr><th scope=\"row\">", file);
    throng_xml_text(file, place->name);
    if (place->door)
        fprintf(file, " <small>door</small></th><td>%d</td><td>%d ⇄ %d", place->count + place->back, place->count,
                place->back);
    else
        fprintf(file, "</th><td>%d</td><td><span class=\"bar\" style=\"width:%.1f%%\"></span><span>%.0f %%</span>",
                place->count, all ? 60.0 * place->count / all : 0, all ? 100.0 * place->count / all : 0);
    fputs("</td>", file);
    write_time(file, place->first);
    write_time(file, place->last);
    double rate = (place->count + place->back - 1) / (place->last - place->first);
    if (isfinite(rate) && rate > 0)
        fprintf(file, "<td>%.2f /s</td></tr>", rate);
    else
        fputs("<td>–</td></tr>", file);
}

static bool shown(const throng_report_place *place) { return place->exit || place->door || place->count > 0; }

static void write_exits(FILE *file, const throng_report *r)
{
    const throng_report_places *places = &r->places;
    int32_t all = places->elsewhere, rows = 0;
    for (int32_t p = 0; p < places->count; p++) {
        all += places->list[p].door ? 0 : places->list[p].count;
        rows += shown(&places->list[p]);
    }
    if (rows == 0) {
        fprintf(file, "<p>%s</p>",
                r->notes.tables[THRONG_NOTE_PERSON].rows
                    ? "Nobody left from a region of the plan, and it has no exits and no doors."
                    : "This recording has no names of exits; those that throng makes have.");
        return;
    }
    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Exit or door</th><th scope=\"col\">People</th>"
          "<th scope=\"col\">Share</th><th scope=\"col\">First</th><th scope=\"col\">Last</th>"
          "<th scope=\"col\">Mean flow</th></tr></thead><tbody>",
          file);
    for (int32_t p = 0; p < places->count; p++)
        if (shown(&places->list[p]))
            write_place(file, &places->list[p], all);
    fputs("</tbody></table></div><p class=\"note\">", file);
    if (places->elsewhere)
        fprintf(file, "%d left in other places. ", places->elsewhere);
    fputs("Counted is who arrived or was removed: by the exit within 1.5 m of where they were seen last, else from the "
          "region there. Through doors people are counted by the recorded frames; ⇄ tells the two directions.</p>",
          file);
}

/* ---- when places were empty */

static void write_emptied_areas(FILE *file, const throng_report *r)
{
    double areas[THRONG_REPORT_CLASSES + 1] = {0}, step = throng_report_maps_step(&r->maps), all = 0, sum = 0;
    throng_report_maps_emptied(&r->maps, areas);
    for (int k = 0; k <= THRONG_REPORT_CLASSES; k++)
        all += areas[k];
    fputs("<table><thead><tr><th scope=\"col\">After</th><th scope=\"col\">Floor that is empty by then</th>"
          "<th scope=\"col\">Of all where people were</th></tr></thead><tbody>",
          file);
    for (int k = 0; k < THRONG_REPORT_CLASSES && sum < all - areas[THRONG_REPORT_CLASSES] - 1e-6; k++) {
        sum += areas[k];
        fprintf(file, "<tr><th scope=\"row\">%.6g s</th><td>%.0f m²</td><td>%.0f %%</td></tr>", (k + 1) * step, sum,
                100 * sum / all);
    }
    if (areas[THRONG_REPORT_CLASSES] > 0)
        fprintf(file, "<tr><th scope=\"row\">never</th><td>%.0f m²</td><td>%.0f %%</td></tr>",
                areas[THRONG_REPORT_CLASSES], 100 * areas[THRONG_REPORT_CLASSES] / all);
    fputs("</tbody></table>", file);
}

static void write_emptied_place(FILE *file, const throng_report_place *place)
{
    fputs("<tr><th scope=\"row\">", file);
    throng_xml_text(file, place->name);
    fprintf(file, "</th><td>%d</td>", place->most);
    if (place->stayed)
        fprintf(file, "<td>%d still there</td>", place->stayed);
    else
        write_time(file, place->emptied);
    fputs("</tr>", file);
}

static void write_emptied(FILE *file, const throng_report *r)
{
    fputs("<details><summary>When places were empty</summary>", file);
    if (r->map && r->map->region_count) {
        fputs("<table><thead><tr><th scope=\"col\">Place</th><th scope=\"col\">Most at once</th><th scope=\"col\">Last "
              "there</th></tr></thead><tbody>",
              file);
        for (int32_t k = 0; k < r->places.count; k++)
            if (!r->places.list[k].door)
                write_emptied_place(file, &r->places.list[k]);
        fputs("</tbody></table>", file);
    }
    if (r->people.count)
        write_emptied_areas(file, r);
    fputs("</details>", file);
}

/* ---- stuck */

typedef struct spot {
    int32_t count;
    double x, y, first; /* m, sums; s */
    throng_stuck_cause cause;
} spot;

enum { SPOTS = 200, SHOWN = 12 };
static const double SPOT = 3; /* m: the same cause so near is the same place */

static int fullest(const void *a, const void *b)
{
    const spot *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                                : (x->first > y->first) - (x->first < y->first);
}

/* In order of time, each to the first place that it is near to; how many places. */
static int32_t gather(const throng_notes *notes, spot *spots)
{
    int32_t count = 0;
    for (int32_t i = 0; i < notes->tables[THRONG_NOTE_STUCK].rows; i++) {
        throng_report_stuck s;
        int32_t k = 0;
        if (!throng_report_stuck_of(notes, i, &s))
            continue;
        while (k < count && (spots[k].cause != s.cause || hypot(spots[k].x / spots[k].count - s.place.x,
                                                                spots[k].y / spots[k].count - s.place.y) > SPOT))
            k++;
        if (k == SPOTS)
            continue;
        if (k == count)
            spots[count++] = (spot){.cause = s.cause, .first = s.time};
        spots[k].count++;
        spots[k].x += s.place.x;
        spots[k].y += s.place.y;
    }
    qsort(spots, (size_t)count, sizeof *spots, fullest);
    return count;
}

/* In a building the position on its floor, as scripts have it. */
static void write_spot(FILE *file, const throng_map *map, const spot *s)
{
    const throng_stuck_message *message = &throng_stuck_messages[s->cause];
    throng_point at = {s->x / s->count, s->y / s->count};
    int32_t sheet = map && map->sheets ? throng_map_sheet_at(map, at) : -1;
    fprintf(file, "<tr><th scope=\"row\">%s <small>%s</small></th><td>%d</td><td>", throng_stuck_causes[s->cause],
            message->why, s->count);
    if (sheet >= 0) {
        at = throng_map_position(map, sheet, at);
        throng_xml_text(file, map->sheets->list[sheet].name);
        fputs(", ", file);
    }
    fprintf(file, "(%.1f, %.1f) m</td>", at.x, at.y);
    write_time(file, s->first);
    fputs("<td>", file);
    throng_xml_text(file, message->cure);
    fputs("</td></tr>", file);
}

static void write_stuck(FILE *file, const throng_report *r)
{
    spot spots[SPOTS] = {{0}};
    int32_t count = gather(&r->notes, spots);
    if (!count) {
        fprintf(file, "<p>%s</p>",
                r->notes.tables[THRONG_NOTE_PERSON].rows
                    ? "Nobody was stuck: everybody who wanted to walk got on within ten seconds."
                    : "This recording does not say who was stuck, and why; those that throng makes do.");
        return;
    }
    fputs("<figure class=\"map\"><canvas data-map=\"stuck\" role=\"img\" aria-label=\"Where people began to be stuck, "
          "on the plan\"></canvas><div class=\"legend\" data-legend=\"stuck\"></div></figure><div class=\"scroll\">"
          "<table><thead><tr><th scope=\"col\">Cause</th><th scope=\"col\">Times</th><th scope=\"col\">About</th>"
          "<th scope=\"col\">First</th><th scope=\"col\">What to do</th></tr></thead><tbody>",
          file);
    for (int32_t k = 0; k < count && k < SHOWN; k++)
        write_spot(file, r->map, &spots[k]);
    fputs("</tbody></table></div>", file);
    if (count > SHOWN)
        fprintf(file, "<p class=\"note\">And in %d more places.</p>", count - SHOWN);
}

/* ---- facts */

static void write_fact(FILE *file, const char *name, const char *value)
{
    fprintf(file, "<tr><th scope=\"row\">%s</th><td>", name);
    throng_xml_text(file, value);
    fputs("</td></tr>", file);
}

static void write_facts(FILE *file, const throng_report *r)
{
    char text[200];
    fputs("<div class=\"scroll\"><table class=\"facts\"><tbody>", file);
    for (int32_t i = 0; i < r->facts.count; i++)
        write_fact(file, r->facts.list[i].name, r->facts.list[i].value);
    snprintf(text, sizeof text, "%d frames, %.4g a second", r->frames, r->fps);
    write_fact(file, "Recorded", text);
    snprintf(text, sizeof text, "%d frames, %.4g a second, to %.4g m", r->pack.frames, r->fps / r->pack.every,
             1 / r->pack.unit);
    write_fact(file, "In this page", text);
    fputs("</tbody></table></div>", file);
    if (*r->facts.command) {
        fputs("<p>To run it again:</p><pre><code>", file);
        throng_xml_text(file, r->facts.command);
        fputs("</code></pre>", file);
    }
}

/* ---- the page */

static void write_part(FILE *file, const char *name, const void *report)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file, const throng_report *report);
    } parts[] = {{"name", write_name},       {"subtitle", write_subtitle}, {"tiles", write_tiles},
                 {"curves", write_curves},   {"exits", write_exits},       {"stuck", write_stuck},
                 {"emptied", write_emptied}, {"facts", write_facts},       {"data", throng_report_data},
                 {"cell", write_cell}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0)
            parts[i].write(file, report);
}

void throng_report_page(FILE *file, const throng_report *report)
{
    throng_report_fill(file, THRONG_REPORT_OF_RUN, write_part, report);
}
