// Text and tree: golden lines, and that nothing of an instruction is lost.
#include <string.h>

#include "codec/json_writer.h"
#include "formats/darwinn/stream_listing.h"
#include "formats/darwinn/stream_tensor.h"
#include "formats/darwinn/stream_testing.h"
#include "testing/trace.h"

static hoist_str listing_text(hoist_test *t, const dwn_listing *listing)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_listing_write(listing, &out), HOIST_OK);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

// Bundles ----------------------------------------------------------------------------------------

static const struct {
    const char *name; // the text
    dwn_bundle bundle;
} bundles[] = {
    // clang-format off
    {"s.nop", {0}},
    {"s.movi   s1, 0x10800", {.alu = 15, .by_immediate = true, .to = 1, .immediate = 0x10800}},
    {"s.mov    s7, s4", {.alu = 15, .to = 7, .immediate = 4}},
    {"s.i2f    s9, s5", {.alu = 16, .to = 9, .immediate = 5}},
    {"s.add    s8, s9, 0xffffffff", {.alu = 1, .by_immediate = true, .to = 8, .first = 9, .immediate = UINT32_MAX}},
    {"s.ltu    p1, s6, s31", {.alu = 12, .to = 1, .first = 6, .immediate = 31}},
    {"s.add    s4, s4, 0x1 if p1", {.predicated = true, .predicate = 1, .sense = true, .alu = 1,
        .by_immediate = true, .to = 4, .first = 4, .immediate = 1}},
    {"desc.send if !p7", {.predicated = true, .predicate = 7, .store = 6}},
    {"desc.w   1, s5 | s.movi s6, 0x8", {.store = 5, .store_to = 1, .store_from = 5, .alu = 15,
        .by_immediate = true, .to = 6, .immediate = 8}},
    {"ld       s4, [4095] | st [4094], s3", {.load = 1, .load_to = 4, .load_from = 4095, .store = 1,
        .store_to = 4094, .store_from = 3}},
    {"ld       s4, [s8]", {.load = 2, .load_to = 4, .load_from = 8}},
    {"ld       s7, special 38 | out.push s7", {.load = 3, .load_to = 7, .load_from = 38, .store = 4, .store_from = 7}},
    {"st       [s6], s5", {.store = 2, .store_to = 6, .store_from = 5}},
    {"st       special 40, s6", {.store = 3, .store_to = 40, .store_from = 6}},
    // What does nothing, or is unknown, is shown by name.
    {"s.nop predicate=3 sense=1", {.predicate = 3, .sense = true}},
    {"s.nop load_to=2 load_from=9", {.load_to = 2, .load_from = 9}},
    {"s.nop load=2 load_from=32", {.load = 2, .load_from = 32}},
    {"s.nop store=2 store_to=77 store_from=1", {.store = 2, .store_to = 77, .store_from = 1}},
    {"s.nop store=9", {.store = 9}},
    {"s.fexp2  s10, s11", {.function = DWN_FUNCTION_EXP2, .function_to = 10, .function_of = 11}},
    {"s.add    s1, s1, 0x1 | s.frcp s9, s9", {.alu = 1, .by_immediate = true, .to = 1, .first = 1, .immediate = 1,
        .function = DWN_FUNCTION_RECIPROCAL, .function_to = 9, .function_of = 9}},
    {"s.nop function=1 function_to=2", {.function = 1, .function_to = 2}},
    {"s.nop alu=23 by_immediate=1 to=4 first=3 immediate=0x5", {.alu = 23, .by_immediate = true, .to = 4, .first = 3, .immediate = 5}},
    {"s.nop alu=15 to=1 immediate=0x20", {.alu = 15, .to = 1, .immediate = 32}},
    {"s.movi   s1, 0x5 first=2", {.alu = 15, .by_immediate = true, .to = 1, .first = 2, .immediate = 5}},
    {"desc.send store_to=1 store_from=2", {.store = 6, .store_to = 1, .store_from = 2}},
    {"out.push s2 store_to=1", {.store = 4, .store_to = 1, .store_from = 2}},
    // clang-format on
};

