// Checkpoints with valid hashes and wrong content: random changes of the numbers of valid ones. A
// forgery is either rejected with a message and leaves the world unchanged, or its content is a
// possible state: the world then runs for a few steps.
#ifndef ERG_CHECKPOINT_FORGERIES_H
#define ERG_CHECKPOINT_FORGERIES_H

#include "api/save.h"
#include "base/memory.h"
#include "base/random.h"
#include "erg/scene.h"
#include "io/container.h"
#include "run/state.h"
#include "scratch.h"
#include "world_helpers.h"

// ---- Scenes ------------------------------------------------------------------------------------
#define FORGERY_SAND                                                                               \
    "materials:\n"                                                                                 \
    "  sand: {young: 1e6, restitution: 0.4}\n"                                                     \
    "  wood: {young: 1e6, density: 700, friction: 0.3}\n"

static const char *const forgery_scenes[] = {
    // Sources and sinks, a box, a plane, a servo, probes
    FORGERY_SAND
    "grains: {bead: {material: sand, radius: 1e-3}}\n"
    "walls:\n"
    "  - {name: floor, material: wood, plane: {point: [0, 0, -0.001]}}\n"
    "  - {name: box, material: sand, box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, 0.1], open: "
    "z-max}}\n"
    "  - {name: lid, material: wood, plane: {point: [0, 0, 0.09], normal: [0, 0, -1]},\n"
    "     motion: {servo: {direction: [0, 0, -1], force: 1, max_speed: 0.1, gain: 0.01}}}\n"
    "fill: [{grain: bead, count: 120, region: {box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, "
    "0.02]}}}]\n"
    "emitters:\n"
    "  - {name: tap, grain: bead, rate: 2000, limit: 500, velocity: [0, 0, -1],\n"
    "     region: {box: {min: [-0.008, -0.008, 0.02], max: [0.008, 0.008, 0.028]}}}\n"
    "sinks: [{name: hole, region: {box: {min: [0.004, 0.004, 0], max: [0.01, 0.01, 0.003]}}}]\n"
    "probes:\n"
    "  - {name: through, flow: {point: [0, 0, 0.01], normal: [0, 0, -1]}}\n"
    "  - {name: all, contacts: {}}\n"
    "  - {name: grid, field: {bounds: [[-0.01, -0.01, 0], [0.01, 0.01, 0.04]], cells: [1, 2, 4], "
    "every: 0.1, samples: 1000}}\n"
    "output: {series_every: 0.001}\n",
    // Clumps of many sizes with rolling resistance, rough and rotating walls, periodic
    FORGERY_SAND
    "grains: {grit: {material: sand, shape: tetrahedron, sizes: {uniform: {min: 8e-4, max: "
    "1.2e-3}}}}\n"
    "pairs: [{between: [sand, sand], rolling: 0.1, tangential: yasuda}]\n"
    "domain: {bounds: [[-0.02, -0.02, -0.01], [0.02, 0.02, 0.1]], periodic: [x, y]}\n"
    "walls:\n"
    "  - {material: wood, plane: {}, rough: {spacing: 2.5e-3, radius: 1e-3}}\n"
    "  - {material: wood, cylinder: {a: [-0.01, 0, 0.012], b: [0.01, 0, 0.012], radius: 4e-3},\n"
    "     side: outside, motion: {spin: {axis: [1, 0, 0], rate: 5}}}\n"
    "  - {material: wood, sphere: {centre: [0, 0.012, 0.01], radius: 4e-3}, side: outside,\n"
    "     motion: {oscillation: {amplitude: [0, 0, 1e-3], frequency: 20}}}\n"
    "fill: [{grain: grit, count: 160, region: {box: {min: [-0.02, -0.02, 0.002], max: [0.02, 0.02, "
    "0.04]}}}]\n",
    // All kinds of walls, in double precision
    FORGERY_SAND
    "grains: {bead: {material: sand, sizes: {listed: {values: [8e-4, 1e-3]}}}}\n"
    "run: {precision: double}\n"
    "walls:\n"
    "  - {material: sand, funnel: {outlet_radius: 4e-3, top_radius: 0.02, height: 0.02}}\n"
    "  - {material: wood, hourglass: {centre: [0.05, 0, 0.02], neck_radius: 4e-3, bulb_radius: "
    "0.015, cone_height: 0.01, height: 0.04}, side: both}\n"
    "  - {material: wood, capsule: {a: [0.1, 0, 0.01], b: [0.1, 0, 0.02], radius: 0.01}, side: "
    "both}\n"
    "  - {material: wood, cone: {a: [0.15, 0, 0], b: [0.15, 0, 0.02], radius_a: 0, radius_b: "
    "0.02}}\n"
    "fill:\n"
    "  - {grain: bead, count: 40, region: {cylinder: {a: [0, 0, 0.006], b: [0, 0, 0.03], radius: "
    "0.015}}}\n"
    "  - {grain: bead, count: 20, region: {cylinder: {a: [0.05, 0, 0.02], b: [0.05, 0, 0.04], "
    "radius: 0.012}}}\n"
    "  - {grain: bead, count: 20, region: {sphere: {centre: [0.1, 0, 0.012], radius: 0.008}}}\n"
    "  - {grain: bead, count: 20, region: {cylinder: {a: [0.15, 0, 0.003], b: [0.15, 0, 0.03], "
    "radius: 0.012}}}\n",
    // Bodies: free, driven, in contact through triangles and through spheres
    FORGERY_SAND
    "grains: {bead: {material: sand, radius: 2e-3}}\n"
    "walls: [{name: floor, material: wood, plane: {}}]\n"
    "bodies:\n"
    "  - {name: brick, material: wood, box: {size: [0.02, 0.02, 0.01]}, position: [0, 0, 0.0051]}\n"
    "  - {name: upper, material: wood, box: {size: [0.01, 0.01, 0.01]}, position: [0, 0, 0.0152]}\n"
    "  - {name: bumpy, material: wood, sphere: {radius: 8e-3}, position: [0.03, 0, 0.0081], "
    "contact: spheres}\n"
    "  - {name: hand, material: wood, box: {size: [0.01, 0.03, 0.01]}, position: [-0.03, 0, "
    "0.006], "
    "motion: user}\n"
    "fill: [{grain: bead, count: 40, region: {box: {min: [-0.02, -0.02, 0.022], max: [0.04, 0.02, "
    "0.05]}}}]\n",
    // Variable time step
    FORGERY_SAND
    "grains: {bead: {material: sand, radius: 1e-3}}\n"
    "run: {integrator: rkf45, precision: double, tolerance: 1e-4}\n"
    "walls: [{material: wood, box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, 0.1]}}]\n"
    "fill: [{grain: bead, count: 30, region: {box: {min: [-0.01, -0.01, 0], max: [0.01, 0.01, "
    "0.02]}}}]\n",
    // The real-time solver, with clumps, bodies, a joint, an attached wall and fine particles
    FORGERY_SAND
    "solver: pbd\n"
    "grains:\n"
    "  bead: {material: sand, radius: 0.01}\n"
    "  pair: {material: sand, shape: dimer, radius: 0.008}\n"
    "walls:\n"
    "  - {name: floor, material: wood, plane: {}}\n"
    "  - {name: arm, material: wood, box: {min: [-0.1, -0.01, 0.05], max: [-0.05, 0.01, 0.07]}, "
    "side: outside,\n"
    "     motion: {user: {axis: [0, 0, 1], rate: 1, range: [-1, 1]}}}\n"
    "  - {name: hand, material: wood, attach: arm, sphere: {centre: [-0.04, 0, 0.06], radius: "
    "0.01}, side: outside}\n"
    "bodies:\n"
    "  - {name: brick, material: wood, box: {size: [0.06, 0.06, 0.03]}, position: [0, 0, 0.016]}\n"
    "  - {name: upper, material: wood, box: {size: [0.04, 0.04, 0.03]}, position: [0, 0, 0.05]}\n"
    "  - {name: wheel, material: wood, cylinder: {radius: 0.03, height: 0.02}, position: [0.1, 0, "
    "0.031], free: [x, z],\n"
    "     motion: {spin: {axis: [0, 1, 0], rate: 3}}}\n"
    "fill:\n"
    "  - {grain: bead, count: 40, region: {box: {min: [-0.05, -0.05, 0.08], max: [0.05, 0.05, "
    "0.2]}}}\n"
    "  - {grain: pair, count: 20, region: {box: {min: [0.06, -0.05, 0.08], max: [0.15, 0.05, "
    "0.2]}}}\n"
    "upsample: {ratio: 0.4, start: 0.1}\n",
    // The real-time solver as in the paper, with clumps, a mesh and a body
    FORGERY_SAND
    "solver: pbd\n"
    "pbd: {variant: sommer}\n"
    "grains:\n"
    "  bead: {material: sand, radius: 0.01}\n"
    "  pair: {material: sand, shape: dimer, radius: 0.008}\n"
    "walls: [{name: floor, material: wood, plane: {}}]\n"
    "bodies: [{name: brick, material: wood, box: {size: [0.06, 0.06, 0.03]}, position: [0, 0, "
    "0.016]}]\n"
    "fill:\n"
    "  - {grain: bead, count: 30, region: {box: {min: [-0.05, -0.05, 0.08], max: [0.05, 0.05, "
    "0.2]}}}\n"
    "  - {grain: pair, count: 20, region: {box: {min: [0.06, -0.05, 0.02], max: [0.15, 0.05, "
    "0.2]}}}\n",
    // Columns that wake, under the real-time solver
    FORGERY_SAND
    "solver: pbd\n"
    "grains: {bead: {material: sand, sizes: {uniform: {min: 0.009, max: 0.01}}}}\n"
    "terrain: {material: sand, grain: bead, bounds: [[-0.2, -0.2], [0.2, 0.2]], spacing: 0.02, "
    "height: 0.1}\n"
    "bodies: [{name: ball, material: wood, sphere: {radius: 0.04}, position: [0, 0, 0.2], "
    "velocity: [0, 0, -2]}]\n"
    "domain: {bounds: [[-1, -1, -0.1], [1, 1, 1]]}\n"
    "upsample: {ratio: 0.5, start: 0.3}\n",
    // Columns that are pressed, under DEM
    FORGERY_SAND
    "terrain: {material: sand, bounds: [[-0.2, -0.2], [0.2, 0.2]], spacing: 0.02, height: 0.1, "
    "relief: {dunes: {amplitude: 0.02, wavelength: 0.2}}}\n"
    "bodies: [{name: ball, material: wood, sphere: {radius: 0.04}, position: [0, 0, 0.2]}]\n",
};

