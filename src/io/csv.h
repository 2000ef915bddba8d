// A table of numbers that is written row by row: series.csv.
//
// The first line holds the column names; names that contain a comma, quote or line break are
// quoted. Every value reads back as the same bits (nan and inf are written as such), so that the
// file of a resumed run can equal that of an uninterrupted one byte for byte. A row is written in
// one piece before the call returns.
//
// Units are SI and are given in the documentation, not in the names: `time`, not `time[s]`, so that
// plotting tools accept the names.
#ifndef ERGI_CSV_H
#define ERGI_CSV_H

#include "erg/base.h"

typedef struct ergi_csv ergi_csv;

// Starts a new file.
erg_status ergi_csv_create(const char *path, const char *const *names, size_t count, ergi_csv **out,
                           erg_error *err);

// Continues after the first `keep` bytes, which must begin with the same column names and end with
// a complete row; rows after them, written after the checkpoint, are removed. ERG_BAD_INPUT if the
// file does not match; it is then unchanged.
erg_status ergi_csv_resume(const char *path, const char *const *names, size_t count, uint64_t keep,
                           ergi_csv **out, erg_error *err);

// One value per column. After a failure (disk full) the file ends with the last whole row and the
// call may be repeated.
erg_status ergi_csv_row(ergi_csv *csv, const double *values, erg_error *err);

// Length of the file so far; a checkpoint stores it for ergi_csv_resume [bytes].
uint64_t ergi_csv_bytes(const ergi_csv *csv);

// Makes the rows durable; call it before a checkpoint that refers to them.
erg_status ergi_csv_sync(ergi_csv *csv, erg_error *err);

erg_status ergi_csv_close(ergi_csv *csv, erg_error *err); // takes NULL; frees even on failure

#endif
