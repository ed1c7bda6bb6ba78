// What a tensor operation does, by the first row of a table that fits its fields (darwinn reference
// section 16.3). In: a decoded operation; out: its kind. Numbers of float32 are compared by their
// bits.
#include "base/span.h"
#include "formats/darwinn/recover_numbers.h"
#include "formats/darwinn/recover_work.h"

enum {
    FLOAT_INFINITY = 0x7f800000,
    FLOAT_ONE = 0x3f800000,
    FLOAT_2_POWER_M14 = 0x38800000,
    FLOAT_TABLE = 0x41265904, // 10.3967: what goes into a table of sigmoid or tanh
    ANY = -1,
    CHANNEL = DWN_TABLE_NONE,
    LOGISTIC = DWN_TABLE_LOGISTIC,
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
    int32_t table;   // of an operation on each channel alone; CHANNEL without one
    dwn_layer_kind kind;
} kind_row;

// The first row that holds. Operations with parameters of their own are CONVOLUTION until their
// geometry says more.
// clang-format off
static const kind_row rows[] = {
    // opcode       mode    mask             code    multiplier         not that   high            reduces table     kind
    {DWN_OP_RESIZE, 0x18b0, 0xffff,          ANY,    FLOAT_2_POWER_M14, ANY,       ANY,            ANY,    ANY,      DWN_KIND_UPSAMPLE},
    {DWN_OP_RESIZE, 0x18b0, 0xffff,          ANY,    FLOAT_ONE,         ANY,       ANY,            ANY,    ANY,      DWN_KIND_NEAREST},
    {DWN_OP_RESIZE, ANY,    0xffff,          ANY,    ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_UNKNOWN},
    {DWN_OP_MAX,    0x1c30, 0xffff,          0x0938, FLOAT_ONE,         ANY,       ANY,            1,      ANY,      DWN_KIND_MAX_POOL},
    {DWN_OP_MAX,    ANY,    0xffff,          ANY,    ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_SOFTMAX},
    {DWN_OP_SUM,    ANY,    0xffff,          ANY,    ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_SOFTMAX},
    {ANY,           0x1870, 0xffff,          ANY,    ANY,               ANY,       FLOAT_INFINITY, 1,      ANY,      DWN_KIND_AVERAGE_POOL},
    {ANY,           0x00f0, 0xffff,          0x0938, ANY,               ANY,       FLOAT_INFINITY, 1,      ANY,      DWN_KIND_AVERAGE_POOL},
    {ANY,           ANY,    0xffff,          ANY,    ANY,               ANY,       FLOAT_INFINITY, ANY,    ANY,      DWN_KIND_MOVE},
    {ANY,           0x0030, 0xffff,          ANY,    ANY,               ANY,       FLOAT_TABLE,    ANY,    LOGISTIC, DWN_KIND_LOGISTIC},
    {ANY,           ANY,    0xffff,          ANY,    ANY,               ANY,       FLOAT_TABLE,    ANY,    ANY,      DWN_KIND_UNKNOWN},
    {ANY,           0x0030, 0xffff,          ANY,    ANY,               ANY,       ANY,            ANY,    CHANNEL,  DWN_KIND_QUANTIZE},
    {ANY,           0x0008, DWN_MODE_PARAMETERS, ANY,    ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_CONVOLUTION},
    {ANY,           0x1870, 0xffff,          ANY,    ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_AVERAGE_POOL},
    {ANY,           0x1c30, 0xffff,          ANY,    ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_MULTIPLY},
    {ANY,           0x0030, 0xffff,          0x0328, ANY,               FLOAT_ONE, ANY,            ANY,    ANY,      DWN_KIND_CONVOLUTION},
    {ANY,           0x00b0, 0xffff,          0x0048, ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_ADD},
    {ANY,           0x00b0, 0xffff,          0x0058, ANY,               ANY,       ANY,            ANY,    ANY,      DWN_KIND_ADD},
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

static bool has_table(int32_t table, const dwn_operation *op)
{
    return table == ANY || (op->is_channelwise && (dwn_table)table == op->table &&
                            (table != CHANNEL || is_rescaled(op)));
}

static bool holds(const kind_row *row, const dwn_operation *op)
{
    return is_so(row->opcode, op->opcode) && is_so(row->mode, op->mode & row->mode_mask) &&
           is_so(row->code, op->code) && is_so(row->multiplier, op->multiplier) &&
           (row->not_multiplier == ANY || row->not_multiplier != op->multiplier) &&
           is_so(row->high, op->high) && is_so(row->reduces, op->reduction > 1) &&
           has_table(row->table, op);
}

dwn_layer_kind dwn_operation_kind(const dwn_operation *operation)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        if (holds(&rows[i], operation)) {
            return rows[i].kind;
        }
    }
    return DWN_KIND_UNKNOWN;
}
