// A heap of spheres poured onto a rough floor, with either solver, and its shape.
#ifndef ERG_BENCH_HEAP_H
#define ERG_BENCH_HEAP_H

#include "erg/probe.h"
#include "erg/world.h"

#define HEAP_DIAMETER 0.01 // mean of the grains, which differ by 10 % either way [m]

typedef struct heap_def {
    erg_solver solver;
    double     friction, rolling, restitution;
    uint64_t   count, seed;
    int        threads;
} heap_def;

typedef struct heap_shape {
    double angle;   // of repose; NAN: too small a heap [degrees]
    double height;  // of the centre of mass [diameters]
    double kinetic; // energy per grain, rotation included [m g d]
} heap_shape;

double heap_pouring(const heap_def *def); // how long it takes [s]

// The floor and the spout, before the first step.
erg_status heap_build(const heap_def *def, erg_world **world, erg_error *err);

// Pours the heap and lets it rest for `rest` seconds.
erg_status heap_pour(const heap_def *def, double rest, erg_world **world, erg_error *err);

erg_status heap_measure(const erg_world *world, heap_shape *shape, erg_error *err);

#endif
