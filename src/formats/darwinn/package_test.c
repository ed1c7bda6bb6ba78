// Whole packages: what is shown of them, what harm does to them, and memory that runs out.
#include <string.h>

#include "base/alloc.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"
#include "testing/trace.h"

// The package of a kind in custom_options with a second one after it, so that all is in one file.
static hoist_bytes file_of(hoist_test *t, dwn_kind kind, bool has_bundle)
{
    const dwn_draft draft = dwn_draft_of(t, kind);
    const dwn_draft plain = dwn_draft_of(t, DWN_PLAIN);
    hoist_bytes packages[] = {dwn_draft_package(&draft), dwn_draft_package(&plain)};
    if (has_bundle) {
        packages[1] = dwn_draft_bundle(t, &packages[1], 1);
    }
    return dwn_draft_custom(t, packages, 2);
}

// Reads, checks and shows the bytes. Findings go to `diag`, which may be NULL.
static hoist_status run_all(hoist_allocator alloc, hoist_bytes bytes, hoist_diag *diag)
{
    const hoist_read_options read = {.alloc = alloc, .keep = true};
    const hoist_check_options check = {0};
    const hoist_dump_options dump = {0};
    hoist_module *module = NULL;
    hoist_buffer text;
    hoist_buffer_init(&text, alloc);
    hoist_tree_sink sink = hoist_trace_sink(&text);
    hoist_status status = dwn_read(bytes, &read, diag, &module);
    if (status == HOIST_OK) {
        status = dwn_check_all(module, &check, diag);
    }
    if (status == HOIST_OK) {
        status = dwn_visit(module, &dump, &sink);
    }
    dwn_destroy(module);
    hoist_buffer_deinit(&text);
    return status;
}

// Memory -----------------------------------------------------------------------------------------

static hoist_status run_file(hoist_allocator alloc, const void *self)
{
    return run_all(alloc, *(const hoist_bytes *)self, NULL);
}

static const struct {
    const char *name;
    dwn_kind kind;
    bool has_bundle;
} files[] = {
    {"a pair", DWN_PAIR, false},
    {"batch, scratch, two chunks", DWN_ALONE, false},
    {"slices and a bundle", DWN_SLICES, true},
};

HOIST_TEST_TABLE(package_gives_memory_back, files)
{
    const hoist_bytes bytes = file_of(t, row->kind, row->has_bundle);
    hoist_test_starve(t, run_file, &bytes);
}

static hoist_status run_write(hoist_allocator alloc, const void *self)
{
    const dwn_draft *const draft = self;
    const dwn_executable *const executables[] = {draft->executables[0], draft->executables[1]};
    const dwn_custom custom = {.preference = -1, .chips = (int64_t[]){18, 18}, .chip_count = 2};
    hoist_buffer package;
    hoist_buffer out;
    hoist_buffer_init(&package, alloc);
    hoist_buffer_init(&out, alloc);
    hoist_status status = dwn_make_package(&draft->rows, executables, 2, &package);
    if (status == HOIST_OK) {
        const hoist_bytes packages[] = {hoist_buffer_bytes(&package), hoist_buffer_bytes(&package)};
        status = dwn_make_custom(&custom, packages, 2, &out);
    }
    hoist_buffer_deinit(&package);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(package_write_gives_memory_back)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    hoist_test_starve(t, run_write, &draft);
}

// Harm -------------------------------------------------------------------------------------------

// What is done with bytes that may be anything: it ends, and says why when it does not read them.
static void try_bytes(hoist_test *t, hoist_bytes bytes, const char *what, size_t number)
{
    const hoist_allocator alloc = hoist_allocator_system();
    uint8_t *const exact = hoist_alloc(alloc, bytes.size ? bytes.size : 1);
    hoist_diag *diag = NULL;
    if (!exact || hoist_diag_create(alloc, NULL, &diag) != HOIST_OK) {
        hoist_test_fail(t, __FILE__, __LINE__, "no memory");
        hoist_free(alloc, exact, bytes.size ? bytes.size : 1);
        return;
    }
    memcpy(exact, bytes.data, bytes.size);
    const hoist_status status = run_all(alloc, (hoist_bytes){exact, bytes.size}, diag);
    const bool is_told = hoist_diag_count(diag, HOIST_ERROR) > 0;
    if ((status != HOIST_OK && status != HOIST_INVALID && status != HOIST_TRUNCATED &&
         status != HOIST_LIMIT) ||
        (status != HOIST_OK && !is_told)) {
        hoist_test_fail(t, __FILE__, __LINE__, "%s %zu: status %d, %s", what, number, (int)status,
                        is_told ? "with findings" : "without findings");
    }
    hoist_diag_destroy(diag);
    hoist_free(alloc, exact, bytes.size ? bytes.size : 1);
}

