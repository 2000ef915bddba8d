// A table of numbers that grows by a row at a time: series.csv.
//
// The first line names the columns; names that hold a comma, quote or line break are quoted. Every
// value reads back as the same bits (nan and inf as these words), so that a resumed run can equal
// an unbroken one byte for byte. A row reaches the file in one piece before the call returns.
//
// Units are SI and stand in the documentation, not in the names: `time`, not `time[s]`, so that
// plotting tools take the names as they are.
#ifndef ERGI_CSV_H
#define ERGI_CSV_H

#include "erg/base.h"

typedef struct ergi_csv ergi_csv;

// Begins the file anew.
erg_status ergi_csv_create(const char *path, const char *const *names, size_t count, ergi_csv **out,
                           erg_error *err);

// Goes on after the first `keep` bytes, which must begin with the same column names and end with a
// row; what stands behind them, written after the checkpoint, is cut away. ERG_BAD_INPUT when the
// file does not fit, before anything is changed.
erg_status ergi_csv_resume(const char *path, const char *const *names, size_t count, uint64_t keep,
                           ergi_csv **out, erg_error *err);

// One value per column. After a failure (disk full) the file ends with the last whole row and the
// call may be repeated.
erg_status ergi_csv_row(ergi_csv *csv, const double *values, erg_error *err);

// Length of the file so far: what a checkpoint stores for ergi_csv_resume.  [bytes]
uint64_t ergi_csv_bytes(const ergi_csv *csv);

// Makes the rows durable; to be called before a checkpoint that counts on them.
erg_status ergi_csv_sync(ergi_csv *csv, erg_error *err);

erg_status ergi_csv_close(ergi_csv *csv, erg_error *err); // takes NULL; frees in any case

#endif
