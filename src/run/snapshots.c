#include "run/snapshots.h"

#include "base/error.h"
#include "base/memory.h"
#include "erg/snapshot.h"
#include "erg/terrain.h"
#include "erg/upsample.h"
#include "io/file.h"
#include "io/hdf5_buffer.h"
#include "io/heights.h"
#include "io/vtkhdf_index.h"
#include "run/folder.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

// In the order of erg_snapshot_part.
static const char *const PARTS[ERGI_SNAPSHOT_PARTS] = {
    [ERG_SNAPSHOT_SPHERES] = ERGI_PART_SPHERES,   [ERG_SNAPSHOT_GRAINS] = ERGI_PART_GRAINS,
    [ERG_SNAPSHOT_CONTACTS] = ERGI_PART_CONTACTS, [ERG_SNAPSHOT_BODIES] = ERGI_PART_BODIES,
    [ERG_SNAPSHOT_FINE] = ERGI_PART_FINE,         [ERG_SNAPSHOT_TERRAIN] = ERGI_PART_TERRAIN,
};

erg_status ergi_snapshots_check(const erg_scene_settings *settings, erg_error *err)
{
    erg_status status =
        settings->snapshots & ERG_SNAPSHOT_HDF ? ergi_hdf5_buffer_built(err) : ERG_OK;
    if (status == ERG_OK && (settings->terrain & ERG_TERRAIN_PNG))
        status = ergi_heights_png_built(err);
    return status;
}

// ---- Lists -------------------------------------------------------------------------------------
// Spheres and fine particles come in all formats, the terrain in those of its own, the other parts
// as .vtp alone.
static bool is_written_as(const ergi_snapshots *s, int part, const char *ending)
{
    static const struct {
        const char *ending;
        int         spheres, terrain;
    } all[] = {{"vtp", ERG_SNAPSHOT_VTP, 0},
               {"hdf", ERG_SNAPSHOT_HDF, 0},
               {"ply", ERG_SNAPSHOT_PLY, ERG_TERRAIN_PLY},
               {"png", 0, ERG_TERRAIN_PNG},
               {"vti", 0, ERG_TERRAIN_VTI}};
    bool many = part == ERG_SNAPSHOT_SPHERES || part == ERG_SNAPSHOT_FINE;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (strcmp(all[k].ending, ending) != 0) continue;
        if (part == ERG_SNAPSHOT_TERRAIN) return s->terrain & all[k].terrain;
        return many ? s->formats & all[k].spheres : k == 0;
    }
    return false;
}

// Only these files are listed.
static const char *listed_ending(int part)
{
    return part == ERG_SNAPSHOT_TERRAIN ? "vti" : "vtp";
}

static bool is_listed(const ergi_snapshots *s, int part)
{
    return s->part[part] && is_written_as(s, part, listed_ending(part));
}

static bool frame_is_there(const ergi_snapshots *s, int part, size_t frame, const char *ending)
{
    ergi_path file;
    return ergi_path_join(&file, s->folder.text,
                          ergi_frame_name_of(PARTS[part], frame, ending).text, NULL) == ERG_OK &&
           ergi_path_exists(file.text);
}

// Frames from before a resume may be in other formats or in another folder.
static bool all_are_there(const ergi_snapshots *s, int part)
{
    for (size_t i = 0; i < s->count; i++)
        if (!frame_is_there(s, part, i, listed_ending(part))) return false;
    return true;
}

// Writes grains.pvd and the like.
static erg_status write_list(const ergi_snapshots *s, int part, erg_error *err)
{
    char        name[32];
    ergi_path   path;
    const char *ending = listed_ending(part);
    snprintf(name, sizeof name, "%s.pvd", PARTS[part]);
    erg_status status = ergi_path_join(&path, s->folder.text, name, err);
    if (status != ERG_OK) return status;
    erg_snapshot_entry *entries =
        ergi_memory_new(s->count, sizeof *entries, "the list of snapshots", err);
    ergi_frame_name *names = ergi_memory_new(s->count, sizeof *names, "the list of snapshots", err);
    status = entries && names ? ERG_OK : ERG_NO_MEMORY;
    size_t listed = 0;
    for (size_t i = 0; i < s->count && status == ERG_OK; i++) {
        names[i] = ergi_frame_name_of(PARTS[part], i, ending);
        if (s->whole[part] || frame_is_there(s, part, i, ending))
            entries[listed++] = (erg_snapshot_entry){names[i].text, s->time[i]};
    }
    if (status == ERG_OK) status = erg_snapshot_list(path.text, entries, listed, err);
    ergi_memory_free(entries);
    ergi_memory_free(names);
    return status;
}

