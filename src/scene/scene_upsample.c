// The `upsample` block of a scene.
#include "scene/scene_def.h"

static const ergi_word settled_word[] = {{"settled", ERG_UPSAMPLE_SETTLED, false}};
static const ergi_word by_ratio_word[] = {{"auto", 0, false}};

static const ergi_field upsample_fields[] = {
    {"ratio", ERGI_NUMBER, ERGI_AT(erg_upsample_def, ratio), .normal = "0.3", ERGI_FROM_TO(0.1, 1),
     .doc = "radius of a fine particle over the mean radius of the grains"},
    {"count", ERGI_INTEGER, ERGI_AT(erg_upsample_def, count), .normal = "auto",
     ERGI_FROM_TO(1, 1e9), ERGI_WORDS(by_ratio_word),
     .doc =
         "fine particles once all grains are there, with those that emitters add by `run.time` if "
         "there is room; auto: as many as have the volume of the grains; not on a terrain"},
    {"start", ERGI_NUMBER, ERGI_AT(erg_upsample_def, start), .unit = "s", .normal = "settled",
     ERGI_FROM(0), ERGI_WORDS(settled_word),
     .doc = "start time; settled: once half of the grains have come to rest, at once where "
            "all of them come from emitters"},
    {"seed", ERGI_INTEGER, ERGI_AT(erg_upsample_def, seed), .normal = "auto", ERGI_FROM(1),
     ERGI_WORDS(by_ratio_word), .doc = "random seed of their initial positions; auto: the scene's"},
    {"region", ERGI_BLOCK, ERGI_AT(erg_upsample_def, region), .schema = &ergi_region_schema,
     .by_pointer = true, .doc = "only grains in it get fine particles; when absent all do"},
    {"c1", ERGI_NUMBER, ERGI_AT(erg_upsample_def, c1), .normal = "0.536", ERGI_FROM_TO(0, 1),
     .doc = "a particle whose largest weight is at most this falls in part; 0.536 is the weight at "
            "1.3 radii, 0.702 that at one radius (Sommer 2022)"},
    {"c2", ERGI_NUMBER, ERGI_AT(erg_upsample_def, c2), .normal = "0.6", ERGI_ABOVE_TO(0, 1),
     .doc = "so does one whose largest weight is at least this share of the sum"},
    {"friction", ERGI_NUMBER, ERGI_AT(erg_upsample_def, friction), .normal = "0.5", ERGI_FROM(0),
     .doc = "friction on walls and bodies"},
};

const ergi_schema ergi_upsample_schema = {
    "upsample", ERGI_FIELDS(upsample_fields), .size = sizeof(erg_upsample_def),
    .doc = "Fine particles that follow the grains, 60 times per second of simulated time, and are "
           "drawn instead of them. They exert no forces."};
