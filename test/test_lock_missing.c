// A file system without locks: a run works without a lock and does not remove the file of another
// run.
#include "check.h"
#include "scratch.h"

#include "run/lock.h"

#include <errno.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

// Instead of the C library's.
int flock(int fd, int operation)
{
    (void)fd, (void)operation;
    errno = ENOLCK;
    return -1;
}

TEST(the_file_of_another_run_stays)
{
    scratch here;
    scratch_open(&here);
    const char *path = scratch_path(&here, ERGI_LOCK);
    FILE       *file = fopen(path, "w");
    CHECK(file && fputs("1\n", file) >= 0 && fclose(file) == 0);
    ergi_lock lock = ergi_lock_none();
    erg_error err;
    CHECK(ergi_lock_acquire(&lock, here.folder, &err) == ERG_OK);
    CHECK(lock.fd < 0);
    ergi_lock_release(&lock);
    CHECK(access(path, F_OK) == 0);
    scratch_close(&here);
}

TEST_MAIN(the_file_of_another_run_stays)