static erg_status write_lists(const ergi_snapshots *s, erg_error *err)
{
    erg_status status = ERG_OK;
    for (int part = 0; part < ERGI_SNAPSHOT_PARTS && status == ERG_OK; part++)
        if (is_listed(s, part)) status = write_list(s, part, err);
    return status;
}

// Writes grains.hdf, the index of the frames that exist as .hdf.
static erg_status write_index(ergi_snapshots *s, erg_error *err)
{
    ergi_path  path;
    erg_status status = ergi_path_join(&path, s->folder.text, ERGI_PART_SPHERES ".hdf", err);
    if (status != ERG_OK) return status;
    ergi_vtkhdf_frame *frames =
        ergi_memory_new(s->count, sizeof *frames, "the index of snapshots", err);
    ergi_frame_name *names =
        ergi_memory_new(s->count, sizeof *names, "the index of snapshots", err);
    status = frames && names ? ERG_OK : ERG_NO_MEMORY;
    size_t listed = 0;
    for (size_t i = 0; i < s->count && status == ERG_OK; i++) {
        names[i] = ergi_frame_name_of(ERGI_PART_SPHERES, i, "hdf");
        if (frame_is_there(s, ERG_SNAPSHOT_SPHERES, i, "hdf"))
            frames[listed++] =
                (ergi_vtkhdf_frame){names[i].text, (size_t)s->spheres[i], s->time[i]};
    }
    if (status == ERG_OK)
        status = ergi_vtkhdf_index(path.text, frames, listed, s->has_terrain, err);
    if (status == ERG_OK) s->indexed = s->count;
    ergi_memory_free(frames);
    ergi_memory_free(names);
    return status;
}

erg_status ergi_snapshots_finish(ergi_snapshots *s, erg_error *err)
{
    bool due = (s->formats & ERG_SNAPSHOT_HDF) && s->count != s->indexed;
    return due ? write_index(s, err) : ERG_OK;
}

// ---- Snapshots ---------------------------------------------------------------------------------
// If every grain is one sphere, the file of spheres already contains all data of the grains.
static bool has_clumps(const erg_world *world)
{
    for (size_t k = 0; k < world->kinds; k++)
        if (world->kind[k].shape.count > 1) return true;
    return false;
}

erg_status ergi_snapshots_begin(ergi_snapshots *s, const erg_scene_settings *settings,
                                const erg_world *defined, erg_error *err)
{
    if (!settings->snapshots) return ERG_OK;
    return ergi_column_series_begin(&s->columns, defined, true, err);
}

// Columns of a resumed run continue its files.
static erg_status open_columns(ergi_snapshots *s, const erg_world *world, erg_error *err)
{
    if (!s->formats || !s->has_terrain) return ERG_OK;
    erg_status status =
        s->columns.content ? ERG_OK : ergi_column_series_begin(&s->columns, world, false, err);
    return status == ERG_OK
               ? ergi_column_series_continue(&s->columns, s->folder.text, s->count, err)
               : status;
}

static erg_status take_columns(ergi_snapshots *s, const erg_world *world, erg_error *err)
{
    ergi_path path;
    if (!s->columns.content) return ERG_OK;
    erg_status status = ergi_path_join(
        &path, s->folder.text, ergi_frame_name_of(ERGI_PART_COLUMNS, s->count, "bin").text, err);
    return status == ERG_OK ? ergi_column_series_take(&s->columns, world, path.text, err) : status;
}

