// Rules 66 to 71, 73 and 74: a NEFF with one thing wrong per row, and near it a good one.
#include <string.h>

#include "base/buffer.h"
#include "formats/neff/neff_testing.h"
#include "formats/neff/rules.h"
#include "formats/neff/stream.h"

static const hoist_rule assembler = {.id = "ASM", .severity = HOIST_ERROR, .title = "assembler"};

typedef struct stream_row {
    const char *name;
    neff_test_program program;
    const char *target; // of the kelf; NULL: "*"
    const char *asked;  // --target
    const char *member; // stream that is replaced; NULL: none
    const char *text;   // by this assembly
    neff_test_change changes[2];
    const char *rule; // id of the finding; NULL: none but notes
    const char *at;   // its place: "sg00/sp.bin:+0x40", or "sg00/sp.json:3:5"
    const char *path; // end of its object path
    const char *says;
} stream_row;

#define TRIGGER "PSEUDO_DMA_TRIGGER q0 block_id=0;\n"
#define EXIT "PSEUDO_INST EXIT;\n"
#define BEGIN(name) "PSEUDO_FUNCTION_BEGIN " name " reset_semaphores=0 return=$R[0],$R[1];\n"
#define RETURN "PSEUDO_FUNCTION_RETURN;\n"
#define CALL(name) "PSEUDO_FUNCTION_CALL " name " args_table=0;\n"
#define REDUCE(events, op, input, output, count, dtype, group)                                     \
    "PSEUDO_TRIGGER_COLLECTIVE " events " ctype=ALL_REDUCE input_tensor_id=" input                 \
    " output_tensor_id=" output " num_elements=" count " dtype=" dtype " op=" op                   \
    " group_id=" group
#define GOOD "$S[10]>0 $S[22]++@complete"
#define DESC                                                                                       \
    "\"desc\": [{\"from\": \"input\", \"from_off\": 0, \"from_sizes\": [64], \"from_steps\": "     \
    "[1], "                                                                                        \
    "\"to\": \"output\", \"to_off\": 0, \"to_sizes\": [64], \"to_steps\": [1]}]"
#define BLOCK(id, more) "{\"id\": " id ", " more DESC "}"
#define SP(blocks) "{\"dma\": [\n" blocks "],\n\"instr\": \"sp.bin\", \"name\": \"sp\"}"
#define Q0 "\"queue\": \"q0\", "
#define ZEROS                                                                                      \
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "   \
    "00 "                                                                                          \
    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"

#define COPY NEFF_TEST_COPY
#define REDUCTION NEFF_TEST_ALL_REDUCE

