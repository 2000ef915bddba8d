// Reads the contacts of grains with each other and with walls.
#include "base/error.h"
#include "erg/world.h"
#include "solver/solver.h"

size_t erg_world_contact_count(const erg_world *world)
{
    if (!world) return 0;
    return (size_t)(world->clock.contacts + world->clock.wall_contacts);
}

size_t erg_world_touching_count(const erg_world *world)
{
    return world ? erg_world_contact_count(world) + (size_t)world->clock.body_contacts : 0;
}

typedef struct taking {
    erg_contact *out;
    size_t       room, count;
} taking;

static void take(void *user, const ergi_contact_view *v)
{
    taking *t = user;
    if (v->kind == ERGI_CONTACT_BODIES) return;
    if (t->count < t->room) t->out[t->count] = v->contact;
    t->count++;
}

erg_status erg_world_contacts(const erg_world *world, erg_contact *out, size_t room, size_t *count,
                              erg_error *err)
{
    if (!world || !count || (!out && room > 0)) return ergi_fail_null(err, __func__);
    taking t = {out, room, 0};
    ergi_solver_contacts(world, true, take, &t);
    *count = t.count;
    if (t.count > room)
        return ergi_fail_code(err, ERG_ERROR_NO_FIT, "room for %zu contacts, but there are %zu",
                              room, t.count);
    return ERG_OK;
}
