// What is sent over USB, decoded and compared with the hints.
#include <string.h>

#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/usb_stream.h"

// A stream that was made, all of it in the test's arena.
typedef struct made {
    hoist_status status;
    hoist_stream stream;
} made;

static made make(hoist_test *t, const dwn_module *module, const hoist_stream_options *options)
{
    static const hoist_stream_options plain;
    made m = {.status = HOIST_OK};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "before"); // places count from where the stream begins
    m.status = dwn_stream_module(&module->base, options ? options : &plain, t->diag, &t->arena,
                                 &out, &m.stream);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    m.stream.bytes = (hoist_bytes){(const uint8_t *)copy.data + 6, copy.size - 6};
    hoist_buffer_deinit(&out);
    return m;
}

static dwn_module *module_of(hoist_test *t, const dwn_draft *draft)
{
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(draft), &module), HOIST_OK);
    return module;
}

// Decoding ---------------------------------------------------------------------------------------

typedef struct decoder {
    hoist_test *t;
    hoist_reader r;
    const made *m;
    size_t step;
} decoder;

// The next frame of the stream: its data.
static hoist_bytes next_frame(decoder *d, uint8_t tag, uint64_t size)
{
    HOIST_EXPECT_EQ(d->t, hoist_read_u32le(&d->r), size);
    HOIST_EXPECT_EQ(d->t, hoist_read_u32le(&d->r), tag); // the three bytes after it are 0
    const hoist_bytes data = hoist_read_bytes(&d->r, size);
    HOIST_EXPECT(d->t, !d->r.failed);
    return data;
}

// Compares what one hint stands for, as the file has it.
static void expect_hint(decoder *d, const dwn_executable *e, const dwn_stored_hint *hint)
{
    const hoist_stream_step *const step = &d->m->stream.steps[d->step++];
    if (hint->any_hint.type == DWN_HINT_INSTRUCTION) {
        const dwn_instruction_hint *const i = hint->any_hint.value;
        const hoist_bytes chunk =
            e->instruction_bitstreams.items[i->instruction_chunk_index].bitstream;
        HOIST_EXPECT_EQ(d->t, step->kind, HOIST_STREAM_INSTRUCTIONS);
        const hoist_bytes sent = next_frame(d, 0, chunk.size);
        HOIST_EXPECT(d->t, sent.size && memcmp(sent.data, chunk.data, 16) == 0); // before any link
        return;
    }
    if (hint->any_hint.type != DWN_HINT_DMA) {
        const bool is_fence = hint->any_hint.type == DWN_HINT_FENCE;
        HOIST_EXPECT_EQ(d->t, step->kind, is_fence ? HOIST_STREAM_FENCE : HOIST_STREAM_INTERRUPT);
        HOIST_EXPECT_EQ(d->t, step->tag, is_fence ? 0 : 4);
        return;
    }
    const dwn_dma_hint *const dma = hint->any_hint.value;
    HOIST_EXPECT_EQ(d->t, step->is_sent, hint->direction == 0);
    HOIST_EXPECT_EQ(d->t, step->size, dma->size_in_bytes);
    HOIST_EXPECT_EQ(d->t, step->offset, dma->offset_in_bytes);
    HOIST_EXPECT_EQ(d->t, step->batch, dma->meta->desc < 2 ? dma->meta->batch : 0);
    HOIST_EXPECT(d->t, step->address >= DWN_EXTENDED_RANGE);
    if (hint->direction == 0) {
        const bool is_parameter = dma->meta->desc == DWN_DESC_PARAMETER;
        const hoist_bytes sent = next_frame(d, is_parameter ? 2 : 1, (uint64_t)dma->size_in_bytes);
        HOIST_EXPECT(d->t,
                     !is_parameter || memcmp(sent.data, e->parameters.data + dma->offset_in_bytes,
                                             sent.size) == 0);
    } else {
        HOIST_EXPECT_EQ(d->t, step->tag, 3);
    }
}

static void expect_executable(decoder *d, const dwn_executable *e)
{
    for (uint32_t i = 0; i < e->dma_hints->hints.count; i++) {
        HOIST_EXPECT(d->t, d->step < d->m->stream.step_count);
        expect_hint(d, e, &e->dma_hints->hints.items[i]);
    }
}

// clang-format off
static const struct {
    const char *name;
    dwn_kind kind;
    uint32_t order[3]; // executables by index; DWN_NONE: no more
} runs[] = {
    {"caching, then execution",    DWN_PAIR,   {1, 0, DWN_NONE}},
    {"alone",                      DWN_PLAIN,  {0, DWN_NONE}},
    {"batch, scratch, fence, two chunks", DWN_ALONE, {0, DWN_NONE}},
    {"three: the one that stands alone", DWN_TRIPLE, {2, DWN_NONE}},
    {"executed twice",             DWN_REPEATED, {0, DWN_NONE}},
};
// clang-format on

