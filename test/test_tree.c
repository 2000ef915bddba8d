// Strict YAML: the tree, numbers, overrides and error messages.
// labels: asan
#include "check.h"

#include "scene/number.h"
#include "scene/set.h"
#include "scene/tree.h"
#include "scratch.h"

#include <locale.h>
#include <stdlib.h>

// ---- Helpers -----------------------------------------------------------------------------------

// Parses a text (with overrides) and returns the report; the tree is printed into `shape`.
static char      error_text[sizeof((erg_error *)0)->text];
static char      shape[4096];
static erg_error err;

static void print(const ergi_node *node)
{
    size_t at = strlen(shape), room = sizeof shape - at;
    if (node->kind == ERGI_NODE_VALUE) {
        snprintf(shape + at, room, node->quoted ? "\"%s\"" : "%s", node->text);
        return;
    }
    if (node->kind == ERGI_NODE_BROKEN) {
        snprintf(shape + at, room, "!");
        return;
    }
    bool map = node->kind == ERGI_NODE_MAP;
    snprintf(shape + at, room, map ? "{" : "[");
    for (const ergi_node *child = node->first; child; child = child->next) {
        at = strlen(shape);
        snprintf(shape + at, sizeof shape - at, "%s%s%s", child == node->first ? "" : ",",
                 map ? child->key : "", map ? ":" : "");
        print(child);
    }
    at = strlen(shape);
    snprintf(shape + at, sizeof shape - at, map ? "}" : "]");
}

static const char *parse_bytes(const char *text, size_t length, const char *const *sets, size_t n)
{
    ergi_arena       arena = {0};
    ergi_diagnostics report;
    ergi_diagnostics_begin(&report, "s.yaml", sets, n);
    ergi_node *root = ergi_tree_parse(text, length, 0, &arena, &report);
    if (root) ergi_set_apply_all(root, &arena, &report);
    shape[0] = '\0';
    if (root) print(root);
    err.text[0] = '\0';
    ergi_diagnostics_end(&report, &err);
    ergi_arena_free(&arena);
    strcpy(error_text, err.text);
    return error_text;
}

static const char *parse(const char *text)
{
    return parse_bytes(text, strlen(text), NULL, 0);
}

static const char *parse_set(const char *text, const char *set)
{
    return parse_bytes(text, strlen(text), &set, 1);
}

typedef struct pair {
    const char *given, *wanted;
} pair;

// ---- The tree ----------------------------------------------------------------------------------

