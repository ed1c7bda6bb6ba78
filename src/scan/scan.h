// scan/scan.h - an inventory of the files of hoist's formats in folders, archives and caches.
//
// Files are found by their content. The inventory is an SQLite database, so memory does not grow
// with it: a temporary one, or a file that later scans go on from. docs/scan.md describes it.
#ifndef HOIST_SRC_SCAN_SCAN_H
#define HOIST_SRC_SCAN_SCAN_H

#include "scan/digest.h"

// What is known of a file of some format, of a member of an archive, or of a file that is nested in
// another one. Texts are lines, each with its line break; bytes that no text has are escaped.
typedef struct hoist_scan_entry {
    hoist_str file;      // path, as the tree was named; any bytes
    hoist_str member;    // in it, those of nested archives joined by "!"; empty: the file itself
    hoist_str format;    // a hoist_format_name; empty: of a nested file that cannot be read
    hoist_str title;     // of the format; empty with it
    hoist_str target;    // architecture or chip; empty: the format or the file has none
    hoist_str container; // SHA-256 of the bytes
    hoist_str content;   // of what they say (report/content.h); empty: they cannot be read
    hoist_str versions;  // "schema_version 3", a line each
    hoist_str loads;     // "libnrt 2.31", a line for each runtime or device that takes it
    hoist_str rules;     // "BUDA-017 3": rules with the number of their findings, ascending
    hoist_str cache;     // folder of the Neuron compile cache that holds it, "MODULE_..."; or empty
    uint64_t size;       // bytes
    uint64_t errors, warnings, notes;
} hoist_scan_entry;

typedef struct hoist_scan_options {
    hoist_allocator alloc;    // that `jobs` threads may use at a time
    const char *const *paths; // files and folders; borrowed, as all of this
    size_t path_count;
    const char *db;            // NULL: a temporary one
    const char *const *merged; // databases of other scans, whose entries are added first
    size_t merged_count;
    size_t jobs;              // files at a time, 1 or more
    size_t memory;            // bytes that work on files may take, together
    uint64_t shard, shards;   // only files of this share, 1 ... shards; shards 0: all
    hoist_deadline *deadline; // NULL: none
    // Takes a sentence about `path` that is not of the inventory, such as "permission denied".
    void (*complain)(void *self, hoist_str path, const char *sentence);
    void *self;
} hoist_scan_options;

// What a scan met.
typedef struct hoist_scan_counts {
    uint64_t files;      // regular ones
    uint64_t known;      // of them, unchanged since the last scan
    uint64_t links;      // not followed
    uint64_t special;    // sockets, FIFOs, devices: not opened
    uint64_t unreadable; // files and folders
    uint64_t limited;    // files on which work took more than the memory
} hoist_scan_counts;

typedef struct hoist_scan hoist_scan;

// Opens the database, and adds the merged ones. Free with hoist_scan_close(), whatever the status.
// HOIST_OK; HOIST_UNSUPPORTED: this build or machine has no libsqlite3; HOIST_INVALID: a file is no
// database of scans; HOIST_IO; HOIST_NO_MEMORY; all with a message.
HOIST_NODISCARD hoist_status hoist_scan_open(const hoist_scan_options *options,
                                             hoist_scan **out_scan);
void hoist_scan_close(hoist_scan *scan);
hoist_allocator hoist_scan_allocator(const hoist_scan *scan);
// Why the last call failed: a sentence without its full stop; "" when none did.
const char *hoist_scan_message(const hoist_scan *scan);

// Brings the inventory up to date with the trees. Whatever ends it, the database holds complete
// entries of complete files, and another call goes on from there. HOIST_OK, HOIST_LIMIT and
// HOIST_CANCELLED as the deadline ends, HOIST_IO, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_scan_run(hoist_scan *scan, hoist_scan_counts *out_counts);

// Calls `take` for each entry, by path and member in the order of their bytes. HOIST_OK, HOIST_IO,
// or what `take` returned.
HOIST_NODISCARD hoist_status hoist_scan_each(
    hoist_scan *scan, hoist_status (*take)(void *self, const hoist_scan_entry *entry), void *self);
// Calls `take` for each caching token and entry that has it, by token and path; of `shared` ones
// only, those of two entries or more.
HOIST_NODISCARD hoist_status hoist_scan_tokens(hoist_scan *scan, bool shared,
                                               hoist_status (*take)(void *self, hoist_str token,
                                                                    hoist_str file,
                                                                    hoist_str member),
                                               void *self);

#endif // HOIST_SRC_SCAN_SCAN_H
