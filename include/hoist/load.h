// hoist/load.h - jobs: open any supported file, check it, summarize, draw, disassemble and compare
// it, take it apart, pack it again, and lower it to a program.
//
// A job is the set of files that belong together: one, or one for each rank or model, and the
// payloads (files of another format) that are nested in them. One thread at a time uses a job; jobs
// are independent of each other.
//
// `diag` may be NULL in every call. Findings go to it, in the file that they are about.
//
// Statuses that every call may return, whether its comment lists them or not: HOIST_LIMIT
// (LOAD-006) and HOIST_CANCELLED when the deadline of the job is over (hoist_open_options.deadline,
// hoist_job_limit()), and no result is given then; HOIST_LIMIT when a built-in limit is reached;
// HOIST_UNSUPPORTED (LOAD-004) when the job's format has no such thing; HOIST_INVALID or
// HOIST_UNSUPPORTED (LOAD-003) for options that this library cannot read. The rules in brackets are
// reported where the call has a `diag`. A call that sends to a sink returns its first failure.
//
// Strings that are returned are borrowed from the job, or static. Bytes that are returned are owned
// by the caller, who frees them with the function that the comment names.
#ifndef HOIST_LOAD_H
#define HOIST_LOAD_H

#include "hoist/formats.h"
#include "hoist/lower.h"
#include "hoist/program.h"

#ifdef __cplusplus
extern "C" {
#endif

// Files that belong together, opened.
typedef struct hoist_job hoist_job; // owned by the caller: hoist_job_close

// Choices for hoist_job_open() and hoist_job_open_bytes(). Texts are copied.
typedef struct hoist_open_options {
    size_t struct_size;    // sizeof(hoist_open_options)
    hoist_allocator alloc; // of the job and all that is made of it; resize NULL: the system's
    const char *format;    // a hoist_format_name, "buda"; NULL: recognized by content and name
    // The architecture to check for, "wormhole_b0"; of a NEFF a target by any of its names, "trn1"
    // or "sunda". NULL: arch_fallback, else as the file has it.
    const char *arch;
    // Value of the environment's ARCH_NAME, which the caller read; used where `arch` is NULL. NULL:
    // not set. A NEFF has no use for it.
    const char *arch_fallback;
    const char *soc_path; // SoC descriptor, read when opening; NULL: the architecture's own table
    const char *cluster_path; // cluster descriptor, read when opening; NULL: none
    size_t max_bytes;         // of the file; 0: the format's own limit, 256 MiB for texts
    bool bytes_stay;          // hoist_job_open_bytes: they stay until the job is closed
    bool lenient;             // members of no use (links in archives) are skipped with a warning
    bool container_only;      // members are not read: enough to unpack and to verify
    uint64_t max_expanded;    // bytes of an inflated archive; 0: 64 GiB
    // Borrowed: limit of opening, and of every call on the job until hoist_job_limit() gives
    // another one. NULL: none.
    hoist_deadline *deadline;
    // Findings are reported for each architecture that the file lists, with its name as their
    // context. false: of a list those of the first one without errors, else of its first.
    bool all_archs;
} hoist_open_options;

// Reads the file `path` and what is nested in it. `options` may be NULL. "-" is not standard input:
// read that and give the bytes to hoist_job_open_bytes().
//
// Regular files of 1 MiB or more are mapped, and stay so until the job is closed where modules
// refer to their bytes (every format but BUDA netlists): they must not change meanwhile.
//
// Free `*out_job` with hoist_job_close. HOIST_OK (errors may have been reported), HOIST_NOT_FOUND
// or HOIST_IO (the file or a descriptor cannot be read), HOIST_INVALID (of no known format, or too
// broken for a module), HOIST_TRUNCATED, HOIST_UNSUPPORTED, HOIST_LIMIT, HOIST_CANCELLED,
// HOIST_NO_MEMORY. Options that this library does not know give LOAD-003: HOIST_INVALID or
// HOIST_UNSUPPORTED by their struct_size, HOIST_NOT_FOUND for the name of no format.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_open(const char *path,
                                                      const hoist_open_options *options,
                                                      hoist_diag *diag, hoist_job **out_job);

