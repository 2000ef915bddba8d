// Tangential, rolling and cohesive laws, called as the solver calls them.
// Built as float, and as double by test_law_tangential_double.c.
#include "check.h"
#include "law/contact.h"

#if defined(ERG_REAL_DOUBLE)
static const double EPS = 1e-12;
#else
static const double EPS = 1e-5;
#endif

static const ergi_coef COEF = {ERGI_R(1.6e5), ERGI_R(20), ERGI_R(1.9e5), ERGI_R(20)};

static ergi_pair_law pair_law(void)
{
    ergi_pair_law law = {.normal = ERGI_NORMAL_HERTZ,
                         .tangential = ERGI_TANGENTIAL_MINDLIN,
                         .friction = ERGI_R(0.5),
                         .friction_static = ERGI_R(0.6),
                         .rolling = ERGI_R(0.1),
                         .rolling_damping = ERGI_R(1),
                         .twisting = ERGI_R(0),
                         .cohesion = ERGI_R(0)};
    return law;
}

static ergi_vec vec(double x, double y, double z)
{
    return ergi_vec_make((erg_real)x, (erg_real)y, (erg_real)z);
}

static ergi_contact_kinematics touch(double overlap, ergi_vec v)
{
    ergi_contact_kinematics t = {.n = vec(0, 0, 1),
                                 .overlap = (erg_real)overlap,
                                 .v = v,
                                 .radius = ERGI_R(0.5e-3),
                                 .dt = ERGI_R(1e-6)};
    return t;
}

static const ergi_contact_history FRESH = {{0, 0, 0}, {0, 0, 0}};

static ergi_contact_force push_of(int tangential, ergi_pair_law law, ergi_contact_kinematics t,
                                  ergi_contact_history m)
{
    return ergi_contact_evaluate(ERGI_NORMAL_HERTZ, tangential, true, false, law, COEF, t, m);
}

static double size(ergi_vec a)
{
    return (double)ergi_vec_norm(a);
}

