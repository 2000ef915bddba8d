// Walls and bodies that are attached to others. An entry is numbered from 1, walls first, then
// bodies, until ergi_scene_number_attachments.
#include "scene/scene_def.h"
#include "scene/schema_text.h"

#include <stdio.h>

static size_t entries(const ergi_scene_def *scene)
{
    return scene->wall_count + scene->body_count;
}

static const ergi_scene_body *body_of(const ergi_scene_def *scene, size_t entry)
{
    return entry > scene->wall_count ? &scene->bodies[entry - 1 - scene->wall_count] : NULL;
}

static erg_id carrier_of(const ergi_scene_def *scene, size_t entry)
{
    const ergi_scene_body *body = body_of(scene, entry);
    return body ? body->def.attach : scene->walls[entry - 1].def.attach;
}

static void set_carrier(const ergi_scene_def *scene, size_t entry, erg_id carrier)
{
    ergi_scene_body *body = (ergi_scene_body *)body_of(scene, entry); // owned by the scene
    ergi_scene_wall *walls = (ergi_scene_wall *)scene->walls;
    if (body)
        body->def.attach = carrier;
    else
        walls[entry - 1].def.attach = carrier;
}

static const char *name_of(const ergi_scene_def *scene, size_t entry)
{
    const ergi_scene_body *body = body_of(scene, entry);
    const char            *name = body ? body->def.name : scene->walls[entry - 1].def.name;
    return name ? name : "without a name";
}

erg_id ergi_scene_body_id(const ergi_scene_def *scene, size_t body)
{
    size_t before = 0;
    for (size_t k = 0; k < body; k++) before += ergi_scene_copies(&scene->bodies[k].grid);
    return (erg_id)(scene->wall_count + before + 1);
}

// An error at the key `attach` of an entry.
static void fault(ergi_reader *reader, const ergi_node *map, const ergi_scene_def *scene,
                  size_t entry, const char *found, const char *expected)
{
    bool             body = entry > scene->wall_count;
    const char      *list = body ? "bodies" : "walls";
    size_t           index = body ? entry - 1 - scene->wall_count : entry - 1;
    const ergi_node *node = ergi_node_find(map, list);
    node = node ? node->first : NULL;
    for (size_t i = 0; node && i < index; i++) node = node->next;
    ergi_reader_fault(
        reader, node ? node : map, "attach", "%s.%zu.attach: %s is attached to %s, %s; %s", list,
        index, name_of(scene, entry), name_of(scene, carrier_of(scene, entry)), found, expected);
}

// Whether following the carriers leads back to the entry; `chain` then lists their names.
static bool carries_itself(const ergi_scene_def *scene, size_t entry, ergi_words *chain)
{
    size_t carrier = carrier_of(scene, entry);
    for (size_t steps = 0; carrier && carrier != entry && steps < entries(scene); steps++) {
        carrier = carrier_of(scene, carrier);
        if (carrier) ergi_words_add(chain, name_of(scene, carrier));
    }
    return carrier == entry;
}

// False if an error was reported.
static bool check_entry(ergi_reader *reader, const ergi_node *map, const ergi_scene_def *scene,
                        size_t entry)
{
    const ergi_scene_body *carrier = body_of(scene, carrier_of(scene, entry));
    ergi_words             chain = {0};
    char                   found[ERGI_EXPECTED];
    if (carries_itself(scene, entry, &chain)) {
        snprintf(found, sizeof found, "%s%s",
                 chain.length ? "which is attached to " : "that is, to itself", chain.text);
        fault(reader, map, scene, entry, found, "expected `attach` keys that lead to no circle");
    } else if (carrier && carrier->def.free) {
        fault(reader, map, scene, entry, "which is a free body",
              "expected a wall, or a body with a motion (fixed: at rest)");
    } else if (carrier && ergi_scene_copies(&carrier->grid) > 1) {
        fault(reader, map, scene, entry, "which is a grid of bodies", "expected a single body");
    } else {
        return true;
    }
    return false;
}

void ergi_scene_number_attachments(ergi_reader *reader, const ergi_node *map,
                                   const ergi_scene_def *scene)
{
    for (size_t i = 1; i <= entries(scene); i++)
        if (carrier_of(scene, i) && !check_entry(reader, map, scene, i)) return;
    for (size_t i = 1; i <= entries(scene); i++) {
        erg_id carrier = carrier_of(scene, i);
        if (carrier > scene->wall_count)
            set_carrier(scene, i, ergi_scene_body_id(scene, carrier - 1 - scene->wall_count));
    }
}