TEST(good_files_become_trees)
{
    static const pair cases[] = {
        {"a: 1\n", "{a:1}"},
        {"---\na: [1, 2, {b: c}]\n", "{a:[1,2,{b:c}]}"},
        {"a:\n  - x\n  - 'y'\nb: \"z\"\n", "{a:[x,\"y\"],b:\"z\"}"},
        {"\xef\xbb\xbftitle: d\xc3\xbcnen\n", "{title:d\xc3\xbcnen}"},
        {"a:\nb: ~\n", "{a:,b:~}"},
        {"a: |\n  two\n  lines\n", "{a:\"two\nlines\n\"}"},
        {"# only a comment before\r\na: 1\r\n", "{a:1}"},
        {"just a word", "just a word"},
        {"{}", "{}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(parse(cases[i].given), "");
        CHECK_STR(shape, cases[i].wanted);
    }
}

TEST(bad_files_say_where_and_what)
{
    static const pair cases[] = {
        {"", "s.yaml:1:1: the file is empty, expected a scene"},
        {"# nothing\n\n", "s.yaml:1:1: the file is empty, expected a scene"},
        {"a: 1\nb: 2\na: 3\n",
         "s.yaml:3:1: key 'a' is given twice, first in line 1, expected it once"},
        {"a: {x: 1, x: 2}\n",
         "s.yaml:1:11: key 'x' is given twice, first in line 1, expected it once"},
        {"a: &here 1\nb: *here\n",
         "s.yaml:1:4: anchor '&here' is not allowed in scenes, expected the value "
         "alone\ns.yaml:2:4: alias '*here' is not allowed in scenes, expected a value"},
        {"a: !!int 3\n", "s.yaml:1:4: tag 'tag:yaml.org,2002:int' is not allowed in scenes, "
                         "expected the value alone"},
        {"a: !mine [3]\n",
         "s.yaml:1:4: tag '!mine' is not allowed in scenes, expected the value alone"},
        {"%YAML 1.1\n---\na: 1\n", "s.yaml:1:1: directives (%...) are not allowed in scenes"},
        {"a: 1\n---\nb: 2\n", "s.yaml:2:1: a second document starts here, expected one scene"},
        {"? [1, 2]\n: x\n", "s.yaml:1:3: found a list in place of a key, expected a word"},
        {"{{a: 1}: 2}", "s.yaml:1:2: found a map in place of a key, expected a word"},
        {"{\"\": 3}\n", "s.yaml:1:2: a key is empty, expected a word before the ':'"},
        {"a: \"x\\0y\"\n", "s.yaml:1:4: the text contains a zero byte, expected letters only"},
        {"a: 1\nb: \xff\n", "s.yaml:2:4: byte 0xff is not UTF-8, expected a text file in UTF-8"},
        {"a: \xc3", "s.yaml:1:4: byte 0xc3 is not UTF-8, expected a text file in UTF-8"},
        {"a: \xed\xa0\x80", "s.yaml:1:4: byte 0xed is not UTF-8, expected a text file in UTF-8"},
        {"a: \x01\n", "s.yaml:1:4: found control character 0x01, expected a text file"},
        {"a:\n\tb: 1\n", "s.yaml:2:1: not YAML: found character that cannot start any token while "
                         "scanning for the next token; indent with spaces, not tabs"},
        {"a: [1, 2\nb: 3\n", "s.yaml:2:2: not YAML: did not find expected ',' or ']' while "
                             "parsing a flow sequence"},
        {"a: b: c\n", "s.yaml:1:5: not YAML: mapping values are not allowed in this context"},
        {"a: 1\n  b: 2\n", "s.yaml:2:4: not YAML: mapping values are not allowed in this context"},
        {"a: 'x\n", "s.yaml:2:1: not YAML: found unexpected end of stream while scanning a quoted "
                    "scalar"},
        {"a: \xef\xbf\xbe\n", "s.yaml:1:4: not YAML: control characters are not allowed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(parse(cases[i].given), cases[i].wanted);
    }
    CHECK_STR(parse_bytes("a: \0b\n", 6, NULL, 0),
              "s.yaml:1:4: found control character 0x00, expected a text file");
}

TEST(depth_and_size_are_bounded)
{
    char *deep = malloc(200000);
    REQUIRE(deep);
    memset(deep, '[', 200000);
    CHECK_STR(parse_bytes(deep, 200000, NULL, 0), "s.yaml:1:65: nested deeper than 64 levels");
    for (int i = 0; i < 100000; i++) memcpy(deep + 2 * i, "- ", 2);
    CHECK_STR(parse_bytes(deep, 200000, NULL, 0), "s.yaml:1:129: nested deeper than 64 levels");
    for (int i = 0; i < 100000; i++) memcpy(deep + 2 * i, "? ", 2);
    CHECK_STR(parse_bytes(deep, 200000, NULL, 0),
              "s.yaml:1:3: found a map in place of a key, expected a word");
    free(deep);

    size_t length = (size_t)3 << 20;
    char  *wide = malloc(length);
    REQUIRE(wide);
    for (size_t i = 0; i + 2 <= length; i += 2) memcpy(wide + i, i ? "0," : "[ ", 2);
    CHECK(strstr(parse_bytes(wide, length, NULL, 0),
                 "more than 1000000 values, expected a smaller scene"));
    free(wide);
}

// A map with many keys, each twice: sorted, not compared one by one.
TEST(large_maps_stay_quick)
{
    const int count = 100000;
    size_t    length = (size_t)count * 2 * 12;
    char     *text = malloc(length + 1);
    REQUIRE(text);
    for (int i = 0; i < 2 * count; i++) {
        char line[32];
        snprintf(line, sizeof line, "k%08d: \n", i % count);
        memcpy(text + (size_t)i * 12, line, 12);
    }
    const char *report = parse_bytes(text, length, NULL, 0);
    CHECK(strncmp(report, "s.yaml:100001:1: key 'k00000000' is given twice, first in line 1,",
                  64) == 0);
    CHECK(strstr(report, "\nand 99980 more"));
    free(text);
}

TEST(files_that_cannot_be_read)
{
    scratch folder;
    scratch_open(&folder);
    const char *missing = scratch_path(&folder, "none.yaml"),
               *large = scratch_path(&folder, "large.yaml"),
               *good = scratch_path(&folder, "good.yaml");
    FILE *file = fopen(large, "wb");
    REQUIRE(file);
    CHECK(fseek(file, (long)ERGI_TREE_BYTES, SEEK_SET) == 0 && fputc('x', file) == 'x');
    fclose(file);
    file = fopen(good, "wb");
    REQUIRE(file);
    fputs("a: 1\n", file);
    fclose(file);

    const pair cases[] = {
        {missing, "there is no such file"},
        {folder.folder, "this is a folder, expected a scene file"},
        {"/dev/null", "this is not an ordinary file, expected a scene file"},
        {large, "this file has 16777217 bytes, expected at most 16777216"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ergi_arena       arena = {0};
        ergi_diagnostics report;
        size_t           length = 0;
        char             wanted[512];
        ergi_diagnostics_begin(&report, cases[i].given, NULL, 0);
        CHECK(ergi_tree_read_file(cases[i].given, &arena, &report, &length) == NULL);
        CHECK(ergi_diagnostics_end(&report, &err) == ERG_BAD_INPUT);
        snprintf(wanted, sizeof wanted, "%s: %s", cases[i].given, cases[i].wanted);
        CHECK_STR(err.text, wanted);
        ergi_arena_free(&arena);
    }
    ergi_arena       arena = {0};
    ergi_diagnostics report;
    size_t           length = 0;
    ergi_diagnostics_begin(&report, good, NULL, 0);
    const char *text = ergi_tree_read_file(good, &arena, &report, &length);
    CHECK(text && length == 5 && strcmp(text, "a: 1\n") == 0);
    CHECK(ergi_diagnostics_end(&report, &err) == ERG_OK);
    ergi_arena_free(&arena);
    scratch_close(&folder);
}

// ---- The report --------------------------------------------------------------------------------

TEST(messages_come_in_file_order_and_end_at_twenty)
{
    ergi_diagnostics report;
    ergi_diagnostics_begin(&report, "s.yaml", (const char *const[]){"a.b=3", "c=4"}, 2);
    CHECK(ergi_diagnostics_end(&report, &err) == ERG_OK);
    ergi_diagnostics_add(&report, (ergi_where){2, 1, 1}, "last");
    ergi_diagnostics_add(&report, (ergi_where){1, 1, 1}, "later");
    ergi_diagnostics_add(&report, (ergi_where){0, 9, 2}, "second");
    ergi_diagnostics_add(&report, (ergi_where){0, 9, 1}, "first");
    ergi_diagnostics_add(&report, (ergi_where){0, 9, 2}, "third");
    CHECK(ergi_diagnostics_end(&report, &err) == ERG_BAD_INPUT);
    CHECK(err.status == ERG_BAD_INPUT);
    CHECK_STR(err.text, "s.yaml:9:1: first\ns.yaml:9:2: second\ns.yaml:9:2: third\n"
                        "--set a.b: later\n--set c: last");
    CHECK(ergi_diagnostics_end(&report, NULL) == ERG_BAD_INPUT);

    for (int line = 60; line > 20; line--) {
        ergi_diagnostics_add(&report, (ergi_where){0, line, 1}, "line %d", line);
    }
    CHECK(!ergi_diagnostics_wants(&report, (ergi_where){0, 40, 1}));
    CHECK(ergi_diagnostics_wants(&report, (ergi_where){0, 10, 1}));
    ergi_diagnostics_end(&report, &err);
    CHECK(strstr(err.text, "s.yaml:9:1: first\n") == err.text);
    CHECK(strstr(err.text, "s.yaml:37:1: line 37\nand 25 more"));
    CHECK(!strstr(err.text, "line 38"));
}

TEST(long_messages_are_cut_not_overrun)
{
    char long_word[2000];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    ergi_diagnostics report;
    ergi_diagnostics_begin(&report, long_word, NULL, 0);
    for (int i = 0; i < 100; i++) {
        ergi_diagnostics_add(&report, (ergi_where){0, i, 1}, "%s", long_word);
    }
    ergi_diagnostics_end(&report, &err);
    CHECK(strlen(err.text) < sizeof err.text);
    CHECK(strstr(err.text, "\nand 80 more"));

    char clip[ERGI_CLIP];
    ergi_clip(clip, long_word);
    CHECK(strlen(clip) < ERGI_CLIP && strcmp(clip + strlen(clip) - 3, "...") == 0);
    CHECK_STR(ergi_clip(clip, "a\nb"), "a b");
    char umlauts[200] = "x";
    for (int i = 0; i < 90; i++) memcpy(umlauts + 1 + 2 * i, "\xc3\xbc", 3);
    ergi_clip(clip, umlauts);
    CHECK((strlen(clip) - 4) % 2 == 0); // x, whole letters, dots
}

TEST(guesses_are_close)
{
    static const char *const words[] = {"count", "grain", "region", "name", "x"};
    static const pair        cases[] = {
               {"cuont", "count"},   {"cout", "count"}, {"COUNT", "count"},  {"grian", "grain"},
               {"regoin", "region"}, {"nmae", "name"},  {"counts", "count"}, {"y", ""},
               {"flow", ""},         {"radius", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ergi_guess guess = {.word = cases[i].given};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            ergi_guess_offer(&guess, words[k]);
        }
        CHECK_STR(guess.best ? guess.best : "", cases[i].wanted);
    }
}

// ---- Numbers -----------------------------------------------------------------------------------

static void check_good_numbers(void)
{
    static const struct {
        const char *text;
        double      value;
    } cases[] = {{"0", 0},
                 {"1", 1},
                 {"-2", -2},
                 {"+2", 2},
                 {"1e-3", 1e-3},
                 {".5", 0.5},
                 {"5.", 5},
                 {"5.e1", 50},
                 {"-.25E+2", -25},
                 {"1/30", 1. / 30},
                 {"1e3/-4", -250},
                 {".5/.25", 2},
                 {"0.1", 0.1},
                 {"2e7", 2e7},
                 {"1.7976931348623157e308", 1.7976931348623157e308},
                 {"0e999", 0},
                 {"4.9e-324", 4.9e-324}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = -77;
        CHECK(ergi_number_read(cases[i].text, &value) == ERGI_NUMBER_OK);
        CHECK(memcmp(&value, &cases[i].value, sizeof value) == 0);
    }
}

TEST(numbers_are_bare_decimals)
{
    check_good_numbers();
    static const struct {
        const char       *text;
        ergi_number_fault fault;
    } cases[] = {
        {"", ERGI_NUMBER_NONE},
        {"abc", ERGI_NUMBER_NONE},
        {"-", ERGI_NUMBER_NONE},
        {".", ERGI_NUMBER_NONE},
        {"e5", ERGI_NUMBER_NONE},
        {"1e", ERGI_NUMBER_NONE},
        {"1e-", ERGI_NUMBER_NONE},
        {"--1", ERGI_NUMBER_NONE},
        {"1..2", ERGI_NUMBER_NONE},
        {"1/", ERGI_NUMBER_NONE},
        {"1/2/3", ERGI_NUMBER_NONE},
        {"1 / 2", ERGI_NUMBER_NONE},
        {"(1)", ERGI_NUMBER_NONE},
        {"1:30", ERGI_NUMBER_NONE},
        {"5mm", ERGI_NUMBER_UNIT},
        {"1e-5 s", ERGI_NUMBER_UNIT},
        {"30deg", ERGI_NUMBER_UNIT},
        {"30\xc2\xb0", ERGI_NUMBER_UNIT},
        {"5 %", ERGI_NUMBER_UNIT},
        {"1/30 s", ERGI_NUMBER_UNIT},
        {"2500 kg/m^3", ERGI_NUMBER_UNIT},
        {"1f", ERGI_NUMBER_UNIT},
        {"0,01", ERGI_NUMBER_COMMA},
        {"1,000,000", ERGI_NUMBER_SEPARATOR},
        {"1_000", ERGI_NUMBER_SEPARATOR},
        {"1 000", ERGI_NUMBER_SEPARATOR},
        {"nan", ERGI_NUMBER_NOT_FINITE},
        {".NaN", ERGI_NUMBER_NOT_FINITE},
        {"-inf", ERGI_NUMBER_NOT_FINITE},
        {"Infinity", ERGI_NUMBER_NOT_FINITE},
        {"1e999", ERGI_NUMBER_TOO_LARGE},
        {"1e300/1e-300", ERGI_NUMBER_TOO_LARGE},
        {"1e-400", ERGI_NUMBER_TOO_SMALL},
        {"1/0", ERGI_NUMBER_BY_ZERO},
        {"0/0.0", ERGI_NUMBER_BY_ZERO},
        {"0x10", ERGI_NUMBER_BASE},
        {"-0X1p3", ERGI_NUMBER_BASE},
        {"0o17", ERGI_NUMBER_BASE},
        {"017", ERGI_NUMBER_BASE},
        {"00.5", ERGI_NUMBER_BASE},
        {"1/0x2", ERGI_NUMBER_BASE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double            value = -77;
        ergi_number_fault fault = ergi_number_read(cases[i].text, &value);
        if (fault != cases[i].fault) printf("    '%s' gave %d\n", cases[i].text, (int)fault);
        CHECK(fault == cases[i].fault);
        CHECK_NEAR(value, -77, 0);
    }
}

TEST(integers_are_plain_digits)
{
    static const struct {
        const char *text;
        int64_t     value;
    } good[] = {{"0", 0},
                {"-5", -5},
                {"+7", 7},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t value = 77;
        CHECK(ergi_integer_read(good[i].text, &value) == ERGI_NUMBER_OK);
        CHECK(value == good[i].value);
    }
    static const struct {
        const char       *text;
        ergi_number_fault fault;
    } bad[] = {{"2e3", ERGI_NUMBER_NOT_WHOLE},
               {"2.0", ERGI_NUMBER_NOT_WHOLE},
               {"1/2", ERGI_NUMBER_NOT_WHOLE},
               {"9223372036854775808", ERGI_NUMBER_TOO_LARGE},
               {"-9223372036854775809", ERGI_NUMBER_TOO_LARGE},
               {"99999999999999999999999", ERGI_NUMBER_TOO_LARGE},
               {"007", ERGI_NUMBER_BASE},
               {"", ERGI_NUMBER_NONE},
               {"ten", ERGI_NUMBER_NONE},
               {"5 grains", ERGI_NUMBER_UNIT},
               {"2,000", ERGI_NUMBER_COMMA}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t value = 77;
        CHECK(ergi_integer_read(bad[i].text, &value) == bad[i].fault);
        CHECK(value == 77);
    }
}

TEST(numbers_are_written_short)
{
    char out[ERGI_NUMBER_TEXT];
    CHECK_STR(ergi_number_text(out, 0.1), "0.1");
    CHECK_STR(ergi_number_text(out, 0), "0");
    CHECK_STR(ergi_number_text(out, -2.5), "-2.5");
    CHECK_STR(ergi_number_text(out, 1e7), "1e+07");
    CHECK_STR(ergi_number_text(out, 1.0 / 3), "0.3333333333333333");
    CHECK_STR(ergi_number_text(out, (double)INFINITY), "inf");
}

// With a locale that writes 0,5 nothing changes. Without such a locale on this machine there is
// nothing to see.
TEST(locale_does_not_matter)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    char                     out[ERGI_NUMBER_TEXT], text[16];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!setlocale(LC_ALL, names[i])) continue;
        check_good_numbers();
        CHECK_STR(ergi_number_text(out, 0.5), "0.5");
        snprintf(text, sizeof text, "%.1f", 0.5);
        CHECK_STR(text, "0,5"); // the caller's own locale is untouched
        break;
    }
    setlocale(LC_ALL, "C");
}

// ---- Overrides ---------------------------------------------------------------------------------

static const char *const scene = "run: {time: 5}\n"
                                 "fill:\n"
                                 "  - {name: top, count: 10}\n"
                                 "  - {count: 20}\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "sinks: []\n"
                                 "view:\n";

TEST(overrides_change_and_add)
{
    static const pair cases[] = {
        {"run.time=7", "{run:{time:7},fill:[{name:top,count:10},{count:20}],gravity:[0,0,-9.81],"
                       "sinks:[],view:}"},
        {"fill.top.count=3", "{run:{time:5},fill:[{name:top,count:3},{count:20}],"
                             "gravity:[0,0,-9.81],sinks:[],view:}"},
        {"fill.1.grain=grit", "{run:{time:5},fill:[{name:top,count:10},{count:20,grain:grit}],"
                              "gravity:[0,0,-9.81],sinks:[],view:}"},
        {"gravity.2=-1.6", "{run:{time:5},fill:[{name:top,count:10},{count:20}],"
                           "gravity:[0,0,-1.6],sinks:[],view:}"},
        {"fill=[{count: 1}]", "{run:{time:5},fill:[{count:1}],gravity:[0,0,-9.81],sinks:[],view:}"},
        {"view.camera.eye=[1, 2, 3]",
         "{run:{time:5},fill:[{name:top,count:10},{count:20}],gravity:[0,0,-9.81],sinks:[],"
         "view:{camera:{eye:[1,2,3]}}}"},
        {"title=\"a=b\"", "{run:{time:5},fill:[{name:top,count:10},{count:20}],"
                          "gravity:[0,0,-9.81],sinks:[],view:,title:\"a=b\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(parse_set(scene, cases[i].given), "");
        CHECK_STR(shape, cases[i].wanted);
    }
    static const char *const in_order[] = {"a.b=1", "a.b=2", "a.c={d: 1}", "a.c.d=5"};
    CHECK_STR(parse_bytes("x: 0", 4, in_order, 4), "");
    CHECK_STR(shape, "{x:0,a:{b:2,c:{d:5}}}");
}

TEST(overrides_that_do_not_fit)
{
    static const pair cases[] = {
        {"run.time", "--set run.time: there is no '=', expected path=value"},
        {"=3", "--set : a part of the path is empty, expected keys joined by dots"},
        {"run..time=3",
         "--set run..time: a part of the path is empty, expected keys joined by dots"},
        {"run.=3", "--set run.: a part of the path is empty, expected keys joined by dots"},
        {"run time=3", "--set run time: the path contains ' ', expected letters, digits, '_' and "
                       "'-' between dots"},
        {"run.time=", "--set run.time: the value is empty, expected YAML"},
        {"run.time=[1", "--set run.time: not YAML: did not find expected ',' or ']' while parsing "
                        "a flow sequence"},
        {"run.time={a: 1, a: 2}",
         "--set run.time: key 'a' is given twice, first in line 1, expected it once"},
        {"run.time=&x 3",
         "--set run.time: anchor '&x' is not allowed in scenes, expected the value alone"},
        {"run.time.end=3", "--set run.time.end: 'run.time' is '5', it has no key 'end'"},
        {"fill.2.count=1", "--set fill.2.count: 'fill' has no entry '2', expected an index from 0 "
                           "to 1 or one of top"},
        {"fill.tpo.count=1", "--set fill.tpo.count: 'fill' has no entry 'tpo', expected an index "
                             "from 0 to 1 or one of top; did you mean 'top'?"},
        {"gravity.z=1",
         "--set gravity.z: 'gravity' has no entry 'z', expected an index from 0 to 2"},
        {"gravity.99999999999999999999999=1",
         "--set gravity.99999999999999999999999: 'gravity' has no entry "
         "'99999999999999999999999', expected an index from 0 to 2"},
        {"sinks.0=1", "--set sinks.0: 'sinks' is an empty list, it has no entry '0'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(parse_set(scene, cases[i].given), cases[i].wanted);
    }
    char deep[400] = "a";
    for (int i = 0; i < 100; i++) memcpy(deep + 1 + 2 * i, ".a", 3);
    strcat(deep, "=1");
    CHECK(strstr(parse_set(scene, deep), ": the path has more than 64 parts"));
    // A scene that is no map is refused by the schema; overrides have nothing to add.
    CHECK_STR(parse_set("[1, 2]", "a=1"), "");
    CHECK_STR(shape, "[1,2]");
}

TEST_MAIN(good_files_become_trees, bad_files_say_where_and_what, depth_and_size_are_bounded,
          large_maps_stay_quick, files_that_cannot_be_read,
          messages_come_in_file_order_and_end_at_twenty, long_messages_are_cut_not_overrun,
          guesses_are_close, numbers_are_bare_decimals, integers_are_plain_digits,
          numbers_are_written_short, locale_does_not_matter, overrides_change_and_add,
          overrides_that_do_not_fit)
