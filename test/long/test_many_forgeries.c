// labels: long-asan hdf5
// Checkpoints of right hashes and forged content: the same as test_checkpoint_content.c, more
// often.
#include "checkpoint_forgeries.h"

TEST(hundreds_of_forgeries_of_each_scene)
{
    forge_all_scenes(300);
}

TEST_MAIN(hundreds_of_forgeries_of_each_scene)
