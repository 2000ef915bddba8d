// Materials, pairs of them, and the laws of their contact.
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
     ERGI_ABOVE(0), .doc = "mass over volume of the solid"},
    {"young", ERGI_NUMBER, ERGI_AT(erg_material_def, young), .unit = "Pa", .normal = "1e7",
     ERGI_ABOVE(0), .doc = "Young's modulus"},
    {"poisson", ERGI_NUMBER, ERGI_AT(erg_material_def, poisson), .normal = "0.25",
     ERGI_FROM_TO(0, 0.5), .doc = "Poisson's ratio"},
    {"restitution", ERGI_NUMBER, ERGI_AT(erg_material_def, restitution), .normal = "0.65",
     ERGI_FROM_TO(ERGI_RESTITUTION_MIN, 1),
     .doc = "of two bodies of this material at `contact.reference_speed`"},
    {"friction", ERGI_NUMBER, ERGI_AT(erg_material_def, friction), .normal = "0.5", ERGI_FROM(0),
     .doc = "Coulomb coefficient"},
    {"static_friction", ERGI_NUMBER, ERGI_AT(erg_material_def, static_friction), ERGI_FROM(0),
     .doc =
         "at rest, at least `friction`; used by the yasuda law alone; when absent as `friction`"},
    {"rolling", ERGI_NUMBER, ERGI_AT(erg_material_def, rolling), .normal = "0", ERGI_FROM(0),
     .doc = "rolling resistance coefficient"},
    {"twisting", ERGI_NUMBER, ERGI_AT(erg_material_def, twisting), .normal = "0", ERGI_FROM(0),
     .doc = "twisting resistance coefficient"},
    {"cohesion", ERGI_NUMBER, ERGI_AT(erg_material_def, cohesion), .unit = "J/m^3", .normal = "0",
     ERGI_FROM(0), .doc = "SJKR cohesion energy density"},
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
    .doc = "What two materials have in common comes from both: E* and G* as Hertz mixes them, the "
           "rest by "
           "geometric mean, unless a pair says otherwise.",
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
     ERGI_FROM_TO(ERGI_RESTITUTION_MIN, 1), .doc = "instead of the mixed one"},
    {"friction", ERGI_NUMBER, ERGI_AT(erg_pair_def, friction), ERGI_FROM(0),
     .doc = "instead of the mixed one"},
    {"static_friction", ERGI_NUMBER, ERGI_AT(erg_pair_def, static_friction), ERGI_FROM(0),
     .doc = "instead of the mixed one"},
    {"rolling", ERGI_NUMBER, ERGI_AT(erg_pair_def, rolling), ERGI_FROM(0),
     .doc = "instead of the mixed one"},
    {"twisting", ERGI_NUMBER, ERGI_AT(erg_pair_def, twisting), ERGI_FROM(0),
     .doc = "instead of the mixed one"},
    {"cohesion", ERGI_NUMBER, ERGI_AT(erg_pair_def, cohesion), .unit = "J/m^3", ERGI_FROM(0),
     .doc = "instead of the mixed one"},
    {"normal", ERGI_WORD, ERGI_AT(erg_pair_def, normal), ERGI_WORDS(normal_words),
     .doc = "instead of `contact.normal`"},
    {"tangential", ERGI_WORD, ERGI_AT(erg_pair_def, tangential), ERGI_WORDS(tangential_words),
     .doc = "instead of `contact.tangential`"},
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
    .doc = "A key that is absent keeps the value mixed from the two materials.",
};

// ---- Laws --------------------------------------------------------------------------------------
static const ergi_field contact_fields[] = {
    {"normal", ERGI_WORD, ERGI_AT(erg_contact_def, normal), ERGI_WORDS(normal_words),
     .normal = "hertz", .doc = "law of the normal force"},
    {"tangential", ERGI_WORD, ERGI_AT(erg_contact_def, tangential), ERGI_WORDS(tangential_words),
     .normal = "mindlin", .doc = "law of friction"},
    {"reference_speed", ERGI_NUMBER, ERGI_AT(erg_contact_def, reference_speed), .unit = "m/s",
     .normal = "1", ERGI_ABOVE(0), .doc = "impact speed at which `restitution` is meant"},
    {"contact_time", ERGI_NUMBER, ERGI_AT(erg_contact_def, contact_time), .unit = "s",
     .normal = "auto", ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "of the linear law; auto: as long as the Hertz contact would last"},
    {"tangential_ratio", ERGI_NUMBER, ERGI_AT(erg_contact_def, tangential_ratio), .normal = "2/7",
     ERGI_ABOVE(0), .doc = "kt/kn of the spring laws; mindlin has its own"},
    {"tangential_damping", ERGI_NUMBER, ERGI_AT(erg_contact_def, tangential_damping), .normal = "1",
     ERGI_FROM(0), .doc = "tangential dashpot over normal dashpot"},
    {"tangential_viscosity", ERGI_NUMBER, ERGI_AT(erg_contact_def, tangential_viscosity),
     .unit = "N s/m", .normal = "auto", ERGI_ABOVE(0), .words = &ergi_auto_word, .word_count = 1,
     .doc = "of the viscous and regularised laws; auto: the largest that dt allows"},
    {"rolling_damping", ERGI_NUMBER, ERGI_AT(erg_contact_def, rolling_damping), .normal = "1",
     ERGI_FROM(0), .doc = "rolling dashpot over normal dashpot times R*^2"},
};

const ergi_schema ergi_contact_schema = {
    "contact",
    ERGI_FIELDS(contact_fields),
    .size = sizeof(erg_contact_def),
    .doc = "How every pair of materials touches. [laws.md](laws.md) has the formulas.",
};
