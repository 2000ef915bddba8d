// Normal laws: impacts simulated with the law header itself, against closed forms and MODELS
// section 1.1. Built as float, and as double by test_law_normal_double.c.
#include "check.h"
#include "law/contact.h"
#include "world/calibrate.h"

typedef struct impact {
    double restitution;
    double duration;  // [s]
    double max_force; // [N]
    double min_force; // [N]
    double max_overlap;
} impact;

// One-dimensional impact at speed v, leapfrog as in the solver: the law sees the half-step
// velocity. Ends when the overlap does. `steps` is the number of steps in a time of about the
// contact's.
static impact run_impact(int law, double kn, double cn, double m, double v, bool clamp, double time,
                         int steps)
{
    ergi_coef c = {(erg_real)kn, (erg_real)cn, ERGI_R(0), ERGI_R(0)};
    double    dt = time / steps, xi = 0.0, u = v;
    impact    r = {0};
    for (int i = 0; i < 100 * steps; i++) {
        xi += dt * u;
        if (!(xi > 0.0)) break;
        erg_real x = (erg_real)xi, closing = (erg_real)u;
        double   f = (double)(clamp ? ergi_normal_force(law, c, x, closing)
                                    : ergi_normal_unclamped(law, c, x, closing));
        u -= dt * f / m;
        if (f > r.max_force) r.max_force = f;
        if (f < r.min_force) r.min_force = f;
        if (xi > r.max_overlap) r.max_overlap = xi;
        r.duration += dt;
    }
    r.restitution = -u / v;
    return r;
}

static double undamped_time(int law, double kn, double m, double v)
{
    return law == ERGI_NORMAL_LINEAR ? 3.14159265 * sqrt(m / kn)
                                     : 3.21807 * pow(m / kn, 0.4) * pow(v, -0.2);
}

static double bounce(int law, double kn, double cn, double v, bool clamp)
{
    return run_impact(law, kn, cn, 1.0, v, clamp, undamped_time(law, kn, 1.0, v), 20000)
        .restitution;
}

