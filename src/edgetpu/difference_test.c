// Differences as items of a list: paths, the order of both files, what only one of them has; and
// which comparison two files have.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "edgetpu/difference.h"
#include "edgetpu/edgetpu.h"
#include "edgetpu/nested_testing.h"
#include "formats/tflite/tflite_testing.h"

// Writes events as text: "{path=layers/3/bias kind=changed old=1 ...}".
static hoist_status write_event(void *self, const hoist_tree_event *event)
{
    hoist_buffer *const out = self;
    switch (event->kind) {
    case HOIST_TREE_MAP:
    case HOIST_TREE_LIST:
        hoist_buffer_c(out, "{");
        break;
    case HOIST_TREE_END:
        hoist_buffer_c(out, "}");
        break;
    case HOIST_TREE_STR:
        hoist_buffer_format(out, "%.*s=%.*s ", HOIST_STR_ARGS(event->key),
                            HOIST_STR_ARGS(event->str));
        break;
    case HOIST_TREE_INT:
        hoist_buffer_format(out, "%.*s=%d ", HOIST_STR_ARGS(event->key), (int)event->integer);
        break;
    case HOIST_TREE_UINT:
        hoist_buffer_format(out, "%.*s=%u ", HOIST_STR_ARGS(event->key), (unsigned)event->uinteger);
        break;
    case HOIST_TREE_FLOAT:
        hoist_buffer_format(out, "%.*s=%g ", HOIST_STR_ARGS(event->key), event->number);
        break;
    case HOIST_TREE_BOOL:
    case HOIST_TREE_NULL:
        hoist_buffer_format(out, "%.*s=null ", HOIST_STR_ARGS(event->key));
        break;
    }
    return HOIST_OK;
}

typedef hoist_status send_one(hoist_edgetpu_difference_sender *s);

static hoist_status send_integers(hoist_edgetpu_difference_sender *s)
{
    const dwn_number values[2] = {{.number = 3}, {.number = -4}};
    return hoist_edgetpu_difference_of_values(s, HOIST_STR("x"), values, 2, 7);
}

static hoist_status send_floats(hoist_edgetpu_difference_sender *s)
{
    const dwn_number values[2] = {{.number = 0.5, .is_float = true},
                                  {.number = 0.25, .is_float = true}};
    return hoist_edgetpu_difference_of_values(s, HOIST_STR("x"), values, 1, 0.25);
}

// Words have no distance.
static hoist_status send_words(hoist_edgetpu_difference_sender *s)
{
    const dwn_number values[2] = {{.word = "add"}, {.word = "dense"}};
    return hoist_edgetpu_difference_of_values(s, HOIST_STR("x"), values, 1, 5);
}

static hoist_status send_layers(hoist_edgetpu_difference_sender *s, const dwn_recovered *old,
                                const dwn_recovered *now, dwn_constant constant)
{
    const dwn_recovered *const layers[2] = {old, now};
    uint64_t compared = 0;
    return hoist_edgetpu_difference_of_layers(s, 3, layers, DWN_CONSTANT_BIT(constant), &compared);
}

static hoist_status send_array(hoist_edgetpu_difference_sender *s)
{
    static const int32_t bias[2][9] = {{[7] = 1, [8] = 1}, {[7] = 2, [8] = 2}};
    const dwn_recovered old = {.bias = bias[0], .rows = 9};
    const dwn_recovered now = {.bias = bias[1], .rows = 9};
    return send_layers(s, &old, &now, DWN_CONSTANT_BIAS);
}

static hoist_status send_constant(hoist_edgetpu_difference_sender *s)
{
    const dwn_recovered old = {.kernel = {1, 1}};
    const dwn_recovered now = {.kernel = {1, 2}};
    return send_layers(s, &old, &now, DWN_CONSTANT_KERNEL_WIDTH);
}

static hoist_status send_texts(hoist_edgetpu_difference_sender *s)
{
    const hoist_str texts[2] = {HOIST_STR("a"), HOIST_STR("b")};
    return hoist_edgetpu_difference_of_texts(s, HOIST_STR("x"), texts);
}

static hoist_status send_removed(hoist_edgetpu_difference_sender *s)
{
    return hoist_edgetpu_difference_of_one(s, HOIST_STR("x"), true, HOIST_STR("a"));
}

static hoist_status send_added(hoist_edgetpu_difference_sender *s)
{
    return hoist_edgetpu_difference_of_one(s, HOIST_STR("x"), false, HOIST_STR("b"));
}

// clang-format off
static const struct {
    const char *name;
    send_one *send;
    const char *prefix;
    bool is_swapped;
    const char *expected;
} items[] = {
    {"integers", send_integers, "", false, "{path=x kind=changed old=3 new=-4 elements=2 largest=7 }"},
    {"integers of swapped files", send_integers, "", true, "{path=x kind=changed old=-4 new=3 elements=2 largest=7 }"},
    {"floats", send_floats, "", false, "{path=x kind=changed old=0.5 old=0.5 new=0.25 new=0.25 elements=1 largest=0.25 }"},
    {"words", send_words, "", false, "{path=x kind=changed old=add new=dense elements=1 largest=null }"},
    {"an array", send_array, "", false, "{path=layers/3/bias[7] kind=changed old=1 new=2 elements=2 largest=1 }"},
    {"a constant", send_constant, "", false, "{path=layers/3/kernel_width kind=changed old=1 new=2 elements=1 largest=1 }"},
    {"a prefix", send_constant, "programs/1/", false,
     "{path=programs/1/layers/3/kernel_width kind=changed old=1 new=2 elements=1 largest=1 }"},
    {"texts", send_texts, "", false, "{path=x kind=changed old=a new=b }"},
    {"texts of swapped files", send_texts, "", true, "{path=x kind=changed old=b new=a }"},
    {"of the old file", send_removed, "", false, "{path=x kind=removed old=a }"},
    {"of the old file, swapped", send_removed, "", true, "{path=x kind=added new=a }"},
    {"of the new file", send_added, "", false, "{path=x kind=added new=b }"},
    {"of the new file, swapped", send_added, "", true, "{path=x kind=removed old=b }"},
};
// clang-format on

