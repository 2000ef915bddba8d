// The seal at the end of a VTKHDF file; see vtkhdf.h.
#include "base/hash.h"
#include "io/vtkhdf.h"

#include <string.h>

enum { AT_LENGTH = 8, AT_TIME = 16, AT_HASH = 24, AT_OWN = 32 };

static const char magic[9] = "ERGHDF01";

static void put(unsigned char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++) at[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t take(const unsigned char *at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

void ergi_vtkhdf_seal(const unsigned char *bytes, size_t size, double time,
                      unsigned char seal[ERGI_VTKHDF_SEAL])
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    memcpy(seal, magic, 8);
    put(seal + AT_LENGTH, size);
    put(seal + AT_TIME, bits);
    put(seal + AT_HASH, ergi_hash_bytes(bytes, size, 3));
    put(seal + AT_OWN, ergi_hash_bytes(seal, AT_OWN, 4));
}

const char *ergi_vtkhdf_seal_time(const unsigned char seal[ERGI_VTKHDF_SEAL], double *time)
{
    if (memcmp(seal, magic, 8) != 0 || take(seal + AT_OWN) != ergi_hash_bytes(seal, AT_OWN, 4))
        return "its end is not that of a file written by erg";
    uint64_t bits = take(seal + AT_TIME);
    memcpy(time, &bits, sizeof bits);
    return NULL;
}

const char *ergi_vtkhdf_check(const unsigned char *bytes, size_t size, double *time)
{
    if (size < ERGI_VTKHDF_SEAL) return "too short";
    size_t               content = size - ERGI_VTKHDF_SEAL;
    const unsigned char *seal = bytes + content;
    const char          *why = ergi_vtkhdf_seal_time(seal, time);
    if (why) return why;
    if (take(seal + AT_LENGTH) != content) return "its length does not match";
    return take(seal + AT_HASH) == ergi_hash_bytes(bytes, content, 3)
               ? NULL
               : "its content does not match its hash";
}
