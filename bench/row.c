#include "row.h"

#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bench_row *bench_rows_add(bench_rows *rows)
{
    if (rows->count == rows->room) {
        size_t     room = rows->room ? 2 * rows->room : 4;
        bench_row *larger = realloc(rows->row, room * sizeof *larger);
        if (!larger) return NULL;
        rows->row = larger;
        rows->room = room;
    }
    bench_row *row = &rows->row[rows->count++];
    row->count = 0;
    return row;
}

void bench_rows_free(bench_rows *rows)
{
    free(rows->row);
    *rows = (bench_rows){0};
}

static bench_value *add(bench_row *row, const char *name, bench_value_kind kind)
{
    int i = 0;
    while (i < row->count && strcmp(row->value[i].name, name) != 0) i++;
    assert(i < BENCH_ROW_VALUES);
    if (i == row->count) row->count++;
    bench_value *value = &row->value[i];
    value->name = name;
    value->kind = kind;
    return value;
}

void bench_row_count(bench_row *row, const char *name, uint64_t count)
{
    add(row, name, BENCH_COUNT)->count = count;
}

void bench_row_number(bench_row *row, const char *name, double number)
{
    add(row, name, BENCH_NUMBER)->number = number;
}

void bench_row_flag(bench_row *row, const char *name, bool flag)
{
    add(row, name, BENCH_FLAG)->count = flag;
}

const bench_value *bench_row_find(const bench_row *row, const char *name)
{
    int i = 0;
    while (i < row->count && strcmp(row->value[i].name, name) != 0) i++;
    assert(i < row->count);
    return &row->value[i];
}

void bench_row_text(bench_row *row, const char *name, const char *text)
{
    bench_value *value = add(row, name, BENCH_TEXT);
    snprintf(value->text, sizeof value->text, "%s", text);
}

// JSON has no nan: values that could not be measured are null.
static void print_value(const bench_value *v, FILE *to)
{
    if (v->kind == BENCH_COUNT)
        fprintf(to, "%" PRIu64, v->count);
    else if (v->kind == BENCH_FLAG)
        fputs(v->count ? "true" : "false", to);
    else if (v->kind == BENCH_TEXT)
        cli_json_string(to, v->text);
    else if (isfinite(v->number))
        fprintf(to, "%.6g", v->number);
    else
        fputs("null", to);
}

void bench_row_json(const bench_row *row, FILE *to)
{
    for (int i = 0; i < row->count; i++) {
        fputs(i ? "," : "{", to);
        cli_json_string(to, row->value[i].name);
        fputc(':', to);
        print_value(&row->value[i], to);
    }
    fputc('}', to);
}

// Rates are printed in millions and shares in percent, for readability.
static void format_value(const bench_value *v, char *text, size_t room)
{
    const char *per = strstr(v->name, "_steps_per_s"), *share = strstr(v->name, "_share");
    if (v->kind == BENCH_COUNT)
        snprintf(text, room, "%s %" PRIu64, v->name, v->count);
    else if (v->kind == BENCH_FLAG)
        snprintf(text, room, "%s %s", v->name, v->count ? "yes" : "no");
    else if (v->kind == BENCH_TEXT)
        snprintf(text, room, "%s %s", v->name, v->text);
    else if (!isfinite(v->number))
        snprintf(text, room, "%s unknown", v->name);
    else if (per)
        snprintf(text, room, "%s %.3f million", v->name, v->number * 1e-6);
    else if (share)
        snprintf(text, room, "%.*s %.1f %%", (int)(share - v->name), v->name, 100 * v->number);
    else
        snprintf(text, room, "%s %.4g", v->name, v->number);
}

void bench_row_print(const bench_row *row, FILE *to)
{
    size_t column = 0;
    for (int i = 0; i < row->count; i++) {
        char text[400];
        format_value(&row->value[i], text, sizeof text);
        size_t length = strlen(text);
        if (i && column + 2 + length > 100) {
            fputs(",\n   ", to);
            column = 3;
        } else if (i) {
            fputc(',', to);
            column++;
        }
        fprintf(to, "%s%s", i ? " " : "", text);
        column += 1 + length;
    }
    fputc('\n', to);
}
