#include "mp4.h"

#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHORT_HEAD = 8, LONG_HEAD = 16 };

static uint64_t big_endian(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value = value << 8 | bytes[i];
    return value;
}

// Length and name of the box at `at`; 0: there is none, or it is longer than the file.
static uint64_t read_box(int fd, uint64_t at, uint64_t size, char name[4])
{
    unsigned char head[LONG_HEAD];
    ssize_t       got = pread(fd, head, sizeof head, (off_t)at);
    if (got < SHORT_HEAD) return 0;
    uint64_t length = big_endian(head, 4), least = SHORT_HEAD;
    memcpy(name, head + 4, 4);
    if (length == 1) { // the 64-bit length follows the name
        if (got < LONG_HEAD) return 0;
        length = big_endian(head + 8, 8);
        least = LONG_HEAD;
    }
    return length >= least && length <= size - at ? length : 0;
}

static const char *problem(int fd)
{
    struct stat info;
    if (fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) return strerror(errno);
    if (fstat(fd, &info) != 0) return strerror(errno);
    uint64_t size = (uint64_t)info.st_size;
    bool     index = false, pictures = false;
    for (uint64_t at = 0, length; at < size; at += length) {
        char name[4];
        length = read_box(fd, at, size, name);
        if (length == 0) return "the file is truncated";
        index |= memcmp(name, "moov", 4) == 0;
        pictures |= memcmp(name, "mdat", 4) == 0 && length > LONG_HEAD;
    }
    return !pictures ? "it has no frames" : !index ? "it has no index" : NULL;
}

erg_status cli_mp4_check(const char *path, erg_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cli_fail(err, ERG_IO, "%s", strerror(errno));
    const char *why = problem(fd);
    close(fd);
    return why ? cli_fail(err, ERG_IO, "%s", why) : ERG_OK;
}
