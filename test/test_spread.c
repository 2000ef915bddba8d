// labels: asan
// Observing the sampling of surfaces: states shown, no effect on the result, stopping, recording.
#include "check.h"
#include "erg/erg.h"
#include "geom/vec3.h"

#include <stdlib.h>

static erg_mesh *torus(void)
{
    erg_primitive shape = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    erg_mesh     *mesh = NULL;
    shape.segments = 32;
    erg_mesh_primitive(&shape, &mesh, NULL);
    return mesh;
}

static erg_sample_def cover(double radius)
{
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_SURFACE);
    def.radius = radius;
    return def;
}

typedef struct witness {
    const erg_mesh *mesh;
    size_t          calls, stop_at;
    size_t          count;     // last seen
    double          last[300]; // the first hundred of them
    double          farthest;  // from the triangles [m]
    double          closest;   // two samples, at the beginning and now
} witness;

static bool watch(void *user, const double *xyz, size_t count)
{
    witness *w = user;
    w->count = count;
    memcpy(w->last, xyz, (count < 100 ? count : 100) * 3 * sizeof *xyz);
    for (size_t i = 0; i < count; i += 7) {
        erg_vec3 p = {xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]};
        w->farthest = fmax(w->farthest, fabs(erg_mesh_nearest(w->mesh, p, HUGE_VAL).distance));
    }
    return ++w->calls != w->stop_at;
}

TEST(looking_changes_nothing)
{
    erg_mesh      *mesh = torus();
    erg_sample_def def = cover(0.05);
    erg_samples   *alone = NULL, *watched = NULL;
    erg_error      err;
    witness        w = {.mesh = mesh};
    size_t         count, same;
    REQUIRE(erg_sample(mesh, &def, &alone, &err) == ERG_OK);
    def.watch = watch;
    def.watch_user = &w;
    REQUIRE(erg_sample(mesh, &def, &watched, &err) == ERG_OK);
    const double *a = erg_samples_positions(alone, &count);
    const double *b = erg_samples_positions(watched, &same);
    CHECK(count == same && memcmp(a, b, 3 * count * sizeof *a) == 0);
    // The last that was shown is the result, and every one of them was on the surface.
    CHECK(w.calls > 10 && w.count == count);
    CHECK(memcmp(w.last, b, sizeof w.last) == 0);
    CHECK(w.farthest < 1e-9);
    erg_samples_destroy(alone);
    erg_samples_destroy(watched);
    erg_mesh_destroy(mesh);
}

TEST(who_watches_may_stop_it)
{
    erg_mesh      *mesh = torus();
    erg_sample_def def = cover(0.05);
    witness        w = {.mesh = mesh, .stop_at = 5};
    erg_samples   *samples = NULL;
    erg_error      err;
    def.watch = watch;
    def.watch_user = &w;
    CHECK(erg_sample(mesh, &def, &samples, &err) == ERG_CANCELLED);
    CHECK(!samples && w.calls == 5);
    CHECK_STR(err.text, "sampling was stopped");
    erg_mesh_destroy(mesh);
}

// The mean distance to the nearest other sample, over that of the last moment.
static double evenness(const double *xyz, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double nearest = HUGE_VAL;
        for (size_t j = 0; j < count; j++) {
            erg_vec3 d = {xyz[3 * i] - xyz[3 * j], xyz[3 * i + 1] - xyz[3 * j + 1],
                          xyz[3 * i + 2] - xyz[3 * j + 2]};
            if (j != i) nearest = fmin(nearest, ergi_norm(d));
        }
        sum += nearest;
    }
    return sum / (double)count;
}

