// formats/format.h - the interface of a format: recognise, read, check, show, write. A format knows
// nothing of execution; load/ holds the table of formats.
#ifndef HOIST_SRC_FORMATS_FORMAT_H
#define HOIST_SRC_FORMATS_FORMAT_H

#include "hoist/formats.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/picture.h"
#include "base/tree.h"

// One format's complete typed model of a container. Each format's struct begins with this one.
typedef struct hoist_module {
    const struct hoist_format *format; // static; hoist_format_read() sets it
    hoist_allocator alloc;             // what it was made with
    hoist_deadline *deadline;          // borrowed: of reading, then of whatever is done; or NULL
} hoist_module;

// A tensor at the border of a payload, as what it is in has it.
typedef struct hoist_border_tensor {
    hoist_str name;
    hoist_dtype dtype; // NONE: it has none of ours
    uint32_t rank;
    const int64_t *shape; // extents, outermost first
    bool is_quantized;    // by one scale and zero point
    float scale;
    int64_t zero_point;
} hoist_border_tensor;

// Bytes in a module that are a file of another format, and where they are.
typedef struct hoist_payload {
    hoist_str kind;    // what the module calls it: "edgetpu-custom-op"
    hoist_str path;    // of the object that holds it: "subgraphs/0/operators/3"
    hoist_bytes bytes; // slice of the file
    uint64_t offset;   // of them in the file
    const hoist_border_tensor *inputs;
    size_t input_count;
    const hoist_border_tensor *outputs;
    size_t output_count;
    size_t neighbours; // operators of the same kind of list that are no payload
} hoist_payload;

// A payload that was opened.
typedef struct hoist_nested {
    hoist_payload payload;
    hoist_module *module; // owned; NULL: of no known format, or it cannot be read
} hoist_nested;

// A file that was opened, for what needs more of it than its own module.
typedef struct hoist_file {
    const hoist_module *module;
    hoist_str name;             // for messages
    hoist_str member;           // of the container `name` that the module is of; empty: the file
    const hoist_nested *nested; // in the order of the module's payloads
    size_t nested_count;
} hoist_file;

// The modules of a file: its own at 0, then those that are nested, up to nested_count. NULL: the
// payload could not be opened.
static inline const hoist_module *hoist_file_module(const hoist_file *file, size_t index)
{
    return index ? file->nested[index - 1].module : file->module;
}

// A member of a container, as a text of check options; empty: there is none.
typedef struct hoist_held_text {
    hoist_str member;  // its name in the container
    hoist_bytes bytes; // slice of the file
} hoist_held_text;

// The file that a container is there for, and descriptors of the device that it was made for.
typedef struct hoist_held {
    const char *format; // of `file`: "buda"; static
    hoist_held_text file;
    hoist_held_text soc;     // hoist_check_options.soc
    hoist_held_text cluster; // hoist_check_options.cluster
} hoist_held;

// By which it is known that files belong together, and its place.
typedef struct hoist_mark {
    hoist_str text;
    hoist_str object; // path of what has it
    hoist_loc loc;
} hoist_mark;

typedef struct hoist_read_options {
    hoist_allocator alloc;
    hoist_deadline *deadline; // of reading; NULL: none
    size_t max_nodes;         // of a YAML or JSON tree; 0: the codec's default
    // The bytes outlive the module, which may then be made of slices of them; formats that keep
    // slices refuse to read without.
    bool keep;
    bool lenient;        // members that have no use are skipped with a warning (links in archives)
    bool container_only; // nothing that members hold is read: for unpacking and verifying
    uint64_t max_expanded;        // bytes of an inflated archive; 0: the format's default
    const hoist_rule *limit_rule; // as in hoist_check_options
    const hoist_payload *payload; // that the bytes are; outlives the module; NULL: a file
} hoist_read_options;

typedef struct hoist_check_options {
    hoist_str arch;          // --arch; empty: not given
    hoist_str arch_fallback; // ARCH_NAME, read by the tool; empty: not set
    bool all_archs;          // --all-archs: the findings for each architecture of a list
    bool resources;          // info --resources: estimates are asked for
    hoist_bytes soc;         // --soc: a SoC descriptor's text; empty: the arch's own table
    hoist_bytes cluster;     // --cluster: a cluster descriptor's text; empty: none
    hoist_str soc_name;      // names for messages
    hoist_str cluster_name;
    const hoist_rule
        *limit_rule; // of the finding that names a built-in limit that was hit; or NULL
} hoist_check_options;

