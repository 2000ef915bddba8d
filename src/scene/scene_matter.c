// Materials, pairs of materials, and contact laws.
#include "scene/scene_def.h"
#include "world/calibrate.h"

static const ergi_word normal_words[] = {
    {"linear", ERG_NORMAL_LINEAR, false},
    {"hertz-plain", ERG_NORMAL_HERTZ_PLAIN, false},
    {"hertz-constant", ERG_NORMAL_HERTZ_CONSTANT, false},
    {"hertz", ERG_NORMAL_HERTZ, false},
};

static const ergi_word tangential_words[] = {
    {"viscous", ERG_TANGENTIAL_VISCOUS, false},
    {"coulomb", ERG_TANGENTIAL_COULOMB, false},
    {"regularised", ERG_TANGENTIAL_REGULARISED, false},
    {"spring", ERG_TANGENTIAL_SPRING, false},
    {"bell", ERG_TANGENTIAL_BELL, false},
    {"lee-herrmann", ERG_TANGENTIAL_LEE_HERRMANN, false},
    {"mindlin", ERG_TANGENTIAL_MINDLIN, false},
    {"yasuda", ERG_TANGENTIAL_YASUDA, false},
};

// ---- Materials ---------------------------------------------------------------------------------
static const ergi_field material_fields[] = {
    {"density", ERGI_NUMBER, ERGI_AT(erg_material_def, density), .unit = "kg/m^3", .normal = "2500",
     ERGI_FROM_TO(ERG_MIN_DENSITY, ERG_MAX_DENSITY), .doc = "mass per volume of the solid"},
    {"young", ERGI_NUMBER, ERGI_AT(erg_material_def, young), .unit = "Pa", .normal = "1e7",
     ERGI_ABOVE_TO(0, ERG_MAX_YOUNG), .doc = "Young's modulus"},
    {"poisson", ERGI_NUMBER, ERGI_AT(erg_material_def, poisson), .normal = "0.25",
     ERGI_FROM_TO(0, 0.5), .doc = "Poisson's ratio"},
    {"restitution", ERGI_NUMBER, ERGI_AT(erg_material_def, restitution), .normal = "0.65",
     ERGI_FROM_TO(ERGI_RESTITUTION_MIN, 1),
     .doc =
         "coefficient of restitution of two bodies of this material at `contact.reference_speed`"},
    {"friction", ERGI_NUMBER, ERGI_AT(erg_material_def, friction), .normal = "0.5",
     ERGI_FROM_TO(0, ERG_MAX_FRICTION), .doc = "Coulomb friction coefficient"},
    {"static_friction", ERGI_NUMBER, ERGI_AT(erg_material_def, static_friction),
     ERGI_FROM_TO(0, ERG_MAX_FRICTION),
     .doc = "friction coefficient at rest, at least `friction`; used by the yasuda law and by "
            "`solver: pbd`; when absent, the same as `friction`"},
    {"rolling", ERGI_NUMBER, ERGI_AT(erg_material_def, rolling), .normal = "0",
     ERGI_FROM_TO(0, ERG_MAX_FRICTION), .doc = "rolling resistance coefficient"},
    {"twisting", ERGI_NUMBER, ERGI_AT(erg_material_def, twisting), .normal = "0",
     ERGI_FROM_TO(0, ERG_MAX_FRICTION), .doc = "twisting resistance coefficient"},
    {"cohesion", ERGI_NUMBER, ERGI_AT(erg_material_def, cohesion), .unit = "J/m^3", .normal = "0",
     ERGI_FROM_TO(0, ERG_MAX_COHESION), .doc = "SJKR cohesion energy density"},
};

static void init_material(void *entry)
{
    *(erg_material_def *)entry = erg_material_def_default();
}

static void check_material(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_material_def *m = entry;
    if (m->static_friction < 0.0 || m->static_friction >= m->friction) return;
    ergi_reader_fault(reader, map, "static_friction",
                      "static_friction is %g, expected at least friction, %g", m->static_friction,
                      m->friction);
}

const ergi_schema ergi_material_schema = {
    "material",
    ERGI_FIELDS(material_fields),
    .size = sizeof(erg_material_def),
    ERGI_NAMED(erg_material_def, name),
    .doc = "The contact properties of two materials are mixed: E* and G* as in Hertz theory, all "
           "others by geometric mean, unless an entry in `pairs` overrides them.",
    .init = init_material,
    .check = check_material,
};

// ---- Pairs -------------------------------------------------------------------------------------
_Static_assert(offsetof(erg_pair_def, b) == offsetof(erg_pair_def, a) + sizeof(erg_id),
               "between fills a and b");

static const ergi_field material_item = {.type = ERGI_REF, .space = "materials", ERGI_ITEM(erg_id)};

