// The operator that a package is in: rules 4 and 73 to 76. The executable has the input image, 1 x
// 4 x 5 x 3, and the outputs grid, 1 x 4 x 5 x 32, and scores, 1 x 10.
#include <stdlib.h>
#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"

static const int64_t image_shape[] = {1, 4, 5, 3};
static const int64_t pair_shape[] = {2, 4, 5, 3};
static const int64_t grid_shape[] = {1, 4, 5, 32};
static const int64_t scores_shape[] = {1, 10};
static const int64_t odd_shape[] = {1, -1};
static const int64_t huge_shape[] = {INT64_MAX, INT64_MAX};

// clang-format off
static const hoist_border_tensor image = {{"image", 5}, HOIST_DTYPE_U8, 4, image_shape, true, 0.5F, 127};
static const hoist_border_tensor grid = {{"grid", 4}, HOIST_DTYPE_U8, 4, grid_shape, true, 0.5F, 0};
static const hoist_border_tensor scores = {{"scores", 6}, HOIST_DTYPE_I8, 2, scores_shape, true, 0.5F, 2};

static const struct {
    const char *name;
    dwn_change changes[2];
    hoist_border_tensor input;     // name empty: image
    hoist_border_tensor outputs[2]; // names empty: grid and scores
    size_t inputs; // 0: 1; SIZE_MAX: none
    size_t output_count; // 0: 2
    size_t neighbours;
    const char *want;
    const char *at;
} cases[] = {
    {.name = "all fits", .want = ""},
    {.name = "an operator on the CPU", .neighbours = 1, .want = "DWN-004"},
    {.name = "seven on the CPU", .neighbours = 7, .want = "DWN-004"},
    {.name = "no input", .inputs = SIZE_MAX, .want = "DWN-073", .at = "input_layers"},
    {.name = "one output", .output_count = 1, .want = "DWN-073", .at = "output_layers"},
    {.name = "a state has no tensor", .changes = {{"executables/0/output_layers/1/name", 0, "image_variable_output"}},
     .output_count = 1, .want = ""},
    {.name = "a state is no output", .changes = {{"executables/0/output_layers/1/name", 0, "image_variable_output"}},
     .want = "DWN-073", .at = "output_layers"},
    {.name = "the state of no input", .changes = {{"executables/0/output_layers/1/name", 0, "mage_variable_output"}},
     .want = ""},
    {.name = "another type of the input", .input = {{"i", 1}, HOIST_DTYPE_I8, 4, image_shape, true, 0.5F, 127},
     .want = "DWN-074", .at = "input_layers/0/data_type"},
    {.name = "a type that we do not have", .input = {{"i", 1}, HOIST_DTYPE_NONE, 4, image_shape, true, 0.5F, 127},
     .want = "DWN-074", .at = "input_layers/0/data_type"},
    {.name = "another type of an output", .outputs = {[0] = {{"g", 1}, HOIST_DTYPE_F32, 4, grid_shape, true, 0.5F, 0}},
     .want = "DWN-074", .at = "output_layers/0/data_type"},
    {.name = "16 bits of one pixel become 8", .changes = {{"executables/0/output_layers/1/data_type", DWN_FIXED_POINT16, NULL}},
     .outputs = {[1] = {{"s", 1}, HOIST_DTYPE_U8, 2, scores_shape, true, 0.5F, 2}}, .want = ""},
    {.name = "floats of one pixel become 8 bits", .changes = {{"executables/0/output_layers/1/data_type", DWN_SINGLE, NULL}},
     .outputs = {[1] = {{"s", 1}, HOIST_DTYPE_U8, 2, scores_shape, true, 0.5F, 2}}, .want = ""},
    {.name = "16 bits of many pixels do not", .changes = {{"executables/0/output_layers/0/data_type", DWN_FIXED_POINT16, NULL}},
     .want = "DWN-074", .at = "output_layers/0/data_type"},
    {.name = "a batch more", .input = {{"i", 1}, HOIST_DTYPE_U8, 4, pair_shape, true, 0.5F, 127},
     .want = "DWN-075", .at = "input_layers/0/size_bytes"},
    {.name = "an unknown extent", .outputs = {[1] = {{"s", 1}, HOIST_DTYPE_I8, 2, odd_shape, true, 0.5F, 2}}, .want = ""},
    {.name = "too many elements", .outputs = {[1] = {{"s", 1}, HOIST_DTYPE_I8, 2, huge_shape, true, 0.5F, 2}}, .want = ""},
    {.name = "another zero point", .input = {{"i", 1}, HOIST_DTYPE_U8, 4, image_shape, true, 0.5F, 128},
     .want = "DWN-076", .at = "input_layers/0/numerics"},
    {.name = "a signed zero point as stored", .outputs = {[1] = {{"s", 1}, HOIST_DTYPE_I8, 2, scores_shape, true, 0.5F, 130}},
     .want = "DWN-076", .at = "output_layers/1/numerics"},
    {.name = "another scale", .outputs = {[0] = {{"g", 1}, HOIST_DTYPE_U8, 4, grid_shape, true, 0.25F, 0}},
     .want = "DWN-076", .at = "output_layers/0/numerics"},
    {.name = "a tensor without quantisation", .outputs = {[0] = {{"g", 1}, HOIST_DTYPE_U8, 4, grid_shape, false, 0, 0}}, .want = ""},
};
// clang-format on

// Rules of this file: others report changed layers, too.
static bool is_border(const hoist_finding *finding)
{
    const int number = atoi(finding->rule->id + 4);
    return number == 4 || (number >= 73 && number <= 76);
}

HOIST_TEST_TABLE(check_border, cases)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    for (size_t i = 0; i < 2 && row->changes[i].path; i++) {
        if (row->changes[i].text) {
            dwn_draft_name(&draft, row->changes[i].path, row->changes[i].text);
        } else {
            dwn_draft_set(&draft, row->changes[i].path, row->changes[i].value);
        }
    }
    const hoist_border_tensor input = row->input.name.size ? row->input : image;
    const hoist_border_tensor outputs[] = {row->outputs[0].name.size ? row->outputs[0] : grid,
                                           row->outputs[1].name.size ? row->outputs[1] : scores};
    const hoist_payload payload = {.offset = 512,
                                   .inputs = &input,
                                   .input_count = row->inputs == SIZE_MAX ? 0 : 1,
                                   .outputs = outputs,
                                   .output_count = row->output_count ? row->output_count : 2,
                                   .neighbours = row->neighbours};
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = &payload};
    const hoist_bytes bytes = hoist_test_exact(t, dwn_draft_package(&draft));
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(bytes, &options, t->diag, &module), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_test_check(t, (dwn_module *)module), HOIST_OK);
    hoist_str found = HOIST_STR("");
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(t->diag, i);
        if (!is_border(f)) {
            continue;
        }
        found = hoist_arena_format(&t->arena, "%.*s%s%s", HOIST_STR_ARGS(found),
                                   found.size ? " " : "", f->rule->id);
        if (!row->at) {
            HOIST_EXPECT_EQ(t, f->loc.offset, 512);
            continue;
        }
        const hoist_str path = hoist_arena_format(&t->arena, "executables/0/%s", row->at);
        const size_t object = (size_t)(strrchr(path.data, '/') - path.data);
        HOIST_EXPECT_EQ(t, f->loc.offset, dwn_test_place((dwn_module *)module, path.data));
        HOIST_EXPECT(t, hoist_str_equal(f->object, (hoist_str){path.data, object}));
    }
    HOIST_EXPECT_STR(t, found, row->want);
    dwn_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(check_border))
