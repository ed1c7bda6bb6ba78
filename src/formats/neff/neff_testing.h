// formats/neff/neff_testing.h - for tests: NEFFs as the texts of their members, changed in places,
// read and checked without a container, and the findings that must come of it.
//
//     neff_texts neff;
//     neff_test_base(t, NEFF_TEST_COPY, "sunda", &neff);
//     neff_test_edit(t, &neff, "sg00/sp.json", "\"id\": 0", "\"id\": 1");
//     neff_module *module = neff_test_read(t, &neff);
//     ...
//     neff_test_destroy(module);
#ifndef HOIST_SRC_FORMATS_NEFF_NEFF_TESTING_H
#define HOIST_SRC_FORMATS_NEFF_NEFF_TESTING_H

#include "formats/neff/neff.h"
#include "testing/test.h"

// Members ----------------------------------------------------------------------------------------

enum { NEFF_TEST_MEMBERS = 32 };

typedef struct neff_test_member {
    const char *name;
    hoist_str text; // or bytes; in the test's arena
} neff_test_member;

// A NEFF as its members, in archive order.
typedef struct neff_texts {
    neff_test_member members[NEFF_TEST_MEMBERS];
    size_t count;
} neff_texts;

// What there is to begin with: each breaks no rule. All have neff.json, kelf-0.json, sg00/def.json
// and sg00/{pe,act,pool,dve,sp}.{json,bin}, JSON with an indent of 2.
typedef enum neff_test_program {
    // One block on the queue set `q0` (owner sp, semaphore 1) copies the 64 bytes of `input` to
    // `output`; sp triggers it and waits for it.
    NEFF_TEST_COPY = 0,
    // The all-reduce of the neff reference's sections 3.3, 3.4 and 5.4: pool copies 128 bytes of
    // `input` to `gradient_in` and `gradient_out` to `output`, pe reduces one to the other.
    NEFF_TEST_ALL_REDUCE,
} neff_test_program;

// `target` is the kelf's ("sunda", "tonga"); NULL: "*".
void neff_test_base(hoist_test *t, neff_test_program program, const char *target,
                    neff_texts *out_neff);
// The text of a member; a name that there is not fails the test and gives the empty text.
hoist_str neff_test_text(hoist_test *t, const neff_texts *neff, const char *member);
// Replaces a member's text or adds a member. The name is borrowed.
void neff_test_put(hoist_test *t, neff_texts *neff, const char *member, hoist_str text);
void neff_test_drop(hoist_test *t, neff_texts *neff, const char *member);
// Replaces the first `find` in a member's text; one that does not occur fails the test.
void neff_test_edit(hoist_test *t, neff_texts *neff, const char *member, const char *find,
                    const char *put);
// Replaces a member by a stream of 64-byte records, one per line of `records`: bytes in hexadecimal
// and names in single quotes, the rest zero:
//
//     "c1 10 00 00 04 16 00 00 00 00 00 00 'q_gradient_out'\n"
void neff_test_stream(hoist_test *t, neff_texts *neff, const char *member, const char *records);
// Line and column of the text `at` in a member, or of what follows the ^ in `at`; line 0 when
// it does not occur.
hoist_pos neff_test_place(hoist_test *t, const neff_texts *neff, const char *member,
                          const char *at);

// Findings ---------------------------------------------------------------------------------------

// Expects a finding of rule `id` in `member` at that place that says `says` (NULL: anything).
// `at` NULL: the finding has no line.
void neff_test_expect(hoist_test *t, const neff_texts *neff, const char *id, const char *member,
                      const char *at, const char *says);
// How many findings have an id that begins with `prefix`.
size_t neff_test_count(const hoist_diag *diag, const char *prefix);

// Modules ----------------------------------------------------------------------------------------

// A module with these members and a header of version 1.0, one core; nothing is read yet. NULL when
// out of memory. The texts must outlive it.
neff_module *neff_test_module(hoist_test *t, const neff_texts *neff, hoist_allocator alloc);
// The same, read by neff_read_members; findings go to the test's diag. The caller destroys it.
neff_module *neff_test_read(hoist_test *t, const neff_texts *neff);
void neff_test_destroy(neff_module *module); // NULL is allowed

// Runs one part of the checks; `target` is --target, or NULL.
typedef hoist_status neff_test_part(neff_check *c);
void neff_test_check(hoist_test *t, neff_module *module, const char *target, neff_test_part *part);

// Rows -------------------------------------------------------------------------------------------

typedef struct neff_test_change {
    const char *member; // NULL: no change
    const char *find;   // NULL: the whole text
    const char *put;    // NULL: the member is taken away
} neff_test_change;

// A NEFF that differs from a base in up to three places.
typedef struct neff_test_row {
    const char *name;
    neff_test_change changes[3];
    const char *rule;   // id of the finding; NULL: no finding at all
    const char *member; // where it is; NULL: in the member of the first change
    const char *at;     // text where it is, ^ before its first byte; NULL: no line
    const char *says;   // part of the message; NULL: any
    const char *object; // its object path; NULL: any
} neff_test_row;

// Reads the changed base, runs `part` (NULL: reading only) and expects the row's finding, and no
// other one of an error or a warning when `alone`.
void neff_test_run_row(hoist_test *t, neff_test_program program, const char *target,
                       neff_test_part *part, const neff_test_row *row, bool alone);

#endif // HOIST_SRC_FORMATS_NEFF_NEFF_TESTING_H
