// Files of heights: 16-bit greyscale PNG, and raw files of 32-bit floats.
//
// A PNG is a map seen from above: x to the right, y up, so its first row is the one at the upper y.
// Its values 0 and 65535 stand for two heights, which erg also writes into the file as the texts
// "erg:low" and "erg:high" [m]. A raw file is little endian, row by row along x, the first row at
// the lower y.
#ifndef ERGI_HEIGHTS_H
#define ERGI_HEIGHTS_H

#include "erg/base.h"

#define ERGI_MOST_HEIGHTS 4e8 // in a file: 20,000 x 20,000

typedef struct ergi_heights {
    size_t columns[2]; // along x and y
    float *z;          // row by row along x, the first row at the lower y [m]
} ergi_heights;

void ergi_heights_free(ergi_heights *heights);

// The file must have exactly one number per column.
erg_status ergi_heights_read_raw(const char *path, const size_t columns[2], ergi_heights *out,
                                 erg_error *err);

// `low` and `high`: heights of the values 0 and 65535; NULL: those that the file states [m].
// Refuses other kinds of PNG, files that are cut off, and claims that the file cannot hold, before
// it asks for memory. ERG_NOT_BUILT in a build without libpng.
erg_status ergi_heights_read_png(const char *path, const double *low, const double *high,
                                 ergi_heights *out, erg_error *err);

// ERG_NOT_BUILT in a build without libpng.
erg_status ergi_heights_png_built(erg_error *err);

// The values 0 and 65535 are the lowest and the highest z, which are returned; the error of a
// height is at most half of (high - low) / 65535.
erg_status ergi_heights_write_png(const char *path, const ergi_heights *heights, double *low,
                                  double *high, erg_error *err);

#endif
