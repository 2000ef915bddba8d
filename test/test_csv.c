// labels: asan
// A resumed table equals the uninterrupted one; a full disk loses no row written before.
#include "check.h"
#include "io/csv.h"
#include "io/number.h"
#include "scratch.h"

#include <locale.h>
#include <signal.h>
#include <sys/resource.h>

static const char *const names[] = {"time", "kinetic energy", "a,\"b\""};

static void rows(ergi_csv *csv, int from, int to)
{
    for (int i = from; i < to; i++) {
        const double values[3] = {i / 3.0, 1e-7 * i, i == 2 ? (double)NAN : -(double)INFINITY};
        CHECK(ergi_csv_row(csv, values, NULL) == ERG_OK);
    }
}

static char *content(const char *path)
{
    unsigned char *bytes = NULL;
    size_t         size;
    ergi_file_read(path, &bytes, &size, NULL);
    return (char *)bytes;
}

TEST(rows_as_text)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a.csv");
    ergi_csv   *csv;
    REQUIRE(ergi_csv_create(path, names, 3, &csv, NULL) == ERG_OK);
    rows(csv, 1, 3);
    char *before = content(path); // rows are in the file before it is closed
    REQUIRE(before);
    CHECK_STR(before, "time,kinetic energy,\"a,\"\"b\"\"\"\n0.3333333333333333,1e-07,-inf\n"
                      "0.6666666666666666,2e-07,nan\n");
    CHECK(ergi_csv_bytes(csv) == strlen(before));
    CHECK(ergi_csv_sync(csv, NULL) == ERG_OK);
    CHECK(ergi_csv_close(csv, NULL) == ERG_OK);
    free(before);
    scratch_close(&s);
}

TEST(resumed_equals_unbroken)
{
    scratch s;
    scratch_open(&s);
    const char *whole = scratch_path(&s, "whole.csv"), *broken = scratch_path(&s, "broken.csv");
    ergi_csv   *csv;
    REQUIRE(ergi_csv_create(whole, names, 3, &csv, NULL) == ERG_OK);
    rows(csv, 0, 50);
    ergi_csv_close(csv, NULL);

    REQUIRE(ergi_csv_create(broken, names, 3, &csv, NULL) == ERG_OK);
    rows(csv, 0, 20);
    uint64_t keep = ergi_csv_bytes(csv);
    rows(csv, 20, 27); // written after the checkpoint, before the kill
    ergi_csv_close(csv, NULL);
    REQUIRE(ergi_csv_resume(broken, names, 3, keep, &csv, NULL) == ERG_OK);
    rows(csv, 20, 50);
    ergi_csv_close(csv, NULL);

    char *a = content(whole), *b = content(broken);
    REQUIRE(a && b);
    CHECK(strcmp(a, b) == 0);
    free(a);
    free(b);
    scratch_close(&s);
}

TEST(what_does_not_fit_is_left_alone)
{
    static const char *const other[] = {"time", "kinetic energy", "c"};

    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a.csv");
    erg_error   err = {0};
    ergi_csv   *csv;
    REQUIRE(ergi_csv_create(path, names, 3, &csv, NULL) == ERG_OK);
    rows(csv, 0, 3);
    uint64_t size = ergi_csv_bytes(csv);
    ergi_csv_close(csv, NULL);
    char *before = content(path);

    CHECK(ergi_csv_resume(path, names, 3, size + 1, &csv, &err) == ERG_BAD_INPUT && !csv);
    CHECK(strstr(err.text, "but the checkpoint expects"));
    CHECK(ergi_csv_resume(path, names, 3, size - 1, &csv, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "no row ends at byte"));
    CHECK(ergi_csv_resume(path, names, 3, 4, &csv, &err) == ERG_BAD_INPUT);
    CHECK(ergi_csv_resume(path, names, 3, 0, &csv, &err) == ERG_BAD_INPUT);
    CHECK(ergi_csv_resume(path, other, 3, size, &csv, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "its columns differ from those of this run"));
    CHECK(ergi_csv_resume(path, names, 2, size, &csv, &err) == ERG_BAD_INPUT);
    CHECK(ergi_csv_resume(scratch_path(&s, "b"), names, 3, size, &csv, &err) == ERG_BAD_INPUT);
    CHECK(ergi_csv_resume(s.folder, names, 3, size, &csv, &err) == ERG_BAD_INPUT);
    CHECK(ergi_csv_create(path, names, 0, &csv, &err) == ERG_BAD_INPUT);

    char *after = content(path);
    REQUIRE(before && after);
    CHECK_STR(after, before);
    free(before);
    free(after);
    scratch_close(&s);
}

TEST(full_disk_keeps_whole_rows)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a.csv");
    erg_error   err = {0};
    ergi_csv   *csv;
    REQUIRE(ergi_csv_create(path, names, 3, &csv, NULL) == ERG_OK);
    struct rlimit before, small;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 500;
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const double values[3] = {1.0 / 3, 2.0 / 3, 1e-10 / 3};
    erg_status   status = ERG_OK;
    while (status == ERG_OK) status = ergi_csv_row(csv, values, &err);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(status == ERG_IO && strstr(err.text, path) && strstr(err.text, "File too large"));
    char *text = content(path);
    REQUIRE(text);
    CHECK(strlen(text) == ergi_csv_bytes(csv) && text[strlen(text) - 1] == '\n');
    free(text);
    CHECK(ergi_csv_row(csv, values, &err) == ERG_OK); // there is room again
    ergi_csv_close(csv, NULL);
    text = content(path);
    REQUIRE(text);
    const char row[] = "0.3333333333333333,0.6666666666666666,3.3333333333333335e-11\n";
    CHECK(strlen(text) > strlen(row));
    CHECK_STR(text + strlen(text) - strlen(row), row);
    free(text);

    CHECK(ergi_csv_create("/dev/full", names, 3, &csv, &err) == ERG_IO && !csv);
    CHECK_STR(err.text, "could not write /dev/full: No space left on device");
    scratch_close(&s);
}

TEST(numbers_read_back_as_the_same_bits)
{
    char     text[ERGI_NUMBER_ROOM];
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        double value;
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        double again = strtod(ergi_number(value, text), NULL);
        CHECK(memcmp(&again, &value, sizeof value) == 0);
    }
    CHECK_STR(ergi_number(0.1, text), "0.1");
    CHECK_STR(ergi_number(-0.0, text), "-0");
    CHECK_STR(ergi_number(1e300, text), "1e+300");
    CHECK_STR(ergi_number(-1.7976931348623157e308, text), "-1.7976931348623157e+308");
    CHECK_STR(ergi_number((double)NAN, text), "nan");
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        CHECK_STR(ergi_number(0.5, text), "0.5");
        setlocale(LC_NUMERIC, "C");
    }
}

TEST_MAIN(rows_as_text, resumed_equals_unbroken, what_does_not_fit_is_left_alone,
          full_disk_keeps_whole_rows, numbers_read_back_as_the_same_bits)
