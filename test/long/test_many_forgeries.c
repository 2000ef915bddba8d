// labels: long-asan hdf5
// Checkpoints of right hashes and forged content: the same as test_checkpoint_content.c, more
// often.
#include "checkpoint_forgeries.h"

TEST(a_thousand_forgeries_of_each_scene)
{
    forge_all_scenes(1000);
}

TEST_MAIN(a_thousand_forgeries_of_each_scene)
