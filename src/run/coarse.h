// Coarse-graining: continuum fields on a grid from grains and contacts. I. Goldhirsch, Stress,
// stress asymmetry and couple stress: from discrete particles to continuous fields, Granular Matter
// 12 (2010) 239; at walls T. Weinhart et al., Granular Matter 14 (2012) 289.
//
//     density          rho = sum of m phi(r - x)
//     velocity         V   = sum of m v phi(r - x) / rho
//     contact stress         sum of f b times the mean of phi along the branch b
//     kinetic stress         -(sum of m v v phi(r - x) - rho V V)
//
// The sums run over grains with mass m, centre x and velocity v, and over their contacts: f is the
// force on the grain and b the branch vector from its centre to the contact. Tension is positive.
// Time averages are averages of the sums, so the kinetic stress is relative to the mean velocity.
//
// phi is evaluated at cell centres and scaled so that a grain's contributions to all cells,
// including those outside the grid, add up to its mass: a grain well inside the grid counts in
// full.
#ifndef ERGI_COARSE_H
#define ERGI_COARSE_H

#include "erg/probe.h"

enum { ERGI_COARSE_SUMS = 16 };      // per cell: density, momentum 3, m v v 6, contact stress 6
enum { ERGI_COARSE_MOST = 1 << 22 }; // cells

typedef struct ergi_coarse {
    double     lower[3], edge[3]; // [m]
    int        cells[3];
    size_t     count; // of cells
    erg_kernel kernel;
    double     width, range; // of the kernel, and its cut-off distance [m]
    double     period[3];    // of the world; 0: not periodic [m]
    double    *sum;          // ERGI_COARSE_SUMS per cell, over all samples
    uint64_t   samples;      // since the last clear
    double    *weight;       // scratch: weights of the cells around a point
} ergi_coarse;

// ERG_BAD_INPUT with the name of the probe when the definition is not valid.
erg_status ergi_coarse_check(const erg_probe_def *def, erg_error *err);
// `def` must have passed ergi_coarse_check.
erg_status ergi_coarse_make(const erg_probe_def *def, const erg_world *world, ergi_coarse *out,
                            erg_error *err);
void       ergi_coarse_free(ergi_coarse *coarse);

// Adds the current state of the world as one sample.
erg_status ergi_coarse_add(ergi_coarse *coarse, const erg_world *world, erg_error *err);
void       ergi_coarse_clear(ergi_coarse *coarse);

// Writes the mean of the samples, as .vti.
erg_status ergi_coarse_write(const ergi_coarse *coarse, double time, const char *path,
                             erg_error *err);

#endif
