// Settled packs on disk: one line of text, then the positions as raw doubles of this machine.
#ifndef ERG_BENCH_PACK_FILE_H
#define ERG_BENCH_PACK_FILE_H

#include "pack.h"

// False when there is no such file, or not a whole one of this count: then the pack is made anew.
bool       pack_read(const char *path, size_t count, pack *p);
erg_status pack_write(const char *path, const pack *p, erg_error *err);

#endif
