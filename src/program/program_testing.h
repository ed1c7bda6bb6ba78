// program/program_testing.h - for tests: programs from text, and the findings of reader and
// verifier with their places and objects.
#ifndef HOIST_SRC_PROGRAM_PROGRAM_TESTING_H
#define HOIST_SRC_PROGRAM_PROGRAM_TESTING_H

#include "program/program.h"
#include "testing/test.h"

// Rows that bad and good programs have in front of them.
#define HOIST_COMMON_ROWS                                                                          \
    "program p\n"                                                                                  \
    "space m capacity 65536 alignment 32\n"                                                        \
    "space host\n"                                                                                 \
    "buffer x in m size 4096 alignment 32 lifetime session\n"                                      \
    "buffer y in m size 4096 alignment 32 lifetime session\n"                                      \
    "buffer c in m size 64 alignment 32 lifetime constant contents zero\n"                         \
    "buffer own in m size 64\n"                                                                    \
    "buffer t in host size 65536 lifetime session\n"                                               \
    "buffer part in host size 8352\n"                                                              \
    "fifo q queue of tt-bfp8b tiled(t 2) slots 2 in [part] header 32 slot_bytes 2208 "             \
    "tile_alignment 32 host_push\n"                                                                \
    "unit u depth 1\n"                                                                             \
    "semaphore s\n"                                                                                \
    "function f {\n"                                                                               \
    "    parameter n\n"                                                                            \
    "    parameter a view f32[4]\n"                                                                \
    "    parameter b view f32[4] written\n"                                                        \
    "    move copy from [param(a) f32[4]] to param(b) f32[4]\n"                                    \
    "}\n"

// A thread with some steps.
#define HOIST_STEPS(text) "thread main {\n    register i\n" text "}\n"

// Reads `text` from a block of exactly its size; the status must be `expected`, and there is a
// program exactly when that is HOIST_OK. Owned by the caller: hoist_program_destroy.
hoist_program *hoist_test_program(hoist_test *t, hoist_str text, hoist_status expected);

// The text of `program`, in the test's arena.
hoist_str hoist_test_program_text(hoist_test *t, const hoist_program *program);

// The findings in t->diag, in order, with line ends between them: "LINE:COLUMN OBJECT: MESSAGE
// [RULE]". Lines are counted from after the first `skip` ones; without a place there is none,
// without an object none.
hoist_str hoist_test_places(hoist_test *t, uint32_t skip);

// One clause of a rule: what breaks it, and what is just right. Both are after
// HOIST_COMMON_ROWS, and lines are counted from there.
typedef struct hoist_verify_case {
    const char *name;
    const char *good;     // raises nothing
    const char *bad;      // reads, and raises exactly
    const char *findings; // all of them, as hoist_test_places has them
} hoist_verify_case;
void hoist_expect_verified(hoist_test *t, const hoist_verify_case *row);

// A text that does not read. It is after HOIST_COMMON_ROWS, and lines are counted from there.
typedef struct hoist_read_case {
    const char *name;
    const char *text;
    const char *findings; // all of them, as hoist_test_places has them
} hoist_read_case;
void hoist_expect_unreadable(hoist_test *t, const hoist_read_case *row);

#endif // HOIST_SRC_PROGRAM_PROGRAM_TESTING_H