enum { FORGERY_SCENES = sizeof forgery_scenes / sizeof *forgery_scenes };

// A world with its scene, probes and run state.
typedef struct forgery_run {
    erg_scene     *scene;
    erg_world     *world;
    erg_probes    *probes;
    ergi_snapshots snapshots;
    ergi_fields    fields;
    ergi_run_state state;
} forgery_run;

static inline void one_thread(void *user, erg_world_def *def)
{
    (void)user;
    def->threads = 1;
}

static inline void forgery_run_open(forgery_run *r, const char *text)
{
    erg_error err;
    memset(r, 0, sizeof *r);
    must(erg_scene_load_text(text, strlen(text), "scene", NULL, 0, &r->scene, &err), &err);
    must(erg_scene_build(r->scene, one_thread, NULL, &r->world, &err), &err);
    must(erg_world_prepare(r->world, &err), &err);
    const erg_scene_settings *s = erg_scene_get_settings(r->scene);
    must(erg_probes_create(s->probes, s->probe_count, r->world, &r->probes, &err), &err);
    must(ergi_fields_make(&r->fields, s, r->world, &err), &err);
    r->state = ergi_run_state_begin(s);
}

static inline void forgery_run_close(forgery_run *r)
{
    ergi_fields_free(&r->fields);
    erg_probes_destroy(r->probes);
    erg_world_destroy(r->world);
    erg_scene_destroy(r->scene);
    ergi_memory_free(r->snapshots.time);
    ergi_memory_free(r->snapshots.spheres);
}

