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

// What exactly is wrong, for programs that act on it. The code implies the status.
typedef enum erg_error_code {
    ERG_ERROR_OTHER = 0,    // the status and the text say it
    ERG_ERROR_MISSING,      // NULL or nothing where something must be given
    ERG_ERROR_NOT_FINITE,   // a number is infinite or none (NaN)
    ERG_ERROR_OUT_OF_RANGE, // a number or text is too large, too small or too long
    ERG_ERROR_UNKNOWN,      // there is no such id, law, shape or kind
    ERG_ERROR_NAME_TAKEN,   // another thing of this world has that name
    ERG_ERROR_CONFLICT,     // each value is fine, but they exclude each other
    ERG_ERROR_NO_FIT,       // there is no room: grains in a region, results in a buffer
    ERG_ERROR_TOO_MANY,     // more than a world, or this machine's memory, holds
    ERG_ERROR_TOO_LATE,     // only before the first step
    ERG_ERROR_BAD_MESH,     // a mesh is not closed, is empty or too thin
    ERG_ERROR_NO_FILE,      // there is no such file, or it may not be opened
    ERG_ERROR_BAD_FILE,     // a file is damaged, or holds something else than was expected
    ERG_ERROR_OTHER_BUILD,  // a file of another version or build of erg
    ERG_ERROR_OTHER_WORLD,  // a file of a world with other definitions
    ERG_ERROR_NO_MEMORY,    // with ERG_NO_MEMORY, and so on
    ERG_ERROR_IO,
    ERG_ERROR_BAD_PHYSICS,
    ERG_ERROR_NOT_BUILT,
    ERG_ERROR_CANCELLED
} erg_error_code;

// Owned by the caller, never allocated, so that "out of memory" can be said too. Filled when a call
// fails, else left alone. Every function accepts NULL here. NULL for any other required argument is
// ERG_BAD_INPUT; functions without a status return 0, NULL or an empty struct.
typedef struct erg_error {
    erg_status     status;
    erg_error_code code;
    // The member of the definition that is at fault, in the names of the struct: "young",
    // "contact.reference_speed", "motion[2].axis", "funnel.outlet_radius". Of a scene: the key, as
    // --set takes it: "walls.1.motion.0.spin.rate". Empty when no single member is.
    // erg_world_prepare names members of erg_world_def, and those of a wall or body as
    // "walls[3].rounding", where 3 is its erg_id less 1.
    char field[128];
    char text[8192]; // the sentence; of a bad scene the whole report, up to 20 lines
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
