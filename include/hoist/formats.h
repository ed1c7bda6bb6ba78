// hoist/formats.h - data types of the calls of hoist/load.h that take things out of files or put
// things into them: containers as files in a folder, instructions as text, links, parameters,
// streams to a device, recovered arrays.
//
// The structs are plain data. Arguments of a sink are borrowed during that call of the sink;
// options and lists that a caller gives are borrowed during the call. Sinks are called in the
// calling thread.
#ifndef HOIST_FORMATS_H
#define HOIST_FORMATS_H

#include "hoist/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a file says of the numbers of a port of its program (hoist/program.h) beyond their type.
// Zeros: nothing.
typedef struct hoist_port_facts {
    size_t struct_size; // sizeof(hoist_port_facts), set by the caller
    bool is_quantized;  // a number n stands for scale * (n - zero_point)
    double scale;       // as the file has it
    int64_t zero_point; // as the file has it
    uint32_t channels; // of `mean` and `deviation`: 0 (nothing is said), 1 (the same for all) ... 4
    double mean[4];    // a sample s of an image, 0 to 255, stands for (s - mean) / deviation
    double deviation[4]; // above 0
} hoist_port_facts;

// An entry of a port of a program that a test of the file's own is to fill. Plain data.
typedef struct hoist_test_input {
    size_t struct_size;   // sizeof(hoist_test_input), set by the caller
    hoist_str port;       // its name
    const int64_t *shape; // of an entry, outermost first; borrowed
    uint32_t rank;        // of `shape`
    hoist_dtype dtype;    // the port's host_dtype
    uint64_t seed;        // of random numbers; any value
    uint64_t index;       // of the entry, from 0
} hoist_test_input;

// How near a result has to be to the expected one by the file's own test. With a and b of two
// elements: |a - b| <= atol + rtol * max(|a|, |b|).
typedef struct hoist_test_limits {
    size_t struct_size; // sizeof(hoist_test_limits), set by the caller
    bool exact;         // bit by bit, and the rest is of no use
    double atol;        // 0 or more
    double rtol;        // 0 or more
    double share;       // of elements that have to be that near, 0 to 1
    bool by_pcc;        // and Pearson's correlation has to be `pcc` or more
    double pcc;         // -1 to 1
} hoist_test_limits;

// A member of a container as a file in a folder.
typedef struct hoist_part {
    hoist_str path;    // relative, "/" between folders; safe to create below a folder
    hoist_bytes bytes; // the file's content; borrowed
    bool executable;   // the file's mode allows execution
} hoist_part;

// Takes a long text piece by piece, in order.
typedef struct hoist_piece_sink {
    void *self; // borrowed; the first argument of every call
    // `text` is borrowed during the call. A status other than HOIST_OK ends the text and is
    // returned by the call that sends.
    hoist_status (*piece)(void *self, hoist_str text);
} hoist_piece_sink;

// Takes the parts of a container one by one, in the container's order.
typedef struct hoist_part_sink {
    void *self; // borrowed; the first argument of every call
    // `part` and its bytes are borrowed during the call. A status other than HOIST_OK ends the
    // parts and is returned by the call that sends.
    hoist_status (*part)(void *self, const hoist_part *part);
} hoist_part_sink;

// Choices for hoist_job_unpack().
typedef struct hoist_unpack_options {
    size_t struct_size; // sizeof(hoist_unpack_options)
    bool members_only;  // without the manifest, by which hoist_pack() makes the same bytes
} hoist_unpack_options;

// Edge TPU: source of an executable's hints, the list of its transfers.
typedef enum hoist_pack_hints {
    HOIST_PACK_HINTS_AUTO = 0, // derived from the instructions where those have changed, else kept
    HOIST_PACK_HINTS_KEEP,     // kept as they were
    HOIST_PACK_HINTS_MAKE,     // derived from the instructions
} hoist_pack_hints;

