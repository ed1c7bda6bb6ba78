#include "formats/buda/fields.h"

#include <stddef.h>

#include "base/span.h"

// The parser keeps numbers in C ints.
enum { TOP = INT32_MAX, LOW = INT32_MIN };

// clang-format off
#define AT(member) offsetof(buda_queue, member)
// Rows: key, kind, offset, need, rule of a wrong value, min, max, fallback, words, summary.
static const buda_field queue_fields[] = {
    {"type", BUDA_KIND_WORD, AT(type), BUDA_REQUIRED, BUDA_008, 0, 0, -1, &buda_queue_type_words,
     "queue (first in, first out) or ram (slots named by pointers)"},
    {"input", BUDA_KIND_NAME, AT(input), BUDA_REQUIRED, BUDA_005, 0, 0, 0, NULL,
     "HOST or the op that feeds it"},
    {"entries", BUDA_KIND_INT, AT(entries), BUDA_REQUIRED, BUDA_007, 1, TOP, 0, NULL,
     "number of slots"},
    {"grid_size", BUDA_KIND_PAIR, AT(grid_size), BUDA_REQUIRED, BUDA_007, 1, TOP, 0, NULL,
     "rows and columns of buffers"},
    {"t", BUDA_KIND_INT, AT(t), BUDA_REQUIRED, BUDA_007, 1, TOP, 0, NULL,
     "macro blocks of one entry"},
    {"mblock", BUDA_KIND_PAIR, AT(mblock), BUDA_REQUIRED, BUDA_007, 1, TOP, 0, NULL,
     "micro blocks of a macro block"},
    {"ublock", BUDA_KIND_PAIR, AT(ublock), BUDA_REQUIRED, BUDA_007, 1, TOP, 0, NULL,
     "tiles of a micro block"},
    {"ublock_order", BUDA_KIND_WORD, AT(ublock_order), BUDA_OPTIONAL, BUDA_008, 0, 0, BUDA_ORDER_R,
     &buda_order_words, "order of micro blocks in a macro block"},
    {"tile_dim", BUDA_KIND_TILE_DIM, AT(tile_dim), BUDA_OPTIONAL, BUDA_008, 1, TOP, 32, NULL,
     "rows and columns of a tile"},
    {"df", BUDA_KIND_WORD, AT(df), BUDA_REQUIRED, BUDA_008, 0, 0, BUDA_DF_NONE, &buda_df_words,
     "data format"},
    {"layout", BUDA_KIND_WORD, AT(layout), BUDA_OPTIONAL, BUDA_008, 0, 0, BUDA_LAYOUT_TILIZED,
     &buda_layout_words, "tiles with headers, or plain rows"},
    {"alias", BUDA_KIND_NAME, AT(alias), BUDA_OPTIONAL, BUDA_005, 0, 0, 0, NULL,
     "the ram whose storage it shares"},
    {"input_tms", BUDA_KIND_TMS, AT(input_tms), BUDA_OPTIONAL, BUDA_005, 1, TOP, 0, NULL,
     "tensor manipulations before the queue"},
    {"target_device", BUDA_KIND_DEVICES, AT(target_device), BUDA_REQUIRED, BUDA_007, 0, TOP, 0, NULL,
     "the chip, or a list of chips that have one copy each"},
    {"loc", BUDA_KIND_WORD, AT(loc), BUDA_REQUIRED, BUDA_008, 0, 0, -1, &buda_loc_words,
     "memory it lies in"},
    {"dram", BUDA_KIND_PLACES, AT(dram), BUDA_WITH_DRAM, BUDA_005, 0, UINT32_MAX, 0, NULL,
     "channel and address of each buffer"},
    {"host", BUDA_KIND_HOST_PLACES, AT(host), BUDA_WITH_HOST, BUDA_005, 0, UINT32_MAX, 0, NULL,
     "address, or channel and address, of each buffer"},
    {"read_ports", BUDA_KIND_INTS, AT(read_ports), BUDA_OPTIONAL, BUDA_005, LOW, TOP, 0, NULL,
     "port that each buffer is read by"},
    {"write_ports", BUDA_KIND_INTS, AT(write_ports), BUDA_OPTIONAL, BUDA_005, LOW, TOP, 0, NULL,
     "port that each buffer is written by"},
};
#undef AT

