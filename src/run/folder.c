#include "run/folder.h"

#include "base/error.h"
#include "io/file.h"
#include "run/lock.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const ENDINGS[] = {"vtp", "hdf", "ply", "png", "vti", "bin"};
enum { ENDING_COUNT = sizeof ENDINGS / sizeof *ENDINGS };

static const char *const OURS[] = {ERGI_SUMMARY,         ERGI_SERIES,
                                   ERGI_CHECKPOINT,      ERGI_CHECKPOINT_PREVIOUS,
                                   ERGI_SUMMARY ".part", ERGI_CHECKPOINT ".part"};
enum { OURS_COUNT = sizeof OURS / sizeof *OURS };

static const char *const PARTS[] = {ERGI_PART_SPHERES,  ERGI_PART_BODIES, ERGI_PART_GRAINS,
                                    ERGI_PART_CONTACTS, ERGI_PART_FINE,   ERGI_PART_TERRAIN,
                                    ERGI_PART_COLUMNS};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

ergi_frame_name ergi_frame_name_of(const char *part, uint64_t frame, const char *ending)
{
    ergi_frame_name name;
    snprintf(name.text, sizeof name.text, "%s-%06" PRIu64 ".%s", part, frame, ending);
    return name;
}

// The number in "-000012.vtp"; UINT64_MAX if erg does not write such names. Unfinished files are
// recognised too.
static uint64_t number_of(const char *text, const char *const *endings, int count)
{
    if (*text != '-' || strspn(text + 1, "0123456789") < 6) return UINT64_MAX;
    char    *end;
    uint64_t frame = strtoull(text + 1, &end, 10);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(endings[i]);
        if (*end != '.' || strncmp(end + 1, endings[i], length) != 0) continue;
        const char *rest = end + 1 + length;
        if (*rest == '\0' || strcmp(rest, ".part") == 0) return frame;
    }
    return UINT64_MAX;
}

// The number in a snapshot's name.
static uint64_t frame_of(const char *name)
{
    for (int i = 0; i < PART_COUNT; i++) {
        size_t length = strlen(PARTS[i]);
        if (strncmp(name, PARTS[i], length) == 0)
            return number_of(name + length, ENDINGS, ENDING_COUNT);
    }
    return UINT64_MAX;
}

static erg_status remove_file(const char *folder, const char *name, erg_error *err)
{
    ergi_path  path;
    erg_status status = ergi_path_join(&path, folder, name, err);
    if (status != ERG_OK || unlink(path.text) == 0 || errno == ENOENT) return status;
    return ergi_fail(err, ERG_IO, "cannot remove '%s': %s", path.text, strerror(errno));
}

erg_status ergi_folder_check_free(const char *folder, erg_error *err)
{
    bool       empty;
    erg_status status = ergi_folder_is_empty(folder, ERGI_LOCK, &empty, err);
    if (status != ERG_OK || empty) return status;
    return ergi_fail_at(err, "out", ERG_ERROR_CONFLICT,
                        "the result folder '%s' is not empty: use --force to replace its contents, "
                        "--out to choose another, or --resume to continue the run",
                        folder);
}

erg_status ergi_folder_prepare(const char *folder, erg_error *err)
{
    erg_error  why;
    erg_status status = ergi_folder_make(folder, &why);
    if (status == ERG_IO) return ergi_fail_code(err, ERG_ERROR_NO_FILE, "%s", why.text);
    if (status != ERG_OK) return ergi_fail_as(err, &why, "%s", why.text);
    if (status == ERG_OK && access(folder, W_OK | X_OK) != 0)
        return ergi_fail_code(err, ERG_ERROR_NO_FILE, "cannot write to the folder %s: %s", folder,
                              strerror(errno));
    return status;
}

erg_status ergi_folder_checkpoint(ergi_path *path, const char *given, erg_error *err)
{
    struct stat info;
    if (stat(given, &info) == 0 && S_ISDIR(info.st_mode))
        return ergi_path_join(path, given, ERGI_CHECKPOINT, err);
    return ergi_path_join(path, "", given, err);
}

erg_status ergi_folder_cut(const char *folder, uint64_t frames, erg_error *err)
{
    ergi_path  snapshots;
    erg_status status = ergi_path_join(&snapshots, folder, ERGI_SNAPSHOTS, err);
    if (status == ERG_OK) status = remove_file(folder, ERGI_SUMMARY, err);
    if (status == ERG_OK) status = remove_file(folder, ERGI_SUMMARY ".part", err);
    if (status == ERG_OK) status = remove_file(folder, ERGI_CHECKPOINT ".part", err);
    if (status != ERG_OK) return status;

    DIR *directory = opendir(snapshots.text);
    if (!directory) return ERG_OK;
    for (struct dirent *e; status == ERG_OK && (e = readdir(directory));) {
        uint64_t    frame = frame_of(e->d_name);
        const char *dot = strrchr(e->d_name, '.');
        bool        unfinished = dot && strcmp(dot, ".part") == 0;
        if (frame != UINT64_MAX && (frame >= frames || unfinished))
            status = remove_file(snapshots.text, e->d_name, err);
    }
    closedir(directory);
    return status;
}

