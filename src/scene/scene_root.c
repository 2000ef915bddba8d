// The top level of a scene, with the blocks domain, run and output.
#include "scene/scene_def.h"
#include "solver/solvers.h"

#include <math.h>
#include <string.h>

#define AUTO .words = &ergi_auto_word, .word_count = 1

// ---- Domain ------------------------------------------------------------------------------------
static const ergi_word open_word[] = {{"open", HUGE_VAL, false}};
static const ergi_word axis_words[] = {{"x", 1, false}, {"y", 2, false}};

static const ergi_field corner_item = {
    .type = ERGI_VEC3, .unit = "m", ERGI_WORDS(open_word), ERGI_ITEM(erg_vec3)};

static const ergi_field domain_fields[] = {
    {"bounds", ERGI_LIST, ERGI_AT(ergi_scene_def, bounds), .item = &corner_item, .least = 2,
     .most = 2, ERGI_GIVEN(ergi_scene_def, bounded), .sets = "lower upper",
     .doc = "smallest and largest corner; grains whose centre leaves the domain are removed and "
            "counted as lost; `open` instead of a number: no bound in that direction; when absent, "
            "the domain is unbounded"},
    {"periodic", ERGI_FLAGS, ERGI_AT(ergi_scene_def, periodic), ERGI_WORDS(axis_words),
     .normal = "[]", .sets = "periodic_x periodic_y",
     .doc = "axes with periodic boundaries: what leaves on one side enters on the other; these "
            "axes need bounds"},
};

static void check_domain(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const ergi_scene_def *scene = entry;
    const double          low[3] = {scene->bounds[0].x, scene->bounds[0].y, scene->bounds[0].z};
    const double          high[3] = {scene->bounds[1].x, scene->bounds[1].y, scene->bounds[1].z};
    for (int k = 0; k < 3; k++) {
        bool open = isinf(low[k]) || isinf(high[k]);
        if (scene->bounded && !open && !(low[k] < high[k]))
            ergi_reader_fault(reader, map, "bounds",
                              "bounds are %g and %g along %c, expected the smaller first", low[k],
                              high[k], "xyz"[k]);
        else if (k < 2 && (scene->periodic >> k & 1u) && (!scene->bounded || open))
            ergi_reader_fault(reader, map, "periodic",
                              "periodic contains %c, expected bounds along %c as well", "xy"[k],
                              "xy"[k]);
    }
}

static const ergi_schema domain_schema = {"domain", ERGI_FIELDS(domain_fields),
                                          .size = sizeof(ergi_scene_def), .check = check_domain};

// ---- Run ---------------------------------------------------------------------------------------
static const ergi_word integrator_words[] = {
    {"verlet", ERG_VERLET, false}, {"euler", ERG_EULER, false}, {"rkf45", ERG_RKF45, false}};
static const ergi_word precision_words[] = {{"float", ERG_FLOAT, false},
                                            {"double", ERG_DOUBLE, false}};
static const ergi_word all_word[] = {{"all", 0, false}};

