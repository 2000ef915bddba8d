// labels: asan hdf5
// Checkpoints with valid hashes and forged content, for several scenes: a few of each.
#include "checkpoint_forgeries.h"

TEST(forged_content_is_refused_or_possible)
{
    forge_all_scenes(12);
}

TEST_MAIN(forged_content_is_refused_or_possible)
