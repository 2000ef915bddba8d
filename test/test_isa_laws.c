// Every contact law gives the same bits for every instruction set: with one size and many, with and
// without rolling resistance and cohesion, with several materials and laws, for spheres and clumps,
// in both precisions, on one thread and two. The copy `scalar` processes single contacts, the
// others rows of them.
#include <stdlib.h>

#include "world_helpers.h"

enum { NORMALS = 4, TANGENTIALS = 8 };

typedef struct setting {
    int           normal, tangential;
    bool          many_sizes, rolling, twisting, cohesion, two_materials, two_laws, clumps;
    erg_precision precision;
    int           threads, side; // grains along an edge of the lattice
} setting;

static erg_id material_of(erg_world *world, setting s, double friction)
{
    erg_material_def m = erg_material_def_default();
    m.young = 2e7;
    m.friction = friction;
    m.static_friction = 1.2 * friction;
    m.rolling = s.rolling ? 0.1 : 0;
    m.twisting = s.twisting ? 0.05 : 0;
    m.cohesion = s.cohesion ? 1e4 : 0;
    return new_material(world, &m);
}

static erg_id kind_of(erg_world *world, setting s, erg_id material)
{
    erg_shape shape = s.clumps ? ERG_SHAPE_TETRAHEDRON : ERG_SHAPE_SPHERE;
    return s.many_sizes ? new_mixed_kind(world, shape, material, 0.9e-3, 1.1e-3)
                        : new_mixed_kind(world, shape, material, 1e-3, 1e-3);
}

// From -1 to 1.
static double shaken(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

// Grains on a lattice, spheres pressed against each other from the beginning, all on the move.
static void add_lattice(erg_world *world, setting s, const erg_id kind[2])
{
    const double spacing = s.clumps ? 3.6e-3 : 1.97e-3, speed = s.clumps ? 2 : 0.4;
    uint32_t     random = 7;
    for (int i = 0; i < s.side * s.side * s.side; i++) {
        double   size = s.many_sizes ? 1e-3 * (1 + 0.1 * shaken(&random)) : 1e-3;
        erg_vec3 x = {(i % s.side + 0.5) * spacing, (i / s.side % s.side + 0.5) * spacing,
                      (i / s.side / s.side + 0.5) * spacing},
                 v = {speed * shaken(&random), speed * shaken(&random), speed * shaken(&random)},
                 w = {300 * shaken(&random), 300 * shaken(&random), 300 * shaken(&random)};
        erg_grains one = {.kind = kind[s.two_materials ? i % 2 : 0],
                          .count = 1,
                          .position = &x,
                          .velocity = &v,
                          .spin = &w,
                          .size = &size};
        erg_error  err;
        must(erg_world_add_grains(world, &one, NULL, &err), &err);
    }
}

static uint64_t hash_of(setting s, const char *isa)
{
    erg_world_def def = erg_world_def_default();
    erg_error     err;
    setenv("ERG_ISA", isa, 1);
    def.dt = 2e-6;
    def.contact.normal = (erg_normal_law)s.normal;
    def.contact.tangential = (erg_tangential_law)s.tangential;
    def.contact.tangential_viscosity = 0.05;
    def.precision = s.precision;
    def.threads = s.threads;
    def.fixed_threads = true;
    erg_world *world = new_world(&def);
    erg_id     sand = material_of(world, s, 0.5), // calibrating a pair takes most of the time
        glass = s.two_materials ? material_of(world, s, 0.3) : sand;
    double       across = s.side * (s.clumps ? 3.6e-3 : 1.97e-3);
    erg_wall_def box =
        box_def(glass, (erg_vec3){0, 0, 0}, (erg_vec3){across, across, across}, ERG_FACE_Z_MAX);
    erg_pair_def other = erg_pair_def_default();
    other.a = sand;
    other.b = glass;
    other.tangential = ERG_TANGENTIAL_VISCOUS;
    if (s.two_laws) must(erg_world_set_pair(world, &other, &err), &err);
    new_wall(world, &box);
    add_lattice(world, s, (erg_id[2]){kind_of(world, s, sand), kind_of(world, s, glass)});
    uint64_t touched = 0;
    for (int k = 0; k < 10; k++) {
        step(world, s.clumps ? 40 : 10);
        touched += stats_of(world).contacts;
    }
    CHECK(touched > (s.clumps ? 20 : 500));
    uint64_t hash = erg_world_hash(world);
    erg_world_destroy(world);
    return hash;
}

// Copies that this processor cannot run are left out.
static bool can_run(const char *isa)
{
    erg_world_def def = erg_world_def_default();
    erg_world    *world = NULL;
    erg_error     err;
    setenv("ERG_ISA", isa, 1);
    bool can = erg_world_create(&def, &world, &err) == ERG_OK;
    erg_world_destroy(world);
    return can;
}

static void check_copies(setting s)
{
    static const char *const name[] = {"avx2", "avx512", "avx512-wide"};
    s.threads = 1;
    s.side = s.clumps ? 3 : 5;
    uint64_t wanted = hash_of(s, "scalar");
    for (int k = 0; k < 3; k++)
        if (can_run(name[k])) CHECK(hash_of(s, name[k]) == wanted);
}

TEST(one_size)
{
    for (int n = 0; n < NORMALS; n++)
        for (int t = 0; t < TANGENTIALS; t++)
            check_copies((setting){.normal = n, .tangential = t, .rolling = (n + t) % 2});
}

TEST(many_sizes)
{
    for (int n = 0; n < NORMALS; n++)
        for (int t = 0; t < TANGENTIALS; t++)
            check_copies((setting){.normal = n,
                                   .tangential = t,
                                   .many_sizes = true,
                                   .rolling = (n + t) % 2 == 0,
                                   .twisting = t % 4 == n,
                                   .cohesion = t % 3 == 0});
}

TEST(mixtures)
{
    const setting hertz = {.normal = ERG_NORMAL_HERTZ, .tangential = ERG_TANGENTIAL_MINDLIN};
    for (int k = 0; k < 8; k++) {
        setting s = hertz;
        s.two_materials = true;
        s.two_laws = k & 1;
        s.rolling = k & 2;
        s.many_sizes = k & 4;
        check_copies(s);
        s.clumps = true;
        check_copies(s);
    }
}

TEST(threads)
{
    for (int k = 0; k < 8; k++) {
        setting  s = {.normal = k % NORMALS,
                      .tangential = k,
                      .many_sizes = k & 1,
                      .rolling = k & 2,
                      .twisting = k & 2,
                      .cohesion = k & 4,
                      .precision = k & 1 ? ERG_DOUBLE : ERG_FLOAT,
                      .threads = 1,
                      .side = 9};
        uint64_t alone = hash_of(s, "");
        s.threads = 2;
        CHECK(hash_of(s, "") == alone);
        s.precision = k & 1 ? ERG_FLOAT : ERG_DOUBLE;
        uint64_t both = hash_of(s, "");
        s.threads = 1;
        CHECK(hash_of(s, "") == both);
    }
}

TEST_MAIN(one_size, many_sizes, mixtures, threads)
