#include "minimise.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>

/* What is used of NLopt 2.7 and later, by its own names. */
typedef struct nlopt_opt_s *nlopt_opt;
typedef double (*nlopt_func)(unsigned n, const double *x, double *gradient, void *data);

static struct {
    int (*algorithm_from_string)(const char *name);
    nlopt_opt (*create)(int algorithm, unsigned n);
    void (*destroy)(nlopt_opt opt);
    int (*set_min_objective)(nlopt_opt opt, nlopt_func f, void *data);
    int (*set_lower_bounds1)(nlopt_opt opt, double low);
    int (*set_upper_bounds1)(nlopt_opt opt, double high);
    int (*set_initial_step1)(nlopt_opt opt, double step);
    int (*set_maxeval)(nlopt_opt opt, int count);
    int (*set_xtol_abs1)(nlopt_opt opt, double tolerance);
    int (*force_stop)(nlopt_opt opt);
    int (*optimize)(nlopt_opt opt, double *x, double *value);
    void (*srand)(unsigned long seed);
} nlopt;

static const struct {
    const char *name;
    void *function;
} functions[] = {
    {"nlopt_algorithm_from_string", &nlopt.algorithm_from_string},
    {"nlopt_create", &nlopt.create},
    {"nlopt_destroy", &nlopt.destroy},
    {"nlopt_set_min_objective", &nlopt.set_min_objective},
    {"nlopt_set_lower_bounds1", &nlopt.set_lower_bounds1},
    {"nlopt_set_upper_bounds1", &nlopt.set_upper_bounds1},
    {"nlopt_set_initial_step1", &nlopt.set_initial_step1},
    {"nlopt_set_maxeval", &nlopt.set_maxeval},
    {"nlopt_set_xtol_abs1", &nlopt.set_xtol_abs1},
    {"nlopt_force_stop", &nlopt.force_stop},
    {"nlopt_optimize", &nlopt.optimize},
    {"nlopt_srand", &nlopt.srand},
};

static bool load(throng_error *error)
{
    void *library = dlopen("libnlopt.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return throng_fail(error, "this needs NLopt, which is not there; on Debian: apt-get install libnlopt0");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!(*(void **)functions[i].function = dlsym(library, functions[i].name)))
            return throng_fail(error, "this needs NLopt 2.7 or later; the one here has no %s", functions[i].name);
    return true;
}

typedef struct search {
    const throng_minimise_def *def;
    nlopt_opt opt;
    double best; /* of `at` */
    double at[THRONG_MINIMISE_MOST];
    bool any, stop;
} search;

static double evaluate(unsigned n, const double *x, double *gradient, void *data)
{
    search *s = data;
    (void)gradient;
    if (s->stop) /* some algorithms finish what they began */
        return HUGE_VAL;
    double value = s->def->value(x, s->def->owner, &s->stop);
    if (!s->any || value < s->best) {
        s->any = true;
        s->best = value;
        for (unsigned i = 0; i < n; i++)
            s->at[i] = x[i];
    }
    if (s->stop)
        nlopt.force_stop(s->opt);
    return value;
}

bool throng_minimise(const throng_minimise_def *def, throng_error *error)
{
    if (!nlopt.optimize && !load(error))
        return false;
    int algorithm = nlopt.algorithm_from_string(def->algorithm);
    search s = {.def = def};
    s.opt = algorithm >= 0 ? nlopt.create(algorithm, (unsigned)def->count) : NULL;
    if (!s.opt)
        return throng_fail(error, "the NLopt that is here has no algorithm '%s'", def->algorithm);
    double value;
    nlopt.set_min_objective(s.opt, evaluate, &s);
    nlopt.set_lower_bounds1(s.opt, 0);
    nlopt.set_upper_bounds1(s.opt, 1);
    nlopt.set_initial_step1(s.opt, def->step);
    nlopt.set_xtol_abs1(s.opt, 1e-4);
    nlopt.set_maxeval(s.opt, def->evaluations);
    nlopt.srand(def->seed);
    nlopt.optimize(s.opt, def->x, &value); /* what it returns says why it ended, and the best is known */
    nlopt.destroy(s.opt);
    for (int32_t i = 0; s.any && i < def->count; i++)
        def->x[i] = s.at[i];
    return true;
}