// Choices for hoist_pack(). An option that has no effect on the format is HOIST_UNSUPPORTED when it
// is set; `time` is ignored instead where nothing has one.
typedef struct hoist_pack_options {
    size_t struct_size;    // sizeof(hoist_pack_options)
    hoist_allocator alloc; // of the result and for scratch; resize NULL: the system's
    const char *format;    // a hoist_format_name; NULL: chosen by the paths of the parts
    // `time` is given: that of the members which the manifest does not list; those that it lists
    // keep theirs.
    bool has_time;
    int64_t time;         // seconds since 1970, the value of SOURCE_DATE_EPOCH
    uint32_t pkg_version; // NEFF: 1 or 2; 0: as the manifest has it, else 2
    bool has_level;       // `level` counts; else as the manifest has it, else the format's own
    int level;            // of compression, 0 (stored) ... 9
    bool redact; // NEFF: constants are zeroed; debug members and paths of the build are left out
    hoist_pack_hints hints;   // Edge TPU: source of the hints
    hoist_deadline *deadline; // borrowed; by which packing has to end; NULL: none
} hoist_pack_options;

// Choices for hoist_job_disasm() and hoist_job_disasm_tree().
typedef struct hoist_disasm_options {
    size_t struct_size;   // sizeof(hoist_disasm_options)
    bool offsets;         // text: "+0xOFFSET: " before each instruction
    const char *engine;   // only the streams of that engine, "pool"; NULL: all
    const char *subgraph; // only the streams of that subgraph, "sg00"; NULL: all
} hoist_disasm_options;

// Drawings ---------------------------------------------------------------------------------------

// What hoist_job_draw_markup() draws.
typedef enum hoist_draw_form {
    HOIST_DRAW_FORM_SVG = 0, // a picture of its own
    HOIST_DRAW_FORM_DOT,     // the flow of data, in the language of Graphviz
    HOIST_DRAW_FORM_TEXT,    // lines of text
} hoist_draw_form;

// Choices for hoist_job_draw_markup().
typedef struct hoist_draw_options {
    size_t struct_size;   // sizeof(hoist_draw_options)
    hoist_draw_form form; // the kind of document
    const char *graph;    // only graphs of that name; NULL: all. Borrowed during the call
    // Nodes whose names begin with the same `depth` parts, which '/' or '.' end, are one box. Depth
    // 0: each graph is one, with what they share between them.
    bool by_depth;
    uint32_t depth; // counts with `by_depth`
    const char *op; // only nodes of that name, and what they are connected to; NULL: all. Borrowed
    size_t width;   // columns of a text; 0: 80
    // Steps have the share of the time of a run that they take, as hoist_job_time() estimates it by
    // default options: those that are the only ones with their name, or with name and number. With
    // FORM_SVG the memory that the steps of a thread or function share (hoist_program_plan()) is
    // drawn over that time, too. The statuses are then those of hoist_job_time(), too.
    bool shares;
} hoist_draw_options;

// Plans ------------------------------------------------------------------------------------------

// Choices for hoist_job_plan().
typedef struct hoist_plan_options {
    size_t struct_size; // sizeof(hoist_plan_options)
    // The GPU: "CUDA_80", "ROCM_942", or "none", a plan without the key that has the configurations
    // of CUDA_80, as older planners wrote it. NULL: "CUDA_80". Borrowed during the call.
    const char *arch;
    uint32_t processors; // streaming multiprocessors at most; 0: 108
} hoist_plan_options;

// Linking ----------------------------------------------------------------------------------------

// The address of a buffer.
typedef struct hoist_link_address {
    // "parameters", "scratch", or a layer's name, with "input:" or "output:" before it where both
    // directions have one of that name. Borrowed during the call.
    const char *buffer;
    uint32_t batch;   // element of the batch, from 0; of parameters and scratch 0
    uint64_t address; // of its first byte, in the device's address space
} hoist_link_address;

// Choices for hoist_job_link().
typedef struct hoist_link_options {
    size_t struct_size; // sizeof(hoist_link_options)
    bool undo;          // empty all address fields instead, as they were before linking
    const hoist_link_address
        *addresses;       // borrowed; of a layer for its complete batch or not at all
    size_t address_count; // of `addresses`
} hoist_link_options;

