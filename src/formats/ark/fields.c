// The keys of each JSON object of models and plans (ark reference sections 3 and 9) as rows of
// codec/record.h: reader (read.c), writer (write.c), documents (visit.c) and schemas walk them. Row
// order is the order in which ARK writes a dialect; files that were read keep their own. `missing`
// and `wrong` of a row name the rules that report a missing key, and a value of another kind.
#include "formats/ark/fields.h"

#include "base/span.h"
#include "formats/ark/rules.h"

const hoist_rec_own ark_kinds[] = {
    [ARK_KIND_TAGS - HOIST_REC_OWN] = {.expected = "a list of [rank, tag]",
                                       .place_at = offsetof(ark_tags, pos)},
    [ARK_KIND_OP - HOIST_REC_OWN] = {.expected = "an object"},
    [ARK_KIND_UINT64 - HOIST_REC_OWN] = {.expected = "an integer from 0 to 18446744073709551615"},
    [ARK_KIND_FLOAT - HOIST_REC_OWN] = {.expected = "a number of float32's range",
                                        .place_at = offsetof(hoist_rec_float, pos)},
    [ARK_KIND_TENSOR - HOIST_REC_OWN] = {.expected = "an object"},
};

// Rows -------------------------------------------------------------------------------------------

// A row with forms is written in these dialects only; all rows are read in any.
#define BIT(dialect) (1 << ARK_##dialect)
#define OLD (BIT(D0) | BIT(D1) | BIT(D2A) | BIT(D2)) // "Ops" in nodes
#define PADS (BIT(D0) | BIT(D1))
#define THIRD (PADS | BIT(D2A)) // "Buffer" is the third key of tensors
#define ALL (OLD | BIT(D3) | BIT(D4))

#define KEY HOIST_REC_KEY
#define PLACED(type, member) HOIST_REC_AT(type, member), .places = true
#define BARE(type, member) HOIST_REC_AT(type, member)
#define NEEDED(rule) .need = HOIST_REC_REQUIRED, .missing = ARK_##rule
// Values of another kind: of scalars, and of lists with the items apart.
#define WRONG(rule) .wrong = ARK_##rule
#define LIST(rule, items) .wrong = ARK_##rule, .item_wrong = ARK_##items
#define RANGE(low, high) .min = (low), .max = (high)
#define ID RANGE(0, INT64_MAX) // of buffers, nodes and tasks: never negative
#define INT32 RANGE(INT32_MIN, INT32_MAX)
#define SOME RANGE(0, INT32_MAX) // a number of things

// clang-format off
// Offsets of the members that every record has: location, keys that were there, unknown keys,
// order.
#define OBJECT(title, type, rows, broken)                                                          \
    .what = (title), .fields = (rows), .count = HOIST_COUNT_OF(rows), .rule = ARK_##broken,        \
    .size = sizeof(type), .place_at = offsetof(type, pos), .present_at = offsetof(type, present),  \
    .extra_at = offsetof(type, extra), .order_at = 1 + offsetof(type, order)

static const hoist_rec_field buffer_rows[] = {
    {KEY("Id"), HOIST_REC_INT, PLACED(ark_buffer, id), NEEDED(M05), WRONG(M06), ID,
     .summary = "its number, unique in the file"},
    {KEY("Rank"), HOIST_REC_INT, PLACED(ark_buffer, rank), NEEDED(M05), WRONG(M06), INT32,
     .summary = "the rank whose memory it is; -1: this file's"},
    {KEY("IsExternal"), HOIST_REC_BOOL, PLACED(ark_buffer, external), WRONG(M06),
     .summary = "the caller supplies the memory"},
    {KEY("SendTags"), ARK_KIND_TAGS, PLACED(ark_buffer, send_tags), NEEDED(M05), LIST(M05, M06),
     .summary = "[rank, tag] of each message that is sent from it"},
    {KEY("RecvTags"), ARK_KIND_TAGS, PLACED(ark_buffer, recv_tags), NEEDED(M05), LIST(M05, M06),
     .summary = "[rank, tag] of each message that arrives in it"},
};
const hoist_rec_table ark_buffer_table = {OBJECT("a buffer", ark_buffer, buffer_rows, M05), .one_line = true};