// Some commands that are applied, and one of each kind that is still pending.
static inline void forgery_commands(erg_world *world, uint64_t step)
{
    const erg_command all[] = {
        {.kind = ERG_COMMAND_GRAVITY, .vector = {0.5, 0, -9.81}},
        {.kind = ERG_COMMAND_FRICTION, .id = 1, .value = 0.4},
        {.kind = ERG_COMMAND_EMITTER_RATE, .id = 1, .value = 1000},
        {.kind = ERG_COMMAND_WALL_VELOCITY, .id = 5, .vector = {0.05, 0, 0}, .value = 2},
        {.kind = ERG_COMMAND_BODY_FORCE, .id = 2, .vector = {1e-3, 0, 0}},
        {.kind = ERG_COMMAND_PUSH, .value = 0.01, .vector = {0.01, 0, 0}},
        {.kind = ERG_COMMAND_PULL, .value = 0.01, .amount = 0.01},
        {.kind = ERG_COMMAND_ADD_GRAIN, .id = 1, .point = {0, 0, 0.06}},
        {.kind = ERG_COMMAND_ADD_BALL, .id = 1, .value = 2.5e-3, .point = {0, 0, 0.07}},
        {.kind = ERG_COMMAND_REMOVE_GRAIN, .grain = 7},
    };
    erg_error err;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        erg_command c = all[k];
        c.step = step;
        // Commands that this world cannot execute, or that refer to missing objects, are left out.
        (void)erg_world_command(world, &c, &err);
    }
}

