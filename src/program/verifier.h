// program/verifier.h - what the parts of the verifier share: the row or step at hand, findings, and
// what is known of layouts, views and buffers.
#ifndef HOIST_SRC_PROGRAM_VERIFIER_H
#define HOIST_SRC_PROGRAM_VERIFIER_H

#include "base/diag.h"
#include "ops/compute.h"
#include "program/fields.h"
#include "program/rules.h"

#define HOIST_CARRIER_BYTES 4096 // of a tile in memory that the runtime owns

// A layout that was measured.
typedef struct hoist_measured_layout {
    bool measured;
    bool ok;
    bool tiled;
    uint64_t elements;      // TILED: tiles
    int64_t low;            // STRIDED: byte offset of the first byte of the lowest element
    int64_t high;           // STRIDED: of the highest one
    hoist_tile_shape tiles; // TILED
    uint64_t parts;         // TILED: fields of the grid
} hoist_measured_layout;

// A buffer with memory of its own, and where in it another one lies.
typedef struct hoist_buffer_root {
    hoist_ref buffer;
    uint64_t offset;
    bool in_fifo; // a part of a fifo; roots only, as the next one
    bool dynamic; // a part of a dynamic fifo
} hoist_buffer_root;

typedef enum hoist_check_state {
    HOIST_UNCHECKED = 0,
    HOIST_SOUND,
    HOIST_UNSOUND,
} hoist_check_state;

typedef struct hoist_verifier {
    const hoist_program *program;
    hoist_diag *diag;
    hoist_arena arena; // scratch
    bool no_memory;
    size_t failures;
    // The row or step at hand.
    hoist_name_table table;
    hoist_str name;
    hoist_loc loc;
    uint32_t step;                       // HOIST_NO_REF: the row itself
    const hoist_prog_function *function; // NULL: none
    const hoist_prog_code *code;         // NULL: none
    // By index of their tables; arena.
    hoist_measured_layout *layouts;
    hoist_buffer_root *roots;               // of buffers
    hoist_check_state *views;               // as far as they do not hang on the code
    struct hoist_verify_contents *contents; // of verify_contents.c
    // Functions, each after those that it calls, when none comes back to itself; arena, of
    // hoist_verify_cycles().
    hoist_ref *callees_first;
} hoist_verifier;

// Makes row `index` of the program's `table` the one at hand; false: there is none.
bool hoist_verifier_at(hoist_verifier *v, hoist_name_table table, uint32_t index);
// Reports at the row or step at hand; returns false.
bool hoist_verifier_fail(hoist_verifier *v, hoist_program_rule rule, const char *format, ...)
    HOIST_PRINTF(3, 4);
// `count` zeroed items of scratch; NULL (with no_memory set) when there are none to be had.
void *hoist_verifier_array(hoist_verifier *v, size_t count, size_t size);

// The parts, in their order. Each but the first relies on every reference to be right.
void hoist_verify_references(hoist_verifier *v); // PRG-001, 002, 003, 019
void hoist_verify_memory(hoist_verifier *v);     // PRG-004 to 010
void hoist_verify_rows(hoist_verifier *v);       // PRG-011 to 015, 037
void hoist_verify_ports(hoist_verifier *v);      // PRG-042 to 044
void hoist_verify_codes(hoist_verifier *v);      // the rest

// Layouts and views (verify_views.c). Findings at what is at hand, once for each.
const hoist_measured_layout *hoist_verifier_layout(hoist_verifier *v, hoist_ref layout);
// Bytes of a strided element; 0: it has no whole bytes.
int64_t hoist_verifier_element_bytes(hoist_dtype dtype);
// Whether no two elements of a strided layout share bytes; an element has `covered` bytes.
bool hoist_verifier_lies_apart(const hoist_prog_layout *layout, uint64_t covered);
// True when bounds of the view are right, as far as they do not hang on registers.
bool hoist_verify_view(hoist_verifier *v, hoist_ref view);

// The bytes that a view covers in a buffer with memory of its own.
typedef struct hoist_view_range {
    hoist_ref buffer;
    uint64_t begin;
    uint64_t end;
    bool whole; // every byte of the range belongs to the view
} hoist_view_range;
// False: the view is not of a buffer, or hangs on a register. The view must be sound.
bool hoist_verifier_range(const hoist_verifier *v, hoist_ref view, hoist_view_range *out_range);
// The buffer with memory of its own under a view of a buffer or slot; HOIST_NO_REF: none.
hoist_ref hoist_verifier_root(const hoist_verifier *v, hoist_ref view);

// Parts of hoist_verify_codes(): of the step or code at hand.
void hoist_verify_control(hoist_verifier *v); // whole code: PRG-020 to 023, 039
void hoist_verify_call(hoist_verifier *v, const hoist_prog_step *step);
void hoist_verify_cycles(hoist_verifier *v); // whole program: PRG-025
void hoist_verify_homes(hoist_verifier *v);  // whole program, when all else is right: PRG-045
void hoist_verify_data(hoist_verifier *v, const hoist_prog_step *step);
void hoist_verify_contents(hoist_verifier *v); // whole code: PRG-038

#endif // HOIST_SRC_PROGRAM_VERIFIER_H
