// Calibration: moduli, damping, coefficients, and what is rejected.
#include "world/calibrate.h"

#include "check.h"
#include "law/kinds.h"

TEST(effective_moduli)
{
    ergi_elastic sand = {1e7, 0.25}, glass = {1e8, 0.2}, body = {(double)INFINITY, 0.3};
    CHECK_NEAR(ergi_effective_young(sand, sand), 1e7 / (2.0 * (1.0 - 0.0625)), 1.0);
    CHECK_NEAR(1.0 / ergi_effective_young(sand, glass), 0.9375e-7 + 0.96e-8, 1e-16);
    CHECK_NEAR(ergi_effective_young(sand, body), 1e7 / 0.9375, 1.0);
    double shear = 1e7 / 2.5; // of sand
    CHECK_NEAR(ergi_effective_shear(sand, sand), shear / (2.0 * 1.75), 1.0);
    CHECK_NEAR(ergi_effective_shear(sand, body), shear / 1.75, 1.0);
    CHECK(ergi_effective_young(sand, glass) == ergi_effective_young(glass, sand));
}

// Linear law with clamp in closed form: Schwager & Poeschel, Granular Matter 9 (2007) 465.
static double linear_closed_form(double number)
{
    double beta = 0.5 * number; // damping rate in units of the undamped frequency
    double ring = sqrt(fabs(1.0 - beta * beta));
    if (beta < 1.0) {
        double angle = atan2(2.0 * beta * ring, ring * ring - beta * beta);
        return exp(-beta / ring * (3.14159265358979 - angle));
    }
    return exp(-beta / ring * log((beta + ring) / (beta - ring)));
}

TEST(linear_against_closed_form)
{
    static const double number[] = {0.03, 0.1, 0.3, 0.7, 1.2, 1.7, 2.5, 4.0};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        CHECK_NEAR(ergi_restitution(ERGI_NORMAL_LINEAR, number[i]), linear_closed_form(number[i]),
                   2e-6);
}

// Ramirez et al., Phys. Rev. E 60 (1999) 4465: series for weak damping, where the clamp is nothing.
TEST(viscoelastic_against_series)
{
    for (double q = 0.005; q < 0.06; q *= 2.0) {
        double series = 1.0 - 1.15344 * q + 0.79826 * q * q - 0.48358 * q * q * q;
        CHECK_NEAR(ergi_restitution(ERGI_NORMAL_HERTZ, q), series, 1e-4);
    }
}

TEST(number_inverts_restitution)
{
    for (int law = 0; law < 4; law++) {
        double before = (double)INFINITY;
        for (double e = 0.05; e < 0.999; e += 0.05) {
            double    number = -1.0;
            erg_error err = {0};
            REQUIRE(ergi_damping_number(law, e, &number, &err) == ERG_OK);
            CHECK_NEAR(ergi_restitution(law, number), e, 1e-6);
            CHECK(number < before); // more bounce, less damping
            before = number;
        }
        double none = -1.0;
        CHECK(ergi_damping_number(law, 1.0, &none, NULL) == ERG_OK);
        CHECK(none == 0.0);
        CHECK_NEAR(ergi_restitution(law, 0.0), 1.0, 1e-6);
    }
}

