// Types used by every other header: statuses, errors, vectors, ids, log. SI units throughout, z up.
// Comments give the unit in brackets.
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

// Result of a call that can fail. Zero is success; erg_error.text has the message.
typedef enum erg_status {
    ERG_OK = 0,
    ERG_BAD_INPUT, // an argument, scene or checkpoint is wrong or missing; nothing was changed
    ERG_NO_MEMORY, // an allocation failed; nothing was changed
    ERG_IO, // reading or writing failed; an input file that is missing or cannot be opened is
            // ERG_BAD_INPUT
    ERG_BAD_PHYSICS, // a step gave an unphysical state; the world is left at the last good step
    ERG_NOT_BUILT,   // this build of erg does not include the requested feature
    ERG_CANCELLED    // a callback of the caller returned false to stop
} erg_status;

// What exactly is wrong, for programs that act on it. The code implies the status.
typedef enum erg_error_code {
    ERG_ERROR_OTHER = 0,    // see the status and the text
    ERG_ERROR_MISSING,      // a required argument or member is NULL or empty
    ERG_ERROR_NOT_FINITE,   // a number is infinite or NaN
    ERG_ERROR_OUT_OF_RANGE, // a number or text is too large, too small or too long
    ERG_ERROR_UNKNOWN,      // no such id, law, shape or kind
    ERG_ERROR_NAME_TAKEN,   // another object of this world has that name
    ERG_ERROR_CONFLICT,     // each value is valid, but they exclude each other
    ERG_ERROR_NO_FIT,       // not enough space, for grains in a region or for results in a buffer
    ERG_ERROR_TOO_MANY,     // more than a world, or this machine's memory, can hold
    ERG_ERROR_TOO_LATE,     // allowed only earlier, usually before the first step
    ERG_ERROR_BAD_MESH,     // a mesh is not closed, is empty or too thin
    ERG_ERROR_NO_FILE,      // no such file, or it cannot be opened
    ERG_ERROR_BAD_FILE,     // a file is damaged or has unexpected content
    ERG_ERROR_OTHER_BUILD,  // the file was written by another version or build of erg
    ERG_ERROR_OTHER_WORLD,  // the file belongs to a world with other definitions
    ERG_ERROR_NO_MEMORY,    // this and the following: see the status of the same name
    ERG_ERROR_IO,
    ERG_ERROR_BAD_PHYSICS,
    ERG_ERROR_NOT_BUILT,
    ERG_ERROR_CANCELLED
} erg_error_code;

// Owned by the caller; filling it allocates nothing, so it can also report that memory ran out.
// Filled when a call fails, otherwise unchanged. Every function accepts NULL here. NULL for any
// other required argument is ERG_BAD_INPUT; functions that return no status return 0, NULL or an
// empty struct instead.
typedef struct erg_error {
    erg_status     status;
    erg_error_code code;
    // The wrong member of the definition, as named in its struct: "young",
    // "contact.reference_speed", "motion[2].axis", "funnel.outlet_radius". For a scene: the key, as
    // --set takes it: "walls.1.motion.0.spin.rate". Empty if no single member is wrong.
    // erg_world_prepare names members of erg_world_def, and those of a wall or body as
    // "walls[3].rounding", where 3 is its erg_id minus 1.
    char field[128];
    char text[8192]; // the message; for a bad scene the whole report, up to 20 lines
} erg_error;

typedef struct erg_vec3 {
    double x, y, z;
} erg_vec3;

// Unit quaternion: rotation from the body frame to the world frame; w is the real part.
typedef struct erg_quat {
    double x, y, z, w;
} erg_quat;

typedef int32_t  erg_index; // counts and array indices of this process
typedef uint64_t erg_gid;   // identifies a grain; never reused; 0 means none

typedef enum erg_log_level { ERG_LOG_INFO, ERG_LOG_WARNING } erg_log_level;

// Receives the library's messages; it prints nothing itself. `text` is one line without a newline.
typedef void (*erg_log_fn)(void *user, erg_log_level level, const char *text);

// Called periodically during long work; returning false stops it with ERG_CANCELLED.
typedef bool (*erg_continue_fn)(void *user);

#ifdef __cplusplus
}
#endif
#endif