#define AT(member) offsetof(buda_graph, member)
static const buda_field graph_fields[] = {
    {"target_device", BUDA_KIND_DEVICES, AT(target_device), BUDA_REQUIRED, BUDA_006, 0, TOP, 0, NULL,
     "the chip, or a list of chips that run one copy each"},
    // That it is 1 or more is judged with the queues it must agree with.
    {"input_count", BUDA_KIND_INT, AT(input_count), BUDA_REQUIRED, BUDA_015, LOW, TOP, 1, NULL,
     "tensors that one execute handles"},
};
#undef AT

#define AT(member) offsetof(buda_op, member)
static const buda_field op_fields[] = {
    {"type", BUDA_KIND_NAME, AT(type), BUDA_REQUIRED, BUDA_006, 0, 0, 0, NULL,
     "what it computes"},
    {"grid_loc", BUDA_KIND_PAIR, AT(grid_loc), BUDA_UNLESS_ETH, BUDA_016a, LOW, TOP, 0, NULL,
     "logical row and column of its first core"},
    {"grid_size", BUDA_KIND_PAIR, AT(grid_size), BUDA_REQUIRED, BUDA_016a, 1, TOP, 0, NULL,
     "rows and columns of cores"},
    {"grid_transpose", BUDA_KIND_BOOL, AT(grid_transpose), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "rows of the grid run along the columns of the chip"},
    {"inputs", BUDA_KIND_NAMES, AT(inputs), BUDA_REQUIRED, BUDA_006, 0, 0, 0, NULL,
     "queues and ops that it reads"},
    {"t", BUDA_KIND_INT, AT(t), BUDA_REQUIRED, BUDA_016a, 1, TOP, 0, NULL,
     "macro blocks of one output"},
    {"mblock", BUDA_KIND_PAIR, AT(mblock), BUDA_REQUIRED, BUDA_016a, 1, TOP, 0, NULL,
     "micro blocks of a macro block of one core"},
    {"ublock", BUDA_KIND_PAIR, AT(ublock), BUDA_REQUIRED, BUDA_016a, 1, TOP, 0, NULL,
     "tiles of a micro block"},
    {"buf_size_mb", BUDA_KIND_INT, AT(buf_size_mb), BUDA_ADVISED, BUDA_016a, 0, TOP, 1, NULL,
     "output buffer in macro blocks"},
    {"overlay_size", BUDA_KIND_INT, AT(overlay_size), BUDA_OPTIONAL, BUDA_006, 0, TOP, 0, NULL,
     "extra bytes for the overlay program"},
    {"input_buf_min_size_tiles", BUDA_KIND_INTS, AT(input_buf_min_size_tiles), BUDA_OPTIONAL,
     BUDA_006, 0, TOP, 0, NULL, "least buffer of each input in tiles, 0: the backend decides"},
    {"input_dram_io_buf_size_tiles", BUDA_KIND_INTS, AT(input_dram_io_buf_size_tiles),
     BUDA_OPTIONAL, BUDA_006, 0, TOP, 0, NULL,
     "DRAM buffer of each input in tiles, 0: the backend decides"},
    {"forked_dram_inputs", BUDA_KIND_FORKS, 0, BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "queues that it gets through another op"},
    {"ublock_order", BUDA_KIND_WORD, AT(ublock_order), BUDA_OPTIONAL, BUDA_008, 0, 0, BUDA_ORDER_R,
     &buda_order_words, "order of micro blocks in a macro block"},
    {"in_df", BUDA_KIND_WORDS, AT(in_df), BUDA_REQUIRED, BUDA_008, 0, 0, 0, &buda_df_words,
     "data format of each input"},
    {"out_df", BUDA_KIND_WORD, AT(out_df), BUDA_REQUIRED, BUDA_008, 0, 0, BUDA_DF_NONE,
     &buda_df_words, "data format of the output"},
    {"intermed_df", BUDA_KIND_WORD, AT(intermed_df), BUDA_REQUIRED, BUDA_008, 0, 0, BUDA_DF_NONE,
     &buda_df_words, "data format of intermediate results"},
    {"acc_df", BUDA_KIND_WORD, AT(acc_df), BUDA_REQUIRED, BUDA_008, 0, 0, BUDA_DF_NONE,
     &buda_df_words, "data format of the DEST register"},
    {"math_fidelity", BUDA_KIND_WORD, AT(math_fidelity), BUDA_REQUIRED, BUDA_008, 0, 0, -1,
     &buda_fidelity_words, "passes of the multipliers"},
    {"untilize_output", BUDA_KIND_BOOL, AT(untilize_output), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "row-major output"},
    {"gradient_op", BUDA_KIND_BOOL, AT(gradient_op), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "the output accumulates"},
    {"tile_dim", BUDA_KIND_TILE_DIM, AT(tile_dim), BUDA_OPTIONAL, BUDA_008, 1, TOP, 32, NULL,
     "rows and columns of an output tile"},
    {"attributes", BUDA_KIND_ATTRIBUTES, AT(attributes), BUDA_OPTIONAL, BUDA_085, 0, 0, 0, NULL,
     "what the op type needs besides"},
};
#undef AT

