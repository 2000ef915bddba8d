// Names of files in fixed room.
#ifndef ERGI_PATH_H
#define ERGI_PATH_H

#include "erg/base.h"

enum { ERGI_PATH = 4096 };

typedef struct ergi_path {
    char text[ERGI_PATH];
} ergi_path;

// "folder/name"; an empty folder is the working folder. Too long is ERG_BAD_INPUT.
erg_status ergi_path_join(ergi_path *path, const char *folder, const char *name, erg_error *err);

// "a/b/c" is in "a/b", "c" in ".".
erg_status ergi_path_folder(ergi_path *folder, const char *path, erg_error *err);

// Whether both exist and are the same file or folder, whatever they are called.
bool ergi_path_same(const char *a, const char *b);

bool ergi_path_exists(const char *path);

#endif
