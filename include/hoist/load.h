// hoist/load.h - open any supported file, check it, show it, write it back.
//
// A job is the set of modules that belong together: one, or one for each rank. One thread at a
// time.
#ifndef HOIST_LOAD_H
#define HOIST_LOAD_H

#include "hoist/formats.h"
#include "hoist/lower.h"
#include "hoist/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hoist_job hoist_job; // owned by the caller: hoist_job_close

typedef struct hoist_open_options {
    size_t struct_size;    // sizeof(hoist_open_options)
    hoist_allocator alloc; // resize NULL: the system's
    const char *format;    // a hoist_format_name, "buda"; NULL: by sniffing
    // The architecture to judge for, "wormhole_b0"; of a NEFF a target by any of its names, "trn1"
    // or "sunda". NULL: what the file says.
    const char *arch;
    // The environment's ARCH_NAME as the caller read it; NULL: not set. A NEFF has no use for it.
    const char *arch_fallback;
    const char *soc_path;     // SoC descriptor; NULL: the architecture's own table
    const char *cluster_path; // cluster descriptor; NULL: none
    size_t max_bytes;         // of the file; 0: the format's own limit, 256 MiB for texts
    bool bytes_stay;          // hoist_job_open_bytes: they stay until the job is closed
    bool lenient;             // members of no use (links in archives) are skipped with a warning
    bool container_only;      // members are not read: enough to unpack and to verify
    uint64_t max_expanded;    // bytes of an inflated archive; 0: 64 GiB
    // When opening, and every call on the job until hoist_job_limit(), has to end; NULL: never.
    hoist_deadline *deadline;
} hoist_open_options;

// Large regular files are mapped, not read, and stay so until the job is closed: they must not
// change meanwhile. Reads `path` ("-": standard input is not read here; give the bytes to
// hoist_job_open_bytes) and its module. Findings go to `diag`, which may be NULL. Returns HOIST_OK
// (errors may still have been reported), HOIST_NOT_FOUND or HOIST_IO (cannot be read; `diag` has
// the reason), HOIST_INVALID, HOIST_TRUNCATED, HOIST_LIMIT, HOIST_NO_MEMORY. Options that this
// library does not know give LOAD-003: HOIST_INVALID or HOIST_UNSUPPORTED by their struct_size,
// HOIST_NOT_FOUND for the name of no format.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_open(const char *path,
                                                      const hoist_open_options *options,
                                                      hoist_diag *diag, hoist_job **out_job);

// The same for bytes in memory, which are borrowed until the call returns, or with
// options->bytes_stay until the job is closed; else they are copied where the format's module is
// made of them. `name` is used in messages.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_open_bytes(hoist_bytes bytes, const char *name,
                                                            const hoist_open_options *options,
                                                            hoist_diag *diag, hoist_job **out_job);
HOIST_API void hoist_job_close(hoist_job *job); // NULL is allowed

// Gives the job, and the files that were added to it, another deadline, which is borrowed: calls on
// it that work on its files return HOIST_LIMIT (LOAD-006) or HOIST_CANCELLED when it is over. NULL:
// none.
HOIST_API void hoist_job_limit(hoist_job *job, hoist_deadline *deadline);

// Makes the file of `other`, which has one, the next of `job`: its rank, where ranks run different
// files; a model that is loaded with it. `other` is the job's from then on. HOIST_OK;
// HOIST_UNSUPPORTED (jobs of that format have one file) or HOIST_INVALID (another format, or
// `other` has several files), and a finding; HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_add(hoist_job *job, hoist_job *other,
                                                     hoist_diag *diag);

// Name of the job's format ("buda") and its title.
HOIST_API const char *hoist_job_format(const hoist_job *job);
HOIST_API const char *hoist_job_format_title(const hoist_job *job);

// What hoist_job_check and hoist_job_info take the job to be for.
HOIST_API hoist_target hoist_job_target(const hoist_job *job);

// Judges every rule of the format, of all files of the job; findings go to `diag`. Where the format
// has rules of orders (a NEFF) those of its program are looked at, too, up to 500,000 control
// steps; what cannot be known is told. HOIST_OK whatever was found; HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_check(hoist_job *job, hoist_diag *diag);

// Files that are judged one after the other, for what they have in common: tokens of Edge TPU
// models that were compiled together. One thread at a time.
typedef struct hoist_file_set hoist_file_set; // owned by the caller: hoist_file_set_destroy

