// Closest points against a brute-force cloud of surface points; no jumps of force along paths;
// corners, necks, edges; bumps against a search of all bumps.
#include "check.h"

#include "geom/profile.h"
#include "geom/surface.h"
#include "geom/vec3.h"

#include <stdint.h>
#include <stdlib.h>

// ---- Random numbers ----------------------------------------------------------------------------
typedef struct dice {
    uint64_t state;
} dice;

static double roll(dice *d, double low, double high)
{
    d->state = d->state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(d->state >> 11) / 9007199254740992.0;
}

static erg_vec3 roll_in(dice *d, erg_vec3 centre, double half)
{
    double x = roll(d, -half, half), y = roll(d, -half, half), z = roll(d, -half, half);
    return ergi_add(centre, ergi_vec3(x, y, z));
}

// ---- Shapes ------------------------------------------------------------------------------------
// Every shape and its expected outline, written independently of the code under test.
typedef struct shape {
    const char  *name;
    ergi_surface surface;
    int          count;
    ergi_rz      outline[160];
    double       size;
} shape;

enum {
    BOX,
    OPEN_BOX,
    SPHERE,
    CAPSULE,
    CYLINDER,
    CUP,
    CONE,
    TIP,
    FUNNEL,
    SILO,
    GLASS,
    ROUND_GLASS,
    SHAPES
};

static void outline_line(shape *s, double r, double z)
{
    s->outline[s->count++] = (ergi_rz){r, z};
}

static void outline_arc(shape *s, double r, double z, double radius, double from, double to)
{
    for (int i = 0; i <= 60; i++) {
        double a = (from + (to - from) * i / 60.0) * ERGI_PI / 180.0;
        outline_line(s, r + radius * cos(a), z + radius * sin(a));
    }
}

static shape make(int kind, ergi_surface_side side)
{
    shape         s = {.size = 1.5};
    ergi_profile *profile = &s.surface.profile;
    s.surface.kind = kind <= OPEN_BOX ? ERGI_SURFACE_BOX : ERGI_SURFACE_REVOLVED;
    s.surface.side = side;
    ergi_surface_place(&s.surface, ergi_vec3(0.3, -0.2, 0.1), ergi_vec3(1.0, 2.0, 2.0));
    s.surface.faces = 63;
    s.surface.half[0] = 0.5, s.surface.half[1] = 0.8, s.surface.half[2] = 0.6;
    switch (kind) {
    case BOX: s.name = "box"; break;
    case OPEN_BOX:
        s.name = "open box";
        s.surface.faces = 63 - 32 - 2; // no top, no x max
        break;
    case SPHERE:
        s.name = "sphere";
        ergi_profile_sphere(profile, 0.7);
        outline_arc(&s, 0.0, 0.0, 0.7, -90.0, 90.0);
        break;
    case CAPSULE:
        s.name = "capsule";
        ergi_profile_capsule(profile, 1.0, 0.5);
        outline_arc(&s, 0.0, -0.5, 0.5, -90.0, 0.0);
        outline_arc(&s, 0.0, 0.5, 0.5, 0.0, 90.0);
        break;
    case CYLINDER:
        s.name = "cylinder";
        ergi_profile_frustum(profile, 1.2, 0.7, 0.7, true, true);
        outline_line(&s, 0.0, -0.6), outline_line(&s, 0.7, -0.6);
        outline_line(&s, 0.7, 0.6), outline_line(&s, 0.0, 0.6);
        break;
    case CUP:
        s.name = "cup";
        ergi_profile_frustum(profile, 1.2, 0.5, 0.7, true, false);
        outline_line(&s, 0.0, -0.6), outline_line(&s, 0.5, -0.6), outline_line(&s, 0.7, 0.6);
        break;
    case CONE:
        s.name = "cone";
        ergi_profile_frustum(profile, 1.0, 0.9, 0.3, false, false);
        outline_line(&s, 0.9, -0.5), outline_line(&s, 0.3, 0.5);
        break;
    case TIP:
        s.name = "tip";
        ergi_profile_frustum(profile, 1.0, 0.0, 0.8, false, true);
        outline_line(&s, 0.0, -0.5), outline_line(&s, 0.8, 0.5), outline_line(&s, 0.0, 0.5);
        break;
    case FUNNEL:
        s.name = "funnel";
        ergi_profile_funnel(profile, 0.2, 0.9, 0.3, 0.6, 0.0);
        outline_line(&s, 0.2, 0.0), outline_line(&s, 0.2, 0.3), outline_line(&s, 0.9, 0.9);
        break;
    case SILO:
        s.name = "silo";
        ergi_profile_funnel(profile, 0.3, 0.8, 0.0, 0.0, 1.0);
        outline_line(&s, 0.3, 0.0), outline_line(&s, 0.8, 0.0), outline_line(&s, 0.8, 1.0);
        break;
    case GLASS:
        s.name = "hourglass";
        ergi_profile_hourglass(profile, (ergi_hourglass_size){0.2, 0.8, 0.5, 1.6, 0.0, true, true});
        outline_line(&s, 0.0, -0.8), outline_line(&s, 0.8, -0.8), outline_line(&s, 0.8, -0.5);
        outline_line(&s, 0.2, 0.0), outline_line(&s, 0.8, 0.5), outline_line(&s, 0.8, 0.8);
        outline_line(&s, 0.0, 0.8);
        break;
    default: {
        s.name = "round hourglass";
        ergi_profile_hourglass(profile, (ergi_hourglass_size){0.2, 0.8, 0.5, 1.6, 0.3, true, true});
        // The cone leaves the circle about (0.5, 0) where its direction meets (0.8, 0.5).
        double far = sqrt(0.3 * 0.3 + 0.5 * 0.5);
        double a = (atan2(0.5, 0.3) + acos(0.3 / far)) * 180.0 / ERGI_PI;
        outline_line(&s, 0.0, -0.8), outline_line(&s, 0.8, -0.8), outline_line(&s, 0.8, -0.5);
        outline_arc(&s, 0.5, 0.0, 0.3, 360.0 - a, a);
        outline_line(&s, 0.8, 0.5), outline_line(&s, 0.8, 0.8), outline_line(&s, 0.0, 0.8);
    }
    }
    return s;
}