TEST(a_record_holds_the_way_and_its_end)
{
    erg_mesh      *mesh = torus();
    erg_sample_def def = cover(0.08);
    erg_samples   *samples = NULL;
    erg_spread    *spread = NULL;
    erg_error      err;
    size_t         count, last, first;
    REQUIRE(erg_sample(mesh, &def, &samples, &err) == ERG_OK);
    REQUIRE(erg_spread_record(mesh, &def, &spread, &err) == ERG_OK);
    size_t        moments = erg_spread_count(spread);
    const double *want = erg_samples_positions(samples, &count);
    const double *got = erg_spread_at(spread, moments - 1, &last);
    CHECK(moments > 10 && count == last && memcmp(want, got, 3 * count * sizeof *want) == 0);
    // They were sown at random, where the nearest is half as far as in a lattice.
    const double *sown = erg_spread_at(spread, 0, &first);
    CHECK(evenness(sown, first) < 0.7 * evenness(got, last));
    CHECK(erg_spread_most(spread) >= last);
    CHECK(!erg_spread_at(spread, moments, &count) && count == 0);
    erg_spread_destroy(spread);
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
}

TEST(who_watches_a_record_may_stop_it)
{
    erg_mesh      *mesh = torus();
    erg_sample_def def = cover(0.08);
    erg_spread    *spread = NULL;
    erg_error      err;
    witness        w = {.mesh = mesh, .stop_at = 5};
    def.watch = watch;
    def.watch_user = &w;
    CHECK(erg_spread_record(mesh, &def, &spread, &err) == ERG_CANCELLED && !spread && w.calls == 5);
    CHECK_STR(err.text, "sampling was stopped");
    w = (witness){.mesh = mesh};
    REQUIRE(erg_spread_record(mesh, &def, &spread, &err) == ERG_OK);
    CHECK((size_t)w.calls == erg_spread_count(spread)); // shown all that is kept
    erg_spread_destroy(spread);
    erg_mesh_destroy(mesh);
}

// The field that is drawn under samples has its level where they lie: they are at most 0.05 r off
// their surface (docs/meshes.md), and between lattice points half a radius apart the distance to a
// tube of 3 r or more is linear to (r/2)^2 / (8 * 3 r) = 0.01 r on each of three axes.
TEST(the_field_under_samples_goes_through_them)
{
    erg_mesh      *mesh = torus();
    erg_sample_def def = cover(0.08);
    erg_samples   *samples = NULL;
    erg_sdf       *field = NULL;
    erg_error      err;
    size_t         count = 0;
    double         farthest = 0;
    def.offset = 0.5;
    def.threads = 1;
    erg_sdf_def under = erg_sdf_def_under(&def);
    CHECK(under.threads == 1);
    REQUIRE(erg_sample(mesh, &def, &samples, &err) == ERG_OK);
    REQUIRE(erg_sdf_create(mesh, &under, &field, &err) == ERG_OK);
    const double *xyz = erg_samples_positions(samples, &count);
    for (size_t i = 0; i < count; i++) {
        erg_vec3 p = {xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]};
        farthest = fmax(farthest, fabs(erg_sdf_distance(field, p, NULL) - 0.5 * 0.08));
    }
    CHECK(count > 100 && farthest < (0.05 + 0.03) * 0.08);
    erg_sdf_destroy(field);
    erg_samples_destroy(samples);
    erg_mesh_destroy(mesh);
}

TEST(what_cannot_be_recorded)
{
    erg_mesh      *mesh = torus();
    erg_sample_def def = erg_sample_def_default(ERG_SAMPLE_VOLUME);
    erg_spread    *spread = NULL;
    erg_error      err;
    def.radius = 0.05;
    CHECK(erg_spread_record(mesh, &def, &spread, &err) == ERG_BAD_INPUT && !spread);
    CHECK_STR(err.text,
              "spreading applies to surfaces only; spheres in a volume are placed directly");
    def = cover(-1);
    CHECK(erg_spread_record(mesh, &def, &spread, &err) == ERG_BAD_INPUT && !spread);
    CHECK_STR(err.text, "the radius must be above 0 m, got -1");
    erg_mesh_destroy(mesh);
}

TEST_MAIN(looking_changes_nothing, who_watches_may_stop_it, a_record_holds_the_way_and_its_end,
          who_watches_a_record_may_stop_it, the_field_under_samples_goes_through_them,
          what_cannot_be_recorded)
