#include "landscape_sand.h"

#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define D SAND_DIAMETER

static const double BEYOND = 1.5; // half width of a hybrid bed, of a tile: no walls near the impact

// It is soft, for a long time step: at the bottom of the deepest bed grains overlap by 2 % of their
// diameter.
static const double YOUNG = 1e7;                     // [Pa]
static const double PACKED = 1.13;                   // grains per cubic diameter of a settled bed
static const double SETTLING = 0.7, SPREADING = 0.1; // of a tile, and of its copies [s]

// Increase it if tiles are made differently, so that cached tiles are not used.
enum { VERSION = 3 };

// ---- Worlds ------------------------------------------------------------------------------------
static erg_status define(const sand_def *def, double period, erg_world **world, erg_error *err)
{
    erg_world_def    setting = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    setting.solver = def->solver;
    setting.threads = def->threads;
    setting.fixed_threads = true;
    setting.seed = def->seed;
    setting.speed = def->speed;
    setting.max_overlap = 0.6; // of the grains that an impact hits first
    if (period > 0) {
        setting.lower = (erg_vec3){-0.5 * period, -0.5 * period, -(double)INFINITY};
        setting.upper = (erg_vec3){0.5 * period, 0.5 * period, (double)INFINITY};
        setting.periodic_x = setting.periodic_y = true;
    }
    sand.density = SAND_DENSITY;
    sand.young = YOUNG;
    sand.friction = 0.5;
    sand.rolling = 0.1;
    sand.restitution = 0.3;
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.45 * D, .max = 0.55 * D};
    erg_status status = erg_world_create(&setting, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &grain.material, err);
    return status == ERG_OK ? erg_world_add_grain_kind(*world, &grain, NULL, err) : status;
}

static erg_status add_floor(erg_world *world, double rough, erg_error *err)
{
    erg_wall_def floor = erg_wall_def_default(ERG_WALL_PLANE);
    floor.material = 1;
    if (rough > 0) floor.rough = (erg_rough){.spacing = rough * D, .radius = 0.5 * D};
    return erg_world_add_wall(world, &floor, NULL, err);
}

static erg_status add_columns(erg_world *world, double half, double height, erg_error *err)
{
    erg_terrain_def def = erg_terrain_def_default();
    def.material = 1;
    def.grain = 1;
    def.spacing = SAND_SPACING * D;
    def.height = height;
    for (int k = 0; k < 2; k++) {
        def.lower[k] = -half;
        def.upper[k] = half;
    }
    return erg_world_set_terrain(world, &def, err);
}

erg_status sand_plate(const sand_def *def, uint64_t count, double rate, erg_world **world,
                      erg_error *err)
{
    double          top = 0.74 * cbrt((double)count) * D;
    erg_emitter_def spout = erg_emitter_def_default();
    spout.grain = 1;
    spout.region = (erg_region){
        .shape = ERG_REGION_CYLINDER, .a = {0, 0, top}, .b = {0, 0, top + 6 * D}, .radius = 4 * D};
    spout.rate = rate;
    spout.velocity.z = -1;
    spout.spread = 0.05;
    spout.limit = count;
    erg_status status = define(def, 0, world, err);
    if (status == ERG_OK) status = add_floor(*world, 1.1, err);
    if (status == ERG_OK && def->kind == SAND_HYBRID)
        status = add_columns(*world, 48 * D, 1e-6 * D, err);
    return status == ERG_OK ? erg_world_add_emitter(*world, &spout, NULL, err) : status;
}

// ---- Beds --------------------------------------------------------------------------------------
static erg_status fill_tile(const sand_def *def, erg_world *tile, erg_error *err)
{
    double       half = 0.5 * def->width * D;
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = 1;
    fill.placing = ERG_PLACE_RANDOM; // a lattice leaves traces of its order
    fill.count = (uint64_t)(PACKED * def->width * def->width * def->depth);
    fill.region = (erg_region){
        .shape = ERG_REGION_BOX, .a = {-half, -half, 0}, .b = {half, half, 3 * def->depth * D}};
    erg_status status = erg_world_fill(tile, &fill, NULL, err);
    return status == ERG_OK ? erg_world_run(tile, SETTLING, NULL, NULL, err) : status;
}

static erg_status define_tile(const sand_def *def, erg_world **tile, erg_error *err)
{
    sand_def one = *def;
    one.threads = 1;
    one.speed = 2;
    erg_status status = define(&one, def->width * D, tile, err);
    return status == ERG_OK ? add_floor(*tile, 0, err) : status;
}

