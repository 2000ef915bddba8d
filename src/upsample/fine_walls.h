// Walls and bodies as fine particles meet them. A particle keeps its centre a radius away from
// every surface: its way is followed in the frame of the wall, from where both were to where both
// are, in strides no longer than the distance to the surface, so that neither thin plates nor fast
// tools let anyone through. Where it touches, it slides.
#ifndef ERGI_FINE_WALLS_H
#define ERGI_FINE_WALLS_H

#include "contact/box_tree.h"
#include "geom/query_placed.h"
#include "upsample/fine.h"
#include "upsample/gap_table.h"
#include "world/world.h"

typedef struct ergi_fine_wall {
    const ergi_surface *surface;
    ergi_placement      from, to; // at the last step and now
    erg_vec3            velocity, spin;
    ergi_extents        box;   // where it is felt, from then to now
    double              sweep; // by so much a distance changed in between, at most [m]
} ergi_fine_wall;

typedef struct ergi_fine_walls {
    ergi_fine_wall *wall;
    size_t          count, room;
    ergi_extents   *box;
    size_t          box_room;
    ergi_box_tree   tree;
    ergi_gap_table *table; // of each wall, made once
    size_t          tables;
    double          keep;     // distance from surfaces [m]
    double          reach;    // walls farther than this are not asked [m]
    double          friction; // with which particles slide
    double          sweep;    // largest of all [m]
} ergi_fine_walls;

// `from`: poses at the last step, one a wall.
erg_status ergi_fine_walls_set(ergi_fine_walls *walls, const ergi_world_wall *wall,
                               const ergi_pose *from, const ergi_wall_state *state, size_t count,
                               erg_error *err);
void       ergi_fine_walls_free(ergi_fine_walls *walls);
size_t     ergi_fine_walls_bytes(const ergi_fine_walls *walls);

// Walls within reach of the box, ascending; `list` has room for all.
size_t ergi_fine_walls_near(const ergi_fine_walls *walls, ergi_extents box, uint32_t *list);

// Whether it is enough to be on the right side at the end of a way: a container, half of space.
bool ergi_fine_walls_one_sided(const ergi_fine_walls *walls, uint32_t wall);

// No particle whose way, from the last step to now, lies in the ball comes nearer to the wall than
// this; of a wall with one side, none that ends in the ball. May answer too little [m].
double ergi_fine_walls_bound(const ergi_fine_walls *walls, uint32_t wall, erg_vec3 centre,
                             double radius);

// Moves a particle from `from` to *to, as far as the listed walls let it; *velocity follows.
// Returns a lower bound of how far it may then go before any of them can change its way [m].
double ergi_fine_walls_move(const ergi_fine_walls *walls, const uint32_t *list, size_t count,
                            erg_vec3 from, erg_vec3 *to, erg_vec3 *velocity);

// Whether a particle at `to` is clear of the listed walls as they are now, and on the same side of
// all of them as `from`.
bool ergi_fine_walls_clear(const ergi_fine_walls *walls, const uint32_t *list, size_t count,
                           erg_vec3 from, erg_vec3 to);

#endif