#define AT(member) offsetof(buda_input_keys, member)
static const buda_field input_keys_fields[] = {
    {"tms", BUDA_KIND_TMS, AT(tms), BUDA_OPTIONAL, BUDA_006, 1, TOP, 0, NULL,
     "tensor manipulations of the input"},
    {"pad", BUDA_KIND_PAD, AT(pad), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "tiles added after them"},
    {"unpad", BUDA_KIND_UNPAD, AT(unpad), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "tiles removed before them"},
};
#undef AT

#define AT(member) offsetof(buda_pad, member)
static const buda_field pad_fields[] = {
    {"rt", BUDA_KIND_INT, AT(rt), BUDA_REQUIRED, BUDA_006, 0, TOP, 0, NULL, "rows of tiles"},
    {"ct", BUDA_KIND_INT, AT(ct), BUDA_REQUIRED, BUDA_006, 0, TOP, 0, NULL, "columns of tiles"},
    {"pad_value", BUDA_KIND_FLOAT, AT(pad_value), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "value of the added elements"},
};
// The first rows of pad_fields: what is removed has no value.
enum { UNPAD_FIELDS = 2 };
#undef AT

#define AT(member) offsetof(buda_fused, member)
static const buda_field fused_fields[] = {
    {"inputs", BUDA_KIND_INT, AT(inputs), BUDA_REQUIRED, BUDA_006, 0, TOP, 0, NULL,
     "inputs of the fused op"},
    {"intermediates", BUDA_KIND_INT, AT(intermediates), BUDA_REQUIRED, BUDA_006, 0, TOP, 0, NULL,
     "intermediate buffers"},
    {"custom_kernel_path", BUDA_KIND_NAME, AT(custom_kernel_path), BUDA_OPTIONAL, BUDA_006, 0, 0, 0,
     NULL, "folder of a hand-written kernel"},
};
#undef AT