static const ergi_field run_fields[] = {
    {"time", ERGI_NUMBER, ERGI_AT(ergi_scene_def, settings.time), .unit = "s", .normal = "1",
     ERGI_FROM(0), .doc = "end time, measured from t = 0"},
    {"frame", ERGI_NUMBER, ERGI_AT(ergi_scene_def, settings.frame), .unit = "s", .normal = "auto",
     ERGI_ABOVE(0), AUTO,
     .doc = "simulated time between two frames of `output.video`; auto: `view.speed` / 30, for a "
            "film of 30 frames per second"},
    {"dt", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.dt), .unit = "s", .normal = "auto",
     ERGI_ABOVE(0), AUTO, .doc = "time step; an error if it is too long"},
    {"dt_factor", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.dt_factor), .normal = "0.05",
     ERGI_ABOVE_TO(0, 0.1), .doc = "dt divided by the shortest contact time, when dt is auto"},
    {"integrator", ERGI_WORD, ERGI_AT(ergi_scene_def, world.integrator),
     ERGI_WORDS(integrator_words), .normal = "verlet",
     .doc = "verlet: velocity Verlet; euler: semi-implicit; rkf45: Runge-Kutta-Fehlberg 4(5)"},
    {"precision", ERGI_WORD, ERGI_AT(ergi_scene_def, world.precision), ERGI_WORDS(precision_words),
     .normal = "float", .doc = "precision of laws and velocities; positions have 64 bits in both"},
    {"tolerance", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.tolerance), .normal = "1e-6",
     ERGI_FROM_TO(1e-14, 1),
     .doc = "rkf45 only: largest error per step, as a fraction of a radius"},
    {"speed", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.speed), .unit = "m/s", .normal = "auto",
     ERGI_ABOVE(0), AUTO,
     .doc = "highest expected impact speed; auto: the highest speed at which two objects can "
            "collide, from given velocities, drop height and wall motions"},
    {"skin", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.skin), .unit = "m", .normal = "auto",
     ERGI_ABOVE(0), AUTO,
     .doc = "gap up to which pairs enter the neighbour lists; auto: from the speed of each sphere"},
    {"max_overlap", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.max_overlap), .normal = "0.3",
     ERGI_ABOVE_BELOW(0, 1),
     .doc = "the run stops if an overlap exceeds this fraction of the smaller radius"},
    {"spin_damping", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.spin_damping), .unit = "1/s",
     .normal = "0", ERGI_FROM(0), .doc = "artificial damping of small spins; not physical"},
    {"orient_spheres", ERGI_BOOLEAN, ERGI_AT(ergi_scene_def, world.orient_spheres),
     .normal = "false", .doc = "also integrate the orientation of single spheres"},
    {"energy", ERGI_BOOLEAN, ERGI_AT(ergi_scene_def, world.energy), .normal = "true",
     .doc = "sum the energy dissipated in contacts"},
    {"threads", ERGI_INTEGER, ERGI_AT(ergi_scene_def, world.threads), .normal = "all",
     ERGI_FROM_TO(1, 1024), ERGI_WORDS(all_word),
     .doc = "maximum number of threads; one is used where that is faster; does not affect the "
            "result; --threads overrides it"},
};
static const ergi_schema run_schema = {"run", ERGI_FIELDS(run_fields),
                                       .size = sizeof(ergi_scene_def)};

// ---- The real-time solver ----------------------------------------------------------------------
static const ergi_word variant_words[] = {{"erg", ERG_PBD_ERG, false},
                                          {"sommer", ERG_PBD_SOMMER, false}};
static const ergi_word limit_words[] = {{"depth", ERG_PBD_LIMIT_DEPTH, false},
                                        {"diameter", ERG_PBD_LIMIT_DIAMETER, false}};

static const ergi_field pbd_fields[] = {
    {"variant", ERGI_WORD, ERGI_AT(ergi_scene_def, world.pbd.variant), ERGI_WORDS(variant_words),
     .normal = "erg",
     .doc = "erg: contacts that remember, heaps stand; sommer: the algorithm of Sommer 2022"},
    {"substeps", ERGI_INTEGER, ERGI_AT(ergi_scene_def, world.pbd.substeps), .normal = "auto",
     ERGI_FROM_TO(1, 1024), AUTO,
     .doc = "per 1/60 s; auto: as many as the motion needs, 8 at least"},
    {"iterations", ERGI_INTEGER, ERGI_AT(ergi_scene_def, world.pbd.iterations), .normal = "auto",
     ERGI_FROM_TO(1, 64), AUTO,
     .doc = "of the solver in a substep; auto: 1, up to 32 under loads, variant sommer: 4"},
    {"mass_scaling", ERGI_NUMBER, ERGI_AT(ergi_scene_def, world.pbd.mass_scaling), .unit = "1/m",
     .normal = "1", ERGI_FROM(0),
     .doc = "variant sommer only: contacts between grains weigh them as m exp(-mass_scaling h), "
            "h: height; 0: m"},
    {"friction_limit", ERGI_WORD, ERGI_AT(ergi_scene_def, world.pbd.friction_limit),
     ERGI_WORDS(limit_words), .normal = "depth",
     .doc = "variant sommer only: friction is limited by friction times the depth of the overlap, "
            "or times the sum of the radii, as the paper's equations are printed"},
};
static const ergi_schema pbd_schema = {"pbd", ERGI_FIELDS(pbd_fields),
                                       .size = sizeof(ergi_scene_def)};