// One of the two rows of the buffer, and of the padding, has to be there: read.c.
static const hoist_rec_field tensor_rows[] = {
    {KEY("Id"), HOIST_REC_INT, PLACED(ark_tensor, id), NEEDED(M04), WRONG(M06), ID,
     .summary = "its number"},
    {KEY("DataType"), HOIST_REC_WORD, PLACED(ark_tensor, dtype), NEEDED(M04), WRONG(M06), .fallback = -1,
     .words = &ark_dtypes, .summary = "type of its elements"},
    {KEY("Buffer"), HOIST_REC_TABLE, PLACED(ark_tensor, buffer), .forms = THIRD, WRONG(M05),
     .table = &ark_buffer_table, .summary = "the memory that it is a part of"},
    {KEY("Shape"), HOIST_REC_INTS, PLACED(ark_tensor, shape), NEEDED(M04), LIST(M04, M06),
     .summary = "elements in each dimension"},
    {KEY("Strides"), HOIST_REC_INTS, PLACED(ark_tensor, strides), NEEDED(M04), LIST(M04, M06),
     .summary = "dimensions of the array that it is cut out of"},
    {KEY("Offsets"), HOIST_REC_INTS, PLACED(ark_tensor, offsets), NEEDED(M04), LIST(M04, M06),
     .summary = "index of its first element in that array"},
    {KEY("Pads"), HOIST_REC_INTS, PLACED(ark_tensor, pads), .forms = PADS, LIST(M04, M06),
     .summary = "multiples to which dimensions are padded"},
    {KEY("PaddedShape"), HOIST_REC_INTS, PLACED(ark_tensor, padded), .forms = ALL & ~PADS, LIST(M04, M06),
     .summary = "the shape with its padding"},
    {KEY("Buffer"), HOIST_REC_TABLE, PLACED(ark_tensor, buffer), .forms = ALL & ~THIRD, WRONG(M05),
     .table = &ark_buffer_table, .summary = "the memory that it is a part of"},
};
const hoist_rec_table ark_tensor_table = {OBJECT("a tensor", ark_tensor, tensor_rows, M04),
                                          .hooks = ARK_HOOKS_TENSOR, .one_line = true};

static const hoist_rec_field offset_rows[] = {
    {KEY("BufferId"), HOIST_REC_INT, PLACED(ark_offset, buffer), NEEDED(M09), WRONG(M09), ID,
     .summary = "number of the buffer"},
    {KEY("Value"), HOIST_REC_INT, PLACED(ark_offset, value), NEEDED(M09), WRONG(M09), ID,
     .summary = "bytes from its start"},
};
const hoist_rec_table ark_offset_table = {OBJECT("an offset", ark_offset, offset_rows, M09), .one_line = true};

// In the order of ark_arg_kind. Integers of all types share a slot, so the one that is there is known
// by its row alone.
static const hoist_rec_field arg_rows[] = {
    {KEY("INT"), HOIST_REC_INT, BARE(ark_arg, integer.value), WRONG(M09), INT32, .summary = "int32"},
    {KEY("UINT32"), HOIST_REC_INT, BARE(ark_arg, integer.value), WRONG(M09), RANGE(0, UINT32_MAX), .summary = "uint32"},
    {KEY("INT64"), HOIST_REC_INT, BARE(ark_arg, integer.value), WRONG(M09), .summary = "int64"},
    {KEY("UINT64"), ARK_KIND_UINT64, BARE(ark_arg, integer.value), WRONG(M09), .summary = "uint64"},
    {KEY("BOOL"), HOIST_REC_BOOL, PLACED(ark_arg, boolean), WRONG(M09), .summary = "true or false"},
    {KEY("FLOAT"), ARK_KIND_FLOAT, PLACED(ark_arg, number), WRONG(M09), .summary = "float32"},
    {KEY("DIMS"), HOIST_REC_INTS, PLACED(ark_arg, dims), WRONG(M09), .summary = "up to 4 integers"},
    {KEY("TENSOR"), ARK_KIND_TENSOR, BARE(ark_arg, tensor), WRONG(M09), .table = &ark_tensor_table,
     .summary = "a tensor"},
    {KEY("OFFSET"), HOIST_REC_TABLE, PLACED(ark_arg, offset), WRONG(M09), .table = &ark_offset_table,
     .summary = "a place in a buffer"},
};
const hoist_rec_table ark_arg_table = {OBJECT("an argument", ark_arg, arg_rows, M09),
                                       .hooks = ARK_HOOKS_ARG, .one_line = true};

