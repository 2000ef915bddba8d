// The passes in double precision: the reference.
#define ERG_REAL_DOUBLE
#include "dem/real_kernels.h"

const ergi_dem_kernels ergi_dem_double = ERGI_REAL_KERNELS(ERGI_F64);
