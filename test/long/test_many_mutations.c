// Damaged scenes never crash or hang the reader: the same as test_scene_mutations.c, more often.
#include "scene_mutations.h"

TEST(thirty_thousand_mutations_of_each_shipped_scene)
{
    mutate_shipped_scenes(30000);
}

TEST_MAIN(thirty_thousand_mutations_of_each_shipped_scene)
