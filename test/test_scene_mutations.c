// Damaged scenes never crash or hang the reader.
// labels: asan
#include "scene_mutations.h"

TEST(a_thousand_mutations_of_each_shipped_scene)
{
    mutate_shipped_scenes(1000);
}

TEST_MAIN(a_thousand_mutations_of_each_shipped_scene)
