// labels: asan
// Files are replaced atomically, whatever fails.
#include "check.h"
#include "io/file.h"
#include "scratch.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool holds(const char *path, const char *text)
{
    unsigned char *bytes;
    size_t         size;
    if (ergi_file_read(path, &bytes, &size, NULL) != ERG_OK) return false;
    bool same = size == strlen(text) && memcmp(bytes, text, size) == 0;
    free(bytes);
    return same;
}

static erg_status replace(const char *path, const char *text, const char *previous, erg_error *err)
{
    return ergi_file_replace(path, text, strlen(text), previous, err);
}

TEST(replace_keeps_the_previous)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a.h5"), *previous = scratch_path(&s, "a-prev.h5");
    CHECK(replace(path, "one", previous, NULL) == ERG_OK);
    CHECK(holds(path, "one"));
    CHECK(!scratch_exists(previous));
    CHECK(replace(path, "two", previous, NULL) == ERG_OK);
    CHECK(holds(path, "two") && holds(previous, "one"));
    CHECK(replace(path, "three", previous, NULL) == ERG_OK);
    CHECK(holds(path, "three") && holds(previous, "two"));
    CHECK(!scratch_exists(scratch_path(&s, "a.h5.part")));
    CHECK(!scratch_exists(scratch_path(&s, "a-prev.h5.part")));
    scratch_close(&s);
}

// A kill between link and rename leaves both names on one file and a stale part beside them.
TEST(goes_on_after_a_kill)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a"), *previous = scratch_path(&s, "a-prev");
    const char *part = scratch_path(&s, "a.part"), *other = scratch_path(&s, "a-prev.part");
    CHECK(replace(path, "one", NULL, NULL) == ERG_OK);
    CHECK(link(path, previous) == 0 && link(path, other) == 0);
    CHECK(replace(part, "half", NULL, NULL) == ERG_OK);
    CHECK(replace(path, "two", previous, NULL) == ERG_OK);
    CHECK(holds(path, "two") && holds(previous, "one"));
    CHECK(!scratch_exists(part) && !scratch_exists(other));
    scratch_close(&s);
}

// A child replaces the file for ever and is killed at some moment: the file is one of its versions.
TEST(sigkill_leaves_a_whole_file)
{
    enum { size = 300000 };
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a"), *previous = scratch_path(&s, "a-prev");
    char       *content = malloc(size);
    REQUIRE(content);
    memset(content, 'a', size);
    REQUIRE(ergi_file_replace(path, content, size, NULL, NULL) == ERG_OK);
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            for (int i = 0;; i++) {
                memset(content, 'a' + i % 26, size);
                if (ergi_file_replace(path, content, size, previous, NULL) != ERG_OK) _exit(1);
            }
        }
        struct timespec wait = {0, 1000000 + 1700000L * round};
        nanosleep(&wait, NULL);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        CHECK(WIFSIGNALED(status));

        unsigned char *bytes = NULL;
        size_t         got = 0;
        CHECK(ergi_file_read(path, &bytes, &got, NULL) == ERG_OK);
        CHECK(got == size);
        size_t same = 0;
        while (same < got && bytes[same] == bytes[0]) same++;
        CHECK(same == size);
        free(bytes);
    }
    free(content);
    scratch_close(&s);
}

TEST(full_disk_keeps_the_old_file)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a"), *previous = scratch_path(&s, "a-prev");
    CHECK(replace(path, "good", NULL, NULL) == ERG_OK);

    struct rlimit before, small;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    static const char large[200000];
    erg_error         err = {0};
    erg_status        status = ergi_file_replace(path, large, sizeof large, previous, &err);
    setrlimit(RLIMIT_FSIZE, &before);

    CHECK(status == ERG_IO && err.status == ERG_IO);
    char want[1024];
    snprintf(want, sizeof want, "could not write %s: File too large; %s is unchanged", path, path);
    CHECK_STR(err.text, want);
    CHECK(holds(path, "good"));
    CHECK(!scratch_exists(scratch_path(&s, "a.part")));
    CHECK(!scratch_exists(previous));
    scratch_close(&s);
}

