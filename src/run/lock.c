#include "run/lock.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

ergi_lock ergi_lock_none(void)
{
    return (ergi_lock){.fd = -1};
}

// The file may belong to another user; locking needs no write permission.
static int open_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    return fd < 0 && errno == EACCES ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : fd;
}

// Whether the open file is still the one at `path`: between opening and locking, the previous owner
// may have removed it, and another process may have created a new one.
static bool is_there(int fd, const char *path)
{
    struct stat ours, there;
    return fstat(fd, &ours) == 0 && stat(path, &there) == 0 && ours.st_dev == there.st_dev &&
           ours.st_ino == there.st_ino;
}

static void sign(int fd)
{
    char text[32];
    int  length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)length, 0) != length)
        return; // on a full disk the lock is valid without the process id
}

// Process id of the owner, which it writes right after locking; 0: unknown.
static long owner_of(int fd)
{
    for (int i = 0; i < 20; i++) {
        char    text[32] = "";
        ssize_t got = pread(fd, text, sizeof text - 1, 0);
        if (got > 0 && strchr(text, '\n')) return strtol(text, NULL, 10);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return 0;
}

static erg_status fail_taken(int fd, const char *folder, erg_error *err)
{
    char who[64] = "another process";
    long owner = owner_of(fd);
    if (owner > 0) snprintf(who, sizeof who, "process %ld", owner);
    close(fd);
    return ergi_fail(err, ERG_BAD_INPUT,
                     "the result folder '%s' is in use by a run in %s: wait until it ends, or "
                     "choose another folder with --out",
                     folder, who);
}

erg_status ergi_lock_acquire(ergi_lock *lock, const char *folder, erg_error *err)
{
    if (lock->fd >= 0) return ERG_OK;
    erg_status status = ergi_path_join(&lock->path, folder, ERGI_LOCK, err);
    if (status != ERG_OK) return status;
    for (;;) {
        int fd = open_file(lock->path.text);
        if (fd < 0)
            return ergi_fail_code(err, ERG_ERROR_NO_FILE, "cannot write to the folder %s: %s",
                                  folder, strerror(errno));
        while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EINTR) continue;
            if (errno == EWOULDBLOCK) return fail_taken(fd, folder, err);
            close(fd); // no locks on this file system; the file may be another run's: keep it
            return ERG_OK;
        }
        if (is_there(fd, lock->path.text)) {
            sign(fd);
            lock->fd = fd;
            return ERG_OK;
        }
        close(fd);
    }
}

void ergi_lock_release(ergi_lock *lock)
{
    if (lock->fd < 0) return;
    unlink(lock->path.text); // before closing, while the lock is still held
    close(lock->fd);
    lock->fd = -1;
}
