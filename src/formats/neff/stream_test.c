// Records to text and back: the tables, each form of neff reference section 5.6, the fixture's
// streams, wrong text with its place, and random records.
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "codec/hash.h"
#include "formats/neff/stream_internal.h"
#include "testing/test.h"

static const hoist_rule rule = {.id = "ASM", .severity = HOIST_ERROR, .title = "assembler"};

// Tables -----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int generation;
    size_t count;
} totals[] = {
    // clang-format off
    {"generation 2",   NEFF_GEN2,           145},
    {"generation 3",   NEFF_GEN3,           150},
    {"generation 4",   NEFF_GEN4,           159},
    {"generation 5",   NEFF_GEN5,           165},
    {"any generation", NEFF_ANY_GENERATION, 172},
    // clang-format on
};

HOIST_TEST_TABLE(totals_are_those_of_the_reference, totals)
{
    HOIST_EXPECT(t, neff_opcode_at(row->generation, row->count - 1) != NULL);
    HOIST_EXPECT(t, neff_opcode_at(row->generation, row->count) == NULL);
}

HOIST_TEST(every_opcode_is_found_by_code_and_name)
{
    for (int generation = 0; generation < NEFF_GENERATION_COUNT; generation++) {
        size_t found = 0;
        for (unsigned code = 0; code < 256; code++) {
            const neff_opcode *row = neff_opcode_find((uint8_t)code, generation);
            if (row) {
                found++;
                HOIST_EXPECT_EQ(t, row->code, code);
                HOIST_EXPECT(t, row->form < NEFF_FORM_COUNT && row->kind <= NEFF_CLASS_INVALID);
                HOIST_EXPECT(t, neff_opcode_by_name(hoist_str_from(row->name), generation) == row);
            }
        }
        HOIST_EXPECT(t, neff_opcode_at(generation, found - 1) != NULL);
        HOIST_EXPECT(t, neff_opcode_at(generation, found) == NULL);
    }
}

static const struct {
    const char *name; // of the opcode
    int generation;
    int code; // -1: not of that generation
} opcode_cases[] = {
    // clang-format off
    {"PSEUDO_DMA_TRIGGER",           NEFF_GEN3,           0xc1},
    {"PSEUDO_DMATRIGGER",            NEFF_GEN3,           0xc1},
    {"PSEUDO_DMATRIGGER",            NEFF_GEN1,           0xc1},
    {"LDTAGS",                       NEFF_GEN2,           -1},
    {"LDTAGS",                       NEFF_GEN3,           0x06},
    {"ACTIVATE_MULTIPASS",           NEFF_GEN4,           -1},
    {"ACTIVATE_MULTIPASS",           NEFF_GEN5,           0x26},
    {"ACTIVATE_MULTIPASS",           NEFF_ANY_GENERATION, 0x26},
    {"TENSOR_TENSOR_ADD_BF16",       NEFF_GEN2,           0x8a},
    {"TENSOR_TENSOR_ADD_BF16",       NEFF_GEN3,           -1},
    {"TENSOR_TENSOR_ADD_BF16",       NEFF_ANY_GENERATION, 0x8a},
    {"MATMUL",                       NEFF_GEN1,           0x02},
    {"NOP",                          NEFF_GEN1,           0x68},
    {"NOP",                          NEFF_GEN2,           0xa4},
    {"PSEUDO_READ_VAR_ADDR",         NEFF_GEN1,           0xc8},
    {"PSEUDO_READ_VAR_ADDR",         NEFF_GEN2,           0xc9},
    {"PSEUDO_TRIGGER_COLLECTIVE",    NEFF_GEN1,           -1},
    {"EVENT_WAIT",                   NEFF_ANY_GENERATION, -1},
    {"INVALID",                      NEFF_ANY_GENERATION, 0xff},
    {"nop",                          NEFF_GEN2,           -1},
    {"NO",                           NEFF_GEN2,           -1},
    {"NOPE",                         NEFF_GEN2,           -1},
    {"",                             NEFF_GEN2,           -1},
    // clang-format on
};

HOIST_TEST_TABLE(opcodes_by_name, opcode_cases)
{
    const neff_opcode *found = neff_opcode_by_name(hoist_str_from(row->name), row->generation);
    HOIST_EXPECT_EQ(t, found ? found->code : -1, row->code);
}

HOIST_TEST(names_with_a_nul_are_no_opcodes)
{
    HOIST_EXPECT(t, neff_opcode_by_name(HOIST_STR("NOP\0NOP"), NEFF_GEN2) == NULL);
}