typedef struct hoist_dump_options {
    const char *key; // of the module's map; NULL where the map has no key
    bool positions;  // send source positions with the events
    // Sends more members at the end of the module's map, with `tail_self`; formats that have
    // payloads call it. NULL: there are none.
    hoist_status (*tail)(const void *self, hoist_tree_sink *sink);
    const void *tail_self;
} hoist_dump_options;

// What opening valid files takes: `base` bytes, and `factor` times the file's size. One that takes
// more expands to far more than it has, as a decompression bomb does.
typedef struct hoist_memory_need {
    size_t base;
    size_t factor;
} hoist_memory_need;

// Bits of hoist_format.pack_options: which of the options of packing mean something to a format.
enum {
    HOIST_PACKS_VERSION = 1,
    HOIST_PACKS_LEVEL = 2,
    HOIST_PACKS_REDACTED = 4,
    HOIST_PACKS_HINTS = 8,
};

typedef struct hoist_format {
    const char *name;  // "buda"
    const char *title; // "Tenstorrent BUDA netlist"
    // Its own rules, then those of its codecs; NULL ends the list. A codec that several formats use
    // is listed by the first of them.
    const hoist_rule_set *const *rule_sets;

    bool keeps_bytes; // modules are made of slices of the file's bytes
    size_t max_bytes; // of a file; 0: the default for texts
    hoist_memory_need memory;

    // A bid from 0 (not mine) to 100 (certainly) from the first bytes and the file's name.
    int (*sniff)(hoist_bytes head, hoist_str file_name);

    // Reads `bytes` into a module. Findings go to `diag`; reading goes on after an error where the
    // structure permits, and then still gives a module (HOIST_OK with errors in the diag).
    // HOIST_INVALID, HOIST_TRUNCATED, HOIST_LIMIT, HOIST_NO_MEMORY: no module.
    hoist_status (*read)(hoist_bytes bytes, const hoist_read_options *options, hoist_diag *diag,
                         hoist_module **out_module);
    void (*destroy)(hoist_module *module); // NULL is allowed

    // The architecture that the functions below take, and who chose it. NULL: the format has none.
    hoist_target (*target)(const hoist_module *module, const hoist_check_options *options);

    // Checks a module that was read; rules that reading checks already are not repeated.
    // HOIST_OK whatever was found; HOIST_NO_MEMORY; HOIST_LIMIT, which a finding explains here and
    // in the functions below.
    hoist_status (*check)(hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag);

    // The verdicts of the last check for every architecture that the module lists; `*out_count` 0:
    // it was for one. NULL: the format has no lists.
    const hoist_arch_verdict *(*verdicts)(const hoist_module *module, size_t *out_count);

    // Sends the whole module, every field and unknown key.
    hoist_status (*visit)(const hoist_module *module, const hoist_dump_options *options,
                          hoist_tree_sink *sink);
    // Sends the summary that `hoist info` shows (members of the document's map, no outer map),
    // after name and title of the format.
    hoist_status (*info)(const hoist_module *module, const hoist_check_options *options,
                         hoist_diag *diag, hoist_tree_sink *sink);
    // Adds to the picture what `hoist graph` draws: graphs and memory. What the rows refer to is in
    // the picture's arena, or the module's.
    hoist_status (*picture)(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_picture *picture);
    // Writes the module in the format's own habit; what the format fixes byte for byte comes back.
    hoist_status (*write)(const hoist_module *module, hoist_buffer *out);

    // Capabilities that not every format has; NULL: it has not.
    // Checks the files of a job together, after `check` of each: all of the format that one command
    // names. Also for a job of one file, of which others may be missing. Takes modules in which
    // reading found errors. Findings are in the files that they are about (hoist_diag_enter).
    // Statuses as of `check`; and HOIST_NOT_FOUND, with errors that say so: some of the job's files
    // are missing, given twice or of another job.
    hoist_status (*check_job)(const hoist_file *files, size_t count,
                              const hoist_check_options *options, hoist_diag *diag);
    // Texts in which the format has been written at other times: their names; NULL ends the list.
    const char *const *dialects;
    // Writes the module in one of these.
    hoist_status (*convert)(const hoist_module *module, const char *dialect, hoist_buffer *out);
    // Appends the default plan of the module's operators. Statuses as of hoist_job_plan().
    hoist_status (*plan)(const hoist_module *module, const hoist_plan_options *options,
                         hoist_diag *diag, hoist_buffer *out);
    // What is in the module that is a file of another format: `*out_payloads` in the arena, as all
    // that they refer to but the file's bytes.
    hoist_status (*payloads)(const hoist_module *module, hoist_arena *arena,
                             hoist_payload **out_payloads, size_t *out_count);
    // The file that the container is there for: a job of the container is then one of that file,
    // and keeps the container next to it. HOIST_OK; HOIST_NOT_FOUND: it is not there, which reading
    // or `check` reports. `check`, `visit` and `info` of such a container are called next to those
    // of the file's format; its arrays (`recover`) are inputs of the file's program, by the names
    // of ports.
    hoist_status (*held)(const hoist_module *module, hoist_held *out_held);
    // The marks of the module: `*out_marks` in the arena, as all that they refer to.
    hoist_status (*marks)(const hoist_module *module, hoist_arena *arena,
                          const hoist_mark **out_marks, size_t *out_count);
    const char *mark_name;       // what a mark is: "the token"
    const hoist_rule *mark_rule; // of the finding that two files have the same
    // Sends the whole module as text for people, where `write` gives no text.
    hoist_status (*text)(const hoist_module *module, const hoist_piece_sink *sink);
    // What `visit` sends that does not count when files are compared; an empty row ends it.
    const hoist_diff_rule *diff_rules;
    // The same for the digest of the content, which has no comparison of programs next to it; NULL:
    // diff_rules.
    const hoist_diff_rule *content_rules;
    // The same only of files in which something is nested; NULL: nothing.
    const hoist_diff_rule *holder_diff_rules;
    // The token of which `*index` is 0 among those of its compiled programs; else 0, and `*index`
    // is less by as many as there are.
    uint64_t (*token)(const hoist_module *module, size_t *index);
    bool shows_broken; // info, visit and picture take modules in which reading found errors
    // The file by which a folder is known to be one that `unpack` made; NULL: none is.
    const char *entry;
    // Other files that such a folder may have and no other does, by which it is known when `entry`
    // is missing; NULL ends the list. NULL: there are none.
    const char *const *members;
    const char *payload_kind; // what `payloads` calls all of its payloads; NULL: it has none
    // The container as files: its members, and one more ("hoist-neff.json" and the like) with what
    // only the container says, so that `pack` gives the same bytes. HOIST_UNSUPPORTED, and nothing
    // was sent: this file holds nothing that could be one. Payloads go to "payloads/0.bin" and so
    // on, in the order of `payloads`; where their own format unpacks, too, the job has them as
    // folders "payloads/0/" instead.
    hoist_status (*unpack)(const hoist_module *module, const hoist_unpack_options *options,
                           hoist_diag *diag, hoist_part_sink *sink);
    // A container of `parts`, in that order where none of them says another.
    hoist_status (*pack)(const hoist_part *parts, size_t count, const hoist_pack_options *options,
                         hoist_diag *diag, hoist_buffer *out);
    unsigned pack_options; // HOIST_PACKS_...; hoist_pack refuses others
    // The arrays of numbers that the container holds for the program, then those that it should or
    // that others have. Takes modules in which reading found errors.
    hoist_status (*recover)(const hoist_module *module, const hoist_recovery_sink *sink);
    // What the container's programs compute, found again: the list "packages" of the map that is
    // open; `*out_gaps`: how much of it was not understood. The same modules.
    hoist_status (*layers)(const hoist_module *module, hoist_tree_sink *sink, uint64_t *out_gaps);
    // Whether the digest that the container stores is right; reads all its bytes. HOIST_UNSUPPORTED
    // when it has none that can be computed here.
    hoist_status (*verify)(const hoist_module *module, hoist_diag *diag, bool *out_right);
    // Fills in addresses, or empties their fields, in `bytes`, a copy of those that the module was
    // read from; adds to `*result`. HOIST_OK; HOIST_NOT_FOUND: an address is for a buffer that
    // there is not, or a batch is incomplete; HOIST_INVALID: a field is where none can be; both
    // with a finding, and the bytes hold anything then; HOIST_NO_MEMORY.
    hoist_status (*link)(const hoist_module *module, const hoist_link_options *options,
                         hoist_diag *diag, hoist_mut_bytes bytes, hoist_link_result *result);
    // Puts other parameters into `bytes`, a copy of those that the module was read from. Statuses
    // as of hoist_job_exchange().
    hoist_status (*exchange)(const hoist_module *module, const hoist_new_parameters *items,
                             size_t count, hoist_diag *diag, hoist_mut_bytes bytes);
    // What a run sends to a device: bytes appended to `out`, and the other members of `*stream`, in
    // the arena. Statuses as of hoist_job_stream().
    hoist_status (*stream)(const hoist_module *module, const hoist_stream_options *options,
                           hoist_diag *diag, hoist_arena *arena, hoist_buffer *out,
                           hoist_stream *stream);
    // What the file says of the numbers of a port, which is of its program. HOIST_OK,
    // HOIST_NOT_FOUND (no such port), HOIST_NO_MEMORY.
    hoist_status (*facts)(const hoist_module *module, hoist_str port, hoist_port_facts *out_facts);
    // Appends the labels of a port's last index, a line each. The same statuses; HOIST_NOT_FOUND
    // also when it has none.
    hoist_status (*labels)(const hoist_module *module, hoist_str port, hoist_buffer *out);
    // What the file's own test gives an input: an entry's elements, outermost first. HOIST_OK;
    // HOIST_NOT_FOUND: no such port; HOIST_INVALID: what the file says is wrong, with a finding;
    // HOIST_NO_MEMORY.
    hoist_status (*test_input)(const hoist_module *module, const hoist_test_input *input,
                               hoist_allocator alloc, hoist_diag *diag, double *out_values);
    // How near that test wants a result. HOIST_NOT_FOUND: the file does not say.
    hoist_status (*test_limits)(const hoist_module *module, hoist_str port, hoist_diag *diag,
                                hoist_test_limits *out_limits);
    // The instruction streams: as text into `out`, or, when `sink` is not NULL (and `out` is), as
    // items of the list that is open. HOIST_NOT_FOUND: the options name no engine or subgraph of
    // it; then nothing was sent.
    hoist_status (*disasm)(const hoist_module *module, const hoist_check_options *check,
                           const hoist_disasm_options *options, hoist_diag *diag, hoist_buffer *out,
                           hoist_tree_sink *sink);
} hoist_format;

