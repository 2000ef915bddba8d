// The `terrain` block of a scene.
#include "base/error.h"
#include "base/memory.h"
#include "io/heights.h"
#include "scene/scene_def.h"
#include "scene/scene_things.h"
#include "terrain/terrain_def.h"

#include <string.h>

// ---- Relief ------------------------------------------------------------------------------------
static const ergi_field number_item = {.type = ERGI_NUMBER, .unit = "m", ERGI_ITEM(double)};
static const ergi_field rise_item = {.type = ERGI_NUMBER, ERGI_ITEM(double)};
static const ergi_field count_item = {
    .type = ERGI_INTEGER, ERGI_FROM_TO(2, 2e9), ERGI_ITEM(uint64_t)};
static const ergi_word seed_word[] = {{"auto", 0, false}};

#define WAVES(amplitude_doc, wavelength_doc)                                                       \
    {"amplitude",         ERGI_NUMBER,      ERGI_AT(ergi_scene_terrain, def.amplitude),            \
     .unit = "m",         .required = true, ERGI_FROM(0),                                          \
     .doc = amplitude_doc},                                                                        \
        {"wavelength",         ERGI_NUMBER,      ERGI_AT(ergi_scene_terrain, def.wavelength),      \
         .unit = "m",          .required = true, ERGI_ABOVE(0),                                    \
         .doc = wavelength_doc},                                                                   \
    {                                                                                              \
        "seed", ERGI_INTEGER, ERGI_AT(ergi_scene_terrain, def.seed),                               \
            .normal = "auto", ERGI_FROM(1), ERGI_WORDS(seed_word),                                 \
            .doc = "random seed of the shape; auto: the scene's"                                   \
    }

static const ergi_field dunes_fields[] = {
    WAVES("half of the height of a mean dune; at most a tenth of `wavelength`",
          "distance between crests along the wind; at least four columns"),
    {"direction", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.direction), .unit = "rad",
     .normal = "0", .doc = "to which the wind blows, from x towards y; the steep side is downwind"},
};
static const ergi_schema dunes_schema = {
    "dunes relief", ERGI_FIELDS(dunes_fields), .size = sizeof(ergi_scene_terrain),
    .doc = "Crests across the wind, gentle on the windward side, with a slip face of 31 degrees on "
           "the other."};

static const ergi_field noise_fields[] = {
    WAVES("largest distance from the mean height",
          "from hill to hill, of the largest hills; at least four columns"),
};
static const ergi_schema noise_schema = {"noise relief", ERGI_FIELDS(noise_fields),
                                         .size = sizeof(ergi_scene_terrain),
                                         .doc = "Smooth random hills of several sizes."};

static const ergi_field heights_fields[] = {
    {"file", ERGI_TEXT, ERGI_AT(ergi_scene_terrain, file), .required = true, .sets = "heights",
     .doc = "16-bit greyscale PNG or, with `columns`, a raw file of 32-bit floats; the path is "
            "relative to the folder of the scene file"},
    {"low", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, low), .unit = "m",
     ERGI_GIVEN(ergi_scene_terrain, low_given),
     .doc = "PNG: z of the value 0; when absent, what the file states (those of erg do)"},
    {"high", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, high), .unit = "m",
     ERGI_GIVEN(ergi_scene_terrain, high_given), .doc = "PNG: z of the value 65535; likewise"},
    {"columns", ERGI_LIST, ERGI_AT(ergi_scene_terrain, columns), .item = &count_item, .least = 2,
     .most = 2, ERGI_GIVEN(ergi_scene_terrain, columns_given),
     .doc = "raw file: how many heights it has along x and y"},
};

static void check_heights(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const ergi_scene_terrain *t = entry;
    if (t->columns_given && (t->low_given || t->high_given))
        ergi_reader_fault(reader, map, "columns",
                          "'columns' and '%s' exclude each other: the first is of raw files, the "
                          "second of PNG files",
                          t->low_given ? "low" : "high");
    else if (t->low_given && t->high_given && !(t->low <= t->high))
        ergi_reader_fault(reader, map, "high", "high is %g, expected at least low, %g [m]", t->high,
                          t->low);
}

