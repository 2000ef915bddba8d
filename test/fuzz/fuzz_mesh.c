// Feeds bytes to the reader of one format (FUZZ_FORMAT, by CMake) and, when they are a mesh, to
// repairs, report and distances. Whatever the bytes, nothing may crash. `make fuzz` runs it; what
// it found before is in test/fuzz/corpus and read by test_mesh_corpus.c.
#include "fuzz/mesh_trial.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mesh_trial(FUZZ_FORMAT, bytes, size);
    return 0;
}
