// Instruction streams: functions, collectives, tables, and a function that is never called with
// records of all kinds, which are for showing only.
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "testing/neff_gen.h"

enum { RECORD = 64, EMPTY = 0xff };

// Assigned opcodes by first and last generation (neff reference 5.3): a list of its own, since one
// that the reader shared could not show where it is wrong.
static const struct {
    uint8_t first, last, from, to;
} opcodes[] = {
    // clang-format off
    {0x01, 0x05, 2, 5}, {0x06, 0x07, 3, 5}, {0x08, 0x0a, 4, 5}, {0x21, 0x24, 2, 5},
    {0x25, 0x25, 4, 5}, {0x26, 0x26, 5, 5}, {0x30, 0x30, 2, 5}, {0x41, 0x4f, 2, 5},
    {0x51, 0x54, 2, 5}, {0x58, 0x58, 2, 5}, {0x5e, 0x74, 2, 5}, {0x76, 0x7f, 2, 5},
    {0x81, 0x81, 3, 5}, {0x82, 0x86, 2, 5}, {0x87, 0x88, 2, 2}, {0x8a, 0x8d, 2, 2},
    {0x8e, 0x8e, 2, 5}, {0x8f, 0x8f, 2, 2}, {0x92, 0x96, 2, 5}, {0x98, 0xab, 2, 5},
    {0xb0, 0xb3, 2, 5}, {0xb4, 0xb4, 4, 5}, {0xb5, 0xb5, 2, 5}, {0xb6, 0xb6, 5, 5},
    {0xb8, 0xb8, 2, 5}, {0xb9, 0xba, 5, 5}, {0xbb, 0xbb, 2, 5}, {0xbc, 0xbf, 3, 5},
    {0xc1, 0xd6, 2, 5}, {0xd7, 0xd7, 3, 5}, {0xd8, 0xdf, 2, 5}, {0xe0, 0xe3, 4, 5},
    {0xe4, 0xe4, 3, 5}, {0xe5, 0xe8, 2, 5}, {0xe9, 0xe9, 3, 5}, {0xea, 0xea, 2, 5},
    {0xf0, 0xf0, 2, 5}, {0xf1, 0xf2, 3, 5}, {0xf3, 0xf4, 5, 5},
    // clang-format on
};

// And those of generation 1.
static const struct {
    uint8_t first, last;
} first_opcodes[] = {{0x01, 0x05}, {0x21, 0x24}, {0x30, 0x30}, {0x41, 0x4f},
                     {0x51, 0x54}, {0x58, 0x58}, {0x5e, 0x5e}, {0x61, 0x63},
                     {0x65, 0x65}, {0x68, 0x6a}, {0xc1, 0xc8}, {0xeb, 0xef}};
enum { FIRST_OPCODES = CELL_FIRST_OPCODE_LAST - CELL_FIRST_OPCODE + 1 };

// The number of an opcode among the assigned ones of all generations; EMPTY for others.
static size_t opcode_index(uint8_t code)
{
    size_t index = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(opcodes); i++) {
        if (code >= opcodes[i].first && code <= opcodes[i].last) {
            return index + (size_t)(code - opcodes[i].first);
        }
        index += (size_t)(opcodes[i].last - opcodes[i].first) + 1;
    }
    return EMPTY;
}

// The opcode of generation 1 with that number.
static uint8_t first_opcode(size_t number)
{
    size_t row = 0;
    while (number > (size_t)(first_opcodes[row].last - first_opcodes[row].first)) {
        number -= (size_t)(first_opcodes[row].last - first_opcodes[row].first) + 1;
        row++;
    }
    return (uint8_t)(first_opcodes[row].first + number);
}

static void mark_opcode(neff_gen *g, uint8_t code)
{
    if (g->generation != 1) {
        gen_mark(g, CELL_OPCODE + opcode_index(code));
        return;
    }
    for (size_t i = 0; i < FIRST_OPCODES; i++) {
        if (first_opcode(i) == code) {
            gen_mark(g, CELL_FIRST_OPCODE + i);
        }
    }
}