static erg_vec3 place(const ergi_surface *s, double x, double y, double z)
{
    erg_vec3 p = ergi_madd(ergi_madd(s->origin, x, s->ex), y, s->ey);
    return ergi_madd(p, z, s->ez);
}

// ---- Brute force -------------------------------------------------------------------------------
typedef struct cloud {
    size_t   count;
    erg_vec3 point[900000];
    double   spacing; // no surface point is farther from the cloud
} cloud;

static void cloud_box(cloud *c, const ergi_surface *s)
{
    enum { N = 160 };
    for (int face = 0; face < 6; face++) {
        if (!(s->faces >> face & 1u)) continue;
        int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        for (int i = 0; i <= N; i++) {
            for (int j = 0; j <= N; j++) {
                double x[3];
                x[k] = face % 2 ? s->half[k] : -s->half[k];
                x[a] = s->half[a] * (2.0 * i / N - 1.0);
                x[b] = s->half[b] * (2.0 * j / N - 1.0);
                c->point[c->count++] = place(s, x[0], x[1], x[2]);
            }
        }
    }
    c->spacing = 2.0 / N;
}

static void cloud_revolved(cloud *c, const shape *s)
{
    enum { AROUND = 500 };
    for (int i = 0; i + 1 < s->count; i++) {
        ergi_rz a = s->outline[i], b = s->outline[i + 1];
        int     steps = 1 + (int)(hypot(b.r - a.r, b.z - a.z) / 0.006);
        for (int k = 0; k <= steps; k++) {
            double r = a.r + (b.r - a.r) * k / steps, z = a.z + (b.z - a.z) * k / steps;
            for (int j = 0; j < AROUND; j++) {
                double phi = 2.0 * ERGI_PI * j / AROUND;
                c->point[c->count++] = place(&s->surface, r * cos(phi), r * sin(phi), z);
            }
        }
    }
    c->spacing = 0.01;
}

static double cloud_distance(const cloud *c, erg_vec3 p)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < c->count; i++) {
        erg_vec3 d = ergi_sub(p, c->point[i]);
        least = fmin(least, ergi_dot(d, d));
    }
    return sqrt(least);
}