static const hoist_rec_field config_rows[] = {
    {KEY("NumWarps"), HOIST_REC_INT, PLACED(ark_config, num_warps), NEEDED(P03), WRONG(P03), SOME,
     .summary = "warps of a task"},
    {KEY("SramBytes"), HOIST_REC_INT, PLACED(ark_config, sram_bytes), NEEDED(P03), WRONG(P03), SOME,
     .summary = "bytes of shared memory of a task"},
    {KEY("ImplType"), HOIST_REC_STR, PLACED(ark_config, impl), WRONG(P03),
     .summary = "WarpWise or ElementWise, of reductions"},
    {KEY("ChannelType"), HOIST_REC_STR, PLACED(ark_config, channel), WRONG(P03),
     .summary = "Proxy, SecondaryProxy or Sm, of communication"},
    {KEY("PacketType"), HOIST_REC_STR, PLACED(ark_config, packet), WRONG(P03),
     .summary = "layout of packets"},
    {KEY("Signal"), HOIST_REC_BOOL, PLACED(ark_config, signal), WRONG(P03), .fallback = true,
     .summary = "a send signals its receiver"},
    {KEY("Wait"), HOIST_REC_BOOL, PLACED(ark_config, wait), WRONG(P03), .fallback = true,
     .summary = "a receive waits for its sender"},
    {KEY("Tile"), HOIST_REC_INTS, PLACED(ark_config, tile), WRONG(P03),
     .summary = "shape of a task's part of the result, aligned to the last dimension"},
    {KEY("TileShapeMNK"), HOIST_REC_INTS, PLACED(ark_config, tile_mnk), WRONG(P03),
     .summary = "rows, columns and terms of a task of a matmul"},
    {KEY("TilePadMNK"), HOIST_REC_INTS, PLACED(ark_config, pad_mnk), WRONG(P03),
     .summary = "multiples to which these are padded"},
    {KEY("NumTasks"), HOIST_REC_INT, PLACED(ark_config, num_tasks), NEEDED(P03), WRONG(P03), SOME,
     .summary = "tasks of the operator"},
    {KEY("Granularity"), HOIST_REC_INT, PLACED(ark_config, granularity), WRONG(P03), SOME,
     .summary = "tasks that a processor takes at a time"},
};
const hoist_rec_table ark_config_table = {OBJECT("a configuration", ark_config, config_rows, P02)};

static const hoist_rec_field op_rows[] = {
    {KEY("Type"), HOIST_REC_WORD, PLACED(ark_op, type), NEEDED(M03), WRONG(M06), .fallback = ARK_OP_UNKNOWN,
     .words = &ark_op_types, .summary = "what it computes"},
    {KEY("Name"), HOIST_REC_STR, PLACED(ark_op, name), NEEDED(M03), WRONG(M06), .summary = "free text"},
    {KEY("IsVirtual"), HOIST_REC_BOOL, PLACED(ark_op, is_virtual), NEEDED(M03), WRONG(M06),
     .summary = "it computes nothing"},
    {KEY("ReadTensors"), HOIST_REC_TABLES, BARE(ark_op, reads), NEEDED(M03), WRONG(M03),
     .table = &ark_tensor_table, .summary = "inputs"},
    {KEY("WriteTensors"), HOIST_REC_TABLES, BARE(ark_op, writes), NEEDED(M03), WRONG(M03),
     .table = &ark_tensor_table, .summary = "memory that it writes"},
    {KEY("ResultTensors"), HOIST_REC_TABLES, BARE(ark_op, results), NEEDED(M03), WRONG(M03),
     .table = &ark_tensor_table, .summary = "names of the values afterwards"},
    {KEY("Args"), HOIST_REC_NAMED, BARE(ark_op, args), NEEDED(M03), WRONG(M03),
     .table = &ark_arg_table, .summary = "what it needs besides"},
    {KEY("Config"), HOIST_REC_TABLE, PLACED(ark_op, config), WRONG(P02), .table = &ark_config_table,
     .summary = "how it is cut into tasks (plans)"},
};
const hoist_rec_table ark_op_table = {OBJECT("an operator", ark_op, op_rows, M03), .hooks = ARK_HOOKS_OP};

