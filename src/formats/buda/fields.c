// The rows of fields.h: one for each key of a netlist's objects. Reader (read.c), writer (write.c),
// visitor (visit.c) and schema follow them through codec/record.h. `summary` is the sentence that
// schemas have for the key. `wrong` is the rule of a wrong value; missing and unknown keys are
// reported under the rule of the table.
#include "formats/buda/fields.h"

#include "base/span.h"

// Columns that rows share; `.min` and `.max` both 0 mean any.
#define KEY(text) .places = true, HOIST_REC_KEY(text)
#define WRONG(rule) .wrong = BUDA_##rule
#define REQUIRED(rule) .need = HOIST_REC_REQUIRED, WRONG(rule)
#define RANGE(low, high) .min = (low), .max = (high)

// The parser keeps numbers in C ints.
// LOW: a rule of another file checks the range, or there is none.
enum { TOP = INT32_MAX, LOW = INT32_MIN };

// clang-format off
// Section 1.4. First the key that decides which pointers a setting may have (rule 25).
#define AT(member) HOIST_REC_AT(buda_queue, member)
static const hoist_rec_field queue_fields[] = {
    {KEY("type"), HOIST_REC_WORD, AT(type), REQUIRED(008), .fallback = -1,
     .words = &buda_queue_type_words,
     .summary = "queue (first in, first out) or ram (slots named by pointers)"},
    {KEY("input"), HOIST_REC_STR, AT(input), REQUIRED(005),
     .summary = "HOST or the op that feeds it"},
    {KEY("entries"), HOIST_REC_INT, AT(entries), REQUIRED(007), RANGE(1, TOP),
     .summary = "number of slots"},
    {KEY("grid_size"), BUDA_KIND_PAIR, AT(grid_size), REQUIRED(007), RANGE(1, TOP),
     .summary = "rows and columns of buffers"},
    {KEY("t"), HOIST_REC_INT, AT(t), REQUIRED(007), RANGE(1, TOP),
     .summary = "macro blocks of one entry"},
    {KEY("mblock"), BUDA_KIND_PAIR, AT(mblock), REQUIRED(007), RANGE(1, TOP),
     .summary = "micro blocks of a macro block"},
    {KEY("ublock"), BUDA_KIND_PAIR, AT(ublock), REQUIRED(007), RANGE(1, TOP),
     .summary = "tiles of a micro block"},
    {KEY("ublock_order"), HOIST_REC_WORD, AT(ublock_order), WRONG(008), .fallback = BUDA_ORDER_R,
     .words = &buda_order_words, .summary = "order of micro blocks in a macro block"},
    {KEY("tile_dim"), BUDA_KIND_TILE_DIM, AT(tile_dim), WRONG(008), RANGE(1, TOP), .fallback = 32,
     .summary = "rows and columns of a tile"},
    {KEY("df"), HOIST_REC_WORD, AT(df), REQUIRED(008), .fallback = BUDA_DF_NONE,
     .words = &buda_df_words, .summary = "data format"},
    {KEY("layout"), HOIST_REC_WORD, AT(layout), WRONG(008), .fallback = BUDA_LAYOUT_TILIZED,
     .words = &buda_layout_words, .summary = "tiles with headers, or plain rows"},
    {KEY("alias"), HOIST_REC_STR, AT(alias), WRONG(005),
     .summary = "the ram whose storage it shares"},
    {KEY("input_tms"), BUDA_KIND_TMS, AT(input_tms), WRONG(005), RANGE(1, TOP),
     .summary = "tensor manipulations before the queue"},
    {KEY("target_device"), BUDA_KIND_DEVICES, AT(target_device), REQUIRED(007), RANGE(0, TOP),
     .summary = "the chip, or a list of chips that have one copy each"},
    {KEY("loc"), HOIST_REC_WORD, AT(loc), REQUIRED(008), .fallback = -1, .words = &buda_loc_words,
     .summary = "memory it lies in"},
    {KEY("dram"), BUDA_KIND_PLACES, AT(dram), .need = BUDA_WITH_DRAM, WRONG(005),
     // Unsigned addresses, unlike all other numbers.
     RANGE(0, UINT32_MAX), .summary = "channel and address of each buffer"},
    {KEY("host"), BUDA_KIND_HOST_PLACES, AT(host), .need = BUDA_WITH_HOST, WRONG(005),
     RANGE(0, UINT32_MAX), .summary = "address, or channel and address, of each buffer"},
    // Any integer passes: rule 94 (check_buffers.c) checks ports against the architecture.
    {KEY("read_ports"), HOIST_REC_INTS, AT(read_ports), WRONG(005), RANGE(LOW, TOP),
     .summary = "port that each buffer is read by"},
    {KEY("write_ports"), HOIST_REC_INTS, AT(write_ports), WRONG(005), RANGE(LOW, TOP),
     .summary = "port that each buffer is written by"},
};
#undef AT

