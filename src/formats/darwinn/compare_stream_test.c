// Chunks that differ in fields, in unknown bits, in addresses, and in what they have.
#include <stdio.h>
#include <string.h>

#include "formats/darwinn/compare_stream.h"
#include "formats/darwinn/recover_testing.h"

// Two chunks in the making: a move of an immediate, which may be a hole, and tensor operations.
typedef struct pair {
    dwn_maker makers[2];
    dwn_link links[2][1];
    dwn_chunk chunks[2];
} pair;

static void add_operations(dwn_maker *m, const dwn_sketch *sketch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        dwn_make_operation(m, sketch);
    }
}

static void change_nothing(dwn_maker *m, dwn_sketch *sketch)
{
    (void)m;
    (void)sketch;
}

static void change_multiplier(dwn_maker *m, dwn_sketch *sketch)
{
    (void)m;
    sketch->multiplier = 0.25F;
}

static void change_zeros(dwn_maker *m, dwn_sketch *sketch)
{
    (void)m;
    sketch->input_zero = 9;
    sketch->output_zero = 3;
}

static void change_loop(dwn_maker *m, dwn_sketch *sketch)
{
    (void)m;
    sketch->a[1][0] = 2;
    sketch->a[1][1] = 100;
}

static void add_constant(dwn_maker *m, dwn_sketch *sketch)
{
    (void)sketch;
    dwn_make_constant(m, 7);
}

enum { OPERATIONS = 2 };

// clang-format off
static const struct {
    const char *name;
    void (*change)(dwn_maker *m, dwn_sketch *sketch);
    uint32_t immediates[2];
    const char *want;
} rows[] = {
    {"equal",          change_nothing,    {0, 0},     ""},
    {"addresses",      change_nothing,    {1, 0x100}, "1 addresses;"},
    {"multiplier",     change_multiplier, {0, 0},     "tensor multiplier 2 at 2;"},
    {"zero points",    change_zeros,      {3, 3},     "tensor input_zero 2 at 2;tensor output_zero 2 at 2;"},
    {"a loop",         change_loop,       {0, 0},     "tensor a.increment 2 at 2;tensor a.count 2 at 2;"},
    {"one more",       add_constant,      {0, 0},     "start bits 1 at 0;tensor id 2 at 2;0 to 1 at 2;"},
};
// clang-format on

static void make_pair(hoist_test *t, pair *p, void (*change)(dwn_maker *m, dwn_sketch *sketch),
                      const uint32_t immediates[2])
{
    memset(p, 0, sizeof(*p));
    for (int i = 0; i < 2; i++) {
        dwn_sketch sketch = {.input_zero = 1, .a = {{4, 1}}};
        dwn_maker *m = &p->makers[i];
        dwn_make_begin(m);
        p->links[i][0] = (dwn_link){.offset_bit = dwn_make_movi(m, 1, immediates[i]),
                                    .desc = DWN_DESC_PARAMETER,
                                    .has_meta = true};
        if (i > 0) {
            change(m, &sketch);
        }
        add_operations(m, &sketch, OPERATIONS);
        p->chunks[i].stream = dwn_test_stream(t, dwn_make_end(m, false));
        p->chunks[i].links = p->links[i];
        p->chunks[i].link_count = 1;
    }
}

static void write(const dwn_chunk_differences *d, char *out, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < d->field_count; i++) {
        at +=
            (size_t)snprintf(out + at, size - at, "%s %s %u at %u;", d->fields[i].opcode->mnemonic,
                             d->fields[i].field ? d->fields[i].field->name : "?",
                             (unsigned)d->fields[i].instructions, d->fields[i].word);
    }
    if (d->addresses) {
        at += (size_t)snprintf(out + at, size - at, "%u addresses;", d->addresses);
    }
    if (d->old_only || d->now_only) {
        at += (size_t)snprintf(out + at, size - at, "%u to %u at %u;", (unsigned)d->old_only,
                               (unsigned)d->now_only, d->word);
    }
    if (d->has_other_links) {
        at += (size_t)snprintf(out + at, size - at, "links;");
    }
    if (d->has_other_end) {
        at += (size_t)snprintf(out + at, size - at, "end;");
    }
    out[at] = '\0';
}

HOIST_TEST_TABLE(chunks, rows)
{
    pair p;
    dwn_chunk_differences d;
    char text[512];
    make_pair(t, &p, row->change, row->immediates);
    HOIST_EXPECT_EQ(t, dwn_chunk_compare(&p.chunks[0], &p.chunks[1], &t->arena, &d), HOIST_OK);
    write(&d, text, sizeof(text));
    HOIST_EXPECT_STR(t, hoist_str_from(text), row->want);
}

