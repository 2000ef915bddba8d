#include "render_moments.h"

#include "fail.h"

#include <math.h>

double cli_moments_time(const cli_moments *m, size_t index)
{
    return index < erg_replay_count(m->replay) ? erg_replay_time(m->replay, index)
                                               : erg_world_time(m->world);
}

static double step_of(const cli_moments *m)
{
    return m->world ? erg_world_dt(m->world) : 0;
}

// Snapshots, and the checkpoint when it is later.
static size_t count_of(const cli_moments *m)
{
    size_t snapshots = erg_replay_count(m->replay);
    if (!m->world) return snapshots;
    bool later = snapshots == 0 || erg_world_time(m->world) >
                                       erg_replay_time(m->replay, snapshots - 1) + 0.5 * step_of(m);
    return snapshots + later;
}

double cli_moments_begin(const cli_moments *m)
{
    return cli_moments_time(m, 0);
}

double cli_moments_end(const cli_moments *m)
{
    return cli_moments_time(m, count_of(m) - 1);
}

size_t cli_moments_nearest(const cli_moments *m, double time)
{
    size_t snapshots = erg_replay_count(m->replay), best = erg_replay_nearest(m->replay, time);
    if (!m->world) return best;
    if (snapshots == 0) return 0;
    double off = fabs(erg_replay_time(m->replay, best) - time);
    return fabs(erg_world_time(m->world) - time) <= off + 0.5 * step_of(m) ? snapshots : best;
}

static double widest_gap(const cli_moments *m)
{
    double gap = 0;
    for (size_t i = 1; i < count_of(m); i++)
        gap = fmax(gap, cli_moments_time(m, i) - cli_moments_time(m, i - 1));
    return gap;
}

erg_status cli_moments_check(const cli_moments *m, double time, erg_error *err)
{
    size_t count = count_of(m);
    double gap = widest_gap(m), begin = cli_moments_begin(m), end = cli_moments_end(m);
    // A stored moment is the first step at or after the requested time, and is printed with six
    // digits.
    double near = fmax(fmax(0.5 * gap, step_of(m)), 1e-5 * end);
    if (time >= begin - near && time <= end + near) return ERG_OK;
    if (count == 1)
        return cli_fail(err, ERG_BAD_INPUT,
                        "'%s' has nothing near --at %g: its only stored time is %g s%s", m->name,
                        time, end,
                        m->world ? ", the checkpoint; run the scene with --set "
                                   "output.snapshots=vtk to store more"
                                 : "");
    return cli_fail(err, ERG_BAD_INPUT,
                    "'%s' has nothing near --at %g: it has %zu stored times from %g to %g s, at "
                    "most %g s apart",
                    m->name, time, count, begin, end, gap);
}
