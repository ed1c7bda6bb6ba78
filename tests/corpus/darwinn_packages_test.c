// Every compiled model: its packages have no errors, hints are what the scalar cores send, outputs
// have an order without collisions, and what is written of a package reads as the same.
#include <stdio.h>
#include <string.h>

#include "edgetpu_testing.h"
#include "formats/darwinn/check.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/relayout.h"
#include "formats/darwinn/stream_testing.h"
#include "formats/darwinn/write_testing.h"

typedef struct figures {
    size_t files;
    size_t packages;
    size_t executables;
    size_t chunks;
    size_t hints;
    size_t undetermined; // executables whose hints are a part of what is sent
    size_t outputs;
    size_t images; // outputs of more than one pixel
    size_t warnings;
} figures;

// Hints ------------------------------------------------------------------------------------------

// Made from the instructions they are those of the file, also where a branch ends them.
static void compare_made(hoist_test *t, const dwn_image *image, const dwn_hint *hints, size_t count)
{
    dwn_program_run run;
    dwn_executable copy = *image->rows;
    dwn_hint *again = NULL;
    size_t again_count = 0;
    bool is_whole = false;
    HOIST_EXPECT_EQ(t, dwn_hints_make(image, &t->arena, &run, &is_whole), HOIST_OK);
    HOIST_EXPECT_EQ(t, is_whole, image->rows->dma_hints->fully_deterministic);
    HOIST_EXPECT_EQ(t, run.hint_count, count);
    HOIST_EXPECT_EQ(
        t, dwn_hints_store(run.hints, run.hint_count, is_whole, &t->arena, &copy.dma_hints),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_hints_of(&copy, &t->arena, &again, &again_count), HOIST_OK);
    for (size_t i = 0; i < count && i < again_count; i++) {
        HOIST_EXPECT(t, dwn_hint_equal(&again[i], &hints[i]));
    }
}

static void compare_hints(hoist_test *t, const dwn_image *image, figures *f)
{
    dwn_program_run run;
    dwn_hint *hints = NULL;
    size_t count = 0;
    size_t at = 0;
    HOIST_EXPECT(t, image->rows->dma_hints != NULL);
    HOIST_EXPECT_EQ(t, dwn_hints_of(image->rows, &t->arena, &hints, &count), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_program_execute(image->chunks, image->chunk_count, &t->arena, &run),
                    HOIST_OK);
    const bool is_prefix = !image->rows->dma_hints->fully_deterministic;
    HOIST_EXPECT(t, dwn_hints_agree(&run, hints, count, is_prefix, &at));
    HOIST_EXPECT(t, count > 0 && hints[0].kind == DWN_HINT_INSTRUCTION);
    HOIST_EXPECT(t, is_prefix || run.hint_count == count);
    compare_made(t, image, hints, count);
    f->hints += count;
    f->undetermined += is_prefix;
}

// Outputs ----------------------------------------------------------------------------------------

// No two elements of an output share a place, and there and back nothing is lost.
static void compare_output(hoist_test *t, const dwn_layer *layer, figures *f)
{
    dwn_order order;
    HOIST_EXPECT_EQ(t, dwn_order_of(layer, &t->arena, &order), HOIST_OK);
    uint8_t *const seen = hoist_arena_alloc(&t->arena, (size_t)layer->size_bytes);
    bool is_sound = true;
    for (int64_t i = 0; i < order.count; i++) {
        is_sound =
            is_sound && order.at[i] >= 0 && order.at[i] < layer->size_bytes && !seen[order.at[i]]++;
    }
    HOIST_EXPECT(t, is_sound);
    const size_t actual = (size_t)dwn_layer_actual(layer);
    const size_t padded = (size_t)dwn_layer_padded(layer);
    const hoist_mut_bytes user = {hoist_arena_alloc(&t->arena, actual), actual};
    const hoist_mut_bytes chip = {hoist_arena_alloc(&t->arena, padded), padded};
    const hoist_mut_bytes back = {hoist_arena_alloc(&t->arena, actual), actual};
    uint64_t state = 1;
    for (size_t i = 0; i < actual; i++) {
        user.data[i] = (uint8_t)hoist_test_random(&state);
    }
    HOIST_EXPECT_EQ(t, dwn_to_chip(layer, (hoist_bytes){user.data, actual}, &t->arena, chip),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_from_chip(layer, (hoist_bytes){chip.data, padded}, &t->arena, back),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(user.data, back.data, actual) == 0);
    f->outputs++;
    f->images += layer->y_dim > 1 || layer->x_dim > 1;
}

// Writing ----------------------------------------------------------------------------------------