#define AT(member) offsetof(buda_sub_op, member)
static const buda_field sub_op_fields[] = {
    {"type", BUDA_KIND_NAME, AT(type), BUDA_REQUIRED, BUDA_006, 0, 0, 0, NULL,
     "what it computes"},
    {"inputs", BUDA_KIND_OPERANDS, AT(inputs), BUDA_REQUIRED, BUDA_006, 0, 0, 0, NULL,
     "input<N>, intermed<N> or dest"},
    {"mblock", BUDA_KIND_PAIR, AT(mblock), BUDA_REQUIRED, BUDA_016a, 1, TOP, 0, NULL,
     "micro blocks of a macro block"},
    {"ublock", BUDA_KIND_PAIR, AT(ublock), BUDA_REQUIRED, BUDA_016a, 1, TOP, 0, NULL,
     "tiles of a micro block"},
    {"zero_point", BUDA_KIND_FLOAT, AT(zero_point), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "zero point of the quantization ops"},
    {"attributes", BUDA_KIND_ATTRIBUTES, AT(attributes), BUDA_OPTIONAL, BUDA_085, 0, 0, 0, NULL,
     "what the op type needs besides"},
    {"pop", BUDA_KIND_OPERANDS, AT(pop), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "inputs freed after each use"},
    {"pop_last", BUDA_KIND_OPERANDS, AT(pop_last), BUDA_OPTIONAL, BUDA_006, 0, 0, 0, NULL,
     "inputs freed after the last use"},
    {"output", BUDA_KIND_OPERAND, AT(output), BUDA_REQUIRED, BUDA_006, 0, 0, 0, NULL,
     "intermed<N>, dest or output"},
};
#undef AT

#define AT(key) offsetof(buda_setting, fields[key])
static const buda_field setting_fields[] = {
    {"prologue", BUDA_KIND_TOKEN, AT(BUDA_S_PROLOGUE), BUDA_OPTIONAL, BUDA_025, 0, 0, 0, NULL,
     "read once before the epoch and use for all inputs"},
    {"epilogue", BUDA_KIND_TOKEN, AT(BUDA_S_EPILOGUE), BUDA_OPTIONAL, BUDA_025, 0, 0, 0, NULL,
     "write back once after the epoch"},
    {"zero", BUDA_KIND_TOKEN, AT(BUDA_S_ZERO), BUDA_OPTIONAL, BUDA_025, 0, 0, 0, NULL,
     "clear before the epoch"},
    {"rd_ptr_local", BUDA_KIND_TOKEN, AT(BUDA_S_RD_PTR_LOCAL), BUDA_OPTIONAL, BUDA_025, 0, 0, 0,
     NULL, "where this graph starts to read"},
    {"rd_ptr_global", BUDA_KIND_TOKEN, AT(BUDA_S_RD_PTR_GLOBAL), BUDA_OPTIONAL, BUDA_025, 0, 0, 0,
     NULL, "entries before it may be overwritten"},
    {"wr_ptr_global", BUDA_KIND_TOKEN, AT(BUDA_S_WR_PTR_GLOBAL), BUDA_OPTIONAL, BUDA_025, 0, 0, 0,
     NULL, "where a ram is written"},
    {"rd_ptr_autoinc", BUDA_KIND_TOKEN, AT(BUDA_S_RD_PTR_AUTOINC), BUDA_OPTIONAL, BUDA_025, 0, 0, 0,
     NULL, "step of the local pointer after each input"},
    {"global_rdptr_autoinc", BUDA_KIND_TOKEN, AT(BUDA_S_GLOBAL_RDPTR_AUTOINC), BUDA_OPTIONAL,
     BUDA_025, 0, 0, 0, NULL, "entries popped after each input"},
    {"global_wrptr_autoinc", BUDA_KIND_TOKEN, AT(BUDA_S_GLOBAL_WRPTR_AUTOINC), BUDA_OPTIONAL,
     BUDA_025, 0, 0, 0, NULL, "step of a ram's write pointer after each output"},
    {"read_only", BUDA_KIND_TOKEN, AT(BUDA_S_READ_ONLY), BUDA_OPTIONAL, BUDA_025, 0, 0, 0, NULL,
     "the epoch leaves a ram's write pointer alone"},
};
#undef AT

static const buda_field execute_fields[] = {
    {"graph_name", BUDA_KIND_NAME, offsetof(buda_instr, graph), BUDA_REQUIRED, BUDA_024, 0, 0, 0,
     NULL, "the graph to run"},
};

