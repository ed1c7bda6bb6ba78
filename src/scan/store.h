// scan/store.h - the database of a scan.
#ifndef HOIST_SRC_SCAN_STORE_H
#define HOIST_SRC_SCAN_STORE_H

#include "os/walk.h"
#include "scan/contents.h"
#include "scan/sqlite_library.h"

// Statements that are prepared once.
typedef enum hoist_store_query {
    STORE_KNOWN,        // whether a file is there as it was
    STORE_ADD_FILE,     // a file
    STORE_ADD_ENTRY,    // an entry
    STORE_ADD_TOKEN,    // a token
    STORE_DROP_FILE,    // a file, to be read anew
    STORE_DROP_ENTRIES, // its entries
    STORE_DROP_TOKENS,  // its tokens
    STORE_SEE,          // a path that was met
    STORE_ADD_GONE,     // a path that is to be removed
    STORE_EACH,         // all entries
    STORE_TOKENS,       // all tokens
    STORE_SHARED,       // those of several entries
    STORE_QUERY_COUNT,
} hoist_store_query;

typedef struct hoist_store {
    hoist_sqlite sqlite;
    struct sqlite3 *db;                              // owned
    struct sqlite3_stmt *queries[STORE_QUERY_COUNT]; // owned
    size_t unsaved;                                  // files since the last commit
    char message[512];                               // why the last call failed
} hoist_store;

// Opens the database `path`, NULL: a temporary one. Statuses as of hoist_scan_open().
HOIST_NODISCARD hoist_status hoist_store_open(hoist_store *store, const char *path);
void hoist_store_close(hoist_store *store); // what was not saved is lost
// Adds all that another database has; of a file that both have, its entries replace the others.
HOIST_NODISCARD hoist_status hoist_store_merge(hoist_store *store, const char *path);

// `*out_known`: the file is there with the same size and time.
HOIST_NODISCARD hoist_status hoist_store_find(hoist_store *store, const hoist_walk_file *file,
                                              bool *out_known);
// Notes that a path was met, for hoist_store_sweep().
HOIST_NODISCARD hoist_status hoist_store_see(hoist_store *store, const char *path);
// Puts what was found in a file in place of what is there of it. A file of which there is no
// complete result is not `kept`: it is there, and never known.
HOIST_NODISCARD hoist_status hoist_store_put(hoist_store *store, const hoist_walk_file *file,
                                             const hoist_scan_found *found, bool kept);
// Files of some folders; with `shards`, of share `shard` only.
typedef struct hoist_store_range {
    const char *const *paths; // borrowed
    size_t path_count;
    uint64_t shard, shards;
} hoist_store_range;
// How many files of the range there are.
HOIST_NODISCARD hoist_status hoist_store_count(hoist_store *store, const hoist_store_range *range,
                                               uint64_t *out_count);
// Removes the files of the range that were not seen since the store was opened.
HOIST_NODISCARD hoist_status hoist_store_sweep(hoist_store *store, const hoist_store_range *range);
// Saves what has been put so far.
HOIST_NODISCARD hoist_status hoist_store_save(hoist_store *store);

HOIST_NODISCARD hoist_status hoist_store_each(hoist_store *store,
                                              hoist_status (*take)(void *self,
                                                                   const hoist_scan_entry *entry),
                                              void *self);
HOIST_NODISCARD hoist_status hoist_store_tokens(hoist_store *store, bool shared,
                                                hoist_status (*take)(void *self, hoist_str token,
                                                                     hoist_str file,
                                                                     hoist_str member),
                                                void *self);

// The share of a path, 1 ... shards: by the hash of its bytes, so the same everywhere.
uint64_t hoist_scan_shard_of(const char *path, uint64_t shards);

#endif // HOIST_SRC_SCAN_STORE_H