static double dot(ergi_vec a, ergi_vec b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

// Size of the part of the force across the normal.
static double friction_of(ergi_contact_force p, ergi_vec n)
{
    return size(ergi_vec_tangent(p.force, n));
}

// From -1 to 1, the same every time.
static double noise(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

static ergi_vec noise_vec(unsigned *state, double scale)
{
    double x = noise(state), y = noise(state), z = noise(state);
    return vec(scale * x, scale * y, scale * z);
}

static ergi_vec unit(ergi_vec a)
{
    return ergi_vec_scale(ERGI_R(1) / ergi_vec_norm(a), a);
}

static bool opposite(ergi_vec a, ergi_vec b)
{
    return a.x == -b.x && a.y == -b.y && a.z == -b.z;
}

static bool finite_vec(ergi_vec a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

TEST(memory_widths)
{
    for (int law = ERGI_TANGENTIAL_VISCOUS; law <= ERGI_TANGENTIAL_YASUDA; law++) {
        bool history = law != ERGI_TANGENTIAL_VISCOUS && law != ERGI_TANGENTIAL_COULOMB &&
                       law != ERGI_TANGENTIAL_REGULARISED;
        CHECK(ergi_history_width(law, false) == (history ? 3 : 0));
        CHECK(ergi_history_width(law, true) == 6);
    }
}

TEST(history_free_laws)
{
    ergi_pair_law law = pair_law();
    ergi_coef     c = COEF;
    c.ct = ERGI_R(0.01);
    for (double v = 1e-4; v < 10.0; v *= 3.0) {
        ergi_contact_kinematics t = touch(1e-6, vec(0.6 * v, -0.8 * v, 0));
        for (int kind = ERGI_TANGENTIAL_VISCOUS; kind <= ERGI_TANGENTIAL_REGULARISED; kind++) {
            ergi_contact_force p =
                ergi_contact_evaluate(ERGI_NORMAL_HERTZ, kind, false, false, law, c, t, FRESH);
            double limit = 0.5 * (double)p.normal, want = 0.01 * v;
            if (kind == ERGI_TANGENTIAL_COULOMB) want = limit;
            if (kind == ERGI_TANGENTIAL_REGULARISED && want > limit) want = limit;
            CHECK_NEAR(friction_of(p, t.n), want, EPS * want);
            CHECK(dot(p.force, t.v) < 0.0);
            CHECK_NEAR((double)p.force.x / (double)p.force.y, -0.75, EPS);
        }
    }
    ergi_contact_force rest =
        push_of(ERGI_TANGENTIAL_COULOMB, law, touch(1e-6, vec(0, 0, 0)), FRESH);
    CHECK(rest.force.x == ERGI_R(0) && rest.force.y == ERGI_R(0) && rest.force.z > ERGI_R(0));
}

// Pulled sideways at constant overlap: spring below the limit, exactly the limit above it.
TEST(stick_then_slide)
{
    static const int kinds[] = {ERGI_TANGENTIAL_SPRING, ERGI_TANGENTIAL_MINDLIN,
                                ERGI_TANGENTIAL_BELL, ERGI_TANGENTIAL_LEE_HERRMANN,
                                ERGI_TANGENTIAL_YASUDA};
    ergi_pair_law    law = pair_law();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int                     kind = kinds[i];
        ergi_contact_history    m = FRESH;
        ergi_contact_kinematics t = touch(1e-6, vec(1e-4, 0, 0));
        t.dt = ERGI_R(1e-5);
        ergi_coef c = COEF;
        c.ct = ERGI_R(0); // the spring alone
        if (kind != ERGI_TANGENTIAL_MINDLIN) c.kt = ERGI_R(190);
        double k = (double)ergi_tangential_stiffness(ERGI_NORMAL_HERTZ, kind, c.kt, t.overlap);
        int    stuck = 0, slid = 0;
        for (int step = 1; step <= 2000; step++) {
            ergi_contact_force p =
                ergi_contact_evaluate(ERGI_NORMAL_HERTZ, kind, false, false, law, c, t, m);
            double spring = k * 1e-9 * step, f_n = (double)p.normal;
            double stick_limit = (kind == ERGI_TANGENTIAL_YASUDA ? 0.6 : 0.5) * f_n;
            if (spring < 0.999 * stick_limit) {
                CHECK_NEAR(friction_of(p, t.n), spring, 200.0 * EPS * spring);
                stuck++;
            } else if (spring > 1.001 * stick_limit) {
                CHECK_NEAR(friction_of(p, t.n), 0.5 * f_n, 2.0 * EPS * f_n);
                slid++;
            }
            CHECK(p.force.x < ERGI_R(0));
            m = p.history;
        }
        CHECK(stuck > 100 && slid > 500);
        // Only these two do not remember the direction of sliding.
        bool   resets = kind == ERGI_TANGENTIAL_SPRING || kind == ERGI_TANGENTIAL_MINDLIN;
        double f_n = (double)ergi_normal_force(ERGI_NORMAL_HERTZ, c, t.overlap, ERGI_R(0));
        CHECK(resets == (k * size(m.slide) < 0.51 * f_n));
    }
}

TEST(no_friction_no_memory)
{
    ergi_pair_law law = pair_law();
    law.friction = law.rolling = ERGI_R(0);
    for (int kind = ERGI_TANGENTIAL_SPRING; kind <= ERGI_TANGENTIAL_MINDLIN; kind += 3) {
        ergi_contact_history m = FRESH;
        for (int i = 0; i < 10; i++) {
            ergi_contact_kinematics t = touch(1e-6, vec(1, 0.3, 0));
            t.spin = vec(100, 0, 20);
            ergi_contact_force p = push_of(kind, law, t, m);
            CHECK(friction_of(p, vec(0, 0, 1)) == 0.0 && size(p.couple) == 0.0);
            CHECK(size(p.history.slide) == 0.0 && size(p.history.roll) == 0.0);
            m = p.history;
        }
    }
}

// Energy stored across the normal: slide and roll springs.
static double spring_energy(int normal, int tangential, ergi_pair_law law,
                            ergi_contact_kinematics t, ergi_contact_history m)
{
    return (double)(ergi_contact_energy(normal, tangential, true, false, law, COEF, t, m) -
                    ergi_normal_energy(normal, COEF.kn, t.overlap));
}

// A touch that is said to hold has the bits of one that is not, unless it slips, and then says so.
TEST(what_holds_need_not_be_cut)
{
    static const int kinds[] = {ERGI_TANGENTIAL_SPRING, ERGI_TANGENTIAL_MINDLIN};
    ergi_pair_law    law = pair_law();
    for (int kind = 0; kind < 2; kind++) {
        int      held = 0, slipped = 0;
        unsigned seed = 11;
        for (int k = 0; k < 4000; k++) {
            ergi_contact_kinematics t = touch(1e-6, noise_vec(&seed, pow(10, -(k % 7))));
            ergi_contact_history m = {noise_vec(&seed, pow(10, -6 - k % 13 / 2.0)), vec(0, 0, 0)};
            law.friction = ERGI_R(0.5) * (erg_real)(k % 3);
            ergi_contact_force cut = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, kinds[kind], false,
                                                           false, law, COEF, t, m);
            t.holds = true;
            ergi_contact_force whole = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, kinds[kind], false,
                                                             false, law, COEF, t, m);
            bool               same = memcmp(&cut.force, &whole.force, sizeof cut.force) == 0 &&
                        memcmp(&cut.history, &whole.history, sizeof cut.history) == 0;
            bool slips = whole.slips > ERGI_R(0);
            CHECK(slips == (cut.slips > ERGI_R(0)));
            CHECK(slips || same);
            double limit = (double)law.friction * (double)cut.normal;
            CHECK(friction_of(cut, t.n) <= limit * (1 + 10 * EPS));
            CHECK(slips || friction_of(whole, t.n) <= limit * (1 + 10 * EPS));
            CHECK(!slips || friction_of(whole, t.n) >= limit * (1 - 10 * EPS) ||
                  size(cut.history.slide) < size(whole.history.slide));
            held += !slips;
            slipped += slips;
        }
        CHECK(held > 500 && slipped > 500);
    }
}

