// Atomic replacement of files, and functions for folders.
//
// A file under its final name is always complete. New content is written to `NAME.part` in the same
// folder and renamed once it is on disk. At any point of
//
//     1. write NAME.part, fsync it                 NAME is the old file
//     2. link NAME to PREVIOUS (when asked for)    NAME is the old file, PREVIOUS too
//     3. rename NAME.part to NAME                  NAME is the new file
//     4. fsync the folder                          ... and stays so after a power cut
//
// the process may be killed: NAME exists and is complete. At worst a stale `.part` is left, which
// the next write of the same file removes. Two simultaneous writers of one file are not supported.
// Devices and pipes (/dev/stdout) have no old content to keep and are written directly.
//
// A process with a file size limit must ignore SIGXFSZ; exceeding the limit is then a write error.
#ifndef ERGI_FILE_H
#define ERGI_FILE_H

#include "erg/base.h"

typedef struct ergi_file ergi_file;

// Starts the new content of `path`. The folder must exist.
erg_status ergi_file_begin(const char *path, ergi_file **out, erg_error *err);

// Appends. The first error is stored, later writes are skipped, and ergi_file_commit reports it, so
// that callers need not check after each field. Numbers are stored little endian.
void ergi_file_write(ergi_file *file, const void *bytes, size_t size);
void ergi_file_text(ergi_file *file, const char *text);
void ergi_file_u32(ergi_file *file, uint32_t value);
void ergi_file_u64(ergi_file *file, uint64_t value);
void ergi_file_f32(ergi_file *file, float value);
void ergi_file_f64(ergi_file *file, double value);

// Renames the new content to `path` and frees `file`, whatever the outcome. `previous` (may be
// NULL): file name under which the old content is kept. On failure `path` still holds the old
// content.
erg_status ergi_file_commit(ergi_file *file, const char *previous, erg_error *err);

// Discards the new content: `path` is unchanged. Takes NULL.
void ergi_file_abandon(ergi_file *file);

// begin, write, commit.
erg_status ergi_file_replace(const char *path, const void *bytes, size_t size, const char *previous,
                             erg_error *err);

// Reads a regular file. A zero byte, not counted in `size`, is appended; the caller frees `bytes`.
// A wrong name (missing, folder, device, no permission) is ERG_BAD_INPUT.
erg_status ergi_file_read(const char *path, unsigned char **bytes, size_t *size, erg_error *err);

// Makes a folder and its parents; no error if it exists.
erg_status ergi_folder_make(const char *path, erg_error *err);

// Whether the folder is empty, apart from a file named `but` (may be NULL). A folder that does not
// exist is empty. Anything other than a folder is ERG_BAD_INPUT.
erg_status ergi_folder_is_empty(const char *path, const char *but, bool *empty, erg_error *err);

// Removes a folder and its content without following links; a missing folder is no error. Only for
// erg's own incomplete output.
erg_status ergi_folder_remove(const char *path, erg_error *err);

#endif
