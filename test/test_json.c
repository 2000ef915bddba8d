// labels: asan
#include "check.h"
#include "io/json.h"

static void write_all(ergi_json *json)
{
    ergi_json_open_object(json);
    ergi_json_key(json, "scene");
    ergi_json_string(json, "pile");
    ergi_json_key(json, "none");
    ergi_json_open_array(json);
    ergi_json_close_array(json);
    ergi_json_key(json, "empty");
    ergi_json_open_object(json);
    ergi_json_close_object(json);
    ergi_json_key(json, "rows");
    ergi_json_open_array(json);
    ergi_json_number(json, 0.1);
    ergi_json_open_object(json);
    ergi_json_key(json, "n");
    ergi_json_integer(json, INT64_MIN);
    ergi_json_key(json, "m");
    ergi_json_unsigned(json, UINT64_MAX);
    ergi_json_close_object(json);
    ergi_json_boolean(json, true);
    ergi_json_boolean(json, false);
    ergi_json_null(json);
    ergi_json_close_array(json);
    ergi_json_close_object(json);
}

TEST(nested_on_one_line)
{
    ergi_json   json = ergi_json_begin(0);
    const char *text;
    write_all(&json);
    CHECK(ergi_json_finish(&json, &text, NULL) == ERG_OK);
    CHECK_STR(text, "{\"scene\":\"pile\",\"none\":[],\"empty\":{},\"rows\":[0.1,"
                    "{\"n\":-9223372036854775808,\"m\":18446744073709551615},true,false,null]}");
    ergi_json_free(&json);
}

TEST(nested_with_indent)
{
    ergi_json   json = ergi_json_begin(2);
    const char *text;
    write_all(&json);
    CHECK(ergi_json_finish(&json, &text, NULL) == ERG_OK);
    CHECK_STR(text, "{\n  \"scene\": \"pile\",\n  \"none\": [],\n  \"empty\": {},\n  \"rows\": [\n"
                    "    0.1,\n    {\n      \"n\": -9223372036854775808,\n"
                    "      \"m\": 18446744073709551615\n    },\n    true,\n    false,\n    null\n"
                    "  ]\n}");
    ergi_json_free(&json);
}

static void check_string(const char *string, const char *want)
{
    ergi_json   json = ergi_json_begin(0);
    const char *text;
    ergi_json_string(&json, string);
    CHECK(ergi_json_finish(&json, &text, NULL) == ERG_OK);
    CHECK_STR(text, want);
    ergi_json_free(&json);
}

TEST(strings_are_escaped)
{
    check_string("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    check_string("\n\t\r\x01\x1f\x7f", "\"\\n\\t\\u000d\\u0001\\u001f\x7f\"");
    check_string("D\xc3\xbcne \xe2\x82\xac \xf0\x9f\x8f\x9c", // valid UTF-8 of 2, 3 and 4 bytes
                 "\"D\xc3\xbcne \xe2\x82\xac \xf0\x9f\x8f\x9c\"");
    check_string(NULL, "null");
    check_string("", "\"\"");
}

TEST(what_is_not_utf8_is_replaced)
{
#define BAD "\xef\xbf\xbd"
    check_string("\xff", "\"" BAD "\"");
    check_string("a\xc3", "\"a" BAD "\"");
    check_string("\xc0\x80", "\"" BAD BAD "\"");
    check_string("\xed\xa0\x80", "\"" BAD BAD BAD "\"");
    check_string("\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\"");
    check_string("\xe2\x82", "\"" BAD BAD "\"");
}

TEST(numbers_are_finite_or_null)
{
    static const struct {
        double      value;
        const char *text;
    } cases[] = {{0, "0"},          {-0.0, "-0"},          {1.0 / 3, "0.3333333333333333"},
                 {1e300, "1e+300"}, {(double)NAN, "null"}, {(double)INFINITY, "null"},
                 {-2.5, "-2.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ergi_json   json = ergi_json_begin(0);
        const char *text;
        ergi_json_number(&json, cases[i].value);
        CHECK(ergi_json_finish(&json, &text, NULL) == ERG_OK);
        CHECK_STR(text, cases[i].text);
        ergi_json_free(&json);
    }
}

TEST(grows)
{
    ergi_json   json = ergi_json_begin(0);
    const char *text;
    ergi_json_open_array(&json);
    for (int i = 0; i < 100000; i++) ergi_json_integer(&json, 7);
    ergi_json_close_array(&json);
    CHECK(ergi_json_finish(&json, &text, NULL) == ERG_OK);
    CHECK(strlen(text) == 200001);
    ergi_json_free(&json);
}

TEST_MAIN(nested_on_one_line, nested_with_indent, strings_are_escaped, what_is_not_utf8_is_replaced,
          numbers_are_finite_or_null, grows)
