// lower/ark/job_testing.h - for tests: small ARK files from a line for each operator, lowered.
//
//     "buffer 0 send 1#7; Mul f32[2,3]@0 f32[3]@1 > f32[2,3]@2; Send:s f32[2,3]@2 > f32[2,3]@9>1#7"
//
// A tensor is TYPE[SHAPE:DIMS+OFFSETS/PADDED]@BUFFER; what is left out is ARK's default. Types are
// f32 f16 b16 i32 u32 i8 u8 byte. Behind the buffer is ">1#7" for a proxy of rank 1 with the pair
// [-1, 7] in RecvTags, "<1#7" in SendTags. A line "buffer ID send RANK#TAG recv RANK#TAG" gives a
// buffer of the rank pairs, "buffer ID external" one that the caller supplies. Equal tensors are
// one, with Ids from 0 on in the order of occurrence; results are 100 and up, in the order of the
// operators. Behind the tensors may be the Args in {}, for plans also more of the Config in {} and
// ranges of tasks, (0,4) each a group; none: (0,1).
#ifndef HOIST_SRC_LOWER_ARK_JOB_TESTING_H
#define HOIST_SRC_LOWER_ARK_JOB_TESTING_H

#include "lower/ark/lower.h"
#include "testing/test.h"

enum { ARK_JOB_MAX_FILES = 4 };

typedef struct ark_job_text {
    const char *ops[ARK_JOB_MAX_FILES]; // of ranks 0, 1 ...; NULL: that file is not given
    uint32_t world;                     // 0: as many as there are texts
    bool is_plan;
    bool is_concurrent; // a plan whose operators have a processor each, in one group
} ark_job_text;

// The JSON text of one rank; in t->arena.
const char *ark_job_json(hoist_test *t, const ark_job_text *job, uint32_t rank);
// Reads the files, "0.json" and so on, and lowers them; `*out_program` is the caller's, NULL when
// there is none.
hoist_status ark_job_lower(hoist_test *t, const ark_job_text *job,
                           const hoist_lower_options *options, hoist_program **out_program);
// Expects the lines of the program that begin with one of `heads` (program_text_testing.h), with b4
// for "buffer:4" and without quotes, and that it has no fault.
void ark_job_expect(hoist_test *t, const ark_job_text *job, const char *heads, const char *text);

#endif // HOIST_SRC_LOWER_ARK_JOB_TESTING_H
