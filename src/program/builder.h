// program/builder.h - makes programs. Rows are copied into the program's arena; names and lists may
// die after the call.
//
//     hoist_builder *b; hoist_builder_create(alloc, HOIST_STR("x"), &b);
//     const hoist_ref space = hoist_builder_space(b, &(hoist_prog_space){...});
//     ...
//     const hoist_ref f = hoist_builder_begin_function(b, &(hoist_prog_function){.name = ...});
//     hoist_builder_step(b, &(hoist_prog_step){...});
//     hoist_builder_end_code(b);
//     status = hoist_builder_finish(b, diag, &program);
//
// Failures (memory, a table beyond its limit, code where none may be) are sticky: calls then
// return HOIST_NO_REF and do nothing, and finish gives the status.
#ifndef HOIST_SRC_PROGRAM_BUILDER_H
#define HOIST_SRC_PROGRAM_BUILDER_H

#include "program/program.h"
#include "program/rules.h"

typedef struct hoist_builder hoist_builder;

HOIST_NODISCARD hoist_status hoist_builder_create(hoist_allocator alloc, hoist_str name,
                                                  hoist_builder **out_builder);
void hoist_builder_destroy(hoist_builder *builder); // NULL is allowed; not after a finish
// Building fails when `deadline`, which is borrowed, is over. NULL: it never is.
void hoist_builder_limit(hoist_builder *b, hoist_deadline *deadline);

// Each adds a row and gives its index. Layouts and views that are already there are shared.
hoist_ref hoist_builder_space(hoist_builder *b, const hoist_prog_space *row);
hoist_ref hoist_builder_buffer(hoist_builder *b, const hoist_prog_buffer *row);
void hoist_builder_relocation(hoist_builder *b, const hoist_prog_relocation *row);
hoist_ref hoist_builder_port(hoist_builder *b, const hoist_prog_port *row);
void hoist_builder_need(hoist_builder *b, const hoist_prog_need *row);
hoist_ref hoist_builder_layout(hoist_builder *b, const hoist_prog_layout *row);
hoist_ref hoist_builder_view(hoist_builder *b, const hoist_prog_view *row);
hoist_ref hoist_builder_fifo(hoist_builder *b, const hoist_prog_fifo *row);
hoist_ref hoist_builder_unit(hoist_builder *b, const hoist_prog_unit *row);
hoist_ref hoist_builder_semaphore(hoist_builder *b, const hoist_prog_semaphore *row);
hoist_ref hoist_builder_entry(hoist_builder *b, const hoist_prog_entry *row);

// Findings of `rule` are reported as the format's own `row` (static).
void hoist_builder_rule(hoist_builder *b, hoist_program_rule rule, const hoist_rule *row);

// The program's file, for places that name none.
void hoist_builder_file(hoist_builder *b, hoist_str file);
// The number of a file's member ("sg00/pool.json") for hoist_loc.source, the same for the same
// names; 0 after a failure.
uint32_t hoist_builder_source(hoist_builder *b, hoist_source source);

// Code: the row's `code` is ignored; registers and steps follow until hoist_builder_end_code().
// Integer parameters of a function are its first registers, in order. One code at a time: to begin
// another, or a register or step outside of one, is HOIST_INTERNAL.
hoist_ref hoist_builder_begin_function(hoist_builder *b, const hoist_prog_function *row);
hoist_ref hoist_builder_begin_thread(hoist_builder *b, const hoist_prog_thread *row);
hoist_ref hoist_builder_register(hoist_builder *b, const hoist_prog_register *row);
// Index of the step. LOOP and END find each other; the target of a forward BRANCH is set later.
uint32_t hoist_builder_step(hoist_builder *b, const hoist_prog_step *step);
// The data steps that follow, until the next call or the end of their code, do this work: the first
// of them all of it, the others belong to it. NULL: none that is known.
void hoist_builder_work(hoist_builder *b, const hoist_prog_work *work);
// An operator of the file is not in the program. The text form does not keep its name.
void hoist_builder_leave_out(hoist_builder *b, hoist_str name);
uint32_t hoist_builder_next_step(const hoist_builder *b); // index that the next step will have
void hoist_builder_set_target(hoist_builder *b, uint32_t branch, uint32_t target);
void hoist_builder_end_code(hoist_builder *b);

// The status so far.
hoist_status hoist_builder_status(const hoist_builder *b);
// Ends building and gives the program, which the caller owns; the builder is gone whatever is
// returned. Checks nothing: hoist_program_verify() does. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT,
// HOIST_CANCELLED, HOIST_INTERNAL.
HOIST_NODISCARD hoist_status hoist_builder_finish(hoist_builder *b, hoist_program **out_program);

#endif // HOIST_SRC_PROGRAM_BUILDER_H
