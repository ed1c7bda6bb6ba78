// codec/flatbuffer_internal.h - what the sources of codec/flatbuffer.h share.
// Places are bytes from the start of the buffer, 32 bits, as a buffer has less than 2 GiB.
#ifndef HOIST_SRC_CODEC_FLATBUFFER_INTERNAL_H
#define HOIST_SRC_CODEC_FLATBUFFER_INTERNAL_H

#include "codec/flatbuffer.h"

typedef enum fb_rule {
#define FB_RULE(number, ...) FB_##number,
#include "codec/flatbuffer_rules.inc"
    FB_RULE_COUNT,
} fb_rule;

// The row of a rule. flatbuffer_rules.c
#define fb_rule_row(rule) (&hoist_fb_rules.rules[rule])

// A table as it is in a buffer, whose vtable and end are inside it.
typedef struct fb_raw {
    uint32_t at;
    uint32_t vtable;
    uint16_t slots; // of the vtable
    uint16_t size;  // bytes of the table
} fb_raw;

// Opens the table at `at`. FB_RULE_COUNT: it is one; else the rule that it breaks. flatbuffer.c
fb_rule fb_open(hoist_bytes buffer, uint64_t at, fb_raw *out_raw);
// Where the field of `slot` is stored, counted from the table's start; 0: it is not. flatbuffer.c
uint16_t fb_field_offset(hoist_bytes buffer, const fb_raw *raw, uint32_t slot);

// The member of `object` that a field has. flatbuffer.c
const void *fb_member(const void *object, const hoist_fb_field *field);
// The lists of strings or tables at a member: HOIST_FB_LIST of any type.
typedef HOIST_FB_LIST(void) fb_list;
fb_list fb_list_of(const void *member);

// Bytes that a field takes in its table: of a scalar its size, else those of an offset.
size_t fb_inline_size(const hoist_fb_field *field);
// Bytes of an item of a vector, by the kind of the field: of strings and tables those of an offset.
size_t fb_item_size(const hoist_fb_field *field);
// Whether `slot` has a row, or is the type of a union that has one. flatbuffer.c
bool fb_knows(const hoist_fb_type *type, uint32_t slot);
// A scalar of `kind` at `member` as an integer (of floats its bits). flatbuffer.c
uint64_t fb_bits(hoist_fb_kind kind, const void *member);
// The bits that an absent scalar has. flatbuffer.c
uint64_t fb_fallback_bits(const hoist_fb_field *field);

#endif // HOIST_SRC_CODEC_FLATBUFFER_INTERNAL_H
