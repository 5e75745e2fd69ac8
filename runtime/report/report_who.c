#include <math.h>

#include "report_parts.h"

int32_t throng_report_group_count(const throng_report *report)
{
    return report->run ? throng_world_group_count(report->run->world) : 1;
}

const char *throng_report_group_name(const throng_report *report, int32_t group)
{
    return report->run ? throng_world_group_name(report->run->world, group) : "people";
}

throng_report_noted throng_report_noted_of(const throng_report *report, int32_t id)
{
    const throng_sampler people = THRONG_BODY_RADIUS;
    const throng_report_run *run = report->run;
    if (run && id >= 0 && id < run->ids && run->noted[id].group >= 0)
        return run->noted[id];
    return (throng_report_noted){.radius = (float)((people.a + people.b) / 2), .arrived = NAN};
}

double throng_report_done(const throng_report *report, const throng_report_person *person)
{
    double arrived = (double)throng_report_noted_of(report, person->id).arrived;
    if (!isnan(arrived))
        return arrived;
    double left = (person->last + 0.5) / report->fps;
    if (person->last < report->frames - 1)
        return left;
    return isnan(report->end) ? NAN : fmin(left, report->end);
}
