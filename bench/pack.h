// The settled pack: what pack and peers measure.
//
//        tile                      pack
//     . ' . ' . '      |o o o|o o o|o o o|     A periodic tile of 5000 spheres on a floor is
//     dropped ' . ' . ' .  =>  |oo oo|oo oo|oo oo|     from a loose lattice and comes to rest;
//     copies of it
//    _____________     |o_o_o|o_o_o|o_o_o|     side by side inside four walls come to rest again.
//
// Spheres of 2 mm, 2500 kg/m^3, E 10 MPa, nu 0.25, e 0.65, mu 0.5, Hertz and Mindlin with history,
// dt 10 us: about 4.65 contacts a sphere and a volume fraction of 0.58, whatever the count.
#ifndef ERG_BENCH_PACK_H
#define ERG_BENCH_PACK_H

#include "bench.h"
#include "measure.h"

#include "erg/world.h"

#define PACK_RADIUS 1e-3    // [m]
#define PACK_DENSITY 2500.0 // [kg/m^3]
#define PACK_DT 1e-5        // [s]
#define PACK_GRAVITY 9.81   // [m/s^2]
#define PACK_QUIET 1e-9     // kinetic energy a grain, in m g d, of what counts as settled

typedef struct pack {
    size_t    count;
    erg_vec3 *position;            // centres, almost at rest [m]
    double    low, high_x, high_y; // where the side walls are; the floor is at z = 0 [m]
} pack;

// From the cache, or settled now, which takes a while, and put there. `count` is rounded to whole
// tiles; below one tile it is exact.
erg_status pack_get(size_t count, const char *cache, pack *p, erg_error *err);
void       pack_free(pack *p);

// The pack in its walls, at rest: from a checkpoint in the cache, or, when there is none, brought
// to rest on so many threads and put there.
erg_status pack_world(const pack *p, const char *cache, int threads, erg_world **world,
                      erg_error *err);

typedef struct pack_quality {
    double coordination;    // touching spheres a sphere, walls not counted
    double volume_fraction; // away from walls and surface; nan when nothing is
    double kinetic;         // energy a grain, turning included, in m g d
} pack_quality;
erg_status pack_look(const pack *p, const erg_world *world, pack_quality *quality, erg_error *err);

// A new row with the fields that all rows about the pack have. `rebuilds` of the lists happened
// during the windows.
erg_status pack_row(bench_rows *rows, const pack *p, const erg_world *world, int threads,
                    const bench_times *times, uint64_t rebuilds, erg_error *err);

#endif
