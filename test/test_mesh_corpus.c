// labels: asan
// Inputs found by the fuzzer, and its seeds: each is either read and checked, or rejected.
#include "check.h"
#include "fuzz/mesh_trial.h"
#include "io/file.h"

#include <dirent.h>
#include <stdio.h>

static void read_folder(ergi_mesh_format format, const char *name, int *meshes, int *refused)
{
    const char *source = getenv("ERG_SOURCE");
    char        folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/test/fuzz/corpus/%s", source ? source : ".", name);
    DIR *dir = opendir(folder);
    REQUIRE(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.') continue;
        unsigned char *bytes;
        size_t         size;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        REQUIRE(ergi_file_read(path, &bytes, &size, NULL) == ERG_OK);
        if (mesh_trial(format, bytes, size))
            ++*meshes;
        else
            ++*refused;
        // and with its end cut off, at every length
        for (size_t cut = 0; cut < size && size < 2000; cut++) mesh_trial(format, bytes, cut);
        free(bytes);
    }
    closedir(dir);
}

TEST(corpus)
{
    static const char *const names[] = {"obj", "stl", "ply"};
    for (int i = 0; i < 3; i++) {
        int meshes = 0, refused = 0;
        read_folder((ergi_mesh_format)i, names[i], &meshes, &refused);
        CHECK(meshes > 0 && refused > 0); // both ways are walked
    }
}

TEST_MAIN(corpus)