// Reads a file with its format, and makes the module one of it. As hoist_format.read.
static inline hoist_status hoist_format_read(const hoist_format *format, hoist_bytes bytes,
                                             const hoist_read_options *options, hoist_diag *diag,
                                             hoist_module **out_module)
{
    const hoist_status status = format->read(bytes, options, diag, out_module);
    if (status == HOIST_OK) {
        (*out_module)->format = format;
    }
    return status;
}

// What is known of files of several formats together, as of models and what was compiled from them.
// No format sees another, so the table of formats in load/ has it: the same for all that belong to
// each other. Members may be NULL.
typedef struct hoist_family {
    // How two files of these formats are compared best.
    hoist_comparison (*comparison)(const hoist_file *old, const hoist_file *now);
    // Compares them that way, unless that is by fields, and sends the result as members of the map
    // that is open. `*out_count`: differences. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY, or the
    // sink's status.
    hoist_status (*compare)(const hoist_file *old, const hoist_file *now, hoist_tree_sink *sink,
                            size_t *out_count);
    // Sends each layer of a compiled file with the operator of its source that it was, of files
    // that are compared so. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY, or what `take` returned.
    hoist_status (*match)(const hoist_file *old, const hoist_file *now, hoist_layer_match_call take,
                          void *self);
    // Writes a compiled model as an ordinary one of another format. HOIST_OK; HOIST_UNSUPPORTED: no
    // file of its format has one; HOIST_NOT_FOUND: something of this one has no form there, with a
    // finding under `rule` for each; HOIST_LIMIT, HOIST_NO_MEMORY.
    hoist_status (*recover_as)(const hoist_file *file, const hoist_rule *rule, hoist_diag *diag,
                               hoist_buffer *out);
} hoist_family;

#endif // HOIST_SRC_FORMATS_FORMAT_H