static void check_features_differ(const ergi_surface_hit *hits, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) CHECK(hits[i].feature != hits[j].feature);
}

// The outline's arcs are chords, up to 0.0003 inside the true circle.
TEST(nearest_hit_is_the_nearest_point)
{
    cloud *c = malloc(sizeof *c);
    REQUIRE(c);
    for (int kind = 0; kind < SHAPES; kind++) {
        shape s = make(kind, ERGI_SIDE_BOTH);
        c->count = 0;
        if (s.surface.kind == ERGI_SURFACE_BOX)
            cloud_box(c, &s.surface);
        else
            cloud_revolved(c, &s);
        dice d = {7u + (uint64_t)kind};
        for (int n = 0; n < 30; n++) {
            erg_vec3         p = roll_in(&d, s.surface.origin, s.size);
            ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
            int              count = ergi_surface_hits(&s.surface, p, 10.0, hits), nearest = 0;
            REQUIRE(count > 0);
            for (int i = 1; i < count; i++)
                if (hits[i].gap < hits[nearest].gap) nearest = i;
            double want = cloud_distance(c, p), slack = 0.0003;
            if (!(hits[nearest].gap < want + slack && hits[nearest].gap > want - c->spacing)) {
                printf("    %s: gap %g, brute force %g\n", s.name, hits[nearest].gap, want);
                check_failures++;
            }
            check_features_differ(hits, count);
            for (int i = 0; i < count; i++) {
                erg_vec3 back = ergi_madd(hits[i].point, hits[i].gap, hits[i].normal);
                CHECK_NEAR(ergi_distance(back, p), 0.0, 1e-12);
                CHECK_NEAR(ergi_norm(hits[i].normal), 1.0, 1e-12);
            }
            CHECK(cloud_distance(c, hits[nearest].point) < c->spacing);
            ergi_surface_hit asked = ergi_surface_nearest(&s.surface, p);
            CHECK_NEAR(asked.gap, hits[nearest].gap, 1e-12);
            CHECK_NEAR(ergi_distance(ergi_madd(asked.point, asked.gap, asked.normal), p), 0, 1e-12);
        }
    }
    free(c);
}

// Closed shapes, signed: the sign is that of the inside, the size that of the thin shell.
TEST(signed_gaps)
{
    static const int closed[] = {BOX, SPHERE, CAPSULE, CYLINDER, TIP, GLASS, ROUND_GLASS};
    for (size_t k = 0; k < sizeof closed / sizeof *closed; k++) {
        shape thin = make(closed[k], ERGI_SIDE_BOTH), in = make(closed[k], ERGI_SIDE_INSIDE),
              out = make(closed[k], ERGI_SIDE_OUTSIDE);
        dice d = {99};
        for (int n = 0; n < 500; n++) {
            erg_vec3         p = roll_in(&d, in.surface.origin, 1.0);
            ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
            int              count = ergi_surface_hits(&thin.surface, p, 10.0, hits);
            double           want = HUGE_VAL, gap_in = HUGE_VAL, gap_out = HUGE_VAL;
            for (int i = 0; i < count; i++) want = fmin(want, hits[i].gap);
            count = ergi_surface_hits(&in.surface, p, 10.0, hits);
            for (int i = 0; i < count; i++) gap_in = fmin(gap_in, hits[i].gap);
            erg_vec3 normal_in = hits[0].normal;
            bool     single_in = count == 1;
            count = ergi_surface_hits(&out.surface, p, 10.0, hits);
            for (int i = 0; i < count; i++) gap_out = fmin(gap_out, hits[i].gap);
            // Inside a box past two planes counts each plane; elsewhere both agree.
            if (closed[k] != BOX) CHECK_NEAR(gap_in, -gap_out, 1e-12);
            CHECK_NEAR(fabs(gap_out), want, 1e-12);
            ergi_surface_hit from_in = ergi_surface_nearest(&in.surface, p);
            ergi_surface_hit from_out = ergi_surface_nearest(&out.surface, p);
            CHECK(from_out.gap == -from_in.gap && ergi_surface_nearest(&thin.surface, p).gap >= 0);
            CHECK_NEAR(from_out.gap, gap_out, 1e-12);
            CHECK_NEAR(ergi_distance(from_in.normal, ergi_scale(from_out.normal, -1)), 0, 1e-12);
            CHECK_NEAR(ergi_distance(ergi_madd(from_in.point, from_in.gap, from_in.normal), p), 0,
                       1e-12);
            if (single_in && count == 1 && closed[k] != BOX)
                CHECK_NEAR(ergi_dot(normal_in, hits[0].normal), -1.0, 1e-9);
        }
        erg_vec3         centre = place(&in.surface, 0.05, 0.02, 0.01);
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        CHECK(ergi_surface_hits(&in.surface, centre, 10.0, hits) > 0 && hits[0].gap > 0.0);
        CHECK(ergi_surface_hits(&out.surface, centre, 1e-6, hits) == 1 && hits[0].gap < 0.0);
        CHECK(ergi_surface_far(&out.surface, place(&out.surface, 0.0, 2.0, 0.0), 0.5));
        CHECK(!ergi_surface_far(&in.surface, place(&in.surface, 0.0, 2.0, 0.0), 0.5));
    }
}

