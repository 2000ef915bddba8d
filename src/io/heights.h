// Files of heights: 16-bit greyscale PNG, and raw files of 32-bit floats. erg/terrain.h tells how
// they are laid out.
#ifndef ERGI_HEIGHTS_H
#define ERGI_HEIGHTS_H

#include "erg/terrain.h"

#define ERGI_MOST_HEIGHTS 4e8 // in a file: 20,000 x 20,000

// ERG_NOT_BUILT in a build without libpng.
erg_status ergi_heights_png_built(erg_error *err);

// The values 0 and 65535 are the lowest and the highest z, which are returned; the error of a
// height is at most half of (high - low) / 65535.
erg_status ergi_heights_write_png(const char *path, const erg_heights *heights, double *low,
                                  double *high, erg_error *err);

#endif
