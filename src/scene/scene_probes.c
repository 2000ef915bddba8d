// Probes.
#include "api/probe_grid.h"
#include "scene/scene_def.h"

#include <math.h>
#include <string.h>

enum { LONGEST_NAME = 63 }; // with the name of the quantity it forms the name of a column

#define REGION(doc_)                                                                               \
    {                                                                                              \
        "region", ERGI_BLOCK, ERGI_AT(erg_probe_def, region),                                      \
            .schema = &ergi_region_schema, ERGI_GIVEN(erg_probe_def, has_region), .doc = doc_      \
    }

static const ergi_field flow_fields[] = {
    {"point", ERGI_VEC3, ERGI_AT(erg_probe_def, point), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "any point on the plane; centre of the orifice"},
    {"normal", ERGI_VEC3, ERGI_AT(erg_probe_def, normal), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "normal of the plane; grains that cross along it are added, the others subtracted"},
    {"radius", ERGI_NUMBER, ERGI_AT(erg_probe_def, radius), .unit = "m", .normal = "0",
     ERGI_FROM(0), .doc = "radius of the orifice; 0: the whole plane"},
    {"every", ERGI_NUMBER, ERGI_AT(erg_probe_def, every), .unit = "s", .normal = "auto",
     ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "sampling period; auto: short enough that no crossing is missed"},
};
static const ergi_schema flow_schema = {
    "flow probe", ERGI_FIELDS(flow_fields), .size = sizeof(erg_probe_def),
    .doc = "Columns: mass, grains (both since t = 0) and rate [kg/s]."};

static const ergi_field force_fields[] = {
    {"wall", ERGI_REF, ERGI_AT(erg_probe_def, wall), .space = "walls", .space_too = "bodies",
     .required = true, .doc = "the wall or body; not a body with a `grid`"},
};
static const ergi_schema force_schema = {
    "force probe", ERGI_FIELDS(force_fields), .size = sizeof(erg_probe_def),
    .doc = "Columns: fx, fy, fz [N] and tx, ty, tz [N m] about the pivot, on the wall or body."};

static const ergi_field count_fields[] = {
    {"region", ERGI_BLOCK, ERGI_AT(erg_probe_def, region), .schema = &ergi_region_schema,
     ERGI_GIVEN(erg_probe_def, has_region), .required = true, .doc = "region to count in"},
};
static const ergi_schema count_schema = {"count probe", ERGI_FIELDS(count_fields),
                                         .size = sizeof(erg_probe_def),
                                         .doc = "Columns: grains and mass [kg] in the region."};

static const ergi_field  centre_fields[] = {REGION("region to measure; when absent, everywhere")};
static const ergi_schema centre_schema = {"centre probe", ERGI_FIELDS(centre_fields),
                                          .size = sizeof(erg_probe_def),
                                          .doc = "Columns: x, y, z of the centre of mass [m]."};

static const ergi_field repose_fields[] = {
    {"point", ERGI_VEC3, ERGI_AT(erg_probe_def, point), .unit = "m", .normal = "[0, 0, 0]",
     .doc = "any point on the axis of the heap"},
    {"axis", ERGI_VEC3, ERGI_AT(erg_probe_def, normal), .normal = "[0, 0, 1]", ERGI_NONZERO,
     .doc = "direction of the axis, upwards"},
    REGION("region of the heap; when absent, everywhere"),
};
static const ergi_schema repose_schema = {
    "repose probe", ERGI_FIELDS(repose_fields), .size = sizeof(erg_probe_def),
    .doc = "Column: angle [degrees], from a robust fit of the heap's flank."};

static const ergi_field height_fields[] = {
    REGION("region to measure; when absent, everywhere"),
    {"share", ERGI_NUMBER, ERGI_AT(erg_probe_def, share), .normal = "0.99", ERGI_ABOVE_TO(0, 1),
     .doc = "the height is the level below which this fraction of the grains lies"},
};
static const ergi_schema height_schema = {"height probe", ERGI_FIELDS(height_fields),
                                          .size = sizeof(erg_probe_def),
                                          .doc = "Column: height [m] of the bed."};

static const ergi_field  contacts_fields[] = {REGION("region to measure; when absent, everywhere")};
static const ergi_schema contacts_schema = {"contacts probe", ERGI_FIELDS(contacts_fields),
                                            .size = sizeof(erg_probe_def),
                                            .doc = "Columns: count, coordination (mean number per "
                                                   "grain), mean_force and max_force, normal [N]."};

static const ergi_word kernel_words[] = {{"lucy", ERG_KERNEL_LUCY, false},
                                         {"gauss", ERG_KERNEL_GAUSS, false},
                                         {"cell", ERG_KERNEL_CELL, false}};

enum { MOST_CELLS = 1 << 22 };

static const ergi_field corner_item = {.type = ERGI_VEC3, .unit = "m", ERGI_ITEM(erg_vec3)};
static const ergi_field cells_item = {
    .type = ERGI_INTEGER, ERGI_FROM_TO(1, MOST_CELLS), ERGI_ITEM(int32_t)};