static const struct {
    const char *name;
    bool is_update;
    uint8_t code;
    const char *text;
    int kind;
    bool flag; // wait: by_register or state; update: at_read
} code_cases[] = {
    // clang-format off
    {"none",                false, 0x00, "",                   NEFF_WAIT_NONE,      false},
    {"above",               false, 0x04, "$S[#]>%",            NEFF_WAIT_SEMAPHORE, false},
    {"at least, register",  false, 0x85, "$S[#]>=$R[%]",       NEFF_WAIT_SEMAPHORE, true},
    {"event",               false, 0x06, "$E[#]",              NEFF_WAIT_EVENT,     true},
    {"event clear, set it", false, 0x0f, "!$E[#]&set",         NEFF_WAIT_EVENT,     false},
    {"unordered",           false, 0xfe, "unordered",          NEFF_WAIT_UNORDERED, false},
    {"unknown wait",        false, 0x10, NULL,                 NEFF_WAIT_UNKNOWN,   false},
    {"no update",           true,  0x00, "",                   NEFF_UPDATE_NONE,    false},
    {"plus one",            true,  0x13, "$S[#]++@complete",   NEFF_UPDATE_ADD,     false},
    {"minus, at read",      true,  0x07, "$S[#]-=%@read",      NEFF_UPDATE_SUB,     true},
    {"event, at read",      true,  0x01, "$E[#]=1@read",       NEFF_UPDATE_EVENT,   true},
    {"register",            true,  0x99, "$S[#]=$R[%]@complete", NEFF_UPDATE_SET,   false},
    {"unknown update",      true,  0x06, NULL,                 NEFF_UPDATE_UNKNOWN, false},
    // clang-format on
};

HOIST_TEST_TABLE(codes_of_events, code_cases)
{
    const char *text = row->is_update ? neff_event_text(neff_updates, row->code)
                                      : neff_event_text(neff_waits, row->code);
    const neff_wait wait = neff_wait_decode(row->code, 3, 7);
    const neff_update update = neff_update_decode(row->code, 3, 7);
    HOIST_EXPECT(t, (text == NULL) == (row->text == NULL));
    HOIST_EXPECT_STR(t, hoist_str_from(text), row->text);
    HOIST_EXPECT_EQ(t, row->is_update ? (int)update.kind : (int)wait.kind, row->kind);
    HOIST_EXPECT_EQ(t, row->is_update ? update.at_read : wait.by_register || wait.state, row->flag);
    HOIST_EXPECT_EQ(t, wait.index, 3);
    HOIST_EXPECT_EQ(t, update.value, row->code == 0x13 || row->code == 0x04 ? 1 : 7);
}

HOIST_TEST(codes_are_listed_once_and_no_other_is_known)
{
    size_t waits = 0;
    size_t updates = 0;
    for (; waits < NEFF_EVENT_ROWS; waits++) {
        HOIST_EXPECT(t,
                     neff_event_text(neff_waits, neff_waits[waits].code) == neff_waits[waits].text);
    }
    for (; updates < NEFF_EVENT_ROWS; updates++) {
        HOIST_EXPECT(t, neff_event_text(neff_updates, neff_updates[updates].code) ==
                            neff_updates[updates].text);
    }
    for (unsigned i = 0; i < 256; i++) {
        waits -= neff_event_text(neff_waits, (uint8_t)i) != NULL;
        updates -= neff_event_text(neff_updates, (uint8_t)i) != NULL;
    }
    HOIST_EXPECT_EQ(t, waits, 0);
    HOIST_EXPECT_EQ(t, updates, 0);
}

// Text -------------------------------------------------------------------------------------------

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c - 'a' + 10;
}

static uint8_t hex_byte(const char *text)
{
    return (uint8_t)(hex_digit(text[0]) * 16 + hex_digit(text[1]));
}

// A record from text: hexadecimal bytes, "@OFFSET" (two digits) moves on, 'text' is literal.
static void record_of(const char *text, uint8_t bytes[NEFF_RECORD_SIZE])
{
    size_t at = 0;
    memset(bytes, 0, NEFF_RECORD_SIZE);
    while (*text) {
        if (*text == ' ') {
            text++;
        } else if (*text == '@') {
            at = hex_byte(text + 1);
            text += 3;
        } else if (*text == '\'') {
            for (text++; *text != '\''; text++) {
                bytes[at++] = (uint8_t)*text;
            }
            text++;
        } else {
            bytes[at++] = hex_byte(text);
            text += 2;
        }
    }
}

