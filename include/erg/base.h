// erg: the words every other header uses: statuses, errors, vectors, ids, log.
// SI units throughout, z up. The unit stands in brackets at the end of a comment.
#ifndef ERG_BASE_H
#define ERG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define ERG_API
#else
#define ERG_API __attribute__((visibility("default")))
#endif

ERG_API const char *erg_version(void); // of the library, such as "0.1.0"

// What a fallible call answers. Zero is success; the sentence is in erg_error.text.
typedef enum erg_status {
    ERG_OK = 0,
    ERG_BAD_INPUT,   // an argument, scene or checkpoint is wrong or missing; nothing was changed
    ERG_NO_MEMORY,   // an allocation failed; nothing was changed
    ERG_IO,          // the system failed to read or write; an input that is missing or may not be
                     // opened is ERG_BAD_INPUT
    ERG_BAD_PHYSICS, // the next step would not be physics; the world stands at the last good step
    ERG_NOT_BUILT,   // this build of erg does not hold what was asked for
    ERG_CANCELLED    // the caller's progress callback asked to stop
} erg_status;

// Room for a whole report of a bad scene (up to 20 messages, one per line). Owned by the caller,
// never allocated, so that "out of memory" can be said too. Filled when a call fails, else left
// alone. Every function accepts NULL here. NULL for any other required argument is
// ERG_BAD_INPUT; functions without a status return 0, NULL or an empty struct.
typedef struct erg_error {
    erg_status status;
    char       text[8192];
} erg_error;

typedef struct erg_vec3 {
    double x, y, z;
} erg_vec3;

// Unit quaternion: rotation from the body frame to the world frame; w is the real part.
typedef struct erg_quat {
    double x, y, z, w;
} erg_quat;

typedef int32_t  erg_index; // counts and positions in arrays of this process
typedef uint64_t erg_gid;   // names a grain or body for ever; never reused; 0 means none

typedef enum erg_log_level { ERG_LOG_INFO, ERG_LOG_WARNING } erg_log_level;

// The library prints nothing: what it has to say reaches the caller here. One line, no newline.
typedef void (*erg_log_fn)(void *user, erg_log_level level, const char *text);

// Called now and then during work that may take long; returning false stops it with ERG_CANCELLED.
typedef bool (*erg_continue_fn)(void *user);

#ifdef __cplusplus
}
#endif
#endif