erg_status ergi_snapshots_open(ergi_snapshots *s, const char *result_folder,
                               const erg_scene_settings *settings, const erg_world *world,
                               erg_error *err)
{
    erg_status status = ergi_path_join(&s->folder, result_folder, ERGI_SNAPSHOTS, err);
    if (status != ERG_OK || !ergi_snapshots_are_asked(settings)) return status;
    bool grains = settings->snapshots;
    s->formats = settings->snapshots;
    s->terrain = settings->terrain;
    s->has_terrain = erg_world_has_terrain(world);
    s->part[ERG_SNAPSHOT_SPHERES] = grains;
    s->part[ERG_SNAPSHOT_GRAINS] = grains && has_clumps(world);
    s->part[ERG_SNAPSHOT_CONTACTS] = grains && settings->contacts;
    s->part[ERG_SNAPSHOT_BODIES] = grains && erg_world_body_count(world) > 0;
    s->part[ERG_SNAPSHOT_FINE] = grains && erg_world_has_upsample(world);
    s->part[ERG_SNAPSHOT_TERRAIN] = s->terrain && s->has_terrain;
    status = ergi_folder_make(s->folder.text, err);
    for (int part = 0; part < ERGI_SNAPSHOT_PARTS; part++) s->whole[part] = all_are_there(s, part);
    if (status == ERG_OK && s->count) status = write_lists(s, err);
    if (status == ERG_OK) status = open_columns(s, world, err);
    return status == ERG_OK ? ergi_snapshots_finish(s, err) : status;
}

static erg_status write_part(const ergi_snapshots *s, const erg_world *world, int part,
                             const char *ending, erg_error *err)
{
    ergi_path  path;
    erg_status status = ergi_path_join(&path, s->folder.text,
                                       ergi_frame_name_of(PARTS[part], s->count, ending).text, err);
    return status == ERG_OK ? erg_snapshot_write(world, (erg_snapshot_part)part, path.text, err)
                            : status;
}

static erg_status write_formats(const ergi_snapshots *s, const erg_world *world, int part,
                                erg_error *err)
{
    static const char *const endings[] = {"vtp", "hdf", "ply", "png", "vti"};
    erg_status               status = ERG_OK;
    for (size_t k = 0; k < sizeof endings / sizeof *endings && status == ERG_OK; k++)
        if (is_written_as(s, part, endings[k]))
            status = write_part(s, world, part, endings[k], err);
    return status;
}

erg_status ergi_snapshots_reserve(ergi_snapshots *s, size_t count, erg_error *err)
{
    static const char what[] = "the list of snapshots";

    erg_status status =
        ergi_memory_grow(&s->time, &s->time_room, count, sizeof *s->time, what, err);
    return status == ERG_OK ? ergi_memory_grow(&s->spheres, &s->spheres_room, count,
                                               sizeof *s->spheres, what, err)
                            : status;
}

erg_status ergi_snapshots_take(ergi_snapshots *s, const erg_world *world, erg_error *err)
{
    erg_frozen_view still = {0};
    erg_status      status = ergi_snapshots_reserve(s, s->count + 1, err);
    if (status == ERG_OK) status = erg_world_view_frozen(world, &still, err);
    for (int part = 0; part < ERGI_SNAPSHOT_PARTS && status == ERG_OK; part++)
        if (s->part[part]) status = write_formats(s, world, part, err);
    if (status == ERG_OK) status = take_columns(s, world, err);
    if (status != ERG_OK) return status;
    s->time[s->count] = erg_world_time(world);
    s->spheres[s->count++] = erg_world_sphere_count(world) + still.count;
    status = write_lists(s, err);
    bool due = s->count > s->indexed + s->indexed / 8;
    return status == ERG_OK && due ? ergi_snapshots_finish(s, err) : status;
}

void ergi_snapshots_close(ergi_snapshots *s)
{
    ergi_column_series_free(&s->columns);
    ergi_memory_free(s->time);
    ergi_memory_free(s->spheres);
    *s = (ergi_snapshots){0};
}
