// labels: asan
// A container returns what was stored, and rejects every file that is not complete.
#include "base/hash.h"
#include "check.h"
#include "io/container.h"
#include "io/hdf5_buffer.h"
#include "scratch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

static const double   position[6] = {0.1, -2.0, 3e300, 4.0, 5e-324, -0.0};
static const uint8_t  text[5] = {'s', 'c', 'e', 'n', 'e'};
static const uint16_t shorts[3] = {0, 1, 65535};
static const uint32_t words[2] = {7, 0xffffffffu};
static const int32_t  signs[2] = {-1, INT32_MIN};
static const uint64_t ids[2] = {UINT64_MAX, 2};
static const int64_t  step[1] = {INT64_MIN};
static const float    history[16] = {1.5f, -2.5f, 1e-38f, [15] = 16.0f};

static const ergi_container_item items[] = {
    {"bodies/position", ERGI_CONTAINER_F64, 3, 2, position},
    {"scene", ERGI_CONTAINER_U8, 1, 5, text},
    {"a/b/c/shorts", ERGI_CONTAINER_U16, 1, 3, shorts},
    {"bodies/words", ERGI_CONTAINER_U32, 2, 1, words},
    {"bodies/signs", ERGI_CONTAINER_I32, 1, 2, signs},
    {"bodies/id", ERGI_CONTAINER_U64, 1, 2, ids},
    {"step", ERGI_CONTAINER_I64, 1, 1, step},
    {"contacts/history", ERGI_CONTAINER_F32, 16, 1, history},
    {"contacts/none", ERGI_CONTAINER_F64, 3, 0, NULL},
};
enum { ITEMS = sizeof items / sizeof *items };

// Tests of a build without HDF5 have one thing to ask: the sentence. True when that is done.
static bool not_built(scratch *s, const char *path)
{
    if (ergi_hdf5_buffer_built(NULL) == ERG_OK) return false;
    erg_error       err = {0};
    ergi_container *box;
    CHECK(ergi_container_write(path, items, ITEMS, NULL, &err) == ERG_NOT_BUILT);
    CHECK(strncmp(err.text, "this build of erg has no HDF5; ", 31) == 0);
    CHECK(!scratch_exists(path));
    CHECK(ergi_container_open(path, &box, &err) == ERG_NOT_BUILT && !box);
    scratch_close(s);
    return true;
}

static bool same_file(const char *a, const char *b)
{
    unsigned char *x = NULL, *y = NULL;
    size_t         nx, ny;
    bool           same = ergi_file_read(a, &x, &nx, NULL) == ERG_OK &&
                ergi_file_read(b, &y, &ny, NULL) == ERG_OK && nx == ny && memcmp(x, y, nx) == 0;
    free(x);
    free(y);
    return same;
}

TEST(round_trip)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "box.h5");
    erg_error   err = {0};
    if (not_built(&s, path)) return;
    ergi_container *box;
    CHECK(ergi_container_write(path, items, ITEMS, NULL, &err) == ERG_OK);
    CHECK(ergi_container_open(path, &box, &err) == ERG_OK);
    REQUIRE(box);
    size_t count;
    ergi_container_items(box, &count);
    CHECK(count == ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        const ergi_container_item *it = &items[i];
        size_t                     rows = 99;
        const void *data = ergi_container_get(box, it->name, it->type, it->columns, &rows, &err);
        CHECK(data && rows == it->rows);
        size_t bytes = it->rows * (size_t)it->columns * ergi_container_type_size(it->type);
        if (data && bytes) CHECK(memcmp(data, it->data, bytes) == 0);
    }

    size_t rows;
    CHECK(!ergi_container_get(box, "bodies/mass", ERGI_CONTAINER_F64, 1, &rows, &err));
    CHECK(err.status == ERG_BAD_INPUT && strstr(err.text, "has no array bodies/mass"));
    CHECK(err.code == ERG_ERROR_OTHER_BUILD);
    CHECK(!ergi_container_get(box, "bodies/position", ERGI_CONTAINER_F64, 4, &rows, &err));
    CHECK(strstr(err.text, "array bodies/position holds f64 in 3 columns, expected f64 in 4"));
    CHECK(!ergi_container_get(box, "bodies/position", ERGI_CONTAINER_F32, 3, &rows, &err));
    CHECK(ergi_container_has(box, "step") && !ergi_container_has(box, "bodies"));
    ergi_container_close(box);
    scratch_close(&s);
}

