/* Numbers that differ from agent to agent. Only sums, products and quotients: every machine rounds them alike. */
#include <math.h>

#include "base/random.h"
#include "laws.h"
#include "world_agents.h"

/* A normal deviate: twelve uniform numbers less six, cut off at three standard deviations. */
static double normal_deviate(throng_draw draw, const void *of)
{
    for (uint32_t attempt = 0;; attempt++) {
        double sum = -6;
        for (uint32_t i = 0; i < 12; i++)
            sum += draw(of, attempt * 12 + i + 1);
        if (fabs(sum) <= 3)
            return sum;
    }
}

/* n >= 1 with probability proportional to a^n / n!. What is rarer than rounding is never drawn. */
static double poisson_truncated(double a, double uniform)
{
    double sum = 0, weight = 1, so_far = 0;
    for (int n = 1; n <= THRONG_POISSON_TERMS; n++)
        sum += weight *= a / n;
    weight = 1;
    for (int n = 1; n < THRONG_POISSON_TERMS; n++) {
        so_far += weight *= a / n;
        if (uniform * sum < so_far)
            return n;
    }
    return THRONG_POISSON_TERMS;
}

typedef struct rest {
    throng_draw draw;
    const void *of;
} rest;

static double draw_rest(const void *of, uint32_t n)
{
    const rest *r = of;
    return r->draw(r->of, n + 1);
}

static double mixture(const throng_sampler *s, throng_draw draw, const void *of)
{
    double share = draw(of, 0);
    int32_t i = 0;
    while (i < s->count - 1 && share >= s->values[i])
        i++;
    return throng_sampler_draw(&s->parts[i], draw_rest, &(rest){draw, of});
}

double throng_sampler_draw(const throng_sampler *s, throng_draw draw, const void *of)
{
    if (s->high > 0)
        return throng_law_quantile(s, s->low + (s->high - s->low) * draw(of, 0));
    switch (s->kind) {
    case THRONG_UNIFORM: return s->a + (s->b - s->a) * draw(of, 0);
    case THRONG_NORMAL: return s->a + s->b * normal_deviate(draw, of);
    case THRONG_POISSON_TRUNCATED: return poisson_truncated(s->a, draw(of, 0));
    case THRONG_MIXTURE: return mixture(s, draw, of);
    default: return s->a;
    }
}

static double mixture_at(const throng_sampler *s, double u)
{
    int32_t i = 0;
    while (i < s->count - 1 && u >= s->values[i])
        i++;
    double from = i > 0 ? s->values[i - 1] : 0, till = s->values[i];
    return throng_sampler_at(&s->parts[i], till > from ? fmin(fmax((u - from) / (till - from), 0), 1) : 0.5);
}

double throng_sampler_at(const throng_sampler *s, double u)
{
    const double below = 0.0013498980316300933; /* of a normal law, three deviations below its mean and more */
    if (s->high > 0)
        return throng_law_quantile(s, s->low + (s->high - s->low) * u);
    switch (s->kind) {
    case THRONG_UNIFORM: return s->a + (s->b - s->a) * u;
    case THRONG_NORMAL: return throng_law_quantile(s, below + (1 - 2 * below) * u);
    case THRONG_POISSON_TRUNCATED: return poisson_truncated(s->a, u);
    case THRONG_MIXTURE: return mixture_at(s, u);
    default: return s->a;
    }
}

/* The least (`most`: the greatest) of the parts'. */
static double end_of_parts(const throng_sampler *s, bool most)
{
    double end = most ? -INFINITY : INFINITY;
    for (int32_t i = 0; i < s->count; i++)
        end = most ? fmax(end, throng_sampler_most(&s->parts[i])) : fmin(end, throng_sampler_least(&s->parts[i]));
    return end;
}

double throng_sampler_least(const throng_sampler *s)
{
    if (s->high > 0)
        return throng_law_quantile(s, s->low);
    switch (s->kind) {
    case THRONG_NORMAL: return s->a - 3 * s->b;
    case THRONG_POISSON_TRUNCATED: return 1;
    case THRONG_MIXTURE: return end_of_parts(s, false);
    default: return s->a;
    }
}

double throng_sampler_most(const throng_sampler *s)
{
    if (s->high > 0)
        return throng_law_quantile(s, s->high);
    switch (s->kind) {
    case THRONG_NORMAL: return s->a + 3 * s->b;
    case THRONG_POISSON_TRUNCATED: return THRONG_POISSON_TERMS;
    case THRONG_MIXTURE: return end_of_parts(s, true);
    default: return s->b;
    }
}

typedef struct stream {
    uint64_t seed;
    uint32_t id, what;
} stream;

static double draw_of(const void *of, uint32_t n)
{
    const stream *s = of;
    return throng_random(s->seed, s->id, s->what, n, THRONG_RANDOM_SAMPLE);
}

double throng_world_sample(const throng_sampler *s, uint64_t seed, uint32_t id, uint32_t what)
{
    return throng_sampler_draw(s, draw_of, &(stream){seed, id, what});
}
