#include "pack_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A number to raise when packs are made in another way, so that old files are not used.
#define MAGIC "erg settled pack 1"

static bool read_body(FILE *file, size_t count, pack *p)
{
    char extra;
    if (fscanf(file, MAGIC " %zu %lf %lf %lf", &p->count, &p->low, &p->high_x, &p->high_y) != 4 ||
        fgetc(file) != '\n' || p->count != count)
        return false;
    p->position = malloc(count * sizeof *p->position);
    if (!p->position || fread(p->position, sizeof *p->position, count, file) != count) return false;
    for (size_t i = 0; i < count; i++) {
        erg_vec3 x = p->position[i];
        if (!isfinite(x.x + x.y + x.z)) return false;
    }
    return fread(&extra, 1, 1, file) == 0;
}

bool pack_read(const char *path, size_t count, pack *p)
{
    *p = (pack){0};
    FILE *file = fopen(path, "rb");
    bool  good = file && read_body(file, count, p);
    if (file) fclose(file);
    if (!good) pack_free(p);
    return good;
}

// Under another name first: a bench that is stopped leaves no half file.
erg_status pack_write(const char *path, const pack *p, erg_error *err)
{
    char temporary[4400];
    snprintf(temporary, sizeof temporary, "%s.part", path);
    FILE *file = fopen(temporary, "wb");
    bool  good = file != NULL;
    if (good) {
        good = fprintf(file, MAGIC " %zu %.17g %.17g %.17g\n", p->count, p->low, p->high_x,
                       p->high_y) > 0 &&
               fwrite(p->position, sizeof *p->position, p->count, file) == p->count;
        good = fclose(file) == 0 && good;
    }
    if (good && rename(temporary, path) == 0) return ERG_OK;
    return bench_fail(err, ERG_IO, "cannot write '%s': %s", path, strerror(errno));
}