// A place within `reach` of an edge or corner.
static erg_vec3 roll_near_edge(dice *d, const ergi_surface *s, double reach)
{
    double x[3];
    if (s->kind == ERGI_SURFACE_BOX) {
        for (int k = 0; k < 3; k++) x[k] = roll(d, 0.0, 1.0) < 0.5 ? s->half[k] : -s->half[k];
        int along = (int)roll(d, 0.0, 4.0); // 3: a corner
        if (along < 3) x[along] *= roll(d, 0.0, 1.0);
    } else {
        const ergi_piece *piece = &s->profile.piece[(int)roll(d, 0.0, s->profile.count)];
        double            phi = roll(d, 0.0, 2.0 * ERGI_PI);
        x[0] = piece->b.r * cos(phi), x[1] = piece->b.r * sin(phi), x[2] = piece->b.z;
    }
    erg_vec3 off = roll_in(d, ergi_vec3(0.0, 0.0, 0.0), reach);
    return place(s, x[0] + off.x, x[1] + off.y, x[2] + off.z);
}

// A penalty force from all hits must change no faster than a spring allows, whatever features come
// and go: kinks would show where faces, edges and corners hand over badly.
static void check_no_jumps(const ergi_surface *s, const char *name, double radius, double size,
                           uint64_t seed)
{
    const double step = 2e-5;
    dice         d = {seed};
    int          touched = 0;
    for (int run = 0; run < 180; run++) {
        erg_vec3 p = roll_in(&d, s->origin, size);
        if (run % 3 == 0) { // near the axis, where rings close
            double a = roll(&d, -0.02, 0.02), b = roll(&d, -0.02, 0.02);
            p = place(s, a, b, roll(&d, -size, size));
        } else if (run % 3 == 1) {
            p = roll_near_edge(&d, s, radius);
        }
        erg_vec3 go = ergi_normalize(roll_in(&d, ergi_vec3(0.0, 0.0, 0.0), 1.0)), last = {0};
        bool     had = false;
        for (int n = 0; n < 1500; n++, p = ergi_madd(p, step, go)) {
            ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
            int              count = ergi_surface_hits(s, p, radius, hits);
            erg_vec3         force = {0.0, 0.0, 0.0};
            double           least = HUGE_VAL;
            for (int i = 0; i < count; i++) {
                force = ergi_madd(force, radius - hits[i].gap, hits[i].normal);
                least = fmin(least, hits[i].gap);
            }
            bool has =
                least > 0.7 * radius; // deeper, the far face of a hollow corner may come and go
            if (has && had) {
                double change = ergi_distance(force, last);
                if (!(change < 16.0 * step)) {
                    erg_vec3 q = ergi_sub(p, s->origin);
                    printf("    %s: force jumps by %g at (%.6g, %.6g, %.6g)\n", name, change,
                           ergi_dot(q, s->ex), ergi_dot(q, s->ey), ergi_dot(q, s->ez));
                    check_failures++;
                    return;
                }
            }
            touched += count > 0;
            if (count > 0 && ergi_surface_far(s, p, radius)) {
                printf("    %s: far although it touches\n", name);
                check_failures++;
                return;
            }
            had = has;
            last = force;
        }
    }
    CHECK(touched > 500);
}

