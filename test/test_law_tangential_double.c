// The same tests in double, the reference precision.
#define ERG_REAL_DOUBLE
#include "test_law_tangential.c"