HOIST_TEST_TABLE(bundles_have_texts, bundles)
{
    dwn_maker m = {0};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    dwn_make_begin(&m);
    dwn_make_bundle(&m, &row->bundle);
    dwn_bundle_write(&out, (hoist_bytes){m.bytes + DWN_WORD_SIZE, DWN_WORD_SIZE});
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->name);
    hoist_buffer_deinit(&out);
}

// A program --------------------------------------------------------------------------------------

static const char image[] = "im'age";

// One of each kind of line, with a link, a transfer in a loop, and words that cannot be read.
static dwn_chunk make_program(hoist_test *t, dwn_maker *m)
{
    dwn_link *links = hoist_arena_array(&t->arena, 3, sizeof(*links));
    dwn_make_begin(m);
    links[0] = (dwn_link){.name = {image, sizeof(image) - 1},
                          .offset_bit = dwn_make_movi(m, 10, 0),
                          .desc = DWN_DESC_INPUT,
                          .has_meta = true};
    links[1] = (dwn_link){.name = {image, sizeof(image) - 1},
                          .offset_bit = dwn_make_movi(m, 11, 0),
                          .desc = DWN_DESC_INPUT,
                          .position = DWN_POSITION_HIGH,
                          .batch = 2,
                          .has_meta = true};
    links[2] = (dwn_link){.offset_bit = dwn_make_movi(m, 12, 64)};
    (void)dwn_make_movi(m, 13, 1);
    dwn_make_send(m);
    const hoist_mut_bytes fence = dwn_make_add(m, DWN_OP_FENCE);
    fence.data[15] = 0x80;
    const hoist_mut_bytes mesh = dwn_make_add(m, 0x17);
    const dwn_field *fields = dwn_opcode_find(0x17)->fields->rows;
    dwn_make_set(mesh, &fields[DWN_MESH_STORES], 0, 1);
    dwn_make_set(mesh, &fields[DWN_MESH_IMMEDIATE], 0, 0x1000000);
    dwn_make_set(mesh, &fields[DWN_MESH_INCREMENT], 1, 64);
    dwn_make_set(mesh, &fields[DWN_MESH_COUNT], 1, 62);
    const hoist_mut_bytes tensor = dwn_make_add(m, DWN_OP_TENSOR);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_MASTER], 1, 255);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_A_COUNT], 0, 2);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_A_INCREMENT], 0, 2);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_A_COUNT], 1, 2);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_A_INCREMENT], 1, 32);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_A_FLAGS], 1, 1);
    for (size_t k = 2; k < DWN_LOOPS; k++) { // back to where it began, so that their stride is 0
        dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_A_INCREMENT], k, (uint32_t)-76);
    }
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_B_BASE], 0, 0xc0);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_C_BASE], 0, 0xfffe);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_D_INCREMENT], 0, 0x1fff);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_CLASS], 0, 0x28);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_MULTIPLIER], 0, 0x3f000000);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_HIGH], 0, 0x7f800000);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_LOW], 0, 0xffc00001);
    dwn_make_set(tensor, &dwn_tensor_rows[DWN_TENSOR_CONSTANT], 0, 0xfffffffb);
    tensor.data[22] = 0x20;
    const hoist_mut_bytes branch = dwn_make_add(m, DWN_OP_BRANCH);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_CONDITIONAL], 0, 1);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_PREDICATE], 0, 4);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_OFFSET], 0, 0x7fff);
    const hoist_mut_bytes loop = dwn_make_add(m, DWN_OP_LOOP);
    dwn_make_set(loop, &dwn_loop_rows[DWN_LOOP_COUNT], 0, 2027);
    dwn_make_set(loop, &dwn_loop_rows[DWN_LOOP_BODY], 0, 2);
    (void)dwn_make_end(m, false);
    (void)dwn_make_add(m, 0x30);
    m->bytes[(size_t)m->words * DWN_WORD_SIZE] = 0xab;
    return (dwn_chunk){
        dwn_test_stream(t, (hoist_bytes){m->bytes, (size_t)m->words * DWN_WORD_SIZE + 2}), links,
        3};
}

