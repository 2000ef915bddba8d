// labels: asan tsan clang
// The same seed gives the same samples, to the last bit, on any number of threads.
#include "check.h"
#include "erg/erg.h"
#include "mesh_shapes.h"

TEST(same_on_any_number_of_threads)
{
    ergi_mesh blob = blob_mesh(20);
    erg_mesh *mesh = NULL;
    REQUIRE(erg_mesh_create(&blob.vertex[0].x, blob.vertices, blob.triangle[0].v, blob.triangles,
                            NULL, &mesh, NULL) == ERG_OK);
    ergi_mesh_free(&blob);
    for (int kind = 0; kind < 3; kind++) {
        erg_samples   *samples[4] = {0};
        size_t         count[4];
        const double  *xyz[4];
        erg_sample_def def =
            erg_sample_def_default(kind == 2 ? ERG_SAMPLE_VOLUME : ERG_SAMPLE_SURFACE);
        def.radius = 0.15;
        def.offset = kind == 1 ? -0.5 : 0.0;
        for (int i = 0; i < 4; i++) {
            def.threads = i + 1;
            def.seed = i == 3;
            REQUIRE(erg_sample(mesh, &def, &samples[i], NULL) == ERG_OK);
            xyz[i] = erg_samples_positions(samples[i], &count[i]);
        }
        for (int i = 1; i < 3; i++)
            CHECK(count[i] == count[0] && memcmp(xyz[i], xyz[0], 24 * count[0]) == 0);
        CHECK(memcmp(xyz[3], xyz[0], 24) != 0); // another seed
        for (int i = 0; i < 4; i++) erg_samples_destroy(samples[i]);
    }
    erg_mesh_destroy(mesh);
}

TEST_MAIN(same_on_any_number_of_threads)
