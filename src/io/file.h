// Files that are replaced whole, and the folders they live in.
//
// A file under its final name is always complete. The new content grows as `NAME.part` in the same
// folder; only when it is on the disk does it take the name. At any moment of
//
//     1. write NAME.part, fsync it                 NAME is the old file
//     2. link NAME to PREVIOUS (when asked for)    NAME is the old file, PREVIOUS too
//     3. rename NAME.part to NAME                  NAME is the new file
//     4. fsync the folder                          ... and stays so after a power cut
//
// the process may be killed: NAME exists and is whole, and at worst a stale `.part` lies beside it,
// which the next write of the same file removes. Two writers of one file at once are not supported.
// Devices and pipes (/dev/stdout) have no old content to keep and are written straight through.
//
// A process that limits its file size must ignore SIGXFSZ; the limit then reads as a write error.
#ifndef ERGI_FILE_H
#define ERGI_FILE_H

#include "erg/base.h"

typedef struct ergi_file ergi_file;

// Begins the new content of `path`. The folder must exist.
erg_status ergi_file_begin(const char *path, ergi_file **out, erg_error *err);

// Appends. An error is remembered, further writing does nothing, and ergi_file_commit reports it:
// writers need no check after each field. Numbers are stored little endian.
void ergi_file_write(ergi_file *file, const void *bytes, size_t size);
void ergi_file_text(ergi_file *file, const char *text);
void ergi_file_u32(ergi_file *file, uint32_t value);
void ergi_file_u64(ergi_file *file, uint64_t value);
void ergi_file_f32(ergi_file *file, float value);
void ergi_file_f64(ergi_file *file, double value);

// Puts the new content in place and frees `file`, whatever the outcome. `previous` (may be NULL)
// names where the old content stays. On failure `path` still holds the old content.
erg_status ergi_file_commit(ergi_file *file, const char *previous, erg_error *err);

// Forgets the new content: `path` stays as it was. Takes NULL.
void ergi_file_abandon(ergi_file *file);

// begin, write, commit.
erg_status ergi_file_replace(const char *path, const void *bytes, size_t size, const char *previous,
                             erg_error *err);

// The whole content of a regular file, with a zero byte behind it that `size` does not count; the
// caller frees it. A wrong name (missing, folder, device, no permission) is ERG_BAD_INPUT.
erg_status ergi_file_read(const char *path, unsigned char **bytes, size_t *size, erg_error *err);

// Makes a folder and those above it; one that exists is fine.
erg_status ergi_folder_make(const char *path, erg_error *err);

// Whether it holds nothing, or nothing but a file `but` (may be NULL). A folder that does not exist
// is empty. Something else than a folder is ERG_BAD_INPUT.
erg_status ergi_folder_is_empty(const char *path, const char *but, bool *empty, erg_error *err);

// Removes a folder and all in it, never following links; a missing one is fine. For our own
// half-written output only.
erg_status ergi_folder_remove(const char *path, erg_error *err);

#endif
