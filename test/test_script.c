// labels: asan view
// View scripts: parsing, and messages with file and line for invalid lines. And the table of keys:
// no key has two meanings, and the manual lists all of them.
#include "check.h"
#include "keys.h"
#include "scratch.h"
#include "script.h"

#include <GLFW/glfw3.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static erg_status read_text(const char *text, view_script *script, erg_error *err)
{
    scratch folder;
    scratch_open(&folder);
    const char *path = scratch_path(&folder, "demo.txt");
    FILE       *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    erg_status status = view_script_read(path, script, err);
    scratch_close(&folder);
    return status;
}

TEST(keys_are_pressed_and_let_go)
{
    view_script s;
    erg_error   err;
    REQUIRE(read_text("# nothing\n\n0.5 key shift+x # cut\n1 key down w\n2 key up w\n2.5 key F12\n",
                      &s, &err) == ERG_OK);
    REQUIRE(s.count == 6);
    CHECK(s.event[0].kind == VIEW_EVENT_KEY && s.event[0].down && s.event[0].code == GLFW_KEY_X);
    CHECK(s.event[0].mods == GLFW_MOD_SHIFT);
    CHECK(!s.event[1].down && s.event[1].code == GLFW_KEY_X);
    CHECK_NEAR(s.event[1].time, 0.5 + VIEW_FRAME, 1e-12);
    CHECK(s.event[2].down && s.event[2].code == GLFW_KEY_W && s.event[2].time == 1);
    CHECK(!s.event[3].down && s.event[3].time == 2);
    CHECK(s.event[4].code == GLFW_KEY_F12);
    view_script_free(&s);
}

// A drag goes straight from one place to the other while other things happen.
TEST(drags_are_many_moves)
{
    view_script s;
    erg_error   err;
    REQUIRE(read_text("1 drag right 100 200 400 50 0.5\n1.2 scroll -2\n", &s, &err) == ERG_OK);
    size_t down = 0, up = 0, moves = 0, scrolls = 0;
    double x = 0, y = 0, before = 0;
    for (size_t i = 0; i < s.count; i++) {
        const view_event *e = &s.event[i];
        CHECK(e->time >= before);
        before = e->time;
        if (e->kind == VIEW_EVENT_BUTTON) (e->down ? &down : &up)[0]++;
        if (e->kind == VIEW_EVENT_BUTTON) CHECK(e->code == GLFW_MOUSE_BUTTON_RIGHT);
        if (e->kind == VIEW_EVENT_SCROLL) scrolls += e->y == -2;
        if (e->kind != VIEW_EVENT_MOVE) continue;
        CHECK_NEAR(e->y, 200 - 0.5 * (e->x - 100), 1e-9);
        x = e->x;
        y = e->y;
        moves++;
    }
    CHECK(down == 1 && up == 1 && scrolls == 1);
    CHECK(moves == 16); // half a second of 30 pictures a second, both ends
    CHECK(x == 400 && y == 50);
    CHECK_NEAR(before, 1.5, 1e-9);
    view_script_free(&s);
}

TEST(the_rest_is_as_it_says)
{
    view_script s;
    erg_error   err;
    REQUIRE(read_text("0 mouse shift+right 10 20\n0 mouse move 5 6\n1 resize 640 480\n"
                      "1 screenshot a.png\n1 quit\n",
                      &s, &err) == ERG_OK);
    REQUIRE(s.count == 7);
    CHECK(s.event[0].kind == VIEW_EVENT_MOVE && s.event[0].x == 10 && s.event[0].y == 20);
    CHECK(s.event[1].kind == VIEW_EVENT_BUTTON && s.event[1].down &&
          s.event[1].code == GLFW_MOUSE_BUTTON_RIGHT && s.event[1].mods == GLFW_MOD_SHIFT);
    CHECK(s.event[2].kind == VIEW_EVENT_MOVE && s.event[2].x == 5);
    CHECK(s.event[3].kind == VIEW_EVENT_BUTTON && !s.event[3].down);
    CHECK(s.event[4].kind == VIEW_EVENT_RESIZE && s.event[4].width == 640 &&
          s.event[4].height == 480);
    CHECK(s.event[5].kind == VIEW_EVENT_SCREENSHOT);
    CHECK_STR(s.event[5].file, "a.png");
    CHECK(s.event[6].kind == VIEW_EVENT_QUIT);
    view_script_free(&s);
}

