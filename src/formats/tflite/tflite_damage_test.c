// Real models that are cut off at every length, and with bytes that are flipped: nothing that is
// done with what was read of them does harm, and what was read whole is written as it was.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/tflite/tflite_testing.h"
#include "testing/trace.h"

enum { FLIPS = 10000, CUTS = 4000 };

static void expect_written(hoist_test *t, const tflite_module *module, hoist_bytes file)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_status status = tflite_write(&module->base, &out);
    if (module->model->table.faults) {
        HOIST_EXPECT_EQ(t, status, HOIST_INVALID);
    } else {
        HOIST_EXPECT_EQ(t, status, HOIST_OK);
        HOIST_EXPECT(t, out.size == file.size && memcmp(out.data, file.data, file.size) == 0);
    }
    hoist_buffer_deinit(&out);
}

// True when there was something to read.
static bool expect_harmless(hoist_test *t, hoist_bytes file)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    hoist_module *module = NULL;
    const hoist_status status = tflite_read(file, &options, NULL, &module);
    if (status != HOIST_OK) {
        HOIST_EXPECT(t, status == HOIST_INVALID || status == HOIST_TRUNCATED);
        return false;
    }
    hoist_payload *payloads = NULL;
    size_t count = 0;
    hoist_arena arena;
    hoist_arena_init(&arena, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, tflite_check(module, NULL, NULL), HOIST_OK);
    HOIST_EXPECT_EQ(t, tflite_info(module, NULL, NULL, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, tflite_visit(module, NULL, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, tflite_payloads(module, &arena, &payloads, &count), HOIST_OK);
    expect_written(t, (const tflite_module *)module, file);
    hoist_arena_deinit(&arena);
    tflite_destroy(module);
    return true;
}

// The model of the test, and real ones where they are; the largest has 103,040 bytes.
static hoist_bytes model_of(hoist_test *t, size_t index)
{
    static const char *const names[] = {"darwinn/pairs/split_concat.tflite",
                                        "darwinn/pairs/bright_16x16_edgetpu.tflite",
                                        "darwinn/pairs/dense_256_edgetpu.tflite"};
    if (index == 0) {
        hoist_test_row(t, "classifier");
        return tflite_test_write(t, tflite_test_model(&t->arena));
    }
    hoist_test_row(t, names[index - 1]);
    const char *const path = hoist_test_corpus(t, names[index - 1]);
    return path ? hoist_test_file(t, path) : (hoist_bytes){NULL, 0};
}

enum { MODELS = 4 };

// All lengths of small files; of large ones those of their tables, which are first and last.
HOIST_TEST(models_that_are_cut_off)
{
    for (size_t i = 0; i < MODELS; i++) {
        const hoist_bytes file = model_of(t, i);
        for (size_t size = 0; size < file.size; size++) {
            if (size < CUTS / 2 || file.size - size < CUTS / 2) {
                uint8_t *const copy = hoist_alloc(hoist_allocator_system(), size);
                if (size > 0) {
                    memcpy(copy, file.data, size);
                }
                (void)expect_harmless(t, (hoist_bytes){copy, size});
                hoist_free(hoist_allocator_system(), copy, size);
            }
        }
    }
}

// A bit in the tables, which are in the first and the last bytes, or anywhere.
HOIST_TEST(models_with_flipped_bits)
{
    for (size_t i = 0; i < MODELS; i++) {
        const hoist_bytes file = model_of(t, i);
        uint64_t state = i;
        size_t read = 0;
        if (!file.data) {
            continue;
        }
        uint8_t *const copy = hoist_alloc(hoist_allocator_system(), file.size);
        memcpy(copy, file.data, file.size);
        for (size_t flip = 0; flip < HOIST_TEST_ROUNDS(FLIPS / MODELS); flip++) {
            const uint64_t number = hoist_test_random(&state);
            const size_t most = flip % 4 && file.size > 2000 ? 2000 : file.size;
            const size_t at = (size_t)(number >> 8) % most;
            const size_t byte = flip % 2 ? at : file.size - 1 - at;
            const uint8_t mask = (uint8_t)(1u << (number & 7));
            copy[byte] ^= mask;
            read += expect_harmless(t, (hoist_bytes){copy, file.size});
            copy[byte] ^= mask;
        }
        hoist_free(hoist_allocator_system(), copy, file.size);
        HOIST_EXPECT(t, read > HOIST_TEST_ROUNDS(FLIPS / MODELS) / 2);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(models_that_are_cut_off), HOIST_TEST_ROW(models_with_flipped_bits))