// Whatever the contact is put through, no step gives out more than was stored: sideways and rolling
// work, step by step, on a random path of overlap, slip, spin and turning normal.
TEST(no_step_makes_energy)
{
    static const int kinds[2] = {ERGI_TANGENTIAL_SPRING, ERGI_TANGENTIAL_MINDLIN};
    for (int normal = 0; normal < 4; normal++)
        for (int kind = 0; kind < 2; kind++)
            for (int twisting = 0; twisting < 2; twisting++) {
                unsigned      seed = (unsigned)(17 + normal + 4 * kind + 8 * twisting);
                ergi_pair_law law = pair_law();
                law.twisting = twisting ? ERGI_R(0.05) : ERGI_R(0);
                ergi_contact_history m = FRESH;
                ergi_vec             n = vec(0, 0, 1);
                double               overlap = 1e-6, stored = 0.0, worst = 0.0, most = 0.0;
                for (int step = 0; step < 20000; step++) {
                    ergi_contact_kinematics t =
                        touch(overlap, noise_vec(&seed, step % 50 < 40 ? 0.002 : 0.5));
                    t.spin = noise_vec(&seed, step % 70 < 50 ? 4.0 : 1000.0);
                    n = unit(ergi_vec_add(n, noise_vec(&seed, 0.003)));
                    t.n = n;
                    double next = overlap - dot(t.v, n) * (double)t.dt;
                    if (!(next > 1e-8 && next < 4e-6)) { // never part, never go deep
                        t.v = ergi_vec_tangent(t.v, n);
                        next = overlap;
                    }
                    t.overlap = (erg_real)(overlap = next);
                    ergi_contact_force p =
                        ergi_contact_evaluate(normal, kinds[kind], true, false, law, COEF, t, m);
                    double taken =
                        -(dot(p.force, ergi_vec_tangent(t.v, n)) + dot(p.couple, t.spin)) *
                        (double)t.dt;
                    m = p.history;
                    double now = spring_energy(normal, kinds[kind], law, t, m);
                    double made = now - stored - taken;
                    if (made > worst) worst = made;
                    if (now > most) most = now;
                    stored = now;
                }
                CHECK(most > 0.0);
                CHECK_NEAR(worst / most, 0.0, 10.0 * EPS);
            }
}