// Section 1.5: two keys, everything else in the map of a graph is an op (read_graph.c).
#define AT(member) HOIST_REC_AT(buda_graph, member)
static const hoist_rec_field graph_fields[] = {
    {KEY("target_device"), BUDA_KIND_DEVICES, AT(target_device), REQUIRED(006), RANGE(0, TOP),
     .summary = "the chip, or a list of chips that run one copy each"},
    // check_links.c checks that it is 1 or more, with the queues it must agree with.
    {KEY("input_count"), HOIST_REC_INT, AT(input_count), REQUIRED(015), RANGE(LOW, TOP),
     .fallback = 1, .summary = "tensors that one execute handles"},
};
#undef AT

// Section 1.5. Defaults are the specification's where the vendor's parser has none of its own.
#define AT(member) HOIST_REC_AT(buda_op, member)
static const hoist_rec_field op_fields[] = {
    {KEY("type"), HOIST_REC_STR, AT(type), REQUIRED(006), .summary = "what it computes"},
    {KEY("grid_loc"), BUDA_KIND_GRID_LOC, AT(grid_loc), .need = BUDA_UNLESS_ETH, WRONG(016a),
     RANGE(LOW, TOP), .summary = "logical row and column of its first core"},
    {KEY("grid_size"), BUDA_KIND_PAIR, AT(grid_size), REQUIRED(016a), RANGE(1, TOP),
     .summary = "rows and columns of cores"},
    // Absent booleans are false: HOIST_REC_BOOL without a fallback.
    {KEY("grid_transpose"), HOIST_REC_BOOL, AT(grid_transpose), WRONG(006),
     .summary = "rows of the grid run along the columns of the chip"},
    {KEY("inputs"), HOIST_REC_STRS, AT(inputs), REQUIRED(006),
     .summary = "queues and ops that it reads"},
    {KEY("t"), HOIST_REC_INT, AT(t), REQUIRED(016a), RANGE(1, TOP),
     .summary = "macro blocks of one output"},
    {KEY("mblock"), BUDA_KIND_PAIR, AT(mblock), REQUIRED(016a), RANGE(1, TOP),
     .summary = "micro blocks of a macro block of one core"},
    {KEY("ublock"), BUDA_KIND_PAIR, AT(ublock), REQUIRED(016a), RANGE(1, TOP),
     .summary = "tiles of a micro block"},
    // The parser's own default is -1, which it refuses; the specification's 1 is taken, with
    // warning 016b.
    {KEY("buf_size_mb"), HOIST_REC_INT, AT(buf_size_mb), .need = BUDA_ADVISED, WRONG(016a),
     RANGE(0, TOP), .fallback = 1, .summary = "output buffer in macro blocks"},
    {KEY("overlay_size"), HOIST_REC_INT, AT(overlay_size), WRONG(006), RANGE(0, TOP),
     .summary = "extra bytes for the overlay program"},
    // Lists may be shorter than the inputs, not longer (rule 14); an absent list is all zeros.
    {KEY("input_buf_min_size_tiles"), HOIST_REC_INTS, AT(input_buf_min_size_tiles), WRONG(006),
     RANGE(0, TOP), .summary = "least buffer of each input in tiles, 0: the backend decides"},
    {KEY("input_dram_io_buf_size_tiles"), HOIST_REC_INTS, AT(input_dram_io_buf_size_tiles),
     WRONG(006), RANGE(0, TOP),
     .summary = "DRAM buffer of each input in tiles, 0: the backend decides"},
    // The slot is the op: the reader of forks sets three of its members.
    {KEY("forked_dram_inputs"), BUDA_KIND_FORKS, AT(name), WRONG(006),
     .summary = "queues that it gets through another op"},
    {KEY("ublock_order"), HOIST_REC_WORD, AT(ublock_order), WRONG(008), .fallback = BUDA_ORDER_R,
     .words = &buda_order_words, .summary = "order of micro blocks in a macro block"},
    {KEY("in_df"), HOIST_REC_WORDS, AT(in_df), REQUIRED(008), .words = &buda_df_words,
     .summary = "data format of each input"},
    {KEY("out_df"), HOIST_REC_WORD, AT(out_df), REQUIRED(008), .fallback = BUDA_DF_NONE,
     .words = &buda_df_words, .summary = "data format of the output"},
    {KEY("intermed_df"), HOIST_REC_WORD, AT(intermed_df), REQUIRED(008), .fallback = BUDA_DF_NONE,
     .words = &buda_df_words, .summary = "data format of intermediate results"},
    {KEY("acc_df"), HOIST_REC_WORD, AT(acc_df), REQUIRED(008), .fallback = BUDA_DF_NONE,
     .words = &buda_df_words, .summary = "data format of the DEST register"},
    {KEY("math_fidelity"), HOIST_REC_WORD, AT(math_fidelity), REQUIRED(008), .fallback = -1,
     .words = &buda_fidelity_words, .summary = "passes of the multipliers"},
    {KEY("untilize_output"), HOIST_REC_BOOL, AT(untilize_output), WRONG(006),
     .summary = "row-major output"},
    {KEY("gradient_op"), HOIST_REC_BOOL, AT(gradient_op), WRONG(006),
     .summary = "the output accumulates"},
    {KEY("tile_dim"), BUDA_KIND_TILE_DIM, AT(tile_dim), WRONG(008), RANGE(1, TOP), .fallback = 32,
     .summary = "rows and columns of an output tile"},
    {KEY("attributes"), BUDA_KIND_ATTRIBUTES, AT(attributes), WRONG(085),
     .summary = "what the op type needs besides"},
};
#undef AT