static uint8_t draw_opcode(neff_gen *g)
{
    const int generation = g->generation;
    for (;;) {
        const size_t row = gen_pick(g, HOIST_COUNT_OF(opcodes));
        const uint8_t code =
            (uint8_t)(opcodes[row].first +
                      gen_pick(g, (size_t)(opcodes[row].last - opcodes[row].first) + 1));
        if (generation == 0 || (opcodes[row].from <= generation && generation <= opcodes[row].to)) {
            return code;
        }
    }
}

// All kinds of records ---------------------------------------------------------------------------

// Their operands have to fit the file, or each other (0xa7); others may hold anything.
static bool has_operands(uint8_t code)
{
    static const uint8_t codes[] = {0xa7, 0xc1, 0xc8, 0xd1, 0xd3, 0xd9, 0xda, 0xdf};
    return memchr(codes, code, sizeof(codes)) != NULL;
}

static void add_record(neff_gen *g, size_t engine, uint8_t *record)
{
    gen_do(hoist_neff_add_record(g->neff, g->subgraph, (hoist_neff_engine)engine,
                                 (hoist_bytes){record, RECORD}));
    mark_opcode(g, record[0]);
}

static void add_any(neff_gen *g, size_t engine)
{
    enum { OPERANDS = 12, COLLECTIVE2 = 0xd9, EXTENSION = 0xda };
    const uint8_t code = draw_opcode(g);
    uint8_t *const record = gen_bytes(g, RECORD);
    const bool random = !has_operands(code);
    memset(record, 0, random ? OPERANDS : RECORD);
    record[0] = code;
    record[1] = RECORD / 4;
    if (code == COLLECTIVE2 || code == EXTENSION) {
        record[0] = COLLECTIVE2;
        add_record(g, engine, record);
        record[0] = EXTENSION;
        add_record(g, engine, record);
    } else if (random) {
        add_record(g, engine, record);
    }
}

static void add_waits(neff_gen *g, size_t engine)
{
    static const uint8_t waits[] = {1,  2,    3,    4,    5,    6,    7,   14,
                                    15, 0x81, 0x82, 0x83, 0x84, 0x85, 0xfe};
    static const uint8_t updates[] = {1,    2,    3,    4,    5,    7,    9,   0x11,
                                      0x12, 0x13, 0x14, 0x15, 0x17, 0x19, 0x99};
    enum { EVENT_SEMAPHORE = 0xa0, REGISTERS = 64 };
    uint8_t *const record = hoist_arena_alloc(&g->arena, RECORD);
    gen_do(record ? HOIST_OK : HOIST_NO_MEMORY);
    record[0] = EVENT_SEMAPHORE;
    record[1] = RECORD / 4;
    record[4] = waits[gen_draw(g, CELL_WAIT, HOIST_COUNT_OF(waits))];
    record[5] = record[4] == 0xfe ? 0 : (uint8_t)gen_pick(g, 256);
    record[6] = updates[gen_draw(g, CELL_UPDATE, HOIST_COUNT_OF(updates))];
    record[7] = (uint8_t)gen_pick(g, 256);
    record[8] = (uint8_t)gen_pick(g, REGISTERS);
    add_record(g, engine, record);
}

// Records of generation 1, without events, whose codes are not public.
static void add_first_records(neff_gen *g, size_t engine)
{
    enum { RECORDS = 14, EVENTS = 8, TRIGGER = 0xc1 };
    for (size_t i = 0; i < RECORDS; i++) {
        uint8_t *const record = gen_bytes(g, RECORD);
        memset(record, 0, EVENTS);
        record[0] = first_opcode(gen_pick(g, FIRST_OPCODES));
        record[1] = RECORD / 4;
        if (record[0] != TRIGGER) {
            add_record(g, engine, record);
        }
    }
}

