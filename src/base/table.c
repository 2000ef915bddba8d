#include "base/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define ALIGNMENT 64

size_t ergi_type_bytes(ergi_type type)
{
    switch (type) {
    case ERGI_U8: return 1;
    case ERGI_U16: return 2;
    case ERGI_U32:
    case ERGI_F32: return 4;
    case ERGI_U64:
    case ERGI_F64: return 8;
    case ERGI_REAL:
    case ERGI_FIXED: break;
    }
    assert(!"the column's type must be settled");
    return 0;
}

void ergi_table_init(ergi_table *table, const char *name, const ergi_column *columns, int count,
                     ergi_type real)
{
    assert(count <= ERGI_TABLE_COLUMNS);
    memset(table, 0, sizeof *table);
    table->name = name;
    table->columns = count;
    for (int c = 0; c < count; c++) {
        table->column[c] = columns[c];
        if (columns[c].type == ERGI_REAL) table->column[c].type = real;
        if (columns[c].type == ERGI_FIXED)
            table->column[c].type = real == ERGI_F64 ? ERGI_F64 : ERGI_U32;
        table->row_bytes[c] = ergi_type_bytes(table->column[c].type) * (size_t)columns[c].width;
    }
}

void ergi_table_free(ergi_table *table)
{
    for (int c = 0; c < table->columns; c++) {
        free(table->data[c]);
        table->data[c] = NULL;
    }
    table->rows = table->room = 0;
}

size_t ergi_table_bytes(const ergi_table *table)
{
    size_t row = 0;
    for (int c = 0; c < table->columns; c++) row += table->row_bytes[c];
    return row * table->room;
}

// Gives every column a capacity of `room` rows, or changes nothing.
static erg_status reserve(ergi_table *table, size_t room, bool keep, erg_error *err)
{
    void *fresh[ERGI_TABLE_COLUMNS] = {0};
    for (int c = 0; c < table->columns; c++) {
        size_t row = table->row_bytes[c];
        if (row == 0) continue;
        size_t bytes =
            room <= SIZE_MAX / row - 1 ? (room * row + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1) : 0;
        fresh[c] = bytes ? ergi_memory_block(bytes) : NULL;
        if (!fresh[c]) {
            for (int k = 0; k < c; k++) free(fresh[k]);
            return ergi_fail_memory(err, room * row, table->name);
        }
        // Checkpoints and vector loops read whole columns, so no byte may be undefined.
        size_t kept = keep ? table->rows * row : 0;
        if (kept) memcpy(fresh[c], table->data[c], kept);
        memset((char *)fresh[c] + kept, 0, bytes - kept);
    }
    for (int c = 0; c < table->columns; c++) {
        free(table->data[c]);
        table->data[c] = fresh[c];
    }
    table->room = room;
    return ERG_OK;
}

static size_t with_spare(size_t rows)
{
    return rows + rows / 8 + 16;
}

erg_status ergi_table_resize(ergi_table *table, size_t rows, erg_error *err)
{
    if (rows > table->room) {
        erg_status status = reserve(table, table->room ? with_spare(rows) : rows, true, err);
        if (status != ERG_OK) return status;
    }
    size_t old = table->rows;
    table->rows = rows;
    if (rows > old) ergi_table_zero(table, old, rows);
    return ERG_OK;
}

erg_status ergi_table_reset(ergi_table *table, size_t rows, erg_error *err)
{
    if (rows > table->room) {
        erg_status status = reserve(table, table->room ? with_spare(rows) : rows, false, err);
        if (status != ERG_OK) return status;
    }
    table->rows = rows;
    return ERG_OK;
}

void ergi_table_zero(ergi_table *table, size_t begin, size_t end)
{
    for (int c = 0; c < table->columns; c++) {
        size_t row = table->row_bytes[c];
        if (row) memset((char *)table->data[c] + begin * row, 0, (end - begin) * row);
    }
}

// Reorders up to eight bytes of every row, from byte `at` of the row on.
static void reorder_piece(char *data, size_t row, size_t at, const uint32_t *order, size_t rows,
                          uint64_t *scratch)
{
    size_t bytes = row - at < sizeof *scratch ? row - at : sizeof *scratch;
    for (size_t i = 0; i < rows; i++)
        memcpy(&scratch[i], data + (size_t)order[i] * row + at, bytes);
    for (size_t i = 0; i < rows; i++) memcpy(data + i * row + at, &scratch[i], bytes);
}

void ergi_table_reorder(ergi_table *table, const uint32_t *order, size_t rows, uint64_t *scratch)
{
    for (int c = 0; c < table->columns; c++) {
        size_t row = table->column[c].derived ? 0 : table->row_bytes[c];
        for (size_t at = 0; at < row; at += sizeof *scratch)
            reorder_piece(table->data[c], row, at, order, rows, scratch);
    }
    table->rows = rows;
}

// Whether both have the same columns, ignoring derived ones.
static bool same_columns(ergi_table *to, const ergi_table *from)
{
    bool same = to->columns == from->columns;
    for (int c = 0; c < from->columns && same; c++)
        same =
            from->column[c].derived || to->column[c].derived ||
            (to->row_bytes[c] == from->row_bytes[c] && to->column[c].type == from->column[c].type);
    return same;
}

erg_status ergi_table_copy(ergi_table *to, const ergi_table *from, bool bare, erg_error *err)
{
    if (!same_columns(to, from)) {
        ergi_table_free(to);
        *to = *from;
        memset(to->data, 0, sizeof to->data);
        to->rows = to->room = 0;
        for (int c = 0; c < to->columns; c++)
            if (to->column[c].derived)
                to->row_bytes[c] =
                    bare ? 0 : ergi_type_bytes(to->column[c].type) * (size_t)to->column[c].width;
    }
    erg_status status = ergi_table_reset(to, from->rows, err);
    if (status != ERG_OK) return status;
    for (int c = 0; c < from->columns; c++) {
        size_t bytes = from->rows * from->row_bytes[c];
        if (bytes && !from->column[c].derived) memcpy(to->data[c], from->data[c], bytes);
    }
    return ERG_OK;
}