// Keys of one input without their prefix: "input_0_tms" is found as "tms" (read_input_keys.c).
#define AT(member) HOIST_REC_AT(buda_input_keys, member)
static const hoist_rec_field input_keys_fields[] = {
    {KEY("tms"), BUDA_KIND_TMS, AT(tms), WRONG(006), RANGE(1, TOP),
     .summary = "tensor manipulations of the input"},
    {KEY("pad"), HOIST_REC_TABLE, AT(pad), WRONG(006), .table = &buda_pad_table,
     .summary = "tiles added after them"},
    {KEY("unpad"), HOIST_REC_TABLE, AT(unpad), WRONG(006), .table = &buda_unpad_table,
     .summary = "tiles removed before them"},
};
#undef AT

// A map of its own inside an op; `pad_value` counts for pads only.
#define AT(member) HOIST_REC_AT(buda_pad, member)
static const hoist_rec_field pad_fields[] = {
    {KEY("rt"), HOIST_REC_INT, AT(rt), REQUIRED(006), RANGE(0, TOP), .summary = "rows of tiles"},
    {KEY("ct"), HOIST_REC_INT, AT(ct), REQUIRED(006), RANGE(0, TOP), .summary = "columns of tiles"},
    {KEY("pad_value"), HOIST_REC_FLOAT, AT(pad_value), WRONG(006),
     .summary = "value of the added elements"},
};
// The first rows of pad_fields: what is removed has no value.
enum { UNPAD_FIELDS = 2 };
#undef AT

// Section 1.10. `schedules` has no row, because it is a list of lists: read_fused.c.
#define AT(member) HOIST_REC_AT(buda_fused, member)
static const hoist_rec_field fused_fields[] = {
    {KEY("inputs"), HOIST_REC_INT, AT(inputs), REQUIRED(006), RANGE(0, TOP),
     .summary = "inputs of the fused op"},
    {KEY("intermediates"), HOIST_REC_INT, AT(intermediates), REQUIRED(006), RANGE(0, TOP),
     .summary = "intermediate buffers"},
    {KEY("custom_kernel_path"), HOIST_REC_STR, AT(custom_kernel_path), WRONG(006),
     .summary = "folder of a hand-written kernel"},
};
#undef AT

