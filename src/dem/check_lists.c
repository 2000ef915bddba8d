// Checks the neighbour lists, wall lists and body contacts of a checkpoint: every entry refers to
// spheres, walls and features that exist, and each pair occurs once.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "dem/body_history.h"
#include "dem/dem_solver.h"
#include "dem/step.h"

static const char *const SPANS[] = {"lists/inner_span", "lists/outer_span"};
static const char *const ENTRIES[] = {"lists/inner", "lists/outer"};

static bool reals_finite(const void *array, ergi_type real, size_t from, size_t count)
{
    for (size_t k = from; k < from + count; k++)
        if (!isfinite(ergi_real_at(array, real, k))) return false;
    return true;
}

static bool reals_zero(const void *array, ergi_type real, size_t from, size_t count)
{
    for (size_t k = from; k < from + count; k++)
        if (ergi_real_at(array, real, k) != 0) return false;
    return true;
}

static bool length_is_one(const double n[3])
{
    return fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) <= 1e-3;
}

// Whether the starts of consecutive rows ascend from 0 to the end.
static bool ascending(const uint32_t *start, size_t count, size_t end)
{
    for (size_t i = 0; i + 1 < count; i++)
        if (start[i] > start[i + 1]) return false;
    return count > 0 && start[0] == 0 && start[count - 1] == end;
}

// ---- Pairs -------------------------------------------------------------------------------------
typedef struct pair_check {
    const erg_world *world;
    const uint32_t  *grain; // of each sphere; NULL: sphere i is grain i
    size_t           count; // spheres
    uint32_t        *met;   // of each sphere: its last owner so far, plus one
} pair_check;

static bool history_fits(const pair_check *c, const ergi_table *entry, uint32_t e)
{
    const ergi_column *column = &entry->column[ERGI_ENTRY_HISTORY];
    size_t             width = (size_t)column->width;
    uint8_t            touching = ((const uint8_t *)entry->data[ERGI_ENTRY_TOUCHING])[e];
    ergi_type          real = ergi_world_real(c->world);
    const void *history = entry->data[ERGI_ENTRY_HISTORY], *coef = entry->data[ERGI_ENTRY_COEF];
    if (touching > 1 || !reals_finite(history, real, e * width, width) ||
        (!touching && !reals_zero(history, real, e * width, width)))
        return false;
    for (size_t k = 0; coef && k < 4; k++) {
        double value = ergi_real_at(coef, real, 4 * (size_t)e + k);
        if (!(isfinite(value) && (k == 0 ? value > 0 : value >= 0))) return false;
    }
    return true;
}

static bool has_entry(const uint32_t *start, const void *other, ergi_list_kind side, uint32_t owner,
                      uint32_t wanted)
{
    for (uint32_t e = start[owner]; e < start[owner + 1]; e++)
        if (ergi_partner(other, side, owner, e) == wanted) return true;
    return false;
}

static bool pairs_fit(const pair_check *c, const ergi_table *span, const ergi_table *entry,
                      ergi_list_kind side)
{
    const uint16_t *owner = entry->data[ERGI_ENTRY_OWNER];
    const void     *other = entry->data[ERGI_ENTRY_OTHER];
    const uint32_t *start = span->data[ERGI_SPAN_START];
    if (span->rows != c->count + 1 || !ascending(start, span->rows, entry->rows)) return false;
    // All partners are checked first: the search from a partner needs them to be valid spheres.
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t j = ergi_partner(other, side, i, e);
            uint32_t row =
                side == ERGI_INNER ? ((const uint16_t *)other)[e] : ((const uint32_t *)other)[e];
            if (owner[e] != 4 * (i % ERGI_CHUNK) || row % 4 != 0 || j >= c->count || j == i ||
                ergi_list_kind_of(i, j) != side || (c->grain && c->grain[i] == c->grain[j]) ||
                !history_fits(c, entry, e))
                return false;
        }
    memset(c->met, 0, c->count * sizeof *c->met);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t e = start[i]; e < start[i + 1]; e++) {
            uint32_t j = ergi_partner(other, side, i, e);
            if (c->met[j] == i + 1 || has_entry(start, other, side, j, i)) return false;
            c->met[j] = i + 1;
        }
    return true;
}

