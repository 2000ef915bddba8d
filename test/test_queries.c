// Queries of surfaces and fields, and the laws, as inline functions on flat data: the copies
// compiled into the library give the same results. test_headers.sh repeats this with ERG_ASKED, the
// copies that a C++ compiler and nvcc made of the same headers, as "NAME=LIBRARY:FUNCTION ...".
//
// labels: asan clang
#include "ask_surfaces.h"
#include "check.h"

#include "geom/field.h"
#include "geom/primitive.h"
#include "geom/profile.h"
#include "geom/sphere_cloud.h"
#include "geom/surface.h"
#include "height_helpers.h"
#include "world/wall.h"

#include <dlfcn.h>

enum { POINTS = 200, SURFACES = 17, FIRST_ROUGH_ROUND = SURFACES - 1 };

static const double REACH = 0.3;

// Everything there is to ask; the last surface is the only one that needs sines.
typedef struct things {
    ergi_solid          torus, bucket;
    ergi_sphere_cloud  *cloud;
    some_heights        heights;
    ergi_distance_field field;
    ergi_surface        surface[SURFACES];
    ask_things          all;
    erg_vec3            point[POINTS];
} things;

static ergi_solid new_solid(erg_primitive shape)
{
    ergi_mesh  mesh;
    ergi_solid solid;
    erg_error  err;
    must(ergi_primitive(&shape, &mesh, &err), &err);
    must(ergi_solid_make(&mesh, &solid, &err), &err);
    return solid;
}

static ergi_surface new_surface(ergi_surface_kind kind, ergi_surface_side side)
{
    ergi_surface s = {.kind = kind, .side = side, .faces = 63, .half = {0.5, 0.7, 0.4}};
    ergi_surface_place(&s, ergi_vec3(0.1, -0.2, 0.05), ergi_vec3(1, 2, 3));
    return s;
}

static ergi_surface rough(ergi_surface s)
{
    s.bump_spacing = 0.2;
    s.bump_radius = 0.07;
    return s;
}

static ergi_surface of_mesh(ergi_surface_side side, const ergi_solid *solid)
{
    ergi_surface s = new_surface(ERGI_SURFACE_MESH, side);
    s.mesh = &solid->view;
    return s;
}

static void make_surfaces(things *t)
{
    const ergi_surface_side in = ERGI_SIDE_INSIDE, out = ERGI_SIDE_OUTSIDE, both = ERGI_SIDE_BOTH;
    ergi_surface           *s = t->surface;
    *s++ = new_surface(ERGI_SURFACE_PLANE, out);
    *s++ = rough(new_surface(ERGI_SURFACE_PLANE, both));
    *s++ = new_surface(ERGI_SURFACE_BOX, in);
    *s++ = rough(new_surface(ERGI_SURFACE_BOX, out));
    *s = new_surface(ERGI_SURFACE_BOX, both);
    s++->faces = 63 - 32; // no lid
    ergi_surface *round = s;
    for (int k = 0; k < 6; k++)
        *s++ = new_surface(ERGI_SURFACE_REVOLVED, k < 2 ? out : k < 4 ? in : both);
    ergi_profile_sphere(&round[0].profile, 0.6);
    ergi_profile_capsule(&round[1].profile, 0.6, 0.4);
    ergi_profile_frustum(&round[2].profile, 1.0, 0.0, 0.7, false, true);
    ergi_profile_hourglass(&round[3].profile,
                           (ergi_hourglass_size){0.15, 0.6, 0.5, 1.4, 0.2, true, true});
    ergi_profile_funnel(&round[4].profile, 0.2, 0.7, 0.2, 0.4, 0.2);
    ergi_profile_frustum(&round[5].profile, 1.0, 0.5, 0.5, true, false);
    *s++ = of_mesh(out, &t->torus);
    *s++ = of_mesh(in, &t->bucket);
    *s++ = of_mesh(both, &t->bucket);
    *s = of_mesh(out, &t->torus);
    s->cloud = t->cloud;
    s++->kind = ERGI_SURFACE_CLOUD;
    *s++ = surface_of(&t->heights);
    *s++ = rough(round[3]);
    t->all = (ask_things){t->surface,
                          (size_t)(s - t->surface),
                          &t->field,
                          REACH,
                          {ergi_vec3(0.3, 0.1, 0.2), ergi_vec3(0.05, -0.1, 0.2),
                           ergi_quat_exp(ergi_vec3(0.4, -0.8, 1.1))}};
}

static things *new_things(void)
{
    things       *t = calloc(1, sizeof *t);
    ergi_threads  one = {.count = 1};
    ergi_random   random = {.seed = 5};
    erg_error     err;
    erg_primitive torus = erg_primitive_default(ERG_PRIMITIVE_TORUS);
    torus.segments = 24;
    if (!t) exit(1);
    t->torus = new_solid(torus);
    t->bucket = new_solid(erg_primitive_default(ERG_PRIMITIVE_BUCKET));
    must(ergi_sphere_cloud_make(&t->torus, 0.05, &t->cloud, &err), &err);
    must(ergi_distance_field_build(&t->torus, 0.05, 0.02, 0.2, &one, &t->field, &err), &err);
    t->heights = new_heights(-0.8, -0.6, 0.1, 15, 13, 8);
    roughen_heights(&t->heights, &random, -0.2, 0.1);
    scatter_spheres(&t->heights, &random, 50, 0, 0.2, 0.02, 0.05);
    make_surfaces(t);
    for (int i = 0; i < POINTS; i++) {
        double x = ergi_random_range(&random, -1, 1), y = ergi_random_range(&random, -1, 1);
        t->point[i] = ergi_vec3(x, y, ergi_random_range(&random, -1, 1));
    }
    return t;
}

