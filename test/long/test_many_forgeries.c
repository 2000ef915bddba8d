// labels: asan hdf5
// Checkpoints of right hashes and forged content: the same as test_checkpoint_content.c, more often.
#include "checkpoint_forgeries.h"

TEST(three_thousand_forgeries_of_each_scene)
{
    forge_all_scenes(3000);
}

TEST_MAIN(three_thousand_forgeries_of_each_scene)