static size_t touching_pairs(const ergi_loaded *loaded)
{
    size_t count = 0;
    for (int side = 0; side < ERGI_LIST_KINDS; side++) {
        const ergi_table *entry = ergi_loaded_table(loaded, ENTRIES[side]);
        const uint8_t    *touching = entry->data[ERGI_ENTRY_TOUCHING];
        for (size_t e = 0; e < entry->rows; e++) count += touching[e];
    }
    return count;
}

static erg_status check_pairs(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    const ergi_table *spheres = ergi_loaded_table(loaded, "spheres");
    const ergi_clock *clock = ergi_loaded_plain(loaded, "world/clock");
    pair_check        c = {.world = world,
                           .grain = spheres->data[ERGI_SPHERE_GRAIN],
                           .count = spheres->rows,
                           .met = ergi_memory_new(spheres->rows + 1, sizeof *c.met, "a checkpoint", err)};
    if (!c.met) return ERG_NO_MEMORY;
    bool fit = true;
    for (int side = 0; side < ERGI_LIST_KINDS && fit; side++)
        fit = pairs_fit(&c, ergi_loaded_table(loaded, SPANS[side]),
                        ergi_loaded_table(loaded, ENTRIES[side]), (ergi_list_kind)side);
    ergi_memory_free(c.met);
    if (!fit) return ergi_load_misfit(err, "a pair in the lists does not match its spheres");
    // If the last step used these lists, they have as many contacts as it counted.
    size_t touching = touching_pairs(loaded);
    bool   stepped = !clock->dirty && clock->list_step < clock->steps;
    if (stepped && clock->contacts != touching)
        return ergi_load_misfit(err, "%llu contacts of grains, %zu in the lists",
                                (unsigned long long)clock->contacts, touching);
    return ERG_OK;
}

// ---- Walls -------------------------------------------------------------------------------------
// A slot has both a feature and its history, or neither; no feature has two slots.
static bool slots_fit(const erg_world *world, const ergi_table *t, size_t e)
{
    const ergi_dem *dem = ergi_dem_of(world);
    size_t slots = (size_t)dem->wall_slots, width = (size_t)dem->history_width, stride = width + 3;
    uint32_t            wall = ((const uint32_t *)t->data[ERGI_WALL_ENTRY_WALL])[e];
    const uint32_t     *feature = (const uint32_t *)t->data[ERGI_WALL_ENTRY_FEATURE] + e * slots;
    const void         *history = t->data[ERGI_WALL_ENTRY_HISTORY];
    const ergi_surface *surface = &world->wall[wall].wall.surface;
    ergi_type           real = ergi_world_real(world);
    size_t              own = (size_t)ergi_dem_wall_slots(surface);
    for (size_t k = 0; k < slots; k++) {
        size_t from = (e * slots + k) * stride;
        if (feature[k] == ERGI_NO_FEATURE) {
            if (!reals_zero(history, real, from, stride)) return false;
            continue;
        }
        // All walls have as many slots as the one with most features; any slot may be in use, but a
        // plane uses only the first.
        if ((own == 1 && k > 0) || !ergi_surface_has_feature(surface, feature[k]) ||
            !reals_finite(history, real, from, stride))
            return false;
        double n[3];
        for (size_t a = 0; a < 3; a++) n[a] = ergi_real_at(history, real, from + width + a);
        if (!length_is_one(n)) return false;
        for (size_t j = 0; j < k; j++)
            if (feature[j] == feature[k]) return false;
    }
    return true;
}