// Reads a file that is in memory; options and statuses as of hoist_job_open(). The bytes are
// borrowed until the call returns, and copied where modules refer to them; with
// options->bytes_stay they are borrowed until the job is closed, and not copied. `name` is the
// file's name in messages; NULL: "-". Free `*out_job` with hoist_job_close.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_open_bytes(hoist_bytes bytes, const char *name,
                                                            const hoist_open_options *options,
                                                            hoist_diag *diag, hoist_job **out_job);
// Frees a job with all files that were added to it. Programs that it was lowered to stay. NULL is
// allowed.
HOIST_API void hoist_job_close(hoist_job *job);

// Gives the job, and the files that were added to it, another deadline, which is borrowed until the
// next one or hoist_job_close(). NULL: none.
HOIST_API void hoist_job_limit(hoist_job *job, hoist_deadline *deadline);

// Adds the file of `other`, a job of one file, as the next one of `job`: its rank, where ranks run
// different files; a model that is loaded together with the first. HOIST_OK: `other` is owned by
// `job` from then on; else it stays the caller's: HOIST_UNSUPPORTED (jobs of that format have one
// file), HOIST_INVALID (another format, or `other` has several files), both with a finding;
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_add(hoist_job *job, hoist_job *other,
                                                     hoist_diag *diag);

// Name of the job's format, "buda". Static.
HOIST_API const char *hoist_job_format(const hoist_job *job);
// Title of the job's format for people, "Tenstorrent BUDA netlist". Static.
HOIST_API const char *hoist_job_format_title(const hoist_job *job);

// Name of the format of the container that the job's file is a member of, "tti": a PyBuda device
// image holds a netlist, of which the job is then. Static; NULL: the file is in none.
HOIST_API const char *hoist_job_container(const hoist_job *job);

// The device that hoist_job_check() and hoist_job_info() take the job to be for, of its first file
// or of what is nested there.
HOIST_API hoist_target hoist_job_target(const hoist_job *job);

// The verdicts of the last hoist_job_check() for each architecture that the job's first file lists.
// Returns how many; 0: it lists one, or the options chose one. `*out_verdicts` (NULL: not needed)
// is borrowed from the job until it is checked again.
HOIST_API size_t hoist_job_verdicts(const hoist_job *job, const hoist_arch_verdict **out_verdicts);

// Whether files of the job's format that one command names are one job, as the ranks of a world
// are: hoist_job_check() then has rules for all of them together, and hoist_job_add() makes one of
// them.
HOIST_API bool hoist_job_joins(const hoist_job *job);

// Checks every rule of the format in all files of the job, each alone and all together. Where the
// format has rules of orders (a NEFF) the orders of its program are checked, too, up to 500,000
// control steps; what cannot be known is reported. HOIST_OK whatever was found; HOIST_LIMIT,
// HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_check(hoist_job *job, hoist_diag *diag);

// Files that are checked one after another for what they have in common: equal tokens of Edge TPU
// models, which were compiled together. One thread at a time.
typedef struct hoist_file_set hoist_file_set; // owned by the caller: hoist_file_set_destroy

// Creates an empty set. `alloc.resize` NULL: the system's. Free with hoist_file_set_destroy.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_file_set_create(hoist_allocator alloc,
                                                             hoist_file_set **out_set);
// Adds the job's first file and reports its tokens that files added before have, too.
// Nothing of the job is kept. HOIST_OK whatever was found; HOIST_LIMIT, HOIST_CANCELLED,
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_file_set_add(hoist_file_set *set, const hoist_job *job,
                                                          hoist_diag *diag);
// Frees a set. NULL is allowed.
HOIST_API void hoist_file_set_destroy(hoist_file_set *set);

// Sends the complete module, every field and unknown key, as one map with the key `key` (NULL where
// the map is the root), with source positions when `positions`. HOIST_OK, the sink's failure,
// HOIST_UNSUPPORTED.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_dump(const hoist_job *job, const char *key,
                                                      bool positions, hoist_tree_sink *sink);

// Sends the summary that `hoist info` prints: members of a map that the caller has opened (and
// ends). `resources` adds estimates of what the module needs on a device. HOIST_OK, the sink's
// failure, HOIST_UNSUPPORTED, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_info(const hoist_job *job, bool resources,
                                                      hoist_diag *diag, hoist_tree_sink *sink);

