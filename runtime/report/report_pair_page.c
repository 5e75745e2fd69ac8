/* The page of two runs, A and B: page_pair.html. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/xml.h"
#include "map/geometry.h"
#include "report_parts.h"

static const char *const letters[] = {"A", "B"};

/* ---- the head */

static void write_name(FILE *file, const throng_report_pair *pair)
{
    const char *first = pair->run[0].facts.name, *second = pair->run[1].facts.name;
    bool same = strcmp(first, second) == 0;
    throng_xml_text(file, first);
    fputs(same ? ": A and B" : " (A) and ", file);
    throng_xml_text(file, same ? "" : second);
    fputs(same ? "" : " (B)", file);
}

static void write_subtitle(FILE *file, const throng_report_pair *pair)
{
    for (int k = 0; k < 2; k++) {
        const throng_report *r = &pair->run[k];
        int32_t people = throng_report_people_of(r);
        fprintf(file, "%s<b class=\"run-%d\">%s</b> ", k ? "<br>" : "", k, letters[k]);
        throng_xml_text(file, pair->path[k]);
        fprintf(file, ": %d %s, %.4g s%s%s", people, people == 1 ? "person" : "people", r->seconds,
                *r->facts.end ? "; " : "", throng_report_ending(&r->facts));
    }
}

/* ---- figures of both */

/* With the unit, if it has one. NAN: nobody knows. */
static void write_value(FILE *file, double value, const char *unit)
{
    if (isnan(value))
        fputs("<td>–</td>", file);
    else
        fprintf(file, "<td>%.4g%s%s</td>", value, *unit ? " " : "", unit);
}

static void write_difference(FILE *file, double first, double second, const char *unit)
{
    double more = second - first;
    if (isnan(more))
        fputs("<td>–</td>", file);
    else if (more == 0)
        fputs("<td>none</td>", file);
    else {
        fprintf(file, "<td>%s%.4g%s%s", more < 0 ? "−" : "+", fabs(more), *unit ? " " : "", unit);
        if (first > 0)
            fprintf(file, " <small>(%s%.0f %%)</small>", more < 0 ? "−" : "+", 100 * fabs(more) / first);
        fputs("</td>", file);
    }
}

static void row(FILE *file, const char *name, const char *unit, double first, double second)
{
    fputs("<tr><th scope=\"row\">", file);
    throng_xml_text(file, name);
    fputs("</th>", file);
    write_value(file, first, unit);
    write_value(file, second, unit);
    write_difference(file, first, second, unit);
    fputs("</tr>", file);
}

static double reach(const throng_report *r, double share)
{
    double people = throng_report_people_of(r);
    return people > 0 ? throng_report_reach(throng_report_arrivals(r), people * share) : NAN;
}

/* Of all who came; s. */
static double travel(const throng_report *r, bool mean)
{
    int32_t count;
    double *times = throng_report_travel_times(r, &count);
    double value = !times || !count ? NAN
                   : mean           ? throng_report_mean(times, count)
                                    : times[(int32_t)(0.95 * (count - 1))];
    free(times);
    return value;
}

/* m/s: of everybody, over all of the time. */
static double mean_speed(const throng_report *r)
{
    double sum = 0, people = 0;
    for (int32_t i = 0; i < r->speed.count; i++) {
        int32_t frame = (int32_t)lround((double)r->speed.time[i] * r->fps);
        double there = (double)r->people.here.value[frame];
        sum += there * (double)r->speed.value[i];
        people += there;
    }
    return people > 0 ? sum / people : NAN;
}

static double stuck(const throng_report *r)
{
    return r->notes.tables[THRONG_NOTE_PERSON].rows ? r->notes.tables[THRONG_NOTE_STUCK].rows : NAN;
}

static void write_general(FILE *file, const throng_report *a, const throng_report *b)
{
    row(file, "People", "", throng_report_people_of(a), throng_report_people_of(b));
    row(file, a->arrived.count ? "Arrived" : "Left", "", throng_report_highest(throng_report_arrivals(a)),
        throng_report_highest(throng_report_arrivals(b)));
    row(file, "50 % by", "s", reach(a, 0.50), reach(b, 0.50));
    row(file, "80 % by", "s", reach(a, 0.80), reach(b, 0.80));
    row(file, "95 % by", "s", reach(a, 0.95), reach(b, 0.95));
    row(file, "Everybody by", "s", reach(a, 1), reach(b, 1));
    row(file, "Most at once", "", throng_report_highest(&a->people.here), throng_report_highest(&b->people.here));
    row(file, "Mean travel time", "s", travel(a, true), travel(b, true));
    row(file, "95 % travelled within", "s", travel(a, false), travel(b, false));
    row(file, "Mean speed", "m/s", mean_speed(a), mean_speed(b));
    row(file, "Highest density", "persons/m²", throng_report_maps_top(&a->maps, a->maps.peak),
        throng_report_maps_top(&b->maps, b->maps.peak));
    row(file, "Times that somebody was stuck", "", stuck(a), stuck(b));
}

