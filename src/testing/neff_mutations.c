// The ways to break a file: at least one row per clause that a file alone can break.
#include "base/span.h"
#include "testing/neff_mutate.h"

// Descriptors, made of sides.
#define INTS(...)                                                                                  \
    {                                                                                              \
        (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)   \
    }
#define SIDE(name) .variable = (name), .sizes = INTS(8), .steps = INTS(1)
#define FROM(...) .from = &(const hoist_neff_pattern){__VA_ARGS__}, .from_count = 1
#define A_TO_B FROM(SIDE("mut_a")), .to = {SIDE("mut_b")}
#define TYPED(name, type) SIDE(name), .dtype = (type)
#define KEYS(name, value) .keys = {&(const hoist_neff_key){(name), (value)}, 1}
#define VAR(type_name) .name = "mutant", .type = (type_name)
#define QUEUE(type_name) .name = "mutant", .type = (type_name), .owner = "sp"
#define NAMES(...)                                                                                 \
    {                                                                                              \
        (const char *const[]){__VA_ARGS__}, 1                                                      \
    }
#define POKE(at, size, value) .poke_at = (at), .poke_size = (size), .poke = (value)
#define DEF(name, value) .member = "sg00/def.json", .key = {(name), (value)}
#define COLLECTIVE(elements, op, group)                                                            \
    "PSEUDO_TRIGGER_COLLECTIVE $S[9]++@complete ctype=ALL_REDUCE input_tensor_id=0 "               \
    "output_tensor_id=0 num_elements=" elements " dtype=fp32 op=" op " group_id=" group ";\n"
// A semaphore is set while a transfer counts it up: the orders of such programs are only tried.
#define SET_BESIDE                                                                                 \
    .plain = true, .var = {VAR("input"), .size = 8},                                               \
    .desc = {{FROM(SIDE("mutant")), .to = {SIDE("mut_b")}}}, .block = {.queue = "mutant"},         \
    .queue = {QUEUE("data"), .has_semaphore = true, .semaphore = 28},                              \
    .code = "PSEUDO_DMA_TRIGGER mutant block_id=900;\n"                                            \
            "EVENT_SEMAPHORE $S[28]=1@complete;\nEVENT_SEMAPHORE $S[28]>=1;\n"
#define CELL_OF(id) .cell = ((size_t)(id) + 1)