// One of "Op" and "Ops" has to be there: read.c.
static const hoist_rec_field node_rows[] = {
    {KEY("Id"), HOIST_REC_INT, PLACED(ark_node, id), NEEDED(M02), WRONG(M06), ID,
     .summary = "its number, which is its place in the list"},
    {KEY("ProducerNodeIds"), HOIST_REC_INTS, PLACED(ark_node, producers), NEEDED(M02), LIST(M02, M06),
     .summary = "nodes that come before it"},
    {KEY("ConsumerNodeIds"), HOIST_REC_INTS, PLACED(ark_node, consumers), NEEDED(M02), LIST(M02, M06),
     .summary = "nodes that come after it"},
    {KEY("Op"), ARK_KIND_OP, BARE(ark_node, ops), .forms = ALL & ~OLD, WRONG(M02), .table = &ark_op_table,
     .summary = "its operator"},
    {KEY("Ops"), HOIST_REC_TABLES, BARE(ark_node, ops), .forms = OLD, WRONG(M02), .table = &ark_op_table,
     .summary = "its operators in the order of execution"},
};
const hoist_rec_table ark_node_table = {OBJECT("a node", ark_node, node_rows, M02), .hooks = ARK_HOOKS_NODE};

static const hoist_rec_field model_rows[] = {
    {KEY("Rank"), HOIST_REC_INT, PLACED(ark_module, rank), NEEDED(M01), WRONG(M06), INT32,
     .summary = "the rank that executes it"},
    {KEY("WorldSize"), HOIST_REC_INT, PLACED(ark_module, world_size), NEEDED(M01), WRONG(M06), INT32,
     .fallback = 1, .summary = "ranks of the job"},
    {KEY("Nodes"), HOIST_REC_TABLES, BARE(ark_module, nodes), NEEDED(M01), WRONG(M01),
     .table = &ark_node_table, .summary = "operators in the order of execution"},
};
const hoist_rec_table ark_model_table = {OBJECT("a model", ark_module, model_rows, M01)};

static const hoist_rec_field task_rows[] = {
    {KEY("Id"), HOIST_REC_INT, PLACED(ark_task, id), NEEDED(P01a), WRONG(M06), ID, .summary = "its number"},
    {KEY("NumWarps"), HOIST_REC_INT, PLACED(ark_task, num_warps), NEEDED(P01a), WRONG(M06), SOME,
     .summary = "warps of each of its tasks"},
    {KEY("SramBytes"), HOIST_REC_INT, PLACED(ark_task, sram_bytes), NEEDED(P01a), WRONG(M06), SOME,
     .summary = "bytes of shared memory of each"},
    {KEY("Ops"), HOIST_REC_TABLES, BARE(ark_task, ops), NEEDED(P01a), WRONG(P01a), .table = &ark_op_table,
     .summary = "operators in the order of execution"},
};
const hoist_rec_table ark_task_table = {OBJECT("a task", ark_task, task_rows, P01a)};