/* NULL: it has none of that name. */
static const throng_report_place *place_of(const throng_report *r, const throng_report_place *like)
{
    for (int32_t p = 0; p < r->places.count; p++)
        if (r->places.list[p].door == like->door && strcmp(r->places.list[p].name, like->name) == 0)
            return &r->places.list[p];
    return NULL;
}

static double used(const throng_report_place *place) { return place ? place->count + place->back : NAN; }

/* Exits and doors of the first, then those that the second alone has. */
static void write_places(FILE *file, const throng_report *a, const throng_report *b)
{
    for (int k = 0; k < 2; k++) {
        const throng_report_places *places = k ? &b->places : &a->places;
        for (int32_t p = 0; p < places->count; p++) {
            const throng_report_place *here = &places->list[p], *there = place_of(k ? a : b, here);
            char name[300];
            if ((k && there) || (!here->exit && !here->door && !here->count && !(there && there->count)))
                continue;
            snprintf(name, sizeof name, here->door ? "Through door %s" : "Left by %s", here->name);
            row(file, name, "", used(k ? there : here), used(k ? here : there));
        }
    }
}

/* The measure of the other run that has the same title; -1: none has. */
static int32_t measure_of(const throng_report *r, const char *title)
{
    for (int32_t m = 0; m < r->notes.tables[THRONG_NOTE_MEASURE].rows; m++)
        if (strcmp(throng_note_text(&r->notes, THRONG_NOTE_MEASURE, m, 1), title) == 0)
            return m;
    return -1;
}

static double mean_value(const throng_report_series *series)
{
    double sum = 0;
    for (int32_t i = 0; i < series->count; i++)
        sum += (double)series->value[i];
    return series->count ? sum / series->count : NAN;
}

static void write_measures(FILE *file, const throng_report *a, const throng_report *b)
{
    for (int32_t m = 0; m < a->notes.tables[THRONG_NOTE_MEASURE].rows; m++) {
        const char *title = throng_note_text(&a->notes, THRONG_NOTE_MEASURE, m, 1);
        const char *unit = throng_note_text(&a->notes, THRONG_NOTE_MEASURE, m, 5);
        int32_t other = measure_of(b, title);
        char name[500];
        if (other < 0)
            continue;
        snprintf(name, sizeof name, "%s, mean of its values", title);
        row(file, name, unit, mean_value(&a->measures[m]), mean_value(&b->measures[other]));
    }
}

static void write_figures(FILE *file, const throng_report_pair *pair)
{
    const throng_report *a = &pair->run[0], *b = &pair->run[1];
    fputs(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Figure</th><th scope=\"col\" class=\"run-0\">A</th>"
        "<th scope=\"col\" class=\"run-1\">B</th><th scope=\"col\">B less A</th></tr></thead><tbody>",
        file);
    write_general(file, a, b);
    write_places(file, a, b);
    write_measures(file, a, b);
    fputs("</tbody></table></div>", file);
}

/* ---- curves */

static void draw(FILE *file, throng_report_curve curve, const throng_report_series *first,
                 const throng_report_series *second)
{
    if (!first->count && !second->count)
        return;
    curve.series = first;
    curve.other = second;
    curve.label = "A";
    curve.other_label = "B";
    throng_report_draw_curve(file, &curve);
}

/* Percent of those who came, by how long it took them. */
static bool take_travel(const throng_report *r, throng_report_series *shares, double *most)
{
    int32_t count;
    double *times = throng_report_travel_times(r, &count);
    bool ok = times && (!count || throng_report_point(shares, 0, 0, NULL));
    for (int32_t i = 0; ok && i < count; i++) {
        ok = throng_report_point(shares, times[i], 100.0 * (i + 1) / count, NULL);
        *most = fmax(*most, times[i]);
    }
    free(times);
    return ok;
}

