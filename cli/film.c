#include "film.h"

#include "fail.h"
#include "mp4.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MISSING = 127 };

struct cli_film {
    char   path[4096], part[4112];
    size_t bytes; // per picture
    pid_t  child; // process id of ffmpeg; 0: it has ended
    int    pipe;
    FILE  *words; // stderr of ffmpeg
};

// Checked before a long simulation, not after it.
static bool is_installed(const char *program)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        char   name[4096];
        size_t length = strcspn(at, ":");
        snprintf(name, sizeof name, "%.*s/%s", (int)length, at, program);
        if (access(name, X_OK) == 0) return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static erg_status missing(erg_error *err)
{
    return cli_fail(err, ERG_NOT_BUILT,
                    "films need the program ffmpeg, which was not found; on Debian install ffmpeg");
}

// ---- ffmpeg ------------------------------------------------------------------------------------
// Runs in the child after fork: executes ffmpeg. `out` is a file: URL, since a name with a colon
// would be taken for another protocol.
static void exec_ffmpeg(const char *out, const char *size, const char *rate, int in, int words)
{
    const char *argv[] = {"ffmpeg",    "-hide_banner", "-loglevel", "error", "-y",       "-f",
                          "rawvideo",  "-pix_fmt",     "rgb24",     "-s",    size,       "-r",
                          rate,        "-i",           "pipe:0",    "-an",   "-c:v",     "libx264",
                          "-preset",   "medium",       "-crf",      "18",    "-pix_fmt", "yuv420p",
                          "-movflags", "+faststart",   "-f",        "mp4",   out,        NULL};
    int         nowhere = open("/dev/null", O_WRONLY);
    setpgid(0, 0); // Ctrl-C must reach only erg, which then ends the film itself
    dup2(in, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    execvp("ffmpeg", (char *const *)argv);
    _exit(MISSING);
}

static bool start(cli_film *f, const char *size, const char *rate)
{
    int  ends[2];
    char out[sizeof f->part + 8];
    snprintf(out, sizeof out, "file:%s", f->part);
    if (pipe(ends) != 0) return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    f->child = fork();
    if (f->child == 0) exec_ffmpeg(out, size, rate, ends[0], fileno(f->words));
    close(ends[0]);
    f->pipe = ends[1];
    return f->child > 0;
}

// Closes the pipe, waits for ffmpeg and returns its exit code; -1 when it was killed.
static int wait_for(cli_film *f)
{
    int status = 0;
    if (f->pipe >= 0) close(f->pipe);
    f->pipe = -1;
    while (f->child > 0 && waitpid(f->child, &status, 0) < 0 && errno == EINTR) {}
    f->child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The last line that ffmpeg printed; an earlier line may report a full disk. False: it printed
// nothing.
static bool last_line(cli_film *f, char *text, size_t room, bool *disk_full)
{
    char line[512];
    *disk_full = false;
    *text = '\0';
    rewind(f->words);
    while (fgets(line, sizeof line, f->words)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line) snprintf(text, room, "%s", line);
        if (strstr(line, strerror(ENOSPC)) || strstr(line, strerror(EDQUOT)) ||
            strstr(line, strerror(EFBIG)))
            *disk_full = true;
    }
    return *text != '\0';
}

// Reports why ffmpeg failed: from its exit code, what it printed, and `broken`, the problem found
// in its file (may be NULL).
static erg_status report_failure(cli_film *f, int code, const char *broken, erg_error *err)
{
    char words[512];
    bool disk_full;
    if (code == MISSING) return missing(err);
    bool printed = last_line(f, words, sizeof words, &disk_full);
    if (disk_full)
        return cli_fail(err, ERG_IO,
                        "no space left on disk for '%s': free some space, or write to another disk",
                        f->path);
    if (broken)
        return cli_fail(err, ERG_IO, "ffmpeg wrote only part of '%s': %s%s%s", f->path, broken,
                        printed ? "; ffmpeg reported: " : "", words);
    return cli_fail(err, ERG_IO, "ffmpeg could not write '%s': %s", f->path,
                    printed ? words : "ffmpeg gave no reason");
}

// ---- Film --------------------------------------------------------------------------------------
static void release(cli_film *f)
{
    if (f->words) fclose(f->words);
    free(f);
}

erg_status cli_film_check(erg_error *err)
{
    return is_installed("ffmpeg") ? ERG_OK : missing(err);
}

erg_status cli_film_begin(const char *path, int width, int height, double fps, cli_film **film,
                          erg_error *err)
{
    char size[32], rate[32];
    *film = NULL;
    if (!is_installed("ffmpeg")) return missing(err);
    cli_film *f = calloc(1, sizeof *f);
    if (!f) return cli_fail(err, ERG_NO_MEMORY, "out of memory");
    f->pipe = -1;
    f->bytes = 3 * (size_t)width * (size_t)height;
    f->words = tmpfile();
    snprintf(f->path, sizeof f->path, "%s", path);
    snprintf(f->part, sizeof f->part, "%s.part", f->path);
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.9g", fps);
    if (!f->words || !start(f, size, rate)) {
        erg_status status = cli_fail(err, ERG_IO, "cannot start ffmpeg: %s", strerror(errno));
        cli_film_abandon(f);
        return status;
    }
    *film = f;
    return ERG_OK;
}

erg_status cli_film_add(cli_film *f, const uint8_t *rgb, erg_error *err)
{
    for (size_t done = 0; done < f->bytes;) {
        ssize_t got = write(f->pipe, rgb + done, f->bytes - done);
        if (got > 0)
            done += (size_t)got;
        else if (got < 0 && errno != EINTR)
            return report_failure(f, wait_for(f), NULL, err); // ffmpeg has exited
    }
    return ERG_OK;
}

// ffmpeg may exit 0 although it could not write everything, so the file is checked too.
static erg_status check(cli_film *f, int code, erg_error *err)
{
    erg_error broken;
    if (code != 0) return report_failure(f, code, NULL, err);
    if (cli_mp4_check(f->part, &broken) != ERG_OK) return report_failure(f, code, broken.text, err);
    return ERG_OK;
}

erg_status cli_film_finish(cli_film *f, erg_error *err)
{
    erg_status status = check(f, wait_for(f), err);
    if (status == ERG_OK && rename(f->part, f->path) != 0)
        status = cli_fail(err, ERG_IO, "cannot rename '%s' to '%s': %s", f->part, f->path,
                          strerror(errno));
    if (status != ERG_OK) unlink(f->part);
    release(f);
    return status;
}

void cli_film_abandon(cli_film *f)
{
    if (!f) return;
    if (f->child > 0) kill(f->child, SIGKILL);
    wait_for(f);
    unlink(f->part);
    release(f);
}
