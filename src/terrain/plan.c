#include "terrain/plan.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

void ergi_plan_free(ergi_plan *plan)
{
    ergi_memory_free(plan->cell);
    ergi_memory_free(plan->list);
    *plan = (ergi_plan){0};
}

size_t ergi_plan_bytes(const ergi_plan *plan)
{
    return plan->room * sizeof *plan->cell + plan->list_room * sizeof *plan->list;
}

erg_status ergi_plan_clear(ergi_plan *plan, double side, size_t cells, erg_error *err)
{
    size_t room = 64;
    while (room < 2 * cells) room *= 2;
    plan->side = side;
    for (size_t k = 0; k < plan->count; k++) plan->cell[plan->list[k]].used = false;
    plan->count = 0;
    erg_status status =
        ergi_memory_grow(&plan->list, &plan->list_room, cells, sizeof *plan->list, "plan", err);
    if (status != ERG_OK || plan->room >= room) return status;
    status = ergi_memory_resize(&plan->cell, 0, room, sizeof *plan->cell, "plan", err);
    if (status == ERG_OK) plan->room = room;
    return status;
}

int32_t ergi_plan_index(const ergi_plan *plan, double x)
{
    return (int32_t)fmin(fmax(floor(x / plan->side), -1e9), 1e9);
}

static size_t slot_of(const ergi_plan *plan, int32_t x, int32_t y)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 13;
    size_t at = h & (plan->room - 1);
    while (plan->cell[at].used && (plan->cell[at].x != x || plan->cell[at].y != y))
        at = (at + 1) & (plan->room - 1);
    return at;
}

const ergi_plan_cell *ergi_plan_find(const ergi_plan *plan, int32_t x, int32_t y)
{
    if (plan->room == 0) return NULL;
    size_t at = slot_of(plan, x, y);
    return plan->cell[at].used ? &plan->cell[at] : NULL;
}

static ergi_plan_cell *cell_for(ergi_plan *plan, const double s[4])
{
    int32_t         x = ergi_plan_index(plan, s[0]), y = ergi_plan_index(plan, s[1]);
    size_t          at = slot_of(plan, x, y);
    ergi_plan_cell *cell = &plan->cell[at];
    if (cell->used) return cell;
    *cell = (ergi_plan_cell){x, y, -INFINITY, INFINITY, -INFINITY, INFINITY, INFINITY, true};
    plan->list[plan->count++] = (uint32_t)at;
    return cell;
}

void ergi_plan_add_awake(ergi_plan *plan, const double s[4], double rest)
{
    ergi_plan_cell *cell = cell_for(plan, s);
    cell->awake_top = fmaxf(cell->awake_top, (float)(s[2] + s[3]));
    cell->awake_low = fminf(cell->awake_low, (float)(s[2] - s[3]));
    cell->rest = fminf(cell->rest, (float)rest);
}

void ergi_plan_add_frozen(ergi_plan *plan, const double s[4])
{
    ergi_plan_cell *cell = cell_for(plan, s);
    cell->frozen_top = fmaxf(cell->frozen_top, (float)(s[2] + s[3]));
}
