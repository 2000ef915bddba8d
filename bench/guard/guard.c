// What `make bench-guard` counts: small worlds, always the same, whose stepping takes so many
// instructions. tools/bench-guard runs this under callgrind and compares.
//
//     guard            names of the cases, one a line
//     guard CASE       steps it
//     guard --compiler what built it
//
// A case is a loose lattice thrown onto a floor, periodic to the sides. It is stepped until the
// grains lie on each other, which is not counted; then guard_counted does what is.
#include "erg/world.h"

#include "erg_config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct guard_case {
    const char *name;
    erg_shape   shape;
    int         side, layers; // grains of the lattice: side * side * layers
    double      across, up;   // spacing of the lattice [m]
    double      shift;        // of every other layer, along x and y, over the spacing
    uint64_t    before;       // steps that bring the grains together
    uint64_t    counted;      // steps
    double      touching;     // contacts a grain that there must be at the end
} guard_case;

static const guard_case CASES[] = {
    {"spheres", ERG_SHAPE_SPHERE, 14, 14, 2.06e-3, 1.45e-3, 0.5, 500, 500, 2.0},
    {"tetrahedra", ERG_SHAPE_TETRAHEDRON, 8, 12, 3.55e-3, 2.95e-3, 0.0, 500, 500, 2.0},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES };

static const double SPEED = 0.1;    // downwards [m/s]
static const double JITTER = 25e-6; // of a place, either way [m]
static const double TILT = 0.05;    // of a grain, about each axis, either way [rad]

// ---- The lattice -------------------------------------------------------------------------------
// Random numbers of our own, -1 to 1: the library's may change.
static double scatter(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

typedef struct lattice {
    size_t    count;
    erg_vec3 *position, *velocity;
    erg_quat *orientation;
} lattice;

static void lattice_free(lattice *l)
{
    free(l->position);
    free(l->velocity);
    free(l->orientation);
}

static bool lattice_make(const guard_case *c, lattice *l)
{
    uint64_t state = 1;
    size_t   side = (size_t)c->side;
    l->count = side * side * (size_t)c->layers;
    l->position = malloc(l->count * sizeof *l->position);
    l->velocity = malloc(l->count * sizeof *l->velocity);
    l->orientation = malloc(l->count * sizeof *l->orientation);
    if (!l->position || !l->velocity || !l->orientation) return false;
    for (size_t i = 0; i < l->count; i++) {
        size_t layer = i / (side * side);
        double aside = 0.25 + (layer % 2 ? c->shift : 0);
        double at[3] = {((double)(i % side) + aside) * c->across,
                        ((double)(i / side % side) + aside) * c->across,
                        (double)layer * c->up + 0.5 * c->across};
        double turn[3];
        for (int k = 0; k < 3; k++) {
            at[k] += JITTER * scatter(&state);
            turn[k] = 0.5 * TILT * scatter(&state);
        }
        double rest = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
        l->position[i] = (erg_vec3){at[0], at[1], at[2]};
        l->velocity[i] = (erg_vec3){0, 0, -SPEED};
        l->orientation[i] = (erg_quat){turn[0], turn[1], turn[2], sqrt(1 - rest)};
    }
    return true;
}

// ---- The world ---------------------------------------------------------------------------------
static erg_status fill(const guard_case *c, erg_world *world, erg_error *err)
{
    erg_material_def material = erg_material_def_default();
    erg_grain_def    kind = erg_grain_def_default();
    erg_wall_def     floor = erg_wall_def_default(ERG_WALL_PLANE);
    lattice          l = {0};
    erg_grains       grains = {0};
    kind.shape = c->shape;
    floor.plane.normal = (erg_vec3){0, 0, 1};
    erg_status status = erg_world_add_material(world, &material, &kind.material, err);
    floor.material = kind.material;
    if (status == ERG_OK) status = erg_world_add_grain_kind(world, &kind, &grains.kind, err);
    if (status == ERG_OK) status = erg_world_add_wall(world, &floor, NULL, err);
    if (status == ERG_OK && !lattice_make(c, &l)) {
        snprintf(err->text, sizeof err->text, "out of memory");
        status = ERG_NO_MEMORY;
    }
    grains.count = l.count;
    grains.position = l.position;
    grains.velocity = l.velocity;
    grains.orientation = l.orientation;
    if (status == ERG_OK) status = erg_world_add_grains(world, &grains, NULL, err);
    lattice_free(&l);
    return status;
}

static erg_status build(const guard_case *c, erg_world **world, erg_error *err)
{
    erg_world_def def = erg_world_def_default();
    double        width = (double)c->side * c->across;
    def.gravity = (erg_vec3){0, 0, -9.81};
    def.dt = 1e-5;
    def.threads = 1;
    def.periodic_x = def.periodic_y = true;
    def.lower = (erg_vec3){0, 0, -INFINITY};
    def.upper = (erg_vec3){width, width, INFINITY};
    erg_status status = erg_world_create(&def, world, err);
    return status == ERG_OK ? fill(c, *world, err) : status;
}

// ---- Running it --------------------------------------------------------------------------------
// callgrind collects between entry and exit of this function, found by its name.
erg_status guard_counted(erg_world *world, uint64_t steps, erg_error *err);
__attribute__((noinline)) erg_status guard_counted(erg_world *world, uint64_t steps, erg_error *err)
{
    return erg_world_step(world, steps, err);
}

static int run(const guard_case *c)
{
    erg_error  err = {0};
    erg_stats  stats = {0};
    erg_world *world = NULL;
    erg_status status = build(c, &world, &err);
    if (status == ERG_OK) status = erg_world_step(world, c->before, &err);
    if (status == ERG_OK) status = guard_counted(world, c->counted, &err);
    if (status == ERG_OK) status = erg_world_stats(world, &stats, &err);
    erg_world_destroy(world);
    if (status != ERG_OK) {
        fprintf(stderr, "guard: %s: %s\n", c->name, err.text);
        return 1;
    }
    // Few instructions are no merit where nothing touches.
    double touching = (double)stats.contacts / (double)stats.grains;
    printf("%s: %zu grains, %zu spheres, %.2f contacts a grain, %zu new lists\n", c->name,
           (size_t)stats.grains, (size_t)stats.spheres, touching, (size_t)stats.rebuilds);
    if (touching >= c->touching) return 0;
    fprintf(stderr, "guard: %s: %.2f contacts a grain, expected at least %.2f\n", c->name, touching,
            c->touching);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        for (int i = 0; i < CASE_COUNT; i++) puts(CASES[i].name);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--compiler") == 0) {
        puts(ERG_CONFIG_COMPILER);
        return 0;
    }
    for (int i = 0; i < CASE_COUNT && argc == 2; i++)
        if (strcmp(argv[1], CASES[i].name) == 0) return run(&CASES[i]);
    fprintf(stderr, "guard: expected no argument, --compiler, or one case; without argument the "
                    "cases are listed\n");
    return 2;
}
