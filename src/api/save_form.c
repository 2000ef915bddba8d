#include "api/save_form.h"

#include <stdio.h>

ergi_container_type ergi_save_type(ergi_type type)
{
    switch (type) {
    case ERGI_U8: return ERGI_CONTAINER_U8;
    case ERGI_U16: return ERGI_CONTAINER_U16;
    case ERGI_U32: return ERGI_CONTAINER_U32;
    case ERGI_U64: return ERGI_CONTAINER_U64;
    case ERGI_F32: return ERGI_CONTAINER_F32;
    default: return ERGI_CONTAINER_F64;
    }
}

void ergi_save_form(const ergi_table *table, int column, int *columns, size_t *rows)
{
    int width = table->column[column].width;
    *columns = width <= ERGI_CONTAINER_MAX_COLUMNS ? width : 1;
    *rows = width <= ERGI_CONTAINER_MAX_COLUMNS ? table->rows : table->rows * (size_t)width;
}

void ergi_save_name(const ergi_table *table, int column, char name[ERGI_SAVE_NAME])
{
    snprintf(name, ERGI_SAVE_NAME, "%s/%s", table->name, table->column[column].name);
}
