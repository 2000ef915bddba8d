// Walls near a block of fine particles, in single precision relative to the block's centre, for the
// kernels in wall_kernel.h. Smooth planes and the insides of smooth boxes and surfaces of
// revolution can always be given in this form: only the end of a particle's path matters there. The
// faces of other boxes and two-sided planes can if the paths of the whole block begin on one side.
// All other walls (meshes, rough walls, thin walls of revolution) are queried exactly, particle by
// particle.
#ifndef ERGI_BLOCK_WALLS_H
#define ERGI_BLOCK_WALLS_H

#include "geom/query_profile.h"
#include "upsample/fine_walls.h"

// A piece of a profile, relative to the (r, z) of the block's centre. Vectors are (r, z).
typedef struct ergi_block_piece {
    float a[2], b[2];             // ends [m]
    float along_a[2], along_b[2]; // unit tangents at the ends
    float out_a[2], out_b[2];     // pseudo-normals at the ends: sums of the adjacent normals
    float centre[2];              // of a round piece [m]
    float radius;                 // 0: straight [m]
    float bulge;                  // see ergi_piece
} ergi_block_piece;

typedef struct ergi_block_wall {
    float velocity[3], spin[3]; // of the wall: at the block's centre, and its angular velocity
    float normal[3], offset;    // plane: gap = normal . x + offset; offset in [m]
    bool  sets_travel;          // plane: its gap limits the safe travel of the particles
    int   pieces;               // 0: a plane; otherwise the inside of a surface of revolution
    float axis[3], across[3];   // unit; from the axis to the block's centre [m]
    float r;                    // length of `across` [m]
    ergi_block_piece piece[ERGI_PROFILE_PIECES];
} ergi_block_wall;

enum { ERGI_BLOCK_WALLS = 16 };

typedef struct ergi_block_walls {
    int             count;
    ergi_block_wall wall[ERGI_BLOCK_WALLS];
} ergi_block_walls;

// Bounds of the paths of a block's particles over the last step [m].
typedef struct ergi_block_paths {
    erg_vec3     centre;             // of `ends`
    double       half[3], radius;    // of `ends`
    ergi_extents ends, starts, both; // `both` contains the paths
} ergi_block_paths;

// Appends a wall, unless the block is clear of it. False: the wall must be queried exactly.
bool ergi_block_walls_add(ergi_block_walls *list, const ergi_fine_walls *walls, uint32_t wall,
                          const ergi_block_paths *paths);

// ---- Kernels -----------------------------------------------------------------------------------
typedef struct ergi_wall_job {
    ergi_fine_columns fine;
    float            *travel;            // see ergi_upsample.travel
    float             step[3], scale[3]; // as in ergi_fine_job
    float             most[3];
    float             keep, friction; // as in ergi_fine_walls
} ergi_wall_job;

// Bounds of the positions of a range of particles, and of their positions before the last step:
// fixed-point offsets from `base`.
typedef struct ergi_path_box {
    uint32_t base[3];
    int32_t  end_low[3], end_high[3], start_low[3], start_high[3];
} ergi_path_box;

// Without `starts`, the previous positions are not considered.
typedef void ergi_path_box_fn(const ergi_wall_job *job, size_t begin, size_t end, bool starts,
                              ergi_path_box *box);
// Moves particles begin .. end-1 out of the walls; at most ERGI_FINE_BLOCK of them. `centre` is the
// block's.
typedef void ergi_block_walls_fn(const ergi_wall_job *job, const ergi_block_walls *walls,
                                 const uint32_t centre[3], size_t begin, size_t end);

#endif