TEST(same_items_same_bytes)
{
    scratch s;
    scratch_open(&s);
    const char *a = scratch_path(&s, "a"), *b = scratch_path(&s, "b"), *p = scratch_path(&s, "p");
    if (not_built(&s, a)) return;
    CHECK(ergi_container_write(a, items, ITEMS, NULL, NULL) == ERG_OK);
    sleep(1); // a stored date would differ
    CHECK(ergi_container_write(b, items, ITEMS, NULL, NULL) == ERG_OK);
    CHECK(same_file(a, b));
    CHECK(ergi_container_write(b, items, 1, p, NULL) == ERG_OK);
    CHECK(same_file(a, p) && !same_file(b, p));
    scratch_close(&s);
}

TEST(every_flipped_bit_is_refused)
{
    scratch s;
    scratch_open(&s);
    const char    *path = scratch_path(&s, "box.h5");
    unsigned char *bytes;
    size_t         size, accepted = 0, odd = 0;
    if (not_built(&s, path)) return;
    REQUIRE(ergi_container_write(path, items, 2, NULL, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(path, &bytes, &size, NULL) == ERG_OK);
    int fd = open(path, O_RDWR);
    REQUIRE(fd >= 0);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        unsigned char   flipped = bytes[bit / 8] ^ (unsigned char)(1u << bit % 8);
        ergi_container *box;
        erg_error       err;
        if (pwrite(fd, &flipped, 1, (off_t)(bit / 8)) != 1) odd++;
        if (ergi_container_open(path, &box, &err) != ERG_BAD_INPUT) accepted++;
        if (!strstr(err.text, path) || strchr(err.text, '\n')) odd++;
        if (pwrite(fd, &bytes[bit / 8], 1, (off_t)(bit / 8)) != 1) odd++;
        ergi_container_close(box);
    }
    CHECK(accepted == 0 && odd == 0);
    ergi_container *box;
    CHECK(ergi_container_open(path, &box, NULL) == ERG_OK);
    ergi_container_close(box);
    close(fd);
    free(bytes);
    scratch_close(&s);
}

TEST(every_length_but_its_own_is_refused)
{
    scratch s;
    scratch_open(&s);
    const char     *path = scratch_path(&s, "box.h5");
    unsigned char  *bytes;
    size_t          size, accepted = 0;
    ergi_container *box;
    erg_error       err = {0};
    if (not_built(&s, path)) return;
    REQUIRE(ergi_container_write(path, items, 2, NULL, NULL) == ERG_OK);
    REQUIRE(ergi_file_read(path, &bytes, &size, NULL) == ERG_OK);
    free(bytes);

    CHECK(truncate(path, (off_t)size + 1) == 0);
    CHECK(ergi_container_open(path, &box, &err) == ERG_BAD_INPUT && strstr(err.text, "has grown"));
    for (size_t length = size; length-- > 0;) {
        CHECK(truncate(path, (off_t)length) == 0);
        if (ergi_container_open(path, &box, &err) != ERG_BAD_INPUT) accepted++;
        if (length == size - 1 || length == 511) CHECK(strstr(err.text, "is truncated"));
    }
    CHECK(strstr(err.text, "is empty"));
    CHECK(accepted == 0);
    scratch_close(&s);
}

static void put(unsigned char *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(value >> (8 * i));
}

// A box whose hashes are right, around any content.
static void forge(const char *path, uint32_t version, const char *content)
{
    unsigned char file[1024] = "ERGCHK01";
    size_t        length = strlen(content);
    memcpy(file + 512, content, length);
    put(file + 8, version, 4);
    put(file + 12, 512, 4);
    put(file + 16, 512 + length, 8);
    put(file + 24, ergi_hash_bytes(file + 512, length, 2), 8);
    put(file + 504, ergi_hash_bytes(file, 504, 1), 8);
    CHECK(ergi_file_replace(path, file, 512 + length, NULL, NULL) == ERG_OK);
}