static hoist_buffer buffer_of(void)
{
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    return buffer;
}

// Disassembles and assembles one record; the text is compared when `expected` is there.
static void check_both_ways(hoist_test *t, const uint8_t *record, int generation,
                            const char *expected)
{
    hoist_buffer text = buffer_of();
    hoist_buffer back = buffer_of();
    neff_disasm_record(&text, record, generation);
    if (expected) {
        HOIST_EXPECT_STR(t, hoist_buffer_text(&text), expected);
    }
    const hoist_status status =
        neff_assemble(hoist_buffer_text(&text), generation, &rule, t->diag, &back);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT(t, back.size == NEFF_RECORD_SIZE && memcmp(back.data, record, back.size) == 0);
    hoist_buffer_deinit(&text);
    hoist_buffer_deinit(&back);
}

static const struct {
    const char *name;
    int generation;
    const char *record;
    const char *text; // without ";" and newline
} forms[] = {
    // clang-format off
    {"trigger", 2, "c1 10 @0c 'q_gradient_in'", "PSEUDO_DMA_TRIGGER q_gradient_in block_id=0"},
    {"trigger that waits", 2, "c1 10 00 00 04 16 @0c 'q_gradient_out'",
     "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0"},
    {"trigger by count", 2, "c1 10 @0c 'q' @2c 01 @30 10 27", "PSEUDO_DMA_TRIGGER q raw_count=10000"},
    {"trigger with a strange flag", 2, "c1 10 @0c 'q' @2c 02",
     "PSEUDO_DMA_TRIGGER {0c: 71 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 02}"},
    {"trigger with bytes behind", 2, "c1 10 @0c 'q' @34 07",
     "PSEUDO_DMA_TRIGGER {0c: 71 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 07}"},
    {"trigger without a name", 2, "c1 10", "PSEUDO_DMA_TRIGGER \"\" block_id=0"},
    {"name with a NUL inside", 2, "c1 10 @0c 'a' 00 'b'", "PSEUDO_DMA_TRIGGER {0c: 61 00 62}"},
    {"name of all 32 bytes", 2, "c1 10 @0c 'abcdefghijklmnopqrstuvwxyzABCDEF' @30 05",
     "PSEUDO_DMA_TRIGGER abcdefghijklmnopqrstuvwxyzABCDEF block_id=5"},
    {"every plain byte", 2, "c1 10 @0c 'aZ09_.-$/'", "PSEUDO_DMA_TRIGGER aZ09_.-$/ block_id=0"},
    {"name in quotes", 2, "c1 10 @0c 'q 1;' 22 5c 0a ff '#'",
     "PSEUDO_DMA_TRIGGER \"q 1;\\\"\\\\\\x0a\\xff#\" block_id=0"},
    {"name that is a wait", 2, "c1 10 @0c 'unordered'", "PSEUDO_DMA_TRIGGER \"unordered\" block_id=0"},
    {"collective", 2,
     "c8 10 00 00 04 0a 13 16 00 00 00 00 04 0a 00 00 03 00 00 00 04 00 00 00 20 @20 01",
     "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
     "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0"},
    {"collective with offsets", 2, "c8 10 @0c 3f 20 02 01 @20 07 @30 80 @3f 80",
     "PSEUDO_TRIGGER_COLLECTIVE ctype=7 input_tensor_id=0 output_tensor_id=0 num_elements=0 dtype=32 "
     "op=63 group_id=258 input_offset=128 output_offset=9223372036854775808"},
    {"collective with one offset", 2, "c8 10 @38 01",
     "PSEUDO_TRIGGER_COLLECTIVE ctype=0 input_tensor_id=0 output_tensor_id=0 num_elements=0 dtype=0 "
     "op=BYPASS group_id=0 output_offset=1"},
    {"event semaphore", 2, "a0 10 00 00 04 0b", "EVENT_SEMAPHORE $S[11]>0"},
    {"event semaphore, second half", 2, "a0 10 00 00 05 01 13 02 10 @20 01 03 15 04 07 00 00 00 08",
     "EVENT_SEMAPHORE $S[1]>=16 $S[2]++@complete then $S[3]==7 $S[4]+=8@complete"},
    {"event semaphore, only an update behind", 2, "a0 10 @22 15 04 @28 ff ff ff ff",
     "EVENT_SEMAPHORE then $S[4]+=4294967295@complete"},
    {"event semaphore with a signature", 2, "a0 10 @0c 09 @22 15", "EVENT_SEMAPHORE {0c: 09 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 15}"},
    {"event semaphore, value that nobody uses", 2, "a0 10 @22 13 04 @28 05", "EVENT_SEMAPHORE {0c: 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 13 04 00 00 00 00 05}"},
    {"move of registers", 2, "a7 10 @0c 02 09 00 00 05 80 @18 07 08",
     "MOVE dtype=uint32 $R[7]=$R[5], $R[8]=$R[128]"},
    {"move of numbers", 2, "a7 10 @0c 02 08 01 @18 07 08 @20 ff 00 00 00 78 56 34 12",
     "MOVE dtype=int32 $R[7]=0xff, $R[8]=0x12345678"},
    {"move of nothing", 2, "a7 10", "MOVE {0c: 00}"},
    {"move of neither", 2, "a7 10 @0c 01 08 02 @18 07 @20 ff", "MOVE {0c: 01 08 02 00 00 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00 ff}"},
    {"move with both", 2, "a7 10 @0c 01 08 01 00 05 @18 07", "MOVE {0c: 01 08 01 00 05 00 00 00 00 00 00 00 07}"},
    {"alu with a number", 2, "a8 10 @0c 04 08 01 @10 02 @14 03 @18 05", "ALU_OP dtype=int32 op=ADD $R[3]=$R[2],5"},
    {"alu with registers", 2, "a8 10 @0c 05 08 00 @10 02 00 06 @14 03", "ALU_OP dtype=int32 op=SUB $R[3]=$R[2],$R[6]"},
    {"alu with high registers", 2, "a8 10 @0c 05 08 00 @10 02 01", "ALU_OP {0c: 05 08 00 00 02 01}"},
    {"function", 2, "d1 10 @0c 'f' @30 01 02 03", "PSEUDO_FUNCTION_BEGIN f reset_semaphores=1 return=$R[2],$R[3]"},
    {"call", 2, "d3 10 @0c 'my f' @30 2a", "PSEUDO_FUNCTION_CALL \"my f\" args_table=42"},
    {"return", 2, "d2 10", "PSEUDO_FUNCTION_RETURN"},
    {"core barrier", 2, "d8 10 @0c 01 @10 02", "PSEUDO_CORE_BARRIER id=1 semaphore=2"},
    {"exit", 2, "df 10 @0c 01", "PSEUDO_INST EXIT"},
    {"reload", 2, "df 10 @0c 02", "PSEUDO_INST LIBRARY_RELOAD"},
    {"another pseudo", 2, "df 10 @0c 03", "PSEUDO_INST 3"},
    {"no operands", 2, "a4 10", "NOP"},
    {"operands that are not known", 2, "a9 10 00 02 @0c 03 08 03 @10 01", "COMPARE_BRANCH debug=0,2 {0c: 03 08 03 00 01}"},
    {"last byte", 2, "a4 10 @3f 01", "NOP {0c: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01}"},
    {"value that nobody uses", 2, "a4 10 00 00 06 01 00 00 05", "NOP $E[1] value=5"},
    {"value that both use", 2, "a4 10 00 00 02 01 19 02 05", "NOP $S[1]<5 $S[2]=5@complete"},
    {"registers", 2, "a4 10 00 00 84 01 99 02 05", "NOP $S[1]>$R[5] $S[2]=$R[5]@complete"},
    {"events", 2, "a4 10 00 00 0f ff 02 fe", "NOP !$E[255]&set $E[254]=0@read"},
    {"unordered", 2, "a4 10 00 00 fe", "NOP unordered"},
    {"index without a wait", 2, "a4 10 00 00 00 01", ".record a4 10 00 00 00 01 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    {"unknown update", 2, "a4 10 00 00 00 00 06", ".record a4 10 00 00 00 00 06 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    {"another length", 2, "a4 11", ".record a4 11 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    {"opcode of later generations", 2, "06 10", ".record 06 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    {"the same there", 3, "06 10", "LDTAGS"},
    {"generation 1: trigger", 1, "c1 10 @08 'q' @28 01 @2c 05", "PSEUDO_DMA_TRIGGER q raw_count=5"},
    {"generation 1: no value word", 1, "68 10 @08 05", "NOP {08: 05}"},
    {"generation 1: debug", 1, "68 10 01 02", "NOP debug=1,2"},
    {"generation 1: events", 1, "68 10 00 00 01 02", ".record 68 10 00 00 01 02 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
     "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
    // clang-format on
};

HOIST_TEST_TABLE(forms_both_ways, forms)
{
    uint8_t record[NEFF_RECORD_SIZE];
    hoist_buffer expected = buffer_of();
    record_of(row->record, record);
    hoist_buffer_format(&expected, "%s;\n", row->text);
    hoist_buffer_char(&expected, '\0');
    check_both_ways(t, record, row->generation, (const char *)expected.data);
    hoist_buffer_deinit(&expected);
}

static const struct {
    const char *name;
    const char *text;
    const char *record;
} spellings[] = {
    // clang-format off
    {"old mnemonic", "PSEUDO_DMATRIGGER q block_id=1;", "c1 10 @0c 'q' @30 01"},
    {"spaces, tabs and a carriage return", " \tNOP \t $S[1]>2\t; \r\n", "a4 10 00 00 04 01 00 00 02"},
    {"comment behind", "NOP; # nothing; at all\n", "a4 10"},
    {"comments and empty lines", "# one\n\n   \n\t# two\nNOP;", "a4 10"},
    {"hexadecimal numbers", "NOP $S[0x10]>0xFf;", "a4 10 00 00 04 10 00 00 ff"},
    {"update before wait", "NOP $S[2]++@complete $S[1]>2;", "a4 10 00 00 04 01 13 02 02"},
    {"dtype as in JSON", "ALU_OP dtype=float32 op=ADD $R[3]=$R[2],5;", "a8 10 @0c 04 0a 01 @10 02 @14 03 @18 05"},
    {"numbers for words", "ALU_OP dtype=10 op=0x04 $R[3]=$R[2],5;", "a8 10 @0c 04 0a 01 @10 02 @14 03 @18 05"},
    {"number for EXIT", "PSEUDO_INST 1;", "df 10 @0c 01"},
    {"moves in decimal, without spaces", "MOVE dtype=int32 $R[1]=2,$R[3]=4;", "a7 10 @0c 02 08 01 @18 01 03 @20 02 @24 04"},
    {"quotes that nobody needs", "PSEUDO_DMA_TRIGGER \"q\" block_id=0;", "c1 10 @0c 'q'"},
    {"bytes in upper case", "NOP {0c:AB cD };", "a4 10 @0c ab cd"},
    {"all bytes in braces", "NOP {0c: 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 01 02 03 04 05 06 07 08 09 0a 0b "
     "0c 0d 0e 0f 10 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 01 02 03 04};",
     "a4 10 @0c 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 "
     "01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 01 02 03 04"},
    {"the same value twice", "NOP $S[1]>5 $S[2]+=5@complete;", "a4 10 00 00 04 01 15 02 05"},
    // clang-format on
};

HOIST_TEST_TABLE(other_spellings, spellings)
{
    uint8_t record[NEFF_RECORD_SIZE];
    hoist_buffer out = buffer_of();
    record_of(row->record, record);
    HOIST_EXPECT_EQ(t, neff_assemble(hoist_str_from(row->text), 2, &rule, t->diag, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), "");
    HOIST_EXPECT(t, out.size == NEFF_RECORD_SIZE && memcmp(out.data, record, out.size) == 0);
    hoist_buffer_deinit(&out);
}

static const struct {
    const char *name;
    const char *text;
    const char *findings; // line:column and sentence, one per line
} wrong[] = {
    // clang-format off
    {"unknown mnemonic", "NOP;\n  NOPE $S[1]>2;", "2:3: found 'NOPE', expected an instruction of generation 2, or .record"},
    {"of another generation", "LDTAGS;", "1:1: found 'LDTAGS', expected an instruction of generation 2, or .record"},
    {"no semicolon", "NOP", "1:4: the line ends here, expected ';'"},
    {"only a semicolon", " ;", "1:2: the instruction ends here, expected an instruction of generation 2, or .record"},
    {"something behind", "NOP; NOP;", "1:6: found 'NOP', expected the end of the line"},
    {"operand of nothing", "NOP x;", "1:5: found 'x', expected ';'"},
    {"strange wait", "NOP $S[1]=>2;", "1:5: found '$S[1]=>2', expected a wait such as $S[1]>=2 or $E[1], or an update such as $S[1]++@complete"},
    {"index too large", "NOP $S[256]>2;", "1:8: 256 is too large, expected 255 at most"},
    {"value too large", "NOP $S[1]>4294967296;", "1:11: 4294967296 is too large, expected 4294967295 at most"},
    {"value far too large", "NOP value=99999999999999999999999999;", "1:11: 99999999999999999999999999 is too large, expected 4294967295 at most"},
    {"no number", "NOP value=;", "1:11: the instruction ends here, expected a number from 0 to 4294967295"},
    {"below 0", "NOP value=-3;", "1:11: found '-3', expected a number from 0 to 4294967295"},
    {"an index below 0", "PSEUDO_FUNCTION_CALL f args_table=-1;", "1:35: found '-1', expected a number from 0 to 4294967295"},
    {"hexadecimal without digits", "NOP value=0x;", "1:11: found '0x', expected a number from 0 to 4294967295"},
    {"two waits", "NOP $S[1]>2 $E[2];", "1:13: found '$E[2]', expected one wait and one update at most"},
    {"two updates", "NOP $S[1]++@read $E[2]=1@complete;", "1:18: found '$E[2]=1@complete', expected one wait and one update at most"},
    {"two values", "NOP $S[1]>2 $S[1]+=3@complete;", "1:20: value 3 here and 2 before share one word, expected the same"},
    {"value twice", "NOP value=2 value=3;", "1:19: value 3 here and 2 before share one word, expected the same"},
    {"debug twice", "NOP debug=1,2 debug=1,2;", "1:15: found 'debug=1,2', expected debug bytes once"},
    {"debug without a hint", "NOP debug=1;", "1:12: the instruction ends here, expected ','"},
    {"trigger without a name", "PSEUDO_DMA_TRIGGER;", "1:19: the instruction ends here, expected a name"},
    {"trigger without an id", "PSEUDO_DMA_TRIGGER q;", "1:21: the instruction ends here, expected 'block_id=' or 'raw_count='"},
    {"trigger with a large id", "PSEUDO_DMA_TRIGGER q block_id=4294967296;", "1:31: 4294967296 is too large, expected 4294967295 at most"},
    {"name too long", "PSEUDO_DMA_TRIGGER abcdefghijklmnopqrstuvwxyzABCDEFG block_id=0;", "1:20: the name has 33 bytes, expected 32 at most"},
    {"name does not end", "PSEUDO_DMA_TRIGGER \"q;", "1:23: the line ends here, expected the '\"' that ends the name"},
    {"wrong escape", "PSEUDO_DMA_TRIGGER \"q\\n\" block_id=0;", "1:23: found 'n\"', expected \\\", \\\\ or \\xHH in the name"},
    {"wrong byte", "PSEUDO_DMA_TRIGGER \"q\\x0g\" block_id=0;", "1:24: found '0g\"', expected two hexadecimal digits of a byte that is not 0"},
    {"NUL in the name", "PSEUDO_DMA_TRIGGER \"q\\x00\" block_id=0;", "1:24: found '00\"', expected two hexadecimal digits of a byte that is not 0"},
    {"unknown op", "ALU_OP dtype=int32 op=add $R[1]=$R[2],3;", "1:23: found 'add', expected an ALU op or a number"},
    {"unknown dtype", "MOVE dtype=int33 $R[1]=$R[2];", "1:12: found 'int33', expected a dtype or a number"},
    {"unknown kind", "PSEUDO_TRIGGER_COLLECTIVE ctype=ALL;", "1:33: found 'ALL', expected a kind of collective or a number"},
    {"code too large", "PSEUDO_INST 256;", "1:13: 256 is too large, expected 255 at most"},
    {"unknown pseudo", "PSEUDO_INST LEAVE;", "1:13: found 'LEAVE', expected EXIT, LIBRARY_RELOAD or a number"},
    {"keys in another order", "PSEUDO_CORE_BARRIER semaphore=1 id=2;", "1:21: found 'semaphore=1', expected 'id'"},
    {"nine moves", "MOVE dtype=int32 $R[1]=1, $R[2]=1, $R[3]=1, $R[4]=1, $R[5]=1, $R[6]=1, $R[7]=1, $R[8]=1, $R[9]=1;",
     "1:90: found '$R[9]=1', expected 8 moves at most"},
    {"moves of both kinds", "MOVE dtype=int32 $R[1]=1, $R[2]=$R[3];", "1:33: found '$R[3]', expected a number from 0 to 4294967295"},
    {"register too large", "MOVE dtype=int32 $R[256]=1;", "1:21: 256 is too large, expected 255 at most"},
    {"register does not end", "MOVE dtype=int32 $R[25=1;", "1:23: found '=1', expected ']'"},
    {"then nothing", "EVENT_SEMAPHORE then;", "1:21: the instruction ends here, expected a wait or an update"},
    {"then something else", "EVENT_SEMAPHORE then NOP;", "1:22: found 'NOP', expected a wait or an update"},
    {"braces of generation 1", "NOP {08: 00};", "1:5: found '{08:', expected '{0c:'"},
    {"half a byte", "NOP {0c: 1};", "1:10: found '1}', expected a byte of two hexadecimal digits"},
    {"braces do not end", "NOP {0c: 11", "1:12: the line ends here, expected a byte of two hexadecimal digits"},
    {"too few bytes", ".record 00 01;", "1:14: the instruction ends here, expected a byte of two hexadecimal digits"},
    {"each line its own", "NOP\nNOP;\nNO;", "1:4: the line ends here, expected ';'\n3:1: found 'NO', expected an instruction of generation 2, or .record"},
    // clang-format on
};

HOIST_TEST_TABLE(wrong_text, wrong)
{
    hoist_buffer out = buffer_of();
    hoist_buffer expected = buffer_of();
    HOIST_EXPECT_EQ(t, neff_assemble(hoist_str_from(row->text), 2, &rule, t->diag, &out),
                    HOIST_INVALID);
    for (const char *c = row->findings; *c;) {
        const size_t size = strcspn(c, "\n");
        const size_t place = strcspn(c, " ");
        hoist_buffer_format(&expected, "%.*s error: %.*s [ASM]\n", (int)place, c,
                            (int)(size - place - 1), c + place + 1);
        c += size + (c[size] == '\n');
    }
    hoist_buffer_char(&expected, '\0');
    HOIST_EXPECT_STR(t, hoist_test_findings(t), (const char *)expected.data);
    hoist_buffer_deinit(&out);
    hoist_buffer_deinit(&expected);
}

HOIST_TEST(text_without_a_diag_is_refused_all_the_same)
{
    hoist_buffer out = buffer_of();
    HOIST_EXPECT_EQ(t, neff_assemble(HOIST_STR("NOP"), 0, &rule, NULL, &out), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, neff_assemble(HOIST_STR("NOP\0;"), 0, &rule, NULL, &out), HOIST_INVALID);
    HOIST_EXPECT_EQ(t, neff_assemble(HOIST_STR(""), 0, &rule, NULL, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size, 0);
    hoist_buffer_deinit(&out);
}

static hoist_status assemble_some(hoist_allocator alloc, const void *self)
{
    hoist_buffer out;
    (void)self;
    hoist_buffer_init(&out, alloc);
    const hoist_status status =
        neff_assemble(HOIST_STR("NOP;\nNOP;\nNOP;\n"), NEFF_GEN2, &rule, NULL, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    hoist_test_starve(t, assemble_some, NULL);
}

// The fixture ------------------------------------------------------------------------------------

static const struct {
    const char *name; // of the corpus file
    const char *text;
    const char *md5;
} fixture[] = {
    {"neff/pe.bin",
     "PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 "
     "output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;\n",
     "f29523f090390ca0ca86df1706b3679b"},
    {"neff/pool.bin",
     "PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;\n"
     "PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;\n"
     "EVENT_SEMAPHORE $S[11]>0;\n",
     "7c9340c2ed45801efb8ef1779f43a21a"},
};

HOIST_TEST_TABLE(fixture_text_is_the_vendors, fixture)
{
    const char *path = hoist_test_corpus(t, row->name);
    if (!path) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const hoist_bytes bytes = hoist_test_file(t, path);
    hoist_buffer text = buffer_of();
    for (size_t at = 0; at + NEFF_RECORD_SIZE <= bytes.size; at += NEFF_RECORD_SIZE) {
        neff_disasm_record(&text, bytes.data + at, NEFF_ANY_GENERATION);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), row->text);
    uint8_t digest[HOIST_HASH_MAX_SIZE];
    char hex[33] = "";
    HOIST_EXPECT_EQ(t, hoist_hash(HOIST_HASH_MD5, hoist_buffer_bytes(&text), NULL, digest),
                    HOIST_OK);
    for (size_t i = 0; i < 16; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    }
    HOIST_EXPECT_STR(t, hoist_str_from(hex), row->md5);
    hoist_buffer_deinit(&text);
}

// Random records ---------------------------------------------------------------------------------

// A record of that opcode: mostly well formed, so that every form is met.
static void make_record(uint64_t *state, uint8_t code, uint8_t *record)
{
    static const uint8_t masks[] = {0xff, 0x0f, 0x03, 0x01};
    const uint64_t how = hoist_test_random(state);
    memset(record, 0, NEFF_RECORD_SIZE);
    record[0] = code;
    record[1] = how % 16 ? 0x10 : (uint8_t)(how >> 8);
    for (size_t i = 2; i < NEFF_RECORD_SIZE; i++) {
        const uint64_t r = hoist_test_random(state);
        const bool filled = (how >> 16) % 4 == 0 || r % 8 == 0;
        record[i] = filled ? (uint8_t)(r >> 8) & masks[(r >> 16) % 4] : 0;
    }
    if ((how >> 24) % 4) { // events that are known, or none
        const uint8_t wait = neff_waits[(how >> 32) % NEFF_EVENT_ROWS].code;
        const uint8_t update = neff_updates[(how >> 36) % NEFF_EVENT_ROWS].code;
        record[4] = wait;
        record[5] = wait ? record[5] : 0;
        record[6] = update;
        record[7] = update ? record[7] : 0;
    }
}

HOIST_TEST(random_records_come_back)
{
    uint64_t state = 4;
    uint8_t record[NEFF_RECORD_SIZE];
    for (size_t i = 0; i < HOIST_TEST_ROUNDS(60000) && t->failures == 0; i++) {
        const uint8_t code = (uint8_t)i;
        make_record(&state, code, record);
        check_both_ways(t, record, (int)(i / 256 % NEFF_GENERATION_COUNT), NULL);
    }
}

HOIST_TEST(every_wait_and_update_code_comes_back)
{
    uint8_t record[NEFF_RECORD_SIZE] = {0xa0, 0x10};
    for (unsigned i = 0; i < 65536 && t->failures == 0; i += HOIST_TEST_SHARE) {
        const unsigned at = i < 32768 ? 4 : 0x20;
        memset(record + 2, 0, sizeof(record) - 2);
        record[at] = (uint8_t)i;
        record[at + 1] = (uint8_t)(i % 3);
        record[at + 2] = (uint8_t)(i >> 7);
        record[8] = (uint8_t)(i % 2);
        check_both_ways(t, record, NEFF_GEN4, NULL);
    }
}

// The lines of docs/formats/neff-instructions.md between a fence and the next one.
HOIST_TEST(examples_of_the_page_both_ways)
{
    static const char begin[] = "```\nMOVE";
    const hoist_bytes page =
        hoist_test_file(t, HOIST_SOURCE_DIR "/docs/formats/neff-instructions.md");
    size_t at = 0;
    while (at + sizeof(begin) < page.size && memcmp(page.data + at, begin, strlen(begin)) != 0) {
        at++;
    }
    hoist_str text = {(const char *)page.data + at + 4, 0};
    while (at + 4 + text.size < page.size && text.data[text.size] != '`') {
        text.size++;
    }
    hoist_buffer records = buffer_of();
    hoist_buffer again = buffer_of();
    HOIST_EXPECT_EQ(t, neff_assemble(text, NEFF_GEN2, &rule, t->diag, &records), HOIST_OK);
    HOIST_EXPECT(t, records.size >= (size_t)7 * NEFF_RECORD_SIZE);
    for (size_t i = 0; i < records.size; i += NEFF_RECORD_SIZE) {
        neff_disasm_record(&again, records.data + i, NEFF_GEN2);
    }
    const hoist_str shown = {(const char *)again.data, again.size};
    HOIST_EXPECT(t, hoist_str_equal(shown, text));
    hoist_buffer_deinit(&records);
    hoist_buffer_deinit(&again);
}

HOIST_TEST_MAIN(
    HOIST_TEST_ROW(totals_are_those_of_the_reference),
    HOIST_TEST_ROW(every_opcode_is_found_by_code_and_name), HOIST_TEST_ROW(opcodes_by_name),
    HOIST_TEST_ROW(names_with_a_nul_are_no_opcodes), HOIST_TEST_ROW(codes_of_events),
    HOIST_TEST_ROW(codes_are_listed_once_and_no_other_is_known), HOIST_TEST_ROW(forms_both_ways),
    HOIST_TEST_ROW(other_spellings), HOIST_TEST_ROW(wrong_text),
    HOIST_TEST_ROW(text_without_a_diag_is_refused_all_the_same), HOIST_TEST_ROW(memory_runs_out),
    HOIST_TEST_ROW(fixture_text_is_the_vendors), HOIST_TEST_ROW(examples_of_the_page_both_ways),
    HOIST_TEST_ROW(random_records_come_back), HOIST_TEST_ROW(every_wait_and_update_code_comes_back))
