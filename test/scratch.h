// A temporary folder for the files of one test.
//
//     scratch folder;
//     scratch_open(&folder);
//     write_something(scratch_path(&folder, "a.ply"));
//     scratch_close(&folder);
#ifndef ERG_SCRATCH_H
#define ERG_SCRATCH_H

#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct scratch {
    char folder[256];
    char paths[4][320]; // so that a few paths can be in use at once
    int  next;
} scratch;

static inline void scratch_open(scratch *s)
{
    const char *base = getenv("TMPDIR");
    snprintf(s->folder, sizeof s->folder, "%.200s/erg-test-XXXXXX", base && *base ? base : "/tmp");
    s->next = 0;
    if (!mkdtemp(s->folder)) {
        perror(s->folder);
        exit(1);
    }
}

static inline const char *scratch_path(scratch *s, const char *name)
{
    char *path = s->paths[s->next++ % 4];
    strcpy(path, s->folder);
    strcat(path, "/");
    strncat(path, name, 60);
    return path;
}

static inline void scratch_close(scratch *s)
{
    ergi_folder_remove(s->folder, NULL);
}

static inline bool scratch_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

#endif
