// Only one run at a time may use a result folder. Its owner holds an flock on a file in the folder,
// which contains its process id. The kernel releases the lock when the process ends, even after a
// crash, so a leftover file does no harm.
#ifndef ERGI_LOCK_H
#define ERGI_LOCK_H

#include "run/path.h"

#define ERGI_LOCK "erg.lock"

typedef struct ergi_lock {
    ergi_path path; // of the file
    int       fd;   // -1: not held
} ergi_lock;

ergi_lock ergi_lock_none(void);

// The folder must exist. ERG_BAD_INPUT with the process id if another run holds the lock, even in
// this process. On a file system without locks the result is ERG_OK and no lock is held.
erg_status ergi_lock_acquire(ergi_lock *lock, const char *folder, erg_error *err);

void ergi_lock_release(ergi_lock *lock); // removes the file; does nothing if not held

#endif