static const char golden[] = //
    "# chunk 0: 43 words, 21 instructions\n"
    "0000 start    bits=5120\n"
    "0001 s.movi   s10, 0x0 ; link input 'im\\x27age' low\n"
    "0002 s.movi   s11, 0x0 ; link input 'im\\x27age' element 2 high\n"
    "0003 s.movi   s12, 0x40 ; link unknown\n"
    "0004 s.movi   s13, 0x1\n"
    "0005 desc.w   0, s10\n"
    "0006 desc.w   1, s11\n"
    "0007 desc.w   2, s12\n"
    "0008 desc.w   3, s13\n"
    "0009 desc.send ; input 'im\\x27age' element 2 [0, +64] infeed\n"
    "0010 tfence   tiles=0001 id=0 w0=80000000000000000000000000000000\n"
    "0011 mesh2    tiles=0001 id=1 increment=0,64,0,0 count=1,63,1,1 stores=1\n"
    "              immediate=0x1000000\n"
    "0017 tensor   tiles=0001 id=2 master=(1)(256) a=0x0 (3,2) (3,36,f1) b=0xc0\n"
    "              c=-0x2 d=? (1,-1) class=0028 multiplier=0.5 high=inf\n"
    "              low=0xffc00001 constant=-5 w1=20000000000000\n"
    "0034 br       0033 if !p4 form=0\n"
    "0035 loop     count=2027 body=2\n"
    "0036 halt     last=1\n"
    "0037 s.nop\n"
    "0038 s.nop\n"
    "0039 s.nop\n"
    "0040 s.nop\n"
    "0041 end      bits=128\n"
    "0042 .word    c00\n"
    "0043 .bytes   ab 00\n"
    "\n"
    "# 1 chunk, 43 words, 21 instructions, tiles 0001, ids consecutive\n"
    "#      1 tensor\n"
    "#      1 mesh2\n"
    "#      1 tfence\n"
    "#     13 s\n"
    "#      1 halt\n"
    "#      1 br\n"
    "#      1 loop\n"
    "#      1 start\n"
    "#      1 end\n"
    "# 3 links, 1 descriptor, 7 faults\n";

HOIST_TEST(a_program_has_its_golden_text)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = make_program(t, &m);
    dwn_program_run run = {0};
    HOIST_EXPECT_EQ(t, dwn_program_execute(&chunk, 1, &t->arena, &run), HOIST_OK);
    const dwn_listing listing = {&chunk, 1, &run, false};
    HOIST_EXPECT_STR(t, listing_text(t, &listing), golden);
}

HOIST_TEST(offsets_are_written_where_asked)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = make_program(t, &m);
    const dwn_listing listing = {&chunk, 1, NULL, true};
    const hoist_str text = listing_text(t, &listing);
    HOIST_EXPECT(t, hoist_str_contains(text, "\n+0x10: 0001 s.movi   s10, 0x0 ; link"));
    HOIST_EXPECT(t, hoist_str_contains(text, "\n+0x90: 0009 desc.send\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "\n+0x2b0: 0043 .bytes   ab 00\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "# 3 links, 0 descriptors, 7 faults\n"));
}