// All fields as the builder lays them out, which is one way only.
static hoist_bytes canonical(hoist_test *t, const hoist_fb_type *type, const void *rows)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(type, rows, NULL, &out), HOIST_OK);
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, out.size);
    memcpy(bytes, out.data, out.size);
    const hoist_bytes kept = {bytes, out.size};
    hoist_buffer_deinit(&out);
    return kept;
}

static bool is_same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

static void compare_written(hoist_test *t, const dwn_contents *contents)
{
    const dwn_executable *executables[3] = {NULL};
    HOIST_EXPECT(t, contents->image_count <= 3);
    for (uint32_t i = 0; i < contents->image_count; i++) {
        executables[i] = contents->images[i].rows;
    }
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_make_package(contents->rows, executables, contents->image_count, &out),
                    HOIST_OK);
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(hoist_buffer_bytes(&out), &options, t->diag, &module), HOIST_OK);
    const dwn_contents *const again = &dwn_of(module)->packages[0];
    HOIST_EXPECT_EQ(t, again->image_count, contents->image_count);
    for (uint32_t i = 0; i < again->image_count; i++) {
        HOIST_EXPECT(t, is_same(canonical(t, &dwn_executable_rows, contents->images[i].rows),
                                canonical(t, &dwn_executable_rows, again->images[i].rows)));
    }
    dwn_package first = *contents->rows;
    dwn_package second = *again->rows;
    first.serialized_multi_executable = second.serialized_multi_executable = (hoist_bytes){NULL, 0};
    HOIST_EXPECT(t, is_same(canonical(t, &dwn_package_rows, &first),
                            canonical(t, &dwn_package_rows, &second)));
    dwn_destroy(module);
    hoist_buffer_deinit(&out);
}

// Files ------------------------------------------------------------------------------------------

static void judge_package(hoist_test *t, const dwn_contents *contents, figures *f)
{
    f->packages++;
    for (uint32_t i = 0; i < contents->image_count; i++) {
        const dwn_image *const image = &contents->images[i];
        f->executables++;
        f->chunks += image->chunk_count;
        HOIST_EXPECT(t, hoist_fb_is_known(&dwn_executable_rows, image->rows));
        compare_hints(t, image, f);
        for (uint32_t k = 0; k < image->rows->output_layers.count; k++) {
            compare_output(t, &image->rows->output_layers.items[k], f);
        }
    }
    HOIST_EXPECT(t, hoist_fb_is_known(&dwn_package_rows, contents->rows));
    compare_written(t, contents);
}

static void judge_payload(hoist_test *t, const hoist_payload *payload, hoist_module *module,
                          void *self)
{
    (void)payload;
    const hoist_check_options check = {0};
    HOIST_EXPECT_EQ(t, dwn_check_all(module, &check, t->diag), HOIST_OK);
    for (uint32_t i = 0; i < dwn_of(module)->package_count; i++) {
        judge_package(t, &dwn_of(module)->packages[i], self);
    }
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    figures *const f = self;
    edgetpu_each_payload(t, path, judge_payload, f);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    f->warnings += hoist_diag_count(t->diag, HOIST_WARNING);
    if (hoist_diag_count(t->diag, HOIST_ERROR)) {
        printf("%.*s", HOIST_STR_ARGS(hoist_test_findings(t)));
    }
    f->files++;
}

HOIST_TEST(darwinn_packages)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "no compiled models here");
    }
    printf("%zu files, %zu packages, %zu executables (%zu not determined), %zu chunks, %zu hints, "
           "%zu outputs (%zu of several pixels), %zu warnings\n",
           f.files, f.packages, f.executables, f.undetermined, f.chunks, f.hints, f.outputs,
           f.images, f.warnings);
    HOIST_EXPECT(t, f.files >= 21 && f.executables >= f.files);
}

// Golden values ----------------------------------------------------------------------------------

// Section 15 of the reference: offsets, sizes and CRCs of the two executables.
static const struct {
    const char *name;
    uint32_t index;
    size_t at; // in serialized_multi_executable
    size_t size;
    uint32_t crc;
    size_t chunk_at; // in the executable
    size_t chunk_size;
    uint32_t chunk_crc;
    size_t parameters;
    uint32_t parameters_crc; // of no bytes: 0
    uint32_t links;
    size_t hints;
    uint32_t linked_crc;
} golden[] = {
    // clang-format off
    {"EXECUTION_ONLY", 0, 81920, 12288, 0x3f7de1e2, 8064, 4224, 0xfab741cb, 0, 0, 8, 4, 0x88d3fd15},
    {"PARAMETER_CACHING", 1, 4096, 73728, 0x30b025ff, 72656, 1072, 0xff99bb2e, 67584, 0xaa9399ee, 2, 3, 0xb5233cca},
    // clang-format on
};

