// A whole run of a scene: build, step, measure, write the result folder, stop and resume.
//
//     erg_run_def    def = erg_run_def_default();
//     erg_run_result result;
//     def.scene = scene;
//     def.out = "results/pile";
//     if (erg_run(&def, &result, &err) != ERG_OK) ... err.text
//
// The result folder holds summary.json, series.csv, checkpoint.h5 (the previous one is kept as
// checkpoint-prev.h5), snapshots/ and what the caller puts there. Output does not change the run:
// it is taken at the first step boundary at or after its time, and a resumed run writes the same
// series and snapshots as one that was never stopped. Only one run at a time can write to a folder:
// while another does, in any process, erg_run returns ERG_BAD_INPUT with its process id.
#ifndef ERG_RUN_H
#define ERG_RUN_H

#include "erg/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Progress of a run. Times are simulated unless marked as wall time.
typedef struct erg_run_progress {
    double   time, end; // [s]
    uint64_t steps;     // since t = 0
    uint64_t grains, contacts;
    double   dt;               // [s]
    double   wall;             // wall time since erg_run was called [s]
    double   eta;              // remaining wall time; NAN while unknown [s]
    double   real_time_factor; // recent simulated time over wall time; NAN while unknown
} erg_run_progress;

// Called about ten times per second of wall time, and also before the first and after the last
// step. Returning false stops the run after a whole step: it writes a checkpoint and returns
// ERG_CANCELLED.
typedef bool (*erg_run_progress_fn)(void *user, const erg_run_progress *);

// Called once when the world is built and, on resume, loaded; before any file is written.
typedef void (*erg_run_start_fn)(void *user, const erg_world *);

// Called for every picture of a film: at the start, and at the first step boundary at or after
// every `run.frame` of simulated time. Only in runs that write a result folder.
typedef void (*erg_run_frame_fn)(void *user, const erg_world *);

// Called once at the end if `start` was called, whether or not the run succeeded: its own files are
// written, its result is filled and no frame follows. The folder is still locked by this run, so
// files that `frame` began can be finished here.
typedef void (*erg_run_end_fn)(void *user);

typedef struct erg_run_def {
    const erg_scene *scene; // must be set
    const char      *name;  // of the scene: its path, for reports and for relative paths on resume
    double           time;  // end of the run, from the scene's t = 0 [s]; NAN: as in the scene
    const char      *out;   // result folder; NULL: nothing is written, unless `resume` is given
    bool             no_output; // write nothing, also on resume
    bool             force;     // remove erg's files from a folder that is not empty
    const char *resume; // a checkpoint to continue from, or a result folder that holds one; without
                        // `out`, the run continues in that folder
    int             threads;    // at most; 0: as in the scene, or all processors if not given there
    erg_backend     backend;    // of the world; default ERG_BACKEND_CPU
    erg_continue_fn keep_going; // called while the world is built; false: ERG_CANCELLED, and
                                // nothing is written; then also while emitters place grains;
                                // false: the run is stopped, as by `progress`; may be NULL
    erg_log_fn          log;
    erg_run_start_fn    start;
    erg_run_progress_fn progress;
    erg_run_frame_fn    frame;
    erg_run_end_fn      end;
    void               *user; // passed to log, keep_going, start, progress, frame and end
} erg_run_def;

ERG_API erg_run_def erg_run_def_default(void);

typedef struct erg_run_result {
    char     scene[256]; // bare name
    char     solver[16];
    char     backend[16];
    int      threads;                               // used in most steps of this call
    uint64_t grains, spheres, bodies;               // at the end
    uint64_t fine;                                  // particles of upsampling, at the end
    bool     upsampled;                             // there is upsampling
    uint64_t columns, awake;                        // of the terrain; grains awake, at the end
    bool     landscape;                             // there is a terrain
    uint64_t steps;                                 // since t = 0
    double   dt;                                    // [s]
    double   start_time;                            // where this call began; 0 without resume [s]
    double   sim_time;                              // [s]
    double   wall_s;                                // of this call, without building [s]
    double   sphere_steps_per_s, grain_steps_per_s; // of this call; 0 when it took no step
    uint64_t contacts;                              // touching pairs at the end, walls included
    double   max_overlap_ratio;
    double   kinetic_energy; // translation and rotation [J]
    uint64_t state_hash;
    char     out[4096];        // result folder; empty: none
    char     checkpoint[4200]; // file with the last state; empty: none
    uint64_t checkpoint_steps; // its step; `steps` unless the newest state could not be saved
    uint64_t rows;             // rows of series.csv without the header
    uint64_t frames;           // snapshots taken since t = 0
    bool     started;          // the world was built and, on resume, loaded
} erg_run_result;

// Runs the scene to its end. The result is filled as far as the run got, whatever the status:
//   ERG_BAD_INPUT    nothing was run and nothing was written
//   ERG_BAD_PHYSICS  the last good state is in result.checkpoint
//   ERG_IO           a file could not be written; the last good checkpoint is still there
//   ERG_CANCELLED    `progress` returned false; the state is in result.checkpoint
ERG_API erg_status erg_run(const erg_run_def *def, erg_run_result *result, erg_error *err);

// Writes a world that the caller built from def->scene and stepped itself, for example in a window,
// to the folder def->out, as if a run had been stopped here: `erg run --resume` continues it. The
// series has one row, for the current time, and cumulative probe values start from zero. Of `def`,
// only scene, name, out, force, threads and backend are used.
ERG_API erg_status erg_run_keep(const erg_run_def *def, const erg_world *world,
                                erg_run_result *result, erg_error *err);

// Loads the scene stored in a checkpoint, or in the checkpoint of a result folder, with further
// overrides as in erg_scene_load. `name` (may be NULL) receives erg_run_def.name, NUL-terminated
// and truncated to `room` bytes.
ERG_API erg_status erg_run_stored_scene(const char *checkpoint, const char *const *sets,
                                        size_t set_count, erg_scene **scene, char *name,
                                        size_t room, erg_error *err);

// The result as one line of JSON, as `erg run --json` prints it. `problem` adds the keys "error"
// and "checkpoint"; NULL: neither. Returns the length, which is at least `room` if the text was
// truncated.
ERG_API size_t erg_run_result_json(const erg_run_result *, const char *problem, char *text,
                                   size_t room);

// The bare name of a scene file: "scenes/pile.yaml" gives "pile".
ERG_API void erg_run_scene_name(const char *path, char *name, size_t room);

#ifdef __cplusplus
}
#endif
#endif