TEST(forces_do_not_jump)
{
    for (int kind = 0; kind < SHAPES; kind++) {
        shape s = make(kind, ERGI_SIDE_BOTH);
        check_no_jumps(&s.surface, s.name, 0.15, 1.0, 5);
        s = make(kind, ERGI_SIDE_BOTH);
        check_no_jumps(&s.surface, s.name, 0.25, 1.0, 6); // wider than necks
        if (!s.surface.profile.closed && kind != BOX) continue;
        s = make(kind, ERGI_SIDE_INSIDE);
        check_no_jumps(&s.surface, s.name, 0.25, 0.8, 7);
        s = make(kind, ERGI_SIDE_OUTSIDE);
        check_no_jumps(&s.surface, s.name, 0.2, 1.2, 8);
    }
}

TEST(rough_forces_do_not_jump)
{
    for (int kind = 0; kind < SHAPES; kind++) {
        shape s = make(kind, ERGI_SIDE_BOTH);
        s.surface.bump_spacing = 0.13;
        s.surface.bump_radius = 0.05;
        check_no_jumps(&s.surface, s.name, 0.15, 1.0, 9);
    }
}

// ---- Corners and necks -------------------------------------------------------------------------
TEST(a_box_corner_gives_three_hits)
{
    shape            s = make(BOX, ERGI_SIDE_INSIDE);
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 0.45, 0.75, -0.55), 0.1, hits) == 3);
    for (int i = 0; i < 3; i++) CHECK_NEAR(hits[i].gap, 0.05, 1e-12);
    CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 0.45, 0.75, 0.0), 0.1, hits) == 2);
    CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 0.45, 0.0, 0.0), 0.1, hits) == 1);
    CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, 0.0, 0.0), 0.1, hits) == 0);
    s = make(BOX, ERGI_SIDE_OUTSIDE);
    CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 0.55, 0.85, -0.65), 0.1, hits) == 1);
    CHECK_NEAR(hits[0].gap, 0.05 * sqrt(3.0), 1e-12);
}

TEST(a_cylinder_corner_gives_two_hits)
{
    shape            s = make(CYLINDER, ERGI_SIDE_INSIDE);
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, 0.65, -0.55), 0.1, hits) == 2);
    CHECK_NEAR(hits[0].curvature, 0.0, 1e-12);
    CHECK_NEAR(hits[1].curvature, -0.5 / 0.7, 1e-12);
    CHECK_NEAR(hits[1].gap, 0.05, 1e-12);
    s = make(CYLINDER, ERGI_SIDE_OUTSIDE);
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, 0.75, -0.65), 0.1, hits) == 1);
    CHECK_NEAR(hits[0].gap, 0.05 * sqrt(2.0), 1e-12);
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, 0.75, 0.0), 0.1, hits) == 1);
    CHECK_NEAR(hits[0].curvature, 0.5 / 0.7, 1e-12);
}

TEST(a_sphere_in_the_neck_touches_both_sides)
{
    for (int kind = GLASS; kind <= ROUND_GLASS; kind++) {
        shape            s = make(kind, ERGI_SIDE_INSIDE);
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.01, 0.0, 0.0), 0.25, hits) == 2);
        CHECK_NEAR(hits[0].gap, 0.19, 1e-12);
        CHECK_NEAR(hits[1].gap, 0.21, 1e-12);
        CHECK_NEAR(ergi_dot(hits[0].normal, hits[1].normal), -1.0, 1e-12);
        CHECK(hits[0].curvature < 0.0 || kind == ROUND_GLASS);
        CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 0.01, 0.0, 0.0), 0.2, hits) == 1);
    }
}

TEST(round_curvatures)
{
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    shape            s = make(SPHERE, ERGI_SIDE_INSIDE);
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, 0.3, 0.55), 0.2, hits) == 1);
    CHECK_NEAR(hits[0].curvature, -1.0 / 0.7, 1e-9);
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, 0.0, 0.65), 0.2, hits) == 1);
    CHECK_NEAR(hits[0].curvature, -1.0 / 0.7, 1e-9);
    s = make(SPHERE, ERGI_SIDE_OUTSIDE);
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.0, -0.8, 0.0), 0.2, hits) == 1);
    CHECK_NEAR(hits[0].curvature, 1.0 / 0.7, 1e-9);
    s = make(ROUND_GLASS, ERGI_SIDE_INSIDE); // a saddle: round the neck hollow, along it convex
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.1, 0.0, 0.0), 0.15, hits) == 1);
    CHECK_NEAR(hits[0].curvature, 0.5 * (1.0 / 0.3 - 1.0 / 0.2), 1e-9);
}