static const ergi_schema heights_schema = {
    "heights relief", ERGI_FIELDS(heights_fields), .size = sizeof(ergi_scene_terrain),
    .doc = "Heights from a file, laid over the whole terrain and interpolated. A PNG is a map seen "
           "from above, x to the right and y up. A raw file is little endian, row by row along x, "
           "the first row at the lower y.",
    .check = check_heights};

static const ergi_field relief_fields[] = {
    {"slope", ERGI_LIST, ERGI_AT(ergi_scene_terrain, def.slope), .item = &rise_item, .least = 2,
     .most = 2, .choice = 1, .variant = ERG_RELIEF_SLOPE,
     .doc = "a tilted plane: rise per metre along x and y; `height` is in the middle"},
    {"dunes", ERGI_BLOCK, .schema = &dunes_schema, .choice = 1, .variant = ERG_RELIEF_DUNES,
     .doc = "dunes around `height`"},
    {"noise", ERGI_BLOCK, .schema = &noise_schema, .choice = 1, .variant = ERG_RELIEF_NOISE,
     .doc = "hills around `height`"},
    {"heights", ERGI_BLOCK, .schema = &heights_schema, .choice = 1, .variant = ERG_RELIEF_HEIGHTS,
     .doc = "heights from a file, added to `height`"},
};
static const ergi_choice relief_choices[] = {
    {"relief", ERGI_AT(ergi_scene_terrain, def.relief), false}};
static const ergi_schema relief_schema = {"relief", ERGI_FIELDS(relief_fields),
                                          .size = sizeof(ergi_scene_terrain),
                                          ERGI_CHOICES(relief_choices)};

// ---- Terrain -----------------------------------------------------------------------------------
static const ergi_word  flat_word[] = {{"flat", ERG_RELIEF_FLAT, false}};
static const ergi_field corner_item = {.type = ERGI_LIST,
                                       .item = &number_item,
                                       .unit = "m",
                                       ERGI_ITEM(double[2]),
                                       .least = 2,
                                       .most = 2};

static const ergi_field terrain_fields[] = {
    {"material", ERGI_REF, ERGI_AT(ergi_scene_terrain, def.material), .space = "materials",
     .required = true, .doc = "of the sand"},
    {"grain", ERGI_REF, ERGI_AT(ergi_scene_terrain, def.grain), .space = "grains",
     .doc = "kind of grains that columns turn into: single spheres of the same material; when "
            "absent, columns stay columns"},
    {"bounds", ERGI_LIST, ERGI_AT(ergi_scene_terrain, bounds), .item = &corner_item, .least = 2,
     .most = 2, .required = true, .unit = "m", .sets = "lower upper",
     .doc = "smallest and largest corner seen from above, [[x, y], [x, y]]; enlarged to whole "
            "columns"},
    {"spacing", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.spacing), .unit = "m",
     .required = true, ERGI_ABOVE(0), .doc = "width of a column"},
    {"floor", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.floor), .unit = "m", .normal = "0",
     .doc = "z of the hard ground below the sand; where the relief is lower there is no sand, "
            "but `heights` below it are refused"},
    {"height", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.height), .unit = "m",
     ERGI_GIVEN(ergi_scene_terrain, height_given),
     .doc = "z of the surface or of its mean, above `floor`; required, except with `heights`, to "
            "which it is added"},
    {"relief", ERGI_BLOCK, .schema = &relief_schema, .normal = "flat", ERGI_WORDS(flat_word),
     ERGI_WORD_AT(ergi_scene_terrain, def.relief), .doc = "shape of the surface at the start"},
    {"angle_start", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.angle_start), .unit = "rad",
     .normal = "0.66", ERGI_ABOVE_BELOW(0, 1.5),
     .doc = "slopes steeper than this begin to flow; 0.66 rad are 38 degrees"},
    {"angle_stop", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.angle_stop), .unit = "rad",
     .normal = "0.59", ERGI_ABOVE_BELOW(0, 1.5),
     .doc = "and flow until they are no steeper than this; at most `angle_start`"},
    {"compression", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.compression), .normal = "1",
     ERGI_FROM_TO(0, 1),
     .doc = "share of pressed-down sand that goes to the ring around a body; the rest is "
            "compressed and gone; 1: nothing is lost"},
    {"resistance", ERGI_NUMBER, ERGI_AT(ergi_scene_terrain, def.resistance), .normal = "1",
     ERGI_ABOVE(0),
     .doc = "factor of the force with which the sand resists bodies; 1: generic dry sand"},
};

