// The passes with laws and velocities in single precision.
#include "dem/real_kernels.h"

const ergi_dem_kernels ergi_dem_float = ERGI_REAL_KERNELS(ERGI_F32);