// A function that is never called.
static void add_showcase(neff_gen *g, size_t engine)
{
    enum { RECORDS = 14, CONTENT_FUNCTIONS = 2 };
    gen_mark(g, CELL_FUNCTION_UNCALLED);
    gen_mark(g, CELL_CONTENT + CONTENT_FUNCTIONS);
    gen_do(hoist_neff_add_code(g->neff, g->subgraph, (hoist_neff_engine)engine,
                               "PSEUDO_FUNCTION_BEGIN showcase reset_semaphores=0 "
                               "return=$R[20],$R[21];\n",
                               NULL));
    for (size_t i = 0; i < RECORDS; i++) {
        add_any(g, engine);
        add_waits(g, engine);
    }
}

// Main programs ----------------------------------------------------------------------------------

static void add_numbers(neff_gen *g, hoist_buffer *code)
{
    static const char *const alu[] = {
        "BYPASS", "NOT", "ASL", "ASR",     "ADD", "SUB",  "MULT", "DIV", "MAX",   "MIN",
        "AND",    "OR",  "XOR", "LAND",    "LOR", "LXOR", "LSL",  "LSR", "EQ",    "GT",
        "GE",     "LE",  "LT",  "ABSDIFF", "NE",  "ABS",  "POW",  "MOD", "CRC32", "RSQRT"};
    enum { MOVE = 0xa7, ALU_OP = 0xa8, ROUNDS = 3 };
    for (size_t i = 0; i < ROUNDS; i++) {
        const unsigned number = (unsigned)gen_pick(g, 1000);
        if (gen_draw(g, CELL_MOVE_REGISTER, 2)) {
            hoist_buffer_format(code, "MOVE dtype=int32 $R[1]=0x%x, $R[2]=0x7;\n", number);
        } else {
            hoist_buffer_c(code, "MOVE dtype=uint32 $R[3]=$R[1];\n");
        }
        hoist_buffer_format(code, "ALU_OP dtype=%s op=%s $R[4]=$R[2],%u;\n",
                            gen_chance(g, 50) ? "int32" : "uint32",
                            alu[gen_draw(g, CELL_ALU, HOIST_COUNT_OF(alu))], number);
    }
    mark_opcode(g, MOVE);
    mark_opcode(g, ALU_OP);
}

static void add_nested(neff_gen *g)
{
    const size_t engine = gen_pick(g, HOIST_NEFF_ENGINE_COUNT);
    hoist_buffer_c(&g->code[engine], "PSEUDO_FUNCTION_CALL outer args_table=0;\n");
    hoist_buffer_c(&g->functions[engine],
                   "PSEUDO_FUNCTION_BEGIN outer reset_semaphores=0 return=$R[30],$R[31];\n"
                   "PSEUDO_FUNCTION_CALL middle args_table=0;\nPSEUDO_FUNCTION_RETURN;\n"
                   "PSEUDO_FUNCTION_BEGIN middle reset_semaphores=0 return=$R[32],$R[33];\n"
                   "PSEUDO_FUNCTION_CALL inner args_table=0;\nPSEUDO_FUNCTION_RETURN;\n"
                   "PSEUDO_FUNCTION_BEGIN inner reset_semaphores=0 return=$R[34],$R[35];\n"
                   "NOP;\nPSEUDO_FUNCTION_RETURN;\n");
    mark_opcode(g, 0xd1);
    mark_opcode(g, 0xd2);
    mark_opcode(g, 0xd3);
}

// Collectives ------------------------------------------------------------------------------------

static void put_def(neff_gen *g, const char *key, const char *json)
{
    const hoist_neff_key item = {key, json};
    gen_do(hoist_neff_add_keys(g->neff, gen_path(g, "def.json"), (hoist_neff_keys){&item, 1}));
}

static void draw_groups(neff_gen *g)
{
    static const char *const groups[3][3] = {{"[[]]", "[[]]", "[[]]"},
                                             {"[[0]]", "[[0], [1]]", "[[0, 1], [2, 3]]"},
                                             {"[[[0]]]", "[[[0], [1]]]", "[[[0, 1], [2, 3]]]"}};
    static const char *const worlds[] = {"1", "2", "4"};
    const size_t kind = gen_draw(g, CELL_GROUPS_EMPTY, 3);
    if (!g->worlds) { // all subgraphs are of the same ranks
        g->worlds = 1 + gen_draw(g, CELL_RANKS, 3);
    }
    const size_t ranks = g->worlds - 1;
    put_def(g, "replica_groups", groups[kind][ranks]);
    put_def(g, "#rank_world_size", worlds[ranks]);
}

