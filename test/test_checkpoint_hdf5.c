// labels: asan hdf5
// Checkpoints with valid hashes whose HDF5 erg would not write: arrays that claim to be larger than
// the file, or are stored elsewhere, are rejected before memory is allocated for them.
#include "base/hash.h"
#include "check.h"
#include "io/container.h"
#include "scratch.h"

#include <hdf5.h>

enum { BLOCK = 512, MANY = 100 };

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) at[k] = (unsigned char)(value >> (8 * k));
}

// The block before the HDF5 file, with its hashes: see io/container.h.
static void seal(const char *path)
{
    unsigned char *bytes = NULL;
    size_t         size = 0;
    if (ergi_file_read(path, &bytes, &size, NULL) != ERG_OK || size < BLOCK) exit(1);
    memset(bytes, 0, BLOCK);
    memcpy(bytes, "ERGCHK01", 8);
    put(bytes + 8, 1, 4);
    put(bytes + 12, BLOCK, 4);
    put(bytes + 16, size, 8);
    put(bytes + 24, ergi_hash_bytes(bytes + BLOCK, size - BLOCK, 2), 8);
    put(bytes + 504, ergi_hash_bytes(bytes, 504, 1), 8);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size) exit(1);
    fclose(file);
    free(bytes);
}

static hid_t create(const char *path)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, BLOCK);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
    return file;
}

static void add(hid_t file, const char *name, hsize_t rows, hid_t creation, const void *data)
{
    hid_t space = H5Screate_simple(1, &rows, NULL);
    hid_t set = H5Dcreate2(file, name, H5T_STD_U8LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (data) H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Sclose(space);
}

// ---- Forgeries ---------------------------------------------------------------------------------
static void never_allocated(hid_t file)
{
    add(file, "huge", (hsize_t)1 << 50, H5P_DEFAULT, NULL);
}

static void small_but_never_allocated(hid_t file)
{
    add(file, "empty", 100, H5P_DEFAULT, NULL);
}

static void filtered(hid_t file)
{
    hid_t   creation = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = 1 << 20;
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_deflate(creation, 9);
    void *zeros = calloc(1, 64 << 20);
    add(file, "bomb", 64 << 20, creation, zeros);
    free(zeros);
    H5Pclose(creation);
}

static void chunked(hid_t file)
{
    hid_t   creation = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk = 4;
    H5Pset_chunk(creation, 1, &chunk);
    add(file, "chunks", 4, creation, "abcd");
    H5Pclose(creation);
}

static void stored_elsewhere(hid_t file)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, "/etc/passwd", 0, 100);
    add(file, "theirs", 100, creation, NULL);
    H5Pclose(creation);
}

static void virtual_array(hid_t file)
{
    hsize_t rows = 100;
    hid_t   creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &rows, NULL);
    H5Pset_virtual(creation, space, "other.h5", "/data", space);
    add(file, "virtual", rows, creation, NULL);
    H5Sclose(space);
    H5Pclose(creation);
}

static void external_link(hid_t file)
{
    H5Lcreate_external("other.h5", "/data", file, "link", H5P_DEFAULT, H5P_DEFAULT);
}

static void soft_link(hid_t file)
{
    add(file, "data", 4, H5P_DEFAULT, "abcd");
    H5Lcreate_soft("/data", file, "link", H5P_DEFAULT, H5P_DEFAULT);
}

// Followed to any depth, so many links would take for ever.
static void groups_in_themselves(hid_t file)
{
    char name[16];
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "g%d", k);
        H5Lcreate_hard(file, "/", file, name, H5P_DEFAULT, H5P_DEFAULT);
    }
}

// One array under many names: each is small, together they are not.
static void one_array_many_names(hid_t file)
{
    char name[16], data[65536] = {0};
    add(file, "data", sizeof data, H5P_DEFAULT, data);
    for (int k = 0; k < MANY; k++) {
        snprintf(name, sizeof name, "copy%d", k);
        H5Lcreate_hard(file, "data", file, name, H5P_DEFAULT, H5P_DEFAULT);
    }
}

typedef struct forgery {
    void (*make)(hid_t file);
    const char *why; // part of the sentence
} forgery;

static const forgery forgeries[] = {
    {never_allocated, "huge claims 1125899906842624 bytes, the whole file has "},
    {small_but_never_allocated, "empty is not stored in one piece within the file"},
    {filtered, "bomb claims 67108864 bytes"},
    {chunked, "chunks is not stored in one piece within the file"},
    {stored_elsewhere, "theirs is not stored in one piece within the file"},
    {virtual_array, "virtual is not stored in one piece within the file"},
    {external_link, "link is an external link"},
    {soft_link, "link is an external link"},
    {groups_in_themselves, ""},
    {one_array_many_names, "shares its place in the file with another array"},
};

TEST(what_erg_does_not_write_is_refused)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "forged.h5");
    for (size_t k = 0; k < sizeof forgeries / sizeof *forgeries; k++) {
        ergi_container *box = NULL;
        erg_error       err = {0};
        hid_t           file = create(path);
        forgeries[k].make(file);
        H5Fclose(file);
        seal(path);
        CHECK(ergi_container_open(path, &box, &err) == ERG_BAD_INPUT && !box);
        bool said = err.text[0] && strstr(err.text, forgeries[k].why);
        CHECK(said);
        if (!said) printf("    %zu: %s\n", k, err.text);
        ergi_container_close(box);
    }
    scratch_close(&folder);
}

TEST(what_erg_could_have_written_is_read)
{
    scratch folder;
    scratch_open(&folder);
    const char     *path = scratch_path(&folder, "plain.h5");
    ergi_container *box = NULL;
    erg_error       err = {0};
    size_t          rows = 0;
    hid_t           file = create(path);
    add(file, "data", 4, H5P_DEFAULT, "abcd");
    add(file, "none", 0, H5P_DEFAULT, NULL);
    H5Fclose(file);
    seal(path);
    CHECK(ergi_container_open(path, &box, &err) == ERG_OK);
    if (box) {
        const void *data = ergi_container_get(box, "data", ERGI_CONTAINER_U8, 1, &rows, &err);
        CHECK(data && rows == 4 && memcmp(data, "abcd", 4) == 0);
        CHECK(ergi_container_get(box, "none", ERGI_CONTAINER_U8, 1, &rows, &err) && rows == 0);
    }
    ergi_container_close(box);
    scratch_close(&folder);
}

TEST_MAIN(what_erg_does_not_write_is_refused, what_erg_could_have_written_is_read)