static void check_wrong(const char *text, const char *words)
{
    view_script s;
    erg_error   err;
    CHECK(read_text(text, &s, &err) == ERG_BAD_INPUT);
    if (!strstr(err.text, words)) printf("    \"%s\"\n", err.text);
    CHECK(strstr(err.text, words) != NULL);
    CHECK(s.count == 0 && s.event == NULL);
}

TEST(wrong_lines_are_told)
{
    check_wrong("0 key h\n1 clik 3\n",
                "demo.txt:2: unknown command 'clik'; expected key, mouse, drag");
    check_wrong("soon key h\n", "demo.txt:1: not a time: 'soon'; expected seconds since the start");
    check_wrong("-1 key h\n", "demo.txt:1: not a time: '-1'");
    check_wrong("nan key h\n", "demo.txt:1: not a time: 'nan'");
    check_wrong("1e9 quit\n", "too late");
    check_wrong("2 key h\n\n1 key h\n", "demo.txt:3: earlier than the line before: '1'");
    check_wrong("1\n", "demo.txt:1: no command after the time");
    check_wrong("1 key hyper\n", "demo.txt:1: unknown key 'hyper'; expected a letter");
    check_wrong("1 key\n", "expected `TIME key [down|up] KEY`");
    check_wrong("1 key h i j\n", "expected `TIME key [down|up] KEY`");
    check_wrong("1 mouse left 3\n", "expected `TIME mouse [down|up] BUTTON X Y`");
    check_wrong("1 mouse wrong 3 4\n", "unknown button 'wrong'; expected left, middle or right");
    check_wrong("1 mouse left x 4\n", "not a number: 'x'");
    check_wrong("1 drag 1 2 3\n", "expected `TIME drag [BUTTON] X Y X2 Y2 [SECONDS]`");
    check_wrong("1 drag 1 2 3 4 0\n", "bad duration of a drag '0'; expected seconds above 0");
    check_wrong("1 drag 1 2 3 4 1e300\n",
                "bad duration of a drag '1e300'; expected seconds above 0 and");
    check_wrong("1 scroll\n", "expected `TIME scroll STEPS`");
    check_wrong("1 resize 10 10\n", "whole numbers of pixels from 64 to 8192");
    check_wrong("1 screenshot a.jpg\n",
                "not a picture: 'a.jpg'; expected a name that ends in .png");
    check_wrong("1 quit now\n", "expected `TIME quit`");
    check_wrong("1 drag 1 2 3 4 5 6 7 8 9 10 11\n", "more than 10 words");
    view_script s;
    erg_error   err;
    CHECK(view_script_read("/nonexistent/demo.txt", &s, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "cannot read the script '/nonexistent/demo.txt'") != NULL);
}

// ---- Keys --------------------------------------------------------------------------------------
TEST(every_key_means_one_thing)
{
    for (const view_key_row *a = VIEW_KEYS; a->keys; a++)
        for (int k = 0; k < 2; k++) {
            if (!a->key[k]) continue;
            CHECK(view_keys_action(a->key[k], a->mods) == a->action);
            for (const view_key_row *b = a + 1; b->keys; b++)
                CHECK(b->mods != a->mods || (b->key[0] != a->key[k] && b->key[1] != a->key[k]));
        }
    CHECK(view_keys_action(GLFW_KEY_RIGHT_BRACKET, 0) == VIEW_DO_FASTER);
    CHECK(view_keys_action(GLFW_KEY_W, 0) == VIEW_DO_NOTHING);
    CHECK(view_keys_action(GLFW_KEY_S, 0) == VIEW_DO_NOTHING);
    CHECK(view_keys_action(GLFW_KEY_S, GLFW_MOD_CONTROL) == VIEW_DO_SAVE);
}

// docs/view.md has a row for each of the window's help page, in the same words.
TEST(the_manual_tells_all_keys)
{
    const char *source = getenv("ERG_SOURCE");
    char        path[4096], row[512];
    snprintf(path, sizeof path, "%s/docs/view.md", source ? source : ".");
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    static char text[65536];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (const view_key_row *k = VIEW_KEYS; k->keys; k++) {
        snprintf(row, sizeof row, "| %s | %s |\n", k->keys, k->text);
        if (!strstr(text, row)) printf("    docs/view.md lacks: %s", row);
        CHECK(strstr(text, row) != NULL);
    }
}

TEST_MAIN(keys_are_pressed_and_let_go, drags_are_many_moves, the_rest_is_as_it_says,
          wrong_lines_are_told, every_key_means_one_thing, the_manual_tells_all_keys)