// clang-format off
static const neff_mutation mutations[] = {
    {"NEFF-001", "a header only", .bytes = gen_cut_to_header},
    {"NEFF-002", "packaging 3", POKE(0, 8, 3)},
    {"NEFF-003a", "header of 1,023 bytes", POKE(8, 8, 1023)},
    {"NEFF-003b", "header of 1,025 bytes", POKE(8, 8, 1025)},
    {"NEFF-004a", "payload ends past the file", POKE(16, 8, UINT64_C(1) << 40)},
    {"NEFF-004b", "bytes behind the payload", .bytes = gen_append},
    {"NEFF-005a", "version 3", POKE(24, 8, 3)},
    {"NEFF-005b", "version 0", POKE(24, 8, 0)},
    {"NEFF-005c", "minor version 1", POKE(32, 8, 1)},
    {"NEFF-006", "another hash", POKE(0xac, 8, 1)},
    {"NEFF-007", "a tail behind the MD5", .pkg_version = 2, POKE(0xbc, 1, 1)},
    {"NEFF-008", "a name without NUL", POKE(0xdc + 255, 1, 'x')},
    {"NEFF-009", "a uuid of version 0", POKE(0xcc + 6, 1, 0)},
    {"NEFF-010", "something in the pad", POKE(0x22c, 4, 1)},
    {"NEFF-011a", "cores: 3", POKE(0x228, 4, 3)},
    {"NEFF-011b", "one core, two subgraphs", .subgraphs = 2, POKE(0x228, 4, 1)},
    {"NEFF-011c", "cores: 0", .subgraphs = 1, POKE(0x228, 4, 0)},
    {"NEFF-012a", "an unknown feature, version 1", .version_major = 1, .feature_bits = UINT64_C(1) << 40},
    {"NEFF-012b", "an unknown feature, version 2", .version_major = 2, .feature_bits = UINT64_C(1) << 40,
     CELL_OF(CELL_FEATURES_UNKNOWN_2)},
    {"NEFF-013", "cores needed: 0", POKE(0xa8, 4, 0)},
    {"NEFF-014", "a feature bit is not set", .queue = {QUEUE("act_load")}, POKE(0x220, 8, 0)},
    {"NEFF-015a", "a changed CRC", .pkg_version = 2, .bytes = gen_change_trailer, CELL_OF(CELL_GZIP_TRAILER)},
    {"NEFF-015b", "a raw tar in packaging 2", .pkg_version = 1, POKE(0, 8, 2)},
    {"NEFF-015c", "bytes behind the gzip data", .pkg_version = 2, .bytes = gen_append_to_payload},
    {"NEFF-016a", "a changed tar header", .pkg_version = 1, .bytes = gen_change_tar},
    {"NEFF-016b", "no end blocks", .pkg_version = 1, .bytes = gen_cut_end},
    {"NEFF-017", "a name with ..", .pkg_version = 1, .bytes = gen_add_unsafe, CELL_OF(CELL_TAR_UNSAFE)},
    {"NEFF-017", "a link", .pkg_version = 1, .bytes = gen_add_link, CELL_OF(CELL_TAR_LINK)},
    {"NEFF-018", "two neff.json", .pkg_version = 1, .bytes = gen_add_again, CELL_OF(CELL_TAR_DUPLICATE)},
    {"NEFF-019", "a member of no use", .pkg_version = 1, .bytes = gen_add_unreferred},
    {"NEFF-020", "a limit of 1 KiB", .pkg_version = 2, .max_expanded = 1024},
    {"NEFF-021a", "no JSON", .member = "neff.json", .put = "{"},
    {"NEFF-021b", "a key twice", .member = "kelf-0.json", .find = "{\"definition\"", .put = "{\"a\":1,\"a\":2,\"definition\""},
    {"NEFF-022", "bad row pointers", .member = "neff.json", .find = "\"node_row_ptr\":[0", .put = "\"node_row_ptr\":[7",
     CELL_OF(CELL_ROW_POINTERS)},
    {"NEFF-023a", "no kelf node", .member = "neff.json", .find = "\"__kelf\"", .put = "\"other\""},
    {"NEFF-023b", "a CPU node", .member = "neff.json", .find = "\"op\":\"null\"", .put = "\"op\":\"cpu\""},
    {"NEFF-024a", "target sundae", .target = "sundae", CELL_OF(CELL_TARGET_UNKNOWN)},
    {"NEFF-024b", "version 5", .member = "kelf-0.json", .find = "\"0.5\"", .put = "\"5\""},
    {"NEFF-024c", "another --target", .target = "sunda", .arch = "trn3", CELL_OF(CELL_ASKED_OTHER)},
    {"NEFF-025", "an unknown dtype", .member = "neff.json", .find = "\"list_str\",[\"", .put = "\"list_str\",[\"x"},
    {"NEFF-026a", "no var_id", .var = {VAR("tmp-buf"), .size = 8, KEYS("var_id", NULL)}},
    {"NEFF-026b", "no dma_queue", DEF("dma_queue", NULL)},
    {"NEFF-027a", "an unknown type", .var = {VAR("nonsense"), .size = 8}},
    {"NEFF-027b", "an undocumented type", .var = {VAR("pipe"), .size = 8}},
    {"NEFF-028a", "var_id 0 twice", .var = {VAR("tmp-buf"), .size = 8, KEYS("var_id", "0")}},
    {"NEFF-028b", "var_id 100000", .var = {VAR("tmp-buf"), .size = 8, KEYS("var_id", "100000")}},
    {"NEFF-029", "alignment 3", .var = {VAR("tmp-buf"), .size = 8, KEYS("alignment", "3")}},
    {"NEFF-030", "an unknown path", .var = {VAR("tmp-buf"), .size = 8, KEYS("fabric_path", "\"side\"")}},
    {"NEFF-031a", "a missing member", .var = {VAR("file"), .size = 8, .file_name = "nowhere.bin"}},
    {"NEFF-031a", "a wrong length", .var = {VAR("file"), .size = 99, .file_name = "c0.npy"}, CELL_OF(CELL_WRONG_LENGTH)},
    {"NEFF-031b", "file_name of a tmp-buf", .var = {VAR("tmp-buf"), .size = 8, .file_name = "c0.npy"}},
    {"NEFF-032a", "a negative place", .var = {VAR("virtual"), .size = 8, .backing_variable_off = -8}},
    {"NEFF-032b", "a place of a tmp-buf", .var = {VAR("tmp-buf"), .size = 8, .backing_variable_off = 8}},
    {"NEFF-032c", "a virtual over another", .var = {VAR("virtual"), .size = 8}},
    {"NEFF-033a", "a pointer of 4 bytes", .var = {VAR("pointer"), .size = 4}},
    {"NEFF-033b", "a tmp-buf that refers", .var = {VAR("tmp-buf"), .size = 8, KEYS("referenced_var_id", "0")}},
    {"NEFF-034a", "an unknown var_id in a table", .var = {VAR("dge-table"), .size = 8, .list = INTS(100000)}},
    {"NEFF-034b", "a list of a tmp-buf", .var = {VAR("tmp-buf"), .size = 8, KEYS("list", "[0]")}},
    {"NEFF-035a", "no output", .member = "sg00/def.json", .find = "\"type\":\"output\"", .put = "\"type\":\"tmp-buf\""},
    {"NEFF-035b", "no input", .member = "sg00/def.json", .find = "\"type\":\"input\"", .put = "\"type\":\"tmp-buf\""},
    {"NEFF-036a", "17 queues", .queue = {QUEUE("data"), .num_queues = 17}, CELL_OF(CELL_QUEUES_17)},
    {"NEFF-036a", "an unknown type", .queue = {QUEUE("nonsense")}},
    {"NEFF-036a", "2 queues, generation 1", .target = "tonga", .queue = {QUEUE("data"), .num_queues = 2}},
    {"NEFF-036b", "type act_load", .queue = {QUEUE("act_load")}},
    {"NEFF-036c", "embedding_update in use", .queue = {QUEUE("embedding_update")},
     .desc = {{A_TO_B}}, .block = {.queue = "mutant"}, .code = "PSEUDO_DMA_TRIGGER mutant block_id=900;\n"},
    {"NEFF-036d", "blocks of a dynamic set", .queue = {QUEUE("dynamic")}, .desc = {{A_TO_B}}, .block = {.queue = "mutant"}},
    {"NEFF-037a", "an unknown owner", .queue = {.name = "mutant", .type = "data", .owner = "gpu"}, CELL_OF(CELL_OWNER_UNKNOWN)},
    {"NEFF-037b", "no owner", .queue = {.name = "mutant", .type = "data"}},
    {"NEFF-038", "in with 2 queues", .queue = {QUEUE("in"), .num_queues = 2}},
    {"NEFF-039a", "pinned on generation 2", .target = "sunda", .queue = {QUEUE("data"), .pinned = true}},
    {"NEFF-039b", "pinned with a semaphore", .queue = {QUEUE("data"), .pinned = true, .has_semaphore = true, .semaphore = 7}},
    {"NEFF-039c", "pinned to a tmp-buf", .queue = {QUEUE("data"), .pinned = true}, .desc = {{A_TO_B}}, .block = {.queue = "mutant"}},
    {"NEFF-039d", "a trigger of a pinned set", .queue = {QUEUE("data"), .pinned = true}, .code = "PSEUDO_DMA_TRIGGER mutant block_id=0;\n"},
    {"NEFF-039e", "pinned bytes are written again", .queue = {QUEUE("data"), .pinned = true},
     .desc = {{FROM(SIDE("in0")), .to = {SIDE("sb"), .off = 64}}, {FROM(SIDE("mut_a")), .to = {SIDE("sb"), .off = 71}}},
     .desc_queue = {"mutant", "mut_q"}},
    {"NEFF-040a", "semaphore 256", .queue = {QUEUE("data"), .has_semaphore = true, .semaphore = 256}},
    {"NEFF-040a", "semaphore 32, generation 1", .target = "tonga", .queue = {QUEUE("data"), .has_semaphore = true, .semaphore = 32}},
    {"NEFF-040b", "semaphore and set", .queue = {QUEUE("data"), .has_semaphore = true, .semaphore = 3, .semaphore_set = INTS(4)}},
    {"NEFF-041", "an instance named as a set", .queue = {QUEUE("data"), .queue_instances = NAMES("q_out")}},
    {"NEFF-041", "instances, generation 1", .target = "tonga", .queue = {QUEUE("data"), .queue_instances = NAMES("i")}},
    {"NEFF-042", "192 queues", .queue = {QUEUE("data"), .num_queues = 16}, .queue_count = 12},
    {"NEFF-043a", "a missing engine file", DEF("pe", "\"nowhere.json\"")},
    {"NEFF-043b", "no engine pe", DEF("pe", NULL)},
    {"NEFF-044", "no reservation, generation 3", .target = "cayman", DEF("runtime_statebuffer_reservation", NULL)},
    {"NEFF-045", "dma is no list", .member = "sg00/dve.json", .put = "{\"dma\": {}, \"instr\": \"dve.bin\"}"},
    {"NEFF-045", "a block without id", .desc = {{A_TO_B}}, .block = {KEYS("id", NULL)}},
    {"NEFF-046a", "an undeclared queue set", .desc = {{A_TO_B}}, .block = {.queue = "nowhere"}},
    {"NEFF-046b", "queue and instance", .queue = {QUEUE("data"), .queue_instances = NAMES("mut_i")},
     .desc = {{A_TO_B}}, .block = {.queue = "mutant", .instance_name = "mut_i"}},
    {"NEFF-047", "another engine's queue", .desc = {{A_TO_B}}, .engine = HOIST_NEFF_PE, .has_engine = true},
    {"NEFF-048a", "a function that there is not", .desc = {{A_TO_B}}, .block = {.function_start = "nowhere"}},
    {"NEFF-048b", "a section, generation 1", .target = "tonga", .desc = {{A_TO_B}}, .block = {.section_start_desc = true}},
    {"NEFF-049a", "an unknown op", .desc = {{A_TO_B, .op = "nonsense"}}},
    {"NEFF-049b", "an op, generation 1", .target = "tonga", .desc = {{FROM(TYPED("mut_a", "float32")), .to = {TYPED("mut_b", "int32")}, .op = "cast"}}},
    {"NEFF-050a", "no target", .desc = {{FROM(SIDE("mut_a")), .to = {SIDE(NULL)}}}},
    {"NEFF-050a", "fma without from_arr", .desc = {{A_TO_B, .op = "fma"}}},
    {"NEFF-050b", "from and from_arr", .desc = {{A_TO_B, KEYS("from_arr", "[{\"from\": \"mut_a\"}]")}}},
    {"NEFF-051", "an undeclared variable", .desc = {{FROM(SIDE("mut_a")), .to = {SIDE("nowhere")}}}},
    {"NEFF-052a", "more sizes than steps", .desc = {{FROM(.variable = "mut_a", .sizes = INTS(4, 2), .steps = INTS(1)), .to = {SIDE("mut_b")}}}},
    {"NEFF-052b", "5 dimensions", .desc = {{FROM(.variable = "mut_a", .sizes = INTS(8, 1, 1, 1, 1), .steps = INTS(1, 8, 8, 8, 8)), .to = {SIDE("mut_b")}}}},
    {"NEFF-053", "a size of 0", .desc = {{FROM(.variable = "mut_a", .sizes = INTS(0), .steps = INTS(1)), .to = {SIDE("mut_b")}}}},
    {"NEFF-054", "no offset", .desc = {{A_TO_B, KEYS("to_off", NULL)}}},
    {"NEFF-055", "out of the variable", .desc = {{FROM(SIDE("mut_a"), .off = 57), .to = {SIDE("mut_b")}}}},
    {"NEFF-055", "before the variable", .desc = {{FROM(SIDE("mut_a"), .off = -1), .to = {SIDE("mut_b")}}}},
    {"NEFF-056", "8 bytes to 7", .desc = {{FROM(SIDE("mut_a")), .to = {.variable = "mut_b", .sizes = INTS(7), .steps = INTS(1)}}}},
    {"NEFF-057a", "an unknown dtype", .desc = {{FROM(TYPED("mut_a", "float5")), .to = {TYPED("mut_b", "float5")}}}},
    {"NEFF-057b", "add without dtypes", .desc = {{A_TO_B, .from_arr = true, .op = "add"}}},
    {"NEFF-058a", "scale of an add", .desc = {{FROM(TYPED("mut_a", "float32")), .from_arr = true, .to = {TYPED("mut_b", "float32")}, .op = "add", KEYS("scale", "2.5")}}},
    {"NEFF-058b", "fma without scale_dtype", .desc = {{FROM(TYPED("mut_a", "float32")), .from_arr = true, .to = {TYPED("mut_b", "float32")}, .op = "fma"}}},
    {"NEFF-059a", "a constant of float16", .desc = {{FROM(TYPED("mut_a", "float32")), .from_arr = true, .to = {TYPED("mut_b", "float32")}, .op = "max",
     .constant_dtype = "float16", .has_constant = true}}},
    {"NEFF-059b", "a constant without dtype", .desc = {{FROM(TYPED("mut_a", "float32")), .from_arr = true, .to = {TYPED("mut_b", "float32")}, .op = "max",
     .has_constant = true}}},
    {"NEFF-060a", "3 extents", .desc = {{A_TO_B, .op = "transpose", .transpose_shape = INTS(2, 2, 2), .transpose_element_size = 1}}},
    {"NEFF-060b", "transpose_shape of a copy", .desc = {{A_TO_B, .transpose_shape = INTS(2, 2, 2, 1)}}},
    {"NEFF-061", "9 tiling dimensions", .desc = {{A_TO_B, .has_num_tiling_dimensions = true, .num_tiling_dimensions = 9}}},
    {"NEFF-062a", "semaphore 256", .desc = {{A_TO_B}}, .block = {.has_semaphore = true, .semaphore = 256}},
    {"NEFF-062b", "a remote semaphore, generation 2", .target = "sunda", .desc = {{A_TO_B}}, .block = {.remote_semaphores = INTS(5)}},
    {"NEFF-063", "an input is written", .desc = {{FROM(SIDE("mut_a")), .to = {SIDE("in0")}}}},
    {"NEFF-064", "within a pointer", .desc = {{FROM(SIDE("mut_a")), .to = {.variable = "mut_p", .off = 4, .sizes = INTS(4), .steps = INTS(1)}}}},
    {"NEFF-065", "other amounts", .desc = {{A_TO_B}, {FROM(.variable = "mut_a", .sizes = INTS(1, 8), .steps = INTS(1, 1)), .to = {SIDE("mut_b")}}},
     .block = {.id = 900}, CELL_OF(CELL_ID_UNEQUAL)},
    {"NEFF-066", "a missing stream", .member = "sg00/dve.bin", .put = NULL},
    {"NEFF-066", "a part of a record", .member = "sg00/dve.bin", .put = "part"},
    {"NEFF-067a", "opcode 0xFF", .record = "\xff\x10", .record_size = 2, CELL_OF(CELL_OPCODE_UNASSIGNED)},
    {"NEFF-067a", "a record of 15 words", .record = "\xa4\x0f", .record_size = 2},
    {"NEFF-067b", "an opcode of generation 2", .target = "cayman", .record = "\x87\x10", .record_size = 2},
    {"NEFF-067c", "a MOVE of nothing", .record = "\xa7\x10", .record_size = 2},
    {"NEFF-068a", "an unknown queue set", .code = "PSEUDO_DMA_TRIGGER nowhere block_id=0;\n"},
    {"NEFF-068a", "an unknown block", .code = "PSEUDO_DMA_TRIGGER mut_q block_id=77;\n"},
    {"NEFF-068b", "a block that nobody triggers", .desc = {{A_TO_B}}},
    {"NEFF-069", "triggers in another order", .desc = {{A_TO_B}, {A_TO_B}},
     .code = "PSEUDO_DMA_TRIGGER mut_q block_id=901;\nPSEUDO_DMA_TRIGGER mut_q block_id=900;\n"},
    {"NEFF-070a", "a function that there is not", .code = "PSEUDO_FUNCTION_CALL nowhere args_table=0;\n", CELL_OF(CELL_FUNCTION_UNDEFINED)},
    {"NEFF-070b", "a function that is never called", .code = "PSEUDO_FUNCTION_BEGIN alone reset_semaphores=0 return=$R[1],$R[2];\n"},
    {"NEFF-071a", "a collective of nothing", .code = "PSEUDO_TRIGGER_COLLECTIVE $S[9]++@complete ctype=ALL_REDUCE input_tensor_id=99999 "
     "output_tensor_id=0 num_elements=1 dtype=fp32 op=ADD group_id=0;\n"},
    {"NEFF-071a", "groups in four lists", .plain = true, DEF("replica_groups", "[[[[0]]]]"),
     .code = COLLECTIVE("8", "ADD", "0")},
    {"NEFF-071b", "a collective of SUB", .code = COLLECTIVE("1", "SUB", "0")},
    {"NEFF-071c", "too many elements", .code = COLLECTIVE("99999", "ADD", "0")},
    // Rank 1 meets rank 0, which has met it once before, in the second collective.
    {"NEFF-071d", "ranks that disagree", .plain = true, DEF("replica_groups", "[[[1,2],[0,1]],[[0,1],[2]]]"),
     .code = COLLECTIVE("8", "ADD", "0") COLLECTIVE("4", "ADD", "1")},
    {"NEFF-072a", "a wait for nobody", .plain = true, .code = "EVENT_SEMAPHORE $S[28]>=1;\n"},
    {"NEFF-072b", "a semaphore set while others count", SET_BESIDE},
    {"NEFF-072c", "a signal to nobody", .plain = true, .code = "EVENT_SEMAPHORE $S[28]++@complete;\n"},
    {"NEFF-073", "no EXIT", .member = "sg00/dve.bin",
     .put = "\xa4\x10" "0123456789" "0123456789" "0123456789" "0123456789" "0123456789" "0123456789" "01"},
    {"NEFF-074a", "a set without a name", .member = "sg00/act.json", .key = {"activation_function_sets", "[\"\"]"}},
    {"NEFF-074a", "a missing DVE table", .member = "sg00/dve.json", .key = {"dve_tables", "[{\"control_table\": \"nowhere\"}]"},
     CELL_OF(CELL_DVE_MISSING)},
    {"NEFF-074b", "a missing act_info", .member = "sg00/act.json", .key = {"act_info", "\"nowhere\""}},
    {"NEFF-075a", "two blocks without a wait", .plain = true, .desc = {{A_TO_B}, {FROM(SIDE("mut_b")), .to = {SIDE("mut_a")}}},
     .queue = {QUEUE("data")}, .desc_queue = {"mutant", "mut_q"},
     .code = "PSEUDO_DMA_TRIGGER mutant block_id=900;\nPSEUDO_DMA_TRIGGER mut_q block_id=901;\n"},
    {"NEFF-075b", "a semaphore set while others count", SET_BESIDE},
    {"NEFF-075c", "an instruction that computes", .plain = true, .record = "\x02\x10", .record_size = 2},
};
// clang-format on

size_t neff_mutation_count(void)
{
    return HOIST_COUNT_OF(mutations);
}

const neff_mutation *neff_mutation_at(size_t index)
{
    return &mutations[index];
}