// Load, shear, load more, shear back, unload: with k_t sqrt(xi) s alone this hands out energy.
TEST(closed_cycle_makes_no_energy)
{
    ergi_pair_law law = pair_law();
    law.friction = ERGI_R(100); // never slides
    ergi_coef c = COEF;
    c.cn = c.ct = ERGI_R(0);
    static const struct {
        double slip, rise; // of the leg [m]
    } legs[] = {{0, 1e-6}, {2e-7, 0}, {0, 3e-6}, {-2e-7, 0}, {0, -4e-6}};
    int                  steps = 2000;
    double               overlap = 0.0, slid = 0.0, work = 0.0, naive = 0.0, input = 0.0;
    ergi_contact_history m = FRESH;
    for (int leg = 0; leg < 5; leg++)
        for (int i = 0; i < steps; i++) {
            double                  dt = 1e-6, half = 0.5 * legs[leg].slip / steps;
            ergi_contact_kinematics t =
                touch(0.0, vec(legs[leg].slip / steps / dt, 0, -legs[leg].rise / steps / dt));
            overlap += legs[leg].rise / steps;
            slid += 2.0 * half;
            t.overlap = (erg_real)(overlap > 0.0 ? overlap : 0.0);
            ergi_contact_force p = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN,
                                                         false, false, law, c, t, m);
            m = p.history;
            double k = (double)c.kt * sqrt((double)t.overlap);
            work -= (double)p.force.x * 2.0 * half;
            naive += k * (slid - half) * 2.0 * half;
            if (leg == 1) input += k * (slid - half) * 2.0 * half;
        }
    CHECK(naive < -0.5 * input); // what the cycle would have made
    CHECK(work > -1e-3 * input);
    CHECK(work < 1.01 * input);
}

// A contact that turns in space carries its spring along.
TEST(history_turns_with_the_contact)
{
    ergi_pair_law law = pair_law();
    law.friction = law.rolling = ERGI_R(100);
    for (int kind = ERGI_TANGENTIAL_SPRING; kind <= ERGI_TANGENTIAL_YASUDA; kind++) {
        ergi_contact_kinematics t = touch(1e-6, vec(0, 0, 0));
        ergi_contact_force      p = {.history = {vec(0, 3e-9, 4e-9), vec(1e-6, 0, 2e-6)}};
        t.n = vec(1, 0, 0);
        p.history.roll = vec(0, 1e-6, 2e-6);
        for (int i = 1; i <= 1000; i++) { // a quarter turn about y
            double angle = 1.57079632679 * i / 1000.0;
            t.n = vec(cos(angle), 0, -sin(angle));
            p = push_of(kind, law, t, p.history);
        }
        CHECK_NEAR(size(p.history.slide) / 5e-9, 1.0, 100.0 * EPS);
        CHECK_NEAR((double)p.history.slide.y / 3e-9, 1.0, 2e-3);
        CHECK_NEAR((double)p.history.slide.x / 4e-9, 1.0, 2e-3);
        CHECK_NEAR(dot(p.history.slide, t.n) / 5e-9, 0.0, 10.0 * EPS);
        CHECK_NEAR(size(p.history.roll) / sqrt(5e-12), 1.0, 100.0 * EPS);
        CHECK_NEAR(dot(ergi_vec_tangent(p.force, t.n), p.history.slide) /
                       (friction_of(p, t.n) * size(p.history.slide)),
                   -1.0, 100.0 * EPS);
    }
}

