// formats/neff/neff.h - the functions of hoist_neff_format, by file.
#ifndef HOIST_SRC_FORMATS_NEFF_NEFF_H
#define HOIST_SRC_FORMATS_NEFF_NEFF_H

#include "codec/hash.h"
#include "formats/neff/fields.h"
#include "formats/neff/module.h"

// Reading ----------------------------------------------------------------------------------------

// Where neff_place was last; clear before the first call.
typedef hoist_json_cursor neff_cursor;

// What the reading functions share. Findings go to `diag` under the source of the member at hand
// (neff_enter); reading goes on after errors.
typedef struct neff_reader {
    neff_module *module;
    hoist_diag *diag; // may be NULL
    const hoist_read_options *options;
    hoist_arena *arena; // the module's
    bool lenient;       // links and devices in the archive are skipped with a warning
    neff_cursor cursor; // of the text at hand
} neff_reader;

// An empty module over the bytes of `file`, which outlive it (empty for one that is built); its
// format is not set. NULL when out of memory. model.c
neff_module *neff_module_create(hoist_allocator alloc, hoist_bytes file);
// Frees the module and what reading the container made; texts and engines go before, by
// neff_destroy(). NULL is allowed. model.c
void neff_module_free(neff_module *module);

// The header, and the gates of rules 1 to 5, 7 to 10, 12 and 13. HOIST_TRUNCATED, HOIST_INVALID:
// not a NEFF's header at all; else HOIST_OK. header.c
HOIST_NODISCARD hoist_status neff_read_header(neff_reader *r);
// 1,024 bytes of header. header.c
void neff_write_header(const neff_header *header, uint8_t out[NEFF_HEADER_SIZE]);
// The stored text of a NUL-padded field, without the padding. header.c
hoist_str neff_header_text(const uint8_t *field, size_t size);

// Payload to members: rules 15 to 18, 20. Without a readable archive HOIST_INVALID, HOIST_TRUNCATED
// or HOIST_LIMIT. container.c
HOIST_NODISCARD hoist_status neff_read_container(neff_reader *r);
// The role that a member has by its name alone, as nothing has to refer to it (2.4); else
// NEFF_ROLE_UNKNOWN. container.c
neff_role neff_known_role(hoist_str name);
// The digest of a packaging. HOIST_OK, or HOIST_UNSUPPORTED: there is no such one. container.c
HOIST_NODISCARD hoist_status neff_hash_kind(uint64_t pkg_version, hoist_hash_kind *out_kind);
// The stored digest against the payload's (rule 6), which is read completely for it. `*out_right`
// may be NULL. HOIST_OK whatever comes out, HOIST_NO_MEMORY, or HOIST_UNSUPPORTED: the digest of
// this pkg_version is unknown, or this build has not got it. container.c
HOIST_NODISCARD hoist_status neff_verify_hash(const neff_module *module, hoist_diag *diag,
                                              uint8_t out_digest[HOIST_HASH_MAX_SIZE],
                                              bool *out_right);

// Everything below from the members: neff.json, kelfs, subgraphs, engines. The members are there,
// from an archive or from a builder. read_members.c
HOIST_NODISCARD hoist_status neff_read_members(neff_reader *r);
// neff.json and the kelfs; makes the subgraphs with their names: rules 21 to 24 as far as reading
// finds them. graph_read.c
HOIST_NODISCARD hoist_status neff_read_graph(neff_reader *r);
// Frees the texts of neff.json and the kelfs, and the subgraphs. graph_read.c
void neff_graph_deinit(neff_module *module);
// The member that `name` means in `folder` (with or without its slash; may be empty); NEFF_NONE
// when there is none. HOIST_NO_MEMORY. kelf_read.c
HOIST_NODISCARD hoist_status neff_member_resolve(const neff_module *module, hoist_arena *arena,
                                                 hoist_str folder, hoist_str name,
                                                 uint32_t *out_member);
// def.json of one subgraph, which is the member `def.member`: variables, queue sets, names; then
// its engines, by the names that def.json has for them (empty: none). def_read.c
HOIST_NODISCARD hoist_status neff_read_subgraph(neff_reader *r, neff_subgraph *subgraph);
// Marks the inputs whose buffer an output shares; names in tensor_map.json that no variable has
// are passed over. alias_read.c
HOIST_NODISCARD hoist_status neff_read_aliases(neff_reader *r, neff_subgraph *subgraph);
// Frees its text, maps and engines. def_read.c
void neff_subgraph_deinit(neff_module *module, neff_subgraph *subgraph);
// One engine's JSON into rows; the variables and queue sets are there. engine_read.c
HOIST_NODISCARD hoist_status neff_read_engine(neff_reader *r, neff_subgraph *subgraph,
                                              neff_engine *engine, hoist_str file);
// Frees an engine's tables and tapes. engine_read.c
void neff_engine_deinit(neff_module *module, neff_engine *engine);

// Reads a JSON member as a tape (NaN and infinities are accepted); findings of the codec become
// NEFF-021a's and 021b's; a limit stays a finding of the codec. The member's role is set, the diag
// is left in it. HOIST_INVALID or HOIST_TRUNCATED: no JSON, which was reported; the text has no
// tape then. HOIST_LIMIT, HOIST_NO_MEMORY. text.c
HOIST_NODISCARD hoist_status neff_text_read(neff_reader *r, uint32_t member, neff_role role,
                                            neff_text *out_text);
