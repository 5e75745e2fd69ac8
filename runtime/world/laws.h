/* Quantiles of distributions. Only sums, products, quotients and roots, which every machine rounds alike: the logarithm
 * and the exponential are our own, not libm's. */
#ifndef THRONG_LAWS_H
#define THRONG_LAWS_H

#include "world.h"

/* The number below which a draw of the law lies with probability `p`, 0 <= p <= 1, whatever its `low` and `high`. Of
 * THRONG_UNIFORM and THRONG_NORMAL, and of those from THRONG_LOG_NORMAL on but THRONG_MIXTURE. */
double throng_law_quantile(const throng_sampler *law, double p);

/* Completes a law whose kind and numbers are given: what follows from these, and from where to where it is drawn, which
 * is all of it but the millionth part at ends that go on for ever. */
void throng_law_complete(throng_sampler *law);

/* Cuts the law off: it is drawn between the two values alone. False when hardly any (less than a thousandth) is. */
bool throng_law_truncate(throng_sampler *law, double from, double to);

#endif
