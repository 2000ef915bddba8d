// The result folder: which files belong to erg, when the folder may be used, what a resume removes.
//
//     summary.json  series.csv  checkpoint.h5  checkpoint-prev.h5
//     snapshots/grains-000000.vtp .hdf .ply, grains.pvd, grains.hdf
//     snapshots/bodies-000000.vtp, bodies.pvd, likewise centres and contacts
//     snapshots/terrain-000000.png .vti .ply, terrain.pvd
//     fields/NAME-000000.vti, NAME.pvd of every field probe
//     video.mp4, of resumed runs video-2.mp4 and so on
//     erg.lock while a run writes here
#ifndef ERGI_FOLDER_H
#define ERGI_FOLDER_H

#include "erg/base.h"
#include "run/path.h"

#define ERGI_CHECKPOINT "checkpoint.h5"
#define ERGI_CHECKPOINT_PREVIOUS "checkpoint-prev.h5"
#define ERGI_SERIES "series.csv"
#define ERGI_SUMMARY "summary.json"
#define ERGI_SNAPSHOTS "snapshots"
#define ERGI_FIELDS_FOLDER "fields"

// Names of the parts of a snapshot.
#define ERGI_PART_SPHERES "grains"
#define ERGI_PART_BODIES "bodies"
#define ERGI_PART_GRAINS "centres"
#define ERGI_PART_CONTACTS "contacts"
#define ERGI_PART_FINE "fine"
#define ERGI_PART_TERRAIN "terrain"
#define ERGI_PART_COLUMNS "columns" // of the terrain, for play-back

// ERG_BAD_INPUT when the folder holds anything but a lock. Changes nothing.
erg_status ergi_folder_check_free(const char *folder, erg_error *err);

// Makes the folder, and removes erg's files of an earlier run. Other files are never touched.
erg_status ergi_folder_clear(const char *folder, erg_error *err);

// Makes the folder; ERG_BAD_INPUT if it cannot be made or written to.
erg_status ergi_folder_prepare(const char *folder, erg_error *err);

// The path of the checkpoint: `given` itself, or the checkpoint in it if it is a folder.
erg_status ergi_folder_checkpoint(ergi_path *path, const char *given, erg_error *err);

// Removes snapshots with the number `frames` and above, unfinished files, and the summary, which is
// obsolete once the run continues.
erg_status ergi_folder_cut(const char *folder, uint64_t frames, erg_error *err);

// Copies the first `bytes` of the series and the first `frames` snapshots; missing files are
// skipped.
erg_status ergi_folder_copy(const char *from, const char *to, uint64_t bytes, uint64_t frames,
                            erg_error *err);

// Copies the first `limit` bytes of one file; a missing file is no error.
erg_status ergi_folder_copy_file(const char *from, const char *to, const char *name, uint64_t limit,
                                 erg_error *err);

// "grains-000012.vtp", "contacts-000012.vtp", "NAME-000012.vti"
typedef struct ergi_frame_name {
    char text[112];
} ergi_frame_name;
ergi_frame_name ergi_frame_name_of(const char *part, uint64_t frame, const char *ending);

#endif
