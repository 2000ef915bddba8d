// The whole test framework. A test file is one program:
//
//     #include "check.h"
//     TEST(sphere_has_volume) { CHECK_NEAR(volume(1), 4.18879, 1e-5); }
//     TEST_MAIN(sphere_has_volume, another_test)
//
// Each test prints one line; the program closes with `N passed, N failed` and exits 1 on failure.
// A program argument selects the tests whose name contains it.
#ifndef ERG_CHECK_H
#define ERG_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct check_case {
    const char *name;
    void (*run)(void);
} check_case;

static int check_failures; // in the test that is running

#define TEST(name) static void test_##name(void)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("    %s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

// Like CHECK, but leaves the test: for conditions that the following lines rely on.
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("    %s:%d: %s\n", __FILE__, __LINE__, #condition);                             \
            check_failures++;                                                                      \
            return;                                                                                \
        }                                                                                          \
    } while (0)

#define CHECK_NEAR(got, want, tolerance)                                                           \
    do {                                                                                           \
        double check_got = (got), check_want = (want);                                             \
        if (!(fabs(check_got - check_want) <= (tolerance))) {                                      \
            printf("    %s:%d: %s = %.12g, expected %.12g within %g\n", __FILE__, __LINE__, #got,  \
                   check_got, check_want, (double)(tolerance));                                    \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK_STR(got, want)                                                                       \
    do {                                                                                           \
        const char *check_got = (got), *check_want = (want);                                       \
        if (strcmp(check_got, check_want) != 0) {                                                  \
            printf("    %s:%d: got \"%s\"\n        expected \"%s\"\n", __FILE__, __LINE__,         \
                   check_got, check_want);                                                         \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

static int check_run(const check_case *cases, size_t count, const char *only)
{
    int passed = 0, failed = 0;
    for (size_t i = 0; i < count; i++) {
        if (only && !strstr(cases[i].name, only)) continue;
        check_failures = 0;
        cases[i].run();
        printf("%s %s\n", check_failures ? "FAIL" : "ok  ", cases[i].name);
        fflush(stdout);
        if (check_failures)
            failed++;
        else
            passed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

// Names the tests of a file, up to 20.
#define CHECK_CASE(name) {#name, test_##name},
#define CHECK_EACH_1(m, a) m(a)
#define CHECK_EACH_2(m, a, ...) m(a) CHECK_EACH_1(m, __VA_ARGS__)
#define CHECK_EACH_3(m, a, ...) m(a) CHECK_EACH_2(m, __VA_ARGS__)
#define CHECK_EACH_4(m, a, ...) m(a) CHECK_EACH_3(m, __VA_ARGS__)
#define CHECK_EACH_5(m, a, ...) m(a) CHECK_EACH_4(m, __VA_ARGS__)
#define CHECK_EACH_6(m, a, ...) m(a) CHECK_EACH_5(m, __VA_ARGS__)
#define CHECK_EACH_7(m, a, ...) m(a) CHECK_EACH_6(m, __VA_ARGS__)
#define CHECK_EACH_8(m, a, ...) m(a) CHECK_EACH_7(m, __VA_ARGS__)
#define CHECK_EACH_9(m, a, ...) m(a) CHECK_EACH_8(m, __VA_ARGS__)
#define CHECK_EACH_10(m, a, ...) m(a) CHECK_EACH_9(m, __VA_ARGS__)
#define CHECK_EACH_11(m, a, ...) m(a) CHECK_EACH_10(m, __VA_ARGS__)
#define CHECK_EACH_12(m, a, ...) m(a) CHECK_EACH_11(m, __VA_ARGS__)
#define CHECK_EACH_13(m, a, ...) m(a) CHECK_EACH_12(m, __VA_ARGS__)
#define CHECK_EACH_14(m, a, ...) m(a) CHECK_EACH_13(m, __VA_ARGS__)
#define CHECK_EACH_15(m, a, ...) m(a) CHECK_EACH_14(m, __VA_ARGS__)
#define CHECK_EACH_16(m, a, ...) m(a) CHECK_EACH_15(m, __VA_ARGS__)
#define CHECK_EACH_17(m, a, ...) m(a) CHECK_EACH_16(m, __VA_ARGS__)
#define CHECK_EACH_18(m, a, ...) m(a) CHECK_EACH_17(m, __VA_ARGS__)
#define CHECK_EACH_19(m, a, ...) m(a) CHECK_EACH_18(m, __VA_ARGS__)
#define CHECK_EACH_20(m, a, ...) m(a) CHECK_EACH_19(m, __VA_ARGS__)
#define CHECK_PICK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17,     \
                   _18, _19, _20, n, ...)                                                          \
    CHECK_EACH_##n
#define CHECK_EACH(m, ...)                                                                         \
    CHECK_PICK(__VA_ARGS__, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, \
               0)                                                                                  \
    (m, __VA_ARGS__)

#define TEST_MAIN(...)                                                                             \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const check_case cases[] = {CHECK_EACH(CHECK_CASE, __VA_ARGS__)};                   \
        return check_run(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);          \
    }

#endif