// Token number `index`, from 0, of the compiled Edge TPU programs in the job's first file that keep
// parameters on the chip; files with equal tokens may be there together. 0: there are no more.
HOIST_API uint64_t hoist_job_token(const hoist_job *job, size_t index);

// What the job's files say of the numbers of a port of their program, by its name: what is
// quantized, and how images are given. The caller sets out_facts->struct_size; all else is zeros
// where nothing is known. HOIST_OK, HOIST_NOT_FOUND (no file says anything of such a port),
// HOIST_INVALID (struct_size), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_port_facts(const hoist_job *job, hoist_str port,
                                                            hoist_port_facts *out_facts);
// Fills `out_values`, as many as an entry of the port has, with what the own test of a file of the
// job gives it: a BUDA netlist's test-config. Random numbers follow from seed, port and index
// alone. HOIST_OK, HOIST_NOT_FOUND (no file has such a test or port), HOIST_INVALID (struct_size;
// the test is wrong, see `diag`), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_test_input(const hoist_job *job,
                                                            const hoist_test_input *input,
                                                            hoist_diag *diag, double *out_values);
// How near that test wants results of a port to be. Statuses as of hoist_job_test_input().
HOIST_API HOIST_NODISCARD hoist_status hoist_job_test_limits(const hoist_job *job, hoist_str port,
                                                             hoist_diag *diag,
                                                             hoist_test_limits *out_limits);
// Labels of the last index of a port, a line each, where a file of the job holds some: a TFLite
// model with TENSOR_AXIS_LABELS in its metadata. Free `*out_text` with hoist_job_free_text.
// HOIST_OK, HOIST_NOT_FOUND (there are none), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_port_labels(const hoist_job *job, hoist_str port,
                                                             hoist_mut_bytes *out_text);

// True when info, dump and drawing of the job mean something: reading found no errors in its first
// file, or its format allows for them.
HOIST_API bool hoist_job_can_show(const hoist_job *job);
// Rules by which values of the job's dump count in a comparison; a row with path NULL ends them.
// Borrowed from the job.
HOIST_API const hoist_diff_rule *hoist_job_diff_rules(const hoist_job *job);

// The kind of comparison that suits two jobs best.
HOIST_API hoist_comparison hoist_job_comparison(const hoist_job *old, const hoist_job *now);

// Compares two jobs other than by fields and sends the result: members of a map that the caller has
// opened (and ends). A compiled model is compared with its source layer by layer, every constant
// bit for bit; of two compiled ones layers, parameters and instructions are compared, which the
// comparison of fields leaves out. `*out_count` is the number of differences. The deadline is that
// of `old`. HOIST_OK; HOIST_UNSUPPORTED: they are compared by fields; HOIST_LIMIT,
// HOIST_NO_MEMORY, or the sink's failure.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_compare(const hoist_job *old, const hoist_job *now,
                                                         hoist_tree_sink *sink, size_t *out_count);

// Calls `take` for each layer that an operator of the source became, in the order of layers; one of
// the jobs is compiled, the other its source. HOIST_OK; HOIST_UNSUPPORTED: they are no such pair;
// HOIST_LIMIT, HOIST_NO_MEMORY, or what `take` returned.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_match_layers(const hoist_job *old,
                                                              const hoist_job *now,
                                                              hoist_layer_match_call take,
                                                              void *self);

// Draws the module as text, at most `width` columns wide: hoist_job_draw_markup() with
// HOIST_DRAW_FORM_TEXT. `*out_text` is freed with hoist_job_free_text. HOIST_OK, HOIST_UNSUPPORTED,
// HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_draw(const hoist_job *job, size_t width,
                                                      hoist_diag *diag, hoist_mut_bytes *out_text);

// Draws the module as a document, as `options` (NULL: all graphs as SVG) choose: the flow of data,
// and with SVG and text floorplans and memory, too. In a text and in data groups of `depth` are
// lines of a list, and have no memory. An SVG has light and dark colors, no script, and refers
// to nothing outside of it; names in it are escaped. Equal jobs give equal bytes. `*out_text` is
// freed with hoist_job_free_text. HOIST_OK; HOIST_NOT_FOUND: there is no graph or op of that
// name (LOAD-003); HOIST_UNSUPPORTED, HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_draw_markup(const hoist_job *job,
                                                             const hoist_draw_options *options,
                                                             hoist_diag *diag,
                                                             hoist_mut_bytes *out_text);