static erg_status check_near_walls(const erg_world *world, const ergi_loaded *loaded,
                                   erg_error *err)
{
    const ergi_table *near = ergi_loaded_table(loaded, "lists/near"),
                     *t = ergi_loaded_table(loaded, "lists/wall");
    const uint32_t *sphere = near->data[ERGI_NEAR_SPHERE], *start = near->data[ERGI_NEAR_START],
                   *wall = t->data[ERGI_WALL_ENTRY_WALL];
    const float *spare = t->data[ERGI_WALL_ENTRY_SPARE];
    size_t       spheres = ergi_loaded_table(loaded, "spheres")->rows;
    bool         fit = near->rows >= 1 && ascending(start, near->rows, t->rows);
    for (size_t r = 0; fit && r + 1 < near->rows; r++) {
        fit =
            sphere[r] < spheres && (r == 0 || sphere[r - 1] < sphere[r]) && start[r] < start[r + 1];
        for (uint32_t e = start[r]; fit && e < start[r + 1]; e++)
            fit = wall[e] < world->walls && (e == start[r] || wall[e - 1] < wall[e]) &&
                  isfinite(spare[e]) && slots_fit(world, t, e);
    }
    if (!fit)
        return ergi_load_misfit(err, "an entry of lists/wall does not match a sphere and a wall");
    return ERG_OK;
}

// ---- Bodies ------------------------------------------------------------------------------------
static bool body_contact_fits(const erg_world *world, const ergi_table *t, size_t r)
{
    const uint32_t *walls = (const uint32_t *)t->data[ERGI_BODY_CONTACT_WALLS] + 2 * r,
                   *place = (const uint32_t *)t->data[ERGI_BODY_CONTACT_KEY] + 3 * r;
    const double *history =
        (const double *)t->data[ERGI_BODY_CONTACT_HISTORY] + ERGI_BODY_HISTORY_WIDTH * r;
    if (walls[0] >= walls[1] || walls[1] >= world->walls || place[1] > 1) return false;
    const ergi_world_wall *of = &world->wall[walls[place[1]]], *to = &world->wall[walls[!place[1]]];
    ergi_surface felt = to->wall.surface; // bodies collide with triangles: see ergi_body_hits
    if (felt.kind == ERGI_SURFACE_CLOUD) felt.kind = ERGI_SURFACE_MESH;
    if (!of->body.exists || !(of->body.free || to->body.free) || ergi_wall_is_terrain(to) ||
        place[0] >= world->body_shape[of->body.shape].balls.count ||
        !ergi_surface_has_feature(&felt, place[2]))
        return false;
    for (int k = 0; k < ERGI_BODY_HISTORY_WIDTH; k++)
        if (!isfinite(history[k])) return false;
    return length_is_one(history + ERGI_BODY_HISTORY_NORMAL);
}

static erg_status check_body_contacts(const erg_world *world, const ergi_loaded *loaded,
                                      erg_error *err)
{
    const ergi_table *t = ergi_loaded_table(loaded, "touch");
    const uint32_t   *walls = t->data[ERGI_BODY_CONTACT_WALLS];
    size_t            pairs = 0;
    for (size_t r = 0; r < t->rows; r++) {
        bool sorted = r == 0 || walls[2 * r - 2] < walls[2 * r] ||
                      (walls[2 * r - 2] == walls[2 * r] && walls[2 * r - 1] <= walls[2 * r + 1]);
        if (!sorted || !body_contact_fits(world, t, r))
            return ergi_load_misfit(err, "row %zu of /touch is not a contact of two bodies", r);
        pairs += r == 0 || walls[2 * r] != walls[2 * r - 2] || walls[2 * r + 1] != walls[2 * r - 1];
    }
    const ergi_clock *clock = ergi_loaded_plain(loaded, "world/clock");
    if (clock->body_contacts != pairs)
        return ergi_load_misfit(err, "%llu contacts of bodies, %zu in /touch",
                                (unsigned long long)clock->body_contacts, pairs);
    return ERG_OK;
}

erg_status ergi_dem_check_lists(const erg_world *world, const ergi_loaded *loaded, erg_error *err)
{
    erg_status status = check_pairs(world, loaded, err);
    if (status == ERG_OK) status = check_near_walls(world, loaded, err);
    return status == ERG_OK ? check_body_contacts(world, loaded, err) : status;
}
