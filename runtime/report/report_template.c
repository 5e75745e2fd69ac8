/* Pages: HTML, CSS and JavaScript, which are in the executable as the licences are (cli_info.c). */
#include <string.h>

#include "base/version.h"
#include "report_parts.h"

extern const char throng_report_html_text[], throng_report_pair_html_text[], throng_report_results_html_text[],
    throng_report_head_text[], throng_report_foot_text[], throng_report_controls_html_text[], throng_report_css_text[],
    throng_report_format_text[], throng_report_reading_text[], throng_report_moment_text[], throng_report_plan_text[],
    throng_report_floors_text[], throng_report_replay_text[], throng_report_controls_text[], throng_report_maps_text[],
    throng_report_smoke_text[], throng_report_start_text[];
#define CARRY(name, path) __asm__(".section .rodata\n" name ":\n.incbin \"runtime/report/" path "\"\n.byte 0\n.text\n")
CARRY("throng_report_html_text", "page.html");
CARRY("throng_report_head_text", "page_head.html");
CARRY("throng_report_pair_html_text", "page_pair.html");
CARRY("throng_report_results_html_text", "page_results.html");
CARRY("throng_report_foot_text", "page_foot.html");
CARRY("throng_report_controls_html_text", "page_controls.html");
CARRY("throng_report_css_text", "page.css");
CARRY("throng_report_format_text", "page_format.js");
CARRY("throng_report_reading_text", "page_reading.js");
CARRY("throng_report_moment_text", "page_moment.js");
CARRY("throng_report_plan_text", "page_plan.js");
CARRY("throng_report_floors_text", "page_floors.js");
CARRY("throng_report_replay_text", "page_replay.js");
CARRY("throng_report_maps_text", "page_maps.js");
CARRY("throng_report_smoke_text", "page_smoke.js");
CARRY("throng_report_start_text", "page_start.js");
CARRY("throng_report_controls_text", "page_controls.js");

/* What every page may have, with names of its own. Its scripts are one: what later ones do, they do with the names of
 * the earlier ones. */
static const struct {
    const char *name, *text;
} texts[] = {{"version", THRONG_VERSION},
             {"page_head.html", throng_report_head_text},
             {"page_foot.html", throng_report_foot_text},
             {"page_controls.html", throng_report_controls_html_text},
             {"page.css", throng_report_css_text},
             {"page_format.js", throng_report_format_text},
             {"page_reading.js", throng_report_reading_text},
             {"page_moment.js", throng_report_moment_text},
             {"page_plan.js", throng_report_plan_text},
             {"page_floors.js", throng_report_floors_text},
             {"page_replay.js", throng_report_replay_text},
             {"page_maps.js", throng_report_maps_text},
             {"page_controls.js", throng_report_controls_text},
             {"page_smoke.js", throng_report_smoke_text},
             {"page_start.js", throng_report_start_text}};

static bool named(const char *name, const char *at, size_t length)
{
    return strlen(name) == length && strncmp(name, at, length) == 0;
}

/* The text that is called so; NULL: that is for the page to write. */
static const char *text_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (named(texts[i].name, name, length))
            return texts[i].text;
    return NULL;
}

static void fill(FILE *file, const char *at, throng_report_writer *write, const void *what)
{
    for (const char *open; (open = strstr(at, "{{")); at = strstr(open, "}}") + 2) {
        size_t length = (size_t)(strstr(open, "}}") - open - 2);
        const char *text = text_of(open + 2, length);
        char name[32];
        fwrite(at, 1, (size_t)(open - at), file);
        snprintf(name, sizeof name, "%.*s", (int)length, open + 2);
        if (text)
            fill(file, text, write, what);
        else
            write(file, name, what);
    }
    fputs(at, file);
}

void throng_report_fill(FILE *file, throng_report_template template, throng_report_writer *write, const void *what)
{
    static const char *const pages[] = {[THRONG_REPORT_OF_RUN] = throng_report_html_text,
                                        [THRONG_REPORT_OF_PAIR] = throng_report_pair_html_text,
                                        [THRONG_REPORT_OF_RESULTS] = throng_report_results_html_text};
    fill(file, pages[template], write, what);
}