// Sends the content of the drawing as data: the lists "graphs" (nodes and edges) and "memory" of a
// map that the caller has opened (and ends). With `sink` NULL it only checks whether files of the
// format are drawn. HOIST_OK, the sink's failure, HOIST_UNSUPPORTED, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_graph(const hoist_job *job, hoist_diag *diag,
                                                       hoist_tree_sink *sink);

// The same of what `options` (NULL: everything) choose; their form and width do not count.
// HOIST_NOT_FOUND: there is no graph or op of that name (LOAD-003).
HOIST_API HOIST_NODISCARD hoist_status hoist_job_graph_part(const hoist_job *job,
                                                            const hoist_draw_options *options,
                                                            hoist_diag *diag,
                                                            hoist_tree_sink *sink);

// Sends what `options` choose as the list "selected" of graphs, without edges: each with its
// attributes and the list "ops" of its steps, and of an op of a name (then all nodes that have it)
// what it reads, what it writes and which of them read it. The statuses are those of
// hoist_job_graph_part().
HOIST_API HOIST_NODISCARD hoist_status hoist_job_ops(const hoist_job *job,
                                                     const hoist_draw_options *options,
                                                     hoist_diag *diag, hoist_tree_sink *sink);

// Sends where the nodes and edges of these graphs are in a layered drawing: the list "layouts" of a
// map that the caller has opened (and ends), an item for each graph in its order. HOIST_OK, the
// sink's failure, HOIST_UNSUPPORTED, HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_layout(const hoist_job *job, hoist_diag *diag,
                                                        hoist_tree_sink *sink);

// Writes the job's first file in its own format, of a container the file in it: a netlist as text,
// formatted anew; files of bytes (a NEFF) as they were read, whatever is wrong. `*out_text` is
// allocated with the job's allocator and freed with hoist_job_free_text. HOIST_OK,
// HOIST_UNSUPPORTED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_write(const hoist_job *job,
                                                       hoist_mut_bytes *out_text);
// Writes the job's first file in another dialect of its format: a model of ARK as "d1", "d2" or
// "d3". `*out_text` is allocated with the job's allocator and freed with hoist_job_free_text.
// HOIST_OK; HOIST_NOT_FOUND: the format has no dialect of that name; HOIST_UNSUPPORTED: it has one
// only, with a finding; HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_convert(const hoist_job *job, const char *dialect,
                                                         hoist_diag *diag,
                                                         hoist_mut_bytes *out_text);
// Writes a default plan for the job's first file, which is a model: its operators cut into tiles
// for the processors of a GPU, as ARK's own planner does it. The file is checked first, alone, with
// findings as of hoist_job_check(). `options` may be NULL. `*out_text` is allocated with the job's
// allocator and freed with hoist_job_free_text. HOIST_OK; HOIST_INVALID: the file has errors, those
// included that opening it has reported, which are not repeated; HOIST_UNSUPPORTED: it is no model;
// HOIST_NOT_FOUND: no plan is known for that architecture; HOIST_LIMIT: an operator has 2^31 tasks
// or more; HOIST_CANCELLED, HOIST_NO_MEMORY. All but the last with a finding.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_plan(hoist_job *job,
                                                      const hoist_plan_options *options,
                                                      hoist_diag *diag, hoist_mut_bytes *out_text);
// Sends the complete module as text for people: that of hoist_job_write() where it is text.
// HOIST_OK, the sink's failure, HOIST_UNSUPPORTED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_text(const hoist_job *job,
                                                      const hoist_piece_sink *sink);
// Frees a text or the bytes that a call on `job`, which is still open, gave.
HOIST_API void hoist_job_free_text(const hoist_job *job, hoist_mut_bytes text);