// A sphere set sliding on a plane ends up rolling at 5/7 of its speed.
TEST(sliding_sphere_rolls_at_five_sevenths)
{
    double        r = 1e-3, mass = 1e-5, inertia = 0.4 * mass * r * r, dt = 1e-6;
    double        overlap = pow(mass * 9.81 / (double)COEF.kn, 2.0 / 3.0);
    ergi_pair_law law = pair_law();
    ergi_coef     c = COEF;
    c.cn = c.ct = ERGI_R(0.5);
    double               v = 0.1, w = 0.0; // along x; spin about y
    ergi_contact_history m = FRESH;
    for (int i = 0; i < 60000; i++) {
        double                  lever = r - 0.5 * overlap;
        ergi_contact_kinematics t = touch(overlap, vec(v - w * lever, 0, 0));
        t.dt = (erg_real)dt;
        ergi_contact_force p = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN,
                                                     false, false, law, c, t, m);
        m = p.history;
        v += dt * (double)p.force.x / mass;
        w -= dt * (double)p.force.x * lever / inertia;
    }
    CHECK_NEAR(v, 0.1 * 5.0 / 7.0, 2e-4);
    CHECK_NEAR(w * r, 0.1 * 5.0 / 7.0, 2e-4);
}

// Oblique impact of a spinning sphere on a plane: kinetic plus stored energy never grows.
TEST(oblique_impact_loses_energy)
{
    static const int kinds[] = {ERGI_TANGENTIAL_COULOMB, ERGI_TANGENTIAL_SPRING,
                                ERGI_TANGENTIAL_MINDLIN};
    double           r = 1e-3, mass = 1e-5, inertia = 0.4 * mass * r * r, dt = 2e-8;
    for (int kind = 0; kind < 3; kind++)
        for (int slope = 0; slope < 12; slope++) {
            ergi_pair_law law = pair_law();
            ergi_coef     c = COEF;
            c.cn = c.ct = ERGI_R(4);
            if (kinds[kind] == ERGI_TANGENTIAL_SPRING) c.kt = ERGI_R(500);
            double v = 0.02 + 0.25 * slope, u = -1.0, w = -300.0, overlap = 1e-12;
            double start = 0.5 * mass * (u * u + v * v) + 0.5 * inertia * w * w, peak = start;
            ergi_contact_history m = FRESH;
            for (int i = 0; i < 40000; i++) {
                overlap -= dt * u;
                if (!(overlap > 0.0)) break;
                double                  lever = r - 0.5 * overlap;
                ergi_contact_kinematics t = touch(overlap, vec(v - w * lever, 0, u));
                t.dt = (erg_real)dt;
                ergi_contact_force p = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, kinds[kind], false,
                                                             false, law, c, t, m);
                m = p.history;
                u += dt * (double)p.force.z / mass;
                v += dt * (double)p.force.x / mass;
                w -= dt * (double)p.force.x * lever / inertia;
                double energy = 0.5 * mass * (u * u + v * v) + 0.5 * inertia * w * w +
                                (double)ergi_contact_energy(ERGI_NORMAL_HERTZ, kinds[kind], false,
                                                            false, law, c, t, m);
                if (energy > peak) peak = energy;
            }
            CHECK(u > 0.0);
            CHECK(peak < 1.002 * start);
            CHECK(0.5 * mass * (u * u + v * v) + 0.5 * inertia * w * w < 0.97 * start);
        }
}

// Relative spin of two pinned spheres at constant overlap, about x (rolling) or z (twisting).
static double spin_down(bool twist, double push_ratio, double *worst_ratio, double *last_angle)
{
    ergi_pair_law law = pair_law();
    law.twisting = ERGI_R(0.1);
    ergi_contact_history m = FRESH;
    double               w = push_ratio > 0.0 ? 0.0 : 50.0, inertia = 2e-12, dt = 1e-6;
    *worst_ratio = 0.0;
    for (int i = 0; i < 400000; i++) {
        ergi_contact_kinematics t = touch(2e-6, vec(0, 0, 0));
        t.spin = twist ? vec(0, 0, w) : vec(w, 0, 0);
        t.dt = (erg_real)dt;
        ergi_contact_force p = push_of(ERGI_TANGENTIAL_MINDLIN, law, t, m);
        double             cap = 0.1 * 0.5e-3 * (double)p.normal, ratio = size(p.couple) / cap;
        if (ratio > *worst_ratio) *worst_ratio = ratio;
        m = p.history;
        w += dt * ((double)(twist ? p.couple.z : p.couple.x) + push_ratio * cap) / inertia;
        *last_angle = (double)(twist ? m.roll.z : m.roll.x);
    }
    return w;
}

