// The bench `peers`: erg and another code alternately on the same scene, so that disturbances by
// other processes affect both equally.
#include "matter.h"
#include "peer_state.h"

#include <math.h>
#include <string.h>

static const peer *const        PEERS[] = {&PEER_LAMMPS, &PEER_LIGGGHTS, &PEER_YADE, NULL};
static const bench_scene *const SCENES[] = {&SCENE_PACK, &SCENE_HOPPER, &SCENE_TETRA, &SCENE_MIXED,
                                            NULL};

// One scene against one peer.
typedef struct race {
    const bench_scene *scene;
    const peer        *peer;
    void              *self;   // the peer's data
    size_t             grains; // requested
    peer_state         state;
    bench_times        erg, other;
    double             ratio[BENCH_MAX_REPEATS];     // of each round: erg's speed over the peer's
    double             cpu_ratio[BENCH_MAX_REPEATS]; // the same by processor time
    double             coordination;                 // of erg, after the first round
    uint64_t           other_rebuilds;
    peer_window        last;
} race;

static erg_status run_round(race *r, erg_world *world, int threads, erg_error *err)
{
    int        k = r->erg.count;
    erg_stats  stats;
    erg_status status = bench_window(world, &r->erg, err);
    if (status == ERG_OK && k == 0) {
        status = erg_world_stats(world, &stats, err);
        if (status == ERG_OK) r->coordination = matter_coordination(&stats);
    }
    if (status == ERG_OK) status = r->peer->run(r->self, r->erg.steps, threads, &r->last, err);
    if (status != ERG_OK) return status;
    r->other.wall[k] = r->last.wall;
    r->other.cpu[k] = r->last.cpu;
    r->other.count++;
    r->other_rebuilds += r->last.rebuilds;
    r->ratio[k] = r->last.wall / r->erg.wall[k];
    r->cpu_ratio[k] = r->last.cpu / r->erg.cpu[k];
    double work = 1e-6 * (double)r->erg.steps * (double)r->state.spheres;
    bench_say("round %d: erg %.3f, %s %.3f million particle-steps/s, ratio %.3f "
              "(by processor time %.3f, %.3f, ratio %.3f)",
              k + 1, work / r->erg.wall[k], r->peer->name, work / r->other.wall[k], r->ratio[k],
              work / r->erg.cpu[k], work / r->other.cpu[k], r->cpu_ratio[k]);
    return ERG_OK;
}

// Whether the peer is at rest, too, and has the same number of contacts.
static void add_fairness(bench_row *row, const race *r)
{
    double off = r->last.coordination / r->coordination - 1;
    bench_row_number(row, "coordination_off", off);
    if (!(fabs(off) < 0.02))
        bench_say("note: the number of contacts in %s differs from erg's by %+.1f %%",
                  r->peer->name, 100 * off);
    if (!r->state.at_rest) return;
    bool settled = r->last.kinetic < MATTER_QUIET;
    bench_row_flag(row, "peer_settled", settled);
    if (!settled)
        bench_say("note: %s is not quite at rest: %.1e m g d per grain, expected below %.0e",
                  r->peer->name, r->last.kinetic, MATTER_QUIET);
}

static void add_peer(bench_row *row, const race *r)
{
    int    rounds = r->other.count;
    double work = (double)r->erg.steps * (double)r->state.spheres;
    char   version[64], settings[128];
    r->peer->describe(r->self, version, settings);
    bench_row_text(row, "code",
                   r->state.scene == PEER_MIXED ? r->peer->rolling_code : r->peer->code);
    bench_row_text(row, "peer_version", version);
    bench_row_text(row, "peer_settings", settings);
    bench_row_number(row, "peer_particle_steps_per_s", work / bench_median(r->other.wall, rounds));
    bench_row_number(row, "peer_best_particle_steps_per_s",
                     work / bench_least(r->other.wall, rounds));
    bench_row_number(row, "ratio", bench_median(r->ratio, rounds));
    bench_row_number(row, "cpu_ratio", bench_median(r->cpu_ratio, rounds));
    bench_row_number(row, "peer_cpu_s", bench_median(r->other.cpu, rounds));
    bench_row_number(row, "peer_coordination", r->last.coordination);
    bench_row_number(row, "peer_kinetic_per_mgd", r->last.kinetic);
    bench_row_number(row, "peer_skin", r->last.skin);
    bench_row_count(row, "peer_rebuilds", r->other_rebuilds);
    bench_row_number(row, "peer_bytes_per_particle", r->last.bytes);
    bench_row_text(row, "unmatched",
                   r->state.scene == PEER_MIXED ? r->peer->rolling_unmatched : r->peer->unmatched);
    add_fairness(row, r);
}

