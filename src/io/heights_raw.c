#include "io/heights.h"

#include "base/error.h"
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void erg_heights_free(erg_heights *heights)
{
    if (!heights) return;
    ergi_memory_free(heights->z);
    *heights = (erg_heights){0};
}

static float float_of(const unsigned char b[4])
{
    uint32_t bits =
        (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool read_all(FILE *file, float *z, size_t count)
{
    unsigned char bytes[4096];
    while (count > 0) {
        size_t n = count < sizeof bytes / 4 ? count : sizeof bytes / 4;
        if (fread(bytes, 4, n, file) != n) return false;
        for (size_t k = 0; k < n; k++) *z++ = float_of(bytes + 4 * k);
        count -= n;
    }
    return true;
}

erg_status erg_heights_read_raw(const char *path, const size_t columns[2], erg_heights *out,
                                erg_error *err)
{
    if (!path || !columns || !out) return ergi_fail_null(err, __func__);
    struct stat is;
    double      count = (double)columns[0] * (double)columns[1];
    *out = (erg_heights){.columns = {columns[0], columns[1]}};
    FILE *file = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "'%s' cannot be opened as a file of heights",
                              path);
    erg_status status = ERG_OK;
    if (count < 1)
        status = ergi_fail_at(err, "columns", ERG_ERROR_OUT_OF_RANGE,
                              "a file of %zu x %zu heights has none", columns[0], columns[1]);
    else if (count > ERGI_MOST_HEIGHTS)
        status =
            ergi_fail_code(err, ERG_ERROR_TOO_MANY,
                           "'%s' has %zu x %zu heights, the most are %.0f: give a coarser file",
                           path, columns[0], columns[1], ERGI_MOST_HEIGHTS);
    else if ((double)is.st_size != 4 * count)
        status = ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                                "'%s' has %lld bytes, but %zu x %zu heights of 4 bytes each have "
                                "%.0f: correct `columns`, or export 32-bit floats without a header",
                                path, (long long)is.st_size, columns[0], columns[1], 4 * count);
    if (status == ERG_OK) {
        out->z = ergi_memory_new((size_t)count, sizeof *out->z, "heights", err);
        if (!out->z) status = ERG_NO_MEMORY;
    }
    if (status == ERG_OK && !read_all(file, out->z, (size_t)count))
        status = ergi_fail(err, ERG_IO, "cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    if (status != ERG_OK) erg_heights_free(out);
    return status;
}