// Steps the world until much of its state is nontrivial.
static inline void forgery_run_on(forgery_run *r)
{
    erg_error err;
    forgery_commands(r->world, 20);
    for (int part = 0; part < 4; part++) {
        must(erg_world_step(r->world, 250, &err), &err);
        must(erg_probes_watch(r->probes, r->world, &err), &err);
        ergi_schedule_advance(&r->state.rows, erg_world_time(r->world));
        for (size_t i = 0; i < r->fields.count; i++) {
            must(ergi_coarse_add(&r->fields.field[i].coarse, r->world, &err), &err);
            ergi_schedule_advance(&r->fields.field[i].sampling, erg_world_time(r->world));
        }
    }
    forgery_commands(r->world, erg_world_steps(r->world) + 2);
}

// ---- Forging -----------------------------------------------------------------------------------
static inline uint64_t pick_below(ergi_random *r, uint64_t count)
{
    return count ? ergi_random_u64(r) % count : 0;
}

static inline double strange_number(ergi_random *r, double old)
{
    const double numbers[] = {NAN,   INFINITY, -INFINITY, 0,         -old,       old * 2,
                              1e300, -1e300,   1e-300,    5e-324,    1e30,       -1e30,
                              1e-30, 1,        -1,        old * 1.1, old + 1e-3, 1e9};
    uint64_t     k = pick_below(r, sizeof numbers / sizeof *numbers);
    return numbers[k];
}

static inline uint64_t strange_whole(ergi_random *r, uint64_t old)
{
    const uint64_t numbers[] = {0,       1,       2,          UINT64_MAX,        old + 1, old - 1,
                                old * 2, 1 << 20, 0x7fffffff, (uint64_t)1 << 31, 255,     65535,
                                old + 4, old - 4, 99,         (uint64_t)1 << 53, old ^ 1, 4};
    uint64_t       k = pick_below(r, sizeof numbers / sizeof *numbers + 1);
    return k < sizeof numbers / sizeof *numbers ? numbers[k] : ergi_random_u64(r);
}

static inline void forge_number(ergi_random *r, char *at, ergi_container_type type)
{
    double   d = 0;
    float    f = 0;
    uint64_t whole = 0;
    size_t   size = ergi_container_type_size(type);
    switch (type) {
    case ERGI_CONTAINER_F64:
        memcpy(&d, at, sizeof d);
        d = strange_number(r, d);
        memcpy(at, &d, sizeof d);
        break;
    case ERGI_CONTAINER_F32:
        memcpy(&f, at, sizeof f);
        f = (float)strange_number(r, (double)f);
        memcpy(at, &f, sizeof f);
        break;
    default:
        memcpy(&whole, at, size);
        whole = strange_whole(r, whole);
        memcpy(at, &whole, size);
    }
}

