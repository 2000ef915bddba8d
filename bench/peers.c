// The bench `peers`: erg and another code by turns on the same pack, so that what else the machine
// does meets both alike.
#include "lammps.h"
#include "measure.h"

typedef struct race {
    bench_times   erg, peer;
    double        ratio[BENCH_MAX_REPEATS]; // of each pair of windows, erg's speed over the peer's
    double        cpu_ratio[BENCH_MAX_REPEATS]; // the same by processor time
    uint64_t      rebuilds, peer_rebuilds;
    lammps_window last;
} race;

static erg_status run_round(race *r, erg_world *world, const lammps *peer, int threads,
                            erg_error *err)
{
    int        k = r->erg.count;
    erg_status status = bench_window(world, &r->erg, err);
    if (status == ERG_OK) status = lammps_run(peer, r->erg.steps, threads, &r->last, err);
    if (status != ERG_OK) return status;
    r->peer.wall[k] = r->last.wall;
    r->peer.cpu[k] = r->last.cpu;
    r->peer.count++;
    r->peer_rebuilds += r->last.rebuilds;
    r->ratio[k] = r->last.wall / r->erg.wall[k];
    r->cpu_ratio[k] = r->last.cpu / r->erg.cpu[k];
    double work = 1e-6 * (double)r->erg.steps * (double)peer->pack->count;
    bench_say("round %d: erg %.3f, LAMMPS %.3f million particle-steps/s, ratio %.3f "
              "(by processor time %.3f, %.3f, ratio %.3f)",
              k + 1, work / r->erg.wall[k], work / r->peer.wall[k], r->ratio[k],
              work / r->erg.cpu[k], work / r->peer.cpu[k], r->cpu_ratio[k]);
    return ERG_OK;
}

static erg_status run_rounds(race *r, erg_world *world, const lammps *peer, int threads, int rounds,
                             erg_error *err)
{
    erg_stats  before, after;
    erg_status status = erg_world_stats(world, &before, err);
    for (int k = 0; k < rounds && status == ERG_OK; k++)
        status = run_round(r, world, peer, threads, err);
    if (status == ERG_OK) status = erg_world_stats(world, &after, err);
    if (status == ERG_OK) r->rebuilds = after.rebuilds - before.rebuilds;
    return status;
}

static void add_peer(bench_row *row, const race *r, const lammps *peer)
{
    int    rounds = r->peer.count;
    double work = (double)r->erg.steps * (double)peer->pack->count;
    bench_row_text(row, "code", "LAMMPS gran/hertz/history");
    bench_row_text(row, "peer_version", peer->version);
    bench_row_number(row, "peer_particle_steps_per_s", work / bench_median(r->peer.wall, rounds));
    bench_row_number(row, "peer_best_particle_steps_per_s",
                     work / bench_least(r->peer.wall, rounds));
    bench_row_number(row, "ratio", bench_median(r->ratio, rounds));
    bench_row_number(row, "cpu_ratio", bench_median(r->cpu_ratio, rounds));
    bench_row_number(row, "peer_cpu_s", bench_median(r->peer.cpu, rounds));
    bench_row_number(row, "peer_coordination", r->last.coordination);
    bench_row_number(row, "peer_kinetic_per_mgd", r->last.kinetic);
    bench_row_number(row, "peer_skin", LAMMPS_SKIN);
    bench_row_count(row, "peer_rebuilds", r->peer_rebuilds);
    bench_row_number(row, "peer_bytes_per_particle", r->last.bytes);
    bench_row_text(row, "unmatched", LAMMPS_UNMATCHED);
}

static erg_status race_pack(const pack *p, const lammps *peer, const bench_options *options,
                            int threads, bench_rows *rows, erg_error *err)
{
    race       r = {0};
    erg_world *world = NULL;
    bench_say("%zu spheres on %d thread%s", p->count, threads, threads > 1 ? "s" : "");
    erg_status status = pack_world(p, options->cache, threads, &world, err);
    if (status == ERG_OK) status = bench_windows(world, options->window, &r.erg, err);
    if (status == ERG_OK) status = run_rounds(&r, world, peer, threads, options->repeats, err);
    if (status == ERG_OK) status = pack_row(rows, p, world, threads, &r.erg, r.rebuilds, err);
    if (status == ERG_OK) add_peer(&rows->row[rows->count - 1], &r, peer);
    erg_world_destroy(world);
    return status;
}

erg_status bench_peers(const bench_options *options, bench_rows *rows, erg_error *err)
{
    pack       p;
    lammps     peer;
    erg_status status = pack_get(options->count, options->cache, &p, err);
    if (status != ERG_OK) return status;
    status = lammps_prepare(&peer, &p, options->cache, options->threads[1] > 1 ? 2 : 1, err);
    for (int k = 0; k < 2 && options->threads[k] && status == ERG_OK; k++)
        status = race_pack(&p, &peer, options, options->threads[k], rows, err);
    pack_free(&p);
    return status;
}