HOIST_TEST_TABLE(streams_follow_the_hints, runs)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    dwn_module *const module = module_of(t, &draft);
    const made m = make(t, module, NULL);
    HOIST_EXPECT_EQ(t, m.status, HOIST_OK);
    decoder d = {.t = t, .r = hoist_reader_init(m.stream.bytes), .m = &m};
    for (size_t i = 0; row->order[i] != DWN_NONE; i++) {
        expect_executable(&d, module->packages[0].images[row->order[i]].rows);
    }
    HOIST_EXPECT_EQ(t, d.step, m.stream.step_count);
    HOIST_EXPECT_EQ(t, d.r.pos, m.stream.bytes.size);
    HOIST_EXPECT(t, m.stream.is_complete);
    dwn_destroy(&module->base);
}

// Details ----------------------------------------------------------------------------------------

static const hoist_stream_step *find_step(const made *m, hoist_stream_kind kind, uint32_t batch)
{
    for (size_t i = 0; i < m->stream.step_count; i++) {
        if (m->stream.steps[i].kind == kind && m->stream.steps[i].batch == batch) {
            return &m->stream.steps[i];
        }
    }
    return NULL;
}

// Both elements of a batch, in their places; a signed layer has its top bits flipped, padding is 0.
HOIST_TEST(inputs_are_sent_as_the_chip_takes_them)
{
    enum { PIXELS = 60, PADDED = 64 };
    dwn_draft draft = dwn_draft_of(t, DWN_ALONE);
    dwn_draft_set(&draft, "executables/0/input_layers/0/data_type", DWN_SIGNED_FIXED_POINT8);
    dwn_module *const module = module_of(t, &draft);
    uint8_t user[2 * PIXELS];
    for (size_t i = 0; i < sizeof(user); i++) {
        user[i] = (uint8_t)i;
    }
    const hoist_stream_input input = {"image", {user, sizeof(user)}};
    const hoist_stream_options options = {.inputs = &input, .input_count = 1};
    const made m = make(t, module, &options);
    HOIST_EXPECT_EQ(t, m.status, HOIST_OK);
    for (uint32_t b = 0; b < 2; b++) {
        const hoist_stream_step *const step = find_step(&m, HOIST_STREAM_INPUT, b);
        HOIST_EXPECT(t, step && step->size == PADDED && step->pieces == 1);
        const uint8_t *const sent = m.stream.bytes.data + (step ? step->at : 0) + DWN_USB_HEADER;
        HOIST_EXPECT_EQ(t, sent[0], (b * PIXELS) ^ 0x80);
        HOIST_EXPECT_EQ(t, sent[PIXELS - 1], (b * PIXELS + PIXELS - 1) ^ 0x80);
        HOIST_EXPECT_EQ(t, sent[PIXELS], 0);
    }
    dwn_destroy(&module->base);
}

// Instructions hold the addresses that events will name.
HOIST_TEST(instructions_are_linked)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    dwn_module *const module = module_of(t, &draft);
    const hoist_link_address address = {"grid", 0, UINT64_C(0x8000000012345000)};
    const hoist_stream_options options = {.addresses = &address, .address_count = 1};
    const made m = make(t, module, &options);
    HOIST_EXPECT_EQ(t, m.status, HOIST_OK);
    const hoist_stream_step *const output = find_step(&m, HOIST_STREAM_OUTPUT, 0);
    HOIST_EXPECT(t, output && output->address == address.address);
    // The last chunk that is sent is that of the main executable.
    const hoist_stream_step *chunk = NULL;
    for (size_t i = 0; i < m.stream.step_count; i++) {
        chunk = m.stream.steps[i].kind == HOIST_STREAM_INSTRUCTIONS ? &m.stream.steps[i] : chunk;
    }
    const dwn_chunk *const stored = &module->packages[0].images[0].chunks[0];
    bool found = false;
    for (size_t i = 0; chunk && i < stored->link_count; i++) {
        const dwn_link *const link = &stored->links[i];
        const uint8_t *const bytes = m.stream.bytes.data + chunk->at + DWN_USB_HEADER;
        const uint64_t bits = hoist_load_u64le(bytes + link->offset_bit / 8);
        const uint32_t value = (uint32_t)(bits >> link->offset_bit % 8);
        if (hoist_str_equal_c(link->name, "grid") && link->position == DWN_POSITION_LOW) {
            HOIST_EXPECT_EQ(t, value, 0x12345000);
            found = true;
        }
        HOIST_EXPECT(t, link->position == DWN_POSITION_LOW || value == 0x80000000);
    }
    HOIST_EXPECT(t, found);
    dwn_destroy(&module->base);
}