static uint32_t linked_crc(hoist_test *t, const dwn_chunk *chunk)
{
    static const uint64_t parameters[] = {UINT64_C(0x1122334410000000)};
    static const uint64_t scratch[] = {UINT64_C(0x5566778820000000)};
    static const uint64_t input[] = {UINT64_C(0x99aabbcc30000000)};
    static const uint64_t output[] = {UINT64_C(0xddeeff0140000000)};
    const dwn_place items[] = {
        {HOIST_STR(""), DWN_DESC_PARAMETER, 1, parameters},
        {HOIST_STR(""), DWN_DESC_SCRATCH, 1, scratch},
        {HOIST_STR("serving_default_keras_tensor:0"), DWN_DESC_INPUT, 1, input},
        {HOIST_STR("StatefulPartitionedCall_1:0"), DWN_DESC_OUTPUT, 1, output},
    };
    const hoist_bytes bytes = chunk->stream.bytes;
    uint8_t *const copy = hoist_arena_alloc(&t->arena, bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    dwn_places places;
    HOIST_EXPECT_EQ(t, dwn_places_init(&places, items, HOIST_COUNT_OF(items), t->arena.alloc),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    dwn_link_apply((hoist_mut_bytes){copy, bytes.size}, chunk->links,
                                   chunk->link_count, &places),
                    HOIST_OK);
    dwn_places_deinit(&places);
    return dwn_test_crc((hoist_bytes){copy, bytes.size});
}

HOIST_TEST_TABLE(darwinn_golden, golden)
{
    enum { CUSTOM = 288, CUSTOM_SIZE = 102484 };
    const char *const path = hoist_test_corpus(t, "darwinn/pairs/dense_256_edgetpu.tflite");
    if (!path) {
        hoist_test_skip(t, "no compiled models here");
    }
    const hoist_bytes file = hoist_test_file(t, path);
    HOIST_EXPECT_EQ(t, file.size, 103040);
    HOIST_EXPECT_EQ(t, dwn_test_crc(file), UINT32_C(0x19f5138b));
    const hoist_payload payload = {.offset = CUSTOM};
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = &payload};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(
        t, dwn_read((hoist_bytes){file.data + CUSTOM, CUSTOM_SIZE}, &options, t->diag, &module),
        HOIST_OK);
    const dwn_contents *const package = &dwn_of(module)->packages[0];
    HOIST_EXPECT_EQ(t, package->bytes.data - file.data, CUSTOM + 8);
    HOIST_EXPECT_EQ(t, package->bytes.size, 102400);
    HOIST_EXPECT_EQ(t, dwn_test_crc(package->bytes), UINT32_C(0x4d006e82));
    HOIST_EXPECT_EQ(t, package->rows->min_runtime_version, 14);
    HOIST_EXPECT_STR(t, package->rows->compiler_version, "cl/");
    const hoist_bytes multi = package->rows->serialized_multi_executable;
    HOIST_EXPECT_EQ(t, multi.data - package->bytes.data, DWN_PAGE);
    HOIST_EXPECT_EQ(t, multi.size, 98304);
    const dwn_image *const image = &package->images[row->index];
    const dwn_chunk *const chunk = &image->chunks[0];
    HOIST_EXPECT_EQ(t, image->bytes.data - multi.data, row->at);
    HOIST_EXPECT_EQ(t, image->bytes.size, row->size);
    HOIST_EXPECT_EQ(t, dwn_test_crc(image->bytes), row->crc);
    HOIST_EXPECT_EQ(t, chunk->stream.bytes.data - image->bytes.data, row->chunk_at);
    HOIST_EXPECT_EQ(t, chunk->stream.bytes.size, row->chunk_size);
    HOIST_EXPECT_EQ(t, dwn_test_crc(chunk->stream.bytes), row->chunk_crc);
    HOIST_EXPECT_EQ(t, image->rows->parameters.data - image->bytes.data, DWN_PAGE);
    HOIST_EXPECT_EQ(t, image->rows->parameters.size, row->parameters);
    HOIST_EXPECT_EQ(t, dwn_test_crc(image->rows->parameters), row->parameters_crc);
    HOIST_EXPECT(t, image->rows->parameter_caching_token == UINT64_C(0xfce222d70d502fb8));
    HOIST_EXPECT_EQ(t, chunk->link_count, row->links);
    HOIST_EXPECT_EQ(t, image->rows->dma_hints->hints.count, row->hints);
    HOIST_EXPECT_EQ(t, linked_crc(t, chunk), row->linked_crc);
    dwn_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(darwinn_packages), HOIST_TEST_ROW(darwinn_golden))
