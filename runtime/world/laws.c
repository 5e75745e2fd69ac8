/* Laws of numbers by their quantiles: one uniform number gives one draw, and cutting off an end is to draw from a part
 * of the probabilities. */
#include "laws.h"

#include <math.h>

#define LN2 0.69314718055994530942

/* Within 1e-16 of itself: m 2^e with m near 1, and the series of the area tangent. x > 0 */
static double logarithm(double x)
{
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2;
        e--;
    }
    double s = (m - 1) / (m + 1), z = s * s, sum = 0;
    for (int n = 25; n >= 1; n -= 2)
        sum = sum * z + 1.0 / n;
    return 2 * s * sum + e * LN2;
}

/* Likewise: 2^k times the series of what is left, which is at most ln(2) / 2. |x| < 700 */
static double exponential(double x)
{
    double k = floor(x / LN2 + 0.5), r = x - k * LN2, sum = 1;
    for (int n = 15; n >= 1; n--)
        sum = 1 + sum * r / n;
    return ldexp(sum, (int)k);
}

static double power(double x, double y) { return x > 0 ? exponential(y * logarithm(x)) : 0; }

static double ratio(const double *above, int m, const double *below, int n, double x)
{
    double numerator = 0, denominator = 0;
    for (int i = 0; i < m; i++)
        numerator = numerator * x + above[i];
    for (int i = 0; i < n; i++)
        denominator = denominator * x + below[i];
    return numerator / (denominator * x + 1);
}

/* Of the standard normal distribution, within 1.2e-9 of itself (P. Acklam, "An algorithm for computing the inverse
 * normal cumulative distribution function", 2003). */
static double normal_quantile(double p)
{
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                               1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                               6.680131188771972e+01, -1.328068155288572e+01};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                               -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    static const double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                               3.754408661907416e+00};
    double tail = p < 0.5 ? p : 1 - p;
    if (tail > 0.02425) {
        double q = p - 0.5, r = q * q;
        return q * ratio(a, 6, b, 5, r);
    }
    double q = ratio(c, 6, d, 4, sqrt(-2 * logarithm(tail > 1e-300 ? tail : 1e-300)));
    return p < 0.5 ? q : -q;
}

/* Stirling's series, from 10 on; below, by gamma(x + 1) = x gamma(x). x > 0 */
static double log_gamma(double x)
{
    double product = 1;
    for (; x < 10; x += 1)
        product *= x;
    double z = 1 / (x * x);
    double series = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z / 1680))) / x;
    return (x - 0.5) * logarithm(x) - x + 0.91893853320467274178 + series - logarithm(product);
}

/* The probability that a draw of the gamma law of that shape and scale 1 is less than x: the series of the incomplete
 * gamma function, or its continued fraction by Lentz's method. `of` is the logarithm of gamma(shape). */
static double gamma_probability(double shape, double of, double x)
{
    enum { TERMS = 500 };
    if (x <= 0)
        return 0;
    double exponent = shape * logarithm(x) - x - of;
    double front = exponent > -700 ? exponential(exponent) : 0;
    if (x < shape + 1) {
        double term = 1 / shape, sum = term;
        for (int n = 1; n < TERMS && term > sum * 1e-16; n++)
            sum += term *= x / (shape + n);
        return front * sum;
    }
    double b = x + 1 - shape, c = 1e300, d = 1 / b, f = d;
    for (int n = 1; n < TERMS; n++) {
        double a = -n * (n - shape);
        b += 2;
        d = 1 / (a * d + b);
        c = b + a / c;
        f *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return 1 - front * f;
}

static double gamma_quantile(const throng_sampler *law, double p)
{
    double low = 0, high = law->a + 1;
    while (high < 1e6 * (law->a + 1) && gamma_probability(law->a, law->c, high) < p)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        double x = 0.5 * (low + high);
        *(gamma_probability(law->a, law->c, x) < p ? &low : &high) = x;
    }
    return law->b * 0.5 * (low + high);
}

static double triangular_quantile(double least, double mode, double most, double p)
{
    double whole = most - least, rise = (mode - least) / whole;
    return p < rise ? least + sqrt(p * whole * (mode - least)) : most - sqrt((1 - p) * whole * (most - mode));
}

/* Straight between the sorted values, the first of which has probability 0 and the last 1. */
static double empirical_quantile(const throng_sampler *law, double p)
{
    double place = p * (law->count - 1);
    int32_t i = (int32_t)place;
    if (i >= law->count - 1)
        return law->values[law->count - 1];
    return law->values[i] + (place - i) * (law->values[i + 1] - law->values[i]);
}

double throng_law_quantile(const throng_sampler *law, double p)
{
    switch (law->kind) {
    case THRONG_UNIFORM: return law->a + (law->b - law->a) * p;
    case THRONG_NORMAL: return law->a + law->b * normal_quantile(p);
    case THRONG_LOG_NORMAL: return law->c + exponential(law->a + law->b * normal_quantile(p));
    case THRONG_WEIBULL: return p < 1 ? law->a * power(-logarithm(1 - p), 1 / law->b) : INFINITY;
    case THRONG_GAMMA: return gamma_quantile(law, p);
    case THRONG_TRIANGULAR: return triangular_quantile(law->a, law->b, law->c, p);
    case THRONG_EMPIRICAL: return empirical_quantile(law, p);
    default: return law->a;
    }
}

#define HARDLY 1e-6 /* probability of what is left out of an end that goes on for ever */

void throng_law_complete(throng_sampler *law)
{
    const double beyond = 0.0013498980316301; /* of three deviations, where throng.normal ends */
    law->low = law->kind == THRONG_NORMAL ? beyond : law->kind == THRONG_LOG_NORMAL ? HARDLY : 0;
    law->high = law->kind == THRONG_NORMAL                                    ? 1 - beyond
                : law->kind >= THRONG_LOG_NORMAL && law->kind <= THRONG_GAMMA ? 1 - HARDLY
                                                                              : 1;
    if (law->kind == THRONG_GAMMA)
        law->c = log_gamma(law->a);
}

/* The probability of less than x, of those from `low` to `high`. */
static double probability_of(const throng_sampler *law, double x)
{
    double low = law->low, high = law->high;
    if (throng_law_quantile(law, low) >= x)
        return low;
    if (throng_law_quantile(law, high) <= x)
        return high;
    for (int i = 0; i < 60; i++) {
        double p = 0.5 * (low + high);
        *(throng_law_quantile(law, p) < x ? &low : &high) = p;
    }
    return 0.5 * (low + high);
}

bool throng_law_truncate(throng_sampler *law, double from, double to)
{
    if (law->high <= 0) /* drawn otherwise so far */
        throng_law_complete(law);
    double low = probability_of(law, from), high = probability_of(law, to);
    if (high - low < 1e-3)
        return false;
    law->low = low;
    law->high = high;
    return true;
}
