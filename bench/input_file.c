#include "input_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

FILE *input_begin(const char *folder, const char *name, erg_error *err)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file) bench_fail(err, ERG_IO, "cannot write '%s': %s", path, strerror(errno));
    return file;
}

erg_status input_end(FILE *file, const char *folder, erg_error *err)
{
    bool good = !ferror(file);
    if (fclose(file) == 0 && good) return ERG_OK;
    return bench_fail(err, ERG_IO, "cannot write to '%s': %s", folder, strerror(errno));
}

// FNV-1a hash of the positions.
static uint64_t fingerprint(const peer_state *s)
{
    const unsigned char *byte = (const unsigned char *)s->position;
    uint64_t             hash = 14695981039346656037u;
    for (size_t i = 0; i < s->spheres * sizeof *s->position; i++)
        hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
}

erg_status input_folder(char folder[4200], const char *cache, const char *code, const peer_state *s,
                        erg_error *err)
{
    static const char *const names[] = {[PEER_PACK] = "pack",
                                        [PEER_HOPPER] = "hopper",
                                        [PEER_TETRA] = "tetra",
                                        [PEER_MIXED] = "mixed"};
    snprintf(folder, 4200, "%s/%s-%s-%zu-%08" PRIx32, cache, code, names[s->scene], s->grains,
             (uint32_t)fingerprint(s));
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) return ERG_OK;
    return bench_fail(err, ERG_IO, "cannot create the folder '%s': %s", folder, strerror(errno));
}

static char *read_all(FILE *file)
{
    long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (length < 0 || fseek(file, 0, SEEK_SET) != 0) return NULL;
    char *text = malloc((size_t)length + 1);
    if (text) text[fread(text, 1, (size_t)length, file)] = '\0';
    return text;
}

char *output_text(const char *folder, const char *name)
{
    char path[4300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    char *text = file ? read_all(file) : NULL;
    if (file) fclose(file);
    return text;
}

static bool begins_line(const char *text, const char *at)
{
    return at == text || at[-1] == '\n';
}

double output_number(const char *text, const char *words)
{
    double number = (double)NAN;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
        if (begins_line(text, at)) number = strtod(at + strlen(words), NULL);
    return number;
}

double output_gain(const char *text, const char *words)
{
    double before = 0, last = (double)NAN;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
        if (!begins_line(text, at)) continue;
        before = isnan(last) ? 0 : last;
        last = strtod(at + strlen(words), NULL);
    }
    return last - before;
}
