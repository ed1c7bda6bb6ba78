// program/judge.h - what the parts of the verifier share: the row or step at hand, findings, and
// what is known of layouts, views and buffers.
#ifndef HOIST_SRC_PROGRAM_JUDGE_H
#define HOIST_SRC_PROGRAM_JUDGE_H

#include "base/diag.h"
#include "ops/compute.h"
#include "program/fields.h"
#include "program/rules.h"

#define HOIST_CARRIER_BYTES 4096 // of a tile in memory that the runtime owns

// A layout that was measured.
typedef struct hoist_judge_layout {
    bool judged;
    bool ok;
    bool tiled;
    uint64_t elements;      // TILED: tiles
    int64_t low;            // STRIDED: byte offset of the first byte of the lowest element
    int64_t high;           // STRIDED: of the highest one
    hoist_tile_shape tiles; // TILED
    uint64_t parts;         // TILED: fields of the grid
} hoist_judge_layout;

// A buffer with memory of its own, and where in it another one lies.
typedef struct hoist_judge_root {
    hoist_ref buffer;
    uint64_t offset;
    bool in_fifo; // a part of a fifo; roots only, as the next one
    bool dynamic; // a part of a dynamic fifo
} hoist_judge_root;

typedef enum hoist_judge_state {
    HOIST_UNJUDGED = 0,
    HOIST_SOUND,
    HOIST_UNSOUND,
} hoist_judge_state;

typedef struct hoist_judge {
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
    hoist_judge_layout *layouts;
    hoist_judge_root *roots;               // of buffers
    hoist_judge_state *views;              // as far as they do not hang on the code
    struct hoist_judge_contents *contents; // of verify_contents.c
} hoist_judge;

// Reports at the row or step at hand; returns false.
bool hoist_judge_fail(hoist_judge *j, hoist_program_rule rule, const char *format, ...)
    HOIST_PRINTF(3, 4);
// `count` cleared items of scratch; NULL (with no_memory set) when there are none to be had.
void *hoist_judge_array(hoist_judge *j, size_t count, size_t size);

// The parts, in their order. Each but the first relies on every reference to be right.
void hoist_judge_references(hoist_judge *j); // PRG-001, 002, 003, 019
void hoist_judge_memory(hoist_judge *j);     // PRG-004 to 010
void hoist_judge_rows(hoist_judge *j);       // PRG-011 to 015, 037
void hoist_judge_codes(hoist_judge *j);      // the rest

// Layouts and views (verify_views.c). Findings at what is at hand, once for each.
const hoist_judge_layout *hoist_judge_layout_at(hoist_judge *j, hoist_ref layout);
// True when bounds of the view are right, as far as they do not hang on registers.
bool hoist_judge_view(hoist_judge *j, hoist_ref view);

// The bytes that a view covers in a buffer with memory of its own.
typedef struct hoist_judge_range {
    hoist_ref buffer;
    uint64_t begin;
    uint64_t end;
    bool whole; // every byte of the range belongs to the view
} hoist_judge_range;
// False: the view is not of a buffer, or hangs on a register. The view must be sound.
bool hoist_judge_range_of(const hoist_judge *j, hoist_ref view, hoist_judge_range *out_range);
// The buffer with memory of its own behind a view of a buffer or slot; HOIST_NO_REF: none.
hoist_ref hoist_judge_root_of(const hoist_judge *j, hoist_ref view);

// Parts of hoist_judge_codes(): of the step or code at hand.
void hoist_judge_control(hoist_judge *j); // whole code: PRG-020 to 023, 039
void hoist_judge_call(hoist_judge *j, const hoist_prog_step *step);
void hoist_judge_cycles(hoist_judge *j); // whole program: PRG-025
void hoist_judge_data(hoist_judge *j, const hoist_prog_step *step);
void hoist_judge_contents(hoist_judge *j); // whole code: PRG-038

#endif // HOIST_SRC_PROGRAM_JUDGE_H