// `alloc.resize` NULL: the system's. HOIST_OK, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_file_set_create(hoist_allocator alloc,
                                                             hoist_file_set **out_set);
// Adds the job's file and reports what it has in common with those that were added before; of the
// job nothing is kept. `diag` may be NULL. HOIST_OK whatever was found; HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_file_set_add(hoist_file_set *set, const hoist_job *job,
                                                          hoist_diag *diag);
HOIST_API void hoist_file_set_destroy(hoist_file_set *set); // NULL is allowed

// Sends the whole module, every field and unknown key, as one map with the key `key` (NULL where
// the map stands alone); with source positions when `positions`. Returns the sink's first failure
// or HOIST_OK.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_dump(const hoist_job *job, const char *key,
                                                      bool positions, hoist_tree_sink *sink);

// Sends the summary that `hoist info` shows: the members of a map that the caller has opened (and
// ends). `resources` adds the estimates of what the module needs on a device.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_info(const hoist_job *job, bool resources,
                                                      hoist_diag *diag, hoist_tree_sink *sink);

// Token `index` of the compiled programs in the job's file that keep parameters on the chip: files
// with the same one may be on it together. 0: there are no more.
HOIST_API uint64_t hoist_job_token(const hoist_job *job, size_t index);

// False when reading found errors in the job's file and info, dump and drawing of its format mean
// nothing then.
HOIST_API bool hoist_job_can_show(const hoist_job *job);
// How the values of its dump count in a comparison; a row with path NULL ends them.
HOIST_API const hoist_diff_rule *hoist_job_diff_rules(const hoist_job *job);

// How two jobs are compared best.
typedef enum hoist_comparison {
    HOIST_COMPARISON_FIELDS = 0, // of one format: what hoist_job_dump() sends of them
    HOIST_COMPARISON_SOURCE,     // one was compiled for the Edge TPU, the other is a TFLite model
    HOIST_COMPARISON_COMPILED,   // by fields, but for what the compiler made of layers
} hoist_comparison;
HOIST_API hoist_comparison hoist_job_comparison(const hoist_job *old, const hoist_job *now);

// Compares two jobs other than by fields and sends the result: members of a map that the caller has
// opened (and ends). A compiled model is compared with its source layer by layer, every constant
// bit for bit; of two compiled ones layers, parameters and instructions are compared, which their
// fields leave out then. `*out_count` is the number of differences. HOIST_OK; HOIST_UNSUPPORTED:
// they are compared by fields; HOIST_LIMIT, HOIST_NO_MEMORY, or the sink's failure.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_compare(const hoist_job *old, const hoist_job *now,
                                                         hoist_tree_sink *sink, size_t *out_count);

// Draws the module as text, at most `width` columns wide. `*out_text` as for hoist_job_write.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_draw(const hoist_job *job, size_t width,
                                                      hoist_diag *diag, hoist_mut_bytes *out_text);

// Sends what the drawing shows as data: the lists "graphs" (nodes and edges) and "memory" of a map
// that the caller has opened (and ends). HOIST_UNSUPPORTED: files of the format are not drawn; with
// `sink` NULL that is all that is judged. Also returns the sink's failure.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_graph(const hoist_job *job, hoist_diag *diag,
                                                       hoist_tree_sink *sink);

// The job's module as a file of its own format: a netlist as text, written afresh; a NEFF, which is
// no text, byte for byte as it was read, whatever is wrong with it. `*out_text` is allocated
// with the job's allocator and freed with hoist_job_free_text.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_write(const hoist_job *job,
                                                       hoist_mut_bytes *out_text);
// Sends the whole module as text for people: that of hoist_job_write() where it is text. HOIST_OK,
// the sink's failure, HOIST_UNSUPPORTED, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_text(const hoist_job *job,
                                                      const hoist_piece_sink *sink);
HOIST_API void hoist_job_free_text(const hoist_job *job, hoist_mut_bytes text);

// Text of the job's instruction streams, each after a line with its name; one instruction per line.
// `options` may be NULL. `*out_text` as for hoist_job_write. HOIST_OK, HOIST_UNSUPPORTED (the
// format has no instructions), HOIST_NOT_FOUND (there is no such engine or subgraph),
// HOIST_NO_MEMORY. What keeps a stream from being shown whole is reported.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_disasm(const hoist_job *job,
                                                        const hoist_disasm_options *options,
                                                        hoist_diag *diag,
                                                        hoist_mut_bytes *out_text);