TEST(bell_figure_3)
{
    static const double speed[3] = {0.1, 1.0, 10.0};
    static const struct {
        int    law;
        double cn, e[3];
    } rows[] = {{ERGI_NORMAL_LINEAR, 500, {0.444, 0.444, 0.444}},
                {ERGI_NORMAL_HERTZ_CONSTANT, 500, {0.486, 0.486, 0.486}},
                {ERGI_NORMAL_HERTZ_PLAIN, 50, {0.544, 0.690, 0.794}},
                {ERGI_NORMAL_HERTZ, 500, {0.913, 0.867, 0.798}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(bounce(rows[i].law, 1e6, rows[i].cn, speed[k], false), rows[i].e[k], 6e-4);
}

// Flat, flat, rising, falling: for every damping of the figure, with and without clamp.
TEST(restitution_against_speed)
{
    static const double damping[4] = {50, 100, 250, 500};
    for (int d = 0; d < 4; d++)
        for (int clamp = 0; clamp < 2; clamp++)
            for (int law = 0; law < 4; law++) {
                double slow = bounce(law, 1e6, damping[d], 0.1, clamp);
                double middle = bounce(law, 1e6, damping[d], 1.0, clamp);
                double fast = bounce(law, 1e6, damping[d], 10.0, clamp);
                if (law == ERGI_NORMAL_LINEAR || law == ERGI_NORMAL_HERTZ_CONSTANT) {
                    CHECK_NEAR(slow, middle, 1e-3);
                    CHECK_NEAR(fast, middle, 1e-3);
                } else if (law == ERGI_NORMAL_HERTZ_PLAIN) {
                    // so strong a dashpot that pulls holds on for ever: e = 0 at all speeds
                    bool stuck = !clamp && damping[d] > 200.0;
                    CHECK(stuck ? slow < 1e-3 : slow + 0.02 < middle && middle + 0.02 < fast);
                } else {
                    CHECK(slow > middle + 0.004 && middle > fast + 0.004);
                }
            }
    for (int law = 0; law < 4; law++) CHECK_NEAR(bounce(law, 1e6, 0.0, 1.0, true), 1.0, 1e-3);
}

// Damping from the textbook formulas: they hit the nominal value only if grains may pull.
TEST(clamp_bounces_higher)
{
    static const double nominal[3] = {0.65, 0.5, 0.2}, clamped[3] = {0.675, 0.550, 0.325};
    for (int i = 0; i < 3; i++) {
        double log_e = log(nominal[i]), ring = sqrt(log_e * log_e + 9.8696044);
        double linear = -2.0 * log_e / ring * 1e3, tsuji = -sqrt(5.0) * log_e / ring * 1e3;
        CHECK_NEAR(bounce(ERGI_NORMAL_LINEAR, 1e6, linear, 1.0, false), nominal[i], 1e-3);
        CHECK_NEAR(bounce(ERGI_NORMAL_LINEAR, 1e6, linear, 1.0, true), clamped[i], 1e-3);
        CHECK_NEAR(bounce(ERGI_NORMAL_HERTZ_CONSTANT, 1e6, tsuji, 1.0, false), nominal[i], 1e-3);
        CHECK_NEAR(bounce(ERGI_NORMAL_HERTZ_CONSTANT, 1e6, tsuji, 1.0, true), clamped[i], 2e-3);
    }
    // The viscoelastic law pulls little: its dashpot fades with its spring.
    static const double cn[3] = {500, 1000, 2000}, free_end[3] = {0.8668, 0.7535, 0.5723},
                        clamp_end[3] = {0.8680, 0.7591, 0.5940};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(bounce(ERGI_NORMAL_HERTZ, 1e6, cn[i], 1.0, false), free_end[i], 3e-4);
        CHECK_NEAR(bounce(ERGI_NORMAL_HERTZ, 1e6, cn[i], 1.0, true), clamp_end[i], 3e-4);
    }
}

static ergi_pair_scales scales_of(int law, double restitution)
{
    ergi_pair_scales p = ergi_pair_scales_default();
    p.normal = law;
    p.restitution = restitution;
    ergi_elastic sand = {1e7, 0.25};
    erg_error    err = {0};
    CHECK(ergi_pair_scales_fill(&p, sand, sand, &err) == ERG_OK);
    return p;
}

// Two 1 mm grains of sand: the restitution asked for is the one measured, at two reference speeds.
TEST(restitution_asked_is_measured)
{
    static const double asked[] = {0.1, 0.2, 0.3, 0.5, 0.65, 0.8, 0.9, 0.95};
    double              radius = 0.5e-3, mass = 0.5 * 2500.0 * 4.18879e-9;
    for (int law = 0; law < 4; law++)
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
            for (int fast = 0; fast < 2; fast++) {
                ergi_pair_scales p = scales_of(law, asked[i]);
                p.reference_speed = fast ? 3.0 : 1.0;
                double kn, cn, kt, ct, v = p.reference_speed;
                ergi_contact_coef(&p, radius, mass, &kn, &cn, &kt, &ct);
                double time = ergi_contact_time(&p, radius, mass, v);
                impact r = run_impact(law, kn, cn, mass, v, true, time, 10000);
                CHECK_NEAR(r.restitution, asked[i], 1e-3);
                CHECK(r.min_force >= 0.0);
            }
}

// At the solver's own step the impact still ends within a few per cent of what was asked.
TEST(restitution_at_the_default_step)
{
    double radius = 0.5e-3, mass = 0.5 * 2500.0 * 4.18879e-9;
    for (int law = 0; law < 4; law++) {
        ergi_pair_scales p = scales_of(law, 0.65);
        double           kn, cn, kt, ct;
        ergi_contact_coef(&p, radius, mass, &kn, &cn, &kt, &ct);
        double time = ergi_contact_time(&p, radius, mass, 1.0);
        CHECK_NEAR(run_impact(law, kn, cn, mass, 1.0, true, time, 20).restitution, 0.65, 0.03);
    }
}

TEST(hertz_contact_time_and_depth)
{
    double kn = 1.6e5, m = 5e-6, v = 0.7;
    double time = 3.21807 * pow(m / kn, 0.4) * pow(v, -0.2);
    impact r = run_impact(ERGI_NORMAL_HERTZ, kn, 0.0, m, v, true, time, 20000);
    CHECK_NEAR(r.duration / time, 1.0, 5e-4);
    double depth = pow(1.25 * m * v * v / kn, 0.4); // kinetic energy = 2/5 kn xi^(5/2)
    CHECK_NEAR(r.max_overlap / depth, 1.0, 1e-3);
    CHECK_NEAR(r.max_force / (kn * pow(depth, 1.5)), 1.0, 1e-3);
}

TEST(linear_contact_time)
{
    ergi_pair_scales p = scales_of(ERGI_NORMAL_LINEAR, 1.0);
    p.contact_time = 1e-4;
    double kn, cn, kt, ct;
    ergi_contact_coef(&p, 0.5e-3, 5e-6, &kn, &cn, &kt, &ct);
    impact r = run_impact(ERGI_NORMAL_LINEAR, kn, cn, 5e-6, 1.0, true, 1e-4, 20000);
    CHECK_NEAR(r.duration / 1e-4, 1.0, 1e-3);
}

TEST(energy_is_the_integral_of_the_force)
{
    for (int law = 0; law < 4; law++) {
        double sum = 0.0, depth = 1e-4;
        int    n = 2000;
        for (int i = 0; i < n; i++)
            sum += depth / n *
                   (double)ergi_normal_elastic(law, ERGI_R(1e5), (erg_real)(depth * (i + 0.5) / n));
        CHECK_NEAR((double)ergi_normal_energy(law, ERGI_R(1e5), (erg_real)depth) / sum, 1.0, 1e-4);
    }
}

TEST(a_bad_number_passes_through)
{
    ergi_coef c = {ERGI_R(1e5), ERGI_R(1), ERGI_R(1e5), ERGI_R(1)};
    erg_real  bad = (erg_real)NAN;
    for (int law = 0; law < 4; law++) {
        CHECK(isnan(ergi_normal_force(law, c, bad, ERGI_R(1))));
        CHECK(isnan(ergi_normal_force(law, c, ERGI_R(1e-5), bad)));
        CHECK(ergi_normal_force(law, c, ERGI_R(0), ERGI_R(0)) == ERGI_R(0));
    }
}

TEST_MAIN(bell_figure_3, restitution_against_speed, clamp_bounces_higher,
          restitution_asked_is_measured, restitution_at_the_default_step,
          hertz_contact_time_and_depth, linear_contact_time, energy_is_the_integral_of_the_force,
          a_bad_number_passes_through)
