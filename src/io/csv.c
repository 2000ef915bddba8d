#include "io/csv.h"

#include "base/error.h"
#include "io/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct ergi_csv {
    char    *path;
    int      fd;
    size_t   columns;
    uint64_t bytes; // of complete rows
    char    *line;  // buffer for one row
};

static erg_status fail_write(const ergi_csv *csv, int error, erg_error *err)
{
    return ergi_fail(err, ERG_IO, "could not write %s: %s", csv->path, strerror(error));
}

static void free_csv(ergi_csv *csv)
{
    if (csv->fd >= 0) close(csv->fd);
    free(csv->path);
    free(csv->line);
    free(csv);
}

// The first line as a string that the caller frees; NULL: out of memory.
static char *make_header(const char *const *names, size_t count)
{
    size_t room = 2;
    for (size_t i = 0; i < count; i++) room += 2 * strlen(names[i]) + 3;
    char *line = malloc(room), *at = line;
    if (!line) return NULL;
    for (size_t i = 0; i < count; i++) {
        bool quoted = strpbrk(names[i], ",\"\r\n") != NULL;
        if (i > 0) *at++ = ',';
        if (quoted) *at++ = '"';
        for (const char *c = names[i]; *c; c++) {
            if (*c == '"') *at++ = '"';
            *at++ = *c;
        }
        if (quoted) *at++ = '"';
    }
    *at++ = '\n';
    *at = '\0';
    return line;
}

static erg_status new_csv(const char *path, size_t columns, ergi_csv **out, erg_error *err)
{
    *out = NULL;
    if (columns == 0) return ergi_fail(err, ERG_BAD_INPUT, "%s: a table needs a column", path);
    size_t    room = columns * ERGI_NUMBER_ROOM;
    ergi_csv *csv = calloc(1, sizeof *csv);
    if (!csv) return ergi_fail_memory(err, sizeof *csv, "a table");
    csv->fd = -1;
    csv->columns = columns;
    csv->path = malloc(strlen(path) + 1);
    csv->line = malloc(room);
    if (!csv->path || !csv->line) {
        free_csv(csv);
        return ergi_fail_memory(err, room, "a table");
    }
    strcpy(csv->path, path);
    *out = csv;
    return ERG_OK;
}

// Appends a whole line or nothing.
static erg_status append(ergi_csv *csv, const char *line, size_t length, erg_error *err)
{
    for (size_t done = 0; done < length;) {
        ssize_t part = write(csv->fd, line + done, length - done);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) {
            int error = part < 0 ? errno : EIO;
            // On a device the truncation fails, which is harmless: the message is about the failed
            // write.
            if (ftruncate(csv->fd, (off_t)csv->bytes) == 0)
                lseek(csv->fd, (off_t)csv->bytes, SEEK_SET);
            return fail_write(csv, error, err);
        }
        done += (size_t)part;
    }
    csv->bytes += length;
    return ERG_OK;
}

erg_status ergi_csv_create(const char *path, const char *const *names, size_t count, ergi_csv **out,
                           erg_error *err)
{
    *out = NULL;
    ergi_csv  *csv;
    erg_status status = new_csv(path, count, &csv, err);
    if (status != ERG_OK) return status;
    char *header = make_header(names, count);
    if (!header) {
        free_csv(csv);
        return ergi_fail_memory(err, count, "column names");
    }
    csv->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (csv->fd < 0)
        status = fail_write(csv, errno, err);
    else
        status = append(csv, header, strlen(header), err);
    free(header);
    if (status != ERG_OK) {
        free_csv(csv);
        return status;
    }
    *out = csv;
    return ERG_OK;
}

static bool bytes_are(int fd, uint64_t at, const char *want, size_t length)
{
    char   part[256];
    size_t done = 0;
    while (done < length) {
        size_t  size = length - done < sizeof part ? length - done : sizeof part;
        ssize_t got = pread(fd, part, size, (off_t)(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || memcmp(part, want + done, (size_t)got) != 0) return false;
        done += (size_t)got;
    }
    return true;
}

// Checks the file that is to be continued, before it is changed.
static erg_status check_kept(const ergi_csv *csv, const char *header, uint64_t keep, erg_error *err)
{
    struct stat info;
    if (fstat(csv->fd, &info) != 0 || !S_ISREG(info.st_mode))
        return ergi_fail(err, ERG_BAD_INPUT, "could not resume %s: it is not a file", csv->path);
    if ((uint64_t)info.st_size < keep)
        return ergi_fail(err, ERG_BAD_INPUT,
                         "could not resume %s: it has %llu bytes, but the checkpoint expects %llu",
                         csv->path, (unsigned long long)info.st_size, (unsigned long long)keep);
    if (keep < strlen(header) || !bytes_are(csv->fd, 0, header, strlen(header)))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "could not resume %s: its columns differ from those of this run",
                         csv->path);
    if (!bytes_are(csv->fd, keep - 1, "\n", 1))
        return ergi_fail(err, ERG_BAD_INPUT,
                         "could not resume %s: no row ends at byte %llu, so it is not the file "
                         "that belongs to the checkpoint",
                         csv->path, (unsigned long long)keep);
    return ERG_OK;
}

erg_status ergi_csv_resume(const char *path, const char *const *names, size_t count, uint64_t keep,
                           ergi_csv **out, erg_error *err)
{
    *out = NULL;
    ergi_csv  *csv;
    erg_status status = new_csv(path, count, &csv, err);
    if (status != ERG_OK) return status;
    char *header = make_header(names, count);
    if (!header) {
        free_csv(csv);
        return ergi_fail_memory(err, count, "column names");
    }
    csv->fd = open(path, O_RDWR | O_CLOEXEC);
    if (csv->fd < 0)
        status = ergi_fail(err, ERG_BAD_INPUT, "could not resume %s: %s", path, strerror(errno));
    else
        status = check_kept(csv, header, keep, err);
    free(header);
    if (status == ERG_OK &&
        (ftruncate(csv->fd, (off_t)keep) != 0 || lseek(csv->fd, (off_t)keep, SEEK_SET) < 0))
        status = fail_write(csv, errno, err);
    if (status != ERG_OK) {
        free_csv(csv);
        return status;
    }
    csv->bytes = keep;
    *out = csv;
    return ERG_OK;
}

erg_status ergi_csv_row(ergi_csv *csv, const double *values, erg_error *err)
{
    size_t length = 0;
    for (size_t i = 0; i < csv->columns; i++) {
        char number[ERGI_NUMBER_ROOM];
        ergi_number(values[i], number);
        size_t size = strlen(number);
        memcpy(csv->line + length, number, size);
        length += size;
        csv->line[length++] = i + 1 < csv->columns ? ',' : '\n';
    }
    return append(csv, csv->line, length, err);
}

uint64_t ergi_csv_bytes(const ergi_csv *csv)
{
    return csv->bytes;
}

erg_status ergi_csv_sync(ergi_csv *csv, erg_error *err)
{
    if (fsync(csv->fd) == 0 || errno == EINVAL) return ERG_OK;
    return fail_write(csv, errno, err);
}

erg_status ergi_csv_close(ergi_csv *csv, erg_error *err)
{
    if (!csv) return ERG_OK;
    erg_status status = ERG_OK;
    if (close(csv->fd) != 0) status = fail_write(csv, errno, err);
    csv->fd = -1;
    free_csv(csv);
    return status;
}