// Branches are not taken: a bundle sends once; a run that stops says why.
HOIST_TEST(runs_are_remarked_on)
{
    dwn_maker m = {0};
    dwn_make_begin(&m);
    dwn_make_bundle(
        &m, &(dwn_bundle){.alu = 1, .by_immediate = true, .to = 1, .first = 1, .immediate = 1});
    (void)dwn_make_movi(&m, 13, 5);
    dwn_make_send(&m);
    dwn_make_bundle(&m, &(dwn_bundle){.alu = 12, .by_immediate = true, .first = 1, .immediate = 3});
    const hoist_mut_bytes branch = dwn_make_add(&m, DWN_OP_BRANCH);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_CONDITIONAL], 0, 1);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_SENSE], 0, 1);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_OFFSET], 0, (uint32_t)-8);
    dwn_make_set(branch, &dwn_branch_rows[DWN_BRANCH_FORM], 0, 2);
    dwn_make_bundle(&m, &(dwn_bundle){.store = 9});
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_program_run run = {0};
    HOIST_EXPECT_EQ(t, dwn_program_execute(&chunk, 1, &t->arena, &run), HOIST_OK);
    const dwn_listing listing = {&chunk, 1, &run, false};
    const hoist_str text = listing_text(t, &listing);
    HOIST_EXPECT(t, hoist_str_contains(text, "0007 desc.send ; interrupt 1\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "0009 br       0001 if p0\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "not run to the end: it came to a store operation"));
}

// Nothing is lost --------------------------------------------------------------------------------

// Puts the bytes of a chunk together again from the events of its tree.
typedef struct rebuilder {
    hoist_test *t;
    uint8_t *bytes; // arena
    size_t size;    // put together
    const dwn_opcode *row;
    hoist_mut_bytes instruction;
    const dwn_field *field; // whose list is open
    size_t index;           // in the list
    int depth;
    int fields_at; // depth inside the map of fields; 0: not there
    int unknown_at;
    int unparsed_at;
} rebuilder;

static const dwn_field *field_named(const dwn_opcode *row, hoist_str name)
{
    for (size_t i = 0; i < row->fields->count; i++) {
        if (hoist_str_equal_c(name, row->fields->rows[i].name)) {
            return &row->fields->rows[i];
        }
    }
    return NULL;
}

static uint64_t hex(hoist_str text)
{
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return value;
}

static void put_field(rebuilder *r, const dwn_field *field, const hoist_tree_event *e)
{
    HOIST_EXPECT(r->t, field != NULL);
    uint32_t bits = (uint32_t)e->integer - (field && field->kind == DWN_FIELD_COUNT);
    if (e->kind == HOIST_TREE_FLOAT) {
        const float number = (float)e->number;
        memcpy(&bits, &number, sizeof(bits));
    } else if (e->kind == HOIST_TREE_STR) {
        bits = (uint32_t)hex(hoist_str_slice(e->str, 2, 8));
    }
    if (field) {
        dwn_field_store(field, r->instruction, r->index, bits);
    }
}

// Bits that no row knows, as a number of up to 32 digits, on top of the fields.
static void put_unknown(rebuilder *r, const hoist_tree_event *e)
{
    const size_t word =
        e->key.size == 2 ? (size_t)(e->key.data[1] - '0') : (size_t)(10 + e->key.data[2] - '0');
    for (size_t i = 0; i < e->str.size; i++) {
        const uint64_t digit = hex(hoist_str_slice(e->str, e->str.size - 1 - i, 1));
        const size_t at = word * DWN_WORD_SIZE + i / 2;
        r->instruction.data[at] = (uint8_t)(r->instruction.data[at] | digit << 4 * (i % 2));
    }
}

static void put_scalar(rebuilder *r, const hoist_tree_event *e)
{
    if (r->fields_at > 0 && r->depth >= r->fields_at) {
        put_field(r, r->field ? r->field : field_named(r->row, e->key), e);
        r->index += r->field != NULL;
    } else if (r->unknown_at == r->depth) {
        put_unknown(r, e);
    } else if (r->unparsed_at == r->depth) {
        for (size_t i = 0; i < e->str.size; i += 2) {
            r->bytes[r->size++] = (uint8_t)hex(hoist_str_slice(e->str, i, 2));
        }
    } else if (hoist_str_equal_c(e->key, "opcode")) {
        r->row = dwn_opcode_find((uint32_t)e->uinteger);
        const size_t size = (size_t)r->row->words * DWN_WORD_SIZE;
        r->instruction = (hoist_mut_bytes){r->bytes + r->size, size};
        r->size += size;
        dwn_field_store(&dwn_opcode_field, r->instruction, 0, r->row->code);
    }
}

