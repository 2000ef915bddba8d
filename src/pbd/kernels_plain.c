// The kernels for any processor.
#include "pbd/find.h"
#include "pbd/sweep.h"

const ergi_pbd_kernels ergi_pbd_kernels_plain = {.find = find, .sweep = sweep};
