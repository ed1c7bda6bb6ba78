// What a tensor operation does, by the first row of a table that fits its fields (darwinn reference
// section 16.3). In: a decoded operation; out: its kind. Numbers of float32 are compared by their
// bits.
#include "base/span.h"
#include "formats/darwinn/recover_numbers.h"
#include "formats/darwinn/recover_operation.h"

// Bits of float32, codes of table columns, masks of modes. PRODUCTS leaves out the bit that differs
// between the two modes of products; WEIGHTS is the bit of parameters.
enum {
    FLOAT_INFINITY = 0x7f800000,
    FLOAT_ONE = 0x3f800000,
    FLOAT_2_POWER_M14 = 0x38800000,
    FLOAT_TABLE = 0x41265904, // 10.3967: what goes into a table of sigmoid or tanh
    ANY = -1,
    ALL = 0xffff, // bits of a mode
    PRODUCTS = 0xffdf,
    WEIGHTS = DWN_MODE_PARAMETERS,
    PLAIN = -2,   // no table
    CHANNEL = -3, // no table, and each channel alone
    MOVED = -4,   // no number becomes another
};

// One test; numbers that are ANY are not looked at.
typedef struct kind_row {
    int32_t opcode;
    int32_t mode;
    int32_t mode_mask; // bits of the mode that count
    int32_t code;
    int64_t multiplier;
    int64_t not_multiplier;
    int64_t high;
    int32_t reduces; // whether some of its loops give no output
    int32_t table;   // PLAIN, CHANNEL, MOVED, or that of an operation on each channel alone
    dwn_layer_kind kind;
} kind_row;

// The first row that holds. Operations with parameters of their own are CONVOLUTION until their
// geometry says more: these have two modes. What goes through a table that is unknown, and numbers
// without limits that are computed, are none of them.
// clang-format off
static const kind_row rows[] = {
    // opcode          mode    mask      code    multiplier         not that   high            reduces  table               kind
    {DWN_OP_RESIZE,  0x18b0, ALL,      ANY,    FLOAT_2_POWER_M14, ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_UPSAMPLE},
    {DWN_OP_RESIZE,  0x18b0, ALL,      ANY,    FLOAT_ONE,         ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_NEAREST},
    {DWN_OP_RESIZE,  ANY,    ALL,      ANY,    ANY,               ANY,       ANY,            ANY,     ANY,                DWN_KIND_UNKNOWN},
    {DWN_OP_MAX,     0x1c30, ALL,      0x0938, FLOAT_ONE,         ANY,       ANY,            1,       PLAIN,              DWN_KIND_MAX_POOL},
    {DWN_OP_MAX,     ANY,    ALL,      ANY,    ANY,               ANY,       ANY,            ANY,     ANY,                DWN_KIND_SOFTMAX},
    {DWN_OP_SUM,     ANY,    ALL,      ANY,    ANY,               ANY,       ANY,            ANY,     ANY,                DWN_KIND_SOFTMAX},
    {ANY,            0x1870, ALL,      ANY,    ANY,               ANY,       FLOAT_INFINITY, 1,       ANY,                DWN_KIND_AVERAGE_POOL},
    {ANY,            0x00f0, ALL,      0x0938, ANY,               ANY,       FLOAT_INFINITY, 1,       ANY,                DWN_KIND_AVERAGE_POOL},
    {ANY,            0,      WEIGHTS,  ANY,    FLOAT_ONE,         ANY,       FLOAT_INFINITY, ANY,     MOVED,              DWN_KIND_MOVE},
    {ANY,            ANY,    ALL,      ANY,    ANY,               ANY,       FLOAT_INFINITY, ANY,     ANY,                DWN_KIND_UNKNOWN},
    {ANY,            0x0030, ALL,      ANY,    ANY,               ANY,       FLOAT_TABLE,    ANY,     DWN_TABLE_LOGISTIC, DWN_KIND_LOGISTIC},
    {ANY,            ANY,    ALL,      ANY,    ANY,               ANY,       FLOAT_TABLE,    ANY,     ANY,                DWN_KIND_UNKNOWN},
    {ANY,            0x0030, ALL,      ANY,    ANY,               ANY,       ANY,            ANY,     CHANNEL,            DWN_KIND_QUANTIZE},
    {ANY,            0x0018, PRODUCTS, ANY,    ANY,               ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_CONVOLUTION},
    {ANY,            0x1870, ALL,      ANY,    ANY,               ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_AVERAGE_POOL},
    {ANY,            0x1c30, ALL,      ANY,    ANY,               ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_MULTIPLY},
    {ANY,            0x0030, ALL,      0x0328, ANY,               FLOAT_ONE, ANY,            ANY,     PLAIN,              DWN_KIND_CONVOLUTION},
    {ANY,            0x00b0, ALL,      0x0048, ANY,               ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_ADD},
    {ANY,            0x00b0, ALL,      0x0058, ANY,               ANY,       ANY,            ANY,     PLAIN,              DWN_KIND_ADD},
};
// clang-format on

static bool is_so(int64_t expected, int64_t found)
{
    return expected == ANY || expected == found;
}

// Whether each number is scaled alone, without another limit than that of its type, and is another
// afterwards.
static bool is_rescaled(const dwn_operation *op)
{
    const dwn_clamps clamps = {dwn_float_of(op->low), dwn_float_of(op->high)};
    return (op->multiplier != FLOAT_ONE || op->input_zero != op->output_zero) &&
           dwn_activation_of(clamps, op->output_zero) == DWN_ACTIVATION_NONE;
}

// What the column `table` asks for.
static bool has_table(int32_t table, const dwn_operation *op)
{
    switch (table) {
    case ANY:
        return true;
    case PLAIN:
        return op->table == DWN_TABLE_NONE;
    case MOVED:
        return op->input_zero == op->output_zero && !op->has_multipliers && !op->has_bias &&
               !op->has_weight_zeros;
    case CHANNEL:
        return op->table == DWN_TABLE_NONE && op->is_channelwise && is_rescaled(op);
    default:
        return op->is_channelwise && (dwn_table)table == op->table;
    }
}

static bool holds(const kind_row *row, const dwn_operation *op)
{
    return is_so(row->opcode, op->opcode) && is_so(row->mode, op->mode & row->mode_mask) &&
           is_so(row->code, op->code) && is_so(row->multiplier, op->multiplier) &&
           (row->not_multiplier == ANY || row->not_multiplier != op->multiplier) &&
           is_so(row->high, op->high) && is_so(row->reduces, op->reduction > 1) &&
           has_table(row->table, op);
}

// The order of rows matters: the more specific ones come first.
dwn_layer_kind dwn_operation_kind(const dwn_operation *operation)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if (holds(&rows[i], operation)) {
            return rows[i].kind;
        }
    }
    return DWN_KIND_UNKNOWN;
}
