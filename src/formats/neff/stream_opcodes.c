// size: table
// The opcodes of neff reference section 5.3, one row each: name, generations, class, operand form.
// stream_decode.c, stream_disasm.c, stream_assemble.c, the checks of streams and lower/neff look
// codes up here; stream_docgen.c writes the table of docs/formats from it.
//
// Values are never renumbered from generation 2 on; generation 1 shares its data path and some
// pseudo opcodes, and has a small table of its own for the rest. Names and generations are those of
// the opcode headers of the public GpSimd package, as described by third parties [re].
#include "base/span.h"
#include "formats/neff/stream.h"

enum { FIRST = NEFF_GEN2, LAST = NEFF_GEN5 }; // of "any generation"

// clang-format off
static const neff_opcode opcodes[256] = {
    // code    name                                     code first last class         form                  runs empty
    // Tensor engine (PE): loads weights, then multiplies what moves past them into PSUM.
    [0x01] = {"LDWEIGHTS",                              0x01, 1, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x02] = {"MATMUL",                                 0x02, 1, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x03] = {"PE_REG_WRITE",                           0x03, 1, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x04] = {"WEIGHT_MASK",                            0x04, 1, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x05] = {"WEIGHT_SHIFT",                           0x05, 1, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    // From generation 3: sparse weights with tags; from generation 4: block-scaled (MX) types.
    [0x06] = {"LDTAGS",                                 0x06, 3, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x07] = {"MATMUL_SPARSE",                          0x07, 3, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x08] = {"PE_MANAGE_SEED",                         0x08, 4, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x09] = {"LDWEIGHTS_MX",                           0x09, 4, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    [0x0a] = {"MATMUL_MX",                              0x0a, 4, 5, NEFF_CLASS_PE,       NEFF_FORM_NONE,            false},
    // Scalar engine (ACT): func(in * scale + bias) by piecewise tables, whose contents are not
    // public.
    [0x21] = {"ACTIVATE",                               0x21, 1, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    [0x22] = {"ACTIVATE_QUANTIZE",                      0x22, 1, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    [0x23] = {"ACTIVATION_TABLE_LOAD",                  0x23, 1, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    [0x24] = {"ACTIVATION_READ_ACCUMULATOR",            0x24, 1, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    [0x25] = {"ACTIVATE2",                              0x25, 4, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    [0x26] = {"ACTIVATE_MULTIPASS",                     0x26, 5, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    [0x30] = {"EXPONENTIAL",                            0x30, 1, 5, NEFF_CLASS_ACT,      NEFF_FORM_NONE,            false},
    // Vector and GpSimd engines. 0x41 to 0x5e are on generation 1, too.
    [0x41] = {"TENSOR_TENSOR_ARITH_OP",                 0x41, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x42] = {"TENSOR_REDUCE_ARITH_OP",                 0x42, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x43] = {"TENSOR_SCALAR_ARITH_OP",                 0x43, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x44] = {"TENSOR_SCALAR_PTR_ARITH_OP",             0x44, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x45] = {"POOL",                                   0x45, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x46] = {"COPY",                                   0x46, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x47] = {"CAST",                                   0x47, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x48] = {"RECIPROCAL",                             0x48, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x49] = {"MEMSET",                                 0x49, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x4a] = {"REG_LOAD",                               0x4a, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x4b] = {"REG_STORE",                              0x4b, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x4c] = {"REG_SHUFFLE",                            0x4c, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x4d] = {"RNG",                                    0x4d, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x4e] = {"TENSOR_CUMULATIVE_ARITH_OP",             0x4e, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x4f] = {"TENSOR_SCALAR_PTR_MULTI_ARITH",          0x4f, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x51] = {"TENSOR_TENSOR_BITVEC_OP",                0x51, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x52] = {"TENSOR_REDUCE_BITVEC_OP",                0x52, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x53] = {"TENSOR_SCALAR_BITVEC_OP",                0x53, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x54] = {"TENSOR_SCALAR_PTR_BITVEC_OP",            0x54, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x58] = {"MAX_POOL_SELECT",                        0x58, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x5e] = {"TENSOR_CUMULATIVE_BITVEC_OP",            0x5e, 1, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x5f] = {"TENSOR_SCALAR_PTR_MULTI_BITVEC",         0x5f, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    // Added by generation 2.
    [0x60] = {"BATCH_NORM_STATS",                       0x60, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x61] = {"BATCH_NORM_STATS2",                      0x61, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x62] = {"BATCH_NORM_AGGREGATE",                   0x62, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x63] = {"BATCH_NORM_GRAD_ACCUMULATE",             0x63, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x64] = {"BATCH_NORM_PARAM_LOAD",                  0x64, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x65] = {"BATCH_NORM_BACK_PROP",                   0x65, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x66] = {"LOAD_PARAMETER_RAM",                     0x66, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x67] = {"POOL_BUFFER_LOAD",                       0x67, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x68] = {"GATHER",                                 0x68, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x69] = {"LOAD_MASK_SELECT",                       0x69, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x6a] = {"STREAM_SHUFFLE",                         0x6a, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x6b] = {"STREAM_TRANSPOSE",                       0x6b, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x6c] = {"MAX8",                                   0x6c, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x6d] = {"MATCH_VALUE_LOAD",                       0x6d, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x6e] = {"FIND_INDEX8",                            0x6e, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x6f] = {"MATCH_REPLACE8",                         0x6f, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x70] = {"TENSOR_SCALAR_IMM_LD_ARITH",             0x70, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x71] = {"TENSOR_SCALAR_IMM_LD_BITVEC",            0x71, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x72] = {"COPY_PREDICATED",                        0x72, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x73] = {"ROI_ALIGN",                              0x73, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x74] = {"TENSOR_SCALAR_ADDR",                     0x74, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x76] = {"RAND",                                   0x76, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x77] = {"RAND_GET_STATE",                         0x77, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x78] = {"RAND_SET_STATE",                         0x78, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x79] = {"EMBEDDING_UPDATE",                       0x79, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x7a] = {"LOAD_POOL_ARGUMENT",                     0x7a, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x7b] = {"TENSOR_DEQUANTIZE",                      0x7b, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x7c] = {"CROSS_LANE_REDUCE_ARITH",                0x7c, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x7d] = {"CROSS_LANE_REDUCE_BITVEC",               0x7d, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x7e] = {"IOTA",                                   0x7e, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x7f] = {"DROPOUT",                                0x7f, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x81] = {"JPEG_DECODE",                            0x81, 3, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x82] = {"TRANSPOSE_BATCH_NORM_STATS2",            0x82, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x83] = {"TRANSPOSE_TENSOR_REDUCE_ARITH_OP",       0x83, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x84] = {"TRANSPOSE_TENSOR_REDUCE_BITVEC_OP",      0x84, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x85] = {"CUSTOM_OP_HEADER",                       0x85, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x86] = {"CUSTOM_OP_PAYLOAD",                      0x86, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    // The BF16 and DUAL forms were dropped after generation 2.
    [0x87] = {"TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH",     0x87, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x88] = {"TENSOR_SCALAR_PTR_MULTI_DUAL_BITVEC",    0x88, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x8a] = {"TENSOR_TENSOR_ADD_BF16",                 0x8a, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x8b] = {"TENSOR_TENSOR_MULT_BF16",                0x8b, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x8c] = {"TENSOR_REDUCE_ADD_BF16",                 0x8c, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x8d] = {"TENSOR_REDUCE_MAX_BF16",                 0x8d, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x8e] = {"BATCH_NORM_PARAM_LOAD2",                 0x8e, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x8f] = {"TENSOR_TENSOR_SUB_BF16",                 0x8f, 2, 2, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x92] = {"TENSOR_SCALAR_AFFINE_SELECT",            0x92, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x93] = {"TRANSPOSE_TENSOR_SCALAR_ARITH_OP",       0x93, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x94] = {"BATCH_NORM_GRAD_ACCUMULATE2",            0x94, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x95] = {"MODIFY_POOL_CONFIG",                     0x95, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x96] = {"SORT",                                   0x96, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x98] = {"TENSOR_SCALAR_SELECT",                   0x98, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x99] = {"CAST_PREDICATED",                        0x99, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x9a] = {"TENSOR_SCALAR_CACHE_REDUCE",             0x9a, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x9b] = {"DVE_READ_ACCUMULATOR",                   0x9b, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x9c] = {"TENSOR_REDUCE_RANGE_CHECK",              0x9c, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x9d] = {"SCALAR_TENSOR_TENSOR_ARITH",             0x9d, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0x9e] = {"SCALAR_TENSOR_TENSOR_BITVEC",            0x9e, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    // Sequencer: every engine has these. Those that "run empty" have no effect of their own in a
    // run, since every transfer and step completes in the order of its waits.
    [0x9f] = {"ENGINE_NOP",                             0x9f, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    // Has effects of its own, a second wait and update: see neff_second_of.
    [0xa0] = {"EVENT_SEMAPHORE",                        0xa0, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_EVENT_SEMAPHORE, false},
    [0xa1] = {"HALT",                                   0xa1, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xa2] = {"DRAIN",                                  0xa2, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    [0xa3] = {"INSTRUCTION_FLUSH",                      0xa3, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    [0xa4] = {"NOP",                                    0xa4, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    [0xa5] = {"WRITE",                                  0xa5, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xa6] = {"NOTIFY",                                 0xa6, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    [0xa7] = {"MOVE",                                   0xa7, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_MOVE,            false},
    [0xa8] = {"ALU_OP",                                 0xa8, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_ALU,             false},
    [0xa9] = {"COMPARE_BRANCH",                         0xa9, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xaa] = {"TENSOR_LOAD",                            0xaa, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xab] = {"TENSOR_STORE",                           0xab, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb0] = {"EVENT_SEMAPHORE_RANGE_CLEAR",            0xb0, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb1] = {"SET_ORDERING_MODE",                      0xb1, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb2] = {"MOVE_SHAPE",                             0xb2, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb3] = {"POLL_SEM",                               0xb3, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb4] = {"TEST_EVENT_SEM",                         0xb4, 4, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb5] = {"BRANCH_PREFETCH_HINT",                   0xb5, 2, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    [0xb6] = {"COMPACT_CONTROL_INST",                   0xb6, 5, 5, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    // Descriptors made at run time. Operands are addresses in registers or tables, which a run does
    // not know: it refuses them.
    [0xb8] = {"DMAMEMCPY",                              0xb8, 2, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xb9] = {"DMA_MEMCPY2",                            0xb9, 5, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xba] = {"DMA_IMMEDIATE",                          0xba, 5, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xbb] = {"DMA_INDIRECT",                           0xbb, 2, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xbc] = {"RANGE_SELECT",                           0xbc, 3, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xbd] = {"DMA_TRANSPOSE",                          0xbd, 3, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xbe] = {"GET_SEQUENCE_BOUNDS",                    0xbe, 3, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xbf] = {"SB2SB_COLLECTIVE",                       0xbf, 3, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    // Pseudo opcodes (upper bits 110): no hardware has them, the loader rewrites them into doorbell
    // writes, real branches and so on.
    [0xc1] = {"PSEUDO_DMA_TRIGGER",                     0xc1, 1, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_TRIGGER,         false},
    [0xc2] = {"PSEUDO_DMAREARM",                        0xc2, 1, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            true},
    [0xc3] = {"PSEUDO_DMABARRIER",                      0xc3, 1, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            true},
    [0xc4] = {"PSEUDO_DMAMEMCPY_FULL_IND",              0xc4, 1, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xc5] = {"PSEUDO_SEMAPHORE_SET",                   0xc5, 1, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xc6] = {"PSEUDO_LOAD_ACT_FUNC_SET",               0xc6, 1, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xc7] = {"PSEUDO_TRIGGER_ALL_REDUCE",              0xc7, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xc8] = {"PSEUDO_TRIGGER_COLLECTIVE",              0xc8, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_COLLECTIVE,      false},
    [0xc9] = {"PSEUDO_READ_VAR_ADDR",                   0xc9, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xca] = {"PSEUDO_EMBEDDING_UPDATE",                0xca, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xcb] = {"PSEUDO_SEND_RECV",                       0xcb, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xcc] = {"PSEUDO_BRANCH_LABEL",                    0xcc, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xcd] = {"PSEUDO_TENSOR_STORE",                    0xcd, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xce] = {"PSEUDO_TENSOR_LOAD",                     0xce, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xcf] = {"PSEUDO_DMASWAP_QUEUE_SET",               0xcf, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xd0] = {"PSEUDO_SET_RNG_SEED",                    0xd0, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xd1] = {"PSEUDO_FUNCTION_BEGIN",                  0xd1, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_FUNCTION_BEGIN,  false},
    [0xd2] = {"PSEUDO_FUNCTION_RETURN",                 0xd2, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xd3] = {"PSEUDO_FUNCTION_CALL",                   0xd3, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_FUNCTION_CALL,   false},
    [0xd4] = {"PSEUDO_DMA_DIRECT2D",                    0xd4, 2, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xd5] = {"PSEUDO_SYNC_BARRIER",                    0xd5, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xd6] = {"PSEUDO_RANGE_CHECK",                     0xd6, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xd7] = {"PSEUDO_JPEG_DECODE",                     0xd7, 3, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xd8] = {"PSEUDO_CORE_BARRIER",                    0xd8, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_CORE_BARRIER,    false},
    [0xd9] = {"PSEUDO_TRIGGER_COLLECTIVE2",             0xd9, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xda] = {"PSEUDO_EXTENSION",                       0xda, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xdb] = {"PSEUDO_CUR_PROCESSING_RANK_ID",          0xdb, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xdc] = {"PSEUDO_GID_LOAD",                        0xdc, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xdd] = {"PSEUDO_BRANCH_PREFETCH_HINT",            0xdd, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xde] = {"PSEUDO_TENSOR_COMPLETION",               0xde, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    [0xdf] = {"PSEUDO_INST",                            0xdf, 2, 5, NEFF_CLASS_PSEUDO,   NEFF_FORM_INST,            false},
    // High opcodes: more of the vector engine, except for one that gathers by DMA.
    [0xe0] = {"SPARSITY_COMPRESS",                      0xe0, 4, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe1] = {"SPARSITY_COMPRESS_TAG",                  0xe1, 4, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe2] = {"RAND2",                                  0xe2, 4, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe3] = {"QUANTIZE_MX",                            0xe3, 4, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe4] = {"CONV_LUT_LOAD",                          0xe4, 3, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe5] = {"TENSOR_TENSOR_SCAN_ARITH",               0xe5, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe6] = {"TENSOR_SCALAR_CACHE_CUMULATIVE",         0xe6, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe7] = {"INDIRECT_COPY",                          0xe7, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe8] = {"COPY_PREDICATED_SCALAR",                 0xe8, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xe9] = {"DVE_READ_INDICES",                       0xe9, 3, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xea] = {"SELECT_REDUCE",                          0xea, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xf0] = {"EXTENDED_INST",                          0xf0, 2, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xf1] = {"DMA_GATHER_TRANSPOSE",                   0xf1, 3, 5, NEFF_CLASS_DGE,      NEFF_FORM_NONE,            false},
    [0xf2] = {"NONZERO_WITH_COUNT",                     0xf2, 3, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xf3] = {"TENSOR_TENSOR_INT_WIDE",                 0xf3, 5, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    [0xf4] = {"TENSOR_SCALAR_INT_WIDE",                 0xf4, 5, 5, NEFF_CLASS_VECTOR,   NEFF_FORM_NONE,            false},
    // Assigned, so that it has a name in listings, and an error wherever it occurs (rule 67a).
    [0xff] = {"INVALID",                                0xff, 2, 5, NEFF_CLASS_INVALID,  NEFF_FORM_NONE,            false},
};

// What generation 1 has otherwise: code = local | engine << 5, engines all (3), runtime (6) and
// simulator (7). The simulator's names are not public; these are ours.
static const neff_opcode first_opcodes[] = {
    {"EVENT_WAIT",                             0x61, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    {"EVENT_SET",                              0x62, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    {"EVENT_CLEAR",                            0x63, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    {"SEMAPHORE_TEST_AND_SET",                 0x65, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    {"NOP",                                    0x68, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    {"WRITE",                                  0x69, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            false},
    {"NOTIFY",                                 0x6a, 1, 1, NEFF_CLASS_CONTROL,  NEFF_FORM_NONE,            true},
    {"PSEUDO_SET_TRANSFER_ADJUST",             0xc7, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    {"PSEUDO_READ_VAR_ADDR",                   0xc8, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    {"SIMULATOR_EB",                           0xeb, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    {"SIMULATOR_EC",                           0xec, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    {"SIMULATOR_ED",                           0xed, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    {"SIMULATOR_EE",                           0xee, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
    {"SIMULATOR_EF",                           0xef, 1, 1, NEFF_CLASS_PSEUDO,   NEFF_FORM_NONE,            false},
};
// clang-format on

// True when the row is valid on that generation; NEFF_ANY_GENERATION takes whatever one of 2 to 5
// has, because a file for "*" may be for any of these.
static bool is_of(const neff_opcode *row, int generation)
{
    const int first = generation == NEFF_ANY_GENERATION ? FIRST : generation;
    const int last = generation == NEFF_ANY_GENERATION ? LAST : generation;
    return row->name && row->first <= last && row->last >= first;
}

// The i-th place of both tables, in the order of listing; NULL after the last.
static const neff_opcode *place(size_t i)
{
    if (i < HOIST_COUNT_OF(opcodes)) {
        return &opcodes[i];
    }
    i -= HOIST_COUNT_OF(opcodes);
    return i < HOIST_COUNT_OF(first_opcodes) ? &first_opcodes[i] : NULL;
}

const neff_opcode *neff_opcode_find(uint8_t code, int generation)
{
    if (is_of(&opcodes[code], generation)) {
        return &opcodes[code];
    }
    // Codes 0xc7 and 0xc8 have other meanings on generation 1: their rows above begin at 2, so that
    // the search comes here.
    for (size_t i = 0; i < HOIST_COUNT_OF(first_opcodes) && generation == NEFF_GEN1; i++) {
        if (first_opcodes[i].code == code) {
            return &first_opcodes[i];
        }
    }
    return NULL;
}

const neff_opcode *neff_opcode_by_name(hoist_str name, int generation)
{
    if (hoist_str_equal_c(name, "PSEUDO_DMATRIGGER")) { // as the opcode headers spell it
        name = hoist_str_from(opcodes[NEFF_DMA_TRIGGER].name);
    }
    // First letters are compared first: texts of 100,000 records ask this for each line.
    const neff_opcode *row = NULL;
    for (size_t i = 0; name.size > 0 && (row = place(i)) != NULL; i++) {
        if (is_of(row, generation) && row->name[0] == name.data[0] &&
            hoist_str_equal_c(name, row->name)) {
            return row;
        }
    }
    return NULL;
}

const neff_opcode *neff_opcode_at(int generation, size_t index)
{
    // In steps from the start: only listings walk the table, and it has 270 places.
    const neff_opcode *row = NULL;
    for (size_t i = 0; (row = place(i)) != NULL; i++) {
        if (is_of(row, generation) && index-- == 0) {
            return row;
        }
    }
    return NULL;
}
