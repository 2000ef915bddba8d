// One run in a result folder at a time. The owner holds an flock on a file in the folder and has
// written its process id there. The kernel ends the lock with the process, however that ends, so
// that a file which was left behind holds nobody up.
#ifndef ERGI_LOCK_H
#define ERGI_LOCK_H

#include "run/path.h"

#define ERGI_LOCK "erg.lock"

typedef struct ergi_lock {
    ergi_path path; // of the file
    int       fd;   // -1: not held
} ergi_lock;

ergi_lock ergi_lock_none(void);

// Of a folder that exists. ERG_BAD_INPUT with the process id when another run has it, in this
// process too. Where the file system knows no locks, none is held and the answer is ERG_OK.
erg_status ergi_lock_take(ergi_lock *lock, const char *folder, erg_error *err);

void ergi_lock_release(ergi_lock *lock); // removes the file; one that is not held is fine

#endif
