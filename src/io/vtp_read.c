#include "io/vtp_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Numbers -----------------------------------------------------------------------------------
static uint64_t take_bits(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

size_t ergi_raw_size(char type)
{
    return type == 'd' || type == 'q' ? 8 : 4;
}

double ergi_raw_number(const ergi_raw_field *f, size_t row, size_t column)
{
    const unsigned char *at = f->at + row * f->stride + column * ergi_raw_size(f->type);
    uint64_t             bits = take_bits(at, (int)ergi_raw_size(f->type));
    uint32_t             half = (uint32_t)bits;
    double               wide;
    float                narrow;
    switch (f->type) {
    case 'd': memcpy(&wide, &bits, 8); return wide;
    case 'f': memcpy(&narrow, &half, 4); return (double)narrow;
    default: return (double)bits;
    }
}

uint64_t ergi_raw_whole(const ergi_raw_field *f, size_t row)
{
    const unsigned char *at = f->at + row * f->stride;
    return f->type == 'd' ? (uint64_t)ergi_raw_number(f, row, 0)
                          : take_bits(at, (int)ergi_raw_size(f->type));
}

// ---- Arrays ------------------------------------------------------------------------------------
static const char *type_name(char type)
{
    switch (type) {
    case 'd': return "Float64";
    case 'f': return "Float32";
    case 'u': return "UInt32";
    default: return "UInt64";
    }
}

bool ergi_vtp_time(const char *text, double *time)
{
    const char *array = strstr(text, "Name=\"TimeValue\""),
               *value = array ? strchr(array, '>') : NULL;
    return value && sscanf(value + 1, "%lf", time) == 1;
}

const char *ergi_vtp_parse(ergi_vtp *vtp, const unsigned char *bytes, size_t size)
{
    const char *text = (const char *)bytes;
    const char *data = strstr(text, "<AppendedData encoding=\"raw\">");
    if (strncmp(text, "<?xml", 5) != 0 || !data) return "not a VTK PolyData file";
    data = strchr(data, '_');
    *vtp = (ergi_vtp){.text = text, .end = bytes + size};
    if (!data || !ergi_vtp_time(text, &vtp->time)) return "no time, or no data";
    vtp->data = (const unsigned char *)data + 1;
    return NULL;
}

bool ergi_vtp_find(const ergi_vtp *vtp, const char *name, char type, size_t columns, size_t rows,
                   ergi_raw_field *out)
{
    char want[96];
    snprintf(want, sizeof want, "<DataArray type=\"%s\" Name=\"%s\"", type_name(type), name);
    const char *array = strstr(vtp->text, want);
    const char *offset = array ? strstr(array, "offset=\"") : NULL;
    if (!offset) return false;
    uint64_t at = strtoull(offset + 8, NULL, 10), room = (uint64_t)(vtp->end - vtp->data);
    uint64_t bytes = (uint64_t)rows * columns * ergi_raw_size(type);
    if (at > room || room - at < 8 || room - at - 8 < bytes) return false;
    if (take_bits(vtp->data + at, 8) != bytes) return false;
    *out = (ergi_raw_field){vtp->data + at + 8, columns * ergi_raw_size(type), type};
    return true;
}