// Disassembles the job's instruction streams to text: each stream after a line with its name, one
// instruction per line. `options` may be NULL. `*out_text` is freed with hoist_job_free_text. Parts
// of a stream that cannot be disassembled are reported. HOIST_OK, HOIST_UNSUPPORTED (the format has
// no instructions), HOIST_NOT_FOUND (there is no such engine or subgraph), HOIST_LIMIT,
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_disasm(const hoist_job *job,
                                                        const hoist_disasm_options *options,
                                                        hoist_diag *diag,
                                                        hoist_mut_bytes *out_text);
// Disassembles the job's instruction streams to a tree: sends the list "streams" as a member of a
// map that the caller has opened (and ends); of each stream its member, subgraph, engine and
// "records", of each record its offset, mnemonic, wait, update and operands. `options` may be NULL.
// Statuses as of hoist_job_disasm(), or the sink's failure.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_disasm_tree(const hoist_job *job,
                                                             const hoist_disasm_options *options,
                                                             hoist_diag *diag,
                                                             hoist_tree_sink *sink);

// Sends the members of the job's container as files, and one more, the manifest, with all that only
// the container holds; of them hoist_pack() makes the same bytes. Paths are safe to create below a
// folder. `options` may be NULL. HOIST_OK, the sink's failure, HOIST_INVALID (a member's name is
// unsafe, or two are equal), HOIST_UNSUPPORTED (the format is no container), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_unpack(const hoist_job *job,
                                                        const hoist_unpack_options *options,
                                                        hoist_diag *diag, hoist_part_sink *sink);

// Sends the constants of the job's first file, with what is known of their types and shapes, and
// then those that are missing. HOIST_OK also when some are missing, the sink's failure,
// HOIST_UNSUPPORTED (files of that format hold none), HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_recover(const hoist_job *job, hoist_diag *diag,
                                                         const hoist_recovery_sink *sink);

// Sends the layers that were recovered from the job's compiled programs, as members of a map that
// the caller has opened (and ends): the list "packages", of nested payloads below the list
// "payloads"; no members where programs are not analysed. `*out_gaps` is the number of parts that
// were not understood. HOIST_OK also when there are such, the sink's failure, HOIST_LIMIT,
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_layers(const hoist_job *job, hoist_diag *diag,
                                                        hoist_tree_sink *sink, uint64_t *out_gaps);

// Writes the job's TFLite model with the layers that were recovered from its compiled operators in
// their place; its other operators, and its inputs and outputs, stay. `*out_bytes` is freed with
// hoist_job_free_text. HOIST_OK; HOIST_NOT_FOUND: the model has no compiled operator, or a part of
// one was not understood or has no form in TFLite (LOAD-005, a finding for each);
// HOIST_UNSUPPORTED: the job is of another format; HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_recover_model(const hoist_job *job,
                                                               hoist_diag *diag,
                                                               hoist_mut_bytes *out_bytes);

// Verifies the digest that the job's container stores: `*out_right` is true when it is that of the
// content; a wrong one is reported, too. Reads all bytes of the file. HOIST_OK, HOIST_UNSUPPORTED
// (there is none that can be computed here), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_verify(const hoist_job *job, hoist_diag *diag,
                                                        bool *out_right);

// Fills the addresses of buffers into a copy of the job's first file, in the fields of its
// instructions, or empties the fields, as `options` (NULL: no addresses) choose. Nothing else
// changes. `*out_bytes` is the complete file, freed with hoist_job_free_text; `*out_result` counts
// the fields. HOIST_OK, HOIST_NOT_FOUND (an address is for a buffer that does not exist, or one of
// a batch is missing), HOIST_INVALID (a field is where none can be), HOIST_UNSUPPORTED (files of
// the format are not linked), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_link(const hoist_job *job,
                                                      const hoist_link_options *options,
                                                      hoist_diag *diag, hoist_mut_bytes *out_bytes,
                                                      hoist_link_result *out_result);

// Replaces parameters in a copy of the job's first file by `items`, in their order; nothing else
// changes. `*out_bytes` is the complete file, freed with hoist_job_free_text. HOIST_OK,
// HOIST_NOT_FOUND (the file has no parameters of a name), HOIST_INVALID (they are of another type,
// shape or size), HOIST_UNSUPPORTED (the file has none that can be replaced), HOIST_LIMIT,
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_exchange(const hoist_job *job,
                                                          const hoist_new_parameters *items,
                                                          size_t count, hoist_diag *diag,
                                                          hoist_mut_bytes *out_bytes);

