// How columns of tables stand in a checkpoint: what writing and reading must agree on.
#ifndef ERGI_API_SAVE_FORM_H
#define ERGI_API_SAVE_FORM_H

#include "base/table.h"
#include "io/container.h"

// What the stored arrays mean depends on this; raise it when the meaning of any of them changes.
#define ERGI_SAVE_LAYOUT 11

#define ERGI_SAVE_NAME 64

ergi_container_type ergi_save_type(ergi_type type);

// A box holds up to 16 numbers per row; wider columns are stored with one number per row.
void ergi_save_form(const ergi_table *table, int column, int *columns, size_t *rows);
void ergi_save_name(const ergi_table *table, int column, char name[ERGI_SAVE_NAME]);

// Columns that exist and do not follow from the rest.
static inline bool ergi_save_has(const ergi_table *table, int column)
{
    return table->row_bytes[column] > 0 && !table->column[column].derived;
}

#endif
