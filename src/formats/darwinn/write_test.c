// Packages and custom_options as they are written: pages, and that nothing is lost or added.
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"

// clang-format off
static const struct {
    const char *name;
    dwn_kind kind;
} kinds[] = {
    {"pair", DWN_PAIR}, {"plain", DWN_PLAIN}, {"batch, scratch, two chunks", DWN_ALONE}, {"shape_info", DWN_SLICES},
    {"executed twice", DWN_REPEATED}, {"three executables", DWN_TRIPLE},
};
// clang-format on

// Writes what was read of a package.
static hoist_status write_again(const dwn_contents *contents, hoist_buffer *out)
{
    const dwn_executable *executables[DWN_DRAFT_IMAGES] = {NULL};
    for (uint32_t i = 0; i < contents->image_count; i++) {
        executables[i] = contents->images[i].rows;
    }
    return dwn_make_package(contents->rows, executables, contents->image_count, out);
}

HOIST_TEST_TABLE(write_round_trip, kinds)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    const hoist_bytes first = dwn_draft_package(&draft);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, first, &module), HOIST_OK);
    hoist_buffer again;
    hoist_buffer_init(&again, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, write_again(&module->packages[0], &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again.size, first.size);
    HOIST_EXPECT(t, again.size == first.size && memcmp(again.data, first.data, first.size) == 0);
    hoist_buffer_deinit(&again);
    dwn_destroy(&module->base);
}

// What is read is what the draft says, field by field: the events of both are alike.
HOIST_TEST_TABLE(write_keeps_fields, kinds)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    for (uint32_t i = 0; i < module->packages[0].image_count; i++) {
        const dwn_image *const image = &module->packages[0].images[i];
        hoist_buffer read;
        hoist_buffer_init(&read, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_executable_rows, image->rows, NULL, &read),
                        HOIST_OK);
        hoist_buffer made;
        hoist_buffer_init(&made, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_executable_rows, draft.executables[i], NULL, &made),
                        HOIST_OK);
        HOIST_EXPECT(t, made.size == read.size && memcmp(made.data, read.data, made.size) == 0);
        HOIST_EXPECT_EQ(t, image->rows->batch_size, draft.executables[i]->batch_size);
        HOIST_EXPECT_EQ(t, image->rows->type, draft.executables[i]->type);
        hoist_buffer_deinit(&read);
        hoist_buffer_deinit(&made);
    }
    dwn_destroy(&module->base);
}

// Everything large begins at a page of the package, and all of it has whole pages.
HOIST_TEST_TABLE(write_pages, kinds)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    const dwn_contents *const k = &module->packages[0];
    const hoist_bytes multi = k->rows->serialized_multi_executable;
    HOIST_EXPECT_STR(t, hoist_fb_identifier(k->bytes), "DWN1");
    HOIST_EXPECT_EQ(t, k->bytes.size % DWN_PAGE, 0);
    HOIST_EXPECT_EQ(t, multi.data - k->bytes.data, DWN_PAGE);
    HOIST_EXPECT_EQ(t, multi.size % DWN_PAGE, 0);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(multi.data + 4), 0); // no identifier inside
    for (uint32_t i = 0; i < k->image_count; i++) {
        const hoist_bytes image = k->images[i].bytes;
        HOIST_EXPECT_EQ(t, (image.data - k->bytes.data) % DWN_PAGE, 0);
        HOIST_EXPECT_EQ(t, image.size % DWN_PAGE, 0);
        HOIST_EXPECT_EQ(t, image.data[image.size], 0); // a string's NUL
        HOIST_EXPECT_EQ(t, hoist_load_u32le(image.data + 4), 0);
        HOIST_EXPECT_EQ(t, (k->images[i].rows->parameters.data - image.data) % DWN_PAGE, 0);
    }
    dwn_destroy(&module->base);
}

static const struct {
    const char *name;
    uint32_t packages;
    dwn_custom custom;
} customs[] = {
    // clang-format off
    {"one package", 1, {.preference = -1, .chips = (int64_t[]){18}, .chip_count = 1}},
    {"the old form", 1, {.preference = -1}},
    {"every key", 1, {.version = 3, .chip_name = {"beagle", 6}, .legacy = {"old", 3}, .preference = 2,
                      .chips = (int64_t[]){17}, .chip_count = 1}},
    {"three packages", 3, {.preference = -1, .chips = (int64_t[]){17, 18, -5}, .chip_count = 3}},
    // clang-format on
};

HOIST_TEST_TABLE(write_custom, customs)
{
    const dwn_draft plain = dwn_draft_of(t, DWN_PLAIN);
    const dwn_draft pair = dwn_draft_of(t, DWN_PAIR);
    const hoist_bytes packages[] = {dwn_draft_package(&plain), dwn_draft_package(&pair),
                                    dwn_draft_package(&plain)};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_make_custom(&row->custom, packages, row->packages, &out), HOIST_OK);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, hoist_buffer_bytes(&out), &module), HOIST_OK);
    const dwn_custom *const got = &module->custom;
    HOIST_EXPECT_EQ(t, got->version, row->custom.version);
    HOIST_EXPECT_EQ(t, got->preference, row->custom.preference);
    HOIST_EXPECT(t, hoist_str_equal(got->chip_name, row->custom.chip_name));
    HOIST_EXPECT(t, hoist_str_equal(got->legacy, row->custom.legacy));
    HOIST_EXPECT_EQ(t, got->chip_count, row->custom.chip_count);
    for (uint32_t i = 0; i < got->chip_count; i++) {
        HOIST_EXPECT_EQ(t, got->chips[i], row->custom.chips[i]);
    }
    HOIST_EXPECT_EQ(t, module->package_count, row->packages);
    for (uint32_t i = 0; i < module->package_count; i++) {
        const hoist_bytes bytes = module->packages[i].bytes;
        HOIST_EXPECT(t, bytes.size == packages[i].size &&
                            memcmp(bytes.data, packages[i].data, bytes.size) == 0);
    }
    dwn_destroy(&module->base);
    hoist_buffer_deinit(&out);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(write_round_trip), HOIST_TEST_ROW(write_keeps_fields),
                HOIST_TEST_ROW(write_pages), HOIST_TEST_ROW(write_custom))