// Section 1.10. A sub-op has no t, formats or order: those are the base op's.
#define AT(member) HOIST_REC_AT(buda_sub_op, member)
static const hoist_rec_field sub_op_fields[] = {
    // The same three shapes as an op, without a grid: each core runs the whole schedule on its
    // block.
    {KEY("type"), HOIST_REC_STR, AT(type), REQUIRED(006), .summary = "what it computes"},
    {KEY("inputs"), BUDA_KIND_OPERANDS, AT(inputs), REQUIRED(006),
     .summary = "input<N>, intermed<N> or dest"},
    {KEY("mblock"), BUDA_KIND_PAIR, AT(mblock), REQUIRED(016a), RANGE(1, TOP),
     .summary = "micro blocks of a macro block"},
    {KEY("ublock"), BUDA_KIND_PAIR, AT(ublock), REQUIRED(016a), RANGE(1, TOP),
     .summary = "tiles of a micro block"},
    {KEY("zero_point"), HOIST_REC_FLOAT, AT(zero_point), WRONG(006),
     .summary = "zero point of the quantization ops"},
    {KEY("attributes"), BUDA_KIND_ATTRIBUTES, AT(attributes), WRONG(085),
     .summary = "what the op type needs besides"},
    {KEY("pop"), BUDA_KIND_OPERANDS, AT(pop), WRONG(006), .summary = "inputs freed after each use"},
    {KEY("pop_last"), BUDA_KIND_OPERANDS, AT(pop_last), WRONG(006),
     .summary = "inputs freed after the last use"},
    {KEY("output"), BUDA_KIND_OPERAND, AT(output), REQUIRED(006),
     .summary = "intermed<N>, dest or output"},
};
#undef AT

// Section 2.6: all values are tokens, since any of them may name a variable. Slots are an array,
// so that program_code.c can walk them by number.
#define AT(key) HOIST_REC_AT(buda_setting, fields[key])
static const hoist_rec_field setting_fields[] = {
    // Defaults depend on the queue's type and are not in the rows: buda_setting_default() of
    // program.h.
    {KEY("prologue"), BUDA_KIND_TOKEN, AT(BUDA_S_PROLOGUE), WRONG(025),
     .summary = "read once before the epoch and use for all inputs"},
    {KEY("epilogue"), BUDA_KIND_TOKEN, AT(BUDA_S_EPILOGUE), WRONG(025),
     .summary = "write back once after the epoch"},
    {KEY("zero"), BUDA_KIND_TOKEN, AT(BUDA_S_ZERO), WRONG(025),
     .summary = "clear before the epoch"},
    {KEY("rd_ptr_local"), BUDA_KIND_TOKEN, AT(BUDA_S_RD_PTR_LOCAL), WRONG(025),
     .summary = "where this graph starts to read"},
    {KEY("rd_ptr_global"), BUDA_KIND_TOKEN, AT(BUDA_S_RD_PTR_GLOBAL), WRONG(025),
     .summary = "entries before it may be overwritten"},
    {KEY("wr_ptr_global"), BUDA_KIND_TOKEN, AT(BUDA_S_WR_PTR_GLOBAL), WRONG(025),
     .summary = "where a ram is written"},
    {KEY("rd_ptr_autoinc"), BUDA_KIND_TOKEN, AT(BUDA_S_RD_PTR_AUTOINC), WRONG(025),
     .summary = "step of the local pointer after each input"},
    {KEY("global_rdptr_autoinc"), BUDA_KIND_TOKEN, AT(BUDA_S_GLOBAL_RDPTR_AUTOINC), WRONG(025),
     .summary = "entries popped after each input"},
    {KEY("global_wrptr_autoinc"), BUDA_KIND_TOKEN, AT(BUDA_S_GLOBAL_WRPTR_AUTOINC), WRONG(025),
     .summary = "step of a ram's write pointer after each output"},
    {KEY("read_only"), BUDA_KIND_TOKEN, AT(BUDA_S_READ_ONLY), WRONG(025),
     .summary = "the epoch leaves a ram's write pointer alone"},
};
#undef AT

// queue_settings is a map of named records and is read by a hook (read_program.c).
static const hoist_rec_field execute_fields[] = {
    {KEY("graph_name"), HOIST_REC_STR, HOIST_REC_AT(buda_instr, graph), REQUIRED(024),
     .summary = "the graph to run"},
};

// clang-format on

// Keys that no row knows are kept; a pad is a map inside another.
// Offsets that the tables share: where unknown keys are kept, where the location of the map is.
#define TABLE(rows) .fields = (rows), .count = HOIST_COUNT_OF(rows), .present_at = HOIST_REC_NONE
#define KEEPS(type)                                                                                \
    .size = sizeof(type), .extra_at = offsetof(type, extra), .place_at = HOIST_REC_NONE
#define DROPS(type) .size = sizeof(type), .extra_at = HOIST_REC_NONE, .place_at = HOIST_REC_NONE
#define PAD                                                                                        \
    .size = sizeof(buda_pad), .extra_at = HOIST_REC_NONE, .place_at = offsetof(buda_pad, pos),     \
    .one_line = true