// Both start each row from the scene's state and then continue independently.
static erg_status run_row(race *r, const bench_options *options, int threads, bench_rows *rows,
                          erg_error *err)
{
    erg_world *world = NULL;
    erg_stats  before;
    bench_say("%s: %zu spheres on %d thread%s", r->scene->name, r->state.spheres, threads,
              threads > 1 ? "s" : "");
    r->other = (bench_times){0};
    r->other_rebuilds = 0;
    erg_status status = r->peer->tune(r->self, threads, err);
    if (status == ERG_OK)
        status = scene_open(r->scene, r->grains, options->cache, threads, &world, err);
    if (status == ERG_OK) status = bench_windows(world, options->window, &r->erg, err);
    if (status == ERG_OK) status = erg_world_stats(world, &before, err);
    for (int k = 0; k < options->repeats && status == ERG_OK; k++)
        status = run_round(r, world, threads, err);
    if (status == ERG_OK)
        status = scene_row(r->scene, r->grains, world, threads, &r->erg, &before, rows, err);
    if (status == ERG_OK) add_peer(&rows->row[rows->count - 1], r);
    erg_world_destroy(world);
    return status;
}

static erg_status run_race(race *r, const bench_options *options, bench_rows *rows, erg_error *err)
{
    int        most = options->threads[1] > 1 ? options->threads[1] : options->threads[0];
    erg_status status = r->peer->prepare(&r->state, options->cache, most, &r->self, err);
    if (status != ERG_OK) return status;
    for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++)
        status = run_row(r, options, options->threads[k], rows, err);
    r->peer->free(r->self);
    return status;
}

static bool is_wanted(const char *asked, const char *name)
{
    return !asked || strcmp(asked, "all") == 0 || strcmp(asked, name) == 0;
}

// Runs all selected peers that support the scene and are installed. A missing peer is reported;
// `raced` counts the others, and none at all is an error.
static erg_status race_scene(const bench_scene *scene, const bench_options *options,
                             bench_rows *rows, int *raced, erg_error *err)
{
    erg_world *world = NULL;
    race       r = {.scene = scene, .grains = scene->grains(options->count)};
    erg_status status = scene_open(scene, r.grains, options->cache, 1, &world, err);
    if (status == ERG_OK) status = peer_state_read(scene, r.grains, world, &r.state, err);
    erg_world_destroy(world);
    for (int k = 0; PEERS[k] && status == ERG_OK; k++) {
        r.peer = PEERS[k];
        if (!is_wanted(options->peer, r.peer->name) || !r.peer->knows(scene->peer)) continue;
        if (r.peer->most && r.state.spheres > r.peer->most) {
            bench_say("%s is compared only up to %zu spheres", r.peer->name, r.peer->most);
            continue;
        }
        status = run_race(&r, options, rows, err);
        if (status == ERG_OK) ++*raced;
        if (status == ERG_NOT_BUILT) {
            bench_say("%s", err->text);
            status = ERG_OK;
        }
    }
    peer_state_free(&r.state);
    return status;
}

erg_status bench_peers(const bench_options *options, bench_rows *rows, erg_error *err)
{
    int        raced = 0;
    erg_status status = ERG_OK;
    err->text[0] = '\0';
    for (int k = 0; SCENES[k] && status == ERG_OK; k++)
        if (is_wanted(options->scene, SCENES[k]->name))
            status = race_scene(SCENES[k], options, rows, &raced, err);
    if (status != ERG_OK || raced > 0) return status;
    // err holds the message of a missing peer.
    if (err->text[0]) return err->status = ERG_NOT_BUILT;
    return bench_fail(err, ERG_NOT_BUILT,
                      "no peer runs this scene with %zu spheres; use fewer with --n",
                      options->count);
}

bool bench_peer_exists(const char *name)
{
    for (int k = 0; PEERS[k]; k++)
        if (strcmp(PEERS[k]->name, name) == 0) return true;
    return strcmp(name, "all") == 0;
}
