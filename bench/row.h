// Rows of results: named values in the order they were added, printed as JSON and as text.
#ifndef ERG_BENCH_ROW_H
#define ERG_BENCH_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { BENCH_ROW_VALUES = 64 };

typedef enum bench_value_kind {
    BENCH_COUNT,
    BENCH_NUMBER,
    BENCH_FLAG,
    BENCH_TEXT
} bench_value_kind;

typedef struct bench_value {
    const char      *name;
    bench_value_kind kind;
    uint64_t         count; // also 0 or 1 of a flag
    double           number;
    char             text[256]; // truncated if longer
} bench_value;

typedef struct bench_row {
    bench_value value[BENCH_ROW_VALUES];
    int         count;
} bench_row;

typedef struct bench_rows {
    bench_row *row;
    size_t     count, room;
} bench_rows;

bench_row *bench_rows_add(bench_rows *rows); // NULL: out of memory; valid until the next call
void       bench_rows_free(bench_rows *rows);

// `name` is not copied; a value of the same name is replaced. Too many values are asserted.
void bench_row_count(bench_row *row, const char *name, uint64_t count);
void bench_row_number(bench_row *row, const char *name, double number);
void bench_row_flag(bench_row *row, const char *name, bool flag);
void bench_row_text(bench_row *row, const char *name, const char *text);

// The value must exist.
const bench_value *bench_row_find(const bench_row *row, const char *name);

void bench_row_json(const bench_row *row, FILE *to);
void bench_row_print(const bench_row *row, FILE *to);

#endif
