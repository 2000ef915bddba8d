#include "law_state.h"

#include "bench.h"
#include "matter.h"
#include "settle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Increase it if states are made differently, so that cached states are not used.
enum { VERSION = 2 };

// Steps of making a state ...
enum { FALL = 6000, DRAG = 6000, REST = 200000, ALONE = 2000, OPEN = 1000, FLOW = 5000 };
// ... and of a world that starts from it.
enum { ADAPT_AT_REST = 3000, ADAPT_IN_FLOW = 200 };

enum { LAYERS = 18 };                                           // of the lattice before it settles
static const double LEAST[] = {1, 0.9, 2.0 / 3};                // smallest radius / mean
static const double MOST[] = {1, 1.1, 4.0 / 3};                 // largest radius / mean
static const double OUTLET = 0.010, SILO = 0.040, CONE = 0.030; // as in the bench `hopper` [m]
static const double VISCOSITY = 0.03;                           // stable at dt [N s/m]
static const double SHUTTER_SPEED = 1000;                       // [m/s]

static const char *const SIZES_NAME[] = {"one", "tenth", "double"};

// ---- Space -------------------------------------------------------------------------------------
static double spacing(law_sizes sizes)
{
    return 2.06 * MOST[sizes] * MATTER_RADIUS;
}

static double box_side(law_sizes sizes, size_t count)
{
    return ceil(sqrt((double)count / LAYERS)) * spacing(sizes);
}

void law_state_box(law_sizes sizes, size_t count, erg_vec3 *low, erg_vec3 *high)
{
    double a = box_side(sizes, count);
    *low = (erg_vec3){0, 0, 0};
    *high = (erg_vec3){a, a, (LAYERS + 1) * spacing(sizes)};
}

// Largest distance of centres from the axis at a height of the silo.
static double silo_room(law_sizes sizes, double z)
{
    double clear = 1.5 * MOST[sizes] * MATTER_RADIUS;
    return fmin(OUTLET + z - 1.42 * clear, SILO - clear);
}

// Loose lattices. Writes the positions if `position` is not NULL; returns the height above them.
static double fill_box(law_sizes sizes, size_t count, erg_vec3 *position)
{
    double s = spacing(sizes);
    size_t columns = (size_t)lround(box_side(sizes, count) / s), layer = columns * columns;
    for (size_t i = 0; position && i < count; i++)
        position[i] = (erg_vec3){((double)(i % columns) + 0.5) * s,
                                 ((double)(i / columns % columns) + 0.5) * s,
                                 ((double)(i / layer) + 0.5) * s};
    return (double)(count / layer + 1) * s;
}

static double fill_silo(law_sizes sizes, size_t count, erg_vec3 *position)
{
    double s = spacing(sizes), z = 1.2 * MOST[sizes] * MATTER_RADIUS;
    int    reach = (int)(SILO / s) + 1;
    size_t k = 0;
    for (; k < count; z += s) {
        double room = silo_room(sizes, z);
        for (int a = -reach; a <= reach; a++)
            for (int b = -reach; b <= reach && k < count; b++) {
                erg_vec3 p = {a * s, b * s, z};
                if (p.x * p.x + p.y * p.y >= room * room) continue;
                if (position) position[k] = p;
                k++;
            }
    }
    return z;
}

// ---- Worlds ------------------------------------------------------------------------------------
static erg_status add_walls(erg_world *world, law_sizes sizes, bool flows, size_t count,
                            erg_id material, erg_error *err)
{
    double a = box_side(sizes, count);
    if (!flows)
        return matter_add_box(world, material, (erg_vec3){0, 0, 0}, (erg_vec3){a, a, 0}, err);
    erg_wall_def silo = erg_wall_def_default(ERG_WALL_FUNNEL);
    silo.material = material;
    silo.funnel.outlet_radius = OUTLET;
    silo.funnel.top_radius = SILO;
    silo.funnel.height = CONE;
    silo.funnel.rim = fmax(0.12, fill_silo(sizes, count, NULL) - CONE);
    return erg_world_add_wall(world, &silo, NULL, err);
}