static erg_status get_tile(const sand_def *def, erg_world **tile, erg_error *err)
{
    char      path[4300];
    erg_error ignored;
    snprintf(path, sizeof path, "%s/sand-%s-%dx%d-seed-%d-tile-v%d.h5", def->cache,
             erg_solver_name(def->solver), def->width, def->depth, (int)def->seed, VERSION);
    erg_status status = define_tile(def, tile, err);
    if (status == ERG_OK && access(path, R_OK) == 0 &&
        erg_world_load(*tile, path, &ignored) == ERG_OK)
        return ERG_OK;
    erg_world_destroy(*tile); // a failed load may have left data in it
    *tile = NULL;
    bench_say("settling a tile of %d x %d x %d diameters", def->width, def->width, def->depth);
    status = define_tile(def, tile, err);
    if (status == ERG_OK) status = fill_tile(def, *tile, err);
    if (status == ERG_OK) (void)erg_world_save(*tile, path, NULL, NULL, &ignored);
    return status;
}

static erg_status add_box(const sand_def *def, erg_world *world, erg_error *err)
{
    double       half = BEYOND * def->width * D;
    erg_wall_def box = erg_wall_def_default(ERG_WALL_BOX);
    box.material = 1;
    box.box.min = (erg_vec3){-half, -half, 0};
    box.box.max = (erg_vec3){half, half, 4 * def->depth * D};
    box.box.open = ERG_FACE_Z_MAX | ERG_FACE_Z_MIN;
    return erg_world_add_wall(world, &box, NULL, err);
}

// Mean height of the surface of a tile.
static erg_status surface_of(const erg_world *tile, double half, double *surface, erg_error *err)
{
    sand_profile p;
    erg_status   status = sand_measure(tile, half, &p, err);
    double       sum = 0, area = 0;
    for (int k = 0; k < p.rings && status == ERG_OK; k++) {
        sum += (2 * k + 1) * p.height[k];
        area += 2 * k + 1;
    }
    *surface = sum / area;
    return status;
}

erg_status sand_bed(const sand_def *def, erg_world **world, double *surface, erg_error *err)
{
    erg_world *tile = NULL;
    double     quarter = 0.5 * def->width * D;
    erg_vec3   shift[4] = {{-quarter, -quarter, 0},
                           {quarter, -quarter, 0},
                           {-quarter, quarter, 0},
                           {quarter, quarter, 0}};
    erg_status status = get_tile(def, &tile, err);
    if (status == ERG_OK) status = surface_of(tile, quarter, surface, err);
    bool hybrid = def->kind == SAND_HYBRID;
    if (status == ERG_OK) status = define(def, hybrid ? 0 : 2 * def->width * D, world, err);
    if (status == ERG_OK) status = add_floor(*world, 0, err);
    if (status == ERG_OK && hybrid) status = add_box(def, *world, err);
    if (status == ERG_OK)
        status = hybrid ? add_columns(*world, BEYOND * def->width * D, *surface, err)
                        : erg_world_add_copies(*world, tile, shift, 4, err);
    erg_world_destroy(tile);
    return status;
}

// ---- What disturbs them ------------------------------------------------------------------------
erg_status sand_add_ball(erg_world *world, double surface, double radius, double density,
                         double speed, erg_id *ball, erg_error *err)
{
    erg_mesh     *mesh = NULL;
    erg_primitive sphere = erg_primitive_default(ERG_PRIMITIVE_SPHERE);
    sphere.radius = radius * D;
    sphere.segments = 24;
    erg_status   status = erg_mesh_primitive(&sphere, &mesh, err);
    erg_body_def def = erg_body_def_default();
    def.material = 1;
    def.mesh = mesh;
    def.position.z = surface + (radius + 0.5) * D + SPREADING * speed;
    def.velocity.z = -speed + 9.81 * SPREADING;
    def.position.z -= 0.5 * 9.81 * SPREADING * SPREADING;
    def.density = density;
    if (status == ERG_OK) status = erg_world_add_body(world, &def, ball, err);
    erg_mesh_destroy(mesh);
    return status;
}

