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

// Takes a long text piece by piece, in order; pieces are borrowed during the call. A status other
// than HOIST_OK ends it and is passed on.
typedef struct hoist_piece_sink {
    void *self;
    hoist_status (*piece)(void *self, hoist_str text);
} hoist_piece_sink;

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

// Edge TPU: hints of what an executable transfers.
typedef enum hoist_pack_hints {
    HOIST_PACK_HINTS_AUTO = 0, // made of the instructions where those have changed
    HOIST_PACK_HINTS_KEEP,     // as they were
    HOIST_PACK_HINTS_MAKE,     // made of the instructions
} hoist_pack_hints;

typedef struct hoist_pack_options {
    size_t struct_size;    // sizeof(hoist_pack_options)
    hoist_allocator alloc; // resize NULL: the system's
    const char *format;    // a hoist_format_name; NULL: the first that packs
    bool has_time;         // SOURCE_DATE_EPOCH, read by the caller
    int64_t time;          // seconds since 1970, of everything in the container that has a time
    uint32_t pkg_version;  // NEFF: 1 or 2; 0: as the folder says, else 2
    bool has_level;        // of compression
    int level;             // 0 ... 9; not given: as the folder says, else the format's own
    bool redact; // NEFF: constants are zeroed; debug members and paths of the build are left out
    hoist_pack_hints hints;   // Edge TPU
    hoist_deadline *deadline; // when packing has to end; NULL: never
} hoist_pack_options;

typedef struct hoist_disasm_options {
    size_t struct_size;   // sizeof(hoist_disasm_options)
    bool offsets;         // text: "+0xOFFSET: " before each instruction
    const char *engine;   // only the streams of that engine, "pool"; NULL: all
    const char *subgraph; // only those of that subgraph, "sg00"; NULL: all
} hoist_disasm_options;

// Linking ----------------------------------------------------------------------------------------

// Where a buffer is.
typedef struct hoist_link_address {
    // "parameters", "scratch", or a layer's name, with "input:" or "output:" before it where both
    // directions have one of that name.
    const char *buffer;
    uint32_t batch;   // element of the batch, of layers
    uint64_t address; // of its first byte, as the device sees it
} hoist_link_address;

typedef struct hoist_link_options {
    size_t struct_size; // sizeof(hoist_link_options)
    bool undo;          // empty all fields instead: what was before linking
    const hoist_link_address *addresses;
    size_t address_count;
} hoist_link_options;

// What linking did.
typedef struct hoist_link_result {
    uint64_t filled;  // fields of 32 bits; with undo those that were emptied
    uint64_t skipped; // fields of buffers for which no address was given: they stay as they were
} hoist_link_result;

// Parameters -------------------------------------------------------------------------------------

// Parameters to be put in place of those that a file has.
typedef struct hoist_new_parameters {
    // "cached" or "streamed": all that are kept on the chip, or sent in every run; "": the first of
    // these that the file has; else an array as hoist_job_recover() names it, "layers/3/weights".
    const char *name;
    hoist_dtype dtype; // of an array
    uint32_t rank;
    const int64_t *shape;
    hoist_bytes bytes; // little-endian
} hoist_new_parameters;

// Streams to a device ----------------------------------------------------------------------------

// What a device is sent and asked for in a run, in order.
typedef enum hoist_stream_kind {
    HOIST_STREAM_INSTRUCTIONS = 0, // sent: a chunk
    HOIST_STREAM_INPUT,            // sent
    HOIST_STREAM_PARAMETERS,       // sent
    HOIST_STREAM_SCRATCH,          // sent: zeros, in whose place goes what came from there before
    HOIST_STREAM_OUTPUT,           // expected
    HOIST_STREAM_SCRATCH_OUT,      // expected
    HOIST_STREAM_INTERRUPT,        // expected
    HOIST_STREAM_FENCE,            // everything before is complete before anything behind is sent
} hoist_stream_kind;

typedef struct hoist_stream_step {
    hoist_stream_kind kind;
    bool is_sent;
    uint8_t tag;         // of the header, or of the event that is expected; of a fence 0
    uint32_t executable; // index in the package
    uint32_t index;      // INSTRUCTIONS: chunk; INTERRUPT: number
    hoist_str buffer;    // layer, borrowed from the job; empty for others
    uint32_t batch;      // its element of a batch
    uint64_t offset;     // bytes in the buffer
    uint64_t size;       // bytes; 0 of interrupts and fences
    uint64_t address;    // that the event names, and instructions were linked with; 0: none
    uint64_t at;         // sent: byte of the stream where its header begins
    uint64_t pieces;     // sent: how many writes the data are, of 1 MiB at most
} hoist_stream_step;

// What an input layer is filled with.
typedef struct hoist_stream_input {
    const char *layer;
    hoist_bytes bytes; // the user's order and type, of all elements of the batch; data NULL: zeros
} hoist_stream_input;

typedef struct hoist_stream_options {
    size_t struct_size; // sizeof(hoist_stream_options)
    // Where buffers are; those without one lie behind each other in the chip's extended range.
    const hoist_link_address *addresses;
    size_t address_count;
    const hoist_stream_input *inputs; // others are zeros
    size_t input_count;
} hoist_stream_options;

// Owned by the caller: hoist_stream_destroy.
typedef struct hoist_stream {
    hoist_bytes bytes; // for the bulk-out endpoint
    const hoist_stream_step *steps;
    size_t step_count;
    bool is_complete; // false: the hints are the beginning of what the chip will ask for
} hoist_stream;

// Recovery ---------------------------------------------------------------------------------------

enum { HOIST_RECOVERED_MAX_RANK = 32 };

// An array that a file holds. All is borrowed during the call that has it.
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