// ---- Output ------------------------------------------------------------------------------------
static const ergi_word snapshot_words[] = {{"vtk", ERG_SNAPSHOT_VTP, false},
                                           {"vtp", ERG_SNAPSHOT_VTP, false},
                                           {"hdf", ERG_SNAPSHOT_HDF, false},
                                           {"ply", ERG_SNAPSHOT_PLY, false},
                                           {"none", 0, false}};

static const ergi_word terrain_words[] = {{"png", ERG_TERRAIN_PNG, false},
                                          {"vti", ERG_TERRAIN_VTI, false},
                                          {"ply", ERG_TERRAIN_PLY, false},
                                          {"none", 0, false}};

static const ergi_field output_fields[] = {
    {"snapshots", ERGI_FLAGS, ERGI_AT(ergi_scene_def, settings.snapshots),
     ERGI_WORDS(snapshot_words), .normal = "[]",
     .doc = "formats; vtk is the same as vtp (VTK XML); hdf: VTKHDF"},
    {"terrain", ERGI_FLAGS, ERGI_AT(ergi_scene_def, settings.terrain), ERGI_WORDS(terrain_words),
     .normal = "[]",
     .doc = "files of the terrain's surface, with each snapshot; png: 16-bit greyscale, as "
            "`terrain` reads it; vti: VTK image; ply: mesh"},
    {"every", ERGI_NUMBER, ERGI_AT(ergi_scene_def, settings.snapshot_every), .unit = "s",
     .normal = "0.05", ERGI_ABOVE(0), .doc = "time between snapshots"},
    {"contacts", ERGI_BOOLEAN, ERGI_AT(ergi_scene_def, settings.contacts), .normal = "false",
     .doc = "also write the contacts of each snapshot, as lines with forces: contacts-000000.vtp"},
    {"series_every", ERGI_NUMBER, ERGI_AT(ergi_scene_def, settings.series_every), .unit = "s",
     .normal = "0.01", ERGI_ABOVE(0), .doc = "time between rows of series.csv"},
    {"checkpoint_every", ERGI_NUMBER, ERGI_AT(ergi_scene_def, settings.checkpoint_every),
     .unit = "s", .normal = "60", ERGI_ABOVE(0), .doc = "wall-clock time between checkpoints"},
    {"video", ERGI_BOOLEAN, ERGI_AT(ergi_scene_def, settings.video), .normal = "false",
     .doc = "also write a film, video.mp4, with a frame every `run.frame`"},
};
static const ergi_schema output_schema = {"output", ERGI_FIELDS(output_fields),
                                          .size = sizeof(ergi_scene_def)};

// ---- Top level ---------------------------------------------------------------------------------
#define SOLVER_WORD(NAME, name, built, table) {name, ERG_SOLVER_##NAME, !(built)},
static const ergi_word solver_words[] = {ERGI_SOLVERS(SOLVER_WORD)};

