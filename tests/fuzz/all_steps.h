// tests/fuzz/all_steps.h - all that hoist does with a file, one after the other, on the same input.
//
// Open, check, sum up, dump, draw, disassemble, write, convert, plan and open again, unpack and
// pack, link, exchange, recover, compare, lower, run, and judge all orders. Whatever the file is,
// every step ends within its limits with a status that it may have; what was written opens again
// and says the same; a file does not differ from itself; all memory comes back. Anything else is a
// finding.
#ifndef HOIST_TESTS_FUZZ_ALL_STEPS_H
#define HOIST_TESTS_FUZZ_ALL_STEPS_H

#include "hoist/load.h"

typedef struct all_file {
    hoist_job *job;
    hoist_diag *diag;
    hoist_allocator alloc; // the job's: a budget
    bool is_sound;         // opening found no error
} all_file;

// Goes through all steps with a job of `count` files, one or more, that are taken for `format`.
void all_steps(const hoist_bytes *files, size_t count, const char *format);

// Opens them as `file`; false: they are none, which has been said. all_close in any case.
bool all_open(hoist_bytes bytes, const char *format, hoist_allocator alloc, all_file *file);
void all_close(all_file *file);

// The groups of steps.
void all_show(const all_file *file);        // all_show.c
void all_disassemble(const all_file *file); // all_show.c
void all_write_again(const all_file *file); // all_write.c
void all_convert(const all_file *file);     // all_write.c
void all_unpack(const all_file *file);      // all_write.c
void all_link(const all_file *file);        // all_parameters.c
void all_recover(const all_file *file);     // all_parameters.c
void all_compare(const all_file *file);     // all_show.c
void all_run(const all_file *file);         // all_steps.c

// Both files have the same content, by what dump sends of them.
void all_require_same(const all_file *one, const all_file *other); // all_show.c

#endif // HOIST_TESTS_FUZZ_ALL_STEPS_H
