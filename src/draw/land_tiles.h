// The tiles in which a terrain is drawn: 32 x 32 cells each, of one column near the camera and of
// 2, 4, 8, ... columns farther away, so that a cell is a few pixels wide. Where tiles of different
// cells meet, skirts that hang from their edges fill the cracks; at the border of the terrain they
// are its side walls.
#ifndef ERGI_LAND_TILES_H
#define ERGI_LAND_TILES_H

#include "draw/land.h"
#include "draw/matrix.h"

enum {
    ERGI_TILE_CELLS = 32,
    ERGI_TILE_EDGE = ERGI_TILE_CELLS + 1,
    ERGI_TILE_SURFACE = ERGI_TILE_EDGE * ERGI_TILE_EDGE,
    ERGI_TILE_CORNERS = ERGI_TILE_SURFACE + 4 * 2 * ERGI_TILE_EDGE, // skirts: upper, lower row
    ERGI_TILE_INDICES = 6 * (ERGI_TILE_CELLS * ERGI_TILE_CELLS + 4 * ERGI_TILE_CELLS),
    ERGI_TILES_MOST = 1024 // in one picture
};

// Vertex attributes.
typedef struct ergi_tile_corner {
    float   rise;     // above the floor of the terrain [m]
    int16_t slant[2]; // x and y of the unit normal, in 32767
    uint8_t at[2];    // in the tile
    uint8_t side;     // 0: surface and its skirts; walls at x low, x high, y low, y high: 1 to 4
    uint8_t unused;
} ergi_tile_corner;

typedef struct ergi_tile {
    int      level;   // cells of 2^level columns
    uint32_t a, b;    // position, in tiles of this level
    uint64_t content; // hash of the heights that it shows
    bool     seen;    // by the camera
    bool     shading; // in the volume of the shadow map
} ergi_tile;

typedef struct ergi_tile_view {
    erg_vec3    eye;         // [m]
    ergi_matrix to_clip;     // from positions relative to `origin`
    erg_vec3    origin;      // [m]
    double      pixels;      // of 1 m at a distance of 1 m
    double      cell_pixels; // width of a cell that need not be divided
    erg_vec3    centre;      // of the ball that casts shadows [m]
    double      radius;      // 0: no shadows [m]
} ergi_tile_view;

// Chooses at most ERGI_TILES_MOST tiles; `tiles` has room for them. Returns their number.
size_t ergi_land_choose(const ergi_land *land, const ergi_tile_view *view, ergi_tile *tiles);

void ergi_tile_corners(const ergi_land *land, const ergi_tile *tile,
                       ergi_tile_corner corners[ERGI_TILE_CORNERS]);
// The same for all tiles.
void ergi_tile_indices(uint16_t indices[ERGI_TILE_INDICES]);

#endif