// Counts of hoist_job_link().
typedef struct hoist_link_result {
    uint64_t filled;  // fields of 32 bits that were filled; with undo those that were emptied
    uint64_t skipped; // fields of buffers without a given address: they stay as they were
} hoist_link_result;

// Comparison -------------------------------------------------------------------------------------

// Kinds of comparison of two jobs.
typedef enum hoist_comparison {
    HOIST_COMPARISON_FIELDS = 0, // by the fields that hoist_job_dump() sends; of one format
    HOIST_COMPARISON_SOURCE,     // one was compiled for the Edge TPU, the other is a TFLite model
    HOIST_COMPARISON_COMPILED,   // by fields, but for those that the compiler made of layers
} hoist_comparison;

// A layer of a compiled model and the operator of the source that it was. Borrowed during the call
// that has it.
typedef struct hoist_layer_match {
    uint32_t layer;           // its number, from 0, over all packages of the file
    hoist_str kind;           // "convolution"
    uint32_t source_operator; // number of the operator in the first subgraph
    hoist_str operator_name;  // "CONV_2D"
    uint32_t tensor;          // number of the tensor there that both make
    hoist_str tensor_name;    // of that tensor; may be empty
    bool is_source_old;       // the first of the files is the source
    // Output channels of a layer of products, each with a multiplier; 0: others. `inexact`: of
    // them, those where the file's, a float32, is not the multiplier that TFLite takes from the
    // source.
    uint32_t channels, inexact;
} hoist_layer_match;

// Takes a match; `self` is the caller's. Returns HOIST_OK to go on.
typedef hoist_status (*hoist_layer_match_call)(void *self, const hoist_layer_match *match);

// Parameters -------------------------------------------------------------------------------------

// Parameters that hoist_job_exchange() puts in place of those of the file.
typedef struct hoist_new_parameters {
    // "cached" or "streamed": all that are kept on the chip, or sent in every run; "": the first of
    // these two that the file has; else an array as hoist_job_recover() names it,
    // "layers/3/weights". Borrowed during the call.
    const char *name;
    hoist_dtype dtype;    // of an array; ignored for "cached", "streamed" and ""
    uint32_t rank;        // dimensions of an array; ignored as `dtype`
    const int64_t *shape; // `rank` extents in elements, outermost first; borrowed
    hoist_bytes bytes;    // little-endian, dense, in C order; as many as the file has; borrowed
} hoist_new_parameters;

// Streams to a device ----------------------------------------------------------------------------

// Kind of a step of a run: data that the host sends or expects to receive.
typedef enum hoist_stream_kind {
    HOIST_STREAM_INSTRUCTIONS = 0, // sent: a chunk of instructions
    HOIST_STREAM_INPUT,            // sent: input activations
    HOIST_STREAM_PARAMETERS,       // sent: parameters
    HOIST_STREAM_SCRATCH,          // sent: zeros, which a sender replaces by the scratch data that
                                   // it received before
    HOIST_STREAM_OUTPUT,           // expected: output activations
    HOIST_STREAM_SCRATCH_OUT,      // expected: scratch data
    HOIST_STREAM_INTERRUPT,        // expected: an interrupt
    HOIST_STREAM_FENCE,            // all steps before it are complete before any later one is sent
} hoist_stream_kind;

// A step of a run.
typedef struct hoist_stream_step {
    hoist_stream_kind kind; // what is sent or expected
    bool is_sent;        // true: in the stream's bytes; false: expected from the device, or a fence
    uint8_t tag;         // of the header, or of the event that is expected; of a fence 0
    uint32_t executable; // index in the package
    uint32_t index;      // INSTRUCTIONS: number of the chunk; INTERRUPT: its number; else 0
    hoist_str buffer;    // name of the layer, borrowed from the job; empty for others
    uint32_t batch;      // element of the layer's batch, from 0
    uint64_t offset;     // bytes from the start of the buffer
    uint64_t size;       // bytes of data; 0 of interrupts and fences
    uint64_t address;    // on the device, as the event has it and instructions are linked; 0: none
    uint64_t at;         // sent: offset in hoist_stream.bytes where its header begins
    uint64_t pieces;     // sent: number of writes of at most 1 MiB that the data are split into
} hoist_stream_step;

