// The keys of each JSON object of a NEFF (neff reference 3, 4) as rows of codec/record.h: reader
// (text.c, engine_read.c, engine_desc.c), builder (build_tree.c) and documents walk them. The order
// of rows is the order in which the builder writes keys. Every key that any source names is here,
// undocumented ones too, so that none of them counts as unknown; what a row cannot state (ranges
// that depend on the generation, keys that exclude each other) is checked in check_*.c.
#include "formats/neff/fields.h"

#include "base/span.h"

// Rows -------------------------------------------------------------------------------------------

// Short names for the members of a row: one line per key is all that a reader needs to see.
#define KEY HOIST_REC_KEY
#define NO_SLOT HOIST_REC_NO_SLOT
#define SLOT HOIST_REC_AT
// A word or list, and its text or count.
#define SLOTS(type, member, text) .at = offsetof(type, member), .text_at = offsetof(type, text)
#define UNJUDGED .wrong = HOIST_REC_NONE // a value of another kind is no finding
#define WRONG(rule) .wrong = NEFF_##rule // rule of a value of another kind
#define REQUIRED(rule) .need = HOIST_REC_REQUIRED, .missing = NEFF_##rule // rule of an absent key
#define GEN2 .since = NEFF_SINCE_GEN2 // "not INF1": rules 48b, 49b
#define GEN3 .since = NEFF_SINCE_GEN3 // "Trn2 and above"

