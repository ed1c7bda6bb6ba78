// The options of every kind through a file: each field comes back from its own slot, and a field
// that is absent has the default of the schema.
#include <string.h>

#include "base/span.h"
#include "formats/tflite/options.h"
#include "formats/tflite/tflite_testing.h"

// A value of each field that differs from its default and from those of its neighbours.
static void fill_scalar(const hoist_fb_field *field, size_t index, uint8_t *member)
{
    const size_t size = hoist_fb_scalar_size((hoist_fb_kind)field->kind);
    const float number = 1.5F + (float)index;
    if (field->kind == HOIST_FB_BOOL) {
        member[0] = field->fallback == 0;
    } else if (field->kind == HOIST_FB_F32) {
        memcpy(member, &number, sizeof(number));
    } else {
        memset(member, (int)(0x21 + index), size);
    }
}

static const uint8_t vector_bytes[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static void fill_field(hoist_test *t, const hoist_fb_field *field, size_t index, uint8_t *member)
{
    const hoist_bytes vector = {vector_bytes, sizeof(vector_bytes)};
    hoist_str text = {NULL, 0};
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_VECTOR:
        memcpy(member, &vector, sizeof(vector));
        break;
    case HOIST_FB_STRING:
        text = hoist_arena_format(&t->arena, "text %zu", index);
        memcpy(member, &text, sizeof(text));
        break;
    default:
        fill_scalar(field, index, member);
    }
}

static void expect_field(hoist_test *t, const hoist_fb_field *field, const uint8_t *written,
                         const uint8_t *read)
{
    hoist_bytes vectors[2];
    hoist_str texts[2];
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_VECTOR:
        memcpy(&vectors[0], written, sizeof(hoist_bytes));
        memcpy(&vectors[1], read, sizeof(hoist_bytes));
        HOIST_EXPECT_EQ(t, vectors[1].size, vectors[0].size);
        HOIST_EXPECT(t, vectors[1].size == vectors[0].size &&
                            memcmp(vectors[0].data, vectors[1].data, vectors[0].size) == 0);
        break;
    case HOIST_FB_STRING:
        memcpy(&texts[0], written, sizeof(hoist_str));
        memcpy(&texts[1], read, sizeof(hoist_str));
        HOIST_EXPECT(t, hoist_str_equal(texts[0], texts[1]));
        break;
    default:
        if (memcmp(written, read, hoist_fb_scalar_size((hoist_fb_kind)field->kind)) != 0) {
            hoist_test_fail(t, __FILE__, __LINE__, "field '%s'", field->name);
        }
    }
}

// The options of the first operator of a model that was written and read; the caller destroys it.
static tflite_module *send_through(hoist_test *t, const hoist_fb_variant *kind, void *options)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    model->subgraphs.items[0].operators.items[0].builtin_options =
        (hoist_fb_union){kind->value, options, 0};
    return tflite_test_open(t, tflite_test_write(t, model));
}

static const hoist_fb_union *options_of(const tflite_module *module)
{
    return &module->model->subgraphs.items[0].operators.items[0].builtin_options;
}

HOIST_TEST(every_field_has_a_slot_of_its_own)
{
    for (const hoist_fb_variant *kind = tflite_options_variants; kind->type; kind++) {
        hoist_test_row(t, kind->type->name);
        uint8_t *const options = hoist_arena_alloc(&t->arena, kind->type->size);
        for (size_t i = 0; i < kind->type->count; i++) {
            const hoist_fb_field *const field = &kind->type->fields[i];
            fill_field(t, field, i, options + field->at);
        }
        tflite_module *const module = send_through(t, kind, options);
        const hoist_fb_union *const found = options_of(module);
        HOIST_EXPECT_EQ(t, found->type, kind->value);
        HOIST_EXPECT(t, found->value != NULL);
        for (size_t i = 0; found->value && i < kind->type->count; i++) {
            const hoist_fb_field *const field = &kind->type->fields[i];
            expect_field(t, field, options + field->at, (const uint8_t *)found->value + field->at);
        }
        tflite_destroy(&module->base);
    }
}

// A field with the value of its default is not stored, and has that value again.
HOIST_TEST(absent_fields_have_their_defaults)
{
    for (const hoist_fb_variant *kind = tflite_options_variants; kind->type; kind++) {
        hoist_test_row(t, kind->type->name);
        uint8_t *const options = hoist_arena_alloc(&t->arena, kind->type->size);
        size_t defaults = 0;
        for (size_t i = 0; i < kind->type->count; i++) {
            const hoist_fb_field *const field = &kind->type->fields[i];
            const int32_t fallback = (int32_t)field->fallback;
            if (field->kind == HOIST_FB_I32 && fallback != 0) {
                memcpy(options + field->at, &fallback, sizeof(fallback));
                defaults++;
            }
        }
        tflite_module *const module = send_through(t, kind, options);
        const hoist_fb_union *const found = options_of(module);
        for (size_t i = 0; found->value && i < kind->type->count; i++) {
            const hoist_fb_field *const field = &kind->type->fields[i];
            if (field->kind == HOIST_FB_I32) {
                expect_field(t, field, options + field->at,
                             (const uint8_t *)found->value + field->at);
                HOIST_EXPECT_EQ(t, tflite_place(module, kind->type, found->value, field->at).offset,
                                tflite_place(module, kind->type, found->value, 0).offset);
            }
        }
        HOIST_EXPECT(t, defaults == 0 || found->value);
        tflite_destroy(&module->base);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(every_field_has_a_slot_of_its_own),
                HOIST_TEST_ROW(absent_fields_have_their_defaults))
