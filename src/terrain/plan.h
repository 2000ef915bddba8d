// A coarse map of what is awake and what is frozen, in square cells of the plan, two diameters
// wide: how high the sand reaches in each. A hash table, since only few cells hold grains.
#ifndef ERGI_PLAN_H
#define ERGI_PLAN_H

#include "erg/base.h"

typedef struct ergi_plan_cell {
    int32_t x, y;
    float   awake_top, awake_low, frozen_top; // z of tops and of the lowest bottom [m]
    float   rest;   // least time for which an awake grain has been at rest [s]
    float   slides; // frozen grains whose top is above this slide down [m]
    bool    used;
} ergi_plan_cell;

typedef struct ergi_plan {
    double          side; // of a cell [m]
    ergi_plan_cell *cell;
    size_t          room; // of the table, a power of two
    uint32_t       *list; // used cells, in the order they were added
    size_t          count, list_room;
} ergi_plan;

void   ergi_plan_free(ergi_plan *plan);
size_t ergi_plan_bytes(const ergi_plan *plan);

// Empties the plan and makes room for `cells` cells.
erg_status ergi_plan_clear(ergi_plan *plan, double side, size_t cells, erg_error *err);

int32_t ergi_plan_index(const ergi_plan *plan, double x);
// The cell, or NULL.
const ergi_plan_cell *ergi_plan_find(const ergi_plan *plan, int32_t x, int32_t y);
void                  ergi_plan_add_awake(ergi_plan *plan, const double sphere[4], double rest);
void                  ergi_plan_add_frozen(ergi_plan *plan, const double sphere[4]);

#endif