static const ergi_field field_fields[] = {
    {"bounds", ERGI_LIST, ERGI_AT(erg_probe_def, bounds), .item = &corner_item, .least = 2,
     .most = 2, .required = true, .doc = "smallest and largest corner of the grid"},
    {"cells", ERGI_LIST, ERGI_AT(erg_probe_def, cells), .item = &cells_item, .least = 3, .most = 3,
     .choice = 1, .doc = "number of cells along x, y and z; 1: the mean along that axis"},
    {"spacing", ERGI_NUMBER, ERGI_AT(erg_probe_def, spacing), .unit = "m", ERGI_ABOVE(0),
     .choice = 1, .doc = "largest edge of a cell, instead of `cells`"},
    {"kernel", ERGI_WORD, ERGI_AT(erg_probe_def, kernel), ERGI_WORDS(kernel_words),
     .normal = "lucy",
     .doc = "how a grain is spread over the cells around it; cell: plain averages per cell"},
    {"width", ERGI_NUMBER, ERGI_AT(erg_probe_def, width), .unit = "m", .normal = "auto",
     ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "lucy: radius at which the kernel ends; gauss: standard deviation, cut off at three; "
            "auto: twice the largest edge of a cell for lucy, once for gauss"},
    {"every", ERGI_NUMBER, ERGI_AT(erg_probe_def, every), .unit = "s", .normal = "0.05",
     ERGI_ABOVE(0), .doc = "time between files"},
    {"samples", ERGI_INTEGER, ERGI_AT(erg_probe_def, samples), .normal = "1",
     ERGI_FROM_TO(1, 1000000),
     .doc = "a file is the mean of this many samples, spaced evenly since the last file"},
};
static const ergi_choice field_choices[] = {{.what = "grid"}};

static void check_field(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_probe_def *p = entry;
    const double         low[3] = {p->bounds[0].x, p->bounds[0].y, p->bounds[0].z};
    const double         high[3] = {p->bounds[1].x, p->bounds[1].y, p->bounds[1].z};
    double               cells = 1;
    bool                 in_order = true;
    erg_error            err;
    for (int k = 0; k < 3; k++) {
        cells *= p->spacing > 0 ? fmax(1, (high[k] - low[k]) / p->spacing) : p->cells[k];
        in_order &= low[k] < high[k];
        if (!(low[k] < high[k]))
            ergi_reader_fault(reader, map, "bounds",
                              "bounds are %g and %g along %c, expected the smaller first", low[k],
                              high[k], "xyz"[k]);
    }
    if (cells > MOST_CELLS)
        ergi_reader_fault(reader, map, p->spacing > 0 ? "spacing" : "cells",
                          "the grid has %.3g cells, expected at most %d", cells, MOST_CELLS);
    else if (in_order && ergi_probe_check_kernel(p, &err) != ERG_OK)
        ergi_reader_fault(reader, map, "width", "%s", err.text);
}

static const ergi_schema field_schema = {
    "field probe",
    ERGI_FIELDS(field_fields),
    .size = sizeof(erg_probe_def),
    ERGI_CHOICES(field_choices),
    .doc = "Density, velocity and stress on a grid, written to fields/NAME-000000.vti; no columns.",
    .check = check_field,
};

static const ergi_field probe_fields[] = {
    {"name", ERGI_NAME, ERGI_AT(erg_probe_def, name), .required = true,
     .doc = "columns in series.csv are `name.column`"},
    {"flow", ERGI_BLOCK, .schema = &flow_schema, .choice = 1, .variant = ERG_PROBE_FLOW,
     .doc = "flow through a plane or an orifice"},
    {"force", ERGI_BLOCK, .schema = &force_schema, .choice = 1, .variant = ERG_PROBE_FORCE,
     .doc = "force and torque on a wall or body"},
    {"count", ERGI_BLOCK, .schema = &count_schema, .choice = 1, .variant = ERG_PROBE_REGION,
     .doc = "number and mass of grains in a region"},
    {"centre", ERGI_BLOCK, .schema = &centre_schema, .choice = 1, .variant = ERG_PROBE_CENTRE,
     .doc = "centre of mass"},
    {"repose", ERGI_BLOCK, .schema = &repose_schema, .choice = 1, .variant = ERG_PROBE_REPOSE,
     .doc = "angle of repose of a heap"},
    {"height", ERGI_BLOCK, .schema = &height_schema, .choice = 1, .variant = ERG_PROBE_HEIGHT,
     .doc = "height of a bed"},
    {"contacts", ERGI_BLOCK, .schema = &contacts_schema, .choice = 1, .variant = ERG_PROBE_CONTACTS,
     .doc = "number of contacts and their forces"},
    {"field", ERGI_BLOCK, .schema = &field_schema, .choice = 1, .variant = ERG_PROBE_FIELD,
     .doc = "density, velocity and stress on a grid"},
};
static const ergi_choice probe_choices[] = {{"kind", ERGI_AT(erg_probe_def, kind), false}};

static void init_probe(void *entry)
{
    *(erg_probe_def *)entry = erg_probe_def_default();
}

static void check_probe(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_probe_def *p = entry;
    if (p->name && strlen(p->name) > LONGEST_NAME)
        ergi_reader_fault(reader, map, "name", "name has %zu letters, expected at most %d",
                          strlen(p->name), LONGEST_NAME);
}

const ergi_schema ergi_probe_schema = {
    "probe",
    ERGI_FIELDS(probe_fields),
    .size = sizeof(erg_probe_def),
    ERGI_CHOICES(probe_choices),
    .doc = "Measured at every row of series.csv. Probes do not affect the simulation.",
    .init = init_probe,
    .check = check_probe,
};
