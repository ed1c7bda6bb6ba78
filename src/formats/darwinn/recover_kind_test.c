// Every row of the table of kinds, and what each test is after.
#include "formats/darwinn/recover_testing.h"

// clang-format off
static const struct {
    const char *name;
    dwn_sketch sketch;
    dwn_layer_kind want;
} cases[] = {
    {"with parameters",        {.mode = 0x38},                                                     DWN_KIND_CONVOLUTION},
    {"parameters in blocks",   {.mode = 0x18},                                                     DWN_KIND_CONVOLUTION},
    {"upsampling",             {.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 0x1p-14f},  DWN_KIND_UPSAMPLE},
    {"nearest upsampling",     {.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 1},         DWN_KIND_NEAREST},
    {"upsampling of another factor", {.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 2},   DWN_KIND_UNKNOWN},
    {"other M upsamples not",  {.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 0x1p-13f},  DWN_KIND_UNKNOWN},
    {"other mode neither",     {.opcode = DWN_OP_RESIZE, .mode = 0x38, .multiplier = 0x1p-14f},    DWN_KIND_UNKNOWN},
    {"maximum over windows",   {.opcode = DWN_OP_MAX, .mode = 0x1c30, .code = 0x0938, .multiplier = 1, .reduction = 4}, DWN_KIND_MAX_POOL},
    {"maximum of one",         {.opcode = DWN_OP_MAX, .mode = 0x1c30, .code = 0x0938, .multiplier = 1}, DWN_KIND_SOFTMAX},
    {"maximum, other class",   {.opcode = DWN_OP_MAX, .mode = 0x1c30, .code = 0x0300, .multiplier = 1, .reduction = 4}, DWN_KIND_SOFTMAX},
    {"maximum",                {.opcode = DWN_OP_MAX},                                             DWN_KIND_SOFTMAX},
    {"sum",                    {.opcode = DWN_OP_SUM},                                             DWN_KIND_SOFTMAX},
    {"maximum without clamps", {.opcode = DWN_OP_MAX, .high = __builtin_inff()},                   DWN_KIND_SOFTMAX},
    {"no clamps",              {.mode = 0x1870, .multiplier = 1, .high = __builtin_inff()},        DWN_KIND_MOVE},
    {"no clamps, M is none",   {.mode = 0x1870, .high = __builtin_inff()},                         DWN_KIND_UNKNOWN},
    {"no clamps, another zero point", {.mode = 0x1870, .multiplier = 1, .high = __builtin_inff(), .output_zero = 1}, DWN_KIND_UNKNOWN},
    {"no clamps, multipliers", {.mode = 0x1870, .multiplier = 1, .high = __builtin_inff(), .has_multipliers = true}, DWN_KIND_UNKNOWN},
    {"no clamps, a bias",      {.mode = 0x1870, .multiplier = 1, .high = __builtin_inff(), .has_bias = true}, DWN_KIND_UNKNOWN},
    {"no clamps, zero points", {.mode = 0x1870, .multiplier = 1, .high = __builtin_inff(), .has_weight_zeros = true}, DWN_KIND_UNKNOWN},
    {"no clamps, a reduction", {.mode = 0x1870, .high = __builtin_inff(), .reduction = 9},         DWN_KIND_AVERAGE_POOL},
    {"no clamps, parameters",  {.mode = 0x38, .multiplier = 1, .high = __builtin_inff()},          DWN_KIND_UNKNOWN},
    {"parameters, another mode", {.mode = 0x58},                                                   DWN_KIND_UNKNOWN},
    {"parameters, a table",    {.mode = 0x38, .table = 1},                                         DWN_KIND_UNKNOWN},
    {"average pool",           {.mode = 0x1870},                                                   DWN_KIND_AVERAGE_POOL},
    {"average pool, a table",  {.mode = 0x1870, .table = 1},                                       DWN_KIND_UNKNOWN},
    {"multiplication",         {.mode = 0x1c30},                                                   DWN_KIND_MULTIPLY},
    {"multiplication, a table", {.mode = 0x1c30, .table = 1},                                      DWN_KIND_UNKNOWN},
    {"four rows",              {.mode = 0x0030, .code = 0x0328},                                   DWN_KIND_CONVOLUTION},
    {"four rows, M is 1",      {.mode = 0x0030, .code = 0x0328, .multiplier = 1},                  DWN_KIND_UNKNOWN},
    {"four rows, other class", {.mode = 0x0030, .code = 0x0338},                                   DWN_KIND_UNKNOWN},
    {"before a table",         {.mode = 0x0030, .code = 0x0328, .high = 0x1.4cb208p+3f},           DWN_KIND_UNKNOWN},
    {"addition",               {.mode = 0x00b0, .code = 0x0048},                                   DWN_KIND_ADD},
    {"addition, a table",      {.mode = 0x00b0, .code = 0x0048, .table = 1},                       DWN_KIND_UNKNOWN},
    {"early addition",         {.mode = 0x00b0, .code = 0x0058},                                   DWN_KIND_ADD},
    {"addition's mode only",   {.mode = 0x00b0, .code = 0x0038},                                   DWN_KIND_UNKNOWN},
    {"never seen",             {.mode = 0x1000},                                                   DWN_KIND_UNKNOWN},
};
// clang-format on

HOIST_TEST_TABLE(kinds, cases)
{
    const dwn_operation operation = dwn_test_operation(t, &row->sketch);
    HOIST_EXPECT_EQ(t, operation.kind, row->want);
}

HOIST_TEST(all_have_names)
{
    for (int kind = 0; kind < DWN_KIND_COUNT; kind++) {
        HOIST_EXPECT(t, dwn_layer_kind_name((dwn_layer_kind)kind) != NULL);
    }
    for (int heuristic = 0; heuristic < DWN_GUESS_COUNT; heuristic++) {
        HOIST_EXPECT(t, dwn_heuristics[heuristic].name != NULL);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(kinds), HOIST_TEST_ROW(all_have_names))