// Whether two steps are about one element of one buffer.
static bool is_same_buffer(const hoist_stream_step *a, const hoist_stream_step *b)
{
    return hoist_str_equal(a->buffer, b->buffer) && a->batch == b->batch &&
           (a->kind == HOIST_STREAM_PARAMETERS) == (b->kind == HOIST_STREAM_PARAMETERS);
}

// No two buffers share a page, and all are in the first 4 GiB of the range.
HOIST_TEST(buffers_lie_apart)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_ALONE);
    dwn_module *const module = module_of(t, &draft);
    const made m = make(t, module, NULL);
    for (size_t i = 0; i < m.stream.step_count; i++) {
        const hoist_stream_step *const a = &m.stream.steps[i];
        HOIST_EXPECT(t, !a->address || a->address >> 32 == DWN_EXTENDED_RANGE >> 32);
        for (size_t k = 0; k < i && a->address; k++) {
            const hoist_stream_step *const b = &m.stream.steps[k];
            const bool near = a->address / DWN_MEMORY_PAGE == b->address / DWN_MEMORY_PAGE;
            HOIST_EXPECT(t, !b->address || near == is_same_buffer(a, b));
        }
    }
    dwn_destroy(&module->base);
}

HOIST_TEST(large_data_go_in_pieces)
{
    enum { LARGE = 2 * DWN_USB_PIECE + 1 };
    static const dwn_plan plan = {.type = DWN_STAND_ALONE, .parameters = LARGE};
    dwn_draft draft = {.t = t, .count = 1, .rows = dwn_draft_of(t, DWN_PLAIN).rows};
    draft.executables[0] = dwn_draft_executable(t, &plan);
    dwn_module *const module = module_of(t, &draft);
    const made m = make(t, module, NULL);
    HOIST_EXPECT_EQ(t, m.status, HOIST_OK);
    const hoist_stream_step *const step = find_step(&m, HOIST_STREAM_PARAMETERS, 0);
    HOIST_EXPECT(t, step && step->size == LARGE && step->pieces == 3);
    dwn_destroy(&module->base);
}

HOIST_TEST(hints_that_are_a_beginning)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_set(&draft, "executables/0/dma_hints/fully_deterministic", 0);
    dwn_module *const module = module_of(t, &draft);
    const made m = make(t, module, NULL);
    HOIST_EXPECT_EQ(t, m.status, HOIST_OK);
    HOIST_EXPECT(t, !m.stream.is_complete);
    dwn_destroy(&module->base);
}

// What is refused --------------------------------------------------------------------------------

#define E "executables/0/"
#define HINT(i) E "dma_hints/hints/" #i "/any_hint/"

