// formats/buda/netlist_testing.h - for tests: netlists as text with one place changed, read and
// checked completely or by one part, and the findings that are expected.
#ifndef HOIST_SRC_FORMATS_BUDA_NETLIST_TESTING_H
#define HOIST_SRC_FORMATS_BUDA_NETLIST_TESTING_H

#include <string.h>

#include "base/buffer.h"
#include "formats/buda/buda.h"
#include "formats/buda/check.h"
#include "formats/buda/program.h"
#include "testing/test.h"
#include "testing/text_tree.h"

// A netlist with every key of the format, which breaks no rule of the reader.
extern const char buda_test_full_netlist[];
// A small netlist of two graphs on two chips, with a fused op, a loop and a host queue, for what
// is shown of it.
extern const char buda_test_show_netlist[];

// Texts ------------------------------------------------------------------------------------------

// `base` with the first `find` replaced by `put`; `base` itself when `find` is NULL. A `find` that
// does not occur fails the test.
hoist_bytes buda_test_patched(hoist_test *t, const char *base, const char *find, const char *put);
// Place of the text `at` in `text`, or of what follows the ^ in `at`; line 0 when it does
// not occur.
hoist_pos buda_test_place(hoist_test *t, hoist_bytes text, const char *at);
// The document of a generator, in the test's arena.
hoist_bytes buda_test_written(hoist_test *t, const hoist_text_node *root);

// Reading and checking ----------------------------------------------------------------------------

// Reads `text`; NULL when no module came of it. The caller destroys it with buda_test_destroy.
const hoist_buda_module *buda_test_read(hoist_test *t, hoist_bytes text);
void buda_test_destroy(const hoist_buda_module *module);
// Reads and checks `text` as `hoist check` does; `options` may be NULL.
void buda_test_check(hoist_test *t, hoist_bytes text, const hoist_check_options *options);

// What one part of the checks works on.
typedef struct buda_opened {
    const hoist_buda_module *module; // owned
    buda_net net;                    // owned
    buda_check check;                // of the two, findings to the test's diag
} buda_opened;

// Reads `text` and builds its net for `arch` (NULL: wormhole_b0; what names none: BUDA_ARCH_NONE).
// False when no module came of it: nothing to close.
bool buda_test_open(hoist_test *t, hoist_bytes text, const char *arch, buda_opened *out);
void buda_test_close(buda_opened *opened);
// Runs one part over `text` with each of its pieces of scratch memory refused in turn.
void buda_test_starve(hoist_test *t, hoist_bytes text, hoist_status (*part)(const buda_check *));

// Findings ---------------------------------------------------------------------------------------

// Expects a finding of rule `id` at a place that says `says` (NULL: anything).
void buda_test_expect(hoist_test *t, const char *id, uint32_t line, uint32_t column,
                      const char *says);
// The first finding of rule `id`; NULL when there is none.
const hoist_finding *buda_test_find(const hoist_diag *diag, const char *id);
// How many findings have an id that begins with `prefix`.
size_t buda_test_count(const hoist_diag *diag, const char *prefix);

// One place of the full netlist changed.
typedef struct buda_finding_row {
    const char *name;
    const char *find; // in the full netlist
    const char *put;
    const char *rule;
    const char *at; // the finding's place is that of this text; NULL: no place
    const char *says;
} buda_finding_row;

// Reads the row's netlist and expects its finding, and no other one when `alone`.
void buda_test_finding_row(hoist_test *t, const buda_finding_row *row, bool alone);

// A text whose findings are marked by `@`.
#define BUDA_TEST_MARKS 8
typedef struct buda_marked {
    hoist_bytes text; // without the marks; arena
    hoist_pos marks[BUDA_TEST_MARKS];
    size_t count;
} buda_marked;

buda_marked buda_test_marked(hoist_test *t, hoist_str text);
// Expects findings of `rules`, ids with blanks between, at the marks in their order, and no other;
// NULL: none at all.
void buda_test_expect_marked(hoist_test *t, const char *rules, const buda_marked *marked);

// Rows of op rules -------------------------------------------------------------------------------

// Changes a netlist of one op that breaks no rule. The edits are "object.key: value" joined by
// " | ": the key's line of queue a, b, d or o, or of op x or y, is replaced or added;
// "object.key!" takes it away. Op y is there only when edited. The edit "p.o: {...}" replaces the
// setting of queue o in the only execute.
typedef struct buda_op_row {
    const char *name;
    const char *arch;  // NULL: wormhole_b0
    const char *edits; // NULL: none
    const char *rule;  // NULL: no finding of warning or error
    const char *at;    // text where the finding is, ^ before its first byte
    const char *says;  // part of the message; NULL: any
} buda_op_row;

