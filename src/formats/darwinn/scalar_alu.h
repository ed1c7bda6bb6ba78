// formats/darwinn/scalar_alu.h - operations of the scalar core's ALU (darwinn reference section
// 8.4): one row per code.
#ifndef HOIST_SRC_FORMATS_DARWINN_SCALAR_ALU_H
#define HOIST_SRC_FORMATS_DARWINN_SCALAR_ALU_H

#include "hoist/base.h"

typedef enum dwn_alu_kind {
    DWN_ALU_NONE = 0, // does nothing
    DWN_ALU_BINARY,   // register = first op operand
    DWN_ALU_UNARY,    // register = op operand
    DWN_ALU_COMPARE,  // predicate = first op operand
    DWN_ALU_KINDS,
} dwn_alu_kind;

typedef struct dwn_alu {
    const char *name; // as the disassembler writes it
    const char *formula;
    uint8_t kind; // dwn_alu_kind
    bool is_inferred;
    uint32_t (*run)(uint32_t first, uint32_t operand); // NULL: NONE
} dwn_alu;

enum { DWN_ALU_CODES = 32, DWN_ALU_MOVE = 0x0f };

// The row of a code below DWN_ALU_CODES; NULL: what it does is unknown.
const dwn_alu *dwn_alu_find(uint32_t code);

#endif // HOIST_SRC_FORMATS_DARWINN_SCALAR_ALU_H
