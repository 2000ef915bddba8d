// labels: clang
// The state hashes in hashes.txt: every shipped scene, and variants of some, ends with the same
// bits on 1 and 2 threads as when the file was written. ERG_RENEW_HASHES=1 rewrites it after a
// change of a law (make hashes-renew).
#include "check.h"
#include "erg/erg.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>

enum { ROWS = 100, SETS = 8, LINE = 1000 };

typedef struct row {
    char   text[LINE];    // as it stands in the file, with the newline
    char   parts[LINE];   // the same, cut into words
    char  *hash, *scene;  // NULL in comments and empty lines
    double time;          // [s]
    char  *set[SETS + 1]; // overrides, and room for the number of threads
    size_t sets;
} row;

static row    rows[ROWS];
static size_t row_count;

static const char *in_source(const char *name)
{
    static char path[4096];
    const char *folder = getenv("ERG_SOURCE");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
    return path;
}

// False when the line is neither a row nor a comment.
static bool parse(row *r)
{
    char *words[3 + SETS + 1], *end = NULL;
    int   count = 0;
    r->scene = NULL;
    if (r->text[0] == '#' || r->text[0] == '\n') return true;
    strcpy(r->parts, r->text);
    for (char *w = strtok(r->parts, " \n"); w && count < 3 + SETS + 1; w = strtok(NULL, " \n"))
        words[count++] = w;
    if (count < 3 || count > 3 + SETS || !strchr(r->text, '\n')) return false;
    r->hash = words[0];
    r->time = strtod(words[1], &end);
    r->scene = words[2];
    r->sets = (size_t)count - 3;
    for (size_t i = 0; i < r->sets; i++) r->set[i] = words[3 + i];
    return *end == '\0' && r->time > 0;
}

TEST(the_file_has_every_scene)
{
    FILE *file = fopen(in_source("test/hashes.txt"), "r");
    REQUIRE(file != NULL);
    row_count = 0;
    while (row_count < ROWS && fgets(rows[row_count].text, LINE, file)) {
        bool good = parse(&rows[row_count]);
        if (!good) printf("    hashes.txt:%zu: not a row\n", row_count + 1);
        CHECK(good);
        row_count++;
    }
    CHECK(feof(file) || fgetc(file) == EOF); // ROWS were enough
    fclose(file);

    DIR *scenes = opendir(in_source("scenes"));
    REQUIRE(scenes != NULL);
    for (struct dirent *entry; (entry = readdir(scenes));) {
        char *dot = strstr(entry->d_name, ".yaml");
        if (!dot) continue;
        *dot = '\0';
        bool found = false;
        for (size_t i = 0; i < row_count; i++)
            found = found || (rows[i].scene && strcmp(rows[i].scene, entry->d_name) == 0);
        if (!found) printf("    scenes/%s.yaml has no row in hashes.txt\n", entry->d_name);
        CHECK(found);
    }
    closedir(scenes);
}

static void fix_threads(void *user, erg_world_def *def)
{
    (void)user;
    def->fixed_threads = true;
}

// The hash of the row on that many threads; 0 and a complaint when it does not get there.
static uint64_t run_row(row *r, int threads)
{
    char       name[256], wanted_threads[32];
    erg_error  err = {0};
    erg_stats  stats = {0};
    erg_scene *scene = NULL;
    erg_world *world = NULL;
    uint64_t   hash = 0;
    snprintf(name, sizeof name, "scenes/%s.yaml", r->scene);
    snprintf(wanted_threads, sizeof wanted_threads, "run.threads=%d", threads);
    r->set[r->sets] = wanted_threads;
    if (erg_scene_load(in_source(name), (const char *const *)r->set, r->sets + 1, &scene, &err) ==
            ERG_OK &&
        erg_scene_build(scene, fix_threads, NULL, &world, &err) == ERG_OK &&
        erg_world_run(world, r->time, NULL, NULL, &err) == ERG_OK &&
        erg_world_stats(world, &stats, &err) == ERG_OK) {
        hash = erg_world_hash(world);
        erg_terrain_stats terrain = {0};
        if (erg_world_has_terrain(world)) erg_world_terrain_stats(world, &terrain, NULL);
        bool flows = stats.grains == 0 && terrain.active_blocks > 0;
        if (!flows && (stats.contacts == 0 || (stats.grains > 0 && stats.rebuilds < 13))) {
            printf("    %s    %" PRIu64 " contacts, %" PRIu64 " list builds: too few\n", r->text,
                   stats.contacts, stats.rebuilds);
            hash = 0;
        }
    } else {
        printf("    %s    %s\n", r->text, err.text);
    }
    erg_world_destroy(world);
    erg_scene_destroy(scene);
    return hash;
}

// Where the hashes are the same on every machine.
#if defined __x86_64__ && defined __GLIBC__
static const bool                 comparable = true;
#else
static const bool comparable = false;
#endif

// Replaces the hash at the beginning of the line.
static void set_hash(row *r, uint64_t hash)
{
    char rest[LINE];
    strcpy(rest, strchr(r->text, ' '));
    snprintf(r->text, LINE, "%016" PRIx64 "%.*s", hash, LINE - 17, rest);
}

static void write_file(void)
{
    char path[4096], part[4096 + 8];
    snprintf(path, sizeof path, "%s", in_source("test/hashes.txt"));
    snprintf(part, sizeof part, "%s.part", path);
    FILE *file = fopen(part, "w");
    REQUIRE(file != NULL);
    for (size_t i = 0; i < row_count; i++) fputs(rows[i].text, file);
    CHECK(ferror(file) == 0 && fclose(file) == 0 && rename(part, path) == 0);
}

TEST(every_row_comes_to_the_same_bits)
{
    const char *renew = getenv("ERG_RENEW_HASHES");
    bool        renewing = renew && strcmp(renew, "1") == 0;
    REQUIRE(row_count > 0);
    for (size_t i = 0; i < row_count; i++) {
        if (!rows[i].scene) continue;
        uint64_t one = run_row(&rows[i], 1), two = run_row(&rows[i], 2);
        char     got[32];
        snprintf(got, sizeof got, "%016" PRIx64, one);
        CHECK(one != 0 && two != 0);
        if (one != two) printf("    %s    2 threads: %016" PRIx64 "\n", rows[i].text, two);
        CHECK(one == two);
        if (renewing) {
            set_hash(&rows[i], one);
        } else if (comparable && strcmp(got, rows[i].hash) != 0) {
            printf("    %s    got %s\n", rows[i].text, got);
            CHECK(strcmp(got, rows[i].hash) == 0);
        }
    }
    if (renewing && check_failures == 0) write_file();
}

TEST_MAIN(the_file_has_every_scene, every_row_comes_to_the_same_bits)
