// lower/program_text_testing.h - for the tests of lowering: the text of the program that comes of a
// module, as a whole or one piece of it.
#ifndef HOIST_SRC_LOWER_PROGRAM_TEXT_TESTING_H
#define HOIST_SRC_LOWER_PROGRAM_TEXT_TESTING_H

#include "program/program.h"
#include "testing/test.h"

// All lines that begin with one of `heads`, which have "|" between them (NULL: all there are), and
// where such a line opens a brace those up to the one that is "}"; without indentation. In
// t->arena.
hoist_str lower_test_piece(hoist_test *t, const hoist_program *program, const char *heads);
// Expects that piece of the program's text. `program` NULL fails the test.
void lower_test_expect_piece(hoist_test *t, const hoist_program *program, const char *heads,
                             const char *expected);

#endif // HOIST_SRC_LOWER_PROGRAM_TEXT_TESTING_H
