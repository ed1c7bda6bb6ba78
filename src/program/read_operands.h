// program/read_operands.h - the operands that others are made of. Those that return bool report
// what is wrong and return false; what they read they take.
#ifndef HOIST_SRC_PROGRAM_READ_OPERANDS_H
#define HOIST_SRC_PROGRAM_READ_OPERANDS_H

#include "program/reader.h"

// Copies `value` to its place in a row.
void hoist_text_store(void *row, size_t offset, const void *value, size_t size);

// A list that grows in the line's arena.
typedef struct hoist_text_list {
    void *items;
    uint32_t count;
    uint32_t capacity;
} hoist_text_list;

// Adds an item of `size` bytes, the same for all of a list.
bool hoist_text_push(hoist_text_reader *r, hoist_text_list *list, const void *item, size_t size);
// Stores pointer and count of a list where `field` says.
void hoist_text_store_list(void *row, const hoist_field *field, const hoist_text_list *list);
// The opening bracket; false when the list is empty (then it is taken whole) or not there.
bool hoist_text_list_begins(hoist_text_reader *r);
// After an item: true when another one follows. The closing bracket is taken.
bool hoist_text_list_goes_on(hoist_text_reader *r);

// Numbers (read_numbers.c).
bool hoist_text_to_u64(hoist_str s, uint64_t *out);
bool hoist_text_u64(hoist_text_reader *r, uint64_t max, uint64_t *out);
bool hoist_text_i64(hoist_text_reader *r, int64_t *out);
bool hoist_text_float(hoist_text_reader *r, float *out);
bool hoist_text_double(hoist_text_reader *r, double *out);
bool hoist_text_i64s(hoist_text_reader *r, int64_t out[HOIST_MAX_RANK], uint32_t *out_count);
bool hoist_text_ints(hoist_text_reader *r, const hoist_field *field, void *row);
bool hoist_text_axes(hoist_text_reader *r, const hoist_field *field, void *row);
bool hoist_text_bytes(hoist_text_reader *r, hoist_bytes *out); // in the line's arena
bool hoist_text_pair(hoist_text_reader *r, uint32_t out[2]);

// Names and values (read_scalars.c).
bool hoist_text_is_name(const hoist_text_reader *r);
// True for @N, which is not taken: a row by its number, whether or not there is one.
bool hoist_text_raw_ref(const hoist_text_reader *r, uint32_t *out);
// What names of `table` are called in the scope at hand.
hoist_text_key hoist_text_key_of(const hoist_text_reader *r, hoist_name_table table);
bool hoist_text_ref_in(hoist_text_reader *r, hoist_text_key key, hoist_ref *out);
bool hoist_text_ref(hoist_text_reader *r, hoist_name_table table, hoist_ref *out);
bool hoist_text_value(hoist_text_reader *r, hoist_prog_value *out); // a number or a register

// Reads the operand of `field` into `row`.
typedef bool hoist_text_operand_fn(hoist_text_reader *r, const hoist_field *field, void *row);
hoist_text_operand_fn hoist_text_scalar; // one without parts (read_scalars.c)
// All operands of `record` by `read`: hoist_text_fields() for those without parts.
bool hoist_text_record(hoist_text_reader *r, const hoist_record *record,
                       hoist_text_operand_fn *read, void *row);

// Types and views (read_views.c).
bool hoist_text_dtype(hoist_text_reader *r, hoist_dtype *out);
bool hoist_text_type(hoist_text_reader *r, hoist_dtype *out_dtype, hoist_ref *out_layout);
bool hoist_text_view(hoist_text_reader *r, hoist_ref *out);

#endif // HOIST_SRC_PROGRAM_READ_OPERANDS_H