TEST(devices_are_written_not_replaced)
{
    erg_error   err = {0};
    struct stat info;
    CHECK(replace("/dev/full", "text", NULL, &err) == ERG_IO);
    CHECK_STR(err.text, "could not write /dev/full: No space left on device");
    CHECK(stat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
    CHECK(replace("/dev/null", "text", NULL, &err) == ERG_OK);
    CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

TEST(bad_places_are_told)
{
    scratch s;
    scratch_open(&s);
    erg_error   err = {0};
    const char *none = scratch_path(&s, "none/a");
    CHECK(replace(none, "x", NULL, &err) == ERG_IO);
    CHECK(strstr(err.text, none) && strstr(err.text, "No such file or directory"));
    CHECK(replace(s.folder, "x", NULL, &err) == ERG_IO);
    CHECK(strstr(err.text, "Is a directory"));

    unsigned char *bytes;
    size_t         size;
    CHECK(ergi_file_read(none, &bytes, &size, &err) == ERG_BAD_INPUT);
    CHECK(ergi_file_read(s.folder, &bytes, &size, &err) == ERG_BAD_INPUT);
    CHECK(strstr(err.text, "it is a folder"));
    const char *pipe = scratch_path(&s, "pipe");
    CHECK(mkfifo(pipe, 0600) == 0);
    CHECK(ergi_file_read(pipe, &bytes, &size, &err) == ERG_BAD_INPUT);
    CHECK(ergi_file_read("/dev/zero", &bytes, &size, &err) == ERG_BAD_INPUT);
    scratch_close(&s);
}

TEST(a_link_keeps_being_a_link)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "real"), *name = scratch_path(&s, "link");
    struct stat info;
    CHECK(replace(path, "one", NULL, NULL) == ERG_OK);
    CHECK(symlink(path, name) == 0);
    CHECK(replace(name, "two", NULL, NULL) == ERG_OK);
    CHECK(lstat(name, &info) == 0 && S_ISLNK(info.st_mode));
    CHECK(holds(path, "two"));
    scratch_close(&s);
}

TEST(abandoned_content_is_forgotten)
{
    scratch s;
    scratch_open(&s);
    const char *path = scratch_path(&s, "a");
    ergi_file  *file;
    CHECK(replace(path, "one", NULL, NULL) == ERG_OK);
    REQUIRE(ergi_file_begin(path, &file, NULL) == ERG_OK);
    ergi_file_text(file, "two");
    ergi_file_abandon(file);
    CHECK(holds(path, "one"));
    CHECK(!scratch_exists(scratch_path(&s, "a.part")));
    scratch_close(&s);
}

TEST(folders_are_made_and_removed)
{
    scratch s;
    scratch_open(&s);
    erg_error   err = {0};
    bool        empty = false;
    const char *deep = scratch_path(&s, "x/y//z/"), *top = scratch_path(&s, "x");
    CHECK(ergi_folder_is_empty(top, NULL, &empty, &err) == ERG_OK && empty);
    CHECK(ergi_folder_make(deep, &err) == ERG_OK);
    CHECK(ergi_folder_make(deep, &err) == ERG_OK);
    CHECK(ergi_folder_is_empty(deep, NULL, &empty, &err) == ERG_OK && empty);
    CHECK(ergi_folder_is_empty(top, NULL, &empty, &err) == ERG_OK && !empty);

    const char *outside = scratch_path(&s, "outside");
    CHECK(replace(outside, "stays", NULL, NULL) == ERG_OK);
    CHECK(symlink(s.folder, scratch_path(&s, "x/link")) == 0);
    CHECK(ergi_folder_remove(top, &err) == ERG_OK);
    CHECK(!scratch_exists(top) && holds(outside, "stays"));
    CHECK(ergi_folder_remove(top, &err) == ERG_OK);

    CHECK(ergi_folder_is_empty(outside, NULL, &empty, &err) == ERG_BAD_INPUT);
    CHECK(ergi_folder_make(scratch_path(&s, "outside/a"), &err) == ERG_IO);
    CHECK(strstr(err.text, "Not a directory"));
    CHECK(ergi_folder_make("", &err) == ERG_IO);
    scratch_close(&s);
}

TEST_MAIN(replace_keeps_the_previous, goes_on_after_a_kill, sigkill_leaves_a_whole_file,
          full_disk_keeps_the_old_file, devices_are_written_not_replaced, bad_places_are_told,
          a_link_keeps_being_a_link, abandoned_content_is_forgotten, folders_are_made_and_removed)