TEST(rolling_and_twisting_come_to_rest)
{
    for (int twist = 0; twist < 2; twist++) {
        double worst, angle;
        CHECK_NEAR(spin_down(twist, 0.0, &worst, &angle), 0.0, 1e-3);
        CHECK(worst <= 1.0 + EPS && worst > 0.999);
        CHECK_NEAR(spin_down(twist, 0.5, &worst, &angle), 0.0, 1e-3); // a torque below the limit
        CHECK(worst <= 1.0 + EPS && angle > 0.0);
        CHECK(spin_down(twist, 1.5, &worst, &angle) > 1.0); // one above it
        CHECK(worst <= 1.0 + EPS);
    }
}

// Squared torques of dust grains underflow in a float.
TEST(dust_rolls_no_harder_than_it_may)
{
    ergi_pair_law           law = pair_law();
    ergi_contact_kinematics t = touch(1e-12, vec(0, 0, 0));
    t.radius = ERGI_R(0.5e-7);
    t.spin = vec(3e4, 4e4, 0);
    ergi_contact_force p = push_of(ERGI_TANGENTIAL_MINDLIN, law, t, FRESH);
    double             limit = 0.1 * 0.5e-7 * (double)p.normal;
    CHECK(limit > 0 && limit < 1e-20);
    double couple[3] = {(double)p.couple.x, (double)p.couple.y, (double)p.couple.z};
    CHECK_NEAR(sqrt(couple[0] * couple[0] + couple[1] * couple[1]), limit, 10 * EPS * limit);
    CHECK_NEAR(couple[0] / couple[1], 0.75, 10 * EPS);
}

// Rolling torque acts across, twisting torque along the normal, and each only if enabled.
TEST(rolling_and_twisting_are_apart)
{
    ergi_pair_law           law = pair_law();
    ergi_contact_kinematics t = touch(1e-6, vec(0, 0, 0));
    t.spin = vec(30, 0, 40);
    ergi_contact_force p = push_of(ERGI_TANGENTIAL_MINDLIN, law, t, FRESH);
    CHECK(p.couple.x < ERGI_R(0) && p.couple.z == ERGI_R(0));
    law.rolling = ERGI_R(0);
    law.twisting = ERGI_R(0.1);
    p = push_of(ERGI_TANGENTIAL_MINDLIN, law, t, FRESH);
    CHECK(p.couple.x == ERGI_R(0) && p.couple.z < ERGI_R(0));
    p = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, false, law, COEF,
                              t, FRESH);
    CHECK(size(p.couple) == 0.0);
}

TEST(swapping_partners_swaps_signs)
{
    unsigned seed = 5;
    for (int normal = 0; normal < 4; normal++)
        for (int kind = 0; kind <= ERGI_TANGENTIAL_YASUDA; kind++)
            for (int i = 0; i < 200; i++) {
                ergi_pair_law law = pair_law();
                law.twisting = i % 3 ? ERGI_R(0.05) : ERGI_R(0);
                law.cohesion = ERGI_R(1e4);
                ergi_contact_kinematics t =
                    touch(1e-6 * (1.01 + noise(&seed)), noise_vec(&seed, 0.1));
                t.n = unit(noise_vec(&seed, 1.0));
                t.spin = noise_vec(&seed, 30.0);
                ergi_contact_history    m = {noise_vec(&seed, 1e-8), noise_vec(&seed, 1e-5)};
                ergi_contact_kinematics other = t;
                other.n = ergi_vec_negate(t.n);
                other.v = ergi_vec_negate(t.v);
                other.spin = ergi_vec_negate(t.spin);
                ergi_contact_history swapped = {ergi_vec_negate(m.slide), ergi_vec_negate(m.roll)};
                ergi_contact_force   a =
                    ergi_contact_evaluate(normal, kind, true, true, law, COEF, t, m);
                ergi_contact_force b =
                    ergi_contact_evaluate(normal, kind, true, true, law, COEF, other, swapped);
                CHECK(opposite(a.force, b.force) && opposite(a.couple, b.couple));
                CHECK(opposite(a.history.slide, b.history.slide));
                CHECK(opposite(a.history.roll, b.history.roll));
                CHECK(a.normal == b.normal);
            }
}