// Changes one item, whose data has capacity for one more row; returns its rows.
static inline size_t forge_item(ergi_random *r, const ergi_container_item *item, char *data)
{
    size_t              size = ergi_container_type_size(item->type);
    size_t              row = size * (size_t)item->columns, rows = item->rows;
    ergi_container_type type = item->type;
    if (type == ERGI_CONTAINER_U8 && rows % 8 == 0 && pick_below(r, 8)) { // a struct of words
        type = pick_below(r, 2) ? ERGI_CONTAINER_F64 : ERGI_CONTAINER_U64;
        if (!pick_below(r, 4)) type = ERGI_CONTAINER_U32;
        size = ergi_container_type_size(type);
    }
    size_t count = rows * row / size;
    if (count == 0) return rows;
    switch (pick_below(r, 12)) {
    case 0: // random bytes in a range
        for (size_t k = pick_below(r, count), n = 1 + pick_below(r, 16); n > 0 && k < count; n--) {
            uint64_t noise = ergi_random_u64(r);
            memcpy(data + size * k++, &noise, size);
        }
        return rows;
    case 1: // two rows swapped
        if (rows > 1) {
            size_t a = pick_below(r, rows), b = pick_below(r, rows);
            for (size_t k = 0; k < row; k++) {
                char kept = data[a * row + k];
                data[a * row + k] = data[b * row + k];
                data[b * row + k] = kept;
            }
        }
        return rows;
    case 2: // one number replaced by another
        memcpy(data + size * pick_below(r, count), data + size * pick_below(r, count), size);
        return rows;
    case 3: // one row more or less
        if (pick_below(r, 2)) return rows - 1;
        memcpy(data + rows * row, data + pick_below(r, rows) * row, row);
        return rows + 1;
    default: forge_number(r, data + size * pick_below(r, count), type); return rows;
    }
}

// Writes a forgery of `whole` and describes in `what` which items it changed, and from which byte.
static inline void forge(ergi_random *r, const ergi_container *whole, const char *path, char *what,
                         size_t room)
{
    size_t                     count = 0;
    const ergi_container_item *original = ergi_container_items(whole, &count);
    ergi_container_item       *item = calloc(count, sizeof *item);
    char                     **data = calloc(count, sizeof *data);
    erg_error                  err;
    if (!item || !data) exit(1);
    memcpy(item, original, count * sizeof *item);
    what[0] = 0;
    for (uint64_t wounds = 1 + pick_below(r, 3) / 2; wounds > 0;) {
        size_t k = pick_below(r, count), at = 0;
        size_t row = ergi_container_type_size(item[k].type) * (size_t)item[k].columns,
               bytes = row * original[k].rows;
        // Damaged scenes are tested in test_scene_mutations.c; a name may be anything.
        if (data[k] || strcmp(item[k].name, "scene/text") == 0 ||
            strcmp(item[k].name, "run/name") == 0)
            continue;
        data[k] = malloc(bytes + row);
        if (!data[k]) exit(1);
        memcpy(data[k], original[k].data, bytes);
        size_t rows = forge_item(r, &item[k], data[k]);
        while (at < bytes && data[k][at] == ((const char *)original[k].data)[at]) at++;
        if (rows == item[k].rows && at == bytes) { // unchanged
            free(data[k]);
            data[k] = NULL;
            continue;
        }
        item[k].rows = rows;
        item[k].data = data[k];
        snprintf(what + strlen(what), room - strlen(what), " %s, byte %zu of %zu;", item[k].name,
                 at, bytes);
        wounds--;
    }
    must(ergi_container_write(path, item, count, NULL, &err), &err);
    for (size_t k = 0; k < count; k++) free(data[k]);
    free(data);
    free(item);
}

// ---- Checking ----------------------------------------------------------------------------------
static inline bool numbers_possible(const erg_world *world)
{
    size_t    n = erg_world_grain_count(world);
    erg_error err;
    double   *value = malloc((n + 1) * 3 * sizeof *value);
    bool      good = value && isfinite(erg_world_time(world)) && erg_world_dt(world) > 0 &&
                erg_world_steps(world) < (uint64_t)1 << 53;
    if (good && erg_world_read(world, ERG_FIELD_MASS, NULL, n, value, &err) == ERG_OK)
        for (size_t k = 0; k < n; k++) good = good && value[k] > 0 && isfinite(value[k]);
    if (good && erg_world_read(world, ERG_FIELD_POSITION, NULL, n, value, &err) == ERG_OK)
        for (size_t k = 0; k < 3 * n; k++) good = good && isfinite(value[k]);
    free(value);
    for (erg_id w = 1; w <= world->walls && good; w++) {
        erg_wall_state s;
        must(erg_world_wall_state(world, w, &s, &err), &err);
        good = ergi_finite(s.position) && ergi_finite(s.velocity) && ergi_finite(s.force);
    }
    return good;
}