// clang-format off
static const struct {
    const char *name;
    dwn_kind kind;
    const char *path; // of a member that is changed; NULL: nothing is
    double value;
    const char *input; // that is given as one byte; NULL: none is
    hoist_status want;
    const char *finding; // a part of it
} refused[] = {
    {"a batch of nothing",    DWN_PLAIN, E "batch_size", 0, NULL, HOIST_INVALID, "batch_size is 0"},
    {"no hints",              DWN_PLAIN, E "dma_hints", 0, NULL, HOIST_INVALID, "executable 0 has no hints"},
    {"an unknown chunk",      DWN_PLAIN, HINT(0) "instruction_chunk_index", 1, NULL, HOIST_INVALID, "chunk 1 of 1"},
    {"a chunk below 0",       DWN_PLAIN, HINT(0) "instruction_chunk_index", -1, NULL, HOIST_INVALID, "chunk -1 of 1"},
    {"beyond the buffer",     DWN_PLAIN, HINT(1) "size_in_bytes", 4097, NULL, HOIST_INVALID, "does not fit its buffer of 64 bytes"},
    {"before the buffer",     DWN_PLAIN, HINT(1) "offset_in_bytes", -1, NULL, HOIST_INVALID, "does not fit"},
    {"a size below 0",        DWN_PLAIN, HINT(1) "size_in_bytes", -1, NULL, HOIST_INVALID, "does not fit"},
    {"an unknown element",    DWN_PLAIN, HINT(1) "meta/batch", 1, NULL, HOIST_INVALID, "a buffer that there is not"},
    {"an unknown buffer",     DWN_PLAIN, HINT(1) "meta/desc", 7, NULL, HOIST_INVALID, "a buffer that there is not"},
    {"an output that is sent", DWN_PLAIN, E "dma_hints/hints/2/direction", 0, NULL, HOIST_INVALID, "does not fit"},
    {"an input that comes",   DWN_PLAIN, E "dma_hints/hints/1/direction", 1, NULL, HOIST_INVALID, "does not fit"},
    {"neither way",           DWN_PLAIN, E "dma_hints/hints/1/direction", 2, NULL, HOIST_INVALID, "does not fit"},
    {"a layer without size",  DWN_PLAIN, E "input_layers/0/size_bytes", -1, NULL, HOIST_INVALID, "layer 'image' has no size"},
    {"a layer that is larger than its buffer", DWN_PLAIN, E "input_layers/0/y_dim", 50, NULL, HOIST_INVALID, "cannot be filled"},
    {"far too many bytes",    DWN_PLAIN, E "input_layers/0/size_bytes", INT32_MAX, NULL, HOIST_LIMIT, "more than"},
    {"far too many elements", DWN_PLAIN, E "batch_size", INT32_MAX, NULL, HOIST_LIMIT, "more than"},
    {"a link outside",        DWN_PLAIN, E "instruction_bitstreams/0/field_offsets/0/offset_bit", -5, NULL, HOIST_INVALID, "a field offset is outside of chunk 0"},
    {"an input too short",    DWN_PLAIN, NULL, 0, "image", HOIST_NOT_FOUND, "input 'image' takes 60 bytes, and is given 1"},
    {"no such input",         DWN_PLAIN, NULL, 0, "grid", HOIST_NOT_FOUND, "there is no input 'grid'"},
    {"nothing to run",        DWN_PAIR,  E "type", 1, NULL, HOIST_UNSUPPORTED, "not one package"},
};
// clang-format on

HOIST_TEST_TABLE(runs_that_are_refused, refused)
{
    dwn_draft draft = dwn_draft_of(t, row->kind);
    if (row->path) {
        dwn_draft_set(&draft, row->path, row->value);
    }
    dwn_module *const module = module_of(t, &draft);
    const hoist_stream_input input = {row->input, {(const uint8_t *)"x", 1}};
    const hoist_stream_options options = {.inputs = &input, .input_count = row->input != NULL};
    const size_t before = hoist_diag_kept(t->diag);
    const made m = make(t, module, &options);
    HOIST_EXPECT_EQ(t, m.status, row->want);
    HOIST_EXPECT_RULE(t, "DWN-086");
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), before + 1);
    // What is wrong in the file, or does not fit a layer of it, has a place; limits, and what the
    // caller gives too much, have none.
    const bool has_place = row->want == HOIST_INVALID || strstr(row->finding, "takes");
    const hoist_finding *const last = hoist_diag_at(t->diag, hoist_diag_kept(t->diag) - 1);
    HOIST_EXPECT_EQ(t, last->loc.kind == HOIST_LOC_BYTE, has_place);
    HOIST_EXPECT(t, last->loc.offset < module->bytes.size);
    if (!hoist_str_contains(hoist_test_findings(t), row->finding)) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s", hoist_test_findings(t).data);
    }
    dwn_destroy(&module->base);
}

HOIST_TEST(addresses_of_nothing_are_refused)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_module *const module = module_of(t, &draft);
    const hoist_link_address address = {"weights", 0, 1};
    const hoist_stream_options options = {.addresses = &address, .address_count = 1};
    HOIST_EXPECT_EQ(t, make(t, module, &options).status, HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "DWN-085");
    dwn_destroy(&module->base);
}

static hoist_status make_starved(hoist_allocator alloc, const void *self)
{
    static const hoist_stream_options plain;
    hoist_stream stream = {.step_count = 0};
    hoist_arena arena;
    hoist_buffer out;
    hoist_arena_init(&arena, alloc);
    hoist_buffer_init(&out, alloc);
    const hoist_status status = dwn_stream_module(self, &plain, NULL, &arena, &out, &stream);
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_ALONE);
    dwn_module *const module = module_of(t, &draft);
    hoist_test_starve(t, make_starved, &module->base);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(streams_follow_the_hints),
                HOIST_TEST_ROW(inputs_are_sent_as_the_chip_takes_them),
                HOIST_TEST_ROW(instructions_are_linked), HOIST_TEST_ROW(buffers_lie_apart),
                HOIST_TEST_ROW(large_data_go_in_pieces), HOIST_TEST_ROW(hints_that_are_a_beginning),
                HOIST_TEST_ROW(runs_that_are_refused),
                HOIST_TEST_ROW(addresses_of_nothing_are_refused), HOIST_TEST_ROW(gives_memory_back))
