// Shipped scenes with random damage: bytes changed, removed or inserted, lines and words swapped.
// The reader must return, and a tree that it accepts must survive being written and read again. No
// world is built, because a mutation may request any number of grains.
#ifndef ERG_SCENE_MUTATIONS_H
#define ERG_SCENE_MUTATIONS_H

#include "check.h"

#include "base/random.h"
#include "erg/erg.h"

#include <dirent.h>
#include <stdlib.h>

typedef struct mutant {
    char  *text;
    size_t length, room;
} mutant;

static size_t pick(ergi_random *random, size_t below)
{
    return below ? (size_t)(ergi_random_u64(random) % below) : 0;
}

// Replaces `cut` bytes at `at`.
static void splice(mutant *m, size_t at, size_t cut, const char *with, size_t count)
{
    if (at > m->length) at = m->length;
    if (cut > m->length - at) cut = m->length - at;
    if (m->length - cut + count > m->room) return;
    memmove(m->text + at + count, m->text + at + cut, m->length - at - cut);
    memcpy(m->text + at, with, count);
    m->length += count - cut;
}

static bool is_word_byte(char c)
{
    return c != ' ' && c != '\n' && c != ',' && c != ':' && !strchr("[]{}", c);
}

// Start and length of the line, or of the word, that contains the byte at `at`.
static size_t piece(const mutant *m, bool word, size_t at, size_t *length)
{
    size_t begin = at, end = at;
    while (begin > 0 && (word ? is_word_byte(m->text[begin - 1]) : m->text[begin - 1] != '\n'))
        begin--;
    while (end < m->length && (word ? is_word_byte(m->text[end]) : m->text[end] != '\n')) end++;
    *length = end - begin;
    return begin;
}

static void swap_pieces(mutant *m, bool word, ergi_random *random)
{
    size_t na, nb, a = piece(m, word, pick(random, m->length), &na),
                   b = piece(m, word, pick(random, m->length), &nb);
    char first[512], second[512];
    if (a == b || na > sizeof first || nb > sizeof second) return;
    memcpy(first, m->text + a, na);
    memcpy(second, m->text + b, nb);
    // The later one first, so that the offset of the other stays valid.
    splice(m, a > b ? a : b, a > b ? na : nb, a > b ? second : first, a > b ? nb : na);
    splice(m, a > b ? b : a, a > b ? nb : na, a > b ? first : second, a > b ? na : nb);
}

static void mutate(mutant *m, ergi_random *random)
{
    static const char        odd[] = "[]{},:-?&*!|>'\"%@`#~ \n\t0123456789e./\\\x80\xff\xc3(ax";
    static const char *const words[] = {
        "nan",  "-1",  "1e999", "~",     "{}",      "[]",   "auto", "max",
        "true", "0x7", "1/0",   "never", "&a [*a]", "\n  ", "inf",  "18446744073709551616"};
    const char *word = words[pick(random, sizeof words / sizeof *words)];
    size_t      at = pick(random, m->length), length;
    char        byte = odd[pick(random, sizeof odd - 1)], flipped;
    switch (pick(random, 8)) {
    case 0:
        flipped = (char)(m->text[at] ^ (1 << pick(random, 8)));
        splice(m, at, 1, &flipped, 1);
        break;
    case 1: splice(m, at, 1, &byte, 1); break;
    case 2: splice(m, at, 0, &byte, 1); break;
    case 3: splice(m, at, 1 + pick(random, 20), "", 0); break;
    case 4: swap_pieces(m, false, random); break;
    case 5: swap_pieces(m, true, random); break;
    case 6:
        at = piece(m, true, at, &length);
        splice(m, at, length, word, strlen(word));
        break;
    default: splice(m, at, m->length, "", 0); break; // truncate
    }
}

static void check_mutant(const mutant *m)
{
    static erg_error err;
    erg_scene       *scene = NULL, *again = NULL;
    erg_status status = erg_scene_load_text(m->text, m->length, "m.yaml", NULL, 0, &scene, &err);
    CHECK(status == ERG_OK || (status == ERG_BAD_INPUT && err.text[0]));
    if (status != ERG_OK) return;
    const char *text = erg_scene_text(scene);
    char        key[128] = "";
    status = erg_scene_load_text(text, strlen(text), "m.yaml", NULL, 0, &again, &err);
    if (status != ERG_OK || erg_scene_differs(scene, again, key, sizeof key)) {
        printf("    accepted, but reads back with another %s %s\n%.*s\n", key,
               status != ERG_OK ? err.text : "", (int)m->length, m->text);
        check_failures++;
    }
    erg_scene_destroy(again);
    erg_scene_destroy(scene);
}

static size_t mutate_file(const char *path, uint64_t rounds)
{
    static char good[100000], text[200000];
    FILE       *file = fopen(path, "rb");
    size_t      length = file ? fread(good, 1, sizeof good, file) : 0;
    if (file) fclose(file);
    for (uint64_t round = 0; round < rounds && length; round++) {
        ergi_random random = {.seed = length, .stream = 1, .id = round};
        mutant      m = {text, length, sizeof text};
        memcpy(text, good, length);
        for (uint64_t k = 0; k <= round % 4; k++) mutate(&m, &random);
        check_mutant(&m);
    }
    return length;
}

static int is_scene(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static void mutate_shipped_scenes(uint64_t rounds)
{
    const char     *source = getenv("ERG_SOURCE");
    char            folder[2048], path[4096];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%s/scenes", source ? source : ".");
    int count = scandir(folder, &entries, is_scene, alphasort);
    CHECK(count >= 10);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        CHECK(mutate_file(path, rounds) > 0);
        free(entries[i]);
    }
    free(entries);
}

#endif
