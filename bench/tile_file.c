#include "tile_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number to raise when tiles are made in another way, so that old files are not used.
#define MAGIC "erg settled tile 2"

static bool read_body(FILE *file, size_t count, tile *t)
{
    char      extra;
    size_t    stored;
    double    period;
    erg_error ignored;
    if (fscanf(file, MAGIC " %zu %lf", &stored, &period) != 2 || fgetc(file) != '\n' ||
        stored != count || tile_allocate(t, count, &ignored) != ERG_OK)
        return false;
    t->period = period;
    if (fread(t->position, sizeof *t->position, count, file) != count ||
        fread(t->orientation, sizeof *t->orientation, count, file) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 x = t->position[i];
        erg_quat q = t->orientation[i];
        if (!isfinite(x.x + x.y + x.z + q.x + q.y + q.z + q.w)) return false;
    }
    return fread(&extra, 1, 1, file) == 0;
}

bool tile_read(const char *path, size_t count, tile *t)
{
    *t = (tile){0};
    FILE *file = fopen(path, "rb");
    bool  good = file && read_body(file, count, t);
    if (file) fclose(file);
    if (!good) tile_free(t);
    return good;
}

// Under another name first: a bench that is stopped leaves no half file.
erg_status tile_write(const char *path, const tile *t, erg_error *err)
{
    char temporary[4400];
    snprintf(temporary, sizeof temporary, "%s.part", path);
    FILE *file = fopen(temporary, "wb");
    bool  good = file != NULL;
    if (good) {
        good = fprintf(file, MAGIC " %zu %.17g\n", t->count, t->period) > 0 &&
               fwrite(t->position, sizeof *t->position, t->count, file) == t->count &&
               fwrite(t->orientation, sizeof *t->orientation, t->count, file) == t->count;
        good = fclose(file) == 0 && good;
    }
    if (good && rename(temporary, path) == 0) return ERG_OK;
    return bench_fail(err, ERG_IO, "cannot write '%s': %s", path, strerror(errno));
}