static void add_collective(neff_gen *g)
{
    static const char *const reductions[] = {"ADD", "MULT", "MAX", "MIN"};
    static const char *const dtypes[] = {"fp32", "bf16", "int32"};
    enum { COLLECTIVE = 0xc8, CONTENT_OFFSET = 0, SIZE = 128 };
    const size_t reduce = gen_draw(g, CELL_REDUCE, 12);
    const bool offset = gen_draw(g, CELL_COLLECTIVE_PLAIN, 2) == 1;
    const int64_t input = gen_variable(
        g, (hoist_neff_variable){.name = "gradient_in", .type = "tmp-buf", .size = SIZE});
    const int64_t output = gen_variable(
        g, (hoist_neff_variable){.name = "gradient_out", .type = "tmp-buf", .size = SIZE});
    draw_groups(g);
    if (offset) {
        gen_mark(g, CELL_CONTENT + CONTENT_OFFSET);
    }
    hoist_buffer_format(&g->code[HOIST_NEFF_PE],
                        "PSEUDO_TRIGGER_COLLECTIVE $S[31]++@complete ctype=ALL_REDUCE "
                        "input_tensor_id=%lld output_tensor_id=%lld num_elements=8 dtype=%s "
                        "op=%s group_id=0%s;\n",
                        (long long)input, (long long)output, dtypes[reduce % 3],
                        reductions[reduce / 3], offset ? " input_offset=16 output_offset=32" : "");
    mark_opcode(g, COLLECTIVE);
}

// Tables -----------------------------------------------------------------------------------------

static void put_engine(neff_gen *g, const char *file, const char *key, const char *json)
{
    const hoist_neff_key item = {key, json};
    gen_do(hoist_neff_add_keys(g->neff, gen_path(g, file), (hoist_neff_keys){&item, 1}));
}

static void add_small_member(neff_gen *g, const char *name)
{
    enum { SIZE = 24 };
    gen_do(
        hoist_neff_add_member(g->neff, gen_path(g, name), (hoist_bytes){gen_bytes(g, SIZE), SIZE}));
}

static void add_tables(neff_gen *g)
{
    static const char *const sets[] = {"[]", "[\"gelu\"]", "[\"gelu\", \"exp\"]",
                                       "[\"gelu\", \"exp\", \"log\"]",
                                       "[\"gelu\", \"exp\", \"log\", \"reciprocal_and_small\"]"};
    const size_t count = gen_draw(g, CELL_SETS, HOIST_COUNT_OF(sets));
    put_engine(g, "act.json", "activation_function_sets", sets[count]);
    if (gen_draw(g, CELL_SET_MEMBERS, 2) == 0) {
        add_small_member(g, "gelu_bkt.bin");
    }
    const size_t info = gen_draw(g, CELL_ACT_INFO_NONE, 3);
    if (info) {
        put_engine(g, "act.json", "act_info", "\"act_info.json\"");
    }
    if (info == 1) {
        gen_do(hoist_neff_add_member(g->neff, gen_path(g, "act_info.json"),
                                     (hoist_bytes){(const uint8_t *)"{}", 2}));
    }
    if (gen_draw(g, CELL_DVE_NONE, 2)) {
        put_engine(g, "dve.json", "dve_tables",
                   "[{\"control_table\": \"control.bin\", \"opcode_table\": \"opcode.bin\"}]");
        add_small_member(g, "control.bin");
        add_small_member(g, "opcode.bin");
    }
}

// All together -----------------------------------------------------------------------------------

