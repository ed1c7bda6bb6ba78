// The op types of netlists: buda-netlist reference sections 1.6 and 1.10, numbers of inputs from
// buda-ops reference section 5.
#include "base/span.h"
#include "ops/op.h"

#define ANY UINT8_MAX

// clang-format off
static const hoist_op_def ops[HOIST_OP_COUNT] = {
    //                              name                 family                    min  max  in_fused integer
    [HOIST_OP_NONE]              = {"",                  HOIST_FAMILY_NONE,        0,   ANY, false,   false},
    [HOIST_OP_ADD]               = {"add",               HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_SUBTRACT]          = {"subtract",          HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_MULTIPLY]          = {"multiply",          HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_MAXIMUM]           = {"maximum",           HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_QUANTIZATION]      = {"quantization",      HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_DEQUANTIZATION]    = {"dequantization",    HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_REQUANTIZATION]    = {"requantization",    HOIST_FAMILY_BINARY,      2,   2,   true,    true },
    [HOIST_OP_NOP]               = {"nop",               HOIST_FAMILY_UNARY,       1,   1,   true,    true },
    [HOIST_OP_DATACOPY]          = {"datacopy",          HOIST_FAMILY_UNARY,       1,   1,   true,    true },
    [HOIST_OP_EXP]               = {"exp",               HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_LOG]               = {"log",               HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_SQRT]              = {"sqrt",              HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_GELU]              = {"gelu",              HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_GELU_DERIVATIVE]   = {"gelu_derivative",   HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_RECIPROCAL]        = {"reciprocal",        HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_SIGMOID]           = {"sigmoid",           HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_TANH]              = {"tanh",              HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_ABS]               = {"abs",               HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_SINE]              = {"sine",              HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_COSINE]            = {"cosine",            HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_DROPOUT]           = {"dropout",           HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_SQUARE]            = {"square",            HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_POWER]             = {"power",             HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    [HOIST_OP_LRELU]             = {"lrelu",             HOIST_FAMILY_SFPU,        1,   1,   true,    false},
    // Two factors; an encoding (identity), a bias and a scale (requant, dequant) may follow.
    [HOIST_OP_MATMUL]            = {"matmul",            HOIST_FAMILY_MATMUL,      2,   5,   true,    true },
    [HOIST_OP_DEPTHWISE]         = {"depthwise",         HOIST_FAMILY_DEPTHWISE,   2,   3,   false,   true },
    [HOIST_OP_REDUCE]            = {"reduce",            HOIST_FAMILY_REDUCE,      1,   1,   true,    true },
    [HOIST_OP_SPLICE]            = {"splice",            HOIST_FAMILY_SPLICE,      1,   8,   false,   true },
    [HOIST_OP_FUSED]             = {"fused_op",          HOIST_FAMILY_FUSED,       1,   ANY, false,   true },
    [HOIST_OP_ETHERNET_DATACOPY] = {"ethernet_datacopy", HOIST_FAMILY_ETHERNET,    1,   1,   false,   true },
    [HOIST_OP_TILIZER]           = {"tilizer",           HOIST_FAMILY_TILIZER,     1,   1,   false,   true },
    [HOIST_OP_TOPK]              = {"topk",              HOIST_FAMILY_TOPK,        2,   2,   false,   true },
    [HOIST_OP_EMBEDDING]         = {"embedding",         HOIST_FAMILY_EMBEDDING,   2,   2,   false,   true },
    [HOIST_OP_BUFFER]            = {"buffer",            HOIST_FAMILY_BUFFER,      1,   1,   false,   true },
    [HOIST_OP_DRAINER]           = {"drainer",           HOIST_FAMILY_DRAINER,     1,   1,   false,   true },
};
// clang-format on

const hoist_op_def *hoist_op_get(hoist_op op)
{
    return (unsigned)op < HOIST_OP_COUNT ? &ops[op] : &ops[HOIST_OP_NONE];
}

hoist_op hoist_op_find(hoist_str name)
{
    for (int i = HOIST_OP_NONE + 1; i < HOIST_OP_COUNT; i++) {
        if (hoist_str_equal_c(name, ops[i].name)) {
            return (hoist_op)i;
        }
    }
    return HOIST_OP_NONE;
}