// Other bits -------------------------------------------------------------------------------------

static void read_again(hoist_test *t, pair *p)
{
    const dwn_maker *m = &p->makers[1];
    p->chunks[1].stream =
        dwn_test_stream(t, (hoist_bytes){m->bytes, (size_t)m->words * DWN_WORD_SIZE});
}

// A bit of a tensor operation that no field has.
static uint64_t unknown_bit(void)
{
    uint8_t ones[DWN_MAX_WORDS * DWN_WORD_SIZE];
    uint8_t rest[sizeof(ones)];
    uint64_t bit = 0;
    memset(ones, 0xff, sizeof(ones));
    dwn_rest_of(dwn_opcode_find(1), (hoist_bytes){ones, sizeof(ones)},
                (hoist_mut_bytes){rest, sizeof(rest)});
    while (bit < 8 * sizeof(rest) && !(rest[bit / 8] >> bit % 8 & 1)) {
        bit++;
    }
    return bit;
}

enum { OPERATION = 2 }; // word where the first operation is

HOIST_TEST(unknown_bits_are_told)
{
    static const uint32_t none[2] = {0, 0};
    pair p;
    dwn_chunk_differences d;
    make_pair(t, &p, change_nothing, none);
    const uint64_t bit = unknown_bit();
    p.makers[1].bytes[(size_t)OPERATION * DWN_WORD_SIZE + bit / 8] ^= (uint8_t)(1U << bit % 8);
    read_again(t, &p);
    HOIST_EXPECT_EQ(t, dwn_chunk_compare(&p.chunks[0], &p.chunks[1], &t->arena, &d), HOIST_OK);
    HOIST_EXPECT_EQ(t, d.field_count, 1);
    HOIST_EXPECT(t, d.fields[0].field == NULL);
    HOIST_EXPECT_EQ(t, d.fields[0].word, OPERATION);
}

HOIST_TEST(holes_at_other_places)
{
    static const uint32_t none[2] = {0, 0};
    pair p;
    dwn_chunk_differences d;
    make_pair(t, &p, change_nothing, none);
    p.links[1][0].offset_bit++;
    HOIST_EXPECT_EQ(t, dwn_chunk_compare(&p.chunks[0], &p.chunks[1], &t->arena, &d), HOIST_OK);
    HOIST_EXPECT(t, d.has_other_links);
    p.links[0][0].offset_bit = p.links[1][0].offset_bit = INT32_MAX; // outside
    HOIST_EXPECT_EQ(t, dwn_chunk_compare(&p.chunks[0], &p.chunks[1], &t->arena, &d), HOIST_OK);
    HOIST_EXPECT(t, !d.has_other_links && d.addresses == 0);
    p.chunks[0].link_count = 0;
    HOIST_EXPECT_EQ(t, dwn_chunk_compare(&p.chunks[0], &p.chunks[1], &t->arena, &d), HOIST_OK);
    HOIST_EXPECT(t, d.has_other_links);
}

HOIST_TEST(unreadable_ends_are_compared)
{
    static const uint32_t none[2] = {0, 0};
    pair p;
    dwn_chunk_differences d;
    make_pair(t, &p, change_nothing, none);
    uint32_t unknown = 0;
    while (dwn_opcode_find(unknown)) {
        unknown++;
    }
    const hoist_mut_bytes operation = {p.makers[1].bytes + (size_t)OPERATION * DWN_WORD_SIZE,
                                       DWN_WORD_SIZE};
    dwn_field_store(&dwn_opcode_field, operation, 0, unknown);
    read_again(t, &p);
    HOIST_EXPECT(t, p.chunks[1].stream.parsed < p.chunks[1].stream.words);
    HOIST_EXPECT_EQ(t, dwn_chunk_compare(&p.chunks[0], &p.chunks[1], &t->arena, &d), HOIST_OK);
    HOIST_EXPECT(t, d.has_other_end);
    HOIST_EXPECT_EQ(t, d.word, OPERATION);
    HOIST_EXPECT_EQ(t, d.now_only, 0);
}

static hoist_status run_compare(hoist_allocator alloc, const void *self)
{
    const pair *p = self;
    dwn_chunk_differences d;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = dwn_chunk_compare(&p->chunks[0], &p->chunks[1], &arena, &d);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    static const uint32_t none[2] = {0, 0};
    pair p;
    make_pair(t, &p, change_zeros, none);
    hoist_test_starve(t, run_compare, &p);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(chunks), HOIST_TEST_ROW(unknown_bits_are_told),
                HOIST_TEST_ROW(holes_at_other_places), HOIST_TEST_ROW(unreadable_ends_are_compared),
                HOIST_TEST_ROW(memory_runs_out))
