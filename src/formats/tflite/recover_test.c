// The constants that models give: as the tensor has them, or as bytes where it does not fit; and
// those that are not in the file.
#include <string.h>

#include "base/span.h"
#include "formats/tflite/tflite_testing.h"

// "NAME dtype[shape] size" of each array, "NAME: reason" of what is missing.
static hoist_status add_array(void *self, const hoist_recovered *array)
{
    hoist_buffer *const out = self;
    hoist_buffer_format(out, "%.*s %s[", HOIST_STR_ARGS(array->names[0]),
                        array->dtype ? hoist_dtype_get(array->dtype)->name : "?");
    for (uint32_t i = 0; i < array->rank; i++) {
        hoist_buffer_format(out, i ? ",%lld" : "%lld", (long long)array->shape[i]);
    }
    hoist_buffer_format(out, "] %u*%zu; ", array->element_size, array->bytes.size);
    return HOIST_OK;
}

static hoist_status add_missing(void *self, const hoist_unrecovered *missing)
{
    hoist_buffer_format(self, "%.*s: %.*s; ", HOIST_STR_ARGS(missing->name),
                        HOIST_STR_ARGS(missing->reason));
    return HOIST_OK;
}

static void nothing(hoist_arena *arena, tflite_model *model)
{
    (void)arena;
    (void)model;
}

static tflite_tensor *weights_of(tflite_model *model)
{
    return &model->subgraphs.items[0].tensors.items[TEST_WEIGHTS];
}

static void another_shape(hoist_arena *arena, tflite_model *model)
{
    weights_of(model)->shape = TEST_INTS(arena, 10, 63);
}

static void negative_extent(hoist_arena *arena, tflite_model *model)
{
    weights_of(model)->shape = TEST_INTS(arena, -10, -64);
}

static void half_bytes(hoist_arena *arena, tflite_model *model)
{
    weights_of(model)->shape = TEST_INTS(arena, 20, 64);
    weights_of(model)->type = TFLITE_INT4;
}

static void pairs_of_floats(hoist_arena *arena, tflite_model *model)
{
    weights_of(model)->shape = TEST_INTS(arena, 10, 8);
    weights_of(model)->type = TFLITE_COMPLEX64;
}

static void texts(hoist_arena *arena, tflite_model *model)
{
    (void)arena;
    weights_of(model)->type = TFLITE_STRING;
}

static void many_dimensions(hoist_arena *arena, tflite_model *model)
{
    int32_t extents[HOIST_RECOVERED_MAX_RANK + 1];
    for (size_t i = 0; i <= HOIST_RECOVERED_MAX_RANK; i++) {
        extents[i] = 1;
    }
    extents[0] = 640;
    weights_of(model)->shape = tflite_test_ints(arena, HOIST_RECOVERED_MAX_RANK + 1, extents);
}

static void sparse(hoist_arena *arena, tflite_model *model)
{
    weights_of(model)->sparsity = hoist_arena_alloc(arena, sizeof(tflite_sparsity));
    *weights_of(model)->sparsity = (tflite_sparsity){.traversal_order = TEST_INTS(arena, 0, 1)};
}

static void unnamed(hoist_arena *arena, tflite_model *model)
{
    (void)arena;
    weights_of(model)->name = (hoist_str){"", 0};
}

static void elsewhere(hoist_arena *arena, tflite_model *model)
{
    (void)arena;
    weights_of(model)->buffer = 0;
    weights_of(model)->external_buffer = 7;
}

static void beyond_the_end(hoist_arena *arena, tflite_model *model)
{
    (void)arena;
    tflite_buffer *const buffer = &model->buffers.items[weights_of(model)->buffer];
    *buffer = (tflite_buffer){.offset = 1 << 20, .size = 640};
}

static void two_subgraphs(hoist_arena *arena, tflite_model *model)
{
    tflite_test_add_if(arena, model, 0, 0);
}

#define OTHERS "filters i8[4,3,3,3] 1*108; bias i32[4] 4*16; shape i32[2] 4*8; "

static const struct {
    const char *name;
    void (*change)(hoist_arena *arena, tflite_model *model);
    const char *expected;
} rows[] = {
    {"as the tensors are", nothing, OTHERS "weights i8[10,64] 1*640; "},
    {"fewer elements than bytes", another_shape, OTHERS "weights ?[640] 1*640; "},
    {"negative extents", negative_extent, OTHERS "weights ?[640] 1*640; "},
    {"half bytes", half_bytes, OTHERS "weights ?[640] 1*640; "},
    {"pairs of floats", pairs_of_floats, OTHERS "weights ?[10,8] 8*640; "},
    {"texts", texts, OTHERS "weights ?[640] 1*640; "},
    {"too many dimensions", many_dimensions, OTHERS "weights ?[640] 1*640; "},
    {"sparse data", sparse, OTHERS "weights ?[640] 1*640; "},
    {"without a name", unnamed, OTHERS "tensors/7 i8[10,64] 1*640; "},
    {"in another file", elsewhere, OTHERS "weights: its data are in another file; "},
    {"beyond the end", beyond_the_end, OTHERS "weights: its data are beyond the end of the file; "},
    {"two subgraphs", two_subgraphs,
     "subgraphs/0/filters i8[4,3,3,3] 1*108; subgraphs/0/bias i32[4] 4*16; "
     "subgraphs/0/shape i32[2] 4*8; subgraphs/0/weights i8[10,64] 1*640; "},
};

HOIST_TEST_TABLE(constants, rows)
{
    tflite_model *model = tflite_test_model(&t->arena);
    row->change(&t->arena, model);
    tflite_module *module = tflite_test_open(t, tflite_test_write(t, model));
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_recovery_sink sink = {&out, add_array, add_missing};
    HOIST_EXPECT_EQ(t, tflite_recover(&module->base, &sink), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_buffer_deinit(&out);
    tflite_destroy(&module->base);
}

// Offsets are those of the bytes in the file.
static hoist_status expect_bytes(void *self, const hoist_recovered *array)
{
    const hoist_bytes *const file = self;
    return file->data + array->offset == array->bytes.data ? HOIST_OK : HOIST_INVALID;
}

HOIST_TEST(offsets)
{
    hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    tflite_module *module = tflite_test_open(t, file);
    const hoist_recovery_sink sink = {&file, expect_bytes, add_missing};
    HOIST_EXPECT_EQ(t, tflite_recover(&module->base, &sink), HOIST_OK);
    tflite_destroy(&module->base);
}

// Names of several subgraphs are made in memory that may run out.
static hoist_status drop_array(void *self, const hoist_recovered *array)
{
    (void)self;
    (void)array;
    return HOIST_OK;
}

static hoist_status recover_with(hoist_allocator alloc, const void *self)
{
    tflite_module module = *(const tflite_module *)self;
    const hoist_recovery_sink sink = {NULL, drop_array, NULL};
    module.base.alloc = alloc;
    return tflite_recover(&module.base, &sink);
}

HOIST_TEST(memory_runs_out)
{
    tflite_model *model = tflite_test_model(&t->arena);
    two_subgraphs(&t->arena, model);
    tflite_module *module = tflite_test_open(t, tflite_test_write(t, model));
    hoist_test_starve(t, recover_with, module);
    tflite_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(constants), HOIST_TEST_ROW(offsets), HOIST_TEST_ROW(memory_runs_out))
