#define _XOPEN_SOURCE 700 // realpath

#include "io/file.h"

#include "base/error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ergi_file {
    char         *path;      // as the caller wrote it
    char         *target;    // the file to replace: path, with symbolic links resolved
    char         *temporary; // NULL: target is a device or pipe
    int           fd;
    int           error; // errno of the first failure; 0: none
    size_t        used;  // bytes in buffer
    unsigned char buffer[1 << 16];
};

static char *join(const char *a, const char *b)
{
    size_t size = strlen(a) + strlen(b) + 1;
    char  *text = malloc(size);
    if (text) snprintf(text, size, "%s%s", a, b);
    return text;
}

static void free_file(ergi_file *file)
{
    free(file->path);
    free(file->target);
    free(file->temporary);
    free(file);
}

// Returns 0 or errno.
static int write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        size_t  part = size < ((size_t)1 << 30) ? size : (size_t)1 << 30;
        ssize_t done = write(fd, bytes, part);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) return EIO;
        bytes += done;
        size -= (size_t)done;
    }
    return 0;
}

// Returns 0 or errno. Files that do not support fsync are no error.
static int sync_fd(int fd)
{
    while (fsync(fd) != 0) {
        if (errno == EINVAL || errno == ENOTSUP) return 0;
        if (errno != EINTR) return errno;
    }
    return 0;
}

// Makes a rename durable. A folder that cannot be opened, or a file system without fsync for
// folders, is no error: the rename itself has succeeded.
static int sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char       *folder = slash ? join(path, "") : join(".", "");
    if (!folder) return ENOMEM;
    if (slash) folder[slash == path ? 1 : slash - path] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (fd < 0) return 0;
    int error = sync_fd(fd);
    close(fd);
    return error;
}

static erg_status fail_begin(ergi_file *file, int error, erg_error *err)
{
    erg_status status =
        ergi_fail(err, ERG_IO, "could not write %s: %s", file->path, strerror(error));
    free_file(file);
    return status;
}

erg_status ergi_file_begin(const char *path, ergi_file **out, erg_error *err)
{
    *out = NULL;
    ergi_file *file = calloc(1, sizeof *file);
    if (!file) return ergi_fail_memory(err, sizeof *file, "a file to write");
    file->fd = -1;
    file->path = join(path, "");
    if (!file->path) {
        free_file(file);
        return ergi_fail_memory(err, strlen(path) + 1, "a file name");
    }

    struct stat info;
    bool        exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) return fail_begin(file, EISDIR, err);
    bool straight = exists && !S_ISREG(info.st_mode);

    file->target = exists && !straight ? realpath(path, NULL) : join(path, "");
    if (file->target && !straight) file->temporary = join(file->target, ".part");
    if (!file->target || (!straight && !file->temporary)) return fail_begin(file, ENOMEM, err);

    if (straight) {
        file->fd = open(path, O_WRONLY | O_CLOEXEC);
    } else {
        unlink(file->temporary);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file->fd < 0) return fail_begin(file, errno, err);
    *out = file;
    return ERG_OK;
}

static void flush(ergi_file *file)
{
    if (!file->error) file->error = write_all(file->fd, file->buffer, file->used);
    file->used = 0;
}

void ergi_file_write(ergi_file *file, const void *bytes, size_t size)
{
    if (file->error || size == 0) return;
    if (size > sizeof file->buffer - file->used) flush(file);
    if (size > sizeof file->buffer) {
        if (!file->error) file->error = write_all(file->fd, bytes, size);
        return;
    }
    memcpy(file->buffer + file->used, bytes, size);
    file->used += size;
}

void ergi_file_text(ergi_file *file, const char *text)
{
    ergi_file_write(file, text, strlen(text));
}

void ergi_file_u32(ergi_file *file, uint32_t value)
{
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    ergi_file_write(file, bytes, sizeof bytes);
}

void ergi_file_u64(ergi_file *file, uint64_t value)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
    ergi_file_write(file, bytes, sizeof bytes);
}

void ergi_file_f32(ergi_file *file, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ergi_file_u32(file, bits);
}

void ergi_file_f64(ergi_file *file, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ergi_file_u64(file, bits);
}

// For file systems without hard links: copies the old content.
static int copy_previous(const char *target, const char *previous)
{
    unsigned char *bytes;
    size_t         size;
    if (ergi_file_read(target, &bytes, &size, NULL) != ERG_OK) return EIO;
    erg_status status = ergi_file_replace(previous, bytes, size, NULL, NULL);
    free(bytes);
    return status == ERG_OK ? 0 : EIO;
}

// Gives the old content a second name. The link is made under a temporary name and renamed, so that
// `previous`, too, is complete at every moment.
static int keep_previous(const char *target, const char *previous)
{
    char *temporary = join(previous, ".part");
    if (!temporary) return ENOMEM;
    unlink(temporary);
    int error = 0;
    if (link(target, temporary) != 0) {
        error = errno;
        if (error == EPERM || error == ENOTSUP || error == EMLINK || error == EXDEV ||
            error == ENOSYS)
            error = copy_previous(target, previous);
        else if (error == ENOENT)
            error = 0; // nothing to keep
    } else {
        if (rename(temporary, previous) != 0) error = errno;
        unlink(temporary); // rename does nothing if both names are already the same file
    }
    free(temporary);
    return error;
}

