#include "formats/neff/fields.h"

#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/span.h"

// Rows -------------------------------------------------------------------------------------------

#define KEY(text) .key = (text), .key_size = sizeof(text) - 1
#define NO_SLOT .at = NEFF_NO_SLOT, .text_at = NEFF_NO_SLOT
#define SLOT(type, member) .at = offsetof(type, member), .text_at = NEFF_NO_SLOT
#define SLOTS(type, member, text) .at = offsetof(type, member), .text_at = offsetof(type, text)
#define UNJUDGED .wrong = NEFF_RULE_COUNT
#define WRONG(rule) .wrong = NEFF_##rule
#define REQUIRED(rule) .required = true, .missing = NEFF_##rule
#define GEN2 .since = NEFF_SINCE_GEN2
#define GEN3 .since = NEFF_SINCE_GEN3

// clang-format off
static const neff_field def_fields[] = {
    {KEY("name"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "name of the graph"},
    {KEY("definition"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "name of the graph"},
    {KEY("version"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "version of the schema, \"0.6...\""},
    {KEY("git_version"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "revision of the compiler"},
    {KEY("pe"), NEFF_KIND_STR, NO_SLOT, WRONG(043a), .summary = "file of the tensor engine"},
    {KEY("act"), NEFF_KIND_STR, NO_SLOT, WRONG(043a), .summary = "file of the activation engine"},
    {KEY("pool"), NEFF_KIND_STR, NO_SLOT, WRONG(043a), .summary = "file of the pool engine"},
    {KEY("dve"), NEFF_KIND_STR, NO_SLOT, WRONG(043a), .summary = "file of the vector engine"},
    {KEY("sp"), NEFF_KIND_STR, NO_SLOT, WRONG(043a), .summary = "file of the sync engine"},
    {KEY("pe_instr"), NEFF_KIND_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the tensor engine when its file names none"},
    {KEY("act_instr"), NEFF_KIND_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the activation engine when its file names none"},
    {KEY("pool_instr"), NEFF_KIND_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the pool engine when its file names none"},
    {KEY("dve_instr"), NEFF_KIND_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the vector engine when its file names none"},
    {KEY("sp_instr"), NEFF_KIND_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the sync engine when its file names none"},
    {KEY("debug_info"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "files for debuggers"},
    {KEY("replica_groups"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "groups of ranks that meet in collectives: up to 3 levels of lists"},
    {KEY("src_target_pairs"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "pairs of ranks for permutes"},
    {KEY("#rank_world_size"), NEFF_KIND_INT, NO_SLOT, UNJUDGED, .summary = "number of ranks"},
    {KEY("cc_stream"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "streams of collectives"},
    {KEY("num_streams"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "number of streams of collectives"},
    {KEY("runtime_statebuffer_reservation"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "regions of the state buffer that the runtime keeps for itself"},
    {KEY("runtime_event_count"), NEFF_KIND_INT, NO_SLOT, UNJUDGED,
     .summary = "events that are the runtime's"},
    {KEY("runtime_semaphore_count"), NEFF_KIND_INT, NO_SLOT, UNJUDGED,
     .summary = "semaphores that are the runtime's"},
    {KEY("neff_features"), NEFF_KIND_STRS, NO_SLOT, WRONG(014),
     .summary = "names of the feature bits in use"},
    {KEY("ucode_lib"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "custom-op libraries"},
    {KEY("ext_isa_ucode_lib_def"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "custom-op libraries"},
    {KEY("fp8_conversion_config"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "ranges and saturation of 8-bit floats"},
    {KEY("dma_queue"), NEFF_KIND_ANY, NO_SLOT, WRONG(026b), REQUIRED(026b),
     .summary = "the queue sets by name"},
    {KEY("var"), NEFF_KIND_ANY, NO_SLOT, WRONG(026a), REQUIRED(026a),
     .summary = "the variables by name"},
    {KEY("dma"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "descriptor blocks, as in an engine's file"},
};

static const neff_field var_fields[] = {
    {KEY("type"), NEFF_KIND_WORD, SLOTS(neff_var, type, type_text), .fallback = -1,
     .words = &neff_var_types, WRONG(027a), REQUIRED(026a), .summary = "where it is and whose"},
    {KEY("var_id"), NEFF_KIND_INT, SLOT(neff_var, var_id), .fallback = -1, WRONG(026a),
     REQUIRED(026a), .summary = "its number, unique in the subgraph"},
    {KEY("size"), NEFF_KIND_INT, SLOT(neff_var, size), WRONG(026a), .missing = NEFF_026a,
     .summary = "bytes; may be absent of a state-buffer only"},
    {KEY("alignment"), NEFF_KIND_INT, SLOT(neff_var, alignment), WRONG(029),
     .summary = "bytes, a power of two, or 0"},
    {KEY("fabric_path"), NEFF_KIND_WORD, SLOT(neff_var, fabric), .words = &neff_fabrics,
     WRONG(030), .summary = "memory area: main or alt"},
    {KEY("file_name"), NEFF_KIND_STR, SLOT(neff_var, file_name), WRONG(031a),
     .summary = "member with the constant of a `file`: .npy or raw bytes"},
    {KEY("backing_variable_off"), NEFF_KIND_INT, SLOT(neff_var, backing_variable_off), WRONG(032a),
     .summary = "bytes; place of a `virtual` in the scratchpad"},
    {KEY("referenced_var_id"), NEFF_KIND_INT, SLOT(neff_var, referenced_var_id), .fallback = -1,
     WRONG(033a), .summary = "var_id of the variable whose address a `pointer` holds"},
    {KEY("list"), NEFF_KIND_INTS, SLOT(neff_var, list), WRONG(034a),
     .summary = "var_ids of the addresses in a `dge-table`"},
    {KEY("element_size"), NEFF_KIND_INT, SLOT(neff_var, element_size), UNJUDGED,
     .summary = "bytes of an element; undocumented"},
    {KEY("internal_shape"), NEFF_KIND_INTS, SLOT(neff_var, internal_shape), UNJUDGED,
     .summary = "extents; undocumented"},
    {KEY("shape"), NEFF_KIND_INTS, SLOT(neff_var, shape), UNJUDGED,
     .summary = "extents, at most 8; undocumented"},
    {KEY("framework_shape"), NEFF_KIND_INTS, SLOT(neff_var, framework_shape), UNJUDGED,
     .summary = "extents that the framework shows; undocumented"},
    {KEY("dtype"), NEFF_KIND_STR, SLOT(neff_var, dtype), UNJUDGED,
     .summary = "element type, at most 15 characters; undocumented"},
    {KEY("prefix"), NEFF_KIND_STR, SLOT(neff_var, prefix), WRONG(031a),
     .summary = "folder of file_name; undocumented"},
    {KEY("backing_buf"), NEFF_KIND_STR, SLOT(neff_var, backing_buf), WRONG(032a),
     .summary = "main, sharded, local or shared; undocumented"},
    {KEY("ops"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
};

static const neff_field queue_fields[] = {
    {KEY("type"), NEFF_KIND_WORD, SLOTS(neff_queue_set, type, type_text), .fallback = -1,
     .words = &neff_queue_types, WRONG(036a), REQUIRED(036a),
     .summary = "what its transfers are for"},
    {KEY("num_queues"), NEFF_KIND_INT, SLOT(neff_queue_set, num_queues), .fallback = 1,
     WRONG(036a), .summary = "1 ... 16; 1 on Inferentia 1"},
    {KEY("owner"), NEFF_KIND_WORD, SLOTS(neff_queue_set, owner, owner_text), .fallback = -1,
     .words = &neff_engine_words, WRONG(037a), REQUIRED(037b),
     .summary = "engine that triggers it: pe, act, pool, dve or sp"},
    {KEY("pinned"), NEFF_KIND_BOOL, SLOT(neff_queue_set, pinned), WRONG(036a),
     .summary = "fills the state buffer when the model starts; Inferentia 1"},
    {KEY("queue_instances"), NEFF_KIND_STRS, SLOT(neff_queue_set, instances), GEN2, WRONG(041),
     .summary = "rings that can be swapped in while the program runs"},
    {KEY("semaphore_set"), NEFF_KIND_INTS, SLOT(neff_queue_set, semaphore_set), WRONG(040a),
     .summary = "semaphores of its queues that rise on completion, at most 32"},
    {KEY("semaphore"), NEFF_KIND_INT, SLOT(neff_queue_set, semaphore), .fallback = -1, WRONG(040a),
     .summary = "semaphore of its single queue that rises on completion"},
    {KEY("fabric_path"), NEFF_KIND_WORD, SLOT(neff_queue_set, fabric), .words = &neff_fabrics,
     WRONG(030), .summary = "hardware path: main or alt"},
    {KEY("indirect_memcpy"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("dge"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("dynamic_dma"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("embedding_update_sync_semaphore"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED,
     .summary = "undocumented"},
};

static const neff_field engine_fields[] = {
    {KEY("dma"), NEFF_KIND_ANY, NO_SLOT, WRONG(045), .summary = "list of descriptor blocks"},
    {KEY("instr"), NEFF_KIND_STR, SLOT(neff_engine, instr_name), WRONG(066),
     .summary = "member with the instructions"},
    {KEY("name"), NEFF_KIND_STR, SLOT(neff_engine, name), UNJUDGED, .summary = "label"},
    {KEY("act_info"), NEFF_KIND_STR, SLOT(neff_engine, act_info), WRONG(074b),
     .summary = "member that describes the activation tables (act)"},
    {KEY("act_semaphore"), NEFF_KIND_INT, SLOT(neff_engine, act_semaphore), .fallback = -1,
     UNJUDGED, .summary = "semaphore of the activation tables (act)"},
    {KEY("activation_function_sets"), NEFF_KIND_STRS, SLOT(neff_engine, function_sets),
     WRONG(074a), .summary = "names of sets of activation functions (act)"},
    {KEY("dve_tables"), NEFF_KIND_ANY, NO_SLOT, WRONG(074a),
     .summary = "members with the tables of the vector engine (dve)"},
};

static const neff_field block_fields[] = {
    {KEY("id"), NEFF_KIND_INT, SLOT(neff_block, id), .fallback = -1, WRONG(045), REQUIRED(045),
     .summary = "number by which instructions trigger it"},
    {KEY("queue"), NEFF_KIND_STR, NO_SLOT, WRONG(046a), .summary = "queue set"},
    {KEY("instance_name"), NEFF_KIND_STR, NO_SLOT, GEN2, WRONG(046a),
     .summary = "instance of a queue set; goes before `queue`"},
    {KEY("function_start"), NEFF_KIND_STR, NO_SLOT, GEN2, WRONG(048a),
     .summary = "function that triggers this and the following blocks of the queue set"},
    {KEY("section_start_desc"), NEFF_KIND_BOOL, SLOT(neff_block, section_start), GEN2, WRONG(048a),
     .summary = "goes to the first queue of the set"},
    {KEY("event"), NEFF_KIND_INT, SLOT(neff_block, event), .fallback = -1, WRONG(062a),
     .summary = "event that is set on completion, 0 ... 255"},
    {KEY("semaphore"), NEFF_KIND_INT, SLOT(neff_block, semaphore), .fallback = -1, WRONG(062a),
     .summary = "semaphore that rises by num_queues on completion, 0 ... 255"},
    {KEY("remote_semaphores"), NEFF_KIND_INTS, SLOT(neff_block, remote_semaphores), GEN3,
     WRONG(062a), .summary = "semaphores of the other core"},
    {KEY("desc"), NEFF_KIND_ANY, NO_SLOT, WRONG(045), REQUIRED(045),
     .summary = "descriptors: a list, or one alone"},
    {KEY("priority_class"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("comment"), NEFF_KIND_ANY, NO_SLOT, UNJUDGED, .summary = "for people"},
};

static const neff_field desc_fields[] = {
    {KEY("op"), NEFF_KIND_SMALL_WORD, SLOT(neff_desc, op), GEN2, .words = &neff_ops,
     .fallback = NEFF_OP_COPY, WRONG(049a), .summary = "what is done with the data"},
    {KEY("from"), NEFF_KIND_VAR, SLOT(neff_source, from.var), .has = NEFF_HAS_VAR, WRONG(050a),
     .missing = NEFF_050a, .summary = "variable that is read; of copy, cast and transpose"},
    {KEY("from_off"), NEFF_KIND_INT, SLOT(neff_source, from.offset), .has = NEFF_HAS_OFFSET,
     WRONG(052a), .missing = NEFF_054, .summary = "bytes from the variable's start"},
    {KEY("from_sizes"), NEFF_KIND_SIZES, SLOTS(neff_source, from.sizes, from.size_count),
     .has = NEFF_HAS_SIZES, WRONG(052a), .missing = NEFF_054,
     .summary = "extents, innermost first: bytes, then counts"},
    {KEY("from_steps"), NEFF_KIND_SIZES, SLOTS(neff_source, from.steps, from.step_count),
     .has = NEFF_HAS_STEPS, WRONG(052a), .missing = NEFF_054,
     .summary = "bytes from one to the next in each dimension"},
    {KEY("from_dtype"), NEFF_KIND_SMALL_WORD, SLOT(neff_source, from.dtype), GEN2,
     .has = NEFF_HAS_DTYPE, .words = &neff_dtype_words, .fallback = NEFF_DTYPE_UINT8, WRONG(057a),
     .missing = NEFF_057b, .summary = "type of the elements that are read"},
    {KEY("from_arr"), NEFF_KIND_ANY, NO_SLOT, GEN2, WRONG(050a), .missing = NEFF_050a,
     .summary = "sources of fma, add, min and max: 1 ... 16 objects with the `from*` keys"},
    {KEY("to"), NEFF_KIND_VAR, SLOT(neff_desc, to.var), .has = NEFF_HAS_VAR, WRONG(050a),
     .missing = NEFF_050a, .summary = "variable that is written"},
    {KEY("to_off"), NEFF_KIND_INT, SLOT(neff_desc, to.offset), .has = NEFF_HAS_OFFSET,
     WRONG(052a), .missing = NEFF_054, .summary = "bytes from the variable's start"},
    {KEY("to_sizes"), NEFF_KIND_SIZES, SLOTS(neff_desc, to.sizes, to.size_count),
     .has = NEFF_HAS_SIZES, WRONG(052a), .missing = NEFF_054,
     .summary = "extents, innermost first: bytes, then counts"},
    {KEY("to_steps"), NEFF_KIND_SIZES, SLOTS(neff_desc, to.steps, to.step_count),
     .has = NEFF_HAS_STEPS, WRONG(052a), .missing = NEFF_054,
     .summary = "bytes from one to the next in each dimension"},
    {KEY("to_dtype"), NEFF_KIND_SMALL_WORD, SLOT(neff_desc, to.dtype), GEN2,
     .has = NEFF_HAS_DTYPE, .words = &neff_dtype_words, .fallback = NEFF_DTYPE_UINT8, WRONG(057a),
     .missing = NEFF_057b, .summary = "type of the elements that are written"},
};

static const neff_field extra_fields[] = {
    {KEY("scale_dtype"), NEFF_KIND_STR, SLOT(neff_desc_extra, scale_dtype), GEN2, WRONG(058a),
     .missing = NEFF_058b, .summary = "type of `scale`: float32"},
    {KEY("scale"), NEFF_KIND_NUMBER, SLOT(neff_desc_extra, scale), GEN2, .fallback = 1,
     WRONG(058a), .summary = "factor of fma, of one source or beside from_arr"},
    {KEY("constant_dtype"), NEFF_KIND_STR, SLOT(neff_desc_extra, constant_dtype), GEN2,
     WRONG(059a), .missing = NEFF_059b,
     .summary = "type of `constant`: float32, int32 or uint32"},
    {KEY("constant"), NEFF_KIND_NUMBER, SLOT(neff_desc_extra, constant), GEN2, WRONG(059a),
     .missing = NEFF_059a, .summary = "what min and max start with"},
    {KEY("transpose_shape"), NEFF_KIND_INTS, SLOT(neff_desc_extra, transpose_shape), GEN2,
     WRONG(060a), .summary = "4 extents in elements, outermost first"},
    {KEY("transpose_element_size"), NEFF_KIND_INT,
     SLOT(neff_desc_extra, transpose_element_size), GEN2, WRONG(060a),
     .summary = "bytes of an element, 1 ... 8"},
    {KEY("num_tiling_dimensions"), NEFF_KIND_INT, SLOT(neff_desc_extra, num_tiling_dimensions),
     WRONG(052a), .summary = "dimensions that form one tile; changes no result"},
    {KEY("transpose_op"), NEFF_KIND_STR, SLOT(neff_desc_extra, transpose_op), GEN2, WRONG(060a),
     .summary = "permutation by name; undocumented"},
};
// clang-format on

// Tables -----------------------------------------------------------------------------------------

#define FIELDS(rows) .fields = (rows), .count = HOIST_COUNT_OF(rows)

static const uint8_t def_slots[NEFF_SLOTS] = {
    [0] = 19,  [1] = 10,  [3] = 23,  [4] = 15,  [6] = 30, [8] = 12,  [9] = 14,  [12] = 28,
    [13] = 8,  [15] = 18, [16] = 6,  [17] = 3,  [18] = 2, [25] = 4,  [27] = 26, [31] = 25,
    [33] = 29, [34] = 24, [35] = 11, [37] = 22, [39] = 7, [42] = 13, [44] = 5,  [48] = 16,
    [51] = 17, [54] = 9,  [57] = 21, [59] = 27, [60] = 1, [61] = 20};
const neff_table neff_def_table = {
    .what = "def.json", FIELDS(def_fields), .slots = def_slots, .multiplier = 0x5f65e0ff};

static const uint8_t var_slots[NEFF_SLOTS] = {
    [0] = 3,  [2] = 11, [3] = 9,  [5] = 4,  [22] = 14, [23] = 16, [26] = 15, [31] = 12, [33] = 2,
    [34] = 5, [44] = 7, [48] = 1, [51] = 8, [53] = 10, [58] = 6,  [61] = 13, [63] = 17};
const neff_table neff_var_table = {
    .what = "a variable", FIELDS(var_fields), .slots = var_slots, .multiplier = 0xbe1e0823};

static const uint8_t queue_slots[NEFF_SLOTS] = {
    [6] = 5,   [11] = 2, [15] = 4, [29] = 8,  [31] = 9, [47] = 7,
    [48] = 12, [49] = 1, [50] = 6, [52] = 11, [55] = 3, [56] = 10};
const neff_table neff_queue_table = {
    .what = "a queue set", FIELDS(queue_fields), .slots = queue_slots, .multiplier = 0x17156075};

static const uint8_t engine_slots[NEFF_SLOTS] = {
    [0] = 1, [1] = 4, [12] = 2, [16] = 5, [41] = 3, [48] = 6, [62] = 7};
const neff_table neff_engine_table = {.what = "an engine file",
                                      FIELDS(engine_fields),
                                      .slots = engine_slots,
                                      .multiplier = 0x9e3779b1};

static const uint8_t block_slots[NEFF_SLOTS] = {
    [3] = 3,  [5] = 9,  [8] = 5,  [10] = 10, [19] = 6, [28] = 11,
    [30] = 1, [36] = 8, [51] = 2, [60] = 7,  [63] = 4};
const neff_table neff_block_table = {.what = "a descriptor block",
                                     FIELDS(block_fields),
                                     .slots = block_slots,
                                     .multiplier = 0x9e3779b1};

static const uint8_t desc_slots[NEFF_SLOTS] = {
    [3] = 12, [4] = 6,  [9] = 11, [18] = 9, [25] = 7, [29] = 10,
    [30] = 3, [31] = 1, [38] = 4, [41] = 5, [43] = 8, [45] = 2};
const neff_table neff_desc_table = {
    .what = "a descriptor", FIELDS(desc_fields), .slots = desc_slots, .multiplier = 0xdaa66d13};

static const uint8_t extra_slots[NEFF_SLOTS] = {
    [5] = 1, [9] = 4, [24] = 5, [26] = 8, [45] = 7, [48] = 2, [57] = 3, [59] = 6};
const neff_table neff_extra_table = {
    .what = "a descriptor", FIELDS(extra_fields), .slots = extra_slots, .multiplier = 0x9e3779b1};

int neff_field_find(const neff_table *table, hoist_str key)
{
    const int row = (int)table->slots[neff_key_slot(key, table->multiplier)] - 1;
    if (row < 0) {
        return -1;
    }
    const neff_field *field = &table->fields[row];
    const bool same = field->key_size == key.size && memcmp(field->key, key.data, key.size) == 0;
    return same ? row : -1;
}

bool neff_has(const neff_table *table, uint64_t present, const char *key)
{
    const int row = neff_field_find(table, hoist_str_from(key));
    HOIST_ASSERT(row >= 0);
    return present >> row & 1;
}
