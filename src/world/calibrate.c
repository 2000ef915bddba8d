#include "world/calibrate.h"

#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "law/kinds.h"

static const double PI = 3.14159265358979323846;

// Hertz contact time in units of (m/k)^(2/5) v^(-1/5): 2 (5/4)^(2/5) sqrt(pi)
// Gamma(7/5)/Gamma(9/10).
static const double HERTZ_TIME = 3.2180655;

double ergi_effective_young(ergi_elastic a, ergi_elastic b)
{
    return 1.0 /
           ((1.0 - a.poisson * a.poisson) / a.young + (1.0 - b.poisson * b.poisson) / b.young);
}

double ergi_effective_shear(ergi_elastic a, ergi_elastic b)
{
    double per_a = (2.0 - a.poisson) * 2.0 * (1.0 + a.poisson) / a.young;
    double per_b = (2.0 - b.poisson) * 2.0 * (1.0 + b.poisson) / b.young;
    return 1.0 / (per_a + per_b);
}

// Force of the dimensionless impact, attractive tail included.
static double impact_force(int law, double number, double x, double u)
{
    if (x <= 0.0) return law <= ERGI_NORMAL_HERTZ_PLAIN ? number * u : 0.0;
    double root = sqrt(x);
    switch (law) {
    case ERGI_NORMAL_LINEAR: return x + number * u;
    case ERGI_NORMAL_HERTZ_PLAIN: return x * root + number * u;
    case ERGI_NORMAL_HERTZ_CONSTANT: return x * root + number * sqrt(root) * u;
    default: return root * (x + number * u);
    }
}

double ergi_restitution(int normal_law, double damping_number)
{
    // Classical Runge-Kutta. The force vanishes when grains separate, so the rebound speed has its
    // maximum there: the largest speed seen is accurate to second order without locating that
    // moment.
    double h = 1.0 / (600.0 * (1.0 + damping_number));
    double x = 0.0, u = 1.0, rebound = 0.0;
    while (u <= 1.0) { // ends immediately on NaN
        double u1 = u, a1 = -impact_force(normal_law, damping_number, x, u1);
        double u2 = u + 0.5 * h * a1;
        double a2 = -impact_force(normal_law, damping_number, x + 0.5 * h * u1, u2);
        double u3 = u + 0.5 * h * a2;
        double a3 = -impact_force(normal_law, damping_number, x + 0.5 * h * u2, u3);
        double u4 = u + h * a3;
        double a4 = -impact_force(normal_law, damping_number, x + h * u3, u4);
        x += h / 6.0 * (u1 + 2.0 * (u2 + u3) + u4);
        u += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
        if (u < 0.0 && -u < rebound) break;
        rebound = -u;
        if (u < 0.0 && x <= 0.0) break;
    }
    return rebound;
}

erg_status ergi_damping_number(int normal_law, double restitution, double *number, erg_error *err)
{
    if (normal_law < ERGI_NORMAL_LINEAR || normal_law > ERGI_NORMAL_HERTZ)
        return ergi_fail_at(err, "normal", ERG_ERROR_UNKNOWN, "there is no normal law number %d",
                            normal_law);
    if (!(restitution >= ERGI_RESTITUTION_MIN && restitution <= 1.0))
        return ergi_fail_at(err, "restitution", ergi_code_of(restitution),
                            "restitution must be from %g to 1, got %g", ERGI_RESTITUTION_MIN,
                            restitution);
    if (restitution == 1.0) {
        *number = 0.0;
        return ERG_OK;
    }
    // Restitution decreases monotonically with damping: bracket, then bisect.
    double low = 0.0, high = 1.0;
    while (ergi_restitution(normal_law, high) > restitution) {
        low = high;
        high *= 2.0;
    }
    while (high - low > 1e-9 * high) {
        double middle = 0.5 * (low + high);
        if (ergi_restitution(normal_law, middle) > restitution)
            low = middle;
        else
            high = middle;
    }
    *number = 0.5 * (low + high);
    return ERG_OK;
}

ergi_pair_scales ergi_pair_scales_default(void)
{
    ergi_pair_scales p = {.normal = ERGI_NORMAL_HERTZ,
                          .tangential = ERGI_TANGENTIAL_MINDLIN,
                          .restitution = 0.65,
                          .reference_speed = 1.0,
                          .tangential_ratio = 2.0 / 7.0,
                          .tangential_damping = 1.0,
                          .tangential_viscosity = 10.0};
    return p;
}

static bool elastic_ok(ergi_elastic m)
{
    return m.young > 0.0 && m.poisson > -1.0 && m.poisson <= 0.5;
}

static bool finite_from_zero(double x)
{
    return x >= 0.0 && isfinite(x);
}