// The netlist of `edits`, in the test's arena.
hoist_bytes buda_test_op_netlist(hoist_test *t, const char *edits);
// Reads `text` and runs the parts that check ops, fused ops and shapes. `arch` NULL is
// wormhole_b0, `cluster` may be NULL.
void buda_test_check_ops(hoist_test *t, hoist_bytes text, const char *arch,
                         const buda_cluster *cluster);
// Expects the row's finding at its place, or none at all.
void buda_test_expect_row(hoist_test *t, const buda_op_row *row, hoist_bytes text);
void buda_test_op_row(hoist_test *t, const buda_op_row *row);

// Rows of program rules --------------------------------------------------------------------------

// Programs over queues and graphs that are always the same.
typedef struct buda_program_row {
    const char *name;
    const char *programs; // `@` marks the place of the finding
    const char *rule;     // NULL: no finding
} buda_program_row;

// What rows are written with: programs p and r, an instruction, an execute, settings of `a`.
#define PROGRAM_P "- p:\n"
#define PROGRAM_R "- r:\n"
#define PROGRAM_LINE(text) "    - " text "\n"
#define PROGRAM_EXECUTE(graph, settings)                                                           \
    "    - execute: {graph_name: " graph ", queue_settings: {" settings "}}\n"
#define PROGRAM_A00 "a: {rd_ptr_local: 0, rd_ptr_global: 0}"
#define PROGRAM_ALL "a: {rd_ptr_local: $l, rd_ptr_global: $l}"

buda_marked buda_test_programs(hoist_test *t, const char *programs);
// Reads `text` and runs the program checks over it with `alloc`, for the netlist's own arch. What
// reading finds goes to `read_diag`.
hoist_status buda_test_check_programs(hoist_bytes text, hoist_allocator alloc,
                                      hoist_diag *read_diag, hoist_diag *diag);
void buda_test_program_row(hoist_test *t, const buda_program_row *row);

// Rows of the buda-netlist reference -------------------------------------------------------------

// A netlist in the frame of the reference's section 10, checked completely.
typedef struct buda_reference_row {
    const char *name;
    const char *head;     // the sections queues and graphs
    const char *programs; // items of the list programs
    const char *rules;    // one per `@`, in their order, with blanks between; NULL: no finding
} buda_reference_row;

void buda_test_reference_row(hoist_test *t, const buda_reference_row *row);

// Queues and graphs. `inputs` and `formats` are lists without their brackets, `more` begins with a
// comma.
#define REF_STORE(name, type, input, entries, device, address, more)                               \
    "  " name ": {type: " type ", input: " input ", entries: " entries                             \
    ", grid_size: [1, 1], mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: " device     \
    ", loc: dram, dram: [[0, " address "]]" more "}\n"
#define REF_QUEUE(name, input, entries, address)                                                   \
    REF_STORE(name, "queue", input, entries, "0", address, ", t: 1")
#define REF_RAM(name, input, entries, address)                                                     \
    REF_STORE(name, "ram", input, entries, "0", address, ", t: 1")
#define REF_GRAPH_ON(device, name, input_count)                                                    \
    "  " name ":\n    target_device: " device "\n    input_count: " input_count "\n"
#define REF_GRAPH(name, input_count) REF_GRAPH_ON("0", name, input_count)
#define REF_OP(name, type, inputs, formats, more)                                                  \
    "    " name ": {type: " type ", grid_loc: [0, 0], grid_size: [1, 1], inputs: [" inputs         \
    "], in_df: [" formats "], acc_df: Float32, out_df: Float32, intermed_df: Float32, "            \
    "ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi3, mblock: [1, 1], ublock: [1, 1]" more   \
    "}\n"
#define REF_NOP(name, input) REF_OP(name, "nop", input, "Float32", ", t: 1")

// Programs.
#define REF_P "  - p:\n"
#define REF_R "  - r:\n"
#define REF_LINE(text) "      - " text "\n"
#define REF_EXECUTE(graph, settings)                                                               \
    REF_LINE("execute: {graph_name: " graph ", queue_settings: {" settings "}}")
#define REF_SET(name, local, global) name ": {rd_ptr_local: " local ", rd_ptr_global: " global "}"
#define REF_RAM_SET(name, rd, wr) name ": {rd_ptr_global: " rd ", wr_ptr_global: " wr "}"

#endif // HOIST_SRC_FORMATS_BUDA_NETLIST_TESTING_H
