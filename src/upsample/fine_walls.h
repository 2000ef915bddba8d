// Contact of fine particles with walls and bodies. The centre of a particle stays a radius away
// from every surface. Its path over the last step is traced in the frame of the wall, which
// includes the wall's own motion, in strides shorter than the distance to the surface (sphere
// tracing), so that particles do not pass through thin plates or fast tools. On contact a particle
// slides with friction.
#ifndef ERGI_FINE_WALLS_H
#define ERGI_FINE_WALLS_H

#include "contact/box_tree.h"
#include "geom/query_heights.h"
#include "geom/query_placed.h"
#include "upsample/fine.h"
#include "upsample/gap_table.h"
#include "world/world.h"

typedef struct ergi_fine_wall {
    const ergi_surface   *surface;
    const ergi_gap_table *table;    // of this and of all equal surfaces
    ergi_placement        from, to; // at the last step of the particles, and now
    erg_vec3              velocity, spin;
    ergi_extents          box;   // bounds of both placements; all of space for a container [m]
    double                sweep; // bound on the change of a distance to it in between [m]
    bool                  moves; // between the two placements
    // Smooth, not a mesh, and with particles on one side only: checked in every step, for blocks
    // (block_walls.h, fine_ground.h).
    bool simple;
} ergi_fine_wall;

typedef struct ergi_fine_walls {
    ergi_fine_wall *wall;
    size_t          count, room;
    ergi_extents   *box;
    size_t          box_room;
    ergi_box_tree   tree;
    ergi_gap_table *table;          // the first one is empty, for walls without
    uint32_t       *table_of;       // number of the table of each wall: equal walls share one
    size_t          tables, tabled; // number of tables, and of walls that they were made for
    double          keep;           // minimum distance of a particle's centre from surfaces [m]
    double          reach;          // walls farther away than this are not queried [m]
    double          friction;       // coefficient of friction on walls
    size_t          exact;          // number of walls that are not simple
    double          sweep;          // largest sweep of those [m]
} ergi_fine_walls;

// Set `keep`, `reach` and `friction` first. `from`: pose of each wall at the last step.
erg_status ergi_fine_walls_set(ergi_fine_walls *walls, const ergi_world_wall *wall,
                               const ergi_pose *from, const ergi_wall_state *state, size_t count,
                               erg_error *err);
void       ergi_fine_walls_free(ergi_fine_walls *walls);
size_t     ergi_fine_walls_bytes(const ergi_fine_walls *walls);
// Of the tables of distances, once all their cells are filled.
size_t ergi_fine_walls_expected_bytes(const ergi_world_wall *wall, size_t count, double keep);

// Walls within reach of the box, in ascending order. `list` must have capacity for all walls.
size_t ergi_fine_walls_near(const ergi_fine_walls *walls, ergi_extents box, uint32_t *list);

// For particles that start within `radius` of `from` and end within `radius` of `to`: lower bound
// on their distance to the wall at the end. -HUGE_VAL if one of them may touch the wall on the way
// [m].
double ergi_fine_walls_bound(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 from,
                             erg_vec3 to, double radius);

// Corrects *to and *velocity of a particle that moves from `from` to *to, so that it stays out of
// the listed walls. Returns a lower bound on the distance it can then travel before any of them
// that is not simple affects it [m].
double ergi_fine_walls_move(const ergi_fine_walls *walls, const uint32_t *list, size_t count,
                            erg_vec3 from, erg_vec3 *to, erg_vec3 *velocity);

// Whether `to` is at least `keep` away from the listed walls as they are now, and on the same side
// of each two-sided wall as `from`.
bool ergi_fine_walls_clear(const ergi_fine_walls *walls, const uint32_t *list, size_t count,
                           erg_vec3 from, erg_vec3 to);

#endif