// The same as a tree: sends the list "streams" as a member of a map that the caller has opened (and
// ends); of each stream its member, subgraph, engine and "records", of each record its offset,
// mnemonic, wait, update and operands. Also returns the sink's failure.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_disasm_tree(const hoist_job *job,
                                                             const hoist_disasm_options *options,
                                                             hoist_diag *diag,
                                                             hoist_tree_sink *sink);

// Sends the members of the job's container as files, and one more with what only the container
// says, from which hoist_pack() makes the same bytes. Paths are safe to create below a folder.
// `options` may be NULL. HOIST_OK, the sink's failure, HOIST_INVALID (a member's name is unsafe, or
// two are equal), HOIST_UNSUPPORTED (the format is no container), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_unpack(const hoist_job *job,
                                                        const hoist_unpack_options *options,
                                                        hoist_diag *diag, hoist_part_sink *sink);

// Sends the constants of the job's file, with what is known of their types and shapes, and then
// what could not be had. HOIST_OK also when something is missing, the sink's failure,
// HOIST_UNSUPPORTED (files of that format hold none), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_recover(const hoist_job *job, hoist_diag *diag,
                                                         const hoist_recovery_sink *sink);

// Sends what is known of the layers that the job's compiled programs compute, as members of a map
// that the caller has opened (and ends): the list "packages", of what is nested in the file below
// the list "payloads"; nothing where programs are not looked into. `*out_gaps`: how many parts were
// not understood. HOIST_OK also then, the sink's failure, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_layers(const hoist_job *job, hoist_diag *diag,
                                                        hoist_tree_sink *sink, uint64_t *out_gaps);

// Writes the job's TFLite model with the layers that were recovered from its compiled operators in
// place of these; its other operators, and its inputs and outputs, stay. `*out_bytes` is freed with
// hoist_job_free_text. HOIST_OK; HOIST_NOT_FOUND: something of a compiled operator was not
// understood, or has no form there (LOAD-005, a finding for each); HOIST_UNSUPPORTED: the job is of
// another format; HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_recover_model(const hoist_job *job,
                                                               hoist_diag *diag,
                                                               hoist_mut_bytes *out_bytes);

// Whether the digest that the job's container stores is right; a wrong one is reported, too. Reads
// all bytes of the file. HOIST_OK, HOIST_UNSUPPORTED (there is none that can be computed here),
// HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_verify(const hoist_job *job, hoist_diag *diag,
                                                        bool *out_right);

// Fills the addresses of buffers into the instructions of the job's file, or empties the fields, as
// `options` say: `*out_bytes` is the whole file then, freed with hoist_job_free_text. Nothing else
// changes. HOIST_OK, HOIST_NOT_FOUND (an address is for a buffer that there is not, or one of a
// batch is missing), HOIST_INVALID (a field is where none can be), HOIST_UNSUPPORTED (files of the
// format are not linked), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_link(const hoist_job *job,
                                                      const hoist_link_options *options,
                                                      hoist_diag *diag, hoist_mut_bytes *out_bytes,
                                                      hoist_link_result *out_result);

// Puts other parameters into a copy of the job's file, in place of those that are there; nothing
// else changes. `*out_bytes` is freed with hoist_job_free_text. HOIST_OK, HOIST_NOT_FOUND (there
// are no parameters of a name), HOIST_INVALID (they are of another type, shape or size),
// HOIST_UNSUPPORTED (the file has none that could be put in), HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_exchange(const hoist_job *job,
                                                          const hoist_new_parameters *items,
                                                          size_t count, hoist_diag *diag,
                                                          hoist_mut_bytes *out_bytes);

// Makes what a run of the job's model sends to an Edge TPU over USB, by the hints of its one
// package: frames of 8 bytes with length and tag, and their data (single-endpoint mode). The
// executable that fills the chip's memory comes first where there is one. `options` may be NULL.
// HOIST_OK, HOIST_NOT_FOUND (an address or input is for a buffer that there is not, or has another
// size), HOIST_INVALID (hints do not fit the model), HOIST_UNSUPPORTED (nothing in the file can be
// sent), HOIST_LIMIT (more than 1 GiB), HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_stream(const hoist_job *job,
                                                        const hoist_stream_options *options,
                                                        hoist_diag *diag,
                                                        hoist_stream **out_stream);