erg_status ergi_file_commit(ergi_file *file, const char *previous, erg_error *err)
{
    flush(file);
    if (!file->error && file->temporary) file->error = sync_fd(file->fd);
    if (close(file->fd) != 0 && errno != EINTR && !file->error) file->error = errno;

    const char *failed = file->path;
    if (!file->error && file->temporary && previous) {
        file->error = keep_previous(file->target, previous);
        if (file->error) failed = previous;
    }
    bool replaced = false;
    if (!file->error && file->temporary) {
        replaced = rename(file->temporary, file->target) == 0;
        file->error = replaced ? sync_folder_of(file->target) : errno;
    }

    erg_status status = ERG_OK;
    if (file->error) {
        if (file->temporary && !replaced) unlink(file->temporary);
        bool kept = file->temporary && !replaced && access(file->target, F_OK) == 0;
        status =
            ergi_fail(err, ERG_IO, "could not write %s: %s%s%s%s", failed, strerror(file->error),
                      kept ? "; " : "", kept ? file->path : "", kept ? " is unchanged" : "");
    }
    free_file(file);
    return status;
}

void ergi_file_abandon(ergi_file *file)
{
    if (!file) return;
    close(file->fd);
    if (file->temporary) unlink(file->temporary);
    free_file(file);
}

erg_status ergi_file_replace(const char *path, const void *bytes, size_t size, const char *previous,
                             erg_error *err)
{
    ergi_file *file;
    erg_status status = ergi_file_begin(path, &file, err);
    if (status != ERG_OK) return status;
    ergi_file_write(file, bytes, size);
    return ergi_file_commit(file, previous, err);
}

// Reads up to `size` bytes; fewer if the file ends early.
static int read_all(int fd, unsigned char *bytes, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        ssize_t done = read(fd, bytes + *got, size - *got);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        if (done == 0) break;
        *got += (size_t)done;
    }
    return 0;
}

static erg_status fail_open(const char *path, int error, erg_error *err)
{
    bool wrong_name = error == ENOENT || error == ENOTDIR || error == EACCES ||
                      error == ENAMETOOLONG || error == ELOOP;
    return ergi_fail_code(err, wrong_name ? ERG_ERROR_NO_FILE : ERG_ERROR_IO,
                          "could not read %s: %s", path, strerror(error));
}

erg_status ergi_file_read(const char *path, unsigned char **bytes, size_t *size, erg_error *err)
{
    *bytes = NULL;
    *size = 0;
    // Non-blocking: opening a pipe without a writer would otherwise hang.
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return fail_open(path, errno, err);
    struct stat info;
    if (fstat(fd, &info) != 0) {
        int error = errno;
        close(fd);
        return fail_open(path, error, err);
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return ergi_fail_code(err, ERG_ERROR_BAD_FILE,
                              "could not read %s: it is %s, expected a file", path,
                              S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    }
    size_t         length = (size_t)info.st_size, got;
    unsigned char *content = malloc(length + 1);
    if (!content) {
        close(fd);
        return ergi_fail_memory(err, length + 1, path);
    }
    int error = read_all(fd, content, length, &got);
    close(fd);
    if (error) {
        free(content);
        return ergi_fail(err, ERG_IO, "could not read %s: %s", path, strerror(error));
    }
    content[got] = '\0';
    *bytes = content;
    *size = got;
    return ERG_OK;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// An existing folder is fine, even where mkdir reports EACCES or EROFS instead of EEXIST.
static int make_one(const char *path)
{
    if (mkdir(path, 0777) == 0) return 0;
    int error = errno;
    if (is_folder(path)) return 0;
    return error == EEXIST ? ENOTDIR : error;
}

erg_status ergi_folder_make(const char *path, erg_error *err)
{
    char *part = join(path, "");
    if (!part) return ergi_fail_memory(err, strlen(path) + 1, "a folder name");
    int error = *path ? 0 : ENOENT;
    for (char *slash = part; slash && !error;) {
        slash = strchr(slash + 1, '/');
        if (slash) *slash = '\0';
        error = make_one(part);
        if (slash) *slash = '/';
    }
    free(part);
    if (error)
        return ergi_fail(err, ERG_IO, "could not create the folder %s: %s", path, strerror(error));
    return ERG_OK;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

erg_status ergi_folder_is_empty(const char *path, const char *but, bool *empty, erg_error *err)
{
    *empty = true;
    DIR *folder = opendir(path);
    if (!folder) {
        int error = errno;
        if (error == ENOENT) return ERG_OK;
        if (error == ENOTDIR)
            return ergi_fail_code(err, ERG_ERROR_BAD_FILE, "%s is a file, expected a folder", path);
        return ergi_fail(err, ERG_IO, "could not read the folder %s: %s", path, strerror(error));
    }
    for (struct dirent *entry; (entry = readdir(folder));)
        if (!is_dots(entry->d_name) && !(but && strcmp(entry->d_name, but) == 0)) *empty = false;
    closedir(folder);
    return ERG_OK;
}

// Removes the file or folder `name` of the folder `parent`; returns 0 or errno.
static int remove_entry(int parent, const char *name)
{
    if (unlinkat(parent, name, 0) == 0 || errno == ENOENT) return 0;
    int error = errno;
    if (error != EISDIR && error != EPERM) return error;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return errno == ENOTDIR ? error : errno;
    DIR *folder = fdopendir(fd);
    if (!folder) {
        error = errno;
        close(fd);
        return error;
    }
    error = 0;
    for (struct dirent *entry; !error && (entry = readdir(folder));)
        if (!is_dots(entry->d_name)) error = remove_entry(fd, entry->d_name);
    closedir(folder);
    if (!error && unlinkat(parent, name, AT_REMOVEDIR) != 0) error = errno;
    return error;
}

erg_status ergi_folder_remove(const char *path, erg_error *err)
{
    int error = remove_entry(AT_FDCWD, path);
    if (error) return ergi_fail(err, ERG_IO, "could not remove %s: %s", path, strerror(error));
    return ERG_OK;
}