static void free_things(things *t)
{
    ergi_sphere_cloud_free(t->cloud);
    free_heights(&t->heights);
    ergi_distance_field_free(&t->field);
    ergi_solid_free(&t->torus);
    ergi_solid_free(&t->bucket);
    free(t);
}

static double *new_answers(const things *t)
{
    double *out = calloc(POINTS * ask_count(&t->all), ASK_NUMBERS * sizeof *out);
    if (!out) exit(1);
    return out;
}

// ---- The library -------------------------------------------------------------------------------
TEST(the_library_answers_alike)
{
    things *t = new_things();
    REQUIRE(t->all.surfaces == SURFACES);
    for (size_t k = 0; k < t->all.surfaces; k++) {
        const ergi_surface *s = &t->surface[k];
        int                 touching = 0, differ = 0;
        for (int i = 0; i < POINTS; i++) {
            ergi_surface_hit hits[ERGI_SURFACE_MAX_HITS];
            double           want[ASK_NUMBERS] = {0}, got[ASK_NUMBERS];
            int              count = ergi_surface_hits(s, t->point[i], REACH, hits);
            want[0] = count;
            want[1] = ergi_surface_far(s, t->point[i], REACH);
            ask_write_hit(ergi_surface_nearest(s, t->point[i]), want + 2);
            for (int h = 0; h < count && h < ASK_HITS; h++)
                ask_write_hit(hits[h], want + 2 + ASK_HIT * (1 + h));
            ergi_wall wall = {.surface = *s, .pivot = t->all.moved.pivot};
            ergi_pose pose = {.position = t->all.moved.position, .rotation = t->all.moved.rotation};
            int       moved = ergi_wall_hits(&wall, &pose, t->point[i], REACH, hits);
            want[ASK_MOVED] = moved;
            want[ASK_MOVED + 1] = ergi_wall_far(&wall, &pose, t->point[i], REACH);
            ask_write_hit(ergi_query_placed_nearest(s, &t->all.moved, t->point[i]),
                          want + ASK_MOVED + 2);
            if (moved > 0) ask_write_hit(hits[moved - 1], want + ASK_MOVED + 2 + ASK_HIT);
            ask(&t->all, ASK_LAWS + k, t->point[i], got);
            differ += memcmp(got, want, sizeof got) != 0;
            touching += count > 0;
        }
        if (differ || touching < POINTS / 20)
            printf("    surface %zu: %d touching, %d differ\n", k, touching, differ);
        CHECK(differ == 0 && touching >= POINTS / 20);
    }
    free_things(t);
}

// ---- Other compilers ---------------------------------------------------------------------------
// Sines of a device are its own; all else has the same bits.
static bool alike(const double *got, const double *want, bool loose)
{
    if (!loose) return memcmp(got, want, ASK_NUMBERS * sizeof *got) == 0;
    for (int i = 0; i < ASK_NUMBERS; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-12 * fmax(1, fabs(want[i])))) return false;
    return true;
}

static void compare(const things *t, const char *name, ask_fn *asked, bool device)
{
    double *want = new_answers(t), *got = new_answers(t);
    size_t  each = ask_count(&t->all), differ = 0, first = SIZE_MAX;
    ask_all(&t->all, t->point, POINTS, want);
    if (asked(&t->all, t->point, POINTS, got)) {
        for (size_t i = 0; i < POINTS * each; i++) {
            bool loose = device && i % each == ASK_LAWS + FIRST_ROUGH_ROUND;
            if (alike(got + ASK_NUMBERS * i, want + ASK_NUMBERS * i, loose)) continue;
            if (first == SIZE_MAX) first = i % each;
            differ++;
        }
        printf("    %s: %zu answers, %zu differ\n", name, POINTS * each, differ);
        if (differ) printf("    %s: the first is of thing %zu\n", name, first);
    } else {
        printf("    %s: no device\n", name);
    }
    CHECK(differ == 0);
    free(want);
    free(got);
}

TEST(other_compilers_answer_alike)
{
    const char *list = getenv("ERG_ASKED");
    things     *t = new_things();
    char        name[64], library[1024], function[64];
    int         read = 0;
    for (; list && sscanf(list, " %63[^=]=%1023[^:]:%63s%n", name, library, function, &read) == 3;
         list += read) {
        void *handle = dlopen(library, RTLD_NOW);
        if (!handle) printf("    %s\n", dlerror());
        REQUIRE(handle);
        union { // C knows no way from an object to a function
            void   *object;
            ask_fn *function;
        } found = {dlsym(handle, function)};
        REQUIRE(found.object);
        compare(t, name, found.function, strstr(function, "device") != NULL);
    }
    free_things(t);
}

TEST_MAIN(the_library_answers_alike, other_compilers_answer_alike)
