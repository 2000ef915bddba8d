// Layout of table columns in a checkpoint, shared by writing and reading.
#ifndef ERGI_API_SAVE_FORM_H
#define ERGI_API_SAVE_FORM_H

#include "base/table.h"
#include "io/container.h"

// Version of the stored arrays; raise it when the meaning of any of them changes.
#define ERGI_SAVE_LAYOUT 14

#define ERGI_SAVE_NAME 64

ergi_container_type ergi_save_type(ergi_type type);

// A container holds up to 16 numbers per row; wider columns are stored with one number per row.
void ergi_save_form(const ergi_table *table, int column, int *columns, size_t *rows);
void ergi_save_name(const ergi_table *table, int column, char name[ERGI_SAVE_NAME]);

// Columns that exist and are not derived from others.
static inline bool ergi_save_has(const ergi_table *table, int column)
{
    return table->row_bytes[column] > 0 && !table->column[column].derived;
}

#endif
