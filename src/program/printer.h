// program/printer.h - what the parts of the printer of the text form share.
#ifndef HOIST_SRC_PROGRAM_PRINTER_H
#define HOIST_SRC_PROGRAM_PRINTER_H

#include "base/buffer.h"
#include "program/fields.h"

typedef struct hoist_printer {
    const hoist_program *program;
    const hoist_prog_function *function; // whose parameters views name; NULL: none
    const hoist_prog_code *code;         // whose registers values name; NULL: none
    hoist_buffer *out;
} hoist_printer;

// As it is, or in quotes.
void hoist_print_name(hoist_buffer *out, hoist_str name);
// The fewest digits that read back as the same bits; `inf`, `nan_` with the bits.
void hoist_print_float(hoist_buffer *out, float value);
void hoist_print_double(hoist_buffer *out, double value);
// A list: equal numbers as -1x4, rising ones as 0..31.
void hoist_print_ints(hoist_buffer *out, const int32_t *items, uint32_t count);
void hoist_print_i64s(hoist_buffer *out, const int64_t *items, int count); // at most 8
void hoist_print_axes(hoist_buffer *out, const uint8_t *axes, uint32_t rank);
void hoist_print_hex(hoist_buffer *out, hoist_bytes bytes);

void hoist_print_ref(const hoist_printer *p, hoist_name_table table, hoist_ref ref);
void hoist_print_type(const hoist_printer *p, hoist_dtype dtype, hoist_ref layout);
void hoist_print_view(const hoist_printer *p, hoist_ref view);
void hoist_print_target(const hoist_printer *p, const hoist_prog_target *target);

// False: the operand of `row` is left out, since it has no meaning there, or its usual value.
bool hoist_field_is_written(const hoist_field *field, const void *row);
// The operands of `row`, but those that are left out, with blanks between them.
void hoist_print_fields(const hoist_printer *p, const hoist_record *record, const void *row);

#endif // HOIST_SRC_PROGRAM_PRINTER_H