#define TABLE(rows) rows, HOIST_COUNT_OF(rows)
const buda_table buda_queue_table = {"a queue", TABLE(queue_fields), BUDA_005, BUDA_005};
const buda_table buda_graph_table = {"a graph", TABLE(graph_fields), BUDA_006, BUDA_006};
const buda_table buda_op_table = {"an op", TABLE(op_fields), BUDA_006, BUDA_016b};
const buda_table buda_input_keys_table = {"an input", TABLE(input_keys_fields), BUDA_006, BUDA_006};
const buda_table buda_pad_table = {"a pad", TABLE(pad_fields), BUDA_006, BUDA_006};
const buda_table buda_unpad_table = {"an unpad", pad_fields, UNPAD_FIELDS, BUDA_006, BUDA_006};
const buda_table buda_fused_table = {"a fused op", TABLE(fused_fields), BUDA_006, BUDA_006};
const buda_table buda_sub_op_table = {"a sub-op", TABLE(sub_op_fields), BUDA_006, BUDA_006};
const buda_table buda_setting_table = {
    "a queue setting", TABLE(setting_fields), BUDA_025, BUDA_025};
const buda_table buda_execute_table = {"execute", TABLE(execute_fields), BUDA_024, BUDA_024};
#undef TABLE

// Where each kind of slot keeps its place.
static const size_t pos_offsets[BUDA_KIND_COUNT] = {
    [BUDA_KIND_NAME] = offsetof(buda_name, pos),
    [BUDA_KIND_OPERAND] = offsetof(buda_name, pos),
    [BUDA_KIND_TOKEN] = offsetof(buda_token, pos),
    [BUDA_KIND_INT] = offsetof(buda_int, pos),
    [BUDA_KIND_FLOAT] = offsetof(buda_float, pos),
    [BUDA_KIND_BOOL] = offsetof(buda_bool, pos),
    [BUDA_KIND_WORD] = offsetof(buda_word, pos),
    [BUDA_KIND_PAIR] = offsetof(buda_pair, pos),
    [BUDA_KIND_TILE_DIM] = offsetof(buda_pair, pos),
    [BUDA_KIND_DEVICES] = offsetof(buda_ints, pos),
    [BUDA_KIND_PAD] = offsetof(buda_pad, pos),
    [BUDA_KIND_UNPAD] = offsetof(buda_pad, pos),
    [BUDA_KIND_INTS] = offsetof(buda_ints, pos),
    [BUDA_KIND_NAMES] = offsetof(buda_names, pos),
    [BUDA_KIND_OPERANDS] = offsetof(buda_names, pos),
    [BUDA_KIND_WORDS] = offsetof(buda_words, pos),
    [BUDA_KIND_PLACES] = offsetof(buda_places, pos),
    [BUDA_KIND_HOST_PLACES] = offsetof(buda_places, pos),
    [BUDA_KIND_TMS] = offsetof(buda_tms, pos),
    [BUDA_KIND_ATTRIBUTES] = offsetof(buda_attributes, pos),
    [BUDA_KIND_FORKS] = offsetof(buda_op, forked_pos),
};
// clang-format on

const buda_field *buda_field_find(const buda_table *table, hoist_str key)
{
    for (size_t i = 0; i < table->count; i++) {
        if (hoist_str_equal_c(key, table->fields[i].key)) {
            return &table->fields[i];
        }
    }
    return NULL;
}

hoist_pos buda_slot_pos(const buda_field *field, const void *slot)
{
    const char *const bytes = slot;
    return *(const hoist_pos *)(const void *)(bytes + pos_offsets[field->kind]);
}

void buda_fill_defaults(const buda_table *table, void *object)
{
    for (size_t i = 0; i < table->count; i++) {
        const buda_field *const field = &table->fields[i];
        void *const slot = buda_slot(object, field);
        if (field->kind == BUDA_KIND_INT) {
            ((buda_int *)slot)->value = field->fallback;
        } else if (field->kind == BUDA_KIND_WORD) {
            ((buda_word *)slot)->value = (int)field->fallback;
        } else if (field->kind == BUDA_KIND_PAIR || field->kind == BUDA_KIND_TILE_DIM) {
            *(buda_pair *)slot = (buda_pair){field->fallback, field->fallback, {0, 0}};
        }
    }
}