static hoist_status rebuild_event(void *self, const hoist_tree_event *e)
{
    rebuilder *r = self;
    if (e->kind == HOIST_TREE_MAP || e->kind == HOIST_TREE_LIST) {
        r->depth++;
        if (r->fields_at > 0) {
            r->field = field_named(r->row, e->key);
        } else if (hoist_str_equal_c(e->key, "fields")) {
            r->fields_at = r->depth;
        } else if (hoist_str_equal_c(e->key, "unknown")) {
            r->unknown_at = r->depth;
        } else if (hoist_str_equal_c(e->key, "unparsed")) {
            r->unparsed_at = r->depth;
        }
    } else if (e->kind == HOIST_TREE_END) {
        r->fields_at = r->fields_at == r->depth ? 0 : r->fields_at;
        r->unknown_at = r->unknown_at == r->depth ? 0 : r->unknown_at;
        r->unparsed_at = r->unparsed_at == r->depth ? 0 : r->unparsed_at;
        r->field = NULL;
        r->index = 0;
        r->depth--;
    } else {
        put_scalar(r, e);
    }
    return HOIST_OK;
}

static void expect_rebuilt(hoist_test *t, hoist_bytes bytes)
{
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, bytes)};
    rebuilder r = {.t = t, .bytes = hoist_arena_alloc(&t->arena, bytes.size + 1)};
    hoist_tree_sink sink = {.self = &r, .event = rebuild_event};
    const dwn_listing listing = {.chunks = &chunk, .count = 1};
    HOIST_EXPECT_EQ(t, dwn_listing_send(&listing, hoist_allocator_system(), &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    HOIST_EXPECT_EQ(t, r.depth, 0);
    HOIST_EXPECT_EQ(t, r.size, bytes.size);
    HOIST_EXPECT(t, bytes.size == 0 || memcmp(r.bytes, bytes.data, bytes.size) == 0);
}

HOIST_TEST(every_bit_comes_back_from_the_tree)
{
    uint64_t seed = 3;
    dwn_maker m = {0};
    const dwn_chunk chunk = make_program(t, &m);
    expect_rebuilt(t, chunk.stream.bytes);
    for (size_t round = 0; round < HOIST_TEST_ROUNDS(200); round++) {
        uint8_t bytes[40 * DWN_WORD_SIZE];
        for (size_t i = 0; i < sizeof(bytes); i++) {
            bytes[i] = (uint8_t)hoist_test_random(&seed);
        }
        for (size_t at = 0; at < sizeof(bytes);) {
            const dwn_opcode *row = dwn_opcode_at(hoist_test_random(&seed) % 25);
            dwn_field_store(&dwn_opcode_field, (hoist_mut_bytes){bytes + at, DWN_WORD_SIZE}, 0,
                            row->code);
            at += (size_t)row->words * DWN_WORD_SIZE;
        }
        expect_rebuilt(t, (hoist_bytes){bytes, hoist_test_random(&seed) % (sizeof(bytes) + 1)});
    }
}

HOIST_TEST(every_bit_of_the_golden_model_comes_back)
{
    for (size_t i = 0; i < 2; i++) {
        const dwn_chunk chunk = dwn_golden_chunk(t, i);
        if (!chunk.stream.bytes.data) {
            hoist_test_skip(t, "the corpus is absent");
            return;
        }
        expect_rebuilt(t, chunk.stream.bytes);
    }
}

static const char *const parts[] = {
    "{\"word\": 1, \"opcode\": 32, \"mnemonic\": \"s\", \"text\": \"s.movi   s10, 0x0\", "
    "\"fields\": {\"alu\": 15, \"by_immediate\": 1, \"to\": 10}, \"links\": "
    "[{\"offset_bit\": 198, \"buffer\": \"input\", \"name\": \"im'age\", \"batch\": 0, "
    "\"half\": \"low\"}]}",
    "\"transfer\": {\"tag\": 1, \"buffer\": \"input\", \"name\": \"im'age\", \"batch\": 2, "
    "\"offset\": 0, \"size\": 64, \"known\": true, \"times\": 1}}",
    "{\"word\": 10, \"opcode\": 26, \"mnemonic\": \"tfence\", \"fields\": {\"tiles\": 1}, "
    "\"unknown\": {\"w0\": \"80000000000000000000000000000000\"}}",
    "\"a.increment\": [2, 32, -76, -76, -76, -76, -76, -76], \"a.count\": [3, 3, 1, 1, 1, 1, 1, 1]",
    "\"high\": \"Infinity\", \"low\": \"0xffc00001\", \"constant\": -5}, \"strides\": {\"a\": "
    "[2, 36], \"b\": [], \"c\": [], \"d\": [-1]}, \"unknown\": {\"w1\": \"20000000000000\"}}",
    "\"offset\": -1",
    "\"unparsed\": [\n        \"000c0000000000000000000000000000\",\n        \"ab00\"",
    "\"descriptors\": 1",
    "\"scalar_run\": \"it came to the end of the program\"",
};

HOIST_TEST(the_tree_is_json)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = make_program(t, &m);
    dwn_program_run run = {0};
    hoist_json_writer writer;
    hoist_buffer out;
    HOIST_EXPECT_EQ(t, dwn_program_execute(&chunk, 1, &t->arena, &run), HOIST_OK);
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&writer, &out, true, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    const dwn_listing listing = {&chunk, 1, &run, false};
    hoist_tree_map(&sink, "");
    HOIST_EXPECT_EQ(t, dwn_listing_send(&listing, hoist_allocator_system(), &sink), HOIST_OK);
    hoist_tree_end(&sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        hoist_test_row(t, parts[i]);
        HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), parts[i]));
    }
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(a_sink_may_refuse)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = make_program(t, &m);
    const dwn_listing listing = {&chunk, 1, NULL, false};
    hoist_status status = HOIST_IO;
    size_t n = 0;
    for (; status == HOIST_IO; n += 7) {
        size_t left = n;
        hoist_tree_sink sink = hoist_refusing_sink(&left);
        HOIST_EXPECT_EQ(t, dwn_listing_send(&listing, hoist_allocator_system(), &sink), HOIST_OK);
        status = sink.status;
    }
    HOIST_EXPECT(t, status == HOIST_OK && n > 100);
}

// Memory -----------------------------------------------------------------------------------------

static hoist_status write_starved(hoist_allocator alloc, const void *self)
{
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = dwn_listing_write(self, &out);
    hoist_buffer_deinit(&out);
    return status;
}

static hoist_status send_starved(hoist_allocator alloc, const void *self)
{
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    return dwn_listing_send(self, alloc, &sink);
}

HOIST_TEST(memory_may_run_out)
{
    dwn_maker m = {0};
    const dwn_chunk chunk = make_program(t, &m);
    const dwn_listing listing = {&chunk, 1, NULL, false};
    hoist_test_starve(t, write_starved, &listing);
    hoist_test_starve(t, send_starved, &listing);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(bundles_have_texts), HOIST_TEST_ROW(a_program_has_its_golden_text),
                HOIST_TEST_ROW(offsets_are_written_where_asked),
                HOIST_TEST_ROW(runs_are_remarked_on),
                HOIST_TEST_ROW(every_bit_comes_back_from_the_tree),
                HOIST_TEST_ROW(every_bit_of_the_golden_model_comes_back),
                HOIST_TEST_ROW(the_tree_is_json), HOIST_TEST_ROW(a_sink_may_refuse),
                HOIST_TEST_ROW(memory_may_run_out))