erg_status ergi_pair_scales_moduli(ergi_pair_scales *p, ergi_elastic a, ergi_elastic b,
                                   erg_error *err)
{
    if (p->tangential < ERGI_TANGENTIAL_VISCOUS || p->tangential > ERGI_TANGENTIAL_YASUDA)
        return ergi_fail_at(err, "tangential", ERG_ERROR_UNKNOWN,
                            "there is no tangential law number %d", p->tangential);
    const ergi_elastic both[2] = {a, b};
    for (int i = 0; i < 2; i++)
        if (!elastic_ok(both[i]))
            return ergi_fail_at(err, both[i].young > 0.0 ? "poisson" : "young",
                                ERG_ERROR_OUT_OF_RANGE,
                                "young must be above 0 Pa and poisson above -1 and at most 0.5, "
                                "got %g and %g",
                                both[i].young, both[i].poisson);
    double e_star = ergi_effective_young(a, b);
    if (!isfinite(e_star))
        return ergi_fail_at(err, "young", ERG_ERROR_NOT_FINITE,
                            "at least one of two materials in contact must be elastic");
    if (!(p->reference_speed > 0.0 && isfinite(p->reference_speed)))
        return ergi_fail_at(err, "reference_speed", ergi_code_of(p->reference_speed),
                            "reference_speed must be above 0 m/s, got %g", p->reference_speed);
    if (!finite_from_zero(p->contact_time))
        return ergi_fail_at(err, "contact_time", ergi_code_of(p->contact_time),
                            "contact_time must be 0 s (automatic) or above, got %g",
                            p->contact_time);
    if (!(p->tangential_ratio > 0.0 && isfinite(p->tangential_ratio)))
        return ergi_fail_at(err, "tangential_ratio", ergi_code_of(p->tangential_ratio),
                            "tangential_ratio must be above 0, got %g", p->tangential_ratio);
    if (!finite_from_zero(p->tangential_damping))
        return ergi_fail_at(err, "tangential_damping", ergi_code_of(p->tangential_damping),
                            "tangential_damping must be 0 or above, got %g", p->tangential_damping);
    if (!finite_from_zero(p->tangential_viscosity))
        return ergi_fail_at(err, "tangential_viscosity", ergi_code_of(p->tangential_viscosity),
                            "tangential_viscosity must be 0 N s/m or above, got %g",
                            p->tangential_viscosity);
    p->e_star = e_star;
    p->g_star = ergi_effective_shear(a, b);
    return ERG_OK;
}

erg_status ergi_pair_scales_fill(ergi_pair_scales *p, ergi_elastic a, ergi_elastic b,
                                 erg_error *err)
{
    ergi_pair_scales made = *p;
    erg_status       status = ergi_pair_scales_moduli(&made, a, b, err);
    if (status == ERG_OK)
        status = ergi_damping_number(p->normal, p->restitution, &made.damping_number, err);
    if (status == ERG_OK) *p = made;
    return status;
}

static double hertz_stiffness(const ergi_pair_scales *p, double radius_star)
{
    return 4.0 / 3.0 * p->e_star * sqrt(radius_star);
}

static double hertz_time(double k, double m, double v)
{
    return HERTZ_TIME * pow(m / k, 0.4) * pow(v, -0.2);
}

// t_c of the linear law: given, or the Hertz contact time at the reference speed.
static double linear_time(const ergi_pair_scales *p, double radius_star, double mass_star)
{
    return p->contact_time > 0.0
               ? p->contact_time
               : hertz_time(hertz_stiffness(p, radius_star), mass_star, p->reference_speed);
}

// With t = HERTZ_TIME x^-2 v^(-1/5), x as in contact_coef.h: (1/t)^2 = hertz_rate x^4.
static double hertz_rate(const ergi_pair_scales *p)
{
    return pow(p->reference_speed, 0.4) / (HERTZ_TIME * HERTZ_TIME);
}

static void scale_normal(const ergi_pair_scales *p, ergi_coef_scales *s)
{
    double d = p->damping_number, v = p->reference_speed, log_e = log(p->restitution),
           swing = log_e * log_e + PI * PI;
    bool linear = p->normal == ERGI_NORMAL_LINEAR, given = linear && p->contact_time > 0.0;
    s->hertz = 4.0 / 3.0 * p->e_star;
    s->kn_k = linear ? 0 : 1;
    s->kn_m = given ? swing / (p->contact_time * p->contact_time) : 0;
    s->kn_x4 = linear && !given ? swing * hertz_rate(p) : 0;
    switch (p->normal) { // definitions of the damping number in calibrate.h, solved for c
    case ERGI_NORMAL_HERTZ_PLAIN: s->cn_x2 = d * pow(v, 0.2); break;
    case ERGI_NORMAL_HERTZ: s->cn_x3 = d * pow(v, -0.2); break;
    default: s->cn_root = d; break;
    }
}

static void scale_tangential(const ergi_pair_scales *p, ergi_coef_scales *s)
{
    bool linear = p->normal == ERGI_NORMAL_LINEAR;
    if (p->tangential == ERGI_TANGENTIAL_MINDLIN)
        s->kt_kn = (linear ? 4.0 : 6.0) * p->g_star / p->e_star;
    else if (linear)
        s->kt_kn = p->tangential_ratio;
    else
        s->kt_x4 = p->tangential_ratio * PI * PI * hertz_rate(p);
    switch (p->tangential) {
    case ERGI_TANGENTIAL_VISCOUS:
    case ERGI_TANGENTIAL_REGULARISED: s->ct = p->tangential_viscosity; break;
    case ERGI_TANGENTIAL_SPRING:
    case ERGI_TANGENTIAL_LEE_HERRMANN:
    case ERGI_TANGENTIAL_MINDLIN: s->ct_cn = p->tangential_damping; break;
    default: break;
    }
}

ergi_coef_scales ergi_coef_scales_of(const ergi_pair_scales *p)
{
    ergi_coef_scales s = {0};
    scale_normal(p, &s);
    scale_tangential(p, &s);
    return s;
}

void ergi_contact_coef(const ergi_pair_scales *p, double radius_star, double mass_star, double *kn,
                       double *cn, double *kt, double *ct)
{
    ergi_coef_scales s = ergi_coef_scales_of(p);
    ergi_coefs       c = ergi_coefs_of(&s, radius_star, mass_star);
    *kn = c.kn;
    *cn = c.cn;
    *kt = c.kt;
    *ct = c.ct;
}

double ergi_contact_time(const ergi_pair_scales *p, double radius_star, double mass_star,
                         double impact_speed)
{
    if (p->normal == ERGI_NORMAL_LINEAR) return linear_time(p, radius_star, mass_star);
    return hertz_time(hertz_stiffness(p, radius_star), mass_star, impact_speed);
}
