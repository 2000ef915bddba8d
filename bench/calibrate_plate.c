// A level plate, 8 grains wide, is pushed straight down into a bed of grains. By resistive force
// theory its force grows in proportion to the depth, by zeta N/cm^3 times its area, as alpha_z is 1
// for this motion (src/law/rft.h).
//
// The bed is periodic, 3 plates wide and about as deep. It was rained in and has come to rest. The
// force is fitted by a line between depths of 1 and 4 diameters: the surface of grains is not
// defined to better than a diameter, so the line need not pass through 0.
#include "calibrate_plate.h"

#include <math.h>
#include <stdio.h>

#include "matter.h"
#include "measure.h"

enum { PLATE = 8, BED = 24, LEAST = 8000, MOST = 20000, SAMPLES = 60 };

static const double D = 2 * MATTER_RADIUS; // [m]
static const double REST = 0.4;            // time for the bed to come to rest [s]
static const double SPEED = 0.03;          // of the plate [m/s]
static const double FROM = 1, TO = 4;      // depths of the fit [d]

typedef struct trial {
    erg_world *world;
    erg_id     plate;
    double     floor; // lower side of the plate at first [m]
    double     force[SAMPLES], depth[SAMPLES];
} trial;

static erg_status define(trial *t, const bench_options *o, erg_id *material, erg_id *kind,
                         erg_error *err)
{
    double        half = 0.5 * BED * D;
    erg_world_def def = erg_world_def_default();
    def.threads = o->threads[0];
    def.fixed_threads = true;
    def.periodic_x = def.periodic_y = true;
    def.lower = (erg_vec3){-half, -half, -1};
    def.upper = (erg_vec3){half, half, 1};
    def.speed = 1;
    erg_material_def sand = erg_material_def_default();
    sand.density = MATTER_DENSITY;
    sand.young = 5e6;
    sand.restitution = 0.3;
    sand.friction = o->friction;
    erg_grain_def grain = erg_grain_def_default();
    grain.sizes = (erg_sizes){
        .law = ERG_SIZE_UNIFORM, .min = 0.9 * MATTER_RADIUS, .max = 1.1 * MATTER_RADIUS};
    erg_status status = erg_world_create(&def, &t->world, err);
    if (status == ERG_OK) status = erg_world_add_material(t->world, &sand, material, err);
    grain.material = *material;
    if (status == ERG_OK) status = erg_world_add_grain_kind(t->world, &grain, kind, err);
    return status == ERG_OK ? matter_add_plane(t->world, *material, (erg_vec3){0, 0, 0},
                                               (erg_vec3){0, 0, 1}, err)
                            : status;
}

// The plate waits above the bed, which is at most this high.
static erg_status add_plate(trial *t, erg_id material, double height, erg_error *err)
{
    double       half = 0.5 * PLATE * D;
    erg_wall_def plate = erg_wall_def_default(ERG_WALL_BOX);
    plate.material = material;
    plate.side = ERG_SIDE_OUTSIDE;
    plate.box.min = (erg_vec3){-half, -half, height};
    plate.box.max = (erg_vec3){half, half, height + 40 * D};
    plate.motion[0] = erg_motion_def_default(ERG_MOTION_USER);
    plate.motion_count = 1;
    t->floor = height;
    return erg_world_add_wall(t->world, &plate, &t->plate, err);
}

static erg_status build(trial *t, const bench_options *o, erg_error *err)
{
    erg_id     material = 0, kind = 0;
    double     half = 0.5 * BED * D, count = (double)o->count;
    double     room = count * D * D * D / (4 * half * half); // one cube per grain
    erg_status status = define(t, o, &material, &kind, err);
    if (status == ERG_OK) status = add_plate(t, material, 1.5 * room + 4 * D, err);
    erg_fill_def fill = erg_fill_def_default();
    fill.grain = kind;
    fill.count = o->count;
    fill.jitter = 1;
    fill.region = (erg_region){
        .shape = ERG_REGION_BOX, .a = {-half, -half, 0}, .b = {half, half, 1.5 * room + 2 * D}};
    if (status == ERG_OK) status = erg_world_fill(t->world, &fill, NULL, err);
    return status;
}