// Makes the data that a run of the job's model sends to an Edge TPU over USB, by the hints of its
// one package: frames of 8 bytes with length and tag, and their data (single-endpoint mode). The
// executable that fills the chip's memory comes first where there is one. `options` may be NULL.
// Free `*out_stream` with hoist_stream_destroy, before the job is closed. HOIST_OK, HOIST_NOT_FOUND
// (an address or input is for a buffer that does not exist, or an input has another size),
// HOIST_INVALID (hints do not fit the model), HOIST_UNSUPPORTED (nothing in the file can be sent),
// HOIST_LIMIT (more than 1 GiB), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_stream(const hoist_job *job,
                                                        const hoist_stream_options *options,
                                                        hoist_diag *diag,
                                                        hoist_stream **out_stream);
// Frees a stream with its bytes and steps. NULL is allowed.
HOIST_API void hoist_stream_destroy(hoist_stream *stream);

// Makes a container of `parts`: the same parts and options give the same bytes. `options` may be
// NULL. `*out_bytes` is freed with hoist_pack_free(options->alloc, ...). HOIST_OK, HOIST_INVALID
// (the content of a part, or an option, breaks a rule), HOIST_NOT_FOUND (there is no such format),
// HOIST_UNSUPPORTED (it is no container, or has no such option), HOIST_LIMIT, HOIST_CANCELLED,
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_pack(const hoist_part *parts, size_t count,
                                                  const hoist_pack_options *options,
                                                  hoist_diag *diag, hoist_mut_bytes *out_bytes);
// Frees the bytes of a container that was made with `alloc`; resize NULL: the system's.
HOIST_API void hoist_pack_free(hoist_allocator alloc, hoist_mut_bytes bytes);

// Lowers the files of `job` to a program, which does not need the job any more. The rules of the
// format are checked first, with findings as of hoist_job_check(): a `diag` that is given to both
// has them twice. `options` may be NULL. Free `*out_program` with hoist_program_destroy. HOIST_OK;
// HOIST_UNSUPPORTED: valid, but something in it cannot be run here yet - the finding names it (op
// and attribute); HOIST_NOT_FOUND: the files are not all that the job has and no others, for
// instance those of its ranks; HOIST_INVALID: the job has errors, or the options (LOAD-003);
// HOIST_LIMIT; HOIST_CANCELLED; HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_lower(hoist_job *job,
                                                       const hoist_lower_options *options,
                                                       hoist_diag *diag,
                                                       hoist_program **out_program);

// Most memory in bytes that opening a valid file needs, by its format (`format` as in
// hoist_open_options) and the number of its bytes; a caller that limits decompression bombs allows
// no more. SIZE_MAX when it does not fit. `name` is the file's name.
HOIST_API size_t hoist_open_memory(hoist_bytes bytes, const char *name, const char *format);

// Choices for hoist_job_check_order().
typedef struct hoist_order_check {
    size_t struct_size; // sizeof(hoist_order_check)
    uint32_t ranks;     // as of hoist_lower_options, like `driver` and `batch` below
    // Control steps of one run that are explored; 0: 1,000,000. Also hoist_lower_options.max_steps.
    uint64_t max_steps;
    uint32_t max_schedules;      // explored of programs whose waits depend on the order; 0: 64
    const char *const *programs; // entries that run, in order; borrowed; NULL: all, in file order
    size_t program_count;        // of `programs`
    const hoist_parameter *parameters; // of all programs that have them; borrowed; others are 1
    size_t parameter_count;            // of `parameters`
    // As hoist_job_check(): no verdict where the format has no rules of orders, at most 500,000
    // steps unless max_steps is set, a note about instructions whose meaning is not public.
    bool brief;
    hoist_driver driver; // Edge TPU
    uint32_t batch;      // TFLite, Edge TPU: inferences of a run; 0: one
    // Borrowed; NULL: none. Each race goes there as a map: the "message" of its finding, what both
    // "accesses" do, and a "schedule", steps with their process and the numbers of those that they
    // come "after", of which the last two are the accesses; "left_out": how many come before it.
    hoist_tree_sink *races;
} hoist_order_check;