static const hoist_rec_field task_group_rows[] = {
    {KEY("TaskId"), HOIST_REC_INT, PLACED(ark_task_group, task), NEEDED(P01a), WRONG(M06), ID,
     .summary = "number in TaskInfos"},
    {KEY("TaskRange"), HOIST_REC_INTS, PLACED(ark_task_group, range), NEEDED(P01a), LIST(P01a, M06),
     .summary = "its tasks that are executed: [begin, end] or [begin, end, step]"},
    {KEY("Granularity"), HOIST_REC_INT, PLACED(ark_task_group, granularity), NEEDED(P01a), WRONG(M06), INT32,
     .summary = "tasks that a processor takes at a time"},
};
const hoist_rec_table ark_task_group_table = {OBJECT("a task group", ark_task_group, task_group_rows, P01a)};

static const hoist_rec_field resource_group_rows[] = {
    {KEY("ProcessorRange"), HOIST_REC_INTS, PLACED(ark_resource_group, processors), NEEDED(P01a), LIST(P01a, M06),
     .summary = "processors that take part"},
    {KEY("WarpRange"), HOIST_REC_INTS, PLACED(ark_resource_group, warps), NEEDED(P01a), LIST(P01a, M06),
     .summary = "warps of each"},
    {KEY("SramRange"), HOIST_REC_INTS, PLACED(ark_resource_group, sram), NEEDED(P01a), LIST(P01a, M06),
     .summary = "bytes of shared memory of each"},
    {KEY("TaskGroups"), HOIST_REC_TABLES, BARE(ark_resource_group, groups), NEEDED(P01a), WRONG(P01a),
     .table = &ark_task_group_table, .summary = "what they execute, in order"},
};
const hoist_rec_table ark_resource_group_table = {
    OBJECT("a resource group", ark_resource_group, resource_group_rows, P01a)};

static const hoist_rec_field processor_group_rows[] = {
    {KEY("ProcessorRange"), HOIST_REC_INTS, PLACED(ark_processor_group, processors), NEEDED(P01a), LIST(P01a, M06),
     .summary = "processors that take part"},
    {KEY("ResourceGroups"), HOIST_REC_TABLES, BARE(ark_processor_group, groups), NEEDED(P01a), WRONG(P01a),
     .table = &ark_resource_group_table, .summary = "their parts, which run side by side"},
};
const hoist_rec_table ark_processor_group_table = {
    OBJECT("a processor group", ark_processor_group, processor_group_rows, P01a)};

static const hoist_rec_field plan_rows[] = {
    {KEY("Rank"), HOIST_REC_INT, PLACED(ark_module, rank), NEEDED(P01a), WRONG(M06), INT32,
     .summary = "the rank that executes it"},
    {KEY("WorldSize"), HOIST_REC_INT, PLACED(ark_module, world_size), NEEDED(P01a), WRONG(M06), INT32,
     .fallback = 1, .summary = "ranks of the job"},
    {KEY("Architecture"), HOIST_REC_STR, PLACED(ark_module, architecture), .need = HOIST_REC_REQUIRED,
     .missing = ARK_P01b, WRONG(M06), .summary = "the GPU that it is for: ANY, CUDA_80, ..."},
    {KEY("NumProcessors"), HOIST_REC_INT, PLACED(ark_module, processors), NEEDED(P01a), WRONG(M06), INT32,
     .summary = "streaming multiprocessors"},
    {KEY("NumWarpsPerProcessor"), HOIST_REC_INT, PLACED(ark_module, warps), NEEDED(P01a), WRONG(M06), INT32,
     .summary = "warps of each"},
    {KEY("TaskInfos"), HOIST_REC_TABLES, BARE(ark_module, tasks), NEEDED(P01a), WRONG(P01a),
     .table = &ark_task_table, .summary = "operators, cut into tasks"},
    {KEY("ProcessorGroups"), HOIST_REC_TABLES, BARE(ark_module, groups), NEEDED(P01a), WRONG(P01a),
     .table = &ark_processor_group_table, .summary = "which processors execute them, in order"},
};
const hoist_rec_table ark_plan_table = {OBJECT("a plan", ark_module, plan_rows, P01a)};
// clang-format on
