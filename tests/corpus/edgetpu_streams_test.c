// Instructions of every compiled model: framed without a fault, linked and emptied again, run to
// the DMA hints that the file has, and shown without losing anything.
#include <string.h>

#include "edgetpu_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/stream_listing.h"

typedef struct figures {
    size_t executables;
    size_t chunks;
    size_t instructions;
    size_t links;
    size_t transfers;
    size_t same;     // hints as in the file
    size_t prefixes; // of executables whose hints are not all there
} figures;

// All but two instructions of the one model with branches, which name no tile.
static void expect_no_fault(hoist_test *t, const dwn_stream *stream)
{
    const bool is_lstm = strstr(t->row, "lstm") != NULL;
    for (size_t i = 0; i < stream->fault_count; i++) {
        HOIST_EXPECT_EQ(t, stream->faults[i].code, DWN_FAULT_TILES);
    }
    HOIST_EXPECT(t, stream->fault_count == 0 || (is_lstm && stream->fault_count == 2));
    HOIST_EXPECT_EQ(t, stream->parsed, stream->words);
}

static void expect_linkable(hoist_test *t, const dwn_chunk *chunk, const dwn_places *places)
{
    const hoist_bytes bytes = chunk->stream.bytes;
    const hoist_mut_bytes copy = {hoist_arena_alloc(&t->arena, bytes.size), bytes.size};
    memcpy(copy.data, bytes.data, bytes.size);
    HOIST_EXPECT_EQ(t, dwn_link_apply(copy, chunk->links, chunk->link_count, places), HOIST_OK);
    HOIST_EXPECT(t, chunk->link_count == 0 || memcmp(copy.data, bytes.data, bytes.size) != 0);
    for (size_t i = 0; i < chunk->link_count; i++) {
        HOIST_EXPECT(t, dwn_bits_load((hoist_bytes){copy.data, copy.size},
                                      (uint64_t)chunk->links[i].offset_bit, DWN_LINK_BITS) != 0);
    }
    HOIST_EXPECT_EQ(t, dwn_link_undo(copy, chunk->links, chunk->link_count), HOIST_OK);
    HOIST_EXPECT(t, memcmp(copy.data, bytes.data, bytes.size) == 0);
}

// Everything that the executable links to, at one address.
static void judge_links(hoist_test *t, const dwn_image *image)
{
    static const uint64_t address[] = {0x1122334410000000};
    const dwn_executable *e = image->rows;
    const size_t layers = (size_t)e->input_layers.count + e->output_layers.count;
    dwn_place *items = hoist_arena_array(&t->arena, layers + 2, sizeof(*items));
    for (size_t i = 0; i < layers; i++) {
        const bool is_input = i < e->input_layers.count;
        items[i] =
            (dwn_place){.name = is_input ? e->input_layers.items[i].name
                                         : e->output_layers.items[i - e->input_layers.count].name,
                        .desc = is_input ? DWN_DESC_INPUT : DWN_DESC_OUTPUT,
                        .count = 1,
                        .addresses = address};
    }
    items[layers] = (dwn_place){.desc = DWN_DESC_PARAMETER, .count = 1, .addresses = address};
    items[layers + 1] = (dwn_place){.desc = DWN_DESC_SCRATCH, .count = 1, .addresses = address};
    dwn_places places;
    dwn_link_faults faults = {0};
    HOIST_EXPECT_EQ(t, dwn_places_init(&places, items, layers + 2, hoist_allocator_system()),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    dwn_link_check(image->chunks, image->chunk_count, &places, &t->arena, &faults),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, faults.count, 0);
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        expect_linkable(t, &image->chunks[i], &places);
    }
    dwn_places_deinit(&places);
}

// The hints of a run are the file's, or go on where those end.
static void judge_hints(hoist_test *t, const dwn_image *image, figures *f)
{
    dwn_hint *hints = NULL;
    size_t count = 0;
    dwn_program_run run = {0};
    size_t at = 0;
    HOIST_EXPECT_EQ(t, dwn_hints_of(image->rows, &t->arena, &hints, &count), HOIST_OK);
    const bool is_whole = image->rows->dma_hints && image->rows->dma_hints->fully_deterministic;
    HOIST_EXPECT_EQ(t, dwn_program_execute(image->chunks, image->chunk_count, &t->arena, &run),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, run.run.end, DWN_SCALAR_DONE);
    HOIST_EXPECT_EQ(t, run.unknown, 0);
    const bool agrees = dwn_hints_agree(&run, hints, count, !is_whole, &at);
    HOIST_EXPECT(t, agrees);
    f->same += agrees && is_whole;
    f->prefixes += agrees && !is_whole;
    f->transfers += run.transfer_count;
}

static void judge_listing(hoist_test *t, const dwn_image *image)
{
    const dwn_listing listing = {image->chunks, image->chunk_count, NULL, false};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_listing_write(&listing, &out), HOIST_OK);
    HOIST_EXPECT(t, !hoist_str_contains(hoist_buffer_text(&out), ".word"));
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), "ids consecutive"));
    hoist_buffer_deinit(&out);
}

static void judge_image(hoist_test *t, const dwn_image *image, figures *f)
{
    f->executables++;
    f->chunks += image->chunk_count;
    for (uint32_t i = 0; i < image->chunk_count; i++) {
        expect_no_fault(t, &image->chunks[i].stream);
        f->instructions += image->chunks[i].stream.count;
        f->links += image->chunks[i].link_count;
    }
    judge_links(t, image);
    judge_hints(t, image, f);
    judge_listing(t, image);
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    const hoist_bytes package = edgetpu_package_in(hoist_test_file(t, path));
    if (package.size == 0) {
        return; // not compiled
    }
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(package, &options, t->diag, &module), HOIST_OK);
    const dwn_contents *contents = module ? &dwn_of(module)->packages[0] : NULL;
    for (uint32_t i = 0; contents && i < contents->image_count; i++) {
        judge_image(t, &contents->images[i], self);
    }
    dwn_destroy(module);
}

HOIST_TEST(streams_of_compiled_models)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "the corpus is absent");
    }
    hoist_test_row(t, "all");
    HOIST_EXPECT_EQ(t, f.executables, 42);
    HOIST_EXPECT_EQ(t, f.chunks, 43);
    HOIST_EXPECT_EQ(t, f.instructions, 24329);
    HOIST_EXPECT_EQ(t, f.links, 246);
    HOIST_EXPECT_EQ(t, f.transfers, 154);
    HOIST_EXPECT_EQ(t, f.same, 41);
    HOIST_EXPECT_EQ(t, f.prefixes, 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(streams_of_compiled_models))