// Uses a loaded world as a user would.
static inline bool goes_on(forgery_run *r)
{
    erg_error  err = {0};
    erg_stats  stats;
    size_t     count = 0, room = erg_world_contact_count(r->world) + 16;
    double     values[64], before = erg_world_time(r->world);
    bool       good = numbers_possible(r->world);
    erg_status status = erg_world_step(r->world, 4, &err);
    if (status == ERG_OK) good = good && erg_world_time(r->world) > before;
    if (status != ERG_OK) good = good && err.text[0] != 0;
    erg_contact *contacts = calloc(room, sizeof *contacts);
    if (contacts) (void)erg_world_contacts(r->world, contacts, room, &count, &err);
    free(contacts);
    (void)erg_world_stats(r->world, &stats, &err);
    (void)erg_probes_read(r->probes, r->world, values, &err);
    return good;
}

static inline erg_status forgery_load(forgery_run *r, const char *path, bool *changed,
                                      erg_error *err)
{
    ergi_container *box = NULL;
    erg_status      status = ergi_container_open(path, &box, err);
    if (status == ERG_OK) status = ergi_world_load_with(r->world, box, err);
    *changed = status == ERG_OK;
    const erg_scene_settings *s = erg_scene_get_settings(r->scene);
    double                    time = erg_world_time(r->world);
    if (status == ERG_OK)
        status = ergi_run_state_restore(&r->state, &r->snapshots, s, time, box, err);
    if (status == ERG_OK) status = ergi_probes_restore(r->probes, time, box, err);
    if (status == ERG_OK) status = ergi_fields_restore(&r->fields, time, box, err);
    ergi_container_close(box);
    return status;
}

// Returns the number of forgeries that were accepted.
static inline int forge_scene(const char *text, int forgeries, uint64_t seed)
{
    scratch         folder;
    forgery_run     source, target;
    ergi_container *whole = NULL;
    erg_error       err = {0};
    int             taken = 0;
    bool            changed;
    scratch_open(&folder);
    const char *forged = scratch_path(&folder, "forged.h5");
    forgery_run_open(&source, text);
    forgery_run_on(&source);
    must(ergi_run_state_save(&source.state, &source.snapshots, source.probes, &source.fields,
                             source.world, source.scene, "scene", folder.folder, false, &err),
         &err);
    const char *path = scratch_path(&folder, "checkpoint.h5");
    must(ergi_container_open(path, &whole, &err), &err);
    forgery_run_open(&target, text);
    uint64_t before = erg_world_hash(target.world);
    for (int k = 0; k < forgeries; k++) {
        ergi_random random = {.seed = seed, .id = (uint64_t)k};
        char        what[256];
        forge(&random, whole, forged, what, sizeof what);
        err.text[0] = 0;
        erg_status status = forgery_load(&target, forged, &changed, &err);
        bool       good = status != ERG_OK ? err.text[0] != 0 : goes_on(&target);
        if (!changed) good = good && erg_world_hash(target.world) == before;
        if (!good) {
            printf("    forgery %d of%s: %s\n", k, what, err.text);
            CHECK(good);
        }
        taken += status == ERG_OK;
        if (!changed) continue;
        forgery_run_close(&target);
        forgery_run_open(&target, text);
    }
    must(forgery_load(&target, path, &changed, &err), &err);
    CHECK(erg_world_hash(target.world) == erg_world_hash(source.world));
    ergi_container_close(whole);
    forgery_run_close(&source);
    forgery_run_close(&target);
    scratch_close(&folder);
    return taken;
}

static inline void forge_all_scenes(int forgeries)
{
    for (int k = 0; k < FORGERY_SCENES; k++) {
        int taken = forge_scene(forgery_scenes[k], forgeries, 11 + (uint64_t)k);
        printf("    scene %d: %d of %d forgeries are possible states\n", k + 1, taken, forgeries);
        fflush(stdout);
    }
}

#endif