static void init_terrain(void *entry)
{
    ergi_scene_terrain *t = entry;
    t->def = erg_terrain_def_default();
}

// Checks everything but the heights of a file, which are read when the world is built.
static void check_terrain(ergi_reader *reader, const ergi_node *map, void *entry)
{
    static const char   own[] = "terrain: "; // the reader prefixes the path
    static const float  none = 0;
    ergi_scene_terrain *t = entry;
    erg_error           err;
    memcpy(t->def.lower, t->bounds[0], sizeof t->def.lower);
    memcpy(t->def.upper, t->bounds[1], sizeof t->def.upper);
    erg_terrain_def def = t->def;
    if (def.relief == ERG_RELIEF_HEIGHTS) {
        def.height = def.floor;
        def.heights = &none;
        def.columns[0] = def.columns[1] = 1;
    } else if (!t->height_given) {
        ergi_reader_fault(reader, map, NULL, "'height' is missing, expected a number [m]");
        return;
    }
    if (ergi_terrain_def_check(&def, &err) == ERG_OK) return;
    if (strncmp(err.text, own, sizeof own - 1) == 0)
        memmove(err.text, err.text + sizeof own - 1, strlen(err.text) - sizeof own + 2);
    ergi_reader_fault_of(reader, &ergi_terrain_schema, map, "", &err);
}

const ergi_schema ergi_terrain_schema = {
    "terrain",
    ERGI_FIELDS(terrain_fields),
    .size = sizeof(ergi_scene_terrain),
    .doc = "Sand as a grid of columns, which cost nothing while nothing touches them. Where they "
           "are disturbed they turn into grains, and grains at rest turn back into columns.",
    .init = init_terrain,
    .check = check_terrain,
};

// ---- Building ----------------------------------------------------------------------------------
static erg_status read_heights(const ergi_scene_terrain *t, const char *scene_file,
                               erg_heights *heights, erg_error *err)
{
    char *path = ergi_scene_path(scene_file, t->file, err);
    if (!path) return ERG_NO_MEMORY;
    size_t     columns[2] = {(size_t)t->columns[0], (size_t)t->columns[1]};
    erg_status status = t->columns_given
                            ? erg_heights_read_raw(path, columns, heights, err)
                            : erg_heights_read_png(path, t->low_given ? &t->low : NULL,
                                                   t->high_given ? &t->high : NULL, heights, err);
    ergi_memory_free(path);
    // Errors inside the file are reported at the key `file`.
    if (status == ERG_BAD_INPUT && !*err->field) ergi_fail_within(err, status, "heights");
    return status;
}

erg_status ergi_scene_add_terrain(const char *scene_file, erg_world *world,
                                  const ergi_scene_terrain *terrain, erg_error *err)
{
    erg_heights     heights = {0};
    erg_terrain_def def = terrain->def;
    erg_status      status = ERG_OK;
    if (def.relief == ERG_RELIEF_HEIGHTS) {
        status = read_heights(terrain, scene_file, &heights, err);
        def.heights = heights.z;
        memcpy(def.columns, heights.columns, sizeof def.columns);
    }
    if (status == ERG_OK) status = erg_world_set_terrain(world, &def, err);
    erg_heights_free(&heights);
    return status;
}