// clang-format off
// Top level of def.json. Keys of which only the place in the text matters have no slot: checks look
// them up in the tape (tape.h). "#..." keys are comments, but this one has a meaning.
static const hoist_rec_field def_fields[] = {
    {KEY("name"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "name of the graph"},
    {KEY("definition"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "name of the graph"},
    {KEY("version"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "version of the schema, \"0.6...\""},
    {KEY("git_version"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "revision of the compiler"},
    {KEY("pe"), HOIST_REC_STR, NO_SLOT, WRONG(043a), .summary = "file of the tensor engine"},
    {KEY("act"), HOIST_REC_STR, NO_SLOT, WRONG(043a), .summary = "file of the activation engine"},
    {KEY("pool"), HOIST_REC_STR, NO_SLOT, WRONG(043a), .summary = "file of the pool engine"},
    {KEY("dve"), HOIST_REC_STR, NO_SLOT, WRONG(043a), .summary = "file of the vector engine"},
    {KEY("sp"), HOIST_REC_STR, NO_SLOT, WRONG(043a), .summary = "file of the sync engine"},
    {KEY("pe_instr"), HOIST_REC_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the tensor engine when its file names none"},
    {KEY("act_instr"), HOIST_REC_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the activation engine when its file names none"},
    {KEY("pool_instr"), HOIST_REC_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the pool engine when its file names none"},
    {KEY("dve_instr"), HOIST_REC_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the vector engine when its file names none"},
    {KEY("sp_instr"), HOIST_REC_STR, NO_SLOT, WRONG(066),
     .summary = "instructions of the sync engine when its file names none"},
    {KEY("debug_info"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "files for debuggers"},
    {KEY("replica_groups"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "groups of ranks that meet in collectives: up to 3 levels of lists"},
    {KEY("src_target_pairs"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "pairs of ranks for permutes"},
    {KEY("#rank_world_size"), HOIST_REC_INT, NO_SLOT, UNJUDGED, .summary = "number of ranks"},
    {KEY("cc_stream"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "streams of collectives"},
    {KEY("num_streams"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "number of streams of collectives"},
    {KEY("runtime_statebuffer_reservation"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "regions of the state buffer that the runtime keeps for itself"},
    {KEY("runtime_event_count"), HOIST_REC_INT, NO_SLOT, UNJUDGED,
     .summary = "events that are the runtime's"},
    {KEY("runtime_semaphore_count"), HOIST_REC_INT, NO_SLOT, UNJUDGED,
     .summary = "semaphores that are the runtime's"},
    {KEY("neff_features"), HOIST_REC_STRS, NO_SLOT, WRONG(014),
     .summary = "names of the feature bits in use"},
    {KEY("ucode_lib"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "custom-op libraries"},
    {KEY("ext_isa_ucode_lib_def"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "custom-op libraries"},
    {KEY("fp8_conversion_config"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "ranges and saturation of 8-bit floats"},
    {KEY("dma_queue"), HOIST_REC_ANY, NO_SLOT, WRONG(026b), REQUIRED(026b),
     .summary = "the queue sets by name"},
    {KEY("var"), HOIST_REC_ANY, NO_SLOT, WRONG(026a), REQUIRED(026a),
     .summary = "the variables by name"},
    {KEY("dma"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "descriptor blocks, as in an engine's file"},
};

// A variable, by name in `var` (4.1). `size` is required of all types but state-buffer, which
// check_def.c knows; so its row has a rule for absence without REQUIRED.
static const hoist_rec_field var_fields[] = {
    {KEY("type"), HOIST_REC_WORD, SLOTS(neff_var, type, type_text), .fallback = -1,
     .words = &neff_var_types, WRONG(027a), REQUIRED(026a), .summary = "where it is and whose"},
    {KEY("var_id"), HOIST_REC_INT, SLOT(neff_var, var_id), .fallback = -1, WRONG(026a),
     REQUIRED(026a), .summary = "its number, unique in the subgraph"},
    {KEY("size"), HOIST_REC_INT, SLOT(neff_var, size), WRONG(026a), .missing = NEFF_026a,
     .summary = "bytes; may be absent of a state-buffer only"},
    {KEY("alignment"), HOIST_REC_INT, SLOT(neff_var, alignment), WRONG(029),
     .summary = "bytes, a power of two, or 0"},
    {KEY("fabric_path"), HOIST_REC_WORD, SLOT(neff_var, fabric), .words = &neff_fabrics,
     WRONG(030), .summary = "memory area: main or alt"},
    {KEY("file_name"), HOIST_REC_STR, SLOT(neff_var, file_name), WRONG(031a),
     .summary = "member with the constant of a `file`: .npy or raw bytes"},
    {KEY("backing_variable_off"), HOIST_REC_INT, SLOT(neff_var, backing_variable_off), WRONG(032a),
     .summary = "bytes; place of a `virtual` in the scratchpad"},  // negative ones are rule 32a's
    {KEY("referenced_var_id"), HOIST_REC_INT, SLOT(neff_var, referenced_var_id), .fallback = -1,
     WRONG(033a), .summary = "var_id of the variable whose address a `pointer` holds"},
    {KEY("list"), HOIST_REC_INTS, SLOT(neff_var, list), WRONG(034a),
     .summary = "var_ids of the addresses in a `dge-table`"},
    // From here on keys seen in files or in the loader, not in the specification: never reported.
    {KEY("element_size"), HOIST_REC_INT, SLOT(neff_var, element_size), UNJUDGED,
     .summary = "bytes of an element; undocumented"},
    {KEY("internal_shape"), HOIST_REC_INTS, SLOT(neff_var, internal_shape), UNJUDGED,
     .summary = "extents; undocumented"},
    {KEY("shape"), HOIST_REC_INTS, SLOT(neff_var, shape), UNJUDGED,
     .summary = "extents, at most 8; undocumented"},
    {KEY("framework_shape"), HOIST_REC_INTS, SLOT(neff_var, framework_shape), UNJUDGED,
     .summary = "extents as the framework has them; undocumented"},
    {KEY("dtype"), HOIST_REC_STR, SLOT(neff_var, dtype), UNJUDGED,
     .summary = "element type, at most 15 characters; undocumented"},
    {KEY("prefix"), HOIST_REC_STR, SLOT(neff_var, prefix), WRONG(031a),
     .summary = "folder of file_name; undocumented"},
    {KEY("backing_buf"), HOIST_REC_STR, SLOT(neff_var, backing_buf), WRONG(032a),
     .summary = "main, sharded, local or shared; undocumented"},
    {KEY("ops"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
};

// A queue set, by name in `dma_queue` (4.2).
static const hoist_rec_field queue_fields[] = {
    {KEY("type"), HOIST_REC_WORD, SLOTS(neff_queue_set, type, type_text), .fallback = -1,
     .words = &neff_queue_types, WRONG(036a), REQUIRED(036a),
     .summary = "what its transfers are for"},
    // Absent means 1.
    {KEY("num_queues"), HOIST_REC_INT, SLOT(neff_queue_set, num_queues), .fallback = 1,
     WRONG(036a), .summary = "1 ... 16; 1 on Inferentia 1"},
    {KEY("owner"), HOIST_REC_WORD, SLOTS(neff_queue_set, owner, owner_text), .fallback = -1,
     .words = &neff_engine_words, WRONG(037a), REQUIRED(037b),
     .summary = "engine that triggers it: pe, act, pool, dve or sp"},
    {KEY("pinned"), HOIST_REC_BOOL, SLOT(neff_queue_set, pinned), WRONG(036a),
     .summary = "fills the state buffer when the model starts; Inferentia 1"},
    {KEY("queue_instances"), HOIST_REC_STRS, SLOT(neff_queue_set, instances), GEN2, WRONG(041),
     .summary = "rings that can be swapped in while the program runs"},
    {KEY("semaphore_set"), HOIST_REC_INTS, SLOT(neff_queue_set, semaphore_set), WRONG(040a),
     .summary = "semaphores of its queues that rise on completion, at most 32"},
    {KEY("semaphore"), HOIST_REC_INT, SLOT(neff_queue_set, semaphore), .fallback = -1, WRONG(040a),
     .summary = "semaphore of its single queue that rises on completion"},
    {KEY("fabric_path"), HOIST_REC_WORD, SLOT(neff_queue_set, fabric), .words = &neff_fabrics,
     WRONG(030), .summary = "hardware path: main or alt"},
    // A gap in the documentation: kept and shown only.
    {KEY("indirect_memcpy"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("dge"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("dynamic_dma"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("embedding_update_sync_semaphore"), HOIST_REC_ANY, NO_SLOT, UNJUDGED,
     .summary = "undocumented"},
};

// Top level of an engine's JSON (3.4). The items of `dma` have tables of their own below.
static const hoist_rec_field engine_fields[] = {
    {KEY("dma"), HOIST_REC_ANY, NO_SLOT, WRONG(045), .summary = "list of descriptor blocks"},
    {KEY("instr"), HOIST_REC_STR, SLOT(neff_engine, instr_name), WRONG(066),
     .summary = "member with the instructions"},
    {KEY("name"), HOIST_REC_STR, SLOT(neff_engine, name), UNJUDGED, .summary = "label"},
    {KEY("act_info"), HOIST_REC_STR, SLOT(neff_engine, act_info), WRONG(074b),
     .summary = "member that describes the activation tables (act)"},
    {KEY("act_semaphore"), HOIST_REC_INT, SLOT(neff_engine, act_semaphore), .fallback = -1,
     UNJUDGED, .summary = "semaphore of the activation tables (act)"},
    {KEY("activation_function_sets"), HOIST_REC_STRS, SLOT(neff_engine, function_sets),
     WRONG(074a), .summary = "names of sets of activation functions (act)"},
    {KEY("dve_tables"), HOIST_REC_ANY, NO_SLOT, WRONG(074a),
     .summary = "members with the tables of the vector engine (dve)"},
};

// An item of `dma`: a descriptor block (4.3). The names have no slot, since they are resolved to
// indices (engine_read.c).
static const hoist_rec_field block_fields[] = {
    {KEY("id"), HOIST_REC_INT, SLOT(neff_block, id), .fallback = -1, WRONG(045), REQUIRED(045),
     .summary = "number by which instructions trigger it"},
    {KEY("queue"), HOIST_REC_STR, NO_SLOT, WRONG(046a), .summary = "queue set"},
    {KEY("instance_name"), HOIST_REC_STR, NO_SLOT, GEN2, WRONG(046a),
     .summary = "instance of a queue set; goes before `queue`"},
    {KEY("function_start"), HOIST_REC_STR, NO_SLOT, GEN2, WRONG(048a),
     .summary = "function that triggers this and the following blocks of the queue set"},
    {KEY("section_start_desc"), HOIST_REC_BOOL, SLOT(neff_block, section_start), GEN2, WRONG(048a),
     .summary = "goes to the first queue of the set"},
    {KEY("event"), HOIST_REC_INT, SLOT(neff_block, event), .fallback = -1, WRONG(062a),
     .summary = "event that is set on completion, 0 ... 255"},
    {KEY("semaphore"), HOIST_REC_INT, SLOT(neff_block, semaphore), .fallback = -1, WRONG(062a),
     .summary = "semaphore that rises by num_queues on completion, 0 ... 255"},
    {KEY("remote_semaphores"), HOIST_REC_INTS, SLOT(neff_block, remote_semaphores), GEN3,
     WRONG(062a), .summary = "semaphores of the other core"},
    {KEY("desc"), HOIST_REC_ANY, NO_SLOT, WRONG(045), REQUIRED(045),
     .summary = "descriptors: a list, or one alone"},
    {KEY("priority_class"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "undocumented"},
    {KEY("comment"), HOIST_REC_ANY, NO_SLOT, UNJUDGED, .summary = "for people"},
};

// A descriptor (4.4): those keys that nearly all have. Rows without REQUIRED but with a rule for
// absence depend on the op; check_descs.c applies them.
static const hoist_rec_field desc_fields[] = {
    {KEY("op"), HOIST_REC_SMALL_WORD, SLOT(neff_desc, op), GEN2, .words = &neff_ops,
     .fallback = NEFF_OP_COPY, WRONG(049a), .summary = "what is done with the data"},
    {KEY("from"), NEFF_KIND_VAR, SLOT(neff_source, from.var), .has = NEFF_HAS_VAR, WRONG(050a),
     .missing = NEFF_050a, .summary = "variable that is read; of copy, cast and transpose"},
    {KEY("from_off"), HOIST_REC_INT, SLOT(neff_source, from.offset), .has = NEFF_HAS_OFFSET,
     WRONG(052a), .missing = NEFF_054, .summary = "bytes from the variable's start"},
    {KEY("from_sizes"), NEFF_KIND_SIZES, SLOTS(neff_source, from.sizes, from.size_count),
     .has = NEFF_HAS_SIZES, WRONG(052a), .missing = NEFF_054,
     .summary = "extents, innermost first: bytes, then counts"},
    {KEY("from_steps"), NEFF_KIND_SIZES, SLOTS(neff_source, from.steps, from.step_count),
     .has = NEFF_HAS_STEPS, WRONG(052a), .missing = NEFF_054,
     .summary = "bytes from one to the next in each dimension"},
    {KEY("from_dtype"), HOIST_REC_SMALL_WORD, SLOT(neff_source, from.dtype), GEN2,
     .has = NEFF_HAS_DTYPE, .words = &neff_dtype_words, .fallback = NEFF_DTYPE_UINT8, WRONG(057a),
     .missing = NEFF_057b, .summary = "type of the elements that are read"},
    {KEY("from_arr"), HOIST_REC_ANY, NO_SLOT, GEN2, WRONG(050a), .missing = NEFF_050a,
     .summary = "sources of fma, add, min and max: 1 ... 16 objects with the `from*` keys"},
    {KEY("to"), NEFF_KIND_VAR, SLOT(neff_desc, to.var), .has = NEFF_HAS_VAR, WRONG(050a),
     .missing = NEFF_050a, .summary = "variable that is written"},
    {KEY("to_off"), HOIST_REC_INT, SLOT(neff_desc, to.offset), .has = NEFF_HAS_OFFSET,
     WRONG(052a), .missing = NEFF_054, .summary = "bytes from the variable's start"},
    {KEY("to_sizes"), NEFF_KIND_SIZES, SLOTS(neff_desc, to.sizes, to.size_count),
     .has = NEFF_HAS_SIZES, WRONG(052a), .missing = NEFF_054,
     .summary = "extents, innermost first: bytes, then counts"},
    {KEY("to_steps"), NEFF_KIND_SIZES, SLOTS(neff_desc, to.steps, to.step_count),
     .has = NEFF_HAS_STEPS, WRONG(052a), .missing = NEFF_054,
     .summary = "bytes from one to the next in each dimension"},
    {KEY("to_dtype"), HOIST_REC_SMALL_WORD, SLOT(neff_desc, to.dtype), GEN2,
     .has = NEFF_HAS_DTYPE, .words = &neff_dtype_words, .fallback = NEFF_DTYPE_UINT8, WRONG(057a),
     .missing = NEFF_057b, .summary = "type of the elements that are written"},
};

// The other keys of a descriptor, in neff_desc_extra; the arrays of descriptors would be twice as
// large with these inside.
static const hoist_rec_field extra_fields[] = {
    {KEY("scale_dtype"), HOIST_REC_STR, SLOT(neff_desc_extra, scale_dtype), GEN2, WRONG(058a),
     .missing = NEFF_058b, .summary = "type of `scale`: float32"},
    {KEY("scale"), HOIST_REC_FLOAT, SLOT(neff_desc_extra, scale), GEN2, .fallback = 1,
     WRONG(058a), .summary = "factor of fma, of one source or next to from_arr"},
    {KEY("constant_dtype"), HOIST_REC_STR, SLOT(neff_desc_extra, constant_dtype), GEN2,
     WRONG(059a), .missing = NEFF_059b,
     .summary = "type of `constant`: float32, int32 or uint32"},
    {KEY("constant"), HOIST_REC_FLOAT, SLOT(neff_desc_extra, constant), GEN2, WRONG(059a),
     .missing = NEFF_059a, .summary = "what min and max start with"},
    {KEY("transpose_shape"), HOIST_REC_INTS, SLOT(neff_desc_extra, transpose_shape), GEN2,
     WRONG(060a), .summary = "4 extents in elements, outermost first"},
    {KEY("transpose_element_size"), HOIST_REC_INT,
     SLOT(neff_desc_extra, transpose_element_size), GEN2, WRONG(060a),
     .summary = "bytes of an element, 1 ... 8"},
    {KEY("num_tiling_dimensions"), HOIST_REC_INT, SLOT(neff_desc_extra, num_tiling_dimensions),
     WRONG(052a), .summary = "dimensions that form one tile; changes no result"},
    {KEY("transpose_op"), HOIST_REC_STR, SLOT(neff_desc_extra, transpose_op), GEN2, WRONG(060a),
     .summary = "permutation by name; undocumented"},
};
// clang-format on

// Tables -----------------------------------------------------------------------------------------

// The slots of keys (hoist_rec_slot: a perfect hash of size and three bytes by a multiplier that
// was searched for): [slot] = 1 + row. fields_test prints those of a table that has changed.
static const uint8_t def_slots[HOIST_REC_SLOTS] = {
    [0] = 19,  [1] = 10,  [3] = 23,  [4] = 15,  [6] = 30, [8] = 12,  [9] = 14,  [12] = 28,
    [13] = 8,  [15] = 18, [16] = 6,  [17] = 3,  [18] = 2, [25] = 4,  [27] = 26, [31] = 25,
    [33] = 29, [34] = 24, [35] = 11, [37] = 22, [39] = 7, [42] = 13, [44] = 5,  [48] = 16,
    [51] = 17, [54] = 9,  [57] = 21, [59] = 27, [60] = 1, [61] = 20};
static const uint8_t var_slots[HOIST_REC_SLOTS] = {
    [0] = 3,  [2] = 11, [3] = 9,  [5] = 4,  [22] = 14, [23] = 16, [26] = 15, [31] = 12, [33] = 2,
    [34] = 5, [44] = 7, [48] = 1, [51] = 8, [53] = 10, [58] = 6,  [61] = 13, [63] = 17};
static const uint8_t queue_slots[HOIST_REC_SLOTS] = {
    [6] = 5,   [11] = 2, [15] = 4, [29] = 8,  [31] = 9, [47] = 7,
    [48] = 12, [49] = 1, [50] = 6, [52] = 11, [55] = 3, [56] = 10};
static const uint8_t engine_slots[HOIST_REC_SLOTS] = {
    [0] = 1, [1] = 4, [12] = 2, [16] = 5, [41] = 3, [48] = 6, [62] = 7};
static const uint8_t block_slots[HOIST_REC_SLOTS] = {
    [3] = 3,  [5] = 9,  [8] = 5,  [10] = 10, [19] = 6, [28] = 11,
    [30] = 1, [36] = 8, [51] = 2, [60] = 7,  [63] = 4};
static const uint8_t desc_slots[HOIST_REC_SLOTS] = {
    [3] = 12, [4] = 6,  [9] = 11, [18] = 9, [25] = 7, [29] = 10,
    [30] = 3, [31] = 1, [38] = 4, [41] = 5, [43] = 8, [45] = 2};
static const uint8_t extra_slots[HOIST_REC_SLOTS] = {
    [5] = 1, [9] = 4, [24] = 5, [26] = 8, [45] = 7, [48] = 2, [57] = 3, [59] = 6};

// Unknown keys are no findings and not kept in records: they stay in the text.
#define TABLE(name, rows, of, by)                                                                  \
    {                                                                                              \
        .what = (name), .fields = (rows), .count = HOIST_COUNT_OF(rows), .rule = HOIST_REC_NONE,   \
        .place_at = HOIST_REC_NONE, .present_at = HOIST_REC_NONE, .extra_at = HOIST_REC_NONE,      \
        .slots = (of), .multiplier = (by)                                                          \
    }
const hoist_rec_table neff_def_table = TABLE("def.json", def_fields, def_slots, 0x5f65e0ff);
const hoist_rec_table neff_var_table = TABLE("a variable", var_fields, var_slots, 0xbe1e0823);
const hoist_rec_table neff_queue_table =
    TABLE("a queue set", queue_fields, queue_slots, 0x17156075);
const hoist_rec_table neff_engine_table =
    TABLE("an engine file", engine_fields, engine_slots, 0x9e3779b1);
const hoist_rec_table neff_block_table =
    TABLE("a descriptor block", block_fields, block_slots, 0x9e3779b1);
const hoist_rec_table neff_desc_table = TABLE("a descriptor", desc_fields, desc_slots, 0xdaa66d13);
const hoist_rec_table neff_extra_table =
    TABLE("a descriptor", extra_fields, extra_slots, 0x9e3779b1);

static void clear_var(const hoist_rec_field *field, void *slot)
{
    (void)field;
    *(uint32_t *)slot = NEFF_NONE;
}

// An index without a count means nothing. `slot` is the index; the count lies text_at - at from it,
// which may be before.
static void clear_sizes(const hoist_rec_field *field, void *slot)
{
    ((uint8_t *)slot)[field->text_at - field->at] = 0;
}

const hoist_rec_own neff_kinds[] = {
    [NEFF_KIND_VAR - HOIST_REC_OWN] = {.expected = "the name of a variable", .clear = clear_var},
    [NEFF_KIND_SIZES - HOIST_REC_OWN] = {.expected = "a list of integers of 64 bits",
                                         .clear = clear_sizes,
                                         .ints = true},
};
