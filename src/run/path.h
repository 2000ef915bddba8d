// File names in buffers of fixed size.
#ifndef ERGI_PATH_H
#define ERGI_PATH_H

#include "erg/base.h"

enum { ERGI_PATH = 4096 };

typedef struct ergi_path {
    char text[ERGI_PATH];
} ergi_path;

// "folder/name"; an empty folder is the working folder. ERG_BAD_INPUT if too long.
erg_status ergi_path_join(ergi_path *path, const char *folder, const char *name, erg_error *err);

// The folder of a path: "a/b" for "a/b/c", "." for "c".
erg_status ergi_path_folder(ergi_path *folder, const char *path, erg_error *err);

// Whether both exist and are the same file or folder, even under different names.
bool ergi_path_same(const char *a, const char *b);

bool ergi_path_exists(const char *path);

#endif
