// Packages and executables: rules 12 to 31 and 77 to 79.
#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"

// clang-format off
static const dwn_case sound[] = {
    {"pair", DWN_PAIR, {{0}}, "", NULL},
    {"plain", DWN_PLAIN, {{0}}, "", NULL},
    {"batch, scratch, two chunks", DWN_ALONE, {{0}}, "", NULL},
    {"shape_info", DWN_SLICES, {{0}}, "", NULL},
    {"executed twice", DWN_REPEATED, {{0}}, "", NULL},
    {"three executables", DWN_TRIPLE, {{0}}, "DWN-025", "executables/2:parameter_caching_token"},
};

static const dwn_case packages[] = {
    {"runtime 9", DWN_PLAIN, {{"min_runtime_version", 9, NULL}}, "DWN-012", ":min_runtime_version"},
    {"runtime -1", DWN_PLAIN, {{"min_runtime_version", -1, NULL}}, "DWN-012", ":min_runtime_version"},
    {"runtime 10", DWN_PLAIN, {{"min_runtime_version", 10, NULL}}, "", NULL},
    {"runtime 14", DWN_PLAIN, {{"min_runtime_version", 14, NULL}}, "", NULL},
    {"runtime 15", DWN_PLAIN, {{"min_runtime_version", 15, NULL}}, "DWN-013", ":min_runtime_version"},
    {"chip 1", DWN_PLAIN, {{"virtual_chip_id", 1, NULL}}, "", NULL},
    {"keys of a signature", DWN_PLAIN, {{"keypair_version", 1, NULL}}, "DWN-029", ":keypair_version"},
    {"no batch", DWN_PLAIN, {{"executables/0/batch_size", 0, NULL}},
     "DWN-019", "executables/0:batch_size"},
    {"batch below 0", DWN_PAIR, {{"executables/1/batch_size", -1, NULL}}, "DWN-019", "executables/1:batch_size"},
    {"two of a type", DWN_PAIR, {{"executables/1/type", 2, NULL}}, "DWN-020", "executables/1:type"},
    {"two of an unknown type", DWN_PAIR, {{"executables/0/type", 7, NULL}, {"executables/1/type", 7, NULL}},
     "DWN-020", "executables/1:type"},
    {"STAND_ALONE and PARAMETER_CACHING", DWN_PAIR, {{"executables/0/type", 0, NULL}}, "DWN-021 DWN-025",
     ":serialized_multi_executable"},
    {"a pair and an unknown type", DWN_TRIPLE, {{"executables/2/type", 5, NULL}}, "DWN-021",
     ":serialized_multi_executable"},
    {"EXECUTION_ONLY alone", DWN_PLAIN, {{"executables/0/type", 2, NULL}}, "DWN-022", "executables/0:type"},
    {"an unknown type alone", DWN_PLAIN, {{"executables/0/type", -1, NULL}}, "DWN-022", "executables/0:type"},
    {"PARAMETER_CACHING alone without a token", DWN_PLAIN, {{"executables/0/type", 1, NULL}}, "DWN-022 DWN-023",
     "executables/0:type"},
    {"no tokens", DWN_PAIR, {{"executables/0/parameter_caching_token", 0, NULL},
     {"executables/1/parameter_caching_token", 0, NULL}}, "DWN-023", "executables/1:parameter_caching_token"},
    {"another token", DWN_PAIR, {{"executables/1/parameter_caching_token", 7, NULL}}, "DWN-024",
     "executables/1:parameter_caching_token"},
    {"STAND_ALONE with a token", DWN_PLAIN, {{"executables/0/parameter_caching_token", 7, NULL}}, "DWN-025",
     "executables/0:parameter_caching_token"},
    {"beagle_fpga", DWN_PLAIN, {{"executables/0/chip", 0, "beagle_fpga"}}, "", NULL},
    {"another chip", DWN_PLAIN, {{"executables/0/chip", 0, "beagl"}}, "DWN-026a", "executables/0:chip"},
    {"no chip", DWN_PLAIN, {{"executables/0/chip", -1, NULL}}, "DWN-026a", "executables/0:chip"},
    {"two chips", DWN_PAIR, {{"executables/1/chip", 0, "beagle_fpga"}}, "DWN-026b", "executables/1:chip"},
    {"version 1", DWN_PLAIN, {{"executables/0/version", 1, NULL}}, "DWN-027", "executables/0:version"},
    {"scratch below 0", DWN_PLAIN, {{"executables/0/scratch_size_bytes", -1, NULL}}, "DWN-031",
     "executables/0:scratch_size_bytes"},
    {"no chunk", DWN_PLAIN, {{"executables/0/instruction_bitstreams", 0, NULL}}, "DWN-032 DWN-048 DWN-048 DWN-048 DWN-051",
     "executables/0:instruction_bitstreams"},
    {"absent chunks", DWN_PLAIN, {{"executables/0/instruction_bitstreams", -1, NULL}}, "DWN-032 DWN-048 DWN-048 DWN-048 DWN-051",
     "executables/0:instruction_bitstreams"},
    {"all narrow memory", DWN_PLAIN, {{"executables/0/used_narrow_memory_bytes_per_tile", 196608, NULL}}, "", NULL},
    {"more narrow memory", DWN_PLAIN, {{"executables/0/used_narrow_memory_bytes_per_tile", 196609, NULL}}, "DWN-077",
     "executables/0:used_narrow_memory_bytes_per_tile"},
};
// clang-format on