static const stream_row rows[] = {
    // clang-format off
    {"66: missing member", COPY, .changes = {{"sg00/pool.bin", NULL, NULL}},
     .rule = "NEFF-066", .at = "sg00/pool.json:3:12", .says = "'pool.bin' is not in the archive"},
    {"66: no name", COPY, .changes = {{"sg00/pool.json", "\"instr\": \"pool.bin\",\n", ""}},
     .rule = "NEFF-066", .at = "sg00/pool.json:1:1", .says = "names no instruction stream"},
    {"66: named by def.json", COPY, .changes = {{"sg00/pool.json", "\"instr\": \"pool.bin\",\n", ""},
     {"sg00/def.json", "\"pe\":", "\"pool_instr\": \"pool.bin\", \"pe\":"}}},
    {"66: half a record", COPY, .changes = {{"sg00/pool.bin", NULL, "0123456789"}},
     .rule = "NEFF-066", .at = "sg00/pool.bin:+0x0", .says = "10 bytes, 10 more than complete records"},
    {"66: an empty stream", COPY, .changes = {{"sg00/pool.bin", NULL, ""}}},

    {"67a: length", COPY, NULL, NULL, "sg00/pe.bin", "NOP;\n.record a4 11 " ZEROS ";\n" EXIT,
     .rule = "NEFF-067a", .at = "sg00/pe.bin:+0x40", .path = "record 1", .says = "0x11 words"},
    {"67a: opcode of no generation", COPY, NULL, NULL, "sg00/pe.bin", ".record 10 10 " ZEROS ";\n" EXIT,
     .rule = "NEFF-067a", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "opcode 0x10"},
    {"67a: invalid opcode", COPY, NULL, NULL, "sg00/pe.bin", "INVALID;\n" EXIT,
     .rule = "NEFF-067a", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "0xff"},
    {"67b: later opcode", COPY, "sunda", NULL, "sg00/pe.bin", "NOP;\nLDTAGS;\n" EXIT,
     .rule = "NEFF-067b", .at = "sg00/pe.bin:+0x40", .path = "record 1",
     .says = "LDTAGS is an opcode of generations 3 to 5, expected one of generation 2"},
    {"67b: earlier opcode", COPY, "mariana", NULL, "sg00/pe.bin", "TENSOR_TENSOR_ADD_BF16;\n" EXIT,
     .rule = "NEFF-067b", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "of generation 2, expected one of generation 4"},
    {"67b: of generation 1", COPY, NULL, NULL, "sg00/pe.bin", ".record eb 10 " ZEROS ";\n" EXIT,
     .rule = "NEFF-067b", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "of generation 1, expected one of generations 2 to 5"},
    {"67b: --target counts", COPY, "cayman", "trn1", "sg00/pe.bin", "LDTAGS;\n" EXIT,
     .rule = "NEFF-067b", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "expected one of generation 2"},
    {"67b: in its generation", COPY, "cayman", NULL, "sg00/pe.bin", "LDTAGS;\n" EXIT, .rule = NULL},
    {"67b: any generation has both", COPY, NULL, NULL, "sg00/pe.bin", "LDTAGS;\nTENSOR_TENSOR_ADD_BF16;\n" EXIT, .rule = NULL},

    {"67c: numbers", COPY, NULL, NULL, "sg00/pe.bin", "MOVE dtype=int32 $R[1]=0x1, $R[2]=0x1;\nMOVE dtype=fp32 $R[0]=0x0;\n" EXIT, .rule = NULL},
    {"67c: registers", COPY, NULL, NULL, "sg00/pe.bin", "MOVE dtype=uint32 $R[1]=$R[3], $R[2]=$R[3];\n" EXIT, .rule = NULL},
    {"67c: of nothing", COPY, NULL, NULL, "sg00/pe.bin", "MOVE {0c: 00};\n" EXIT,
     .rule = "NEFF-067c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "MOVE has 0 moves, expected 1 to 8"},
    {"67c: dtype", COPY, NULL, NULL, "sg00/pe.bin", "NOP;\nMOVE dtype=bf16 $R[1]=0x1;\n" EXIT,
     .rule = "NEFF-067c", .at = "sg00/pe.bin:+0x40", .path = "record 1", .says = "MOVE has the dtype 0x06 (bf16), expected int32, uint32 or fp32"},
    {"67c: no dtype", COPY, NULL, NULL, "sg00/pe.bin", "MOVE dtype=200 $R[1]=0x1;\n" EXIT,
     .rule = "NEFF-067c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "dtype 0xc8 (unknown)"},
    {"67c: a destination twice", COPY, NULL, NULL, "sg00/pe.bin", "MOVE dtype=int32 $R[1]=0x1, $R[2]=0x1, $R[1]=0x2;\n" EXIT,
     .rule = "NEFF-067c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "MOVE writes $R[1] twice"},
    {"67c: an exchange", COPY, NULL, NULL, "sg00/pe.bin", "MOVE dtype=int32 $R[1]=$R[2], $R[2]=$R[1];\n" EXIT,
     .rule = "NEFF-067c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "MOVE reads and writes $R[1]"},
    {"67c: onto itself", COPY, NULL, NULL, "sg00/pe.bin", "MOVE dtype=int32 $R[1]=$R[3], $R[2]=$R[2];\n" EXIT,
     .rule = "NEFF-067c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "MOVE reads and writes $R[2]"},

    {"68a: no name", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER "PSEUDO_DMA_TRIGGER \"\" block_id=0;\n" EXIT,
     .rule = "NEFF-068a", .at = "sg00/sp.bin:+0x40", .path = "record 1", .says = "names no queue set"},
    {"68a: unknown name", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER "PSEUDO_DMA_TRIGGER q1 block_id=0;\n" EXIT,
     .rule = "NEFF-068a", .at = "sg00/sp.bin:+0x40", .path = "record 1", .says = "'q1', which is no queue set"},
    {"68a: an instance", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER "PSEUDO_DMA_TRIGGER q1 block_id=0;\n" EXIT,
     {{"sg00/def.json", "\"owner\": \"sp\"", "\"queue_instances\": [\"q1\"], \"owner\": \"sp\""}},
     "NEFF-068a", "sg00/sp.bin:+0x40", "record 1", "'q1', which is an instance"},
    {"68a: unknown block", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER "PSEUDO_DMA_TRIGGER q0 block_id=1;\n" EXIT,
     .rule = "NEFF-068a", .at = "sg00/sp.bin:+0x40", .path = "record 1", .says = "no block with id 1 for the main program"},
    {"68a: block of a function", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER CALL("f") EXIT BEGIN("f") TRIGGER RETURN,
     .rule = "NEFF-068a", .at = "sg00/sp.bin:+0x100", .path = "record 4", .says = "no block with id 0 for function 'f'"},
    {"68a: a raw count has no block", COPY, NULL, NULL, "sg00/sp.bin", "PSEUDO_DMA_TRIGGER q0 raw_count=16;\n" EXIT, .rule = NULL},
    {"68: each function has its own", COPY, NULL, NULL, "sg00/sp.bin",
     TRIGGER CALL("f") CALL("f") EXIT BEGIN("f") TRIGGER RETURN,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) "," BLOCK("0", Q0 "\"function_start\": \"f\", "))}}, .rule = NULL},
    {"68b: not the owner", COPY, NULL, NULL, NULL, NULL,
     {{"sg00/def.json", "\"owner\": \"sp\"", "\"owner\": \"pe\""}},
     "NEFF-068b", "sg00/sp.bin:+0x0", "record 0", "engine 'sp' triggers queue set 'q0', which belongs to 'pe'"},
    {"68b: no owner", COPY, NULL, NULL, NULL, NULL, {{"sg00/def.json", "\"owner\": \"sp\", ", ""}}, .rule = NULL},
    {"68b: never triggered", COPY, NULL, NULL, NULL, NULL,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) ",\n  " BLOCK("1", Q0))}},
     "NEFF-068b", "sg00/sp.json:3:3", "dma/1", "nothing triggers the block with id 1 of queue set 'q0'"},
    {"68b: not often enough", COPY, NULL, NULL, NULL, NULL,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) ",\n  " BLOCK("0", Q0))}},
     "NEFF-068b", "sg00/sp.json:3:3", "dma/1", "nothing triggers the block with id 0"},
    {"68b: a loop may trigger it", COPY, NULL, NULL, "sg00/sp.bin", "COMPARE_BRANCH;\n" TRIGGER EXIT,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) ",\n  " BLOCK("0", Q0))}}, .rule = NULL},
    {"68b: another instance", COPY, NULL, NULL, NULL, NULL,
     {{"sg00/def.json", "\"owner\": \"sp\"", "\"queue_instances\": [\"r0\", \"r1\"], \"owner\": \"sp\""},
      {"sg00/sp.json", NULL, SP(BLOCK("0", "\"instance_name\": \"r0\", ") ",\n" BLOCK("1", "\"instance_name\": \"r1\", "))}},
     "NEFF-068b", "sg00/sp.json:3:1", "dma/1", "the block with id 1"},
    {"68b: instances that are swapped", COPY, NULL, NULL, "sg00/sp.bin",
     TRIGGER "PSEUDO_DMASWAP_QUEUE_SET;\nPSEUDO_DMA_TRIGGER q0 block_id=1;\n" EXIT,
     {{"sg00/def.json", "\"owner\": \"sp\"", "\"queue_instances\": [\"r0\", \"r1\"], \"owner\": \"sp\""},
      {"sg00/sp.json", NULL, SP(BLOCK("0", "\"instance_name\": \"r0\", ") ",\n" BLOCK("1", "\"instance_name\": \"r1\", "))}}, .rule = NULL},
    {"68b: pinned", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER EXIT,
     {{"sg00/def.json", "\"owner\": \"sp\", \"semaphore\": 1}", "\"owner\": \"sp\"}, \"p\": {\"type\": \"data\", \"pinned\": true}"},
      {"sg00/sp.json", NULL, SP(BLOCK("0", Q0) ",\n" BLOCK("1", "\"queue\": \"p\", "))}}, .rule = NULL},

    {"69: other order", COPY, NULL, NULL, "sg00/sp.bin", "PSEUDO_DMA_TRIGGER q0 block_id=1;\n" TRIGGER EXIT,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) "," BLOCK("1", Q0))}},
     "NEFF-069", "sg00/sp.bin:+0x0", "record 0", "of block 1, but the next one of the queue is dma/0 with id 0"},
    {"69: once too often", COPY, NULL, NULL, "sg00/sp.bin", TRIGGER TRIGGER TRIGGER EXIT,
     .rule = "NEFF-069", .at = "sg00/sp.bin:+0x40", .path = "record 1", .says = "one more than the queue has blocks"},
    {"69: order of each queue alone", COPY, NULL, NULL, "sg00/sp.bin",
     "PSEUDO_DMA_TRIGGER q1 block_id=7;\n" TRIGGER EXIT,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) "," BLOCK("7", "\"queue\": \"q1\", "))},
      {"sg00/def.json", "\"dma_queue\": {", "\"dma_queue\": {\"q1\": {\"type\": \"data\", \"owner\": \"sp\"},"}}, .rule = NULL},
    {"69: behind a label", COPY, NULL, NULL, "sg00/sp.bin", "PSEUDO_BRANCH_LABEL;\nPSEUDO_DMA_TRIGGER q0 block_id=1;\n" TRIGGER EXIT,
     {{"sg00/sp.json", NULL, SP(BLOCK("0", Q0) "," BLOCK("1", Q0))}}, .rule = NULL},

    {"70a: undefined", COPY, NULL, NULL, "sg00/pe.bin", CALL("g") CALL("f") EXIT BEGIN("f") RETURN,
     .rule = "NEFF-070a", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "call of the function 'g'"},
    {"70a: twice", COPY, NULL, NULL, "sg00/pe.bin", CALL("f") EXIT BEGIN("f") RETURN BEGIN("f") RETURN,
     .rule = "NEFF-070a", .at = "sg00/pe.bin:+0x100", .path = "record 4", .says = "a function 'f' begins at record 2 already"},
    {"70b: never called", COPY, NULL, NULL, "sg00/pe.bin", EXIT BEGIN("f") RETURN,
     .rule = "NEFF-070b", .at = "sg00/pe.bin:+0x40", .path = "record 1", .says = "nothing calls the function 'f'"},
    {"70b: called by itself only", COPY, NULL, NULL, "sg00/pe.bin", EXIT BEGIN("f") CALL("f") RETURN,
     .rule = "NEFF-070b", .at = "sg00/pe.bin:+0x40", .path = "record 1", .says = "nothing calls"},
    {"70: called by another", COPY, NULL, NULL, "sg00/pe.bin", CALL("f") EXIT BEGIN("f") CALL("g") RETURN BEGIN("g") RETURN, .rule = NULL},

    {"71a: input", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "9", "4", "32", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071a", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "the input is variable 9"},
    {"71a: output", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "3", "9", "32", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071a", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "the output is variable 9"},
    {"71a: group", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "3", "4", "32", "fp32", "1") ";\n" EXIT,
     .rule = "NEFF-071a", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "the group is 1, but 'replica_groups' has 1 item"},
    {"71a: no groups", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "\"replica_groups\": [[]],", ""}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "has 0 items"},
    {"71a: a group is a number", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[5],"}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "group 0 of 'replica_groups' is no list, expected a list of ranks"},
    {"71a: groups four deep", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[[0], [[1]]]],"}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "group 0 of 'replica_groups' has its ranks in more than two lists"},
    {"71a: groups 20 deep", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]],"}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "in more than two lists"},
    {"71a: ranks and lists", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[[0], 1]],"}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "group 0 of 'replica_groups' has ranks next to lists"},
    {"71a: a rank below 0", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[0, -1]],"}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "names something that is no rank"},
    {"71a: a rank in words", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[[0, \"one\"]]],"}},
     "NEFF-071a", "sg00/pe.bin:+0x0", "record 0", "names something that is no rank"},
    {"71a: a group that nobody names", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[], 5],"}}, .rule = NULL},
    {"71a: groups of groups", REDUCTION, NULL, NULL, NULL, NULL, {{"sg00/def.json", "[[]],", "[[[0, 1], []]],"}}, .rule = NULL},
    {"71a: extension", REDUCTION, NULL, NULL, "sg00/act.bin", "PSEUDO_TRIGGER_COLLECTIVE2;\nNOP;\nPSEUDO_EXTENSION;\n" EXIT,
     .rule = "NEFF-071a", .at = "sg00/act.bin:+0x0", .path = "record 0", .says = "no PSEUDO_EXTENSION follows"},
    {"71a: extension behind the end", REDUCTION, NULL, NULL, "sg00/act.bin", "NOP;\nPSEUDO_TRIGGER_COLLECTIVE2;\n",
     .rule = "NEFF-071a", .at = "sg00/act.bin:+0x40", .path = "record 1", .says = "no PSEUDO_EXTENSION follows"},
    {"71a: extended", REDUCTION, NULL, NULL, "sg00/act.bin", "PSEUDO_TRIGGER_COLLECTIVE2;\nPSEUDO_EXTENSION;\n" EXIT, .rule = NULL},
    {"71b: update", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE("$S[10]>0 $S[22]++@read", "ADD", "3", "4", "32", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071b", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "update mode is 0x03, expected 0x13"},
    {"71b: op", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "SUB", "3", "4", "32", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071b", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "op 5 (SUB) does not reduce"},
    {"71b: op without a name", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "99", "3", "4", "32", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071b", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "op 99 (unknown)"},
    {"71b: maximum", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "MAX", "3", "4", "32", "fp32", "0") ";\n" EXIT, .rule = NULL},
    {"71c: one element more", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "3", "1", "33", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "33 elements of fp32 from byte 0 on do not fit into the 128 bytes of 'gradient_in'"},
    {"71c: output offset", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "3", "4", "32", "fp32", "0") " output_offset=1;\n" EXIT,
     .rule = "NEFF-071c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "from byte 1 on do not fit into the 128 bytes of 'gradient_out'"},
    {"71c: the product wraps", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "1", "4", "0x4000000000000001", "fp32", "0") ";\n" EXIT,
     .rule = "NEFF-071c", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "do not fit"},
    {"71c: just fits", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "3", "4", "16", "fp32", "0") " input_offset=64 output_offset=64;\n" EXIT, .rule = NULL},
    {"71c: a state buffer has no size", REDUCTION, NULL, NULL, "sg00/pe.bin", REDUCE(GOOD, "ADD", "1", "4", "32", "fp32", "0") ";\n" EXIT, .rule = NULL},

    {"73: no exit", COPY, NULL, NULL, "sg00/pe.bin", EXIT "NOP;\n",
     .rule = "NEFF-073", .at = "sg00/pe.bin:+0x40", .path = "record 1", .says = "does not end with PSEUDO_INST EXIT"},
    {"73: no exit before functions", COPY, NULL, NULL, "sg00/pe.bin", CALL("f") BEGIN("f") RETURN,
     .rule = "NEFF-073", .at = "sg00/pe.bin:+0x0", .path = "record 0", .says = "does not end"},
    {"73: exit before functions", COPY, NULL, NULL, "sg00/pe.bin", CALL("f") EXIT BEGIN("f") RETURN, .rule = NULL},

    {"74a: empty set", COPY, .changes = {{"sg00/act.json", "\"dma\"", "\"activation_function_sets\": [\"a\", \"\"], \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/act.json:2:37", .says = "is empty"},
    {"74a: no list of sets", COPY, .changes = {{"sg00/act.json", "\"dma\"", "\"activation_function_sets\": \"a\", \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/act.json:2:31"},
    {"74a: a set that is no string", COPY, .changes = {{"sg00/act.json", "\"dma\"", "\"activation_function_sets\": [1], \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/act.json:2:32"},
    {"74a: named sets", COPY, .changes = {{"sg00/act.json", "\"dma\"", "\"activation_function_sets\": [\"gelu_and_others\"], \"dma\""}}},
    {"74a: only of the activation engine", COPY, .changes = {{"sg00/pe.json", "\"dma\"", "\"activation_function_sets\": [\"\"], \"dma\""}}},
    {"74a: table missing", COPY, .changes = {{"sg00/dve.json", "\"dma\"", "\"dve_tables\": [{\"opcode_table\": \"t.bin\"}], \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/dve.json:2:35", .says = "the table 't.bin' of the vector engine is not in the archive"},
    {"74a: newer table missing", COPY, .changes = {{"sg00/dve.json", "\"dma\"", "\"dve_tables\": [{}, {\"control_slow_table\": \"t.bin\"}], \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/dve.json:2:45", .says = "'t.bin'"},
    {"74a: table that is no string", COPY, .changes = {{"sg00/dve.json", "\"dma\"", "\"dve_tables\": [{\"opcode_table\": 1}], \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/dve.json:2:35", .says = "'opcode_table' is no string"},
    {"74a: tables that are no objects", COPY, .changes = {{"sg00/dve.json", "\"dma\"", "\"dve_tables\": [1], \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/dve.json:2:18", .says = "no object"},
    {"74a: no list of tables", COPY, .changes = {{"sg00/dve.json", "\"dma\"", "\"dve_tables\": {}, \"dma\""}},
     .rule = "NEFF-074a", .at = "sg00/dve.json:2:17", .says = "no list"},
    {"74a: table there", COPY, .changes = {{"sg00/dve.json", "\"dma\"", "\"dve_tables\": [{\"opcode_table\": \"t.bin\"}], \"dma\""},
     {"sg00/t.bin", NULL, "x"}}},
    {"74b: act_info missing", COPY, .changes = {{"sg00/act.json", "\"dma\"", "\"act_info\": \"a.json\", \"dma\""}},
     .rule = "NEFF-074b", .at = "sg00/act.json:2:15", .says = "'a.json' is not in the archive"},
    {"74b: act_info there", COPY, .changes = {{"sg00/act.json", "\"dma\"", "\"act_info\": \"a.json\", \"dma\""}, {"sg00/a.json", NULL, "{}"}}},
    // clang-format on
};

// Replaces a member by the stream of an assembly text.
static void put_stream(hoist_test *t, neff_texts *neff, const char *member, const char *text,
                       int generation)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, neff_assemble(hoist_str_from(text), generation, &assembler, t->diag, &out),
                    HOIST_OK);
    neff_test_put(t, neff, member, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
}

static void change(hoist_test *t, neff_texts *neff, const neff_test_change *c)
{
    if (!c->put) {
        neff_test_drop(t, neff, c->member);
    } else if (!c->find) {
        neff_test_put(t, neff, c->member, hoist_str_from(c->put));
    } else {
        neff_test_edit(t, neff, c->member, c->find, c->put);
    }
}

// "sg00/sp.bin:+0x40 error: ... [NEFF-068a]" of the findings of streams, notes only of `expected`.
static hoist_str findings_of(hoist_test *t, const char *expected)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *f = hoist_diag_at(t->diag, i);
        const bool is_wanted = expected && strcmp(f->rule->id, expected) == 0;
        if (strcmp(f->rule->id, "NEFF-066") < 0 || (f->severity == HOIST_NOTE && !is_wanted)) {
            continue;
        }
        hoist_buffer_format(&out, "%.*s:", (int)f->member.size, f->member.data);
        if (f->loc.kind == HOIST_LOC_BYTE) {
            hoist_buffer_format(&out, "+0x%llx", (unsigned long long)f->loc.offset);
        } else {
            hoist_buffer_format(&out, "%u:%u", f->loc.pos.line, f->loc.pos.column);
        }
        hoist_buffer_format(&out, " %.*s| %s [%s]\n", (int)f->object.size, f->object.data,
                            f->message.data, f->rule->id);
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// The stream is assembled for the kelf's own generation.
static neff_module *read_row(hoist_test *t, const stream_row *row, neff_texts *neff)
{
    neff_test_base(t, row->program, row->target, neff);
    if (row->member) {
        const bool is_foreign = row->rule && strcmp(row->rule, "NEFF-067b") == 0;
        const int own = row->target ? neff_generation_of_spelling(hoist_str_from(row->target))
                                    : NEFF_ANY_GENERATION;
        put_stream(t, neff, row->member, row->text, is_foreign ? NEFF_ANY_GENERATION : own);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes) && row->changes[i].member; i++) {
        change(t, neff, &row->changes[i]);
    }
    return neff_test_read(t, neff);
}

HOIST_TEST_TABLE(clauses, rows)
{
    neff_texts neff;
    neff_module *module = read_row(t, row, &neff);
    if (module) {
        neff_test_check(t, module, row->asked, neff_check_streams);
    }
    neff_test_destroy(module);
    const hoist_str found = findings_of(t, row->rule);
    if (!row->rule) {
        HOIST_EXPECT_STR(t, found, "");
        return;
    }
    const hoist_str id = hoist_arena_format(&t->arena, " [%s]\n", row->rule);
    const hoist_str at = hoist_arena_format(&t->arena, "%s ", row->at);
    const hoist_str path = hoist_arena_format(&t->arena, "%s| ", row->path ? row->path : "");
    const bool is_one = strchr(found.data, '\n') == found.data + found.size - 1;
    if (!is_one || !hoist_str_starts_with(found, at.data) || !hoist_str_ends_with(found, id.data) ||
        !hoist_str_contains(found, path.data) ||
        !hoist_str_contains(found, row->says ? row->says : " ")) {
        hoist_test_fail(t, __FILE__, __LINE__, "found:\n%s", found.data);
    }
}

// Its opcode table is another one, and rule 73 is silent.
HOIST_TEST(generation_1_has_no_exit)
{
    static const char *const members[] = {"sg00/pe.bin", "sg00/act.bin", "sg00/pool.bin",
                                          "sg00/dve.bin", "sg00/sp.bin"};
    neff_texts neff;
    neff_test_base(t, COPY, "tonga", &neff);
    for (size_t i = 0; i < HOIST_COUNT_OF(members); i++) {
        put_stream(t, &neff, members[i], i < 4 ? "NOP;\nEVENT_WAIT;\n" : TRIGGER, NEFF_GEN1);
    }
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        neff_test_check(t, module, NULL, neff_check_streams);
    }
    neff_test_destroy(module);
    HOIST_EXPECT_STR(t, findings_of(t, "NEFF-073"), "");
}

// Engines that are no JSON or not there are the business of rules 21 and 43.
HOIST_TEST(engines_that_cannot_be_read_are_left_alone)
{
    neff_texts neff;
    neff_test_base(t, REDUCTION, NULL, &neff);
    neff_test_put(t, &neff, "sg00/act.json", HOIST_STR("{"));
    neff_test_drop(t, &neff, "sg00/dve.json");
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        neff_test_check(t, module, NULL, neff_check_streams);
    }
    neff_test_destroy(module);
    HOIST_EXPECT_STR(t, findings_of(t, "NEFF-073"), "");
}

// The rebuilt files have a warning and two notes (5.6).
HOIST_TEST(fixtures)
{
    static const char *const files[] = {"neff/tiny_allreduce_pkg1_pax.neff",
                                        "neff/tiny_allreduce_pkg2_gnu.neff"};
    for (size_t i = 0; i < HOIST_COUNT_OF(files); i++) {
        const char *path = hoist_test_corpus(t, files[i]);
        if (!path) {
            hoist_test_skip(t, "the corpus is absent");
            return;
        }
        const hoist_read_options read = {.alloc = hoist_allocator_system(), .keep = true};
        hoist_module *module = NULL;
        hoist_test_row(t, files[i]);
        HOIST_EXPECT_EQ(t, neff_read(hoist_test_file(t, path), &read, t->diag, &module), HOIST_OK);
        if (module) {
            neff_check c = {.module = (neff_module *)module, .diag = t->diag};
            hoist_arena_init(&c.arena, module->alloc);
            HOIST_EXPECT_EQ(t, neff_check_streams(&c), HOIST_OK);
            hoist_arena_deinit(&c.arena);
        }
        neff_destroy(module);
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-074b"), 1);
        const hoist_str notes = findings_of(t, "NEFF-073");
        HOIST_EXPECT(t, hoist_str_contains(notes, "sg00/pe.bin:+0x0 record 0| "));
        HOIST_EXPECT(t, hoist_str_contains(notes, "sg00/pool.bin:+0x80 record 2| "));
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "NEFF-073"), 2);
    }
}

// Five engines have one stream of 40,000 records.
HOIST_TEST(streams_are_not_checked_for_ever)
{
    static const hoist_rule limit = {.id = "LIMIT", .severity = HOIST_ERROR, .title = "limits"};
    static const uint8_t nop[] = {0xa4, 0x10};
    const size_t size = (size_t)40000 * NEFF_RECORD_SIZE;
    char *records = hoist_arena_alloc(&t->arena, size);
    for (size_t at = 0; records && at < size; at += NEFF_RECORD_SIZE) {
        memcpy(records + at, nop, sizeof nop);
    }
    neff_texts neff;
    neff_test_base(t, REDUCTION, NULL, &neff);
    neff_test_put(t, &neff, "sg00/pe.bin", (hoist_str){records, records ? size : 0});
    neff_test_edit(t, &neff, "sg00/act.json", "act.bin", "pe.bin");
    neff_test_edit(t, &neff, "sg00/pool.json", "pool.bin", "pe.bin");
    neff_test_edit(t, &neff, "sg00/dve.json", "dve.bin", "pe.bin");
    neff_module *module = neff_test_read(t, &neff);
    for (size_t i = 0; module && i < 2; i++) {
        const hoist_check_options options = {.limit_rule = &limit};
        neff_check c = {.module = module, .diag = t->diag, .options = &options};
        hoist_arena_init(&c.arena, module->base.alloc);
        HOIST_EXPECT_EQ(t, neff_check_streams(&c), i == 0 ? HOIST_OK : HOIST_LIMIT);
        hoist_arena_deinit(&c.arena);
        HOIST_EXPECT_EQ(t, neff_test_count(t->diag, "LIMIT"), i);
        module->subgraphs[0].engines[NEFF_SP].instr = module->subgraphs[0].engines[NEFF_PE].instr;
    }
    neff_test_destroy(module);
}

// Checks a module that was read, with tables and maps from `alloc`.
static hoist_status check_with(hoist_allocator alloc, const void *self)
{
    neff_module module = *(const neff_module *)self;
    neff_check c = {.module = &module};
    module.base.alloc = alloc;
    hoist_arena_init(&c.arena, alloc);
    const hoist_status status = neff_check_streams(&c);
    hoist_arena_deinit(&c.arena);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    neff_texts neff;
    neff_test_base(t, COPY, NULL, &neff);
    put_stream(t, &neff, "sg00/sp.bin", TRIGGER CALL("f") EXIT BEGIN("f") RETURN, NEFF_GEN2);
    neff_test_edit(t, &neff, "sg00/act.json", "\"dma\"", "\"act_info\": \"a.json\", \"dma\"");
    neff_test_edit(t, &neff, "sg00/dve.json", "\"dma\"",
                   "\"dve_tables\": [{\"opcode_table\": \"t.bin\"}], \"dma\"");
    neff_module *module = neff_test_read(t, &neff);
    if (module) {
        hoist_test_starve(t, check_with, module);
    }
    neff_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(clauses), HOIST_TEST_ROW(fixtures),
                HOIST_TEST_ROW(streams_are_not_checked_for_ever), HOIST_TEST_ROW(memory_runs_out),
                HOIST_TEST_ROW(generation_1_has_no_exit),
                HOIST_TEST_ROW(engines_that_cannot_be_read_are_left_alone))
