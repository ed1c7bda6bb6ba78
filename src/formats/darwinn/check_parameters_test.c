// Parameters that no layer has: 82.
#include <string.h>

#include "formats/darwinn/check.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/recover_testing.h"

// clang-format off
static const struct {
    const char *name;
    dwn_kind kind;
    const char *want[3]; // the messages; NULL: no more
} packages[] = {
    {"a pair", DWN_PAIR, {"128 of 128 bytes of the parameters, from byte 0 on, are of no layer that is understood",
                          "64 of 64 bytes of the parameters, from byte 0 on, are of no layer that is understood"}},
    {"no parameters", DWN_PLAIN, {NULL}},
};
// clang-format on

HOIST_TEST_TABLE(whole_packages, packages)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    dwn_module *module = NULL;
    size_t next = 0;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const finding = hoist_diag_at(t->diag, i);
        if (strcmp(finding->rule->id, "DWN-082") == 0) {
            HOIST_EXPECT_STR(t, finding->message, row->want[next] ? row->want[next] : "nothing");
            next += row->want[next] != NULL;
        }
    }
    HOIST_EXPECT(t, row->want[next] == NULL);
    dwn_destroy(&module->base);
}

// clang-format off
static const struct {
    const char *name;
    uint32_t operations; // dense layers that have 128 bytes each
    bool unknown;        // an unknown operation comes after them
    uint32_t size;       // of the parameters
    const char *want;    // NULL: no finding
    uint64_t first;
} models[] = {
    {"all are a layer's",      1, false, 128, NULL, 0},
    {"some are left",          1, false, 192, "64 of 192 bytes of the parameters, from byte 128 on, are of no layer that is understood", 128},
    {"an unknown operation",   1, true,  256, "128 of 256 bytes of the parameters, from byte 128 on, are of no layer that is understood", 128},
    {"nothing is understood",  0, true,  64,  "64 of 64 bytes of the parameters, from byte 0 on, are of no layer that is understood", 0},
};
// clang-format on

// A module whose bytes are the parameters alone.
HOIST_TEST_TABLE(recovered_models, models)
{
    static const dwn_sketch dense = {
        .reduction = 2, .input_zero = 3, .output_zero = 3, .a = {{2, 1}}};
    static const dwn_sketch unknown = {.mode = 0x1000};
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_make_begin(&m);
    for (uint32_t i = 0; i < row->operations; i++) {
        dwn_make_operation(&m, &dense);
    }
    if (row->unknown) {
        dwn_make_operation(&m, &unknown);
    }
    uint8_t *const blob = hoist_arena_alloc(&t->arena, row->size);
    memset(blob, 1, row->size);
    const hoist_bytes bytes = {blob, row->size};
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){1, 1, 8}, 3);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){1, 1, 4}, 3);
    dwn_test_model(t, &model, dwn_make_end(&m, false), bytes);
    const dwn_module module = {.bytes = bytes, .base_offset = 1000};
    dwn_check c = {.module = &module, .diag = t->diag, .contents = &model.contents};
    hoist_arena_init(&c.arena, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_check_parameters(&c), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->want ? 1 : 0);
    if (row->want && hoist_diag_kept(t->diag)) {
        const hoist_finding *const finding = hoist_diag_at(t->diag, 0);
        HOIST_EXPECT_RULE(t, "DWN-082");
        HOIST_EXPECT_STR(t, finding->message, row->want);
        HOIST_EXPECT_EQ(t, finding->loc.offset, 1000 + row->first);
    }
    hoist_arena_deinit(&c.arena);
}

static hoist_status check_starved(hoist_allocator alloc, const void *self)
{
    dwn_check c = *(const dwn_check *)self;
    hoist_arena_init(&c.arena, alloc);
    const hoist_status status = dwn_check_parameters(&c);
    hoist_arena_deinit(&c.arena);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    const dwn_check c = {.module = module, .contents = &module->packages[0]};
    hoist_test_starve(t, check_starved, &c);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(whole_packages), HOIST_TEST_ROW(recovered_models),
                HOIST_TEST_ROW(gives_memory_back))