// Data of an input layer.
typedef struct hoist_stream_input {
    const char *layer; // its name, as in hoist_link_address.buffer; borrowed
    hoist_bytes bytes; // in the user's order and type, all elements of the batch; data NULL: zeros
} hoist_stream_input;

// Choices for hoist_job_stream().
typedef struct hoist_stream_options {
    size_t struct_size; // sizeof(hoist_stream_options)
    // Addresses of buffers; the other buffers are placed one after another, each on a page of its
    // own, in the chip's extended range. Borrowed.
    const hoist_link_address *addresses;
    size_t address_count;             // of `addresses`
    const hoist_stream_input *inputs; // borrowed; inputs without data are zeros
    size_t input_count;               // of `inputs`
} hoist_stream_options;

// The data that a run sends, and its steps. Owned by the caller: hoist_stream_destroy. Valid as
// long as the job, from which the names of layers are borrowed.
typedef struct hoist_stream {
    hoist_bytes bytes;              // for the bulk-out endpoint; owned by the stream
    const hoist_stream_step *steps; // in order; owned by the stream
    size_t step_count;              // of `steps`
    bool is_complete; // false: the hints are only the beginning of what the chip will request
} hoist_stream;

// Recovery ---------------------------------------------------------------------------------------

// Dimensions of a recovered array at most.
enum { HOIST_RECOVERED_MAX_RANK = 32 };

// An array that a file holds. All pointers are borrowed during the call that has it.
typedef struct hoist_recovered {
    // Its names in the file: one or more, of any bytes.
    const hoist_str *names;
    size_t name_count;      // of `names`
    hoist_dtype dtype;      // NONE: unknown, the elements are bit patterns of element_size bytes
    uint32_t element_size;  // bytes: 1, 2, 4 or 8
    uint32_t rank;          // dimensions, at most HOIST_RECOVERED_MAX_RANK
    const int64_t *shape;   // `rank` extents in elements, none negative; together `bytes.size`
    hoist_bytes bytes;      // as stored: hoist_array_from_stored() makes them dense
    bool is_big_endian;     // order of the bytes of an element; false: little-endian
    bool is_fortran;        // order of the elements: first index fastest; false: last
    hoist_str member;       // of the container, in which it is; empty: the file itself
    uint64_t offset;        // of its bytes in the member or file
    const char *dtype_from; // source of the type, "npy header"; static; NULL: none
    const char *shape_from; // source of the shape; static; NULL: none, it is one dimension
} hoist_recovered;

// An array that a file should hold, or that the framework supplies at run time. All is borrowed
// during the call that has it.
typedef struct hoist_unrecovered {
    hoist_str name;   // in the file
    hoist_str member; // that names it; empty: the file itself
    hoist_loc loc;    // in that member or file
    hoist_str reason; // why it is missing, as a part of a sentence
} hoist_unrecovered;

// Takes the arrays one by one, in the file's order, and then those that are missing. A status other
// than HOIST_OK ends them and is returned by the call that sends.
typedef struct hoist_recovery_sink {
    void *self; // borrowed; the first argument of every call
    hoist_status (*array)(void *self, const hoist_recovered *array);       // one that was recovered
    hoist_status (*missing)(void *self, const hoist_unrecovered *missing); // one that is missing
} hoist_recovery_sink;

// How values count when two files of a format are compared. Rows are static.
typedef struct hoist_diff_rule {
    // Keys from the module's map on, separated by '/'; '*' is any key or item. NULL ends a list of
    // rules.
    const char *path;
    // The list at the path is unordered, and its items are known by the text of this key; "": they
    // are plain values, and the list is one value; NULL: the value at the path does not count.
    const char *key;
} hoist_diff_rule;

#ifdef __cplusplus
}
#endif

#endif // HOIST_FORMATS_H