TEST(behind_a_cone_is_free)
{
    shape            s = make(CONE, ERGI_SIDE_BOTH);
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    CHECK(ergi_surface_hits(&s.surface, place(&s.surface, 1.0, 0.0, 0.2), 0.1, hits) == 0);
    erg_vec3 axis = s.surface.ez;
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.65, 0.0, 0.0), 0.1, hits) == 1);
    CHECK(hits[0].gap > 0.0 && ergi_dot(hits[0].normal, axis) > 0.0);
    REQUIRE(ergi_surface_hits(&s.surface, place(&s.surface, 0.55, 0.0, 0.0), 0.1, hits) == 1);
    CHECK(hits[0].gap > 0.0 && ergi_dot(hits[0].normal, axis) < 0.0);
}

// ---- Bumps -------------------------------------------------------------------------------------
// All bumps of an outline of straight pieces, ring by ring.
static size_t all_bumps(const shape *s, double spacing, erg_vec3 *out)
{
    size_t count = 0;
    for (int i = 0; i + 1 < s->count; i++) {
        ergi_rz a = s->outline[i], b = s->outline[i + 1];
        int     rings = (int)(hypot(b.r - a.r, b.z - a.z) / spacing + 1e-9);
        if (rings < 1) rings = 1;
        for (int k = 0; k < rings; k++) {
            double t = (k + 0.5) / rings, r = a.r + t * (b.r - a.r), z = a.z + t * (b.z - a.z);
            int    around = 1;
            while (2.0 * r * sin(ERGI_PI / (around + 1)) >= spacing * (1.0 - 1e-12)) around++;
            for (int j = 0; j < around; j++) {
                double phi = 2.0 * ERGI_PI * j / around;
                out[count++] = place(&s->surface, r * cos(phi), r * sin(phi), z);
            }
        }
    }
    return count;
}

static size_t face_bumps(const ergi_surface *s, double spacing, erg_vec3 *out)
{
    size_t count = 0;
    for (int face = 0; face < 6; face++) {
        if (!(s->faces >> face & 1u)) continue;
        int k = face / 2, a = (k + 1) % 3, b = (k + 2) % 3;
        int na = (int)(2.0 * s->half[a] / spacing + 1e-9),
            nb = (int)(2.0 * s->half[b] / spacing + 1e-9);
        for (int i = 0; i < na; i++) {
            for (int j = 0; j < nb; j++) {
                double x[3];
                x[k] = face % 2 ? s->half[k] : -s->half[k];
                x[a] = s->half[a] * ((2.0 * i + 1.0) / na - 1.0);
                x[b] = s->half[b] * ((2.0 * j + 1.0) / nb - 1.0);
                out[count++] = place(s, x[0], x[1], x[2]);
            }
        }
    }
    return count;
}

static void check_bumps(const ergi_surface *s, const char *name, const erg_vec3 *bumps,
                        size_t total, double reach)
{
    dice d = {31};
    for (int n = 0; n < 2000; n++) {
        erg_vec3         p = roll_in(&d, s->origin, 1.2);
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        int              count = ergi_surface_hits(s, p, reach, hits), found = 0, want = 0;
        double           least = HUGE_VAL, nearest = HUGE_VAL;
        check_features_differ(hits, count);
        REQUIRE(count < ERGI_SURFACE_MAX_HITS);
        for (int i = 0; i < count; i++) {
            if (!(hits[i].feature >> 31)) continue;
            found++;
            least = fmin(least, hits[i].gap);
            CHECK_NEAR(hits[i].curvature, 1.0 / s->bump_radius, 1e-9);
            CHECK_NEAR(ergi_distance(ergi_madd(hits[i].point, hits[i].gap, hits[i].normal), p), 0.0,
                       1e-12);
        }
        for (size_t i = 0; i < total; i++) {
            double gap = ergi_distance(p, bumps[i]) - s->bump_radius;
            if (gap < reach) want++;
            if (gap < reach) nearest = fmin(nearest, gap);
        }
        if (found != want || (want && !(fabs(least - nearest) < 1e-12))) {
            printf("    %s: %d bumps of %d, nearest %g of %g\n", name, found, want, least, nearest);
            check_failures++;
            return;
        }
    }
}