static void travel_curve(FILE *file, const throng_report *a, const throng_report *b)
{
    throng_report_series first = {0}, second = {0};
    double most = 0;
    if (take_travel(a, &first, &most) && take_travel(b, &second, &most))
        draw(file,
             (throng_report_curve){
                 .title = "Travel times", .unit = "% of those who came within", .till = most, .across = "travel time"},
             &first, &second);
    throng_report_series_fini(&first);
    throng_report_series_fini(&second);
}

static void diagram(FILE *file, const throng_report *a, const throng_report *b)
{
    throng_report_series first = {0}, second = {0};
    double most = 0;
    if (throng_report_speeds(a, &first, &most) && throng_report_speeds(b, &second, &most))
        draw(file,
             (throng_report_curve){.title = "Speed by density (fundamental diagram)",
                                   .unit = "m/s",
                                   .note = "Mean speed of all, standing or walking, by the density around them, over "
                                           "about 6 m² with themselves.",
                                   .till = most,
                                   .across = "density",
                                   .across_unit = "persons/m²"},
             &first, &second);
    throng_report_series_fini(&first);
    throng_report_series_fini(&second);
}

static void write_measure_curves(FILE *file, const throng_report *a, const throng_report *b, double till)
{
    for (int32_t m = 0; m < a->notes.tables[THRONG_NOTE_MEASURE].rows; m++) {
        const char *title = throng_note_text(&a->notes, THRONG_NOTE_MEASURE, m, 1);
        int32_t other = measure_of(b, title);
        if (other >= 0)
            draw(file,
                 (throng_report_curve){
                     .title = title, .unit = throng_note_text(&a->notes, THRONG_NOTE_MEASURE, m, 5), .till = till},
                 &a->measures[m], &b->measures[other]);
    }
}

static void write_curves(FILE *file, const throng_report_pair *pair)
{
    const throng_report *a = &pair->run[0], *b = &pair->run[1];
    double till = fmax(a->seconds, b->seconds);
    bool known = a->arrived.count > 0 && b->arrived.count > 0;
    draw(file,
         (throng_report_curve){
             .title = known ? "People who arrived" : "People who left", .unit = "people", .till = till},
         known ? &a->arrived : &a->people.gone, known ? &b->arrived : &b->people.gone);
    draw(file, (throng_report_curve){.title = "People who are there", .unit = "people", .till = till}, &a->people.here,
         &b->people.here);
    draw(file, (throng_report_curve){.title = "Mean speed", .unit = "m/s", .till = till}, &a->speed, &b->speed);
    travel_curve(file, a, b);
    diagram(file, a, b);
    write_measure_curves(file, a, b, till);
}

/* ---- maps */

static const char *region_at(const throng_map *map, throng_point at)
{
    for (int32_t r = 0; map && r < map->region_count; r++)
        if (throng_polygon_holds(map->regions[r].points, map->regions[r].count, at))
            return map->regions[r].name;
    return NULL;
}

enum { CHANGES = 5 };

static void write_changes(FILE *file, const throng_report_pair *pair, const float *first, const float *second)
{
    const throng_report *a = &pair->run[0];
    throng_report_change changes[2 * CHANGES];
    int32_t count = throng_report_changes(&a->maps, first, second, true, changes, CHANGES);
    count += throng_report_changes(&a->maps, first, second, false, changes + count, CHANGES);
    if (!count) {
        fputs("<p>It is the same everywhere.</p>", file);
        return;
    }
    fputs("<details><summary>Where it differs most</summary><table><thead><tr><th scope=\"col\">About</th><th "
          "scope=\"col\">A (persons/m²)</th><th scope=\"col\">B (persons/m²)</th><th scope=\"col\">B less A</th></tr>"
          "</thead><tbody>",
          file);
    for (int32_t k = 0; k < count; k++) {
        const throng_report_change *c = &changes[k];
        const char *region = region_at(a->map, c->at);
        fprintf(file, "<tr><td>(%.1f, %.1f) m%s", c->at.x, c->at.y, region ? ", " : "");
        throng_xml_text(file, region ? region : "");
        fprintf(file, "</td><td>%.2f</td><td>%.2f</td><td>%s%.2f</td></tr>", c->first, c->second,
                c->second < c->first ? "−" : "+", fabs(c->second - c->first));
    }
    fputs("</tbody></table></details>", file);
}