erg_status law_state_define(law_sizes sizes, bool flows, size_t count, law_choice laws, int threads,
                            erg_world **world, erg_id *material, erg_error *err)
{
    erg_world_def    def = matter_world(threads);
    erg_grain_def    grain = erg_grain_def_default();
    erg_material_def sand = {.density = MATTER_DENSITY,
                             .young = 1e7,
                             .poisson = 0.25,
                             .restitution = 0.65,
                             .friction = MATTER_FRICTION,
                             .static_friction = 1.2 * MATTER_FRICTION,
                             .rolling = laws.rolling ? 0.1 : 0,
                             .cohesion = laws.cohesion ? 1e4 : 0};
    def.contact.normal = laws.normal;
    def.contact.tangential = laws.tangential;
    def.contact.tangential_viscosity = VISCOSITY;
    def.precision = laws.precision;
    grain.sizes.radius = MATTER_RADIUS;
    if (sizes != SIZES_ONE)
        grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM,
                                  .min = LEAST[sizes] * MATTER_RADIUS,
                                  .max = MOST[sizes] * MATTER_RADIUS};
    *world = NULL;
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &grain.material, err);
    if (status == ERG_OK) status = erg_world_add_grain_kind(*world, &grain, NULL, err);
    if (status == ERG_OK) status = add_walls(*world, sizes, flows, count, grain.material, err);
    *material = grain.material;
    return status;
}

// ---- Making a state ----------------------------------------------------------------------------
static erg_status allocate(law_state *s, size_t count, erg_error *err)
{
    *s = (law_state){count, malloc(count * sizeof *s->radius), malloc(count * sizeof *s->position),
                     malloc(count * sizeof *s->velocity), malloc(count * sizeof *s->spin)};
    return s->radius && s->position && s->velocity && s->spin
               ? ERG_OK
               : bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu spheres", count);
}

void law_state_free(law_state *s)
{
    free(s->radius);
    free(s->position);
    free(s->velocity);
    free(s->spin);
    *s = (law_state){0};
}

static erg_status fill(law_sizes sizes, bool flows, size_t count, erg_world *world, erg_error *err)
{
    law_state  s;
    uint64_t   random = 4;
    erg_status status = allocate(&s, count, err);
    if (status == ERG_OK) (flows ? fill_silo : fill_box)(sizes, count, s.position);
    for (size_t i = 0; i < count && status == ERG_OK; i++) {
        double share = 0.5 * (1 + matter_shake(&random)), jitter = 0.025 * MATTER_RADIUS;
        s.radius[i] = (LEAST[sizes] + share * (MOST[sizes] - LEAST[sizes])) * MATTER_RADIUS;
        s.position[i].x += jitter * matter_shake(&random);
        s.position[i].y += jitter * matter_shake(&random);
    }
    erg_grains all = {.kind = 1, .count = count, .position = s.position, .size = s.radius};
    if (status == ERG_OK) status = erg_world_add_grains(world, &all, NULL, err);
    law_state_free(&s);
    return status;
}

static erg_status add_shutter(erg_world *world, erg_id material, erg_error *err)
{
    erg_wall_def shutter = erg_wall_def_default(ERG_WALL_PLANE);
    shutter.name = "shutter";
    shutter.material = material;
    shutter.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    shutter.motion_count = 1;
    return erg_world_add_wall(world, &shutter, NULL, err);
}

static erg_status open_silo(erg_world *world, erg_error *err)
{
    erg_command command = {.kind = ERG_COMMAND_WALL_VELOCITY,
                           .id = erg_world_find_wall(world, "shutter"),
                           .vector = {0, 0, -SHUTTER_SPEED}};
    erg_status  status = erg_world_command(world, &command, err);
    if (status == ERG_OK) status = erg_world_step(world, OPEN, err);
    command.vector.z = 0;
    if (status == ERG_OK) status = erg_world_command(world, &command, err);
    return status == ERG_OK ? erg_world_step(world, FLOW, err) : status;
}