erg_status sand_add_tool(erg_world *world, double surface, double depth, double speed,
                         erg_error *err)
{
    const double circle = 4 * D;
    erg_wall_def tool = erg_wall_def_default(ERG_WALL_SPHERE);
    tool.material = 1;
    tool.side = ERG_SIDE_OUTSIDE;
    tool.sphere.radius = 2 * D;
    tool.sphere.centre = (erg_vec3){circle, 0, surface + (3 + 2) * D};
    tool.has_pivot = true;
    tool.pivot.z = tool.sphere.centre.z;
    tool.motion_count = 2;
    tool.motion[0] = erg_motion_def_default(ERG_MOTION_SPIN);
    tool.motion[0].rate = speed / circle;
    tool.motion[1] = erg_motion_def_default(ERG_MOTION_VELOCITY); // down to its depth
    tool.motion[1].velocity.z = -(3 + depth) * D / SPREADING;
    tool.motion[1].stop = SPREADING;
    return erg_world_add_wall(world, &tool, NULL, err);
}

// ---- The surface -------------------------------------------------------------------------------
enum { CELLS = 2 * SAND_RINGS };

typedef struct map {
    double top[CELLS][CELLS];
} map;

static int cell_of(double x)
{
    int k = (int)floor(x / D) + SAND_RINGS;
    return k < 0 ? 0 : k < CELLS ? k : CELLS - 1;
}

// Raises the cells that a sphere is above to the height of its surface at their centres.
static void raise(map *m, const double x[3], double radius)
{
    for (int j = cell_of(x[1] - radius); j <= cell_of(x[1] + radius); j++)
        for (int i = cell_of(x[0] - radius); i <= cell_of(x[0] + radius); i++) {
            double a = (i - SAND_RINGS + 0.5) * D - x[0], b = (j - SAND_RINGS + 0.5) * D - x[1];
            double square = radius * radius - a * a - b * b;
            if (square > 0) m->top[j][i] = fmax(m->top[j][i], x[2] + sqrt(square));
        }
}

static erg_status raise_grains(map *m, const erg_world *world, erg_error *err)
{
    size_t          n = erg_world_sphere_count(world);
    double         *x = malloc((n + 1) * 3 * sizeof *x), *r = malloc((n + 1) * sizeof *r);
    erg_sphere_view view = {.count = n, .position = x, .radius = r};
    erg_frozen_view frozen;
    erg_status      status =
        x && r ? ERG_OK : bench_fail(err, ERG_NO_MEMORY, "out of memory for %zu grains", n);
    if (status == ERG_OK) status = erg_world_read_spheres(world, &view, err);
    for (size_t k = 0; k < n && status == ERG_OK; k++) raise(m, x + 3 * k, r[k]);
    if (status == ERG_OK) status = erg_world_view_frozen(world, &frozen, err);
    for (size_t k = 0; k < frozen.count && status == ERG_OK; k++)
        raise(m, frozen.sphere + 4 * k, frozen.sphere[4 * k + 3]);
    free(x);
    free(r);
    return status;
}

erg_status sand_measure(const erg_world *world, double half_width, sand_profile *p, erg_error *err)
{
    map *m = malloc(sizeof *m);
    if (!m) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bool columns = erg_world_has_terrain(world);
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++)
            m->top[j][i] = columns ? erg_world_terrain_height(world, (i - SAND_RINGS + 0.5) * D,
                                                              (j - SAND_RINGS + 0.5) * D)
                                   : 0;
    erg_status status = raise_grains(m, world, err);
    double     count[SAND_RINGS] = {0};
    *p = (sand_profile){.rings = (int)fmin(half_width / D + 0.5, SAND_RINGS)};
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            int ring = (int)hypot(i - SAND_RINGS + 0.5, j - SAND_RINGS + 0.5);
            if (ring >= p->rings) continue;
            p->height[ring] += m->top[j][i];
            count[ring] += 1;
        }
    for (int k = 0; k < p->rings; k++) p->height[k] /= count[k];
    free(m);
    return status;
}

double sand_angle(const sand_profile *p)
{
    double high = 0, n = 0, sx = 0, sz = 0, sxx = 0, sxz = 0;
    for (int k = 0; k < p->rings; k++) high = fmax(high, p->height[k]);
    for (int k = 0; k < p->rings; k++) {
        double x = (k + 0.5) * D, z = p->height[k];
        if (z < 0.25 * high || z > 0.75 * high) continue;
        n++;
        sx += x;
        sz += z;
        sxx += x * x;
        sxz += x * z;
    }
    return atan((sx * sz - n * sxz) / (n * sxx - sx * sx)) * 180 / 3.14159265358979323846;
}