static erg_status move_plate(trial *t, double speed, double time, erg_error *err)
{
    erg_command go = {.kind = ERG_COMMAND_WALL_VELOCITY, .id = t->plate, .vector = {0, 0, -speed}};
    erg_status  status = erg_world_command(t->world, &go, err);
    return status == ERG_OK
               ? erg_world_run(t->world, erg_world_time(t->world) + time, NULL, NULL, err)
               : status;
}

// Lower side of the plate [m], and the force on it, mean over `steps` steps [N].
static erg_status read_plate(trial *t, int steps, double *z, double *force, erg_error *err)
{
    erg_wall_state state;
    erg_status     status = ERG_OK;
    *force = 0;
    for (int k = 0; k < steps && status == ERG_OK; k++) {
        status = erg_world_step(t->world, 1, err);
        if (status == ERG_OK) status = erg_world_wall_state(t->world, t->plate, &state, err);
        if (status == ERG_OK) *force += state.force.z / steps;
    }
    *z = t->floor + state.position.z;
    return status;
}

// Down to the first contact, quickly, then slowly into the bed.
static erg_status push(trial *t, erg_error *err)
{
    double     z = 0, force = 0, step = (TO - FROM) * D / SAMPLES;
    erg_status status = erg_world_run(t->world, REST, NULL, NULL, err);
    while (status == ERG_OK && force == 0) {
        status = move_plate(t, SPEED, 0.1 * D / SPEED, err);
        if (status == ERG_OK) status = read_plate(t, 4, &z, &force, err);
    }
    double top = z;
    if (status == ERG_OK) status = move_plate(t, SPEED, FROM * D / SPEED, err);
    for (int k = 0; k < SAMPLES && status == ERG_OK; k++) {
        status = move_plate(t, SPEED, 0.8 * step / SPEED, err);
        if (status == ERG_OK) status = read_plate(t, 20, &z, &t->force[k], err);
        t->depth[k] = top - z;
    }
    return status;
}

// Slope of the line of least squares, and the share of the variance that it explains.
static double fit(const trial *t, double *r2)
{
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    for (int k = 0; k < SAMPLES; k++) x += t->depth[k] / SAMPLES, y += t->force[k] / SAMPLES;
    for (int k = 0; k < SAMPLES; k++) {
        double a = t->depth[k] - x, b = t->force[k] - y;
        xx += a * a, xy += a * b, yy += b * b;
    }
    *r2 = xy * xy / (xx * yy);
    return xy / xx;
}

static erg_status add_row(const trial *t, const bench_options *o, double seconds, bench_rows *rows,
                          erg_error *err)
{
    double     r2, slope = fit(t, &r2), zeta = slope / (1e6 * PLATE * D * PLATE * D);
    bench_row *row = bench_rows_add(rows);
    if (!row) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    bench_row_text(row, "name", "calibrate");
    bench_row_count(row, "n", o->count);
    bench_row_count(row, "threads", (uint64_t)o->threads[0]);
    bench_row_count(row, "steps", erg_world_steps(t->world));
    bench_row_number(row, "wall_s", seconds);
    double rate = (double)o->count * (double)erg_world_steps(t->world) / seconds;
    bench_row_number(row, "particle_steps_per_s", rate);
    bench_row_number(row, "grain_steps_per_s", rate);
    bench_row_number(row, "friction", o->friction);
    bench_row_number(row, "zeta", zeta);
    bench_row_number(row, "r2", r2);
    bench_say("calibrate  friction %g: resistance (zeta) %.3f, R^2 %.3f", o->friction, zeta, r2);
    return ERG_OK;
}

erg_status calibrate_plate(const bench_options *options, bench_rows *rows, erg_error *err)
{
    trial         t = {0};
    bench_options o = *options;
    double        begun = bench_wall_seconds();
    if (!o.count_given) o.count = 10000;
    if (o.count < LEAST || o.count > MOST)
        return bench_fail(err, ERG_BAD_INPUT, "--calibrate takes %d to %d grains, got %zu", LEAST,
                          MOST, o.count);
    erg_status status = build(&t, &o, err);
    if (status == ERG_OK) status = push(&t, err);
    if (status == ERG_OK) status = add_row(&t, &o, bench_wall_seconds() - begun, rows, err);
    erg_world_destroy(t.world);
    return status;
}
