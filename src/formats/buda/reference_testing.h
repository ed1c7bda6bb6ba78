// formats/buda/reference_testing.h - for tests that go through the buda-netlist reference row by
// row: netlists in the frame of its section 10, read and judged as a whole, with the place of every
// finding marked `@`.
#ifndef HOIST_SRC_FORMATS_BUDA_REFERENCE_TESTING_H
#define HOIST_SRC_FORMATS_BUDA_REFERENCE_TESTING_H

#include <string.h>

#include "formats/buda/check.h"
#include "testing/test.h"

typedef struct reference_case {
    const char *name;
    const char *head;     // the sections queues and graphs
    const char *programs; // items of the list programs
    const char *rules;    // one per `@`, in their order, with blanks between; NULL: no finding
} reference_case;

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

#define REF_MAX_MARKS 8

// Takes the `@` out of `text`; their places go to `marks`. Returns how many there were.
static inline size_t reference_marks(char *text, hoist_pos marks[REF_MAX_MARKS])
{
    hoist_pos at = {1, 1};
    size_t count = 0;
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from == '@' && count < REF_MAX_MARKS) {
            marks[count++] = at;
            continue;
        }
        *to++ = *from;
        at = *from == '\n' ? (hoist_pos){at.line + 1, 1} : (hoist_pos){at.line, at.column + 1};
    }
    *to = '\0';
    return count;
}

// True when exactly one finding is of the rule `id` at `pos`.
static inline bool reference_has(const hoist_diag *diag, hoist_str id, hoist_pos pos)
{
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_finding *finding = hoist_diag_at(diag, i);
        count += hoist_str_equal_c(id, finding->rule->id) && finding->loc.pos.line == pos.line &&
                 finding->loc.pos.column == pos.column;
    }
    return count == 1;
}

// Expects the findings of `rules` at `marks`, and no other.
static inline void reference_findings(hoist_test *t, const char *rules, const hoist_pos *marks,
                                      size_t mark_count)
{
    size_t count = 0;
    for (const char *from = rules ? rules : ""; *from && count < mark_count; count++) {
        const size_t size = strcspn(from, " ");
        const hoist_pos pos = marks[count];
        if (!reference_has(t->diag, (hoist_str){from, size}, pos)) {
            hoist_test_fail(t, __FILE__, __LINE__, "wanted %.*s at %u:%u", (int)size, from,
                            pos.line, pos.column);
        }
        from += size + (from[size] == ' ');
    }
    HOIST_EXPECT_EQ(t, count, mark_count);
    if (hoist_diag_kept(t->diag) != count) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "wanted %zu findings, got\n%.*s", count,
                        HOIST_STR_ARGS(all));
    }
}

// Reads and judges the netlist of `row` as `hoist check` does.
static inline void reference_expect(hoist_test *t, const reference_case *row)
{
    const hoist_str whole = hoist_arena_format(
        &t->arena, "devices:\n  arch: wormhole_b0\n%sprograms:\n%s", row->head, row->programs);
    char *text = hoist_arena_alloc(&t->arena, whole.size + 1);
    memcpy(text, whole.data, whole.size);
    hoist_pos marks[REF_MAX_MARKS];
    const size_t mark_count = reference_marks(text, marks);
    const hoist_read_options read_options = {.alloc = hoist_allocator_system()};
    const hoist_check_options check_options = {0};
    hoist_module *module = NULL;
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    HOIST_EXPECT_EQ(t, hoist_buda_format.read(bytes, &read_options, t->diag, &module), HOIST_OK);
    if (module) {
        HOIST_EXPECT_EQ(t, hoist_buda_format.check(module, &check_options, t->diag), HOIST_OK);
        hoist_buda_format.destroy(module);
        reference_findings(t, row->rules, marks, mark_count);
    }
}

#endif // HOIST_SRC_FORMATS_BUDA_REFERENCE_TESTING_H