TEST(near_bumps_are_found)
{
    static const int straight[] = {BOX, OPEN_BOX, CYLINDER, CUP, CONE, TIP, FUNNEL, SILO, GLASS};
    erg_vec3        *bumps = malloc(20000 * sizeof *bumps);
    REQUIRE(bumps);
    for (size_t k = 0; k < sizeof straight / sizeof *straight; k++) {
        shape s = make(straight[k], ERGI_SIDE_BOTH);
        s.surface.bump_spacing = 0.08;
        s.surface.bump_radius = 0.03;
        size_t total = s.surface.kind == ERGI_SURFACE_BOX ? face_bumps(&s.surface, 0.08, bumps)
                                                          : all_bumps(&s, 0.08, bumps);
        check_bumps(&s.surface, s.name, bumps, total, 0.06);
        check_bumps(&s.surface, s.name, bumps, total, 0.1);
    }
    free(bumps);
}

TEST(bumps_on_a_plane)
{
    ergi_surface s = {.kind = ERGI_SURFACE_PLANE, .side = ERGI_SIDE_OUTSIDE};
    ergi_surface_place(&s, ergi_vec3(0.1, 0.2, 0.3), ergi_vec3(-1.0, 0.5, 3.0));
    s.bump_spacing = 0.1;
    s.bump_radius = 0.05;
    erg_vec3 *bumps = malloc(41 * 41 * sizeof *bumps);
    REQUIRE(bumps);
    size_t total = 0;
    for (int i = -20; i <= 20; i++)
        for (int j = -20; j <= 20; j++) bumps[total++] = place(&s, 0.1 * i, 0.1 * j, 0.0);
    dice d = {3};
    for (int n = 0; n < 500; n++) {
        erg_vec3 p = place(&s, roll(&d, -1.0, 1.0), roll(&d, -1.0, 1.0), roll(&d, 0.01, 0.2));
        ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
        int              count = ergi_surface_hits(&s, p, 0.1, hits), want = 0, found = 0;
        for (int i = 0; i < count; i++) found += hits[i].feature >> 31 != 0;
        for (size_t i = 0; i < total; i++) want += ergi_distance(p, bumps[i]) - 0.05 < 0.1;
        CHECK(found == want);
    }
    // Below a signed plane only the plane pushes.
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    REQUIRE(ergi_surface_hits(&s, place(&s, 0.03, 0.0, -0.02), 0.1, hits) == 1);
    CHECK_NEAR(hits[0].gap, -0.02, 1e-12);
    free(bumps);
}

// A sphere that sees too many bumps keeps the nearest.
TEST(a_full_list_keeps_the_nearest)
{
    ergi_surface s = {.kind = ERGI_SURFACE_PLANE, .side = ERGI_SIDE_OUTSIDE};
    ergi_surface_place(&s, ergi_vec3(0.0, 0.0, 0.0), ergi_vec3(0.0, 0.0, 1.0));
    s.bump_spacing = 0.1;
    s.bump_radius = 0.05;
    ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
    int              count = ergi_surface_hits(&s, ergi_vec3(0.0, 0.0, 0.2), 1.0, hits), on_top = 0;
    CHECK(count == ERGI_SURFACE_MAX_HITS);
    for (int i = 0; i < count; i++) {
        on_top += fabs(hits[i].gap - 0.15) < 1e-12;
        CHECK(hits[i].gap < 0.41);
    }
    CHECK(on_top == 1);
}

TEST_MAIN(nearest_hit_is_the_nearest_point, signed_gaps, forces_do_not_jump,
          rough_forces_do_not_jump, a_box_corner_gives_three_hits, a_cylinder_corner_gives_two_hits,
          a_sphere_in_the_neck_touches_both_sides, round_curvatures, behind_a_cone_is_free,
          near_bumps_are_found, bumps_on_a_plane, a_full_list_keeps_the_nearest)
