// The initial shape of a terrain: z of the surface at a point.
//
// Dunes: crests across the wind, the gentle side (stoss) upwind, the slip face downwind at 31
// degrees, a little below the angle of repose. Crest lines wander and dunes differ in height; the
// slip face is as long as the local height needs, so its angle stays.
// Noise: smooth value noise in five octaves, each half as long and a third as high as the one
// before.
#ifndef ERGI_RELIEF_H
#define ERGI_RELIEF_H

#include "erg/terrain.h"

enum { ERGI_RELIEF_LAYERS = 5 };

// One layer of value noise: random numbers at the corners of square cells, blended in between. The
// last cell is kept, since columns are visited row by row.
typedef struct ergi_noise {
    uint64_t seed;
    double   cosine, sine; // of its rotation, so that the cells of several layers do not align
    double   rate;         // cells per metre [1/m]
    int64_t  cell[2];
    double   corner[4]; // -1 to 1
} ergi_noise;

typedef struct ergi_noise_value {
    double value;   // -1 to 1
    double rise[2]; // its derivatives along x and y [1/m]
} ergi_noise_value;

ergi_noise       ergi_noise_make(uint64_t seed, int layer, double cell);
ergi_noise_value ergi_noise_at(ergi_noise *noise, double x, double y);

// Each thread needs a copy of its own, as the noise keeps its last cell.
typedef struct ergi_landform {
    erg_terrain_def def;
    double          lower[2], size[2]; // of the whole grid [m]
    double          wind[2];           // unit
    int             layers;
    ergi_noise      layer[ERGI_RELIEF_LAYERS];
} ergi_landform;

// `size`: of the grid, whole columns. The definition must be checked.
ergi_landform ergi_landform_make(const erg_terrain_def *def, const double size[2]);
double        ergi_landform_z(ergi_landform *relief, double x, double y); // [m]

#endif