static const ergi_field scene_fields[] = {
    {"title", ERGI_TEXT, ERGI_AT(ergi_scene_def, settings.title),
     .doc = "one line about the scene"},
    {"solver", ERGI_WORD, ERGI_AT(ergi_scene_def, world.solver), ERGI_WORDS(solver_words),
     .normal = "dem",
     .doc = "dem: discrete elements (soft spheres), the reference; pbd: position-based dynamics, "
            "for real time"},
    {"gravity", ERGI_VEC3, ERGI_AT(ergi_scene_def, world.gravity), .unit = "m/s^2",
     .normal = "[0, 0, -9.81]", .doc = "gravitational acceleration"},
    {"seed", ERGI_INTEGER, ERGI_AT(ergi_scene_def, world.seed), .normal = "1", ERGI_FROM(0),
     .doc = "seed of all random numbers in the scene"},
    {"domain", ERGI_BLOCK, .schema = &domain_schema,
     .doc = "bounds and periodic axes of the simulation"},
    {"materials", ERGI_MAP, ERGI_LIST_AT(ergi_scene_def, materials, material_count),
     .schema = &ergi_material_schema, .required = true, .least = 1, .most = ERG_MAX_MATERIALS,
     .doc = "material properties"},
    {"pairs", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, pairs, pair_count),
     .schema = &ergi_pair_schema, .most = 10000,
     .doc = "contact properties of particular pairs of materials"},
    {"contact", ERGI_BLOCK, ERGI_AT(ergi_scene_def, world.contact), .schema = &ergi_contact_schema,
     .doc = "contact laws"},
    {"grains", ERGI_MAP, ERGI_LIST_AT(ergi_scene_def, grains, grain_count),
     .schema = &ergi_grain_schema, .doc = "grain kinds"},
    {"fill", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, fills, fill_count),
     .schema = &ergi_fill_schema, .doc = "initial grains"},
    {"emitters", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, emitters, emitter_count),
     .schema = &ergi_emitter_schema, .doc = "sources of grains during the run"},
    {"sinks", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, sinks, sink_count),
     .schema = &ergi_sink_schema, .doc = "regions in which grains are removed"},
    {"walls", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, walls, wall_count),
     .schema = &ergi_wall_schema, .doc = "surfaces that grains collide with"},
    {"bodies", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, bodies, body_count),
     .schema = &ergi_body_schema, .doc = "rigid bodies"},
    {"terrain", ERGI_BLOCK, ERGI_AT(ergi_scene_def, terrain), .schema = &ergi_terrain_schema,
     .by_pointer = true, .doc = "columns of sand below the grains"},
    {"upsample", ERGI_BLOCK, ERGI_AT(ergi_scene_def, upsample), .schema = &ergi_upsample_schema,
     .by_pointer = true, .doc = "fine particles around the grains"},
    {"pbd", ERGI_BLOCK, .schema = &pbd_schema, .doc = "the real-time solver, where that is chosen"},
    {"probes", ERGI_LIST, ERGI_LIST_AT(ergi_scene_def, settings.probes, settings.probe_count),
     .schema = &ergi_probe_schema, .doc = "measurements"},
    {"run", ERGI_BLOCK, .schema = &run_schema, .doc = "duration, time step and numerical settings"},
    {"output", ERGI_BLOCK, .schema = &output_schema, .doc = "output files"},
    {"view", ERGI_BLOCK, ERGI_AT(ergi_scene_def, view), .schema = &ergi_view_schema,
     .doc = "appearance in pictures and films"},
};

// Names of probes and of bodies both begin column names of series.csv, so they must differ.
static void check_column_names(ergi_reader *reader, const ergi_node *map,
                               const ergi_scene_def *scene)
{
    for (size_t i = 0; i < scene->settings.probe_count; i++)
        for (size_t k = 0; k < scene->body_count; k++) {
            const char *probe = scene->settings.probes[i].name, *body = scene->bodies[k].def.name;
            if (body && strcmp(probe, body) == 0)
                ergi_reader_fault(reader, map, "probes",
                                  "probe and body are both named '%s', expected two names: both "
                                  "have columns in series.csv",
                                  body);
        }
}

