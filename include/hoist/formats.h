// hoist/formats.h - containers as files in a folder: what unpacking gives and packing takes.
#ifndef HOIST_FORMATS_H
#define HOIST_FORMATS_H

#include "hoist/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A member of a container as a file in a folder.
typedef struct hoist_part {
    hoist_str path; // relative, "/" between folders; safe to create below a folder
    hoist_bytes bytes;
    bool executable;
} hoist_part;

// Takes the parts one by one, in the container's order; they are borrowed during the call. A status
// other than HOIST_OK ends it and is passed on.
typedef struct hoist_part_sink {
    void *self;
    hoist_status (*part)(void *self, const hoist_part *part);
} hoist_part_sink;

typedef struct hoist_unpack_options {
    size_t struct_size; // sizeof(hoist_unpack_options)
    bool members_only;  // without the part that says what only the container knows
} hoist_unpack_options;

typedef struct hoist_pack_options {
    size_t struct_size;    // sizeof(hoist_pack_options)
    hoist_allocator alloc; // resize NULL: the system's
    const char *format;    // a hoist_format_name; NULL: the first that packs
    bool has_time;         // SOURCE_DATE_EPOCH, read by the caller
    int64_t time;          // seconds since 1970, of everything in the container that has a time
    uint32_t pkg_version;  // NEFF: 1 or 2; 0: as the folder says, else 2
    bool has_level;        // of compression
    int level;             // 0 ... 9; not given: as the folder says, else the format's own
    bool redact; // constants are zeroed; debug members and paths of the build are left out
} hoist_pack_options;

typedef struct hoist_disasm_options {
    size_t struct_size;   // sizeof(hoist_disasm_options)
    bool offsets;         // text: "+0xOFFSET: " before each instruction
    const char *engine;   // only the streams of that engine, "pool"; NULL: all
    const char *subgraph; // only those of that subgraph, "sg00"; NULL: all
} hoist_disasm_options;

// How values count when two files of a format are compared.
typedef struct hoist_diff_rule {
    // Keys from the module's map on, separated by '/'; '*' is any key or item. NULL ends a list.
    const char *path;
    // The items of the list there are known by the text of this key and have no order; NULL: what
    // is there does not count.
    const char *key;
} hoist_diff_rule;

#ifdef __cplusplus
}
#endif

#endif // HOIST_FORMATS_H