// Checks the rules of the format, as hoist_job_check() does (a `diag` that is given to both has
// those findings twice), and looks for races, deadlocks and uninitialized reads in everything that
// the job runs, in every order of its threads and units, with all of its ranks. Findings are
// reported under the rules of the format, those that several ranks have at the same location once.
//
// Instructions whose meaning is not public count as if they changed nothing; the verdict is not
// CLEAN then, and a note names the first one of each subgraph. When the verdict is UNKNOWN a
// warning has the reason. When errors leave nothing to run, it is NONE.
//
// `options` may be NULL. HOIST_OK with `*out_verdict`; HOIST_NOT_FOUND (a program or parameter that
// does not exist, which is reported), HOIST_INVALID and HOIST_UNSUPPORTED (options), HOIST_LIMIT,
// HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_check_order(hoist_job *job,
                                                             const hoist_order_check *options,
                                                             hoist_diag *diag,
                                                             hoist_verdict *out_verdict);

// Choices for hoist_job_time().
typedef struct hoist_time_options {
    size_t struct_size; // sizeof(hoist_time_options)
    // Edge TPU: the link between host and device, "usb3", "usb2" or "pcie"; NULL: "usb3". Borrowed.
    const char *host;
    uint32_t cores; // TFLite, ARK: of the CPU that runs the job; 0: those of this machine
    // The same: its level, by the names of hoist_run_counts, such as "x86-64-v3"; NULL: this
    // machine's. Borrowed.
    const char *cpu_level;
    double flops;     // TFLite, ARK: operations per second of all cores; 0: the range of the level
    double bandwidth; // the same: bytes per second of the memory; 0: a range
    uint32_t ranks;   // as of hoist_lower_options, like `batch`
    uint32_t batch;   // TFLite, Edge TPU: inferences of a run; 0: one
    // Control steps of one run; 0: 10,000,000. Also hoist_lower_options.max_steps.
    uint64_t max_steps;
    const char *const *programs; // entries that run, in order; borrowed; NULL: all, in file order
    size_t program_count;        // of `programs`
    const hoist_parameter *parameters; // of all programs that have them; borrowed; others are 1
    size_t parameter_count;            // of `parameters`
    hoist_job *compared;               // estimated, too, and compared with; borrowed; NULL: none
    bool narrow; // texts for people have fewer columns: of a row one time, and what takes it
} hoist_time_options;

// Estimates how long the job's programs take on their device, from published rates and amounts that
// the file has, and sends it as members of the caller's map: range of the total, what takes it,
// rows of steps with begin and end, what has no public time, and the rates with their sources. What
// is not public has no time; where only bounds are known, typical and high times are null. Nothing
// is measured. The second run is estimated, in which a device has its parameters; the first one is
// sent apart. The low, typical and high case run on cores of their own, in threads that end before
// the call does.
//
// `options` may be NULL. HOIST_OK, the sink's failure; HOIST_NOT_FOUND (a program or parameter that
// does not exist), HOIST_INVALID (options, errors of the job, or a run that does not end),
// HOIST_UNSUPPORTED, HOIST_LIMIT (steps), HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_time(hoist_job *job,
                                                      const hoist_time_options *options,
                                                      hoist_diag *diag, hoist_tree_sink *sink);

// Number of formats that this build knows.
HOIST_API size_t hoist_format_count(void);
// Name of format number `index`, "buda"; NULL from hoist_format_count() on. Static.
HOIST_API const char *hoist_format_name(size_t index);
// Name of the format that the bytes of a file are taken for when they are opened and none is given;
// NULL: no format recognises them, or there are none. `name` is the file's name. Static.
HOIST_API const char *hoist_format_of(hoist_bytes bytes, const char *name);
// Number of rule sets: of the formats, the codecs and the library itself.
HOIST_API size_t hoist_rule_set_count(void);
// Rule set number `index`; NULL from hoist_rule_set_count() on. Static.
HOIST_API const hoist_rule_set *hoist_rule_set_at(size_t index);
// The rule set that hoist_job_lower() reports under: constructs that cannot be run, and why.
// Static.
HOIST_API const hoist_rule_set *hoist_rule_set_of_lowering(void);

#ifdef __cplusplus
}
#endif

#endif // HOIST_LOAD_H