TEST(refused_restitution)
{
    static const double bad[] = {0.0, -0.5, 1.0001, 0.049, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double    number = 7.0;
        erg_error err = {0};
        CHECK(ergi_damping_number(ERGI_NORMAL_HERTZ, bad[i], &number, &err) == ERG_BAD_INPUT);
        CHECK(number == 7.0);
    }
    erg_error err = {0};
    double    number;
    CHECK(ergi_damping_number(ERGI_NORMAL_LINEAR, 1.5, &number, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "restitution must be from 0.05 to 1, got 1.5");
    CHECK(ergi_damping_number(17, 0.5, &number, &err) == ERG_BAD_INPUT);
}

static erg_status fill(ergi_pair_scales *p, double young, double poisson, erg_error *err)
{
    ergi_elastic m = {young, poisson};
    return ergi_pair_scales_fill(p, m, m, err);
}

TEST(refused_scales_stay_as_they_were)
{
    erg_error        err = {0};
    ergi_pair_scales p = ergi_pair_scales_default();
    CHECK(fill(&p, -1e7, 0.25, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "young must be above 0 Pa and poisson above -1 and at most 0.5, "
                        "got -1e+07 and 0.25");
    CHECK(fill(&p, (double)NAN, 0.25, &err) == ERG_BAD_INPUT);
    CHECK(fill(&p, 1e7, 0.51, &err) == ERG_BAD_INPUT);
    CHECK(fill(&p, (double)INFINITY, 0.25, &err) == ERG_BAD_INPUT); // two rigid partners
    CHECK_STR(err.text, "at least one of two materials in contact must be elastic");

    p = ergi_pair_scales_default(), p.reference_speed = 0.0;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    CHECK_STR(err.text, "reference_speed must be above 0 m/s, got 0");
    p = ergi_pair_scales_default(), p.contact_time = -1.0;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    p = ergi_pair_scales_default(), p.tangential_ratio = 0.0;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    p = ergi_pair_scales_default(), p.tangential_damping = -0.1;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    p = ergi_pair_scales_default(), p.tangential_viscosity = (double)NAN;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    p = ergi_pair_scales_default(), p.tangential = 9;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    p = ergi_pair_scales_default(), p.restitution = 0.0;
    CHECK(fill(&p, 1e7, 0.25, &err) == ERG_BAD_INPUT);
    CHECK(p.e_star == 0.0 && p.g_star == 0.0 && p.damping_number == 0.0);
}

TEST(hertz_coefficients)
{
    ergi_pair_scales p = ergi_pair_scales_default();
    REQUIRE(fill(&p, 1e7, 0.25, NULL) == ERG_OK);
    double kn, cn, kt, ct, r = 0.5e-3, m = 5e-6;
    ergi_contact_coef(&p, r, m, &kn, &cn, &kt, &ct);
    CHECK_NEAR(kn, 4.0 / 3.0 * p.e_star * sqrt(r), 1e-6 * kn);
    CHECK_NEAR(kt, 8.0 * p.g_star * sqrt(r), 1e-6 * kt);
    // Mindlin: ratio of tangent stiffnesses kt/(3/2 kn) = 2 (1 - nu)/(2 - nu)
    CHECK_NEAR(kt / (1.5 * kn), 2.0 * 0.75 / 1.75, 1e-9);
    CHECK(ct == cn);
    double q = cn / m * pow(m / kn, 0.6);
    CHECK_NEAR(ergi_restitution(ERGI_NORMAL_HERTZ, q), 0.65, 1e-6);
    CHECK_NEAR(ergi_contact_time(&p, r, m, 2.0), 3.218 * pow(m / kn, 0.4) * pow(2.0, -0.2), 1e-7);
}

TEST(linear_coefficients)
{
    ergi_pair_scales p = ergi_pair_scales_default();
    p.normal = ERGI_NORMAL_LINEAR;
    p.tangential = ERGI_TANGENTIAL_SPRING;
    p.contact_time = 2e-4;
    REQUIRE(fill(&p, 1e7, 0.25, NULL) == ERG_OK);
    double kn, cn, kt, ct, r = 0.5e-3, m = 5e-6, log_e = log(0.65);
    ergi_contact_coef(&p, r, m, &kn, &cn, &kt, &ct);
    CHECK_NEAR(kn, m * (log_e * log_e + 9.8696044) / 4e-8, 1e-6 * kn);
    CHECK_NEAR(kt / kn, 2.0 / 7.0, 1e-12);
    CHECK_NEAR(ergi_contact_time(&p, r, m, 5.0), 2e-4, 1e-12);

    p.tangential = ERGI_TANGENTIAL_MINDLIN;
    ergi_contact_coef(&p, r, m, &kn, &cn, &kt, &ct);
    CHECK_NEAR(kt / kn, 2.0 * 0.75 / 1.75, 1e-9);

    // without a contact time: as long as a Hertz impact at the reference speed
    ergi_pair_scales hertz = p;
    hertz.normal = ERGI_NORMAL_HERTZ;
    p.contact_time = 0.0;
    CHECK_NEAR(ergi_contact_time(&p, r, m, 9.0) / ergi_contact_time(&hertz, r, m, 1.0), 1.0, 1e-12);
}

TEST(tangential_coefficients)
{
    double r = 0.5e-3, m = 5e-6;
    for (int law = ERGI_TANGENTIAL_VISCOUS; law <= ERGI_TANGENTIAL_YASUDA; law++) {
        ergi_pair_scales p = ergi_pair_scales_default();
        p.tangential = law;
        p.tangential_damping = 0.5;
        REQUIRE(fill(&p, 1e7, 0.25, NULL) == ERG_OK);
        double kn, cn, kt, ct;
        ergi_contact_coef(&p, r, m, &kn, &cn, &kt, &ct);
        bool viscous = law == ERGI_TANGENTIAL_VISCOUS || law == ERGI_TANGENTIAL_REGULARISED;
        bool damped = law == ERGI_TANGENTIAL_SPRING || law == ERGI_TANGENTIAL_LEE_HERRMANN ||
                      law == ERGI_TANGENTIAL_MINDLIN;
        CHECK_NEAR(ct, viscous ? 10.0 : damped ? 0.5 * cn : 0.0, 1e-12);
        CHECK(kt > 0.0);
        if (law == ERGI_TANGENTIAL_MINDLIN) continue;
        // with ratio 2/7 a rolling sphere's tangential half period is the contact time
        double half_period = 3.14159265 * sqrt(2.0 / 7.0 * m / kt);
        CHECK_NEAR(half_period / ergi_contact_time(&p, r, m, 1.0), 1.0, 1e-6);
    }
}

TEST_MAIN(effective_moduli, linear_against_closed_form, viscoelastic_against_series,
          number_inverts_restitution, refused_restitution, refused_scales_stay_as_they_were,
          hertz_coefficients, linear_coefficients, tangential_coefficients)