static erg_status make(law_sizes sizes, bool flows, size_t count, erg_world *world, erg_error *err)
{
    bench_say("making the %s of %zu spheres, sizes %s", flows ? "flow" : "bed", count,
              SIZES_NAME[sizes]);
    erg_status status = fill(sizes, flows, count, world, err);
    if (status == ERG_OK) status = erg_world_step(world, FALL, err);
    if (status == ERG_OK) status = settle_drag(world, flows ? DRAG / 2 : DRAG, err);
    if (status != ERG_OK || flows) return status == ERG_OK ? open_silo(world, err) : status;
    return settle_rest(world, REST, ALONE, err);
}

erg_status law_state_settle(law_sizes sizes, size_t count, erg_world *world, erg_error *err)
{
    return make(sizes, false, count, world, err);
}

static erg_status read_state(const erg_world *world, law_state *s, erg_error *err)
{
    size_t     n = erg_world_grain_count(world);
    erg_status status = allocate(s, n, err);
    if (status == ERG_OK) status = erg_world_read(world, ERG_FIELD_SIZE, NULL, n, s->radius, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_POSITION, NULL, n, s->position, err);
    if (status == ERG_OK)
        status = erg_world_read(world, ERG_FIELD_VELOCITY, NULL, n, s->velocity, err);
    if (status == ERG_OK) status = erg_world_read(world, ERG_FIELD_SPIN, NULL, n, s->spin, err);
    return status;
}

erg_status law_state_get(law_sizes sizes, bool flows, size_t count, const char *cache,
                         law_state *state, erg_error *err)
{
    const law_choice usual = {.normal = ERG_NORMAL_HERTZ, .tangential = ERG_TANGENTIAL_MINDLIN};
    char             path[4300];
    erg_world       *world = NULL;
    erg_id           material;
    erg_error        ignored;
    *state = (law_state){0};
    snprintf(path, sizeof path, "%s/laws-%s-%s-%zu-v%d.h5", cache, flows ? "flow" : "bed",
             SIZES_NAME[sizes], count, VERSION);
    for (int attempt = 0; attempt < 2; attempt++) {
        erg_status status = law_state_define(sizes, flows, count, usual, 1, &world, &material, err);
        if (status == ERG_OK && flows) status = add_shutter(world, material, err);
        bool kept = status == ERG_OK && attempt == 0 && access(path, R_OK) == 0 &&
                    erg_world_load(world, path, &ignored) == ERG_OK;
        if (status == ERG_OK && !kept && attempt == 1) {
            status = make(sizes, flows, count, world, err);
            if (status == ERG_OK && erg_world_save(world, path, NULL, NULL, &ignored) != ERG_OK)
                bench_say("this state could not be cached: %s", ignored.text);
        }
        if (status == ERG_OK && (kept || attempt == 1)) status = read_state(world, state, err);
        erg_world_destroy(world);
        if (status != ERG_OK || kept) return status;
    }
    return ERG_OK;
}

// ---- Starting from a state ---------------------------------------------------------------------
erg_status law_state_fill(const law_state *state, bool flows, erg_world *world, erg_error *err)
{
    erg_grains all = {.kind = 1,
                      .count = state->count,
                      .position = state->position,
                      .velocity = state->velocity,
                      .spin = state->spin,
                      .size = state->radius};
    erg_status status = erg_world_add_grains(world, &all, NULL, err);
    if (status != ERG_OK) return status;
    return flows ? erg_world_step(world, ADAPT_IN_FLOW, err)
                 : settle_drag(world, ADAPT_AT_REST, err);
}

erg_status law_state_world(const law_state *state, law_sizes sizes, bool flows, law_choice laws,
                           int threads, erg_world **world, erg_error *err)
{
    erg_id     material;
    erg_status status =
        law_state_define(sizes, flows, state->count, laws, threads, world, &material, err);
    return status == ERG_OK ? law_state_fill(state, flows, *world, err) : status;
}