// A force probe refers to an entry, walls first, then bodies; the world also numbers the copies in
// grids.
static void number_probed_bodies(ergi_reader *reader, const ergi_node *map,
                                 const ergi_scene_def *scene)
{
    erg_probe_def *probe = (erg_probe_def *)scene->settings.probes; // owned by the scene
    for (size_t i = 0; i < scene->settings.probe_count; i++) {
        if (probe[i].kind != ERG_PROBE_FORCE || probe[i].wall <= scene->wall_count) continue;
        size_t entry = probe[i].wall - 1 - scene->wall_count;
        if (ergi_scene_copies(&scene->bodies[entry].grid) > 1)
            ergi_reader_fault(
                reader, map, "probes",
                "probe '%s' measures body '%s', a grid of %zu bodies, expected a single body",
                probe[i].name, scene->bodies[entry].def.name,
                ergi_scene_copies(&scene->bodies[entry].grid));
        probe[i].wall = ergi_scene_body_id(scene, entry);
    }
}

// Rejects a period so short that the output times of a run cannot be counted. The message names the
// period if `in`, the map called `block`, gives it, else the end of the run. `in` may be NULL.
static void check_period(ergi_reader *reader, const ergi_node *map, const ergi_node *in,
                         const char *block, const char *key, double every, double end)
{
    const ergi_node *run = ergi_node_find(map, "run");
    if (!(every > 0) || end / every <= 0x1p53) return; // integers that a double represents exactly
    if (in && ergi_node_find(in, key))
        ergi_reader_fault(reader, in, key,
                          "%s.%s is %g s, more periods than can be counted in a run of %g s, "
                          "expected at least %.3g s",
                          block, key, every, end, end / 0x1p53);
    else
        ergi_reader_fault(reader, run ? run : map, "time",
                          "run.time is %g s, more periods of %s.%s, %g s, than can be counted, "
                          "expected at most %.3g s",
                          end, block, key, every, every * 0x1p53);
}

// A field is sampled several times per file.
static void check_field_period(ergi_reader *reader, const ergi_node *map, const ergi_node *field,
                               const erg_probe_def *probe, double end)
{
    double most = end * probe->samples / 0x1p53;
    if (!(probe->every > 0) || probe->every >= most) return;
    if (field && ergi_node_find(field, "every"))
        ergi_reader_fault(
            reader, field, "every",
            "every is %g s, more samples than can be counted in a run of %g s, expected at "
            "least %.3g s",
            probe->every, end, most);
    else
        check_period(reader, map, NULL, probe->name, "every", probe->every / probe->samples, end);
}

static void check_periods(ergi_reader *reader, const ergi_node *map, const ergi_scene_def *scene)
{
    const erg_scene_settings *s = &scene->settings;
    const ergi_node *output = ergi_node_find(map, "output"), *run = ergi_node_find(map, "run"),
                    *probes = ergi_node_find(map, "probes"), *item = probes ? probes->first : NULL;
    check_period(reader, map, output, "output", "series_every", s->series_every, s->time);
    check_period(reader, map, output, "output", "every", s->snapshot_every, s->time);
    check_period(reader, map, run, "run", "frame", s->frame, s->time);
    for (size_t i = 0; i < s->probe_count && item; i++, item = item->next)
        if (s->probes[i].kind == ERG_PROBE_FIELD)
            check_field_period(reader, map, ergi_node_find(item, "field"), &s->probes[i], s->time);
}

static void check_scene(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const ergi_scene_def *scene = entry;
    check_column_names(reader, map, scene);
    check_periods(reader, map, scene);
    if (scene->settings.terrain && !scene->terrain)
        ergi_reader_fault(reader, ergi_node_find(map, "output"), "terrain",
                          "output.terrain asks for files of a terrain, but the scene has none");
    number_probed_bodies(reader, map, scene);
    ergi_scene_number_attachments(reader, map, scene);
    for (size_t i = 0; i < scene->pair_count; i++) {
        for (size_t k = 0; k < i; k++) {
            const erg_pair_def *p = &scene->pairs[i], *q = &scene->pairs[k];
            if ((p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a)) {
                ergi_reader_fault(reader, map, "pairs",
                                  "pairs %zu and %zu are of the same materials, expected one", k,
                                  i);
                return;
            }
        }
    }
}

const ergi_schema ergi_scene_schema = {"scene", ERGI_FIELDS(scene_fields),
                                       .size = sizeof(ergi_scene_def), .check = check_scene};