// "video.mp4", "video-2.mp4", and unfinished ones.
static bool is_film(const char *name)
{
    if (strncmp(name, "video", 5) != 0) return false;
    name += 5;
    if (*name == '-') {
        size_t digits = strspn(name + 1, "0123456789");
        if (digits == 0) return false;
        name += 1 + digits;
    }
    return strcmp(name, ".mp4") == 0 || strcmp(name, ".mp4.part") == 0;
}

static erg_status remove_films(const char *folder, erg_error *err)
{
    erg_status status = ERG_OK;
    DIR       *directory = opendir(folder);
    if (!directory) return ERG_OK;
    for (struct dirent *e; status == ERG_OK && (e = readdir(directory));)
        if (is_film(e->d_name)) status = remove_file(folder, e->d_name, err);
    closedir(directory);
    return status;
}

// "NAME-000012.vti" and the lists "NAME.pvd".
static bool is_field(const char *name)
{
    static const char *const vti[] = {"vti"};

    const char *dash = strrchr(name, '-'), *dot = strrchr(name, '.');
    return (dash && number_of(dash, vti, 1) != UINT64_MAX) || (dot && strcmp(dot, ".pvd") == 0);
}

static erg_status clear_fields(const char *folder, erg_error *err)
{
    ergi_path  fields;
    erg_status status = ergi_path_join(&fields, folder, ERGI_FIELDS_FOLDER, err);
    DIR       *directory = status == ERG_OK ? opendir(fields.text) : NULL;
    if (!directory) return status;
    for (struct dirent *e; status == ERG_OK && (e = readdir(directory));)
        if (is_field(e->d_name)) status = remove_file(fields.text, e->d_name, err);
    closedir(directory);
    rmdir(fields.text); // fails if the folder holds files of others: it is kept
    return status;
}

erg_status ergi_folder_clear(const char *folder, erg_error *err)
{
    ergi_path  snapshots;
    erg_status status = ergi_path_join(&snapshots, folder, ERGI_SNAPSHOTS, err);
    if (status == ERG_OK) status = ergi_folder_make(folder, err);
    for (int i = 0; i < OURS_COUNT && status == ERG_OK; i++)
        status = remove_file(folder, OURS[i], err);
    if (status == ERG_OK) status = remove_films(folder, err);
    if (status == ERG_OK) status = ergi_folder_cut(folder, 0, err);
    if (status == ERG_OK && ergi_path_exists(snapshots.text)) {
        status = remove_file(snapshots.text, ERGI_PART_SPHERES ".hdf", err);
        for (int i = 0; i < PART_COUNT && status == ERG_OK; i++) {
            char list[32];
            snprintf(list, sizeof list, "%s.pvd", PARTS[i]);
            status = remove_file(snapshots.text, list, err);
        }
        rmdir(snapshots.text); // fails if the folder holds files of others: it is kept
    }
    return status == ERG_OK ? clear_fields(folder, err) : status;
}

erg_status ergi_folder_copy_file(const char *from, const char *to, const char *name, uint64_t limit,
                                 erg_error *err)
{
    ergi_path  source, target;
    erg_status status = ergi_path_join(&source, from, name, err);
    if (status == ERG_OK) status = ergi_path_join(&target, to, name, err);
    if (status != ERG_OK || !ergi_path_exists(source.text)) return status;
    unsigned char *bytes = NULL;
    size_t         size = 0;
    status = ergi_file_read(source.text, &bytes, &size, err);
    if (status == ERG_OK)
        status =
            ergi_file_replace(target.text, bytes, size < limit ? size : (size_t)limit, NULL, err);
    free(bytes);
    return status;
}

erg_status ergi_folder_copy(const char *from, const char *to, uint64_t bytes, uint64_t frames,
                            erg_error *err)
{
    ergi_path  old, new;
    erg_status status = ergi_folder_copy_file(from, to, ERGI_SERIES, bytes, err);
    if (status == ERG_OK) status = ergi_path_join(&old, from, ERGI_SNAPSHOTS, err);
    if (status == ERG_OK) status = ergi_path_join(&new, to, ERGI_SNAPSHOTS, err);
    if (status == ERG_OK && frames) status = ergi_folder_make(new.text, err);
    for (uint64_t i = 0; i < frames && status == ERG_OK; i++) {
        for (int k = 0; k < ENDING_COUNT * PART_COUNT && status == ERG_OK; k++)
            status = ergi_folder_copy_file(
                old.text, new.text,
                ergi_frame_name_of(PARTS[k / ENDING_COUNT], i, ENDINGS[k % ENDING_COUNT]).text,
                UINT64_MAX, err);
    }
    return status;
}
