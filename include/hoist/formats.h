// hoist/formats.h - what comes out of files, and goes into them: containers as files in a folder,
// and the arrays that are in them.
#ifndef HOIST_FORMATS_H
#define HOIST_FORMATS_H

#include "hoist/tensor.h"

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

// Recovery ---------------------------------------------------------------------------------------

enum { HOIST_RECOVERED_MAX_RANK = 32 };

// An array that a file holds. Names and shape are borrowed during the call that has it, the bytes
// as long as the job is open.
typedef struct hoist_recovered {
    // What the file calls it: one name or more, of any bytes.
    const hoist_str *names;
    size_t name_count;
    hoist_dtype dtype;     // NONE: unknown, the elements are so many bytes
    uint32_t element_size; // bytes: 1, 2, 4 or 8
    uint32_t rank;
    const int64_t *shape; // none is negative; the elements of all extents are `bytes.size`
    hoist_bytes bytes;    // as stored: hoist_array_from_stored() makes them dense
    bool is_big_endian;
    bool is_fortran;        // first index fastest
    hoist_str member;       // that holds it; empty: the file itself
    uint64_t offset;        // of its bytes there
    const char *dtype_from; // static: what says so, "npy header"; NULL: nothing does
    const char *shape_from; // the same; NULL: nothing does, it is the number of the elements
} hoist_recovered;

// An array that a file should hold, or that it says somebody else has.
typedef struct hoist_unrecovered {
    hoist_str name;
    hoist_str member; // that says so; empty: the file itself
    hoist_loc loc;    // there
    hoist_str reason; // a sentence part: why it could not be had
} hoist_unrecovered;

// Takes the arrays one by one, in the file's order, and then what could not be had. A status other
// than HOIST_OK ends it and is passed on.
typedef struct hoist_recovery_sink {
    void *self;
    hoist_status (*array)(void *self, const hoist_recovered *array);
    hoist_status (*missing)(void *self, const hoist_unrecovered *missing);
} hoist_recovery_sink;

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