HOIST_API void hoist_stream_destroy(hoist_stream *stream); // NULL is allowed

// Makes a container of `parts`: the same parts and options give the same bytes. `options` may be
// NULL. HOIST_OK, HOIST_INVALID (what the parts say is wrong), HOIST_NOT_FOUND (there is no such
// format), HOIST_UNSUPPORTED (it is no container, or has no such option), HOIST_LIMIT,
// HOIST_NO_MEMORY. `*out_bytes` is freed with hoist_pack_free(options->alloc, ...).
HOIST_API HOIST_NODISCARD hoist_status hoist_pack(const hoist_part *parts, size_t count,
                                                  const hoist_pack_options *options,
                                                  hoist_diag *diag, hoist_mut_bytes *out_bytes);
HOIST_API void hoist_pack_free(hoist_allocator alloc, hoist_mut_bytes bytes);

// Lowers the modules of `job` to a program. Findings go to `diag`, also those of the format's
// rules, which are judged first, as hoist_job_check() does: a `diag` given to both calls has them
// twice. HOIST_OK; HOIST_UNSUPPORTED: valid, but something in it has no meaning here yet - the
// finding names it (op and attribute); HOIST_INVALID: the job has errors, or the options
// (LOAD-003); HOIST_LIMIT; HOIST_NO_MEMORY. The program does not need the job any more.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_lower(hoist_job *job,
                                                       const hoist_lower_options *options,
                                                       hoist_diag *diag,
                                                       hoist_program **out_program);

// Bytes of memory that opening these bytes may honestly take by their format (`format` as in
// hoist_open_options) and size; a caller who wants to be safe from bombs allows no more.
HOIST_API size_t hoist_open_memory(hoist_bytes bytes, const char *name, const char *format);

typedef struct hoist_order_check {
    size_t struct_size;     // sizeof(hoist_order_check)
    uint32_t ranks;         // as of hoist_lower_options, like `driver` and `batch` below
    uint64_t max_steps;     // control steps of one run that are looked at, and of what lowering
                            // unrolls; 0: 1,000,000, and as of hoist_lower_options
    uint32_t max_schedules; // of programs in which what waits for what depends on the run; 0: 64
    const char *const *programs; // that run, in order; NULL: all, in the file's order
    size_t program_count;
    const hoist_parameter *parameters; // of all programs that have them; others are 1
    size_t parameter_count;
    bool brief; // as hoist_job_check(): no verdict where the format has no rules of orders, at most
                // 500,000 steps unless max_steps says more or less, a note of what is not public
    hoist_driver driver;
    uint32_t batch;
} hoist_order_check;

// hoist_job_check(), so that calling that before tells its findings twice, and looks for races,
// deadlock and reads of what nobody has written in everything that the job runs, whatever comes
// first, with all of its ranks. What was found goes to `diag` under the rules of the format; what
// has the same places in several ranks once.
// Instructions whose meaning is not public count as if they changed nothing, and then the verdict
// is not CLEAN; a note names the first of a subgraph. When it is UNKNOWN a warning says why. When
// there are errors that leave nothing to run, it is NONE. `options` and `diag` may be NULL.
// HOIST_OK with `*out_verdict`; HOIST_NOT_FOUND (a program or parameter that there is not, which is
// reported), HOIST_INVALID and HOIST_UNSUPPORTED (options), HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_API HOIST_NODISCARD hoist_status hoist_job_check_order(hoist_job *job,
                                                             const hoist_order_check *options,
                                                             hoist_diag *diag,
                                                             hoist_verdict *out_verdict);

// The formats this build knows, and their rules and those of the codecs.
HOIST_API size_t hoist_format_count(void);
HOIST_API const char *hoist_format_name(size_t index);
HOIST_API size_t hoist_rule_set_count(void);
HOIST_API const hoist_rule_set *hoist_rule_set_at(size_t index);
// The one of them that hoist_job_lower() reports under: what cannot be run, and why.
HOIST_API const hoist_rule_set *hoist_rule_set_of_lowering(void);

#ifdef __cplusplus
}
#endif

#endif // HOIST_LOAD_H
