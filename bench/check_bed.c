// Overlap in a deep bed at rest, and the state on one and on two threads.
#include "frames.h"
#include "realtime.h"
#include "realtime_check.h"

#include <math.h>
#include <stdlib.h>

static const double RADIUS = 5e-3; // mean [m]
static const double DEPTH = 15;    // of the bed [diameters]
static const double REST = 3;      // time until it is at rest [s]

// ---- Overlap -----------------------------------------------------------------------------------
static erg_status build_bed(const check_run *run, int iterations, erg_world **world, erg_error *err)
{
    erg_world_def    def = erg_world_def_default();
    erg_material_def sand = erg_material_def_default();
    erg_grain_def    grain = erg_grain_def_default();
    erg_wall_def     box = erg_wall_def_default(ERG_WALL_BOX);
    erg_fill_def     fill = erg_fill_def_default();
    double           side = 2 * RADIUS * fmax(5, sqrt((double)run->count * 0.5236 / 0.6 / DEPTH)),
           height = 5 * DEPTH * RADIUS;
    def.solver = ERG_SOLVER_PBD;
    def.pbd.iterations = iterations;
    def.threads = run->threads;
    def.fixed_threads = true;
    grain.sizes = (erg_sizes){.law = ERG_SIZE_UNIFORM, .min = 0.9 * RADIUS, .max = 1.1 * RADIUS};
    box.box.max = (erg_vec3){side, side, height};
    box.box.open = ERG_FACE_Z_MAX;
    fill.count = run->count;
    fill.region = (erg_region){.shape = ERG_REGION_BOX, .b = {side, side, height}};
    erg_status status = erg_world_create(&def, world, err);
    if (status == ERG_OK) status = erg_world_add_material(*world, &sand, &grain.material, err);
    box.material = grain.material;
    if (status == ERG_OK) status = erg_world_add_grain_kind(*world, &grain, &fill.grain, err);
    if (status == ERG_OK) status = erg_world_add_wall(*world, &box, NULL, err);
    return status == ERG_OK ? erg_world_fill(*world, &fill, NULL, err) : status;
}

// Mean over the touching contacts, in units of the mean radius.
static erg_status mean_overlap(const erg_world *world, double *mean, erg_error *err)
{
    size_t       count = erg_world_contact_count(world), touching = 0;
    erg_contact *contact = malloc((count + 1) * sizeof *contact);
    if (!contact) return bench_fail(err, ERG_NO_MEMORY, "out of memory");
    erg_status status = erg_world_contacts(world, contact, count, &count, err);
    double     sum = 0;
    for (size_t k = 0; k < count && status == ERG_OK; k++)
        if (contact[k].overlap > 0) {
            sum += contact[k].overlap;
            touching++;
        }
    free(contact);
    *mean = sum / (RADIUS * (double)touching);
    return status;
}

erg_status check_overlap(check_run *run, erg_error *err)
{
    static const struct {
        double      allowed; // [% of r]
        const char *quantity;
    } CASES[] = {{4, "mean overlap of a bed at rest, 1 iteration [% of r]"},
                 {2, "mean overlap of a bed at rest, 2 iterations [% of r]"}};
    erg_status status = ERG_OK;
    for (int k = 0; k < 2 && status == ERG_OK; k++) {
        erg_world *world = NULL;
        double     mean;
        status = build_bed(run, k + 1, &world, err);
        if (status == ERG_OK) status = erg_world_run(world, REST, NULL, NULL, err);
        if (status == ERG_OK) status = mean_overlap(world, &mean, err);
        erg_world_destroy(world);
        if (status == ERG_OK)
            status = check_below(run, CASES[k].quantity, 100 * mean, CASES[k].allowed, err);
    }
    return status;
}

// ---- Threads -----------------------------------------------------------------------------------
// The state a second after the scene is in motion.
static erg_status hash_of(const realtime_scene *scene, int threads, uint64_t *hash, erg_error *err)
{
    erg_world *world = NULL;
    erg_status status = realtime_build(scene->file, ERG_SOLVER_PBD, threads, &world, err);
    if (status == ERG_OK) status = erg_world_run(world, scene->time + 1, NULL, NULL, err);
    if (status == ERG_OK) *hash = erg_world_hash(world);
    erg_world_destroy(world);
    return status;
}

erg_status check_threads(check_run *run, erg_error *err)
{
    int        differ = 0;
    erg_status status = ERG_OK;
    for (const realtime_scene *s = REALTIME_SCENES; s->name && status == ERG_OK; s++) {
        uint64_t one = 0, two = 0;
        status = hash_of(s, 1, &one, err);
        if (status == ERG_OK) status = hash_of(s, 2, &two, err);
        if (status != ERG_OK) break;
        bench_say("  %s: %016llx on one thread, %016llx on two", s->name, (unsigned long long)one,
                  (unsigned long long)two);
        differ += one != two;
    }
    if (status == ERG_OK)
        status = check_add(run, "scenes that differ between one and two threads", differ, 0,
                           differ == 0, err);
    return status;
}