void neff_text_free(neff_text *text); // text.c
// Fills `object` (cleared before: fallbacks are set here) from the members of the JSON object `at`,
// by the rows of `table`; reports wrong kinds and missing keys. Of equal keys the last wins; a
// value that is no object has no members. Unknown words are -1 and not reported. text.c
HOIST_NODISCARD hoist_status neff_read_fields(neff_reader *r, const hoist_rec_table *table,
                                              const hoist_json *json, hoist_json_index at,
                                              void *object, uint64_t *out_present);

// Places in engine texts -------------------------------------------------------------------------

// The JSON value that begins at byte `at` of the engine's text, read again; free with
// hoist_json_free. Positions are those of the whole text. text.c
HOIST_NODISCARD hoist_status neff_engine_fragment(const neff_module *module,
                                                  const neff_engine *engine, uint32_t at,
                                                  hoist_json *out_json);
// Line and column of byte `at` of `text`. Quick when `at` is near the last one, and so for places
// in ascending order; another text is begun anew. text.c
hoist_pos neff_place(neff_cursor *cursor, hoist_bytes text, size_t at);

// Findings ---------------------------------------------------------------------------------------

// Later findings are in that member of the file ("sg00/def.json"); NEFF_NONE: the file itself. A
// member of the archive has that as place: "archive.tar" for bytes of an inflated one. report.c
void neff_enter(const neff_module *module, hoist_diag *diag, uint32_t member);
void neff_enter_archive(const neff_module *module, hoist_diag *diag);
// The first error among the kept findings from `first` on, in words, with its member and rule; that
// there are some when none of them was kept. Empty without data when out of memory. report.c
hoist_str neff_first_error(const hoist_diag *diag, size_t first, hoist_arena *arena);

// Checking ----------------------------------------------------------------------------------------

// What the checks share.
typedef struct neff_check {
    const neff_module *module;
    hoist_diag *diag;
    const hoist_check_options *options;
    hoist_arena arena; // scratch of all checks
    int generation;    // effective (3.1.1): of --target when given, else the file's
    bool target_given;
} neff_check;

// The effective generation: that of options->arch when it names one (`*out_given`), else the
// file's, which is any where its spelling is not known. `options` may be NULL. target.c
int neff_generation_for(const neff_module *module, const hoist_check_options *options,
                        bool *out_given);
// What the first kelf says; -1: there is none, or its spelling is not known. target.c
int neff_generation_of_file(const neff_module *module);

HOIST_NODISCARD hoist_status neff_check_container(neff_check *c); // 6, 14, 19: check_container.c
HOIST_NODISCARD hoist_status neff_check_graph(neff_check *c);     // 11, 22..25: check_graph.c
HOIST_NODISCARD hoist_status neff_check_def(neff_check *c);       // 26..35, 43, 44: check_def.c
HOIST_NODISCARD hoist_status neff_check_queues(neff_check *c);    // 36..42: check_queues.c
HOIST_NODISCARD hoist_status neff_check_blocks(neff_check *c);    // 45..48, 62, 65: check_blocks.c
HOIST_NODISCARD hoist_status neff_check_descs(neff_check *c);     // 49..61, 63, 64: check_descs.c
HOIST_NODISCARD hoist_status neff_check_streams(neff_check *c);   // 66..71, 73, 74: check_streams.c

// The functions of hoist_format ------------------------------------------------------------------

int neff_sniff(hoist_bytes head, hoist_str file_name); // format.c
HOIST_NODISCARD hoist_status neff_read(hoist_bytes bytes, const hoist_read_options *options,
                                       hoist_diag *diag, hoist_module **out_module); // format.c
void neff_destroy(hoist_module *module); // read_members.c
// Target of --target or of the file's first kelf; NULL when the name or spelling is not known.
// target.c
hoist_target neff_target(const hoist_module *module, const hoist_check_options *options);
HOIST_NODISCARD hoist_status neff_check_all(hoist_module *module,
                                            const hoist_check_options *options,
                                            hoist_diag *diag); // check.c
HOIST_NODISCARD hoist_status neff_visit(const hoist_module *module,
                                        const hoist_dump_options *options,
                                        hoist_tree_sink *sink); // visit.c
HOIST_NODISCARD hoist_status neff_info(const hoist_module *module,
                                       const hoist_check_options *options, hoist_diag *diag,
                                       hoist_tree_sink *sink); // info.c
HOIST_NODISCARD hoist_status neff_picture(const hoist_module *module,
                                          const hoist_check_options *options, hoist_diag *diag,
                                          hoist_picture *picture); // neff_picture.c
HOIST_NODISCARD hoist_status neff_write(const hoist_module *module, hoist_buffer *out); // write.c
HOIST_NODISCARD hoist_status neff_dump(const hoist_module *module,
                                       const hoist_piece_sink *sink); // dump.c
HOIST_NODISCARD hoist_status neff_disasm(const hoist_module *module,
                                         const hoist_check_options *check,
                                         const hoist_disasm_options *options, hoist_diag *diag,
                                         hoist_buffer *out, hoist_tree_sink *sink); // disasm.c
HOIST_NODISCARD hoist_status neff_unpack(const hoist_module *module,
                                         const hoist_unpack_options *options, hoist_diag *diag,
                                         hoist_part_sink *sink); // unpack.c
HOIST_NODISCARD hoist_status neff_recover(const hoist_module *module,
                                          const hoist_recovery_sink *sink); // recover.c
HOIST_NODISCARD hoist_status neff_verify(const hoist_module *module, hoist_diag *diag,
                                         bool *out_right); // unpack.c
HOIST_NODISCARD hoist_status neff_pack(const hoist_part *parts, size_t count,
                                       const hoist_pack_options *options, hoist_diag *diag,
                                       hoist_buffer *out); // pack.c

#endif // HOIST_SRC_FORMATS_NEFF_NEFF_H
