// DEM's part of a world's statistics: contact energy, rebuilds, times, memory.
#include <math.h>

#include "dem/dem_solver.h"
#include "dem/step.h"

static double pair_energy(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    ergi_pair_pass  pairs = ergi_pair_pass_of(world);
    double          energy = 0;
    for (int side = 0; side < ERGI_LIST_KINDS; side++) {
        const ergi_pair_entries *l = &pairs.side[side];
        for (erg_index i = 0; i < dem->lists.spheres; i++)
            for (uint32_t e = l->start[i]; e < l->start[i + 1]; e++)
                if (l->touching[e])
                    energy += dem->kernels->pair_state(&pairs, (ergi_list_kind)side, e, i).energy;
    }
    return energy;
}

static double wall_energy(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    ergi_wall_pass  walls = ergi_wall_pass_of(world);
    double          energy = 0;
    for (size_t r = 0; r + 1 < dem->lists.near.rows; r++)
        for (uint32_t e = walls.near_start[r]; e < walls.near_start[r + 1]; e++)
            for (int k = 0; k < walls.slots; k++)
                if (walls.feature[(size_t)e * (size_t)walls.slots + (size_t)k] != ERGI_NO_FEATURE)
                    energy += dem->kernels->wall_state(&walls, walls.near_sphere[r], e, k).energy;
    return energy;
}

void ergi_dem_stats(const erg_world *world, erg_stats *s)
{
    const ergi_dem *dem = ergi_dem_of(world);
    if (world->prepared) {
        s->elastic = pair_energy(world) + wall_energy(world) + dem->state.body_energy;
        s->dissipated =
            world->def.energy ? -world->clock.work - world->clock.body_work - s->elastic : 0;
    }
    s->rebuilds = world->clock.rebuilds;
    size_t listing = ergi_dem_list_bytes(world), most = dem->peak_list_bytes;
    s->most_bytes = s->bytes + (most > listing ? most - listing : 0);
    s->sort_s = dem->phase[ERGI_PHASE_SORT];
    s->lists_s = dem->phase[ERGI_PHASE_LISTS];
    s->forces_s = dem->phase[ERGI_PHASE_FORCES];
    s->integrate_s = dem->phase[ERGI_PHASE_INTEGRATE];
}

// ---- Memory ------------------------------------------------------------------------------------
size_t ergi_dem_bytes(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    return sizeof *dem + ergi_lists_bytes(&dem->lists) + ergi_lists_bytes(&dem->lists_spare) +
           ergi_table_bytes(&dem->spheres) + ergi_grid_bytes(&dem->grid) +
           dem->report_room * sizeof *dem->report + dem->partner_force_room +
           ergi_wall_sums_bytes(&dem->wall_sums) + ergi_near_walls_bytes(&dem->near_walls) +
           dem->near_ground.room * sizeof *dem->near_ground.row + dem->order_room * 4 +
           dem->was_room * 4 + dem->sorting_room * sizeof *dem->sorting + dem->runge_room * 8 +
           ergi_candidates_bytes(&dem->candidates) + dem->found_room * 4 +
           dem->sphere_skin_room * 4 + ergi_body_near_bytes(&dem->body_near) +
           ergi_table_bytes(&dem->body_contacts);
}

// Expected memory of bodies in a heap. Per inscribed sphere: contacts with one other body or wall,
// list entries for 16 of them whose boxes overlap its body's, and history for one in four.
static double heap_bytes(const erg_world *world)
{
    const ergi_dem *dem = ergi_dem_of(world);
    double          balls = 0, touch = 0, near = (double)ergi_body_near_bytes(&dem->body_near);
    for (size_t w = 0; w < world->walls && world->free_bodies; w++) {
        const ergi_body *body = &world->wall[w].body;
        if (body->exists) balls += (double)world->body_shape[body->shape].balls.count;
    }
    for (int c = 0; c < dem->body_contacts.columns; c++)
        touch += (double)dem->body_contacts.row_bytes[c];
    double heap = balls * (ERGI_BODY_HITS * sizeof(ergi_body_contact) +
                           16 * sizeof(ergi_near_inscribed) + 0.25 * 2 * touch);
    return fmax(heap, near) + (double)world->walls * sizeof(ergi_pose);
}

// Expected memory of wall lists and wall sums: spheres at the faces of a cubic bed, and the walls'
// boxes. Assumes that a wall is near two chunks, or is one of six around all of them.
static double near_walls_bytes(const erg_world *world, double spheres)
{
    const ergi_dem   *dem = ergi_dem_of(world);
    double            chunks = ceil(spheres / ERGI_CHUNK) + 1, entry = 0;
    const ergi_table *walls = &dem->lists.wall_entry;
    for (int c = 0; c < walls->columns; c++) entry += (double)walls->row_bytes[c];
    double box = sizeof(ergi_extents) + 2 * sizeof(ergi_box_tree_node) + sizeof(ergi_box_tree_key);
    double rows = chunks * fmin((double)world->walls + 1, 6) + 2 * (double)world->walls;
    return rows * (ERGI_WALL_SUM * sizeof(double) + 4) + (double)world->walls * box +
           6 * pow(spheres, 2.0 / 3) * 3 * entry;
}

// Bytes of a list entry beyond the 21 that ergi_dem_grain_bytes assumes: history of more springs,
// and coefficients.
static double entry_bytes(const ergi_dem *dem)
{
    const ergi_table *inner = &dem->lists.pairs[ERGI_INNER].entry;
    double            bytes = 4;
    for (int c = 0; c < inner->columns; c++) bytes += (double)inner->row_bytes[c];
    return fmax(0, bytes - 21);
}

// A dense bed has about seven candidate pairs per sphere. Lists exist twice, plus a copy of nearly
// all state for rollback, and tables reserve an extra eighth. A sphere of a clump takes 112 bytes,
// a list entry with contact history about 21.
double ergi_dem_grain_bytes(const erg_world *world, double spheres)
{
    (void)world;
    double sphere = spheres > 1 ? 112 : 20;
    return 1.125 * spheres * (2 * sphere + 7 * 3 * 21 + 60);
}

double ergi_dem_expected_bytes(const erg_world *world, double spheres)
{
    return 1.125 * (near_walls_bytes(world, spheres) + heap_bytes(world) +
                    7 * 3 * spheres * entry_bytes(ergi_dem_of(world)));
}