static const ergi_field pair_fields[] = {
    {"between", ERGI_LIST, .at = offsetof(erg_pair_def, a), .size = 2 * sizeof(erg_id),
     .item = &material_item, .least = 2, .most = 2, .required = true, .sets = "a b",
     .doc = "the two materials; may be the same"},
    {"restitution", ERGI_NUMBER, ERGI_AT(erg_pair_def, restitution),
     ERGI_FROM_TO(ERGI_RESTITUTION_MIN, 1), .doc = "overrides the mixed value"},
    {"friction", ERGI_NUMBER, ERGI_AT(erg_pair_def, friction), ERGI_FROM_TO(0, ERG_MAX_FRICTION),
     .doc = "overrides the mixed value"},
    {"static_friction", ERGI_NUMBER, ERGI_AT(erg_pair_def, static_friction),
     ERGI_FROM_TO(0, ERG_MAX_FRICTION), .doc = "overrides the mixed value"},
    {"rolling", ERGI_NUMBER, ERGI_AT(erg_pair_def, rolling), ERGI_FROM_TO(0, ERG_MAX_FRICTION),
     .doc = "overrides the mixed value"},
    {"twisting", ERGI_NUMBER, ERGI_AT(erg_pair_def, twisting), ERGI_FROM_TO(0, ERG_MAX_FRICTION),
     .doc = "overrides the mixed value"},
    {"cohesion", ERGI_NUMBER, ERGI_AT(erg_pair_def, cohesion), .unit = "J/m^3",
     ERGI_FROM_TO(0, ERG_MAX_COHESION), .doc = "overrides the mixed value"},
    {"normal", ERGI_WORD, ERGI_AT(erg_pair_def, normal), ERGI_WORDS(normal_words),
     .doc = "overrides `contact.normal`"},
    {"tangential", ERGI_WORD, ERGI_AT(erg_pair_def, tangential), ERGI_WORDS(tangential_words),
     .doc = "overrides `contact.tangential`"},
};

static void init_pair(void *entry)
{
    *(erg_pair_def *)entry = erg_pair_def_default();
}

static void check_pair(ergi_reader *reader, const ergi_node *map, void *entry)
{
    const erg_pair_def *p = entry;
    if (p->static_friction < 0.0 || p->static_friction >= p->friction) return;
    ergi_reader_fault(reader, map, "static_friction",
                      "static_friction is %g, expected at least friction, %g", p->static_friction,
                      p->friction);
}

const ergi_schema ergi_pair_schema = {
    "pair",
    ERGI_FIELDS(pair_fields),
    .size = sizeof(erg_pair_def),
    .init = init_pair,
    .check = check_pair,
    .doc = "Keys that are absent keep the values mixed from the two materials.",
};

// ---- Laws --------------------------------------------------------------------------------------
static const ergi_field contact_fields[] = {
    {"normal", ERGI_WORD, ERGI_AT(erg_contact_def, normal), ERGI_WORDS(normal_words),
     .normal = "hertz", .doc = "normal force law"},
    {"tangential", ERGI_WORD, ERGI_AT(erg_contact_def, tangential), ERGI_WORDS(tangential_words),
     .normal = "mindlin", .doc = "tangential force law"},
    {"reference_speed", ERGI_NUMBER, ERGI_AT(erg_contact_def, reference_speed), .unit = "m/s",
     .normal = "1", ERGI_ABOVE(0), .doc = "impact speed at which `restitution` applies"},
    {"contact_time", ERGI_NUMBER, ERGI_AT(erg_contact_def, contact_time), .unit = "s",
     .normal = "auto", ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "contact time of the linear law; auto: that of the Hertz contact"},
    {"tangential_ratio", ERGI_NUMBER, ERGI_AT(erg_contact_def, tangential_ratio), .normal = "2/7",
     ERGI_ABOVE(0), .doc = "kt/kn of the spring laws; not used by mindlin"},
    {"tangential_damping", ERGI_NUMBER, ERGI_AT(erg_contact_def, tangential_damping), .normal = "1",
     ERGI_FROM(0), .doc = "ratio of the tangential to the normal damping coefficient"},
    {"tangential_viscosity", ERGI_NUMBER, ERGI_AT(erg_contact_def, tangential_viscosity),
     .unit = "N s/m", .normal = "auto", ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "viscosity of the viscous and regularised laws; auto: the largest that dt allows"},
    {"rolling_damping", ERGI_NUMBER, ERGI_AT(erg_contact_def, rolling_damping), .normal = "1",
     ERGI_FROM(0), .doc = "ratio of the rolling damping coefficient to the normal one times R*^2"},
};

const ergi_schema ergi_contact_schema = {
    "contact",
    ERGI_FIELDS(contact_fields),
    .size = sizeof(erg_contact_def),
    .doc = "Contact laws of all pairs of materials. [laws.md](laws.md) has the formulas.",
};