TEST(foreign_files_are_told)
{
    scratch s;
    scratch_open(&s);
    const char     *path = scratch_path(&s, "box.h5");
    ergi_container *box;
    erg_error       err = {0};
    if (not_built(&s, path)) return;

    CHECK(ergi_container_open(path, &box, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, path) && strstr(err.text, "No such file"));
    CHECK(err.code == ERG_ERROR_NO_FILE);
    CHECK(ergi_container_open(s.folder, &box, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "it is a folder, expected a file"));
    CHECK(ergi_file_replace(path, "\x89HDF\r\n\x1a\n", 8, NULL, NULL) == ERG_OK);
    CHECK(ergi_container_open(path, &box, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "is not a checkpoint of erg: give the checkpoint.h5"));
    forge(path, 2, "");
    CHECK(ergi_container_open(path, &box, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "has format version 2, but this erg reads version 1: resume it with"));
    CHECK(err.code == ERG_ERROR_OTHER_BUILD);
    scratch_close(&s);
}

TEST(hdf5_prints_nothing)
{
    scratch s;
    scratch_open(&s);
    const char     *path = scratch_path(&s, "box.h5"), *said = scratch_path(&s, "stderr");
    ergi_container *box;
    erg_error       err = {0};
    if (not_built(&s, path)) return;
    forge(path, 1, "this is not HDF5 at all");
    fflush(stderr);
    int kept = dup(2), file = open(said, O_WRONLY | O_CREAT, 0600);
    REQUIRE(kept >= 0 && file >= 0 && dup2(file, 2) == 2);
    erg_status                status = ergi_container_open(path, &box, &err);
    const ergi_container_item clash[2] = {{"a", ERGI_CONTAINER_U8, 1, 5, text},
                                          {"a/b", ERGI_CONTAINER_U8, 1, 5, text}};
    erg_status                other = ergi_container_write(path, clash, 2, NULL, NULL);
    off_t                     printed = lseek(file, 0, SEEK_END);
    dup2(kept, 2);
    close(kept);
    close(file);
    CHECK(status == ERG_BAD_INPUT && strstr(err.text, "could not be opened by HDF5"));
    CHECK(err.code == ERG_ERROR_BAD_FILE);
    CHECK(other != ERG_OK);
    CHECK(printed == 0);
    scratch_close(&s);
}

TEST(bad_items_are_refused)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "box.h5");
    if (not_built(&s, path)) return;
    const ergi_container_item bad[] = {
        {"", ERGI_CONTAINER_U8, 1, 5, text},   {"/a", ERGI_CONTAINER_U8, 1, 5, text},
        {"a/", ERGI_CONTAINER_U8, 1, 5, text}, {"a//b", ERGI_CONTAINER_U8, 1, 5, text},
        {NULL, ERGI_CONTAINER_U8, 1, 5, text}, {"a", ERGI_CONTAINER_U8, 0, 5, text},
        {"a", ERGI_CONTAINER_U8, 17, 5, text}, {"a", ERGI_CONTAINER_U8, 1, 5, NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(ergi_container_write(path, &bad[i], 1, NULL, NULL) == ERG_BAD_INPUT);
    const ergi_container_item twice[2] = {items[1], items[1]};
    CHECK(ergi_container_write(path, twice, 2, NULL, NULL) == ERG_BAD_INPUT);
    CHECK(!scratch_exists(path));
    scratch_close(&s);
}

TEST(full_disk_keeps_the_last_box)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "box.h5"), *previous = scratch_path(&s, "prev.h5");
    const char *copy = scratch_path(&s, "copy.h5");
    erg_error   err = {0};
    if (not_built(&s, path)) return;
    CHECK(ergi_container_write(path, items, ITEMS, NULL, NULL) == ERG_OK);
    CHECK(ergi_container_write(copy, items, ITEMS, NULL, NULL) == ERG_OK);

    static const double       large[50000];
    const ergi_container_item item = {"large", ERGI_CONTAINER_F64, 1, 50000, large};
    struct rlimit             before, small;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    erg_status status = ergi_container_write(path, &item, 1, previous, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(status == ERG_IO && strstr(err.text, "is unchanged"));
    CHECK(same_file(path, copy) && !scratch_exists(previous));
    CHECK(!scratch_exists(scratch_path(&s, "box.h5.part")));
    scratch_close(&s);
}

TEST_MAIN(round_trip, same_items_same_bytes, every_flipped_bit_is_refused,
          every_length_but_its_own_is_refused, foreign_files_are_told, hdf5_prints_nothing,
          bad_items_are_refused, full_disk_keeps_the_last_box)
