// The bench `peers`: erg and another code by turns on the same pack, so that what else the machine
// does meets both alike.
#include "lammps.h"
#include "measure.h"

#include <math.h>

typedef struct race {
    uint64_t      steps, rebuilds, peer_rebuilds;
    double        seconds[BENCH_MAX_REPEATS], peer_seconds[BENCH_MAX_REPEATS];
    double        ratio[BENCH_MAX_REPEATS]; // of each pair of windows
    lammps_window last;
} race;

static erg_status run_rounds(race *r, erg_world *world, const lammps *peer, int threads, int rounds,
                             erg_error *err)
{
    erg_stats  before, after;
    erg_status status = erg_world_stats(world, &before, err);
    for (int k = 0; k < rounds && status == ERG_OK; k++) {
        status = bench_window(world, r->steps, &r->seconds[k], err);
        if (status == ERG_OK) status = lammps_run(peer, r->steps, threads, &r->last, err);
        if (status != ERG_OK) break;
        r->peer_seconds[k] = r->last.seconds;
        r->peer_rebuilds += r->last.rebuilds;
        r->ratio[k] = r->last.seconds / r->seconds[k];
        double work = 1e-6 * (double)r->steps * (double)peer->pack->count;
        bench_say("round %d: erg %.3f, LAMMPS %.3f million particle-steps/s, ratio %.3f", k + 1,
                  work / r->seconds[k], work / r->peer_seconds[k], r->ratio[k]);
    }
    if (status == ERG_OK) status = erg_world_stats(world, &after, err);
    if (status == ERG_OK) r->rebuilds = after.rebuilds - before.rebuilds;
    return status;
}

static void add_peer(bench_row *row, const race *r, const lammps *peer, int rounds)
{
    double work = (double)r->steps * (double)peer->pack->count;
    bench_row_count(row, "rebuilds", r->rebuilds);
    bench_row_text(row, "code", "LAMMPS gran/hertz/history");
    bench_row_text(row, "peer_version", peer->version);
    bench_row_number(row, "peer_particle_steps_per_s",
                     work / bench_median(r->peer_seconds, rounds));
    bench_row_number(row, "peer_best_particle_steps_per_s",
                     work / bench_least(r->peer_seconds, rounds));
    bench_row_number(row, "ratio", bench_median(r->ratio, rounds));
    bench_row_number(row, "peer_coordination", r->last.coordination);
    bench_row_number(row, "peer_kinetic_per_mgd", r->last.kinetic);
    bench_row_number(row, "peer_skin", 2e-4);
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
    if (status == ERG_OK) status = bench_window_steps(world, options->window, &r.steps, err);
    if (status == ERG_OK) status = run_rounds(&r, world, peer, threads, options->repeats, err);
    bench_row *row = bench_rows_add(rows);
    if (status == ERG_OK && !row) status = bench_fail(err, ERG_NO_MEMORY, "out of memory");
    if (status == ERG_OK)
        status = pack_row(row, "pack", p, world, threads, r.steps, r.seconds, options->repeats, err);
    if (status == ERG_OK) add_peer(row, &r, peer, options->repeats);
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