static const struct {
    const char *name;
    dwn_kind kind;
    bool is_custom;
} cuts[] = {
    {"package", DWN_PLAIN, false},
    {"custom_options", DWN_PLAIN, true},
};

HOIST_TEST_TABLE(package_cut_anywhere, cuts)
{
    const dwn_draft draft = dwn_draft_of(t, row->kind);
    const hoist_bytes package = dwn_draft_package(&draft);
    const hoist_bytes whole = row->is_custom ? dwn_draft_custom(t, &package, 1) : package;
    const size_t step = HOIST_TEST_SHARE; // of slow builds: the share that they run
    for (size_t size = 0; size < whole.size; size += step) {
        try_bytes(t, (hoist_bytes){whole.data, size}, "cut", size);
    }
}

// Flips go to bytes that are not zero or are next to one that is not, as most of a package is
// padding.
static size_t lively(hoist_bytes bytes, uint64_t *state)
{
    for (;;) {
        const size_t at = hoist_test_random(state) % bytes.size;
        if (bytes.data[at] || (at && bytes.data[at - 1]) ||
            (at + 1 < bytes.size && bytes.data[at + 1])) {
            return at;
        }
    }
}

HOIST_TEST_TABLE(package_flipped, files)
{
    const hoist_bytes whole = file_of(t, row->kind, row->has_bundle);
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, whole.size);
    uint64_t state = 20260922;
    for (size_t i = 0; i < HOIST_TEST_ROUNDS(3400); i++) {
        memcpy(bytes, whole.data, whole.size);
        const size_t flips = 1 + hoist_test_random(&state) % 3;
        for (size_t k = 0; k < flips; k++) {
            bytes[lively(whole, &state)] ^= (uint8_t)(1U << hoist_test_random(&state) % 8);
        }
        try_bytes(t, (hoist_bytes){bytes, whole.size}, "round", i);
    }
}

// Showing ----------------------------------------------------------------------------------------

static bool has(const hoist_buffer *text, const char *line)
{
    const hoist_str all = hoist_buffer_text(text);
    return memmem(all.data, all.size, line, strlen(line)) != NULL;
}

HOIST_TEST(package_shown)
{
    static const char *const lines[] = {
        "custom_options",
        "execution_preference",
        "min_runtime_version",
        "compiler_version",
        "instruction_bitstreams",
        "field_offsets",
        "PARAMETER_CACHING",
        "fully_deterministic",
        "linearized_tile_byte_offset",
        "SIGNED_FIXED_POINT8",
        "chips",
    };
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, file_of(t, DWN_PAIR, true), &module), HOIST_OK);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    const hoist_dump_options options = {.key = "module"};
    HOIST_EXPECT_EQ(t, dwn_visit(&module->base, &options, &sink), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(lines); i++) {
        if (!has(&text, lines[i])) {
            hoist_test_fail(t, __FILE__, __LINE__, "nothing shows %s", lines[i]);
        }
    }
    hoist_buffer_deinit(&text);
    dwn_destroy(&module->base);
}

// A sink that refuses at any event ends the visit with its status.
HOIST_TEST(package_visit_refused)
{
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, file_of(t, DWN_PLAIN, false), &module), HOIST_OK);
    const hoist_dump_options options = {0};
    hoist_status status = HOIST_IO;
    for (size_t events = 0; status == HOIST_IO; events += 7) {
        size_t left = events;
        hoist_tree_sink sink = hoist_refusing_sink(&left);
        status = dwn_visit(&module->base, &options, &sink);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(package_gives_memory_back),
                HOIST_TEST_ROW(package_write_gives_memory_back),
                HOIST_TEST_ROW(package_cut_anywhere), HOIST_TEST_ROW(package_flipped),
                HOIST_TEST_ROW(package_shown), HOIST_TEST_ROW(package_visit_refused))