TEST(cohesion_pulls)
{
    ergi_pair_law law = pair_law();
    law.cohesion = ERGI_R(1e4);
    double balance = pow(2.0 * 3.14159265 * 0.5e-3 * 1e4 / (double)COEF.kn, 2.0);
    for (double ratio = 0.25; ratio <= 4.0; ratio *= 4.0) {
        ergi_contact_kinematics t = touch(ratio * balance, vec(0, 0, 0));
        ergi_contact_force p = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN,
                                                     false, true, law, COEF, t, FRESH);
        double             xi = ratio * balance, repulsion = (double)COEF.kn * pow(xi, 1.5);
        CHECK_NEAR((double)p.normal, repulsion, 10.0 * EPS * repulsion);
        CHECK_NEAR((double)p.force.z, repulsion - 2.0 * 3.14159265358979 * 0.5e-3 * 1e4 * xi,
                   10.0 * EPS * repulsion);
        CHECK(ratio < 1.0 ? p.force.z < ERGI_R(0) : ratio > 1.0 ? p.force.z > ERGI_R(0) : true);
        CHECK(ergi_contact_energy(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, true, law,
                                  COEF, t, FRESH) <
              ergi_contact_energy(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false, false, law,
                                  COEF, t, FRESH));
    }
    // A grain that hangs, total force zero, still has friction: the contact is pressed.
    ergi_contact_kinematics t = touch(balance, vec(1, 0, 0));
    ergi_contact_force p = ergi_contact_evaluate(ERGI_NORMAL_HERTZ, ERGI_TANGENTIAL_MINDLIN, false,
                                                 true, law, COEF, t, FRESH);
    CHECK_NEAR(friction_of(p, t.n), 0.5 * (double)p.normal, 1e-4 * (double)p.normal);
    CHECK(p.normal > ERGI_R(0));
}

// First touch may have no overlap at all; a number that is none must not hide.
TEST(edges)
{
    for (int normal = 0; normal < 4; normal++)
        for (int kind = 0; kind <= ERGI_TANGENTIAL_YASUDA; kind++) {
            ergi_pair_law           law = pair_law();
            ergi_contact_kinematics t = touch(0.0, vec(0.1, 0, -0.2));
            ergi_contact_history    m = {vec(1e-9, 0, 0), vec(0, 1e-6, 0)};
            ergi_contact_force p = ergi_contact_evaluate(normal, kind, true, true, law, COEF, t, m);
            CHECK(finite_vec(p.force) && finite_vec(p.couple));
            CHECK(finite_vec(p.history.slide) && finite_vec(p.history.roll));
            t = touch(1e-6, vec((double)NAN, 0, 0));
            p = ergi_contact_evaluate(normal, kind, false, false, law, COEF, t, FRESH);
            CHECK(!finite_vec(p.force));
            t = touch(1e-6, vec(0.1, 0, 0));
            m.slide = vec(0, (double)NAN, 0);
            p = ergi_contact_evaluate(normal, kind, false, false, law, COEF, t, m);
            if (ergi_history_width(kind, false)) CHECK(!finite_vec(p.force));
        }
}

TEST_MAIN(memory_widths, history_free_laws, stick_then_slide, no_friction_no_memory,
          what_holds_need_not_be_cut, no_step_makes_energy, closed_cycle_makes_no_energy,
          history_turns_with_the_contact, sliding_sphere_rolls_at_five_sevenths,
          oblique_impact_loses_energy, rolling_and_twisting_come_to_rest,
          dust_rolls_no_harder_than_it_may, rolling_and_twisting_are_apart,
          swapping_partners_swaps_signs, cohesion_pulls, edges)