static void write_mean_changes(FILE *file, const throng_report_pair *pair)
{
    write_changes(file, pair, pair->run[0].maps.mean, pair->run[1].maps.mean);
}

static void write_peak_changes(FILE *file, const throng_report_pair *pair)
{
    write_changes(file, pair, pair->run[0].maps.peak, pair->run[1].maps.peak);
}

static void write_seconds(FILE *file, const throng_report_pair *pair) { fprintf(file, "%.4g", pair->seconds); }

static void write_grids(FILE *file, const throng_report_pair *pair, const char *name, const float *first,
                        const float *second)
{
    const throng_report_maps *a = &pair->run[0].maps, *b = &pair->run[1].maps;
    double top = fmax(throng_report_maps_top(a, first), throng_report_maps_top(b, second));
    char other[40];
    snprintf(other, sizeof other, "%s_other", name);
    throng_report_maps_grid(file, name, a, first, top, false);
    throng_report_maps_grid(file, other, b, second, top, false);
    fprintf(file, ", \"%s_difference\": {\"top\": %.6g}", name, throng_report_largest_change(a, first, second));
}

static void write_data(FILE *file, const throng_report_pair *pair)
{
    const throng_report *a = &pair->run[0], *b = &pair->run[1];
    fputc('{', file);
    throng_report_plan(file, a->map);
    fprintf(file, ",\n\"people\": {\"count\": %d},\n\"runs\": [{", a->people.count + b->people.count);
    throng_report_replay_data(file, a);
    fputs("},\n{", file);
    throng_report_replay_data(file, b);
    fputs("}],\n", file);
    throng_report_maps_begin(file, &a->maps);
    write_grids(file, pair, "mean", a->maps.mean, b->maps.mean);
    write_grids(file, pair, "peak", a->maps.peak, b->maps.peak);
    fputs("}}", file);
}

/* ---- facts */

/* All values of a name, one after the other; false: there is none. */
static bool fact(const throng_report_facts *facts, const char *name, char *text, size_t size)
{
    size_t used = 0;
    bool any = false;
    *text = 0;
    for (int32_t i = 0; i < facts->count; i++)
        if (strcmp(facts->list[i].name, name) == 0 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", any ? ", " : "", facts->list[i].value);
            any = true;
        }
    return any;
}

static void write_facts(FILE *file, const throng_report_pair *pair)
{
    static const char *const names[] = {"Scenario",         "Set",        "Parameters", "Seed", "Steps",
                                        "State at the end", "Computed by"};
    fputs("<div class=\"scroll\"><table class=\"facts\"><thead><tr><th></th><th scope=\"col\">A</th><th "
          "scope=\"col\">B</th></tr></thead><tbody>",
          file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[2][2048];
        bool a = fact(&pair->run[0].facts, names[i], text[0], sizeof *text);
        bool b = fact(&pair->run[1].facts, names[i], text[1], sizeof *text);
        if (!a && !b)
            continue;
        fprintf(file, "<tr%s><th scope=\"row\">%s</th>", strcmp(text[0], text[1]) ? " class=\"differs\"" : "",
                names[i]);
        for (int k = 0; k < 2; k++) {
            fputs("<td>", file);
            throng_xml_text(file, *text[k] ? text[k] : "–");
            fputs("</td>", file);
        }
        fputs("</tr>", file);
    }
    fputs("</tbody></table></div>", file);
    for (int k = 0; k < 2; k++)
        if (*pair->run[k].facts.command) {
            fprintf(file, "<p>To run %s again:</p><pre><code>", letters[k]);
            throng_xml_text(file, pair->run[k].facts.command);
            fputs("</code></pre>", file);
        }
}

/* ---- the page */

static void write_part(FILE *file, const char *name, const void *pair)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file, const throng_report_pair *pair);
    } parts[] = {{"name", write_name},
                 {"subtitle", write_subtitle},
                 {"figures", write_figures},
                 {"curves", write_curves},
                 {"mean changes", write_mean_changes},
                 {"peak changes", write_peak_changes},
                 {"seconds", write_seconds},
                 {"data", write_data},
                 {"facts", write_facts}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0)
            parts[i].write(file, pair);
}

void throng_report_pair_page(FILE *file, const throng_report_pair *pair)
{
    throng_report_fill(file, THRONG_REPORT_OF_PAIR, write_part, pair);
}