void gen_streams(neff_gen *g)
{
    enum { PERCENT = 40 };
    if (g->subgraph == 0) {
        add_tables(g);
    }
    if (g->generation == 1) {
        gen_mark(g, CELL_FUNCTIONS_NONE);
        gen_mark(g, CELL_COLLECTIVE_NONE);
        hoist_buffer_c(&g->code[HOIST_NEFF_POOL], "NOP;\n");
        return;
    }
    if (gen_is_plain(g)) {
        return;
    }
    for (size_t i = 0; i < HOIST_NEFF_ENGINE_COUNT; i++) {
        if (gen_chance(g, PERCENT)) {
            add_numbers(g, &g->code[i]);
        }
    }
    if (gen_draw(g, CELL_FUNCTIONS_NONE, 2)) {
        add_nested(g);
    }
    if (gen_draw(g, CELL_COLLECTIVE_NONE, 2)) {
        add_collective(g);
    }
    if (g->subgraphs == 2) {
        gen_mark(g, CELL_CORE_BARRIER);
        mark_opcode(g, 0xd8);
        hoist_buffer_c(&g->code[HOIST_NEFF_SP], "PSEUDO_CORE_BARRIER id=0 semaphore=30;\n");
    }
}

static void add_long(neff_gen *g)
{
    enum { RECORDS = 100000, NOP = 0xa4 };
    uint8_t *const records = calloc(RECORDS, RECORD);
    gen_do(records ? HOIST_OK : HOIST_NO_MEMORY);
    for (size_t i = 0; i < RECORDS; i++) {
        records[i * RECORD] = NOP;
        records[i * RECORD + 1] = RECORD / 4;
    }
    gen_mark(g, CELL_STREAM_LONG);
    gen_do(hoist_neff_add_record(g->neff, g->subgraph, HOIST_NEFF_DVE,
                                 (hoist_bytes){records, (size_t)RECORDS * RECORD}));
    free(records);
}

static void add_text(neff_gen *g, size_t engine, hoist_buffer *text)
{
    hoist_buffer_char(text, '\0');
    gen_do(text->failed ? HOIST_NO_MEMORY : HOIST_OK);
    gen_do(hoist_neff_add_code(g->neff, g->subgraph, (hoist_neff_engine)engine,
                               hoist_buffer_text(text).data, NULL));
}

static void close_stream(neff_gen *g, size_t engine)
{
    // 6.4 MB as they are, which is too much for a file of medium size.
    const bool small_when_packed = g->options.pkg_version == 2 && g->options.level;
    const bool is_long = (g->size == NEFF_FILE_LARGE || (g->size && small_when_packed)) &&
                         engine == HOIST_NEFF_DVE && g->generation != 1;
    const bool filled = g->code[engine].size || g->functions[engine].size || is_long;
    const bool ends = filled ? gen_draw(g, CELL_STREAM_EXIT, 2) == 1 : gen_chance(g, 50);
    if (is_long) {
        add_long(g);
    }
    if (!ends && g->generation != 1) {
        hoist_buffer_c(&g->code[engine], "PSEUDO_INST EXIT;\n");
        mark_opcode(g, 0xdf);
    }
    if (hoist_str_contains(hoist_buffer_text(&g->code[engine]), "PSEUDO_DMA_TRIGGER")) {
        mark_opcode(g, 0xc1);
    }
    gen_mark(g, (g->code[engine].size || filled ? CELL_STREAM_FILLED : CELL_STREAM_EMPTY) + engine);
    add_text(g, engine, &g->code[engine]);
    add_text(g, engine, &g->functions[engine]);
}

void gen_close_streams(neff_gen *g)
{
    for (size_t i = 0; i < HOIST_NEFF_ENGINE_COUNT; i++) {
        close_stream(g, i);
    }
    if (g->subgraph != 0 || !gen_chance(g, 60) || gen_is_plain(g)) {
        return;
    }
    const size_t engine = gen_pick(g, HOIST_NEFF_ENGINE_COUNT);
    if (g->generation == 1) {
        add_first_records(g, engine);
    } else {
        add_showcase(g, engine);
    }
}
