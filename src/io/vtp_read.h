// Finds the arrays of a .vtp file written by erg and reads their numbers.
#ifndef ERGI_VTP_READ_H
#define ERGI_VTP_READ_H

#include "erg/base.h"

// Location of one quantity in a file.
typedef struct ergi_raw_field {
    const unsigned char *at;     // first row; NULL: not in the file
    size_t               stride; // from one row to the next [bytes]
    char                 type;   // d: f64, f: f32, u: u32, q: u64
} ergi_raw_field;

size_t   ergi_raw_size(char type); // [bytes]
double   ergi_raw_number(const ergi_raw_field *field, size_t row, size_t column);
uint64_t ergi_raw_whole(const ergi_raw_field *field, size_t row);

typedef struct ergi_vtp {
    const char          *text;
    const unsigned char *data, *end; // the appended data
    double               time;       // [s]
} ergi_vtp;

// Returns NULL or a description of the error. `bytes` are followed by a zero byte that `size` does
// not count.
const char *ergi_vtp_parse(ergi_vtp *vtp, const unsigned char *bytes, size_t size);

// Finds an array by name; false if it is missing or truncated.
bool ergi_vtp_find(const ergi_vtp *vtp, const char *name, char type, size_t columns, size_t rows,
                   ergi_raw_field *out);

// Needs only the beginning of the file [s].
bool ergi_vtp_time(const char *text, double *time);

#endif