HOIST_TEST_TABLE(items_of_differences, items)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &text, .event = write_event};
    hoist_edgetpu_difference_sender s = {.sink = &sink,
                                         .arena = &t->arena,
                                         .prefix = hoist_str_from(row->prefix),
                                         .is_swapped = row->is_swapped};
    HOIST_EXPECT_EQ(t, row->send(&s), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), row->expected);
    HOIST_EXPECT_EQ(t, s.count, 1);
    hoist_buffer_deinit(&text);
}

// A path that there was no memory for is no item.
HOIST_TEST(a_path_that_is_absent)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &text, .event = write_event};
    hoist_edgetpu_difference_sender s = {.sink = &sink, .arena = &t->arena};
    const hoist_str absent = {NULL, 0};
    const dwn_number values[2] = {{.number = 1}, {.number = 2}};
    const hoist_str one[2] = {HOIST_STR("a"), absent};
    const hoist_str other[2] = {absent, HOIST_STR("a")};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_difference_of_values(&s, absent, values, 1, 1),
                    HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_difference_of_one(&s, absent, true, HOIST_STR("a")),
                    HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_difference_of_texts(&s, HOIST_STR("x"), one), HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_difference_of_texts(&s, HOIST_STR("x"), other),
                    HOIST_NO_MEMORY);
    HOIST_EXPECT_EQ(t, s.count, 0);
    HOIST_EXPECT_EQ(t, text.size, 0);
    hoist_buffer_deinit(&text);
}

static const struct {
    const char *name;
    uint32_t inputs[6];
    uint32_t count;
    const char *expected;
} lists[] = {
    {"nothing", {0}, 0, "{path=layers/3/inputs kind=changed old= new= }"},
    {"a layer", {3}, 1, "{path=layers/3/inputs kind=changed old=layer 3 new= }"},
    {"an input of the model",
     {DWN_MODEL_INPUT | 2},
     1,
     "{path=layers/3/inputs kind=changed old=input new= }"},
    {"both",
     {DWN_MODEL_INPUT, 0},
     2,
     "{path=layers/3/inputs kind=changed old=input, layer 0 new= }"},
    {"no more than four",
     {1, 2, 3, 4, 5, 6},
     6,
     "{path=layers/3/inputs kind=changed old=layer 1, layer 2, layer 3, layer 4 new= }"},
};

HOIST_TEST_TABLE(inputs_in_words, lists)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &text, .event = write_event};
    hoist_edgetpu_difference_sender s = {.sink = &sink, .arena = &t->arena};
    const uint32_t *const inputs[2] = {row->inputs, NULL};
    const uint32_t counts[2] = {row->count, 0};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_difference_of_inputs(&s, 3, inputs, counts), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), row->expected);
    hoist_buffer_deinit(&text);
}

// Comparisons
// --------------------------------------------------------------------------------------

typedef enum file_kind { SOURCE = 0, COMPILED, PACKAGE, FILE_KINDS } file_kind;

HOIST_TEST(comparisons_by_what_files_are)
{
    static const hoist_comparison expected[FILE_KINDS][FILE_KINDS] = {
        [SOURCE] = {HOIST_COMPARISON_FIELDS, HOIST_COMPARISON_SOURCE, HOIST_COMPARISON_SOURCE},
        [COMPILED] = {HOIST_COMPARISON_SOURCE, HOIST_COMPARISON_COMPILED,
                      HOIST_COMPARISON_COMPILED},
        [PACKAGE] = {HOIST_COMPARISON_SOURCE, HOIST_COMPARISON_COMPILED, HOIST_COMPARISON_COMPILED},
    };
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    const hoist_bytes bytes[FILE_KINDS] = {
        [SOURCE] = tflite_test_write(t, tflite_test_model(&t->arena)),
        [COMPILED] = hoist_test_layers_file(t),
        [PACKAGE] = dwn_draft_package(&draft),
    };
    edgetpu_file files[FILE_KINDS];
    for (int i = 0; i < FILE_KINDS; i++) {
        HOIST_EXPECT_EQ(t, edgetpu_open(bytes[i], hoist_allocator_system(), t->diag, &files[i]),
                        HOIST_OK);
    }
    for (int i = 0; i < FILE_KINDS; i++) {
        for (int k = 0; k < FILE_KINDS; k++) {
            HOIST_EXPECT_EQ(t, hoist_edgetpu_family.comparison(&files[i].file, &files[k].file),
                            expected[i][k]);
        }
    }
    for (int i = 0; i < FILE_KINDS; i++) {
        edgetpu_close(&files[i]);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(items_of_differences), HOIST_TEST_ROW(a_path_that_is_absent),
                HOIST_TEST_ROW(inputs_in_words), HOIST_TEST_ROW(comparisons_by_what_files_are))
