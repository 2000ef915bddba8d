// Records the intermediate states of sampling a surface.
#include "base/error.h"
#include "base/memory.h"
#include "erg/sample.h"

#include <string.h>

static const size_t MOST_BYTES = (size_t)256 << 20;

typedef struct moment {
    double *xyz;
    size_t  count;
} moment;

struct erg_spread {
    moment    *moments;
    size_t     count, room, most;
    size_t     bytes;
    size_t     stride, seen; // every stride-th state is recorded; states so far
    erg_status status;
    erg_error *err;

    const erg_sample_def *def; // while recording: the caller's definition, for its own callback
};

static void free_moment(erg_spread *s, size_t i)
{
    s->bytes -= 3 * s->moments[i].count * sizeof(double);
    ergi_memory_free(s->moments[i].xyz);
}

// Drops every second state.
static void thin_out(erg_spread *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (i % 2 == 0)
            s->moments[kept++] = s->moments[i];
        else
            free_moment(s, i);
    s->count = kept;
    s->stride *= 2;
}

static erg_status keep(erg_spread *s, const double *xyz, size_t count, erg_error *err)
{
    erg_status status = ergi_memory_grow(&s->moments, &s->room, s->count + 1, sizeof *s->moments,
                                         "the spreading", err);
    if (status != ERG_OK) return status;
    moment m = {ergi_memory_new(3 * count, sizeof(double), "the spreading", err), count};
    if (!m.xyz) return ERG_NO_MEMORY;
    if (count) memcpy(m.xyz, xyz, 3 * count * sizeof(double));
    s->moments[s->count++] = m;
    s->bytes += 3 * count * sizeof(double);
    s->most = count > s->most ? count : s->most;
    return ERG_OK;
}

static bool watch(void *user, const double *xyz, size_t count)
{
    erg_spread *s = user;
    if (s->def->watch && !s->def->watch(s->def->watch_user, xyz, count)) return false;
    if (s->seen++ % s->stride != 0) return true;
    s->status = keep(s, xyz, count, s->err);
    if (s->bytes > MOST_BYTES) thin_out(s);
    return s->status == ERG_OK;
}

erg_status erg_spread_record(const erg_mesh *mesh, const erg_sample_def *def, erg_spread **out,
                             erg_error *err)
{
    if (!mesh || !def || !out) return ergi_fail_null(err, __func__);
    *out = NULL;
    if (def->kind != ERG_SAMPLE_SURFACE)
        return ergi_fail_at(
            err, "kind", ERG_ERROR_CONFLICT,
            "spreading applies to surfaces only; spheres in a volume are placed directly");
    erg_spread *s = ergi_memory_new(1, sizeof *s, "the spreading", err);
    if (!s) return ERG_NO_MEMORY;
    s->stride = 1;
    s->err = err;
    s->def = def;
    erg_sample_def watched = *def;
    watched.watch = watch;
    watched.watch_user = s;
    erg_samples *samples = NULL;
    erg_error    why;
    erg_status   status = erg_sample(mesh, &watched, &samples, &why);
    if (s->status != ERG_OK)
        status = s->status; // err already holds the recorder's message
    else if (status != ERG_OK)
        ergi_fail_as(err, &why, "%s", why.text);
    if (status == ERG_OK && (s->seen - 1) % s->stride != 0) { // the final state was skipped
        size_t        count;
        const double *xyz = erg_samples_positions(samples, &count);
        status = keep(s, xyz, count, err);
    }
    s->err = NULL;
    s->def = NULL;
    erg_samples_destroy(samples);
    if (status == ERG_OK)
        *out = s;
    else
        erg_spread_destroy(s);
    return status;
}

size_t erg_spread_count(const erg_spread *s)
{
    if (!s) return 0;
    return s->count;
}

const double *erg_spread_at(const erg_spread *s, size_t i, size_t *count)
{
    bool there = s && i < s->count;
    if (count) *count = there ? s->moments[i].count : 0;
    return there ? s->moments[i].xyz : NULL;
}

size_t erg_spread_most(const erg_spread *s)
{
    if (!s) return 0;
    return s->most;
}

void erg_spread_destroy(erg_spread *s)
{
    if (!s) return;
    while (s->count > 0) free_moment(s, --s->count);
    ergi_memory_free(s->moments);
    ergi_memory_free(s);
}
