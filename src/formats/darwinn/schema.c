// The rows of the schema (darwinn reference section 2): for each table of schema.inc an array of
// fields and a type, with which codec/flatbuffer reads, checks, visits and writes it. The enums and
// the two unions, which schema.inc refers to, come first.
#include "formats/darwinn/schema.h"

#include "base/span.h"
#include "formats/darwinn/scalar_hints.h"

// Words for enums, ended by NULL: dumps show a value by its word, and a value without one as a
// number.
static const hoist_fb_word descs[] = {
    {"OUTPUT", 0}, {"INPUT", 1}, {"PARAMETER", 2}, {"SCRATCH", 3}, {NULL, 0}};
static const hoist_fb_word positions[] = {{"LOWER_32BIT", 0}, {"UPPER_32BIT", 1}, {NULL, 0}};
static const hoist_fb_word directions[] = {{"INFEED", 0}, {"OUTFEED", 1}, {NULL, 0}};
static const hoist_fb_word interrupts[] = {{"SCALAR_CORE_INT_0", 0},
                                           {"SCALAR_CORE_INT_1", 1},
                                           {"SCALAR_CORE_INT_2", 2},
                                           {"SCALAR_CORE_INT_3", 3},
                                           {NULL, 0}};
// 6 and 7 were never assigned.
const hoist_fb_word dwn_data_types[] = {{"FIXED_POINT8", DWN_FIXED_POINT8},
                                        {"FIXED_POINT16", DWN_FIXED_POINT16},
                                        {"SIGNED_FIXED_POINT32", DWN_SIGNED_FIXED_POINT32},
                                        {"BFLOAT", DWN_BFLOAT},
                                        {"HALF", DWN_HALF},
                                        {"SINGLE", DWN_SINGLE},
                                        {"SIGNED_FIXED_POINT8", DWN_SIGNED_FIXED_POINT8},
                                        {"SIGNED_FIXED_POINT16", DWN_SIGNED_FIXED_POINT16},
                                        {NULL, 0}};
const hoist_fb_word dwn_executable_types[] = {{"STAND_ALONE", DWN_STAND_ALONE},
                                              {"PARAMETER_CACHING", DWN_PARAMETER_CACHING},
                                              {"EXECUTION_ONLY", DWN_EXECUTION_ONLY},
                                              {NULL, 0}};

// Tables without fields: they say that something is so by being there.
static const hoist_fb_type fence_hint_type = {"FenceHint", NULL, 0, sizeof(dwn_fence_hint)};

// By the type that the union stores; 0 of each is NONE.
static const hoist_fb_variant any_hint[] = {{DWN_HINT_DMA, &dwn_dma_hint_rows},
                                            {DWN_HINT_INSTRUCTION, &dwn_instruction_hint_rows},
                                            {DWN_HINT_INTERRUPT, &dwn_interrupt_hint_rows},
                                            {DWN_HINT_FENCE, &fence_hint_type},
                                            {0, NULL}};

// Inline structs of 8 bytes, not tables: `slot` is the byte in the struct.
static const hoist_fb_field range_fields[] = {
    {.name = "start", .slot = 0, .kind = HOIST_FB_I32, .summary = "first index"},
    {.name = "end", .slot = 4, .kind = HOIST_FB_I32, .summary = "last index"},
};
static const hoist_fb_type range_type = {"Range", range_fields, HOIST_COUNT_OF(range_fields),
                                         DWN_RANGE_SIZE};

static const hoist_fb_type input_layer_type = {"InputLayer", NULL, 0, sizeof(dwn_input_layer)};

static const hoist_fb_variant any_layer[] = {
    {DWN_LAYER_OUTPUT, &dwn_output_layer_rows}, {DWN_LAYER_INPUT, &input_layer_type}, {0, NULL}};

// Closes the array that OBJECT opens, and makes its type. Fields of a table refer to the types of
// others by their address only, so that schema.inc needs one pass here.
// clang-format off
#define OBJECT(object) static const hoist_fb_field object##_fields[] = {
#define FIELD(object, member, number, what, ...)                                                   \
    HOIST_FB_ROW(dwn_##object, member, number, what, __VA_ARGS__)
#define CHILD(object, member, number, table, ...)                                                  \
    FIELD(object, member, number, TABLE, .type = &dwn_##table##_rows, __VA_ARGS__)
#define CHILDREN(object, member, number, table, ...)                                               \
    FIELD(object, member, number, TABLES, .type = &dwn_##table##_rows, __VA_ARGS__)
#define END(object, title)                                                                         \
    }; const hoist_fb_type dwn_##object##_rows = {                                                 \
        title, object##_fields, HOIST_COUNT_OF(object##_fields), sizeof(dwn_##object)};
#include "formats/darwinn/schema.inc"
// clang-format on
