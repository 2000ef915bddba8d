// A table: columns of equal length, each one array of 1 to 16 numbers per row. Grains, spheres and
// contacts are tables, described once; growing, sorting, copying and saving use that description.
#ifndef ERGI_TABLE_H
#define ERGI_TABLE_H

#include "erg/base.h"

typedef enum ergi_type {
    ERGI_U8,
    ERGI_U16,
    ERGI_U32,
    ERGI_U64,
    ERGI_F32,
    ERGI_F64,
    ERGI_REAL, // F32 or F64, chosen in ergi_table_init
    ERGI_FIXED // U32 if ERGI_REAL is F32, else F64; see dem/fixed_point.h
} ergi_type;

typedef struct ergi_column {
    const char *name;
    ergi_type   type;
    int         width;   // numbers per row
    bool        derived; // computed from the rest: neither copied nor saved
} ergi_column;

#define ERGI_TABLE_COLUMNS 12

typedef struct ergi_table {
    const char *name;
    int         columns;
    ergi_column column[ERGI_TABLE_COLUMNS];
    void       *data[ERGI_TABLE_COLUMNS];
    size_t      row_bytes[ERGI_TABLE_COLUMNS];
    size_t      rows, room;
} ergi_table;

// `real` is ERGI_F32 or ERGI_F64. Allocates nothing.
void   ergi_table_init(ergi_table *table, const char *name, const ergi_column *columns, int count,
                       ergi_type real);
void   ergi_table_free(ergi_table *table);
size_t ergi_table_bytes(const ergi_table *table);

// New rows are zero. Growing allocates some spare rows, so that a settled world allocates nothing.
erg_status ergi_table_resize(ergi_table *table, size_t rows, erg_error *err);
// As resize, but the content is undefined: growing copies nothing and nothing is zeroed.
erg_status ergi_table_reset(ergi_table *table, size_t rows, erg_error *err);
void       ergi_table_zero(ergi_table *table, size_t begin, size_t end);

// Row i becomes the old row order[i], except in derived columns; `rows` rows remain. `scratch`
// holds `rows` elements.
void ergi_table_reorder(ergi_table *table, const uint32_t *order, size_t rows, uint64_t *scratch);
// Copies all columns except derived ones, which are undefined in the copy or, if `bare`, are not
// allocated.
erg_status ergi_table_copy(ergi_table *to, const ergi_table *from, bool bare, erg_error *err);

size_t ergi_type_bytes(ergi_type type);

#endif
