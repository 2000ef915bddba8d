// The kernels in plain C, for any processor.
#include "upsample/fine_kernel.h"
#include "upsample/wall_kernel.h"

const ergi_fine_kernels ergi_fine_scalar = {step_block, path_box, move_out};