// Missing and unknown keys; absent keys that are advised
#define RULES(both, advised) .rule = BUDA_##both, .other_rule = BUDA_##advised

const hoist_rec_table buda_queue_table = {"a queue", TABLE(queue_fields), RULES(005, 005),
                                          KEEPS(buda_queue), .hooks = BUDA_HOOKS_QUEUE};
const hoist_rec_table buda_graph_table = {"a graph", TABLE(graph_fields), RULES(006, 006),
                                          // Unknown keys are ops, hence nothing is left to keep.
                                          DROPS(buda_graph), .hooks = BUDA_HOOKS_GRAPH};
const hoist_rec_table buda_op_table = {"an op", TABLE(op_fields), RULES(006, 016b), KEEPS(buda_op),
                                       .hooks = BUDA_HOOKS_OP};
const hoist_rec_table buda_input_keys_table = {"an input", TABLE(input_keys_fields),
                                               RULES(006, 006), DROPS(buda_input_keys)};
const hoist_rec_table buda_pad_table = {"a pad", TABLE(pad_fields), RULES(006, 006), PAD};
const hoist_rec_table buda_unpad_table = {
    "an unpad", pad_fields, UNPAD_FIELDS, RULES(006, 006), .present_at = HOIST_REC_NONE, PAD};
const hoist_rec_table buda_fused_table = {
    "a fused op", TABLE(fused_fields), RULES(006, 006),
    // Keys at this level are ignored by the vendor's parser, too.
    KEEPS(buda_fused), .hooks = BUDA_HOOKS_FUSED, .lenient = true};
const hoist_rec_table buda_sub_op_table = {"a sub-op", TABLE(sub_op_fields), RULES(006, 006),
                                           KEEPS(buda_sub_op), .hooks = BUDA_HOOKS_SUB_OP};
const hoist_rec_table buda_setting_table = {"a queue setting", TABLE(setting_fields),
                                            RULES(025, 025), KEEPS(buda_setting),
                                            .hooks = BUDA_HOOKS_SETTING};
const hoist_rec_table buda_execute_table = {"execute", TABLE(execute_fields), RULES(024, 024),
                                            KEEPS(buda_instr), .hooks = BUDA_HOOKS_EXECUTE};

// Both numbers get the fallback: 32 for a tile_dim, 0 for shapes.
static void clear_pair(const hoist_rec_field *field, void *slot)
{
    *(buda_pair *)slot = (buda_pair){field->fallback, field->fallback, {0, 0}};
}

// Members that the record reader needs of each own kind; the order is that of buda_kind.
// clang-format off
#define AT(type) .place_at = offsetof(type, pos)
const hoist_rec_own buda_kinds[] = {
    [BUDA_KIND_OPERAND - HOIST_REC_OWN]     = {AT(buda_name)},
    [BUDA_KIND_TOKEN - HOIST_REC_OWN]       = {AT(buda_token)},
    [BUDA_KIND_PAIR - HOIST_REC_OWN]        = {AT(buda_pair), .clear = clear_pair},
    [BUDA_KIND_GRID_LOC - HOIST_REC_OWN]    = {AT(buda_pair), .clear = clear_pair},
    [BUDA_KIND_TILE_DIM - HOIST_REC_OWN]    = {AT(buda_pair), .clear = clear_pair},
    [BUDA_KIND_DEVICES - HOIST_REC_OWN]     = {AT(buda_ints)},
    // Collects: equal keys add up, as in yaml-cpp's iteration.
    [BUDA_KIND_OPERANDS - HOIST_REC_OWN]    = {AT(buda_names), .collects = true},
    [BUDA_KIND_PLACES - HOIST_REC_OWN]      = {AT(buda_places), .collects = true},
    [BUDA_KIND_HOST_PLACES - HOIST_REC_OWN] = {AT(buda_places), .collects = true},
    [BUDA_KIND_TMS - HOIST_REC_OWN]         = {AT(buda_tms), .collects = true},
    [BUDA_KIND_ATTRIBUTES - HOIST_REC_OWN]  = {AT(buda_attributes), .collects = true},
    // The slot is the op, see the row.
    [BUDA_KIND_FORKS - HOIST_REC_OWN]       = {.place_at = offsetof(buda_op, forked_pos),
                                               .collects = true},
};
// clang-format on
