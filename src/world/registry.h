// The state of a world: everything that stepping changes and that the future depends on. Each array
// is registered once, with its name and flags; rollback, checkpoints and the state hash then
// include it automatically. Parameters, which the caller defines, are not state.
//
// The world registers the clock, the grains, the walls, the emitters and the sinks; a solver and
// the stages of the loop register their own.
#ifndef ERGI_REGISTRY_H
#define ERGI_REGISTRY_H

#include "base/error.h"
#include "base/table.h"
#include "erg/world.h"

enum { ERGI_STATE_MOST = 64 }; // items: twice what DEM, a terrain and fine particles register

typedef enum ergi_state_flags {
    ERGI_STATE_DERIVED = 1,  // computed from the rest: neither copied nor saved
    ERGI_STATE_HASHED = 2,   // each row adds a term to the state hash, by table name and row key
    ERGI_STATE_TILED = 4,    // rollback copies only tiles that were marked as changed
    ERGI_STATE_BY_GRAIN = 8, // one row per grain, added, removed and sorted with it
    ERGI_STATE_BY_RANK =
        16, // for MPI, planned: every rank has its own rows; else all ranks have the same
    ERGI_STATE_ON_DEVICE = 32 // a solver may hold a newer copy on a device: see `sync`
} ergi_state_flags;

enum { ERGI_TILE_ROWS = 4096 };

// The tiles of a table that changed since the last copy; code that writes rows must mark them.
typedef struct ergi_tiles {
    uint8_t *changed; // per tile of ERGI_TILE_ROWS rows
    size_t   room;
    bool     all; // tiles changed
} ergi_tiles;

typedef struct ergi_state_item {
    const char *name; // of the table, or of the plain data in a checkpoint; unique
    unsigned    flags;
    ergi_table *table;    // NULL: plain data
    int         key;      // column of 64-bit keys for the hash; -1: the row's number
    unsigned    unhashed; // columns that do not enter the hash, one bit each
    ergi_tiles *tiles;    // only with ERGI_STATE_TILED
    // Plain data: *count rows of `size` bytes at `data`, or at *array where that is not NULL.
    void         *data;
    void        **array;
    const size_t *count;
    size_t        size;
} ergi_state_item;

typedef struct ergi_registry {
    ergi_state_item item[ERGI_STATE_MOST + 1]; // the last one takes what was refused
    int             count;
    const char     *refused; // first item that was not registered; NULL: none
} ergi_registry;

// Registering returns nothing: an item too many, or one with the name of another, is not registered
// but remembered. Whoever lets others register calls ergi_registry_check afterwards; it fails with
// ERG_ERROR_TOO_MANY or ERG_ERROR_NAME_TAKEN and names the item.
erg_status ergi_registry_check(const ergi_registry *registry, erg_error *err);
// Takes back all items but the first `count`, and what was refused.
void ergi_registry_cut(ergi_registry *registry, int count);

// The table must not move in memory. `key` as above.
void ergi_registry_table(ergi_registry *registry, ergi_table *table, int key, unsigned flags);
void ergi_registry_tiled(ergi_registry *registry, ergi_table *table, int key, ergi_tiles *tiles,
                         unsigned flags);
// Leaves a column of the last table out of the state hash: one that affects pictures alone.
void ergi_registry_unhashed(ergi_registry *registry, int column);
// One struct of plain data, and an array of them that may move and grow.
void ergi_registry_plain(ergi_registry *registry, const char *name, void *data, size_t size);
void ergi_registry_array(ergi_registry *registry, const char *name, void **array, size_t size,
                         const size_t *count);

// Resizes or reorders all tables with a row per grain. New rows are zero; if growing fails, nothing
// changes. Reordering is as in ergi_table_reorder.
erg_status ergi_registry_resize(const ergi_registry *registry, size_t old, size_t grains,
                                erg_error *err);
void ergi_registry_reorder(const ergi_registry *registry, const uint32_t *order, size_t grains,
                           uint64_t *scratch);

// The item of that name, or -1.
int ergi_registry_find(const ergi_registry *registry, const char *name);

// Plain data as it is now.
static inline void *ergi_state_data(const ergi_state_item *item)
{
    return item->array ? *item->array : item->data;
}
static inline size_t ergi_state_bytes(const ergi_state_item *item)
{
    return item->table ? 0 : item->size * (item->count ? *item->count : 1);
}

// Rows begin .. end-1 of a tiled table were, or are about to be, written.
void ergi_tiles_mark(ergi_tiles *tiles, size_t begin, size_t end);
void ergi_tiles_free(ergi_tiles *tiles);

// ---- What was read from a checkpoint -----------------------------------------------------------
// Indexed like the items of the registry; plain data belongs to the file.
typedef struct ergi_loaded {
    const ergi_registry *registry;
    ergi_table           table[ERGI_STATE_MOST];
    const void          *plain[ERGI_STATE_MOST];
    erg_command         *command;
    size_t               commands;
} ergi_loaded;

// The item must exist.
const ergi_table *ergi_loaded_table(const ergi_loaded *loaded, const char *name);
const void       *ergi_loaded_plain(const ergi_loaded *loaded, const char *name);

// ERG_BAD_INPUT: "the checkpoint is inconsistent: WHAT; it was not written by this erg".
erg_status ergi_load_misfit(erg_error *err, const char *format, ...) ERGI_PRINTF(2, 3);

#endif