HOIST_TEST_TABLE(check_sound, sound)
{
    dwn_test_case(t, row);
}

HOIST_TEST_TABLE(check_packages, packages)
{
    dwn_test_case(t, row);
}

// The module of a draft's bytes, checked; NULL: it could not be read.
static dwn_module *checked(hoist_test *t, hoist_bytes bytes)
{
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, bytes, &module), HOIST_OK);
    if (module) {
        HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
    }
    return module;
}

HOIST_TEST(check_signature)
{
    static const uint8_t signature[4] = {1, 2, 3, 4};
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    draft.rows.signature = (hoist_bytes){signature, sizeof(signature)};
    dwn_module *const module = checked(t, dwn_draft_package(&draft));
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-028");
    dwn_test_expect_at(t, "", dwn_test_place(module, "signature"));
    dwn_destroy(&module->base);
}

// What the compiler prints of on-chip and off-chip memory.
HOIST_TEST(check_memory_note)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    dwn_module *const module = checked(t, dwn_draft_package(&draft));
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "");
    HOIST_EXPECT_RULE(t, "DWN-078");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message,
                     "128 bytes of parameters are kept on the chip, 64 are sent in every run");
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.offset,
                    dwn_test_place(module, "executables/0/parameters"));
    dwn_destroy(&module->base);
}

static const struct {
    const char *name;
    uint32_t size;
    const char *want;
} cached[] = {
    {"8 MiB", 8 << 20, ""},
    {"more", (8 << 20) + 64, "DWN-079"},
};

HOIST_TEST_TABLE(check_cached, cached)
{
    const dwn_plan plan = {.type = DWN_PARAMETER_CACHING, .token = 0x1234, .parameters = row->size};
    dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    draft.executables[1] = dwn_draft_executable(t, &plan);
    dwn_module *const module = checked(t, dwn_draft_package(&draft));
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    dwn_test_expect_at(t, "", dwn_test_place(module, "executables/1/parameters"));
    dwn_destroy(&module->base);
}

HOIST_TEST(check_pages)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    const hoist_bytes package = dwn_draft_package(&draft);
    const size_t size = package.size + 8;
    uint8_t *const longer = hoist_arena_alloc(&t->arena, size); // zeros after it
    memcpy(longer, package.data, package.size);
    dwn_module *const module = checked(t, (hoist_bytes){longer, size});
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-030");
    dwn_test_expect_at(t, "", 0);
    dwn_destroy(&module->base);
}

HOIST_TEST(check_pages_inside)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    hoist_buffer executables[2];
    hoist_buffer multi;
    hoist_buffer out;
    hoist_str texts[2];
    for (size_t i = 0; i < 2; i++) {
        hoist_buffer_init(&executables[i], hoist_allocator_system());
        HOIST_EXPECT_EQ(
            t, hoist_fb_write(&dwn_executable_rows, draft.executables[i], NULL, &executables[i]),
            HOIST_OK);
        texts[i] = hoist_buffer_text(&executables[i]);
    }
    const dwn_multi_executable rows = {.serialized_executables = {texts, 2}};
    hoist_buffer_init(&multi, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_multi_executable_rows, &rows, NULL, &multi), HOIST_OK);
    dwn_package package = draft.rows;
    package.serialized_multi_executable = hoist_buffer_bytes(&multi);
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_package_rows, &package, "DWN1", &out), HOIST_OK);
    dwn_module *const module = checked(t, hoist_buffer_bytes(&out));
    // The package and each executable end inside a page; everything begins on one.
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-030 DWN-030 DWN-030");
    dwn_test_expect_at(t, "", 0);
    dwn_destroy(&module->base);
    hoist_buffer_deinit(&executables[0]);
    hoist_buffer_deinit(&executables[1]);
    hoist_buffer_deinit(&multi);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(check_bundle)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    const hoist_bytes package = dwn_draft_package(&draft);
    const hoist_bytes chips[] = {package, package};
    dwn_module *const module = checked(t, dwn_draft_bundle(t, chips, 2));
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-014");
    dwn_test_expect_at(t, "", dwn_test_place(module, "virtual_chip_id"));
    HOIST_EXPECT_EQ(t, module->packages[0].chip_count, 2);
    dwn_destroy(&module->base);
}

HOIST_TEST(check_bundle_names_its_chips)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    const hoist_bytes sound_chip = dwn_draft_package(&draft);
    dwn_draft_set(&draft, "executables/0/version", 3);
    const hoist_bytes chips[] = {sound_chip, dwn_draft_package(&draft)};
    dwn_module *const module = checked(t, dwn_draft_bundle(t, chips, 2));
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-014 DWN-027");
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) > 2);
    const hoist_finding *const last = hoist_diag_at(t->diag, hoist_diag_kept(t->diag) - 1);
    HOIST_EXPECT_STR(t, last->object, "chips/1/executables/0");
    HOIST_EXPECT_EQ(t, last->loc.offset, dwn_test_place(module, "chips/1/executables/0/version"));
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(check_sound), HOIST_TEST_ROW(check_packages),
                HOIST_TEST_ROW(check_signature), HOIST_TEST_ROW(check_memory_note),
                HOIST_TEST_ROW(check_cached), HOIST_TEST_ROW(check_pages),
                HOIST_TEST_ROW(check_pages_inside), HOIST_TEST_ROW(check_bundle),
                HOIST_TEST_ROW(check_bundle_names_its_chips))
